"""Figures of gradient boosting: residuals that shrink, losses, learning rates, and intervals."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import sklearn.ensemble
from scipy.special import expit
from sklearn.linear_model import LinearRegression

from treelab import GradientBoostingClassifier, GradientBoostingRegressor
from treelab.datasets import make_friedman1
from treelab.drawing.style import COLORS, INK, LINES
from treelab.fast.boosting import residual_table
from treelab.fast.boosting.losses import AbsoluteError, Huber, Quantile, SquaredError
from treelab.figures.errors import draw_errors
from treelab.figures.explorable import explorable
from treelab.figures.intervals import interval_table
from treelab.figures.stepper import stepper

__all__ = [
    "cost_by_threshold",
    "coverage_by_draw",
    "coverage_table",
    "covered_hours",
    "errors_by_bins",
    "errors_by_rate",
    "halves_by_seed",
    "hourly_errors",
    "lending_table",
    "linear_trend",
    "loss_curves",
    "product_errors",
    "rare_rows",
    "rates_table",
    "residuals_stepper",
    "rounds_explorable",
    "sampling_table",
    "spoiled_table",
    "three_learners",
]

ROUNDS = (0, 1, 2, 3, 5, 10, 20, 40)  # that the stepper of the residuals shows
PROGRAMS = {
    "treelab": "treelab",
    "GradientBoostingRegressor": "scikit-learn",
    "HistGradientBoostingRegressor": "scikit-learn, Hist",
}


def waves(n, seed):
    """Points of a slow sine whose noise grows to the right."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 10, n)
    return x[:, None], 3 * np.sin(x) + rng.normal(size=n) * (0.3 + 0.2 * x)


def waves_by_rate():
    """Boosted fits of sixty points for four learning rates, with the errors after each round."""
    X, y = waves(60, 1)
    held_out = waves(1000, 1001)
    models = {
        nu: GradientBoostingRegressor(learning_rate=nu, n_estimators=120, max_depth=2).fit(X, y)
        for nu in (0.1, 0.2, 0.4, 0.8)
    }
    errors = {}
    for name, (Z, z) in {"train": (X, y), "test": held_out}.items():
        errors[name] = []
        for model in models.values():
            fits = [np.full(len(z), y.mean()), *model.staged_predict(Z)]
            errors[name].append([round(np.mean((z - fit) ** 2), 5) for fit in fits])
    return X, y, models, errors["train"], errors["test"]


def rounds_explorable():
    """Let the reader choose the learning rate and the number of rounds for sixty points."""
    X, y, models, train, test = waves_by_rate()
    from_left = np.argsort(X[:, 0])
    best = [int(np.argmin(errors)) for errors in test]
    stills = []
    for k, b in ((0, 10), (0, best[0]), (0, 120), (3, 120)):
        nu, model = list(models.items())[k]
        there = f"training error {train[k][b]:.2f}, held out {test[k][b]:.2f}"
        words = f"After {b} rounds at rate {nu}: {there}."
        stills.append((_fit(X, y, model, b), words, f"Sixty points and the fit. {words}"))
    smallest = pd.DataFrame(
        {"rate": list(models), "best round": best,
         "held-out error there": [min(e) for e in test],
         "after 120 rounds": [e[-1] for e in test]}
    ).round(2)  # fmt: skip
    alt = "Table: rate, best round, held-out error there and after 120 rounds."
    stills.append((smallest, "The smaller the rate, the later the best round.", alt))
    data = {
        "x": X[from_left, 0].round(4), "y": y[from_left].round(2),
        "start": y.mean(), "rates": list(models),
        "trees": [[_pieces(tree) for (tree,) in model.estimators_] for model in models.values()],
        "train": train, "test": test, "best": best, "rest": {"rounds": 6, "rate": 0, "point": 7},
        "yrange": [-7, 7], "top": 6, **_words_of_the_rounds(test[0], best[0]),
    }  # fmt: skip
    return explorable(
        "boosting", data, stills, title="Rounds and learning rate", name="boosting-rounds"
    )


