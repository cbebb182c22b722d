"""Facts of the page on linear models, each by another way than the page takes."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import t
from sklearn.datasets import load_diabetes
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression

from treelab.figures.linear_models import ridge_and_lasso

DAYS = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]]) / 2
BOXES = np.array([1, 2, 7, 10])


@pytest.fixture(scope="module")
def patients():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    return (X - X.mean()) / X.std(ddof=0), y


def test_four_days(page):
    heat, weekend = (BOXES[x > 0].mean() - BOXES[x < 0].mean() for x in DAYS.T)
    page.says(
        f"A hot day sells {heat:.0f} boxes more than a cool one, "
        f"a day of the weekend {weekend:.0f} more"
    )
    rss = ((BOXES - LinearRegression().fit(DAYS, BOXES).predict(DAYS)) ** 2).sum()
    page.says(f"and an RSS of {rss:.0f} remains")
    p = [2 * t.sf(value, 1) for value in (heat, weekend)]
    page.says(f"$t$ is {heat:.0f} for the heat and {weekend:.0f} for the weekend. With a single")
    page.says(f"$p = {p[0]:.2f}$ and $p = {p[1]:.2f}$, so not even seven standard errors")
    assert p[0] > 0.05


@pytest.mark.parametrize(("delta", "kept"), [(4, [5, 0]), (5, [4.5, 0]), (14, [0, 0])])
def test_the_lasso_minimizes_its_sum(delta, kept):
    def penalized(b):
        return ((BOXES - 5 - DAYS @ b) ** 2).sum() + delta * np.abs(b).sum()

    found = minimize(penalized, [1, 1], method="Nelder-Mead", options={"xatol": 1e-7}).x
    assert found == pytest.approx(kept, abs=1e-4)


def test_half_of_the_budget(page):
    page.says("$t = (7 + 2)/2 = 4.5$, we are in the row with $\\delta = 5$. The heat has lost 36 %")
    assert 1 - 4.5 / 7 == pytest.approx(0.36, abs=0.005)


def test_paths_end_at_zero_and_at_least_squares(page, patients):
    X, y = patients
    page.says(f"with ten standardized features of {len(X)} patients")
    whole = dict(zip(X, LinearRegression().fit(X, y).coef_))
    (ridge_shares, ridge), (lasso_shares, lasso) = ridge_and_lasso(X, y)
    for shares, coefs in ((ridge_shares, ridge), (lasso_shares, lasso)):
        assert np.abs(coefs[:, 0]).max() < 0.1
        assert coefs[:, -1] == pytest.approx(list(whole.values()), abs=0.3)
        left = coefs[[list(X).index(name) for name in ("s1", "s2")]][:, shares < 0.4]
        assert np.abs(left).max() < 3
    assert np.all(left == 0)  # of the lasso
    assert np.all(ridge[:, :-1] != 0)
    said = page.caption("lin-paths")
    said.says(
        "s5 is at {s5:.0f}, bmi at {bmi:.0f}, s2 at {s2:.0f} and s1 at minus {s1:.0f}".format(
            **{**whole, "s1": -whole["s1"]}
        )
    )


def test_a_block_of_four(page, patients):
    X, y = patients
    alone = page.table("lin-fit")["p"]
    page.says("None of the four has a p-value below 0.05, but")
    assert len(alone) == 4
    assert alone.min() > 0.05
    page.says(
        f"The correlation of s1 and s2 is {np.corrcoef(X['s1'], X['s2'])[0, 1]:.2f}, so that each"
    )
    rest = X.drop(columns=["s1", "s2", "s3", "s4"])
    rss = [((y - LinearRegression().fit(Z, y).predict(Z)) ** 2).sum() for Z in (rest, X)]
    F = (rss[0] - rss[1]) / 4 / (rss[1] / (len(y) - 11))
    assert f"F = {F:.3f}" in page.output("lin-block")


def test_shares_of_components(page, patients):
    X, _ = patients
    r = np.corrcoef(X["s1"], X["s2"])[0, 1]
    page.says(
        f"that makes {1 + r:.2f} and {1 - r:.2f}, so the first component has {50 * (1 + r):.0f} %"
    )
    shares = np.linalg.eigvalsh(np.corrcoef(X.T))[::-1].cumsum() / 10
    page.says(f"Seven components have {100 * shares[6]:.0f} % of the variance of all ten")
    assert page.table("lin-explained").iloc[0].tolist() == pytest.approx(shares, abs=5e-4)


def test_the_discriminant_is_that_of_scikit_learn(page):
    names = page.run("lin-imports", "lin-lda")
    ours = names["discriminant"]
    given = LinearDiscriminantAnalysis().fit(names["points"], names["label"]).coef_[0]
    cosine = ours @ given / np.linalg.norm(ours) / np.linalg.norm(given)
    assert abs(cosine) == pytest.approx(1)
    page.says("The separation is largest at $a = S^{-1}(\\bar x_1 - \\bar x_2)$")
    turned = [np.array([np.cos(a), np.sin(a)]) for a in np.linspace(0, np.pi, 181)]
    gap = names["first"].mean(axis=0) - names["second"].mean(axis=0)

    def separation(a):
        return abs(a @ gap) / np.sqrt(a @ names["S"] @ a)

    assert max(map(separation, turned)) <= separation(ours) + 1e-12


def test_near_and_far(page):
    shown = [float(line.split()[-1]) for line in page.output("lin-curse").splitlines()]
    assert shown == sorted(shown)
    assert shown[-1] >= 0.95
    page.says(
        "With a thousand features the nearest point is nearly as far away as the average point"
    )
