"""Several results of one function, by name."""

import numpy as np
from sklearn.utils import Bunch

__all__ = ["Results"]


class Results(Bunch):
    """A Bunch whose representation names its parts and their shapes, not their values.

    Examples
    --------
    >>> Results(importances=np.zeros((50, 4)), ranking=np.arange(4), best="x0")
    Results(importances: array (50, 4), ranking: array (4,), best: str)
    """

    def __repr__(self):
        parts = [f"{name}: {_kind(value)}" for name, value in self.items()]
        return f"{type(self).__name__}({', '.join(parts)})"


def _kind(value):
    """Describe a value by its type, and its shape or length if it has one."""
    shape = getattr(value, "shape", ())
    kind = "array" if isinstance(value, np.ndarray) else type(value).__name__
    if isinstance(value, list | tuple):
        return f"{kind} of {len(value)}"
    return f"{kind} {shape}" if shape else kind
