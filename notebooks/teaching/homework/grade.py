"""Grade a folder of submissions: ``python grade.py SUBMISSIONS --out DIR``.

SUBMISSIONS holds a folder for each student, and in it ``hwN.ipynb`` or ``hwN/hwN.ipynb``. Nothing
in it is changed. DIR gets ``grades.csv`` (a line for each graded cell), ``summary.csv`` (a line
for each student and assignment) and ``feedback/<student>/hwN.html``. Points that a person has
entered in ``grades.csv`` survive the next run, and what is graded is written at once. The page
"Homework" of the book says how, and what it does not protect against.
"""

import argparse
import hashlib
import queue
import sys
import threading
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent))

from grader import confine, report  # noqa: E402
from grader.ledger import Ledger, Unusable, replace  # noqa: E402
from grader.session import Gone, Limits, Nursery, Outcome, Session, run_all  # noqa: E402
from grader.submissions import (  # noqa: E402
    Answers,
    Assignment,
    Unreadable,
    answers_in,
    find,
    read,
    steps_for,
)
from make_homework import FOLDER, assignments  # noqa: E402


def grade_one(student, path, assignment, limits, nursery, notes=()):
    """Grade one submission; whatever is wrong with it stands in the result.

    Parameters
    ----------
    student : str
    path : Path or None
        The notebook; None where nothing was handed in.
    assignment : Assignment
    limits : Limits
    nursery : Nursery
    notes : sequence of str, default=()
        What is odd about the student's folder.

    Returns
    -------
    Result
    """
    result = report.Result(student, assignment.name)
    answers, steps, outcomes = Answers(), steps_for(Answers(), assignment), []
    try:
        if path is None:
            raise Unreadable("nothing was handed in")
        answers = answers_in(read(path), assignment)
        result.submission = f"n-{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
        steps = steps_for(answers, assignment)
        session = Session(nursery, limits, assignment.files, assignment.modules)
        try:
            outcomes = run_all(steps, session)
        finally:
            session.close()
        if "tampered" in {outcome.status for outcome in outcomes}:
            answers.notes.insert(0, "the tests were tampered with: read the notebook")
        stopped = report.stopped(steps, outcomes)
        result.message = "; ".join([*answers.notes, *stopped, *notes])
    except Unreadable as reason:
        result.status, result.submission = "not graded", ""
        result.message = "; ".join([str(reason), *notes])
        outcomes = [Outcome("not run", message=str(reason)) for _ in steps]
    result.answers = answers
    result.rows, result.outcomes = report.judge(assignment, answers, steps, outcomes)
    return result


def grade(folder, course, limits, at_once=2, done=None, nursery=None):
    """Grade every submission in a folder.

    Parameters
    ----------
    folder : Path
        One folder for each student.
    course : dict of str to Assignment
    limits : Limits
    at_once : int, default=2
        How many submissions run at a time.
    done : callable or None, default=None
        Called with each result as soon as it is there, with their number so far, the number of all,
        and the seconds it took; the figures of the result are dropped afterwards.
    nursery : Nursery or None, default=None
        One that is there already, for the first of those at a time; it is closed in the end.

    Returns
    -------
    results : list of Result
        For every student and every assignment that anybody has handed in.
    notes : dict of str to list of str
        What lies in the folder and is no student's.
    """
    found, notes = find(folder, course)
    students = sorted(p.name for p in Path(folder).iterdir() if p.is_dir() and not p.is_symlink())
    students = [name for name in students if not name.startswith(".")]
    handed_in = sorted({name for _, name in found} or course)
    work, results, lock = queue.SimpleQueue(), {}, threading.Lock()
    for name in handed_in:
        for student in students:
            work.put((student, name))

    def serve(nursery):
        try:
            while True:
                try:
                    student, name = work.get_nowait()
                except queue.Empty:
                    return
                begun = time.monotonic()
                try:
                    path, odd = found.get((student, name)), notes[student]
                    result = grade_one(student, path, course[name], limits, nursery, odd)
                except Exception as error:  # of the grader itself: the others go on
                    nursery.close()
                    result = report.Result(student, name, "not graded")
                    result.message = f"the grader failed: {type(error).__name__}: {error}"
                    steps = steps_for(Answers(), course[name])
                    ends = [Outcome("not run", message=result.message) for _ in steps]
                    result.rows, _ = report.judge(course[name], Answers(), steps, ends)
                with lock:
                    results[student, name] = result
                    if done:
                        total = len(students) * len(handed_in)
                        done(result, len(results), total, time.monotonic() - begun)
                    for outcome in result.outcomes.values():
                        outcome.images = []
        finally:
            nursery.close()

    nurseries = [nursery or Nursery(), *(Nursery() for _ in range(at_once - 1))]
    threads = [threading.Thread(target=serve, args=[n], daemon=True) for n in nurseries]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    others = {name: odd for name, odd in notes.items() if name not in students}
    return [results[key] for key in sorted(results)], others


