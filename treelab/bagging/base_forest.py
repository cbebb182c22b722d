"""What the two random forests share: growth in chunks, out-of-bag judgment, proximity.

Every tree gets a bootstrap sample, and every node tries a few features drawn anew. Trees
are grown many roots at a time (`treelab.growing`): the open nodes of one depth of a
whole chunk of trees are searched at once. Tree b draws from a random stream of its own, so
the forest does not depend on chunks, on workers, or on how many trees follow.

Vocabulary
----------
B : number of trees; b : number of a tree
sample : rows of a tree and how often each was drawn; the rest is out of bag
chunk : trees that grow together; proximity : share of trees that put two rows in one leaf
"""

import joblib
import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treelab.bagging.out_of_bag import (
    Fit,
    OutOfBag,
    check_one_training_set,
    check_size,
    draw_sample,
    error_path,
    fingerprint,
    forget_judgment,
    member_generator,
    members_so_far,
    number_of_draws,
    samples_of,
    unseen_by,
)
from treelab.growing import grow
from treelab.growing.reader import TreeReader
from treelab.progress import progress
from treelab.pruning import prune
from treelab.settings import check_settings

__all__ = ["BaseForest", "grow_forest"]

PLACES = 1 << 17  # rows of all trees of a chunk together
BLOCK = 1 << 14  # rows that are predicted together


def grow_forest(columns, targets, limits, seed, numbers, n_draws):
    """Grow the trees with the given numbers.

    Parameters
    ----------
    columns : treelab.growing.frontier.Columns
    targets : treelab.growing.frontier.Targets
    limits : treelab.growing.Limits
    seed : int
        Of the forest; with a tree's number it gives the tree's random stream.
    numbers : sequence of int
    n_draws : int or None
        Size of the bootstrap samples; None gives every tree all rows.

    Returns
    -------
    list of Tree
    """
    n = len(targets.y)
    generators = [member_generator(seed, b) for b in numbers]
    everything = (np.arange(n), None)
    roots = [everything if n_draws is None else draw_sample(g, n, n_draws) for g in generators]
    return grow(columns, targets, limits, roots, generators)


