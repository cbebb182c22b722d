"""Exam papers: each key is recomputed without treelab, and each question is valid, for many seeds.

A test recomputes the key twice. With ``r`` as `exactly` nothing is rounded on the way; with
`by_threes` every step keeps three decimals, which a paper allows: then the same choices come out,
and all numbers within the allowance that stands in the head of the paper. Further assertions say
that the answer is unique, by a margin, and that each seed shows what the question is there to show.
"""

import ast
import functools
import itertools
import re
import sys
from fractions import Fraction
from math import comb, log2
from pathlib import Path

import exam
import numpy as np
import pytest
import questions
import sklearn.metrics
from cases import each
from questions import QUESTIONS
from scipy.optimize import brentq

pytestmark = pytest.mark.timeout(3000)  # a busy machine is slow

SEEDS = range(300)
FIRST = 25  # in `make test`; all of them in `make test-all`
ask = functools.cache(exam.ask)


def exactly(number):
    """A step on the way that is not rounded."""
    return number


def by_threes(number):
    """A step on the way that is rounded to three decimals."""
    return np.round(np.asarray(number, dtype=float), 3)[()]


def allowed(number, **_):
    """Equal as far as the head of a paper says: within 0.005, or 1 percent where that is more."""
    return pytest.approx(number, abs=0.005, rel=0.01)


def every_seed(name):
    """Run the test for the question of this name and all seeds, unrounded and rounded."""
    parts = [SEEDS[:FIRST], pytest.param(SEEDS[FIRST:], marks=pytest.mark.whole)]

    def decorate(test):
        @pytest.mark.parametrize("seeds", parts, ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}")
        def run(seeds):
            wrong = {}
            for seed in seeds:
                question = ask(name, seed)
                for r, close in ((exactly, pytest.approx), (by_threes, allowed)):
                    try:
                        test(question, r, close)
                    except AssertionError as error:
                        wrong.setdefault(seed, (r.__name__, question.text, error))
            first = next(iter(wrong.items()), None)
            assert not wrong, f"{len(wrong)} of {len(seeds)} seeds; the first: {first}"

        run.__name__ = test.__name__
        return run

    return decorate


def ahead(values):
    """How far the largest value is ahead of the next one."""
    *_, second, first = sorted(map(float, values))
    return first - second


def printed_tree(text):
    """The leaf of a row, a name and the share of class 1, by the tree that the text shows."""
    lines = text.split("```\n")[1].splitlines()

    def branch(name):
        line = lines.pop(0)
        question = re.search(r"x(\d) <= +([\d.]+)$", line)
        if not question:
            zeros, ones = map(int, re.search(r"(\d+) of class 0, (\d+) of class 1", line).groups())
            return lambda row: (name, ones / (zeros + ones))
        j, s = int(question[1]) - 1, float(question[2])
        below = branch(name + "L")
        assert re.search(r"x\d > ", lines.pop(0))
        above = branch(name + "R")
        return lambda row: below(row) if row[j] <= s else above(row)

    return branch("")


@every_seed("reading")
def test_reading(q, r, close):
    leaf = printed_tree(q.text)
    assert q.answer["shares"] == close([leaf(row)[1] for row in q.given["rows"]])
    steps = list(itertools.product(np.arange(-1, 1.25, 0.5), repeat=2))
    moves = [any(leaf(row + s)[0] != leaf(row)[0] for s in steps) for row in q.given["rows"]]
    assert q.answer["moves"] == moves
    told = re.findall(r"([abc]) (?:not|with (.*?))[;.] ", q.key.split("(b) ")[1])
    for row, can, (_, change) in zip(q.given["rows"], moves, told, strict=True):
        new = row.copy()
        for j, value in re.findall(r"x_(\d) = (-?\d+)", change):
            new[int(j) - 1] = int(value)
        assert abs(new - row).max() == can
        assert (leaf(new)[0] != leaf(row)[0]) == can
    j, value = re.search(r"\(c\) A row has \$x_(\d) = ([\d.]+)\$", q.text).groups()
    first = re.match(r"\|--- x(\d) <= +([\d.]+)", q.text.split("```\n")[1])
    assert j == first[1]
    assert q.answer["side"] == ("left" if float(value) <= float(first[2]) else "right")
    if r is exactly:
        assert len({leaf(row)[0] for row in q.given["rows"]}) == 3
        assert {*moves} == {True, False}  # there is one that could, and one that could not
        X, y = q.given["X"], q.given["y"]
        for name in {leaf(row)[0] for row in X}:  # the tree is of these rows
            assert leaf(X[[leaf(row)[0] == name for row in X]][0])[1] == close(
                y[[leaf(row)[0] == name for row in X]].mean()
            )


