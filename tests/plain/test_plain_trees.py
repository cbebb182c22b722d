"""Plain CART and the fast one: the same nodes, the same numbers. And what the folder promises."""

import ast
import json
import re
import sys
from math import inf
from pathlib import Path

import numpy as np
import pytest
from cases import each
from code_lines import code_lines
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from places import DATA, METHODS
from same_nodes import SAME, assert_same_nodes, nodes_of

from treelab import DecisionTreeClassifier, DecisionTreeRegressor, cart, impurity, pruning
from treelab.bootstrap import squared_loss, wrong_class
from treelab.fast import pruning as fast_pruning

CLASSES = ("gini", "entropy", "misclassification")
CRITERIA = (*CLASSES, "squared_error", "absolute_error")

LOSS = {"squared_error": squared_loss, "absolute_error": lambda y, predicted: abs(y - predicted)}

some = settings(max_examples=25, deadline=None, derandomize=True, database=None)
every_criterion = pytest.mark.parametrize("criterion", CRITERIA)
weights = st.sampled_from([0, 1, 1, 2, 3, 0.5, 0.375])


@st.composite
def tables(draw, max_rows=20, n_classes=3):
    """A small table (X, y, w) of whole numbers: duplicates, constants and ties included."""
    n, p = draw(st.integers(2, max_rows)), draw(st.integers(1, 3))

    def numbers(most):
        return draw(st.lists(st.integers(0, most), min_size=n, max_size=n))

    X = np.column_stack([numbers(draw(st.integers(0, 5))) for _ in range(p)]).astype(float)
    w = np.array(draw(st.lists(weights, min_size=n, max_size=n)), dtype=float)
    assume(w.sum() > 0)
    return X, np.array(numbers(n_classes - 1)), w


def fast(criterion, **parameters):
    kind = DecisionTreeClassifier if criterion in CLASSES else DecisionTreeRegressor
    return kind(criterion=criterion, **parameters)


def plain(X, y, w, criterion, **parameters):
    of = getattr(impurity, criterion)
    return cart.grow(X.tolist(), y.tolist(), w.tolist(), of, **parameters)


def assert_same_tree(model, tree):
    assert_same_nodes(model.tree_, tree, getattr(model, "classes_", None))


# --- CART -------------------------------------------------------------------------------


@every_criterion
@some
@given(
    data=tables(),
    max_depth=st.sampled_from([1, 2, None]),
    min_split=st.integers(2, 6),
    min_leaf=st.integers(1, 3),
)
def test_cart_grows_the_same_tree(criterion, data, max_depth, min_split, min_leaf):
    limits = {"min_samples_split": min_split, "min_samples_leaf": min_leaf}
    model = fast(criterion, max_depth=max_depth, **limits).fit(*data)
    depth = inf if max_depth is None else max_depth
    tree = plain(*data, criterion, max_depth=depth, min_split=min_split, min_leaf=min_leaf)
    assert_same_tree(model, tree)
    rows = (data[0] + 0.5).tolist()
    found = [cart.predict(tree, x) for x in rows]
    np.testing.assert_allclose(found, model.predict(rows), **SAME)


def test_a_cut_between_neighboring_floats_is_the_lower_one():
    low, high = 1.0, np.nextafter(1.0, 2)
    assert cart.candidate_splits([high, low, 3.0]) == [low, (high + 3) / 2]
    X, y, w = np.array([[low], [high]]), np.array([0, 1]), np.ones(2)
    assert_same_tree(fast("gini").fit(X, y), plain(X, y, w, "gini"))


@every_criterion
@some
@given(data=tables())
def test_pruning_takes_the_same_steps(criterion, data):
    model, tree = fast(criterion).fit(*data), plain(*data, criterion)
    path = fast_pruning.cost_complexity_path(model)
    steps = np.column_stack([path.alphas, path.n_leaves, path.risks])
    np.testing.assert_allclose(pruning.cost_complexity_path(tree), steps, rtol=1e-9, atol=1e-12)
    for alpha in [*path.alphas, *(path.alphas[1:] * 0.99), *(path.alphas * 1.01)]:
        assert_same_tree(fast_pruning.prune(model, alpha), pruning.prune(tree, alpha))
    assert_same_tree(model, tree)  # which pruning has left as it was


