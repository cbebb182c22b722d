"""The judges of part A of homework 3, and right versions of its functions: not for students."""

from itertools import product

import numpy as np
from checks_hw3 import given

from treelab.checkers import expect, own_number

# --- Part A ----------------------------------------------------------------------------


def near(got, want):
    """Whether numbers agree to three decimals."""
    return np.shape(got) == np.shape(want) and np.allclose(got, want, rtol=0, atol=6e-4)


def slip(got, mistake, right, hint):
    """Give the hint to an answer that is this mistake, unless that is right as well."""
    expect(not near(got, mistake) or near(got, right), hint)


def counted(threshold):
    """Numbers of colonies at a threshold: TN, FP, FN and TP."""
    mine = given(own_number())
    pairs = list(zip(mine["swarmed"].tolist(), (mine["score"] >= threshold).tolist(), strict=True))
    return [pairs.count((swarmed, said)) for swarmed in (0, 1) for said in (False, True)]


def judge_measures(got):
    mine = given(own_number())
    TN, FP, FN, TP = counted(0.5)
    false_alarm, missed = mine["costs"]
    precision, recall, area, threshold, cost = got
    right = TP / (TP + FP)
    slip(
        precision,
        TP / (TP + FN),
        right,
        "that is the recall, the proportion of the swarms that are predicted; precision is the "
        "proportion of the predicted swarms that swarm.",
    )
    slip(
        precision,
        (TP + TN) / 10,
        right,
        "that is the accuracy; precision looks only at the colonies that are predicted to swarm.",
    )
    expect(
        near(precision, right),
        f"{TP + FP} colonies have a score of at least 0.5, and {TP} of these swarm.",
    )
    right = TP / (TP + FN)
    slip(
        recall,
        FP / (FP + TN),
        right,
        "that is the false positive rate, because you count among the colonies that do not swarm.",
    )
    slip(
        recall,
        TP / 10,
        right,
        "you divide by all ten colonies; recall looks only at those that swarm.",
    )
    expect(
        near(recall, right),
        f"{TP + FN} colonies swarm, and {TP} of these have a score of at least 0.5.",
    )
    difference = mine["score"][mine["swarmed"] == 1][:, None] - mine["score"][mine["swarmed"] == 0]
    won, tied = np.sum(difference > 0), np.sum(difference == 0)
    right = (won + tied / 2) / 24
    hint = "a colony that swarms and one that does not share a score; this pair counts one half."
    slip(area, won / 24, right, hint)
    slip(area, (won + tied) / 24, right, hint)
    slip(
        area,
        1 - right,
        right,
        "you count the pairs in which the colony that does not swarm has the higher score.",
    )
    slip(
        area,
        (TP / 4 + TN / 6) / 2,
        right,
        "that is the area under the point of the threshold 0.5 alone; the ROC curve has a point "
        "for each score.",
    )
    expect(
        near(area, right),
        f"there are 4 · 6 pairs, of which the colonies that swarm win {won} and share one.",
    )
    right = false_alarm / (false_alarm + missed)
    slip(
        threshold,
        1 - right,
        right,
        "the costs are exchanged: the more a missed swarm costs, the lower the threshold is.",
    )
    slip(
        threshold,
        false_alarm / missed,
        right,
        "divide by the sum of the two costs, not by the cost of a missed swarm.",
    )
    expect(
        near(threshold, right),
        f"with the probability p of a swarm, an alarm costs {false_alarm} (1 - p) on average and "
        f"none costs {missed} p; where are the two equal?",
    )
    _, false_alarms, misses, _ = counted(right)
    right = false_alarms * false_alarm + misses * missed
    slip(
        cost,
        FP * false_alarm + FN * missed,
        right,
        "that is the cost at the threshold 0.5; take the threshold of number 4.",
    )
    slip(
        cost,
        false_alarms * missed + misses * false_alarm,
        right,
        "the costs of the two errors are exchanged.",
    )
    slip(
        cost,
        false_alarms + misses,
        right,
        "that is the number of errors; multiply each by its cost.",
    )
    expect(
        near(cost, right),
        f"at this threshold there are {false_alarms} false alarms and {misses} missed swarms.",
    )


def springs():
    """All possible training sets (8, 3), and the prediction of each stump for week 2 (8,)."""
    found = np.array(list(product(*given(own_number())["weeks"])))
    week_1, week_2, week_3 = found.T
    below = np.abs(week_1 - week_2) < np.abs(week_2 - week_3)
    return found, np.where(below, week_1 + week_2, week_2 + week_3) / 2


