"""The bootstrap: draw from the data with replacement, and compute the statistic again.

The spread of the replicates stands for the spread over data sets that we never see. The rows that
a sample leaves out serve as test data for the model that is fitted on it.

Vocabulary
----------
n, B : number of rows; number of bootstrap samples
sample : n row numbers; a row may be in it more than once, or not at all
fit(X, y) : returns the model, a function that predicts a row
loss(y, predicted) : the loss of one prediction
apparent : error on the training data; loo : mean error of each row over the models without it
gamma : no-information error, the mean loss over every pair of a target and a prediction
rate : relative overfitting rate, from 0 to 1
"""

from math import e
from random import Random
from statistics import fmean, stdev

DRAWN = 1 - 1 / e  # for large n the probability that a row is in a sample, 0.632


def draw_samples(n, B, seed):
    """Draw B bootstrap samples, with replacement."""
    random = Random(seed)
    return [random.choices(range(n), k=n) for _ in range(B)]


def draw_without_replacement(n, size, B, seed):
    """Draw B lists of distinct row numbers; they are permutations if size is n."""
    random = Random(seed)
    return [random.sample(range(n), size) for _ in range(B)]


def take(rows, *columns):
    """The entries of some rows in each of the columns."""
    return [[column[i] for i in rows] for column in columns]


def bootstrap(statistic, samples, *data):
    """Replicates: the statistic of each sample; the data are one or more columns."""
    return [statistic(*take(sample, *data)) for sample in samples]


def standard_error(replicates):
    """Standard deviation of the replicates."""
    return stdev(replicates)


def wrong_class(y, predicted):
    """Zero-one loss: 1 where the predicted class is wrong."""
    return float(y != predicted)


def squared_loss(y, predicted):
    """Squared difference between a prediction and its target."""
    return (y - predicted) ** 2


def error_estimates(fit, X, y, samples, loss=wrong_class):
    """Bootstrap estimates of the prediction error, by name."""
    on_all, unseen = [], [[] for _ in y]  # unseen: losses by models fitted without the row
    for sample in samples:
        predict = fit(*take(sample, X, y))
        for i, x in enumerate(X):
            on_all.append(loss(y[i], predict(x)))
            if i not in sample:
                unseen[i].append(on_all[-1])
    predicted = list(map(fit(X, y), X))  # by the model that is fitted on all rows
    apparent = fmean(map(loss, y, predicted))
    loo = fmean(fmean(losses) for losses in unseen if losses)
    gamma = fmean(loss(target, guess) for target in y for guess in predicted)
    found = {"apparent": apparent, "naive": fmean(on_all), "loo": loo}
    found[".632"] = (1 - DRAWN) * apparent + DRAWN * loo
    found[".632+"] = plus_estimate(apparent, loo, gamma)
    return found | {"gamma": gamma}


def plus_estimate(apparent, loo, gamma):
    """The .632+ estimate: the more the model overfits, the closer it is to loo."""
    loo = min(loo, gamma)
    rate = (loo - apparent) / (gamma - apparent) if loo > apparent else 0
    weight = DRAWN / (1 - (1 - DRAWN) * rate)
    return (1 - weight) * apparent + weight * loo
