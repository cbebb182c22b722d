"""Facts of chapter 18: the answers to its exercises."""

import numpy as np
import pandas as pd
from facts import in_words

from treelab import RandomForestRegressor
from treelab.datasets import make_wind_farm, matern_correlation
from treelab.fast.selection import perc_std, smallest_size, stochastic_sizes

WEST, SOUTH = 20.2, 27.8  # km from cell to cell
TOGETHER = np.array([6.601, 6.562, 6.55, 6.545, 6.589, 6.725, 6.93, 7.148, 7.595, 7.563])
BLOCKS = np.array([6.601, 6.55, 6.502, 6.529, 6.604])
SIZES = {10: [1080, 540, 270, 135, 67, 33, 16, 8, 4, 2], 5: [1080, 540, 270, 135, 68]}


def between(here, there):
    """Distance of two cells in km."""
    return np.hypot(WEST * (here[0] - there[0]), SOUTH * (here[1] - there[1]))


def test_correlations_of_cells(page):
    far = between((9, 3), (7, 4))
    r = matern_correlation([far, SOUTH], 200)
    page.says(
        f"= {far:.1f}$ km; $s = {np.sqrt(3) * far / 200:.3f}$, the correlation is {r[0]:.3f}."
    )
    page.says(f"in cells whose correlation is {r[1]:.3f} or more.")
    three = np.full((3, 3), 0.9) + 0.1 * np.eye(3)
    page.says(
        rf"$(3 + 6 \cdot 0.9) / 9 = {three.sum() / 9:.3f}$: as much as "
        f"{9 / three.sum():.2f} columns."
    )
    page.says(rf"(c) $9 / (3 + 6 \cdot 0.81) = {9 / np.sum(three**2):.2f}$. With")


def test_directions_and_distances_of_a_grid(page):
    x, y = (axis.ravel() for axis in np.indices((15, 9)))
    cells = np.column_stack([WEST * x, SOUTH * y])
    apart = np.linalg.norm(cells[:, None] - cells, axis=2)
    directions = [len(cells) ** 2 / np.sum(matern_correlation(apart, length) ** 2)
                  for length in (50, 100, 200, 400)]  # fmt: skip
    page.says(
        f"For the {len(cells)} cells it is "
        + "{:.1f}, {:.1f}, {:.1f} and {:.1f} where the".format(*directions)
    )
    page.says(f"With 50 km there are {in_words(round(directions[0]))} directions")
    one, other = [(7, 4), (8, 4), (6, 5)], [(7, 5), (8, 3), (6, 4)]
    near = [min(between(cell, goal) for goal in other) for cell in one]
    page.says(
        "The nearest ones are {:.1f}, {:.1f} and {:.1f} km away, {:.1f} on average.".format(
            *near, np.mean(near)
        )
    )
    lots = np.random.default_rng(0)
    by_lot = [apart[np.ix_(*(lots.choice(135, 3, replace=False) for _ in "ab"))].min(axis=1).mean()
              for _ in range(20_000)]  # fmt: skip
    page.says(f"For two sets of three drawn by lot this is {np.mean(by_lot):.0f} km.")


def kept(path, alphas):
    """The sizes that the rule keeps."""
    sizes = SIZES[5 if len(path) == 5 else 10][: len(path)]
    return [smallest_size(sizes, perc_std(path), alpha) for alpha in alphas]


