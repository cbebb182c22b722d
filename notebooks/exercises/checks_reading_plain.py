"""Checkers of the chapter on reading a tree that also run in the page."""

from math import inf, isinf
from random import Random

from plain_checks import all_close, as_list, close, column, is_number

from treelab.cart import goes_left, grow, leaf, predict
from treelab.checkers import Hint, checker, expect
from treelab.impurity import squared_error

TEMP = [4, 5, 7, 12, 18, 23, 27, 28, 32, 35]
RENTALS = [602, 750, 913, 1229, 1827, 2246, 2127, 1714, 838, 625]


def preorder(t):
    """The nodes of a tree, each before those below it."""
    return [t, *preorder(t["left"]), *preorder(t["right"])] if "left" in t else [t]


def path(tree, x):
    """The numbers of the nodes on the path of row x."""
    nodes, found = preorder(tree), [tree]
    while "left" in found[-1]:
        t = found[-1]
        found.append(t["left" if goes_left(x, t["feature"], t["threshold"]) else "right"])
    return [next(i for i, t in enumerate(nodes) if t is step) for step in found]


@checker("reading-2")
def _(rentals):
    tree = grow([[temp] for temp in TEMP], RENTALS, impurity=squared_error, max_depth=2)
    temps = [-20, 4, 6, 6.1, 8, 9.5, 9.6, 12, 25, 30, 30.5, 35, 60, 5.9]
    found = [float(rentals(temp)) for temp in temps]
    right = [predict(tree, [temp]) for temp in temps]
    if all_close(found, right):
        return
    strict = [predict(tree, [temp + 1e-9]) for temp in temps]
    expect(not all_close(found, strict), "look at days with exactly 6, 9.5 or 30 degrees, "
           "because at most includes equal.")  # fmt: skip
    near = all(abs(a - b) < 0.51 for a, b in zip(found, right))
    expect(not near, "return the means without rounding: leaf 5 predicts 1828.6.")
    i = next(i for i, pair in enumerate(zip(found, right)) if not close(*pair))
    raise Hint(
        f"at {temps[i]:g} degrees the path is {path(tree, [temps[i]])} and the prediction "
        f"{right[i]:g}; you return {found[i]:g}."
    )


