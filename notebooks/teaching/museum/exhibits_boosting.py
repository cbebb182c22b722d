"""The room of chapter 11: gradient boosting."""

from types import FunctionType, SimpleNamespace

import numpy as np
from museum import Exhibit, lines, points
from signs import PREDICTED, noisy_classes, on_the_line, wave

from treelab import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from treelab.boosting_round import draw_without_replacement
from treelab.losses import AbsoluteError, LogLoss, Loss, Quantile, SquaredError


def boosted_path(model, X, y):
    """Training loss of gradient boosting after each round."""
    losses = model.fit(X, y).train_score_
    return {"round": np.arange(1, len(losses) + 1), "loss": losses}


def boosted_wave(level=0.0, **parameters):
    model = GradientBoostingRegressor(max_depth=2, **parameters)
    return on_the_line(model, *wave(level=level))


def boosted_outliers():
    X, y = wave(80, noise=0.1)
    y[[12, 40, 63]] += 6.0
    model = GradientBoostingRegressor(
        loss="absolute_error", n_estimators=20, learning_rate=0.3, max_depth=2
    )
    return on_the_line(model, X, y)


def boosted_wave_path(n_estimators):
    model = GradientBoostingRegressor(n_estimators=n_estimators, max_depth=2)
    return boosted_path(model, *wave())


def boosted_log_loss():
    X, y = noisy_classes()
    return boosted_path(GradientBoostingClassifier(n_estimators=25, max_depth=2), X, y)


def bag_sizes():
    rng = np.random.RandomState(0)
    sizes = [draw_without_replacement(rng, 100, 50).sum() for _ in range(12)]
    return {"round": np.arange(1, 13), "rows": np.array(sizes)}


def prices_of_constants():
    y = np.random.default_rng(0).gamma(2.0, 10.0, size=300)
    F = np.linspace(0, 80, 81)
    return {"score": F, "loss": np.array([Quantile(0.9).value(y, np.full(300, f)) for f in F])}


def stopped_early():
    X, y = wave(150, noise=0.6)
    model = GradientBoostingRegressor(
        n_estimators=100, learning_rate=0.2, n_iter_no_change=8, validation_fraction=0.3,
        random_state=0,
    ).fit(X, y)  # fmt: skip
    X_new, y_new = wave(400, noise=0.6, seed=1)
    errors = [np.mean((said - y_new) ** 2) for said in model.staged_predict(X_new)]
    return {"round": np.arange(1, len(errors) + 1), "error": np.array(errors)}


# --- answers to exercises, made of treelab's own functions -----------------------------------


def staged_scores():
    def answer(start, steps, learning_rate):
        n, rows = steps.shape[1], np.arange(steps.shape[1])
        model = GradientBoostingRegressor(learning_rate=learning_rate)
        model._loss, model.init_, model.start_ = SquaredError(), None, start
        model._read = lambda X: X
        trees = [
            [SimpleNamespace(apply=lambda X: rows, value=step.reshape(n, 1, 1))] for step in steps
        ]
        scores = []
        for m in range(len(steps) + 1):
            model.trees_ = trees[:m]
            scores.append(model.predict(np.zeros((n, 1))))
        return np.array(scores)

    return answer


def newton_leaf():
    def answer(y, F):
        loss = LogLoss()
        return loss.leaf_value(y, F, loss.negative_gradient(y, F), np.ones(len(y)))

    return answer


def expectile():
    def answer(alpha):
        price = FunctionType(Quantile.each.__code__, {"np": np})  # as it is when asked for
        quantile = Quantile(alpha)

        class Expectile(Loss):
            def each(self, y, F):
                return price(quantile, y, F) * np.abs(y - F)

            def negative_gradient(self, y, F):
                return 2 * np.abs(y - F) * quantile.negative_gradient(y, F)

        return Expectile()

    return answer


def scores_of_stumps():
    def answer(model, X):
        start, learning_rate, stumps = model
        said = [np.where(X[:, j] <= cut, left, right) for j, cut, left, right in stumps]
        return staged_scores()(start, np.array(said).reshape(-1, len(X)), learning_rate)

    return answer


class MiddleMedian(AbsoluteError):
    """Absolute error with the signs and medians of NumPy."""

    def negative_gradient(self, y, F):
        return np.sign(y - F)

    def leaf_value(self, y, F, r, w):
        return float(np.median(y - F))


def booster():
    def answer(X, y, n_rounds, learning_rate, loss):
        model = GradientBoostingRegressor(
            loss=MiddleMedian() if loss == "absolute_error" else loss,
            n_estimators=n_rounds, learning_rate=learning_rate, max_depth=1,
        ).fit(X, y)  # fmt: skip
        stumps = []
        for (tree,) in model.trees_:
            sides = [
                tree.value[side[0], 0, 0] for side in (tree.children_left, tree.children_right)
            ]
            stumps.append((tree.feature[0], tree.threshold[0], *sides))
        return model.start_, learning_rate, stumps

    return answer


