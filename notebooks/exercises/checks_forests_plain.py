"""Checkers of the chapter "Random forests" that also run in the page."""

from random import Random

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
        "three cases make a table of three rows and three columns.",
    )
    expect(
        not all(close(got[i][i], 3) for i in range(3)),
        "you counted the trees; a proximity is their share, so divide by the number of trees.",
    )
    expect(
        all(close(got[i][i], 1) for i in range(3)),
        "a case is always in the same leaf as itself: 1.",
    )
    expect(
        close(got[0][2], 0),
        "cases 0 and 2 share no leaf: leaf 1 of tree 0 and leaf 1 of tree 1 are different "
        "leaves. Compare within a tree.",
    )
    expect(close(got[0][1], 2 / 3), "cases 0 and 1 are together in two of three trees.")
    expect(close(got[1][2], 1 / 3), "cases 1 and 2 are together in one of three trees.")
    for seed in range(3):
        random = Random(seed)
        leaves = [[random.randrange(4) for _ in range(7)] for _ in range(25)]
        got = found(leaves)
        for i, row in enumerate(leaves):
            for j, other in enumerate(leaves):
                expect(
                    close(got[i][j], sum(a == b for a, b in zip(row, other)) / 7),
                    "right for three cases, wrong for 25 of them and 7 trees: divide by the "
                    "number of trees, not of cases.",
                )
