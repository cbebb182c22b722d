"""The room of chapter 16: trees that are reluctant."""

from random import Random

import numpy as np
from museum import Exhibit, bars, lines

from treelab.cart import cases_of, divide, scored_splits
from treelab.impurity import entropy
from treelab.regularized import regularized_forest

# --- the code on show -------------------------------------------------------------------


def pick(gains, used, penalty, order, m):
    """Number of the column that a node takes, -1 if nothing gains."""
    old = [j for j in order if j in used]
    new = [j for j in order if j not in used][:m]
    best, most = -1, 0
    for j in old + new:
        worth = gains[j] if j in used else penalty[j] * gains[j]
        if worth > most:
            best, most = j, worth
    return best


def entries(samples, grow):
    """Which columns enter, in which tree and with how many rows; grow tells those of a tree."""
    used, found = set(), []
    for b, sample in enumerate(samples):
        for j, n in grow(sample, used):
            used.add(j)
            found.append((j, b, n))
    return found


# --- trees by the code on show ----------------------------------------------------------


def grown(cases, used, draw, m, penalty, place):
    """Grow a tree, and tell each column that enters, with its rows, before going on."""
    offers = []
    for j in range(len(penalty)):
        found = [(round(gain, 12), cut) for gain, _, cut in scored_splits(cases, j, entropy)]
        most = max((gain for gain, _ in found), default=0)
        offers.append((most, next((cut for gain, cut in found if gain == most), None)))
    j = pick([gain for gain, _ in offers], used, penalty, draw(place), m)
    if j >= 0:
        if j not in used:
            yield j, len(cases)
        for side, part in zip("LR", divide(cases, j, offers[j][1])):
            yield from grown(part, used, draw, m, penalty, place + side)


def forest(X, y, samples, draw, m, penalty):
    """The entries of a regularized forest."""

    def grow(sample, used):
        b, rows = sample
        cases = cases_of(X, y, [rows.count(i) for i in range(len(y))])
        return grown(cases, used, draw, m, penalty, str(b))

    return entries(list(enumerate(samples)), grow)


def problem(seed, n=30, d=8, told=2):
    """Rows of noise, of which the first columns tell the class with errors, and orders to try."""
    random = Random(seed)
    X = [[random.gauss(0, 1) for _ in range(d)] for _ in range(n)]
    y = [int(sum(x[:told]) + random.gauss(0, 0.5) > 0) for x in X]
    samples = [[random.randrange(n) for _ in X] for _ in range(5)]

    def draw(place):
        return Random(f"{seed} {place}").sample(range(d), d)

    return X, y, samples, draw


# --- signs ------------------------------------------------------------------------------


def kept_by_penalty():
    """Columns that come in with each penalty, on average over three problems of eight."""
    penalties = [1.0, 0.5, 0.3, 0.2, 0.1]
    found = [
        np.mean([len(forest(*problem(seed), 3, [p] * 8)) for seed in range(3)]) for p in penalties
    ]
    return {"penalty": np.array(penalties), "columns": np.array(found)}


def first_by_number():
    """How often each of eight columns of noise enters first, in 40 forests of one tree."""
    counts = np.zeros(8)
    for seed in range(40):
        X, y, samples, draw = problem(seed, n=16, told=0)
        counts[forest(X, y, samples[:1], draw, 3, [0.5] * 8)[0][0]] += 1
    return counts


def kept_by_trees():
    """Columns that are in after each tree, where a tree's own are counted as they enter."""
    X, y, samples, draw = problem(1)
    found = forest(X, y, samples, draw, 3, [0.3] * 8)
    trees = np.arange(1, 6)
    return {"trees": trees, "entries": np.array([sum(b < t for _, b, _ in found) for t in trees])}


def nodes_by_penalty():
    """Nodes of the trees with each penalty, on average over three problems."""
    penalties, found = [1.0, 0.7, 0.5, 0.3, 0.2], []
    for p in penalties:
        asked = []
        for seed in range(3):
            X, y, samples, draw = problem(seed)

            def watched(place, draw=draw, asked=asked):
                asked.append(place)
                return draw(place)

            forest(X, y, samples, watched, 3, [p] * 8)
        found.append(len(asked) / 3 / len(samples))
    return {"penalty": np.array(penalties), "nodes": np.array(found)}


def forests_agree():
    mine, theirs = [], []
    for seed in range(6):
        X, y, samples, draw = problem(seed)
        mine += [(j, b) for j, b, _ in forest(X, y, samples, draw, 3, [0.6] * 8)]
        _, paid = regularized_forest(X, y, samples, draw, 3, [0.6] * 8)
        theirs += [(j, int(place.rstrip("LR"))) for j, (place, _) in paid.items()]
    return np.array(mine), np.array(theirs)


# --- answers to exercises ---------------------------------------------------------------


