"""Grading: 30 simulated students get what they must, whatever their notebooks do.

The assignment is a small one (``grading/tiny.py``); the students are those of
``grading/simulate.py``, which also writes them for the real assignments.
"""

import contextlib
import csv
import hashlib
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

import grade
import make_homework
import nbformat
import pytest
from grader import confine, ledger, report, session, submissions
from grader.session import Limits, Outcome
from grading import simulate, tiny
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from traitlets.config import Config

# By hand, from the points of the three questions (2, 4 + 2, 4) and what the students do.
POINTS = {
    **{name: 12 for name in ("01", "02", "03", "04", "05", "06")},
    **{"07": 10, "08": 2, "09": 0, "10": 2, "11": 2, "12": 2},
    **{name: 0 for name in ("13", "14", "15", "16", "17", "30")},
    **{str(number): 2 for number in range(18, 30)},  # one question right, and nothing after it
}
LIMITS = Limits(cell=3, submission=60, memory=1500, file=20, disk=60, output=4)


def digest(folder):
    """Every file below a folder, and a hash of what is in it."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def assignment(tmp_path_factory):
    """The small assignment, in a course folder of its own."""
    folder = tmp_path_factory.mktemp("course")
    tiny.build(folder)
    return simulate.Assignment(folder / "source" / "hw0")


@pytest.fixture(scope="module")
def course(assignment, tmp_path_factory):
    """The results of the 30 students and two more, and what must be true before and after."""
    folder, out = tmp_path_factory.mktemp("submissions"), tmp_path_factory.mktemp("grades")
    everybody = {**simulate.students(assignment), **simulate.more_cheats(assignment)}
    for name, student in everybody.items():
        simulate.hand_in(folder, name, student, assignment)
    (folder / "readme.txt").write_text("no student", encoding="utf-8")
    before, scratch = digest(folder), tmp_path_factory.mktemp("s")
    known = {"hw0": submissions.Assignment.read(assignment.folder)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(scratch))
        results, notes = grade.grade(
            folder, known, LIMITS, done=lambda result, *_: grade.write_page(result, known, out)
        )
    grade.write_tables(results, notes, out)
    return {
        "results": {r.student: r for r in results},
        "students": everybody,
        "untouched": digest(folder) == before,
        "left": list(scratch.iterdir()),
        "out": out,
        "notes": notes,
    }


def test_thirty_students_get_what_they_must(course, assignment):
    got = {name[:2]: r.points for name, r in course["results"].items() if name[0].isdigit()}
    assert got == POINTS
    assert len(got) == 30
    for name, student in course["students"].items():
        rows = {r.cell: r.points for r in course["results"][name].rows if not r.by_reading}
        assert rows == simulate.plain_points(student, assignment), name


def test_the_comparison_of_a_course_finds_a_difference(course, tmp_path, capsys):
    table = (course["out"] / "grades.csv").read_text(encoding="utf-8")
    (tmp_path / "expected.csv").write_text(table, encoding="utf-8")
    arguments = [str(tmp_path / "submissions"), "--compare", str(course["out"])]
    assert simulate.main(arguments) == 0
    line = "01-right,hw0,hw0-1,hw0-1-test,2,2"
    assert line in table
    (tmp_path / "expected.csv").write_text(table.replace(line, line[:-3] + "1,2"), encoding="utf-8")
    assert simulate.main(arguments) == 1
    assert "01-right hw0 hw0-1-test expected 1.0 got 2.0" in capsys.readouterr().out


def test_nothing_is_lost_and_nothing_is_left(course):
    assert course["untouched"]
    assert not course["left"]
    assert course["notes"] == {"readme.txt": ["this is no student's folder, and is left out"]}
    with open(course["out"] / "summary.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [r["student"] for r in rows] == [*sorted(course["students"]), "readme.txt"]
    with open(course["out"] / "grades.csv", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 5 * len(course["students"])
    assert len(list((course["out"] / "feedback").glob("*/hw0.html"))) == len(course["students"])


REASONS = {
    "15-broken-file": "no notebook that Jupyter can open (JSONDecodeError",
    "14-nothing-handed-in": "nothing was handed in",
    "17-wrong-name": "my homework (1).ipynb has not the name of an assignment (hw0.ipynb)",
    "18-loops": "ran for more than 3 seconds",
    "19-loops-and-will-not-stop": "ended the run: the cell ran for more than 3 seconds",
    "20-fills-memory": "MemoryError",
    "21-exits": "the process ended",
    "22-crashes": "the process ended",
    "23-fills-the-disk": "File too large",
    "24-deletes-files": "SystemExit",
    "25-forks": "more than 24 processes",
    "26-floods-the-output": "more than 4 MB of output",
    "27-kills-the-parent": "the process ended",
    "28-edits-the-tests": "the test cell hw0-1-test was edited; the original is used",
    "29-deletes-cells": "the answer cell hw0-2 is missing",
    "drops-asserts": "the tests were tampered with",
    "never-runs": "the tests were tampered with",
}


@pytest.mark.parametrize("name", REASONS)
def test_the_reason_is_said(course, name):
    result = course["results"][name]
    said = [result.message, *(row.message for row in result.rows)]
    assert REASONS[name] in "\n".join(said)
    page = (course["out"] / "feedback" / name / "hw0.html").read_text(encoding="utf-8")
    assert report.esc(REASONS[name]) in page


def test_a_page_runs_nothing_of_the_student(course):
    page = (course["out"] / "feedback" / "01-right" / "hw0.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert report.esc(simulate.SCRIPT) in page
    assert "prefers-color-scheme" in page or "color-scheme: light dark" in page
    assert "12 of 12 points from tests; up to 3 more" in page
    assert "the rows are named" in page  # the rubric


def test_hints_and_no_hidden_test_reach_the_student(course):
    page = (course["out"] / "feedback" / "07-one-mistake" / "hw0.html").read_text(encoding="utf-8")
    assert "HIDDEN" not in page
    assert "assert passed" not in page


def test_a_formula_is_no_formula_in_the_table(tmp_path):
    rows = [{"a": "=1+1", "b": "plain"}, {"a": "@x", "b": 3}]
    text = report.lines(("a", "b"), rows)
    assert text.splitlines()[1:] == ["'=1+1,plain", "'@x,3"]
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    assert ledger.table(tmp_path / "t.csv", ())[0] == rows[0]


# The grades of a course: one student, whose open question has 3 points, and what people do to them.


class Course:
    """Submissions of the small assignment, and the tables of their grades."""

    def __init__(self, assignment, folder):
        self.assignment, self.place, self.out = assignment, folder / "in", folder / "grades"

    def hand_in(self, name, student="01-right"):
        """Hand in the notebook of one of the simulated students."""
        everybody = simulate.students(self.assignment)
        simulate.hand_in(self.place, name, everybody[student], self.assignment)

    def grade(self, *options):
        """Run the command."""
        course = str(self.assignment.folder.parent.parent)
        return grade.main([str(self.place), "--course", course, "--out", str(self.out), *options])

    def table(self, name="grades.csv"):
        """The lines of a table, by student and cell."""
        with open(self.out / name, encoding="utf-8", newline="") as file:
            return {(r["student"], r.get("cell")): r for r in csv.DictReader(file)}

    def write(self, changes, encoding="utf-8", delimiter=",", **columns):
        """Enter points, and other columns, as a person does in a spreadsheet."""
        rows = list(self.table().values())
        for row in rows:
            row.update(changes.get((row["student"], row["cell"]), {}))
            row.update(columns)
        with open(self.out / "grades.csv", "w", encoding=encoding, newline="") as file:
            table = csv.DictWriter(file, rows[0], delimiter=delimiter)
            table.writeheader()
            table.writerows(rows)


@pytest.fixture(scope="module")
def graded(assignment, tmp_path_factory):
    """The folder of a course with one student whose work is right, graded once."""
    folder = tmp_path_factory.mktemp("graded")
    made = Course(assignment, folder)
    made.hand_in("anna")
    made.grade()
    return folder


@pytest.fixture
def small(assignment, graded, tmp_path):
    """A copy of that course."""
    shutil.copytree(graded, tmp_path, dirs_exist_ok=True)
    return Course(assignment, tmp_path)


OPEN, TEST = ("anna", "hw0-4"), ("anna", "hw0-1-test")


def test_points_of_a_person_survive_the_next_run(small):
    assert (small.table()[OPEN]["points"], small.table()[OPEN]["status"]) == ("", "to be read")
    small.write({OPEN: {"points": "2.5"}, TEST: {"points": "1", "message": "half right"}})
    small.hand_in("bert")
    for _ in range(2):  # and the run after it
        small.grade()
        rows = small.table()
        assert rows[OPEN]["points"] == "2.5"
        assert (rows[TEST]["points"], rows[TEST]["message"]) == ("1", "half right")
        assert rows[OPEN]["status"] == rows[TEST]["status"] == "by hand"
        assert rows["bert", "hw0-4"]["points"] == ""
        line = small.table("summary.csv")["anna", None]
        assert (line["points"], line["reading"], line["message"]) == ("11", "2.5", "")
    page = (small.out / "feedback" / "anna" / "hw0.html").read_text(encoding="utf-8")
    assert "11 of 12 points from tests; 2.5 of 3 by reading" in page
    copies = sorted(path.name for path in (small.out / "earlier").glob("*-grades.csv"))
    assert copies == ["0001-grades.csv", "0002-grades.csv"]


def test_whatever_a_spreadsheet_makes_of_the_table_the_points_are_read(small):
    small.write({OPEN: {"points": "2,5"}}, encoding="utf-8-sig", delimiter=";", remark="by Eva")
    small.grade()
    assert small.table()[OPEN]["points"] == "2,5"
    assert small.table()[OPEN]["remark"] == "by Eva"
    assert small.table("summary.csv")["anna", None]["reading"] == "2.5"


def test_points_for_another_version_stay_and_are_flagged_until_they_are_confirmed(small):
    small.write({OPEN: {"points": "2"}})
    small.hand_in("anna", "10-half-done")
    for _ in range(2):
        small.grade()
        assert (small.table()[OPEN]["points"], small.table()[OPEN]["status"]) == (
            "2",
            "changed since",
        )
        line = small.table("summary.csv")["anna", None]
        assert line["points"] == "2"  # by the tests, of the new version
        assert "hw0-4 has 2 points for another version of the notebook" in line["message"]
    small.write({OPEN: {"status": "by hand"}})
    small.grade()
    assert small.table()[OPEN]["status"] == "by hand"
    assert small.table("summary.csv")["anna", None]["message"] == ""


@pytest.mark.parametrize("points", ["two", "7", "-1"])
def test_strange_points_stay_and_are_flagged(small, points):
    small.write({OPEN: {"points": points}})
    small.grade()
    assert small.table()[OPEN]["points"].lstrip("'") == points
    assert "hw0-4 has" in small.table("summary.csv")["anna", None]["message"]


def test_who_is_not_there_any_more_keeps_the_grades(small, capsys):
    small.write({OPEN: {"points": "2"}})
    shutil.rmtree(small.place / "anna")
    small.hand_in("bert")
    small.grade()
    assert small.table()[OPEN]["points"] == "2"
    assert small.table("summary.csv")["anna", None]["points"] == "12"
    assert "1 grades stand from earlier runs: anna hw0" in capsys.readouterr().out


@pytest.mark.parametrize("lost", [True, False])
def test_what_cannot_be_graded_does_not_replace_what_could(small, lost):
    small.write({OPEN: {"points": "2"}})
    path = small.place / "anna" / "hw0.ipynb"
    path.unlink() if lost else path.write_text("{", encoding="utf-8")
    small.hand_in("bert")
    small.grade()
    assert (small.table()[OPEN]["points"], small.table()[TEST]["points"]) == ("2", "2")
    line = small.table("summary.csv")["anna", None]
    assert line["points"] == "12"
    assert line["message"].startswith("the earlier grades stand: ")


def test_a_table_that_cannot_be_read_is_left_alone(small, capsys):
    for text in (
        b"name;mark\nanna;2\n",
        "student,assignment,cell,points\nÄ".encode("cp1252"),
    ):
        (small.out / "grades.csv").write_bytes(text)
        with pytest.raises(SystemExit):
            small.grade()
        assert (small.out / "grades.csv").read_bytes() == text
        assert "nothing was changed" in capsys.readouterr().err


def test_points_entered_while_a_run_goes_on_are_kept(small):
    open_book = ledger.Ledger(small.out)
    small.write({OPEN: {"points": "2"}})
    open_book.save()
    assert small.table()[OPEN]["points"] == "2"


def test_a_killed_run_keeps_what_there_was(small):
    small.write({OPEN: {"points": "2"}})
    small.hand_in("bert")
    small.hand_in("carla", "18-loops")
    course = str(small.assignment.folder.parent.parent)
    command = [sys.executable, grade.__file__, str(small.place), "--course", course, "--out",
               str(small.out), "--at-once", "1"]  # fmt: skip
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            if ("bert", None) in small.table("summary.csv"):  # written last; carla's loop goes on
                break
            time.sleep(0.1)
    finally:
        running.kill()
        running.wait()
    rows = small.table()
    assert rows[OPEN]["points"] == "2"
    assert len(rows) == 10
    assert [small.table("summary.csv")[name, None]["points"] for name in ("anna", "bert")] == [
        "12",
        "12",
    ]
    assert (small.out / "feedback" / "bert" / "hw0.html").is_file()


@pytest.mark.parametrize("end", ["write", "replace"])
def test_a_table_is_never_half_written(tmp_path, monkeypatch, end):
    path = tmp_path / "grades.csv"
    path.write_text("the old one", encoding="utf-8")

    def fail(*arguments):
        raise OSError("no space left")

    monkeypatch.setattr(os, {"write": "fsync", "replace": "replace"}[end], fail)
    with pytest.raises(OSError, match="no space"):
        ledger.replace(path, "the new one")
    assert path.read_text(encoding="utf-8") == "the old one"


@pytest.mark.parametrize("out", ["_build/grades", "in/grades", "in"])
def test_grades_are_not_kept_where_they_get_lost(assignment, tmp_path, capsys, out):
    made = Course(assignment, tmp_path)
    made.hand_in("anna")
    made.out = tmp_path / out
    with pytest.raises(SystemExit):
        made.grade()
    assert "name another one" in capsys.readouterr().err
    assert not (tmp_path / out / "grades.csv").exists()


def test_grades_and_submissions_are_no_part_of_the_project():
    root = make_homework.FOLDER.parents[2]
    ignored = (root / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"/submissions/", "/grades/"} <= set(ignored)
    assert "OUT ?= grades\n" in (root / "Makefile").read_text(encoding="utf-8")
    for folder in ("submissions", "grades"):
        command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--force-exclude"]
        command += ["--stdin-filename", str(root / folder / "anna" / "hw1.py"), "-"]
        done = subprocess.run(
            command, input="import os\n", encoding="utf-8", capture_output=True, cwd=root
        )
        assert done.returncode == 0, done.stdout
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    assert {"./submissions", "./grades"} <= set(settings["tool"]["codespell"]["skip"].split(","))


PROBE = """
import os, socket, sys
sys.path.insert(0, sys.argv[1])
import confine
confine.shut_in([sys.argv[2]], ["/usr", "/lib", sys.prefix, sys.base_prefix], [])
def tried(action):
    try:
        action()
    except PermissionError:
        return "refused"
    except OSError:
        return "other"
    return "done"
