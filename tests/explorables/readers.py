"""How the tests read what an explorable shows."""

import re


def number(text):
    """The first number of a text, as a page writes it.

    >>> number("gain −0.5 per day")
    -0.5
    """
    return float(re.search(r"[−-]?\d+(?:\.\d+)?", text)[0].replace("−", "-"))
