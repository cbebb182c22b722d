"""A fast tree and a plain one, node for node."""

import numpy as np

SAME = {"rtol": 1e-12, "atol": 1e-12}


def nodes_of(tree):
    """The nodes of a plain tree in preorder."""
    return [tree] + [t for side in ("left", "right") if side in tree for t in nodes_of(tree[side])]


def in_columns(values, classes):
    """Class proportions as an array, 0 for an absent class; numbers if classes is None."""
    if classes is None:
        return np.array(values)[:, None]
    return np.array([[(value or {}).get(k, 0) for k in classes.tolist()] for value in values])


def assert_same_nodes(table, tree, classes=None):
    """The same splits exactly, the same numbers up to rounding; table is a `Tree`."""
    nodes = nodes_of(tree)
    assert len(nodes) == table.node_count
    assert [t["n"] for t in nodes] == table.n_node_samples.tolist()
    assert [t.get("feature", -2) for t in nodes] == table.feature.tolist()
    for found, name in (("weight", "weighted_n_node_samples"), ("impurity", "impurity")):
        np.testing.assert_allclose([t[found] for t in nodes], getattr(table, name), **SAME)
    values = in_columns([t["value"] for t in nodes], classes)
    np.testing.assert_allclose(values, table.value[:, 0], **SAME)
    R = table.impurity * table.weighted_n_node_samples
    left, right = table.children_left, table.children_right
    for i, t in enumerate(nodes):
        if "left" in t:
            gain = (R[i] - R[left[i]] - R[right[i]]) / t["weight"]
            np.testing.assert_allclose(t["gain"], gain, **SAME)
            if not isinstance(t["threshold"], set):
                assert t["threshold"] == table.threshold[i]
