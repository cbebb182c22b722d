"""Checkers of the chapter on measures; all of them also run in the page."""

import checks_metrics_plain  # noqa: F401 (registers its checkers)
