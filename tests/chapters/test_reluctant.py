"""Facts of chapter 15: the answers to its exercises."""

from itertools import product
from math import sqrt

import numpy as np
import pandas as pd
from facts import in_words
from scipy.stats import binom, t

from treelab import RandomForestClassifier
from treelab.cart import cases_of
from treelab.datasets import fetch_ionosphere
from treelab.fast.growing import split_table
from treelab.fast.importance import mean_decrease_impurity
from treelab.fast.selection import (
    CFSSelector,
    FCBFSelector,
    RegularizedForestSelector,
    guided_penalties,
    selection_stability,
)
from treelab.regularized import grow

BUSES = [[0, 8, 0], [0, 10, 1], [0, 13, 0], [0, 14, 1], [1, 9, 1], [1, 11, 1]]
BUSES += [[1, 12, 1], [1, 14, 1], [1, 15, 0], [1, 16, 1]]
LATE = [1, 0, 0, 0, 1, 1, 1, 1, 0, 1]
BITS = np.repeat(list(product([0, 1], repeat=4)), 4, axis=0)
ODD = BITS[:, 0] ^ BITS[:, 1]


def gains_of(rows):
    """The best gain of rain, hour and driver among some buses."""
    table = split_table(BUSES[rows], LATE[rows], criterion="entropy")
    gains = table.groupby("feature")["gain"].max()
    return [float(gains.get(f"x[{j}]", 0)) for j in range(3)]


def entered(side, penalty):
    """The node in which each column entered; with a side of -1 the rainy side is grown first."""
    X, selected = [[side * x[0], *x[1:]] for x in BUSES], {}
    grow(cases_of(X, LATE), lambda path: range(3), 3, [penalty] * 3, selected)
    return {"rain hour driver".split()[j]: path for j, (path, _) in selected.items()}


def entropy_gains(X, y):
    """The gains of all splits of a table."""
    return split_table(X, y, criterion="entropy")["gain"]


def test_ten_buses(page):
    root, dry, wet = (gains_of(rows) for rows in (slice(10), slice(4), slice(4, 10)))
    assert dry[0] == wet[0] == 0
    page.says("at the root {:.3f} for rain, {:.3f} for the hour, {:.3f} for the".format(*root))
    page.says("on dry days {1:.3f} for the hour, {2:.3f} for the driver".format(*dry))
    page.says("in the rain {1:.3f} for the hour, {2:.3f} for the driver".format(*wet))
    page.says(f"$0.317 / 0.650$, with unrounded gains {wet[1] / wet[2]:.3f}; at the tie, too")
    page.says(f"$0.311 / 0.811$, with unrounded gains about {dry[2] / dry[1]:.3f}.")
    assert entered(1, 0.49) == entered(1, 1) == {"rain": "0", "hour": "0L", "driver": "0R"}
    assert entered(1, 0.48) == entered(1, 0.01) == {"rain": "0", "hour": "0L"}
    assert entered(-1, 0.39) == {"rain": "0", "driver": "0L", "hour": "0R"}
    assert entered(-1, 0.38) == entered(-1, 0.01) == {"rain": "0", "driver": "0L", "hour": "0RL"}


def test_exactly_one_of_two_by_hand(page):
    assert entropy_gains(BITS, ODD).abs().max() < 1e-12
    sample = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], [13, 20, 17, 14], axis=0)
    answer = sample[:, 0] ^ sample[:, 1]
    a, b = entropy_gains(sample, answer)
    (c,) = entropy_gains(
        np.repeat([[0], [1]], [30, 34], axis=0), np.repeat([0, 1] * 2, [16, 14, 11, 23])
    )
    page.says(f"(b) {a:.4f}, {b:.4f} and {c:.4f} bits: c enters.")
    below = [entropy_gains(sample[rows], answer[rows]).max() for rows in
             (sample[:, 0] == 0, sample[:, 0] == 1)]  # fmt: skip
    page.says("b would gain {:.3f} and {:.3f} bits below it.".format(*below))
    for selector in (
        RegularizedForestSelector(1.0, bootstrap=False), CFSSelector(), FCBFSelector()
    ):  # fmt: skip
        assert not selector.fit(BITS, ODD).support_.any()


def firsts(**settings):
    """How many of 100 first trees begin with one of the two columns."""
    chosen = [
        RegularizedForestSelector(n_estimators=1, random_state=s, **settings).fit(BITS, ODD)
        for s in range(100)
    ]
    return sum(one.steps_[0]["feature"] in ("x0", "x1") for one in chosen if one.steps_)


