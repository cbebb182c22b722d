"""Figures of the chapter on local importance: windows, clusters, errors, and nulls."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import binomtest, fisher_exact
from scipy.stats import t as student
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine

from treelab import RandomForestRegressor
from treelab.datasets import dataset_table, fetch_data_set, make_masked_sine
from treelab.drawing.style import COLORS, INK, WIDTH
from treelab.fast.importance import mean_decrease_impurity
from treelab.fast.selection import combined_importance_table, ranks_by_cluster
from treelab.fast.selection.base import from_best
from treelab.figures.explorable import explorable
from treelab.figures.stepper import stepper

__all__ = [
    "bins_that_select_noise",
    "clustered_importance_table",
    "compared_counts",
    "errors_of_rivals",
    "errors_on_real_data",
    "errors_on_simulated_data",
    "importance_by_region",
    "intersection_stepper",
    "lafi_by_forest_size",
    "lafi_under_the_null",
    "places_explorable",
    "printed_counts",
    "printed_errors",
    "repeated_rows",
    "sine_found",
]

FEATURES = ["x1", "x2", "noise 1", "noise 2", "noise 3", "noise 4"]
ROWS, WINDOW, SHUFFLES = 8000, 800, 9
STARTS = range(0, ROWS - WINDOW + 1, WINDOW // 2)  # of the windows


# --- a window along the target --------------------------------------------------------------------


def places_explorable():
    """Let the reader move a window along the target and see which features matter there."""
    X, y = make_masked_sine(ROWS, n_noise=4, random_state=0)
    ranked, rng = np.sort(y), np.random.default_rng(0)
    orders = [y.argsort(), *(rng.permutation(ROWS) for _ in range(1 + SHUFFLES))]
    shares = np.array([_shares_in_windows(X, order, ranked) for order in orders]).round(3)
    data = {
        "names": FEATURES, "noise": 2,
        "windows": [_words_of_window(k, ranked) for k in range(len(STARTS))],
        "step": 5, "width": 10,
        "sorted": ranked[np.linspace(0, ROWS - 1, 101).astype(int)].round(2),
        "runs": shares[:2],
        "wholes": np.array([_shares(X, order, ranked) for order in orders[:2]]).round(3),
        "chance": shares[2:].max(axis=(0, 2)),
        "rest": {"place": 9, "shuffled": 0}, "thirds": [[0, 33.3], [33.3, 66.7], [66.7, 100]],
        **_words_of_the_places(*shares[0, [0, -1], 1]),
    }  # fmt: skip
    span = ranked[-1] - ranked[STARTS[18]]
    frames = [
        _window(data, 0, 0, "x2 is above chance; on all rows it is hardly above noise."),
        _window(data, 0, 18, f"x1 alone tells these rows apart: y spans {span:.0f}, the sine 2."),
        _window(data, 1, 0, "Nothing matters, and still some feature is best."),
    ]
    return explorable("places", data, frames, "Along the target", "slide-places")


def _shares(X, rows, y):
    """Share of the importance that each feature has in a forest on some rows."""
    forest = RandomForestRegressor(
        20, max_depth=10, max_features=1 / 3, min_samples_leaf=20, random_state=0
    )
    return mean_decrease_impurity(forest.fit(X[rows], y))


def _shares_in_windows(X, order, ranked):
    """The shares in each window, if the targets belong to the rows in this order."""
    windows = [slice(start, start + WINDOW) for start in STARTS]
    return [_shares(X, order[window], ranked[window]) for window in windows]


def _beats_chance(seed):
    """Whether x2 has a larger share in the lowest window than any feature after shuffling."""
    X, y = make_masked_sine(ROWS, n_noise=4, random_state=seed)
    lowest, rng = np.sort(y)[:WINDOW], np.random.default_rng(seed)
    shuffled = [_shares(X, rng.permutation(ROWS)[:WINDOW], lowest) for _ in range(SHUFFLES)]
    return _shares(X, y.argsort()[:WINDOW], lowest)[1] > np.max(shuffled)


def _words_of_window(k, ranked):
    """Its rows, its percentages, and the range of its targets."""
    start, end = STARTS[k], STARTS[k] + WINDOW
    targets = f"{ranked[start]:.1f} to {ranked[end - 1]:.1f}".replace("-", "−")
    return {
        "rows": f"{start + 1} to {end}",
        "text": f"{5 * k} to {5 * k + 10}%",
        "y": targets,
    }


def _words_of_the_places(first, last):
    """The question, the answers, the words of each state, and the axes."""
    beats = sum(_beats_chance(seed) for seed in range(6))
    tells = (
        f"x2 gets {first:.2f} in the lowest tenth, above chance with {beats} of 6 seeds; "
        f"{last:.2f} in the highest."
    )
    return {
        "question": "On all rows x2 gets hardly more than noise. Where does it get most, on a "
                    "tenth of the rows, next to each other in y?",
        "answers": ["where y is low", "in the middle", "where y is high"],
        "verdicts": [f"{reply}: {tells}" for reply in ("Yes", "No", "No")],
        "says": [
            "Rows {rows} of " + str(ROWS) + " in order of y; y goes from {y}. " + after
            for after in (
                "On all rows x1 gets nearly everything. A guess, or Skip, shows what a forest on "
                "these rows says.",
                "Best: {best}, {most}. Chance gives no feature more than {line}, in nine shuffles "
                "of y. Above that: {above}.",
                "y is shuffled: nothing matters. Yet {best} is best, with {most}; in nine other "
                "shuffles the best got at most {line}. Above that: {above}.",
            )
        ],
        "label": "place on y", "shuffle": "Shuffle y",
        "titles": ["y, rows in order of y (box: the window)", "share (dotted: best of chance)",
                   "here", "all rows", "share", "rows in order of y, %", "best noise"],
        "top": [-10, 150], "ticks": [0, 75, 150],
        "values": {"y": "y in the window", "share": "share of x2", "line": "best of chance"},
        "alt": ["The target of all rows from low to high, and the window that the reader moves.",
                "The share of each feature in the window and on all rows.",
                "The shares of x1, x2 and the best noise in each window."],
    }  # fmt: skip


def _window(data, shuffled, k, caption):
    """A frame: the shares in window k and on all rows."""
    fig, ax = plt.subplots(figsize=(WIDTH, 2.6))
    y, window = np.arange(6), data["windows"][k]
    ax.barh(
        y - 0.17, data["runs"][shuffled, k], 0.4, label="in the window", edgecolor=INK,
        linewidth=0.6, color=[COLORS[0]] * 2 + [COLORS[1]] * 4,
    )  # fmt: skip
    ax.barh(y + 0.22, data["wholes"][shuffled], 0.25, label="all rows", fill=False, edgecolor=INK)
    ax.axvline(data["chance"][k], color=INK, linestyle=":", label="best of chance")
    ax.set(yticks=y, yticklabels=FEATURES, xlim=(0, 1), xlabel="share of the importance")
    ax.invert_yaxis()
    ax.legend(loc="lower right")
    after = ", shuffled" if shuffled else ""
    words = f"Rows {window['rows']} of {ROWS} in order of y, y from {window['y']}{after}. {caption}"
    return fig, words, f"Bars for six features, in the window and on all rows. {words}"


# --- clusters and regions -------------------------------------------------------------------------


def intersection_stepper(found, names):
    """Show which features have entered by intersection after each rank."""
    ranks = ranks_by_cluster(found)
    combined = combined_importance_table(found, names=names)
    says = [
        "Rank 1: x1 is first in clusters 1 and 3, x2 in 2 and 4. Nothing is first in all four.",
        "Ranks 1 and 2: x1 is among the first two everywhere, and enters. Cluster 3 keeps x2 out.",
        "Ranks 1 to 3: x2 is third in cluster 3, and enters.",
        "All ranks: N1 and N2 enter together. N2 has the larger average, 0.1175, and is third.",
    ]
    frames = [
        (_ranks_up_to(depth, found, ranks, combined), words, words)
        for depth, words in enumerate(says, 1)
    ]
    words = "Both orders are x1, x2, N2, N1 here."
    frames.append((combined.set_index("feature"), words, f"Table. {words}"))
    return stepper(frames, "Intersection, rank by rank", "local-intersection")


def _ranks_up_to(depth, found, ranks, combined):
    """Draw the ranks of the features in the clusters; those up to a depth are filled."""
    fig, ax = plt.subplots(figsize=(WIDTH, 3.6))
    for (j, c), rank in np.ndenumerate(ranks):
        inside = rank <= depth
        color = COLORS[0] if inside else "none"
        ax.add_patch(plt.Rectangle((c, -j), 0.9, 0.8, ec=INK, fc=color))
        ax.text(
            c + 0.45, 0.4 - j, f"rank {rank}\n{found[j][c]:.2f}", ha="center", va="center",
            color="white" if inside else INK,
        )  # fmt: skip
        if c == 3:
            words = f"{combined['importance'][j]:.4f}"
            if combined["worst_rank"][j] <= depth:
                words += f"\nenters at {combined['worst_rank'][j]}"
            ax.text(4.8, 0.4 - j, words, ha="center", va="center")
    ax.set(xlim=(-0.1, 5.7), ylim=(-3.1, 0.9), xlabel="cluster")
    ax.set_yticks(0.4 - np.arange(4), combined["feature"])
    ax.set_xticks([0.45, 1.45, 2.45, 3.45, 4.8], ["1", "2", "3", "4", "average"])
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    return fig


def importance_by_region():
    """Mean rank of x2, and mean absolute Shapley values, in each fifth by the size of x1."""
    rivals = _rivals("places").groupby("method")
    table = rivals[["rank", "x1", "x2"]].mean().rename_axis("fifth")
    table["in"] = rivals["rank"].apply(_in_the_first_two)
    table.columns = ["rank of x2", "|Shapley| of x1", "of x2", "x2 in the first two"]
    return table.round(2)


def _in_the_first_two(ranks):
    """In how many samples the rank is 1 or 2, in words; nothing where there is no rank."""
    return f"{(ranks <= 2).sum()} of {ranks.count()}" if ranks.count() else ""


# --- runs that are stored -------------------------------------------------------------------------


def _replicates(study):
    runs = pd.read_csv("replications/local_importance.csv")
    return runs[runs["study"] == study]


def _rivals(study):
    runs = pd.read_csv("replications/local_rivals.csv")
    return runs[runs["study"] == study]


def _ranks_of(replicates, setting, method):
    """Ranks of the true features, (n_replicates, n_true)."""
    of = replicates["setting"].eq(setting) & replicates["method"].eq(method)
    return np.array([[int(rank) for rank in text.split()] for text in replicates[of]["found"]])


def sine_found():
    """In how many samples x2 is among the first two features: as printed, and here."""
    printed = {"10 columns": (50, 25, 4), "50 columns": (50, 13, 1)}
    replicates, rows = _replicates("selection"), []
    for columns, counts in printed.items():
        for method, stated in zip(("average", "intersection", "forest"), counts, strict=True):
            for factor in (10, 1):
                few = ", 10 columns" if columns == "10 columns" else ""
                ranks = _ranks_of(replicates, f"sine, factor {factor}{few}", method)[:, 1]
                names = {"noise": columns, "method": method}
                names |= {"printed": f"{stated} of 50", "factor": factor}
                rows.append(names | _compared_counts((ranks <= 2).sum(), len(ranks), stated))
    return pd.DataFrame(rows).set_index(["noise", "method", "printed", "factor"])


def _compared_counts(k, n, stated):
    """A count of n with its interval, and the p-value of Fisher's test against a count of 50."""
    interval = binomtest(int(k), n).proportion_ci()
    p = fisher_exact([[k, n - k], [stated, 50 - stated]]).pvalue
    return {
        "here": f"{k} of {n}",
        "interval": f"{interval.low:.2f} to {interval.high:.2f}",
        "p": f"{p:.4f}" if p >= 5e-5 else "< 0.0001",
    }


