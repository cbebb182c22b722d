"""The drills: right answers pass however they are written, mistakes get their hints."""

import math

import drills
import make_exercises
import nbformat
import numpy as np
import pytest
from cases import assert_refused, each, refused
from places import ROOT
from questions import QUESTIONS

from treelab.checkers import drill

SEEDS = range(1, 13)


def test_every_question_is_the_drill_of_one_chapter():
    of_chapters = [name for names in drills.DRILLS.values() for name in names]
    assert of_chapters == list(drills.ASKED) == list(QUESTIONS)
    ids = {p.stem.removeprefix("checks_") for p in make_exercises.FOLDER.glob("checks_*.py")}
    chapters = {name.replace("_", "-") for name in ids if not name.endswith("_plain")}
    assert set(drills.DRILLS) == chapters


@each("name", drills.ASKED)
def test_all_numbers_of_a_drill_ask_the_same(name):
    """So that the cells of the exercise notebook fit every seed."""
    sets = [drills.parts(name, seed) for seed in SEEDS]
    assert len({tuple((part.name, part.choices) for part in asked) for asked in sets}) == 1
    names = [part.name for part in sets[0]]
    assert 3 <= len(names) == len(set(names))
    for part in (part for asked in sets for part in asked):
        assert part.right in part.choices if part.choices else isinstance(part.right, float)
    assert len({tuple(part.right for part in asked) for asked in sets}) >= 5


@each("name", drills.ASKED)
def test_the_page_has_twelve_different_sets_of_numbers(name):
    seeds = drills.seeds(name)
    assert seeds[0] == 1
    assert len(seeds) == len({drills.ask(name, seed).text for seed in seeds}) == 12


@each("name", drills.ASKED)
def test_the_key_shows_what_is_right(name):
    """Of at least half of the parts the number, as it is rounded, stands in the key."""
    for seed in SEEDS:
        key = drills.ask(name, seed).key
        numbers = [part.right for part in drills.parts(name, seed) if not part.choices]
        found = [f"{x:.3f}" in key or f" {x:g}" in key for x in numbers]
        assert sum(found) >= len(found) / 2, key


@each("name", drills.ASKED)
def test_mistakes_get_their_hints_and_are_never_right(name):
    for part in (part for seed in SEEDS for part in drills.parts(name, seed)):
        for wrong, hint in part.mistakes:
            assert abs(wrong - part.right) > part.tolerance
            right, said = drills.judge(part, repr(wrong))
            assert right is False
            assert said in {h for _, h in part.mistakes}
            assert hint.endswith(".")


def test_a_leaf_under_absolute_error_is_no_mean_and_no_sign():
    seen = set()
    for part in (part for seed in SEEDS for part in drills.parts("gradient-boosting", seed)):
        hints = {hint.split(";")[0] for _, hint in part.mistakes if "y - F" in hint}
        assert "leaf value, absolute" in part.name or not hints
        seen |= hints
    assert seen == {"That is the mean of y - F", "That is the mean of the signs"}


