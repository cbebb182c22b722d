"""Put the extension for JupyterLab where an environment has its extensions.

A wheel brings it along. An editable installation has no data files, and so `make lab` calls this.
"""

import shutil
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def install(prefix=sys.prefix):
    """Copy what pyproject.toml lists as data files below `prefix`; returns where they are."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    made = []
    for folder, patterns in project["tool"]["setuptools"]["data-files"].items():
        target = Path(prefix, folder)
        target.mkdir(parents=True, exist_ok=True)
        for pattern in patterns:
            made += [Path(shutil.copy(path, target)) for path in sorted(ROOT.glob(pattern))]
    return made


if __name__ == "__main__":
    install(*sys.argv[1:])
