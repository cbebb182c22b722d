"""Writes tables from nbgrader's gradebook: for people, and in the forms that other systems take.

A grade that waits for a person to read an answer is left empty in what goes to other systems. A
field that a spreadsheet would take for a formula gets a quote before it.
"""

import csv
import io
import os
from collections import defaultdict

import nbformat
from make_homework import by_reading, graded_cells, mark, number, question_of
from nbgrader.plugins.export import CsvExportPlugin

from .collect import replace

WAITING = ("to be read", "changed since")
CELLS = ("student", "assignment", "question", "cell", "points", "max", "status", "message", "by")
MISTAKES = ("assignment", "cell", "students", "hint", "who")
# For each system the columns before those of the assignments.
SYSTEMS = {
    "canvas": ("Student", "ID", "SIS User ID", "SIS Login ID", "Section"),
    "moodle": ("ID number", "Full name", "Email address"),
    "gradescope": ("First Name", "Last Name", "SID", "Email"),
}


def table(path, columns, rows):
    """Write a table of dictionaries; other keys than the columns are left out."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(columns)
    for row in rows:
        texts = (" ".join(str(row.get(name) or "").split("\r")) for name in columns)
        writer.writerow("'" + t if t[:1] in ("=", "+", "-", "@", "\t") else t for t in texts)
    replace(path, file.getvalue())


def rows_of(submission, notebook):
    """A line for each graded cell of a submission that nbgrader has graded."""
    grades = {grade.name: grade for grade in submission.notebooks[0].grades}
    for cell in graded_cells(notebook):
        grade, said = grades[mark(cell)["grade_id"]], cell.metadata.get("treelab", {})
        if grade.manual_score is not None:
            said = {"status": "changed since" if grade.needs_manual_grade else "by hand"}
        elif by_reading(cell):
            said = {"status": "to be read" if grade.needs_manual_grade else "not done"}
        points = "" if said["status"] == "to be read" else number(grade.score)
        yield {
            "student": submission.student_id, "assignment": submission.name,
            "question": question_of(grade.name), "cell": grade.name, "points": points,
            "max": number(grade.max_score), "by": "reading" if by_reading(cell) else "tests", **said,
        }  # fmt: skip


def about(student, own):
    """What the tables call a student, `own` in the roster."""
    name = f"{student.first_name or ''} {student.last_name or ''}".strip()
    name, code = own.get("name") or name, own.get("number") or student.lms_user_id or ""
    return {
        "student": student.id, "Student": name, "Full name": name, "ID": code,
        "Identifier": f"Participant {code}", "SIS User ID": own.get("sis"),
        "SIS Login ID": own.get("login"), "ID number": own.get("login"),
        "SID": own.get("login") or student.id, "Section": own.get("section"),
        "Email": student.email, "Email address": student.email,
        "First Name": student.first_name, "Last Name": student.last_name,
    }  # fmt: skip


def write(course, roster, notes):
    """Write all tables into ``exports/``, and feedback anew where points are others than before.

    Parameters
    ----------
    course : Course
    roster : dict of str to dict
    notes : dict of str to list of str
        What this run found odd, by student or file; what is noted in notebooks is added.

    Returns
    -------
    int
        How many submissions wait for a person.
    """
    folder, rows, totals = course.root / "exports", [], defaultdict(dict)
    folder.mkdir(exist_ok=True)
    with course.gradebook() as book:
        CsvExportPlugin(to=str(folder / ".grades.csv")).export(book)
        os.replace(folder / ".grades.csv", folder / "grades.csv")
        most = {a.name: a.max_score for a in book.assignments if a.submissions}
        students = {s.id: about(s, roster.get(s.id, {})) for s in book.students}
        for submission in (s for name in most for s in book.assignment_submissions(name)):
            who, name = submission.student_id, submission.name
            path = course.root / "autograded" / who / name / f"{name}.ipynb"
            if path.is_file():
                notebook = nbformat.read(path, as_version=4)
                rows += rows_of(submission, notebook)
                odd = [f"{name}: {text}" for text in notebook.metadata.treelab.notes]
                if submission.total_seconds_late > 0:
                    odd.append(
                        f"{name} is late by {submission.total_seconds_late / 3600:.1f} hours"
                    )
                notes[who] = list(dict.fromkeys([*notes.get(who, ()), *odd]))
                points = submission.score - submission.late_submission_penalty
                totals[who][name] = number(max(0, points))
    for who, points in totals.items():
        for name in points:
            course.feedback(who, name)
    table(folder / "cells.csv", CELLS, rows)
    odd = [{"student": who, "notes": "; ".join(texts)} for who, texts in sorted(notes.items())]
    table(folder / "notes.csv", ("student", "notes"), filter(lambda row: row["notes"], odd))
    who_got = defaultdict(list)
    for row in filter(lambda row: row.get("message"), rows):
        who_got[row["assignment"], row["cell"], row["message"]].append(row["student"])
    groups = sorted(who_got.items(), key=lambda group: (group[0][0], -len(group[1])))
    found = [(*key[:2], len(who), key[2], " ".join(who)) for key, who in groups]
    table(folder / "mistakes.csv", MISTAKES, [dict(zip(MISTAKES, row)) for row in found])
    sums = {who: number(sum(map(float, points.values()))) for who, points in totals.items()}
    full = number(sum(most.values()))
    final = [
        {**s, **totals[who], "total": sums.get(who, "0"), "max": full}
        for who, s in students.items()
    ]
    table(folder / "final.csv", ("student", "Full name", *most, "total", "max"), final)
    waiting = {(row["student"], row["assignment"]) for row in rows if row["status"] in WAITING}
    for who, name in waiting:
        totals[who][name] = ""
    shown = [{**s, **totals[who]} for who, s in students.items()]
    possible = {"Student": "    Points Possible", **{n: number(m) for n, m in most.items()}}
    for system, columns in SYSTEMS.items():
        first = [possible] if system == "canvas" else []
        table(folder / f"{system}.csv", (*columns, *most), first + shown)
    for name, points in most.items():
        columns = ("Identifier", *SYSTEMS["moodle"][1:], "Grade", "Maximum Grade")
        own = [
            {**s, "Grade": s.get(name), "Maximum Grade": number(points)} for s in shown if s["ID"]
        ]
        table(folder / f"moodle-{name}.csv", columns, own)
    return len(waiting)
