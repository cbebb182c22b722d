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
from concurrent.futures import ThreadPoolExecutor, as_completed
from hashlib import sha256
from pathlib import Path
from unittest import mock

import nbformat
import sqlalchemy
from nbconvert.exporters import NotebookExporter
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from traitlets.config import PyFileConfigLoader

sys.path.insert(0, str(Path(__file__).resolve().parent))

from grader import collect, exports  # noqa: E402
from grader.collect import replace, said_of  # noqa: E402
from grader.rebuild import Unreadable  # noqa: E402
from grader.sandbox import Gone, Sandbox, Sandboxed  # noqa: E402
from make_homework import FOLDER, assignments  # noqa: E402

SETTINGS = """import sys

sys.path.insert(0, {folder!r})
load_subconfig("nbgrader_config.py", path={folder!r})
c = get_config()
# Your own settings, such as the time that a cell may take, or what being late costs:
# c.Sandboxed.cell = 30
# c.LateSubmissionPlugin.penalty_method = "zero"
"""
NO_BWRAP = """bubblewrap is not installed, without which a submission may read, change and send what
you may. On Linux install the package bubblewrap; elsewhere grade in a virtual machine. UNSAFE=1
runs submissions without it"""


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
        self.root, self.lock = (
            Path(root).resolve(),
            threading.Lock(),
        )  # one at a time in the gradebook
        self.root.mkdir(parents=True, exist_ok=True)
        if not (self.root / "source").exists():
            shutil.copytree(FOLDER / "source", self.root / ".source", dirs_exist_ok=True)
            os.replace(self.root / ".source", self.root / "source")
        if not (self.root / "nbgrader_config.py").exists():
            replace(self.root / "nbgrader_config.py", SETTINGS.format(folder=str(FOLDER)))
        self.config = PyFileConfigLoader("nbgrader_config.py", path=str(self.root)).load_config()
        self.config.CourseDirectory.root = str(self.root)
        self.config.CourseDirectory.db_url = f"sqlite:///{self.root / 'gradebook.db'}"
        self.config.Sandboxed.unsafe = unsafe
        self.names = assignments(self.root)
        if not (self.root / "gradebook.db").exists():  # it appears when it is whole
            (self.root / ".new.db").unlink(missing_ok=True)
            self.gradebook(f"sqlite:///{self.root / '.new.db'}").close()
            os.replace(self.root / ".new.db", self.root / "gradebook.db")

    def gradebook(self, url=None):
        """nbgrader's gradebook, to be used in a `with`."""
        own = self.config.CourseDirectory
        return Gradebook(url or own.db_url, own.course_id)

    def path(self, kind, student, name):
        """The notebook of a submission in ``submitted/`` or ``autograded/``."""
        return self.root / kind / student / name / f"{name}.ipynb"

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
        place = self.root / kind / student / name
        place.mkdir(parents=True, exist_ok=True)
        for path in (self.root / ".new" / kind / student / name).iterdir():
            os.replace(path, place / path.name)

    def version(self, name):
        """What changes with the source of an assignment."""
        parts = [path.read_bytes() for path in sorted((self.root / "source" / name).iterdir())]
        return sha256(b"".join(parts)).hexdigest()

    def release(self):
        """Enter assignments that are new or changed into the gradebook, and make their release."""
        for name in self.names:
            made = self.root / "release" / name / ".made"
            if not made.is_file() or made.read_text() != self.version(name):
                with self.writing():
                    self.convert(GenerateAssignment, ".", name, "release")
                self.settle("release", ".", name)
                replace(made, self.version(name))

    def graded(self, student, name):
        """Whether what counts now is graded, by the tests that count now."""
        done = said_of(self.path("autograded", student, name))
        same = done.get("was") == said_of(self.path("submitted", student, name)).get("was")
        return same and done.get("by") == self.version(name)

    def execute(self, student, name):
        """Execute a submission in the sandbox; nothing is written."""
        own = CourseDirectory(config=self.config, student_id=student, assignment_id=name)
        converter, path = Autograde(coursedir=own), str(self.path("submitted", student, name))
        exporter = NotebookExporter(parent=converter, config=self.config)
        exporter._preprocessors = []
        for step in self.config.Autograde.sanitize_preprocessors:
            exporter.register_preprocessor(step)
        with self.lock:
            resources = converter.init_single_notebook_resources(path)
            text, resources = exporter.from_filename(path, resources=resources)
        notebook = nbformat.reads(text, as_version=4)
        notebook.metadata.treelab.by = self.version(name)
        return Sandboxed(parent=exporter, config=self.config).preprocess(notebook, resources)[0]

    def enter(self, student, name, notebook):
        """Let nbgrader score an executed notebook and write its feedback."""
        Sandboxed.ready[student, name] = notebook
        with self.lock:
            shutil.rmtree(self.root / ".new", ignore_errors=True)
            with self.writing():
                self.convert(Autograde, student, name, "autograded")
            self.feedback(student, name, ".new/")
            self.settle("autograded", student, name)

    def feedback(self, student, name, taken=""):
        """Write the feedback on a submission, if its points or comments are others than before."""
        with self.gradebook() as book:
            submission = book.find_submission(name, student)
            own = submission.notebooks[0]
            said = [(g.name, g.score, g.max_score) for g in own.grades]
            said = repr(
                [*said, *((c.name, c.comment) for c in own.comments), own.late_submission_penalty]
            )
        made = self.root / "feedback" / student / name / ".made"
        if taken or not made.is_file() or made.read_text(encoding="utf-8") != said:
            self.convert(GenerateFeedback, student, name, "feedback", taken)
            self.settle("feedback", student, name)
            replace(made, said)

    def back_up(self):
        """Copy the gradebook to ``backups/``, under the next number."""
        folder = self.root / "backups"
        folder.mkdir(exist_ok=True)
        part = folder / f".{len(list(folder.glob('*.db'))) + 1:05d}.db"
        part.unlink(missing_ok=True)
        with contextlib.closing(sqlite3.connect(self.root / "gradebook.db")) as old:
            with contextlib.closing(sqlite3.connect(part)) as new:
                old.backup(new)
        os.replace(part, folder / part.name[1:])

    def enrol(self, students):
        """Enter students into the gradebook, from `collect.read_roster` or `collect.find`."""
        with self.gradebook() as book:
            for who, own in students.items():
                known = {"first_name": own.get("first"), "last_name": own.get("last") or own["name"],
                         "email": own.get("email"), "lms_user_id": own.get("number")}  # fmt: skip
                known = {key: text.replace(",", " ") for key, text in known.items() if text}
                book.update_or_create_student(who, **known)


