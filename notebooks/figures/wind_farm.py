"""Wind over a grid: weather from a known distribution, and a wind farm in one of its cells.

Five Gaussian fields change smoothly from cell to cell and from hour to hour. Two are the wind at
100 m, transformed to a Weibull distribution; one each is pressure, temperature and the shear that
slows the wind near the ground. The power of the farm follows from the true weather in its own cell,
by a power curve, wakes and outages. The features are a forecast of that weather, with independent
errors in each cell. Therefore the features on which the power depends are known, and so is the
correlation of all others with them.

Vocabulary: *cell* a point of the grid, `x` from west to east, `y` from south to north; *field* a
standard normal number in every row and cell; *true* the weather at the farm, *seen* the forecast.
"""

import numbers
import re

import numpy as np
import pandas as pd
from sklearn.utils import Bunch

__all__ = ["grid_position", "make_wind_farm", "matern_correlation", "power_curve"]

VARIABLES = {  # in the order of the columns, with their units
    "u100": "m/s",  # wind at 100 m, from west to east
    "v100": "m/s",  # from south to north
    "p": "Pa",  # pressure at the surface
    "t": "K",  # temperature at 2 m
    "u10": "m/s",  # wind at 10 m
    "v10": "m/s",
    "speed100": "m/s",  # the length of (u100, v100)
    "speed10": "m/s",
}
POWER_IS_MADE_OF = ("u100", "v100", "p", "t", "speed100")  # in the farm's cell
CELL_KM = (20.2, 27.8)  # a quarter of a degree to the east and to the north, at 43.34 N
START = pd.Timestamp("2021-01-01")  # no leap day in three years
PRESSURE = (96_000.0, 800.0)  # mean and standard deviation, Pa
TEMPERATURE = (285.0, 3.0)  # mean and standard deviation around its cycles, K
SEASON, DAY = 5.0, 3.0  # temperature above its mean in late July, and at 15 o'clock, K
SHEAR, NIGHT = (1 / 7, 0.03), 0.06  # exponent: mean, standard deviation; more at 3 o'clock
GAS_CONSTANT, STANDARD_DENSITY = 287.05, 1.225  # dry air, J/(kg K); kg/m3
ROWS_POINT_TO, HALF_SECTOR = 60.0, 15.0  # degrees from north; where wakes hit, to either side
BEHIND = 0.75  # fraction of the turbines that stand behind another one: rows of four

_LIMITS = {  # argument -> its meaning, lowest and highest value, whether the lowest is allowed
    "n_years": ("is a number of years", 0, np.inf, False),
    "shape": ("is the shape of a Weibull distribution", 0.5, 10, True),
    "scale": ("is a speed in m/s", 0, np.inf, False),
    "length": ("is a distance in km", 0, np.inf, False),
    "memory": ("is a number of hours", 0, np.inf, False),
    "forecast_error": ("is a fraction of the variance", 0, 1, True),
    "noise": ("is a standard deviation", 0, np.inf, True),
    "wake": ("is a fraction of the speed", 0, 1, True),
    "outages": ("is a fraction of the time", 0, 0.5, True),
}


def matern_correlation(distance, length):
    """Compute the correlation of a field between two points, (1 + a) exp(-a).

    This is Matern's correlation with smoothness 3/2, in which a is sqrt(3) distance / length. It is
    0.48 at `length` and 0.14 at twice that distance.

    Parameters
    ----------
    distance : array-like of float >= 0
        In km; the result, an ndarray, has its shape.
    length : float > 0
        The correlation length, in km.

    References
    ----------
    Rasmussen and Williams (2006), Gaussian Processes for Machine Learning, equation 4.17.

    Examples
    --------
    >>> matern_correlation([0, 100, 200], 100).round(2).tolist()
    [1.0, 0.48, 0.14]
    """
    a = np.sqrt(3) * np.asarray(distance, dtype=float) / length
    return (1 + a) * np.exp(-a)


def power_curve(speed, *, cut_in=3.5, rated=13.0, cut_out=25.0):
    """Compute the power of a turbine at a wind speed, as a fraction of its rated power.

    Below `cut_in` it stands still. From there to `rated` the power grows with the cube of the
    speed, (speed^3 - cut_in^3) / (rated^3 - cut_in^3). It is 1 up to `cut_out` and there, and 0
    above, where the turbine turns itself out of the wind.

    Parameters
    ----------
    speed : array-like of float >= 0
        Wind speed at the hub, in m/s; the result, an ndarray of fractions, has its shape.
    cut_in : float >= 0, default=3.5
    rated : float > cut_in, default=13.0
    cut_out : float > rated, default=25.0
        All in m/s; in another order they are a ValueError.

    References
    ----------
    Sohoni, Gupta and Nema (2016), Journal of Energy, 8519785: the models by cubic law.

    Examples
    --------
    >>> power_curve([3.0, 3.5, 8.0, 13.0, 25.0, 25.1]).round(3).tolist()
    [0.0, 0.0, 0.218, 1.0, 1.0, 0.0]
    """
    if not 0 <= cut_in < rated < cut_out:
        raise ValueError(
            "cut_in, rated and cut_out must be speeds in this order, cut_in >= 0, "
            f"got {cut_in!r}, {rated!r} and {cut_out!r}."
        )
    speed = np.asarray(speed, dtype=float)
    cubic = (np.minimum(speed, rated) ** 3 - cut_in**3) / (rated**3 - cut_in**3)
    return np.where(speed <= cut_out, np.maximum(cubic, 0), 0)


