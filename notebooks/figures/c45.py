"""Figures of the chapter on ID3 and C4.5, and the comparisons of its tables."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import chi2_contingency
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.metrics.cluster import contingency_matrix
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier as SklearnTree

from treelab import C45Classifier, ID3Classifier, VarianceTreeRegressor
from treelab.drawing import draw_tree
from treelab.drawing.style import ACCENT, GRAY, HEIGHT, LEAF_FILL, PAPER, WIDTH
from treelab.fast.c45 import gain_table, predicted_errors, weighted_variance
from treelab.fast.impurity import gain_ratio, information_gain
from treelab.fast.inputs import read_numbers
from treelab.figures.explorable import explorable
from treelab.figures.stepper import stepper

__all__ = [
    "cart_pipeline",
    "cities_explorable",
    "compared",
    "cross_validated",
    "draw_shops",
    "first_choices",
    "gap_shares",
    "gap_votes",
    "growing_stepper",
    "pruning_stepper",
    "splits_on_the_city",
    "variance_table",
    "whole_tree",
]


def whole_tree(tree, digits=4):
    """Draw a tree with thresholds of so many digits."""
    draw_tree(tree, digits=digits)
    plt.show()


# The morning without an outlook

PLACES = {
    "outlook?": (0.5, 2),
    "humidity?": (0.17, 1),
    "windy?": (0.83, 1),
    "overcast": (0.5, 1),
    "≤ 75": (0.06, 0),
    "> 75": (0.29, 0),
    "true": (0.71, 0),
    "false": (0.94, 0),
}
BRANCHES = [
    ("outlook?", "humidity?", "sunny"),
    ("outlook?", "overcast", "overcast"),
    ("outlook?", "windy?", "rain"),
    ("humidity?", "≤ 75", "≤ 75"),
    ("humidity?", "> 75", "> 75"),
    ("windy?", "true", "true"),
    ("windy?", "false", "false"),
]


def gap_shares(tree):
    """Draw the fractions of the training row without an outlook, and the weight of each leaf."""
    thirteenths = {"humidity?": 5, "overcast": 3, "windy?": 5}
    parts = {name: (k / 13, f"{k}/13") for name, k in thirteenths.items()}
    parts |= {"> 75": parts["humidity?"], "true": parts["windy?"]}
    leaves = _leaves(tree).items()
    words = {name: f"{'yes' if s[0] > s[1] else 'no'}\n{s.sum():.3g}" for name, s in leaves}
    _draw_parts(parts, words)


def gap_votes(tree):
    """Draw the fractions of a new row without an outlook, and the vote of each leaf."""
    shares = tree.tree_.weight[[1, 4, 5]] / 14
    names = ["humidity?", "overcast", "windy?"]
    parts = {name: (part, f"{part:.3f}") for name, part in zip(names, shares, strict=True)}
    parts |= {"> 75": parts["humidity?"], "false": parts["windy?"]}
    leaves = _leaves(tree).items()
    _draw_parts(parts, {name: f"yes\n{s[0] / s.sum():.3f}" for name, s in leaves})


def _leaves(tree):
    """The class sums of the five leaves of the golf tree, yes before no."""
    names = ["≤ 75", "> 75", "overcast", "true", "false"]
    return dict(zip(names, tree.tree_.sums[tree.tree_.is_leaf], strict=True))


def _draw_parts(parts, words):
    """The golf tree; its lines are as wide as the fraction of a row that takes them."""
    ax = plt.subplots(figsize=(WIDTH, 1.15 * HEIGHT))[1]
    for start, end, category in BRANCHES:
        (a, top), (b, low) = PLACES[start], PLACES[end]
        width, color = (40 * parts[end][0], ACCENT) if end in parts else (1, GRAY)
        ax.plot([a, b], [top, low], "-", color=color, lw=width, alpha=0.6, zorder=1)
        text = f"{category}\n{parts[end][1]}" if end in parts and top == 2 else category
        x, y = a + 0.55 * (b - a), top + 0.55 * (low - top)
        look = {"boxstyle": "round,pad=0.15", "fc": PAPER, "ec": "none", "alpha": 0.85}
        ax.text(x, y, text, ha="center", va="center", zorder=3, bbox=look)
    for name, (x, y) in PLACES.items():
        inner = name.endswith("?")
        look = {"boxstyle": "round,pad=0.3", "fc": PAPER if inner else LEAF_FILL, "ec": GRAY}
        text = name if inner else words[name]
        ax.text(x, y, text, ha="center", va="center", zorder=4, bbox=look)
    ax.set(xlim=(-0.06, 1.06), ylim=(-0.3, 2.2))
    ax.axis("off")
    plt.show()


# Growing and pruning, step by step

SHORT = {
    "below average gain": "too low",
    "no gain left after the penalty": "none left",
    "fewer than two branches with enough weight": "one branch",
}


def growing_stepper(tree, X, y):
    """Grow the golf tree split by split, with the candidate splits of each node."""
    unsplit = C45Classifier(variant="release8", min_samples_leaf=len(y)).fit(X, y)
    frames = []
    for node, where in [(0, "The root"), (1, "Sunny"), (5, "Rain")]:
        splits = _candidate_splits(tree, node, X, y)
        caption = _why_chosen(where, splits)
        not_yet = [t for t in (1, 5) if 0 < node <= t]
        grown = tree if node else unsplit
        ax = draw_tree(grown, collapsed=not_yet, highlight=[node], digits=3)
        verdicts = "; ".join(f"{s.feature}: {s.verdict}" for s in splits.itertuples())
        alt = f"The tree before this split. {caption} {verdicts}."
        frames.append(([ax, _listed(splits)], caption, alt))
    ax = draw_tree(tree, collapsed=(), digits=3)
    last = (
        "Five leaves. Overcast is pure, as are two more, and the other two weigh less than 4, so "
    )
    last += "C4.5 does not split them."
    frames.append((ax, last, "The whole tree with five leaves."))
    return stepper(frames, "C4.5 grows a tree, one split at a time", "c45-grows")


def _candidate_splits(tree, node, X, y):
    """The candidate splits of a node, of a numeric feature its best alone."""
    splits = gain_table(X, y, estimator=tree, node=node)
    splits = splits[~splits["verdict"].str.contains("another split|on one side")]
    at = splits["threshold"].map(" ≤ {:g}".format, na_action="ignore").fillna("")
    return splits.assign(
        feature=splits["feature"] + at,
        left=splits["gain"] - splits["penalty"],
        ratio=splits["gain_ratio"],
    )


def _why_chosen(where, splits):
    """The average gain that a split must reach, and the gain ratio of the best."""
    competes = splits["verdict"].isin(["chosen", "below average gain", "a smaller ratio"])
    best = splits[splits["verdict"] == "chosen"].iloc[0]
    return (
        f"{where}: the bar is {splits.loc[competes, 'left'].mean():.3f}. "
        f"{best['feature']} is chosen: ({best['gain']:.3f} - {best['penalty']:.3f}) / "
        f"{best['split_information']:.3f} = {best['ratio']:.3f}."
    )


def _listed(splits):
    """The candidate splits as a table of HTML."""
    features = splits["feature"].str.partition(" ")[0].rename(None)
    table = splits.assign(verdict=splits["verdict"].replace(SHORT)).set_index(features)
    table = table[["left", "ratio", "verdict"]]
    return table.map(lambda x: x if isinstance(x, str) else f"{x:.3f}").to_html(border=0)


def pruning_stepper(X, y):
    """Prune the tree of the letters from the bottom up, with the errors predicted at each node."""
    full = C45Classifier(variant="release8", pruning=None).fit(X, y)
    pruned = C45Classifier(variant="release8").fit(X, y)
    inner = _predicted([(8, 3)], [(3, 1), (5, 1)], [(8, 3)])
    root = _predicted([(14, 5)], [(6, 0), (3, 1), (5, 1)], [(9, 1), (5, 1)])
    first = f"No reply: {inner} (a leaf too). The subtree stays."
    last = f"Root: {root}. The branch is raised."
    alts = (
        "A tree of three leaves; the node reply = no has a thick frame.",
        "The same tree; the root has a thick frame.",
    )
    frames = [
        (draw_tree(full, collapsed=(), highlight=[1]), first, f"{alts[0]} {first}"),
        (draw_tree(full, collapsed=(), highlight=[0]), last, f"{alts[1]} {last}"),
        (
            draw_tree(pruned, collapsed=()),
            "The split on stranger has been raised to the root. Its leaves hold 9/1 and 5/1.",
            "Two leaves: stranger = no predicts keep, stranger = yes predicts spam.",
        ),
    ]
    return stepper(frames, "Predicted errors, from the bottom up", "c45-prunes")


def _predicted(*choices):
    """The predicted errors of a leaf, a subtree and a raised branch: sums over their leaves."""
    sums = [sum(predicted_errors(*leaf, variant="release8") for leaf in c) for c in choices]
    return "leaf {:.2f}, subtree {:.2f}, raised branch {:.2f}".format(*sums)


# The horses, and the city among the shops


def cart_pipeline(medians=False, pruned=True):
    """Return scikit-learn's tree, pruned or not, after an encoder of categories."""
    tree = SklearnTree(random_state=0)
    if pruned:
        alphas = [0, 0.004, 0.008, 0.012, 0.02, 0.03]
        tree = GridSearchCV(tree, {"ccp_alpha": alphas}, cv=5)
    numeric = SimpleImputer(strategy="median") if medians else "passthrough"
    categories = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    columns = make_column_transformer(
        (numeric, make_column_selector(dtype_include=float)),
        (categories, make_column_selector(dtype_exclude=float)),
    )
    return make_pipeline(columns, tree)


