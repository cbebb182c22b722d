"""Facts of the page behind chapter 16: trees grown together, ties, and optimal subsets."""

import re

import numpy as np
from facts import in_words

from treelab import DecisionTreeClassifier
from treelab.datasets import fetch_sonar
from treelab.fast.selection import RegularizedForestSelector


def test_how_often_a_tree_is_grown(page):
    columns, trees, of, growths, grown = map(int, re.findall(r"\d+", page.output("reh005")))
    assert (columns, trees, of, growths, grown) == (22, 17, 100, 53, 171)
    page.says(f"A tree is grown {grown / of:.1f} times on average. When it is grown again")


def test_trees_do_not_depend_on_those_that_grow_after_them():
    bands, kind = fetch_sonar(return_X_y=True)
    some, more = (
        RegularizedForestSelector(n_estimators=n, random_state=0).fit(bands, kind).trees_
        for n in (11, 100)
    )
    assert len(more) == 100
    assert all(a.equals(b) for a, b in zip(some, more[:11], strict=True))


def test_constant_columns_use_up_no_try(page):
    X = np.zeros((40, 9))
    X[:, 8] = np.arange(40) % 2
    for seed in range(10):
        one = RegularizedForestSelector(n_estimators=1, random_state=seed).fit(X, X[:, 8])
        assert np.flatnonzero(one.support_).tolist() == [8]
    page.says(
        f"With {in_words(X.shape[1] - 1)} constant columns and one that is the class, a single "
        f"tree finds that one with each of {in_words(seed + 1)} seeds."
    )


def test_a_feature_that_adds_nothing(page):
    found = re.findall(r"in (\d+), regularized in (\d+) tables", page.output("reh012"))
    (most, none), (fewest, never) = (map(int, counts) for counts in found)
    assert (fewest, none, never) == (0, 0, 0)
    page.says(f"The ordinary tree uses $X_1$ in all {most} tables or in none, because")
    page.says("The regularized tree never uses it. A feature that is already selected")
    redundant = page.run("reh013", np=np)["redundant"]
    tree = DecisionTreeClassifier(criterion="entropy")
    for seed in range(100):
        X, y = redundant(seed)
        assert tree.fit(X[:, 1:], y).score(X[:, 1:], y) == 1
    page.says("the two outer groups are the other, so $X_2$ alone separates the classes.")


def test_markov_blankets_and_smallest_subsets(page):
    names = page.run("reh015", np=np)
    blankets = names["blankets"]
    assert blankets == [["a", "b"], ["b", "copy"]]
    page.says(f"There are {in_words(len(blankets))} Markov blankets, because the copy can stand")
    (shared,) = set(blankets[0]) & set(blankets[1])
    page.says(f"Only `{shared}` is in both blankets. For the empirical criterion")
    assert np.isclose(names["told_by_others"]({"a", "copy", "noise"}), 0.5)
    stump, tree, selected = page.output("reh017").splitlines()
    assert stump.endswith("with []")
    assert tree.endswith(f"with {blankets[0]} {blankets[1]}")
    assert re.findall(r"\(.*?\)", selected) == [str(tuple(blanket)) for blanket in blankets]
    page.says("The regularized tree selects one of the two blankets with every seed, and chance")
