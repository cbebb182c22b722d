"""The live cells and exercises of the built book, run in a browser (see live.mjs)."""

import http.server
import threading
import urllib.request
from functools import partial

import live_answers
import pytest
from browser_tools import HTML, report_of
from places import ROOT

CHAPTERS = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))


def live(folder, starting):
    """What is wrong with the live parts of each page, and what was run."""
    parts = ("right", "wrong", "hint")
    answers = {e: dict(zip(parts, answer)) for e, answer in live_answers.ANSWERS.items()}
    return report_of("live.mjs", folder, answers, starting)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What is said when the first chapter alone starts Python."""
    return live(tmp_path_factory.mktemp("live"), "first")


@pytest.mark.timeout(3600)
@pytest.mark.whole
def test_every_chapter_starts_python(tmp_path):
    report = live(tmp_path, "all")
    assert {page: said["problems"] for page, said in report.items() if said["problems"]} == {}


@pytest.mark.timeout(3600)
def test_cells_and_exercises_of_all_chapters_do_what_they_say(report):
    wrong = {page: said["problems"] for page, said in report.items() if said["problems"]}
    assert wrong == {}
    pages = {f"notebooks/{chapter}.html" for chapter in CHAPTERS}
    assert {page for page, said in report.items() if said["exercises"]} == pages
    assert [page for page in sorted(pages) if not report[page]["cells"]] == []


@pytest.mark.timeout(3600)
def test_every_exercise_was_answered(report):
    answered = [e for page in report.values() for e in page["exercises"]]
    assert sorted(answered) == sorted(live_answers.ANSWERS)


def test_the_server_of_make_serve_gives_scripts_a_type_that_browsers_run():
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(HTML))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name in ("pyodide/pyodide.mjs", "pyodide/pyodide.asm.mjs", "live/live_worker.js"):
            url = f"http://127.0.0.1:{server.server_address[1]}/_static/{name}"
            with urllib.request.urlopen(url) as answer:
                assert answer.headers.get_content_type() in (
                    "text/javascript",
                    "application/javascript",
                )
        server.shutdown()
