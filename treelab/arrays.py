"""Reading an array at many places, fast.

NumPy checks every index of ``amounts[index]``. Where the indices are our own and known to be
right, ``take`` with ``mode="clip"`` skips the check and takes half the time.
"""

__all__ = ["pick"]


def pick(amounts, index):
    """The entries of the last axis at `index`, which must be in range: nothing is checked.

    Parameters
    ----------
    amounts : ndarray of shape (..., n)
    index : ndarray of int, any shape
        From 0 to n - 1.

    Returns
    -------
    ndarray of shape (..., *shape of index)
        ``amounts[..., index]``.

    Examples
    --------
    >>> import numpy as np
    >>> pick(np.array([5, 6, 7]), np.array([2, 0, 0])).tolist()
    [7, 5, 5]
    """
    return amounts.take(index, axis=-1, mode="clip")
