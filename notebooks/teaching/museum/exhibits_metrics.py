"""The room of chapter 6: measuring a model."""

import numpy as np
from museum import COLORS, INK, Exhibit, bars, panels

from treelab import metrics

# --- the code on show --------------------------------------------------------------------


def roc_points(y, scores):
    """False and true positive rates from the highest threshold down; array (n_points, 2)."""
    thresholds = np.unique(scores)[::-1]
    alarms = scores >= thresholds[:, None]
    rates = [alarms[:, y == k].mean(axis=1) for k in (0, 1)]
    return np.vstack([(0, 0), np.transpose(rates)])


def cheapest(y, scores, cost_fn, cost_fp):
    """The threshold with the lowest total cost, of several the highest, and this cost."""
    thresholds = np.r_[np.inf, np.unique(scores)[::-1]]
    alarms = scores >= thresholds[:, None]
    costs = cost_fn * (~alarms[:, y == 1]).sum(axis=1) + cost_fp * alarms[:, y == 0].sum(axis=1)
    best = costs.argmin()
    return thresholds[best], costs[best]


def fold_costs(y, scores, fold, cost_fn, cost_fp):
    """Mean cost of the rows of each fold, at the threshold chosen without it."""
    found = []
    for name in np.unique(fold):
        test = fold == name
        train = fold != name
        threshold, _ = cheapest(y[train], scores[train], cost_fn, cost_fp)
        _, false, missed, _ = counts(y[test], scores[test] >= threshold)
        found.append((cost_fn * missed + cost_fp * false) / test.sum())
    return np.array(found)


# --- signs --------------------------------------------------------------------------------


def counts(y, alarms):
    """TN, FP, FN and TP, by treelab."""
    rows = metrics.confusion_matrix(np.asarray(y).tolist(), np.asarray(alarms, int).tolist())
    return np.ravel(rows)


def patients(n=60, seed=4, signal=0.25):
    """Classes and scores of some patients, of whom a third are sick."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0, 0], n // 3)
    return y, np.clip(rng.normal(0.35 + signal * y, 0.2), 0.01, 0.99).round(2)


def area(points):
    """Area under a curve of straight lines."""
    return float(np.trapezoid(points[:, 1], points[:, 0]))


def curve():
    """The ROC curve of the patients, and its area."""
    points = roc_points(*patients())
    return {"auc": area(points), "_points": points}


def draw_curve(ax, result):
    """The curve with its corners, and the area as text."""
    ax.plot(*result["_points"].T, "o-", color=COLORS[0], ms=4)
    ax.axline((0, 0), slope=1, color=INK, lw=0.8)
    ax.text(0.95, 0.08, f"AUC {result['auc']:.2f}", ha="right")


def treelab_points():
    """The same curve by treelab, with every point."""
    y, scores = patients()
    fpr, tpr, _ = metrics.roc_curve(y.tolist(), scores.tolist(), drop_intermediate=False)
    return np.transpose([fpr, tpr])


PRICES = np.array([1, 2, 4, 8])


def cheapest_costs():
    """The lowest cost of the patients if a false alarm costs more and more."""
    return np.array(
        [cheapest(*patients(seed=5, signal=0.05), 1, price)[1] for price in PRICES], float
    )


def costs_by_matrices():
    """The same from the confusion matrix at each threshold, by treelab."""
    y, scores = patients(seed=5, signal=0.05)
    tables = np.array([counts(y, scores >= t) for t in (np.inf, *scores)])
    return np.array([(tables[:, 2] + price * tables[:, 1]).min() for price in PRICES], float)


def noise_costs(n_tables=60):
    """Mean cost of choosing a threshold on scores of pure noise, and of no alarm at all."""
    rng = np.random.default_rng(0)
    fold, costs = np.arange(30) % 3, []
    for _ in range(n_tables):
        y, scores = rng.integers(0, 2, 30), rng.integers(0, 50, 30) / 50
        costs.append(fold_costs(y, scores, fold, 1, 1).mean())
    return np.array([0.5, np.mean(costs)])


def fold_costs_by_treelab():
    """The cost of each fold of the patients from treelab's matrices alone."""
    y, scores = patients()
    fold, found = np.arange(60) % 3, []
    for name in range(3):
        rows = {inside: np.flatnonzero((fold == name) == inside) for inside in (True, False)}
        ladder = (np.inf, *sorted(set(scores), reverse=True))
        costs = []
        for threshold in ladder:
            tables = {k: counts(y[i], scores[i] >= threshold) for k, i in rows.items()}
            costs.append([4 * tables[k][2] + tables[k][1] for k in (False, True)])
        outside, inside = np.transpose(costs)
        found.append(inside[outside.argmin()] / len(rows[True]))
    return np.array(found)


