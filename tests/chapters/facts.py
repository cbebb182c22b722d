"""What tests of the facts of a chapter need: its text, numbers in words, and which topic it has.

A fact test computes a number, builds the words of the sentence that holds it, and asks whether the
page says so. It fails when the number changes and when the sentence does.
"""

import re

import nbformat
from places import ROOT

# The topic of each chapter, in their order: that of `test_growing.py` is growing, chapter 3.
TOPICS = (
    "reading", "impurity", "growing", "pruning", "c45", "instability", "bootstrap", "bagging",
    "forests", "adaboost", "gradient_boosting", "importance", "filters", "choosing", "reluctant",
    "local", "bicycles", "wind",
)  # fmt: skip
SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
LEAST = 4  # words of a phrase; fewer stand on a page for many reasons


def chapter(topic):
    """Path of the notebook of a topic."""
    (path,) = (ROOT / "notebooks").glob(f"{TOPICS.index(topic) + 1:02}_*.ipynb")
    return path


class Page:
    """The text of a notebook, without its code and outputs."""

    def __init__(self, text):
        self.text = plain(text)

    @classmethod
    def of(cls, topic):
        """The chapter of a topic."""
        cells = nbformat.read(chapter(topic), as_version=4).cells
        return cls("\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown"))

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
