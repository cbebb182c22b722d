"""What the checkers share that also run in the pages of the book, where there is no NumPy.

Their module, `checks_<chapter>_plain.py`, needs nothing but the standard library, `treelab`
and `treelab.checkers`. An answer gets its columns as arrays in a notebook and as lists in the page,
and may return either.
"""

from math import isclose

from treelab.checkers import expect

try:
    from numpy import array as column
except ModuleNotFoundError:  # in the page
    column = list


def close(a, b):
    """Equal but for rounding."""
    return isclose(a, b, rel_tol=1e-5, abs_tol=1e-8)


def all_close(found, right):
    """Lists of as many numbers, equal but for rounding."""
    return len(found) == len(right) and all(map(close, found, right))


def as_list(answer):
    """A list, tuple or array as a list of Python's own numbers; None of anything else."""
    answer = answer.tolist() if hasattr(answer, "tolist") else answer
    if not isinstance(answer, list | tuple):
        return None
    return [item.tolist() if hasattr(item, "tolist") else item for item in answer]


def is_number(value):
    """Whether a value is a single number."""
    return isinstance(value, int | float)


def pair(answer, hint):
    """Two numbers as floats; the hint where the answer is anything else."""
    found = as_list(answer)
    expect(found is not None and len(found) == 2 and all(map(is_number, found)), hint)
    return float(found[0]), float(found[1])
