"""Growing multiway trees: beside a plain C4.5 and ID3, and what must hold of every tree.

The plain C4.5 is Release 8 with 64 bits. Where two things are equal but for the 32 bits of the
program the two may part, and nowhere else. With J48's rules in the place of its own the plain
one grows J48's trees.
"""

from statistics import NormalDist
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from tables_with_gaps import tables

from treelab import C45Classifier, ID3Classifier, VarianceTreeRegressor, c45, cart, id3
from treelab.fast.c45 import CutTest, LevelTest, distribute, gain_table, predicted_errors
from treelab.figures.c45 import variance_table
from treelab.id3 import SLACK

SAME = {"rtol": 1e-12, "atol": 1e-12}
some = settings(max_examples=15, deadline=None, derandomize=True, database=None)
few = settings(some, max_examples=8)
NO_MDL = {"log2": lambda m: 0.0}  # what plain C4.5 without the price of a search calls
ROUNDED = {"rtol": 1e-5, "atol": 1e-5}  # a dozen numbers of 32 bits added up


def kinds_of(frame):
    """Levels of each column, None for a numeric one."""
    return {
        name: list(frame[name].cat.categories) if frame[name].dtype == "category" else None
        for name in frame
    }


def levels_of(frame):
    """The same as a list."""
    return list(kinds_of(frame).values())


def cases_of(frame, y, w):
    """The same table as a list of cases."""
    X = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    return cart.cases_of(X, y.tolist(), w.tolist())


def assert_same_tree(model, tree, t=0):
    node = model.tree_.nodes[t]
    S = [tree["sums"].get(k, 0) for k in model.classes_.tolist()]
    np.testing.assert_allclose(S, node.sums, **SAME)
    assert ("branches" in tree) == hasattr(node, "children")
    if "branches" in tree:
        threshold = getattr(node.test, "threshold", None)
        assert (tree["feature"], tree["threshold"]) == (node.test.feature, threshold)
        np.testing.assert_allclose(tree["gain"], node.gain, **SAME)
        np.testing.assert_allclose(tree.get("ratio", node.ratio), node.ratio, **SAME)
        for child, branch in zip(node.children, tree["branches"].values(), strict=True):
            assert_same_tree(model, branch, child)


def assert_same_answers(model, tree, frame, cases):
    classes = model.classes_.tolist()
    for (x, _, _), expected in zip(cases, model.predict_proba(frame), strict=True):
        p = id3.class_proportions(tree, x)
        np.testing.assert_allclose([p.get(k, 0) for k in classes], expected, **SAME)
        assert p[id3.predict(tree, x)] == max(p.values())


# --- Release 8 ---------------------------------------------------------------------------


def ties(model, plain, t=0, above=None):
    """Where two trees part: for each such node two numbers that must be equal but for rounding."""
    node, S = model.tree_.nodes[t], [plain["sums"].get(k, 0) for k in model.classes_.tolist()]
    np.testing.assert_allclose(S, node.sums, **ROUNDED)
    assert ("branches" in plain) == hasattr(node, "children")
    if not sum(S):
        (says,) = plain["default"]
        theirs = model.classes_.tolist()[model.tree_.predicted_class[t]]
        return [] if says == theirs else [(above[says], above[theirs])]
    if "branches" not in plain:
        return []
    cut = getattr(node.test, "threshold", None)
    threshold = plain["threshold"] and np.float32(plain["threshold"])
    if (plain["feature"], threshold) != (node.test.feature, cut):
        return [(plain["ratio"], node.ratio)]
    np.testing.assert_allclose([plain["gain"], plain["ratio"]], [node.gain, node.ratio], **ROUNDED)
    pairs = zip(node.children, plain["branches"].values(), strict=True)
    return [pair for child, p in pairs for pair in ties(model, p, child, plain["sums"])]


def assert_release8(model, plain, frame, cases):
    """The same tree with the same answers, up to ties; returns whether there are none."""
    found = ties(model, plain)
    assert all(np.isclose(a, b, **ROUNDED) for a, b in found)
    for (x, _, _), expected in zip(cases, model.predict_proba(frame), strict=True):
        p = id3.class_proportions(plain, x)
        if not found:
            shares = [p.get(k, 0) for k in model.classes_.tolist()]
            np.testing.assert_allclose(shares, expected, **ROUNDED)
    return not found


OFF_LIMITS = st.sampled_from([0.93, 1.87])  # weights that no sum of shares meets exactly


