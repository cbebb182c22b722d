"""Facts of chapter 7: its numbers, and the answers to its exercises."""

from functools import cache

import numpy as np
import pandas as pd
from facts import Page
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LinearRegression

from treelab import DecisionTreeClassifier, DecisionTreeRegressor, datasets
from treelab.datasets import fetch_bike_sharing, fetch_wine_quality, make_steps, steps
from treelab.fast.growing import split_table

GRID = np.linspace(0.005, 0.995, 100)[:, None]
HERE = 62  # the point of the grid at x = 0.625
PAGE_NAMES = {
    "np": np,
    "pd": pd,
    "datasets": datasets,
    "DecisionTreeRegressor": DecisionTreeRegressor,
}


@cache
def staircase(depth):
    """Predictions of the staircase by trees of 200 training sets, and their thresholds."""
    tree, predictions, thresholds = DecisionTreeRegressor(max_depth=depth), [], []
    for seed in range(200):
        tree.fit(*make_steps(100, noise=0.5, random_state=seed))
        predictions.append(tree.predict(GRID))
        thresholds.append(tree.tree_.threshold[~tree.tree_.is_leaf])
    return np.array(predictions), np.concatenate(thresholds)


def test_the_root_changes(page):
    X, y = load_breast_cancer(as_frame=True, return_X_y=True)
    gains = split_table(X, y).groupby("feature")["gain"].max().nlargest(5).round(3).tolist()
    assert gains == [0.325, 0.323, 0.322, 0.319, 0.315]
    page.says(f"gains between {gains[-1]:.3f} and {gains[0]:.3f} at the root. The gains are so")
    root = DecisionTreeClassifier(max_depth=1).fit(X, y).tree_.feature[0]
    changed = 0
    for seed in range(200):
        kept = np.random.default_rng(seed).permutation(len(X))[10:]
        stump = DecisionTreeClassifier(max_depth=1).fit(X.iloc[kept], y.iloc[kept])
        changed += stump.tree_.feature[0] != root
    page.says(f"we left out ten random patients, the root changed in {changed} of 200 trials.")
    other, apart = page.output("instability-c03").split("of 50;")
    page.says(f"In {int(other)} of the 50 pairs, the two roots split on different features.")
    page.says(
        f"the two trees disagree on only {100 * float(apart):.0f} % of the patients on average."
    )
    page.says(f"different roots in {int(other)} of 50 pairs and still agreed on")
    page.says(f"and still agreed on {100 - 100 * float(apart):.0f} % of the patients.")


def test_three_saturdays(page):
    predicted = []
    for cakes in [[1, 3, 8, 8], [1, 8, 6, 10], [4, 6, 5, 11]]:
        stump = DecisionTreeRegressor(max_depth=1).fit([[1], [2], [3], [4]], cakes)
        predicted.append(stump.predict([[2]])[0])
    mean, bias, variance = np.mean(predicted), np.mean(predicted) - 4, np.var(predicted)
    error = np.mean((np.array(predicted) - 4) ** 2)
    assert np.allclose([error, bias, variance], [7, 1, 6])
    page.says("predict {:g}, {:g} and {:g} cakes, whereas the true mean is 4.".format(*predicted))
    page.says(f"add up to $4+16+1={3 * error:g}$, so their mean is **{error:g}**.")
    page.says(f"prediction is $(2+8+5)/3={mean:g}$, which is one cake too high.")
    assert bias == bias**2
    page.says(f"called the {{term}}`bias`. Here both the bias and its square are {bias:g}.")
    page.says(f"is called the {{term}}`variance`, which is $(9+9+0)/3={variance:g}$ here.")
    page.says(f"add up to the mean squared distance, ${bias**2:g}+{variance:g}={error:g}$.")
    page.says(
        f"the expected squared error is therefore $3+{bias**2:g}+{variance:g}={3 + error:g}$."
    )
    page.says(f"so the expected squared error is $3+{bias**2:g}={3 + bias**2:g}$.")


