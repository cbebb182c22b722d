"""The room of chapter 14: filters and searches."""

from math import sqrt

import numpy as np
from museum import Exhibit, bars, lines
from sklearn.feature_selection import r_regression
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from treelab.datasets import load_mushrooms
from treelab.fast.information import entropy_of, mutual_information, symmetrical_uncertainty
from treelab.fast.selection import FilterSelector, merit

# --- the code on show -------------------------------------------------------------------


def share_right(choose, fit, X, y, folds):
    """Share of the rows that are predicted rightly when their fold is held out."""
    right = 0
    for fold in folds:
        train = [i for i in range(len(X)) if i not in fold]
        rows, labels = [X[i] for i in train], [y[i] for i in train]
        columns = choose(rows, labels)
        predict = fit([[row[j] for j in columns] for row in rows], labels)
        right += sum(predict([X[i][j] for j in columns]) == y[i] for i in fold)
    return right / len(X)


def uncertainty(a, b):
    """Symmetrical uncertainty of two columns."""
    total = entropy_of(a) + entropy_of(b)
    return 2 * mutual_information(a, b) / total if total > 0 else 0.0


def merit_of(some, relevance, pairs):
    """Merit of a set of features."""
    redundancy = sum(pairs[i][j] for i in some for j in some if i != j)
    return sum(relevance[j] for j in some) / sqrt(len(some) + redundancy)


# --- signs ------------------------------------------------------------------------------


