"""Wind over a grid: held to its own law, to the physics that it names, and to its knobs.

Where rows must be as good as independent, the farm has hardly any memory, and tolerances are
those of independent draws; where the memory is tested, rows count less, as the tolerances say.
"""

import numpy as np
import pandas as pd
import pytest
from cases import assert_refused, each, refused
from scipy.stats import kstest, weibull_min

import treelab.datasets
from treelab.figures.wind_farm import (
    VARIABLES,
    grid_position,
    make_wind_farm,
    matern_correlation,
    power_curve,
)

CELL = "x1_y1"  # the farm's, on a grid of three by three


def bunch(n_years=1, **knobs):
    """A farm on a small grid, drawn with one seed."""
    knobs = {"grid": (3, 3), "random_state": 0} | knobs
    return make_wind_farm(n_years, return_X_y=False, **knobs)


@pytest.fixture(scope="module")
def free():
    """Nearly independent rows on a long grid, without forecast errors."""
    return bunch(4, grid=(15, 3), memory=0.2, forecast_error=0, noise=0, outages=0)


@pytest.fixture(scope="module")
def smooth():
    """Hours of four years with a memory of ten hours."""
    return bunch(4, step=1, grid=(1, 1), memory=10, forecast_error=0)


# Shape and names


def test_the_data_sets_hand_it_on():
    assert treelab.datasets.make_wind_farm is make_wind_farm
    with pytest.raises(AttributeError, match="has no attribute 'make_sea_farm'"):
        treelab.datasets.make_sea_farm  # noqa: B018


