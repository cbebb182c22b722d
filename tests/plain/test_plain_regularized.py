"""The plain regularized forest beside the fast one: from the same draws, the same choice."""

from math import inf

import numpy as np
import pytest
from cases import each
from same_nodes import assert_same_nodes

from treelab import impurity
from treelab.cart import inner
from treelab.fast.bagging.out_of_bag import draw_sample, member_generator
from treelab.fast.growing.regularized import draw_order, keys_of_children
from treelab.fast.selection import RegularizedBoostSelector, RegularizedForestSelector
from treelab.fast.selection.model_based import HIGHEST_SEED
from treelab.regularized import best_split, regularized_boosting, regularized_forest

B = 5
SPARSE = (5, 6, 9, 82, 100)  # in the first four it is so


def table(seed):
    """Few rows of few or many distinct values, three to seven columns, some of them twice."""
    rng = np.random.default_rng(seed)
    n, p = rng.integers(12, 26), rng.integers(3, 6)
    X = rng.integers(0, rng.choice([2, 4, 50]), (n, p)).astype(float)
    X = np.column_stack([X, X[:, : rng.integers(3)], np.zeros((n, int(seed % 3 == 0)))])
    noise = rng.integers(0, 3, n)
    y = (X[:, 0] + X[:, 1] + noise) if seed % 5 == 0 else (X[:, 0] * 2 > X[:, 1] + noise) * 1
    return X, y.astype(float) if seed % 5 == 0 else y, rng.choice([0.0, 0.5, 1.0, 2.0], n)


def orders(key, d):
    """What draws the order of d features at each path of a tree with this key."""

    def draw(path):
        here = key
        for side in path.lstrip("0123456789"):
            here = keys_of_children(np.array([here, here]))["LR".index(side)]
        return draw_order(np.array([here]), d)[0].tolist()

    return draw


def draws_of(fast, n):
    """The samples of the fast forest, and the order of the features at each path."""
    seed = np.random.RandomState(fast.random_state).randint(HIGHEST_SEED)
    samples, keys = [], []
    for b in range(fast.n_estimators):
        generator = member_generator(seed, b)
        samples.append(np.repeat(*draw_sample(generator, n, n)))
        keys.append(np.uint64(generator.integers(2**63)))

    def draw(path):
        return orders(keys[int(path.rstrip("LR"))], fast.n_features_in_)(path)

    return samples, draw


@each("seed", range(24))
def test_the_same_features_in_the_same_order(seed):
    X, y, w = table(seed)
    settings = {"penalty": [1.0, 0.7, 0.5, 0.1, 0.001][seed % 7 % 5], "max_features": 1 + seed % 3}
    of = "entropy" if seed % 5 else "squared_error"
    fast = RegularizedForestSelector(
        n_estimators=B, criterion=of, random_state=seed, importance_guided=(seed % 4 == 1) / 2,
        **settings,
    )  # fmt: skip
    fast.fit(X, y, w if seed % 2 else None)
    kept = np.flatnonzero(w > 0) if seed % 2 else np.arange(len(y))
    samples, draw = draws_of(fast, len(kept))
    trees, selected = regularized_forest(
        X[kept].tolist(), y[kept].tolist(), samples=[s.tolist() for s in samples], draw=draw,
        m=settings["max_features"], penalty=fast.penalties_.tolist(),
        w=w[kept].tolist() if seed % 2 else None, impurity=getattr(impurity, of),
    )  # fmt: skip
    order = [int(name[1:]) for name in fast.steps_table()["feature"]]
    assert list(selected) == order
    for b, tree in enumerate(trees):
        assert_same_nodes(fast.trees_[b], tree, None if seed % 5 == 0 else fast.classes_)
    for step, (path, gain) in zip(fast.steps_, selected.values(), strict=True):
        assert path.startswith(str(step["tree"]))
        assert len(path) - len(str(step["tree"])) == step["depth"]
        assert step["gain"] == pytest.approx(gain, abs=1e-12)


@pytest.mark.parametrize("seed", SPARSE)
def test_the_same_where_most_columns_cannot_be_cut(seed):
    """A node that had to draw on may not have to any more, once a feature has entered before it."""
    rng = np.random.default_rng(seed)
    n, p = rng.integers(8, 40), rng.integers(2, 8)
    X = rng.integers(0, 9, (n, p)) * (rng.random((n, p)) < 0.2) * 1.0
    y = rng.integers(0, 3, n)
    settings = {"n_estimators": B, "max_features": 1, "random_state": seed}
    fast = RegularizedForestSelector(0.8, **settings).fit(X, y)
    samples, draw = draws_of(fast, n)
    samples = [sample.tolist() for sample in samples]
    trees, selected = regularized_forest(X.tolist(), y.tolist(), samples, draw, 1, [0.8] * p)
    assert [f"x{j}" for j in selected] == fast.steps_table()["feature"].tolist()
    for b, tree in enumerate(trees):
        assert_same_nodes(fast.trees_[b], tree, fast.classes_)


