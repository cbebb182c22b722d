"""Figures of the page on linear models: paths of the coefficients, and two directions."""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import Ridge, lasso_path

from treelab.drawing.style import COLORS, INK, MARKERS

__all__ = ["coefficient_paths", "directions", "ridge_and_lasso"]

# The features whose lines have a color, and how far each name is moved so that it covers no other.
NAMED = {"bmi": 2, "s1": 0, "s2": -3, "s5": 0}


def ridge_and_lasso(X, y):
    """Compute the coefficients of ridge and lasso from all of least squares down to none.

    Returns two tables, of ridge and of lasso: the sum of the absolute coefficients as a share of
    that of least squares, (n_penalties,), and the coefficients, (n_features, n_penalties).
    """
    X, y = np.asarray(X, dtype=float), np.asarray(y - y.mean(), dtype=float)
    ridge = np.array([Ridge(penalty).fit(X, y).coef_ for penalty in np.logspace(6, -3, 91)]).T
    largest = np.abs(X.T @ y).max() / len(y)  # the penalty at which the last coefficient goes
    _, lasso, _ = lasso_path(X, y, alphas=largest * np.logspace(0, -5, 100))
    whole = np.abs(np.linalg.lstsq(X, y, rcond=None)[0]).sum()
    return [(np.abs(coef).sum(axis=0) / whole, coef) for coef in (ridge, lasso)]


def coefficient_paths(X, y):
    """Draw the coefficients of ridge and lasso along their paths, one panel each."""
    _, axes = plt.subplots(1, 2, sharey=True)
    named = dict(zip(NAMED, COLORS))
    for ax, title, (shares, coefs) in zip(axes, ("Ridge", "Lasso"), ridge_and_lasso(X, y)):
        for name, path in zip(X.columns, coefs):
            ax.plot(shares, path, color=named.get(name, "0.6"), lw=2 if name in named else 1)
            if name in named:
                ax.annotate(name, (1.04, path[-1] + NAMED[name]), color=named[name], va="center")
        ax.axhline(0, color=INK, lw=0.8)
        ax.set(title=title, xlabel="sum of sizes, share", xlim=(0, 1.3))
    axes[0].set_ylabel("coefficient")


def directions(X, y, principal, discriminant):
    """Draw two classes in the plane, with the principal component and the discriminant."""
    _, ax = plt.subplots()
    for label, marker, color in zip(np.unique(y), MARKERS, COLORS):
        rows = X[y == label]
        ax.plot(*rows.T, marker, color=color, ms=4, alpha=0.7, label=f"class {label}")
    named = {"first component": (principal, "-"), "discriminant": (discriminant, "--")}
    for name, (direction, style) in named.items():
        ends = 6 * np.outer((-1, 1), direction / np.linalg.norm(direction))
        ax.plot(*ends.T, style, color=INK, label=name)
    ax.set(xlabel="first feature", ylabel="second feature", xlim=(-7, 7), ylim=(-5, 5))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, 1.25), ncols=2)
