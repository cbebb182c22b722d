"""Settings that many estimators have in common: each is checked in one place, before any fit.

A switch is True or False and nothing that merely counts as true: ``oob_score="no"`` would be yes.
"""

import numbers

import numpy as np

__all__ = ["check_settings"]

SWITCHES = (
    "bootstrap",
    "oob_score",
    "warm_start",
    "subtree_raising",
    "collapse",
    "average_gain",
    "mdl_correction",
    "boundary_only",
    "adaptive_min_leaf",
    "laplace",
    "split_on_zero_gain",
)


def _is_switch(value):
    return isinstance(value, bool | np.bool_)


def _is_whole(value):
    return isinstance(value, numbers.Integral) and not _is_switch(value)


def _is_verbose(value):
    return _is_switch(value) or (_is_whole(value) and value >= 0)


def _is_workers(value):
    return value is None or (_is_whole(value) and value != 0)


def _is_seed(value):
    if value is None or value is np.random or isinstance(value, np.random.RandomState):
        return True
    return _is_whole(value) and 0 <= value < 2**32


RULES = {name: (_is_switch, "True or False") for name in SWITCHES} | {
    "verbose": (_is_verbose, "True, False or a whole number from 0"),
    "n_jobs": (_is_workers, "None or a whole number other than 0 (-1 for all cores)"),
    "random_state": (_is_seed, f"None, a whole number from 0 to {2**32 - 1} or a RandomState"),
}


def check_settings(estimator):
    """Raise where a switch, `verbose`, `n_jobs` or `random_state` of an estimator cannot be meant.

    Parameters
    ----------
    estimator : estimator
        Only the settings that it has are looked at.

    Raises
    ------
    ValueError
        Naming the setting, what it may be, and what it is.

    Examples
    --------
    >>> from treelab import RandomForestClassifier
    >>> check_settings(RandomForestClassifier(n_jobs="all"))
    Traceback (most recent call last):
        ...
    ValueError: n_jobs must be None or a whole number other than 0 (-1 for all cores), got 'all'.
    """
    for name, value in vars(estimator).items():
        fits, allowed = RULES.get(name, (None, None))
        if fits and not fits(value):
            raise ValueError(f"{name} must be {allowed}, got {value!r}.")
