"""Right and wrong answers to the exercises of the chapter "Gradient boosting"."""

import numpy as np

from treelab.fast.boosting.losses import Loss

# --- gradient-boosting-2 ---------------------------------------------------------------


def stopped(losses, patience, worst=max, strict=False, first=None):
    """Rounds done; the comparison and its first round may be spoiled."""
    for m in range(patience if first is None else first, len(losses)):
        before = worst(losses[max(m - patience, 0) : m])
        if losses[m] > before or (losses[m] == before and not strict):
            return m + 1
    return len(losses)


def best_round(losses):
    return int(np.argmin(losses)) + 1


def stop_by_loop(train, held_out, patience):
    done = stopped(held_out, patience)
    return done, best_round(held_out[:done])


def stop_by_windows(train, held_out, patience):
    held_out = np.asarray(held_out)
    late = np.arange(patience, len(held_out))
    stops = [m for m in late if not np.any(held_out[m] < held_out[m - patience : m])]
    done = stops[0] + 1 if stops else len(held_out)
    return done, best_round(held_out[:done])


def stop_by_training_rows(train, held_out, patience):
    return stopped(train, patience), best_round(held_out)


def stop_counted_from_zero(train, held_out, patience):
    return stopped(held_out, patience) - 1, best_round(held_out)


def stop_since_the_least(train, held_out, patience):
    for m in range(patience, len(held_out)):
        if min(held_out[: m + 1]) < min(held_out[m - patience + 1 : m + 1]):
            return m + 1, best_round(held_out)
    return len(held_out), best_round(held_out)


def stop_at_a_rise(train, held_out, patience):
    return stopped(held_out, patience, worst=min), best_round(held_out)


def stop_strictly(train, held_out, patience):
    return stopped(held_out, patience, strict=True), best_round(held_out)


def stop_early(train, held_out, patience):
    return stopped(held_out, patience, first=1), best_round(held_out)


def stop_keeps_an_index(train, held_out, patience):
    return stopped(held_out, patience), best_round(held_out) - 1


def stop_keeps_by_training(train, held_out, patience):
    return stopped(held_out, patience), best_round(train)


def stop_keeps_the_last(train, held_out, patience):
    return (stopped(held_out, patience),) * 2


def stop_looks_ahead(train, held_out, patience):
    return stopped(held_out, patience), best_round(held_out)


# --- gradient-boosting-4 ---------------------------------------------------------------


def newton(y, F):
    p = 1 / (1 + np.exp(-F))
    return np.sum(y - p) / np.sum(p * (1 - p))


def moved(x, y, F, cut, rate, step, left=np.less_equal):
    """Scores after a round whose leaves take this step."""
    goes_left, new = left(x, cut), np.array(F, dtype=float)
    for side in (goes_left, ~goes_left):
        if side.any():
            new[side] += rate * step(y[side], F[side])
    return new


def round_by_masks(x, y, F, cut, learning_rate):
    return moved(x, y, F, cut, learning_rate, newton)


def round_by_loop(x, y, F, cut, learning_rate):
    sums = {True: [0.0, 0.0], False: [0.0, 0.0]}
    for value, target, score in zip(x, y, F, strict=True):
        odds = np.exp(score)
        sums[bool(value <= cut)][0] += target - odds / (1 + odds)
        sums[bool(value <= cut)][1] += odds / (1 + odds) ** 2
    steps = {side: up / down for side, (up, down) in sums.items() if down}
    return [
        score + learning_rate * steps[bool(value <= cut)] for value, score in zip(x, F, strict=True)
    ]


def round_mean_residual(x, y, F, cut, learning_rate):
    return moved(x, y, F, cut, learning_rate, lambda y, F: np.mean(y - 1 / (1 + np.exp(-F))))


def round_wrong_sign(x, y, F, cut, learning_rate):
    return moved(x, y, F, cut, -learning_rate, newton)


def round_one_step(x, y, F, cut, learning_rate):
    return F + learning_rate * newton(y, F)


def round_full_steps(x, y, F, cut, learning_rate):
    return moved(x, y, F, cut, 1.0, newton)


def round_cut_goes_right(x, y, F, cut, learning_rate):
    return moved(x, y, F, cut, learning_rate, newton, np.less)


def round_mean_of_steps(x, y, F, cut, learning_rate):
    def step(y, F):
        p = 1 / (1 + np.exp(-F))
        return np.mean((y - p) / (p * (1 - p)))

    return moved(x, y, F, cut, learning_rate, step)


def round_mean_probability(x, y, F, cut, learning_rate):
    def step(y, F):
        p = 1 / (1 + np.exp(-F))
        return np.sum(y - p) / (len(y) * p.mean() * (1 - p.mean()))

    return moved(x, y, F, cut, learning_rate, step)


def round_at_zero(x, y, F, cut, learning_rate):
    step = moved(x, y, np.zeros(len(y)), cut, learning_rate, newton)
    return F + step


def round_steps_only(x, y, F, cut, learning_rate):
    return list(moved(x, y, F, cut, learning_rate, newton))[:3]


# --- gradient-boosting-5 ---------------------------------------------------------------


class Squares(Loss):
    """Expectile loss; the prices, a power and a factor of the gradient may be spoiled."""

    def __init__(self, above, below, power=2, factor=2.0):
        self.above, self.below = above, below
        self.power, self.factor = power, factor

    def each(self, y, F):
        e = y - F
        return np.where(e >= 0, self.above, self.below) * np.abs(e) ** self.power

    def negative_gradient(self, y, F):
        e = y - F
        return self.factor * np.where(e >= 0, self.above, self.below) * e


