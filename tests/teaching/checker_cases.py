"""Right and wrong answers to exercises and homework, as the tests of their checkers use them.

Each module of a folder holds, for every coded question, ``CORRECT[id]`` (right answers in
different styles) and ``WRONG[id]`` (pairs of a wrong answer and a fragment of the hint that it
must get).
"""

import importlib
from pathlib import Path

import pytest

from treelab import checkers

TESTS = Path(__file__).resolve().parent


class Cases:
    """The cases of one folder.

    Parameters
    ----------
    folder : str
        Its name beside this file.
    """

    def __init__(self, folder):
        names = sorted(p.stem for p in (TESTS / folder).glob("[a-z]*.py"))
        self.modules = {name: importlib.import_module(f"{folder}.{name}") for name in names}
        self.correct = [
            pytest.param(question, answer, id=f"{question}-{i}")
            for module in self.modules.values()
            for question, answers in module.CORRECT.items()
            for i, answer in enumerate(answers)
        ]
        self.wrong = [
            pytest.param(question, answer, fragment, id=f"{question}-{i}")
            for module in self.modules.values()
            for question, answers in module.WRONG.items()
            for i, (answer, fragment) in enumerate(answers)
        ]
        self.questions = sorted(
            q for module in self.modules.values() for q in {*module.CORRECT, *module.WRONG}
        )
        holes = [("ellipsis", ...), ("none", None), ("function", empty)]
        self.holes = [
            pytest.param(question, hole, id=f"{name}-{question}")
            for question in self.questions
            for name, hole in holes
            if name != "function" or self.is_function(question)
        ]

    def of(self, question):
        """The module with the cases of a question."""
        return self.modules[question.rpartition("-")[0].replace("-", "_")]

    def is_function(self, question):
        """Whether the answer is a function; else it is a value, as of a question by hand."""
        return callable(self.of(question).CORRECT[question][0])


def empty(*args, **kwargs):
    """A function whose body is still to be written."""
    return ...


def assert_passes(question, answer):
    """A right answer passes."""
    assert checkers.verdict(question, answer) == (True, "passed")


def assert_gets_hint(question, answer, fragment):
    """A typical mistake gets the hint that names it."""
    passed, message = checkers.verdict(question, answer)
    assert not passed
    assert fragment in message


def assert_not_done(question, hole):
    """A hole is told from a mistake."""
    assert checkers.verdict(question, hole) == (False, "not done yet")
