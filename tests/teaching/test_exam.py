"""Exam papers: every key is recomputed for many seeds without treelab."""

import ast
import itertools
import re
import subprocess
import sys
from fractions import Fraction
from math import comb, log2
from pathlib import Path

import exam
import numpy as np
import pytest
from places import ROOT
from questions import QUESTIONS
from scipy.optimize import brentq, minimize_scalar

SEEDS = range(5)
close = pytest.approx


def every_seed(name):
    """Run the test for the question of this name and several seeds."""

    def decorate(test):
        def run(seed):
            test(exam.ask(name, seed))

        run.__name__ = test.__name__
        return pytest.mark.parametrize("seed", SEEDS)(run)

    return decorate


def grow(X, y, depth, name=""):
    """The leaf of a row, a name and the share of class 1, by a recursive tree by Gini."""
    y = np.asarray(y)
    cuts = []
    for j in range(X.shape[1]):
        values = np.unique(X[:, j])
        for s in (values[1:] + values[:-1]) / 2:
            left = X[:, j] <= s
            cost = sum(m.sum() * 2 * y[m].mean() * (1 - y[m].mean()) for m in (left, ~left))
            cuts.append((round(cost, 9), j, s))
    whole = len(y) * 2 * y.mean() * (1 - y.mean())
    if depth == 0 or whole == 0 or not cuts:
        return lambda row: (name, y.mean())
    _, j, s = min(cuts)
    low = X[:, j] <= s
    below = grow(X[low], y[low], depth - 1, name + "L")
    above = grow(X[~low], y[~low], depth - 1, name + "R")
    return lambda row: below(row) if row[j] <= s else above(row)


@every_seed("reading")
def test_reading(q):
    leaf = grow(q.given["X"], q.given["y"], 2)
    assert q.answer["shares"] == close([leaf(row)[1] for row in q.given["rows"]])
    near = list(itertools.product((-1, 0, 1), repeat=2))
    moves = [any(leaf(row + step) != leaf(row) for step in near) for row in q.given["rows"]]
    assert q.answer["moves"] == moves
    told = re.findall(r"([abc]) (?:not|with (.*?))[;.] ", q.key.split("(b) ")[1])
    for row, can, (_, change) in zip(q.given["rows"], moves, told, strict=True):
        new = row.copy()
        for j, value in re.findall(r"x_(\d) = (-?\d+)", change):
            new[int(j) - 1] = int(value)
        assert abs(new - row).max() == can
        assert (leaf(new) != leaf(row)) == can
    j, value = re.search(r"\(c\) A row has \$x_(\d) = ([\d.]+)\$", q.text).groups()
    first = re.match(r"\|--- x(\d) <= +([\d.]+)", q.text.split("```\n")[1])
    assert j == first[1]
    assert q.answer["side"] == ("left" if float(value) <= float(first[2]) else "right")


@every_seed("impurity")
def test_impurity(q):
    def bits(p):
        return -sum(x * np.log2(x) for x in p if x > 0)

    measures = {
        "error rate": lambda p: 1 - max(p),
        "Gini": lambda p: 1 - sum(x * x for x in p),
        "entropy": bits,
    }
    for name, measure in measures.items():
        for split, gain in zip((q.given["first"], q.given["second"]), q.answer[name], strict=True):
            n, node = split.sum(), split.sum(axis=0)
            after = sum(side.sum() / n * measure(side / side.sum()) for side in split)
            assert gain == close(measure(node / n) - after, abs=1e-9)


@every_seed("growing")
def test_growing(q):
    x, y = q.given["x"], q.given["y"]
    drops = []
    for i in range(1, 6):
        parts = y[:i], y[i:]
        drops.append(y.var() - sum(len(p) * p.var() for p in parts) / 6)
    assert q.answer["gains"] == close(drops)
    i = int(np.argmax(drops)) + 1
    assert q.answer["threshold"] == (x[i - 1] + x[i]) / 2
    assert q.answer["means"] == close([y[:i].mean(), y[i:].mean()])


