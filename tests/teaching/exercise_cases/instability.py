"""Right and wrong answers to the exercises of the chapter "Why one tree is not enough"."""

from collections import Counter

import numpy as np

# --- instability-2 ---------------------------------------------------------------------


def three_parts_methods(P, Y):
    bias2 = ((P.mean(axis=0) - Y.mean(axis=0)) ** 2).mean()
    return Y.var(axis=0).mean(), bias2, P.var(axis=0).mean()


def three_parts_loop(P, Y):
    noise, bias2, variance = [], [], []
    for said, targets in zip(P.T.tolist(), Y.T.tolist()):
        mean, level = sum(said) / len(said), sum(targets) / len(targets)
        noise.append(sum((y - level) ** 2 for y in targets) / len(targets))
        bias2.append((mean - level) ** 2)
        variance.append(sum((a - mean) ** 2 for a in said) / len(said))
    return [sum(part) / len(part) for part in (noise, bias2, variance)]


def three_parts_from_sum(P, Y):
    error = np.mean((P[:, None] - Y[None]) ** 2)
    noise, variance = Y.var(axis=0).mean(), P.var(axis=0).mean()
    return noise, error - noise - variance, variance


def three_parts_error_as_bias(P, Y):
    return Y.var(axis=0).mean(), np.mean((P - Y.mean(axis=0)) ** 2), P.var(axis=0).mean()


def three_parts_from_truth(P, Y):
    noise, bias2, _ = three_parts_methods(P, Y)
    return noise, bias2, np.mean((P - Y.mean(axis=0)) ** 2)


def three_parts_ddof(P, Y):
    noise, bias2, variance = three_parts_methods(P, Y)
    return noise, bias2, variance * len(P) / (len(P) - 1)


def three_parts_ddof_noise(P, Y):
    noise, bias2, variance = three_parts_methods(P, Y)
    return noise * len(Y) / (len(Y) - 1), bias2, variance


def three_parts_noise_from_models(P, Y):
    _, bias2, variance = three_parts_methods(P, Y)
    return np.mean((Y - P.mean(axis=0)) ** 2), bias2, variance


def three_parts_signed(P, Y):
    noise, _, variance = three_parts_methods(P, Y)
    return noise, np.mean(P - Y.mean(axis=0)) ** 2, variance


def three_parts_mixed(P, Y):
    noise, bias2, _ = three_parts_methods(P, Y)
    return noise, bias2, P.var()


def three_parts_mixed_targets(P, Y):
    _, bias2, variance = three_parts_methods(P, Y)
    return Y.var(), bias2, variance


def three_parts_per_point(P, Y):
    return Y.var(axis=0), (P.mean(axis=0) - Y.mean(axis=0)) ** 2, P.var(axis=0)


def three_parts_two(P, Y):
    return three_parts_methods(P, Y)[1:]


# --- instability-3 ---------------------------------------------------------------------


def corrected_not(P, truth):
    return ((P.mean(axis=0) - truth) ** 2).mean(), P.var(axis=0).mean()


def corrected_by_parts(P, truth):
    m = len(P)
    bias2, variance = corrected_not(P, truth)
    variance *= m / (m - 1)
    return bias2 - variance / m, variance


def corrected_from_sum(P, truth):
    variance = np.cov(P, rowvar=False).reshape(P.shape[1], -1).diagonal().mean()
    return np.mean((P - truth) ** 2) - variance, variance


def corrected_clipped(P, truth):
    bias2, variance = corrected_by_parts(P, truth)
    return max(bias2, 0.0), variance


def corrected_added(P, truth):
    s2 = P.var(axis=0, ddof=1)
    return np.mean((P.mean(axis=0) - truth) ** 2 + s2 / len(P)), s2.mean()


def corrected_whole(P, truth):
    s2 = P.var(axis=0, ddof=1)
    return np.mean((P.mean(axis=0) - truth) ** 2 - s2), s2.mean()


def corrected_only_variance(P, truth):
    return np.mean((P.mean(axis=0) - truth) ** 2), P.var(axis=0, ddof=1).mean()


def corrected_mixed(P, truth):
    s2 = P.var(ddof=1)
    return np.mean((P.mean(axis=0) - truth) ** 2) - s2 / len(P), s2


# --- instability-4 ---------------------------------------------------------------------


def vote_gain_bincount(P, y):
    vote = [np.bincount(column).argmax() for column in P.T]
    return (P != y).mean() - (vote != y).mean()


def vote_gain_counter(P, y):
    wrong = 0
    for column, truth in zip(P.T.tolist(), y.tolist()):
        counts = Counter(column)
        wrong += min(counts, key=lambda k: (-counts[k], k)) != truth
    return float(np.mean(P != y)) - wrong / len(y)


def vote_gain_reversed(P, y):
    return -vote_gain_bincount(P, y)


def vote_gain_error(P, y):
    return np.mean([np.bincount(c).argmax() for c in P.T] != y)


def vote_gain_mean(P, y):
    return np.mean(P != y) - np.mean(np.floor(P.mean(axis=0) + 0.5) != y)


