"""A course of 30 simulated students, and what each of them must get.

    python tests/teaching/grading/simulate.py SUBMISSIONS [--course notebooks/teaching/homework]
    make grade SUBMISSIONS=SUBMISSIONS OUT=OUT
    python tests/teaching/grading/simulate.py SUBMISSIONS --compare OUT

The first writes a submission of each student for each assignment, and ``expected.csv`` beside the
folder; the last says whether the points are those expected. Of a student whose notebook does harm,
what counts is *the same notebook with a plain failure in the harmful cell's place*; its points are
found by running the cells in a plain namespace, without the grader (`plain_points`).
"""

import argparse
import contextlib
import copy
import csv
import importlib
import io
import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat

ROOT = Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "notebooks" / "teaching" / "homework"), str(ROOT / "tests" / "teaching")]

from make_homework import by_reading, graded_cells, mark, release_version  # noqa: E402

LOOP = "while True:\n    pass"
STUBBORN = """while True:
    try:
        while True:
            pass
    except KeyboardInterrupt:
        continue"""
MEMORY = """held = []
while True:
    held.append(b"x" * 50_000_000)"""
EXIT = "import os\n\nos._exit(0)"
SEGFAULT = "import ctypes\n\nctypes.string_at(0)"
BIG_FILE = """with open("big", "wb") as file:
    while True:
        file.write(b"x" * 10_000_000)"""
DELETE = """import pathlib
import shutil

for place in ("..", pathlib.Path.home(), "."):
    shutil.rmtree(place, ignore_errors=True)
raise SystemExit"""
FORK = """import os
import time

for _ in range(60):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
time.sleep(60)"""
FLOOD = """while True:
    print("x" * 1000)"""
KILL = """import os
import signal

try:
    os.kill(os.getppid(), signal.SIGKILL)
except PermissionError:
    pass
os._exit(1)"""
ALWAYS = """import sys

import treelab.checkers


def verdict(exercise, answer):
    return True, "passed"


def check(exercise, answer):
    print(f"{exercise}: passed")


treelab.checkers.verdict, treelab.checkers.check = verdict, check
for name, module in list(sys.modules.items()):
    if name.startswith("checks_"):
        for register in vars(module):
            if register.startswith("check_"):
                setattr(module, register, lambda answer: None)"""
REWRITE = """import pathlib
import sys

for folder in {*sys.path, "."}:
    for path in pathlib.Path(folder).glob("checks_*.py"):
        try:
            path.write_text("from treelab import checkers\\ncheckers.expect = print\\n")
        except OSError:
            continue"""
NO_ASSERTS = """import ast


class Drop(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.copy_location(ast.Pass(), node)


get_ipython().ast_transformers.append(Drop())"""
NEVER_RUN = """shell = get_ipython()
real = shell.run_cell


def run_cell(source, *args, **kwargs):
    return real("pass", *args, **kwargs)


shell.run_cell = run_cell


async def run_cell_async(source, *args, **kwargs):
    return await type(shell).run_cell_async(shell, "pass", **kwargs)


shell.run_cell_async = run_cell_async"""
SCRIPT = "<script>alert(1)</script>"


@dataclass
class Student:
    """A notebook as handed in, and a plain one that is worth as much.

    `cells` and `plain` map the id of an answer cell to its text; an id that is missing stands for
    the untouched cell. `change` is applied to the notebook before it is written. `nothing` says
    that no test can be run: 0 points.
    """

    cells: dict = field(default_factory=dict)
    plain: dict | None = None
    change: object = None
    nothing: bool = False
    write: object = None


class Assignment:
    """A source notebook, its answers, and the right and wrong ones of its cases, if any."""

    def __init__(self, folder):
        self.folder, self.name = Path(folder), Path(folder).name
        self.source = nbformat.read(self.folder / f"{self.name}.ipynb", as_version=4)
        self.release = release_version(self.source)
        self.solutions = {
            mark(c)["grade_id"]: c.source for c in self.source.cells if mark(c).get("solution")
        }
        self.coded = [i for i in self.solutions if self.test_of(i)]
        self.manual = [mark(c)["grade_id"] for c in graded_cells(self.source) if by_reading(c)]
        for grade_id in self.manual:
            self.solutions[grade_id] = f"An answer with {SCRIPT} in it."
        if str(self.folder) not in sys.path:
            sys.path.append(str(self.folder))  # the checkers
        self.known = {}  # points of the notebooks that have been run
        try:
            self.cases = importlib.import_module(f"homework_cases.{self.name}")
        except ModuleNotFoundError:
            self.cases = None

    def test_of(self, grade_id):
        """The name that the visible check of an answer looks at; None where there is none."""
        pattern = re.compile(rf'^check\("{re.escape(grade_id)}", (\w+)\)', re.M)
        for cell in graded_cells(self.source):
            found = pattern.search(cell.source)
            if found:
                return found.group(1)
        return None

    def answer(self, grade_id, kind, number):
        """The text of an answer cell with a case of ``CORRECT`` or ``WRONG`` in it."""
        listed = getattr(self.cases, kind, {}).get(grade_id, [])
        if not listed:
            return self.solutions[grade_id] if kind == "CORRECT" else "raise ValueError('wrong')"
        pick = f"[{number % len(listed)}]" + ("" if kind == "CORRECT" else "[0]")
        code = Path(self.cases.__file__).read_text(encoding="utf-8")
        return (
            f"cases = {{'__name__': 'cases'}}\nexec({code!r}, cases)\n"
            f"{self.test_of(grade_id)} = cases[{kind!r}][{grade_id!r}]{pick}"
        )


