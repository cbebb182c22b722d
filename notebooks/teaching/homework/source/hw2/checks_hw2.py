"""Checkers of the assignment "When to stop: pruning and gain ratio"."""

from functools import cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from treelab import C45Classifier, DecisionTreeClassifier
from treelab.checkers import checker, expect, judged
from treelab.datasets import fetch_german_credit
from treelab.fast.pruning import cross_validated_pruning, prune

# The tree of the help desk with the number 0, which part B uses, too: children (-1: leaf) and the
# tickets that go to the wrong desk.
LEFT = np.array([1, 2, -1, 4, -1, -1, 7, -1, -1])
RIGHT = np.array([6, 3, -1, 5, -1, -1, 8, -1, -1])
RISK = np.array([26.0, 12, 2, 7, 1, 3, 8, 1, 3])


def array_of(answer, shape, what):
    """The answer as an array of this shape; a hint that says `what` is asked for if it is not."""
    try:
        found = np.array(answer() if callable(answer) else answer, dtype=float)
    except (TypeError, ValueError):
        found = np.array([])
    good = found.ndim == len(shape) and all(s in (None, k) for s, k in zip(shape, found.shape))
    expect(good and np.all(np.isfinite(found)), f"the answer is {what}.")
    return found


# --- trees as arrays ----------------------------------------------------------------------


def leaves_under(left, right, t, inner):
    """The leaves of the subtree of t, where only the nodes in `inner` still ask."""
    if t not in inner:
        return [t]
    return leaves_under(left, right, left[t], inner) + leaves_under(left, right, right[t], inner)


def below(left, right, t):
    """All inner nodes of the grown subtree of t, t among them."""
    if left[t] < 0:
        return set()
    return {t} | below(left, right, left[t]) | below(left, right, right[t])


def weakness(left, right, R, inner, divisor=None):
    """{t: g(t)} of the tree as it stands; `divisor` of the number of leaves as a mistake would."""
    divisor = divisor or (lambda leaves: leaves - 1)
    g = {}
    for t in inner:
        leaves = leaves_under(left, right, t, inner)
        g[t] = (R[t] - R[leaves].sum()) / divisor(len(leaves))
    return g


def falls(left, right, R, divisor=None):
    """{t: alpha at which t is no longer an inner node}, by the definition."""
    left, right, R = (np.asarray(a).tolist() for a in (left, right, R))
    R = np.array(R, dtype=float)
    inner = {t for t, child in enumerate(left) if child >= 0}
    alphas = {}
    while inner:
        g = weakness(left, right, R, inner, divisor)
        alpha = max(min(g.values()), 0.0)
        weak = [t for t in inner if g[t] <= alpha * (1 + 1e-9) + 1e-12]
        gone = set().union(*(below(left, right, t) for t in weak)) & inner
        inner = inner - gone
        alphas.update(dict.fromkeys(gone, alpha))
    return alphas


# --- by hand ------------------------------------------------------------------------------

CHANNELS = ("mail", "phone", "chat")
# (urgent, not urgent) of the tickets by three channels, and of those without a channel.
TICKETS = (
    "02 20 33 21",
    "02 02 42 21",
    "01 13 30 12",
    "03 10 42 21",
    "03 13 20 11",
    "11 20 22 02",
    "03 21 22 21",
    "03 11 31 02",
    "13 20 21 02",
    "10 12 22 21",
    "01 13 30 20",
    "02 12 22 20",
    "01 21 22 20",
    "02 13 21 20",
    "02 13 30 02",
    "10 13 41 02",
    "02 10 33 20",
    "03 20 22 20",
    "10 20 42 20",
    "11 22 30 20",
    "02 12 31 20",
    "20 20 23 12",
    "03 10 31 12",
    "03 11 23 20",
)


