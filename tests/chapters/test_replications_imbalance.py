"""The long comparison of chapter 6 on rare classes: its first split again, exactly."""

import pandas as pd
import pytest
from replicated import FOLDER, load_script


@pytest.mark.parametrize("name", ["sick", "good wine"])
def test_the_first_split_again(name):
    committed = pd.read_csv(FOLDER / "class_imbalance.csv")
    assert len(committed) == 4 * 20 * 5 * 2
    first = committed[(committed["set"] == name) & (committed["split"] == 0)]
    again = load_script("class_imbalance").compared(name, splits=1)
    pd.testing.assert_frame_equal(first.reset_index(drop=True), again, atol=1e-9, rtol=0)


def test_what_the_ways_train_on():
    script = load_script("class_imbalance")
    X, y = script.data_sets()["bad loan"]
    rng = script.np.random.default_rng(0)
    few, classes = script.undersampled(X, y, rng)
    assert (len(few), classes.sum()) == (600, 300)
    many, classes = script.oversampled(X, y, rng)
    assert (len(many), classes.sum()) == (1400, 700)
    rare = {tuple(row) for row in X[y == 1]}
    assert all(tuple(row) in rare for row in many[1000:])
    made, classes = script.smote(X, y, rng)
    assert (len(made), classes.sum()) == (1400, 700)
    assert (made[1000:].min(axis=0) >= X[y == 1].min(axis=0) - 1e-9).all()
    assert (made[1000:].max(axis=0) <= X[y == 1].max(axis=0) + 1e-9).all()
