"""Facts of chapter 9: its cuttings, its experiments, its estimates of an error, its exercises."""

import re
from math import comb

import numpy as np
import pandas as pd
import pytest
import sklearn.tree
from facts import in_words
from places import ROOT
from scipy.stats import binom
from sklearn.model_selection import train_test_split

from treelab import BaggingClassifier, BaggingRegressor, DecisionTreeClassifier
from treelab import bagging as plain
from treelab.bootstrap import DRAWN, draw_samples
from treelab.datasets import fetch_ionosphere, make_steps, steps
from treelab.fast.bagging.out_of_bag import OutOfBag
from treelab.fast.growing import split_table
from treelab.figures import bagging as figures

RESULTS = ROOT / "notebooks" / "replications"
# The seven cuttings: hours of light, whether they grow roots, how often each sample draws them.
LIGHT, ROOTED = np.arange(1, 8)[:, None], np.array([0, 0, 1, 0, 1, 1, 1])
COUNTS = np.array([[0, 0, 0, 2, 2, 3, 0], [2, 1, 0, 1, 0, 1, 2], [1, 2, 2, 1, 0, 0, 1]])
FOURTH = np.array([2, 1, 1, 0, 0, 2, 1])
ESTIMATES = ["training", "held-out third", "10-fold", "loo", ".632", ".632+", "out-of-bag"]


def stump_of(counts):
    """The stump of a sample of the cuttings."""
    return DecisionTreeClassifier(max_depth=1).fit(LIGHT, ROOTED, sample_weight=counts)


def stump_threshold(counts):
    """Threshold of the stump of a sample of the cuttings."""
    return float(stump_of(counts).tree_.threshold[0])


def judged(samples):
    """The out-of-bag judgment of the stumps of some samples."""
    judge = OutOfBag(ROOTED, 2)
    for counts in samples:
        unseen = np.flatnonzero(counts == 0)
        judge.add(unseen, np.eye(2)[stump_of(counts).predict(LIGHT[unseen])])
    return judge


@pytest.fixture(scope="module")
def radar(page):
    """The bag of the radar returns, its data and their division."""
    given = {
        "np": np,
        "train_test_split": train_test_split,
        "fetch_ionosphere": fetch_ionosphere,
        "BaggingClassifier": BaggingClassifier,
    }
    return page.run("bagging-28", **given)


@pytest.fixture(scope="module")
def bags():
    """The estimates of the error of a bag on 100 sets in each of three worlds."""
    return pd.read_csv(RESULTS / "error_estimates_bagged.csv").set_index(["world", "set"])


def test_one_tree_and_a_bag(page):
    X, y = make_steps(100, noise=0.5, random_state=1)
    grid = np.linspace(0, 1, 401)[:, None]
    tree = sklearn.tree.DecisionTreeRegressor(random_state=0).fit(X, y)
    bag = BaggingRegressor(n_estimators=100, random_state=0).fit(X, y)
    far = [np.mean((model.predict(grid) - steps(grid[:, 0])) ** 2) for model in (tree, bag)]
    page.caption("bagging-02").says("staircase (dashed) falls from {:.2f} to {:.2f}.".format(*far))


def test_stumps_of_seven_cuttings(page):
    for b, counts in enumerate(COUNTS):
        drawn = np.repeat(np.arange(1, 8), counts)
        parts = [", ".join(map(str, drawn[ROOTED[drawn - 1] == k])) for k in (0, 1)]
        stump = stump_of(counts)
        wrong = int(counts[stump.predict(LIGHT) != ROOTED].sum())
        threshold = stump_threshold(counts)
        page.says(f"| {b + 1} | {parts[0]} | {parts[1]} | {threshold:g} | {wrong} |")
    middle = stump_threshold(COUNTS[1])
    page.says(f"stump lies halfway between cuttings 4 and 6, at {middle:g} hours. This stump")
    table = split_table(LIGHT, ROOTED, sample_weight=COUNTS[2]).set_index("threshold")
    (best, left), (next_best, more) = table["remainder"].nsmallest(2).items()
    assert best == stump_threshold(COUNTS[2])
    page.says(
        rf"$\frac47 \times 2 \times \frac34 \times \frac14 = {left:.3f}$. Since the next best"
    )
    page.says(
        f"split, at {next_best:g} hours, leaves an impurity of {more:.3f}, the threshold is "
        f"{best:g} hours."
    )
    said = np.array([stump_of(counts).predict(LIGHT) for counts in COUNTS])
    errors = (said != ROOTED).sum(axis=1)
    page.says(
        "The three stumps misclassify {}, {} and {} of the seven cuttings,".format(
            *map(in_words, errors)
        )
    )
    (wrong,) = np.flatnonzero((said.sum(axis=0) >= 2) != ROOTED) + 1
    page.says(f"their majority vote is wrong for cutting {wrong} only.")
    page.says(f"Of the 21 votes, {np.sum(COUNTS > 0)} come from stumps whose sample contains the")


