"""Write book/conformance.md: treelab beside scikit-learn, rpart, Weka, gbm and randomForest.

Every entry of its tables is the outcome of a comparison made when the page is made; an entry
that is neither agreement nor one of the deliberate differences stops the writing. The tests
make the page again and compare it with the one in the book (`make conformance` writes it).
"""

import functools
import re
import warnings
from pathlib import Path

import adaboostm1
import attribute_selection as attributes
import gbm
import numpy as np
import pandas as pd
import public_interface
import pytest
import randomforest as forests
import release8_runs as release8
import rpart
import sklearn.datasets as data
import sklearn.ensemble
import sklearn.tree
import weka
from scikit_learn import assert_equal_until_tied, gain_of, rows_of

import treelab

PAGE = Path(__file__).resolve().parents[2] / "book" / "conformance.md"
SAME, TIES = "same", "[tie](#conformance-ties)"
REFUSED = {  # by who takes the data: treelab, the other
    (False, False): "neither",
    (False, True): "[they](#conformance-refusals)",
    (True, False): "[we](#conformance-refusals)",
}


# --- data and corners -------------------------------------------------------------------------


def single(X):
    """Numbers that single precision holds exactly, as scikit-learn's trees read them."""
    return np.asarray(X, dtype=np.float32).astype(float)


def tables(numbers):
    """The data sets by name, as (X, y)."""
    if numbers:
        found = {
            "diabetes": data.load_diabetes(return_X_y=True),
            "friedman 1": data.make_friedman1(200, 6, noise=1, random_state=0),
        }
    else:
        found = {
            "iris": data.load_iris(return_X_y=True),
            "wine": data.load_wine(return_X_y=True),
            "overlapping": data.make_classification(
                200, 5, n_informative=4, n_redundant=0, n_classes=3, flip_y=0.2, random_state=0
            ),
        }
    return {name: (single(X), y) for name, (X, y) in found.items()}


def few_values(X, y):
    """Every feature cut into four values: many cuts of a node are equally good."""
    edges = np.quantile(X, [0.25, 0.5, 0.75], axis=0)
    return (X[:, None] > edges).sum(axis=1).astype(float), y, None


def weighted(X, y):
    return X, y, np.random.default_rng(0).integers(32, 512, len(y)) / 64


def some_weigh_nothing(X, y):
    return X, y, np.where(np.arange(len(y)) % 3 == 0, 0.0, weighted(X, y)[2])


def with_constant(X, y):
    return np.column_stack([np.ones(len(X)), X]), y, None


def with_gaps(X, y):
    return np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X), y, None


CORNERS = {
    "as it is": lambda X, y: (X, y, None),
    "weights": weighted,
    "weights of 0": some_weigh_nothing,
    "each row twice": lambda X, y: (np.repeat(X, 2, axis=0), np.repeat(y, 2), None),
    "four values": few_values,
    "constant column": with_constant,
    "one target": lambda X, y: (X, np.full_like(y, y[0]), None),
    "one row": lambda X, y: (X[:1], y[:1], None),
    "missing": with_gaps,
}


# --- comparisons ------------------------------------------------------------------------------


def same_trees(ours, theirs, X):
    """Trees node by node: the same, or parted only where two cuts are equally good."""
    if ours.tree_.node_count == 1 < theirs.tree_.node_count:
        assert 0 < theirs.tree_.impurity[0] < 1e-12
        return "[leaf](#conformance-rounding)"
    n_compared = assert_equal_until_tied(ours, theirs, X)
    if ours.tree_.node_count != theirs.tree_.node_count or n_compared < ours.tree_.node_count:
        return TIES
    return SAME if np.array_equal(ours.tree_.feature, theirs.tree_.feature) else TIES


