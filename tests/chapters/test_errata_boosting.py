"""The calculations behind the page of errata: AdaBoost and gradient boosting.

Each entry of book/errata names the test that backs it; `test_errata.py` checks that.
"""

import numpy as np
import pandas as pd
import pytest
from places import ROOT
from scipy.special import log_softmax
from sklearn.ensemble import GradientBoostingRegressor as TheirBoosting

from treelab import (
    AdaBoostClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
)
from treelab.datasets import load_bike_demand
from treelab.fast.boosting import boosting_table
from treelab.fast.boosting.losses import AbsoluteError, MultinomialLogLoss, SquaredError
from treelab.figures.intervals import interval_candidates, interval_table

REPLICATIONS = ROOT / "notebooks" / "replications"

# --- AdaBoost ------------------------------------------------------------------------


def test_right_cases_lose_weight_only_below_one_half():
    for e, right, wrong, alpha in [(0.2, 0.625, 2.5, 0.6931), (0.6, 1.25, 0.8333, -0.2027)]:
        assert [1 / (2 * (1 - e)), 1 / (2 * e)] == pytest.approx([right, wrong], abs=5e-5)
        assert np.log((1 - e) / e) / 2 == pytest.approx(alpha, abs=5e-5)
    with pytest.raises(ZeroDivisionError):
        1 / (2 * 0.0)
    X, y = [[0.0], [1.0], [2.0]], ["Low", "High", "High"]
    perfect = AdaBoostClassifier(n_estimators=5).fit(X, y)  # error 0: one member, then the end
    assert perfect.estimator_errors_.tolist() == [0]
    assert np.isfinite(perfect.estimator_weights_).all()
    with pytest.raises(ValueError, match="no better than chance"):
        AdaBoostClassifier().fit([[0.0], [0.0]], ["Low", "High"])


def test_weights_do_what_the_drawn_samples_do():
    days = load_bike_demand("level", samples=True)
    X, y = days[["temp"]], days["rentals_level"]
    weighted = AdaBoostClassifier(n_estimators=3).fit(X, y)
    assert [t.tree_.threshold[0] for t in weighted.estimators_] == [9.5, 30, 9.5]
    errors = weighted.estimator_errors_
    assert errors == pytest.approx([1 / 5, 3 / 16, 5 / 26])
    table, cuts = boosting_table(weighted, X, y), []
    for m in (1, 2, 3):
        drawn = DecisionTreeClassifier(max_depth=1).fit(X, y, sample_weight=days[f"sample_{m - 1}"])
        cuts.append(drawn.tree_.threshold[0])
        one = table[table["round"] == m]
        assert list(drawn.predict(X)) == list(one["prediction"])
        assert one["weight"][~one["correct"]].sum() == pytest.approx(errors[m - 1])
    assert cuts == [8.5, 30, 17.5]


def test_no_number_of_features_decides():
    """4500 features, two of them useful; and five, where two matter together, under noise."""

    def wide(n):
        X = rng.normal(size=(n, 4500))
        return X, X[:, 0] + X[:, 1] > 0

    def narrow(n):
        X = rng.normal(size=(n, 5))
        return X, (X[:, 0] > 0) ^ (X[:, 1] > 0) ^ (rng.random(n) < 0.2)

    rng, error = np.random.default_rng(0), []
    for make, n, boosting in [
        (wide, 200, GradientBoostingClassifier(n_estimators=30, max_depth=1)),
        (narrow, 300, GradientBoostingClassifier()),
    ]:
        (X, y), (X_new, y_new) = make(n), make(2000)
        for model in (RandomForestClassifier(random_state=0), boosting):
            error.append(1 - model.fit(X, y).score(X_new, y_new))
    assert error == pytest.approx([0.445, 0.136, 0.342, 0.4255], abs=6e-4)


def test_nested_spheres_and_400_rounds():
    rng, y_of = np.random.default_rng(0), lambda X: np.where((X**2).sum(axis=1) > 9.34, 1, -1)
    X, X_new = rng.normal(size=(2000, 10)), rng.normal(size=(10_000, 10))
    y, y_new = y_of(X), y_of(X_new)
    ada = AdaBoostClassifier(n_estimators=400).fit(X, y)
    assert 1 - ada.score(X_new, y_new) == pytest.approx(0.123, abs=5e-4)
    w, score, stump = np.full(2000, 1 / 2000), np.zeros(10_000), DecisionTreeClassifier(max_depth=1)
    for _ in range(400):  # Real AdaBoost: each leaf votes with half of its log-odds
        stump.fit(X, y, sample_weight=w)
        p, p_new = (np.clip(stump.predict_proba(x)[:, 1], 1e-9, 1 - 1e-9) for x in (X, X_new))
        w = w * np.exp(-y * np.log(p / (1 - p)) / 2)
        w /= w.sum()
        score += np.log(p_new / (1 - p_new)) / 2
    assert np.mean(np.sign(score) != y_new) == pytest.approx(0.055, abs=5e-4)
    draws = pd.read_csv(REPLICATIONS / "nested_spheres.csv", index_col="draw")
    assert draws.loc[0].tolist() == pytest.approx([0.123, 0.055], abs=5e-4)
    assert draws.min().tolist() == pytest.approx([0.108, 0.050], abs=5e-4)
    assert draws.max().tolist() == pytest.approx([0.123, 0.058], abs=6e-4)


# --- gradient boosting ---------------------------------------------------------------


