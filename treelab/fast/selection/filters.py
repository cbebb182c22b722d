"""Filters: one score for each feature, computed from the feature and the target alone.

Vocabulary
----------
measure : the score that is computed; `MEASURES` lists them
score : the larger, the better; for the correlation its absolute value
rank : 1 for the best, the first feature in a tie
"""

import numbers
from dataclasses import KW_ONLY, dataclass

import numpy as np
import pandas as pd
from scipy.special import fdtrc
from sklearn.feature_selection import r_regression

from treelab.fast.information import information_of, uncertainty_of
from treelab.fast.inputs import Number, OneOf, parameter, read_numbers
from treelab.fast.selection.base import LevelSelector, LevelTable, from_best, places, warn_of_tie

__all__ = ["MEASURES", "FilterSelector", "filter_table"]

NUMERIC = ("variance", "pearson", "f")
MEASURES = (*NUMERIC, "mutual_information", "gain_ratio", "symmetrical_uncertainty")


def filter_table(X, y=None, measure="symmetrical_uncertainty", **settings):
    """List the score of each feature by itself, with the arithmetic.

    Parameters
    ----------
    X : array-like or DataFrame of shape (n_rows, n_features)
        Columns of text or truth values, and pandas categoricals, are categorical.
    y : array-like of shape (n_rows,), default=None
        Classes or numbers; only numbers for "pearson" and "f"; none for "variance".
    measure : {"variance", "pearson", "f", "mutual_information", "gain_ratio", \
"symmetrical_uncertainty"}, default="symmetrical_uncertainty"
        "variance": mean square around the mean, in the feature's own unit squared. "pearson": the
        correlation r, ranked by its absolute value, 0 for a constant. "f": (n - 2) r^2 / (1 - r^2),
        the F statistic of a line. The others are those of `treelab.fast.information`; the gain
        ratio is I / H(feature).
    **settings
        Of a `FilterSelector`: `missing`, `discretize`, `categorical_features`, `task` and `n_bins`.

    Returns
    -------
    DataFrame
        A row for each feature: ``feature``, the arithmetic, ``score`` and ``rank``. The arithmetic
        is ``n`` known rows, ``mean`` and ``variance``; ``n``, ``r`` and, for "f", ``p_value``; or
        ``levels``, the entropies ``H_feature``, ``H_target`` and ``H_both`` in bits, and
        ``mutual_information``.

    References
    ----------
    Quinlan (1986), section 7; Yu and Liu (2003); Alonso Liso (2016), section 3.2.2.

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> X, y = load_mushrooms(return_X_y=True)
    >>> filter_table(X, y)[["feature", "mutual_information", "score", "rank"]].round(3)
      feature  mutual_information  score  rank
    0   color               0.247  0.196     1
    1    size               0.152  0.157     2
    2   spots               0.048  0.050     3
    """
    return pd.DataFrame(FilterSelector(measure, **settings)._arithmetic(X, y))


