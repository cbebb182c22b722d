"""A small assignment, hw0, for the tests of the grader: three questions and an open one."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

CHECKS = '''"""Checkers of hw0."""

from treelab.checkers import checker, expect


@checker("hw0-1")
def check_shares(shares):
    expect(sum(shares) == 1, "shares add up to 1; did you give counts?")
    expect(list(shares) == [0.25, 0.75], "count again: one row of four is red.")


@checker("hw0-2")
def check_gini(gini):
    expect(gini([2, 2]) == 0.5, "two equal classes have impurity 1/2.")
    expect(gini([3, 0]) == 0, "one class alone is pure.")


@checker("hw0-3")
def check_gain(gain):
    expect(gain([2, 0], [0, 2]) == 0.5, "weight the impurity of each side by its rows.")
'''

GINI = '''def gini(counts):
    """The Gini impurity of class counts."""
    ### BEGIN SOLUTION
    n = sum(counts)
    if n == 0:
        return 0.0
    return 1 - sum((c / n) ** 2 for c in counts)
    ### END SOLUTION'''

GAIN = '''def gain(left, right):
    """The decrease in impurity of a cut."""
    ### BEGIN SOLUTION
    both = [a + b for a, b in zip(left, right)]
    n = sum(both)
    return gini(both) - sum(left) / n * gini(left) - sum(right) / n * gini(right)
    ### END SOLUTION'''

HIDDEN = """check("{question}", {name})
### BEGIN HIDDEN TESTS
{lines}
### END HIDDEN TESTS"""

VERDICT = 'passed, why = verdict("{question}", {name})\nassert passed, why'

OPEN = """The tree is fitted to the rows that it is judged by.

**Rubric**

| points | what earns them |
|---:|---|
| 2 | the rows are named |
| 1 | what to do instead |"""


def text(source, grade_id):
    """A question."""
    return marked(new_markdown_cell(source), grade_id, locked=True)


def answer(source, grade_id):
    """A cell for the answer."""
    return marked(new_code_cell(source), grade_id, solution=True)


def graded(question, name, lines, points, part=""):
    """A test cell."""
    source = HIDDEN.format(question=question, name=name, lines=lines)
    grade_id = f"{question}-test{part}"
    return marked(new_code_cell(source), grade_id, grade=True, locked=True, points=points)


def marked(cell, grade_id, **values):
    """The cell with nbgrader's metadata."""
    cell.metadata.nbgrader = {
        "schema_version": 3,
        "grade_id": grade_id,
        "grade": False,
        "solution": False,
        "locked": False,
        "task": False,
        **values,
    }
    return cell


def notebook():
    """The source notebook of hw0: 12 points from tests and 3 by reading."""
    basics = VERDICT.format(question="hw0-2", name="gini")
    corners = 'assert gini([0, 0]) == 0, "no rows at all: impurity 0."'
    cells = [
        new_markdown_cell("# A first assignment"),
        new_code_cell("import numpy as np\n\nfrom treelab.checkers import check, verdict"),
        text("**hw0-1** (2 points) The shares of red and green in R G G G.", "hw0-1-text"),
        answer("### BEGIN SOLUTION\nshares = (0.25, 0.75)\n### END SOLUTION", "hw0-1"),
        graded("hw0-1", "shares", VERDICT.format(question="hw0-1", name="shares"), 2),
        text("**hw0-2** (6 points) Write `gini`.", "hw0-2-text"),
        answer(GINI, "hw0-2"),
        graded("hw0-2", "gini", basics, 4, "-a"),
        graded("hw0-2", "gini", corners, 2, "-b"),
        text("**hw0-3** (4 points) Write `gain`.", "hw0-3-text"),
        answer(GAIN, "hw0-3"),
        graded("hw0-3", "gain", VERDICT.format(question="hw0-3", name="gain"), 4),
        text("**hw0-4** (3 points) Why is a training error too good?", "hw0-4-text"),
        marked(new_markdown_cell(OPEN), "hw0-4", grade=True, solution=True, points=3),
    ]
    cells[3].source = "shares = ...\n" + cells[3].source
    result = new_notebook(cells=cells)
    result.metadata.kernelspec = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    for i, cell in enumerate(result.cells):
        cell.id = f"cell-{i}"
    return result


def build(folder):
    """Write the course folder with its one assignment.

    Parameters
    ----------
    folder : Path
    """
    place = folder / "source" / "hw0"
    place.mkdir(parents=True)
    nbformat.write(notebook(), place / "hw0.ipynb")
    (place / "checks_hw0.py").write_text(CHECKS, encoding="utf-8")


JUDGED = """

@checker("hw0-1")
def check_form(shares):
    expect(len(shares) == 2, "two shares are asked for.")
    judged("hw0-1", list(shares))
"""

JUDGES = '''"""Judges of hw0: the row of letters has as many R as the number says, and three G."""

from treelab.checkers import expect, own_number


def judge_shares(found):
    red = own_number() or 1
    expect(sum(found) == 1, "shares add up to 1; did you give counts?")
    expect(found == [red / (red + 3), 3 / (red + 3)], "count again: the shares are others.")


def right_gini(counts):
    n = sum(counts)
    return 1 - sum((c / n) ** 2 for c in counts) if n else 0.0


JUDGES = {"hw0-1": judge_shares}
HELPERS = {"hw0-3": {"gini": right_gini}}
'''


def build_judged(folder):
    """The course folder with an assignment whose first question has a judge and own numbers."""
    build(folder)
    place = folder / "source" / "hw0"
    head, _, rest = CHECKS.partition('\n\n@checker("hw0-1")')
    rest = rest[rest.index('\n\n@checker("hw0-2")') :]
    text = head.replace("checker, expect", "checker, expect, judged")
    (place / "checks_hw0.py").write_text(text + JUDGED + rest, encoding="utf-8")
    (place / "judges_hw0.py").write_text(JUDGES, encoding="utf-8")
