"""Running one submission: the student's cells and the tests, in a kernel with limits.

Whether a test is passed is decided here, outside the student's process. A cell that runs too long
is interrupted; a kernel that dies, or must be killed, is replaced, and what came before is run
again in the new one without the cell that did it.
"""

import json
import os
import queue
import re
import secrets
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from jupyter_client import BlockingKernelClient
from jupyter_client.connect import write_connection_file

HERE = Path(__file__).resolve().parent
ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
MB = 2**20
SILENCE = 4.0  # seconds after which nothing more is expected of a cell that has answered


@dataclass(frozen=True)
class Limits:
    """What one submission may use."""

    cell: float = 30  # seconds on the clock, for one cell
    submission: float = 600  # seconds on the clock, for all of them
    memory: int = 3000  # MB, of address space for a process, and held by all of them
    file: int = 100  # MB, for one file
    disk: int = 300  # MB, for all files
    processes: int = 24  # at the same time, the kernel included
    output: int = 8  # MB, printed or drawn by one cell
    restarts: int = 3  # kernels after the first
    grace: float = 2  # seconds from interrupt to kill


@dataclass(frozen=True)
class Step:
    """A cell to run: of the assignment ("given"), an "answer", an "added" cell, or a "test"."""

    kind: str
    source: str
    grade_id: str = ""


@dataclass
class Outcome:
    """How a cell ended.

    `status` is one of "ok", "error", "time" (interrupted), "dead" (the kernel is gone), "tampered"
    (the tests can no longer fail), "not run".
    """

    status: str
    error: str = ""  # the exception's name
    message: str = ""
    text: str = ""  # what it printed, its beginning
    images: list = field(default_factory=list)  # PNG, base64


class Gone(Exception):
    """The kernel has died or was killed, for the reason given."""


class Nursery:
    """The process that starts kernels (see ``nursery.py``), for one submission after another."""

    def __init__(self):
        self.process = None

    def ask(self, **order):
        """Send an order and return the answer; starts the process where there is none."""
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [sys.executable, str(HERE / "nursery.py")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                start_new_session=True,
                env={**os.environ, **THREADS, "MPLBACKEND": INLINE},
            )
            self.answer()  # ready
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self):
        """The next line from the process."""
        if not select.select([self.process.stdout], [], [], 120)[0]:
            self.process.kill()
        return json.loads(self.process.stdout.readline() or "{}")

    def end(self):
        """Kill the kernel and all that came of it; the nursery too, when it does not answer."""
        if self.process is None:
            return
        try:
            self.ask(do="end")
        except (OSError, ValueError):
            self.process.kill()
            self.process.wait()
            self.process = None

    def close(self):
        """End the process."""
        if self.process is not None and self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None


INLINE = "module://matplotlib_inline.backend_inline"
# One thread, and joblib works in one process, whatever n_jobs says.
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
THREADS["JOBLIB_MULTIPROCESSING"] = "0"


def environment(work, checks):
    """The environment variables of a kernel: what it needs, nothing of the teacher's."""
    kept = ("PATH", "LANG", "LC_ALL", "TREELAB_DATA", "PYTHONHASHSEED")
    given = {name: os.environ[name] for name in kept if name in os.environ}
    data = os.environ.get("SCIKIT_LEARN_DATA", str(Path.home() / "scikit_learn_data"))
    return {
        **given,
        **THREADS,
        "PYTHONPATH": str(checks),
        "HOME": str(work),
        "TMPDIR": str(work),
        "SCIKIT_LEARN_DATA": data,
        "MPLCONFIGDIR": str(work),
        "MPLBACKEND": INLINE,
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }


def readable():
    """Folders that a kernel reads: Python, the system's libraries, treelab, the data sets."""
    import treelab

    system = ["/usr", "/lib", "/lib64", "/bin", "/etc", "/proc", "/sys", "/dev"]
    own = [sys.prefix, sys.base_prefix, os.path.realpath(sys.prefix), *treelab.__path__]
    own += [os.environ.get("TREELAB_DATA", ""), os.environ.get("SCIKIT_LEARN_DATA", "")]
    own += [str(Path.home() / "scikit_learn_data")]
    return [*system, *filter(None, own)]


PRELUDE = """\
def _prepare():
    import importlib, sys
    for name in {modules!r}:
        sys.modules.pop(name, None)
    sys.path.insert(0, {folder!r})
    for name in {modules!r}:
        importlib.import_module(name)
    sys.path.remove({folder!r})
    return sys.modules["treelab.checkers"]
check, verdict = (lambda checkers: (checkers.check, checkers.verdict))(_prepare())
del _prepare
"""


