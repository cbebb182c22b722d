"""The room of chapter 11: AdaBoost."""

import numpy as np
from museum import INK, Exhibit, lines
from signs import noisy_classes
from sklearn.datasets import load_iris

from treelab import AdaBoostClassifier, DecisionTreeClassifier
from treelab.datasets import load_bike_demand

# --- the code on show -------------------------------------------------------------------


def stump(X, y, w, **settings):
    """A tree of one question, grown with weights."""
    return DecisionTreeClassifier(max_depth=1, **settings).fit(X, y, sample_weight=w)


def vote_weight(e, K=2):
    """Weight of the vote of a member with error e among K classes."""
    return np.log((1 - e) / e) + np.log(K - 1)


def reweight(w, wrong, vote):
    """Weights after a round: the cases that the member gets right lose."""
    w = w * np.exp(-vote * ~wrong)
    return w / w.sum()


def weighted_error(w, wrong):
    """Error of a member under the weights."""
    return w[wrong].sum() / w.sum()


def boost(X, y, rounds):
    """Members, votes, and the weights before each round and after the last."""
    K, weights, members, votes = len(np.unique(y)), [np.full(len(y), 1 / len(y))], [], []
    for _ in range(rounds):
        member = stump(X, y, weights[-1])
        wrong = member.predict(X) != y
        e = weighted_error(weights[-1], wrong)
        if e >= 1 - 1 / K - 1e-12:
            break
        members.append(member)
        votes.append(vote_weight(max(e, 1e-10), K))
        if e == 0:
            break
        weights.append(reweight(weights[-1], wrong, votes[-1]))
    return members, np.array(votes), weights


def margins(share, y):
    """Share of the votes for the true class less that of the strongest other; (n,)."""
    true = share[np.arange(len(y)), y]
    others = np.where(np.eye(share.shape[1], dtype=bool)[y], 0, share)
    return true - others.max(axis=1)


# --- signs ------------------------------------------------------------------------------


def said(members, X):
    """What the members predict; (n_members, n)."""
    return np.array([member.predict(X) for member in members])


def vote_shares(votes, said, labels):
    """Share of the votes for each class; (n, K)."""
    return np.tensordot(votes / votes.sum(), said[..., None] == labels, axes=1)


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
    members, _, weights = boost(X, y, 8)
    shares = [w[told != y].sum() / w.sum() for told, w in zip(said(members, X), weights[1:])]
    return {"round": np.arange(1, len(shares) + 1), "share": np.array(shares)}


def weight_by_round():
    total = [w.sum() for w in boost(*noisy_classes(), 9)[2][:9]]
    return {"round": np.arange(1, len(total) + 1), "total": np.array(total)}


def boosted_days():
    """Training error after each round, on ten days."""
    X, y = load_bike_demand("level", return_X_y=True)
    members, votes, _ = boost(X, y, 8)
    told, labels = said(members, X), np.unique(y)
    won = [
        labels[vote_shares(votes[:m], told[:m], labels).argmax(axis=1)]
        for m in range(1, len(votes) + 1)
    ]
    errors = np.array([np.mean(winner != y) for winner in won])
    return {"round": np.arange(1, len(errors) + 1), "error": errors}


def sorted_margins():
    X, y = noisy_classes()
    members, votes, _ = boost(X, y, 15)
    margin = np.sort(margins(vote_shares(votes, said(members, X), np.arange(2)), y))
    return {"margin": margin, "share": np.arange(1, len(margin) + 1) / len(margin)}


def rounds_agree():
    """Votes and errors of eight rounds of two classes and of three, ours and treelab's."""
    data = noisy_classes(), load_iris(return_X_y=True)
    ours, own = {"votes": [], "errors": []}, {"votes": [], "errors": []}
    for X, y in data:
        members, votes, weights = boost(X, y, 8)
        ours["votes"] += votes.tolist()
        ours["errors"] += [w[told != y].sum() for told, w in zip(said(members, X), weights)]
        model = AdaBoostClassifier(n_estimators=8).fit(X, y)
        own["votes"] += model.estimator_weights_.tolist()
        own["errors"] += model.estimator_errors_.tolist()
    return ours, own


def days_agree():
    """The training errors, ours and treelab's."""
    X, y = load_bike_demand("level", return_X_y=True)
    model = AdaBoostClassifier(n_estimators=8).fit(X, y)
    return boosted_days()["error"], np.array([1 - score for score in model.staged_score(X, y)])


def margins_agree():
    """The margins, ours and treelab's: half its decision function, by class."""
    X, y = noisy_classes()
    model = AdaBoostClassifier(n_estimators=15).fit(X, y)
    return sorted_margins()["margin"], np.sort(model.decision_function(X) / 2 * (2 * y - 1))


# --- answers to exercises ---------------------------------------------------------------


