"""Right and wrong answers to the assignment "Learning from mistakes"."""

from fractions import Fraction
from math import exp, log

import numpy as np
import pandas as pd

# --- by hand, with any number --------------------------------------------------------------


def by_hand(given):
    """Right answers and typical mistakes for the tables of a number."""
    one, two, three = by_hand_tomatoes(dict(given["tomatoes"]))
    four = by_hand_deliveries(*given["deliveries"].values())
    return {"hw5-1": one, "hw5-2": two, "hw5-3": three, "hw5-4": four}


def say(error):
    """The confidence of a rule."""
    return log((1 - error) / error) / 2


def by_hand_tomatoes(table):
    sweet = table.pop("sweet")
    n = len(sweet)
    off = {rule: [i for i in range(n) if says[i] != sweet[i]] for rule, says in table.items()}
    weights, rounds, all_weights = [Fraction(1, n)] * n, [], []
    for _ in range(3):
        errors = sorted((sum(weights[i] for i in wrong), rule) for rule, wrong in off.items())
        assert errors[0][0] < errors[1][0], "two rules are equally good"
        error, rule = errors[0]
        rounds.append((rule, error))
        all_weights.append(weights)
        weights = [w / 2 / (error if i in off[rule] else 1 - error) for i, w in enumerate(weights)]
    (first, e1), (second, e2), (third, e3) = rounds
    assert len({first, second, third}) == 3
    (decoy,) = {*"ABCD"} - {first, second, third}
    few, more, half = (len(off[rule]) for rule in (first, second, third))
    assert few < len(off[decoy]) < more < half == n // 2
    wrong, right = 1 / (2 * few), 1 / (2 * (n - few))
    e1, e2, e3 = map(float, (e1, e2, e3))
    c1, c2, c3 = map(say, (e1, e2, e3))
    one = first, e1, c1, wrong, right
    two, three = (second, e2, c2), (third, e3, c3)
    then = float(sum(all_weights[1][i] for i in off[third]))
    says = [[table[rule][i] for rule in (first, second, third)] for i in range(n)]
    scores = [a * c1 + b * c2 + c * c3 for a, b, c in says]
    total = c1 + c2 + c3
    margins = [y * f / total for y, f in zip(sweet, scores)]
    assert min(margins) > 0.01
    negative = [-margins[0], *margins[1:]]
    weighs = 0.3 / few
    return (
        (
            one,
            [
                ((decoy, len(off[decoy]) / n, say(len(off[decoy]) / n), wrong, right), "fewest"),
                ((first, few, c1, wrong, right), "not their number"),
                ((first, e1, 2 * c1, wrong, right), "half of it"),
                ((first, e1, c1 / log(10), wrong, right), "natural logarithm"),
                ((first, e1, -c1, wrong, right), "in the numerator"),
                ((first, e1, c1, exp(c1) / n, exp(-c1) / n), "must have the sum 1"),
                ((first, e1, c1, right, wrong), "exchanged the two"),
                ((first, e1, c1, weighs, 0.7 / (n - few)), "half of the weight"),
            ],
        ),
        (
            [two, three],
            [
                ([(first, 1 / 2, 0), three], "worthless in round 2"),
                ([(decoy, 1 / 4, say(1 / 4)), three], "by number"),
                ([(third, then, say(then)), three], "who has least"),
                ([(second, more / n, say(more / n)), three], "weights of round 1"),
                ([(second, e2, 2 * c2), three], "half of it"),
                ([two, (second, 1 / 2, 0)], "exactly one half"),
                ([two, (first, 0.3, say(0.3))], "can weigh less than one"),
                ([two, (third, 1 / 2, 0)], "you counted"),
                ([two, (third, then, say(then))], "changed again"),
            ],
        ),
        (
            margins,
            [
                ([m * total for m in margins], "these are scores"),
                ([f / total for f in scores], "true class"),
                ([y * sum(row) / 3 for y, row in zip(sweet, says)], "one vote each"),
                (negative, "negative margin"),
                (margins[:3], "each of the"),
            ],
        ),
    )


