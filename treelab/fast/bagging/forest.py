"""Random forests: trees that differ, grown together and averaged.

Every tree gets a bootstrap sample, and every node tries a few features, drawn at random. The open
nodes of one depth of a whole chunk of trees are searched at once (`treelab.fast.growing`). Tree b
has a random generator of its own, so that the forest depends neither on the chunks nor on the
workers nor on how many trees follow.

Vocabulary
----------
b : number of a tree; chunk : trees that grow together
proximity : proportion of the trees in which two rows fall into the same leaf
"""

from dataclasses import KW_ONLY, dataclass
from itertools import islice

import joblib
import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted
from tqdm import tqdm

from treelab.fast.bagging.ensemble import ClassifierEnsemble, Ensemble, RegressorEnsemble
from treelab.fast.bagging.out_of_bag import (
    draw_sample,
    member_generator,
    n_training_rows,
    unseen_by,
)
from treelab.fast.cart import (
    AT_LEAST_1,
    FOR_CLASSES,
    FOR_NUMBERS,
    NOT_NEGATIVE,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    TreeParameters,
    as_estimators,
)
from treelab.fast.growing import grow
from treelab.fast.growing.training_data import Targets
from treelab.fast.inputs import OneOf, parameter
from treelab.fast.pruning import prune
from treelab.fast.tree import side_by_side

__all__ = ["RandomForestClassifier", "RandomForestRegressor"]

PLACES = 1 << 17  # rows of all trees of a chunk together
BLOCK = 1 << 14  # rows that are predicted together


def grow_forest(columns, targets, limits, seed, numbers, n_draws, balance):
    """Grow the trees with the given numbers, each on its sample of `n_draws` rows; list of Tree.

    With `balance`, and samples, all classes of a sample have the same weight.
    """
    n = len(targets.y)
    generators = [member_generator(seed, b) for b in numbers]
    everything = (np.arange(n), None)
    roots = [everything if n_draws is None else draw_sample(g, n, n_draws) for g in generators]
    if balance and n_draws is not None:
        trees = zip(roots, generators, strict=True)
        return [grow(columns, balanced(targets, *t[0]), limits, *zip(t))[0] for t in trees]
    return grow(columns, targets, limits, roots, generators)


def balanced(targets, rows, counts):
    """Return targets with weights such that the classes in a sample weigh the same."""
    y, K = targets.y, targets.n_classes
    drawn = np.bincount(y[rows], counts, K)
    factor = counts.sum() / (np.count_nonzero(drawn) * np.maximum(drawn, 1))
    return Targets.of(y, targets.weight * factor[y], targets.criterion.name, K)


def mean_of_trees(trees, X):
    """Average the predictions of the trees, added in their order; (n_rows, n_outputs)."""
    return sum(tree.predict(X) for tree in trees) / len(trees)