@every_seed("pruning")
def test_pruning(q):
    """Every subtree with the same root, by brute force over the sets of inner nodes kept."""
    left, right = q.given["left"], q.given["right"]
    R = q.given["sums"] / len(q.given["y"])

    def subtrees(t):
        """(risk, number of leaves) of every pruned version of the branch at t."""
        found = [(R[t], 1)]
        if left[t] >= 0:
            pairs = itertools.product(subtrees(left[t]), subtrees(right[t]))
            found += [(a + b, m + n) for (a, m), (b, n) in pairs]
        return found

    def best(alpha):
        return min(subtrees(0), key=lambda tree: (round(tree[0] + alpha * tree[1], 9), tree[1]))

    for t, g in q.answer["g"].items():
        below = subtree_leaves(left, right, t)
        assert g == close((R[t] - R[below].sum()) / (len(below) - 1))
    sizes = [best(alpha + 1e-7)[1] for alpha in q.answer["alphas"]]
    assert sizes == q.answer["leaves"]
    assert [best(alpha - 1e-7)[1] for alpha in q.answer["alphas"][1:]] == sizes[:-1]
    assert best(q.given["alpha"])[1] == q.answer["kept"]


def test_pruning_is_asked_in_all_its_forms():
    """Nodes that take another along, in about half; and any number of leaves is left at last."""
    asked = [QUESTIONS["pruning"](np.random.default_rng(seed)).answer for seed in range(40)]
    assert {tuple(answer["leaves"]) for answer in asked} >= {(4, 3, 2, 1), (4, 2, 1), (4, 3, 1)}
    assert {answer["kept"] for answer in asked} == {1, 2, 3, 4}


def subtree_leaves(left, right, t):
    return [t] if left[t] < 0 else [
        leaf for child in (left[t], right[t]) for leaf in subtree_leaves(left, right, child)
    ]  # fmt: skip


@every_seed("cross-validation")
def test_cross_validation(q):
    """With fractions; the rule of one standard error from its words."""
    fold, x, y = (list(map(int, q.given[name])) for name in ("fold", "x", "y"))
    rows = range(6)
    losses = {"one leaf": [], "two leaves": []}
    for i in rows:
        rest = [r for r in rows if fold[r] != fold[i]]
        for name, of in (("one leaf", rest), ("two leaves", [r for r in rest if x[r] == x[i]])):
            losses[name].append((y[i] - Fraction(sum(y[r] for r in of), len(of))) ** 2)
    errors = {name: sum(each) / 6 for name, each in losses.items()}
    for name, error in errors.items():
        assert q.answer[name] == close(float(error))
    least = min(errors, key=errors.get)
    assert q.answer["least"] == least
    square = sum((loss - errors[least]) ** 2 for loss in losses[least]) / 6 / 6
    assert q.answer["se"] ** 2 == close(float(square))
    within = float(errors["one leaf"] - errors[least]) <= q.answer["se"]
    assert q.answer["simple"] == ("one leaf" if within else "two leaves")


@every_seed("gain-ratio")
def test_gain_ratio(q):
    def bits(labels):
        shares = [labels.count(x) / len(labels) for x in set(labels)]
        return -sum(p * np.log2(p) for p in shares)

    y = list(q.given["y"])
    for name, column in q.given["X"].items():
        x = list(column)
        branches = [[t for v, t in zip(x, y) if v == level] for level in set(x)]
        gain = bits(y) - sum(len(b) / len(y) * bits(b) for b in branches)
        assert q.answer[name] == close([gain, bits(x), gain / bits(x)])


