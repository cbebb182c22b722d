"""A course of simulated students, and what each of them must get.

    python tests/teaching/grading/simulate.py FOLDER [--assignments hw1 hw2]

writes what each student hands in for each assignment. It grades this in a course folder, enters
points for the open answers as the form grader does, grades again, and says whether points and
totals are those expected. Of a student whose
notebook does harm, what counts is *the same notebook with a plain failure in the harmful cell's
place*; its points are found by running the cells in a plain namespace, without the grader
(`plain_points`). Each student has a number of their own, every third one 0.
"""

import argparse
import contextlib
import copy
import csv
import importlib
import inspect
import io
import os
import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import matplotlib.pyplot as plt
import nbformat

ROOT = Path(__file__).resolve().parents[3]
sys.path += [str(ROOT / "notebooks" / "teaching" / "homework"), str(ROOT / "tests" / "teaching")]

import grade  # noqa: E402
from grader import kernel  # noqa: E402
from make_homework import assignments, by_reading, graded_cells, mark, release_version  # noqa: E402

from treelab.exercises import checkers  # noqa: E402

LOOP = "while True:\n    pass"
STUBBORN = """while True:
    try:
        while True:
            pass
    except KeyboardInterrupt:
        continue"""
# Zeros that are never read take no time, however slow the machine.
MEMORY = """held = []
while True:
    held.append(bytes(50_000_000))"""
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


for module in (treelab.checkers, sys.modules["treelab.exercises.checkers"]):
    module.verdict, module.check = verdict, check
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
THREAD = """import sys
import threading
import time


def patch():
    while True:
        for name, module in list(sys.modules.items()):
            if name.startswith("checks_") or name.endswith(".checkers"):
                module.expect = lambda condition, hint: None
        time.sleep(0.0005)


threading.Thread(target=patch, daemon=True).start()"""
HOOK = """import importlib.abc
import importlib.machinery
import sys


class Patching(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec and (name.startswith("checks_") or name.endswith(".checkers")):
            load = spec.loader.exec_module

            def exec_module(module):
                load(module)
                module.expect = lambda condition, hint: None
                module.verdict = lambda exercise, answer: (True, "passed")

            spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, Patching())"""
IMPORT = """import importlib

real = importlib.import_module


def import_module(name, package=None):
    module = real(name, package)
    if name.startswith("checks_") or name.endswith(".checkers"):
        module.expect = lambda condition, hint: None
        module.verdict = lambda exercise, answer: (True, "passed")
    return module


importlib.import_module = import_module"""
# What a notebook tries; `places` says where things are that are none of its business.
TRY = """import ctypes
import json
import os
import pathlib
import socket
import subprocess
import sys

import treelab

places = {places}
tried = {{}}


def attempt(name, action):
    try:
        tried[name] = repr(action())[:300]
    except BaseException as error:
        tried[name] = "refused: " + type(error).__name__


def connect(kind, where):
    with socket.socket(kind) as tried:
        tried.settimeout(1)
        tried.connect(where)


def call(function, *arguments):
    if getattr(ctypes.CDLL(None), function)(*arguments) != 0:
        raise OSError


def fill():
    filled, size = [], 0
    here = pathlib.Path.cwd()
    some = [here, *here.parents, pathlib.Path(sys.prefix), pathlib.Path(treelab.__file__).parent]
    some += [*pathlib.Path("/").glob("*"), *pathlib.Path("/dev").glob("*")]
    for path in [folder / f"filled{{k}}" for folder in dict.fromkeys(some) for k in range(9)]:
        try:
            with open(path, "wb") as file:
                filled.append(path.parent == here)
                while True:
                    size += file.write(b"x" * 1_000_000)
        except OSError:
            continue
    for path in here.glob("filled*"):
        path.unlink()
    return filled, size // 10**7


place = places["folder"]
attempt("read", lambda: open(place + "/secret").read())
attempt("list", lambda: os.listdir(place))
attempt("write", lambda: open(place + "/written", "w"))
for name, path in (("secret", place + "/secret"), ("treelab", treelab.__file__),
                   ("python", sys.executable), ("root", "/"), ("checks", os.path.realpath(
                       next(iter(pathlib.Path().glob("checks_*.py")))))):
    attempt("chmod " + name, lambda: os.chmod(path, 0o777))
    attempt("chown " + name, lambda: os.chown(path, 1, 1))
    attempt("write " + name, lambda: open(path, "a"))
attempt("tcp", lambda: connect(socket.AF_INET, ("127.0.0.1", places["port"])))
attempt("unix", lambda: connect(socket.AF_UNIX, place + "/socket"))
attempt("abstract", lambda: connect(socket.AF_UNIX, "\\0" + place[1:]))
attempt("kill", lambda: os.kill(places["pid"], 0))
attempt("namespace", lambda: call("unshare", 0x10000000))
attempt("mount", lambda: call("mount", b"none", b"/usr", b"tmpfs", 0, None))
attempt("kernel", lambda: open("/proc/sys/kernel/core_pattern", "a"))
attempt("memory", lambda: open("/proc/" + str(places["pid"]) + "/mem", "rb"))
attempt("program", lambda: subprocess.run([places["program"]]))
attempt("parent", lambda: open(f"/proc/{{os.getppid()}}/mem", "rb"))
for number in (1, os.getppid()):
    attempt(f"lines {{number}}", lambda: open(f"/proc/{{number}}/fd/1", "a"))
    attempt(f"requests {{number}}", lambda: open(f"/proc/{{number}}/fd/0"))
environments = []
for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
    try:
        environments.append(path.read_text(errors="replace"))
    except PermissionError:
        continue
tried["environment"] = [len(environments) > 0, any("SECRET" in e for e in environments)]
tried["own"] = sorted(os.environ)
tried["processes"] = len(list(pathlib.Path("/proc").glob("[0-9]*")))
tried["fill"] = fill()
print(json.dumps(tried))"""
SCRIPT = "<script>alert(1)</script>"


