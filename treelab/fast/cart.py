"""Classification and regression trees: the estimators.

CART (Breiman, Friedman, Olshen and Stone 1984) grows a binary tree by exhaustive search
(`treelab.fast.growing`) and prunes it by cost complexity (`treelab.fast.pruning`). The estimators
have scikit-learn's interface, with the same names, so that often only the import line changes. The
page on conformance lists what is left out, and why. `categorical_features` is not in scikit-learn.

Vocabulary
----------
limits : the stopping rules as checked numbers
"""

import copy
import math
import numbers
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treelab.fast.growing import Limits, grow
from treelab.fast.growing.training_data import Columns, Targets
from treelab.fast.inputs import ClassTarget, Number, NumberTarget, OneOf, Table, parameter
from treelab.fast.pruning import cost_complexity_path, prune
from treelab.fast.results import Results
from treelab.fast.tree.fitted import FittedTree

__all__ = [
    "AT_LEAST_1",
    "DEPTH",
    "FOR_CLASSES",
    "FOR_NUMBERS",
    "NOT_NEGATIVE",
    "BaseDecisionTree",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "Members",
    "TreeGrower",
    "TreeParameters",
    "as_estimators",
    "number_of_features",
]

FOR_CLASSES = OneOf("gini", "entropy", "log_loss", "misclassification")  # criteria
FOR_NUMBERS = OneOf("squared_error", "absolute_error")
DEPTH = Number(numbers.Integral, 1, optional=True)
AT_LEAST_1 = Number(numbers.Integral, 1)
ROWS_OF_NODE = Number(numbers.Integral, 2, fraction="right")
ROWS_OF_LEAF = Number(numbers.Integral, 1, fraction="neither")
NOT_NEGATIVE = Number(numbers.Real, 0, infinite=True)


class TreeGrower(BaseEstimator):
    """Base class of all estimators that grow binary trees: stopping rules, and prepared data.

    A subclass has the parameters of `DecisionTreeClassifier`, and a method `read_target`, which
    turns `y` into class codes or numbers.
    """

    @property
    def table(self):
        """The reader of its tables; `treelab.fast.inputs.Table`."""
        return Table(self, self.read_target)

    def limits(self, n, d):
        """Return the stopping rules for `n` rows and `d` features; `growing.Limits`."""
        return Limits(
            max_depth=np.inf if self.max_depth is None else self.max_depth,
            min_samples_split=max(2, _number_of_rows(self.min_samples_split, n)),
            min_samples_leaf=_number_of_rows(self.min_samples_leaf, n),
            min_impurity_decrease=self.min_impurity_decrease,
            max_features=number_of_features(self.max_features, d),
        )

    def prepare(self, X, y, weight):
        """Prepare the rows of positive weight for growth; `Columns` and `Targets`."""
        keep = weight > 0
        n_classes = getattr(self, "n_classes_", 0)
        targets = Targets.of(y[keep], weight[keep], self.criterion, n_classes)
        return Columns.of(X[keep], self.table.n_categories), targets


def _number_of_rows(rows, n):
    """Return a number of rows, given as such or as a fraction of all `n`, which is rounded up."""
    return rows if isinstance(rows, numbers.Integral) else math.ceil(rows * n)


def number_of_features(max_features, d):
    """Return the number that `max_features` stands for, with `d` features.

    >>> number_of_features("sqrt", 10), number_of_features(0.5, 5), number_of_features(None, 5)
    (3, 2, 5)
    """
    if max_features is None:
        return d
    if isinstance(max_features, str):
        if max_features in ("sqrt", "log2"):
            return max(1, int(getattr(np, max_features)(d)))
    elif isinstance(max_features, numbers.Integral):
        if 1 <= max_features <= d and not isinstance(max_features, bool):
            return int(max_features)
    elif isinstance(max_features, numbers.Real) and 0 < max_features <= 1:
        return max(1, int(max_features * d))
    raise ValueError(
        f"max_features must be a whole number from 1 to {d} (the number of columns of X), a "
        f"fraction in (0, 1], 'sqrt', 'log2' or None, got {max_features!r}."
    )


@dataclass(kw_only=True, eq=False, repr=False)
class TreeParameters(TreeGrower):
    """Parameters that a tree, a forest and boosting have in common."""

    max_depth: int | None = parameter(None, DEPTH)
    min_samples_split: int | float = parameter(2, ROWS_OF_NODE)
    min_samples_leaf: int | float = parameter(1, ROWS_OF_LEAF)
    max_features: int | float | str | None = None
    min_impurity_decrease: float = parameter(0.0, NOT_NEGATIVE)
    categorical_features: object = "from_dtype"
    random_state: object = None


