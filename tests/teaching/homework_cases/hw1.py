"""Right and wrong answers to the assignment "One tree by hand, one splitter of your own"."""

from functools import partial

import checks_hw1 as checks
import numpy as np

from treelab import DecisionTreeClassifier
from treelab.fast.growing import split_table

# --- by hand ------------------------------------------------------------------------------

GAINS = [(2.5, 0.1), (4, 0.0625), (5.5, 1 / 70), (7, 0.1), (8.5, 1 / 22)]
CUTS = [s for s, _ in GAINS]
ROUNDED = [[2.5, 0.1], [4, 0.062], [5.5, 0.014], [7, 0.1], [8.5, 0.045]]
PLAIN = [0.0402, 0.0021, 0.03125, 0.09375, 0.0402]


def by_hand(given):
    """The answers to part A for what `given` shows, and typical mistakes, by plain arithmetic."""
    garden = {name: list(column) for name, column in given["garden"].items()}
    lines = list(zip(garden["hours"], garden["water"], garden["pots"], garden["fate"]))
    W = sum(pots for _, _, pots, _ in lines)

    def ends(tree, hours, water, strict=False, path=""):
        """The way to the leaf of a pot: 0 is left, 1 right."""
        if tree is None:
            return path
        x = {"hours": hours, "water": water}[tree[0]]
        right = x > tree[1] or (strict and x == tree[1])
        return ends(tree[2 + right], hours, water, strict, path + str(int(right)))

    def places(tree, path=""):
        """The ways to all nodes, in preorder."""
        if tree is None:
            return [path]
        return [path, *places(tree[2], path + "0"), *places(tree[3], path + "1")]

    nodes = places(given["tree"])
    in_rows = sorted(nodes, key=lambda path: (len(path), path))
    leaves = [path for path in nodes if path + "0" not in nodes]
    ways = [ends(given["tree"], *pot) for pot in given["new_pots"]]
    right = [nodes.index(way) for way in ways]
    other = next(t for t in map(nodes.index, leaves) if t != right[2])
    walks = [
        ([nodes.index(ends(given["tree"], *pot, strict=True)) for pot in given["new_pots"]],
         "it goes left"),
        ([in_rows.index(way) for way in ways], "in preorder"),
        ([t + 1 for t in right], "one too high"),
        ([leaves.index(way) for way in ways], "inner nodes are numbered"),
        ([right[0], nodes.index(ways[1][:-1]), *right[2:]], "is not a leaf"),
        ([*right[:2], other, right[3]], "walk again"),
        (right[:3], "four numbers"),
    ]  # fmt: skip

    here = [line for line in lines if nodes.index(ends(given["tree"], *line[:2])) == given["leaf"]]
    well = [pots for _, _, pots, fate in here if fate == "thrives"]
    n = sum(pots for _, _, pots, _ in here)
    p = sum(well) / n
    gini = 1 - p**2 - (1 - p) ** 2
    leaf = [
        ((len(well) / len(here), gini), "counted lines"),
        ((1 - p, gini), "that wilt"),
        ((sum(well) / W, gini), f"not among all {W}"),
        ((p + 0.02, gini), f"which lines reach leaf {given['leaf']}"),
        ((p, min(p, 1 - p)), "error rate"),
        ((p, gini / 2), "half of it"),
        ((p, 1 - gini), "sum of the squares"),
        ((p, gini * n), "per pot"),
        ((round(p, 2), round(gini, 2)), "three decimals"),
        ((round(p, 3), round(gini, 2)), "three decimals"),
        ((p, gini + 0.02), "Gini impurity is not"),
    ]

    def side(part):
        """Weight and Gini impurity of some lines."""
        weight = sum(pots for _, pots, _ in part)
        share = sum(pots for _, pots, fate in part if fate == "thrives") / weight
        return weight, 2 * share * (1 - share)

    def table(part):
        """(threshold, gain, gain by the plain mean) of all cuts."""
        values = sorted({x for x, _, _ in part})
        for a, b in zip(values[:-1], values[1:]):
            (w1, q1), (w2, q2) = side([v for v in part if v[0] <= a]), side(
                [v for v in part if v[0] > a])  # fmt: skip
            before = side(part)[1]
            gain = before - (w1 * q1 + w2 * q2) / (w1 + w2)
            yield (a + b) / 2, gain, before - (q1 + q2) / 2

    weighted = [(hours, pots, fate) for hours, _, pots, fate in lines]
    cuts = list(table(weighted))
    before, S = side(weighted)[1], [s for s, _, _ in cuts]
    gains = [(s, gain) for s, gain, _ in cuts]
    plain = [(s, gain) for s, gain, _ in table([(x, 1, fate) for x, _, fate in weighted])]
    hours = sorted(set(garden["hours"]))
    tie = next(x for x in hours if garden["hours"].count(x) == 2)
    table_of_cuts = [
        (sorted([*gains, (tie, 0.05)]), f"there is no threshold at {tie}"),
        ([(x, g) for x, (_, g) in zip(hours, gains)], "halfway"),
        (gains[:4], "more splits than these 4"),
        ([(s + 0.1, g) for s, g in gains], "midpoints"),
        ([(s, round(g, 2)) for s, g in gains], "three decimals"),
        (gains[::-1], "ascending"),
        (plain, "eight single pots"),
        ([(s, W * g) for s, g in gains], f"divide by the {W} pots"),
        ([(s, before - g) for s, g in gains], "remainders"),
        ([(s, mean) for s, _, mean in cuts], "plain mean"),
        ([*gains[:4], (S[4], gains[4][1] + 0.02)], f"wrong at {S[4]:g}"),
        (S, "pairs"),
    ]

    top = max(g for _, g in gains)
    equal = [s for s, g in gains if g > top - 1e-9]
    assert len(equal) == 2
    few = [s for s in S if 1 in (sum(x <= s for x, _, _ in weighted),
                                 sum(x > s for x, _, _ in weighted))]  # fmt: skip
    assert equal[0] in few
    assert equal[1] not in few
    rest = [s for s in S if s not in equal]
    choice = [
        ((equal[1], equal[1]), "smallest threshold"),
        ((equal[0], equal[0]), "not pots"),
        ((rest[0], equal[1]), "first number"),
        ((equal[0], rest[0]), "second number"),
        (equal[:1], "two thresholds"),
    ]
    return {
        "hw1-1": (right, walks),
        "hw1-2": ((p, gini), leaf),
        "hw1-3": (gains, table_of_cuts),
        "hw1-4": (tuple(equal), choice),
    }


