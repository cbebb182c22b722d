"""Regularized trees: a new feature must gain more than those that are already selected.

A forest uses nearly every feature: if two are nearly the same, one node is split on the first, and
another node on the second. In regularized trees the gain of a feature that no node has used yet is
multiplied by a *penalty*, so that it is selected only if it gains clearly more than every feature
that is already selected. The features that are selected after the last tree are the result. The
trees are those of a random forest (RRF) or of AdaBoost (RBoost).

Vocabulary
----------
selected : features that a node so far has used; new : the others
penalty : factor by which the gain of a new feature is multiplied, in (0, 1]
rival : the selected feature with the largest gain in the node in which a new one is selected
gamma : weight of the importances of an ordinary forest in the penalty
"""

import math
import numbers
from dataclasses import KW_ONLY, dataclass, replace

import numpy as np
import pandas as pd
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treelab.fast.bagging import RandomForestClassifier, RandomForestRegressor
from treelab.fast.bagging.out_of_bag import draw_sample, member_generator
from treelab.fast.cart import AT_LEAST_1, DEPTH, TreeGrower
from treelab.fast.growing.criteria import CRITERIA
from treelab.fast.growing.frontier import Frontier
from treelab.fast.growing.regularized import grow_regularized
from treelab.fast.growing.splits import search
from treelab.fast.growing.training_data import Columns, Targets
from treelab.fast.inputs import (
    HIGHEST_SEED,
    TASKS,
    Number,
    OneOf,
    find_task,
    parameter,
    read_numbers,
)
from treelab.fast.selection.base import Selector, read_labels
from treelab.fast.tolerances import TIE

__all__ = ["RegularizedForestSelector", "RegularizedSelector", "guided_penalties"]

STEP = (
    "step", "feature", "tree", "node", "depth", "n", "gain", "penalty", "penalized_gain", "rival",
    "rival_gain",
)  # fmt: skip


@dataclass(eq=False, repr=False)
class RegularizedSelector(Selector, TreeGrower):
    """Base class of the selectors with regularized trees.

    A subclass has the parameters of `RegularizedForestSelector`, but `task` only if it is also for
    regression; a method `read_target`, which sets `task_` and `criterion_`, and in classification
    `classes_` and `n_classes_`; and a method ``_grow(columns, targets, table, limits, seed)`` that
    returns its trees, the root of each (rows, counts) with the targets, and the entries (number of
    the tree, of the node, of the feature).
    """

    penalty: float = parameter(0.5, Number(numbers.Real, 0, 1, "right"))
    n_estimators: int = parameter(100, AT_LEAST_1)
    _: KW_ONLY
    importance_guided: float = parameter(0.0, Number(numbers.Real, 0, 1))
    max_features: int | float | str | None = "sqrt"
    max_depth: int | None = parameter(None, DEPTH)
    min_samples_leaf: int = parameter(1, AT_LEAST_1)
    categorical_features: object = "from_dtype"
    random_state: object = None
    verbose: int = 0

    min_samples_split, min_impurity_decrease = 2, 0.0

    def fit(self, X, y, sample_weight=None):
        """Grow the trees, and select the features that they use.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
            Classes, or numbers.
        sample_weight : array-like of shape (n_rows,), default=None
            As in `DecisionTreeClassifier.fit`.
        """
        table, codes, weight = self.table.fit(X, y, sample_weight)
        d = self.n_features_in_
        columns, targets = self.prepare(table, codes, weight)
        limits = self.limits(len(targets.y), d)
        table = table[weight > 0]
        seed = check_random_state(self.random_state).randint(HIGHEST_SEED)
        self.importances_, self.penalties_ = None, np.full(d, float(self.penalty))
        if self.importance_guided:
            forest = self._ordinary_forest(seed).fit(X, y, sample_weight)
            self.importances_ = forest.feature_importances_
            self.penalties_ = guided_penalties(
                self.importances_, self.penalty, self.importance_guided
            )
        self.trees_, grown, entries = self._grow(columns, targets, table, limits, seed)
        order = [j for _, _, j in entries]
        self.support_ = np.isin(np.arange(d), order)
        self.ranking_ = np.full(d, len(order) + 1)
        self.ranking_[order] = np.arange(1, len(order) + 1)
        self.steps_ = self._steps(columns, table, grown, entries, limits)
        return self

    def steps_table(self):
        """List the features in the order in which they are selected; DataFrame, a row for each.

        ``step`` and ``feature``; the number of the ``tree`` in `trees_`, the ``node`` there, its
        ``depth`` and its rows, ``n``; the ``gain`` per unit of weight, the ``penalty``, and the
        ``penalized_gain``, their product; the ``rival`` and its ``rival_gain``, "" and 0 if no
        selected feature had any gain.
        """
        check_is_fitted(self)
        return pd.DataFrame(self.steps_, columns=STEP)

    def _steps(self, columns, table, grown, entries, limits):
        """Return the rows of `steps_table`; `grown` has the root and the targets of each tree."""
        names, steps = self._feature_names(), []
        for b, t, j in entries:
            tree, ((rows, counts), targets) = self.trees_[b], grown[b]
            leaf = tree.apply(table[rows])
            inside = (leaf >= t) & (leaf < t + tree.size[t])  # nodes are numbered in preorder
            counts = None if counts is None else counts[inside]
            node = Frontier(targets, rows[inside], np.zeros(inside.sum(), dtype=int), counts)
            W, R = node.weight[0], node.weight * tree.impurity[t]
            gain, rival, rival_gain = tree.impurity_decrease[t] / W, "", 0.0
            if steps:
                selected = np.array([other for *_, other in entries[: len(steps)]])[:, None]
                best = search(columns, node, selected, R, limits.min_samples_leaf)
                if best.gain[0] > TIE * R[0]:
                    rival, rival_gain = names[best.feature[0]], float(best.gain[0] / W)
            penalty = float(self.penalties_[j])
            step = (
                len(steps) + 1, names[j], b, t, int(tree.depth[t]), int(tree.n_node_samples[t]),
                float(gain), penalty, float(gain * penalty), rival, rival_gain,
            )  # fmt: skip
            steps.append(dict(zip(STEP, step, strict=True)))
        return steps

    def _ordinary_forest(self, seed):
        """Return the ordinary forest whose importances guide the penalties."""
        kind = RandomForestClassifier if self._of_classes else RandomForestRegressor
        return kind(
            self.n_estimators, max_features="sqrt" if self._of_classes else 1 / 3,
            categorical_features=self.categorical_features, random_state=seed,
        )  # fmt: skip

    @property
    def _of_classes(self):
        return self.task_ == "classification"

    def prepare(self, X, y, weight):
        """Prepare the rows of positive weight for growth; `Columns` and `Targets`."""
        keep = weight > 0
        n_classes = self.n_classes_ if self._of_classes else 0
        targets = Targets.of(y[keep], weight[keep], self.criterion_, n_classes)
        return Columns.of(X[keep], self.table.n_categories), targets

    def limits(self, n, d):
        """Return the stopping rules, with the number of new features that a node tries."""
        limits = super().limits(n, d)
        if isinstance(self.max_features, str) and self.max_features == "sqrt":
            limits = replace(limits, max_features=math.ceil(math.sqrt(d)))
        return limits