@every_seed("gaps")
def test_gaps(q):
    def bits(counts):
        return -sum(c / sum(counts) * np.log2(c / sum(counts)) for c in counts if c)

    days = list(zip(q.given["sky"], q.given["y"], strict=True))
    sun, rain, unknown = ([y for sky, y in days if sky == s] for s in ("sun", "rain", "?"))
    known = len(sun) + len(rain)

    def labels(part):
        return [part.count(y) for y in ("go", "stay")]

    after = sum(len(part) * bits(labels(part)) for part in (sun, rain)) / known
    inside = bits(labels(sun + rain)) - after
    split_information = bits([len(sun), len(rain), len(unknown)])
    assert q.answer["known"] == close(inside)
    assert q.answer["gain"] == close(inside * known / 10)
    assert q.answer["split_information"] == close(split_information)
    assert q.answer["gain_ratio"] == close(inside * known / 10 / split_information)
    assert q.answer["share"] == close(len(sun) / known)
    assert q.answer["weight"] == close(len(sun) + len(unknown) * len(sun) / known)


@every_seed("error-limit")
def test_error_limit(q):
    """Wilson's upper limit as the root of its equation, z from C4.5's table; 0.1 is its slack."""
    z = 0.84 + (0.25 - 0.84) * (0.25 - 0.20) / (0.40 - 0.20)

    def limit(N, E):
        if E == 0:
            return 1 - 0.25 ** (1 / N)
        f = (E + 0.5) / N
        return brentq(lambda u: u - f - z * np.sqrt(u * (1 - u) / N), f, 1)

    sizes, errors = q.given["sizes"], q.given["errors"]
    assert q.answer["first"] == close(limit(sizes[0], 0), abs=1e-6)
    leaves = sum(N * limit(N, E) for N, E in zip(sizes, errors, strict=True))
    N, E = q.given["whole"]
    assert N == sum(sizes)
    assert f"| {N} | {E} |" in q.text
    assert q.answer["leaves"] == close(leaves, abs=1e-4)
    assert q.answer["leaf"] == close(N * limit(N, E), abs=1e-4)
    assert q.answer["pruned"] == ("yes" if N * limit(N, E) <= leaves + 0.1 else "no")


@every_seed("bias-variance")
def test_bias_and_variance(q):
    said = [Fraction(int(s)) for s in q.given["said"]]
    mean = sum(said) / 5
    assert q.answer["bias2"] == close(float((mean - q.given["truth"]) ** 2))
    assert q.answer["variance"] == close(float(sum((s - mean) ** 2 for s in said) / 5))


@every_seed("bootstrap")
def test_bootstrap(q):
    """The expected number of different cases from the numbers of surjections."""
    n = q.given["n"]
    ways = [Fraction(0)] * (n + 1)
    ways[0] = Fraction(1)
    for _ in range(n):  # draw after draw: k different so far
        ways = [
            ways[k] * Fraction(k, n) + (ways[k - 1] * Fraction(n - k + 1, n) if k else 0)
            for k in range(n + 1)
        ]
    assert q.answer["expected"] == close(float(sum(k * w for k, w in enumerate(ways))))
    assert q.answer["missing"] == close(1 - q.answer["expected"] / n)
    assert q.answer["out"] == n - len(set(q.given["sample"]))
    mixed = (368 * q.given["training"] + 632 * q.given["unseen"]) / 1000
    assert q.answer["estimate"] == close(mixed)


@every_seed("out-of-bag")
def test_out_of_bag(q):
    wrong, covered = 0, 0
    for said, seen, true in zip(q.given["said"].T, q.given["seen"].T, q.given["y"], strict=True):
        votes = [vote for vote, inside in zip(said, seen, strict=True) if not inside]
        if votes:
            assert votes.count(0) != votes.count(1)
            covered += 1
            wrong += max(set(votes), key=votes.count) != true
    assert q.answer["error"] == close(wrong / covered)
    assert q.answer["coverage"] == close(covered / 6)
    votes = [max((0, 1), key=list(column).count) for column in q.given["said"].T]
    assert q.answer["all"] == close(np.mean(votes != q.given["y"]))


