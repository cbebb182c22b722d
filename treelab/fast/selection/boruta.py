"""Boruta: is a column more important than luck would make it?

Luck is put into the data. Each column gets a shadow, a copy with its values in another order. One
forest is fitted on columns and shadows, and the best shadow sets the bar. A column that is above it
scores a hit. Runs follow, with new shadows, until the hits of each column are too many or too
few for a coin; the columns that are rejected leave, and so do their shadows.

Vocabulary
----------
run : new shadows, one forest, one importance for each column
threshold : the bar of a run, the largest importance of a shadow or a percentile
state : "confirmed", "tentative" or "rejected"
verdict : 1, 0 or -1 for the same
"""

import numbers
import warnings

import numpy as np
import pandas as pd
from scipy.stats import rankdata
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from treelab.fast.importance import oob_permutation_importance
from treelab.fast.selection.base import check_number, some_of
from treelab.fast.selection.forests import (
    HIGHEST_SEED,
    IMPORTANCES,
    ForestSelector,
    draw_seed,
    importances_of,
    seeded,
)
from treelab.fast.selection.shadows import RankedForest, decisions, draw_shadows, with_shadows

__all__ = ["Boruta"]

STATES = np.array(["tentative", "confirmed", "rejected"], dtype=object)  # STATES[verdict]


