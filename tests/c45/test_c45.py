"""Multiway trees at their corners: odd data, deep trees, words and tables."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

from treelab import C45Classifier, ID3Classifier, VarianceTreeRegressor, datasets
from treelab.fast.c45 import CutTest, Leaf, LevelTest, MultiwayTree, gain_table
from treelab.figures.c45 import variance_table

X, Y = datasets.load_golf("gap", return_X_y=True)
Y4 = [0, 0, 1, 1]
PLAIN = {"min_samples_leaf": 1, "adaptive_min_leaf": False, "mdl_correction": False}
GROWN = PLAIN | {"pruning": None, "collapse": False, "average_gain": False}


def grown(columns, y=Y4, **parameters):
    frame = columns if isinstance(columns, np.ndarray) else pd.DataFrame(columns)
    return C45Classifier(**GROWN | parameters).fit(frame, y)


# --- few rows, few values ------------------------------------------------------------------


@pytest.mark.parametrize("model", [C45Classifier(), C45Classifier(**GROWN), ID3Classifier()])
def test_nothing_to_ask(model):
    """One row, one class, constant columns: a leaf with the shares of all rows."""
    one = model.fit([[1.0]], ["a"])
    assert (one.n_nodes_, one.get_depth(), one.predict([[1.0]]).tolist()) == (1, 0, ["a"])
    assert model.fit(X.dropna(), ["yes"] * 13).n_nodes_ == 1
    constant = model.fit(np.ones((4, 2)), [0, 1, 1, 1])
    assert (constant.n_leaves_, constant.predict_proba(np.ones((1, 2))).tolist()) == (
        1,
        [[0.25, 0.75]],
    )
    assert "chosen" not in set(gain_table(np.ones((4, 2)), [0, 1, 1, 1], estimator=model).verdict)


def test_columns_of_nothing_but_gaps():
    columns = {"a": [np.nan] * 4, "b": [None] * 4, "c": [1, 2, 3, 4]}
    model = grown(columns)
    assert model.tree_.nodes[0].test == CutTest(2, 2.0)
    gaps = pd.DataFrame({"a": [np.nan], "b": [np.nan], "c": [np.nan]})
    assert model.predict_proba(gaps).tolist() == [[0.5, 0.5]]
    alone = ID3Classifier(missing="share").fit(pd.DataFrame({"b": [None] * 4}), Y4)
    assert alone.n_nodes_ == 1


def test_declared_class_that_no_row_has():
    """It keeps its column and is never predicted."""
    y = pd.Series(pd.Categorical(["p", "n", "p", "n"], categories=["q", "p", "n"]))
    model = grown({"a": [1, 2, 1, 2]}, y)
    assert model.classes_.tolist() == ["q", "p", "n"]
    assert model.predict_proba(pd.DataFrame({"a": [1]})).tolist() == [[0, 1, 0]]
    assert model.predict(pd.DataFrame({"a": [1, 2]})).tolist() == ["p", "n"]


def test_declared_level_that_no_row_has():
    """It is a branch, and answers as the node above it, with or without Laplace's cases."""
    color = pd.Categorical(["b", "b", "a", "a", "a"], categories=["b", "none", "a"])
    fresh = pd.DataFrame({"color": ["none", "b", "a"]})
    laplace = [[3 / 7, 4 / 7], [3 / 4, 1 / 4], [1 / 5, 4 / 5]]
    for model, shares in (
        (C45Classifier(**GROWN), [[0.4, 0.6], [1, 0], [0, 1]]),
        (ID3Classifier(), [[0.4, 0.6], [1, 0], [0, 1]]),
        (C45Classifier(**GROWN, laplace=True), laplace),
    ):
        model.fit(pd.DataFrame({"color": color}), [0, 0, 1, 1, 1])
        assert model.tree_.nodes[0].test == LevelTest(0, 3)
        assert model.tree_.weight.tolist() == [5, 2, 0, 3]
        np.testing.assert_allclose(model.predict_proba(fresh), shares)
        text = model.export_text().splitlines()
        assert text[2:4] == ["|--- color = none", "|   |--- class: 1 (0)"]


