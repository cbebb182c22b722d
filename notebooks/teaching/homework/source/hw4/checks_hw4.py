"""Checkers of homework 4, "A forest of your own"."""

import numpy as np

from treelab.checkers import checker, expect

# --- Part A ----------------------------------------------------------------------------


def numbers(answer, n, what):
    """The answer as n floats."""
    expect(np.shape(answer) == (n,), f"give {n} numbers: {what}.")
    return np.array([float(number) for number in answer])


def expect_number(got, want, hint):
    """Expect four digits; say so where only they are missing."""
    close = 0.5 * 10.0 ** (np.floor(np.log10(want)) - 1)  # half a unit of the second digit
    right = np.isclose(got, want, atol=1e-4)
    expect(
        right or abs(got - want) > 1.001 * close,
        f"{got:g} is right so far; give more digits, four after the point.",
    )
    expect(right, hint)


@checker("hw4-1")
def check_out_of_bag(answer):
    coverage, error, training = numbers(
        answer, 3, "coverage, out-of-bag error, error of the mean of all three trees"
    )
    expect(
        not np.isclose(coverage, 8 / 18, atol=5e-4),
        "that is the share of pairs of a tree and a day that are out of bag; coverage is the share "
        "of days that at least one tree has not seen.",
    )
    expect(
        not np.isclose(coverage, 1),
        "one day is in all three samples: no tree may judge it.",
    )
    expect_number(coverage, 5 / 6, "five of the six days have a judge.")
    expect(
        not np.isclose(error, 209.25 / 6),
        "you divide by 6, as if day 5 were predicted without error: it has no judge, leave it out.",
    )
    expect(
        not np.isclose(error, 47.1),
        "you took the squared errors of single trees; out of bag, the trees that have not seen a "
        "day first agree on their mean.",
    )
    expect(
        not np.isclose(error, 43.25),
        "you pooled eight squared errors of single trees; first one mean prediction for each day.",
    )
    expect(
        not np.isclose(error, 9),
        "9 is the error of all three trees: only those whose sample lacks a day may judge it.",
    )
    expect_number(
        error,
        41.85,
        "the out-of-bag predictions of days 1, 2, 3, 4 and 6 are 9, 14, 17, 8.5 and 9.",
    )
    expect(
        not np.isclose(training, 62 / 3, atol=5e-3),
        "that is the mean error of the single trees; first take the mean of the three predictions.",
    )
    expect_number(training, 9, "the means of the three trees are 15, 15, 12, 9, 9 and 12.")


@checker("hw4-2")
def check_jensen(answer):
    soft, of_members, of_mean, wrong, hard_error, soft_error = numbers(
        answer, 6, "soft share, two squared errors, then three shares of errors"
    )
    expect(
        not np.isclose(soft, 0.4),
        "0.4 is the share of hard votes; the soft vote is the mean of the five shares.",
    )
    expect_number(soft, 0.58, "the five shares add up to 2.9.")
    expect(
        not np.isclose(of_members, 0.0496),
        "that is the variance of the shares, the difference of numbers 2 and 3.",
    )
    expect(
        not np.isclose(of_members, 0.386),
        "the true class is 1: the error of a share s is (1 - s)², not s².",
    )
    expect(
        not np.isclose(of_members, 0.1764),
        "square first, then take the mean: you squared the error of the mean.",
    )
    expect_number(of_members, 0.226, "0.01, 0.04 and three times 0.36 add up to 1.13.")
    expect_number(of_mean, 0.1764, "the error of the mean share is (1 - 0.58)².")
    expect(
        not np.isclose(wrong, 0.4),
        "0.4 of the members are right; you are asked for those that err.",
    )
    expect(np.isclose(wrong, 0.6), "three of the five members name class 0.")
    expect(
        not np.isclose(hard_error, 0.6),
        "the vote names one class, so its error in this one case is 0 or 1.",
    )
    expect(
        np.isclose(hard_error, 1), "in the hard vote class 0 wins with 3 of 5, and the truth is 1."
    )
    expect(
        np.isclose(soft_error, 0),
        "the soft vote names the class with the larger mean share, 0.58 for class 1: it is right.",
    )


