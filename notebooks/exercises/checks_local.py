"""Checkers of the chapter "Importance that changes from place to place"."""

import checks_local_plain  # noqa: F401 (registers its checkers)
