"""The pairs of plain and fast functions: same data, same draws, same trees, same numbers."""

import ast
from importlib import import_module

import pytest
from cases import each
from pairs import PAIRS, STEPS
from places import METHODS, ROOT, TESTS

import treelab

COMPARED = {pair.compare: pair for pair in PAIRS if callable(pair.compare)}
NAMED = sorted({pair.compare for pair in PAIRS if not callable(pair.compare)})


@each("seed", range(5))
@each("pair", COMPARED.values(), ids=[pair.plain for pair in COMPARED.values()])
def test_both_have_the_same_numbers(pair, seed):
    pair.compare(seed)


@each("pair", PAIRS, ids=[pair.plain for pair in PAIRS])
def test_both_of_a_pair_exist(pair):
    module, _, name = pair.plain.rpartition(".")
    assert callable(getattr(import_module(f"treelab.{module}"), name))
    module, _, name = pair.fast.rpartition(".")
    elsewhere = module.startswith(("sklearn.", "scipy."))
    where = import_module(module if elsewhere else f"treelab.fast.{module}") if module else treelab
    assert callable(getattr(where, name))


def functions_of(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("name", NAMED)
def test_the_test_that_compares_a_pair_exists(name):
    module, _, function = name.partition(".")
    (path,) = TESTS.rglob(f"{module}.py")
    assert function in functions_of(path)


def test_every_plain_function_is_one_of_a_pair_or_a_step():
    found = {
        f"{method}.{name}"
        for method in METHODS - {"__init__"}
        for name in functions_of(ROOT / "treelab" / f"{method}.py")
    }
    paired = [pair.plain for pair in PAIRS]
    assert sorted(found) == sorted(paired + STEPS)
