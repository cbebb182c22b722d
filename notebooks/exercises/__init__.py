"""Exercises: `checkers` gives the verdict on an answer, ``checks_<chapter>.py`` says what is right.

The solutions stand beside them, and the exercises are made from these. `treelab.checkers` has the
same names as `checkers`, for notebooks.
"""
