"""Make a folder for a class: the chapters, the exercises and the homework, without the keys.

The chapters come with the tables that they read and the scripts that they import, the exercises as
students get them, and of the homework what `make homework` releases. Solutions, keys, rubrics and
the code that grades stay behind. A file of the folder that somebody has changed is never written
over.
"""

import argparse
import re
import shutil
from pathlib import Path

NOTEBOOKS = Path(__file__).resolve().parents[1]


def files():
    """Yield each file of the classroom: where it is, and its place in the folder."""
    imported = set()
    for path in sorted(NOTEBOOKS.glob("[0-9c]*.ipynb")):
        imported.update(re.findall(r"from replications import (\w+)", path.read_text("utf-8")))
        yield path, Path(path.name)
    for name in sorted(imported):
        yield NOTEBOOKS / "replications" / f"{name}.py", Path("replications", f"{name}.py")
    for path in sorted((NOTEBOOKS / "replications").glob("*.csv")):
        if path.stem == "open_answers":
            continue  # what comes out of exercises
        yield path, Path("replications", path.name)
    for path in sorted((NOTEBOOKS / "exercises").glob("[0-9]*.ipynb")):
        if not path.stem.endswith("_solutions"):
            yield path, Path("exercises", path.name)
    release = NOTEBOOKS / "teaching" / "homework" / "release"
    for path in sorted(path for path in release.rglob("*") if path.is_file()):
        yield path, Path("homework", path.relative_to(release))


def make(folder):
    """Copy the files into a folder; returns those that stay because somebody has changed them."""
    kept = []
    for source, place in files():
        target = Path(folder) / place
        if target.exists() and target.read_bytes() != source.read_bytes():
            kept.append(place)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    return kept


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make a folder for a class.")
    parser.add_argument("folder", nargs="?", default="classroom")
    folder = parser.parse_args().folder
    kept = make(folder)
    print(f"{folder} has the chapters, the exercises and the homework, and no keys.")
    for place in kept:
        print(f"{place} stays as it is, because it differs from the project's file.")