def test_the_defaults_have_the_dimensions_of_the_thesis():
    farm = make_wind_farm(return_X_y=False, random_state=0)
    X, y = farm.data, farm.target
    assert X.shape == (3 * 24 // 3 * 365, 15 * 9 * 8) == (8760, 1080)
    assert y.groupby(X.index.year).size().to_dict() == dict.fromkeys((2021, 2022, 2023), 2920)
    assert set(X.dtypes) == {np.dtype("float64")}
    assert y.name == farm.target_name == "power"
    assert X.index.equals(y.index)
    assert X.index.equals(farm.truth.index)
    assert np.isfinite(X.to_numpy()).all()
    assert y.between(0, 1).all()
    assert farm.feature_names == list(X) == list(farm.columns.index)
    assert farm.farm == (7, 4)


def test_the_variable_i_at_the_point_j_is_column_135_i_plus_j():
    X, _ = make_wind_farm(0.01, random_state=0)
    for column, name in enumerate(X):
        variable, x, y = grid_position(name)
        assert column == 135 * list(VARIABLES).index(variable) + 15 * y + x
    assert list(X)[0] == "u100_x0_y0"
    assert list(X)[-1] == "speed10_x14_y8"


def test_the_table_of_columns_says_where_they_are_and_what_they_carry():
    farm = make_wind_farm(0.01, forecast_error=0.19, length=100, return_X_y=False, random_state=0)
    table = farm.columns
    assert [grid_position(name) for name in table.index] == list(
        table[["variable", "x", "y"]].itertuples(index=False, name=None)
    )
    assert table["unit"].tolist() == [unit for unit in VARIABLES.values() for _ in range(135)]
    corner = table.loc["t_x0_y8"]
    assert corner[["east", "north"]].tolist() == pytest.approx([-7 * 20.2, 4 * 27.8])
    assert corner["distance"] == pytest.approx(np.sqrt((7 * 20.2) ** 2 + (4 * 27.8) ** 2))
    a = np.sqrt(3) * corner["distance"] / 100
    assert corner["correlation"] == pytest.approx(0.9 * (1 + a) * np.exp(-a))
    signal = table.index[table["signal"]]
    assert set(signal) == {f"{v}_x7_y4" for v in ("u100", "v100", "p", "t", "speed100")}


def test_rows_go_on_by_step_hours_and_parts_of_a_year_do():
    X, y = make_wind_farm(1 / 365, step=6, grid=(2, 1), random_state=0)
    assert list(X.index.hour) == [0, 6, 12, 18]
    assert X.index[0] == pd.Timestamp("2021-01-01")
    X, y = make_wind_farm(1e-6, grid=(1, 1), random_state=0)
    assert (X.shape, y.shape) == ((1, 8), (1,))


def test_the_same_seed_gives_the_same_rows():
    knobs = {"n_years": 0.05, "grid": (4, 3)}
    first, again, other = (make_wind_farm(**knobs, random_state=seed) for seed in (3, 3, 4))
    pd.testing.assert_frame_equal(first[0], again[0])
    pd.testing.assert_series_equal(first[1], again[1])
    assert not np.array_equal(first[0], other[0])
    from_generator = make_wind_farm(**knobs, random_state=np.random.default_rng(3))
    pd.testing.assert_frame_equal(first[0], from_generator[0])
    farm = make_wind_farm(**knobs, random_state=3, return_X_y=False)
    pd.testing.assert_frame_equal(first[0], farm.data)
    pd.testing.assert_series_equal(first[1], farm.target)


# The weather


@pytest.mark.parametrize(("shape", "scale"), [(2.0, 8.0), (1.6, 6.0), (3.0, 9.5)])
@pytest.mark.parametrize("forecast_error", [0, 0.3])
def test_the_wind_is_weibull(shape, scale, forecast_error):
    knobs = {"memory": 0.2, "forecast_error": forecast_error, "grid": (2, 1)}
    X = bunch(4, shape=shape, scale=scale, **knobs).data
    speed = X["speed100_x1_y0"]
    assert kstest(speed, weibull_min(shape, scale=scale).cdf).pvalue > 0.01
    fitted_shape, _, fitted_scale = weibull_min.fit(speed, floc=0)
    n = len(speed)  # standard errors: 0.78 and 1.05 / shape, each times 1 / sqrt(n)
    assert fitted_shape == pytest.approx(shape, rel=4 * 0.78 / np.sqrt(n))
    assert fitted_scale == pytest.approx(scale, rel=4 * 1.05 / shape / np.sqrt(n))


def test_direction_is_where_the_wind_comes_from(free):
    u, v = (free.data[f"{part}_x7_y1"] for part in ("u100", "v100"))
    from_west = (v.abs() < 0.1 * u.abs()) & (u > 0)
    from_north = (u.abs() < 0.1 * v.abs()) & (v < 0)
    assert from_west.sum() > 100
    assert (free.truth["direction"][from_west] - 270).abs().max() < 6
    assert np.cos(np.radians(free.truth["direction"][from_north])).min() > 0.99


def test_components_make_the_speed_and_shear_keeps_the_direction(free):
    X = free.data
    for cell in ("x0_y0", "x14_y2"):
        for height in (100, 10):
            u, v, speed = (X[f"{part}{height}_{cell}"] for part in ("u", "v", "speed"))
            assert np.allclose(np.hypot(u, v), speed)
        assert np.allclose(
            X[f"u100_{cell}"] * X[f"v10_{cell}"], X[f"v100_{cell}"] * X[f"u10_{cell}"]
        )


def test_shear_is_one_seventh_with_a_cycle_of_a_day(free):
    exponent = np.log10(free.data["speed100_x3_y1"] / free.data["speed10_x3_y1"])
    by_hour = exponent.groupby(exponent.index.hour).mean()
    expected = 1 / 7 + 0.06 * np.cos(2 * np.pi * (by_hour.index - 3) / 24)
    assert np.abs(by_hour - expected).max() < 5 * 0.03 / np.sqrt(len(exponent) / 8)
    rest = exponent - exponent.groupby(exponent.index.hour).transform("mean")
    assert rest.std() == pytest.approx(0.03, rel=0.04)


def test_temperature_has_a_day_a_year_and_a_rest_and_pressure_has_none(free):
    t, p = free.data["t_x3_y1"], free.data["p_x3_y1"]
    days = (t.index - t.index[0]) / pd.Timedelta(days=1)
    season, day = 2 * np.pi * (days // 1 - 204) / 365, 2 * np.pi * (days % 1 - 15 / 24)
    waves = [np.ones(len(t)), np.cos(season), np.sin(season), np.cos(day), np.sin(day)]
    found, *_ = np.linalg.lstsq(np.column_stack(waves), t, rcond=None)
    assert found == pytest.approx([285, 5, 0, 3, 0], abs=5 * 3 * np.sqrt(2 / len(t)))
    assert (t - np.column_stack(waves) @ found).std() == pytest.approx(3, rel=0.04)
    found, *_ = np.linalg.lstsq(np.column_stack(waves), p, rcond=None)
    assert found == pytest.approx([96000, 0, 0, 0, 0], abs=5 * 800 * np.sqrt(2 / len(t)))
    assert p.std() == pytest.approx(800, rel=0.04)


def test_matern_at_the_lengths_that_its_docstring_names():
    assert matern_correlation(0, 5) == 1
    assert matern_correlation([7, 14], 7).round(2).tolist() == [0.48, 0.14]
    closer, farther = matern_correlation(np.array([[3.0], [6.0]]), 2.0).ravel()
    assert closer == pytest.approx((1 + 1.5 * np.sqrt(3)) * np.exp(-1.5 * np.sqrt(3)))
    assert farther < closer


@each("variable", ["u100", "v100", "p"])
@each("apart", [1, 3, 7, 14])
def test_correlation_by_distance_is_the_stated_one(free, variable, apart):
    ends = free.data[[f"{variable}_x0_y1", f"{variable}_x{apart}_y1"]].to_numpy()
    expected = matern_correlation(20.2 * apart, 200.0)
    standard_error = (1 - expected**2) / np.sqrt(len(ends))
    assert np.corrcoef(ends.T)[0, 1] == pytest.approx(expected, abs=4 * standard_error)


def test_a_forecast_error_takes_its_share_of_every_correlation():
    farm = bunch(4, memory=0.2, forecast_error=0.3)
    near = farm.data[["u100_x0_y1", "u100_x1_y1"]].corr().iloc[0, 1]
    assert near == pytest.approx(0.7 * matern_correlation(20.2, 200.0), abs=0.02)
    direction = np.radians(farm.truth["direction"])
    true_u = -farm.truth["speed"] * np.sin(direction)
    for name in ("u100_x1_y1", "u100_x0_y0"):
        found = np.corrcoef(farm.data[name], true_u)[0, 1]
        assert found == pytest.approx(farm.columns.loc[name, "correlation"], abs=0.02)
    assert farm.data["u100_x1_y1"].std() == pytest.approx(8 / np.sqrt(2), rel=0.03)


@pytest.mark.parametrize("hours", [1, 5, 10, 20])
def test_what_is_left_after_hours_is_exponential(smooth, hours):
    expected = np.exp(-hours / 10)
    for name in ("u100_x0_y0", "p_x0_y0"):  # a memory of ten hours leaves n / 20 cases
        found = smooth.data[name].autocorr(hours)
        assert found == pytest.approx(expected, abs=4 * np.sqrt((1 - expected**2) / 35040 * 20))


def test_the_first_row_is_drawn_like_all_others():
    p = bunch(1e-6, grid=(40, 20), length=1, memory=500).data.filter(regex="^p_").to_numpy()
    assert p.shape == (1, 800)
    assert p.std() == pytest.approx(800, rel=4 * np.sqrt(0.5 / 800))


# The farm


def test_power_curve_at_cut_in_rated_and_cut_out():
    assert power_curve([0, 3.49, 3.5, 13, 20, 25, 25.01, 40]).tolist() == [0, 0, 0, 1, 1, 1, 0, 0]
    assert power_curve(8.0) == pytest.approx((512 - 42.875) / (2197 - 42.875))
    speeds = np.linspace(3.5, 13, 50)
    assert (np.diff(power_curve(speeds)) > 0).all()
    other = power_curve([2.0, 4.0, 8.0, 9.0], cut_in=2, rated=4, cut_out=8)
    assert other.tolist() == [0, 1, 1, 0]
    assert power_curve([[5.0], [6.0]]).shape == (2, 1)


def test_without_noise_errors_wakes_and_outages_the_farm_s_cell_tells_the_power():
    quiet = {"noise": 0, "forecast_error": 0, "outages": 0}
    farm = bunch(1, wake=0, **quiet)
    speed, p, t = (farm.data[f"{v}_{CELL}"] for v in ("speed100", "p", "t"))
    density = p / 287.05 / t
    expected = power_curve(speed * (density / 1.225) ** (1 / 3))
    assert np.allclose(farm.target, expected)
    assert np.allclose(farm.truth["power"], expected)
    assert np.allclose(farm.truth["density"], density)
    assert np.allclose(farm.truth["speed"], speed)
    assert density.mean() == pytest.approx(1.174, abs=0.005)
    assert (expected == 0).mean() == pytest.approx(1 - np.exp(-((3.55 / 8) ** 2)), abs=0.05)


def test_wakes_hit_in_their_sectors_and_nowhere_else():
    knobs = {"noise": 0, "forecast_error": 0, "outages": 0}
    waked, none = (bunch(2, wake=wake, **knobs) for wake in (0.18, 0))
    direction = waked.truth["direction"]
    sector = direction.between(45, 75) | direction.between(225, 255)
    assert 0.1 < sector.mean() < 0.25  # a sixth of all directions
    assert (waked.truth["waked"] == sector).all()
    lost = none.target - waked.target
    assert (lost[~sector] == 0).all()
    steep = sector & waked.truth["speed"].between(5, 12)
    assert (lost[steep] > 0).all()
    equivalent = waked.truth["speed"] * (waked.truth["density"] / 1.225) ** (1 / 3)
    mixed = 0.25 * power_curve(equivalent) + 0.75 * power_curve(0.82 * equivalent)
    assert np.allclose(waked.target[sector], mixed[sector])


def test_the_wake_s_default_is_jensen_s_deficit_five_diameters_behind():
    assert (1 - np.sqrt(1 - 0.8)) / (1 + 2 * 0.075 * 5) ** 2 == pytest.approx(0.18, abs=0.001)


def test_outages_have_their_share_and_their_length():
    farm = bunch(20, step=6, grid=(1, 1), outages=0.4, outage_hours=36, noise=0)
    off = farm.truth["outage"]
    run = (off != off.shift()).cumsum()[off]
    hours = 6 * run.groupby(run).size()
    assert len(hours) > 1500
    assert off.mean() == pytest.approx(0.4, abs=0.03)
    assert hours.mean() == pytest.approx(36, rel=0.1)
    assert (hours == 6).mean() == pytest.approx(1 / 6, abs=0.035)  # geometric
    assert (farm.target[off] == 0).all()
    assert np.allclose(farm.target[~off], farm.truth["power"][~off])
    assert (farm.truth["power"][off] > 0).mean() > 0.5  # the truth knows no outages


def test_noise_moves_the_wind_at_the_farm_by_its_share():
    farm = bunch(4, noise=0.1, wake=0, outages=0)
    cubic = farm.target.between(0.02, 0.98) & farm.truth["speed"].between(6, 9)
    a, b = 3.5**3, 13.0**3

    def speed(power):
        return np.cbrt(a + power * (b - a))

    moved = np.log(speed(farm.target[cubic]) / speed(farm.truth["power"][cubic]))
    assert moved.std() == pytest.approx(0.1, rel=0.06)
    assert abs(moved.mean()) < 0.01


# The knobs


def test_a_knob_that_is_turned_alone_leaves_all_other_draws():
    plain = bunch(0.2, outages=0)
    for knob in ({"noise": 0.5}, {"wake": 0.5}, {"outages": 0.4}, {"outage_hours": 99}):
        pd.testing.assert_frame_equal(bunch(0.2, **({"outages": 0} | knob)).data, plain.data)
    seen = bunch(0.2, outages=0, forecast_error=0.5)
    pd.testing.assert_series_equal(seen.target, plain.target)
    assert not np.allclose(seen.data, plain.data)
    doubled = bunch(0.2, scale=16.0)
    assert np.allclose(doubled.data["u100_x0_y0"], 2 * plain.data["u100_x0_y0"])


# What cannot be


@each("case", refused("wind"), ids=str)
def test_bad_input(case):
    assert_refused(case, globals())
