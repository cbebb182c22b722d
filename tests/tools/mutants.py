"""Does a test fail when treelab is wrong?  Random mutants of treelab are run against the tests.

A mutant is the package with one small change: another operator, another constant or default,
two sides swapped, a statement removed, nothing returned. A good test suite fails on every mutant
that computes something else. The lines are drawn by seed, uniformly over all lines of code that
can be changed; then one of the changes of that line is drawn.

    python tests/tools/mutants.py --seed 1             # 80 mutants, a table, the share killed
    python tests/tools/mutants.py --seed 1 --list      # only show them
    python tests/tools/mutants.py --seed 1 --only 7,12 # two again, after a test was written
    python tests/tools/mutants.py treelab/fast/pruning --n 20

Only a copy of the tree is ever changed, in a temporary folder. Of the tests, those run that
execute the changed line; notebooks and browser do not count. What a module computes once and keeps
counts for the test that asked first, so a survivor may be worth `--thorough`, which goes on with
the other tests of these modules. A test that fails without any change is no evidence, and stops
the run. Which test executes which line is found once by the package `coverage` (it comes with
nbval) and kept in `_build/mutants`; that takes some minutes, 80 mutants a quarter of an hour to
an hour. It is a tool to be run by hand and no part of the checks, and needs Linux or macOS.

Whoever reads a survivor decides: is a test missing, or is nothing changed that one can see (a
shorter way to the same result, say)?
"""

import argparse
import ast
import copy
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "_build" / "mutants"
READS_SIGNATURES = "tests/package/test_docstrings.py"  # sees a default without calling the function
MEMORY = 6 * 2**30
AT_ONCE = 5  # test modules, the cheapest first

# --- The changes ---------------------------------------------------------------------------------

# Each operator, and those that take its place.
OPERATORS = """
    Lt LtE GtE, LtE Lt Gt, Gt GtE LtE, GtE Gt Lt, Eq NotEq, NotEq Eq, In NotIn, NotIn In, Is IsNot,
    IsNot Is, Add Sub, Sub Add, Mult Div, Div Mult, FloorDiv Div, Mod Mult, Pow Mult, MatMult Mult,
    BitAnd BitOr, BitOr BitAnd, BitXor BitAnd
"""
OTHERS = defaultdict(tuple)
for operators in OPERATORS.split(","):
    one, *others = (getattr(ast, name) for name in operators.split())
    OTHERS[one] = tuple(others)
NOT_COMMUTATIVE = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)
OPPOSITES = ["min max", "any all", "argmin argmax", "minimum maximum", "floor ceil", "zeros ones"]
OPPOSITE = {a: b for pair in map(str.split, OPPOSITES) for a, b in (pair, pair[::-1])}
IN_BRACKETS = (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.UnaryOp)
SYMMETRIC = {"max", "min", "maximum", "minimum", "union1d", "intersect1d"}
REMOVABLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.If, ast.Delete, ast.Break)


@dataclass(frozen=True)
class Mutant:
    """One change: in `path`, the characters from `start` to `end` become `new`."""

    path: str
    line: int
    kind: str
    start: int
    end: int
    new: str

    def apply(self, source):
        return source[: self.start] + self.new + source[self.end :]

    def shown(self, source):
        """The changed lines before and after, each without its line breaks."""
        first = source.rfind("\n", 0, self.start) + 1
        last = source.find("\n", self.end)
        before = source[first:last]
        after = source[first : self.start] + self.new + source[self.end : last]
        return " ".join(before.split()), " ".join(after.split())


