"""Right answers and typical mistakes for the coded exercises of the chapter on reading a tree."""

from bisect import bisect_left
from collections import Counter
from math import inf

# --- reading-2: if-statements


def rentals_nested(temp):
    if temp <= 9.5:
        return 676 if temp <= 6 else 913
    return 1828.6 if temp <= 30 else 731.5


def rentals_by_bisection(temp):
    return (676.0, 913.0, 1828.6, 731.5)[bisect_left((6, 9.5, 30), temp)]


def rentals_strict(temp):
    if temp < 9.5:
        return 676 if temp < 6 else 913
    return 1828.6 if temp < 30 else 731.5


def rentals_rounded(temp):
    return float(f"{rentals_nested(temp):.0f}")


def rentals_swapped(temp):
    if temp <= 9.5:
        return 913 if temp <= 6 else 676
    return 1828.6 if temp <= 30 else 731.5


# --- reading-3: proportions from the rows


def leaf_of(tree, x):
    if "left" not in tree:
        return tree
    return leaf_of(tree["left" if x[tree["feature"]] <= tree["threshold"] else "right"], x)


def leaf_of_strict(tree, x):
    if "left" not in tree:
        return tree
    return leaf_of_strict(tree["left" if x[tree["feature"]] < tree["threshold"] else "right"], x)


def inside_of(tree, X, y, x, leaf=leaf_of):
    return [k for row, k in zip(X, y) if leaf(tree, row) is leaf(tree, x)]


def shares_by_count(tree, X, y, x):
    inside = inside_of(tree, X, y, x)
    return [inside.count(k) / len(inside) for k in sorted(set(y))]


def shares_by_counter(tree, X, y, x):
    counts = Counter(inside_of(tree, X, y, x))
    return tuple(counts[k] / counts.total() for k in sorted(Counter(y)))


def shares_strict(tree, X, y, x):
    inside = inside_of(tree, X, y, x, leaf_of_strict)
    return [inside.count(k) / len(inside) for k in sorted(set(y))]


def shares_as_counts(tree, X, y, x):
    inside = inside_of(tree, X, y, x)
    return [inside.count(k) for k in sorted(set(y))]


def shares_of_present(tree, X, y, x):
    inside = inside_of(tree, X, y, x)
    return [inside.count(k) / len(inside) for k in sorted(set(inside))]


def shares_of_everything(tree, X, y, x):
    y = list(y)
    return [y.count(k) / len(y) for k in sorted(set(y))]


def shares_of_classes(tree, X, y, x):
    inside, y = inside_of(tree, X, y, x), list(y)
    return [inside.count(k) / y.count(k) for k in sorted(set(y))]


def shares_over_all(tree, X, y, x):
    return [count / len(y) for count in shares_as_counts(tree, X, y, x)]


def shares_as_majority(tree, X, y, x):
    counts = shares_as_counts(tree, X, y, x)
    return [int(count == max(counts)) for count in counts]


def shares_backwards(tree, X, y, x):
    return shares_by_count(tree, X, y, x)[::-1]


def shares_as_dict(tree, X, y, x):
    return dict(zip(sorted(set(y)), shares_by_count(tree, X, y, x)))


# --- reading-5: the box of a path


def box_by_tightening(path, names):
    box = {name: (-inf, inf) for name in names}
    for name, sign, s in path:
        lower, upper = box[name]
        box[name] = (lower, min(upper, s)) if sign == "<=" else (max(lower, s), upper)
    return box


def box_by_feature(path, names):
    box = {}
    for name in names:
        above = [s for asked, sign, s in path if asked == name and sign == ">"]
        below = [s for asked, sign, s in path if asked == name and sign == "<="]
        box[name] = [max(above, default=-inf), min(below, default=inf)]
    return box


def box_overwritten(path, names):
    box = {name: [-inf, inf] for name in names}
    for name, sign, s in path:
        box[name][sign == "<="] = s
    return box


def box_turned(path, names):
    return {name: ends[::-1] for name, ends in box_by_feature(path, names).items()}


def box_finite(path, names):
    ends = box_by_feature(path, names)
    return {name: [max(ends[name][0], -9999.0), min(ends[name][1], 9999.0)] for name in names}


def box_of_asked(path, names):
    return box_by_feature(path, sorted({name for name, _, _ in path}))


def box_of_parent(path, names):
    return box_by_feature(path[:-1], names)


def box_with_sides_swapped(path, names):
    swapped = [(name, ">" if sign == "<=" else "<=", s) for name, sign, s in path]
    return box_by_feature(swapped, names)


CORRECT = {
    "reading-2": [rentals_nested, rentals_by_bisection],
    "reading-3": [shares_by_count, shares_by_counter],
    "reading-5": [box_by_tightening, box_by_feature],
}
WRONG = {
    "reading-2": [
        (rentals_strict, "includes equal"),
        (rentals_rounded, "without rounding"),
        (rentals_swapped, "the path is [0, 1, 2] and the prediction 676"),
    ],
    "reading-3": [
        (shares_as_counts, "these are counts"),
        (shares_of_everything, "among all rows"),
        (shares_of_present, "one proportion for each"),
        (shares_of_classes, "how much of the leaf"),
        (shares_over_all, "not by all rows"),
        (shares_as_majority, "majority class"),
        (shares_strict, "so it goes to the left"),
        (shares_backwards, "have the classes ['a', 'b']"),
        (shares_as_dict, "return a list of numbers"),
    ],
    "reading-5": [
        (box_overwritten, "the tighter one"),
        (box_turned, "first the lower end"),
        (box_finite, "-inf or inf"),
        (box_of_asked, "a feature without a split"),
        (box_of_parent, "too large"),
        (box_with_sides_swapped, "from above"),
    ],
}
