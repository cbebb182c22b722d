"""The preprocessor of nbgrader that runs a student's answers.

`Sandboxed` stands in the place of nbgrader's `Execute`. It puts the answers into the assignment's
own notebook: every given cell and test is there then, once and in its place, whatever was deleted,
copied or edited; cells that the student added run where they stood. It executes this notebook in
bubblewrap, a sandbox that others have made and tested. What runs there sees Python, treelab, the
data sets and the checkers, all to be read only; it writes to one folder in memory. It has no
network, no other processes and none of the teacher's environment.

Vocabulary: to bind, to show a file of the machine in the sandbox, under the same path.
"""

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections import defaultdict
from copy import deepcopy
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired

import nbformat
import psutil
from make_homework import RUBRIC, beside, given, mark, question_of
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_locked, is_solution
from traitlets import Bool, Float, Integer

import treelab

MB = 10**6
TESTED = re.compile(r"\b(?:check|verdict)\(\s*[\"']([\w-]+)[\"'],\s*(\w+)")
NUMBER = re.compile(r"^NUMBER = (\d+)\b", re.M)
# Of the teacher's environment, what a notebook needs; one thread, and joblib in one process.
KEPT = "LANG", "LC_ALL", "PYTHONHASHSEED", "TREELAB_DATA"
SET = {"MPLBACKEND": "module://matplotlib_inline.backend_inline", "JOBLIB_MULTIPROCESSING": "0",
       "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TREELAB_FIGURES": "png"}  # fmt: skip
BWRAP = """bwrap --unshare-all --unshare-user --disable-userns --uid 65534 --gid 65534 --new-session
    --as-pid-1 --cap-drop ALL --die-with-parent --dev-bind /dev/null /dev/null
    --dev-bind /dev/random /dev/random --dev-bind /dev/urandom /dev/urandom""".split()
BOUND = "/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", sys.prefix, sys.base_prefix
# The first cell, which costs nobody's time: the large modules that an answer may import.
START = (
    "import matplotlib.pyplot, treelab.checkers, treelab.drawing, treelab.fast; "
    "exit = quit = __import__('sys').exit",
    60,
)
LONGEST_START = 1200  # seconds on the clock, for the sandbox, the kernel in it and the cell above
KERNEL = Path(__file__).with_name("kernel.py")
# It is read anew for every test: what a student has run may have changed what was read before.
TEST = """import builtins as _builtins
_builtins.exec(_builtins.open({!r}, encoding="utf-8").read(), _inside := {{"__name__": ""}})
_builtins.get_ipython().call_pdb = False
_inside["test"](_builtins.globals(), *{!r})"""
NOT_RUN = {"error": "NotRun", "message": "the run had ended before", "text": "", "images": []}
SHUT = "--proc /proc --remount-ro /proc --remount-ro /".split()


def numbers(course):
    """The numbers by which the tables of the homework are drawn, by student.

    Parameters
    ----------
    course : Path
        Its ``numbers.csv`` has a header and a line for each student.

    Returns
    -------
    dict of str to int
        Who is missing has 0.

    Raises
    ------
    ValueError
        If a line holds anything but a student and a whole number from 0 to 9999.
    """
    path, found = course / "numbers.csv", defaultdict(int)
    lines = path.read_text(encoding="utf-8-sig").splitlines() if path.is_file() else []
    for line in filter(str.strip, lines[1:]):
        if not (said := re.fullmatch(r"\s*(\S.*?)\s*[,;]\s*(\d{1,4})\s*", line, re.ASCII)):
            raise ValueError(f"{path}: {line!r} is not a student and a number from 0 to 9999")
        found[said[1]] = int(said[2])
    return found


def version(course, name, student="."):
    """What changes with an assignment, and with a student's submission and number.

    Parameters
    ----------
    course : Path
    name, student : str
        Of the assignment, and of the student if there is one.

    Returns
    -------
    str
    """
    folders = course / "source" / name, course / "submitted" / student / name
    paths = [path for folder in folders for path in sorted(folder.glob("[!.]*")) if path.is_file()]
    content = b"".join(map(Path.read_bytes, paths))
    return f"{sha256(content).hexdigest()} {numbers(course)[student]}"


