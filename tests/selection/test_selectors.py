"""What all selectors do: names, frames, pipelines, text and gaps."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from treelab import C45Classifier
from treelab.fast.selection import CFSSelector, FCBFSelector, FilterSelector

SELECTORS = [
    FilterSelector("f", number=1),
    FilterSelector("mutual_information", discretize="quantile", percentage=50),
    CFSSelector(),
]
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


@pytest.mark.parametrize("selector", OF_GOLF, ids=str)
def test_frames_go_through_a_pipeline(selector):
    pipe = make_pipeline(clone(selector), C45Classifier()).set_output(transform="pandas")
    assert pipe.fit(GOLF, PLAY).score(GOLF, PLAY) > 0.6
    copy = pickle.loads(pickle.dumps(pipe))
    np.testing.assert_array_equal(copy.predict(GOLF), pipe.predict(GOLF))
    pd.testing.assert_frame_equal(copy[0].steps_table(), pipe[0].steps_table())
    search = GridSearchCV(pipe, {f"{pipe.steps[0][0]}__missing": ["share", "level"]}, cv=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # folds in which no feature is kept
        search.fit(GOLF, PLAY)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_what_is_seen_in_fit_is_not_changed():
    X, y = load_iris(return_X_y=True)
    X.flags.writeable = False
    gaps = GOLF.copy()
    for selector in SELECTORS:
        clone(selector).fit(X, y)
    for selector in OF_GOLF:
        clone(selector).fit(GOLF, PLAY)
    pd.testing.assert_frame_equal(GOLF, gaps)


def test_where_nothing_is_kept_the_table_is_empty():
    selector = FCBFSelector(0.99).fit(GOLF.dropna(), PLAY[GOLF.notna().all(axis=1)])
    with pytest.warns(UserWarning, match="No features were selected"):
        assert selector.transform(GOLF.dropna()).shape[1] == 0
    assert selector.steps_table()["removed"].all()
