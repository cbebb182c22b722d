"""Checkers for the exercises and the homework, and the drills.

The checkers of a chapter, ``checks_<chapter>.py``, come with the package, those of an assignment
with it. Each is a function that raises `Hint` when an answer is wrong::

    @checker("reading-3")
    def _(shares_of):
        expect(sum(shares_of(tree, X, y, [1.0])) == 1, "The shares of a leaf add up to 1.")

``check("reading-3", shares_of)`` prints the verdict. An answer that is still ``...`` or ``None``,
or a function that returns one of these and prints nothing, is *not done yet*.
"""

import functools
import importlib
import inspect
import sys
import traceback
from pathlib import Path

__all__ = ["Hint", "check", "checker", "drill", "expect", "verdict"]

_PLACES = ("exercises", "drills", "../notebooks/exercises", "../notebooks/teaching/exam")
_PATH = [str((Path(__file__).parent / place).resolve()) for place in _PLACES]
_NO_RETURN = "your function returned None: use `return`, not `print`."
_CHECKERS = {}  # exercise id -> (function that checks, whether None is a possible answer)


class Hint(Exception):
    """What is wrong with an answer, in words that help to mend it."""


class _AnswerFailed(Exception):
    """The student's function raised the exception given as argument."""


def checker(exercise, none_is_an_answer=False):
    """Register the decorated function as the checker of an exercise.

    Parameters
    ----------
    exercise : str
        Its id, ``<chapter>-<number>``; one that has a checker already is a ValueError.
    none_is_an_answer : bool, default=False
        Whether a correct function returns None for some input; then None is passed on to the
        checker instead of counting as *not done yet*.
    """

    def register(function):
        if exercise in _CHECKERS:
            raise ValueError(f"exercise {exercise!r} has two checkers.")
        _CHECKERS[exercise] = (function, none_is_an_answer)
        return function

    return register


def expect(condition, hint):
    """Raise `Hint` with the words `hint` unless the condition holds."""
    if not condition:
        raise Hint(hint)


def verdict(exercise, answer):
    """Whether an answer passes, bool, and ``"passed"``, ``"not done yet"`` or what is wrong, str.

    Parameters
    ----------
    exercise : str
        Its id; a KeyError if no exercise has it, a ModuleNotFoundError if no checkers are found.
    answer : object
        What the exercise asks for: a function, a number, an array, a table.
    """
    check_answer, none_is_an_answer = _find(exercise)
    if answer is ... or answer is None:
        return False, "not done yet"
    try:
        check_answer(_watched(answer, none_is_an_answer))
    except Hint as hint:
        return False, str(hint)
    except _AnswerFailed as failure:
        return False, _describe(failure.args[0], answer)
    except Exception as error:
        return False, (
            f"the checker could not read your answer ({type(error).__name__}: {error}). "
            "Compare the form of what you return with what the exercise asks for."
        )
    return True, "passed"


def check(exercise, answer):
    """Print the verdict on an answer; arguments as in `verdict`."""
    print(f"{exercise}: {verdict(exercise, answer)[1]}")


def drill(name, seed, answers=None):
    """A question with the numbers of a seed; with a dict of answers, print a verdict on each."""
    return _load("drills").drill(name, seed, answers)


def _load(module):
    """A module from beside the notebook, the installed package, or the copy of the project."""
    sys.path += [place for place in _PATH if place not in sys.path]
    return importlib.import_module(module)


def _find(exercise):
    """The checker of an exercise, from the module of its chapter."""
    chapter = exercise.rpartition("-")[0]
    module = f"checks_{chapter.replace('-', '_')}"
    try:
        _load(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
    if exercise in _CHECKERS:
        return _CHECKERS[exercise]
    if not chapter or any(known.startswith(f"{chapter}-") for known in _CHECKERS):
        raise KeyError(f"no exercise has the id {exercise!r}; copy one, such as 'reading-3'.")
    raise ModuleNotFoundError(
        f"{module}.py, which checks {exercise!r}, is neither in {Path.cwd()} nor in this treelab. "
        "An exercise of the book needs the treelab of its edition (pip install --upgrade treelab), "
        "homework its own folder, where this file lies.",
        name=module,
    )


def _watched(answer, none_is_an_answer):
    """The answer; a function tells its own failures from those of the checker."""
    if not (inspect.isfunction(answer) or isinstance(answer, functools.partial)):
        return answer

    def call(*args, **kwargs):
        try:
            result = answer(*args, **kwargs)
        except Exception as error:
            raise _AnswerFailed(error) from None
        if result is ... or (result is None and not none_is_an_answer):
            names = getattr(answer, "__code__", call.__code__).co_names
            raise Hint(_NO_RETURN if result is None and "print" in names else "not done yet")
        return result

    return functools.update_wrapper(call, answer)


def _describe(error, answer):
    """Name an exception of the student's code and the innermost of their lines."""
    message = f"your code stopped with {type(error).__name__}: {error}".removesuffix(": ")
    home = getattr(getattr(answer, "__code__", None), "co_filename", None)
    walked = [(f.f_code, n) for f, n in traceback.walk_tb(error.__traceback__)]
    lines = [(n - c.co_firstlineno + 1, c.co_name) for c, n in walked if c.co_filename == home]
    for line, name in [place for place in lines if not place[1].startswith("<")][-1:]:
        message += f" (line {line} of {name}, its first line being the def)"
    return message