def test_a_picture_of_bias_and_variance(page):
    truth, errors = steps(GRID[HERE])[0], []
    levels = steps(np.array([0.1, 0.3, 0.6, 0.9]))
    page.says("with the levels {:g}, {:g}, {:g} and {:g} and jumps at 0.2, 0.5".format(*levels))
    for depth, words in (
        (2, "of only {sd:.2f}. However, their mean is {mean:.2f}, so"),
        (None, "have a standard deviation of {sd:.2f}, but their mean is {mean:.2f}, so they have"),
    ):
        here = staircase(depth)[0][:, HERE]
        mean, sd = here.mean(), here.std()
        page.says(words.format(mean=mean, sd=sd))
        if depth:
            page.says(f"so their bias is {mean - truth:.2f}. Four leaves would suffice")
        else:
            assert round(mean - truth, 2) == -0.02
        errors.append((mean - truth) ** 2 + sd**2)
    small, full = errors
    page.says(f"is {small:.2f} for the small trees and {full:.2f} for the fully grown ones. The")
    page.says(
        f"Consider $x={GRID[HERE, 0]:.3f}$, in the middle of the third step, where the truth is"
    )
    page.says(f"of the third step, where the truth is {truth:g}.")


def test_no_tree_of_depth_2_finds_the_middle_jump(page):
    thresholds = staircase(2)[1]
    assert len(thresholds) == 3 * 200
    assert not (np.abs(thresholds - 0.5) < 0.05).any()
    page.says("the greedy algorithm misses the jump at 0.5 and wastes a leaf on noise.")


def test_models_of_the_staircase(page):
    parts = page.table("instability-c09")
    bias, variance, total = parts["bias²"], parts["variance"], parts["sum"]
    line, full = "straight line", "fully grown"
    assert variance.idxmin() == line
    assert bias[full] < 0.01
    page.says(f"in much the same way each time, with a squared bias of {bias[line]:.3f}.")
    page.says(f"Nearly all of its error is variance ({variance[full]:.3f}), because the tree")
    assert total.idxmin() == "depth 3"
    page.says("Between these extremes, the sum has its minimum at depth 3.")
    page.says(
        f"has a larger variance than the tree of depth 2 ({variance['depth 1']:.3f} compared with "
        f"{variance['depth 2']:.3f})."
    )
    page.says(
        f"whose error is the squared bias of {bias['depth 2']:.3f}. A single tree of depth 3 has a "
        f"lower error of {total['depth 3']:.3f}."
    )


@cache
def friedman():
    """Training error, squared bias and variance by depth on Friedman's function."""
    names = Page.of("instability").run(
        "instability-c08", "instability-c10a", "instability-c10b", **PAGE_NAMES
    )
    return names["curves"]


def test_the_u_curve(page):
    curves = friedman()
    training, test = curves["training error"], curves["test error"]
    bias, variance = curves["bias²"], curves["variance"]
    assert np.allclose(test, 1 + bias + variance)
    assert (np.diff(training) < 0).all()
    page.says("The training error falls with every additional level and approaches 0, so")
    assert (np.diff(test.iloc[:4]) < 0).all()
    assert (np.diff(test.iloc[3:]) > 0).all()
    page.says(f"the shape of a flat U, with its minimum at depth {test.idxmin()}.")
    assert bias[1] > 0.8 * test[1]
    assert variance[10] > 0.6 * test[10]
    assert bias.idxmin() == 10
    page.says("the squared bias is lowest for the deepest trees, whose error is mostly variance.")
    caption = page.caption("instability-c10c")
    falls = variance.index[1:][np.diff(variance) < 0]
    assert (np.diff(bias) < 0).all()
    caption.says(f"and the variance rises, except for a small dip at depth {falls.item()}.")
    caption.says(f"The training error falls from {training[1]:.1f} to almost 0.")
    caption.says(
        f"The test error falls from {test[1]:.1f} to {test.min():.1f} at depth 4 and then rises "
        f"slowly to {test[10]:.0f}."
    )
    caption.says(f"The squared bias falls from {bias[1]:.1f} to {bias[10]:.1f}.")
    caption.says(f"The variance rises from about {variance[1]:.0f} to {variance[10]:.0f}, with a")


def test_the_curve_of_the_bicycles(page):
    curve = page.table("instability-sklearn")
    split = page.table("instability-c14")["error"]
    assert curve["test error"].idxmin() == 5
    assert split.filter(like="depth").idxmin() == "depth 5"
    page.says("The test error again has its minimum at depth 5.")


