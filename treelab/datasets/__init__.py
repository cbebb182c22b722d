"""Data sets of the book.

``load_*``: the small tables that the chapters work by hand. They come as a DataFrame with the
target in the last column, or as ``(X, y)`` with ``return_X_y=True``. Text columns are pandas
categoricals with declared categories, so that a category without a row is still known.

``make_*``: artificial data from a known truth; two of them are scikit-learn's own.

``fetch_*``: real data by name, as a scikit-learn ``Bunch`` of ``frame``, ``data``, ``target``,
``feature_names``, ``target_name`` and ``DESCR`` (citation, licence, notes). They are read from the
folder that the environment variable ``TREELAB_DATA`` names, else from OpenML.

Vocabulary: *frame* all columns; *X* or *data* the features; *y* or *target* the target.
"""

import importlib

import pandas as pd
from sklearn.datasets import make_friedman1, make_moons

from treelab.datasets.fetch import as_bunch, dataset_info, dataset_table, describe, fetch_data_set
from treelab.datasets.generators import (
    exponential_product,
    make_exponential_product,
    make_many_valued,
    make_masked_sine,
    make_products,
    make_steps,
    make_waveform,
    make_xor,
    masked_sine,
    products,
    steps,
)
from treelab.datasets.tables import (
    choice,
    load_bike_demand,
    load_bike_rentals,
    load_golf,
    load_mushrooms,
    load_postoperative,
    load_ten_points,
    load_vegetation,
)

__all__ = [
    "dataset_info", "dataset_table", "exponential_product", "fetch_ada", "fetch_anneal",
    "fetch_arcene", "fetch_arrhythmia", "fetch_auto", "fetch_bike_sharing", "fetch_german_credit",
    "fetch_hill_valley", "fetch_horse_colic", "fetch_hypothyroid", "fetch_ionosphere",
    "fetch_madelon", "fetch_musk1", "fetch_ozone", "fetch_parkinsons", "fetch_sick", "fetch_sonar",
    "fetch_vehicle", "fetch_wine_quality", "load_bike_demand", "load_bike_rentals", "load_golf",
    "load_mushrooms", "load_postoperative", "load_ten_points", "load_vegetation",
    "make_exponential_product", "make_friedman1", "make_many_valued", "make_masked_sine",
    "make_moons", "make_products", "make_steps", "make_waveform", "make_xor", "masked_sine",
    "products", "steps",
]  # fmt: skip


def fetch_bike_sharing(frequency="hour", *, data_home=None, return_X_y=False):
    """Fetch two years of bike rentals in Washington, D.C.; Bunch, or (DataFrame, Series).

    The target is ``cnt``, the number of rentals. ``casual`` and ``registered`` add up to it and
    are in ``frame`` only. Unexpected data are a ValueError, and data that are neither in
    ``TREELAB_DATA`` nor available from OpenML an OSError.

    Parameters
    ----------
    frequency : {"hour", "day"}, default="hour"
        17379 hours or 731 days; the daily file is not in OpenML.
    data_home : str or None, default=None
        Folder in which scikit-learn keeps its downloads.
    return_X_y : bool, default=False
        Return ``(data, target)`` instead of the Bunch.

    References
    ----------
    Fanaee-T and Gama (2013), Progress in Artificial Intelligence. UCI doi:10.24432/C5W894.

    Examples
    --------
    >>> dataset_info("bike_sharing_hour").not_inputs
    ('instant', 'dteday', 'casual', 'registered')
    """
    choice("frequency", frequency, ("hour", "day"))
    return fetch_data_set(f"bike_sharing_{frequency}", data_home, return_X_y)


