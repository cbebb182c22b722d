"""Facts of chapter 4: what is pruned when, what cross-validation finds, and what chance does."""

import ast
import re

import numpy as np
import pandas as pd
import pytest
import sklearn.tree
from facts import in_words
from places import ROOT
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.datasets import make_steps
from treelab.fast.pruning import cross_validated_pruning, link_table, prune, pruning_table

RESULTS = ROOT / "notebooks" / "replications"
NOON = np.array([[12], [14], [16], [19], [21], [22], [24], [28], [34]])
SOLD = np.array([0, 0, 0, 0, 1, 0, 0, 1, 1])
FOLDS = np.array(list("ABCCABABC"))


def splits_of(model):
    """The thresholds of a tree in preorder, as words."""
    tree = model.tree_
    return [f"{threshold:g}" for threshold in tree.threshold[~tree.is_leaf]]


@pytest.fixture(scope="module")
def bakery():
    cakes = [7, 3, 7, 7, 7, 11, 7, 7, 7, 7]
    return DecisionTreeRegressor().fit(np.arange(1, 11).reshape(-1, 1), cakes)


@pytest.fixture(scope="module")
def ice():
    """Cross-validated pruning on the nine days, by the folds of the page."""
    pairs = [(np.flatnonzero(FOLDS != f), np.flatnonzero(FOLDS == f)) for f in "ABC"]
    return cross_validated_pruning(
        DecisionTreeClassifier(), NOON, SOLD, cv=pairs, risk="misclassification"
    )


@pytest.fixture(scope="module")
def losses():
    """Which of the nine days are wrong at each of three prices, (3, 9)."""
    wrong = np.zeros((3, 9), dtype=int)
    for fold in "ABC":
        out = FOLDS == fold
        grown = DecisionTreeClassifier().fit(NOON[~out], SOLD[~out])
        for k, price in enumerate((0, 1 / 9, 1)):
            predicted = prune(grown, price, "misclassification").predict(NOON[out])
            wrong[k, out] = predicted != SOLD[out]
    return wrong


@pytest.fixture(scope="module")
def patients():
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    return train_test_split(X, y, test_size=142, random_state=0)


@pytest.fixture(scope="module")
def compared():
    return pd.read_csv(RESULTS / "pruning_compared.csv")


def test_the_test_error_turns(page):
    (X, y), (X_new, y_new) = (
        make_steps(n, noise=0.5, random_state=seed) for n, seed in ((100, 1), (2000, 2))
    )
    models = [DecisionTreeRegressor(max_depth=depth).fit(X, y) for depth in range(1, 13)]
    training = [np.mean((model.predict(X) - y) ** 2) for model in models]
    test = [np.mean((model.predict(X_new) - y_new) ** 2) for model in models]
    assert (np.diff(training) <= 0).all()
    assert training[-1] == 0
    best = 1 + int(np.argmin(test))
    page.says(
        "The training error falls to 0, but the test error has its minimum at a depth of "
        f"{in_words(best)} levels."
    )
    page.caption("p09").says(
        f"The test error falls from {test[0]:.2f} to its minimum, {min(test):.2f}, at depth {best} "
        f"and rises again to {test[-1]:.2f}."
    )


def test_the_links_of_the_bakery(page, bakery):
    links = link_table(bakery)
    assert np.allclose(links["g"], [0.8, 0.8, 0.7, 1.2])
    for t, link in links.iterrows():
        g = f"**{link['g']:.1f}**" if link["weakest"] else f"{link['g']:.1f}"
        saves = link["risk"] - link["subtree_risk"]
        page.says(f"| {t} | {saves:.1f} | {link['n_leaves'] - 1:.0f} | {g} |")
    alphas = pruning_table(bakery)["alpha"]
    assert np.allclose(alphas, [0, 0.7, 0.8, 1])
    weakest = links.index[links["weakest"]].item()
    page.says(f"The {{term}}`weakest link` is the node with the smallest $g$, here node {weakest}.")
    page.says(
        f"When the price reaches {alphas[1]:.1f}, the whole subtree under node {weakest} is pruned"
    )
    page.says(
        "the subtree under the root has only one additional leaf, and the $g$ of the root is "
        f"$3.2-1.4-0.8={alphas[3]:g}$."
    )