def test_unseen_level():
    """As a gap: a share for each branch."""
    fresh, a = pd.DataFrame({"a": ["u", "new", None]}), {"handle_unknown": "missing"}
    known, mixed = pd.DataFrame({"a": ["u", "u", "v"]}), [[1, 0], [2 / 3, 1 / 3], [2 / 3, 1 / 3]]
    for model in (C45Classifier(**GROWN | a), ID3Classifier(**a, missing="share")):
        np.testing.assert_allclose(model.fit(known, [0, 0, 1]).predict_proba(fresh), mixed)
    tree = VarianceTreeRegressor(**a).fit(known, [1, 1, 4])
    np.testing.assert_allclose(tree.predict(fresh[:2]), [1, 2])
    with pytest.raises(ValueError, match="the level 'new'"):
        VarianceTreeRegressor().fit(fresh.iloc[:1], [1]).predict(fresh[:2])


# --- kinds of columns ------------------------------------------------------------------------

GAPS = {
    "None": np.array([1, None, 3, 4], dtype=object),
    "NaN": np.array([1, np.nan, 3, 4]),
    "pd.NA": pd.array([1, pd.NA, 3, 4], dtype="Int64"),
}


@pytest.mark.parametrize("kind", GAPS)
def test_ways_to_write_a_missing_number(kind):
    model = grown({"a": GAPS[kind]})
    assert model.categories_ == {}
    assert model.tree_.nodes[0].test == CutTest(0, 1.0)
    np.testing.assert_allclose(model.tree_.weight, [4, 4 / 3, 8 / 3])
    fresh = pd.DataFrame({"a": GAPS[kind][1:2]})
    np.testing.assert_allclose(model.predict_proba(fresh), [[0.5, 0.5]])


LEVELS = {
    "object": np.array(["u", "u", "v", None], dtype=object),
    "string": pd.array(["u", "u", "v", pd.NA], dtype="string"),
    "category": pd.Categorical(["u", "u", "v", np.nan]),
    "boolean": pd.array([False, False, True, pd.NA], dtype="boolean"),
    "bool and None": np.array([False, False, True, None], dtype=object),
}


@pytest.mark.parametrize("kind", LEVELS)
def test_ways_to_write_levels(kind):
    model = grown({"a": LEVELS[kind]})
    assert [str(level) for level in model.categories_[0]] in (["u", "v"], ["False", "True"])
    np.testing.assert_allclose(model.tree_.sums, [[2, 2], [2, 2 / 3], [0, 4 / 3]])
    np.testing.assert_allclose(model.predict_proba(pd.DataFrame({"a": LEVELS[kind]}))[2], [0, 1])


def test_numbers_are_levels_where_you_say_so():
    columns = {"a": [3, 1, 2, 1]}
    assert grown(columns).categories_ == {}
    asked = grown(columns, categorical_features=["a"])
    assert asked.categories_[0].tolist() == [1, 2, 3]
    assert asked.tree_.nodes[0].test == LevelTest(0, 3)


# --- deep trees ------------------------------------------------------------------------------


def test_rows_of_weight_zero_are_left_out():
    """Their values are no cuts: 2 is not in the data any more."""
    model = C45Classifier(**GROWN).fit(np.array([[1], [2], [3], [4]]), Y4, [1, 0, 0, 1])
    assert (model.tree_.weight[0], model.tree_.nodes[0].test) == (2, CutTest(0, 1.0))


