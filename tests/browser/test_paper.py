"""Pages that a reader prints from the browser, on A4 and on Letter."""

import json
import subprocess

import pytest
from browser_tools import HERE, HTML, tools

SHEET = "book/cheat_sheet.html"
PAGES = {
    SHEET: "Cheat sheet",
    "notebooks/04_pruning.html": "4. Pruning",
    "notebooks/16_reluctant_trees.html": "16. Trees that are reluctant",
}


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What has come out on paper: of each page and paper a dict."""
    assert (HTML / SHEET).is_file(), "build the book first: make book"
    browser, node = tools()
    path = tmp_path_factory.mktemp("paper") / "report.json"
    command = [node, "paper.mjs", str(HTML), browser, str(path), *PAGES]
    run = subprocess.run(command, cwd=HERE, capture_output=True, encoding="utf-8", timeout=1200)
    assert run.returncode == 0, run.stderr
    found = json.loads(path.read_text(encoding="utf-8"))
    assert found["problems"] == []
    return found["report"]


def of_each(printed, part):
    """A part of the report, of each page and paper that has something there."""
    return {
        f"{page} on {paper}": said[part]
        for page, papers in printed.items()
        for paper, said in papers.items()
        if said[part]
    }


def test_the_cheat_sheet_fills_two_sheets(printed):
    assert {paper: said["sheets"] for paper, said in printed[SHEET].items()} == {
        "A4": 2,
        "Letter": 2,
    }


def test_nothing_is_wider_than_its_box(printed):
    assert of_each(printed, "wide") == {}


def test_nothing_is_printed_that_has_no_use_on_paper(printed):
    assert of_each(printed, "shown") == {}
    assert of_each(printed, "empty") == {}


def test_titles_stay_with_what_they_are_of(printed):
    assert of_each(printed, "parted") == {}


def test_a_page_has_one_title_with_its_number(printed):
    for page, papers in printed.items():
        for said in papers.values():
            assert said["titles"] == [PAGES[page]]