def given(number):
    """What part A shows to the student with this number.

    Parameters
    ----------
    number : int

    Returns
    -------
    dict
        ``left``, ``right`` and ``risk``, arrays of a tree with nine nodes; ``sizes`` and
        ``errors`` of pruned trees; ``channel`` (None: unknown) and ``urgent`` of each ticket.
    """
    if number == 0:
        arrays, sizes = (LEFT, RIGHT, RISK), [9, 6, 4, 3, 2, 1]
        errors, counts = [0.24, 0.20, 0.21, 0.23, 0.25, 0.40], [(1, 3), (2, 0), (1, 1), (2, 0)]
    else:
        rng = np.random.default_rng([2, number])
        arrays, (sizes, errors) = help_desk(rng), candidates(rng)
        pairs = np.array([[int(n) for n in pair] for pair in rng.choice(TICKETS).split()])
        counts = pairs[[*rng.permutation(3), 3]][:, rng.permutation(2)].tolist()
    channel = [name for name, pair in zip((*CHANNELS, None), counts) for _ in range(sum(pair))]
    urgent = [word for pair in counts for word in ["yes"] * pair[0] + ["no"] * pair[1]]
    left, right, risk = arrays
    return {
        "left": left,
        "right": right,
        "risk": risk,
        "sizes": sizes,
        "errors": errors,
        "channel": channel,
        "urgent": urgent,
    }


def help_desk(rng):
    """Children and risks of a tree with five leaves, made from the leaves up."""
    low, middle, high = np.cumsum(rng.integers(1, 4, size=3))
    inner, upper, other = [(low, low, middle), (low, middle, low), (low, middle, middle),
                           (middle, middle, low)][rng.integers(4)]  # fmt: skip

    def joined(a, b, alpha):
        """A node above two subtrees, one of them first, whose risk is so much higher."""
        pair = [a, b] if rng.integers(2) else [b, a]
        return (a[0] + b[0] + alpha, *pair)

    leaves = [(int(risk),) for risk in rng.integers(1, 5, size=5)]
    deep = joined(leaves[0], joined(leaves[1], leaves[2], inner), upper)
    tree, rows = joined(deep, joined(leaves[3], leaves[4], other), high), []

    def write(node):
        """Append the rows of a subtree in preorder; the number of its first node."""
        t = len(rows)
        rows.append([-1, -1, node[0]])
        if len(node) > 1:
            rows[t][:2] = [write(node[1]), write(node[2])]
        return t

    write(tree)
    left, right, risk = np.array(rows).T
    return left, right, risk.astype(float)


def candidates(rng):
    """Leaves and cross-validated errors of pruned trees, the largest first."""
    least = rng.choice([10, 15, 18, 20, 25, 30, 32, 36])  # in percent
    above = [*(rng.choice([1, 2, 3], size=rng.integers(1, 3), replace=False)), 0]
    above += [1, *[2] * rng.integers(2), 3, 5 + (least < 30), 20]
    sizes = np.cumsum([1, *rng.integers(1, 4, size=len(above) - 1)])[::-1]
    return sizes.tolist(), [round(float(least + more) / 100, 2) for more in above]


@checker("hw2-1")
def check_steps(answer):
    what = "a list of pairs (alpha, leaves), the first of them (0, 5)"
    judged("hw2-1", array_of(answer, (None, 2), what))


@checker("hw2-2")
def check_one_se(answer):
    what = "a pair: the line, and the leaves that are chosen"
    judged("hw2-2", array_of(answer, (2,), what))


@checker("hw2-3")
def check_ratio(answer):
    what = "three numbers: gain, split information, gain ratio"
    judged("hw2-3", array_of(answer, (3,), what))


@checker("hw2-4")
def check_dealt(answer):
    what = "three pairs (urgent, not urgent): mail, phone, chat"
    judged("hw2-4", array_of(answer, (3, 2), what))


# --- implement it yourself ----------------------------------------------------------------


def links():
    """(left, right, R): trees whose links tie, whose leaves err, whose splits save nothing."""
    yield LEFT, RIGHT, RISK
    yield np.array([1, -1, -1]), np.array([2, -1, -1]), np.array([5.0, 2, 3])
    yield np.array([-1]), np.array([-1]), np.array([4.0])
    # a strong split below a weak one: node 2 goes with node 1
    yield (
        np.array([1, 2, 3, -1, -1, -1, -1]),
        np.array([6, 5, 4, -1, -1, -1, -1]),
        np.array([30.0, 12, 11, 0, 0, 0, 0]),
    )
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(50, 3)), rng.integers(0, 3, size=50)
        tree = DecisionTreeClassifier(min_samples_leaf=1 + seed % 3).fit(X, y).tree_
        R = tree.impurity * tree.weighted_n_node_samples / 50
        yield tree.children_left, tree.children_right, R


