"""Runs the cells of a notebook in a Jupyter kernel, in the sandbox; `sandbox.py` is outside.

It reads one JSON object and writes a line when the kernel is ready, and one for each cell. What a
student wrote runs in the kernel alone, a process that can neither read nor write these lines. Every
test gets checkers that are imported anew, and the judges, which no other cell gets. A test that
passes runs once more, on the same answer made wrong (`spoil`): it must fail then.
"""

import contextlib
import ctypes
import functools
import importlib
import json
import os
import re
import signal
import sys
import types
from pathlib import Path
from subprocess import DEVNULL

from jupyter_client.manager import start_new_kernel

PR_SET_DUMPABLE, PNG = 4, re.compile(r"[A-Za-z0-9+/=\s]{1,1000000}")
# The kernel gets this file anew for every call: what a student has run may have changed it.
CALL = "exec({text!r}, _grader := {{'__name__': ''}})\n_grader[{name!r}](globals(), *{given!r})"


def spoil(answer):
    """An answer of the same form, but wrong: numbers moved, truths turned, texts longer."""
    if isinstance(answer, str):
        return answer + "?"
    if isinstance(answer, dict):
        return {key: spoil(value) for key, value in answer.items()}
    if type(answer) in (list, tuple, set):
        return type(answer)(map(spoil, answer))
    if callable(answer) and not isinstance(answer, type):
        return functools.wraps(answer)(lambda *args, **kwargs: spoil(answer(*args, **kwargs)))
    truth = str(getattr(answer, "dtype", type(answer).__name__)) == "bool"
    for wrong in (lambda: answer ^ True if truth else answer + 1, lambda: answer[:0], object):
        with contextlib.suppress(TypeError):  # of texts in an array
            return wrong()


def prepare(space, folder, judges, number):
    """Import the checkers and the judges of a test, and tell them the student's number."""
    sys.path.insert(0, folder)
    names = ["treelab.checkers", *(path.stem for path in Path(folder).glob("checks_*.py"))]
    for name in names:
        sys.modules.pop(name, None)
    checkers, *_ = map(importlib.import_module, names)
    checkers._NUMBER = number
    for name, text in judges.items():
        sys.modules[name] = types.ModuleType(name)
        exec(compile(text, name, "exec"), vars(sys.modules[name]))
    space.update({name: getattr(checkers, name) for name in ("check", "verdict", "fairly")})


def make_wrong(space, names):
    """Put wrong answers in the place of those with these names."""
    space["_kept"] = {name: space[name] for name in names if name in space}
    space.update({name: spoil(answer) for name, answer in space["_kept"].items()})


def tidy(space, judges):
    """Put the answers back, and take the judges away."""
    space.update(space.pop("_kept", {}))
    for name in judges:
        sys.modules.pop(name, None)


class Runner:
    """A kernel, and what its cells say.

    Parameters
    ----------
    folder : Path
        What stands beside the notebook.
    """

    def __init__(self, folder):
        options = ["--HistoryManager.enabled=False", "--IPKernelApp.capture_fd_output=False"]
        quiet = {"stdout": DEVNULL, "stderr": DEVNULL, "extra_arguments": options}
        self.kernel, client = start_new_kernel(**quiet)
        signal.signal(signal.SIGCHLD, lambda *_: os._exit(1))  # the kernel has ended
        quiet = {"store_history": False, "allow_stdin": False, "stop_on_error": False}
        self.ask = functools.partial(client.execute_interactive, **quiet)
        self.folder, self.text = str(folder), Path(__file__).read_text(encoding="utf-8")

    def run(self, source, seconds=60):
        """Run a cell: its error ("" if none) and message, text and images."""
        said = {"text": "", "images": []}

        def keep(message):
            data = message["content"].get("data", {})
            text, image = data.get("text/plain", ""), data.get("image/png", "")
            text = message["content"].get("text") or text
            said["text"] += text[: 20_000 - len(said["text"])]
            if PNG.fullmatch(image) and len(said["images"]) < 3:
                said["images"].append(image)

        try:
            reply = self.ask(source, timeout=seconds, output_hook=keep)["content"]
            kind, message = reply.get("ename", ""), reply.get("evalue", "")[:2000]
            message = f"{kind}: {message}" if kind not in ("", "AssertionError") else message
        except TimeoutError:
            kind, message = "TimeoutError", f"the cell ran for more than {seconds:g} seconds"
            self.kernel.interrupt_kernel()
            try:
                self.ask("", timeout=2 + seconds, output_hook=id)
            except TimeoutError:
                kind, message = "Stopped", "the cell did not end when it was interrupted"
        return {"error": kind, "message": message, **said}

    def call(self, function, *given):
        """Call a function of this file in the kernel."""
        return self.run(CALL.format(text=self.text, name=function, given=given))

    def test(self, source, seconds, names, judges, number):
        """Run a test, and see that it could have failed.

        `names` are the answers that it tests, `judges` the modules of judges, by name, and `number`
        is that of the student.
        """
        said = self.call("prepare", self.folder, judges, number)
        said = said if said["error"] else self.run(source, seconds)
        if not said["error"]:
            self.call("make_wrong", names)
            if not self.run(source, seconds)["error"]:
                said.update(error="Tampered", message="after this cell no test could fail any more")
        self.call("tidy", list(judges))
        return said


def main(folder):
    """Run all cells, until one of them cannot be ended."""
    for path in filter(Path.is_file, folder.iterdir()):
        os.symlink(path, path.name)
    runner = Runner(folder)
    with contextlib.suppress(AttributeError):  # of systems that are not Linux
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)
    for way, *given in json.load(sys.stdin):
        said = getattr(runner, way)(*given)
        print(json.dumps(said), flush=True)
        if said["error"] == "Stopped":
            break
    os._exit(0)  # the kernel ends with all that is in the sandbox


if __name__ == "__main__":
    main(Path(sys.argv[1]))