# --- hw1-5 --------------------------------------------------------------------------------


def weigh(S):
    """Total Gini impurity of class sums on the last axis."""
    W = S.sum(axis=-1)
    return W - (S**2).sum(axis=-1) / W


def gains_in_one_walk(x, y, w, n_classes):
    order = np.argsort(x, kind="stable")
    x = x[order]
    S = np.cumsum(w[order, None] * np.eye(n_classes)[y[order]], axis=0)
    last = np.flatnonzero(np.diff(x) > 0)
    left, node = S[last], S[-1]
    gain = (weigh(node) - weigh(left) - weigh(node - left)) / node.sum()
    return (x[last] + x[last + 1]) / 2, gain


def gains_by_definition(x, y, w, n_classes):
    def Q(rows):
        p = np.bincount(y[rows], weights=w[rows], minlength=n_classes) / w[rows].sum()
        return np.sum(p * (1 - p))

    values, s, gain = np.unique(x), [], []
    for a, b in zip(values[:-1], values[1:]):
        left = x <= (a + b) / 2
        s.append((a + b) / 2)
        share = w[left].sum() / w.sum()
        gain.append(Q(x == x) - share * Q(left) - (1 - share) * Q(~left))
    return s, gain


def gains_by_treelab(x, y, w, n_classes, criterion="gini", column="gain"):
    table = split_table(x[:, None], y, criterion, sample_weight=w)
    return table["threshold"].to_numpy(), table[column].to_numpy()