def first_parting(ours, theirs, X):
    """Assert that two trees of a round part at cuts that gain the same."""
    a, b = ours.tree_, theirs.tree_
    leaf_a, leaf_b = ours.apply(X), theirs.apply(X)
    waiting, parted = [(0, 0)], False
    while waiting:
        s, t = waiting.pop()
        if a.children_left[s] == -1 or b.children_left[t] == -1:
            assert a.children_left[s] == b.children_left[t]
            continue
        np.testing.assert_allclose(gain_of(a, s), gain_of(b, t), rtol=1e-6, atol=1e-9)
        sides = [(x.children_left[i], x.children_right[i]) for x, i in ((a, s), (b, t))]
        mine, other = (
            rows_of(x, leaf, left)
            for x, leaf, (left, _) in ((a, leaf_a, sides[0]), (b, leaf_b, sides[1]))
        )
        if np.array_equal(mine, other) and a.feature[s] == b.feature[t]:
            waiting += zip(*sides, strict=True)
        else:
            parted = True
    assert parted
    return TIES


def same_rounds(ours, theirs, X):
    """Boosting round by round, up to the first tree in which a tie was broken otherwise."""
    stages = [
        np.array([np.reshape(s, (len(X), -1)) for s in model.staged_predict_proba(X)])
        if hasattr(model, "staged_predict_proba")
        else np.array(list(model.staged_predict(X)))[:, :, None]
        for model in (ours, theirs)
    ]
    n_rounds = min(map(len, stages))
    apart = [
        not np.allclose(a, b, rtol=1e-7, atol=1e-8)
        for a, b in zip(*(s[:n_rounds] for s in stages), strict=True)
    ]
    if not any(apart):
        assert len(stages[0]) == len(stages[1])
        return SAME
    members = [np.ravel(model.estimators_[apart.index(True)]) for model in (ours, theirs)]
    for mine, other in zip(*members, strict=True):
        if not all(
            np.array_equal(getattr(mine.tree_, array), getattr(other.tree_, array))
            for array in ("feature", "threshold")
        ):
            return first_parting(mine, other, X)
    raise AssertionError("the trees are the same and their answers are not")


def entry(make, compare, X, y, weight):
    """One cell: the outcome of the comparison, or who refuses the data."""
    fitted = []
    for ours in (True, False):
        try:
            model = make(ours).fit(X, y, sample_weight=weight)
            list(getattr(model, "staged_predict_proba", lambda _: [])(X))
            fitted.append(model)
        except (ValueError, ZeroDivisionError):
            fitted.append(None)
    done = tuple(model is not None for model in fitted)
    return compare(*fitted, X) if all(done) else REFUSED[done]


def trees(ours, criterion):
    module = treelab if ours else sklearn.tree
    kind = "Classifier" if criterion in ("gini", "entropy") else "Regressor"
    model = getattr(module, f"DecisionTree{kind}")
    return model(criterion=criterion, min_samples_leaf=5, random_state=0)


def stumps(ours):
    module, tree = (treelab, treelab) if ours else (sklearn.ensemble, sklearn.tree)
    stump = tree.DecisionTreeClassifier(max_depth=1)
    return module.AdaBoostClassifier(stump, n_estimators=20, random_state=0)


def boosted(ours, kind, loss):
    module = treelab if ours else sklearn.ensemble
    model = getattr(module, f"GradientBoosting{kind}")
    return model(loss=loss, n_estimators=15, max_depth=2, min_samples_leaf=8, random_state=0)


ALGORITHMS = [
    ("Tree, Gini", functools.partial(trees, criterion="gini"), same_trees, False),
    ("Tree, entropy", functools.partial(trees, criterion="entropy"), same_trees, False),
    *(
        (f"Tree, {of} error", functools.partial(trees, criterion=f"{of}_error"), same_trees, True)
        for of in ("squared", "absolute")
    ),
    ("AdaBoost, stumps", stumps, same_rounds, False),
    *(
        (f"Boosting, {loss.replace('_', ' ')}",
         functools.partial(boosted, kind=kind, loss=loss), same_rounds, kind == "Regressor")
        for kind, loss in (("Classifier", "log_loss"), ("Regressor", "squared_error"),
                           ("Regressor", "absolute_error"), ("Regressor", "huber"),
                           ("Regressor", "quantile"))
    ),
]  # fmt: skip


def beside_scikit_learn():
    """Rows of algorithm, data and outcomes by corner."""
    for name, make, compare, numbers in ALGORITHMS:
        for source, (X, y) in tables(numbers).items():
            row = {"algorithm": name, "data": source}
            for corner, change in CORNERS.items():
                row[corner] = entry(make, compare, *change(X, y))
            yield row


