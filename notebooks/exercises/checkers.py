"""Checkers for the exercises and the homework, and the drills; `treelab.checkers` for notebooks.

The checkers of a chapter, ``checks_<chapter>.py``, come with the package, and those of an
assignment with the assignment. Each is a function that raises `Hint` when an answer is wrong::

    @checker("reading-3")
    def _(shares_of):
        expect(sum(shares_of(tree, X, y, [1.0])) == 1, "The shares of a leaf add up to 1.")

``check("reading-3", shares_of)`` prints the verdict. An answer that is still ``...`` or ``None``,
or a function that returns one of these and prints nothing, is *not done yet*.

``judges_<assignment>.py`` holds what students must not have, and only the teacher has it: the
judges of written answers, and correct versions of the functions that later ones call.
"""

import contextlib
import dis
import functools
import importlib
import importlib.util
import inspect
import signal
import sys
import threading
import traceback
import types
from pathlib import Path

__all__ = [
    "Hint", "check", "checker", "drill", "expect", "fairly", "judged", "needs", "own_number",
    "verdict",
]  # fmt: skip

_PLACES = (".", "../drills", "../teaching/exam")
_PATH = [str((Path(__file__).parent / place).resolve()) for place in _PLACES]
_NO_RETURN = "your function returned None: use `return`, not `print`."
_IN_FORM = "in form; whether it is right you learn when your work is graded"
_CHECKERS = {}  # exercise id -> (function that checks, whether None is an answer, whether plain)
_FOREIGN = "treelab", "sklearn"
_NUMBER = 0  # of whose work is graded
_SECONDS = 60  # a check that runs longer is stopped; the longest takes a few seconds


class Hint(Exception):
    """Message that says what is wrong with an answer, in words that help to correct it."""


class _AnswerFailed(Exception):
    """The student's function raised the exception given as argument."""


def checker(exercise, none_is_an_answer=False, plain=False):
    """Register the decorated function as the checker of an exercise.

    Parameters
    ----------
    exercise : str
        Its id, ``<chapter>-<number>``; an id that already has a checker is a ValueError.
    none_is_an_answer : bool, default=False
        Whether a correct function returns None for some input; then None is passed on to the
        checker instead of counting as *not done yet*.
    plain : bool, default=False
        Whether a correct function must do without treelab and scikit-learn.
    """

    def register(function):
        if exercise in _CHECKERS:
            raise ValueError(f"exercise {exercise!r} has two checkers.")
        _CHECKERS[exercise] = (function, none_is_an_answer, plain)
        return function

    return register


def expect(condition, hint):
    """Raise `Hint` with the words `hint` unless the condition holds."""
    if not condition:
        raise Hint(hint)


def verdict(exercise, answer):
    """Return whether an answer passes, bool, and ``"passed"``, ``"not done yet"`` or a hint, str.

    A function that fails is tried again with correct versions of the functions that it calls, if
    the judges of an assignment have them (`fairly`).

    Parameters
    ----------
    exercise : str
        Its id; a KeyError if no exercise has it, a ModuleNotFoundError if no checkers are found.
    answer : object
        The answer: a function, a number, an array, a table.
    """
    check_answer, none_is_an_answer, plain = _find(exercise)
    if answer is ... or answer is None:
        return False, "not done yet"
    try:
        with _limited(_SECONDS):
            fairly(exercise, lambda: check_answer(_watched(answer, none_is_an_answer)), answer)
    except Hint as hint:
        return False, str(hint)
    except _AnswerFailed as failure:
        return False, _describe(failure.args[0], answer)
    except Exception as error:
        return False, (
            f"the checker could not read your answer ({type(error).__name__}: {error}). "
            "Compare the form of what you return with what the exercise asks for."
        )
    right = _judges(exercise, "HELPERS").get(exercise, {})  # an answer is not blamed for others
    if plain and (name := _borrowed(answer, set(right), set())):
        return False, f"write it yourself: neither treelab nor scikit-learn inside, as in {name}."
    return True, "passed"


def judged(exercise, found):
    """Pass an answer that has the right form to the judge of an assignment.

    Students have no judges; their verdict is that the answer has the right form.

    Parameters
    ----------
    exercise : str
        Its id; ``JUDGES`` of ``judges_<assignment>.py`` has its judge, which raises `Hint`.
    found : object
        The answer as the judge wants it.
    """
    judge = _judges(exercise, "JUDGES").get(exercise)
    expect(judge, _IN_FORM)
    judge(found)