@every_seed("forest")
def test_forest(q):
    g = q.given
    B = g["B"]
    covariance = g["sigma2"] * (g["rho"] * np.ones((B, B)) + (1 - g["rho"]) * np.eye(B))
    assert q.answer["variance"] == close(covariance.mean())
    assert q.answer["floor"] == close(g["sigma2"] * g["rho"])
    draws = [set(c) for c in itertools.combinations(range(min(g["p"], 12)), g["m"])]
    if g["p"] <= 12:
        hit = np.mean([bool(d & set(range(g["relevant"]))) for d in draws])
        assert q.answer["chance"] == close(hit)
    miss = np.prod([1 - g["relevant"] / (g["p"] - k) for k in range(g["m"])])
    assert q.answer["chance"] == close(1 - miss)


@every_seed("adaboost")
def test_adaboost(q):
    w = np.full(8, 1 / 8)
    for said, error, alpha in zip(q.given["said"], *(q.answer[k] for k in ("errors", "alphas"))):
        wrong = said != q.given["y"]
        assert error == close(w[wrong].sum())
        # Whatever the weights, alpha minimizes the exponential loss of this member.
        loss = minimize_scalar(
            lambda a, wrong=wrong, w=w: w @ np.exp(np.where(wrong, a, -a)),
            bracket=(0, 1),
            tol=1e-12,
        )
        assert alpha == close(loss.x, abs=1e-6)
        before, w = w, w * np.exp(np.where(wrong, alpha, -alpha))
        w /= w.sum()
    assert q.answer["weights"] == close(before)


@every_seed("gradient-boosting")
def test_gradient_boosting(q):
    y = q.given["y"]
    for name, center in (("squared", np.mean), ("absolute", np.median)):
        told = q.answer[name]
        r = y - center(y)
        assert told["start"] == close(center(y))
        assert told["residuals"] == close(r if name == "squared" else np.sign(r))
        costs = [
            sum(len(p) * p.var() for p in np.split(told["residuals"], [i])) for i in range(1, 6)
        ]
        i = int(np.argmin(costs)) + 1
        assert told["threshold"] == i + 0.5
        step = [center(part) for part in np.split(r, [i])]
        assert told["after"] == close(center(y) + 0.5 * np.repeat(step, [i, 6 - i]))


@every_seed("importance")
def test_importance(q):
    counts, left, right = (q.given[k] for k in ("counts", "left", "right"))
    n = counts.sum(axis=1)
    R = n / 12 * (1 - ((counts / n[:, None]) ** 2).sum(axis=1))
    total = np.zeros(3)
    drops = []
    for t in np.flatnonzero(left >= 0):
        assert (counts[t] == counts[left[t]] + counts[right[t]]).all()
        drops.append(R[t] - R[left[t]] - R[right[t]])
        total[q.given["feature"][t]] += drops[-1]
    assert q.answer["drops"] == close(drops)
    assert q.answer["shares"] == close(total / total.sum())


@every_seed("shapley")
def test_shapley(q):
    """The mean of what a feature adds over both orders."""
    y = q.given["y"].reshape(2, 2)
    known = {(): y.mean(), (0,): y[1].mean(), (1,): y[:, 1].mean(), (0, 1): y[1, 1]}
    added = np.zeros(2)
    for order in itertools.permutations(range(2)):
        for k in range(2):
            before, after = (tuple(sorted(order[:m])) for m in (k, k + 1))
            added[order[k]] += (known[after] - known[before]) / 2
    assert q.answer["values"] == close(added)
    assert q.answer["base"] == close(y.mean())


