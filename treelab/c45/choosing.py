"""Which question does a node ask? The choice of C4.5, and of its plain ancestor.

C4.5 takes the offer of the largest gain ratio among those whose gain is at least average.
Each rule can be switched off by itself; what is left is the textbook's.

Vocabulary
----------
offer : what one attribute can do for a node (`treelab.c45.gain_ratio`)
bar : the gain that an offer must reach to compete
"""

import numpy as np

from treelab.c45.splits import SLACK

__all__ = ["average_gain", "choose"]

BELOW_MEAN = 1e-3  # a gain this little below the mean still counts as average


def gain_bar(data, made, rules):
    """The gain that an offer must reach to compete; minus infinity without the rule."""
    if rules.criterion != "gain_ratio" or not rules.average_gain:
        return -np.inf
    return average_gain(data, made) - BELOW_MEAN


def average_gain(data, made):
    """The mean gain that an offer must reach, or infinity where no offer counts.

    Features with many levels are left out of the mean, unless all features are like that.
    """
    all_many = all(data.many(j) for j in range(len(data.n_levels)))
    counted = [
        offer.net_gain
        for offer in made
        if not offer.refused and (all_many or not data.many(offer.test.feature))
    ]
    return sum(counted) / len(counted) if counted else np.inf


def choose(data, made, rules):
    """The offer that wins, or None for a leaf; the first one wins ties.

    Parameters
    ----------
    data : Training
    made : list of Offer
        What `offers` returns.
    rules : Rules

    Returns
    -------
    Offer or None

    References
    ----------
    Quinlan (1993), C4.5, section 2.2; Quinlan (1996) for the penalty.
    """
    bar = gain_bar(data, made, rules)
    best, level = None, 0.0
    for offer in made:
        if offer.refused or offer.net_gain < bar:
            continue
        score = offer.score(rules)
        if score > level + SLACK:
            best, level = offer, score
    return best