def changes(node):
    """The kinds of change of one node of the syntax tree, each with its replacement."""
    match node:
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                for other in OTHERS[type(op)]:
                    swapped = [*ops[:place], other(), *ops[place + 1 :]]
                    yield "comparison", changed(node, ops=swapped)
        case ast.BinOp(left=left, op=op, right=right):
            for other in OTHERS[type(op)]:
                yield "operator", changed(node, op=other())
            if isinstance(op, NOT_COMMUTATIVE):
                yield "swapped sides", changed(node, left=right, right=left)
        case ast.AugAssign(op=op):
            for other in OTHERS[type(op)]:
                yield "operator", changed(node, op=other())
        case ast.BoolOp(op=op):
            yield "boolean", changed(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            if not isinstance(operand, ast.Constant):
                yield "boolean" if isinstance(node.op, ast.Not) else "operator", operand
        case ast.IfExp(body=body, orelse=orelse):
            yield "swapped sides", changed(node, body=orelse, orelse=body)
        case ast.Constant(value=bool(value)):
            yield "constant", ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield "constant", ast.Constant(value + 1)
            yield "constant", ast.Constant(value - 1)
        case ast.Call(args=[first, second, *rest]) if not starred(node) and not symmetric(node):
            yield "swapped sides", changed(node, args=[second, first, *rest])
        case ast.Tuple(elts=[first, second]) if not starred(node):
            yield "swapped sides", changed(node, elts=[second, first])
        case ast.Name(id=name) if name in OPPOSITE:
            yield "opposite", changed(node, id=OPPOSITE[name])
        case ast.Attribute(attr=name) if name in OPPOSITE:
            yield "opposite", changed(node, attr=OPPOSITE[name])
        case ast.Return(value=ast.expr()):
            yield "returned value", ast.Return(None)
        case ast.Continue():
            yield "removed statement", ast.Break()
    if isinstance(node, ast.If | ast.While):
        yield "condition", changed(node, test=ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, REMOVABLE) and not is_text(node) and not is_first(node):
        yield "removed statement", ast.Pass()


def changed(node, **fields):
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def symmetric(call):
    """Does the order of the arguments not matter?"""
    return ast.unparse(call.func).split(".")[-1] in SYMMETRIC


def starred(node):
    return any(isinstance(one, ast.Starred | ast.Slice) for one in ast.iter_child_nodes(node))


def is_text(node):
    """Is the statement a docstring?"""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def is_first(node):
    """Does an assignment make a name? Without it nothing runs, which any test would see."""
    if not isinstance(node, ast.Assign):
        return False
    made = {one.id for t in node.targets for one in ast.walk(t) if isinstance(one, ast.Name)}
    read = {one.id for one in ast.walk(node.value) if isinstance(one, ast.Name)}
    plain = all(isinstance(target, ast.Name | ast.Tuple) for target in node.targets)
    return plain and not made & read


def code_nodes(tree):
    """All nodes but type hints, imports, lists of types, and the inside of a formatted text."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        match node:
            case ast.JoinedStr() | ast.Import() | ast.ImportFrom():
                continue
            case ast.keyword(arg="strict"):  # of zip: an assertion, which no right program fails
                continue
            case ast.ExceptHandler():
                todo += node.body
            case ast.Call(func=ast.Name(id="isinstance")):
                todo.append(node.args[0])
            case ast.FunctionDef() | ast.arg() | ast.AnnAssign():
                hints = {node.returns if isinstance(node, ast.FunctionDef) else node.annotation}
                todo += [child for child in ast.iter_child_nodes(node) if child not in hints]
            case _:
                todo += ast.iter_child_nodes(node)


def mutants_of(path):
    """All mutants of one file, by the line on which their node begins."""
    source = (ROOT / path).read_text(encoding="utf-8")
    lines = source.splitlines(keepends=True)
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line))

    def position(line, column):
        """Columns of the syntax tree count bytes."""
        return begins[line - 1] + len(lines[line - 1].encode()[:column].decode())

    found = defaultdict(list)
    for node in code_nodes(ast.parse(source)):
        for kind, other in changes(node):
            start = position(node.lineno, node.col_offset)
            end = position(node.end_lineno, node.end_col_offset)
            if kind == "condition":  # the head alone: the body keeps its lines
                start = position(node.test.lineno, node.test.col_offset)
                end = position(node.test.end_lineno, node.test.end_col_offset)
                other = other.test
            new = ast.unparse(other)
            if isinstance(other, IN_BRACKETS) or new.startswith("-"):
                new = f"({new})"
            if source.startswith("elif", start):
                continue  # part of the statement above
            found[node.lineno].append(Mutant(str(path), node.lineno, kind, start, end, new))
    return found


def draw(files, n, seed):
    """`n` mutants on different lines, each line of all files with the same chance."""
    by_line = [
        (path, line, sorted(mutants, key=lambda one: (one.start, one.end, one.kind, one.new)))
        for path in files
        for line, mutants in sorted(mutants_of(path).items())
    ]
    random_state = random.Random(seed)
    lines = random_state.sample(by_line, min(n, len(by_line)))
    return [random_state.choice(mutants) for _, _, mutants in lines]


# --- Which test executes which line --------------------------------------------------------------


def fingerprint(*paths):
    """A number that changes when one of the files does."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()


def coverage_map():
    """For each test module: the seconds of its tests and the lines that each executes.

    What an earlier run found out is used again while treelab and the test module are the same.
    """
    package = sorted((ROOT / "treelab").rglob("*.py"))
    modules = sorted((ROOT / "tests").rglob("test_*.py"))
    modules = [path for path in modules if not {"book", "browser"} & set(path.parts)]
    keys = {path: fingerprint(path, *package) for path in modules}
    kept = {path: CACHE / f"{path.parent.name}_{path.stem}.json" for path in modules}
    stale = [
        path
        for path in modules
        if not kept[path].exists()
        or json.loads(kept[path].read_text(encoding="utf-8"))["key"] != keys[path]
    ]
    while stale:
        print(f"Finding the lines that {len(stale)} test modules execute ...", flush=True)
        batch, stale = stale[:4], stale[4:]
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "lines.json"
            run_tests(ROOT, batch, {"MUTANTS_LINES": str(out)}, timeout=7200, stop=False)
            found = json.loads(out.read_text(encoding="utf-8"))
        for path in batch:
            tests = found.get(str(path.relative_to(ROOT)), {})
            kept[path].write_text(json.dumps({"key": keys[path], "tests": tests}), encoding="utf-8")
    return {
        str(path.relative_to(ROOT)): json.loads(kept[path].read_text(encoding="utf-8"))["tests"]
        for path in modules
    }


def importers_of(path):
    """The files of treelab that import from a file of it."""
    name = Path(path).stem
    for other in sorted((ROOT / "treelab").rglob("*.py")):
        for node in ast.walk(ast.parse(other.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1] == name:
                yield str(other.relative_to(ROOT))
                break


def tests_for(mutant, lines_of_tests):
    """The tests that execute the line.

    For a line that runs on import: those that execute its file or one that imports it.
    """
    source = (ROOT / mutant.path).read_text(encoding="utf-8")
    wanted, is_head = None, False
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef) or not (
            node.lineno <= mutant.line <= node.end_lineno
        ):
            continue
        body = range(node.body[0].lineno, node.end_lineno + 1)
        if mutant.line < body.start:  # the head: its defaults
            wanted, is_head = set(body), True
        else:
            statements = [one for one in ast.walk(node) if isinstance(one, ast.stmt)]
            around = max(
                (one for one in statements if one.lineno <= mutant.line <= one.end_lineno),
                key=lambda one: one.lineno,
            )
            wanted = {mutant.line, around.lineno}
    files = [mutant.path, *importers_of(mutant.path)] if wanted is None else ()
    chosen = defaultdict(dict)
    for module, tests in lines_of_tests.items():
        for test, (seconds, lines) in tests.items():
            if is_head and module == READS_SIGNATURES:
                runs = True
            elif wanted is None:
                runs = any(path in lines for path in files)
            else:
                runs = wanted.intersection(lines.get(mutant.path, []))
            if runs:
                chosen[module][test] = seconds
    return chosen


class Recorder:
    """A pytest plugin: writes the lines of treelab that each test executes, and its seconds."""

    def __init__(self, out):
        import coverage

        self.out = out
        self.seconds = defaultdict(float)
        self.coverage = coverage.Coverage(
            data_file=None, include=[str(ROOT / "treelab" / "*")], config_file=False
        )
        self.coverage.start()
        self.coverage.switch_context("import")

    def pytest_runtest_logstart(self, nodeid, location):
        self.coverage.switch_context(nodeid)

    def pytest_runtest_logfinish(self, nodeid, location):
        self.coverage.switch_context("import")

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self):
        self.coverage.stop()
        data = self.coverage.get_data()
        found = defaultdict(dict)
        for test, seconds in self.seconds.items():
            found[test.split("::")[0]][test] = (round(seconds, 4), {})
        for file in data.measured_files():
            path = str(Path(file).relative_to(ROOT))
            for line, tests in data.contexts_by_lineno(file).items():
                for test in tests:
                    module = test.split("::")[0]
                    if test in found.get(module, ()):
                        found[module][test][1].setdefault(path, []).append(line)
        Path(self.out).write_text(json.dumps(found), encoding="utf-8")


