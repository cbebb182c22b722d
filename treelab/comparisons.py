"""Comparisons of methods: two on one data set, two over several data sets, and many.

On one data set the errors of both methods are measured on the same splits, whose training sets
overlap, so that the variance of the mean difference is corrected (Nadeau and Bengio, 2003). Over
data sets, which are independent, ranks are compared (Demšar, 2006).

Vocabulary
----------
differences : error of one method minus that of the other, per split or per data set
n_train, n_test : numbers of cases on which each model is fitted, and evaluated
table : a row per data set, with the error of each method; rank 1 is the lowest error of a row
n_methods, n_sets : numbers of methods and of data sets
level : probability with which an interval covers, or quantile of a distribution
alpha : probability of a difference that is found where there is none
df : degrees of freedom
"""

from bisect import bisect_left
from collections import Counter
from math import atan, cos, erfc, exp, gamma, pi, sin, sqrt
from statistics import NormalDist, fmean, stdev


def quantile(probability, level):
    """Smallest x from 0 to 1000, to nine decimals, at which a probability of x reaches the level.

    >>> quantile(lambda x: 1 - exp(-x), 0.5)  # log(2)
    0.693147181
    """
    return bisect_left(range(10**12), level, key=lambda i: probability(i / 1e9)) / 1e9


def t_probability(t, df):
    """Probability that a variable with Student's t distribution lies between -t and t.

    >>> round(t_probability(2.262, 9), 4)
    0.95
    """
    angle, total = atan(t / sqrt(df)), 0.0
    term = cos(angle) if df % 2 else 1.0
    for k in range(2 + df % 2, df + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (k - 1) / k
    return (angle + sin(angle) * total) * 2 / pi if df % 2 else sin(angle) * total


def corrected_interval(differences, n_train, n_test, level=0.95):
    """Confidence interval of the mean difference, with the corrected standard error.

    >>> low, high = corrected_interval([0.01, 0.03, 0.02, 0.02], 90, 10)
    >>> round(low, 4), round(high, 4)
    (0.0044, 0.0356)
    """
    J = len(differences)
    error = stdev(differences) * sqrt(1 / J + n_test / n_train)
    half = error * quantile(lambda t: t_probability(t, J - 1), level)
    return fmean(differences) - half, fmean(differences) + half


def ranks(values):
    """Rank of each value, from 1 for the smallest; ties share the mean of their ranks.

    >>> ranks([0.2, 0.1, 0.2, 0.3])
    [2.5, 1.0, 2.5, 4.0]
    """
    return [sum(v < x for v in values) + (values.count(x) + 1) / 2 for x in values]


def signed_rank(differences):
    """Wilcoxon's signed-rank test: the smaller sum of ranks of one sign, and its exact p-value.

    The p-value counts all ways to give signs to the ranks. Differences of 0 are dropped.
    >>> signed_rank([-0.1, -0.3, 0.2, 0.0, -0.4, -0.6])
    (2.0, 0.1875)
    """
    kept = [d for d in differences if d != 0]
    R = ranks([abs(d) for d in kept])
    positive = sum(r for r, d in zip(R, kept) if d > 0)
    W, ways = min(positive, sum(R) - positive), Counter({0.0: 1})  # ways: by the sum of ranks
    for r in R:
        ways += Counter({total + r: n for total, n in ways.items()})
    return W, min(1.0, 2 * sum(n for total, n in ways.items() if total <= W) / 2 ** len(R))


def mean_ranks(table):
    """Mean over the data sets of the rank of each method.

    >>> mean_ranks([[0.1, 0.2, 0.3], [0.2, 0.1, 0.4]])
    [1.5, 1.5, 3.0]
    """
    return [fmean(column) for column in zip(*map(ranks, table))]


def chi2_tail(x, df):
    """Probability that a chi-squared variable exceeds x.

    >>> round(chi2_tail(7.815, 3), 4)
    0.05
    """
    tail = erfc(sqrt(x / 2)) if df % 2 else exp(-x / 2)
    for a in range(df % 2 or 2, df, 2):
        tail += (x / 2) ** (a / 2) * exp(-x / 2) / gamma(a / 2 + 1)
    return tail


def friedman(table):
    """Friedman's test that all methods have the same mean rank: chi-squared and its p-value.

    >>> friedman([[0.1, 0.2, 0.3], [0.2, 0.1, 0.4], [0.1, 0.3, 0.4], [0.2, 0.3, 0.5]])[0]
    6.5
    """
    n, k, middle = len(table), len(table[0]), (len(table[0]) + 1) / 2
    spread = sum((r - middle) ** 2 for row in table for r in ranks(row))
    chi2 = (k - 1) * n**2 * sum((r - middle) ** 2 for r in mean_ranks(table)) / spread
    return chi2, chi2_tail(chi2, k - 1)


def range_probability(q, k):
    """Probability that k standard normal variables lie within a range of q.

    >>> round(range_probability(3.314, 3), 3)
    0.95
    """
    normal, z = NormalDist(), [i / 20 for i in range(-180, 181)]
    return k * sum(normal.pdf(v) * (normal.cdf(v) - normal.cdf(v - q)) ** (k - 1) for v in z) / 20


def nemenyi_distance(n_methods, n_sets, alpha=0.05):
    """Critical difference of Nemenyi's test: mean ranks that are farther apart differ.

    >>> round(nemenyi_distance(4, 14), 2)  # Demšar (2006), section 3.2.4
    1.25
    """
    q = quantile(lambda q: range_probability(q, n_methods), 1 - alpha)
    return q / sqrt(2) * sqrt(n_methods * (n_methods + 1) / (6 * n_sets))
