"""A process that starts notebook kernels, one at a time, and ends all that came of one.

It loads the libraries of the book once and then forks, so that a kernel is there at once. It
reads orders from its standard input, one JSON object a line, and answers on its standard output:

- ``{"do": "start", ...}`` starts a kernel with limits; the answer is its process number;
- ``{"do": "end"}`` kills the kernel and everything that it has started, also what has left its
  process group; the answer is the number of processes killed.

It ends, and its kernels with it, when its standard input closes.
"""

import ctypes
import gc
import json
import os
import signal
import sys
import traceback
import types

PR_SET_CHILD_SUBREAPER = 36
LIBRARIES = """ipykernel.kernelapp ipykernel.inprocess matplotlib_inline.backend_inline numpy pandas
    matplotlib.pyplot scipy.stats sklearn.ensemble sklearn.tree sklearn.datasets
    sklearn.model_selection sklearn.metrics sklearn.inspection sklearn.utils treelab
    treelab.checkers treelab.datasets treelab.drawing treelab.importance""".split()


def load():
    """Import what nearly every notebook imports."""
    import importlib

    for name in LIBRARIES:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
    gc.collect()
    gc.freeze()


def descendants():
    """The processes that come from this one; orphans are handed to it (see `main`)."""
    import psutil

    return psutil.Process().children(recursive=True)


def end():
    """Kill every descendant, again and again until there is none; how many there were."""
    seen = set()
    for _ in range(200):
        alive = descendants()
        if not alive:
            break
        for process in alive:
            seen.add(process.pid)
            try:
                process.kill()
            except Exception:
                continue
    return len(seen)


def become_kernel(order):
    """Turn this process, just forked, into the kernel; never returns."""
    code = 1
    try:
        os.setsid()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.chdir(order["work"])
        os.environ.clear()
        os.environ.update(order["environment"])
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        os.closerange(3, 1024)  # the way back to the grader too
        sys.path[:] = [order["checks"], *(p for p in sys.path if p != os.path.dirname(__file__))]
        confine = sys.modules["confine"]
        confine.limit(order["memory"], order["seconds"], order["file_size"])
        confine.shut_in(order["writable"], order["readable"], order["listable"])
        sys.argv = [""]
        del sys.modules["confine"]
        sys.modules["__main__"] = types.ModuleType("__main__")
        from ipykernel.kernelapp import IPKernelApp

        app = IPKernelApp.instance()
        app.initialize(
            ["-f", order["connection"], "--HistoryManager.enabled=False", "--log-level=CRITICAL"]
        )
        # It was imported before there was a shell to tell how figures are shown.
        sys.modules["matplotlib_inline.backend_inline"]._enable_matplotlib_integration()
        app.start()
        code = 0
    except BaseException:
        if order.get("log"):
            with open(order["log"], "w", encoding="utf-8") as file:
                traceback.print_exc(file=file)
    finally:
        os._exit(code)


def main():
    """Serve until the standard input closes."""
    import confine  # noqa: F401  (kept in sys.modules for become_kernel)

    if sys.platform.startswith("linux"):  # orphans of a kernel become children of this process
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead are not waited for
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the grader, which ends this
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    load()
    print(json.dumps({"ready": True}), file=answers)
    for line in sys.stdin:
        order = json.loads(line)
        if order["do"] == "start":
            pid = os.fork()
            if pid == 0:
                signal.signal(signal.SIGINT, signal.default_int_handler)
                become_kernel(order)
            print(json.dumps({"pid": pid}), file=answers)
        else:
            print(json.dumps({"killed": end()}), file=answers)
    end()


if __name__ == "__main__":
    main()
