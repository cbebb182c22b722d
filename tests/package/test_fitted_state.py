"""Reading a fitted estimator changes nothing in it, and names of columns are watched."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from cases import each

import treelab

pytestmark = pytest.mark.filterwarnings("ignore:.*no out-of-bag prediction")
FEW = {"n_estimators": 3}
OPTIONS = {  # besides the default, what goes another way through fit or predict
    "BaggingClassifier": [FEW, FEW | {"voting": "hard", "oob_score": True}],
    "BaggingRegressor": [FEW, FEW | {"oob_score": True}],
    "RandomForestClassifier": [FEW, FEW | {"oob_score": True}],
    "RandomForestRegressor": [FEW, FEW | {"oob_score": True}],
    "AdaBoostClassifier": [FEW, FEW | {"resample": True}],
    "AdaBoostRegressor": [FEW],
    "GradientBoostingClassifier": [FEW, FEW | {"subsample": 0.5, "split_search": "histogram"}],
    "GradientBoostingRegressor": [FEW, FEW | {"n_iter_no_change": 1, "loss": "huber"}],
    "ID3Classifier": [{"handle_unknown": "missing"}],
    "VarianceTreeRegressor": [{"handle_unknown": "missing"}],
}
ESTIMATORS = {
    f"{name}-{k}": (getattr(treelab, name), options)
    for name in treelab.__all__
    for k, options in enumerate(OPTIONS.get(name, [{}]))
}
every_estimator = each(("estimator", "options"), ESTIMATORS.values(), ids=ESTIMATORS)
READERS = ["predict", "predict_proba", "predict_log_proba", "decision_function", "apply", "score",
           "decision_path", "staged_predict", "staged_predict_proba", "staged_decision_function",
           "staged_score", "to_frame", "export_text"]  # fmt: skip


def rows(n=40):
    """Two columns of few values, so that every estimator can take them, and a target."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 4, (n, 2)).astype(float), columns=["wind", "rain"])
    return X, (X["wind"] + X["rain"] + rng.integers(0, 2, n) > 3).astype(int)


def fitted(estimator, options):
    X, y = rows()
    if "random_state" in estimator().get_params():
        options = options | {"random_state": 0}
    return estimator(**options).fit(X, y), X, y


def read(model, method, X, y):
    """Call a method of a fitted model as one would, and go through what it yields."""
    arguments = {"to_frame": (), "export_text": ()}.get(method, (X,))
    result = getattr(model, method)(*arguments, *([y] if "score" in method else []))
    return list(result) if method.startswith("staged") else result


@every_estimator
@each("kind", ["frame", "array"])
def test_reading_leaves_the_model_as_it_was(estimator, options, kind):
    model, X, y = fitted(estimator, options)
    methods = [name for name in READERS if hasattr(model, name)]
    assert {"predict", "score"} <= set(methods)
    names, numbers = set(vars(model)), (model.n_features_in_, [*model.feature_names_in_])
    for method in methods:  # once, for what a tree works out when it is first asked
        read(model, method, X, y)
    assert set(vars(model)) == names
    assert (model.n_features_in_, [*model.feature_names_in_]) == numbers
    before = pickle.dumps(vars(model))
    for method in methods:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # an array has no names
            read(model, method, X if kind == "frame" else X.to_numpy(), y)
        assert pickle.dumps(vars(model)) == before, method


@every_estimator
def test_names_are_watched_also_after_a_prediction_from_an_array(estimator, options):
    model, X, y = fitted(estimator, options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        expected = model.predict(X.to_numpy())
    assert model.feature_names_in_.tolist() == ["wind", "rain"]
    assert model.n_features_in_ == 2
    np.testing.assert_array_equal(model.predict(X), expected)
    for method in READERS:
        if not hasattr(model, method) or method in ("to_frame", "export_text"):
            continue
        for wrong in (X.rename(columns={"rain": "snow"}), X[["rain", "wind"]]):
            with pytest.raises(ValueError, match="feature names"):
                read(model, method, wrong, y)
        with pytest.raises(ValueError, match="expecting 2 features|feature names|2 features"):
            read(model, method, np.zeros((40, 3)), y)


@every_estimator
def test_a_second_fit_forgets_the_first(estimator, options):
    """The names of the first table too; warm starts are tested with their estimators."""
    model, X, y = fitted(estimator, options)
    model.fit(X.to_numpy()[:, :1], y)
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 1
    fresh = type(model)(**model.get_params()).fit(X.to_numpy()[:, :1], y)
    x = X.to_numpy()[:, :1]
    np.testing.assert_array_equal(model.predict(x), fresh.predict(x))
    assert set(vars(model)) == set(vars(fresh))