# --- errors of local models -----------------------------------------------------------------------


def errors_on_simulated_data():
    """Mean test errors of the local models and of a forest on the sine and on the products."""
    labels = {
        "sine, factor 10": "sine, 10 sin",
        "sine, factor 1": "sine, 1 sin",
        "products, noise 10": "products, 10 ε",
        "products, noise 10, updated": "products, 10 ε, updated",
        "products, noise 1, updated": "products, 1 ε, updated",
    }
    tests = _replicates("prediction")
    rows = {words: _compared_errors(tests, setting) for setting, words in labels.items()}
    return pd.DataFrame(rows).T.astype({"n": int}).round(2)


def errors_on_real_data():
    """Mean test errors of the local models and of a forest on the wines and on the bicycles."""
    wines, tests = pd.read_csv("replications/repeated_wines.csv"), _replicates("prediction")
    rows = {}
    for which, words in (("all", "wine, all rows"), ("once", "wine, each row once")):
        some = wines[wines["wines"] == which]
        rows[words] = _compared_errors(some, "default", shared=1 / 3)
        rows[f"{words}, updated"] = _compared_errors(some, "updated", shared=1 / 3)
    for riders in ("registered", "casual"):
        for after in ("", ", updated"):
            setting = f"{riders} bikers{after}"
            rows[f"{riders}{after}"] = _compared_errors(tests, setting, shared=1 / 3)
    table = pd.DataFrame(rows).T
    digits = [3 if "wine" in row else 0 for row in table.index]
    return table.apply(
        lambda column: [
            f"{value:.{0 if column.name == 'n' else k}f}"
            for value, k in zip(column, digits, strict=True)
        ]
    )


