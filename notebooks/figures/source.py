"""The source of functions as a chapter prints it: from the module, never pasted."""

import inspect
import textwrap
from dataclasses import dataclass

__all__ = ["Source", "source"]


@dataclass(frozen=True)
class Source:
    """What `source` returns: its `code`, a str, which a notebook and the book show in color."""

    code: str

    def __repr__(self):
        return self.code

    def _repr_markdown_(self):
        return f"```python\n{self.code}\n```"


def source(*functions):
    """The source code of functions, classes or modules, one below the other; `Source`.

    Parameters
    ----------
    *functions : callable or module
        One at least, or else a ValueError; written in Python, in a file or in a cell of a
        notebook, or else a TypeError.

    Examples
    --------
    >>> from treelab.impurity import mean
    >>> source(mean)
    def mean(y, w):
        \"\"\"Weighted mean.\"\"\"
        return sum(v * target for target, v in zip(y, w)) / sum(w)
    """
    if not functions:
        raise ValueError("functions must name at least one function.")
    return Source("\n\n\n".join(_code(function) for function in functions))


def _code(function):
    """Its lines, those of a method without the indent."""
    try:
        return textwrap.dedent(inspect.getsource(function)).strip()
    except TypeError:
        raise TypeError(f"functions must be written in Python, got {function!r}.") from None
