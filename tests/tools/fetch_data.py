"""Get, once and in one process, every real data set that the notebooks use.

A data set that cannot be had ends the checks here, with the loader's own message, before the
notebooks that need it are run.
"""

import re
import sys
from pathlib import Path

from treelab.datasets import fetch_data_set
from treelab.datasets.registry import REGISTRY

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


def main():
    """Fetch, and say what is missing."""
    folders = ("", "exercises/", "teaching/homework/source/*/")
    paths = [path for folder in folders for path in NOTEBOOKS.glob(f"{folder}*.ipynb")]
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    # A function has the name of a data set, or what the names of several begin with.
    called = tuple(set(re.findall(r"\bfetch_(\w+)\(", text)))
    wanted, failures = [name for name in REGISTRY if name.startswith(called)], []
    for name in wanted:
        try:
            fetch_data_set(name)
        except Exception as error:
            failures.append(f"{name}: {error}")
    if failures:
        print("The notebooks need data sets that are not here:", *failures, sep="\n- ")
        return 1
    print(f"{len(wanted)} data sets are here")
    return 0


if __name__ == "__main__":
    sys.exit(main())
