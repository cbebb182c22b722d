"""Elimination: sizes, rules, ranks, workers, and scikit-learn's own checks."""

import pytest
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.utils.estimator_checks import parametrize_with_checks

from treelab import DecisionTreeClassifier, RandomForestClassifier
from treelab.selection import SVMRFE, ForestRFE, StochasticRFE

FEW = RandomForestClassifier(4, max_depth=3)
SELECTORS = [
    ForestRFE(FEW, random_state=0),
    ForestRFE(TheirForest(4), "alpha_sd", importance="mdi", random_state=0),
    ForestRFE(DecisionTreeClassifier(), importance="mdi", rank="anew", error="validation"),
    StochasticRFE(FEW, block=2, step=0.5, random_state=0),
    SVMRFE(),
    SVMRFE(multiclass="each", step=0.3, scale=None),
]


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(SELECTORS)
def test_estimator_checks(estimator, check, monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # without it one check is skipped
    check(estimator)
