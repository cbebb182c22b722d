"""Right and wrong answers to the exercises of the chapter "AdaBoost"."""

import numpy as np

from treelab.boosting import boosting_table

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


def last_round(model, X, y):
    table = boosting_table(model, X, y)
    return table[table["round"] == table["round"].max()]


def member_votes(model, X, y):
    said = np.array([np.where(tree.predict(X) == y, 1, -1) for tree in model.estimators_])
    return model.estimator_weights_ @ said


def suspects_table(model, X, y, k):
    return last_round(model, X, y).set_index("case")["margin"].nsmallest(k).index


def suspects_members(model, X, y, k):
    return np.argsort(member_votes(model, X, y))[:k]


def suspects_decision(model, X, y, k):
    score = model.decision_function(X) * np.where(y == model.classes_[1], 1, -1)
    return sorted(range(len(y)), key=lambda i: score[i])[:k]


def suspects_loss(model, X, y, k):
    loss = np.exp(-member_votes(model, X, y) / 2)
    return list(np.argsort(loss)[::-1][:k])


def suspects_safest(model, X, y, k):
    return np.argsort(-member_votes(model, X, y))[:k]


def suspects_undecided(model, X, y, k):
    return np.argsort(np.abs(member_votes(model, X, y)))[:k]


def suspects_all_rounds(model, X, y, k):
    return np.argsort(boosting_table(model, X, y)["margin"].to_numpy(), kind="stable")[:k]


def suspects_first_round(model, X, y, k):
    table = boosting_table(model, X, y).query("round == 1")
    return np.argsort(table["margin"].to_numpy(), kind="stable")[:k]


def suspects_largest_label(model, X, y, k):
    table = boosting_table(model, X, y)
    return table["margin"].nlargest(k).index[::-1] + len(y)


def suspects_weights(model, X, y, k):
    return np.argsort(-last_round(model, X, y)["weight"].to_numpy(), kind="stable")[:k]


def suspects_without_class(model, X, y, k):
    return np.argsort(model.decision_function(X))[:k]


def suspects_margins(model, X, y, k):
    return np.sort(last_round(model, X, y)["margin"])[:k]


def suspects_from_one(model, X, y, k):
    return suspects_members(model, X, y, k) + 1


def suspects_in_row_order(model, X, y, k):
    return np.sort(suspects_members(model, X, y, k))


def suspects_mask(model, X, y, k):
    return member_votes(model, X, y) < 0


def suspects_wrong_only(model, X, y, k):
    return np.flatnonzero(model.predict(X) != y)


def suspects_numbers_only(model, X, y, k):
    score = model.decision_function(X) * np.where(y == 1, 1, -1)
    return np.argsort(score)[:k]


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
    "adaboost-3": [suspects_table, suspects_members, suspects_decision, suspects_loss],
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
        (suspects_safest, "the safest cases"),
        (suspects_undecided, "the undecided cases"),
        (suspects_all_rounds, "for each case in each round"),
        (suspects_first_round, "those of the last round"),
        (suspects_largest_label, "there are only 200 cases"),
        (suspects_weights, "before the last round"),
        (suspects_without_class, "counts towards the true class"),
        (suspects_margins, "the margins themselves"),
        (suspects_from_one, "larger margins than others"),
        (suspects_in_row_order, "in another order"),
        (suspects_mask, "not a value for each case"),
        (suspects_wrong_only, "return k row numbers"),
        (suspects_numbers_only, "classes are words"),
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
