"""The scripts of the explorables: few bytes, no other host, and each one driven by a test."""

import re

import pytest
from browser_tools import HTML
from places import ROOT

SCRIPTS = sorted((ROOT / "book" / "_static" / "explorables").glob("*.js"))
BYTES = {path.stem: path.stat().st_size for path in SCRIPTS}
SHARED, LINK, FOR_LINKS = {"core", "motion", "tree", "votes"}, "link", 4_100
FIRST = set("flower cut grow prune bootstrap forest stump boosting importance".split())
FOR_MOTION = 4_000
FOR_PLAY_AND_LAYOUT = 10_500  # steps that are played, one screen, names to choose, what waits
FOR_EACH_MORE, FOR_FIRST = 3_500, 40_000 + FOR_MOTION + FOR_PLAY_AND_LAYOUT
FOR_A_PAGE = 22_000 + FOR_MOTION + 8_000


def test_all_scripts_are_small():
    assert BYTES.keys() >= SHARED | FIRST
    assert sum(BYTES[name] for name in SHARED | FIRST) <= FOR_FIRST
    assert BYTES["motion"] <= FOR_MOTION
    assert BYTES[LINK] <= FOR_LINKS
    for name in BYTES.keys() - SHARED - FIRST - {LINK}:
        assert 0 < BYTES[name] <= FOR_EACH_MORE, name


def test_no_script_asks_for_anything():
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|\bfetch\b|XMLHttp|\bimport\b|innerHTML", text), path.name


def driven():
    """Page and kind of each test module that drives an explorable."""
    modules = (ROOT / "tests" / "explorables").glob("test_*.py")
    text = "\n".join(path.read_text(encoding="utf-8") for path in modules)
    return set(re.findall(r'^PAGE, KIND = "(.*)", "(\w+)"', text, re.M))


def test_every_script_is_driven():
    assert {kind for _, kind in driven()} == {path.stem for path in SCRIPTS} - SHARED - {LINK}


@pytest.mark.whole
def test_every_explorable_is_there_in_a_file_and_in_print(explore):
    """The work of what all share, which `make test` sees on the page of the flower."""
    found = {kind: explore(page, kind, "9", "everywhere") for page, kind in sorted(driven())}
    assert {kind: said["problems"] for kind, said in found.items() if said["problems"]} == {}


def test_every_explorable_of_the_book_is_driven_on_its_page():
    built = set()
    for path in HTML.rglob("*.html"):
        if not {"slides", "_static"} & set(path.relative_to(HTML).parts):
            text = path.read_text(encoding="utf-8")
            kinds = re.findall(r'<figure class="tl-explorable"[^>]*data-kind="(\w+)"', text)
            built |= {(path.relative_to(HTML).as_posix(), kind) for kind in kinds}
    assert built
    built.discard(("index.html", "flower"))  # the front page once more
    assert built == driven()


def test_no_page_loads_many():
    loads = {}
    for path in HTML.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        names = set(re.findall(r'<script[^>]* src="[^"]*/explorables/(\w+)\.js', text))
        if names:
            assert LINK in names
            loads[path.name] = sum(BYTES[name] for name in names - {LINK})
    assert loads
    assert max(loads.values()) <= FOR_A_PAGE, loads
