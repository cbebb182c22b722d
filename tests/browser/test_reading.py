"""A chapter in the hands of a reader (see reading.mjs): code, questions, steppers."""

import json
import re

import pytest
from browser_tools import report_of
from places import ROOT

CHAPTER = "notebooks/17_local_importance"


def asked():
    """How many options each question of the chapter has, and which one is right."""
    cells = json.loads((ROOT / f"{CHAPTER}.ipynb").read_text(encoding="utf-8"))["cells"]
    text = "".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    questions = []
    for quiz in re.findall(r'<div class="tl-quiz">(.*?)\n</div>', text, re.S):
        replies = re.findall(r"</summary>\s*(\w+)", quiz)
        questions.append([len(replies), replies.index("Yes")])
    return questions


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What is wrong on a desk, on a phone and elsewhere."""
    page = [f"{CHAPTER}.html", json.dumps(asked())]
    return report_of("reading.mjs", tmp_path_factory.mktemp("reading"), *page)


@pytest.mark.timeout(3600)
def test_a_reader_gets_on(report):
    assert report == {"desk": [], "phone": [], "elsewhere": []}
