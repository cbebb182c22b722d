"""A folder for a class: everything that students need, and nothing that they must not have."""

import re

import make_classroom
import make_exercises
import pytest
from places import ROOT


@pytest.fixture
def project(tmp_path, monkeypatch):
    """The notebooks of a project in which exercises and homework have been derived."""
    notebooks = tmp_path / "notebooks"
    for path in [*ROOT.glob("notebooks/[0-9c]*.ipynb"), *ROOT.glob("notebooks/replications/*")]:
        if path.is_file():
            copy = notebooks / path.relative_to(ROOT / "notebooks")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    exercises = notebooks / "exercises"
    exercises.mkdir()
    for path in sorted(make_exercises.FOLDER.glob("*_solutions.ipynb"))[:2]:
        (exercises / path.name).write_bytes(path.read_bytes())
        make_exercises.make(path, exercises)
    for part in ("release/hw1", "keys/hw1", "rubrics"):
        (notebooks / "teaching" / "homework" / part).mkdir(parents=True)
    (notebooks / "teaching/homework/release/hw1/hw1.ipynb").write_text("{}", encoding="utf-8")
    (notebooks / "teaching/homework/keys/hw1/hw1.ipynb").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(make_classroom, "NOTEBOOKS", notebooks)
    return tmp_path


def test_a_classroom_has_no_keys(project):
    room = project / "room"
    assert make_classroom.make(room) == []
    found = {path.relative_to(room).as_posix() for path in room.rglob("*") if path.is_file()}
    chapters = {path.name for path in ROOT.glob("notebooks/[0-9c]*.ipynb")}
    assert {name for name in found if "/" not in name} == chapters
    assert {"exercises/01_reading_a_tree.ipynb", "homework/hw1/hw1.ipynb"} <= found
    assert not [name for name in found if "solution" in name or "key" in name or "judge" in name]
    assert {name.rpartition(".")[2] for name in found} == {"ipynb", "csv", "py"}


def test_what_a_chapter_imports_and_reads_is_in_the_classroom(project):
    room = project / "room"
    make_classroom.make(room)
    text = "".join(path.read_text(encoding="utf-8") for path in room.glob("*.ipynb"))
    scripts = set(re.findall(r"from replications import (\w+)", text))
    tables = set(re.findall(r"replications/(\w+)\.csv", text))
    assert scripts
    assert tables
    assert {path.stem for path in room.glob("replications/*.py")} == scripts
    assert tables <= {path.stem for path in room.glob("replications/*.csv")}
    scripts_there = {path.stem for path in ROOT.glob("notebooks/replications/*.py")}
    for path in room.glob("replications/*.py"):
        wanted = re.findall(r"^(?:from|import) (\w+)", path.read_text(encoding="utf-8"), re.M)
        assert not scripts_there & set(wanted)


def test_what_somebody_has_changed_is_kept(project):
    room = project / "room"
    make_classroom.make(room)
    own = room / "exercises" / "01_reading_a_tree.ipynb"
    own.write_text("mine", encoding="utf-8")
    assert [place.as_posix() for place in make_classroom.make(room)] == [
        "exercises/01_reading_a_tree.ipynb"
    ]
    assert own.read_text(encoding="utf-8") == "mine"
