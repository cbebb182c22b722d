"""Real data by name: read a file, or download it from OpenML, and check the result.

If ``TREELAB_DATA`` names a folder that holds the data set's file, the file is read and its SHA-256
compared with the registry's. Otherwise scikit-learn's ``fetch_openml`` brings (and caches) OpenML's
copy, which is renamed, put in order and checked: rows, missing cells, class counts or target sum,
and a sum over all cells. Data that fail a check are never returned silently.

Vocabulary: *info* the entry of a data set in the registry.
"""

import hashlib
import os
import warnings
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pandas as pd
from sklearn.datasets import fetch_openml
from sklearn.utils import Bunch

from treelab.datasets.registry import REGISTRY

_YES = {"True": 1, "TRUE": 1, "1": 1, "False": 0, "FALSE": 0, "0": 0}
_BIKE_CODES = {  # the file's code of each of OpenML's labels
    "season": {"spring": 1, "summer": 2, "fall": 3, "winter": 4},
    "holiday": _YES,
    "workingday": _YES,
    "weather": {"clear": 1, "misty": 2, "rain": 3, "heavy_rain": 4},
}
_BIKE_UNITS = {"temp": 41, "feel_temp": 50, "windspeed": 67}  # what is 1 in the file
_BIKE_COLUMNS = (
    "season year month hour holiday weekday workingday weather temp feel_temp humidity windspeed"
).split()


def dataset_info(name):
    """Return the entry of a real data set in the registry, a `DataSet`, without reading data.

    It has ``file``, ``sha256``, ``n_rows``, ``n_columns``, ``target``, ``cite``, ``licence``,
    ``notes`` and more.

    Parameters
    ----------
    name : str
        One of ``dataset_table().index``; otherwise a ValueError.

    Examples
    --------
    >>> dataset_info("sonar").counts
    {'M': 111, 'R': 97}
    """
    if name not in REGISTRY:
        raise ValueError(f"No data set is called {name!r}. Choose from {', '.join(REGISTRY)}.")
    return REGISTRY[name]


def dataset_table():
    """List the real data sets: size, target, file and OpenML id; DataFrame (n_data_sets, 7).

    It is indexed by name. ``openml`` is missing where OpenML has no copy known to be the same.

    Examples
    --------
    >>> dataset_table().loc["wine_quality_red", ["target", "file"]].tolist()
    ['quality', 'wine_quality_red.csv']
    """
    shown = ["title", "n_rows", "n_columns", "missing", "target", "file", "openml"]
    rows = {name: [getattr(info, what) for what in shown] for name, info in REGISTRY.items()}
    columns = [what.removeprefix("n_") for what in shown]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    return table.astype({"openml": "Int64"})


def column_sum(frame, info):
    """Compute a number that changes with every numeric input cell and the order of the columns.

    It is the sum over the numeric inputs j = 1, 2, ... of j times the sum of column j, in float64.
    The order of the rows does not matter.
    """
    sums = frame[_inputs(frame, info)].select_dtypes("number").sum().to_numpy(dtype=float)
    return float(sums @ np.arange(1, len(sums) + 1))


def _inputs(frame, info):
    return [c for c in frame.columns if c != info.target and c not in info.not_inputs]


def _typed(frame, info):
    """Convert text to declared categories, whole numbers to int64 and others to float64."""
    columns = {}
    for column in frame.columns:
        values = frame[column]
        if column in info.levels:
            levels = list(info.levels[column])
            if unknown := sorted(set(values.dropna()) - set(levels)):
                raise ValueError(
                    f"Column {column!r} of {info.title} holds {unknown}; known are {levels}."
                )
            columns[column] = pd.Categorical(values, categories=levels)
        elif column in info.not_inputs and not pd.api.types.is_numeric_dtype(values):
            columns[column] = values.astype(object)
        else:
            numbers = pd.to_numeric(values).to_numpy(dtype=float, na_value=np.nan)
            whole = np.isfinite(numbers).all() and (numbers == np.round(numbers)).all()
            columns[column] = numbers.astype(np.int64) if whole else numbers
    last = [c for c in columns if c != info.target] + [info.target]
    return pd.DataFrame(columns)[last]


def _local_file(info):
    """Return the file of the data set in the folder ``TREELAB_DATA``, or None."""
    folder = os.environ.get("TREELAB_DATA")
    if folder and not Path(folder).is_dir():
        raise NotADirectoryError(
            f"TREELAB_DATA is {folder!r}, which is not a folder. Set it to the folder with the "
            "data files, or unset it to use OpenML."
        )
    path = Path(folder or "", info.file)
    return path if folder and path.is_file() else None