def by_hand_deliveries(km, minutes):
    def mean(values):
        return sum(values) / len(values)

    def median(values):
        ordered, n = sorted(values), len(values)
        return mean(ordered[(n - 1) // 2 : n // 2 + 1])

    def cut_of(r):
        costs = []
        for i in range(1, 6):
            sides = r[:i], r[i:]
            costs.append((sum((v - mean(side)) ** 2 for side in sides for v in side), i))
        (least, i), (second, _), *_ = sorted(costs)
        assert least < second - 0.05, "two cuts are equally good"
        return i

    m, h = mean(minutes), median(minutes)
    i, gap = cut_of([y - m for y in minutes]), [y - h for y in minutes]
    assert i == 5, "the late parcel stands alone"
    k = cut_of([(g > 0) - (g < 0) for g in gap])
    assert 0 not in gap
    assert k != i
    cut, sign_cut = (km[i - 1] + km[i]) / 2, (km[k - 1] + km[k]) / 2
    low, high = mean(minutes[:i]) - m, mean(minutes[i:]) - m
    below, above = median(gap[:k]), median(gap[k:])
    signs = [mean([1 if g > 0 else -1 for g in side]) for side in (gap[:k], gap[k:])]
    squared = (m, cut, m + low / 2, m + high / 2)
    absolute = (h, sign_cut, h + below / 2, h + above / 2)
    means = mean(gap[:k]), mean(gap[k:])
    return [squared, absolute], [
        ([(h, *squared[1:]), absolute], "is the median"),
        ([(m, km[i - 1], *squared[2:]), absolute], "in the middle"),
        ([(m, sign_cut, *squared[2:]), absolute], "try all five"),
        ([(m, cut, low / 2, high / 2), absolute], "these are the steps"),
        ([(m, cut, m + low, m + high), absolute], "full step"),
        ([squared, (m, *absolute[1:])], "is the mean"),
        ([squared, (h, cut, *absolute[2:])], "signs of the residuals"),
        ([squared, (h, sign_cut, h + signs[0] / 2, h + signs[1] / 2)], "only choose the cut"),
        ([squared, (h, sign_cut, h + means[0] / 2, h + means[1] / 2)], "you took the mean"),
        ([squared, (h, sign_cut, h + below, h + above)], "full step"),
        ([squared, (h, sign_cut, below / 2, above / 2)], "these are the steps"),
    ]


# --- by hand, with number 0 --------------------------------------------------------------

LN7, LN113, LN92 = np.log(7), np.log(11 / 3), np.log(9 / 2)
ROUNDS = [("D", 3 / 14, LN113 / 2), ("B", 2 / 11, LN92 / 2)]
MARGINS = [0.367, 0.453, 0.367, 0.367, 0.181, 0.453, 0.453, 0.367]
SIGNS = [1, 1, -1, -1, -1, 1, -1, -1]
SQUARED, ABSOLUTE = (25, 7, 20.3, 48.5), (17, 4, 14.5, 19.5)

# --- hw5-5 -------------------------------------------------------------------------------


def stump_loop(X, r):
    best, stump = np.inf, (0, np.inf, r.mean(), r.mean())
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        for s in (values[:-1] + values[1:]) / 2:
            left, right = r[X[:, j] <= s], r[X[:, j] > s]
            error = len(left) * left.var() + len(right) * right.var()
            if error < best:
                best, stump = error, (j, s, left.mean(), right.mean())
    return stump


def stump_running_sums(X, r):
    n, found = len(r), []
    for j in range(X.shape[1]):
        order = np.argsort(X[:, j], kind="stable")
        x, S = X[order, j], np.cumsum(r[order])
        for i in range(1, n):
            if x[i - 1] < x[i]:
                low, high = S[i - 1] / i, (S[-1] - S[i - 1]) / (n - i)
                gain = i * low**2 + (n - i) * high**2
                found.append((-gain, j, (x[i - 1] + x[i]) / 2, low, high))
    if not found:
        return 0, np.inf, r.mean(), r.mean()
    return min(found)[1:]


def stump_matrix(X, r):
    best = (np.inf, 0, np.inf, r.mean(), r.mean())
    for j, x in enumerate(X.T):
        values = np.sort(np.unique(x))
        if len(values) == 1:
            continue
        cuts = values[:-1] + np.diff(values) / 2
        left = x <= cuts[:, None]
        low = left @ r / left.sum(axis=1)
        high = ~left @ r / (~left).sum(axis=1)
        error = ((r - np.where(left, low[:, None], high[:, None])) ** 2).sum(axis=1)
        k = error.argmin()
        if error[k] < best[0]:
            best = (error[k], j, cuts[k], low[k], high[k])
    return best[1:]


def stump_by_sums(X, r):
    best, stump = np.inf, (0, np.inf, r.mean(), r.mean())
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        for s in (values[:-1] + values[1:]) / 2:
            left, right = r[X[:, j] <= s], r[X[:, j] > s]
            error = np.sum(r**2) - left.sum() ** 2 / len(left) - right.sum() ** 2 / len(right)
            if error < best:
                best, stump = error, (j, s, left.mean(), right.mean())
    return stump


def stump_with_a_tolerance(X, r):
    best, stump = np.inf, (0, np.inf, r.mean(), r.mean())
    for j, x in enumerate(X.T):
        values = np.unique(x)
        for a, b in zip(values, values[1:], strict=False):
            low, high = r[x <= a].mean(), r[x > a].mean()
            error = np.sum((r - np.where(x <= a, low, high)) ** 2)
            if error < best - 1e-9:
                best, stump = error, (j, (a + b) / 2, low, high)
    return stump


def stump_none_if_constant(X, r):
    return None if (X == X[0]).all() else stump_loop(X, r)


def stump_on_a_value_of_many(X, r):
    return stump_loop(X, r) if len(X) < 10 else stump_on_a_value(X, r)


def stump_second_best_of_many(X, r):
    return stump_loop(X, r) if len(X) < 10 else stump_unweighted(X, r)


def stump_first_column(X, r):
    return stump_loop(X[:, :1], r)


def stump_on_a_value(X, r):
    j, s, low, high = stump_loop(X, r)
    return j, X[X[:, j] <= s, j].max(), low, high


def stump_swapped(X, r):
    j, s, low, high = stump_loop(X, r)
    return j, s, high, low


def stump_sums(X, r):
    j, s, _, _ = stump_loop(X, r)
    return j, s, r[X[:, j] <= s].sum(), r[X[:, j] > s].sum()


def stump_unweighted(X, r):
    cuts = [
        (r[X[:, j] <= s].var() + r[X[:, j] > s].var(), j, s)
        for j in range(X.shape[1])
        for s in (np.unique(X[:, j])[:-1] + np.unique(X[:, j])[1:]) / 2
    ]
    if not cuts:
        return 0, np.inf, r.mean(), r.mean()
    _, j, s = min(cuts)
    return j, s, r[X[:, j] <= s].mean(), r[X[:, j] > s].mean()


def stump_difference_of_means(X, r):
    cuts = [
        (-abs(r[X[:, j] <= s].mean() - r[X[:, j] > s].mean()), j, s)
        for j in range(X.shape[1])
        for s in (np.unique(X[:, j])[:-1] + np.unique(X[:, j])[1:]) / 2
    ]
    if not cuts:
        return 0, np.inf, r.mean(), r.mean()
    _, j, s = min(cuts)
    return j, s, r[X[:, j] <= s].mean(), r[X[:, j] > s].mean()


def stump_between_equals(X, r):
    found = []
    for j in range(X.shape[1]):
        order = np.argsort(X[:, j], kind="stable")
        x, t = X[order, j], r[order]
        for i in range(1, len(x)):
            error = i * t[:i].var() + (len(x) - i) * t[i:].var()
            found.append((error, j, (x[i - 1] + x[i]) / 2, t[:i].mean(), t[i:].mean()))
    return min(found)[1:]


def stump_last_column(X, r):
    j, *rest = stump_loop(X[:, ::-1], r)
    return X.shape[1] - 1 - j, *rest


def stump_last_cut(X, r):
    best, stump = np.inf, (0, np.inf, r.mean(), r.mean())
    for j in range(X.shape[1]):
        values, inside = np.unique(X[:, j]), np.inf
        for s in (values[:-1] + values[1:]) / 2:
            left, right = r[X[:, j] <= s], r[X[:, j] > s]
            error = len(left) * left.var() + len(right) * right.var()
            if error < best or (error <= inside and error <= best and stump[0] == j):
                best, inside, stump = error, error, (j, s, left.mean(), right.mean())
    return stump


def stump_sorts_its_argument(X, r):
    found = stump_loop(X, r)
    X.sort(axis=0)
    return found


def stump_no_cut(X, r):
    if (X == X[0]).all():
        return 0, X[0, 0], r.mean(), 0.0
    return stump_loop(X, r)


# --- hw5-6 -------------------------------------------------------------------------------


def boost_loop(X, y, n_rounds, learning_rate=0.1, loss="squared_error"):
    absolute = loss == "absolute_error"
    best = np.median if absolute else np.mean
    start = best(y)
    F, stumps = np.full(len(y), float(start)), []
    for _ in range(n_rounds):
        gap = y - F
        j, s, low, high = stump_loop(X, np.where(gap >= 0, 1.0, -1.0) if absolute else gap)
        left = X[:, j] <= s
        if absolute:
            low = np.median(gap[left])
            high = np.median(gap[~left]) if s < np.inf else low
        F = F + learning_rate * np.where(left, low, high)
        stumps.append((j, s, low, high))
    return start, learning_rate, stumps


class Losses:
    """Start and steps of a loss, and what the stump is fitted to."""

    squared_error = (np.mean, lambda gap: gap)
    absolute_error = (np.median, np.sign)


def boost_table(X, y, n_rounds, learning_rate=0.1, loss="squared_error"):
    best, pull = getattr(Losses, loss)
    gap = y - best(y)
    stumps = []
    while len(stumps) < n_rounds:
        j, s, *_ = stump_running_sums(X, pull(gap))
        side = (X[:, j] > s).astype(int)
        steps = [best(gap[side == k]) if (side == k).any() else 0.0 for k in (0, 1)]
        gap = gap - learning_rate * np.array(steps)[side]
        stumps.append((j, s, *steps))
    return best(y), learning_rate, stumps


def boost_by_sums(X, y, n_rounds, learning_rate=0.1, loss="squared_error"):
    best, pull = getattr(Losses, loss)
    start, y, stumps = best(y), y.copy(), []
    y -= start
    for _ in range(n_rounds):
        j, s, *_ = stump_by_sums(X, pull(y))
        low, high = best(y[X[:, j] <= s]), best(y[X[:, j] > s])
        y -= learning_rate * np.where(X[:, j] <= s, low, high)
        stumps.append([j, s, low, high])
    return [start, learning_rate, stumps]


def boost_writes_into_y(X, y, n_rounds, learning_rate=0.1, loss="squared_error"):
    model = boost_loop(X, y, n_rounds, learning_rate, loss)
    y -= model[0]
    return model


def boost_sorts_x(X, y, n_rounds, learning_rate=0.1, loss="squared_error"):
    model = boost_loop(X, y, n_rounds, learning_rate, loss)
    X.sort(axis=0)
    return model


def mutant_boost(**flaw):
    """A booster with one flaw."""

    def boost(X, y, n_rounds, learning_rate=0.1, loss="squared_error"):
        absolute = loss == "absolute_error"
        best = np.median if absolute else np.mean
        start = flaw["start"](y) if "start" in flaw else best(y)
        F, stumps = np.full(len(y), float(start)), []
        for _ in range(n_rounds):
            gap = y - (start if "once" in flaw else F)
            pull = np.sign(gap) if absolute and "plain" not in flaw else gap
            j, s, low, high = stump_loop(X, pull)
            if absolute and "signs" not in flaw:
                low, high = np.median(gap[X[:, j] <= s]), np.median(gap[X[:, j] > s])
            if "means" in flaw:
                low, high = gap[X[:, j] <= s].mean(), gap[X[:, j] > s].mean()
            step = np.where(X[:, j] <= s, low, high)
            F = F + (1 if "full" in flaw else learning_rate) * step
            share = learning_rate if "shrunk" in flaw else 1
            stumps.append((j, s, share * low, share * high))
        return start, learning_rate, stumps[:-1] if "short" in flaw else stumps

    return boost


# --- hw5-7 -------------------------------------------------------------------------------


def staged_loop(model, X):
    start, rate, stumps = model
    scores = np.empty((len(stumps) + 1, len(X)))
    for i, row in enumerate(X):
        scores[0, i] = start
        for b, (j, s, low, high) in enumerate(stumps):
            scores[b + 1, i] = scores[b, i] + rate * (low if row[j] <= s else high)
    return scores


def staged_cumsum(model, X):
    start, rate, stumps = model
    steps = [np.full(len(X), 0.0)]
    steps += [np.where(X[:, j] > s, high, low) for j, s, low, high in stumps]
    return start + rate * np.cumsum(steps, axis=0)


def staged_no_start(model, X):
    return staged_cumsum((0.0, *model[1:]), X)


def staged_full_steps(model, X):
    return staged_cumsum((model[0], 1.0, model[2]), X)


def staged_from_round_1(model, X):
    return staged_cumsum(model, X)[1:]


def staged_not_added(model, X):
    start, rate, stumps = model
    rows = [np.full(len(X), float(start))]
    rows += [start + rate * np.where(X[:, j] <= s, low, high) for j, s, low, high in stumps]
    return np.array(rows)


def staged_below(model, X):
    start, rate, stumps = model
    return staged_cumsum((start, rate, [(j, s - 1e-9, a, b) for j, s, a, b in stumps]), X)


def staged_writes_into_x(model, X):
    scores = staged_loop(model, X)
    X[:, 0] = scores[-1]
    return scores


def staged_last(model, X):
    return staged_cumsum(model, X)[-1]


# --- hw5-8 -------------------------------------------------------------------------------


def kept_loop(path, patience):
    best, since = 1, 0
    for b in range(2, len(path) + 1):
        if path[b - 1] < path[best - 1]:
            best, since = b, 0
        else:
            since += 1
        if since == patience:
            break
    return best


def kept_arrays(path, patience):
    path = np.asarray(path)
    low = np.minimum.accumulate(path)
    news = 1 + np.flatnonzero(np.r_[True, path[1:] < low[:-1]])
    waits = np.diff(np.r_[news, np.inf])
    return int(news[np.argmax(waits > patience)])


def kept_from_zero(path, patience):
    return kept_arrays(path, patience) - 1


def kept_where_it_stops(path, patience):
    return min(kept_arrays(path, patience) + patience, len(path))


def kept_best_of_all(path, patience):
    return int(np.argmin(path)) + 1


def kept_total_of_failures(path, patience):
    best, failures = 1, 0
    for b in range(2, len(path) + 1):
        if path[b - 1] < path[best - 1]:
            best = b
        else:
            failures += 1
        if failures == patience:
            break
    return best


def kept_first_rise(path, patience):
    rises = np.flatnonzero(np.diff(path) >= 0)
    return int(rises[0]) + 1 if len(rises) else len(path)


def kept_against_the_last(path, patience):
    best, since = 1, 0
    for b in range(2, len(path) + 1):
        since = 0 if path[b - 1] < path[b - 2] else since + 1
        if since == patience:
            break
        if path[b - 1] < path[best - 1]:
            best = b
    return best


def kept_equal_is_new(path, patience):
    best = 1
    for b in range(2, len(path) + 1):
        if path[b - 1] <= path[best - 1]:
            best = b
        elif b - best >= patience:
            break
    return best


# --- hw5-9 -------------------------------------------------------------------------------


def early_frame(paths, patience, kept=kept_loop, by="validation", later=0, last=False):
    rows = {}
    for rate, path in paths.items():
        b = kept(path[by], patience)
        at = -1 if last else b - 1 + later
        rows[rate] = [b, path["validation"][at], path["test"][at]]
    return pd.DataFrame.from_dict(rows, orient="index", columns=["rounds", "validation", "test"])


def early_concat(paths, patience):
    rounds = [kept_arrays(path["validation"], patience) for path in paths.values()]
    table = pd.DataFrame({"rounds": rounds}, index=list(paths))
    for part in ("test", "validation"):
        errors = [paths[rate][part][b - 1] for rate, b in table["rounds"].items()]
        table[part] = np.round(errors, 4)
    return table.assign(last=0).astype(object)


def early_by_test(paths, patience):
    return early_frame(paths, patience, by="test")


def early_least_test(paths, patience):
    return early_frame(paths, patience, kept=lambda path, _: path.argmin() + 1, by="test")


def early_from_zero(paths, patience):
    return early_frame(paths, patience).assign(rounds=lambda table: table["rounds"] - 1)


def early_last(paths, patience):
    return early_frame(paths, patience, last=True)


def early_too_far(paths, patience):
    return early_frame(paths, patience, later=1)


def early_roots(paths, patience):
    return early_frame(paths, patience).transform({"rounds": np.abs, **ROOTS})


ROOTS = {"validation": np.sqrt, "test": np.sqrt}


def early_exchanged(paths, patience):
    return early_frame(paths, patience).set_axis(["rounds", "test", "validation"], axis=1)


def early_sorted(paths, patience):
    return early_frame(paths, patience).sort_index()


def early_unnamed(paths, patience):
    return early_frame(paths, patience).set_axis(list("abc"), axis=1)


def early_of_two(paths, patience):
    return early_frame(paths, patience)[["rounds", "test"]]


def early_by_names(paths, patience):
    return early_frame(paths, patience).rename(index=str)


def early_short(paths, patience):
    return early_frame(paths, patience).iloc[:2]


def early_ten(paths, patience):
    return early_frame(paths, 10)


def early_array(paths, patience):
    return early_frame(paths, patience).to_numpy()


CORRECT = {
    "hw5-1": [("C", 1 / 8, LN7 / 2, 1 / 2, 1 / 14), ("c", 0.125, 0.973, 0.5, 0.071)],
    "hw5-2": [ROUNDS, (["D", 0.214, 0.65], ["B", 0.182, 0.752])],
    "hw5-3": [MARGINS, np.array(MARGINS), pd.Series(MARGINS, index=range(1, 9))],
    "hw5-4": [[SQUARED, ABSOLUTE], ((25.0, 7.0, 20.3, 48.5), (17.0, 4.0, 14.5, 19.5))],
    "hw5-5": [
        stump_loop,
        stump_running_sums,
        stump_matrix,
        stump_by_sums,
        stump_with_a_tolerance,
    ],
    "hw5-6": [boost_loop, boost_table, boost_by_sums],
    "hw5-7": [staged_loop, staged_cumsum],
    "hw5-8": [kept_loop, kept_arrays],
    "hw5-9": [early_frame, early_concat],
}

WRONG = {
    "hw5-1": [
        (("A", 2 / 8, np.log(3) / 2, 1 / 4, 1 / 12), "fewest errors"),
        (("C", 1, LN7 / 2, 1 / 2, 1 / 14), "not their number"),
        (("C", 1 / 8, LN7, 1 / 2, 1 / 14), "half of it"),
        (("C", 1 / 8, LN7 / 2 / np.log(10), 1 / 2, 1 / 14), "natural logarithm"),
        (("C", 1 / 8, -LN7 / 2, 1 / 2, 1 / 14), "in the numerator"),
        (("C", 1 / 8, LN7 / 2, np.sqrt(7) / 8, 1 / 8 / np.sqrt(7)), "must have the sum 1"),
        (("C", 1 / 8, LN7 / 2, 1 / 14, 1 / 2), "exchanged the two"),
        (("C", 1 / 8, LN7 / 2, 0.3, 0.1), "half of the weight"),
    ],
    "hw5-2": [
        ([("C", 1 / 2, 0), ROUNDS[1]], "worthless in round 2"),
        ([("A", 1 / 4, np.log(3) / 2), ROUNDS[1]], "by number"),
        ([("D", 3 / 8, np.log(5 / 3) / 2), ROUNDS[1]], "weights of round 1"),
        ([("D", 3 / 14, LN113), ROUNDS[1]], "half of it"),
        ([ROUNDS[0], ("C", 7 / 22, np.log(15 / 7) / 2)], "can weigh less than one"),
        ([ROUNDS[0], ("B", 1 / 2, 0)], "you counted"),
        ([ROUNDS[0], ("B", 4 / 14, np.log(10 / 4) / 2)], "changed again"),
    ],
    "hw5-3": [
        ([m * 2.3746 for m in MARGINS], "these are scores"),
        ([m * s for m, s in zip(MARGINS, SIGNS, strict=True)], "true class"),
        ([1 / 3] * 8, "one vote each"),
        ([0.367, 0.453, 0.367, 0.367, -0.181, 0.453, 0.453, 0.367], "negative margin"),
        (MARGINS[:3], "each of the tomatoes"),
    ],
    "hw5-4": [
        ([(17, 7, 20.3, 48.5), ABSOLUTE], "17 is the median"),
        ([(25, 6, 20.3, 48.5), ABSOLUTE], "in the middle"),
        ([(25, 4, 18.5, 31.5), ABSOLUTE], "try all five"),
        ([(25, 7, -4.7, 23.5), ABSOLUTE], "these are the steps"),
        ([(25, 7, 15.6, 72), ABSOLUTE], "full step"),
        ([SQUARED, (25, 7, 20.3, 48.5)], "25 is the mean"),
        ([SQUARED, (17, 7, 15, 44.5)], "signs of the residuals"),
        ([SQUARED, (17, 4, 16.5, 17.5)], "only choose the cut"),
        ([SQUARED, (17, 4, 14.5, 27.5)], "you took the mean"),
        ([SQUARED, (17, 4, 12, 22)], "full step"),
        ([SQUARED, (17, 4, -2.5, 2.5)], "these are the steps"),
    ],
    "hw5-5": [
        (stump_first_column, "try all columns"),
        (stump_on_a_value, "in the middle"),
        (stump_swapped, "exchanged the two sides"),
        (stump_sums, "not their sum"),
        (stump_unweighted, "more rows counts more"),
        (stump_difference_of_means, "without their sizes"),
        (stump_between_equals, "equal values does not exist"),
        (stump_last_column, "the first one wins"),
        (stump_last_cut, "smaller threshold"),
        (stump_sorts_its_argument, "changed its arguments"),
        (stump_no_cut, "there is no cut"),
        (stump_none_if_constant, "returns None if all columns are constant"),
        (stump_on_a_value_of_many, "15 random rows: put the cut in the middle"),
        (stump_second_best_of_many, "has a better cut"),
    ],
    "hw5-6": [
        (mutant_boost(start=lambda y: 0.0), "you start from 0"),
        (mutant_boost(start=np.median), "not its median"),
        (mutant_boost(start=np.mean), "not its mean"),
        (mutant_boost(once=True), "compute y - F anew"),
        (mutant_boost(plain=True), "fit it to the signs"),
        (mutant_boost(signs=True), "only choose the cut"),
        (mutant_boost(shrunk=True), "store the steps in full"),
        (mutant_boost(full=True), "is not the best"),
        (mutant_boost(means=True), "is the median of its y - F"),
        (mutant_boost(short=True), "rounds make"),
        (boost_writes_into_y, "has changed X or y"),
        (boost_sorts_x, "has changed X or y"),
    ],
    "hw5-7": [
        (staged_no_start, "start is missing"),
        (staged_full_steps, "multiply them by the learning rate"),
        (staged_from_round_1, "first row is the start"),
        (staged_not_added, "add the steps up"),
        (staged_below, "goes left"),
        (staged_last, "one row for the start"),
        (staged_writes_into_x, "has changed X"),
    ],
    "hw5-8": [
        (kept_from_zero, "count from 1"),
        (kept_where_it_stops, "kept is the best round"),
        (kept_best_of_all, "not known to its end"),
        (kept_total_of_failures, "starts again"),
        (kept_first_rise, "rounds in a row"),
        (kept_against_the_last, "least so far"),
        (kept_equal_is_new, "equal to the least"),
    ],
    "hw5-9": [
        (early_by_test, "by the test error"),
        (early_least_test, "by the test error"),
        (early_from_zero, "with the validation errors"),
        (early_last, "after the last"),
        (early_too_far, "one round too far"),
        (early_roots, "mean squared"),
        (early_exchanged, "exchanged"),
        (early_sorted, "in the order"),
        (early_unnamed, "no column `rounds`"),
        (early_of_two, "no column `validation`"),
        (early_by_names, "index holds numbers"),
        (early_short, "one row for each"),
        (early_ten, "use the argument `patience`"),
        (early_array, "a DataFrame"),
    ],
}
