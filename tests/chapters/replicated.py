"""The scripts in `notebooks/replications`, for the tests that make a part of their tables again."""

import importlib.util
import sys

import pandas as pd
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


def answers(exercise):
    """The numbers of an answer to an open exercise; a table with a row for each run."""
    table = pd.read_csv(FOLDER / "open_answers.csv").query("exercise == @exercise")
    wide = table.pivot(index="run", columns="what", values="value")
    return wide.astype({name: float for name in wide if not name.startswith("names")})
