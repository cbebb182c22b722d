"""What Weka's attribute evaluators return, beside the data (see data/README.md)."""

from functools import cache

from weka import load, names, read

SETS = names("attreval")


@cache
def case(name):
    """Features, target and Weka's answers."""
    found = read(f"attreval_{name}")
    X, y, _ = load(found["csv"])
    assert list(X) == found["attributes"]
    return X, y, found