@pytest.mark.parametrize("pruning", [None, "error_based", "reduced_error"])
def test_chain_of_a_question_for_each_row(pruning):
    """Nothing recurses: not growth, nor pruning, nor prediction, pickling and words."""
    n = 1100
    chain, y = np.arange(n, dtype=float)[:, None], np.arange(n) % 2
    model = grown(chain, y, pruning=pruning)
    if pruning is None:
        assert (model.get_depth(), model.n_nodes_) == (n - 1, 2 * n - 1)
        assert model.predict(chain).tolist() == y.tolist()
        assert len(model.export_text().splitlines()) == 3 * n - 2
        assert model.to_frame()["depth"].max() == n - 1
    for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert twin.n_nodes_ == model.n_nodes_
        np.testing.assert_array_equal(twin.predict(chain), model.predict(chain))


# --- words -------------------------------------------------------------------------------------

GOLF = """\
|--- outlook = sunny
|   |--- humidity <= 75
|   |   |--- class: yes (2)
|   |--- humidity > 75
|   |   |--- class: no (3.38/0.385)
|--- outlook = overcast
|   |--- class: yes (3.23)
|--- outlook = rain
|   |--- windy = true
|   |   |--- class: no (2.38/0.385)
|   |--- windy = false
|   |   |--- class: yes (3)
"""


def test_export_text():
    assert C45Classifier().fit(X, Y).export_text(digits=3) == GOLF
    numbers = C45Classifier(**GROWN).fit([[1.25], [2.5]], [7, 8]).tree_.export_text()
    assert numbers == "|--- x[0] <= 1.25\n|   |--- class: 0 (1)\n|--- x[0] > 1.25\n" + (
        "|   |--- class: 1 (1)\n"
    )
    bikes = VarianceTreeRegressor().fit(*datasets.load_bike_rentals(return_X_y=True))
    assert bikes.export_text().splitlines()[:3] == [
        "|--- season = winter",
        "|   |--- work_day = false",
        "|   |   |--- value: 813 (2)",
    ]


def test_digits_of_the_words():
    numbers = grown({"a": [1.23456, 1.23456, 2, 2]}, cut="midpoint")
    assert numbers.export_text(digits=3).startswith("|--- a <= 1.62\n|   |--- class: 0 (2)")
    color = pd.DataFrame({"a": pd.Categorical(["u", "v"], categories=["u", "none", "v"])})
    bikes = VarianceTreeRegressor().fit(color, [1.23456, 3.5])
    assert bikes.export_text(digits=3).splitlines()[1::2] == [
        *("|   |--- value: 1.23 (1)", "|   |--- value: 2.37 (0)", "|   |--- value: 3.5 (1)"),
    ]
    np.testing.assert_allclose(bikes.to_frame()["value"], [2.36728, 1.23456, 2.36728, 3.5])
    speck = MultiwayTree((Leaf(np.array([2.0, 5e-7])),))  # less than the slack is not an error
    assert speck.export_text() == "|--- class: 0 (2)\n"


def test_to_frame():
    frame = C45Classifier().fit(X, Y).to_frame()
    assert frame.columns.tolist() == [
        *("depth", "parent", "branch", "feature", "threshold", "weight", "gain", "gain_ratio"),
        *("weight_yes", "weight_no"),
    ]
    assert frame.index.name == "node"
    assert frame["depth"].tolist() == [0, 1, 2, 2, 1, 1, 2, 2]
    assert frame["parent"].tolist() == [-1, 0, 1, 1, 0, 0, 5, 5]
    assert frame["branch"].tolist()[:4] == [
        *("", "outlook = sunny", "humidity <= 75", "humidity > 75"),
    ]
    assert frame["feature"].dropna().to_dict() == {0: "outlook", 1: "humidity", 5: "windy"}
    assert frame["threshold"].dropna().to_dict() == {1: 75}
    thirteenth = [14, 70, 26, 44, 42, 70, 31, 39]
    wanted = np.array(thirteenth) / ([1] + [13] * 7)
    np.testing.assert_allclose(frame["weight"], wanted)
    np.testing.assert_allclose(frame["weight_yes"] + frame["weight_no"], wanted)
    np.testing.assert_allclose(
        frame.loc[0, ["gain", "gain_ratio"]].tolist(), [0.19904, 0.11002], atol=5e-6
    )
    assert frame.loc[[2, 3, 4, 6, 7], "gain"].isna().all()
    bikes = datasets.load_bike_rentals(return_X_y=True)
    assert VarianceTreeRegressor().fit(*bikes).to_frame()["value"].iloc[2] == 813


