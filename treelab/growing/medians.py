"""Absolute error: cuts whose quality is not a function of sums.

The absolute error of a node is the mean distance to its median, and a median is not a
sum: moving one row from right to left changes both medians in ways that a running sum
cannot follow. What is needed is the median of a stretch of an array, for many stretches
at once. Sort the values of each node and write the place of each row in that order as a
binary number. The median of a stretch is then found bit by bit, highest first: if the
rows with a 0 weigh at least half, the median is among them, otherwise among the rows with
a 1. Moving the zeros before the ones after each bit keeps every stretch unbroken. (The
arrangement is known as a wavelet matrix: Claude, Navarro and Ordonez 2015.)

Vocabulary
----------
place : row of the level; code : its position among the values of its node
stretch : places first, ..., last - 1 of a sequence; med : its lower weighted median
need : weight that is still to come up to the median
"""

import numpy as np

__all__ = ["deviation_left_right", "node_medians"]


def deviation_left_right(level, order):
    """Sum of w * abs(y - median) left and right of the cut after each place.

    Parameters
    ----------
    level : treelab.growing.frontier.Level
    order : ndarray of int, shape (m,)
        Places in the order of (node, value of the feature).

    Returns
    -------
    left, right : ndarray of shape (m,)
    """
    by_value, code = _codes(level)
    place = np.arange(len(order))
    first, last = level.start[level.node], (level.start + level.size)[level.node]
    starts, stops = np.concatenate([first, place + 1]), np.concatenate([place + 1, last])
    med, below_w, below_s = _medians_of(
        code[order], level.w[order], level.T[0, order], starts, stops
    )
    # Stretch sums from running sums; then the distances to the median, above and below.
    w, s = (np.concatenate([[0], np.cumsum(a[order])]) for a in (level.w, level.T[0]))
    targets = level.targets
    W = (w[stops] - w[starts]) * targets.weight_unit
    S = (s[stops] - s[starts]) * targets.column_unit
    below_w, below_s = below_w * targets.weight_unit, below_s * targets.column_unit
    y = targets.y[level.row] - targets.center
    m = y[by_value][np.tile(first, 2) + med]
    deviation = np.maximum(m * (2 * below_w - W) + S - 2 * below_s, 0.0)
    return deviation[: len(order)], deviation[len(order) :]


def _codes(level):
    """Places in the order of (node, y), and the position of each place in its node."""
    by_value = np.lexsort((level.targets.y[level.row], level.node))
    code = np.empty_like(by_value)
    code[by_value] = np.arange(len(by_value)) - level.start[level.node]
    return by_value, code


def _medians_of(code, w, s, first, last):
    """Code of the lower weighted median of each stretch, and the sums of w and s below it."""
    total = np.concatenate([[0], np.cumsum(w)])
    need = (total[last] - total[first] + 1) // 2  # half of the weight, rounded up
    med, below_w, below_s = np.zeros((3, len(first)), dtype=np.int64)
    for bit in reversed(range(int(code.max()).bit_length())):
        zero = (code >> bit) & 1 == 0
        n_zero, w_zero, s_zero = (
            np.concatenate([[0], np.cumsum(np.where(zero, a, 0))]) for a in (1, w, s)
        )
        light = w_zero[last] - w_zero[first]  # weight of the stretch's zeros
        up = need > light
        below_w += np.where(up, light, 0)
        below_s += np.where(up, s_zero[last] - s_zero[first], 0)
        need -= np.where(up, light, 0)
        med += up << bit
        first = np.where(up, n_zero[-1] + first - n_zero[first], n_zero[first])
        last = np.where(up, n_zero[-1] + last - n_zero[last], n_zero[last])
        moved = np.concatenate([np.flatnonzero(zero), np.flatnonzero(~zero)])
        code, w, s = code[moved], w[moved], s[moved]
    return med, below_w, below_s


def node_medians(level):
    """Weighted median of every node, and the mean distance to it.

    The median is the smallest y with at least half of the weight at or below it; where it
    is exactly half, the mean of that y and the next.

    Parameters
    ----------
    level : treelab.growing.frontier.Level

    Returns
    -------
    median, deviation : ndarray of shape (M,)
    """
    by_value, _ = _codes(level)
    y, w = level.targets.y[level.row][by_value], level.w[by_value]
    up_to = np.cumsum(w) - level.w_before  # node by node, in order of y
    double, weight = 2 * up_to, np.add.reduceat(level.w, level.start)
    total = weight[level.node]
    low, high = (
        np.flatnonzero(enough)[np.diff(level.node[np.flatnonzero(enough)], prepend=-1) > 0]
        for enough in (double >= total, double > total)
    )
    median = y[low] / 2 + y[high] / 2
    distance = w * level.targets.weight_unit * np.abs(y - median[level.node])
    deviation = np.add.reduceat(distance, level.start)
    return median, deviation / (weight * level.targets.weight_unit)
