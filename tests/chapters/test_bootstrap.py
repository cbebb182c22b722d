"""Facts of chapter 7: the answers to its exercises."""

from functools import partial
from itertools import product

import numpy as np
from sklearn.datasets import load_diabetes

LATE = [2, 4, 9]
SAMPLES = list(product(LATE, repeat=3))


def test_the_longest_wait(page):
    longest = np.array([max(sample) for sample in SAMPLES])
    times = [np.sum(longest == k) for k in LATE]
    page.says("2, 4 or 9 in {}, {} and {} of the 27 samples".format(*times))
    page.says(f"/ 27 = {longest.mean():.3f}$, the bias ${longest.mean() - 9:.3f}$.")
    page.says(rf"so the standard error is $\sqrt{{61.296 - 7.444^2}} = {longest.std():.3f}$")
    low, high = np.quantile(longest, [0.1, 0.9], method="inverted_cdf")
    page.says(f"2.7 samples are reached at 4, 24.3 at 9: from {low} to {high}.")


def test_how_many_buses_are_drawn(page):
    different = np.array([len(set(sample)) for sample in SAMPLES])
    none, one, two, all_ = np.bincount(different)
    assert none == 0
    page.says(
        f"{one} samples repeat one bus, $3! = {all_}$ hold all three, the other {two} hold two"
    )
    assert np.isclose(different.var(), 26 / 81)
    page.says(f"the variance $129/27 - (19/9)^2 = 26/81 = {different.var():.3f}$.")
    page.says(
        rf"(b) $3 \cdot \frac{{19}}{{27}} \cdot \frac{{8}}{{27}} = {3 * 19 / 27 * 8 / 27:.3f}$"
    )


def test_two_standard_errors_of_a_mean(page):
    exact = np.mean(SAMPLES, axis=1).std()
    page.says(f"bootstrap standard error of the mean of 2, 4 and 9 was {exact:.3f}.")
    page.says(f"divides by $n - 1$ and gets {np.std(LATE, ddof=1) / np.sqrt(3):.3f}.")


def test_how_sure_is_a_quantile(page):
    rng, quantile = np.random.default_rng(0), partial(np.quantile, q=0.9, axis=-1)
    progress = load_diabetes(scaled=False).target
    replicates = quantile(progress[rng.integers(442, size=(1000, 442))])
    low, high = np.quantile(replicates, [0.025, 0.975])
    page.says(
        f"takes the 90% quantile of the progress: {quantile(progress):.0f}, standard error "
        f"{replicates.std(ddof=1):.1f}, interval from {low:g} to {high:g}."
    )
    held = 0
    for _ in range(500):
        x = progress[rng.integers(442, size=442)]
        low, high = np.quantile(quantile(x[rng.integers(442, size=(200, 442))]), [0.025, 0.975])
        held += low <= quantile(progress) <= high
    page.says(f"Among 500 sets of 442 drawn from these people, {held / 5:.0f} in 100 intervals")
