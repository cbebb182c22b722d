"""Right and wrong answers to the exercises of the chapter "Gradient boosting"."""

import numpy as np

from treelab.boosting.losses import Loss

# --- gradient-boosting-2 ---------------------------------------------------------------


def scores_by_sum(start, steps, learning_rate):
    steps = np.vstack([np.zeros(np.shape(steps)[1]), steps])
    return start + learning_rate * steps.cumsum(axis=0)


def scores_by_loop(start, steps, learning_rate):
    rows = [[start] * len(steps[0])]
    for step in steps:
        rows.append([F + learning_rate * s for F, s in zip(rows[-1], step, strict=True)])
    return np.array(rows)


def scores_without_start(start, steps, learning_rate):
    return scores_by_sum(0.0, steps, learning_rate)


def scores_shrunken_start(start, steps, learning_rate):
    return scores_by_sum(learning_rate * start, steps, learning_rate)


def scores_full_steps(start, steps, learning_rate):
    return scores_by_sum(start, steps, 1.0)


def scores_from_start(start, steps, learning_rate):
    return start + learning_rate * np.vstack([np.zeros(np.shape(steps)[1]), steps])


def scores_without_row(start, steps, learning_rate):
    return scores_by_sum(start, steps, learning_rate)[1:]


def scores_fading(start, steps, learning_rate):
    rates = learning_rate ** np.arange(1, len(steps) + 1)
    return scores_by_sum(start, rates[:, None] * np.asarray(steps), 1.0)


# --- gradient-boosting-4 ---------------------------------------------------------------


def newton_by_formula(y, F):
    p = 1 / (1 + np.exp(-F))
    return np.sum(y - p) / np.sum(p * (1 - p))


def newton_by_loop(y, F):
    up = down = 0.0
    for target, score in zip(y, F, strict=True):
        odds = np.exp(score)
        up += target - odds / (1 + odds)
        down += odds / (1 + odds) ** 2
    return up / down


def newton_mean_residual(y, F):
    return np.mean(y - 1 / (1 + np.exp(-F)))


def newton_wrong_sign(y, F):
    return -newton_by_formula(y, F)


def newton_mean_of_steps(y, F):
    p = 1 / (1 + np.exp(-F))
    return np.mean((y - p) / (p * (1 - p)))


def newton_mean_probability(y, F):
    p = 1 / (1 + np.exp(-F))
    return np.sum(y - p) / (len(y) * p.mean() * (1 - p.mean()))


def newton_at_zero(y, F):
    return np.sum(y - 0.5) / (len(y) * 0.25)


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


# --- gradient-boosting-7 ---------------------------------------------------------------


def gain_by_masks(g, h, left, lam, gamma):
    sides = [(g[side].sum(), h[side].sum()) for side in (left, ~left)]
    score = sum(G**2 / (H + lam) for G, H in sides)
    return 0.5 * (score - g.sum() ** 2 / (h.sum() + lam)) - gamma


def gain_by_objective(g, h, left, lam, gamma):
    def least(side):
        step = -np.dot(side, g) / (np.dot(side, h) + lam)
        return step * np.dot(side, g) + 0.5 * (np.dot(side, h) + lam) * step**2

    left = left.astype(float)
    return least(np.ones(len(g))) - least(left) - least(1 - left) - gamma


def gain_not_halved(g, h, left, lam, gamma):
    return 2 * gain_by_masks(g, h, left, lam, 0.0) - gamma


def gain_without_node(g, h, left, lam, gamma):
    return gain_by_masks(g, h, left, lam, gamma) + g.sum() ** 2 / (h.sum() + lam) / 2


def gain_lambda_in_leaves(g, h, left, lam, gamma):
    more = g.sum() ** 2 / (h.sum() + lam) - g.sum() ** 2 / h.sum()
    return gain_by_masks(g, h, left, lam, gamma) + more / 2


def gain_without_gamma(g, h, left, lam, gamma):
    return gain_by_masks(g, h, left, lam, 0.0)


def gain_half_gamma(g, h, left, lam, gamma):
    return gain_by_masks(g, h, left, lam, gamma / 2)


def gain_sum_of_squares(g, h, left, lam, gamma):
    return gain_by_masks(np.abs(g), h, left, lam, gamma)


CORRECT = {
    "gradient-boosting-2": [scores_by_sum, scores_by_loop],
    "gradient-boosting-4": [newton_by_formula, newton_by_loop],
    "gradient-boosting-5": [expectile_squares, expectile_masks],
    "gradient-boosting-7": [gain_by_masks, gain_by_objective],
}

WRONG = {
    "gradient-boosting-2": [
        (scores_without_start, "lost the start"),
        (scores_shrunken_start, "taken in full"),
        (scores_full_steps, "only a share"),
        (scores_from_start, "rounds before it"),
        (scores_without_row, "the start included"),
        (scores_fading, "from round to round"),
    ],
    "gradient-boosting-4": [
        (newton_mean_residual, "mean pseudo-residual"),
        (newton_wrong_sign, "sign is wrong"),
        (newton_mean_of_steps, "sum of slopes"),
        (newton_mean_probability, "its own p(1 - p)"),
        (newton_at_zero, "case by case"),
    ],
    "gradient-boosting-5": [
        (expectile_class, "not the class"),
        (expectile_quantile, "quantile loss"),
        (expectile_swapped, "price above the score"),
        (expectile_uphill, "needs its negative"),
        (expectile_half, "factor 2"),
        (expectile_fixed, "tau = 0.5"),
    ],
    "gradient-boosting-7": [
        (gain_not_halved, "halved"),
        (gain_without_node, "before the cut"),
        (gain_lambda_in_leaves, "all three denominators"),
        (gain_without_gamma, "not charged kappa"),
        (gain_half_gamma, "outside the half"),
        (gain_sum_of_squares, "without penalties these five cases"),
    ],
}
