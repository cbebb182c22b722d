"""The cards of the front page: of each chapter what a reader can do after it, and a picture.

To add a card, add a line to `CARDS` under the file name of the chapter, with a function that
draws: it returns the shapes of an SVG that is `WIDTH` by `HEIGHT`. Pictures that show a method
are computed with treelab when the book is built. Colors are classes (`a`, `b`, `c`, `ink`,
`soft`), which the style sheet sets for light and dark pages.
"""

from dataclasses import dataclass

import numpy as np

from treelab import AdaBoostClassifier, DecisionTreeRegressor, GradientBoostingRegressor
from treelab.fast.bootstrap import bootstrap
from treelab.fast.impurity import entropy, gini
from treelab.fast.newsvendor import order_table
from treelab.fast.selection import RegularizedForestSelector
from treelab.figures.wind_farm import matern_correlation
from treelab.metrics import roc_curve

WIDTH, HEIGHT = 192, 108
LEFT, RIGHT, TOP, BOTTOM = 12, 180, 12, 96


@dataclass(frozen=True)
class Card:
    """What stands on a card: the outcome, and the picture with its words; topics for the search."""

    outcome: str
    topics: str  # where else but here would a reader look for these?
    alt: str
    draw: callable


def svg(card):
    """The picture of a card, to stand in a page; str."""
    return (
        f'<svg class="tl-icon" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{card.alt}">{"".join(card.draw())}</svg>'
    )


# Shapes


def number(value):
    """A coordinate with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


def line(points, kind="ink"):
    """A line through points."""
    path = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f'<path class="{kind}" d="M{path}"/>'


def dot(x, y, kind="a", radius=3.5):
    """A filled circle."""
    at = f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
    return f'<circle class="{kind}" {at}/>'


def box(x, y, width, height, kind="a"):
    """A filled rectangle."""
    at = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return f'<rect class="{kind}" {at}/>'


def node(x, y, kind="node", width=26, height=15):
    """A node of a tree around a point."""
    return box(x - width / 2, y - height / 2, width, height, kind)


def scaled(values, low, high, first, last):
    """Values between low and high, between first and last."""
    return first + (np.asarray(values, dtype=float) - low) / (high - low) * (last - first)


def steps(x, y, kind="ink"):
    """A step function as lines along the axes."""
    points = [(x[0], y[0])]
    for k in range(1, len(x)):
        if y[k] != y[k - 1]:
            middle = (x[k] + x[k - 1]) / 2
            points += [(middle, y[k - 1]), (middle, y[k])]
    return line([*points, (x[-1], y[-1])], kind)


# Data that several pictures share


def wave():
    """Rows along a wave, and a grid to predict on."""
    rng = np.random.default_rng(4)
    x = np.sort(rng.uniform(0, 1, 26))
    y = np.sin(2 * np.pi * x) + rng.normal(0, 0.25, len(x))
    return x, y, np.linspace(0, 1, 141)


def at_wave(x, y):
    """Where rows of the wave stand in a picture."""
    return scaled(x, 0, 1, LEFT, RIGHT), scaled(y, 1.5, -1.4, TOP, BOTTOM)


# Pictures


def reading():
    """A tree in which the path of one row is marked."""
    yield line([(96, 22), (46, 54)], "soft")
    yield line([(140, 54), (172, 88)], "soft")
    yield line([(96, 22), (140, 54), (108, 88)], "a thick")
    yield node(96, 22)
    yield node(140, 54)
    yield node(46, 54, "leaf")
    yield node(108, 88, "a")
    yield node(168, 88, "leaf")


def impurity():
    """Gini and entropy over the share of one class."""
    shares = np.linspace(0, 1, 41)
    x = scaled(shares, 0, 1, LEFT, RIGHT)
    yield line([(LEFT, BOTTOM), (RIGHT, BOTTOM)], "soft")
    for measure, kind in ((entropy, "a thick"), (gini, "b thick")):
        values = [float(measure([p, 1 - p])) for p in shares]
        yield line(zip(x, scaled(values, 0, 1, BOTTOM, TOP)), kind)


def growing():
    """Dots along a wave, a tree's steps through them, the first cut."""
    x, y, grid = wave()
    tree = DecisionTreeRegressor(max_depth=2).fit(x[:, None], y)
    across, up = at_wave(x, y)
    yield from (dot(*point, "b", 3) for point in zip(across, up))
    cut = scaled(tree.tree_.threshold[0], 0, 1, LEFT, RIGHT)
    yield line([(cut, TOP), (cut, BOTTOM)], "dashed")
    yield steps(*at_wave(grid, tree.predict(grid[:, None])), "a thick")


