"""Numbers of features that an elimination tries, their cost, and the smallest one that suffices.

Vocabulary
----------
step : fraction of the features removed in a round; lambda of the thesis is what remains, 1 - step
block : features on which a model of the stochastic elimination is fitted together
unit : amount by which an error may exceed the minimum, once or alpha times
"""

import numbers
from fractions import Fraction
from math import ceil, floor

import numpy as np

from treelab.fast.inputs import check_number

__all__ = [
    "STANDARD_ERROR",
    "check_step",
    "default_block",
    "elimination_cost",
    "elimination_sizes",
    "perc_std",
    "smallest_size",
    "stochastic_sizes",
]

STANDARD_ERROR = ("one_se", "one_sd")  # two names of one rule; the second one is the older
BLOCK = 54  # features of a block in the source


def exact(share):
    """Return a fraction as it is written in decimals, 0.2 as a fifth; Fraction."""
    return Fraction(str(share))


def check_step(step):
    """Raise unless a step is a whole number from 1 or a fraction between 0 and 1."""
    if isinstance(step, numbers.Integral):
        check_number(step, "step", numbers.Integral, min_val=1)
    else:
        check_share(step)


def check_share(step):
    """Raise unless a step is a number between 0 and 1."""
    check_number(step, "step", numbers.Real, min_val=0, max_val=1, include_boundaries="neither")


def elimination_sizes(n_features, step=0.2, *, rule="alpha_sd", least=2):
    """Return the numbers of features that an elimination tries; list of int.

    Parameters
    ----------
    n_features : int
        P, from 1.
    step : int or float, default=0.2
        Number of features removed in a round, or a fraction of them, below 1.
    rule : {"one_se", "alpha_sd"}, default="alpha_sd"
        Base of the fraction. "alpha_sd": all features, k times, floor((1 - step)^k P); a number may
        occur twice. "one_se", or "one_sd", its older name: those that are left, rounded, half to
        even, and at least one.
    least : int, default=2
        Smallest number, unless P itself is smaller.

    References
    ----------
    Díaz-Uriarte and Alvarez de Andrés (2006), Gene selection and classification of microarray data
    using random forest. Alonso Liso (2016), section 3.2.4.5.1.

    Examples
    --------
    >>> elimination_sizes(1080, 0.5)
    [1080, 540, 270, 135, 67, 33, 16, 8, 4, 2]
    >>> elimination_sizes(20, 0.2, rule="one_se")
    [20, 16, 13, 10, 8, 6, 5, 4, 3, 2]
    """
    check_number(n_features, "n_features", numbers.Integral, min_val=1)
    check_number(least, "least", numbers.Integral, min_val=1)
    check_step(step)
    if rule not in (*STANDARD_ERROR, "alpha_sd"):
        raise ValueError(f"rule must be one of ['one_se', 'alpha_sd'], got {rule!r}.")
    whole, sizes = isinstance(step, numbers.Integral), [int(n_features)]
    if rule == "alpha_sd" and not whole:
        part = n_features * (1 - exact(step))
        while part >= least:
            sizes.append(floor(part))
            part *= 1 - exact(step)
        return sizes
    while sizes[-1] > least:
        drop = step if whole else max(1, round(exact(step) * sizes[-1]))
        sizes.append(max(least, sizes[-1] - int(drop)))
    return sizes


def elimination_cost(sizes, power=1.0):
    """Compute the cost of all fits in units of the first: sum of (size / first size)^power; float.

    The cost of a forest that tries every feature at a node is proportional to their number; if it
    tries the square root of it, to the root, power 0.5. The sum stays below 1 / (1 - (1 -
    step)^power).

    Parameters
    ----------
    sizes : array-like of int, shape (n_rounds,)
        From `elimination_sizes`.
    power : float, default=1.0

    References
    ----------
    Alonso Liso (2016), section 3.2.4.5.1.

    Examples
    --------
    >>> sizes = elimination_sizes(1080, 0.5)
    >>> round(elimination_cost(sizes), 3), round(elimination_cost(sizes, 0.5), 2)
    (1.995, 3.3)
    """
    sizes = np.asarray(sizes, dtype=float)
    if sizes.ndim != 1 or not len(sizes) or not (sizes > 0).all():
        raise ValueError("sizes must be a list of numbers above 0, the first of all features.")
    return float(np.sum((sizes / sizes[0]) ** power))


