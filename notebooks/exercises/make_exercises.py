"""Derive each exercise notebook from its solutions.

``NN_name_solutions.ipynb`` is the one source. In the student's ``NN_name.ipynb`` every block
between ``### BEGIN SOLUTION`` and ``### END SOLUTION`` becomes ``...``, cells with the tag
``solution-only`` are left out, "Solutions" in the title becomes "Exercises", and the result is
executed. Run it as ``python make_exercises.py``; with file names, only these are made.
"""

import re
import sys
from copy import deepcopy
from pathlib import Path

import nbformat

FOLDER = Path(__file__).resolve().parent
BLOCK = re.compile(r"^([ \t]*)### BEGIN SOLUTION\n.*?^[ \t]*### END SOLUTION[ \t]*$", re.M | re.S)


def student_version(solutions):
    """The notebook with holes where the solutions stand, not executed.

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
            continue
        cell.source = BLOCK.sub(r"\1...", cell.source)
        if "SOLUTION" in cell.source:
            raise ValueError(f"a solution marker of code cell {i} has no partner")
        cell.outputs, cell.execution_count = [], None
    return student


def sources(notebook):
    """The kind and text of each cell: what must not drift.

    Parameters
    ----------
    notebook : NotebookNode

    Returns
    -------
    list of (str, str)
    """
    return [(cell.cell_type, cell.source) for cell in notebook.cells]


def make(path):
    """Write and execute the student's version of one solutions notebook.

    Parameters
    ----------
    path : Path
        ``NN_name_solutions.ipynb``.

    Returns
    -------
    Path
        ``NN_name.ipynb``.
    """
    from nbclient import NotebookClient

    student = student_version(nbformat.read(path, as_version=4))
    client = NotebookClient(
        student,
        timeout=60,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,  # however the lines happened to arrive
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    target = path.with_name(path.name.replace("_solutions", ""))
    nbformat.write(student, target)
    return target


def main(names):
    """Make the notebooks named, or all of them."""
    paths = [Path(name).resolve() for name in names] or sorted(FOLDER.glob("*_solutions.ipynb"))
    for path in paths:
        print("written:", make(path).name)


if __name__ == "__main__":
    main(sys.argv[1:])
