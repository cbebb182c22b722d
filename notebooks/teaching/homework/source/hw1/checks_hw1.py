"""Checkers of the assignment "One tree by hand, one splitter of your own"."""

from functools import cache

import numpy as np

from treelab import DecisionTreeClassifier
from treelab.checkers import checker, expect, judged
from treelab.datasets import fetch_vehicle
from treelab.fast.growing import split_table

# The gardener's eight entries with the number 0, which part B uses, too.
HOURS = np.array([2, 3, 3, 5, 6, 6, 8, 9])
WATER = np.array([1, 3, 1, 2, 4, 2, 3, 1])
POTS = np.array([2, 1, 1, 3, 1, 2, 1, 1])
THRIVES = np.array([0, 1, 0, 1, 0, 1, 0, 0])


def numbers(answer, size, what):
    """The answer as `size` floats; a hint that says `what` is asked for if it is not."""
    try:
        found = np.array(answer() if callable(answer) else answer, dtype=float).ravel()
    except (TypeError, ValueError):
        found = np.array([])
    expect(len(found) == size and np.all(np.isfinite(found)), f"the answer is {what}.")
    return found


def ask(function, X, y, w, *rest):
    """What the function returns; a hint if it changes the data that it is given."""
    copies = X.copy(), y.copy(), w.copy()
    answer = function(*copies, *rest)
    expect(
        all(map(np.array_equal, copies, (X, y, w))),
        "your function changes the data that it is given; work on copies, such as x[order].",
    )
    return answer


# --- by hand ------------------------------------------------------------------------------

# Each garden: pots, fates, which lines have the same hours, which get much water; in the friend's
# tree the sides of the deeper questions, after which hours it cuts, and the leaf that is asked for.
GARDENS = (
    "21212111 01110100 01122345 10000100 RL 12 0",
    "32111121 10101011 01123455 11001011 LR 40 1",
    "31113121 10010111 01123345 00010011 LL 30 1",
    "22321111 01010100 01233455 01000111 LL 32 1",
    "31221111 01010000 01122345 01101110 LR 31 0",
    "21221211 11011011 01123345 11010010 RL 14 0",
    "23211111 10110100 01233455 11010010 RL 13 0",
    "31111312 01100100 01223345 01111100 LR 31 1",
    "21113211 10011000 01223345 11001000 LR 32 0",
    "31111112 01011100 01223455 11101010 RL 12 1",
    "22212211 10001011 01223455 01100010 RL 13 1",
    "31211321 10100011 01223345 10111101 LR 40 1",
    "32112111 01010111 01123455 01100111 LR 41 0",
    "23121111 10100111 01223345 00101000 LL 30 1",
    "21221111 10000011 01123455 00100100 LL 31 0",
    "22211111 10110111 01123345 01010110 LL 40 1",
    "21122211 10011011 01123455 01010001 RL 23 1",
    "22132211 10010100 01233455 01100000 LL 42 1",
    "21231111 10000011 01123345 00110011 LL 31 0",
    "33121112 01001011 01223455 01011101 LR 31 1",
    "31211112 01101100 01123455 11000010 LL 42 0",
    "33112111 01001000 01122345 01101100 LR 32 0",
    "31112111 10100111 01122345 11110000 RL 13 0",
    "31121111 10001111 01122345 10011110 LR 43 0",
)


