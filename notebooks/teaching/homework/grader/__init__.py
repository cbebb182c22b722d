"""What grading needs and nbgrader lacks, used by ``grade.py`` and the course's nbgrader_config.py.

`collect` brings what students handed in into nbgrader's form; `rebuild` puts their answers between
the assignment's own cells; `sandbox` runs these in bubblewrap, and `inside` is its other end;
`exports` writes tables for others. The grades are nbgrader's, in its gradebook.
"""
