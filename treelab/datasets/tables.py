"""The small tables that the chapters work by hand, row by row as the sources print them.

The rows are in ``tables.toml``. Text columns are categoricals whose categories are declared, in a
sensible order.
"""

import tomllib
from pathlib import Path

import pandas as pd

_TABLES = tomllib.loads(Path(__file__).with_name("tables.toml").read_text(encoding="utf-8"))


def _read(name):
    """Read a table of ``tables.toml``: text as categoricals, the others as whole numbers."""
    table = _TABLES[name]
    rows = [line.split() for line in table["rows"].strip().splitlines()]
    frame = pd.DataFrame(rows, columns=table["columns"].split())
    levels = {column: text.split() for column, text in table["levels"].items()}
    return frame.astype(
        {c: pd.CategoricalDtype(levels[c]) if c in levels else "int64" for c in frame.columns}
    )


def _hand_out(frame, return_X_y):
    """Return the table, or all columns but the last and the last one."""
    return (frame.iloc[:, :-1], frame.iloc[:, -1]) if return_X_y else frame


def choice(name, value, allowed):
    """Raise unless the argument `name` has one of the allowed values."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}.")


def load_mushrooms(*, return_X_y=False):
    """Load 14 mushrooms, eatable or toxic; DataFrame of shape (14, 4).

    ``color`` (red, brown, green), ``size`` (small, large), ``spots`` (no, yes) and the target
    ``eatability`` (eatable 9 times, toxic 5 times).

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(X, y)`` instead of one frame.

    References
    ----------
    Lecture notes "Trees, bagging and random forests", section on ID3, pages 13-16.

    Examples
    --------
    >>> load_mushrooms()["eatability"].value_counts().to_dict()
    {'eatable': 9, 'toxic': 5}
    """
    return _hand_out(_read("mushrooms"), return_X_y)


def load_vegetation(elevation="level", *, return_X_y=False):
    """Load seven places and the vegetation that grows there; DataFrame of shape (7, 4).

    ``stream`` (false, true), ``slope`` (flat, moderate, steep), ``elevation`` and the target
    ``vegetation`` (chaparral 3 times, conifer 2, riparian 2).

    Parameters
    ----------
    elevation : {"level", "feet"}, default="level"
        Whether ``elevation`` is a category (low, medium, high, highest) or a number of feet.
    return_X_y
        As in `load_mushrooms`.

    References
    ----------
    Kelleher, Mac Namee and D'Arcy (2015), Fundamentals of Machine Learning for Predictive Data
    Analytics, chapter 4, and the lecture slides to it.

    Examples
    --------
    >>> load_vegetation("feet")["elevation"].tolist()
    [3900, 300, 1500, 1200, 4450, 5000, 3000]
    """
    choice("elevation", elevation, ("level", "feet"))
    frame = _read("vegetation")[["stream", "slope", elevation, "vegetation"]]
    return _hand_out(frame.rename(columns={elevation: "elevation"}), return_X_y)


def load_bike_rentals(*, return_X_y=False):
    """Load twelve days of bike rentals: season, working day or not; DataFrame of shape (12, 3).

    ``season`` (winter, spring, summer, autumn), ``work_day`` (false, true) and the target
    ``rentals``, a number. The source is that of `load_vegetation`.

    Parameters
    ----------
    return_X_y
        As in `load_mushrooms`.

    Examples
    --------
    >>> load_bike_rentals().groupby("season", observed=True)["rentals"].mean().to_dict()
    {'winter': 842.0, 'spring': 3913.3333333333335, 'summer': 5000.0, 'autumn': 2870.0}
    """
    return _hand_out(_read("bike_rentals"), return_X_y)


def load_bike_demand(target="rentals", *, samples=False, return_X_y=False):
    """Load ten days of bike demand, the running table of boosting; DataFrame of shape (10, 2).

    ``temp`` in degrees Celsius, the three columns of `samples`, and the target ``rentals`` or
    ``rentals_level``. The source is that of `load_vegetation`, its slides on boosting.

    Parameters
    ----------
    target : {"rentals", "level"}, default="rentals"
        The number of rentals, or whether demand was Low or High.
    samples : bool, default=False
        Add the samples that the slides draw for three rounds of boosting by resampling:
        ``sample_0``, ``sample_1`` and ``sample_2`` count how often each day was drawn.
    return_X_y
        As in `load_mushrooms`.

    Examples
    --------
    >>> load_bike_demand("level")["rentals_level"].value_counts().to_dict()
    {'Low': 5, 'High': 5}
    >>> load_bike_demand("level", samples=True)["sample_0"].tolist()
    [2, 1, 0, 1, 1, 1, 1, 1, 2, 0]
    """
    choice("target", target, ("rentals", "level"))
    drawn = ["sample_0", "sample_1", "sample_2"] if samples else []
    last = "rentals" if target == "rentals" else "rentals_level"
    return _hand_out(_read("bike_demand")[["temp", *drawn, last]], return_X_y)


def load_postoperative(*, return_X_y=False):
    """Load the six patients of the validation set of reduced-error pruning; DataFrame (6, 4).

    ``core_temp`` (low, high), ``stable_temp`` (false, true), ``gender`` (female, male) and the
    target ``decision``: intensive care (icu) or a general ward (gen). The data on which the
    tree was grown are not published. The source is that of
    `load_vegetation`.

    Parameters
    ----------
    return_X_y
        As in `load_mushrooms`.

    Examples
    --------
    >>> load_postoperative()["decision"].value_counts().to_dict()
    {'icu': 5, 'gen': 1}
    """
    return _hand_out(_read("postoperative"), return_X_y)


def load_ten_points(*, return_X_y=False):
    """Load ten points with a split that only Gini and entropy prefer; DataFrame (10, 2).

    ``x`` (0 or 1) and the target ``label`` (a, b, c). Class counts are (8, 1, 1); the one possible
    split, between x = 0 and x = 1, makes them (4, 1, 0) and (4, 0, 1), with the same error. They
    are given on pages 5-9 of the source of `load_mushrooms`.

    Parameters
    ----------
    return_X_y
        As in `load_mushrooms`.

    Examples
    --------
    >>> frame = load_ten_points()
    >>> pd.crosstab(frame["x"], frame["label"]).to_numpy().tolist()
    [[4, 1, 0], [4, 0, 1]]
    """
    return _hand_out(_read("ten_points"), return_X_y)


def load_golf(outlook="known", *, return_X_y=False):
    """Load 14 mornings, good for golf or not; DataFrame of shape (14, 5).

    ``outlook`` (sunny, overcast, rain), ``temperature`` in degrees Fahrenheit, ``humidity`` in
    percent, ``windy`` (true, false) and the target ``play`` (yes 9 times, no 5 times).

    Parameters
    ----------
    outlook : {"known", "gap"}, default="known"
        With "gap", the outlook of row 11, an overcast morning, is missing.
    return_X_y
        As in `load_mushrooms`.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, section 2.1; the missing value is that
    of section 3.2.

    Examples
    --------
    >>> load_golf("gap").loc[[10, 11], ["outlook", "humidity", "play"]]
       outlook  humidity play
    10   sunny        70  yes
    11     NaN        90  yes
    """
    choice("outlook", outlook, ("known", "gap"))
    frame = _read("golf")
    if outlook == "gap":
        frame.loc[11, "outlook"] = None
    return _hand_out(frame, return_X_y)
