"""Grading: simulated students get what they must, whatever their notebooks do, and nothing is lost.

The assignment is a small one (``grading/tiny.py``); the students are those of
``grading/simulate.py``, which also takes them through the real assignments.
"""

import contextlib
import csv
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import tomllib
import urllib.request
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import grade
import make_homework
import nbformat
import numpy as np
import pytest
from cases import each
from grader import exchange, kernel, sandbox
from grading import simulate, tiny
from nbformat.v4 import new_code_cell
from nbgrader.preprocessors import SaveAutoGrades
from scipy.sparse import csr_array

import treelab
import treelab.checkers

pytestmark = pytest.mark.timeout(3000)  # a busy machine grades slowly

# By hand, from the points of the three questions (2, 4 + 2, 4) and what the students do.
POINTS = {
    **{name: 12 for name in ("01", "04", "05")},
    **{"07": 10, "09": 0, "10": 2, "11": 2, "12": 2},
    **{name: 0 for name in ("13", "14", "15", "16", "17", "30")},
    **{str(number): 2 for number in range(18, 30)},  # one question right, and nothing after it
}
# Without cases of right and wrong answers these do what 01 and 12 do.
SAME = {"02-right-in-another-style", "03-right-in-a-third-style", "08-another-mistake"}
SAME |= {"writes-to-stderr"}
LIMITS = """
c.Sandboxed.cell, c.Sandboxed.notebook = 2, 90
c.Sandboxed.memory, c.Sandboxed.file, c.Sandboxed.disk = 1500, 20, 60
"""
# These end as others do; in `make test-all` they are graded, too.
ALIKE = {"09-mistakes-everywhere", "11-does-not-compile", "22-crashes", "26-floods-the-output"}
ALIKE |= {"exits-late"}


def digest(folder):
    """Every file below a folder, and a hash of what is in it."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }


class Classroom:
    """A course folder with the small assignment, and what is handed in."""

    def __init__(self, folder):
        self.root, self.place = folder / "course", folder / "in"

    def begin(self, settings=LIMITS):
        """Make the course folder."""
        if not shutil.which("bwrap") and os.environ.get("CI") != "true":
            pytest.skip("bubblewrap is not installed")
        tiny.build(self.root)
        text = grade.SETTINGS.format(str(make_homework.FOLDER)) + settings
        (self.root / "nbgrader_config.py").write_text(text, encoding="utf-8")
        return self

    @property
    def assignment(self):
        """The small assignment."""
        return simulate.Assignment(self.root / "source" / "hw0")

    def hand_in(self, name, student="01-right"):
        """Hand in the notebook of one of the simulated students."""
        a = self.assignment
        simulate.hand_in(self.place, name, simulate.students(a)[student], a)
        return self.place / name / "hw0.ipynb"

    def grade(self, *options, place=None):
        """Run the command."""
        return grade.main([str(place or self.place), "--course", str(self.root), *options])

    def feedback(self):
        """Write the feedback pages and the tables."""
        return grade.main(["--course", str(self.root), "--feedback"])

    def cells(self):
        """What nbgrader's gradebook says of each graded cell, and what the notebook says."""
        found, course = {}, grade.Course(self.root)
        with course.gradebook() as book:
            for submission in book.assignment_submissions("hw0"):
                who = submission.student_id
                notebook = nbformat.read(course.path("autograded", who, "hw0"), as_version=4)
                said = {make_homework.mark(c).get("grade_id"): c.metadata.get("treelab", {})
                        for c in notebook.cells}  # fmt: skip
                for own in submission.notebooks[0].grades:
                    by_hand, waits = own.manual_score is not None, own.needs_manual_grade
                    status = "changed since" if by_hand and waits else "by hand" if by_hand else ""
                    found[who, own.name] = {
                        "points": "" if waits and not by_hand else f"{own.score:g}",
                        "status": status or ("to be read" if waits else ""),
                        "message": said[own.name].get("message", ""),
                    }
        return found

    def table(self, name, by):
        """The lines of a table."""
        with open(self.root / "exports" / f"{name}.csv", encoding="utf-8", newline="") as file:
            return {tuple(row.get(key) for key in by): row for row in csv.DictReader(file)}

    def note(self, who):
        """What is noted about a student or file."""
        return self.table("notes", ["student"]).get((who,), {"notes": ""})["notes"]

    def page(self, who):
        """The feedback of a student."""
        return (self.root / "feedback" / who / "hw0" / "hw0.html").read_text(encoding="utf-8")

    def refuse(self, capsys, *options):
        """Run the command, which must grade nothing; what it says."""
        with pytest.raises(SystemExit):
            self.grade(*options)
        return capsys.readouterr().err

    def due(self):
        """Say when the work is due."""
        with grade.Course(self.root).gradebook() as book:
            book.update_or_create_assignment("hw0", duedate="2027-03-01 12:00:00 UTC")

    def enter(self, who, cell, points):
        """Give points as the form grader does."""
        with grade.Course(self.root).gradebook() as book:
            found = book.find_grade(cell, "hw0", "hw0", who)
            found.manual_score, found.needs_manual_grade = points, False
            book.db.commit()


def light(folder, patch):
    """Give the sandbox a treelab that has the checkers alone, so that it starts soon."""
    place = folder / "light" / "treelab"
    place.mkdir(parents=True)
    (place / "__init__.py").touch()
    shutil.copy(treelab.checkers.__file__, place)
    shutil.copytree(
        Path(treelab.exercises.__file__).parent,
        place / "exercises",
        ignore=lambda folder, names: set(names) - {"__init__.py", "checkers.py"},
    )
    own = SimpleNamespace(__file__=str(place / "__init__.py"), __path__=[str(place)])
    patch.setattr(sandbox, "treelab", own)
    source, seconds = sandbox.START
    alone = source.replace("matplotlib.pyplot, treelab.checkers, treelab.drawing, treelab.fast",
                           "treelab.checkers")  # fmt: skip
    assert alone != source
    patch.setattr(sandbox, "START", (alone, seconds))


