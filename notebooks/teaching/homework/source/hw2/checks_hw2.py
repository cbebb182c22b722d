"""Checkers of the assignment "When to stop: pruning and gain ratio"."""

from functools import cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from treelab import C45Classifier, DecisionTreeClassifier
from treelab.checkers import checker, expect
from treelab.datasets import fetch_german_credit
from treelab.impurity import entropy, information_gain
from treelab.pruning import cross_validated_pruning, prune

# The tree of the help desk: children (-1: leaf) and the tickets that go to the wrong desk.
LEFT = np.array([1, 2, -1, 4, -1, -1, 7, -1, -1])
RIGHT = np.array([6, 3, -1, 5, -1, -1, 8, -1, -1])
RISK = np.array([26.0, 12, 2, 7, 1, 3, 8, 1, 3])

# Its cross-validation, 100 tickets.
SIZES = np.array([9, 6, 4, 3, 2, 1])
ERRORS = np.array([0.24, 0.20, 0.21, 0.23, 0.25, 0.40])

# Ten tickets: (urgent, not urgent) by mail, by phone, in the chat, and without a channel.
CHANNELS = np.array([[1.0, 3.0], [2.0, 0.0], [1.0, 1.0]])
UNKNOWN = np.array([2.0, 0.0])


def array_of(answer, shape, what):
    """The answer as an array of this shape; a hint that says `what` is asked for if it is not."""
    try:
        found = np.array(answer() if callable(answer) else answer, dtype=float)
    except (TypeError, ValueError):
        found = np.array([])
    good = found.ndim == len(shape) and all(s in (None, k) for s, k in zip(shape, found.shape))
    expect(good and np.all(np.isfinite(found)), f"the answer is {what}.")
    return found


def close(found, right):
    """Equal to three decimals, so that rounded numbers count."""
    return np.shape(found) == np.shape(right) and np.allclose(found, right, rtol=0, atol=1e-3)


def rounded(found, right):
    """Right, but only to two decimals."""
    return not close(found, right) and np.allclose(found, right, rtol=0, atol=5.1e-3)


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
    """{t: alpha at which t is no longer an inner node}, by the definition; and the steps."""
    left, right, R = (np.asarray(a).tolist() for a in (left, right, R))
    R = np.array(R, dtype=float)
    inner = {t for t, child in enumerate(left) if child >= 0}
    alphas, steps = {}, [(0.0, len(inner) + 1)]
    while inner:
        g = weakness(left, right, R, inner, divisor)
        alpha = max(min(g.values()), 0.0)
        weak = [t for t in inner if g[t] <= alpha * (1 + 1e-9) + 1e-12]
        gone = set().union(*(below(left, right, t) for t in weak)) & inner
        inner = inner - gone
        alphas.update(dict.fromkeys(gone, alpha))
        steps.append((alpha, len(inner) + 1))
    return alphas, steps


# --- by hand ------------------------------------------------------------------------------


@checker("hw2-1")
def check_steps(answer):
    what = "a list of pairs (alpha, leaves), the first of them (0, 5)"
    found = array_of(answer, (None, 2), what)
    alphas, leaves = found.T
    right = falls(LEFT, RIGHT, RISK)[1]
    if close(found, right):
        return
    expect(leaves[0] == 5 and alphas[0] == 0, "the first step is the grown tree: (0, 5).")
    expect(np.all(np.diff(leaves) < 0) and leaves[-1] == 1, "the list ends with the root alone.")
    expect(np.all(np.diff(alphas) >= 0), "the alphas rise from step to step.")
    expect(
        not np.any((alphas == 3) & (leaves == 4)),
        "at alpha 3 two links are equally weak, and both fall in the same step.",
    )
    expect(
        not close(alphas[1], 6) and not close(alphas[1], 6.5),
        "the leaves have risks of their own: g(t) counts R(t) less the risks of the leaves below.",
    )
    expect(
        not close(alphas[1], 1.5),
        "divide by the leaves that are saved, one less than the subtree has.",
    )
    expect(close(alphas[1], 3), "the first alpha is the smallest g of the grown tree.")
    expect(
        not close(alphas[-1], 4),
        "work g out again after each step: with node 1 a leaf, the root saves other leaves for "
        "another rise.",
    )
    expect(False, f"right up to alpha 3, then wrong: {found[2:].tolist()}.")


