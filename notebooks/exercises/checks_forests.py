"""Checkers of the chapter "Random forests"."""

from itertools import combinations

import checks_forests_plain  # noqa: F401 (registers its checkers)
import numpy as np

from treelab import RandomForestClassifier
from treelab.checkers import checker, expect


@checker("forests-3")
def check_proximity(proximity):
    leaves = np.array([[1, 4, 2], [1, 4, 3], [2, 1, 3]])
    got = np.asarray(proximity(leaves.copy()))
    expect(
        got.shape == (3, 3),
        f"three cases make a table of 3 x 3; yours has the shape {got.shape}.",
    )
    expect(
        not np.isclose(np.diag(got), 3).all(),
        "you counted the trees; a proximity is their share, so divide by the number of trees.",
    )
    expect(np.allclose(np.diag(got), 1), "a case is always in the same leaf as itself: 1.")
    expect(
        np.isclose(got[0, 2], 0),
        "cases 0 and 2 share no leaf: leaf 1 of tree 0 and leaf 1 of tree 1 are different "
        "leaves. Compare within a tree.",
    )
    expect(np.isclose(got[0, 1], 2 / 3), "cases 0 and 1 are together in two of three trees.")
    expect(np.isclose(got[1, 2], 1 / 3), "cases 1 and 2 are together in one of three trees.")
    expect(np.allclose(got, got.T), "the table is symmetric.")
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(25, 3)), rng.integers(3, size=25)
        forest = RandomForestClassifier(7, max_depth=3, random_state=seed).fit(X, y)
        expect(
            np.allclose(proximity(forest.apply(X)), forest.proximity(X)),
            "right for three cases, wrong for a forest of 7 trees and 25 cases: divide by the "
            "number of trees, not of cases.",
        )


@checker("forests-5")
def check_candidates(candidates):
    got = np.asarray(candidates(9, 3, 400, np.random.default_rng(0)))
    expect(got.shape == (400, 3), f"400 nodes with 3 candidates: (400, 3), not {got.shape}.")
    expect(
        got.min() >= 0 and got.max() <= 8,
        "with d = 9 the features have the numbers 0 to 8.",
    )
    expect(
        all(len(set(row)) == 3 for row in got.tolist()),
        "a node has drawn the same feature twice: draw without replacement.",
    )
    expect((np.sort(got, axis=1) == got).all(), "put each node's features in ascending order.")
    expect(
        len({tuple(row) for row in got.tolist()}) > 1,
        "all nodes have the same candidates: you drew once for the tree, not at every node.",
    )
    again = np.asarray(candidates(9, 3, 400, np.random.default_rng(0)))
    other = np.asarray(candidates(9, 3, 400, np.random.default_rng(1)))
    expect(
        (again == got).all() and (other != got).any(),
        "all draws must come from `rng`: the same generator gives the same candidates, another "
        "one others.",
    )
    many = np.asarray(candidates(5, 2, 5000, np.random.default_rng(2)))
    sets = [tuple(row) for row in many.tolist()]
    share = np.array([sets.count(pair) / 5000 for pair in combinations(range(5), 2)])
    expect(
        (np.abs(share - 0.1) < 0.03).all(),
        f"the 10 pairs out of 5 must be equally likely; yours have shares from "
        f"{share.min():.2f} to {share.max():.2f}.",
    )
    for apart in (*range(1, 13), 20):
        common = np.array([len(set(a) & set(b)) for a, b in zip(sets, sets[apart:])])
        for n_common, expected in ((2, 0.1), (1, 0.6), (0, 0.3)):  # of 2 out of 5
            found = np.mean(common == n_common)
            expect(
                abs(found - expected) < 0.04,
                f"node t and node t + {apart} have {n_common} candidates in common in {found:.0%} "
                f"of the cases; draws that know nothing of each other, in {expected:.0%}. Draw "
                "anew at each node, instead of dealing one shuffled order to all of them.",
            )
    every = np.asarray(candidates(4, 4, 3, np.random.default_rng(0)))
    expect((every == np.arange(4)).all(), "with m = d every node tries all features.")


@checker("forests-7")
def check_correlation(correlation):
    rng = np.random.default_rng(0)
    for rho, s2, shape in ((0.3, 4.0, (2000, 5)), (0.05, 1.0, (500, 10)), (0.8, 2.0, (30, 4))):
        shared = rng.normal(0, np.sqrt(rho * s2), size=(shape[0], 1))
        P = 7 + shared + rng.normal(0, np.sqrt((1 - rho) * s2), size=shape)
        n_sets, B = shape
        within = P.var(axis=1, ddof=1).mean()
        means = P.mean(axis=1).var(ddof=1)
        between = means - within / B
        got_rho, got_s2 = (float(value) for value in correlation(P.copy()))
        expect(
            not np.isclose(got_rho, means / (means + within)),
            "the variance of the means also holds W / B, the scatter of B trees: subtract it.",
        )
        expect(
            not np.isclose(got_s2, within),
            "the variance of a tree is within plus between; yours is only that within one "
            "training set, where the trees are independent.",
        )
        no_ddof = P.var(axis=1).mean()
        expect(
            not np.isclose(got_s2, P.mean(axis=1).var() - no_ddof / B + no_ddof),
            "use the divisors B - 1 and n_sets - 1: pass ddof=1.",
        )
        expect(
            not np.isclose(got_rho, between),
            "rho is a share: divide the shared variance by the whole.",
        )
        expect(
            np.isclose(got_rho, between / (between + within))
            and np.isclose(got_s2, between + within),
            "solve W = (1 - rho) s2 and V = rho s2 + W / B for rho and s2.",
        )