def cross_validated(models, X, y, random_state=0):
    """Return by model its errors on ten folds, twice over, and its mean number of leaves."""
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=random_state)
    results = {}
    for name, model in models.items():
        runs = cross_validate(model, X, y, cv=folds, return_estimator=True)
        leaves = np.mean([_n_leaves(fitted) for fitted in runs["estimator"]])
        results[name] = 1 - runs["test_score"], leaves
    return results


def _n_leaves(model):
    """The number of leaves of a tree, or of the tree at the end of a pipeline."""
    model = model[-1] if hasattr(model, "steps") else model
    model = getattr(model, "best_estimator_", model)
    return model.n_leaves_ if hasattr(model, "n_leaves_") else model.get_n_leaves()


def compared(results):
    """Return errors, leaves and the differences from the first model, fold by fold."""
    first = next(iter(results))
    rows = {}
    for name, (errors, leaves) in results.items():
        more, J = errors - results[first][0], len(errors)
        rows[name] = {
            "error": errors.mean(),
            "leaves": leaves,
            f"more than {first}": more.mean(),
            "standard error": more.std(ddof=1) * np.sqrt(1 / J + 1 / 9),
            "better in": (more < 0).sum(),
        }
    return pd.DataFrame(rows).T.astype({"better in": int})


def draw_shops(n, random_state):
    """Draw rows with an uninformative city and three votes, whose majority is mostly the class."""
    rng = np.random.default_rng(random_state)
    city, votes = rng.integers(20, size=n), rng.integers(2, size=(n, 3))
    shops = pd.DataFrame(votes, columns=["a", "b", "c"]).assign(city=city).astype(str)
    right = rng.random(n) < 0.9
    return shops[["city", "a", "b", "c"]], (votes.sum(axis=1) >= 2) == right