@every_seed("impurity")
def test_impurity(q, r, close):
    def bits(p):
        return sum(r(-x * np.log2(x)) for x in p if x > 0)

    measures = {
        "error rate": lambda p: 1 - max(p),
        "Gini": lambda p: 1 - sum(r(x * x) for x in p),
        "entropy": bits,
    }
    takes = dict(re.findall(r"\| (error rate|Gini|entropy) \|.*\| (\w+) \|", q.key))
    for name, measure in measures.items():
        gains = []
        for split in (q.given["first"], q.given["second"]):
            n, node = split.sum(), split.sum(axis=0)
            after = sum(r(r(side.sum() / n) * measure(r(side / side.sum()))) for side in split)
            gains.append(measure(r(node / n)) - after)
        assert q.answer[name] == close(gains, abs=1e-9)
        if name != "error rate" or r is exactly:
            first, second = np.round(gains, 9)
            choice = "either" if first == second else "first" if first > second else "second"
            assert takes[name] == choice
    if r is exactly:
        blind = np.argmin(q.answer["error rate"])
        assert q.answer["error rate"][blind] == close(0, abs=1e-9)
        for name in ("Gini", "entropy"):
            assert q.answer[name][blind] > 0.02
            assert ahead(q.answer[name]) > 0.01


@every_seed("growing")
def test_growing(q, r, close):
    x, y = q.given["x"], q.given["y"]

    def spread(part):
        return r(((part - r(part.mean())) ** 2).mean())

    errors = [r((i * spread(y[:i]) + (6 - i) * spread(y[i:])) / 6) for i in range(1, 6)]
    gains = spread(y) - errors
    if r is exactly:
        assert q.answer["gains"] == close(gains)
    i = int(np.argmax(gains)) + 1
    assert q.answer["threshold"] == (x[i - 1] + x[i]) / 2
    assert q.answer["means"] == close([y[:i].mean(), y[i:].mean()])
    assert float(re.search(r"error before is ([\d.]+)", q.key)[1]) == close(spread(y), abs=0.0006)
    assert y.var() - q.answer["gain"] == close(errors[i - 1])
    assert ahead(gains) > 0.25


@every_seed("pruning")
def test_pruning(q, r, close):
    """Every subtree with the same root, by brute force over the sets of inner nodes kept."""
    left, right = q.given["left"], q.given["right"]
    cells = [line.strip("| ").split(" | ") for line in q.text.splitlines() if line.startswith("|")]
    shown = np.array([float(row[3]) for row in cells[2:]])
    assert shown == pytest.approx(q.given["sums"], abs=1e-9)  # nothing is lost in the text
    R = r(shown / len(q.given["y"]))

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
        assert g == close(r((R[t] - R[below].sum()) / (len(below) - 1)))
    slack = 1e-7 if r is exactly else 0.01
    sizes = [best(alpha + slack)[1] for alpha in q.answer["alphas"]]
    assert sizes == q.answer["leaves"]
    assert [best(alpha - slack)[1] for alpha in q.answer["alphas"][1:]] == sizes[:-1]
    alpha = float(re.search(r"alpha = ([\d.]+)", q.text)[1])
    assert alpha == q.given["alpha"]
    assert best(alpha)[1] == q.answer["kept"]
    assert min(abs(alpha - a) for a in q.answer["alphas"]) > 0.02
    assert min(map(abs, np.diff(sorted(q.answer["g"].values())))) > 0.04


def test_questions_are_asked_in_all_their_forms():
    """Nodes that take another along, and any number of leaves left at last; cuts here and there."""
    pruning, rounds, merits = (
        [ask(name, seed).answer for seed in range(n)]
        for name, n in (("pruning", 40), ("gradient-boosting", 12), ("merit-of-sets", 20))
    )
    assert {tuple(answer["leaves"]) for answer in pruning} >= {(4, 3, 2, 1), (4, 2, 1), (4, 3, 1)}
    assert {answer["kept"] for answer in pruning} == {1, 2, 3, 4}
    assert len({answer["squared"]["threshold"] for answer in rounds}) >= 3
    assert len({answer["absolute"]["threshold"] for answer in rounds}) == 3
    assert 5 <= sum(answer["best"] == answer["kept"] for answer in merits) <= 15


def subtree_leaves(left, right, t):
    return [t] if left[t] < 0 else [
        leaf for child in (left[t], right[t]) for leaf in subtree_leaves(left, right, child)
    ]  # fmt: skip


