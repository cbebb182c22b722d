"""C4.5 behind scikit-learn's interface.

The defaults are C4.5 release 8 as Weka's J48 runs it. Every refinement has a switch of its
own; with all of them off, what grows is the tree of a plain textbook.

Vocabulary
----------
tree_ : the `MultiwayTree`; categories_ : levels of each nominal feature, by column number
M : `min_samples_leaf`; CF : `confidence`
"""

import numbers

import numpy as np
from sklearn.utils import check_scalar

from treelab.c45.base import MultiwayClassifier
from treelab.c45.growing import grow_c45
from treelab.c45.held_out import held_out_rows, reduced_error_pruning
from treelab.c45.pruning import collapse, pessimistic_pruning
from treelab.c45.reading import read_declared_classes
from treelab.c45.training import Rules, Training

__all__ = ["C45Classifier"]


class C45Classifier(MultiwayClassifier):
    """C4.5: multiway trees by gain ratio, with missing values and pessimistic pruning.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
    min_samples_leaf : float, default=2
        M: at least two branches of a split must carry this weight, both of a numeric one.
    pruning : {"pessimistic", "reduced_error", None}, default="pessimistic"
        Without it (None) `collapse` still applies.
    confidence : float, default=0.25
        CF of pessimistic pruning, above 0 and at most 0.5; smaller prunes more.
    subtree_raising : bool, default=True
        Whether pessimistic pruning may put a node's heaviest branch in the node's place.
    collapse : bool, default=True
        Before pruning, make a leaf of a node whose subtree gets no more training rows
        right. Not used with "reduced_error".
    average_gain : bool, default=True
        Among the gain ratios, only those of at least average gain compete.
    mdl_correction : bool, default=True
        Take log2(number of cuts) / (weight of the node) off the gain of a numeric feature.
    cut : {"data", "midpoint"}, default="data"
        A threshold is the midpoint between two values, or the largest number in the
        training data that is no larger.
    boundary_only : bool, default=False
        Cut only between values that do not hold one and the same class.
    adaptive_min_leaf : bool, default=True
        Where a tenth of the mean weight of a class is more than `min_samples_leaf`, ask that
        much of both sides of a cut, or 25 if the tenth is more than 25.
    n_folds : int, default=3
        With "reduced_error", one of so many stratified folds is held out.
    laplace : bool, default=False
        Add 1 to each class weight of a leaf before taking shares.
    handle_unknown : {"error", "missing"}, default="error"
        What a level means in `predict` that was not declared or seen in `fit`.
    categorical_features : "from_dtype", "all" or array-like, default="from_dtype"
        "from_dtype": pandas categoricals, text and truth values; or the numbers or names
        of further columns, or a mask.

    Attributes
    ----------
    tree_ : treelab.c45.MultiwayTree
    classes_ : ndarray of shape (n_classes,)
        The declared classes, in their order, of a pandas categorical; else sorted.
    categories_ : dict
        Levels of each nominal feature, by column number: its branches.
    n_leaves_, n_nodes_ : int
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)

    Notes
    -----
    A row whose tested value is unknown goes down every branch with a share of its weight,
    in `fit` and in `predict`. A level that was declared but that no training row has in a
    node gets the answer of the node. Ties go to the first feature and the lowest cut.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning; Quinlan (1996), Improved use of
    continuous attributes in C4.5.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({
    ...     "outlook": ["sunny", "sunny", "rain", "rain", None, "rain"],
    ...     "humidity": [85, 70, 90, 80, 75, 72],
    ... })
    >>> y = ["stay", "play", "stay", "play", "play", "play"]
    >>> print(C45Classifier(min_samples_leaf=1).fit(X, y).export_text())
    |--- humidity <= 80
    |   |--- class: play (4)
    |--- humidity > 80
    |   |--- class: stay (2)
    <BLANKLINE>
    """

    _choices = {
        "criterion": ("gain_ratio", "gain"),
        "pruning": ("pessimistic", "reduced_error", None),
        "cut": ("data", "midpoint"),
        "handle_unknown": ("error", "missing"),
    }

    def __init__(
        self,
        *,
        criterion="gain_ratio",
        min_samples_leaf=2,
        pruning="pessimistic",
        confidence=0.25,
        subtree_raising=True,
        collapse=True,
        average_gain=True,
        mdl_correction=True,
        cut="data",
        boundary_only=False,
        adaptive_min_leaf=True,
        n_folds=3,
        laplace=False,
        handle_unknown="error",
        categorical_features="from_dtype",
    ):
        self.criterion = criterion
        self.min_samples_leaf = min_samples_leaf
        self.pruning = pruning
        self.confidence = confidence
        self.subtree_raising = subtree_raising
        self.collapse = collapse
        self.average_gain = average_gain
        self.mdl_correction = mdl_correction
        self.cut = cut
        self.boundary_only = boundary_only
        self.adaptive_min_leaf = adaptive_min_leaf
        self.n_folds = n_folds
        self.laplace = laplace
        self.handle_unknown = handle_unknown
        self.categorical_features = categorical_features

    def fit(self, X, y, sample_weight=None):
        """Grow the tree and prune it.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_features)
            Text, categories, truth values and numbers; NaN or None where unknown.
        y : array-like of shape (n_rows,)
            Class labels, none missing.
        sample_weight : array-like of shape (n_rows,), default=None
            Not negative; rows of weight 0 are left out. None: 1 each.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If the data are empty, of different lengths or infinite, a column mixes text and
            numbers, or a parameter is out of its range.
        """
        rules = self._rules()
        table, weight = self._read_training(X, y, sample_weight)
        self.classes_, codes = read_declared_classes(y)
        table, codes, weight = (a[weight > 0] for a in (table, codes, weight))
        data = Training.of(table, codes, len(self.classes_), self._n_levels())
        if self.pruning == "reduced_error":
            self.tree_ = self._fit_with_hold_out(data, weight, rules)
            return self
        tree = grow_c45(data, weight, rules)
        if self.collapse:
            tree = collapse(tree)
        if self.pruning == "pessimistic":
            tree = pessimistic_pruning(tree, data, weight, self.confidence, self.subtree_raising)
        self.tree_ = tree
        return self

    def _fit_with_hold_out(self, data, weight, rules):
        """Grow on all folds but one, and prune on that one."""
        out = held_out_rows(data.y, self.n_folds)
        tree = grow_c45(data, np.where(out, 0.0, weight), rules)
        return reduced_error_pruning(tree, data.table[out], data.y[out], weight[out])

    def _rules(self):
        """The rules of growth, checked."""
        real = numbers.Real
        for name in ("min_samples_leaf", "confidence"):
            if getattr(self, name) != getattr(self, name):
                raise ValueError(f"{name} must be a number, got nan.")
        check_scalar(
            self.min_samples_leaf, "min_samples_leaf", real, min_val=0, include_boundaries="neither"
        )
        check_scalar(
            self.confidence, "confidence", real, min_val=0, max_val=0.5, include_boundaries="right"
        )
        check_scalar(self.n_folds, "n_folds", numbers.Integral, min_val=2)
        return Rules(**{name: getattr(self, name) for name in Rules.__dataclass_fields__})
