"""Checkers of the chapter "Wind over a grid"."""

import checks_wind_plain  # noqa: F401 (registers its checkers)
