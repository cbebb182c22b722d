"""Checkers of the chapter "AdaBoost" that also run in the page."""

from math import log
from random import Random

from plain_checks import all_close, as_list, close, column

from treelab.checkers import checker, expect
from treelab.plain.adaboost import reweight, vote_weight

FIRST = [True] * 8 + [False] * 2  # whom the first stump gets right, of the ten days
SECOND = [False] * 3 + [True] * 7
AFTER_ONE = [0.0625] * 8 + [0.25] * 2


@checker("adaboost-2")
def check_one_round(one_round):
    given = column([0.1] * 10)
    alpha, after = one_round(given, column(FIRST))
    after = as_list(after)
    expect(
        all_close(list(given), [0.1] * 10),
        "you changed the array that you were given: make a new one for the new weights.",
    )
    expect(
        not close(alpha, log(4)),
        "that is ln((1 - error) / error), scikit-learn's weight; the confidence is half of it.",
    )
    expect(
        not close(alpha, -log(4) / 2),
        "your confidence is negative for a member that is mostly right: 1 - error belongs on top.",
    )
    expect(close(alpha, log(4) / 2), "for an error of 0.2 the confidence is 0.6931.")
    expect(after is not None and len(after) == 10, "return one weight for each case.")
    expect(
        not all_close(after, [0.25] * 8 + [0.0625] * 2),
        "the wrong cases must gain weight, and yours lose it.",
    )
    expect(close(sum(after), 1), "after the round the weights must have the sum 1 again.")
    expect(
        close(after[8] + after[9], 0.5),
        "half of the weight must lie on the wrong cases after the round.",
    )
    expect(all_close(after, AFTER_ONE), "after round 1 the days weigh 0.0625, the hot ones 0.25.")
    alpha, after = one_round(column(AFTER_ONE), column(SECOND))
    expect(
        not close(alpha, log(7 / 3) / 2),
        "the weighted error is the weight of the wrong cases, not their number over n.",
    )
    for seed in range(10):
        random = Random(seed)
        weight = [random.expovariate(1) for _ in range(8)]
        weight = [v / sum(weight) for v in weight]
        wrong = [v == min(weight) for v in weight]
        vote = vote_weight(min(weight))
        alpha, after = one_round(column(weight), column([not off for off in wrong]))
        expect(close(alpha, vote / 2), "wrong confidence for weights that differ.")
        expect(
            all_close(as_list(after), reweight(weight, wrong, vote)),
            "right for equal weights, wrong for others: multiply the old weights, case by case.",
        )
