"""Live cells outside a browser: the files that a page gets, run by Python without NumPy."""

import json
import subprocess
import sys

import live_answers
import pytest
from docutils import nodes
from places import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import live_cells  # noqa: E402

EXERCISES = live_cells.plain_exercises()


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A function that runs lines of code as the worker does, and returns what they say."""
    folder = tmp_path_factory.mktemp("page")
    for path, text in live_cells.files_for_python().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")

    def ask(*calls):
        code = (
            f"import json, sys; sys.path.insert(0, {str(folder)!r}); import page_runner\n"
            "for name, args in json.load(sys.stdin): print(getattr(page_runner, name)(*args))"
        )
        run = subprocess.run(
            [sys.executable, "-I", "-S", "-c", code],
            input=json.dumps(calls),
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
        assert run.returncode == 0, run.stderr
        return [json.loads(line) for line in run.stdout.splitlines()]

    return ask


def test_each_chapter_has_an_exercise_that_is_checked_in_the_page():
    chapters = {path.stem[7:] for path in live_cells.EXERCISES.glob("checks_*.py")}
    chapters = {name for name in chapters if not name.endswith("_plain")}
    assert {e.rpartition("-")[0].replace("-", "_") for e in EXERCISES} == chapters
    assert set(EXERCISES) == set(live_answers.ANSWERS)


def test_a_hole_holds_no_solution():
    for exercise, given in EXERCISES.items():
        assert f"def {given['name']}(" in given["hole"], exercise
        assert "..." in given["hole"]
        assert "SOLUTION" not in given["hole"]


def test_answers_are_judged_without_numpy(page):
    names = {e: EXERCISES[e]["name"] for e in EXERCISES}
    calls = [["run", ["import numpy"]]]
    for e in EXERCISES:
        calls += [["check", [e, answer, names[e]]] for answer in live_answers.ANSWERS[e][:2]]
        calls += [["check", [e, EXERCISES[e]["hole"], names[e]]]]
    no_numpy, *said = page(*calls)
    assert "There is no numpy here" in no_numpy["error"]
    for i, e in enumerate(EXERCISES):
        right, wrong, hole = said[3 * i : 3 * i + 3]
        assert right["verdict"] == [True, "passed"], e
        assert not wrong["verdict"][0]
        assert live_answers.ANSWERS[e][2] in wrong["verdict"][1], e
        assert hole["verdict"] == [False, "not done yet"], e


def test_functions_that_a_reader_has_changed_judge_no_answer(page):
    _, source = live_cells.source_of("cart.goes_left")
    _, said, after = page(
        ["define", ["cart", source.replace("<=", ">")]],
        ["check", ["reading-2", live_answers.ANSWERS["reading-2"][0], "rentals"]],
        ["run", ["from treelab import cart; cart.goes_left([1], 0, 2)"]],
    )
    assert said["verdict"] == [True, "passed"]
    assert after["text"] == "False\n"  # the reader's own is still there


def test_an_answer_under_another_name_is_told_so(page):
    (said,) = page(["check", ["growing-2", "def gain(y): ...", "gains"]])
    assert said["verdict"][0] is False
    assert "keep its name" in said["verdict"][1]


def test_cells_share_names_and_show_their_last_value(page):
    first, second = page(["run", ["a = 2\nprint('hello')"]], ["run", ["a + 1"]])
    assert first["text"] == "hello\n"
    assert second["text"] == "3\n"


def test_an_error_names_the_line_of_the_reader_and_no_other(page):
    _, said = page(["run", ["def f(x):\n    return 1 / x\n"]], ["run", ["f(1)\nf(0)", "cell 2"]])
    assert 'File "<cell 2>", line 2' in said["error"]
    assert said["error"].endswith("ZeroDivisionError: division by zero")
    assert "page_runner" not in said["error"]
    (said,) = page(["run", ["if True\n    1"]])
    assert "SyntaxError" in said["error"]


def test_printing_without_end_is_stopped(page):
    (said,) = page(
        ["run", ["while True:\n    try:\n        print('x' * 99)\n    except Exception: 0"]]
    )
    assert "stopped after 20,000" in said["error"]
    assert len(said["text"]) == 20_000


GROW = """
from treelab import cart
from treelab.cart import grow, predict
drawn_names = ["temp"]
drawn_tree = grow([[1], [2], [3], [4]], ["a", "a", "b", "b"])
print(predict(drawn_tree, [2.5]))
"""


def test_the_tree_that_a_cell_leaves_is_handed_to_the_page(page):
    drawn, other = page(["run", [GROW]], ["run", ["1"]])
    assert drawn["tree"] == {
        "says": "4 rows: a 50%",
        "asks": "temp ≤ 2.5",
        "branches": [
            ["yes", {"says": "2 rows: a 100%", "branches": []}],
            ["no", {"says": "2 rows: b 100%", "branches": []}],
        ],
    }
    assert other["tree"] is None


def test_branches_of_a_cut_do_not_answer_as_leaves_may(page):
    cell = """
from treelab.c45 import grow
drawn_tree = grow([((v,), "yes" if v > 2 else "no", 1) for v in (1, 2, 3, 4)], [None])
"""
    (drawn,) = page(["run", [cell]])
    assert [word for word, _ in drawn["tree"]["branches"]] == ["≤ 2", "> 2"]


def test_changed_functions_take_the_place_of_the_old_ones_everywhere(page):
    _, source = live_cells.source_of("cart.goes_left")
    _, gini = live_cells.source_of("impurity.gini")
    before, _, after, _, back, said, default = page(
        ["run", [GROW]],
        ["define", ["cart", source.replace("<=", "<")]],
        ["run", ["print(predict(drawn_tree, [2.5]))"]],
        ["define", ["cart", source]],
        ["run", ["print(predict(drawn_tree, [2.5]))"]],
        ["define", ["impurity", gini.replace("1 - sum", "7 - sum")]],
        [
            "run",
            ["grow([[1], [2]], ['a', 'b'])['impurity']"],
        ],  # gini is a default of grow's helpers
    )
    assert (before["text"], after["text"], back["text"]) == ("a\n", "b\n", "a\n")
    assert said["error"] is None
    assert default["text"] == "6.5\n"


def test_the_functions_of_a_cell_come_from_treelab():
    (sheet,) = live_cells.sources_of(["cart.scored_splits", "cart.goes_left"])
    assert sheet["module"] == "cart"
    assert sheet["source"].startswith("def scored_splits(")
    assert "\n\n\ndef goes_left(" in sheet["source"]
    for name in ("cart.no_such", "no_such.scored_splits", "cart", "cart.TIE"):
        with pytest.raises(ValueError, match="no function of treelab"):
            live_cells.source_of(name)


def test_without_pyodide_a_sentence_stands_under_a_live_cell(monkeypatch):
    def sentences(there):
        monkeypatch.setattr(live_cells, "is_ready", lambda: there)
        page = nodes.section("", nodes.container(classes=["cell", "tag_live"]), nodes.container())
        live_cells.say_what_is_missing(None, page)
        return [node.astext() for node in page.findall(nodes.paragraph)]

    assert sentences(there=False) == [live_cells.WITHOUT]
    assert sentences(there=True) == []


def test_what_pyodide_asks_for_is_pinned_with_its_hash_and_names_no_host():
    text = (live_cells.HERE / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    assert "node_modules/pyodide" in packages
    assert "://" not in text
    for name, package in packages.items():
        assert not name or package["integrity"].startswith("sha512-")
