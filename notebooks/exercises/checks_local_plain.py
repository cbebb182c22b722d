"""Checkers of the chapter "Importance that changes from place to place", also in the page."""

from math import dist
from random import Random
from statistics import fmean, median, pstdev

from plain_checks import all_close, as_list, is_number

from treelab.checkers import checker, expect

# --- the order by intersection ---------------------------------------------------------------


def ranked(importances, key=lambda j: j):
    """The rank of each feature in a cluster, 1 for the best; `key` tells equal ones apart."""
    order = sorted(range(len(importances)), key=lambda j: (-importances[j], key(j)))
    return [1 + order.index(j) for j in range(len(order))]


def weighted(found, sizes):
    """The sum of importance times rows of each feature."""
    return [sum(n * v for n, v in zip(sizes, x)) for x in zip(*found)]


def entering(ranks, by):
    """The features by their worst rank, of equal ones by the most of `by`."""
    worst = [max(each, default=0) for each in ranks]
    return sorted(range(len(worst)), key=lambda j: (worst[j], -by[j], j))


def ranks_of(found, d, rank=ranked, speaks=any):
    """For each of d features its ranks in the clusters that speak."""
    told = [rank(f) for f in found if speaks(f)]
    return [[r[j] for r in told] for j in range(d)]


def right(found, sizes, **settings):
    return entering(ranks_of(found, len(found[0]), **settings), weighted(found, sizes))


def one_each(found, sizes):
    return right(found, [1] * len(sizes))


def only_average(found, sizes):
    total = weighted(found, sizes)
    return sorted(range(len(total)), key=lambda j: (-total[j], j))


def by_number(found, sizes):
    return entering(ranks_of(found, len(found[0])), [0] * len(found[0]))


def silent_ranked(found, sizes):
    return right(found, sizes, speaks=lambda f: True)


def all_speak(found, sizes):
    """A cluster with a zero is taken for silent."""
    return right(found, sizes, speaks=all)


def zeros_unranked(found, sizes):
    """A feature with importance 0 in a cluster is not ranked there."""
    told = [(f, ranked(f)) for f in found]
    return entering([[r[j] for f, r in told if f[j]] for j in range(len(found[0]))],
                    weighted(found, sizes))  # fmt: skip


def last_of_equals(found, sizes):
    return right(found, sizes, rank=lambda f: ranked(f, key=lambda j: -j))


def shared(found, sizes):
    return right(found, sizes, rank=lambda f: [1 + sum(v > w for v in f) for w in f])


def dense(found, sizes):
    return right(found, sizes, rank=lambda f: [1 + len({v for v in f if v > w}) for w in f])


def smallest_first(found, sizes):
    return right(found, sizes, rank=lambda f: ranked([-v for v in f]))


def with_ranks(of):
    """An order by another number of the ranks than the worst."""

    def other(found, sizes):
        ranks = [[of(each)] if each else [] for each in ranks_of(found, len(found[0]))]
        return entering(ranks, weighted(found, sizes))

    return other


def by_mean_rank(found, sizes):
    ranks = ranks_of(found, len(found[0]))
    return entering(ranks, [-fmean(each or [0]) for each in ranks])


def by_best_rank(found, sizes):
    ranks = ranks_of(found, len(found[0]))
    return entering(ranks, [-min(each, default=0) for each in ranks])


def least_first(found, sizes):
    total = weighted(found, sizes)
    return entering(ranks_of(found, len(total)), [-v for v in total])


def last_number(found, sizes):
    total = weighted(found, sizes)
    worst = [max(each, default=0) for each in ranks_of(found, len(total))]
    return sorted(range(len(worst)), key=lambda j: (worst[j], -total[j], -j))


def worsts(found, sizes):
    return [max(each, default=0) for each in ranks_of(found, len(found[0]))]


def places_from(first):
    """The place of each feature in the order, in place of the order."""

    def other(found, sizes):
        order = right(found, sizes)
        return [order.index(j) + first for j in range(len(order))]

    return other


