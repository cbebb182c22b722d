"""The built explorables, driven in a browser (see tests/browser/explore.mjs)."""

import json
import subprocess

import pytest
from browser_tools import HERE, tools
from places import ROOT

HTML = ROOT / "_build" / "html"


@pytest.fixture(scope="module")
def explored(request, tmp_path_factory):
    """What the explorable of the module's PAGE and KIND has shown: `records` and `problems`."""
    browser, node = tools()
    page, kind = request.module.PAGE, request.module.KIND
    assert (HTML / page).is_file(), "build the book first: make book"
    path = tmp_path_factory.mktemp(kind) / "report.json"
    run = subprocess.run(
        [node, "explore.mjs", str(HTML), browser, page, kind, str(path)],
        cwd=HERE,
        capture_output=True,
        encoding="utf-8",
        timeout=280,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(path.read_text(encoding="utf-8"))
