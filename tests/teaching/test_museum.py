"""The bug museum: what is right agrees with treelab, every fault shows its sign and is caught."""

import ast
import importlib
import re
import sys
from dataclasses import replace
from pathlib import Path

import make_page
import museum
import nbformat
import pytest
from cases import each
from places import ROOT, TESTS

from treelab.exercises import checkers
from treelab.exercises.checkers import verdict

pytestmark = pytest.mark.timeout(3000)  # a busy machine is slow

HOMEWORK = sorted((ROOT / "notebooks" / "teaching" / "homework" / "source").glob("hw*"))
sys.path[:0] = map(str, HOMEWORK)  # for the checkers

ALL = museum.exhibits()
CAUGHT = [(e, *case) for e in ALL for case in e.caught_by]
SAME = 1e-10
TEACHING_CODE = {  # faults that were found in widely copied teaching code
    "m-features-once",
    "m-no-bootstrap",
    "m-start-forgotten",
    "m-children-by-counts",
    "m-callers-table",
    "m-global-seed",
}
NO_EXHIBIT = {
    "instability-7": "averages of models of new training sets, which treelab cannot draw",
    "bagging-4": "the exact chance that a vote is wrong; treelab votes",
    "bagging-6": "base estimators of any kind; the bagging on show grows trees",
    "forests-2": "quantiles of weights; treelab's forests say means",
    "forests-7": "stumps of given samples and candidates; treelab draws its own",
    "pruning-6": "no function of treelab shares copies of rows out to folds",
    "impurity-2": "a table of costs; treelab has the weights of rows",
    "growing-4": "questions one after the other, for surrogates, which treelab has not",
    "growing-5": "an exact search; treelab grows greedily",
    "bicycles-2": "what is known at an hour; treelab's tables have no clock",
    "bicycles-3": "rows in the order of time; treelab leaves splits to scikit-learn",
    "wind-3": "importances by a law; treelab's come from models",
}


every_exhibit = each("exhibit", ALL, ids=lambda exhibit: exhibit.id)


@every_exhibit
def test_what_is_right_is_what_treelab_does_and_with_the_fault_it_is_not(exhibit):
    assert re.fullmatch(r"treelab(\.[A-Za-z]\w*)+", exhibit.public)
    assert museum.public(exhibit.public) is not None
    assert museum.difference(*exhibit.agrees()) < SAME
    with museum.mutated(exhibit):
        assert museum.difference(*exhibit.agrees()) > SAME


FILES = sorted(make_page.FOLDER.glob("*.py"))


