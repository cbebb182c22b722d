"""Bad input: every error names the argument and says what would be right.

One table. Each row holds what is wrong, the type of the error and a pattern that its message
must contain. At the end stands what looks odd and is allowed.
"""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier as TheirClassifier

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.growing import split_table
from treelab.impurity import (
    entropy,
    gain_ratio,
    gini,
    impurity_table,
    information_gain,
    misclassification,
    split_information,
    squared_error,
)
from treelab.pruning import (
    chi2_prepruning,
    chi2_table,
    cost_complexity_path,
    cross_validated_pruning,
    prune,
    pruning_table,
    reduced_error_pruning,
    reduced_error_table,
)

X = [[1.0, 2], [2, 1], [3, 4], [4, 3]]
Y = [0, 0, 1, 1]
NUMBERS = [1.0, 2, 3, 4]
NAN, INF = np.nan, np.inf
FRAME = pd.DataFrame({"size": [1, 2, 3, 4], "color": ["red", "blue", "red", "blue"]})
COLOR = FRAME[["color"]]

CLASSIFIER = DecisionTreeClassifier().fit(X, Y)
REGRESSOR = DecisionTreeRegressor().fit(X, NUMBERS)
MIXED = DecisionTreeClassifier(categorical_features=["color"]).fit(FRAME, Y)
TREE = CLASSIFIER.tree_


def classify(X=X, y=Y, sample_weight=None, **parameters):
    return DecisionTreeClassifier(**parameters).fit(X, y, sample_weight=sample_weight)


def regress(X=X, y=NUMBERS, **parameters):
    return DecisionTreeRegressor(**parameters).fit(X, y)


def cross_validate(estimator=None, X=X, y=Y, **parameters):
    return cross_validated_pruning(estimator or DecisionTreeClassifier(), X, y, **parameters)


