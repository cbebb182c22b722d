"""The room of chapter 15: forests choose."""

from math import comb, sqrt
from random import Random
from statistics import correlation, fmean, pstdev

import numpy as np
from museum import Exhibit, bars, lines

from treelab import RandomForestClassifier
from treelab.boruta import boruta, tail, with_shadows
from treelab.fast.selection import ForestRFE

# --- the code on show -------------------------------------------------------------------


def count_hits(X, y, importances, draw, runs):
    """How often each column is more important than the best shadow."""
    columns = list(zip(*X))
    hits = [0] * len(columns)
    for _ in range(runs):
        orders = [draw(len(X)) for _ in columns]
        shadows = [[column[i] for i in order] for column, order in zip(columns, orders)]
        found = importances([*columns, *shadows], y)
        best = max(found[len(columns) :])
        hits = [h + (found[j] > best) for j, h in enumerate(hits)]
    return hits


def chance(misses, runs):
    """Chance that a coin misses so often, or less often."""
    return sum(comb(runs, i) for i in range(misses + 1)) / 2**runs


def smallest(losses, u=1):
    """Number of the last set whose error is within u standard errors of the least."""
    means = [fmean(loss) for loss in losses]
    best = losses[means.index(min(means))]
    limit = min(means) + u * pstdev(best) / sqrt(len(best))
    return max(k for k, mean in enumerate(means) if mean <= limit + 1e-12)


# --- signs ------------------------------------------------------------------------------


def noise(seed):
    """Thirty rows of six columns and a target, all of them luck, and what draws orders."""
    random = Random(seed)
    X = [[random.gauss(0, 1) for _ in range(6)] for _ in range(30)]
    return X, [random.gauss(0, 1) for _ in X], lambda n: random.sample(range(n), n)


def by_correlation(columns, y):
    return [abs(correlation(column, y)) for column in columns]


def hits_of_noise():
    """Hits in 20 runs of the best column of noise, in twelve draws."""
    return np.array([max(count_hits(*noise(s)[:2], by_correlation, noise(s)[2], 20))
                     for s in range(12)])  # fmt: skip


def hits_agree():
    found = []
    for seed in range(3):
        X, y, draw = noise(seed)
        mine = count_hits(X, y, by_correlation, draw, 15)
        X, y, draw = noise(seed)

        def ask(left, X=X, y=y, draw=draw):
            values = by_correlation(zip(*with_shadows(X, left, draw)), y)
            return [value > max(values[len(left) :]) for value in values[: len(left)]]

        found.append((mine, boruta(6, ask, lambda wins, runs: 0, 15)[1]))
    return tuple(np.array(part) for part in zip(*found))


