"""Data, computations and pictures that several rooms of the museum share."""

import numpy as np
from museum import steps

GRID = np.linspace(0, 6, 121)


def wave(n=60, noise=0.3, level=0.0, seed=0):
    """Noisy points of a sine, sorted; (n, 1) and (n,)."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(0, 6, n))
    return x[:, None], level + np.sin(x) + rng.normal(0, noise, n)


def on_the_line(model, X, y):
    """What a regressor predicts along the line, with the rows for the picture."""
    return {"x": GRID, "said": model.fit(X, y).predict(GRID[:, None]), "_x": X[:, 0], "_y": y}


def coin_flips(n=60, p=4):
    """Features that say nothing about the two classes."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, p)), rng.integers(2, size=n)


def noisy_classes(n=120):
    """Two classes, a diagonal border, and every eighth label flipped."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    y[::8] = 1 - y[::8]
    return X, y


PREDICTED = steps("x", {"said": ""}, "x", "y", rows=("_x", "_y"))
