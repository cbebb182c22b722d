"""Facts of chapter 8: its examples, its experiments, its questions and its exercises."""

import re
import statistics
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from sklearn.datasets import load_diabetes
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier as SklearnTree

from treelab import bootstrap as plain
from treelab import cart
from treelab.datasets import fetch_sonar
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
    page.says(f"There are $3^3 = {len(SAMPLES)}$ equally likely ordered samples.")
    three, two = (sum(s.count(2) == k for s in SAMPLES) for k in (3, 2))
    page.says(f"In {in_words(three)} sample, all three delays are 2 minutes.")
    page.says(f"In {in_words(two)} samples, exactly two delays are 2 minutes, because the other")
    page.says(f"These are {low} of the 27 samples.")
    assert three + two == low
    page.says(f"is 9 minutes in {high} samples and 4 minutes in the other {middle} samples.")
    total, mean = medians.sum(), medians.mean()
    page.says(rf"+ {high} \cdot 9) / 27 = {total:.0f} / 27 = {mean:.3f}$ minutes")
    page.says(f"which exceeds the median of the data by {mean - np.median(LATE):.3f} minutes.")
    page.says(rf"+ {high} \cdot 9^2}}{{27}} - {mean:.3f}^2}} = {medians.std():.3f} .")
    page.says(f"the standard error of the median is {medians.std():.3f} minutes. We estimate")
    variance, error = np.var(LATE), np.mean(SAMPLES, axis=1).std()
    page.says(f"Their variance is $(3^2 + 1^2 + 4^2) / 3 = {variance:.3f}$, and the standard")
    page.says(rf"mean is $\sqrt{{{variance:.3f} / 3}} = {error:.3f}$ minutes. The table shows")
    assert np.isclose(error, np.sqrt(variance / 3))


def test_an_interval_of_the_mean(page):
    every = np.sum(SAMPLES, axis=1)
    sums, counts = np.unique(every, return_counts=True)
    page.says(f"| sum in minutes | {' | '.join(map(str, sums))} |")
    page.says(f"| number of samples | {' | '.join(map(str, counts))} |")
    at_most = dict(zip(sums.tolist(), counts.cumsum().tolist(), strict=True))
    page.says(f"One tenth of 27 samples is {0.1 * 27:.1f}. Only")
    few, more = in_words(at_most[6]), in_words(at_most[8])
    page.says(
        f"Only {few} sample has a sum of at most 6, but {more} samples have a sum of at most 8"
    )
    page.says(f"Nine tenths of 27 samples are {0.9 * 27:.1f}. A sum of at most 20 occurs in")
    page.says(f"in {at_most[20]} samples, and a sum of at most 22 occurs in {at_most[22]} samples")
    low, high = np.quantile(every, [0.1, 0.9], method="inverted_cdf")
    assert (low, high) == (8, 22)
    page.says(f"Therefore $q_{{0.1}} = {low}/3 = {low / 3:.2f}$. Nine tenths")
    page.says(f"Therefore $q_{{0.9}} = {high}/3 = {high / 3:.2f}$. The 80% ")
    page.says(f"of the mean extends from {low / 3:.2f} to {high / 3:.2f} minutes.")


def test_the_monte_carlo_error(page):
    spread = page.output("b12").splitlines()[2:]
    ten, hundred, thousand, more = (float(line.split()[-1]) for line in spread)
    assert 8 < ten / thousand < 13
    assert 8 < hundred / more < 13
    page.says("With a hundred times as many samples, the spread is only about a tenth as large.")


