"""Every process collects the same tests, or several of them could not share the work."""

import os
import subprocess
import sys

from places import ROOT


def test_ids_do_not_depend_on_the_order_of_sets_or_on_addresses(request):
    """The tests that this process has collected are those of one with another hash seed."""
    here = [item.nodeid for item in request.session.items if item.path.suffix == ".py"]
    files = dict.fromkeys(name.partition("::")[0] for name in here)
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    seed = {"PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"}
    # Options of the caller would change what is printed.
    environment = {**os.environ, **seed, "PYTEST_ADDOPTS": ""}
    text = subprocess.run(
        [*command, *files], cwd=ROOT, env=environment, stdout=subprocess.PIPE, encoding="utf-8"
    ).stdout
    assert [name for name in text.splitlines() if name in set(here)] == here
