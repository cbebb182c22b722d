"""Boruta: select the features that are more important than chance would make them.

Each feature gets a *shadow*, a copy with its values in another order, which is related to the
target by chance alone. One forest is fitted on features and shadows, and the most important shadow
sets the threshold. A feature above the threshold scores a hit. The run is repeated with new shadows
until the number of hits of each feature is too large or too small to be due to chance; rejected
features are removed together with their shadows.

A feature exactly as good as the threshold would win a run with probability 1/2, so its number of
hits would be binomial, like the number of heads in as many tosses of a coin. Many hits speak for
the feature, few against it. Because many features are tested, each of them after every run, the
p-values are corrected for multiple testing.

Vocabulary
----------
run : new shadows, one forest, one importance for each feature
shadow : a feature with its values in another order
threshold : largest importance of a shadow in a run, or a percentile of these importances
hits : number of runs that a feature has won; r : number of runs so far
p_confirm : probability of at least so many hits by chance; p_reject : of at most so many
bh : a p-value after the correction of Benjamini and Hochberg for the other features
level : largest p-value that decides
state : "confirmed", "tentative" or "rejected"
verdict : 1, 0 or -1 for the same
"""

import numbers
import warnings
from dataclasses import KW_ONLY, dataclass

import numpy as np
import pandas as pd
from scipy.stats import binom, false_discovery_control, rankdata
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from treelab.fast.importance import oob_permutation_importance
from treelab.fast.inputs import Number, OneOf, parameter
from treelab.fast.selection.base import some_of
from treelab.fast.selection.model_based import (
    HIGHEST_SEED,
    IMPORTANCES,
    ForestSelector,
    draw_seed,
    importances_of,
    seeded,
)
from treelab.fast.selection.shadows import draw_shadows, with_shadows

__all__ = ["Boruta", "decisions"]

STATES = np.array(["tentative", "confirmed", "rejected"], dtype=object)  # STATES[verdict]


