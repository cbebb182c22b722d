"""Out of bag: every case by the members that have not seen it, written out as loops."""

import warnings

import numpy as np
import pytest

from treelab import BaggingClassifier, BaggingRegressor, RandomForestClassifier
from treelab.out_of_bag import (
    OutOfBag,
    draw_sample,
    member_generator,
    number_of_draws,
)


def members(n, n_outputs, B, seed, left_out=0.4):
    """Made-up members: the rows that each has not seen, and what it says of them."""
    rng = np.random.default_rng(seed)
    for _ in range(B):
        rows = np.flatnonzero(rng.random(n) < left_out)
        yield rows, rng.random((len(rows), n_outputs))


def judged(y, n_classes, given):
    judge = OutOfBag(y, n_classes)
    for rows, values in given:
        judge.add(rows, values)
    return judge


def loops(y, n_classes, given):
    """Mean prediction of each case, None where there is none; error and coverage by member."""
    n, path = len(y), []
    for b in range(1, len(given) + 1):
        mean = []
        for i in range(n):
            said = [values[list(rows).index(i)] for rows, values in given[:b] if i in rows]
            mean.append(np.mean(said, axis=0) if said else None)
        if n_classes:
            losses = [np.argmax(m) != y[i] for i, m in enumerate(mean) if m is not None]
        else:
            losses = [(m[0] - y[i]) ** 2 for i, m in enumerate(mean) if m is not None]
        path.append((np.mean(losses) if losses else np.nan, len(losses) / n))
    return mean, path


@pytest.mark.parametrize("n_classes", [0, 2, 4])
@pytest.mark.parametrize("B", [1, 3, 12])
def test_its_definition(n_classes, B):
    rng = np.random.default_rng(7)
    y = rng.integers(0, n_classes, 20) if n_classes else rng.normal(size=20)
    given = list(members(20, n_classes or 1, B, seed=B))
    judge = judged(y, n_classes, given)
    mean, path = loops(y, n_classes, given)
    assert judge.votes.tolist() == [sum(i in rows for rows, _ in given) for i in range(20)]
    np.testing.assert_allclose(judge.path, path, rtol=1e-12)
    assert judge.coverage == path[-1][1] == np.mean([m is not None for m in mean])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = judge.prediction()
    zeros = np.zeros(n_classes or 1)
    np.testing.assert_allclose(found, [zeros if m is None else m for m in mean], rtol=1e-12)


def test_nothing_is_known_before_the_first_vote():
    judge = OutOfBag(np.array([0, 1]), 2)
    assert judge.coverage == 0
    judge.add(np.array([], dtype=int), np.zeros((0, 2)))
    judge.add(np.array([1]), np.array([[0.9, 0.1]]))
    judge.add(np.array([0]), np.array([[0.9, 0.1]]))
    (first, none), second, third = judge.path
    assert np.isnan(first)
    assert (none, second, third) == (0.0, (1.0, 0.5), (0.5, 1.0))


def test_a_tie_goes_to_the_first_class():
    judge = judged(np.array([0, 1]), 2, [(np.array([0, 1]), np.array([[0.5, 0.5], [0.5, 0.5]]))])
    assert judge.path == [(0.5, 1.0)]


def test_warning_says_how_many_cases_are_not_covered():
    judge = judged(np.zeros(5), 0, [(np.array([1, 3]), np.ones((2, 1)))])
    assert judge.coverage == 0.4
    with pytest.warns(UserWarning, match="^3 of 5 cases are in every bootstrap sample and have no"):
        prediction = judge.prediction()
    assert prediction[:, 0].tolist() == [0, 1, 0, 1, 0]


def test_no_warning_when_all_are_covered():
    judge = judged(np.zeros(3), 0, [(np.arange(3), np.ones((3, 1)))])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert judge.prediction().tolist() == [[1.0], [1.0], [1.0]]


X = np.random.default_rng(0).normal(size=(60, 3))
CLASSES = (X[:, 0] + np.random.default_rng(1).normal(size=60) > 0).astype(int)


