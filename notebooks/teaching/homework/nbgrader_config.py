"""Settings of nbgrader for this course folder; `make homework` and `make grade` read them too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for `grader`
c = get_config()  # noqa: F821  (nbgrader and the loader in make_homework.py supply it)

c.CourseDirectory.course_id = "treelab"
# What students must not have: the judges of answers by hand, and right versions of functions.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "judges_*"]
# An untouched answer is `...`: the notebook runs through, and each check says "not done yet".
c.ClearSolutions.code_stub = {"python": "..."}
c.ClearSolutions.text_stub = "Write your answer here."
# Students' answers go into the assignment's own notebook, and run in a sandbox.
c.Autograde.sanitize_preprocessors = [
    "grader.sandbox.Sandboxed",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Autograde.autograde_preprocessors = [
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
# Feedback shows hints, and no hidden tests.
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
# Nothing that a student wrote runs in the browser of who reads it.
c.HTMLExporter.sanitize_html = True
