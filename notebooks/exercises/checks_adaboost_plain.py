"""Checkers of the chapter "AdaBoost" that also run in the page."""

from itertools import pairwise
from math import log
from random import Random

from plain_checks import all_close, as_list, close, column, is_number

from treelab.adaboost import estimator_weight, normalized, reweight
from treelab.checkers import checker, expect

# The ten days of the chapter, and what the stumps on their nine cuts say, and the two constants.
TEMP = [4, 5, 7, 12, 18, 23, 27, 28, 32, 35]
DEMAND = [-1] * 3 + [1] * 5 + [-1] * 2
CUTS = [0, *((a + b) / 2 for a, b in pairwise(TEMP))]
POOL = [[side if x > cut else -side for x in TEMP] for side in (1, -1) for cut in CUTS]
EQUAL = [0.1] * 10
AFTER_ONE = [0.0625] * 8 + [0.25] * 2
JUST = 1e-9  # a rule must be better than a coin by more than this


def weighted_errors(says, y, w):
    """Error of each rule."""
    return [sum(v for v, k, c in zip(w, rule, y) if k != c) for rule in says]


def boosted(says, y, B):
    """Rules with their confidences, and the weights after the last round."""
    w, joined = normalized([1] * len(y)), []
    for _ in range(B):
        errors = weighted_errors(says, y, w)
        k = min(range(len(says)), key=lambda k: round(errors[k], 12))
        if errors[k] >= 0.5 - JUST:
            break
        vote = estimator_weight(errors[k])
        joined.append((k, vote / 2))
        w = reweight(w, [a != c for a, c in zip(says[k], y)], vote)
    return joined, w


def answer_of(boost, says, y, B):
    """Rules, confidences and weights of an answer that has the right form."""
    rules, truth = [column(rule) for rule in says], column(y)
    found = boost(rules, truth, B)
    expect(
        isinstance(found, list | tuple) and len(found) == 2,
        "return two things: the list of the pairs (k, c), and the weights after the last round.",
    )
    pairs, w = as_list(found[0]), as_list(found[1])
    pairs = None if pairs is None else [as_list(pair) for pair in pairs]
    expect(
        pairs is not None and all(p is not None and len(p) == 2 for p in pairs),
        "the first thing to return is a list with a pair (k, c) for each round.",
    )
    expect(
        w is not None and len(w) == len(y) and all(map(is_number, w)),
        "the second thing to return are the weights: one for each row.",
    )
    expect(
        [list(rule) for rule in rules] == says and list(truth) == y,
        "you changed what you were given: make new lists.",
    )
    return [k for k, _ in pairs], [c for _, c in pairs], w


def check_one_round(boost):
    """What a first round must leave."""
    says, y = [POOL[0], POOL[3], POOL[13]], DEMAND
    which, c, after = answer_of(boost, says, y, 1)
    expect(len(which) == 1, "in one round one rule joins.")
    expect(
        which == [1],
        "of three rules with the errors 0.5, 0.2 and 0.8 the one with 0.2 joins. Its k is 1.",
    )
    expect(
        not close(c[0], log(4)),
        "that is ln((1 - error) / error), scikit-learn's weight; the confidence is half of it.",
    )
    expect(
        not close(c[0], -log(4) / 2),
        "your confidence is negative for a rule that is mostly right: 1 - error belongs on top.",
    )
    expect(close(c[0], log(4) / 2), "for an error of 0.2 the confidence is 0.6931.")
    expect(
        not all_close(normalized(after), normalized([0.25] * 8 + [0.0625] * 2)),
        "the wrong rows must gain weight, and yours lose it.",
    )
    expect(not all_close(after, EQUAL), "return the weights after the round, not those before it.")
    expect(close(sum(after), 1), "after the round the weights must have the sum 1 again.")
    expect(
        close(after[8] + after[9], 0.5),
        "half of the weight must lie on the wrong rows after the round.",
    )
    expect(all_close(after, AFTER_ONE), "after round 1 the days weigh 0.0625, the hot ones 0.25.")


