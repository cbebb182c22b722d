"""What is recorded of one real data set, and short ways to write it down.

Vocabulary: *file* name in the folder ``TREELAB_DATA``; *sha256* of that file; *target* column;
*levels* column -> its categories, in order; *not_inputs* columns left out of ``data``; *counts*
rows per class; *total* sum of a numeric target; *column_sum* the number that
``treelab.datasets.fetch.column_sum`` gives for the numeric inputs.
"""

from dataclasses import dataclass, field

UCI = "CC BY 4.0, as the UCI Machine Learning Repository states for its donated data sets"


@dataclass(frozen=True)
class DataSet:
    """What is known of one real data set; see the module's vocabulary."""

    title: str
    file: str
    sha256: str
    n_rows: int
    n_columns: int
    missing: int
    target: str
    column_sum: float
    cite: str
    licence: str = UCI
    counts: dict | None = None
    total: float | None = None
    levels: dict = field(default_factory=dict)
    not_inputs: tuple = ()
    notes: str = ""
    rename: dict = field(default_factory=dict)  # column in the file -> column in the frame
    decode: dict = field(default_factory=dict)  # column -> {code in the file: label}
    openml: int | None = None  # OpenML's data id
    inputs: tuple | None = None  # names of the inputs where OpenML's differ, in the same order
    openml_rows: int | None = None  # the first rows of OpenML's copy are this set
    openml_labels: dict = field(default_factory=dict)  # label in OpenML -> label in the frame
    openml_exact: bool = False  # refuse a copy with other cells; else only warn


def levels(table):
    """Levels of each column from {"level|level": "column column"}."""
    return {
        column: tuple(text.split("|"))
        for text, columns in table.items()
        for column in columns.split()
    }


def numbered(letter, n):
    """Names like V1, V2, ..., as the file has them."""
    return tuple(f"{letter}{i}" for i in range(1, n + 1))


def coded(**codes):
    """Codes and labels of each column, written "A1=label|A2=label"."""
    return {
        column: dict(pair.split("=", 1) for pair in text.split("|"))
        for column, text in codes.items()
    }
