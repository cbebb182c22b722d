"""The search of the built book: what it finds (see find_pages.mjs), and its panel (search.mjs)."""

import re

import pytest
import search_texts
from browser_tools import HTML, report_of
from docutils import nodes

# What a plain question finds first.
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
    "regression tree": "notebooks/01_reading_a_tree",
    "boruta": "notebooks/15_forests_choose",
    "early stopping": "notebooks/12_gradient_boosting",
    "confidence interval": "notebooks/08_the_bootstrap",
    "max_features": "notebooks/10_random_forests",
    "wind power": "notebooks/19_wind",
    "newsvendor": "notebooks/18_bicycles",
    "bug museum": "notebooks/teaching/bug_museum",
    "exam questions": "book/exam_questions",
    "cheat sheet": "book/cheat_sheet",
    "homework": "book/homework",
    "notation": "book/notation",
    "slides": "book/slides",
    "speed": "book/speed",
    "accessibility": "book/accessibility",
    # names that the glossary has, abbreviations, words that a page does not have
    "oob error": "notebooks/09_bagging",
    "shap": "notebooks/13_importance",
    "shrinkage": "notebooks/12_gradient_boosting",
    "data leakage": "notebooks/18_bicycles",
    "interpretability": "notebooks/13_importance",
    "xgboost": "notebooks/12_gradient_boosting",
    "imbalanced data": "notebooks/06_measuring_a_model",
    "pre-pruning": "notebooks/03_growing_a_tree",
    "download pdf": "book/how_to_use",
    # questions in words
    "how to choose number of trees": "notebooks/10_random_forests",
    "how many trees": "notebooks/10_random_forests",
    "entropy vs gini": "notebooks/02_impurity",
    "handling missing data": "notebooks/05_id3_and_c45",
    # typing errors, beginnings of words
    "random forrest": "notebooks/10_random_forests",
    "froest": "notebooks/10_random_forests",
    "pruing": "notebooks/04_pruning",
    "gradeint boosting": "notebooks/12_gradient_boosting",
    "class imbalence": "notebooks/06_measuring_a_model",
    "adabost": "notebooks/11_adaboost",
    "crossvalidation": "notebooks/06_measuring_a_model",
    "permut imp": "notebooks/13_importance",
    "bias var": "notebooks/07_why_one_tree_is_not_enough",
}
# What stands among the first three.
AMONG = {
    "missing values": "notebooks/03_growing_a_tree",
    "hyperparameters": "book/glossary",
    "surrogate splits": "notebooks/03_growing_a_tree",
    "categorical features": "notebooks/03_growing_a_tree",
    "feature selection": "notebooks/14_filters_and_searches",
    "ensemble": "notebooks/09_bagging",
    "stopping rule": "notebooks/03_growing_a_tree",
    "threshold": "notebooks/06_measuring_a_model",
    "calibration": "notebooks/under_the_hood/06_measuring_a_model",
    "extra trees": "notebooks/under_the_hood/10_random_forests",
    "sensitivity": "notebooks/06_measuring_a_model",
    "weka": "book/conformance",
    "xor": "notebooks/03_growing_a_tree",
    "install": "book/how_to_use",
    "replication": "book/ledger",
    "ada boost": "notebooks/11_adaboost",
}
NOTHING = ("qqqqq", "&<bq>", "how to")
MOST = 25_000  # bytes of the list of texts, for each chapter
# What has no answer, because too many letters are wrong, and what is suggested first.
MEANT = {"bostng": "boosting", "treshhlod": "threshold"}
PAGE_ASKED = ("gini", "C4.5", "&<bq>")
CODE = re.compile(r"\bimport \w|\bdef \w+\(|>>>|\)\s*->")
LOADED = re.compile(r'\bsrc="[^"]*search_texts\.js')
TEX = re.compile(r"\\[A-Za-z]+|[_^]\{|\$")


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Of each query the pages that it finds."""
    queries = [*FIRST, *AMONG, *NOTHING, *MEANT]
    return report_of("find_pages.mjs", tmp_path_factory.mktemp("found"), queries)


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What the panel and the page of the search show in a browser."""
    return report_of("search.mjs", tmp_path_factory.mktemp("search"), *PAGE_ASKED)


def test_sixty_queries_find_their_page(found):
    assert len(FIRST | AMONG) > 60
    first = {query: found[query]["pages"][:1] for query in FIRST}
    assert first == {query: [page] for query, page in FIRST.items()}
    among = {query: found[query]["pages"][:3] for query in AMONG}
    assert {query: pages for query, pages in among.items() if AMONG[query] not in pages} == {}


