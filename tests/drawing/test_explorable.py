"""The explorable: what it writes into a page, and what it refuses."""

import json
import re

import numpy as np
import pandas as pd

from treelab.figures import explorable

FRAMES = [("<p>a</p>", "Caption.", "Alt.")]


def made(data, kind="cut"):
    """An explorable of these data."""
    return explorable(kind, data, FRAMES, title="A < B", name="one-two")


def test_numbers_of_numpy_and_pandas_become_json():
    data = {
        "x": np.arange(3), "y": pd.Series([0.1, 0.2]), "n": np.int64(4), "f": np.float64(0.5),
        "b": np.bool_(True), "i": pd.Index(["a", "b"]), "deep": [{"z": np.eye(2)}], "none": None,
    }  # fmt: skip
    assert json.loads(made(data).json) == {
        "x": [0, 1, 2], "y": [0.1, 0.2], "n": 4, "f": 0.5, "b": True, "i": ["a", "b"],
        "deep": [{"z": [[1.0, 0.0], [0.0, 1.0]]}], "none": None,
    }  # fmt: skip


def test_numbers_have_six_significant_digits_and_none_that_rounding_decides():
    data = {"a": [1 / 3, 121341.60428571429, -0.0], "b": {"c": 1e-17, "d": 12345678}}
    assert json.loads(made(data).json) == {
        "a": [0.333333, 121342.0, 0.0],
        "b": {"c": 0.0, "d": 12345678},
    }
    assert "-0" not in made(data).json


def test_the_page_gets_the_data_whole_and_the_still_pictures():
    data = {"text": "</script><b>&amp; \u2264"}
    html = made(data)._repr_html_()
    assert html.count("</script>") == 1
    inside = re.search(r'<script type="application/json">(.*?)</script>', html)[1]
    assert json.loads(inside) == data
    assert '<figcaption class="tl-title">A &lt; B</figcaption>' in html
    assert 'id="explorable-one-two" data-kind="cut"' in html
    assert '<div class="tl-still"><ol' in html
    assert "<p>a</p>" in html
