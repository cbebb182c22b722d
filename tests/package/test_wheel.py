"""treelab as people install it: an exercise notebook downloaded alone works in any folder."""

import shutil
import subprocess
import sys
import tomllib
import zipfile

import drills
import make_exercises
import pytest
from places import ROOT

BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
# Runs each notebook, but for cells that fetch real data, and says what was found where.
RUN = """
import json, re, sys
import treelab
print("treelab:", treelab.__file__)
for name in sys.argv[1:]:
    cells = json.load(open(name, encoding="utf-8"))["cells"]
    space = {"__name__": "exercises", "display": lambda *shown: None}
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and "fetch_" not in source:
            exec(re.sub("^[%!].*$", "", source, flags=re.M), space)
print("checkers:", sys.modules["checks_reading"].__file__)
from treelab.checkers import verdict
from treelab.exercises.checkers import _CHECKERS
for exercise in _CHECKERS:
    print("judged:", verdict(exercise, lambda *given, **named: 0)[0])
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with what the wheel holds."""
    folder = tmp_path_factory.mktemp("wheel")
    source, target = folder / "source", folder / "target"
    ignored = shutil.ignore_patterns("__pycache__", "*.ipynb", "*.egg-info")
    for part in (
        "treelab", "notebooks/exercises", "notebooks/figures", "notebooks/teaching/exam",
        "book/_static/explorables",
    ):  # fmt: skip
        shutil.copytree(ROOT / part, source / part, ignore=ignored)
    files = ["pyproject.toml", "README.md", "LICENSE"]
    for file in [*files, "book/references.bib", "book/_static/explorable.css"]:
        shutil.copy(ROOT / file, source / file)
    run = [sys.executable, "-c", BUILD, str(folder)]
    subprocess.run(run, cwd=source, check=True, capture_output=True)
    [wheel] = folder.glob("treelab-*.whl")
    zipfile.ZipFile(wheel).extractall(target)
    return target


def test_an_exercise_notebook_works_alone(installed, tmp_path):
    notebooks = [
        make_exercises.make(path, tmp_path).name
        for path in sorted(make_exercises.FOLDER.glob("*_solutions.ipynb"))
    ]
    done = subprocess.run(
        [sys.executable, "-c", RUN, *notebooks],
        cwd=tmp_path,
        env={"PYTHONPATH": str(installed), "PATH": "", "MPLBACKEND": "agg"},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()
    assert told[0] == f"treelab: {installed / 'treelab' / '__init__.py'}"
    assert f"checkers: {installed / 'treelab' / 'exercises' / 'checks_reading.py'}" in told
    assert sum(line.endswith(": not done yet") for line in told) > 100
    assert sum(line.startswith("0 of ") for line in told) == len(drills.ASKED)
    judged = [line for line in told if line.startswith("judged: ")]
    assert len(judged) > 40
    assert set(judged) == {"judged: False"}


def test_every_room_is_in_the_package(installed):
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    rooms = {p.parent.relative_to(ROOT) for p in (ROOT / "treelab").rglob("__init__.py")}
    extra = {"treelab.drills", "treelab.exercises", "treelab.figures"}
    assert set(packages["packages"]) == {".".join(room.parts) for room in rooms} | extra
    data = {p.relative_to(ROOT) for p in (ROOT / "treelab").rglob("*.toml")}
    assert data
    assert all((installed / path).is_file() for path in data)


def test_the_extension_for_jupyterlab_is_in_the_wheel_and_is_what_make_lab_installs(
    installed, tmp_path
):
    script = ROOT / "notebooks" / "figures" / "lab" / "install.py"
    subprocess.run([sys.executable, script, tmp_path], check=True)
    [data] = installed.glob("treelab-*.data/data")

    def files(folder):
        return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}

    assert files(data) == files(tmp_path)
    names = {path.name for path in files(data)}
    assert {"package.json", "lab.js", "core.js", "references.bib"} <= names