@every_seed("cross-validation")
def test_cross_validation(q, r, close):
    """With fractions, or three decimals; the rule of one standard error from its words."""
    fold, x, y = (list(map(int, q.given[name])) for name in ("fold", "x", "y"))
    rows = range(6)
    losses = {"one leaf": [], "two leaves": []}
    for i in rows:
        rest = [k for k in rows if fold[k] != fold[i]]
        for name, of in (("one leaf", rest), ("two leaves", [k for k in rest if x[k] == x[i]])):
            losses[name].append(r((y[i] - r(Fraction(sum(y[k] for k in of), len(of)))) ** 2))
    errors = {name: r(sum(each) / 6) for name, each in losses.items()}
    for name, error in errors.items():
        assert q.answer[name] == close(float(error))
    least = min(errors, key=errors.get)
    assert q.answer["least"] == least
    variance = r(sum(r((loss - errors[least]) ** 2) for loss in losses[least]) / 6)
    se = r(r(float(variance) ** 0.5) / r(6**0.5))
    assert q.answer["se"] == close(se)
    within = float(errors["one leaf"] - errors[least]) <= se
    apart = abs(float(errors["one leaf"] - errors["two leaves"]))
    assert min(apart, abs(apart - se)) > 0.4
    assert q.answer["simple"] == ("one leaf" if within else "two leaves")


def bits_of(labels, r):
    """The entropy of labels."""
    shares = [r(labels.count(x) / len(labels)) for x in sorted(set(labels))]
    return sum(r(-p * np.log2(p)) for p in shares)


@every_seed("gain-ratio")
def test_gain_ratio(q, r, close):
    y = list(q.given["y"])
    gains, ratios = {}, {}
    for name, column in q.given["X"].items():
        x = list(column)
        branches = [[t for v, t in zip(x, y) if v == level] for level in sorted(set(x))]
        gain = bits_of(y, r) - sum(r(r(len(b) / len(y)) * bits_of(b, r)) for b in branches)
        gains[name], ratios[name] = gain, gain / bits_of(x, r)
        assert q.answer[name] == close([gain, bits_of(x, r), ratios[name]])
    assert max(gains, key=gains.get) == "day"
    assert ahead(gains.values()) > 0.02
    best = max(ratios, key=ratios.get)
    assert best != "day"  # for that the ratio is there
    assert ahead(ratios.values()) > 0.01
    assert f"the ratio `{best}`" in q.key


@every_seed("gaps")
def test_gaps(q, r, close):
    days = list(zip(q.given["sky"], q.given["y"], strict=True))
    sun, rain, unknown = ([y for sky, y in days if sky == s] for s in ("sun", "rain", "?"))
    known = len(sun) + len(rain)
    after = sum(r(r(len(part) / known) * bits_of(part, r)) for part in (sun, rain))
    inside = bits_of(sun + rain, r) - after
    split_information = bits_of([sky for sky, _ in days], r)
    gain, share = r(inside * known / 10), r(len(sun) / known)
    assert q.answer["known"] == close(inside)
    assert q.answer["gain"] == close(gain)
    assert q.answer["split_information"] == close(split_information)
    assert q.answer["gain_ratio"] == close(gain / split_information)
    assert q.answer["share"] == close(share)
    assert q.answer["weight"] == close(len(sun) + len(unknown) * share)
    if r is exactly:
        assert unknown
        assert inside > 0.03
        assert len(sun) != len(rain)  # or an unknown day would go in equal shares


@every_seed("error-limit")
def test_error_limit(q, r, close):
    """Wilson's upper limit as the root of its equation, z from C4.5's table; 0.1 is its slack."""
    z = 0.84 + (0.25 - 0.84) * (0.25 - 0.20) / (0.40 - 0.20)

    def limit(N, E):
        if E == 0:
            return 1 - 0.25 ** (1 / N)
        f = (E + 0.5) / N
        return brentq(lambda u: u - f - z * np.sqrt(u * (1 - u) / N), f, 1)

    sizes, errors = q.given["sizes"], q.given["errors"]
    first = limit(sizes[0], 0)
    assert q.answer["first"] == close(first, abs=1e-6)
    classes = [[int(a), int(b)] for a, b in re.findall(r"\| \d \| (\d+), (\d+) \|", q.text)]
    assert [sum(pair) for pair in classes] == sizes.tolist()
    assert [min(pair) for pair in classes] == errors.tolist()
    N, E = q.given["whole"]
    assert (N, E) == (sum(sizes), min(map(sum, zip(*classes))))
    shown = {
        (int(n), int(e)): float(u)
        for n, e, u in re.findall(r"\| (\d+) \| (\d+) \| (0\.\d{4}) \|", q.text)
    }
    for (n, e), u in shown.items():
        assert u == pytest.approx(limit(n, e), abs=0.00005001)
    pairs = [(int(n), int(e)) for n, e in zip(sizes, errors, strict=True)]
    leaves = sum(r(n * (r(limit(n, 0)) if e == 0 else shown[n, e])) for n, e in pairs)
    assert q.answer["leaves"] == close(leaves, abs=1e-6)
    assert q.answer["leaf"] == close(N * shown[N, E], abs=1e-6)
    assert q.answer["pruned"] == ("yes" if N * shown[N, E] <= leaves + 0.1 else "no")
    assert abs(abs(N * shown[N, E] - leaves - 0.05) - 0.05) > 0.03  # near neither 0 nor the slack


