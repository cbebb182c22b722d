"""Gradient boosting: a sum of small trees, each fitted to what the sum so far lacks.

For squared error a round fits a tree to the residuals. For any other loss it fits the
pseudo-residuals, the direction in which each score should move to lower the loss fastest,
and then sets the leaves to the best step (Friedman 2001). The rounds themselves are in
`treelab.boosting.base`, the losses in `treelab.boosting.losses`; here both are put behind
scikit-learn's interface.

Vocabulary
----------
F : score of a case: the predicted number, or log-odds; (n,), with K > 2 classes (n, K)
round : one tree, or one for each of K > 2 classes
"""

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin

from treelab.boosting.base import BaseBoosting, check_share
from treelab.boosting.losses import (
    AbsoluteError,
    Exponential,
    Huber,
    LogLoss,
    MultinomialLogLoss,
    Quantile,
    SquaredError,
)
from treelab.inputs import read_classes, read_numbers

__all__ = ["GradientBoostingClassifier", "GradientBoostingRegressor"]


class GradientBoostingRegressor(RegressorMixin, BaseBoosting):
    """Gradient boosting for numbers.

    Parameters
    ----------
    loss : str or Loss, default="squared_error"
        "squared_error", "absolute_error", "huber", "quantile", or a loss of your own
        (`treelab.boosting.losses.Loss`).
    learning_rate : float, default=0.1
        Share of each tree's step that is taken; at least 0.
    n_estimators : int, default=100
        Rounds.
    subsample : float, default=1.0
        Share of the rows in each round's bag, drawn without replacement.
    max_depth : int, default=3
        Longest way from the root to a leaf, in tests; None: no limit.
    max_leaf_nodes : int, default=None
        Most leaves of a tree, grown best first; None: no limit.
    min_samples_split, min_samples_leaf, min_impurity_decrease, max_features
        As in `DecisionTreeRegressor`.
    init : None, "zero" or estimator, default=None
        Where the scores start: the loss's best constant, 0, or an estimator that is fitted
        first. It sees X as numbers, with levels as their codes.
    alpha : float, default=0.9
        The quantile of "quantile", and of "huber" the share of the residuals that are
        squared.
    validation_fraction : float, default=0.1
        Share of the rows held out to stop early; only with `n_iter_no_change`.
    n_iter_no_change : int, default=None
        Stop when the last so many rounds did not lower the loss of the held-out rows by
        more than `tol`; None: never.
    tol : float, default=1e-4
    random_state : int, RandomState instance or None, default=None
        Seed of the bags, of the held-out rows and of the draws of features.
    warm_start : bool, default=False
        Keep the rounds there are and add the missing ones.
    verbose : int, default=0
        Above 0: show a progress bar.
    split_search : {"exact", "histogram"}, default="exact"
        Try every cut, or only those between bins of each feature (`treelab.growing.histograms`).
    max_bins : int, default=255
        Most bins of a feature.
    categorical_features : None, "from_dtype" or array-like, default="from_dtype"
        As in `DecisionTreeRegressor`.
    step : {"leaf", "line"}, default="leaf"
        Each leaf takes the step that is best for its own cases, or the whole tree one
        step found by line search.

    Attributes
    ----------
    trees_ : list of list of treelab.tree.Tree
        The trees of each round. A leaf's value is its step, before the learning rate.
    init_ : None, "zero" or fitted estimator
    start_ : float
        The constant start; only with ``init=None``.
    train_score_ : ndarray of shape (n_rounds,)
        Mean loss of the cases in bag after each round, in scikit-learn's scale.
    oob_scores_, oob_improvement_ : ndarray of shape (n_rounds,)
        With ``subsample < 1``: mean loss of the cases out of bag after each round, and how
        much lower it is than the number before it.
    oob_score_ : float
        The last of `oob_scores_`.
    n_estimators_ : int
        Rounds; fewer than `n_estimators` after an early stop.
    estimators_ : ndarray of DecisionTreeRegressor, shape (n_rounds, 1)
    feature_importances_ : ndarray of shape (n_features,)
    n_features_in_, max_features_ : int

    Notes
    -----
    The same `random_state` draws the same bags as scikit-learn's. As there, without
    `sample_weight` the starts of "absolute_error", "huber" and "quantile" are interpolated
    quantiles; with weights, and in the leaves, they are the lower ones.

    References
    ----------
    Friedman (2001), Greedy function approximation: a gradient boosting machine.
    Friedman (2002), Stochastic gradient boosting.

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from treelab import GradientBoostingRegressor
    >>> X, y = make_friedman1(200, random_state=0)
    >>> model = GradientBoostingRegressor(n_estimators=50, random_state=0).fit(X, y)
    >>> round(model.score(X, y), 2)
    0.98
    """

    _init_method = "predict"

    def __init__(
        self,
        *,
        loss="squared_error",
        learning_rate=0.1,
        n_estimators=100,
        subsample=1.0,
        max_depth=3,
        max_leaf_nodes=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_impurity_decrease=0.0,
        max_features=None,
        init=None,
        alpha=0.9,
        validation_fraction=0.1,
        n_iter_no_change=None,
        tol=1e-4,
        random_state=None,
        warm_start=False,
        verbose=0,
        split_search="exact",
        max_bins=255,
        categorical_features="from_dtype",
        step="leaf",
    ):
        self.loss = loss
        self.learning_rate = learning_rate
        self.n_estimators = n_estimators
        self.subsample = subsample
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.init = init
        self.alpha = alpha
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.split_search = split_search
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.step = step

    def _read_target(self, y):
        return read_numbers(y)

    def _find_loss(self):
        check_share(self.alpha, "alpha", 1, "neither")
        return self._named_loss(
            {
                "squared_error": SquaredError(),
                "absolute_error": AbsoluteError(),
                "huber": Huber(self.alpha),
                "quantile": Quantile(self.alpha),
            }
        )

    def predict(self, X):
        """Predicted number of each row; (n_rows,)."""
        return self._scores(self._read(X))

    def staged_predict(self, X):
        """Yield the predictions after each round; (n_rows,) each."""
        yield from self._staged_scores(self._read(X))