def splits_on_the_city():
    """Count the trees that split on an uninformative city, and average their errors."""
    four, three = ["city", "a", "b", "c"], ["a", "b", "c"]
    rules = {"variant": "release8", "handle_unknown": "missing"}
    models = {
        "ID3": (ID3Classifier(handle_unknown="missing"), four),
        "C4.5, not pruned": (C45Classifier(pruning=None, **rules), four),
        "C4.5": (C45Classifier(**rules), four),
        "C4.5, no city": (C45Classifier(**rules), three),
    }
    rows = [
        {"rows": n, "model": name} | _shopping_trees(n, *model)
        for n in (60, 200)
        for name, model in models.items()
    ]
    return pd.DataFrame(rows).set_index(["rows", "model"]).round(3)


def _shopping_trees(n, model, features):
    """How many of twenty trees split on the city, and their mean error on new rows."""
    first, anywhere, errors = 0, 0, []
    for seed in range(20):
        (X, y), (X_new, y_new) = draw_shops(n, seed), draw_shops(1000, 100 + seed)
        fitted = model.fit(X[features], y)
        splits = [features[t.test.feature] for t in fitted.tree_.nodes if hasattr(t, "test")]
        first += splits[:1] == ["city"]
        anywhere += "city" in splits
        errors.append(1 - fitted.score(X_new[features], y_new))
    return {"city first": first, "city anywhere": anywhere, "error": np.mean(errors)}