def pruning():
    """A tree with a branch that is cut off."""
    yield line([(96, 20), (50, 50), (28, 84)], "ink")
    yield line([(50, 50), (72, 84)], "ink")
    yield line([(96, 20), (142, 50)], "ink")
    yield line([(142, 50), (120, 80)], "dashed")
    yield line([(142, 50), (164, 80)], "dashed")
    yield node(96, 20)
    yield node(50, 50)
    yield node(142, 50, "a")
    yield node(28, 84, "leaf")
    yield node(72, 84, "leaf")
    yield node(120, 88, "gone")
    yield node(164, 88, "gone")


def many_levels():
    """A node with a branch for each of four levels."""
    for x, kind in ((30, "a"), (74, "b"), (118, "c"), (162, "leaf")):
        yield line([(96, 24), (x, 80)], "soft")
        yield node(x, 84, kind)
    yield node(96, 24, width=40)


def resampled(count):
    """The predictions of a tree of each of some bootstrap samples, and the grid."""
    x, y, grid = wave()
    rng = np.random.default_rng(1)
    made = []
    for _ in range(count):
        rows = rng.integers(0, len(x), len(x))
        tree = DecisionTreeRegressor(max_depth=4).fit(x[rows, None], y[rows])
        made.append(tree.predict(grid[:, None]))
    return grid, made


def unstable():
    """Three trees of three samples, which disagree."""
    grid, made = resampled(3)
    for values, kind in zip(made, ("a", "b", "c")):
        yield steps(*at_wave(grid, values), kind + " open")


def averaged():
    """Many trees, pale, and their average."""
    grid, made = resampled(8)
    for values in made:
        yield steps(*at_wave(grid, values), "soft")
    yield line(zip(*at_wave(grid, np.mean(resampled(60)[1], axis=0))), "a thick")


def resampling():
    """The histogram of a mean over bootstrap samples."""
    data = np.array([3.0, 5, 7, 8, 12, 13, 14, 18, 21, 29])
    means = bootstrap(np.mean, data, n_resamples=600, random_state=0).replicates
    counts, edges = np.histogram(means, bins=15)
    wide = (RIGHT - LEFT) / len(counts)
    for k, tall in enumerate(scaled(counts, 0, counts.max(), 0, BOTTOM - TOP)):
        yield box(LEFT + k * wide, BOTTOM - tall, wide - 2, tall, "b")
    at = scaled(data.mean(), edges[0], edges[-1], LEFT, RIGHT)
    yield line([(at, TOP - 6), (at, BOTTOM)], "ink thick")


def forest():
    """Five trees, each with its vote."""
    for k, kind in enumerate(("a", "b", "a", "a", "b")):
        x = 24 + 36 * k
        bend = 4 * (k % 2) - 2
        yield line([(x - 10, 52), (x + bend, 24), (x + 10, 52)], "soft")
        yield dot(x + bend, 24, "ink-fill", 4)
        yield dot(x - 10, 52, "ink-fill", 3)
        yield dot(x + 10, 52, "ink-fill", 3)
        yield node(x, 84, kind, 22, 16)