def from_one(found, sizes):
    return [j + 1 for j in right(found, sizes)]


SILENT = "a silent cluster ranks nothing: its zeros would send features back by their numbers."
ZEROS = "a cluster is silent only if all its importances are 0; one 0 is a rank like any other."
WORST = "a feature enters at its worst rank, in the cluster that thinks least of it."
EQUALS = (
    "of equal importances in a cluster the first feature has the better rank; no two share one."
)
TOGETHER = "of those that enter together the one with the larger weighted average comes first."
PLACES = "return the features in their order, not the place of each feature."

ORDERS = (
    (silent_ranked, SILENT),
    (all_speak, ZEROS),
    (zeros_unranked, ZEROS),
    (only_average, "that is the order by the average alone; the worst rank comes first."),
    (by_number, TOGETHER),
    (by_mean_rank, TOGETHER),
    (by_best_rank, TOGETHER),
    (least_first, TOGETHER),
    (one_each, "weight the average by `sizes`: a cluster counts as much as it has rows."),
    (with_ranks(min), WORST),
    (with_ranks(fmean), WORST),
    (smallest_first, "rank the largest importance first."),
    (last_of_equals, EQUALS),
    (shared, EQUALS),
    (dense, EQUALS),
    (last_number, "of those that are equal in all the smaller number comes first."),
    (worsts, "these are the worst ranks; sort the features by them."),
    (places_from(0), PLACES),
    (places_from(1), PLACES),
    (from_one, "the first feature has the number 0."),
)


def clusters(seed=0):
    """Importances in 64ths with many that are equal, silent clusters among them, and sizes."""
    random, cases = Random(seed), []
    for k in range(240):
        d, c = random.choice([1, 3, 4, 6]), random.choice([1, 2, 3, 5])
        some = [range(1, 40), (0, 4, 8), range(6), (2, 3)][k % 4]
        found = [[random.choice(some) / 64 for _ in range(d)] for _ in range(c)]
        for f in found:
            if random.random() < 0.2:
                f[:] = [0.0] * d
        cuts = [0, *sorted(random.sample(range(1, 32), c - 1)), 32]  # so that shares are exact
        cases.append((found, [b - a for a, b in zip(cuts, cuts[1:])]))
    return [*cases, ([[0.0] * 4] * 3, [5, 5, 5]), ([[0.0] * 4, [0.1, 0.3, 0.2, 0.3]], [1, 8])]


@checker("local-2")
def check_intersection_order(intersection_order):
    cases, got = clusters(), []
    for found, sizes in cases:
        given = [list(f) for f in found], list(sizes)
        answer = as_list(intersection_order(*given))
        hint = "return a list of numbers, one for each feature."
        expect(answer is not None and all(map(is_number, answer)), hint)
        expect(len(answer) == len(found[0]), hint)
        same = given == ([list(f) for f in found], list(sizes))
        expect(same, "your function changed its arguments; work on copies.")
        got.append([int(j) for j in answer])
    should = [right(*case) for case in cases]
    if got == should:
        return
    for other, hint in ORDERS:
        expect(got != [other(*case) for case in cases], hint)
    wrong = [k for k, order in enumerate(should) if got[k] != order]
    every = all(not any(map(any, cases[k][0])) for k in wrong)
    expect(not every, "if all clusters are silent, all features enter together: by their numbers.")
    found, sizes = cases[wrong[0]]
    expect(False, f"with {found} and the sizes {sizes} the order is {should[wrong[0]]}, not "
           f"{got[wrong[0]]}.")  # fmt: skip


# --- the nearest center ----------------------------------------------------------------------


def scale_of(X):
    """Mean and standard deviation of each feature; 1 where that is 0."""
    return [(fmean(x), pstdev(x) or 1) for x in zip(*X)]


def scaled(X, scale):
    return [[(v - mean) / sd for v, (mean, sd) in zip(x, scale)] for x in X]