def test_who_is_left_out(page):
    missed = page.table("b14")["left out"]
    assert np.isclose(missed.iloc[0], (2 / 3) ** 3, atol=6e-4)
    page.says("The table shows how quickly this probability approaches the limit.")
    assert missed.is_monotonic_increasing
    drawn = round(100 * plain.DRAWN)
    page.says(rf"\longrightarrow\; e^{{-1}} = {1 - plain.DRAWN:.3f} .")
    page.says(
        f"A large sample thus contains about {drawn} of 100 observations, some more than once."
    )
    page.says(f"The other {100 - drawn} observations are {{term}}`out of bag`, so they can serve")
    page.says(f"because each model has seen only about {drawn} of 100 observations.")
    page.says(f"A sample leaves out about {100 - drawn} of 100 observations, on which its model")
    page.says(f"= {1 - plain.DRAWN:.3f}$ — probability of being left out")


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
    page.says(
        "Two trees have not seen day 19, and one of them is wrong, so this day has a mean loss of "
        "$1/2$."
    )
    page.says("Day 21 has a mean loss of 1, and days 12, 16 and 27 have a mean loss of 0.")
    page.says("have a mean loss of 0. Day 30 is in every sample, so it is not a new day for any")


def test_estimates_of_six_days(page, six_days):
    loo, limit, plus = (six_days[name] for name in ("loo", "gamma", ".632+"))
    assert six_days["apparent"] == 0
    assert round(six_days["naive"], 3) == 0.111
    page.says("`training error` of the tree grown on all six days is 0, which is too low.")
    page.says(rf"$\text{{loo}} = (1/2 + 1 + 0 + 0 + 0) / 5 = {loo:g}$.")
    page.says(rf"$0.368 \cdot 0 + 0.632 \cdot {loo:g} = {six_days['.632']:.3f}$. To test this")
    rate = loo / limit
    weight = 0.632 / (1 - 0.368 * rate)
    page.says(rf"so $L_0 = {limit:g}$ and the rate is $0.3 / {limit:g} = {rate:g}$. This gives")
    page.says(rf"\omega = 0.632 / (1 - 0.368 \cdot {rate:g}) = {weight:.3f}$, and the .632+")
    page.says(rf"the .632+ estimate is ${weight:.3f} \cdot {loo:g} = {plus:.3f}$.")


def test_estimates_on_coins(page, off):
    page.says(rf"so the .632 estimate is only $0.632 \cdot 0.5 = {0.632 * 0.5:.3f}$.")
    page.says(
        rf"example, this estimate is only $0.368 \cdot 0.5 = {0.368 * 0.5:.3f}$, because no model"
    )
    assert plain.plus_estimate(0, 0.5, 0.5) == 0.5
    page.says(
        r"rate is 1, the weight is $\omega = 0.632 / (1 - 0.368) = 1$, and the .632+ estimate is "
        "0.5. For the six days"
    )
    estimates = off[1].groupby(["world", "learner"])[["naive", ".632"]].mean()
    tree = estimates.loc["coins", "tree"].round(3)
    assert tree["naive"] == 0.183
    assert tree[".632"] == 0.317


def test_the_steps_of_the_algorithm_are_functions():
    assert {"draw_samples", "bootstrap", "standard_error"} <= set(dir(plain))


def test_a_very_long_delay(page):
    names = page.run("b25")
    delays, samples = names["delays"], names["thousand_samples"]
    assert delays == figures.BUSES.tolist()
    longest = delays.index(max(delays))
    later = [*delays[:longest], 10 * delays[longest], *delays[longest + 1 :]]
    before = plain.standard_error(plain.bootstrap(statistics.median, samples, delays))
    medians = plain.bootstrap(statistics.median, samples, later)
    rises = {
        f: plain.standard_error(plain.bootstrap(f, samples, later))
        - plain.standard_error(plain.bootstrap(f, samples, delays))
        for f in (statistics.fmean, statistics.median, max)
    }
    assert min(rises, key=rises.get) is statistics.median
    after = plain.standard_error(medians)
    page.says(f"of the median increases the least, from {before:.2f} to {after:.2f} minutes.")
    far = sum(median > 140 for median in medians)
    assert far == sum(rows.count(longest) >= 5 for rows in samples)
    page.says(
        f"{in_words(far).title()} of the thousand samples contain the longest delay at least five "
    )
    page.says("delay at least five times, so their medians lie above 140 minutes.")