def weighted():
    """Dots of two classes, the hard ones larger, and the next stump."""
    rng = np.random.default_rng(5)
    X = rng.uniform(0, 1, (26, 2))
    y = (X[:, 0] + 0.7 * X[:, 1] > 0.85).astype(int)
    weights = np.full(len(y), 1 / len(y))
    model = AdaBoostClassifier(n_estimators=2).fit(X, y)
    first, second = model.estimators_
    wrong = first.predict(X) != y
    weights[wrong] *= (1 - wrong.mean()) / wrong.mean()
    weights /= weights.sum()
    for (u, v), label, weight in zip(X, y, weights):
        radius = 2 + 26 * np.sqrt(weight) * 0.6 - 1
        place = scaled(u, 0, 1, LEFT, RIGHT), scaled(v, 0, 1, BOTTOM, TOP)
        yield dot(*place, "b" if label else "a", radius)
    feature, cut = int(second.tree_.feature[0]), second.tree_.threshold[0]
    ends = [(cut, 0), (cut, 1)] if feature == 0 else [(0, cut), (1, cut)]
    yield line(
        [(scaled(u, 0, 1, LEFT, RIGHT), scaled(v, 0, 1, BOTTOM, TOP)) for u, v in ends], "ink thick"
    )


def boosted():
    """The fit after one round, after five and after forty."""
    x, y, grid = wave()
    model = GradientBoostingRegressor(n_estimators=40, learning_rate=0.2, max_depth=2)
    stages = list(model.fit(x[:, None], y).staged_predict(grid[:, None]))
    across, up = at_wave(x, y)
    yield from (dot(*point, "b", 3) for point in zip(across, up))
    for k, kind in ((0, "soft"), (4, "soft"), (39, "a thick")):
        yield steps(*at_wave(grid, stages[k]), kind)


def bars():
    """Bars of four features, longest first."""
    for k, (length, kind) in enumerate(((150, "a"), (96, "a"), (40, "a"), (12, "a"))):
        y = 18 + 22 * k
        yield box(LEFT + 6, y, length, 13, kind)
        if k < 3:
            yield line([(LEFT + length - 10, y + 6.5), (LEFT + length + 18, y + 6.5)], "ink")
    yield line([(LEFT + 6, TOP - 2), (LEFT + 6, BOTTOM + 6)], "ink")


def chosen_columns():
    """Columns of a table, some of them kept."""
    for k in range(12):
        kept = k in (2, 5, 6, 10)
        x, kind = LEFT + 14 * k, ("b" if k == 6 else "a") if kept else "gone"
        yield box(x, TOP + 8, 10, BOTTOM - TOP - 8, kind)


def beating_luck():
    """Columns and their shadows as bars, and the bar of the best shadow."""
    heights = (56, 12, 38, 18, 9, 20, 22, 11, 15, 19)
    for k, height in enumerate(heights):
        kind = "gone" if k > 4 else "a" if height > 22 else "b"
        yield box(LEFT + 6 + 16 * k, BOTTOM - height, 11, height, kind)
    yield line([(LEFT, BOTTOM - 25), (LEFT + 172, BOTTOM - 25)], "dashed")


