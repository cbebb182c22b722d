"""A progress bar for what takes long."""

from tqdm import tqdm  # not tqdm.auto: it warns where ipywidgets are missing

__all__ = ["progress"]


def progress(total, unit, verbose):
    """A tqdm bar over `total` units, silent where `verbose` is 0.

    >>> with progress(3, "trees", 0) as bar:
    ...     bar.update(3)
    """
    return tqdm(total=total, unit=unit, disable=not verbose)
