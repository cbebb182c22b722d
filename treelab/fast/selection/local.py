"""Locally adjusted importance (LAFI): proportion of the bins in which a feature is selected.

The rows, sorted by the target, are halved repeatedly. In each bin a selector selects features as if
there were no other rows. For each level of halving, the proportion of bins that select a feature is
computed; its mean over the levels is the importance of the feature, and features whose importance
exceeds a threshold are selected.

The bins depend on the target, which has another distribution within them. A feature that is
selected in high bins need not be useful for a row of which only the features are known.

Vocabulary
----------
level : 1 plus the number of times that the rows were halved; level l has 2 ** (l - 1) bins
share : proportion of the bins of a level in which a feature is selected
"""

import numbers
import warnings
from dataclasses import KW_ONLY, dataclass

import joblib
import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from treelab.fast.bagging import RandomForestRegressor
from treelab.fast.inputs import Number, OneOf, check_methods, check_number, parameter, read_numbers
from treelab.fast.results import Results
from treelab.fast.selection.base import from_best, in_parallel, places, rows_of
from treelab.fast.selection.clusters import TIES, draw_seeds, halved_bins
from treelab.fast.selection.genuer import GenuerSelector
from treelab.fast.selection.model_based import ForestSelector, draw_seed, seeded
from treelab.fast.tolerances import CLOSE

__all__ = ["LocalImportanceSelector", "local_importance_table", "null_selections"]

N_TREES, N_FORESTS = 25, 10  # of the default: an eighth of the trees of the source
LEVEL = 0.05  # of a test; fewer permutations than 20 cannot go below it


