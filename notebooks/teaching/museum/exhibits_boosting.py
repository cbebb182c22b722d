"""The room of chapter 12: gradient boosting."""

from types import FunctionType

import numpy as np
from museum import Exhibit, lines, points
from scipy.special import expit, logit
from signs import GRID, PREDICTED, noisy_classes, wave
from sklearn.model_selection import train_test_split

from treelab import (
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from treelab.fast.boosting.losses import Loss

# --- the code on show -------------------------------------------------------------------


def residual(y, F):
    """Negative derivative of half the squared error."""
    return y - F


def mean_leaf(y, F):
    """What a leaf adds under the squared error."""
    return np.mean(residual(y, F))


def sign(y, F):
    """Negative derivative of the absolute error."""
    return np.where(y >= F, 1.0, -1.0)


def median_leaf(y, F):
    """What a leaf adds under the absolute error: the median, the lower of two."""
    return np.quantile(y - F, 0.5, method="inverted_cdf")


def too_low(y, F):
    """Negative derivative of the log loss: the class less its probability."""
    return y - expit(F)


def newton_leaf(y, F):
    """What a leaf adds under the log loss: one Newton step."""
    p = expit(F)
    return np.sum(y - p) / np.sum(p * (1 - p))


def move(F, step, rate):
    """Scores after a round."""
    return F + rate * step


def boost(X, y, start, rounds, rate=0.1, loss=(residual, mean_leaf), **limits):
    """Trees with what their leaves add, and the scores after each round."""
    gradient, leaf_value = loss
    members, scores = [], [np.full(len(y), start)]
    for _ in range(rounds):
        F = scores[-1]
        tree = DecisionTreeRegressor(**limits).fit(X, gradient(y, F))
        leaf = tree.apply(X)
        adds = {t: leaf_value(y[leaf == t], F[leaf == t]) for t in np.unique(leaf).tolist()}
        members.append((tree, adds))
        scores.append(move(F, np.array([adds[t] for t in leaf.tolist()]), rate))
    return members, scores


def staged(start, steps, rate):
    """Scores at the start and after each round, from what the rounds add; (rounds + 1, n)."""
    scores = [np.full(np.shape(steps)[1], float(start))]
    for step in steps:
        scores.append(move(scores[-1], step, rate))
    return np.array(scores)


def draw_bag(rng, n, size):
    """Row numbers of a bag."""
    return rng.choice(n, size, replace=False)


def price(y, F, alpha):
    """Quantile loss: alpha for each unit that the score is too low, 1 - alpha if too high."""
    return np.where(y >= F, alpha * (y - F), (1 - alpha) * (F - y))


def losses(y, scores):
    """Loss after each round."""
    return [np.mean((y - F) ** 2) for F in scores]


def rounds_until(train, held_out, patience):
    """Rounds until the loss has gained nothing for a while; targets and staged scores each."""
    errors = losses(*held_out)
    for m in range(patience, len(errors)):
        if errors[m] + 1e-4 >= max(errors[m - patience : m]):
            return m
    return len(errors) - 1


# --- signs ------------------------------------------------------------------------------


def steps_of(members, X):
    """What each round adds to new rows; (rounds, n)."""
    return np.array([[adds[t] for t in tree.apply(X).tolist()] for tree, adds in members])


def curve(X, y, start, rounds, rate=0.1, **settings):
    """What boosting predicts along the line, with the rows."""
    members, _ = boost(X, y, start, rounds, rate, max_depth=2, **settings)
    said = staged(start, steps_of(members, GRID[:, None]), rate)[-1]
    return {"x": GRID, "said": said, "_x": X[:, 0], "_y": y}


def boosted_wave(level, rounds):
    X, y = wave(level=level)
    return curve(X, y, y.mean(), rounds)


def wave_agrees(level, rounds):
    """A check: the curve by the code on show, and by treelab."""
    own = GradientBoostingRegressor(n_estimators=rounds, max_depth=2).fit(*wave(level=level))
    return lambda: (boosted_wave(level, rounds)["said"], own.predict(GRID[:, None]))


def outliers():
    X, y = wave(80, noise=0.1)
    y[[12, 40, 63]] += 6.0
    return X, y


def boosted_outliers():
    X, y = outliers()
    return curve(X, y, np.median(y), 20, 0.3, loss=(sign, median_leaf))


def outliers_agree():
    own = GradientBoostingRegressor(
        loss="absolute_error", n_estimators=20, learning_rate=0.3, max_depth=2
    )
    return boosted_outliers()["said"], own.fit(*outliers()).predict(GRID[:, None])


def boosted_wave_path(rounds):
    """Training loss after each round."""
    X, y = wave()
    _, scores = boost(X, y, y.mean(), rounds, max_depth=2)
    return {"round": np.arange(1, rounds + 1), "loss": np.array(losses(y, scores[1:]))}


def wave_path_agrees(rounds):
    """A check: the losses by the code on show, and by treelab."""
    own = GradientBoostingRegressor(n_estimators=rounds, max_depth=2).fit(*wave())
    return lambda: (boosted_wave_path(rounds)["loss"], own.train_score_)


def boosted_log_loss():
    """Training deviance after each round."""
    X, y = noisy_classes()
    _, scores = boost(X, y, logit(y.mean()), 25, loss=(too_low, newton_leaf), max_depth=2)
    loss = [2 * np.mean(np.log1p(np.exp(F)) - y * F) for F in scores[1:]]
    return {"round": np.arange(1, 26), "loss": np.array(loss)}


def log_loss_agrees():
    own = GradientBoostingClassifier(n_estimators=25, max_depth=2).fit(*noisy_classes())
    return boosted_log_loss()["loss"], own.train_score_


def bag_sizes():
    rng = np.random.RandomState(0)
    sizes = [len(np.unique(draw_bag(rng, 100, 50))) for _ in range(12)]
    return {"round": np.arange(1, 13), "rows": np.array(sizes)}


def bags_agree():
    """Rows in the bags, and in the roots of treelab's trees."""
    own = GradientBoostingRegressor(n_estimators=12, subsample=0.5, random_state=0)
    own.fit(*wave(100))
    return bag_sizes()["rows"], np.array([tree.n_node_samples[0] for (tree,) in own.trees_])


WAITS = np.random.default_rng(0).gamma(2.0, 10.0, size=300)


def prices_of_constants():
    F = np.linspace(0, 80, 81)
    return {"score": F, "loss": np.array([np.mean(price(WAITS, f, 0.9)) for f in F])}


def prices_agree():
    """The mean price of what treelab predicts, and treelab's own loss."""
    own = GradientBoostingRegressor(loss="quantile", alpha=0.9, n_estimators=3)
    own.fit(np.arange(300.0)[:, None] % 7, WAITS)
    said = own.predict(np.arange(300.0)[:, None] % 7)
    return np.mean(price(WAITS, said, 0.9)), own.train_score_[-1]


def stopped_early():
    """Errors on new cases up to the round where boosting stops."""
    X, y = wave(150, noise=0.6)
    kept, out = train_test_split(np.arange(150), test_size=0.3, random_state=0)
    members, scores = boost(X[kept], y[kept], y[kept].mean(), 100, 0.2, max_depth=3)
    F_out = staged(y[kept].mean(), steps_of(members, X[out]), 0.2)
    rounds = rounds_until((y[kept], scores[1:]), (y[out], F_out[1:]), 8) + 1
    X_new, y_new = wave(400, noise=0.6, seed=1)
    F_new = staged(y[kept].mean(), steps_of(members, X_new), 0.2)[1 : rounds + 1]
    return {"round": np.arange(1, rounds + 1), "error": np.mean((F_new - y_new) ** 2, axis=1)}


def stopping_agrees():
    own = GradientBoostingRegressor(
        n_estimators=100, learning_rate=0.2, n_iter_no_change=8, validation_fraction=0.3,
        random_state=0,
    ).fit(*wave(150, noise=0.6))  # fmt: skip
    X_new, y_new = wave(400, noise=0.6, seed=1)
    errors = [np.mean((said - y_new) ** 2) for said in own.staged_predict(X_new)]
    return stopped_early()["error"], np.array(errors)


# --- answers to exercises ---------------------------------------------------------------


def stop_round():
    """gradient-boosting-2: when boosting stops, and the round of the least held-out loss."""

    def scores(loss):
        return np.zeros(1), np.sqrt(np.asarray(loss, dtype=float))[:, None]

    def answer(train, held_out, patience):
        done = rounds_until(scores(train), scores(held_out), patience) + 1
        return done, int(np.argmin(held_out[:done])) + 1

    return answer


def round_of_log_loss():
    """gradient-boosting-4: the scores after a round of a stump."""

    def answer(x, y, F, cut, learning_rate):
        new = np.array(F, dtype=float)
        for side in (x <= cut, x > cut):
            if side.any():
                new[side] = move(F[side], newton_leaf(y[side], F[side]), learning_rate)
        return new

    return answer


def expectile():
    """gradient-boosting-5: a loss with squares, and two prices."""

    def answer(alpha):
        price_now = FunctionType(price.__code__, {"np": np})  # as it is when asked for

        class Expectile(Loss):
            def each(self, y, F):
                return price_now(y, F, alpha) * np.abs(y - F)

            def negative_gradient(self, y, F):
                return 2 * np.where(y >= F, alpha, 1 - alpha) * (y - F)

        return Expectile()

    return answer


def scores_of_stumps():
    """hw5-7: the scores of a model of stumps."""

    def answer(model, X):
        start, learning_rate, stumps = model
        said = [np.where(X[:, j] <= cut, left, right) for j, cut, left, right in stumps]
        return staged(start, np.array(said).reshape(-1, len(X)), learning_rate)

    return answer


def booster():
    """hw5-6: a model of stumps, for either loss."""

    def answer(X, y, n_rounds, learning_rate, loss):
        absolute = loss == "absolute_error"
        start = np.median(y) if absolute else y.mean()
        parts = (lambda y, F: np.sign(y - F), lambda y, F: float(np.median(y - F)))
        loss = parts if absolute else (residual, mean_leaf)
        members, _ = boost(X, y, start, n_rounds, learning_rate, loss, max_depth=1)
        stumps = []
        for tree, adds in members:
            grown = tree.tree_
            sides = [adds.get(int(side[0])) for side in (grown.children_left, grown.children_right)]
            stumps.append((grown.feature[0], grown.threshold[0], *sides))
        return start, learning_rate, stumps

    return answer


# --- the exhibits -----------------------------------------------------------------------

EXHIBITS = [
    Exhibit(
        id="m-start-forgotten",
        title="Boosting without its start",
        room=12,
        origin="teaching code",
        code=staged,
        before="np.full(np.shape(steps)[1], float(start))",
        after="np.zeros(np.shape(steps)[1])",
        public="treelab.GradientBoostingRegressor",
        agrees=wave_agrees(3.0, 60),
        story=(
            "The trees are fitted to the residuals from the mean, and the prediction is the "
            "sum of the trees. The mean itself was not added. If the targets have a mean of "
            "0, as they often do in examples, the fault is invisible."
        ),
        notice=(
            "The mean of the predictions on the training rows must be close to the mean of "
            "the targets. Add 100 to every target and check again."
        ),
        sign=lambda: boosted_wave(3.0, 60),
        picture=PREDICTED,
        caption=(
            "Boosted trees on targets around 3. With the fault, the curve has the right "
            "shape but the wrong height."
        ),
        alt="Left, steps that follow a wave of points; right, the same steps far below the points.",
        caught_by=(("hw5-7", scores_of_stumps, "the start is missing"),),
    ),
    Exhibit(
        id="m-residual-sign",
        title="Residuals with the wrong sign",
        room=12,
        origin="student",
        code=residual,
        before="y - F",
        after="F - y",
        public="treelab.GradientBoostingRegressor",
        agrees=wave_path_agrees(12),
        story=(
            "The pseudo-residual is the negative derivative of the loss, but the minus sign "
            "was forgotten or written twice. Every tree then points away from the targets, "
            "and every round increases the error."
        ),
        notice=(
            "On all training rows, the squared error must never increase from one round to "
            "the next."
        ),
        sign=lambda: boosted_wave_path(12),
        picture=lines("round", {"loss": ""}, "round", "training loss", share="x"),
        caption=(
            "Training loss after each round, where the two panels have different scales. "
            "With the fault it grows without limit."
        ),
        alt="Left, a falling curve; right, a curve that rises ever more steeply.",
        caught_by=(("hw5-6", booster, "is the mean of its y - F"),),
    ),
    Exhibit(
        id="m-rate-twice",
        title="The learning rate applied twice",
        room=12,
        origin="student",
        code=move,
        before="rate * step",
        after="rate**2 * step",
        public="treelab.GradientBoostingRegressor",
        agrees=wave_path_agrees(40),
        story=(
            "The step was shrunk when the leaves were computed and again when the tree was "
            "added. A learning rate of 0.1 then has the effect of 0.01. Nothing seems to be "
            "broken, but the model learns ten times as slowly."
        ),
        notice=(
            "With a learning rate of 0.5 and a single tree that fits perfectly, the first "
            "round must remove half of every residual."
        ),
        sign=lambda: boosted_wave_path(40),
        picture=lines("round", {"loss": ""}, "round", "training loss"),
        caption=(
            "Training loss over forty rounds. With the fault it has hardly begun to decrease."
        ),
        alt="Left, a curve that falls fast and levels off; right, a slowly falling line.",
        caught_by=(
            ("gradient-boosting-4", round_of_log_loss, "at rate 0.5"),
            ("hw5-6", booster, "Does the round before add"),
            ("hw5-7", scores_of_stumps, "wrong for a model of two stumps"),
        ),
    ),
    Exhibit(
        id="m-mean-for-median",
        title="The mean where the median is meant",
        room=12,
        origin="student",
        code=median_leaf,
        before='np.quantile(y - F, 0.5, method="inverted_cdf")',
        after="np.mean(y - F)",
        public="treelab.GradientBoostingRegressor",
        agrees=outliers_agree,
        story=(
            "The trees are fitted to the signs of the residuals, as the absolute error "
            "requires, but their leaves still contain means. The best constant for the "
            "absolute error is the median. With the mean, a single outlier shifts the "
            "prediction of its whole leaf."
        ),
        notice=(
            "Move one target far away. With the absolute error, the curve must hardly follow it."
        ),
        sign=boosted_outliers,
        picture=PREDICTED,
        caption=(
            "A fit by the absolute error with three outliers. With the fault, they pull "
            "parts of the curve upwards."
        ),
        alt="Left, steps along a wave, three points far above; right, some steps are above it.",
    ),
    Exhibit(
        id="m-leaf-without-curvature",
        title="A leaf without its curvature",
        room=12,
        origin="student",
        code=newton_leaf,
        before="np.sum(y - p) / np.sum(p * (1 - p))",
        after="np.mean(y - p)",
        public="treelab.GradientBoostingClassifier",
        agrees=log_loss_agrees,
        story=(
            "The leaves of the classifier were left at the mean pseudo-residual, as the "
            "tree computes it. However, the residuals are differences of probabilities, "
            "whereas the scores are log-odds. The Newton step therefore divides by p(1 - "
            "p), which is one quarter or less."
        ),
        notice=(
            "At the start, with p = 1/2, each step must be four times the mean residual of "
            "its leaf."
        ),
        sign=boosted_log_loss,
        picture=lines("round", {"loss": ""}, "round", "training deviance"),
        caption=("Training deviance over 25 rounds. With the fault, the steps are far too small."),
        alt="Left, a curve that falls fast; right, one that falls slowly.",
        caught_by=(("gradient-boosting-4", round_of_log_loss, "the mean pseudo-residual"),),
    ),
    Exhibit(
        id="m-subsample-with-replacement",
        title="The bag drawn with replacement",
        room=12,
        origin="student",
        code=draw_bag,
        before="rng.choice(n, size, replace=False)",
        after="rng.randint(n, size=size)",
        public="treelab.GradientBoostingRegressor",
        agrees=bags_agree,
        story=(
            "The rows of a round should be a random fraction of all rows, drawn without "
            "replacement. If they are drawn as for a bootstrap sample, some rows occur "
            "twice, and the number of distinct rows is smaller than requested and differs "
            "from round to round."
        ),
        notice=(
            "Count the distinct rows of a round. For one half of 100 rows, there must be 50 "
            "in every round."
        ),
        sign=bag_sizes,
        picture=points("round", "rows", "round", "rows in the bag"),
        caption=(
            "Number of rows used in each of twelve rounds, for one half of 100 rows. With "
            "the fault there are about 39."
        ),
        alt="Left, twelve points at 50; right, twelve points scattered around 39.",
    ),
    Exhibit(
        id="m-prices-swapped",
        title="The two prices of a quantile swapped",
        room=12,
        origin="student",
        code=price,
        before="alpha * (y - F), (1 - alpha) * (F - y)",
        after="(1 - alpha) * (y - F), alpha * (F - y)",
        public="treelab.GradientBoostingRegressor",
        agrees=prices_agree,
        story=(
            "For the 90 percent quantile, a target above the score must be expensive, so "
            "that the score moves up until few targets are left above it. If the two costs "
            "are exchanged, the loss is that of the 10 percent quantile."
        ),
        notice=(
            "Minimize the loss over a constant and count. Nine of ten targets must lie "
            "below this constant."
        ),
        sign=prices_of_constants,
        picture=lines("score", {"loss": ""}, "constant score", "loss"),
        caption=(
            "Loss of a constant score for the 90 percent quantile. It should be lowest "
            "where nine of ten targets lie below the score. With the fault it is lowest at "
            "the lower end."
        ),
        alt="Left, a curve with its lowest point near 40; right, with its lowest point near 5.",
        caught_by=(("gradient-boosting-5", expectile, "the price above the score"),),
    ),
    Exhibit(
        id="m-trees-on-targets",
        title="Every tree fitted to the targets",
        room=12,
        origin="student",
        code=residual,
        before="y - F",
        after="y",
        public="treelab.GradientBoostingRegressor",
        agrees=wave_agrees(0.0, 20),
        story=(
            "The residuals were not updated with the current scores, so they are the "
            "targets themselves. Every round then fits the same tree to the same numbers "
            "and adds it once more, and the prediction overshoots the targets."
        ),
        notice=("Two rounds must not produce the same tree unless there is nothing left to fit."),
        sign=lambda: boosted_wave(0.0, 20),
        picture=PREDICTED,
        caption=(
            "Twenty rounds with a learning rate of 0.1. With the fault, the same tree is "
            "added twenty times, and the curve overshoots."
        ),
        alt="Left, steps that follow a wave of points; right, a few steps that swing too far.",
        caught_by=(("hw5-6", booster, "is the mean of its y - F"),),
    ),
    Exhibit(
        id="m-stopped-by-training-rows",
        title="Stopped by the training rows",
        room=12,
        origin="student",
        code=rounds_until,
        before="*held_out",
        after="*train",
        public="treelab.GradientBoostingRegressor",
        agrees=stopping_agrees,
        story=(
            "Some rows are held out to decide when to stop, but then the loss on the "
            "training rows is used for the decision. This loss decreases as long as there "
            "are residuals, so boosting hardly ever stops early."
        ),
        notice="The number of rounds always equals the maximum.",
        sign=stopped_early,
        picture=lines("round", {"error": ""}, "round", "error on new cases"),
        caption=(
            "Squared error on test data. Boosting should stop when the error on the "
            "held-out rows no longer improves. With the fault it continues, and the test "
            "error increases."
        ),
        alt="Left, a curve that falls and ends early; right, one that falls and then rises.",
        caught_by=(("gradient-boosting-2", stop_round, "falls on and on"),),
    ),
]