class Indexed(Loss):
    """The same by two masks."""

    def __init__(self, alpha):
        self.alpha = alpha

    def each(self, y, F):
        cost = (y - F) ** 2 * (1 - self.alpha)
        above = y > F
        cost[above] *= self.alpha / (1 - self.alpha)
        return cost

    def negative_gradient(self, y, F):
        up, down = np.maximum(y - F, 0), np.maximum(F - y, 0)
        return 2 * (self.alpha * up - (1 - self.alpha) * down)


def expectile_squares(alpha):
    return Squares(alpha, 1 - alpha)


def expectile_masks(alpha):
    return Indexed(alpha)


def expectile_class(alpha):
    return Squares


def expectile_quantile(alpha):
    return Squares(alpha, 1 - alpha, power=1)


def expectile_swapped(alpha):
    return Squares(1 - alpha, alpha)


def expectile_uphill(alpha):
    return Squares(alpha, 1 - alpha, factor=-2.0)


def expectile_half(alpha):
    return Squares(alpha, 1 - alpha, factor=1.0)


def expectile_fixed(alpha):
    return Squares(0.8, 0.2)


# --- gradient-boosting-6 ---------------------------------------------------------------


def margins(low, high, y, groups, share, one_more=1, late=0, shrink=True, both=True):
    """A margin for each group; the rank and the lacks may be spoiled."""
    lacks = np.maximum(low - y, y - high) if both else y - high
    lacks = lacks if shrink else np.maximum(lacks, 0)
    found = {}
    for name in np.unique(groups):
        own = np.sort(lacks[groups == name])
        rank = int(np.ceil(share * (len(own) + one_more))) + late
        found[name] = own[rank - 1] if rank <= len(own) else np.inf
    return found


def margins_by_sorting(low, high, y, groups, share):
    return margins(low, high, y, groups, share)


def margins_by_counting(low, high, y, groups, share):
    found = {}
    for a, b, target, name in zip(low, high, y, groups, strict=True):
        found.setdefault(str(name), []).append(max(a - target, target - b))
    for name, lacks in found.items():
        enough = share * (len(lacks) + 1)
        covers = [m for m in lacks if sum(lack <= m for lack in lacks) >= enough - 1e-9]
        found[name] = min(covers, default=float("inf"))
    return found


def margins_alike(low, high, y, groups, share):
    everyone = margins(low, high, y, np.array(["all"] * len(y)), share)["all"]
    return dict.fromkeys(np.unique(groups), everyone)


def margins_without_the_new_row(low, high, y, groups, share):
    return margins(low, high, y, groups, share, one_more=0)


def margins_one_late(low, high, y, groups, share):
    return margins(low, high, y, groups, share, late=1)


def margins_at_most_the_largest(low, high, y, groups, share):
    found = margins(low, high, y, groups, share)
    largest = np.max(np.maximum(low - y, y - high))
    return {name: min(margin, largest) for name, margin in found.items()}


def margins_above_only(low, high, y, groups, share):
    return margins(low, high, y, groups, share, both=False)


def margins_never_shrink(low, high, y, groups, share):
    return margins(low, high, y, groups, share, shrink=False)


def margins_as_list(low, high, y, groups, share):
    return list(margins(low, high, y, groups, share).values())


CORRECT = {
    "gradient-boosting-2": [stop_by_loop, stop_by_windows],
    "gradient-boosting-4": [round_by_masks, round_by_loop],
    "gradient-boosting-5": [expectile_squares, expectile_masks],
    "gradient-boosting-6": [margins_by_sorting, margins_by_counting],
}

WRONG = {
    "gradient-boosting-2": [
        (stop_by_training_rows, "falls on and on"),
        (stop_counted_from_zero, "counted from 1"),
        (stop_since_the_least, "since the least loss"),
        (stop_at_a_rise, "lower than after round 2"),
        (stop_strictly, "an equal loss is no lower"),
        (stop_early, "rounds before it: here round 4"),
        (stop_keeps_an_index, "index 2"),
        (stop_keeps_by_training, "held-out* loss"),
        (stop_keeps_the_last, "last round done"),
        (stop_looks_ahead, "never done"),
    ],
    "gradient-boosting-4": [
        (round_mean_residual, "mean pseudo-residual"),
        (round_wrong_sign, "sign is wrong"),
        (round_one_step, "a step of its own"),
        (round_full_steps, "a share of the step"),
        (round_cut_goes_right, "goes left"),
        (round_mean_of_steps, "sum of slopes"),
        (round_mean_probability, "its own p(1 - p)"),
        (round_at_zero, "row by row"),
        (round_steps_only, "each of the 5 rows"),
    ],
    "gradient-boosting-5": [
        (expectile_class, "not the class"),
        (expectile_quantile, "quantile loss"),
        (expectile_swapped, "price above the score"),
        (expectile_uphill, "needs its negative"),
        (expectile_half, "factor 2"),
        (expectile_fixed, "tau = 0.5"),
    ],
    "gradient-boosting-6": [
        (margins_alike, "one margin for all rows"),
        (margins_without_the_new_row, "one more"),
        (margins_one_late, "one too many"),
        (margins_at_most_the_largest, "no finite margin"),
        (margins_above_only, "below the band"),
        (margins_never_shrink, "the band shrinks"),
        (margins_as_list, "return a dict"),
    ],
}
