"""Checkers of the chapter "Forests choose"; all of them also run in the page."""

from functools import partial
from math import comb, sqrt
from random import Random
from statistics import fmean, pstdev, stdev

from plain_checks import as_list, is_number

from treelab.boruta import tail
from treelab.checkers import checker, expect


def needed(d, alpha, misses, chance=None, start=1):
    """The smallest number of runs, by the tail or another chance of (hits, runs)."""
    runs = max(start, misses)
    while (chance or tail)(runs - misses, runs) > alpha / d:
        runs += 1
    return runs


def exactly(hits, runs):
    return comb(runs, hits) / 2**runs


def both_sides(hits, runs):
    return 2 * tail(hits, runs)


def in_one_order(hits, runs):
    return 0.5**runs


@checker("choosing-2")
def check_runs_needed(runs_needed):
    def ask(d, alpha, misses):
        found = runs_needed(d, alpha, misses)
        expect(is_number(found) and found == int(found), "return one whole number, of runs.")
        return int(found)

    cases = [(6, 0.01, 0), (100, 0.05, 0), (100, 0.05, 1), (1, 0.5, 0), (1000, 0.05, 7)]
    cases += [(d, alpha, misses) for d in (2, 16, 40) for alpha in (0.01, 0.2) for misses in (2, 5)]
    found = [ask(*case) for case in cases]
    for other, hint in (
        (
            lambda d, alpha, misses: needed(1, alpha, misses),
            "each of the d columns gets its part of alpha: divide it.",
        ),
        (
            lambda d, alpha, misses: needed(d, alpha, misses, exactly),
            "that is the chance of exactly so many hits; count the results that are better, too.",
        ),
        (
            lambda d, alpha, misses: needed(d, alpha, misses, in_one_order),
            "the misses may stand in any places, and each order counts.",
        ),
        (
            lambda d, alpha, misses: needed(d, alpha, 0) + misses,
            "each miss costs more than one run: sum the chances anew for each number of runs.",
        ),
        (
            lambda d, alpha, misses: needed(d, alpha, misses, both_sides),
            "confirming asks one side only: many hits, not few.",
        ),
        (
            lambda d, alpha, misses: needed(d, alpha, misses) - misses,
            "return the number of runs, misses included.",
        ),
        (
            lambda d, alpha, misses: needed(d, alpha * (1 - 1e-9), misses),
            "a chance equal to the level confirms, too.",
        ),
    ):
        expect(found != [other(*case) for case in cases], hint)
    for case, got in zip(cases, found):
        right = needed(*case)
        expect(got == right, "for {} columns, level {} and {} misses ".format(*case)
               + f"it takes {right} runs, not {got}.")  # fmt: skip


def rounds(columns, importances, anew=True):
    """The sets of an elimination from all columns to two."""
    sets, found = [list(columns)], importances(list(columns))
    while len(sets[-1]) > 2:
        some = sets[-1]
        if anew:
            found = importances(list(some))
        drop = max(1, round(len(some) / 5))
        order = sorted(range(len(some)), key=lambda i: -found[i])
        left = sorted(order[: len(some) - drop])
        sets.append([some[i] for i in left])
        found = [found[i] for i in left]
    return sets


def chosen(sets, judge, u, unit=None, deviation=pstdev, last=False):
    """The smallest set that will do, by a unit made of the losses of all sets, or its own."""
    losses = [judge(some) for some in sets]
    means = [fmean(loss) for loss in losses]
    best = means.index(min(means))
    if last:  # of several with the least loss
        best = len(means) - 1 - means[::-1].index(means[best])
    if unit is None:
        limit = [means[best] + u * deviation(losses[best]) / sqrt(len(losses[best]))] * len(sets)
    else:
        limit = [means[best] + u * unit(loss, means) for loss in losses]
    return [some for some, mean, most in zip(sets, means, limit) if mean <= most + 1e-12][-1]


class Columns:
    """Columns whose importance depends on who else is there, and a model of them."""

    def __init__(self, seed, d):
        self.seed, self.random, self.d = seed, Random(seed), d
        self.names = [f"x{j}" for j in self.random.sample(range(d), d)]
        self.worth = {name: self.random.random() for name in self.names}
        self.hard = [self.random.random() for _ in range(40)]
        self.asked, self.judged = [], []

    def importances(self, some):
        self.see(some, self.asked)
        shift = Random(f"{self.seed} {len(some)}")  # other numbers in each round
        jump = {name: shift.random() for name in sorted(self.worth)}
        return [self.worth[name] + 0.6 * jump[name] for name in some]

    def judge(self, some):
        self.see(some, self.judged)
        luck = Random(f"{self.seed} judge {len(some)}").uniform(-0.12, 0.12)
        left = 0.25 + 0.25 / len(some) + luck
        loss = (1.0, 3.5)[self.seed % 2]  # of a wrong case; others may cost a little, too
        return [loss if hard < left else (loss - 1) * hard / 20 for hard in self.hard]

    def see(self, some, where):
        some = as_list(some)
        hint = "`importances` and `judge` get a list of columns, as they are called in `columns`."
        expect(some is not None and all(name in self.worth for name in some), hint)
        where.append(sorted(some))