def rebuilt(nb, source, release, begun=""):
    """Sort a student's cells into the assignment.

    Of several cells with one id the last counts, as in nbgrader; the others are added cells.

    Parameters
    ----------
    nb, source, release : NotebookNode
        As handed in, as written with hidden tests and solutions, and as handed out.
    begun : str, default=""
        The `version` of all this.

    Returns
    -------
    NotebookNode
        ``metadata.treelab`` has the version, and notes on what was odd.
    """
    sources = {name_of(cell): cell.source for cell in source.cells}
    names, known = [name_of(cell) for cell in nb.cells], set(map(name_of, release.cells))
    answers, added, waiting, notes, cells = {}, defaultdict(list), [], [], []
    for place, (name, cell) in enumerate(zip(names, nb.cells), 1):
        if name in known and name not in names[place:]:
            answers[name], added[name], waiting = cell.source, waiting, []
        elif cell.cell_type == "code":
            waiting.append(new_code_cell(cell.source))
    for cell in deepcopy(release.cells):
        name, own, after = name_of(cell), answers.get(name_of(cell)), []
        odd = "is missing" if own is None else "was edited" * (same(own) != same(cell.source))
        if odd and is_test(cell) or own is None and is_solution(cell):
            notes.append(f"the cell {name} {odd}")
        if is_test(cell):
            cell.source = sources[name]
        elif is_locked(cell):
            after = [new_code_cell(own)] if own and odd and cell.cell_type == "code" else []
        elif odd and own is not None:
            cell.source = own
            if cell.cell_type == "markdown":  # what a student wrote runs in nobody's browser
                cell.source = re.sub(r"<(?=[a-zA-Z/!?])", "&lt;", own)
        if is_solution(cell) and RUBRIC in sources[name]:
            after = [new_markdown_cell(RUBRIC + sources[name].partition(RUBRIC)[2])]
        cells += [*added[name], cell, *after]
    metadata = {**release.metadata, "treelab": {"notes": notes, "version": begun}}
    return nbformat.from_dict({**release, "cells": cells, "metadata": metadata})


