"""What tests of the facts of a chapter need: its text, numbers in words, and which topic it has.

A fact test computes a number, builds the words of the sentence that holds it, and asks whether the
page says so. It fails when the number changes and when the sentence does.
"""

import io
import json
import re

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

    def __init__(self, text, code_cells=()):
        self.text = plain(text)
        self.cells = {cell.id: cell for cell in code_cells}

    @classmethod
    def of(cls, topic):
        """The chapter of a topic."""
        cells = nbformat.read(chapter(topic), as_version=4).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        return cls(text, [cell for cell in cells if cell.cell_type == "code"])

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
        given = self.cells[cell_id].metadata["mystnb"]
        return Page(f"{given['figure']['caption']} {given['image']['alt']}")

    def run(self, *cell_ids, **names):
        """What cells define, executed one after the other with these names; a dict."""
        for cell_id in cell_ids:
            exec(self.cells[cell_id].source, names)
        return names

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


def in_words(n):
    """A whole number from 0 to 99 in words.

    >>> in_words(7), in_words(20), in_words(84)
    ('seven', 'twenty', 'eighty-four')
    """
    if n < len(SMALL):
        return SMALL[n]
    tens, ones = divmod(int(n), 10)
    return TENS[tens - 2] + (f"-{SMALL[ones]}" if ones else "")
