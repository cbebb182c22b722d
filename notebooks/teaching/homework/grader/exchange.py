"""What comes from other systems and goes back: rosters, hand-ins, tables.

Hand-ins stand in a folder with a folder for each student, or in a download of Canvas or Moodle.
Every version of a notebook is kept under ``collected/``; the last one counts and is written to
``submitted/``, where nbgrader looks for it, with ``timestamp.txt`` where the time is known.

In a table a field that a spreadsheet would take for a formula gets a quote before it, but in the
roster, which goes back to where it came from. There a grade that waits for a person is left as it
was.
"""

import csv
import io
import os
import re
from collections import defaultdict
from datetime import timedelta

import nbformat
from make_homework import graded_cells, mark
from nbgrader.preprocessors import AssignLatePenalties
from nbgrader.utils import parse_utc

# A file of Canvas, which numbers what is handed in again, and a folder of Moodle or of one's own.
CANVAS = re.compile(r"(?P<name>[^_]+)_(?P<late>LATE_)?(?P<number>\d+)_(?P<order>\d+)_"
                    r"(?P<file>.+?)(-(?P<again>\d+))?(\.ipynb)?")  # fmt: skip
FOLDER = re.compile(r"(?P<name>.+?)(_(?P<number>\d+)_assignsubmission_file_?)?")
# What the columns of a roster are called by Canvas, Moodle, Gradescope and others.
COLUMNS = {"login": ("student_id", "sis login id", "username", "sid", "id number"),
           "email": ("email", "email address"), "number": ("id", "identifier"),
           "name": ("student", "full name", "name"), "first": ("first name", "first_name"),
           "last": ("last name", "surname", "last_name")}  # fmt: skip


