"""Run what a reader writes in a page of the book, and tell the page about it in JSON.

A page has one namespace for its cells, in which they run one after the other, as in a notebook.
Plain functions that a reader has changed take the place of the old ones wherever those are known.
An answer to an exercise has a namespace of its own. The page draws the plain tree that a cell
leaves in the name `drawn_tree`, with the columns named as it says in `drawn_names`.
"""

import ast
import contextlib
import importlib
import inspect
import io
import json
import linecache
import sys
import traceback

MOST = 20_000  # characters that a cell may print

space = {"__name__": "__main__"}


class Printed(io.StringIO):
    """What a cell prints; a cell that prints without end is stopped."""

    def write(self, text):
        """Note some text, up to the limit."""
        if self.tell() + len(text) > MOST:
            super().write(text[: MOST - self.tell()])
            raise TooMuch(f"stopped after {MOST:,} printed characters")
        return super().write(text)


class TooMuch(BaseException):
    """Not an Exception, so that no `except` of a cell catches it."""


def run(source, name="cell"):
    """Run the source of a cell; JSON of its text, its error or null, and its tree or null.

    The value of an expression in the last line is shown, as in a notebook.
    """
    space.pop("drawn_tree", None) if binds_tree(source) else None
    said = execute(source, f"<{name}>", space)
    if said["error"] is None and binds_tree(source):
        said["tree"] = tree_of(space.get("drawn_tree"), space.get("drawn_names"))
    return json.dumps(said)


def define(module, source, name="functions"):
    """Let changed functions of a module of treelab take the place of the old ones."""
    known = importlib.import_module(f"treelab.{module}").__dict__
    before = {n: v for n, v in known.items() if inspect.isfunction(v)}
    said = execute(source, f"<{name}>", known)
    new = {id(old): known[n] for n, old in before.items() if known[n] is not old}
    places = [vars(m) for n, m in sys.modules.items() if n.startswith("treelab.")]
    for place in [*places, space]:
        for key, value in place.items():
            place[key] = value = new.get(id(value), value)
            if inspect.isfunction(value) and value.__defaults__:
                value.__defaults__ = tuple(new.get(id(d), d) for d in value.__defaults__)
    return json.dumps(said)


def check(exercise, source, name="answer"):
    """The verdict of the exercise's checker on the function that the source defines."""
    answer = {"__name__": "__main__"}
    with untouched_modules():
        said = execute(source, f"<{exercise}>", answer)
        if said["error"] is None and name not in answer:
            said["verdict"] = [False, f"there is no function {name}; keep its name."]
        elif said["error"] is None:
            verdict = importlib.import_module("treelab.checkers").verdict
            try:
                with contextlib.redirect_stdout(Printed()):
                    said["verdict"] = list(verdict(exercise, answer[name]))
            except TooMuch as stop:
                said["error"] = str(stop)
    return json.dumps(said)


@contextlib.contextmanager
def untouched_modules():
    """The book's modules as they are in the book: what a reader has changed judges no answer."""
    ours = ("treelab", "plain_checks", "checks_")

    def take():
        return {n: sys.modules.pop(n) for n in list(sys.modules) if n.startswith(ours)}

    changed = take()
    try:
        yield
    finally:
        take()
        sys.modules.update(changed)


def execute(source, file, names):
    """Run a source in a namespace; what it printed, and its error or None."""
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    out, error = Printed(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            body = ast.parse(source, file)
            last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
            exec(compile(body, file, "exec"), names)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), file, "eval"), names)
                if value is not None:
                    print(repr(value))
        except TooMuch as stop:
            error = str(stop)
        except BaseException as failure:
            error = words_of(failure, file)
    return {"text": out.getvalue(), "error": error, "tree": None}


def words_of(failure, file):
    """An error as Python words it, from the reader's code on."""
    if isinstance(failure, ModuleNotFoundError):
        missing = f"There is no {failure.name} here: a page has the standard library and treelab."
        return f"ModuleNotFoundError: {missing}"
    frames = failure.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename != file:
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(failure), failure, frames)).rstrip()


def binds_tree(source):
    """Whether some line of the source gives the name `drawn_tree` a value."""
    try:
        names = [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name)]
    except SyntaxError:
        return False
    return any(n.id == "drawn_tree" and isinstance(n.ctx, ast.Store) for n in names)


def tree_of(tree, names=None):
    """What the page draws of a plain tree: words and branches of each node; None of others."""
    if not isinstance(tree, dict) or not {"value", "sums"} & tree.keys():
        return None
    node = {"says": says(tree), "branches": []}
    if "feature" not in tree:
        return node
    column = column_name(tree["feature"], names)
    branches = tree.get("branches") or {True: tree["left"], False: tree["right"]}
    yes_or_no = {True: "yes", False: "no"}
    if "branches" in tree and tree["threshold"] is None:
        node["asks"] = f"{column}?"
    elif isinstance(tree["threshold"], set):
        node["asks"] = f"{column} in {{{', '.join(sorted(map(str, tree['threshold'])))}}}"
    else:
        node["asks"] = f"{column} ≤ {short(tree['threshold'])}"
        if "branches" in tree:  # beside leaves that may say yes and no themselves
            threshold = short(tree["threshold"])
            yes_or_no = {True: f"≤ {threshold}", False: f"> {threshold}"}
    for answer, branch in branches.items():
        word = yes_or_no[answer] if isinstance(answer, bool) else str(answer)
        node["branches"].append([word, tree_of(branch, names)])
    return node


def column_name(j, names):
    """The name of a column, or x with its number."""
    if isinstance(names, list | tuple) and j < len(names):
        return str(names[j])
    return f"x[{j}]"


def says(t):
    """How many cases a node holds, and what it says of them."""
    if "sums" in t:
        return ", ".join(f"{short(S)} {k}" for k, S in t["sums"].items() if S) or "no case"
    n = f"{t['n']} row{'s' * (t['n'] != 1)}"
    if not isinstance(t["value"], dict):
        return f"{n}: {short(t['value'])}"
    most = max(t["value"], key=t["value"].get)
    return f"{n}: {most} {t['value'][most]:.0%}"


def short(number):
    """A number in at most four digits after the point or before it; what rounding leaves is 0."""
    number = 0 if abs(number) < 1e-9 else number
    return f"{number:.4g}" if abs(number) < 1e4 else f"{number:.0f}"