def _words_of_the_rounds(test, best):
    """The question, its verdicts, and the words of each state."""
    return {
        "question": "From 6 rounds on to 120 at rate 0.1: what does the error on new points do?",
        "answers": ["It falls on", "It falls, then rises", "It rises at once"],
        "verdicts": [
            f"{reply}: {test[6]:.2f} after 6, {min(test):.2f} after {best}, "
            f"{test[-1]:.2f} after 120."
            for reply in ("No, it falls, then rises", "Yes", "No, it falls, then rises")
        ],
        "says": ["{rounds} rounds at rate {nu}. " + after for after in (
            "What will the held-out error do? A guess, or Skip, unlocks the rounds.",
            "At this rate the held-out error is smallest after {best}: you are {where}. "
            "The training error never rises.",
        )],
        "labels": {"train": "training error", "test": "held-out error",
                   "best": "smallest held out at", "target": "the marked point’s y",
                   "sum": "its prediction", "left": "what is left of y"},
        "alt": ["Sixty points, the fit after these rounds, what is left of each point.",
                "Training and held-out error over the rounds."],
    }  # fmt: skip


def _pieces(tree):
    """A tree over one feature as its thresholds and the step between any two of them."""
    cuts = np.unique(tree.tree_.threshold[~tree.tree_.is_leaf])
    middles = np.concatenate([cuts[:1] - 1, (cuts[:-1] + cuts[1:]) / 2, cuts[-1:] + 1])
    return [cuts.round(5).tolist(), tree.predict(middles[:, None]).round(5).tolist()]


def _fit(X, y, model, b):
    """Draw the points and the fit after b rounds."""
    across = np.linspace(0, 10, 401)[:, None]
    fig, ax = plt.subplots()
    ax.plot(X, y, "o", ms=5)
    ax.plot(across, list(model.staged_predict(across))[b - 1], color=COLORS[1], ls="-")
    ax.set(xlabel="x", ylabel="y")
    return fig


def _scores(model, days):
    """Score of each day at the start and after each round; (n_rounds + 1, n_days)."""
    moves = residual_table(model, days[["temp"]], days["rentals"].to_numpy())
    start = np.full(len(days), days["rentals"].mean())
    return [start, *(step["after"].to_numpy() for _, step in moves.groupby("round"))]


def mean_residuals(model, days):
    """Mean absolute residual of the ten days after the rounds of the stepper, as whole numbers."""
    scores = _scores(model, days)
    return {b: round(float(np.abs(days["rentals"] - scores[b]).mean())) for b in ROUNDS}


def residuals_stepper(model, days):
    """Show the fit and the residuals of the ten days round by round."""
    temp, rentals = days["temp"].to_numpy(), days["rentals"].to_numpy()
    degrees = pd.DataFrame({"temp": np.linspace(2, 37, 351)})
    curve = [np.full(351, rentals.mean()), *model.staged_predict(degrees)]
    frames, scores = [], _scores(model, days)
    for b in ROUNDS:
        after, left = scores[b], rentals - scores[b]
        fig, axes = plt.subplots(2, 1, figsize=(5.4, 4.4), height_ratios=(4, 1))
        axes[0].plot(temp, rentals, "o", color=COLORS[0])
        axes[0].vlines(temp, after, rentals, color=COLORS[1], lw=1.5)
        axes[0].plot(degrees, curve[b], color=INK, lw=2)
        axes[0].set(xlabel="temperature in °C", ylabel="rentals", ylim=(400, 2450))
        axes[1].axvline(0, color=INK, lw=1)
        axes[1].plot(left, np.zeros(10), "o", color=COLORS[1], mec=INK)
        axes[1].set(xlim=(-1050, 1050), yticks=[], xlabel="residual")
        rounds = "1 round" if b == 1 else f"{b} rounds"
        words = f"After {rounds} a day is missed by {np.abs(left).mean():.0f} rentals on average."
        alt = f"The step curve through ten days, and below the ten residuals on a line. {words}"
        frames.append((fig, words, alt))
    return stepper(frames, "Residuals shrink", "boosting-residuals")


