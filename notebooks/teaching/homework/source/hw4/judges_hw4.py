"""The judges of part A of homework 4, and right versions of its functions: not for students."""

from math import ceil, floor

import numpy as np
from checks_hw4 import given

from treelab.checkers import expect, own_number

# --- Part A ----------------------------------------------------------------------------


def near(got, want):
    """Whether a number is right to three decimals."""
    return abs(got - want) < 6e-4


def slip(got, mistake, right, hint):
    """Give the hint to an answer that is this mistake, unless that is right as well."""
    expect(not near(got, mistake) or near(got, right), hint)


def expect_number(got, want, hint):
    """Expect three decimals; say so where only they are missing."""
    close = 0.5 * 10.0 ** (np.floor(np.log10(want)) - 1)  # half a unit of the second digit
    expect(
        near(got, want) or abs(got - want) > 1.001 * close,
        f"{got:g} is right so far; give more digits, three after the point.",
    )
    expect(near(got, want), hint)


def listed(values):
    """Numbers as they are written in a sentence."""
    return ", ".join(f"{value:.4g}" for value in values)


def judge_out_of_bag(got):
    mine = given(own_number())
    sold, predictions = mine["sold"], mine["predicted"]
    out = np.array([~np.isin(np.arange(1, 7), days) for days in mine["samples"]])
    covered = out.any(axis=0)
    days = ", ".join(str(day) for day in 1 + np.flatnonzero(covered))
    times = np.maximum(out.sum(axis=0), 1)
    predicted = (predictions * out).sum(axis=0) / times
    single, squares = (predictions - sold) ** 2, (predicted - sold)[covered] ** 2
    coverage, error, training = got
    slip(
        coverage,
        out.mean(),
        covered.mean(),
        "that is the proportion of pairs of a tree and a day that are out of bag; the coverage is "
        "the proportion of days that at least one tree has not seen.",
    )
    slip(
        coverage,
        1,
        covered.mean(),
        "a day that is in all three samples counts as covered, although it is never out of bag.",
    )
    expect_number(
        coverage, covered.mean(), f"{covered.sum()} of the six days are out of bag somewhere."
    )
    all_three = np.mean((predictions.mean(axis=0) - sold) ** 2)
    slip(
        error,
        squares.sum() / 6,
        squares.mean(),
        "you divide by 6, as if each day were predicted: leave out a day that is never out of bag.",
    )
    slip(
        error,
        ((single * out).sum(axis=0) / times)[covered].mean(),
        squares.mean(),
        "you took the squared errors of single trees; first take the mean of the trees that have "
        "not seen a day.",
    )
    slip(
        error,
        single[out].mean(),
        squares.mean(),
        f"you pooled {out.sum()} squared errors of single trees; first one mean prediction for "
        "each day.",
    )
    slip(
        error,
        all_three,
        squares.mean(),
        "that is the error of all three trees: a day is predicted only by those that have not seen "
        "it.",
    )
    expect_number(
        error,
        squares.mean(),
        f"the out-of-bag predictions of days {days} are {listed(predicted[covered])}.",
    )
    slip(
        training,
        single.mean(),
        all_three,
        "that is the mean error of the single trees; first take the mean of the three predictions.",
    )
    expect_number(
        training, all_three, f"the means of the three trees are {listed(predictions.mean(axis=0))}."
    )


def judge_jensen(got):
    proba = np.array(given(own_number())["probabilities"])
    n, center, votes = len(proba), proba.mean(), np.mean(proba > 0.5)
    soft, of_trees, of_mean, wrong, hard_error, soft_error = got
    slip(
        soft,
        votes,
        center,
        f"that is the proportion of votes; soft voting takes the mean of the {n} probabilities.",
    )
    expect_number(soft, center, f"the {n} probabilities add up to {proba.sum():g}.")
    right = np.mean((1 - proba) ** 2)
    slip(
        of_trees,
        proba.var(),
        right,
        "that is the variance of the probabilities, the difference of numbers 2 and 3.",
    )
    slip(
        of_trees,
        np.mean(proba**2),
        right,
        "the true class is 1: the error of a probability a is (1 - a)², not a².",
    )
    slip(
        of_trees,
        (1 - center) ** 2,
        right,
        "square first, then take the mean: you squared the error of the mean.",
    )
    expect_number(of_trees, right, f"the {n} squared errors add up to {n * right:g}.")
    expect_number(
        of_mean, (1 - center) ** 2, f"the error of the mean probability is (1 - {center:.4g})²."
    )
    slip(wrong, votes, 1 - votes, "these trees are right; you are asked for those that are wrong.")
    expect(near(wrong, 1 - votes), f"{np.sum(proba < 0.5)} of the {n} trees predict class 0.")
    slip(
        hard_error,
        1 - votes,
        1,
        "hard voting predicts one class, so its error for this one observation is 0 or 1.",
    )
    expect(
        near(hard_error, 1),
        f"in hard voting class 0 wins with {np.sum(proba < 0.5)} of {n}, and the true class is 1.",
    )
    expect(
        near(soft_error, 0),
        "soft voting predicts the class with the larger mean probability, "
        f"{center:.4g} for class 1: it is right.",
    )


