"""Facts of chapter 6: counts of nine days, two trees for the sick, weights, ranks, prevalence."""

import re
from statistics import fmean, stdev

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
import sklearn.tree
from facts import in_words
from places import ROOT
from scipy.stats import t
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from treelab import DecisionTreeClassifier, comparisons, metrics
from treelab.datasets import fetch_sick
from treelab.fast.impurity import gini
from treelab.figures import metrics as figures
from treelab.figures import pruning

RESULTS = ROOT / "notebooks" / "replications"
BUSY = [1, 1, 0, 1, 0, 1, 0, 0, 0]
SCORES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.4, 0.2, 0.1]
FOLDS = "ABABCCABC"


def predicted(threshold):
    return [int(score >= threshold) for score in SCORES]


def patients():
    """Features and classes of the patients, and the folds of the chapter."""
    data = fetch_sick()
    X = pd.get_dummies(data.data.dropna(axis=1, how="all"), dtype=float)
    X, y = X.fillna(X.median()).to_numpy(), (data.target == "sick").to_numpy(int)
    return X, y, StratifiedKFold(10, shuffle=True, random_state=0)


@pytest.fixture(scope="module")
def sick():
    """The class of each patient, and its probability by the two trees of the chapter."""
    X, y, folds = patients()
    trees = DecisionTreeClassifier(min_samples_leaf=20), DecisionTreeClassifier()
    return y, *(
        cross_val_predict(tree, X, y, cv=folds, method="predict_proba")[:, 1] for tree in trees
    )


@pytest.fixture(scope="module")
def imbalance():
    return figures.named_ways(pd.read_csv(RESULTS / "class_imbalance.csv"))


def test_the_table_of_the_nine_days(page):
    page.says(f"| score | {' | '.join(f'{score:g}' for score in SCORES)} |")
    page.says(f"| busy | {' | '.join('**yes**' if k else 'no' for k in BUSY)} |")
    page.says(f"| fold | {' | '.join(FOLDS)} |")
    assert (figures.BUSY, figures.SCORES) == (BUSY, SCORES)


def test_the_matrix_and_its_ratios(page):
    guess = predicted(0.5)
    (TN, FP), (FN, TP) = metrics.confusion_matrix(BUSY, guess)
    page.says(f"| quiet | {TN} true negatives (TN) | {FP} false positives (FP) |")
    page.says(f"| busy | {FN} false negative (FN) | {TP} true positives (TP) |")
    right = TN + TP
    assert right / 9 == pytest.approx(2 / 3) == metrics.accuracy(BUSY, guess)
    page.says(f"the proportion of correct predictions, $({TN}+{TP})/9=2/3$.")
    assert metrics.precision(BUSY, guess) == sklearn.metrics.precision_score(BUSY, guess)
    page.says(rf"days that are busy, $\text{{TP}}/(\text{{TP}}+\text{{FP}})={TP}/{TP + FP}$.")
    assert metrics.recall(BUSY, guess) == sklearn.metrics.recall_score(BUSY, guess)
    page.says(rf"days that are found, $\text{{TP}}/(\text{{TP}}+\text{{FN}})={TP}/{TP + FN}$.")
    assert metrics.f1(BUSY, guess) == pytest.approx(sklearn.metrics.f1_score(BUSY, guess))
    page.says(rf"\text{{FP}}+\text{{FN}})={2 * TP}/{2 * TP + FP + FN}$. It is high only if")
    page.says(rf"predicted to be busy, $\text{{FP}}/(\text{{FP}}+\text{{TN}})={FP}/{FP + TN}$.")
    wrong = FP + FN
    page.caption("m-nine").says(
        f"At the threshold 0.5 the forecast is wrong on {in_words(wrong)} days."
    )


