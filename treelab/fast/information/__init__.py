"""Information shared by variables: entropies H of the rows at hand.

The entropy of a variable is what it costs to name its level; the mutual information I is what one
variable saves of the cost of another. I grows with the number of levels, so filters divide it: by
the feature's entropy (gain ratio), or by both (symmetrical uncertainty, from 0 to 1). Numbers
become levels by cuts; those of Fayyad and Irani must pay for themselves.

Vocabulary
----------
H, I : entropy and mutual information, in bits
SU : symmetrical uncertainty
variable : the levels of the rows, some of which may be missing
"""

from treelab.fast.information.conditional import (
    class_entropy,
    conditional_mutual_information,
    joint_entropy,
    read_levels,
)
from treelab.fast.information.cuts import cut_numbers, mdl_cuts, mdl_table, quantile_cuts
from treelab.fast.information.variables import (
    MISSING,
    Levels,
    entropy_of,
    information_of,
    mutual_information,
    symmetrical_uncertainty,
    uncertainty_of,
)

__all__ = [
    "MISSING",
    "Levels",
    "class_entropy",
    "conditional_mutual_information",
    "cut_numbers",
    "entropy_of",
    "information_of",
    "joint_entropy",
    "mdl_cuts",
    "mdl_table",
    "mutual_information",
    "quantile_cuts",
    "read_levels",
    "symmetrical_uncertainty",
    "uncertainty_of",
]
