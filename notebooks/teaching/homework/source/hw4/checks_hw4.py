"""Checkers of homework 4, "A forest of your own", and the numbers of its part A."""

import numpy as np

from treelab.checkers import checker, expect, judged

# --- Part A ----------------------------------------------------------------------------

# Seeds by which a number draws its tables, in turn; the three lengths have no common divisor.
DAYS = (
    9, 35, 66, 284, 395, 396, 431, 534, 617, 701, 763, 797, 902, 1011, 1114, 1124, 1290, 1377,
    1395, 1396, 1408, 1448, 1548, 1556, 1577, 1626, 1650, 1669, 1703, 1749, 1765, 1812, 1852,
    1880, 1975, 1980, 2079, 2091, 2113, 2116, 2144,
)  # fmt: skip
PROBABILITIES = (
    12, 15, 17, 20, 24, 26, 29, 33, 35, 44, 46, 47, 49, 54, 57, 60, 64, 66, 70, 74, 78, 82,
    84, 88, 96, 98, 99, 103, 104, 105, 107, 111, 113, 115, 117, 119, 121,
)  # fmt: skip
FORESTS = (
    1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 15, 16, 17, 18, 20, 21, 22, 24, 25, 27, 28, 29, 31,
    32, 34, 35, 36, 37, 39, 40, 41, 43, 46, 47, 48, 50, 52, 54, 55, 57, 59, 60,
)  # fmt: skip


def given(number):
    """What part A is about; dict.

    Parameters
    ----------
    number : int
        That of the student or group; 0 is the example of the solutions.

    Returns
    -------
    dict
        ``sold`` on each of six days, ``samples``, the days (3, 6) on which each stump was grown,
        from 1, and ``predicted``, its predictions (3, 6); ``probabilities`` of class 1; and
        ``forests``, a dict of numbers.
    """
    if number == 0:
        return {
            "sold": np.array([19, 15, 12, 10, 8, 18]),
            "samples": np.array([[1, 2, 5, 5, 5, 5], [1, 1, 1, 3, 4, 5], [3, 5, 5, 5, 6, 6]]),
            "predicted": np.array(
                [[17, 17, 17, 8, 8, 8], [19, 19, 10, 10, 10, 10], [9, 9, 9, 9, 9, 18]], float
            ),
            "probabilities": [0.9, 0.8, 0.4, 0.4, 0.4],
            "forests": {
                "few": 10,
                "many": 40,
                "variance of few": 2.8,
                "variance of many": 2.2,
                "percent": 5,
                "other rho": 0.05,
                "other variance": 24,
            },
        }
    rng = np.random.default_rng
    return {
        **draw_days(rng([4, DAYS[number % len(DAYS)]])),
        "probabilities": draw_probabilities(rng([4, PROBABILITIES[number % len(PROBABILITIES)]])),
        "forests": draw_forests(rng([4, FORESTS[number % len(FORESTS)]])),
    }


def draw_days(rng):
    """Six days with more and more wind, a festival on the last; three stumps and their samples."""
    falls = rng.integers(16, 23) - np.cumsum([0, *rng.integers(1, 6, size=4)])
    sold = np.append(falls, rng.integers(14, 24))
    samples = np.sort(rng.integers(1, 7, size=(3, 6)))
    return {
        "sold": sold,
        "samples": samples,
        "predicted": np.array([stump(days, sold[days - 1]) for days in samples]),
    }


def stump(days, sold):
    """Predictions for days 1 to 6 of the stump with the lowest squared error on a sample."""
    found = []
    for low, high in zip(np.unique(days), np.unique(days)[1:], strict=False):
        left = days <= low
        cost = left.sum() * sold[left].var() + (~left).sum() * sold[~left].var()
        found.append((cost, (low + high) / 2, sold[left].mean(), sold[~left].mean()))
    _, threshold, low, high = min(found)
    return np.where(np.arange(1, 7) <= threshold, low, high)


def draw_probabilities(rng):
    """Probabilities of class 1, a few of them large and most below one half."""
    n = rng.choice([5, 7])
    few = n // 2 - rng.integers(2)
    tenths = [*rng.integers(7, 11, size=few), *rng.integers(2, 5, size=n - few)]
    return [int(t) / 10 for t in sorted(tenths, reverse=True)]


