"""The built explorables, driven in a browser (see tests/browser/explore.mjs)."""

import pytest
from browser_tools import HTML, report_of


@pytest.fixture(scope="module")
def explored(request, tmp_path_factory):
    """What the explorable of the module's PAGE and KIND has shown: `records` and `problems`."""
    page, kind = request.module.PAGE, request.module.KIND
    steps = getattr(request.module, "STEPS", "200")
    assert (HTML / page).is_file(), "build the book first: make book"
    return report_of("explore.mjs", tmp_path_factory.mktemp(kind), page, kind, steps, timeout=280)
