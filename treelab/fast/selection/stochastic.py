"""Stochastic elimination: features in shuffled blocks, so that no model sees many at a time."""

import warnings
from math import floor

import numpy as np
from scipy.stats import rankdata

from treelab.fast.selection.elimination import Elimination
from treelab.fast.selection.model_based import best_first, draw_seed
from treelab.fast.selection.sizes import check_blocks, default_block, exact, stochastic_sizes

__all__ = ["StochasticRFE"]


class StochasticRFE(Elimination):
    """Elimination in shuffled blocks: each model sees a few features only.

    In each round the features are shuffled and dealt into blocks. A model of each block ranks its
    features, and the last ones of every block leave. What stays is judged as in `ForestRFE`, and
    the next round begins, until less than a block would be left.

    Parameters
    ----------
    estimator : estimator, default=None
        As in `ForestRFE`.
    rule : {"one_se", "alpha_sd"}, default="alpha_sd"
    alpha : float, default=1.0
    block : int or None, default=None
        Features that one model sees, from 2. None: 54, as in the source, or half of the features
        where there are fewer than 108, see `default_block`. A table of less than a block, and a
        little more, loses nothing: then there is a warning.
    step : float, default=0.2
        Share that leaves a block, rounded down, see `stochastic_sizes`.
    importance : {"oob", "mdi"}, default="mdi"
    error, validation_fraction, random_state, n_jobs, verbose, task
        As in `ForestRFE`; the workers share out the blocks.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
    ranking_ : ndarray of int, shape (n_features,)
        1 for the features that stayed to the end; those that left together share a rank.
    importances_ : ndarray of shape (n_features,)
        In the last block that the feature was in: of two blocks they do not compare.
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
    """

    def __init__(
        self, estimator=None, rule="alpha_sd", *, alpha=1.0, block=None, step=0.2,
        importance="mdi", error="oob", validation_fraction=0.25, random_state=None, n_jobs=None,
        verbose=0, task="auto",
    ):  # fmt: skip
        self.estimator = estimator
        self.rule = rule
        self.alpha = alpha
        self.block = block
        self.step = step
        self.importance = importance
        self.error = error
        self.validation_fraction = validation_fraction
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.task = task

    def fit(self, X, y, held_out=None):
        """Eliminate; as `ForestRFE.fit`."""
        check_blocks(2 if self.block is None else self.block, self.step)
        generator = self._generator()
        X, y, error = self._read_rows(X, y, held_out, generator)
        self.block_ = default_block(X.shape[1], self.step) if self.block is None else self.block
        sizes = stochastic_sizes(X.shape[1], self.block_, self.step)
        if len(sizes) == 1:
            warnings.warn(
                f"No feature can leave: with block={self.block_} and step={self.step}, the first "
                f"round would leave fewer than a block of the {X.shape[1]} features, or all of "
                "them. All are kept; use a smaller block or a larger step.",
                UserWarning,
                stacklevel=2,
            )
        self.importances_ = np.zeros(X.shape[1])
        stays, stayed, sets, losses = np.arange(X.shape[1]), np.zeros(X.shape[1]), [], []
        for size in self._bar(sizes, len(sizes), "sets"):
            if size < len(stays):
                stays = self._stay(X, y, generator.permutation(stays), generator)
            stayed[stays] += 1
            sets.append(stays)
            task = {"X": X, "y": y, "columns": stays.tolist(), "error": error}
            (answer,) = self._answers([task | {"seed": draw_seed(generator)}])
            losses.append(answer.losses)
        self.ranking_ = rankdata(-stayed, method="dense").astype(int)
        self._choose(sets, losses)
        self._describe(sets)
        return self

    def _stay(self, X, y, shuffled, generator):
        """The features that stay in the blocks of a shuffled list, in the order of the table."""
        starts = range(0, len(shuffled), self.block_)
        blocks = [np.sort(shuffled[i : i + self.block_]) for i in starts]
        task = {"X": X, "y": y, "kind": self.importance}
        tasks = [
            task | {"columns": block.tolist(), "seed": draw_seed(generator)} for block in blocks
        ]
        stay = []
        for block, answer in zip(blocks, self._answers(tasks, "blocks"), strict=True):
            self.importances_[block] = answer.importances
            leave = floor(exact(self.step) * len(block))
            stay.append(block[best_first(answer.importances)][: len(block) - leave])
        return np.sort(np.concatenate(stay))
