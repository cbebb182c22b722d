"""Runs in every notebook kernel that the checks start: a cell may use 15 seconds of the processor.

It is processor time, so that a busy machine fails no cell. What it prints is not among the
committed outputs, and so nbval reports the cell.
"""

import time

MOST = 15  # seconds
start = time.process_time()


def begin(info):
    """Note the time before a cell."""
    global start
    start = time.process_time()


def end(result):
    """Complain about a slow cell."""
    used = time.process_time() - start
    if used > MOST:
        print(f"This cell used {used:.0f} s of processor time; {MOST} s is the most.")


events = get_ipython().events  # noqa: F821
events.register("pre_run_cell", begin)
events.register("post_run_cell", end)
