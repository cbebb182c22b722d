"""What Weka's attribute evaluators and its CFS return (see data/README.md), against treelab."""

from functools import cache

import numpy as np
from weka import load, names, read

from treelab.fast.selection import CFSSelector, filter_table, merit_table

SETS = names("attreval")
EVALUATORS = {
    "InfoGainAttributeEval": "mutual_information",
    "GainRatioAttributeEval": "gain_ratio",
    "SymmetricalUncertAttributeEval": "symmetrical_uncertainty",
}
GAPS = {"": "share", " -M": "level"}  # unknown values: spread over the others, or a level
SEARCHES = {"best_first": "BestFirst", "forward": "GreedyStepwise", "exhaustive": "exhaustive_best"}
RUNS = {  # of CFS: what becomes of gaps, and whether locally predictive columns are added
    "cfs": ("share", True),
    "cfs_missing_separate": ("level", True),
    "cfs_locally_predictive_off": ("share", False),
}


@cache
def case(name):
    """Features, target and Weka's answers."""
    found = read(f"attreval_{name}")
    X, y, _ = load(found["csv"])
    assert list(X) == found["attributes"]
    return X, y, found


def assert_same_scores(name, evaluator, option):
    X, y, found = case(name)
    table = filter_table(X, y, EVALUATORS[evaluator], missing=GAPS[option])
    np.testing.assert_allclose(table["score"], found[evaluator + option], rtol=1e-12, atol=1e-13)


def assert_same_choice(name, run, search):
    X, y, found = case(name)
    expected = found[run][SEARCHES[search]]
    missing, local = RUNS[run]
    cfs = CFSSelector(
        search,
        convention="weka",
        missing=missing,
        locally_predictive=local and search != "exhaustive",
    ).fit(X, y)
    assert cfs.get_support(indices=True).tolist() == expected["selected_index"]
    np.testing.assert_allclose(cfs.merit_, expected["merit"], rtol=1e-14)


def assert_same_merits(name, run):
    X, y, found = case(name)
    pairs = [pair[:2] for pair in found[run]["merit_pairs"]]
    subsets = [[j] for j in range(X.shape[1])] + pairs
    subsets += [range(k + 1) for k in range(X.shape[1])]
    table = merit_table(X, y, subsets, convention="weka", missing=RUNS[run][0])
    expected = found[run]["merit_single"] + [pair[2] for pair in found[run]["merit_pairs"]]
    expected += found[run]["merit_prefix"]
    np.testing.assert_allclose(table["merit"], expected, rtol=1e-14, atol=1e-16)
