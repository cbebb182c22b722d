"""Checkers of the chapter "Filters and searches"; all of them also run in the page."""

from functools import partial
from math import sqrt
from random import Random

from plain_checks import as_list, close, is_number

from treelab.checkers import checker, expect


def both_ways(some, pairs):
    return len(some) + sum(pairs[i][j] for i in some for j in some if i != j)


def walk(relevance, pairs, root=both_ways):
    """Forward search, with what stands under the root of the merit as a function of the set."""
    chosen, best = [], 0.0
    while len(chosen) < len(relevance):
        merits = {}
        for j in range(len(relevance)):
            if j not in chosen:
                some = [*chosen, j]
                merits[j] = sum(relevance[i] for i in some) / sqrt(root(some, pairs))
        j = max(merits, key=merits.get)
        if merits[j] <= best + 1e-12:
            break
        chosen, best = [*chosen, j], merits[j]
    return chosen


def one_way(some, pairs):
    return (len(some) + both_ways(some, pairs)) / 2


def no_redundancy(some, pairs):
    return len(some)


def by_relevance(relevance, pairs):
    """The most relevant comes next, as long as the merit grows."""
    chosen, best = [], 0.0
    for j in sorted(range(len(relevance)), key=lambda j: -relevance[j]):
        some = [*chosen, j]
        merit = sum(relevance[i] for i in some) / sqrt(both_ways(some, pairs))
        if merit <= best + 1e-12:
            break
        chosen, best = some, merit
    return chosen


OTHERS = (
    (
        by_relevance,
        "the next one is not the most relevant, but the one with the largest merit of the whole "
        "set.",
    ),
    (
        partial(walk, root=one_way),
        "under the root each feature counts once, and each pair twice; a diagonal of ones is in "
        "the number of features already.",
    ),
    (partial(walk, root=no_redundancy), "you left out what the features tell about each other."),
)
NEARLY_A_COPY = [[1, 0.95, 0.0], [0.95, 1, 0.0], [0.0, 0.0, 1]]


def some_features(seed, d):
    """Relevances and a symmetric table of redundancies with ones on its diagonal."""
    random = Random(seed)
    relevance = [round(random.uniform(0.05, 0.6), 3) for _ in range(d)]
    pairs = [[1.0] * d for _ in range(d)]
    for i in range(d):
        for j in range(i):
            pairs[i][j] = pairs[j][i] = round(random.uniform(0, 0.6), 3)
    return relevance, pairs


@checker("filters-2")
def check_forward(forward):
    def ask(relevance, pairs):
        found = as_list(forward(list(relevance), [list(row) for row in pairs]))
        whole = "return the list of the features, in the order in which they came."
        expect(found is not None and all(map(is_number, found)), whole)
        expect(len(set(found)) == len(found), "a feature that has come cannot come again.")
        return found

    mushrooms = [0.196, 0.1565, 0.05]
    told = [[1, 0.0161, 0.0047], [0.0161, 1, 0.0], [0.0047, 0.0, 1]]
    got = ask(mushrooms, told)
    expect(
        got != [0, 1, 2],
        "with the spots the mushrooms' merit falls from 0.247 to 0.231: stop when the best "
        "newcomer does not raise it.",
    )
    expect(got == [0, 1], f"of the mushrooms color comes, then size, and no more; not {got}.")
    expect(
        ask([0.3, 0.5], [[1, 0.1], [0.1, 1]]) == [1, 0],
        "feature 1 is more relevant and comes first: return the order in which they came.",
    )
    expect(ask([0.0, 0.0], [[1, 0], [0, 1]]) == [], "where nothing is relevant the list is empty.")
    cases = [([0.5, 0.48, 0.3], NEARLY_A_COPY), *(some_features(seed, 5) for seed in range(30))]
    found = [ask(*case) for case in cases]
    for other, hint in OTHERS:
        expect(found != [other(*case) for case in cases], hint)
    for (relevance, pairs), got in zip(cases, found):
        right = walk(relevance, pairs)
        expect(got == right, f"for relevances {relevance} and pairs {pairs}: {right}, not {got}.")
    expect(
        ask([0.4, 0.4, 0.4], [[1.0] * 3] * 3) == [0],
        "three copies: the first of equal merits comes, and a copy does not raise the merit.",
    )


