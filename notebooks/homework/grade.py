"""Grade a folder of submissions: ``python grade.py SUBMISSIONS --out DIR``.

SUBMISSIONS holds a folder for each student, and in it ``hwN.ipynb`` or ``hwN/hwN.ipynb``. Nothing
in it is changed. DIR gets ``grades.csv`` (a line for each graded cell), ``summary.csv`` (a line
for each student and assignment) and ``feedback/<student>/hwN.html``. The page "Homework" of the
book says how, and what it does not protect against.
"""

import argparse
import queue
import sys
import threading
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent))

from grader import confine, report  # noqa: E402
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
        result.status, result.message = "not graded", "; ".join([str(reason), *notes])
        outcomes = [Outcome("not run", message=str(reason)) for _ in steps]
    result.answers = answers
    result.rows, result.outcomes = report.judge(assignment, answers, steps, outcomes)
    return result


def grade(folder, course, limits, at_once=2, done=None):
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

    def serve():
        nursery = Nursery()
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

    threads = [threading.Thread(target=serve, daemon=True) for _ in range(at_once)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    others = {name: odd for name, odd in notes.items() if name not in students}
    return [results[key] for key in sorted(results)], others


def write_page(result, course, out):
    """Write the feedback page of a result into the folder `out`."""
    place = Path(out) / "feedback" / result.student
    place.mkdir(parents=True, exist_ok=True)
    text = report.page(result, course[result.assignment])
    (place / f"{result.assignment}.html").write_text(text, encoding="utf-8")


def write_tables(results, notes, out):
    """Write ``grades.csv`` and ``summary.csv`` into the folder `out`.

    Parameters
    ----------
    results : list of Result
    notes : dict of str to list of str
    out : Path
    """
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    report.write_csv(out / "grades.csv", report.COLUMNS, report.table_rows(results))
    rows = list(report.summary_rows(results))
    rows += [(name, "", 0, "", "", "not graded", "; ".join(odd)) for name, odd in notes.items()]
    report.write_csv(out / "summary.csv", report.SUMMARY, rows)


def unfit(limits):
    """Why no notebook can be graded here; empty where a test that asks nothing passes.

    Parameters
    ----------
    limits : Limits

    Returns
    -------
    str
    """
    nursery = Nursery()
    session = Session(nursery, limits, {}, [])
    try:
        session.start()
        outcome = session.test("pass")  # loads `treelab.checkers`, as every test does
    except (Gone, ImportError) as error:
        return str(error)
    finally:
        session.close()
        nursery.close()
    return "" if outcome.status == "ok" else f"{outcome.error}: {outcome.message}"


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
    limits = Limits(cell=given.cell, submission=given.submission, memory=given.memory)
    course = {n: Assignment.read(given.course / "source" / n) for n in assignments(given.course)}
    if not course:
        parser.error(f"{given.course} has no assignments")
    print("Protection here:", confine.protection())
    reason = unfit(limits)
    if reason:
        parser.error(
            f"nothing was graded, as notebooks cannot run here ({reason}). Install the treelab of "
            f"this book for {sys.executable}."
        )
    keep_to_one_core_each(given.at_once)

    def done(result, number, total, seconds):
        write_page(result, course, given.out)
        points = f"{result.points:g} of {result.most(False):g} points"
        print(f"[{number}/{total}] {result.student} {result.assignment}: {points}, {seconds:.0f} s")

    results, notes = grade(given.submissions, course, limits, given.at_once, done)
    write_tables(results, notes, given.out)
    for name, odd in notes.items():
        print(f"{name}: {'; '.join(odd)}")
    print(f"{len(results)} submissions graded: {given.out}/summary.csv, grades.csv, feedback/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
