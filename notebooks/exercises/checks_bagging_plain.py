"""Checkers of the chapter "Bagging and out-of-bag error" that also run in the page."""

from math import comb
from random import Random
from statistics import fmean

from plain_checks import as_list, close, column, pair

from treelab.checkers import checker, expect

# The seven cuttings of the chapter: the drawn rows, the predictions of the stumps, the targets.
SAMPLES = [[3, 3, 4, 4, 5, 5, 5], [0, 0, 1, 3, 5, 6, 6], [0, 1, 1, 2, 2, 3, 6]]
SAID = [[0, 0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 1, 1, 1]]
ROOTED = [0, 0, 1, 0, 1, 1, 1]


def elected(votes):
    """The class with the most votes; in a tie the smallest."""
    return min(set(votes), key=lambda k: (-votes.count(k), k))


def judged(samples, said, y):
    """Out-of-bag error and coverage of class codes, by the definition."""
    wrong = covered = 0
    for i, target in enumerate(y):
        heard = [votes[i] for rows, votes in zip(samples, said, strict=True) if i not in rows]
        if heard:
            covered += 1
            wrong += elected(heard) != target
    return wrong / covered, covered / len(y)


@checker("bagging-2")
def check_majority(majority):
    def found(votes, n_classes):
        return as_list(majority(column(votes), n_classes))

    got = found(SAID, 2)
    expect(
        got is not None and len(got) == 7,
        "the table has one row per base estimator and one column per case: return one class for "
        "each of the 7 cases.",
    )
    expect(
        got not in ([0, 0, 0, 0, 0, 1, 1], [0] * 7),
        "two votes of three are enough: a majority need not be unanimous.",
    )
    expect(got == [0, 0, 0, 0, 1, 1, 1], "the vote of the three stumps is wrong.")
    three = [[0, 2, 1], [0, 2, 2], [2, 0, 2], [2, 0, 0], [2, 1, 2]]
    expect(
        found(three, 3)[0] != 1,
        "class 1 wins without a single vote: class numbers are names, do not average them.",
    )
    expect(
        found([[0], [1]], 2) == [0],
        "one vote each is a tie: the first class, the one with the smaller number, wins.",
    )
    expect(
        found([[2, 1], [1, 2]], 4) == [1, 1],
        "one vote each for 1 and 2 is a tie: the smaller number wins, whoever votes first.",
    )
    for seed in range(20):
        random = Random(seed)
        votes = [[random.randrange(4) for _ in range(9)] for _ in range(6)]
        expect(
            found(votes, 4) == [elected(case) for case in zip(*votes)],
            "wrong for four classes: count the votes for each class, the largest count wins.",
        )


@checker("bagging-3")
def check_oob_error(oob_error):
    def found(samples, said, y):
        answer = oob_error([column(rows) for rows in samples], column(said), column(y))
        return pair(answer, "return two numbers: the error and the coverage.")

    error, coverage = found(SAMPLES, SAID, ROOTED)
    expect(
        not close(error, 1 / 7),
        "1/7 is the error of the vote of all base estimators: only those that have not drawn a "
        "case may vote on it.",
    )
    expect(
        not close(error, 3 / 8) and not close(error, 1 / 4),
        "you took the mean over single votes: first let the out-of-bag base estimators of a case "
        "vote, then compare once for each case.",
    )
    expect(
        not close(error, 3 / 7) and not close(error, 2 / 7),
        "cutting 4 has no vote: leave it out of the error instead of counting it right or wrong.",
    )
    expect(
        not close(error, 1 / 6),
        "cutting 5 has one vote on each side: in a tie the smaller number wins.",
    )
    expect(close(error, 2 / 6), "for the seven cuttings the error is 2/6.")
    expect(close(coverage, 6 / 7), "for the seven cuttings the coverage is 6/7.")
    for seed in range(10):
        random, B = Random(seed), 1 + seed
        samples = [[random.randrange(12) for _ in range(12)] for _ in range(B)]
        said = [[random.randrange(3) for _ in range(12)] for _ in range(B)]
        y = [random.randrange(3) for _ in range(12)]
        got, right = found(samples, said, y), judged(samples, said, y)
        expect(
            close(got[0], right[0]) and close(got[1], right[1]),
            "right for the cuttings, wrong with three classes and other numbers of samples.",
        )


def exactly(k, B, error):
    """Probability that exactly k of B base estimators are wrong."""
    return comb(B, k) * error**k * (1 - error) ** (B - k)


def more_than(k, B, error):
    """Probability that more than k of B base estimators are wrong."""
    return sum(exactly(i, B, error) for i in range(k + 1, B + 1))


