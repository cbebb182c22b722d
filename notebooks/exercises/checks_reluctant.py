"""Checkers of the chapter "Trees that are reluctant"."""

import checks_reluctant_plain  # noqa: F401 (registers its checkers)
