"""AdaBoost for regression: Drucker's AdaBoost.R2.

Each base estimator is fitted on rows drawn with the weights as probabilities. Rows that are
predicted well lose weight, so that later samples hold more of the others, and the predictions are
combined by a weighted median.

Vocabulary
----------
miss : (n,) distance between prediction and target
loss : (n,) loss of the miss as a fraction of the largest one, between 0 and 1
L : weighted mean loss of a member; vote : estimator weight, ln((1 - L) / L) times the learning rate
"""

from dataclasses import dataclass

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from treelab.fast.boosting.adaboost import BaseAdaBoost, reweight
from treelab.fast.boosting.losses import lower_quantile
from treelab.fast.boosting.weak_learner import predictions
from treelab.fast.cart import DecisionTreeRegressor
from treelab.fast.inputs import OneOf, parameter, read_numbers

__all__ = ["LOSSES", "AdaBoostRegressor", "weighted_median"]

LOSSES = {
    "linear": lambda miss: miss,
    "square": np.square,
    "exponential": lambda miss: 1 - np.exp(-miss),
}


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostRegressor(RegressorMixin, BaseAdaBoost):
    """AdaBoost for regression (AdaBoost.R2): the weighted median over base estimators.

    Parameters
    ----------
    estimator : regressor, default=None
        The base estimator; None: `DecisionTreeRegressor` with ``max_depth=3``.
    n_estimators, learning_rate, verbose
        As in `AdaBoostClassifier`.
    loss : {"linear", "square", "exponential"}, default="linear"
        Loss of a row from d, its distance as a fraction of the largest: d, d**2 or 1 - exp(-d).
    random_state : int, RandomState instance or None, default=None
        Seed of the draws, and of the base estimators that have one. The same number gives the
        samples of scikit-learn's AdaBoostRegressor.

    Attributes
    ----------
    estimator_weights_, estimator_errors_ : ndarray, one number for each round
        Estimator weights, and L, the weighted mean losses on the training data.
    estimators_, estimator_, n_features_in_, feature_names_in_, feature_importances_
        As in `AdaBoostClassifier`.

    Notes
    -----
    The weight of a row with loss l is multiplied by (L / (1 - L)) to the power 1 - l (times the
    learning rate): the better it is predicted, the less it counts. A base estimator without loss
    gets the weight 1 and ends the rounds, as in scikit-learn; one with L of 1/2 or more ends them
    and is not kept, unless it is the first.

    References
    ----------
    Drucker (1997), Improving regressors using boosting techniques.

    Examples
    --------
    >>> from treelab import AdaBoostRegressor
    >>> from treelab.datasets import load_bike_demand
    >>> X, y = load_bike_demand(return_X_y=True)
    >>> ada = AdaBoostRegressor(n_estimators=5, random_state=0).fit(X, y)
    >>> ada.predict(X[:3]).round(1).tolist()
    [602.0, 750.0, 913.0]
    """

    loss: str = parameter("linear", OneOf(*LOSSES))
    resample = True  # always, and no parameter

    def _default(self):
        return DecisionTreeRegressor(max_depth=3)

    def read_target(self, y, weight):
        """Read the target as numbers; (n_rows,)."""
        return read_numbers(y)

    def _round(self, learner, y, weight, generator):
        """Fit one round: member, vote, mean loss, and the weights of the next, None at the end."""
        member = learner.start(generator)
        drawn = generator.choice(len(y), size=len(y), p=weight / weight.sum())
        learner.fit(member, drawn=drawn)
        miss = np.abs(learner.predict(member) - y)
        largest = miss[weight > 0].max()
        loss = LOSSES[self.loss](miss / largest if largest > 0 else miss)
        L = (weight * loss).sum() / weight.sum()
        if L >= 0.5 and self.estimators_:
            return None, None, None, None
        if L == 0 or L >= 0.5:
            return member, 1.0, L, None
        vote = self.learning_rate * np.log((1 - L) / L)
        return member, vote, L, reweight(weight, 1 - loss, vote)

    def _values(self, X):
        """Return the predictions of all members; (n_rows, B)."""
        check_is_fitted(self)
        return np.column_stack(list(predictions(self.estimators_, self._read(X))))

    def predict(self, X):
        """Predict the weighted median over the base estimators; (n_rows,)."""
        return weighted_median(self._values(X), self.estimator_weights_)

    def staged_predict(self, X):
        """Yield the predictions of the first 1, 2, ..., B base estimators; (n_rows,) each."""
        values = self._values(X)
        for m in range(1, len(self.estimators_) + 1):
            yield weighted_median(values[:, :m], self.estimator_weights_[:m])


def weighted_median(values, votes):
    """Return the smallest value at which half of the total vote is reached; (n_rows,).

    `values` is (n_rows, B), `votes` has the estimator weights, (B,).

    Examples
    --------
    >>> weighted_median(np.array([[3.0, 1.0, 2.0]]), np.array([3.0, 1.0, 1.0])).tolist()
    [3.0]
    """
    return lower_quantile(values, 0.5, votes)