@dataclass(kw_only=True, eq=False, repr=False)
class BaseDecisionTree(FittedTree, TreeParameters):
    """Base class of the two estimators: their parameters, `fit`, and views of the tree."""

    criterion: str
    ccp_alpha: float = parameter(0.0, NOT_NEGATIVE)

    def fit(self, X, y, sample_weight=None):
        """Grow the tree, then prune it by `ccp_alpha`.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            Numbers, and categories in the columns of `categorical_features`; nothing missing.
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
            If the data are empty, of different lengths, not finite, or hold text where numbers are
            expected; if a parameter is out of its range.
        """
        return self.grow_on(*self.prepare(*self.table.fit(X, y, sample_weight)))

    def grow_on(self, columns, targets):
        """Grow and prune on data from `prepare`, which boosting keeps for all rounds; self."""
        limits = self.limits(len(targets.y), self.n_features_in_)
        generators = None
        if limits.max_features < self.n_features_in_:
            seed = check_random_state(self.random_state).randint(2**31 - 1)
            generators = [np.random.default_rng(seed)]
        tree = grow(columns, targets, limits, generators=generators)[0]
        self.max_features_ = limits.max_features
        self.tree_ = prune(tree, self.ccp_alpha) if self.ccp_alpha > 0 else tree
        return self

    def apply(self, X):
        """Return the number of the leaf into which each row of `X` falls; shape (n_rows,)."""
        X = self.table.read(X)
        return self.tree_.apply(X)

    def decision_path(self, X):
        """Return the nodes on the path of each row; csr_array of 0 and 1, (n_rows, n_nodes)."""
        leaf = self.apply(X)
        tree = self.tree_
        paths = []
        for t in range(tree.node_count):  # parents come first
            paths.append([*(paths[tree.parent[t]] if t else []), t])
        lengths = [len(paths[t]) for t in leaf]
        nodes = np.concatenate([paths[t] for t in leaf])
        bounds = np.concatenate([[0], np.cumsum(lengths)])
        shape = (len(leaf), tree.node_count)
        return sp.csr_array((np.ones(len(nodes), dtype=int), nodes, bounds), shape=shape)

    def cost_complexity_pruning_path(self, X, y, sample_weight=None):
        """Return the weakest-link sequence of the tree grown on these data, with impurity as risk.

        Returns
        -------
        sklearn.utils.Bunch
            ``ccp_alphas`` and ``impurities``, (n_subtrees,) each; impurities are relative
            to the total weight. Links of equal strength are pruned together, so that no alpha
            occurs twice (scikit-learn lists them one by one).
        """
        grown = copy.copy(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight)
        path = cost_complexity_path(grown.tree_)
        return Results(ccp_alphas=path.alphas, impurities=path.risks)

    def to_frame(self):
        """Return the tree as a DataFrame, one row per node; see `Tree.to_frame`."""
        check_is_fitted(self)
        return self.tree_.to_frame(*self.names()[:2])

    @property
    def feature_importances_(self):
        """Mean decrease in impurity of each feature, normalized to sum 1; (n_features,)."""
        check_is_fitted(self)
        total = self.tree_.decrease_by_feature(self.n_features_in_)
        return total / total.sum() if total.sum() > 0 else total