@dataclass(kw_only=True, eq=False, repr=False)
class RegularizedForestSelector(RegularizedSelector):
    """Select the features that a regularized random forest uses (RRF), guided or not (GRRF).

    Parameters
    ----------
    penalty : float, default=0.5
        Factor of the gain of a feature while it is new, above 0. With 1 it counts as much as the
        others; with 0.5, as in the paper, it must gain more than twice as much as the best feature
        that is already selected.
    n_estimators : int, default=100
    importance_guided : float, default=0.0
        Gamma, from 0 to 1: weight of the importances of an ordinary forest in the penalty, see
        `guided_penalties`. 0: all new features have the same penalty.
    criterion : {None, "entropy", "gini", "misclassification", "squared_error", \
"absolute_error"}, default=None
        Impurity whose decrease is the gain; the last two are for regression. None: "entropy" for
        classification and "squared_error" for regression, see `task`.
    max_features : int, float, "sqrt" or None, default="sqrt"
        New features that a node tries, drawn at random: a number, a fraction of all, the square
        root of their number, rounded up, or all. Selected features are tried in every node.
    max_depth : int, default=None
    min_samples_leaf : int, default=1
        As in `DecisionTreeClassifier`.
    bootstrap : bool, default=True
        Grow each tree on a bootstrap sample; False: on all rows.
    categorical_features : None, "from_dtype", "all" or array-like, default="from_dtype"
        As in `DecisionTreeClassifier`.
    random_state : int, RandomState instance or None, default=None
    task : {"auto", "classification", "regression"}, default="auto"
        Task of `y`. "auto": that of the criterion, and without a criterion the rule of
        `treelab.fast.inputs.find_task`: numbers with fractions and more than 20 distinct whole
        numbers are a regression target.
    verbose : int, default=0
        Whether a progress bar is shown.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
    ranking_ : ndarray of int, shape (n_features,)
        1 for the feature that was selected first; those that never were share the last rank.
    penalties_ : ndarray of shape (n_features,)
        The penalty of each feature.
    importances_ : ndarray of shape (n_features,) or None
        Importances in the ordinary forest, if it is used.
    trees_ : list of treelab.fast.tree.Tree
    steps_ : list of dict
        The rows of `steps_table`.
    classes_ : ndarray of shape (n_classes,)
        In classification.
    task_ : {"classification", "regression"}
    criterion_ : str
        The criterion with which the trees are grown.

    Notes
    -----
    Trees are grown one after the other, the left side of a node before the right one, and every
    node knows the features that the nodes before it have used. The selection therefore depends on
    the draws, and on the order of the trees. A node without a split of positive gain is a leaf,
    unlike in a forest, in which XOR needs such splits. Ties of penalized gains go to a feature that
    is already selected, otherwise to the first in the order of the draw of the node.

    Unguided, a penalty of 0.5 selects noise. Of 100 noise features in addition to the 22 to 60 of
    three tables (parkinsons, ionosphere, sonar; ten halves of the rows of each) 8.8 to 11.2 were
    selected on average, among 15.7 to 19.8 features in all; guided, with a penalty of 1 and a gamma
    of 0.9, 0.4 to 1.1 among 6.2 to 11.2. The selections on different halves differ, too: on these
    tables and musk, without noise, the `selection_stability` of ten selections is 0.01 to 0.16
    unguided and 0.25 to 0.62 guided.

    With a penalty of 1 and ``max_features=None`` the trees are those of an ordinary forest except
    for such ties. With fewer new features they are not, because selected features are tried in
    every node.

    References
    ----------
    Deng and Runger (2012), Feature selection via regularized trees, algorithms 1 and 2; (2013),
    Gene selection with guided regularized random forest. The first leaves open in which order new
    features are tested, which must be a random one.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> rrf = RegularizedForestSelector(n_estimators=20, random_state=0).fit(X, y)
    >>> rrf.steps_table()[["feature", "tree", "node", "gain", "rival_gain"]].round(3).head(2)
                 feature  tree  node   gain  rival_gain
    0  petal length (cm)     0     0  0.953       0.000
    1   petal width (cm)     0     4  0.428       0.202
    """

    criterion: str | None = parameter(None, OneOf(None, *CRITERIA))
    bootstrap: bool = True
    task: str = parameter("auto", OneOf(*TASKS))

    def read_target(self, y):
        """Read the target as class codes or numbers; (n_rows,)."""
        means_classes, remedy = "task='classification'", "task='regression'"
        if self.criterion is None:
            self.task_ = find_task(y, self.task)
            of_classes = self.task_ == "classification"
            self.criterion_ = "entropy" if of_classes else "squared_error"
        else:
            of_classes = CRITERIA[self.criterion].is_classifier
            self.task_ = "classification" if of_classes else "regression"
            self.criterion_ = self.criterion
            if self.task not in ("auto", self.task_):
                raise ValueError(
                    f"task={self.task!r} contradicts criterion={self.criterion!r}, which is one of "
                    f"{self.task_}. Use another criterion, or leave task at 'auto'."
                )
            means_classes, remedy = f"criterion={self.criterion!r}", "criterion='squared_error'"
        if not of_classes:
            return read_numbers(y)
        self.classes_, codes = read_labels(y, means_classes, remedy, self.task)
        self.n_classes_ = len(self.classes_)
        return codes

    def _grow(self, columns, targets, table, limits, seed):
        n = len(targets.y)
        generators = [member_generator(seed, b) for b in range(self.n_estimators)]
        everything = (np.arange(n), None)
        roots = [draw_sample(g, n, n) if self.bootstrap else everything for g in generators]
        keys = np.array([g.integers(2**63) for g in generators], dtype=np.uint64)
        selected = np.zeros(len(self.penalties_), dtype=bool)
        trees, entries = grow_regularized(
            columns, targets, limits, roots, keys, self.penalties_, selected, self.verbose
        )
        return trees, [(root, targets) for root in roots], entries


def guided_penalties(importances, penalty=1.0, gamma=0.5):
    """Compute the penalty of each feature, smaller for those that matter little in a forest.

    ``(1 - gamma) * penalty + gamma * importance / largest importance`` (Deng and Runger 2013). If
    all importances are 0, the last term is 0.

    Parameters
    ----------
    importances : array-like of shape (n_features,)
    penalty : float, default=1.0
        The base penalty, in (0, 1].
    gamma : float, default=0.5
        Weight of the importances, from 0 to 1.

    Returns
    -------
    ndarray of shape (n_features,)

    Examples
    --------
    >>> guided_penalties([0.6, 0.3, 0.0], penalty=1.0, gamma=0.8).round(2).tolist()
    [1.0, 0.6, 0.2]
    """
    importances = np.asarray(importances, dtype=float)
    most = importances.max()
    return (1 - gamma) * penalty + gamma * (importances / most if most > 0 else importances)
