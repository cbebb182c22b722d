"""Runs in every notebook kernel that the checks start: a cell may use 15 seconds of the processor,
and a notebook 600 MiB of memory.

It is processor time, so that a busy machine fails no cell. Memory is the most that the kernel has
taken so far, as Linux tells it; elsewhere it is not asked for. What it prints is not among the
committed outputs, and so nbval reports the cell. The kernel runs this file in the notebook's own
namespace, and so its names are taken away at the end.
"""


def _watch(events):
    import sys
    import time

    most = 15  # seconds
    most_memory = 600  # MiB
    begun = [time.process_time()]

    def memory():
        if sys.platform != "linux":
            return 0
        # Not by getrusage, which knows of the process that started this one, too.
        with open("/proc/self/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))

    def begin(info):
        begun[0] = time.process_time()

    def end(result):
        used = time.process_time() - begun[0]
        if used > most:
            print(f"This cell used {used:.0f} s of processor time; {most} s is the most.")
        taken = memory()
        if taken > most_memory:
            print(f"This notebook took {taken:.0f} MiB so far; {most_memory} MiB is the most.")

    events.register("pre_run_cell", begin)
    events.register("post_run_cell", end)


_watch(get_ipython().events)  # noqa: F821
del _watch