def test_typing_errors_are_mended_and_said(found):
    assert found["random forrest"]["changes"] == [["forrest", "forest"]]
    assert found["froest"]["changes"] == [["froest", "forest"]]
    assert found["crossvalidation"]["changes"] == [["crossvalidation", "cross validation"]]
    assert [q for q in ("gini", "permut imp", "shap", "C4.5") if found[q]["changes"]] == []


def test_what_nothing_has_finds_nothing(found):
    assert [query for query in NOTHING if found[query]["pages"]] == []
    assert [query for query in NOTHING if found[query]["meant"]] == []


def test_where_nothing_is_found_the_nearest_words_are_suggested(found):
    assert [query for query in MEANT if found[query]["pages"]] == []
    assert {query: found[query]["meant"][0] for query in MEANT} == MEANT
    assert [query for query in FIRST if found[query]["meant"]] == []


@pytest.mark.timeout(3600)
def test_a_suggestion_is_asked_for_in_the_panel(answers):
    assert answers["meant"].startswith("Did you mean boosting")
    assert answers["asked"] == "boosting"


@pytest.mark.timeout(3600)
def test_nothing_is_wrong_with_the_panel(answers):
    assert answers["problems"] == []
    assert "“forest” for “forrest”" in answers["told"]
    assert answers["panel"][0]["page"] == FIRST["random forest"]


@pytest.mark.timeout(3600)
def test_a_file_answers_as_a_server_does(answers):
    assert answers["file"] == answers["panel"]
    assert len(answers["file"]) == 8


@pytest.mark.timeout(3600)
def test_where_nothing_is_found_other_ways_are_shown(answers):
    ways = [["book/glossary.html", "genindex.html", "book/preface.html"]]
    assert [found["links"] for found in answers["nothing"]] == ways
    assert [found["links"] for found in answers["page"]["&<bq>"]] == ways


@pytest.mark.timeout(3600)
def test_snippets_are_prose_and_links_lead_somewhere(answers, found):
    pages = {p.relative_to(HTML).as_posix(): None for p in HTML.rglob("*.html")}
    faults = []
    for query in ("gini", "C4.5"):
        assert [each["page"] for each in answers["page"][query]] == found[query]["pages"]
        for each in answers["page"][query]:
            if not each["snippets"]:
                faults.append(f"{query}: {each['page']} has no snippet")
            faults += [f"{query}: code: {text}" for text in each["snippets"] if CODE.search(text)]
            for link in each["links"]:
                path, _, anchor = link.partition("#")
                if path in pages and pages[path] is None:
                    pages[path] = (HTML / path).read_text(encoding="utf-8")
                if path not in pages or anchor and f'id="{anchor}"' not in pages[path]:
                    faults.append(f"{query}: leads nowhere: {link}")
    assert faults == []


def test_the_texts_are_few_have_no_tex_and_no_page_waits_for_them():
    n_chapters = len(list((HTML / "notebooks").glob("[0-9]*.html")))
    path = HTML / "_static" / "search_texts.js"
    assert 100_000 < path.stat().st_size < MOST * n_chapters
    assert TEX.findall(path.read_text(encoding="utf-8").replace("\\n", " ")) == []
    loading = [p.name for p in HTML.rglob("*.html") if LOADED.search(p.read_text("utf-8"))]
    assert loading == []


def test_formulas_are_set_in_characters_or_left_out():
    for tex, text in (
        (r"\alpha = 0.5", "α = 0.5"),
        (r"\Delta", "Δ"),
        ("x_1^2", "x₁²"),
        (r"17{,}379 \times 2", "17,379 × 2"),
        (r"\mathrm{MSE}", "MSE"),
        (r"\frac{a}{b}", "…"),
        (r"\sigma_T", "…"),
    ):
        assert search_texts.in_characters(tex) == text
    page = nodes.paragraph("", "", nodes.Text("a price "), nodes.math("", r"\alpha"))
    assert search_texts.plain(page) == "a price α"
    assert page.astext() == r"a price \alpha"


def test_without_minisearch_the_search_of_sphinx_stays(tmp_path, monkeypatch):
    class App:
        outdir = tmp_path
        builder = type("Builder", (), {"format": "html", "search_texts": {"a": []}})
        listeners, files = {}, []

        def connect(self, event, listener, **rest):
            self.listeners[event] = listener

        def add_js_file(self, name, **rest):
            self.files.append(name)

        add_css_file = add_js_file

    app = App()
    (tmp_path / "searchindex.js").touch()
    monkeypatch.setattr(search_texts, "is_ready", lambda: False)
    search_texts.setup(app)
    context = {}
    app.listeners["html-page-context"](app, "search", "search.html", context, None)
    search_texts.write(app, None)
    assert (app.files, context) == ([], {"own_search": False})
    assert [path.name for path in tmp_path.iterdir()] == ["searchindex.js"]