def gains_without_weights(x, y, w, n_classes):
    return gains_by_treelab(x, y, None, n_classes)


def gains_in_total(x, y, w, n_classes):
    s, gain = gains_in_one_walk(x, y, w, n_classes)
    return s, gain * w.sum()


def gains_between_equals(x, y, w, n_classes):
    order = np.argsort(x)
    x, S = x[order], np.cumsum(w[order, None] * np.eye(n_classes)[y[order]], axis=0)
    left, node = S[:-1], S[-1]
    return (x[:-1] + x[1:]) / 2, weigh(node) - weigh(left) - weigh(node - left)


def gains_sorting_in_place(x, y, w, n_classes):
    answer = gains_in_one_walk(x, y, w, n_classes)
    x.sort()
    return answer


def gains_half_difference(x, y, w, n_classes):
    return np.diff(np.unique(x)) / 2, gains_in_one_walk(x, y, w, n_classes)[1]


def gains_on_values(x, y, w, n_classes):
    return np.unique(x)[:-1], gains_in_one_walk(x, y, w, n_classes)[1]


def gains_unsorted(x, y, w, n_classes):
    S = np.cumsum(w[:, None] * np.eye(n_classes)[y], axis=0)
    last = np.flatnonzero(np.diff(x))
    left, node = S[last], S[-1]
    gain = (weigh(node) - weigh(left) - weigh(node - left)) / node.sum()
    return (x[last] + x[last + 1]) / 2, gain


def gains_plain_mean(x, y, w, n_classes):
    table = split_table(x[:, None], y, "gini", sample_weight=w)
    before = table["gain"] + table["remainder"]
    return table["threshold"], before - table[["impurity_left", "impurity_right"]].mean(axis=1)


def gains_by_rows(x, y, w, n_classes):
    t = split_table(x[:, None], y, "gini", sample_weight=w)
    after = t["n_left"] * t["impurity_left"] + t["n_right"] * t["impurity_right"]
    return t["threshold"], t["gain"] + t["remainder"] - after / len(x)


# --- hw1-6 --------------------------------------------------------------------------------


def best_by_loop(X, y, w, n_classes, min_leaf=1, slack=1e-9, rows=True, zero=True, left_only=False):
    best = () if zero else (0, 0, 1e-9)
    for j in range(X.shape[1]):
        for s, gain in zip(*gains_in_one_walk(X[:, j], y, w, n_classes)):
            left = X[:, j] <= s
            sizes = (left.sum(), (~left).sum()) if rows else (w[left].sum(), w[~left].sum())
            if (sizes[0] if left_only else min(sizes)) < min_leaf:
                continue
            if best == () or gain > best[2] + slack:
                best = (j, s, gain)
    return () if best == (0, 0, 1e-9) else best


def best_with_more_than_least(X, y, w, n_classes, min_leaf=1):
    return best_by_loop(X, y, w, n_classes, min_leaf + (min_leaf > 1))


def best_sorting_in_place(X, y, w, n_classes, min_leaf=1):
    answer = best_by_loop(X, y, w, n_classes, min_leaf)
    X.sort(axis=0)
    return answer


def best_by_list(X, y, w, n_classes, min_leaf=1):
    """All questions in one list, the first of the best."""
    found = [
        (j, float(s), float(g))
        for j in range(X.shape[1])
        for s, g in zip(*gains_by_definition(X[:, j], y, w, n_classes))
        if min_leaf <= np.sum(X[:, j] <= s) <= len(y) - min_leaf
    ]
    return max(found, key=lambda f: (round(f[2], 9), -found.index(f))) if found else ()


def best_of_first_feature(X, y, w, n_classes, min_leaf=1):
    return best_by_loop(X[:, :1], y, w, n_classes, min_leaf)


def best_without_limit(X, y, w, n_classes, min_leaf=1):
    return best_by_loop(X, y, w, n_classes, 1)


