"""The small tables that the chapters work by hand, row by row as the sources print them.

Vocabulary: a table is a DataFrame with the *target* in its last column; text columns are
categories whose levels are declared, in a sensible order.
"""

import pandas as pd


def _table(columns, levels, text, return_X_y):
    """A table from one line of text per row; columns in ``levels`` become categories.

    ``?`` is a missing value.
    """
    rows = [[None if v == "?" else v for v in line.split()] for line in text.strip().splitlines()]
    frame = pd.DataFrame(rows, columns=columns.split())
    for column in frame.columns:
        if column in levels:
            frame[column] = pd.Categorical(frame[column], categories=levels[column].split())
        else:
            frame[column] = frame[column].astype("int64")
    return (frame.iloc[:, :-1], frame.iloc[:, -1]) if return_X_y else frame


def _choice(name, value, allowed):
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}.")


def load_mushrooms(*, return_X_y=False):
    """Load 14 mushrooms, eatable or toxic, described by color, size and spots.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(X, y)`` instead of one frame.

    Returns
    -------
    DataFrame of shape (14, 4)
        ``color`` (red, brown, green), ``size`` (small, large), ``spots`` (no, yes) and the
        target ``eatability`` (eatable 9 times, toxic 5 times).

    References
    ----------
    Lecture notes "Trees, bagging and random forests", section on ID3, pages 13-16.

    Examples
    --------
    >>> load_mushrooms()["eatability"].value_counts().to_dict()
    {'eatable': 9, 'toxic': 5}
    """
    return _table(
        "color size spots eatability",
        {
            "color": "red brown green",
            "size": "small large",
            "spots": "no yes",
            "eatability": "eatable toxic",
        },
        """
        red   large no  toxic
        red   large yes toxic
        brown large no  eatable
        green small no  eatable
        brown small yes eatable
        red   large no  toxic
        red   small no  eatable
        green small no  eatable
        red   small yes eatable
        brown large yes eatable
        brown small no  eatable
        green large yes toxic
        green small yes toxic
        green large no  eatable""",
        return_X_y,
    )


def load_vegetation(elevation="level", *, return_X_y=False):
    """Load seven places and the vegetation that grows there.

    Parameters
    ----------
    elevation : {"level", "feet"}, default="level"
        Whether ``elevation`` is a category (low, medium, high, highest) or a number of feet.
    return_X_y : bool, default=False
        Return ``(X, y)`` instead of one frame.

    Returns
    -------
    DataFrame of shape (7, 4)
        ``stream`` (false, true), ``slope`` (flat, moderate, steep), ``elevation`` and the
        target ``vegetation`` (chaparral 3 times, conifer 2, riparian 2).

    Raises
    ------
    ValueError
        If ``elevation`` is neither "level" nor "feet".

    References
    ----------
    Kelleher, Mac Namee and D'Arcy (2015), Fundamentals of Machine Learning for Predictive Data
    Analytics, chapter 4, and the lecture slides to it.

    Examples
    --------
    >>> load_vegetation("feet")["elevation"].tolist()
    [3900, 300, 1500, 1200, 4450, 5000, 3000]
    """
    _choice("elevation", elevation, ("level", "feet"))
    frame = _table(
        "stream slope feet level vegetation",
        {
            "stream": "false true",
            "slope": "flat moderate steep",
            "level": "low medium high highest",
            "vegetation": "chaparral conifer riparian",
        },
        """
        false steep    3900 high    chaparral
        true  moderate  300 low     riparian
        true  steep    1500 medium  riparian
        false steep    1200 medium  chaparral
        false flat     4450 high    conifer
        true  steep    5000 highest conifer
        true  steep    3000 high    chaparral""",
        False,
    )
    frame = frame[["stream", "slope", elevation, "vegetation"]]
    frame = frame.rename(columns={elevation: "elevation"})
    return (frame.iloc[:, :-1], frame.iloc[:, -1]) if return_X_y else frame


def load_bike_rentals(*, return_X_y=False):
    """Load twelve days of bike rentals: season, working day or not, and how many.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(X, y)`` instead of one frame.

    Returns
    -------
    DataFrame of shape (12, 3)
        ``season`` (winter, spring, summer, autumn), ``work_day`` (false, true) and the target
        ``rentals``, a number.

    References
    ----------
    Kelleher, Mac Namee and D'Arcy (2015), Fundamentals of Machine Learning for Predictive Data
    Analytics, chapter 4, and the lecture slides to it.

    Examples
    --------
    >>> load_bike_rentals().groupby("season", observed=True)["rentals"].mean().to_dict()
    {'winter': 842.0, 'spring': 3913.3333333333335, 'summer': 5000.0, 'autumn': 2870.0}
    """
    return _table(
        "season work_day rentals",
        {"season": "winter spring summer autumn", "work_day": "false true"},
        """
        winter false  800
        winter false  826
        winter true   900
        spring false 2100
        spring true  4740
        spring true  4900
        summer false 3000
        summer true  5800
        summer true  6200
        autumn false 2910
        autumn false 2880
        autumn true  2820""",
        return_X_y,
    )


