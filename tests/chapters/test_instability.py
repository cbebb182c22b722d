"""Facts of chapter 7: its numbers, and the answers to its exercises."""

from functools import cache

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LinearRegression

from treelab import DecisionTreeClassifier, DecisionTreeRegressor, datasets
from treelab.datasets import fetch_bike_sharing, fetch_wine_quality, make_steps, steps
from treelab.fast.growing import split_table

GRID = np.linspace(0.005, 0.995, 100)[:, None]
HERE = 62  # the point of the grid at x = 0.625


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
    page.says(f"their gains at the root are {gains[-1]:.3f} to {gains[0]:.3f}, so close that")
    other, apart = page.output("instability-c03").split("of 50;")
    page.says(f"In {int(other)} of 50 pairs the two roots ask about different features.")
    page.says(f"disagree on only {100 * float(apart):.0f} of 100 of these patients.")
    page.says(f"different roots in {int(other)} of 50 pairs and still agreed on")
    page.says(f"and still agreed on {100 - 100 * float(apart):.0f} of 100 patients.")


def test_three_saturdays(page):
    predicted = []
    for cakes in [[1, 3, 8, 8], [1, 8, 6, 10], [4, 6, 5, 11]]:
        stump = DecisionTreeRegressor(max_depth=1).fit([[1], [2], [3], [4]], cakes)
        predicted.append(stump.predict([[2]])[0])
    mean, bias, variance = np.mean(predicted), np.mean(predicted) - 4, np.var(predicted)
    error = np.mean((np.array(predicted) - 4) ** 2)
    assert np.allclose([error, bias, variance], [7, 1, 6])
    page.says("three predictions: {:g}, {:g} and {:g}, where the truth is 4.".format(*predicted))
    page.says(f"$4 + 16 + 1 = {3 * error:g}$, on average **{error:g}**. Where does the")
    page.says(f"is $(2 + 8 + 5) / 3 = {mean:g}$, one cake too high.")
    page.says(f"the {{term}}`bias`, here {bias:g}; its square is **{bias**2:g}**.")
    page.says(f"is $(9 + 9 + 0) / 3 =$ **{variance:g}**. And ${bias**2:g} + {variance:g} = 7$.")
    page.says(rf"is $3 + {bias**2:g} + {variance:g} = {3 + error:g}$.")


def test_a_picture_of_bias_and_variance(page):
    truth, errors = steps(GRID[HERE])[0], []
    for depth, words in (
        (2, "is {scatter:.2f}. But they agree on {mean:.2f}."),
        (None, "**Grown trees** scatter by {scatter:.2f}, but around {mean:.2f}: the bias is"),
    ):
        here = staircase(depth)[0][:, HERE]
        mean, scatter = here.mean(), here.std()
        page.says(words.format(mean=mean, scatter=scatter))
        if depth:
            page.says(f"spends a leaf on noise. The bias is {mean - truth:.2f}.")
        else:
            assert round(mean - truth, 2) == -0.02
        errors.append((mean - truth) ** 2 + scatter**2)
    page.says("this makes errors of {:.2f} and {:.2f}: similar in size".format(*errors))
    page.says(f"Look at $x = {GRID[HERE, 0]:.3f}$, where the truth is {truth:g}.")


def test_no_tree_of_depth_2_finds_the_middle_jump(page):
    thresholds = staircase(2)[1]
    assert len(thresholds) == 3 * 200
    assert not (np.abs(thresholds - 0.5) < 0.05).any()
    page.says("greedy growth misses the jump at 0.5 and spends a leaf on noise.")


