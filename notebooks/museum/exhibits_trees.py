"""The rooms of chapters 1 to 5: reading, impurity, growing, pruning, multiway trees."""

import numpy as np
from museum import Exhibit, bars

from treelab import impurity

FEW = np.array([[9, 1], [0, 90]])  # a split into a small branch and a large one


EXHIBITS = [
    Exhibit(
        id="m-plain-mean",
        title="Children count the same, whatever their size",
        room=2,
        origin="student",
        target="treelab.impurity:split_impurity",
        before="np.sum(branch_shares * impurity_function(criterion)(table), axis=-1)",
        after="np.mean(impurity_function(criterion)(table), axis=-1)",
        story=(
            "The impurity after a split was taken for the mean of the children's impurities. But "
            "a child of ten cases cannot count as much as a child of ninety: the mean has to be "
            "weighted by the cases."
        ),
        notice=(
            "Split a node at random into halves of very different size. The gain of such a split "
            "is never negative; with this fault it is, again and again."
        ),
        sign=lambda: impurity.information_gain(FEW, "gini"),
        picture=bars(["10 and 90 cases"], "Gini gain", digits=3),
        caption="The gain of a split into 10 and 90 cases, right and with equal votes.",
        alt="Two bars: the gain of the split is 0.16 with weights and 0.09 without.",
        caught_by=(
            (
                "impurity-3",
                lambda: (
                    lambda table, Q: impurity.information_gain(
                        table, Q.__name__ if hasattr(Q, "__name__") else "gini"
                    )
                ),
                "by their weight",
            ),
        ),
    ),
]