@dataclass(eq=False, repr=False)
class Boruta(ForestSelector):
    """Select all the features that are more important than shuffled ones.

    Parameters
    ----------
    estimator : estimator, default=None
        Any classifier or regressor with importances; None: `RandomForestClassifier` or
        `RandomForestRegressor`, by the task. A forest of shallow trees, of a depth from 3 to 7, is
        fast, and its importances vary little.
    perc : float, default=100
        The threshold is this percentile of the importances of the shadows: 100 is the largest.
        With 50, the median, half of the noise features win a run.
    importance : {"mdi", "oob"}, default="mdi"
        "mdi": the importances of the estimator itself. "oob": out-of-bag permutation importance
        over its standard error, as in the R package; for forests.
    two_step : bool, default=True
        Correction for multiple testing. True: in run r a p-value must be at most alpha / r, and at
        most alpha after the correction of Benjamini and Hochberg for the features that take part.
        False: at most alpha / n_features in each run (Bonferroni).
    alpha : float, default=0.05
        Level of the tests, above 0 and at most 1. The R package has 0.01 and Bonferroni.
    max_runs : int, default=100
        Maximum number of runs, after which features may still be tentative.
    random_state : int, RandomState or None, default=None
        None: that of the estimator.
    n_jobs : int, default=None
        Number of workers of the estimator, which does not change the result.
    verbose : int, default=0
        Whether a progress bar is shown.
    task : {"auto", "classification", "regression"}, default="auto"
        As in `ForestRFE`.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_columns,)
        Confirmed features, and with the rough fix those of `support_weak_`.
    support_weak_ : ndarray of bool, shape (n_columns,)
        Tentative features whose median importance is above the median threshold.
    states_ : ndarray of str, shape (n_columns,)
        "confirmed", "tentative" or "rejected", as the tests decided.
    ranking_ : ndarray of int, shape (n_columns,)
        1 for confirmed features, 2 for those of `support_weak_`, then the others by their median
        rank among themselves in the runs in which they took part.
    importance_history_ : ndarray of shape (n_runs, n_columns)
        NaN after the run that rejected a feature.
    n_runs_ : int
    steps_, rounds_ : list of dict
        The rows of `steps_table` and `rounds_table`.

    Notes
    -----
    A tie with the threshold is no hit, so that constant features are rejected. Fewer than five
    features have several shadows each.

    The test is whether a feature wins more than half of the runs *on these rows*. Shadows are drawn
    anew in each run, but the rows are not, and noise that is correlated with the target by chance
    is so in every run. Therefore alpha does not bound the probability that a noise feature is
    confirmed.

    A `ConvergenceWarning` names the features that are tentative at the end.

    References
    ----------
    Kursa and Rudnicki (2010), Feature selection with the Boruta package. The percentile and the
    two steps were introduced by the Python package BorutaPy.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import RandomForestClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> X["noise"] = np.random.default_rng(0).normal(size=150)
    >>> boruta = Boruta(RandomForestClassifier(20, max_depth=3), random_state=0).fit(X, y)
    >>> boruta.states_.tolist(), boruta.n_runs_
    (['confirmed', 'confirmed', 'confirmed', 'confirmed', 'rejected'], 37)
    """

    estimator: object = None
    _: KW_ONLY
    perc: int = parameter(100, Number(numbers.Real, 0, 100, "right"))
    importance: str = parameter("mdi", OneOf(*IMPORTANCES))
    two_step: bool = True
    alpha: float = parameter(0.05, Number(numbers.Real, 0, 1, "right"))
    max_runs: int = parameter(100, Number(numbers.Integral, 1))
    task: str = "auto"

    def fit(self, X, y):
        """Run until no feature is tentative, or `max_runs` times.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
            Classes or numbers, depending on the estimator.
        """
        X, y = self._read_table(X, y)
        if len(y) < 2:
            raise ValueError(f"X has {len(y)} sample, and shuffling needs 2 or more.")
        p, seed = X.shape[1], draw_seed(self._generator())
        verdict, hits, self._runs = np.zeros(p, dtype=int), np.zeros(p, dtype=int), []
        for r in self._bar(range(1, self.max_runs + 1), self.max_runs, "runs"):
            columns = np.flatnonzero(verdict >= 0)
            run = self._run(X, y, columns, np.random.default_rng([seed, r]))
            hits[columns] += run["hit"]
            tests = decisions(hits[columns], r, p, alpha=self.alpha, two_step=self.two_step)
            new = tests.pop("verdict")
            verdict[columns] = np.where(verdict[columns] == 0, new, verdict[columns])
            self._runs.append(run | {"hits": hits[columns], **tests, "verdict": verdict[columns]})
            if (verdict != 0).all():
                break
        self._conclude(verdict)
        self._warn_of(verdict == 0)
        return self

    def _run(self, X, y, columns, generator):
        """Draw shadows and fit once; return importances, threshold and hits."""
        casting, orders = draw_shadows(columns, len(y), generator)
        seed = int(generator.integers(HIGHEST_SEED))
        estimator, table = with_shadows(self._worker(), X, columns, casting, orders)
        model = seeded(estimator, seed).fit(table, y)
        if self.importance == "oob":
            found = oob_permutation_importance(model, table, y, random_state=seed).scaled
        else:
            found = importances_of(model, table, y, "mdi", seed)
        mine, shadows = np.split(found, [len(columns)])
        # the largest importance itself: a percentile is interpolated, and rounded
        threshold = shadows.max() if self.perc == 100 else np.percentile(shadows, self.perc)
        run = {"columns": columns, "shadows": shadows, "importance": mine}
        return run | {"threshold": float(threshold), "hit": mine > threshold}

    def _conclude(self, verdict):
        """Set the attributes from the runs."""
        open_, threshold = verdict == 0, np.median([run["threshold"] for run in self._runs])
        self.n_runs_ = len(self._runs)
        self.states_ = STATES[verdict]
        self.importance_history_ = history = np.full((self.n_runs_, len(verdict)), np.nan)
        for row, run in zip(history, self._runs, strict=True):
            row[run["columns"]] = run["importance"]
        self.support_weak_ = np.zeros(len(verdict), dtype=bool)
        self.support_weak_[open_] = np.median(history[:, open_], axis=0) > threshold
        self.support_ = verdict == 1
        self.ranking_ = _ranking(history, verdict == 1, self.support_weak_)
        self.rounds_ = [self._round(r, run) for r, run in enumerate(self._runs, 1)]
        self.steps_ = self._steps()

    def _warn_of(self, open_):
        """Warn of tentative features, unless the rough fix decides on them."""
        if not open_.any():
            return
        names = [str(self._feature_names()[j]) for j in np.flatnonzero(open_)]
        warnings.warn(
            f"After max_runs={self.max_runs} runs {len(names)} of {len(open_)} features are "
            f"tentative and not kept: {some_of(names)}. More runs may decide.",
            ConvergenceWarning,
            stacklevel=3,
        )

    def _round(self, r, run):
        """Return a row of the table of rounds."""
        shadows, threshold = run["shadows"], run["threshold"]
        row = {"run": r, "n_columns": len(run["columns"]), "n_shadows": len(shadows)}
        row |= {f"shadow_{of}": float(getattr(shadows, of)()) for of in ("min", "mean", "max")}
        row |= {"threshold": threshold, "n_hits": int(run["hit"].sum())}
        row["confirmed"], row["tentative"] = [int((run["verdict"] == s).sum()) for s in (1, 0)]
        rejected = self.n_features_in_ - row["confirmed"] - row["tentative"]
        return row | {"rejected": rejected}

    def _steps(self):
        """Return for each feature the row of `hits_table` with the test that decided on it."""
        table = self.hits_table().drop(columns=["importance", "threshold", "hit"])
        number = np.concatenate([run["columns"] for run in self._runs])
        table["kept"] = self.support_[number]
        decided = (table["state"] != "tentative").to_numpy()
        first = ~pd.Series(number).where(decided).duplicated() & decided  # a decision stands
        open_ = ~decided & (table["run"] == self.n_runs_)
        return pd.concat([table[first], table[open_]]).to_dict("records")

    def steps_table(self):
        """List the tests that decided, feature by feature, in the order of the runs; DataFrame.

        Columns as in `hits_table`, and whether the feature is ``kept``. Features that are tentative
        after the last run are at the end.
        """
        return super().steps_table()

    def rounds_table(self):
        """List the runs, one row for each; DataFrame.

        ``n_columns`` that took part and ``n_shadows``; the smallest, mean and largest importance of
        a shadow and the ``threshold``; ``n_hits``, the number of features above it; the numbers of
        features ``confirmed``, ``tentative`` and ``rejected`` after the run.
        """
        return super().rounds_table()

    def hits_table(self):
        """List each feature in each run in which it took part, with its tests; DataFrame.

        ``run``, ``feature``, ``importance``, ``threshold``, ``hit``, and the ``hits`` so far.
        ``p_confirm`` and ``p_reject``: the probability of at least, and of at most, so many hits by
        chance. ``level``: the largest p-value that decides. With two steps, ``bh_confirm`` and
        ``bh_reject``, the p-values corrected for the features, which must be at most alpha. The
        ``state`` after the run.
        """
        check_is_fitted(self)
        names = np.array(self._feature_names(), dtype=object)
        parts = []
        for r, run in enumerate(self._runs, 1):
            rest = {k: v for k, v in run.items() if k not in ("columns", "shadows", "verdict")}
            first = {"run": r, "feature": names[run["columns"]]}
            parts.append(pd.DataFrame(first | rest | {"state": STATES[run["verdict"]]}))
        return pd.concat(parts, ignore_index=True)


