"""LAFI by the dissertation's table, its null by its words, and both at the edges."""

import warnings

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused
from sklearn.base import BaseEstimator
from sklearn.feature_selection import (
    RFE,
    SelectFromModel,
    SelectKBest,
    SelectorMixin,
    VarianceThreshold,
    f_regression,
)
from sklearn.linear_model import LinearRegression

from treelab import RandomForestRegressor
from treelab.datasets import make_masked_sine
from treelab.fast.selection import (
    FilterSelector,
    GenuerSelector,
    LocalImportanceSelector,
    local_importance_table,
    null_selections,
)
from treelab.fast.selection.model_based import HIGHEST_SEED, seeded
from treelab.figures import draw_local_importance

X, Y = make_masked_sine(240, n_noise=3, random_state=0)
SIZE = np.abs(X)  # of which the target is a steep function
FOREST = RandomForestRegressor(6, max_depth=3)
GENUER = GenuerSelector(FOREST, importance="mdi", n_forests=2)
BEST = SelectKBest(f_regression, k=1)
TABLE_4_1 = {
    "X1": [1, 2, 4, 8, 16, 31], "X2": [0, 1, 3, 6, 11, 20], "N8": [0, 0, 2, 1, 0, 8],
    "N5": [0, 0, 0, 1, 4, 14], "N1": [0, 0, 1, 1, 3, 8], "N7": [0, 0, 1, 1, 2, 8],
    "N4": [0, 0, 1, 1, 3, 6],
}  # fmt: skip


def fit(selector=BEST, rows=SIZE, y=Y, **parameters):
    return LocalImportanceSelector(selector, **{"random_state": 0} | parameters).fit(rows, y)


