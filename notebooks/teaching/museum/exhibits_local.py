"""The room of chapter 17: importance that changes from place to place."""

import numpy as np
from museum import Exhibit, bars, lines
from sklearn.dummy import DummyRegressor

from treelab.fast.selection import LocalClusterRegressor, response_bins
from treelab.local import intersection

# --- the code on show -------------------------------------------------------------------


def nearest_answers(X, clusters, answers, new):
    """What the cluster of the nearest center says about each new row."""
    Z = scaled(X, X)
    centers = np.array([Z[clusters == c].mean(axis=0) for c in range(len(answers))])
    apart = np.linalg.norm(scaled(new, X)[:, None] - centers, axis=2)
    return answers[np.argmin(apart, axis=1)]


def error(X, y, own, guess, say):
    """Mean squared error of what clusters say; own holds those that the rows were put into."""
    said = say(X, guess(X))
    return np.mean((y - said) ** 2)


def order_of(found, sizes):
    """The features by their worst rank, of equal ones by their weighted average."""
    ranks = [np.argsort(np.argsort(-f, kind="stable")) for f in found if f.any()]
    worst = np.max([np.zeros(found.shape[1]), *ranks], axis=0)
    return np.lexsort((-(sizes @ found), worst))


def bin_numbers(y, M):
    """The number of the bin of each row; rows with equal targets are in one bin."""
    order = np.argsort(y, kind="stable")
    changes = 1 + np.flatnonzero(np.diff(y[order]))
    cuts = np.cumsum([len(part) for part in np.array_split(y, M)])[:-1]
    cuts = [changes[np.argmin(np.abs(changes - cut))] for cut in cuts if len(changes)]
    numbers = np.empty(len(y), dtype=int)
    numbers[order] = np.searchsorted(np.unique(cuts), np.arange(len(y)), side="right")
    return numbers


# --- what the code on show needs --------------------------------------------------------


def scaled(rows, by):
    """The rows less the mean of others, over their standard deviation, or 1 where that is 0."""
    sd = by.std(axis=0)
    return (rows - by.mean(axis=0)) / np.where(sd == 0, 1, sd)


def season(n, seed):
    """Rows whose first feature rises with time, and a target that follows both features."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.linspace(0, 3, n), 20 * rng.normal(size=n)])
    return X, X[:, 0] + X[:, 1] / 20 + 0.2 * rng.normal(size=n)


def noise(n, seed):
    """A target that has nothing to do with the features."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 4)), rng.normal(size=n)


def by_center(X, y, n_bins):
    """A fitted predictor: a bin's center, the nearest of which says the bin's mean."""
    model = LocalClusterRegressor(
        DummyRegressor(), assign="centroid", n_bins=n_bins, max_clusters=1
    )
    return model.fit(X, y)


def some_importances(seed, n_clusters=4, p=5):
    rng = np.random.default_rng(seed)
    found = rng.integers(0, 4, size=(n_clusters, p)) / 8
    found[rng.random(n_clusters) < 0.3] = 0
    return found, rng.integers(1, 20, size=n_clusters)


def some_qualities(n, levels, seed):
    """Targets of few different values, as the marks of tasters are."""
    return np.random.default_rng(seed).binomial(levels - 1, 0.5, size=n)


# --- signs ------------------------------------------------------------------------------


def error_in_groups():
    """Error on 240 new rows that come in groups of several sizes, in the order of time."""
    X, y = season(300, 0)
    new, target = season(240, 1)
    clusters = bin_numbers(y, 6)
    answers = np.array([y[clusters == c].mean() for c in range(6)])
    found = []
    for size in (2, 5, 20, 60, 240):
        groups = np.split(new, range(size, 240, size))
        said = np.concatenate([nearest_answers(X, clusters, answers, group) for group in groups])
        found.append(np.mean((target - said) ** 2))
    return np.array(found)


def error_by_bins():
    """Error over the variance of a target of noise, by the number of bins."""
    X, y = noise(400, 0)
    numbers, found = np.array([1, 2, 3, 5, 8, 12]), []
    for n_bins in numbers:
        model = by_center(X, y, n_bins)
        found.append(error(X, y, model.labels_, model.predict_cluster, model.predict_from))
    return {"bins": numbers, "error": np.array(found) / y.var()}


def place_by_silent():
    """Place of the feature that matters most everywhere, the last of six, by silent clusters."""
    rng = np.random.default_rng(0)
    found = []
    loud = rng.dirichlet([1] * 5 + [60], size=6)
    for silent in range(5):
        both = np.vstack([loud, np.zeros((silent, 6))])
        order = order_of(both, np.full(len(both), 50))
        found.append(1 + np.flatnonzero(order == 5)[0])
    return np.array(found)


def moved_by_order():
    """Share of rows that change their bin when the table is turned around, by values of y."""
    numbers, found = np.array([4, 6, 10, 20, 40]), []
    for levels in numbers:
        y = some_qualities(400, levels, 0)
        found.append(np.mean(bin_numbers(y, 3) != bin_numbers(y[::-1], 3)[::-1]))
    return {"values": numbers, "moved": np.array(found)}


def centers_agree():
    X, y = season(120, 2)
    new, _ = season(40, 3)
    model = by_center(X, y, 4)
    answers = np.array([y[model.labels_ == c].mean() for c in range(4)])
    return nearest_answers(X, model.labels_, answers, new), model.predict(new)


def errors_agree():
    X, y = noise(150, 4)
    model = by_center(X, y, 3)
    mine = error(X, y, model.labels_, model.predict_cluster, model.predict_from)
    return mine, np.mean((y - model.predict(X)) ** 2)