def of_days():
    days = load_bike_demand()
    return days["temp"].to_numpy(float), days["rentals"].to_numpy(float)


def sse_path(y, table):
    after = table.pivot(index="case", columns="round", values="after").to_numpy()
    return [np.sum((y - F) ** 2) for F in after.T]


def test_the_slides_boost_intervals():
    x, y = of_days()
    printed = [(18, 28), (7, 32), (23, 27)]  # days 5 to 8, 3 to 9, 6 and 7
    table, ranks = interval_table(x, y, printed), []
    last = table.loc[table["round"] == 3, "after"]
    rows = [624.9, 624.9, 863.7, 863.7, 2016.1, 2186.5, 2186.5, 2016.1, 863.7, 624.9]
    assert last.tolist() == pytest.approx(rows, abs=0.0501)  # Table 9, cut in the last digit
    for m, interval in enumerate(printed, start=1):
        tried = interval_candidates(x, table.loc[table["round"] == m, "residual"])
        ranks.append(1 + tried[["low", "high"]].apply(tuple, axis=1).tolist().index(interval))
    assert (len(tried), ranks) == (45, [1, 8, 16])
    assert sse_path(y, table) == pytest.approx([452_996, 333_233, 286_750], abs=0.5)
    best = interval_table(x, y)
    assert best.groupby("round")[["low", "high"]].first().to_numpy().tolist() == [
        [18, 28],  # days 5 to 8
        [7, 27],  # days 3 to 7
        [18, 18],  # day 5
    ]
    assert sse_path(y, best) == pytest.approx([452_996, 225_489, 123_927], abs=0.5)
    stump = DecisionTreeRegressor(max_depth=1)
    r = table.loc[table["round"] == 3, "residual"]
    left = r - stump.fit(x[:, None], r).predict(x[:, None])
    assert np.sum(left**2) == pytest.approx(245_205, abs=0.5)
    assert np.sum(left**2) < sse_path(y, table)[-1]


def test_the_residual_is_the_negative_gradient():
    y, F, h = np.array([3.0, -1.0, 2.0, 0.5]), np.array([1.0, 1.0, 1.5, 2.5]), 1e-6
    for loss, printed in [(SquaredError(), y - F), (AbsoluteError(), np.sign(y - F))]:
        slope = (loss.each(y, F + h) - loss.each(y, F - h)) / (2 * h)
        assert slope == pytest.approx(-printed)
        assert loss.negative_gradient(y, F) == pytest.approx(printed)
    x, target = of_days()
    score = np.full(10, target.mean())
    tree = DecisionTreeRegressor(max_depth=1).fit(x[:, None], -(target - score))
    up = score + tree.predict(x[:, None])  # minus the printed "L'": a step up the loss
    assert [np.sum((target - F) ** 2) for F in (score, up)] == pytest.approx(
        [3_639_889, 7_280_137], rel=1e-4
    )


def test_the_search_is_along_what_is_added():
    """Absolute error, ten days: the best length along the gradient is not that of the stump."""
    x, y = of_days()
    loss, F = AbsoluteError(), np.full(10, np.median(y))
    r = loss.negative_gradient(y, F)
    h = DecisionTreeRegressor(max_depth=1).fit(x[:, None], r).predict(x[:, None])
    along = [loss.line_step(y, F, direction, None) for direction in (h, r)]
    assert along == pytest.approx([368.67, 457.5], abs=0.01)
    missed = [loss.value(y, F + rho * h) for rho in (*along, 0)]
    assert missed == pytest.approx([435.17, 440.24, 541.5], abs=0.01)


def test_each_leaf_has_its_own_step():
    x, y = of_days()
    missed = []
    for step in ("line", "leaf"):
        model = GradientBoostingRegressor(
            loss="absolute_error", n_estimators=1, learning_rate=1.0, max_depth=1, step=step
        )
        missed.append(np.mean(np.abs(y - model.fit(x[:, None], y).predict(x[:, None]))))
    assert missed == pytest.approx([435.2, 381.9], abs=0.05)


def test_the_log_loss_sums_over_the_classes():
    F = np.array([[2.0, 0.0, -1.0], [0.0, 0.5, 0.0], [1.0, 1.0, 3.0], [0.0, 0.0, 0.0]])
    y = np.array([0.0, 2.0, 2.0, 1.0])  # four cases, three classes
    is_class = y[:, None] == np.arange(3)
    by_class = -(is_class * log_softmax(F, axis=1)).sum(axis=1)
    assert MultinomialLogLoss(3).each(y, F) == pytest.approx(by_class)
    assert is_class.shape == (4, 3)
    assert is_class.sum(axis=1).tolist() == [1, 1, 1, 1]


def test_a_subsample_is_drawn_without_replacement():
    X = np.random.default_rng(0).normal(size=(200, 2))
    settings = {"n_estimators": 20, "subsample": 0.5, "random_state": 0}
    ours = GradientBoostingRegressor(**settings).fit(X, X[:, 0])
    theirs = TheirBoosting(**settings).fit(X, X[:, 0])
    assert {tree.n_node_samples[0] for (tree,) in ours.trees_} == {100}  # different rows
    assert {tree.tree_.n_node_samples[0] for (tree,) in theirs.estimators_} == {100}
    assert 200 * (1 - (1 - 1 / 200) ** 100) == pytest.approx(78.8, abs=0.05)  # a bootstrap