@contextlib.contextmanager
def neighbors(folder):
    """What a notebook must not reach: a file, a port, two sockets and a process of the grader."""
    folder.mkdir(exist_ok=True)
    (folder / "secret").write_text("the solutions", encoding="utf-8")
    program = folder / "program"
    program.write_text("#!/bin/sh\necho run", encoding="utf-8")
    program.chmod(0o755)
    with contextlib.ExitStack() as stack:
        port, plain, abstract = (
            stack.enter_context(socket.socket(kind))
            for kind in (socket.AF_INET, socket.AF_UNIX, socket.AF_UNIX)
        )
        short = Path("/tmp") / f"s{os.getpid()}"  # a socket's path may have 107 letters
        short.symlink_to(folder)
        stack.callback(short.unlink)
        port.bind(("127.0.0.1", 0))
        plain.bind(f"{short}/socket")
        abstract.bind("\0" + str(short)[1:])
        for one in (port, plain, abstract):
            one.listen()
        place, number = str(short), port.getsockname()[1]
        yield {"folder": place, "port": number, "pid": os.getpid(), "program": str(program)}


@pytest.fixture(scope="module", params=["some", pytest.param("all", marks=pytest.mark.whole)])
def course(request, tmp_path_factory):
    """A course of the simulated students, cheats and attacks that has been graded once."""
    room = Classroom(tmp_path_factory.mktemp("room")).begin()
    with neighbors(room.root.parent / "neighbors") as places, pytest.MonkeyPatch.context() as patch:
        a = room.assignment
        everybody = {**simulate.students(a), **simulate.attacks(a, places), **simulate.cheats(a)}
        left_out = SAME | (ALIKE if request.param == "some" else set())
        room.students = {name: everybody[name] for name in everybody if name not in left_out}
        light(room.root.parent, patch)
        for name, student in room.students.items():
            simulate.hand_in(room.place, name, student, a)
        (room.place / "readme.txt").write_text("no student", encoding="utf-8")
        before, scratch = digest(room.place), tmp_path_factory.mktemp("s")
        modes = {path: path.stat().st_mode for path in (Path(sys.executable), room.root)}
        patch.setattr(sandbox.tempfile, "tempdir", str(scratch))
        patch.setenv("SECRET_OF_THE_TEACHER", "SECRET")
        room.grade()
        room.feedback()
        room.left = [*scratch.iterdir(), *(room.root.parent / "neighbors").glob("written")]
    room.untouched = digest(room.place) == before
    room.same_modes = all(path.stat().st_mode == mode for path, mode in modes.items())
    return room


def test_students_get_what_they_must(course):
    rows, got = course.cells(), defaultdict(float)
    for (who, cell), row in rows.items():
        got[who] += float(row["points"]) if "-test" in cell else 0
    found = {who[:2]: got[who] for who in course.students if who[:2] in POINTS}
    assert found == {number: POINTS[number] for number in found}
    assert len(found) > 20
    for who, student in course.students.items():
        for cell, points in simulate.plain_points(student, course.assignment).items():
            assert float(rows.get((who, cell), {"points": 0})["points"]) == points, (who, cell)


def test_nothing_is_changed_and_nothing_is_left(course):
    assert course.untouched
    assert course.same_modes
    assert not course.left
    assert course.note("readme.txt") == "this is no student's folder, and is left out"
    assert {who for (who,) in course.table("final", ["student"])} == set(course.students)
    graded = {who for who, _ in course.cells()}
    assert len(list((course.root / "feedback").glob("*/hw0/hw0.html"))) == len(graded)
    assert set(course.students) - graded == {
        "14-nothing-handed-in", "15-broken-file", "16-no-notebook", "17-wrong-name"
    }  # fmt: skip


REASONS = {
    "18-loops": "ran for more than 2 seconds",
    "19-loops-and-will-not-stop": "ended the run: the cell did not end when it was interrupted",
    "20-fills-memory": "MemoryError",
    "21-exits": "the process ended",
    "22-crashes": "the process ended",
    "23-fills-the-disk": "File too large",
    "24-deletes-files": "SystemExit",
    "25-forks": "this cell ended the run: more than ",  # 24 processes or 1500 MB
    "26-floods-the-output": "ran for more than 2 seconds",
    "27-kills-the-parent": "the process ended",
    "patches-the-import": "this test could not have failed",
}
NOTES = {
    "15-broken-file": "hw0 cannot be read, and what was there counts (NotJSONError",
    "16-no-notebook": "hw0 cannot be read, and what was there counts (TypeError",
    "17-wrong-name": "my homework (1).ipynb has not the name of an assignment (hw0.ipynb)",
    "28-edits-the-tests": "the cell hw0-1-test was edited",
    "29-deletes-cells": "the cell hw0-2 is missing",
    "never-runs": "a test passes with a wrong answer, too",
    "patches-by-a-hook": "a test passes with a wrong answer, too",
    "patches-the-import": "a test passes with a wrong answer, too",
}


@each("name", REASONS)
def test_the_reason_is_said(course, name):
    assert name not in course.students or REASONS[name] in course.page(name)


@each("name", NOTES)
def test_what_is_odd_is_noted(course, name):
    assert NOTES[name] in course.note(name)


def test_the_sandbox_is_shut(course):
    path = grade.Course(course.root).path("autograded", "tries-everything", "hw0")
    cells = nbformat.read(path, as_version=4).cells
    printed = next(c for c in cells if "tried[" in c.source).outputs[0].text
    tried = json.loads(printed.splitlines()[0])
    given = {"HOME", "PYTHONPATH", "TMPDIR", "MPLCONFIGDIR", "IPYTHONDIR", "SCIKIT_LEARN_DATA"}
    own = {
        name
        for name in tried.pop("own")
        if not name.startswith(("PWD", "LC_CTYPE", "KMP_", "TERM"))
    }
    assert (own & set(os.environ)) - given - {*sandbox.KEPT, *sandbox.SET} == set()
    assert given < own
    assert tried.pop("environment") == [True, False]
    assert tried.pop("processes") <= 3
    filled, size = tried.pop("fill")
    assert set(filled) == {True}
    assert 4 <= size <= 6  # tens of MB
    assert len(tried) == 30  # the parent is process 1
    assert {name: said for name, said in tried.items() if not said.startswith("refused")} == {}


def test_a_page_runs_nothing_of_the_student(course):
    page = course.page("01-right")
    assert simulate.SCRIPT not in page
    assert "An answer with" in page
    assert "Score: 12.0 / 15.0" in page
    assert page.count("hw0-1: passed") == 1
    assert "count again" not in page  # what is said of the answer made wrong


def test_hints_and_rubrics_and_no_hidden_test_reach_the_student(course):
    page = course.page("10-half-done")
    assert "no rows at all: impurity 0." in page  # the hint of a hidden test
    assert "HIDDEN" not in page
    assert "assert passed" not in page
    page, rubric = course.page("01-right"), "what to do instead"
    assert page.index("An answer with") < page.index(rubric)
    assert "The tree is fitted to the rows" not in page  # the model answer
    for kind in ("release", "submitted"):
        for path in (course.root / kind).glob("**/hw0.ipynb"):
            assert rubric not in path.read_text(encoding="utf-8")


