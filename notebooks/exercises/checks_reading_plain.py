"""Checkers of the chapter on reading a tree that also run in the page."""

from plain_checks import all_close, close

from treelab.checkers import Hint, checker, expect
from treelab.plain.cart import goes_left, grow, predict
from treelab.plain.impurity import squared_error

TEMP = [4, 5, 7, 12, 18, 23, 27, 28, 32, 35]
RENTALS = [602, 750, 913, 1229, 1827, 2246, 2127, 1714, 838, 625]


def preorder(t):
    """The nodes of a tree, each before those below it."""
    return [t, *preorder(t["left"]), *preorder(t["right"])] if "left" in t else [t]


def path(tree, x):
    """The numbers of the nodes on the way to the leaf of row x."""
    nodes, found = preorder(tree), [tree]
    while "left" in found[-1]:
        t = found[-1]
        found.append(t["left" if goes_left(x, t["feature"], t["cut"]) else "right"])
    return [next(i for i, t in enumerate(nodes) if t is step) for step in found]


@checker("reading-2")
def _(rentals):
    tree = grow([[temp] for temp in TEMP], RENTALS, impurity=squared_error, max_depth=2)
    temps = [-20, 4, 6, 6.1, 8, 9.5, 9.6, 12, 25, 30, 30.5, 35, 60, 5.9]
    found = [float(rentals(temp)) for temp in temps]
    right = [predict(tree, [temp]) for temp in temps]
    if all_close(found, right):
        return
    strict = [predict(tree, [temp + 1e-9]) for temp in temps]
    expect(not all_close(found, strict), "look at days with exactly 6, 9.5 or 30 degrees: "
           "at most includes equal.")  # fmt: skip
    near = all(abs(a - b) < 0.51 for a, b in zip(found, right))
    expect(not near, "return the means without rounding: leaf 5 predicts 1828.6.")
    i = next(i for i, pair in enumerate(zip(found, right)) if not close(*pair))
    raise Hint(
        f"at {temps[i]:g} degrees the path is {path(tree, [temps[i]])} and the prediction "
        f"{right[i]:g}; you return {found[i]:g}."
    )
