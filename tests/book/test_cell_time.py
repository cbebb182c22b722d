"""A cell that takes too long or too much is found, also one without outputs (see cell_time.py)."""

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


def watched(tmp_path, limit, other, sources, program=("-m", "pytest")):
    """What pytest says of a notebook without outputs, run under the watch with another limit."""
    text = WATCH.read_text(encoding="utf-8")
    assert text.count(limit) == 1
    (tmp_path / STARTUP).parent.mkdir(parents=True)
    (tmp_path / STARTUP).write_text(text.replace(limit, other), encoding="utf-8")
    cells = [v4.new_code_cell(source, execution_count=k) for k, source in enumerate(sources, 1)]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    write(v4.new_notebook(cells=cells, metadata=metadata), tmp_path / "slow.ipynb")
    run = subprocess.run(
        [sys.executable, *program, "-q", "--nbval", "slow.ipynb"],
        cwd=tmp_path,
        env={**os.environ, "IPYTHONDIR": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
    )
    return run.stdout


def test_a_cell_that_takes_too_long_is_found(tmp_path):
    said = watched(tmp_path, " most = 15 ", " most = 0.5 ", CELLS)
    assert "FAILED slow.ipynb::Cell 1" in said
    assert "1 failed, 1 passed" in said


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a kernel's memory")
def test_a_notebook_that_takes_too_much_memory_is_found(tmp_path):
    cells = ["import time", "kept = bytearray(b'1') * 300_000_000"]
    said = watched(tmp_path, "most_memory = 600 ", "most_memory = 250 ", cells)
    assert "FAILED slow.ipynb::Cell 1" in said
    assert "1 failed, 1 passed" in said


def test_what_the_process_took_that_starts_a_kernel_is_not_counted(tmp_path):
    large = """import sys, pytest
kept = bytearray(b"1") * 400_000_000
del kept
sys.exit(pytest.main(sys.argv[1:]))"""
    said = watched(tmp_path, "most_memory = 600 ", "most_memory = 250 ", CELLS[:1], ("-c", large))
    assert "1 passed" in said