def labeled_rows(seed, names):
    """Rows of whole numbers, which often lie on a threshold, and a class for each."""
    random = Random(seed)
    X = [[float(random.randrange(8)) for _ in range(3)] for _ in range(40)]
    return X, [names[int(x[0] + x[1] + random.randrange(3)) * len(names) // 17] for x in X]


def without_values(t):
    """A copy of a tree without its predictions, with leaves that are only numbered."""
    if "left" not in t:
        return {"number": id(t)}
    sides = {side: without_values(t[side]) for side in ("left", "right")}
    return {"feature": t["feature"], "threshold": t["threshold"], **sides}


def leaf_if_strict(t, x):
    """The leaf of row x if a row on the threshold went to the right."""
    while "left" in t:
        t = t["left" if x[t["feature"]] < t["threshold"] else "right"]
    return t


@checker("reading-3")
def _(shares_of):
    for seed, names in ((1, "ba"), (2, "cab"), (3, "dacb")):
        X, y = labeled_rows(seed, names)
        silent = without_values(grow(X, y, max_depth=seed + 1, min_leaf=3))
        classes = sorted(set(y))
        counts_of = {k: y.count(k) for k in classes}
        for i in range(0, len(X), 3):
            x = [value + 0.25 * (i % 2) for value in X[i]]
            if i % 4 == 0:  # a row on the threshold of the root
                x[silent["feature"]] = silent["threshold"]
            inside = [label for row, label in zip(X, y) if leaf(silent, row) is leaf(silent, x)]
            counts = [inside.count(k) for k in classes]
            right = [count / len(inside) for count in counts]
            found = as_list(shares_of(silent, [column(row) for row in X], column(y), column(x)))
            expect(found is not None and all(map(is_number, found)), "return a list of numbers, "
                   "one proportion for each class.")  # fmt: skip
            if all_close(found, right):
                continue
            expect(len(found) == len(right), f"return one proportion for each of the {len(right)} "
                   "classes, also for a class that is absent in the leaf.")  # fmt: skip
            expect(not all_close(found, counts), "these are counts; divide by the number of rows "
                   "in the leaf.")  # fmt: skip
            expect(not all_close(found, [c / len(y) for c in counts]), "divide by the number of "
                   "rows in the leaf, not by all rows.")  # fmt: skip
            expect(not all_close(found, [counts_of[k] / len(y) for k in classes]), "these are the "
                   "proportions among all rows; count only the rows in the leaf of x.")  # fmt: skip
            of_class = [c / counts_of[k] for c, k in zip(counts, classes)]
            expect(not all_close(found, of_class), "that is how much of each class is in the "
                   "leaf; return how much of the leaf belongs to each class.")  # fmt: skip
            majority = [float(c == max(counts)) for c in counts]
            expect(
                not all_close(found, majority),
                "that is the majority class as 0 and 1; return the proportions.",
            )
            other = leaf_if_strict(silent, x)
            inside = [label for row, label in zip(X, y) if leaf_if_strict(silent, row) is other]
            strict = [inside.count(k) / max(len(inside), 1) for k in classes]
            expect(not all_close(found, strict), f"the row {x} lies on a threshold; at most "
                   "includes equal, so it goes to the left.")  # fmt: skip
            raise Hint(
                f"the {sum(counts)} rows in the leaf of x have the classes {classes} "
                f"{counts} times; you return {found}."
            )


WALK = [("elevation", "<=", 4175), ("stream", ">", 0.5), ("elevation", ">", 2250)]


def some_paths():
    """The path of the chapter, a root alone, and random paths, on which some splits add nothing."""
    yield WALK, ["stream", "elevation"]
    yield [], ["a", "b"]
    for seed in range(12):
        random = Random(seed)
        row = {name: random.uniform(0, 9) for name in "abc"[: 2 + seed % 2]}
        asked = [(random.choice(list(row)), random.randrange(10)) for _ in range(2 + seed)]
        answers = [(name, "<=" if row[name] <= s else ">", s) for name, s in asked]
        yield answers, [*row, "never"]


def ends_of(answers, names, tighter=(max, min)):
    """The box, each new bound combined with the one before."""
    ends = {name: [-inf, inf] for name in names}
    for name, sign, s in answers:
        end = sign == "<="
        ends[name][end] = tighter[end](ends[name][end], s)
    return {name: tuple(pair) for name, pair in ends.items()}


def as_box(found, names):
    """The answer as a dict of pairs of numbers."""
    expect(isinstance(found, dict), "return a dict, with a pair for each name.")
    missing = [name for name in names if name not in found]
    expect(not missing, f"{missing} is in names: a feature without a split has the ends -inf "
           "and inf.")  # fmt: skip
    box = {}
    for name in names:
        ends = as_list(found[name])
        expect(ends is not None and len(ends) == 2 and all(map(is_number, ends)), "the value for "
               "each name is a pair of numbers, (lower, upper).")  # fmt: skip
        box[name] = tuple(map(float, ends))
    return box


@checker("reading-5")
def _(box_of):
    def last(_, s):
        return s

    for answers, names in some_paths():
        box, right = as_box(box_of(list(answers), list(names)), names), ends_of(answers, names)
        if box == right:
            continue
        where = f" (path {answers}, names {names})"
        turned = {name: (b, a) for name, (a, b) in right.items()}
        expect(box != turned, "first the lower end, then the upper end." + where)
        exchanged = [(name, ">" if sign == "<=" else "<=", s) for name, sign, s in answers]
        expect(box != ends_of(exchanged, names), "an answer <= bounds the box from above, an "
               "answer > from below." + where)  # fmt: skip
        for name in names:
            open_end = any(isinf(b) and not isinf(a) for a, b in zip(box[name], right[name]))
            expect(not open_end, f"where nothing bounds {name!r}, its end is -inf or inf, and no "
                   "data are needed to know it." + where)  # fmt: skip
        expect(box != ends_of(answers, names, (last, last)), "a split whose answer is known "
               "already moves nothing: of two bounds on the same side the tighter one "
               "counts." + where)  # fmt: skip
        loose = all(
            box[name][0] <= right[name][0] and box[name][1] >= right[name][1] for name in names
        )
        expect(not loose, "your box is too large: every answer on the path bounds it." + where)
        raise Hint(f"the box is {right}; you return {box}." + where)
