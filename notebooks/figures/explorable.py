"""A figure that a reader moves.

An explorable holds JSON that treelab has computed, and pictures of a few of its states. In the
book, and in JupyterLab with the extension in `lab`, a script draws all states from the JSON, with
sliders and buttons; where scripts do not run, and in print, the pictures stand one under the other.
"""

import json
import re
from html import escape

import numpy as np
import pandas as pd

from treelab.figures.stepper import stepper

__all__ = ["Explorable", "explorable"]


def explorable(kind, data, frames, title, name):
    """A figure that a reader of the book moves; its plain form is the list of captions.

    Parameters
    ----------
    kind : str
        The script that draws it, as in ``book/_static/explorables/``.
    data : dict
        What the script needs: numbers, texts, lists, arrays, dicts of these. Numbers are rounded
        to six significant digits, so that no digit depends on the processor. A number that is not
        finite, or another object, is a ValueError or a TypeError.
    frames : sequence of (content, caption, alt)
        As in `stepper`: the states that stand still.
    title, name : str
        As in `stepper`.

    Examples
    --------
    >>> table = pd.DataFrame({"cut": [1.5, 2.5], "gain": [0.1, 0.4]})
    >>> frames = [(table, "The second is better.", "Table: gains 0.1 and 0.4.")]
    >>> explorable("cut", {"gain": table["gain"]}, frames, title="Two cuts", name="two-cuts")
    Two cuts, an explorable of the book; here it stands still:
      1. The second is better.
    """
    return Explorable(kind, data, frames, title, name)


class Explorable:
    """What `explorable` makes."""

    def __init__(self, kind, data, frames, title, name):
        if not re.fullmatch(r"[a-z]+", kind):
            raise ValueError(f"kind must be lower-case letters, got {kind!r}.")
        self.kind, self.still = kind, stepper(frames, title, name)
        text = json.dumps(data, default=_plain, allow_nan=False)
        text = json.dumps(json.loads(text, parse_float=_rounded), separators=(",", ":"))
        self.json = text.replace("<", "\\u003c")  # no tag of HTML can end the script early

    def __repr__(self):
        lines = [f"{self.still.title}, an explorable of the book; here it stands still:"]
        return "\n".join(lines + repr(self.still).split("\n")[1:])

    def _repr_html_(self):
        """The data, and the still pictures."""
        return (
            f'<figure class="tl-explorable" id="explorable-{self.still.name}" '
            f'data-kind="{self.kind}" style="margin:1em 0">\n'
            f'<figcaption class="tl-title">{escape(self.still.title)}</figcaption>\n'
            f'<script type="application/json">{self.json}</script>\n'
            f'<div class="tl-still">{self.still.list_html()}</div>\n</figure>'
        )


def _plain(value):
    """A NumPy or pandas object as lists and numbers."""
    if isinstance(value, np.ndarray | np.generic | pd.Series | pd.Index):
        return value.tolist()
    raise TypeError(f"data holds a {type(value).__name__}, which JSON cannot hold.")


def _rounded(digits):
    """A number of a JSON text with six significant digits; what is due to rounding alone is 0."""
    return round(float(f"{float(digits):.6g}"), 12) + 0.0
