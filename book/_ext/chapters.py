"""What a chapter is made of: its size, its card, and the pages that collect them.

- ``{chapter-sizes}`` is a table of the chapters: words and lines of code before the questions,
  exercises, the times that the chapter names. `LIMITS` says how long the core of one may be; a test
  holds the chapters to it.
- ``{cheat-sheet}`` shows the cards of all chapters, one after the other, as they stand there.
- ``{slides}`` is a role for the pages of the guide: sections of the chapter, with semicolons
  between them, in whose place `make_slides.py` puts the numbers of their slides.
"""

import re
from pathlib import Path

import nbformat
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective, SphinxRole

ROOT = Path(__file__).resolve().parent.parent.parent
LIMITS = {"words": 3500, "lines": 120}
QUESTIONS = "## Check your understanding"
BOX = r"^(:{3,}|`{3,})\{admonition\} (%s.*)\n((?:.*\n)*?)\1\s*$"


def paths():
    """The notebooks of the chapters, in their order."""
    return sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))


def read(path):
    """A notebook."""
    return nbformat.read(path, as_version=4)


def core(notebook):
    """The cells before the questions."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and re.search(f"^{QUESTIONS}", cell.source, re.M):
            return
        yield cell


def words(text):
    """How many words a text in Markdown has, those of formulas, boxes and tables counted."""
    return len(re.sub(r"[#|>]", " ", re.sub(r"[`*$]", "", text)).split())


def lines(cell):
    """How many lines of code a cell shows: its own, unless only its figure is, and printed ones."""
    shown = [] if "remove-input" in cell.metadata.get("tags", []) else cell.source.splitlines()
    if re.search(r"\bsource\(", cell.source):
        for output in cell.outputs:
            printed = output.get("text") or output.get("data", {}).get("text/plain", "")
            shown += printed.splitlines()
    return sum(bool(line.strip()) for line in shown)


def boxes(text, title):
    """Titles and contents of the boxes whose title begins so; list of pairs of str."""
    found = re.finditer(BOX % re.escape(title), text + "\n", re.M)
    return [(match[2].strip(), match[3]) for match in found]


def size(notebook):
    """Words and lines of code in view before the questions; dict."""
    cells = list(core(notebook))
    return {
        "words": sum(words(cell.source) for cell in cells if cell.cell_type == "markdown"),
        "lines": sum(lines(cell) for cell in cells if cell.cell_type == "code"),
    }


def text_of(notebook):
    """All its Markdown; str."""
    return "\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")


class ChapterSizes(SphinxDirective):
    """A table with a row for each chapter."""

    def run(self):
        rows = []
        for path in paths():
            self.env.note_dependency(str(path))
            notebook = read(path)
            text = text_of(notebook)
            measured = size(notebook)
            time = re.search(r"^\*\*Time\*\*: (.*?)\.?$", text, re.M)
            exercises = len(re.findall(r"^[`:]{3,}\{exercise\}", text, re.M))
            cells = [f"{{doc}}`/notebooks/{path.stem}`", *measured.values(), exercises]
            rows.append(f"| {' | '.join(map(str, [*cells, time[1] if time else '']))} |")
        head = "| Chapter | Words | Lines of code | Exercises | Time |\n|---|---:|---:|---:|---|"
        return parsed(self, "\n".join([head, *rows]))


class CheatSheet(SphinxDirective):
    """The cards of the chapters."""

    def run(self):
        sheet = nodes.container(classes=["tl-sheet"])
        for path in paths():
            self.env.note_dependency(str(path))
            for title, content in boxes(text_of(read(path)), "Card: "):
                name = title.removeprefix("Card: ")
                link = f"*Chapter*: {{doc}}`/notebooks/{path.stem}`\n"
                body = re.sub(r"^:class:.*\n", "", content)
                text = f":::{{admonition}} {name}\n:class: tl-card\n{body}\n{link}:::"
                sheet += parsed(self, text)
        return [sheet]


def parsed(directive, text):
    """The nodes of a text in Markdown."""
    place = nodes.Element()
    directive.state.nested_parse(StringList(text.splitlines(), "chapters"), 0, place)
    return place.children


class Slides(SphinxRole):
    """Where the numbers of slides will stand."""

    def run(self):
        named = " ".join(nodes.make_id(name) for name in self.text.split(";"))
        text = f'<span class="tl-slides" data-of="{named}"></span>'
        return [nodes.raw("", text, format="html")], []


def setup(app):
    """Register the two directives and the role."""
    app.add_directive("chapter-sizes", ChapterSizes)
    app.add_directive("cheat-sheet", CheatSheet)
    app.add_role("slides", Slides())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