def given(number):
    """What part A shows to the student with this number.

    Parameters
    ----------
    number : int

    Returns
    -------
    dict
        ``garden``, the columns of the table; ``tree`` of the friend, a leaf being None and a node
        (column, threshold, left subtree, right subtree); ``leaf``, the number of one of its leaves;
        ``new_pots``, four pairs (hours, water).
    """
    fate = np.array(["wilts", "thrives"])
    if number == 0:
        garden = {"hours": HOURS, "water": WATER, "pots": POTS, "fate": fate[THRIVES]}
        tree = ("hours", 7, ("water", 1.5, None, ("hours", 5, None, None)), None)
        pots = [(7, 1.5), (5, 2), (5.5, 9), (24, 0)]
        return {"garden": garden, "tree": tree, "leaf": 5, "new_pots": pots}
    rng = np.random.default_rng([1, number])
    pots, fates, ranks, wet, sides, cuts, asked = rng.choice(GARDENS).split()
    pots, fates, ranks, wet, cuts = (
        [int(k) for k in field] for field in (pots, fates, ranks, wet, cuts)
    )
    values = np.cumsum(rng.integers(1, 4, size=6))
    water = rng.integers(1, 4) + 0.5
    less, more = rng.integers(1, water + 0.5, size=8), rng.integers(water + 0.5, 8, size=8)
    garden = {
        "hours": values[ranks],
        "water": np.where(wet, more, less),
        "pots": np.array(pots),
        "fate": fate[np.array(fates) ^ rng.integers(2)],
    }
    first, last = (int(rng.integers(values[r], values[r + 1])) for r in cuts)
    inner, deep_is_right = ("hours", last, None, None), sides[1] == "R"
    inner = ("water", float(water), *((None, inner) if deep_is_right else (inner, None)))
    tree = ("hours", first, *((None, inner) if sides[0] == "R" else (inner, None)))
    new = [
        (first, float(water)),
        (last, float(water + 0.5 if deep_is_right else water - 0.5)),
        ((first + last) / 2, int(rng.integers(0, 10))),
        (24 if sides[0] == "L" else 0, int(rng.integers(0, 10))),
    ]
    leaf = {"LR": 4, "LL": 3, "RL": 4}[sides] + int(asked)
    return {
        "garden": garden,
        "tree": tree,
        "leaf": leaf,
        "new_pots": [new[k] for k in rng.permutation(4)],
    }


def drawn(tree, depth=0):
    """The text of a friend's tree."""
    stem = "|   " * depth + "|--- "
    if tree is None:
        return f"{stem}leaf\n"
    column, threshold, left, right = tree
    return (
        f"{stem}{column} <= {threshold:g}\n{drawn(left, depth + 1)}"
        f"{stem}{column} > {threshold:g}\n{drawn(right, depth + 1)}"
    )


@checker("hw1-1")
def check_leaves(answer):
    judged("hw1-1", numbers(answer, 4, "a list of four numbers of leaves, one for each pot"))


@checker("hw1-2")
def check_node(answer):
    what = "two numbers: the share of thriving pots and the Gini impurity"
    judged("hw1-2", numbers(answer, 2, what))


@checker("hw1-3")
def check_gains(answer):
    try:
        pairs = np.array(answer() if callable(answer) else answer, dtype=float)
    except (TypeError, ValueError):
        pairs = np.array([])
    expect(
        pairs.ndim == 2 and pairs.shape[1] == 2 and np.all(np.isfinite(pairs)),
        "the answer is a list of pairs (threshold, gain).",
    )
    judged("hw1-3", pairs)


@checker("hw1-4")
def check_choice(answer):
    judged("hw1-4", numbers(answer, 2, "two thresholds: without the rule, with the rule"))


# --- implement it yourself ----------------------------------------------------------------


def samples():
    """(x, y, w, n_classes): the gardener, ties, an absent class, fractions, an even split."""
    yield HOURS.astype(float), THRIVES, POTS.astype(float), 2
    yield HOURS.astype(float), THRIVES, np.ones(8), 2
    yield np.array([4.0, 1.0, 2.0, 8.0]), np.array([0, 1, 0, 1]), np.ones(4), 2
    yield np.array([3.0, 3.0, 1.0, 1.0, 2.0]), np.array([2, 0, 0, 2, 2]), np.ones(5), 3
    for seed in range(6):
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 12, size=40) / 4
        yield x, rng.integers(0, 4, size=40), rng.uniform(0.2, 3, size=40), 4