def loss_curves():
    """Draw four losses and their pseudo-residuals over the residual."""
    losses = {
        "squared": SquaredError(),
        "absolute": AbsoluteError(),
        "Huber, bend 1": Huber(delta=1.0),
        "quantile 0.9": Quantile(0.9),
    }
    e, zero = np.linspace(-3, 3, 601), np.zeros(601)
    _, axes = plt.subplots(2, 1, sharex=True, figsize=(5.4, 5.2))
    for i, (name, loss) in enumerate(losses.items()):
        axes[0].plot(e, loss.each(e, zero), color=COLORS[i], ls=LINES[i], label=name)
        axes[1].plot(e, loss.negative_gradient(e, zero), color=COLORS[i], ls=LINES[i])
    axes[0].set(ylabel="loss")
    axes[1].set(ylabel="pseudo-residual", xlabel="y - F")
    axes[0].legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2)
    plt.show()


def spoiled_table():
    """Mean absolute errors of two losses with clean and with spoiled targets."""
    sets = pd.read_csv("replications/spoiled_targets.csv")
    means = sets.groupby("loss")[["clean", "spoiled"]].mean()
    return means.loc[["squared_error", "absolute_error"]].map("{:.2f}".format)


def errors_by_rate(rates):
    """Draw the test error over the rounds for each learning rate."""
    curves = {f"rate {nu}": errors for nu, errors in rates.items()}
    draw_errors(range(1, 301), curves, xlabel="rounds", ylabel="test error")
    plt.show()


def rates_table():
    """Print and return what the twenty noisy sets say of learning rates and early stopping."""
    noisy = pd.read_csv("replications/noisy_friedman.csv")
    least = noisy.pivot(index="set", columns="setting", values="best")
    last = noisy.pivot(index="set", columns="setting", values="last")
    by_rate = least[["rate 1", "rate 0.3", "rate 0.1", "rate 0.03"]]
    best_rounds = noisy.groupby("setting")["best_round"].mean()[by_rate.columns]
    print("0.1 ahead of 0.3 in", (by_rate["rate 0.1"] < by_rate["rate 0.3"]).sum(), "of 20 sets,")
    print("0.03 ahead of 0.1 in", (by_rate["rate 0.03"] < by_rate["rate 0.1"]).sum(), "of 20")
    stops = noisy.loc[noisy["setting"] == "early stop", "rounds"]
    print("early stopping:", stops.min(), "to", stops.max(), "rounds, mean test error",
          last["early stop"].mean().round(2))  # fmt: skip
    print("all 300 rounds:", last["rate 0.1"].mean().round(2))
    best_rounds = best_rounds.rename("best round").to_frame().T
    return pd.concat([by_rate.agg(["mean", "std"]), best_rounds]).round(2)


def _ahead(first, second):
    """In how many pairs the second error is lower, and by how many percent on average."""
    gain = 100 * (first - second) / first.mean()
    by = f"{gain.mean():.1f} ± {gain.std() / np.sqrt(len(gain)):.1f}"
    return {"ahead in": f"{(gain > 0).sum()} of {len(gain)}", "lower by, percent": by}


def sampling_table():
    """Print and return what it does to draw rows or features, or to take missing values."""
    noisy = pd.read_csv("replications/noisy_friedman.csv")
    least = noisy.pivot(index="set", columns="setting", values="best")
    paired = pd.read_csv("replications/columns_and_gaps.csv").set_index(["question", "table"])
    sampled = {"rows: Friedman": _ahead(least["rate 0.1"], least["half of the cases"])}
    tables = {
        "columns": ["diabetes", "tumors", "sonar", "bicycles"],
        "gaps": ["sick", "hypothyroid", "horses"],
    }
    for kind, names in tables.items():
        for name in names:
            one = paired.loc[(kind, name)]
            sampled[f"{kind}: {name}"] = _ahead(one["first"], one["second"])
    early = paired.loc[("columns, 100 rounds", "bicycles")]
    early = _ahead(early["first"], early["second"])
    print("bicycles after 100 rounds:", ", ".join(early.values()), "percent")
    return pd.DataFrame(sampled).T


def hourly_errors(forest, boosted, A, a, C, c):
    """Print the errors of the models on held-out hours, and those of twenty draws."""

    def rmse(prediction):
        return round(float(np.sqrt(np.mean((np.asarray(prediction) - c.to_numpy()) ** 2))), 1)

    means = a.groupby([A["workingday"], A["hr"]]).mean()
    planner = means.reindex(pd.MultiIndex.from_frame(C[["workingday", "hr"]])).fillna(a.mean())
    draws = pd.read_csv("replications/bicycle_hours.csv", index_col="draw")
    print("root mean squared error")
    print("mean of the hour", rmse(planner))
    print("forest", rmse(forest.predict(C)))
    print("boosting", rmse(boosted.predict(C)), "after", boosted.n_estimators_, "rounds")
    print("boosting at its defaults", draws.loc[0, "default"].round(1))
    gap = draws["forest"] - draws["boosting"]
    print("twenty draws: boosting ahead in", (gap > 0).sum(), "by", gap.mean().round(1))
    print("on average: forest", draws["forest"].mean().round(1),
          "boosting at its defaults", draws["default"].mean().round(1))  # fmt: skip


