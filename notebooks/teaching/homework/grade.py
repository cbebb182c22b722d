"""Grade a course with nbgrader: ``python grade.py [SUBMISSIONS] --course COURSE``.

COURSE is a course folder of nbgrader, and made where there is none. SUBMISSIONS is a folder with a
folder for each student, or what Canvas or Moodle give to download; nothing in it is changed. Each
notebook that is new or another one than before is executed in a sandbox, and nbgrader's own
converters score it and write its feedback. Points that people give in nbgrader's form grader stay.
A run that is interrupted goes on with the next one. The page "Homework" of the book says more.
"""

import argparse
import contextlib
import fcntl
import logging
import os
import shutil
import sqlite3
import sys
import threading
import warnings
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed
from hashlib import sha256
from pathlib import Path
from random import random
from unittest import mock

import nbformat
import sqlalchemy
from nbconvert.exporters import NotebookExporter
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback, NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets.config import PyFileConfigLoader

sys.path.insert(0, str(Path(__file__).resolve().parent))

from grader import collect, exports, rebuild, sandbox  # noqa: E402
from make_homework import FOLDER, assignments  # noqa: E402

SETTINGS = """import sys

sys.path.insert(0, {folder!r})
load_subconfig("nbgrader_config.py", path={folder!r})
c = get_config()  # and your own settings, such as: c.Sandboxed.cell = 30
"""
NO_BWRAP = """bubblewrap is not installed, without which a submission may read, change and send what
you may. On Linux install the package bubblewrap (0.8 or newer); elsewhere grade in a virtual
machine. UNSAFE=1 runs submissions without it"""


