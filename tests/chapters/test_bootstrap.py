"""Facts of chapter 8: its examples, its experiments, its questions and its exercises."""

import statistics
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from sklearn.datasets import load_diabetes

from treelab import bootstrap as plain
from treelab import cart
from treelab.figures import bootstrap as figures

LATE = [2, 4, 9]
SAMPLES = list(product(LATE, repeat=3))
# The six days: temperature, and whether the ice cream sold out; and three samples of them.
DEGREES, SOLD = [[12], [16], [19], [21], [27], [30]], [0, 0, 0, 1, 1, 1]
DRAWN = [[0, 0, 3, 4, 5, 5], [0, 1, 1, 4, 5, 5], [1, 2, 3, 3, 5, 5]]


def fit(X, y):
    """The function that predicts by a grown tree."""
    return partial(cart.predict, cart.grow(X, y))


@pytest.fixture(scope="module")
def six_days():
    """The estimates of the error of a grown tree on the six days."""
    return plain.error_estimates(fit, DEGREES, SOLD, DRAWN)


@pytest.fixture(scope="module")
def off():
    """What each estimate misses the true error by, by world and learner; and the coins."""
    estimates = pd.read_csv(ROOT / "notebooks" / "replications" / "error_estimates.csv")
    names = ["naive", "loo", ".632", ".632+", "10-fold"]
    groups = estimates.groupby(["world", "learner"], sort=False)
    return {key: run[names].sub(run["truth"], axis=0) for key, run in groups}, estimates


def test_all_the_samples_there_are(page):
    medians = np.median(SAMPLES, axis=1)
    low, middle, high = (np.sum(medians == bus) for bus in LATE)
    assert low == high
    page.says(f"There are $3^3 = {len(SAMPLES)}$ ordered samples, all equally likely.")
    page.says(f"So {low} of 27. The same holds for 9; the other {middle} have the median 4.")
    total, mean = medians.sum(), medians.mean()
    page.says(rf"+ {high} \cdot 9) / 27 = {total:.0f} / 27 = {mean:.3f}$, and the")
    page.says(f"and the {mean - np.median(LATE):.3f} above 4 is the *bootstrap estimate of the")
    page.says(rf"+ {high} \cdot 9^2}}{{27}} - {mean:.3f}^2}} = {medians.std():.3f} .")
    page.says(f"where you know what should come out: {medians.std():.3f}. Mean and standard")
    page.says(f"But is {medians.std():.3f} right for the buses of your town?")
    variance, error = np.var(LATE), np.mean(SAMPLES, axis=1).std()
    page.says(f"have the variance $(3^2 + 1^2 + 4^2) / 3 = {variance:.3f}$, so")
    page.says(rf"mean is $\sqrt{{{variance:.3f} / 3}} = {error:.3f}$. The 27 samples")
    assert np.isclose(error, np.sqrt(variance / 3))


def test_an_interval_of_the_mean(page):
    every = np.sum(SAMPLES, axis=1)
    sums, counts = np.unique(every, return_counts=True)
    page.says(f"| sum | {' | '.join(map(str, sums))} |")
    page.says(f"| samples | {' | '.join(map(str, counts))} |")
    at_most = dict(zip(sums.tolist(), counts.cumsum().tolist(), strict=True))
    page.says(f"One tenth of 27 is {0.1 * 27:.1f} samples.")
    page.says(f"Only {at_most[6]} has a sum of at most 6, but {at_most[8]} have at most 8:")
    page.says(f"Nine tenths are {0.9 * 27:.1f}. At most 20 have {at_most[20]} samples,")
    page.says(f"have {at_most[20]} samples, at most 22 have {at_most[22]}: ")
    low, high = np.quantile(every, [0.1, 0.9], method="inverted_cdf")
    assert (low, high) == (8, 22)
    page.says(f"so $q_{{0.1}} = {low}/3 = {low / 3:.2f}$. Nine tenths")
    page.says(f"$q_{{0.9}} = {high}/3 = {high / 3:.2f}$. The 80% ")
    page.says(f"goes from one to the other, from {low / 3:.2f} to {high / 3:.2f} minutes.")


def test_the_monte_carlo_error(page):
    spread = page.output("b12").splitlines()[2:]
    ten, hundred, thousand, more = (float(line.split()[-1]) for line in spread)
    assert 8 < ten / thousand < 13
    assert 8 < hundred / more < 13
    page.says("A hundred times as many samples, a tenth of the spread: this *Monte Carlo error*")


