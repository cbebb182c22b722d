"""Out of bag: each case judged by the members that have not seen it.

A bootstrap sample leaves out about 37 of 100 cases. For every case, some members of an
ensemble are therefore strangers to it, and their common prediction is an honest one.

Vocabulary
----------
member : one fitted tree, or any estimator, of an ensemble; b is its number
out of bag : not in the bootstrap sample of a member
votes : (n_rows,) members so far for which a case is out of bag
coverage : share of the cases with at least one vote
fit : the members of an ensemble come from one call of fit, or with warm_start from several
"""

import numbers
import warnings
import zlib
from typing import NamedTuple

import numpy as np
from sklearn.utils import check_scalar

__all__ = [
    "Fit",
    "OutOfBag",
    "check_one_training_set",
    "check_same_classes",
    "check_size",
    "draw_sample",
    "error_path",
    "fingerprint",
    "forget_judgment",
    "member_generator",
    "members_so_far",
    "number_of_draws",
    "samples_of",
    "unseen_by",
]


def member_generator(seed, b):
    """The random generator of member `b`: its own, whatever the other members do."""
    return np.random.default_rng([seed, b])


def draw_sample(generator, n_rows, n_draws):
    """A bootstrap sample: which rows, and how often each.

    Parameters
    ----------
    generator : numpy.random.Generator
    n_rows : int
    n_draws : int

    Returns
    -------
    rows, copies : ndarray of int
        The distinct rows that were drawn, ascending, and how often; both (n_distinct,).

    Examples
    --------
    >>> rows, copies = draw_sample(np.random.default_rng(0), 5, 5)
    >>> rows.tolist(), copies.tolist()
    ([1, 2, 3, 4], [2, 1, 1, 1])
    """
    counts = np.bincount(generator.integers(n_rows, size=n_draws), minlength=n_rows)
    rows = np.flatnonzero(counts)
    return rows, counts[rows]


class Fit(NamedTuple):
    """What a member's sample was drawn from, so that the same sample can be drawn again.

    An ensemble keeps one for each member in ``_fits``; the members of one call of fit share it.
    """

    kept: np.ndarray  # rows of X with a weight, which alone are drawn
    n_draws: int | None  # size of the sample; None: each of these rows once
    n_rows: int
    data: int  # fingerprint of X and y


def fingerprint(*arrays):
    """A number for the content of arrays: equal data have the same, other data hardly ever.

    Examples
    --------
    >>> fingerprint([[1, 2]], ["a"]) == fingerprint(np.array([[1, 2]]), ["a"])
    True
    >>> fingerprint([[1, 2]], ["a"]) == fingerprint([[1, 3]], ["a"])
    False
    """
    number = 0
    for array in arrays:
        array = np.ascontiguousarray(array)
        if array.dtype.hasobject:
            array = np.array([str(cell) for cell in array.ravel()])
        number = zlib.crc32(array.reshape(-1).view(np.uint8), number)
    return number


class OutOfBag:
    """Sums the predictions of members for the cases they have not seen, member by member.

    Parameters
    ----------
    y : ndarray of shape (n_rows,)
        Class codes, or numbers.
    n_classes : int
        0 for numbers.

    Attributes
    ----------
    sums : ndarray of shape (n_rows, n_outputs)
    votes : ndarray of int, shape (n_rows,)
    path : list of (error, coverage)
        After each member: share of wrong classes, or mean squared error, over the cases
        covered so far.
    """

    def __init__(self, y, n_classes):
        self.y, self.n_classes = y, n_classes
        self.sums = np.zeros((len(y), n_classes or 1))
        self.votes = np.zeros(len(y), dtype=int)
        self.path = []

    def add(self, rows, values):
        """Take a member's `values` (n_out, n_outputs) for the `rows` that it has not seen."""
        self.sums[rows] += values
        self.votes[rows] += 1
        covered = np.flatnonzero(self.votes)
        if not len(covered):
            self.path.append((np.nan, 0.0))
            return
        mean = self.sums[covered] / self.votes[covered, None]
        if self.n_classes:
            error = np.mean(mean.argmax(axis=1) != self.y[covered])
        else:
            error = np.mean((mean[:, 0] - self.y[covered]) ** 2)
        self.path.append((float(error), len(covered) / len(self.y)))

    @property
    def coverage(self):
        """Share of the cases that at least one member has not seen."""
        return float(np.mean(self.votes > 0))

    def prediction(self):
        """Mean prediction of each case, zeros where there is none; (n_rows, n_outputs)."""
        if self.coverage < 1:
            warnings.warn(
                f"{np.sum(self.votes == 0)} of {len(self.y)} cases are in every bootstrap sample "
                "and have no out-of-bag prediction: too few estimators for a reliable estimate.",
                UserWarning,
                stacklevel=4,
            )
        return self.sums / np.maximum(self.votes, 1)[:, None]