class Course:
    """A course folder of nbgrader.

    Parameters
    ----------
    root : Path
        It is made if it is not there, with all assignments of the project.
    unsafe : bool, default=False
        Run submissions without a sandbox.
    """

    def __init__(self, root, unsafe=False):
        self.root, self.lock = Path(root).resolve(), threading.Lock()  # of the gradebook
        source, settings = self.root / "source", self.root / "nbgrader_config.py"
        if not source.exists():
            shutil.rmtree(self.root / ".source", ignore_errors=True)
            shutil.copytree(
                FOLDER / "source", self.root / ".source", ignore=shutil.ignore_patterns("_*")
            )
            os.replace(self.root / ".source", source)
        if not settings.exists():
            collect.replace(settings, SETTINGS.format(folder=str(FOLDER)))
        self.config = PyFileConfigLoader(settings.name, path=str(self.root)).load_config()
        self.config.CourseDirectory.root = str(self.root)
        self.config.CourseDirectory.db_url = f"sqlite:///{self.root / 'gradebook.db'}"
        self.config.Sandboxed.unsafe = unsafe
        self.names = assignments(self.root)

    def path(self, kind, student, name):
        """The notebook of a submission in ``submitted/`` or ``autograded/``."""
        return self.root / kind / student / name / f"{name}.ipynb"

    def gradebook(self):
        """nbgrader's gradebook, to be used in a `with`."""
        own = self.config.CourseDirectory
        return Gradebook(own.db_url, own.course_id)

    @contextlib.contextmanager
    def writing(self):
        """All that nbgrader writes into the gradebook inside is there at the end, or nothing.

        Its sessions join one transaction, as the manual of SQLAlchemy has it for test suites.
        """
        engine = sqlalchemy.create_engine(self.config.CourseDirectory.db_url)
        with engine.begin() as connection:
            connection.dispose = lambda: None
            with mock.patch("nbgrader.api.create_engine", return_value=connection):
                yield
        engine.dispose()

    def convert(self, converter, student, name, kind, taken=""):
        """Run a converter of nbgrader; what it writes stands in ``.new`` until `settle`."""
        own = CourseDirectory(config=self.config, student_id=student, assignment_id=name)
        own.autograded_directory = f"{taken}autograded"
        setattr(own, f"{kind}_directory", f".new/{kind}")
        converter(coursedir=own, config=self.config, force=True).start()

    def settle(self, kind, student, name):
        """Put the files of a converter where they belong, each in one step."""
        place, new = self.root / kind / student / name, self.root / ".new" / kind / student / name
        place.mkdir(parents=True, exist_ok=True)
        gone = {path.name for path in place.iterdir()} - {path.name for path in new.iterdir()}
        for path in sorted(new.iterdir(), key=lambda path: path.suffix == ".ipynb"):
            os.replace(path, place / path.name)
        for name in gone:
            (place / name).unlink()

    def version(self, name, student=""):
        """What changes with the source of an assignment, and with the number of a student."""
        paths = filter(Path.is_file, sorted((self.root / "source" / name).iterdir()))
        number = rebuild.numbers(self.root)[student] or ""
        return sha256(b"".join(path.read_bytes() for path in paths)).hexdigest() + f"{number}"

    def release(self):
        """Enter assignments that are new or changed into the gradebook, and make their release."""
        for name in self.names:
            made = self.root / "release" / name / ".made"
            if not made.is_file() or made.read_text(encoding="utf-8") != self.version(name):
                made.unlink(missing_ok=True)
                try:
                    with self.writing():
                        self.convert(GenerateAssignment, ".", name, "release")
                except NbGraderException:
                    raise ValueError(f"{name} has other cells than were graded") from None
                self.settle("release", ".", name)
                collect.replace(made, self.version(name))

    def graded(self, student, name):
        """Whether what counts now is graded, by the tests that count now."""
        own, done = (collect.said_of(self.path(kind, student, name))
                     for kind in ("submitted", "autograded"))  # fmt: skip
        begun = self.path("autograded", student, name).with_name(".begun")
        return not begun.exists() and done == {**done, **own, "by": self.version(name, student)}

    def execute(self, student, name):
        """Execute a submission in the sandbox; nothing is written."""
        own = CourseDirectory(config=self.config, student_id=student, assignment_id=name)
        converter, path = Autograde(coursedir=own), str(self.path("submitted", student, name))
        exporter = NotebookExporter(parent=converter, config=self.config)
        exporter._preprocessors = []
        for step in self.config.Autograde.sanitize_preprocessors:
            exporter.register_preprocessor(step)
        resources = converter.init_single_notebook_resources(path)
        with self.lock:
            text, resources = exporter.from_filename(path, resources=resources)
        notebook = nbformat.reads(text, as_version=4)
        notebook.metadata.treelab.by = self.version(name, student)
        run = sandbox.Sandboxed(parent=exporter, config=self.config)
        return run.preprocess(notebook, resources)[0]

    def enter(self, student, name, notebook):
        """Let nbgrader score an executed notebook and write its feedback."""
        sandbox.Sandboxed.ready[student, name] = notebook
        with self.lock:
            shutil.rmtree(self.root / ".new", ignore_errors=True)
            # Until `settle` removes it, the gradebook may know more than the notebook there.
            collect.replace(self.path("autograded", student, name).with_name(".begun"), "")
            with self.writing():
                self.convert(Autograde, student, name, "autograded")
            self.feedback(student, name, ".new/")
            self.settle("autograded", student, name)

    def feedback(self, student, name, taken=""):
        """Write the feedback page of a submission."""
        self.convert(GenerateFeedback, student, name, "feedback", taken)
        self.settle("feedback", student, name)

    def back_up(self):
        """Copy the gradebook to ``backups/``, under the next number."""
        number = len(list((self.root / "backups").glob("*.db"))) + 1
        new = self.root / "backups" / f"{number:05d}.db.part"
        new.parent.mkdir(exist_ok=True)
        with contextlib.closing(sqlite3.connect(self.root / "gradebook.db")) as old:
            with contextlib.closing(sqlite3.connect(new)) as copy:
                old.backup(copy)
        os.replace(new, new.with_suffix(""))

    def enrol(self, students):
        """Enter students into the gradebook; who is there keeps what no roster says."""
        with self.gradebook() as book:
            there = {student.id for student in book.students}
            for who, own in students.items():
                said = own.get("first"), own.get("last") or own["name"], own.get("email")
                known = zip(("first_name", "last_name", "email"), said)
                known = {
                    key: " ".join(text.replace(",", " ").split()) for key, text in known if text
                }
                if who not in there or "login" in own:
                    book.update_or_create_student(who, **known)

    def number(self, students):
        """Give a number to each of these students who has none, in ``numbers.csv``."""
        path, there = self.root / "numbers.csv", rebuild.numbers(self.root)
        text = path.read_text(encoding="utf-8-sig") if path.is_file() else "student,number\n"
        free = set(range(1, 10_000)) - set(there.values())
        free = sorted(free, key=lambda n: (n > 299, random()))  # the tests look at 0 to 299
        lines = [f"{who},{n}\n" for who, n in zip(sorted(set(students) - set(there)), free)]
        if lines:
            collect.replace(path, text.rstrip("\n") + "\n" + "".join(lines))


def unfit(course):
    """Why no notebook can be graded here; empty where one that asks for treelab runs through."""
    limits = sandbox.Sandboxed(config=course.config)
    if not limits.unsafe and not shutil.which("bwrap"):
        return NO_BWRAP
    with contextlib.closing(sandbox.Sandbox([], limits)) as trial:
        try:
            trial.ask()
            said = trial.ask(do="test", source="pass", seconds=60, names=[], judges={}, number=0)
        except sandbox.Gone as reason:
            return f"the sandbox does not start: {reason}"
    return "" if said["error"] == "Tampered" else f"{said['error']}: {said['message']}"