def test_models_of_the_staircase(page):
    parts = page.table("instability-c09")
    bias, variance, total = parts["bias²"], parts["variance"], parts["sum"]
    line, full = "straight line", "grown"
    page.says(f"The **straight line** hardly varies, {variance[line]:.3f}, and is wrong in")
    page.says(f"in much the same way each time: bias² {bias[line]:.3f}.")
    page.says(f"is right on average, bias² {bias[full]:.3f}. Nearly all of its error is variance, ")
    page.says(f"Nearly all of its error is variance, {variance[full]:.3f}: it repeats the noise")
    assert total.idxmin() == "depth 3"
    page.says(f"In between, at depth 3, the sum is least: {total.min():.3f}.")
    page.says(
        f"varies far more than the tree of depth 2, {variance['depth 1']:.3f} against "
        f"{variance['depth 2']:.3f}."
    )
    page.says(
        f"its error, the bias² of {bias['depth 2']:.3f}, is more than the {total['depth 3']:.3f} "
        "of a single tree of depth 3."
    )


def test_the_mean_of_many_trees(page):
    P, truth = staircase(None)[0], steps(GRID[:, 0])
    errors = {m: np.mean((P[:m].mean(axis=0) - truth) ** 2) for m in (1, 2, 3, 5, 10, 30, 200)}
    variance = P.var(axis=0).mean()
    assert all(abs(error - variance / m) < 0.011 for m, error in errors.items())
    parts = page.table("instability-c09").loc["grown"]
    assert np.isclose(parts["sum"], np.mean((P - truth) ** 2), atol=0.0006)
    page.says(f"{errors[1]:.3f} for one tree, {errors[10]:.3f} for ten, {errors[200]:.3f} for 200.")
    left = (P.mean(axis=0) - truth) ** 2
    jumps = np.min(np.abs(GRID - [0.2, 0.5, 0.75]), axis=1) < 0.02
    assert left[jumps].sum() > 0.7 * left.sum()
    page.says("What is left in the end sits at the jumps.")


def test_one_day_less(page):
    rows = [[4], [5], [7], [12], [18], [23], [27], [28], [32], [35]]
    targets = [602, 750, 913, 1229, 1827, 2246, 2127, 1714, 838, 625]

    def of_days(kept):
        tree = DecisionTreeRegressor(max_depth=2)
        tree.fit([rows[i] for i in kept], [targets[i] for i in kept])
        return tree.tree_.threshold[0], tree.predict([[25]])[0]

    first, at_25 = of_days(range(10))
    page.says(f"All ten days say {first:g} and {at_25:.0f}.")
    fewer = [of_days([i for i in range(10) if i != left_out]) for left_out in range(10)]
    cuts = [cut for cut, _ in fewer]
    page.says(f"puts the first cut between {min(cuts):g} and {max(cuts):g} degrees, and moves")
    moved = max(abs(prediction - at_25) for _, prediction in fewer)
    page.says(f"moves the prediction at 25 by up to {moved:.0f}.")


def test_bicycles_alone_and_averaged(page):
    bikes = page.table("instability-c14")
    assert bikes["error"].idxmin() == "depth 5"
    assert bikes["noise + bias²"].idxmin() == "grown"
    error, rest = (
        bikes[name].map("{:,}".format).str.replace(",", " ") for name in bikes.columns[::2]
    )
    page.says(f"From {error['grown']} the grown tree falls to {rest['grown']}.")
    page.says(
        f"tree of depth 5 has the least error, {error['depth 5']}; a grown tree has "
        f"{error['grown']}."
    )
    page.says(f"{rest['depth 5']} for depth 5, {rest['grown']} for grown trees.")
    page.says(f"Of {error['depth 1']} nearly all stays.")
    pooled = int(page.output("instability-c16").partition(":")[2])
    page.says(f"on all 12 000 has an error of {pooled // 100 / 10:.1f}".replace(".", " ") + "00.")


def test_what_is_not_variance_is_the_error_of_the_average():
    X, y = (z.to_numpy(float) for z in fetch_bike_sharing(return_X_y=True))
    order = np.random.default_rng(0).permutation(len(X))
    test, sets = order[:2000], order[2000:14000].reshape(40, 300)
    P = np.array([LinearRegression().fit(X[s], y[s]).predict(X[test]) for s in sets])
    error, average = np.mean((P - y[test]) ** 2), np.mean((P.mean(axis=0) - y[test]) ** 2)
    assert np.isclose(average, error - P.var(axis=0).mean())


