"""Runs the cells of a notebook in a Jupyter kernel, in the sandbox; `sandbox.py` is outside.

It reads them as JSON, and writes a line for each. What a student wrote runs in the kernel alone, a
process that can neither read nor write these lines. A test is a call of `test`, with this file as
it is, in the kernel.
"""

import contextlib
import ctypes
import functools
import importlib
import json
import os
import queue
import re
import sys
import time
import types
from signal import SIGCHLD, signal
from subprocess import DEVNULL

LONGEST_START = 600  # seconds on the clock
CHECKERS = "treelab.exercises.checkers", "treelab.checkers"  # where they are, and a second name
PR_SET_DUMPABLE, PNG = 4, re.compile(r"[A-Za-z0-9+/=\s]{1,1000000}")
OPTIONS = ["--HistoryManager.enabled=False", "--IPKernelApp.capture_fd_output=False"]


def spoil(answer):
    """An answer of the same form, but wrong: numbers moved, truths turned, texts longer."""
    if isinstance(answer, str):
        return answer + "?"
    if isinstance(answer, dict) and answer:
        return {key: spoil(value) for key, value in answer.items()}
    if type(answer) in (list, tuple, set) and answer:
        return type(answer)(map(spoil, answer))
    if callable(answer) and not isinstance(answer, type):
        return functools.wraps(answer)(lambda *args, **kwargs: spoil(answer(*args, **kwargs)))
    truth = str(getattr(answer, "dtype", type(answer).__name__)) == "bool"
    for wrong in (lambda: answer ^ True if truth else answer + 1, lambda: answer[:0], object):
        with contextlib.suppress(Exception):  # such as that of texts in an array
            if repr(value := wrong()) != repr(answer):
                return value


def test(space, source, names, modules, number, word):
    """Run a test, and say the word if it passes, and fails on the same answers made wrong.

    Parameters
    ----------
    space : dict
        All names of the notebook.
    source : str
    names : list of str
        The answers that it tests.
    modules : dict of str to str
        The checkers, and the judges, which no other cell gets. All are imported anew.
    number : int
        That of the student.
    word : str
        What to say; a kernel in which nothing runs does not know it.

    Raises
    ------
    AssertionError
        With a hint, or the word.
    """
    for name in CHECKERS:
        sys.modules.pop(name, None)
    checkers = importlib.import_module(CHECKERS[0])
    checkers._NUMBER = number
    for name, text in modules.items():
        sys.modules[name] = types.ModuleType(name)
        exec(compile(text, name, "exec"), vars(sys.modules[name]))
    space.update({name: getattr(checkers, name) for name in ("check", "verdict", "fairly")})
    answers = {name: space[name] for name in names if name in space}
    try:
        exec(source, space)
        space.update({name: spoil(answer) for name, answer in answers.items()})
        try:
            with contextlib.redirect_stdout(None):
                exec(source, space)
        except BaseException:
            raise AssertionError(word) from None
    finally:
        space.update(answers)
        for name in filter(re.compile("judges_").match, modules):
            sys.modules.pop(name, None)


def ask(client, process, source, seconds, patience, keep):
    """Let the kernel run a cell, and wait; its reply.

    Parameters
    ----------
    client : KernelClient
    process : psutil.Process
        That of the kernel.
    source : str
    seconds : float
        Processor time of the kernel.
    patience : float
        How many seconds on the clock each of these may take.
    keep : callable
        Gets every message of the cell.

    Raises
    ------
    TimeoutError
        If the cell takes longer.
    """
    begun, used = time.monotonic(), sum(process.cpu_times()[:2])
    quiet = {"store_history": False, "allow_stdin": False, "stop_on_error": False}
    cell, idle = client.execute(source, **quiet), False
    while True:
        with contextlib.suppress(queue.Empty):
            get = client.get_shell_msg if idle else client.get_iopub_msg
            message = get(timeout=0.1)
            if message["parent_header"].get("msg_id") == cell:
                if idle:
                    return message["content"]
                idle = message["content"].get("execution_state") == "idle"
                keep(message)
        longest = max(sum(process.cpu_times()[:2]) - used, (time.monotonic() - begun) / patience)
        if longest > seconds:
            raise TimeoutError


def run(ask, interrupt, source, seconds):
    """Run a cell: its error ("" if none), message, text and images.

    Parameters
    ----------
    ask : callable
        Sends a cell to the kernel, and waits.
    interrupt : callable
        Interrupts the kernel.
    source : str
    seconds : float
        Of processor time.

    Returns
    -------
    dict
    """
    said = {"text": "", "images": []}

    def keep(message):
        data = message["content"].get("data", {})
        text = str(message["content"].get("text") or data.get("text/plain", ""))
        said["text"] += text[: 20_000 - len(said["text"])]
        if PNG.fullmatch(image := str(data.get("image/png", ""))) and len(said["images"]) < 3:
            said["images"].append(image)

    try:
        reply = ask(source, seconds, keep=keep)
        kind, message = reply.get("ename", ""), reply.get("evalue", "")[:2000]
        message = f"{kind}: {message}" if kind not in ("", "AssertionError") else message
    except TimeoutError:
        kind, message = "TimeoutError", f"the cell ran for more than {seconds:g} seconds"
        interrupt()
        try:
            ask("", 2 + seconds, keep=id)
        except TimeoutError:
            kind, message = "Stopped", "the cell did not end when it was interrupted"
    return {"error": kind, "message": message, **said}


def main():
    """Run all cells, until one of them cannot be ended."""
    from jupyter_client.manager import start_new_kernel
    from psutil import Process

    cells, patience = json.load(sys.stdin)
    kernel, client = start_new_kernel(startup_timeout=LONGEST_START, stdout=DEVNULL, stderr=DEVNULL,
                                      extra_arguments=OPTIONS)  # fmt: skip
    # When the kernel has ended, and not only something that it left.
    signal(SIGCHLD, lambda *_: kernel.provisioner.process.poll() is None or os._exit(1))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0)
    own = functools.partial(ask, client, Process(kernel.provisioner.pid), patience=patience)
    for source, seconds in cells:
        said = run(own, kernel.interrupt_kernel, source, seconds)
        print(json.dumps(said), flush=True)
        if said["error"] == "Stopped":
            break
    os._exit(0)  # the kernel ends with all that is in the sandbox


if __name__ == "__main__":
    main()