@each(
    ("typed", "value"),
    [
        ("0.25", 0.25), ("0,25", 0.25), (" .25 ", 0.25), ("1/4", 0.25), ("1 / 4", 0.25),
        ("0,5/2", 0.25), ("\u22120.5", -0.5), ("-1/2", -0.5), (2, 2.0), (0.5, 0.5), ("3e-1", 0.3),
        ("", None), ("abc", None), ("1/0", None), ("1/2/3", None), ("/3", None), ("1/", None),
        ("nan", None), ("inf", None), ([1], None), (None, None),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(typed, value):
    assert drills.read(typed) == (None if value is None else pytest.approx(value))


SETS = "a", "a, b", "a, c", "a, b, c"
JUDGED = [  # the part, and what is typed, by what is said: True, False, None, or a hint
    (drills.number("gain", 0.12345, (0.5, "That is the sum.")), {
        True: (0.123, "0,1244"), False: (0.515, 0.3), None: (..., None, "", "  "),
        drills.SHORT: (0.12,), drills.NEAR: (0.125,), drills.SIGN: (-0.12345,),
        "That is the sum.": (0.5, 0.508), "This is not a number.": ("a few",)}),
    (drills.whole("threshold", 4.5), {True: ("9/2",), False: (4.499, 4.5001, 4.4)}),
    (drills.number("gain", 0.022, (0.022 * math.log(2), drills.NATS)), {
        False: (0,), drills.SHORT: (0.02,), drills.NATS: (0.015,)}),
    (drills.number("start", 13.0), {  # 12.5 is another number, not 13 rounded too soon
        False: (12.5,), drills.NEAR: (12.9,)}),
    (drills.choice("takes", "first", "first", "second"), {True: (" First ",), False: ("second",)}),
    (drills.choice("CFS prefers", "a, c", *SETS), {
        True: ("a, c", "{a, c}", "[a, c]", "c,a", ["a", "c"], ("c", "a"), {"a", "c"}, "{'c', 'a'}"),
        False: ("a", "{a}", "a, b, c")}),
    (drills.choice("CFS prefers", "a", *SETS), {True: ("{a}", ["a"]), False: ("{a, c}", "c,a")}),
    (drills.choice("a is kept", "yes", "yes", "no"), {
        True: (True, np.True_, "True", "yes", "Yes "), False: (False, np.False_, "false", "no")}),
    (drills.choice("a is kept", "no", "yes", "no"), {
        False: (True, np.True_, "True", "yes", "Yes "), True: (False, np.False_, "false", "no")}),
    (drills.choice("vote", "1", "0", "1"), {False: (True,)}),
]  # fmt: skip


@each(("part", "by_what_is_said"), JUDGED)
def test_answers_are_judged_however_they_are_written(part, by_what_is_said):
    for said, typed in by_what_is_said.items():
        for answer in typed:
            judged = (False, said) if isinstance(said, str) else (said, "")
            assert drills.judge(part, answer) == judged, answer


@each("name", drills.ASKED)
def test_no_number_is_so_small_that_rounding_hides_it(name):
    """Ten times the tolerance at least, unless it is 0; and no mistake looks like it."""
    numbers = [p for s in drills.seeds(name) for p in drills.parts(name, s) if not p.choices]
    for part in numbers:
        assert abs(part.right) < 1e-9 or abs(part.right) > 10 * part.tolerance
        assert drills.judge(part, 0)[1] != drills.SHORT
        for wrong, _ in part.mistakes:
            assert drills.judge(part, round(part.right, 3)) == (True, "")
            assert drills.judge(part, round(part.right, 2))[1] in ("", drills.SHORT)
            assert drills.judge(part, f"{wrong:.3f}")[0] is False


def test_the_drill_of_boosting_says_which_median():
    for seed in SEEDS:
        question = drills.ask("gradient-boosting", seed)
        assert "mean of the two in the middle" in question.text
        parts = {part.name: part for part in drills.parts("gradient-boosting", seed)}
        ranked = sorted(question.given["y"])
        right = parts["start, absolute"].right
        assert right == (ranked[2] + ranked[3]) / 2
        for start in ranked[2:4]:
            assert drills.judge(parts["start, absolute"], start) == (False, drills.MIDDLE)
            for side in ("left", "right"):
                part = parts[f"{side} leaf value, absolute"]
                passed, hint = drills.judge(part, part.right + right - start)
                assert not passed
                assert hint != drills.NEAR


@each("case", refused("drills"), ids=str)
def test_what_there_is_not_is_refused(case):
    assert_refused(case, globals())


def test_choices_that_hold_commas_are_told_apart():
    assert "`CFS prefers`: a; a, b; a, c; a, b, c" in repr(drill("merit-of-sets", 1))


def test_total_gains_are_recognized_however_they_were_rounded():
    for part in (p for s in SEEDS for p in drills.parts("impurity", s) if p.mistakes):
        for wrong in (w for w, hint in part.mistakes if "total gain" in hint):
            if wrong > 0.5:
                said = {drills.judge(part, f"{wrong + off:.2f}")[1] for off in (-0.004, 0.004)}
                assert said <= {h for _, h in part.mistakes}


def test_a_drill_in_a_notebook(capsys):
    shown = drill("impurity", 1)
    assert drills.ask("impurity", 1).text in shown._repr_markdown_()
    assert repr(shown) == shown._repr_markdown_()
    asked = drills.parts("impurity", 1)
    assert all(f"`{part.name}`" in repr(shown) for part in asked)
    right = {part.name: part.right for part in asked}
    assert drill("impurity", 1, right) is None
    told = capsys.readouterr().out.splitlines()
    assert told == [f"{part.name}: right" for part in asked] + ["9 of 9 right."]
    drill("impurity", 1, {"Gini, first": asked[2].mistakes[0][0], "Gini takes": ...})
    told = capsys.readouterr().out.splitlines()
    assert told[2] == f"Gini, first: wrong. {asked[2].mistakes[0][1]}"
    assert told[0] == "error rate, first: not done yet"
    assert told[-1] == "0 of 9 right."


@each("chapter", drills.DRILLS)
def test_the_exercise_notebook_has_the_drills_with_holes(chapter, tmp_path, capsys):
    mark = f'check("{chapter}-'
    [path] = [
        p for p in make_exercises.FOLDER.glob("*_solutions.ipynb")
        if mark in nbformat.read(p, as_version=4).cells[-1].source
        or any(c.source.startswith(mark) for c in nbformat.read(p, as_version=4).cells)
    ]  # fmt: skip
    cells = nbformat.read(make_exercises.make(path, tmp_path), as_version=4).cells
    code = [c.source for c in cells if c.cell_type == "code" and "drill(" in c.source]
    names = drills.DRILLS[chapter]
    assert len(code) == 2 * len(names)
    space = {}
    for k, name in enumerate(names):
        for source in code[2 * k : 2 * k + 2]:
            exec(source, space)
        told = capsys.readouterr().out.splitlines()
        wanted = [f"{part.name}: not done yet" for part in drills.parts(name, 1)]
        assert told == [*wanted, f"0 of {len(wanted)} right."]


def test_a_chapter_without_exercises_has_no_drills():
    empty = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1")])
    assert make_exercises.drill_cells(empty) == []
    assert (ROOT / "notebooks" / "exercises").is_dir()
