"""Input: tables, targets, weights and parameters are checked and read for the algorithms.

A numeric feature stays a number. A categorical feature becomes the codes 0, 1, 2, ... of its
categories: those that a pandas categorical declares, used or not and in that order, or else the
sorted values. Whatever cannot be read raises an error that names the argument, the column and the
remedy; nothing is guessed.

Vocabulary
----------
level : a category, one of the values of a categorical feature
categories : dict from column number to the array of the column's levels
missing value : None, NaN, NaT or pd.NA
"""

from treelab.fast.inputs.parameters import (
    HIGHEST_SEED,
    Number,
    OneOf,
    check_methods,
    check_number,
    check_settings,
    parameter,
    set_seeds,
)
from treelab.fast.inputs.tables import (
    Table,
    as_table,
    check_values,
    column_of,
    encode,
    feature_names,
    find_categorical,
    learn_categories,
    on_columns,
)
from treelab.fast.inputs.targets import (
    MOST_CLASSES,
    TASKS,
    ClassTarget,
    NumberTarget,
    check_weights,
    class_codes,
    find_task,
    is_continuous,
    read_classes,
    read_numbers,
    weigh_classes,
)

__all__ = [
    "HIGHEST_SEED",
    "ClassTarget",
    "MOST_CLASSES",
    "Number",
    "NumberTarget",
    "OneOf",
    "TASKS",
    "Table",
    "as_table",
    "check_methods",
    "check_number",
    "check_settings",
    "check_values",
    "check_weights",
    "class_codes",
    "column_of",
    "encode",
    "feature_names",
    "find_categorical",
    "find_task",
    "is_continuous",
    "learn_categories",
    "on_columns",
    "parameter",
    "read_classes",
    "read_numbers",
    "set_seeds",
    "weigh_classes",
]
