"""Reading tables: which columns are categories, what their levels are, what is refused."""

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused

from treelab.fast.inputs import (
    check_weights,
    class_codes,
    encode,
    find_categorical,
    learn_categories,
    read_classes,
)

B = pd.Categorical(["y", "x"], categories=["z", "y", "x"])
FRAME = pd.DataFrame({"a": [1.0, 2.0], "b": B, "c": ["u", "t"]}, index=[7, 5])
LEVELS = {0: np.array(["x", "y"], dtype=object)}


@each(
    ("wanted", "expected"),
    [
        (None, []),
        ("from_dtype", [1]),
        ("all", [0, 1, 2]),
        ([], []),
        ([2, 1, 2], [1, 2]),
        ([0], [0]),
        (["c", "b"], [1, 2]),
        ([False, True, True], [1, 2]),
        (np.array([2]), [2]),
    ],
)
def test_categorical_columns_by_every_name(wanted, expected):
    assert find_categorical(FRAME, wanted) == expected


def test_declared_levels_stay_and_others_are_sorted():
    levels = learn_categories(FRAME, [1, 2])
    assert {j: names.tolist() for j, names in levels.items()} == {
        1: ["z", "y", "x"], 2: ["t", "u"],
    }  # fmt: skip


def test_codes_follow_the_levels():
    coded = encode(FRAME, learn_categories(FRAME, [1, 2]))
    assert coded.tolist() == [[1, 1, 1], [2, 2, 0]]
    assert FRAME["c"].tolist() == ["u", "t"]  # what was given is unchanged


def test_an_unknown_level_may_be_a_gap_where_gaps_are_refused():
    rows = pd.DataFrame({"a": ["y", "w"]})
    np.testing.assert_array_equal(encode(rows, LEVELS, False, "missing"), [[1], [np.nan]])


@pytest.mark.parametrize("gap", [None, np.nan, pd.NA])
def test_gaps_are_refused_or_become_nan(gap):
    rows = pd.DataFrame({"a": ["x", gap], "b": [1.0, gap]}, dtype=object)
    levels = learn_categories(rows, None, text_is_levels=True)
    assert {j: names.tolist() for j, names in levels.items()} == {0: ["x"]}
    np.testing.assert_array_equal(encode(rows, levels, True), [[0, 1], [np.nan, np.nan]])
    with pytest.raises(ValueError, match="NaN or None in column 'a'"):
        encode(rows, levels)


def test_an_array_of_numbers_is_not_copied():
    rows = np.arange(6.0).reshape(3, 2)
    assert encode(rows, {}) is rows


def test_numbers_as_text_and_truth_values_are_numbers():
    assert encode(np.array([["1", "2.5"]]), {}).tolist() == [[1, 2.5]]
    assert encode(np.array([[True, False]]), {}).tolist() == [[1, 0]]


def test_classes_are_sorted_and_coded():
    labels, codes = read_classes(["b", "a", "c", "b"])
    assert labels.tolist() == ["a", "b", "c"]
    assert codes.tolist() == [1, 0, 2, 1]


def test_known_classes_have_codes_whatever_their_order_and_type():
    assert class_codes(pd.Series(["a", "b"]), np.array(["b", "a"])).tolist() == [1, 0]
    assert class_codes([2.0, 1.0], np.array([1, 2])).tolist() == [1, 0]
    assert class_codes(np.array([True, False]), np.array([0, 1])).tolist() == [1, 0]


def test_an_unknown_class_is_an_error_or_minus_one():
    y, classes = ["b", "c", None, np.nan], np.array(["a", "b"])
    assert class_codes(y, classes, allow_unknown=True).tolist() == [1, -1, -1, -1]


def test_weights_may_be_zero_and_one_number_holds_for_all():
    assert check_weights([0, 2], 2).tolist() == [0, 2]
    assert check_weights(3, 2).tolist() == [3, 3]


@each("case", refused("inputs"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())
