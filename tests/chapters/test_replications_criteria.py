"""The table of `notebooks/replications/criteria.csv`: its script makes a part of it again."""

import pandas as pd
import pytest
from replicated import FOLDER, load_script


@pytest.fixture(scope="module")
def script():
    return load_script("criteria")


@pytest.mark.parametrize("name", ["sonar", "ionosphere", "vehicle"])
@pytest.mark.parametrize("depth", [4, 0])
def test_a_part_of_the_table_is_made_again(script, name, depth):
    table = pd.read_csv(FOLDER / "criteria.csv")
    keys = ["set", "depth", "division"]
    assert len(table) == 240
    assert not table.duplicated(keys).any()
    for k in (0, 19):
        committed = table.set_index(keys).loc[(name, depth, k)]
        again = pd.Series(script.one_division(name, depth, k))[list(script.CRITERIA)]
        assert committed.to_numpy() == pytest.approx(again.to_numpy(dtype=float), abs=1e-6)
