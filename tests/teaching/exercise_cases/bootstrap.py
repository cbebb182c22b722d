"""Right and wrong answers to the exercises of the chapter "The bootstrap"."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from random import Random

import numpy as np

DRAWN = 1 - np.exp(-1)

# --- bootstrap-2 -----------------------------------------------------------------------


def exact_counter(statistic, data):
    counts = Counter(statistic(list(sample)) for sample in product(data, repeat=len(data)))
    return {value: count / len(data) ** len(data) for value, count in counts.items()}


def exact_recursive(statistic, data):
    chance = {}

    def draw(sample):
        if len(sample) == len(data):
            value = statistic(sample)
            chance[value] = chance.get(value, 0.0) + (1 / len(data)) ** len(data)
            return
        for case in data:
            draw([*sample, case])

    draw([])
    return chance


def exact_fractions(statistic, data):
    samples = Counter(statistic(list(sample)) for sample in product(data, repeat=len(data)))
    return {value: Fraction(count, len(data) ** len(data)) for value, count in samples.items()}


def exact_counts(statistic, data):
    return dict(Counter(statistic(list(sample)) for sample in product(data, repeat=len(data))))


def exact_without_replacement(statistic, data):
    counts = Counter(statistic(list(sample)) for sample in permutations(data))
    return {value: count / sum(counts.values()) for value, count in counts.items()}


def exact_sets(statistic, data):
    counts = Counter(statistic(list(s)) for s in combinations_with_replacement(data, len(data)))
    return {value: count / sum(counts.values()) for value, count in counts.items()}


def exact_distinct_values(statistic, data):
    return exact_counter(statistic, sorted(set(data)) if len(data) > 2 else data)


# --- bootstrap-3 -----------------------------------------------------------------------


def judges(samples, losses):
    """The losses of the models that have not seen a case, by case."""
    cases = range(len(losses[0]))
    return [[loss[i] for rows, loss in zip(samples, losses) if i not in rows] for i in cases]


def loo_lists(samples, losses):
    means = [sum(own) / len(own) for own in judges(samples, losses) if own]
    return sum(means) / len(means)


def loo_nanmean(samples, losses):
    seen = np.array([[i in rows for i in range(len(losses[0]))] for rows in samples])
    unseen = np.where(seen, np.nan, losses)
    return np.nanmean(unseen[:, ~seen.all(axis=0)], axis=0).mean()


def loo_naive(samples, losses):
    return np.mean(losses)


def loo_pooled(samples, losses):
    return np.mean(sum(judges(samples, losses), []))


def loo_per_sample(samples, losses):
    out = [[loss[i] for i in range(len(loss)) if i not in b] for b, loss in zip(samples, losses)]
    return np.mean([np.mean(own) for own in out if own])


def loo_zero_for_skipped(samples, losses):
    return np.mean([sum(own) / max(len(own), 1) for own in judges(samples, losses)])


def loo_divides_by_zero(samples, losses):
    return np.mean([sum(own) / len(own) for own in judges(samples, losses)])


def loo_divides_by_zero_with_numpy(samples, losses):
    with np.errstate(all="ignore"):
        return np.mean([np.float64(sum(own)) / len(own) for own in judges(samples, losses)])


# --- bootstrap-4 -----------------------------------------------------------------------


def plus_parts(y, predicted, loo, gamma):
    apparent = np.mean(y != predicted)
    loo = min(loo, gamma)
    R = (loo - apparent) / (gamma - apparent) if loo > apparent and gamma > apparent else 0.0
    w = DRAWN / (1 - (1 - DRAWN) * R)
    return (1 - w) * apparent + w * loo


def plus_pairs(y, predicted, loo):
    gamma = np.mean([target != guess for target in y for guess in predicted])
    return plus_parts(y, predicted, loo, gamma)


def plus_shares(y, predicted, loo):
    gamma = 1 - sum(np.mean(y == k) * np.mean(predicted == k) for k in np.unique(y))
    return plus_parts(y, predicted, loo, gamma)


def plus_rounded(y, predicted, loo):
    """With the three digits of the chapter."""
    apparent = np.mean(y != predicted)
    gamma = np.mean(y[:, None] != predicted)
    loo = min(loo, gamma)
    R = (loo - apparent) / (gamma - apparent) if loo > apparent and gamma > apparent else 0.0
    w = 0.632 / (1 - 0.368 * R)
    return (1 - w) * apparent + w * loo


def plus_plain_632(y, predicted, loo):
    return (1 - DRAWN) * np.mean(y != predicted) + DRAWN * loo


def plus_only_loo(y, predicted, loo):
    return loo


def plus_gini(y, predicted, loo):
    gamma = 1 - sum(np.mean(y == k) ** 2 for k in np.unique(y))
    return plus_parts(y, predicted, loo, gamma)


def plus_one_half(y, predicted, loo):
    return plus_parts(y, predicted, loo, 0.5)


def plus_uncut(y, predicted, loo):
    apparent = np.mean(y != predicted)
    gamma = np.mean(y[:, None] != predicted)
    R = (loo - apparent) / (gamma - apparent)
    w = DRAWN / (1 - (1 - DRAWN) * R)
    return (1 - w) * apparent + w * loo


def plus_negative_R(y, predicted, loo):
    apparent = np.mean(y != predicted)
    gamma = np.mean(y[:, None] != predicted)
    loo = min(loo, gamma)
    w = DRAWN / (1 - (1 - DRAWN) * (loo - apparent) / (gamma - apparent))
    return (1 - w) * apparent + w * loo


def plus_uncut_without_room(y, predicted, loo):
    """Cuts loo only where R is computed."""
    apparent = np.mean(y != predicted)
    gamma = np.mean(y[:, None] != predicted)
    R = 0.0
    if loo > apparent and gamma > apparent:
        loo = min(loo, gamma)
        R = (loo - apparent) / (gamma - apparent)
    w = DRAWN / (1 - (1 - DRAWN) * R)
    return (1 - w) * apparent + w * loo


# --- bootstrap-7 -----------------------------------------------------------------------


def difference_choices(statistic, a, b, B, seed):
    random = Random(seed)
    return [
        statistic(random.choices(b, k=len(b))) - statistic(random.choices(a, k=len(a)))
        for _ in range(B)
    ]


def difference_rows(statistic, a, b, B, seed):
    rng, a, b = np.random.default_rng(seed), np.array(a), np.array(b)
    found = np.empty(B)
    for k in range(B):
        rows, others = rng.integers(len(a), size=len(a)), rng.integers(len(b), size=len(b))
        found[k] = statistic(b[others].tolist()) - statistic(a[rows].tolist())
    return found


def difference_sign(statistic, a, b, B, seed):
    return [-d for d in difference_choices(statistic, a, b, B, seed)]


def difference_pooled(statistic, a, b, B, seed):
    random, both = Random(seed), a + b
    return [
        abs(statistic(random.choices(both, k=len(b))) - statistic(random.choices(both, k=len(a))))
        for _ in range(B)
    ]


def difference_one_size(statistic, a, b, B, seed):
    random, k = Random(seed), min(len(a), len(b))
    return [statistic(random.choices(b, k=k)) - statistic(random.choices(a, k=k)) for _ in range(B)]


def difference_without_replacement(statistic, a, b, B, seed):
    random = Random(seed)
    return [
        statistic(random.sample(b, len(b))) - statistic(random.sample(a, len(a))) for _ in range(B)
    ]


def difference_one_group(statistic, a, b, B, seed):
    random = Random(seed)
    return [statistic(random.choices(b, k=len(b))) - statistic(a) for _ in range(B)]


def difference_one_seed(statistic, a, b, B, seed):
    samples = [
        [random.choices(group, k=len(group)) for _ in range(B)]
        for group, random in ((a, Random(seed)), (b, Random(seed)))
    ]
    return [statistic(y) - statistic(x) for x, y in zip(*samples)]


def difference_no_seed(statistic, a, b, B, seed):
    return difference_choices(statistic, a, b, B, None)


def difference_constant_seed(statistic, a, b, B, seed):
    return difference_choices(statistic, a, b, B, 0)


def difference_mean_only(statistic, a, b, B, seed):
    return statistic(b) - statistic(a)


CORRECT = {
    "bootstrap-2": [exact_counter, exact_recursive, exact_fractions],
    "bootstrap-3": [loo_lists, loo_nanmean],
    "bootstrap-4": [plus_pairs, plus_shares, plus_rounded],
    "bootstrap-7": [difference_choices, difference_rows],
}

WRONG = {
    "bootstrap-2": [
        (exact_counts, "these are counts"),
        (exact_without_replacement, "without replacement"),
        (exact_sets, "ordered samples"),
        (exact_distinct_values, "still two observations"),
    ],
    "bootstrap-3": [
        (loo_naive, "naive estimate"),
        (loo_pooled, "pooled"),
        (loo_per_sample, "mean of each sample first"),
        (loo_zero_for_skipped, "do not count it"),
        (loo_divides_by_zero, "division by zero"),
        (loo_divides_by_zero_with_numpy, "has no model"),
    ],
    "bootstrap-4": [
        (plus_plain_632, "that is .632"),
        (plus_only_loo, "the rate is not 1"),
        (plus_gini, "compares targets with predictions"),
        (plus_one_half, "n squared pairs"),
        (plus_uncut, "reduced to the no-information"),
        (plus_negative_R, "the rate is 0"),
        (plus_uncut_without_room, "reduced there too"),
    ],
    "bootstrap-7": [
        (difference_sign, "of b minus that of a"),
        (difference_pooled, "draw from each group by itself"),
        (difference_one_size, "its own group"),
        (difference_without_replacement, "with replacement"),
        (difference_one_group, "group a is never drawn anew"),
        (difference_one_seed, "the same rows"),
        (difference_no_seed, "the same seed should"),
        (difference_constant_seed, "another seed should"),
        (difference_mean_only, "a list of B numbers"),
    ],
}