class Sandboxed(NbGraderPreprocessor):
    """Executes a student's answers in the assignment, in the place of nbgrader's `Execute`.

    A cell that ends the process, or does not end when interrupted, is left out, and all others run
    again in a new process.
    """

    cell = Float(30, help="seconds of processor time for one cell").tag(config=True)
    notebook = Float(600, help="seconds of processor time for all cells").tag(config=True)
    patience = Float(10, help="seconds on the clock for each of these").tag(config=True)
    memory = Integer(3000, help="MB, of each process and of all").tag(config=True)
    disk = Integer(300, help="MB, of all files").tag(config=True)
    file = Integer(100, help="MB, of one file").tag(config=True)
    processes = Integer(24, help="at the same time").tag(config=True)
    restarts = Integer(3, help="processes after the first").tag(config=True)
    unsafe = Bool(False, help="run without bubblewrap").tag(config=True)
    ready = {}  # (student, assignment) -> notebook that has been executed

    def preprocess(self, nb, resources):
        """The executed notebook; `explain` says what its ``metadata.treelab`` holds."""
        student, name = (resources["nbgrader"][key] for key in ("student", "assignment"))
        if (student, name) in self.ready:
            return self.ready.pop((student, name)), resources
        course = Path(self.config.CourseDirectory.get("root", "."))
        paths = (course / kind / name / f"{name}.ipynb" for kind in ("source", "release"))
        begun = version(course, name, student)  # before anything is read
        nb = rebuilt(nb, *(nbformat.read(path, as_version=4) for path in paths), begun)
        files, number = beside(course / "source" / name), numbers(course)[student]
        modules = {p.stem: p.read_text(encoding="utf-8") for p in files if p.suffix == ".py"}
        cells = [cell for cell in nb.cells if cell.cell_type == "code"]
        answers = self.run(cells, [*filter(given, files)], modules, number)
        nb.metadata.treelab.notes += explain(cells, answers, number)
        return nb, resources

    def run(self, cells, files, modules, number):
        """What each cell says, by its place: error, message, text and images.

        Raises
        ------
        ValueError
            If the sandbox does not start.
        """
        tests = "\n".join(cell.source for cell in cells if is_test(cell))
        said, left_out, jobs, left = {}, set(), [], self.notebook
        words = [secrets.token_hex(8) for _ in cells]  # said by a test that passes
        for cell, word in zip(cells, words):
            question, source = question_of(mark(cell).get("grade_id", "")), cell.source
            if is_test(cell):
                names = [name for asked, name in TESTED.findall(tests) if asked == question]
                source = TEST.format(str(KERNEL), (source, names, modules, number, word))
            jobs.append((source, self.cell * (1 + is_test(cell))))  # a test runs twice
        while len(left_out) <= self.restarts and left > 10 * len(left_out):
            todo = [place for place in range(len(cells)) if place not in left_out]
            own = [START, *(jobs[place] for place in todo)]
            lines, reason, used = self.lines_of(own, files, left)
            left -= used
            if not lines or lines[0]["error"]:
                raise ValueError(f"the sandbox does not start: {[*lines, reason][0]}")
            stopped = {**NOT_RUN, "error": "Stopped", "message": reason}
            answers = [*lines[1:], *[stopped] * (len(todo) + 1 - len(lines))]
            for place, answer in zip(todo, answers):
                said[place] = answer
                if answer["message"] == words[place]:
                    answer.update(error="", message="")
                elif is_test(cells[place]) and not answer["error"]:
                    answer.update(error="Tampered", message="this test could not have failed")
                if answer["error"] == "Stopped":
                    answer["message"] = f"this cell ended the run: {answer['message']}"
                    left_out.add(place)
                    break
            else:
                return said
        return {**dict.fromkeys(range(len(cells)), NOT_RUN), **said}

    def lines_of(self, cells, files, left):
        """What ``kernel.py`` writes, line by line, and why it was ended, if it was not through.

        Parameters
        ----------
        cells : list of (str, float)
            Sources, and how many seconds each may take.
        files : list of Path
            What stands beside the notebook.
        left : float
            Seconds of processor time for all of them after the first, which ends the start.

        Returns
        -------
        list of dict, str, float
            The third is the processor time that they used.
        """
        reason, used, started = "the process ended (exit, memory or a crash)", 0, False
        with tempfile.TemporaryFile() as out, tempfile.TemporaryDirectory() as work:
            for file in files:
                shutil.copy(file, work)
            command, space = self.command(Path(work))
            process = Popen(command, stdin=PIPE, stdout=out, stderr=out, env=space, cwd=work,
                            start_new_session=True)  # fmt: skip
            before, begun = 0, time.monotonic()
            with contextlib.suppress(OSError), process.stdin as pipe:
                pipe.write(json.dumps([cells, self.patience]).encode())
            while ended(process) is None:
                with contextlib.suppress(psutil.Error, OSError):
                    first = psutil.Process(process.pid)
                    family = [first, *first.children(recursive=True)]
                    held = sum(member.memory_info().rss for member in family)
                    spent = sum(sum(member.cpu_times()[:4]) for member in family)
                    if not started:
                        started = b"}\n" in os.pread(out.fileno(), 10_000, 0)
                        before, begun = spent, time.monotonic() if started else begun
                    used, clock = max(used, spent - before), time.monotonic() - begun
                    longest = left * self.patience if started else LONGEST_START
                    if used > left or clock > longest:
                        reason = "the time for the whole notebook was used up"
                    elif len(family) > self.processes:
                        reason = f"more than {self.processes} processes"
                    elif held > self.memory * MB or psutil.virtual_memory().available < 200 * MB:
                        reason = f"more than {self.memory} MB of memory"
                    else:
                        continue
                    os.killpg(process.pid, signal.SIGKILL)
            out.seek(0)
            lines = out.read().decode(errors="replace").splitlines(keepends=True)
        answers = [json.loads(line) for line in lines if line[0] + line[-2:] == "{}\n"]
        return answers, reason if answers else "".join(lines)[-500:], used

    def command(self, work):
        """How ``kernel.py`` is started in a folder, and with which environment."""
        data = os.environ.get("SCIKIT_LEARN_DATA", str(Path.home() / "scikit_learn_data"))
        space = SET | {name: os.environ[name] for name in KEPT if name in os.environ}
        space |= {"SCIKIT_LEARN_DATA": data, "PYTHONPATH": str(Path(treelab.__file__).parents[1])}
        space |= dict.fromkeys(("HOME", "TMPDIR", "MPLCONFIGDIR", "IPYTHONDIR"), str(work))
        if self.unsafe:
            return [sys.executable, KERNEL], space
        figures = find_spec("treelab.figures").submodule_search_locations
        checkers = find_spec("treelab.exercises.checkers")  # no more of this folder: solutions
        bound = [
            *BOUND,
            *treelab.__path__,
            *figures,
            checkers.origin,
            str(Path(checkers.origin).with_name("__init__.py")),
            data,
            os.environ.get("TREELAB_DATA", data),
            KERNEL,
        ]
        bound = [path for path in (*bound, *map(os.path.realpath, bound)) if os.path.exists(path)]
        shown, beside_it = ([part for path in paths for part in ("--ro-bind", path, path)]
                        for paths in (bound, work.iterdir()))  # fmt: skip
        size = "--size", str(self.disk * MB), "--tmpfs", work
        limits = ["prlimit", "--core=0", f"--as={self.memory * MB}", f"--fsize={self.file * MB}"]
        threads, seconds = 8 * self.processes, self.notebook + START[1]
        limits += [f"--cpu={seconds:.0f}", f"--nproc={threads}"]
        return [*BWRAP, *shown, *size, *beside_it, *SHUT, *limits, sys.executable, KERNEL], space


