"""What a chapter weighs in a browser before mathematics (see weigh.mjs), and its icons."""

import json
import subprocess
from pathlib import Path

import pytest
from browser_tools import tools

HERE = Path(__file__).resolve().parent
HTML = HERE.parent.parent / "_build" / "html"
PAGES = ["book/preface.html", "book/api/tree.html", "notebooks/teaching/bug_museum_03.html"]
PAGES += [f"notebooks/{p.name}" for p in sorted(HTML.glob("notebooks/[0-9]*.html"))]
MOST = 1_200_000


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    """What each page makes a browser fetch."""
    browser, node = tools()
    path = tmp_path_factory.mktemp("weight") / "report.json"
    run = subprocess.run(
        [node, "weigh.mjs", str(HTML), browser, str(path), *PAGES],
        cwd=HERE,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_light(weights, name):
    heaviest = sorted(weights[name]["files"].items(), key=lambda file: -file[1])[:4]
    assert 100_000 < weights[name]["bytes"] <= MOST, heaviest


@pytest.mark.parametrize("name", PAGES)
def test_images_have_their_place_and_icons_are_drawn(weights, name):
    assert weights[name]["loose"] == []
    assert weights[name]["blank"] == []
