"""Facts of the front page: the tree of the irises, its thresholds, and the six it gets wrong."""

import numpy as np
import pytest
from facts import in_words

from treelab.figures import preface as figures


@pytest.fixture(scope="module")
def irises():
    return figures._Irises()


def test_a_flower_and_the_path_of_two_splits(page, irises):
    tree = irises.tree.tree_
    (length, width), *_ = figures.FLOWERS
    page.says(f"The petals of a flower are {length} cm long and {width} cm wide.")
    page.says(f"A decision tree needs {in_words(tree.max_depth)} splits to predict the species of")
    assert tree.path([length, width]) == [0, 2, 4]


@pytest.mark.parametrize(("flower", "answers"), figures.FLOWERS.items())
def test_the_answers_on_the_path_of_a_flower(irises, flower, answers):
    tree = irises.tree.tree_
    *nodes, _ = tree.path(flower)
    given = [flower[tree.feature[t]] <= tree.threshold[t] for t in nodes]
    assert ", then ".join("yes" if answer else "no" for answer in given) == answers


def test_thresholds_and_errors(page, irises):
    tree, wrong = irises.tree.tree_, irises.tree.predict(irises.X) != irises.y
    thresholds = np.round(tree.threshold[~tree.is_leaf], 9)
    page.says("How were the thresholds {:g} and {:g} chosen? Should we".format(*thresholds))
    page.says(f"correct the {in_words(wrong.sum())} of the {len(wrong)} flowers that lie in the")
