"""The source of functions as a chapter prints it: from the module, never pasted.

What the page shows is what runs. A notebook and the book show the code in color; elsewhere it is
plain text.
"""

import inspect
import textwrap
from dataclasses import dataclass

__all__ = ["Source", "source"]


@dataclass(frozen=True)
class Source:
    """What `source` returns: code that a notebook shows in color.

    Parameters
    ----------
    code : str
    """

    code: str

    def __repr__(self):
        return self.code

    def _repr_markdown_(self):
        return f"```python\n{self.code}\n```"


def source(*functions):
    """The source code of functions, classes or modules, one below the other.

    Parameters
    ----------
    *functions : callable or module
        Written in Python, in a file or in a cell of a notebook.

    Returns
    -------
    Source
        In color where it is the last line of a cell; ``code`` is the text.

    Raises
    ------
    ValueError
        If there are none.
    TypeError
        If one of them is not written in Python.

    Examples
    --------
    >>> from treelab.plain.impurity import mean
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