@checker("adaboost-2")
def check_boost(boost):
    check_one_round(boost)
    which, c, after = answer_of(boost, POOL, DEMAND, 3)
    right = boosted(POOL, DEMAND, 3)
    expect(
        len(set(which)) > 1,
        "every round chose the same rule: its error is the weight of the rows that it gets wrong, "
        "not their number over n.",
    )
    expect(
        not (len(which) == 3 and close(c[1], log(7 / 3) / 2)),
        "the weighted error is the weight of the wrong rows, not their number over n.",
    )
    expect(
        which == [k for k, _ in right[0]],
        "on the ten days, with all stumps as the pool, other rules join in three rounds: "
        f"{[k for k, _ in right[0]]}. In each round choose by the new weights.",
    )
    expect(all_close(c, [v for _, v in right[0]]), "on the ten days the confidences differ.")
    expect(all_close(after, right[1]), "on the ten days the weights after round 3 differ.")
    twice = [POOL[0], POOL[3], POOL[3]]
    which, c, after = answer_of(boost, twice, DEMAND, 1)
    expect(which == [1], "rules 1 and 2 of this pool say the same: of equal rules the first joins.")
    which, c, after = answer_of(boost, [[1, 1, 1, -1, -1]], [1, 1, 1, 1, -1], 5)
    which = [k for k, v in zip(which, c) if abs(v) > JUST]
    expect(
        len(which) == 1,
        "a pool of one rule: in round 2 it is no better than a coin, so stop after one round.",
    )
    which, c, after = answer_of(boost, [[1, 1, 1]], [-1, -1, 1], 4)
    expect(
        not which and all_close(after, [1 / 3] * 3),
        "the only rule is worse than a coin: nothing joins, and the weights stay equal.",
    )
    random = Random(0)
    for _ in range(8):
        says = [[random.choice([1, -1]) for _ in range(9)] for _ in range(6)]
        y = [random.choice([1, -1]) for _ in range(9)]
        if y in says or [-k for k in y] in says:
            continue
        which, c, after = answer_of(boost, says, y, 4)
        right = boosted(says, y, 4)
        expect(
            which == [k for k, _ in right[0]]
            and all_close(c, [v for _, v in right[0]])
            and all_close(after, right[1]),
            "right for the ten days, wrong for random rules: multiply the old weights, row by row, "
            "and compare errors that are rounded.",
        )


def brute_least_error(x, y, w):
    """Smallest error over all cuts and all words on the two sides."""
    says = [
        [left if v <= cut else right for v in x]
        for cut in x
        for left in (1, -1)
        for right in (1, -1)
    ]
    return min(weighted_errors(says, y, w))


@checker("adaboost-4")
def check_least_error(least_error):
    def answer(x, y, w):
        found = least_error(column(x), column(y), column(w))
        found = found.tolist() if hasattr(found, "tolist") else found
        expect(is_number(found), "return one number, the smallest weighted error.")
        return found

    got = answer(TEMP, DEMAND, EQUAL)
    expect(
        not close(got, 2),
        "you counted rows: an error is the sum of the weights of the wrong ones.",
    )
    expect(close(got, 0.2), "with equal weights, no stump has less than 0.2 on the ten days.")
    got = answer(TEMP, DEMAND, AFTER_ONE)
    expect(
        not close(got, 0.5) and not close(got, 5 / 16),
        "a stump may also say +1 on the left and -1 on the right, and the weights decide which "
        "stump is the best.",
    )
    expect(
        close(got, 3 / 16),
        "with the weights after round 1 the least error on the ten days is 3/16: use the weights.",
    )
    expect(
        close(answer([1.0, 1.0, 2.0, 2.0], [-1, 1, -1, 1], [0.3, 0.2, 0.1, 0.4]), 0.3),
        "no stump can separate two rows of the same value: cut only between different values.",
    )
    expect(
        close(answer([0.0, 1.0, 2.0], [1, -1, 1], [0.4, 0.1, 0.5]), 0.1),
        "a stump that says the same on both sides may be the best one.",
    )
    expect(
        close(answer([1.0] * 3, [1, -1, 1], [0.4, 0.1, 0.5]), 0.1),
        "where all values are equal, the same must be said to all.",
    )
    random = Random(1)
    for _ in range(30):
        x = [float(random.randrange(6)) for _ in range(9)]
        y = [random.choice([-1, 1]) for _ in range(9)]
        w = normalized([random.expovariate(1) for _ in range(9)])
        expect(
            close(answer(x, y, w), brute_least_error(x, y, w)),
            "wrong for random rows in random order: sort y and w together with x.",
        )