@dataclass(eq=False, repr=False)
class FilterSelector(LevelSelector):
    """Select the features with the best scores.

    Parameters
    ----------
    measure : str, default="symmetrical_uncertainty"
        One of those of `filter_table`.
    number : int, default=None
        Number of features to select. If scores are tied at the border, the first columns are
        selected, and a warning names them.
    percentage : float, default=None
        Percentage of features to select, rounded down, and at least one.
    threshold : float, default=None
        Select the features with a larger score. At most one of the three may be given; if none is,
        the threshold is 0.
    missing : {"error", "share", "level", "pairs"}, default="error"
        Treatment of a missing value, as in `treelab.fast.information.entropy_of`. The first three
        measures allow "error" and "pairs", the rows in which the feature is known.
    discretize : {"mdl", "quantile", None}, default="mdl"
        Discretization of numbers: by `treelab.fast.information.mdl_cuts` (supervised), into about
        n^(1/3) bins of equal size, or each number as it is.
    categorical_features : None, "from_dtype", "all" or array-like, default=None
        Further columns that are categorical, such as codes; as in
        `treelab.fast.inputs.find_categorical`.
    task : {"auto", "classification", "regression"}, default="auto"
        Task of `y` for the last three measures; "auto" applies the rule of
        `treelab.fast.inputs.find_task`: numbers with fractions and more than 20 distinct whole
        numbers are a regression target. The other measures always read numbers.
    n_bins : int, default=5
        At least 2. A regression target is cut into this many bins of about equal size, fewer if
        values repeat, and each bin counts as a class.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
    ranking_ : ndarray of int, shape (n_features,)
        1 for the best feature.
    support_ : ndarray of bool, shape (n_features,)
    cuts_ : dict of int to ndarray
        Cut points of the numeric columns, by column number, if they were discretized.
    task_ : {"classification", "regression"}
        Task as which the target was read, for a measure that depends on it.
    target_cuts_ : ndarray or None
        Cut points between the bins of a regression target.

    Examples
    --------
    >>> from treelab.datasets import load_mushrooms
    >>> X, y = load_mushrooms(return_X_y=True)
    >>> FilterSelector(number=2).fit(X, y).get_feature_names_out().tolist()
    ['color', 'size']

    The progress of diabetes takes 214 whole values, so it is a regression target:

    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> best = FilterSelector("mutual_information", number=3).fit(X, y)
    >>> best.get_feature_names_out().tolist(), best.task_, best.target_cuts_.tolist()
    (['bmi', 's4', 's5'], 'regression', [77.0, 115.0, 168.0, 232.0])
    """

    measure: str = parameter("symmetrical_uncertainty", OneOf(*MEASURES))
    _: KW_ONLY
    number: int | None = parameter(None, Number(numbers.Integral, 1, optional=True))
    percentage: float | None = parameter(None, Number(numbers.Real, 0, 100, "right", optional=True))
    threshold: float | None = parameter(None, Number(numbers.Real, optional=True))

    def fit(self, X, y=None):
        """Score the features of `X` (n_rows, n_features) by `y` (n_rows,), and return self."""
        self._check_amount()
        table = self._arithmetic(X, y)
        self.scores_, self.ranking_ = table["score"], table["rank"]
        if self.threshold is not None or self.number is None and self.percentage is None:
            self.support_ = self.scores_ > (self.threshold or 0)
        else:
            self.support_ = self.ranking_ <= self._number_of(len(self.scores_))
            warn_of_tie(self.scores_, self.support_, table["feature"])
        table["kept"] = self.support_
        order = np.argsort(self.ranking_)
        self.steps_ = pd.DataFrame(table).iloc[order].to_dict("records")
        return self

    def _arithmetic(self, X, y):
        """Compute the columns of `filter_table`; dict of str to ndarray."""
        if self.measure in NUMERIC:
            columns = self._numbers(X, y)
        else:
            levels = self._read_levels(X, y)
            d = self.n_features_in_
            H = levels.entropies(d, np.arange(d), self.missing)
            columns = {
                "levels": levels.n_levels[:-1],
                **dict(zip(("H_feature", "H_target", "H_both"), H)),
                "mutual_information": information_of(*H),
            }
            columns["score"] = columns["mutual_information"]
            if self.measure == "gain_ratio":
                columns["score"] = np.divide(
                    columns["score"], H[0], out=np.zeros_like(H[0]), where=H[0] > 0
                )
            elif self.measure == "symmetrical_uncertainty":
                columns["score"] = uncertainty_of(*H)
        rank = places(from_best(columns["score"]))
        return {"feature": self._feature_names(), **columns, "rank": rank}

    def _numbers(self, X, y):
        """Compute the columns of variance, correlation and F."""
        if self.missing not in ("error", "pairs"):
            raise ValueError(
                f"missing must be 'error' or 'pairs' with measure={self.measure!r}, got "
                f"{self.missing!r}: numbers have no levels."
            )
        table, y, _ = self.table.fit(X, y)
        known = ~np.isnan(table)
        n = known.sum(axis=0)
        if not n.all():
            name = self._feature_names()[int((n == 0).argmax())]
            raise ValueError(f"X has no known value in column {name!r}.")
        if self.measure == "variance":
            parts = [x[rows] for x, rows in zip(table.T, known.T)]
            mean, variance = (np.array([f(x) for x in parts]) for f in (np.mean, np.var))
            variance[[x.min() == x.max() for x in parts]] = 0.0  # and not what rounding leaves
            return {"n": n, "mean": mean, "variance": variance, "score": variance}
        least = 2 if self.measure == "pearson" else 3
        if n.min() < least:
            raise ValueError(
                f"measure={self.measure!r} needs at least {least} rows with a known value, got "
                f"n_samples = {n.min()}."
            )
        r = np.zeros(table.shape[1])
        whole = known.all(axis=0)
        if whole.any():
            r[whole] = correlation(table[:, whole], y)
        for j in np.flatnonzero(~whole):
            r[j] = correlation(table[known[:, j], j : j + 1], y[known[:, j]])[0]
        if self.measure == "pearson":
            return {"n": n, "r": r, "score": np.abs(r)}
        with np.errstate(divide="ignore"):
            F = r**2 / (1 - r**2) * (n - 2)
        return {"n": n, "r": r, "p_value": fdtrc(1, n - 2, F), "score": F}

    def read_target(self, y):
        """Read the target as codes or numbers, or not at all for the variance; (n_rows,)."""
        if self.measure == "variance":
            return None
        if self.measure not in NUMERIC:
            return super().read_target(y)
        y = read_numbers(y)
        if (y == y[0]).all() and len(y) > 2:
            raise ValueError(f"y is {y[0]:g} in all rows: there is nothing to correlate with.")
        return y

    @property
    def table(self):
        """The reader of its tables; `treelab.fast.inputs.Table`."""
        kind = NumberTable if self.measure in NUMERIC else LevelTable
        return kind(self, self.read_target, text=True, missing=self.missing != "error")

    def _check_amount(self):
        """Raise if more than one of number, percentage and threshold is given."""
        given = [n for n in ("number", "percentage", "threshold") if getattr(self, n) is not None]
        if len(given) > 1:
            raise ValueError(f"Give one of number, percentage and threshold, got {given}.")

    def _number_of(self, n_features):
        """Return the number of features to select."""
        if self.number is None:
            return max(1, int(n_features * self.percentage / 100 + 1e-9))
        if self.number > n_features:
            raise ValueError(f"number is {self.number}, but X has only {n_features} features.")
        return self.number

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.measure != "variance"
        return tags


def correlation(X, y):
    """Compute Pearson's r of each column of numbers with `y`, 0 for a constant; (n_features,)."""
    X = X - X.mean(axis=0)  # or columns far from zero lose digits
    constant = np.ptp(X, axis=0) == 0
    r = r_regression(np.where(constant, 0.0, X), y, force_finite=True)
    return np.where(constant, 0.0, np.clip(r, -1, 1))


class NumberTable(LevelTable):
    """Reader of numbers only."""

    def find_categories(self, X):
        """Find no categories: every column holds numbers."""
        return {}
