"""Right and wrong answers to the exercises of the chapter "AdaBoost"."""

import numpy as np

from treelab.fast.boosting import boosting_table

# --- adaboost-2 ------------------------------------------------------------------------


def divided(w, wrong):
    """Confidence, and the weights divided."""
    e = w[wrong].sum()
    return 0.5 * np.log((1 - e) / e), w / np.where(wrong, 2 * e, 2 * (1 - e))


def exponential(w, wrong):
    """Confidence, and the weights multiplied and divided by their sum."""
    e = 1 - w @ ~wrong
    c = np.log(np.sqrt((1 - e) / e))
    w = w * np.exp(np.where(wrong, c, -c))
    return c, w / w.sum()


def over_pool(one_round=divided, error=lambda w, wrong: w @ wrong, choose=np.argmin, stop=0.5):
    """An answer from what happens in a round."""

    def boost(says, y, B):
        wrong, w, joined = np.array(says) != np.array(y), np.full(len(y), 1 / len(y)), []
        for _ in range(B):
            errors = np.array([error(w, rule) for rule in wrong]).round(12)
            k = int(choose(errors))
            if errors[k] >= stop - 1e-9:
                break
            c, w = one_round(w, wrong[k])
            joined.append((k, c))
        return joined, w

    return boost


def boost_lists(says, y, B):
    w, joined = [1 / len(y)] * len(y), []
    for _ in range(B):
        wrong = [[a != c for a, c in zip(rule, y)] for rule in says]
        errors = [round(sum(v for v, off in zip(w, rule) if off), 12) for rule in wrong]
        e = min(errors)
        if e > 0.5 - 1e-9:
            break
        k = errors.index(e)
        joined.append([k, np.log((1 - e) / e) / 2])
        w = [v / (2 * e) if off else v / (2 - 2 * e) for v, off in zip(w, wrong[k])]
    return joined, w


def twice_c(w, wrong):
    c, after = divided(w, wrong)
    return 2 * c, after


def upside_down(w, wrong):
    c, after = divided(w, wrong)
    return -c, after


def swapped(w, wrong):
    e = w[wrong].sum()
    return 0.5 * np.log((1 - e) / e), w / np.where(wrong, 2 * (1 - e), 2 * e)


def no_sum(w, wrong):
    e = w[wrong].sum()
    c = 0.5 * np.log((1 - e) / e)
    return c, w * np.exp(np.where(wrong, c, -c))


def half_step(w, wrong):
    e = w[wrong].sum()
    c = 0.5 * np.log((1 - e) / e)
    after = w * np.exp(c * wrong)
    return c, after / after.sum()


def counts(w, wrong):
    e = np.mean(wrong)
    return 0.5 * np.log((1 - e) / e), divided(w, wrong)[1]


def boost_weights_before(says, y, B):
    joined, _ = over_pool()(says, y, B)
    return joined, over_pool()(says, y, B - 1)[1]


def boost_never_stops(says, y, B):
    joined, w = over_pool()(says, y, B)
    return [*joined, *[(0, 0.1)] * (B - len(joined))], w


def boost_rules_only(says, y, B):
    return [k for k, _ in over_pool()(says, y, B)[0]], over_pool()(says, y, B)[1]


def boost_pairs_only(says, y, B):
    return [*over_pool()(says, y, B)[0], (0, 0.0)][:1]


def boost_in_place(says, y, B):
    found = over_pool()(says, y, B)
    for rule in says:
        rule *= y
    return found


def last_of_equal(errors):
    return len(errors) - 1 - np.argmin(errors[::-1])


# --- adaboost-5 ------------------------------------------------------------------------


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


# --- adaboost-4 ------------------------------------------------------------------------


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


CORRECT = {
    "adaboost-2": [over_pool(), over_pool(exponential), boost_lists],
    "adaboost-5": [suspects_table, suspects_members, suspects_decision, suspects_loss],
    "adaboost-4": [least_error_brute, least_error_sorted, least_error_by_groups],
}

WRONG = {
    "adaboost-2": [
        (over_pool(twice_c), "the confidence is half of it"),
        (over_pool(upside_down), "belongs on top"),
        (over_pool(swapped), "must gain weight"),
        (over_pool(no_sum), "the sum 1 again"),
        (over_pool(half_step), "half of the weight"),
        (over_pool(error=lambda w, wrong: wrong.mean()), "not their number over n"),
        (over_pool(counts), "not their number over n"),
        (over_pool(choose=np.argmax, stop=2), "the one with 0.2 joins"),
        (over_pool(choose=last_of_equal), "of equal rules the first"),
        (over_pool(stop=2), "worse than a coin"),
        (boost_never_stops, "stop after one round"),
        (boost_weights_before, "not those before it"),
        (boost_rules_only, "a pair (k, c)"),
        (boost_pairs_only, "return two things"),
        (boost_in_place, "changed what you were given"),
    ],
    "adaboost-5": [
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
    "adaboost-4": [
        (least_error_counts, "you counted rows"),
        (least_error_no_weights, "use the weights"),
        (least_error_one_way, "say +1 on the left"),
        (least_error_between_equals, "only between different values"),
        (least_error_must_differ, "the same on both sides"),
        (least_error_unsorted, "sort y and w together"),
    ],
}