def test_the_lower_envelope_bends_where_links_are_pruned(page, bakery):
    table = pruning_table(bakery)
    costs = [table["risk"] + table["n_leaves"] * alpha for alpha in table["alpha"][1:]]
    for step, cost in enumerate(costs, start=1):  # two trees share the lowest cost there
        assert np.isclose(cost[step - 1], cost[step])
        assert np.isclose(cost.min(), cost[step])
    five, three, _, _ = table["n_leaves"]
    page.says(
        f"At a price of {table['alpha'][1]:.1f}, for example, the trees with {in_words(five)} and "
        rf"{in_words(three)} leaves have the same cost, because "
        rf"$5\cdot0.7=1.4+3\cdot0.7={costs[0][0]:.1f}$."
    )
    bends = [f"{alpha:g}" for alpha in table["alpha"][1:].round(9)]
    found = "It bends at the prices {}, {} and {}, where a weakest link".format(*bends)
    page.caption("p19-lines").says(found)


def test_the_candidates_of_the_nine_days(page, ice):
    grown = DecisionTreeClassifier().fit(NOON, SOLD)
    page.says(
        "The tree grown on all nine days splits at {}, {} and {} degrees.".format(*splits_of(grown))
    )
    assert np.allclose(ice.table["alpha"], [0, 1 / 18, 2 / 9])
    assert np.allclose(ice.table["beta"][:2], [0, 1 / 9])
    four, two, one = map(in_words, ice.table["n_leaves"])
    page.says(
        rf"Hence the tree with {four} leaves is optimal up to $\alpha=1/18$, the tree with {two} "
        rf"leaves from there up to $\alpha=2/9$, and the tree with {one} leaf for all larger "
        r"$\alpha$."
    )


def test_the_errors_of_the_three_folds(page, ice, losses):
    counted = np.array([losses[:, FOLDS == fold].sum(axis=1) for fold in "ABC"])
    for name, row in zip("ABC", counted, strict=True):
        rates = " | ".join(f"{k}/3" if k else "0" for k in row)
        page.says(f"| fold {name} | {rates} |")
    total = counted.sum(axis=0)
    page.says(f"| all nine | {total[0]}/9 | **{total[1]}/9** | {total[2]}/9 |")
    assert np.allclose(9 * ice.table["cv_error"], total)
    page.says(
        f"The lowest cross-validated error is ${total[1]}/9$, and it is reached at a price of 1/9."
    )
    leaves = in_words(ice.estimator.get_n_leaves())
    (threshold,) = splits_of(ice.estimator)
    page.says(f"pruned to {leaves} leaves, which splits at {threshold} degrees and ignores the day")
    without_B = DecisionTreeClassifier().fit(NOON[FOLDS != "B"], SOLD[FOLDS != "B"])
    cuts = sorted(splits_of(without_B), key=float)
    page.says("grown without this fold splits at {}, {} and {} degrees. For".format(*cuts))
    right = link_table(without_B, "misclassification").iloc[1]  # the node to the right of 20
    assert np.allclose(right[["g", "risk", "n_leaves"]].astype(float), [1 / 12, 1 / 6, 3])
    page.says("has two additional leaves, so its $g$ is $(1/6)/2=1/12$. Since this value is less")


def test_the_thresholds_of_the_figure_of_the_folds(page):
    without = {
        fold: DecisionTreeClassifier().fit(NOON[FOLDS != fold], SOLD[FOLDS != fold])
        for fold in "ABC"
    }
    kept = {fold: prune(grown, 1 / 9, "misclassification") for fold, grown in without.items()}
    thick = {fold: splits_of(pruned) for fold, pruned in kept.items()}
    dotted = {
        fold: sorted(set(splits_of(grown)) - set(thick[fold]), key=float)
        for fold, grown in without.items()
    }
    assert [len(thick[fold]) for fold in "ABC"] == [1, 1, 1]
    assert dotted["A"] == []
    caption = page.caption("p23")
    caption.says(f"Without A, there is one thick line at {thick['A'][0]}.")
    for fold in "BC":
        caption.says(
            f"Without {fold}, there is a thick line at {thick[fold][0]} and dotted lines at "
            f"{' and '.join(dotted[fold])}."
        )


def test_standard_errors_by_hand(page, ice, losses):
    chosen = losses[1]
    assert np.isclose(ice.table["se"][1], chosen.std() / 3)
    page.says(
        rf"$\sqrt{{2/9\cdot7/9}}={chosen.std():.3f}$, and the standard error of their "
        rf"mean is ${chosen.std():.3f}/\sqrt9={chosen.std() / 3:.3f}$."
    )
    se = chosen.std() / 3
    page.says(rf"Here the limit is ${2 / 9:.3f}+{se:.3f}={2 / 9 + se:.3f}$, so the rule selects")
    more = losses[0] - losses[1]
    days, se = NOON[more != 0].ravel(), more.std() / 3
    assert np.isclose(more.mean(), 2 / 9)
    page.says(
        f"differ on only {in_words(len(days))} of these days, those with {days[0]} and {days[1]} "
        "degrees. The difference between the two errors is $2/9$, and it again has a standard "
        f"error of {se:.3f}. Because this difference is only {2 / 9 / se:.1f} standard errors "
        "from 0, the comparison is inconclusive"
    )


