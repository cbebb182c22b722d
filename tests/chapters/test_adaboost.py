"""Facts of chapter 10: the answers to its exercises."""

import numpy as np
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import AdaBoostClassifier as TheirAdaBoost
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression

from treelab import AdaBoostClassifier
from treelab.datasets import fetch_german_credit, load_bike_demand
from treelab.fast.boosting import boosting_table


def test_the_fourth_round(page):
    X, y = load_bike_demand("level", return_X_y=True)
    days = pd.DataFrame({"temp": X["temp"]}).set_axis(range(1, 11))
    four = AdaBoostClassifier(n_estimators=4).fit(days, y)
    table = boosting_table(four, days, y)
    last = table[table["round"] == 4].set_index("case")
    weight, error, c = last["weight"], last["error"].iloc[0], last["confidence"].iloc[0]
    assert np.allclose(weight[[1, 4, 9]], [13 / 126, 1 / 10, 2 / 21])
    page.says(rf"\frac{{42}}{{26}} = \frac{{13}}{{126}} = {weight[1]:.4f}$, and the hot ones,")
    page.says(rf"\frac{{42}}{{26}} = \frac{{2}}{{21}} = {weight[9]:.4f}$. (b) The groups")
    assert np.isclose(error, 4 / 21)
    assert np.isclose(c, np.log(17 / 4) / 2)
    cut = four.estimators_[3].tree_.threshold[0]
    page.says(
        f"The cut at {cut:g} with low and high is wrong on the hot days only: "
        rf"$\varepsilon = 4/21 = {error:.4f}$."
    )
    page.says(rf"So it is {cut:g} again, with $c = \tfrac12 \ln \frac{{17}}{{4}} = {c:.4f}$.")
    margins = table.pivot(index="case", columns="round", values="margin")
    assert margins[3].idxmin() == 1
    assert (margins[4] > 0).all()
    page.says(
        f"The least margin falls from {margins[3].min():.3f}, of the cold days, to "
        f"$0.0341/2.8673={margins[4].min():.3f}$, of the hot ones, who had {margins.loc[9, 3]:.3f}."
    )
    assert margins[4].idxmin() in (9, 10)


def test_a_probability_to_act_on(page):
    customers, credit = fetch_german_credit(return_X_y=True)
    customers = pd.get_dummies(customers).to_numpy(float)
    bad, brier = (credit == "bad").to_numpy(int), []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(1000)
        learn, aside, new = np.split(order, [500, 700])
        lender = TheirAdaBoost(n_estimators=50, random_state=0).fit(customers[learn], bad[learn])
        said = {"share": np.full(300, bad[learn].mean())}
        said["votes"] = lender.predict_proba(customers[new])[:, 1]
        platt = CalibratedClassifierCV(FrozenEstimator(lender), method="sigmoid")
        platt.fit(customers[aside], bad[aside])
        said["sigmoid"] = platt.predict_proba(customers[new])[:, 1]
        stairs = IsotonicRegression(out_of_bounds="clip")  # as CalibratedClassifierCV fits them
        stairs.fit(lender.decision_function(customers[aside]), bad[aside])
        said["isotonic"] = stairs.predict(lender.decision_function(customers[new]))
        brier.append({name: np.mean((p - bad[new]) ** 2) for name, p in said.items()})
    brier = pd.DataFrame(brier)
    page.says(
        "Brier scores of {share:.3f} for the share of the class, {votes:.3f} for `predict_proba`, "
        "{sigmoid:.3f} with Platt and {isotonic:.3f} with isotonic".format(**brier.mean())
    )
    ahead = [(brier["sigmoid"] < brier[other]).sum() for other in ("votes", "isotonic")]
    page.says("Platt beats `predict_proba` in all {} and isotonic in {}.".format(*ahead))
