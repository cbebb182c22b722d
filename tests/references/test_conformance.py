"""The page of conformance is what the comparisons say now."""

import difflib

import conformance
import numpy as np
import public_interface
import pytest

LONG = {"weka": conformance.weka.names("j48"), "release8": list(conformance.release8.SETS)}


@pytest.mark.parametrize("names", [
    [name for name in conformance.TABLES if name not in LONG],
    pytest.param([*LONG], marks=pytest.mark.whole),
], ids=["short", "long"])  # fmt: skip
def test_the_page_is_up_to_date(names):
    """Every tree of R, of Weka and of Release 8 is compared here, and only here."""
    conformance.DISAGREEMENTS.clear()
    page, before = conformance.page(names), conformance.PAGE.read_text(encoding="utf-8")
    changed = difflib.unified_diff(before.splitlines(), page.splitlines(), lineterm="", n=0)
    words = ["run `make conformance`", *changed, *conformance.DISAGREEMENTS]
    assert page == before, "\n".join(words)


@pytest.mark.parametrize("name", LONG)
def test_every_fourth_line_of_a_long_table_is_up_to_date(name):
    conformance.DISAGREEMENTS.clear()
    page = conformance.PAGE.read_text(encoding="utf-8")
    table = page.partition(f"%% table {name}\n")[2].partition("%% table")[0]
    made = map(conformance.as_line, map(dict.values, conformance.TABLES[name](LONG[name][::4])))
    assert [line for line in made if line not in table] == [], conformance.DISAGREEMENTS


def test_a_wrong_tree_does_not_pass_for_a_tie():
    """Trees of another criterion, or with a cut left out, are no ties."""
    X, y = conformance.tables(False)["overlapping"]
    gini, entropy = (conformance.trees(False, name).fit(X, y) for name in ("gini", "entropy"))
    mine = conformance.trees(True, "gini").fit(X, y)
    assert conformance.same_trees(mine, gini, X) == conformance.TIES
    with pytest.raises(AssertionError):
        conformance.same_trees(mine, entropy, X)
    with pytest.raises(AssertionError):
        conformance.same_trees(mine.set_params(max_depth=2).fit(X, y), gini, X)


def test_other_rounds_do_not_pass_for_a_tie():
    X, y = conformance.tables(True)["friedman 1"]
    fits = [
        conformance.boosted(ours, "Regressor", "squared_error").set_params(learning_rate=rate)
        for ours, rate in ((True, 0.1), (False, 0.1), (False, 0.11))
    ]
    mine, same, other = (model.fit(X, y) for model in fits)
    assert conformance.same_rounds(mine, same, X) == conformance.SAME
    with pytest.raises(AssertionError):
        conformance.same_rounds(mine, other, X)


def test_corners_are_what_their_names_say():
    X, y = conformance.tables(False)["iris"]
    changed = {name: change(X, y) for name, change in conformance.CORNERS.items()}
    assert max(len(np.unique(x)) for x in changed["four values"][0].T) == 4
    assert (changed["weights of 0"][2] == 0).mean() == pytest.approx(1 / 3)
    assert 0.05 < np.isnan(changed["missing"][0]).mean() < 0.15
    assert np.ptp(changed["constant column"][0][:, 0]) == 0
    assert len(np.unique(changed["one target"][1])) == len(changed["one row"][0]) == 1


def test_what_is_left_out_needs_a_reason_and_what_is_not_has_none(monkeypatch, tmp_path):
    text = public_interface.REASONS.read_text(encoding="utf-8")
    for changed in (text.replace("splitter = ", "no_parameter = "), f"{text}Tree = 'a reason'\n"):
        path = tmp_path / "left_out.toml"
        path.write_text(changed, encoding="utf-8")
        monkeypatch.setattr(public_interface, "REASONS", path)
        with pytest.raises(AssertionError, match="missing or not needed"):
            list(public_interface.reasons())


def test_the_interface_is_compared_and_not_only_listed():
    found = public_interface.comparison()["DecisionTree"]["Classifier"]
    same, out, own = found["parameters"]
    assert {"criterion", "max_depth", "ccp_alpha", "class_weight"} <= set(same)
    assert "splitter" in out
    assert own == ["categorical_features"]
    assert found["inputs"][:2] == (
        ["array", "DataFrame", "weights"],
        ["sparse matrix", "missing values", "several targets"],
    )
    assert ("criterion", "log_loss") not in found["values"]
    found = public_interface.comparison()["DecisionTree"]["Regressor"]
    assert ("criterion", "poisson") in found["values"]
