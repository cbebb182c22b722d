"""Judges of the assignment "Here and not there", for teachers: students do not get this file."""

from functools import cache

import numpy as np
from checks_hw10 import given, near

from treelab.checkers import expect, own_number


def in_order(score, then):
    """The letters of five features, the largest score first, of equal ones the larger `then`."""
    return "".join("abcde"[j] for j in sorted(range(5), key=lambda j: (-score[j], -then[j])))


@cache
def clusters(number):
    """The averages and orders of hw10-1, and wrong ones."""
    mine = given(number)
    sizes, found = np.array(mine["sizes"]), np.array(mine["importances"])
    average, equal = sizes @ found / sizes.sum(), found[:3].mean(axis=0)
    ranks = 1 + np.argsort(np.argsort(-found[:3], axis=1), axis=1)
    worst, with_d = ranks.max(axis=0), np.maximum(ranks.max(axis=0), np.arange(1, 6))
    return {
        "sizes": sizes,
        "of_a": found[:3, 0],
        "average": average,
        "worst": worst,
        "sums": found[:3].sum(axis=0),
        "orders": (
            in_order(average, average),
            in_order(-worst, average),
            in_order(-with_d, average),
            in_order(equal, equal),
        ),
        "by_equal": in_order(-worst, equal),
        "by_best": in_order(-ranks.min(axis=0), average),
    }


def judge_orders(got):
    told = clusters(own_number())
    sizes, of_a, right = told["sizes"], told["of_a"], told["orders"]
    weigh = "weigh the clusters by their rows: {}, {}, {}, and {}.".format(*sizes)
    expect(not near(got[0], of_a.mean()) and not near(got[0], of_a.sum() / 4), weigh)
    expect(
        not near(got[0], sizes[:3] @ of_a / sizes[:3].sum()),
        f"D has rows, too: divide by all {sizes.sum()}.",
    )
    parts = ", ".join(f"{n} times {share:.2f}" for n, share in zip(sizes, of_a))
    expect(near(got[0], told["average"][0]), f"a: {parts}, over {sizes.sum()}.")
    average, together, ranked, equal = got[1:]
    expect(
        average != right[3] or average == right[0],
        "that is each cluster counted the same; weigh them by their rows.",
    )
    expect(average != right[1], "that is the order by intersection.")
    expect(
        average == right[0], "the average: the sums of importance times rows, the largest first."
    )
    expect(together != told["by_equal"], "of equal worst ranks the average *by rows* decides.")
    expect(together != right[2], "D is silent and ranks nothing; that is the next question.")
    expect(
        together != told["by_best"],
        "that is by the best rank; one cluster against it is enough.",
    )
    worst = ", ".join(map(str, told["worst"]))
    expect(together == right[1], f"the worst ranks of a to e are {worst}.")
    expect(ranked != right[1], "with D ranked, e has the rank 5 there.")
    expect(ranked == right[2], "D gives the ranks 1 to 5 to a to e: which worst ranks change?")
    expect(equal != right[0] or equal == right[3], "the sums of the importances, without the rows.")
    sums = ", ".join(f"{value:.2f}" for value in told["sums"])
    expect(equal == right[3], f"the sums over A, B and C of a to e are {sums}.")


def judge_shares(got):
    mine = given(own_number())
    c, factor, inner, noise = (mine[name] for name in ("half", "factor", "inner", "noise"))
    cube, there, of_x2 = c**6 / 7, inner**6 / 7, c**2 / 3
    large, all_of, inside = factor**2 * of_x2, cube + of_x2 + noise, there + of_x2 + noise
    right = (large / (cube + large + noise), of_x2 / all_of, of_x2 / inside, cube / all_of)
    right += ((there + of_x2) / inside,)
    goes = f"x2 still goes from -{c} to {c}: its variance is {of_x2:.3f}."
    wide = "over the whole variance, that of the noise and its own included."
    x1 = f"between -{inner:g} and {inner:g}"
    for k, wrong, hint in (
        (
            0,
            factor * of_x2 / (cube + factor * of_x2 + noise),
            f"the factor counts with its square: {factor**2} times {of_x2:.3f}.",
        ),
        (0, large / cube, wide),
        (0, large / (cube + noise), wide),
        (1, right[0], f"that is with the factor {factor}."),
        (2, right[1], f"{x1} the variance of the cube is {there:.3f}, not {c}^6/7."),
        (2, (inner**2 / 3) / (there + inner**2 / 3 + noise), goes),
        (2, of_x2 / (there + of_x2), f"the noise is there, too, with the variance {noise}."),
        (3, 1 - right[1], "the noise cannot be predicted either."),
        (3, 1 - noise / all_of, "that is with both; x1 alone is asked."),
        (4, 1 - noise / all_of, f"that is everywhere; now x1 is {x1}."),
        (4, right[2], "that is x2 alone; anyone may use x1, too."),
    ):
        expect(not near(got[k], wrong, 4e-4), hint)
    told = (
        f"the variance of {factor} x2 is {large:g}, that of x1^3 is {c}^6/7, of the noise {noise}.",
        f"with the factor 1: {of_x2:.3f}, over the whole variance.",
        f"there: {of_x2:.3f} over {there:.3f} + {of_x2:.3f} + {noise}.",
        f"what x1 explains, over the whole variance: {cube:.3f} over it.",
        f"there: all but the noise, {there:.3f} + {of_x2:.3f}, over the whole variance.",
    )
    for k, hint in enumerate(told):
        expect(near(got[k], right[k], 6e-4), hint)