class GradientBoostingClassifier(ClassifierMixin, BaseBoosting):
    """Gradient boosting for classes.

    Parameters
    ----------
    loss : str or Loss, default="log_loss"
        "log_loss", for two classes also "exponential", or a loss of your own
        (`treelab.boosting.losses.Loss`) with `link` and `probability`.
    learning_rate, n_estimators, subsample, max_depth, max_leaf_nodes
        As in `GradientBoostingRegressor`.
    min_samples_split, min_samples_leaf, min_impurity_decrease, max_features
        As in `DecisionTreeRegressor`.
    init : None, "zero" or estimator, default=None
        Where the scores start: at the shares of the classes, at 0, or at the probabilities
        of an estimator that is fitted first.
    validation_fraction, n_iter_no_change, tol, random_state, warm_start, verbose
        As in `GradientBoostingRegressor`. The held-out rows keep the shares of the classes.
    split_search, max_bins, categorical_features, step
        As in `GradientBoostingRegressor`.

    Attributes
    ----------
    trees_ : list of list of treelab.tree.Tree
        One tree in each round, or with K > 2 classes one for each class.
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    init_, start_, train_score_, oob_scores_, oob_improvement_, oob_score_
        As in `GradientBoostingRegressor`.
    n_estimators_, estimators_, feature_importances_, n_features_in_, max_features_
        As in `GradientBoostingRegressor`.

    References
    ----------
    Friedman (2001), Greedy function approximation: a gradient boosting machine.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import GradientBoostingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GradientBoostingClassifier(n_estimators=20).fit(X, y)
    >>> model.predict(X[:2]).tolist(), len(model.trees_[0])
    ([0, 0], 3)
    """

    _init_method = "predict_proba"

    def __init__(
        self,
        *,
        loss="log_loss",
        learning_rate=0.1,
        n_estimators=100,
        subsample=1.0,
        max_depth=3,
        max_leaf_nodes=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_impurity_decrease=0.0,
        max_features=None,
        init=None,
        validation_fraction=0.1,
        n_iter_no_change=None,
        tol=1e-4,
        random_state=None,
        warm_start=False,
        verbose=0,
        split_search="exact",
        max_bins=255,
        categorical_features="from_dtype",
        step="leaf",
    ):
        self.loss = loss
        self.learning_rate = learning_rate
        self.n_estimators = n_estimators
        self.subsample = subsample
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.max_features = max_features
        self.init = init
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.split_search = split_search
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.step = step

    def _read_target(self, y):
        self.classes_, codes = read_classes(y)
        self.n_classes_ = len(self.classes_)
        return codes

    def _find_loss(self):
        K = self.n_classes_
        if self.loss == "exponential" and K > 2:
            raise ValueError(
                f"loss='exponential' is for two classes, y has {K}. Use loss='log_loss'."
            )
        log_loss = LogLoss() if K <= 2 else MultinomialLogLoss(K)
        return self._named_loss({"log_loss": log_loss, "exponential": Exponential()})

    def decision_function(self, X):
        """Scores of each row: log-odds of the second class (n_rows,), or (n_rows, n_classes)."""
        return self._scores(self._read(X))

    def staged_decision_function(self, X):
        """Yield the scores after each round."""
        yield from self._staged_scores(self._read(X))

    def _shares(self, F):
        """Class probabilities from scores; (n_rows, n_classes)."""
        if self.n_classes_ == 1:
            return np.ones((len(F), 1))
        p = self._loss.probability(F)
        return np.column_stack([1 - p, p]) if p.ndim == 1 else p

    def _vote(self, F):
        """The class of the highest score; of equal ones the second of two, the first of more."""
        if self.n_classes_ == 1:
            return self.classes_[np.zeros(len(F), dtype=int)]
        return self.classes_[(F >= 0).astype(int) if F.ndim == 1 else F.argmax(axis=1)]

    def predict(self, X):
        """Class of each row; (n_rows,)."""
        return self._vote(self.decision_function(X))

    def predict_proba(self, X):
        """Class probabilities of each row; (n_rows, n_classes), in the order of `classes_`."""
        return self._shares(self.decision_function(X))

    def predict_log_proba(self, X):
        """Natural logarithm of `predict_proba`; -inf where a probability is zero."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def staged_predict(self, X):
        """Yield the predicted classes after each round; (n_rows,) each."""
        for F in self.staged_decision_function(X):
            yield self._vote(F)

    def staged_predict_proba(self, X):
        """Yield the class probabilities after each round; (n_rows, n_classes) each."""
        for F in self.staged_decision_function(X):
            yield self._shares(F)