# A city that knows nothing, with as many cities as the reader likes

CITIES = [2, 4, 6, 8, 10, 12, 15, 20, 25, 30, 40]
ROWS = [15, 30, 60, 120, 240]
TABLES = 100


def cities_explorable():
    """Let the reader move the number of cities, and see its gain and its gain ratio."""
    means, first, best = zip(*[_judged(n) for n in ROWS], strict=True)
    fifteen = (
        f"{means[2][CITIES.index(15)][0]:.3f} bits; the best useful feature has {best[2][0]:.3f}"
    )
    data = {
        "cities": CITIES,
        "rows": ROWS,
        "means": np.array(means),
        "first": np.array(first),
        "best": np.array(best),
        "tops": [0.8, 0.4],
        "open": CITIES.index(8),
        "rest": {"k": CITIES.index(4), "n": ROWS.index(60)},
        "question": "The city has nothing to do with the class. With 60 rows, how many cities does "
        "it take until its gain is on average that of the best of the three useful features?",
        "answers": ["15", "40", "no number is enough"],
        "verdicts": [
            f"Yes: with 15 cities chance alone gives {fifteen}.",
            f"No: with 40 cities it has {means[2][-1][0]:.3f} bits, and with 15 {fifteen}.",
            f"No: with 15 cities chance alone gives {fifteen}.",
        ],
        "says": [
            "{rows} rows and {cities} cities: {each} rows for each city. By gain the city comes "
            "first in {gain} of 100 tables. A guess, or Skip, opens larger numbers.",
            "{rows} rows and {cities} cities: {each} rows for each city. By gain the city comes "
            "first in {gain} of 100 tables, and by gain ratio in {ratio}.",
        ],
        "labels": ["Number of cities", "Rows in the table"],
        "names": ["city", "best useful feature"],
        "titles": ["number of cities", "gain, bits", "gain ratio"],
        "views": ["gain", "gain ratio"],
        "values": {
            "gain": "gain of the city",
            "best": "of the best useful feature",
            "ratio": "gain ratio of the city",
            "bestratio": "of the best useful feature",
        },
        "alt": [
            "The mean gain of the city by its number of cities, and that of a useful feature.",
            "The same for the gain ratio.",
        ],
    }
    frames = [_cities_frame(n, means, best) for n in (0, 2, 4)]
    return explorable("cities", data, frames, "A city that knows nothing", "c45-cities")


def _judged(n):
    """Of tables of n rows the means of both measures, and how often the city comes first."""
    city, votes = np.zeros((TABLES, len(CITIES), 2)), np.zeros((TABLES, 2))
    for seed in range(TABLES):
        shops, buys = draw_shops(n, seed)
        both = [_measured(shops[name].astype(int).to_numpy(), buys) for name in "abc"]
        votes[seed] = np.max(both, axis=0)
        for k, many in enumerate(CITIES):
            drawn = np.random.default_rng([seed, many]).integers(many, size=n)
            city[seed, k] = _measured(drawn, buys)
    first = (city > votes[:, None] + 1e-9).sum(axis=0)
    return city.mean(axis=0), first, votes.mean(axis=0)


def _measured(values, buys):
    """Gain and gain ratio of a split on the values of a feature."""
    counts = np.zeros((values.max() + 1, 2))
    np.add.at(counts, (values, np.asarray(buys, dtype=int)), 1)
    counts = counts[counts.any(axis=1)]
    return float(information_gain(counts)), float(gain_ratio(counts))