def test_mistakes_are_counted(course):
    rows = course.table("mistakes", ("cell", "hint"))
    hint = "no rows at all: impurity 0."
    who = rows["hw0-2-test-b", hint]["who"].split()
    assert {"10-half-done", "13-empty"} <= set(who)
    assert rows["hw0-2-test-b", hint]["students"] == str(len(who))
    assert not any(hint == "not done yet" for _, hint in rows)


# One student, whose open question has 3 points, and what people do.


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The folder of a course with one student, whose work is right, graded with all of treelab."""
    room = Classroom(tmp_path_factory.mktemp("graded")).begin()
    room.hand_in("anna")
    room.grade()
    return room.root.parent


@pytest.fixture
def small(graded, tmp_path):
    """A copy of that course."""
    shutil.copytree(graded, tmp_path, dirs_exist_ok=True)
    return Classroom(tmp_path)


OPEN, TEST = ("anna", "hw0-4"), ("anna", "hw0-1-test")


@pytest.fixture
def quick(monkeypatch):
    """Notebooks are not executed: a test fails where a line with WRONG stands before it."""

    def run(self, cells, files, judges, number):
        said, bad = {}, False
        for k, cell in enumerate(cells):
            bad = bad or "WRONG" in cell.source
            fails = bad and sandbox.is_test(cell)
            said[k] = {"error": "AssertionError" * fails, "message": "the hint" * fails,
                       "text": "", "images": []}  # fmt: skip
        time.sleep(0.02)  # in which a run can be interrupted
        return said

    monkeypatch.setattr(sandbox.Sandboxed, "run", run)


def test_points_of_a_person_survive_every_run(small, quick):
    assert (small.cells()[OPEN]["points"], small.cells()[OPEN]["status"]) == ("", "to be read")
    assert small.table("final", ["student"])["anna",]["total"] == "12"
    small.enter("anna", "hw0-4", 2.5)
    small.enter("anna", "hw0-1-test", 1)
    path = grade.Course(small.root).path("autograded", "anna", "hw0")
    before = path.stat().st_mtime_ns
    small.hand_in("bert")
    for _ in range(2):
        small.grade()
        rows = small.cells()
        assert (rows[OPEN]["points"], rows[OPEN]["status"]) == ("2.5", "by hand")
        assert (rows[TEST]["points"], rows[TEST]["status"]) == ("1", "by hand")
        assert rows["bert", "hw0-4"]["points"] == ""
    assert path.stat().st_mtime_ns == before  # what has not changed is not graded again
    assert small.table("final", ["student"])["anna",]["total"] == "13.5"
    small.feedback()
    assert "Score: 13.5 / 15.0" in small.page("anna")


def test_points_for_another_version_stay_and_are_flagged(small, quick):
    small.enter("anna", "hw0-4", 2)
    path = small.hand_in("anna", "10-half-done")
    path.write_text(path.read_text(encoding="utf-8").replace("...", "WRONG"), encoding="utf-8")
    for _ in range(2):
        small.grade()
        row = small.cells()[OPEN]
        assert (row["points"], row["status"]) == ("2", "changed since")
    assert small.cells()["anna", "hw0-2-test-a"]["points"] == "0"  # by the tests, of the new one
    assert small.note("anna") == ""
    small.enter("anna", "hw0-4", 2)
    small.grade()
    assert small.cells()[OPEN]["status"] == "by hand"
    small.hand_in("anna")
    small.grade()
    assert small.note("anna") == "hw0: a version from before the last counts again"
    assert len(list((small.root / "collected" / "hw0" / "anna").iterdir())) == 2


def test_points_survive_new_tests_and_cells_cannot_be_taken_away(small, quick, capsys):
    small.enter("anna", "hw0-4", 2)
    source = small.root / "source" / "hw0" / "hw0.ipynb"
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace("impurity 0.", "impurity is 0."), encoding="utf-8")
    small.grade()
    assert small.cells()[OPEN]["points"] == "2"
    assert small.cells()[OPEN]["status"] == "changed since"
    notebook = nbformat.read(source, as_version=4)
    del notebook.cells[-1]
    nbformat.write(notebook, source)
    assert "nothing was graded: hw0 has other cells than were graded" in small.refuse(capsys)
    with grade.Course(small.root).gradebook() as book:
        assert book.find_grade("hw0-4", "hw0", "hw0", "anna").manual_score == 2


@pytest.mark.parametrize("lost", [True, False])
def test_what_cannot_be_graded_does_not_replace_what_could(small, quick, lost):
    path = small.place / "anna" / "hw0.ipynb"
    shutil.rmtree(path.parent) if lost else path.write_text("{", encoding="utf-8")
    small.hand_in("bert")
    small.grade()
    assert small.table("final", ["student"])["anna",]["total"] == "12"
    for again in (small.feedback, lambda: grade.main(["--course", str(small.root)])):
        assert lost or "hw0 cannot be read" in small.note("anna")
        again()  # what is noted of a download stays until the next
    small.hand_in("anna")
    small.grade()
    assert small.note("anna") == ""


def test_the_points_of_one_alone(small, quick, capsys):
    for who in ("anna", "bert", "carla"):
        small.hand_in(who, "10-half-done")
    small.grade("--student", "bert")
    assert {who for who, _ in small.cells()} == {"anna", "bert"}
    assert small.cells()["anna", "hw0-2-test-a"]["points"] == "4"  # of the first version
    assert "the assignments are hw0" in small.refuse(capsys, "--assignment", "hw7")
    with open(small.root / ".lock", "wb") as lock:
        grade.fcntl.flock(lock, grade.fcntl.LOCK_EX)
        assert "another run is grading there" in small.refuse(capsys)
    small.grade("--assignment", "hw0")
    assert {who for who, _ in small.cells()} == {"anna", "bert", "carla"}


def test_a_version_that_comes_back_after_an_interruption_is_graded_again(small, quick, monkeypatch):
    path = small.place / "anna" / "hw0.ipynb"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("shares = ", "# WRONG\\nshares = ", 1), encoding="utf-8")

    def fail(place, **kwargs):
        if place.parts[-3] == "autograded":
            raise OSError("pulled")

    with monkeypatch.context() as patch:
        patch.setattr(grade.shutil, "rmtree", fail)  # the gradebook is written
        small.grade()
    assert small.table("final", ["student"])["anna",]["total"] == "0"
    path.write_text(text, encoding="utf-8")
    small.grade()
    assert small.table("final", ["student"])["anna",]["total"] == "12"


def test_a_submission_is_scored_whole_or_not_at_all(small, quick, monkeypatch):
    """And who comes after one of whom the grader itself fails is graded all the same."""
    (before, _), path, cells = seen(small), small.place / "anna" / "hw0.ipynb", []
    small.hand_in("bert")
    text = path.read_text(encoding="utf-8").replace("shares = ", "# WRONG\\nshares = ", 1)
    path.write_text(text, encoding="utf-8")
    score = SaveAutoGrades._add_score

    def fail(own, cell, resources):
        cells.extend([cell] * (resources["nbgrader"]["student"] == "anna"))
        if cells[2:] == [cell]:
            raise OSError("the disk is full")
        score(own, cell, resources)

    with monkeypatch.context() as patch:
        patch.setattr(SaveAutoGrades, "_add_score", fail)
        small.grade()
    assert len(cells) == 3
    assert seen(small)[0] == {"anna": before["anna"], "bert": before["anna"]}
    assert "hw0 is not graded: NbGraderException" in small.note("anna")
    small.grade()
    assert small.table("final", ["student"])["anna",]["total"] == "0"


def request(port, path, body=None):
    """Ask the form grader."""
    asked = urllib.request.Request(
        f"http://127.0.0.1:{port}/formgrader/{path}",
        data=json.dumps(body).encode() if body else None,
        headers={"Authorization": "token t", "Content-Type": "application/json"},
        method="PUT" if body else "GET",
    )
    with urllib.request.urlopen(asked, timeout=600) as answer:
        return answer.read().decode()


@pytest.mark.whole
def test_points_are_given_in_the_form_grader(small, quick, tmp_path, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.delenv("JUPYTER_NO_CONFIG", raising=False)
    command = [sys.executable, "-m", "jupyter_server", "--allow-root", "--no-browser"]
    command += [f"--port={port}", "--IdentityProvider.token=t", "--ServerApp.port_retries=0"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "settings"))
    with subprocess.Popen(command, cwd=small.root, **quiet) as server:
        try:
            shown = None
            while shown is None:  # until it answers, or has ended
                assert sandbox.ended(server, 0.2) is None
                with contextlib.suppress(OSError):
                    shown = json.loads(request(port, "api/submissions/hw0"))
            assert [(s["student"], s["score"]) for s in shown] == [("anna", 12)]
            book = grade.Course(small.root).gradebook()
            with book:
                submission = book.find_submission_notebook("hw0", "hw0", "anna").id
            page = request(port, f"submissions/{submission}")
            assert "An answer with" in page
            assert simulate.SCRIPT not in page
            grades = json.loads(request(port, f"api/grades?submission_id={submission}"))
            cell = next(g for g in grades if g["name"] == "hw0-4")
            request(port, f"api/grade/{cell['id']}", {"manual_score": 1.5})
        finally:
            server.terminate()
    small.grade()
    assert (small.cells()[OPEN]["points"], small.cells()[OPEN]["status"]) == ("1.5", "by hand")


# Downloads and rosters.


CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,hw0 (77),Final Score
    Points Possible,,,,,15,(read only)
"Berg, Anna",1001,u1,anna,A,,50
"Çelik, Bert",1002,u2,bert,A,7,60
"Dahl, Carla",1003,u3,carla,A,,70
"Eis, Öde ",1004,,,A,,80
"""
MOODLE = """Identifier;Full name;Email address;Status;Grade;Maximum Grade
Participant 501;Anna Berg;anna@x.org;Submitted;;15
Participant 502;Bert Çelik;bert@x.org;Submitted;;15
"""
GRADESCOPE = """First Name,Last Name,SID,Email,Role
Anna,Berg,s1,anna@x.org,Student
"""


