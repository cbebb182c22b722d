"""The verdict on an answer: every kind of answer, and every way in which one can fail."""

import functools
import json
import signal
import sys
import time

import numpy as np
import pytest
from cases import each
from places import ROOT

from treelab.checkers import Hint, check, checker, expect, verdict
from treelab.exercises import checkers


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


def times(k, x):
    return x / 0 if k == 9 else None if k == 1 else k * x


SAID = [
    ("made-up-1", lambda x: 2 * x, "passed"),
    ("made-up-1", functools.partial(times, 2), "passed"),
    ("made-up-3", np.array([1, 2, 3]), "passed"),
    *(("made-up-1", hole, "not done yet") for hole in (..., None, lambda x: ..., lambda x: None)),
    ("made-up-1", functools.partial(times, 1), "not done yet"),
    *(("made-up-2", hole, "not done yet") for hole in (..., None, lambda xs: ...)),
    ("made-up-1", lambda x: x + 3, "0 was not doubled."),  # the first hint
    ("made-up-3", np.arange(3), "the sum should be 6."),
    ("made-up-1", lambda x: print(x), "your function returned None: use `return`, not `print`."),
    ("made-up-2", lambda xs: next((x for x in xs if x % 2 == 0), None), "passed"),
    ("made-up-2", lambda xs: None, "2 is even."),
    ("made-up-2", lambda xs: print(xs), "2 is even."),
    ("made-up-2", lambda xs: 2, "none of these is even: the answer is None."),
    ("made-up-4", lambda y: 2 * y if y == 1 else 1, "passed"),
]


@each(("exercise", "answer", "said"), SAID)
def test_the_verdict(exercise, answer, said, capsys):
    assert verdict(exercise, answer) == (said == "passed", said)
    capsys.readouterr()
    assert check(exercise, answer) is None
    assert capsys.readouterr().out.splitlines()[-1] == f"{exercise}: {said}"


ANSWERS = """
import fractions

def in_a_comprehension(x):
    if x == 3:
        return 6
    return 2 * sum(int("n") for _ in range(2))

def helper(x):
    x = {}[x]
    return x

def in_another_function(x):
    return 6 if x == 3 else helper(x)

def elsewhere(x):
    x = 2 * x
    return fractions.Fraction(x, 0)

def in_the_call_that_fails(x, again=True):
    if again:
        return in_the_call_that_fails(x, False)
    raise KeyError("x")

def without_words(y):
    raise ValueError
"""
FAILURES = {  # the error and its line
    "in_a_comprehension": "ValueError: invalid literal for int() with base 10: 'n' (line 4 of ",
    "in_another_function": "KeyError: 0 (line 2 of helper",
    "elsewhere": "ZeroDivisionError: Fraction(6, 0) (line 3 of ",
    "in_the_call_that_fails": "KeyError: 'x' (line 4 of ",
    "without_words": "ValueError (line 2 of ",
}


@each("name", FAILURES)
def test_a_failure_is_told_with_its_line_in_the_code_of_the_student(name):
    exec(compile(ANSWERS, "answers", "exec"), space := {})
    said = FAILURES[name] + name * FAILURES[name].endswith(" of ")
    said = f"your code stopped with {said}, its first line being the def)"
    assert verdict("made-up-1", space[name]) == (False, said)
    failed = verdict("made-up-1", functools.partial(times, 9))[1]  # not in the answer's own code
    assert failed == "your code stopped with ZeroDivisionError: division by zero"


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


def test_the_watched_function_keeps_its_name_and_takes_names():
    def check_name(answer):
        expect(answer.__name__ == "double", "its name is double.")
        expect(answer(x=2) == 4, "it takes names.")

    def double(x):
        return 2 * x

    assert checker("made-up-9")(check_name) is check_name
    assert verdict("made-up-9", double) == (True, "passed")


REFUSED = [
    (lambda: verdict("made-up-99", 1), KeyError, "no exercise has the id 'made-up-99'"),
    (lambda: verdict("broken-1", 1), ModuleNotFoundError, "a_module_that_is_none"),
    (lambda: checker("made-up-1")(print), ValueError, "exercise 'made-up-1' has two checkers"),
    (lambda: expect(False, "words"), Hint, "^words$"),
]


@each(("call", "error", "words"), REFUSED)
def test_what_cannot_be_is_refused(call, error, words):
    assert expect(verdict("made-up-1", abs), "silent") is None
    with pytest.raises(error, match=words):
        call()


# What only the teacher has: judges, and right versions of functions that later ones call.

JUDGES = """
from treelab.checkers import expect, own_number


def judge_total(found):
    expect(found != 7, "you counted the empty ones.")
    expect(found == 3 * own_number(), "count again.")


def right_double(x):
    return 2 * x


JUDGES = {"made_up-10": judge_total}
HELPERS = {"made_up-11": {"double_of": right_double, "new_name": right_double}}
"""


