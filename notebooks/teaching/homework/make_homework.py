"""Derive what students and graders get from the source notebook of each assignment.

``source/hwN/hwN.ipynb`` is the one source. From it come, through nbgrader's own preprocessors,
``release/hwN/`` (without solutions, hidden tests and outputs, with the files that stand beside the
source, but not its judges) and ``keys/hwN.ipynb`` (solutions and outputs, no hidden tests); and
``rubrics/hwN.md``, the points of each question and what the answers to those that people read are
worth. Nothing is executed. Run it as ``python make_homework.py``; with names such as ``hw1``, only
these are made.
"""

import re
import shutil
import sys
from copy import deepcopy
from pathlib import Path

import nbformat
from nbgrader import preprocessors as steps
from traitlets.config import PyFileConfigLoader

FOLDER = Path(__file__).resolve().parent
RELEASE = (
    steps.LockCells,
    steps.ClearSolutions,
    steps.ClearOutput,
    steps.CheckCellMetadata,
    steps.ClearHiddenTests,
    steps.ClearMarkScheme,
    steps.ComputeChecksums,
    steps.CheckCellMetadata,
)
KEY = (steps.LockCells, steps.CheckCellMetadata, steps.ClearHiddenTests, steps.ComputeChecksums)
RUBRIC = "**Rubric**"
QUESTION = re.compile(r"[a-z]+\d*-\d+")


def processed(notebook, chain):
    """A copy of a notebook after nbgrader's preprocessors, with this course's settings.

    Parameters
    ----------
    notebook : NotebookNode
    chain : sequence of preprocessor classes

    Returns
    -------
    NotebookNode
    """
    config = PyFileConfigLoader("nbgrader_config.py", path=str(FOLDER)).load_config()
    result, resources = deepcopy(notebook), {}
    for step in chain:
        result, resources = step(config=config).preprocess(result, resources)
    return result


def release_version(source):
    """What the student gets: no solutions, no hidden tests, no outputs."""
    return processed(source, RELEASE)


def key_version(source):
    """The solution key: solutions with their outputs, no hidden tests."""
    return processed(source, KEY)


def mark(cell):
    """What nbgrader knows of a cell; empty for an ordinary one."""
    return cell.metadata.get("nbgrader", {})


def question_of(grade_id):
    """The question that a cell belongs to: ``hw1-2`` for ``hw1-2-test-a``.

    Parameters
    ----------
    grade_id : str

    Returns
    -------
    str
        The id itself where it holds no question.
    """
    found = QUESTION.match(grade_id)
    return found.group() if found else grade_id


def graded_cells(notebook):
    """The cells that give points, in order.

    Parameters
    ----------
    notebook : NotebookNode

    Returns
    -------
    list of NotebookNode
    """
    return [cell for cell in notebook.cells if mark(cell).get("grade")]


def by_reading(cell):
    """Whether a person gives the points of this graded cell, not a test."""
    return bool(mark(cell).get("solution"))


def title_of(notebook):
    """The first heading of a notebook, without its ``#`` and without its number."""
    for cell in notebook.cells:
        found = re.search(r"^# (.+)$", cell.source, re.M) if cell.cell_type == "markdown" else None
        if found:
            return re.sub(r"^(?:Homework \d+|hw\d+): ", "", found.group(1).strip())
    raise ValueError("the notebook has no title: begin it with a line '# ...'")


def number(points):
    """Points as they are written: without ``.0``."""
    return f"{float(points):g}"


def rubric_page(name, source):
    """The rubric of an assignment as Markdown.

    Parameters
    ----------
    name : str
        ``hw1`` and so on.
    source : NotebookNode

    Returns
    -------
    str
    """
    cells = graded_cells(source)
    total = sum(mark(c)["points"] for c in cells)
    read = sum(mark(c)["points"] for c in cells if by_reading(c))
    rows = [
        f"| {question_of(mark(c)['grade_id'])} | `{mark(c)['grade_id']}` "
        f"| {number(mark(c)['points'])} | {'reading' if by_reading(c) else 'test'} |"
        for c in cells
    ]
    parts = [
        f"# {name}: {title_of(source)}",
        f"{number(total)} points: {number(total - read)} from tests, {number(read)} from reading. "
        "`make homework` writes this page from the source notebook.",
        "\n".join(["| question | cell | points | graded by |", "|---|---|---:|---|", *rows]),
    ]
    for cell in filter(by_reading, cells):
        answer, found, rubric = cell.source.partition(RUBRIC)
        if not found:
            raise ValueError(f"{mark(cell)['grade_id']}: the line {RUBRIC} is missing")
        title = f"{question_of(mark(cell)['grade_id'])} ({number(mark(cell)['points'])} points)"
        quoted = "\n".join(f"> {line}".rstrip() for line in answer.strip().splitlines())
        parts += [f"## {title}", "A full answer:", quoted, rubric.strip()]
    return "\n\n".join(parts) + "\n"


def beside(folder):
    """The files that go with a source notebook to the student."""
    return [p for p in sorted(folder.iterdir()) if p.is_file() and p.suffix != ".ipynb"]


def given(path):
    """Whether students get a file that stands beside a source notebook."""
    return not path.name.startswith("judges_")


def make(name, folder=FOLDER):
    """Write release, key and rubric of one assignment.

    Parameters
    ----------
    name : str
        ``hw1`` and so on.
    folder : Path, default=FOLDER
        The course folder.

    Returns
    -------
    list of Path
        What was written.
    """
    source = nbformat.read(folder / "source" / name / f"{name}.ipynb", as_version=4)
    release = folder / "release" / name
    shutil.rmtree(release, ignore_errors=True)
    for place in (release, folder / "keys", folder / "rubrics"):
        place.mkdir(parents=True, exist_ok=True)
    nbformat.write(release_version(source), release / f"{name}.ipynb")
    for path in filter(given, beside(folder / "source" / name)):
        shutil.copyfile(path, release / path.name)
    nbformat.write(key_version(source), folder / "keys" / f"{name}.ipynb")
    (folder / "rubrics" / f"{name}.md").write_text(rubric_page(name, source), encoding="utf-8")
    return [release, folder / "keys" / f"{name}.ipynb", folder / "rubrics" / f"{name}.md"]


def assignments(folder=FOLDER):
    """The names of the assignments that have a source notebook, in order."""
    names = [p.stem for p in (folder / "source").glob("*/*.ipynb") if p.stem == p.parent.name]
    return sorted(names, key=lambda name: (len(name), name))


def main(names):
    """Make the assignments named, or all of them."""
    for name in names or assignments():
        for path in make(name):
            print("written:", path.relative_to(FOLDER))


if __name__ == "__main__":
    main(sys.argv[1:])