def number_of_draws(max_samples, bootstrap, n):
    """Size of a bootstrap sample of n rows, None without one.

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
        f"max_samples must be a whole number from 1 to {n}, a share in (0, 1] or None, got "
        f"{max_samples!r}."
    )


def check_size(ensemble):
    """Raise where the number of members, or what is asked about cases out of bag, cannot be."""
    check_scalar(ensemble.n_estimators, "n_estimators", numbers.Integral, min_val=1)
    if ensemble.oob_score and not ensemble.bootstrap:
        raise ValueError("oob_score needs bootstrap=True: without it no case is out of bag.")


def members_so_far(ensemble):
    """How many members a warm start keeps: the number of the first new one."""
    have = len(getattr(ensemble, "_fits", ())) if ensemble.warm_start else 0
    if have > ensemble.n_estimators:
        raise ValueError(
            f"n_estimators must be at least {have}, the number there are, when warm_start is "
            f"True; got {ensemble.n_estimators}."
        )
    return have


def check_same_classes(ensemble, labels):
    """Raise where new members would have other classes than the members that a warm start keeps."""
    if members_so_far(ensemble) and not np.array_equal(ensemble.classes_, labels):
        raise ValueError(
            f"y must have the classes {ensemble.classes_.tolist()} of the members there are, when "
            f"warm_start is True; got {labels.tolist()}."
        )


def check_one_training_set(fits, purpose):
    """Raise where members were fitted on different rows: none is then out of bag for all.

    Parameters
    ----------
    fits : sequence of Fit
    purpose : str
        What needs the rows out of bag.
    """
    first, last = fits[0], fits[-1]
    if all(fit.data == last.data and fit.n_rows == last.n_rows for fit in fits):
        return
    other = "other rows" if first.n_rows == last.n_rows else f"on {last.n_rows}"
    raise ValueError(
        f"{purpose} needs members that were all fitted on the same rows, X and y: with warm_start "
        f"some were fitted on {first.n_rows} rows, others {other}. Fit again with warm_start=False."
    )


def forget_judgment(ensemble):
    """Drop the out-of-bag attributes of an earlier fit, which had other members."""
    for name in [name for name in vars(ensemble) if name.startswith(("oob_", "out_of_bag_"))]:
        if name.endswith("_"):
            delattr(ensemble, name)


def samples_of(ensemble):
    """Rows of X in the bootstrap sample of each member, repeats included; list of ndarray."""
    samples = []
    for b, fit in enumerate(ensemble._fits):
        rows = np.arange(len(fit.kept))
        if fit.n_draws is not None:
            generator = member_generator(ensemble.seed_, b)
            rows = np.repeat(*draw_sample(generator, len(fit.kept), fit.n_draws))
        samples.append(fit.kept[rows])
    return samples


def unseen_by(ensemble, n_rows):
    """Rows that each member has not drawn, member by member; yields ndarrays."""
    for sample in samples_of(ensemble):
        unseen = np.ones(n_rows, dtype=bool)
        unseen[sample] = False
        yield np.flatnonzero(unseen)


def error_path(ensemble):
    """Out-of-bag error after each member; ndarray of shape (n_members,)."""
    if not ensemble.oob_score:
        raise AttributeError("oob_error_path needs an ensemble fitted with oob_score=True.")
    return np.array([error for error, _ in ensemble.out_of_bag_.path])