# --- hw1-7 --------------------------------------------------------------------------------


def grow_with(best_question, weights=True, pure=True, keep=True, strict=False, swap=False, later=0):
    """A grower with switches for the mistakes."""

    def grow(X, y, w, n_classes, max_depth=np.inf, min_leaf=1):
        shares = np.bincount(y, weights=w if weights else None, minlength=n_classes)
        shares = shares / shares.sum()
        question = ()
        if max_depth + later > 0 and not (pure and shares.max() == 1):
            question = best_question(X, y, w, n_classes, min_leaf)
        if not question:
            return {"shares": shares}
        j, s, _ = question
        left = X[:, j] < s if strict else X[:, j] <= s
        sides = [
            grow(X[rows], y[rows], w[rows], n_classes, max_depth - 1, min_leaf if keep else 1)
            for rows in (left, ~left)
        ]
        if swap:
            sides.reverse()
        node = {"feature": j, "threshold": s, "left": sides[0], "right": sides[1]}
        return {"shares": shares, **node}

    return grow


def grow_by_treelab(X, y, w, n_classes, max_depth=np.inf, min_leaf=1):
    """treelab's tree as nested dictionaries."""
    limit = None if np.isinf(max_depth) else max(max_depth, 1)
    model = DecisionTreeClassifier(max_depth=limit, min_samples_leaf=min_leaf)
    tree = model.fit(X, y, sample_weight=w).tree_

    def nested(t):
        shares = np.zeros(n_classes)
        shares[model.classes_] = tree.value[t]
        if tree.is_leaf[t] or max_depth == 0:
            return {"shares": shares.tolist()}
        return {
            "shares": shares.tolist(),
            "feature": int(tree.feature[t]),
            "threshold": float(tree.threshold[t]),
            "left": nested(tree.children_left[t]),
            "right": nested(tree.children_right[t]),
        }

    return nested(0)


def grow_without_shares_inside(X, y, w, n_classes, max_depth=np.inf, min_leaf=1):
    tree = grow_by_treelab(X, y, w, n_classes, max_depth, min_leaf)

    def strip(node):
        if "feature" in node:
            node = {**node, "left": strip(node["left"]), "right": strip(node["right"])}
            del node["shares"]
        return node

    return strip(tree)


# --- data analysis ------------------------------------------------------------------------


def vans_by_treelab(k, rows="test", weigh_test=False, reach=True, **limits):
    X, y, test = checks.vehicles()
    w = np.where(y == 3, k, 1.0) if reach else np.ones(len(y))
    tree = DecisionTreeClassifier(**(limits or {"max_depth": 4}))
    tree.fit(X[~test], y[~test], sample_weight=w[~test])
    here = {"test": test, "train": ~test, "all": slice(None)}[rows]
    said, truth = tree.predict(X[here]), y[here]
    counts = k if weigh_test else 1
    return counts * np.sum((truth == 3) & (said != 3)), np.sum((truth != 3) & (said == 3))


def vans_by_own_tree(k):
    X, y, test = checks.vehicles()
    w = np.where(y[~test] == 3, float(k), 1.0)
    tree = grow_with(best_by_loop)(X[~test], y[~test], w, 4, 4, 1)
    said = []
    for x in X[test]:
        node = tree
        while "feature" in node:
            node = node["left" if x[node["feature"]] <= node["threshold"] else "right"]
        said.append(node["shares"].argmax())
    pairs = list(zip(y[test], said))
    return [sum(a == 3 != b for a, b in pairs), sum(a != 3 == b for a, b in pairs)]


def vans_as_shares(k):
    missed, others = vans_by_treelab(k)
    y = checks.vehicles()[1][checks.vehicles()[2]]
    return missed / np.sum(y == 3), others / np.sum(y != 3)


