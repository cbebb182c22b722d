"""Right and wrong answers to the assignment "When to stop: pruning and gain ratio"."""

from functools import partial

import checks_hw2 as checks
import numpy as np

from treelab import DecisionTreeClassifier
from treelab.fast.impurity import entropy, information_gain
from treelab.fast.pruning import prune

# --- by hand ------------------------------------------------------------------------------

GAIN = 0.8 * (1 - 0.5 * 0.8112781244591328 - 0.25)
SPLIT = 0.4 * np.log2(10 / 4) + 3 * 0.2 * np.log2(5)
AS_LEVEL = information_gain([[1.0, 3.0], [2.0, 0.0], [1.0, 1.0], [2.0, 0.0]])


def by_hand(given):
    """The answers to part A for what `given` shows, and typical mistakes, by plain arithmetic."""
    left, right, R = (list(given[name]) for name in ("left", "right", "risk"))
    inner = [t for t in range(9) if left[t] >= 0]

    def steps(R, divisor=lambda leaves: leaves - 1, again=True):
        """One link falls at a time; then those that fell at the same alpha are one step."""
        asks, found = set(inner), [(0, 5)]

        def look(t, asks):
            if t not in asks:
                return R[t], 1
            (a, m), (b, k) = look(left[t], asks), look(right[t], asks)
            return a + b, m + k

        def g(t, asks):
            risk, leaves = look(t, asks)
            return (R[t] - risk) / divisor(leaves)

        while asks:
            weakest = min(asks, key=lambda t: (g(t, asks if again else set(inner)), -t))
            alpha = g(weakest, asks if again else set(inner))
            gone = [weakest]
            for t in gone:
                gone += [c for c in (left[t], right[t]) if c in asks]
            asks -= set(gone)
            found.append((alpha, len(asks) + 1))
        return found

    def merged(found):
        """Of steps at one alpha the last."""
        return [a for a, b in zip(found, found[1:] + [(1e9, 0)]) if b[0] > a[0] + 1e-9]

    single = steps(R)
    answer = merged(single)
    assert len(answer) == len(single) - 1 == 4  # two links tie
    bare = [0 if left[t] < 0 else R[t] for t in range(9)]
    first = answer[1][0]
    walks = [
        (single, "same step"),
        (merged(steps(R, again=False)), "work g out again"),
        (merged(steps(bare)), "risks of their own"),
        (merged(steps(R, lambda leaves: leaves)), "that are saved"),
        (answer[1:], "the grown tree"),
        (answer[:-1], "root alone"),
        ([*answer[:2], (answer[2][0] + 0.25, answer[2][1]), (99, 1)], f"up to alpha {first:g}"),
        ([alpha for alpha, _ in answer], "pairs"),
    ]

    table = list(zip(given["sizes"], given["errors"]))
    least = min(e for _, e in table)
    se = (least * (1 - least) / 100) ** 0.5
    within = [n for n, e in table if e <= least + se]
    at_best = next(n for n, e in table if e == least)
    own = min(n for n, e in table if e - (e * (1 - e) / 100) ** 0.5 <= least + se)
    between = [n for n in within if min(within) < n < at_best]
    rule = [
        ((least + se, at_best), "lowest error"),
        ((least + se, own), "not that of the smaller tree"),
        ((least + se, max(within)), "smallest is taken"),
        ((least + 10 * se, 1), "square root of 100"),
        ((least + se**2, at_best), "is a square root"),
        ((se, min(within)), "plus its standard error"),
        ((least + se, between[0]), "on or below the line"),
        ((least + se + 0.01, min(within)), "the line is wrong"),
    ]

    names = ["mail", "phone", "chat", None]
    pairs = np.zeros((4, 2))
    for channel, word in zip(given["channel"], given["urgent"]):
        pairs[names.index(channel), ["yes", "no"].index(word)] += 1
    known, unknown = pairs[:3], pairs[3]
    n, W = known.sum(), pairs.sum()
    gain, cost = float(n / W * information_gain(known)), float(entropy(pairs.sum(axis=1)))
    alone = float(entropy(known.sum(axis=1)))
    ratio = [
        ((W / n * gain, cost, W / n * gain / cost), f"count {n:.0f}/{W:.0f} of the gain"),
        ((gain, alone, gain / alone), "a branch more"),
        ((float(information_gain(pairs)), cost, 0.2), "no fourth"),
        ((gain * np.log(2), cost * np.log(2), gain / cost), "in bits"),
        ((gain, cost, cost / gain), "upside down"),
        ((gain, cost, gain * cost), "divided by"),
        ((gain, cost), "three numbers"),
        ((round(gain, 2), round(cost, 2), 0.15), "the gain is right to two decimals"),
        ((gain, round(cost, 2), 0.143), "the split information is right to two decimals"),
    ]

    sizes = known.sum(axis=1)[:, None]
    dealt = known + sizes / n * unknown
    biggest = np.eye(3)[[sizes.argmax()]].T
    parts = [
        (known, "are missing"),
        (known + unknown / 3, "equal parts"),
        (known + biggest * unknown, "largest branch alone"),
        (known + unknown, f"make {W + 2 * unknown.sum():.0f} of {W:.0f}"),
        (known + known / known.sum(axis=0) * unknown, "whatever its class"),
        (dealt[:, ::-1], "urgent comes first"),
        (dealt + 0.02, f"{sizes[0, 0]:.0f}/{n:.0f}"),
        (dealt[:2], "three pairs"),
    ]
    return {
        "hw2-1": (answer, walks),
        "hw2-2": ((least + se, min(within)), rule),
        "hw2-3": ((gain, cost, gain / cost), ratio),
        "hw2-4": (dealt, parts),
    }


