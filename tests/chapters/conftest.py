"""The page that the tests of a module are about, and the list of its given numbers."""

import os

import pytest
from facts import GIVEN, Page

CHOSEN = set()  # modules of which not all tests are run


def pytest_deselected(items):
    """Note the modules of which a test is left out, but for what only `make test-all` runs."""
    CHOSEN.update(item.path for item in items if not item.get_closest_marker("whole"))


@pytest.fixture(scope="module")
def page(request):
    """The chapter of the topic after which the module is named; `facts.Page`.

    After all tests of the module, the numbers that none of them holds are compared with the list.
    """
    topic = request.path.stem.removeprefix("test_")
    page, failed = Page.of(topic), request.session.testsfailed
    yield page
    is_whole = request.path not in CHOSEN and not any("::" in a for a in request.config.args)
    if not is_whole or request.session.testsfailed > failed:
        return
    path = GIVEN / f"{topic}.txt"
    if "WRITE_GIVEN" in os.environ:
        path.write_text("".join(f"{line}\n" for line in page.given()), encoding="utf-8")
    assert path.read_text(encoding="utf-8").splitlines() == page.given(), (
        f"numbers of the page that no test computes have changed. If they are right, "
        f"run WRITE_GIVEN=1 pytest {request.path} and read what changed in {path}"
    )