def judge_errors(got):
    mine = given(own_number())
    bins, guessed = np.array(mine["bins"], dtype=float), mine["guessed"]
    m, n = len(bins), bins.size
    means = bins.mean(axis=1)
    apart = (means - means[:, None]) ** 2
    within, between = bins.var(axis=1).mean(), means.var()
    others = apart.sum(axis=1) / (m - 1)  # the mean square to another bin, for each bin
    wrong = others.mean()
    whole, missed = within + between, 1 - guessed
    expect(
        not near(got[0], whole * n / (n - 1)),
        f"divide by {n}: it is the error of the mean on these rows.",
    )
    expect(
        not near(got[0], between, 0.01),
        "that is the variance of the bin means; a bin has one, too.",
    )
    expect(
        near(got[0], whole, 0.006),
        f"the mean is {bins.mean():.3f}; the squares of the distances to it.",
    )
    step = bins[0, 1] - bins[0, 0]
    expect(not near(got[1], within * 3 / 2), f"divide by {n} rows, not by two of each bin.")
    expect(
        near(got[1], within, 0.006),
        f"in each bin the distances are {step:g}, 0 and {step:g}.",
    )
    expect(
        not near(got[2], within + wrong, 0.01),
        f"that is in a wrong bin; one of {m} is the right one.",
    )
    expect(
        not near(got[2], 2 * between, 0.01),
        "within a bin there is an error, too, on top of the means.",
    )
    expect(
        near(got[2], within + 2 * between, 0.006),
        f"{whole:.3f} + {between:.3f}: the bin says nothing about the target.",
    )
    nearest = np.where(np.eye(m, dtype=bool), np.inf, apart).min(axis=1).mean()
    ends = " and ".join(f"{gap:g}" for gap in means[1:] - means[0])
    expect(
        not near(got[3], within + missed * nearest, 0.01)
        and not near(got[3], within + missed * others[[0, -1]].mean(), 0.01),
        f"from the lowest bin the others are {ends} away; a bin in the middle is nearer to them.",
    )
    expect(
        not near(got[3], whole, 0.01),
        f"{missed:.1f} of the guesses are wrong: so much of {wrong:.3f} on top of {within:.3f}.",
    )
    expect(
        near(got[3], within + missed * wrong, 0.006),
        f"{within:.3f}, and in {missed:.1f} of the rows {wrong:.3f} more on average.",
    )
    share = 1 - between / wrong
    expect(not near(got[4], 1 - share), "that is how many may be wrong.")
    expect(
        near(got[4], share), f"{within:.3f} + (1 - p) {wrong:.3f} is to be the error of the mean."
    )


def judge_noise(got):
    mine = given(own_number())
    levels, times = mine["levels"], np.array(mine["times"])
    m, as_large, larger = times.sum(), mine["as_large"], mine["larger"]
    shares = [np.mean(level) for level in levels]
    lafi, every = np.mean(shares), np.concatenate(levels)
    expect(
        not near(got[0], every.mean()),
        "the share in each level, averaged over the levels, not bins.",
    )
    expect(not near(got[0], sum(shares)), "divide by the three levels.")
    expect(not near(got[0], sum(shares) / 2), "level 1 is a level, too: no bin of one chose it.")
    said = f"0, {sum(levels[1]):g}/2 and {sum(levels[2]):g}/4"
    expect(near(got[0], lafi), f"{said} in the three levels.")
    twelfths = np.array(mine["twelfths"])
    at_least = times[twelfths / 12 > lafi - 1e-9].sum()
    above = times[twelfths / 12 > lafi + 1e-9].sum()
    for k, count, more, words in (
        (1, as_large, larger, f"{as_large} of {m} permutations"),
        (2, at_least, above, f"{at_least} of {m} permutations"),
    ):
        expect(not near(got[k], count / m), "add the true order above and below the line.")
        expect(not near(got[k], count / (1 + m)), "add the true order above, too.")
        expect(not near(got[k], (1 + more) / (1 + m)), "as large counts, too, not only larger.")
        expect(
            near(got[k], (1 + count) / (1 + m)),
            f"{words}, and the true order: {1 + count} of {1 + m}.",
        )
    features, small = mine["features"], mine["small"]
    expect(got[3] != 1, f"{features} features, not twenty.")
    expect(near(got[3], features * 0.05), f"each of {features} has at most a chance of 0.05.")
    fewest = round(1 / small) - 1
    expect(
        got[4] not in (fewest + 1, fewest - 1),
        f"1/(1 + m) is to be {small}: the true order is one of {fewest + 1}.",
    )
    expect(got[4] == fewest, "the smallest p is 1/(1 + m).")


JUDGES = {
    "hw10-1": judge_orders,
    "hw10-2": judge_shares,
    "hw10-3": judge_errors,
    "hw10-4": judge_noise,
}
HELPERS = {}  # no function calls another one