def draw_forests(rng):
    """Variances of two sizes of forest, and correlation and variance of other trees."""
    few, many = int(rng.choice([10, 20])), int(rng.choice([40, 50, 80]))
    total = int(rng.integers(6, 31))
    shared = int(rng.integers(2, 7))
    return {
        "few": few,
        "many": many,
        "variance of few": shared + (total - shared) / few,
        "variance of many": shared + (total - shared) / many,
        "percent": int(rng.choice([2, 4, 5, 10])),
        "other rho": int(rng.choice([2, 4, 5, 8, 10])) / 100,
        "other variance": int(total * rng.choice([1.5, 2, 2.5, 3])),
    }


def numbers(answer, n, what):
    """The answer as n floats."""
    expect(np.shape(answer) == (n,), f"give {n} numbers: {what}.")
    return np.array([float(number) for number in answer])


def by_hand(question, answer, n, what):
    """See that an answer by hand is n finite numbers; its values are checked elsewhere."""
    found = numbers(answer, n, what)
    expect(np.isfinite(found).all(), "one of your numbers is not finite.")
    judged(question, found)


@checker("hw4-1")
def check_out_of_bag(answer):
    what = "coverage, out-of-bag error, error of the mean of all three trees"
    by_hand("hw4-1", answer, 3, what)


@checker("hw4-2")
def check_jensen(answer):
    by_hand(
        "hw4-2", answer, 6, "probability of soft voting, two squared errors, then three error rates"
    )


@checker("hw4-3")
def check_correlation(answer):
    by_hand("hw4-3", answer, 4, "rho, sigma², number of trees, number of trees")


# --- Part B ----------------------------------------------------------------------------


def gini_gain(left, right):
    """Decrease of the Gini impurity of a node by a split, from the classes on both sides."""

    def total(y):
        return len(y) - (np.bincount(y) ** 2).sum() / len(y)

    both = np.concatenate([left, right])
    return (total(both) - total(left) - total(right)) / len(both)


def brute_split(x, y):
    """(gain, threshold) of the best split of one feature, found by trying all; else (0.0, None)."""
    best = (0.0, None)
    values = np.unique(x)
    for s in (values[:-1] + values[1:]) / 2:
        gain = gini_gain(y[x <= s], y[x > s])
        if gain > best[0] + 1e-12:
            best = (gain, s)
    return best


def tree_proba(tree, X):
    """Predicted probabilities of the classes for each row; (n, n_classes)."""
    if isinstance(tree, np.ndarray):
        return np.tile(tree, (len(X), 1))
    j, s, left, right = tree
    return np.where(X[:, [j]] <= s, tree_proba(left, X), tree_proba(right, X))


def features_of(tree):
    """The features on which a tree splits, the root first."""
    if isinstance(tree, np.ndarray):
        return []
    return [tree[0], *features_of(tree[2]), *features_of(tree[3])]


def is_tree(thing):
    """Whether this is a node or a leaf, in the form of `grow`."""
    if isinstance(thing, np.ndarray):
        return thing.ndim == 1 and np.issubdtype(thing.dtype, np.floating)
    return isinstance(thing, tuple) and len(thing) == 4


def ranked():
    """Twelve rows, four features: the first has the best split, the last the worst."""
    y = np.repeat([0, 1], 6)
    columns = []
    for j in range(4):
        order = np.concatenate([np.arange(6, 6 + j), np.arange(6), np.arange(6 + j, 12)])
        column = np.empty(12)
        column[order] = np.arange(12) + 10.0 * j
        columns.append(column)
    return np.column_stack(columns), y


def chosen(node_split, X, y, m, calls=250, seed=0):
    """Proportions in which the features are chosen; the thresholds are checked as well."""
    rng, counts = np.random.default_rng(seed), np.zeros(X.shape[1])
    thresholds = [brute_split(column, y)[1] for column in X.T]
    for _ in range(calls):
        found = node_split(X.copy(), y.copy(), m, rng)
        expect(
            len(found) == 2 and (found[0] is None or found[0] in range(X.shape[1])),
            "return two values: the number of the feature, then the threshold.",
        )
        if found[0] is None:
            continue
        j = int(found[0])
        expect(
            thresholds[j] is not None and np.isclose(float(found[1]), thresholds[j]),
            "the threshold does not belong to the best split of the feature that you return.",
        )
        counts[j] += 1
    return counts / calls


