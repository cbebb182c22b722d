"""Gradient boosting: a sum of small trees, each fitted to the pseudo-residuals of the sum so far.

In each round the loss gives the direction in which the score of each row should move
(`treelab.fast.boosting.losses`; for squared error, the residual). A regression tree is grown on
these directions, the loss gives the step by which the scores of each leaf should move
(`treelab.fast.boosting.rounds`), and they move by a fraction of it, the learning rate (Friedman
2001).

Vocabulary
----------
score : the sum, a predicted number or log-odds; F, as in `rounds`
round : one tree, or one for each of K > 2 classes
held out : rows that are kept from training, to decide when to stop
"""

import numbers
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, has_fit_parameter
from tqdm import tqdm

from treelab.fast.boosting import losses
from treelab.fast.boosting.rounds import Bag, Cases, by_class, grower, one_round
from treelab.fast.cart import (
    AT_LEAST_1,
    DEPTH,
    DecisionTreeRegressor,
    Members,
    TreeParameters,
    as_estimators,
)
from treelab.fast.growing.histograms import Bins
from treelab.fast.growing.training_data import Columns
from treelab.fast.inputs import ClassTarget, Number, NumberTarget, OneOf, parameter
from treelab.fast.tree import pick

__all__ = ["GradientBoostingClassifier", "GradientBoostingRegressor"]


