"""Derive each exercise notebook from its solutions.

``NN_name_solutions.ipynb`` is the one source. In the student's ``NN_name.ipynb`` every block
between ``### BEGIN SOLUTION`` and ``### END SOLUTION`` becomes ``...``, cells with the tag
``solution-only`` are left out, "Solutions" in the title becomes "Exercises", and a link to a page
of the book, which a file on its own does not have beside it, becomes that page's name. After the
first code cell come the chapter's drills, with holes for their answers. Nothing is executed. Run
it as ``python make_exercises.py``; with file names, only these are made. A notebook that somebody
has worked in is kept.
"""

import hashlib
import re
import sys
from copy import deepcopy
from pathlib import Path

import nbformat

FOLDER = Path(__file__).resolve().parent
sys.path.append(str(FOLDER.parent / "teaching" / "exam"))
import drills  # noqa: E402

DRILLS = """## Drill{s}

Warm up with a pencil. Another seed gives other numbers, as often as you like; put your answers into
the holes, to three decimals or as a fraction, `"3/7"`."""
LINK = re.compile(r"\[([^\]]*)\]\(\.\./[^)]*\)")
BLOCK = re.compile(r"^([ \t]*)### BEGIN SOLUTION\n.*?^[ \t]*### END SOLUTION[ \t]*$", re.M | re.S)


def student_version(solutions):
    """The notebook with holes where the solutions stand, without outputs.

    Parameters
    ----------
    solutions : NotebookNode

    Returns
    -------
    NotebookNode

    Raises
    ------
    ValueError
        If a solution marker has no partner.
    """
    student = deepcopy(solutions)
    student.cells = [
        cell for cell in student.cells if "solution-only" not in cell.metadata.get("tags", [])
    ]
    for i, cell in enumerate(student.cells):
        if cell.cell_type != "code":
            cell.source = re.sub(r"^# Solutions", "# Exercises", cell.source, flags=re.M)
            cell.source = LINK.sub(r"*\1*", cell.source)
            continue
        cell.source = BLOCK.sub(r"\1...", cell.source)
        if "SOLUTION" in cell.source:
            raise ValueError(f"a solution marker of code cell {i} has no partner")
        cell.outputs, cell.execution_count = [], None
    place = next((i for i, cell in enumerate(student.cells) if cell.cell_type == "code"), 0)
    student.cells[place + 1 : place + 1] = drill_cells(student)
    return student


def batched(names, width):
    """The names, so many at a time."""
    return [names[i : i + width] for i in range(0, len(names), width)]


def drill_cells(notebook):
    """The drills of the chapter whose exercises a notebook checks, in cells.

    Parameters
    ----------
    notebook : NotebookNode

    Returns
    -------
    list of NotebookNode
    """
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    found = re.search(r'^check\("([\w-]+)-\d+"', code, re.M)
    names = drills.DRILLS.get(found[1], ()) if found else ()
    cells = [nbformat.v4.new_markdown_cell(DRILLS.format(s="s" * (len(names) > 1)))]
    for name in names:
        holes = [f'"{part.name}": ...,' for part in drills.parts(name, 1)]
        width = 1 if len(holes) <= 13 else 2  # so that the cell has 15 lines at most
        holes = "".join(f"\n    {' '.join(some)}" for some in batched(holes, width))
        shown = f'seed = 1\ndrill("{name}", seed)'
        if name == names[0]:
            shown = f"from treelab.checkers import drill\n\n{shown}"
        cells.append(nbformat.v4.new_code_cell(shown))
        cells.append(nbformat.v4.new_code_cell(f'drill("{name}", seed, {{{holes}\n}})'))
    for i, cell in enumerate(cells):
        cell.id = f"drill-{i}"  # the same each time
    return cells if names else []


def digest(notebook):
    """A hash of the text of all cells, not of their outputs.

    Parameters
    ----------
    notebook : NotebookNode

    Returns
    -------
    str
    """
    texts = [f"{cell.cell_type}\n{cell.source.rstrip()}" for cell in notebook.cells]
    return hashlib.sha256("\n\n".join(texts).encode()).hexdigest()[:16]


def worked_in(path):
    """Whether there is a notebook whose text is no longer the one that was derived.

    Parameters
    ----------
    path : Path
        ``NN_name.ipynb``.

    Returns
    -------
    bool
    """
    if not path.exists():
        return False
    there = nbformat.read(path, as_version=4)
    return there.metadata.get("derived") != digest(there)


def make(path, folder=None):
    """Write the student's version of one solutions notebook, unless somebody has worked in it.

    Parameters
    ----------
    path : Path
        ``NN_name_solutions.ipynb``.
    folder : Path, default=None
        Where it goes; None means beside the solutions.

    Returns
    -------
    Path or None
        ``NN_name.ipynb``, or None where it was kept as it is.
    """
    target = (folder or path.parent) / path.name.replace("_solutions", "")
    if worked_in(target):
        return None
    student = student_version(nbformat.read(path, as_version=4))
    student.metadata["derived"] = digest(student)
    nbformat.write(student, target)
    return target


def main(names):
    """Make the notebooks named, or all of them."""
    paths = [Path(name).resolve() for name in names] or sorted(FOLDER.glob("*_solutions.ipynb"))
    for path in paths:
        made = make(path)
        name = path.name.replace("_solutions", "")
        print(f"written: {name}" if made else f"kept: {name}, which somebody has worked in")


if __name__ == "__main__":
    main(sys.argv[1:])
