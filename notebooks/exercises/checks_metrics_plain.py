"""Checkers of the chapter on measures of a model that also run in the page."""

from math import inf, sqrt
from random import Random
from statistics import mean, stdev

from plain_checks import close, column, is_number, pair

from treelab.checkers import Hint, checker, expect
from treelab.metrics import roc_auc

NINE = [1, 1, 0, 1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.4, 0.2, 0.1]
FOLDS = list("ABABCCABC")


def samples():
    """Classes and scores: the nine days, ties, equal scores, a perfect order and its reverse."""
    yield NINE
    yield [0, 1], [0.5, 0.5]
    yield [0, 1, 1, 0, 1], [3.0, 3.0, 1.0, 1.0, 3.0]
    yield [1, 1, 1, 0, 0], [9.0, 8.0, 7.0, 2.0, 1.0]
    yield [0, 0, 1, 1], [0.9, 0.8, 0.2, 0.1]
    random = Random(3)
    for _ in range(8):
        scores = [random.randrange(12) / 10 for _ in range(20)]
        yield [1, 0] + [int(random.random() < score) for score in scores[2:]], scores


def cost_at(y, scores, threshold, fn, fp, strict=False):
    """Total cost if rows with a score of at least the threshold are predicted to be positive."""
    told = [score > threshold if strict else score >= threshold for score in scores]
    return sum(fn if k and not alarm else fp if alarm and not k else 0
               for k, alarm in zip(y, told))  # fmt: skip


def candidates(scores):
    """The thresholds that predict differently, the highest first; infinity predicts no positive."""
    return [inf, *sorted(set(scores), reverse=True)]


def cheapest(y, scores, fn, fp, **options):
    """The cheapest threshold, of several the highest, and its cost."""
    costs = [(cost_at(y, scores, t, fn, fp, **options), t) for t in candidates(scores)]
    least = min(cost for cost, _ in costs)
    return next((t, cost) for cost, t in costs if close(cost, least))


@checker("metrics-3")
def _(cheapest_threshold):
    for y, scores in samples():
        for fn, fp in ((4, 1), (1, 1), (1, 6)):
            where = f" (y {y}, scores {scores}, costs {fn} and {fp})"
            threshold, cost = pair(
                cheapest_threshold(column(y), column(scores), fn, fp),
                "return two numbers: the threshold and its total cost.",
            )
            best, least = cheapest(y, scores, fn, fp)
            if threshold == best and close(cost, least):
                continue
            expect(
                not (threshold == best and close(cost, least / len(y))),
                "this is the cost of one row on average; return the total cost." + where,
            )
            expect(
                (threshold, cost) != cheapest(y, scores, fp, fn),
                "the two costs are exchanged: cost_fn is that of a missed positive row." + where,
            )
            expect(
                threshold in candidates(scores),
                "the threshold is one of the scores, or infinity, which predicts no row to be "
                "positive." + where,
            )
            told = cost_at(y, scores, threshold, fn, fp)
            expect(
                best != inf,
                "no score costs less than infinity, at which no row is predicted to be "
                "positive." + where,
            )
            expect(
                not (close(told, least) and close(cost, least)),
                "several thresholds cost least; take the highest." + where,
            )
            expect(
                not close(cost, cost_at(y, scores, threshold, fn, fp, strict=True)),
                "a row is predicted to be positive if its score is equal to the threshold, "
                "too." + where,
            )
            raise Hint(
                f"at the threshold {best:g} the cost is {least:g}; you return {threshold:g} "
                f"and {cost:g}.{where}"
            )


def rank_sum(y, scores, ties=True):
    """Sum of the ranks of the positive rows, from 1 for the lowest score; equal scores share one
    rank, or with `ties=False` are ranked as they stand."""
    if not ties:
        order = sorted(range(len(y)), key=lambda i: scores[i])
        return sum(place for place, i in enumerate(order, 1) if y[i])
    below = [sum(other < score for other in scores) for score in scores]
    same = [sum(other == score for other in scores) for score in scores]
    return sum(b + (s + 1) / 2 for k, b, s in zip(y, below, same) if k)


