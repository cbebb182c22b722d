"""Subset selection in linear regression: best subset, stepwise and stagewise search.

The residual sum of squares always prefers more features. Therefore each method yields a path of
models from few features to many, and something else decides where to stop: a number, a penalty for
each feature (AIC, BIC), a test, or the errors on held-out rows.
"""

import numbers
import warnings
from dataclasses import KW_ONLY, dataclass

import numpy as np
import pandas as pd
from scipy.stats import rankdata
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold, check_cv
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from treelab.fast.inputs import Number, OneOf, check_number, parameter
from treelab.fast.selection.base import Selector
from treelab.fast.selection.best_subset import best_subsets
from treelab.fast.selection.least_squares import triangle
from treelab.fast.selection.paths import path_of_models, path_of_moves
from treelab.fast.selection.stagewise import stagewise
from treelab.fast.selection.stepwise import (
    backward,
    by_criterion,
    by_test,
    floating,
    forward,
    stepwise,
)

__all__ = ["SubsetSelector"]

NESTED = ("forward", "backward", "stagewise")


@dataclass(eq=False, repr=False)
class SubsetSelector(Selector):
    """Select the features of a linear regression: by all subsets, stepwise, or stagewise.

    Parameters
    ----------
    method : {"best", "forward", "backward", "both", "stagewise"}, default="best"
        "best": the best subset of each size, by branch and bound; up to 40 features take
        seconds. "forward": from none, the feature that lowers the residual sum most is added.
        "backward": from all, the one that raises it least is removed. "both": from none, features
        are added or removed; see Notes. "stagewise": the coefficient of the feature that is most
        correlated with the residual moves by `step`, and nothing is fitted again.
    n_features : int, default=None
        Number of features to select, from 1. None: `criterion` decides. "best", "forward" and
        "stagewise" do not search beyond this number.
    criterion : {"aic", "bic", "p_value", "cv"}, default="aic"
        "aic", "bic": the minimum of ``n ln(RSS / n) + penalty (k + 1)`` for k features, with the
        penalty 2 or ln n; a stepwise search stops if no step lowers it. "p_value": features are
        added if their p-value is below `alpha`, and removed if it is not; for "forward",
        "backward" and "both". "cv": the minimum squared error on held-out rows.
    alpha : float, default=0.05
        Level of the p-values, above 0 and at most 1.
    cv : int, splitter of scikit-learn or iterable of (train, test), default=10
        As in `cross_validated_pruning`; each fold searches anew.
    step : float or None, default=0.01
        Size of a move of a coefficient, as a correlation: in units of sd(y) / sd(feature). None:
        the coefficient of the simple regression of the residual on the feature.
    max_iter : int, default=10000
        Largest number of moves of "stagewise".
    random_state : int, RandomState or None, default=None
        Seed of the shuffle into folds if `cv` is a number.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_columns,)
    ranking_ : ndarray of int, shape (n_columns,)
        1 for the feature that is added first or removed last; those that are never added share the
        last rank. Only if subsets are nested: "forward", "backward", "stagewise".
    n_iter_ : int
        Number of steps on the path.
    steps_ : list of dict
        The rows of `steps_table`.

    Notes
    -----
    A constant column is never added, nor is a linear combination of those in the model; "backward"
    leaves out, before its first step, every combination of columns further left. In "stagewise"
    such columns may share a coefficient.

    A model has at most n - 2 features, so that its residuals are not all 0; "best" and "backward"
    need p + 2 rows. With a criterion, "both" takes the step that lowers AIC or BIC most, or, with
    p-values, removes before it adds. With a number or cross-validation it is a floating search:
    after each addition, features are removed as long as the model is better than any before of its
    size.

    On a path of "stagewise", k counts coefficients other than 0. This is only about their cost,
    because they are shrunken, and selected.

    Whatever stops it, the features were selected on the rows at hand, so their p-values and errors
    are too optimistic. Select inside each fold, in a Pipeline.

    References
    ----------
    Furnival and Wilson (1974), Regressions by leaps and bounds. Efroymson (1960), Multiple
    regression analysis. Hastie, Tibshirani and Friedman (2009), sections 3.3 and 3.8.1.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> best = SubsetSelector("best", n_features=4).fit(X, y)
    >>> list(best.get_feature_names_out())
    ['bmi', 'bp', 's1', 's5']
    >>> table = SubsetSelector("forward", criterion="bic").fit(X, y).steps_table()
    >>> table["entered"].tolist()[1:7], int(table["n_features"][table["chosen"]].item())
    (['bmi', 's5', 'bp', 's1', 'sex', 's2'], 6)
    """

    method: str = parameter("best", OneOf("best", "forward", "backward", "both", "stagewise"))
    _: KW_ONLY
    n_features: object = None
    criterion: str = parameter("aic", OneOf("aic", "bic", "p_value", "cv"))
    alpha: float = parameter(0.05, Number(numbers.Real, 0, 1, "right"))
    cv: int = 10
    step: float = parameter(0.01, Number(numbers.Real, 0, 1, "right", optional=True))
    max_iter: int = parameter(10000, Number(numbers.Integral, 1))
    random_state: object = None

    def fit(self, X, y):
        """Search and select.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
        """
        X, y, _ = self.table.fit(X, y)
        self._check(X)
        path = self._walk(triangle(X, y), "X")
        most = path.sizes.max()
        if self.n_features is not None and self.n_features > most:
            raise ValueError(
                f"n_features must be at most {most} for these rows, got {self.n_features}: there "
                f"the path of {self.method!r} ends. A model has at most n_rows - 2 features, and "
                "none that is a combination of others."
            )
        self._path, self.n_iter_ = path, len(path.subsets) - 1
        columns = {"rss": path.rss * path.data.y_length**2}
        columns |= dict(zip(("aic", "bic"), path.criteria()))
        if self.criterion == "cv" and self.n_features is None:
            columns |= self._cross_validate(X, y)
        chosen = self._choose(columns)
        columns["chosen"] = np.arange(len(path.subsets)) == chosen
        self.steps_ = [
            row | {name: column[t].item() for name, column in columns.items()}
            for t, row in enumerate(self._describe())
        ]
        self.support_ = np.isin(np.arange(X.shape[1]), path.subsets[chosen])
        vars(self).pop("ranking_", None)
        if self.method in NESTED:
            self.ranking_ = self._rank()
        return self

    def path_table(self, standardized=True):
        """List the coefficients of the model after each step, a column per feature; DataFrame.

        Parameters
        ----------
        standardized : bool, default=True
            For features with the mean 0 and the standard deviation 1, as scikit-learn's
            `StandardScaler` makes them, instead of the features as they are. The target is as it
            is.
        """
        check_is_fitted(self)
        data, used = self._path.data, self._path.columns
        length = np.where(data.x_length > 0, data.x_length, np.inf)[used]
        table = np.zeros((len(self._path.subsets), self.n_features_in_))
        scale = np.sqrt(data.n_rows) if standardized else length
        table[:, used] = self._path.weights * (data.y_length / scale)
        return pd.DataFrame(table, columns=self._feature_names()).rename_axis("step")

    def steps_table(self):
        """List the features added and removed, with the numbers that decided; DataFrame.

        A row for each model of the path: the names ``entered`` and ``left``; ``n_features``; ``F``
        and ``p_value`` of the feature that was added or removed; ``rss``, ``aic``, ``bic``; the
        mean ``cv_error`` of models of this size and its standard error ``cv_se``, with "cv";
        ``chosen``. In "stagewise", ``feature`` is the one that moves and ``correlation`` its
        correlation with the residual before, instead of F.
        """
        return super().steps_table().rename_axis("step")

    def _check(self, X):
        """Raise if parameters contradict each other, or if there are too few rows."""
        p = check_array(X, ensure_min_samples=3, estimator=self).shape[1]
        if self.n_features is not None:
            check_number(self.n_features, "n_features", numbers.Integral, min_val=1, max_val=p)
        if isinstance(self.cv, numbers.Integral):
            check_number(self.cv, "cv", numbers.Integral, min_val=2)
        else:
            check_cv(self.cv)
        tests = self.criterion == "p_value" and self.n_features is None
        if tests and self.method not in ("forward", "backward", "both"):
            raise ValueError(
                "criterion='p_value' tests a feature that enters or leaves, with method='forward', "
                f"'backward' or 'both'. For {self.method!r} take 'aic', 'bic' or 'cv'."
            )

    def _walk(self, data, whose):
        """Return the path of the search on a data set."""
        n, p = data.n_rows, data.X.shape[1]
        if self.method in ("best", "backward") and n < p + 2:
            raise ValueError(
                f"method={self.method!r} needs {p + 2} rows or more for {p} features, but "
                f"{whose} has {n}. The other methods do with fewer."
            )
        most = max(min(p, n - 2), 0)
        if self.method == "stagewise":
            moves = stagewise(data, self.step, self.max_iter, self.n_features or p)
            if not moves.ended:
                warnings.warn(
                    f"Coefficients still move after max_iter={self.max_iter} moves.",
                    ConvergenceWarning,
                    stacklevel=3,
                )
            return path_of_moves(data, moves, self.step)
        if self.method == "best":
            return path_of_models(data, best_subsets(data, self.n_features or most))
        if self.method == "both" and self.n_features is None and self.criterion != "cv":
            penalty = {"aic": 2, "bic": np.log(n)}.get(self.criterion)
            move = by_criterion(n, penalty) if penalty else None
            return path_of_models(data, stepwise(data, most, move or by_test(n, self.alpha)))
        if self.method == "forward" and self.n_features is not None:
            most = min(most, self.n_features)  # nothing that enters later changes the choice
        search = {"forward": forward, "both": floating}.get(self.method)
        return path_of_models(data, search(data, most) if search else backward(data))

    def _choose(self, columns):
        """Return the row of the path at which the search stops."""
        sizes, rss, size = self._path.sizes, self._path.rss, self.n_features
        if size is None:
            if self.method == "both" and self.criterion != "cv":
                return len(sizes) - 1
            if self.method in ("forward", "backward") and self.criterion != "cv":
                return self._first_stop(columns)
            value = columns["cv_error" if self.criterion == "cv" else self.criterion]
            if self.method == "stagewise":
                return int(np.argmin(value))
            size = sizes[value == np.nanmin(value)].min()
        rows = np.flatnonzero(sizes == size)
        return int(rows[np.argmin(rss[rows])])

    def _first_stop(self, columns):
        """Return the first row of the path after which a step does not pay."""
        if self.criterion != "p_value":
            value = columns[self.criterion]
            change = np.greater_equal if self.method == "backward" else np.greater
            pays = change(value[:-1], value[1:])  # of two that are equal, the smaller model
        else:
            p = self._path.tests()[1:, 1]
            pays = p < self.alpha if self.method == "forward" else p >= self.alpha
        return int(np.argmin(np.append(pays, False)))

    def _cross_validate(self, X, y):
        """Compute the mean squared error on held-out rows and its standard error for each model."""
        cv = self.cv
        if isinstance(cv, numbers.Integral):
            if cv > len(X):
                raise ValueError(f"cv must be at most the number of rows, {len(X)}, got {cv}.")
            cv = KFold(cv, shuffle=True, random_state=self.random_state)
        losses = []
        for train, test in check_cv(cv).split(X, y):
            path = self._walk(triangle(X[train], y[train]), "a training set of cv")
            loss, models = path.squared_errors(X[test], y[test]), self._path.counterparts(path)
            losses.append(np.where(models < 0, np.nan, loss[:, models]))
        if not losses:
            raise ValueError("cv has no folds.")
        losses = np.concatenate(losses)
        se = losses.std(axis=0) / np.sqrt(len(losses))
        return {"cv_error": losses.mean(axis=0), "cv_se": se}

    def _describe(self):
        """Yield a dict for each step of the path."""
        names, path = self._feature_names(), self._path
        before, tests = [set(), *map(set, path.subsets)], path.tests()
        for t, subset in enumerate(path.subsets):
            entered, left = [set(subset) - before[t], before[t] - set(subset)]
            row = {
                "entered": ", ".join(str(names[j]) for j in sorted(entered)),
                "left": ", ".join(str(names[j]) for j in sorted(left)),
                "n_features": len(subset),
            }
            if path.moves is None:
                yield row | {"F": float(tests[t, 0]), "p_value": float(tests[t, 1])}
            elif t == 0:
                yield row | {"feature": "", "correlation": np.nan}
            else:
                j, correlation = path.moves.features[t - 1], path.moves.correlations[t - 1]
                yield row | {"feature": names[j], "correlation": float(correlation)}

    def _rank(self):
        """Rank the features by when they were added, or how late they were removed."""
        when = np.full(self.n_features_in_, np.inf)
        for t, subset in enumerate(self._path.subsets):
            if self.method == "backward":
                when[subset] = -t
            else:
                when[subset] = np.minimum(when[subset], t)
        return rankdata(when, method="dense")
