"""Judges of "When to stop: pruning and gain ratio", and right versions of its functions.

Students do not get this file.
"""

from functools import cache
from math import log
from types import SimpleNamespace

import numpy as np
from checks_hw2 import CHANNELS, given

from treelab.checkers import expect, own_number


def close(found, right):
    """Equal to three decimals, so that rounded numbers count."""
    same = np.shape(found) == np.shape(right)
    return same and bool(np.all(np.abs(np.subtract(found, right)) <= 1e-3))


def rounded(found, right):
    """Right, but only to two decimals."""
    return not close(found, right) and abs(found - right) <= 5.1e-3


# --- what is right ------------------------------------------------------------------------


def saved(left, right, R, inner, t):
    """The risk of the leaves below t and their number, where only some nodes still ask."""
    if t not in inner:
        return R[t], 1
    a, b = (saved(left, right, R, inner, child[t]) for child in (left, right))
    return a[0] + b[0], a[1] + b[1]


def links(left, right, R, inner):
    """{t: g(t)} of a tree of which these nodes still ask."""
    below = {t: saved(left, right, R, inner, t) for t in inner}
    return {t: (R[t] - risk) / (leaves - 1) for t, (risk, leaves) in below.items()}


def pruned(left, right, R):
    """The steps of weakest-link pruning, pairs (alpha, leaves)."""
    inner = {t for t, child in enumerate(left) if child >= 0}
    found = [(0, len(inner) + 1)]
    while inner:
        g = links(left, right, R, inner)
        alpha = min(g.values())
        gone = [t for t in g if g[t] <= alpha + 1e-9]
        while gone:
            t = gone.pop()
            inner.discard(t)
            gone += [c for c in (left[t], right[t]) if c in inner]
        found.append((alpha, len(inner) + 1))
    return found


def bits(sizes):
    """The entropy of class sums, in bits."""
    W = sum(sizes)
    return -sum(n / W * log(n / W, 2) for n in sizes if n)


def gain_of(pairs):
    """The information gain of a split with these class sums, in bits."""
    sums = [sum(column) for column in zip(*pairs)]
    return bits(sums) - sum(sum(pair) / sum(sums) * bits(pair) for pair in pairs)


@cache
def answers(number):
    """The answers by hand of a number, and what is mistaken for them."""
    shown, own = given(number), SimpleNamespace()
    left, right, R = (shown[name].tolist() for name in ("left", "right", "risk"))
    inner = {t for t, child in enumerate(left) if child >= 0}
    own.steps = pruned(left, right, R)
    k = next(k for k, (a, b) in enumerate(zip(own.steps, own.steps[1:])) if a[1] - b[1] == 2)
    own.tie, own.between = own.steps[k + 1][0], own.steps[k][1] - 1
    below = {t: saved(left, right, R, inner, t) for t in inner}
    own.grown = links(left, right, R, inner)
    own.bare = {R[t] / (leaves - 1) for t, (_, leaves) in below.items()}
    own.by_all = min((R[t] - risk) / leaves for t, (risk, leaves) in below.items())

    own.sizes, own.errors = np.array(shown["sizes"]), np.array(shown["errors"])
    own.se = np.sqrt(own.errors * (1 - own.errors) / 100)

    pairs = [[0, 0] for _ in range(len(CHANNELS) + 1)]
    for channel, urgent in zip(shown["channel"], shown["urgent"]):
        pairs[(*CHANNELS, None).index(channel)][urgent == "no"] += 1
    own.pairs = np.array(pairs, dtype=float)
    known, sizes = pairs[:-1], [sum(pair) for pair in pairs]
    own.known, own.W = sum(sizes[:-1]), sum(sizes)
    own.plain, own.as_level = gain_of(known), gain_of(pairs)
    own.gain, own.cost = own.known / own.W * own.plain, bits(sizes)
    own.cost_of_known = bits(sizes[:-1])
    return own


# --- judges -------------------------------------------------------------------------------


def judge_steps(found):
    """hw2-1: the steps of weakest-link pruning."""
    own = answers(own_number())
    alphas, leaves = found.T
    first = own.steps[1][0]
    if close(found, own.steps):
        return
    expect(leaves[0] == 5 and alphas[0] == 0, "the first step is the grown tree: (0, 5).")
    expect(np.all(np.diff(leaves) < 0) and leaves[-1] == 1, "the list ends with the root alone.")
    expect(np.all(np.diff(alphas) >= 0), "the alphas rise from step to step.")
    expect(
        not np.any((alphas == own.tie) & (leaves == own.between)),
        f"at alpha {own.tie:g} two links are equally weak, and both are pruned in the same step.",
    )
    expect(
        not any(close(alphas[1], alpha) for alpha in own.bare),
        "the leaves have risks of their own: g(t) counts R(t) less the risks of the leaves below.",
    )
    expect(
        not close(alphas[1], own.by_all),
        "divide by the leaves that are saved, one less than the subtree has.",
    )
    expect(close(alphas[1], first), "the first alpha is the smallest g of the grown tree.")
    expect(
        not close(alphas[-1], own.grown[0]),
        "work g out again after each step: when a node has become a leaf, the nodes above it save "
        "other leaves for another rise.",
    )
    expect(False, f"right up to alpha {first:g}, then wrong: {found[2:].tolist()}.")