def judge_predictions(got):
    found, right = springs()
    week_1, week_2, week_3 = found.T
    low, high = (week_1 + week_2) / 2, (week_2 + week_3) / 2
    slip(
        got,
        week_2,
        right,
        "these are the harvests of week 2 itself: a stump has two leaves for three weeks, so "
        "week 2 shares its leaf with a neighbor and gets the mean of both.",
    )
    slip(
        got,
        low + high - right,
        right,
        "you join the neighbors that are far apart. A leaf of two harvests costs half the "
        "square of their difference, so the stump joins the two that are close.",
    )
    slip(
        got,
        low,
        right,
        "you split after week 2 every time, but each training set chooses its own split.",
    )
    slip(
        got,
        high,
        right,
        "you split after week 1 every time, but each training set chooses its own split.",
    )
    expect(
        not np.allclose(got, found.mean(axis=1), atol=0.01),
        "that is the mean of all three weeks; a stump splits once and predicts the mean of the "
        "side of week 2.",
    )
    wrong = np.flatnonzero(~np.isclose(got, right, atol=6e-4))
    expect(
        not len(wrong),
        f"look again at training set {', '.join(str(i + 1) for i in wrong)}: which neighbor of "
        "week 2 has the closer harvest?",
    )


def judge_parts(got):
    found, predicted = springs()
    truth, half = found[:, 1].mean(), np.ptp(found[:, 1]) / 2
    center, spread = predicted.mean(), predicted.var()
    bias, around = center - truth, np.mean((predicted - truth) ** 2)
    noise, bias2, variance, one, mean = got
    slip(
        noise,
        half,
        half**2,
        f"{half:g} is the distance of a harvest of week 2 from the mean; the noise is the mean "
        "square of that distance.",
    )
    expect(
        near(noise, half**2),
        f"both harvests of week 2 are {half:g} away from {truth:g}: noise {half**2:g}.",
    )
    hint = f"the bias is {center:g} - {truth:g} = {bias:g}; you are asked for its square."
    slip(bias2, bias, bias**2, hint)
    slip(bias2, -abs(bias), bias**2, hint)
    slip(
        bias2,
        around,
        bias**2,
        f"{around:g} is the mean squared distance of the single stumps from the truth: average "
        "the predictions first, then compare with the truth.",
    )
    expect(
        near(bias2, bias**2),
        f"the eight predictions have the mean {center:g}, and the truth is {truth:g}.",
    )
    slip(
        variance,
        spread * 8 / 7,
        spread,
        "you divide by 7. These eight training sets are all possible ones, not a sample of them: "
        "divide by 8.",
    )
    slip(
        variance,
        around,
        spread,
        f"the variance is the mean squared distance from the mean prediction, {center:g}, not "
        f"from the truth, {truth:g}.",
    )
    expect(
        near(variance, spread) or not np.isclose(variance, spread**0.5, atol=0.005),
        "that is a standard deviation; the variance is its square.",
    )
    expect(
        near(variance, spread), f"the squared distances from {center:g} add up to {8 * spread:g}."
    )
    slip(
        one,
        around,
        half**2 + around,
        "bias² and variance alone leave out the noise, although the new harvest of week 2 varies.",
    )
    expect(near(one, half**2 + around), "the error of one stump is the sum of the three parts.")
    right = half**2 + bias**2
    slip(
        mean,
        bias**2,
        right,
        "the mean prediction is compared with a new harvest as well, which has noise.",
    )
    expect(
        near(mean, right) or not np.isclose(mean, right + spread / 8, atol=0.005),
        "the mean over all possible training sets has no variance left.",
    )
    expect(near(mean, right), "the mean prediction has the noise and the bias², but no variance.")


def judge_germination(got):
    n, bad = given(own_number())["sown"]
    proportion, right = 1 - bad / n, (1 - bad / n) ** n
    variance = proportion * (1 - proportion)
    bias, se, probability = got
    expect(
        near(bias, 0),
        f"each draw is a seed that grew with probability {n - bad}/{n}, so the replicates have "
        f"the mean {n - bad}/{n}, the proportion itself.",
    )
    root = (variance / n) ** 0.5
    slip(
        se,
        variance**0.5,
        root,
        f"that is the standard deviation of one draw; a replicate is the mean of {n} draws.",
    )
    slip(
        se,
        (variance / (n - 1)) ** 0.5,
        root,
        "you divide by n - 1. The bootstrap draws from the seeds themselves, whose variance has "
        f"the divisor {n}.",
    )
    slip(
        se,
        variance / n,
        root,
        "that is the variance of the replicates; the standard error is its root.",
    )
    expect(
        near(se, root),
        f"a draw has the variance {n - bad}/{n} · {bad}/{n}, and a replicate is the mean of {n} "
        "independent draws.",
    )
    slip(
        probability,
        proportion,
        right,
        f"that is the probability of one draw; all {n} draws must be seeds that grew.",
    )
    slip(
        probability,
        (1 - 1 / n) ** n,
        right,
        "that is the probability to miss one of the failures; all of them must be missed.",
    )
    slip(
        probability,
        proportion ** (n - bad),
        right,
        f"a sample has as many draws as there are seeds: {n}, not {n - bad}.",
    )
    slip(
        probability,
        (1 - 1 / n) ** (n * bad),
        right,
        "to miss one failure and to miss another are not independent; start from the probability "
        f"that a draw misses them all, {n - bad}/{n}.",
    )
    expect(
        near(probability, right),
        f"all {n} draws must come from the {n - bad} seeds that grew: ({n - bad}/{n}) to the "
        f"power {n}.",
    )


