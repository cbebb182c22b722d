"""A cell that takes too long is found, also one without outputs (see cell_time.py)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from nbformat import v4, write

WATCH = Path(__file__).with_name("cell_time.py")
STARTUP = Path("profile_default", "startup", "cell_time.py")
CELLS = ["import time; begun = time.process_time()", "while time.process_time() < begun + 1: pass"]


def test_notebooks_are_run_under_the_watch(pytestconfig):
    if not pytestconfig.getoption("nbval", default=False):
        pytest.skip("no notebook is run")
    assert (Path(os.environ["IPYTHONDIR"]) / STARTUP).read_bytes() == WATCH.read_bytes()


def test_a_cell_that_takes_too_long_is_found(tmp_path):
    text = WATCH.read_text(encoding="utf-8")
    assert text.count("most = 15 ") == 1
    (tmp_path / STARTUP).parent.mkdir(parents=True)
    (tmp_path / STARTUP).write_text(text.replace("most = 15 ", "most = 0.5 "), encoding="utf-8")
    cells = [v4.new_code_cell(source, execution_count=k) for k, source in enumerate(CELLS, 1)]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    write(v4.new_notebook(cells=cells, metadata=metadata), tmp_path / "slow.ipynb")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--nbval", "slow.ipynb"],
        cwd=tmp_path,
        env={**os.environ, "IPYTHONDIR": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
    )
    assert "FAILED slow.ipynb::Cell 1" in run.stdout
    assert "1 failed, 1 passed" in run.stdout