def test_the_auc_as_pairs(page):
    won = [
        sum((s > z) + (s == z) / 2 for k, z in zip(BUSY, SCORES, strict=True) if not k)
        for busy, s in zip(BUSY, SCORES, strict=True)
        if busy
    ]
    auc = sum(won) / 20
    assert auc == sklearn.metrics.roc_auc_score(BUSY, SCORES) == metrics.roc_auc(BUSY, SCORES)
    words = "+".join(f"{w:g}" for w in won)
    page.says(
        f"In the rows of the four busy days, ${words}={sum(won)}$ of the cells lie below the "
        "curve, so the AUC is"
    )
    page.says(f"below the curve, so the AUC is ${sum(won)}/20={auc}$.")
    page.says(f"the AUC of the nine days becomes $1-{auc}={1 - auc:.3f}$.")
    assert metrics.roc_auc(BUSY, [-s for s in SCORES]) == pytest.approx(1 - auc)
    assert metrics.roc_curve(BUSY, [1] * 9)[:2] == ([0, 1], [0, 1])
    table = figures.threshold_table(BUSY, SCORES)
    assert table["pairs"].tolist() == [0, 5, 5, 0, 4, 0, 2.5, 0, 0]


def test_precision_at_the_busy_days(page):
    counts = []
    for threshold in (s for k, s in zip(BUSY, SCORES, strict=True) if k):
        (_, FP), (_, TP) = metrics.confusion_matrix(BUSY, predicted(threshold))
        counts.append(f"${TP}/{TP + FP}$")
    page.says(
        f"after another, the precision is {', '.join(counts[:3])} and {counts[3]}. The mean of"
    )
    mean = sklearn.metrics.average_precision_score(BUSY, SCORES)
    assert metrics.average_precision(BUSY, SCORES) == pytest.approx(mean)
    page.says(f"The mean of these precisions, ${mean:.3f}$, is the {{term}}`average precision`.")


def test_brier_score_and_log_loss(page):
    brier, loss = metrics.brier_score(BUSY, SCORES), metrics.log_loss(BUSY, SCORES)
    assert brier == pytest.approx(sklearn.metrics.brier_score_loss(BUSY, SCORES))
    assert loss == pytest.approx(sklearn.metrics.log_loss(BUSY, SCORES))
    page.says(
        rf"+\dots+0.1^2)/9={9 * brier:.2f}/9={brier:.3f}$. The {{term}}`log loss` is the mean"
    )
    page.says(f"of the observed class. For the nine days, the log loss is ${loss:.3f}$.")
    flat = [4 / 9] * 9
    page.says(
        f"A constant forecast of $4/9$ would have a Brier score of "
        f"${metrics.brier_score(BUSY, flat):.3f}$ and a log loss of "
        f"${metrics.log_loss(BUSY, flat):.3f}$."
    )
    page.says(rf"whereas the log loss is $-\ln 0.01={-np.log(0.01):.1f}$. For a forecast of 0")
    half = [s / 2 for s in SCORES]
    assert metrics.roc_auc(BUSY, half) == metrics.roc_auc(BUSY, SCORES)
    assert metrics.log_loss(BUSY, half) > loss
    assert metrics.brier_score(BUSY, half) > brier


def test_weights_in_a_leaf_and_priors(page):
    page.says(f"the Gini impurity rises from ${gini([8, 2]):.2f}$ to ${gini([8, 10]):.3f}$.")
    page.says("the classes have the weights 8 and 10. The majority class is then")


def cost_of(threshold, days):
    """What some of the nine days cost at a threshold, in coins."""
    return sum(
        4 * (SCORES[i] < threshold) if BUSY[i] else int(SCORES[i] >= threshold) for i in days
    )


