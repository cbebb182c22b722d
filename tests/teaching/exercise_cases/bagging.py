"""Right and wrong answers to the exercises of the chapter "Bagging and out-of-bag error"."""

import itertools

import numpy as np
from scipy.stats import binom

# --- bagging-2 -------------------------------------------------------------------------


def majority_bincount(votes, n_classes):
    return np.array([np.bincount(column, minlength=n_classes).argmax() for column in votes.T])


def majority_one_hot(votes, n_classes):
    return np.eye(n_classes)[votes].sum(axis=0).argmax(axis=1)


def majority_by_sorting(votes, n_classes):
    return [max(range(n_classes), key=lambda k: (c.tolist().count(k), -k)) for c in votes.T]


def majority_of_members(votes, n_classes):
    return np.array([np.bincount(row, minlength=n_classes).argmax() for row in votes])


def majority_rounded_mean(votes, n_classes):
    return np.floor(votes.mean(axis=0) + 0.5).astype(int)


def majority_last_of_equals(votes, n_classes):
    counts = np.eye(n_classes)[votes].sum(axis=0)
    return n_classes - 1 - counts[:, ::-1].argmax(axis=1)


def majority_first_voter(votes, n_classes):
    return [max(column, key=column.count) for column in votes.T.tolist()]


def majority_unanimous(votes, n_classes):
    return votes.min(axis=0)


# --- bagging-3 -------------------------------------------------------------------------


def oob_loop(samples, said, y):
    wrong, covered = 0, 0
    for i in range(len(y)):
        heard = [said[b][i] for b in range(len(samples)) if i not in samples[b]]
        if heard:
            covered += 1
            wrong += int(np.bincount(heard).argmax() != y[i])
    return wrong / covered, covered / len(y)


def oob_arrays(samples, said, y):
    n, K = len(y), max(np.max(said), np.max(y)) + 1
    sums = np.zeros((n, K))
    for rows, votes in zip(samples, said):
        out = np.setdiff1d(np.arange(n), rows)
        sums[out, votes[out]] += 1
    covered = sums.sum(axis=1) > 0
    return np.mean(sums[covered].argmax(axis=1) != y[covered]), covered.mean()


def oob_all_members(samples, said, y):
    vote = np.array([np.bincount(column).argmax() for column in said.T])
    return np.mean(vote != y), 1.0


def oob_single_votes(samples, said, y):
    heard = [said[b][i] != y[i] for b in range(len(said)) for i in range(len(y))
             if i not in samples[b]]  # fmt: skip
    return np.mean(heard), 6 / 7


def oob_uncovered_are_right(samples, said, y):
    error, coverage = oob_loop(samples, said, y)
    return error * coverage, coverage


def oob_uncovered_are_wrong(samples, said, y):
    error, coverage = oob_loop(samples, said, y)
    return error * coverage + 1 - coverage, coverage


def oob_last_of_equals(samples, said, y):
    K = np.max(said)
    return oob_loop(samples, K - said, K - y)


# --- bagging-4 -------------------------------------------------------------------------


def wrong_vote_scipy(alpha, B):
    tie = binom.pmf(B // 2, B, alpha) / 2 if B % 2 == 0 else 0
    return binom.sf(B // 2, B, alpha) + tie


def wrong_vote_distribution(alpha, B):
    chance = np.ones(1)
    for _ in range(B):
        chance = np.convolve(chance, [1 - alpha, alpha])
    k = np.arange(B + 1)
    return np.sum(chance * np.where(2 * k > B, 1, np.where(2 * k == B, 0.5, 0)))


def wrong_vote_ties_wrong(alpha, B):
    return binom.sf(np.ceil(B / 2) - 1, B, alpha)


def wrong_vote_ties_right(alpha, B):
    return binom.sf(B // 2, B, alpha)


def wrong_vote_right(alpha, B):
    return 1 - wrong_vote_scipy(alpha, B)


def wrong_vote_single(alpha, B):
    return alpha


# --- bagging-6 -------------------------------------------------------------------------


def bagged_maximum_weights(x):
    n = len(x)
    k = np.arange(1, n + 1)
    return np.sort(x) @ ((k / n) ** n - ((k - 1) / n) ** n)


def bagged_maximum_all_samples(x):
    """Every sample, if there are few; the weights otherwise."""
    if len(x) < 6:
        return np.mean([max(sample) for sample in itertools.product(x, repeat=len(x))])
    below = [np.mean(x <= v) ** len(x) for v in np.sort(x)]
    return float(np.sum(np.sort(x) * np.diff([0.0, *below])))


def bagged_maximum_plain(x):
    return np.max(x)


def bagged_maximum_cumulative(x):
    n = len(x)
    return np.sort(x) @ (np.arange(1, n + 1) / n) ** n


def bagged_maximum_mean(x):
    return np.mean(x)


def bagged_maximum_unsorted(x):
    n = len(x)
    return x @ np.diff((np.arange(n + 1) / n) ** n)


def bagged_maximum_drawn(x):
    rng = np.random.default_rng(0)
    return rng.choice(x, size=(5001, len(x))).max(axis=1).mean()


CORRECT = {
    "bagging-2": [majority_bincount, majority_one_hot, majority_by_sorting],
    "bagging-3": [oob_loop, oob_arrays],
    "bagging-4": [wrong_vote_scipy, wrong_vote_distribution],
    "bagging-6": [bagged_maximum_weights, bagged_maximum_all_samples],
}

WRONG = {
    "bagging-2": [
        (majority_of_members, "one class for each of the 7"),
        (majority_rounded_mean, "do not average"),
        (majority_last_of_equals, "is a tie"),
        (majority_first_voter, "whoever votes first"),
        (majority_unanimous, "need not be unanimous"),
    ],
    "bagging-3": [
        (oob_all_members, "have not drawn"),
        (oob_single_votes, "once for each case"),
        (oob_uncovered_are_right, "has no vote"),
        (oob_uncovered_are_wrong, "has no vote"),
        (oob_last_of_equals, "in a tie"),
    ],
    "bagging-4": [
        (wrong_vote_ties_wrong, "every tie as an error"),
        (wrong_vote_ties_right, "every tie as right"),
        (wrong_vote_right, "the vote is right"),
        (wrong_vote_single, "0.2666"),
    ],
    "bagging-6": [
        (bagged_maximum_plain, "the plain maximum"),
        (bagged_maximum_cumulative, "add up to more than 1"),
        (bagged_maximum_mean, "not the mean of the numbers"),
        (bagged_maximum_unsorted, "any order"),
        (bagged_maximum_drawn, "no random numbers"),
    ],
}
