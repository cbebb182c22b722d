"""Checkers of the chapter "ID3 and C4.5"; all of them run in the page, too."""

import checks_c45_plain  # noqa: F401 (registers its checkers)
