"""The drills of the chapters, done in a browser (see drills.mjs) with answers from the exam."""

import re

import drills
import pytest
from browser_tools import HTML, report_of
from places import ROOT

CORES = sorted(path.stem for path in (ROOT / "notebooks" / "under_the_hood").glob("*.ipynb"))


def typed(part, k=0):
    """A right answer as people write it, each time in another way."""
    if part.choices:
        return part.right
    if part.tolerance < 1e-3:
        return f"{part.right:g}"
    text = f"{part.right:.3f}"
    return (text, text.replace(".", ","), f" {part.right:.6f} ", text.replace("-", "\u2212"))[k % 4]


def wrong(part):
    """A wrong answer and the hint that it gets: that of a mistake, if one is known."""
    if part.choices:
        return next(c for c in part.choices if c != part.right), ""
    if part.mistakes:
        return repr(part.mistakes[0][0]), part.mistakes[0][1]
    return f"{part.right + 20 * part.tolerance:.9f}", ""


def often(part):
    """What people type for a number, and the beginning of the verdict that Python gives."""
    if part.choices:
        return []
    x = part.right
    texts = [
        f"{3 * x:.6f}/3",
        f"{x:.5f}".replace(".", ","),
        "abc",
        "1/0",
        "1/",
        "/",
        "1/2/3",
        "1e9",
    ]
    texts += [
        "-",
        f"{x + 1.5 * part.tolerance:.9f}",
        f"{x - 0.9 * part.tolerance:.9f}",
        f"{-x:.5f}",
    ]
    verdicts = {True: "✓ Right", False: "✗ Wrong. "}
    judged = [(text, *drills.judge(part, text)) for text in texts]
    return [[text, verdicts[right] + ("" if right else hint)] for text, right, hint in judged]


def answers():
    """For each page of the built book that has drills what is right and what is wrong in them."""
    found = {}
    for page in sorted(HTML.glob("notebooks/[0-9]*.html")):
        names = re.findall(r'id="drill-([\w-]+)"', page.read_text(encoding="utf-8"))
        for name in names:
            sets = [drills.parts(name, seed) for seed in drills.seeds(name)]
            found.setdefault(page.relative_to(HTML).as_posix(), {})[name] = {
                "right": [[typed(p, i + k) for i, p in enumerate(s)] for k, s in enumerate(sets)],
                "wrong": [wrong(part) for part in sets[0]],
                "typed": often(sets[0][0]),
            }
    return found


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What is wrong with the drills of each page."""
    return report_of("drills.mjs", tmp_path_factory.mktemp("drills"), answers())


@pytest.mark.timeout(3600)
def test_the_drills_of_all_chapters_can_be_done(report):
    assert {page: problems for page, problems in report.items() if problems} == {}


def test_every_chapter_with_a_core_has_its_drills(report):
    assert CORES
    assert {f"notebooks/{stem}.html" for stem in CORES} <= set(report)


def test_right_answers_are_not_to_be_read_before_a_check():
    """They stand in attributes and in the folded key alone."""
    for page in HTML.glob("notebooks/[0-9]*.html"):
        text = page.read_text(encoding="utf-8")
        assert text.count('<details class="tl-key">') == text.count("class='tl-numbers'")


def test_the_script_is_small():
    assert len((ROOT / "book" / "_static" / "drill.js").read_bytes()) < 4096