def _from_file(path, info):
    """Read a file of the registry, after comparing its SHA-256."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != info.sha256:
        raise ValueError(
            f"{path} is not the file that treelab knows: its SHA-256 is {digest}, expected "
            f"{info.sha256}. Replace the file, or unset TREELAB_DATA to use OpenML."
        )
    text = {c: str for c in set(info.levels) | set(info.decode)}
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""], dtype=text)
    frame = frame.rename(columns=info.rename)
    for column, labels in info.decode.items():
        frame[column] = frame[column].map(labels)
    return _typed(frame, info)


def _plain_text(values):
    """Convert values to text, whole numbers without a decimal point; missing ones stay missing."""
    return values.astype(object).map(
        lambda v: str(int(v)) if isinstance(v, (float, np.floating)) and v == int(v) else str(v),
        na_action="ignore",
    )


def _from_openml(name, info, data_home):
    """Return OpenML's copy with the columns, labels and types of the registry."""
    where = f"OpenML has no copy of {name} that is known to be the same"
    remedy = (
        f"Put {info.file} (SHA-256 {info.sha256}; origin: {info.cite}) into a folder and set "
        "the environment variable TREELAB_DATA to that folder."
    )
    if info.openml is None:
        raise FileNotFoundError(f"{where}. {remedy}")
    try:
        got = fetch_openml(data_id=info.openml, as_frame=True, data_home=data_home)
    except OSError as error:
        raise OSError(
            f"The data set {name} could not be fetched: asking OpenML for number {info.openml} "
            f"failed ({error}). Check the network, or work without it. {remedy}"
        ) from error
    data, target = got.data, got.target
    if info.openml_rows:
        data, target = data.iloc[: info.openml_rows], target.iloc[: info.openml_rows]
    if name == "bike_sharing_hour":
        data = _bike_from_openml(data)
    names = list(info.inputs or map(unquote, data.columns))
    absent = sorted(set(info.levels) - set(names) - {info.target})
    if len(names) != data.shape[1] or absent:
        raise ValueError(
            f"OpenML's copy of {name} has the columns {list(data.columns)[:20]}; expected "
            f"{len(names)}, among them {absent or names[:20]}. {remedy}"
        )
    frame = data.set_axis(names, axis=1).copy()
    frame[info.target] = _plain_text(target).replace(info.openml_labels)
    for column in set(info.levels) & set(frame.columns) - {info.target}:
        frame[column] = _plain_text(frame[column]).replace(info.openml_labels)
    return _typed(frame.reset_index(drop=True), info)


def _bike_from_openml(data):
    """Convert the labels and physical units of OpenML to codes and fractions as in the file."""
    codes = {c: _plain_text(data[c]).map(code) for c, code in _BIKE_CODES.items()}
    shares = {c: (data[c].astype(float) / one).round(4) for c, one in _BIKE_UNITS.items()}
    frame = data[_BIKE_COLUMNS].assign(**codes, **shares)
    return frame.set_axis(REGISTRY["bike_sharing_hour"].inputs, axis=1)


def _check(name, frame, info):
    """Compare the data with the registry."""
    found = {"rows": len(frame), "missing cells": int(frame.isna().sum().sum())}
    expected = {"rows": info.n_rows, "missing cells": info.missing}
    target = frame[info.target]
    if info.counts is not None:
        counts = target.value_counts()
        found["class counts"] = {k: int(counts[k]) for k in sorted(counts.index) if counts[k]}
        expected["class counts"] = dict(sorted(info.counts.items()))
    else:
        found["target sum"], expected["target sum"] = float(target.sum()), float(info.total)
    wrong = [f"{k} {found[k]} (expected {expected[k]})" for k in found if found[k] != expected[k]]
    if wrong:
        raise ValueError(f"The data set {name} is not the expected one: {'; '.join(wrong)}.")
    total = column_sum(frame, info)
    if not np.isclose(total, info.column_sum, rtol=1e-12, atol=1e-6):
        message = (
            f"Some cells of {name} differ from the copy that treelab's numbers were "
            f"computed on: column sum {total!r}, expected {info.column_sum!r}."
        )
        if info.openml_exact:
            raise ValueError(message)
        warnings.warn(message, UserWarning, stacklevel=4)


def describe(info):
    """Return title, size, citation, licence and notes of a data set, as text for ``DESCR``."""
    inputs = f", {', '.join(info.not_inputs)} not inputs" if info.not_inputs else ""
    size = f"{info.n_rows} rows, {info.n_columns} columns, target {info.target}{inputs}."
    source = f"Cite: {info.cite}\nLicence: {info.licence}\nNotes: {info.notes or 'none'}"
    return f"{info.title}\n{size}\n{source}"


def fetch_data_set(name, data_home=None, return_X_y=False):
    """Read, check and return one data set of the registry."""
    info = dataset_info(name)
    path = _local_file(info)
    frame = _from_file(path, info) if path else _from_openml(name, info, data_home)
    _check(name, frame, info)
    return as_bunch(frame, info.target, _inputs(frame, info), describe(info), return_X_y)


def as_bunch(frame, target_name, inputs, description, return_X_y):
    """Return a Bunch, or (data, target); rows without a target are in the frame only."""
    known = frame[frame[target_name].notna()].reset_index(drop=True)
    data, target = known[inputs], known[target_name]
    if return_X_y:
        return data, target
    return Bunch(
        frame=frame, data=data, target=target, feature_names=inputs, target_name=target_name,
        DESCR=description,
    )  # fmt: skip
