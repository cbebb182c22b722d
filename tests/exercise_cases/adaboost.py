"""Right and wrong answers to the exercises of the chapter "AdaBoost"."""

import numpy as np

# --- adaboost-2 ------------------------------------------------------------------------


def one_round_divided(weight, correct):
    e = weight[~correct].sum()
    return 0.5 * np.log((1 - e) / e), weight / np.where(correct, 2 * (1 - e), 2 * e)


def one_round_exponential(weight, correct):
    e = 1 - weight @ correct
    alpha = np.log(np.sqrt((1 - e) / e))
    after = weight * np.exp(-alpha * np.where(correct, 1, -1))
    return alpha, after / after.sum()


def one_round_loop(weight, correct):
    e = sum(w for w, c in zip(weight, correct) if not c)
    after = [w / (2 * (1 - e) if c else 2 * e) for w, c in zip(weight, correct)]
    return np.log((1 - e) / e) / 2, after


def one_round_twice_alpha(weight, correct):
    alpha, after = one_round_divided(weight, correct)
    return 2 * alpha, after


def one_round_upside_down(weight, correct):
    alpha, after = one_round_divided(weight, correct)
    return -alpha, after


def one_round_swapped(weight, correct):
    e = weight[~correct].sum()
    after = weight / np.where(correct, 2 * e, 2 * (1 - e))
    return 0.5 * np.log((1 - e) / e), after


def one_round_no_sum(weight, correct):
    e = weight[~correct].sum()
    alpha = 0.5 * np.log((1 - e) / e)
    return alpha, weight * np.exp(-alpha * np.where(correct, 1, -1))


def one_round_half_step(weight, correct):
    e = weight[~correct].sum()
    alpha = 0.5 * np.log((1 - e) / e)
    after = weight * np.exp(alpha * ~correct)
    return alpha, after / after.sum()


def one_round_counts(weight, correct):
    e = np.mean(~correct)
    return 0.5 * np.log((1 - e) / e), one_round_divided(weight, correct)[1]


def one_round_in_place(weight, correct):
    alpha, after = one_round_divided(weight, correct)
    weight[:] = after
    return alpha, weight


# --- adaboost-3 ------------------------------------------------------------------------


def margins_product(said, alpha, y):
    return y * (alpha @ said) / alpha.sum()


def margins_shares(said, alpha, y):
    pros = ((said == y) * alpha[:, None]).sum(axis=0) / alpha.sum()
    return pros - (1 - pros)


def margins_average(said, alpha, y):
    return np.average(said * y, axis=0, weights=alpha)


def margins_not_divided(said, alpha, y):
    return y * (alpha @ said)


def margins_by_members(said, alpha, y):
    return y * (alpha @ said) / len(alpha)


def margins_without_class(said, alpha, y):
    return (alpha @ said) / alpha.sum()


def margins_one_say(said, alpha, y):
    return y * said.mean(axis=0)


def margins_absolute(said, alpha, y):
    return np.abs(alpha @ said) / alpha.sum()


# --- adaboost-5 ------------------------------------------------------------------------


def least_error_brute(x, y, w):
    cuts = [np.inf, *np.unique(x)[:-1]]
    return min(
        w[np.where(x <= cut, left, right) != y].sum()
        for cut in cuts
        for left in (1, -1)
        for right in (1, -1)
    )


def least_error_sorted(x, y, w):
    order = np.argsort(x)
    x, signed = x[order], (w * y)[order]
    left = np.cumsum(signed)[:-1][x[:-1] < x[1:]]
    total = signed.sum()
    return (1 - max([abs(total), *(abs(left) + abs(total - left))])) / 2


def least_error_by_groups(x, y, w):
    values, place = np.unique(x, return_inverse=True)
    plus = np.bincount(place, w * (y == 1), len(values))
    minus = np.bincount(place, w * (y == -1), len(values))
    left_plus, left_minus = np.cumsum(plus), np.cumsum(minus)
    right_plus, right_minus = plus.sum() - left_plus, minus.sum() - left_minus
    return np.min(np.minimum(left_plus, left_minus) + np.minimum(right_plus, right_minus))


