"""Right and wrong answers to the exercises of "Importance that changes from place to place"."""

import math

import numpy as np

# --- local-2 ---------------------------------------------------------------------------------


def order_by_sorting(found, sizes):
    orders = [sorted(range(len(f)), key=lambda j: -f[j]) for f in found if any(f)]
    total = [sum(n * f[j] for n, f in zip(sizes, found)) for j in range(len(found[0]))]

    def key(j):
        return max((order.index(j) for order in orders), default=0), -total[j]

    return sorted(range(len(total)), key=key)


def order_by_depth(found, sizes):
    """As the source has it: what is among the first 1, 2, ... of every cluster."""
    found, sizes = np.array(found, dtype=float), np.array(sizes)
    loud = found[found.any(axis=1)]
    orders, average = np.argsort(-loud, axis=1, kind="stable"), sizes @ found / sizes.sum()
    entered = []
    for depth in range(1, found.shape[1] + 1):
        common = set(range(found.shape[1])).intersection(*(o[:depth].tolist() for o in orders))
        entered += sorted(common - set(entered), key=lambda j: (-average[j], j))
    return entered


def _order(found, sizes, flaw):
    found = [list(f) for f in found]
    p = len(found[0])
    speaking = [f for f in found if flaw == "silent" or any(f)]
    if flaw == "quiet":
        speaking = [f for f in found if all(f)]
    ranks = []
    for f in speaking:
        order = sorted(range(p), key=lambda j: (-f[j], -j if flaw == "last" else j))
        if flaw == "smallest":
            order = sorted(range(p), key=lambda j: f[j])
        rank = [order.index(j) for j in range(p)]
        if flaw == "shared":
            rank = [sum(v > f[j] for v in f) for j in range(p)]
        if flaw == "dense":
            rank = [sorted(set(f), reverse=True).index(v) for v in f]
        if flaw == "gaps":
            rank = [r if v else -1 for r, v in zip(rank, f)]
        ranks.append(rank)
    weights = [1] * len(sizes) if flaw == "equal" else sizes
    average = [sum(n * f[j] for n, f in zip(weights, found)) for j in range(p)]
    of = {"best": min, "mean": lambda r: sum(r) / len(r)}.get(flaw, max)
    worst = [of([rank[j] for rank in ranks]) if ranks else 0 for j in range(p)]
    if flaw == "least":
        average = [-v for v in average]
    if flaw == "number":
        average = [0] * p
    if flaw == "average":
        worst = [0] * p
    if flaw == "mean rank":
        average = [-sum(rank[j] for rank in ranks) for j in range(p)]
    if flaw == "best rank":
        average = [-min((rank[j] for rank in ranks), default=0) for j in range(p)]
    back = -1 if flaw == "back" else 1
    order = sorted(range(p), key=lambda j: (worst[j], -average[j], back * j))
    if flaw == "all silent" and not ranks:
        return order[::-1]
    return order


def order_with(flaw):
    return lambda found, sizes: _order(found, sizes, flaw)


def order_in_place(found, sizes):
    order = order_by_sorting(found, sizes)
    found[:] = [f for f in found if any(f)]
    return order


def order_places(found, sizes):
    order = order_by_sorting(found, sizes)
    return [order.index(j) for j in range(len(order))]


def order_worst(found, sizes):
    ranks = [[sorted(range(len(f)), key=lambda j: -f[j]).index(j) + 1 for j in range(len(f))]
             for f in found if any(f)]  # fmt: skip
    return [max((r[j] for r in ranks), default=0) for j in range(len(found[0]))]


# --- local-3 ---------------------------------------------------------------------------------


def nearest_numpy(X, clusters, answers, new):
    X, clusters, new = np.array(X, dtype=float), np.array(clusters), np.array(new, dtype=float)
    mean, sd = X.mean(axis=0), X.std(axis=0)
    sd = np.where(sd < 1e-12, 1, sd)
    Z = (X - mean) / sd
    centers = np.array([Z[clusters == c].mean(axis=0) for c in range(len(answers))])
    apart = np.linalg.norm(((new - mean) / sd)[:, None] - centers, axis=2)
    return [answers[c] for c in np.argmin(apart, axis=1)]


def nearest_loops(X, clusters, answers, new):
    n, found = len(X), []
    means = [sum(x) / n for x in zip(*X)]
    roots = [math.sqrt(sum((v - m) ** 2 for v in x) / n) for x, m in zip(zip(*X), means)]
    sums = [[0.0] * len(means) for _ in answers]
    counts = [0] * len(answers)
    for x, c in zip(X, clusters):
        counts[c] += 1
        sums[c] = [s + v for s, v in zip(sums[c], x)]
    for x in new:
        best, least = None, math.inf
        for c, total in enumerate(sums):
            gaps = [(v - s / counts[c]) / (r or 1) for v, s, r in zip(x, total, roots)]
            if sum(g * g for g in gaps) < least:
                best, least = c, sum(g * g for g in gaps)
        found.append(answers[best])
    return found