def groups_of(Z, labels):
    return [[z for z, c in zip(Z, labels) if c == k] for k in range(max(labels) + 1)]


def means_of(Z, labels):
    """The center of each cluster."""
    return [[fmean(x) for x in zip(*group)] for group in groups_of(Z, labels)]


def said(new, centers, answers, apart=dist):
    nearest = [min(range(len(centers)), key=lambda c: apart(z, centers[c])) for z in new]
    return [answers[c] for c in nearest]


def right_answers(X, labels, answers, new):
    return answered(X, labels, answers, new)


def answered(X, labels, answers, new, scale=None, own=None, centers=means_of, apart=dist):
    """What the nearest centers say; `scale` that of all rows, `own` that of the new ones."""
    scale = scale or scale_of(X)
    middle = centers(scaled(X, scale), labels)
    return said(scaled(new, own or scale), middle, answers, apart)


def unscaled(X, labels, answers, new):
    return answered(X, labels, answers, new, scale=[(0, 1) for _ in X[0]])


def centered(X, labels, answers, new):
    """Half scaled: the new rows are, the centers are not."""
    return said(scaled(new, scale_of(X)), means_of(X, labels), answers)


def centers_alone(X, labels, answers, new):
    return said(new, means_of(scaled(X, scale_of(X)), labels), answers)


def by_new(X, labels, answers, new):
    return answered(X, labels, answers, new, scale=scale_of(new))


def each_its_own(X, labels, answers, new):
    return answered(X, labels, answers, new, own=scale_of(new))


def by_both(X, labels, answers, new):
    return answered(X, labels, answers, new, scale=scale_of([*X, *new]))


def by_variance(X, labels, answers, new):
    return answered(X, labels, answers, new, scale=[(m, sd**2) for m, sd in scale_of(X)])


def by_range(X, labels, answers, new):
    scale = [(min(x), (max(x) - min(x)) or 1) for x in zip(*X)]
    return answered(X, labels, answers, new, scale=scale)


def by_centers(X, labels, answers, new):
    """Scaled by the mean and the standard deviation of the centers."""
    return answered(X, labels, answers, new, scale=scale_of(means_of(X, labels)))


def by_blocks(X, labels, answers, new):
    def apart(a, b):
        return sum(abs(v - w) for v, w in zip(a, b))

    return answered(X, labels, answers, new, apart=apart)


def by_largest(X, labels, answers, new):
    def apart(a, b):
        return max(abs(v - w) for v, w in zip(a, b))

    return answered(X, labels, answers, new, apart=apart)


def medians_of(Z, labels):
    return [[median(x) for x in zip(*group)] for group in groups_of(Z, labels)]


def first_rows(Z, labels):
    return [group[0] for group in groups_of(Z, labels)]


def by_medians(X, labels, answers, new):
    return answered(X, labels, answers, new, centers=medians_of)


def by_first_rows(X, labels, answers, new):
    return answered(X, labels, answers, new, centers=first_rows)


def by_nearest_row(X, labels, answers, new):
    scale = scale_of(X)
    return said(scaled(new, scale), scaled(X, scale), [answers[c] for c in labels])


def farthest(X, labels, answers, new):
    return answered(X, labels, answers, new, apart=lambda a, b: -dist(a, b))


def last_of_near(X, labels, answers, new):
    scale = scale_of(X)
    middle = means_of(scaled(X, scale), labels)
    return said(scaled(new, scale), middle[::-1], answers[::-1])


def numbers_of(X, labels, answers, new):
    return right_answers(X, labels, list(range(len(answers))), new)


LEAK = "scale new rows by the mean and the standard deviation of the training rows: a new row must "
LEAK += "get the same answer whatever rows come with it."
DISTANCE = "take the Euclidean distance: the root of the sum of squares."
CENTER = "the center of a cluster is the mean of all its scaled rows."