def test_a_vote_of_waveform_trees(page):
    table = page.table("instability-c17").loc["grown"]
    page.says("A grown tree errs in {:.0f} of 100 cases, the vote in {:.0f}, ".format(*100 * table))
    rows = page.output("instability-c18").splitlines()[2:]
    right = {row[:21].strip(): float(row.split()[-1]) for row in rows}
    assert right["up to a third"] == 0
    assert right["more than half"] == 1
    elected = page.run("instability-c16a", np=np, datasets=datasets)["elected"]
    P, y = np.random.default_rng(0).choice(3, p=[0.5, 0.3, 0.2], size=(7, 2000)), np.zeros(2000)
    share = np.mean(P == y, axis=0)
    assert (elected(P) == y)[share > 1 / 2].all()
    assert not (elected(P) == y)[share < 1 / 3].any()


def test_a_vote_that_harms(page):
    given = {"np": np, "DecisionTreeClassifier": DecisionTreeClassifier}
    names = page.run("instability-c08", "instability-c19", **given)
    box, vote, y = names["box"], names["vote"], names["y_b"]
    one, voted = np.mean(box != y), np.mean(vote != y)
    assert voted > one + 0.08
    assert np.isclose(y.mean(), 0.59, atol=0.005)
    page.says(f"which side is chance, and errs in {100 * one:.0f} of 100 cases.")
    page.says(f"calls {100 * vote.mean():.0f} of 100 cases class 1, and errs in {100 * voted:.0f}.")
    for j in (0, 1):
        x = names["X_b"][:, j]
        for side in (x < 0.12, x > 0.88):
            assert 0.27 < np.mean(box[:, side] == 0) < 0.34
    page.says("only about three stumps in ten are right. The vote outvotes them on all four sides")


def test_samples_of_one_set(page):
    one, fresh, resampled = page.table("instability-c21")["squared error"]
    page.says(f"lowers the squared error from {one:.3f} to {fresh:.3f}: the variance goes.")
    page.says(f"Averaging over resamples raises it to {resampled:.3f}.")


def test_four_saturdays(page):
    hour = np.array([[1], [2], [3], [4]])
    stump = DecisionTreeRegressor(max_depth=1).fit(hour, [3, 5, 10, 6])
    page.says(f"the cut is after hour 2, and the stump predicts {stump.predict([[2]])[0]:g}.")
    four, five = np.array([2, 8, 5, 4]), np.array([2, 8, 5, 4, 1])
    page.says(f"The predictions are 2, 8, 5 and 4 with mean {four.mean():g}.")
    page.says(f"Bias² is $0.75^2 = {(four.mean() - 4) ** 2:g}$, the variance is")
    page.says(f"0.75^2) / 4 = {four.var():g}$. Together {np.mean((four - 4) ** 2):g}, and indeed")
    assert five.mean() == 4
    page.says(f"(4 + 16 + 1 + 0 + 9) / 5 = {np.mean((five - 4) ** 2):g}$: all of it is variance")


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
        f"a grown tree errs by {tree:.2f}, of which {scatter:.2f} is variance and {left:.2f} the "
        "rest; a straight line by {:.2f}, {:.2f} and {:.2f}.".format(*line)
    )
    page.says("Dealt anew four times, the rests of the two are never more than 0.02 apart")
    page.says(
        f"with the most alcohol ({thirds[2]:.2f}) than among the third with the least "
        f"({thirds[0]:.2f})."
    )
    page.says(
        f"the average of 12 trees on 200 rows each, {left:.2f}, beats one grown tree on all 2400 "
        f"rows, {alone[0]:.2f}"
    )
    page.says(
        f"that one tree would seem to err by {alone[1]:.2f} only, for it has met every fifth test "
        "wine before."
    )