def test_a_download_of_canvas_and_its_gradebook(small, quick, tmp_path):
    text = (small.place / "anna" / "hw0.ipynb").read_text(encoding="utf-8")
    place, roster = tmp_path / "canvas", tmp_path / "r.csv"
    place.mkdir()
    roster.write_text(CANVAS, encoding="utf-8-sig")
    for name, new in (
        ("berganna_1001_11_hw0.ipynb", text.replace("shares = ", "# WRONG\\nshares = ", 1)),
        ("berganna_1001_12_hw0-1.ipynb", text),
        ("çelikbert_LATE_1002_13_hw0.ipynb", text),
        ("dahlcarla_1003_14_homework.ipynb", text),
        ("eisode_1004_16_hw0.ipynb", text),
        ("stranger_9999_15_hw0.ipynb", text),
    ):
        (place / name).write_text(new, encoding="utf-8")
    small.grade("--roster", str(roster), place=place)
    assert small.note("bert") == "hw0: Canvas calls it late; enter the due date"
    small.due()
    small.enter("anna", "hw0-4", 3)
    small.grade(place=place)
    rows = small.table("roster_with_grades", ["ID"])
    assert list(rows["1001",]) == CANVAS.partition("\n")[0].split(",")
    shown = [rows[number,]["hw0 (77)"] for number in ("", "1001", "1002", "1003", "1004")]
    assert shown == ["15", "15", "7", "", ""]  # those of Bert and Öde wait for a person
    assert rows["1001",]["Final Score"] == "50"
    assert small.table("final", ["student"])["1004",]["name"] == "Eis Öde"
    assert small.note("bert") == "hw0: late"
    assert "dahlcarla_1003_14_homework.ipynb has not the name" in small.note("carla")
    assert small.note("stranger-9999") == "not in the roster"
    assert len(list((small.root / "collected" / "hw0" / "anna").iterdir())) == 2
    assert small.cells()["anna", "hw0-1-test"]["points"] == "2"  # the last one counts


def test_a_download_of_moodle_and_its_worksheet(small, quick, tmp_path):
    place, roster = tmp_path / "moodle", tmp_path / "r.csv"
    roster.write_text(MOODLE, encoding="utf-8")
    for name in ("Anna Berg_501", "Bert Çelik_502"):
        own = place / f"{name}_assignsubmission_file_"
        own.mkdir(parents=True)
        shutil.copy(small.place / "anna" / "hw0.ipynb", own)
    small.grade("--roster", str(roster), place=place)
    for who in ("anna@x.org", "bert@x.org"):
        small.enter(who, "hw0-4", 1)
    small.grade(place=place)
    rows = small.table("roster_with_grades", ["Identifier"])
    assert [rows[f"Participant {k}",]["hw0"] for k in (501, 502)] == ["13", "13"]
    small.grade("--assignment", "hw0", place=place)
    rows = small.table("roster_with_grades", ["Identifier"])
    assert [rows[f"Participant {k}",]["Grade"] for k in (501, 502)] == ["13", "13"]


