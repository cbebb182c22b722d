"""Checkers of the chapter "Random forests" that also run in the page."""

from random import Random
from statistics import fmean

from plain_checks import as_list, close, column, is_number

from treelab.checkers import checker, expect

NEARLY = 1e-9  # a sum that misses the level by less has reached it


def lowest(y, w, u):
    """The weighted quantile by brute force: every target is tried."""
    return min(target for target in y if sum(v for t, v in zip(y, w) if t <= target) > u - NEARLY)


@checker("forests-2")
def check_weighted_quantile(weighted_quantile):
    def found(y, w, u):
        got = weighted_quantile(column(y), column(w), u)
        got = got.item() if hasattr(got, "item") else got
        expect(is_number(got), "return one number, a target.")
        return got

    y, w = [40.0, 10.0, 70.0], [0.15, 0.6, 0.25]
    got = found(y, w, 0.1)
    expect(not close(got, 29.5), "that is the weighted mean; go up the targets to the level.")
    expect(not close(got, 40), "go through the targets from the least to the largest.")
    got = found(y, w, 0.2)
    expect(not close(got, 40), "the weights belong to the targets: sort both in the same order.")
    expect(close(got, 10), "0.2: the least target, 10, alone has 0.6, so it is the answer.")
    got = found(y, w, 0.7)
    expect(
        y.count(got) == 1,
        "the answer is one of the targets: nothing is interpolated between two of them.",
    )
    expect(close(got, 40), "0.7: up to 10 there is 0.6, up to 40 there is 0.75: the answer is 40.")
    expect(close(found(y, w, 0.8), 70), "0.8: up to 40 there is 0.75, too little: 70.")
    expect(
        close(found([3.0, 1.0, 2.0], [0.25, 0.5, 0.25], 0.5), 1),
        "a level that is just reached is reached: at least u, not more than u.",
    )
    tenths = [float(k) for k in range(10)]
    expect(
        close(found(tenths, [0.1] * 10, 0.8), 7),
        "eight times 0.1 adds up to 0.7999999999999999 and has reached 0.8: allow for 1e-9.",
    )
    for seed in range(20):
        random = Random(seed)
        y = [float(random.randrange(8)) for _ in range(12)]
        raw = [random.randrange(4) for _ in y[1:]] + [1]
        w = [v / sum(raw) for v in raw]
        for u in (0.05, 0.3, 0.5, 0.95):
            expect(
                close(found(y, w, u), lowest(y, w, u)),
                "right for different targets, wrong where targets are equal or weights are 0.",
            )


@checker("forests-3")
def check_proximity(proximity):
    def found(leaves):
        return as_list(proximity(column(leaves)))

    got = found([[1, 4, 2], [1, 4, 3], [2, 1, 3]])
    expect(
        got is not None and len(got) == 3 and all(as_list(row) and len(row) == 3 for row in got),
        "three rows make a table of three lines and three columns.",
    )
    expect(
        not all(close(got[i][i], 3) for i in range(3)),
        "you counted the trees. A proximity is a proportion of them, so divide by their number.",
    )
    expect(
        all(close(got[i][i], 1) for i in range(3)),
        "a row is always in the same leaf as itself, so its proximity to itself is 1.",
    )
    expect(
        close(got[0][2], 0),
        "rows 0 and 2 share no leaf, because leaf 1 of tree 0 and leaf 1 of tree 1 are different "
        "leaves. Compare within a tree.",
    )
    expect(close(got[0][1], 2 / 3), "rows 0 and 1 are together in two of three trees.")
    expect(close(got[1][2], 1 / 3), "rows 1 and 2 are together in one of three trees.")
    for seed in range(3):
        random = Random(seed)
        leaves = [[random.randrange(4) for _ in range(7)] for _ in range(25)]
        got = found(leaves)
        for i, row in enumerate(leaves):
            for j, other in enumerate(leaves):
                expect(
                    close(got[i][j], sum(a == b for a, b in zip(row, other)) / 7),
                    "right for three rows, wrong for 25 of them and 7 trees: divide by the "
                    "number of trees, not of rows.",
                )


def stump_of(X, y, rows, features):
    """What the stump of a sample predicts for a row, by brute force; a function."""
    found = []
    for j in features:
        values = sorted({X[i][j] for i in rows})
        for threshold in (fmean(pair) for pair in zip(values, values[1:])):
            sides = [[y[i] for i in rows if (X[i][j] > threshold) == right] for right in (0, 1)]
            risk = sum((target - fmean(side)) ** 2 for side in sides for target in side)
            found.append((risk, j, threshold, list(map(fmean, sides))))
    least = min((risk for risk, *_ in found), default=0) + NEARLY
    for _, j, threshold, means in (split for split in found if split[0] <= least):
        return lambda x: means[x[j] > threshold]
    return lambda x: fmean(y[i] for i in rows)