def judge_estimates(got):
    mine = given(own_number())
    wrong, target, prediction = mine["wrong"], mine["target"], mine["prediction"]
    out = np.array([~np.isin(np.arange(1, 7), sample) for sample in mine["samples"]])
    times = out.sum(axis=0)
    each = (wrong * out).sum(axis=0)[times > 0] / times[times > 0]
    never = 1 + np.flatnonzero(times == 0)[0]
    loo, mixed, gamma, plus = got
    right = each.mean()
    slip(
        loo,
        wrong.mean(),
        right,
        "that is the naive estimate: an observation may be predicted only by models that have not "
        "seen it.",
    )
    slip(
        loo,
        wrong[out].mean(),
        right,
        f"you pooled the {times.sum()} predictions; first take the mean of each observation, then "
        "the mean of the observations.",
    )
    slip(
        loo,
        each.sum() / 6,
        right,
        f"observation {never} is in every sample and never out of bag: leave it out instead of "
        "counting it as right.",
    )
    expect(
        near(loo, right),
        f"five observations, all but {never}, are out of bag somewhere: take the mean of each over "
        "the samples without it, then the mean of the five.",
    )
    apparent = np.mean(target != prediction)
    want = 0.368 * apparent + 0.632 * right
    forgotten, exchanged = 0.632 * right, 0.368 * right + 0.632 * apparent
    if abs(mixed - forgotten) < abs(mixed - exchanged):
        slip(
            mixed,
            forgotten,
            want,
            "that is 0.632 of the leave-one-out error alone: add 0.368 of the apparent error.",
        )
    slip(
        mixed,
        exchanged,
        want,
        "the weights are exchanged: 0.632 belongs to the leave-one-out error.",
    )
    expect(
        near(mixed, want),
        f"the .632 estimate is 0.368 of the apparent error, {np.sum(target != prediction)}/6, and "
        "0.632 of the leave-one-out error.",
    )
    ones, predicted = target.mean(), prediction.mean()
    free = ones * (1 - predicted) + predicted * (1 - ones)
    slip(
        gamma,
        min(ones, 1 - ones),
        free,
        "that is the error of always predicting the larger class. The no-information error keeps "
        "the predictions but ignores to which target they belong: pair each target with each one.",
    )
    slip(
        gamma,
        apparent,
        free,
        "that is the apparent error; the no-information error compares each target with every "
        "prediction.",
    )
    expect(near(gamma, free), f"{36 * free:.0f} of the 36 pairs differ.")

    def between(weight):
        return (1 - weight) * apparent + weight * right

    R = (right - apparent) / (free - apparent)
    want = between(0.632 / (1 - 0.368 * R))
    slip(
        plus,
        between(0.632 / (1 - 0.368 * right / free)),
        want,
        f"R is {R:.4g}, not {right:.4g} / {free:.4g}: both differences start from the apparent "
        "error.",
    )
    slip(plus, between(R), want, "R is not the weight itself: w = 0.632 / (1 - 0.368 R).")
    expect(
        abs(plus - want) < 1e-3,
        f"R = ({right:.4g} - {apparent:.4g}) / ({free:.4g} - {apparent:.4g}) = {R:.4g}, and "
        "w = 0.632 / (1 - 0.368 R).",
    )


JUDGES = {
    "hw3-1": judge_measures,
    "hw3-2": judge_predictions,
    "hw3-3": judge_parts,
    "hw3-4": judge_germination,
    "hw3-5": judge_estimates,
}


# --- Right versions of the functions of part B -------------------------------------------


def right_rows(groups, rng):
    """Draw groups by how often each one is drawn."""
    names, codes = np.unique(groups, return_inverse=True)
    times = np.bincount(rng.integers(len(names), size=len(names)), minlength=len(names))
    return np.repeat(np.arange(len(codes)), times[codes])


def right_description(estimate, replicates, level):
    """Bias, standard error and percentile interval."""
    ends = np.quantile(replicates, [0.5 - level / 2, 0.5 + level / 2])
    return np.mean(replicates) - estimate, np.std(replicates, ddof=1), *ends


def right_estimates(fit, X, y, groups, B, rng):
    """Apparent error, leave-one-out bootstrap and .632."""
    samples = [right_rows(groups, rng) for _ in range(B)]
    wrong = np.array([fit(X[rows], y[rows])(X) != y for rows in samples])
    out = np.array([~np.isin(np.arange(len(y)), rows) for rows in samples])
    times = out.sum(axis=0)
    each = np.where(out, wrong, False).sum(axis=0)[times > 0] / times[times > 0]
    apparent = np.mean(fit(X, y)(X) != y)
    return apparent, each.mean(), 0.368 * apparent + 0.632 * each.mean()


HELPERS = {
    "hw3-8": {"draw_rows": right_rows, "describe": right_description},
    "hw3-9": {"draw_rows": right_rows, "describe": right_description},
    "hw3-10": {"draw_rows": right_rows, "error_estimates": right_estimates},
}