@pytest.fixture
def _made_up():
    """A question by hand, and one for a function that calls another one."""

    @checker("made_up-10")
    def _(answer):
        expect(isinstance(answer, int), "a whole number is asked for.")
        checkers.judged("made_up-10", answer)

    @checker("made_up-11")
    def _(quadruple):
        expect(quadruple(1) == 4, "1 was not made four.")
        expect(quadruple(-1) == -4, "-1 was not made minus four.")


@pytest.fixture
def _judges(_made_up, tmp_path):
    """The judges stand beside the checkers."""
    (tmp_path / "judges_made_up.py").write_text(JUDGES, encoding="utf-8")
    yield
    checkers.importlib.sys.modules.pop("judges_made_up", None)


@pytest.mark.usefixtures("_made_up")
def test_where_no_judge_is_an_answer_is_only_in_form():
    assert verdict("made_up-10", "3") == (False, "a whole number is asked for.")
    said = (False, "in form; whether it is right you learn when your work is graded")
    assert verdict("made_up-10", 0) == verdict("made_up-10", 5) == said


@pytest.mark.usefixtures("_judges")
def test_a_judge_knows_whose_work_it_is(monkeypatch):
    assert checkers.own_number() == 0
    assert verdict("made_up-10", 0) == (True, "passed")
    monkeypatch.setattr(checkers, "_NUMBER", 5)
    assert checkers.own_number() == 5
    assert verdict("made_up-10", 15) == (True, "passed")
    assert verdict("made_up-10", 0) == (False, "count again.")
    assert verdict("made_up-10", 7) == (False, "you counted the empty ones.")
    assert verdict("made_up-10", "3") == (False, "a whole number is asked for.")


@pytest.mark.usefixtures("_made_up")
def test_a_module_that_the_judges_need_and_that_is_missing_is_named(tmp_path):
    (tmp_path / "judges_made_up.py").write_text("import a_module_that_is_none\n", encoding="utf-8")
    passed, message = verdict("made_up-10", 1)
    assert not passed
    assert "a_module_that_is_none" in message


NOTEBOOK = """
def double_of(x):
    return {double}


def through(x):
    return double_of(x)


def quadruple(x, again=True):
    return {quadruple}


def tests():
    assert quadruple(3) == 12, "3 was not made twelve."
"""


def notebook(double="2 * x", quadruple="double_of(through(x))"):
    """The names of a notebook in which these functions were written."""
    space = {}
    exec(NOTEBOOK.format(double=double, quadruple=quadruple), space)
    return space


@pytest.mark.usefixtures("_judges")
@pytest.mark.parametrize("double", ["x + 2", "1 / 0", "..."])
def test_an_error_costs_only_its_own_points(double):
    """Also where the function is called through another one of the student."""
    space = notebook(double)
    names = dict(space)
    assert verdict("made_up-11", space["quadruple"]) == (True, "passed")
    assert checkers.fairly("made_up-11", space["tests"]) is None
    assert space == names  # the student's functions are back, and nothing else is there
    wrong = notebook(double, "double_of(x)")
    assert verdict("made_up-11", wrong["quadruple"]) == (False, "1 was not made four.")
    with pytest.raises(AssertionError, match="3 was not made twelve"):
        checkers.fairly("made_up-11", wrong["tests"])
    assert wrong["double_of"] is not space["double_of"]
    assert "new_name" not in wrong


@pytest.mark.usefixtures("_judges")
def test_a_function_that_borrows_costs_only_its_own_points():
    @checker("made_up-12", plain=True)
    def _(double_of):
        expect(double_of(1) == 2, "1 was not doubled.")

    checkers._CHECKERS["made_up-11"] = (*checkers._CHECKERS["made_up-11"][:2], True)
    space = notebook("2 * x + 0 * gini([1])")
    exec("from treelab.fast.impurity import gini", space)
    assert verdict("made_up-11", space["quadruple"]) == (True, "passed")
    assert verdict("made_up-12", space["double_of"])[1].startswith("write it yourself")


@pytest.mark.usefixtures("_judges")
def test_what_is_right_with_the_own_functions_passes():
    """Two functions with another way to speak to each other than the right ones have."""
    space = notebook("[2 * x]", "double_of(double_of(x)[0])[0]")
    assert verdict("made_up-11", space["quadruple"]) == (True, "passed")
    checkers.fairly("made_up-11", space["tests"])


@pytest.mark.usefixtures("_judges")
def test_a_loop_without_end_costs_only_its_own_points(monkeypatch):
    """It is stopped, and the alarm is as it was before."""
    limited = checkers._limited
    monkeypatch.setattr(checkers, "_limited", lambda seconds: limited(0.2))
    before, timer = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)[0]
    space = notebook("double_of(x)")
    exec("def double_of(x):\n    while True:\n        pass", space)
    assert verdict("made_up-11", space["quadruple"]) == (True, "passed")
    checkers.fairly("made_up-11", space["tests"])
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL)[0] == pytest.approx(timer, abs=60)
    with pytest.raises(TimeoutError, match="more than"), limited(0.1):
        time.sleep(5)
    monkeypatch.delattr(signal, "setitimer")
    with limited(0.1):  # where there are no alarms
        time.sleep(0.2)


