"""Right and wrong answers to the exercises of the chapter "ID3 and C4.5"."""

from collections import Counter
from math import log, log2

import numpy as np

from treelab.c45 import predicted_errors


def bits(weights, logarithm=log2):
    """Entropy of some weights."""
    total = sum(weights)
    return -sum(v / total * logarithm(v / total) for v in weights if v > 0)


# --- c45-3 -----------------------------------------------------------------------------


def cuts_by_sets(x, y):
    values = sorted(set(x))
    classes = [{c for v, c in zip(x, y, strict=True) if v == value} for value in values]
    return [
        (values[i] + values[i + 1]) / 2
        for i in range(len(values) - 1)
        if len(classes[i] | classes[i + 1]) > 1
    ]


def cuts_by_counting(x, y):
    values, row = np.unique(x, return_inverse=True)
    kinds, column = np.unique(y, return_inverse=True)
    counts = np.zeros((len(values), len(kinds)))
    np.add.at(counts, (row, column), 1)
    both = (counts[1:] + counts[:-1] > 0).sum(axis=1)
    return ((values[1:] + values[:-1]) / 2)[both > 1]


def cuts_everywhere(x, y):
    values = np.unique(x)
    return (values[1:] + values[:-1]) / 2


def cuts_at_values(x, y):
    values, first = np.unique(x, return_index=True)
    y = np.asarray(y)[first]
    return values[:-1][y[1:] != y[:-1]]


def cuts_unsorted(x, y):
    return [(x[i] + x[i + 1]) / 2 for i in range(len(x) - 1) if y[i] != y[i + 1]]


def cuts_of_rows(x, y):
    order = np.argsort(x, kind="stable")
    return cuts_unsorted(x[order], y[order])


def cuts_of_rows_without_equals(x, y):
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    here = (x[1:] != x[:-1]) & (y[1:] != y[:-1])
    return ((x[1:] + x[:-1]) / 2)[here]


def cuts_of_different_sets(x, y):
    values = sorted(set(x))
    classes = [{c for v, c in zip(x, y, strict=True) if v == value} for value in values]
    pairs = zip(values, values[1:], classes, classes[1:], strict=False)
    return [(a + b) / 2 for a, b, left, right in pairs if left != right]


def cuts_without_mixed_neighbors(x, y):
    values = sorted(set(x))
    classes = [sorted(c for v, c in zip(x, y, strict=True) if v == value) for value in values]
    top = [Counter(c).most_common(1)[0][0] for c in classes]
    keep = [
        top[i] != top[i + 1]
        or (len(set(classes[i])) > 1 and classes[i].count(top[i]) * 2 == len(classes[i]))
        for i in range(len(values) - 1)
    ]
    return [(a + b) / 2 for a, b, k in zip(values, values[1:], keep, strict=False) if k]


def cuts_that_need_a_cut(x, y):
    found = cuts_by_sets(x, y)
    return found or [float(np.mean(x))]


# --- c45-4 -----------------------------------------------------------------------------


def offer_by_counters(level, y, w):
    inside, unknown = {}, 0.0
    for name, k, v in zip(level, y, w, strict=True):
        if name is None:
            unknown += v
        else:
            inside.setdefault(name, Counter())[k] += v
    size = {name: sum(part.values()) for name, part in inside.items()}
    known = sum(size.values())
    before = bits(list(sum(inside.values(), Counter()).values()))
    after = sum(size[name] / known * bits(list(part.values())) for name, part in inside.items())
    gain = known / (known + unknown) * (before - after)
    cost = bits([*size.values(), unknown])
    dealt = {name: v * (known + unknown) / known for name, v in size.items()}
    return gain, gain / cost if cost else 0.0, dealt


def offer_by_arrays(level, y, w):
    names = sorted({name for name in level if name is not None})
    classes = sorted(set(y))
    table, unknown = np.zeros((len(names), len(classes))), 0.0
    for name, k, v in zip(level, y, w, strict=True):
        if name is None:
            unknown += v
        else:
            table[names.index(name), classes.index(k)] += v

    def h(v):  # weight times entropy
        v = v[v > 0]
        return v.sum() * np.log2(v.sum()) - (v * np.log2(v)).sum() if len(v) else 0.0

    size, W = table.sum(axis=1), table.sum() + unknown
    gain = (h(table.sum(axis=0)) - sum(map(h, table))) / W
    cost = h(np.append(size, unknown)) / W
    return [
        gain,
        gain / cost if cost > 1e-12 else 0.0,
        dict(zip(names, size * W / size.sum(), strict=True)),
    ]


