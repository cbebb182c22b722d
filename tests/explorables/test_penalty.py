"""Features that enter tree by tree: every number against regularized forests of so many trees."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from readers import number, presses, verdicts

from treelab import RandomForestClassifier
from treelab.datasets import fetch_bike_sharing
from treelab.fast.selection import RegularizedForestSelector

PAGE, KIND = "notebooks/16_reluctant_trees.html", "penalty"
STEPS = "260"  # states that differ are fewer
PENALTIES = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1]
HEADS = ["gain", "× λ", "rival", "its name", "rows"]


@pytest.fixture(scope="module")
def study():
    """Forests for each penalty, and the error of an ordinary one on what they let in."""
    X, y = fetch_bike_sharing("day", return_X_y=True)
    rng = np.random.default_rng(0)
    noise = pd.DataFrame(rng.normal(size=(len(X), 5)), columns=[f"noise {j}" for j in range(1, 6)])
    X, order = X.drop(columns=["holiday", "workingday"]).join(noise), rng.permutation(len(X))
    y, names = np.where(y > 4500, "busy", "calm"), list(X)
    old, new, errors = order[:365], order[365:], {}

    def grow(penalty, trees=20, seed=0):
        forest = RegularizedForestSelector(penalty, trees, random_state=seed)
        return forest.fit(X.iloc[old], y[old])

    def error(some):
        some = tuple(name for name in names if name in some)
        if some not in errors:
            forest = RandomForestClassifier(50, random_state=0)
            answers = forest.fit(X.iloc[old][list(some)], y[old]).predict(X.iloc[new][list(some)])
            errors[some] = 100 * (answers != y[new]).mean()
        return errors[some]

    tables = [grow(penalty).steps_table() for penalty in PENALTIES]
    return SimpleNamespace(names=names, tables=tables, grow=grow, error=error)


def entries(study, k, trees):
    """The entries of so many trees, the last one last."""
    table = study.tables[k]
    return table[table["tree"] < trees]


def noisy(features):
    return [name for name in features if name.startswith("noise ")]


def words_of(entry):
    """What a lane says of an entry."""
    numbers = (entry.gain, entry.penalized_gain, entry.rival_gain)
    return [*(f"{x:.3f}" for x in numbers), entry.rival or "no rival", str(entry.n)]


def state_of(record):
    state = record["state"]
    return state["k"], state["trees"], state["guess"]


def test_what_is_in_after_some_trees_is_the_choice_of_a_forest_of_so_many(explored, study):
    seen = sorted({state_of(record)[:2] for record in explored["records"]})
    some = seen[:: len(seen) // 12]
    assert len({k for k, _ in some}) > 5
    for k, trees in some:
        forest = study.grow(PENALTIES[k], trees)
        assert set(forest.get_feature_names_out()) == set(entries(study, k, trees)["feature"])


def test_every_entry_counts_for_more_than_its_rival(study):
    for penalty, table in zip(PENALTIES, study.tables, strict=True):
        counts = table["gain"] * penalty
        assert np.allclose(table["penalized_gain"], counts)
        assert (counts > table["rival_gain"]).all()
        assert ((table["rival"] == "") == (table["rival_gain"] == 0)).all()
        for rival, entered in zip(table["rival"], table["step"], strict=True):
            before = table["feature"][table["step"] < entered]
            assert rival == "" or rival in set(before)


def test_every_number_is_that_of_the_forests(explored, study):
    assert len({str(record["state"]) for record in explored["records"]}) >= 200
    for record in explored["records"]:
        k, trees, guess = state_of(record)
        told, values, sentence = guess is not None, record["values"], record["sentence"]
        assert told or trees <= 2
        assert record["sliders"] == {
            "k": [k, f"{PENALTIES[k]:g}"],
            "trees": [trees, f"{trees} of 20"],
        }
        found = entries(study, k, trees)
        made = noisy(found["feature"])
        assert values["size"] == f"{len(found)} of 14"
        assert values["noise"] == f"{len(made)} of 5"
        error = study.error(set(found["feature"]))
        assert number(values["error"]) == pytest.approx(error, abs=0.0551)

        *_, last = found.itertuples()
        gain, penalized, bar, rival, rows = words_of(last)
        start = f"λ = {PENALTIES[k]:g}, tree {trees}: {len(found)} of 14 features are in, "
        start += f"{len(made)} of 5 noise features. Last: {last.feature}, tree {last.tree + 1}, "
        start += f"{rows} rows, {gain} × λ = {penalized} > {bar} ({rival}). "
        after = (
            f"Error on new days: {values['error']}." if told else "A guess, or Skip, grows more."
        )
        assert sentence == start + after


def test_lanes_say_the_arithmetic_of_each_entry(explored, study):
    widths = set()
    for record in explored["records"]:
        k, trees, guess = state_of(record)
        lanes, counts, errors = record["pictures"]
        cells = 5 if "rows" in lanes else 3
        widths.add(cells)
        expected = ["1", "10", "20", "tree (ring: only a smaller λ let it in)", *HEADS[:cells]]
        found = {entry.feature: entry for entry in entries(study, k, trees).itertuples()}
        for name in study.names:
            expected += [name, *(words_of(found[name])[:cells] if name in found else [])]
        assert lanes == expected
        assert ("box: your guess" in counts) == (guess in (0, 1, 2))
        assert errors[:9] == [f"{penalty:g}" for penalty in PENALTIES]
    assert widths == {3, 5}


def test_verdict_tells_how_many_over_ten_seeds(explored, study):
    seeds = [study.grow(0.5, seed=seed).get_feature_names_out() for seed in range(10)]
    counts = [len(noisy(names)) for names in seeds]
    first = entries(study, PENALTIES.index(0.5), 1)
    pure = first[first["feature"].isin(noisy(first["feature"]))]
    assert [len(pure), pure["n"].item(), round(pure["gain"].item(), 3)] == [1, 4, 1]
    right = [[1], [2, 3], [4, 5]]
    for guess, verdict in verdicts(explored["records"]):
        assert verdict.startswith("Yes: " if counts[0] in right[guess] else "No: ")
        assert f": {counts[0]} here, {min(counts)} to {max(counts)} over ten seeds. " in verdict
        assert verdict.endswith("gains a lot: 1 bit in 4 rows. Grow all shows when.")


def test_all_trees_are_grown_after_a_guess_only(explored):
    moved = 0
    for before, record in presses(explored["records"], "Grow all"):
        k, trees, guess = state_of(before)
        assert state_of(record) == (k, trees if guess is None else 20, guess)
        moved += guess is not None and trees < 20
    assert moved > 2