@checker("hw2-2")
def check_one_se(answer):
    line, size = array_of(answer, (2,), "a pair: the line, and the leaves that are chosen")
    best = ERRORS.argmin()
    se = np.sqrt(ERRORS * (1 - ERRORS) / 100)
    expect(
        not np.isclose(line, ERRORS[best] + se[best] ** 2, atol=1e-4),
        "the standard error is a square root: the standard deviation divided by that of n.",
    )
    expect(
        not np.isclose(line, ERRORS[best] + se[best] * 10, atol=1e-3),
        "you took the standard deviation of one loss; divide it by the square root of 100.",
    )
    expect(not close(line, se[best]), "the line is the least error plus its standard error.")
    expect(close(line, ERRORS[best] + se[best]), "the line is wrong: 0.20 and its standard error.")
    expect(size != SIZES[best], "that tree has the least error; the rule takes a smaller one.")
    expect(
        size != SIZES[ERRORS - se <= line].min(),
        "only the standard error of the least error counts, not that of the smaller tree.",
    )
    expect(size != 9, "of the trees up to the line the smallest is taken, not the largest.")
    expect(
        size == SIZES[ERRORS <= ERRORS[best] + se[best] + 1e-12].min(),
        "which trees are on or below the line? The smallest of them.",
    )


@checker("hw2-3")
def check_ratio(answer):
    found = array_of(answer, (3,), "three numbers: gain, split information, gain ratio")
    known, W = CHANNELS.sum(), CHANNELS.sum() + UNKNOWN.sum()
    plain, sizes = information_gain(CHANNELS), CHANNELS.sum(axis=1)
    gain, cost = known / W * plain, entropy([*sizes, UNKNOWN.sum()])
    expect(
        not close(found[0], plain),
        "the question says nothing about two of the ten tickets: count 8/10 of the gain.",
    )
    as_level = information_gain([*CHANNELS, UNKNOWN])
    expect(
        not close(found[0], as_level),
        "an unknown channel is no fourth channel in the gain: leave its tickets out of the "
        "entropies.",
    )
    expect(not close(found[0], gain * np.log(2)), "in bits, please: logarithms to the base 2.")
    for part, (name, want) in enumerate({"gain": gain, "split information": cost}.items()):
        expect(
            not rounded(found[part], want),
            f"the {name} is right to two decimals; give three, the ratio needs them.",
        )
    expect(close(found[0], gain), "the gain is wrong: 8/10 of the gain of the eight known tickets.")
    expect(
        not close(found[1], entropy(sizes)),
        "the tickets without a channel count as a branch more in the split information.",
    )
    expect(close(found[1], cost), "the gain is right; the split information is the entropy of the "
           "four sizes.")  # fmt: skip
    expect(not close(found[2], cost / gain), "upside down: gain per bit of split information.")
    expect(close(found[2], gain / cost), "the ratio is the gain divided by the split information.")


@checker("hw2-4")
def check_dealt(answer):
    found = array_of(answer, (3, 2), "three pairs (urgent, not urgent): mail, phone, chat")
    share = CHANNELS.sum(axis=1, keepdims=True) / CHANNELS.sum()
    right = CHANNELS + share * UNKNOWN
    expect(not close(found, CHANNELS), "the two tickets without a channel are missing.")
    expect(
        not close(found, CHANNELS + UNKNOWN / 3),
        "not in equal parts: each branch gets its share of the known tickets.",
    )
    expect(
        not close(found, CHANNELS + np.array([[1, 0, 0]]).T * UNKNOWN),
        "they do not go to the largest branch alone; a part of each goes down every branch.",
    )
    expect(
        not close(found, CHANNELS + UNKNOWN),
        "whole tickets in every branch make 14 of 10; their parts add up to 1.",
    )
    by_class = CHANNELS / CHANNELS.sum(axis=0) * UNKNOWN + CHANNELS
    expect(
        not close(found, by_class),
        "you dealt by the shares within each class; a ticket is dealt by the sizes of the "
        "branches, whatever its class.",
    )
    expect(not close(found[:, ::-1], right), "urgent comes first, then not urgent.")
    expect(close(found, right), "each unknown ticket goes down with 4/8, 2/8 and 2/8.")


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


@checker("hw2-5")
def check_fall_alphas(fall_alphas):
    for left, right, R in links():
        found = fall_alphas(left.copy(), right.copy(), R.copy())
        expect(isinstance(found, dict), "return a dictionary {node: alpha}.")
        want, n = falls(left, right, R)[0], len(left)
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
            through = falls(left, right, R, divisor)[0]
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
    alphas = falls(tree.children_left, tree.children_right, R)[0]
    return tree, alphas, rng.normal(size=(40, 3))


