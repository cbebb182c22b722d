"""AdaBoost for numbers: Drucker's AdaBoost.R2.

Each member is fitted on rows drawn with the case weights as chances. Well predicted cases lose
weight, so that later samples hold more of the others, and the members' predictions are put
together by a weighted median.

Vocabulary
----------
M : members; weight : (n,) case weights before a round, with the sum 1
miss : (n,) distance between prediction and target
loss : (n,) from the miss as a share of the largest one, between 0 and 1
L : weighted mean loss of a member; vote : ln((1 - L) / L), times the learning rate
"""

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_is_fitted

from treelab.boosting.base_adaboost import BaseAdaBoost, normalized
from treelab.boosting.weak_learner import predictions
from treelab.cart import DecisionTreeRegressor
from treelab.inputs import read_numbers

__all__ = ["LOSSES", "AdaBoostRegressor", "weighted_median"]

LOSSES = {
    "linear": lambda miss: miss,
    "square": np.square,
    "exponential": lambda miss: 1 - np.exp(-miss),
}


class AdaBoostRegressor(RegressorMixin, BaseAdaBoost):
    """AdaBoost for numbers (AdaBoost.R2): the weighted median of members on drawn samples.

    Parameters
    ----------
    estimator : regressor, default=None
        The weak learner; None: `DecisionTreeRegressor` with ``max_depth=3``.
    n_estimators : int, default=50
        M, the most rounds.
    learning_rate : float, default=1.0
        Shrinks every vote, and with it the change of the weights.
    loss : {"linear", "square", "exponential"}, default="linear"
        Of a case, from its miss as a share d of the largest: d, d**2 or 1 - exp(-d).
    random_state : int, RandomState instance or None, default=None
        Seed of the draws, and of the members where they have one. The same number gives the
        samples of scikit-learn's AdaBoostRegressor.
    verbose : int, default=0
        Above 0: show a progress bar.

    Attributes
    ----------
    estimators_ : list of fitted regressors
    estimator_weights_ : ndarray of shape (len(estimators_),)
        Votes of the members, ln((1 - L) / L) times the learning rate.
    estimator_errors_ : ndarray of shape (len(estimators_),)
        L, their weighted mean losses on the training data.
    estimator_, n_features_in_, feature_names_in_, feature_importances_
        As in `AdaBoostClassifier`.

    Notes
    -----
    A case with loss l has its weight multiplied by (L / (1 - L)) to the power 1 - l (times the
    learning rate): the better it is predicted, the less it counts. A member without loss gets
    the vote 1 and ends the rounds, as in scikit-learn; one with L of 1/2 or more ends them and
    is not kept, unless it is the first.

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

    _estimator_kind = "regressor"
    _metric = staticmethod(r2_score)

    def __init__(
        self,
        estimator=None,
        n_estimators=50,
        learning_rate=1.0,
        *,
        loss="linear",
        random_state=None,
        verbose=0,
    ):
        super().__init__(estimator, n_estimators, learning_rate, random_state, verbose)
        self.loss = loss

    def _default(self):
        return DecisionTreeRegressor(max_depth=3)

    def _check_choices(self):
        if self.loss not in tuple(LOSSES):
            raise ValueError(f"loss must be one of {tuple(LOSSES)}, got {self.loss!r}.")

    def _needs_weights(self):
        return False

    def _read_target(self, y):
        return read_numbers(y)

    def _begin(self, y, weight):
        pass

    def _round(self, learner, y, weight, generator):
        """Member, vote, mean loss, and the weights of the next round, None at the end."""
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
        shrunk = weight * np.exp(-vote * (1 - loss))
        return member, vote, L, normalized(shrunk, counts=weight > 0)

    def staged_predict(self, X):
        """Predictions of the first 1, 2, ..., M members; yields ndarrays (n_rows,)."""
        check_is_fitted(self)
        values = self._values(self._read(X))
        for m in range(1, len(self.estimators_) + 1):
            yield weighted_median(values[:, :m], self.estimator_weights_[:m])

    def predict(self, X):
        """Weighted median of the members' predictions; (n_rows,)."""
        check_is_fitted(self)
        return weighted_median(self._values(self._read(X)), self.estimator_weights_)

    def _values(self, X):
        """Predictions of all members; (n_rows, M)."""
        return np.column_stack(list(predictions(self.estimators_, X)))


def weighted_median(values, votes):
    """The smallest value at which half of the votes are reached, in each row.

    Parameters
    ----------
    values : ndarray of shape (n_rows, M)
    votes : ndarray of shape (M,)

    Returns
    -------
    ndarray of shape (n_rows,)

    Examples
    --------
    >>> weighted_median(np.array([[3.0, 1.0, 2.0]]), np.array([3.0, 1.0, 1.0])).tolist()
    [3.0]
    """
    order = np.argsort(values, axis=1, kind="stable")
    reached = np.cumsum(votes[order], axis=1)
    place = (reached >= 0.5 * reached[:, -1:]).argmax(axis=1)
    row = np.arange(len(values))
    return values[row, order[row, place]]
