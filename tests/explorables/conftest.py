"""The built explorables, driven in a browser (see tests/browser/explore.mjs)."""

import json
import subprocess

import pytest
from browser_tools import HERE, HTML, tools


@pytest.fixture(scope="session")
def explore():
    """Return what tells of the explorables of a kind on a page: `records` and `problems`.

    One browser drives all kinds; after one that stopped it, there is a new one for the next.
    """
    running = []

    def ask(page, kind, steps="200", where="", book=HTML):
        if not running:
            browser, node = tools()
            pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
            command = [node, "explore.mjs", browser]
            running.append(subprocess.Popen(command, cwd=HERE, encoding="utf-8", **pipes))
        process = running[-1]
        asked = json.dumps([str(book), page, kind, steps, where])
        print(asked, file=process.stdin, flush=True)
        answer = process.stdout.readline()
        if not answer:
            running.clear()
            pytest.fail(f"{kind} on {page}: {process.communicate()[1]}")
        return json.loads(answer)

    yield ask
    for process in running:
        process.communicate()  # which ends it


@pytest.fixture(scope="module")
def explored(request, explore):
    """What the explorable of the module's PAGE and KIND has shown, with nothing wrong."""
    page, kind = request.module.PAGE, request.module.KIND
    assert (HTML / page).is_file(), "build the book first: make book"
    steps = getattr(request.module, "STEPS", "200")
    found = explore(page, kind, steps, "everywhere" if kind == "flower" else "")
    assert found["problems"] == []
    return found
