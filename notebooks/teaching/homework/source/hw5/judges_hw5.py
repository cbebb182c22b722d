"""The judges of part A of homework 5, and right versions of its functions: not for students."""

import numpy as np
from checks_hw5 import given

from treelab.checkers import expect, own_number

# --- Part A ----------------------------------------------------------------------------


def near(got, want):
    """Whether numbers agree to about three decimals."""
    return np.shape(got) == np.shape(want) and np.allclose(got, want, rtol=0, atol=0.004)


def slip(got, mistake, right, hint):
    """Give the hint to an answer that is this mistake, unless that is right as well."""
    expect(not near(got, mistake) or near(got, right), hint)


def adaboost():
    """Signs of the classes, of the rules, and of each round rule, error, confidence and weights."""
    table = {name: np.array(column) for name, column in given(own_number())["tomatoes"].items()}
    sweet = table.pop("sweet")
    weights, rounds = np.full(len(sweet), 1 / len(sweet)), []
    for _ in range(3):
        errors = {rule: weights[says != sweet].sum() for rule, says in table.items()}
        best = min(errors, key=errors.get)
        error, wrong = errors[best], table[best] != sweet
        rounds.append((best, error, np.log((1 - error) / error) / 2, weights))
        weights = weights / np.where(wrong, 2 * error, 2 * (1 - error))
    return sweet, table, rounds


def expect_confidence(got, error, want):
    """Name the usual slips in the confidence of a member."""
    expect(
        not near(got, 2 * want),
        "that is ln((1 - e)/e), the vote of `estimator_weights_`; the confidence is half of it.",
    )
    expect(not near(got, want / np.log(10)), "take the natural logarithm, not the decimal one.")
    expect(
        not near(got, -want),
        "your confidence is negative: 1 - e is in the numerator, a good rule gets a positive say.",
    )
    expect(near(got, want), f"the confidence of a rule with the error {error:.3f} is another one.")


def judge_round_1(answer):
    rule, error, confidence, wrong, right = answer
    sweet, rules, ((best, least, say, _), *_) = adaboost()
    n, few = len(sweet), np.sum(rules[best] != sweet)
    expect(
        rule == best,
        "all weights are equal in round 1, so the best rule is the one with the fewest errors.",
    )
    expect(
        not near(error, few),
        "the weighted error is the weight of the wrong tomatoes, not their number.",
    )
    expect(near(error, least), f"{few} of {n} equal weights are wrong: {few}/{n} is the error.")
    expect_confidence(confidence, least, say)
    want = 1 / (2 * few), 1 / (2 * (n - few))
    slip(
        [wrong, right],
        want[::-1],
        want,
        "you have exchanged the two: a wrong tomato gains weight, the right ones lose.",
    )
    expect(
        abs(few * wrong + (n - few) * right - 1) < 0.008,
        f"after the round the weights of {few} wrong and {n - few} right tomatoes must have the "
        "sum 1.",
    )
    expect(
        near([wrong, right], want),
        "after a round half of the weight lies on what the rule got wrong.",
    )


def judge_rounds_2_and_3(answer):
    (rule_2, error_2, confidence_2), (rule_3, error_3, confidence_3) = answer
    sweet, rules, (one, two, three) = adaboost()
    off = {rule: says != sweet for rule, says in rules.items()}
    by_number = min((rule for rule in rules if rule != one[0]), key=lambda rule: off[rule].sum())
    n, more, half = len(sweet), off[two[0]].sum(), off[three[0]].sum()
    expect(
        rule_2 != one[0],
        f"on the new weights the error of rule {rule_2} is exactly one half: it is worthless in "
        "round 2.",
    )
    expect(
        rule_2 != by_number,
        f"rule {by_number} has the fewest errors of the others by number; by weight it has more "
        f"than rule {two[0]}.",
    )
    expect(rule_2 == two[0], "add up the new weights of each rule's wrong tomatoes: who has least?")
    slip(
        error_2,
        more / n,
        two[1],
        f"{more}/{n} is the error with the weights of round 1; use the weights after round 1.",
    )
    expect(
        near(error_2, two[1]),
        f"rule {two[0]} is wrong on {more} tomatoes that were right in round 1; look at what each "
        "of them weighs now.",
    )
    expect_confidence(confidence_2, two[1], two[2])
    expect(
        rule_3 != two[0],
        f"on the weights after round 2 the error of rule {rule_3} is exactly one half.",
    )
    expect(
        rule_3 == three[0],
        f"{half} wrong tomatoes can weigh less than one: add up the weights after round 2.",
    )
    slip(
        error_3,
        1 / 2,
        three[1],
        f"you counted: rule {rule_3} is wrong on {half} of {n}, but by weight on much less.",
    )
    before = two[3][off[rule_3]].sum()
    slip(
        error_3,
        before,
        three[1],
        f"{before:.3f} is the error of rule {rule_3} with the weights of round 2; they have "
        "changed again.",
    )
    expect(
        near(error_3, three[1]),
        f"rule {rule_3} is wrong on {half} tomatoes that were right in both rounds; look at what "
        "each of them weighs now.",
    )
    expect_confidence(confidence_3, three[1], three[2])