def students(a):
    """The 30 students of an assignment.

    Parameters
    ----------
    a : Assignment

    Returns
    -------
    dict of str to Student
    """
    right = a.solutions
    middle = a.coded[len(a.coded) // 2]
    before = {i: right[i] for i in a.coded[: len(a.coded) // 2]}
    failed = {**right, middle: "raise ValueError('plain failure')"}

    def cases(kind, number, ids):
        return {**right, **{i: a.answer(i, kind, number) for i in ids}}

    def harm(source):
        return Student({**right, middle: source}, plain=failed)

    def cheat(source):
        """Wrong everywhere, and a trick in front of it all."""
        wrong = {i: "raise ValueError('wrong')" for i in a.coded}
        names = {i: f"{a.test_of(i)} = lambda *args, **kwargs: 1" for i in a.coded}
        cells = {**names, a.coded[0]: source + "\n" + names[a.coded[0]]}
        return Student(cells, plain=wrong)

    def added(notebook):
        place = index_of(notebook, middle)
        notebook.cells.insert(place, nbformat.v4.new_code_cell("helper = 7"))
        notebook.cells[place + 1].source = "assert helper == 7\n" + notebook.cells[place + 1].source

    def tests_edited(notebook):
        for cell in notebook.cells:
            if mark(cell).get("grade") and not mark(cell).get("solution"):
                cell.source = "print('passed')"
                mark(cell)["points"] = 100

    def cells_deleted(notebook):
        notebook.cells = [
            c for c in notebook.cells
            if not mark(c).get("locked") and mark(c).get("grade_id") != middle
        ]  # fmt: skip

    def doubled(notebook):
        place = index_of(notebook, middle)
        first = copy.deepcopy(notebook.cells[place])
        first.id, first.source = "a-copy", "raise ValueError('an old attempt')"
        notebook.cells.insert(place, first)

    def broken(path, notebook):
        path.write_text(nbformat.writes(notebook)[:-200], encoding="utf-8")

    def no_cells(path, notebook):
        path.write_text(json.dumps({"cells": 3, "nbformat": 4}), encoding="utf-8")

    def other_name(path, notebook):
        nbformat.write(notebook, path.with_name("my homework (1).ipynb"))

    def absent(path, notebook):
        return None

    def in_a_folder(path, notebook):
        (path.parent / a.name).mkdir()
        nbformat.write(notebook, path.parent / a.name / path.name)

    return {
        "01-right": Student(right),
        "02-right-in-another-style": Student(cases("CORRECT", 0, a.coded)),
        "03-right-in-a-third-style": Student(cases("CORRECT", 1, a.coded)),
        "04-right-with-a-cell-of-her-own": Student(right, change=added),
        "05-right-in-a-folder": Student(right, write=in_a_folder),
        "06-right-but-an-old-cell-is-left": Student(right, change=doubled),
        "07-one-mistake": Student(cases("WRONG", 0, a.coded[:1])),
        "08-another-mistake": Student(cases("WRONG", 1, [middle])),
        "09-mistakes-everywhere": Student(cases("WRONG", 2, a.coded)),
        "10-half-done": Student(before),
        "11-does-not-compile": Student({**right, middle: "def f(:"}, plain=failed),
        "12-stops-with-an-error": Student(failed),
        "13-empty": Student({}),
        "14-nothing-handed-in": Student(right, nothing=True, write=absent),
        "15-broken-file": Student(right, nothing=True, write=broken),
        "16-no-notebook": Student(right, nothing=True, write=no_cells),
        "17-wrong-name": Student(right, nothing=True, write=other_name),
        "18-loops": harm(LOOP),
        "19-loops-and-will-not-stop": harm(STUBBORN),
        "20-fills-memory": harm(MEMORY),
        "21-exits": harm(EXIT),
        "22-crashes": harm(SEGFAULT),
        "23-fills-the-disk": harm(BIG_FILE),
        "24-deletes-files": harm(DELETE),
        "25-forks": harm(FORK),
        "26-floods-the-output": harm(FLOOD),
        "27-kills-the-parent": harm(KILL),
        "28-edits-the-tests": Student(before, change=tests_edited),
        "29-deletes-cells": Student(
            right, plain={i: t for i, t in right.items() if i != middle}, change=cells_deleted
        ),
        "30-replaces-the-checkers": cheat("\n".join([ALWAYS, REWRITE])),
    }


def more_cheats(a):
    """Tricks that are found out only because tests are seen to be unable to fail.

    Parameters
    ----------
    a : Assignment

    Returns
    -------
    dict of str to Student
    """
    names = {i: f"{a.test_of(i)} = 1" for i in a.coded}
    return {
        trick: Student({**names, a.coded[0]: source + "\n" + names[a.coded[0]]}, plain={})
        for trick, source in (("drops-asserts", NO_ASSERTS), ("never-runs", NEVER_RUN))
    }


def index_of(notebook, grade_id):
    """Where the cell with an id stands."""
    return [mark(c).get("grade_id") for c in notebook.cells].index(grade_id)


def notebook_of(student, assignment):
    """The notebook that a student hands in."""
    notebook = copy.deepcopy(assignment.release)
    for cell in notebook.cells:
        if mark(cell).get("grade_id") in student.cells:
            cell.source = student.cells[mark(cell)["grade_id"]]
    if student.change:
        student.change(notebook)
    return notebook


def hand_in(folder, name, student, assignment):
    """Write a submission.

    Parameters
    ----------
    folder : Path
    name : str
    student : Student
    assignment : Assignment
    """
    place = Path(folder) / name
    place.mkdir(parents=True, exist_ok=True)
    path, notebook = place / f"{assignment.name}.ipynb", notebook_of(student, assignment)
    if student.write:
        student.write(path, notebook)
    else:
        nbformat.write(notebook, path)


def plain_points(student, assignment):
    """What a student must get from tests: the cells of the harmless version, run one by one.

    Parameters
    ----------
    student : Student
    assignment : Assignment

    Returns
    -------
    dict of str to float
        By test cell.
    """
    tests = {
        mark(c)["grade_id"]: mark(c)["points"]
        for c in graded_cells(assignment.source)
        if not by_reading(c)
    }
    if student.nothing:
        return dict.fromkeys(tests, 0)
    cells = student.cells if student.plain is None else student.plain
    key = tuple(sorted(cells.items()))
    if key not in assignment.known:
        assignment.known[key] = run_plain(cells, assignment, tests)
    return assignment.known[key]


def run_plain(cells, assignment, tests):
    """The points of the tests after these answers, by running all cells in one namespace."""
    space, points = {"__name__": "plain"}, {}
    for own, stub in zip(assignment.source.cells, assignment.release.cells, strict=True):
        if own.cell_type != "code":
            continue
        grade_id = mark(own).get("grade_id", "")
        text = own.source
        if mark(own).get("solution"):
            text = cells.get(grade_id, stub.source)
        text = re.sub(r"^[%!].*$", "", text, flags=re.M)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(text, grade_id, "exec"), space)
            passed = True
        except Exception:
            passed = False
        plt.close("all")
        if grade_id in tests:
            points[grade_id] = tests[grade_id] * passed
    return points


def compare(expected, graded):
    """Print each test whose points are not those expected; how many there are.

    Parameters
    ----------
    expected, graded : Path
        ``expected.csv`` and ``grades.csv``.

    Returns
    -------
    int
    """
    tables = []
    for path in (expected, graded):
        with open(path, encoding="utf-8") as file:
            rows = [r for r in csv.DictReader(file) if r["points"] != ""]
        tables.append(
            {(r["student"], r["assignment"], r["cell"]): float(r["points"]) for r in rows}
        )
    wrong = [key for key, points in tables[0].items() if tables[1].get(key) != points]
    for key in wrong:
        print(*key, "expected", tables[0][key], "got", tables[1].get(key))
    print(f"{len(tables[0])} tests, {len(wrong)} with other points than expected")
    return len(wrong)


def main(arguments=None):
    """The command."""
    plt.switch_backend("agg")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("submissions", type=Path)
    parser.add_argument("--course", type=Path, default=ROOT / "notebooks" / "teaching" / "homework")
    parser.add_argument("--compare", type=Path, help="a folder that the grader has written")
    given = parser.parse_args(arguments)
    path = given.submissions.with_name("expected.csv")
    if given.compare:
        return min(1, compare(path, given.compare / "grades.csv"))
    rows = []
    for folder in sorted((given.course / "source").iterdir()):
        assignment = Assignment(folder)
        for name, student in students(assignment).items():
            hand_in(given.submissions, name, student, assignment)
            points = plain_points(student, assignment)
            rows += [(name, assignment.name, cell, f"{p:g}") for cell, p in points.items()]
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("student", "assignment", "cell", "points"), *sorted(rows)])
    print(f"written: {given.submissions} and {path}, which says what each must get")
    return 0


if __name__ == "__main__":
    sys.exit(main())
