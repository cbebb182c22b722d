"""The plain Boruta beside the fast one, on the same shadows and the same forests."""

import warnings

import numpy as np
import pytest
from test_plain_ensembles import CLASSES, NUMBERS, forest_of, table

import treelab
from treelab.boruta import boruta, tail, with_shadows
from treelab.fast.selection import Boruta
from treelab.fast.selection.boruta import decisions
from treelab.fast.selection.model_based import HIGHEST_SEED, draw_seed, seeded
from treelab.importance import mean_decrease_impurity


@pytest.mark.parametrize("p", [3, 6])
@pytest.mark.parametrize("kind", [CLASSES, NUMBERS])
def test_run_by_run(kind, p):
    """The same hits and the same states, from the same importances."""
    name, _, plain, _ = kind
    X, y, _ = table(1, "numbers" if name == "Regressor" else "two classes", n=24, p=p)
    forest = getattr(treelab, f"RandomForest{name}")(6, max_depth=2, max_features=2)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "After max_runs")
        fast = Boruta(forest, two_step=False, alpha=0.2, max_runs=9, random_state=4).fit(X, y)
    seed, runs = draw_seed(np.random.RandomState(4)), []

    def wins(left):
        generator = np.random.default_rng([seed, len(runs) + 1])
        rows = with_shadows(X.tolist(), left, lambda n: generator.permutation(n).tolist())
        drawn = seeded(forest, int(generator.integers(HIGHEST_SEED))).random_state
        drawn = np.random.RandomState(drawn).randint(2**31 - 1)
        trees, _ = forest_of(drawn, 6, np.array(rows), y, 2, max_depth=2, **plain)
        found = mean_decrease_impurity(trees, len(rows[0]), by_tree=True)
        expected = fast.importance_history_[len(runs)]
        np.testing.assert_allclose(found[: len(left)], expected[left])
        assert np.isnan(expected).sum() == p - len(left)
        runs.append(left)
        return [importance > max(found[len(left) :]) for importance in found[: len(left)]]

    def decide(hits, run):
        return (tail(hits, run) <= 0.2 / p) - (tail(run - hits, run) <= 0.2 / p)

    states, hits = boruta(p, wins, decide, max_runs=9)
    names = {1: "confirmed", 0: "tentative", -1: "rejected"}
    assert [names[state] for state in states] == fast.states_.tolist()
    assert len(runs) == fast.n_runs_ == 9
    last = fast.hits_table().drop_duplicates("feature", keep="last").sort_values("feature")
    assert last["hits"].tolist() == hits
    assert "rejected" in fast.states_


def test_it_ends_when_all_is_decided():
    """Three columns; the first wins each run, the second none, the third every other one."""
    asked = []

    def wins(left):
        asked.append(left)
        return [{0: True, 1: False, 2: len(asked) % 2 == 0}[j] for j in left]

    states, hits = boruta(3, wins, lambda hits, run: (hits > 3) - (hits < run - 4))
    assert (states, hits) == ([1, -1, 1], [8, 0, 4])
    assert asked == [[0, 1, 2]] * 5 + [[0, 2]] * 3
    assert boruta(3, wins, lambda hits, run: 0, max_runs=2)[0] == [0, 0, 0]


def test_the_tails_of_a_coin():
    found = decisions(range(13), 12, 1, two_step=False)
    np.testing.assert_allclose([tail(k, 12) for k in range(13)], found["p_confirm"])
    assert (tail(9, 9), tail(0, 9)) == (1 / 512, 1)


@pytest.mark.parametrize(("k", "shadows"), [(1, 8), (2, 8), (3, 6), (4, 8), (5, 5), (9, 9)])
def test_shadows_are_five_or_more(k, shadows):
    rows = with_shadows([list(range(k)), list(range(k, 2 * k))], list(range(k)), lambda n: [1, 0])
    assert len(rows[0]) == k + shadows
    assert rows[0][k:] == list(range(k, 2 * k)) * (shadows // k)
