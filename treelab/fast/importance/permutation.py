"""Importance by loss: the decrease in score when a column becomes uninformative.

Shuffle one column and its link to the target is gone, while its values stay what they were. The
fitted model predicts again; what the score loses is the importance of the column to this
model. Dropping a column and fitting again answers another question: what can the other columns not
replace? Columns that are shuffled, or dropped, together are a group.
"""

import numbers

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, check_random_state, check_scalar
from sklearn.utils.validation import check_consistent_length

from treelab.fast.importance.replay import Replay
from treelab.fast.inputs import as_table, on_columns
from treelab.fast.results import Results

__all__ = ["drop_column_importance", "permutation_importance"]


def permutation_importance(
    model, X, y, *, scoring=None, n_repeats=5, groups=None, sample_weight=None, random_state=None
):
    """Measure the decrease in score when a column is shuffled.

    Do not divide by the sum: it may be 0 or negative. A column with a copy hardly matters to a
    model that can read the other one: shuffle the two as a group.

    Parameters
    ----------
    model : estimator
        Anything that is fitted and predicts.
    X : array-like or DataFrame of shape (n_rows, n_features)
        Held-out data: on data of its training a model loses also what it has learned by heart.
    y : array-like of shape (n_rows,)
    scoring : str, callable, list, tuple, dict or None, default=None
        As in scikit-learn; None takes the model's own `score`. Several scores cost one prediction.
    n_repeats : int, default=5
    groups : list or dict of column lists, default=None
        Columns, by number or name (else a ValueError), that are shuffled together. None: each by
        itself.
    sample_weight : array-like of shape (n_rows,), default=None
        Weights in the score.
    random_state : int, RandomState instance or None, default=None
        The permutations are those of scikit-learn's function with the same seed.

    Returns
    -------
    sklearn.utils.Bunch, or dict of Bunch by score where there are several
        ``importances``, (n_features or n_groups, n_repeats): the score less that after each
        shuffle; ``importances_mean`` and ``importances_std`` (divided by the number of repeats).

    References
    ----------
    Breiman (2001), Random forests, section 10. Fisher, Rudin and Dominici (2019), All models are
    wrong, but many are useful.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5
    >>> tree = DecisionTreeRegressor().fit(X, [0, 0, 8, 8] * 5)
    >>> result = permutation_importance(tree, X, [0, 0, 8, 8] * 5, random_state=0)
    >>> result.importances_mean.round(2).tolist()
    [2.08, 0.0]
    """
    check_scalar(n_repeats, "n_repeats", numbers.Integral, min_val=1)
    X = as_table(X)
    check_consistent_length(X, y, sample_weight)
    y = _target(y)
    columns = _groups(X, groups)
    scorer = _scorer(model, scoring)
    weight = {} if sample_weight is None else {"sample_weight": np.asarray(sample_weight)}
    baseline = scorer(model, X, y, **weight)
    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max + 1)
    sources = _sources(seed, len(X), n_repeats)
    if Replay.suits(model, scoring):
        replay = Replay(model, X)
        changed = ((again, X) for group in columns for again in replay.models(group, sources))
    else:
        changed = ((model, _shuffled(X, group, rows)) for group in columns for rows in sources)
    lost = [_less(baseline, scorer(again, table, y, **weight)) for again, table in changed]
    return summary(lost, len(columns))


def _target(y):
    """Return `y` as a Series or an array."""
    return y if hasattr(y, "iloc") else np.asarray(y)


def _scorer(model, scoring):
    """Return the scorer of one score or of several."""
    if isinstance(scoring, list | tuple | set) and not scoring:
        raise ValueError("scoring must name at least one score.")
    return check_scoring(model, scoring=scoring)


def _sources(seed, n, n_repeats):
    """Draw the row from which each row takes its shuffled values, as scikit-learn; (n_repeats, n).

    Each shuffle goes on from the one before: of the order, and of the column.
    """
    rng, order, source, sources = np.random.RandomState(seed), np.arange(n), np.arange(n), []
    for _ in range(n_repeats):
        rng.shuffle(order)
        source = source[order]
        sources.append(source)
    return np.array(sources)


def _shuffled(X, group, source):
    """Return a copy of `X` whose columns in `group` come from the rows in `source`."""
    shuffled = X.copy()
    if not hasattr(X, "iloc"):
        shuffled[:, group] = X[np.ix_(source, group)]
        return shuffled
    for j in group:
        shuffled.isetitem(j, X.iloc[source, j].set_axis(X.index))
    return shuffled