# --- the exhibits ----------------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-start-forgotten",
        title="Boosting without its start",
        room=11,
        origin="teaching code",
        target="treelab.gradient_boosting:GradientBoostingRegressor.predict",
        before="return self._scores(self._read(X))",
        after="return self._scores(self._read(X)) - self.start_",
        story=(
            "The trees are fitted to what the mean leaves over, and the prediction adds up the "
            "trees. The mean itself is not among them. On targets with the mean 0, which examples "
            "like to use, nobody sees it."
        ),
        notice=(
            "The mean of the predictions on the training rows must be near the mean of the "
            "targets. Add 100 to every target and look again."
        ),
        sign=lambda: boosted_wave(level=3.0, n_estimators=60),
        picture=PREDICTED,
        caption=(
            "Boosted trees on targets around 3. With the fault the curve has the right shape at "
            "the wrong height."
        ),
        alt="Left, steps that follow a wave of points; right, the same steps far below the points.",
        caught_by=(
            ("gradient-boosting-2", staged_scores, "you have lost the start"),
            ("hw5-7", scores_of_stumps, "the start is missing"),
        ),
    ),
    Exhibit(
        id="m-residual-sign",
        title="Residuals with the wrong sign",
        room=11,
        origin="student",
        target="treelab.losses:SquaredError.negative_gradient",
        before="return y - F",
        after="return F - y",
        story=(
            "The pseudo-residual is the negative derivative of the loss, and the minus was "
            "forgotten, or written twice. Every tree then points away from the targets, and every "
            "round makes the error larger."
        ),
        notice="On all training rows the squared error can never rise from one round to the next.",
        sign=lambda: boosted_wave_path(12),
        picture=lines("round", {"loss": ""}, "round", "training loss", share="x"),
        caption=(
            "Training loss after each round; the two panels have scales of their own. With the "
            "fault it grows without end."
        ),
        alt="Left, a falling curve; right, a curve that rises ever more steeply.",
        caught_by=(("hw5-6", booster, "is the mean of its y - F"),),
    ),
    Exhibit(
        id="m-rate-twice",
        title="The learning rate applied twice",
        room=11,
        origin="student",
        target="treelab.base_boosting:BaseBoosting._move",
        before="self.learning_rate * tree.value[:, 0, 0]",
        after="self.learning_rate**2 * tree.value[:, 0, 0]",
        story=(
            "The step was shrunk when the leaves were set, and again when they were added. A rate "
            "of 0.1 then works like 0.01. Nothing breaks: the model learns ten times as slowly."
        ),
        notice=(
            "With a rate of 0.5 and one tree that fits perfectly, the first round must take away "
            "half of every residual."
        ),
        sign=lambda: boosted_wave_path(40),
        picture=lines("round", {"loss": ""}, "round", "training loss"),
        caption="Training loss over forty rounds. With the fault it has hardly begun to fall.",
        alt="Left, a curve that falls fast and levels off; right, a slowly falling line.",
        caught_by=(
            ("gradient-boosting-2", staged_scores, "after round 1: 10 + 0.5 * 2"),
            ("hw5-6", booster, "Does the round before add"),
            ("hw5-7", scores_of_stumps, "wrong for a model of two stumps"),
        ),
    ),
    Exhibit(
        id="m-mean-for-median",
        title="The mean where the median is meant",
        room=11,
        origin="student",
        target="treelab.losses:AbsoluteError.leaf_value",
        before="return lower_quantile(y - F, 0.5, w)",
        after="return float(np.average(y - F, weights=w))",
        story=(
            "The trees follow the signs of the residuals, as the absolute error wants it, but "
            "their leaves were left at the mean. The best constant for the absolute error is the "
            "median. With the mean a single outlier pulls its whole leaf along."
        ),
        notice="Move one target far away. With the absolute error the curve must hardly follow.",
        sign=boosted_outliers,
        picture=PREDICTED,
        caption=(
            "Absolute error and three outliers. With the fault they pull parts of the curve up."
        ),
        alt="Left, steps along a wave, three points far above; right, some steps are above it.",
    ),
    Exhibit(
        id="m-leaf-without-curvature",
        title="A leaf without its curvature",
        room=11,
        origin="student",
        target="treelab.losses:LogLoss.leaf_values",
        before="_newton(leaf, n_leaves, w * r, w * p * (1 - p))",
        after="_newton(leaf, n_leaves, w * r, w)",
        story=(
            "The leaves of the classifier were left as the tree makes them, at the mean "
            "pseudo-residual. But residuals are differences of probabilities, and scores are "
            "log-odds: the Newton step divides by p(1 - p), which is one quarter or less."
        ),
        notice=(
            "At the start, with p = 1/2, each step must be four times the mean residual of its "
            "leaf."
        ),
        sign=boosted_log_loss,
        picture=lines("round", {"loss": ""}, "round", "training deviance"),
        caption="Training deviance over 25 rounds. With the fault the steps are far too small.",
        alt="Left, a curve that falls fast; right, one that falls slowly.",
        caught_by=(("gradient-boosting-4", newton_leaf, "the mean pseudo-residual"),),
    ),
    Exhibit(
        id="m-subsample-with-replacement",
        title="The bag drawn with replacement",
        room=11,
        origin="student",
        target="treelab.boosting_round:draw_without_replacement",
        before=(
            "for i, u in enumerate(rng.uniform(size=n).tolist()):\n"
            "        if u * (n - i) < wanted:\n"
            "            drawn[i] = True\n"
            "            wanted -= 1"
        ),
        after="drawn[rng.randint(n, size=wanted)] = True",
        story=(
            "The bag of a round is a share of the rows, drawn without replacement. Drawn as for a "
            "bootstrap, some rows come twice, and the bag is smaller than asked for, by another "
            "number in each round."
        ),
        notice="Count the rows in the bag: half of 100 rows must be 50 in every round.",
        sign=bag_sizes,
        picture=points("round", "rows", "round", "rows in the bag"),
        caption=(
            "Rows in the bag of twelve rounds, for one half of 100 rows. With the fault there are "
            "about 39."
        ),
        alt="Left, twelve points at 50; right, twelve points scattered around 39.",
    ),
    Exhibit(
        id="m-prices-swapped",
        title="The two prices of a quantile swapped",
        room=11,
        origin="student",
        target="treelab.losses:Quantile.each",
        before="np.where(y >= F, self.alpha * (y - F), (1 - self.alpha) * (F - y))",
        after="np.where(y >= F, (1 - self.alpha) * (y - F), self.alpha * (F - y))",
        story=(
            "For the 90 percent quantile a target above the score must be expensive, so that the "
            "score moves up until few are left there. With the two prices swapped, the loss is "
            "that of the 10 percent quantile."
        ),
        notice="Minimize the loss over a constant, and count: nine of ten targets must lie below.",
        sign=prices_of_constants,
        picture=lines("score", {"loss": ""}, "constant score", "loss"),
        caption=(
            "Loss of a constant score for the 90 percent quantile. It should be lowest where nine "
            "of ten targets lie below; with the fault it is lowest at the low end."
        ),
        alt="Left, a curve with its lowest point near 40; right, with its lowest point near 5.",
        caught_by=(("gradient-boosting-5", expectile, "the price above the score"),),
    ),
    Exhibit(
        id="m-trees-on-targets",
        title="Every tree fitted to the targets",
        room=11,
        origin="student",
        target="treelab.boosting_round:one_round",
        before="by_class(loss.negative_gradient(cases.y, F))",
        after="by_class(loss.negative_gradient(cases.y, np.zeros_like(F)))",
        story=(
            "The residuals were computed from nothing instead of from the scores so far: they are "
            "the targets themselves. Every round then fits the same tree to the same numbers and "
            "adds it once more, past the targets and on."
        ),
        notice="Two rounds must not have the same tree unless nothing is left to fit.",
        sign=lambda: boosted_wave(n_estimators=20),
        picture=PREDICTED,
        caption=(
            "Twenty rounds at a rate of 0.1. With the fault the same tree is added twenty times, "
            "and the curve overshoots."
        ),
        alt="Left, steps that follow a wave of points; right, a few steps that swing too far.",
        caught_by=(("hw5-6", booster, "is the mean of its y - F"),),
    ),
    Exhibit(
        id="m-stopped-by-training-rows",
        title="Stopped by the training rows",
        room=11,
        origin="student",
        target="treelab.base_boosting:BaseBoosting._boost",
        before="error = loss.value(held_out.y, F_held, held_out.w)",
        after="error = loss.value(train.y, F, train.w)",
        story=(
            "Rows are held out to tell when to stop, and then the loss of the training rows is "
            "asked. That one falls as long as there is a residual, so it hardly ever says stop."
        ),
        notice="The number of rounds is always the largest allowed.",
        sign=stopped_early,
        picture=lines("round", {"error": ""}, "round", "error on new cases"),
        caption=(
            "Squared error on new cases. Boosting should end when the held-out rows gain nothing "
            "more; with the fault it goes on and gets worse."
        ),
        alt="Left, a curve that falls and ends early; right, one that falls and then rises.",
    ),
]