@every_seed("confusion-matrix")
def test_confusion_matrix(q, r, close):
    n, positives = map(int, re.search(r"on (\d+) test rows, of which (\d+) are", q.text).groups())
    lines = re.findall(r"\| (0\.[25]) \| (\d+) \| (\d+) \|", q.text)
    miss, alarm = map(int, re.search(r"row costs (\d+) and a false alarm (\d+)", q.text).groups())
    costs = [miss * (positives - int(TP)) + alarm * int(FP) for _, TP, FP in lines]
    assert q.answer["costs"] == costs
    assert q.answer["threshold"] == float(lines[costs.index(min(costs))][0])
    assert abs(costs[0] - costs[1]) >= 3
    TP, FP = map(int, lines[0][1:])
    truth = np.repeat([1, 1, 0, 0], [TP, positives - TP, FP, n - positives - FP])
    said = np.repeat([1, 0, 1, 0], [TP, positives - TP, FP, n - positives - FP])
    cells = sklearn.metrics.confusion_matrix(truth, said).ravel()
    told = re.search(r"TN (\d+), FP (\d+), FN (\d+), TP (\d+)\.", q.key)
    assert [int(cell) for cell in told.groups()] == cells.tolist()
    precision, recall = r(TP / (TP + FP)), r(TP / positives)
    assert q.answer["precision"] == close(precision)
    assert q.answer["recall"] == close(recall)
    assert q.answer["f1"] == close(2 * precision * recall / (precision + recall))
    assert q.answer["accuracy"] == close((truth == said).mean())
    assert q.answer["always_negative"] == close(1 - positives / n)
    assert abs(q.answer["accuracy"] - q.answer["always_negative"]) > 0.02
    assert abs(q.answer["precision"] - q.answer["recall"]) > 0.05


@every_seed("roc")
def test_roc(q, r, close):
    scores, y = q.given["scores"], q.given["y"]
    assert re.search(r"\| score \| (.*) \|\n", q.text)[1].split(" | ") == [
        f"{score:.2f}" for score in scores
    ]
    at = float(re.search(r"threshold (0\.\d\d)\?", q.text)[1])
    fpr, tpr, thresholds = sklearn.metrics.roc_curve(y, scores, drop_intermediate=False)
    (k,) = np.flatnonzero(np.isclose(thresholds, at))
    assert q.answer["FPR"] == close(r(fpr[k]))
    assert q.answer["TPR"] == close(r(tpr[k]))
    assert q.answer["auc"] == close(r(sklearn.metrics.roc_auc_score(y, scores**2)))
    assert q.answer["pairs"] == sum(y) * sum(1 - y)
    assert q.answer["auc"] == close((q.answer["won"] + 0.5) / q.answer["pairs"])
    assert 0.55 < q.answer["auc"] < 0.95


@every_seed("bias-variance")
def test_bias_and_variance(q, r, close):
    said = [Fraction(int(s)) for s in q.given["said"]]
    mean = sum(said) / 5
    assert q.answer["bias2"] == close(float((mean - q.given["truth"]) ** 2))
    assert q.answer["variance"] == close(float(sum((s - mean) ** 2 for s in said) / 5))
    assert min(q.answer.values()) > 0.03


