"""Stochastic elimination: features in shuffled blocks, so that each model is fitted on few."""

import warnings
from dataclasses import KW_ONLY, dataclass
from math import floor

import joblib
import numpy as np
from scipy.stats import rankdata

from treelab.fast.inputs import OneOf, on_columns, parameter
from treelab.fast.selection.elimination import RULES, Elimination
from treelab.fast.selection.model_based import (
    IMPORTANCES,
    best_first,
    draw_seed,
    seeded,
)
from treelab.fast.selection.sizes import check_blocks, default_block, exact, stochastic_sizes

__all__ = ["StochasticRFE"]


@dataclass(eq=False, repr=False)
class StochasticRFE(Elimination):
    """Elimination in shuffled blocks: each model is fitted on a few features only.

    In each round the features are shuffled and distributed over blocks. A model of each block ranks
    its features, and the last ones of every block are removed. The others are evaluated as in
    `ForestRFE`, and the next round begins, until less than a block would be left. Another selector
    may select in the blocks, as its source suggests for `Boruta`.

    Parameters
    ----------
    estimator : estimator, default=None
        As in `ForestRFE`.
    rule : {"one_se", "alpha_sd"}, default="alpha_sd"
    alpha : float, default=1.0
    block : int or None, default=None
        Number of features of one model, from 2. None: 54, as in the source, or half of the features
        if there are fewer than 108, see `default_block`. A table of about a block or less loses no
        feature, and there is a warning.
    step : float, default=0.2
        Fraction that is removed from a block, rounded down, see `stochastic_sizes`.
    importance : {"oob", "mdi"}, default="mdi"
    selector : selector, default=None
        A clone of it is fitted on each block, with a seed of its own, and removes the features that
        it does not select. The rounds end when none is removed, or when none would be left; `step`
        and `importance` are not used. None: the fraction `step` with the smallest importances is
        removed.
    error, validation_fraction, random_state, n_jobs, verbose, task
        As in `ForestRFE`; the blocks are distributed over the workers.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
    ranking_ : ndarray of int, shape (n_features,)
        1 for the features that remain at the end; those removed together share a rank.
    importances_ : ndarray of shape (n_features,)
        Importance in the last block of the feature, not comparable between blocks. NaN with a
        `selector`.
    block_ : int
        The size of the blocks.
    limit_, rounds_, steps_
        As in `ForestRFE`.

    References
    ----------
    Alonso Liso (2016), section 3.2.4.5.3.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from treelab import RandomForestClassifier
    >>> X, y = make_classification(200, 20, n_informative=4, shuffle=False, random_state=0)
    >>> forest = RandomForestClassifier(20)
    >>> rfe = StochasticRFE(forest, block=5, step=0.4, random_state=0).fit(X, y)
    >>> rfe.rounds_table()["n_features"].tolist()
    [20, 12, 8, 5]

    With a filter that selects 40 percent of a block, and the best of a small one:

    >>> from treelab.fast.selection import FilterSelector
    >>> some = FilterSelector("f", percentage=40)
    >>> rfe = StochasticRFE(forest, block=5, selector=some, random_state=0).fit(X, y)
    >>> rfe.rounds_table()["n_features"].tolist()
    [20, 8, 3, 1]
    """

    estimator: object = None
    rule: str = parameter("alpha_sd", OneOf(*RULES))
    _: KW_ONLY
    block: object = None
    importance: str = parameter("mdi", OneOf(*IMPORTANCES))
    selector: object = None

    def fit(self, X, y, held_out=None):
        """Eliminate; arguments as in `ForestRFE.fit`."""
        check_blocks(2 if self.block is None else self.block, self.step)
        if self.selector is not None and not hasattr(self.selector, "get_support"):
            raise TypeError(f"selector must be one with get_support, got {self.selector!r}.")
        generator = self._generator()
        X, y, error = self._read_rows(X, y, held_out, generator)
        self.block_ = default_block(X.shape[1], self.step) if self.block is None else self.block
        self.importances_ = np.full(X.shape[1], np.nan if self.selector else 0.0)
        stayed, sets, losses = np.zeros(X.shape[1]), [], []
        walk = self._ranked if self.selector is None else self._selected
        for stays in walk(X, y, generator):
            stayed[stays] += 1
            sets.append(stays)
            task = {"X": X, "y": y, "columns": stays.tolist(), "error": error}
            (result,) = self._results([task | {"seed": draw_seed(generator)}])
            losses.append(result.losses)
        self.ranking_ = rankdata(-stayed, method="dense").astype(int)
        self._choose(sets, losses)
        self._describe(sets)
        return self

    def _ranked(self, X, y, generator):
        """Yield the features of each round if a fraction of each block is removed."""
        sizes = stochastic_sizes(X.shape[1], self.block_, self.step)
        if len(sizes) == 1:
            warnings.warn(
                f"No feature can leave: with block={self.block_} and step={self.step}, the first "
                f"round would leave fewer than a block of the {X.shape[1]} features, or all of "
                "them. All are kept; use a smaller block or a larger step.",
                UserWarning,
                stacklevel=3,
            )
        stays = np.arange(X.shape[1])
        for size in self._bar(sizes, len(sizes), "sets"):
            if size < len(stays):
                stays = self._best_of(X, y, self._deal(stays, generator), generator)
            yield stays

    def _selected(self, X, y, generator):
        """Yield the features of each round if the selector selects in the blocks."""
        stays, left = np.arange(X.shape[1]), None
        while left is None or 0 < len(stays) < left:
            yield stays
            left, blocks = len(stays), self._deal(stays, generator)
            kept = joblib.Parallel(n_jobs=self.n_jobs)(
                joblib.delayed(kept_by)(self.selector, X, y, block, draw_seed(generator))
                for block in blocks
            )
            stays = np.sort(np.concatenate(kept))

    def _deal(self, stays, generator):
        """Return the blocks of a shuffled list of features, each in the order of the table."""
        shuffled = generator.permutation(stays)
        starts = range(0, len(shuffled), self.block_)
        return [np.sort(shuffled[i : i + self.block_]) for i in starts]

    def _best_of(self, X, y, blocks, generator):
        """Return the features that remain in the blocks, in the order of the table."""
        task = {"X": X, "y": y, "kind": self.importance}
        tasks = [
            task | {"columns": block.tolist(), "seed": draw_seed(generator)} for block in blocks
        ]
        stay = []
        for block, result in zip(blocks, self._results(tasks, "blocks"), strict=True):
            self.importances_[block] = result.importances
            leave = floor(exact(self.step) * len(block))
            stay.append(block[best_first(result.importances)][: len(block) - leave])
        return np.sort(np.concatenate(stay))


def kept_by(selector, X, y, block, seed):
    """Return the features of a block that a clone of a selector selects; ndarray of int."""
    selector, some = on_columns(selector, X, block)
    return block[seeded(selector, seed).fit(some, y).get_support()]