def unfit(course):
    """Why no notebook can be graded here; empty where one that asks for treelab runs through."""
    limits = Sandboxed(config=course.config)
    if not limits.unsafe and not shutil.which("bwrap"):
        return NO_BWRAP
    with Sandbox([], limits) as sandbox:
        try:
            sandbox.ask(60)
            said = sandbox.ask(60, do="test", source="pass", seconds=60, names=[])
            return "" if said["error"] == "Tampered" else f"{said['error']}: {said['message']}"
        except Gone as reason:
            return f"the sandbox does not start: {reason}"


def grade(course, found, wanted, at_once=2):
    """Grade what is new or changed, each submission on its own; how many were graded.

    Parameters
    ----------
    course : Course
    found : collect.Found
        Its notes get what cannot be graded.
    wanted : callable
        Whether the submission of a student to an assignment is asked for.
    at_once : int, default=2
        How many submissions run at a time.

    Returns
    -------
    int
    """
    hand_ins = [h for h in found.hand_ins if wanted(h.student, h.assignment)]
    with course.gradebook() as book:
        due = {assignment.name: assignment.duedate for assignment in book.assignments}
    last = {(h.student, h.assignment): h for h in hand_ins}
    for h in hand_ins:
        try:
            collect.take(h, course.root, h is last[h.student, h.assignment], due[h.assignment])
        except Unreadable as reason:
            found.note(h.student, f"{h.assignment} is not graded: {reason}")
    places = sorted((course.root / "submitted").glob("*/*/*.ipynb"))
    todo = [path.parts[-3:-1] for path in places if wanted(*path.parts[-3:-1])]
    todo, done = [own for own in todo if not course.graded(*own)], 0
    with ThreadPoolExecutor(at_once) as pool:
        running = {pool.submit(course.execute, *own): own for own in todo}
        for future in as_completed(running):
            own = running[future]
            try:
                course.enter(*own, future.result())
                done += 1
                print(f"[{done}/{len(todo)}] {' '.join(own)}", flush=True)
            except Exception as error:  # of the grader itself: the others go on
                found.note(own[0], f"{own[1]} is not graded: {type(error).__name__}: {error}")
    return done


def main(arguments=None):
    """The command."""
    parser = argparse.ArgumentParser(description="Grade a course with nbgrader.")
    parser.add_argument("submissions", type=Path, nargs="?", help="a folder, or a download")
    parser.add_argument("--course", type=Path, default=Path("course"), help="the course folder")
    parser.add_argument("--roster", type=Path, help="a CSV with the students; it is kept")
    parser.add_argument("--student", help="only this one")
    parser.add_argument("--assignment", help="only this one")
    parser.add_argument("--at-once", type=int, default=2, help="submissions at a time (2)")
    parser.add_argument("--unsafe", action="store_true", help="run submissions unprotected")
    given = parser.parse_args(arguments)
    place, folder = given.course.resolve(), given.submissions and given.submissions.resolve()
    if "_build" in place.parts:
        parser.error(f"{place} is inside _build, which `make book` empties: name another COURSE")
    if folder and not folder.is_dir():
        parser.error(f"{folder} is not a folder")
    if folder and place.is_relative_to(folder):
        parser.error(f"{place} is inside the folder of submissions: name another COURSE")
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # for alembic
    logging.getLogger("traitlets").setLevel(logging.CRITICAL)  # `Found.notes` says what matters
    warnings.filterwarnings("ignore", module="nbgrader")
    place.mkdir(parents=True, exist_ok=True)
    with open(place / ".lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            course, kept = Course(place, given.unsafe), place / "roster.csv"
            if given.assignment not in (None, *course.names):
                parser.error(f"the assignments are {', '.join(course.names)}")
            course.back_up()
            path = given.roster or kept
            roster = collect.read_roster(path) if given.roster or kept.is_file() else {}
        except (ValueError, OSError) as reason:
            parser.error(f"nothing was graded: {reason}")
        if given.roster:
            replace(kept, given.roster.read_bytes())
        course.enrol(roster)
        course.release()
        found, done = collect.Found(), 0
        if folder:
            if reason := unfit(course):
                parser.error(f"nothing was graded: {reason}.")
            found = collect.find(folder, course.names, roster)
            course.enrol(found.students)
            asked = given.student, given.assignment
            done = grade(
                course,
                found,
                lambda *own: all(a in (None, o) for a, o in zip(asked, own)),
                given.at_once,
            )
        waiting = exports.write(course, roster, found.notes)
    print(*(f"{name}: {'; '.join(odd)}" for name, odd in found.notes.items() if odd), sep="\n")
    print(f"{done} submissions graded, {waiting} wait for a person; tables: {place / 'exports'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
