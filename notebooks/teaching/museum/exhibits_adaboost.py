"""The room of chapter 10: AdaBoost."""

from types import SimpleNamespace

import numpy as np
from museum import Exhibit, lines
from signs import noisy_classes

from treelab import (
    AdaBoostClassifier,
    DecisionTreeClassifier,
)
from treelab.adaboost import boosting_table, reweight, vote_weight
from treelab.datasets import load_bike_demand
from treelab.style import INK
from treelab.weak_learner import weak_learner


def staged_errors(model, X, y):
    """Training error of a boosted classifier after each round."""
    errors = [1 - score for score in model.fit(X, y).staged_score(X, y)]
    return {"round": np.arange(1, len(errors) + 1), "error": np.array(errors)}


def zero_line(picture):
    """The picture with a thin line at 0."""

    def draw(axes, right, wrong):
        picture(axes, right, wrong)
        for ax in axes:
            ax.axhline(0, color=INK, lw=0.8)

    return draw


ERRORS = np.linspace(0.05, 0.95, 37)


def votes_by_error(n_classes=2):
    return {"error": ERRORS, "vote": np.array([vote_weight(e, n_classes) for e in ERRORS])}


def weight_of_the_wrong():
    """Share of the weight that each round leaves on the cases that it got wrong."""
    X, y = noisy_classes()
    model = AdaBoostClassifier(n_estimators=8).fit(X, y)
    weight, shares = np.full(len(y), 1 / len(y)), []
    for member, vote in zip(model.estimators_, model.estimator_weights_):
        correct = member.predict(X) == y
        weight = reweight(weight, correct, vote)
        shares.append(weight[~correct].sum() / weight.sum())
    return {"round": np.arange(1, len(shares) + 1), "share": np.array(shares)}


def weight_by_round():
    X, y = noisy_classes()
    table = boosting_table(AdaBoostClassifier(n_estimators=9).fit(X, y), X, y)
    total = table.groupby("round")["weight"].sum()
    return {"round": total.index.to_numpy(), "total": total.to_numpy()}


def boosted_days():
    X, y = load_bike_demand("level", return_X_y=True)
    return staged_errors(AdaBoostClassifier(n_estimators=8), X, y)


def sorted_margins():
    X, y = noisy_classes()
    table = boosting_table(AdaBoostClassifier(n_estimators=15).fit(X, y), X, y)
    margin = np.sort(table.loc[table["round"] == table["round"].max(), "margin"])
    return {"margin": margin, "share": np.arange(1, len(margin) + 1) / len(margin)}


# --- answers to exercises, made of treelab's own functions -----------------------------------


def one_round():
    def answer(weight, correct):
        learner = SimpleNamespace(
            start=lambda generator: None,
            fit=lambda *args: None,
            predict=lambda member: np.where(correct, 1, 0),
        )
        model = AdaBoostClassifier()
        model.n_classes_, model.estimators_ = 2, []
        _, vote, _, after = model._round(learner, np.ones(len(weight), dtype=int), weight, None)
        return vote / 2, after

    return answer


def least_error():
    def answer(x, y, w):
        stump = DecisionTreeClassifier(max_depth=1, criterion="misclassification")
        learner = weak_learner(stump, x[:, None], y, w)
        member = learner.fit(learner.start(np.random.RandomState(0)), w)
        return w[learner.predict(member) != y].sum()

    return answer


def suspects():
    def answer(model, X, y, k):
        table = boosting_table(model, X, y)
        margin = table.loc[table["round"] == table["round"].max(), "margin"].to_numpy()
        return np.argsort(margin, kind="stable")[:k]

    return answer


