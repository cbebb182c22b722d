"""Wrong labels, two losses and two lengths of step (chapter 11).

Split k of each data set: half of the rows to learn from, the others to test on. A fifth of the
training labels is flipped; the test labels are left alone. Each round a stump joins with the
confidence that is best for the loss, times the learning rate: the exponential loss with rate 1 is
AdaBoost. Writes `steps_and_losses.csv`: for each split, data set, loss and rate the test errors
after 10 and 100 rounds, and the weight of the flipped cases after 5 and 100. Takes a minute.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from treelab.datasets import fetch_data_set


def tables():
    """Name, X and classes of each data set."""
    yield "tumors", *load_breast_cancer(return_X_y=True)
    for name in ("ionosphere", "sonar"):
        yield name, *fetch_data_set(name, return_X_y=True)


def pull(loss, agreement):
    """The slope of the loss where y F is this, up to sign and a factor: the weight of a row."""
    return np.exp(-agreement) if loss == "exponential" else 1 / (1 + np.exp(2 * agreement))


def best_step(loss, agreement, right):
    """The c at which the loss has no slope: half of the weight is on the wrong rows. By halving."""
    low, high = 0.0, 20.0
    sign = np.where(right, 1, -1)
    while high - low > 1e-9:
        c = (low + high) / 2
        low, high = (c, high) if pull(loss, agreement + c * sign) @ sign > 0 else (low, c)
    return (low + high) / 2


def boost(loss, rate, X, y, Z, z, flipped):
    """Errors on Z, and the weight of the flipped rows, for classes -1 and 1."""
    F, G, found = np.zeros(len(y)), np.zeros(len(z)), {}
    for b in range(1, 101):
        weight = pull(loss, y * F)
        stump = DecisionTreeClassifier(max_depth=1, random_state=0)
        said = stump.fit(X, y, sample_weight=weight / weight.sum()).predict(X)
        c = rate * best_step(loss, y * F, said == y)
        F, G = F + c * said, G + c * stump.predict(Z)
        if b in (10, 100):
            found[f"error, {b}"] = np.mean(np.where(G > 0, 1, -1) != z)
        if b in (5, 100):
            weight = pull(loss, y * F)
            found[f"weight, {b}"] = weight[flipped].sum() / weight.sum()
    return found


def one_split(k):
    """A row for each data set, loss and learning rate."""
    rows = []
    for data, X, classes in tables():
        y = np.where(np.asarray(classes) == np.unique(classes)[1], 1, -1)
        halves = train_test_split(np.asarray(X), y, test_size=0.5, random_state=k, stratify=y)
        X, Z, y, z = halves
        flipped = np.random.default_rng(k).random(len(y)) < 0.2
        noisy = np.where(flipped, -y, y)
        for loss in ("exponential", "log"):
            for rate in (0.1, 1.0):
                row = {"split": k, "data": data, "loss": loss, "rate": rate}
                rows.append(row | boost(loss, rate, X, noisy, Z, z, flipped))
    return pd.DataFrame(rows)


if __name__ == "__main__":
    table = pd.concat([one_split(k) for k in range(20)])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False, float_format="%.6f")