class FewLosses(Columns):
    """Columns with losses that are told for each size of a set, at its place in the path."""

    def __init__(self, seed, d, told):
        super().__init__(seed, d)
        self.told = told

    def judge(self, some):
        self.see(some, self.judged)
        return list(self.told[self.d - len(some)])


WORLDS = [(partial(Columns, seed, (20, 7, 12, 3, 16, 2)[seed % 6]), seed % 3) for seed in range(24)]
WORLDS += [  # sets of 4, 3 and 2 columns
    (partial(FewLosses, 24, 4, [(0, 2), (1.9, 1.9), (4, 4)]), 1),  # 1.71 at most, by ddof=1 2.00
    (partial(FewLosses, 25, 4, [(0, 2), (1, 1), (1.5, 1.5)]), 1),  # two means of 1
    (partial(FewLosses, 26, 4, [(1, 1), (0, 2), (1.5, 1.5)]), 1),
]


@checker("choosing-3")
def check_eliminate_anew(eliminate_anew):
    cases, found = [], []
    for make, u in WORLDS:
        world = make()
        got = as_list(eliminate_anew(list(world.names), world.importances, world.judge, u))
        expect(got is not None, "return the list of the columns that are kept.")
        sets = rounds(world.names, make().importances)
        cases.append((sets, make(), u))
        found.append(sorted(got))
        sizes, right = [len(some) for some in world.judged], [len(some) for some in sets]
        expect(len(sizes) == len(right), f"of {world.d} columns judge {len(right)} sets, {right}.")
        expect(sizes == right, f"the sizes of {world.d} columns are {right}, not {sizes}.")
        once = rounds(world.names, make().importances, anew=False)
        seen = [sorted(some) for some in sets]
        if world.judged != seen:
            expect(
                world.judged != [sorted(some) for some in once],
                "you rank once; ask for the importances of the columns that are left, each time.",
            )
            expect(False, "drop the columns of least importance among those that are left.")
    for unit, hint in (
        (
            lambda loss, means: pstdev(loss) / sqrt(len(loss)),
            "the standard error is that of the set with the least error, for all sets.",
        ),
        (
            lambda loss, means: pstdev(means),
            "that is the deviation of the errors along the path; take the standard error.",
        ),
        (lambda loss, means: 0, "sets within u standard errors of the least will do, too."),
    ):
        expect(found != [sorted(chosen(s, w.judge, u, unit)) for s, w, u in cases], hint)

    def by_deviation(sets, world, u):
        losses = [world.judge(some) for some in sets]
        means = [fmean(loss) for loss in losses]
        best = means.index(min(means))
        limit = means[best] + u * pstdev(losses[best])
        return [some for some, mean in zip(sets, means) if mean <= limit + 1e-12][-1]

    def by_share(sets, world, u):
        def unit(loss, means):
            return sqrt(max(0, min(means) * (1 - min(means))) / len(loss))

        return chosen(sets, world.judge, u, unit)

    def largest(sets, world, u):
        small = chosen(sets, world.judge, u)
        losses = [world.judge(some) for some in sets]
        means = [fmean(loss) for loss in losses]
        best = losses[means.index(min(means))]
        limit = min(means) + u * pstdev(best) / sqrt(len(best))
        return next((some for some, mean in zip(sets, means) if mean <= limit + 1e-12), small)

    def by_one_less(sets, world, u):
        return chosen(sets, world.judge, u, deviation=stdev)

    def last_of_equals(sets, world, u):
        return chosen(sets, world.judge, u, last=True)

    for other, hint in (
        (by_one_less, "divide the squares by their number, not by one less: `pstdev`, or ddof=0."),
        (last_of_equals, "where several sets have the least mean loss, the first one counts."),
        (
            by_deviation,
            "divide the deviation of the losses by the root of their number: a standard error.",
        ),
        (by_share, "the losses need not be 0 and 1: take their own deviation."),
        (largest, "of the sets that will do, take the smallest."),
    ):
        expect(found != [sorted(other(*case)) for case in cases], hint)
    for (sets, world, u), got in zip(cases, found):
        right = sorted(chosen(sets, world.judge, u))
        expect(got == right, f"with u = {u} the set {right} is kept, not {got}.")
