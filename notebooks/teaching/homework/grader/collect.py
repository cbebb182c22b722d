"""Finds what students handed in, in a folder of theirs or a download of Canvas or Moodle.

Every version of a notebook is kept under ``collected/``; the last one counts and is written to
``submitted/``, where nbgrader looks for it, with ``timestamp.txt`` where the time is known.
"""

import csv
import json
import os
import re
from collections import defaultdict
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbgrader.utils import parse_utc

from .rebuild import Unreadable, read

CANVAS = re.compile(r"(?P<name>[^_]+)_(?P<late>LATE_)?(?P<number>\d+)_(?P<order>\d+)_(?P<file>.+)")
MOODLE = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_file_?$")
AGAIN = re.compile(r"(?:-(\d+))?\.ipynb$|$")  # Canvas numbers a file that is handed in again
# What the columns of a roster are called by Canvas, Moodle, Gradescope and others.
COLUMNS = {"login": ("student_id", "sis login id", "username", "sid", "id number"),
           "email": ("email", "email address"), "number": ("id", "identifier"),
           "name": ("student", "full name", "name"), "first": ("first name", "first_name"),
           "last": ("last name", "surname", "last_name")}  # fmt: skip


class HandIn(NamedTuple):
    """A notebook that somebody handed in for an assignment; the greatest counts."""

    student: str
    assignment: str
    order: tuple
    path: Path
    late: bool = False


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
        who = login(f"{name}-{number}")
        if who not in self.students and self.header:
            notes[who].append("not in the roster")
        self.students[who] = {"name": name, "number": number}
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
    list of HandIn
        In order: of a student's for an assignment, the last one counts.
    """
    found = []
    for place in sorted(folder.glob("[!.]*")):
        flat, moodle = CANVAS.match(place.name), MOODLE.match(place.name)
        if place.is_symlink() or not (place.is_dir() or flat):
            notes[place.name].append("this is no student's folder, and is left out")
            continue
        if place.is_dir():
            who = roster.find(*(moodle.groups() if moodle else (place.name, "")), notes)
            paths = sorted([*place.glob("*.ipynb"), *place.glob("*/*.ipynb")])
            files = [HandIn(who, path.stem, (len(path.parts),), path) for path in paths]
        else:
            who, again = (
                roster.find(flat["name"], flat["number"], notes),
                AGAIN.search(flat["file"]),
            )
            order = int(flat["order"]), int(again[1] or 0)
            name = flat["file"][: again.start()]
            files = [HandIn(who, name, order, place, bool(flat["late"]))]
        for file in files:
            if file.assignment in names and file.path.parent.name in (
                folder.name, place.name, file.assignment
            ):  # fmt: skip
                found.append(file)
            else:
                wanted = ", ".join(f"{name}.ipynb" for name in sorted(names))
                notes[who].append(f"{file.path.name} has not the name of an assignment ({wanted})")
    return sorted(found)


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
    content, stamp = path.read_bytes(), path.parent / "timestamp.txt"
    time = stamp.read_text(encoding="utf-8").strip() if stamp.is_file() else ""
    try:
        parse_utc(time or None)
    except ValueError:
        raise Unreadable(f"its timestamp.txt holds no time: {time[:50]!r}") from None
    if hand_in.late and due and not time:
        time = f"{due + timedelta(seconds=1)} UTC"
    notebook, versions = read(content, time), course / "collected" / name / hand_in.student
    kept = [version.read_bytes() for version in versions.glob("*.ipynb")]
    if content not in kept:
        replace(versions / f"{len(kept) + 1:04d}.ipynb", content)
    place = course / "submitted" / hand_in.student / name
    if counts and said_of(place / f"{name}.ipynb") != notebook.metadata.treelab:
        (place / "timestamp.txt").unlink(missing_ok=True)
        if time:
            replace(place / "timestamp.txt", time)
        replace(place / f"{name}.ipynb", nbformat.writes(notebook))


def said_of(path):
    """What ``metadata.treelab`` of a notebook holds; empty where there is none."""
    text = path.read_text(encoding="utf-8") if path.is_file() else '{"metadata": {}}'
    return json.loads(text)["metadata"].get("treelab", {})
