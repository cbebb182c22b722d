"""What the book makes easier to read: folded code, tables, questions, the path, exercises."""

import json
import re
import sys
from functools import cache

import pandas as pd
import pytest
from bs4 import BeautifulSoup
from places import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import reading  # noqa: E402

HTML = ROOT / "_build" / "html"
CHAPTERS = sorted(p.stem for p in ROOT.glob("notebooks/[0-9]*.ipynb"))
SOLUTIONS = sorted(p.stem for p in ROOT.glob("notebooks/exercises/*_solutions.ipynb"))


@cache
def page(name):
    """A page of the built book."""
    return BeautifulSoup((HTML / f"{name}.html").read_text(encoding="utf-8"), "html.parser")


def neighbors(name):
    """Where the head of a page says that it comes from and leads to."""
    links = {link["rel"][0]: link["href"] for link in page(name).select("head link[rel][href]")}
    return links.get("prev"), links.get("next")


# Questions


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_question_has_exactly_one_right_answer(name):
    cells = json.loads((ROOT / f"notebooks/{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    text = "".join("".join(c["source"]) + "\n" for c in cells if c["cell_type"] == "markdown")
    quizzes = re.findall(r'<div class="tl-quiz">(.*?)\n</div>', text, re.S)
    assert len(quizzes) == text.count("tl-quiz") >= 4
    for quiz in quizzes:
        replies = re.findall(r"</summary>\s*(\w+[.,])", quiz)
        assert len(replies) == quiz.count("<details>") >= 2, quiz
        words = [reply[:-1] for reply in replies]
        assert words.count("Yes") == 1, quiz
        assert words.count("No") == len(words) - 1, quiz


# Code


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("import numpy as np\nfrom treelab.drawing import use_style\n\nuse_style()", "set-up"),
        ("import numpy as np\nX, y = load_bike_demand(return_X_y=True)", "data"),
        ("assert a == b\nassert c", "checks"),
        ("def _helper(x):\n    return x", "helpers"),
        ("ax = draw_tree(model)\nplt.show()", "the figure"),
        ("draw_tree(model)", "the figure"),
        ("frames = [f(x) for x in y]\nstepper(frames, 'a', 'b')", "the steps"),
        ("explorable('cut', data, frames, 'a', 'b')", "the figure to move"),
    ],
)
def test_what_does_not_teach_is_folded(source, kind):
    assert reading.plainly_folded(source).endswith(kind)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "%matplotlib inline",
        "import numpy as np\nX = np.arange(3)",
        "assert a == b\nprint(a)",
        "def gini(p):\n    return 1 - sum(p**2)",
        "model = Tree().fit(X, y)\ndraw_tree(model)\nplt.show()",
        "load_bike_demand()",
        "def step(x):\n    ...",
    ],
)
def test_what_teaches_is_not_folded(source):
    assert reading.plainly_folded(source) is None


def test_a_figure_is_not_folded_with_a_name_that_comes_again():
    source = "risks = measure(tree)\nplt.plot(risks)\nplt.show()"
    assert reading.plainly_folded(source, {"tree"}) == "the figure"
    assert reading.plainly_folded(source, {"risks"}) is None
    assert reading.plainly_folded("def f():\n    pass\n\n\nplt.show()", {"f"}) is None


@pytest.mark.parametrize("name", CHAPTERS)
def test_folded_code_says_what_it_is(name):
    folded = page(f"notebooks/{name}").select("details.hide")
    assert folded
    for fold in folded:
        lines = {p.get_text() for p in fold.summary.select("p")}
        assert len(lines) == 1
        assert re.match(r"Code|Output", lines.pop())
        assert "aria-label" not in fold.summary.attrs  # it would be read instead of the words


def test_marks_for_programs_are_not_shown():
    source = "def f(x):\n    ### BEGIN SOLUTION\n    return 1  # noqa: E501\n    ### END SOLUTION\n"
    assert reading.without_marks(source) == "def f(x):\n    return 1"
    assert reading.without_marks("x = 1  # one\n") == "x = 1  # one"


@pytest.mark.parametrize("name", SOLUTIONS)
def test_solutions_show_no_marks(name):
    text = page(f"notebooks/exercises/{name}").select_one("article").get_text()
    for mark in ("BEGIN SOLUTION", "END SOLUTION", "noqa"):
        assert mark not in text


# Tables


def table(frame):
    """A table of the book, as cells of text row by row, and the classes of the rows."""
    html = reading.mend_tables(f"<p>a &lt;= b</p>{frame.to_html()}")
    assert html.startswith("<p>a &lt;= b</p>")  # what is no table stays
    rows = BeautifulSoup(html, "html.parser").select("tr")
    cells = [[cell.get_text() for cell in row.select("th, td")] for row in rows]
    return cells, [row.get("class", []) for row in rows]


def test_the_name_of_the_index_stands_in_the_header():
    frame = pd.DataFrame({"n": [1, 2], "gain": [0.5, 0.25]}, index=pd.Index([3, 4], name="node"))
    cells, _ = table(frame)
    assert cells == [["node", "n", "gain"], ["3", "1", "0.50"], ["4", "2", "0.25"]]
    several = frame.set_index("n", append=True)
    assert table(several)[0][0] == ["node", "n", "gain"]
    assert table(frame.reset_index(drop=True))[0][0] == ["", "n", "gain"]