def _cities_frame(n, means, best):
    """Both measures by the number of cities, for a number of rows."""
    figure, axes = plt.subplots(1, 2, figsize=(5.4, 2.8), layout="constrained")
    for j, (ax, name) in enumerate(zip(axes, ("gain (bits)", "gain ratio"), strict=True)):
        ax.plot(CITIES, means[n][:, j], "o-", ms=4, label="city")
        ax.axhline(best[n][j], color=ACCENT, ls="--", label="best useful feature")
        ax.set(xlabel="number of cities", ylabel=name, ylim=(0, (0.8, 0.4)[j]), xlim=(0, 41))
    axes[0].legend(loc="upper left")
    where = next((c for c, (gain, _) in zip(CITIES, means[n]) if gain > best[n][0]), None)
    ends = f"from {where} cities on, but its gain ratio never does" if where else "nowhere"
    words = f"{ROWS[n]} rows: the mean gain of the city exceeds that of the best useful feature "
    words += f"{ends}."
    return figure, words, f"{words} Two curves that rise with the number of cities."


def first_choices(n_tables=200, n_in_each=60):
    """Count the features that come first in ``n_tables`` tables of ``n_in_each`` shuffled rows."""
    measures = {"gain": information_gain, "gain ratio": gain_ratio, "p-value": _minus_p_value}
    first = {name: [] for name in measures}
    for seed in range(n_tables):
        shops, buys = draw_shops(n_in_each, seed)
        noise = np.random.default_rng(1000 + seed).permutation(buys)
        counts = {name: contingency_matrix(shops[name], noise) for name in shops}
        for name, measure in measures.items():
            scores = {feature: round(float(measure(S)), 10) for feature, S in counts.items()}
            first[name].append(max(scores, key=scores.get))
    table = pd.DataFrame({name: pd.Series(chosen).value_counts() for name, chosen in first.items()})
    return table.reindex(["city", "a", "b", "c"]).fillna(0).astype(int)


def _minus_p_value(counts):
    """Minus the p-value of a chi-squared test of independence."""
    return -chi2_contingency(counts, correction=False).pvalue


def variance_table(X, y, *, ddof=1):
    """List the candidate splits at the root of a variance tree, with one row for each branch.

    Parameters
    ----------
    X, y
        As in `VarianceTreeRegressor.fit`.
    ddof : {1, 0}, default=1
        As in `VarianceTreeRegressor`.

    Returns
    -------
    DataFrame
        Indexed by (feature, level): ``n``, ``mean`` and ``variance`` of the targets on the
        branch and, the same in all rows of a feature, ``weighted_variance``, which the split
        leaves; infinite where there is one branch only.

    Examples
    --------
    >>> from treelab.datasets import load_bike_rentals
    >>> variance_table(*load_bike_rentals(return_X_y=True)).loc["work_day"].round(1)
           n    mean   variance  weighted_variance
    level
    false  6  2086.0  1077280.0          2551813.3
    true   6  4226.7  4026346.7          2551813.3
    """
    model = VarianceTreeRegressor(ddof=ddof).fit(X, y)
    table, y = model.table.read(X), read_numbers(y)
    names = getattr(model, "feature_names_in_", [f"x[{j}]" for j in range(table.shape[1])])
    middle = y.mean()  # squares of small numbers keep their digits
    y, lines = y - middle, []
    for j, levels in model.categories_.items():
        groups = [(level, y[table[:, j] == code]) for code, level in enumerate(levels)]
        groups = [(level, part) for level, part in groups if len(part)]
        sums = [[len(part), part.sum(), (part**2).sum()] for _, part in groups]
        left = weighted_variance(sums, ddof) if len(sums) > 1 else np.inf
        for (level, _), (n, total, squares) in zip(groups, sums, strict=True):
            variance = weighted_variance([[n, total, squares]], ddof)
            lines.append((names[j], level, n, middle + total / n, variance, left))
    columns = ["feature", "level", "n", "mean", "variance", "weighted_variance"]
    return pd.DataFrame(lines, columns=columns).set_index(["feature", "level"])
