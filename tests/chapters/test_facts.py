"""The tools of the fact tests: a phrase is found once, whole, and in any spacing."""

import re

import nbformat
import pytest
from facts import TOPICS, Page, chapter, in_words

PAGE = Page(
    "Nine of ten trees\nagree, a loss\u00a0of −0.5.\n\nAll of the trees agree, all of the trees"
)


def test_spaces_and_minus_signs_make_no_difference():
    PAGE.says("ten trees agree, a loss of -0.5. All of")
    PAGE.says("agree, a\nloss of −0.5")


@pytest.mark.parametrize(
    ("phrase", "message"),
    [
        ("a loss of", "fewer than 4 words"),
        ("Nine of ten trees differ", "does not say .* It says 'Nine of ten trees agree"),
        ("Nobody has ever said this", "does not say"),
        ("all of the trees AGREE", "does not say"),
        ("ll of the trees", "2 times"),
    ],
)
def test_what_a_page_does_not_say_once_fails(phrase, message):
    with pytest.raises(AssertionError, match=message):
        PAGE.says(phrase)


def test_numbers_in_words():
    assert [in_words(n) for n in (0, 3, 12, 19, 20, 21, 99)] == [
        "zero", "three", "twelve", "nineteen", "twenty", "twenty-one", "ninety-nine",
    ]  # fmt: skip


def test_each_topic_has_a_chapter():
    assert all(len(Page.of(topic).text) > 10_000 for topic in TOPICS)


@pytest.mark.parametrize("topic", TOPICS)
def test_no_cell_behind_the_exercises_holds_an_answer(topic):
    cells = nbformat.read(chapter(topic), as_version=4).cells
    start = [bool(re.search("^## Exercises", cell.source, re.M)) for cell in cells].index(True)
    assert [cell.source for cell in cells[start:] if cell.cell_type == "code"] == []