@checker("hw1-5", plain=True)
def check_cut_gains(cut_gains):
    for x, y, w, K in samples():
        answer = ask(cut_gains, x, y, w, K)
        expect(
            isinstance(answer, tuple | list) and len(answer) == 2,
            "return two arrays: the thresholds and the gains.",
        )
        s, gain = (np.asarray(part, dtype=float).ravel() for part in answer)
        expect(len(s) == len(gain), "there is one gain for each threshold.")
        table, values = split_table(x[:, None], y, "gini", sample_weight=w), np.unique(x)
        right, want = table["threshold"].to_numpy(), table["gain"].to_numpy()
        where = f" (x {x[:8].tolist()} ..., y {y[:8].tolist()} ...)"
        expect(
            len(s) != len(values) - 1 or not np.allclose(s, np.diff(values) / 2),
            "halfway between a and b is (a + b) / 2, not (b - a) / 2." + where,
        )
        expect(
            len(np.unique(s)) == len(s) and not np.isin(s, values).any(),
            "a threshold is repeated or lies on a value of x: rows with equal x cannot be "
            "separated, and a threshold lies halfway between two different values." + where,
        )
        expect(
            np.all(np.diff(s) > 0),
            "the thresholds do not ascend; sort the rows by x first, and y and w with them."
            + where,
        )
        expect(
            len(s) == len(right) and np.allclose(s, right),
            "the thresholds are not the midpoints of neighboring values of x." + where,
        )
        if np.allclose(gain, want):
            continue
        W = w.sum()
        unweighted = split_table(x[:, None], y, "gini")["gain"]
        expect(
            not np.allclose(gain, unweighted), "these are the gains without the weights." + where
        )
        expect(not np.allclose(gain, W * want), "these are total gains; divide by W." + where)
        expect(
            not np.allclose(gain, table["remainder"]),
            "these are the remainders; subtract them from the impurity of the node." + where,
        )
        before = table["gain"] + table["remainder"]
        mean = (table["impurity_left"] + table["impurity_right"]) / 2
        expect(
            not np.allclose(gain, before - mean),
            "weigh the two sides by W_L / W and W_R / W; this is the plain mean." + where,
        )
        counts = (table["n_left"] * table["impurity_left"]
                  + table["n_right"] * table["impurity_right"]) / len(x)  # fmt: skip
        expect(
            not np.allclose(gain, before - counts),
            "the impurities are weighted, but you combine the sides by their rows: use W_L / W "
            "and W_R / W." + where,
        )
        entropies = split_table(x[:, None], y, "entropy", sample_weight=w)["gain"]
        expect(not np.allclose(gain, entropies), "that is the entropy; Gini is asked for." + where)
        expect(False, "the thresholds are right, some gains are not." + where)


def tables():
    """(X, y, w, n_classes, min_leaf): what a search meets in a tree."""
    pots = np.column_stack([HOURS, WATER]).astype(float)
    yield pots, THRIVES, POTS.astype(float), 2, 1
    yield np.array([[5.0, 1.0], [5.0, 2.0], [5.0, 3.0]]), np.array([0, 1, 1]), np.ones(3), 2, 1
    yield np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([0, 1, 1, 0]), np.ones(4), 2, 1
    x = np.array([3.0, 1.0, 4.0, 2.0])
    yield np.column_stack([x, x, -x]), np.array([1, 0, 1, 0]), np.ones(4), 2, 1
    yield np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0]), np.ones(4), 2, 1
    yield np.arange(6.0)[:, None], np.array([0, 1, 1, 1, 1, 1]), np.ones(6), 2, 2
    yield HOURS[:, None].astype(float), THRIVES, POTS.astype(float), 2, 2
    yield -HOURS[:, None].astype(float), THRIVES, POTS.astype(float), 2, 2
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 9, size=(30, 3)).astype(float)
        yield X, rng.integers(0, 3, size=30), rng.integers(1, 4, size=30) / 2, 3, 1 + 3 * seed


