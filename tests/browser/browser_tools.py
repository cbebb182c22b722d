"""What the browser checks need of a machine."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
HTML = Path(os.environ.get("TREELAB_HTML") or HERE.parent.parent / "_build" / "html").resolve()


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


def report_of(script, folder, *arguments, book=HTML, timeout=3000):
    """What a script of this folder, run on the built book, has written into its report.

    An argument that is no text goes to the script as a file of JSON.
    """
    browser, node = tools()
    path = folder / "report.json"
    for i, argument in enumerate(arguments):
        if not isinstance(argument, str):
            file = folder / f"argument_{i}.json"
            file.write_text(json.dumps(argument), encoding="utf-8")
            arguments = (*arguments[:i], str(file), *arguments[i + 1 :])
    run = subprocess.run(
        [node, script, str(book), browser, str(path), *arguments],
        cwd=HERE,
        capture_output=True,
        encoding="utf-8",
        timeout=timeout,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(path.read_text(encoding="utf-8"))