@checker("hw4-3")
def check_correlation(answer):
    rho, s2, enough, cross = numbers(answer, 4, "rho, sigma², number of trees, number of trees")
    expect(
        not np.isclose(rho, 2),
        "2 is the shared part, rho times sigma²: divide it by sigma².",
    )
    expect(
        not np.isclose(rho, 0.25),
        "you divided the shared part by the other part, 8; sigma² is the sum of the two.",
    )
    expect(not np.isclose(rho, 0.8), "that is 1 - rho, the part that averaging takes away.")
    expect(
        np.isclose(rho, 0.2, atol=5e-4),
        "write the variance as a + b / B: from 10 to 40 trees it falls by b (1/10 - 1/40).",
    )
    expect(
        not np.isclose(s2, 8),
        "8 is (1 - rho) sigma²; a single tree, B = 1, has both parts.",
    )
    expect(np.isclose(s2, 10), "with one tree, B = 1, the variance is a + b = 2 + 8.")
    expect(
        not np.isclose(enough, 160),
        "5% of what is left, 2, is 0.1, not 0.05.",
    )
    expect(
        enough >= 80,
        "with fewer than 80 trees, 8 / B is more than 5% of 2.",
    )
    expect(np.isclose(enough, 80), "8 / B is at most 0.1 from 80 trees on.")
    expect(
        not np.isclose(cross, 18.5),
        "the two are equal at 18.5, but trees come whole: from which whole number on?",
    )
    expect(
        not np.isclose(cross, 18),
        "with 18 trees the second forest still has the larger variance, 2.467 and 2.444.",
    )
    expect(
        np.isclose(cross, 19),
        "the second forest has the variance 1.2 + 22.8 / B, the first 2 + 8 / B.",
    )


# --- Part B ----------------------------------------------------------------------------


def gini_gain(left, right):
    """What a cut takes from the Gini impurity of a node, from the classes on both sides."""

    def total(y):
        return len(y) - (np.bincount(y) ** 2).sum() / len(y)

    both = np.concatenate([left, right])
    return (total(both) - total(left) - total(right)) / len(both)


def brute_cut(x, y):
    """(gain, threshold) of the best cut of one feature, (0.0, None) without one: by trying all."""
    best = (0.0, None)
    values = np.unique(x)
    for s in (values[:-1] + values[1:]) / 2:
        gain = gini_gain(y[x <= s], y[x > s])
        if gain > best[0] + 1e-12:
            best = (gain, s)
    return best


def tree_shares(tree, X):
    """Class shares of each row, from the leaf in which it ends; (n, n_classes)."""
    if isinstance(tree, np.ndarray):
        return np.tile(tree, (len(X), 1))
    j, s, left, right = tree
    return np.where(X[:, [j]] <= s, tree_shares(left, X), tree_shares(right, X))


def features_of(tree):
    """The features that a tree asks for, the root first."""
    if isinstance(tree, np.ndarray):
        return []
    return [tree[0], *features_of(tree[2]), *features_of(tree[3])]


def is_tree(thing):
    """Whether this is a node or a leaf, in the form of `grow`."""
    if isinstance(thing, np.ndarray):
        return thing.ndim == 1 and np.issubdtype(thing.dtype, np.floating)
    return isinstance(thing, tuple) and len(thing) == 4


def ranked():
    """Twelve rows, four features: the first cuts best, the last worst."""
    y = np.repeat([0, 1], 6)
    columns = []
    for j in range(4):
        order = np.concatenate([np.arange(6, 6 + j), np.arange(6), np.arange(6 + j, 12)])
        column = np.empty(12)
        column[order] = np.arange(12) + 10.0 * j
        columns.append(column)
    return np.column_stack(columns), y


def chosen(node_split, X, y, m, calls=250, seed=0):
    """How often each feature is chosen, as shares; the thresholds are checked on the way."""
    rng, counts = np.random.default_rng(seed), np.zeros(X.shape[1])
    cuts = [brute_cut(column, y)[1] for column in X.T]
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
            cuts[j] is not None and np.isclose(float(found[1]), cuts[j]),
            "the threshold does not belong to the best cut of the feature that you return.",
        )
        counts[j] += 1
    return counts / calls


