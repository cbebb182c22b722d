"""Right and wrong answers to the exercises of the chapter "ID3 and C4.5"."""

from collections import Counter
from math import log, log2

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score

from treelab import C45Classifier
from treelab.c45 import predicted_errors


def bits(counts, logarithm=log2):
    """Entropy of a list of counts."""
    total = sum(counts)
    return -sum(c / total * logarithm(c / total) for c in counts if c > 0)


def remainder(branches, logarithm=log2):
    """Entropy left in the branches, weighted by their size."""
    total = sum(map(sum, branches))
    return sum(sum(b) / total * bits(b, logarithm) for b in branches if sum(b) > 0)


def gain(branches, logarithm=log2):
    """Information gain, 0 where there is nothing."""
    classes = [sum(c) for c in zip(*branches, strict=True)]
    return bits(classes, logarithm) - remainder(branches, logarithm) if sum(classes) else 0.0


# --- c45-2 -----------------------------------------------------------------------------


def ratio_of_lists(branches):
    cost = bits([sum(b) for b in branches])
    return gain(branches) / cost if cost else 0.0


def ratio_of_arrays(branches):
    p = np.asarray(branches, dtype=float) / np.sum(branches)

    def h(q):
        q = q[q > 0]
        return -(q * np.log(q)).sum()

    cost = h(p.sum(axis=1))
    # gain = H(class) + H(branch) - H(both together), in nats as the cost is
    return (h(p.sum(axis=0)) + cost - h(p)) / cost if cost > 0 else 0.0


def ratio_without_ratio(branches):
    return gain(branches)


def ratio_by_classes(branches):
    return gain(branches) / bits(np.sum(branches, axis=0))


def ratio_by_number(branches):
    return gain(branches) / np.log2(len(branches))


def ratio_unweighted(branches):
    mean = sum(map(bits, branches)) / len(branches)
    return (bits(np.sum(branches, axis=0)) - mean) / bits(np.sum(branches, axis=1))


def ratio_mixed_logs(branches):
    return gain(branches, log) / bits(np.sum(branches, axis=1))


def ratio_nan(branches):
    with np.errstate(all="ignore"):
        p = branches / branches.sum(axis=1, keepdims=True)
        return -(p * np.log2(p)).sum()


def ratio_of_one_branch(branches):
    return gain(branches) / (bits(np.sum(branches, axis=1)) or np.nan)


def ratio_of_two_classes(branches):
    def h(a, b):
        return bits([a, b])

    a, b = branches[:, 0], branches[:, 1]
    share = (a + b) / (a + b).sum()
    after = sum(s * h(u, v) for s, u, v in zip(share, a, b, strict=True) if u + v)
    cost = bits(a + b)
    return (h(a.sum(), b.sum()) - after) / cost if cost else 0.0


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


def known_gain_lists(branches, unknown):
    known = sum(map(sum, branches))
    return known / (known + unknown) * gain(branches) if known else 0.0


def known_gain_arrays(branches, unknown):
    branches = np.asarray(branches, dtype=float)

    def total_bits(w):  # weight times entropy
        w = w[w > 0]
        return w.sum() * np.log2(w.sum()) - (w * np.log2(w)).sum() if len(w) else 0.0

    saved = total_bits(branches.sum(axis=0)) - sum(total_bits(b) for b in branches)
    return saved / (branches.sum() + unknown)


def known_gain_in_full(branches, unknown):
    return gain(branches)


def known_gain_of_unknown(branches, unknown):
    return gain(branches) * unknown / (np.sum(branches) + unknown)


def known_gain_remainder_only(branches, unknown):
    known = np.sum(branches)
    return bits(np.sum(branches, axis=0)) - known / (known + unknown) * remainder(branches)


def known_gain_nats(branches, unknown):
    known = np.sum(branches)
    return known / (known + unknown) * gain(branches, log)


def known_gain_nan(branches, unknown):
    with np.errstate(all="ignore"):
        p = branches / branches.sum()
        return (p * np.log2(p)).sum()