def _nearest(X, clusters, answers, new, flaw):
    X, clusters, new = np.array(X, dtype=float), np.array(clusters), np.array(new, dtype=float)
    rows = {"new": new, "both": np.vstack([X, new])}.get(flaw, X)
    if flaw == "centers":
        rows = np.array([X[clusters == c].mean(axis=0) for c in range(len(answers))])
    mean, sd = rows.mean(axis=0), rows.std(axis=0)
    sd[sd == 0] = 1
    if flaw == "variance":
        sd = sd**2
    if flaw == "range":
        mean, sd = X.min(axis=0), np.ptp(X, axis=0)
        sd[sd == 0] = 1
    if flaw == "none":
        mean, sd = 0, 1
    Z, Q = (X - mean) / sd, (new - mean) / sd
    if flaw == "own":
        spread = new.std(axis=0)
        Q = (new - new.mean(axis=0)) / np.where(spread == 0, 1, spread)
    if flaw == "raw centers":
        Z = X
    if flaw == "raw new":
        Q = new
    middle = {"medians": lambda z: np.median(z, axis=0), "first": lambda z: z[0]}.get(
        flaw, lambda z: z.mean(axis=0)
    )
    centers = np.array([middle(Z[clusters == c]) for c in range(len(answers))])
    if flaw == "rows":
        centers, answers = Z, [answers[c] for c in clusters]
    kind = {"blocks": 1, "largest": np.inf}.get(flaw, 2)
    apart = np.linalg.norm(Q[:, None] - centers, ord=kind, axis=2)
    if flaw == "farthest":
        apart = -apart
    chosen = np.argmin(apart, axis=1)
    if flaw == "last":
        chosen = apart.shape[1] - 1 - np.argmin(apart[:, ::-1], axis=1)
    if flaw == "numbers":
        return chosen
    if flaw == "off":
        return [answers[c] + 1 for c in chosen]
    if flaw == "first only":
        return answers[chosen[0]]
    return [answers[c] for c in chosen]


def nearest_with(flaw):
    return lambda *case: _nearest(*case, flaw)


def nearest_zero(X, clusters, answers, new):
    """Divides by a standard deviation of 0."""
    means = [sum(x) / len(X) for x in zip(*X)]
    roots = [math.sqrt(sum((v - m) ** 2 for v in x) / len(X)) for x, m in zip(zip(*X), means)]
    return [answers[0] for x in new if [(v - m) / r for v, m, r in zip(x, means, roots)]]


def nearest_in_place(X, clusters, answers, new):
    said = nearest_numpy(X, clusters, answers, new)
    for x in new:
        x[0] -= 1
    return said


CORRECT = {
    "local-2": [order_by_sorting, order_by_depth],
    "local-3": [nearest_numpy, nearest_loops],
}

WRONG = {
    "local-2": [
        (order_with("silent"), "a silent cluster ranks nothing"),
        (order_with("quiet"), "silent only if all"),
        (order_with("gaps"), "silent only if all"),
        (order_with("average"), "by the average alone"),
        (order_with("number"), "larger weighted average"),
        (order_with("mean rank"), "larger weighted average"),
        (order_with("best rank"), "larger weighted average"),
        (order_with("least"), "larger weighted average"),
        (order_with("equal"), "as it has rows"),
        (order_with("best"), "at its worst rank"),
        (order_with("mean"), "at its worst rank"),
        (order_with("smallest"), "the largest importance first"),
        (order_with("last"), "has the better rank"),
        (order_with("shared"), "no two share one"),
        (order_with("dense"), "no two share one"),
        (order_with("back"), "the smaller number comes first"),
        (order_with("all silent"), "all features enter together"),
        (order_in_place, "changed its arguments"),
        (order_places, "not the place of each"),
        (lambda found, sizes: [j + 1 for j in order_places(found, sizes)], "not the place of each"),
        (order_worst, "these are the worst ranks"),
        (lambda found, sizes: [j + 1 for j in order_by_sorting(found, sizes)], "has the number 0"),
        (lambda found, sizes: order_by_sorting(found, sizes)[:1], "one for each feature"),
        (lambda found, sizes: order_by_sorting(found, sizes)[::-1], "the order is"),
    ],
    "local-3": [
        (nearest_with("none"), "the largest numbers decides alone"),
        (nearest_with("raw centers"), "scale the training rows, too"),
        (nearest_with("raw new"), "scale the new rows, too"),
        (nearest_with("new"), "whatever rows come with it"),
        (nearest_with("own"), "whatever rows come with it"),
        (nearest_with("both"), "whatever rows come with it"),
        (nearest_with("centers"), "over all training rows"),
        (nearest_with("variance"), "not by the variance"),
        (nearest_with("range"), "not by the range"),
        (nearest_with("blocks"), "the root of the sum of squares"),
        (nearest_with("largest"), "the root of the sum of squares"),
        (nearest_with("medians"), "the mean of all its scaled rows"),
        (nearest_with("first"), "the mean of all its scaled rows"),
        (nearest_with("rows"), "look for the nearest center"),
        (nearest_with("farthest"), "that is farthest"),
        (nearest_with("last"), "the first cluster's answer"),
        (nearest_with("numbers"), "not its number"),
        (nearest_with("off"), "new rows are"),
        (nearest_with("first only"), "one number for each new row"),
        (nearest_zero, "ZeroDivisionError"),
        (nearest_in_place, "changed its arguments"),
    ],
}
