"""The look of the pages: mark, margin, titles of boxes, tables, and numbers that no line breaks."""

import re
import sys

import lxml.html
import pytest
from built_book import HTML, assert_none, page
from places import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import reading  # noqa: E402

CHAPTERS = [f"notebooks/{path.stem}.html" for path in sorted(ROOT.glob("notebooks/[0-9]*.ipynb"))]
BEHIND = ("under_the_hood", "exercises")
ALL = sorted(
    path.relative_to(HTML).as_posix()
    for path in HTML.rglob("*.html")
    if not {"_static", "_modules", "slides"} & set(path.relative_to(HTML).parts)
)


def test_the_mark_is_the_same_on_pages_and_tabs():
    icon = (ROOT / "book" / "_static" / "favicon.svg").read_text(encoding="utf-8")
    drawn = re.findall(r' d="([^"]+)"', icon)
    assert len(drawn) == 5

    def problems(name):
        (brand,) = page(name).find_class("tl-brand")
        if brand.xpath(".//path/@d") != drawn or "treelab" not in brand.text_content():
            yield "another mark"

    assert_none(problems, ALL)


def test_captions_stand_in_the_margin():
    def problems(name):
        figures = [f for f in page(name).iter("figure") if f.find("figcaption/p") is not None]
        beside = [f for f in figures if "margin-caption" in f.get("class", "")]
        if not beside or len(beside) < len(figures) - 2:  # the others are part of something
            yield f"{len(beside)} of {len(figures)}"

    assert_none(problems, CHAPTERS)
    assert sum(len(page(name).find_class("margin-caption")) for name in CHAPTERS) > 60


def test_each_term_of_a_chapter_brings_its_definition():
    def problems(name):
        links = page(name).xpath("//article//a[contains(@href, '#term-')]/@href")
        wanted = {f"says-{link.partition('#')[2]}" for link in links}
        (template,) = page(name).xpath("//template[@id='tl-definitions']")
        said = {e.get("id"): e for e in template.iterchildren("div")}
        if set(said) != wanted or len(wanted) < 4:
            yield set(said) ^ wanted
        for anchor, definition in said.items():
            if len(definition.text_content()) < 25 or definition.xpath(".//a"):
                yield f"{anchor}: {definition.text_content()}"

    assert_none(problems, CHAPTERS)


def test_titles_of_boxes_have_no_brackets():
    boxes = "//div[contains(@class, 'proof ') or contains(@class, 'exercise ')]"

    def problems(name):
        for title in page(name).xpath(f"{boxes}/p[@class='admonition-title']"):
            if re.search(r"\d\s*\(", title.text_content()):
                yield title.text_content()

    assert_none(problems, CHAPTERS)
    stars = [s.text for name in CHAPTERS for s in page(name).find_class("tl-stars")]
    assert set(stars) == {"★", "★★", "★★★"}


def test_heads_of_tables_say_what_they_head():
    def problems(name):
        for table in page(name).iter("table"):
            for head in table.iter("th"):
                if table.find("thead") is None or list(table.iterancestors("template")):
                    continue
                if head.get("scope") not in ("col", "row") or not head.text_content().strip():
                    yield lxml.html.tostring(head, encoding="unicode")[:100]

    assert_none(problems, ALL)


def test_tables_that_a_cell_puts_out_are_called_by_its_last_line():
    found = page("notebooks/04_pruning.html").xpath("//article//table/@aria-label")
    assert found[0] == "Output of pruning_table(bakery)"

    def problems(name):
        for cell in page(name).find_class("cell"):
            outputs = cell.xpath(
                ".//div[contains(@class, 'text_html')]//table[not(ancestor::figure)]"
            )
            if cell.find_class("cell_input") and outputs and not outputs[0].get("aria-label"):
                yield cell.text_content()[:80]

    assert_none(problems, CHAPTERS)


TABLE = (
    "<table><thead><tr><th>{}</th><th></th><th>gain</th></tr></thead>"
    "<tbody><tr><th>{}</th><td class='x'>a</td><td>0.5</td></tr></tbody></table>"
)


@pytest.mark.parametrize(("index", "right"), [("7", True), ("−1 234", True), ("a7", False)])
def test_columns_of_numbers_stand_at_the_right(index, right):
    table = lxml.html.fromstring(re.sub(r"<table\b.*", reading.scoped, TABLE.format("n", index)))
    cells = [[c.get("class", "") for c in row] for row in table.iter("tr")]
    number = "tl-number" if right else ""
    assert cells == [[number, "", "tl-number"], [number, "x", "tl-number"]]
    assert [c.tag for c in table.find("thead/tr")] == ["th", "td", "th"]
    assert [c.get("scope") for c in table.iter("th")] == ["col", "col", "row"]


def test_without_a_head_the_first_column_heads_its_rows():
    bare = (
        "<table><thead><tr><th></th><th>n</th></tr></thead>"
        "<tbody><tr><td>a</td><td>1</td></tr></tbody></table>"
    )
    table = lxml.html.fromstring(re.sub(r"<table\b.*", reading.scoped, bare))
    assert [[c.tag for c in row] for row in table.iter("tr")] == [["td", "th"], ["th", "td"]]
    assert [c.get("scope") for c in table.iter("th")] == ["col", "row"]


def test_no_line_breaks_a_number():
    def problems(name):
        for paragraph in page(name).xpath("//article//p/text()"):
            yield from re.findall(r"\b\d{1,3} \d{3}\b", paragraph)

    assert_none(problems, CHAPTERS)


def test_headings_behind_a_chapter_have_no_number():
    pages = [name for name in ALL if name.startswith(tuple(f"notebooks/{b}/" for b in BEHIND))]
    assert len(pages) > 30
    numbered = {name: page(name).xpath("//article//*[@class='section-number']") for name in pages}
    assert [name for name, found in numbered.items() if found] == []


def test_pages_behind_a_chapter_have_no_number_in_the_contents():
    def problems(name):
        side = page(name).find_class("bd-sidebar-primary")[0]
        names = [s.text_content() for s in side.iter("summary")]
        if len(set(names)) != len(names) or not all(n.startswith("Pages of ") for n in names):
            yield names
        for link in side.xpath(".//li[contains(@class, 'toctree-l2')]/a"):
            if any(folder in link.get("href") for folder in BEHIND):
                if re.match(r"\s*\d", link.text_content()):
                    yield link.text_content()
        if side.xpath(".//*[@role='heading']"):
            yield "a heading before the title"

    assert_none(problems, CHAPTERS)
