"""Parameters of estimators, declared as dataclass fields with their allowed values."""

import inspect
import numbers
from dataclasses import dataclass, field

import numpy as np
from sklearn.utils import check_scalar

__all__ = [
    "HIGHEST_SEED",
    "Number",
    "OneOf",
    "check_methods",
    "check_number",
    "check_settings",
    "parameter",
    "set_seeds",
]

HIGHEST_SEED = 2**31 - 1


def parameter(default, allowed):
    """Declare a parameter of an estimator (a dataclass) with its allowed values.

    Parameters
    ----------
    default : object
    allowed : OneOf or Number

    Examples
    --------
    >>> @dataclass
    ... class Bins:
    ...     n_bins: int = parameter(5, Number(numbers.Integral, 2))
    >>> check_settings(Bins(n_bins=1))
    Traceback (most recent call last):
        ...
    ValueError: n_bins == 1, must be >= 2.
    """
    return field(default=default, metadata={"allowed": allowed})


class OneOf:
    """Rule for a parameter with a fixed list of values.

    Parameters
    ----------
    *values : object
    or_a : type, default=()
        Any object of this type is allowed, too.
    """

    def __init__(self, *values, or_a=()):
        self.values, self.or_a = values, or_a

    def check(self, name, value):
        """Raise unless the parameter called `name` may have the value."""
        if not isinstance(value, self.or_a) and value not in self.values:
            also = f" or a {self.or_a.__name__}" if self.or_a else ""
            raise ValueError(f"{name} must be one of {list(self.values)}{also}, got {value!r}.")


@dataclass(frozen=True)
class Number:
    """Rule for a parameter that is a finite number in an interval.

    Parameters
    ----------
    kind : type
        `numbers.Integral` or `numbers.Real`.
    low, high : number, default=None
        The ends of the interval; None: unbounded.
    ends : {"both", "left", "right", "neither"}, default="both"
        Which of the ends belong to it.
    optional : bool, default=False
        The parameter may be None instead.
    infinite : bool, default=False
        The number may be infinite.
    fraction : {"right", "neither"}, default=None
        A fraction of the rows is allowed, too: a number from 0 to 1, with these ends.
    """

    kind: type
    low: float | None = None
    high: float | None = None
    ends: str = "both"
    optional: bool = False
    infinite: bool = False
    fraction: str | None = None

    def check(self, name, value):
        """Raise unless the parameter called `name` may have the value."""
        if value is None and self.optional:
            return
        whole = isinstance(value, numbers.Integral) or not isinstance(value, numbers.Real)
        if self.fraction and not whole:
            return Number(numbers.Real, 0, 1, self.fraction).check(name, value)
        limits = {"min_val": self.low, "max_val": self.high, "include_boundaries": self.ends}
        if not (self.infinite and isinstance(value, float) and not np.isfinite(value)):
            check_number(value, name, self.kind, **limits)
        elif np.isnan(value):
            raise ValueError(f"{name} == nan, must be >= {self.low}.")


def check_methods(name, estimator, *methods):
    """Raise unless an argument is an object, and no class, with some methods.

    >>> check_methods("selector", "CFS", "fit", "get_support")
    Traceback (most recent call last):
        ...
    TypeError: selector must be one with fit and get_support, got 'CFS'.
    """
    if isinstance(estimator, type) or not all(hasattr(estimator, method) for method in methods):
        raise TypeError(f"{name} must be one with {' and '.join(methods)}, got {estimator!r}.")


def check_number(value, name, kind, **limits):
    """Raise unless a setting is a finite number of a kind within limits.

    The limits are those of scikit-learn's `check_scalar`, which takes True for 1, and NaN.

    >>> check_number(-1, "number", int, min_val=1)
    Traceback (most recent call last):
        ...
    ValueError: number == -1, must be >= 1.
    """
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be a number, got {value!r}.")
    check_scalar(value, name, kind, **limits)
    if not np.isfinite(value):
        raise ValueError(f"{name} must be finite, got {value!r}.")


def _is_switch(value):
    return isinstance(value, bool | np.bool_)


def _is_whole(value, low):
    return isinstance(value, numbers.Integral) and not _is_switch(value) and value >= low


def _is_seed(value):
    if value is None or value is np.random or isinstance(value, np.random.RandomState):
        return True
    return _is_whole(value, 0) and value < 2**32


def _is_verbose(value):
    return _is_switch(value) or _is_whole(value, 0)


def _is_workers(value):
    return value is None or (_is_whole(value, -np.inf) and value != 0)


RULES = {
    "verbose": (_is_verbose, "True, False or a whole number from 0"),
    "n_jobs": (_is_workers, "None or a whole number other than 0 (-1 for all cores)"),
    "random_state": (_is_seed, f"None, a whole number from 0 to {2**32 - 1} or a RandomState"),
}


def set_seeds(estimator, generator):
    """Draw a seed for each parameter `random_state`, of the estimator and of those inside it."""
    for name in sorted(estimator.get_params(deep=True)):
        if name == "random_state" or name.endswith("__random_state"):
            estimator.set_params(**{name: generator.randint(HIGHEST_SEED)})


def check_settings(estimator):
    """Raise if a parameter of an estimator has a value that is not allowed.

    The allowed values are declared by `parameter`, and those of `verbose`, `n_jobs` and
    `random_state` by `RULES`. A parameter that is True or False by default must be one of the two:
    nothing that merely counts as true is allowed, because ``oob_score="no"`` would mean yes.

    Examples
    --------
    >>> from treelab import RandomForestClassifier
    >>> check_settings(RandomForestClassifier(n_jobs="all"))
    Traceback (most recent call last):
        ...
    ValueError: n_jobs must be None or a whole number other than 0 (-1 for all cores), got 'all'.
    """
    for name, given in inspect.signature(type(estimator)).parameters.items():
        if name in RULES or _is_switch(given.default):
            fits, allowed = RULES.get(name, (_is_switch, "True or False"))
            value = getattr(estimator, name)
            if not fits(value):
                raise ValueError(f"{name} must be {allowed}, got {value!r}.")
    for name, declared in type(estimator).__dataclass_fields__.items():
        if "allowed" in declared.metadata:
            declared.metadata["allowed"].check(name, getattr(estimator, name))