def vote_gain_last(P, y):
    top = [len(c) - 1 - c[::-1].argmax() for c in map(np.bincount, P.T)]
    return np.mean(P != y) - np.mean(top != y)


def vote_gain_half(P, y):
    share = (P == y).mean(axis=0)
    smallest = (P < y).sum(axis=0) == 0
    return np.mean(P != y) - np.mean(~((share > 0.5) | ((share == 0.5) & smallest)))


# --- instability-7 ---------------------------------------------------------------------


def table_of_averages(draw, fit, points, k, M, seeds):
    return np.array(
        [
            np.mean([[model(x) for x in points] for model in (fit(*draw(s)) for s in seeds(r))], 0)
            for r in range(M)
        ]
    )


def in_turn(k):
    return lambda r: range(r * k, r * k + k)


def average_of_table(draw, fit, points, truth, k, M):
    P = table_of_averages(draw, fit, points, k, M, in_turn(k))
    return np.mean((P.mean(axis=0) - truth) ** 2), P.var(axis=0).mean()


def average_of_loops(draw, fit, points, truth, k, M):
    seed, sums, squares = 0, [0.0] * len(points), [0.0] * len(points)
    for _ in range(M):
        predicted = [0.0] * len(points)
        for _ in range(k):
            model, seed = fit(*draw(seed)), seed + 1
            for j, x in enumerate(points):
                predicted[j] += model(x) / k
        for j, value in enumerate(predicted):
            sums[j] += value / M
            squares[j] += value**2 / M
    bias2 = [(m - f) ** 2 for m, f in zip(sums, truth)]
    variance = [s - m**2 for s, m in zip(squares, sums)]
    return sum(bias2) / len(points), sum(variance) / len(points)


def average_of_same_seeds(draw, fit, points, truth, k, M):
    P = table_of_averages(draw, fit, points, k, M, lambda r: range(k))
    return np.mean((P.mean(axis=0) - truth) ** 2), P.var(axis=0).mean()


def average_of_overlapping(draw, fit, points, truth, k, M):
    P = table_of_averages(draw, fit, points, k, M, lambda r: range(r, r + k))
    return np.mean((P.mean(axis=0) - truth) ** 2), P.var(axis=0).mean()


def average_of_singles(draw, fit, points, truth, k, M):
    P = table_of_averages(draw, fit, points, 1, k * M, in_turn(1))
    return np.mean((P.mean(axis=0) - truth) ** 2), P.var(axis=0).mean()


def average_of_ddof(draw, fit, points, truth, k, M):
    bias2, variance = average_of_table(draw, fit, points, truth, k, M)
    return bias2, variance * M / (M - 1)


def average_of_from_truth(draw, fit, points, truth, k, M):
    bias2, variance = average_of_table(draw, fit, points, truth, k, M)
    return bias2, bias2 + variance


def average_of_signed(draw, fit, points, truth, k, M):
    P = table_of_averages(draw, fit, points, k, M, in_turn(k))
    return np.mean(P.mean(axis=0) - truth) ** 2, P.var(axis=0).mean()


def average_of_mixed(draw, fit, points, truth, k, M):
    P = table_of_averages(draw, fit, points, k, M, in_turn(k))
    return np.mean((P.mean(axis=0) - truth) ** 2), P.var()


CORRECT = {
    "instability-2": [three_parts_methods, three_parts_loop, three_parts_from_sum],
    "instability-3": [corrected_by_parts, corrected_from_sum],
    "instability-4": [vote_gain_bincount, vote_gain_counter],
    "instability-7": [average_of_table, average_of_loops],
}

WRONG = {
    "instability-2": [
        (three_parts_error_as_bias, "average them first"),
        (three_parts_from_truth, "not from the truth"),
        (three_parts_ddof, "not by 2"),
        (three_parts_ddof_noise, "not by 1"),
        (three_parts_noise_from_models, "around their own mean"),
        (three_parts_signed, "do not cancel"),
        (three_parts_mixed, "mixed the points"),
        (three_parts_mixed_targets, "mixed the points"),
        (three_parts_per_point, "three numbers"),
        (three_parts_two, "three numbers"),
    ],
    "instability-3": [
        (corrected_not, "divide by M - 1"),
        (corrected_clipped, "may be negative"),
        (corrected_added, "not added"),
        (corrected_whole, "take off 3, not 9"),
        (corrected_only_variance, "varies too"),
        (corrected_mixed, "column by column"),
    ],
    "instability-4": [
        (vote_gain_reversed, "look at the sign"),
        (vote_gain_error, "not a difference"),
        (vote_gain_mean, "do not average class numbers"),
        (vote_gain_last, "smallest class wins"),
        (vote_gain_half, "half is not needed"),
    ],
    "instability-7": [
        (average_of_same_seeds, "new training sets"),
        (average_of_overlapping, "drawn once"),
        (average_of_singles, "first, and take the variance of the averages"),
        (average_of_ddof, "not by 2"),
        (average_of_from_truth, "not from the truth"),
        (average_of_signed, "square the bias"),
        (average_of_mixed, "mixed the points"),
    ],
}
