"""Get, once and in one process, every real data set that the notebooks and the tests use.

A data set that cannot be had ends the checks here, with the loader's own message, before the
notebooks that need it are run.
"""

import ast
import sys
from pathlib import Path

import nbformat

from treelab import datasets

ROOT = Path(__file__).resolve().parent.parent.parent


def calls(source):
    """The calls of `fetch_...` with literal arguments in a piece of code, as code."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
        name = name.id if isinstance(name, ast.Name) else name
        literal = all(isinstance(a, ast.Constant) for a in node.args) and all(
            isinstance(k.value, ast.Constant) for k in node.keywords
        )
        if isinstance(name, str) and name.startswith("fetch_") and literal:
            arguments = [ast.unparse(a) for a in node.args]
            arguments += [f"{k.arg}={ast.unparse(k.value)}" for k in node.keywords]
            yield f"{name}({', '.join(arguments)})"


def main():
    """Fetch, and say what is missing."""
    wanted = set()
    folders = ("", "exercises/", "teaching/homework/source/*/")
    for path in [path for folder in folders for path in ROOT.glob(f"notebooks/{folder}*.ipynb")]:
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code" and "fetch_" in cell.source:
                wanted.update(calls(cell.source))
    failures = []
    for call in sorted(wanted):
        name = call.partition("(")[0]
        if hasattr(datasets, name):
            try:
                eval(call, {name: getattr(datasets, name)})
            except Exception as error:
                failures.append(f"{call}: {error}")
    if failures:
        print("The notebooks need data sets that are not here:", *failures, sep="\n- ")
        return 1
    print(f"{len(wanted)} data sets are here")
    return 0


if __name__ == "__main__":
    sys.exit(main())
