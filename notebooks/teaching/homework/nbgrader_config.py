"""Settings of nbgrader for this course folder; `make homework` reads them too."""

c = get_config()  # noqa: F821  (nbgrader and the loader in make_homework.py supply it)

c.CourseDirectory.course_id = "treelab"
# An untouched answer is `...`: the notebook runs through, and each check says "not done yet".
c.ClearSolutions.code_stub = {"python": "..."}
c.ClearSolutions.text_stub = "Write your answer here."
c.Execute.timeout = 30  # seconds for one cell
c.Execute.interrupt_on_timeout = True
c.Execute.error_on_timeout = {
    "ename": "CellTimeoutError",
    "evalue": "the cell took too long",
    "traceback": ["The cell took too long."],
}