def test_how_sure_is_a_number(page):
    table = page.table("b27")
    found, error = table.loc["correlation", ["estimate", "standard error"]]
    page.says(
        f"The correlation has a standard error of {error:.2f}, so its estimate of {found:.2f} is"
    )
    back, below = (float(line.split(":")[1]) for line in page.output("b29").splitlines())
    page.says(
        f"Only {100 * back:.0f} of 100 samples give the original threshold, and "
        f"{100 * below:.0f} give a threshold below 26.5"
    )
    page.says("a threshold below 26.5, so the threshold is unstable")
    caption = page.caption("b28")
    cut = table.loc["threshold", "estimate"]
    caption.says(f"for the data themselves (dashed line, {cut:g}) and for 500 bootstrap samples.")
    caption.says(f"A dashed line stands at {cut:g}.")
    assert page.output("b29").startswith(f"exactly {cut:g}: ")


def test_errors_on_sonar(page):
    low, *_, high = np.sort(page.table("b31").loc["error"])
    assert low == 0
    assert high > 0.3
    page.says("To find out which of these estimates is right, we use three problems")


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
    page.says(f"the .632 estimate is too low in all {in_words(len(runs))} cases. Cross-validation")
    page.says(
        f"leave-one-out bootstrap overestimates the error by up to {bias.loc['loo'].max():.2f} on"
    )
    spread = pd.DataFrame({key: run.std() for key, run in runs.items()}).mean(axis=1)
    assert 0.7 < spread["loo"] / spread["10-fold"] < 0.77
    page.says("on average, but its [standard deviation](hood-bootstrap-miss) is a quarter lower")
    alt = page.caption("b33")
    alt.says(f".632+ is too low by up to {-bias.loc['.632+'].min():.2f}.")
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
    page.says(f"the true mean in only {100 * ten:.0f} of 100 data sets.")
    page.says("With 80 observations, the proportion is close to the nominal 95%.")


def test_the_largest_of_ten(page):
    page.says(f"which happens with probability $1 - 0.9^{{10}} = {1 - 0.9**10:.3f}$.")
    assert 0.63 < float(page.output("b40")) < 0.67
    page.says("About two thirds of the replicates have the same value")


def test_neighbors_in_time(page):
    exact = figures.standard_error_of_series(100)
    means = figures.series(1000, 100, np.random.default_rng(0)).mean(axis=1)
    assert abs(means.std() / exact - 1) < 2.5 / np.sqrt(2 * 1000)
    printed = page.output("b43").split()
    assert float(printed[1]) == exact.round(3)
    single, *blocks = (float(line.split()[1]) for line in page.output("b43").splitlines()[-4:])
    assert single < exact / 3
    assert all(0.55 * exact < claim < 0.72 * exact for claim in blocks)
    page.says("the bootstrap gives less than a third of the true standard error.")


def test_the_recipe_of_scikit_learn(page):
    """Its standard error is near that of the plain bootstrap of the same pairs."""
    auc, error = re.match(r"AUC (\S+), standard error (\S+)", page.output("b45-recipe")).groups()
    echo, kind = (part.to_numpy() for part in fetch_sonar(return_X_y=True))
    E, E_test, k, k_test = train_test_split(echo, kind, test_size=0.5, random_state=0)
    scores = SklearnTree(max_depth=3, random_state=0).fit(E, k).predict_proba(E_test)[:, 1]
    targets = k_test == "R"
    assert f"{roc_auc_score(targets, scores):.3f}" == auc
    rows = np.random.default_rng(1).integers(len(targets), size=(500, len(targets)))
    replicates = [roc_auc_score(targets[r], scores[r]) for r in rows]
    assert abs(np.std(replicates, ddof=1) / float(error) - 1) < 0.1


