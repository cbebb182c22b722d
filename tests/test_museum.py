"""The bug museum: every fault shows its sign, is undone afterwards, and fails its exercises."""

import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "notebooks" / "museum"
sys.path.insert(0, str(FOLDER))

import museum  # noqa: E402

from treelab.checkers import verdict  # noqa: E402

EXHIBITS = [pytest.param(e, id=e.id) for e in museum.exhibits()]
CAUGHT = [
    pytest.param(e, *case, id=f"{e.id}-{case[0]}")
    for e in museum.exhibits()
    for case in e.caught_by
]
VISIBLE = 0.02  # of the size of the right result


@pytest.mark.parametrize("exhibit", EXHIBITS)
def test_the_sign_differs_and_the_code_is_restored(exhibit):
    function = museum.function_of(exhibit)[0]
    code, defaults = function.__code__, function.__defaults__
    right, wrong = museum.results(exhibit)
    assert museum.difference(right, wrong) > VISIBLE
    assert function.__code__ is code
    assert function.__defaults__ is defaults
    assert museum.difference(right, exhibit.sign()) == 0


@pytest.mark.parametrize(("exhibit", "exercise", "adapter", "fragment"), CAUGHT)
def test_the_checker_rejects_the_fault_and_accepts_the_same_answer_without(
    exhibit, exercise, adapter, fragment
):
    assert verdict(exercise, adapter()) == (True, "passed")
    passed, message = verdict(exercise, museum.with_fault(exhibit, adapter))
    assert not passed
    assert fragment in message


def test_the_code_is_restored_after_an_error():
    exhibit = museum.exhibits()[0]
    function = museum.function_of(exhibit)[0]
    code = function.__code__

    def fail_inside():
        with museum.mutated(exhibit):
            assert function.__code__ is not code
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_inside()
    assert function.__code__ is code