@dataclass
class Student:
    """A notebook as handed in, and a plain one that is worth as much.

    `cells` and `plain` map the id of an answer cell to its text; an id that is missing stands for
    the untouched cell. `change` is applied to the notebook before it is written, and `write` says
    of its path and text which files, by path, are handed in. `nothing` says that no test can be
    run: 0 points. `number` is what the student typed as theirs.
    """

    cells: dict = field(default_factory=dict)
    plain: dict | None = None
    change: object = None
    nothing: bool = False
    write: object = None
    number: int = 0


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
            self.given = getattr(importlib.import_module(f"checks_{self.name}"), "given", None)
        except ModuleNotFoundError:
            self.cases = self.given = None

    def test_of(self, grade_id):
        """The name that the visible check of an answer looks at; None where there is none."""
        pattern = re.compile(rf'^check\("{re.escape(grade_id)}", (\w+)\)', re.M)
        for cell in graded_cells(self.source):
            found = pattern.search(cell.source)
            if found:
                return found.group(1)
        return None

    def by_number(self, cells):
        """Answers in which those by hand that are right for the number 0 are right for any."""
        right = self.cases.by_hand(self.given(0)) if self.given else {}
        return {
            grade_id: self.from_cases(f"by_hand'](given(NUMBER))[{grade_id!r}][0]", grade_id)
            if grade_id in right and text == self.solutions[grade_id]
            else text
            for grade_id, text in cells.items()
        }

    def from_cases(self, pick, grade_id):
        """The text of an answer cell that takes its answer from the cases."""
        code = Path(self.cases.__file__).read_text(encoding="utf-8")
        return (
            f"cases = {{'__name__': 'cases'}}\nexec({code!r}, cases)\n"
            f"{self.test_of(grade_id)} = cases['{pick}"
        )

    def answer(self, grade_id, kind, number):
        """The text of an answer cell with a case of ``CORRECT`` or ``WRONG`` in it."""
        listed = getattr(self.cases, kind, {}).get(grade_id, [])
        if not listed:
            return self.solutions[grade_id] if kind == "CORRECT" else "raise ValueError('wrong')"
        pick = f"[{number % len(listed)}]" + ("" if kind == "CORRECT" else "[0]")
        return self.from_cases(f"{kind}'][{grade_id!r}]{pick}", grade_id)