def errors_by_treelab(min_leaf, limit="min_samples_leaf"):
    X, y, test = checks.vehicles()
    tree = DecisionTreeClassifier(**{limit: min_leaf}).fit(X[~test], y[~test])
    wrong = tree.predict(X) != y
    return tree.get_n_leaves(), wrong[~test].mean(), wrong[test].mean()


def errors_by_score(min_leaf):
    X, y, test = checks.vehicles()
    tree = DecisionTreeClassifier(min_samples_leaf=min_leaf).fit(X[~test], y[~test])
    scores = [tree.score(X[rows], y[rows]) for rows in (~test, test)]
    return [len(np.unique(tree.apply(X[~test]))), *(1 - s for s in scores)]


def errors_grown_on(min_leaf, rows):
    X, y, test = checks.vehicles()
    said, leaves = checks.called(grown_on=rows, min_samples_leaf=min_leaf)
    return leaves, np.mean((said != y)[~test]), np.mean((said != y)[test])


def errors_on_all_rows(min_leaf):
    X, y, test = checks.vehicles()
    leaves, train, _ = errors_by_treelab(min_leaf)
    tree = DecisionTreeClassifier(min_samples_leaf=min_leaf).fit(X[~test], y[~test])
    return leaves, train, np.mean(tree.predict(X) != y)


def errors_as_accuracy(min_leaf):
    leaves, train, held = errors_by_treelab(min_leaf)
    return leaves, 1 - train, 1 - held


def errors_as_counts(min_leaf):
    leaves, train, held = errors_by_treelab(min_leaf)
    return leaves, train * 564, held * 282


def errors_test_first(min_leaf):
    leaves, train, held = errors_by_treelab(min_leaf)
    return leaves, held, train


def errors_with_nodes(min_leaf):
    leaves, train, held = errors_by_treelab(min_leaf)
    return 2 * leaves - 1, train, held