class Chooser:
    """A pytest plugin: keeps the tests that are named in a file, or all but these."""

    def __init__(self, names, keep):
        self.names = set(Path(names).read_text(encoding="utf-8").splitlines())
        self.keep = keep

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if (item.nodeid in self.names) == self.keep]


def pytest_configure(config):
    """When pytest loads this file (`-p mutants`): the plugins that the environment asks for."""
    if out := os.environ.get("MUTANTS_LINES"):
        config.pluginmanager.register(Recorder(out))
    if names := os.environ.get("MUTANTS_TESTS"):
        keep = os.environ["MUTANTS_KEEP"] == "1"
        config.pluginmanager.register(Chooser(names, keep))


# --- Running -------------------------------------------------------------------------------------


def preload():
    """Import once what the tests need and no mutant changes; every run is a fork of this."""
    import hypothesis
    import matplotlib.pyplot
    import nbformat
    import pytest
    import scipy.stats
    import sklearn.utils.estimator_checks

    return hypothesis, matplotlib.pyplot, nbformat, pytest, scipy.stats, sklearn


def run_tests(tree, modules, environment, timeout, stop=True, per_test=300):
    """Run pytest in `tree`; the lines that it prints, its exit code (None: it took too long)."""
    arguments = ["-q", "-p", "mutants", "-p", "no:cacheprovider", "--no-header", "--tb=line"]
    arguments += [f"--timeout={per_test:.0f}", *["-x"][: int(stop)]]
    arguments += [str(tree / (ROOT / module).relative_to(ROOT)) for module in modules]
    with tempfile.TemporaryFile("w+") as printed:
        child = os.fork()
        if child == 0:
            _run_in_child(tree, arguments, environment, printed)
        code, end = None, time.monotonic() + timeout
        while time.monotonic() < end and not (done := os.waitpid(child, os.WNOHANG))[0]:
            time.sleep(0.02)
        if done[0]:
            code = os.waitstatus_to_exitcode(done[1])
        else:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
        printed.seek(0)
        return printed.read().splitlines(), code