def test_out_of_bag_votes_of_seven_cuttings(page):
    judge, said = judged(COUNTS), [stump_of(counts).predict(LIGHT) for counts in COUNTS]
    for i, rooted in enumerate(ROOTED):
        out = [b for b in range(3) if COUNTS[b][i] == 0]
        names = ("no", "yes")
        votes = [int(said[b][i]) for b in out]
        yes = sum(votes)
        assert (judge.votes[i], judge.sums[i, 1]) == (len(out), yes)
        answer = int(2 * yes > len(out))
        row = f"| {i + 1} | {', '.join(str(b + 1) for b in out) or 'none'} |"
        if not out:
            page.says(f"{row} | | {names[rooted]} | |")
            continue
        tie = "tie: " if 2 * yes == len(out) else ""
        verdict = "right" if answer == rooted else "wrong"
        listed = ", ".join(names[vote] for vote in votes)
        page.says(f"{row} {listed} | {tie}{names[answer]} | {names[rooted]} | {verdict} |")
    assert np.allclose(judge.path, [(1 / 4, 4 / 7), (2 / 5, 5 / 7), (2 / 6, 6 / 7)])
    page.says("Since cutting 4 has no out-of-bag vote, the {term}`coverage` is 6/7.")
    page.says("the out-of-bag error and the coverage after one, two and three stumps.")
    assert np.allclose(page.table("bagging-11"), judge.path, atol=6e-4)


def test_what_is_promised(page):
    said = page.output("bagging-16")
    mean, error, below, sets = re.search(
        r"single: (\S+) ± (\S+)\nbelow 0 on (\d+) of (\d+) training sets", said
    ).groups()
    one, scatter, ideal, bag, left = page.table("bagging-16")["mean squared error"]
    assert np.isclose(one, scatter + ideal, atol=0.0015)
    page.says(f"A single tree has an error of {one:.3f}, nearly all of which is variance.")
    page.says(f"The ideal aggregate would reduce this error to {ideal:.3f}, whereas")
    assert scatter > 0.9 * one
    assert below == sets
    page.says(f"bagging reduces it to {bag:.3f}. On each of the {sets} training sets the bagged")
    page.says(f"with a mean difference of {mean} and a standard error of {error}.")
    assert 0.45 < left / scatter < 0.55
    page.says("Thus bagging removes about half of the variance.")


def test_votes_are_no_probabilities(page):
    some = figures.coin_shares(10).groupby(["trees", "voting"])
    assert (some.std() / np.sqrt(30)).max(axis=None) < 0.01
    lines = [line.split() for line in page.output("bagging-19").splitlines()[2:]]
    hard, soft, grown_hard, grown_soft = ([float(k) for k in line[-2:]] for line in lines)
    page.says(f'the mean proportion of "yes" is {hard[0]:.2f} for the stumps, because')
    page.says(
        "the class proportions of the leaves, and with the stumps it therefore comes close to "
        f"{soft[0]:.1f}."
    )
    assert grown_hard == grown_soft
    page.says("hard and soft voting give the same result, and both follow the noise.")


def test_votes_of_a_row(page):
    _, low, _, high, _, _, mean = page.output("bagging-24").partition("from")[2].split(" ", 6)
    assert 0 < float(mean) - 100 * 0.99**100 < 1
    assert int(low) < float(mean) < int(high)
    page.says(f"an out-of-bag prediction is based on {float(mean):.0f} of the 100 trees, because a")
    page.says(f"leaves out a given row with probability $0.99^{{100}} = {0.99**100:.3f}$.")


def test_ten_days(page):
    names = page.run("bagging-26")
    rows, targets = names["ten_rows"], names["ten_targets"]

    def days(n):
        drawn = draw_samples(10, B=n, seed=0)
        trees = plain.bagging(rows, targets, drawn, **names["limits_now"])
        return sum(value is not None for value in plain.out_of_bag(trees, drawn, rows))

    enough = next(n for n in range(1, 20) if days(n) == 10)
    page.says(f"{in_words(enough).title()} trees are enough for all ten days.")
    known = np.array([plain.predict_value(names["grown"], x) for x in rows])
    error, honest = np.mean((known - targets) ** 2), names["oob_now"]
    error, honest = (f"{value:,.0f}".replace(",", " ") for value in (error, honest))
    page.says(f"the error of the 100 trees falls from {honest} to {error}. The lower value is the")