print(tried(lambda: open(sys.argv[2] + "/inside", "w").close()),
      tried(lambda: open(sys.argv[3] + "/outside", "w").close()),
      tried(lambda: open(sys.argv[3] + "/secret").read()),
      tried(lambda: os.kill(os.getppid(), 0)),
      tried(lambda: socket.create_connection(("127.0.0.1", 9), 1)))
"""


def test_what_is_shut_off_is_shut_off(tmp_path):
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    (outside / "secret").write_text("the solutions", encoding="utf-8")
    command = [sys.executable, "-c", PROBE, str(Path(confine.__file__).parent), inside, outside]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.split()
    version = confine.abi()
    files = "refused" if version >= 1 else "done"
    signals = "refused" if version >= 6 else "done"
    assert done[:4] == ["done", files, files, signals]
    assert done[4] == ("refused" if version >= 4 else "other")
    assert ("files outside" in confine.protection()) == (version >= 1)


def test_added_and_edited_cells_run_where_they_stand(assignment):
    known = submissions.Assignment.read(assignment.folder)
    cells = [("code", c.source, c.metadata.get("nbgrader", {}).get("grade_id", ""), c.id)
             for c in known.release.cells if c.cell_type == "code"]  # fmt: skip
    cells[0] = ("code", cells[0][1] + "\nimport math", "", cells[0][3])
    cells.insert(2, ("code", "helper = 1", "", "mine"))
    cells.append(("code", "print('after the last test')", "hw9-1", "other"))
    answers = submissions.answers_in(cells, known)
    steps = submissions.steps_for(answers, known)
    kinds = [(s.kind, s.grade_id) for s in steps]
    assert kinds[:5] == [("given", ""), ("added", ""), ("answer", "hw0-1"), ("added", ""),
                         ("test", "hw0-1-test")]  # fmt: skip
    assert steps[1].source.endswith("import math")
    assert steps[3].source == "helper = 1"
    assert all("HIDDEN" in s.source for s in steps if s.kind == "test")
    assert "hw9-1 is not a cell of this assignment" in answers.notes
    assert not any("after the last" in s.source for s in steps)


def test_links_and_large_files_are_not_read(tmp_path, monkeypatch):
    target, link = tmp_path / "target.ipynb", tmp_path / "hw0.ipynb"
    nbformat.write(tiny.notebook(), target)
    link.symlink_to(target)
    with pytest.raises(submissions.Unreadable, match="a link"):
        submissions.read(link)
    assert len(submissions.read(target)) == len(tiny.notebook().cells)
    monkeypatch.setattr(submissions, "LARGEST", 100)
    with pytest.raises(submissions.Unreadable, match="larger than"):
        submissions.read(target)


def test_without_the_checkers_nobody_gets_no_points(assignment, tmp_path, monkeypatch, capsys):
    simulate.hand_in(tmp_path / "in", "anna", simulate.students(assignment)["01-right"], assignment)
    old = tmp_path / "old" / "treelab"
    old.mkdir(parents=True)
    # Whatever treelab is installed beside it, this one is found first.
    lost = "raise ModuleNotFoundError(\"No module named 'treelab.checkers'\")"
    (old / "__init__.py").write_text(lost, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(old.parent))  # of the kernels
    course, out = assignment.folder.parent.parent, tmp_path / "grades"
    with pytest.raises(SystemExit) as end:
        grade.main([str(tmp_path / "in"), "--course", str(course), "--out", str(out)])
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert "nothing was graded" in said
    # Where the kernel is shut in, it may not even read that file.
    shut_in = "Permission denied" in said and "treelab/__init__.py" in said
    assert shut_in or "No module named 'treelab.checkers'" in said
    assert not out.exists()


@contextlib.contextmanager
def kernel(client, monkeypatch):
    """A session whose client is of the given class."""
    monkeypatch.setattr(session, "BlockingKernelClient", client)
    nursery = session.Nursery()
    running = session.Session(nursery, Limits(cell=10), {}, [])
    try:
        running.start()
        yield running
    finally:
        running.close()
        nursery.close()


class HeardLate(session.BlockingKernelClient):
    """Hears nothing of what is published until it has asked four times."""

    asked = 0

    def start_channels(self, **channels):
        super().start_channels(**channels)
        self.iopub_channel.socket.unsubscribe(b"")

    def get_iopub_msg(self, *args, **kwargs):
        self.asked += 1
        if self.asked == 5:
            self.iopub_channel.socket.subscribe(b"")
        return super().get_iopub_msg(*args, **kwargs)


class HeardInPart(session.BlockingKernelClient):
    """Loses every word that a cell has come to its end."""

    def get_iopub_msg(self, *args, **kwargs):
        message = super().get_iopub_msg(*args, **kwargs)
        if message["content"].get("execution_state") == "idle":
            raise queue.Empty
        return message


@pytest.mark.parametrize("client", [HeardLate, HeardInPart])
def test_a_message_lost_costs_nobody_a_point(client, monkeypatch):
    with kernel(client, monkeypatch) as running:
        outcomes = [running.run("print('said')"), running.run("1 / 0")]
    assert [o.status for o in outcomes] == ["ok", "error"]
    assert [o.text for o in outcomes] == ["said\n", ""]


def test_a_failure_of_the_grader_loses_no_student(assignment, tmp_path, monkeypatch):
    simulate.hand_in(tmp_path, "anna", simulate.students(assignment)["01-right"], assignment)
    known = {"hw0": submissions.Assignment.read(assignment.folder)}
    monkeypatch.setattr(grade, "run_all", lambda *arguments: 1 / 0)
    results, _ = grade.grade(tmp_path, known, LIMITS, at_once=1)
    assert [(r.student, r.status, r.points) for r in results] == [("anna", "not graded", 0)]
    assert "the grader failed: ZeroDivisionError" in results[0].message
    assert "the grader failed" in report.page(results[0], known["hw0"])


def test_a_given_cell_that_stops_is_named(assignment, tmp_path):
    own = tmp_path / "source" / "hw0"
    shutil.copytree(assignment.folder, own)
    notebook = tiny.notebook()
    lost = tiny.marked(new_code_cell("open('rows.csv')"), "hw0-data", locked=True)
    notebook.cells.insert(2, nbformat.from_dict({**lost, "id": "cell-data"}))
    nbformat.write(notebook, own / "hw0.ipynb")
    moved = simulate.Assignment(own)
    place = tmp_path / "submissions"
    simulate.hand_in(place, "anna", simulate.students(moved)["01-right"], moved)
    results, _ = grade.grade(place, {"hw0": submissions.Assignment.read(own)}, LIMITS, at_once=1)
    assert "given cell hw0-data stopped: FileNotFoundError: " in results[0].message
    assert "rows.csv" in results[0].message
    assert results[0].points == 12


def test_a_figure_of_the_student_is_on_the_page(assignment, tmp_path):
    simulate.hand_in(tmp_path, "anna", simulate.students(assignment)["01-right"], assignment)
    path = next(tmp_path.glob("anna/**/*.ipynb"))
    notebook = nbformat.read(path, as_version=4)
    cell = next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("solution"))
    cell.source += "\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"
    nbformat.write(notebook, path)
    known = submissions.Assignment.read(assignment.folder)
    pages = []
    grade.grade(
        tmp_path, {"hw0": known}, LIMITS, 1, lambda r, *_: pages.append(report.page(r, known))
    )
    assert [page.count("<img ") for page in pages] == [1]


def test_only_given_cells_that_stopped_are_named():
    steps = [submissions.Step(kind, "", grade_id)
             for kind, grade_id in (("given", ""), ("given", "hw0-data"), ("answer", "hw0-1"),
                                    ("added", ""), ("test", "hw0-1-test"))]  # fmt: skip
    broken = Outcome("error", "KeyError", "'x'")
    assert report.stopped(steps, [broken] * 5) == [
        "a given cell stopped: KeyError: 'x'",
        "given cell hw0-data stopped: KeyError: 'x'",
    ]
    late = Outcome("time", message="the cell ran for more than 3 seconds")
    ends = [Outcome("ok"), late, broken, broken, broken]
    assert report.stopped(steps, ends) == [
        "given cell hw0-data stopped: the cell ran for more than 3 seconds"
    ]
    assert report.stopped(steps, [Outcome("ok"), Outcome("not run"), *ends[2:]]) == []


def test_words_for_every_way_to_end():
    ends = [Outcome("ok"), Outcome("error", "AssertionError", "not done yet"),
            Outcome("error", "AssertionError", "why"), Outcome("error", "KeyError", "'x'"),
            Outcome("time"), Outcome("dead"), Outcome("not run"), Outcome("tampered")]  # fmt: skip
    said = ["passed", "not done", "failed", "error", "too long", "stopped", "not run", "tampered"]
    assert [report.verdict_of(end)[0] for end in ends] == said


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")
def test_nbgrader_itself_makes_and_grades_the_assignment(assignment, tmp_path, monkeypatch):
    """The same course folder under nbgrader: the same release, and the same points."""
    tiny.build(tmp_path)
    config = Config()
    config.merge(
        make_homework.PyFileConfigLoader(
            "nbgrader_config.py", path=str(make_homework.FOLDER)
        ).load_config()
    )
    config.CourseDirectory.root = str(tmp_path)
    config.CourseDirectory.db_url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    config.Exchange.root = str(tmp_path / "exchange")
    # nbgrader calls the command `alembic`, which stands beside Python.
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    monkeypatch.chdir(tmp_path)
    api = NbGraderAPI(config=config)
    made = api.generate_assignment("hw0")
    assert made["success"], made.get("log")
    student = simulate.students(assignment)["10-half-done"]
    simulate.hand_in(tmp_path / "submitted" / "anna", "hw0", student, assignment)
    graded = api.autograde("hw0", "anna")
    assert graded["success"], graded.get("log")
    path = tmp_path / "release" / "hw0" / "hw0.ipynb"
    ours = make_homework.release_version(tiny.notebook())
    theirs = nbformat.read(path, as_version=4)
    assert [(c.source, c.metadata) for c in theirs.cells] == [
        (c.source, c.metadata) for c in ours.cells
    ]
    with Gradebook(config.CourseDirectory.db_url, "treelab") as book:
        submission = book.find_submission("hw0", "anna")
        points = {g.name: g.auto_score for g in submission.notebooks[0].grades}
    assert points == {
        **{f"hw0-{part}": 0 for part in ("2-test-a", "2-test-b", "3-test")},
        "hw0-1-test": 2,
        "hw0-4": 0,
    }