@dataclass(kw_only=True, eq=False, repr=False)
class DecisionTreeClassifier(ClassTarget, BaseDecisionTree):
    """Classification tree.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "misclassification"}, default="gini"
        Impurity whose decrease a split maximizes. "log_loss" is another name of "entropy".
    max_depth : int, default=None
        Maximum number of splits on the path from the root to a leaf; None: no limit.
    min_samples_split : int or float, default=2
        Minimum number of rows of a node that is split, or a fraction of the rows that have a
        weight, which is rounded up.
    min_samples_leaf : int or float, default=1
        Minimum number of rows of a leaf, or a fraction of the rows.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Features drawn at every node as candidates: a number, a fraction of all, or all (None). If
        none of them has a split, the node draws further features.
    min_impurity_decrease : float, default=0.0
        Amount by which a split must decrease the impurity of the tree, relative to the total
        weight. 0 also allows splits without any decrease, which XOR needs.
    ccp_alpha : float, default=0.0
        Complexity parameter of cost-complexity pruning: the cost of a leaf, with the impurity as
        risk.
    class_weight : dict, "balanced" or None, default=None
        Factors of the weights of the rows, by class, 1 for a class that is not in the dict.
        "balanced": n_rows / (n_classes * number of rows of the class).
    categorical_features : None, "from_dtype", "all" or array-like, default="from_dtype"
        "from_dtype": columns of pandas' `category` dtype; "all": every column; or column
        numbers, column names or a mask; None: no column.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws of features. Without `max_features` nothing is random.

    Attributes
    ----------
    tree_ : treelab.fast.tree.Tree
    classes_ : ndarray of shape (n_classes,)
    n_classes_, n_features_in_, max_features_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Only if the column names of `X` are text.
    categories_ : dict
        Categories of each categorical feature, by column number.
    feature_importances_ : ndarray of shape (n_features,)

    Notes
    -----
    Ties between splits go to the first column, then to the smallest threshold, whereas in
    scikit-learn `random_state` decides. X is read in double precision; scikit-learn
    rounds it to single. A row with a category that a node has not seen goes to its heavier child.

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = DecisionTreeClassifier(max_depth=2).fit(X, y)
    >>> print(tree.export_text())
    |--- petal length (cm) <= 2.45
    |   |--- class: 0
    |--- petal length (cm) > 2.45
    |   |--- petal width (cm) <= 1.75
    |   |   |--- class: 1
    |   |--- petal width (cm) > 1.75
    |   |   |--- class: 2
    <BLANKLINE>
    """

    criterion: str = parameter("gini", FOR_CLASSES)
    class_weight: object = parameter(None, OneOf(None, "balanced", or_a=dict))

    def predict_proba(self, X):
        """Return the class proportions in the leaf of each row; (n_rows, n_classes)."""
        X = self.table.read(X)
        return self.tree_.predict(X)

    def predict(self, X):
        """Predict the majority class of the leaf of each row, the first in a tie; (n_rows,)."""
        share = self.predict_proba(X)
        return self.classes_[share.argmax(axis=1)]


@dataclass(kw_only=True, eq=False, repr=False)
class DecisionTreeRegressor(NumberTarget, BaseDecisionTree):
    """Regression tree.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error"}, default="squared_error"
        Leaves predict means and splits decrease the variance; or leaves predict medians and
        splits decrease the mean distance to them.
    max_depth, min_samples_split, min_samples_leaf, max_features, min_impurity_decrease
        As in `DecisionTreeClassifier`.
    ccp_alpha, categorical_features, random_state
        As in `DecisionTreeClassifier`.

    Attributes
    ----------
    tree_, n_features_in_, feature_names_in_, categories_, max_features_, feature_importances_
        As in `DecisionTreeClassifier`.

    Notes
    -----
    See `DecisionTreeClassifier`. With ``criterion="absolute_error"`` a categorical feature
    is split in the order of the medians of its categories, which is a heuristic.

    References
    ----------
    Breiman, Friedman, Olshen and Stone (1984), chapter 8.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor(max_depth=1).fit([[1], [2], [3]], [10.0, 12.0, 20.0])
    >>> tree.predict([[0], [9]]).tolist()
    [11.0, 20.0]
    """

    criterion: str = parameter("squared_error", FOR_NUMBERS)

    def predict(self, X):
        """Predict the mean (or median) of the leaf of each row; (n_rows,)."""
        X = self.table.read(X)
        return self.tree_.predict(X)[:, 0]


class Members:
    """Mixin for an ensemble that is a sequence of its fitted base estimators, `estimators_`."""

    def __len__(self):
        """Return the number of base estimators; of boosting, the number of rounds."""
        return len(self.estimators_)

    def __getitem__(self, index):
        """Return one base estimator or, by a slice, several; of boosting, those of a round."""
        return self.estimators_[index]

    def __iter__(self):
        """Return an iterator over the base estimators."""
        return iter(self.estimators_)


def as_estimators(trees, ensemble, kind):
    """Turn the trees of a fitted ensemble into fitted estimators with its settings.

    Parameters
    ----------
    trees : list of treelab.fast.tree.Tree
    ensemble : estimator
        Fitted; it has `max_features_` and `categories_`.
    kind : DecisionTreeClassifier or DecisionTreeRegressor

    Returns
    -------
    list of estimators of this kind
    """
    known = set(kind().get_params()) - {"class_weight"}  # the trees have seen the weights
    settings = {k: v for k, v in ensemble.get_params(deep=False).items() if k in known}
    learned = ["categories_", "max_features_", "n_features_in_", "feature_names_in_"]
    if kind is DecisionTreeClassifier:
        learned += ["classes_", "n_classes_"]
    learned = {name: getattr(ensemble, name) for name in learned if hasattr(ensemble, name)}
    made = [kind(**settings) for _ in trees]
    for model, tree in zip(made, trees, strict=True):
        vars(model).update(learned, tree_=tree)
    return made