@every_seed("bootstrap")
def test_bootstrap(q, r, close):
    """The expected number of different cases from the numbers of surjections."""
    n = q.given["n"]
    assert q.answer["out"] == n - len(set(q.given["sample"])) > 0
    told = re.match(r"\(a\) ([\d, ]+)\.", q.key)[1].split(", ")
    assert {*map(int, told)} == {*range(1, n + 1)} - {*q.given["sample"].tolist()}
    assert q.answer["missing"] == close(r(r(1 - r(1 / n)) ** n))
    assert abs(q.answer["missing"] - 0.368) > 0.006  # not the limit for many cases
    assert q.answer["expected"] == close(n * (1 - r(r(1 - r(1 / n)) ** n)))
    mixed = (368 * q.given["training"] + 632 * q.given["unseen"]) / 1000
    assert q.answer["estimate"] == close(mixed)
    if r is by_threes:
        return
    ways = [Fraction(0)] * (n + 1)
    ways[0] = Fraction(1)
    for _ in range(n):  # draw after draw: k different so far
        ways = [
            ways[k] * Fraction(k, n) + (ways[k - 1] * Fraction(n - k + 1, n) if k else 0)
            for k in range(n + 1)
        ]
    assert q.answer["expected"] == close(float(sum(k * w for k, w in enumerate(ways))))
    assert q.answer["missing"] == close(1 - q.answer["expected"] / n)


@every_seed("out-of-bag")
def test_out_of_bag(q, r, close):
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
    assert q.answer["error"] > q.answer["all"] + 0.01  # the votes that have seen the case flatter
    assert covered < 6


@every_seed("forest")
def test_forest(q, r, close):
    g = q.given
    B = g["B"]
    covariance = g["sigma2"] * (g["rho"] * np.ones((B, B)) + (1 - g["rho"]) * np.eye(B))
    assert q.answer["variance"] == close(covariance.mean())
    assert q.answer["variance"] > q.answer["floor"] + 0.015
    steps = [r(1 - r(g["relevant"] / (g["p"] - k))) for k in range(g["m"])]
    assert q.answer["chance"] == close(1 - functools.reduce(lambda a, b: r(a * b), steps))
    if r is by_threes:
        return
    assert q.answer["floor"] == close(g["sigma2"] * g["rho"])
    if g["p"] <= 12:
        draws = itertools.combinations(range(g["p"]), g["m"])
        hit = np.mean([min(draw) < g["relevant"] for draw in draws])
        assert q.answer["chance"] == close(hit)


@every_seed("adaboost")
def test_adaboost(q, r, close):
    w = np.full(8, 1 / 8)
    for said, error, alpha in zip(q.given["said"], *(q.answer[k] for k in ("errors", "alphas"))):
        wrong = said != q.given["y"]
        e = r(w[wrong].sum())
        assert error == close(e)
        c = r(0.5 * np.log((1 - e) / e))
        assert alpha == close(c)
        if r is exactly:
            # Alpha minimizes the exponential loss, which is convex: there its slope is 0.
            slope = w @ np.where(wrong, np.exp(alpha), -np.exp(-alpha))
            assert slope == close(0, abs=4e-7)
            assert len({*said}) == 2  # what the text says of the stump are two classes
        before, w = w, r(w * r(np.exp(np.where(wrong, c, -c))))
        w = r(w / w.sum())
    assert q.answer["weights"] == close(before)
    assert 0.05 < min(q.answer["errors"]) <= max(q.answer["errors"]) < 0.45


@every_seed("gradient-boosting")
def test_gradient_boosting(q, r, close):
    y = q.given["y"]
    assert list(y).count(max(y)) == 1

    def one_round(y, name):
        center = np.mean if name == "squared" else np.median
        start = r(center(y))
        r_ = r(y - start)
        seen = r_ if name == "squared" else np.sign(r_)
        costs = [sum(len(p) * r(p.var()) for p in np.split(seen, [i])) for i in range(1, 6)]
        i = int(np.argmin(costs)) + 1
        step = [r(center(part)) for part in np.split(r_, [i])]
        return start, seen, i, ahead([-c for c in costs]), start + 0.5 * np.repeat(step, [i, 6 - i])

    grown = y + 100 * (y == max(y))
    moved = {}
    for name, told in q.answer.items():
        start, seen, i, lead, after = one_round(y, name)
        assert told["start"] == close(start)
        assert told["residuals"] == close(seen)
        assert told["threshold"] == i + 0.5
        assert lead > 0.1
        assert told["after"] == close(after)
        moved[name] = abs(one_round(grown, name)[4] - after).max()
    if r is exactly:
        assert moved["squared"] > 10
        assert moved["absolute"] == 0