def stochastic_sizes(n_features, block=54, step=0.2, *, double=False):
    """Return the numbers of features that a stochastic elimination tries; list of int.

    Features are distributed over blocks, the rest to a last one, and a block of s loses
    floor(step s) of them. It ends before fewer than a block would be left, or if none is removed.

    Parameters
    ----------
    n_features : int
    block : int, default=54
        Number of features of a block, from 2.
    step : float, default=0.2
        Fraction that is removed from each block, between 0 and 1.
    double : bool, default=False
        Compute step as 1 - (1 - step) in double precision, as in the tables of the source: 1 - 0.8
        is slightly less than 0.2, and a block of 15 loses 2.

    References
    ----------
    Alonso Liso (2016), section 3.2.4.5.3.

    Examples
    --------
    >>> stochastic_sizes(1080, step=0.5)
    [1080, 540, 270, 135, 68]
    >>> [stochastic_sizes(1080, double=double)[3:6] for double in (False, True)]
    [[584, 476, 388], [585, 477, 389]]
    """
    check_number(n_features, "n_features", numbers.Integral, min_val=1)
    check_blocks(block, step)
    share = 1 - (1 - step) if double else exact(step)
    sizes = [int(n_features)]
    while True:
        whole, rest = divmod(sizes[-1], block)
        left = sizes[-1] - whole * floor(share * block) - floor(share * rest)
        if left < block or left == sizes[-1]:
            return sizes
        sizes.append(left)


def default_block(n_features, step=0.2):
    """Return the default number of features of a block: 54 as in the source, or half of fewer.

    A block has at least 1 / step features, because a smaller one would not lose any.

    Parameters
    ----------
    n_features : int
    step : float, default=0.2

    Examples
    --------
    >>> [default_block(d) for d in (1080, 40, 8)]
    [54, 20, 5]
    """
    check_number(n_features, "n_features", numbers.Integral, min_val=1)
    check_share(step)
    return max(2, min(BLOCK, max(ceil(1 / exact(step)), n_features // 2)))


def check_blocks(block, step):
    """Raise unless the settings of a stochastic elimination are valid."""
    check_number(block, "block", numbers.Integral, min_val=2)
    check_share(step)


def perc_std(errors):
    """Return the excess of each error over the minimum, in standard deviations of all; (n_rounds,).

    The standard deviation is that of the errors along the path (divided by their number). It is not
    a standard error: it is larger if the path continues to worse models. Equal errors are all 0.

    Parameters
    ----------
    errors : array-like of shape (n_rounds,)
        Finite; otherwise a ValueError.

    References
    ----------
    Alonso Liso (2016), section 3.2.4.5.1 and tables 4.3.2 to 4.3.13, column "Perc std".

    Examples
    --------
    >>> perc_std([6.6, 6.5, 6.7, 7.4]).round(2).tolist()
    [0.28, 0.0, 0.57, 2.55]
    """
    errors = np.asarray(errors, dtype=float)
    if errors.ndim != 1 or not len(errors) or not np.isfinite(errors).all():
        raise ValueError("errors must be a list of finite numbers, one for each round.")
    above = errors - errors.min()
    return np.divide(above, errors.std(), out=np.zeros_like(above), where=above > 0)


def smallest_size(sizes, above, alpha):
    """Return the smallest number of features with an error at most alpha units too large; int.

    Parameters
    ----------
    sizes : array-like of int, shape (n_rounds,)
    above : array-like of shape (n_rounds,)
        Excess of the error over the minimum, in any unit: `perc_std`, or standard errors.
    alpha : float
        At least 0.

    Examples
    --------
    >>> smallest_size([8, 4, 2, 1], perc_std([6.6, 6.5, 6.7, 7.4]), alpha=0.6)
    2
    """
    sizes, above = np.asarray(sizes), np.asarray(above, dtype=float)
    check_number(alpha, "alpha", numbers.Real, min_val=0)
    if sizes.ndim != 1 or sizes.shape != above.shape:
        raise ValueError(f"sizes and above must agree, got {sizes.shape} and {above.shape}.")
    if not (above <= alpha).any():
        raise ValueError(f"above must be 0 where the error is least; all are above {alpha}.")
    return int(sizes[above <= alpha].min())