@every_seed("merit-of-sets")
def test_merit_of_sets(q):
    """The sums of the definition, and the two passes."""
    r, (ab, ac, bc) = q.given["relevance"], q.given["between"]
    merits = [
        r[0],
        (r[0] + r[1]) / (2 + 2 * ab) ** 0.5,
        (r[0] + r[2]) / (2 + 2 * ac) ** 0.5,
        sum(r) / (3 + 2 * (ab + ac + bc)) ** 0.5,
    ]
    names = ["a", "a, b", "a, c", "a, b, c"]
    assert q.answer["merits"] == close(merits)
    assert q.answer["best"] == names[merits.index(max(merits))]
    b_stays = ab < r[1]
    c_stays = ac < r[2] and not (b_stays and bc >= r[2])
    assert q.answer["kept"] == names[b_stays + 2 * c_stays]
    assert q.answer["copied"] == close((2 * r[0] + r[1]) / (5 + 4 * ab) ** 0.5)


def test_the_merit_does_not_always_agree_with_the_filter():
    asked = [QUESTIONS["merit-of-sets"](np.random.default_rng(seed)).answer for seed in range(20)]
    assert 5 <= sum(answer["best"] == answer["kept"] for answer in asked) <= 15


def test_the_round_of_boosting_cuts_here_and_there():
    asked = [
        QUESTIONS["gradient-boosting"](np.random.default_rng(seed)).answer for seed in range(12)
    ]
    assert len({answer["squared"]["threshold"] for answer in asked}) >= 3
    assert len({answer["absolute"]["threshold"] for answer in asked}) == 3


@every_seed("no-worse")
def test_no_worse(q):
    """By counts of wrong rows, with fractions."""
    sizes, wrong, n = q.given["sizes"].tolist(), q.given["wrong"].tolist(), q.given["n"]
    least = Fraction(min(wrong), n)
    variance = least * (1 - least) / n
    assert q.answer["se"] == close(float(variance) ** 0.5)
    assert q.answer["limit"] == close(float(least) + float(variance) ** 0.5)
    pairs = list(zip(sizes, wrong))
    will_do = [k for k, w in pairs if (Fraction(w, n) - least) ** 2 <= variance]
    assert q.answer["kept"] == min(will_do)

    def by_path(pairs):
        counts = [w for _, w in pairs]
        mean = Fraction(sum(counts), len(counts))
        spread = sum((w - mean) ** 2 for w in counts) / len(counts)
        return spread, min(k for k, w in pairs if 4 * (w - min(counts)) ** 2 <= spread)

    spread, kept = by_path(pairs)
    assert q.answer["sd"] == close(float(spread) ** 0.5 / n)
    assert q.answer["by_path"] == [kept, by_path(pairs[:5])[1]]


@every_seed("hits")
def test_hits(q):
    """By all sequences of heads and tails, counted."""
    d, r = q.given["d"], q.given["runs"]
    heads = [bin(i).count("1") for i in range(2**r)]
    upper = [Fraction(sum(h >= k for h in heads), 2**r) for k in q.given["hits"]]
    lower = [Fraction(sum(h <= k for h in heads), 2**r) for k in q.given["hits"]]
    assert (q.answer["p_confirm"], q.answer["p_reject"]) == close((upper[1], lower[2]))
    level = Fraction(5, 100 * d)
    states = [
        "confirmed" if a <= level else "rejected" if b <= level else "tentative"
        for a, b in zip(upper, lower)
    ]
    assert q.answer["states"] == states
    fewest = q.answer["fewest"]
    assert Fraction(1, 2**fewest) <= level < Fraction(1, 2 ** (fewest - 1))
    for count in q.given["hits"]:  # with its hits first, no run before the last one rejects it
        for run in range(1, r):
            fewer = sum(comb(run, h) for h in range(min(run, count) + 1))
            assert Fraction(fewer, 2**run) > level
    assert {"confirmed", "rejected"} & set(q.answer["states"])


def gain_of(sides):
    """Information gain by its definition, in bits."""

    def bits(part):
        return sum(-k / sum(part) * log2(k / sum(part)) for k in part if k)

    whole = [sum(column) for column in zip(*sides)]
    return bits(whole) - sum(sum(part) / sum(whole) * bits(part) for part in sides)