def half_of_the_runs():
    """The chance of a column that misses in half of the runs."""
    runs = np.arange(2, 402, 20)
    return {"runs": runs, "chance": np.array([chance(int(r) // 2, int(r)) for r in runs])}


def chances_agree():
    pairs = [(misses, runs) for runs in (3, 10, 17) for misses in range(runs + 1)]
    return (
        np.array([chance(*pair) for pair in pairs]),
        np.array([tail(runs - misses, runs) for misses, runs in pairs]),
    )


def as_losses(wrong, n):
    """Losses of n rows for each of some numbers of wrong rows."""
    return [[1] * int(k) + [0] * (n - int(k)) for k in wrong]


PATH = [24, 21, 20, 19, 20, 20, 22, 24, 27, 40, 49]


def chosen_on_paths():
    """The set that is chosen where the path ends after six sets, seven, and so on."""
    ends = np.arange(6, len(PATH) + 1)
    return {
        "sets on the path": ends,
        "chosen": np.array([smallest(as_losses(PATH[:end], 100)) + 1 for end in ends]),
    }


def choices_agree():
    X = np.random.default_rng(0).normal(size=(150, 10))
    y, mine, theirs = X[:, :3].sum(axis=1) > 0, [], []
    for seed in range(3):
        forest = RandomForestClassifier(20)
        rfe = ForestRFE(forest, min_features_to_select=1, random_state=seed).fit(X, y)
        table = rfe.rounds_table()
        mine.append(smallest(as_losses((150 * table["error"]).round(), 150)))
        theirs.append(int(np.flatnonzero(table["chosen"])[0]))
    return np.array(mine), np.array(theirs)


# --- answers to exercises ---------------------------------------------------------------


def runs_needed():
    """choosing-2."""

    def answer(d, alpha, misses):
        runs = max(1, misses)
        while chance(misses, runs) > alpha / d:
            runs += 1
        return runs

    return answer


def eliminate_anew():
    """choosing-3: each set is ranked by its own importances."""

    def answer(columns, importances, judge, u):
        some, sets, losses = list(columns), [], []
        while not sets or len(sets[-1]) > 2:
            sets.append(some)
            losses.append(judge(some))
            found = dict(zip(some, importances(some)))
            some = sorted(some, key=lambda name: -found[name])
            some = some[: len(some) - max(1, round(len(some) / 5))]
        return sets[smallest(losses, u)]

    return answer


# --- the exhibits -----------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-shadows-once",
        title="Shadows shuffled once",
        room=15,
        origin="student",
        code=count_hits,
        before="""    for _ in range(runs):
        orders = [draw(len(X)) for _ in columns]
""",
        after="""    orders = [draw(len(X)) for _ in columns]
    for _ in range(runs):
""",
        public="treelab.boruta.boruta",
        agrees=hits_agree,
        story=(
            "The permutations of the shadow features are drawn once and kept for all runs. "
            "Every run then repeats the same comparison, so a feature beats the shadows in "
            "all runs or in none. A binomial test is meaningless in this case, because "
            "twenty hits are really only one."
        ),
        notice=("Look at the numbers of hits. Among noise features, some must lie in the middle."),
        sign=hits_of_noise,
        picture=bars([str(k) for k in range(1, 13)], "hits in 20 runs", xlabel="draw of noise"),
        caption=(
            "Hits of the best of six noise features in 20 runs, for twelve draws. With the "
            "fault there are 20 hits or none."
        ),
        alt="Twelve bars. Left, of many heights; right, all are 20 high or absent.",
    ),
    Exhibit(
        id="m-exactly-so-many",
        title="The chance of exactly so many",
        room=15,
        origin="student",
        code=chance,
        before="sum(comb(runs, i) for i in range(misses + 1))",
        after="comb(runs, misses)",
        public="treelab.boruta.tail",
        agrees=chances_agree,
        story=(
            "The probability of exactly this number of hits was used as the p-value. With "
            "many runs it is small for every number of hits, so in the end everything is "
            "confirmed, even a feature that has a hit in half of the runs."
        ),
        notice=(
            "Test a feature that has a hit in half of the runs. Its p-value must stay near "
            "one half."
        ),
        sign=half_of_the_runs,
        picture=lines("runs", {"chance": ""}, "runs", "p-value"),
        caption=(
            "The p-value of a feature that has a hit in half of the runs. It should stay "
            "above one half, but with the fault it keeps falling."
        ),
        alt="Left, a line that falls from 0.75 toward one half; right, one that falls toward zero.",
        caught_by=(("choosing-2", runs_needed, "exactly so many"),),
    ),
    Exhibit(
        id="m-yardstick-of-the-path",
        title="A yardstick made of the path",
        room=15,
        origin="student",
        code=smallest,
        before="pstdev(best) / sqrt(len(best))",
        after="pstdev(means)",
        public="treelab.fast.selection.ForestRFE",
        agrees=choices_agree,
        story=(
            "The standard deviation of the errors along the path was used in place of the "
            "standard error of the lowest error. It does not measure the variation between "
            "rows, and it grows with each bad set that is tried."
        ),
        notice="Let the path end earlier or later. The choice must not change.",
        sign=chosen_on_paths,
        picture=lines(
            "sets on the path", {"chosen": ""}, "sets on the path", "number of the chosen"
        ),
        caption=(
            "Number of the chosen set if the path ends after six to eleven sets, with 100 "
            "rows for the evaluation. With the fault, bad sets at the end of the path "
            "change the choice."
        ),
        alt="Left, a line that soon stays level; right, one that starts lower and ends higher.",
        caught_by=(("choosing-3", eliminate_anew, "along the path"),),
    ),
]