@every_seed("importance")
def test_importance(q, r, close):
    counts, left, right = (q.given[k] for k in ("counts", "left", "right"))
    n = counts.sum(axis=1)
    R = r(n / 12 * (1 - ((counts / n[:, None]) ** 2).sum(axis=1)))
    total = np.zeros(3)
    drops = []
    for t in np.flatnonzero(left >= 0):
        assert (counts[t] == counts[left[t]] + counts[right[t]]).all()
        drops.append(R[t] - R[left[t]] - R[right[t]])
        total[q.given["feature"][t]] += drops[-1]
    assert q.answer["drops"] == close(drops)
    assert q.answer["shares"] == close(total / total.sum())
    assert min(drops) > 0.01
    assert sorted(total > 0) == [False, True, True]  # one feature is without importance


@every_seed("shapley")
def test_shapley(q, r, close):
    """The mean of what a feature adds over both orders."""
    y = q.given["y"].reshape(2, 2)
    assert y[1, 1] - y[1, 0] != y[0, 1] - y[0, 0]  # or each order would say the same
    known = {(): y.mean(), (0,): y[1].mean(), (1,): y[:, 1].mean(), (0, 1): y[1, 1]}
    added = np.zeros(2)
    for order in itertools.permutations(range(2)):
        for k in range(2):
            before, after = (tuple(sorted(order[:m])) for m in (k, k + 1))
            added[order[k]] += (known[after] - known[before]) / 2
    assert q.answer["values"] == close(added)
    assert q.answer["base"] == close(y.mean())


@every_seed("merit-of-sets")
def test_merit_of_sets(q, r, close):
    """The sums of the definition, and the two passes."""
    s, (ab, ac, bc) = q.given["relevance"], q.given["between"]
    merits = [
        s[0],
        (s[0] + s[1]) / r((2 + 2 * ab) ** 0.5),
        (s[0] + s[2]) / r((2 + 2 * ac) ** 0.5),
        sum(s) / r((3 + 2 * (ab + ac + bc)) ** 0.5),
    ]
    assert min(np.diff(sorted(merits))) > 0.01
    names = ["a", "a, b", "a, c", "a, b, c"]
    assert q.answer["merits"] == close(merits)
    assert q.answer["best"] == names[merits.index(max(merits))]
    b_stays = ab < s[1]
    c_stays = ac < s[2] and not (b_stays and bc >= s[2])
    assert min(abs(ab - s[1]), abs(ac - s[2]), abs(bc - s[2]), *-np.diff(s)) > 0.01
    assert q.answer["kept"] == names[b_stays + 2 * c_stays]
    assert q.answer["copied"] == close((2 * s[0] + s[1]) / r((5 + 4 * ab) ** 0.5))


@every_seed("no-worse")
def test_no_worse(q, r, close):
    """By counts of wrong rows, with fractions, or by errors of three decimals."""
    sizes, wrong, n = q.given["sizes"].tolist(), q.given["wrong"].tolist(), q.given["n"]
    errors = [r(Fraction(w, n)) for w in wrong]
    least = min(errors)
    se = r(float(least * (1 - least) / n) ** 0.5)
    assert errors.count(least) == 1
    assert q.answer["se"] == close(se)
    assert q.answer["limit"] == close(float(least) + se)
    pairs = list(zip(sizes, errors))
    assert q.answer["kept"] == min(k for k, e in pairs if float(e - least) <= se)

    def by_path(pairs):
        errors = [e for _, e in pairs]
        mean = sum(errors) / len(errors)
        spread = sum((e - mean) ** 2 for e in errors) / len(errors)
        return spread, min(k for k, e in pairs if 4 * (e - min(errors)) ** 2 <= r(spread**0.5) ** 2)

    spread, kept = by_path(pairs)
    assert q.answer["sd"] == close(float(spread) ** 0.5)
    assert q.answer["by_path"] == [kept, by_path(pairs[:5])[1]]
    assert kept != by_path(pairs[:5])[1]  # where the path ends makes a difference
    assert len({kept, by_path(pairs[:5])[1], q.answer["kept"], sizes[wrong.index(min(wrong))]}) > 2