def test_questions(page):
    missed = (1 - 1 / 30) ** 30
    page.says(f"About {1 - missed:.2f} of the replicates equal your fastest run for any B.")
    page.says(f"About {missed:.2f} of the samples miss the fastest run.")
    plus, rate = plain.plus_estimate(0, 0.4, 0.5), 0.4 / 0.5
    weight = 0.632 / (1 - 0.368 * rate)
    page.says(f"What do you think of the .632 estimate, {0.632 * 0.4:.3f}?")
    page.says(f"It is probably too low, because .632+ gives {plus:.3f}.")
    page.says(rf"the weight is $0.632 / (1 - 0.368 \cdot {rate:g}) = {weight:.3f}$, and")
    page.says(rf"and ${weight:.3f} \cdot 0.4 = {plus:.3f}$.")


# Exercises


def test_the_longest_wait(page):
    longest = np.array([max(sample) for sample in SAMPLES])
    times = [np.sum(longest == k) for k in LATE]
    page.says("2, 4 or 9 in {}, {} and {} of the 27 samples".format(*times))
    page.says(f"/ 27 = {longest.mean():.3f}$, and the bias is ${longest.mean() - 9:.3f}$.")
    page.says(rf"so the standard error is $\sqrt{{61.296 - 7.444^2}} = {longest.std():.3f}$")
    low, high = np.quantile(longest, [0.1, 0.9], method="inverted_cdf")
    page.says(f"reached at 4 and nine tenths (24.3) at 9, so the interval is from {low} to {high}.")


def test_how_many_buses_are_drawn(page):
    different = np.array([len(set(sample)) for sample in SAMPLES])
    none, one, two, all_ = np.bincount(different)
    assert none == 0
    page.says(
        f"In {one} samples one bus is repeated three times, $3! = {all_}$ samples contain all"
    )
    page.says(f"contain all three buses, and the other {two} contain two.")
    assert np.isclose(different.var(), 26 / 81)
    page.says(f"and the variance is $129/27 - (19/9)^2 = 26/81 = {different.var():.3f}$.")
    page.says(
        r"(b) It would be $3 \cdot \frac{19}{27} \cdot \frac{8}{27} = "
        f"{3 * 19 / 27 * 8 / 27:.3f}$, nearly twice as much."
    )


def test_two_standard_errors_of_a_mean(page):
    exact = np.mean(SAMPLES, axis=1).std()
    page.says(f"bootstrap standard error of the mean of 2, 4 and 9 was {exact:.3f}.")
    page.says(f"divides by $n - 1$ and gives {np.std(LATE, ddof=1) / np.sqrt(3):.3f}.")
    enough = next(n for n in range(2, 1000) if (n - 1) / n > 0.99**2)
    page.says(f"$1 - 1/n > {0.99**2:g}$, that is $n > {1 / (1 - 0.99**2):.2f}$")
    page.says(f"so from {enough} observations on. ```")


def test_how_sure_is_a_quantile(page):
    rng, quantile = np.random.default_rng(0), partial(np.quantile, q=0.9, axis=-1)
    progress = load_diabetes(scaled=False).target
    replicates = quantile(progress[rng.integers(442, size=(1000, 442))])
    low, high = np.quantile(replicates, [0.025, 0.975])
    page.says(
        f"It is {quantile(progress):.0f}, with a standard error of {replicates.std(ddof=1):.1f} "
        f"and an interval from {low:g} to {high:g}."
    )
    held = 0
    for _ in range(500):
        x = progress[rng.integers(442, size=442)]
        low, high = np.quantile(quantile(x[rng.integers(442, size=(200, 442))]), [0.025, 0.975])
        held += low <= quantile(progress) <= high
    page.says(
        f"Among 500 sets of 442 drawn from these people, {held / 5:.0f} in 100 intervals contain"
    )
