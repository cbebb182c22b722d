"""Checkers of the chapter on reading a tree: all of them also run in the page."""

import checks_reading_plain  # noqa: F401 (registers its checkers)
