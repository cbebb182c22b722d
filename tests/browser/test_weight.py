"""What a chapter weighs in a browser before mathematics (see weigh.mjs), and its icons."""

import pytest
from browser_tools import HTML, report_of

PAGES = ["book/preface.html", "book/api/tree.html", "notebooks/teaching/bug_museum_03.html"]
PAGES += [f"notebooks/{p.name}" for p in sorted(HTML.glob("notebooks/[0-9]*.html"))]
MOST = 1_200_000


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    """What each page makes a browser fetch."""
    return report_of("weigh.mjs", tmp_path_factory.mktemp("weight"), *PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_light(weights, name):
    heaviest = sorted(weights[name]["files"].items(), key=lambda file: -file[1])[:4]
    assert 100_000 < weights[name]["bytes"] <= MOST, heaviest


@pytest.mark.parametrize("name", PAGES)
def test_images_have_their_place_and_icons_are_drawn(weights, name):
    assert weights[name]["loose"] == []
    assert weights[name]["blank"] == []