def reluctant():
    """How many columns have entered, tree by tree, for three penalties."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4)).repeat(6, axis=1) + rng.normal(0, 0.6, (80, 24))
    y = (X[:, 0] + X[:, 7] * X[:, 13] > 0).astype(int)
    for penalty, kind in ((1.0, "soft"), (0.6, "b thick"), (0.3, "a thick")):
        forest = RegularizedForestSelector(penalty, n_estimators=24, random_state=0).fit(X, y)
        entered = np.array([step["tree"] for step in forest.steps_])
        so_far = [(entered <= b).sum() for b in range(24)]
        x = scaled(np.arange(24), 0, 23, LEFT, RIGHT)
        yield steps(x, scaled(so_far, 0, 24, BOTTOM, TOP), kind)


def from_place_to_place():
    """Five places along a target; in each the bars of two columns, which change their order."""
    for k, (first, second) in enumerate(((20, 62), (34, 48), (52, 30), (64, 14), (70, 6))):
        x = LEFT + 4 + 35 * k
        yield box(x, BOTTOM - first, 13, first, "a")
        yield box(x + 14, BOTTOM - second, 13, second, "b")
    yield line([(LEFT, BOTTOM), (RIGHT, BOTTOM)], "ink")


def bicycles():
    """What each order costs, ten demands below, and the order that costs least."""
    table = order_table([28, 31, 34, 36, 37, 38, 40, 42, 45, 49], under=3, over=1)
    x = scaled(table["order"], 26, 51, LEFT, RIGHT)
    y = scaled(table["cost"], 0, table["cost"].max(), BOTTOM - 12, TOP)
    yield line(zip(x, y, strict=True), "a thick")
    yield from (dot(at, BOTTOM, "soft", 3) for at in x)
    best = int(np.argmax(table["best"]))
    yield line([(x[best], BOTTOM), (x[best], y[best])], "b")
    yield dot(x[best], y[best], "b", 5)


def roc():
    """The ROC curve of nine days, and the diagonal of guessing."""
    busy, scores = [1, 1, 0, 1, 0, 1, 0, 0, 0], [9, 8, 7, 6, 5, 4, 4, 2, 1]
    fpr, tpr, _ = roc_curve(busy, scores)
    x, y = scaled(np.array(fpr), 0, 1, LEFT, RIGHT), scaled(np.array(tpr), 0, 1, BOTTOM, TOP)
    yield line([(LEFT, BOTTOM), (RIGHT, TOP)], "soft")
    yield line(zip(x, y, strict=True), "a thick")
    yield dot(x[4], y[4], "b", 5)


def over_a_grid():
    """Cells around a farm, larger where the weather is more like its own."""
    for x in range(-5, 6):
        for y in range(-3, 4):
            alike = matern_correlation(np.hypot(20.2 * x, 27.8 * y), 60)
            center = WIDTH / 2 + 15 * x, HEIGHT / 2 + 13 * y
            yield dot(*center, "b" if x == y == 0 else "a", 0.8 + 5 * alike)


CARDS = {
    "01_reading_a_tree": Card(
        "Follow a row to its leaf, and say what the tree predicts and why.",
        "decision tree, regression tree, classification tree, leaf, region, decision path",
        "A small tree; the path from its root to one leaf is marked.",
        reading,
    ),
    "02_impurity": Card(
        "Measure how mixed a node is, and how much a split gains.",
        "impurity, Gini, entropy, information gain, gain of a split",
        "Two curves over the proportion of a class, both highest in the middle.",
        impurity,
    ),
    "03_growing_a_tree": Card(
        "Find the best split by hand, and grow a whole tree from it.",
        "CART, best split, greedy, categories, surrogate split, missing values, optimal tree",
        "Dots along a wave and steps through them, which a dashed line divides.",
        growing,
    ),
    "04_pruning": Card(
        "Choose how large a tree should be, by its errors on new cases.",
        "pruning, overfitting, cost complexity, alpha, weakest link, cross-validation",
        "A tree; two leaves below one of its nodes are cut off.",
        pruning,
    ),
    "05_id3_and_c45": Card(
        "Split on categories, handle missing values, and prune without new data.",
        "ID3, C4.5, gain ratio, missing values, multiway split, selection bias, CHAID, C5.0, ctree",
        "A node with four branches, each to a leaf of its own.",
        many_levels,
    ),
    "06_measuring_a_model": Card(
        "Count the errors that matter, and say how sure the counts are.",
        "confusion matrix, precision, recall, ROC, AUC, log loss, threshold, class imbalance, "
        "misclassification cost, class weight, prior, cross-validation",
        "Steps from the lower left corner to the upper right one, above a diagonal.",
        roc,
    ),
    "07_why_one_tree_is_not_enough": Card(
        "See how much a tree changes with its sample, and what this costs.",
        "instability, bias, variance, bias-variance trade-off, U-curve, overfitting, noise",
        "Three step functions, from three samples, which disagree.",
        unstable,
    ),
    "08_the_bootstrap": Card(
        "Tell from one sample how far a number would vary over others.",
        "bootstrap, standard error, confidence interval, resampling, .632 estimate",
        "A histogram of means with a line at the mean of the sample.",
        resampling,
    ),
    "09_bagging": Card(
        "Average many trees, and evaluate them on the rows they have not seen.",
        "bagging, out-of-bag error, aggregation, voting, ensemble, random subspaces",
        "Many pale step functions, and their average as a smoother line.",
        averaged,
    ),
    "10_random_forests": Card(
        "Make trees differ on purpose, and see why their average gains by it.",
        "random forest, max_features, number of trees, out-of-bag error, correlation of trees",
        "Five small trees, each above its vote: three for one class, two for the other.",
        forest,
    ),
    "11_adaboost": Card(
        "Let each round look at what the rounds before it got wrong.",
        "AdaBoost, stump, weak learner, weights, margin, exponential loss",
        "Dots of two classes, those that were wrong larger, and a line that divides them anew.",
        weighted,
    ),
    "12_gradient_boosting": Card(
        "Add small trees to what is left over, and know when to stop.",
        "gradient boosting, learning rate, shrinkage, residuals, early stopping, loss, subsample",
        "Dots along a wave; steps that follow them closer from round to round.",
        boosted,
    ),
    "13_importance": Card(
        "Say which measurements mattered, and which question that answers.",
        "feature importance, permutation importance, mean decrease in impurity, Shapley values",
        "Four bars, longest first, with their spread.",
        bars,
    ),
    "14_filters_and_searches": Card(
        "Choose columns that tell much and repeat little, and do it inside the folds.",
        "feature selection, symmetrical uncertainty, CFS, FCBF, stepwise regression, best subset, "
        "lasso, wrapper, selection bias, PCA",
        "A row of columns; a few of them are kept, the others are pale.",
        chosen_columns,
    ),
    "15_forests_choose": Card(
        "Let a forest leave out columns, and ask whether they beat luck.",
        "feature selection, Boruta, shadow features, recursive feature elimination, RFE, RFECV, "
        "one standard error, stability, nested cross-validation, Genuer",
        "Bars of columns and of their pale shadows; two stand above a dashed line.",
        beating_luck,
    ),
    "16_reluctant_trees": Card(
        "Let a new column in only where it gains clearly more than what is there.",
        "feature selection, regularized trees, regularized random forest, RRF, guided, GRRF, "
        "RBoost, penalty, XOR, paired t-test, win lose tie, Max-Dependency",
        "Three rising steps, one for each penalty; the strictest lets few columns in.",
        reluctant,
    ),
    "17_local_importance": Card(
        "Ask where a column matters, and which errors and nulls may be believed.",
        "local importance, clustering, k-means, silhouette, CBFS, LPSC, LPUC, LAFI, leakage, "
        "permutation null, bins of the target",
        "Bars of two columns at five places; the one that is longer first is shorter last.",
        from_place_to_place,
    ),
    "18_bicycles": Card(
        "Take a raw table to a decision, and say what it costs in months that chose nothing.",
        "forecast, leak, leakage, lag, rolling origin, backtest, time split, newsvendor, quantile, "
        "asymmetric cost, conformal prediction, coverage, pipeline, monitoring",
        "A curve of costs that falls steeply and rises slowly, with its lowest point marked.",
        bicycles,
    ),
    "19_wind": Card(
        "Choose among a thousand columns that resemble each other, and read the map.",
        "wind power, forecast, spatial correlation, split by time, persistence, feature selection, "
        "RFE, stochastic elimination, Boruta, PCA, filters, stability, time series",
        "Dots on a grid, the largest around the farm in the middle.",
        over_a_grid,
    ),
}
