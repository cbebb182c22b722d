"""The tables of boosting that chooses columns of drawn wind farms: a part of them again."""

import numpy as np
import pandas as pd
from replicated import FOLDER, load_script

eliminates, search = load_script("boosting_eliminates"), load_script("search_after_choice")
SETS = pd.read_csv(FOLDER / "boosting_eliminates.csv").fillna({"columns": ""})
GRID = pd.read_csv(FOLDER / "search_after_choice.csv")


def test_every_set_is_there_once_with_its_columns():
    assert not SETS.duplicated(["farm", "way", "rule", "model"]).any()
    assert set(SETS["farm"]) == set(eliminates.FARMS)
    chosen = SETS[SETS["way"] != "all"]
    assert (chosen["columns"].str.split().str.len() == chosen["kept"]).all()


def test_errors_of_a_small_set_are_found_again():
    row = SETS.query("farm == 1 and way == 'RFE' and rule == 'one sd' and model == 'boosting'")
    row = row.iloc[0]
    years = eliminates.Years(1, eliminates.LENGTH)
    X = years.X[:, [int(j) for j in row["columns"].split()]]
    for name, (estimator, _) in eliminates.MODELS.items():
        assert np.isclose(years.errors(estimator, X)[1], row[name], atol=1e-6)


def test_sizes_of_the_blocks_are_those_of_the_source():
    """Blocks of 54 of 1 080 columns, halved: 1080, 540, 270, 135 and 68, as in table 4.3.10."""
    kept = SETS[SETS["way"] == "SRFE"].groupby(["farm", "model"])["kept"].agg(set)
    assert len(kept) == 10
    assert set().union(*kept) <= {1080, 540, 270, 135, 68}


def test_each_search_has_32_settings_of_which_24_differ():
    names = ["max_depth", "max_features", "min_samples_split", "min_samples_leaf", "n_estimators"]
    for _, part in GRID.groupby(["farm", "model", "way"]):
        assert len(part) == len(part[names].drop_duplicates()) == 32
        assert len(part[["validation", "test"]].drop_duplicates()) <= 24
    fits = {name: sum(times for _, times in search.settings(name)) for name in search.MODELS}
    assert fits == {"boosting": 16, "forest": 16}
