"""Checkers of the chapter "Gradient boosting" that also run in the page."""

from math import ceil, inf
from random import Random
from statistics import fmean

from plain_checks import all_close, as_list, close, column, pair

from treelab.checkers import checker, expect
from treelab.losses import log_loss, probability

FALLING = [9.0 - k for k in range(8)]  # losses of training rows: they hardly ever say stop
HELD_OUT = [5.0, 4.0, 3.0, 3.5, 3.4, 3.3, 3.6, 3.5]


def rounds_done(held_out, patience):
    """The rounds after which boosting stops."""
    for m in range(patience, len(held_out)):
        if held_out[m] >= max(held_out[m - patience : m]):
            return m + 1
    return len(held_out)


@checker("gradient-boosting-2")
def check_stop_round(stop_round):
    def found(train, held_out, patience):
        answer = stop_round(column(train), column(held_out), patience)
        return pair(answer, "return two numbers: the rounds done, and the best one of them.")

    done, kept = found(FALLING, HELD_OUT, 2)
    expect(
        done != 8 or kept != 3,
        "all rounds were done: stop after the first round whose held-out loss is no lower than any "
        "of the `patience` before it (the loss of training rows falls on and on).",
    )
    expect(done != 8, "the loss of training rows falls on and on; ask the rows that were held out.")
    expect(done != 6, "rounds are counted from 1: the list begins with the loss after round 1.")
    expect(
        done != 5,
        "that counts rounds since the least loss; here each loss is compared with those of the "
        "`patience` rounds before it.",
    )
    expect(
        done != 4,
        "after round 4 the loss is lower than after round 2: stop when it is at least as large "
        "as *each* of the `patience` before it.",
    )
    expect(done == 7, "3.6 after round 7 is no lower than 3.4 and 3.3; the rounds before go on.")
    expect(kept != 2, "the least loss stands at index 2, and that is round 3.")
    expect(kept != 7, "the last round done is not the best: the least held-out loss is 3.0.")
    expect(kept != 8, "the best round is the one of the least *held-out* loss.")
    expect(kept == 3, "the least held-out loss, 3.0, is that after round 3.")
    expect(
        found(FALLING[:4], [1.0, 2.0, 3.0, 4.0], 3) == (4, 1),
        "the first round that can stop has `patience` rounds before it: here round 4.",
    )
    expect(
        found(FALLING[:5], [2.0] * 5, 2) == (3, 1),
        "an equal loss is no lower: with equal losses and patience 2 boosting stops after round 3, "
        "and round 1 is the smallest with the least loss.",
    )
    expect(
        found(FALLING[:4], [5.0, 4.0, 3.0, 2.0], 2) == (4, 4),
        "where the loss falls to the end all rounds are done.",
    )
    late = found(FALLING[:4], [3.0, 2.0, 4.0, 1.0], 1)
    expect(
        late != (3, 4),
        "with losses 3, 2, 4, 1 and patience 1 boosting ends after round 3; round 4 is never done, "
        "so its loss is not known. The best of the rounds done is round 2.",
    )
    expect(late == (3, 2), "losses 3, 2, 4, 1 and patience 1: three rounds, the best is round 2.")
    for seed in range(20):
        random = Random(seed)
        held_out = [random.randint(1, 30) + 20 / (k + 1) for k in range(25)]
        patience = 1 + seed % 5
        done = rounds_done(held_out, patience)
        best = held_out.index(min(held_out[:done])) + 1
        expect(
            found(sorted(held_out)[::-1], held_out, patience) == (done, best),
            "right for the short lists, wrong for one of 25 rounds.",
        )


