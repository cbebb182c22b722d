"""A tree in words: questions, the table of nodes, and the whole as text."""

import numpy as np
import pandas as pd

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.fast.tree.words import question

X = pd.DataFrame(
    {
        "color": pd.Categorical(["red", "red", "green", "green", "blue", "blue"]),
        "age": [3.0, 4.123456, 1.0, 5.0, 2.0, 6.0],
    }
)
WEIGHT = [1, 1, 1, 2, 1, 1]


def mushrooms():
    """Green and blue are safe; among the red the young ones are."""
    y = ["toxic", "safe", "safe", "safe", "safe", "safe"]
    return DecisionTreeClassifier().fit(X, y, sample_weight=WEIGHT)


def test_question_of_a_number():
    assert question("age", 1.23456789, None) == "age <= 1.235"
    assert question("age", 1.23456789, None, left=False, digits=2) == "age > 1.2"


def test_question_of_a_category_names_the_levels_of_the_side():
    left = np.array([True, False, True])
    assert question("color", np.nan, left, ["blue", "green", "red"]) == "color in {blue, red}"
    assert question("color", np.nan, left, ["blue", "green", "red"], False) == "color in {green}"
    assert question("x[0]", np.nan, left) == "x[0] in {0, 2}"
    # A shorter list of levels than the longest one of the tree
    assert question("size", np.nan, left, ["big", "small"], False) == "size in {small}"


def test_test_uses_the_names_it_gets():
    model = mushrooms()
    tree, names = model.tree_, model.feature_names_in_
    assert tree.test(0) == "x[0] in {0, 1}"
    assert tree.test(0, names, model.categories_, left=False) == "color in {red}"


def test_frame_has_questions_answers_and_the_numbers_of_every_node():
    frame = mushrooms().to_frame()
    assert frame.index.name == "node"
    assert frame["test"].tolist()[::2][:2] == ["color in {blue, green}", "age <= 3.562"]
    assert frame["test"].isna().tolist() == [False, True, False, True, True]
    assert frame["rule"].tolist()[1:] == [
        "color in {blue, green}",
        "color in {red}",
        "age <= 3.562",
        "age > 3.562",
    ]
    assert pd.isna(frame["rule"][0])
    assert frame["depth"].tolist() == [0, 1, 1, 2, 2]
    assert frame["parent"].tolist() == [-1, 0, 0, 2, 2]
    assert frame["left"].tolist() == [1, -1, 3, -1, -1]
    assert frame["right"].tolist() == [2, -1, 4, -1, -1]
    assert frame["n"].tolist() == [6, 4, 2, 1, 1]
    assert frame["weight"].tolist() == [7, 5, 2, 1, 1]
    assert frame["impurity"].round(4).tolist() == [0.2449, 0, 0.5, 0, 0]
    assert frame["share_1"].round(4).tolist() == [0.1429, 0, 0.5, 1, 0]
    numbers = DecisionTreeRegressor().fit([[1], [2]], [3.0, 5.0]).to_frame()
    assert numbers["value"].tolist() == [4, 3, 5]
    assert "share_0" not in numbers


def test_text_is_indented_by_depth_and_names_classes():
    assert mushrooms().export_text() == (
        "|--- color in {blue, green}\n"
        "|   |--- class: safe\n"
        "|--- color in {red}\n"
        "|   |--- age <= 3.562\n"
        "|   |   |--- class: toxic\n"
        "|   |--- age > 3.562\n"
        "|   |   |--- class: safe\n"
    )
    assert "class: 1" in mushrooms().tree_.export_text()


def test_text_of_numbers_and_digits():
    model = DecisionTreeRegressor().fit(pd.DataFrame({"age": [1.0, 4.123456]}), [0.0, 1.23456789])
    assert model.export_text() == (
        "|--- age <= 2.562\n|   |--- value: 0\n|--- age > 2.562\n|   |--- value: 1.235\n"
    )
    assert "age <= 2.56173\n" in model.export_text(digits=6)
    assert "age > 2.6\n" in model.export_text(digits=2)
    assert DecisionTreeRegressor().fit([[1]], [2.0]).export_text() == "|--- value: 2\n"
