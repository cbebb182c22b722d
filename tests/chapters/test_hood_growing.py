"""Facts of the page behind chapter 3: what it costs to grow a tree."""

import numpy as np
import pytest
import sklearn.tree
from facts import in_words

from treelab import DecisionTreeClassifier, DecisionTreeRegressor

X = np.arange(256)[:, None]
TURNS = np.arange(256) % 2


@pytest.fixture(scope="module")
def even():
    return DecisionTreeRegressor().fit(X, X[:, 0]).tree_


@pytest.fixture(scope="module")
def turns():
    return DecisionTreeClassifier().fit(X, TURNS).tree_


def rows_looked_at(tree):
    """The sum of the rows of all nodes that are split."""
    return int(tree.n_node_samples[~tree.is_leaf].sum())


def test_a_balanced_tree_and_one_that_is_not(page, even, turns):
    assert even.n_leaves == turns.n_leaves
    page.says(f"Both trees have {even.n_leaves} leaves. The balanced one looks at every row once")
    work = rows_looked_at(even), rows_looked_at(turns)
    page.says(
        rf"levels, which makes $256 \cdot {even.max_depth} = {work[0]}$. In the other tree, each"
    )
    page.says(
        rf"$256 + 255 + \dots + 2 = {work[1]}$ rows, {in_words(round(work[1] / work[0]))} times as"
    )
    assert work == (256 * np.log2(256), 256 * 257 / 2 - 1)


def test_a_limit_of_the_depth(page, turns):
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0).fit(X, TURNS)
    assert theirs.get_depth() == turns.max_depth
    page.says(f"a row at the far end passes through {turns.max_depth} splits before it has a")
    limited = DecisionTreeClassifier(max_depth=6).fit(X, TURNS)
    page.says(
        f"With a maximum depth of six the tree has {limited.get_n_leaves()} leaves instead of the "
        f"{2**6} that are possible."
    )
