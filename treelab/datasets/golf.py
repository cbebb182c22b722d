"""The golf table of C4.5, with and without a gap."""

from treelab.datasets.tables import _choice, _table


def load_golf(outlook="known", *, return_X_y=False):
    """Load 14 mornings, good for golf or not: outlook, temperature, humidity and wind.

    Parameters
    ----------
    outlook : {"known", "gap"}, default="known"
        "gap" leaves the outlook of row 11, an overcast morning, unknown.
    return_X_y : bool, default=False
        Return ``(X, y)`` instead of one frame.

    Returns
    -------
    DataFrame of shape (14, 5)
        ``outlook`` (sunny, overcast, rain), ``temperature`` in degrees Fahrenheit,
        ``humidity`` in percent, ``windy`` (true, false) and the target ``play`` (yes 9
        times, no 5 times).

    Raises
    ------
    ValueError
        If ``outlook`` is neither "known" nor "gap".

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, section 2.1; the gap is that of
    section 3.2.

    Examples
    --------
    >>> load_golf("gap").loc[[10, 11], ["outlook", "humidity", "play"]]
       outlook  humidity play
    10   sunny        70  yes
    11     NaN        90  yes
    """
    _choice("outlook", outlook, ("known", "gap"))
    return _table(
        "outlook temperature humidity windy play",
        {
            "outlook": "sunny overcast rain",
            "windy": "true false",
            "play": "yes no",
        },
        f"""
        sunny    85 85 false no
        sunny    80 90 true  no
        overcast 83 78 false yes
        rain     70 96 false yes
        rain     68 80 false yes
        rain     65 70 true  no
        overcast 64 65 true  yes
        sunny    72 95 false no
        sunny    69 70 false yes
        rain     75 80 false yes
        sunny    75 70 true  yes
        {"overcast" if outlook == "known" else "?"} 72 90 true  yes
        overcast 81 75 false yes
        rain     71 80 true  no""",
        return_X_y,
    )
