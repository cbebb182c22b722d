"""The table behind the answers to three open exercises: all runs are there, and some come again."""

import pandas as pd
import pytest
from replicated import FOLDER, load_script

open_answers = load_script("open_answers")
TABLE = pd.read_csv(FOLDER / "open_answers.csv")
RUNS = {name: runs for name, (_, runs) in open_answers.EXPERIMENTS.items()}
# Wind 13 has poor forecasts, so that all three distances are tried. All others come again in
# `make test-all`.
SHORT = [("adaboost-7", 7), ("reluctant-6", 3), ("wind-6", 13)]
OTHERS = [(n, run) for n, runs in RUNS.items() for run in range(runs) if (n, run) not in SHORT]


def test_every_run_is_there_once():
    assert not TABLE.duplicated(["exercise", "run", "what"]).any()
    assert TABLE.groupby("exercise")["run"].nunique().to_dict() == RUNS


@pytest.mark.parametrize(
    ("exercise", "run"), [*SHORT, *(pytest.param(*job, marks=pytest.mark.whole) for job in OTHERS)]
)
def test_a_run_comes_again(exercise, run):
    committed = TABLE.query("exercise == @exercise and run == @run").set_index("what")["value"]
    again = open_answers.one_run(exercise, run).set_index("what")["value"]
    assert list(again.index) == list(committed.index)
    is_text = again.index.str.startswith("names")
    assert list(again[is_text]) == list(committed[is_text])
    numbers = (values[~is_text].astype(float) for values in (again, committed))
    pd.testing.assert_series_equal(*numbers, rtol=0, atol=1e-6)
