"""A window along the target: every number against forests on the rows of that window."""

from types import SimpleNamespace

import numpy as np
import pytest
from readers import number, presses, verdicts

from treelab import RandomForestRegressor
from treelab.datasets import make_masked_sine
from treelab.fast.importance import mean_decrease_impurity

PAGE, KIND = "notebooks/17_local_importance.html", "places"
STEPS = "250"  # states that differ are fewer
NAMES = ["x1", "x2", "noise 1", "noise 2", "noise 3", "noise 4"]
N, WIDE = 8000, 800


def shares(X, rows, y):
    forest = RandomForestRegressor(
        20, max_depth=10, max_features=1 / 3, min_samples_leaf=20, random_state=0
    )
    return mean_decrease_impurity(forest.fit(X[rows], y))


def along(X, order, ranked):
    """The shares in 19 windows of a tenth of the rows, half a window apart."""
    starts = range(0, N - WIDE + 1, WIDE // 2)
    return np.array([shares(X, order[s : s + WIDE], ranked[s : s + WIDE]) for s in starts])


@pytest.fixture(scope="module")
def study():
    """The shares with y and with y shuffled, and the best of nine other shuffles."""
    X, y = make_masked_sine(N, n_noise=4, random_state=0)
    ranked, rng = np.sort(y), np.random.default_rng(0)
    orders = [np.argsort(y), *(rng.permutation(N) for _ in range(10))]
    runs = [along(X, order, ranked) for order in orders]
    return SimpleNamespace(
        X=X,
        ranked=ranked,
        runs=runs[:2],
        best=np.max(runs[2:], axis=(0, 2)),
        wholes=[shares(X, order, ranked) for order in orders[:2]],
    )


def state_of(record):
    state = record["state"]
    return state["place"], state["shuffled"], state["guess"]


def shown(values):
    return [f"{value:.3f}" for value in values]


def test_the_forests_see_the_rows_of_their_window_only(study):
    """Rows of the lowest tenth have y below all others, and x1 near 0."""
    _, y = make_masked_sine(N, n_noise=4, random_state=0)
    lowest = np.flatnonzero(y <= np.quantile(y, 0.1))
    assert len(lowest) == WIDE
    order = lowest[np.argsort(y[lowest])]
    assert np.allclose(shares(study.X, order, y[order]), study.runs[0][0])


def test_every_number_is_that_of_the_forests(explored, study):
    assert len({str(record["state"]) for record in explored["records"]}) >= 120
    for record in explored["records"]:
        place, shuffled, guess = state_of(record)
        start, told = WIDE // 2 * place, guess is not None
        assert told or not shuffled
        assert record["sliders"] == {"place": [place, f"{5 * place} to {5 * place + 10}%"]}
        assert ("Shuffle y" in record["pressed"]) == bool(shuffled)

        here, line = study.runs[shuffled][place], study.best[place]
        ends = study.ranked[[start, start + WIDE - 1]]
        y = " to ".join(f"{end:.1f}".replace("-", "−") for end in ends)
        values = record["values"]
        assert values["y"] == y
        assert values["share"] == (f"{here[1]:.3f}" if told else "?")
        assert values["line"] == (f"{line:.3f}" if told else "?")

        said = record["sentence"]
        text = f"Rows {start + 1} to {start + WIDE} of 8000 in order of y; y goes from {y}. "
        assert said.startswith(text)
        if not told:
            assert said.endswith("A guess, or Skip, shows what a forest on these rows says.")
            continue
        best = NAMES[here.argmax()]
        above = ", ".join(name for name, share in zip(NAMES, here, strict=True) if share > line)
        assert said.endswith(f" Above that: {above or 'none'}.")
        assert (f"Best: {best}, {here.max():.3f}. " in said) == (not shuffled)
        assert (f"nothing matters. Yet {best} is best, with {here.max():.3f}; " in said) == shuffled
        assert f"{line:.3f}" in said


def test_bars_say_the_shares_here_and_on_all_rows(explored, study):
    for record in explored["records"]:
        place, shuffled, guess = state_of(record)
        _, bars, curves = record["pictures"]
        here = ["?"] * 6 if guess is None else shown(study.runs[shuffled][place])
        rows = zip(NAMES, here, shown(study.wholes[shuffled]), strict=True)
        assert bars[6:] == [word for row in rows for word in row]
        assert bars[3:6] == ["share (dotted: best of chance)", "here", "all rows"]
        assert ("best noise" in curves) == (guess is not None)


def test_verdict_tells_where_x2_gets_most(explored, study):
    first, last = study.runs[0][[0, -1], 1]
    thirds = [study.runs[0][:7, 1], study.runs[0][7:12, 1], study.runs[0][12:, 1]]
    assert [third.max() for third in thirds] == sorted((t.max() for t in thirds), reverse=True)
    assert first > study.best[0]
    for guess, verdict in verdicts(explored["records"]):
        reply = "No" if guess else "Yes"
        assert verdict.startswith(
            f"{reply}: x2 gets {first:.2f} in the lowest tenth, above chance "
        )
        assert verdict.endswith(f"; {last:.2f} in the highest.")


def test_x2_beats_the_best_of_chance_with_so_many_seeds(explored):
    verdict = next(r["verdict"] for r in explored["records"] if r["verdict"])
    beaten = 0
    for seed in range(6):
        X, y = make_masked_sine(N, n_noise=4, random_state=seed)
        ranked, rng = np.sort(y)[:WIDE], np.random.default_rng(seed)
        chance = [shares(X, rng.permutation(N)[:WIDE], ranked).max() for _ in range(9)]
        beaten += shares(X, np.argsort(y)[:WIDE], ranked)[1] > max(chance)
    assert number(verdict.split("with ")[1]) == beaten
    assert f"with {beaten} of 6 seeds" in verdict


def test_y_is_shuffled_after_a_guess_only(explored):
    turned = 0
    for before, record in presses(explored["records"], "Shuffle y"):
        place, shuffled, guess = state_of(before)
        assert state_of(record) == (place, shuffled ^ (guess is not None), guess)
        turned += guess is not None
    assert turned > 2