@checker("hw2-5", plain=True)
def check_fall_alphas(fall_alphas):
    for left, right, R in links():
        found = fall_alphas(left.copy(), right.copy(), R.copy())
        expect(isinstance(found, dict), "return a dictionary {node: alpha}.")
        want, n = falls(left, right, R), len(left)
        where = f" (a tree of {n} nodes)"
        expect(
            {int(t) for t in found} == set(want),
            "the keys are the inner nodes of the grown tree, all of them, and no leaf." + where,
        )
        got = {int(t): float(alpha) for t, alpha in found.items()}
        wrong = [t for t in sorted(want) if not np.isclose(got[t], want[t], atol=1e-9)]
        if not wrong:
            continue
        first = weakness(left.tolist(), right.tolist(), R, set(want))
        leaves = {t: leaves_under(left.tolist(), right.tolist(), t, set(want)) for t in want}
        values = np.array([got[t] for t in want])
        expect(
            not np.allclose(values, [first[t] for t in want]),
            "these are the g of the grown tree; after each step the leaves below a node change, "
            "and g with them." + where,
        )
        alone = [R[t] / (len(leaves[t]) - 1) for t in want]
        weakest = min(first, key=first.get)
        expect(
            not np.isclose(values.min(), min(alone)) or np.isclose(min(alone), first[weakest]),
            "the leaves below have risks of their own: take them from R(t)." + where,
        )
        by_rule = {
            "divide by the leaves that are saved, one less than there are.": lambda leaves: leaves,
            "that is the whole rise of the risk; divide it by the leaves that are saved.": (
                lambda leaves: 1
            ),
        }
        for hint, divisor in by_rule.items():
            once = weakness(left.tolist(), right.tolist(), R, set(want), divisor)
            through = falls(left, right, R, divisor)
            for mistaken in (once, through):
                expect(not np.allclose(values, [mistaken[t] for t in want]), hint + where)
        parent = {c: t for t in want for c in (left[t], right[t]) if c in want}
        expect(
            all(got[t] <= got[up] + 1e-9 for t, up in parent.items()),
            "a node outlives its parent: when a node becomes a leaf, everything below it goes "
            "with it, at the same alpha." + where,
        )
        expect(False, f"the alphas of the nodes {wrong} are wrong." + where)


def grown(seed, K=3, **limits):
    """A tree with its alphas, and rows to ask it about."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    y = np.concatenate([np.arange(K), rng.integers(0, K, size=60 - K)])
    tree = DecisionTreeClassifier(**limits).fit(X, y).tree_
    R = tree.impurity * tree.weighted_n_node_samples / 60
    alphas = falls(tree.children_left, tree.children_right, R)
    return tree, alphas, rng.normal(size=(40, 3))


def on_threshold(tree, X):
    """The rows with values moved onto thresholds of the tree."""
    X = X.copy()
    for i, t in enumerate(np.flatnonzero(~tree.is_leaf)[: len(X)]):
        X[i, tree.feature[t]] = tree.threshold[t]
    return X


@checker("hw2-6", plain=True)
def check_pruned_predict(pruned_predict):
    for seed in range(4):
        tree, alphas, X = grown(seed, min_samples_leaf=1 + seed)
        steps = sorted(set(alphas.values()))
        middle = [np.sqrt(a * b) for a, b in zip(steps[:-1], steps[1:])]
        for alpha in [middle[0], middle[-1], 2 * steps[-1], 0.0, np.inf, steps[0], steps[-2]]:
            found = np.asarray(pruned_predict(tree, dict(alphas), X.copy(), alpha))
            want = prune(tree, alpha).predict(X).argmax(axis=1)
            where = f" (alpha {alpha:.4g} of {steps[0]:.4g} to {steps[-1]:.4g})"
            expect(found.shape == (len(X),), "return one class code for each row." + where)
            if np.array_equal(found, want):
                continue
            expect(
                not np.array_equal(found, tree.predict(X).argmax(axis=1)),
                "these are the predictions of the grown tree: stop at a node whose alpha has come."
                + where,
            )
            expect(
                alpha < steps[-1] or len(set(found.tolist())) == 1,
                "at this alpha the root alone is left, and predicts the same for all." + where,
            )
            expect(
                alpha not in steps,
                "at exactly the alpha of a node the smaller tree wins: the node is a leaf." + where,
            )
            expect(False, "some rows get another class; is a node a leaf when fall[t] is at most "
                   "alpha, and is left the side of x <= threshold?" + where)  # fmt: skip
        moved = on_threshold(tree, X)
        expect(
            np.array_equal(
                pruned_predict(tree, dict(alphas), moved.copy(), 0.0),
                prune(tree, 0.0).predict(moved).argmax(axis=1),
            ),
            "a value that equals the threshold goes left.",
        )


def curve(X, y, betas, folds, unit=True, seen=False):
    """The 0/1 losses (n, n_betas) of cross-validated pruning, with switches for mistakes."""
    losses = np.zeros((len(y), len(betas)))
    for k in np.unique(folds):
        train, test = folds != k, folds == k
        rows = np.ones(len(y), dtype=bool) if seen else train
        model = DecisionTreeClassifier().fit(X[rows], y[rows])
        scale = 1.0 if unit else rows.sum()
        for i, beta in enumerate(betas):
            pruned = prune(model.tree_, beta / scale)
            losses[test, i] = model.classes_[pruned.predict(X[test]).argmax(axis=1)] != y[test]
    return losses


@cache
def curve_case():
    """Data, alphas, uneven folds, and the losses."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2)).round(2)
    y = (X[:, 0] + rng.normal(size=90) > 0).astype(int)
    folds = rng.permutation(np.repeat(np.arange(4), [12, 18, 24, 36]))
    betas = np.array([0.0, 0.006, 0.012, 0.02, 0.04, np.inf])
    return X, y, betas, folds, curve(X, y, betas, folds)


