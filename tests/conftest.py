"""What all tests share."""

import gc
import os
import pickle
import sys

import joblib
import matplotlib as mpl
import pytest
from hypothesis import settings
from joblib.externals.loky.backend.reduction import dumps
from joblib.parallel import ThreadingBackend
from places import TESTS
from topics import TOPICS, topics_of

mpl.use("agg")
os.environ.update(COLUMNS="80", LINES="24")  # tables are as wide as in any other terminal
# The same examples in every run, and no deadline: a busy machine makes no test fail.
settings.register_profile("treelab", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("treelab")


class CopiedWork(ThreadingBackend):
    """Threads that get their work pickled, as processes do, which import all packages first."""

    supports_sharedmem = False

    def submit(self, func, callback=None):
        return super().submit(pickle.loads(dumps(func)), callback)


joblib.register_parallel_backend("copied work", CopiedWork)
joblib.parallel_config("copied work")  # where a test does not ask for processes

LONG = {"browser", "explorables", "test_slides.py", "test_pdf.py", "teaching", "references"}
LONG |= {"test_collection.py", "05_id3_and_c45.ipynb", "15_forests_choose.ipynb"}


def pytest_configure(config):
    """Register a marker for each topic; one that is chosen leaves out what only test-all runs."""
    for topic in TOPICS:
        config.addinivalue_line("markers", f"{topic}: belongs to the chapter with this topic")
    chosen = config.option.markexpr
    if chosen and "whole" not in chosen:
        config.option.markexpr = f"({chosen}) and not whole"


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect without looking for garbage, and later look at nothing that is there by then.

    A quarter of the time of collection was such looks, through half a million objects each.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


# First, because pytest itself leaves out by markers in the same hook.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark tests with their topics, and begin with the files that take longest.

    So all processes end at the same time.
    """
    for item in items:
        if TESTS in item.path.parents:
            values = item.callspec.params.values() if hasattr(item, "callspec") else ()
            for topic in sorted(topics_of(item.path.relative_to(TESTS), values)):
                item.add_marker(topic)
    items.sort(key=lambda item: LONG.isdisjoint(item.path.parts))


@pytest.fixture(autouse=True)
def _close_figures():
    """Close the figures that a test leaves open."""
    yield
    plt = sys.modules.get("matplotlib.pyplot")
    if plt is not None:
        plt.close("all")