@dataclass(eq=False, repr=False)
class BaseForest(Ensemble, TreeParameters):
    """Base class of the two forests."""

    n_estimators: int = parameter(100, AT_LEAST_1)
    _: KW_ONLY
    criterion: str
    bootstrap: bool = True
    max_samples: int | float | None = None
    oob_score: bool = False
    ccp_alpha: float = parameter(0.0, NOT_NEGATIVE)
    n_jobs: int | None = None
    warm_start: bool = False
    verbose: int = 0

    def fit(self, X, y, sample_weight=None):
        """Grow the forest.

        Parameters
        ----------
        X, y, sample_weight
            As in `DecisionTreeClassifier.fit`. Rows of weight 0 are never drawn. The errors are
            those of `BaggingClassifier.fit`, those of a warm start included.
        """
        first = self._first_new()
        X, y, weight = self.table.fit(X, y, sample_weight, again=first > 0)
        columns, targets = self.prepare(X, y, weight)
        limits = self.limits(len(targets.y), X.shape[1])
        fit = self._start(X, y, np.flatnonzero(weight > 0), first)
        trees = self.grow_trees(columns, targets, limits, fit.n_draws, first)
        self.trees_ = (self.trees_ if first else []) + trees
        self.max_features_ = limits.max_features
        return self._finish(X, y, fit)

    def grow_trees(self, columns, targets, limits, n_draws, first):
        """Grow the trees from number `first` on, chunk by chunk, on `n_jobs` workers."""
        new = range(first, self.n_estimators)
        workers = joblib.effective_n_jobs(self.n_jobs)
        most = max(1, PLACES // len(targets.y))
        rounds = -(-len(new) // (most * workers))  # each worker grows one chunk a round
        chunks = np.array_split(new, min(rounds * workers, len(new))) if rounds else []
        work = joblib.delayed(grow_forest)
        balance = getattr(self, "class_weight", None) == "balanced_subsample"
        grown = joblib.Parallel(n_jobs=self.n_jobs, return_as="generator")(
            work(columns, targets, limits, self.seed_, chunk, n_draws, balance) for chunk in chunks
        )
        trees = []
        with tqdm(total=len(new), unit="trees", disable=not self.verbose) as bar:
            for chunk in grown:
                trees += [prune(t, self.ccp_alpha) if self.ccp_alpha > 0 else t for t in chunk]
                bar.update(len(chunk))
        return trees

    def read(self, X):
        """Read rows for prediction as floats; (n_rows, n_features)."""
        return self.table.read(X)

    @property
    def members(self):
        """The trees; list of `treelab.fast.tree.Tree`."""
        return self.trees_

    def _values(self, tree, X):
        """Return the values of the leaves of the rows in one tree; (n_rows, n_outputs)."""
        return tree.predict(X)

    def _unseen_values(self, X, unseen):
        """Yield as in bagging, but send the rows of several trees down together."""
        most = max(1, PLACES // len(X))
        for start in range(0, len(self.trees_), most):
            trees, roots = side_by_side(self.trees_[start : start + most])
            each = list(islice(unseen, len(roots)))
            rows, size = np.concatenate(each), [len(rows) for rows in each]
            leaf = np.repeat(roots, size)
            for i in range(0, len(rows), BLOCK):
                part = slice(i, i + BLOCK)
                leaf[part] = trees.descend(X, leaf[part], rows[part])
            values = trees.value[leaf, 0]
            yield from zip(each, np.split(values, np.cumsum(size)[:-1]), strict=True)

    def mean_of_members(self, X):
        """Average the values of the leaves over the trees; (n_rows, n_outputs)."""
        X = self.read(X)
        blocks = [X[i : i + BLOCK] for i in range(0, len(X), BLOCK)]
        work = joblib.delayed(mean_of_trees)
        parts = joblib.Parallel(n_jobs=self.n_jobs, prefer="threads")(
            work(self.trees_, block) for block in blocks
        )
        return np.concatenate(parts)

    def predict_trees(self, X):
        """Predict with each tree by itself; (n_rows, n_estimators)."""
        X = self.read(X)
        return np.column_stack([self._answer(tree.predict(X)) for tree in self.trees_])

    def apply(self, X):
        """Return the leaf of each row in each tree; (n_rows, n_estimators)."""
        X = self.read(X)
        return np.column_stack([tree.apply(X) for tree in self.trees_])

    def decision_path(self, X):
        """Return the nodes on the path of each row, (n_rows, n_nodes of all trees), and the bounds.

        The matrix is sparse, of 0 and 1. The nodes of tree b are its columns from ``bounds[b]`` up
        to ``bounds[b + 1]``.
        """
        paths = [tree.decision_path(X) for tree in self.estimators_]
        return sp.hstack(paths, "csr"), np.cumsum([0] + [path.shape[1] for path in paths])

    def proximity(self, X, *, oob_only=False):
        """Return the proportion of trees in which two rows share a leaf; (n_rows, n_rows).

        The diagonal is 1.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
        oob_only : bool, default=False
            Count only the trees for which both rows are out of bag; `X` must then be the
            training data. NaN where there is no such tree.

        References
        ----------
        Breiman and Cutler, Random forests manual (2004).
        """
        leaves = self.apply(X)
        n, counted = len(leaves), [np.arange(len(leaves))] * len(self.trees_)
        if oob_only:
            known = n_training_rows(self, "oob_only=True")
            if n != known:
                raise ValueError(
                    f"X must be the training data of {known} rows for oob_only=True, got {n}."
                )
            counted = unseen_by(self, n)
        together, count = np.zeros((n, n)), np.zeros((n, n))
        for leaf, rows in zip(leaves.T, counted, strict=True):
            pairs = np.ix_(rows, rows)
            together[pairs] += leaf[rows][:, None] == leaf[rows]
            count[pairs] += 1
        share = np.divide(together, count, out=np.full((n, n), np.nan), where=count > 0)
        np.fill_diagonal(share, 1.0)
        return share

    @property
    def estimators_(self):
        """The trees as fitted estimators; list of DecisionTreeClassifier or -Regressor."""
        check_is_fitted(self)
        return as_estimators(self.trees_, self, self._tree_class)

    @property
    def feature_importances_(self):
        """Mean decrease in impurity, normalized in each tree, averaged; (n_features,)."""
        mean = np.mean([m.feature_importances_ for m in self.estimators_], axis=0)
        return mean / mean.sum() if mean.sum() > 0 else mean


@dataclass(kw_only=True, eq=False, repr=False)
class RandomForestClassifier(ClassifierEnsemble, BaseForest):
    """Random forest for classification.

    The class proportions in the leaves of the trees are averaged, as in scikit-learn.

    Parameters
    ----------
    n_estimators : int, default=100
    bootstrap, max_samples, oob_score, n_jobs, random_state, warm_start, verbose
        As in `BaggingClassifier`, with trees as base estimators.
    criterion : {"gini", "entropy", "log_loss", "misclassification"}, default="gini"
    max_depth, min_samples_split, min_samples_leaf, min_impurity_decrease, ccp_alpha
        As in `DecisionTreeClassifier`. A row counts once, however often the bootstrap has drawn it.
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
    class_weight : dict, "balanced", "balanced_subsample" or None, default=None
        As in `DecisionTreeClassifier`. "balanced_subsample" balances the bootstrap sample of each
        tree by itself.
    categorical_features : None, "from_dtype" or array-like, default="from_dtype"
        As in `DecisionTreeClassifier`.

    Attributes
    ----------
    trees_ : list of treelab.fast.tree.Tree
    estimators_ : list of DecisionTreeClassifier
    max_features_ : int
    feature_importances_ : ndarray of shape (n_features,)
    classes_, seed_, estimators_samples_, out_of_bag_, oob_score_, oob_decision_function_
        As in `BaggingClassifier`.

    References
    ----------
    Breiman (2001), Random forests.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(50, oob_score=True, random_state=0).fit(X, y)
    >>> round(forest.oob_score_, 3)
    0.947
    """

    criterion: str = parameter("gini", FOR_CLASSES)
    max_features: int | float | str | None = "sqrt"
    class_weight: object = parameter(None, OneOf(None, "balanced", "balanced_subsample", or_a=dict))

    _tree_class = DecisionTreeClassifier


@dataclass(kw_only=True, eq=False, repr=False)
class RandomForestRegressor(RegressorEnsemble, BaseForest):
    """Random forest for regression: the mean prediction of the trees.

    Parameters
    ----------
    n_estimators, bootstrap, max_samples, oob_score, n_jobs, random_state, warm_start, verbose
        As in `RandomForestClassifier`.
    criterion : {"squared_error", "absolute_error"}, default="squared_error"
    max_depth, min_samples_split, min_samples_leaf, min_impurity_decrease, ccp_alpha
        As in `RandomForestClassifier`.
    categorical_features : None, "from_dtype" or array-like, default="from_dtype"
    max_features : int, float, "sqrt", "log2" or None, default=1.0
        All features are candidates, as in scikit-learn; R's randomForest draws a third of them,
        ``max_features=1/3``.

    Attributes
    ----------
    trees_, max_features_, feature_importances_, seed_, estimators_samples_, out_of_bag_
        As in `RandomForestClassifier`.
    estimators_ : list of DecisionTreeRegressor
    oob_prediction_, oob_score_
        As in `BaggingRegressor`.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treelab import RandomForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = RandomForestRegressor(50, max_features=1 / 3, random_state=0).fit(X, y)
    >>> forest.predict(X[:2]).round().tolist()
    [162.0, 78.0]
    """

    criterion: str = parameter("squared_error", FOR_NUMBERS)
    max_features: int | float | str | None = 1.0

    _tree_class = DecisionTreeRegressor

    def prediction_variance(self, X):
        """Return the variance of the predictions of the trees around their mean; (n_rows,)."""
        return self.predict_trees(X).var(axis=1)
