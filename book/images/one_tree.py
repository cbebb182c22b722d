"""Draw the picture of the preface: one tree, as questions and as regions.

Run it as ``python book/images/one_tree.py``; it writes ``one_tree.png`` beside itself.
"""

from pathlib import Path

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from treelab import DecisionTreeClassifier
from treelab.drawing import draw_partition, draw_tree, use_style

FEATURES = ["petal length (cm)", "petal width (cm)"]


def grow():
    """The tree of the picture, with the rows and species it is grown from."""
    iris = load_iris(as_frame=True)
    X, y = iris.data[FEATURES], iris.target_names[iris.target]
    return DecisionTreeClassifier(max_depth=2).fit(X, y), X, y


def main():
    """Draw and save."""
    use_style()
    tree, X, y = grow()
    _, (above, below) = plt.subplots(2, figsize=(6.4, 9), height_ratios=(1, 1.1))
    draw_tree(tree, orientation="down", ax=above)
    draw_partition(tree, X, y, ax=below)
    plt.savefig(Path(__file__).with_suffix(".png"), metadata={"Software": None})


if __name__ == "__main__":
    main()
