"""Executes notebooks for nbgrader in bubblewrap, a sandbox that others have made and tested.

`Sandboxed` stands in the place of nbgrader's `Execute`. What runs sees Python, treelab, the data
sets and the checkers, all to be read only; it writes to one folder in memory. It has no network, no
other processes and none of the teacher's environment, and speaks with the grader by two pipes.

Vocabulary: to bind, to show a file of the machine in the sandbox, under the same path.
"""

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil
from make_homework import beside, given, mark, question_of
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution
from traitlets import Bool, Float, Integer

import treelab

from .rebuild import course_of, numbers

MB = 10**6
TESTED = re.compile(r"\b(?:check|verdict)\(\s*[\"']([\w-]+)[\"'],\s*(\w+)")
NUMBER = re.compile(r"^NUMBER = (\d+)\b", re.M)
# Of the teacher's environment, what a notebook needs; one thread, and joblib in one process.
KEPT = "LANG", "LC_ALL", "PYTHONHASHSEED", "TREELAB_DATA"
SET = {"MPLBACKEND": "module://matplotlib_inline.backend_inline", "JOBLIB_MULTIPROCESSING": "0",
       "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # fmt: skip
BWRAP = """bwrap --unshare-all --unshare-user --disable-userns --uid 65534 --gid 65534 --new-session
    --cap-drop ALL --die-with-parent --dev-bind /dev/null /dev/null --dev-bind /dev/zero /dev/zero
    --dev-bind /dev/random /dev/random --dev-bind /dev/urandom /dev/urandom""".split()
BOUND = "/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", sys.prefix, sys.base_prefix
SHUT = "--proc /proc --remount-ro /proc --remount-ro /".split()


class Gone(Exception):
    """What ran has ended or was ended, for the reason given."""


class Sandbox:
    """One process that runs cells, in bubblewrap unless `limits.unsafe`.

    Parameters
    ----------
    files : list of Path
        What it finds beside the notebook.
    limits : Sandboxed
    """

    def __init__(self, files, limits):
        self.limits, self.reason, self.until = limits, "", time.monotonic() + 60
        self.folder = Path(tempfile.mkdtemp(prefix="grade-"))
        work = self.folder / "work"
        work.mkdir()
        for file in [*files, Path(__file__).with_name("inside.py")]:
            shutil.copy(file, self.folder)
        data = os.environ.get("SCIKIT_LEARN_DATA", str(Path.home() / "scikit_learn_data"))
        given = SET | {name: os.environ[name] for name in KEPT if name in os.environ}
        given |= {"SCIKIT_LEARN_DATA": data, "PYTHONPATH": str(Path(treelab.__file__).parents[1])}
        given |= dict.fromkeys(("HOME", "TMPDIR", "MPLCONFIGDIR", "IPYTHONDIR"), str(work))
        command = []
        if not limits.unsafe:
            bound = [*BOUND, *treelab.__path__, data, os.environ.get("TREELAB_DATA", data)]
            bound += [*map(os.path.realpath, bound), str(self.folder)]
            command = [shutil.which("bwrap"), *BWRAP[1:]]
            for path in filter(os.path.exists, bound):
                command += ["--ro-bind", path, path]
            command += ["--size", str(limits.disk * MB), "--tmpfs", str(work), *SHUT]
            command += ["--chdir", str(work)]
        processes = -1 if limits.unsafe else 8 * limits.processes  # threads count, too
        numbers = limits.memory * MB, limits.file * MB, int(limits.notebook) + 30, processes
        command += [sys.executable, self.folder / "inside.py", self.folder, *map(str, numbers)]
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=nothing, env=given, cwd=work,
            start_new_session=True,
        )  # fmt: skip
        threading.Thread(target=self.watch, daemon=True).start()

    def ask(self, patience=60, **request):
        """Send a request and wait for its answer; without one, wait until it is ready.

        Raises
        ------
        Gone
            If there is none within the seconds given, or too much is used on the way.
        """
        word = secrets.token_hex(8) if request else "ready"
        self.until, line = time.monotonic() + patience, b""
        with contextlib.suppress(OSError, ValueError, TypeError, AttributeError, KeyError):
            if request:
                self.process.stdin.write(json.dumps({"word": word, **request}).encode() + b"\n")
                self.process.stdin.flush()
            line = self.process.stdout.readline(20 * MB)
            answer = json.loads(line)
            if answer.pop("word") == word:
                return answer
        ended = "the process ended (exit, memory or a crash)"
        time.sleep(0.3 * (not line))  # for the thread to say why
        raise Gone(self.reason or ("the connection was disturbed" if line else ended))

    def watch(self):
        """See from outside that no more time, processes and memory are used than may be."""
        while self.process.poll() is None:
            with contextlib.suppress(psutil.Error):
                first = psutil.Process(self.process.pid)
                family = [first, *first.children(recursive=True)]
                if time.monotonic() > self.until:
                    self.end("the cell did not end when it was interrupted")
                elif len(family) > self.limits.processes:
                    self.end(f"more than {self.limits.processes} processes")
                elif sum(process.memory_info().rss for process in family) > self.limits.memory * MB:
                    # Pages that several share do not count, but finding out takes time.
                    held = sum(process.memory_full_info().uss for process in family)
                    if held > self.limits.memory * MB:
                        self.end(f"more than {self.limits.memory} MB of memory")
            time.sleep(0.1)

    def end(self, reason):
        """End all that runs; bubblewrap takes everything inside with it."""
        self.reason = self.reason or reason
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def close(self):
        """End what runs and remove what it leaves."""
        self.end("")
        self.process.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)


