"""Checkers of the chapter "Bicycles, end to end"."""

import checks_bicycles_plain  # noqa: F401 (registers its checkers)
