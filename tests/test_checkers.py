"""The verdict on an answer: every kind of answer, and every way in which one can fail."""

import fractions
import functools

import numpy as np
import pytest

from treelab import checkers
from treelab.checkers import Hint, check, checker, expect, verdict


@pytest.fixture(autouse=True)
def _own_exercises(monkeypatch, tmp_path):
    """A chapter of its own, `made_up`, whose file of checkers is in a temporary folder."""
    monkeypatch.setattr(checkers, "_CHECKERS", {})
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "checks_made_up.py").write_text(FILE, encoding="utf-8")
    (tmp_path / "checks_broken.py").write_text("import a_module_that_is_none\n", encoding="utf-8")
    monkeypatch.delitem(checkers.importlib.sys.modules, "checks_made_up", raising=False)
    yield
    checkers.importlib.sys.modules.pop("checks_made_up", None)


FILE = """
from treelab.checkers import checker, expect


@checker("made-up-1")
def _(double):
    for x in (3, 0, -1.5):
        expect(double(x) == 2 * x, f"{x} was not doubled.")


@checker("made-up-2", none_is_an_answer=True)
def _(first_even):
    expect(first_even([1, 2, 3]) == 2, "2 is even.")
    expect(first_even([1, 3]) is None, "none of these is even: the answer is None.")


@checker("made-up-3")
def _(array):
    expect(array.sum() == 6, "the sum should be 6.")


@checker("made-up-4")
def _(double):
    try:
        double("text")
    except TypeError:
        return
    expect(double(y=1) == 2, "name the argument y.")
"""


def test_right_answers_pass():
    assert verdict("made-up-1", lambda x: 2 * x) == (True, "passed")
    assert verdict("made-up-3", np.array([1, 2, 3])) == (True, "passed")


@pytest.mark.parametrize("hole", [..., None, lambda x: ..., lambda x: None])
def test_holes_are_not_done_yet(hole):
    assert verdict("made-up-1", hole) == (False, "not done yet")


def test_who_prints_instead_of_returning_is_told():
    assert verdict("made-up-1", lambda x: print(2 * x)) == (
        False,
        "your function returned None: use `return`, not `print`.",
    )
    assert verdict("made-up-2", lambda xs: print(xs)) == (False, "2 is even.")


@pytest.mark.parametrize("hole", [..., None])
def test_the_answer_itself_is_never_none(hole):
    assert verdict("made-up-2", hole) == (False, "not done yet")


def test_where_a_function_may_return_none_it_is_judged():
    right = lambda xs: next((x for x in xs if x % 2 == 0), None)  # noqa: E731
    assert verdict("made-up-2", right) == (True, "passed")
    assert verdict("made-up-2", lambda xs: None) == (False, "2 is even.")
    assert verdict("made-up-2", lambda xs: ...) == (False, "not done yet")
    assert verdict("made-up-2", lambda xs: 2)[1] == "none of these is even: the answer is None."


def test_a_wrong_answer_gets_the_first_hint():
    assert verdict("made-up-1", lambda x: x + 3) == (False, "0 was not doubled.")
    assert verdict("made-up-3", np.arange(3)) == (False, "the sum should be 6.")


def test_a_partial_function_is_watched_too():
    def power(k, x):
        return x / 0 if k == 9 else k * x

    assert verdict("made-up-1", functools.partial(power, 2)) == (True, "passed")
    assert "ZeroDivisionError" in verdict("made-up-1", functools.partial(power, 9))[1]
    assert verdict("made-up-1", functools.partial(lambda k, x: None, 1))[1] == "not done yet"


def test_a_failure_is_told_with_its_line_in_the_answer():
    def double(x):
        if x == 3:
            return 6
        return 2 * sum(int("nothing") for _ in range(2))

    assert verdict("made-up-1", double) == (
        False,
        "your code stopped with ValueError: invalid literal for int() with base 10: 'nothing' "
        "(line 4 of double, its first line being the def)",
    )


def test_a_failure_in_a_function_beside_the_answer_is_told_with_its_line_there():
    def helper(x):
        x = {}[x]
        return x

    def double(x):
        return 6 if x == 3 else helper(x)

    message = verdict("made-up-1", double)[1]
    assert message.endswith("(line 2 of helper, its first line being the def)")


def test_a_failure_in_a_function_from_elsewhere_is_told_with_the_line_that_calls_it():
    def double(x):
        x = 2 * x
        return fractions.Fraction(x, 0)

    assert "(line 3 of double" in verdict("made-up-1", double)[1]


def test_a_failure_outside_of_the_answer_has_no_line():
    def helper(k, x):
        raise IndexError("no row")

    message = verdict("made-up-1", functools.partial(helper, 1))[1]
    assert message == "your code stopped with IndexError: no row"


def test_the_last_of_several_lines_is_named():
    """A function that calls itself: the call that failed, not the one that began."""

    def double(x, again=True):
        if again:
            return double(x, False)
        raise KeyError("x")

    assert "(line 4 of double" in verdict("made-up-1", double)[1]


def test_an_exception_without_words_leaves_no_colon():
    def double(y):
        raise ValueError

    assert verdict("made-up-1", double)[1].startswith("your code stopped with ValueError (line 2")


@pytest.mark.parametrize("answer", [3, "text", [1, 2], {}])
def test_an_answer_of_another_form_is_the_fault_of_no_function(answer):
    passed, message = verdict("made-up-1", answer)
    assert not passed
    assert message.startswith("the checker could not read your answer (TypeError: ")
    assert message.endswith("Compare the form of what you return with what the exercise asks for.")


def test_a_checker_sees_what_the_answer_raised_as_its_own_failure():
    """Also an exception of a kind that the checker itself would catch."""

    def double(y):
        raise TypeError("not mine")

    assert verdict("made-up-4", double)[1].startswith("your code stopped with TypeError: not mine")
    assert verdict("made-up-4", lambda y: 2 * y if y == 1 else 1) == (True, "passed")


def test_the_watched_function_keeps_its_name_and_takes_names():
    @checker("made-up-9")
    def check_name(answer):
        expect(answer.__name__ == "double", "its name is double.")
        expect(answer(x=2) == 4, "it takes names.")

    def double(x):
        return 2 * x

    assert verdict("made-up-9", double) == (True, "passed")


def test_check_prints_one_line(capsys):
    assert check("made-up-1", lambda x: 2 * x) is None
    check("made-up-1", lambda x: x)
    check("made-up-1", ...)
    assert capsys.readouterr().out == (
        "made-up-1: passed\nmade-up-1: 3 was not doubled.\nmade-up-1: not done yet\n"
    )


def test_unknown_ids_are_refused_and_named():
    with pytest.raises(KeyError, match="no exercise has the id 'made-up-99'"):
        verdict("made-up-99", 1)


def test_a_module_that_the_checkers_need_and_that_is_missing_is_named():
    with pytest.raises(ModuleNotFoundError, match="a_module_that_is_none"):
        verdict("broken-1", 1)


def test_one_id_one_checker_and_the_function_stays_itself():
    def first(answer):
        """The first."""

    assert checker("made-up-7")(first) is first
    with pytest.raises(ValueError, match="exercise 'made-up-7' has two checkers"):
        checker("made-up-7")(first)


def test_expect_is_silent_or_a_hint():
    assert expect(True, "words") is None
    with pytest.raises(Hint, match="^words$"):
        expect(False, "words")