class Watched:
    """`choose` and `fit` that note what they have seen; row i holds i, 100 + i and 200 + i."""

    def __init__(self, n, folds, keep):
        self.X = [[i, 100 + i, 200 + i] for i in range(n)]
        self.y = [i % 3 for i in range(n)]
        self.folds, self.keep = folds, keep
        self.chosen_on, self.fitted_on, self.asked = [], [], []

    def choose(self, X, y):
        rows = [row[0] for row in X]
        self.alike(rows, y)
        expect(
            all(list(row) == self.X[row[0]] for row in X),
            "`choose` gets whole rows: all columns are to choose from.",
        )
        self.chosen_on.append(rows)
        return list(self.keep[(len(self.chosen_on) - 1) % len(self.keep)])

    def fit(self, X, y):
        expect(bool(self.chosen_on), "call `choose` before `fit`: it says which columns to keep.")
        columns = self.keep[(len(self.chosen_on) - 1) % len(self.keep)]
        wide = "`fit` gets the chosen columns only, in every row."
        expect(all(sorted(v // 100 for v in row) == sorted(columns) for row in X), wide)
        rows = [row[0] % 100 for row in X]
        self.alike(rows, y)
        self.fitted_on.append(rows)
        order = [v // 100 for v in X[0]]

        def predict(row):
            row = list(row)
            expect(
                [v // 100 for v in row] == order,
                "the held-out row is predicted from the same chosen columns, in the same order.",
            )
            i = row[0] % 100
            self.asked.append(i)
            return self.y[i] if i % 4 else -1  # every fourth row is wrong

        return predict

    def alike(self, rows, y):
        expect(
            [self.y[i] for i in rows] == list(y),
            "rows and classes do not go together: leave the same ones out of both.",
        )


@checker("filters-4")
def check_honest_accuracy(honest_accuracy):
    for n, folds, keep in (
        (8, [[0, 1], [2, 3], [4, 5], [6, 7]], [[2, 0]]),
        (7, [[6, 0, 3], [1, 2], [5, 4]], [[1], [0, 2], [2, 1]]),
        (9, [[0, 4, 8, 1, 5], [2], [3, 6, 7]], [[0], [1, 2], [2]]),
    ):
        spy = Watched(n, folds, keep)
        got = honest_accuracy(
            spy.choose, spy.fit, [list(row) for row in spy.X], list(spy.y), [list(f) for f in folds]
        )
        expect(is_number(got), "return one number, a share of the rows.")
        seen = [sorted(rows) for rows in spy.chosen_on]
        expect(
            seen != [list(range(n))] and list(range(n)) not in seen,
            "`choose` has seen all rows, the held-out ones, too: 97 percent are made of nothing "
            "that way. Choose again for each fold, on the other rows.",
        )
        rest = [sorted(set(range(n)) - set(fold)) for fold in folds]
        expect(
            seen != [sorted(fold) for fold in folds],
            "you choose on the held-out rows; choose on the others.",
        )
        expect(
            seen == rest,
            "`choose` is called once for each fold, on all rows that are not in it.",
        )
        expect(
            [sorted(rows) for rows in spy.fitted_on] == rest,
            "`fit` sees the rows that `choose` saw: all but the held-out ones.",
        )
        expect(sorted(spy.asked) == list(range(n)), "predict each held-out row once.")
        right = sum(i % 4 > 0 for i in range(n)) / n
        by_fold = sum(sum(i % 4 > 0 for i in f) / len(f) for f in folds) / len(folds)
        expect(
            close(got, right) or not close(got, by_fold),
            "that is the mean over the folds, in which a row of a small fold counts more; divide "
            "by the number of rows once, at the end.",
        )
        expect(not close(got, 1 - right), "that is the share of errors.")
        expect(not close(got, right * n), "divide by the number of rows.")
        expect(close(got, right), f"{right:.3f} of the rows are predicted rightly, not {got:.3g}.")
