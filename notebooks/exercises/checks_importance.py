"""Checkers of the chapter "Importance"."""

import checks_importance_plain  # noqa: F401 (registers its checkers)
import numpy as np

from treelab import DecisionTreeRegressor, RandomForestClassifier, RandomForestRegressor
from treelab.checkers import checker, expect
from treelab.fast.importance import mean_decrease_impurity

DAYS = np.array([[0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]], dtype=float).T
SOLD = np.array([2.0, 2, 2, 2, 6, 6, 14, 14])


@checker("importance-2")
def check_mean_decrease(mean_decrease):
    kiosk = DecisionTreeRegressor().fit(DAYS, SOLD)
    got = np.asarray(mean_decrease([kiosk.tree_], 2), dtype=float)
    expect(got.shape == (2,), f"two features have two importances; yours have shape {got.shape}.")
    expect(
        not np.allclose(got, [0.5, 0.5]),
        "each feature has one split here, but the total gains are 128 and 64: do not count the "
        "splits, add up their total gains, in which each node has its weight.",
    )
    expect(
        not np.allclose(got, [0.8, 0.2]),
        "you squared the total gains; they are sums of squares already.",
    )
    expect(
        not np.allclose(got, [16, 8]) and not np.allclose(got, [128, 64]),
        "divide by the sum in the end, so that the importances add up to 1.",
    )
    expect(np.isclose(got.sum(), 1), f"the importances have the sum 1; yours have {got.sum():.3g}.")
    expect(
        np.allclose(got, [2 / 3, 1 / 3]),
        "the kiosk's sun has 2/3 and the weekend 1/3: the total gain of a split is W Q of the node "
        "less W Q of each child, with the weight W of each.",
    )
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4))
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=80)
    weight = rng.integers(1, 5, size=80)
    numbers = RandomForestRegressor(7, max_depth=4, max_features=2, random_state=0)
    numbers.fit(X, y, sample_weight=weight)
    classes = RandomForestClassifier(9, max_depth=3, max_features=1, random_state=1)
    classes.fit(X, (y > np.quantile(y, 0.9)).astype(int))
    for forest in (numbers, classes):
        got = np.asarray(mean_decrease(forest.trees_, 4), dtype=float)
        expect(
            not np.allclose(got, mean_decrease_impurity(forest, normalize="tree")),
            "you divided each tree by its own sum, so that a tree that explains little counts as "
            "much as one that explains all; divide in the end.",
        )
        expect(
            np.allclose(got, mean_decrease_impurity(forest)),
            "right for one tree, wrong for a forest: divide each total gain by the weight of its "
            "tree's root, average over the trees, and divide by the sum last.",
        )
    leaf = DecisionTreeRegressor().fit(DAYS, np.ones(8))
    got = np.asarray(mean_decrease([leaf.tree_], 2), dtype=float)
    expect(
        np.array_equal(got, [0, 0]),
        "a tree that is a single leaf has no split: return zeros, and do not divide by 0.",
    )


@checker("importance-3")
def check_expected_loss(expected_loss_of_shuffling):
    kiosk = DecisionTreeRegressor().fit(DAYS, SOLD)
    X = DAYS.copy()
    got = float(expected_loss_of_shuffling(kiosk.predict, X, SOLD.copy(), 0))
    expect(np.array_equal(X, DAYS), "you changed `X` itself: work on a copy.")
    expect(
        not np.isclose(got, 320 / 7),
        "a shuffle can leave a row its own value: count the pair of a row with itself, too.",
    )
    expect(
        not np.isclose(got, 80),
        "you gave every row the wrong value; a shuffle leaves half of these values right.",
    )
    expect(
        not np.isclose(got, 20),
        "that is what a new tree loses without the column; here the same model answers, with the "
        "values of other rows.",
    )
    expect(
        not np.isclose(got, 48),
        "you shuffled whole rows, or the target: only column j moves, all others stay.",
    )
    expect(
        np.isclose(got, 40),
        f"shuffling the kiosk's sun costs 40 on average over all shuffles; you have {got:.4g}. "
        "One shuffle, or some, is not all of them.",
    )
    weekend = float(expected_loss_of_shuffling(kiosk.predict, DAYS.copy(), SOLD, 1))
    expect(
        np.isclose(weekend, 16),
        "the weekend costs 16: shuffle column j, whichever it is, in all ways.",
    )
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(12, 3)), rng.normal(size=12)
        forest = RandomForestRegressor(5, random_state=seed).fit(X, y + X[:, 0])
        before = np.mean((forest.predict(X) - y) ** 2)
        for j in range(3):
            after = []
            for i in range(12):
                turned = X.copy()
                turned[:, j] = np.roll(X[:, j], i)  # each row gets each value once
                after.append(np.mean((forest.predict(turned) - y) ** 2))
            got = float(expected_loss_of_shuffling(forest.predict, X.copy(), y.copy(), j))
            expect(
                not np.isclose(got, np.mean(after)),
                "that is the loss after the shuffle; subtract the loss of the rows as they are.",
            )
            expect(
                np.isclose(got, np.mean(after) - before),
                "right for the kiosk, wrong for a forest on 12 rows: put each of the n values "
                "into each of the n rows, keep the target with its row, and average.",
            )
