"""Every example in a docstring of treelab gives what it says."""

import doctest
import importlib
import pkgutil

import pytest

import treelab

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
MODULES = ["treelab"] + [m.name for m in pkgutil.walk_packages(treelab.__path__, "treelab.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name, capsys):
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert failed == 0, capsys.readouterr().out


def test_there_are_examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    tests = [t for name in MODULES for t in finder.find(importlib.import_module(name))]
    assert sum(bool(t.examples) for t in tests) > 50