@checker("hw4-4")
def check_node_split(node_split):
    X, y = ranked()
    one = chosen(node_split, X, y, 1)
    expect(
        one.sum() > 0,
        "no cut was found, though each of the four features has one: return it as (feature, "
        "threshold).",
    )
    mirrored = chosen(node_split, X[:, ::-1], y, 1, calls=40)
    expect(
        one[0] < 0.9 or mirrored[3] < 0.9,
        "you choose the best of all features; only the m that were drawn are candidates.",
    )
    expect(
        one.max() < 0.9,
        "with m = 1 you always choose the same feature: draw anew on each call, from `rng`.",
    )
    expect(
        np.abs(one - 0.25).max() < 0.11,
        "with m = 1 each of the four features is chosen in a quarter of the calls; yours are not "
        "equally likely.",
    )
    two = chosen(node_split, X, y, 2)
    expect(
        np.abs(two - 0.25).max() > 0.11,
        "you take the first feature that can be cut: search all m candidates for the largest gain.",
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
        "a constant candidate cannot be cut: go on in the order until a feature can.",
    )
    expect(
        np.abs(found[2:] - 0.5).max() < 0.13,
        "after a constant candidate you search all the others at once: go on one feature at a "
        "time, in the order that you have drawn.",
    )
    same = np.ones((5, 3)), np.array([0, 1, 0, 1, 1])
    expect(
        tuple(node_split(*same, 2, np.random.default_rng(0))) == (None, None),
        "where no feature has a cut, return (None, None).",
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
        "the first two features are the same, so of equal gains the first drawn wins; yours "
        "prefers one of the columns.",
    )