def pool():
    """adaboost-2: members chosen from a pool of rules."""

    def answer(says, y, B):
        w, joined, wrong = np.full(len(y), 1 / len(y)), [], np.array(says) != np.array(y)
        for _ in range(B):
            errors = np.round([weighted_error(w, rule) for rule in wrong], 12)
            k = int(errors.argmin())
            if errors[k] >= 0.5 - 1e-9:
                break
            vote = vote_weight(errors[k])
            joined.append((k, vote / 2))
            w = reweight(w, wrong[k], vote)
        return joined, w

    return answer


def least_error():
    """adaboost-4: the least weighted error of a stump."""

    def answer(x, y, w):
        found = stump(x[:, None], y, w, criterion="misclassification")
        return w[found.predict(x[:, None]) != y].sum()

    return answer


def suspects():
    """adaboost-5: the cases of the least margins."""

    def answer(model, X, y, k):
        labels = model.classes_
        share = vote_shares(model.estimator_weights_, said(model.estimators_, X), labels)
        return np.argsort(margins(share, np.searchsorted(labels, y)), kind="stable")[:k]

    return answer


# --- the exhibits -----------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-vote-sign",
        title="The fraction upside down",
        room=11,
        origin="student",
        code=vote_weight,
        before="(1 - e) / e",
        after="e / (1 - e)",
        public="treelab.AdaBoostClassifier",
        agrees=rounds_agree,
        story=(
            "The estimator weight is the logarithm of the weight of the right predictions "
            "divided by that of the wrong ones. If the fraction is turned upside down, the "
            "sign changes. The best base estimators then vote against their own "
            "predictions, and the weights of the observations move in the wrong direction "
            "as well."
        ),
        notice=(
            "A base estimator that is right for nine of ten observations must have a "
            "positive estimator weight."
        ),
        sign=votes_by_error,
        picture=zero_line(lines("error", {"vote": ""}, "error", "weight of the vote")),
        caption=(
            "Estimator weight against the error of the base estimator. With the fault, it "
            "is negative for all base estimators that are better than chance."
        ),
        alt="Left, a curve that falls from plus 3 to minus 3; right, one that rises.",
        caught_by=(("adaboost-2", pool, "belongs on top"),),
    ),
    Exhibit(
        id="m-vote-halved",
        title="One half too many",
        room=11,
        origin="student",
        code=vote_weight,
        before="np.log((1 - e) / e)",
        after="0.5 * np.log((1 - e) / e)",
        public="treelab.AdaBoostClassifier",
        agrees=rounds_agree,
        story=(
            "Two ways to write AdaBoost were mixed. With the factor one half, the weights "
            "of the wrong observations are multiplied by exp(c) and those of the right ones "
            "by exp(-c). Without it, only one of the two groups is multiplied. If the half "
            "is combined with a single group, the weights move only half as far."
        ),
        notice=(
            "After every round, half of the weight must lie on the observations that the "
            "base estimator misclassified."
        ),
        sign=weight_of_the_wrong,
        picture=lines("round", {"share": ""}, "round", "weight of the wrong", marker="o"),
        caption=(
            "Proportion of the weight on the observations that a round misclassified, after "
            "that round. It should be one half, but with the fault it is smaller."
        ),
        alt="Left, a level line at 0.5; right, a line below it.",
        caught_by=(("adaboost-2", pool, "the confidence is 0.6931"),),
    ),
    Exhibit(
        id="m-right-ones-up",
        title="More weight for what is right already",
        room=11,
        origin="student",
        code=reweight,
        before="np.exp(-vote * ~wrong)",
        after="np.exp(vote * ~wrong)",
        public="treelab.AdaBoostClassifier",
        agrees=days_agree,
        story=(
            "A minus sign was forgotten, so the observations that the base estimator "
            "classifies correctly gain weight. The next base estimator then learns the easy "
            "observations again, and so do all the others."
        ),
        notice=(
            "Look at the error after each round. If it never changes, all base estimators "
            "are the same."
        ),
        sign=boosted_days,
        picture=lines("round", {"error": ""}, "round", "training error", marker="o"),
        caption=(
            "Training error on the ten days of the chapter. With the fault, the first stump "
            "is repeated, and the error stays where it was."
        ),
        alt="Left, a curve that reaches 0 in round three; right, a level line at 0.2.",
        caught_by=(("adaboost-2", pool, "must gain weight"),),
    ),
    Exhibit(
        id="m-not-normalized",
        title="Weights that no longer sum to 1",
        room=11,
        origin="student",
        code=reweight,
        before="w / w.sum()",
        after="w",
        public="treelab.AdaBoostClassifier",
        agrees=rounds_agree,
        story=(
            "The weights are multiplied in each round but never divided by their sum, so "
            "their sum becomes smaller and smaller. Code that uses the sum of the weights "
            "of the wrong observations as the error then treats every base estimator as "
            "better than the one before."
        ),
        notice="Print the sum of the weights after each round.",
        sign=weight_by_round,
        picture=lines("round", {"total": ""}, "round", "sum of weights", marker="o"),
        caption=(
            "Sum of the observation weights in each round. With the fault it approaches zero."
        ),
        alt="Left, a level line at 1; right, a curve that falls quickly toward 0.",
        caught_by=(("adaboost-2", pool, "the sum 1 again"),),
    ),
    Exhibit(
        id="m-error-unweighted",
        title="Mistakes counted, not weighed",
        room=11,
        origin="student",
        code=weighted_error,
        before="w[wrong].sum() / w.sum()",
        after="np.mean(wrong)",
        public="treelab.AdaBoostClassifier",
        agrees=rounds_agree,
        story=(
            "The error of a base estimator was computed as the unweighted proportion of the "
            "observations that it misclassifies. In the first round this makes no "
            "difference. Later, however, the estimator weights do not fit the observation "
            "weights any more, and base estimators that are good at the hard observations "
            "are rejected."
        ),
        notice=(
            "After every round, half of the weight must lie on the observations that it "
            "misclassified. With the fault, this is true only after the first round."
        ),
        sign=weight_of_the_wrong,
        picture=lines("round", {"share": ""}, "round", "weight of the wrong", marker="o"),
        caption=(
            "Proportion of the weight on the observations that a round misclassified, after "
            "that round. With the fault it is one half only after the first round."
        ),
        alt="Left, a level line at 0.5; right, a line that starts there and then wanders off.",
        caught_by=(("adaboost-2", pool, "not their number over n"),),
    ),
    Exhibit(
        id="m-weights-not-passed",
        title="Weights that nobody passes on",
        room=11,
        origin="student",
        code=stump,
        before=".fit(X, y, sample_weight=w)",
        after=".fit(X, y)",
        public="treelab.AdaBoostClassifier",
        agrees=days_agree,
        story=(
            "The weights are updated after every round, but `fit` is called without them. "
            "Each base estimator is then trained on the unweighted observations and is the "
            "same as the first one, which is no better than chance under the new weights."
        ),
        notice=(
            "The second base estimator has a weighted error of exactly one half, because it "
            "is the first one again."
        ),
        sign=boosted_days,
        picture=lines("round", {"error": ""}, "round", "training error", marker="o"),
        caption=(
            "Training error on the ten days of the chapter. With the fault, boosting ends "
            "after one round."
        ),
        alt="Left, a curve that reaches 0 in round three; right, a single point at 0.2.",
        caught_by=(("adaboost-4", least_error, "the weights decide"),),
    ),
    Exhibit(
        id="m-samme-term",
        title="K classes, and chance at one half",
        room=11,
        origin="student",
        code=vote_weight,
        before=" + np.log(K - 1)",
        after="",
        public="treelab.AdaBoostClassifier",
        agrees=rounds_agree,
        story=(
            "The formula for two classes was used for four. With four classes, random "
            "guessing is wrong for three of four observations, so a base estimator with an "
            "error of 0.6 is a useful one. Without the term ln(K - 1), it votes against its "
            "own predictions."
        ),
        notice=(
            "The estimator weight must be 0 for a base estimator that guesses, that is, at "
            "an error of 1 - 1/K and not of one half."
        ),
        sign=lambda: votes_by_error(4),
        picture=zero_line(lines("error", {"vote": ""}, "error", "weight of the vote")),
        caption=(
            "Estimator weight for four classes. It should be 0 at an error of 0.75, which "
            "is that of guessing. With the fault it is 0 at 0.5."
        ),
        alt="Two falling curves. The left one meets the line at 0.75, the right one at 0.5.",
    ),
    Exhibit(
        id="m-margin-of-the-winner",
        title="A margin that cannot be negative",
        room=11,
        origin="student",
        code=margins,
        before="return true - others.max(axis=1)",
        after="return np.sort(share, axis=1)[:, -1] - np.sort(share, axis=1)[:, -2]",
        public="treelab.AdaBoostClassifier.decision_function",
        agrees=margins_agree,
        story=(
            "The margin was computed as the lead of the class with the most votes over the "
            "second one. This shows how certain the vote is, but not whether it is right. "
            "Observations that are misclassified with certainty then look as safe as any "
            "others."
        ),
        notice=("Count the negative margins. There must be as many as there are training errors."),
        sign=sorted_margins,
        picture=lines("margin", {"share": ""}, "margin", "share of cases"),
        caption=(
            "Distribution of the margins after fifteen rounds. The misclassified "
            "observations should lie below 0, but with the fault no observation does."
        ),
        alt="Two rising curves. The left one begins well below 0, the right one at 0.",
        caught_by=(("adaboost-5", suspects, "these are the undecided cases"),),
    ),
]