@checker("hw1-6", none_is_an_answer=True, plain=True)
def check_best_question(best_question):
    for turn, (X, y, w, K, least) in enumerate(tables()):
        answer = ask(best_question, X, y, w, K, least)
        expect(answer is not None and answer is not ... or turn > 0, "not done yet")
        table = split_table(X, y, "gini", sample_weight=w)
        rows = np.minimum(table["n_left"], table["n_right"])
        allowed = table[rows >= least]
        strict = table[rows > least]
        where = f" (X {X[:4].tolist()} ..., y {y[:4].tolist()} ..., min_leaf {least})"
        expect(answer is not None, "where there is no split, return the empty tuple (), not None.")
        expect(isinstance(answer, tuple | list), "return (j, s, gain), or () if there is none.")
        if len(allowed) == 0:
            expect(
                len(answer) == 0, "no split leaves min_leaf rows on both sides: return ()." + where
            )
            continue
        top = allowed["gain"].max()
        expect(
            len(answer) > 0 or top > 1e-9,
            "a split that gains nothing is still a split: two steps later it may pay." + where,
        )
        at_least = "a side with exactly min_leaf rows is large enough: at least, not more than."
        expect(len(answer) > 0 or len(strict) > 0, at_least + where)
        expect(len(answer) == 3, "there is a split here: return (j, s, gain)." + where)
        j, s, gain = (float(part) for part in answer)
        names = np.asarray(table["feature"].astype(str).str.extract(r"(\d+)")[0], dtype=float)
        here = table[(names == j) & np.isclose(table["threshold"], s)]
        expect(len(here) == 1, f"feature {j:g} has no threshold at {s:g}." + where)
        sides = int(np.minimum(here["n_left"], here["n_right"]).item())
        light = min(here["weight_left"].item(), here["weight_right"].item())
        expect(
            sides >= least or light < least,
            "min_leaf counts rows, not their weight." + where,
        )
        expect(sides >= least, "one side has fewer than min_leaf rows; look at both." + where)
        gained = here["gain"].item()
        expect(
            gained > top - 1e-9 or least == 1 or gained < strict["gain"].max() - 1e-9,
            at_least + where,
        )
        expect(
            gained > top - 1e-9,
            f"feature {j:g} at {s:g} is not the best; is every feature tried, and the best so far "
            "kept?" + where,
        )
        best = allowed[allowed["gain"] > top - 1e-9]
        expect(
            here.index[0] == best.index[0],
            "several splits are equally good: the first feature wins, then the smallest threshold; "
            "a later one must be better by more than rounding." + where,
        )
        expect(abs(gain - top) < 1e-9, f"the gain is {top:.4f}, not {gain:.4f}." + where)


def preorder(tree):
    """The nodes of a nested tree, each before its left subtree, that before its right one."""
    expect(isinstance(tree, dict), "a tree is a dictionary, and so are its two subtrees.")
    expect("shares" in tree, 'every node has its "shares", the inner ones too.')
    if "feature" not in tree:
        expect("left" not in tree and "right" not in tree, 'an inner node has a "feature".')
        return [tree]
    missing = [key for key in ("threshold", "left", "right") if key not in tree]
    expect(not missing, f"an inner node lacks {missing}.")
    return [tree, *preorder(tree["left"]), *preorder(tree["right"])]


def depth_of(tree):
    """Number of splits on the longest path."""
    if "feature" not in tree:
        return 0
    return 1 + max(depth_of(tree["left"]), depth_of(tree["right"]))


def rows_of(tree, X, rows):
    """(leaf, its rows) for all leaves."""
    if "feature" not in tree:
        return [(tree, rows)]
    left = X[rows, tree["feature"]] <= tree["threshold"]
    return rows_of(tree["left"], X, rows[left]) + rows_of(tree["right"], X, rows[~left])


def gardens():
    """(X, y, w, n_classes, max_depth, min_leaf): trees to grow, the telling ones first."""
    pots = np.column_stack([HOURS, WATER]).astype(float)
    corners = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    yield pots[:3], np.array([1, 1, 1]), np.ones(3), 2, np.inf, 1
    yield pots, THRIVES, POTS.astype(float), 2, 0, 1
    yield pots, THRIVES, np.ones(8), 2, 1, 1
    yield pots, THRIVES, np.ones(8), 2, 2, 1
    yield pots, THRIVES, POTS.astype(float), 2, np.inf, 1
    yield corners, np.array([0, 1, 1, 0]), np.ones(4), 2, np.inf, 1
    yield np.ones((4, 2)), np.array([0, 1, 2, 2]), np.ones(4), 3, np.inf, 1
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(60, 3)).round(1)
        y = (X[:, 0] > 0).astype(int) + (X[:, 1] + rng.normal(size=60) > 0.5)
        yield X, y, rng.integers(1, 5, size=60) / 4, 3, (np.inf, 3)[seed % 2], (1, 4, 9)[seed % 3]