@checker("metrics-4")
def _(auc_by_ranks):
    for y, scores in samples():
        where = f" (y {y}, scores {scores})"
        found = auc_by_ranks(column(y), column(scores))
        found = found.item() if hasattr(found, "item") else found
        expect(is_number(found), "return one number, the AUC.")
        right, positives = roc_auc(y, scores), sum(y)
        if close(found, right):
            continue
        pairs = positives * (len(y) - positives)
        lowest = positives * (positives + 1) / 2
        expect(
            not close(found, rank_sum(y, scores) / pairs),
            "a positive row also outranks positive rows: subtract what their ranks would add up "
            "to if they were the lowest." + where,
        )
        expect(not close(found, 1 - right), "the rank 1 is that of the lowest score." + where)
        expect(
            not close(found, (rank_sum(y, scores, ties=False) - lowest) / pairs),
            "equal scores share the mean of their ranks." + where,
        )
        expect(
            not close(found, right * pairs),
            "this counts the pairs; divide by how many pairs of a positive and a negative row "
            "there are." + where,
        )
        raise Hint(f"the AUC is {right:.4f}; you return {found:.4f}.{where}")


def fold_costs(y, scores, fold, fn, fp, choose="others"):
    """Mean cost of each fold at the threshold that was cheapest on the other ones."""
    means = []
    for name in sorted(set(fold)):
        test = [i for i, f in enumerate(fold) if f == name]
        rows = [i for i in range(len(y)) if choose == "all" or (fold[i] == name) != (
            choose == "others")]  # fmt: skip
        threshold, _ = cheapest([y[i] for i in rows], [scores[i] for i in rows], fn, fp)
        cost = cost_at([y[i] for i in test], [scores[i] for i in test], threshold, fn, fp)
        means.append(cost / len(test))
    return means


def result(means):
    """Mean and standard error."""
    return mean(means), stdev(means) / sqrt(len(means))


def same(found, right):
    """Whether both numbers of two pairs agree."""
    return all(map(close, found, right))


def folded():
    """Classes, scores and folds."""
    yield *NINE, FOLDS
    random = Random(5)
    for k in (3, 4, 5):
        scores = [random.randrange(12) / 10 for _ in range(6 * k)]
        yield [int(random.random() < score) for score in scores], scores, list("ABCDE"[:k]) * 6


@checker("metrics-5")
def _(cost_of_choice):
    for y, scores, fold in folded():
        for fn, fp in ((4, 1), (1, 1)):
            where = f" (y {y}, scores {scores}, folds {fold}, costs {fn} and {fp})"
            found = pair(
                cost_of_choice(column(y), column(scores), list(fold), fn, fp),
                "return two numbers: the mean cost and its standard error.",
            )
            means = fold_costs(y, scores, fold, fn, fp)
            right, k = result(means), len(means)
            if same(found, right):
                continue
            for choose, hint in (
                ("all", "the threshold was chosen on all rows; leave the fold out."),
                ("own", "the threshold was chosen on the fold that it is evaluated on."),
            ):
                other = result(fold_costs(y, scores, fold, fn, fp, choose))
                expect(not same(found, other), hint + where)
            expect(
                not same(found, (right[0], right[1] * sqrt((k - 1) / k))),
                f"for the standard deviation of {k} means divide by {k - 1}." + where,
            )
            expect(
                not same(found, (right[0], right[1] * sqrt(k))),
                f"this is the standard deviation of the {k} means; the standard error of their "
                "mean is smaller." + where,
            )
            size = len(y) / k
            expect(
                not same(found, (right[0] * size, right[1] * size)),
                "these are costs of a whole fold; divide by its number of rows." + where,
            )
            raise Hint(
                f"the mean cost is {right[0]:.4f} with a standard error of {right[1]:.4f}; you "
                f"return {found[0]:.4f} and {found[1]:.4f}.{where}"
            )
