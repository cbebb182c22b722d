"""Gradient boosting, round by round: what numbers and classes share.

The model is a start plus a sum of small trees. A round asks the loss in which direction
the score of each case should move (`treelab.boosting.losses`), grows a regression tree on these
directions, asks the loss by how much the scores of each leaf should move, and moves them
by a share of that, the learning rate.

Vocabulary
----------
n, K : rows in training; trees of a round, 1 or the number of classes
F : scores, (n,), or (n, K) for more than two classes; r : pseudo-residuals, same shape
in bag : the rows that a round's trees are grown on; the others are out of bag
held out : rows that are kept from training, to tell when to stop
"""

import numbers
from dataclasses import replace

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state, check_scalar
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from treelab.boosting.losses import Loss
from treelab.boosting.rounds import Bag, Cases, by_class, grower, one_round
from treelab.cart import DecisionTreeRegressor
from treelab.growing.frontier import Columns
from treelab.growing.histograms import Bins
from treelab.growing.reader import TreeReader
from treelab.progress import progress
from treelab.tree.arrays import pick

__all__ = ["BaseBoosting"]


def check_share(value, name, most, ends):
    """Raise unless `value` is a finite number from 0 to `most`, with the `ends` named."""
    check_scalar(value, name, numbers.Real, min_val=0, max_val=most, include_boundaries=ends)
    if not np.isfinite(value):
        raise ValueError(f"{name} must be finite, got {value!r}.")


