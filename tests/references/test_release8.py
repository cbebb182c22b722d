"""C4.5 beside Quinlan's own program, Release 8: every tree to the last bit (data/c45r8)."""

import numpy as np
import pandas as pd
import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st
from release8_runs import SETS, fit, read, typed, xor

from treelab import C45Classifier, c45, cart, id3
from treelab.drawing.picture import sketch_of
from treelab.fast.c45 import Leaf, Release8Tree, gain_table, predicted_errors
from treelab.fast.c45.arithmetic import f, fsum
from treelab.fast.c45.growing import run
from treelab.fast.c45.release8.growing import bring_forward, sort_rows
from treelab.fast.c45.release8.pruning import z_of


def test_the_references_are_all_there():
    assert len(SETS) == 21
    assert sum(len(read(name)[0]["runs"]) for name in SETS) == 126


@pytest.mark.filterwarnings("ignore:X has the number -999")
@each("name", SETS)
def test_predictions_of_the_program(name):
    reference, X, y = read(name)
    model, theirs = fit(name), reference["runs"]["default"]
    ours = pd.Categorical(model.predict(X), categories=reference["classes"])
    assert ours.codes.tolist() == theirs["predicted"]
    assert (ours.codes != y.cat.codes).sum() == theirs["train_errors_pruned"]
    percent = 100 * model.tree_.errors[0] / model.tree_.weight[0]
    assert percent == pytest.approx(theirs["estimate_percent"], abs=0.051)
    if "predicted_new" in theirs:
        raw = pd.DataFrame(reference["new_rows"], columns=list(X))
        new = pd.Categorical(
            model.predict(typed(raw, reference["columns"])), categories=reference["classes"]
        )
        assert new.codes.tolist() == theirs["predicted_new"]


# --- the plain C4.5 -------------------------------------------------------------------


def same_tree(tree, theirs, columns):
    """Whether a plain tree asks what the program asks, of as many rows of each class."""
    shape = [tree["sums"].get(k, 0) for k in range(len(theirs["dist"]))]
    if "attribute" not in theirs or "branches" not in tree:
        return ("attribute" in theirs) == ("branches" in tree) and np.allclose(
            shape, theirs["dist"] if theirs["N"] else 0, atol=1e-4
        )
    below = [theirs["le"], theirs["gt"]] if "cut" in theirs else theirs["levels"].values()
    return (
        columns[tree["feature"]] == theirs["attribute"]
        and ("cut" not in theirs or np.float32(tree["threshold"]) == np.float32(theirs["cut"]))
        and np.allclose(shape, theirs["dist"], atol=1e-4)
        and all(
            same_tree(branch, other, columns)
            for branch, other in zip(tree["branches"].values(), below, strict=True)
        )
    )


# numbers beyond 24 bits; a side of weight 2, a sum of shares, that weighs less in 32 bits
BY_32_BITS = {("large", "unpruned"), ("large", "pruned"), ("labor", "unpruned")}


@each("name", SETS)
def test_plain_c45_grows_the_trees_of_the_program(name):
    reference, X, y = read(name)
    rows = X.replace(-999.0, np.nan).astype(object)
    cases = cart.cases_of(rows.where(rows.notna(), None).to_numpy().tolist(), y.cat.codes.tolist())
    levels = [column.get("levels") for column in reference["columns"].values()]
    grown = c45.collapse(c45.grow(cases, levels))
    trees = {"unpruned": grown, "pruned": c45.prune(grown, cases)}
    for which, tree in trees.items():
        found = same_tree(tree, reference["runs"]["default"][which], list(X))
        assert found == ((name, which) not in BY_32_BITS)
    told = [id3.predict(trees["pruned"], x) for x, _, _ in cases]
    assert name == "large" or told == reference["runs"]["default"]["predicted"]


# --- the arithmetic ------------------------------------------------------------------


def test_predicted_errors_of_the_program():
    cases = {(6, 0): 1.2378, (16, 1): 2.50689, (14, 5): 6.79499, (2, 1): 1.79624, (3, 0.5): 1.58349}
    for (weight, errors), expected in cases.items():
        ours = predicted_errors(weight, errors, variant="release8")
        assert ours == pytest.approx(expected, abs=6e-6 if (weight, errors) != (6, 0) else 6e-5)


def test_z_comes_from_the_table():
    entries = {0.001: 3.09, 0.005: 2.58, 0.01: 2.33, 0.05: 1.65, 0.1: 1.28, 0.2: 0.84, 0.4: 0.25}
    for CF, z in entries.items():
        assert z_of(f(CF)) == pytest.approx(z, abs=1e-6)
    assert z_of(1.0) == 0.0
    assert z_of(f(0.0005)) == pytest.approx((4.0 + 3.09) / 2, abs=1e-6)
    assert z_of(f(0.7)) == pytest.approx(0.125, abs=1e-6)


def test_nearly_all_wrong_can_lower_the_errors():
    assert predicted_errors(0.5, 1 / 3, 0.25, "release8") > 1 / 3  # a straight line: E is below 1
    assert predicted_errors(2, 2, variant="release8") == 2  # nothing is right: nothing is added
    assert predicted_errors(10, 9.5, variant="release8") == pytest.approx(9.5 + 0.67 * 0.5)
    assert predicted_errors(10, 9.5) == 10  # J48


@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=40),
    st.randoms(use_true_random=False),
)
def test_rows_are_sorted_and_none_is_lost(values, random):
    x, rows = np.array(values, dtype=float), list(range(len(values)))
    random.shuffle(rows)
    rows = np.array(rows)
    sort_rows(rows, x)
    assert x[rows].tolist() == sorted(values)
    assert sorted(rows.tolist()) == list(range(len(values)))


