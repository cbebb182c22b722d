"""Writes tables from nbgrader's gradebook: for people, and a roster with grades for other systems.

A field that a spreadsheet would take for a formula gets a quote before it, but in the roster, which
goes back to where it came from. There a grade that waits for a person to read an answer is empty.
"""

import csv
import io
import os
import re
from collections import defaultdict

import nbformat
from make_homework import by_reading, graded_cells, mark, number, question_of
from nbgrader.plugins.export import CsvExportPlugin

from .collect import replace

WAITING = ("to be read", "changed since")
CELLS = "student", "assignment", "question", "cell", "points", "max", "status", "message", "by"


def table(path, columns, rows, guard="'"):
    """Write rows, each with as many values as there are columns."""
    file = io.StringIO(newline="")
    for row in [columns, *rows]:
        texts = [" ".join(str(text).split("\r")) for text in row]
        risky = tuple("=+-@\t")
        csv.writer(file).writerow([guard + t if t.startswith(risky) else t for t in texts])
    replace(path, file.getvalue())


def rows_of(submission, notebook):
    """A line of ``cells.csv`` for each graded cell of a submission that nbgrader has graded."""
    grades = {grade.name: grade for grade in submission.notebooks[0].grades}
    for cell in graded_cells(notebook):
        grade, read = grades[mark(cell)["grade_id"]], by_reading(cell)
        said = dict(cell.metadata.get("treelab", {"status": "not done", "message": ""}))
        if grade.manual_score is not None:
            said = {"status": WAITING[1] if grade.needs_manual_grade else "by hand", "message": ""}
        elif grade.needs_manual_grade:
            said["status"] = WAITING[0]
        points = "" if said["status"] == WAITING[0] else number(grade.score)
        own = submission.student_id, submission.name, question_of(grade.name), grade.name
        most, by = number(grade.max_score), "reading" if read else "tests"
        yield (*own, points, most, said["status"], said["message"], by)


def mistakes(rows):
    """How often each hint was given, and to whom; the most frequent of an assignment first."""
    who = defaultdict(list)
    for student, name, _, cell, _, _, status, message, _ in rows:
        if message and status != "not done":
            who[name, cell, message].append(student)
    for key in sorted(who, key=lambda key: (key[0], -len(who[key]))):
        yield (*key[:2], len(who[key]), key[2], " ".join(who[key]))


def write(course, roster, notes, only=None):
    """Write all tables into ``exports/``.

    Parameters
    ----------
    course : Course
    roster : collect.Roster
    notes : dict of str to list of str
        What this run found odd, by student or file; what is noted in notebooks is added.
    only : str or None, default=None
        The assignment to which a column "Grade" of the roster belongs.

    Returns
    -------
    int
        How many submissions wait for a person.
    """
    folder, rows, points = course.root / "exports", [], defaultdict(dict)
    folder.mkdir(exist_ok=True)
    with course.gradebook() as book:
        CsvExportPlugin(to=str(folder / ".grades.csv")).export(book)
        os.replace(folder / ".grades.csv", folder / "grades.csv")
        most = {a.name: a.max_score for a in book.assignments if a.submissions}
        names = {s.id: f"{s.first_name or ''} {s.last_name or ''}".strip() for s in book.students}
        for submission in (s for name in most for s in book.assignment_submissions(name)):
            own = submission.student_id, submission.name
            if course.path("autograded", *own).is_file():
                notebook = nbformat.read(course.path("autograded", *own), as_version=4)
                rows += rows_of(submission, notebook)
                said = notebook.metadata.get("treelab", {"notes": []})
                odd = [f"{own[1]}: {text}" for text in said["notes"]]
                if late := submission.total_seconds_late / 3600:
                    odd.append(f"{own[1]}: late" + f" by {late:.1f} hours" * (late >= 0.05))
                notes[own[0]] = list(dict.fromkeys([*notes[own[0]], *odd]))
                left = submission.score - submission.late_submission_penalty
                points[own[0]][own[1]] = max(0, left)
    table(folder / "cells.csv", CELLS, rows)
    odd = [(name, "; ".join(texts)) for name, texts in sorted(notes.items()) if texts]
    table(folder / "notes.csv", ("student", "notes"), odd)
    table(
        folder / "mistakes.csv", ("assignment", "cell", "students", "hint", "who"), mistakes(rows)
    )
    final = [[who, name, *(number(points[who].get(n, 0)) for n in most),
              number(sum(points[who].values())), number(sum(most.values()))]
             for who, name in names.items()]  # fmt: skip
    table(folder / "final.csv", ("student", "name", *most, "total", "max"), final)
    waiting = {row[:2] for row in rows if row[6] in WAITING}
    for who, name in waiting:
        del points[who][name]
    if roster.header:
        header, places = list(roster.header), {}
        for name in most:  # Canvas calls a column "hw1 (12345)"
            known = rf"{name}\b|Grade$" if name == only else rf"{name}\b"
            own = [i for i, title in enumerate(header) if re.match(known, title.strip())]
            places[name] = own[0] if own else len(header)
            header += [] if own else [name]
        lines = [[*row, *[""] * (len(header) - len(row))] for row in roster.rows]
        for who, line in zip(roster.order, lines):
            for name, place in places.items():
                known = points[who].get(name) if who else most[name]
                line[place] = line[place] if known is None else number(known)
        table(folder / "roster_with_grades.csv", header, lines, guard="")
    return len(waiting)
