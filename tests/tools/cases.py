"""Tests that go through many cases and name every case that fails."""

import builtins
import functools
import importlib
import inspect
import pkgutil
import re
import sys
import traceback
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from places import DATA
from scipy.sparse import csr_array
from sklearn import tree as theirs
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

import treelab.figures
from treelab import fast

THEIRS = (KNeighborsClassifier, KNeighborsRegressor, LogisticRegression)
FAILURES = (Exception, pytest.fail.Exception, pytest.skip.Exception)


class CasesFailed(AssertionError):
    """Some cases of a test failed."""

    def __init__(self, failed, n_cases, path):
        self.failed = failed
        lines = [f"{case}: {described(error, path)}" for case, error in failed]
        super().__init__("\n".join([f"{len(failed)} of {n_cases} cases failed", *lines]))


def described(error, path):
    """Return the kind of an error, the line of the test in the file `path`, and the message."""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == path]
    place = f" in line {lines[-1]}" if lines else ""
    return f"{type(error).__name__}{place}: {error}"


def label(names, values, number):
    """Return the name of a case: its values if they are short, otherwise names and its number."""
    words = []
    for name, value in zip(names, values, strict=True):
        if isinstance(value, str | bytes | int | float | complex | None):
            words.append(str(value))
        else:
            words.append(getattr(value, "__name__", f"{name}{number}"))
    return "-".join(words)


def each(names, cases, ids=None):
    """Run a test for each case in turn, and fail with a list of the cases that fail.

    The arguments are those of ``pytest.mark.parametrize``, but all cases are one test and share
    its fixtures. The patches of a case are undone after it. A case that is skipped fails. Several
    decorators give all combinations.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [(case,) if len(names) == 1 else tuple(case) for case in cases]
    assert cases, f"there are no cases of {names}"
    assert {len(case) for case in cases} == {len(names)}, names
    if ids is None:
        ids = [label(names, case, i) for i, case in enumerate(cases)]
    elif callable(ids):
        ids = ["-".join(str(ids(value)) for value in case) for case in cases]

    def decorate(test):
        signature = inspect.signature(test)
        fixtures = [p for name, p in signature.parameters.items() if name not in names]
        assert len(fixtures) == len(signature.parameters) - len(names), names

        @functools.wraps(test)
        def run(**given):
            failed = []
            for case, name in zip(cases, ids, strict=True):
                try:
                    test(**given, **dict(zip(names, case, strict=True)))
                except CasesFailed as error:
                    failed += [(f"{inner}-{name}", cause) for inner, cause in error.failed]
                except FAILURES as error:
                    failed.append((name, error))
                if "monkeypatch" in given:
                    given["monkeypatch"].undo()
                if "matplotlib.pyplot" in sys.modules:
                    sys.modules["matplotlib.pyplot"].close("all")
            if failed:
                path = inspect.unwrap(test).__code__.co_filename
                raise CasesFailed(failed, run.n_cases, path) from failed[0][1]

        run.__signature__ = signature.replace(parameters=fixtures)
        run.n_cases = len(cases) * getattr(test, "n_cases", 1)
        return run

    return decorate


@dataclass(frozen=True)
class Refused:
    """A call that must fail, with the name of its error and a pattern of the message."""

    call: str
    error: str
    pattern: str

    def __str__(self):
        return self.call


def refused(name):
    """Return the calls in `tests/data/refused`: lines of call, error and pattern."""
    lines = (DATA / "refused" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if line and not line.startswith("#")]
    assert len(set(lines)) == len(lines)
    return [Refused(*re.fullmatch(r"(.*) -> (\w+): (.*)", line).groups()) for line in lines]


@functools.cache
def modules():
    """Return the names of all modules of treelab, and of the figures that come with it."""
    found = []
    for package in (treelab, treelab.figures):
        inside = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        found += [package.__name__, *(module.name for module in inside)]
    return found


# Modules beside the pages that use them, whose functions refuse wrong arguments, too.
BESIDE = [
    f"treelab.figures.{name}"
    for name in (
        "c45", "chi_squared", "choosing", "intervals", "local", "totally_randomized_trees",
        "wind_farm",
    )
]  # fmt: skip


@functools.cache
def public_names():
    """Return what treelab exports, by name, and what its calls are often given."""
    rooms = [f"treelab.fast.{module.name}" for module in pkgutil.iter_modules(fast.__path__)]
    found = {"np": np, "pd": pd, "csr_array": csr_array, "theirs": theirs}
    found["NotFittedError"] = NotFittedError
    found |= {model.__name__: model for model in THEIRS}
    for module in map(importlib.import_module, ["treelab", "treelab.datasets", *rooms, *BESIDE]):
        found |= {name: getattr(module, name) for name in module.__all__}
    return found


def assert_refused(case, names):
    """Assert that the call, in which these names are known too, fails as it must."""
    names = {**vars(builtins), **public_names(), **names}
    with pytest.raises(names[case.error], match=f"(?s){case.pattern}"):
        eval(case.call, names)
