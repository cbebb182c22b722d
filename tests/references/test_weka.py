"""Rows held out and predicted errors of J48; the page of conformance compares the trees."""

import numpy as np
from cases import each
from weka import (
    load,
    names,
    parameters,
    read,
)

from treelab.fast.c45 import held_out_rows, predicted_errors


@each("name", names("rep"))
def test_rows_held_out_by_j48(name):
    reference = read(f"rep_{name}")
    _, y, _ = load(reference["csv"])
    for theirs in reference["results"].values():
        out = held_out_rows(y.cat.codes.to_numpy(), parameters(theirs["options"])["n_folds"])
        assert np.flatnonzero(out).tolist() == sorted(theirs["prune_rows"])
        assert np.flatnonzero(~out).tolist() == theirs["grow_rows"]


def test_predicted_errors_of_j48():
    """Weka's normal quantile is good to six digits, and so is the agreement."""
    rows = read("pessimistic_adderrs")["rows"]
    assert len(rows) == 1065
    found = [predicted_errors(N, E, CF) - E for CF, N, E, _ in rows]
    np.testing.assert_allclose(found, [added for *_, added in rows], rtol=0, atol=1e-5)


def test_every_reference_is_read():
    """The numbers of trees compared above, so that none is lost in silence."""
    counts = {kind: len(names(kind)) for kind in ("j48", "rep", "id3")}
    assert counts == {"j48": 38, "rep": 38, "id3": 10}
    trees = [len(read(f"{kind}_{n}")["results"]) for kind in ("j48", "rep") for n in names(kind)]
    assert sum(trees) == 790