# --- hw2-5 --------------------------------------------------------------------------------


def alphas_by_definition(left, right, R):
    return checks.falls(left, right, R)


def alphas_one_at_a_time(left, right, R):
    """One weakest link falls, then all is worked out again; ties fall one after the other."""
    inner = {int(t) for t in np.flatnonzero(np.asarray(left) >= 0)}
    alphas, alpha = {}, 0.0

    def look(t):
        """Risk and number of the leaves below t."""
        if t not in inner:
            return R[t], 1
        (a, m), (b, k) = look(int(left[t])), look(int(right[t]))
        return a + b, m + k

    def cut(t):
        if t in inner:
            inner.remove(t)
            alphas[t] = alpha
            cut(int(left[t]))
            cut(int(right[t]))

    while inner:
        g = {t: (R[t] - look(t)[0]) / (look(t)[1] - 1) for t in inner}
        weakest = min(g, key=g.get)
        alpha = max(alpha, g[weakest])
        cut(weakest)
    return alphas


def alphas_never_updated(left, right, R):
    inner = {t for t in range(len(left)) if left[t] >= 0}
    return checks.weakness(left, right, np.asarray(R), inner)


def alphas_not_taken_along(left, right, R):
    """A node below a falling one keeps its own, larger g."""
    g, alphas = alphas_never_updated(left, right, R), checks.falls(left, right, R)
    return {t: max(alphas[t], g[t]) for t in alphas}


def alphas_without_leaf_risks(left, right, R):
    bare = np.where(np.asarray(left) < 0, 0.0, R)
    return checks.falls(left, right, bare)


def alphas_by_all_leaves(left, right, R):
    inner = {t for t in range(len(left)) if left[t] >= 0}
    alphas = {}
    for t in inner:
        leaves = checks.leaves_under(left, right, t, inner)
        alphas[t] = (R[t] - R[leaves].sum()) / len(leaves)
    return alphas


def alphas_of_root_only(left, right, R):
    alphas = checks.falls(left, right, R)
    return {0: alphas[0]} if alphas else {}


# --- hw2-6 --------------------------------------------------------------------------------


def predict_row_by_row(tree, fall, X, alpha, equal=True, strict=False, never=False):
    answer = []
    for x in X:
        t = 0
        while tree.children_left[t] >= 0:
            stops = fall[t] <= alpha if equal else fall[t] < alpha
            if stops and not never:
                break
            below = x[tree.feature[t]] <= tree.threshold[t]
            if strict:
                below = x[tree.feature[t]] < tree.threshold[t]
            t = int(tree.children_left[t] if below else tree.children_right[t])
        answer.append(int(tree.value[t].argmax()))
    return answer


