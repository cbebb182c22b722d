"""Answers of exercises on paper that no cell of a chapter computes."""

import json
import re
from itertools import combinations

import pytest
from places import ROOT

from treelab.fast.impurity import entropy

NOTEBOOKS = ROOT / "notebooks"


def exercise_of(notebook, label):
    """Statement and solution of an exercise in a chapter, one text each."""
    cells = json.loads((NOTEBOOKS / notebook).read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    statement = re.search(rf"\n:label: {label}\n(.*?)\n````\n", text, re.S)[1]
    solution = re.search(rf"{{solution}} {label}\n(.*?)\n````\n", text, re.S)[1]
    return statement, solution


def boxes_of(text):
    """(lower a, upper a, lower b, upper b, color) of each leaf of a tree in words."""
    boxes, box = [], {}
    for line in text.splitlines():
        if not line.startswith("|"):
            continue
        depth, words = line.count("|"), line.split("--- ")[1]
        box = {level: bound for level, bound in box.items() if level < depth}
        if words.startswith("class"):
            low, high = {"a": 0, "b": 0}, {"a": 10, "b": 10}
            for name, sign, s in box.values():
                if sign == "<=":
                    high[name] = min(high[name], float(s))
                else:
                    low[name] = max(low[name], float(s))
            boxes.append((low["a"], high["a"], low["b"], high["b"], words.split()[1]))
        else:
            box[depth] = words.split()
    return boxes


def touch_along_a_side(one, other):
    """Whether two boxes share a whole side of one of them."""
    for i, j in ((0, 2), (2, 0)):  # they meet in coordinate i, and overlap in coordinate j
        if one[i + 1] == other[i] or other[i + 1] == one[i]:
            shared = min(one[j + 1], other[j + 1]) - max(one[j], other[j])
            if shared == min(one[j + 1] - one[j], other[j + 1] - other[j]):
                return True
    return False


def test_the_red_regions_of_reading_4():
    statement, solution = exercise_of("01_reading_a_tree.ipynb", "reading-4")
    boxes = boxes_of(statement)
    area = {box: (box[1] - box[0]) * (box[3] - box[2]) for box in boxes}
    red = [box for box in boxes if box[4] == "red"]
    assert len(boxes) == 5
    assert sum(area.values()) == 100
    assert sum(area[box] for box in red) == 53
    assert "53 %" in solution
    pairs = [pair for pair in combinations(red, 2) if touch_along_a_side(*pair)]
    assert len(pairs) == 2
    assert "Two pairs of red regions" in statement
    for one, other in pairs:  # the smallest box around a pair is larger than the pair
        around = max(one[1], other[1]) - min(one[0], other[0])
        around *= max(one[3], other[3]) - min(one[2], other[2])
        assert around > area[one] + area[other]


def test_the_plan_of_questions_of_impurity_1():
    _, solution = exercise_of("02_impurity.ipynb", "impurity-1")
    asked = [1, 2, 3, 3]  # questions for each class
    for counts, bits, mean in (([4, 2, 1, 1], 1.75, 1.75), ([5, 1, 1, 1], 1.549, 1.625)):
        n = sum(counts)
        assert float(entropy(counts)) == pytest.approx(bits, abs=0.0005)
        assert sum(k * count for k, count in zip(asked, counts)) / n == mean
        assert f"{bits}" in solution
        assert f"{mean}" in solution
    assert float(entropy([5, 3])) == pytest.approx(0.954, abs=0.0005)
    assert "worth 0.954 bits" in solution