def test_a_new_column_must_gain_more_than_it_costs():
    """By hand: column 0 leaves a row wrong, column 1 none."""
    cases = [([0, 0], 0, 1), ([0, 0], 0, 1), ([1, 0], 0, 1), ([1, 1], 1, 1)]
    both = [0, 1]
    gains = {0: 0.311, 1: 0.811}  # bits
    for part, j in ((1.0, 1), (0.4, 1), (0.38, 0)):
        found = best_split(cases, both, 1, [part] * 2, {0: None}, impurity.entropy)
        assert found[:2] == (pytest.approx(gains[j], abs=1e-3), j)
    assert best_split(cases, both, 1, [1, 1], {}, impurity.entropy)[1] == 0  # m=1: the first drawn
    assert best_split([([5, 0], 0, 1), *cases[:2]], both, 1, [1, 1], {}, impurity.entropy) is None
    flat = [([7, *x], y, w) for x, y, w in cases]  # of two new columns the first cannot be cut
    assert best_split(flat, [0, 2, 1], 1, [1] * 3, {}, impurity.entropy)[1] == 2


def test_a_tree_asks_about_paid_columns_only_when_the_penalty_is_tiny():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 9, (20, 4)).tolist(), rng.integers(0, 2, 20).tolist()
    draw, penalty = (lambda path: [2, 0, 1, 3]), [1e-9] * 4
    trees, selected = regularized_forest(X, y, [list(range(20))] * 3, draw, 1, penalty)
    first = [t["feature"] for t in inner(trees[0])]
    assert first[0] == 2
    assert selected[2][0] == "0"
    assert len(selected) < 4


# --- RBoost ---------------------------------------------------------------------------------


class Rounds:
    """The draws of each round of the fast selector: a new generator, and more from it if needed."""

    def __init__(self, fast, n):
        self.seed = np.random.RandomState(fast.random_state).randint(HIGHEST_SEED)
        self.fast, self.n, self.w, self.round = fast, n, None, -1

    def __call__(self, w):
        if w != self.w:
            self.w, self.round = w, self.round + 1
            self.generator = member_generator(self.seed, self.round)
        if self.fast.resample:
            chances = np.array(w) / sum(w)
            drawn = self.generator.choice(self.n, size=self.n, p=chances)
            w = np.bincount(drawn, minlength=self.n).tolist()
        key = np.uint64(self.generator.integers(2**63))
        return w, orders(key, self.fast.n_features_in_)


@each("seed", range(20))
def test_boosting_takes_the_same_features_in_the_same_order(seed):
    X, y, w = table(seed)
    y = y if seed % 5 else np.digitize(y, [1, 3])
    y, w = y.astype(int), w if seed % 2 else np.ones(len(y))
    kept = w > 0
    if len(set(y[kept])) < 2:
        y[np.flatnonzero(kept)[0]] += 1
    settings = {"max_depth": [None, 1, 2][seed % 3], "resample": seed % 4 > 0, "random_state": seed}
    fast = RegularizedBoostSelector(0.6, 6, max_features=1 + seed % 2, **settings).fit(X, y, w)
    depth = settings["max_depth"] or inf
    trees, selected = regularized_boosting(
        X[kept].tolist(), y[kept].tolist(), Rounds(fast, kept.sum()), 1 + seed % 2,
        fast.penalties_.tolist(), w[kept].tolist(), M=6, tries=11 if fast.resample else 1,
        depth=depth,
    )  # fmt: skip
    assert [f"x{j}" for j in selected] == fast.steps_table()["feature"].tolist()
    assert len(trees) == len(fast.trees_)
    for t, tree in zip(fast.trees_, trees, strict=True):
        assert_same_nodes(t, tree, fast.classes_)
    for step, (path, gain) in zip(fast.steps_, selected.values(), strict=True):
        assert path.startswith(str(step["tree"]))
        assert step["gain"] == pytest.approx(gain, abs=1e-12)


def test_boosting_ends_where_it_should():
    X, y = [[0], [1], [0], [1]], [0, 0, 1, 1]

    def draws(w):
        tried.append(w)
        return w, lambda path: [0]

    tried = []
    trees, selected = regularized_boosting(X, y, draws, 1, [1.0], tries=3)  # nothing to gain
    assert (len(trees), selected, len(tried)) == (1, {}, 3)
    trees, selected = regularized_boosting(X, [0, 1, 0, 1], draws, 1, [1.0], tries=3)  # no error
    assert (len(trees), list(selected)) == (1, [0])
    trees, selected = regularized_boosting(X, [1] * 4, draws, 1, [1.0])  # one class
    assert (len(trees), selected) == (1, {})
    tried.clear()
    y = [0, 0, 0, 1]  # all say 0; then both halves weigh the same
    trees, selected = regularized_boosting([[0]] * 4, y, draws, 1, [1.0], tries=3)
    assert (len(trees), len(tried)) == (1, 4)
