"""The table of the page that compares four ensembles: a part of it again, and scikit-learn's."""

import numpy as np
import pandas as pd
import pytest
from built_book import assert_none
from replicated import FOLDER, load_script
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier

four_ensembles = load_script("four_ensembles")
TABLE = pd.read_csv(FOLDER / "four_ensembles.csv")


def test_every_split_of_every_set_is_there():
    found = TABLE.groupby(["set", "noise", "how"])["split"].agg(["min", "max", "nunique"])
    assert len(found) == 12 * 2 + 6 + 4
    for (_, noise, how), row in found.iterrows():
        assert noise == 0 or how == "default"
        assert row.tolist() == ([0, 9, 10] if noise or how == "tuned" else [0, 19, 20])
    assert TABLE.groupby(["set", "split", "noise", "how"]).size().isin([5, 7]).all()


@pytest.mark.parametrize(
    ("name", "k"),
    [pytest.param("sonar", 1, marks=pytest.mark.whole), ("ionosphere", 11), ("ozone", 1)],
)
def test_a_part_of_the_table_is_made_again(name, k):
    again = four_ensembles.one_set(name, k)
    committed = TABLE.query("split == @k and set == @name").reset_index(drop=True)
    pd.testing.assert_frame_equal(again, committed, rtol=0, atol=1e-6, check_dtype=False)


def test_errors_under_noise_are_made_again():
    again = [row[7] for row in four_ensembles.defaults("ionosphere", 2, noise=0.2)]
    committed = TABLE.query("split == 2 and set == 'ionosphere' and noise == 0.2")["error"]
    assert again == pytest.approx(committed.tolist(), abs=1e-6)


def test_a_third_is_tested_and_nothing_is_missing():
    def problems(name):
        X, y, Z, z = four_ensembles.split(name, 1)
        if not len(y) == len(X) == round((len(y) + len(z)) * 2 / 3):
            yield f"{len(X)} rows to train, {len(y)} targets, {len(z)} to test"
        if len(y) + len(z) > 600:
            yield f"{len(y) + len(z)} rows"
        if not np.isfinite(X).all() or not np.isfinite(Z).all():
            yield "something is missing"
        if name in four_ensembles.CLASSES and not set(z) <= set(y) == set(range(y.max() + 1)):
            yield f"classes {set(y)}, and {set(z)} to test"

    assert_none(problems, [*four_ensembles.CLASSES, *four_ensembles.NUMBERS])


def test_a_fifth_of_the_labels_becomes_another_class():
    y = np.tile(np.arange(4), 5000)
    noisy = four_ensembles.flipped(y, 0.2, 1)
    assert 0.19 < np.mean(noisy != y) < 0.21
    wrong = pd.crosstab(y[noisy != y], noisy[noisy != y], normalize="index").to_numpy()
    assert wrong[~np.eye(4, dtype=bool)] == pytest.approx(1 / 3, abs=0.04)


REFERENCES = {
    "tree": DecisionTreeClassifier,
    "bagging": lambda random_state: BaggingClassifier(
        DecisionTreeClassifier(), 100, random_state=random_state
    ),
    "forest": RandomForestClassifier,
    "AdaBoost": lambda random_state: AdaBoostClassifier(
        n_estimators=100, random_state=random_state
    ),
    "boosting": GradientBoostingClassifier,
}


@pytest.mark.parametrize("method", REFERENCES)
def test_errors_are_those_of_scikit_learn(method):
    """A split of two sets, 259 test rows: the same trees but for ties, or other samples."""
    usual = "how == 'default' and noise == 0 and members <= 100 and method == @method"
    ours = TABLE.query(usual).set_index(["set", "split"])["error"]
    off = []
    for name, k in (("sonar", 0), ("tumors", 1)):
        X, y, Z, z = four_ensembles.split(name, k)
        said = REFERENCES[method](random_state=k).fit(X, y).predict(Z)
        off.append(abs(np.mean(said != z) - ours[name, k]) * len(z))  # test rows
    assert max(off) <= {"AdaBoost": 0.1, "boosting": 3}.get(method, 9)


def test_the_boosted_numbers_are_those_of_scikit_learn():
    ours = TABLE.query("method == 'boosting' and members == 100 and split == 1").set_index("set")
    for name in four_ensembles.NUMBERS:
        X, y, Z, z = four_ensembles.split(name, 1)
        said = GradientBoostingRegressor(random_state=1).fit(X, y).predict(Z)
        assert np.sqrt(np.mean((said - z) ** 2)) == pytest.approx(ours.loc[name, "error"], rel=0.03)


def test_nodes_and_questions_of_a_small_model():
    X, y = np.arange(8.0)[:, None], np.array([0, 0, 0, 0, 0, 0, 1, 0])
    tree = four_ensembles.model("tree", 1, 0).fit(X, y)  # cuts at 5.5, then at 6.5
    assert four_ensembles.size(tree) == (5, pytest.approx(1 + 2 / 8))
    boosted = four_ensembles.model("boosting", 1, 0, rounds=30).fit(X, y)
    assert four_ensembles.size(boosted, 10) == (30, 10)