@given(st.lists(st.booleans(), max_size=30))
def test_bringing_forward_keeps_the_order_of_the_chosen(chosen):
    rows, mask = np.arange(len(chosen)), np.array(chosen, dtype=bool)
    n = bring_forward(rows, mask)
    assert rows[:n].tolist() == np.flatnonzero(mask).tolist()
    assert sorted(rows.tolist()) == list(range(len(chosen)))


def test_a_sum_of_32_bits_rounds_every_step():
    terms = [2.0**24, 1.0, 1.0]
    assert fsum(terms) == 2.0**24
    assert fsum(terms[::-1]) == 2.0**24 + 2


def test_a_gain_of_zero_is_enough():
    X, y = xor()
    assert C45Classifier(variant="release8").fit(X, y).score(X, y) == 1.0
    assert C45Classifier().fit(X, y).n_nodes_ == 1  # J48
    verdicts = gain_table(X, y, estimator=C45Classifier(variant="release8")).verdict
    assert verdicts.tolist() == ["chosen", "the same ratio, a later column"]
    assert gain_table(X, y).verdict.tolist() == ["no gain", "no gain"]


@pytest.mark.parametrize("name", ["golf_c45", "golf-missing", "iris", "raise", "labor"])
def test_the_table_chooses_what_the_program_asks(name):
    _, X, y = read(name)
    model = fit(name, pruning=None)
    for t in np.flatnonzero(~model.tree_.is_leaf):
        table = gain_table(X, y, estimator=model, node=int(t))
        chosen = table[table.verdict == "chosen"]
        question = model.tree_.nodes[t]
        assert chosen.feature.tolist() == [X.columns[question.test.feature]]
        row = chosen.iloc[0]
        assert row.gain - row.penalty == pytest.approx(question.gain, abs=2e-6)
        assert row.gain_ratio == pytest.approx(question.ratio, abs=2e-6)
        assert np.isnan(row.threshold) or row.threshold == question.test.threshold


def test_weights_repeat_rows():
    _, X, y = read("iris")
    times = np.arange(len(X)) % 3
    weighted = C45Classifier(variant="release8").fit(X, y, times)
    again = np.repeat(np.arange(len(X)), times)
    repeated = C45Classifier(variant="release8").fit(X.iloc[again], y.iloc[again])
    assert weighted.export_text() == repeated.export_text()


def test_minus_999_is_unknown_and_said_so():
    X, y = pd.DataFrame({"x": [1.0, 2.0, -999.0, 4.0, 5.0, 6.0]}), [0, 0, 0, 1, 1, 1]
    with pytest.warns(UserWarning, match="X has the number -999 in column 'x', 1 times"):
        model = C45Classifier(variant="release8").fit(X, y)
    gaps = C45Classifier(variant="release8").fit(X.replace(-999.0, np.nan), y)
    assert model.export_text() == gaps.export_text()
    with pytest.warns(UserWarning, match="takes it as unknown"):
        shares = model.predict_proba(X.iloc[[2]])
    assert shares.tolist() == gaps.predict_proba(pd.DataFrame({"x": [np.nan]})).tolist()


@pytest.mark.parametrize("variant", ["j48", "release8"])
def test_pessimistic_is_another_word(variant):
    _, X, y = read("labor")
    one = C45Classifier(variant=variant).fit(X, y)
    other = C45Classifier(variant=variant, pruning="pessimistic").fit(X, y)
    assert one.export_text() == other.export_text()


def test_a_tie_of_pruning_keeps_the_class_everywhere():
    """Where pruning finds a tie, a node keeps its class, which need not be the first."""
    model = fit("raise", "m1")
    tree, classes = model.tree_, read("raise")[0]["classes"]
    ties = (tree.weight > 0) & (tree.predicted_class != tree.sums.argmax(axis=1)) & tree.is_leaf
    (t,) = np.flatnonzero(ties)
    assert tree.says(t, model.classes_) == f"class: {classes[tree.predicted_class[t]]}"
    sketch = sketch_of(tree, model.feature_names_in_, classes, model.categories_)
    assert sketch.answers[t] == classes[tree.predicted_class[t]]


def test_a_smaller_tree_keeps_labels_and_errors():
    model = fit("iris")
    inner = int(np.flatnonzero(~model.tree_.is_leaf)[1])
    small = model.tree_.collapse([inner])
    assert isinstance(small, Release8Tree)
    assert isinstance(small.nodes[inner], Leaf)
    assert (
        small.predicted_class.tolist()[: inner + 1]
        == model.tree_.predicted_class.tolist()[: inner + 1]
    )
    assert len(small.predicted_class) == len(small.errors) == len(small.weight) == small.n_nodes


def test_a_deep_recursion_needs_no_deep_stack():
    def count(n):
        return 0 if n == 0 else 1 + (yield count(n - 1))

    assert run(count(50_000)) == 50_000


def test_unknown_everywhere_and_one_row():
    gaps = pd.DataFrame({"x": [np.nan] * 6, "c": pd.Categorical([None] * 6, categories=["u", "v"])})
    model = C45Classifier(variant="release8").fit(gaps, [0, 0, 0, 1, 1, 0])
    assert model.n_nodes_ == 1
    assert model.predict(gaps).tolist() == [0] * 6
    one = C45Classifier(variant="release8").fit(gaps.iloc[:1], ["only"])
    assert one.predict(gaps).tolist() == ["only"] * 6
