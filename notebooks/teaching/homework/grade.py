"""Grade a course with nbgrader: ``python grade.py [SUBMISSIONS] --course COURSE``.

COURSE is a course folder of nbgrader, and made where there is none. SUBMISSIONS is a folder with a
folder for each student, or what Canvas or Moodle give to download; nothing in it is changed. Each
notebook that is new or another one than before is executed in a sandbox, and scored by nbgrader's
own converter; ``--feedback`` lets another one write the pages. Points that people give in
nbgrader's form grader stay. A run that is interrupted goes on with the next one. The page
"Homework" of the book says more.
"""

import argparse
import contextlib
import fcntl
import functools
import json
import locale
import logging
import os
import shutil
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from random import random
from unittest import mock

import jinja2
import nbformat
import sqlalchemy
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment, GenerateFeedback, NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets.config import PyFileConfigLoader

sys.path.insert(0, str(Path(__file__).resolve().parent))

from grader import exchange, sandbox  # noqa: E402
from make_homework import FOLDER, assignments  # noqa: E402

SETTINGS = 'load_subconfig("nbgrader_config.py", path={!r})\n# such as: c.Sandboxed.cell = 30\n'
# The templates of the feedback are compiled once, and not for each student.
TEMPLATES = functools.partial(jinja2.Environment, bytecode_cache=jinja2.FileSystemBytecodeCache())
NO_BWRAP = "bubblewrap (0.8 or newer) is not installed; UNSAFE=1 runs submissions with your rights"


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
        self.root = Path(root).resolve()
        source, settings = self.root / "source", self.root / "nbgrader_config.py"
        if not source.exists():
            given, own = shutil.ignore_patterns("_*"), self.root / ".source"
            shutil.copytree(FOLDER / "source", own, ignore=given, dirs_exist_ok=True)
            os.replace(own, source)
        if not settings.exists():
            exchange.replace(settings, SETTINGS.format(str(FOLDER)))
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
        return Gradebook(self.config.CourseDirectory.db_url, self.config.CourseDirectory.course_id)

    @functools.cached_property
    def engine(self):
        """What opens the gradebook for converters, and knows how to write what it has written."""
        return sqlalchemy.create_engine(
            self.config.CourseDirectory.db_url, poolclass=sqlalchemy.NullPool
        )

    def convert(self, converter, student, name, kind):
        """Run a converter of nbgrader; what it writes is there as a whole, or not at all.

        All its sessions of the gradebook join one transaction, as the manual of SQLAlchemy has it
        for test suites. The folder that it writes is put into place after that.
        """
        own = CourseDirectory(config=self.config, student_id=student, assignment_id=name)
        setattr(own, f"{kind}_directory", f".new/{kind}")
        with (
            self.engine.begin() as connection,
            mock.patch("nbgrader.api.create_engine", return_value=connection),
            mock.patch("nbconvert.exporters.templateexporter.Environment", TEMPLATES),
        ):
            connection.dispose = lambda: None
            converter(coursedir=own, config=self.config, force=True).start()
        place = self.root / kind / student / name
        shutil.rmtree(place, ignore_errors=True)
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(self.root / ".new" / kind / student / name, place)

    def release(self):
        """Enter assignments that are new or changed into the gradebook, and make their release."""
        for name in self.names:
            made, now = self.root / "release" / name / ".made", sandbox.version(self.root, name)
            if not made.is_file() or made.read_text(encoding="utf-8") != now:
                made.unlink(missing_ok=True)
                try:
                    self.convert(GenerateAssignment, ".", name, "release")
                except NbGraderException:
                    raise ValueError(f"{name} has other cells than were graded") from None
                exchange.replace(made, now)

    def graded(self, student, name):
        """Whether what counts now is graded, by the tests that count now."""
        path = self.path("autograded", student, name)
        known = path.is_file() and nbformat.read(path, as_version=4).metadata.get("treelab")
        return bool(known) and known.version == sandbox.version(self.root, name, student)

    def execute(self, student, name):
        """Execute a submission in the sandbox; nothing is written."""
        notebook = nbformat.read(self.path("submitted", student, name), as_version=4)
        own = {"nbgrader": {"student": student, "assignment": name}}
        return sandbox.Sandboxed(config=self.config).preprocess(notebook, own)[0]

    def enter(self, student, name, notebook):
        """Let nbgrader score an executed notebook."""
        sandbox.Sandboxed.ready[student, name] = notebook
        # Until it is there again, the gradebook may know more than this notebook.
        self.path("autograded", student, name).unlink(missing_ok=True)
        self.convert(Autograde, student, name, "autograded")

    def enrol(self, students):
        """Enter students into the gradebook; who is there keeps what no roster says."""
        with self.gradebook() as book:
            there = {student.id for student in book.students}
            for who, own in students.items():
                said = zip(("first_name", "last_name", "email"), ("first", "last", "email"))
                said = {key: own.get(k, "").replace(",", " ").split() for key, k in said}
                if who not in there or "login" in own:
                    known = {key: " ".join(words) for key, words in said.items() if words}
                    book.update_or_create_student(who, **known)

    def number(self, students):
        """Give a number to each of these students who has none, in ``numbers.csv``."""
        path, there = self.root / "numbers.csv", sandbox.numbers(self.root)
        # The tests of the project look at 0 to 299: these come first.
        free = sorted({*range(1, 10_000)} - {*there.values()}, key=lambda n: (n > 299, random()))
        lines = [f"{who},{n}" for who, n in zip(sorted(set(students) - set(there)), free)]
        if lines:
            old = path.read_text(encoding="utf-8-sig") if path.is_file() else "student,number"
            exchange.replace(path, "\n".join([old.rstrip("\n"), *lines, ""]))