@dataclass(kw_only=True, eq=False, repr=False)
class BaseBoosting(Members, TreeParameters):
    """Base class of the two estimators: parameters, the rounds, and the sums of their steps."""

    loss: str | losses.Loss
    learning_rate: float = parameter(0.1, Number(numbers.Real, 0))
    n_estimators: int = parameter(100, AT_LEAST_1)
    subsample: float = parameter(1.0, Number(numbers.Real, 0, 1, "right"))
    max_depth: int | None = parameter(3, DEPTH)
    max_leaf_nodes: int | None = parameter(None, Number(numbers.Integral, 2, optional=True))
    init: object = None
    validation_fraction: float = parameter(0.1, Number(numbers.Real, 0, 1, "neither"))
    n_iter_no_change: int | None = parameter(None, Number(numbers.Integral, 1, optional=True))
    tol: float = parameter(1e-4, Number(numbers.Real, 0))
    warm_start: bool = False
    verbose: int = 0
    split_search: str = parameter("exact", OneOf("exact", "histogram"))
    max_bins: int = parameter(255, Number(numbers.Integral, 2, 255))
    step: str = parameter("leaf", OneOf("leaf", "line"))

    criterion = "squared_error"  # of the trees, whatever the loss

    def fit(self, X, y, sample_weight=None):
        """Fit the rounds one after the other; arguments as in `DecisionTreeClassifier.fit`."""
        self._check_init()
        X, y, weight = self.table.fit(X, y, sample_weight)
        self._loss = self._find_loss()
        train, held_out = self._set_aside(X, y.astype(float), weight)
        limits = self.limits(*train.X.shape)
        limits = replace(limits, max_leaf_nodes=self.max_leaf_nodes)
        self.max_features_ = limits.max_features
        if not (self.warm_start and hasattr(self, "trees_")):
            self._start(train, sample_weight is not None)
        elif self.n_estimators < len(self.trees_):
            raise ValueError(
                f"n_estimators must be at least the {len(self.trees_)} rounds there are, got "
                f"{self.n_estimators}, with warm_start=True."
            )
        self._boost(train, held_out, limits)
        return self

    def _check_init(self):
        """Raise unless the scores can start from `init`."""
        init, zero = self.init, isinstance(self.init, str) and self.init == "zero"
        able = hasattr(init, self._init_method) and not isinstance(init, type)
        if not (init is None or zero or able):
            raise ValueError(
                f"init must be None, 'zero' or an estimator with {self._init_method}, got {init!r}."
            )

    def _find_loss(self):
        """Return the loss with this name, or the loss object itself."""
        if isinstance(self.loss, losses.Loss):
            return self.loss
        named = self._losses()
        if not isinstance(self.loss, str) or self.loss not in named:
            raise ValueError(
                f"loss must be one of {sorted(named)} or a boosting.losses.Loss, got {self.loss!r}."
            )
        return named[self.loss]

    def _set_aside(self, X, y, weight):
        """Split into rows for training and held-out rows that decide when to stop, or None."""
        sides, has_classes = [np.arange(len(X))], hasattr(self, "classes_")
        if self.n_iter_no_change is not None:
            sides = train_test_split(
                *sides,
                test_size=self.validation_fraction,
                stratify=y if has_classes else None,
                random_state=self.random_state,
            )
        sides = [rows[weight[rows] > 0] for rows in sides]
        if has_classes and len(np.unique(y[sides[0]])) < len(np.unique(y[weight > 0])):
            raise ValueError(
                "y has a class with no row left to train on once validation_fraction is "
                "held out: choose another random_state or a smaller fraction."
            )
        if not all(map(len, sides)):
            raise ValueError("sample_weight leaves no case on one side of validation_fraction.")
        train, *held_out = (Cases(X[rows], y[rows], weight[rows]) for rows in sides)
        return train, held_out[0] if held_out else None

    def _start(self, train, weighted):
        """Discard earlier rounds, and fit the start."""
        self._rng = check_random_state(self.random_state)
        self.trees_ = []
        for name in ("start_", "oob_improvement_", "oob_scores_", "oob_score_"):
            self.__dict__.pop(name, None)
        self.init_ = self.init
        if self.init is None:
            self.start_ = self._loss.start(train.y, train.w if weighted else None)
        elif not isinstance(self.init, str):
            if weighted and not has_fit_parameter(self.init, "sample_weight"):
                raise ValueError(
                    f"sample_weight is given, but init={self.init!r} takes no weights."
                )
            y = train.y.astype(int) if hasattr(self, "classes_") else train.y
            weights = {"sample_weight": train.w} if weighted else {}
            self.init_ = clone(self.init).fit(train.X, y, **weights)

    def _boost(self, train, held_out, limits):
        """Add rounds until there are enough, or the loss on held-out rows decreases no more."""
        train.columns = Columns.of(train.X, self.table.n_categories)  # once for all rounds
        if self.split_search == "histogram":
            train.columns = Bins.of(train.columns, self.max_bins)
        F, F_held = self._scores(train.X), None if held_out is None else self._scores(held_out.X)
        best = np.full(self.n_iter_no_change or 1, np.inf)
        rounds = range(len(self.trees_), self.n_estimators)
        for i in tqdm(rounds, unit="rounds", disable=not self.verbose):
            loss = self._loss.settled(train.y, F, train.w)
            bag = Bag.draw(self._rng, len(train.y), self.subsample)
            if i == 0:
                self._mean_losses = [bag.losses(loss, train, F)]
            grow_tree = grower(train, bag, limits, self._rng)
            trees, leaves = one_round(loss, train, F, bag, grow_tree, self.step)
            self._move(F, trees, leaves)
            self.trees_.append(trees)
            self._mean_losses.append(bag.losses(loss, train, F))
            if held_out is not None:
                self._move(F_held, trees, [tree.apply(held_out.X) for tree in trees])
                error = loss.value(held_out.y, F_held, held_out.w)
                if not (error + self.tol < best).any():
                    break
                best[i % len(best)] = error
        self.n_estimators_ = len(self.trees_)
        inside, outside = np.transpose(self._mean_losses)  # at the start and after each round
        self.train_score_ = inside[1:]
        if self.subsample < 1:
            self.oob_scores_, self.oob_improvement_ = outside[1:], outside[:-1] - outside[1:]
            self.oob_score_ = float(outside[-1])

    def _move(self, F, trees, leaves):
        """Add the trees' steps, times the learning rate, to the scores, in place."""
        for k, (tree, leaf) in enumerate(zip(trees, leaves, strict=True)):
            by_class(F)[:, k] += pick(self.learning_rate * tree.value[:, 0, 0], leaf)

    def start_scores(self, X):
        """Return the scores before the first round; (n,) or (n, K)."""
        K = self._loss.n_scores
        F = np.zeros((len(X), K) if K > 1 else len(X))
        if self.init_ is None:
            F += self.start_
        elif not isinstance(self.init_, str):
            prediction = np.asarray(getattr(self.init_, self._init_method)(X), dtype=float)
            if self._init_method == "predict_proba" and K == 1:
                prediction = prediction[:, -1]
            F += self._loss.link(prediction.reshape(F.shape))
        return F

    def _scores(self, X):
        """Return the scores after all rounds; (n,) or (n, K)."""
        F = self.start_scores(X)
        for trees in self.trees_:
            self._move(F, trees, [tree.apply(X) for tree in trees])
        return F

    def _staged_scores(self, X):
        """Yield the scores after each round."""
        X = self.table.read(X)
        F = self.start_scores(X)
        for trees in self.trees_:
            self._move(F, trees, [tree.apply(X) for tree in trees])
            yield F.copy()

    def apply(self, X):
        """Return the leaf of each row in each tree; (n_rows, n_rounds), with K classes (.., K)."""
        X = self.table.read(X)
        leaves = [[tree.apply(X) for tree in trees] for trees in self.trees_]
        leaves = np.moveaxis(np.array(leaves), 2, 0)  # (n, rounds, K)
        return leaves if hasattr(self, "classes_") else leaves[:, :, 0]

    @property
    def estimators_(self):
        """The trees as fitted estimators; ndarray of DecisionTreeRegressor, (n_rounds, K)."""
        check_is_fitted(self)
        kind = DecisionTreeRegressor
        return np.array([as_estimators(trees, self, kind) for trees in self.trees_])

    @property
    def feature_importances_(self):
        """Mean decrease in impurity over all trees, normalized to sum 1; (n_features,)."""
        check_is_fitted(self)
        trees, p = chain(*self.trees_), self.n_features_in_
        total = sum(tree.decrease_by_feature(p) / tree.weighted_n_node_samples[0] for tree in trees)
        return total / total.sum() if total.sum() > 0 else total


