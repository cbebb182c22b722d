"""Checkers of the chapter "Filters and searches"."""

import checks_filters_plain  # noqa: F401 (registers its checkers)