def _compared_errors(tests, setting, shared=0):
    """Mean test errors, and LPSC minus forest with half of its 95% interval.

    `shared` is the number of test rows for each training row, where all replicates split the same
    rows.
    """
    errors = tests[tests["setting"] == setting]
    errors = errors.pivot(index="replicate", columns="method", values="test")
    gap = (errors["LPSC"] - errors["forest"]).dropna()
    means = errors[["LPSC", "LPUC", "forest", "mean"]].mean()
    half = _half_interval(gap, shared)
    return {"n": len(gap), **means, "difference": gap.mean(), "±": half}


def _half_interval(gap, shared):
    """Half of the 95% interval of a mean difference, corrected for the rows that are shared."""
    n = len(gap)
    return student.ppf(0.975, n - 1) * gap.std() * np.sqrt(1 / n + shared)


def errors_of_rivals():
    """How often each method finds x2 in ten samples of the sine, and its mean test error."""
    order = [
        "mean", "LPUC", "forest, a third, depth 10", "forest, a third", "LPSC", "CBFS, average",
        "CBFS, intersection", "bins, average", "LPSC, all", "CBFS, average, all",
        "forest, all, depth 10", "forest, all", "boosted", "residuals",
    ]  # fmt: skip
    third, every = _rivals("rivals"), _rivals("candidates")
    names = every["method"].where(every["method"].str.startswith("bins"), every["method"] + ", all")
    sine = pd.concat([third[third["setting"] == "sine"], every.assign(method=names)])
    sine = sine.groupby("method")
    table = pd.DataFrame({
        "x2 in the first two": sine["rank"].apply(_in_the_first_two),
        "test error": sine["test"].mean(),
        "±": sine["test"].sem() * student.ppf(0.975, 9),
    })  # fmt: skip
    return table.loc[order].round(2).astype(object).fillna("")


