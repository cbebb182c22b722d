"""The scripts in `notebooks/replications`, for the tests that make a part of their tables again."""

import importlib.util
import sys

from places import ROOT

FOLDER = ROOT / "notebooks" / "replications"


def load_script(name):
    """A script as a module; it may import its neighbors."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(FOLDER))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FOLDER))
    return module