def test_pruning_takes_a_subtree_before_its_parts():
    """Exclusive or: each split below the root gains, and the first gains nothing."""
    tree = cart.grow([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    assert pruning.cost_complexity_path(tree) == [(0, 4, 0), (0.5 / 3, 1, 0.5)]
    assert pruning.g(tree, tree) == 0.5 / 3


@every_criterion
@some
@given(data=tables(), held_out=tables())
def test_reduced_error_pruning_makes_the_same_leaves(criterion, data, held_out):
    """Of trees from tables with ties, one class or constant columns; some nodes no case reaches."""
    model, tree = fast(criterion).fit(*data), plain(*data, criterion)
    p = data[0].shape[1]
    X, y, w = np.resize(held_out[0], (len(held_out[1]), p)), *held_out[1:]
    cases = cart.cases_of(X.tolist(), y.tolist(), w.tolist())
    pruned = pruning.reduced_error(tree, cases, LOSS.get(criterion, wrong_class))
    expected = fast_pruning.reduced_error_pruning(model, X, y, sample_weight=w)
    assert_same_tree(expected, pruned)
    assert_same_tree(model, tree)  # which pruning has left as it was


def test_reduced_error_pruning_of_the_slides():
    """Gender has 0 errors as a leaf against 2, stable temperature 2 against 0, core 1 against 0."""
    items = json.loads((DATA / "gold.json").read_text(encoding="utf-8"))
    data = items["datasets"]["postop_validation"]
    rows = [dict(zip(data["columns"], row, strict=True)) for row in data["rows"]]
    X = [
        [x["core_temp"] == "high", x["stable_temp"] == "true", x["gender"] == "female"]
        for x in rows
    ]
    cases = cart.cases_of(X, [x["decision"] for x in rows])

    def node(says, *question):
        t = {"n": 1, "weight": 1, "impurity": 0, "value": {says: 1.0}}
        split = dict(zip(("feature", "left", "right"), question), threshold=0.5)
        return t | split if question else t

    gender = node("icu", 2, node("icu"), node("gen"))
    stable = node("gen", 1, node("icu"), node("gen"))
    pruned = pruning.reduced_error(node("icu", 0, gender, stable), cases)
    assert "left" not in pruned["left"]
    assert [t["feature"] for t in cart.inner(pruned)] == [0, 1]
    errors = [
        sum(cart.predict(t, x) != y for x, y, _ in cases)
        for t in (node("icu", 0, gender, stable), pruned)
    ]
    assert errors == next(i["expected"] for i in items["items"] if i["id"] == "004-rep-errors")


def test_cases_without_weight_prune_to_the_root():
    tree = cart.grow([[1], [2], [3]], ["a", "b", "b"])
    assert pruning.reduced_error(tree, []) == {
        k: tree[k] for k in ("n", "weight", "impurity", "value")
    }


@pytest.mark.parametrize(("max_features", "seed"), [(1, 0), (1, 1), (2, 2), (3, 3)])
def test_cart_draws_features_as_a_tree_of_a_forest(max_features, seed):
    """From the same generator, node by node; where none of the drawn can be cut, it draws on."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 3, (40, 2)), np.zeros(40), rng.integers(0, 6, 40)]) * 1.0
    y, w = rng.integers(0, 3, 40), rng.integers(1, 3, 40) / 2
    model = fast("gini", max_features=max_features, random_state=seed).fit(X, y, w)
    draws = np.random.default_rng(np.random.RandomState(seed).randint(2**31 - 1))
    calls = []

    def features():
        calls.append(1)
        return np.argsort(draws.random(4)).tolist()

    tree = plain(X, y, w, "gini", features=features, max_features=max_features)
    assert_same_tree(model, tree)
    assert len(calls) > len(cart.inner(tree)) / 2


# --- categories -------------------------------------------------------------------------


def assert_same_parts(model, tree, X, rows, t=0):
    """Node for node; where a set of levels decides, the sides may have changed places."""
    table = model.tree_
    assert tree["n"] == table.n_node_samples[t]
    np.testing.assert_allclose(tree["impurity"], table.impurity[t], **SAME)
    assert ("left" in tree) == (not table.is_leaf[t])
    if "left" not in tree:
        return
    j, below = tree["feature"], [table.children_left[t], table.children_right[t]]
    assert j == table.feature[t]
    mine = np.array([cart.goes_left(x, j, tree["threshold"]) for x in X[rows].tolist()])
    other = table.goes_left(np.full(len(rows), t), X[rows, j])
    if mine[0] != other[0]:
        other, below = ~other, below[::-1]
        assert isinstance(tree["threshold"], set)
    np.testing.assert_array_equal(mine, other)
    for side, t, part in zip(("left", "right"), below, (rows[mine], rows[~mine]), strict=True):
        assert_same_parts(model, tree[side], X, part, t)


@each(
    ("criterion", "n_classes"),
    [("squared_error", 0), ("gini", 2), ("entropy", 2), ("gini", 3), ("entropy", 4)],
)
@each("min_leaf", [1, 3])
def test_categories_are_divided_alike(criterion, n_classes, min_leaf):
    """The order of the means, which the fast tree goes by, holds the best of all subsets."""
    grown = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.integers(0, 6, 30), rng.normal(size=30)])
        y = rng.integers(0, n_classes, 30) if n_classes else rng.normal(size=30)
        w = rng.uniform(0.5, 2, 30)
        model = fast(criterion, categorical_features=[0], min_samples_leaf=min_leaf).fit(X, y, w)
        tree = plain(X, y, w, criterion, min_leaf=min_leaf, categories={0})
        assert_same_parts(model, tree, X, np.arange(30))
        every = np.array([[a, b] for a in range(6) for b in X[:, 1]])  # levels not in a node, too
        found = [cart.predict(tree, x) for x in every.tolist()]
        np.testing.assert_allclose(found, model.predict(every), **SAME)
        grown += sum(isinstance(t["threshold"], set) for t in cart.inner(tree))
    assert grown > 10


@some
@given(data=tables(n_classes=4))
def test_of_equal_subsets_the_first_wins(data):
    X, y, w = data
    y[:4] = np.arange(len(y[:4]))  # three classes at least, so that all subsets are tried
    w[:4] = np.maximum(w[:4], 1)
    assume(len(set(y)) > 2)
    tree = plain(X, y, w, "gini", categories={0})
    model = fast("gini", categorical_features=[0]).fit(X, y, w)
    assert_same_tree(model, tree)
    for i, t in enumerate(nodes_of(tree)):
        if isinstance(t.get("threshold"), set):
            codes = np.flatnonzero(model.tree_.left_levels[i])
            assert t["threshold"] == set(model.categories_[0][codes]), i


# --- the folder --------------------------------------------------------------------------

FOLDER = Path(cart.__file__).parent
FILES = sorted(path for path in FOLDER.glob("*.py") if path.stem != "checkers")


def test_code_is_counted_without_its_docstrings():
    text = (
        "'''One.\n\nTwo.'''\n\nx = [  # three\n    1,\n]\n\n\ndef f():\n    'Four.'\n    return 5\n"
    )
    assert code_lines(text) == 5


def test_the_methods_are_at_most_1000_lines_of_code():
    lines = {path.stem: code_lines(path.read_text(encoding="utf-8")) for path in FILES}
    assert len(lines) > 15
    assert sum(n for name, n in lines.items() if name in METHODS) <= 1000


@each("path", FILES, ids=lambda path: path.name)
def test_a_file_has_two_screens_and_functions_that_say_what_they_do(path):
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 160
    for node in [ast.parse(text), *ast.parse(text).body]:
        assert not isinstance(node, ast.ClassDef)
        if isinstance(node, ast.Module | ast.FunctionDef):
            assert ast.get_docstring(node)


def words(text):
    return set(re.findall(r"\w+", text))


@each("path", FILES, ids=lambda path: path.name)
def test_every_parameter_is_in_the_vocabulary(path):
    """On top of its file, of `cart`, of the folder or of a file named there; or in its line."""
    top = {path.stem: ast.get_docstring(ast.parse(path.read_text("utf-8"))) for path in FILES}
    named = re.findall(r"`(\w+)`", top[path.stem])
    known = set().union(
        *(words(top.get(name, "")) for name in (path.stem, "cart", "__init__", *named))
    )
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            taken = {name.arg for name in ast.walk(node.args) if isinstance(name, ast.arg)}
            assert taken <= known | words(ast.get_docstring(node)), node.name


@each("path", FILES, ids=lambda path: path.name)
def test_nothing_is_imported_but_the_standard_library(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {name.name.split(".")[0] for name in node.names} <= sys.stdlib_module_names
        if isinstance(node, ast.ImportFrom):
            inside = FOLDER / f"{node.module or '__init__'}.py"
            assert inside in FILES if node.level == 1 else node.module in sys.stdlib_module_names
            assert node.level < 2
