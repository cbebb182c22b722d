"""Errors that C4.5 Release 8 predicts: its table of z and its limits, in 32-bit numbers.

Among the N rows of a node the majority class misclassifies e; z is the point of the normal
distribution with the confidence CF above it.
"""

import math

from treelab.fast.c45.arithmetic import f

__all__ = ["predicted_errors_release8", "z_of"]

CF_TABLE = [0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0]
Z_TABLE = [4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0]


def z_of(CF):
    """Interpolate z linearly between two entries of the table; in 32 bits.

    >>> round(z_of(0.25), 4)
    0.6925
    """
    i = next(i for i, limit in enumerate(CF_TABLE) if f(limit) >= CF)
    (V0, V1), (D0, D1) = map(f, CF_TABLE[i - 1 : i + 1]), map(f, Z_TABLE[i - 1 : i + 1])
    return f(D0 + f(f(f(D1 - D0) * f(CF - V0)) / f(V1 - V0)))


def added_errors(N, e, CF):
    """Return the number that is added to e errors among N rows; it may be below 0."""
    if e < 0.9999:
        none = f(N * (1 - math.exp(math.log(CF) / N)))
        return none if e < 1e-6 else f(none + f(e * f(added_errors(N, 1.0, CF) - none)))
    if e + 0.5 >= N:
        return f(0.67 * f(N - e))
    z2 = f(z_of(CF) ** 2)
    root = math.sqrt(z2 * ((e + 0.5) * (1 - (e + 0.5) / N) + f(z2 / 4)))
    return f(f(N * f((e + 0.5 + f(z2 / 2) + root) / f(N + z2))) - e)


def predicted_errors_release8(N, e, CF):
    """Predict the errors at confidence CF among N new rows like those of a node.

    >>> round(predicted_errors_release8(16.0, 1.0, 0.25), 5)
    2.50689
    """
    return f(e + added_errors(f(N), f(e), f(CF)))
