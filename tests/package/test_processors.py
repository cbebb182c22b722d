"""The same trees grow on every processor.

NumPy, BLAS and the C library choose their instructions when a process starts. Each can be told to
use those of an older processor, whose sums, logarithms and exponentials differ in the last digit.
"""

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PROGRAM = Path(__file__).with_name("grown_trees.py")
# What NumPy may do without. Names that this processor or NumPy does not know are left out.
WITHOUT_AVX512 = ("X86_V4", "AVX512_ICL", "AVX512_SPR", "AVX512F", "AVX512CD", "AVX512_SKX")
WITHOUT_AVX2 = (*WITHOUT_AVX512, "X86_V3", "AVX2", "FMA3")


def known(names):
    """Return those of some features that NumPy would use here, as it wants them named."""
    config = np.show_config(mode="dicts")["SIMD Extensions"]
    return " ".join(name for name in names if name in config.get("found", []))


PROCESSORS = {
    "AVX2": {"NPY_DISABLE_CPU_FEATURES": known(WITHOUT_AVX512), "OPENBLAS_CORETYPE": "Haswell"},
    "SSE4.2": {"NPY_DISABLE_CPU_FEATURES": known(WITHOUT_AVX2), "OPENBLAS_CORETYPE": "Nehalem"},
    "C library": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA"},
}
OLDEST = {"SSE4.2, and so the C library": PROCESSORS["SSE4.2"] | PROCESSORS["C library"]}
SOME = ("wine", "golf", "vegetation", "bike_rentals", "sine")


def start(settings, names):
    """Start the program for some data sets under some settings of the environment."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    for name, value in settings.items():
        if value:
            environment[name] = value
    command = [sys.executable, "-W", "ignore", str(PROGRAM), *names]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, encoding="utf-8")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("processors", "names"),
    [(OLDEST, SOME), pytest.param(PROCESSORS, (), marks=pytest.mark.whole)],
    ids=["oldest", "each"],
)
def test_the_same_trees_grow_on_every_processor(processors, names):
    running = {name: start(settings, names) for name, settings in processors.items()}
    here = runpy.run_path(str(PROGRAM))["fingerprints"](names)  # by the instructions as they are
    grown = {name: json.loads(process.communicate()[0]) for name, process in running.items()}
    assert len(here) > 8 * len(names or range(8))
    assert len(set(here.values())) > 5 * len(names or range(8))
    assert all(set(found) == set(here) for found in grown.values())
    assert {
        f"{way} ({name})": splits
        for name in processors
        for way, splits in grown[name].items()
        if splits != here[way]
    } == {}