def test_who_is_left_out(page):
    page.says(f"$8/27 = {(2 / 3) ** 3:.3f}$ for three cases, and soon")
    drawn = round(100 * plain.DRAWN)
    page.says(rf"\longrightarrow\; e^{{-1}} = {1 - plain.DRAWN:.3f} ,")
    page.says(f"a sample holds about {drawn} of 100 cases, some twice or more.")
    page.says(f"The other {100 - drawn} are {{term}}`out of bag`: a test set that costs nothing.")
    page.says(f"The cases that a sample leaves out, {100 - drawn} of 100, judge its model")
    page.says(f"= {1 - plain.DRAWN:.3f}$ — chance to be left out")


def test_three_trees_of_six_days(page):
    judged = {i: [] for i in range(6)}
    for b, rows in enumerate(DRAWN, 1):
        tree = cart.grow(*plain.take(rows, DEGREES, SOLD))
        (cut,) = (t["threshold"] for t in cart.inner(tree))
        words = []
        for i in sorted(set(range(6)) - set(rows)):
            answer = cart.predict(tree, DEGREES[i])
            judged[i].append(int(answer != SOLD[i]))
            wrong = ", **wrong**" if judged[i][-1] else ""
            words.append(f"{DEGREES[i][0]}: {('no', 'yes')[answer]}{wrong}")
        drawn = ", ".join(str(DEGREES[i][0]) for i in rows)
        page.says(f"| {b} | {drawn} | {cut:g} | {'; '.join(words)} |")
    assert list(judged.values()) == [[0], [0], [1, 0], [1], [0], []]
    page.says("Day 19 has two judges, one of them wrong: $1/2$. Day 21 has 1; days 12, 16 and 27")


def test_estimates_of_six_days(page, six_days):
    loo, limit, plus = (six_days[name] for name in ("loo", "gamma", ".632+"))
    assert six_days["apparent"] == 0
    assert round(six_days["naive"], 3) == 0.111
    page.says("The {term}`training error` of the tree of all six days is 0: too low.")
    page.says(rf"$\text{{loo}} = (1/2 + 1 + 0 + 0 + 0) / 5 = {loo:g}$.")
    page.says(rf"$0.368 \cdot 0 + 0.632 \cdot {loo:g} = {six_days['.632']:.3f}$. Is that better?")
    rate = loo / limit
    weight = 0.632 / (1 - 0.368 * rate)
    page.says(rf"so $L_0 = {limit:g}$, the rate is $0.3 / {limit:g} = {rate:g}$, $\omega")
    page.says(rf"\omega = 0.632 / (1 - 0.368 \cdot {rate:g}) = {weight:.3f}$ and .632+ is")
    page.says(rf".632+ is ${weight:.3f} \cdot {loo:g} = {plus:.3f}$.")


def test_estimates_on_coins(page, off):
    page.says(rf"and .632 says $0.632 \cdot 0.5 = {0.632 * 0.5:.3f}$. The 0 was not a little")
    page.says(rf"known ones included: on coins $0.368 \cdot 0.5 = {0.368 * 0.5:.3f}$. The six")
    assert plain.plus_estimate(0, 0.5, 0.5) == 0.5
    page.says(r"the rate is 1, $\omega = 0.632 / (1 - 0.368) = 1$, and .632+ is 0.5.")
    estimates = off[1].groupby(["world", "learner"])[["naive", ".632"]].mean()
    tree = estimates.loc["coins", "tree"].round(3)
    assert tree["naive"] == 0.183
    page.says(f"on the coins {tree['.632']:.3f}, where paper said {0.632 * 0.5:.3f}.")


def test_the_steps_of_the_algorithm_are_functions():
    assert {"draw_samples", "bootstrap", "standard_error"} <= set(dir(plain))


def test_a_wait_of_300_minutes(page):
    names = page.run("b25")
    waits, samples = names["waits"], names["thousand_samples"]
    longest = waits.index(max(waits))
    before = plain.standard_error(plain.bootstrap(statistics.median, samples, waits))
    medians = plain.bootstrap(
        statistics.median, samples, [*waits[:longest], 300, *waits[longest + 1 :]]
    )
    page.says(f"The median's goes from {before:.2f} to {plain.standard_error(medians):.2f}.")
    far = sum(median > 150 for median in medians)
    assert far == sum(rows.count(longest) >= 5 for rows in samples)
    page.says(f"{in_words(far).title()} samples of the thousand hold the 300 five times")
    page.says("hold the 300 five times, and their medians lie above 150.")