def test_two_rules_for_the_patients(page, patients):
    P, P_test, q, _ = patients
    least, simple = (
        cross_validated_pruning(DecisionTreeRegressor(), P, q, rule=rule, random_state=0)
        for rule in ("min", "one_se")
    )
    leaves = [in_words(choice.estimator.get_n_leaves()) for choice in (least, simple)]
    best = least.table[least.table["chosen"]].iloc[0]
    error, se = best["cv_error"], best["se"]
    page.says(
        f"The tree with {leaves[0]} leaves has the lowest cross-validated error. The "
        f"one-standard-error rule has the limit ${error:.1f}+{se:.1f}={error + se:.1f}$ and "
        f"selects the tree with {leaves[1]} leaves."
    )
    theirs = sklearn.tree.DecisionTreeRegressor(ccp_alpha=least.alpha * 1.001, random_state=0)
    assert np.allclose(theirs.fit(P, q).predict(P_test), least.estimator.predict(P_test))
    page.says("If `ccp_alpha` is set to the price chosen here, scikit-learn yields the same tree.")
    page.says(f"With the same folds, we again obtain a tree with {leaves[0]} leaves.")
    assert page.output("sklearn").startswith(f"{least.estimator.get_n_leaves()} leaves: ")


def test_pruning_against_none(page, compared):
    means = compared[compared["data"] == "diabetes"].groupby("pruning")["error"].mean()
    page.says(
        "Over 50 splits of the patients into training and test data, pruning lowers the mean RMSE "
        f"from {means['none']:.1f} to {means['min']:.1f}. With the one-standard-error rule, the "
        f"mean RMSE is {means['one_se']:.1f}."
    )


def test_pruning_against_the_best_depth_for_the_patients(page, compared):
    """The limit on the depth is chosen on the test rows, which is unfair."""
    people, progress = load_diabetes(return_X_y=True, scaled=False)
    pruned = compared.query("data == 'diabetes' and pruning == 'min'").set_index("draw")["error"]
    ahead = 0
    for seed in range(50):
        P, P_test, q, q_test = train_test_split(people, progress, test_size=142, random_state=seed)
        models = (
            sklearn.tree.DecisionTreeRegressor(max_depth=depth, random_state=0).fit(P, q)
            for depth in range(1, 13)
        )
        errors = [np.sqrt(np.mean((model.predict(P_test) - q_test) ** 2)) for model in models]
        ahead += min(errors) < pruned[seed]
    page.says(f"the depth limit has a lower error than pruning in {ahead} of 50 splits.")


def test_leaves_chosen_in_other_samples(page):
    said = page.output("p60")
    least, most, *one_se = re.search(
        r"minimum rule (\d+) to (\d+), one-standard-error rule (\d+) to (\d+)", said
    ).groups()
    page.caption("p60").says(
        f"The minimum rule chooses between {least} and {most} leaves, "
        f"whereas the one-standard-error rule chooses between {one_se[0]} and {one_se[1]}."
    )
    low, high = re.search(r"RMSE, minimum rule: from (\S+) to (\S+)", said).groups()
    page.says(
        "trees of different sizes have similar errors. Here, their RMSEs lie between "
        f"{low} and {high}."
    )
    assert len(ast.literal_eval(re.search(r"split on: (.*)", said)[1])) > 1
    page.says("Not even the first split is always the same")


def test_the_least_error_of_pure_noise(page):
    fooled, of = re.match(r"(\d+) of (\d+) sets", page.output("p63")).groups()
    found = re.findall(r"(promised|test) error +(\S+) +(\S+)", page.output("p63"))
    means, over_all = ({name: pair[k] for name, *pair in found} for k in (0, 1))
    page.says(
        f"In {in_words(int(fooled))} of {in_words(int(of))} data sets, cross-validated pruning"
    )
    promised, found = means["promised"], means["test"]
    page.says(
        f"In these {in_words(int(fooled))} data sets, the cross-validated error is {promised} on "
        f"average, whereas the test error is {found}. Over all {in_words(int(of))} data sets, "
        f"the two averages are {over_all['promised']} and {over_all['test']}."
    )
