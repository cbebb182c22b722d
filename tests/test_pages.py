"""The pages around the chapters: their numbers, and that they leave nothing out."""

import importlib
import re
import runpy
from pathlib import Path

import pytest

BOOK = Path(__file__).resolve().parent.parent / "book"


def test_preface_says_what_its_picture_shows():
    grow = runpy.run_path(str(BOOK / "images" / "one_tree.py"))["grow"]
    tree, X, y = grow()
    preface = (BOOK / "preface.md").read_text(encoding="utf-8")
    assert tree.tree_.threshold[:3:2] == pytest.approx([2.45, 1.75])
    assert "2.45 and 1.75" in preface
    assert (len(y), (tree.predict(X) != y).sum()) == (150, 6)
    assert "six of the 150" in preface
    assert tree.tree_.path([4.8, 1.8]) == [0, 2, 4]  # no, then no
    assert tree.predict(X.iloc[:1] * 0 + [4.8, 1.8]).tolist() == ["virginica"]


MODULES = ["", ".tree", ".impurity", ".growing", ".pruning", ".drawing", ".datasets"]
MODULES += [".level", ".splitting", ".absolute", ".categories", ".inputs", ".c45"]
MODULES += [".bootstrap", ".out_of_bag", ".bagging", ".forest", ".progress"]
MODULES += [".adaboost", ".adaboost_r2", ".boosting_tables", ".weak_learner", ".arrays"]
MODULES += [".gradient_boosting", ".residuals", ".losses", ".base_loss", ".boosting_round"]
MODULES += [".best_first", ".bins", ".histogram", ".importance", ".importance_plots"]


@pytest.mark.parametrize("name", MODULES)
def test_api_page_has_every_public_name(name):
    page = (BOOK / "api.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\.\. auto(?:class|function):: (\w+)", page, re.M))
    module = importlib.import_module("treelab" + name)
    public = {n for n in module.__all__ if not n.isupper()}  # constants have no docstring
    assert public - named <= {"make_moons", "make_friedman1"}  # scikit-learn's own


def test_glossary_is_in_order():
    page = (BOOK / "glossary.md").read_text(encoding="utf-8")
    terms = re.findall(r"^([\w .+'-]+)\n  \S", page, re.M)
    assert terms[0] == ".632 estimate"
    assert terms[-1] == "z-score"
    assert terms == sorted(terms, key=str.lower)