def offer_with(gain=lambda g, t: g, ratio=lambda g, t: t["ratio"], deal=lambda d, t: d):
    """The right answer with one part exchanged."""

    def offer_of(level, y, w):
        right, _, dealt = offer_by_counters(level, y, w)
        known = {}
        rows = Counter(name for name in level if name is not None)
        for name, v in zip(level, w, strict=True):
            if name is not None:
                known[name] = known.get(name, 0.0) + v
        unknown = sum(v for name, v in zip(level, w, strict=True) if name is None)
        parts = {"level": level, "y": y, "w": w, "known": known, "unknown": unknown, "rows": rows}
        parts |= {"W": sum(w), "cost": bits([*known.values(), unknown])}
        g = gain(right, parts)
        parts["ratio"] = g / parts["cost"] if parts["cost"] else 0.0
        return g, ratio(g, parts), deal(dealt, parts)

    return offer_of


def class_weights(t):
    weights = Counter()
    for k, v in zip(t["y"], t["w"], strict=True):
        weights[k] += v
    return list(weights.values())


def shares(share):
    """Deal the unknown weight by shares of its own."""
    return lambda d, t: {a: v + t["unknown"] * share(t)[a] for a, v in t["known"].items()}


def gain_of_unweighted_branches(g, t):
    """The entropies of the branches, each counted alike."""
    known = [(name, k, v) for name, k, v in zip(t["level"], t["y"], t["w"], strict=True) if name]
    inside = {name: Counter() for name, _, _ in known}
    for name, k, v in known:
        inside[name][k] += v
    before = bits(list(sum(inside.values(), Counter()).values()))
    after = sum(bits(list(part.values())) for part in inside.values()) / len(inside)
    return sum(t["known"].values()) / t["W"] * (before - after)


def offer_of_a_level_more(level, y, w):
    """Unknown taken for a category."""
    gap = ["gap" if name is None else name for name in level]
    gain, ratio, _ = offer_by_counters(gap, y, w)
    return gain, ratio, offer_by_counters(level, y, w)[2]


def offer_nan(level, y, w):
    gain, ratio, dealt = offer_by_counters(level, y, w)
    return float("nan"), ratio, dealt


def offer_of_counts(level, y, w):
    gain, ratio, _ = offer_by_counters(level, y, [1.0] * len(level))
    return gain, ratio, offer_by_counters(level, y, w)[2]


def offer_of_a_single_level(level, y, w):
    gain, ratio, dealt = offer_by_counters(level, y, w)
    return gain, ratio if len(set(level)) > 1 else 1.0, dealt


# --- c45-5 -----------------------------------------------------------------------------


def price(counts, confidence):
    total = sum(counts)
    return predicted_errors(total, total - max(counts), confidence) if total else 0.0


def prune_recursive(tree, confidence):
    def visit(node):
        own = price(node["counts"], confidence)
        if not node["children"]:
            return own, 1
        below = [visit(child) for child in node["children"]]
        total = sum(e for e, _ in below)
        return (own, 1) if own <= total else (total, sum(n for _, n in below))

    return visit(tree)[1]


def prune_in_place(tree, confidence):
    def errors_below(node):
        if not node["children"]:
            return price(node["counts"], confidence)
        return sum(map(errors_below, node["children"]))

    def cut(node):
        for child in node["children"]:
            cut(child)
        if price(node["counts"], confidence) <= errors_below(node):
            node["children"] = []

    def count(node):
        return sum(map(count, node["children"])) if node["children"] else 1

    cut(tree)
    return count(tree)


def prune_with(tree, confidence, node_price=price, combine=sum, is_leaf=lambda own, t: own <= t):
    """The recursive answer with one part exchanged."""

    def visit(node):
        own = node_price(node["counts"], confidence)
        if not node["children"]:
            return own, 1
        below = [visit(child) for child in node["children"]]
        total = combine([e for e, _ in below])
        return (own, 1) if is_leaf(own, total) else (total, sum(n for _, n in below))

    return visit(tree)[1]


def prune_by_training_errors(tree, confidence):
    return prune_with(tree, confidence, lambda counts, c: sum(counts) - max(counts))


def prune_by_rates(tree, confidence):
    return prune_with(tree, confidence, lambda n, c: price(n, c) / max(sum(n), 1))


def prune_by_mean(tree, confidence):
    return prune_with(tree, confidence, combine=np.mean)


def prune_strictly(tree, confidence):
    return prune_with(tree, confidence, is_leaf=lambda own, total: own < total)


def prune_with_the_margin(tree, confidence):
    return prune_with(tree, confidence, is_leaf=lambda own, total: own <= total + 0.1)


def prune_at_the_default(tree, confidence):
    return prune_with(tree, 0.25)


def prune_the_wrong_way_round(tree, confidence):
    return prune_with(tree, confidence, is_leaf=lambda own, total: own >= total)