# --- the exhibits ----------------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-vote-sign",
        title="The fraction upside down",
        room=10,
        origin="student",
        target="treelab.base_adaboost:vote_weight",
        before="np.log((1 - e) / e)",
        after="np.log(e / (1 - e))",
        story=(
            "The say of a member is the logarithm of right over wrong. With wrong over right the "
            "sign turns: the best members vote against what they say, and the weights of the "
            "cases move the wrong way, too."
        ),
        notice="A member that is right in nine of ten cases must have a positive say.",
        sign=votes_by_error,
        picture=zero_line(lines("error", {"vote": ""}, "error", "weight of the vote")),
        caption=(
            "Weight of a member's vote against its error. With the fault it is negative for all "
            "members better than chance."
        ),
        alt="Left, a curve that falls from plus 3 to minus 3; right, one that rises.",
        caught_by=(("adaboost-2", one_round, "belongs on top"),),
    ),
    Exhibit(
        id="m-vote-halved",
        title="One half too many",
        room=10,
        origin="student",
        target="treelab.base_adaboost:vote_weight",
        before="learning_rate * (np.log(",
        after="0.5 * learning_rate * (np.log(",
        story=(
            "Two ways to write AdaBoost were mixed. With the half, the wrong cases are multiplied "
            "by exp(α) and the right ones by exp(-α); without it, only one of the two groups is "
            "multiplied. The half together with one group moves the weights half as far."
        ),
        notice="After every round half of the weight must lie on the cases that it got wrong.",
        sign=weight_of_the_wrong,
        picture=lines("round", {"share": ""}, "round", "weight of the wrong", marker="o"),
        caption=(
            "Share of the weight on the cases that a round got wrong, after that round. It "
            "should be one half; with the fault it is less."
        ),
        alt="Left, a level line at 0.5; right, a line below it.",
        caught_by=(("adaboost-2", one_round, "the confidence is 0.6931"),),
    ),
    Exhibit(
        id="m-right-ones-up",
        title="More weight for what is right already",
        room=10,
        origin="student",
        target="treelab.base_adaboost:reweight",
        before="np.exp(-vote * correct)  # the right ones down: this cannot overflow",
        after="np.exp(vote * correct)",
        story=(
            "A lost minus: the cases that the member gets right gain weight. The next member then "
            "learns the easy cases again, and so do all the others."
        ),
        notice="Look at the error after each round: if it never moves, all members are the same.",
        sign=boosted_days,
        picture=lines("round", {"error": ""}, "round", "training error", marker="o"),
        caption=(
            "Training error on the ten days of the chapter. With the fault the first stump is "
            "repeated, and the error stays where it was."
        ),
        alt="Left, a curve that reaches 0 in round three; right, a level line at 0.2.",
        caught_by=(("adaboost-2", one_round, "half of the weight"),),
    ),
    Exhibit(
        id="m-not-normalized",
        title="Weights that no longer sum to 1",
        room=10,
        origin="student",
        target="treelab.base_adaboost:reweight",
        before="return normalized(shrunk, counts=weight > 0)",
        after="return shrunk",
        story=(
            "The weights are multiplied, and nobody divides them by their sum. Round by round "
            "there is less of them. Code that takes the sum of the wrong weights for the error "
            "then believes that every member is better than the one before."
        ),
        notice="Print the sum of the weights after each round.",
        sign=weight_by_round,
        picture=lines("round", {"total": ""}, "round", "sum of weights", marker="o"),
        caption="Sum of the case weights in each round. With the fault it fades away.",
        alt="Left, a level line at 1; right, a curve that falls quickly toward 0.",
        caught_by=(("adaboost-2", one_round, "the sum 1 again"),),
    ),
    Exhibit(
        id="m-error-unweighted",
        title="Mistakes counted, not weighed",
        room=10,
        origin="student",
        target="treelab.adaboost:AdaBoostClassifier._round",
        before="error = weight[~correct].sum() / weight.sum()",
        after="error = np.mean(~correct)",
        story=(
            "The error of a member was taken for the share of cases that it gets wrong. In the "
            "first round that is the same. Later it is not: the vote no longer fits the weights, "
            "and members that are good at the hard cases are thrown out."
        ),
        notice=(
            "After every round half of the weight must lie on the cases that it got wrong. With "
            "this fault it does so after the first one only."
        ),
        sign=weight_of_the_wrong,
        picture=lines("round", {"share": ""}, "round", "weight of the wrong", marker="o"),
        caption=(
            "Share of the weight on the cases that a round got wrong, after that round. With the "
            "fault it is one half after the first round only."
        ),
        alt="Left, a level line at 0.5; right, a line that starts there and then wanders off.",
        caught_by=(("adaboost-2", one_round, "not their number over n"),),
    ),
    Exhibit(
        id="m-weights-not-passed",
        title="Weights that nobody passes on",
        room=10,
        origin="student",
        target="treelab.weak_learner:TreeLearner.fit",
        before="weight = weight[rows]",
        after="weight = np.ones(len(rows))",
        story=(
            "The weights are computed after every round, and `fit` is called without them. Each "
            "member learns the plain cases and comes out the same as the first one, which under "
            "the new weights is no better than chance."
        ),
        notice="The second member has a weighted error of exactly one half: it is the first again.",
        sign=boosted_days,
        picture=lines("round", {"error": ""}, "round", "training error", marker="o"),
        caption=(
            "Training error on the ten days of the chapter. With the fault boosting ends after "
            "one round."
        ),
        alt="Left, a curve that reaches 0 in round three; right, a single point at 0.2.",
        caught_by=(("adaboost-5", least_error, "the weights decide"),),
    ),
    Exhibit(
        id="m-samme-term",
        title="K classes, and chance at one half",
        room=10,
        origin="student",
        target="treelab.base_adaboost:vote_weight",
        before="learning_rate * (np.log((1 - e) / e) + np.log(max(n_classes - 1, 1)))",
        after="learning_rate * np.log((1 - e) / e)",
        story=(
            "The formula for two classes was used for four. Among four classes, guessing is wrong "
            "in three of four cases, and a member with an error of 0.6 is a good one. Without the "
            "term ln(K - 1) it votes against itself."
        ),
        notice=(
            "The vote must be 0 for a member that guesses: at an error of 1 - 1/K, not of one half."
        ),
        sign=lambda: votes_by_error(4),
        picture=zero_line(lines("error", {"vote": ""}, "error", "weight of the vote")),
        caption=(
            "Weight of the vote for four classes. It should be 0 at an error of 0.75, that of "
            "guessing; with the fault it is 0 at 0.5."
        ),
        alt="Two falling curves. The left one meets the line at 0.75, the right one at 0.5.",
    ),
    Exhibit(
        id="m-margin-of-the-winner",
        title="A margin that cannot be negative",
        room=10,
        origin="student",
        target="treelab.boosting_tables:_margin",
        before="return true - np.where(is_true, 0.0, share).max(axis=1)",
        after=("ranked = np.sort(share, axis=1)\n    return ranked[:, -1] - ranked[:, -2]"),
        story=(
            "The margin was taken for the lead of the winner over the second. That says how sure "
            "the vote is, not whether it is right. Cases that the vote gets wrong for sure look "
            "as safe as any."
        ),
        notice=("Count the negative margins: there must be as many as training errors."),
        sign=sorted_margins,
        picture=lines("margin", {"share": ""}, "margin", "share of cases"),
        caption=(
            "How the margins are distributed after fifteen rounds. The cases that the vote gets "
            "wrong should lie below 0; with the fault nothing does."
        ),
        alt="Two rising curves. The left one begins well below 0, the right one at 0.",
        caught_by=(("adaboost-3", suspects, "these are the undecided cases"),),
    ),
]
