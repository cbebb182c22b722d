"""The plain Max-Dependency scheme beside the fast one, on the same tables."""

import json

import numpy as np
import pandas as pd
import pytest
from cases import each
from places import DATA

from treelab.datasets import load_mushrooms
from treelab.fast.selection import max_dependency_table
from treelab.filters import conditional_information, max_dependency, mutual_information


@each("seed", range(30))
@each("most", [None, 2])
def test_the_same_features_in_the_same_order(seed, most):
    """Some tables have copies of a column, and a constant one."""
    rng = np.random.default_rng(seed)
    n, p = rng.integers(3, 30), rng.integers(1, 5)
    X = rng.integers(0, rng.integers(2, 5), (n, p))
    X = np.column_stack([np.zeros(n, dtype=int), X, X[:, : seed % 3]])
    y = (X[:, 1] + X[:, p] + (rng.random(n) < 0.3)) % 3
    table = max_dependency_table(pd.DataFrame(X).astype(str).add_prefix("f"), y, most)
    chosen = table[table["chosen"]]
    found = max_dependency(X.T.tolist(), y.tolist(), **({"most": most} if most else {}))
    assert [f"f{j}" for j, _ in found] == chosen["feature"].tolist()
    np.testing.assert_allclose([bits for _, bits in found], chosen["information"], atol=1e-12)


def test_the_mushrooms():
    """Size and spots tell equally much beyond color, and the first wins."""
    X, y = load_mushrooms(return_X_y=True)
    columns = [X[name].tolist() for name in X]
    items = json.loads((DATA / "gold.json").read_text(encoding="utf-8"))["items"]
    expected = next(item["expected"] for item in items if item["id"] == "001-md-mush")
    found = max_dependency(columns, y.tolist())
    assert [X.columns[j] for j, _ in found] == [name for name, _ in expected]
    for (_, bits), (name, offers) in zip(found, expected, strict=True):
        assert bits == pytest.approx(offers[name], abs=1e-9)


def test_exclusive_or_tells_nothing_at_first():
    a, b, y = [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]
    assert max_dependency([a, b], y) == []
    assert conditional_information(a, y, [b]) == 1
    assert conditional_information(a, b, []) == mutual_information(a, b) == 0
    assert max_dependency([a, b], ["one"] * 4) == []
