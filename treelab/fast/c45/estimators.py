"""C4.5 with scikit-learn's interface.

The defaults are J48's. Every refinement of J48 has a switch of its own; with all of them off,
what grows is the tree of a plain textbook. ``variant="release8"`` is the original program.
"""

import inspect
import numbers
from dataclasses import dataclass

import numpy as np

from treelab.fast.c45.base import MultiwayClassifier, read_release8
from treelab.fast.c45.growing import Cases, Rules, Training, grow_c45
from treelab.fast.c45.pruning import (
    collapse,
    error_based_pruning,
    held_out_rows,
    reduced_error_pruning,
)
from treelab.fast.c45.release8.growing import Release8Cases
from treelab.fast.inputs import Number, OneOf, Table, parameter

__all__ = ["C45Classifier"]

# The parameters that variant="release8" has; all others are switches of J48 alone.
RELEASE8_HAS = ["variant", "criterion", "min_samples_leaf", "pruning", "confidence"]
RELEASE8_HAS += ["handle_unknown", "categorical_features"]


@dataclass(kw_only=True, eq=False, repr=False)
class C45Classifier(MultiwayClassifier):
    """C4.5: multiway trees by gain ratio, with missing values and error-based pruning.

    Parameters
    ----------
    variant : {"j48", "release8"}, default="j48"
        C4.5 as Weka's J48 runs it, or as Quinlan's own program does, rule by rule and in its
        32-bit numbers. The parameters from `subtree_raising` to `laplace` are switches of J48,
        which "release8" does not have.
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
    min_samples_leaf : float, default=2
        M: at least two branches of a split must carry this weight, both of a numeric one.
    pruning : {"error_based", "reduced_error", None}, default="error_based"
        "pessimistic" is another word for "error_based". Without pruning (None) `collapse`
        still applies. "reduced_error" is J48's.
    confidence : float, default=0.25
        CF, above 0 and at most 0.5 (1 with "release8"); smaller prunes more.
    subtree_raising : bool, default=True
        Whether error-based pruning may put a node's heaviest branch in the node's place.
    collapse : bool, default=True
        Before pruning (not "reduced_error"), make a leaf of a node whose subtree gets no more
        training rows right.
    average_gain : bool, default=True
        Among the gain ratios, only those of at least average gain compete.
    mdl_correction : bool, default=True
        Take log2(number of splits) / (weight of the node) off the gain of a numeric feature.
    cut : {"data", "midpoint"}, default="data"
        A threshold is the midpoint between two values, or the largest training value up to it.
    boundary_only : bool, default=False
        Cut only between values that do not hold one and the same class.
    adaptive_min_leaf : bool, default=True
        Require a tenth of the mean weight of a class on both sides of a split, at most 25, where
        that is more than M.
    n_folds : int, default=3
        With "reduced_error", one of so many stratified folds is held out.
    laplace : bool, default=False
        Add 1 to each class weight of a leaf before taking shares.
    handle_unknown : {"error", "missing"}, default="error"
        What a category means in `predict` that was not declared or seen in `fit`.
    categorical_features : "from_dtype", "all" or array-like, default="from_dtype"
        "from_dtype": pandas categoricals, text and truth values; or the numbers or names
        of further columns, or a mask.

    Attributes
    ----------
    tree_ : treelab.fast.c45.MultiwayTree
        With "release8" a `treelab.fast.c45.Release8Tree`.
    classes_ : ndarray of shape (n_classes,)
        The declared classes, in their order, of a pandas categorical; else sorted.
    categories_ : dict
        Levels of each nominal feature, by column number: its branches.
    n_leaves_, n_nodes_ : int

    Notes
    -----
    A row whose tested value is unknown goes down every branch with a share of its weight,
    in `fit` and in `predict`. A category that was declared but that no training row has in a
    node gets the prediction of the node. Ties go to the first feature and the lowest split.
    Release 8 reads numbers in 32 bits and takes -999 as unknown (with a warning). It knows no
    weights: `sample_weight` must be whole numbers, which repeat the rows.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, and its program, release 8 (1996);
    Quinlan (1996), Improved use of continuous features in C4.5.

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

    variant: str = parameter("j48", OneOf("j48", "release8"))
    criterion: str = parameter("gain_ratio", OneOf("gain_ratio", "gain"))
    min_samples_leaf: float = parameter(2, Number(numbers.Real, 0, ends="neither"))
    pruning: str | None = parameter(
        "error_based", OneOf("error_based", "pessimistic", "reduced_error", None)
    )
    confidence: float = 0.25
    subtree_raising: bool = True
    collapse: bool = True
    average_gain: bool = True
    mdl_correction: bool = True
    cut: str = parameter("data", OneOf("data", "midpoint"))
    boundary_only: bool = False
    adaptive_min_leaf: bool = True
    n_folds: int = parameter(3, Number(numbers.Integral, 2))
    laplace: bool = False
    handle_unknown: str = parameter("error", OneOf("error", "missing"))
    categorical_features: object = "from_dtype"

    @property
    def table(self):
        """The reader of its tables; `treelab.fast.inputs.Table`."""
        kind = Release8Table if self.variant == "release8" else Table
        return kind(self, self.read_target, text=True, missing=True)

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
        table, codes, weight = self.table.fit(X, y, sample_weight)
        times = whole_numbers(weight) if self.variant == "release8" else weight > 0
        table, codes, weight = (np.repeat(a, times, axis=0) for a in (table, codes, weight))
        data = Training(table, codes, len(self.classes_), self.table.n_categories)
        if self.pruning == "reduced_error":
            out = held_out_rows(codes, self.n_folds)
            tree = grow_c45(Cases(data, np.where(out, 0.0, weight)), rules)
            self.tree_ = reduced_error_pruning(tree, table[out], codes[out], weight[out])
            return self
        cases = self._cases(data, weight)
        tree = grow_c45(cases, rules)
        if self.collapse:
            tree = collapse(tree)
        if self.pruning is not None:
            tree = error_based_pruning(tree, cases, self.confidence, self.subtree_raising)
        self.tree_ = tree
        return self

    def _cases(self, data, weight):
        """Return the training data in the form in which the variant keeps them."""
        return Release8Cases(data) if self.variant == "release8" else Cases(data, weight)

    def _rules(self):
        """Return the checked rules of growth."""
        most = 1 if self.variant == "release8" else 0.5
        Number(numbers.Real, 0, most, "right").check("confidence", self.confidence)
        if self.variant == "release8":
            self._check_release8()
        return Rules(**{name: getattr(self, name) for name in Rules.__dataclass_fields__})

    def _check_release8(self):
        """Raise if a parameter asks for something that Release 8 does not have."""
        if self.pruning == "reduced_error":
            raise ValueError(
                "pruning must be 'error_based' or None with variant='release8', got "
                "'reduced_error': Quinlan's program prunes in no other way."
            )
        for name, declared in inspect.signature(C45Classifier).parameters.items():
            given, usual = getattr(self, name), declared.default
            if name not in RELEASE8_HAS and given != usual:
                raise ValueError(
                    f"{name} must be {usual!r} with variant='release8', got {given!r}: it is a "
                    "switch of variant='j48' alone."
                )


class Release8Table(Table):
    """A reader of numbers in 32 bits."""

    def encode(self, X, categories):
        """Encode a table, its numbers as Release 8 reads them."""
        numeric = [j for j in range(X.shape[1]) if not len(categories.get(j, ()))]
        return read_release8(super().encode(X, categories), numeric, X)


def whole_numbers(weight):
    """Return weights as the number of times that each row counts.

    >>> whole_numbers(np.array([1.0, 0.0, 2.0])).tolist()
    [1, 0, 2]
    """
    times = weight.astype(int)
    if (times != weight).any():
        raise ValueError(
            "sample_weight must be whole numbers with variant='release8', got "
            f"{weight[times != weight][0]}: Quinlan's program counts rows and knows no weights."
        )
    return times