def predict_all_rows(tree, fall, X, alpha):
    """All rows one question down at a time."""
    stops = np.array([fall.get(t, -1) <= alpha for t in range(tree.node_count)])
    t = np.zeros(len(X), dtype=int)
    while not stops[t].all():
        rows = np.flatnonzero(~stops[t])
        at = t[rows]
        left = X[rows, tree.feature[at]] <= tree.threshold[at]
        t[rows] = np.where(left, tree.children_left[at], tree.children_right[at])
    return tree.value[t].reshape(len(X), -1).argmax(axis=1)


def predict_only_at_the_rent(tree, fall, X, alpha):
    """The walk stops only where the alpha is exactly that of the node."""
    return predict_row_by_row(tree, {t: r if r == alpha else np.inf for t, r in fall.items()}, X, 0)


# --- hw2-7 --------------------------------------------------------------------------------


def curve_by_prune(X, y, betas, folds, **mistakes):
    losses = checks.curve(X, y, betas, folds, **mistakes)
    return losses.mean(axis=0), losses.std(axis=0) / np.sqrt(len(y))


def curve_by_hand(X, y, betas, folds):
    losses = [[None] * len(betas) for _ in y]
    for k in set(folds.tolist()):
        model = DecisionTreeClassifier().fit(X[folds != k], y[folds != k])
        tree = model.tree_
        R = tree.weighted_n_node_samples / tree.weighted_n_node_samples[0] * tree.impurity
        fall = alphas_one_at_a_time(tree.children_left, tree.children_right, R)
        rows = np.flatnonzero(folds == k)
        for b, beta in enumerate(betas):
            for i, code in zip(rows, predict_all_rows(tree, fall, X[rows], beta)):
                losses[i][b] = float(model.classes_[code] != y[i])
    losses = np.array(losses, dtype=float)
    return losses.mean(axis=0), losses.std(axis=0, ddof=1) / len(y) ** 0.5


def curve_of_fold_means(X, y, betas, folds):
    losses = checks.curve(X, y, betas, folds)
    means = np.array([losses[folds == k].mean(axis=0) for k in np.unique(folds)])
    return means.mean(axis=0), means.std(axis=0) / np.sqrt(len(means))


def curve_with_fold_se(X, y, betas, folds):
    return curve_by_prune(X, y, betas, folds)[0], curve_of_fold_means(X, y, betas, folds)[1]


def curve_without_root(X, y, betas, folds):
    error, se = curve_by_prune(X, y, betas, folds)
    return error, se * np.sqrt(len(y))


def curve_divided_by_n(X, y, betas, folds):
    error, se = curve_by_prune(X, y, betas, folds)
    return error, se / np.sqrt(len(y))


def curve_of_right_answers(X, y, betas, folds):
    error, se = curve_by_prune(X, y, betas, folds)
    return 1 - error, se


# --- hw2-8 --------------------------------------------------------------------------------


def shares_by_recursion(tree, row, before=None):
    total = sum(tree["counts"])
    here = [c / total for c in tree["counts"]] if total > 0 else before
    if "feature" not in tree:
        return here
    level = row[tree["feature"]]
    if level is not None:
        return shares_by_recursion(tree["branches"][level], row, here)
    whole = sum(sum(b["counts"]) for b in tree["branches"].values())
    answer = [0.0] * len(here)
    for branch in tree["branches"].values():
        part = sum(branch["counts"]) / whole
        for k, share in enumerate(shares_by_recursion(branch, row, here)):
            answer[k] += part * share
    return answer


def shares_without_empty_leaves(tree, row, nothing=0.0):
    """Nothing where no training row came."""
    counts = np.array(tree["counts"])
    if "feature" not in tree:
        return counts / counts.sum() if counts.sum() > 0 else np.full(len(counts), nothing)
    level = row[tree["feature"]]
    if level is not None:
        return shares_without_empty_leaves(tree["branches"][level], row, nothing)
    branches = list(tree["branches"].values())
    weight = np.array([np.sum(b["counts"]) for b in branches])
    parts = [shares_without_empty_leaves(b, row, nothing) for b in branches]
    return weight / weight.sum() @ np.array(parts)


