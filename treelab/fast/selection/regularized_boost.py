"""Regularized boosted trees: AdaBoost whose trees share the selected features.

Vocabulary
----------
selected, new, penalty : as in `treelab.fast.selection.regularized`
weight : weights of the rows before a round, which sum to 1
error : weight of the rows that the tree of a round misclassifies
"""

from dataclasses import dataclass

import numpy as np
from tqdm import tqdm

from treelab.fast.bagging.out_of_bag import member_generator
from treelab.fast.boosting import estimator_weight, reweight
from treelab.fast.cart import FOR_CLASSES
from treelab.fast.growing.regularized import grow_regularized
from treelab.fast.growing.training_data import Targets
from treelab.fast.inputs import parameter
from treelab.fast.selection.base import read_labels
from treelab.fast.selection.regularized import RegularizedSelector
from treelab.fast.tolerances import CLOSE

__all__ = ["RegularizedBoostSelector"]

REDRAWS = 10  # new samples for a tree that is no better than chance


@dataclass(kw_only=True, eq=False, repr=False)
class RegularizedBoostSelector(RegularizedSelector):
    """Select the features that AdaBoost with regularized random trees uses (RBoost).

    Parameters
    ----------
    penalty, n_estimators, importance_guided, max_features, min_samples_leaf
        As in `RegularizedForestSelector`; `n_estimators` is the maximum number of rounds.
    criterion : {"entropy", "log_loss", "gini", "misclassification"}, default="entropy"
    max_depth : int, default=None
        As in `DecisionTreeClassifier`.
    resample : bool, default=True
        Grow each tree on rows drawn with their weights as probabilities; False: on all rows, with
        weights.
    categorical_features, random_state, verbose
        As in `RegularizedForestSelector`.

    Attributes
    ----------
    support_, ranking_, penalties_, importances_, trees_, steps_, classes_, task_, criterion_
        As in `RegularizedForestSelector`.
    errors_ : ndarray of shape (n_trees,)
        Weighted error of each tree on all rows.

    Notes
    -----
    It is a method of classification. If `y` holds more than 20 distinct whole numbers, a warning
    says that they are read as classes.

    A tree without error ends the rounds, and one no better than chance, with an error of 0.5 or
    more, does so without being kept, unless it is the first; with ``resample=True`` up to ten new
    samples are drawn before. Trees grown to purity on all rows make no error, so that
    ``resample=False`` needs a `max_depth`: without it there is one tree. The source does not say
    which of the two it used.

    References
    ----------
    Deng and Runger (2012), Feature selection via regularized trees; Freund and Schapire (1996),
    Experiments with a new boosting algorithm, AdaBoost.M1.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> boost = RegularizedBoostSelector(max_depth=2, random_state=0).fit(X, y)
    >>> boost.get_feature_names_out().tolist()
    ['sepal length (cm)', 'sepal width (cm)', 'petal length (cm)', 'petal width (cm)']
    """

    criterion: str = parameter("entropy", FOR_CLASSES)
    resample: bool = True

    def read_target(self, y):
        """Read the target as class codes; (n_rows,)."""
        self.task_, self.criterion_ = "classification", self.criterion
        remedy = "RegularizedForestSelector"
        self.classes_, codes = read_labels(y, type(self).__name__, remedy)
        self.n_classes_ = len(self.classes_)
        return codes

    def _grow(self, columns, targets, table, limits, seed):
        y, selected = targets.y, np.zeros(len(self.penalties_), dtype=bool)
        weight = targets.weight / targets.weight.sum()
        trees, grown, entries, errors = [], [], [], []
        for b in tqdm(range(self.n_estimators), unit="rounds", disable=not self.verbose):
            generator = member_generator(seed, b)
            for _ in range(1 + REDRAWS if self.resample else 1):
                root, of_round = self._sample(targets, weight, generator)
                key = generator.integers(2**63, size=1).astype(np.uint64)
                (tree,), found = grow_regularized(
                    columns, of_round, limits, [root], key, self.penalties_, selected
                )
                correct = tree.predict(table).argmax(axis=1) == y
                error = float(weight[~correct].sum())
                if error < 0.5 - CLOSE:
                    break
            if error >= 0.5 - CLOSE and trees:
                break
            trees.append(tree)
            grown.append((root, of_round))
            entries += [(b, t, j) for _, t, j in found]
            errors.append(error)
            selected[[j for _, _, j in found]] = True
            if error == 0 or error >= 0.5 - CLOSE:
                break
            weight = reweight(weight, correct, estimator_weight(error))
        self.errors_ = np.array(errors)
        return trees, grown, entries

    def _sample(self, targets, weight, generator):
        """Return the root of a round, rows and counts, and the targets on which it is grown."""
        n = len(targets.y)
        if not self.resample:
            of_round = Targets.of(targets.y, weight, self.criterion, targets.n_classes)
            return (np.arange(n), None), of_round
        counts = np.bincount(generator.choice(n, size=n, p=weight / weight.sum()), minlength=n)
        rows = np.flatnonzero(counts)
        ones = Targets.of(targets.y, np.ones(n), self.criterion, targets.n_classes)
        return (rows, counts[rows]), ones