def test_the_choice_of_the_threshold_cross_validated(page):
    means, names = [], {2: "2/3", 0: "0", 4: "4/3"}
    for fold in "ABC":
        train = [i for i in range(9) if FOLDS[i] != fold]
        test = [i for i in range(9) if FOLDS[i] == fold]
        costs = {SCORES[i]: cost_of(SCORES[i], train) for i in train}
        least = min(costs.values())
        (chosen,) = (t for t in costs if costs[t] == least)  # no tie
        paid = cost_of(chosen, test)
        means.append(paid / 3)
        page.says(f"| {fold} | {chosen} | {least} | {paid} | {names[paid]} |")
    assert fmean(means) == pytest.approx(2 / 3) == stdev(means)
    assert min(cost_of(t, range(9)) for t in SCORES) == cost_of(0.4, range(9)) == 3
    page.says("At the threshold 0.4, the errors on the nine days cost only 3 coins.")
    page.says(f"On the nine days, the threshold $1/5$ costs {cost_of(1 / 5, range(9))} coins.")
    page.says("coins of the threshold that was chosen on all nine days.")
    page.says("have a standard deviation of $2/3$ (divisor 2), so the")
    page.says("cost $2/3$ coins per day. This is twice as much as the $3/9$ coins of the")
    page.says(rf"standard error` of their mean is $(2/3)/\sqrt3={stdev(means) / 3**0.5:.3f}$.")


def test_the_report_on_two_trees(page, sick):
    y, small, full = sick
    assert (len(y), y.sum()) == (2800, 171)
    page.says("tests 2800 patients for a thyroid disease, and 171 of them have it.")
    accuracy = [metrics.accuracy(y, (p >= 0.5).astype(int)) for p in (small, full)]
    page.says(f"*accuracy* of {100 * accuracy[0]:.0f} %, and on Monday you have to")
    page.says(
        f"declares everybody healthy already has an accuracy of {100 * (1 - y.mean()):.0f} %."
    )
    assert accuracy[0] < accuracy[1]
    assert metrics.roc_auc(y, small) > metrics.roc_auc(y, full) + 0.02
    assert metrics.log_loss(y, small) < metrics.log_loss(y, full) / 5
    assert set(full) == {0, 1}
    page.says("Its log loss is finite only because the code replaces probabilities of 0 by a tiny")
    wrong, most = np.sum((full >= 0.5) != y), -np.log(np.finfo(float).eps)
    assert metrics.log_loss(y, full) == pytest.approx(wrong * most / len(y))
    cost = {}
    for name, p in (("small", small), ("full", full)):
        TN, FP, FN, TP = sklearn.metrics.confusion_matrix(y, p >= 1 / 21).ravel()
        cost[name] = 20 * FN + FP
    TN, FP, FN, TP = sklearn.metrics.confusion_matrix(y, small >= 1 / 21).ravel()
    page.says(
        f"misses {FN} of the {y.sum()} sick patients and raises {FP} false alarms. These errors "
        rf"cost ${FN}\times20+{FP}={cost['small']}$."
    )
    page.says(
        rf"Declaring all {len(y)} patients healthy would cost ${y.sum()}\times20={20 * y.sum()}$."
    )
    table = page.table("m-report")
    for name, p in (("leaves of 20", small), ("fully grown", full)):
        row, guess = table.loc[name], p >= 0.5
        assert row["accuracy"] == round(sklearn.metrics.accuracy_score(y, guess), 3)
        assert row["precision"] == round(sklearn.metrics.precision_score(y, guess), 3)
        assert row["recall"] == round(sklearn.metrics.recall_score(y, guess), 3)
        assert row["AUC"] == round(sklearn.metrics.roc_auc_score(y, p), 3)
        assert row["log loss"] == round(sklearn.metrics.log_loss(y, p), 3)
    assert table["cost"].tolist() == [cost["small"], cost["full"]]


def test_the_curves_at_a_high_recall(page, sick):
    y, small, full = sick
    TN, FP, FN, TP = sklearn.metrics.confusion_matrix(y, small >= 1 / 21).ravel()
    recall, fpr, false = TP / (TP + FN), FP / (FP + TN), FP / (FP + TP)
    page.caption("m-curves").says(
        f"At a recall of {recall:.2f} the smaller tree has a false positive rate of only "
        f"{fpr:.2f}, but {100 * false:.0f} in 100 of its alarms are false."
    )
    precision, recalls, _ = metrics.precision_recall_curve(y, small)
    assert max(q for q, r in zip(precision, recalls, strict=True) if r > 0) < 0.995
    page.caption("m-curves").says(
        f"falls from 0.99 to {1 - false:.2f} as the recall rises to {recall:.2f}, and then drops"
    )


