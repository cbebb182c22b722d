"""Fewer features: which columns a model needs, and which it is better off without.

A *filter* looks at the data alone: it scores each feature by what it tells about the target, before
any model is fitted, or (CFS, FCBF) a set of features by what its members tell about the target
and about each other. A *search* fits the model again and again, and lets its errors decide. All
selectors are transformers as scikit-learn's: they fit on training rows, keep some columns, stand
in a Pipeline, so that each fold of a cross-validation chooses anew, and show their steps as a
table.

Vocabulary
----------
support : mask of the features that are kept, (n_features,)
relevance : what a feature tells about the target
redundancy : what features tell about each other
merit : what CFS balances: relevance over redundancy
step : a feature that enters or leaves, with the number that decided it
"""

from treelab.selection.base import LevelSelector, Selector
from treelab.selection.cfs import CFSSelector, merit, merit_table, uncertainty_table
from treelab.selection.fcbf import FCBFSelector
from treelab.selection.filters import FilterSelector, filter_table
from treelab.selection.subset import SubsetSelector

__all__ = [
    "CFSSelector",
    "FCBFSelector",
    "FilterSelector",
    "LevelSelector",
    "Selector",
    "SubsetSelector",
    "filter_table",
    "merit",
    "merit_table",
    "uncertainty_table",
]
