"""The table of what penalties do: a part of it again, and how it was made."""

import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script

from treelab.fast.selection import RegularizedForestSelector

penalties = load_script("penalties")
TABLE = pd.read_csv(FOLDER / "penalties.csv")


def test_every_repetition_is_there():
    found = TABLE.groupby(["study", "set", "method"])["repetition"].agg(["min", "max", "nunique"])
    counts = {
        "sizes": 4 * 14, "folds": 4 * 4, "noise": 3 * 8, "entries": 3, "order": 3 * 2, "xor": 5 + 1
    }  # fmt: skip
    for study, ways in counts.items():
        rows = found.loc[study]
        last = {"xor": 49, "folds": 29}.get(study, 9)
        assert len(rows) == ways
        assert (rows == [0, last, last + 1]).all(axis=None)


def same(rows):
    """Whether rows are those of the table, but for where they are left out of it."""
    for study, name, repetition, method, value, kept, noise, numbers in rows:
        key = {"study": study, "set": name, "repetition": repetition, "method": method}
        here = TABLE[(TABLE[list(key)] == pd.Series(key)).all(axis=1)]
        if study == "entries":
            here = here[here["value"] == value]
        assert len(here) == 1, key
        row = here.iloc[0]
        assert (row["kept"], row["value"]) == (kept, pytest.approx(value, abs=1e-6, nan_ok=True))
        assert pd.isna(noise) == pd.isna(row["noise"])
        assert pd.isna(noise) or noise == row["noise"]
        assert numbers == ("" if pd.isna(row["columns"]) else str(row["columns"]))


@pytest.mark.parametrize("repetition", [2, pytest.param(7, marks=pytest.mark.whole)])
def test_sizes_of_a_split_are_made_again(repetition):
    rows = list(penalties.sizes("parkinsons", repetition, (0.1, 0.5), (0.7,)))
    assert len(rows) == 4
    same(rows)


def test_a_fold_is_made_again():
    rows = list(penalties.folds("parkinsons", 13, (0.2,)))
    assert len(rows) == 2
    same(rows)


@pytest.mark.whole
def test_sizes_of_another_table_are_made_again():
    same(penalties.sizes("sonar", 4, (0.2,), (0.9,)))


@pytest.mark.parametrize(
    "ways",
    [["λ = 0.5"], pytest.param(["γ = 0.9", "λ = 0.5, leaves of 10"], marks=pytest.mark.whole)],
    ids=["penalty", "others"],
)
def test_noise_is_counted_again(ways):
    rows = list(penalties.noise("parkinsons", 3, ways))
    assert len(rows) == len(ways) + 5 * ("λ = 0.5" in ways)
    same(rows)


def test_orders_and_seeds_are_made_again():
    same(penalties.order("parkinsons", 6))


def test_xor_is_made_again():
    same(penalties.xor(11))


def test_the_entries_are_those_of_the_sets():
    """Every column that is kept has entered once."""
    entered = TABLE.query("study == 'entries'").groupby(["set", "repetition"])[["kept", "noise"]]
    noise = TABLE.query("study == 'noise' and method == 'λ = 0.5'")
    kept = noise.set_index(["set", "repetition"])[["kept", "noise"]].sort_index()
    pd.testing.assert_frame_equal(entered.sum().astype(float), kept.astype(float))


def test_another_order_has_the_same_trees_to_begin_with():
    """Each keeps its rows and its draws: with one column no tree can change another."""
    X, y = penalties.table("parkinsons")
    one, first = X[:, [0]], RegularizedForestSelector(n_estimators=9, random_state=0)
    turned = penalties.InAnotherOrder(n_estimators=9, random_state=0)
    turned.order = 5
    trees = first.fit(one, y).trees_
    again = turned.fit(one, y).trees_
    turn = np.random.default_rng(5).permutation(9)
    assert turn.tolist() != list(range(9))
    assert all(again[place].equals(trees[b]) for place, b in enumerate(turn))
    assert not all(a.equals(b) for a, b in zip(again, trees))


def test_columns_of_a_set_are_as_many_as_it_keeps():
    rows = TABLE[TABLE["study"].isin(["sizes", "order"])]
    assert (rows["columns"].astype(str).str.split().str.len() == rows["kept"]).all()