def judge_correlation(got):
    forests = given(own_number())["forests"]
    few, many = forests["few"], forests["many"]
    fall = forests["variance of few"] - forests["variance of many"]
    b = round(fall / (1 / few - 1 / many), 6)
    a = round(forests["variance of few"] - b / few, 6)
    rho, s2, enough, cross = got
    slip(rho, a, a / (a + b), f"{a:g} is the shared part, rho times sigma²: divide it by sigma².")
    slip(
        rho,
        a / b,
        a / (a + b),
        f"you divided the shared part by the other part, {b:g}; sigma² is the sum of the two.",
    )
    slip(rho, b / (a + b), a / (a + b), "that is 1 - rho, the part that averaging removes.")
    expect(
        near(rho, a / (a + b)),
        f"write the variance as a + b / B: from {few} to {many} trees it falls by "
        f"b (1/{few} - 1/{many}).",
    )
    slip(s2, b, a + b, f"{b:g} is (1 - rho) sigma²; a single tree, B = 1, has both parts.")
    expect(near(s2, a + b), f"with one tree, B = 1, the variance is a + b = {a:g} + {b:g}.")
    percent = forests["percent"]
    least = ceil(round(100 * b / (percent * a), 6))
    slip(
        enough,
        ceil(round(100 * b / percent, 6)),
        least,
        f"{percent} % of the limit, {a:g}, is {percent * a / 100:g}, not {percent / 100:g}.",
    )
    expect(
        enough > least - 6e-4,
        f"with fewer than {least} trees, {b:g} / B is more than {percent} % of {a:g}.",
    )
    expect(
        near(enough, least), f"{b:g} / B is at most {percent * a / 100:g} from {least} trees on."
    )
    other_a = forests["other rho"] * forests["other variance"]
    other_b = forests["other variance"] - other_a
    level = (other_b - b) / (a - other_a)
    right = floor(level) + 1
    slip(
        cross,
        level,
        right,
        f"the two are equal at {level:.4g}, but the number of trees is a whole number.",
    )
    slip(
        cross,
        right - 1,
        right,
        f"with {right - 1} trees the second forest still has the higher variance, "
        f"{other_a + other_b / (right - 1):.4g} and {a + b / (right - 1):.4g}.",
    )
    expect(
        near(cross, right),
        f"the second forest has the variance {other_a:g} + {other_b:g} / B, the first {a:g} + "
        f"{b:g} / B.",
    )


JUDGES = {"hw4-1": judge_out_of_bag, "hw4-2": judge_jensen, "hw4-3": judge_correlation}


# --- Right versions of the functions of part B -------------------------------------------


def right_best(x, y):
    """Gain and threshold of the best split of one feature, 0.0 and None without one."""
    order = np.argsort(x, kind="stable")
    at, hot = x[order], y[order][:, None] == np.unique(y)
    n, left = np.arange(1, len(y)), np.cumsum(hot, axis=0)
    whole, left = left[-1], left[:-1]
    kept = np.sum(left**2, axis=1) / n + np.sum((whole - left) ** 2, axis=1) / (len(y) - n)
    kept = np.where(at[1:] > at[:-1], kept - np.sum(whole**2) / len(y), 0)
    if kept.max(initial=0) < 1e-10:
        return 0.0, None
    k = kept.argmax()
    return kept[k], (at[k] + at[k + 1]) / 2


def right_split(X, y, m, rng):
    """The best split among m candidates, or the first split after them."""
    splits = [(*right_best(X[:, j], y), int(j)) for j in rng.permutation(X.shape[1])]
    found = [split for split in splits[:m] if split[1] is not None]
    found = found or [split for split in splits[m:] if split[1] is not None][:1]
    _, s, j = max(found, key=lambda split: split[0], default=(0, None, None))
    return j, s


HELPERS = {"hw4-5": {"node_split": right_split}}