def test_a_probability_of_one_half(page):
    """The recipe and the report treat the patients of a leaf with a tie differently."""
    page.says("because `predict` classifies patients with a probability of exactly 0.5")
    X, y, folds = patients()
    tree = sklearn.tree.DecisionTreeClassifier(min_samples_leaf=20, random_state=0)
    p = cross_val_predict(tree, X, y, cv=folds, method="predict_proba")[:, 1]
    predicted = cross_val_predict(tree, X, y, cv=folds)
    assert np.any(p == 0.5)
    assert np.array_equal(predicted, p > 0.5)
    table = page.table("m-recipe")["mean"]
    for name in ("precision", "recall"):
        score = getattr(sklearn.metrics, f"{name}_score")
        mean = fmean(score(y[test], predicted[test]) for _, test in folds.split(X, y))
        assert table[name] == round(mean, 3)
        pooled = [score(y, guess) for guess in (p >= 0.5, p > 0.5)]
        assert (pooled[0] < pooled[1]) == (name == "precision")


def test_the_log_loss_of_the_recipe(page, sick):
    """It is lower because of one patient, who meets another of two equally good splits."""
    X, y, folds = patients()
    tree = sklearn.tree.DecisionTreeClassifier(min_samples_leaf=20, random_state=0)
    p = cross_val_predict(tree, X, y, cv=folds, method="predict_proba")[:, 1]
    ours, theirs = (np.abs(y - q) == 1 for q in (sick[1], p))
    (other,) = np.flatnonzero(ours != theirs)
    assert (ours.sum(), theirs.sum()) == (3, 2)
    (fold,) = (k for k, (_, test) in enumerate(folds.split(X, y)) if other in test)
    train, _ = list(folds.split(X, y))[fold]
    found = set()
    for seed in range(2):
        order = np.random.default_rng(seed).permutation(X.shape[1])
        tree = DecisionTreeClassifier(min_samples_leaf=20).fit(X[train][:, order], y[train])
        found.add(tree.predict_proba(X[[other]][:, order])[0, 1])
    assert found == {sick[1][other], p[other]}
    eps = np.finfo(float).eps
    losses = [-np.log(np.maximum(1 - np.abs(y - q), eps)) for q in (sick[1], p)]
    change = (losses[0] - losses[1]) / len(y)
    assert abs(change[other] / change.sum() - 1) < 0.2
    report = page.table("m-report").loc["leaves of 20", "log loss"]
    assert -page.table("m-recipe").loc["neg_log_loss", "mean"] < report
    page.says("ties between splits are resolved differently, which lowers the log loss.")


def test_prevalence(page, sick):
    y, small, _ = sick
    TN, FP, FN, TP = sklearn.metrics.confusion_matrix(y, small >= 1 / 21).ravel()
    tpr, fpr = TP / (TP + FN), FP / (FP + TN)
    rare = 0.001 * tpr / (0.001 * tpr + 0.999 * fpr)
    auc = metrics.roc_auc(y, small)
    page.says(
        f"Although the AUC is still {auc:.2f}, only about {100 * rare:.0f} in 100 alarms are right."
    )
    assert f"precision {rare:.3f}" in page.output("m-prevalence")
    lower = y.mean() / (1 - y.mean()) / (0.001 / 0.999)  # the ratio of the odds
    page.says(
        f"In the town, the odds of being sick are {lower:.0f} times lower than in the hospital"
    )
    odds = lower / 20
    page.says(
        f"so the tree's probabilities need the threshold {odds / (1 + odds):.2f} instead of $1/21$."
    )


def test_what_moving_the_threshold_does(page, imbalance):
    rows = imbalance[imbalance["set"] == "sick"]
    means = rows.groupby("name")[["recall", "precision"]].mean()
    at_half, moved = means.loc["threshold 0.5"], means.loc["threshold moved"]
    assert moved["precision"] < at_half["precision"]
    assert moved["recall"] > at_half["recall"]
    page.says(
        "than moving the threshold, although this lowers the precision to "
        f"{moved['precision']:.2f}."
    )
    page.says(
        "Class weights and undersampling increase the Brier score markedly, whereas "
        "oversampling and SMOTE hardly change it."
    )
    change, half = figures.changes(rows, "brier")
    clear = change[change.abs() > half]
    assert clear.index.tolist() == ["class weights", "undersampling"]
    change, half = figures.changes(rows, "auc")
    clear = change[change.abs() > half]
    assert clear.index.tolist() == ["SMOTE", "undersampling"]
    page.says("The AUC even falls with undersampling, which discards most healthy patients.")


