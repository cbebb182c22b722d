"""Puts a student's answers into the assignment's own notebook, before nbgrader restores the tests.

Every given cell and test is there then, once and in its place, whatever was deleted, copied or
edited; cells that the student added run where they stood. What was odd is noted in
``metadata.treelab`` of the notebook.
"""

import copy
import re
from collections import defaultdict
from hashlib import sha256
from pathlib import Path

import nbformat
from make_homework import RUBRIC, mark
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.preprocessors import NbGraderPreprocessor

LARGEST = 20 * 10**6  # bytes of a notebook that is still read


class Unreadable(Exception):
    """The file is no notebook that can be graded, for the reason given."""


def course_of(configurable):
    """The course folder, from whichever object of nbgrader this one belongs to."""
    while not getattr(configurable, "coursedir", None):
        configurable = configurable.parent
    return Path(configurable.coursedir.root)


def numbers(course):
    """The numbers by which the tables of the homework are drawn, by student.

    Parameters
    ----------
    course : Path
        Its ``numbers.csv`` has a header and a line for each student.

    Returns
    -------
    dict of str to int
        Who is missing has 0.

    Raises
    ------
    ValueError
        If a line holds anything but a student and a whole number from 0 to 9999.
    """
    path, found = course / "numbers.csv", defaultdict(int)
    lines = path.read_text(encoding="utf-8-sig").splitlines() if path.is_file() else []
    for line in filter(str.strip, lines[1:]):
        who, _, number = map(str.strip, line.rpartition(","))
        if not who or not re.fullmatch(r"\d{1,4}", number, re.ASCII):
            raise ValueError(f"{path}: {line!r} is not a student and a number from 0 to 9999")
        found[who] = int(number)
    return found


def read(content, time=""):
    """The notebook in the bytes of a file; ``metadata.treelab`` tells it from other versions.

    Parameters
    ----------
    content : bytes
    time : str, default=""
        When it was handed in, if that is known.

    Raises
    ------
    Unreadable
    """
    if len(content) > LARGEST:
        raise Unreadable("the file is larger than 20 MB; clear its outputs and hand it in again")
    try:
        notebook = nbformat.reads(content.decode("utf-8-sig"), as_version=4)
        for cell in notebook.cells:
            same(cell.source)
            own = {"grade_id": str(mark(cell)["grade_id"])} if "grade_id" in mark(cell) else {}
            cell.metadata = nbformat.from_dict({"nbgrader": own} if own else {})
        was = sha256(content + time.encode()).hexdigest()
        notebook.metadata = nbformat.from_dict({"treelab": {"was": was}})
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"[:200]
        raise Unreadable(f"the file is no notebook that Jupyter can open ({reason})") from None
    if not notebook.cells:
        raise Unreadable("the notebook has no cells")
    return notebook


class Rebuild(NbGraderPreprocessor):
    """The assignment's notebook with the answers and the added cells of the one given."""

    def preprocess(self, nb, resources):
        """The release version with the student's cells in it."""
        name = resources["nbgrader"]["assignment"]
        release = nbformat.read(course_of(self) / "release" / name / f"{name}.ipynb", as_version=4)
        return rebuilt(nb, release), resources


class Rubrics(NbGraderPreprocessor):
    """Below each answer that a person reads, what its points were for: on feedback pages."""

    def preprocess(self, nb, resources):
        """The notebook with the rubrics of its source."""
        name, cells = resources["nbgrader"]["assignment"], []
        source = nbformat.read(course_of(self) / "source" / name / f"{name}.ipynb", as_version=4)
        said = {name_of(cell): cell.source.partition(RUBRIC) for cell in source.cells}
        for cell in nb.cells:
            _, title, table = said.get(name_of(cell), ("", "", ""))
            cells += [cell, *([new_markdown_cell(title + table)] if title else [])]
        nb.cells = cells
        return nb, resources


def rebuilt(nb, release):
    """Sort a student's cells into the release version.

    Of several cells with one id the last counts, as in nbgrader; the others are added cells.

    Parameters
    ----------
    nb, release : NotebookNode
        As handed in, and as handed out.

    Returns
    -------
    NotebookNode
    """
    result, notes, answers, added, waiting = copy.deepcopy(release), [], {}, {}, []
    places = {name_of(cell): i for i, cell in enumerate(release.cells)}
    names = [name_of(cell) for cell in nb.cells]
    for i, (name, cell) in enumerate(zip(names, nb.cells)):
        again = name in names[i + 1 :]
        if mark(cell) and name not in places:
            notes.append(f"{name} is not a cell of this assignment")
        elif mark(cell) and again:
            notes.append(f"the cell {name} is there more than once; the last counts")
        if name in places and not again:
            added[places[name]], waiting = waiting, []
            answers[name] = cell.source
        elif cell.cell_type == "code" and cell.source.strip():
            waiting.append(cell.source)
    result.cells = []
    for i, cell in enumerate(copy.deepcopy(release.cells)):
        own, name, after = mark(cell), name_of(cell), []
        edited = name in answers and same(answers[name]) != same(cell.source)
        if own.get("solution"):
            cell.source = answers.get(name, cell.source)
            if cell.cell_type == "markdown":  # what a student wrote runs in nobody's browser
                cell.source = re.sub(r"<(?=[a-zA-Z/!?])", "&lt;", cell.source)
            if name not in answers:
                notes.append(f"the answer cell {name} is missing")
        elif own.get("grade") and (edited or name not in answers):
            was = "was edited" if edited else "is missing"
            notes.append(f"the test cell {name} {was}; the original is used")
        elif edited and cell.cell_type == "code":
            after = [answers[name]]
        before = [new_code_cell(source, metadata={"added": True}) for source in added.get(i, ())]
        after = [new_code_cell(source, metadata={"added": True}) for source in after]
        result.cells += [*before, cell, *after]
    result.metadata.treelab = {**nb.metadata.get("treelab", {}), "notes": notes}
    return result


def name_of(cell):
    """What tells a cell from the others: nbgrader's id of it, or Jupyter's."""
    return mark(cell).get("grade_id") or cell.get("id")


def same(text):
    """Text as it is compared: without white space at the ends of lines and of the whole."""
    return re.sub(r"[ \t]+$", "", text, flags=re.M).strip()