# what is wrong, the call, the error, what its message says
TABLE = [
    # X in fit
    ("no rows", lambda: classify(np.empty((0, 2)), []), ValueError, r"0 sample.*minimum of 1"),
    ("no columns", lambda: classify(np.empty((4, 0))), ValueError, r"0 feature.*minimum of 1"),
    ("empty list", lambda: classify([], []), ValueError, "Expected 2D"),
    ("no X", lambda: classify(None), ValueError, "Expected 2D array"),
    ("one-dimensional X", lambda: classify([1, 2, 3, 4]), ValueError, r"Expected 2D.*reshape"),
    ("three-dimensional X", lambda: classify(np.zeros((4, 2, 2))), ValueError, "dim 3"),
    ("rows of X of unequal length", lambda: classify([[1, 2], [3]], [0, 1]), ValueError, "X .*row"),
    ("sparse X", lambda: classify(csr_array(np.eye(4))), TypeError, r"X.*dense.*toarray"),
    ("missing number", lambda: classify([[1, NAN], *X[1:]]), ValueError, "X contains NaN"),
    ("missing cell", lambda: classify(FRAME[["size"]].shift()), ValueError, "X contains NaN"),
    ("infinite number", lambda: classify([[1, INF], *X[1:]]), ValueError, "X contains infinity"),
    ("complex numbers", lambda: classify(np.array(X) * 1j), ValueError, "Complex data"),
    (
        "text in a numeric column",
        lambda: classify(FRAME),
        ValueError,
        r"X has text .*column 'color'.*categorical_features",
    ),
    (
        "text in an array",
        lambda: classify([["red", 1]] * 4),
        ValueError,
        r"X has text .*column 0.*categorical_features",
    ),
    (
        "missing category",
        lambda: classify(COLOR.shift(), categorical_features=["color"]),
        ValueError,
        r"X contains missing values.*column 'color'.*'missing'",
    ),
    # y in fit
    ("no y", lambda: classify(y=None), ValueError, r"requires y"),
    ("NaN among numbers", lambda: regress(y=[1, NAN, 2, 3]), ValueError, "y contains NaN"),
    ("infinite y", lambda: regress(y=[1, INF, 2, 3]), ValueError, "y contains infinity"),
    ("NaN among classes", lambda: classify(y=[1, NAN, 0, 1]), ValueError, "y contains NaN"),
    ("infinite class", lambda: classify(y=[1, INF, 0, 1]), ValueError, "y contains infinity"),
    (
        "dates in X",
        lambda: classify(pd.DataFrame({"day": pd.date_range("2020", periods=4)})),
        ValueError,
        "X has dates in column 'day'.*numbers",
    ),
    (
        "dates in an array",
        lambda: classify(np.arange("2020-01-01", "2020-01-05", dtype="M8[D]")[:, None]),
        ValueError,
        "X has dates in column 0.*numbers",
    ),
    (
        "categorical names and numbers",
        lambda: classify(FRAME, categorical_features=["color", 0]),
        ValueError,
        "categorical_features.*names or .*numbers, not both",
    ),
    (
        "categorical names for an array",
        lambda: classify(categorical_features=["q"]),
        ValueError,
        "categorical_features names .*'q'.*array without column names",
    ),
    ("max_features True", lambda: classify(max_features=True), ValueError, "max_features must be"),
    ("text for class sums", lambda: gini(["a", "b"]), ValueError, "class_sums must be an array"),
    (
        "cross-validate a word",
        lambda: cross_validate("tree"),
        TypeError,
        "estimator must be a decision tree of treelab",
    ),
    ("None among classes", lambda: classify(y=["a", None, "b", "a"]), ValueError, "y contains"),
    ("text for a regression", lambda: regress(y=list("abcd")), ValueError, "y must .*number"),
    ("numbers for classes", lambda: classify(y=[0.1, 0.2, 0.3, 0.4]), ValueError, "discrete"),
    ("two columns of y", lambda: classify(y=np.ones((4, 2), int)), ValueError, "y should be a 1d"),
    ("y too short", lambda: classify(y=[0, 1, 1]), ValueError, r"numbers of samples: \[4, 3\]"),
    # sample_weight
    (
        "too few weights",
        lambda: classify(sample_weight=[1, 1]),
        ValueError,
        r"sample_weight must have one weight for each of the 4 rows.*\(2,\)",
    ),
    (
        "two-dimensional weights",
        lambda: classify(sample_weight=np.ones((4, 1))),
        ValueError,
        r"sample_weight must have one weight for each.*\(4, 1\)",
    ),
    (
        "negative weight",
        lambda: classify(sample_weight=[1, 1, -1, 1]),
        ValueError,
        r"sample_weight must be finite and not negative.*-1",
    ),
    (
        "NaN among the weights",
        lambda: classify(sample_weight=[1, 1, NAN, 1]),
        ValueError,
        "sample_weight must be finite",
    ),
    (
        "infinite weight",
        lambda: classify(sample_weight=[1, 1, INF, 1]),
        ValueError,
        "sample_weight must be finite",
    ),
    (
        "all weights zero",
        lambda: classify(sample_weight=np.zeros(4)),
        ValueError,
        "sample_weight must have a positive sum",
    ),
    ("text for weights", lambda: classify(sample_weight=list("abcd")), ValueError, "sample_weight"),
    # parameters
    ("criterion", lambda: classify(criterion="ginni"), ValueError, "criterion must be .*'gini'"),
    ("criterion of the other kind", lambda: regress(criterion="gini"), ValueError, "criterion"),
    ("criterion None", lambda: classify(criterion=None), ValueError, "criterion must be"),
    ("max_depth 0", lambda: classify(max_depth=0), ValueError, "max_depth.*>= 1"),
    ("max_depth 2.5", lambda: classify(max_depth=2.5), TypeError, "max_depth must be.*int"),
    ("min_samples_split 1", lambda: classify(min_samples_split=1), ValueError, "_split.*>= 2"),
    ("min_samples_split 0.5", lambda: classify(min_samples_split=0.5), TypeError, "_split.*int"),
    ("min_samples_leaf 0", lambda: classify(min_samples_leaf=0), ValueError, "_leaf.*>= 1"),
    ("min_samples_leaf 0.1", lambda: classify(min_samples_leaf=0.1), TypeError, "_leaf.*int"),
    ("max_features 0", lambda: classify(max_features=0), ValueError, "max_features.*from 1 to 2"),
    ("max_features 3", lambda: classify(max_features=3), ValueError, "max_features.*from 1 to 2"),
    ("max_features 1.5", lambda: classify(max_features=1.5), ValueError, r"max_features.*\(0, 1\]"),
    ("max_features 0.0", lambda: classify(max_features=0.0), ValueError, r"max_features.*\(0, 1\]"),
    ("max_features cube", lambda: classify(max_features="cube"), ValueError, "features.*'sqrt'"),
    ("max_features list", lambda: classify(max_features=[1]), ValueError, "max_features must be"),
    (
        "negative min_impurity_decrease",
        lambda: classify(min_impurity_decrease=-1),
        ValueError,
        "min_impurity_decrease.*>= 0",
    ),
    (
        "min_impurity_decrease NaN",
        lambda: classify(min_impurity_decrease=NAN),
        ValueError,
        "min_impurity_decrease.*>= 0",
    ),
    ("negative ccp_alpha", lambda: classify(ccp_alpha=-1), ValueError, "ccp_alpha.*>= 0"),
    ("ccp_alpha NaN", lambda: classify(ccp_alpha=NAN), ValueError, "ccp_alpha.*>= 0"),
    ("ccp_alpha text", lambda: classify(ccp_alpha="a"), TypeError, "ccp_alpha must be"),
    (
        "categorical column out of range",
        lambda: classify(categorical_features=[5]),
        ValueError,
        r"categorical_features must be column numbers from 0 to 1.*\[5\]",
    ),
    (
        "negative categorical column",
        lambda: classify(categorical_features=[-1]),
        ValueError,
        "categorical_features must be column numbers from 0 to 1",
    ),
    (
        "unknown categorical column",
        lambda: classify(FRAME, categorical_features=["shape"]),
        ValueError,
        r"categorical_features names \['shape'\].*\['size', 'color'\]",
    ),
    (
        "names for the columns of an array",
        lambda: classify(categorical_features=["size"]),
        ValueError,
        "categorical_features.*X",
    ),
    (
        "mask of the wrong length",
        lambda: classify(categorical_features=[True]),
        ValueError,
        "categorical_features is a mask.*2 columns",
    ),
    (
        "one name instead of a list",
        lambda: classify(FRAME, categorical_features="color"),
        ValueError,
        "categorical_features must be.*list",
    ),
    (
        "one number instead of a list",
        lambda: classify(categorical_features=1),
        ValueError,
        "categorical_features must be.*list",
    ),
    ("random_state", lambda: classify(random_state="a"), ValueError, "seed"),
    ("unknown parameter", lambda: classify(max_leaves=3), TypeError, "max_leaves"),
    # prediction
    ("predict before fit", lambda: DecisionTreeClassifier().predict(X), NotFittedError, "fit"),
    ("apply before fit", lambda: DecisionTreeRegressor().apply(X), NotFittedError, "fit"),
    ("depth before fit", lambda: DecisionTreeClassifier().get_depth(), NotFittedError, "fit"),
    ("text before fit", lambda: DecisionTreeClassifier().export_text(), NotFittedError, "fit"),
    (
        "importances before fit",
        lambda: DecisionTreeClassifier().feature_importances_,
        NotFittedError,
        "fit",
    ),
    (
        "too many features",
        lambda: CLASSIFIER.predict([[1, 2, 3]]),
        ValueError,
        "X has 3 features.*expecting 2",
    ),
    ("one row as a list", lambda: CLASSIFIER.predict([1, 2]), ValueError, "Expected 2D.*reshape"),
    ("NaN to predict", lambda: CLASSIFIER.predict([[NAN, 1]]), ValueError, "X contains NaN"),
    ("text to predict", lambda: CLASSIFIER.predict([["a", 1]]), ValueError, "X has text"),
    ("nothing to predict", lambda: CLASSIFIER.predict(np.empty((0, 2))), ValueError, "0 sample"),
    (
        "unseen category",
        lambda: MIXED.predict(FRAME.assign(color="green")),
        ValueError,
        r"'green' in column 'color'.*not seen in fit.*\['blue', 'red'\]",
    ),
    (
        "missing category to predict",
        lambda: MIXED.predict(FRAME.assign(color=None)),
        ValueError,
        "X contains missing values.*column 'color'",
    ),
    (
        "columns in another order",
        lambda: MIXED.predict(FRAME[["color", "size"]]),
        ValueError,
        "feature names.*same order",
    ),
    (
        "other columns",
        lambda: MIXED.predict(FRAME.rename(columns={"size": "weight"})),
        ValueError,
        "feature names.*weight",
    ),
    ("column left out", lambda: MIXED.predict(COLOR), ValueError, "feature names.*size"),
    # split_table
    ("split_table, lengths", lambda: split_table(X, [0, 1]), ValueError, r"samples: \[4, 2\]"),
    ("split_table, criterion", lambda: split_table(X, Y, criterion="x"), ValueError, "'entropy'"),
    ("split_table, NaN", lambda: split_table([[NAN], [1]], [0, 1]), ValueError, "X contains NaN"),
    ("split_table, text", lambda: split_table(FRAME, Y), ValueError, "X has text.*'color'"),
    ("split_table, no rows", lambda: split_table(np.empty((0, 1)), []), ValueError, "0 sample"),
    ("split_table, 1-d X", lambda: split_table(NUMBERS, Y), ValueError, "X must|2D"),
    (
        "split_table, weights",
        lambda: split_table(X, Y, sample_weight=[-1, 1, 1, 1]),
        ValueError,
        "sample_weight must be finite and not negative",
    ),
    (
        "split_table, leaf size",
        lambda: split_table(X, Y, min_samples_leaf=0),
        ValueError,
        "min_samples_leaf.*>= 1",
    ),
    (
        "split_table, numbers for classes",
        lambda: split_table(X, [0.1, 0.2, 0.3, 0.4]),
        ValueError,
        "discrete",
    ),
    (
        "split_table, text for numbers",
        lambda: split_table(X, list("abcd"), criterion="squared_error"),
        ValueError,
        "y must .*number",
    ),
    # impurities
    ("negative class sum", lambda: gini([-1, 2]), ValueError, "class_sums .*>= 0"),
    ("scalar class sum", lambda: gini(3), ValueError, "class_sums must be an array"),
    ("NaN class sum", lambda: entropy([NAN, 2]), ValueError, "class_sums .*finite"),
    ("infinite class sum", lambda: misclassification([INF, 2]), ValueError, "class_sums .*finite"),
    ("two target sums", lambda: squared_error([1, 2]), ValueError, r"target_sums.*\(2,\)"),
    ("table of one branch", lambda: information_gain([1, 2]), ValueError, "table.*two axes"),
    ("ratio of one branch", lambda: gain_ratio([1, 2]), ValueError, "table.*two axes"),
    ("sizes of one branch", lambda: split_information([1, 2]), ValueError, "table.*two axes"),
    ("gain, criterion", lambda: information_gain([[1, 2], [2, 1]], "x"), ValueError, "'entropy'"),
    ("impurity_table, lengths", lambda: impurity_table(FRAME, [0, 1]), ValueError, "X, y.*4, 2"),
    ("impurity_table, criterion", lambda: impurity_table(FRAME, Y, "x"), ValueError, "criterion"),
    ("impurity_table, NaN", lambda: impurity_table(COLOR.shift(), Y), ValueError, "X .*missing"),
    (
        "impurity_table, missing class",
        lambda: impurity_table(COLOR, [0, 1, None, 1]),
        ValueError,
        "y .*missing",
    ),
    ("impurity_table, no rows", lambda: impurity_table(COLOR[:0], []), ValueError, "row"),
    # pruning
    ("negative alpha", lambda: prune(TREE, -1), ValueError, "alpha must be a number >= 0.*-1"),
    ("alpha NaN", lambda: prune(TREE, NAN), ValueError, "alpha must be a number >= 0"),
    ("alpha text", lambda: prune(TREE, "a"), ValueError, "alpha must be a number >= 0"),
    ("unfitted to prune", lambda: prune(DecisionTreeClassifier(), 0.1), NotFittedError, "fit"),
    ("text to prune", lambda: prune("tree", 0.1), TypeError, "tree must be a treelab Tree"),
    (
        "scikit-learn's tree to prune",
        lambda: prune(TheirClassifier().fit(X, Y), 0.1),
        TypeError,
        "tree must be a treelab Tree",
    ),
    ("risk", lambda: cost_complexity_path(TREE, risk="x"), ValueError, "risk must be 'impurity'"),
    (
        "errors of a regression tree",
        lambda: pruning_table(REGRESSOR, risk="misclassification"),
        ValueError,
        "needs a classification tree.*risk='impurity'",
    ),
    ("rule", lambda: cross_validate(cv=2, rule="x"), ValueError, "rule must be 'min' or 'one_se'"),
    ("one fold", lambda: cross_validate(cv=1), ValueError, "cv must be .*from 2"),
    ("more folds than rows", lambda: cross_validate(cv=10), ValueError, "cv must be .*4 rows"),
    ("no estimator", lambda: cross_validate("x", cv=2), TypeError, "estimator"),
    ("lengths", lambda: cross_validate(y=[0, 1, 1], cv=2), ValueError, r"samples: \[4, 3\]"),
    (
        "unfitted, reduced error",
        lambda: reduced_error_pruning(DecisionTreeClassifier(), X, Y),
        NotFittedError,
        "fit",
    ),
    (
        "validation lengths",
        lambda: reduced_error_table(CLASSIFIER, X, [0, 1]),
        ValueError,
        "X_val and y_val.*4 rows",
    ),
    (
        "no validation rows",
        lambda: reduced_error_pruning(CLASSIFIER, np.empty((0, 2)), []),
        ValueError,
        "at least one",
    ),
    (
        "validation features",
        lambda: reduced_error_pruning(CLASSIFIER, [[1, 2, 3]], [0]),
        ValueError,
        "3 features.*expecting 2",
    ),
    (
        "validation NaN",
        lambda: reduced_error_pruning(REGRESSOR, X, [1, NAN, 2, 3]),
        ValueError,
        "y_val holds missing",
    ),
    (
        "validation weights",
        lambda: reduced_error_pruning(CLASSIFIER, X, Y, sample_weight=[1]),
        ValueError,
        "sample_weight must have one weight for each",
    ),
    ("level of the test", lambda: chi2_prepruning(TREE, alpha=0), ValueError, r"alpha.*\(0, 1\]"),
    ("level above one", lambda: chi2_table(TREE, alpha=2), ValueError, r"alpha.*\(0, 1\]"),
    ("test of numbers", lambda: chi2_prepruning(REGRESSOR), ValueError, "classification tree"),
    ("test of no tree", lambda: chi2_table(3), TypeError, "tree must be a treelab Tree"),
    # the tree itself
    ("unknown node", lambda: TREE.collapse([99]), ValueError, "node numbers from 0 to 2"),
    ("negative node", lambda: TREE.collapse([-1]), ValueError, "node numbers from 0 to 2"),
    ("change of a node", lambda: TREE.value.fill(0), ValueError, "read-only"),
    ("change of a tree", lambda: setattr(TREE, "value", 0), AttributeError, "value"),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("row", TABLE, ids=[name for name, *_ in TABLE])
def test_bad_input(row):
    _, call, error, message = row
    with pytest.raises(error, match=f"(?s){message}"):
        call()


def test_rows_of_the_table_differ():
    assert len({row[0] for row in TABLE}) == len(TABLE)


# --- odd, and allowed ----------------------------------------------------------------------


def test_one_row_is_a_leaf():
    assert classify([[1.0, 2]], ["a"]).predict([[9, 9]]).tolist() == ["a"]
    assert regress([[1.0, 2]], [3.0]).predict([[9, 9]]).tolist() == [3.0]
    assert len(split_table([[1.0, 2]], ["a"])) == 0


def test_constant_target_is_a_leaf():
    model = classify(y=[1, 1, 1, 1])
    assert model.get_n_leaves() == 1
    assert model.predict_proba([[0, 0]]).tolist() == [[1.0]]
    assert model.feature_importances_.tolist() == [0, 0]
    assert regress(y=[0.1] * 4).predict([[0, 0]]).tolist() == [0.1]
    assert regress(y=[0.1] * 4).tree_.impurity.tolist() == [0.0]
    table = split_table(X, [1, 1, 1, 1])
    assert (len(table), table["gain"].tolist()) == (6, [0] * 6)


def test_constant_features_are_a_leaf():
    model = classify(np.ones((4, 2)))
    assert model.get_n_leaves() == 1
    assert model.predict_proba([[1, 1]]).tolist() == [[0.5, 0.5]]
    assert len(split_table(np.ones((4, 2)), Y)) == 0


def test_one_number_is_the_weight_of_every_row():
    assert classify(sample_weight=2.0).tree_.weighted_n_node_samples[0] == 8


def test_booleans_and_whole_numbers_are_numbers():
    assert classify(np.array(X) > 2).get_n_leaves() == 2
    assert classify(np.array(X, dtype=np.int8)).get_n_leaves() == 2


def test_huge_and_tiny_numbers_are_split():
    for values in ([1e-300, 2e-300, 3e-300, 4e-300], [-1e308, -1e307, 1e307, 1e308]):
        column = np.array(values)[:, None]
        assert classify(column).predict(column).tolist() == Y
    neighbors = np.array([[1.0], [np.nextafter(1, 2)], [2.0], [3.0]])
    assert classify(neighbors, [0, 1, 1, 1]).predict(neighbors).tolist() == [0, 1, 1, 1]


def test_rows_of_the_caller_are_left_alone():
    frame, y = FRAME.copy(), pd.Series(Y)
    DecisionTreeClassifier(categorical_features=["color"]).fit(frame, y).predict(frame)
    pd.testing.assert_frame_equal(frame, FRAME)
    assert y.tolist() == Y