@checker("hw4-4", plain=True)
def check_node_split(node_split):
    X, y = ranked()
    one = chosen(node_split, X, y, 1)
    expect(
        one.sum() > 0,
        "no split was found, although each of the four features has one: return it as (feature, "
        "threshold).",
    )
    mirrored = chosen(node_split, X[:, ::-1], y, 1, calls=40)
    expect(
        one[0] < 0.9 or mirrored[3] < 0.9,
        "you choose the best of all features; only the m that were drawn are candidates.",
    )
    expect(
        one.max() < 0.9,
        "with m = 1 you always choose the same feature: draw anew in each call, from `rng`.",
    )
    expect(
        np.abs(one - 0.25).max() < 0.11,
        "with m = 1 each of the four features is chosen in a quarter of the calls; yours are not "
        "equally likely.",
    )
    two = chosen(node_split, X, y, 2)
    expect(
        np.abs(two - 0.25).max() > 0.11,
        "you take the first feature that can be split: compare the gains of all m candidates.",
    )
    expect(two[3] < 0.25, "you choose the candidate with the smallest gain: the largest one wins.")
    expect(
        two[3] == 0,
        "with m = 2 the worst of four features was chosen, so it was drawn twice: draw without "
        "replacement.",
    )
    expect(
        np.abs(two - [1 / 2, 1 / 3, 1 / 6, 0]).max() < 0.13,
        "with m = 2 of four features, the best is among the candidates in half of the calls.",
    )
    expect(
        chosen(node_split, X, y, 4, calls=20)[0] == 1,
        "with m = 4 all four features are candidates and the best one must win.",
    )
    flat = X.copy()
    flat[:, [0, 1]] = 7.0
    found = chosen(node_split, flat, y, 1)
    expect(
        found.sum() > 0.99,
        "a constant candidate cannot be split: continue in the order until a feature can.",
    )
    expect(
        np.abs(found[2:] - 0.5).max() < 0.13,
        "after a constant candidate you search all the others at once: continue one feature at a "
        "time, in the order that you have drawn.",
    )
    same = np.ones((5, 3)), np.array([0, 1, 0, 1, 1])
    expect(
        tuple(node_split(*same, 2, np.random.default_rng(0))) == (None, None),
        "if no feature can be split, return (None, None).",
    )
    runs = []
    for _ in range(2):
        rng = np.random.default_rng(6)
        runs.append([node_split(X.copy(), y.copy(), 2, rng)[0] for _ in range(30)])
    expect(
        runs[0] == runs[1],
        "equal generators give different candidates: take all random numbers from `rng`.",
    )
    twins = np.column_stack([X[:, 0], X[:, 0], X[:, 3]])
    found = chosen(node_split, twins, y, 3)
    expect(
        np.abs(found[:2] - 0.5).max() < 0.13,
        "the first two features are the same, and ties go to the one that was drawn first; yours "
        "prefers one of the two.",
    )


def random_table(seed, n=30, p=6, n_classes=3):
    """Random rows and classes, so that there is nothing to learn but the rows themselves."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)), rng.integers(n_classes, size=n)


@checker("hw4-5", plain=True)
def check_grow_forest(grow_forest):
    X, y = random_table(0)
    forest = grow_forest(X.copy(), y.copy(), 4, 2, 12, np.random.default_rng(0))
    expect(len(forest) == 12, f"you returned {len(forest)} trees where B is 12.")
    expect(
        not any(len(pair) == 2 and is_tree(pair[1]) and not is_tree(pair[0]) for pair in forest),
        "a pair is (tree, rows), in this order.",
    )
    expect(
        all(len(pair) == 2 and is_tree(pair[0]) for pair in forest)
        and all(np.shape(r) == (30,) for _, r in forest),
        "the forest is a list of pairs: a tree, and the 30 rows on which it was grown.",
    )
    rows = [np.asarray(r) for _, r in forest]
    expect(
        not all(len(set(r.tolist())) == 30 for r in rows),
        "each sample has every row once: draw with replacement.",
    )
    expect(
        len({r.tobytes() for r in rows}) == 12,
        "two trees have the same sample: draw a new one for each tree.",
    )
    proba = [np.asarray(tree_proba(tree, X)) for tree, _ in forest]
    expect(
        all(s.shape == (30, 4) for s in proba),
        "with n_classes = 4 each leaf has four probabilities, even without a class in its sample: "
        "pass n_classes on to grow.",
    )
    right = [s.argmax(axis=1) == y for s in proba]
    expect(
        not all(r.all() for r in right),
        "every tree knows every row by heart: grow it on X[rows], y[rows].",
    )
    expect(
        all(r[drawn].all() for r, drawn in zip(right, rows, strict=True)),
        "a tree does not know the rows that you return with it: return the rows on which it was "
        "grown.",
    )
    used = [len(set(features_of(tree))) for tree, _ in forest]
    expect(
        max(used) > 2,
        "no tree uses more than m = 2 features: you draw the candidates once for a tree, not at "
        "every node.",
    )
    again = grow_forest(X.copy(), y.copy(), 4, 2, 12, np.random.default_rng(0))
    expect(
        all(
            np.array_equal(r, s) and features_of(t) == features_of(u)
            for (t, r), (u, s) in zip(forest, again, strict=True)
        ),
        "equal generators give different forests: take all random numbers from `rng`, also those "
        "of node_split.",
    )
    X[:, 0] = y + 0.1 * X[:, 0]
    roots = [
        [
            features_of(tree)[0]
            for tree, _ in grow_forest(X.copy(), y.copy(), 3, m, 15, np.random.default_rng(m))
        ]
        for m in (1, 6)
    ]
    expect(
        set(roots[0]) != {0},
        "with m = 1 every root splits on the best feature: pass m on to node_split.",
    )
    expect(
        set(roots[1]) == {0},
        "with m = 6 all features are candidates, and every root must split on the best one.",
    )
    other = grow_forest(*random_table(0), 4, 2, 12, np.random.default_rng(1))
    expect(
        any(not np.array_equal(r, s) for r, (_, s) in zip(rows, other, strict=True)),
        "another generator gives the same samples: take all draws from `rng`.",
    )


def stumps(seed, n, B, n_classes, rest=None):
    """A forest of random stumps with impure leaves, and the data: X, y, forest."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 2)), rng.integers(n_classes, size=n)
    forest = []
    for _ in range(B):
        leaves = rng.dirichlet(np.ones(n_classes), size=2)
        rows = rng.integers(n, size=n) if rest is None else np.array(rest)
        forest.append(((int(rng.integers(2)), rng.normal(), *leaves), rows))
    return X, y, forest