def takes():
    """reluctant-2."""

    def answer(gains, used, penalties, order, m):
        return pick(gains, used, penalties, order, m)

    return answer


def who_entered():
    """reluctant-3: the trees are there already; grow walks through one."""

    def walk(t, used):
        if "feature" in t:
            if t["feature"] not in used:
                yield t["feature"], t["n"]
            for side in ("left", "right"):
                yield from walk(t[side], used)

    def answer(trees):
        return entries(trees, walk)

    return answer


# --- the exhibits -----------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-penalty-for-all",
        title="A penalty for everybody",
        room=16,
        origin="student",
        code=pick,
        before="gains[j] if j in used else penalty[j] * gains[j]",
        after="penalty[j] * gains[j]",
        public="treelab.regularized.best_split",
        agrees=forests_agree,
        story=(
            "All gains are multiplied by the penalty, including those of the features that "
            "have already been selected. If all gains are multiplied by the same number, "
            "the largest one stays the largest, so the trees are those of a penalty of 1, "
            "whatever the penalty is."
        ),
        notice=(
            "Decrease the penalty. Fewer features must be selected, but with the fault "
            "nothing changes."
        ),
        sign=kept_by_penalty,
        picture=lines("penalty", {"columns": ""}, "penalty", "columns that are in", marker="o"),
        caption=(
            "Number of selected features out of eight for each penalty, on average over "
            "three problems. With the fault it is the same for every penalty."
        ),
        alt="Left, a curve that rises from one to nearly five; right, a level line.",
        caught_by=(("reluctant-2", takes, "only new ones are penalized"),),
    ),
    Exhibit(
        id="m-first-by-number",
        title="The first columns of the table",
        room=16,
        origin="student",
        code=pick,
        before="[j for j in order if j not in used][:m]",
        after="[j for j in sorted(order) if j not in used][:m]",
        public="treelab.regularized.best_split",
        agrees=forests_agree,
        story=(
            "A node tries the first new features of the table instead of some that are "
            "drawn at random, as the algorithm in the paper does if it is taken literally. "
            "Features further to the right are tried only after those before them have been "
            "selected."
        ),
        notice=(
            "Reverse the order of the columns. With the fault, the features at the other "
            "end are now selected."
        ),
        sign=first_by_number,
        picture=bars([str(j) for j in range(8)], "forests", xlabel="column", digits=0),
        caption=(
            "The feature out of eight noise features that is selected first, in 40 "
            "problems. With the fault, it is always one of the first three."
        ),
        alt="Left, eight bars of similar height; right, three high bars and five empty places.",
        caught_by=(("reluctant-2", takes, "not by their numbers"),),
    ),
    Exhibit(
        id="m-forgets-what-is-in",
        title="A new list for each tree",
        room=16,
        origin="student",
        code=entries,
        before="""    used, found = set(), []
    for b, sample in enumerate(samples):
""",
        after="""    found = []
    for b, sample in enumerate(samples):
        used = set()
""",
        public="treelab.regularized.regularized_forest",
        agrees=forests_agree,
        story=(
            "Each tree starts without any selected feature. The penalty then works only "
            "within a tree, and the first feature of each tree is selected without "
            "competition, so the sample decides which one it is. All trees together use "
            "more features than those of a forest that remembers its selection."
        ),
        notice=(
            "Grow more trees. After the first ones, new features must be selected only rarely."
        ),
        sign=kept_by_trees,
        picture=lines("trees", {"entries": ""}, "trees", "entries so far", marker="o"),
        caption=(
            "Numbers of selections up to each tree, with a penalty of 0.3. With the fault, "
            "every tree selects anew, be it the same feature or another one."
        ),
        alt="Left, a line that stays low; right, one that rises with every tree.",
        caught_by=(("reluctant-3", who_entered, "do not begin anew"),),
    ),
    Exhibit(
        id="m-best-gain-of-all",
        title="The gain of somebody else",
        room=16,
        origin="student",
        code=pick,
        before="worth = gains[j] if",
        after="worth = max(gains[i] for i in used) if",
        public="treelab.regularized.best_split",
        agrees=forests_agree,
        story=(
            "Each feature that has been selected is assigned the best gain of all selected "
            "features, as a misprint in the formula of the paper suggests. New features are "
            "rejected correctly, but among the selected ones a node splits on the first in "
            "the random order instead of the best."
        ),
        notice=("Count the nodes. Trees whose nodes use the best split need only few of them."),
        sign=nodes_by_penalty,
        picture=lines("penalty", {"nodes": ""}, "penalty", "nodes of a tree", marker="o"),
        caption=(
            "Number of nodes of a tree for each penalty, on average over three problems. "
            "With the fault there are more, especially if several features have been "
            "selected."
        ),
        alt="Two curves that fall as the penalty rises; the right one is higher, and flatter.",
        caught_by=(("reluctant-2", takes, "its own gain"),),
    ),
]