class BaseBoosting(TreeReader):
    """What the two estimators share."""

    criterion = "squared_error"  # of the trees, whatever the loss
    ccp_alpha = 0.0
    _criteria = ("squared_error",)

    def fit(self, X, y, sample_weight=None):
        """Fit the rounds one after the other.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Numbers, and levels in the columns of `categorical_features`; nothing missing.
        y : array-like of shape (n_rows,)
            Class labels, or numbers for the regressor.
        sample_weight : array-like of shape (n_rows,), default=None
            Not negative; rows of weight 0 are left out. None: 1 each.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the data or a parameter are out of range, or `warm_start` is asked for fewer
            rounds than there are.
        """
        self._check_parameters()
        X, y, weight = self._read_training(X, y, sample_weight)
        limits = replace(self._limits(X.shape[1]), max_leaf_nodes=self.max_leaf_nodes)
        self.max_features_ = limits.max_features
        self._loss = self._find_loss()
        train, held_out = self._set_aside(X, y.astype(float), weight)
        again = self.warm_start and hasattr(self, "trees_")
        if again and self.n_estimators < len(self.trees_):
            raise ValueError(
                f"n_estimators must be at least the {len(self.trees_)} rounds there are, got "
                f"{self.n_estimators}, with warm_start=True."
            )
        if not again:
            self._start(train, sample_weight is not None)
        self._boost(train, held_out, limits)
        return self

    def _check_parameters(self):
        """Raise where a parameter is out of its range."""
        whole = numbers.Integral
        check_scalar(self.n_estimators, "n_estimators", whole, min_val=1)
        check_scalar(self.max_bins, "max_bins", whole, min_val=2, max_val=255)
        if self.max_leaf_nodes is not None:
            check_scalar(self.max_leaf_nodes, "max_leaf_nodes", whole, min_val=2)
        if self.n_iter_no_change is not None:
            check_scalar(self.n_iter_no_change, "n_iter_no_change", whole, min_val=1)
        check_share(self.learning_rate, "learning_rate", None, "left")
        check_share(self.tol, "tol", None, "left")
        check_share(self.subsample, "subsample", 1, "right")
        check_share(self.validation_fraction, "validation_fraction", 1, "neither")
        for name, known in (("split_search", ("exact", "histogram")), ("step", ("leaf", "line"))):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {known}, got {getattr(self, name)!r}.")
        if isinstance(self.init, str) and self.init != "zero":
            raise ValueError(f"init must be None, 'zero' or an estimator, got {self.init!r}.")

    def _named_loss(self, named):
        """The loss by its name, or the loss object itself."""
        if isinstance(self.loss, Loss):
            return self.loss
        if not isinstance(self.loss, str) or self.loss not in named:
            raise ValueError(
                f"loss must be one of {sorted(named)} or a boosting.losses.Loss, got {self.loss!r}."
            )
        return named[self.loss]

    def _set_aside(self, X, y, weight):
        """Cases for training, and those held out to tell when to stop (or None)."""
        train, held_out = np.arange(len(X)), None
        if self.n_iter_no_change is not None:
            train, held_out = train_test_split(
                train,
                test_size=self.validation_fraction,
                stratify=y if hasattr(self, "classes_") else None,
                random_state=self.random_state,
            )
        cases = []
        for rows in (train, held_out):
            if rows is not None:
                rows = rows[weight[rows] > 0]
            cases.append(None if rows is None else Cases(X[rows], y[rows], weight[rows]))
        if hasattr(self, "classes_") and held_out is not None:
            if len(np.unique(cases[0].y)) < len(np.unique(y[weight > 0])):
                raise ValueError(
                    "y has a class with no case left to train on once validation_fraction is "
                    "set aside: choose another random_state or a smaller share."
                )
        if not len(cases[0].X) or (held_out is not None and not len(cases[1].X)):
            raise ValueError("sample_weight leaves no case on one side of validation_fraction.")
        return cases

    def _start(self, train, weighted):
        """Forget earlier rounds; fit the start."""
        self._rng = check_random_state(self.random_state)
        self.trees_, self.train_score_ = [], np.empty(0)
        for name in ("oob_improvement_", "oob_scores_", "oob_score_"):
            self.__dict__.pop(name, None)
        self.init_ = self.init
        if self.init is None:
            self.start_ = self._loss.start(train.y, train.w if weighted else None)
        elif not isinstance(self.init, str):
            if isinstance(self.init, type) or not hasattr(self.init, self._init_method):
                raise ValueError(
                    f"init must be None, 'zero' or an estimator with {self._init_method}, got "
                    f"{self.init!r}."
                )
            y = train.y.astype(int) if hasattr(self, "classes_") else train.y
            if weighted and not has_fit_parameter(self.init, "sample_weight"):
                raise ValueError(
                    f"sample_weight is given, but init={self.init!r} takes no weights."
                )
            self.init_ = clone(self.init)
            weights = {"sample_weight": train.w} if weighted else {}
            self.init_.fit(train.X, y, **weights)

    def _start_scores(self, X):
        """Scores before the first round; (n,) or (n, K)."""
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

    def _boost(self, train, held_out, limits):
        """Add rounds until there are enough, or the held-out cases gain nothing any more."""
        first = len(self.trees_)
        train.columns = self._columns(train.X)
        F = self._scores(train.X)
        F_held = None if held_out is None else self._scores(held_out.X)
        best = np.full(self.n_iter_no_change or 1, np.inf)
        scores = []  # of each new round: in bag, out of bag, out of bag before it
        with progress(self.n_estimators - first, "rounds", self.verbose) as bar:
            for i in range(first, self.n_estimators):
                loss = self._loss.settled(train.y, F, train.w)
                bag = Bag.draw(self._rng, len(train.y), self.subsample)
                before = bag.value_outside(loss, train, F) if i == 0 else None
                grow_tree = grower(train, bag, limits, self._rng)
                trees, leaves = one_round(loss, train, F, bag, grow_tree, self.step)
                self._move(F, trees, leaves)
                self.trees_.append(trees)
                value = loss.value(train.y[bag.inside], F[bag.inside], train.w[bag.inside])
                scores.append((value, bag.value_outside(loss, train, F), before))
                bar.update(1)
                if held_out is not None:
                    self._move(F_held, trees, [tree.apply(held_out.X) for tree in trees])
                    error = loss.value(held_out.y, F_held, held_out.w)
                    if not (error + self.tol < best).any():
                        break
                    best[i % len(best)] = error
        self._record(scores)

    def _record(self, scores):
        """Append the scores of new rounds; see `_boost`."""
        self.n_estimators_ = len(self.trees_)
        known = len(self.train_score_)
        if not scores:
            return
        inside, outside, before = zip(*scores, strict=True)
        self.train_score_ = np.append(self.train_score_, inside)
        if self.subsample < 1:
            unknown = np.full(known, np.nan)
            earlier = getattr(self, "oob_scores_", unknown)
            previous = [before[0] if known == 0 else earlier[-1], *outside[:-1]]
            gained = np.subtract(previous, outside)
            self.oob_scores_ = np.append(earlier, outside)
            earlier = getattr(self, "oob_improvement_", unknown)
            self.oob_improvement_ = np.append(earlier, gained)
            self.oob_score_ = float(outside[-1])

    def _columns(self, X):
        """Ranks of the columns, or bins; once for all rounds."""
        n_levels = [len(self.categories_.get(j, ())) for j in range(X.shape[1])]
        columns = Columns.of(X, n_levels)
        return columns if self.split_search == "exact" else Bins.of(columns, self.max_bins)

    def _move(self, F, trees, leaves):
        """Add the trees' steps, times the learning rate, to the scores, in place."""
        for k, (tree, leaf) in enumerate(zip(trees, leaves, strict=True)):
            by_class(F)[:, k] += pick(self.learning_rate * tree.value[:, 0, 0], leaf)

    def _scores(self, X):
        """Scores after all rounds; (n,) or (n, K)."""
        F = self._start_scores(X)
        for trees in self.trees_:
            self._move(F, trees, [tree.apply(X) for tree in trees])
        return F

    def _staged_scores(self, X):
        """Yield the scores after each round."""
        F = self._start_scores(X)
        for trees in self.trees_:
            self._move(F, trees, [tree.apply(X) for tree in trees])
            yield F.copy()

    def apply(self, X):
        """Leaf of each row in each tree; (n_rows, n_rounds), with K classes (.., K)."""
        X = self._read(X)
        leaves = [[tree.apply(X) for tree in trees] for trees in self.trees_]
        leaves = np.moveaxis(np.array(leaves), 2, 0)  # (n, rounds, K)
        return leaves if hasattr(self, "classes_") else leaves[:, :, 0]

    @property
    def estimators_(self):
        """The trees as fitted estimators; ndarray of DecisionTreeRegressor, (n_rounds, K)."""
        check_is_fitted(self)
        made = np.empty((len(self.trees_), len(self.trees_[0])), dtype=object)
        for i, trees in enumerate(self.trees_):
            for k, tree in enumerate(trees):
                made[i, k] = self._as_estimator(tree)
        return made

    def _as_estimator(self, tree):
        """One tree as a fitted DecisionTreeRegressor."""
        names = DecisionTreeRegressor().get_params()
        mine = {name: value for name, value in self.get_params().items() if name in names}
        model = DecisionTreeRegressor(**mine)
        for name in ("categories_", "n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(model, name, getattr(self, name))
        model.tree_, model.max_features_ = tree, self.max_features_
        return model

    @property
    def feature_importances_(self):
        """Mean decrease in impurity over all trees, as shares of 1; (n_features,)."""
        check_is_fitted(self)
        total = np.zeros(self.n_features_in_)
        for trees in self.trees_:
            for tree in trees:
                decrease = tree.decrease_by_feature(self.n_features_in_)
                total += decrease / tree.weighted_n_node_samples[0]
        return total / total.sum() if total.sum() > 0 else total