def test_one_split_of_the_radar(page, radar):
    quality, X, y = radar["quality"], radar["signals"], radar["y_new"]
    good = int(np.sum(quality == "good"))
    page.says(f"Of the {len(quality)} returns, {good} show some structure and are called good, and")
    page.says(f"and the other {len(quality) - good} are bad. Each return is described by")
    page.says(f"Each return is described by {X.shape[1]} features")
    model = radar["radar"]
    wrong = int(np.sum(model.predict(radar["X_new"]) != y))
    oob, test = 1 - model.oob_score_, wrong / len(y)
    assert np.isclose(model.oob_error_path()[-1], oob)
    printed = page.output("bagging-28")
    assert f"out-of-bag error {round(oob, 3)} coverage" in printed
    assert f"test error {round(test, 3)}\n" in printed
    page.says(
        f"If two fewer of the {len(y)} test returns were misclassified, the test error would be "
        f"{(wrong - 2) / len(y):.3f} instead of {test:.3f}, so a single split"
    )
    page.says(f"The out-of-bag error is based on {len(radar['y_old'])} such majorities. Once all")
    stages = [np.sum(stage != y) for stage in model.staged_predict(radar["X_new"])]
    for path in (stages, len(radar["y_old"]) * np.array(model.oob_error_path())):
        moved = np.ptp(path[19:])
        assert moved < 3.5
    page.caption("bagging-29").says("after 20 trees they change by at most three returns.")


def test_twenty_splits_of_the_radar(page):
    said = page.output("bagging-31")
    tree, unseen = re.findall(r"bagged: (\S+), se (\S+), above 0 in (\d+) of (\d+)", said)
    gap, error, above, splits = tree
    assert above == splits
    page.says(
        f"In all {in_words(int(splits))} splits, bagging has a lower test error than a single"
    )
    page.says(f"than a single tree, by {gap} on average. However,")
    assert abs(float(gap)) < 2 * float(error)
    page.says(f"and the corrected standard error is {error} ({{prf:ref}}")
    gap, error, *_ = unseen
    assert abs(float(gap)) < float(error)
    page.says(f"error of bagging differ by only {gap}, with a standard error of")
    page.says(f"with a standard error of roughly {error}, so we see no clear difference.")


def test_a_disputed_case(page, radar):
    model = radar["radar"]
    case = figures.most_disputed(model)
    voters = figures.out_of_bag_voters(model, radar["X_old"], case)
    bad = len(voters) - sum(voters.values())
    page.says(f"Return {case} is {radar['y_old'][case]}, but {bad} of its {len(voters)} out-of-bag")


def test_seven_estimates(page, bags):
    off = bags.drop(columns="truth").sub(bags["truth"], axis=0).groupby("world", sort=False)
    mean, two = off.mean().T, 2 * off.sem().T
    assert mean.index.tolist() == ESTIMATES
    learnable = ["moons", "waves"]
    assert (mean.loc["loo", learnable] > two.loc["loo", learnable]).all()
    assert abs(mean.loc["loo", "coins"]) < two.loc["loo", "coins"]
    page.says("bootstrap is too high for the moons and the waveforms, but not for random labels, ")
    assert (mean.loc[[".632", ".632+"]] < -two.loc[[".632", ".632+"]]).all(axis=None)
    assert (mean.loc[".632+"] > mean.loc[".632"]).all()
    assert mean.loc[".632"].idxmin() == "coins"
    by_world = bags.groupby("world").mean()
    page.says(f"For random labels, it is only {by_world.loc['coins', '.632']:.2f} on average")
    assert round(by_world.loc["coins", "truth"], 3) == 0.5
    page.says("on average, although the true error is 0.5.")
    assert (by_world["training"] < 0.001).all()
    page.says("The training error is useless, because it is zero even for random labels.")
    assert (mean.loc["10-fold"].abs() < two.loc["10-fold"]).all()
    most = mean.loc[["10-fold", "out-of-bag"]].abs().max(axis=None)
    assert most < 0.02
    page.says("cross-validation and the out-of-bag error are within 0.02 of the true error.")
    scatter = off.std().mean()
    assert scatter.idxmax() == "held-out third"
    page.says(f"varies most, because it is based on only {50 // 3 + 1} rows, so its mean")
    assert (mean.loc["held-out third"].abs() < two.loc["held-out third"]).all()
    assert abs(scatter["out-of-bag"] / scatter["10-fold"] - 1) < 0.05
    page.says("ten additional bagged ensembles, and here both vary about equally.")
    assert (mean.loc["loo"].abs() < mean.loc[".632"].abs()).all()


