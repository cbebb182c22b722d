"""The tools of the fact tests: a phrase is found once, whole, and in any spacing."""

import re

import nbformat
import pytest
from facts import GIVEN, OTHERS, TOPICS, Page, chapter, in_words

PAGE = Page(
    "Nine of ten trees\nagree, a loss\u00a0of −0.5.\n\nAll of the trees agree, all of the trees"
)

PAGES = [*TOPICS, *(f"hood_{topic}" for topic in TOPICS), *OTHERS]


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


def test_what_no_fact_holds_and_no_output_shows_is_given():
    text = "Of 10 days 3 are warm, 9.5 °C or more, says {ref}`sec-8`."
    cells = [nbformat.v4.new_markdown_cell(text, id="a"), nbformat.v4.new_code_cell(id="b")]
    page = Page(text, cells)
    assert page.given() == ["a: 10; 3; 9.5"]
    page.says("Of 10 days 3 are warm")
    assert page.given() == ["a: 9.5"]
    page.cells["b"].outputs = [nbformat.v4.new_output("stream", text="9.5\n")]
    assert page.given() == []
    page.cells["b"].outputs[0].text += "8.5\n"
    assert page.given() == ["a: 9.5"]


@pytest.mark.parametrize("topic", PAGES)
def test_the_given_numbers_of_each_page_are_compared(topic):
    """By the fixture `page`, after the tests that use it."""
    assert (GIVEN / f"{topic}.txt").exists()
    tests = (GIVEN.parent / f"test_{topic}.py").read_text(encoding="utf-8")
    assert re.search(r"^def test_\w+\((?:\w+, )*page\b", tests, re.M)


def test_each_list_of_given_numbers_belongs_to_a_page():
    assert {path.stem for path in GIVEN.iterdir()} == set(PAGES)