def shares_not_divided(tree, row):
    return np.array(checks.flow(tree, row)) * 3


# --- data analysis ------------------------------------------------------------------------


def sizes_from_table(seed):
    table = checks.choice_of(seed).table.sort_values("n_leaves")
    k = int(table["cv_error"].to_numpy().argmin())
    line = table["cv_error"].iloc[k] + table["se"].iloc[k]
    return int(table["n_leaves"].iloc[k]), int(table["n_leaves"][table["cv_error"] <= line].min())


def sizes_of_trees(seed):
    """The numbers of leaves of the two pruned trees themselves."""
    data, choice = checks.credits(), checks.choice_of(seed)
    table = choice.table
    tree = DecisionTreeClassifier(max_depth=6, min_samples_leaf=20).fit(data.X, data.y)
    line = table["cv_error"].min() + table["se"][table["chosen"]].item()
    alpha = table["alpha"][table["cv_error"] <= line].max()
    return [choice.estimator.get_n_leaves(), prune(tree, alpha).get_n_leaves()]


def scores_by_treelab(q, mistake=None):
    return checks.scores(q, mistake)


def scores_step_by_step(q):
    data, (model, usual) = checks.credits(), checks.form_reader()
    holes = checks.blanked(q)
    filled = holes.copy()
    for name in filled:
        filled[name] = filled[name].fillna(usual[name])
    tree, answer = checks.as_dictionary(model), []
    bad = (data.y[data.test] == "bad").to_numpy()
    for forms in (holes, filled):
        rows = [checks.form_of(row) for _, row in forms.iterrows()]
        p = np.array([shares_by_recursion(tree, row)[model.classes_.tolist().index("bad")]
                      for row in rows])  # fmt: skip
        answer.append(np.square(p - bad).mean())
    return answer