@every_seed("reluctant-node")
def test_reluctant_node(q):
    gains = [gain_of(sides) for sides in q.given["counts"].tolist()]
    assert q.answer["gains"] == close(gains)
    worth = [gains[0], *(q.given["penalty"] * gain for gain in gains[1:])]
    assert q.answer["worth"] == close(worth)
    assert q.answer["asks"] == "abc"[worth.index(max(worth))]
    limit = q.answer["limit"]

    def asks(penalty):
        return gains[0] >= penalty * max(gains[1:])

    assert asks(limit - 1e-9)
    assert not asks(limit + 1e-9)
    assert 0 < limit < 1
    assert len({*map(tuple, q.given["counts"].sum(axis=1).tolist())}) == 1  # the same cases


@every_seed("reluctant-guided")
def test_reluctant_guided(q):
    base, gamma = Fraction(str(q.given["base"])), Fraction(str(q.given["gamma"]))
    gains = [Fraction(str(gain)) for gain in q.given["gains"]]
    importances = [Fraction(str(share)) for share in q.given["importances"]]
    assert sum(importances) == 1

    def worth(gamma):
        penalties = [
            (1 - gamma) * base + gamma * share / max(importances) for share in importances[1:]
        ]
        return penalties, [gains[0], *(p * g for p, g in zip(penalties, gains[1:]))]

    penalties, now = worth(gamma)
    assert q.answer["penalties"] == close([float(p) for p in penalties])
    assert q.answer["asks"] == "abcd"[now.index(max(now))]
    plain = worth(Fraction(0))[1]
    assert q.answer["unguided"] == "abcd"[plain.index(max(plain))]
    best = "abcd".index(q.answer["unguided"])
    assert gains[best] == max(gains[1:])
    at_the_tie = worth(Fraction(float(q.answer["even"])))[1]
    assert float(at_the_tie[best]) == close(float(gains[0]))
    assert f"does {'abcd'[best]} count just as much" in q.text


@every_seed("local-ranks")
def test_local_ranks(q):
    rows = [[Fraction(str(v)) for v in row] for row in q.given["importances"].tolist()]
    sizes = q.given["sizes"].tolist()
    assert all(sum(row) == 1 and len(set(row)) == 4 for row in rows)
    average = [sum(n * v for n, v in zip(sizes, x)) / sum(sizes) for x in zip(*rows)]
    assert q.answer["average"] == close([float(v) for v in average])
    assert len(set(average)) == 4
    assert q.answer["by_average"] == "abcd"[average.index(max(average))]
    worst = [max(1 + sum(v > row[j] for v in row) for row in rows) for j in range(4)]
    assert q.answer["worst"].tolist() == worst
    early = [j for j in range(4) if worst[j] == min(worst)]
    assert q.answer["by_intersection"] == "abcd"[max(early, key=lambda j: average[j])]


@every_seed("local-null")
def test_local_null(q):
    lafi = []
    for j in range(3):
        shares = [
            Fraction(sum(bool(c[j]) for c in level), len(level)) for level in q.given["chosen"]
        ]
        lafi.append(sum(shares) / 3)
    assert [len(level) for level in q.given["chosen"]] == [1, 2, 4]
    assert q.answer["lafi"] == close([float(v) for v in lafi])
    threshold = Fraction(str(q.given["threshold"]))
    assert q.answer["kept"].tolist() == [v > threshold for v in lafi]
    null = [(Fraction(int(k), 12), int(n)) for k, n in zip(q.given["twelfths"], q.given["times"])]
    assert q.answer["above"] == sum(n for v, n in null if v > threshold)
    m, asked = sum(n for _, n in null), q.given["asked"]
    as_large = sum(n for v, n in null if v >= lafi[asked])
    assert q.answer["p"] == close((1 + as_large) / (1 + m))
    assert f"text{{max}}$ of {'abc'[asked]}" in q.text
    assert f"shuffled {m} times" in q.text


