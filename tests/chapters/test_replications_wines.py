"""The table of white wines with and without repeated rows: a part of it again."""

import pandas as pd
import pytest
from replicated import FOLDER, load_script

from treelab.datasets import fetch_wine_quality

wines = load_script("repeated_wines")
TABLE = pd.read_csv(FOLDER / "repeated_wines.csv")
KEYS = ["wines", "setting", "replicate", "method"]


def test_every_division_is_there_once():
    assert not TABLE.duplicated(KEYS).any()
    assert len(TABLE) == 2 * len(wines.SETTINGS) * wines.REPLICATES * 4


def test_no_wine_is_repeated_where_each_counts_once():
    assert fetch_wine_quality("white").frame.duplicated().sum() == 937
    assert wines.white_wines("all")[0].shape == (4898, 16)
    X, y = wines.white_wines("once")
    measured = pd.DataFrame(X[:, :11]).assign(quality=y)
    assert len(measured) == 3961
    assert not measured.duplicated().any()


@pytest.mark.parametrize("which", ["once", pytest.param("all", marks=pytest.mark.whole)])
def test_a_division_is_made_again(which):
    again = wines.rows_of(which, "updated", 3).merge(TABLE, on=KEYS, suffixes=("", "_committed"))
    assert len(again) == 4
    assert again["test"].tolist() == pytest.approx(again["test_committed"].tolist(), rel=1e-4)
