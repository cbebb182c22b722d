"""The slides: one deck for each chapter, cut from its page, with all that it needs beside it.

A browser looks at two decks, and with ``-m whole`` at all of them.
"""

import re
from urllib.parse import urlsplit

import lxml.html
import make_slides
import nbformat
import pytest
from browser_tools import report_of
from built_book import HTML, assert_none, of_class, page
from places import ROOT

SLIDES = HTML / "slides"
CHAPTERS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
MARKUP = re.compile(r"[`*_$\\{}]|\{term\}|<[^>]*>")


# Decks that have every kind of slide: steppers of pictures and of tables, code, formulas.
TWO = ("05_id3_and_c45", "19_wind")
KINDS = {
    "opening", "goals", "figure", "stepper", "block", "formula", "table", "code", "text", "card",
    "quiz", "exercises",
}  # fmt: skip


def deck(path):
    """The deck of a chapter."""
    return page(f"slides/{path.stem}.html")


def slides(path):
    """The slides of a deck, without the stacks that hold them."""
    return deck(path).xpath('//*[@class="slides"]/section/section')


def plain(text):
    """A heading without its markup, to compare notebook and deck."""
    text = re.sub(r"\{\w+\}`([^`<]*)[^`]*`", r"\1", text)
    return re.sub(r"\W+", "", MARKUP.sub("", text)).lower()


def cells(path):
    """The cells of a notebook."""
    return nbformat.read(path, as_version=4).cells


def texts_of(tree, elements):
    """Return the texts of elements, which an XPath expression names, without their markup."""
    return [plain(element.text_content()) for element in tree.xpath(elements)]


def headings(path, level, before=None):
    """The headings of a notebook, or those before one of them."""
    text = "\n".join(c.source for c in cells(path) if c.cell_type == "markdown")
    text = text.partition(f"\n{before}\n")[0] if before else text
    return [plain(h) for h in re.findall(rf"^#{{{level}}} (.*)$", text, re.M)]


def test_every_chapter_has_a_deck_and_every_deck_a_chapter():
    assert sorted(p.stem for p in SLIDES.glob("*.html")) == [p.stem for p in CHAPTERS]


def test_a_deck_has_the_headings_of_its_notebook():
    invented = {"thequestion", "afterthischapteryoucan", *(f"question{k}" for k in range(1, 8))}

    def problems(path):
        (title,) = headings(path, 1)
        if texts_of(deck(path), "//h1")[0] != title:
            yield f"the title is {texts_of(deck(path), '//h1')}"
        if not texts_of(deck(path), "//head/title")[0].endswith(f"{title}slides"):
            yield "the window has another title"
        heads = deck(path).find_class("head")
        shown = {text for head in heads for text in texts_of(head, ".//h2 | .//h3")}
        parts = [plain(part.text_content()) for part in deck(path).find_class("part")]
        parts = {part.lstrip("0123456789") for part in parts}
        if missing := set(headings(path, 2)) - shown - parts:
            yield f"no slide of {missing}"
        if missing := set(headings(path, 3, before="## Exercises")) - shown:
            yield f"no slide of {missing}"
        if unknown := shown - {*headings(path, 2), *headings(path, 3), *invented}:
            yield f"the notebook has no {unknown}"

    assert_none(problems, CHAPTERS)


def test_a_deck_is_a_lesson_long_and_speaks():
    def problems(path):
        found = slides(path)
        if not 15 <= len(found) <= 35:
            yield f"{len(found)} slides"
        if not sum(bool(of_class(s, "aside", "notes")) for s in found) > len(found) / 2:
            yield "most slides have no notes"
        for k, slide in enumerate(found, 1):
            body = slide.find_class("body")[0].text_content()
            if not body.strip() and not slide.xpath(".//img | .//svg"):
                yield f"slide {k} is empty"

    assert_none(problems, CHAPTERS)


def test_a_deck_asks_all_questions_and_answers_each_once():
    def problems(path):
        text = "\n".join(c.source for c in cells(path) if 'class="tl-quiz"' in c.source)
        asked = of_class(deck(path), "section", "quiz")
        if len(asked) != text.count('class="tl-quiz"'):
            yield f"{len(asked)} questions"
        answers = sum(len(a.findall("li")) for a in deck(path).find_class("answers"))
        if answers != text.count("<details><summary>"):
            yield f"{answers} answers"
        for k, question in enumerate(asked, 1):
            right = [why for why in question.find_class("why") if "right" in why.classes]
            if len(right) != 1:
                yield f"question {k} has {len(right)} right answers"

    assert_none(problems, CHAPTERS)


def test_a_deck_shows_figures_that_are_there():
    def problems(path):
        drawn = of_class(deck(path), "svg", "tl-figure")
        pictures = list(deck(path).iter("img"))
        if not of_class(deck(path), "figure", "tl-stepper"):
            yield "no stepper"
        if not drawn and not pictures:
            yield "no picture"
        for picture in drawn:
            if not picture.get("aria-label", "").strip():
                yield "a picture without a label"
            text = lxml.html.tostring(picture, encoding="unicode", with_tail=False)
            used = set(re.findall(r"(?:url\(|href=\")#([\w-]+)", text))
            if missing := used - set(picture.xpath(".//@id")):
                yield f"a picture refers to {missing}"
        for picture in pictures:
            if not picture.get("alt", "").strip():
                yield f"no alt: {picture.get('src')[:99]}"
            if not picture.get("src").startswith("data:image/png;base64,"):
                if not (SLIDES / picture.get("src")).is_file():
                    yield f"there is no {picture.get('src')}"

    assert_none(problems, CHAPTERS)