def test_headers_that_say_more_keep_their_rows():
    frame = pd.DataFrame({"a": [1], "b": [2]}, index=pd.Index([3], name="node"))
    frame.columns.name = "rule"
    assert table(frame)[0][:2] == [["rule", "a", "b"], ["node", "", ""]]
    frame.columns = pd.MultiIndex.from_product([["x"], ["a", "b"]])
    assert [row[0] for row in table(frame)[0]] == ["", "node", "3"]


@pytest.mark.parametrize("mark", ["best", "chosen", "weakest"])
def test_the_row_that_the_table_is_about_is_marked(mark):
    frame = pd.DataFrame({"cut": [1, 2], mark: [False, True], "pure": [True, False]})
    cells, classes = table(frame)
    assert cells[1:] == [["0", "1", "", "True"], ["1", "2", mark, "False"]]
    assert classes == [[], [], ["tl-best"]]


def test_a_row_that_says_the_word_is_marked():
    frame = pd.DataFrame({"verdict": ["", "best"]}, index=pd.Index(["best", "b"], name="cut"))
    cells, classes = table(frame)
    assert cells == [["cut", "verdict"], ["best", ""], ["b", "best"]]
    assert classes == [[], [], ["tl-best"]]


def test_rows_under_a_common_label_are_marked_too():
    index = pd.MultiIndex.from_product([["a"], [1, 2]], names=["side", "cut"])
    cells, classes = table(pd.DataFrame({"best": [False, True]}, index=index))
    assert cells == [["side", "cut", "best"], ["a", "1", ""], ["2", "best"]]
    assert classes[-1] == ["tl-best"]


def test_signs_of_mathematics_stand_in_tables():
    frame = pd.DataFrame({"x <=": ["x <= 1.5", "inf words"], "g": [float("inf"), -float("inf")]})
    cells, _ = table(frame)
    space = "\N{NO-BREAK SPACE}"
    assert cells == [["", "x ≤", "g"], ["0", f"x{space}≤{space}1.5", "∞"], ["1", "inf words", "−∞"]]


@pytest.mark.parametrize("name", CHAPTERS)
def test_no_table_has_an_empty_header_row(name):
    for found in page(f"notebooks/{name}").select("table.dataframe"):
        for cell in found.select("thead th"):
            assert cell.get_text(strip=True), found.thead
        for cell in found.select("td, th"):
            assert "<=" not in cell.get_text()


# The path


def test_pages_behind_a_chapter_are_out_of_the_path():
    relations = {
        "one": [None, None, "notebooks/exercises/one"],
        "notebooks/exercises/one": ["one", "one", "notebooks/under_the_hood/one"],
        "notebooks/under_the_hood/one": ["one", "notebooks/exercises/one", "two"],
        "two": [None, "notebooks/under_the_hood/one", None],
    }
    assert reading.straighten(relations) == {
        "one": (None, None, "two"),
        "notebooks/exercises/one": ("one", "one", None),
        "notebooks/under_the_hood/one": ("one", "one", None),
        "two": (None, "one", None),
    }


PATH = [*CHAPTERS[:11], "comparing_ensembles", *CHAPTERS[11:]]  # one page compares what four hold


@pytest.mark.parametrize("k", range(1, len(PATH)))
def test_next_leads_from_chapter_to_chapter(k):
    before, after = PATH[k - 1 : k + 1]
    assert neighbors(f"notebooks/{before}")[1] == f"{after}.html"
    assert neighbors(f"notebooks/{after}")[0] == f"{before}.html"
    shown = page(f"notebooks/{before}").select_one("a.right-next")["href"]
    assert shown == f"{after}.html"
    assert page(f"notebooks/{after}").select_one("a.left-prev")["href"] == f"{before}.html"


@pytest.mark.parametrize("name", SOLUTIONS)
def test_solutions_lead_back_to_their_chapter(name):
    chapter = f"../{name.removesuffix('_solutions')}.html"
    assert neighbors(f"notebooks/exercises/{name}") == (chapter, None)
    found = page(f"notebooks/exercises/{name}")
    assert found.select_one("a.left-prev")["href"] == chapter
    assert not found.select("a.right-next")


# Exercises


@pytest.mark.parametrize("name", SOLUTIONS)
def test_chapter_and_solutions_call_an_exercise_the_same(name):
    chapter = page(f"notebooks/{name.removesuffix('_solutions')}")
    called = {}
    for box in chapter.select("div.exercise"):
        title = box.select_one(".admonition-title")
        assert title.select_one("code.tl-id").get_text() == box["id"]
        called[box["id"]] = title.select_one(".caption-number").get_text().strip()
    solved = page(f"notebooks/exercises/{name}")
    headings = solved.select("article h2:has(.tl-id)")
    assert headings
    contents = " ".join(a.get_text() for a in solved.select(".bd-toc-nav a"))
    for heading in headings:
        number = called[heading.select_one(".tl-id").get_text()]
        assert f"{number}:" in heading.get_text()
        assert f"{number}:" in contents
    shown = len(solved.select("article h2"))
    assert len(headings) == shown
