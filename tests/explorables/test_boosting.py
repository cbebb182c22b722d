"""Rounds and learning rate: every number against a model fitted anew."""

import re

import numpy as np
import pytest
from readers import number

from treelab import GradientBoostingRegressor

PAGE, KIND = "notebooks/12_gradient_boosting.html", "boosting"
RATES = (0.1, 0.2, 0.4, 0.8)


def waves(n, seed):
    """The chapter's slow sine whose noise grows to the right."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 10, n)
    return x[:, None], 3 * np.sin(x) + rng.normal(size=n) * (0.3 + 0.2 * x)


@pytest.fixture(scope="module")
def fits():
    """Of each rate the predictions after each round, for the sixty points and for new ones."""
    X, y = waves(60, 1)
    Z, _ = waves(1000, 1001)
    found = []
    for nu in RATES:
        model = GradientBoostingRegressor(learning_rate=nu, n_estimators=120, max_depth=2)
        model.fit(X, y)
        found.append(
            [np.stack([np.full(len(A), y.mean()), *model.staged_predict(A)]) for A in (X, Z)]
        )
    return found


def test_every_number_is_that_of_the_model(explored, fits):
    (x, y), y_new = waves(60, 1), waves(1000, 1001)[1]
    order = np.argsort(x[:, 0])
    x, y, fits = x[order, 0], y[order], [(few[:, order], new) for few, new in fits]
    seen = {str(record["state"]) for record in explored["records"]}
    assert len(seen) > 100
    for record in explored["records"]:
        state, values = record["state"], record["values"]
        b, k, i = state["rounds"], state["rate"], state["point"]
        of_points, of_new = fits[k]
        assert b <= (120 if state["guess"] is not None else 6)
        at, place = record["sliders"]["point"]
        assert at == i
        assert number(place) == pytest.approx(x[i], abs=0.0051)
        assert record["sliders"]["rounds"] == [b, str(b)]
        assert record["sliders"]["rate"] == [k, str(RATES[k])]
        train, test = np.mean((y - of_points[b]) ** 2), np.mean((y_new - of_new[b]) ** 2)
        assert number(values["train"]) == pytest.approx(train, abs=6e-4)
        assert number(values["test"]) == pytest.approx(test, abs=6e-4)
        assert number(values["target"]) == pytest.approx(y[i], abs=6e-3)
        start, rest = values["sum"].split(" + ")
        steps, score = rest.split(" × ")[1].split(" = ")
        assert rest.startswith(f"{RATES[k]} × ")
        assert number(start) == pytest.approx(y.mean(), abs=6e-3)
        assert number(score) == pytest.approx(of_points[b, i], abs=6e-3)
        assert number(steps) == pytest.approx((of_points[b, i] - y.mean()) / RATES[k], abs=6e-3)
        assert number(values["left"]) == pytest.approx(y[i] - of_points[b, i], abs=1.01e-2)
        here = number(values["target"]) - number(score)  # what a reader works out
        assert number(values["left"]) == pytest.approx(here, abs=1e-9)
        best = int(np.argmin(np.mean((y_new - of_new) ** 2, axis=1)))
        words = f"{b} rounds at rate {RATES[k]}. "
        if state["guess"] in (0, 1, 2):
            said = [float(n) for n in re.findall(r"[\d.]+\d", record["verdict"])]
            slow = np.mean((y_new - fits[0][1]) ** 2, axis=1)
            least = int(slow.argmin())
            shown = [slow[6], slow[least], least, slow[-1], 120]
            assert said == pytest.approx(shown, abs=0.00501)
            assert record["verdict"].startswith("Yes" if state["guess"] == 1 else "No")
        else:
            assert record["verdict"] == ""
        if state["guess"] is None:
            assert values["best"] == "?"
            assert record["sentence"] == words + (
                "What will the held-out error do? A guess, or Skip, unlocks the rounds."
            )
        else:
            assert values["best"] == f"round {best}"
            place = f"you are {abs(b - best)} {'before' if b < best else 'past'} it."
            assert record["sentence"] == (
                words + f"At this rate the held-out error is smallest after {best}: "
                f"{place if b != best else 'you are there.'} The training error never rises."
            )


def test_the_training_error_never_rises(fits):
    y = waves(60, 1)[1]
    for of_points, _ in fits:
        assert (np.diff(np.mean((y - of_points) ** 2, axis=1)) <= 1e-12).all()


def test_half_the_rate_needs_about_twice_the_rounds(fits):
    y = waves(1000, 1001)[1]
    best = [int(np.argmin(np.mean((y - of_new) ** 2, axis=1))) for _, of_new in fits]
    assert best == [37, 19, 11, 5]