def test_the_mean_of_many_trees(page):
    P, truth = staircase(None)[0], steps(GRID[:, 0])
    errors = {m: np.mean((P[:m].mean(axis=0) - truth) ** 2) for m in (1, 2, 3, 5, 10, 30, 200)}
    variance = P.var(axis=0).mean()
    assert all(abs(error - variance / m) < 0.011 for m, error in errors.items())
    parts = page.table("instability-c09").loc["fully grown"]
    assert np.isclose(parts["sum"], np.mean((P - truth) ** 2), atol=0.0006)
    page.says(
        f"For fully grown trees, this error falls from {errors[1]:.3f} for one tree to "
        f"{errors[200]:.3f} for 200 trees, although"
    )
    left = (P.mean(axis=0) - truth) ** 2
    jumps = np.min(np.abs(GRID - [0.2, 0.5, 0.75]), axis=1) < 0.02
    assert left[jumps].sum() > 0.7 * left.sum()  # the page of the guide says so


def test_one_day_less(page):
    rows = [[4], [5], [7], [12], [18], [23], [27], [28], [32], [35]]
    targets = [602, 750, 913, 1229, 1827, 2246, 2127, 1714, 838, 625]

    def of_days(kept):
        tree = DecisionTreeRegressor(max_depth=2)
        tree.fit([rows[i] for i in kept], [targets[i] for i in kept])
        return tree.tree_.threshold[0], tree.predict([[25]])[0]

    first, at_25 = of_days(range(10))
    page.says(
        f"the first threshold is {first:g} degrees and the prediction is {at_25:.0f} rentals."
    )
    fewer = [of_days([i for i in range(10) if i != left_out]) for left_out in range(10)]
    cuts = [cut for cut, _ in fewer]
    assert cuts[0] == cuts[1]
    assert cuts[-2] == cuts[-1]
    page.says(
        f"Without one of the two coldest days, the root splits at {cuts[0]:g} degrees, and without "
        f"one of the two warmest days, it splits at {cuts[-1]:g} degrees."
    )
    moved = max(abs(prediction - at_25) for _, prediction in fewer)
    page.says(f"The prediction changes by up to {moved:.0f} rentals.")


def test_bicycles_alone_and_averaged(page):
    bikes = page.table("instability-c14")
    assert bikes["error"].idxmin() == "depth 5"
    assert bikes["noise + bias²"].idxmin() == "fully grown"
    assert (np.diff(bikes["noise + bias²"].iloc[:5]) < 0).all()
    error, rest = (
        bikes[name].map("{:,}".format).str.replace(",", " ") for name in bikes.columns[::2]
    )
    full = "fully grown"
    page.says(f"falls as the trees become deeper, to {rest[full]} for fully grown trees.")
    page.says(
        f"tree of depth 5 has the lowest error, {error['depth 5']}, and a fully grown tree has "
        f"{error[full]}."
    )
    page.says(f"this is {rest['depth 5']} for depth 5 but {rest[full]} for fully grown trees.")
    page.says(f"Nearly all of their error of {error['depth 1']} stays.")
    pooled = int(page.output("instability-c16").partition(":")[2])
    thousands, hundreds = divmod(round(pooled, -2), 1000)
    page.says(f"This tree has an error of about {thousands} {hundreds}, so it does not pay")


def test_what_is_not_variance_is_the_error_of_the_average():
    X, y = (z.to_numpy(float) for z in fetch_bike_sharing(return_X_y=True))
    order = np.random.default_rng(0).permutation(len(X))
    test, sets = order[:2000], order[2000:14000].reshape(40, 300)
    P = np.array([LinearRegression().fit(X[s], y[s]).predict(X[test]) for s in sets])
    error, average = np.mean((P - y[test]) ** 2), np.mean((P.mean(axis=0) - y[test]) ** 2)
    assert np.isclose(average, error - P.var(axis=0).mean())


def test_a_vote_of_waveform_trees(page):
    tree, vote = 100 * page.table("instability-c17").loc["fully grown"]
    page.says(f"misclassifies {tree:.0f} % of the observations and the vote only {vote:.0f} %.")


def test_a_vote_that_harms(page):
    given = {"np": np, "DecisionTreeClassifier": DecisionTreeClassifier}
    names = page.run("instability-c08", "instability-c19", **given)
    box, vote, y = names["box"], names["vote"], names["y_b"]
    one, voted = np.mean(box != y), np.mean(vote != y)
    assert voted > one + 0.08
    assert np.isclose(y.mean(), 0.59, atol=0.005)
    page.says(f"of the square and misclassifies {100 * one:.0f} % of the observations on average.")
    page.says(
        f"predicts class 1 for {100 * vote.mean():.0f} % of the observations and misclassifies "
        f"{100 * voted:.0f} %."
    )
    outside = np.abs(names["X_b"] - 0.5) >= 0.38
    corner = outside.all(axis=1)
    for j in (0, 1):
        x = names["X_b"][:, j]
        for side in (x < 0.12, x > 0.88):
            assert 0.2 < np.mean(box[:, side & ~corner] == 0) < 0.3
            assert vote[side & ~corner].all()
    assert np.isclose(np.mean(box[:, corner] == 0), 0.5, atol=0.01)
    page.says(
        "on each side only about one stump in four is right, and it is outvoted. In the corners, "
        "which belong to two sides, about one stump in two is right."
    )


