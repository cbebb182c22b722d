"""Make the pages of the museum from the exhibits: ``notebooks/teaching/bug_museum.ipynb``, which
shows all of them in small, and a page for each room, ``bug_museum_<room>.ipynb``, beside it.

Run it as ``python make_page.py``: it writes the notebooks and executes them. They are not in git;
what an exhibit says stands in ``exhibits_<part>.py``.
"""

from pathlib import Path

import nbformat
from museum import FOLDER, exhibits

PAGE = FOLDER.parent / "bug_museum.ipynb"
PICTURES = "bug_museum_pictures"  # the folder beside it

ROOMS = {
    1: ("Reading a decision tree", "01_reading_a_tree"),
    2: ("Impurity", "02_impurity"),
    3: ("Growing a tree: CART", "03_growing_a_tree"),
    4: ("Pruning", "04_pruning"),
    5: ("ID3 and C4.5", "05_id3_and_c45"),
    6: ("Measuring a model", "06_measuring_a_model"),
    7: ("Why one tree is not enough", "07_why_one_tree_is_not_enough"),
    8: ("The bootstrap", "08_the_bootstrap"),
    9: ("Bagging and out-of-bag error", "09_bagging"),
    10: ("Random forests", "10_random_forests"),
    11: ("AdaBoost", "11_adaboost"),
    12: ("Gradient boosting", "12_gradient_boosting"),
    13: ("Importance", "13_importance"),
    14: ("Filters and searches", "14_filters_and_searches"),
    15: ("Forests choose", "15_forests_choose"),
    16: ("Trees that are reluctant", "16_reluctant_trees"),
    17: ("Importance that changes from place to place", "17_local_importance"),
    18: ("Bicycles, end to end", "18_bicycles"),
    19: ("Wind over a grid", "19_wind"),
}

OPENING = """\
# The bug museum

Code with a fault still runs. It grows a tree, draws a picture, prints a number between 0 and 1,
and nobody notices. This museum shows such faults at work. Some of them are copied from one tutorial
to the next, and most are slips that students make. Each is a change of a line or two in a short
function, and each picture is computed twice, with the correct code and with the fault.

**How to read an exhibit.** The story explains what somebody had in mind and what goes wrong. It is
followed by the changed lines. Those with `-` are correct and do the same as the part of treelab
that is named above them, and those with `+` contain the fault. The left panel is correct, and the
right panel has the fault. *How to notice* describes what would have revealed the fault without
correct code to compare with. This is what you can apply to your own code.

**In class.** Show the title, the story and the changed lines, and cover the rest. Let everyone
sketch the right-hand panel before you show it. Then ask for a check that would have caught the
fault, and only then open *How to notice*.

**Every fault is caught.** The tests of the book run all exhibits. The correct code must agree with
treelab's own to the last digits, the fault must show its sign, and the checker of every exercise
that is named under an exhibit must reject the fault with a hint that names it.
"""

SETUP = """\
import sys

import matplotlib.pyplot as plt

from treelab.drawing import use_style

sys.path.insert(0, "museum")
from museum import show

use_style()"""

NOTE = """\
In each exhibit the lines with `-` are correct and those with `+` have the fault. The left panel is
computed with the former, the right one with the latter. The [first page](bug_museum.ipynb) says how
to use them in class.
"""

ORIGIN = {"teaching code": "Seen in widely copied teaching code.", "student": ""}


def where(exhibit):
    """The chapter of an exhibit and the exercises that catch its fault, as markdown."""
    title, stem = ROOMS[exhibit.room]
    caught = list(dict.fromkeys(exercise for exercise, _, _ in exhibit.caught_by))
    found = f"Chapter: [{title}](../{stem}.ipynb)."
    if caught:
        links = [f"`{c}`" if c.startswith("hw") else f"{{ref}}`{c} <{c}>`" for c in caught]
        noun = "Exercise that catches it" if len(caught) == 1 else "Exercises that catch it"
        found += f" {noun}: {', '.join(links)}."
    return " ".join(filter(None, [ORIGIN[exhibit.origin], found]))