def orders_agree():
    cases = [some_importances(seed) for seed in range(20)]
    mine = np.array([order_of(found, sizes) for found, sizes in cases])
    return mine, np.array([intersection(f.tolist(), s.tolist()) for f, s in cases])


def bins_agree():
    mine, theirs = [], []
    for seed in range(6):
        y = some_qualities(70, 7, seed)
        mine.append(bin_numbers(y, 4))
        theirs.append(np.empty(70))
        for b, rows in enumerate(response_bins(y, 4, ties="together")):
            theirs[-1][rows] = b
    return np.array(mine), np.array(theirs)


# --- answers to exercises ---------------------------------------------------------------


def nearest_center():
    """local-3."""

    def answer(X, clusters, answers, new):
        X, new = np.array(X, dtype=float), np.array(new, dtype=float)
        return nearest_answers(X, np.array(clusters), np.array(answers), new)

    return answer


def by_intersection():
    """local-2."""

    def answer(found, sizes):
        return order_of(np.array(found), np.array(sizes))

    return answer


def bins_of_equals():
    """hw10-5."""

    def answer(y, M):
        return bin_numbers(y, M)

    return answer


# --- the exhibits -----------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-scaled-by-new-rows",
        title="New rows scaled by themselves",
        room=17,
        origin="student",
        code=nearest_answers,
        before="scaled(new, X)",
        after="scaled(new, new)",
        public="treelab.fast.selection.LocalClusterRegressor",
        agrees=centers_agree,
        story=(
            "The new rows are scaled by their own mean and standard deviation, as the "
            "training rows were scaled by theirs. Each group of rows then looks like an "
            "average one. For example, two days in June get the predictions of two days "
            "from the whole year, one low and one high."
        ),
        notice=("Predict a row alone and together with others. Its prediction must not change."),
        sign=error_in_groups,
        picture=bars(["2", "5", "20", "60", "240"], "mean squared error", xlabel="rows at a time"),
        caption=(
            "Error on 240 new rows, in temporal order, which are predicted in groups of 2, "
            "5, 20 and 60 and all together. With the fault, it depends on the size of the "
            "group."
        ),
        alt="Left, five low bars of one height; right, bars that fall from ten times that height.",
        caught_by=(("local-3", nearest_center, "whatever rows come with it"),),
    ),
    Exhibit(
        id="m-own-cluster",
        title="A cluster that knows the answer",
        room=17,
        origin="student",
        code=error,
        before="guess(X)",
        after="own",
        public="treelab.fast.selection.LocalClusterRegressor.predict",
        agrees=errors_agree,
        story=(
            "The training rows are predicted from the clusters to which they were assigned. "
            "However, they were assigned by their targets, so the cluster of a row reveals "
            "its target to within a bin. With more bins the error approaches 0, although "
            "nothing was learned from any feature."
        ),
        notice="Shuffle the target. No error may then be below that of the mean.",
        sign=error_by_bins,
        picture=lines("bins", {"error": ""}, "bins of the target", "error / variance", marker="o"),
        caption=(
            "Mean squared error on 400 rows, relative to the variance of their target, "
            "which is noise. Each bin predicts its mean. The correct error comes close to "
            "2, whereas with the fault it approaches 0."
        ),
        alt="Both curves start at 1; the left one rises, the right one falls to nearly 0.",
    ),
    Exhibit(
        id="m-silent-ranked",
        title="Ranks in a cluster without splits",
        room=17,
        origin="student",
        code=order_of,
        before=" if f.any()",
        after="",
        public="treelab.local.intersection",
        agrees=orders_agree,
        story=(
            "If all targets of a cluster are equal, nothing can be learned in it, and all "
            "importances are 0. If the features are ranked nevertheless, they stand in the "
            "order of the table, so the first is the best and the last is the worst. A "
            "single cluster of this kind is enough to lower the rank of the last feature."
        ),
        notice=("Exchange two columns of the table. The order of the features must stay the same."),
        sign=place_by_silent,
        picture=bars(list("01234"), "place of the feature", xlabel="silent clusters", digits=0),
        caption=(
            "Rank of the feature that is best in six clusters and last in the table, as "
            "clusters without splits are added. With the fault, the first of them already "
            "changes its rank."
        ),
        alt="Left, five bars of 1; right, one bar of 1, and 3 from the first silent cluster on.",
        caught_by=(("local-2", by_intersection, "a silent cluster ranks nothing"),),
    ),
    Exhibit(
        id="m-equal-targets-parted",
        title="Equal targets in different bins",
        room=17,
        origin="student",
        code=bin_numbers,
        before="changes[np.argmin(np.abs(changes - cut))]",
        after="cut",
        public="treelab.fast.selection.response_bins",
        agrees=bins_agree,
        story=(
            "The sorted rows are divided into bins of equal size, even if a boundary lies "
            "between rows with the same target. The order of the table then decides which "
            "of these rows belong to which bin, and it affects everything that is found in "
            "the bins."
        ),
        notice=("Reverse the order of the rows. Each row must be in the same bin as before."),
        sign=moved_by_order,
        picture=lines(
            "values", {"moved": ""}, "different targets", "rows that change their bin", marker="o"
        ),
        caption=(
            "Proportion of 400 rows that change their bin out of three when the table is "
            "reversed, by the number of possible distinct targets. The fewer distinct "
            "targets there are, the more rows move."
        ),
        alt="Left, a level line at 0; right, a curve that falls with more different targets.",
        caught_by=(("hw10-5", bins_of_equals, "has parted rows"),),
    ),
]
