"""Facts of the page behind chapter 6: pairs and U, terms of the Brier score, false alarms."""

import re

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from sklearn.model_selection import StratifiedKFold, cross_val_score

from treelab import DecisionTreeClassifier, metrics
from treelab.datasets import fetch_german_credit, fetch_sick
from treelab.fast.pruning import link_table, prune
from treelab.figures import metrics as figures

RESULTS = ROOT / "notebooks" / "replications"


def test_the_area_is_the_statistic_of_mann_and_whitney(page):
    U, area = page.output("h-u").split()
    assert U == area
    page.says("the rank test of SciPy and the area agree {cite:p}`hanley1982`.")


def test_the_three_terms_of_the_brier_score(page):
    terms = [float(t) for t in re.findall(r"\d\.\d{3}", page.output("h-murphy"))]
    reliability, resolution, uncertainty, brier = terms
    assert reliability - resolution + uncertainty == pytest.approx(brier, abs=0.0011)
    assert brier == round(metrics.brier_score(figures.BUSY, figures.SCORES), 3)
    assert uncertainty == round(4 / 9 * 5 / 9, 3)


def test_the_variance_of_the_folds_is_underestimated_by_the_covariance():
    """The formulas of the page, on normal folds with a common part; and line 3."""
    k, rho, rng = 5, 0.2, np.random.default_rng(0)
    common = rng.normal(size=(200_000, 1)) * np.sqrt(rho)
    e = common + rng.normal(size=(200_000, k)) * np.sqrt(1 - rho)
    variance, claimed = e.mean(axis=1).var(), e.var(axis=1, ddof=1).mean() / k
    assert variance == pytest.approx(1 / k + (k - 1) / k * rho, rel=0.02)
    assert variance - claimed == pytest.approx(rho, rel=0.02)
    n_train, n_test = 4, 1  # rho = n_test / (n_train + n_test)
    assert variance / (k * claimed) == pytest.approx(1 / k + n_test / n_train, rel=0.02)


def test_weights_change_the_first_split(page):
    first = [line.split()[-1] for line in page.output("h-costs-code").strip().split("\n")]
    page.says(f"The threshold of the first Gini split moves from {first[0]} months to {first[1]}.")
    credit = fetch_german_credit()
    account = pd.crosstab(credit.data["checking_status"], credit.target)
    bad = account["bad"] / account.sum(axis=1)
    assert (bad < 1 / 6).sum() == 1
    assert bad.idxmin() == "no checking"
    page.says(f"Of the {in_words(len(bad))} categories of the checking account")


def test_line_3_on_methods_that_are_equally_good(page):
    table = figures.false_alarms(pd.read_csv(RESULTS / "comparing_methods.csv"))
    naive, corrected = table.loc["30 splits", ["line 2", "line 3"]]
    page.says(
        f"On 30 random splits it declares a difference in {naive} of 100 comparisons, whereas "
        f"line 3 does so in only {corrected}."
    )


def test_the_rare_classes(page):
    results = figures.named_ways(pd.read_csv(RESULTS / "class_imbalance.csv"))
    worse = 0
    for _, rows in results.groupby("set"):
        change, half = figures.changes(rows, "brier")
        worse += change["undersampling"] > half["undersampling"]
    page.says(f"Undersampling raises the Brier score on all {in_words(worse)}. On the digits")
    page.says(
        "14 % of the wines (good wines), 10 % of the digits (the digit 8), and 30 % of the loans"
    )


def test_pooled_and_mean_auc(page):
    data = fetch_sick()
    X = pd.get_dummies(data.data.dropna(axis=1, how="all"), dtype=float)
    X, y = X.fillna(X.median()).to_numpy(), (data.target == "sick").to_numpy(int)
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    tree = DecisionTreeClassifier(min_samples_leaf=20)
    found = cross_val_score(tree, X, y, cv=folds, scoring="roc_auc").mean()
    page.says(f"For probabilities the two usually agree, and here both are {found:.3f}.")


def test_a_certain_and_wrong_forecast(page):
    page.says(f"wrong forecast costs about {metrics.log_loss([1], [0.0]):.0f} instead of infinity.")


def test_the_interval_of_a_recall(page):
    rows, sick = re.findall(r"\d+", page.output("h-interval-data"))
    page.says(f"rests on only {sick} sick patients among the {rows} test rows.")
    found = re.search(r"recall_score +(\S+), from (\S+) to (\S+)", page.output("h-interval-code"))
    recall, low, high = map(float, found.groups())
    assert high - low > 0.2
    page.says(f"A report that says {recall:.2f} without this interval claims too much.")


def test_mcnemar_on_the_two_trees(page):
    small, full, p = re.match(
        r"(\d+) and (\d+) patients, p = (\S+)", page.output("h-mcnemar-code")
    ).groups()
    page.says(f"The smaller tree alone is right on {small} patients, and the fully grown tree")
    page.says(f"and the fully grown tree alone on {full}. A fair coin")
    assert float(p) > 0.2


@pytest.mark.parametrize(
    ("cost", "leaves", "row"),
    [
        (1, 1, "| 1 | 2 | 0 + 2 | {}: pruned |"),
        (4, 2, "| 4 | min(8, 10) = 8 | 0 + min(8, 3) = 3 | {}: kept |"),
    ],
)
def test_costs_decide_what_is_pruned(page, cost, leaves, row):
    side = np.repeat([[0], [1]], [7, 5], axis=0)
    tumor = np.repeat(["benign", "malignant"], [10, 2])
    w = np.where(tumor == "malignant", cost, 1)
    model = DecisionTreeClassifier().fit(side, tumor, sample_weight=w)
    same = DecisionTreeClassifier(class_weight={"benign": 1, "malignant": cost}).fit(side, tumor)
    assert np.array_equal(same.tree_.value, model.tree_.value)
    saved = w.sum() * link_table(model, "misclassification")["g"][0]
    page.says(row.format(f"{abs(saved):.0f}"))
    assert prune(model, 0, "misclassification").get_n_leaves() == leaves


def test_weights_for_a_prior(page):
    page.says(f"loan is weighted by $0.05/0.30={0.05 / 0.30:.3f}$ times its cost, and a good one")
    page.says(f"and a good one by $0.95/0.70={0.95 / 0.70:.2f}$.")
