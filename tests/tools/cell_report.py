"""Report the processor time and memory of the notebooks' cells (see cell_time.py).

    python tests/tools/cell_report.py FOLDER_OF_IPYTHON

A class should not wait longer than 15 s for a cell. Slower cells are listed, because how fast a
processor is must not decide whether the checks pass. A cell that uses ten times as much, or a
notebook that takes more memory than a classroom machine gives it, fails.
"""

import json
import sys
from pathlib import Path

SLOW, MOST = 15, 150  # seconds of processor time
MEMORY = 600  # MiB


def report(records, slow=SLOW, most=MOST, memory=MEMORY):
    """Return the lines of the report, and the faults, from lines of ``cell_times.jsonl``."""
    named = [
        (f"{Path(r['folder']).name}: {r['cell'].strip().splitlines()[0]!r}", r)
        for r in records
        if r["cell"].strip()
    ]
    total = sum(r["seconds"] for _, r in named)
    lines = [f"{len(named)} cells used {total:.0f} s of processor time."]
    for name, r in sorted(named, key=lambda pair: -pair[1]["seconds"]):
        if r["seconds"] > slow:
            lines.append(f"{r['seconds']:.0f} s in {name}")
    faults = [f"more than {most} s: {name}" for name, r in named if r["seconds"] > most]
    faults += [f"more than {memory} MiB: {name}" for name, r in named if r["memory"] > memory]
    return lines, faults


def main():
    """Print the report; return 1 if there is a fault or no record."""
    path = Path(sys.argv[1]) / "cell_times.jsonl"
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines, faults = report(records)
    print(*lines, *faults, sep="\n")
    return int(bool(faults) or not records)


if __name__ == "__main__":
    sys.exit(main())