@pytest.mark.parametrize("CF", [0.25, 0.125, 0.9])
@some
@given(data=tables(), fresh=tables(), M=OFF_LIMITS)
def test_plain_c45_grows_and_prunes_the_trees_of_release_8(CF, data, fresh, M):
    frame, y, _ = data
    cases = cases_of(frame, y, np.ones(len(y), dtype=int))
    model = C45Classifier(variant="release8", min_samples_leaf=M, confidence=CF)
    tree = c45.collapse(c45.grow(cases, levels_of(frame), M))
    if assert_release8(model.set_params(pruning=None).fit(frame, y), tree, frame, cases):
        if levels_of(fresh[0]) == levels_of(frame):
            assert_release8(model, tree, fresh[0], cases_of(*fresh))
        model.set_params(pruning="error_based").fit(frame, y)
        assert_release8(model, c45.prune(tree, cases, CF), frame, cases)


def noisy_table(seed):
    """100 rows of four columns, a twentieth of them unknown, and two classes, a fifth wrong."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (100, 4)).astype(float)
    y = ((X[:, 0] > 2) & (X[:, 1] > 1) | (X[:, 2] > 4)) ^ (rng.random(100) < 0.2)
    frame = pd.DataFrame(X).mask(rng.random(X.shape) < 0.05)
    frame[3] = pd.Categorical(frame[3].map(dict(enumerate("abcdef"))))
    return frame, y, rng.choice([1, 0.5], 100)


def count_raised(grown, pruned):
    """Whether a node asks what it did not ask before: then a branch was raised."""
    if "branches" not in pruned:
        return 0
    if (grown["feature"], grown["threshold"]) != (pruned["feature"], pruned["threshold"]):
        return 1
    pairs = zip(grown["branches"].values(), pruned["branches"].values(), strict=True)
    return sum(count_raised(*pair) for pair in pairs)


def test_plain_c45_raises_the_branches_of_release_8():
    raised = 0
    for seed in (0, 1, 19, 23, 30, 33, 36, 2, 3, 4, 5):  # the first seven raise some
        frame, y, _ = noisy_table(seed)
        cases = cases_of(frame, y, np.ones(100, dtype=int))
        grown = c45.collapse(c45.grow(cases, levels_of(frame), 1.87))
        pruned = c45.prune(grown, cases)
        model = C45Classifier(variant="release8", min_samples_leaf=1.87).fit(frame, y)
        assert_release8(model, pruned, frame, cases)
        raised += count_raised(grown, pruned)
    assert raised == 8


@pytest.mark.parametrize(("M", "lighter"), [(2, 25), (26, 27), (28, 29)])
def test_plain_c45_asks_as_much_weight_of_both_sides(M, lighter):
    """L is 25; where M is more, cuts with less than M count, but cannot win."""
    x, y = np.arange(600.0), np.arange(600) % 2
    y[:24] = 0
    model = C45Classifier(variant="release8", min_samples_leaf=M, pruning=None).fit(x[:, None], y)
    tree = c45.grow(cart.cases_of(x[:, None].tolist(), y.tolist()), [None], M)
    assert not ties(model, c45.collapse(tree))
    assert min(t["sums"].total() for t in tree["branches"].values()) == lighter


def test_plain_c45_cuts_nothing_between_close_numbers():
    x = np.array([0, 1e-6, 2e-5, 2.9e-5, 1, 2, 2.000009, 3.0])
    y = np.array([0, 1, 1, 0, 0, 0, 1, 1])
    tree = c45.collapse(c45.grow(cart.cases_of(x[:, None].tolist(), y.tolist()), [None], 1))
    model = C45Classifier(variant="release8", min_samples_leaf=1, pruning=None)
    assert not ties(model.fit(x[:, None], y), tree)


def test_plain_c45_takes_a_gain_of_zero_but_no_splinter_of_many_rows():
    pairs = [("n", "n"), ("n", "y"), ("y", "n"), ("y", "y")] * 2
    cases = cart.cases_of(pairs, [a == b for a, b in pairs])
    assert len(c45.leaves(c45.grow(cases, [["n", "y"]] * 2))) == 4
    for n, leaves in ((40, 2), (40_000, 1)):  # a split information of 0.29, and of 0.0008
        cases = [(("a",), 0, 2), (("b",), 0, n / 2), (("b",), 1, n / 2)]
        assert len(c45.leaves(c45.grow(cases, [["a", "b"]]))) == leaves


def test_plain_c45_expects_the_errors_of_release_8():
    pairs = [(6, 0), (16, 1), (14, 5), (2.5, 0.25), (3, 2.5), (40, 39.4), (1, 1), (7.25, 3.5)]
    for N, E in [*pairs, (0.5, 0.25), (2, 0.99995)]:
        for CF in (0.25, 0.125, 0.5, 0.9, 1, 0.0005):
            theirs = predicted_errors(N, E, CF, "release8")
            np.testing.assert_allclose(c45.predicted_errors(N, E, CF), theirs, **ROUNDED)


# --- J48: the plain C4.5 with J48's rules put in ------------------------------------------


def largest_ratio(offers, levels, n):
    """J48's choice: as Release 8's, but the ratio must be above 0."""
    many = [j for j in range(len(levels)) if levels[j] and len(levels[j]) >= 0.3 * n]
    counts = [o["gain"] for o in offers if o["feature"] not in many or len(many) == len(levels)]
    bar = sum(counts) / len(counts) - 1e-3 if counts else np.inf
    return c45.first_best([(o["ratio"], o) for o in offers if o["gain"] >= bar])


def j48_errors(N, E, CF=0.25):
    """J48's limit: z of the normal distribution; all but half a row wrong counts as all wrong."""
    if E < 1:
        none = N * (1 - CF ** (1 / N))
        return none + E * (j48_errors(N, 1, CF) - none)
    if E + 0.5 >= N:
        return max(N, E)
    z, f = NormalDist().inv_cdf(1 - CF), (E + 0.5) / N
    half = z * np.sqrt(f * (1 - f) / N + z * z / (4 * N * N))
    return N * (f + z * z / (2 * N) + half) / (1 + z * z / N)


