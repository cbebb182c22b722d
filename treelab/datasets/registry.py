"""Registry of the real data sets, whose entries are in ``registry.toml``."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

UCI = "CC BY 4.0, as the UCI Machine Learning Repository states for its donated data sets"


@dataclass(frozen=True)
class DataSet:
    """Entry of one real data set."""

    title: str
    file: str  # its name in the folder TREELAB_DATA
    sha256: str
    n_rows: int
    n_columns: int
    missing: int
    target: str
    column_sum: float  # result of `treelab.datasets.fetch.column_sum`
    cite: str
    licence: str = UCI
    counts: dict | None = None  # rows per class
    total: float | None = None  # sum of a numeric target
    levels: dict = field(default_factory=dict)  # column -> its categories, in order
    not_inputs: tuple = ()  # columns left out of `data`
    notes: str = ""
    rename: dict = field(default_factory=dict)  # column in the file -> column in the frame
    decode: dict = field(default_factory=dict)  # column -> {code in the file: label}
    openml: int | None = None  # OpenML's data id
    inputs: tuple | None = None  # names of the inputs where OpenML's differ, in the same order
    openml_rows: int | None = None  # the first rows of OpenML's copy are this set
    openml_labels: dict = field(default_factory=dict)  # label in OpenML -> label in the frame
    openml_exact: bool = False  # refuse a copy with other cells; else only warn


def _data_set(entry):
    """Return the `DataSet` of an entry of ``registry.toml``, whose abbreviations are expanded."""
    levels = {
        column: tuple(text.split("|"))
        for text, columns in entry.get("levels", {}).items()
        for column in columns.split()
    }
    decode = {
        column: dict(pair.split("=", 1) for pair in text.split("|"))
        for column, text in entry.get("decode", {}).items()
    }
    levels |= {column: tuple(codes.values()) for column, codes in decode.items()}
    inputs = entry.get("inputs")
    if isinstance(inputs, dict):  # V1, V2, ..., as the file has them
        inputs = [f"{inputs['letter']}{i}" for i in range(1, inputs["n"] + 1)]
    counts = entry.get("counts")
    if counts and entry["target"] not in levels:
        counts = {int(number): n for number, n in counts.items()}
    read = {"levels": levels, "decode": decode, "counts": counts}
    read |= {"inputs": inputs and tuple(inputs), "not_inputs": tuple(entry.get("not_inputs", ()))}
    return DataSet(**(entry | read))


_TEXT = Path(__file__).with_name("registry.toml").read_text(encoding="utf-8")
REGISTRY = {name: _data_set(entry) for name, entry in tomllib.loads(_TEXT).items()}
