"""What grading needs and nbgrader lacks, used by ``grade.py`` and the course's nbgrader_config.py.

`exchange` reads rosters and downloads and writes tables; `sandbox` puts a student's answers into
the assignment and runs it in bubblewrap, where `kernel` speaks with a Jupyter kernel. The grades
are nbgrader's, in its gradebook.
"""