def _ranking(history, confirmed, weak):
    """Rank confirmed features 1, weak ones 2, then the others by their median rank."""
    ranking = np.where(confirmed, 1, 2)
    others = ~confirmed & ~weak
    if others.any():
        ranks = rankdata(-history[:, others], axis=1, nan_policy="omit")
        places = rankdata(np.nanmedian(ranks, axis=0), method="min").astype(int)
        ranking[others] = places + 1 + weak.any()
    return ranking


def decisions(hits, r, n_features, *, alpha=0.05, two_step=True):
    """Test the hits of each column after r runs; dict of ndarrays (n_columns,).

    Parameters
    ----------
    hits : array-like of int, shape (n_columns,)
        Hits of the columns that still take part, confirmed ones included.
    r : int
        Number of runs.
    n_features : int
        Number of columns at the start, by which Bonferroni's correction divides.
    alpha, two_step
        As in `Boruta`.

    Returns
    -------
    dict
        ``p_confirm``, ``p_reject`` and ``level``, one number; with two steps, ``bh_confirm`` and
        ``bh_reject``; ``verdict``, 1 to confirm, -1 to reject, 0 for neither.

    References
    ----------
    Kursa and Rudnicki (2010), Feature selection with the Boruta package. Benjamini and Hochberg
    (1995), Controlling the false discovery rate.

    Examples
    --------
    Of four columns after nine runs, one has won them all, which has a probability of 1/512 by
    chance.

    >>> found = decisions([9, 6, 2, 0], 9, 4, alpha=0.01, two_step=False)
    >>> found["p_confirm"].round(5).tolist(), found["level"]
    ([0.00195, 0.25391, 0.98047, 1.0], 0.0025)
    >>> found["verdict"].tolist()
    [1, 0, 0, -1]
    """
    hits = np.asarray(hits)
    found = {
        "p_confirm": binom.sf(hits - 1, r, 0.5),
        "p_reject": binom.cdf(hits, r, 0.5),
        "level": alpha / (r if two_step else n_features),
    }
    passes = {side: found[f"p_{side}"] <= found["level"] for side in ("confirm", "reject")}
    if two_step:
        for side in passes:
            found[f"bh_{side}"] = false_discovery_control(found[f"p_{side}"])
            passes[side] &= found[f"bh_{side}"] <= alpha
    return found | {"verdict": passes["confirm"].astype(int) - passes["reject"]}