def test_no_way_is_clearly_better_than_the_threshold(imbalance):
    """On any of the four data sets; the Brier score is the exception on the digits."""
    better = []
    for name, rows in imbalance.groupby("set"):
        change, half = figures.changes(rows, "balanced_error")
        assert not (change < -half).any(), name
        assert change["threshold 0.5"] > half["threshold 0.5"], name
        change, half = figures.changes(rows, "brier")
        assert change["undersampling"] > half["undersampling"], name
        better += [(name, way) for way in change.index if change[way] < -half[way]]
    assert better == [("digit 8", "SMOTE"), ("digit 8", "oversampling")]


def test_methods_that_are_equally_good(page):
    pairs = pd.read_csv(RESULTS / "comparing_methods.csv").query("way == '30 splits'")
    ratio = pairs["mean"].abs() / pairs["sd"]
    naive, corrected = ((ratio >= 2 * np.sqrt(1 / 30 + share)).sum() for share in (0, 1 / 2))
    page.says(
        f"Line 2 finds a difference on {naive} data sets, whereas line 3 finds one on only "
        f"{in_words(corrected)}."
    )
    page.says(f"On {len(pairs)} data sets with 30 splits each, we compare two methods that are")


def test_how_many_standard_errors_are_enough(page):
    few, many = (t.ppf(0.975, pairs - 1) for pairs in (5, 50))
    assert round(many) == 2
    page.says(f"is less than two standard errors from 0 ({few:.1f} for five pairs).")


def test_pruning_against_none(page):
    compared = pd.read_csv(RESULTS / "pruning_compared.csv")
    patients = page.table("m-pruned")
    rmse = round(patients.loc["none", "error"])
    less = sorted(round(-patients.loc[rule, "diff"]) for rule in ("min", "one_se"))
    page.says(f"Pruning reduces the RMSE of {rmse} by {less[0]} or {less[1]}, which is more than")
    pruned = patients.loc[["min", "one_se"]]
    assert (pruned["diff"].abs() > 4 * pruned["se"]).all()
    tumors = pruning.differences(compared, "tumors", "none", 285 / 284)
    none, pruned = (tumors.loc[name] for name in ("none", "misclassification, min"))
    assert [round(none["error"], 1), round(pruned["error"], 1)] == [21.8, 20.4]
    page.says(
        f"misclassify on average {-pruned['diff']:.1f} fewer of the 285 test tumors than "
        f"unpruned trees, but the standard error is {pruned['se']:.1f} ("
    )
    page.says(
        f"the pruned trees have {pruned['leaves']:.0f} leaves instead of {none['leaves']:.0f}."
    )


def test_ranks_of_three_criteria(page):
    criteria = pd.read_csv(RESULTS / "criteria.csv").query("depth == 0")
    errors = criteria.groupby("set")[["gini", "entropy", "misclassification"]].mean()
    difference = (errors["gini"] - errors["misclassification"]).tolist()
    assert len(errors) == 6
    assert max(difference) < 0
    smaller, p = comparisons.signed_rank(difference)
    assert (smaller, p) == (0, 2 / 2**6)
    assert f"smaller sum {smaller}, p = {p:.3f}" in page.output("m-criteria")
    page.says(f"The probability of six equal signs would then be $2/2^6={p:.3f}$. This is the")
    g, e, m = comparisons.mean_ranks(errors.to_numpy().tolist())
    far = comparisons.nemenyi_distance(3, 6)
    assert m - e > far > max(m - g, g - e)
    page.caption("m-ranks").says(
        f"entropy {e:.2f}, Gini {g:.2f}, error rate {m:.2f}. The critical difference is {far:.2f}."
    )


