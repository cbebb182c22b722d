"""The tables that chapter 10 loads: each script gives a part of its table again."""

import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("forest_intervals", "one_set"),
        ("random_thresholds", "one_split"),
        ("once_for_a_tree", "one_set"),
    ],
)
def test_a_part_of_the_table_is_made_again(name, function):
    table = pd.read_csv(FOLDER / f"{name}.csv")
    number = table.columns[0]
    assert sorted(table[number].unique()) == list(range(20))
    again = getattr(load_script(name), function)(3)
    committed = table[table[number] == 3].reset_index(drop=True)
    pd.testing.assert_frame_equal(again, committed, rtol=0, atol=1e-6, check_dtype=False)


def test_random_thresholds_on_two_tables_again(monkeypatch):
    thresholds = load_script("random_thresholds")
    some = [table for table in thresholds.tables() if table[0] in ("diabetes", "sonar")]
    monkeypatch.setattr(thresholds, "tables", lambda: some)
    again = thresholds.one_split(3)
    table = pd.read_csv(FOLDER / "random_thresholds.csv")
    committed = table[(table["split"] == 3) & table["data"].isin(["diabetes", "sonar"])]
    assert len(committed) == 6
    pd.testing.assert_frame_equal(again, committed.reset_index(drop=True), rtol=0, atol=1e-6)


def test_candidates_for_the_digits_again():
    """Two forests of one split; how long they take is not compared."""
    script = load_script("digits_candidates")
    table = pd.read_csv(FOLDER / "digits_candidates.csv").set_index(["split", "m"])
    assert table.index.tolist() == [(k, m) for k in range(20) for m in script.CANDIDATES]
    again = script.one_split(3, candidates=(1, 8)).set_index(["split", "m"])
    measured = ["forest", "out of bag", "tree", "correlation"]
    assert again[measured].to_numpy() == pytest.approx(
        table.loc[again.index, measured].to_numpy(), abs=1e-6
    )
    assert (table.xs(64, level="m")["time"] == 1).all()


def test_both_kinds_of_candidates_again():
    """Three candidates for a node, or three columns for a tree, without the script's loop."""
    once = load_script("once_for_a_tree")
    table = pd.read_csv(FOLDER / "once_for_a_tree.csv").set_index(["set", "m"])
    (X, y), (Z, z) = (once.make_friedman1(n, random_state=k) for n, k in ((200, 3), (1000, 103)))
    forest = once.RandomForestRegressor(50, max_features=3, random_state=3).fit(X, y)
    for kind, said in {
        "every node": forest.predict(Z),
        "once for a tree": once.once_for_a_tree(X, y, Z, 3, 3),
    }.items():
        assert np.mean((said - z) ** 2) == pytest.approx(table.loc[(3, 3), kind], abs=1e-6)


def test_intervals_of_the_wave_again():
    """Of forests with leaves of 20, without the script's loop."""
    intervals = load_script("forest_intervals")
    table = pd.read_csv(FOLDER / "forest_intervals.csv").set_index(["set", "data", "leaf"])
    row = table.loc[(3, "wave", 20)]
    X, y, X_new, y_new = intervals.fan(3)
    forest = intervals.RandomForestRegressor(100, min_samples_leaf=20, random_state=3).fit(X, y)
    weight = intervals.weights(forest, X, X_new)
    spread = 1.645 * np.sqrt(forest.prediction_variance(X_new))
    ends = {
        "quantiles": [intervals.quantiles(weight, y, u) for u in (0.05, 0.95)],
        "spread": [forest.predict(X_new) - spread, forest.predict(X_new) + spread],
    }
    for way, (low, high) in ends.items():
        inside = np.mean((low <= y_new) & (y_new <= high))
        assert inside == pytest.approx(row[f"{way}, inside"], abs=1e-6)
        assert np.mean(high - low) == pytest.approx(row[f"{way}, width"], abs=1e-6)


def test_weights_and_quantiles_by_hand():
    intervals = load_script("forest_intervals")

    class Forest:
        estimators_samples_ = (np.array([0, 0, 1]), np.array([0, 2]))
        trees_ = (None, None)

        def apply(self, X):
            return np.zeros((len(X), 2), dtype=int)

    weight = intervals.weights(Forest(), np.zeros((3, 1)), np.zeros((1, 1)))
    assert weight == pytest.approx(np.array([[7 / 12, 1 / 6, 1 / 4]]))
    y = np.array([10.0, 40.0, 70.0])
    found = [intervals.quantiles(weight, y, u)[0] for u in (0.05, 0.58, 0.75, 0.76)]
    assert found == [10, 10, 40, 70]