@each("path", FILES, ids=lambda path: path.stem)
def test_the_museum_needs_only_public_names_of_treelab(path):
    """No line of treelab, no private name and no patch: a refactoring edits no exhibit."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("treelab"):
            assert not re.search(r"\b_", f"{node.module} {[a.name for a in node.names]}")
            assert all(hasattr(importlib.import_module(node.module), a.name) for a in node.names)
        if isinstance(node, ast.Attribute):
            assert node.attr.endswith("__") or not node.attr.startswith("_"), node.attr
    assert "mock" not in text
    codes = {e.code for e in ALL if e.code.__module__ == path.stem}
    assert all(Path(code.__code__.co_filename) == path for code in codes)


def test_no_page_is_made_of_a_fault_that_nobody_sees():
    """`make derived` draws every exhibit; here are one that shows it and one that does not."""
    exhibit = ALL[0]
    museum.draw(exhibit)
    with pytest.raises(ValueError, match=f"{exhibit.id} does not show its fault"):
        museum.draw(replace(exhibit, sign=lambda: 1.0))


@pytest.mark.whole
@every_exhibit
def test_the_sign_is_the_same_every_time(exhibit):
    assert museum.difference(exhibit.sign(), exhibit.sign()) == 0


@each(
    "exhibit, exercise, adapter, fragment",
    CAUGHT,
    ids=[f"{case[0].id}-{case[1]}" for case in CAUGHT],
)
def test_the_checker_rejects_the_fault_and_accepts_the_same_answer_without(
    exhibit, exercise, adapter, fragment, monkeypatch
):
    monkeypatch.setattr(checkers, "_borrowed", lambda *_: "")  # exhibits may stand on treelab,
    # whose tables say more of each split than the gain, and so take longer
    monkeypatch.setattr("checks_growing_plain.is_slow_on_arrays", lambda gains: False)
    assert verdict(exercise, adapter()) == (True, "passed")
    passed, message = verdict(exercise, museum.with_fault(exhibit, adapter))
    assert not passed
    assert fragment in message


@every_exhibit
def test_an_exhibit_says_what_it_has_to(exhibit):
    assert re.fullmatch(r"m-[a-z0-9-]+", exhibit.id)
    assert exhibit.room in make_page.ROOMS
    assert exhibit.origin in ("teaching code", "student")
    assert not exhibit.title.endswith(".")
    for text in (exhibit.story, exhibit.notice, exhibit.caption, exhibit.alt):
        assert re.search(r"[.?)]$", text), text
        assert "!" not in text
    assert 2 <= len(re.findall(r"[.?:](?= |$)", exhibit.story)) <= 6
    printed = museum.changed_lines(exhibit).splitlines()
    assert 1 <= len(printed) <= 8, "an exhibit is a short change"
    assert all(re.match(r"[-+]( |$)", line) for line in printed)


def test_the_faults_of_teaching_code_and_thirty_of_students_are_here():
    assert {e.id for e in ALL if e.origin == "teaching code"} == TEACHING_CODE
    assert len([e for e in ALL if e.origin == "student"]) >= 30


def test_every_coded_exercise_meets_an_exhibit():
    chapters = sorted(p.stem for p in (TESTS / "teaching" / "exercise_cases").glob("[a-z]*.py"))
    cases = [importlib.import_module(f"exercise_cases.{name}") for name in chapters]
    coded = {exercise for case in cases for exercise in case.CORRECT}
    named = {exercise for e in ALL for exercise, _, _ in e.caught_by}
    assert coded - named == set(NO_EXHIBIT)


def test_the_code_is_restored_after_an_error():
    exhibit = ALL[0]
    function = exhibit.code
    code, defaults = function.__code__, (function.__defaults__, function.__kwdefaults__)
    with pytest.raises(AssertionError), museum.mutated(exhibit):
        assert function.__code__ is code  # it is another one here
    assert function.__code__ is code
    assert (function.__defaults__, function.__kwdefaults__) == defaults


def test_lines_that_are_not_there_are_refused():
    lost = replace(ALL[0], before="left = x << pick(self.threshold, node)")
    with pytest.raises(ValueError, match="occur 0 times"):
        museum.sources(lost)
    with pytest.raises(KeyError, match="no exhibit has the id"):
        museum.find("m-nothing")


def test_difference_tells_shapes_labels_and_gaps_apart():
    assert museum.difference([1.0, 4.0], [1.0, 5.0]) == 0.25
    assert museum.difference([1.0], [1.0, 1.0]) == float("inf")
    assert museum.difference([1.0, float("nan")], [1.0, 2.0]) == float("inf")
    assert museum.difference([float("nan"), 2.0], [float("nan"), 2.0]) == 0
    assert museum.difference(["a", "b"], ["a", "c"]) == 0.5
    assert museum.difference({"n": 2.0, "_x": 1.0}, {"n": 2.0, "_x": 9.0}) == 0


def sources(page):
    return [cell.source for cell in page.cells]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of the museum's pages: that of the book if they are up to date, or a new one."""
    book = make_page.PAGE.parent
    if (book / make_page.PICTURES).is_dir() and all(
        (book / make_page.file_name(room)).exists()
        and sources(page) == sources(nbformat.read(book / make_page.file_name(room), as_version=4))
        for room, page in make_page.pages().items()
    ):
        return book
    monkeypatch.setenv("JUPYTER_NO_CONFIG", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    make_page.main(tmp_path)
    return tmp_path


def test_the_pages_are_made_from_the_exhibits(folder):
    made = sorted(path.name for path in folder.glob("bug_museum*.ipynb"))
    assert made == ["bug_museum.ipynb", *map(make_page.file_name, make_page.rooms())]
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    listed = re.findall(r"notebooks/teaching/(bug_museum_\d+)$", toc, re.M)
    assert [f"{name}.ipynb" for name in listed] == made[1:]
    entrance = nbformat.read(folder / "bug_museum.ipynb", as_version=4).cells[0].source
    for room in make_page.rooms():
        page = nbformat.read(folder / make_page.file_name(room), as_version=4)
        shown = {cell.id: cell for cell in page.cells}
        code = [cell for cell in page.cells if cell.cell_type == "code"]
        assert all(sum(map(bool, cell.source.splitlines())) <= 8 for cell in code)
        assert not any(cell.metadata.get("tags") for cell in code)
        size = 0
        for exhibit in [e for e in ALL if e.room == room]:
            data = [o["data"] for o in shown[exhibit.id].outputs if "data" in o]
            assert len(data) == 1, exhibit.id
            size += len(data[0]["image/svg+xml"])
            text = "".join(o.get("text", "") for o in shown[exhibit.id].outputs)
            assert museum.changed_lines(exhibit) in text
            assert {o.get("name") for o in shown[exhibit.id].outputs} <= {"stdout", None}
            assert f"](#{exhibit.id})" in entrance
            picture = folder / make_page.PICTURES / f"{exhibit.id}.svg"
            assert (
                f"![Correct, and with the fault:]({make_page.PICTURES}/{picture.name})" in entrance
            )
            assert picture.read_text(encoding="utf-8") == data[0]["image/svg+xml"]
        assert size < 250_000