def test_exactly_one_of_two_over_seeds(page):
    forest = RandomForestClassifier(100, random_state=0).fit(BITS, ODD)
    importances = mean_decrease_impurity(forest)
    page.says("finds {:.2f}, {:.2f}, {:.2f} and {:.2f} for the importances".format(*importances))
    penalties = guided_penalties(importances, penalty=1.0, gamma=0.5)
    page.says("The penalties are {:.2f}, {:g}, {:.2f} and {:.2f}: c must gain".format(*penalties))
    page.says(f"it is a tenth. 100 seeds gave {firsts(penalty=0.5)} of 100.")
    guided = {"penalty": 1.0, "importance_guided": 0.5}
    page.says(f"these are c and d. 100 seeds gave {firsts(**guided)} of 100.")
    for settings in ({}, guided):
        assert all(
            RegularizedForestSelector(random_state=s, **settings).fit(BITS, ODD).support_.all()
            for s in range(10)
        )
    page.says("After 100 trees all four columns were in with each of ten seeds, guided or not.")


def test_wins_losses_ties(page):
    page.says(rf"$144 \cdot 0.05 = {18 * 8 * 0.05:.1f}$ in all and {18 * 0.05:.1f} in a cell")
    two = 1 - binom.cdf(1, 18, 0.05)
    page.says(rf"$1 - 0.95^{{18}} - 18 \cdot 0.05 \cdot 0.95^{{17}} = {two:.2f}$. It concerns")
    page.says(rf"(0.012 / \sqrt{{10}}) = {0.010 / (0.012 / sqrt(10)):.2f}$: a win.")
    corrected = 0.020 * sqrt(1 / 20 + 1)
    page.says(rf"$0.020 \sqrt{{1.05}} = {corrected:.4f}$, so $t = {0.010 / corrected:.2f}$: a tie.")
    limits = t.ppf(0.975, [9, 19])
    page.says("with the limits {:.3f} and {:.3f}?".format(*limits))
    page.says(rf"(d) ${limits[1]:.3f} \cdot 0.0205 = {corrected * limits[1]:.3f}$. A tie says")


def test_a_set_and_its_price(page):
    echoes, state = (np.asarray(part) for part in fetch_ionosphere(return_X_y=True))
    d, tried, sets = echoes.shape[1], [], {0.1: [], 0.5: []}
    for half in range(10):
        rng = np.random.default_rng(half)
        order = rng.permutation(len(state))
        learn, judge = order[: len(order) // 2], order[len(order) // 2 :]
        shuffled = rng.permuted(echoes[:, rng.permutation(d)[:10]], axis=0)
        wide = np.hstack([echoes, shuffled])

        def wrong_with(some, learn=learn, judge=judge, half=half):
            forest = RandomForestClassifier(100, random_state=half)
            said = forest.fit(echoes[learn][:, some], state[learn]).predict(echoes[judge][:, some])
            return np.mean(said != state[judge])

        row = {"all": wrong_with(np.arange(d))}
        for penalty, found in sets.items():
            selector = RegularizedForestSelector(penalty, random_state=half)
            kept = selector.fit(wide[learn], state[learn]).support_
            found.append(kept[:d])
            row["kept", penalty], row["shuffled", penalty] = kept[:d].sum(), kept[d:].sum()
            row["wrong", penalty] = wrong_with(np.flatnonzero(kept[:d]))
            row["lot", penalty] = wrong_with(rng.permutation(d)[: kept[:d].sum()])
        tried.append(row)
    tried = pd.DataFrame(tried)
    mean, loss, gain = (
        tried.mean(), tried["wrong", 0.5] - tried["all"], tried["lot", 0.5] - tried["wrong", 0.5],
    )  # fmt: skip
    kept, shuffled = mean["kept", 0.5], mean["shuffled", 0.5]
    page.says(
        f"the forest kept {kept:.1f} of the {d} on average, and {shuffled:.1f} of the ten shuffled "
        f"ones: {100 * kept / d:.0f} percent and {10 * shuffled:.0f}."
    )
    page.says(
        f"wrong in {mean['wrong', 0.5]:.3f} of the rows, with all columns in {mean['all']:.3f}, "
        f"with as many that I drew by lot in {mean['lot', 0.5]:.3f}."
    )
    page.says(
        f"the loss is {loss.mean():.3f}, with a standard deviation of {loss.std():.3f} over the "
        f"splits; against the lot the gain is {gain.mean():.3f}, with {gain.std():.3f}, which"
    )
    page.says(
        f"With a penalty of 0.1 it kept {mean['kept', 0.1]:.1f}, and {mean['shuffled', 0.1]:.1f} "
        f"shuffled ones, with an error of {mean['wrong', 0.1]:.3f} beside {mean['lot', 0.1]:.3f}"
    )
    weak, strong = (
        selection_stability(np.array(sets[penalty])).value["nogueira"] for penalty in (0.5, 0.1)
    )
    page.says(f"corrected for chance, is {weak:.2f} and {strong:.2f}.")
    assert in_words(round(kept)) == "twelve"
    page.says("a dozen of them will do, whichever.")
