"""Live cells: code that runs in the page, by the core of Pyodide, which npm brings to `live/`.

- A code cell with the tag `live` runs in the page. Its metadata may name plain functions that its
  reader can change, {"live": ["cart.best_split", "impurity.gini"]}. Their source comes from the
  package.
- An exercise whose checker stands in `checks_<chapter>_plain.py` is answered and checked there.

Pages with one of these get `live.js`; what it needs of Python is copied beside it. Where npm was
not to be had, live cells stay as they are printed, and the page and the build say so.
"""

import ast
import importlib
import inspect
import json
import re
import shutil
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.util import logging

HERE = Path(__file__).resolve().parent / "live"
ROOT = HERE.parents[2]
EXERCISES = ROOT / "notebooks" / "exercises"
PYODIDE = HERE / "node_modules" / "pyodide"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
SOLUTION = re.compile(
    r"^([ \t]*)### BEGIN SOLUTION\n.*?^[ \t]*### END SOLUTION[ \t]*$", re.M | re.S
)
WITHOUT = "This copy of the book was built without the files that run this cell in the page."

logger = logging.getLogger(__name__)


def is_ready():
    """Whether the core of Pyodide is there."""
    return all((PYODIDE / name).is_file() for name in (*CORE, "pyodide-lock.json"))


def source_of(name):
    """The module and the source of a plain function such as ``cart.best_split``."""
    module, _, function = name.partition(".")
    try:
        found = getattr(importlib.import_module(f"treelab.{module}"), function)
        return module, inspect.getsource(found).rstrip()
    except (ImportError, AttributeError, TypeError):
        raise ValueError(f"a live cell names {name!r}, no function of treelab") from None


def sources_of(names):
    """The functions of a cell, those of one module together."""
    together = {}
    for name in names:
        module, text = source_of(name)
        together.setdefault(module, []).append(text)
    return [{"module": m, "source": "\n\n\n".join(texts)} for m, texts in together.items()]


def plain_exercises():
    """Id of each exercise that is checked in the page: its hole, and the name of its function."""
    checked = set()
    for path in EXERCISES.glob("checks_*_plain.py"):
        checked |= set(re.findall(r'^@checker\("([\w-]+)"', path.read_text("utf-8"), re.M))
    found = {}
    for path in sorted(EXERCISES.glob("*_solutions.ipynb")):
        code = [c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
        for before, check in zip(code, code[1:]):
            match = re.search(r'^check\("([\w-]+)", (\w+)\)', check, re.M)
            if match and match[1] in checked:
                hole = SOLUTION.sub(r"\1...", before)
                found[match[1]] = {"hole": hole, "name": match[2]}
    if checked - set(found):
        raise ValueError(f"no solution stands before check() of {sorted(checked - set(found))}")
    return found


def files_for_python():
    """What Python finds in the page: paths and texts."""
    package = ROOT / "treelab"
    files = {
        "page_runner.py": (HERE / "page_runner.py").read_text("utf-8"),
    }
    for path in sorted(package.glob("*.py")):
        files[path.relative_to(ROOT).as_posix()] = path.read_text("utf-8")
    for name in ("__init__.py", "checkers.py"):
        files[f"treelab/exercises/{name}"] = (EXERCISES / name).read_text("utf-8")
    files["plain_checks.py"] = (EXERCISES / "plain_checks.py").read_text("utf-8")
    for path in sorted(EXERCISES.glob("checks_*_plain.py")):
        files[path.name.replace("_plain", "")] = path.read_text("utf-8")  # all that the page has
    for path, text in files.items():
        ast.parse(text, path)
    return files


def say_what_is_missing(app, doctree):
    """Without Pyodide, a sentence under each live cell."""
    if is_ready():
        return
    for cell in list(doctree.findall(nodes.container)):
        if "tag_live" in cell["classes"]:
            cell.parent.insert(cell.parent.index(cell) + 1, nodes.paragraph("", WITHOUT))


def add_to_page(app, pagename, templatename, context, doctree):
    """Give a page with live cells or exercises their script and data."""
    if doctree is None or not pagename.startswith("notebooks/") or "body" not in context:
        return
    cells = [c for c in doctree.findall(nodes.container) if "tag_live" in c["classes"]]
    if not hasattr(app, "plain_exercises"):
        app.plain_exercises = plain_exercises()
    here = set(re.findall(r'class="exercise admonition" id="([\w-]+)"', context["body"]))
    exercises = {
        label: app.plain_exercises[label] for label in app.plain_exercises if label in here
    }
    if not cells and not exercises:
        return
    if not is_ready():
        return
    named = [sources_of((c.get("cell_metadata") or {}).get("live", [])) for c in cells]
    data = json.dumps({"cells": named, "exercises": exercises}).replace("<", "\\u003c")
    context["body"] += f'<script type="application/json" id="tl-live-data">{data}</script>'
    app.add_css_file("live/live.css")
    app.add_js_file("live/live.js", loading_method="defer")


def copy_files(app, exception):
    """Put Python and the scripts into the built book."""
    if exception is not None or app.builder.format != "html":
        return
    if not is_ready():
        logger.info("The book is built without live cells: npm has not brought Pyodide.")
        return
    static = Path(app.outdir) / "_static"
    (static / "pyodide").mkdir(parents=True, exist_ok=True)
    (static / "live").mkdir(exist_ok=True)
    for name in CORE:
        shutil.copyfile(PYODIDE / name, static / "pyodide" / name)
    # Of the list of packages that Pyodide could get from elsewhere nothing but the head.
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8")) | {"packages": {}}
    (static / "pyodide" / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    for name in ("live.js", "live_worker.js", "live.css"):
        shutil.copyfile(HERE / name, static / "live" / name)
    text = json.dumps(files_for_python(), ensure_ascii=False)
    (static / "live" / "files.json").write_text(text, encoding="utf-8")


def setup(app):
    """Register with Sphinx."""
    app.connect("doctree-read", say_what_is_missing)
    app.connect("html-page-context", add_to_page)
    app.connect("build-finished", copy_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