def without_answers(tree):
    """A tree whose leaves without cases say what their node says."""
    branches = {a: without_answers(t) for a, t in tree.get("branches", {}).items()}
    tree = {name: part for name, part in tree.items() if name != "default"}
    return tree | {"branches": branches} if branches else tree


J48 = {"choose": largest_ratio, "predicted_errors": j48_errors}


@some
@given(data=tables(), fresh=tables(), M=st.sampled_from([2, 1, 1.5]))
def test_plain_c45_with_the_rules_of_j48_grows_its_tree(data, fresh, M):
    cases, levels = cases_of(*data), levels_of(data[0])
    model = C45Classifier(pruning=None, collapse=False, min_samples_leaf=M).fit(*data)
    with mock.patch.multiple(c45, **J48):
        tree = without_answers(c45.grow(cases, levels, M))
    assert_same_tree(model, tree)
    assert_same_answers(model, tree, data[0], cases)
    if levels_of(fresh[0]) == levels:
        assert_same_answers(model, tree, fresh[0], cases_of(*fresh))


def no_average(score):
    """C4.5's choice without the average gain: the largest `score`."""
    return lambda offers, levels, n: c45.first_best([(o[score], o) for o in offers])


def known_at_boundary(cases, j, outcomes, threshold=None):
    """No cases on the sides of a threshold between values that hold one and the same class."""
    x = sorted({x[j] for x, _, _ in cases} - {None}) if threshold is not None else []
    beside = [max(v for v in x if v <= threshold), min(v for v in x if v > threshold)] if x else []
    classes = {y for x, y, _ in cases if x[j] in beside}
    if len(classes) == 1:
        return {a: [] for a in outcomes}
    return id3.known(cases, j, outcomes, threshold)


RULES = {
    "plain": (
        {"choose": no_average("ratio"), "minimum_weight": lambda cases, j, whole, M: M, **NO_MDL},
        {"average_gain": False, "mdl_correction": False, "adaptive_min_leaf": False},
    ),
    "gain": ({"choose": no_average("gain")}, {"criterion": "gain"}),
    "boundaries": (
        {"known": known_at_boundary, **J48, **NO_MDL},
        {"boundary_only": True, "mdl_correction": False},
    ),
}


@pytest.mark.parametrize("rules", RULES)
@some
@given(data=tables(), M=st.sampled_from([1, 1.5]))
def test_plain_c45_with_other_rules_grows_the_same_tree(rules, data, M):
    theirs, ours = RULES[rules]
    model = C45Classifier(pruning=None, collapse=False, min_samples_leaf=M, **ours).fit(*data)
    with mock.patch.multiple(c45, **theirs):
        tree = c45.grow(cases_of(*data), levels_of(data[0]), M)
    assert_same_tree(model, tree)


