"""Finds what students handed in, in a folder of theirs or a download of Canvas or Moodle.

Every version of a notebook is kept under ``collected/``; the last one counts and is written to
``submitted/``, where nbgrader looks for it, with ``timestamp.txt`` where the time is known.
"""

import csv
import json
import os
import re
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import nbformat

from .rebuild import Unreadable, read

CANVAS = re.compile(r"(?P<name>[^_]+)_(?P<late>LATE_)?(?P<number>\d+)_(?P<order>\d+)_(?P<file>.+)")
MOODLE = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_file_?$")
AGAIN = re.compile(r"-(\d+)(?=\.ipynb$)")  # Canvas numbers a file that is handed in again
# What the columns of a roster are called by Canvas, Moodle, Gradescope and others.
COLUMNS = {
    "login": ("student_id", "sis login id", "username", "sid", "id number"),
    "number": ("id", "identifier"),
    "name": ("student", "full name", "name"),
    "first": ("first name", "first_name"),
    "last": ("last name", "surname", "last_name"),
    "email": ("email", "email address"),
    "sis": ("sis user id",),
    "section": ("section", "sections"),
}


@dataclass(order=True)
class HandIn:
    """A notebook that somebody handed in for an assignment; the greatest counts."""

    student: str
    assignment: str
    order: tuple
    path: Path
    late: bool = False


@dataclass
class Found:
    """What a folder holds: hand-ins in order; students; what is odd, by student or file."""

    hand_ins: list = field(default_factory=list)
    students: dict = field(default_factory=dict)
    notes: dict = field(default_factory=dict)

    def note(self, name, text):
        """Note what is odd."""
        self.notes.setdefault(name, []).append(text)


def replace(path, content):
    """Write a file in one step: whoever looks sees the old one whole, or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    with open(part, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def plain(name):
    """A name as it is compared: its letters and digits."""
    return "".join(c for c in name.casefold() if c.isalnum())


def read_roster(path):
    """The students of a roster, a CSV with a header, however a spreadsheet has saved it.

    Parameters
    ----------
    path : Path

    Returns
    -------
    dict of str to dict
        By the name that a student has in the gradebook: the fields of `COLUMNS`.

    Raises
    ------
    ValueError
        If it names nobody, or two students alike.
    """
    lines, students = path.read_text(encoding="utf-8-sig").splitlines(), {}
    delimiter = max(",;\t", key=(lines or [""])[0].count)
    for row in csv.reader(lines[1:], delimiter=delimiter):
        header = next(csv.reader(lines[:1], delimiter=delimiter))
        known = {name.strip().casefold(): text.strip() for name, text in zip(header, row)}
        own = {k: next(filter(None, map(known.get, names)), "") for k, names in COLUMNS.items()}
        own["name"] = own["name"] or f"{own['first']} {own['last']}".strip()
        if "," in own["name"] and not own["last"]:
            own["last"], own["first"] = (part.strip() for part in own["name"].split(",", 1))
        own["number"] = re.sub(r"\D", "", own["number"])
        who = re.sub(r"[^\w.@-]", "-", own["login"] or own["email"] or own["number"] or own["name"])
        if who in students:
            raise ValueError(f"{path} has two students called {who!r}")
        if plain(who) not in ("", "pointspossible"):  # the line of Canvas below the header
            students[who] = own
    if not students:
        raise ValueError(f"{path} names no student: it needs a column such as Email or Student")
    return students


def find(folder, names, roster):
    """The notebooks in a folder, by student and assignment.

    Parameters
    ----------
    folder : Path
    names : collection of str
        The assignments that there are.
    roster : dict of str to dict
        From `read_roster`; may be empty.

    Returns
    -------
    Found
    """
    found, index = Found(), {}
    for who, own in roster.items():
        names_of = own["name"], own["last"] + own["first"], own["first"] + own["last"]
        for key in {who, own["email"], own["number"], *map(plain, names_of)} - {""}:
            index.setdefault(key, set()).add(who)

    def student(name, number=""):
        for key in (number, name, plain(name)):
            if len(index.get(key, ())) == 1:
                return next(iter(index[key]))
        who = re.sub(r"[^\w.@-]", "-", f"{name}-{number}".strip("-")).lstrip(".")
        if roster and who not in found.students:
            found.note(who, "not in the roster")
        found.students[who] = {"name": name, "number": number}
        return who

    for place in sorted(folder.iterdir()):
        flat, moodle = CANVAS.match(place.name), MOODLE.match(place.name)
        if place.name.startswith("."):
            continue
        if place.is_symlink() or not (place.is_dir() or flat):
            found.note(place.name, "this is no student's folder, and is left out")
        elif place.is_dir():
            who = student(moodle["name"], moodle["number"]) if moodle else student(place.name)
            for path in [*place.glob("*.ipynb"), *place.glob("*/*.ipynb")]:
                order = (len(path.parts), str(path))
                if path.stem in names and path.parent in (place, place / path.stem):
                    found.hand_ins.append(HandIn(who, path.stem, order, path))
                else:
                    found.note(who, f"{path.relative_to(place)} {unknown(names)}")
        else:
            who, again = student(flat["name"], flat["number"]), AGAIN.search(place.name)
            name = AGAIN.sub("", flat["file"]).removesuffix(".ipynb")
            order = (int(flat["order"]), int(again[1]) if again else 0)
            if name in names:
                found.hand_ins.append(HandIn(who, name, order, place, bool(flat["late"])))
            else:
                found.note(who, f"{place.name} {unknown(names)}")
    found.hand_ins.sort()
    return found


def unknown(names):
    """What to say of a notebook that is called otherwise."""
    wanted = ", ".join(f"{name}.ipynb" for name in sorted(names))
    return f"has not the name of an assignment ({wanted})"


def take(hand_in, course, counts, due=None):
    """Keep a version of a notebook; if it counts, write it where nbgrader looks for it.

    Parameters
    ----------
    hand_in : HandIn
    course : Path
    counts : bool
    due : datetime or None, default=None
        When the assignment was due (UTC): what only Canvas calls late was a second late.

    Raises
    ------
    Unreadable
    """
    path, name = hand_in.path, hand_in.assignment
    if path.is_symlink() or path.parent.is_symlink() or not path.is_file():
        raise Unreadable("the file is a link or a folder, not a notebook")
    content = path.read_bytes()
    notebook = read(content)
    versions = course / "collected" / name / hand_in.student
    kept = [version.read_bytes() for version in versions.glob("*.ipynb")]
    if content not in kept:
        replace(versions / f"{len(kept) + 1:04d}.ipynb", content)
    if counts:
        place, stamp = course / "submitted" / hand_in.student / name, path.parent / "timestamp.txt"
        if stamp.is_file() and not hand_in.late:
            replace(place / "timestamp.txt", stamp.read_bytes())
        elif hand_in.late and due:
            replace(place / "timestamp.txt", f"{due + timedelta(seconds=1)} UTC")
        if said_of(place / f"{name}.ipynb") != notebook.metadata.treelab:
            replace(place / f"{name}.ipynb", nbformat.writes(notebook))


def said_of(path):
    """What ``metadata.treelab`` of a notebook holds; empty where there is none."""
    if not path.is_file():
        return {}
    return json.loads(path.read_text(encoding="utf-8"))["metadata"].get("treelab", {})