@checker("hw2-7")
def check_cv_curve(cv_curve):
    X, y, betas, folds, losses = curve_case()
    answer = cv_curve(X.copy(), y.copy(), betas.copy(), folds.copy())
    expect(
        isinstance(answer, tuple | list) and len(answer) == 2,
        "return two arrays: the errors and their standard errors.",
    )
    error, se = (np.asarray(a, dtype=float).ravel() for a in answer)
    expect(len(error) == len(se) == len(betas), "one error and one standard error for each alpha.")
    want, spread = losses.mean(axis=0), losses.std(axis=0)
    if not np.allclose(error, want):
        per_fold = [losses[folds == k].mean(axis=0) for k in range(4)]
        expect(
            not np.allclose(error, np.mean(per_fold, axis=0)),
            "the folds differ in size: take the mean of the 90 losses, not of four means.",
        )
        expect(not np.allclose(error, losses.sum(axis=0)), "the mean of the losses, not the sum.")
        expect(
            not np.allclose(error, 1 - want), "that is the proportion of right answers, not errors."
        )
        expect(
            not np.allclose(error, curve(X, y, betas, folds, seen=True).mean(axis=0)),
            "the tree has seen the fold that judges it: grow on the other folds only.",
        )
        expect(
            not np.allclose(error, curve(X, y, betas, folds, unit=False).mean(axis=0)),
            "the risks are relative to the weight of the whole tree: divide impurity times "
            "weight by the weight of the root, or the alphas have another unit.",
        )
        expect(False, f"the errors should be {want.round(3)}, you return {error.round(3)}.")
    n = len(y)
    expect(
        not np.allclose(se, spread, rtol=0.01),
        "that is the standard deviation of a loss; divide it by the square root of n.",
    )
    expect(
        not np.allclose(se, spread / n, rtol=0.01),
        "divide by the square root of n, not by n.",
    )
    means = [losses[folds == k].mean(axis=0) for k in range(4)]
    expect(
        not any(np.allclose(se, np.std(means, axis=0, ddof=d) / 2) for d in (0, 1)),
        "that comes from the four fold means; the book takes the n single losses.",
    )
    expect(
        np.allclose(se, spread / np.sqrt(n), rtol=0.01),
        "the errors are right, the standard errors are not: the standard deviation of the n "
        "losses, divided by the square root of n.",
    )


def leaf(*counts):
    """A leaf of a C4.5 tree as a dictionary."""
    return {"counts": list(counts)}