def by_rows(X, y, forest, n_classes):
    """Out-of-bag errors and coverages after each tree, row by row."""
    errors, covers = [], []
    for B in range(1, len(forest) + 1):
        wrong = []
        for i in range(len(y)):
            votes = [tree_proba(t, X[[i]])[0] for t, rows in forest[:B] if i not in rows]
            if votes:
                wrong.append(np.mean(votes, axis=0).argmax() != y[i])
        errors.append(np.mean(wrong))
        covers.append(len(wrong) / len(y))
    return np.array(errors), np.array(covers)


@checker("hw4-6", plain=True)
def check_path(out_of_bag):
    for seed, n, B, K in ((0, 40, 8, 3), (1, 25, 5, 2), (2, 40, 10, 4)):
        X, y, forest = stumps(seed, n, B, K)
        got = out_of_bag(list(forest), X.copy(), y.copy(), K)
        expect(len(got) == 2, "return two arrays: errors and coverages.")
        errors, covers = (np.asarray(part, dtype=float) for part in got)
        expect(
            errors.shape == covers.shape == (B,),
            f"there are {B} trees: give {B} errors and {B} coverages, after the first tree, the "
            "first two, and so on.",
        )
        want, cover = by_rows(X, y, forest, K)
        out = np.array([~np.isin(np.arange(n), rows) for _, rows in forest])
        each = np.array([tree_proba(tree, X) for tree, _ in forest])
        everybody = [np.mean(s.argmax(axis=1) != y) for s in each.cumsum(axis=0)]
        expect(
            not np.allclose(errors, everybody),
            "all trees predict all rows, but a row may be predicted only by the trees "
            "that have not drawn it.",
        )
        expect(
            not np.allclose(covers, out.mean(axis=1)),
            "your coverage is that of each tree alone; a row is covered once any tree so far has "
            "not seen it.",
        )
        expect(
            np.allclose(covers, cover),
            "the coverage is the proportion of rows with an out-of-bag prediction so far.",
        )
        expect(
            not np.allclose(errors, want * cover) or np.allclose(want, errors),
            "you divide by all rows: divide by the rows with an out-of-bag prediction.",
        )
        sums = (each * out[:, :, None]).cumsum(axis=0)
        expect(
            not np.allclose(errors, [np.mean(s.argmax(axis=1) != y) for s in sums])
            or np.allclose(want, errors),
            "a row that is never out of bag gets the first class: leave it out of the mean.",
        )
        single = [np.mean((s.argmax(axis=1) != y)[o]) for s, o in zip(each, out, strict=True)]
        expect(
            not np.allclose(errors, single)
            and not np.allclose(errors, np.cumsum(single) / np.arange(1, B + 1)),
            "you evaluate tree by tree: first combine the trees that have not seen a row, then "
            "compare their prediction with its class.",
        )
        hard = (np.eye(K)[each.argmax(axis=2)] * out[:, :, None]).cumsum(axis=0)
        seen = out.cumsum(axis=0) > 0
        votes = [np.mean((h.argmax(axis=1) != y)[c]) for h, c in zip(hard, seen, strict=True)]
        expect(
            not np.allclose(errors, votes) or np.allclose(want, errors),
            "you use hard voting; add up the probabilities instead.",
        )
        expect(np.allclose(errors, want), "the out-of-bag errors are wrong.")
    X, y, forest = stumps(3, 4, 2, 2, rest=[0, 1, 1, 2])
    errors, covers = out_of_bag(forest, X, y, 2)
    expect(
        np.allclose(covers, 0.25) and np.all(np.isin(np.asarray(errors), [0, 1])),
        "one row is out of both samples: coverage 0.25, and the error is that of one row.",
    )