def pure_noise(seed):
    """Rows without information, their groups and their folds."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(40, 300)), np.repeat([0, 1], 20), rng.permutation(np.arange(40) % 4)


def best_eight(X, y):
    """The columns that go best with the group."""
    r = np.abs(r_regression(np.array(X), np.array(y)))
    return np.argsort(-r, kind="stable")[:8].tolist()


def bayes(X, y):
    """A prediction for one row."""
    model = GaussianNB().fit(X, y)
    return lambda row: model.predict([row])[0]


def accuracies():
    found = []
    for seed in range(6):
        X, y, fold = pure_noise(seed)
        folds = [np.flatnonzero(fold == k).tolist() for k in range(4)]
        found.append(share_right(best_eight, bayes, X.tolist(), y.tolist(), folds))
    return np.array(found)


def folds_agree():
    theirs = []
    for seed in range(6):
        X, y, fold = pure_noise(seed)
        model = make_pipeline(FilterSelector("f", number=8), GaussianNB())
        theirs.append(np.mean(cross_val_predict(model, X, y, cv=PredefinedSplit(fold)) == y))
    return accuracies(), np.array(theirs)


def both_ways():
    """What each feature of the mushrooms has with the class, and the class with it."""
    X, y = load_mushrooms(return_X_y=True)
    columns = [X[name] for name in X] + [np.arange(14)]
    return {
        "levels": np.array([3, 2, 2, 14]),
        "feature, class": np.array([uncertainty(column, y) for column in columns]),
        "class, feature": np.array([uncertainty(y, column) for column in columns]),
    }


def ways_agree():
    X, y = load_mushrooms(return_X_y=True)
    return (
        np.array([uncertainty(X[name], y) for name in X]),
        np.array([symmetrical_uncertainty(X[name], y) for name in X]),
    )


def merit_of_copies():
    """One to six copies of a feature with relevance 0.3."""
    copies = np.arange(1, 7)
    found = [merit_of(range(n), [0.3] * n, np.ones((n, n))) for n in copies]
    return {"copies": copies, "merit": np.array(found)}


def merits_agree():
    rng = np.random.default_rng(0)
    relevance, pairs = rng.random(5), rng.random((5, 5))
    pairs = (pairs + pairs.T) / 2
    return merit_of(range(5), relevance, pairs), merit(relevance, pairs)


# --- answers to exercises ---------------------------------------------------------------


def honest_accuracy():
    """filters-4."""
    return lambda choose, fit, X, y, folds: share_right(choose, fit, X, y, folds)


def forward():
    """filters-2: forward search by merit."""

    def answer(relevance, pairs):
        chosen, best = [], 0.0
        while len(chosen) < len(relevance):
            left = [j for j in range(len(relevance)) if j not in chosen]
            merits = [merit_of([*chosen, j], relevance, pairs) for j in left]
            if max(merits) <= best + 1e-12:
                break
            best = max(merits)
            chosen.append(left[merits.index(best)])
        return chosen

    return answer


# --- the exhibits -----------------------------------------------------------------------


def draw_both_ways(axes, right, wrong):
    """Two bars for each column."""
    names, place = ["color", "size", "spots", "row"], np.arange(4)
    for ax, result in zip(axes, (right, wrong)):
        for k, key in enumerate(("feature, class", "class, feature")):
            ax.bar(place + 0.4 * k - 0.2, result[key], 0.38, color=f"C{k}", hatch=["", "//"][k])
        ax.set(xticks=place, xticklabels=names, ylim=(0, 1.05))
        ax.tick_params(axis="x", rotation=30)
    axes[0].set_ylabel("uncertainty")


EXHIBITS = [
    Exhibit(
        id="m-chosen-on-all-rows",
        title="Columns chosen on all rows",
        room=14,
        origin="student",
        code=share_right,
        before="choose(rows, labels)",
        after="choose(X, y)",
        public="treelab.fast.selection.FilterSelector",
        agrees=folds_agree,
        story=(
            "The features are selected once, on all rows, and only the model is "
            "cross-validated. The held-out rows have therefore helped to select the "
            "features that separate them. Even for pure noise, this gives an excellent "
            "accuracy."
        ),
        notice=("Shuffle the classes and repeat everything. The accuracy must be that of chance."),
        sign=accuracies,
        picture=bars(["1", "2", "3", "4", "5", "6"], "accuracy", xlabel="draw of noise"),
        caption=(
            "Cross-validated accuracy of the eight best of 300 noise features, for six "
            "draws. It should be one half or slightly less, but with the fault it is far "
            "above."
        ),
        alt="Six bars. Left, they are near one half; right, all are above 0.7.",
        caught_by=(("filters-4", honest_accuracy, "`choose` has seen all rows"),),
    ),
    Exhibit(
        id="m-one-entropy",
        title="Only one of the two entropies",
        room=14,
        origin="student",
        code=uncertainty,
        before="entropy_of(a) + entropy_of(b)",
        after="2 * entropy_of(a)",
        public="treelab.fast.information.symmetrical_uncertainty",
        agrees=ways_agree,
        story=(
            "The information was divided by the entropy of the first variable alone. This "
            "is a meaningful quantity as well, namely the proportion of the information in "
            "the first variable that the second one provides. However, it depends on the "
            "order of the two variables, and FCBF would compare values of both kinds."
        ),
        notice="Exchange the two variables. A symmetric measure must not change.",
        sign=both_ways,
        picture=draw_both_ways,
        caption=(
            "Uncertainty of feature and class, in both orders. With the fault, the row "
            "number has 0.25 in one order and 1 in the other."
        ),
        alt="Pairs of bars. Left, the bars of each pair are equal; right, they differ.",
    ),
    Exhibit(
        id="m-merit-without-redundancy",
        title="Merit without redundancy",
        room=14,
        origin="student",
        code=merit_of,
        before="sqrt(len(some) + redundancy)",
        after="sqrt(len(some))",
        public="treelab.fast.selection.merit",
        agrees=merits_agree,
        story=(
            "Only the number of features was left under the square root. The merit then "
            "reflects how relevant the features are, but not that they are redundant, so a "
            "search fills its set with copies."
        ),
        notice="Adding a copy of a single feature must leave the merit unchanged.",
        sign=merit_of_copies,
        picture=lines("copies", {"merit": ""}, "copies of one feature", "merit"),
        caption=(
            "Merit of one to six copies of a feature with relevance 0.3. It should stay at "
            "0.3, but with the fault it grows with the square root of their number."
        ),
        alt="Left, a level line at 0.3; right, a line that rises from 0.3 to 0.73.",
        caught_by=(("filters-2", forward, "what the features tell about each other"),),
    ),
]
