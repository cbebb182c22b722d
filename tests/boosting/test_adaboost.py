"""AdaBoost: what must hold of its rounds, whatever the data."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris, make_classification, make_friedman1
from sklearn.metrics import accuracy_score, r2_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from treelab import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    datasets,
)
from treelab.fast.boosting import boosting_table, estimator_weight, reweight


class SlowTree(DecisionTreeClassifier):
    """The same tree, but a stranger to the short way of `TreeLearner`."""


class SlowRegressionTree(DecisionTreeRegressor):
    """The same for numbers."""


class Constant(ClassifierMixin, BaseEstimator):
    """Says the same to every row, and takes weights without heeding them."""

    def __init__(self, label=0):
        self.label = label

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.label)


def noisy(n=120, n_classes=2, seed=0):
    return make_classification(
        n, 4, n_informative=3, n_redundant=0, n_classes=n_classes, flip_y=0.2, random_state=seed
    )


# --- one round -------------------------------------------------------------------------


def test_vote_of_a_perfect_member_is_that_of_a_tiny_error():
    assert estimator_weight(0) == pytest.approx(np.log((1 - 1e-10) / 1e-10), rel=1e-12)
    assert estimator_weight(0, 3) == pytest.approx(estimator_weight(1e-10) + np.log(2))
    assert estimator_weight(0, 1) == estimator_weight(0, 2)


def test_huge_votes_leave_weights_that_count():
    after = reweight(np.array([0.5, 0.5, 0.0]), np.array([True, False, True]), 1e5)
    assert after[1] == pytest.approx(1)
    assert after[0] == np.finfo(float).eps
    assert after[2] == 0


# --- stopping --------------------------------------------------------------------------


@pytest.mark.parametrize("resample", [False, True])
def test_a_perfect_member_is_kept_and_ends_the_rounds(resample):
    X, y = [[1.0], [2], [3], [4]] * 5, [0, 0, 1, 1] * 5
    model = AdaBoostClassifier(learning_rate=0.5, resample=resample, random_state=0).fit(X, y)
    assert model.estimator_errors_.tolist() == [0.0]
    assert model.estimator_weights_[0] == pytest.approx(0.5 * np.log(1e10))
    assert model.predict(X).tolist() == y
    table = boosting_table(model, X, y)
    assert table["margin"].tolist() == [1.0] * 20
    assert table["weight"].tolist() == [0.05] * 20


def test_chance_depends_on_the_number_of_classes():
    """An error of 0.6 is better than guessing among three, and an error of 1/2 among two is not."""
    X, y = np.zeros((10, 1)), np.array([0] * 4 + [1] * 3 + [2] * 3)
    model = AdaBoostClassifier(Constant(0), n_estimators=1).fit(X, y)
    assert model.estimator_errors_.tolist() == [pytest.approx(0.6)]
    with pytest.raises(ValueError, match="no better than chance in the first round.* 0.7,.*0.66"):
        AdaBoostClassifier(Constant(1)).fit(X, y)
    with pytest.raises(ValueError, match="chance"):  # no stump is better than chance at XOR
        AdaBoostClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])


def test_an_error_that_is_chance_but_for_rounding_ends_the_rounds():
    X, y = np.zeros((6, 1)), np.array([0] * 3 + [1] * 3)
    weight = [0.1, 0.7, 0.1, 0.3, 0.3, 0.3 - 1e-14]  # both sides sum to 0.9
    with pytest.raises(ValueError, match="chance"):
        AdaBoostClassifier(Constant(0)).fit(X, y, weight)


class Later(Constant):
    """Wrong everywhere until it has been fitted `first` times, then right everywhere."""

    fits = 0

    def __init__(self, first=0):
        self.first = first

    def fit(self, X, y, sample_weight=None):
        type(self).fits += 1
        return super().fit(X, y)

    def predict(self, X):
        return X[:, 0] if self.fits > self.first else 1 - X[:, 0]


@pytest.mark.parametrize(("resample", "first", "works"), [(1, 10, 1), (1, 11, 0), (0, 1, 0)])
def test_ten_new_samples_are_drawn_for_a_member_at_chance(resample, first, works, monkeypatch):
    monkeypatch.setattr(Later, "fits", 0)
    X = np.array([[0], [1], [0], [1]])
    model = AdaBoostClassifier(Later(first), resample=bool(resample), random_state=0)
    if works:
        assert model.fit(X, X[:, 0]).estimator_errors_.tolist() == [0]
    else:
        with pytest.raises(ValueError, match="chance"):
            model.fit(X, X[:, 0])
    assert Later.fits == (11 if resample else 1)


# --- the short way of trees ------------------------------------------------------------


def same_trees(a, b):
    pairs = list(zip(a.estimators_, b.estimators_, strict=True))
    return all(one.tree_.equals(other.tree_) for one, other in pairs)


@pytest.mark.parametrize("resample", [False, True])
@pytest.mark.parametrize("parameters", [{}, {"max_features": 2}, {"ccp_alpha": 0.01}], ids=str)
def test_short_way_grows_the_trees_of_clone_and_fit(resample, parameters):
    X, y = noisy(150, 3)
    X = X.round(1)  # ties
    labels = np.array(["a", "b", "c"])[y]
    weight = np.where(np.arange(150) % 5, np.random.default_rng(1).uniform(1, 3, 150), 0)
    models = [
        AdaBoostClassifier(
            kind(max_depth=2, min_samples_leaf=3, **parameters),
            n_estimators=6,
            resample=resample,
            random_state=0,
        ).fit(X, labels, weight)
        for kind in (DecisionTreeClassifier, SlowTree)
    ]
    assert same_trees(*models)
    assert [m.random_state for m in models[0].estimators_] == [
        m.random_state for m in models[1].estimators_
    ]
    np.testing.assert_array_equal(*(m.decision_function(X) for m in models))
    assert models[0].estimators_[0].predict(X)[0] in labels


def test_short_way_for_numbers():
    X, y = make_friedman1(100, 5, noise=1, random_state=0)
    weight = np.arange(100) % 4
    models = [
        AdaBoostRegressor(kind(max_depth=3, max_features=2), n_estimators=6, random_state=0)
        for kind in (DecisionTreeRegressor, SlowRegressionTree)
    ]
    assert same_trees(*(m.fit(X.round(1), y, weight) for m in models))
    np.testing.assert_array_equal(*(m.predict(X) for m in models))


@pytest.mark.parametrize("resample", [False, True])
def test_levels_of_golf(resample):
    """Text and numbers; a level that a sample lacks is known all the same."""
    X, y = datasets.load_golf(return_X_y=True)
    X = X.assign(outlook=X["outlook"].astype(object))
    stump = DecisionTreeClassifier(max_depth=1, categorical_features=["outlook", "windy"])
    model = AdaBoostClassifier(stump, n_estimators=15, resample=resample, random_state=1)
    model.fit(X, y)
    assert model.score(X, y) > 0.75
    assert set(model.predict(X)) <= set(y)
    assert list(model.feature_names_in_) == list(X)
    table = boosting_table(model, X.set_axis(list("abcdefghijklmn")), y)
    assert table["case"].iloc[:14].tolist() == list("abcdefghijklmn")


# --- votes -----------------------------------------------------------------------------


@pytest.mark.parametrize(("y", "winner"), [([0, 0, 0, 1, 1], 0), ([0, 0, 1, 1, 1], 1)])
def test_a_tied_vote_goes_to_the_class_of_larger_prior(y, winner):
    """In the last digit 0.1 + 0.2 is more than 0.3; the votes tie all the same."""
    X = np.zeros((5, 1))
    model = AdaBoostClassifier(Constant(winner), n_estimators=1).fit(X, y)
    for first, second in ((0, 1), (1, 0)):
        model.estimators_ = [Constant(first), Constant(first), Constant(second)]
        model.estimator_weights_ = np.array([0.1, 0.2, 0.3])
        stages = [stage.tolist() for stage in model.staged_predict(X)]
        assert stages == [[first] * 5, [first] * 5, [winner] * 5]
        assert model.predict(X).tolist() == [winner] * 5


def test_of_classes_with_the_same_prior_the_first_wins_a_tie():
    X, y = np.zeros((4, 1)), np.array(["b", "c", "a", "a"])
    model = AdaBoostClassifier(Constant("a"), n_estimators=1).fit(X, y)
    model.estimators_ = [Constant("c"), Constant("b")]
    model.estimator_weights_ = np.array([1.0, 1.0])
    assert model.predict(X).tolist() == ["b"] * 4


@pytest.mark.parametrize("n_classes", [2, 3])
def test_table_by_hand(n_classes):
    """Votes and margins counted one member at a time, errors from the weights before."""
    X, y = noisy(90, n_classes)
    model = AdaBoostClassifier(n_estimators=7, learning_rate=0.7).fit(X, y)
    table = boosting_table(model, X, y)
    assert table.shape == (7 * 90, 8)
    assert list(table) == [
        "round", "case", "weight", "prediction", "correct", "error", "confidence", "margin",
    ]  # fmt: skip
    votes = np.zeros((90, n_classes))
    weight = np.full(90, 1 / 90)
    for m, (member, vote) in enumerate(
        zip(model.estimators_, model.estimator_weights_, strict=True), 1
    ):
        part = table[table["round"] == m]
        predicted = member.predict(X)
        error = weight[predicted != y].sum()
        votes[np.arange(90), predicted] += vote
        rivals = np.where(np.eye(n_classes, dtype=bool)[y], -1, votes)
        margin = (votes[np.arange(90), y] - rivals.max(axis=1)) / votes.sum(axis=1)
        assert part["case"].tolist() == list(range(90))
        assert part["prediction"].tolist() == predicted.tolist()
        assert part["correct"].tolist() == (predicted == y).tolist()
        np.testing.assert_allclose(part["weight"], weight, rtol=1e-9)
        np.testing.assert_allclose(part["error"], error)
        np.testing.assert_allclose(
            vote, 0.7 * (np.log((1 - error) / error) + np.log(n_classes - 1)), rtol=1e-9
        )
        np.testing.assert_allclose(part["confidence"], (n_classes - 1) ** 2 / n_classes * vote)
        np.testing.assert_allclose(part["margin"], margin, atol=1e-12)
        weight = weight * np.exp(vote * (predicted != y))
        weight /= weight.sum()


def test_table_needs_the_data_of_the_fit():
    X, y = noisy()
    weight = np.arange(1, 121)
    model = AdaBoostClassifier(n_estimators=3).fit(X, y, weight)
    assert boosting_table(model, X, y, weight)["weight"][1] == pytest.approx(2 / weight.sum())
    with pytest.raises(ValueError, match="must be those that the model was fitted on"):
        boosting_table(model, X, y)


def test_table_of_resampling_has_the_errors_on_all_rows():
    X, y = noisy()
    model = AdaBoostClassifier(n_estimators=5, resample=True, random_state=0).fit(X, y)
    table = boosting_table(model, X, y)
    each = table.groupby("round")
    wrong = (table["weight"] * ~table["correct"]).groupby(table["round"]).sum()
    np.testing.assert_allclose(each["error"].first(), wrong)
    np.testing.assert_allclose(each["weight"].sum(), 1)


# --- resampling ------------------------------------------------------------------------


def test_samples_are_drawn_with_the_weights_as_chances():
    """Rows without weight are never drawn; the rest in proportion."""

    class Counter(Constant):
        drawn = []

        def fit(self, X, y, sample_weight=None):
            self.drawn.append(X[:, 0])
            return super().fit(X, y)

    X = np.arange(4000.0)[:, None]
    y = (X[:, 0] >= 2000).astype(int)
    weight = np.where(y == 0, 3.0, 1.0)
    weight[::10] = 0
    model = AdaBoostClassifier(Counter(0), n_estimators=1, resample=True, random_state=0)
    model.fit(X, y, weight)
    (drawn,) = Counter.drawn
    assert len(drawn) == 4000
    assert not np.any(drawn % 10 == 0)
    assert np.mean(drawn < 2000) == pytest.approx(0.75, abs=0.03)


def test_resampling_serves_learners_that_take_no_weights():
    X, y = noisy()
    model = AdaBoostClassifier(
        KNeighborsClassifier(15), n_estimators=5, resample=True, random_state=0
    )
    assert model.fit(X, y).score(X, y) > 0.7
    with pytest.raises(AttributeError, match="feature_importances_ needs members"):
        _ = model.feature_importances_
    with pytest.raises(ValueError, match="KNeighborsClassifier doesn't support sample_weight"):
        clone(model).set_params(resample=False).fit(X, y)


def test_a_class_that_a_sample_lacks_is_still_a_class():
    X, y = load_iris(return_X_y=True)
    rows = np.r_[0:50, 50:100, 100:101]  # one flower of the third kind
    tree = SlowTree(max_depth=2)
    model = AdaBoostClassifier(tree, n_estimators=1, resample=True)
    fits = [clone(model).set_params(random_state=s).fit(X[rows], y[rows]) for s in range(6)]
    known = {len(fit.estimators_[0].classes_) for fit in fits}
    assert known == {2, 3}
    for fit in fits:
        assert fit.predict_proba(X).shape == (150, 3)


# --- the estimator ---------------------------------------------------------------------


def test_stages_end_in_the_model():
    X, y = noisy(100, 3)
    model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    for name in ("predict", "predict_proba", "decision_function"):
        stages = list(getattr(model, f"staged_{name}")(X))
        assert len(stages) == 5
        np.testing.assert_array_equal(stages[-1], getattr(model, name)(X))
    short = clone(model).set_params(n_estimators=3).fit(X, y)
    np.testing.assert_array_equal(
        list(model.staged_decision_function(X))[2], short.decision_function(X)
    )
    weight = np.arange(100)
    scores = [accuracy_score(y, p, sample_weight=weight) for p in model.staged_predict(X)]
    assert list(model.staged_score(X, y, weight)) == scores
    numbers = AdaBoostRegressor(n_estimators=3, random_state=0).fit(X, y)
    scores = [r2_score(y, p, sample_weight=weight) for p in numbers.staged_predict(X)]
    assert list(numbers.staged_score(X, y, weight)) == scores
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_one_class_is_always_predicted():
    model = AdaBoostClassifier().fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict([[5.0]]).tolist() == ["a"]
    assert model.predict_proba([[5.0]]).tolist() == [[1.0]]
    assert boosting_table(model, [[1.0], [2.0]], ["a", "a"])["margin"].tolist() == [1, 1]


def test_seeds_reach_the_members_inside_a_pipeline():
    X, y = make_friedman1(80, 5, random_state=0)
    pipe = make_pipeline("passthrough", DecisionTreeRegressor(max_depth=2, max_features=1))
    a, b = (AdaBoostRegressor(pipe, n_estimators=4, random_state=0).fit(X, y) for _ in range(2))
    np.testing.assert_array_equal(a.predict(X), b.predict(X))
    seeds = [member[-1].random_state for member in a.estimators_]
    assert len(set(seeds)) == 4


# --- numbers ---------------------------------------------------------------------------


def test_copies_of_a_row_are_never_torn_apart():
    """All values differ, those of drawn rows do not, and a leaf of three may need a copy more."""
    X, y = np.arange(40.0)[:, None], np.random.default_rng(0).normal(size=40)
    models = [
        AdaBoostRegressor(kind(min_samples_leaf=3), n_estimators=8, random_state=0).fit(X, y)
        for kind in (DecisionTreeRegressor, SlowRegressionTree)
    ]
    assert same_trees(*models)
    for member in models[0].estimators_:
        inner = ~member.tree_.is_leaf
        assert np.all(member.tree_.threshold[inner] % 1 <= 0.5)
        assert len(np.unique(member.tree_.threshold[inner])) == inner.sum()