CORRECT = {
    "hw1-1": [[2, 4, 5, 6], np.array([2, 4, 5, 6])],
    "hw1-2": [(2 / 3, 4 / 9), [0.667, 0.444]],
    "hw1-3": [GAINS, ROUNDED],
    "hw1-4": [(2.5, 7), np.array([2.5, 7.0])],
    "hw1-5": [gains_in_one_walk, gains_by_definition],
    "hw1-6": [best_by_loop, best_by_list],
    "hw1-7": [grow_with(best_by_loop), grow_with(best_by_list)],
    "hw1-9": [vans_by_treelab, vans_by_own_tree],
    "hw1-10": [errors_by_treelab, errors_by_score],
}
WRONG = {
    "hw1-1": [
        ([6, 5, 5, 6], "it goes left"),
        ([3, 5, 6, 2], "in preorder"),
        ([3, 5, 6, 7], "one too high"),
        ([0, 1, 2, 3], "inner nodes are numbered"),
        ([2, 3, 5, 6], "is not a leaf"),
        ([2, 4, 4, 6], "walk again"),
        ([2, 4, 5, ...], "four numbers"),
    ],
    "hw1-2": [
        ((1 / 2, 1 / 2), "counted lines"),
        ((1 / 3, 4 / 9), "that wilt"),
        ((1 / 6, 4 / 9), "not among all 12"),
        ((6 / 7, 12 / 49), "which lines"),
        ((2 / 3, 1 / 3), "error rate"),
        ((2 / 3, 2 / 9), "half of it"),
        ((2 / 3, 5 / 9), "sum of the squares"),
        ((2 / 3, 4 / 3), "per pot"),
        ((0.67, 0.44), "three decimals"),
        ((0.667, 0.44), "three decimals"),
    ],
    "hw1-3": [
        ([(2.5, 0.1), (3, 0.05), (4, 0.0625), (5.5, 1 / 70), (6, 0), (7, 0.1)], "same hours"),
        ([(s, g) for s, (_, g) in zip((2, 5, 8, 9), GAINS)], "halfway"),
        (GAINS[:4], "more splits than these 4"),
        ([(s, 0.1) for s in (2, 3, 5, 6, 8)], "halfway"),
        ([(s + 0.1, g) for s, g in GAINS], "midpoints"),
        ([(s, round(g, 2)) for s, g in GAINS], "three decimals"),
        (GAINS[::-1], "ascending"),
        (list(zip(CUTS, PLAIN)), "eight single pots"),
        ([(s, 12 * g) for s, g in GAINS], "total gains"),
        ([(s, 0.5 - g) for s, g in GAINS], "remainders"),
        ([(2.5, 0.26), (4, 0.083), (5.5, 0.015), (7, 0.26), (8.5, 0.2521)], "wrong at"),
        (CUTS, "pairs"),
    ],
    "hw1-4": [
        ((7, 7), "smallest threshold"),
        ((2.5, 2.5), "not pots"),
        ((4, 7), "first number"),
        ((2.5, 4), "second number"),
        (2.5, "two thresholds"),
    ],
    "hw1-5": [
        (gains_in_total, "total gains"),
        (gains_without_weights, "without the weights"),
        (gains_between_equals, "cannot be separated"),
        (gains_sorting_in_place, "changes the data"),
        (gains_half_difference, "not (b - a) / 2"),
        (gains_on_values, "lies on a value"),
        (gains_unsorted, "sort the rows"),
        (gains_plain_mean, "plain mean"),
        (gains_by_rows, "by their rows"),
        (partial(gains_by_treelab, criterion="entropy"), "entropy"),
        (partial(gains_by_treelab, column="remainder"), "remainders"),
        (gains_by_treelab, "neither treelab nor scikit-learn"),
    ],
    "hw1-6": [
        (best_of_first_feature, "is every feature tried"),
        (partial(best_by_loop, rows=False), "not their weight"),
        (partial(best_by_loop, zero=False), "still a split"),
        (partial(best_by_loop, slack=-1e-9), "equally good"),
        (partial(best_by_loop, left_only=True), "look at both"),
        (best_without_limit, "look at both"),
        (lambda X, y, w, K, least=1: best_by_loop(X, y, w, K, least) or None, "not None"),
        (lambda X, y, w, K, least=1: None, "not done yet"),
        (best_with_more_than_least, "at least, not more than"),
        (best_sorting_in_place, "changes the data"),
    ],
    "hw1-7": [
        (grow_with(best_by_loop, weights=False), "count rows"),
        (grow_with(best_by_loop, pure=False), "is a leaf"),
        (grow_with(best_by_loop, keep=False), "know the rule"),
        (grow_with(best_by_loop, swap=True), "the left one those"),
        (grow_with(best_by_loop, later=1), "more than max_depth"),
        (grow_with(best_by_loop, later=-1), "may have"),
        (grow_with(partial(best_by_loop, zero=False)), "no first split gains"),
        (grow_with(best_of_first_feature), "best split of its rows"),
        (grow_without_shares_inside, "inner ones too"),
        (grow_by_treelab, "neither treelab nor scikit-learn"),
    ],
    "hw1-9": [
        (lambda k: vans_by_treelab(k)[::-1], "come first"),
        (partial(vans_by_treelab, rows="train"), "training rows"),
        (partial(vans_by_treelab, rows="all"), "all rows"),
        (partial(vans_by_treelab, reach=False), "do not reach the tree"),
        (partial(vans_by_treelab, min_samples_leaf=1), "no limit of depth"),
        (vans_as_shares, "not which proportion"),
        (partial(vans_by_treelab, weigh_test=True), "counts once"),
    ],
    "hw1-10": [
        (errors_test_first, "comes before"),
        (errors_as_accuracy, "right answers"),
        (errors_as_counts, "not how many"),
        (partial(errors_by_treelab, limit="max_depth"), "arrived as max_depth"),
        (errors_with_nodes, "number of nodes"),
        (errors_on_all_rows, "ask the test rows"),
        (partial(errors_grown_on, rows="all"), "grown on all rows"),
        (partial(errors_grown_on, rows="test"), "grown on test rows"),
    ],
}
