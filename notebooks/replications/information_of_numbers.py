"""Mutual information of two numbers, by bins, by Parzen windows and by nearest neighbors.

Draws of a bivariate normal with correlation rho have the mutual information -log2(1 - rho^2) / 2.
Three estimates from 500 rows: by bins of equal size, as many for each variable as the cube root of
the number of rows (`quantile_cuts`); by Parzen windows, a Gaussian kernel of the width of Scott's
rule for the two variables together and for each, and the mean over the rows of
log2(p(x, y) / (p(x) p(y))); by nearest neighbors, as scikit-learn does it.

Writes `information_of_numbers.csv`, a row for each of 20 draws and each correlation: the true value
and the three estimates in bits. Takes ten seconds.
"""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import gaussian_kde
from sklearn.feature_selection import mutual_info_regression

from treelab.fast.information import mutual_information, quantile_cuts

DRAWS, CORRELATIONS, N = range(20), (0.0, 0.3, 0.6, 0.9), 500


def draw(seed, rho):
    """Two variables; ndarray of shape (2, N)."""
    return np.random.default_rng(seed).multivariate_normal([0, 0], [[1, rho], [rho, 1]], N).T


def by_bins(x, y):
    """Mutual information of the bins, in bits."""
    return mutual_information(*(np.digitize(each, quantile_cuts(each), True) for each in (x, y)))


def by_windows(x, y):
    """Mean of log2 of the estimated density ratio over the rows."""
    both = np.vstack([x, y])
    joint, p, q = (gaussian_kde(each)(each) for each in (both, x, y))
    return float(np.mean(np.log2(joint / (p * q))))


def by_neighbors(x, y):
    """Scikit-learn's estimate by three nearest neighbors, in bits."""
    return float(mutual_info_regression(x[:, None], y, random_state=0)[0] / np.log(2))


def one_draw(seed, rho):
    """A row of the table; dict."""
    x, y = draw(seed, rho)
    estimates = {"bins": by_bins(x, y), "windows": by_windows(x, y)}
    truth = -np.log2(1 - rho**2) / 2 + 0.0
    found = {"draw": seed, "rho": rho, "truth": truth} | estimates
    return found | {"neighbors": by_neighbors(x, y)}


if __name__ == "__main__":
    rows = [one_draw(*job) for job in product(DRAWS, CORRELATIONS)]
    path = Path(__file__).with_suffix(".csv")
    pd.DataFrame(rows).to_csv(path, index=False, float_format="%.6f")