CORRECT = {
    "hw2-1": [[(0, 5), (3, 3), (4, 2), (6, 1)], np.array([[0, 5], [3, 3], [4, 2], [6, 1.0]])],
    "hw2-2": [(0.24, 3), [0.2 + 0.4 / 10, 3.0]],
    "hw2-3": [(GAIN, SPLIT, GAIN / SPLIT), [0.275, 1.922, 0.143]],
    "hw2-4": [[(2, 3), (2.5, 0), (1.5, 1)], np.array([[4, 6], [5, 0], [3, 2]]) / 2],
    "hw2-5": [alphas_by_definition, alphas_one_at_a_time],
    "hw2-6": [predict_row_by_row, predict_all_rows],
    "hw2-7": [curve_by_prune, curve_by_hand],
    "hw2-8": [checks.flow, shares_by_recursion],
    "hw2-10": [sizes_from_table, sizes_of_trees],
    "hw2-11": [scores_by_treelab, scores_step_by_step],
}
WRONG = {
    "hw2-1": [
        ([(0, 5), (3, 4), (3, 3), (4, 2), (6, 1)], "same step"),
        ([(0, 5), (3, 3), (4, 1)], "work g out again"),
        ([(0, 5), (6, 3), (8, 1)], "risks of their own"),
        ([(0, 5), (1.5, 4), (2, 3), (3, 1)], "that are saved"),
        ([(3, 3), (4, 2), (6, 1)], "the grown tree"),
        ([(0, 5), (3, 3), (4, 2)], "root alone"),
        ([(0, 5), (3, 3), (5, 2), (6, 1)], "right up to alpha 3"),
        ([0, 3, 4, 6], "pairs"),
    ],
    "hw2-2": [
        ((0.24, 6), "lowest error"),
        ((0.24, 2), "not that of the smaller tree"),
        ((0.24, 9), "smallest is taken"),
        ((0.6, 1), "square root of 100"),
        ((0.2016, 6), "is a square root"),
        ((0.04, 3), "plus its standard error"),
        ((0.24, 4), "on or below the line"),
    ],
    "hw2-3": [
        ((GAIN / 0.8, SPLIT, GAIN / 0.8 / SPLIT), "count 8/10"),
        ((GAIN, 1.5, GAIN / 1.5), "a branch more"),
        ((AS_LEVEL, SPLIT, 0.2), "no fourth"),
        ((GAIN * np.log(2), SPLIT * np.log(2), GAIN / SPLIT), "in bits"),
        ((GAIN, SPLIT, SPLIT / GAIN), "upside down"),
        ((GAIN, SPLIT, GAIN * SPLIT), "divided by"),
        ((GAIN, SPLIT), "three numbers"),
        ((0.28, 1.92, 0.15), "the gain is right to two decimals"),
        ((0.275, 1.92, 0.143), "the split information is right to two decimals"),
    ],
    "hw2-4": [
        ([(1, 3), (2, 0), (1, 1)], "are missing"),
        ([(5 / 3, 3), (8 / 3, 0), (5 / 3, 1)], "equal parts"),
        ([(3, 3), (2, 0), (1, 1)], "largest branch alone"),
        ([(3, 3), (4, 0), (3, 1)], "make 14 of 10"),
        ([(1.5, 3), (3, 0), (1.5, 1)], "whatever its class"),
        ([(3, 2), (0, 2.5), (1, 1.5)], "urgent comes first"),
        ([(1.8, 3), (2.6, 0), (1.6, 1)], "4/8"),
    ],
    "hw2-5": [
        (alphas_never_updated, "after each step"),
        (alphas_not_taken_along, "goes with it"),
        (alphas_without_leaf_risks, "risks of their own"),
        (alphas_by_all_leaves, "that are saved"),
        (lambda *tree: checks.falls(*tree, lambda leaves: leaves), "one less than there are"),
        (lambda *tree: checks.falls(*tree, lambda leaves: 1), "whole rise"),
        (alphas_of_root_only, "inner nodes"),
    ],
    "hw2-6": [
        (partial(predict_row_by_row, equal=False), "smaller tree wins"),
        (partial(predict_row_by_row, never=True), "the grown tree"),
        (partial(predict_row_by_row, strict=True), "goes left"),
        (predict_only_at_the_rent, "the grown tree"),
    ],
    "hw2-7": [
        (partial(curve_by_prune, seen=True), "has seen the fold"),
        (partial(curve_by_prune, unit=False), "another unit"),
        (curve_of_fold_means, "differ in size"),
        (curve_with_fold_se, "single losses"),
        (curve_without_root, "divide it by the square root"),
        (curve_divided_by_n, "not by n"),
        (curve_of_right_answers, "right answers"),
    ],
    "hw2-8": [
        (partial(checks.flow, deal="stop"), "you stop"),
        (partial(checks.flow, deal="equal"), "equal parts"),
        (partial(checks.flow, deal="largest"), "largest branch"),
        (shares_without_empty_leaves, "its parent"),
        (shares_not_divided, "add up to 1"),
        (partial(shares_without_empty_leaves, nothing=np.nan), "0 / 0"),
    ],
    "hw2-10": [
        (lambda seed: sizes_from_table(seed)[::-1], "comes first"),
        (lambda seed: [sizes_from_table(seed)[0]] * 2, "two rules"),
        (lambda seed: [sizes_from_table(seed)[0], 1], "above the line"),
        (lambda seed: [sizes_from_table(seed)[0], 6], "still within"),
        (lambda seed: [20, 4], "the lowest error is that"),
        (lambda seed: checks.chosen(seed, training_only=True), "on the training rows"),
    ],
    "hw2-11": [
        (lambda q: checks.scores(q)[::-1], "come first"),
        (partial(scores_by_treelab, mistake="rate"), "error rate"),
        (partial(scores_by_treelab, mistake="class"), "probability of good"),
        (partial(scores_by_treelab, mistake="abs"), "not absolute"),
        (partial(scores_by_treelab, mistake="own usual"), "training rows"),
        (lambda q: checks.scores(0.0), "do not arrive"),
        (lambda q: np.sqrt(checks.scores(q)), "without the root"),
    ],
}