def students(a):
    """The students of an assignment, by name."""
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

    def cells_added(notebook):
        """A cell of her own, which her answer needs, after one that was copied and is left."""
        place = index_of(notebook, middle)
        old = copy.deepcopy(notebook.cells[place])
        old.id, old.source = "a-copy", "raise ValueError('an old attempt')"
        notebook.cells[place].source = "assert helper == 7\n" + notebook.cells[place].source
        notebook.cells[place:place] = [old, nbformat.v4.new_code_cell("helper = 7")]

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

    return {
        "01-right": Student(right),
        "02-right-in-another-style": Student(cases("CORRECT", 0, a.coded)),
        "03-right-in-a-third-style": Student(cases("CORRECT", 1, a.coded)),
        "04-right-with-more-cells": Student(right, change=cells_added),
        "05-right-in-a-folder-but-leaves-threads": Student(
            right,
            change=add(2, LEFT, "raise KeyboardInterrupt"),
            write=lambda p, t: {p.parent / a.name / p.name: t},
        ),
        "07-one-mistake": Student(cases("WRONG", 0, a.coded[:1])),
        "08-another-mistake": Student(cases("WRONG", 1, [middle])),
        "09-mistakes-everywhere": Student(cases("WRONG", 2, a.coded)),
        "10-half-done": Student(before),
        "11-does-not-compile": Student({**right, middle: "def f(:"}, plain=failed),
        "12-stops-with-an-error": Student(failed),
        "13-empty": Student({}),
        "14-nothing-handed-in": Student(right, nothing=True, write=lambda p, t: {}),
        "15-broken-file": Student(right, nothing=True, write=lambda p, t: {p: t[:-200]}),
        "16-no-notebook": Student(
            right, nothing=True, write=lambda p, t: {p: '{"cells": 3, "nbformat": 4}'}
        ),
        "17-wrong-name": Student(
            right, nothing=True, write=lambda p, t: {p.with_name("my homework (1).ipynb"): t}
        ),
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


def add(place, *sources):
    """A change that puts cells before the one at a place."""

    def change(notebook):
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        notebook.cells[place:place] = cells

    return change


def cheats(a):
    """Wrong answers of the right form after a trick that lets every test pass, by name."""
    spoil = "import contextlib\nimport functools\n\n" + inspect.getsource(kernel.spoil)
    tricks = {"drops-asserts": NO_ASSERTS, "never-runs": NEVER_RUN, "patches-by-a-thread": THREAD,
              "patches-by-a-hook": HOOK, "patches-the-import": IMPORT}  # fmt: skip
    found = {}
    for name, trick in tricks.items():
        cells = {i: f"{a.solutions[i]}\n{a.test_of(i)} = spoil({a.test_of(i)})" for i in a.coded}
        cells[a.coded[0]] = f"{trick}\n{spoil}\n{cells[a.coded[0]]}"
        found[name] = Student(cells, plain=dict.fromkeys(a.coded, "raise ValueError('wrong')"))
    return found


def attacks(a, places):
    """Right answers in notebooks that do what none should, by name."""
    right = a.solutions
    one, last = len(a.release.cells) - 1, index_of(a.release, a.coded[-1])
    return {
        "exits": Student(right, change=add(2, EXIT, "exit()", "quit()", "import sys\nsys.exit(0)")),
        "exits-late": Student(right, change=add(one, EXIT, "exit()")),
        "tries-everything": Student(right, change=add(2, TRY.format(places=places))),
        "writes-to-stderr": Student(right, change=add(last, "import warnings\nwarnings.warn('!')")),
    }


LEFT = """import subprocess
import threading
import time

subprocess.Popen(["sleep", "60"], start_new_session=True)
threading.Thread(target=time.sleep, args=[60]).start()"""


def index_of(notebook, grade_id):
    """Where the cell with an id stands."""
    return [mark(c).get("grade_id") for c in notebook.cells].index(grade_id)


def notebook_of(student, assignment):
    """The notebook that a student hands in."""
    notebook, answers = copy.deepcopy(assignment.release), assignment.by_number(student.cells)
    for cell in notebook.cells:
        cell.source = typed(cell.source, student.number)
        if mark(cell).get("grade_id") in answers:
            cell.source = answers[mark(cell)["grade_id"]]
    if student.change:
        student.change(notebook)
    return notebook


def typed(source, number):
    """A cell into which a student has typed the number."""
    return re.sub("^NUMBER = 0 ", f"NUMBER = {number} ", source, flags=re.M)


def hand_in(folder, name, student, assignment):
    """Write a submission."""
    place = Path(folder) / name
    place.mkdir(parents=True, exist_ok=True)
    path, notebook = place / f"{assignment.name}.ipynb", notebook_of(student, assignment)
    files = {path: nbformat.writes(notebook)}
    for file, text in (student.write(*files.popitem()) if student.write else files).items():
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")


def plain_points(student, assignment):
    """What a student must get, by test cell: those of the harmless version, run one by one."""
    tests = {
        mark(c)["grade_id"]: mark(c)["points"]
        for c in graded_cells(assignment.source)
        if not by_reading(c)
    }
    if student.nothing:
        return dict.fromkeys(tests, 0)
    cells = student.cells if student.plain is None else student.plain
    cells, number = assignment.by_number(cells), student.number
    key = number, *sorted(cells.items())
    if key not in assignment.known:
        with mock.patch.object(checkers, "_NUMBER", number):
            assignment.known[key] = run_plain(cells, assignment, tests, number)
    return assignment.known[key]


def run_plain(cells, assignment, tests, number):
    """The points of the tests after these answers, by running all cells in one namespace."""
    space, points = {"__name__": "plain"}, {}
    for own, stub in zip(assignment.source.cells, assignment.release.cells, strict=True):
        if own.cell_type != "code":
            continue
        grade_id = mark(own).get("grade_id", "")
        text = typed(own.source, number)
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


def enter_points(course):
    """Enter points for open answers as the form grader does; by student, assignment and cell."""
    entered = {}
    with course.gradebook() as book:
        for name in course.names:
            for submission in book.assignment_submissions(name):
                for row in submission.notebooks[0].grades:
                    who = submission.student_id
                    if row.needs_manual_grade:
                        row.manual_score = sum(map(ord, who)) % (row.max_score + 1)
                        row.needs_manual_grade = False
                        entered[who, name, row.name] = row.manual_score
        book.db.commit()
    return entered


def compare(expected, course):
    """Print each cell and total that is not as expected; how many there are."""
    with grade.Course(course).gradebook() as book:
        handed = (s for a in book.assignments for s in book.assignment_submissions(a.name))
        got = {(s.student_id, s.name, own.name): own.score
               for s in handed for own in s.notebooks[0].grades}  # fmt: skip
    with open(course / "exports" / "final.csv", encoding="utf-8") as file:
        final = {(r["student"], "all", "total"): float(r["total"]) for r in csv.DictReader(file)}
    totals = dict.fromkeys(final, 0)
    for (who, *_), points in expected.items():
        totals[who, "all", "total"] = totals.get((who, "all", "total"), 0) + points
    wanted, found = {**expected, **totals}, {**got, **final}
    wrong = [key for key in {**wanted, **found} if found.get(key, 0) != wanted.get(key, 0)]
    for key in wrong:
        print(*key, "expected", wanted.get(key, 0), "got", found.get(key, 0))
    print(f"{len(expected)} cells and {len(totals)} totals, {len(wrong)} other than expected")
    return len(wrong)


def main(arguments=None):
    """The command."""
    plt.switch_backend("agg")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--assignments", nargs="*", help="these alone")
    given = parser.parse_args(arguments)
    source = ROOT / "notebooks" / "teaching" / "homework" / "source"
    kept = [source / name for name in given.assignments or assignments()]
    course, expected = given.folder / "course", {}
    for place in kept:
        shutil.copytree(place, course / "source" / place.name)
    places = {"folder": str(given.folder), "port": 22, "pid": os.getpid(), "program": "/bin/su"}
    for place in kept:
        a = Assignment(course / "source" / place.name)
        everybody = {**students(a), **cheats(a), **attacks(a, places)}
        for k, (name, student) in enumerate(everybody.items()):
            student.number = k * (k % 3 > 0)
            hand_in(given.folder / "handed", name, student, a)
            own = plain_points(student, a)
            expected |= {(name, a.name, cell): points for cell, points in own.items()}
    lines = [f"{name},{student.number}\n" for name, student in everybody.items()]
    (course / "numbers.csv").write_text("student,number\n" + "".join(lines), encoding="utf-8")
    command = [str(given.folder / "handed"), "--course", str(course)]
    grade.main(command)
    expected |= enter_points(grade.Course(course))
    grade.main(command)
    grade.main([*command[1:], "--feedback"])
    return min(1, compare(expected, course))


if __name__ == "__main__":
    sys.exit(main())