def on_threshold(tree, X):
    """The rows with values moved onto thresholds of the tree."""
    X = X.copy()
    for i, t in enumerate(np.flatnonzero(~tree.is_leaf)[: len(X)]):
        X[i, tree.feature[t]] = tree.threshold[t]
    return X


@checker("hw2-6")
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
                "at this alpha the root alone is left, and says the same to all." + where,
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
        expect(not np.allclose(error, 1 - want), "that is the share of right answers, not errors.")
        expect(
            not np.allclose(error, curve(X, y, betas, folds, seen=True).mean(axis=0)),
            "the tree has seen the fold that judges it: grow on the other folds only.",
        )
        expect(
            not np.allclose(error, curve(X, y, betas, folds, unit=False).mean(axis=0)),
            "the risks are shares of the weight of the whole tree: divide impurity times "
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


@checker("hw2-8")
def check_class_shares(class_shares):
    for row in MORNINGS:
        found = np.asarray(class_shares(GOLF, dict(row)), dtype=float)
        want = flow(GOLF, row)
        where = f" ({row})"
        expect(found.shape == (2,), "return one share for each class." + where)
        expect(
            not np.isnan(found).any(),
            "not a number: the counts of a leaf that no training row reached add up to 0, and "
            "0 / 0 is nan; such a leaf gives the shares of its parent." + where,
        )
        if np.allclose(found, want):
            continue
        expect(
            row["windy"] != "gusty",
            "no training row went down this branch: its leaf gives the shares of its parent."
            + where,
        )
        expect(
            np.isclose(found.sum(), 1),
            "the shares add up to 1: divide the counts of a leaf by their sum, and let the parts "
            "of a row add up to 1." + where,
        )
        expect(
            not np.allclose(found, flow(GOLF, row, deal="stop")),
            "you stop at the node whose question has no answer; the row goes on, down every "
            "branch, with a part of its weight." + where,
        )
        expect(
            not np.allclose(found, flow(GOLF, row, deal="equal")),
            "not in equal parts: each branch gets the share that it has of the training weight."
            + where,
        )
        expect(
            not np.allclose(found, flow(GOLF, row, deal="largest")),
            "you follow the largest branch; the row goes down all of them, in parts." + where,
        )
        expect(False, f"the shares are {want.round(3)}, you return {found.round(3)}." + where)


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


@checker("hw2-9")
def check_sizes(sizes):
    found = array_of(sizes(SEED), (2,), "two numbers of leaves: least error, one standard error")
    right, table = chosen(SEED), choice_of(SEED).table
    if np.array_equal(found, right):
        return
    expect(not np.array_equal(found, right[::-1]), "the tree with the least error comes first.")
    expect(
        not np.array_equal(found, chosen(SEED, training_only=True)),
        "these trees have grown on the training rows; here all rows of X and y are asked for.",
    )
    expect(found[0] != found[1], "the two rules choose different trees here.")
    least = table["n_leaves"][table["cv_error"] <= table["cv_error"].min() + 1e-12]
    expect(
        found[0] == right[0] or found[0] not in least.to_numpy(),
        "several trees have the least error; the smallest wins: see the column `chosen`.",
    )
    expect(found[0] == right[0], f"the least error is that of the tree with {right[0]} leaves.")
    own = table["cv_error"] - table["se"] <= table["cv_error"].min()
    expect(
        found[1] != table["n_leaves"][own].min() or right[1] == table["n_leaves"][own].min(),
        "the line is the least error plus the standard error of that error, not each tree's own.",
    )
    expect(
        found[1] >= right[1], "that tree is above the line: its error is larger than the least "
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


@checker("hw2-10")
def check_gap_scores(gap_scores):
    for q in (0.5, 0.0):
        found = array_of(gap_scores(q), (2,), "two numbers: gaps left to the tree, gaps filled")
        right = scores(q)
        where = f" (q = {q})"
        if np.allclose(found, right, atol=1e-6):
            continue
        expect(not np.allclose(found, right[::-1]), "the gaps left to the tree come first." + where)
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
            "the most frequent levels are those of the training rows; the test rows are not to "
            "teach anything." + where,
        )
        expect(
            not np.allclose(found, scores(0.0)) or q == 0,
            "these are the scores of complete forms: the gaps do not arrive." + where,
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