def _run_in_child(tree, arguments, environment, printed):
    """Pytest in a process of its own, which then ends."""
    import pytest

    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.dup2(printed.fileno(), 1)
    os.dup2(printed.fileno(), 2)
    tools = Path(__file__).resolve().relative_to(ROOT).parent
    path = [str(tree), str(tree / tools)]
    os.environ.update(environment, PYTHONPATH=os.pathsep.join(path), PYTHONDONTWRITEBYTECODE="1")
    sys.dont_write_bytecode = True
    sys.path = path + [
        one for one in sys.path if Path(one or ".").resolve() not in (ROOT, ROOT / tools)
    ]
    os.chdir(tree)
    code = 3
    try:
        code = pytest.main(arguments)
    finally:
        sys.stdout.flush()
        os._exit(code)


def try_mutant(mutant, tree, lines_of_tests, thorough=False):
    """("killed" | "timed out" | "survived" | "not run", by which test)."""
    chosen = tests_for(mutant, lines_of_tests)
    if not chosen:
        return "not run", "no test executes the line"
    modules = sorted(chosen, key=lambda module: sum(chosen[module].values()))
    names = tree / "chosen_tests.txt"
    names.write_text(
        "\n".join(test for module in modules for test in chosen[module]), encoding="utf-8"
    )
    all_seconds = [seconds for module in modules for seconds, _ in lines_of_tests[module].values()]
    source = (ROOT / mutant.path).read_text(encoding="utf-8")
    (tree / mutant.path).write_text(mutant.apply(source), encoding="utf-8")
    try:
        for keep in "10" if thorough else "1":
            for first in range(0, len(modules), AT_ONCE):
                printed, code = run_tests(
                    tree,
                    modules[first : first + AT_ONCE],
                    {"MUTANTS_TESTS": str(names), "MUTANTS_KEEP": keep},
                    timeout=120 + 5 * sum(all_seconds),
                    per_test=30 + 10 * max(all_seconds),
                )
                if code is None:
                    return "timed out", "the whole run"
                if code not in (0, 5):  # 5: no tests
                    outcome, by = verdict(printed, code)
                    shutil.copy2(ROOT / mutant.path, tree / mutant.path)
                    check_passes_unchanged(by, tree, names)
                    return outcome, by
    finally:
        shutil.copy2(ROOT / mutant.path, tree / mutant.path)
    return "survived", f"{sum(map(len, chosen.values()))} tests execute it"


