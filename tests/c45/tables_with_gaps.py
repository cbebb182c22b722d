"""Small tables with ties, gaps and unused levels, drawn by hypothesis."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st


@st.composite
def tables(draw, gaps=True, numbers=True, max_rows=24, min_rows=2):
    """(frame, y, w): levels and small whole numbers with ties, gaps and unused levels."""
    n = draw(st.integers(min_rows, max_rows))
    frame = {}
    for j in range(draw(st.integers(1, 4))):
        numeric = numbers and draw(st.booleans())
        known = st.integers(0, draw(st.integers(0, 6))) if numeric else st.sampled_from("abc")
        value = st.one_of(known, known, known, st.none()) if gaps else known
        cells = draw(st.lists(value, min_size=n, max_size=n))
        frame[f"x{j}"] = (
            np.array(cells, dtype=float)
            if numeric
            else pd.Categorical(cells, categories=list("cabd"))
        )
    y = np.array(draw(st.lists(st.sampled_from("npq"), min_size=n, max_size=n)))
    w = np.array(draw(st.lists(st.sampled_from([1, 1, 2, 0.5]), min_size=n, max_size=n)))
    return pd.DataFrame(frame), y, w