def covered_hours():
    """Coverage of the intervals of three programs on twenty draws of hours."""
    covered = pd.read_csv("replications/covered_hours.csv")
    covered["program"] = covered["program"].map(PROGRAMS)
    return covered


def coverage_by_draw():
    """Draw the coverage of each draw before and after the calibration."""
    covered, names = covered_hours(), list(PROGRAMS.values())
    _, ax = plt.subplots(figsize=(5.4, 2.6))
    for i, name in enumerate(names):
        one = covered[covered["program"] == name]
        ax.plot(one["before"], np.full(20, i - 0.15), "o", mfc="none", mec=COLORS[1], ms=6,
                label="before" if i == 0 else None)  # fmt: skip
        ax.plot(one["after"], np.full(20, i + 0.15), "o", color=COLORS[0], ms=6, mec=INK,
                label="after" if i == 0 else None)  # fmt: skip
    ax.axvline(0.9, color=INK, lw=1, ls="--")
    ax.set(xlabel="share of fresh hours covered", yticks=range(3), yticklabels=names,
           ylim=(2.5, -0.5))  # fmt: skip
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=2)
    plt.show()


def coverage_table():
    """Mean coverage before and after the calibration, by night and by day."""
    means = covered_hours().groupby("program")[["before", "after", "night", "day"]].mean()
    return means.loc[list(PROGRAMS.values())].map("{:.2f}".format)


def lending_table():
    """Print and return the mean costs of lending, and who is cheaper in how many divisions."""
    loans = pd.read_csv("replications/lenders.csv", index_col="division")
    for name in ("forest", "boosting"):
        wins = [(loans[f"{name}, {s}"] < loans["reject all"]).sum() for s in ("1/2", "1/6")]
        words = f"at 1/2 {wins[0]} times, at 1/6 {wins[1]} times"
        print(name, "cheaper than to reject all:", words)
    ahead = loans["forest, 1/6"] < loans["boosting, 1/6"]
    print("forest ahead of boosting at 1/6:", ahead.sum(), "of", len(loans))
    return loans.agg(["mean", "std"]).T.round(3)


def linear_trend(X, y, first, later):
    """Print how many later hours lie within the first year's ranges, and a linear forecast."""
    past, new = X.iloc[first[:1500]].drop(columns="yr"), X.iloc[later].drop(columns="yr")
    known = ((new >= past.min()) & (new <= past.max())).all(axis=1).mean()
    line = LinearRegression().fit(past, y[first[:1500]]).predict(new).mean()
    print(f"within the first year's ranges {known:.2%}, linear regression forecasts {line:.0f}")


def product_errors():
    """Errors of boosted trees on a product of two features, as fractions of its variance."""
    depths = {d: np.mean([_product(seed, d) for seed in range(10)], axis=0) for d in (1, 2, 3)}
    return pd.DataFrame(depths, ["training", "test"]).T.rename_axis("depth").round(2)


def _product(seed, depth):
    rng = np.random.default_rng(seed)
    (X, y), (Z, z) = (
        (P, 3 * P.prod(axis=1)) for P in (rng.uniform(-1, 1, (n, 2)) for n in (400, 1000))
    )
    model = sklearn.ensemble.GradientBoostingRegressor(max_depth=depth, random_state=0).fit(X, y)
    return [np.mean((model.predict(P) - t) ** 2) / np.var(t) for P, t in ((X, y), (Z, z))]


# The page behind the chapter