def own_number():
    """Return the number of the student or group whose work is graded; 0 elsewhere."""
    return _NUMBER


def fairly(exercise, test, function=None):
    """Run a test, and if it fails, again with correct versions of the functions that are called.

    Therefore an error in one function costs its own points, but not those of all that use it.

    Parameters
    ----------
    exercise : str
        Its id; ``HELPERS`` of ``judges_<assignment>.py`` has the correct versions, by name.
    test : callable
        Raises an exception if the answer is wrong.
    function : callable, default=None
        A function from the module of the student's functions; None takes `test`.
    """
    helpers = _judges(exercise, "HELPERS").get(exercise)
    if not helpers:
        return test()
    with contextlib.suppress(Exception), _limited(5):  # a loop that does not end is an error, too
        return test()
    space = getattr(inspect.unwrap(function or test), "__globals__", {})
    own = {name: space[name] for name in helpers if name in space}
    space.update(helpers)
    try:
        return test()
    finally:
        for name in helpers:
            del space[name]
        space.update(own)


@contextlib.contextmanager
def _limited(seconds):
    """Raise a TimeoutError after some seconds, if the system has alarms (not on Windows)."""

    def stop(*_):
        raise TimeoutError(f"it ran for more than {seconds} seconds")

    in_main_thread = threading.current_thread() is threading.main_thread()  # others get no alarm
    if not hasattr(signal, "setitimer") or not in_main_thread:
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    outer, _ = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, outer)
        signal.signal(signal.SIGALRM, before)


def check(exercise, answer):
    """Print the verdict on an answer; arguments as in `verdict`."""
    print(f"{exercise}: {verdict(exercise, answer)[1]}")


def needs(module):
    """Stop with one sentence unless the file of an assignment lies beside its notebook.

    Parameters
    ----------
    module : str
        Name of the file without its ending, such as ``"checks_hw1"``.

    Raises
    ------
    FileNotFoundError
        If there is no such file; its message says what to copy, and where.
    """
    if module not in sys.modules and importlib.util.find_spec(module) is None:
        raise FileNotFoundError(
            f"{module}.py is missing: copy it from the folder of the assignment into the folder of "
            f"this notebook, {Path.cwd()}, and run this cell again."
        )


def drill(name, seed, answers=None):
    """Return a question with the numbers of a seed; with answers, print a verdict on each."""
    return _load("drills").drill(name, seed, answers)


def _load(module):
    """Import a module from the folder of the notebook, the package, or the copy of the project."""
    sys.path += [place for place in _PATH if place not in sys.path]
    return importlib.import_module(module)


def _find(exercise):
    """Return the checker of an exercise, from the module of its chapter."""
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


def _judges(exercise, what):
    """Return a table of the judges' module of an assignment, empty if there is none."""
    name = f"judges_{exercise.rpartition('-')[0]}"
    try:
        return getattr(importlib.import_module(name), what)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
    return {}


def _borrowed(function, left_out, seen):
    """Return the name that a function, or one that it calls, has from treelab or scikit-learn."""
    function = inspect.unwrap(getattr(function, "func", function))  # of a partial
    if not inspect.isfunction(function):
        function = type(function).__call__ if callable(function) else None
    space, codes = getattr(function, "__globals__", {}), [getattr(function, "__code__", None)]
    seen.add(id(function))
    for code in filter(None, codes):
        codes += filter(inspect.iscode, code.co_consts)
        imported = [i.argval for i in dis.get_instructions(code) if i.opname == "IMPORT_NAME"]
        known = [(n, space[n]) for n in code.co_names if n in space and n not in left_out]
        for name, value in [*((n, types.ModuleType(n)) for n in imported), *known]:
            home = getattr(value, "__name__" if inspect.ismodule(value) else "__module__", "")
            if str(home).partition(".")[0] in _FOREIGN:
                return name
            inner = vars(value).values() if inspect.isclass(value) else [value]
            for one in filter(inspect.isfunction, inner):
                if one.__globals__ is space and id(one) not in seen:
                    if found := _borrowed(one, left_out, seen):
                        return found
    return ""


def _watched(answer, none_is_an_answer):
    """Return the answer; a function is wrapped so that its failures are told from the checker's."""
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