@pytest.mark.parametrize("CF", [0.25, 0.125, 0.5])
@some
@given(data=tables())
def test_plain_c45_with_the_rules_of_j48_prunes_to_its_tree(CF, data):
    cases = cases_of(*data)
    with mock.patch.multiple(c45, **J48):
        grown = without_answers(c45.grow(cases, levels_of(data[0]), 1))
        for collapse, tree in ((True, c45.collapse(grown)), (False, grown)):
            model = C45Classifier(min_samples_leaf=1, confidence=CF, collapse=collapse)
            assert_same_tree(model.set_params(pruning=None).fit(*data), tree)
            model.set_params(pruning="error_based").fit(*data)
            pruned = c45.prune(tree, cases, CF)
            assert_same_tree(model, pruned)
            assert_same_answers(model, pruned, data[0], cases)


def test_plain_c45_with_the_rules_of_j48_raises_its_branches():
    raised = 0
    for seed in (8, 15, 18, 19, 25, 0, 1, 2, 3, 4, 5):  # the first five raise one
        data = noisy_table(seed)
        model, cases = C45Classifier().fit(*data), cases_of(*data)
        with mock.patch.multiple(c45, **J48):
            pruned = c45.prune(c45.collapse(c45.grow(cases, levels_of(data[0]))), cases)
        assert_same_tree(model, pruned)
        unraised = C45Classifier(subtree_raising=False).fit(*data)
        raised += unraised.export_text() != model.export_text()
    assert raised == 5


@pytest.mark.parametrize(
    ("n", "adaptive", "lighter"),
    [(400, True, 21), (600, True, 25), (900, True, 25), (900, False, 11)],
)
def test_least_weight_of_a_side_stops_at_25(n, adaptive, lighter):
    """Eleven rows of one class, the others of two in turn: the best cut is the least allowed."""
    x, y = np.arange(n, dtype=float), np.arange(n) % 2
    y[:10] = 0
    rules = {"adaptive_min_leaf": adaptive, "mdl_correction": False, "pruning": None}
    tree = C45Classifier(**rules).fit(x[:, None], y).tree_
    assert min(tree.weight[list(tree.nodes[0].children)]) == lighter
    gaps = np.append(x, np.full(100, np.nan))[:, None]  # the known weight alone decides
    same = C45Classifier(**rules).fit(gaps, np.append(y, np.arange(100) % 2)).tree_
    assert same.nodes[0].test == tree.nodes[0].test


@some
@given(data=tables(numbers=False))
def test_plain_id3_grows_the_same_tree(data):
    cases, levels = cases_of(*data), levels_of(data[0])
    model, tree = ID3Classifier(missing="share").fit(*data), id3.grow(cases, levels)
    assert_same_tree(model, tree)
    assert_same_answers(model, tree, data[0], cases)


@some
@given(data=tables(numbers=False))
def test_without_zero_gains_nodes_that_gain_nothing_are_leaves(data):
    grown = ID3Classifier(missing="share").fit(*data).tree_
    useless = [t for t in range(grown.n_nodes) if getattr(grown.nodes[t], "gain", 1) < SLACK]
    stopped = ID3Classifier(missing="share", split_on_zero_gain=False).fit(*data)
    assert stopped.tree_.export_text() == grown.collapse(useless).export_text()
    np.testing.assert_array_equal(stopped.tree_.sums, grown.collapse(useless).sums)


def test_id3_finds_the_levels_of_the_column():
    X, y = [["b", 2], ["a", 1], ["a", 2], [None, 1]], [0, 1, 1, 0]
    tree = id3.grow(cart.cases_of(X, y))
    assert list(tree["branches"]) == ["a", "b"]
    assert_same_tree(ID3Classifier(missing="share").fit(np.array(X, dtype=object), y), tree)


