"""The built book in a browser (see check.mjs)."""

import lxml.html
import pytest
from browser_tools import HTML, report_of

# Of each kind of page one or more, which axe looks at in every view, but on a phone it asks all
# except the first of a kind only what a width changes; of all others it looks at every sixth, in
# one. Every page is laid out at the narrowest.
KINDS = {
    "the front and the texts around the book": ("index.html", "book/how_to_use.html"),
    "lists": ("genindex.html", "book/glossary.html", "search.html"),
    "reference": ("book/api/tree.html", "book/notation.html", "book/cheat_sheet.html"),
    "chapters": ("notebooks/03_growing_a_tree.html",),
    "under the hood": ("notebooks/under_the_hood/04_pruning.html",),
    "exercises": ("notebooks/exercises/04_pruning_solutions.html",),
    "the bug museum": ("notebooks/teaching/bug_museum_03.html",),
    "teaching": ("book/guide/04_pruning.html", "book/homework.html", "book/exam_questions.html"),
    "tables": ("book/ledger.html", "book/ledger/thesis.html", "book/errata/thesis.html"),
}
IN_ALL_VIEWS = sorted(name for names in KINDS.values() for name in names)
TWICE = [names[0] for names in KINDS.values()]
PAGES = sorted(
    p.relative_to(HTML).as_posix()
    for p in HTML.rglob("*.html")
    if not {"_static", "_modules", "slides"} & set(p.relative_to(HTML).parts)
)
LIGHT = ["book/preface.html", "book/api/tree.html", "notebooks/teaching/bug_museum_03.html"]
LIGHT += [f"notebooks/{p.name}" for p in sorted(HTML.glob("notebooks/[0-9]*.html"))]
MOST = 1_200_000  # bytes that a page may fetch before mathematics
N_MEASURED, HIGHEST = 16, 15_000  # pages, px at a desk
LONG = pytest.mark.timeout(3600)


def words(name):
    """How many characters of text the article of a page has, where it is unfolded."""
    (article,) = lxml.html.parse(str(HTML / name)).getroot().find_class("bd-article")
    return len(article.text_content())


@pytest.fixture(scope="module")
def longest():
    """The longest pages beside the chapters, and two that are made of lists and pictures."""
    beside = [name for name in PAGES if name.startswith(("book/", "notebooks/teaching/"))]
    names = sorted(beside, key=words)[-N_MEASURED:]
    return sorted({*names, "notebooks/teaching/bug_museum.html", "genindex.html"})


@pytest.fixture(scope="module")
def report(tmp_path_factory, longest):
    """What is wrong with each page, what it weighs, and how high the longest ones are."""
    assert PAGES, "build the book first: make book"
    lists = {"whole": IN_ALL_VIEWS, "twice": TWICE, "measured": longest}
    return report_of("check.mjs", tmp_path_factory.mktemp("browser"), lists)


def faults(report):
    """The problems of each page that has some."""
    return {name: page["problems"] for name, page in report.items() if page["problems"]}


@LONG
def test_nothing_is_wrong_with_any_page(report):
    assert sorted(report) == PAGES
    assert faults(report) == {}


@LONG
@pytest.mark.whole
def test_nothing_is_wrong_with_any_page_in_any_view(tmp_path):
    report = report_of("check.mjs", tmp_path)
    assert {tuple(page["views"]) for page in report.values()} == {("desk", "phone")}
    assert faults(report) == {}


@LONG
def test_each_kind_of_page_is_seen_in_all_views_and_the_others_turn_about(report):
    views = {name: page["views"] for name, page in report.items()}
    assert [name for name in IN_ALL_VIEWS if views.get(name) != ["desk", "phone"]] == []
    folders = {name.rpartition("/")[0] for name in PAGES}
    assert folders <= {name.rpartition("/")[0] for name in IN_ALL_VIEWS}
    others = [views[name] for name in PAGES if name not in IN_ALL_VIEWS]
    assert abs(others.count(["phone"]) - others.count(["desk"])) <= 1
    assert 6 * (len(others) - others.count([])) >= len(others) - 5
    n_folding = sum(page["folds"] for page in report.values())
    assert n_folding >= 2 * len(list(HTML.glob("notebooks/[0-9]*.html")))  # with solutions
    assert 6 * sum(page["silent"] for page in report.values()) > n_folding


@LONG
def test_there_are_steppers(report):
    assert sum(page["steppers"] for page in report.values()) > 0


@LONG
def test_pages_are_light(report):
    heavy = {}
    for name in LIGHT:
        files = report[name]["files"]
        if not 100_000 < sum(files.values()) <= MOST:
            heavy[name] = sorted(files.items(), key=lambda file: -file[1])[:4]
    assert heavy == {}


@LONG
def test_no_page_beside_the_chapters_is_too_high(report, longest):
    heights = {name: report[name]["height"] for name in longest}
    assert {name: px for name, px in heights.items() if not 0 < px <= HIGHEST} == {}


@LONG
def test_images_have_their_place_icons_are_drawn_figures_move_and_all_has_a_name(report):
    kinds = ("loose", "blank", "still", "nameless")
    found = {name: sum((page[kind] for kind in kinds), []) for name, page in report.items()}
    assert {name: faults for name, faults in found.items() if faults} == {}


@LONG
def test_faults_are_found_on_pages_that_differ_in_nothing_else(tmp_path):
    """Looks that were judged on one page are not judged again; new ones are, dark and light.

    A line may be too wide for the narrowest screen alone.
    """
    (tmp_path / "_static").symlink_to(HTML / "_static")
    page = (HTML / "search.html").read_text(encoding="utf-8")
    colors = '<p style="color: #444">Dark in the dark.</p><p style="color: #ccc">Pale.</p>'
    wide = '<p style="width: 340px">A line that does not break.</p>'
    for name, fault in (("a", ""), ("b", colors), ("c", colors), ("d", wide)):
        text = page.replace("</h1>", f"</h1>{fault}", 1)
        assert fault in text
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
    found = report_of("check.mjs", tmp_path, book=tmp_path)
    assert found["a.html"]["problems"] == []
    for name in ("b", "c"):
        said = [p for p in found[f"{name}.html"]["problems"] if "color-contrast" in p]
        assert sorted(p[:12] for p in said) == [
            "desk: dark: ", "desk: light:", "phone: dark:", "phone: light"
        ]  # fmt: skip
    [problem] = found["d.html"]["problems"]
    assert problem.startswith("narrow: scrolls sideways: P.")