@dataclass(kw_only=True, eq=False, repr=False)
class GradientBoostingRegressor(NumberTarget, BaseBoosting):
    """Gradient boosting for regression.

    Parameters
    ----------
    loss : str or Loss, default="squared_error"
        "squared_error", "absolute_error", "huber", "quantile", or your own (`losses.Loss`).
    learning_rate : float, default=0.1
        Fraction of each tree's step that is taken; at least 0.
    n_estimators : int, default=100
        Number of rounds.
    subsample : float, default=1.0
        Fraction of the rows in the bag of each round, drawn without replacement.
    max_depth : int, default=3
        As in `DecisionTreeClassifier`.
    max_leaf_nodes : int, default=None
        Maximum number of leaves of a tree, which is then grown best first; None: no limit.
    min_samples_split, min_samples_leaf, min_impurity_decrease, max_features, categorical_features
        As in `DecisionTreeClassifier`.
    init : None, "zero" or estimator, default=None
        Start of the scores: the best constant for the loss, 0, or the predictions (in
        classification, the probabilities) of an estimator that is fitted first, on category codes.
    alpha : float, default=0.9
        The quantile of "quantile"; the fraction of residuals that "huber" squares.
    validation_fraction : float, default=0.1
        Fraction of the rows (of each class) held out to stop early; only with `n_iter_no_change`.
    n_iter_no_change : int, default=None
        Stop when so many rounds in a row did not lower the loss on the held-out rows by more
        than `tol`; None: never.
    tol : float, default=1e-4
    random_state : int, RandomState instance or None, default=None
        Seed of the bags, of the held-out rows and of the draws of features.
    warm_start : bool, default=False
        Keep the rounds of the fit before and add the missing ones.
    verbose
        As in `AdaBoostClassifier`.
    split_search : {"exact", "histogram"}, default="exact"
        Try every split, or only those between bins of a feature
        (`treelab.fast.growing.histograms`).
    max_bins : int, default=255
        Maximum number of bins of a feature.
    step : {"leaf", "line"}, default="leaf"
        Each leaf takes the step that is best for its own rows, or the whole tree takes one step
        found by line search.

    Attributes
    ----------
    trees_ : list of list of treelab.fast.tree.Tree
        The trees of each round. A leaf's value is its step, before the learning rate.
    init_, start_
        The fitted start, and its number if ``init=None``.
    train_score_ : ndarray of shape (n_rounds,)
        Mean loss of the rows in the bag after each round, in scikit-learn's scale.
    oob_scores_, oob_improvement_ : ndarray of shape (n_rounds,)
        With ``subsample < 1``: mean loss of the rows out of bag after each round, and its decrease
        in the round; `oob_score_` is the last loss.
    n_estimators_ : int
        Number of rounds; fewer than `n_estimators` after an early stop.
    estimators_ : ndarray of DecisionTreeRegressor, shape (n_rounds, 1)
    n_features_in_, max_features_, feature_importances_
        As in `DecisionTreeClassifier`.

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

    loss: str | losses.Loss = "squared_error"
    alpha: float = parameter(0.9, Number(numbers.Real, 0, 1, "neither"))
    _init_method = "predict"

    def _losses(self):
        return {
            "squared_error": losses.SquaredError(),
            "absolute_error": losses.AbsoluteError(),
            "huber": losses.Huber(self.alpha),
            "quantile": losses.Quantile(self.alpha),
        }

    def predict(self, X):
        """Predict the target of each row; (n_rows,)."""
        return self._scores(self.table.read(X))

    def staged_predict(self, X):
        """Yield the predictions after each round; (n_rows,) each."""
        return self._staged_scores(X)


@dataclass(kw_only=True, eq=False, repr=False)
class GradientBoostingClassifier(ClassTarget, BaseBoosting):
    """Gradient boosting for classification.

    Parameters
    ----------
    loss : str or Loss, default="log_loss"
        "log_loss", or with two classes "exponential", or your own, with `link` and `probability`.
    learning_rate, n_estimators, subsample, max_depth, max_leaf_nodes, min_samples_split
        As in `GradientBoostingRegressor`.
    min_samples_leaf, min_impurity_decrease, max_features, init, validation_fraction
        As in `GradientBoostingRegressor`.
    n_iter_no_change, tol, random_state, warm_start, verbose, split_search, max_bins
        As in `GradientBoostingRegressor`.
    categorical_features, step
        As in `GradientBoostingRegressor`.

    Attributes
    ----------
    trees_ : list of list of treelab.fast.tree.Tree
        One tree in each round, or with K > 2 classes one for each class.
    classes_, n_classes_
        As in `DecisionTreeClassifier`; all others as in `GradientBoostingRegressor`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import GradientBoostingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GradientBoostingClassifier(n_estimators=20).fit(X, y)
    >>> model.predict(X[:2]).tolist(), len(model.trees_[0])
    ([0, 0], 3)
    """

    loss: str | losses.Loss = "log_loss"
    _init_method = "predict_proba"

    def _losses(self):
        K = self.n_classes_
        if self.loss == "exponential" and K > 2:
            raise ValueError(
                f"loss='exponential' is for two classes, y has {K}. Use loss='log_loss'."
            )
        log_loss = losses.LogLoss() if K <= 2 else losses.MultinomialLogLoss(K)
        return {"log_loss": log_loss, "exponential": losses.Exponential()}

    def _shares(self, F):
        """Turn scores into class probabilities; (n_rows, n_classes)."""
        if self.n_classes_ == 1:
            return np.ones((len(F), 1))
        p = self._loss.probability(F)
        return np.column_stack([1 - p, p]) if p.ndim == 1 else p

    def _vote(self, F):
        """Return the class of the highest score; ties go to the second of two, else the first."""
        code = (F >= 0).astype(int) if F.ndim == 1 else F.argmax(axis=1)
        return self.classes_[np.minimum(code, self.n_classes_ - 1)]

    def decision_function(self, X):
        """Return the scores: log-odds of the second class (n_rows,), or (n_rows, n_classes)."""
        return self._scores(self.table.read(X))

    def predict(self, X):
        """Predict the class of each row; (n_rows,)."""
        return self._vote(self.decision_function(X))

    def predict_proba(self, X):
        """Return class probabilities; (n_rows, n_classes), in the order of `classes_`."""
        return self._shares(self.decision_function(X))

    def staged_decision_function(self, X):
        """Yield the scores after each round."""
        return self._staged_scores(X)

    def staged_predict(self, X):
        """Yield the predicted classes after each round; (n_rows,) each."""
        return map(self._vote, self._staged_scores(X))

    def staged_predict_proba(self, X):
        """Yield the class probabilities after each round; (n_rows, n_classes) each."""
        return map(self._shares, self._staged_scores(X))