def write_page(result, course, out):
    """Write the feedback page of a result into the folder `out`."""
    path = Path(out) / "feedback" / result.student / f"{result.assignment}.html"
    replace(path, report.page(result, course[result.assignment]))


def write_tables(results, notes, out):
    """Enter results into ``grades.csv`` and ``summary.csv`` in the folder `out`.

    Parameters
    ----------
    results : list of Result
    notes : dict of str to list of str
    out : Path
    """
    ledger = Ledger(out)
    for result in results:
        ledger.enter(result)
    ledger.save(notes)


def misplaced(out, submissions):
    """Why no grades should be kept in the folder `out`; empty where nothing speaks against it.

    Parameters
    ----------
    out, submissions : Path

    Returns
    -------
    str
    """
    if "_build" in out.resolve().parts:
        return "is inside _build, which `make book` empties"
    if out.resolve().is_relative_to(submissions.resolve()):
        return "is inside the folder of submissions, where every folder is a student's"
    return ""


def unfit(limits, nursery):
    """Why no notebook can be graded here; empty where a test that asks nothing passes.

    Parameters
    ----------
    limits : Limits
    nursery : Nursery
        It stays open where notebooks can be graded.

    Returns
    -------
    str
    """
    session = Session(nursery, limits, {}, [])
    try:
        session.start()
        outcome = session.test("pass")  # loads `treelab.checkers`, as every test does
        reason = "" if outcome.status == "ok" else f"{outcome.error}: {outcome.message}"
    except (Gone, ImportError) as error:
        reason = str(error)
    finally:
        session.close()
    if reason:
        nursery.close()
    return reason


def keep_to_one_core_each(at_once):
    """Use no more cores than submissions at a time, where the system lets a process choose."""
    try:
        cores = psutil.Process().cpu_affinity()
        psutil.Process().cpu_affinity(cores[: max(1, at_once)])
    except (AttributeError, OSError):
        return


def main(arguments=None):
    """The command."""
    limits = Limits()
    parser = argparse.ArgumentParser(description="Grade a folder of homework.")
    parser.add_argument("submissions", type=Path, help="a folder with a folder for each student")
    parser.add_argument("--out", type=Path, default=Path("grades"), help="where the results go")
    parser.add_argument("--course", type=Path, default=FOLDER, help="the course folder")
    parser.add_argument("--at-once", type=int, default=2, help="submissions at a time (2)")
    parser.add_argument("--cell", type=float, default=limits.cell, help="seconds for a cell (30)")
    parser.add_argument(
        "--submission", type=float, default=limits.submission, help="seconds for a notebook (600)"
    )
    parser.add_argument("--memory", type=int, default=limits.memory, help="MB (3000)")
    given = parser.parse_args(arguments)
    if not given.submissions.is_dir():
        parser.error(f"{given.submissions} is not a folder")
    if misplaced(given.out, given.submissions):
        why = misplaced(given.out, given.submissions)
        parser.error(f"{given.out} {why}: name another one, such as --out grades")
    try:
        ledger = Ledger(given.out)
    except Unusable as reason:
        parser.error(str(reason))
    limits = Limits(cell=given.cell, submission=given.submission, memory=given.memory)
    course = {n: Assignment.read(given.course / "source" / n) for n in assignments(given.course)}
    if not course:
        parser.error(f"{given.course} has no assignments")
    print("Protection here:", confine.protection())
    keep_to_one_core_each(given.at_once)
    nursery = Nursery()
    reason = unfit(limits, nursery)
    if reason:
        parser.error(
            f"nothing was graded, as notebooks cannot run here ({reason}). Install the treelab of "
            f"this book for {sys.executable}."
        )

    def done(result, number, total, seconds):
        if ledger.enter(result):
            write_page(result, course, given.out)
        ledger.save()
        points = f"{result.points:g} of {result.most(False):g} points"
        print(f"[{number}/{total}] {result.student} {result.assignment}: {points}, {seconds:.0f} s")

    results, notes = grade(given.submissions, course, limits, given.at_once, done, nursery)
    ledger.save(notes)
    for name, odd in notes.items():
        print(f"{name}: {'; '.join(odd)}")
    print(f"{len(results)} submissions graded: {given.out}/summary.csv, grades.csv, feedback/")
    print(*ledger.remarks, sep="\n", end="\n" if ledger.remarks else "")
    if ledger.others():
        names = ", ".join(" ".join(own) for own in ledger.others()[:20])
        print(f"{len(ledger.others())} grades stand from earlier runs: {names}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
