"""The same on every machine: nothing hangs on its locale, its clock, its cores or a person's files.

The browser's checks see to the fonts (``tests/browser/host.mjs``).
"""

import ast
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import matplotlib as mpl
import matplotlib.font_manager
import nbformat
import pytest
from packaging.specifiers import SpecifierSet
from places import ROOT

from treelab.drawing.style import use_style

FOLDERS = ("treelab", "tests", "notebooks", "book")
PROGRAMS = sorted(
    path
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*.py")
    if "node_modules" not in path.parts
)
NOTEBOOKS = sorted((ROOT / "notebooks").rglob("*.ipynb"))


def sources():
    """Each program, and the code of each notebook that is Python alone, with its path."""
    for path in PROGRAMS:
        yield path, path.read_text(encoding="utf-8")
    for path in NOTEBOOKS:
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                lines = cell.source.splitlines()
                yield path, "\n".join(line for line in lines if line[:1] not in ("%", "!"))


OPENS = re.compile(r"[oO]pen\(|read_text|write_text|\brun\(|check_output")


def in_the_machines_encoding(source):
    """The calls that read or write text and leave its encoding to the machine."""
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        function, given = ast.unparse(call.func), {k.arg: k.value for k in call.keywords}
        name = function.rpartition(".")[2]
        if name == "open" and function not in ("os.open", "pikepdf.open", "Image.open"):
            place = 1 if function in ("open", "io.open", "gzip.open") else 0
            mode = given.get("mode", [*call.args, *[ast.Constant("r")] * 2][place])
            text = "b" not in ast.unparse(mode) and function != "gzip.open"
        elif name in ("read_text", "write_text"):
            text = len(call.args) <= (name == "write_text")
        else:
            text = name in ("run", "Popen", "check_output") and "text" in given
        if text and "encoding" not in given:
            yield ast.unparse(call)


GIVEN = """
    open('b.csv', 'rb')
    open('b.csv', encoding='utf-8')
    path.open('rb')
    path.read_text('utf-8')
    path.write_text(text, encoding='utf-8')
    os.open(path, os.O_RDWR)
    pikepdf.open(path)
"""
LEFT = """
    open('b.csv')
    open('b.csv', mode='w')
    path.open()
    path.read_text()
    path.write_text(text)
    subprocess.run(command, text=True)
"""


def test_the_check_of_encodings_itself():
    for lines, found in ((GIVEN, 0), (LEFT, 1)):
        for line in lines.split("\n")[1:-1]:
            assert OPENS.search(line)
            assert len(list(in_the_machines_encoding(line.strip()))) == found, line


def test_every_text_names_its_encoding():
    found = {
        f"{path.relative_to(ROOT)}: {call}"
        for path, text in sources()
        if OPENS.search(text)
        for call in in_the_machines_encoding(text)
    }
    assert sorted(found) == []


def test_pictures_have_one_look_whatever_a_persons_settings_are(monkeypatch):
    own = {"lines.markeredgewidth": 7, "font.size": 30, "text.usetex": True, "axes.grid": True}
    looks = []
    for settings in ({}, own):
        with mpl.rc_context():
            mpl.rcdefaults()
            mpl.rcParams.update(settings)
            monkeypatch.setattr(mpl, "rcParamsOrig", mpl.rcParams.copy())
            use_style()
            looks.append({key: str(value) for key, value in mpl.rcParams.items()})
    assert looks[0] == looks[1]


def test_letters_in_pictures_are_those_that_matplotlib_brings():
    bundled = Path(mpl.get_data_path()).resolve()
    for weight in ("normal", "bold"):
        found = mpl.font_manager.findfont(
            mpl.font_manager.FontProperties(family="DejaVu Sans", weight=weight)
        )
        assert Path(found).resolve().is_relative_to(bundled)


def test_notebooks_are_run_without_a_persons_settings():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    lines, starts = text.splitlines(), ("PYTEST = ", "WARM_PYTEST = ")
    runs = [x for x in lines if re.search("nbconvert --to|^(WARM_)?PYTEST = |make_page.py", x)]
    for name in ("JUPYTER_NO_CONFIG=1", "IPYTHONDIR=", "MPLCONFIGDIR="):
        assert name in text.partition("ALONE := ")[2].partition("LIST_FONTS")[0]
    assert len(runs) == 4
    begins = ("\t$(ALONE) ", *(f"{start}$(ALONE) " for start in starts))
    assert all(line.startswith(begins) for line in runs)
    assert [line.split()[0] for line in lines if "$(NBVAL)" in line] == [
        "$(PYTEST)", "$(WARM_PYTEST)",
    ]  # fmt: skip
    assert text.count("\t$(LIST_FONTS)\n") == 3  # before the tests, the notebooks, the museum


def modules_below(program, folders):
    """The modules in some folders that a program needs, with those that these need in turn."""
    todo, found = [program], {}
    while todo:
        path = todo.pop()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            for name in set(names) - found.keys():
                files = [folder / f"{name}.py" for folder in folders]
                found[name] = next(filter(Path.is_file, files), None)
                todo += [found[name]] if found[name] else []
    return {name for name, path in found.items() if path}


def test_a_program_that_make_starts_finds_its_modules():
    """Not only below pytest, which has every folder of the tests on its path."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    all_folders = [ROOT / name for name in settings["tool"]["pytest"]["ini_options"]["pythonpath"]]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    starts = re.findall(r"(?:PYTHONPATH=(\S+) )?\$\(BIN\)/python (?:-W \w+ )?(\S+\.py)", makefile)
    assert len(starts) > 10
    for on_path, name in starts:
        own = [(ROOT / name).parent, *(ROOT / folder for folder in on_path.split())]
        if "sys.path" not in (ROOT / name).read_text(encoding="utf-8"):
            needed = modules_below(ROOT / name, own + all_folders)
            assert modules_below(ROOT / name, own) == needed, name


def test_the_fonts_of_the_book_lie_beside_their_license_and_are_small():
    folder = ROOT / "book" / "_static" / "fonts"
    fonts = {path.name for path in folder.glob("*.woff2")}
    sheets = [ROOT / "book" / "_static" / "fonts.css", ROOT / "book/_ext/printed/print.css"]
    named = {
        name
        for sheet in sheets
        for name in re.findall(r"fonts/([\w-]+\.woff2)", sheet.read_text(encoding="utf-8"))
    }
    assert fonts == named
    assert sum(path.stat().st_size for path in folder.iterdir()) < 300_000
    license_text = (folder / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in license_text
    for name in fonts:
        assert f"({name.partition('-italic')[0].removesuffix('.woff2').removesuffix('-bold')}*" in (
            license_text
        )


@pytest.mark.whole
def test_examples_are_the_same_in_a_narrow_terminal():
    narrow = {**os.environ, "COLUMNS": "40", "LINES": "10", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    example = "tests/package/test_doctests.py::test_examples[treelab.fast.growing]"
    done = subprocess.run([*command, example], cwd=ROOT, env=narrow, capture_output=True)
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")


def test_what_is_locked_runs_on_the_first_python_that_is_promised():
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    first = wanted["project"]["requires-python"].removeprefix(">=") + ".0"
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    taken_out = re.search(r"^SLOW := (.+)$", makefile, re.MULTILINE)[1].split()
    names = {line.partition("==")[0] for line in locked if "==" in line} - set(taken_out)
    assert len(names) > 100
    for name in names:
        python = importlib.metadata.metadata(name)["Requires-Python"] or ""
        assert SpecifierSet(python).contains(first), f"{name} wants Python {python}"