def test_a_roster_of_gradescope(small, quick, tmp_path):
    roster = tmp_path / "r.csv"
    roster.write_text(GRADESCOPE, encoding="utf-8")
    (small.place / "s1").mkdir()
    (small.place / "anna").rename(small.place / "s1" / "hw0")
    small.grade("--roster", str(roster))
    small.enter("s1", "hw0-4", 0)
    small.grade()
    assert small.table("roster_with_grades", ["SID"])["s1",]["hw0"] == "12"
    with grade.Course(small.root).gradebook() as book:
        assert (book.find_student("s1").first_name, book.find_student("s1").email) == (
            "Anna", "anna@x.org"
        )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [("login,Email\n,a\n,a\n", "two students called 'a'"), ("Ä".encode("cp1252"), "utf-8")],
)
def test_a_roster_that_cannot_be_used_changes_nothing(small, tmp_path, capsys, text, said):
    (tmp_path / "r.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert said in small.refuse(capsys, "--roster", str(tmp_path / "r.csv"))
    assert not (small.root / "roster.csv").exists()


def test_penalties_follow_points_times_and_rules(small, quick):
    """What was graded before a person read, or before a rule or a due date was there, too."""
    stamp = small.place / "anna" / "timestamp.txt"
    stamp.write_text("2027-03-01 15:30:00 UTC", encoding="utf-8")
    small.grade()

    def total():
        small.feedback()
        return small.table("final", ["student"])["anna",]["total"]

    assert total() == "12"
    settings = small.root / "nbgrader_config.py"
    text = settings.read_text(encoding="utf-8")
    penalty = '\nc.LateSubmissionPlugin.penalty_method = "zero"\n'
    settings.write_text(text + penalty, encoding="utf-8")
    assert total() == "12"
    small.due()
    assert total() == "0"
    small.enter("anna", "hw0-4", 3)
    assert total() == "0"
    assert "late by 3.5 hours" in small.note("anna")
    assert "Late submission penalty" in small.page("anna")
    settings.write_text(text, encoding="utf-8")
    assert total() == "15"
    settings.write_text(text + penalty, encoding="utf-8")
    stamp.unlink()
    small.grade()  # the same notebook, of which it is no longer said when it came
    assert total() == "15"
    for said, odd in (("2027-03-01 10:00:00 UTC", ""), ("at noon", "at noon")):
        stamp.write_text(said, encoding="utf-8")
        small.grade()
        assert (total(), odd in small.note("anna")) == ("15", True)
        assert bool(odd) == bool(small.note("anna"))


def test_names_of_folders(small, quick, capsys):
    """As old programs pack them, and such as make one login of two names."""
    odd = os.fsdecode(b"Jos\xe9_501_assignsubmission_file_")
    shutil.copytree(small.place / "anna", small.place / odd)
    (small.place / os.fsdecode(b"stray\xe9.txt")).write_text("", encoding="utf-8")
    shutil.copytree(small.place / "anna", small.place / "---")
    broken = json.dumps({"nbformat": "\ud800"})
    (small.place / "carla").mkdir()
    (small.place / "carla" / "hw0.ipynb").write_text(broken, encoding="utf-8")
    small.grade()
    assert {who for who, _ in small.cells()} == {"anna", "Jos--501", "unnamed"}
    assert "is left out" in small.note("stray?.txt")
    assert "cannot be read" in small.note("carla")
    for name in ("b c", "b-c"):
        shutil.copytree(small.place / "anna", small.place / name)
    assert "would both be called 'b-c'" in small.refuse(capsys)


def test_a_formula_is_no_formula_in_the_table(tmp_path):
    exchange.table(tmp_path / "t.csv", ("a", "b"), [("=1+1", "plain"), ("@x", 3)])
    lines = (tmp_path / "t.csv").read_text(encoding="utf-8").splitlines()
    assert lines[1:] == ["'=1+1,plain", "'@x,3"]


# Where nothing may be graded.


@each("out", ["_build/course", "in/course", "in"])
def test_grades_are_not_kept_where_they_get_lost(tmp_path, capsys, out):
    (tmp_path / "in").mkdir(exist_ok=True)
    with pytest.raises(SystemExit):
        grade.main([str(tmp_path / "in"), "--course", str(tmp_path / out)])
    assert "name another COURSE" in capsys.readouterr().err
    assert not list((tmp_path / "in").iterdir())


def test_without_a_sandbox_nothing_runs_unless_told_so(small, monkeypatch, capsys):
    small.hand_in("bert")
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    assert "bubblewrap (0.8 or newer) is not installed" in small.refuse(capsys)
    assert "bert" not in {who for who, _ in small.cells()}
    small.grade("--unsafe")
    assert small.table("final", ["student"])["bert",]["total"] == "12"


def test_without_the_checkers_nobody_gets_no_points(small, tmp_path, monkeypatch):
    lost = tmp_path / "old" / "treelab"
    lost.mkdir(parents=True)
    (lost / "__init__.py").write_text("raise ModuleNotFoundError('lost')", encoding="utf-8")
    monkeypatch.setattr(sandbox.treelab, "__file__", str(lost / "__init__.py"))
    monkeypatch.setattr(sandbox.treelab, "__path__", [str(lost)])
    small.hand_in("bert")
    small.grade()
    assert "hw0 is not graded: ValueError: the sandbox does not start: " in small.note("bert")
    assert "bert" not in {who for who, _ in small.cells()}


PEEKS = """
import os, sys
for name in ("judges_hw0", "treelab.checkers"):
    try:
        print(name, __import__(name, fromlist=["x"]).own_number())
    except ImportError:
        print(name, "is not there")
print([path for path in os.listdir() if "judge" in path], "judges_hw0" in sys.modules)
"""


def test_judges_know_the_number_and_students_do_not_know_the_judges(tmp_path, monkeypatch):
    """Own numbers, errors that cost their own points, and tests that leave no judges behind."""
    room = Classroom(tmp_path).begin()
    light(tmp_path, monkeypatch)
    shutil.rmtree(room.root / "source")
    tiny.build_judged(room.root)
    text = "student,number\nanna,9\n\ncara, 9\nbert,5\n"
    (room.root / "numbers.csv").write_text(text, encoding="utf-8-sig")
    roster = tmp_path / "roster.csv"
    roster.write_text("Student,Email\nanna,\nbert,\ncara,\ndora,\n", encoding="utf-8")
    shares = {
        "anna": "(0.75, 0.25)",
        "bert": "(0.25, 0.75)",
        "cara": "(9, 3)",
        "emil": "(0.25, 0.75)",
    }
    for who, said in shares.items():
        path = room.hand_in(who)
        notebook = nbformat.read(path, as_version=4)
        number = {"anna": 9, "bert": 1, "cara": 9, "emil": 0}[who]
        notebook.cells.insert(1, new_code_cell(f"NUMBER = {number}  # mine"))
        for cell in notebook.cells:
            if cell.source.startswith("shares ="):
                cell.source = f"shares = {said}"
            if cell.source.startswith("def gini") and who == "bert":
                cell.source = "def gini(counts):\n    return 0.125"
        notebook.cells[3:3] = [new_code_cell(PEEKS)]
        again = new_code_cell("from checks_hw0 import check_form  # as before the tests")
        notebook.cells[-1:-1] = [new_code_cell(PEEKS), again]
        nbformat.write(notebook, path)
    room.grade("--roster", str(roster))
    room.feedback()
    rows = room.cells()
    got = {
        who: [rows[who, f"hw0-{k}"]["points"] for k in ("1-test", "2-test-a", "3-test")]
        for who in shares
    }
    assert got == {
        "anna": ["2", "4", "4"],
        "bert": ["0", "0", "4"],
        "cara": ["0", "4", "4"],
        "emil": ["2", "4", "4"],
    }
    assert rows["bert", "hw0-1-test"]["message"] == "count again: the shares are others."
    assert rows["cara", "hw0-1-test"]["message"].startswith("shares add up to 1")
    assert "worked with the number 1, and has 5" in room.note("bert")
    assert "number" not in room.note("anna") + room.note("emil")
    said = "You typed 1. Your number is 5: by it answers are judged."
    assert said in room.page("bert")
    assert "Your number is" not in room.page("anna") + room.page("emil")
    said = nbformat.read(grade.Course(room.root).path("autograded", "anna", "hw0"), as_version=4)
    assert [cell.outputs for cell in said.cells if "as before" in cell.source] == [[]]
    peeks = [cell.outputs[0].text.splitlines() for cell in said.cells if cell.source == PEEKS]
    assert peeks == [
        ["judges_hw0 is not there", f"treelab.checkers {number}", "[] False"] for number in (0, 9)
    ]
    for kind in ("release", "submitted", "autograded", "feedback", "exports", "collected"):
        for path in filter(Path.is_file, (room.root / kind).rglob("*")):
            assert "judges_" not in path.name
            assert "right_gini" not in path.read_text(encoding="utf-8")
    # A number that changes is graded again, and nobody else is.
    drawn = sandbox.numbers(room.root)
    assert {**drawn, "dora": 0} == {"anna": 9, "cara": 9, "bert": 5, "dora": 0}
    assert 1 <= drawn["dora"] <= 299
    text = (room.root / "numbers.csv").read_text(encoding="utf-8-sig")
    assert text.startswith("student,number\nanna,9\n\ncara, 9\nbert,5\ndora,")
    (room.root / "numbers.csv").write_text(text.replace("bert,5", "bert,1"), encoding="utf-8")
    asked = []
    monkeypatch.setattr(grade.Course, "execute", lambda course, *own: asked.append(own) or 1 / 0)
    room.grade()
    assert asked == [("bert", "hw0")]


@each("line", ["anna", "anna,", ",7", "anna,-1", "anna,1.5", "anna,10000", "anna,٣"])
def test_a_number_that_is_none_stops_before_anything_is_graded(small, quick, capsys, line):
    (small.root / "numbers.csv").write_text(f"student,number\n{line}\n", encoding="utf-8")
    said = small.refuse(capsys)
    assert f"{line!r} is not a student and a number from 0 to 9999" in said


def test_every_student_of_a_roster_gets_a_number_of_their_own(small):
    course = grade.Course(small.root)
    course.number([])
    assert not (small.root / "numbers.csv").exists()
    course.number([f"s{k}" for k in range(1500)])
    drawn = sandbox.numbers(small.root)
    assert len(set(drawn.values())) == len(drawn) == 1500
    assert sum(number <= 299 for number in drawn.values()) == 299
    course.number(["s3", "new"])
    assert {**sandbox.numbers(small.root), "new": 0} == {**drawn, "new": 0}


def test_an_interrupted_run_ends_soon(small, quick, monkeypatch):
    for number in range(20):
        small.hand_in(f"s{number}")
    begun, stopped = [], threading.Event()
    shutdown = ThreadPoolExecutor.shutdown

    def stop(course, *submission):
        raise KeyboardInterrupt

    def execute(course, *submission):
        begun.append(submission)
        if len(begun) > 1:  # what runs beside the first ends after the pool was told to stop
            stopped.wait()

    def tell(pool, wait=True, cancel_futures=False):
        shutdown(pool, wait=False, cancel_futures=cancel_futures)
        stopped.set()
        shutdown(pool, wait=wait)

    monkeypatch.setattr(grade.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(ThreadPoolExecutor, "shutdown", tell)
    monkeypatch.setattr(grade.Course, "execute", execute)
    monkeypatch.setattr(grade.Course, "enter", stop)
    with pytest.raises(KeyboardInterrupt):
        small.grade()
    assert len(begun) <= 3


@pytest.mark.whole
def test_grading_by_nbgraders_own_command(small):
    """As on JupyterHub: in the same sandbox, and the next `make grade` has nothing to do."""
    small.hand_in("bert", "10-half-done")
    own = small.root / "submitted" / "bert" / "hw0"
    shutil.copytree(small.place / "bert", own)
    command = [sys.executable, "-W", "ignore", "-m", "nbgrader"]
    for rest in (["autograde", "hw0", "--student", "bert"], ["generate_feedback", "hw0"]):
        subprocess.run([*command, *rest], cwd=small.root, check=True, capture_output=True)
    place = grade.Course(small.root).path("autograded", "bert", "hw0")
    before = place.stat().st_mtime_ns
    grade.main(["--course", str(small.root)])
    assert place.stat().st_mtime_ns == before
    assert small.table("final", ["student"])["bert",]["total"] == "2"
    assert "no rows at all: impurity 0." in small.page("bert")


def test_grades_and_submissions_are_no_part_of_the_project():
    root = make_homework.FOLDER.parents[2]
    ignored = (root / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"/submissions/", "/course/"} <= set(ignored)
    assert "COURSE ?= course\n" in (root / "Makefile").read_text(encoding="utf-8")
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    assert {"submissions", "course"} <= set(settings["ruff"]["extend-exclude"])
    assert {"./submissions", "./course"} <= set(settings["codespell"]["skip"].split(","))


# The parts.


def test_added_and_edited_cells_run_where_they_stand(small):
    release = nbformat.read(small.root / "release" / "hw0" / "hw0.ipynb", as_version=4)
    source = nbformat.read(small.root / "source" / "hw0" / "hw0.ipynb", as_version=4)
    source.cells[1].metadata.nbgrader = {"grade_id": "hw0-start", "locked": True}
    release.cells[1].metadata.nbgrader = {"grade_id": "hw0-start", "locked": True}
    release.cells.insert(2, new_code_cell("NUMBER = 0", id="number"))
    handed = nbformat.reads(nbformat.writes(release), as_version=4)
    handed.cells = [c for c in handed.cells if c.cell_type == "code"]
    handed.cells[0].source += "\nimport math"
    handed.cells[1].source = "NUMBER = 9"
    handed.cells.insert(3, new_code_cell("helper = 1"))
    handed.cells.append(new_code_cell("print('after the last test')"))
    made = sandbox.rebuilt(handed, source, release)
    sources = [c.source for c in made.cells if c.cell_type == "code"]
    assert sources[0] == release.cells[1].source
    assert sources[1].endswith("import math")
    assert sources[2] == "NUMBER = 9"
    assert sources[4] == "helper = 1"
    assert not any("after the last" in source for source in sources)
    assert made.metadata.treelab.notes == ["the cell hw0-4 is missing"]


def test_links_and_large_files_are_not_read(small, quick):
    path = small.place / "anna" / "hw0.ipynb"
    before = small.note("anna")
    for spoil, reason in (
        (lambda: path.symlink_to(path.rename(small.place / "x")), "a link"),
        (lambda: (small.place / "x").replace(path), ""),
        (lambda: path.write_bytes(b" " * 21_000_000), "larger than 20 MB"),
    ):
        spoil()
        small.grade()
        assert (reason or before) in small.note("anna")
        assert bool(reason) == ("cannot be read" in small.note("anna"))


def test_a_given_cell_that_stops_is_named_and_a_figure_is_shown(small):
    source = small.root / "source" / "hw0" / "hw0.ipynb"
    notebook = nbformat.read(source, as_version=4)
    lost = tiny.marked(new_code_cell("open('rows.csv')"), "hw0-data", locked=True)
    notebook.cells.insert(2, lost)
    shutil.rmtree(small.root)
    small.begin()
    nbformat.write(notebook, source)
    path = small.hand_in("anna")
    handed = nbformat.read(path, as_version=4)
    cell = next(c for c in handed.cells if make_homework.mark(c).get("grade_id") == "hw0-1")
    cell.source += "\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"
    cell.source += "\nfrom treelab.drawing import use_style\nuse_style()\nplt.plot([1, 2])"
    # Nothing of this is wrong, and none of it may cost points.
    cell.source += "\nopen = exec = 3\n%pdb on\nimport os\nos.chdir('/')"
    nbformat.write(handed, path)
    small.grade()
    small.feedback()
    assert "given cell hw0-data stopped: FileNotFoundError" in small.note("anna")
    assert small.table("final", ["student"])["anna",]["total"] == "12"
    assert small.page("anna").count('src="data:image/png') == 2


def test_what_cells_say_becomes_their_outputs():
    cells = [tiny.answer("x = 1 / 0", "hw0-1"), tiny.graded("hw0-1", "x", "", 2)]
    cells += [tiny.marked(new_code_cell("y"), "hw0-y", locked=True), new_code_cell("z")]
    plain = {"text": "", "images": []}
    said = {
        0: {"error": "ZeroDivisionError", "message": "ZeroDivisionError: by zero", **plain},
        1: {"error": "NameError", "message": "NameError: x", **plain},
        2: {"error": "NameError", "message": "NameError: y", **plain},
        3: {"error": "", "message": "", "text": "seen", "images": ["iVBORw0="]},
    }
    assert sandbox.explain(cells, said, 0) == ["given cell hw0-y stopped: NameError: y"]
    assert cells[1].metadata.treelab.message == cells[1].outputs[0].evalue == "NameError: x"
    assert [output.output_type for output in cells[3].outputs] == ["stream", "display_data"]


def test_a_notebook_has_its_time_and_its_restarts(small, tmp_path, monkeypatch):
    light(tmp_path, monkeypatch)
    cells = [new_code_cell(source) for source in ("x = 1", simulate.EXIT, "x + 1", "x + 2")]
    limits = sandbox.Sandboxed(notebook=30, restarts=0)
    assert [said["error"] for _, said in sorted(limits.run(cells, [], {}, 0).items())] == [
        "", "Stopped", "NotRun", "NotRun"
    ]  # fmt: skip
    limits.restarts = 1
    said = limits.run(cells, [], {}, 0)
    assert [said[k]["text"] for k in (2, 3)] == ["2", "3"]
    limits.notebook = 0
    assert {one["message"] for one in limits.run(cells, [], {}, 0).values()} == {
        "the run had ended before"
    }
    limits.notebook, limits.restarts = 9, 3  # too little is left for another process
    lines_of, begun = limits.lines_of, []

    def once(own, *given):
        begun.append(given)
        return lines_of(*given) if len(begun) == 1 else ([], "", 0)

    with monkeypatch.context() as patch:
        patch.setattr(sandbox.Sandboxed, "lines_of", once)
        said = limits.run(cells[:2], [], {}, 0)
    assert [said[k]["error"] for k in range(2)] == ["", "Stopped"]
    limits.notebook, limits.cell = 1, 30
    cells[1].source = simulate.LOOP
    said = limits.run(cells[:3], [], {}, 0)
    assert [said[k]["error"] for k in range(3)] == ["", "Stopped", "NotRun"]
    assert said[1]["message"].endswith("the time for the whole notebook was used up")


def test_a_cell_that_waits_has_its_time_too(tmp_path, monkeypatch):
    """It takes no processor time: the clock stops it."""
    light(tmp_path, monkeypatch)
    cells = [new_code_cell("import time\ntime.sleep(10_000)")]
    for limit, reason in (
        ({"cell": 0.1}, "the cell ran for more than 0.1 seconds"),
        ({"cell": 1000, "notebook": 0.1}, "the time for the whole notebook was used up"),
    ):
        said = sandbox.Sandboxed(patience=10, **limit).run(cells, [], {}, 0)
        assert said[0]["message"].endswith(reason)


def test_a_test_sees_whether_it_could_have_failed(capsys, monkeypatch):
    for name in kernel.CHECKERS:  # put back at the end
        monkeypatch.setitem(sys.modules, name, sys.modules[name])
    monkeypatch.setattr(treelab, "checkers", treelab.checkers)
    monkeypatch.setattr(treelab.exercises, "checkers", treelab.exercises.checkers)
    space, word = {"x": 1}, "the word"
    with pytest.raises(AssertionError, match=word):
        kernel.test(space, "assert x == 1", ["x", "not there"], {}, 0, word)
    assert space["x"] == 1
    kernel.test(space, "assert x == 1", [], {}, 0, word)  # which does not depend on x
    space = {"x": 1}
    with pytest.raises(AssertionError, match=word):  # also where the wrong one cannot be tested
        kernel.test(space, "print(f'x is {x}')\nif x == 2:\n    exit()", ["x"], {}, 0, word)
    assert capsys.readouterr().out == "x is 1\n"
    modules = {"judges_made_up": "ALLOWED = 2"}
    source = "import judges_made_up\nassert x == judges_made_up.ALLOWED, 'the hint'"
    for right, said in ((1, "the hint"), (2, word)):
        space = {"x": right}
        with pytest.raises(AssertionError, match=said):
            kernel.test(space, source, ["x"], modules, 0, word)
        assert space["x"] == right
        assert "judges_made_up" not in sys.modules


def test_a_spoilt_answer_is_another_one_of_the_same_form():
    for answer in (True, 3, 0.5, "yes", [1, "a"], (1.0, False), {"a": 2}, {4}):
        assert type(kernel.spoil(answer)) is type(answer)
        assert kernel.spoil(answer) != answer
    assert kernel.spoil(lambda x: [x, x])(2) == [3, 3]
    for answer in ([], {}, (), np.inf, np.array([]), object(), range(0)):
        assert repr(kernel.spoil(answer)) != repr(answer)
    for answer in (csr_array([[1.0]]), np.array(["a"]), np.array([True]), np.float64(2), None):
        assert repr(kernel.spoil(answer)) != repr(answer)


# Pulling the plug.


def plug(room, seconds=3600):
    """A run that is killed after some seconds, if it is not at its end by then."""
    child = os.fork()
    if child == 0:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
        code = 1
        with contextlib.suppress(BaseException):
            room.grade()
            code = 0
        os._exit(code)
    killer = threading.Timer(seconds, os.kill, [child, signal.SIGKILL])
    killer.start()
    status = os.waitpid(child, 0)[1]
    killer.cancel()
    killer.join()
    return status


def seen(room):
    """The points in the gradebook: by tests, and by a person."""
    with grade.Course(room.root).gradebook() as book:
        handed = book.assignment_submissions("hw0")
        grades = [(s.student_id, g) for s in handed for g in s.notebooks[0].grades]
        auto, hand = {}, {}
        for who, g in grades:
            auto.setdefault(who, set()).add((g.name, g.auto_score))
            if g.manual_score is not None:
                hand[who, g.name] = g.manual_score
    return auto, hand


PLUGS = int(os.environ.get("TREELAB_PLUGS", "4"))


@pytest.mark.parametrize("times", [PLUGS, pytest.param(40, marks=pytest.mark.whole)])
def test_nothing_is_lost_when_the_plug_is_pulled(small, quick, times):
    """Interrupt runs at random moments, until so many were killed.

    Between the runs students hand in other versions and a person gives points. After each one the
    gradebook has for every student all the points of one version, or none, and all that a person
    gave; every notebook can be read. In the end one run makes it what it would be without all this.
    """
    room, rng, entered, expected, pulled = small, random.Random(times), {}, {}, 0
    text = (room.place / "anna" / "hw0.ipynb").read_text(encoding="utf-8")
    versions = [text, text.replace("shares = ", "# WRONG\\nshares = ", 1)]
    points = {"hw0-1-test": 2, "hw0-2-test-a": 4, "hw0-2-test-b": 2, "hw0-3-test": 4}
    allowed = [{*((cell, most * right) for cell, most in points.items()), ("hw0-4", None)}
               for right in (1, 0)]  # fmt: skip
    begun = time.monotonic()
    for who in ("anna", "bert", "carla", "dora"):
        place = room.place / who / "hw0.ipynb"
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
        expected[who] = 0
    assert plug(room) == 0
    longest = time.monotonic() - begun
    while pulled < times:
        for who in rng.sample(list(expected), 2):
            expected[who] = 1 - expected[who]
            new = versions[expected[who]]
            (room.place / who / "hw0.ipynb").write_text(new, encoding="utf-8")
        who = rng.choice(list(expected))
        entered[who, "hw0-4"] = float(rng.randint(0, 3))
        room.enter(who, "hw0-4", entered[who, "hw0-4"])
        killed = plug(room, rng.uniform(0, longest)) != 0
        pulled, longest = pulled + killed, longest * (1.05 if killed else 0.9)
        auto, hand = seen(room)
        assert hand == entered
        assert all(found in allowed for found in auto.values())
        for path in room.root.rglob("*.ipynb"):  # every file can be read
            if not {".new", "source"} & set(path.parts):
                nbformat.validate(nbformat.read(path, as_version=4))
    assert plug(room) == 0
    auto, hand = seen(room)
    assert hand == entered
    assert auto == {who: allowed[version] for who, version in expected.items()}
    rows = room.cells()
    for (who, cell), by_hand in entered.items():
        assert float(rows[who, cell]["points"]) == by_hand
    kept = [list((room.root / "collected" / "hw0" / who).iterdir()) for who in expected]
    assert max(map(len, kept)) == 2


def test_a_file_is_never_half_written(tmp_path, monkeypatch):
    path = tmp_path / "grades.csv"
    path.write_text("the old one", encoding="utf-8")

    def fail(*arguments):
        raise OSError("no space left")

    for place, name in ((Path, "write_bytes"), (os, "replace")):
        with monkeypatch.context() as patch:
            patch.setattr(place, name, fail)
            with pytest.raises(OSError, match="no space"):
                exchange.replace(path, "the new one")
        assert path.read_text(encoding="utf-8") == "the old one"