def test_selection_outside_of_the_folds(page):
    outside, inside = re.search(
        r"rows: (\S+) in each fold: (\S+)", page.output("m-leak-code")
    ).groups()
    assert float(inside) == 0.5
    page.says(
        f"has used the classes of the test rows, so the accuracy of {outside} is an illusion."
    )


def test_answers_of_the_quiz():
    y, alarm = [1] * 10 + [0] * 990, [1] * 8 + [0] * 2 + [1] * 12 + [0] * 978
    assert (metrics.recall(y, alarm), metrics.precision(y, alarm)) == (0.8, 0.4)
    assert metrics.accuracy(y, alarm) == 0.986
    assert 2 / (2 + 30) == 1 / 16


def test_the_cheapest_threshold_of_each_ratio():
    """The verdicts of the figure: at costs of 4 and 1 the threshold 0.4 is the cheapest."""
    costs = {t: cost_of(t, range(9)) for t in (0.8, 0.5, 0.4)}
    assert costs == {0.8: 8, 0.5: 6, 0.4: 3}
    assert min(cost_of(t, range(9)) for t in SCORES) == 3


def test_two_mail_filters(page):
    """Exercise metrics-1: both matrices, their measures and costs, and a year with less spam."""
    told = {}
    for name, marked, spam in (("A", 100, 80), ("B", 185, 95)):
        y = [1] * 100 + [0] * 900
        alarm = [1] * spam + [0] * (100 - spam) + [1] * (marked - spam)
        alarm += [0] * (1000 - len(alarm))
        (TN, FP), (FN, TP) = metrics.confusion_matrix(y, alarm)
        page.says(rf"Filter {name} has $\text{{TP}}={TP}$, $\text{{FP}}={FP}$, "
                  rf"$\text{{FN}}={FN}$ and $\text{{TN}}={TN}$")  # fmt: skip
        told[name] = [f(y, alarm) for f in (
            metrics.accuracy, metrics.precision, metrics.recall, metrics.f1)]  # fmt: skip
        costs = FN + 10 * FP, 50 * FN + FP
        assert costs == {"A": (220, 1020), "B": (905, 340)}[name]
    assert told["A"] == pytest.approx([0.96, 0.8, 0.8, 0.8])
    accuracy, precision, recall, f1 = told["B"]
    page.says(f"so its accuracy is {accuracy}, its precision $95/185={precision:.3f}$, its recall "
              f"{recall}, and its F1 $190/285={f1:.3f}$.")  # fmt: skip
    found, false = 10 * 0.8, 990 * 20 / 900
    page.says(f"are marked, so the precision falls to $8/30={found / (found + false):.3f}$.")


def test_a_curve_with_ties_and_its_classes(page):
    """Exercise metrics-2: eleven of twelve pairs, and fewer when only classes are left."""
    y, scores = [1, 1, 1, 0, 0, 0, 0], [0.9, 0.6, 0.6, 0.6, 0.5, 0.3, 0.3]
    auc = metrics.roc_auc(y, scores)
    page.says(f"these are {in_words(round(12 * auc))} of 12 pairs".replace("eleven", "11"))
    page.says(f"of 12 pairs, so the AUC is {auc:.3f}.")
    left = metrics.roc_auc(y, [int(score >= 0.6) for score in scores])
    page.says(rf"under it is $1-\frac12\cdot\frac14={left:.3f}$")


def test_probabilities_after_undersampling(page):
    """Exercise metrics-6: a half at one honest payment of ten, and where to stop a payment."""
    q, kept = 0.5, 0.1
    whole = kept * q / (kept * q + 1 - q)
    page.says(rf"gives $p=\beta q/(\beta q+1-q)$. (b) $p=0.05/(0.05+0.5)=1/11={whole:.3f}$.")
    odds = 1 / 16 / (1 - 1 / 16) / kept
    page.says(f"odds of $q$ are $1/(15\\beta)=2/3$, so $q={odds / (1 + odds):.1f}$.")