class Session:
    """The kernels of one submission, one after another, in one scratch folder.

    Parameters
    ----------
    nursery : Nursery
    limits : Limits
    files : dict of str to bytes
        The assignment's files beside the notebook (its checkers), by name.
    modules : list of str
        The modules that every test imports anew.
    """

    def __init__(self, nursery, limits, files, modules):
        self.nursery, self.limits, self.files, self.modules = nursery, limits, files, modules
        self.base = Path(tempfile.mkdtemp(prefix="grade-"))
        self.work, self.checks = self.base / "work", self.base / "checks"
        self.begun = time.monotonic()
        self.number = 0
        self.client = self.kernel = None

    def start(self):
        """Start a kernel in an empty scratch folder.

        Raises
        ------
        Gone
            If it does not come up.
        """
        self.stop()
        self.number += 1
        net = self.base / f"net{self.number}"
        for folder in (self.work, self.checks):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True, exist_ok=True)
        net.mkdir()
        for name, content in self.files.items():
            (self.checks / name).write_bytes(content)
            (self.work / name).write_bytes(content)
        connection = net / "kernel.json"
        write_connection_file(str(connection), transport="ipc", ip=str(net / "k"))
        answer = self.nursery.ask(
            do="start",
            connection=str(connection),
            work=str(self.work),
            checks=str(self.checks),
            environment=environment(self.work, self.checks),
            memory=self.limits.memory * MB,
            seconds=int(self.limits.submission) + 1,
            file_size=self.limits.file * MB,
            writable=[str(self.work), str(net), "/dev/null"],
            readable=[*readable(), str(self.checks)],
            listable=[str(Path(p).parent) for p in sys.modules["treelab"].__path__],
            log=str(net / "log"),
        )
        try:
            self.kernel = psutil.Process(answer["pid"])
        except (KeyError, psutil.Error):
            raise Gone("the kernel did not start") from None
        self.client = BlockingKernelClient()
        self.client.load_connection_file(str(connection))
        self.client.start_channels(stdin=False, hb=False)
        self.wait_for_both_channels(time.monotonic() + 60)

    def wait_for_both_channels(self, until):
        """Ask until the kernel has answered and is heard to publish.

        What it publishes before the subscription has reached it is lost, the end of a cell too.

        Parameters
        ----------
        until : float
            In the seconds of `time.monotonic`.

        Raises
        ------
        Gone
        """
        channels = [self.client.get_shell_msg, self.client.get_iopub_msg]
        while channels:
            self.client.kernel_info()
            for get in list(channels):
                try:
                    get(timeout=0.2)
                    channels.remove(get)
                except queue.Empty:
                    self.watch()
            if time.monotonic() > until:
                raise Gone("the kernel did not start")

    def stop(self):
        """End the kernel and everything that came of it."""
        if self.client is not None:
            self.client.stop_channels()
            self.client.context.destroy(linger=0)
        self.client = self.kernel = None
        self.nursery.end()

    def close(self):
        """End the kernel and remove the scratch folder."""
        self.stop()
        for folder, _, _ in os.walk(self.base):
            os.chmod(folder, 0o700)
        shutil.rmtree(self.base, ignore_errors=True)

    def watch(self):
        """Look at the kernel from outside.

        Raises
        ------
        Gone
            If it has died, or uses more than it may.
        """
        try:
            family = [self.kernel, *self.kernel.children(recursive=True)]
            if self.kernel.status() == psutil.STATUS_ZOMBIE:
                raise psutil.NoSuchProcess(self.kernel.pid)
        except psutil.NoSuchProcess:
            raise Gone("the process ended (exit, memory or a crash)") from None
        if len(family) > self.limits.processes:
            raise Gone(f"more than {self.limits.processes} processes")
        most = self.limits.memory * MB
        # Pages that several processes share are counted once, at a price: only when it matters.
        if held_by(family, "rss") > most and held_by(family, "pss") > most:
            raise Gone(f"more than {self.limits.memory} MB of memory")
        if size_of(self.work) > self.limits.disk * MB:
            raise Gone(f"more than {self.limits.disk} MB of files")

    def run(self, source, history=True):
        """Run one cell.

        Parameters
        ----------
        source : str
        history : bool, default=True

        Returns
        -------
        Outcome
            Its status is never "dead".

        Raises
        ------
        Gone
        """
        left = self.begun + self.limits.submission - time.monotonic()
        if left <= 0:
            return Outcome("not run", message="the time for the whole notebook was used up")
        until = time.monotonic() + min(self.limits.cell, left)
        client, outcome = self.client, Outcome("ok")
        sent = client.execute(source, store_history=history, allow_stdin=False, stop_on_error=False)
        size, looked, interrupted = 0, 0.0, ""
        idle, reply, heard = False, None, time.monotonic()
        # In a flood of output a message can be lost, the one that says "idle" too.
        while reply is None or not (idle or time.monotonic() - heard > SILENCE):
            if not idle and (message := receive(client.get_iopub_msg, 0.1, sent)):
                heard = time.monotonic()
                kind, content = message["msg_type"], message["content"]
                idle = kind == "status" and content["execution_state"] == "idle"
                size += 0 if idle else collect(outcome, kind, content)
            if reply is None and (message := receive(client.get_shell_msg, 0.1 * idle, sent)):
                heard, reply = time.monotonic(), message["content"]
            now = time.monotonic()
            if now - looked > 0.4:
                looked = now
                self.watch()
            if interrupted and now > until:
                raise Gone(interrupted)
            if not interrupted and (now > until or size > self.limits.output * MB):
                interrupted = (
                    f"the cell ran for more than {self.limits.cell:g} seconds"
                    if now > until
                    else f"the cell wrote more than {self.limits.output} MB of output"
                )
                until = now + self.limits.grace
                os.kill(self.kernel.pid, signal.SIGINT)
        if interrupted:
            outcome.status, outcome.message = "time", interrupted
        elif reply.get("status") != "ok":
            outcome.status = "error"
            outcome.error = str(reply.get("ename", ""))
            outcome.message = ANSI.sub("", str(reply.get("evalue", "")))[:2000]
        return outcome

    def test(self, source):
        """Run a test cell with the assignment's own checkers, and see that it could have failed.

        Parameters
        ----------
        source : str

        Returns
        -------
        Outcome

        Raises
        ------
        Gone
        """
        for name, content in self.files.items():
            write_anew(self.checks / name, content)
        prelude = PRELUDE.format(
            modules=["treelab.checkers", *self.modules], folder=str(self.checks)
        )
        question = re.search(r"\b(?:check|verdict)\(\s*[\"']([\w-]+)[\"']", source)
        outcome = self.run(prelude + source, history=False)
        if outcome.status != "ok":
            return outcome
        word = secrets.token_hex(8)
        value = f"verdict({question.group(1)!r}, object())[0]" if question else "False"
        canary = self.run(f"assert {value}, {word!r}", history=False)
        if canary.status == "ok" or (canary.error, canary.message) != ("AssertionError", word):
            outcome.status = "tampered"
            outcome.message = "after this cell no test could fail any more: read the notebook"
        return outcome