def grade(course, todo, notes):
    """Grade submissions, each on its own and some at a time.

    Parameters
    ----------
    course : Course
    todo : list of (str, str)
        Students and assignments.
    notes : dict of str to list of str
        Gets what is not graded, by student.

    Raises
    ------
    ValueError
        If there is no sandbox here.
    """
    limits = sandbox.Sandboxed(config=course.config)
    if todo and not (limits.unsafe or shutil.which("bwrap")):
        raise ValueError(NO_BWRAP)
    with ThreadPoolExecutor(os.cpu_count()) as pool, contextlib.ExitStack() as stack:
        stack.callback(pool.shutdown, wait=False, cancel_futures=True)  # when it is interrupted
        running = {pool.submit(course.execute, *own): own for own in todo}
        for place, future in enumerate(as_completed(running), 1):
            who, name = running[future]
            try:
                course.enter(who, name, future.result())
                print(f"[{place}/{len(todo)}] {who} {name}", flush=True)
            except Exception as error:  # of the grader itself: the others go on
                notes[who].append(f"{name} is not graded: {type(error).__name__}: {error}")


def main(arguments=None):
    """The command."""
    parser = argparse.ArgumentParser(description="Grade a course with nbgrader.")
    parser.add_argument("submissions", type=Path, nargs="?", help="a folder, or a download")
    parser.add_argument("--course", type=Path, default=Path("course"), help="the course folder")
    parser.add_argument("--roster", type=Path, help="a CSV with the students; it is kept")
    parser.add_argument("--student", default="*", help="only this one")
    parser.add_argument("--assignment", default="*", help="only this one")
    parser.add_argument("--feedback", action="store_true", help="write feedback; grade nothing")
    parser.add_argument("--unsafe", action="store_true", help="run submissions unprotected")
    given = parser.parse_args(arguments)
    place, folder = given.course.resolve(), given.submissions and given.submissions.resolve()
    if "_build" in place.parts or folder and place.is_relative_to(folder):
        parser.error(f"{place} is inside _build or the submissions: name another COURSE")
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # for alembic
    if locale.getencoding().lower() != "utf-8":  # in which alembic reads the path of the project
        os.environ["LC_ALL"] = "C.UTF-8"
    logging.getLogger("traitlets").setLevel(logging.CRITICAL)  # `notes` say what matters
    place.mkdir(parents=True, exist_ok=True)
    notes, chosen = defaultdict(list), f"{given.student}/{given.assignment}"
    with open(place / ".lock", "wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            course = Course(place, given.unsafe)
            course.release()
            roster = exchange.Roster(given.roster or place / "roster.csv")
            if given.roster:
                exchange.replace(place / "roster.csv", given.roster.read_bytes())
            if given.assignment not in ("*", *course.names):
                raise ValueError(f"the assignments are {', '.join(course.names)}")
            hand_ins = exchange.find(folder, course.names, roster, notes) if folder else []
            course.enrol(roster.students)
            course.number(filter(None, roster.order))
            exchange.take([h for h in hand_ins if Path(*h[:2]).match(chosen)], course, notes)
            handed = place / "collected" / "notes.json"  # of the last download
            if folder:
                exchange.replace(handed, json.dumps(notes))
            notes |= json.loads(handed.read_text(encoding="utf-8")) if handed.is_file() else {}
            paths = sorted((place / "submitted").glob(f"{chosen}/*.ipynb"))
            todo = [path.parts[-3:-1] for path in paths if not given.feedback]
            grade(course, [own for own in todo if not course.graded(*own)], notes)
        except BlockingIOError:
            parser.error(f"nothing was graded: another run is grading there, in {place}")
        except (ValueError, OSError) as reason:
            parser.error(f"nothing was graded: {reason}")
        waiting = exchange.write(course, roster, notes, given.assignment)
        for path in (place / "autograded").glob(f"{chosen}/*.ipynb") if given.feedback else ():
            course.convert(GenerateFeedback, *path.parts[-3:-1], "feedback")
    print(f"{waiting} submissions wait for a person; read {place}/exports/notes.csv")


if __name__ == "__main__":
    main()