# --- R and Weka -------------------------------------------------------------------------------


DISAGREEMENTS = []


def agrees(comparison, *arguments, name=None):
    """Return whether a comparison, a chain of asserts, passes; note the error otherwise."""
    try:
        comparison(*arguments)
    except AssertionError as error:
        name = name or ", ".join(map(str, arguments))
        DISAGREEMENTS.append(f"{comparison.__name__} of {name}: {error}")
        return False
    return True


def share(outcomes):
    """'all 6', or '4 of 6'."""
    outcomes = list(outcomes)
    return f"all {len(outcomes)}" if all(outcomes) else f"{sum(outcomes)} of {len(outcomes)}"


def beside_rpart():
    """By data set: trees grown and pruned as rpart's, tied nodes, weakest-link sequences."""
    for name in rpart.DATA:
        fits = [fit for fit in rpart.FITS if fit.data == name]
        yield {
            "data": name,
            "rows": len(fits[0].y),
            "with weights": sum("_w" in fit.name for fit in fits),
            "trees as rpart's": share(
                agrees(rpart.assert_grown_and_pruned_alike, fit) for fit in fits
            ),
            "nodes with a tie": sum(len(fit.tied) for fit in fits),
            "weakest-link sequences": share(
                agrees(rpart.assert_same_sequence, fit) for fit in fits
            ),
        }


def same_j48(name, by_rows=False):
    """For each configuration of J48 on a data set, whether treelab's tree is the same."""
    reference = weka.read(name)
    X, y, weight = weka.load(reference["csv"])
    with pytest.MonkeyPatch.context() as patch:
        if by_rows:
            patch.setattr(
                weka.MODULE,
                "find_numeric_splits",
                weka.counting_rows(weka.MODULE.find_numeric_splits),
            )
        for theirs in reference["results"].values():
            model = treelab.C45Classifier(**weka.parameters(theirs["options"])).fit(X, y, weight)
            case = f"{name} {theirs['options']}"
            yield agrees(weka.assert_same_model, theirs, model, X, y, name=case)


def beside_weka(names=None):
    """By data set: J48's trees, its reduced-error trees, Id3's."""
    for name in names or weka.names("j48"):
        reference = weka.read(f"j48_{name}")
        X, y, weight = weka.load(reference["csv"])
        id3 = "–"
        if name in weka.names("id3"):
            id3 = "same" if agrees(weka.assert_tree_of_id3, name) else "differs"
        row = {
            "data": f"`{name}`",
            "rows": len(y),
            "missing cells": int(X.isna().to_numpy().sum()),
            "weights": "no" if weight is None else "yes",
        }
        for kind, label in (("j48", "J48"), ("rep", "J48, reduced error")):
            row[label] = share(same_j48(f"{kind}_{name}"))
            if weight is not None:
                row[label] += f"; by rows {share(same_j48(f'{kind}_{name}', by_rows=True))}"
        yield row | {"Id3": id3}


def beside_release8(names=None):
    """By data set: trees of C4.5 Release 8, and how many of them J48's rules grow as well."""
    for name in names or release8.SETS:
        reference, X, y = release8.read(name)
        same = [agrees(release8.assert_trees_of_the_program, name, run) for run in release8.OPTIONS]
        runs = [run for run in release8.OPTIONS if run != "c90"]  # J48 has no such confidence
        texts = [
            {
                release8.fit(name, run).export_text(),
                treelab.C45Classifier(**release8.OPTIONS[run]).fit(X, y).export_text(),
            }
            for run in runs
        ]
        yield {
            "data": f"`{name}`",
            "rows": len(y),
            "missing cells": int(X.isna().to_numpy().sum()),
            "Release 8, unpruned and pruned": share(same),
            "the same with J48's rules": share(len(both) == 1 for both in texts),
        }


def beside_gbm():
    """By data and loss: fits of R's gbm whose 50 rounds are treelab's."""
    for name in ("airquality_cc__gaussian", "airquality_cc__laplace", "kyphosis__bernoulli"):
        source, loss = name.split("__")
        yield {
            "data": source,
            "distribution": loss,
            "fits of 50 rounds": share(
                agrees(gbm.assert_rounds_of_gbm, name, key) for key in gbm.KEYS
            ),
        }