def halves_by_seed(X, y, noisy_sets):
    """Print the least test errors of four models on half of the rows, and that of all rows."""
    Z, z = make_friedman1(1000, noise=2.0, random_state=1)
    least = []
    for seed in range(4):
        model = GradientBoostingRegressor(subsample=0.5, n_estimators=150, random_state=seed)
        fits = model.fit(X, y).staged_predict(Z)
        least.append(round(float(min(np.mean((F - z) ** 2) for F in fits)), 2))
    whole = noisy_sets[(noisy_sets["set"] == 0) & (noisy_sets["setting"] == "rate 0.1")]
    print("half of the rows", least, "all", whole["best"].round(2).item())


def errors_by_bins():
    """Squared errors on clean rows for exact splits and for splits between bins, over four sets."""
    n_bins = (None, 255, 32, 8, 4)
    errors = []
    for seed in range(4):
        X, y = make_friedman1(500, noise=1.0, random_state=2 * seed)
        Z, clean = make_friedman1(1000, noise=0.0, random_state=2 * seed + 1)
        models = [
            GradientBoostingRegressor(
                n_estimators=40, **({"split_search": "histogram", "max_bins": n} if n else {})
            )
            for n in n_bins
        ]
        errors.append([np.mean((model.fit(X, y).predict(Z) - clean) ** 2) for model in models])
    names = pd.Index(["exact", *n_bins[1:]], name="bins")
    return pd.DataFrame(errors, columns=names).agg(["mean", "std"]).T.round(2)


def cost_by_threshold(thresholds, costs):
    """Draw the mean cost of an applicant over the threshold, with the cheapest one marked."""
    draw_errors(thresholds, {"cost": costs}, chosen=thresholds[np.argmin(costs)],
                xlabel="threshold", ylabel="mean cost")  # fmt: skip
    plt.show()


def rare_rows():
    """Print how rare the rows of ten sets are, and return what three models make of them."""
    sets = [_rare_set(k) for k in range(10)]
    results = np.array([results for results, _ in sets])
    one_in = [round(1 / share) for share in np.mean([shares for _, shares in sets], axis=0)]
    never, plain, weighted, threshold = np.moveaxis(results, 1, 0)
    print("one in", one_in[0], "in training, one in", one_in[1], "new cases")
    print("plain less often right than never rare:", int((plain[:, 0] < never[:, 0]).sum()))
    print("threshold finds more than weights:", int((threshold[:, 1] > weighted[:, 1]).sum()))
    return pd.DataFrame(
        results.mean(axis=0),
        columns=["accuracy", "rare found", "mean p / share"],
        index=["never rare", "plain", "weighted", "threshold"],
    ).round(3)


def _rare_set(k):
    """Accuracy, share of the rare rows found, and mean p over their share; both shares."""
    (X, y), (Z, z) = _rare_sample(3000, 2 * k), _rare_sample(6000, 2 * k + 1)
    odds = float(np.sum(y == 0) / np.sum(y == 1))
    model = GradientBoostingClassifier(max_depth=2, split_search="histogram")
    plain, weighted = (
        model.fit(X, y, np.where(y == 1, weight, 1.0)).predict_proba(Z)[:, 1]
        for weight in (1.0, odds)
    )
    ways = ((0 * plain, 0.5), (plain, 0.5), (weighted, 0.5), (plain, 1 / (1 + odds)))
    results = [
        [np.mean((p > s) == z), np.mean(p[z == 1] > s), p.mean() / z.mean()] for p, s in ways
    ]
    return results, [y.mean(), z.mean()]


def _rare_sample(n, seed):
    """Four features, and a class that one row in seventy has."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, (rng.random(n) < expit(X[:, 0] + X[:, 1] * X[:, 2] - 5.2)).astype(int)


def three_learners(days, slides):
    """Sums of squared errors of three stumps, of the slides' intervals, and of the best ones."""
    temp, rentals = days["temp"].to_numpy(), days["rentals"].to_numpy()
    stumps = GradientBoostingRegressor(n_estimators=3, learning_rate=1.0, max_depth=1)
    path = residual_table(stumps.fit(days[["temp"]], rentals), days[["temp"]], rentals)

    def squared_errors(table):
        after = table.pivot(index="case", columns="round", values="after").to_numpy()
        return [round(float(np.sum((rentals - F) ** 2))) for F in (rentals.mean(), *after.T)]

    learners = {"stumps": path, "slides": slides, "best intervals": interval_table(temp, rentals)}
    return pd.DataFrame({name: squared_errors(table) for name, table in learners.items()})
