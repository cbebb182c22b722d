"""The page that the tests of a module are about."""

import pytest
from facts import Page


@pytest.fixture(scope="module")
def page(request):
    """The chapter of the topic after which the module is named; `facts.Page`."""
    return Page.of(request.path.stem.removeprefix("test_"))
