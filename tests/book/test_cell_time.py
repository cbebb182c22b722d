"""Cells that take too long or too much memory are reported, and no output mentions it."""

import json
import os
import subprocess
import sys

from cell_report import report
from nbformat import v4, write
from places import TESTS

WATCH = TESTS / "tools" / "cell_time.py"
CELLS = [
    "import time; begun = time.process_time()",
    "while time.process_time() < begun + 0.5: pass",
    "kept = bytearray(b'1') * 300_000_000",
]


def test_a_slow_cell_and_one_that_takes_much_memory_are_reported_and_compared_all_the_same(
    tmp_path,
):
    """The memory of the process that starts the kernel does not count."""
    startup = tmp_path / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / WATCH.name).write_bytes(WATCH.read_bytes())
    cells = [v4.new_code_cell(source, execution_count=k) for k, source in enumerate(CELLS, 1)]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    write(v4.new_notebook(cells=cells, metadata=metadata), tmp_path / "slow.ipynb")
    large = "import sys, pytest; kept = bytearray(b'1') * 500_000_000; del kept; "
    run = subprocess.run(
        [sys.executable, "-c", large + "sys.exit(pytest.main(sys.argv[1:]))"]
        + ["-q", "-p", "no:cacheprovider", "--nbval", "slow.ipynb"],
        cwd=tmp_path,
        env={**os.environ, "IPYTHONDIR": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
    )
    assert "3 passed" in run.stdout, run.stdout + run.stderr
    lines = (tmp_path / "cell_times.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert [r["cell"] for r in records if r["cell"]] == CELLS
    lines, faults = report(records, slow=0.3, most=0.45, memory=280)
    assert [line.partition(": ")[2] for line in lines[1:]] == [repr(CELLS[1])]
    assert [fault.partition(": ")[0] for fault in faults][0] == "more than 0.45 s"
    if sys.platform == "linux":  # elsewhere the memory is not known
        assert [fault.rpartition(": ")[2] for fault in faults[1:]] == [repr(CELLS[2])]
    assert report(records)[1] == []
