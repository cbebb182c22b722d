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


def test_a_color_that_cannot_be_read_is_found_on_the_second_page_too(tmp_path):
    """Looks that were judged on one page are not judged again; new ones are."""
    (tmp_path / "_static").symlink_to(HTML / "_static")
    page = (HTML / "search.html").read_text(encoding="utf-8")
    faults = '<p style="color: #444">Dark in the dark.</p><p style="color: #ccc">Pale.</p>'
    (tmp_path / "first.html").write_text(page, encoding="utf-8")
    spoiled = page.replace("</h1>", f"</h1>{faults}", 1)
    assert faults in spoiled
    for name in ("second", "third"):
        (tmp_path / f"{name}.html").write_text(spoiled, encoding="utf-8")
    found = report_of("check.mjs", tmp_path, book=tmp_path)
    assert found["first.html"]["problems"] == []
    for name in ("second", "third"):
        said = [p for p in found[f"{name}.html"]["problems"] if "color-contrast" in p]
        assert sorted(p[:12] for p in said) == [
            "desk: dark: ", "desk: light:", "phone: dark:", "phone: light"
        ]  # fmt: skip


def test_what_is_too_wide_for_the_narrowest_screen_alone_is_found(tmp_path):
    (tmp_path / "_static").symlink_to(HTML / "_static")
    page = (HTML / "search.html").read_text(encoding="utf-8")
    fault = '<p style="width: 340px">A line that does not break.</p>'
    (tmp_path / "wide.html").write_text(page.replace("</h1>", f"</h1>{fault}", 1), encoding="utf-8")
    [problem] = report_of("check.mjs", tmp_path, book=tmp_path)["wide.html"]["problems"]
    assert problem.startswith("narrow: scrolls sideways: P.")
