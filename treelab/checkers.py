"""Checkers for the exercises and the homework, and the drills: those of `treelab.exercises`."""

from treelab.exercises.checkers import *  # noqa: F403
from treelab.exercises.checkers import __all__  # noqa: F401
