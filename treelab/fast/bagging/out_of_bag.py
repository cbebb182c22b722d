"""Out-of-bag predictions: each row is predicted by the base estimators that have not seen it.

A bootstrap sample leaves out about 37 of 100 rows. Every row is therefore unknown to some of the
base estimators, and their mean prediction for it is an honest one.

Vocabulary
----------
member : a base estimator, a fitted tree or any other; b : its number; B : how many there are
votes : (n_rows,) number of members so far for which a row is out of bag
coverage : proportion of the rows with at least one vote
"""

import numbers
import warnings
import zlib
from typing import NamedTuple

import numpy as np

__all__ = [
    "Fit",
    "OutOfBag",
    "check_one_training_set",
    "draw_sample",
    "fingerprint",
    "member_generator",
    "n_training_rows",
    "number_of_draws",
    "samples_of",
    "unseen_by",
]


def member_generator(seed, b):
    """Return the random generator of member `b`, which does not depend on the other members."""
    return np.random.default_rng([seed, b])


def draw_sample(generator, n_rows, n_draws):
    """Draw a bootstrap sample of `n_draws` rows: the distinct rows, ascending, and their counts.

    >>> rows, copies = draw_sample(np.random.default_rng(0), 5, 5)
    >>> rows.tolist(), copies.tolist()
    ([1, 2, 3, 4], [2, 1, 1, 1])
    """
    counts = np.bincount(generator.integers(n_rows, size=n_draws), minlength=n_rows)
    rows = np.flatnonzero(counts)
    return rows, counts[rows]


def number_of_draws(max_samples, bootstrap, n):
    """Return the size of a bootstrap sample of n rows, None without one.

    >>> number_of_draws(None, True, 10), number_of_draws(0.5, True, 10)
    (10, 5)
    """
    if not bootstrap:
        if max_samples is not None:
            raise ValueError("max_samples needs bootstrap=True.")
        return None
    if max_samples is None:
        return n
    whole = isinstance(max_samples, numbers.Integral) and not isinstance(max_samples, bool)
    if whole and 1 <= max_samples <= n:
        return int(max_samples)
    if isinstance(max_samples, float) and 0 < max_samples <= 1:
        return max(1, round(n * max_samples))
    raise ValueError(
        f"max_samples must be a whole number from 1 to {n}, a fraction in (0, 1] or None, got "
        f"{max_samples!r}."
    )


class Fit(NamedTuple):
    """Record of how a sample was drawn, so that the same sample can be drawn again.

    An ensemble keeps one for each base estimator in ``_fits``. Those of one call of `fit` share it;
    a warm start adds the ones of another call.
    """

    kept: np.ndarray  # rows of X with a weight, which alone are drawn
    n_draws: int | None  # size of the sample; None: each of these rows once
    n_rows: int
    data: int  # fingerprint of X and y


def samples_of(ensemble):
    """Return the rows of X in the bootstrap sample of each member, repeats included; list."""
    samples = []
    for b, fit in enumerate(ensemble._fits):
        rows = np.arange(len(fit.kept))
        if fit.n_draws is not None:
            generator = member_generator(ensemble.seed_, b)
            rows = np.repeat(*draw_sample(generator, len(fit.kept), fit.n_draws))
        samples.append(fit.kept[rows])
    return samples


def n_training_rows(ensemble, purpose):
    """Return the number of rows that all members were fitted on, or raise if they differ.

    Parameters
    ----------
    ensemble : estimator
        A fitted ensemble of treelab.
    purpose : str
        Whatever needs one training set, for the error message.
    """
    check_one_training_set(ensemble._fits, purpose)
    return ensemble._fits[-1].n_rows


def unseen_by(ensemble, n_rows):
    """Yield the rows that are not in the sample of a member, member by member."""
    for sample in samples_of(ensemble):
        unseen = np.ones(n_rows, dtype=bool)
        unseen[sample] = False
        yield np.flatnonzero(unseen)


class OutOfBag:
    """Sum of the predictions of members for the rows that they have not seen.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
        Class codes, or numbers.
    n_classes : int
        0 in a regression.

    Attributes
    ----------
    sums : ndarray of shape (n_rows, n_outputs)
    votes : ndarray of int, shape (n_rows,)
    path : list of (error, coverage)
        After each member: the proportion of misclassified rows, or the mean squared error, over
        the rows covered so far.
    """

    def __init__(self, y, n_classes):
        self.y, self.n_classes = y, n_classes
        self.sums = np.zeros((len(y), n_classes or 1))
        self.votes = np.zeros(len(y), dtype=int)
        self.path = []

    def add(self, rows, values):
        """Add the `values` (n_out, n_outputs) of a member for the `rows` that it has not seen."""
        self.sums[rows] += values
        self.votes[rows] += 1
        sums, votes, y = self.sums, self.votes, self.y
        if not votes.all():
            covered = np.flatnonzero(votes)
            sums, votes, y = sums[covered], votes[covered], y[covered]
        if not len(votes):
            self.path.append((np.nan, 0.0))
            return
        mean = sums / votes[:, None]
        error = mean.argmax(axis=1) != y if self.n_classes else (mean[:, 0] - y) ** 2
        self.path.append((float(error.mean()), len(votes) / len(self.y)))

    @property
    def coverage(self):
        """Proportion of the rows that at least one member has not seen."""
        return float(np.mean(self.votes > 0))

    def prediction(self):
        """Return the mean prediction of each row, 0 where there is none; (n_rows, n_outputs)."""
        if self.coverage < 1:
            warnings.warn(
                f"{np.sum(self.votes == 0)} of {len(self.y)} cases are in every bootstrap sample "
                "and have no out-of-bag prediction: too few estimators for a reliable estimate.",
                UserWarning,
                stacklevel=5,
            )
        return self.sums / np.maximum(self.votes, 1)[:, None]


def fingerprint(*arrays):
    """Compute a checksum of arrays: equal data have the same, other data hardly ever."""
    number = 0
    for array in arrays:
        array = np.ascontiguousarray(array)
        if array.dtype.hasobject:
            array = np.array([str(cell) for cell in array.ravel()])
        number = zlib.crc32(array.reshape(-1).view(np.uint8), number)
    return number


def check_one_training_set(fits, purpose):
    """Raise if members were fitted on different rows, so that none is out of bag for all."""
    first, last = fits[0], fits[-1]
    if all(fit.data == last.data and fit.n_rows == last.n_rows for fit in fits):
        return
    other = "other rows" if first.n_rows == last.n_rows else f"on {last.n_rows}"
    raise ValueError(
        f"{purpose} needs members that were all fitted on the same rows, X and y: with warm_start "
        f"some were fitted on {first.n_rows} rows, others {other}. Fit again with warm_start=False."
    )