@checker("hw1-7", plain=True)
def check_grow(grow):
    for X, y, w, K, max_depth, least in gardens():
        tree = ask(grow, X, y, w, K, max_depth, least)
        nodes = preorder(tree)
        where = f" ({len(y)} rows, max_depth {max_depth}, min_leaf {least})"
        expect(
            len(np.unique(y)) > 1 or len(nodes) == 1,
            "all rows are of one class: this node is a leaf." + where,
        )
        expect(depth_of(tree) <= max_depth, "a path has more than max_depth splits." + where)
        leaves = rows_of(tree, X, np.arange(len(y)))
        expect(
            min(len(rows) for _, rows in leaves) >= 1,
            'a leaf holds no row: rows with x <= threshold belong to "left".' + where,
        )
        expect(
            min(len(rows) for _, rows in leaves) >= least,
            "a leaf has fewer than min_leaf rows; do the subtrees know the rule?" + where,
        )
        for leaf_node, rows in leaves:
            shares = np.asarray(leaf_node["shares"], dtype=float)
            expect(
                shares.shape == (K,),
                "the class proportions are an array of n_classes numbers, 0 for an absent class."
                + where,
            )
            S = np.bincount(y[rows], minlength=K)
            weighted = np.bincount(y[rows], weights=w[rows], minlength=K)
            if np.allclose(shares, weighted / weighted.sum()):
                continue
            expect(
                not np.allclose(shares, S / S.sum()),
                "these proportions count rows; let each row count with its weight." + where,
            )
            expect(
                not np.allclose(shares, S) and not np.allclose(shares, weighted),
                "proportions add up to 1: divide by the weight of the node." + where,
            )
            expect(
                False,
                "the proportions of a leaf are not those of its own rows: does each subtree "
                "get its own rows of X, y and w, the left one those with x <= threshold?" + where,
            )
        if max_depth == 0:
            continue
        limit = None if np.isinf(max_depth) else max_depth
        model = DecisionTreeClassifier(max_depth=limit, min_samples_leaf=least)
        right = model.fit(X, y, sample_weight=w).tree_
        expect(
            len(nodes) > 1 or right.node_count == 1 or max_depth < np.inf or y.max() > 1,
            "four corners, and no first split gains anything: it is a split all the same." + where,
        )
        expect(
            depth_of(tree) == right.max_depth or max_depth == np.inf,
            f"the longest path has {depth_of(tree)} splits and may have {max_depth}." + where,
        )
        expect(
            len(nodes) == right.node_count,
            f"your tree has {len(nodes)} nodes, it should have {right.node_count}." + where,
        )
        for t, node in enumerate(nodes):
            expect(
                ("feature" not in node and right.is_leaf[t])
                or (
                    node.get("feature") == right.feature[t]
                    and np.isclose(node["threshold"], right.threshold[t])
                ),
                f"node {t} in preorder does not have the best split of its rows." + where,
            )
            held = np.asarray(node["shares"], dtype=float)
            expect(
                held.shape == (K,) and np.isclose(held.sum(), 1),
                f"the proportions of node {t} in preorder do not add up to 1." + where,
            )


# --- data analysis ------------------------------------------------------------------------


@cache
def vehicles():
    """The silhouettes as arrays: X, y (0 to 3, van is 3), and which rows are for testing."""
    X, y = fetch_vehicle(return_X_y=True)
    codes = y.cat.codes.to_numpy().astype(int)
    return X.to_numpy(dtype=float), codes, np.arange(len(codes)) % 3 == 0


@cache
def called(k=1.0, grown_on="training", **limits):
    """The class that a tree gives to every row, grown on some of them; its leaves."""
    X, y, test = vehicles()
    rows = {"training": ~test, "test": test, "all": test | ~test}[grown_on]
    tree = DecisionTreeClassifier(**limits)
    w = np.where(y[rows] == 3, float(k), 1.0)
    tree.fit(X[rows], y[rows], sample_weight=w)
    return tree.predict(X), tree.get_n_leaves()