@pytest.mark.parametrize("ddof", [0, 1])
@few
@given(data=tables(numbers=False, gaps=False), seed=st.integers(0, 99))
def test_variance_tree_takes_the_smallest_weighted_variance(ddof, data, seed):
    frame, *_ = data
    y = np.random.default_rng(seed).integers(0, 9, len(frame)).astype(float)
    model = VarianceTreeRegressor(ddof=ddof).fit(frame, y)
    for t, rows, _ in model.tree_.descend(model.table.read(frame)):
        left = {}
        for j, name in enumerate(frame):
            parts = [y[rows][frame[name].iloc[rows] == level] for level in "cabd"]
            parts = [part for part in parts if len(part)]
            if len(parts) > 1:
                var = [part.var(ddof=ddof) if len(part) > 1 else 0.0 for part in parts]
                left[j] = np.average(var, weights=[len(part) for part in parts])
        assert model.tree_.is_leaf[t] == (len(rows) < 2 or np.ptp(y[rows]) == 0 or not left)
        if not model.tree_.is_leaf[t]:
            node = model.tree_.nodes[t]
            np.testing.assert_allclose(node.gain, left[node.test.feature], atol=1e-9)
            np.testing.assert_allclose(node.gain, min(left.values()), atol=1e-9)
        if len(rows):
            np.testing.assert_allclose(model.predict(frame.iloc[rows]).mean(), y[rows].mean())


def test_variance_tree_asks_the_first_of_equal_attributes():
    """Renamed levels are added up in another order, and rounding must not choose."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        a, y = rng.integers(0, 3, 12), rng.integers(0, 1000, 12) / 7
        tree = VarianceTreeRegressor().fit(np.column_stack([a, [(2, 0, 1)[i] for i in a]]), y)
        assert tree.tree_.nodes[0].test.feature == 0


def test_variances_of_large_targets_keep_their_digits():
    X = pd.DataFrame({"a": list("uuvv"), "b": list("rsrs")})
    y = 1e8 + np.array([0.0, 1, 3, 5])
    root = VarianceTreeRegressor().fit(X, y).tree_.nodes[0]
    assert (root.test.feature, root.gain) == (0, 1.25)
    table = variance_table(X, y)
    assert table["weighted_variance"].tolist() == [1.25, 1.25, 6.25, 6.25]
    assert table["variance"].tolist() == [0.5, 2, 4.5, 8]
    np.testing.assert_allclose(table["mean"] - 1e8, [0.5, 4, 1.5, 3])


def test_shares_where_nothing_is_known():
    groups = distribute(LevelTest(0, 2), np.full((1, 1), np.nan), np.array([0]), np.array([3.0]))
    assert [w.tolist() for _, w in groups] == [[1.5], [1.5]]


# --- what must hold of every tree --------------------------------------------------------

GROWN = [
    C45Classifier(),
    C45Classifier(min_samples_leaf=1, pruning=None, collapse=False, mdl_correction=False),
    C45Classifier(criterion="gain", cut="midpoint", average_gain=False, subtree_raising=False),
    ID3Classifier(missing="share"),
]
every_setting = pytest.mark.parametrize("model", GROWN, ids=str)


# --- the hand calculation ----------------------------------------------------------------


@every_setting
@few
@given(data=tables())
def test_chosen_row_of_the_gain_table_is_the_test_of_the_node(model, data):
    grown = {"pruning": None, "collapse": False} if isinstance(model, C45Classifier) else {}
    model = clone(model).set_params(**grown).fit(*data)
    for t, node in enumerate(model.tree_.nodes):
        if model.tree_.weight[t] < 1e-6:
            continue
        table = gain_table(*data, estimator=model, node=t)
        assert (table["gain"] >= -1e-12).all()
        chosen = table[table["verdict"] == "chosen"]
        assert len(chosen) == (not model.tree_.is_leaf[t])
        for _, row in chosen.iterrows():
            assert row["feature"] == data[0].columns[node.test.feature]
            if isinstance(node.test, CutTest):
                assert row["threshold"] == node.test.threshold
            found = [row["gain"] - row["penalty"], row["gain_ratio"]]
            np.testing.assert_allclose(found, [node.gain, node.ratio], rtol=0, atol=1e-12)


@each("kind", [list, set, np.array, iter, pd.Series])
def test_nodes_to_collapse_may_come_in_any_form(kind):
    """In any order, and some of them below others."""
    X = pd.DataFrame({"a": list("xxyyzz") * 2, "b": list("uv") * 6})
    tree = ID3Classifier().fit(X, [0, 1, 2, 3, 4, 5] * 2).tree_
    inner = np.flatnonzero(~tree.is_leaf)[1:][::-1]  # no one below another
    assert len(inner) > 1
    made = tree.collapse(kind(inner))
    assert made.n_nodes == tree.n_nodes - sum(int(tree.size[t]) - 1 for t in inner)
    assert tree.collapse(kind(np.array([0, *inner]))).n_nodes == 1