GOLF = {
    "counts": [9.0, 5.0],
    "feature": "outlook",
    "branches": {
        "sunny": {
            "counts": [2.4, 3.0],
            "feature": "windy",
            "branches": {"true": leaf(1.0, 1.0), "false": leaf(1.4, 2.0)},
        },
        "overcast": leaf(3.2, 0.0),
        "rain": {
            "counts": [3.4, 2.0],
            "feature": "windy",
            "branches": {"true": leaf(0.4, 2.0), "false": leaf(3.0, 0.0), "gusty": leaf(0.0, 0.0)},
        },
    },
}
MORNINGS = [
    {"outlook": "overcast", "windy": "true"},
    {"outlook": "rain", "windy": "true"},
    {"outlook": "rain", "windy": None},
    {"outlook": None, "windy": "true"},
    {"outlook": None, "windy": None},
    {"outlook": "rain", "windy": "gusty"},
]


def flow(tree, row, before=None, deal="weight"):
    """Class shares of a row, by the definition; `deal` as a mistake would."""
    counts = np.array(tree["counts"], dtype=float)
    shares = counts / counts.sum() if counts.sum() > 0 else before
    if "feature" not in tree:
        return shares
    level, branches = row[tree["feature"]], tree["branches"]
    if level is not None:
        return flow(branches[level], row, shares, deal)
    if deal == "stop":
        return shares
    weight = np.array([np.sum(b["counts"]) for b in branches.values()])
    if deal == "equal":
        weight = np.ones(len(weight))
    if deal == "largest":
        weight = np.eye(len(weight))[weight.argmax()]
    parts = [flow(b, row, shares, deal) for b in branches.values()]
    return weight / weight.sum() @ np.array(parts)


@checker("hw2-8", plain=True)
def check_class_shares(class_shares):
    for row in MORNINGS:
        found = np.asarray(class_shares(GOLF, dict(row)), dtype=float)
        want = flow(GOLF, row)
        where = f" ({row})"
        expect(found.shape == (2,), "return one proportion for each class." + where)
        expect(
            not np.isnan(found).any(),
            "not a number: the counts of a leaf that no training row reached add up to 0, and "
            "0 / 0 is nan; such a leaf predicts the proportions of its parent." + where,
        )
        if np.allclose(found, want):
            continue
        expect(
            row["windy"] != "gusty",
            "no training row went down this branch: its leaf predicts as its parent." + where,
        )
        expect(
            np.isclose(found.sum(), 1),
            "proportions add up to 1: divide the counts of a leaf by their sum, and let the parts "
            "of a row add up to 1." + where,
        )
        expect(
            not np.allclose(found, flow(GOLF, row, deal="stop")),
            "you stop at the node whose feature is missing; the row goes on, down every "
            "branch, with a part of its weight." + where,
        )
        expect(
            not np.allclose(found, flow(GOLF, row, deal="equal")),
            "not in equal parts: each branch gets its proportion of the training weight." + where,
        )
        expect(
            not np.allclose(found, flow(GOLF, row, deal="largest")),
            "you follow the largest branch; the row goes down all of them, in parts." + where,
        )
        expect(False, f"the proportions are {want.round(3)}, you return {found.round(3)}." + where)


# --- data analysis ------------------------------------------------------------------------


@cache
def credits():
    """The credits: all columns, the categories, the classes, and which rows are for testing."""
    X, y = fetch_german_credit(return_X_y=True)
    test = np.arange(len(y)) % 4 == 0
    return SimpleNamespace(X=X, y=y, forms=X.select_dtypes("category"), test=test)


@cache
def choice_of(seed, training_only=False):
    """Cross-validated pruning of the credits, folds shuffled by this seed."""
    data, tree = credits(), DecisionTreeClassifier(max_depth=6, min_samples_leaf=20)
    rows = ~data.test if training_only else np.full(len(data.y), True)
    return cross_validated_pruning(tree, data.X[rows], data.y[rows], cv=5, random_state=seed)


def chosen(seed, training_only=False):
    """Leaves of the tree with the least error and of the smallest one within its error."""
    table = choice_of(seed, training_only).table
    best = table[table["chosen"]].iloc[0]
    within = table[table["cv_error"] <= best["cv_error"] + best["se"] + 1e-12]
    return [int(best["n_leaves"]), int(within["n_leaves"].min())]


SEED = 2  # the two rules differ