@every_seed("hits")
def test_hits(q, r, close):
    """By all sequences of heads and tails, counted."""
    d, runs = q.given["d"], q.given["runs"]
    upper, lower = zip(*(tails(runs, k) for k in q.given["hits"].tolist()))
    assert (q.answer["p_confirm"], q.answer["p_reject"]) == close((upper[1], lower[2]))
    assert 0.02 < min(upper[1], lower[2]) <= max(upper[1], lower[2]) < 0.95  # not nearly sure
    level = r(Fraction(5, 100 * d))
    states = [
        "confirmed" if r(a) <= level else "rejected" if r(b) <= level else "tentative"
        for a, b in zip(upper, lower)
    ]
    assert q.answer["states"] == states
    fewest = q.answer["fewest"]
    assert r(Fraction(1, 2**fewest)) <= level < r(Fraction(1, 2 ** (fewest - 1)))
    if r is exactly:
        for count in q.given["hits"]:  # with its hits first, no run before the last one rejects it
            for run in range(1, runs):
                fewer = sum(comb(run, h) for h in range(min(run, count) + 1))
                assert Fraction(fewer, 2**run) > level
        assert {"confirmed", "rejected"} & set(q.answer["states"])
        assert min(abs(np.log(float(p / level))) for p in (*upper, *lower)) > 0.15


@functools.cache
def tails(runs, k):
    """The shares of all sequences with k heads or more, and with k or fewer."""
    heads = heads_of(runs)
    return tuple(
        Fraction(sum(map(test, heads)), 2**runs) for test in (lambda h: h >= k, lambda h: h <= k)
    )


@functools.cache
def heads_of(runs):
    """The number of heads of every sequence."""
    return [bin(i).count("1") for i in range(2**runs)]


def gain_of(sides, r):
    """Information gain by its definition, in bits."""

    def bits(part):
        shares = [r(k / sum(part)) for k in part if k]
        return sum(r(-share * log2(share)) for share in shares)

    whole = [sum(column) for column in zip(*sides)]
    return bits(whole) - sum(r(r(sum(part) / sum(whole)) * bits(part)) for part in sides)


@every_seed("reluctant-node")
def test_reluctant_node(q, r, close):
    gains = [gain_of(sides, r) for sides in q.given["counts"].tolist()]
    assert q.answer["gains"] == close(gains)
    worth = [gains[0], *(q.given["penalty"] * gain for gain in gains[1:])]
    assert q.answer["worth"] == close(worth)
    assert q.answer["asks"] == "abc"[worth.index(max(worth))]
    assert ahead(worth) > 0.01
    assert ahead(gains) > 0.01
    limit = q.answer["limit"]
    assert limit == close(gains[0] / max(gains))
    assert 0 < limit < 1
    assert abs(limit - q.given["penalty"]) > 0.005
    if r is by_threes:
        return

    def asks(penalty):
        return gains[0] >= penalty * max(gains[1:])

    assert asks(limit - 1e-9)
    assert not asks(limit + 1e-9)
    assert len({*map(tuple, q.given["counts"].sum(axis=1).tolist())}) == 1  # the same cases


@every_seed("reluctant-guided")
def test_reluctant_guided(q, r, close):
    base, gamma = Fraction(str(q.given["base"])), Fraction(str(q.given["gamma"]))
    gains = [Fraction(str(gain)) for gain in q.given["gains"]]
    importances = [Fraction(str(share)) for share in q.given["importances"]]
    assert sum(importances) == 1

    def worth(gamma):
        penalties = [
            (1 - gamma) * base + gamma * r(share / max(importances)) for share in importances[1:]
        ]
        return penalties, [gains[0], *(p * g for p, g in zip(penalties, gains[1:]))]

    if r is by_threes:
        base, gamma, gains = float(base), float(gamma), [float(g) for g in gains]

    penalties, now = worth(gamma)
    assert q.answer["penalties"] == close([float(p) for p in penalties])
    assert q.answer["asks"] == "abcd"[now.index(max(now))]
    plain = worth(0)[1]
    assert q.answer["unguided"] == "abcd"[plain.index(max(plain))]
    best = "abcd".index(q.answer["unguided"])
    assert gains[best] == max(gains[1:])
    part = r(importances[best] / max(importances))
    assert q.answer["even"] == close(float((base - r(gains[0] / gains[best])) / (base - part)))
    assert abs(q.answer["even"] - q.given["gamma"]) > 0.04
    assert min(ahead(now), ahead(plain)) > 0.015
    if r is exactly:
        at_the_tie = worth(Fraction(float(q.answer["even"])))[1]
        assert float(at_the_tie[best]) == close(float(gains[0]))
    assert f"does {'abcd'[best]} count just as much" in q.text