def receive(get, timeout, sent):
    """The next message of a channel, if there is one that answers the message `sent`.

    Raises
    ------
    Gone
        If what comes is no message: somebody else writes to the channel.
    """
    try:
        message = get(timeout=timeout)
        return message if message["parent_header"].get("msg_id") == sent else None
    except queue.Empty:
        return None
    except Exception:
        raise Gone("the connection to the process was disturbed") from None


def collect(outcome, kind, content):
    """Keep what is worth keeping of an output; its size in characters."""
    if kind == "stream":
        text = str(content.get("text", ""))
        room = 20_000 - len(outcome.text)
        if room > 0:
            outcome.text += ANSI.sub("", text[:room])
        return len(text)
    if kind in ("display_data", "execute_result"):
        data = content.get("data", {})
        image = data.get("image/png")
        if isinstance(image, str) and len(image) < MB and len(outcome.images) < 3:
            if re.fullmatch(r"[A-Za-z0-9+/=\s]+", image):
                outcome.images.append("".join(image.split()))
        return sum(len(str(value)) for value in data.values())
    return len(str(content)) if kind == "error" else 0


def held_by(processes, kind):
    """The memory of several processes, in bytes: "rss", or "pss" where there is such a thing."""
    total = 0
    for process in processes:
        try:
            info = process.memory_info() if kind == "rss" else process.memory_full_info()
            total += getattr(info, kind, info.rss)
        except psutil.Error:
            continue
    return total


def size_of(folder):
    """The size of all files in a folder, in bytes."""
    total, stack = 0, [folder]
    while stack:
        try:
            for entry in os.scandir(stack.pop()):
                if entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
                else:
                    total += entry.stat(follow_symlinks=False).st_size
        except OSError:
            continue
    return total


def write_anew(path, content):
    """Write a file even if something else has been put in its place."""
    if path.is_file() and not path.is_symlink() and path.read_bytes() == content:
        return
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    path.write_bytes(content)


def run_all(steps, session):
    """Run all cells, whatever they do.

    Parameters
    ----------
    steps : list of Step
    session : Session

    Returns
    -------
    list of Outcome
        One for each step.
    """
    outcomes = [Outcome("not run", message="the notebook had stopped before") for _ in steps]
    barred = set()  # cells that have killed a kernel, or did not end
    alive = False
    position = 0
    while position < len(steps):
        current = None
        try:
            if not alive:
                if session.number > session.limits.restarts:
                    break
                session.start()
                alive = True
                for k in range(position):
                    if steps[k].kind != "test" and k not in barred:
                        current = k
                        session.run(steps[k].source)
            current = position
            step = steps[position]
            outcome = session.test(step.source) if step.kind == "test" else session.run(step.source)
            if outcome.status == "time":
                barred.add(position)
            outcomes[position] = outcome
            position += 1
        except Gone as reason:
            alive = False
            if current is None:
                continue  # no cell is to blame; another try, as long as there are restarts left
            barred.add(current)
            outcomes[current].status = "dead"
            outcomes[current].message = f"this cell ended the run: {reason}"
            position += current == position
    return outcomes
