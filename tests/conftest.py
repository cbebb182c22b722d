"""What all tests share."""

import os
import sys

import matplotlib as mpl
import pytest
from hypothesis import settings

mpl.use("agg")
os.environ.update(COLUMNS="80", LINES="24")  # tables are as wide as in any other terminal
# The same examples in every run, and no deadline: a busy machine makes no test fail.
settings.register_profile("treelab", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("treelab")

LONG = {"browser", "explorables", "test_slides.py", "test_pdf.py", "test_grading.py"}


def pytest_collection_modifyitems(items):
    """Begin with the files that take longest, so that all processes end at the same time."""
    items.sort(key=lambda item: LONG.isdisjoint(item.path.parts))


@pytest.fixture(autouse=True)
def _close_figures():
    """Close the figures that a test leaves open."""
    yield
    plt = sys.modules.get("matplotlib.pyplot")
    if plt is not None:
        plt.close("all")