@dataclass(eq=False, repr=False)
class LocalImportanceSelector(ForestSelector):
    """Select the features that another selector selects in enough bins of the target (LAFI).

    Parameters
    ----------
    selector : selector, default=None
        Anything with `fit` and `get_support`, treelab's or scikit-learn's, for regression; each bin
        gets a clone. None: `GenuerSelector` with permutation importance and ten forests of 25 trees
        of depth 10. It takes five to ten seconds on a table of 442 rows and ten columns; the time
        grows with the rows, and faster than the number of columns. The source has 20 forests of 100
        trees, which take five to seven times as long, and the importance "mdi".
    n_levels : int, default=3
        The rows are halved ``n_levels - 1`` times, see `halved_bins`; the last level has
        ``2 ** (n_levels - 1)`` bins.
    threshold : float, default=0.2
        Features with a larger importance are selected; from 0 to 1.
    min_samples_bin : int, default=20
        In a bin with fewer rows, or with one target, no feature is selected, but it counts as a
        bin.
    ties : {"apart", "together"}, default="apart"
        Treatment of rows with the same target, see `response_bins`.
    random_state : int, RandomState instance or None, default=None
        Each bin draws a seed from it; None: from the `random_state` of the selector.
    n_jobs : int, default=None
        Number of workers for the bins, which does not change the result.
    verbose : int, default=0
        Whether a progress bar is shown.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
    importances_ : ndarray of shape (n_features,)
        Mean over the levels of the proportion of bins that select a feature.
    ranking_ : ndarray of int, shape (n_features,)
        1 for the largest importance, all different; ties go to the first feature.
    shares_ : ndarray of shape (n_levels, n_features)
    chosen_ : list of ndarray of bool, (n_bins, n_features)
        For each level, the features that its bins select.
    bins_ : list of list of ndarray of int
        For each level, the rows of its bins, from the lowest targets on.
    steps_, rounds_ : list of dict
        The rows of `steps_table` and `rounds_table`.

    See Also
    --------
    null_selections : the selection if the features are not informative.

    References
    ----------
    Niyaghi (2019), Localized variable selection with random forest, algorithm 4.3.

    Examples
    --------
    >>> from treelab.datasets import make_masked_sine
    >>> from treelab.fast.selection import FilterSelector
    >>> X, y = make_masked_sine(800, n_noise=2, random_state=0)
    >>> lafi = LocalImportanceSelector(FilterSelector("f", number=1)).fit(np.abs(X), y)
    >>> lafi.steps_table()
      feature  rank  level_1  level_2  level_3  importance   kept
    0      x0     1      1.0      1.0      1.0         1.0   True
    1      x1     2      0.0      0.0      0.0         0.0  False
    2      x2     3      0.0      0.0      0.0         0.0  False
    3      x3     4      0.0      0.0      0.0         0.0  False
    """

    selector: object = None
    _: KW_ONLY
    n_levels: int = parameter(3, Number(numbers.Integral, 1))
    threshold: float = parameter(0.2, Number(numbers.Real, 0, 1))
    min_samples_bin: int = parameter(20, Number(numbers.Integral, 1))
    ties: str = parameter("apart", OneOf(*TIES))

    def fit(self, X, y):
        """Select in every bin of every level.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
            As the selector takes it.
        y : array-like of shape (n_rows,)
            Numbers.
        """
        X, y = self._read_table(X, y)
        selector, generator = of_numbers(self._model()), self._generator()
        self.bins_ = halved_bins(y, self.n_levels, ties=self.ties)
        bins = [(level, b, rows) for level, all_ in enumerate(self.bins_, 1)
                for b, rows in enumerate(all_)]  # fmt: skip
        seeds = draw_seeds(generator, len(bins))
        searched = [
            len(rows) >= self.min_samples_bin and np.ptp(y[rows]) > 0 for _, _, rows in bins
        ]
        tasks = [
            joblib.delayed(_choose)(selector, X, y, rows, seed)
            for (_, _, rows), seed, ask in zip(bins, seeds, searched, strict=True)
            if ask
        ]
        found = iter(list(in_parallel(self, tasks, "bins")))
        masks = [next(found) if ask else np.zeros(X.shape[1], dtype=bool) for ask in searched]
        self.chosen_ = np.split(np.array(masks), np.cumsum([len(all_) for all_ in self.bins_])[:-1])
        names = self._feature_names()
        columns = _columns(self.chosen_, names, self.threshold)
        self.steps_ = _best_first(columns).to_dict("records")
        self.shares_ = np.array([all_.mean(axis=0) for all_ in self.chosen_])
        self.importances_, self.ranking_ = columns["importance"], columns["rank"]
        self.support_ = columns["kept"]
        level, b, rows = zip(*bins, strict=True)
        ends = {"low": [y[i[0]] for i in rows], "high": [y[i[-1]] for i in rows]}
        columns = {"level": level, "bin": b, "n_rows": [len(i) for i in rows]} | ends
        columns |= {"searched": searched, "n_features": np.sum(masks, axis=1)}
        self.rounds_ = rows_of(columns)
        return self

    def steps_table(self):
        """List the features from the most important one; DataFrame.

        ``feature``, ``rank``, the proportion of bins that select it, ``level_1``, ``level_2``, ...,
        the ``importance``, their mean, and whether it is ``kept``.
        """
        return super().steps_table()

    def rounds_table(self):
        """List the bins, level by level from the lowest targets on; DataFrame.

        ``level``, ``bin``, numbered from 0, ``n_rows``, ``low`` and ``high``, its smallest and
        largest target; whether it was ``searched``, and ``n_features``, the number of selected
        features.
        """
        return super().rounds_table()

    def bins_table(self):
        """List the bins that select a feature: True or False by level and bin; DataFrame.

        Indexed by feature, from the most important one; a column for each level and bin.
        """
        check_is_fitted(self)
        order = np.argsort(self.ranking_)
        columns = [(row["level"], row["bin"]) for row in self.rounds_]
        return pd.DataFrame(
            np.concatenate(self.chosen_).T[order],
            index=pd.Index([self._feature_names()[j] for j in order], name="feature"),
            columns=pd.MultiIndex.from_tuples(columns, names=["level", "bin"]),
        )

    def read_target(self, y):
        """Read the target as numbers; (n_rows,)."""
        return read_numbers(y)

    def _model(self):
        """Return the selector, or the default if it is None."""
        if self.selector is None:
            return GenuerSelector(RandomForestRegressor(N_TREES, max_depth=10), n_forests=N_FORESTS)
        check_methods("selector", self.selector, "fit", "get_support")
        return self.selector


