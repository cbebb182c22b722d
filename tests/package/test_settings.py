"""Switches, workers, seeds: what every estimator refuses, and that the error names the setting.

All estimators and all their parameters are gone through; a new one is tested as soon as it exists.
"""

import numpy as np
import pandas as pd
import pytest
from cases import each
from sklearn.base import clone, is_classifier

import treelab
from treelab.fast import selection
from treelab.fast.inputs import check_settings
from treelab.fast.inputs.parameters import RULES

X = pd.DataFrame({"a": [1.0, 2, 3, 4] * 3, "b": [4.0, 3, 2] * 4})
CLASSES, NUMBERS = np.array([0, 0, 1, 1] * 3), np.arange(12.0)
ESTIMATORS = [name for name in treelab.__all__ if hasattr(getattr(treelab, name), "fit")]
SETTINGS = [
    (name, setting, default)
    for name in ESTIMATORS
    for setting, default in getattr(treelab, name)().get_params(deep=False).items()
]


SELECTORS = [getattr(selection, name) for name in selection.__all__]
KINDS = [getattr(treelab, name) for name in ESTIMATORS]
KINDS += [kind for kind in SELECTORS if hasattr(kind, "fit")]


class Odd:
    """Neither number nor text."""

    def __repr__(self):
        return "Odd()"


def fit(name, **parameters):
    estimator = getattr(treelab, name)(**parameters)
    return estimator.fit(X, CLASSES if is_classifier(estimator) else NUMBERS)


def few(name):
    """Parameters that keep an ensemble small."""
    has = getattr(treelab, name)().get_params(deep=False)
    return {"n_estimators": 2} if "n_estimators" in has else {}


def of_kind(wanted):
    """Estimators and settings that `wanted` picks by name and default."""
    chosen = [(name, setting) for name, setting, default in SETTINGS if wanted(setting, default)]
    return each(("name", "setting"), chosen)


@each("kind", KINDS)
def test_an_estimator_equals_itself_alone(kind):
    """As in scikit-learn: it can be the key of a dict, whatever its parameters hold."""
    model = kind()
    assert len({model, clone(model)}) == 2


@of_kind(lambda setting, default: isinstance(default, bool))
def test_a_switch_is_true_or_false(name, setting):
    for wrong in ("yes", "False", 2, 1, 0, 0.0, None, [True], np.array([True, False]), Odd()):
        with pytest.raises(ValueError, match=f"^{setting} must be True or False, got ") as caught:
            fit(name, **few(name), **{setting: wrong})
        assert repr(wrong) in str(caught.value)


@pytest.mark.filterwarnings("ignore:.*cases are in every bootstrap sample")
@of_kind(lambda setting, default: isinstance(default, bool))
def test_numpy_has_switches_too(name, setting):
    for right in (True, False, np.True_, np.False_):
        both = {"bootstrap": True} | {setting: right}
        has = getattr(treelab, name)().get_params(deep=False)
        settings = {k: v for k, v in both.items() if k in has}
        assert fit(name, **few(name), **settings).predict(X).shape == (12,)


# What the error says that a setting must be; what it may not be; what it may be.
RULED = {
    "random_state": (
        "None, a whole number from 0",
        ("a", 1.5, -1, 2**32, True, [1], np.random.default_rng(0), Odd()),
        (None, 0, 2**32 - 1, np.int64(3), np.random.RandomState(0), np.random),
    ),
    "n_jobs": (
        "None or a whole number other than 0",
        ("all", "2", 0, 1.5, True, [1], Odd()),
        (None, 1, np.int64(1)),
    ),
    "verbose": (
        "True, False or a whole number",
        ("yes", None, -1, 0.5, np.nan, [1], Odd()),
        (0, 1, 2, True, False),
    ),
}


@of_kind(lambda setting, default: setting in RULED)
def test_seeds_workers_and_how_much_is_told(name, setting):
    must_be, wrongs, rights = RULED[setting]
    for wrong in wrongs:
        with pytest.raises(ValueError, match=f"^{setting} must be {must_be}"):
            fit(name, **few(name), **{setting: wrong})
    for right in rights:
        fit(name, **few(name), **{setting: right})


@of_kind(lambda setting, default: setting not in RULES)
def test_every_other_setting_is_named_by_its_error(name, setting):
    for wrong in (Odd(), "no such thing", [[]], {}):
        if setting in ("categorical_features", "class_weight") and wrong == {}:
            continue  # an empty collection names no column and no class
        with pytest.raises((ValueError, TypeError), match=setting):
            fit(name, **few(name) | {setting: wrong})


def test_all_rules_are_met_by_some_estimator():
    has = set().union(*(getattr(treelab, name)().get_params(deep=False) for name in ESTIMATORS))
    assert set(RULES) <= has


@each("name", ESTIMATORS)
def test_defaults_and_clones_are_right(name):
    check_settings(clone(getattr(treelab, name)()))


def test_nothing_is_lost_by_a_setting_that_is_refused():
    forest = treelab.RandomForestClassifier(3, random_state=0).fit(X, CLASSES)
    said = forest.predict_proba(X)
    with pytest.raises(ValueError, match="bootstrap"):
        forest.set_params(bootstrap=2).fit(X.iloc[:, :1], 1 - CLASSES)
    np.testing.assert_array_equal(forest.predict_proba(X), said)
