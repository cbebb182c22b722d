"""The table behind chapter 14: a part of it again, and what its columns are."""

import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script
from sklearn.feature_selection import f_classif
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

chosen_columns = load_script("chosen_columns")
TABLE = pd.read_csv(FOLDER / "chosen_columns.csv")


def test_every_repetition_is_there():
    found = TABLE.groupby(["study", "set", "method"])["repetition"].agg(["min", "max", "nunique"])
    assert len(found.loc["accuracy"]) == 8
    assert len(found.loc["passes"]) == 2
    assert (found.loc["passes"] == [0, 19, 20]).all(axis=None)
    assert (found.loc["accuracy"] == [0, 19, 20]).all(axis=None)
    assert len(found.loc["returns"]) == len(found.loc["family"]) == 3
    assert (found.loc["returns"] == [0, 49, 50]).all(axis=None)


def test_accuracies_of_a_split_are_made_again():
    X, y = chosen_columns.table("madelon")
    names = ["filter, best 10", "FCBF", "PCA, scaled columns", "PCA, raw columns", "10 real, drawn"]
    rows = list(chosen_columns.accuracies(7, X, y, only=names))
    again = {row[3]: row[4:] for row in rows}
    committed = TABLE.query("study == 'accuracy' and repetition == 7").set_index("method")
    for name in names:
        expected = committed.loc[name, ["value", "kept", "real"]].tolist()
        assert list(map(float, again[name])) == pytest.approx(expected, abs=1e-6)
    passes = TABLE.query("study == 'passes' and repetition == 7").set_index("method")["value"]
    assert {name: again[name][0] for name in passes.index} == passes.to_dict()
    kept = committed.loc["FCBF", "real"]
    assert passes.sum() + kept == 20


def test_the_accuracy_of_the_real_columns_without_a_pipeline():
    X, y = chosen_columns.table("madelon")
    real = chosen_columns.real_columns(X)
    assert real.sum() == 20
    train, test = np.split(np.random.default_rng(3).permutation(2000), 2)
    scale = StandardScaler().fit(X.loc[train, real])
    model = KNeighborsClassifier(10).fit(scale.transform(X.loc[train, real]), y[train])
    again = np.mean(model.predict(scale.transform(X.loc[test, real])) == y[test])
    committed = TABLE.query("method == 'the real 20' and repetition == 3")["value"].item()
    assert again == pytest.approx(committed, abs=1e-6)


@pytest.mark.parametrize("name", ["madelon", "arrhythmia"])
def test_the_ten_best_are_those_of_f(name):
    X, y = chosen_columns.table(name)
    X = X.to_numpy()
    with np.errstate(all="ignore"):
        F = f_classif(X[:, np.ptp(X, axis=0) > 0], y)[0]
    columns = np.flatnonzero(np.ptp(X, axis=0) > 0)
    assert set(columns[np.argsort(-F, kind="stable")[:10]]) == chosen_columns.best_ten(X, y)


@pytest.mark.parametrize("name", ["madelon", "arrhythmia"])
def test_the_least_correlation_among_the_ten(name):
    X, y = chosen_columns.table(name)
    ten = X.iloc[:, sorted(chosen_columns.best_ten(X.to_numpy(), y))]
    least = ten.corr().abs().min().min()
    committed = TABLE.query("study == 'family' and set == @name")["value"].item()
    assert committed == pytest.approx(least, abs=1e-6)


@pytest.mark.parametrize(("name", "some"), [("madelon", [0, 49]), ("arrhythmia", range(5))])
def test_what_comes_back_is_counted_again(name, some):
    again = [row[4] for row in chosen_columns.returns(name, some)]
    kept = TABLE.query("study == 'returns' and set == @name").set_index("repetition")["value"]
    assert again == kept.loc[list(some)].tolist()
