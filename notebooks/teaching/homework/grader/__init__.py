"""Grading of homework on one machine, used by ``grade.py``.

`submissions` finds notebooks and puts each student's answers between the assignment's own tests;
`nursery` is the process that starts a kernel for each, held in by `confine`; `session` runs the
cells in it and decides; `report` writes the tables and the feedback pages.
"""