def known_gain_divides(branches, unknown):
    known = np.sum(branches)
    if not known:
        return float("inf")
    return known_gain_lists(branches, unknown)


def known_gain_empty_branch(branches, unknown):
    known = np.sum(branches)
    if not known:
        return 0.0
    after = sum(max(sum(b), 1) / known * bits(b) if sum(b) else 1 / known for b in branches)
    return known / (known + unknown) * (bits(np.sum(branches, axis=0)) - after)


def known_gain_whole_counts(branches, unknown):
    return known_gain_lists(np.asarray(branches, dtype=int), int(unknown))


# --- c45-5 -----------------------------------------------------------------------------


def deal_by_factor(level, weight):
    known = {}
    for name, w in zip(level, weight, strict=True):
        if name is not None:
            known[name] = known.get(name, 0) + w
    factor = sum(weight) / sum(known.values())
    return {name: w * factor for name, w in known.items()}


def deal_row_by_row(level, weight):
    branch = Counter()
    for name, w in zip(level, weight, strict=True):
        if name is not None:
            branch[name] += w
    known = dict(branch)
    for name, w in zip(level, weight, strict=True):
        if name is None:
            for key in known:
                branch[key] += w * known[key] / sum(known.values())
    return branch


def deal_with_shares(level, weight, shares, amount=None):
    """Deal the unknown weight by the shares that `shares(known, rows, weight)` returns."""
    known, rows = Counter(), Counter(name for name in level if name is not None)
    for name, w in zip(level, weight, strict=True):
        if name is not None:
            known[name] += w
    unknown = sum(w for name, w in zip(level, weight, strict=True) if name is None)
    unknown = unknown if amount is None else amount
    share = shares(known, rows, weight)
    return {name: known[name] + unknown * share[name] for name in known}


def deal_as_a_branch(level, weight):
    branch = Counter()
    for name, w in zip(level, weight, strict=True):
        branch[name] += w
    return branch


def deal_away(level, weight):
    return deal_with_shares(level, weight, lambda known, rows, w: dict.fromkeys(known, 0.0))


def deal_copies(level, weight):
    return deal_with_shares(level, weight, lambda known, rows, w: dict.fromkeys(known, 1.0))


def deal_equally(level, weight):
    return deal_with_shares(
        level, weight, lambda known, rows, w: dict.fromkeys(known, 1 / len(known))
    )


def deal_to_the_heaviest(level, weight):
    def shares(known, rows, w):
        return {name: float(name == max(known, key=known.get)) for name in known}

    return deal_with_shares(level, weight, shares)


def deal_shares_of_all(level, weight):
    return deal_with_shares(
        level, weight, lambda known, rows, w: {k: known[k] / sum(w) for k in known}
    )


def deal_shares_of_rows(level, weight):
    return deal_with_shares(
        level, weight, lambda known, rows, w: {k: rows[k] / rows.total() for k in known}
    )


def deal_rows_of_weight_one(level, weight):
    return deal_with_shares(
        level,
        weight,
        lambda known, rows, w: {k: known[k] / known.total() for k in known},
        amount=sum(name is None for name in level),
    )


# --- c45-7 -----------------------------------------------------------------------------


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


# --- c45-9 -----------------------------------------------------------------------------

FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def error_by_cross_val_score(confidences, X, y):
    return {
        c: 1 - cross_val_score(C45Classifier(confidence=c), X, y, cv=FOLDS).mean()
        for c in confidences
    }


def error_by_loops(confidences, X, y):
    total = dict.fromkeys(confidences, 0.0)
    for grow, judge in FOLDS.split(X, y):
        for c in confidences:
            model = C45Classifier(confidence=c).fit(X.iloc[grow], y.iloc[grow])
            total[c] += np.mean(model.predict(X.iloc[judge]) != y.iloc[judge]) / 5
    return total


def error_accuracy(confidences, X, y):
    return {c: 1 - e for c, e in error_by_cross_val_score(confidences, X, y).items()}