def fetch_wine_quality(color="both", *, data_home=None, return_X_y=False):
    """Fetch the quality of Portuguese wines and eleven chemical measurements of each.

    The target is ``quality``, a whole number from 3 to 9.

    Parameters
    ----------
    color : {"red", "white", "both"}, default="both"
        1599 red wines, 4898 white ones, or the red followed by the white with a further input
        ``color``.
    data_home, return_X_y
        As in `fetch_bike_sharing`; so are the errors.

    References
    ----------
    Cortez et al. (2009), Decision Support Systems 47:547-553.

    Examples
    --------
    >>> dataset_info("wine_quality_white").n_rows
    4898
    """
    choice("color", color, ("red", "white", "both"))
    if color != "both":
        return fetch_data_set(f"wine_quality_{color}", data_home, return_X_y)
    frames = {c: fetch_data_set(f"wine_quality_{c}", data_home).frame for c in ("red", "white")}
    frame = pd.concat(frames.values(), ignore_index=True)
    colors = [c for c, rows in frames.items() for _ in range(len(rows))]
    frame.insert(11, "color", pd.Categorical(colors, categories=["red", "white"]))
    text = "\n".join(describe(dataset_info(f"wine_quality_{c}")) for c in frames)
    return as_bunch(frame, "quality", list(frame.columns[:-1]), text, return_X_y)


def _fetcher(name, summary):
    """Make ``fetch_<name>`` from the registry's entry."""
    info = dataset_info(name)

    def fetcher(*, data_home=None, return_X_y=False):
        return fetch_data_set(name, data_home, return_X_y)

    fetcher.__name__ = fetcher.__qualname__ = f"fetch_{name}"
    fetcher.__doc__ = f"""{summary}

    {info.n_rows} rows, {info.n_columns} columns; the target is ``{info.target}``. {info.notes}

    Parameters
    ----------
    data_home, return_X_y
        As in `fetch_bike_sharing`; so are the errors.

    References
    ----------
    {info.cite}

    Examples
    --------
    >>> dataset_info("{name}").n_rows
    {info.n_rows}
    """
    return fetcher


fetch_ada = _fetcher("ada", "Fetch ADA: who earns more than 50 000 dollars, in coded inputs.")
fetch_anneal = _fetcher("anneal", "Fetch annealed steel coils and sheets, with many empty cells.")
fetch_arcene = _fetcher("arcene", "Fetch Arcene: cancer from 10 000 features of mass spectra.")
fetch_arrhythmia = _fetcher("arrhythmia", "Fetch heart rhythms from electrocardiograms.")
fetch_auto = _fetcher("auto", "Fetch cars of 1985 and how an insurer rates their risk.")
fetch_german_credit = _fetcher("german_credit", "Fetch 1000 German credits, good and bad.")
fetch_hill_valley = _fetcher("hill_valley", "Fetch curves with a hill (1) or a valley (0).")
fetch_horse_colic = _fetcher("horse_colic", "Fetch horses with colic: was the lesion surgical?")
fetch_hypothyroid = _fetcher("hypothyroid", "Fetch thyroid patients, hypothyroid or not.")
fetch_ionosphere = _fetcher("ionosphere", "Fetch radar returns from the ionosphere.")
fetch_madelon = _fetcher("madelon", "Fetch Madelon: 20 useful features among 500.")
fetch_musk1 = _fetcher("musk1", "Fetch shapes of molecules that smell of musk (1) or do not (0).")
fetch_ozone = _fetcher("ozone", "Fetch daily ozone in Los Angeles and the weather of the day.")
fetch_parkinsons = _fetcher("parkinsons", "Fetch measurements of voices, with Parkinson's or not.")
fetch_sick = _fetcher("sick", "Fetch thyroid patients, sick or negative.")
fetch_sonar = _fetcher("sonar", "Fetch sonar echoes of mines (M) and rocks (R).")
fetch_vehicle = _fetcher("vehicle", "Fetch silhouettes of four kinds of vehicle.")


def __getattr__(name):
    # The wind farm stands beside the figures of its chapter, and is found here like all generators.
    if name == "make_wind_farm":
        return importlib.import_module("treelab.figures.wind_farm").make_wind_farm
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
