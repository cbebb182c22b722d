"""Right and wrong answers to the exercises of the chapter "Bagging and out-of-bag error"."""

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


def bag_any_lists(fit, X, y, samples, features):
    def part(x, kept):
        return [x[j] for j in kept]

    fitted = [
        fit([part(X[i], kept) for i in rows], [y[i] for i in rows])
        for rows, kept in zip(samples, features)
    ]

    def mean_of(x, chosen):
        said = [fitted[b](part(x, features[b])) for b in chosen]
        return sum(said) / len(said) if said else None

    unseen = [[b for b, rows in enumerate(samples) if i not in rows] for i in range(len(X))]
    oob = [mean_of(x, chosen) for x, chosen in zip(X, unseen)]
    return lambda x: mean_of(x, range(len(fitted))), oob


def bag_any_arrays(fit, X, y, samples, features):
    X, y = np.asarray(X), np.asarray(y)
    fitted = [fit(X[rows][:, kept], y[rows]) for rows, kept in zip(samples, features)]
    sums, votes = np.zeros(len(y)), np.zeros(len(y))
    for predict, rows, kept in zip(fitted, samples, features):
        for i in np.setdiff1d(np.arange(len(y)), rows):
            sums[i] += predict(X[i, kept])
            votes[i] += 1

    def predict(x):
        x = np.asarray(x)
        return np.mean([one(x[kept]) for one, kept in zip(fitted, features)])

    return predict, [s / v if v else None for s, v in zip(sums, votes)]


def bag_any_with(fit, X, y, samples, features, *, oob_of=None, divisor=None, drop=False, all_of=()):
    """The right answer with one mistake."""
    full = list(range(len(X[0])))
    drawn = [sorted(set(rows)) if drop else rows for rows in samples]
    to_fit = [full if "fit" in all_of else kept for kept in features]
    to_predict = [full if "predict" in all_of else kept for kept in features]
    fitted = [
        fit([[X[i][j] for j in kept] for i in rows], [y[i] for i in rows])
        for rows, kept in zip(drawn, to_fit)
    ]

    def said(x, chosen):
        return [fitted[b]([x[j] for j in to_predict[b]]) for b in chosen]

    oob = []
    for i, x in enumerate(X):
        chosen = [b for b, rows in enumerate(samples) if oob_of == "all" or i not in rows]
        values = said(x, chosen)
        n = len(samples) if divisor == "all" else len(values)
        oob.append(sum(values) / n if values else None)
    return lambda x: np.mean(said(x, range(len(fitted)))), oob


def bag_any_all_vote(*given):
    return bag_any_with(*given, oob_of="all")


def bag_any_divided_by_all(*given):
    return bag_any_with(*given, divisor="all")


def bag_any_zero(*given):
    predict, oob = bag_any_with(*given)
    return predict, [value or 0.0 for value in oob]


def bag_any_distinct(*given):
    return bag_any_with(*given, drop=True)


def bag_any_all_features(*given):
    return bag_any_with(*given, all_of=("fit", "predict"))


def bag_any_all_features_later(*given):
    return bag_any_with(*given, all_of=("predict",))


def bag_any_no_function(*given):
    return bag_any_with(*given)[1]


CORRECT = {
    "bagging-2": [majority_bincount, majority_one_hot, majority_by_sorting],
    "bagging-3": [oob_loop, oob_arrays],
    "bagging-4": [wrong_vote_scipy, wrong_vote_distribution],
    "bagging-6": [bag_any_lists, bag_any_arrays],
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
        (bag_any_all_vote, "have not drawn the row"),
        (bag_any_divided_by_all, "not by all"),
        (bag_any_zero, "prediction is None"),
        (bag_any_distinct, "is fitted twice"),
        (bag_any_all_features, "is fitted to the features"),
        (bag_any_all_features_later, "when it predicts, too"),
        (bag_any_no_function, "return two things"),
    ],
}