# --- Part C ----------------------------------------------------------------------------


@checker("hw4-7")
def check_new_errors(new_errors):
    for seed, n, B, K in ((4, 60, 8, 3), (5, 45, 6, 2), (6, 70, 9, 4)):
        _, _, forest = stumps(seed, n, B, K)
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(n, 2)), rng.integers(K, size=n)
        got = np.asarray(new_errors(list(forest), X.copy(), y.copy()), dtype=float)
        expect(
            got.shape == (B,),
            f"there are {B} trees: give {B} errors, after the first tree, the first two, and so "
            "on.",
        )
        each = np.array([tree_proba(tree, X) for tree, _ in forest])
        want = np.mean(each.cumsum(axis=0).argmax(axis=2) != y, axis=1)
        expect(
            not np.allclose(got, 1 - want),
            "this is the accuracy; the error is the proportion of wrong predictions.",
        )
        single = np.mean(each.argmax(axis=2) != y, axis=1)
        expect(
            not np.allclose(got, single)
            and not np.allclose(got, np.cumsum(single) / np.arange(1, B + 1)),
            "you evaluate tree by tree: first combine the trees, then compare their prediction.",
        )
        votes = np.eye(K)[each.argmax(axis=2)].cumsum(axis=0)
        expect(
            not np.allclose(got, np.mean(votes.argmax(axis=2) != y, axis=1)),
            "you use hard voting; the largest mean probability wins.",
        )
        out = np.array([~np.isin(np.arange(n), rows) for _, rows in forest])
        sums = (each * out[:, :, None]).cumsum(axis=0)
        expect(
            not np.allclose(got, np.mean(sums.argmax(axis=2) != y, axis=1)),
            "these rows are new: no tree has drawn them, so all trees predict all of them.",
        )
        expect(np.allclose(got, want), "the errors on new rows are wrong.")
    few = np.asarray(new_errors(list(forest), X[:5].copy(), y[:5].copy()), dtype=float)
    expect(
        np.allclose(few, np.mean(each.cumsum(axis=0).argmax(axis=2)[:, :5] != y[:5], axis=1)),
        "right for as many new rows as in the training set, wrong for five of them.",
    )


# The errors among the good wines: as they are and with copies, out of bag and test.
COPIES = np.array([[0.616, 0.639], [0.0, 0.486]])


@checker("hw4-8")
def check_copies(answer):
    table = np.asarray(answer, dtype=float)
    expect(
        table.shape == (2, 2),
        "give two rows, as they are and with copies, with the columns out of bag and test.",
    )
    expect(
        not np.allclose(table, COPIES.T, atol=0.03),
        "rows and columns are exchanged: a row is a training set.",
    )
    expect(
        not np.allclose(table, COPIES[::-1], atol=0.06),
        "the rows are exchanged: as they are first, with copies second.",
    )
    expect(
        not np.allclose(table, 1 - COPIES, atol=0.05),
        "these are the proportions that are found; the error is the proportion that is missed.",
    )
    expect(
        table[0].min() > 0.35,
        "the errors of the first row are too small for the good wines: count only wines that are "
        "good, and how many of them the forest predicts to be not good.",
    )
    expect(
        table[1, 0] < 0.1,
        "with copies the out-of-bag error of the good wines is small: were the copies in the "
        "training set when the forest was grown?",
    )
    expect(
        table[1, 1] > 0.3,
        "the test wines are never copied and never trained on; with copies the test error of the "
        "good wines stays large.",
    )
    for i, name in enumerate(("as they are", "with copies")):
        for j, where in enumerate(("out of bag", "test")):
            expect(
                abs(table[i, j] - COPIES[i, j]) < 0.06,
                f"{name}, {where}: the error among good wines is close to {COPIES[i, j]:.2f}; "
                f"yours is {table[i, j]:.3f}.",
            )