def test_how_sure_is_a_number(page):
    table = page.table("b27")
    found, error = table.loc["correlation", ["estimate", "standard error"]]
    page.says(f"The correlation is {found:.2f}, give or take {error:.2f}.")
    back, below = (float(line.split(":")[1]) for line in page.output("b29").splitlines())
    page.says(f"The cut comes back in {100 * back:.0f} of 100 samples; in {100 * below:.0f} of 100")
    caption = page.caption("b28")
    cut = table.loc["cut", "estimate"]
    caption.says(f"asked of the data themselves (dashed line, {cut:g}) and of 500 bootstrap")
    caption.says(f"A dashed line stands at {cut:g}.")
    assert page.output("b29").startswith(f"just {cut:g}: ")


def test_errors_on_sonar(page):
    low, *_, high = np.sort(page.table("b31").loc["error"])
    page.says(f"From {low:g} to {high:.2f} for the same tree. Which is right?")


def test_errors_where_the_truth_is_known(page, off):
    runs, _ = off
    bias = pd.DataFrame({key: run.mean() for key, run in runs.items()})
    assert len(runs) == 6
    assert {len(run) for run in runs.values()} == {200}
    assert (bias.loc["naive"] < -0.13).all()
    assert (bias.loc[".632"] < -0.07).all()
    assert bias.loc[".632+"].between(-0.055, -0.02).all()
    assert bias.loc["loo"].between(0, 0.03).all()
    assert bias.loc["10-fold"].between(0, 0.015).all()
    assert all(run["loo"].std() < run["10-fold"].std() for run in runs.values())
    page.says(f"and .632 is too low in all {in_words(len(runs))}: on the coins")
    page.says(f"loo is too high by at most {bias.loc['loo'].max():.2f}, but scatters less")
    alt = page.caption("b33")
    below = (-bias).round(2)
    for name, start in (("naive", "Naive lies"), (".632", ".632"), (".632+", ".632+")):
        ends = below.loc[name].max(), below.loc[name].min()
        between = "between minus {:.2f} and minus {:.2f}, ".format(*ends)
        alt.says(f"{start} {between}")
    alt.says(f"loo between 0 and {bias.loc['loo'].max():.2f}, .632 between")
    alt.says(f"10-fold between 0 and {bias.loc['10-fold'].max():.3f}.")


def test_few_cases(page):
    holds = page.output("b38").splitlines()[2:]
    ten, twenty, eighty = (float(line.split()[-1]) for line in holds)
    assert ten < twenty < 0.9
    assert 0.93 < eighty < 0.95
    page.says("With 80 it nearly keeps its word.")


def test_the_largest_of_ten(page):
    page.says(f"with the chance $1 - 0.9^{{10}} = {1 - 0.9**10:.3f}$:")
    assert 0.63 < float(page.output("b40")) < 0.67
    page.says("Two thirds of the bootstrap distribution sit on one value")


def test_neighbors_in_time(page):
    exact = figures.standard_error_of_series(100)
    means = figures.series(1000, 100, np.random.default_rng(0)).mean(axis=1)
    assert abs(means.std() / exact - 1) < 2.5 / np.sqrt(2 * 1000)
    printed = page.output("b43").split()
    assert float(printed[1]) == exact.round(3)
    single, *blocks = (float(line.split()[1]) for line in page.output("b43").splitlines()[-4:])
    assert single < exact / 3
    assert all(0.55 * exact < claim < 0.72 * exact for claim in blocks)
    page.says("Single days claim less than a third of the truth.")


def test_questions(page):
    missed = (1 - 1 / 30) ** 30
    page.says(f"About {1 - missed:.2f} of the replicates equal your fastest run for any B.")
    page.says(f"About {missed:.2f} of the samples miss the fastest run.")
    plus, rate = plain.plus_estimate(0, 0.4, 0.5), 0.4 / 0.5
    weight = 0.632 / (1 - 0.368 * rate)
    page.says(f"What do you think of the .632 estimate, {0.632 * 0.4:.3f}?")
    page.says(f"Probably too low; .632+ gives {plus:.3f}.")
    page.says(rf"the weight is $0.632 / (1 - 0.368 \cdot {rate:g}) = {weight:.3f}$, and")
    page.says(rf"and ${weight:.3f} \cdot 0.4 = {plus:.3f}$.")


# Exercises


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
    enough = next(n for n in range(2, 1000) if (n - 1) / n > 0.99**2)
    page.says(f"$1 - 1/n > {0.99**2:g}$, that is $n > {1 / (1 - 0.99**2):.2f}$")
    page.says(f"from {enough} cases on. ```")


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
