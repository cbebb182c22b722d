"""The exercises: checkers accept right answers, name typical mistakes, and nothing drifts.

The answers stand in ``tests/teaching/exercise_cases/<chapter>.py``, see ``checker_cases.py``.
"""

import math
import re
import sys
from pathlib import Path

import checker_cases
import checks_growing
import make_exercises
import nbformat
import pytest
from cases import each
from places import ROOT

from treelab.exercises import checkers

FOLDER = ROOT / "notebooks" / "exercises"
SOLUTIONS = sorted(FOLDER.glob("*_solutions.ipynb"))
CASES = checker_cases.Cases("exercise_cases")


@pytest.mark.parametrize("exercise", CASES.questions)
def test_right_answers_pass_and_typical_mistakes_get_their_hints(exercise):
    """A hole is told from a mistake, and an exercise has enough cases."""
    right, wrong = CASES.right(exercise), CASES.wrong(exercise)
    assert len(right) >= 2
    assert len(wrong) >= 3
    with checker_cases.collected() as case:
        for name, answer in right.items():
            with case(name):
                assert checkers.verdict(exercise, answer) == (True, "passed")
        for name, (answer, fragment) in wrong.items():
            with case(name):
                passed, hint = checkers.verdict(exercise, answer)
                assert not passed
                assert fragment in hint
        for name, hole in CASES.holes(exercise).items():
            with case(name):
                assert checkers.verdict(exercise, hole) == (False, "not done yet")


@each("path", SOLUTIONS, ids=lambda path: path.name)
def test_the_solutions_pass_and_have_cases(path):
    cells = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    checked = [e for c in cells for e in re.findall(r'^check\("([\w-]+)"', c.source, re.M)]
    printed = "".join(o.get("text", "") for c in cells for o in c.outputs)
    assert checked, "a solutions notebook checks its solutions"
    assert [line for line in printed.splitlines() if line.endswith(": passed")] == [
        f"{exercise}: passed" for exercise in checked
    ]
    assert set(checked) <= set(CASES.questions)


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.name)
def test_an_untouched_exercise_notebook_runs_through_and_tells_no_solution(
    path, tmp_path, monkeypatch, capsys
):
    student = nbformat.read(make_exercises.make(path, tmp_path), as_version=4)
    cells = [c for c in student.cells if c.cell_type == "code"]
    checked = [e for c in cells for e in re.findall(r'^check\("([\w-]+)"', c.source, re.M)]
    assert checked
    assert not any("SOLUTION" in c.source or c.outputs for c in cells)
    assert all(len(c.source.split("\n")) - c.source.count("\n\n") <= 15 for c in cells)
    monkeypatch.chdir(FOLDER)
    space = {"__name__": "exercises", "display": lambda *shown: None}
    for cell in cells:
        if "fetch_" in cell.source:  # real data: nbval runs the cell in the solutions
            continue
        exec(compile(re.sub(r"^[%!].*$", "", cell.source, flags=re.M), cell.id, "exec"), space)
    printed = capsys.readouterr().out
    for exercise in checked:
        assert f"{exercise}: not done yet\n" in printed


def test_a_rank_is_not_rounded_up_by_a_rounding_error():
    """0.55 * 100 is 55.00000000000001 for the computer, and the rank is still 55."""
    cells = [c for path in SOLUTIONS for c in nbformat.read(path, as_version=4).cells]
    [source] = [c.source for c in cells if "def group_margins" in c.source]
    space = {"ceil": math.ceil, "inf": math.inf}
    exec(source, space)
    found = space["group_margins"]([0] * 99, [0] * 99, range(1, 100), ["a"] * 99, 0.55)
    assert found == {"a": 55}


def test_an_exercise_notebook_that_somebody_has_worked_in_is_kept(tmp_path):
    made = make_exercises.make(SOLUTIONS[0], tmp_path)
    first = made.read_bytes()
    notebook = nbformat.read(made, as_version=4)
    code = next(cell for cell in notebook.cells if cell.cell_type == "code")
    code.outputs = [nbformat.v4.new_output("stream", text="done\n")]
    nbformat.write(notebook, made)
    assert make_exercises.make(SOLUTIONS[0], tmp_path) == made  # only run, not changed
    assert made.read_bytes() == first
    code.source += "\nanswer = 42"
    nbformat.write(notebook, made)
    kept = made.read_bytes()
    assert make_exercises.make(SOLUTIONS[0], tmp_path) is None
    assert made.read_bytes() == kept


def test_checkers_are_found_from_any_folder_or_named_with_what_to_do(monkeypatch, tmp_path):
    paths = [p for p in sys.path if p and not (Path(p) / "checks_reading.py").exists()]
    monkeypatch.setattr(sys, "path", ["", *paths])
    for module in ("checks_reading", "checks_reading_plain"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setattr(checkers, "_CHECKERS", {})
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(checkers, "_PATH", [])
        named = rf"^checks_reading\.py.*{tmp_path}.*pip install --upgrade treelab"
        with pytest.raises(ModuleNotFoundError, match=named):
            checkers.verdict("reading-3", 4)
        with pytest.raises(KeyError, match="such as 'reading-3'"):
            checkers.verdict("three", 4)
    assert checkers.verdict("reading-3", ...) == (False, "not done yet")  # a copy of the project


def test_holes_keep_what_is_outside_the_markers():
    source = "def f(x):\n    ### BEGIN SOLUTION\n    y = x\n    return y\n    ### END SOLUTION\n"
    cells = [
        nbformat.v4.new_markdown_cell("# Solutions: one\n\nOf [One](../01_one.ipynb), [x](#x)."),
        nbformat.v4.new_markdown_cell("Why.", metadata={"tags": ["solution-only"]}),
        nbformat.v4.new_code_cell(source),
    ]
    student = make_exercises.student_version(nbformat.v4.new_notebook(cells=cells))
    assert [(cell.cell_type, cell.source) for cell in student.cells] == [
        ("markdown", "# Exercises: one\n\nOf *One*, [x](#x)."),
        ("code", "def f(x):\n    ...\n"),
    ]
    broken = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("### BEGIN SOLUTION\n1")])
    with pytest.raises(ValueError, match="no partner"):
        make_exercises.student_version(broken)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_calls_are_counted_also_where_errors_are_ignored():
    class Busy:
        def __del__(self):
            for _ in range(50):
                len(())

    with pytest.raises(checks_growing.TooManyCalls):
        checks_growing.call_within(20, lambda: bool(Busy()))
