"""Measures of a classifier: how good are its classes, its scores and its probabilities?

The values are those of `sklearn.metrics`. There a measure that is undefined becomes a warning and
0, 1 or nan. Here a fraction of no cases is 0.0 as well, but a curve without a class that it needs
is an error, and so are columns of different lengths and values that a column cannot have.

>>> y, predicted, p = [0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 0], [0, 0.5, 1, 1, 0.5, 0, 0.5]
>>> confusion_matrix(y, predicted), accuracy(y, predicted)
([[2, 1], [3, 1]], 0.42857142857142855)
>>> precision(y, predicted), recall(y, predicted), f1(y, predicted)
(0.5, 0.25, 0.3333333333333333)
>>> round(brier_score(y, p), 4), log_loss(y, [0.5] * 7) == log(2)
(0.3929, True)

Vocabulary
----------
y : the true classes, a list of 0 and 1; class 1 is called positive, class 0 negative
predicted : the predicted classes; scores : numbers that are larger the more a case looks positive
p : the predicted probabilities of class 1
threshold : a case is predicted to be positive if its score is at least the threshold
TN, FP, FN, TP : numbers of true negatives, false positives, false negatives and true positives
point : (FP, TP, threshold), the counts if this is the threshold
"""

from itertools import groupby, pairwise
from math import inf, isfinite, log
from operator import itemgetter
from statistics import fmean
from sys import float_info

CLASS = ({0, 1}.__contains__, "0 or 1")
OTHERS = {"scores": (isfinite, "finite"), "p": (lambda q: 0 <= q <= 1, "from 0 to 1")}


def check(y, **columns):
    """Raise an error that names the first column that is empty, too long or short, or not valid."""
    for name, values in {"y": y, **columns}.items():
        is_valid, words = OTHERS.get(name, CLASS)
        if not 0 < len(values) == len(y):
            raise ValueError(f"{name} must have a value per case, got {len(values)} for {len(y)}.")
        for value in values:
            if not is_valid(value):
                raise ValueError(f"{name} must hold values that are {words}, got {value!r}.")


def confusion_matrix(y, predicted):
    """Numbers of cases, [[TN, FP], [FN, TP]]: a row per true class, a column per predicted one."""
    check(y, predicted=predicted)
    pairs = list(zip(y, predicted))
    return [[pairs.count((k, guess)) for guess in (0, 1)] for k in (0, 1)]


def accuracy(y, predicted):
    """Fraction of the cases whose class is predicted correctly."""
    (TN, FP), (FN, TP) = confusion_matrix(y, predicted)
    return (TN + TP) / (TN + FP + FN + TP)


def precision(y, predicted):
    """Fraction of the predicted positives that are positive; 0.0 if none is predicted."""
    (_, FP), (_, TP) = confusion_matrix(y, predicted)
    return TP / (TP + FP or 1)


def recall(y, predicted):
    """Fraction of the positives that are predicted to be positive; 0.0 if there are none."""
    _, (FN, TP) = confusion_matrix(y, predicted)
    return TP / (TP + FN or 1)


def f1(y, predicted):
    """Harmonic mean of precision and recall; 0.0 if no case is positive or predicted to be."""
    (_, FP), (FN, TP) = confusion_matrix(y, predicted)
    return 2 * TP / (2 * TP + FP + FN or 1)


def points(y, scores, needed=(0, 1)):
    """Points from no to all cases predicted positive; an error if y lacks a class that is needed.

    >>> points([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    [(0, 0, inf), (0, 1, 0.8), (1, 2, 0.4), (2, 2, 0.1)]
    """
    check(y, scores=scores)
    for k in needed:
        if k not in y:
            raise ValueError(f"y must have a case of class {k}, got none.")
    found = [(0, 0, inf)]
    for threshold, tied in groupby(sorted(zip(scores, y), reverse=True), itemgetter(0)):
        (FP, TP, _), classes = found[-1], [k for _, k in tied]
        found.append((FP + classes.count(0), TP + classes.count(1), threshold))
    return found


def roc_curve(y, scores, drop_intermediate=True):
    """ROC curve: false positive rates, true positive rates and thresholds, the first being inf.

    drop_intermediate leaves out points half way between their neighbours, if not next to the first.
    >>> roc_curve([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], [inf, 0.8, 0.4, 0.1])
    """
    found = points(y, scores)
    FP, TP, thresholds = map(list, zip(*found))

    def is_corner(i):
        return any(n[i] - n[i - 1] != n[i + 1] - n[i] for n in (FP, TP))

    last = len(found) - 1
    kept = [i for i in range(last) if not drop_intermediate or i < 2 or is_corner(i)] + [last]
    rates = [[n[i] / n[-1] for i in kept] for n in (FP, TP)]
    return *rates, [thresholds[i] for i in kept]


def roc_auc(y, scores):
    """Area under the ROC curve, counted as pairs of a positive and a negative case.

    It is the fraction of the pairs in which the positive case has the larger score; ties are half.
    >>> roc_auc([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])  # of four pairs one is tied
    0.875
    """
    found, pairs = points(y, scores), 0
    for (FP, TP, _), (next_FP, next_TP, _) in pairwise(found):
        pairs += (next_FP - FP) * (TP + next_TP) / 2  # positives above, and half of those tied
    return pairs / (found[-1][0] * found[-1][1])


def precision_recall_curve(y, scores):
    """Precisions, recalls and thresholds, which increase; the last point, (1, 0), has none.

    >>> precision_recall_curve([0, 1, 1], [0.1, 0.4, 0.8])
    ([0.6666666666666666, 1.0, 1.0, 1.0], [1.0, 1.0, 0.5, 0.0], [0.1, 0.4, 0.8])
    """
    FP, TP, thresholds = zip(*points(y, scores, needed=[1])[:0:-1])
    return (
        [b / (a + b) for a, b in zip(FP, TP)] + [1.0],
        [b / TP[0] for b in TP] + [0.0],
        [*thresholds],
    )


def average_precision(y, scores):
    """Mean of the precisions, each weighted by the increase in recall at its threshold.

    >>> average_precision([0, 1, 0, 1], [0.1, 0.3, 0.4, 0.8])  # (1 + 2/3) / 2
    0.8333333333333333
    """
    precisions, recalls, _ = precision_recall_curve(y, scores)
    return sum(q * (a - b) for q, (a, b) in zip(precisions, pairwise(recalls)))


def log_loss(y, p):
    """Mean of -log of the probability predicted for the true class, clipped away from 0 and 1."""
    check(y, p=p)
    eps = float_info.epsilon
    return fmean(-log(min(max(q if k else 1 - q, eps), 1 - eps)) for k, q in zip(y, p))


def brier_score(y, p):
    """Mean squared difference between the probability of class 1 and the class."""
    check(y, p=p)
    return fmean((q - k) ** 2 for k, q in zip(y, p))