def test_single_rules_of_the_table():
    rules = pd.read_csv(RESULTS / "error_estimates.csv").set_index(["world", "learner"])
    off = rules[["loo", ".632"]].sub(rules["truth"], axis=0).groupby(level=[0, 1]).mean().abs()
    assert (off["loo"] < off[".632"]).all()


def test_a_crowd(page):
    table = page.table("bagging-41")
    for error in (0.4, 0.6):
        for B in (11, 101):
            wrong = range(B // 2 + 1, B + 1)
            exact = sum(comb(B, k) * error**k * (1 - error) ** (B - k) for k in wrong)
            assert abs(table.loc[B, str(error)] - exact) < 1e-6
    assert np.allclose(table.sum(axis=1), 1, atol=2e-6)
    low, high = (binom.sf(50, 101, error) for error in (0.4, 0.6))
    page.says("If each of 101 base estimators errs with probability 0.4, the majority is wrong")
    page.says(f"the majority is wrong in {100 * low:.0f} % of all cases. With an error")
    page.says(f"probability of 0.6, the majority is wrong in {100 * high:.0f} %. The vote is")


def test_trees_of_one_sample(page, radar):
    model, y = radar["radar"], radar["y_new"]
    wrong = np.array([model.classes_[m.predict(radar["X_new"])] != y for m in model.estimators_])
    error, vote = wrong.mean(), np.mean(wrong.mean(axis=0) >= 0.5)
    assert model.n_estimators == 100
    page.says(
        f"one of the 100 bagged trees misclassifies {100 * error:.0f} % of the returns on average."
    )
    exponent = f"{binom.sf(49, 100, error):.0e}".removeprefix("1e")
    page.says(
        "Under independence, the majority would be wrong with probability about "
        f"$10^{{{exponent}}}$"
    )
    page.says(f"In fact, it misclassifies {100 * vote:.0f} % of the returns, because the trees err")
    count = int(np.sum(wrong.mean(axis=0) >= 0.5))
    page.caption("bagging-44").says(f"{count} of them at or right of the dashed line at 50.")


def test_learners_that_bagging_does_not_help(page):
    table = page.table("bagging-49")
    counts = table["bagging better in"].str.split(" of ", expand=True).astype(int)
    assert counts[1].tolist() == [20, 20, 200, 200]
    better = counts[0]
    harmed = 200 - better["linear, 20 rows"]
    assert 155 <= harmed <= 165
    page.says("even raises the error of the linear model in four of five training sets. A")
    assert better["fully grown tree, 100 rows"] == 20
    distinct = 20 * (1 - 0.95**20)
    page.says(f"bootstrap sample then contains only about {distinct:.0f} distinct rows, which are")
    page.says(f"but a bootstrap sample contains only about {distinct:.0f} distinct rows for eleven")


def test_random_subspaces(page, radar):
    lines = page.output("bagging-sklearn").splitlines()
    (_, test), (_, lower) = (re.findall(r"0\.\d+", line) for line in lines)
    page.says(f"Random subspaces lower the test error from {test} to {lower}, but over")
    page.says("over {ref}`twenty splits <hood-bagging-subspaces>` we see no clear difference")


# Exercises


def test_a_fourth_sample(page):
    stump = stump_of(FOURTH)
    drawn = np.repeat(np.arange(1, 8), FOURTH)
    page.says(f"A fourth sample of the cuttings is {', '.join(map(str, drawn))}.")
    page.says(f"3, 6, 6, 7 have, so the threshold is {stump.tree_.threshold[0]:g} and there is no")
    out = np.flatnonzero(FOURTH == 0)
    page.says("The sample leaves out cuttings {} and {}, and the stump".format(*out + 1))
    assert stump.predict(LIGHT[out]).tolist() == [1, 1]
    assert np.allclose(judged([*COUNTS, FOURTH]).path[-1], (2 / 7, 1))
    page.says("Cuttings 3 and 4 are wrong, so the out-of-bag error is 2/7 and the coverage 1.")
    votes = sum(stump_of(counts).predict(LIGHT) for counts in (*COUNTS, FOURTH))
    (wrong,) = np.flatnonzero((votes > 2) != ROOTED) + 1
    page.says(f"vote of all four stumps, cutting {wrong} has two votes of four, a tie, so")
    page.says("As before, the vote makes one error, whereas the out-of-bag vote makes two.")


def test_four_reports(page):
    page.says(f"the leave-one-out bootstrap, which is $0.14 / 0.632 = {0.14 / 0.632:.3f}$.")
    page.says(rf"predicted by $8 \times 0.368 = {8 * (1 - DRAWN):.1f}$ trees on average.")
    page.says(f"About $0.632^8 = {0.632**8:.3f}$ of the rows have no vote at all.")