class Lottery(SelectorMixin, BaseEstimator):
    """Chooses by its seed alone, and notes the rows."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.n_features_in_ = X.shape[1]
        rng = np.random.RandomState(self.random_state)
        self.mask_ = rng.random_sample(X.shape[1]) < 0.5
        return self

    def _get_support_mask(self):
        return self.mask_


def test_table_4_1_of_the_dissertation():
    chosen = [
        np.arange(2**level)[:, None] < [counts[level] for counts in TABLE_4_1.values()]
        for level in range(6)
    ]
    table = local_importance_table(chosen, names=list(TABLE_4_1)).set_index("feature")
    assert table.loc["N8", "importance"] == pytest.approx((1 / 2 + 1 / 8 + 1 / 4) / 6)
    assert table.index.tolist() == ["X1", "X2", "N8", "N5", "N1", "N7", "N4"]
    assert table["kept"].tolist() == [True, True] + [False] * 5
    for name, counts in TABLE_4_1.items():
        shares = [count / 2**level for level, count in enumerate(counts)]
        assert table.loc[name].tolist()[1:7] == shares


def test_the_importance_must_be_above_the_threshold():
    chosen = [[[True, False]], [[False, False], [False, False]]]
    for threshold, kept in ((0.5, False), (0.499, True)):
        assert local_importance_table(chosen, threshold=threshold)["kept"].tolist() == [kept, False]
    thirds = [[[True]], [[False]], [[False]]]  # 1/3, added in whichever order
    assert not local_importance_table(thirds, threshold=1 / 3)["kept"].any()
    assert fit(threshold=0).n_features_ == 1
    assert fit(threshold=1).n_features_ == 0


def test_the_tables():
    lafi = fit(GENUER, pd.DataFrame(X, columns=list("abcde")))
    steps, bins, rounds = lafi.steps_table(), lafi.bins_table(), lafi.rounds_table()
    assert steps["feature"].tolist() == bins.index.tolist()
    assert steps["rank"].tolist() == [1, 2, 3, 4, 5]
    assert bins.columns.tolist() == list(zip(rounds["level"], rounds["bin"], strict=True))
    assert bins.sum().tolist() == rounds["n_features"].tolist()
    for level in (1, 2, 3):
        assert bins[level].mean(axis=1).tolist() == steps[f"level_{level}"].tolist()
    assert rounds["n_rows"].tolist() == [240, 120, 120, 60, 60, 60, 60]
    assert rounds["low"].tolist()[:2] == [Y.min()] * 2
    assert rounds["high"].tolist()[2::4] == [Y.max()] * 2
    assert rounds["searched"].all()


def test_small_bins_and_bins_of_one_target_choose_nothing():
    lafi = fit(n_levels=4, min_samples_bin=60)
    assert lafi.rounds_table()["searched"].tolist() == [True] * 7 + [False] * 8
    assert lafi.shares_[3].tolist() == [0] * 5
    assert lafi.importances_[0] == 0.75
    assert not fit(n_levels=2, min_samples_bin=121).rounds_table()["searched"][1:].any()
    y = np.where(np.arange(240) < 120, 0.0, Y + 100)
    lafi = fit(y=y, n_levels=2)
    assert lafi.rounds_table()["searched"].tolist() == [True, False, True]
    assert lafi.shares_[1].max() == 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        constant = fit(y=np.zeros(240))
    assert constant.n_features_ == 0
    assert constant.ranking_.tolist() == [1, 2, 3, 4, 5]


def test_equal_targets_may_stay_together():
    y = np.repeat([3.0, 5, 6, 9], [20, 120, 60, 40])
    lafi = fit(y=y, ties="together")
    assert [[len(rows) for rows in level] for level in lafi.bins_] == [
        [240], [140, 100], [20, 120, 60, 40],
    ]  # fmt: skip
    assert lafi.rounds_table()["searched"].tolist() == [True] * 3 + [False] * 4
    apart = fit(y=y)
    assert [len(rows) for rows in apart.bins_[2]] == [60] * 4


@pytest.mark.parametrize(
    "selector",
    [
        FilterSelector("f", number=2),
        SelectFromModel(LinearRegression()),
        RFE(LinearRegression(), n_features_to_select=2),
        VarianceThreshold(),
        GenuerSelector(FOREST, importance="mdi", n_forests=2, refine=False),
        LocalImportanceSelector(BEST, n_levels=2),
    ],
    ids=lambda selector: type(selector).__name__,
)
def test_any_selector(selector):
    lafi = fit(selector, n_levels=2)
    mask = seeded(selector, int(np.random.RandomState(0).randint(HIGHEST_SEED))).fit(SIZE, Y)
    assert lafi.chosen_[0][0].tolist() == mask.get_support().tolist()


def test_the_default_is_the_selector_of_the_source_with_an_eighth_of_its_trees():
    lafi = LocalImportanceSelector()
    genuer = lafi._model()
    assert isinstance(genuer, GenuerSelector)
    assert (genuer.n_forests, genuer.estimator.n_estimators, genuer.estimator.max_depth) == (
        10, 25, 10,
    )  # fmt: skip
    assert (lafi.n_levels, lafi.threshold, lafi.min_samples_bin) == (3, 0.2, 20)
    settings = {"n_levels": 1, "random_state": 0}
    assert LocalImportanceSelector(**settings).fit(X[:20, :1], Y[:20]).n_features_ == 1


def test_the_seed_of_a_bin_is_its_own():
    settings = {"n_levels": 5, "random_state": 0}
    every, fewer = (fit(Lottery(), min_samples_bin=least, **settings) for least in (1, 20))
    kept = fewer.rounds_table()["searched"].to_numpy()
    assert 3 < kept.sum() < len(kept)
    np.testing.assert_array_equal(
        np.concatenate(fewer.chosen_)[kept], np.concatenate(every.chosen_)[kept]
    )


def test_the_picture():
    lafi = fit(GENUER, X, n_levels=2)
    ax = draw_local_importance(lafi)
    bins = lafi.bins_table()
    assert [label.get_text() for label in ax.get_yticklabels()] == bins.index.tolist()
    filled = [box.get_facecolor()[3] > 0 for box in ax.patches]
    assert len(filled) == 15
    expected = [*bins[1].to_numpy().ravel(), *bins[2].to_numpy().ravel()]
    assert filled == expected
    lefts = [box.get_x() for box in ax.patches]
    assert lefts[:5] == [0] * 5
    assert lefts[5:7] == pytest.approx([1, 1.47])
    said = [float(text.get_text()) for text in ax.texts]
    assert said == lafi.steps_table()["importance"].round(2).tolist()
    (line,) = draw_local_importance(fit()).lines
    assert line.get_ydata()[0] == 0.5  # one feature is kept
    assert len(draw_local_importance(lafi, most=2).texts) == 2
    assert not draw_local_importance(fit(threshold=1)).lines


# --- what is kept by luck --------------------------------------------------------------------


def test_the_null_by_its_words():
    lafi = LocalImportanceSelector(Lottery(), n_levels=2)
    null = null_selections(lafi, X, Y, n_permutations=9, random_state=3)
    rng, fits = np.random.RandomState(3), []
    seed = rng.randint(HIGHEST_SEED)
    true = seeded(lafi, seed).fit(X, Y)
    for _ in range(9):
        y = rng.permutation(Y)
        fits.append(seeded(lafi, rng.randint(HIGHEST_SEED)).fit(X, y))
    importances = np.array([each.importances_ for each in fits])
    np.testing.assert_array_equal(null.importances, importances)
    np.testing.assert_array_equal(null.support, [each.support_ for each in fits])
    assert null.n_selected.tolist() == [each.n_features_ for each in fits]
    table = null.table
    assert table["feature"].tolist() == [f"x{j}" for j in range(5)]
    assert table["kept"].tolist() == true.support_.tolist()
    assert table["importance"].tolist() == true.importances_.tolist()
    np.testing.assert_allclose(table["null_kept"], null.support.mean(axis=0))
    np.testing.assert_allclose(table["null_importance"], importances.mean(axis=0))
    for j in range(5):
        as_large = sum(row[j] >= true.importances_[j] for row in importances)
        anywhere = sum(max(row) >= true.importances_[j] for row in importances)
        assert table["p"][j] == (1 + as_large) / 10
        assert table["p_max"][j] == (1 + anywhere) / 10


def test_workers_and_selectors_without_importances():
    one, two = (
        null_selections(BEST, X, Y, n_permutations=4, random_state=0, n_jobs=n) for n in (1, 2)
    )
    pd.testing.assert_frame_equal(one.table, two.table)
    np.testing.assert_array_equal(one.importances, one.support.astype(float))
    assert one.n_selected.tolist() == [1] * 4
    assert null_selections(BEST, X, Y, n_permutations=1).support.shape == (1, 5)


GAPS = np.where(X > 4.9, np.nan, X)


@each("case", refused("local"), ids=str)
def test_bad_input(case):
    with np.errstate(all="ignore"):
        assert_refused(case, globals())
