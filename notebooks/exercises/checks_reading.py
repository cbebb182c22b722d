"""Checkers of the chapter on reading a tree: if-statements, leaves, boxes, shares."""

from types import SimpleNamespace

import checks_reading_plain  # noqa: F401 (registers its checkers)
import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.checkers import Hint, checker, expect
from treelab.drawing import leaf_boxes


def grow(n, p, depth, seed):
    """A regression tree on whole numbers, and rows some of which lie on its thresholds."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, size=(n, p)).astype(float)
    tree = DecisionTreeRegressor(max_depth=depth).fit(X, rng.normal(size=n)).tree_
    rows = rng.uniform(-2, 11, size=(200, p))
    for t in np.flatnonzero(~tree.is_leaf):
        rows[rng.integers(200, size=9), tree.feature[t]] = tree.threshold[t]
    return tree, rows


def trees():
    """A single leaf, a chain, bushy trees; a tree whose left child's number is not all."""
    tree, rows = grow(20, 2, 2, seed=0)
    yield tree.collapse([0]), rows
    chain = DecisionTreeRegressor().fit(np.arange(6.0)[:, None], 4.0 ** np.arange(6)).tree_
    yield chain, np.arange(-1, 7, 0.5)[:, None]
    for seed, depth in ((1, 2), (2, 3), (3, 5)):
        yield grow(60, 3, depth, seed)


def with_strict_sign(tree, rows):
    """The leaves if rows on a threshold went right: move each threshold down a little."""
    lower = SimpleNamespace(**{n: getattr(tree, n) for n in tree._arrays()})
    lower.threshold = np.nextafter(tree.threshold, -np.inf)
    return walk(lower, rows)


def with_swapped_sides(tree, rows):
    """The leaves if yes went right."""
    other = SimpleNamespace(**{n: getattr(tree, n) for n in tree._arrays()})
    other.children_left, other.children_right = tree.children_right, tree.children_left
    return walk(other, rows)


def walk(tree, rows):
    """The leaf of each row, one row at a time."""
    leaves = []
    for x in rows:
        t = 0
        while tree.children_left[t] != -1:
            left = x[tree.feature[t]] <= tree.threshold[t]
            t = int((tree.children_left if left else tree.children_right)[t])
        leaves.append(t)
    return np.array(leaves)


def compare_leaves(found, tree, rows):
    """Say what is wrong with leaf numbers."""
    right = tree.apply(rows)
    if np.array_equal(found, right):
        return
    found = np.asarray(found, dtype=float)
    expect(found.shape == right.shape, f"one leaf for each row: the shape should be {right.shape}, "
           f"you return {found.shape}.")  # fmt: skip
    expect(not np.array_equal(found, tree.value[right, 0, 0]), "that is the prediction; return the "
           "number of the leaf.")  # fmt: skip
    expect(not np.array_equal(found, with_strict_sign(tree, rows)), "a row that lies on a "
           "threshold goes left: at most includes equal.")  # fmt: skip
    expect(not np.array_equal(found, with_swapped_sides(tree, rows)), "yes goes left: a row with "
           "x <= threshold moves to children_left.")  # fmt: skip
    expect(np.isin(found, np.flatnonzero(tree.is_leaf)).all(), "you stop before the leaf: go on "
           "until children_left[t] is -1.")  # fmt: skip
    i = int(np.flatnonzero(found != right)[0])
    raise Hint(
        f"the row {np.round(rows[i], 2).tolist()} takes the path {tree.path(rows[i])}; "
        f"you end in {found[i]:.0f}."
    )


@checker("reading-3")
def _(leaf_of):
    for tree, rows in trees():
        compare_leaves(np.array([leaf_of(tree, x) for x in rows]), tree, rows)