NEARESTS = (
    (unscaled, "scale first: the feature with the largest numbers decides alone otherwise."),
    (centered, "centers and new rows must be on one scale: scale the training rows, too."),
    (centers_alone, "centers and new rows must be on one scale: scale the new rows, too."),
    (by_new, LEAK),
    (each_its_own, LEAK),
    (by_both, LEAK),
    (by_centers, "take mean and standard deviation over all training rows, not over centers."),
    (by_variance, "divide by the standard deviation, not by the variance."),
    (by_range, "divide by the standard deviation, not by the range."),
    (by_blocks, DISTANCE),
    (by_largest, DISTANCE),
    (by_medians, CENTER),
    (by_first_rows, CENTER),
    (by_nearest_row, "that is the cluster of the nearest row; look for the nearest center."),
    (farthest, "that is the center that is farthest."),
    (last_of_near, "of centers that are as near the first cluster's answer counts."),
    (numbers_of, "return what the cluster says, `answers[c]`, not its number."),
)


def is_clear(X, labels, answers, new):
    """Whether rounding cannot change who is nearest."""
    scale = scale_of(X)
    middle = means_of(scaled(X, scale), labels)
    for z in scaled(new, scale):
        near = sorted(dist(z, center) for center in middle)
        if len(near) > 1 and near[1] - near[0] < 1e-6:
            return False
    return True


def tables():
    """Training rows, their clusters, what these say, new rows; the last cases are corners."""
    random, cases = Random(3), []
    while len(cases) < 60:
        d, k = random.choice([1, 2, 4]), random.choice([1, 2, 3, 6])
        scale = [(random.choice([-2, 0, 40]), random.choice([0.01, 1, 30])) for _ in range(d)]
        labels = [*range(k), *(random.randrange(k) for _ in range(random.choice([2, 9, 20])))]
        n = len(labels) + random.choice([1, 5, 12])
        rows = [[m + s * random.gauss(0, 1) ** 3 for m, s in scale] for _ in range(n)]
        answers = [random.randint(5, 99) / 4 for _ in range(k)]
        case = (rows[: len(labels)], labels, answers, rows[len(labels) :])
        if is_clear(*case):
            cases.append(case)
    constant = ([[7, 0.0], [7, 1.0], [7, 10.0], [7, 12.0]], [0, 0, 1, 1], [1.5, 8.0],
                [[7, 2.0], [9, 11.0], [-5, 5.9], [7, 6.1]])  # fmt: skip
    same = ([[1.0, 2.0], [1.0, 2.0], [3.0, 5.0]], [0, 1, 2], [4.0, 6.0, 9.0], [[1.5, 2], [3, 6]])
    return [*cases, constant, same, ([[2.0], [2.0]], [0, 0], [3.0], [[2.0], [4.0]])]


@checker("local-3")
def check_nearest_answers(nearest_answers):
    cases, got = tables(), []
    for X, labels, answers, new in cases:
        given = [list(x) for x in X], list(labels), list(answers), [list(x) for x in new]
        found = as_list(nearest_answers(*given))
        hint = "return a list with one number for each new row."
        expect(found is not None and all(map(is_number, found)) and len(found) == len(new), hint)
        untouched = given == ([*map(list, X)], labels, answers, [*map(list, new)])
        expect(untouched, "your function changed its arguments; work on copies.")
        got.append(found)
    should = [right_answers(*case) for case in cases]
    wrong = [k for k, s in enumerate(should) if not all_close(got[k], s)]
    if not wrong:
        return
    for other, hint in NEARESTS:
        alike = all(all_close(g, other(*case)) for g, case in zip(got, cases))
        expect(not alike, hint)
    k = wrong[0]
    X, labels, answers, new = cases[k]
    expect(False, f"with {len(X)} rows in {len(answers)} clusters that say {answers} the answers "
           f"for {len(new)} new rows are {should[k]}, not {got[k]}.")  # fmt: skip
