"""A table of differences whose last column draws each of them with its interval."""

import numpy as np

__all__ = ["dots"]

WIDTH, HEIGHT, EDGE = 150, 18, 6  # px


def dots(table, mean, error="±", *, reach=2.0, most=None):
    """Show a table with a dot and an interval in each row; its plain form is the table alone.

    Parameters
    ----------
    table : DataFrame
    mean : str
        The column of the differences: numbers, or numbers as text.
    error : str, default="±"
        The column of their standard errors, likewise.
    reach : float, default=2.0
        The interval goes so many standard errors to either side.
    most : float or None, default=None
        The right end of the scale; an arrow stands for a difference beyond it.

    Examples
    --------
    >>> import pandas as pd
    >>> gaps = pd.DataFrame({"gap": [1.0, -2.0], "±": [0.5, 1.5]}, index=["a", "b"])
    >>> dots(gaps, "gap")
       gap    ±
    a  1.0  0.5
    b -2.0  1.5
    """
    return DotTable(table, mean, error, reach, most)


class DotTable:
    """Table of differences, with a column of dots and intervals where it is shown as HTML."""

    def __init__(self, table, mean, error, reach, most):
        self.table, self.reach = table, reach
        self.most = np.inf if most is None else most
        self.mean = table[mean].astype(float).to_numpy()
        self.half = reach * table[error].astype(float).to_numpy()

    def __repr__(self):
        return repr(self.table)

    def _repr_html_(self):
        """Return the table with a column of pictures on one scale, on which a line marks zero."""
        ends = np.minimum([self.mean - self.half, self.mean + self.half], self.most)
        low, high = min(0, ends.min()), max(0, ends.max())
        scale = (WIDTH - 2 * EDGE) / (high - low)
        title = f"0 and ± {self.reach:g} standard errors"
        zero, places = EDGE - scale * low, EDGE + scale * (self.mean - low)
        pictures = [
            _dot(zero, place, half) for place, half in zip(places, scale * self.half, strict=True)
        ]
        return self.table.assign(**{title: pictures}).to_html(escape=False)


def _dot(zero, place, half):
    """Draw one row: the line of zero, and an interval around a dot, hollow if zero lies inside.

    The row with which the others are compared has the line alone.
    """
    y, style = HEIGHT / 2, "stroke:currentColor"
    marks = f'<path d="M{zero:.1f} 0V{HEIGHT}" style="{style};stroke-dasharray:2 2"/>'
    said = 'aria-hidden="true"'
    if half > 0 or place != zero:
        decided = abs(place - zero) > half
        fill = "currentColor" if decided else "var(--pst-color-background,white)"
        sign = f'<circle cx="{place:.1f}" cy="{y:g}" r="4" style="{style};fill:{fill}"/>'
        if place > WIDTH:
            sign = f'<path d="M{WIDTH - 9} 5l8 4l-8 4z" style="fill:currentColor"/>'
        ends = max(place - half, 0), min(place + half, WIDTH)
        marks += f'<path d="M{ends[0]:.1f} {y:g}H{ends[1]:.1f}" style="{style}"/>{sign}'
        said = f'role="img" aria-label="{"decided" if decided else "not decided"}"'
    return f'<svg width="{WIDTH}" height="{HEIGHT}" {said} style="display:block">{marks}</svg>'
