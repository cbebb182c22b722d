"""Runs cells in the sandbox: a JSON line asks, a JSON line answers; `sandbox.py` is the other end.

It limits itself before anything of the student runs. Every test gets checkers that are imported
anew, and the judges, which no other cell gets. A test that passes runs once more, on the same
answer made wrong (`spoil`): it must fail then.
"""

import contextlib
import functools
import importlib
import io
import json
import os
import resource
import signal
import sys
import types
from pathlib import Path

MB = 10**6


class Paper(io.StringIO):
    """What a cell prints; more than 4 MB are an error."""

    def write(self, text):
        """Keep the text."""
        if self.tell() + len(text) > 4 * MB:
            raise RuntimeError("the cell wrote more than 4 MB of output")
        return super().write(text)


def spoil(answer):
    """An answer of the same form, but wrong: numbers moved, truths turned, texts longer."""
    import numpy as np
    import pandas as pd

    if isinstance(answer, bool | np.bool_):
        return not answer
    if isinstance(answer, np.ndarray | pd.DataFrame | pd.Series | np.number | int | float):
        with contextlib.suppress(TypeError):  # of texts in an array
            return ~answer if str(getattr(answer, "dtype", "")) == "bool" else answer + 1
        return answer[:0]
    if isinstance(answer, str):
        return answer + "?"
    if isinstance(answer, dict):
        return {key: spoil(value) for key, value in answer.items()}
    if type(answer) in (list, tuple, set):
        return type(answer)(map(spoil, answer))
    if callable(answer) and not isinstance(answer, type):
        return functools.wraps(answer)(lambda *args, **kwargs: spoil(answer(*args, **kwargs)))
    return object()


class Runner:
    """The shell of one notebook, and the folder with the checkers."""

    def __init__(self, folder):
        from IPython.core.interactiveshell import InteractiveShell

        self.folder, self.shell = folder, InteractiveShell.instance()
        self.modules = ["treelab.checkers", *(p.stem for p in folder.glob("checks_*.py"))]
        self.shell.displayhook.write_output_prompt = lambda: None
        with contextlib.suppress(ImportError):  # on nobody's time
            importlib.import_module("treelab.checkers")
        self.shell.showtraceback = self.shell.showsyntaxerror = lambda *args, **kwargs: None
        self.run_cell, self.finders = self.shell.run_cell, list(sys.meta_path)
        self.shell.user_ns.update(exit=sys.exit, quit=sys.exit)

    def run(self, source, seconds):
        """Run a cell: its error ("" if none) and message, text and images."""
        from IPython.utils.capture import capture_output

        paper, shown, error = Paper(), None, None
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            with contextlib.redirect_stdout(paper), contextlib.redirect_stderr(paper):
                with capture_output(stdout=False, stderr=False) as shown:
                    signal.setitimer(signal.ITIMER_REAL, seconds)
                    result = self.run_cell(source)
                    signal.setitimer(signal.ITIMER_REAL, 0)
            error = result.error_before_exec or result.error_in_exec
        except BaseException as other:
            error = other
        late = isinstance(error, KeyboardInterrupt)
        data = [output.data for output in shown.outputs] if shown else []
        texts = [paper.getvalue(), *(str(d.get("text/plain", "")) for d in data)]
        images = [d["image/png"] for d in data if 0 < len(d.get("image/png", "")) < MB]
        message = f"the cell ran for more than {seconds:g} seconds" if late else str(error or "")
        return {
            "error": "Timeout" if late else type(error).__name__ if error else "",
            "message": message[:2000],
            "text": "\n".join(filter(None, texts))[:20_000],
            "images": images[:3],
        }

    def test(self, source, seconds, names, judges, number):
        """Run a test, and see that it could have failed.

        `names` are the answers that it tests, `judges` the modules of judges, by name, and `number`
        is that of the student.
        """
        space = self.shell.user_ns
        sys.meta_path[:] = self.finders
        sys.path.insert(0, str(self.folder))
        for name in self.modules:
            sys.modules.pop(name, None)
        for name in self.modules:
            importlib.import_module(name)
        checkers = sys.modules["treelab.checkers"]
        checkers._NUMBER = number
        for name, text in judges.items():
            sys.modules[name] = types.ModuleType(name)
            exec(compile(text, name, "exec"), vars(sys.modules[name]))
        space.update({name: getattr(checkers, name) for name in ("check", "verdict", "fairly")})
        said = self.run(source, seconds)
        if not said["error"]:
            kept = {name: space[name] for name in names if name in space}
            space.update({name: spoil(answer) for name, answer in kept.items()})
            if not self.run(source, seconds)["error"]:
                said.update(error="Tampered", message="after this cell no test could fail any more")
            space.update(kept)
        for name in judges:
            sys.modules.pop(name, None)
        return said


def main(folder, memory, file_size, seconds, processes):
    """Serve until the other end is closed."""
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w", buffering=1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    limits = {"AS": memory, "FSIZE": file_size, "CPU": seconds, "CORE": 0, "NPROC": processes}
    for name, value in limits.items():
        if value >= 0:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))
    for path in folder.iterdir():
        if path.is_file():
            os.symlink(path, path.name)
    runner = Runner(folder)
    print(json.dumps({"word": "ready"}), file=answers)
    for line in requests:
        request = json.loads(line)
        word, way = request.pop("word"), request.pop("do")
        print(json.dumps({"word": word, **getattr(runner, way)(**request)}), file=answers)


if __name__ == "__main__":
    sys.path[0] = ""
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
