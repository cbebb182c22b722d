"""Compare the interfaces of treelab's estimators with those of scikit-learn's.

Parameters are read from the signatures, the words that they accept from scikit-learn's table of
constraints, and attributes from models fitted on a few rows. What scikit-learn has and treelab has
not needs a reason in left_out.toml; a reason that is not needed any more is an error as well.
"""

import inspect
import tomllib
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.sparse
import sklearn.ensemble
import sklearn.tree
from sklearn.utils._param_validation import StrOptions

import treelab

REASONS = Path(__file__).with_name("left_out.toml")
KINDS = ("Classifier", "Regressor")
FAMILIES = ("DecisionTree", "Bagging", "RandomForest", "AdaBoost", "GradientBoosting")
THEIRS = {
    name: getattr(module, name)
    for module in (sklearn.tree, sklearn.ensemble)
    for name in module.__all__
    if isinstance(getattr(module, name), type) and not name.startswith("Base")
}
# With these, scikit-learn's models have all their attributes.
SETTINGS = {"bootstrap": True, "oob_score": True, "n_iter_no_change": 2, "subsample": 0.7}


def data(kind):
    """Return 40 rows of three features and their targets."""
    X = np.random.default_rng(0).random((40, 3))
    return X, (X[:, 0] > 0.5).astype(int) if kind == "Classifier" else X[:, 0]


def inputs(kind):
    """Return the inputs that are tried, by name: X, y and weights."""
    X, y = data(kind)
    named = np.where(y > 0, "yes", "no") if kind == "Classifier" else y
    missing = np.where(np.arange(len(X))[:, None] % 5 == 0, np.nan, X)
    return {
        "array": (X, y, None),
        "DataFrame": (pd.DataFrame(X, columns=list("abc")), named, None),
        "weights": (X, y, np.arange(len(y)) + 1.0),
        "sparse matrix": (scipy.sparse.csr_array(X), y, None),
        "missing values": (missing, y, None),
        "several targets": (X, np.column_stack([y, y]), None),
    }


def parameters(estimator):
    return inspect.signature(estimator).parameters


def small(estimator, **settings):
    """Return an unfitted model of three trees at most."""
    settings = {"n_estimators": 3, "random_state": 0} | settings
    return estimator(**{k: v for k, v in settings.items() if k in parameters(estimator)})


def takes(estimator, X, y, weight=None, **settings):
    """Return whether a model can be fitted with these settings and data."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            small(estimator, **settings).fit(X, y, sample_weight=weight)
    except (ValueError, TypeError):
        return False
    return True


def attributes(estimator, kind):
    """Return the names that end in one underscore after a fit."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X, y, _ = inputs(kind)["DataFrame"]
        model = small(estimator, **SETTINGS).fit(X, y)
        return {n for n in dir(model) if n.endswith("_") and n[0] != "_" and hasattr(model, n)}


def methods(estimator):
    """Return the names of the public methods."""
    found = {name for name in dir(estimator) if not name.startswith(("_", "set_", "get_"))}
    return {name for name in found if callable(getattr(estimator, name, None))}


def words(estimator):
    """Return the pairs of a parameter and a word that scikit-learn accepts for it."""
    for parameter, constraints in estimator._parameter_constraints.items():
        for options in constraints:
            if isinstance(options, StrOptions):
                for word in sorted(options.options - options.deprecated):
                    yield parameter, word


def compare(family, kind):
    """Return what two estimators have in common and what not, by the sections of left_out.toml.

    Each section has three lists: as in scikit-learn, left out, treelab's own.
    """
    name = family + kind
    ours, theirs = getattr(treelab, name), THEIRS[name]
    own, there = parameters(ours), parameters(theirs)
    pairs = {
        "parameters": (own, there),
        "attributes": (attributes(ours, kind), sorted(attributes(theirs, kind))),
        "methods": (methods(ours), sorted(methods(theirs))),
    }
    found = {
        section: ([n for n in b if n in a], [n for n in b if n not in a], [])
        for section, (a, b) in pairs.items()
    }
    found["parameters"][2].extend(n for n in own if n not in there)
    found["other defaults"] = [
        f"`{n}` is {own[n].default!r}, there {there[n].default!r}"
        for n in found["parameters"][0]
        if own[n].default != there[n].default
    ]
    found["values"] = [
        (parameter, word)
        for parameter, word in words(theirs)
        if parameter in own and not takes(ours, *data(kind), **{parameter: word})
    ]
    read = {n: (takes(ours, *case), takes(theirs, *case)) for n, case in inputs(kind).items()}
    found["inputs"] = (
        [n for n, (here, _) in read.items() if here],
        [n for n, (here, elsewhere) in read.items() if elsewhere and not here],
        [],
    )
    return found


@cache
def comparison():
    """Return the comparisons of all estimators, by family and kind."""
    return {family: {kind: compare(family, kind) for kind in KINDS} for family in FAMILIES}


def both(names):
    """Join the names of a classifier and of a regressor, and say which only one of them has."""
    first, second = (list(names[kind]) for kind in KINDS)
    joined = [n if n in second else f"{n} (classifier)" for n in first]
    joined += [f"{n} (regressor)" for n in second if n not in first]
    return ", ".join(joined) or "–"


def quoted(names):
    return [f"`{name}`" for name in names]


def interfaces():
    """Rows of estimator, section, and what is as in scikit-learn, left out, treelab's own."""
    for family, by_kind in comparison().items():
        for section in ("parameters", "attributes", "methods", "inputs"):
            shown = list if section == "inputs" else quoted
            same, out, own = (
                {kind: shown(found[section][i]) for kind, found in by_kind.items()}
                for i in range(3)
            )
            if section == "parameters":
                for kind, found in by_kind.items():
                    out[kind] += [f'`{name}="{word}"`' for name, word in found["values"]]
                    own[kind] += found["other defaults"]
            yield {
                "estimators": f"`{family}…`" if section == "parameters" else "",
                "what": section,
                "as in scikit-learn": both(same),
                "left out": both(out),
                "treelab's own": both(own),
            }


def left_out():
    """Names of scikit-learn that treelab has not, by section; each with the families it is of."""
    found = {section: {} for section in ("parameters", "values", "attributes", "methods", "inputs")}
    for family, by_kind in comparison().items():
        for each in by_kind.values():
            for section, names in found.items():
                if section == "values":
                    missing = [f"{parameter}={word}" for parameter, word in each["values"]]
                else:
                    missing = each[section][1]
                for name in missing:
                    names.setdefault(name, {})[family] = None
    return found | {"classes": dict.fromkeys(set(THEIRS) - set(treelab.__all__), {})}


def reasons():
    """Rows of what is left out, of which estimators, and why; the same reason shares a row."""
    given = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    for section, needed in left_out().items():
        assert set(given[section]) == set(needed), (
            f"left_out.toml, [{section}]: reasons that are missing or not needed: "
            f"{sorted(set(given[section]) ^ set(needed))}"
        )
        by_reason = {}
        for name, reason in given[section].items():
            families = ", ".join(f"`{family}…`" for family in needed[name])
            by_reason.setdefault((families, reason), []).append(name)
        for (families, reason), names in by_reason.items():
            shown = names if section == "inputs" else quoted(names)
            if len(needed[names[0]]) == len(FAMILIES):
                families = "all"
            yield {"left out": ", ".join(shown), "of": families or "the whole", "why": reason}
