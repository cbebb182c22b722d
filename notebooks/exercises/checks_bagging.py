"""Checkers of the chapter "Bagging and out-of-bag error"."""

import checks_bagging_plain  # noqa: F401 (registers its checkers)
