"""Right and wrong answers to the exercises of the chapter "Forests choose"."""

from math import comb, sqrt
from statistics import fmean, pstdev, stdev

from scipy.stats import binom

# --- choosing-2 ------------------------------------------------------------------------


def runs_by_sums(d, alpha, misses):
    runs = misses
    while True:
        runs += 1
        if sum(comb(runs, i) for i in range(misses + 1)) / 2**runs <= alpha / d:
            return runs


def runs_by_scipy(d, alpha, misses):
    return next(
        r for r in range(misses, 1000) if r and binom.cdf(misses, r, 0.5) <= alpha / d + 1e-12
    )


def _runs(d, alpha, misses, chance, level):
    runs = max(1, misses)
    while chance(runs, misses) > level:
        runs += 1
    return runs


def _tail(runs, misses):
    return sum(comb(runs, i) for i in range(misses + 1)) / 2**runs


def runs_without_bonferroni(d, alpha, misses):
    return _runs(d, alpha, misses, _tail, alpha)


def runs_of_exactly(d, alpha, misses):
    return _runs(d, alpha, misses, lambda r, m: comb(r, m) / 2**r, alpha / d)


def runs_in_one_order(d, alpha, misses):
    return _runs(d, alpha, misses, lambda r, m: 0.5**r, alpha / d)


def runs_plus_misses(d, alpha, misses):
    return runs_by_sums(d, alpha, 0) + misses


def runs_two_sided(d, alpha, misses):
    return _runs(d, alpha, misses, lambda r, m: 2 * _tail(r, m), alpha / d)


def runs_hits(d, alpha, misses):
    return runs_by_sums(d, alpha, misses) - misses


def runs_strictly(d, alpha, misses):
    runs = max(1, misses)
    while _tail(runs, misses) >= alpha / d:
        runs += 1
    return runs


# --- choosing-3 ------------------------------------------------------------------------


def _sets(columns, importances, anew=True):
    some, found, sets = list(columns), None, []
    while True:
        sets.append(some)
        if len(some) <= 2:
            return sets
        if anew or found is None:
            found = dict(zip(some, importances(some)))
        ranked = sorted(some, key=lambda name: -found[name])
        some = ranked[: len(ranked) - max(1, round(len(ranked) / 5))]


def anew_lists(columns, importances, judge, u):
    sets = _sets(columns, importances)
    losses = [judge(some) for some in sets]
    errors = [sum(loss) / len(loss) for loss in losses]
    best = min(range(len(sets)), key=lambda i: errors[i])
    limit = errors[best] + u * pstdev(losses[best]) / sqrt(len(losses[best]))
    return min((s for s, e in zip(sets, errors) if e <= limit), key=len)


def anew_recursive(columns, importances, judge, u):
    path = []

    def walk(some):
        path.append((some, judge(some)))
        if len(some) > 2:
            leave = max(1, round(0.2 * len(some)))
            told = importances(some)
            out = sorted(range(len(some)), key=lambda i: told[i])[:leave]
            walk([name for i, name in enumerate(some) if i not in out])

    walk(list(columns))
    least = min(path, key=lambda pair: fmean(pair[1]))[1]
    top = fmean(least) + u * pstdev(least) / sqrt(len(least))
    return [some for some, loss in path if fmean(loss) <= top + 1e-12][-1]


def _choose(columns, importances, judge, u, unit, anew=True, pick=-1):
    sets = _sets(columns, importances, anew)
    losses = [judge(some) for some in sets]
    errors = [fmean(loss) for loss in losses]
    best = errors.index(min(errors))
    return [
        some
        for some, loss, error in zip(sets, losses, errors)
        if error <= errors[best] + u * unit(losses[best], loss, errors) + 1e-12
    ][pick]


def _se(best, loss, errors):
    return pstdev(best) / sqrt(len(best))


def anew_once(columns, importances, judge, u):
    return _choose(columns, importances, judge, u, _se, anew=False)


def anew_divided_by_one_less(columns, importances, judge, u):
    return _choose(columns, importances, judge, u, lambda b, own, e: stdev(b) / sqrt(len(b)))


def anew_last_of_equals(columns, importances, judge, u):
    sets = _sets(columns, importances, True)
    losses = [judge(some) for some in sets]
    errors = [fmean(loss) for loss in losses]
    least = losses[len(errors) - 1 - errors[::-1].index(min(errors))]
    top = min(errors) + u * pstdev(least) / sqrt(len(least))
    return [some for some, error in zip(sets, errors) if error <= top + 1e-12][-1]


def anew_own_error(columns, importances, judge, u):
    return _choose(columns, importances, judge, u, lambda b, own, e: pstdev(own) / sqrt(len(own)))


def anew_path_sd(columns, importances, judge, u):
    return _choose(columns, importances, judge, u, lambda b, own, e: pstdev(e))


def anew_deviation(columns, importances, judge, u):
    return _choose(columns, importances, judge, u, lambda b, own, e: pstdev(b))


def anew_share(columns, importances, judge, u):
    def unit(best, own, errors):
        return sqrt(max(0, min(errors) * (1 - min(errors))) / len(own))

    return _choose(columns, importances, judge, u, unit)


def anew_least(columns, importances, judge, u):
    return _choose(columns, importances, judge, 0, _se)


def anew_largest(columns, importances, judge, u):
    return _choose(columns, importances, judge, u, _se, pick=0)


def anew_one_by_one(columns, importances, judge, u):
    some, path = list(columns), []
    while len(some) >= 2:
        path.append((some, judge(some)))
        found = importances(some)
        worst = found.index(min(found))
        some = some[:worst] + some[worst + 1 :]
    return path[-1][0]


def anew_keeps_the_worst(columns, importances, judge, u):
    return _choose(columns, lambda some: [-v for v in importances(some)], judge, u, _se)


CORRECT = {
    "choosing-2": [runs_by_sums, runs_by_scipy],
    "choosing-3": [anew_lists, anew_recursive],
}

WRONG = {
    "choosing-2": [
        (runs_without_bonferroni, "divide it"),
        (runs_of_exactly, "exactly so many"),
        (runs_in_one_order, "in any places"),
        (runs_plus_misses, "costs more than one run"),
        (runs_two_sided, "one side only"),
        (runs_hits, "misses included"),
        (runs_strictly, "equal to the level"),
    ],
    "choosing-3": [
        (anew_once, "you rank once"),
        (anew_own_error, "the set with the least error"),
        (anew_path_sd, "along the path"),
        (anew_deviation, "the root of their number"),
        (anew_divided_by_one_less, "by their number, not by one less"),
        (anew_last_of_equals, "the first one counts"),
        (anew_share, "need not be 0 and 1"),
        (anew_least, "within u standard errors"),
        (anew_largest, "take the smallest"),
        (anew_one_by_one, "columns judge"),
        (anew_keeps_the_worst, "least importance"),
    ],
}