@checker("bagging-4")
def check_wrong_vote(wrong_vote):
    got = wrong_vote(0.4, 10)
    expect(
        not close(got, more_than(4, 10, 0.4)),
        "you count every tie as an error; a coin decides, so half of the ties end well.",
    )
    expect(
        not close(got, more_than(5, 10, 0.4)),
        "you count every tie as right; a coin decides, so half of the ties end badly.",
    )
    expect(
        not close(got, 1 - more_than(5, 10, 0.4) - exactly(5, 10, 0.4) / 2),
        "that is the probability that the vote is right.",
    )
    expect(
        close(got, 0.26656768),
        "for 10 base estimators that err with probability 0.4 the answer is 0.2666: the "
        "probability of more than 5 wrong votes, plus half the probability of 5.",
    )
    for error in (0.1, 0.4, 0.5, 0.6):
        for B in (1, 2, 5, 24, 101):
            tie = exactly(B // 2, B, error) if B % 2 == 0 else 0.0
            expect(
                close(wrong_vote(error, B), more_than(B // 2, B, error) + tie / 2),
                f"wrong for error = {error} and B = {B}.",
            )


class Recorder:
    """A method that predicts the mean target plus the features of a row, and records its rows."""

    def __init__(self):
        self.fits = []

    def fit(self, X, y):
        """Record the rows and targets, and return the function that predicts a row."""
        rows, targets = [as_list(x) for x in X], as_list(y)
        self.fits.append((rows, targets))
        return lambda x: fmean(targets) + sum(x)


def bagged(fit, X, y, samples, features):
    """Bagged predictions of the rows and their out-of-bag predictions, by the definition."""

    def seen(x, b):
        return [x[j] for j in features[b]]

    B = len(samples)
    fitted = [
        fit([seen(X[i], b) for i in samples[b]], [y[i] for i in samples[b]]) for b in range(B)
    ]
    said = [[fitted[b](seen(x, b)) for b in range(B)] for x in X]
    unseen = [[said[i][b] for b in range(B) if i not in samples[b]] for i in range(len(X))]
    return [fmean(row) for row in said], [fmean(row) if row else None for row in unseen]


def same(found, right):
    """Numbers, or None, that are equal but for rounding."""
    if found is None or right is None:
        return found is right
    return close(found, right)


@checker("bagging-6")
def check_bag_any(bag_any):
    def found(fit, X, y, samples, features):
        answer = bag_any(fit, X, y, samples, features)
        expect(
            isinstance(answer, tuple | list) and len(answer) == 2 and callable(answer[0]),
            "return two things: a function that predicts one row, and a list.",
        )
        return [float(answer[0](x)) for x in X], as_list(answer[1])

    X, y = [[1, 10], [2, 20], [3, 30]], [3, 6, 12]
    samples, method = [[0, 0, 1], [1, 1, 2]], Recorder()
    predicted, oob = found(method.fit, X, y, samples, [[0], [1]])
    expect(len(method.fits) == 2, "there are two samples: fit two base estimators, each once.")
    rows, targets = method.fits[0]
    expect(
        all(len(x) == 1 for x in rows),
        "base estimator b is fitted to the features `features[b]` alone.",
    )
    expect(
        len(targets) != 2,
        "a row that was drawn twice is fitted twice: do not make a set of the sample.",
    )
    expect(rows == [[1], [1], [2]], "the first base estimator is fitted to rows 0, 0 and 1.")
    expect(targets == [3, 3, 6], "the targets belong to the drawn rows, in the same order.")
    expect(
        not close(predicted[0], 17),
        "a base estimator sees only its own features when it predicts, too.",
    )
    expect(close(predicted[0], 11.5), "the bagged prediction is the mean over the base estimators.")
    expect(
        oob is not None and len(oob) == 3,
        "the second thing is a list with one out-of-bag prediction for each training row.",
    )
    expect(
        oob[0] is None or not close(oob[0], 11.5),
        "an out-of-bag prediction comes only from base estimators that have not drawn the row.",
    )
    expect(oob[1] is None, "row 1 is in both samples: its out-of-bag prediction is None.")
    expect(
        oob[0] is None or not close(oob[0], 9),
        "divide by the number of base estimators that have not drawn the row, not by all.",
    )
    expect(
        same(oob[0], 18) and same(oob[2], 7),
        "row 0 is out of bag for the second base estimator alone, which predicts 18.",
    )
    for seed in range(8):
        random, B = Random(seed), 1 + 2 * seed
        X = [[random.randrange(20) for _ in range(4)] for _ in range(9)]
        y = [random.randrange(50) for _ in range(9)]
        samples = [[random.randrange(9) for _ in range(9)] for _ in range(B)]
        features = [sorted(random.sample(range(4), 1 + b % 3)) for b in range(B)]
        got = found(Recorder().fit, X, y, samples, features)
        right = bagged(Recorder().fit, X, y, samples, features)
        expect(
            all(same(a, b) for part, want in zip(got, right) for a, b in zip(part, want)),
            "right for two base estimators, wrong for other numbers of them or of features.",
        )
