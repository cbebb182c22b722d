"""Number formats: the arithmetic of J48 and that of Quinlan's own program.

J48 computes with 64 bits and takes what is closer than a slack for equal. Release 8 computes
with 32 bits and knows no slack: many of its choices are ties that rounding decides, and a sum
depends on the order of its terms. The rest of the choice is the same, and is written once.

Vocabulary
----------
f(x) : x rounded to 32 bits; fsum : a sum whose every partial sum is so rounded
slack : numbers closer than this are equal
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["EPSILON", "J48", "RELEASE8", "SLACK", "Arithmetic", "f", "fsum"]

SLACK = 1e-6  # weights and gains closer than this are equal in J48
EPSILON = 1e-3  # errors and gains this little below another still count as its equals, in both


def f(x):
    """Round `x` to 32 bits.

    >>> f(0.1)
    0.10000000149011612
    """
    rounded = np.float32(x)
    return rounded.astype(float) if rounded.ndim else float(rounded)


def fsum(terms):
    """Sum 32-bit numbers along the last axis, every partial sum rounded to 32 bits."""
    terms = np.asarray(terms, dtype=np.float32)
    if not terms.shape[-1]:
        return f(terms.sum(axis=-1))
    return f(np.add.accumulate(terms, axis=-1)[..., -1])


@dataclass(frozen=True)
class Arithmetic:
    """Arithmetic of a program, and its tolerances."""

    round: Callable
    total: Callable  # the sum of some numbers
    slack: float
    least_score: float  # what is chosen must score more
    least_cost: float  # split information up to here splits nothing


J48 = Arithmetic(float, sum, SLACK, 0.0, SLACK)
RELEASE8 = Arithmetic(f, fsum, 0.0, -EPSILON, EPSILON)