def judge_margins(got):
    sweet, rules, rounds = adaboost()
    expect(len(got) == len(sweet), f"give one margin for each of the {len(sweet)} tomatoes.")
    says = np.array([rules[rule] for rule, *_ in rounds])
    confidences = np.array([confidence for _, _, confidence, _ in rounds])
    score, total = confidences @ says, confidences.sum()
    expect(
        not near(got, score) and not near(got, score * sweet),
        "these are scores: divide by the sum of the confidences, so that 1 is the largest margin.",
    )
    slip(
        got,
        score / total,
        sweet * score / total,
        "a margin counts towards the true class: multiply by -1 where the tomato is not sweet.",
    )
    expect(
        not near(got, sweet * says.mean(axis=0)),
        "you gave the three rules one vote each; each counts by its confidence.",
    )
    expect(
        (got > 0).all(),
        "a negative margin is a wrong vote; the three rules together are right on all tomatoes.",
    )
    expect(near(got, sweet * score / total), "add up the three terms once more, tomato by tomato.")


def best_step(residuals, km):
    """Where the best stump of some residuals cuts: the middle, and the rows on its left."""
    costs = {}
    for i in range(1, len(km)):
        costs[i] = sum(np.sum((r - r.mean()) ** 2) for r in (residuals[:i], residuals[i:]))
    i = min(costs, key=costs.get)
    return (km[i - 1] + km[i]) / 2, i


def judge_one_step_each(answer):
    table = given(own_number())["deliveries"]
    km, minutes = np.array(table["km"], float), np.array(table["minutes"], float)
    judge_squared_step(answer[0], km, minutes)
    judge_absolute_step(answer[1], km, minutes)


def judge_squared_step(answer, km, minutes):
    (start, cut), said = answer[:2], answer[2:]
    mean, median = minutes.mean(), np.median(minutes)
    slip(
        start,
        median,
        mean,
        f"squared error: {median:g} is the median; the best constant for squared error is the "
        "mean.",
    )
    expect(near(start, mean), "squared error: the start is the mean of the six times.")
    gap = minutes - mean
    middle, i = best_step(gap, km)
    expect(
        near(cut, middle) or not (near(cut, km[i - 1]) or near(cut, km[i])),
        "squared error: put the cut in the middle between the two neighboring distances.",
    )
    expect(
        near(cut, middle),
        "squared error: another cut lowers the sum of squares more; try all five.",
    )
    steps = np.array([gap[:i].mean(), gap[i:].mean()])
    want = mean + steps / 2
    expect(
        near(said, want) or not (near(said, steps / 2) or near(said, steps)),
        "squared error: these are the steps; the score is the start plus the step.",
    )
    slip(
        said,
        mean + steps,
        want,
        "squared error: you took the full step; the learning rate is 1/2.",
    )
    expect(
        near(said, want),
        f"squared error: the score on a side is {mean:.4g} plus half of the mean residual there.",
    )


def judge_absolute_step(answer, km, minutes):
    (start, cut), said = answer[:2], answer[2:]
    mean, median = minutes.mean(), np.median(minutes)
    middles = np.sort(minutes)[2:4]
    slip(
        start,
        mean,
        median,
        f"absolute error: {mean:.4g} is the mean; the best constant for absolute error is the "
        "median.",
    )
    expect(
        near(start, median),
        f"absolute error: the start is the median, halfway from {middles[0]:g} to {middles[1]:g}.",
    )
    gap = minutes - median
    middle, i = best_step(np.sign(gap), km)
    slip(
        cut,
        best_step(gap, km)[0],
        middle,
        "absolute error: the stump is fitted to the signs of the residuals; a sign of 1 is all "
        f"that is left of the {minutes[-1]:g} minutes.",
    )
    signs = ", ".join(f"{sign:g}" for sign in np.sign(gap))
    expect(
        near(cut, middle), f"absolute error: another cut divides the signs {signs} with less error."
    )
    sides = gap[:i], gap[i:]
    steps = np.array([np.median(side) for side in sides])
    want = median + steps / 2
    means = np.array([np.mean(np.sign(side)) for side in sides])
    expect(
        near(said, want) or not (near(said, median + means / 2) or near(said, median + means)),
        "absolute error: the signs only choose the cut; the step of a leaf is the median of y - F.",
    )
    slip(
        said,
        median + np.array([side.mean() for side in sides]) / 2,
        want,
        "absolute error: you took the mean of y - F in the leaf; its best step is the median.",
    )
    slip(
        said,
        median + steps,
        want,
        "absolute error: you took the full step; the learning rate is 1/2.",
    )
    expect(
        near(said, want) or not (near(said, steps / 2) or near(said, steps)),
        "absolute error: these are the steps; the score is the start plus the step.",
    )
    expect(
        near(said, want),
        f"absolute error: the score on a side is {median:g} plus half of the median of y - F "
        "there.",
    )


JUDGES = {
    "hw5-1": judge_round_1,
    "hw5-2": judge_rounds_2_and_3,
    "hw5-3": judge_margins,
    "hw5-4": judge_one_step_each,
}


# --- Right versions of the functions of parts B and C ------------------------------------


def right_stump(X, r):
    """Column, cut and the two means, by the squared errors of all cuts."""
    best = np.inf, 0, np.inf, r.mean(), r.mean()
    for j, x in enumerate(X.T):
        seen = np.unique(x)
        for a, b in zip(seen[:-1], seen[1:], strict=True):
            low, high = r[x <= a].mean(), r[x > a].mean()
            cost = np.sum((r - np.where(x <= a, low, high)) ** 2)
            if cost < best[0] - 1e-9:
                best = cost, j, (a + b) / 2, low, high
    return best[1:]


def right_rounds(path, patience):
    """Rounds that early stopping keeps."""
    kept = 1
    for b, error in enumerate(path, 1):
        kept = b if error < path[kept - 1] else kept
        if b - kept >= patience:
            break
    return kept


HELPERS = {"hw5-6": {"best_stump": right_stump}, "hw5-9": {"rounds_kept": right_rounds}}