class BaseForest(TreeReader):
    """What the two forests share."""

    def __init__(
        self,
        n_estimators,
        criterion,
        max_depth,
        min_samples_split,
        min_samples_leaf,
        max_features,
        min_impurity_decrease,
        bootstrap,
        max_samples,
        oob_score,
        ccp_alpha,
        categorical_features,
        n_jobs,
        random_state,
        warm_start,
        verbose,
    ):
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.oob_score = oob_score
        self.ccp_alpha = ccp_alpha
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Grow the forest.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Numbers, and levels in the columns of `categorical_features`; nothing missing.
        y : array-like of shape (n_rows,)
            Class labels, or numbers for the regressor.
        sample_weight : array-like of shape (n_rows,), default=None
            Not negative; rows of weight 0 are never drawn. None: 1 each.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the data or a parameter are out of range, or `warm_start` is asked for fewer
            trees than there are, for other columns or classes, or for an out-of-bag score
            on other rows.

        Notes
        -----
        With `warm_start` every tree keeps the sample that it was grown on, whatever
        `max_samples`, `bootstrap` and the weights are now. New trees may be grown on other rows,
        as in scikit-learn; then no row is out of bag for all, and what needs such rows
        raises an error.
        """
        check_settings(self)
        check_size(self)
        first = members_so_far(self)
        X, y, weight = self._read_training(X, y, sample_weight, again=first > 0)
        limits = self._limits(X.shape[1])
        columns, targets = self._prepare(X, y, weight)
        n_draws = number_of_draws(self.max_samples, self.bootstrap, len(targets.y))
        fit = Fit(np.flatnonzero(weight > 0), n_draws, len(X), fingerprint(X, y))
        fits = [*(self._fits if first else ()), *[fit] * (self.n_estimators - first)]
        if self.oob_score:
            check_one_training_set([*fits, fit], "oob_score=True")
        if first == 0:
            self.seed_ = check_random_state(self.random_state).randint(2**31 - 1)
            self.trees_, self._fits = [], []
        self.trees_ = self.trees_ + self._grow(columns, targets, limits, n_draws, first)
        self.max_features_, self._fits = limits.max_features, fits
        forget_judgment(self)
        if self.oob_score:
            self._judge_out_of_bag(X, y)
        return self

    def _grow(self, columns, targets, limits, n_draws, first):
        """The trees from number `first` on, chunk by chunk, on `n_jobs` workers."""
        new = range(first, self.n_estimators)
        workers = joblib.effective_n_jobs(self.n_jobs)
        most = max(1, PLACES // len(targets.y))
        rounds = -(-len(new) // (most * workers))  # each worker grows one chunk a round
        chunks = np.array_split(new, min(rounds * workers, len(new))) if rounds else []
        work = joblib.delayed(grow_forest)
        grown = joblib.Parallel(n_jobs=self.n_jobs, return_as="generator")(
            work(columns, targets, limits, self.seed_, chunk, n_draws) for chunk in chunks
        )
        trees = []
        with progress(len(new), "trees", self.verbose) as bar:
            for chunk in grown:
                trees += [prune(t, self.ccp_alpha) if self.ccp_alpha > 0 else t for t in chunk]
                bar.update(len(chunk))
        return trees

    @property
    def estimators_samples_(self):
        """Rows of `X` in the bootstrap sample of each tree, repeats included; list of ndarray."""
        check_is_fitted(self)
        return samples_of(self)

    def _judge_out_of_bag(self, X, y):
        """Set the out-of-bag attributes from the cases that each tree has not drawn."""
        judge = OutOfBag(y, getattr(self, "n_classes_", 0))
        for tree, rows in zip(self.trees_, unseen_by(self, len(X)), strict=True):
            judge.add(rows, tree.predict(X[rows]))
        self.out_of_bag_ = judge
        self.oob_coverage_ = judge.coverage
        self._set_oob(judge.prediction(), y)

    def oob_error_path(self):
        """Out-of-bag error against the number of trees.

        Returns
        -------
        ndarray of shape (n_estimators,)
            Entry b - 1: share of wrong classes, or mean squared error, of the first b trees
            over the cases that at least one of them has not seen; NaN where there is none.

        Raises
        ------
        AttributeError
            If the forest was fitted without ``oob_score=True``.
        """
        check_is_fitted(self)
        return error_path(self)

    def apply(self, X):
        """Leaf of each row in each tree; (n_rows, n_estimators)."""
        X = self._read(X)
        return np.column_stack([tree.apply(X) for tree in self.trees_])

    def _mean(self, X):
        """Mean over the trees of the leaves' values; (n_rows, n_outputs)."""
        X = self._read(X)
        blocks = [X[i : i + BLOCK] for i in range(0, len(X), BLOCK)]
        work = joblib.delayed(mean_of_trees)
        parts = joblib.Parallel(n_jobs=self.n_jobs, prefer="threads")(
            work(self.trees_, block) for block in blocks
        )
        return np.concatenate(parts)

    def proximity(self, X, *, oob_only=False):
        """Share of trees that put two rows into the same leaf.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
        oob_only : bool, default=False
            Count only the trees for which both rows are out of bag; `X` must then be the
            training data. NaN where there is no such tree.

        Returns
        -------
        ndarray of shape (n_rows, n_rows)
            Symmetric. The diagonal is 1.

        References
        ----------
        Breiman and Cutler, Random forests manual (2004).
        """
        leaves = self.apply(X)
        n, B = leaves.shape
        if oob_only:
            check_one_training_set(self._fits, "oob_only=True")
            if n != self._fits[-1].n_rows:
                raise ValueError(
                    f"X must be the training data of {self._fits[-1].n_rows} rows for "
                    f"oob_only=True, got {n}."
                )
        counted = unseen_by(self, n) if oob_only else [np.arange(n)] * B
        together, count = np.zeros((n, n)), np.zeros((n, n))
        for leaf, rows in zip(leaves.T, counted, strict=True):
            together[np.ix_(rows, rows)] += leaf[rows][:, None] == leaf[rows]
            count[np.ix_(rows, rows)] += 1
        share = np.divide(together, count, out=np.full((n, n), np.nan), where=count > 0)
        np.fill_diagonal(share, 1.0)
        return share

    @property
    def estimators_(self):
        """The trees as fitted estimators; list of DecisionTreeClassifier or -Regressor."""
        check_is_fitted(self)
        copied = ("classes_", "n_classes_", "categories_", "n_features_in_", "feature_names_in_")
        made = []
        for tree in self.trees_:
            names = self._tree_class().get_params()
            model = self._tree_class(**{k: v for k, v in self.get_params().items() if k in names})
            for name in copied:
                if hasattr(self, name):
                    setattr(model, name, getattr(self, name))
            model.tree_, model.max_features_ = tree, self.max_features_
            made.append(model)
        return made

    @property
    def feature_importances_(self):
        """Mean decrease in impurity, normalized in each tree, averaged; (n_features,)."""
        mean = np.mean([m.feature_importances_ for m in self.estimators_], axis=0)
        return mean / mean.sum() if mean.sum() > 0 else mean


def mean_of_trees(trees, X):
    """Mean of the trees' predictions, added in their order; (n_rows, n_outputs)."""
    total = np.zeros((len(X), trees[0].value.shape[2]))
    for tree in trees:
        total += tree.predict(X)
    return total / len(trees)
