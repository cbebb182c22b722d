"""Every name that a notebook takes from treelab is there, also where only test-all runs it."""

import ast
import importlib
import importlib.util
import re
from types import ModuleType

import nbformat
from cases import each
from places import ROOT

NOTEBOOKS = sorted(
    path
    for folder in (".", "under_the_hood", "exercises", "teaching/homework/source/*")
    for path in (ROOT / "notebooks").glob(f"{folder}/*.ipynb")
)


def names_of(notebook):
    """Yield (module, name) of what the code cells import, and of attributes of such modules."""
    cells = nbformat.read(notebook, as_version=4).cells
    modules = {}
    for cell in (cell for cell in cells if cell.cell_type == "code"):
        for node in ast.walk(ast.parse(re.sub(r"^[%!].*$", "", cell.source, flags=re.M))):
            if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "treelab":
                for alias in node.names:
                    yield node.module, alias.name
                    own = f"{node.module}.{alias.name}"
                    if importlib.util.find_spec(node.module).submodule_search_locations:
                        if importlib.util.find_spec(own):
                            modules[alias.asname or alias.name] = own
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                if node.value.id in modules:
                    yield modules[node.value.id], node.attr


@each("path", NOTEBOOKS, ids=lambda path: path.name)
def test_names_that_a_notebook_takes_from_treelab_exist(path):
    lost = [
        f"{module}.{name}"
        for module, name in names_of(path)
        if not hasattr(importlib.import_module(module), name)
        and not isinstance(importlib.import_module(f"{module}.{name}"), ModuleType)
    ]
    assert lost == []