def van_counts(k, rows, **limits):
    """Vans not called van and others called van, among some rows."""
    y = vehicles()[1][rows]
    said = called(k, **limits)[0][rows]
    return [np.sum((y == 3) & (said != 3)), np.sum((y != 3) & (said == 3))]


@checker("hw1-9")
def check_van_errors(van_errors):
    X, y, test = vehicles()
    for k in (1, 4):
        found = numbers(
            van_errors(k), 2, "two numbers: vans missed and others predicted to be vans"
        )
        right = van_counts(k, test, max_depth=4)
        where = f" (k = {k})"
        if np.allclose(found, right):
            continue
        expect(not np.allclose(found, right[::-1]), "vans missed come first." + where)
        expect(
            not np.allclose(found, van_counts(k, ~test, max_depth=4)),
            "these are the training rows; count on the test rows." + where,
        )
        expect(
            not np.allclose(found, van_counts(k, slice(None), max_depth=4)),
            "these are all rows; count on the test rows only." + where,
        )
        expect(
            k == 1 or not np.allclose(found, van_counts(1, test, max_depth=4)),
            "these are the numbers for k = 1: the weights do not reach the tree." + where,
        )
        expect(
            not np.allclose(found, van_counts(k, test)),
            "this tree has no limit of depth; four splits on a path are allowed." + where,
        )
        vans = np.sum(y[test] == 3)
        rates = [right[0] / vans, right[1] / (test.sum() - vans)]
        expect(not np.allclose(found, rates), "how many, not which proportion." + where)
        expect(not np.allclose(found, [k * right[0], right[1]]), "the weights are for growing; in "
               "the test every vehicle counts once." + where)  # fmt: skip
        names = ("of vans that are missed", "of others that are predicted to be vans")
        wrong = " and the one ".join(n for n, a, b in zip(names, found, right) if a != b)
        expect(False, f"the number {wrong} is another: check the weights, the limit of four "
               "splits on a path, and which rows you count." + where)  # fmt: skip


@checker("hw1-10")
def check_errors_of(errors_of):
    X, y, test = vehicles()
    for least in (10, 40):
        found = numbers(errors_of(least), 3, "leaves, error on training rows, error on test rows")
        said, leaves = called(min_samples_leaf=least)
        wrong = said != y
        right = [leaves, wrong[~test].mean(), wrong[test].mean()]
        where = f" (min_leaf = {least})"
        if np.allclose(found, right):
            continue
        train, held = right[1:]
        expect(
            not np.allclose(found[1:], [held, train]),
            "the error on the training rows comes before that on the test rows." + where,
        )
        expect(
            not np.allclose(found[1:], [1 - train, 1 - held]),
            "that is the share of right answers; the error is the share of wrong ones." + where,
        )
        expect(
            not np.allclose(found[1:], [wrong[~test].sum(), wrong[test].sum()]),
            "how large a share, not how many: the two sets differ in size." + where,
        )
        said_by_depth, _ = called(max_depth=least)
        expect(
            not np.allclose(found[1], np.mean(said_by_depth[~test] != y[~test])),
            "min_leaf arrived as max_depth: mind the order of the arguments." + where,
        )
        for rows in ("all", "test"):
            said, count = called(grown_on=rows, min_samples_leaf=least)
            judged = [np.mean((said != y)[which]) for which in (~test, test)]
            expect(
                found[0] != count or not np.isclose(found[1:], judged).any(),
                f"this tree has grown on {rows} rows; grow it on the training rows only." + where,
            )
        expect(found[0] != 2 * leaves - 1, "that is the number of nodes, not of leaves." + where)
        expect(found[0] == leaves, f"the tree has {leaves} leaves, not {found[0]:g}." + where)
        expect(np.isclose(found[1], train), f"the training error is {train:.4f}." + where)
        expect(np.isclose(found[2], held), "the test error is wrong: grow on the training rows "
               "only, ask the test rows." + where)  # fmt: skip