@pytest.mark.parametrize("kind", [BaggingClassifier, RandomForestClassifier])
def test_path_ends_at_the_score(kind):
    model = kind(n_estimators=40, oob_score=True, random_state=0).fit(X, CLASSES)
    path = model.oob_error_path()
    assert model.oob_coverage_ == 1
    assert path.shape == (40,)
    assert path[-1] == pytest.approx(1 - model.oob_score_)
    # Entry b - 1 is the error of an ensemble of b members.
    for b in (25, 35):
        smaller = kind(n_estimators=b, oob_score=True, random_state=0).fit(X, CLASSES)
        np.testing.assert_array_equal(smaller.oob_error_path(), path[:b])


def test_path_of_numbers_ends_at_the_mean_squared_error():
    y = X[:, 1] ** 2
    model = BaggingRegressor(n_estimators=40, oob_score=True, random_state=0).fit(X, y)
    last = model.oob_error_path()[-1]
    assert last == pytest.approx(np.mean((model.oob_prediction_ - y) ** 2))
    assert model.oob_score_ == pytest.approx(1 - last / np.var(y))


@pytest.mark.parametrize("kind", [BaggingClassifier, RandomForestClassifier])
def test_too_few_members_warn_and_leave_zeros(kind):
    with pytest.warns(UserWarning, match="of 60 cases are in every bootstrap sample") as caught:
        model = kind(n_estimators=1, oob_score=True, random_state=0).fit(X, CLASSES)
    assert len(caught) == 1
    seen = np.isin(np.arange(60), model.estimators_samples_[0])
    assert model.oob_coverage_ == np.mean(~seen)
    assert (model.oob_decision_function_[seen] == 0).all()
    np.testing.assert_allclose(model.oob_decision_function_[~seen].sum(axis=1), 1)
    # The path leaves those cases out; the score counts them as the first class.
    guess = model.oob_decision_function_.argmax(axis=1)
    assert model.oob_score_ == pytest.approx(np.mean(guess == CLASSES))
    assert model.oob_error_path()[0] == pytest.approx(np.mean((guess != CLASSES)[~seen]))


# --- samples -----------------------------------------------------------------------------


def test_a_sample_is_its_draws_counted():
    for seed in range(5):
        drawn = np.random.default_rng(seed).integers(9, size=14)
        rows, copies = draw_sample(np.random.default_rng(seed), 9, 14)
        np.testing.assert_array_equal(np.repeat(rows, copies), np.sort(drawn))


def test_every_row_is_equally_likely():
    """Chi-squared test on 40 000 draws of 8 rows; 24.3 is passed once in a thousand."""
    rng, counts = np.random.default_rng(0), np.zeros(8)
    for _ in range(1000):
        rows, copies = draw_sample(rng, 8, 40)
        counts[rows] += copies
    assert counts.sum() == 40_000
    assert np.sum((counts - 5000) ** 2 / 5000) < 24.3


def test_members_draw_from_streams_of_their_own():
    first = member_generator(3, 0).random(4)
    np.testing.assert_array_equal(first, member_generator(3, 0).random(4))
    for seed, b in ((3, 1), (4, 0), (0, 3)):
        assert not np.isin(first, member_generator(seed, b).random(4)).any()


@pytest.mark.parametrize(
    ("max_samples", "bootstrap", "draws"),
    [
        (None, True, 9),
        (None, False, None),
        (1, True, 1),
        (np.int64(9), True, 9),
        (1.0, True, 9),
        (0.5, True, 4),
        (0.01, True, 1),
    ],
)
def test_number_of_draws(max_samples, bootstrap, draws):
    assert number_of_draws(max_samples, bootstrap, 9) == draws


@pytest.mark.parametrize("max_samples", [0, 10, -1, 0.0, 1.5, np.nan, "all", True, [1]])
def test_wrong_number_of_draws(max_samples):
    with pytest.raises(ValueError, match="max_samples must be a whole number from 1 to 9"):
        number_of_draws(max_samples, True, 9)
