"""How often does a bootstrap interval hold the truth?

Repeats what the chapter "The bootstrap" says about the coverage of the percentile, the basic and
the BCa interval: for a correlation, and for the cut of a stump under four trends. For each of
1000 sets the three intervals are made from the same 500 replicates; hits are counted in blocks of
25 sets.

The rows with n = "limit" show where the cut ends up under any smooth trend with one best cut. There
the error of the cut is, up to a factor, the place of the maximum of W(t) - t², with W a Brownian
motion on both sides of 0; that of a replicate is the place of the maximum of W(t) + V(t) - t²,
with the same W and an independent V (Banerjee and McKeague 2007; Cattaneo, Jansson and Nagasawa
2020).

    python notebooks/replications/bootstrap_coverage.py

writes `bootstrap_coverage.csv` in about five minutes.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import scipy.stats

from treelab.fast.bootstrap import Bootstrap

METHODS, LEVELS = ("percentile", "basic", "BCa"), (0.95, 0.8)
SIZES, BLOCK, BLOCKS, LIMIT_BLOCKS, B = (100, 442), 25, 40, 120, 500

# trend on (0, 1) and standard deviation of the noise
WORLDS = {
    "line": (lambda x: x, 0.3),
    "curve": (lambda x: x**2, 0.3),
    "steep": (lambda x: 1 / (1 + np.exp(-20 * (x - 0.3))), 0.3),
    "jump": (lambda x: 1.0 * (x > 0.5), 0.5),
}
CASES = [("correlation", "line"), *(("cut", world) for world in WORLDS)]


def correlation(x, y, axis=-1):
    """Pearson's correlation of the rows of x and y."""
    x, y = x - x.mean(axis, keepdims=True), y - y.mean(axis, keepdims=True)
    return (x * y).sum(axis) / np.sqrt((x**2).sum(axis) * (y**2).sum(axis))


def cut(x, y, axis=-1):
    """The threshold of a regression stump for each row of x and y."""
    order = np.argsort(x, axis=-1)
    x, y = np.take_along_axis(x, order, -1), np.take_along_axis(y, order, -1)
    left = np.arange(1, x.shape[-1])
    sums = np.cumsum(y, axis=-1)
    total, sums = sums[..., -1:], sums[..., :-1]
    gain = sums**2 / left + (total - sums) ** 2 / (len(left) + 1 - left)
    gain = np.where(x[..., :-1] < x[..., 1:], gain, -np.inf)  # no cut between equal values
    best = gain.argmax(axis=-1)[..., None]
    ends = np.take_along_axis(x, best, -1) + np.take_along_axis(x, best + 1, -1)
    return ends[..., 0] / 2


STATISTICS = {"correlation": correlation, "cut": cut}


def truth(statistic, world):
    """The statistic of a million cases, evenly spaced and without chance."""
    f, noise = WORLDS[world]
    x = (np.arange(10**6) + 0.5) / 10**6
    if statistic == "cut":
        return float(cut(x, f(x)))
    return float(np.std(f(x)) / np.hypot(np.std(f(x)), noise) * correlation(x, f(x)))


def draw(world, n, rng):
    """n cases of a world."""
    f, noise = WORLDS[world]
    x = rng.random(n)
    return x, f(x) + noise * rng.normal(size=n)


def intervals(statistic, x, y, rng):
    """Both ends by method and level, all from the same replicates."""
    common = {"paired": True, "vectorized": True}
    drawn = scipy.stats.bootstrap(
        (x, y), statistic, n_resamples=B, rng=rng, method="basic", **common
    )
    ours = Bootstrap(statistic(x, y), drawn.bootstrap_distribution)
    ends = {}
    for level in LEVELS:
        ends["percentile", level] = ours.interval(level)
        ends["basic", level] = ours.interval(level, method="basic")
        ends["BCa", level] = scipy.stats.bootstrap(
            (x, y), statistic, n_resamples=0, bootstrap_result=drawn, method="BCa",
            confidence_level=level, **common,
        ).confidence_interval  # fmt: skip
    return ends


def hits_of_block(statistic, world, n, block):
    """In how many of the 25 sets of a block each interval holds the truth."""
    aim, hits = truth(statistic, world), {}
    for s in range(block * BLOCK, (block + 1) * BLOCK):
        rng = np.random.default_rng(s)
        x, y = draw(world, n, rng)
        for key, (low, high) in intervals(STATISTICS[statistic], x, y, rng).items():
            hits[key] = hits.get(key, 0) + bool(low <= aim <= high)
    return hits


def paths(m, t, rng):
    """m Brownian motions at the times t, 0 at time 0; (m, n_times)."""
    steps = rng.normal(size=(m, len(t) - 1)) * np.sqrt(np.diff(t))
    motion = np.concatenate([np.zeros((m, 1)), np.cumsum(steps, axis=1)], axis=1)
    return motion - motion[:, len(t) // 2, None]


def hits_of_limit(block):
    """The same for the limit, where the truth is 0 and there is no BCa."""
    t, hits = np.linspace(-4, 4, 801), {}
    for s in range(block * BLOCK, (block + 1) * BLOCK):
        rng = np.random.default_rng(s)
        world = paths(1, t, rng)[0] - t**2
        result = Bootstrap(t[world.argmax()], t[(world + paths(B, t, rng)).argmax(axis=1)])
        for level in LEVELS:
            for method in ("percentile", "basic"):
                low, high = result.interval(level, method)
                hits[method, level] = hits.get((method, level), 0) + bool(low <= 0 <= high)
    return hits


def row(statistic, world, n, block, hits):
    """A line of the table."""
    counts = {f"{m} {level:.0%}": hits.get((m, level)) for level in LEVELS for m in METHODS}
    return {"statistic": statistic, "world": world, "n": n, "block": block, **counts}


def replicate():
    """All blocks; a DataFrame."""
    rows = [
        row(statistic, world, n, block, hits_of_block(statistic, world, n, block))
        for statistic, world in CASES
        for n in SIZES
        for block in range(BLOCKS)
    ]
    rows += [row("cut", "smooth", "limit", b, hits_of_limit(b)) for b in range(LIMIT_BLOCKS)]
    return pd.DataFrame(rows)


if __name__ == "__main__":
    table = replicate().astype({f"BCa {level:.0%}": "Int64" for level in LEVELS})
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)
