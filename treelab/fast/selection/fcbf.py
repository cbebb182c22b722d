"""Fast correlation-based filter (FCBF): remove irrelevant features, then redundant ones.

Pass 1 keeps the features whose uncertainty with the class is above a threshold, the most relevant
first. Pass 2 goes down this list: a feature that has not been removed is predominant, and removes
every later one whose uncertainty with it is at least its uncertainty with the class.

Vocabulary
----------
relevance : symmetrical uncertainty of a feature and the class
uncertainty : symmetrical uncertainty of two features
predominant : relevant, and not removed by a more relevant one
"""

import numbers
from dataclasses import KW_ONLY, dataclass

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from treelab.fast.inputs import Number, parameter
from treelab.fast.selection.base import LevelSelector, from_best, places
from treelab.fast.tolerances import CLOSE

__all__ = ["FCBFSelector"]


@dataclass(eq=False, repr=False)
class FCBFSelector(LevelSelector):
    """Select the predominant features.

    Parameters
    ----------
    threshold : float, default=0.0
        Relevance that a feature must exceed, at least 0 and below 1.
    missing, discretize, categorical_features, task, n_bins
        As in `FilterSelector`; a regression target is cut into bins.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
    relevance_ : ndarray of shape (n_features,)
    ranking_ : ndarray of int, shape (n_features,)
        Rank by relevance, 1 for the most relevant feature, the first in a tie.
    cuts_, task_, target_cuts_
        As in `FilterSelector`.

    References
    ----------
    Yu and Liu (2003), Feature selection for high-dimensional data.

    Examples
    --------
    >>> from treelab.datasets import load_vegetation
    >>> X, y = load_vegetation(return_X_y=True)
    >>> fcbf = FCBFSelector().fit(X, y)
    >>> fcbf.get_feature_names_out().tolist()
    ['stream', 'elevation']
    """

    threshold: float = parameter(0.0, Number(numbers.Real, 0, 1, "left"))
    _: KW_ONLY

    def fit(self, X, y):
        """Filter the features of `X` (n_rows, n_features) by `y` (n_rows,), and return self."""
        levels = self._read_levels(X, y)
        d = self.n_features_in_
        self.relevance_ = relevance = levels.uncertainties(d, np.arange(d), self.missing)
        order = from_best(relevance)
        self.ranking_ = places(order)
        left = order[relevance[order] > self.threshold + CLOSE]
        kept, self.steps_ = [], []
        while len(left):
            feature, left = left[0], left[1:]
            kept.append(feature)
            if len(left):
                uncertainty = levels.uncertainties(feature, left, self.missing)
                removed = uncertainty >= relevance[left] - CLOSE
                self.steps_.append((feature, left, uncertainty, removed))
                left = left[~removed]
        self.support_ = np.isin(np.arange(d), kept)
        return self

    def steps_table(self):
        """List both passes, with a row for each comparison.

        Returns
        -------
        DataFrame
            ``pass``; ``feature``, in pass 2 the predominant one, and ``other``, which it may
            remove; their ``uncertainty``; the ``relevance`` of the feature in pass 1, of the other
            one in pass 2; ``removed``.
        """
        check_is_fitted(self)
        names = np.array(self._feature_names(), dtype=object)
        order = np.argsort(self.ranking_)
        relevance = self.relevance_[order]
        parts = [{
            "pass": 1, "feature": names[order], "other": "", "uncertainty": np.nan,
            "relevance": relevance, "removed": ~(relevance > self.threshold + CLOSE),
        }]  # fmt: skip
        for feature, others, uncertainty, removed in self.steps_:
            parts.append({
                "pass": 2, "feature": names[feature], "other": names[others],
                "uncertainty": uncertainty, "relevance": self.relevance_[others],
                "removed": removed,
            })  # fmt: skip
        return pd.concat([pd.DataFrame(part) for part in parts], ignore_index=True)