def beside_adaboostm1():
    """By data set: whether the 50 rounds are Weka's, grown by treelab and from Weka's stumps."""
    whole = {"weather.nominal", "weather.numeric"}
    for name in weka.names("adaboostm1"):
        grown = agrees(adaboostm1.assert_fifty_rounds_alike, name) if name in whole else None
        follows = agrees(adaboostm1.assert_rounds_follow_from_stumps, name)
        yield {
            "data": f"`{name}`",
            "as rounds of treelab": "–" if grown is None else "same" if grown else "differ",
            "from Weka's stumps": "same" if follows else "differ",
        }


def beside_attribute_selection():
    """By data set: scores of Weka's evaluators, and the sets that its CFS finds."""
    for name in attributes.SETS:
        X, y, _ = attributes.case(name)
        yield {
            "data": f"`{name}`",
            "rows": len(y),
            "features": X.shape[1],
            "missing cells": int(X.isna().to_numpy().sum()),
            "columns of scores": share(
                agrees(attributes.assert_same_scores, name, evaluator, option)
                for evaluator in attributes.EVALUATORS
                for option in attributes.GAPS
            ),
            "sets of CFS": share(
                agrees(attributes.assert_same_choice, name, run, search)
                for run in attributes.RUNS
                for search in attributes.SEARCHES
            ),
        }


def beside_forests():
    """Out-of-bag error over ten seeds: treelab, scikit-learn, R."""
    for source, setting in (("iris", "default"), ("iris", "mtry_all"), ("airquality_cc", "mtry1"),
                            ("airquality_cc", "mtry_all")):  # fmt: skip
        X, y = forests.table(source)
        fit = forests.reference(source)["fits"][setting]
        kind = "Classifier" if source == "iris" else "Regressor"
        settings = {"min_samples_split": 4} if source != "iris" else {}
        row = {"data": source, "candidates": fit["mtry"]}
        for label, module in (("treelab", treelab), ("scikit-learn", sklearn.ensemble)):
            models = [
                getattr(module, f"RandomForest{kind}")(
                    100, max_features=fit["mtry"], oob_score=True, random_state=seed, **settings
                ).fit(X, y)
                for seed in range(5)
            ]
            row[label] = spread(forests.errors(source, models))
        row["randomForest"] = spread(fit["oob"])
        yield row


def spread(values):
    """Mean and standard deviation over the seeds, in three digits and one."""
    digits = ((np.mean(values), 3), (np.std(values, ddof=1), 1))
    return " ± ".join(
        np.format_float_positional(value, places, fractional=False, trim="-")
        for value, places in digits
    )


# --- the page ---------------------------------------------------------------------------------


def as_table(rows):
    """Rows as a Markdown table, numbers to the right."""
    frame = pd.DataFrame(list(rows))
    number = [pd.api.types.is_numeric_dtype(frame[c]) for c in frame]
    lines = ["| " + " | ".join(frame) + " |"]
    lines.append("|" + "|".join("---:" if n else "---" for n in number) + "|")
    lines += map(as_line, frame.itertuples(index=False))
    return "\n".join(lines)


def as_line(values):
    """A row of a Markdown table."""
    return "| " + " | ".join(map(str, values)) + " |"


TABLES = {
    "interfaces": public_interface.interfaces,
    "left out": public_interface.reasons,
    "scikit-learn": beside_scikit_learn,
    "rpart": beside_rpart,
    "weka": beside_weka,
    "release8": beside_release8,
    "adaboostm1": beside_adaboostm1,
    "attribute-selection": beside_attribute_selection,
    "gbm": beside_gbm,
    "forests": beside_forests,
}


def page(names=tuple(TABLES)):
    """The text of the page with these tables made anew."""
    text = PAGE.read_text(encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            rows = TABLES[name]
            old = re.compile(rf"(?<=^%% table {name}\n\n)(\|.*\n)*", re.M)
            assert len(old.findall(text)) == 1, f"the page has one place for the table {name}"
            text = old.sub(lambda _, rows=rows: as_table(rows()) + "\n", text)
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print("written:", PAGE.name)