@every_seed("bicycles-order")
def test_bicycles_order(q):
    """All orders are tried, night by night, with whole numbers."""
    demands, under, over = q.given["demands"].tolist(), q.given["under"], q.given["over"]
    assert len(set(demands)) == len(demands)

    def cost(order):
        return sum(under * max(0, d - order) + over * max(0, order - d) for d in demands)

    costs = {order: cost(order) for order in range(max(demands) + 2)}
    assert [o for o, c in costs.items() if c == min(costs.values())] == [q.answer["order"]]
    assert q.answer["share"] == close(float(Fraction(under, under + over)))
    median = sorted(demands)[len(demands) // 2]
    found = [costs[o] / len(demands) for o in (q.answer["order"], median)]
    assert q.answer["costs"] == close(found)
    assert f"the median {median}" in q.key
    wanted = Fraction(q.given["percent"], 100)
    # Of n + 1 nights each is the next one equally often: how often do the others cover it?
    covers = [
        d for d in sorted(demands)
        if Fraction(sum(e <= d for e in demands), len(demands) + 1) >= wanted
    ]  # fmt: skip
    assert q.answer["enough"] == covers[0]


@every_seed("wind-power")
def test_wind_power(q):
    """With fractions, by the four pieces of the curve."""
    a, b, c = map(Fraction, q.given["curve"])

    def power(v):
        if v < a or v > c:
            return Fraction(0)
        return Fraction(1) if v >= b else (v**3 - a**3) / (b**3 - a**3)

    slow, fast = map(Fraction, q.given["speeds"])
    off, mean, spread = (Fraction(q.given[name]) for name in ("off", "mean", "spread"))
    assert q.answer["powers"] == close([float(power(v)) for v in (slow, fast)])
    wrong = [float(power(v + off) - power(v)) for v in (slow, fast)]
    assert q.answer["wrong"] == close(wrong)
    assert fast < b < fast + off
    both = (power(mean - spread) + power(mean + spread)) / 2
    assert q.answer["mean"] == close(float(both))
    assert q.answer["of_mean"] == close(float(power(mean)))
    assert q.answer["says"] == ("too high" if power(mean) > both else "too low")


def test_every_question_is_recomputed():
    """Each question has its test above."""
    calls = [
        decorator.args[0].value
        for node in ast.parse(Path(__file__).read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "every_seed"
    ]
    assert calls == list(QUESTIONS)


@pytest.mark.parametrize("name", QUESTIONS)
def test_seeds_vary_and_repeat(name):
    first, again, other = (exam.ask(name, seed) for seed in (1, 1, 2))
    assert (first.text, first.key) == (again.text, again.key)
    assert first.text != other.text
    assert first.key != other.key


def test_the_page_of_the_book_has_every_question_once_with_its_key(tmp_path, monkeypatch):
    monkeypatch.setattr(exam, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(sys, "argv", ["exam.py", "--page"])
    exam.main()
    page = exam.PAGE.read_text(encoding="utf-8")
    for name in QUESTIONS:
        question = exam.ask(name, 0)
        assert page.count(f"## {question.title}\n\n`{name}`, {question.minutes} minutes") == 1
        assert question.text in page
        assert question.key.rstrip() in page


def test_a_paper_from_the_command_line(tmp_path):
    command = [sys.executable, exam.__file__, "--seed", "7", "--out", str(tmp_path)]
    subprocess.run([*command, "--questions", "shapley", "forest"], cwd=ROOT, check=True)
    text, key = ((tmp_path / f"exam_7{end}.md").read_text(encoding="utf-8") for end in ("", "_key"))
    for k, name in enumerate(("shapley", "forest"), 1):
        question = exam.ask(name, 7)
        assert f"## {k}. {question.title} ({question.minutes} points)" in text
        assert question.text in text
        assert question.key in key
        assert question.key not in text
