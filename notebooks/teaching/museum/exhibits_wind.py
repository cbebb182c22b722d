"""The room of chapter 19: wind over a grid."""

import numpy as np
from museum import COLORS, Exhibit, bars, lines, panels

from treelab.fast.selection import stochastic_sizes
from treelab.figures.wind_farm import make_wind_farm, power_curve

# --- the code on show -------------------------------------------------------------------


def leaving(s, percent):
    """How many of the s columns of a block leave."""
    return percent * s // 100


def power(v, a, b, c):
    """Share of the rated power at a speed: cut-in a, rated b, cut-out c."""
    if v < a or v > c:
        return 0
    return (min(v, b) ** 3 - a**3) / (b**3 - a**3)


def in_the_wake(direction, row=60, half=15):
    """Whether the wind blows along the rows of turbines, from one end or the other; degrees."""
    off = (direction - row + 90) % 180 - 90
    return abs(off) <= half


# --- signs ------------------------------------------------------------------------------


def tried(p, block, percent):
    """The sizes of a stochastic elimination."""
    found = [p]
    while True:
        full, rest = divmod(found[-1], block)
        size = found[-1] - full * leaving(block, percent) - leaving(rest, percent)
        if size < block:
            return found
        found.append(size)


def a_fifth_of_blocks():
    return np.array([leaving(s, 20) for s in range(5, 55, 10)])


def sizes_agree():
    cases = [(1080, 54, 20), (1080, 54, 50), (300, 15, 20), (125, 25, 40)]
    mine = [tried(*case) for case in cases]
    theirs = [stochastic_sizes(p, block, percent / 100) for p, block, percent in cases]
    return np.concatenate(mine), np.concatenate(theirs)


def power_by_speed():
    speeds = np.arange(0, 30, 0.25)
    return {"speed": speeds, "power": np.array([power(v, 3.5, 13, 25) for v in speeds])}


def curves_agree():
    speeds = np.arange(0, 30, 0.25)
    return [power(v, 3.5, 13.0, 25.0) for v in speeds], power_curve(speeds)


def waked_directions():
    """For each of 72 directions whether it is in the wake, and where it lies on a circle."""
    degrees = np.arange(0, 360, 5)
    waked = np.array([in_the_wake(d) for d in degrees])
    angle = np.radians(90 - degrees)  # north is up, and degrees go with the clock
    return {"waked": waked, "_east": np.cos(angle), "_north": np.sin(angle)}


def wakes_agree():
    truth = make_wind_farm(0.2, grid=(3, 3), return_X_y=False, random_state=0).truth
    return [in_the_wake(d) for d in truth["direction"]], truth["waked"].to_numpy()


# --- answers to exercises ---------------------------------------------------------------


def power_error():
    """wind-1."""

    def answer(true, seen, a, b, c):
        return [power(w, a, b, c) - power(v, a, b, c) for v, w in zip(true, seen)]

    return answer


def sizes():
    """wind-4."""
    return lambda p, block, percent: tried(p, block, percent)


# --- the exhibits -----------------------------------------------------------------------


def draw_circle(ax, result):
    """Directions on a circle, those in the wake filled."""
    for k, (inside, mark) in enumerate(((False, "."), (True, "D"))):
        some = result["waked"] == inside
        ax.plot(
            result["_east"][some], result["_north"][some], mark, color=COLORS[k], ms=5,
            label=("free", "in the wake")[k],
        )  # fmt: skip
    ax.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1], xlim=(-1.25, 1.25), ylim=(-1.25, 1.25))
    ax.set(xticklabels=["west", "", "east"], yticklabels=["south", "", "north"])


EXHIBITS = [
    Exhibit(
        id="m-a-fifth-of-the-machine",
        title="A fifth that is slightly too small",
        room=19,
        origin="student",
        code=leaving,
        before="return percent * s // 100",
        after="return int((1 - (100 - percent) / 100) * s)",
        public="treelab.fast.selection.stochastic_sizes",
        agrees=sizes_agree,
        story=(
            "A fifth of each block is removed, which was written as 1 - 0.8. In binary "
            "floating-point numbers, the result is 0.19999999999999996, and `int` then "
            "rounds the number of features down. The thesis on these grids prints 585 "
            "features where 584 are right, and one too many in every later step."
        ),
        notice=(
            "Compute a fifth of 5, of 10 and of 15. If the exact result is a whole number, "
            "the function must return it."
        ),
        sign=a_fifth_of_blocks,
        picture=bars(
            [str(s) for s in range(5, 55, 10)], "columns that leave", xlabel="block", digits=0
        ),
        caption=(
            "Number of features that are removed from blocks of 5 to 45 features. A fifth "
            "is 1, 3, 5, 7 or 9. With the fault, each number is too small by one."
        ),
        alt="Left, five bars that rise from 1 to 9; right, from 0 to 8.",
        caught_by=(("wind-4", sizes, "no number of the machine"),),
    ),
    Exhibit(
        id="m-cube-without-end",
        title="A cube without end",
        room=19,
        origin="student",
        code=power,
        before="min(v, b) ** 3",
        after="v**3",
        public="treelab.figures.wind_farm.power_curve",
        agrees=curves_agree,
        story=(
            "The power grows with the cube of the wind speed, but it was not limited at the "
            "rated speed. A storm just below the cut-out speed then produces seven times "
            "the power of the generator."
        ),
        notice=("No power relative to the rated power exceeds 1, so look at the largest value."),
        sign=power_by_speed,
        picture=lines("speed", {"power": ""}, "speed, m/s", "share of rated power"),
        caption=(
            "Power by wind speed. It should stay at 1 from 13 m/s to the cut-out speed of "
            "25 m/s, but with the fault it rises to seven."
        ),
        alt="Left, a low curve that ends in a flat roof; right, a curve that climbs to seven.",
        caught_by=(("wind-1", power_error, "the cube stops there"),),
    ),
    Exhibit(
        id="m-directions-without-a-circle",
        title="Directions on a line",
        room=19,
        origin="student",
        code=in_the_wake,
        before="(direction - row + 90) % 180 - 90",
        after="(direction - row) % 180",
        public="treelab.figures.wind_farm.make_wind_farm",
        agrees=wakes_agree,
        story=(
            "A wind direction of 50 degrees deviates by 10 degrees from the rows of "
            "turbines, which point to 60 degrees. However, the remainder of 50 - 60 modulo "
            "180 is 170, which is far from 0 on a line although it is close to 0 on a "
            "circle. As a result, half of each sector is lost."
        ),
        notice=(
            "Rotate the rows by some degrees. The sector must rotate with them and keep its width."
        ),
        sign=waked_directions,
        picture=panels(draw_circle, legend=True),
        caption=(
            "Wind directions that put turbines into wakes, for rows that point to 60 and "
            "240 degrees. With the fault, only one half of each sector is found."
        ),
        alt=(
            "Two circles of points. Left, seven are marked on either side; right, four on either "
            "side, all after the direction of the rows."
        ),
    ),
]
