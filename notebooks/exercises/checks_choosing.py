"""Checkers of the chapter "Forests choose"."""

import checks_choosing_plain  # noqa: F401 (registers its checkers)
