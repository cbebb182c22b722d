"""Facts of chapter 3: the answers to its exercises."""

import numpy as np
from facts import in_words

from treelab import DecisionTreeClassifier, cart
from treelab.datasets import fetch_german_credit
from treelab.fast.growing import split_table

SIX, CLASSES = [[2], [3], [5], [7], [7], [8]], list("aababb")


def test_six_rows_by_hand(page):
    gains = split_table(SIX, CLASSES).gain
    assert np.allclose(gains, [0.1, 0.25, 1 / 18, 0.1])
    page.says(rf"Remainder $\frac46 \cdot 0.375 = 0.25$, gain {gains[1]:g}.")
    page.says(rf"Remainder $\frac49$, gain $\frac1{{18}} = {gains[2]:.3f}$.")
    page.says(
        "2 a, 3 b has $Q = 1 - 0.4^2 - 0.6^2 = 0.48$. Remainder "
        rf"$\frac56 \cdot 0.48 = 0.4$, gain {gains[0]:.1f}."
    )
    page.says(rf"right is pure. Remainder $\frac56 \cdot 0.48 = 0.4$, gain {gains[3]:.1f}.")
    page.says(f"CART chooses {cart.best_cut(cart.cases_of(SIX, CLASSES))[2]:g}. (b) The left side")


def test_six_rows_grown_on(page):
    tree = cart.grow(SIX, CLASSES)
    cuts = [node["cut"] for node in cart.inner(tree)]
    assert cuts[:2] == [4, 6]
    page.says(f"The rest, 7 a, 7 b, 8 b, is cut at {cuts[2]:g}")
    sizes = [leaf["n"] for leaf in cart.leaves(tree)]
    assert sizes == [2, 1, 2, 1]
    wrong = sum(cart.predict(tree, x) != y for x, y in zip(SIX, CLASSES, strict=True))
    page.says(f"{in_words(len(sizes)).capitalize()} leaves, {in_words(wrong)} training error.")


def test_a_tree_for_one_page(page):
    X, y = fetch_german_credit(return_X_y=True)
    gains = split_table(X, y).groupby("feature")["gain"].max().nlargest(2)
    page.says(
        f"`{gains.index[0]}` wins the root with a gain of {gains.iloc[0]:.3f}, where the best "
        f"split of the next feature, `{gains.index[1]}`, gains {gains.iloc[1]:.3f}."
    )
    page.says(f"Does `purpose`, with its {in_words(X['purpose'].nunique())} levels, earn its place")
    right, good = [], []
    for seed in range(20):
        train, test = np.split(np.random.default_rng(seed).permutation(len(y)), [700])
        good.append(np.mean(y.iloc[test] == "good"))
        tree = DecisionTreeClassifier(max_depth=3)
        for Z in (X, X.drop(columns="purpose")):
            tree.fit(Z.iloc[train], y.iloc[train])
            right.append(round(300 * tree.score(Z.iloc[test], y.iloc[test])))
    right = np.reshape(right, (20, 2))
    with_it, without = right.mean(axis=0) / 3
    ahead, behind, even = (np.sum(np.sign(-np.diff(right)) == sign) for sign in (1, -1, 0))
    page.says(
        f"it are right on {with_it:.1f} % of the test rows, without it on {without:.1f} %; "
        f"{ahead} splits favor it, {behind} the other version, {even} neither."
    )
    page.says(f"without any tree, is right on {100 * np.mean(good):.1f} %, too.")
