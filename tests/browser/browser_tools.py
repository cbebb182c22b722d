"""What the browser checks need of a machine."""

import os
import shutil
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def tools():
    """Chromium and node, or the reason why the browser checks cannot run."""
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    node = shutil.which("node")
    missing = []
    if not browser:
        missing.append("Chromium (apt-get install chromium, or set CHROMIUM to its path)")
    if not node:
        missing.append("Node.js (apt-get install nodejs npm)")
    if not (HERE / "node_modules" / "playwright-core").is_dir():
        missing.append("the packages of tests/browser/package.json (npm ci in tests/browser)")
    if missing:
        message = "no browser checks without " + " and ".join(missing)
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return browser, node