PASSING = set()  # tests that have been seen to pass where nothing is changed


def check_passes_unchanged(test, tree, names):
    """Raise where a test fails on treelab as it is: it says nothing of a mutant."""
    module = test.split("::")[0]
    if test not in PASSING and module.startswith("tests/"):
        names.write_text(test, encoding="utf-8")
        chosen = {"MUTANTS_TESTS": str(names), "MUTANTS_KEEP": "1"}
        printed, code = run_tests(tree, [module], chosen, timeout=600)
        if code not in (0, 5):
            raise RuntimeError(f"{test} fails without any change:\n" + "\n".join(printed))
        PASSING.add(test)


def verdict(printed, code):
    """What pytest said about the mutant: the name of the first test that failed."""
    for line in printed:
        if line.startswith(("FAILED", "ERROR")):
            name = line.split(" - ")[0].split(maxsplit=1)[1]
            return ("timed out" if "Timeout" in line else "killed"), name
    return "killed", f"pytest ended with {code}: {printed[-1] if printed else ''}"


def copy_of_tree(folder):
    """The files that git knows, and the new ones, in `folder`; compiled."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for link in (".venv",):  # what the tests of the Makefile look for
        if (ROOT / link).exists() and not (folder / link).exists():
            (folder / link).symlink_to((ROOT / link).resolve())
    subprocess.run([sys.executable, "-m", "compileall", "-q", "treelab"], cwd=folder, check=True)


def run(mutants, thorough):
    """Try all mutants; a list of (number, mutant, outcome, by)."""
    preload()
    lines_of_tests = coverage_map()
    done = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy_of_tree(Path(folder))
        for number, mutant in mutants:
            begin = time.perf_counter()
            try:
                outcome, by = try_mutant(mutant, Path(folder), lines_of_tests, thorough)
            except RuntimeError as error:
                outcome, by = "not run", str(error)
            done.append((number, mutant, outcome, by))
            show(number, mutant, outcome, by, time.perf_counter() - begin)
    return done


# --- The command ---------------------------------------------------------------------------------


def show(number, mutant, outcome="", by="", seconds=None):
    before, after = mutant.shown((ROOT / mutant.path).read_text(encoding="utf-8"))
    took = "" if seconds is None else f"{seconds:.0f} s"
    print(f"{number:3d} {mutant.path}:{mutant.line} {mutant.kind}: {outcome} {took} {by}")
    print(f"      - {before}\n      + {after}", flush=True)


def main():
    settings = {"PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    if any(os.environ.get(name) != value for name, value in settings.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | settings)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", default=["treelab"], help="files or folders of treelab")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--n", type=int, default=80, help="how many mutants (80)")
    parser.add_argument("--only", help="the numbers of the mutants to try, with commas")
    parser.add_argument("--thorough", action="store_true", help="run whole modules (see above)")
    parser.add_argument("--list", action="store_true", help="list them, run nothing")
    arguments = parser.parse_args()
    files = []
    for name in arguments.files:
        path = (ROOT / name).resolve()
        for one in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            files.append(one.relative_to(ROOT))
    mutants = list(enumerate(draw(files, arguments.n, arguments.seed), start=1))
    if arguments.only:
        numbers = {int(number) for number in arguments.only.split(",")}
        mutants = [one for one in mutants if one[0] in numbers]
    if arguments.list:
        for number, mutant in mutants:
            show(number, mutant)
        return 0
    done = run(mutants, arguments.thorough)
    alive = [one for one in done if one[2] in ("survived", "not run")]
    print(f"\n{len(done)} mutants, {len(done) - len(alive)} killed, {len(alive)} survived:")
    for number, mutant, outcome, by in alive:
        show(number, mutant, outcome, by)
    return int(len(alive) > 0.05 * len(done))


if __name__ == "__main__":
    sys.exit(main())
