"""Where the checks find the repository and their reference data."""

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
DATA = TESTS / "data"
# The modules right below treelab that hold the methods in plain Python.
METHODS = {path.stem for path in (ROOT / "treelab").glob("[a-z]*.py")} - {"checkers"}
