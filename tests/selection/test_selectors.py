"""What all selectors do: names, frames, pipelines, text and gaps."""

import pickle

import numpy as np
import pandas as pd
import pytest
from cases import each
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.svm import LinearSVC

from treelab import RandomForestClassifier, RandomForestRegressor
from treelab.fast.selection import (
    SVMRFE,
    Boruta,
    CFSSelector,
    FCBFSelector,
    FilterSelector,
    ForestRFE,
    GenuerSelector,
    LocalClusterRegressor,
    LocalImportanceSelector,
    RegularizedBoostSelector,
    RegularizedForestSelector,
    StochasticRFE,
    clustered_importance,
    null_selections,
)
from treelab.figures.choosing import procedure_error

GOLF = pd.DataFrame({
    "outlook": ["sunny", "sunny", None, "rain", "rain", "rain", "overcast", "sunny"] * 2,
    "windy": [False, True, False, False, False, True, True, False] * 2,
    "humidity": [85, 90, 78, 96, 80, 70, 65, np.nan] * 2,
    "day": pd.Categorical(list("abcdabcd") * 2),
})  # fmt: skip
PLAY = np.array(["no", "no", "yes", "yes", "yes", "no", "yes", "no"] * 2)
OF_GOLF = [
    FilterSelector(missing="share"),
    FilterSelector("gain_ratio", missing="level", number=2),
    CFSSelector(missing="share"),
    CFSSelector(missing="pairs", locally_predictive=True),
    FCBFSelector(missing="level"),
]


@pytest.mark.parametrize("selector", OF_GOLF, ids=str)
def test_frames_of_text_numbers_and_gaps(selector):
    fitted = clone(selector).fit(GOLF, PLAY)
    names = fitted.get_feature_names_out()
    assert "outlook" in names
    assert fitted.n_features_ == len(names) == fitted.support_.sum()
    np.testing.assert_array_equal(names, GOLF.columns[fitted.get_support()])
    rows = fitted.transform(GOLF)
    assert rows.shape == (16, len(names))
    frame = clone(selector).set_output(transform="pandas").fit(GOLF, PLAY).transform(GOLF)
    pd.testing.assert_frame_equal(frame, GOLF[names])
    with pytest.raises(ValueError, match="feature names"):
        fitted.transform(GOLF[GOLF.columns[::-1]])


def test_what_is_seen_in_fit_is_not_changed():
    before = GOLF.copy()
    for selector in OF_GOLF:
        clone(selector).fit(GOLF, PLAY)
    pd.testing.assert_frame_equal(GOLF, before)


def test_where_nothing_is_kept_the_table_is_empty():
    selector = FCBFSelector(0.99).fit(GOLF.dropna(), PLAY[GOLF.notna().all(axis=1)])
    with pytest.warns(UserWarning, match="No features were selected"):
        assert selector.transform(GOLF.dropna()).shape[1] == 0
    assert selector.steps_table()["removed"].all()


# --- selectors that draw ---------------------------------------------------------------------

X, CLASSES = make_classification(60, 6, n_informative=3, n_redundant=0, random_state=1)
NUMBERS = X[:, 0] * 2 + X[:, 1] + np.sin(X[:, 2])
SORTER, FOREST = RandomForestClassifier(4, max_depth=3), RandomForestRegressor(4, max_depth=3)
MEANS = GenuerSelector(FOREST, importance="mdi", n_forests=2, refine=False)
DRAWING = [  # what draws, and what its bar counts
    (Boruta(SORTER, importance="oob", max_runs=3), "runs"),
    (ForestRFE(SORTER), "sets"),
    (ForestRFE(SORTER, importance="mdi", rank="anew"), "sets"),
    (StochasticRFE(SORTER, block=4, step=0.5), "sets"),
    (SVMRFE(LinearSVC(), multiclass="each"), "rounds"),
    (GenuerSelector(SORTER, n_forests=2), "forests"),
    (RegularizedForestSelector(n_estimators=8), "trees"),
    (RegularizedBoostSelector(n_estimators=8), "rounds"),
    (LocalImportanceSelector(MEANS, min_samples_bin=5), "bins"),
    (LocalClusterRegressor(FOREST, classifier=SORTER, n_bins=2, max_clusters=3), "clusters"),
]


def said(selector, **settings):
    """All that a selector with these settings finds out, as text."""
    y = NUMBERS if "Local" in type(selector).__name__ else CLASSES
    model = clone(selector).set_params(**settings).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    if hasattr(model, "predict"):
        np.testing.assert_array_equal(copy.predict(X), model.predict(X))
        return model.predict(X).tolist()
    pd.testing.assert_frame_equal(copy.steps_table(), model.steps_table())
    rounds = model.rounds_table().to_csv() if hasattr(model, "rounds_table") else ""
    return model.steps_table().to_csv() + rounds


@pytest.mark.filterwarnings("ignore")
@each(("selector", "unit"), DRAWING)
def test_a_seed_says_all_and_a_bar_is_shown_where_it_is_asked_for(selector, unit, capsys):
    """Any number of workers; without a seed that of the estimator counts."""
    expected, has = said(selector, random_state=0), selector.get_params()
    assert said(selector, random_state=np.random.RandomState(0)) == expected
    assert said(selector, random_state=1) != expected or isinstance(selector, SVMRFE)
    if "n_jobs" in has:
        assert said(selector, random_state=0, n_jobs=2) == expected
    for part in {"estimator__random_state", "selector__random_state"} & set(has):
        assert said(selector, **{part: 0}) == expected
    assert capsys.readouterr().err == ""
    assert said(selector, random_state=0, verbose=1) == expected
    assert unit in capsys.readouterr().err


BEST = FilterSelector("f", number=1)


@each(
    ("call", "unit"),
    [
        (lambda verbose: procedure_error(
            ForestRFE(SORTER), X[:, :3], CLASSES, n_resamples=2, verbose=verbose), "samples"),
        (lambda verbose: null_selections(
            BEST, X, NUMBERS, n_permutations=2, verbose=verbose), "fits"),
        (lambda verbose: clustered_importance(
            FOREST, X, NUMBERS, n_bins=1, max_clusters=2, verbose=verbose), "clusters"),
    ],
)  # fmt: skip
def test_functions_show_a_bar_where_it_is_asked_for(call, unit, capsys):
    call(0)
    assert capsys.readouterr().err == ""
    call(1)
    assert unit in capsys.readouterr().err
