"""What pages weigh, and that nothing on them moves while they load (see weight.mjs)."""

import pytest
from browser_tools import report_of

PAGES = [
    "book/preface.html",
    "notebooks/10_random_forests.html",
    "notebooks/under_the_hood/04_pruning.html",
    "book/glossary.html",
]
MOST = 350_000  # bytes, as a server sends them
SHIFT = 0.02


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What each page asks for, and what on it moves."""
    return report_of("weight.mjs", tmp_path_factory.mktemp("weight"), PAGES)


def test_pages_open_without_a_fault(report):
    assert {name: page["problems"] for name, page in report.items() if page["problems"]} == {}


def test_pages_are_light(report):
    heavy = {}
    for name, page in report.items():
        files = sorted(page["files"].items(), key=lambda file: -file[1])
        total = sum(page["files"].values())
        if not 100_000 < total <= MOST:
            heavy[name] = total, files[:6]
    assert heavy == {}


def test_no_page_asks_for_a_program_that_sets_formulas(report):
    asked = {path for page in report.values() for path in page["files"]}
    assert [path for path in asked if "mathjax" in path.lower()] == []
    assert any(path.endswith("stix-two-math.woff2") for path in asked)


def test_nothing_moves_while_a_page_loads(report):
    moved = {
        (name, view): seen["shifts"]
        for name, page in report.items()
        for view, seen in page["moved"].items()
        if seen["shift"] > SHIFT
    }
    assert moved == {}