def test_a_deck_loads_only_what_lies_in_the_book():
    def problems(path):
        for address in deck(path).xpath("//script/@src | //link/@href"):
            file = SLIDES / address
            inside = not urlsplit(address).scheme and file.resolve().is_relative_to(HTML)
            if not inside or not file.is_file():
                yield address

    assert_none(problems, CHAPTERS)


def test_what_leads_to_the_next_slide_is_left_out():
    assert make_slides.without_promise("<p>One.</p><p>All splits:</p>") == "<p>One.</p>"
    assert make_slides.without_promise("<p>All splits:</p>") == ""
    assert make_slides.without_promise("<p>Two: three.</p>") == "<p>Two: three.</p>"


def test_what_is_no_whole_sentence_does_not_end_a_slide():
    assert make_slides.is_whole("<p>It is <em>one</em>.</p>")
    for text in ("With the forecasts we have", "(Ahead is one. Two", "The next cell shows it."):
        assert not make_slides.is_whole(text)


def test_exercises_have_their_titles():
    for path in CHAPTERS:
        (slide,) = of_class(deck(path), "section", "exercises")
        for item in slide.find_class("body")[0].iter("li"):
            assert re.fullmatch(r"Exercise [\d.]+ [^()]+ ★+", item.text_content()), path


def test_no_slide_ends_in_a_colon():
    def problems(path):
        for body in deck(path).iterfind(".//div[@class='body']"):
            if body.text_content().rstrip().endswith(":"):
                yield body.text_content().rstrip()[-60:]

    assert_none(problems, CHAPTERS)


def test_a_page_of_the_book_links_every_deck():
    (article,) = page("book/slides.html").iter("article")
    linked = {href for href in article.xpath(".//a/@href") if "slides/" in href}
    assert linked == {f"../slides/{p.stem}.html" for p in CHAPTERS}


def test_slides_are_numbered_by_the_sections_that_the_guide_names():
    of = "opening,by-hand ten-days,by-hand ten-days-later,by-hand ten-days,code,in-x".split(",")
    text = "\n".join(f'<section class="text" data-of="{name}"><div></div></section>' for name in of)
    assert make_slides.numbered("ten-days code", text, "a deck") == "2, 4–5"
    assert make_slides.numbered("by-hand", text, "a deck") == "2–4"
    assert make_slides.numbered("in", text, "a deck") == "6"
    for name in ("nowhere", "ten"):
        with pytest.raises(ValueError, match=f"the guide names {name}"):
            make_slides.numbered(name, text, "a deck")


def test_the_guide_has_slides_for_every_part_of_an_hour():
    def problems(path):
        (table,) = [
            table
            for table in page(f"book/guide/{path.stem}.html").iter("table")
            if texts_of(table, ".//th")[:2] == ["minutes", "slides"]
        ]
        last = len(slides(path))
        for row in table.xpath(".//tbody/tr"):
            told = row[1].text_content()
            numbers = [int(number) for number in re.findall(r"\d+", told)]
            if not numbers or sorted(numbers) != numbers or not numbers[-1] <= last:
                yield f"slides {told!r}"

    assert_none(problems, CHAPTERS)


def test_two_decks_have_every_kind_of_slide():
    seen = {kind for p in CHAPTERS if p.stem in TWO for s in slides(p) for kind in s.classes}
    assert seen == {kind for p in CHAPTERS for s in slides(p) for kind in s.classes} == KINDS


@pytest.fixture(scope="module")
def two_decks(tmp_path_factory):
    """What a browser finds wrong with two decks, in a book that has no others."""
    folder = tmp_path_factory.mktemp("two decks")
    book = folder / "book"
    (book / "slides").mkdir(parents=True)
    for path in [*HTML.iterdir(), *SLIDES.iterdir()]:
        if path != SLIDES and (path.parent == HTML or path.suffix != ".html" or path.stem in TWO):
            (book / path.relative_to(HTML)).symlink_to(path)
    return report_of("slides.mjs", folder, book=book, timeout=1200)


@pytest.fixture(scope="module")
def all_decks(tmp_path_factory):
    """What a browser finds wrong with each deck."""
    return report_of("slides.mjs", tmp_path_factory.mktemp("slides"), timeout=1200)


@pytest.mark.timeout(1300)
@pytest.mark.parametrize(
    ("report", "names"),
    [
        ("two_decks", TWO),
        pytest.param("all_decks", [p.stem for p in CHAPTERS], marks=pytest.mark.whole),
    ],
    ids=["two_decks", "all_decks"],
)
def test_decks_in_the_browser(report, names, request):
    report = request.getfixturevalue(report)

    def problems(path):
        found = report[f"{path.stem}.html"]
        if found["slides"] != len(slides(path)):
            yield f"the browser shows {found['slides']} of {len(slides(path))} slides"
        yield from found["problems"]

    assert sorted(report) == [f"{name}.html" for name in names]
    assert_none(problems, [path for path in CHAPTERS if path.stem in names])