def local_importance_table(chosen, *, names=None, threshold=0.2):
    """Compute the importance of features from the selections in the bins; the best first.

    Parameters
    ----------
    chosen : list of array-like of bool, (n_bins, n_features)
        For each level, the features that its bins select.
    names : sequence of str, default=None
        Names of the features; None: x0, x1, ...
    threshold : float, default=0.2
        Importance that a feature must exceed to be selected.

    Returns
    -------
    DataFrame
        As `LocalImportanceSelector.steps_table`.

    References
    ----------
    Niyaghi (2019), algorithm 4.3, table 4.1.

    Examples
    --------
    >>> chosen = [[[True, False]], [[True, True], [True, False]]]
    >>> local_importance_table(chosen, names=["x1", "x2"])
      feature  rank  level_1  level_2  importance  kept
    0      x1     1      1.0      1.0        1.00  True
    1      x2     2      0.0      0.5        0.25  True
    """
    if not len(chosen):
        raise ValueError("chosen must have one level or more.")
    levels = [np.asarray(level) for level in chosen]
    p = levels[0].shape[-1] if levels[0].ndim == 2 else -1
    for level in levels:
        if level.dtype != bool or level.ndim != 2 or level.shape[1] != p or not len(level):
            raise ValueError(
                "chosen must be arrays of bool, (n_bins, n_features), with equal n_features; got "
                f"{level.dtype}, {level.shape}."
            )
    names = [f"x{j}" for j in range(p)] if names is None else list(names)
    if len(names) != p:
        raise ValueError(f"names must be {p}, one for each feature, got {len(names)}.")
    return _best_first(_columns(levels, names, threshold))


def _columns(levels, names, threshold):
    """Return the columns of the table, in the order of the features; dict."""
    shares = np.array([level.mean(axis=0) for level in levels])  # (n_levels, n_features)
    importance = shares.mean(axis=0)
    return (
        {"feature": names, "rank": places(from_best(importance))}
        | {f"level_{i}": share for i, share in enumerate(shares, 1)}
        | {"importance": importance, "kept": importance > threshold + CLOSE}
    )


def _best_first(columns):
    return pd.DataFrame(columns).sort_values("rank", ignore_index=True)


