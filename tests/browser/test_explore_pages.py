"""Pages to explore, in a browser (explore_pages.mjs): filters, letters, and how high pages are."""

import lxml.html
import pytest
from browser_tools import HTML, report_of

MOST = 15_000  # px, at a desk
N_MEASURED = 16


def words(path):
    """How many characters of text the article of a page has, where it is unfolded."""
    (article,) = lxml.html.parse(str(path)).getroot().find_class("bd-article")
    return len(article.text_content())


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What is wrong with the ledger and the glossary, and the heights of the longest pages."""
    pages = [*HTML.glob("book/**/*.html"), *HTML.glob("notebooks/teaching/*.html")]
    longest = sorted(pages, key=words)[-N_MEASURED:]
    names = [path.relative_to(HTML).as_posix() for path in longest]
    names += [
        name
        for name in ("notebooks/teaching/bug_museum.html", "genindex.html")
        if name not in names
    ]
    return report_of("explore_pages.mjs", tmp_path_factory.mktemp("explore"), names)


@pytest.mark.timeout(3600)
def test_nothing_is_wrong_with_filters_and_letters(report):
    assert report["problems"] == []


@pytest.mark.timeout(3600)
def test_no_page_beside_the_chapters_is_too_high(report):
    assert len(report["heights"]) >= N_MEASURED
    assert {name: px for name, px in report["heights"].items() if px > MOST} == {}