def error_on_training_rows(confidences, X, y):
    return {c: 1 - C45Classifier(confidence=c).fit(X, y).score(X, y) for c in confidences}


def error_without_gaps(confidences, X, y):
    whole = X.dropna().index
    return error_by_cross_val_score(confidences, X.loc[whole], y.loc[whole])


def error_of_the_default(confidences, X, y):
    return dict.fromkeys(confidences, error_by_cross_val_score([0.25], X, y)[0.25])


def error_without_shuffling(confidences, X, y):
    return {
        c: 1 - cross_val_score(C45Classifier(confidence=c), X, y, cv=5).mean() for c in confidences
    }


def error_without_classes(confidences, X, y):
    folds = KFold(5, shuffle=True, random_state=0)
    return {
        c: 1 - cross_val_score(C45Classifier(confidence=c), X, y, cv=folds).mean()
        for c in confidences
    }


def error_counted(confidences, X, y):
    return {c: e * len(y) / 5 for c, e in error_by_cross_val_score(confidences, X, y).items()}


def error_list(confidences, X, y):
    return {"error": list(error_by_cross_val_score(confidences, X, y).values())}


CORRECT = {
    "c45-2": [ratio_of_lists, ratio_of_arrays],
    "c45-3": [cuts_by_sets, cuts_by_counting],
    "c45-4": [known_gain_lists, known_gain_arrays],
    "c45-5": [deal_by_factor, deal_row_by_row],
    "c45-7": [prune_recursive, prune_in_place],
    "c45-9": [error_by_cross_val_score, error_by_loops],
}

WRONG = {
    "c45-2": [
        (ratio_without_ratio, "divide it by the split information"),
        (ratio_by_classes, "entropy of the classes"),
        (ratio_by_number, "only where three branches weigh the same"),
        (ratio_unweighted, "weight the entropy of each branch"),
        (ratio_mixed_logs, "one logarithm for both"),
        (ratio_nan, "adds 0 to an entropy"),
        (ratio_of_one_branch, "return 0.0"),
        (ratio_of_two_classes, "more than two classes"),
    ],
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
        (known_gain_in_full, "known share, 13/14, only"),
        (known_gain_of_unknown, "not by the unknown share"),
        (known_gain_remainder_only, "the whole gain"),
        (known_gain_nats, "base 2"),
        (known_gain_nan, "adds 0 to an entropy"),
        (known_gain_divides, "nothing is known"),
        (known_gain_empty_branch, "empty branch weighs nothing"),
        (known_gain_whole_counts, "not for fractions"),
    ],
    "c45-5": [
        (deal_as_a_branch, "unknown is no branch"),
        (deal_away, "unknown row is lost"),
        (deal_copies, "the shares sum to 1"),
        (deal_equally, "in equal parts"),
        (deal_to_the_heaviest, "makes no guess"),
        (deal_shares_of_all, "known weight, 13"),
        (deal_shares_of_rows, "not of the number of rows"),
        (deal_rows_of_weight_one, "a weight of its own"),
    ],
    "c45-7": [
        (prune_by_training_errors, "errors on the training rows"),
        (prune_by_rates, "not rates"),
        (prune_by_mean, "not the mean"),
        (prune_against_children_as_leaves, "its whole subtree"),
        (prune_top_down, "Prune the children first"),
        (prune_strictly, "a tie makes a leaf"),
        (prune_with_an_error_at_empty_leaves, "weight must be above 0"),
        (prune_at_the_default, "does yours reach `predicted_errors`"),
        (prune_by_the_smallest_class, "three classes or more"),
        (prune_the_wrong_way_round, "the cheaper one stays"),
    ],
    "c45-9": [
        (error_accuracy, "1 minus that"),
        (error_on_training_rows, "judge on the fifth"),
        (error_without_gaps, "left out the rows with gaps"),
        (error_of_the_default, "give each confidence"),
        (error_without_shuffling, "shuffle=True"),
        (error_without_classes, "StratifiedKFold(5"),
        (error_counted, "you counted errors"),
        (error_list, "return a dictionary"),
    ],
}