def null_selections(
    selector, X, y, *, n_permutations=20, random_state=None, n_jobs=None, verbose=0
):
    """Fit a selector to shuffled targets, to see its selection if no feature is informative.

    A shuffled target has the same values, so the same bins by size and ties, but it is independent
    of the rows of `X`, while the features depend on each other as before.

    Parameters
    ----------
    selector : selector
        Anything with `fit` and `get_support`, such as `LocalImportanceSelector`; clones are
        fitted.
    X : array-like or DataFrame of shape (n_rows, n_features)
    y : array-like of shape (n_rows,)
    n_permutations : int, default=20
        With m of them no p-value is below ``1 / (m + 1)``. There is a warning unless that is below
        0.05, for which at least 20 are needed.
    random_state : int, RandomState instance or None, default=None
        Seed of the permutations and of the fits; None: the `random_state` of the selector.
    n_jobs : int, default=None
        Number of workers for the permutations.
    verbose : int, default=0
        Whether a progress bar is shown.

    Returns
    -------
    sklearn.utils.Bunch
        ``support``, (n_permutations, n_features), the masks, and ``n_selected``, (n_permutations,),
        the number of selected features. ``importances``, of the same shape as the masks: the
        `importances_` of the selector, or the masks as numbers if it has none. ``table``, a
        DataFrame with a row for each feature: ``feature``; ``kept`` and ``importance`` by the true
        target; ``null_kept``, the proportion of the permutations that select it, and
        ``null_importance``, its mean importance there; ``p``: 1 plus the number of permutations in
        which its importance is at least as large, divided by 1 plus the number of all; ``p_max``:
        the same with the largest importance of each permutation, which corrects for testing all
        features.

    Warns
    -----
    UserWarning
        If no p-value can be below 0.05; or if the largest importance is the same by the true target
        and by every shuffled one, so that each ``p_max`` is 1. This
        happens with the masks of a selector that keeps a fixed number of features and has no
        `importances_`.

    References
    ----------
    Westfall and Young (1993), Resampling-based multiple testing, for the largest of all.
    Phipson and Smyth (2010), for the 1 that is added.

    Examples
    --------
    >>> from treelab.datasets import make_masked_sine
    >>> from treelab.fast.selection import FilterSelector
    >>> X, y = make_masked_sine(400, n_noise=2, random_state=0)
    >>> lafi = LocalImportanceSelector(FilterSelector("f", number=1), n_levels=2)
    >>> null = null_selections(lafi, np.abs(X), y, n_permutations=20, random_state=0)
    >>> null.table[["feature", "kept", "importance", "null_kept", "p", "p_max"]].round(2)
      feature   kept  importance  null_kept     p  p_max
    0      x0   True         1.0       0.50  0.05    0.1
    1      x1  False         0.0       0.55  1.00    1.0
    2      x2  False         0.0       0.50  1.00    1.0
    3      x3  False         0.0       0.50  1.00    1.0
    """
    check_number(n_permutations, "n_permutations", numbers.Integral, min_val=1)
    if 1 / (n_permutations + 1) >= LEVEL:
        warnings.warn(
            f"n_permutations={n_permutations} gives no p-value below "
            f"{1 / (n_permutations + 1):.3g}. Use at least {int(1 / LEVEL)}.",
            UserWarning,
            stacklevel=2,
        )
    reader = LocalImportanceSelector(
        selector, random_state=random_state, n_jobs=n_jobs, verbose=verbose
    )
    X, y = reader._read_table(X, y)
    model, generator = reader._model(), reader._generator()
    targets, seeds = [y], [draw_seed(generator)]
    for _ in range(n_permutations):
        targets.append(generator.permutation(y))
        seeds.append(draw_seed(generator))
    fit, each = joblib.delayed(_keep), zip(targets, seeds, strict=True)
    fits = list(in_parallel(reader, [fit(model, X, *pair) for pair in each], "fits"))
    support, importances = (np.array(each) for each in zip(*fits, strict=True))
    true, null = importances[0], importances[1:]
    p_max = null.max(axis=1, keepdims=True)
    if true.max() > 0 and np.ptp(p_max) <= CLOSE and true.max() <= p_max[0, 0] + CLOSE:
        warnings.warn(
            f"The largest importance is {true.max():.3g} for every target, shuffled or not, so "
            "that p_max is 1 for all features. A selector that keeps a fixed number of features "
            "cannot be tested in this way: let it decide how many it keeps.",
            UserWarning,
            stacklevel=2,
        )
    table = pd.DataFrame(
        {
            "feature": reader._feature_names(),
            "kept": support[0],
            "importance": true,
            "null_kept": support[1:].mean(axis=0),
            "null_importance": null.mean(axis=0),
            "p": _p_value(null, true),
            "p_max": _p_value(p_max, true),
        }
    )
    return Results(
        support=support[1:], n_selected=support[1:].sum(axis=1), importances=null, table=table
    )


def _p_value(null, true):
    """Return 1 plus the number of null values at least as large, over 1 plus their number."""
    return (1 + np.sum(null >= true - CLOSE, axis=0)) / (1 + len(null))


def of_numbers(selector):
    """Set the `task` of a selector, and of its parts, to regression where it is "auto".

    A small bin of a target of whole numbers may hold so few of them that they look like classes.
    """
    guessed = {
        name: "regression"
        for name, value in selector.get_params().items()
        if name.split("__")[-1] == "task" and isinstance(value, str) and value == "auto"
    }
    return clone(selector).set_params(**guessed) if guessed else selector


def _choose(selector, X, y, rows, seed):
    """Return the mask of the features that a selector selects on some rows."""
    fitted = seeded(selector, seed).fit(_safe_indexing(X, rows), y[rows])
    return np.asarray(fitted.get_support(), dtype=bool)


def _keep(selector, X, y, seed):
    """Return the mask of a selector and its importances, or the mask as numbers."""
    fitted = seeded(selector, seed).fit(X, y)
    mask = np.asarray(fitted.get_support(), dtype=bool)
    return mask, np.asarray(getattr(fitted, "importances_", mask), dtype=float)
