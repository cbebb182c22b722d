"""What tests of the facts of a chapter need: its text, numbers in words, and which topic it has.

A fact test computes a number, builds the words of the sentence that holds it, and asks whether the
page says so. It fails when the number changes and when the sentence does.

Numbers that no fact holds and no output shows are *given*: data of an example, definitions, options
of a quiz. Each page has a list of them in `given/`, cell by cell, which changes on purpose only.
After the tests of a page, the fixture `page` compares both.
"""

import io
import json
import re
import textwrap
from pathlib import Path

import nbformat
import pandas as pd
from places import ROOT
from topics import TOPICS  # `test_growing.py` has the third: chapter 3

# Pages that are no chapters.
OTHERS = {
    "preface": "book/preface.ipynb",
    "comparing": "notebooks/comparing_ensembles.ipynb",
    "linear_models": "notebooks/linear_models.ipynb",
}
SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
LEAST = 4  # words of a phrase; fewer stand on a page for many reasons
GIVEN = Path(__file__).parent / "given"
NUMBER = re.compile(r"\d{1,3}(?:(?: |\\,)\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?")
# Where a wrong digit is a broken link or a label that is missing, and so no book is built.
TARGETS = re.compile(
    r"(?!\{term\})\{[\w:]+\}`[^`<]*`|<[^`<>]*>`|\]\([^)]*\)|\([a-z][\w-]+\)=|:(?:label|name): \S+"
    r"|\{(?:exercise|solution)\} [\w-]+-\d+"
)


def chapter(topic):
    """Path of the notebook of a topic; of the page behind it if `hood_` precedes the topic."""
    if topic in OTHERS:
        return ROOT / OTHERS[topic]
    name = topic.removeprefix("hood_")
    folder = ROOT / "notebooks" / ("under_the_hood" if name != topic else "")
    (path,) = folder.glob(f"{TOPICS.index(name) + 1:02}_*.ipynb")
    return path


class Page:
    """The text of a notebook; its captions and outputs by the names of their cells."""

    def __init__(self, text, cells=()):
        self.text = plain(text)
        self.all_cells = cells
        self.cells = {cell.id: cell for cell in cells if cell.cell_type == "code"}
        self.captions = {}
        self.held = []  # from where to where the text is what a fact has computed

    @classmethod
    def of(cls, topic):
        """The chapter of a topic."""
        cells = nbformat.read(chapter(topic), as_version=4).cells
        return cls("\n\n".join(c.source for c in cells if c.cell_type == "markdown"), cells)

    def says(self, phrase):
        """Fail unless the phrase has four words or more and stands on the page exactly once.

        Line ends and the kinds of spaces and of minus signs make no difference.
        """
        __tracebackhide__ = True
        phrase = plain(phrase)
        words = phrase.split()
        assert len(words) >= LEAST, f"fewer than {LEAST} words may stand anywhere: {phrase!r}"
        times = self.text.count(phrase)
        assert times, f"the page does not say {phrase!r}.{self._instead(words)}"
        assert times == 1, f"the page says {times} times {phrase!r}"
        start = self.text.index(phrase)
        self.held.append((start, start + len(phrase)))

    def output(self, cell_id):
        """What a cell prints or shows, as the notebook stores it and nbval verifies it."""
        outputs = self.cells[cell_id].outputs
        return "".join(o.get("text") or o["data"]["text/plain"] for o in outputs)

    def table(self, cell_id):
        """The table that a cell shows, as the notebook stores it; a DataFrame."""
        found = [o["data"]["text/html"] for o in self.cells[cell_id].outputs if "data" in o]
        table = pd.read_html(io.StringIO("".join(found)), index_col=0)[0]
        table.columns = table.columns.get_level_values(0)  # a second row names the index
        return table

    def data(self, cell_id):
        """What an interactive figure shows, as the notebook stores it; a dict."""
        (output,) = self.cells[cell_id].outputs
        found = re.search(
            r"<script type=.application/json.>(.*?)</script>", output.data["text/html"]
        )
        return json.loads(found[1])

    def caption(self, cell_id):
        """The caption and the alternative text of a figure, as a page of its own."""
        if cell_id not in self.captions:
            drawn = self.cells[cell_id].metadata["mystnb"]
            self.captions[cell_id] = Page(f"{drawn['figure']['caption']} {drawn['image']['alt']}")
        return self.captions[cell_id]

    def run(self, *cell_ids, **names):
        """What cells define, executed one after the other with these names; a dict."""
        for cell_id in cell_ids:
            exec(self.cells[cell_id].source, names)
        return names

    def given(self):
        """Numbers that no fact holds and no output shows, cell by cell.

        An output shows a number if it has the number, and has none that differs in one digit.
        """
        shown = {n for cell in self.cells.values() for n in numbers(seen(cell)).values()}
        lines, start = [], 0
        for cell in self.all_cells:
            if cell.cell_type == "markdown":
                text, held = plain(cell.source), self.held
                begin = self.text.index(text, start)
                start = begin + len(text)
            elif "figure" in cell.metadata.get("mystnb", {}):
                text, held, begin = (caption := self.caption(cell.id)).text, caption.held, 0
            else:
                continue
            found = [
                number
                for at, number in numbers(text).items()
                if not any(a <= begin + at < b for a, b in held)
                and (number not in shown or shown & neighbors(number))
            ]
            if found:
                line = f"{cell.id}: {'; '.join(found)}"
                lines += textwrap.wrap(line, 100, subsequent_indent="  ", break_on_hyphens=False)
        return lines

    def _instead(self, words):
        """What stands on the page where the phrase stops to agree, for a message."""
        for n in range(len(words) - 1, 2, -1):
            start = self.text.find(" ".join(words[:n]))
            if start >= 0:
                return f" It says {self.text[start : start + len(' '.join(words)) + 40]!r}"
        return ""


def plain(text):
    """Text with single spaces and with hyphens for minus signs.

    >>> plain("a loss of\\n−0.5")
    'a loss of -0.5'
    """
    return re.sub(r"\s+", " ", text.replace("−", "-")).strip()


def numbers(text):
    """The numbers of a text by their places, but those of targets and labels; a dict.

    >>> numbers("We take 3 of {numref}`fig-2`, 1 200 or 0.5.")
    {8: '3', 28: '1 200', 37: '0.5'}
    """
    text = TARGETS.sub(lambda found: " " * len(found[0]), text)
    return {found.start(): re.sub(r"\\,| ", " ", found[0]) for found in NUMBER.finditer(text)}


def neighbors(number):
    """The numbers that differ from a number in one digit; a set."""
    return {
        number[:k] + digit + number[k + 1 :]
        for k, old in enumerate(number)
        if old.isdigit()
        for digit in "0123456789"
        if digit != old
    }


def seen(cell):
    """What a reader sees of the outputs of a cell, without pictures."""
    data = [o.get("data", {"text/plain": o.get("text", "")}) for o in cell.outputs]
    texts = [d.get("text/html") or d.get("text/markdown") or d.get("text/plain", "") for d in data]
    return plain(re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", " ".join(texts), flags=re.S))


def in_words(n):
    """A whole number from 0 to 99 in words.

    >>> in_words(7), in_words(20), in_words(84)
    ('seven', 'twenty', 'eighty-four')
    """
    if n < len(SMALL):
        return SMALL[n]
    tens, ones = divmod(int(n), 10)
    return TENS[tens - 2] + (f"-{SMALL[ones]}" if ones else "")