class Boruta(ForestSelector):
    """Keep all the features that are more important than shuffled ones.

    Parameters
    ----------
    estimator : estimator, default=None
        Any with importances, for classes or for numbers; None: `RandomForestClassifier` or
        `RandomForestRegressor`, by the task. A forest of shallow trees, of a depth from 3 to 7, is
        fast and steady.
    perc : float, default=100
        The threshold is this percentile of the importances of the shadows: 100 is the largest.
        By 50, the median, half of all columns of noise win a run.
    importance : {"mdi", "oob"}, default="mdi"
        "mdi": the estimator's own importances. "oob": permutation importance out of bag over its
        standard error, which R's program takes; for forests.
    two_step : bool, default=True
        How the tests pay for being many. True: in run r a p-value must be at most alpha / r, and
        at most alpha after Benjamini and Hochberg's correction for the columns that take part.
        False: at most alpha / n_features, as Bonferroni has it, in each run.
    alpha : float, default=0.05
        Level of the tests, above 0 and at most 1. R's program has 0.01 and Bonferroni.
    max_runs : int, default=100
        Stop after so many runs, whatever is tentative.
    rough_fix : bool, default=False
        Keep also tentative features whose median importance is above the median threshold.
    random_state : int, RandomState or None, default=None
        None: that of the estimator.
    n_jobs : int, default=None
        Workers of the estimator; the result is the same for any number.
    verbose : int, default=0
        Show a progress bar.
    task : {"auto", "classification", "regression"}, default="auto"
        What `y` is. "auto": what the estimator is for, and without an estimator the rule of
        `treelab.fast.inputs.find_task`: numbers with fractions and more than 20 distinct whole
        numbers are a regression target.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_columns,)
        Confirmed features, and with the rough fix those of `support_weak_`.
    support_weak_ : ndarray of bool, shape (n_columns,)
        Tentative features whose median importance is above the median threshold.
    states_ : ndarray of str, shape (n_columns,)
        "confirmed", "tentative" or "rejected", as the tests decided.
    ranking_ : ndarray of int, shape (n_columns,)
        1 for confirmed features, 2 for those of `support_weak_`, then the others by the median of
        their ranks among each other in the runs in which they took part.
    importance_history_ : ndarray of shape (n_runs, n_columns)
        NaN after the run that rejected a feature.
    n_runs_ : int
    steps_, rounds_ : list of dict
        The rows of `steps_table` and `rounds_table`.

    Notes
    -----
    A tie with the threshold is no hit, so that constant columns are rejected. Fewer than five
    columns have several shadows each.

    What is tested is whether a column wins more than half of the runs *on these rows*. Shadows are
    drawn anew in each run, the rows are not: noise that goes with the target by luck does so in
    every run. So alpha does not bound the chance that a column of noise is confirmed.

    A `ConvergenceWarning` names what is tentative at the end.

    References
    ----------
    Kursa and Rudnicki (2010), Feature selection with the Boruta package. The percentile and the
    two steps are those of the program BorutaPy.

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

    _choices = {"importance": IMPORTANCES}

    def __init__(
        self, estimator=None, *, perc=100, importance="mdi", two_step=True, alpha=0.05,
        max_runs=100, rough_fix=False, random_state=None, n_jobs=None, verbose=0, task="auto",
    ):  # fmt: skip
        self.estimator = estimator
        self.perc = perc
        self.importance = importance
        self.two_step = two_step
        self.alpha = alpha
        self.max_runs = max_runs
        self.rough_fix = rough_fix
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.task = task

    def fit(self, X, y):
        """Run until nothing is tentative, or `max_runs` times.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
            Classes or numbers, as the estimator is.
        """
        X, y = self._read_table(X, y)
        self._check(len(y))
        p, seed, ranked = X.shape[1], draw_seed(self._generator()), None
        if self.importance == "mdi" and RankedForest.suits(self._model()):
            ranked = RankedForest(self._worker(), X, y)
        verdict, hits, self._runs = np.zeros(p, dtype=int), np.zeros(p, dtype=int), []
        for r in self._bar(range(1, self.max_runs + 1), self.max_runs, "runs"):
            columns = np.flatnonzero(verdict >= 0)
            run = self._run(X, y, ranked, columns, np.random.default_rng([seed, r]))
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

    def _worker(self):
        """The estimator with this number of workers."""
        estimator = self._model()
        if self.n_jobs is not None and "n_jobs" in estimator.get_params():
            estimator = clone(estimator).set_params(n_jobs=self.n_jobs)
        return estimator

    def _check(self, n):
        """Raise where a parameter cannot be meant, or there is nothing to shuffle."""
        if n < 2:
            raise ValueError(f"X has {n} sample, and shuffling needs 2 or more.")
        share = {"min_val": 0, "include_boundaries": "right"}
        check_number(self.perc, "perc", numbers.Real, max_val=100, **share)
        check_number(self.alpha, "alpha", numbers.Real, max_val=1, **share)
        check_number(self.max_runs, "max_runs", numbers.Integral, min_val=1)

    def _run(self, X, y, ranked, columns, generator):
        """One run: shadows and a fit; importances, threshold and hits."""
        casting, orders = draw_shadows(columns, len(y), generator)
        seed = int(generator.integers(HIGHEST_SEED))
        if ranked is not None:
            found = ranked.importances(columns, casting, orders, seed)
        else:
            estimator, table = with_shadows(self._worker(), X, columns, casting, orders)
            model = seeded(estimator, seed).fit(table, y)
            if self.importance == "oob":
                found = oob_permutation_importance(model, table, y, random_state=seed).scaled
            else:
                found = importances_of(model, table, y, "mdi", seed)
        mine, shadows = np.split(found, [len(columns)])
        # the largest itself, as it is: a percentile would be computed from two, rounded
        threshold = shadows.max() if self.perc == 100 else np.percentile(shadows, self.perc)
        return {
            "columns": columns,
            "shadows": shadows,
            "importance": mine,
            "threshold": float(threshold),
            "hit": mine > threshold,
        }

    def _conclude(self, verdict):
        """Set the attributes from the runs."""
        open_, bar = verdict == 0, np.median([run["threshold"] for run in self._runs])
        self.n_runs_ = len(self._runs)
        self.states_ = STATES[verdict]
        self.importance_history_ = history = np.full((self.n_runs_, len(verdict)), np.nan)
        for row, run in zip(history, self._runs, strict=True):
            row[run["columns"]] = run["importance"]
        self.support_weak_ = np.zeros(len(verdict), dtype=bool)
        self.support_weak_[open_] = np.median(history[:, open_], axis=0) > bar
        self.support_ = verdict == 1
        if self.rough_fix:
            self.support_ = self.support_ | self.support_weak_
        self.ranking_ = _ranking(history, verdict == 1, self.support_weak_)
        self.rounds_ = [self._round(r, run) for r, run in enumerate(self._runs, 1)]
        self.steps_ = self._steps()

    def _warn_of(self, open_):
        """Say what is tentative, unless the rough fix decides it."""
        if self.rough_fix or not open_.any():
            return
        names = [str(self._feature_names()[j]) for j in np.flatnonzero(open_)]
        warnings.warn(
            f"After max_runs={self.max_runs} runs {len(names)} of {len(open_)} features are "
            f"tentative and not kept: {some_of(names)}. More runs may decide, or rough_fix=True.",
            ConvergenceWarning,
            stacklevel=3,
        )

    def _round(self, r, run):
        """A row of the table of rounds."""
        shadows, k = run["shadows"], len(run["columns"])
        confirmed, tentative = [int((run["verdict"] == state).sum()) for state in (1, 0)]
        return {
            "run": r,
            "n_columns": k,
            "n_shadows": len(shadows),
            "shadow_min": float(shadows.min()),
            "shadow_mean": float(shadows.mean()),
            "shadow_max": float(shadows.max()),
            "threshold": run["threshold"],
            "n_hits": int(run["hit"].sum()),
            "confirmed": confirmed,
            "tentative": tentative,
            "rejected": self.n_features_in_ - confirmed - tentative,
        }

    def _steps(self):
        """Of the rows of `hits_table`, for each feature that of the test that decided it."""
        table = self.hits_table().drop(columns=["importance", "threshold", "hit"])
        number = np.concatenate([run["columns"] for run in self._runs])
        table["kept"] = self.support_[number]
        decided = (table["state"] != "tentative").to_numpy()
        first = ~pd.Series(number).where(decided).duplicated() & decided  # a decision stands
        open_ = ~decided & (table["run"] == self.n_runs_)
        return pd.concat([table[first], table[open_]]).to_dict("records")

    def steps_table(self):
        """The tests that decided, feature by feature, in the order of the runs; DataFrame.

        Columns as in `hits_table`, and whether the feature is ``kept``. What is tentative after
        the last run stands at the end.
        """
        return super().steps_table()

    def rounds_table(self):
        """The runs, a row for each; DataFrame.

        ``n_columns`` that took part and ``n_shadows``; the least, mean and largest importance of a
        shadow and the ``threshold``; ``n_hits``, how many features were above it; how many are
        ``confirmed``, ``tentative`` and ``rejected`` after the run.
        """
        return super().rounds_table()

    def hits_table(self):
        """Each feature in each run in which it took part, with what decides; DataFrame.

        ``run``, ``feature``, ``importance``, ``threshold``, ``hit``, and the ``hits`` so far.
        ``p_confirm`` and ``p_reject``: the chance of so many hits or more, and of so many or
        fewer, by tossing a coin. ``level``: the largest p that decides. With two steps,
        ``bh_confirm`` and ``bh_reject``, corrected for the columns: at most alpha to decide. The
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
    """1 for confirmed features, 2 for weak ones, then the others by their median rank."""
    ranking = np.where(confirmed, 1, 2)
    others = ~confirmed & ~weak
    if others.any():
        ranks = rankdata(-history[:, others], axis=1, nan_policy="omit")
        places = rankdata(np.nanmedian(ranks, axis=0), method="min").astype(int)
        ranking[others] = places + 1 + weak.any()
    return ranking