@checker("gradient-boosting-4")
def check_one_round(one_round):
    def found(x, y, F, cut, rate):
        scores = as_list(one_round(column(x), column(y), column(F), cut, rate))
        expect(
            scores is not None and len(scores) == len(x),
            f"return a new score for each of the {len(x)} rows.",
        )
        return scores

    x, y, F = [4.0, 5.0, 7.0, 12.0, 18.0], [1.0, 1.0, 1.0, 1.0, 0.0], [0.0] * 5
    got = found(x, y, F, 9.5, 1.0)
    expect(
        not close(got[0], 0.5),
        "that is the mean pseudo-residual; divide their sum by the curvatures, not the number.",
    )
    expect(
        not close(got[0], -2), "the sign is wrong: the pseudo-residual is y - p, and these are 1."
    )
    expect(
        not close(got[0], 1.2),
        "each leaf takes a step of its own, from its own rows; yours moves all rows alike.",
    )
    expect(all_close(got, [2, 2, 2, 0, 0]), "y = 1, 1, 1 at F = 0 moves by 1.5 / 0.75 = 2.")
    got = found(x, y, F, 9.5, 0.5)
    expect(not all_close(got, [2, 2, 2, 0, 0]), "move each row by a share of the step, the rate.")
    expect(all_close(got, [1, 1, 1, 0, 0]), "at rate 0.5 the three rows move by half of 2.")
    got = found(x, y, F, 7.0, 1.0)
    expect(all_close(got[:3], [2, 2, 2]), "a row exactly at the cut goes left.")
    x, y, F = [1.0, 2.0, 3.0, 9.0, 8.0], [1.0, 0.0, 0.0, 1.0, 0.0], [2.0, -1.0, 0.5, -3.0, 0.0]
    p, got = list(map(probability, F)), found(x, y, F, 5.0, 1.0)
    moved = got[0] - F[0]
    r = [a - b for a, b in zip(y, p)]
    curvature = [b * (1 - b) for b in p]
    expect(
        not close(moved, fmean(a / b for a, b in zip(r[:3], curvature))),
        "that is the mean of the rows' steps; it is the sum of slopes over the sum of curvatures.",
    )
    mean = fmean(p[:3])
    expect(
        not close(moved, sum(r[:3]) / (3 * mean * (1 - mean))),
        "each row has its own p(1 - p); yours is that of the mean p.",
    )
    for seed in range(4):
        random = Random(seed)
        x = [random.random() for _ in range(12)]
        y = [float(random.random() < 0.4) for _ in x]
        F = [random.gauss(0, 1) for _ in x]
        _, step = log_loss(y, F, [1] * 12)
        sides = [[i for i in range(12) if (x[i] <= 0.5) == left] for left in (True, False)]
        right = list(F)
        for side in sides:
            for i in side:
                right[i] = F[i] + 0.1 * step(side)
        expect(
            all_close(found(x, y, F, 0.5, 0.1), right),
            "right where all scores are 0, wrong elsewhere: p is 1 / (1 + exp(-F)), row by row.",
        )


@checker("gradient-boosting-6")
def check_group_margins(group_margins):
    def found(low, high, y, groups, share):
        answer = group_margins(column(low), column(high), column(y), column(groups), share)
        expect(isinstance(answer, dict), "return a dict from the name of a group to its margin.")
        return {str(name): float(margin) for name, margin in answer.items()}

    # Nine rows of a day, whose lacks are -4 to 4, and three of a night, with 0.5, 1.5 and 2.5.
    y = [10.0 + k for k in range(-4, 5)] + [10.5, 11.5, 12.5]
    low, high, groups = [0.0] * 12, [10.0] * 12, ["day"] * 9 + ["night"] * 3
    got = found(low, high, y, groups, 0.75)
    expect(set(got) == {"day", "night"}, "one margin for each group, under its name.")
    expect(
        not close(got["day"], 2.5),
        "that is one margin for all rows; calibrate each group by its own rows.",
    )
    expect(
        not close(got["day"], 2),
        "of n rows it is the lack number share * (n + 1), rounded up: here the 8th of 9, not the "
        "7th. The new row is one more.",
    )
    expect(
        not close(got["day"], 4),
        "of 9 rows the 8th smallest stands at index 7; you took one too many.",
    )
    expect(close(got["day"], 3), "for the share 0.75 of 9 rows it is the 8th smallest lack, 3.")
    expect(close(got["night"], 2.5), "of 3 rows it is the 3rd smallest, 2.5.")
    got = found(low, high, y, groups, 0.9)
    expect(
        got["night"] == inf,
        "0.9 * (3 + 1), rounded up, is 4, and there are 3 rows: no finite margin will do.",
    )
    got = found([8.0] * 9, [100.0] * 9, list(range(1, 10)), ["a"] * 9, 0.5)
    expect(
        not close(got["a"], -95),
        "a row may lie below the band: its lack is the larger of low - y and y - high.",
    )
    expect(
        close(got["a"], 3), "rows 1 to 9 and a band from 8: the lacks are 7 to -1, the 5th is 3."
    )
    got = found([0.0] * 9, [100.0] * 9, [50.0 + k for k in range(9)], ["a"] * 9, 0.5)
    expect(
        not close(got["a"], 0),
        "a lack inside the band is negative; then the margin may be, and the band shrinks.",
    )
    for seed in range(4):
        random = Random(seed)
        groups = random.choices("abc", k=60)
        low = [random.gauss(-2, 1) for _ in groups]
        high = [a + 4 * random.random() for a in low]
        y = [random.gauss(0, 2) for _ in groups]
        right = {}
        for name in "abc":
            rows = [i for i in range(60) if groups[i] == name]
            lacks = sorted(max(low[i] - y[i], y[i] - high[i]) for i in rows)
            right[name] = lacks[ceil(0.8125 * (len(rows) + 1)) - 1]
        got = found(low, high, y, groups, 0.8125)
        expect(
            set(got) == set(right) and all(close(got[name], right[name]) for name in right),
            "right for two small groups, wrong for 60 rows in three.",
        )
