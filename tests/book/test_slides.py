"""The slides: one deck for each chapter, cut from its page, with all that it needs beside it."""

import re
from functools import cache
from urllib.parse import urlsplit

import nbformat
import pytest
from browser_tools import HTML, report_of
from bs4 import BeautifulSoup
from places import ROOT

SLIDES = HTML / "slides"
CHAPTERS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
MARKUP = re.compile(r"[`*_$\\{}]|\{term\}|<[^>]*>")


def name(path):
    """The file name, as the id of a test."""
    return path.stem


@cache
def deck(chapter):
    """The deck of a chapter."""
    text = (SLIDES / f"{chapter}.html").read_text(encoding="utf-8")
    return BeautifulSoup(text, "html.parser")


def slides(chapter):
    """The slides of a deck, without the stacks that hold them."""
    return deck(chapter).select(".slides > section > section")


def plain(text):
    """A heading without its markup, to compare notebook and deck."""
    text = re.sub(r"\{\w+\}`([^`<]*)[^`]*`", r"\1", text)
    return re.sub(r"\W+", "", MARKUP.sub("", text)).lower()


def headings(path, level, before=None):
    """The headings of a notebook, or those before one of them."""
    text = "\n".join(
        c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "markdown"
    )
    text = text.partition(f"\n{before}\n")[0] if before else text
    return [plain(h) for h in re.findall(rf"^#{{{level}}} (.*)$", text, re.M)]


def test_every_chapter_has_a_deck_and_every_deck_a_chapter():
    assert sorted(p.stem for p in SLIDES.glob("*.html")) == [p.stem for p in CHAPTERS]


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_deck_has_the_headings_of_its_notebook(path):
    (title,) = headings(path, 1)
    assert plain(deck(path.stem).h1.get_text()) == title
    assert plain(deck(path.stem).title.get_text()).endswith(f"{title}slides")
    shown = {plain(h.get_text()) for h in deck(path.stem).select(".head h2, .head h3")}
    parts = {plain(p.get_text()).lstrip("0123456789") for p in deck(path.stem).select(".part")}
    assert set(headings(path, 2)) <= shown | parts
    assert set(headings(path, 3, before="## Exercises")) <= shown
    invented = {"thequestion", "afterthischapteryoucan"}
    invented |= {f"question{k}" for k in range(1, 8)}
    assert shown <= {*headings(path, 2), *headings(path, 3), *invented}


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_deck_is_a_lesson_long_and_speaks(path):
    found = slides(path.stem)
    assert 15 <= len(found) <= 35
    spoken = [s for s in found if s.select_one("aside.notes")]
    assert len(spoken) > len(found) / 2
    assert all(s.select_one(".body").get_text().strip() or s.img or s.svg for s in found)


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_deck_asks_all_questions_and_answers_each_once(path):
    cells = nbformat.read(path, as_version=4).cells
    text = "\n".join(c.source for c in cells if 'class="tl-quiz"' in c.source)
    asked = deck(path.stem).select("section.quiz")
    assert len(asked) == text.count('class="tl-quiz"')
    assert len(deck(path.stem).select(".answers > li")) == text.count("<details><summary>")
    assert all(len(q.select(".why.right")) == 1 for q in asked)


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_deck_shows_figures_that_are_there(path):
    drawn = deck(path.stem).select("svg.tl-figure")
    pictures = deck(path.stem).find_all("img")
    assert deck(path.stem).select("figure.tl-stepper")
    assert drawn or pictures
    for picture in drawn:
        assert picture["aria-label"].strip()
        referred = re.findall(r"(?:url\(|href=\")#([\w-]+)", str(picture))
        assert set(referred) <= {piece["id"] for piece in picture.find_all(id=True)}
    for picture in pictures:
        assert picture["alt"].strip()
        if not picture["src"].startswith("data:image/png;base64,"):
            assert (SLIDES / picture["src"]).is_file()


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_deck_loads_only_what_lies_in_the_book(path):
    for tag in deck(path.stem).select("script[src], link[href]"):
        address = tag.get("src") or tag.get("href")
        assert not urlsplit(address).scheme
        assert (SLIDES / address).resolve().is_relative_to(HTML)
        assert (SLIDES / address).is_file()


def test_a_page_of_the_book_links_every_deck():
    page = BeautifulSoup((HTML / "book" / "slides.html").read_text("utf-8"), "html.parser")
    linked = {a["href"] for a in page.select("article a[href*='slides/']")}
    assert linked == {f"../slides/{p.stem}.html" for p in CHAPTERS}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What a browser finds wrong with each deck."""
    return report_of("slides.mjs", tmp_path_factory.mktemp("slides"), timeout=600)


@pytest.mark.timeout(700)
@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_deck_in_the_browser(report, path):
    assert report[f"{path.stem}.html"]["slides"] == len(slides(path.stem))
    assert report[f"{path.stem}.html"]["problems"] == []