def judge_one_se(found):
    """hw2-2: the line of one standard error, and the tree below it."""
    own = answers(own_number())
    line, size = found
    best = own.errors.argmin()
    least, se = own.errors[best], own.se[best]
    expect(
        not abs(line - least - se**2) <= 1e-4,
        "the standard error is a square root: the standard deviation divided by that of n.",
    )
    expect(
        not close(line, least + se * 10),
        "you took the standard deviation of one loss; divide it by the square root of 100.",
    )
    expect(not close(line, se), "the line is the lowest error plus its standard error.")
    expect(close(line, least + se), f"the line is wrong: {least:.2f} plus its standard error.")
    expect(size != own.sizes[best], "that tree has the lowest error; the rule takes a smaller one.")
    expect(
        size != own.sizes[own.errors - own.se <= least + se].min(),
        "only the standard error of the lowest error counts, not that of the smaller tree.",
    )
    within = own.sizes[own.errors <= least + se + 1e-12]
    expect(
        size != within.max(), "of the trees up to the line the smallest is taken, not the largest."
    )
    expect(size == within.min(), "which trees are on or below the line? The smallest of them.")


def judge_ratio(found):
    """hw2-3: gain, split information and gain ratio with unknown values."""
    own = answers(own_number())
    gain, cost = own.gain, own.cost
    share = f"{own.known}/{own.W}"
    unknown = own.W - own.known
    expect(
        not close(found[0], own.plain),
        f"the channel of {unknown} of the {own.W} tickets is missing: count {share} of the gain.",
    )
    expect(
        not close(found[0], own.as_level),
        "an unknown channel is no fourth channel in the gain: leave its tickets out of the "
        "entropies.",
    )
    expect(not close(found[0], gain * log(2)), "in bits, please: logarithms to the base 2.")
    for part, (name, want) in enumerate({"gain": gain, "split information": cost}.items()):
        expect(
            not rounded(found[part], want),
            f"the {name} is right to two decimals; give three, the ratio needs them.",
        )
    expect(close(found[0], gain), f"the gain is wrong: {share} of the gain of the known tickets.")
    expect(
        not close(found[1], own.cost_of_known),
        "the tickets without a channel count as a branch more in the split information.",
    )
    expect(close(found[1], cost), "the gain is right; the split information is the entropy of the "
           "four sizes.")  # fmt: skip
    expect(not close(found[2], cost / gain), "upside down: gain per bit of split information.")
    expect(close(found[2], gain / cost), "the ratio is the gain divided by the split information.")


def judge_dealt(found):
    """hw2-4: the class sums after the unknown tickets were distributed."""
    own = answers(own_number())
    known, unknown = own.pairs[:-1], own.pairs[-1]
    sizes = known.sum(axis=1, keepdims=True)
    right = known + sizes / own.known * unknown
    expect(not close(found, known), "the tickets without a channel are missing.")
    expect(
        not close(found, known + unknown / 3),
        "not in equal parts: each branch gets its proportion of the known tickets.",
    )
    expect(
        not close(found, known + (sizes == sizes.max()) * unknown),
        "they do not go to the largest branch alone; a part of each goes down every branch.",
    )
    expect(
        not close(found, known + unknown),
        f"whole tickets in every branch make {own.W + 2 * unknown.sum():.0f} of {own.W}; their "
        "parts add up to 1.",
    )
    expect(
        not close(found, known / known.sum(axis=0) * unknown + known),
        "you used the proportions within each class; a ticket is distributed by the sizes of the "
        "branches, whatever its class.",
    )
    expect(not close(found[:, ::-1], right), "urgent comes first, then not urgent.")
    parts = [f"{n:.0f}/{own.known}" for n in sizes.ravel()]
    expect(
        close(found, right),
        f"each unknown ticket goes down with {parts[0]}, {parts[1]} and {parts[2]}.",
    )


JUDGES = {
    "hw2-1": judge_steps,
    "hw2-2": judge_one_se,
    "hw2-3": judge_ratio,
    "hw2-4": judge_dealt,
}


# --- right versions of what students write ------------------------------------------------


def right_fall_alphas(left, right, R):
    """{t: alpha at which node t is no longer an inner node}."""
    inner = {t for t in range(len(left)) if left[t] >= 0}
    alphas = {}

    def risk_and_leaves(t):
        if t not in inner:
            return R[t], 1
        below = risk_and_leaves(left[t]), risk_and_leaves(right[t])
        return below[0][0] + below[1][0], below[0][1] + below[1][1]

    def cut(t, alpha):
        if t in inner:
            inner.remove(t)
            alphas[t] = alpha
            cut(left[t], alpha)
            cut(right[t], alpha)

    while inner:
        g = {}
        for t in inner:
            risk, leaves = risk_and_leaves(t)
            g[t] = (R[t] - risk) / (leaves - 1)
        weakest = min(g.values())
        for t in g:
            if g[t] <= weakest + 1e-9 * abs(weakest):
                cut(t, weakest)
    return alphas


def right_pruned_predict(tree, fall, X, alpha):
    """Class codes of the rows of X, from the tree pruned with alpha."""
    answer = []
    for x in X:
        t = 0
        while tree.children_left[t] >= 0 and fall[t] > alpha:
            left = x[tree.feature[t]] <= tree.threshold[t]
            t = int(tree.children_left[t] if left else tree.children_right[t])
        answer.append(np.argmax(tree.value[t]))
    return np.array(answer)


HELPERS = {
    "hw2-7": {"fall_alphas": right_fall_alphas, "pruned_predict": right_pruned_predict},
}