def answer_auc():
    """metrics-4: the area under the curve."""
    return lambda y, scores: area(roc_points(np.asarray(y), np.asarray(scores, float)))


def answer_cheapest():
    """metrics-3: the cheapest threshold."""
    return lambda y, scores, *costs: cheapest(np.asarray(y), np.asarray(scores, float), *costs)


def answer_choice():
    """metrics-5: the mean over the folds, and its standard error."""

    def cost_of_choice(y, scores, fold, *costs):
        means = fold_costs(np.asarray(y), np.asarray(scores), np.asarray(fold), *costs)
        return means.mean(), means.std(ddof=1) / np.sqrt(len(means))

    return cost_of_choice


EXHIBITS = [
    Exhibit(
        id="m-auc-of-classes",
        title="Classes in place of scores",
        room=6,
        origin="student",
        code=roc_points,
        before="    thresholds = np.unique(scores)[::-1]",
        after="    scores = np.round(scores)  # the predicted classes\n"
        "    thresholds = np.unique(scores)[::-1]",
        public="treelab.metrics.roc_curve",
        agrees=lambda: (roc_points(*patients()), treelab_points()),
        story=(
            "The AUC was computed from the output of `predict` instead of that of "
            "`predict_proba`. Predicted classes are scores as well, but they take only two "
            "values, so the curve has only one corner left. All pairs of rows with the same "
            "predicted class become ties."
        ),
        notice=(
            "Draw the curve. If a ROC curve has a single corner, it comes from predicted "
            "classes, and its area is the mean of the true positive rate and the true negative "
            "rate."
        ),
        sign=curve,
        picture=panels(draw_curve, "false positive rate", "true positive rate"),
        caption=(
            "The ROC curve of 60 patients. With the fault, only the point of the threshold 0.5 "
            "is left, and the area under the curve is smaller."
        ),
        alt=(
            "On the left, a staircase leads from the lower left to the upper right corner, far "
            "above the diagonal. On the right, two straight lines with a single corner enclose "
            "a smaller area."
        ),
        caught_by=(("metrics-4", answer_auc, "the AUC is"),),
    ),
    Exhibit(
        id="m-no-alarm",
        title="The threshold that was not tried",
        room=6,
        origin="student",
        code=cheapest,
        before="    thresholds = np.r_[np.inf, np.unique(scores)[::-1]]",
        after="    thresholds = np.unique(scores)[::-1]",
        public="treelab.metrics.confusion_matrix",
        agrees=lambda: (cheapest_costs(), costs_by_matrices()),
        story=(
            "All scores were tried as thresholds, and the cheapest was chosen. However, at the "
            "highest score one row is still predicted to be positive. If false alarms are "
            "expensive, it can be cheapest to predict no row to be positive, which requires a "
            "threshold above all scores."
        ),
        notice=(
            "Let a false alarm cost a thousand. The total cost should then be that of missing "
            "every positive row, whatever the scores are."
        ),
        sign=cheapest_costs,
        picture=bars(
            [str(price) for price in PRICES],
            "lowest cost",
            digits=0,
            xlabel="cost of a false alarm",
        ),  # fmt: skip
        caption=(
            "The lowest total cost for 60 patients if a missed sick patient costs 1. It can "
            "never exceed 20, the cost of missing all sick patients."
        ),
        alt=(
            "Both panels show four bars. On the left, they never exceed 20. On the right, they "
            "rise to 26."
        ),
        caught_by=(("metrics-3", answer_cheapest, "costs less than infinity"),),
    ),
    Exhibit(
        id="m-chosen-on-all",
        title="Chosen on the rows that evaluate it",
        room=6,
        origin="student",
        code=fold_costs,
        before="        train = fold != name",
        after="        train = fold == fold",
        public="treelab.metrics.confusion_matrix",
        agrees=lambda: (
            fold_costs(*patients(), np.arange(60) % 3, 4, 1),
            fold_costs_by_treelab(),
        ),
        story=(
            "The threshold was chosen once on all rows, and its cost was then computed fold by "
            "fold. This looks like cross-validation, but every fold took part in the choice "
            "that it evaluates. Even if the scores are pure noise, such a choice seems to be "
            "worth something."
        ),
        notice=(
            "Replace the scores by random numbers. If the cost is now lower than that of always "
            "predicting the same class, the threshold was chosen on the rows that evaluate it."
        ),
        sign=noise_costs,
        picture=bars(["one class", "chosen"], "cost of a row"),
        caption=(
            "Mean cost of a row in 60 tables of 30 rows whose scores are random numbers. No "
            "choice can be better than one half, but with the fault it seems to be."
        ),
        alt=(
            "Both panels show two bars. The first bar is at 0.5 in both panels. The second bar "
            "is about as high on the left but clearly lower on the right."
        ),
        caught_by=(("metrics-5", answer_choice, "leave the fold out"),),
    ),
]
