"""Checkers of the chapter "Random forests"."""

from itertools import combinations

import checks_forests_plain  # noqa: F401 (registers its checkers)
import numpy as np

from treelab.checkers import checker, expect


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
        f"the 10 pairs out of 5 must be equally likely, but yours have proportions from "
        f"{share.min():.2f} to {share.max():.2f}.",
    )
    for apart in (*range(1, 13), 20):
        common = np.array([len(set(a) & set(b)) for a, b in zip(sets, sets[apart:])])
        for n_common, expected in ((2, 0.1), (1, 0.6), (0, 0.3)):  # of 2 out of 5
            found = np.mean(common == n_common)
            expect(
                abs(found - expected) < 0.04,
                f"node t and node t + {apart} have {n_common} candidates in common in {found:.0%} "
                f"of the cases, and independent draws in {expected:.0%}. Draw "
                "anew at each node, instead of dealing one shuffled order to all of them.",
            )
    every = np.asarray(candidates(4, 4, 3, np.random.default_rng(0)))
    expect((every == np.arange(4)).all(), "with m = d every node tries all features.")