def replace(path, content):
    """Write a file in one step: whoever looks sees the old one whole, or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(content.encode(errors="replace") if isinstance(content, str) else content)
    os.replace(part, path)


def plain(name):
    """A name as it is compared: its letters and digits."""
    return "".join(c for c in name.casefold() if c.isalnum())


def login(text):
    """A text as a name in the gradebook."""
    return re.sub(r"[^\w.@-]", "-", text.strip("-."))


class Roster:
    """The students of a CSV with a header, however a spreadsheet has saved it.

    Parameters
    ----------
    path : Path
        A file that is not there names nobody.

    Raises
    ------
    ValueError
        If two students have the same login or address.
    """

    def __init__(self, path):
        text = path.read_text(encoding="utf-8-sig") if path.is_file() else ""
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        self.header, *self.rows = list(csv.reader(text.splitlines(), delimiter=delimiter)) or [[]]
        self.students, self.order, self.index = {}, [], defaultdict(set)
        for row in self.rows:
            known = {name.strip().casefold(): t.strip() for name, t in zip(self.header, row)}
            own = {k: next(filter(None, map(known.get, names)), "") for k, names in COLUMNS.items()}
            own["number"] = re.sub(r"\D", "", own["number"])
            names = own["name"], own["last"] + own["first"], own["first"] + own["last"]
            own["last"] = own["last"] or own["name"]
            who = login(own["login"] or own["email"] or own["number"] or own["name"])
            who = who * (plain(who) != "pointspossible")  # the line of Canvas below the header
            if who and who in self.students:
                raise ValueError(f"{path} has two students called {who!r}")
            for key in filter(None, (who, own["email"], own["number"], *map(plain, names))):
                self.index[key].add(who)
            self.students |= {who: own} if who else {}
            self.order.append(who)

    def find(self, name, number, notes):
        """Who is called so in the gradebook; a stranger becomes one of the students."""
        for key in (number, name, plain(name)):
            if len(self.index.get(key, ())) == 1:
                return next(iter(self.index[key]))
        who = login(f"{name}-{number}") or "unnamed"
        if self.students.get(who, {"last": name})["last"] != name:
            raise ValueError(f"{name!r} and another one would both be called {who!r}")
        if who not in self.students and self.header:
            notes[who].append("not in the roster")
        self.students[who] = {"last": name}
        return who


def find(folder, names, roster, notes):
    """The notebooks in a folder, by student and assignment.

    Parameters
    ----------
    folder : Path
    names : collection of str
        The assignments that there are.
    roster : Roster
        Who is not in it is added to its students.
    notes : dict of str to list of str
        Gets what is odd, by student or file.

    Returns
    -------
    list of (str, str, tuple, Path, bool)
        Student, assignment, order, file, and whether Canvas calls it late. They are sorted: of a
        student's notebooks for an assignment the last one counts.
    """
    found, wanted = [], ", ".join(f"{name}.ipynb" for name in sorted(names))
    for place in sorted(path for path in folder.iterdir() if not path.name.startswith(".")):
        title = place.name.encode(errors="replace").decode()  # in whichever way it was packed
        match = (FOLDER if place.is_dir() else CANVAS).fullmatch(title)
        if not match:
            notes[title].append("this is no student's folder, and is left out")
            continue
        own = defaultdict(str, match.groupdict(""))
        who = roster.find(own["name"], own["number"], notes)
        for path in sorted([*place.glob("*.ipynb"), *place.glob("[!.]*/*.ipynb")]) or [place]:
            name = own["file"] or path.stem
            if name in names and path.parent.name in (folder.name, place.name, name):
                order = int(own["order"] or 0), int(own["again"] or 0), len(path.parts)
                found.append((who, name, order, path, bool(own["late"])))
            else:
                notes[who].append(f"{path.name} has not the name of an assignment ({wanted})")
    return sorted(found)


def take(hand_ins, course, notes):
    """Keep all versions, and write the last that can be read where nbgrader looks for it.

    Parameters
    ----------
    hand_ins : list of tuple
        From `find`.
    course : Course
    notes : dict of str to list of str
        Gets what cannot be graded, by student.
    """
    with course.gradebook() as book:
        due = {assignment.name: assignment.duedate for assignment in book.assignments}
    for who, name, _, path, late in hand_ins:
        stamp, place = path.with_name("timestamp.txt"), course.root / "submitted" / who / name
        try:
            if path.resolve() != path or not path.is_file() or path.stat().st_size > 20e6:
                raise ValueError("a link, a folder or larger than 20 MB; clear its outputs")
            text = path.read_bytes().decode("utf-8-sig")
            "".join(cell.source for cell in nbformat.reads(text, as_version=4).cells)
            time = stamp.read_text(encoding="utf-8").strip() if stamp.is_file() else ""
            parse_utc(time or None)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"[:200]
            notes[who].append(f"{name} cannot be read, and what was there counts ({reason})")
            continue
        if late and not due[name]:
            notes[who].append(f"{name}: Canvas calls it late; enter the due date")
        elif late and not time:  # at least by a second
            time = f"{due[name] + timedelta(seconds=1)} UTC"
        versions = course.root / "collected" / name / who
        kept = [version.read_bytes() for version in sorted(versions.glob("*.ipynb"))]
        if text.encode() not in kept:
            replace(versions / f"{len(kept) + 1:04d}.ipynb", text)
        elif text.encode() != kept[-1]:
            notes[who].append(f"{name}: a version from before the last counts again")
        (place / "timestamp.txt").unlink(missing_ok=True)
        if time:
            replace(place / "timestamp.txt", time)
        replace(place / f"{name}.ipynb", text)


def table(path, columns, rows, guard="'"):
    """Write rows, each with as many values as there are columns."""
    file, risky = io.StringIO(newline=""), tuple("=+-@\t")
    for row in [columns, *rows]:
        texts = [f"{x:g}" if isinstance(x, float) else str(x).replace("\r", " ") for x in row]
        csv.writer(file).writerow([guard + t if t.startswith(risky) else t for t in texts])
    replace(path, file.getvalue())


def write(course, roster, notes, only=None):
    """Write all tables into ``exports/``, after penalties for being late have been computed anew.

    Parameters
    ----------
    course : Course
    roster : Roster
    notes : dict of str to list of str
        What this run found odd, by student or file; what is noted in notebooks is added.
    only : str or None, default=None
        The assignment to which a column "Grade" of the roster belongs.

    Returns
    -------
    int
        How many submissions wait for a person.
    """
    folder, points, waiting = course.root / "exports", defaultdict(dict), set()
    hints = defaultdict(list)
    plugin = AssignLatePenalties().plugin_class(config=course.config)
    with course.gradebook() as book:
        most = {a.name: a.max_score for a in book.assignments if a.submissions}
        names = {s.id: f"{s.first_name or ''} {s.last_name or ''}".strip() for s in book.students}
        for submission in (s for name in most for s in book.assignment_submissions(name)):
            who, name = submission.student_id, submission.name
            stamp = course.path("submitted", who, name).with_name("timestamp.txt")
            known = stamp.read_text(encoding="utf-8") if stamp.is_file() else None
            submission.timestamp = parse_utc(known)
            late, own = submission.total_seconds_late, submission.notebooks[0]
            penalty = plugin.late_submission_penalty(who, own.score, late) if late else None
            own.late_submission_penalty = min(max(penalty or 0, 0), own.score)
            points[who][name] = own.score - own.late_submission_penalty
            waiting |= {(who, name)} if submission.needs_manual_grade else set()
            if course.path("autograded", who, name).is_file():
                notebook = nbformat.read(course.path("autograded", who, name), as_version=4)
                for cell in graded_cells(notebook):
                    hint = cell.metadata.get("treelab", {}).get("message")
                    if hint and hint != "not done yet":
                        hints[name, mark(cell)["grade_id"], hint].append(who)
                odd = notebook.metadata.get("treelab", {"notes": []})["notes"]
                if late:
                    odd.append("late" + f" by {late / 3600:.1f} hours" * (late >= 180))
                notes[who] += [text for o in odd if (text := f"{name}: {o}") not in notes[who]]
        book.db.commit()
    odd = [(name, "; ".join(texts)) for name, texts in sorted(notes.items()) if texts]
    table(folder / "notes.csv", ("student", "notes"), odd)
    often = sorted(hints.items(), key=lambda item: (item[0][0], -len(item[1])))
    rows = [(*where, len(whose), hint, " ".join(whose)) for (*where, hint), whose in often]
    table(folder / "mistakes.csv", ("assignment", "cell", "students", "hint", "who"), rows)
    rows = [(who, name, *(points[who].get(n, "") for n in most), sum(points[who].values()),
             sum(most.values())) for who, name in names.items()]  # fmt: skip
    table(folder / "final.csv", ("student", "name", *most, "total", "max"), rows)
    for name in most if roster.header else ():  # Canvas calls a column "hw1 (12345)"
        known = rf"{name}\b|Grade$" if name == only else rf"{name}\b"
        own = [k for k, title in enumerate(roster.header) if re.match(known, title.strip())]
        place = own[0] if own else len(roster.header)
        roster.header += [] if own else [name]
        for who, row in zip(roster.order, roster.rows):
            row += [""] * (len(roster.header) - len(row))
            grade = points[who].get(name) if who else most[name]
            if grade is not None and (who, name) not in waiting:
                row[place] = f"{grade:g}"
    if roster.header:
        table(folder / "roster_with_grades.csv", roster.header, roster.rows, guard="")
    return len(waiting)
