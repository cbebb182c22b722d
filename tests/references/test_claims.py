"""Claims of the sources that a calculation confirms; the ledger of replications names the tests."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier as TheirClassifier

from treelab.fast.information import mutual_information
from treelab.fast.selection import CFSSelector, FCBFSelector


def test_cfs_and_fcbf_miss_what_two_features_tell_together():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    y = X[:, 0] ^ X[:, 1]
    for selector in (CFSSelector("exhaustive", discretize=None), FCBFSelector(discretize=None)):
        assert not selector.fit(X, y).get_support().any()
    assert mutual_information(2 * X[:, 0] + X[:, 1], y) == pytest.approx(1)


def test_the_least_out_of_bag_error_is_too_low():
    """Classes by the toss of a coin; the features are ranked once, on the same rows."""
    every, least = [], []
    for s in range(3):
        rng = np.random.default_rng(s)
        X, y = rng.normal(size=(60, 100)), rng.integers(2, size=60)
        order, errors = np.arange(100), []
        for size in (100, 20, 10, 5):
            forest = TheirClassifier(20, oob_score=True, random_state=s).fit(X[:, order[:size]], y)
            errors.append(1 - forest.oob_score_)
            if size == 100:
                order = np.argsort(-forest.feature_importances_)
        every.append(errors[0])
        least.append(min(errors))
    assert np.mean(every) == pytest.approx(0.5, abs=0.05)
    assert np.mean(least) < 0.4