def repeated_rows():
    """Repeated rows of each data set, and the percentage of test rows with a copy in training."""
    tables = {name: fetch_data_set(name).frame for name in dataset_table().index}
    for load in (load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine):
        tables[f"{load.__name__}, scikit-learn"] = load(as_frame=True).frame
    counts = {
        name: {"rows": len(frame), "repeated": int(frame.duplicated().sum())}
        for name, frame in tables.items()
    }
    counts = pd.DataFrame(counts).T.query("repeated > 0").sort_values("repeated")
    counts["test rows with a copy"] = [f"{_with_copy(tables[name]):.1f} %" for name in counts.index]
    return counts


def _with_copy(frame, tries=10):
    """Percentage of test rows that also stand among the training rows."""
    hashes = pd.util.hash_pandas_object(frame.astype(str), index=False)
    n, found = len(frame), []
    for seed in range(tries):
        train, test = np.split(np.random.default_rng(seed).permutation(n), [3 * n // 4])
        found.append(np.isin(hashes[test], hashes[train]).mean())
    return 100 * np.mean(found)


# --- nulls of LAFI --------------------------------------------------------------------------------


def bins_that_select_noise():
    """Proportions of features that LAFI selects in each level where all of them are noise."""
    replicates, rows = _replicates("noise"), {}
    for importance in ("mdi", "oob"):
        found = replicates[replicates["setting"] == importance]["found"]
        shares = np.array([_shares_of_levels(text) for text in found])  # (set, level, feature)
        scores = shares.mean(axis=1)
        kept = scores > 0.2 + 1e-12
        rows[importance] = {
            **{f"level {i}": shares[:, i - 1].mean() for i in (1, 2, 3)},
            "kept of 10": kept.sum(axis=1).mean(),
            "tables with any kept": kept.any(axis=1).sum(),
            "mean largest LAFI": scores.max(axis=1).mean(),
        }
    return pd.DataFrame(rows).T.round(2).astype({"tables with any kept": int})


def _shares_of_levels(found):
    """Proportion of the bins of each level that select a feature, (level, feature)."""
    bins = np.array([[digit == "1" for digit in one] for one in found.split()])
    return [level.mean(axis=0) for level in np.split(bins, [1, 3])]


def lafi_under_the_null():
    """How many features LAFI keeps by its threshold, and how many by shuffled targets."""
    tables = {
        "noise": {"six of noise": slice(6)},
        "signal": {"x1": [0], "x2": [1], "four of noise": slice(2, 6)},
    }
    rows = []
    for study, columns in tables.items():
        scores, p_values = _numbers(study, "lafi"), _numbers(study, "shuffled target")
        for words, which in columns.items():
            score, p = scores[:, which], p_values[:, which]
            rows.append({
                "table": "noise" if study == "noise" else "sine", "columns": words,
                "mean LAFI": score.mean(),
                "kept at 0.2": f"{(score > 0.2 + 1e-4).sum()} of {score.size}",
                "p_max = 0.1": f"{(p <= 0.1).sum()} of {p.size}",
            })  # fmt: skip
    return pd.DataFrame(rows).set_index(["table", "columns"]).round(2)


def _numbers(study, method):
    """What a method says of each feature in each replicate, (n_replicates, n_features)."""
    runs = _rivals(study)
    found = runs[runs["method"] == method]["found"]
    return np.array([[float(number) for number in text.split()] for text in found])


def lafi_by_forest_size():
    """How often LAFI keeps x2, by the candidate features and by the size of the forests."""
    rows = {
        "six samples: a third, 3 × 10 trees": ("signal", "lafi"),
        "six samples: all, 3 × 10 trees": ("everything", "lafi"),
        "one sample, ten seeds: a third, 3 × 10 trees": ("seeds", "3 of 10 trees"),
        "one sample, ten seeds: a third, 5 × 50 trees": ("seeds", "5 of 50 trees"),
    }
    found = {words: _numbers(*where)[:, 1] for words, where in rows.items()}
    return pd.DataFrame({
        words: {"LAFI of x2": f"{of_x2.min():.2f} to {of_x2.max():.2f}",
                "kept at 0.2": f"{(of_x2 > 0.2 + 1e-4).sum()} of {len(of_x2)}"}
        for words, of_x2 in found.items()
    }).T  # fmt: skip


# --- under the hood: what the source prints -------------------------------------------------------


def printed_counts(replicates, printed):
    """Show how often features were found in the source and here, with p-values of Fisher's test."""
    _display_wide(compared_counts(replicates, printed).round(3))


def compared_counts(replicates, printed):
    """Counts of each line of the source's tables, as printed and here, and p-values."""
    replicates, rows = replicates[replicates["study"] == "selection"], []
    for name in printed["table"].unique():
        for method in ("average", "intersection", "forest"):
            lines = printed[printed["table"].eq(name) & printed["method"].eq(method)]
            setting = lines["setting"].iloc[0]
            settings = [setting]
            if setting.startswith("sine"):
                settings = [setting.replace("sine", f"sine, factor {k}") for k in (10, 1)]
            rows += [{"table": name} | _counted(replicates, lines, one) for one in settings]
    return pd.DataFrame(rows).set_index("table")


def _counted(replicates, lines, setting):
    """Printed and own counts of a line's features, and the smallest p-value, times how many."""
    top, method = lines["top"].iloc[0], lines["method"].iloc[0]
    ranks = _ranks_of(replicates, setting, method)
    found, n = (ranks <= top).sum(axis=0), len(ranks)
    p = [
        fisher_exact([[k, n - k], [m, 50 - m]]).pvalue
        for k, m in zip(found, lines["printed"], strict=True)
    ]
    return {
        "setting": setting, "first": top, "method": method,
        "printed": " ".join(map(str, lines["printed"])), "here": " ".join(map(str, found)),
        "n": n, "p": min(1.0, min(p) * len(p)),
    }  # fmt: skip


def printed_errors(replicates):
    """Show which model has the lower test error in each figure of the source, and here."""
    claims = {  # the figure, and who is ahead in the test there
        "sine, factor 10, 10 columns": ("3.1, 3.2", "LPSC"),
        "sine, factor 10": ("3.3, 3.4", "LPSC"),
        "sine, factor 1": ("not there", "LPSC"), "exponential": ("3.5, 3.6", "LPUC"),
        "products, noise 10": ("3.7", "forest"),
        "products, noise 10, updated": ("3.8, 3.9", "LPSC or forest"),
        "products, noise 1, updated": ("not there", "not there"),
        "white wine": ("3.10", "forest"), "white wine, updated": ("3.11", "forest"),
        "registered bikers": ("3.12, 3.13", "forest"),
        "registered bikers, updated": ("3.14, 3.15", "LPSC"),
        "casual bikers": ("3.16", "forest"), "casual bikers, updated": ("3.17, 3.18", "LPSC"),
    }  # fmt: skip
    tests, rows = replicates[replicates["study"] == "prediction"], []
    for setting, (figure, stated) in claims.items():
        errors = tests[tests["setting"] == setting]
        errors = errors.pivot(index="replicate", columns="method", values="test")
        medians = errors.median()[["LPSC", "LPUC", "forest", "mean"]].map("{:.4g}".format)
        rows.append({
            "figure": figure, "setting": setting, "n": len(errors), **medians,
            "ahead, printed": stated, "ahead, here": _ahead(errors, setting),
        })  # fmt: skip
    _display_wide(pd.DataFrame(rows).set_index("figure"))


def _ahead(errors, setting):
    """Which of LPSC and the forest has the lower mean test error, if the interval tells."""
    if setting == "exponential":
        return "no mean"
    gap = errors["LPSC"] - errors["forest"]
    half = _half_interval(gap, 1 / 3 if "bikers" in setting or "wine" in setting else 0)
    return "forest" if gap.mean() > half else "LPSC" if gap.mean() < -half else "cannot tell"


def _display_wide(table):
    """Display a table with all of its text."""
    from IPython.display import display  # not needed by treelab itself

    with pd.option_context("display.max_colwidth", None, "display.width", 200):
        display(table)


def clustered_importance_table(found):
    """List the importances that `clustered_importance` found; a row per cluster and feature.

    Parameters
    ----------
    found : Bunch
        From `clustered_importance`.

    Returns
    -------
    DataFrame
        ``bin`` and ``cluster``, numbers from 0; ``n_rows``; ``low`` and ``high``, the targets
        between which the cluster lies; ``silhouette`` of the clusters of its bin, NaN for a bin of
        one cluster; ``feature``, ``importance``, ``rank``. From the lowest bin on, in each cluster
        from the best feature; in a cluster without splits the ranks are 0.

    Examples
    --------
    >>> from treelab import RandomForestRegressor
    >>> from treelab.fast.selection import clustered_importance
    >>> X, y = [[0, 1], [1, 0], [9, 1], [8, 0], [0, 0], [9, 0]], [1, 2, 3, 4, 5, 6]
    >>> forest = RandomForestRegressor(5, random_state=0)
    >>> found = clustered_importance(forest, X, y, n_bins=1, max_clusters=2)
    >>> clustered_importance_table(found).round(2).drop(columns="bin")
       cluster  n_rows  low  high  silhouette feature  importance  rank
    0        0       3  1.0   5.0        0.38      x0         0.7     1
    1        0       3  1.0   5.0        0.38      x1         0.3     2
    2        1       3  3.0   6.0        0.38      x1         0.6     1
    3        1       3  3.0   6.0        0.38      x0         0.4     2
    """
    rows = []
    for c, cluster in enumerate(found.clusters):
        rows += [
            cluster
            | {
                "feature": found.feature_names[j],
                "importance": float(found.importances[j, c]),
                "rank": int(found.ranks[j, c]),
            }
            for j in from_best(found.importances[:, c])
        ]
    return pd.DataFrame(rows)
