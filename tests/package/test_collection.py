"""Every process collects the same tests, or several of them could not share the work."""

import os
import subprocess
import sys

from places import ROOT


def collect(seed):
    """Start a process that lists the tests, with a seed for the order of sets."""
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )


def test_ids_do_not_depend_on_the_order_of_sets_or_on_addresses():
    running = [collect(seed) for seed in ("1", "2")]
    texts = [process.communicate()[0] for process in running]
    first, second = ([line for line in text.splitlines() if "::" in line] for text in texts)
    assert len(first) > 1000, texts[0][-2000:]
    assert first == second