def test_with_tree_leaves_the_estimator_alone():
    model = C45Classifier().fit(X, Y)
    stump = model.with_tree(model.tree_.collapse([1, 5]))
    assert (stump.n_leaves_, model.n_leaves_) == (3, 5)
    assert stump.tree_.weight.tolist() == model.tree_.weight[[0, 1, 4, 5]].tolist()
    assert stump.predict(X.iloc[:1]).tolist() == ["no"]
    assert model.tree_.collapse([0]).n_nodes == 1
    assert model.tree_.collapse([]).n_nodes == 8


# --- the hand calculation ------------------------------------------------------------------


def test_gain_table_says_why_a_candidate_lost():
    table = gain_table(X, Y).set_index(["feature", "threshold"])
    assert table.loc["outlook"]["verdict"].tolist() == ["chosen"]
    known = table.loc["outlook"].iloc[0]
    assert known["partition"] == "sunny 2/3, overcast 3/0, rain 3/2"
    np.testing.assert_allclose(known["gain"], 13 / 14 * (known["entropy"] - known["remainder"]))
    humidity = table.loc["humidity"]
    assert humidity["verdict"].iloc[0] == "less than 2 on one side"
    tried = ~humidity["verdict"].str.startswith("less")
    np.testing.assert_allclose(humidity["penalty"], np.log2(tried.sum()) / 14)
    lost = {"no gain left after the penalty", "another split gains more"}
    assert {*humidity["verdict"][tried]} == lost


def test_verdicts():
    """Each reason in its place; one switch moves one verdict."""
    columns = {
        "whole": list("uuuuvvvv"),
        "half": [1, 1, 1, 2, 2, 2, 2, 2],
        "twins": [1, 2, 1, 2, 1, 2, 1, 2],
        "one": ["k"] * 8,
        "mixed": [1, 3, 5, 7, 2, 4, 6, 8],
    }
    frame, y = pd.DataFrame(columns), [0, 0, 0, 0, 1, 1, 1, 1]

    def verdicts(**parameters):
        model = C45Classifier(**{"min_samples_leaf": 1, "adaptive_min_leaf": False} | parameters)
        table = gain_table(frame, y, estimator=model)
        return table.drop_duplicates("feature")["verdict"].tolist()

    poor = ["no gain", "fewer than two branches with enough weight"]
    rest = [*poor, "no gain left after the penalty"]
    assert verdicts() == ["chosen", "below average gain", *rest]
    assert verdicts(average_gain=False) == ["chosen", "a smaller ratio", *rest]
    assert verdicts(criterion="gain") == ["chosen", "a smaller gain", *rest]
    few = verdicts(criterion="gain", min_samples_leaf=3)
    assert few == ["chosen", "a smaller gain", *poor, "less than 3 on one side"]
    xor = pd.DataFrame({"a": list("uvuv"), "b": list("kkkk")})
    for goes_on, word in ((True, "chosen"), (False, "no gain")):
        table = gain_table(xor, Y4, estimator=ID3Classifier(split_on_zero_gain=goes_on))
        assert table["verdict"].tolist() == [word, "one category only"]


def test_variance_table_of_one_branch_leaves_nothing():
    table = variance_table(pd.DataFrame({"a": ["u", "u"], "b": ["v", "w"]}), [1.0, 3.0])
    assert table["weighted_variance"].tolist() == [np.inf, 0, 0]
    assert table["n"].tolist() == [2, 1, 1]
    assert table.loc[("a", "u"), "variance"] == 2
