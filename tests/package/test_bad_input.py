"""Bad input: every error names the argument and says what would be right.

The calls stand in `tests/data/refused/package.txt`, each with the type of the error and a pattern
that its message must contain. At the end of this file stands what looks odd and is allowed.
"""

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused

from treelab import (
    AdaBoostClassifier,
    BaggingClassifier,
    C45Classifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GradientBoostingRegressor,
    ID3Classifier,
    RandomForestClassifier,
    VarianceTreeRegressor,
)
from treelab.fast.growing import split_table
from treelab.fast.importance import (
    drop_column_importance,
    noising_importance,
    oob_permutation_importance,
    permutation_importance,
)
from treelab.fast.pruning import cross_validated_pruning
from treelab.fast.selection import CFSSelector, FCBFSelector, FilterSelector

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
C45 = C45Classifier(min_samples_leaf=1).fit(FRAME, Y)
ID3 = ID3Classifier().fit(FRAME, Y)


def fits(kind, X=X, y=Y, **defaults):
    """Return what fits an estimator of a kind to these rows, or to others that it is given."""

    def fit(X=X, y=y, sample_weight=None, **parameters):
        weights = () if sample_weight is None else (sample_weight,)
        return kind(**defaults | parameters).fit(X, y, *weights)

    return fit


classify, regress = fits(DecisionTreeClassifier), fits(DecisionTreeRegressor, y=NUMBERS)
c45, id3 = fits(C45Classifier, FRAME), fits(ID3Classifier, FRAME)
variances = fits(VarianceTreeRegressor, FRAME, NUMBERS)
cfs, fcbf = fits(CFSSelector), fits(FCBFSelector)


def one_column(*cells):
    return pd.DataFrame({"color": list(cells)})


def bag(n_estimators=3, X=X, y=Y, sample_weight=None, **parameters):
    return BaggingClassifier(n_estimators=n_estimators, **parameters).fit(X, y, sample_weight)


def forest(n_estimators=3, X=X, y=Y, sample_weight=None, **parameters):
    return RandomForestClassifier(n_estimators, **parameters).fit(X, y, sample_weight)


def boost(kind=GradientBoostingRegressor, X=X, y=Y, sample_weight=None, **parameters):
    return kind(**{"n_estimators": 2} | parameters).fit(X, y, sample_weight)


def ada(kind=AdaBoostClassifier, *arguments, **parameters):
    return fits(kind)(*arguments, **parameters)


def cross_validate(estimator=None, X=X, y=Y, **parameters):
    return cross_validated_pruning(estimator or DecisionTreeClassifier(), X, y, **parameters)


def permute(model=CLASSIFIER, X=X, y=Y, **parameters):
    return permutation_importance(model, X, y, **parameters)


def noise(model=CLASSIFIER, X=X, y=Y, **parameters):
    return noising_importance(model, X, y, **parameters)


def select(X=X, y=Y, measure="symmetrical_uncertainty", **parameters):
    return FilterSelector(measure, **parameters).fit(X, y)


def permute_out_of_bag(X=X, y=Y, **parameters):
    return oob_permutation_importance(forest(20, random_state=0, **parameters), X, y)


def drop(X=X, y=Y, **parameters):
    return drop_column_importance(DecisionTreeClassifier(), X, y, **{"cv": 2} | parameters)


# what is wrong, the call, the error, what its message says


@pytest.mark.filterwarnings("error")
@each("case", refused("package"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())


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