def test_two_yardsticks(page):
    assert stochastic_sizes(1080, step=0.5) == SIZES[5]
    for name, path in (("together", TOGETHER), ("", BLOCKS)):
        errors = " | ".join(f"{error:.3f}" for error in path)
        page.says(f"| {name}, validation | {errors} |" if name else f"| validation | {errors} |")
    deviation, of_blocks, of_six = (path.std() for path in (TOGETHER, BLOCKS, TOGETHER[:6]))
    page.says(f"It is {deviation:.3f} for the first path, {of_blocks:.3f} for the second.")
    page.says(f"The deviation of the six errors is {of_six:.3f}.")
    alphas = (0, 0.25, 0.5, 1)
    page.says("{}, {}, {} and {} columns. Those of".format(*kept(TOGETHER, alphas)))
    page.says("6.542: {}, {}, {} and {}.".format(*kept(BLOCKS, alphas)))
    page.says("{} and {} columns in place of 33 and 16.".format(*kept(TOGETHER[:6], (0.5, 1))))
    page.says(
        f"{0.25 * deviation:.3f}$ points are {0.25 * deviation / of_blocks:.1f} deviations of the"
    )
    page.says(
        f"Together: validation falls by {6.601 - 6.545:.3f}, test rises by {7.685 - 7.675:.3f}."
    )
    page.says(f"In blocks: {6.601 - 6.502:.3f} less, and {7.675 - 7.672:.3f} less.")


def test_a_farm_of_your_own(page):
    bought = []
    for poor in (0.0, 0.02, 0.3):
        for seed in range(5):
            drawn = make_wind_farm(
                3, step=6, grid=(7, 5), length=100.0, forecast_error=poor, return_X_y=False,
                random_state=seed,
            )  # fmt: skip
            year, power = drawn.data.index.year, drawn.target.to_numpy()
            learn, choose, judge = (year == 2021), (year == 2022), (year == 2023)
            change = np.abs(np.diff(power, prepend=0))
            row = {"forecast": poor, "before": change[judge].mean()}
            row["mean"] = np.abs(power[judge] - power[learn].mean()).mean()
            for km in (0, 30, 60) if poor else (0, 30):
                blown = drawn.columns["variable"].isin(["u100", "v100", "speed100"])
                some = drawn.data.loc[:, blown & (drawn.columns["distance"] <= km)].to_numpy()
                grown = RandomForestRegressor(
                    25, max_depth=10, min_samples_leaf=4, max_features=1 / 3, random_state=seed
                ).fit(some[learn], power[learn])
                for name, rows in (("choose", choose), ("judge", judge)):
                    wrong = np.abs(grown.predict(some[rows]) - power[rows])
                    row[f"{name} {some.shape[1] // 3}"] = wrong.mean()
            bought.append(row)
    bought = pd.DataFrame(bought).set_index("forecast") * 100
    page.says(
        f"The mean of 2021 is wrong by {bought['mean'].mean():.2f}, the power of six hours before "
        f"by {bought['before'].mean():.2f}."
    )
    chosen = bought.filter(like="choose").loc[[0.02, 0.3]].idxmin(axis=1)
    assert chosen.tolist() == ["choose 5"] * 5 + ["choose 21"] * 5
    judged = bought.filter(like="judge").rename(columns=lambda name: int(name.split()[1]))
    good, poor, exact = (judged.loc[error].mean() for error in (0.02, 0.3, 0.0))

    def gain(error, fewer, more):
        """What a number of cells errs less than another one, and its standard error."""
        each = judged.loc[error, fewer] - judged.loc[error, more]
        return f"{each.mean():.2f}", f"{each.std() / np.sqrt(5):.2f}"

    less, se = gain(0.02, 1, 5)
    page.says(
        f"2022 chose five cells on all five farms: {good[5]:.2f}, beside {good[1]:.2f} with the "
        f"farm's cell alone, a gain of {less} with a standard error of {se}."
    )
    less, se = gain(0.02, 21, 5)
    page.says(
        f"The 21 cells gave {good[21]:.2f}, more than the five by {less} with a standard error of "
        f"{se}."
    )
    less, se = gain(0.3, 5, 21)
    page.says(
        f"it chose 21 cells on all farms: {poor[21]:.2f}, beside {poor[5]:.2f} with five and "
        f"{poor[1]:.2f} with one; from five to 21 the gain is {less} with a standard error of {se}."
    )
    page.says(f"the farm's cell alone gave {exact[1]:.2f}, five cells {exact[5]:.2f}: so the")