def test_samples_of_one_set(page):
    one, fresh, resampled = page.table("instability-c21")["squared error"]
    page.says(f"reduces the squared error from {one:.3f} to {fresh:.3f}, because it removes the")
    page.says(f"Averaging over resamples increases the error to {resampled:.3f}.")


def test_four_saturdays(page):
    hour = np.array([[1], [2], [3], [4]])
    stump = DecisionTreeRegressor(max_depth=1).fit(hour, [3, 5, 10, 6])
    page.says(f"the stump splits after hour 2 and predicts {stump.predict([[2]])[0]:g}.")
    four, five = np.array([2, 8, 5, 4]), np.array([2, 8, 5, 4, 1])
    page.says(f"The predictions are 2, 8, 5 and 4, and their mean is {four.mean():g}.")
    page.says(f"The squared bias is $0.75^2 = {(four.mean() - 4) ** 2:g}$, and the variance is")
    page.says(f"0.75^2) / 4 = {four.var():g}$. Together they are {np.mean((four - 4) ** 2):g}, and")
    assert five.mean() == 4
    page.says(f"(4 + 16 + 1 + 0 + 9) / 5 = {np.mean((five - 4) ** 2):g}$. All of it is variance")


def test_would_an_average_of_wine_trees_pay(page):
    models = DecisionTreeRegressor(), LinearRegression()
    table = fetch_wine_quality("white").frame
    once = table.drop_duplicates()
    page.says(f"{len(table) - len(once)} of the {len(table)} rows are copies of others")
    alone = []
    for wines, deals in ((once, 5), (table, 1)):
        X, y = wines.drop(columns="quality").to_numpy(float), wines["quality"].to_numpy(float)
        for deal in range(deals):
            order = np.random.default_rng(deal).permutation(len(X))
            test, sets = order[:1500], order[1500:3900].reshape(12, 200)
            P = np.array([[m.fit(X[s], y[s]).predict(X[test]) for s in sets] for m in models])
            total, variance = ((P - y[test]) ** 2).mean(axis=(1, 2)), P.var(axis=1).mean(axis=1)
            rest = total - variance
            if wines is once:
                assert abs(rest[0] - rest[1]) < 0.02
            if deal > 0:
                continue
            one = models[0].fit(X[sets.ravel()], y[sets.ravel()]).predict(X[test])
            alone.append(np.mean((one - y[test]) ** 2))
            trained = {row.tobytes() for row in np.column_stack([X, y])[sets.ravel()]}
            met = np.mean([row.tobytes() in trained for row in np.column_stack([X, y])[test]])
            assert met == 0 if wines is once else 0.17 < met < 0.23
            if wines is once:
                first = np.transpose([total, variance, rest])
                strong = np.argsort(wines["alcohol"].to_numpy()[test], kind="stable")
                thirds = P[0].var(axis=0)[strong].reshape(3, 500).mean(axis=1)
    (tree, scatter, left), line = first[0], first[1]
    page.says(
        f"A fully grown tree has a mean squared error of {tree:.2f}, of which {scatter:.2f} is "
        f"variance and {left:.2f} the rest. A straight line has {line[0]:.2f}, of which "
        f"{line[1]:.2f} is variance and {line[2]:.2f} the rest."
    )
    page.says(
        "drawn anew four times, the remainders of the two models never differ by more than 0.02"
    )
    page.says(
        f"with the most alcohol ({thirds[2]:.2f}) than among the third with the least "
        f"({thirds[0]:.2f})."
    )
    page.says(
        f"the average of 12 trees on 200 rows each, {left:.2f}, beats one fully grown tree on all "
        f"2400 rows, which has {alone[0]:.2f}."
    )
    page.says(
        f"this one tree seems to have an error of only {alone[1]:.2f}, because every fifth test "
        "wine also occurs in its training data."
    )
