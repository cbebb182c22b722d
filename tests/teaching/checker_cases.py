"""Right and wrong answers to exercises and homework, as the tests of their checkers use them.

Each module of a folder holds, for every coded question, ``CORRECT[id]`` (right answers in
different styles) and ``WRONG[id]`` (pairs of a wrong answer and a fragment of the hint that it
must get).

The modules are imported when a case is asked for, because some of them fit models: only the process
that runs these tests waits for it. The ids of the questions are read from their lines.
"""

import contextlib
import importlib
import io
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent


class Cases:
    """The cases of one folder.

    Parameters
    ----------
    folder : str
        Its name beside this file.
    """

    def __init__(self, folder):
        self.folder, self.questions = folder, []
        self.names = sorted(p.stem for p in (TESTS / folder).glob("[a-z]*.py"))
        for name in self.names:
            text = (TESTS / folder / f"{name}.py").read_text(encoding="utf-8")
            own = re.compile(rf'^    "({name.replace("_", "-")}-\d+)": ', re.M)
            self.questions += sorted({*own.findall(text)})

    def module(self, name):
        """The cases of one assignment or topic."""
        return importlib.import_module(f"{self.folder}.{name}")

    def of(self, question):
        """The module with the cases of a question."""
        return self.module(question.rpartition("-")[0].replace("-", "_"))

    def is_function(self, question):
        """Whether the answer is a function; else it is a value, as of a question by hand."""
        return callable(self.of(question).CORRECT[question][0])

    def right(self, question):
        """The right answers to a question, by name; dict."""
        answers = self.of(question).CORRECT[question]
        return {f"right answer {i}, {named(answer)}": answer for i, answer in enumerate(answers)}

    def wrong(self, question):
        """The wrong answers to a question and a fragment of the hint to each, by name; dict."""
        pairs = self.of(question).WRONG[question]
        return {f"wrong answer {i}, {named(pair[0])}": pair for i, pair in enumerate(pairs)}

    def holes(self, question):
        """Answers that are still to be written, by name; dict."""
        holes = {"an ellipsis": ..., "None": None}
        return holes | ({"an empty function": empty} if self.is_function(question) else {})


def empty(*args, **kwargs):
    """A function whose body is still to be written."""
    return ...


def named(answer):
    """The name of a function, or the beginning of a value as it is written."""
    return getattr(answer, "__name__", repr(answer))[:60]


@contextlib.contextmanager
def collected():
    """Run many cases in one test, and fail at the end with a list of those that fail.

    Yields
    ------
    callable
        What runs in a block ``with case(name):`` is a case. If it fails, the message of the test
        has the name, the error and what was printed, and the next case follows.
    """
    failed = []

    @contextlib.contextmanager
    def case(name):
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                yield
        except (Exception, pytest.fail.Exception) as error:
            said = f"; printed: {printed.getvalue()}" if printed.getvalue() else ""
            failed.append(f"{name}: {type(error).__name__}: {error}{said}")

    yield case
    assert not failed, "\n".join([f"{len(failed)} cases failed", *failed])
