"""What the book makes easier to read: code, tables, questions, the path, exercises."""

import re
import sys
from functools import cache

import built_book
import lxml.html
import nbformat
import pandas as pd
from built_book import assert_none, of_class
from places import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import chapters  # noqa: E402
import reading  # noqa: E402

CHAPTERS = sorted(p.stem for p in ROOT.glob("notebooks/[0-9]*.ipynb"))
SOLUTIONS = sorted(p.stem for p in ROOT.glob("notebooks/exercises/*_solutions.ipynb"))


def page(name):
    """A page of the built book."""
    return built_book.page(f"{name}.html")


def neighbors(name):
    """Where the head of a page says that it comes from and leads to."""
    links = {a.get("rel"): a.get("href") for a in page(name).xpath("//head/link[@rel][@href]")}
    return links.get("prev"), links.get("next")


# Questions


def test_every_question_has_exactly_one_right_answer():
    def problems(name):
        text = chapters.text_of(chapters.read(ROOT / f"notebooks/{name}.ipynb"))
        quizzes = re.findall(r'<div class="tl-quiz">(.*?)\n</div>', text, re.S)
        if not len(quizzes) == text.count("tl-quiz") >= 4:
            yield f"{len(quizzes)} questions"
        for quiz in quizzes:
            replies = re.findall(r"</summary>\s*(\w+)[.,]", quiz)
            n = len(replies)
            if not n == quiz.count("<details>") >= 2:
                yield f"an answer without a reply: {quiz}"
            if (replies.count("Yes"), replies.count("No")) != (1, n - 1):
                yield f"replies {replies}: {quiz}"

    assert_none(problems, CHAPTERS)


# Code


def test_no_code_is_folded():
    def problems(name):
        folded = of_class(page(name), "details", "hide")
        if folded:
            yield f"{len(folded)} folded cells"

    pages = [f"notebooks/{name}" for name in CHAPTERS]
    assert_none(problems, [*pages, *(f"notebooks/under_the_hood/{name}" for name in CHAPTERS)])


def test_a_figure_links_to_its_source():
    def problems(name):
        notebook = nbformat.read(ROOT / f"notebooks/{name}.ipynb", as_version=4)
        sources = [c.source for c in notebook.cells if c.cell_type == "code"]
        modules = reading.figure_modules("\n".join(sources))
        calls = [re.match(r"(\w+)\.(\w+)\(", source) for source in sources]
        expected = [f"{modules[c[1]]}.html#{c[2]}" for c in calls if c and c[1] in modules]
        links = page(f"notebooks/{name}").xpath("//p[@class='tl-source']/a/@href")
        if [link.rpartition("/")[2] for link in links] != expected:
            yield f"links to {links}, calls of {expected}"
        for link in links:
            module, _, function = link.rpartition("/")[2].partition(".html#")
            if function not in ids_of(f"_modules/treelab/figures/{module}.html"):
                yield f"no {function} in the source of {module}"

    assert_none(problems, CHAPTERS)


@cache
def ids_of(name):
    """The anchors of a page of the built book."""
    return set(built_book.page(name).xpath("//@id"))


def test_solutions_show_no_marks():
    def problems(name):
        text = next(page(f"notebooks/exercises/{name}").iter("article")).text_content()
        yield from (m for m in ("BEGIN SOLUTION", "END SOLUTION", "noqa") if m in text)

    assert_none(problems, SOLUTIONS)


# Tables


def table(frame):
    """A table of the book, as cells of text row by row, and the classes of the rows."""
    html = reading.mend_tables(f"<p>a &lt;= b</p>{frame.to_html()}")
    assert html.startswith("<p>a &lt;= b</p>")  # what is no table stays
    rows = list(lxml.html.fromstring(html).iter("tr"))
    cells = [[cell.text_content() for cell in row.iter("th", "td")] for row in rows]
    return cells, [row.get("class", "").split() for row in rows]


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


def test_the_row_that_the_table_is_about_is_marked():
    for mark in ("best", "chosen", "weakest"):
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


def test_no_table_has_an_empty_header_row():
    def problems(name):
        for found in of_class(page(f"notebooks/{name}"), "table", "dataframe"):
            heads = [c.text_content() for head in found.findall("thead") for c in head.iter("th")]
            if not all(map(str.strip, heads)):
                yield f"an empty header in {heads}"
            yield from (t for c in found.iter("td", "th") if "<=" in (t := c.text_content()))

    assert_none(problems, CHAPTERS)


# The path


SO_FAR = 1 + next(i for i, name in enumerate(CHAPTERS) if name.endswith("_gradient_boosting"))
PATH = [*CHAPTERS[:SO_FAR], "comparing_ensembles", *CHAPTERS[SO_FAR:]]  # it compares four chapters


def test_next_leads_from_chapter_to_chapter():
    def problems(pair):
        before, after = pair
        (shown,) = of_class(page(f"notebooks/{before}"), "a", "right-next")
        (back,) = of_class(page(f"notebooks/{after}"), "a", "left-prev")
        leads = [neighbors(f"notebooks/{before}")[1], shown.get("href")]
        comes = [neighbors(f"notebooks/{after}")[0], back.get("href")]
        if leads != [f"{after}.html"] * 2 or comes != [f"{before}.html"] * 2:
            yield leads + comes

    assert_none(problems, list(zip(PATH, PATH[1:])))


def test_pages_behind_a_chapter_lead_back_to_it_and_are_out_of_the_path():
    def problems(name):
        chapter = f"../{name.rpartition('/')[2].removesuffix('_solutions')}.html"
        if neighbors(name) != (chapter, None):
            yield neighbors(name)
        shown = [a.get("href") for a in of_class(page(name), "a", "left-prev")]
        if shown != [chapter] or of_class(page(name), "a", "right-next"):
            yield shown

    hood = [f"notebooks/under_the_hood/{name}" for name in CHAPTERS]
    assert_none(problems, [f"notebooks/exercises/{name}" for name in SOLUTIONS] + hood)


# Exercises


def test_chapter_and_solutions_call_an_exercise_the_same():
    def problems(name):
        called = {}
        chapter = page(f"notebooks/{name.removesuffix('_solutions')}")
        for box in of_class(chapter, "div", "exercise"):
            title = box.find_class("admonition-title")[0]
            shown = [code.text_content() for code in of_class(title, "code", "tl-id")]
            if shown != [box.get("id")]:
                yield f"{box.get('id')} is called {shown}"
            called[box.get("id")] = title.find_class("caption-number")[0].text_content().strip()
        solved = page(f"notebooks/exercises/{name}")
        headings = list(next(solved.iter("article")).iter("h2"))
        if not headings:
            yield "no solution"
        contents = " ".join(
            a.text_content() for nav in solved.find_class("bd-toc-nav") for a in nav.iter("a")
        )
        for heading in headings:
            ids = [code.text_content() for code in heading.find_class("tl-id")]
            if len(ids) != 1 or ids[0] not in called:
                yield f"the heading of no exercise: {heading.text_content()}"
                continue
            number = f"{called[ids[0]]}:"
            if number not in heading.text_content() or number not in contents:
                yield f"{number} is not in the heading and in the contents"

    assert_none(problems, SOLUTIONS)