def prune_with_an_error_at_empty_leaves(tree, confidence):
    return prune_with(tree, confidence, lambda n, c: predicted_errors(sum(n), sum(n) - max(n), c))


def prune_by_the_smallest_class(tree, confidence):
    return prune_with(
        tree, confidence, lambda n, c: predicted_errors(sum(n), min(n), c) if sum(n) else 0.0
    )


def prune_top_down(tree, confidence):
    def errors_below(node):
        if not node["children"]:
            return price(node["counts"], confidence)
        return sum(map(errors_below, node["children"]))

    if not tree["children"] or price(tree["counts"], confidence) <= errors_below(tree):
        return 1
    return sum(prune_top_down(child, confidence) for child in tree["children"])


def prune_against_children_as_leaves(tree, confidence):
    below = sum(price(child["counts"], confidence) for child in tree["children"])
    if not tree["children"] or price(tree["counts"], confidence) <= below:
        return 1
    return sum(prune_against_children_as_leaves(child, confidence) for child in tree["children"])


CORRECT = {
    "c45-3": [cuts_by_sets, cuts_by_counting],
    "c45-4": [offer_by_counters, offer_by_arrays],
    "c45-5": [prune_recursive, prune_in_place],
}

WRONG = {
    "c45-3": [
        (cuts_everywhere, "all the midpoints"),
        (cuts_at_values, "not one of them"),
        (cuts_unsorted, "sort by x"),
        (cuts_of_rows, "rows of equal value"),
        (cuts_of_rows_without_equals, "the value 1 holds both classes"),
        (cuts_of_different_sets, "not one and the same class"),
        (cuts_without_mixed_neighbors, "not at the majority"),
        (cuts_that_need_a_cut, "empty list"),
    ],
    "c45-4": [
        (offer_nan, "adds 0 to an entropy"),
        (lambda *given: offer_by_counters(*given)[:2], "return three things"),
        (offer_with(deal=lambda d, t: d | {None: t["unknown"]}), "unknown is no branch"),
        (offer_with(gain=lambda g, t: g * log(2)), "base 2"),
        (offer_with(gain=gain_of_unweighted_branches), "weight the entropy of each branch"),
        (offer_with(ratio=lambda g, t: g), "divide it by the split information"),
        (offer_with(ratio=lambda g, t: g / bits(class_weights(t))), "entropy of the classes"),
        (offer_with(ratio=lambda g, t: g / log2(max(len(t["known"]), 2))), "weigh the same"),
        (offer_with(ratio=lambda g, t: t["ratio"] * log(2)), "one logarithm for both"),
        (
            offer_with(gain=lambda g, t: g * t["W"] / sum(t["known"].values())),
            "known fraction, 13/14, only",
        ),
        (
            offer_with(gain=lambda g, t: g * t["unknown"] / sum(t["known"].values()) or g),
            "not by the unknown",
        ),
        (offer_of_a_level_more, "a missing value is no category"),
        (
            offer_with(ratio=lambda g, t: g / (bits(list(t["known"].values())) or 1)),
            "one part more",
        ),
        (offer_with(deal=shares(lambda t: dict.fromkeys(t["known"], 0.0))), "is lost"),
        (
            offer_with(deal=shares(lambda t: dict.fromkeys(t["known"], 1.0))),
            "the fractions sum to 1",
        ),
        (
            offer_with(deal=shares(lambda t: dict.fromkeys(t["known"], 1 / len(t["known"])))),
            "in equal parts",
        ),
        (
            offer_with(
                deal=shares(
                    lambda t: {
                        a: float(a == max(t["known"], key=t["known"].get)) for a in t["known"]
                    }
                )
            ),
            "makes no guess",
        ),
        (
            offer_with(deal=shares(lambda t: {a: v / t["W"] for a, v in t["known"].items()})),
            "known weight, 13",
        ),
        (
            offer_with(
                deal=shares(lambda t: {a: t["rows"][a] / t["rows"].total() for a in t["known"]})
            ),
            "not of the number of rows",
        ),
        (offer_of_counts, "weights, not of counts"),
        (offer_of_a_single_level, "the ratio is 0.0"),
    ],
    "c45-5": [
        (prune_by_training_errors, "errors on the training rows"),
        (prune_by_rates, "not rates"),
        (prune_by_mean, "not the mean"),
        (prune_against_children_as_leaves, "its whole pruned subtree"),
        (prune_top_down, "Prune the children first"),
        (prune_strictly, "a tie makes a leaf"),
        (prune_with_an_error_at_empty_leaves, "division by zero, with an empty branch"),
        (prune_with_the_margin, "no margin of 0.1"),
        (prune_at_the_default, "Does yours reach `predicted_errors`"),
        (prune_by_the_smallest_class, "three classes or more"),
        (prune_the_wrong_way_round, "the smaller number wins"),
    ],
}
