"""The built book in a browser (see check.mjs): one test per page."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
HTML = HERE.parent.parent / "_build" / "html"
PAGES = sorted(
    p.relative_to(HTML).as_posix()
    for p in HTML.rglob("*.html")
    if not {"_static", "_modules", "slides"} & set(p.relative_to(HTML).parts)
)


def tools():
    """Chromium and node, or the reason why the browser checks cannot run."""
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    node = shutil.which("node")
    missing = []
    if not browser:
        missing.append("Chromium (apt-get install chromium, or set CHROMIUM to its path)")
    if not node:
        missing.append("Node.js (apt-get install nodejs npm)")
    if not (HERE / "node_modules" / "playwright-core").is_dir():
        missing.append("the packages of tests/browser/package.json (npm ci in tests/browser)")
    if missing:
        message = "no browser checks without " + " and ".join(missing)
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return browser, node


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
