"""The measures of a classifier are those of scikit-learn, ties and constant scores included."""

from math import inf, isnan, log, nan

import numpy as np
import pytest
import sklearn.metrics as expected
from cases import each
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from treelab import metrics

same = settings(max_examples=40, deadline=None, derandomize=True, database=None)
classes = st.sampled_from([0, 1])
some_scores = st.one_of(
    st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    st.floats(-1e6, 1e6),
    st.floats(0, 1),
)
columns = st.lists(st.tuples(classes, some_scores), min_size=1, max_size=25)
probabilities = st.one_of(st.sampled_from([0.0, 0.5, 1.0, 1e-300]), st.floats(0, 1))
silent = pytest.mark.filterwarnings("ignore")


def close(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-15)


@silent
@same
@given(st.lists(st.tuples(classes, classes), min_size=1, max_size=25))
@example([(0, 0)])
@example([(1, 0), (1, 0)])
@example([(0, 1)])
def test_predicted_classes(pairs):
    y, predicted = map(list, zip(*pairs))
    matrix = expected.confusion_matrix(y, predicted, labels=[0, 1])
    assert metrics.confusion_matrix(y, predicted) == matrix.tolist()
    assert metrics.accuracy(y, predicted) == expected.accuracy_score(y, predicted)
    assert metrics.precision(y, predicted) == expected.precision_score(y, predicted)
    assert metrics.recall(y, predicted) == expected.recall_score(y, predicted)
    close(metrics.f1(y, predicted), expected.f1_score(y, predicted))


@same
@given(columns, st.booleans())
@example([(0, 0.5), (1, 0.5)], True)
@example([(0, 0.0), (1, 0.5), (0, 0.0), (1, -0.0)], True)
def test_roc_curve(pairs, drop):
    y, scores = map(list, zip(*pairs))
    assume(len(set(y)) == 2)
    found = metrics.roc_curve(y, scores, drop_intermediate=drop)
    for one, wanted in zip(found, expected.roc_curve(y, scores, drop_intermediate=drop)):
        assert isinstance(one, list)
        np.testing.assert_array_equal(one, wanted)
    assert found[2][0] == inf


@same
@given(columns)
def test_area_under_the_roc_curve_counts_pairs(pairs):
    y, scores = map(list, zip(*pairs))
    assume(len(set(y)) == 2)
    positive, negative = ([s for k, s in pairs if k == wanted] for wanted in (1, 0))
    won = sum((s > t) + (s == t) / 2 for s in positive for t in negative)
    assert metrics.roc_auc(y, scores) == won / (len(positive) * len(negative))
    close(metrics.roc_auc(y, scores), expected.roc_auc_score(y, scores))


@same
@given(columns)
@example([(1, 0.5), (1, 0.25)])
def test_precision_recall_curve_and_its_mean(pairs):
    y, scores = map(list, zip(*pairs))
    assume(1 in y)
    found = metrics.precision_recall_curve(y, scores)
    for one, wanted in zip(found, expected.precision_recall_curve(y, scores, pos_label=1)):
        assert isinstance(one, list)
        np.testing.assert_array_equal(one, wanted)
    close(metrics.average_precision(y, scores), expected.average_precision_score(y, scores))


@same
@given(st.lists(st.tuples(classes, probabilities), min_size=1, max_size=25))
@example([(1, 0.0), (0, 1.0)])
@example([(1, 1.0)])
def test_probabilities(pairs):
    y, p = map(list, zip(*pairs))
    close(metrics.log_loss(y, p), expected.log_loss(y, y_proba=p, labels=[0, 1]))
    close(metrics.brier_score(y, p), np.mean(np.subtract(y, p) ** 2))
    if len(set(y)) == 2:
        close(metrics.brier_score(y, p), expected.brier_score_loss(y, y_proba=p))


def test_a_certain_error_costs_a_finite_number():
    assert metrics.log_loss([1], [0.0]) == -log(np.finfo(float).eps)


@silent
def test_undefined_curves_are_errors_where_scikit_learn_warns():
    """The errors of a single class, beside what scikit-learn returns instead."""
    for curve in (metrics.roc_curve, metrics.roc_auc):
        for k in (0, 1):
            with pytest.raises(ValueError, match=f"^y must have a case of class {1 - k}"):
                curve([k, k], [0.1, 0.2])
    assert isnan(expected.roc_auc_score([1, 1], [0.1, 0.2]))
    for curve in (metrics.precision_recall_curve, metrics.average_precision):
        with pytest.raises(ValueError, match="^y must have a case of class 1"):
            curve([0, 0], [0.1, 0.2])
    assert expected.average_precision_score([0, 0], [0.1, 0.2]) == 0


OF = {
    "predicted": [metrics.confusion_matrix, metrics.accuracy, metrics.precision, metrics.recall],
    "scores": [metrics.roc_curve, metrics.roc_auc, metrics.precision_recall_curve],
    "p": [metrics.log_loss, metrics.brier_score],
}
OF["predicted"].append(metrics.f1)
OF["scores"].append(metrics.average_precision)
BAD = {
    "predicted": ([0, 2], [0, "1"], [0.5, 1], [nan, 1]),
    "scores": ([nan, 0.5], [inf, 0.5], [0.5, -inf]),
    "p": ([nan, 0.5], [1.5, 0.5], [0.5, -1e-9]),
}


@each("name, function", [(name, function) for name in OF for function in OF[name]])
def test_values_lengths_and_classes_that_a_column_cannot_have_are_refused(name, function):
    for bad in BAD[name]:
        with pytest.raises(ValueError, match=f"^{name} must hold values that are "):
            function([0, 1], bad)
    with pytest.raises(ValueError, match=rf"^{name} must have a value per case, got 3 for 2\."):
        function([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match=r"^y must have a value per case, got 0 for 0\."):
        function([], [])
    for y in ([0, 2], [-1, 1], ["no", "yes"], [0.5, 1]):
        with pytest.raises(ValueError, match=r"^y must hold values that are 0 or 1, got "):
            function(y, [0, 1])


def test_arrays_give_the_same_as_lists():
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 2, 30), rng.integers(0, 5, 30) / 4
    assert metrics.roc_auc(y, p) == metrics.roc_auc(y.tolist(), p.tolist())
    assert metrics.roc_curve(y, p) == metrics.roc_curve(y.tolist(), p.tolist())
    assert metrics.recall(y, p > 0.5) == metrics.recall(y.tolist(), (p > 0.5).tolist())
