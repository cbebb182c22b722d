"""The built book in a browser (see check.mjs): one test per page."""

import pytest
from browser_tools import HTML, report_of

PAGES = sorted(
    p.relative_to(HTML).as_posix()
    for p in HTML.rglob("*.html")
    if not {"_static", "_modules", "slides"} & set(p.relative_to(HTML).parts)
)


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """What is wrong with each page."""
    return report_of("check.mjs", tmp_path_factory.mktemp("browser"), timeout=900)


@pytest.mark.timeout(1000)
@pytest.mark.parametrize("name", PAGES)
def test_page(report, name):
    assert report[name]["problems"] == []


def test_the_book_is_built():
    assert PAGES, "build the book first: make book"


def test_there_are_steppers(report):
    assert sum(page["steppers"] for page in report.values()) > 0
