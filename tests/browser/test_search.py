"""The search of the built book in a browser (see search.mjs): what it finds first, and no error."""

import re

import pytest
from browser_tools import HTML, report_of

FIRST = {
    "random forest": "notebooks/10_random_forests",
    "learning rate": "notebooks/12_gradient_boosting",
    "gini": "notebooks/02_impurity",
    "pruning": "notebooks/04_pruning",
    "bootstrap": "notebooks/08_the_bootstrap",
    "out of bag": "notebooks/09_bagging",
    "adaboost": "notebooks/11_adaboost",
    "gain ratio": "notebooks/05_id3_and_c45",
    "permutation importance": "notebooks/13_importance",
    "cross-validation": "notebooks/06_measuring_a_model",
    "confusion matrix": "notebooks/06_measuring_a_model",
    "roc curve": "notebooks/06_measuring_a_model",
    "class imbalance": "notebooks/06_measuring_a_model",
    "C4.5": "notebooks/05_id3_and_c45",
    "residuals": "notebooks/12_gradient_boosting",
    "decision tree": "notebooks/01_reading_a_tree",
    "bug museum": "notebooks/teaching/bug_museum",
    "exam questions": "book/exam_questions",
}
MOST = 25_000  # bytes of the list of texts, for each chapter
CODE = re.compile(r"\bimport \w|\bdef \w+\(|>>>|\)\s*->")


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What the search answers to each query."""
    return report_of("search.mjs", tmp_path_factory.mktemp("search"), *FIRST, "&<b>", "zzz")


@pytest.mark.timeout(3600)
def test_there_is_no_error(answers):
    assert answers["problems"] == []


def test_the_right_page_comes_first(answers):
    first = {query: [found["page"] for found in answers["served"][query]][:1] for query in FIRST}
    assert first == {query: [page] for query, page in FIRST.items()}


def test_a_file_answers_as_a_server_does(answers):
    assert answers["file"] == answers["served"]
    assert set(FIRST) < set(answers["file"])


def test_snippets_are_prose_and_links_lead_somewhere(answers):
    pages = {p.relative_to(HTML).as_posix(): None for p in HTML.rglob("*.html")}
    faults = []
    for query in FIRST:
        for found in answers["served"][query]:
            if not found["snippets"]:
                faults.append(f"{query}: {found['page']} has no snippet")
            faults += [f"{query}: code: {text}" for text in found["snippets"] if CODE.search(text)]
            for link in found["links"]:
                path, _, anchor = link.partition("#")
                if path in pages and pages[path] is None:
                    pages[path] = (HTML / path).read_text(encoding="utf-8")
                if path not in pages or anchor and f'id="{anchor}"' not in pages[path]:
                    faults.append(f"{query}: leads nowhere: {link}")
    assert faults == []


def test_the_field_of_a_chapter_asks_the_same(answers):
    assert answers["field"] == answers["served"]["random forest"]


def test_what_nothing_has_is_answered_too(answers):
    assert answers["served"]["zzz"] == []
    assert "&<b>" in answers["served"]


def test_the_texts_are_few_and_only_the_search_loads_them():
    n_chapters = len(list((HTML / "notebooks").glob("[0-9]*.html")))
    size = (HTML / "_static" / "search_texts.js").stat().st_size
    assert 100_000 < size < MOST * n_chapters
    loading = [p.name for p in HTML.rglob("*.html") if "search_texts.js" in p.read_text("utf-8")]
    assert loading == ["search.html"]