def load_bike_demand(target="rentals", *, samples=False, return_X_y=False):
    """Load ten days of bike demand by temperature, the running table of boosting.

    Parameters
    ----------
    target : {"rentals", "level"}, default="rentals"
        The number of rentals, or whether demand was Low or High.
    samples : bool, default=False
        Add the samples that the slides draw for three rounds of boosting by resampling:
        ``sample_0``, ``sample_1`` and ``sample_2`` say how often each day was drawn.
    return_X_y : bool, default=False
        Return ``(X, y)`` instead of one frame.

    Returns
    -------
    DataFrame of shape (10, 2), or (10, 5) with the samples
        ``temp`` in degrees Celsius, the samples, and the target ``rentals`` or
        ``rentals_level``.

    Raises
    ------
    ValueError
        If ``target`` is neither "rentals" nor "level".

    References
    ----------
    Kelleher, Mac Namee and D'Arcy, Fundamentals of Machine Learning for Predictive Data
    Analytics, chapter 4: the lecture slides on boosting and gradient boosting.

    Examples
    --------
    >>> load_bike_demand("level")["rentals_level"].value_counts().to_dict()
    {'Low': 5, 'High': 5}
    >>> load_bike_demand("level", samples=True)["sample_0"].tolist()
    [2, 1, 0, 1, 1, 1, 1, 1, 2, 0]
    """
    _choice("target", target, ("rentals", "level"))
    frame = _table(
        "temp sample_0 sample_1 sample_2 rentals rentals_level",
        {"rentals_level": "Low High"},
        """
         4 2 0 2  602 Low
         5 1 1 1  750 Low
         7 0 1 3  913 Low
        12 1 2 0 1229 High
        18 1 0 0 1827 High
        23 1 0 0 2246 High
        27 1 1 0 2127 High
        28 1 1 1 1714 High
        32 2 3 1  838 Low
        35 0 1 2  625 Low""",
        False,
    )
    drawn = ["sample_0", "sample_1", "sample_2"] if samples else []
    frame = frame[["temp", *drawn, "rentals" if target == "rentals" else "rentals_level"]]
    return (frame.iloc[:, :-1], frame.iloc[:, -1]) if return_X_y else frame


def load_postoperative(*, return_X_y=False):
    """Load the six patients that reduced-error pruning is checked on.

    They are the validation set only; the data that the tree was grown on are not published.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(X, y)`` instead of one frame.

    Returns
    -------
    DataFrame of shape (6, 4)
        ``core_temp`` (low, high), ``stable_temp`` (false, true), ``gender`` (female, male) and
        the target ``decision``: intensive care (icu) or a general ward (gen).

    References
    ----------
    Kelleher, Mac Namee and D'Arcy (2015), Fundamentals of Machine Learning for Predictive Data
    Analytics, chapter 4, and the lecture slides to it.

    Examples
    --------
    >>> load_postoperative()["decision"].value_counts().to_dict()
    {'icu': 5, 'gen': 1}
    """
    return _table(
        "core_temp stable_temp gender decision",
        {
            "core_temp": "low high",
            "stable_temp": "false true",
            "gender": "female male",
            "decision": "gen icu",
        },
        """
        high true  male   gen
        low  true  female icu
        high false female icu
        high false male   icu
        low  false female icu
        low  true  male   icu""",
        return_X_y,
    )


def load_ten_points(*, return_X_y=False):
    """Load ten points that the error rate cannot tell apart, and Gini and entropy can.

    Class counts (a, b, c) are (8, 1, 1); the one possible cut, between x = 0 and x = 1, makes
    them (4, 1, 0) and (4, 0, 1).

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(X, y)`` instead of one frame.

    Returns
    -------
    DataFrame of shape (10, 2)
        ``x`` (0 or 1) and the target ``label`` (a, b, c).

    References
    ----------
    Lecture notes "Trees, bagging and random forests", pages 5-9, give the counts.

    Examples
    --------
    >>> frame = load_ten_points()
    >>> pd.crosstab(frame["x"], frame["label"]).to_numpy().tolist()
    [[4, 1, 0], [4, 0, 1]]
    """
    return _table(
        "x label",
        {"label": "a b c"},
        """
        0 a
        0 a
        0 a
        0 a
        0 b
        1 a
        1 a
        1 a
        1 a
        1 c""",
        return_X_y,
    )