def grade(course, hand_ins, wanted, at_once, notes):
    """Grade what is new or changed, each submission on its own; how many were graded.

    Parameters
    ----------
    course : Course
    hand_ins : list of HandIn
        From `collect.find`.
    wanted : callable
        Whether the submission of a student to an assignment is asked for.
    at_once : int
        How many submissions run at a time.
    notes : dict of str to list of str
        Gets what cannot be graded, by student.

    Returns
    -------
    int
    """
    with course.gradebook() as book:
        due = {assignment.name: assignment.duedate for assignment in book.assignments}
    last = {h[:2]: h for h in hand_ins}
    for h in filter(lambda h: wanted(*h[:2]), hand_ins):
        if h.late and not due[h.assignment]:
            notes[h.student].append(f"{h.assignment}: Canvas calls it late; enter the due date")
        try:
            collect.take(h, course.root, h is last[h[:2]], due[h.assignment])
        except rebuild.Unreadable as reason:
            notes[h.student].append(f"{h.assignment} is not graded: {reason}")
    places = sorted((course.root / "submitted").glob("*/*/*.ipynb"))
    todo = filter(lambda own: wanted(*own), (path.parts[-3:-1] for path in places))
    todo, done = [own for own in todo if not course.graded(*own)], 0
    with ThreadPoolExecutor(at_once) as pool:
        running = {pool.submit(course.execute, *own): own for own in todo}
        for future in as_completed(running):
            who, name = running[future]
            try:
                course.enter(who, name, future.result())
                done += 1
                print(f"[{done}/{len(todo)}] {who} {name}", flush=True)
            except Exception as error:  # of the grader itself: the others go on
                notes[who].append(f"{name} is not graded: {type(error).__name__}: {error}")
    return done


def main(arguments=None):
    """The command."""
    parser = argparse.ArgumentParser(description="Grade a course with nbgrader.")
    parser.add_argument("submissions", type=Path, nargs="?", help="a folder, or a download")
    parser.add_argument("--course", type=Path, default=Path("course"), help="the course folder")
    parser.add_argument("--roster", type=Path, help="a CSV with the students; it is kept")
    parser.add_argument("--student", help="only this one")
    parser.add_argument("--assignment", help="only this one")
    parser.add_argument("--feedback", action="store_true", help="write all feedback pages anew")
    parser.add_argument("--at-once", type=int, default=2, help="submissions at a time (2)")
    parser.add_argument("--unsafe", action="store_true", help="run submissions unprotected")
    given = parser.parse_args(arguments)
    place, folder = given.course.resolve(), given.submissions and given.submissions.resolve()
    if "_build" in place.parts or folder and place.is_relative_to(folder):
        parser.error(f"{place} is inside _build or the submissions: name another COURSE")
    if folder and not folder.is_dir():
        parser.error(f"{folder} is not a folder")
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # for alembic
    logging.getLogger("traitlets").setLevel(logging.CRITICAL)  # `notes` say what matters
    warnings.filterwarnings("ignore", module="nbgrader")
    place.mkdir(parents=True, exist_ok=True)
    notes, hand_ins, done = defaultdict(list), [], 0

    def wanted(student, name):
        return given.student in (None, student) and given.assignment in (None, name)

    with open(place / ".lock", "wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            course = Course(place, given.unsafe)
            course.back_up()
            course.release()
            roster = collect.Roster(given.roster or place / "roster.csv")
            if given.roster:
                collect.replace(place / "roster.csv", given.roster.read_bytes())
        except BlockingIOError:
            parser.error(f"nothing was graded: another run is grading there, in {place}")
        except (ValueError, OSError) as reason:
            parser.error(f"nothing was graded: {reason}")
        if given.assignment not in (None, *course.names):
            parser.error(f"the assignments are {', '.join(course.names)}")
        if folder:
            if reason := unfit(course):
                parser.error(f"nothing was graded: {reason}.")
            hand_ins = collect.find(folder, course.names, roster, notes)
        course.enrol(roster.students)
        course.number(who for who, own in roster.students.items() if "login" in own)
        if folder:
            done = grade(course, hand_ins, wanted, given.at_once, notes)
        waiting = exports.write(course, roster, notes, given.assignment)
        for path in (place / "autograded").glob("*/*/*.ipynb") if given.feedback else ():
            course.feedback(*path.parts[-3:-1])
    for name, odd in filter(lambda item: item[1], sorted(notes.items())):
        print(f"{name}: {'; '.join(odd)}")
    print(f"{done} submissions graded, {waiting} wait for a person; tables: {place / 'exports'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
