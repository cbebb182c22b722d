"""The table of what the replication of local importance leaves out: a part of it again."""

import numpy as np
import pandas as pd
import pytest
from replicated import FOLDER, load_script

script = load_script("local_gaps")
TABLE = pd.read_csv(FOLDER / "local_gaps.csv")
KEYS = ["study", "setting", "replicate", "method"]


def test_every_job_is_there_once():
    assert not TABLE.duplicated(KEYS).any()
    planned = {(study.__name__, *rest) for study, *rest in script.jobs()}
    assert set(TABLE[KEYS[:3]].itertuples(index=False, name=None)) == planned


@pytest.mark.parametrize("replicate", [0, 7, 49])
def test_ranks_of_the_ozone_are_found_again(replicate):
    again = script.settings.rows_of(script.ozone, "ozone", replicate)
    old = TABLE[(TABLE["study"] == "ozone") & (TABLE["replicate"] == replicate)]
    assert again["found"].tolist() == old["found"].tolist()
    assert sorted(again["found"].item().split(), key=int) == [str(k) for k in range(1, 13)]


def test_errors_on_the_kept_columns_are_found_again():
    """The forest of the kept columns, from what the bins chose."""
    setting, replicate = "products, noise 1, 10 columns", 1
    rows = TABLE[(TABLE["setting"] == setting) & (TABLE["replicate"] == replicate)]
    rows = rows.set_index("method")
    chosen = np.array([[digit == "1" for digit in b] for b in rows.loc["mdi", "found"].split()])
    levels = np.split(chosen, [1, 3])
    kept = np.mean([level.mean(axis=0) for level in levels], axis=0) > 0.2
    X, y, _ = script.settings.data(setting, replicate, 4000)
    train, test = script.settings.parts(y, replicate)
    for method, columns in (("all", slice(None)), ("kept", kept)):
        model = script.settings.forest(100, replicate).fit(X[train][:, columns], y[train])
        error = script.settings.error(model.predict(X[test][:, columns]), y[test])
        assert error == pytest.approx(rows.loc[method, "test"], rel=1e-4)
