"""The built book in a browser (see check.mjs): one test per page."""

import json
import subprocess
from pathlib import Path

import pytest
from browser_tools import tools

HERE = Path(__file__).resolve().parent
HTML = HERE.parent.parent / "_build" / "html"
PAGES = sorted(
    p.relative_to(HTML).as_posix()
    for p in HTML.rglob("*.html")
    if not {"_static", "_modules", "slides"} & set(p.relative_to(HTML).parts)
)


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """What is wrong with each page."""
    browser, node = tools()
    path = tmp_path_factory.mktemp("browser") / "report.json"
    run = subprocess.run(
        [node, "check.mjs", str(HTML), browser, str(path)],
        cwd=HERE,
        capture_output=True,
        encoding="utf-8",
        timeout=900,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.timeout(1000)
@pytest.mark.parametrize("name", PAGES)
def test_page(report, name):
    assert report[name]["problems"] == []


def test_the_book_is_built():
    assert PAGES, "build the book first: make book"


def test_there_are_steppers(report):
    assert sum(page["steppers"] for page in report.values()) > 0
