"""Record what each cell of a notebook uses, in every kernel that the checks start.

IPython runs this file when a kernel starts. For each cell it appends a line of JSON to
`cell_times.jsonl` in the IPython folder: the notebook's folder, the beginning of the cell, its
processor time in seconds, and the memory in MiB that the kernel has taken so far, as Linux reports
it. Nothing is printed, because outputs are compared and must not depend on the machine.
`cell_report.py` reads the file. The kernel runs this file in the notebook's own namespace, and so
its names are deleted at the end.
"""


def _watch(events):
    import json
    import os
    import sys
    import time

    path = os.path.join(os.environ["IPYTHONDIR"], "cell_times.jsonl")
    begun = [time.process_time()]

    def memory():
        """Return the largest memory so far; getrusage would include the parent process."""
        if sys.platform != "linux":
            return 0
        with open("/proc/self/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) // 1024 for line in file if line.startswith("VmHWM"))

    def begin(info):
        begun[0] = time.process_time()

    def end(result):
        used = time.process_time() - begun[0]
        cell = result.info.raw_cell if result.info else ""
        record = {"folder": os.getcwd(), "cell": cell[:60], "seconds": used, "memory": memory()}
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    events.register("pre_run_cell", begin)
    events.register("post_run_cell", end)


_watch(get_ipython().events)  # noqa: F821
del _watch
