"""Every example in a docstring of treelab gives what it says."""

import doctest
import importlib

import pytest
from cases import modules

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
MODULES = modules()


def part_of(name):
    """Return the package that a module belongs to: a room of `fast`, a package, or treelab."""
    package = ".".join(name.split(".")[: 3 if name.startswith("treelab.fast.") else 2])
    return package if hasattr(importlib.import_module(package), "__path__") else "treelab"


@pytest.mark.parametrize("part", sorted(set(map(part_of, MODULES))))
def test_examples(part, capsys):
    failed = []
    for name in (name for name in MODULES if part_of(name) == part):
        if doctest.testmod(importlib.import_module(name), optionflags=FLAGS).failed:
            failed.append(f"{name}\n{capsys.readouterr().out}")
    assert not failed, "\n".join(failed)


def test_there_are_examples():
    finder = doctest.DocTestFinder(exclude_empty=True)
    tests = [t for name in MODULES for t in finder.find(importlib.import_module(name))]
    assert sum(bool(t.examples) for t in tests) > 50