def least_error_counts(x, y, w):
    return least_error_brute(x, y, np.ones(len(x)))


def least_error_no_weights(x, y, w):
    return least_error_brute(x, y, np.full(len(x), 1 / len(x)))


def least_error_one_way(x, y, w):
    return min(w[np.where(x <= c, -1, 1) != y].sum() for c in [-np.inf, np.inf, *x])


def least_error_between_equals(x, y, w):
    order = np.argsort(x, kind="stable")
    left = np.cumsum((w * y)[order])
    return (1 - np.max(np.abs(left) + np.abs(left[-1] - left))) / 2


def least_error_must_differ(x, y, w):
    words = [(-1, 1), (1, -1)]
    return min(w[np.where(x <= c, *p) != y].sum() for c in np.unique(x)[:-1] for p in words)


def least_error_unsorted(x, y, w):
    left = np.cumsum(w * y)
    cut = np.append(np.flatnonzero(np.diff(x)), len(x) - 1)
    return (1 - np.max(np.abs(left[cut]) + np.abs(left[-1] - left[cut]))) / 2


# --- adaboost-7 ------------------------------------------------------------------------


def enough_rounds_loop(edge, n):
    factor, rounds, bound = np.sqrt(1 - 4 * edge**2), 0, 1.0
    while bound >= 1 / n:
        rounds, bound = rounds + 1, bound * factor
    return rounds


def enough_rounds_logarithm(edge, n):
    e = 0.5 - edge
    return int(np.floor(np.log(n) / -np.log(2 * np.sqrt(e * (1 - e))))) + 1


def enough_rounds_simpler_bound(edge, n):
    return int(np.floor(np.log(n) / (2 * edge**2))) + 1


def enough_rounds_down(edge, n):
    return int(np.log(n) / -np.log(np.sqrt(1 - 4 * edge**2)))


def enough_rounds_no_root(edge, n):
    return int(np.ceil(np.log(n) / -np.log(1 - 4 * edge**2)))


def enough_rounds_ceiling(edge, n):
    return int(np.ceil(np.log(n) / -np.log(np.sqrt(1 - 4 * edge**2))))


def enough_rounds_fraction(edge, n):
    return np.log(n) / -np.log(np.sqrt(1 - 4 * edge**2))


CORRECT = {
    "adaboost-2": [one_round_divided, one_round_exponential, one_round_loop],
    "adaboost-3": [margins_product, margins_shares, margins_average],
    "adaboost-5": [least_error_brute, least_error_sorted, least_error_by_groups],
    "adaboost-7": [enough_rounds_loop, enough_rounds_logarithm],
}

WRONG = {
    "adaboost-2": [
        (one_round_twice_alpha, "the confidence is half of it"),
        (one_round_upside_down, "belongs on top"),
        (one_round_swapped, "must gain weight"),
        (one_round_no_sum, "the sum 1 again"),
        (one_round_half_step, "half of the weight"),
        (one_round_counts, "not their number over n"),
        (one_round_in_place, "changed the array"),
    ],
    "adaboost-3": [
        (margins_not_divided, "divide by the sum of the confidences"),
        (margins_by_members, "divided by the number of members"),
        (margins_without_class, "counts towards the true class"),
        (margins_one_say, "use the confidences"),
        (margins_absolute, "do not take the absolute value"),
    ],
    "adaboost-5": [
        (least_error_counts, "you counted cases"),
        (least_error_no_weights, "use the weights"),
        (least_error_one_way, "say +1 on the left"),
        (least_error_between_equals, "only between different values"),
        (least_error_must_differ, "the same on both sides"),
        (least_error_unsorted, "sort y and w together"),
    ],
    "adaboost-7": [
        (enough_rounds_simpler_bound, "simpler bound"),
        (enough_rounds_down, "one round short"),
        (enough_rounds_no_root, "not its square"),
        (enough_rounds_ceiling, "not 0"),
        (enough_rounds_fraction, "a number of rounds is whole"),
    ],
}