def ended(process, seconds=0.1):
    """Wait until a process has ended, for some seconds at most; its code, or None."""
    try:
        return process.wait(seconds)
    except TimeoutExpired:
        return None


def explain(cells, answers, number):
    """Write into each cell what it says, as outputs, by which nbgrader gives the points.

    ``metadata.treelab`` of a cell gets the message. What a person should look at is returned, as
    notes.
    """
    notes = []
    for place, cell in enumerate(cells):
        error, message, text, images = answers[place].values()
        if error == "Tampered":
            notes.append("a test passes with a wrong answer, too: read the notebook")
        elif error and is_locked(cell) and not is_test(cell):
            notes.append(f"given cell {mark(cell)['grade_id']} stopped: {message}")
        if (typed := NUMBER.search(cell.source)) and int(typed[1]) != number:
            notes.append(f"worked with the number {typed[1]}, and has {number}")
            text += f"\nYou typed {typed[1]}. Your number is {number}: by it answers are judged.\n"
        cell.outputs = [new_output("stream", text=text)] if text else []
        cell.outputs += [new_output("display_data", {"image/png": image}) for image in images]
        if error:
            cell.outputs += [new_output("error", ename=error, evalue=message, traceback=[message])]
        cell.metadata.treelab = {"message": message}
    return list(dict.fromkeys(notes))


def is_test(cell):
    """Whether a cell is a test that gives points."""
    return is_grade(cell) and not is_solution(cell)


def name_of(cell):
    """What tells a cell from the others: nbgrader's id of it, or Jupyter's."""
    return mark(cell).get("grade_id") or cell.get("id")


def same(text):
    """Text as it is compared: without white space at the ends of lines and of the whole."""
    return re.sub(r"[ \t]+$", "", text, flags=re.M).strip()