@checker("hw2-10")
def check_sizes(sizes):
    found = array_of(sizes(SEED), (2,), "two numbers of leaves: lowest error, one standard error")
    right, table = chosen(SEED), choice_of(SEED).table
    if np.array_equal(found, right):
        return
    expect(not np.array_equal(found, right[::-1]), "the tree with the lowest error comes first.")
    expect(
        not np.array_equal(found, chosen(SEED, training_only=True)),
        "these trees have grown on the training rows; here all rows of X and y are asked for.",
    )
    expect(found[0] != found[1], "the two rules choose different trees here.")
    least = table["n_leaves"][table["cv_error"] <= table["cv_error"].min() + 1e-12]
    expect(
        found[0] == right[0] or found[0] not in least.to_numpy(),
        "several trees have the lowest error; the smallest wins: see the column `chosen`.",
    )
    expect(found[0] == right[0], f"the lowest error is that of the tree with {right[0]} leaves.")
    own = table["cv_error"] - table["se"] <= table["cv_error"].min()
    expect(
        found[1] != table["n_leaves"][own].min() or right[1] == table["n_leaves"][own].min(),
        "the line is the lowest error plus the standard error of that error, not each tree's own.",
    )
    expect(
        found[1] >= right[1], "that tree is above the line: its error is larger than the lowest "
        "error plus its standard error.",
    )  # fmt: skip
    expect(False, f"a smaller tree, with {right[1]} leaves, is still within one standard error.")


@cache
def form_reader():
    """C4.5 on the complete forms of the training rows, and the most frequent levels there."""
    data = credits()
    train = ~data.test
    model = C45Classifier().fit(data.forms[train], data.y[train])
    return model, data.forms[train].mode().iloc[0]


def blanked(q):
    """The test forms with a share q of their cells empty."""
    forms = credits().forms[credits().test]
    return forms.mask(np.random.default_rng(0).random(forms.shape) < q)


@cache
def scores(q, mistake=None):
    """Mean squared error of the probability of bad: gaps dealt, gaps filled."""
    data, (model, usual) = credits(), form_reader()
    holes = blanked(q)
    if mistake == "own usual":
        usual = holes.mode().iloc[0]
    k = list(model.classes_).index("good" if mistake == "class" else "bad")
    bad = (data.y[data.test] == "bad").to_numpy()
    result = []
    for forms in (holes, holes.fillna(usual)):
        p = model.predict_proba(forms)[:, k]
        if mistake == "rate":
            p = (p > 0.5).astype(float)
        result.append(float(np.mean(np.abs(p - bad) if mistake == "abs" else (p - bad) ** 2)))
    return result


@checker("hw2-11")
def check_gap_scores(gap_scores):
    for q in (0.5, 0.0):
        found = array_of(gap_scores(q), (2,), "two numbers: rows distributed, values filled in")
        right = scores(q)
        where = f" (q = {q})"
        if np.allclose(found, right, atol=1e-6):
            continue
        expect(
            not np.allclose(found, right[::-1]), "the rows that are distributed come first." + where
        )
        expect(
            not np.allclose(found, scores(q, "rate")),
            "that is the error rate; take the probabilities of bad, not the classes." + where,
        )
        expect(
            not np.allclose(found, scores(q, "class")),
            "that is the probability of good: see model.classes_ for the order." + where,
        )
        expect(not np.allclose(found, scores(q, "abs")), "squared, not absolute." + where)
        expect(not np.allclose(found, np.sqrt(right)), "without the root, please." + where)
        expect(
            not np.allclose(found, scores(q, "own usual")),
            "the most frequent categories are those of the training rows; the test rows are not to "
            "teach anything." + where,
        )
        expect(
            not np.allclose(found, scores(0.0)) or q == 0,
            "these are the scores of complete forms: the missing values do not arrive." + where,
        )
        expect(False, f"the scores are {right[0]:.4f} and {right[1]:.4f}." + where)


def as_dictionary(model, t=0):
    """A C4.5 tree on categories as nested dictionaries."""
    tree = model.tree_
    counts = tree.sums[t].tolist()
    if tree.is_leaf[t]:
        return {"counts": counts}
    node = tree.nodes[t]
    levels = zip(model.categories_[node.test.feature], node.children)
    return {
        "counts": counts,
        "feature": str(model.feature_names_in_[node.test.feature]),
        "branches": {level: as_dictionary(model, c) for level, c in levels},
    }


def form_of(row):
    """A row of a table as a dictionary, None where it has a gap."""
    return {name: None if pd.isna(value) else value for name, value in row.items()}