def coins(seed, n=30, p=6, n_classes=3):
    """Random rows and classes; nothing to learn but the rows themselves."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)), rng.integers(n_classes, size=n)


@checker("hw4-5")
def check_grow_forest(grow_forest):
    X, y = coins(0)
    forest = grow_forest(X.copy(), y.copy(), 4, 2, 12, np.random.default_rng(0))
    expect(len(forest) == 12, f"you returned {len(forest)} trees where B is 12.")
    expect(
        not any(len(pair) == 2 and is_tree(pair[1]) and not is_tree(pair[0]) for pair in forest),
        "a pair is (tree, rows), in this order.",
    )
    expect(
        all(len(pair) == 2 and is_tree(pair[0]) for pair in forest)
        and all(np.shape(r) == (30,) for _, r in forest),
        "the forest is a list of pairs: a tree, and the 30 rows that it was grown on.",
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
    shares = [np.asarray(tree_shares(tree, X)) for tree, _ in forest]
    expect(
        all(s.shape == (30, 4) for s in shares),
        "with n_classes = 4 each leaf holds four shares, even if a class is not in the sample: "
        "pass n_classes on to grow.",
    )
    right = [s.argmax(axis=1) == y for s in shares]
    expect(
        not all(r.all() for r in right),
        "every tree knows every row by heart: grow it on X[rows], y[rows].",
    )
    expect(
        all(r[drawn].all() for r, drawn in zip(right, rows, strict=True)),
        "a tree does not know the rows that you give with it: return the rows that it was grown "
        "on.",
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
        "equal generators give different forests: take all random numbers from `rng`, those of "
        "node_split too.",
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
        "with m = 1 every root asks for the best feature: pass m on to node_split.",
    )
    expect(
        set(roots[1]) == {0},
        "with m = 6 all features are candidates, and every root must ask for the best one.",
    )
    other = grow_forest(*coins(0), 4, 2, 12, np.random.default_rng(1))
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


def judged(X, y, forest, n_classes):
    """Out-of-bag errors and coverages after each tree, row by row."""
    errors, covers = [], []
    for B in range(1, len(forest) + 1):
        wrong = []
        for i in range(len(y)):
            heard = [tree_shares(t, X[[i]])[0] for t, rows in forest[:B] if i not in rows]
            if heard:
                wrong.append(np.mean(heard, axis=0).argmax() != y[i])
        errors.append(np.mean(wrong))
        covers.append(len(wrong) / len(y))
    return np.array(errors), np.array(covers)


@checker("hw4-6")
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
        want, cover = judged(X, y, forest, K)
        out = np.array([~np.isin(np.arange(n), rows) for _, rows in forest])
        each = np.array([tree_shares(tree, X) for tree, _ in forest])
        everybody = [np.mean(s.argmax(axis=1) != y) for s in each.cumsum(axis=0)]
        expect(
            not np.allclose(errors, everybody),
            "all trees vote on all rows: the judges of a row are the trees that have not drawn it.",
        )
        expect(
            not np.allclose(covers, out.mean(axis=1)),
            "your coverage is that of each tree alone; a row is covered once any tree so far has "
            "not seen it.",
        )
        expect(np.allclose(covers, cover), "the coverage is the share of rows with a judge so far.")
        expect(
            not np.allclose(errors, want * cover) or np.allclose(want, errors),
            "you divide by all rows: divide by the rows with a judge.",
        )
        sums = (each * out[:, :, None]).cumsum(axis=0)
        expect(
            not np.allclose(errors, [np.mean(s.argmax(axis=1) != y) for s in sums])
            or np.allclose(want, errors),
            "a row without a judge gets the first class in your count: leave it out of the mean.",
        )
        single = [np.mean((s.argmax(axis=1) != y)[o]) for s, o in zip(each, out, strict=True)]
        expect(
            not np.allclose(errors, single)
            and not np.allclose(errors, np.cumsum(single) / np.arange(1, B + 1)),
            "you judge tree by tree: its out-of-bag trees first agree on one answer, then it is "
            "compared.",
        )
        hard = (np.eye(K)[each.argmax(axis=2)] * out[:, :, None]).cumsum(axis=0)
        seen = out.cumsum(axis=0) > 0
        votes = [np.mean((h.argmax(axis=1) != y)[c]) for h, c in zip(hard, seen, strict=True)]
        expect(
            not np.allclose(errors, votes) or np.allclose(want, errors),
            "you count hard votes; add up the class shares instead.",
        )
        expect(np.allclose(errors, want), "the out-of-bag errors are wrong.")
    X, y, forest = stumps(3, 4, 2, 2, rest=[0, 1, 1, 2])
    errors, covers = out_of_bag(forest, X, y, 2)
    expect(
        np.allclose(covers, 0.25) and np.all(np.isin(np.asarray(errors), [0, 1])),
        "one row is out of both samples: coverage 0.25, and the error is that of one row.",
    )


# --- Part C ----------------------------------------------------------------------------

# Out of bag, test, one tree, no wine is good; and the errors among the good wines.
WHITE = (0.209, 0.196, 0.253, 0.209)
COPIES = np.array([[0.616, 0.639], [0.0, 0.486]])


@checker("hw4-7")
def check_errors(answer):
    oob, test, tree, nobody = numbers(answer, 4, "out of bag, test, one tree, no wine is good")
    expect(
        oob > 0.05,
        "so small an error is that of rows that the trees have seen: take the last out-of-bag "
        "error.",
    )
    expect(
        not 0.24 < oob < 0.3,
        "that looks like the error after the first trees; the last entry is the error of all 40.",
    )
    expect(
        abs(oob - WHITE[0]) < 0.028,
        f"the out-of-bag error of 40 trees comes close to 0.21; yours is {oob:.3f}.",
    )
    expect(
        test > 0.05 and not 0.24 < test < 0.3,
        "the forest's answer is the class with the largest mean share over all 40 trees, compared "
        "with `c`.",
    )
    expect(
        abs(test - WHITE[1]) < 0.022,
        f"the test error of the forest comes close to {WHITE[1]:.2f}; yours is {test:.3f}.",
    )
    expect(
        tree > 0.05,
        "a grown tree has no error on its own rows; it is to be judged on the test rows.",
    )
    expect(
        abs(tree - WHITE[2]) < 0.015,
        f"a grown tree errs in about {WHITE[2]:.2f} of the test wines; yours in {tree:.3f}.",
    )
    expect(
        not np.isclose(nobody, 1 - WHITE[3], atol=0.002),
        "that is how often the sentence is right.",
    )
    expect(
        np.isclose(nobody, WHITE[3], atol=0.002),
        "the sentence 'no wine is good' errs on the good wines of the test rows and on no others.",
    )


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
        "these are the shares that are found; the error is the share that is missed.",
    )
    expect(
        table[0].min() > 0.35,
        "the errors of the first row are too small for the good wines: count only wines that are "
        "good, and how many of them the forest calls not good.",
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