def _less(a, b):
    """Subtract scores, one or several."""
    return {name: a[name] - b[name] for name in a} if isinstance(a, dict) else a - b


def summary(lost, n_groups):
    """Summarize losses by mean and spread, group by group and repeat by repeat, for each score."""
    if isinstance(lost[0], dict):
        return {name: summary([one[name] for one in lost], n_groups) for name in lost[0]}
    lost = np.reshape(lost, (n_groups, -1))
    return Results(
        importances_mean=lost.mean(axis=1), importances_std=lost.std(axis=1), importances=lost
    )


def _groups(X, groups):
    """Return the column numbers of each group; list of lists."""
    if groups is None:
        return [[j] for j in range(X.shape[1])]
    groups = list(groups.values() if isinstance(groups, dict) else groups)
    if not groups:
        raise ValueError("groups must hold at least one list of columns.")
    return [_column_numbers(X, group) for group in groups]


def _column_numbers(X, group):
    """Return the numbers of the named columns; a group may be one column."""
    group = [group] if isinstance(group, str | numbers.Integral) else list(group)
    names, found = list(getattr(X, "columns", ())), set()
    for column in group:
        if column in names:
            found.add(names.index(column))
        elif isinstance(column, numbers.Integral) and 0 <= column < X.shape[1]:
            found.add(int(column))
        else:
            raise ValueError(
                f"groups names the column {column!r}, but X has {names or X.shape[1]} columns."
            )
    if not found:
        raise ValueError("groups has a group without columns.")
    return sorted(found)


def drop_column_importance(estimator, X, y, *, held_out=None, cv=5, scoring=None, groups=None):
    """Measure the decrease in score when the model is fitted again without a column.

    Of two copies neither matters here: the other one replaces it. The cost is one fit for each
    column and fold. Lei, G'Sell, Rinaldo, Tibshirani and Wasserman (2018), Distribution-free
    predictive inference for regression, section 6, call it leave one covariate out.

    Parameters
    ----------
    estimator : estimator
        Is cloned and fitted; itself it may be fitted or not. Give it a `random_state`: else the
        the randomness of another seed is part of the difference.
    X, y, scoring
        As in `permutation_importance`.
    held_out : tuple (X, y), default=None
        Rows for the score. None: cross-validate.
    cv : int, splitter or iterable, default=5
        As in scikit-learn; used without `held_out`.
    groups : list or dict of column lists, default=None
        Columns that are dropped together; a ValueError where none is left to fit on.

    Returns
    -------
    sklearn.utils.Bunch, or dict of Bunch by score where there are several
        As `permutation_importance`, with the folds as repeats.

    Examples
    --------
    >>> from treelab import DecisionTreeRegressor
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]] * 5
    >>> result = drop_column_importance(DecisionTreeRegressor(), X, [0, 0, 8, 8] * 5)
    >>> result.importances_mean.round(2).tolist()
    [1.0, 0.0]
    """
    X = as_table(X)
    check_consistent_length(X, y)
    y = _target(y)
    columns, d = _groups(X, groups), X.shape[1]
    if any(len(group) == d for group in columns):
        raise ValueError(f"X has {d} columns; a group must leave at least one of them to fit on.")
    if held_out is not None:
        X_test, y_test = as_table(held_out[0]), _target(held_out[1])
        check_consistent_length(X_test, y_test)
        folds = [(X, y, X_test, y_test)]
    else:
        splitter = check_cv(cv, y, classifier=is_classifier(estimator))
        folds = [
            tuple(_safe_indexing(data, rows) for rows in pair for data in (X, y))
            for pair in splitter.split(X, y)
        ]
    everything = [_fit_and_score(estimator, fold, [], scoring) for fold in folds]
    lost = [
        _less(baseline, _fit_and_score(estimator, fold, group, scoring))
        for group in columns
        for fold, baseline in zip(folds, everything, strict=True)
    ]
    return summary(lost, len(columns))


def _fit_and_score(estimator, fold, dropped, scoring):
    """Return the score of a clone that is fitted without the columns `dropped`."""
    X, y, X_test, y_test = fold
    kept = [j for j in range(X.shape[1]) if j not in dropped]
    estimator, X = on_columns(estimator, X, kept)
    model = clone(estimator).fit(X, y)
    return _scorer(model, scoring)(model, _safe_indexing(X_test, kept, axis=1), y_test)