@pytest.mark.usefixtures("_made_up")
def test_a_loop_without_end_is_stopped_and_told(monkeypatch):
    monkeypatch.setattr(checkers, "_SECONDS", 0.2)
    space = notebook("x + 2")
    exec("def quadruple(x):\n    while True:\n        pass", space)
    passed, message = verdict("made_up-11", space["quadruple"])
    assert not passed
    assert message.startswith("your code stopped with TimeoutError: it ran for more than 0.2 s")


def test_a_limit_inside_a_limit_leaves_the_outer_one():
    def run():
        with checkers._limited(0.3):
            with checkers._limited(5):
                pass
            time.sleep(5)

    with pytest.raises(TimeoutError, match=r"0\.3"):
        run()


@pytest.mark.usefixtures("_made_up")
def test_without_right_versions_the_own_ones_count():
    space = notebook("x + 2")
    assert verdict("made_up-11", space["quadruple"]) == (False, "1 was not made four.")
    with pytest.raises(AssertionError, match="3 was not"):
        checkers.fairly("made_up-11", space["tests"])


@pytest.mark.usefixtures("_judges")
def test_a_wrapped_function_is_tried_in_its_own_notebook():
    space = notebook("x + 2")
    wrapped = functools.wraps(space["quadruple"])(lambda *given: space["quadruple"](*given))
    assert verdict("made_up-11", wrapped) == (True, "passed")


FOREIGN = {
    "np.sort(x)": "",
    "helper(x)": "",
    "len([np.sum(k) for k in range(x)])": "",
    "Tree().grow(x)": "",
    "treelab.DecisionTreeClassifier": "treelab",
    "gini([x])": "gini",
    "borrowing(x)": "gini",
    "[gini([k]) for k in range(x)]": "gini",
    "(lambda k: gini([k]))(x)": "gini",
    "Borrowing().grow(x)": "gini",
    "imported(x)": "sklearn",
    "imported_from(x)": "sklearn.tree",
    "mutual(x)": "gini",
}


@pytest.mark.parametrize("said", FOREIGN)
def test_a_plain_function_borrows_nothing(said):
    @checker("made-up-12", plain=True)
    def _(function):
        expect(callable(function), "write a function.")

    space = {}
    text = """
import numpy as np
import treelab
from treelab.fast.impurity import gini

def helper(x): return np.sort(x) if x else helper(x)
def borrowing(x): return gini([x])
def mutual(x): return other(x)
def other(x): return mutual(x) or borrowing(x)
def imported(x):
    import sklearn
    return sklearn
def imported_from(x):
    from sklearn.tree import DecisionTreeClassifier
    return DecisionTreeClassifier
class Tree:
    def grow(self, x): return np.sort(x)
class Borrowing:
    def grow(self, x): return gini(x)
def answer(x): return SAID
"""
    exec(text.replace("SAID", said), space)
    passed, message = verdict("made-up-12", space["answer"])
    name = FOREIGN[said]
    assert passed == (not name)
    hint = f"write it yourself: neither treelab nor scikit-learn inside, as in {name}."
    assert message == (hint if name else "passed")
    answer = space["answer"]
    called = type("Called", (), {"__call__": answer})
    for other in (functools.wraps(answer)(lambda x: 1), functools.partial(answer, 1), called()):
        assert verdict("made-up-12", other)[1] == message


def test_what_is_not_plain_may_borrow_and_a_hint_comes_first():
    @checker("made-up-13", plain=True)
    def _(function):
        expect(function([1, 1]) == 0, "one class is pure.")

    from treelab.fast.impurity import gini

    space = {"gini": gini}
    exec("def wrong(x): return 1 - gini(x)\ndef right(x): return gini(x[:1])", space)
    assert verdict("made-up-13", space["wrong"])[1] == "one class is pure."
    assert verdict("made-up-13", space["right"])[1].startswith("write it yourself")
    assert verdict("made-up-3", np.array([6])) == (True, "passed")
    exec("def double(x): return 2 * x + 0 * gini([1])", space)
    assert verdict("made-up-1", space["double"]) == (True, "passed")
    library = {"gini": gini}
    exec("def of_a_library(x): return 0 * gini([1])", library)
    exec("def calls(x): return of_a_library(x)", space := {**library})
    space["of_a_library"] = library["of_a_library"]
    assert verdict("made-up-13", space["calls"]) == (True, "passed")  # only their own code is read


SOURCE = ROOT / "notebooks/teaching/homework/source"


@pytest.mark.parametrize("name", sorted(path.name for path in SOURCE.glob("hw*")))
def test_homework_without_its_file_says_which_one_is_missing(name, tmp_path, monkeypatch):
    """The first cell stops with the sentence, before anything else is asked of the folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [str(ROOT), *(p for p in sys.path if "homework" not in p)])
    for module in [m for m in sys.modules if m.startswith("checks_hw")]:
        monkeypatch.delitem(sys.modules, module)
    source = SOURCE / name / f"{name}.ipynb"
    cells = json.loads(source.read_text(encoding="utf-8"))["cells"]
    first = next("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    with pytest.raises(FileNotFoundError, match=f"^checks_{name}.py is missing: copy it"):
        exec(first, {})
