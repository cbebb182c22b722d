"""Pages to explore, in a browser (explore_pages.mjs): filters and letters."""

import pytest
from browser_tools import report_of


@pytest.mark.timeout(3600)
def test_nothing_is_wrong_with_filters_and_letters(tmp_path):
    assert report_of("explore_pages.mjs", tmp_path) == []
