"""Submissions: where they are, what is in them, and the cells to run for each."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from make_homework import graded_cells, mark, release_version

from .session import Step

LARGEST = 20 * 2**20  # bytes of a notebook that is still read


class Unreadable(Exception):
    """The file is no notebook that can be graded, for the reason given."""


@dataclass
class Assignment:
    """An assignment: its source, what was given to students, and the files beside it."""

    name: str
    source: nbformat.NotebookNode
    release: nbformat.NotebookNode
    files: dict  # name -> bytes

    @classmethod
    def read(cls, folder):
        """The assignment in the folder of its source notebook."""
        folder = Path(folder)
        source = nbformat.read(folder / f"{folder.name}.ipynb", as_version=4)
        files = {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.suffix == ".py"}
        return cls(folder.name, source, release_version(source), files)

    @property
    def modules(self):
        """The checkers' modules."""
        return [name.removesuffix(".py") for name in self.files if name.endswith(".py")]

    @property
    def graded(self):
        """The cells that give points."""
        return graded_cells(self.source)


@dataclass
class Answers:
    """What a submission holds: the student's text of each cell, what was added, what is odd."""

    cells: dict = field(default_factory=dict)  # grade id -> source
    edited: dict = field(default_factory=dict)  # place of a given cell -> the student's edition
    added: dict = field(default_factory=dict)  # place of the given cell that follows -> sources
    notes: list = field(default_factory=list)


def find(folder, names):
    """The submissions in a folder with one folder for each student.

    Parameters
    ----------
    folder : Path
    names : collection of str
        The assignments that there are.

    Returns
    -------
    found : dict of (str, str) to Path
        The notebook for each student and assignment.
    notes : dict of str to list of str
        What is odd, by the name of the student or of the thing that stands there.
    """
    found, notes = {}, {}
    for place in sorted(Path(folder).iterdir()):
        if place.name.startswith("."):
            continue
        if not place.is_dir() or place.is_symlink():
            notes[place.name] = ["this is no student's folder, and is left out"]
            continue
        own = notes.setdefault(place.name, [])
        for name in sorted(names):
            ways = [place / name / f"{name}.ipynb", place / f"{name}.ipynb"]
            here = [path for path in ways if path.exists() or path.is_symlink()]
            if here:
                found[place.name, name] = here[0]
            if len(here) == 2:
                own.append(f"{name}.ipynb is there twice; {name}/{name}.ipynb counts")
        expected = {
            path for n in names for path in (place / n / f"{n}.ipynb", place / f"{n}.ipynb")
        }
        for path in sorted({*place.glob("*.ipynb"), *place.glob("*/*.ipynb")} - expected):
            wanted = ", ".join(f"{n}.ipynb" for n in sorted(names))
            own.append(f"{path.relative_to(place)} has not the name of an assignment ({wanted})")
    return found, notes


def read(path):
    """The cells of a submitted notebook.

    Parameters
    ----------
    path : Path

    Returns
    -------
    list of (str, str, str, str)
        Kind, text, grade id and cell id of each cell; an id is "" where there is none.

    Raises
    ------
    Unreadable
    """
    if path.is_symlink() or path.parent.is_symlink() or not path.is_file():
        raise Unreadable("the file is a link or a folder, not a notebook")
    if path.stat().st_size > LARGEST:
        raise Unreadable("the file is larger than 20 MB; clear its outputs and hand it in again")
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
        notebook = nbformat.from_dict(nbformat.convert(nbformat.from_dict(content), 4))
        cells = []
        for cell in notebook.cells:
            text = cell.get("source", "")
            text = text if isinstance(text, str) else "".join(map(str, text))
            grade_id = cell.get("metadata", {}).get("nbgrader", {}).get("grade_id", "")
            cells.append((str(cell["cell_type"]), text, str(grade_id), str(cell.get("id", ""))))
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"[:200]
        raise Unreadable(f"the file is no notebook that Jupyter can open ({reason})") from None
    if not cells:
        raise Unreadable("the notebook has no cells")
    return cells


def answers_in(cells, assignment):
    """Sort a student's cells: answers, edited and added ones, and what is odd about them.

    Of several cells with one id the last counts, as in nbgrader; the others are added cells.

    Parameters
    ----------
    cells : list of (str, str, str, str)
        From `read`.
    assignment : Assignment

    Returns
    -------
    Answers
    """
    answers = Answers()
    given = assignment.release.cells
    places = {mark(cell)["grade_id"]: i for i, cell in enumerate(given) if mark(cell)}
    by_id = {cell.get("id"): i for i, cell in enumerate(given) if not mark(cell)}
    last = {grade_id: i for i, (_, _, grade_id, _) in enumerate(cells)}
    waiting = []
    for i, (kind, text, grade_id, cell_id) in enumerate(cells):
        place = places.get(grade_id)
        if place is not None and last[grade_id] != i:
            answers.notes.append(f"the cell {grade_id} is there more than once; the last counts")
            place = None
        elif grade_id and place is None:
            answers.notes.append(f"{grade_id} is not a cell of this assignment")
        elif not grade_id and cell_id in by_id:
            place = by_id.pop(cell_id)
            if kind == "code" and same(text) != same(given[place].source):
                answers.edited[place] = text
        if place is None:
            if kind == "code" and text.strip():
                waiting.append(text)
            continue
        if waiting:
            answers.added.setdefault(place, []).extend(waiting)
            waiting = []
        if mark(given[place]):
            answers.cells[grade_id] = text
    for grade_id, place in places.items():
        cell = given[place]
        if mark(cell).get("solution") and grade_id not in answers.cells:
            answers.notes.append(f"the answer cell {grade_id} is missing")
        elif mark(cell).get("grade") and not mark(cell).get("solution"):
            if grade_id not in answers.cells:
                answers.notes.append(f"the test cell {grade_id} is missing; the original is used")
            elif same(answers.cells[grade_id]) != same(cell.source):
                answers.notes.append(f"the test cell {grade_id} was edited; the original is used")
    return answers


def steps_for(answers, assignment):
    """The cells to run: the assignment's, with the student's answers and added cells.

    Parameters
    ----------
    answers : Answers
    assignment : Assignment

    Returns
    -------
    list of Step
    """
    steps = []
    for i, (own, stub) in enumerate(zip(assignment.source.cells, assignment.release.cells)):
        steps += [Step("added", text) for text in answers.added.get(i, [])]
        if own.cell_type != "code":
            continue
        grade_id = mark(own).get("grade_id", "")
        if mark(own).get("solution"):
            steps.append(Step("answer", answers.cells.get(grade_id, stub.source), grade_id))
        elif mark(own).get("grade"):
            steps.append(Step("test", own.source, grade_id))
        else:
            steps.append(Step("given", own.source, grade_id))
            if i in answers.edited:
                steps.append(Step("added", answers.edited[i]))
    return steps


def same(text):
    """Text as it is compared: without white space at the ends of lines and of the whole."""
    return re.sub(r"[ \t]+$", "", text, flags=re.M).strip()
