"""What grading needs and nbgrader lacks, used by ``grade.py`` and the course's nbgrader_config.py.

`exchange` reads rosters and downloads and writes tables; `preprocess` puts a student's answers into
the assignment and runs it in bubblewrap, where `inside` speaks with a Jupyter kernel. The grades
are nbgrader's, in its gradebook.
"""
