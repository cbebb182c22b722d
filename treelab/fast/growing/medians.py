"""Medians for the absolute error, whose gains are not a function of sums.

The absolute error of a node is the mean distance to its median, and a median is not a
sum: moving one row from right to left changes both medians in ways that a running sum
cannot follow. What is needed is the median of a stretch of an array, for many stretches
at once. Sort the values of each node and write the position of each row in that order as a
binary number. The median of a stretch is then found bit by bit, highest first: if the
rows with a 0 weigh at least half, the median is among them, otherwise among the rows with
a 1. Moving the zeros before the ones after each bit keeps every stretch unbroken. (The
arrangement is known as a wavelet matrix: Claude, Navarro and Ordonez 2015.)

Vocabulary
----------
code : rank of a position among the values of its node
stretch : positions first, ..., last - 1 of a sequence; med : its lower weighted median
need : weight that is still to come up to the median
"""

import numpy as np

__all__ = ["deviation_left_right", "node_medians"]


def deviation_left_right(frontier, order):
    """Sum w * abs(y - median) left and right of the split after each position; (m,) both.

    `order` (m,) holds the positions in the order of (node, value of the feature).
    """
    targets, units = frontier.targets, frontier.sides.units[:, order]
    by_value, code = _codes(frontier)
    position = np.arange(len(order))
    first, last = frontier.start[frontier.node], frontier.last[frontier.node] + 1
    starts, stops = np.concatenate([first, position + 1]), np.concatenate([position + 1, last])
    med, *below = _medians_of(code[order], *units, starts, stops)
    # Stretch sums from running sums; then the distances to the median, above and below.
    up_to = np.concatenate([[[0], [0]], np.cumsum(units, axis=1)], axis=1)
    W, S = (up_to[:, stops] - up_to[:, starts]) * targets.unit[:, None]
    W_below, S_below = np.array(below) * targets.unit[:, None]
    y = frontier.y - targets.center
    m = y[by_value][np.tile(first, 2) + med]
    deviation = np.maximum(m * (2 * W_below - W) + S - 2 * S_below, 0.0)
    return deviation[: len(order)], deviation[len(order) :]


def _codes(frontier):
    """Order the positions by (node, y); also return the rank of each position in its node."""
    by_value = np.lexsort((frontier.y, frontier.node))
    code = np.empty_like(by_value)
    code[by_value] = np.arange(len(by_value)) - frontier.start[frontier.node]
    return by_value, code


def _medians_of(code, w, s, first, last):
    """Return the code of the lower weighted median of each stretch, and the sums below it."""
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


def node_medians(frontier):
    """Return the weighted median of every node and the mean deviation from it; (M,) both.

    The median is the smallest y with at least half of the weight at or below it; where it
    is exactly half, the mean of that y and the next.
    """
    by_value, _ = _codes(frontier)
    y, w = frontier.y[by_value], frontier.sides.units[0, by_value]
    double = 2 * (np.cumsum(w) - frontier.sides.before[0])  # node by node, in order of y
    whole = frontier.sides.total[0][frontier.node]
    hits = (np.flatnonzero(enough) for enough in (double >= whole, double > whole))
    low, high = (here[np.diff(frontier.node[here], prepend=-1) > 0] for here in hits)
    median = y[low] / 2 + y[high] / 2
    unit = frontier.targets.unit[0]
    distance = w * unit * np.abs(y - median[frontier.node])
    return median, np.add.reduceat(distance, frontier.start) / (frontier.sides.total[0] * unit)