@checker("reading-5")
def _(box_of):
    for tree, _ in trees():
        p = max(3, int(tree.feature.max()) + 1)
        lower, upper = leaf_boxes(tree, p)
        for t in range(tree.node_count):
            a, b = (np.asarray(end, dtype=float) for end in box_of(tree, t, p))
            if np.array_equal(a, lower[t]) and np.array_equal(b, upper[t]):
                continue
            where = f" (node {t} of the tree\n{tree.export_text()})"
            expect(a.shape == b.shape == (p,), "return two arrays of length p." + where)
            expect(not (np.array_equal(a, upper[t]) and np.array_equal(b, lower[t])),
                   "first the lower ends, then the upper ends." + where)  # fmt: skip
            open_ends = np.isinf(lower[t]) | np.isinf(upper[t])
            finite = np.isfinite(a) & np.isfinite(b)
            expect(not (finite & open_ends).any(), "where nothing bounds the box, its end is "
                   "-inf or inf: no data are needed to know it." + where)  # fmt: skip
            loose = (a <= lower[t]).all() and (b >= upper[t]).all()
            expect(not loose, "your box is too large: keep every bound on the path, and where a "
                   "feature is asked twice the tighter one." + where)  # fmt: skip
            raise Hint(
                f"the lower ends are {lower[t].tolist()} and the upper ends {upper[t].tolist()}; "
                f"you return {a.tolist()} and {b.tolist()}." + where
            )


class Counted(np.ndarray):
    """An array that counts how often it is indexed."""

    looks = 0

    def __getitem__(self, index):
        Counted.looks += 1
        return np.asarray(self)[index]


@checker("reading-6")
def _(leaves_of):
    for tree, rows in trees():
        many = np.tile(rows, (20, 1))
        names = ("children_left", "children_right", "feature", "threshold")
        counted = {n: getattr(tree, n).view(Counted) for n in names}
        fields = {n: getattr(tree, n) for n in (*tree._arrays(), "node_count", "is_leaf", "depth")}
        Counted.looks = 0
        found = leaves_of(SimpleNamespace(**{**fields, **counted}), many)
        looks = Counted.looks
        compare_leaves(found, tree, many)
        expect(looks < len(many), f"for {len(many)} rows you look into the tree {looks} times: "
               "move all rows at once instead of one after the other.")  # fmt: skip


@checker("reading-7")
def _(shares_of):
    for load, depth in ((load_breast_cancer, 3), (load_iris, 2)):
        X, y = load(return_X_y=True)
        y = np.array(["c", "a", "b"])[y]
        model = DecisionTreeClassifier(max_depth=depth).fit(X, y)
        _, first = np.unique(model.apply(X), return_index=True)
        for x in X[first]:
            found = np.asarray(shares_of(model, X, y, x), dtype=float)
            right = model.predict_proba(x[None])[0]
            if found.shape == right.shape and np.allclose(found, right):
                continue
            rows = model.apply(X) == model.apply(x[None])
            counts = np.array([(y[rows] == k).sum() for k in model.classes_])
            expect(found.shape == right.shape, f"one share for each of the {len(right)} classes, "
                   "also for a class that is absent in the leaf.")  # fmt: skip
            expect(not np.allclose(found, counts), "these are counts; divide by the number of "
                   "rows in the leaf.")  # fmt: skip
            expect(not np.allclose(found, counts / len(y)), "divide by the number of rows in the "
                   "leaf, not by all rows.")  # fmt: skip
            everywhere = np.array([(y == k).mean() for k in model.classes_])
            expect(not np.allclose(found, everywhere), "these are the shares among all rows; "
                   "count only the rows in the leaf of x.")  # fmt: skip
            expect(not np.allclose(found, counts / (everywhere * len(y))), "that is how much of "
                   "each class is in the leaf; asked is how much of the leaf is of each "
                   "class.")  # fmt: skip
            expect(not np.isin(found, (0, 1)).all(), "that is the majority class as 0 and 1; "
                   "return the shares.")  # fmt: skip
            raise Hint(
                f"the {rows.sum()} rows in the leaf of x have the classes {counts.tolist()} "
                f"times, in the order {model.classes_.tolist()}; you return {found.tolist()}."
            )