def cells_of(exhibit):
    """The cells of one exhibit."""
    slug = exhibit.id
    head = nbformat.v4.new_markdown_cell(
        f"({slug})=\n## {exhibit.title}\n\n{exhibit.story}", id=f"{slug}-story"
    )
    look = nbformat.v4.new_code_cell(f'show("{slug}")\nplt.show()', id=slug)
    look.metadata["mystnb"] = {
        "figure": {"name": f"fig-{slug}", "caption": exhibit.caption},
        "image": {"alt": exhibit.alt},
    }
    tail = nbformat.v4.new_markdown_cell(
        f":::{{admonition}} How to notice\n:class: dropdown\n{exhibit.notice}\n:::\n\n"
        + where(exhibit),
        id=f"{slug}-notice",
    )
    return [head, look, tail]


def notebook(cells):
    """A notebook without outputs; NotebookNode."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def rooms():
    """The exhibits of each room that has some; dict of number and list."""
    inside = {room: [e for e in exhibits() if e.room == room] for room in ROOMS}
    return {room: found for room, found in inside.items() if found}


def file_name(room):
    """The file of a room's page, beside that of the whole museum."""
    return f"{PAGE.stem}_{room:02}.ipynb"


def entrance():
    """The page that lists all rooms and exhibits; NotebookNode."""
    listed = [OPENING.rstrip(), "## The rooms"]
    for room, found in rooms().items():
        listed.append(f"**[Room {room}: {ROOMS[room][0]}]({file_name(room)})**")
        wall = (
            f"- [![Correct, and with the fault:]({PICTURES}/{e.id}.svg) **{e.title}**](#{e.id})"
            for e in found
        )
        listed.append("{.tl-wall}\n" + "\n".join(wall))
    return notebook([nbformat.v4.new_markdown_cell("\n\n".join(listed), id="opening")])


def pages():
    """The page of each room by its number, without outputs; dict of NotebookNode."""
    made = {}
    for room, found in rooms().items():
        text = f"# Room {room}: {ROOMS[room][0]}\n\n{NOTE}"
        setup = nbformat.v4.new_code_cell(SETUP, id=f"setup-{room}")
        cells = [nbformat.v4.new_markdown_cell(text, id=f"room-{room}"), setup]
        made[room] = notebook(cells + [cell for e in found for cell in cells_of(e)])
    return made


def pictures(pages):
    """Of each exhibit its id and its picture, an SVG, from the executed pages."""
    for cell in (cell for page in pages for cell in page.cells if cell.cell_type == "code"):
        for output in cell.outputs:
            picture = output.get("data", {}).get("image/svg+xml")
            if picture:
                yield cell.id, picture


def main(folder=PAGE.parent):
    """Write the pages, executed.

    Parameters
    ----------
    folder : Path
    """
    from nbclient import NotebookClient

    made = pages()
    # One kernel serves all rooms: their cells are run as one notebook.
    NotebookClient(
        notebook([cell for page in made.values() for cell in page.cells]),
        timeout=60,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,  # however the lines happened to arrive
        resources={"metadata": {"path": str(FOLDER.parent)}},
    ).execute()
    for room, page in made.items():
        for count, cell in enumerate((c for c in page.cells if c.cell_type == "code"), 1):
            cell.execution_count = count
        nbformat.write(page, Path(folder) / file_name(room))
    nbformat.write(entrance(), Path(folder) / PAGE.name)
    (Path(folder) / PICTURES).mkdir(exist_ok=True)
    for name, picture in pictures(made.values()):
        (Path(folder) / PICTURES / f"{name}.svg").write_text(picture, encoding="utf-8")
    print("written:", PAGE.name, "and", len(made), "rooms")


if __name__ == "__main__":
    main()