def stumps_of(X, y, samples, candidates):
    """The two lists that forests-7 asks for."""
    stumps = [stump_of(X, y, *given) for given in zip(samples, candidates)]
    whole, out_of_bag = [], []
    for i, x in enumerate(X):
        whole.append(fmean(stump(x) for stump in stumps))
        unseen = [stump(x) for stump, sample in zip(stumps, samples) if i not in sample]
        out_of_bag.append(fmean(unseen) if unseen else None)
    return whole, out_of_bag


def agree(found, right):
    """Whether two lists of numbers and None are equal but for rounding."""
    return len(found) == len(right) and all(
        a is b if a is None or b is None else is_number(a) and close(a, b)
        for a, b in zip(found, right)
    )


@checker("forests-7")
def check_stump_forest(stump_forest):
    X, y = [[1.0, 5.0], [2.0, 1.0], [3.0, 4.0], [6.0, 2.0]], [2.0, 4.0, 8.0, 8.0]

    def answer(samples, candidates, X=X, y=y):
        given = [list(row) for row in X], list(y), [*map(list, samples)], [*map(list, candidates)]
        got = stump_forest(*given)
        lists = [*map(as_list, got)] if isinstance(got, tuple | list) else []
        expect(
            len(lists) == 2 and all(part and len(part) == len(y) for part in lists),
            "return two lists with an entry for each row of X: the predictions of the forest, and "
            "those out of bag.",
        )
        return lists

    whole, _ = answer([[0, 1, 2, 3]], [[1]])
    expect(not agree(whole, [3, 3, 8, 8]), "a stump splits only on the features in its list.")
    expect(
        agree(whole, [2, 20 / 3, 20 / 3, 20 / 3]),
        "the sample 0, 1, 2, 3 and the feature 1: the best threshold is 4.5, and the two means are "
        "20/3 and 2.",
    )
    whole, _ = answer([[0, 0, 1, 2, 3]], [[0]])
    expect(
        agree(whole, [8 / 3, 8 / 3, 8, 8]),
        "the sample 0, 0, 1, 2, 3: a row that was drawn twice counts twice in a mean.",
    )
    whole, _ = answer([[0, 0, 3, 3]], [[0]])
    expect(
        agree(whole, [2, 2, 2, 8]),
        "the sample 0, 0, 3, 3: the threshold lies halfway between two neighboring values of the "
        "sample, 1 and 6, not of the whole table.",
    )
    whole, _ = answer([[0, 2]], [[0]])
    expect(agree(whole, [2, 2, 8, 8]), "a value equal to the threshold goes to the left.")
    whole, out_of_bag = answer([[0, 0, 2, 3], [1, 2, 3, 3]], [[0], [0]])
    expect(agree(whole, [3, 3, 8, 8]), "the forest predicts the mean of its stumps.")
    expect(
        not agree(out_of_bag[:2], [2, 4]),
        "you let the stumps predict the rows of their own samples; out of bag are the others.",
    )
    expect(
        not agree(out_of_bag[:2], [3, 3]),
        "you let all stumps predict; out of bag only those count whose sample lacks the row.",
    )
    expect(agree(out_of_bag[:2], [4, 2]), "row 0 is out of bag for stump 1 alone, which says 4.")
    expect(
        agree(out_of_bag, [4, 2, None, None]),
        "rows 2 and 3 are in both samples: without an out-of-bag stump it is None.",
    )
    square, corner = [[1.0, 2.0], [2.0, 1.0], [1.0, 1.0]], [0.0, 1.0, 5.0]
    for order, right in (([0, 1], 0), ([1, 0], 1)):
        whole, _ = answer([[0, 1]], [order], square, corner)
        expect(agree(whole[2:], [right]), "in a tie the feature that comes first in the list wins.")
    whole, _ = answer([[0, 1, 2]], [[0]], [[1.0], [2.0], [3.0]], [0.0, 1.0, 0.0])
    expect(agree(whole, [0, 0.5, 0.5]), "in a tie of two thresholds the lower one wins.")
    whole, _ = answer([[1, 1]], [[0, 1]])
    expect(
        agree(whole, [4] * 4),
        "the sample 1, 1 has one value of each feature: predict the mean of the sample.",
    )
    for seed in range(10):
        random = Random(seed)
        X = [[float(random.randrange(6)) for _ in range(3)] for _ in range(12)]
        y = [float(random.randrange(20)) for _ in X]
        samples = [[random.randrange(12) for _ in X] for _ in range(4)]
        candidates = [random.sample(range(3), 2) for _ in samples]
        for found, right in zip(
            answer(samples, candidates, X, y), stumps_of(X, y, samples, candidates)
        ):
            expect(agree(found, right), "right for four rows, wrong for 12 rows and four stumps.")
