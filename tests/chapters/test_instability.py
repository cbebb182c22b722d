"""Facts of chapter 6: the answers to its exercises."""

import numpy as np
from sklearn.linear_model import LinearRegression

from treelab import DecisionTreeRegressor
from treelab.datasets import fetch_wine_quality


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