class Sandboxed(NbGraderPreprocessor):
    """Executes the cells of a notebook, in the place of nbgrader's `Execute`.

    A cell that ends the process, or does not end when interrupted, is left out, and those before it
    run again in a new process.
    """

    cell = Float(30, help="seconds on the clock for one cell").tag(config=True)
    notebook = Float(600, help="seconds on the clock for all cells").tag(config=True)
    memory = Integer(3000, help="MB, of each process and of all").tag(config=True)
    disk = Integer(300, help="MB, of all files").tag(config=True)
    file = Integer(100, help="MB, of one file").tag(config=True)
    processes = Integer(24, help="at the same time").tag(config=True)
    restarts = Integer(3, help="processes after the first").tag(config=True)
    unsafe = Bool(False, help="run without bubblewrap").tag(config=True)
    ready = {}  # (student, assignment) -> notebook that has been executed

    def preprocess(self, nb, resources):
        """The notebook with outputs; ``metadata.treelab`` of a cell has its status and message."""
        own = resources["nbgrader"]["student"], resources["nbgrader"]["assignment"]
        if own in self.ready:
            return self.ready.pop(own), resources
        cells = [cell for cell in nb.cells if cell.cell_type == "code"]
        files = beside(course_of(self) / "source" / own[1])
        judges = {path.stem: path.read_text(encoding="utf-8") for path in files if not given(path)}
        number = numbers(course_of(self))[own[0]]
        answers = self.run(cells, [*filter(given, files)], judges, number)
        for position, cell in enumerate(cells):
            write_outputs(cell, **answers[position])
        notes = [*explain(cells), *nb.metadata.treelab.get("notes", ())]
        used = [(cell, found) for cell in cells if (found := NUMBER.search(cell.source))]
        if used and int(used[-1][1][1]) != number:
            notes.append(f"worked with the number {used[-1][1][1]}, and has {number}")
            text = f"Your number is {number}: by it the answers by hand are judged.\n"
            used[-1][0].outputs.append(new_output("stream", text=text))
        nb.metadata.treelab.notes = notes
        return nb, resources

    def run(self, cells, files, judges, number):
        """What each cell says, by its place: error, message, text and images."""
        names, said, barred = {}, {}, set()
        for question, name in TESTED.findall("\n".join(c.source for c in cells if is_test(c))):
            names.setdefault(question, set()).add(name)
        end = time.monotonic() + self.notebook
        for _ in range(1 + self.restarts):
            current = None
            with contextlib.closing(Sandbox(files, self)) as sandbox:
                try:
                    sandbox.ask()
                    for current, cell in enumerate(cells):
                        test, left = is_test(cell), min(self.cell, end - time.monotonic())
                        if current in barred or (test and current in said):
                            continue
                        if left < 0:
                            return {**dict.fromkeys(range(len(cells)), USED_UP), **said}
                        request = {"do": "run", "source": cell.source, "seconds": left}
                        patience = 2 + left * (1 + test)
                        if test:
                            asked = question_of(mark(cell)["grade_id"])
                            request |= {"do": "test", "names": list(names.get(asked, ()))}
                            request |= {"judges": judges, "number": number}
                        said.setdefault(current, answer := sandbox.ask(patience, **request))
                        if answer["error"] == "Timeout":
                            barred.add(current)
                    return said
                except Gone as gone:
                    barred.add(current)
                    dead = {"error": "Stopped", "message": f"this cell ended the run: {gone}"}
                    said |= {current: dead} if current is not None else {}
        return {**dict.fromkeys(range(len(cells)), NOT_RUN), **said}


USED_UP = {"error": "NotRun", "message": "the time for the whole notebook was used up"}
NOT_RUN = {"error": "NotRun", "message": "the notebook had stopped before"}
STATUS = {"": "passed", "Timeout": "too long", "Stopped": "stopped", "NotRun": "not run",
          "Tampered": "tampered", "AssertionError": "failed"}  # fmt: skip


def is_test(cell):
    """Whether a cell is a test that gives points."""
    return is_grade(cell) and not is_solution(cell)


def write_outputs(cell, error, message, text="", images=()):
    """Write what a cell says into it as outputs, by which nbgrader gives the points."""
    status = "not done" if message == "not done yet" else STATUS.get(error, "error")
    message = f"{error}: {message}" if status == "error" else message or error and "a test failed"
    cell.outputs = [new_output("stream", text=text)] if text else []
    images = filter(re.compile(r"[A-Za-z0-9+/=\s]+").fullmatch, images)
    cell.outputs += [new_output("display_data", {"image/png": image}) for image in images]
    if error:
        cell.outputs += [new_output("error", ename=error, evalue=message, traceback=[message])]
    cell.metadata.treelab = {"status": status, "message": message}


def explain(cells):
    """Notes on the cells; a test that misses a name says what stopped before it."""
    broken, notes = {}, []
    for cell in cells:
        own, said = mark(cell), cell.metadata.treelab
        question, bad = question_of(own.get("grade_id", "")), said["status"] != "passed"
        if said["status"] == "tampered":
            notes.insert(0, "the tests were tampered with: read the notebook")
        elif bad and own.get("solution"):
            broken[question] = said["message"]
        elif is_test(cell) and said["message"].startswith("NameError") and question in broken:
            said["message"] += f"; your cell had stopped before: {broken[question]}"
            cell.outputs[-1].traceback = [said["message"]]
        elif bad and not is_test(cell) and "added" not in cell.metadata:
            notes.append(f"given cell {own.get('grade_id', '')} stopped: {said['message']}")
    return list(dict.fromkeys(notes))