@every_seed("local-ranks")
def test_local_ranks(q, r, close):
    rows = [[Fraction(str(v)) for v in row] for row in q.given["importances"].tolist()]
    sizes = q.given["sizes"].tolist()
    assert all(sum(row) == 1 and len(set(row)) == 4 for row in rows)
    average = [sum(r(n * v) for n, v in zip(sizes, x)) / sum(sizes) for x in zip(*rows)]
    assert min(np.diff(sorted(map(float, average)))) > 0.01
    assert q.answer["average"] == close([float(v) for v in average])
    assert len(set(average)) == 4
    assert q.answer["by_average"] == "abcd"[average.index(max(average))]
    worst = [max(1 + sum(v > row[j] for v in row) for row in rows) for j in range(4)]
    assert q.answer["worst"].tolist() == worst
    early = [j for j in range(4) if worst[j] == min(worst)]
    assert q.answer["by_intersection"] == "abcd"[max(early, key=lambda j: average[j])]
    assert len(set(worst)) > 1


@every_seed("local-null")
def test_local_null(q, r, close):
    lafi = []
    for j in range(3):
        shares = [
            r(Fraction(sum(bool(c[j]) for c in level), len(level))) for level in q.given["chosen"]
        ]
        lafi.append(sum(shares) / 3)
    assert [len(level) for level in q.given["chosen"]] == [1, 2, 4]
    assert q.answer["lafi"] == close([float(v) for v in lafi])
    lafi = [r(v) for v in lafi]
    threshold = Fraction(str(q.given["threshold"]))
    assert q.answer["kept"].tolist() == [v > threshold for v in lafi]
    assert len(set(lafi)) == 3
    null = [
        (r(Fraction(int(k), 12)), int(n)) for k, n in re.findall(r"\| (\d+)/12 \| (\d+) \|", q.text)
    ]
    assert [n for _, n in null] == q.given["times"].tolist()
    assert q.answer["above"] == sum(n for v, n in null if v > threshold)
    m, asked = sum(n for _, n in null), q.given["asked"]
    as_large = sum(n for v, n in null if v >= lafi[asked])
    assert q.answer["p"] == close((1 + as_large) / (1 + m))
    assert f"text{{max}}$ of {'abc'[asked]}" in q.text
    assert f"shuffled {m} times" in q.text


@every_seed("bicycles-order")
def test_bicycles_order(q, r, close):
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
    share = r(under / (under + over))
    covering = [d for d in sorted(demands) if sum(e <= d for e in demands) / len(demands) >= share]
    assert q.answer["order"] == covering[0]
    assert len({q.answer["order"], median, q.answer["enough"]}) == 3


@every_seed("wind-power")
def test_wind_power(q, r, close):
    """With fractions, by the four pieces of the curve."""
    a, b, c = map(Fraction, q.given["curve"])

    def power(v):
        if v < a or v > c:
            return Fraction(0)
        return Fraction(1) if v >= b else r((v**3 - a**3) / (b**3 - a**3))

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
    assert abs(power(mean) - both) > 0.01
    assert min(*q.answer["powers"], *q.answer["wrong"]) > 0.01


def test_drawing_ends():
    """A question that asks for what there is not says so, and does not draw for ever."""
    draws = questions.tries(70)
    assert [next(draws) for _ in range(70)] == list(range(70))
    with pytest.raises(RuntimeError, match="70 draws had no numbers that suit"):
        next(draws)
    assert "while True" not in Path(questions.__file__).read_text(encoding="utf-8")


def test_what_a_paper_allows_is_in_its_head():
    assert questions.near([0.1049, 100.9], [0.1, 100])
    assert not questions.near([0.1049, 101.1], [0.1, 100])
    assert not questions.near(0.1051, 0.1)
    text, _ = exam.paper(1, ["forest"])
    assert "within 0.005 of the key, or within 1 percent of it where that is more." in text


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


@each("name", QUESTIONS)
def test_seeds_vary_and_repeat(name):
    first, again, other = ask(name, 1), exam.ask(name, 1), ask(name, 2)
    assert (first.text, first.key) == (again.text, again.key)
    assert first.text != other.text
    assert first.key != other.key
    assert 3 * len({ask(name, seed).text for seed in SEEDS[:FIRST]}) >= FIRST


@pytest.mark.whole
@each("name", QUESTIONS)
def test_all_seeds_vary(name):
    assert len({ask(name, seed).text for seed in SEEDS}) >= 100


def test_the_page_of_the_book_has_every_question_once_with_its_key(tmp_path, monkeypatch):
    monkeypatch.setattr(exam, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(sys, "argv", ["exam.py", "--page"])
    exam.main()
    page = exam.PAGE.read_text(encoding="utf-8")
    for name in QUESTIONS:
        question = ask(name, 0)
        assert page.count(f"## {question.title}\n\n`{name}`, {question.minutes} minutes") == 1
        assert question.text in page
        assert question.key.rstrip() in page