def grid_position(column):
    """Read a column's name: (variable, x from the west, y from the south), counted from 0.

    Parameters
    ----------
    column : str
        A column of :func:`make_wind_farm`, or else a ValueError.

    Examples
    --------
    >>> grid_position("speed100_x7_y4")
    ('speed100', 7, 4)
    """
    found = re.fullmatch(r"(\w+)_x(\d+)_y(\d+)", str(column))
    if not found or found[1] not in VARIABLES:
        names = ", ".join(VARIABLES)
        raise ValueError(f"column must be as 'speed100_x7_y4', one of {names}, got {column!r}.")
    return found[1], int(found[2]), int(found[3])


def make_wind_farm(
    n_years=3, *, step=3, grid=(15, 9), shape=2.0, scale=8.0, length=200.0, memory=18.0,
    forecast_error=0.02, noise=0.15, wake=0.18, outages=0.02, outage_hours=24,
    return_X_y=True, random_state=None,
):  # fmt: skip
    """Draw the weather over a grid and the power of a wind farm in its middle; (X, y) or a Bunch.

    The default is 8 760 rows, every three hours of three years, and 1 080 columns, eight variables
    at 15 x 9 points a quarter of a degree apart: 76 MB. The shape is that of the Sotavento
    problem, whose data are not public; the numbers are not. An argument that is none of the
    values below is a ValueError.

    Each of the five fields has the correlation ``matern_correlation(distance, length)`` times
    exp(-hours / memory). With two of them, g and h, the speed at 100 m is scale ((g^2 + h^2) /
    2)^(1/shape), exactly Weibull, and the wind blows along (g, h), with the same probability in all
    directions; for shape 2 its components are normal with the correlation of the fields. Pressure
    is 96 000 Pa, standard deviation 800; temperature 285 K, with a season of 5 K, a day of 3 K and
    a standard deviation of 3 K around both. At 10 m the wind has the same direction and 10^-a of
    the speed; a is 1/7, standard deviation 0.03, 0.06 more at 3 o'clock, less at 15.

    The farm gets the true wind of its cell times (density / 1.225)^(1/3), density being
    p / (287.05 t), through :func:`power_curve`. The turbines stand in rows of four: when the wind
    comes from 60 or 240 degrees, or at most 15 off, three of four lose the share `wake` of it.
    Simplified: all cells have one climate; the wind has no season and no main direction, and
    pressure and temperature are independent of it. A `random_state` draws the same numbers
    whatever `shape` to `outage_hours` are, so that one of them can be changed alone.

    Parameters
    ----------
    n_years : float > 0, default=3
        Years of 365 days, from the first of January 2021; a fraction is possible.
    step : int from 1 to 24, default=3
        Hours from row to row.
    grid : pair of int >= 1, default=(15, 9)
        Cells from west to east, 20.2 km each, and from south to north, 27.8 km each. The farm is
        in the cell (grid[0] // 2, grid[1] // 2).
    shape : float in [0.5, 10], default=2.0
    scale : float > 0, default=8.0
        Of the Weibull distribution of the speed, the scale in m/s.
    length : float > 0, default=200.0
        Correlation length in space, in km.
    memory : float > 0, default=18.0
        Correlation time, in hours: the larger, the smoother in time.
    forecast_error : float in [0, 1], default=0.02
        Fraction of the variance of each field in the features that is an error, drawn anew in each
        row and cell. At 0 the farm's cell is sufficient; otherwise its neighbors help.
    noise : float >= 0, default=0.15
        Standard deviation of the logarithm of the wind that the farm gets, around the true one,
        which no feature predicts.
    wake : float in [0, 1], default=0.18
        Jensen's (1 - sqrt(1 - C)) / (1 + 2 k s)^2 for thrust C = 0.8, decay k = 0.075 and s = 5
        diameters from turbine to turbine.
    outages : float in [0, 0.5], default=0.02
        Fraction of the time in which the whole farm is off.
    outage_hours : float >= step, default=24
        Mean length of an outage; the lengths are geometric.
    return_X_y : bool, default=True
        Return ``(X, y)`` instead of the Bunch.
    random_state : None, int or numpy.random.Generator, default=None

    Returns
    -------
    X : DataFrame of shape (n_rows, 8 * grid[0] * grid[1])
        Indexed by time. Columns as ``speed100_x7_y4`` (see :func:`grid_position`), the variables
        ``u100``, ``v100``, ``p``, ``t``, ``u10``, ``v10``, ``speed100``, ``speed10`` in this
        order, in m/s, Pa and K; each goes row by row from the south, from west to east.
    y : Series of shape (n_rows,)
        ``power``, as a fraction of rated power, from 0 to 1.
    Bunch
        ``data``, ``target``, ``feature_names``, ``target_name``, ``DESCR``, ``farm`` (x, y) and

        - ``columns``, a row for each column: ``variable``, ``unit``, ``x``, ``y``, ``east`` and
          ``north`` of the farm and ``distance`` in km, ``correlation`` of its field with the true
          one at the farm, ``signal``: whether it forecasts what the power is computed from;
        - ``truth``, a row for each time: at the farm the true ``speed`` (m/s), ``direction`` from
          which the wind comes (degrees), ``density`` (kg/m3), ``waked``, ``power`` without noise
          and outages, and ``outage``.

    References
    ----------
    Justus, Hargraves, Mikhail and Graber (1978), Journal of Applied Meteorology 17:350-353, on
    Weibull wind; Peterson and Hennessey (1978), ibidem 17:390-394, on 1/7; Jensen (1983), A Note
    on Wind Generator Interaction, Risoe-M-2411; IEC 61400-12-1 (2017) on the density of air.

    Examples
    --------
    >>> farm = make_wind_farm(0.1, return_X_y=False, random_state=0)
    >>> farm.data.shape, farm.farm
    ((292, 1080), (7, 4))
    >>> farm.columns.index[farm.columns["signal"]].tolist()
    ['u100_x7_y4', 'v100_x7_y4', 'p_x7_y4', 't_x7_y4', 'speed100_x7_y4']
    >>> X, y = make_wind_farm(3, grid=(3, 3), random_state=0)
    >>> y.groupby(X.index.year).size().to_dict()
    {2021: 2920, 2022: 2920, 2023: 2920}
    """
    settings = dict(n_years=n_years, shape=shape, scale=scale, length=length, memory=memory)
    settings |= dict(forecast_error=forecast_error, noise=noise, wake=wake, outages=outages)
    _check(settings, step, grid, outage_hours)
    rng = np.random.default_rng(random_state)
    time = START + pd.to_timedelta(np.arange(max(1, round(n_years * 8760 / step))) * step, "h")
    columns = _columns(grid, length, forecast_error)
    places = columns[["east", "north"]].to_numpy()[: grid[0] * grid[1]]  # (n_cells, 2)
    home = np.flatnonzero((places == 0).all(axis=1))  # the farm's cell, (1,)
    root = _root(places, length)
    kept = np.exp(-step / memory)
    fields = [_field(rng, len(time), root, kept, forecast_error, home) for _ in range(5)]
    true, seen = (_weather(kind, time, shape, scale) for kind in zip(*fields))
    X = np.hstack([seen[variable] for variable in VARIABLES])
    X = pd.DataFrame(X, index=time, columns=columns.index, copy=False)

    truth = _site({variable: values[:, 0] for variable, values in true.items()})
    truth["power"] = _power(truth, wake)
    produced = _power(truth, wake, gusts=np.exp(noise * rng.standard_normal(len(time))))
    truth["outage"] = _outages(rng, len(time), outages, step / outage_hours)
    y = pd.Series(np.where(truth["outage"], 0, produced), index=time, name="power")
    text = f"A wind farm in the middle of {grid[0]} x {grid[1]} cells, drawn by make_wind_farm."
    return (X, y) if return_X_y else Bunch(
        data=X, target=y, feature_names=list(X), target_name="power", DESCR=text,
        farm=(grid[0] // 2, grid[1] // 2), columns=columns, truth=pd.DataFrame(truth, index=time),
    )  # fmt: skip


def _check(settings, step, grid, outage_hours):
    """Raise unless the arguments of `make_wind_farm` are allowed."""
    for name, value in settings.items():
        what, low, high, with_low = _LIMITS[name]
        real = isinstance(value, numbers.Real) and not isinstance(value, bool)
        if not (real and low <= value <= high and value < np.inf and (with_low or value > low)):
            span = f"from {low} to {high}" if high < np.inf else f">{'=' * with_low} {low}"
            raise ValueError(f"{name} {what}, {span}, got {value!r}.")
    if not isinstance(step, numbers.Integral) or not 1 <= step <= 24:
        raise ValueError(f"step is a whole number of hours, from 1 to 24, got {step!r}.")
    pair = isinstance(grid, (tuple, list)) and len(grid) == 2
    if not pair or not all(isinstance(n, numbers.Integral) and n >= 1 for n in grid):
        raise ValueError(f"grid must be two whole numbers >= 1, got {grid!r}.")
    if not isinstance(outage_hours, numbers.Real) or not step <= outage_hours < np.inf:
        raise ValueError(f"outage_hours is a number of hours >= step, got {outage_hours!r}.")


def _columns(grid, length, forecast_error):
    """Return the table of the columns, which does not depend on the draws."""
    y, x = (axis.ravel() for axis in np.indices((grid[1], grid[0])))
    rows = [(v, unit, i, j) for v, unit in VARIABLES.items() for i, j in zip(x, y)]
    table = pd.DataFrame(rows, columns=["variable", "unit", "x", "y"])
    table.index = [f"{row.variable}_x{row.x}_y{row.y}" for row in table.itertuples()]
    table["east"] = (table["x"] - grid[0] // 2) * CELL_KM[0]
    table["north"] = (table["y"] - grid[1] // 2) * CELL_KM[1]
    table["distance"] = np.hypot(table["east"], table["north"])
    known = matern_correlation(table["distance"], length)
    table["correlation"] = np.sqrt(1 - forecast_error) * known
    table["signal"] = (table["distance"] == 0) & table["variable"].isin(POWER_IS_MADE_OF)
    return table


def _root(places, length):
    """Return a square root of the correlations between all cells, (n_cells, n_cells)."""
    apart = np.linalg.norm(places[:, None] - places, axis=2)  # (n_cells, n_cells)
    values, vectors = np.linalg.eigh(matern_correlation(apart, length))
    return vectors * np.sqrt(np.maximum(values, 0))


def _field(rng, n_rows, root, kept, forecast_error, home):
    """Draw a field, true at home (n_rows, 1) and seen (n_rows, n_cells): AR(1) in time."""
    true = rng.standard_normal((n_rows, len(root)))
    true[1:] *= np.sqrt(1 - kept**2)
    for before, now in zip(true, true[1:]):
        now += kept * before
    true = true @ root.T
    error = rng.standard_normal(true.shape)
    seen = np.sqrt(1 - forecast_error) * true + np.sqrt(forecast_error) * error
    return true[:, home], seen


def _weather(fields, time, shape, scale):
    """Compute the eight variables from the five fields, each (n_rows, n_cells)."""
    g, h, pressure, temperature, shear = fields
    day = 2 * np.pi * np.asarray(time.hour)[:, None] / 24  # (n_rows, 1)
    year = 2 * np.pi * np.asarray(time.day_of_year)[:, None] / 365
    square = g**2 + h**2
    speed = scale * (square / 2) ** (1 / shape)
    u, v = (speed * part / np.sqrt(square) for part in (g, h))
    exponent = SHEAR[0] + NIGHT * np.cos(day - np.pi / 4) + SHEAR[1] * shear
    lower = 10.0**-exponent  # the fraction of the speed that is left at 10 m
    cycles = SEASON * np.cos(year - 2 * np.pi * 205 / 365) + DAY * np.cos(day - 5 * np.pi / 4)
    return {
        "u100": u, "v100": v, "p": PRESSURE[0] + PRESSURE[1] * pressure,
        "t": TEMPERATURE[0] + cycles + TEMPERATURE[1] * temperature,
        "u10": u * lower, "v10": v * lower, "speed100": speed, "speed10": speed * lower,
    }  # fmt: skip


def _site(weather):
    """Return the weather at the turbines: speed, direction, density, and presence of wakes."""
    direction = (270 - np.degrees(np.arctan2(weather["v100"], weather["u100"]))) % 360
    off_the_rows = np.abs((direction - ROWS_POINT_TO + 90) % 180 - 90)
    return {
        "speed": weather["speed100"], "direction": direction,
        "density": weather["p"] / (GAS_CONSTANT * weather["t"]),
        "waked": off_the_rows <= HALF_SECTOR,
    }  # fmt: skip


def _power(site, wake, gusts=1):
    """Compute the power of the farm, the mean over turbines in front and behind; (n_rows,)."""
    speed = site["speed"] * gusts * (site["density"] / STANDARD_DENSITY) ** (1 / 3)
    behind = np.where(site["waked"], speed * (1 - wake), speed)
    return (1 - BEHIND) * power_curve(speed) + BEHIND * power_curve(behind)


def _outages(rng, n_rows, share, end):
    """Draw whether the farm is off, from a chain that is off for a `share` of the time."""
    begin = end * share / (1 - share)
    off, chance = np.zeros(n_rows, dtype=bool), share
    for row, u in enumerate(rng.random(n_rows)):
        off[row] = u < chance
        chance = 1 - end if off[row] else begin
    return off
