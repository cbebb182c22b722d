"""Bad input: every error names the argument and says what would be right.

One table. Each row holds what is wrong, the type of the error and a pattern that its message
must contain. At the end stands what looks odd and is allowed.
"""

import numpy as np
import pandas as pd
import pytest
from cases import each
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier as TheirClassifier

from treelab import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    C45Classifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    ID3Classifier,
    RandomForestClassifier,
    VarianceTreeRegressor,
)
from treelab.fast.boosting import (
    boosting_table,
    interval_candidates,
    interval_table,
    residual_table,
)
from treelab.fast.bootstrap import (
    bootstrap,
    bootstrap_error,
    bootstrap_error_table,
    distinct_cases,
)
from treelab.fast.c45 import (
    gain_table,
    held_out_rows,
    predicted_errors,
    upper_limit,
    variance_table,
)
from treelab.fast.growing import split_table
from treelab.fast.importance import (
    compare_rankings,
    conditional_mutual_information,
    drop_column_importance,
    importance_table,
    importance_z_scores,
    mean_decrease_impurity,
    mutual_information_decomposition,
    noising_importance,
    oob_permutation_importance,
    permutation_importance,
    ranking_stability,
    rankings,
    shap_values,
    squared_improvement,
    totally_randomized_importance,
)
from treelab.fast.impurity import (
    entropy,
    gain_ratio,
    gini,
    impurity_table,
    information_gain,
    misclassification,
    split_information,
    squared_error,
)
from treelab.fast.information import Levels, entropy_of, mutual_information, symmetrical_uncertainty
from treelab.fast.pruning import (
    chi2_prepruning,
    chi2_table,
    cost_complexity_path,
    cross_validated_pruning,
    prune,
    pruning_table,
    reduced_error_pruning,
    reduced_error_table,
)
from treelab.fast.selection import (
    CFSSelector,
    FCBFSelector,
    FilterSelector,
    filter_table,
    merit,
    merit_table,
    uncertainty_table,
)

X = [[1.0, 2], [2, 1], [3, 4], [4, 3]]
Y = [0, 0, 1, 1]
NUMBERS = [1.0, 2, 3, 4]
NAN, INF = np.nan, np.inf
FRAME = pd.DataFrame({"size": [1, 2, 3, 4], "color": ["red", "blue", "red", "blue"]})
COLOR = FRAME[["color"]]

CLASSIFIER = DecisionTreeClassifier().fit(X, Y)
REGRESSOR = DecisionTreeRegressor().fit(X, NUMBERS)
MIXED = DecisionTreeClassifier(categorical_features=["color"]).fit(FRAME, Y)
TREE = CLASSIFIER.tree_
C45 = C45Classifier(min_samples_leaf=1).fit(FRAME, Y)
ID3 = ID3Classifier().fit(FRAME, Y)


def classify(X=X, y=Y, sample_weight=None, **parameters):
    return DecisionTreeClassifier(**parameters).fit(X, y, sample_weight=sample_weight)


def regress(X=X, y=NUMBERS, **parameters):
    return DecisionTreeRegressor(**parameters).fit(X, y)


def c45(X=FRAME, y=Y, sample_weight=None, **parameters):
    return C45Classifier(**parameters).fit(X, y, sample_weight)


def id3(X=FRAME, y=Y, **parameters):
    return ID3Classifier(**parameters).fit(X, y)


def variances(X=FRAME, y=NUMBERS, **parameters):
    return VarianceTreeRegressor(**parameters).fit(X, y)


def one_column(*cells):
    return pd.DataFrame({"color": list(cells)})


def bag(n_estimators=3, X=X, y=Y, sample_weight=None, **parameters):
    return BaggingClassifier(n_estimators=n_estimators, **parameters).fit(X, y, sample_weight)


def forest(n_estimators=3, X=X, y=Y, sample_weight=None, **parameters):
    return RandomForestClassifier(n_estimators, **parameters).fit(X, y, sample_weight)


def boost(kind=GradientBoostingRegressor, X=X, y=Y, sample_weight=None, **parameters):
    return kind(**{"n_estimators": 2} | parameters).fit(X, y, sample_weight)


def ada(kind=AdaBoostClassifier, X=X, y=Y, sample_weight=None, **parameters):
    return kind(**parameters).fit(X, y, sample_weight)


def cross_validate(estimator=None, X=X, y=Y, **parameters):
    return cross_validated_pruning(estimator or DecisionTreeClassifier(), X, y, **parameters)


def permute(model=CLASSIFIER, X=X, y=Y, **parameters):
    return permutation_importance(model, X, y, **parameters)


def permute_out_of_bag(X=X, y=Y, **parameters):
    return oob_permutation_importance(forest(20, random_state=0, **parameters), X, y)


def noise(model=CLASSIFIER, X=X, y=Y, **parameters):
    return noising_importance(model, X, y, **parameters)


def drop(X=X, y=Y, **parameters):
    return drop_column_importance(DecisionTreeClassifier(), X, y, **{"cv": 2} | parameters)


def select(X=X, y=Y, measure="symmetrical_uncertainty", **parameters):
    return FilterSelector(measure, **parameters).fit(X, y)


def cfs(X=X, y=Y, **parameters):
    return CFSSelector(**parameters).fit(X, y)


def fcbf(X=X, y=Y, **parameters):
    return FCBFSelector(**parameters).fit(X, y)


# what is wrong, the call, the error, what its message says
TABLE = [
    # X in fit
    ("no rows", lambda: classify(np.empty((0, 2)), []), ValueError, r"0 sample.*minimum of 1"),
    ("no columns", lambda: classify(np.empty((4, 0))), ValueError, r"0 feature.*minimum of 1"),
    ("empty list", lambda: classify([], []), ValueError, "two dimensions, got 1"),
    ("no X", lambda: classify(None), ValueError, "two dimensions, got 0"),
    ("one-dimensional X", lambda: classify([1, 2, 3, 4]), ValueError, "X must .*, got 1.*reshape"),
    ("three-dimensional X", lambda: classify(np.zeros((4, 2, 2))), ValueError, "got 3"),
    ("rows of X of unequal length", lambda: classify([[1, 2], [3]], [0, 1]), ValueError, "X .*row"),
    ("sparse X", lambda: classify(csr_array(np.eye(4))), TypeError, r"X.*dense.*toarray"),
    ("missing number", lambda: classify([[1, NAN], *X[1:]]), ValueError, "X .*NaN .*column 1"),
    ("missing cell", lambda: classify(FRAME[["size"]].shift()), ValueError, "X .*NaN .*'size'"),
    ("infinite number", lambda: classify([[1, INF], *X[1:]]), ValueError, "infinity in column 1"),
    ("complex numbers", lambda: classify(np.array(X) * 1j), ValueError, "Complex data"),
    (
        "text in a numeric column",
        lambda: classify(FRAME),
        ValueError,
        r"X has text .*column 'color'.*categorical_features",
    ),
    (
        "text in an array",
        lambda: classify([["red", 1]] * 4),
        ValueError,
        r"X has text .*column 0.*categorical_features",
    ),
    (
        "missing category",
        lambda: classify(COLOR.shift(), categorical_features=["color"]),
        ValueError,
        r"X contains NaN or None in column 'color'.*'missing'",
    ),
    # y in fit
    ("no y", lambda: classify(y=None), ValueError, r"requires y"),
    ("NaN among numbers", lambda: regress(y=[1, NAN, 2, 3]), ValueError, "y contains NaN"),
    ("infinite y", lambda: regress(y=[1, INF, 2, 3]), ValueError, "y contains infinity"),
    ("NaN among classes", lambda: classify(y=[1, NAN, 0, 1]), ValueError, "y contains NaN"),
    ("infinite class", lambda: classify(y=[1, INF, 0, 1]), ValueError, "y contains infinity"),
    (
        "dates in X",
        lambda: classify(pd.DataFrame({"day": pd.date_range("2020", periods=4)})),
        ValueError,
        "X has dates in column 'day'.*numbers",
    ),
    (
        "dates in an array",
        lambda: classify(np.arange("2020-01-01", "2020-01-05", dtype="M8[D]")[:, None]),
        ValueError,
        "X has dates in column 0.*numbers",
    ),
    (
        "categorical names and numbers",
        lambda: classify(FRAME, categorical_features=["color", 0]),
        ValueError,
        "categorical_features.*names or .*numbers, not both",
    ),
    (
        "categorical names for an array",
        lambda: classify(categorical_features=["q"]),
        ValueError,
        "categorical_features names .*'q'.*array without column names",
    ),
    ("max_features True", lambda: classify(max_features=True), ValueError, "max_features must be"),
    ("text for class sums", lambda: gini(["a", "b"]), ValueError, "class_sums must be an array"),
    (
        "cross-validate a word",
        lambda: cross_validate("tree"),
        TypeError,
        "estimator must be a decision tree of treelab",
    ),
    ("None among classes", lambda: classify(y=["a", None, "b", "a"]), ValueError, "y contains"),
    ("text for a regression", lambda: regress(y=list("abcd")), ValueError, "y must .*number"),
    ("numbers for classes", lambda: classify(y=[0.1, 0.2, 0.3, 0.4]), ValueError, "discrete"),
    ("two columns of y", lambda: classify(y=np.ones((4, 2), int)), ValueError, "y should be a 1d"),
    ("y too short", lambda: classify(y=[0, 1, 1]), ValueError, r"numbers of samples: \[4, 3\]"),
    # sample_weight
    (
        "too few weights",
        lambda: classify(sample_weight=[1, 1]),
        ValueError,
        r"sample_weight must have one weight for each of the 4 rows.*\(2,\)",
    ),
    (
        "two-dimensional weights",
        lambda: classify(sample_weight=np.ones((4, 1))),
        ValueError,
        r"sample_weight must have one weight for each.*\(4, 1\)",
    ),
    (
        "negative weight",
        lambda: classify(sample_weight=[1, 1, -1, 1]),
        ValueError,
        r"sample_weight must be finite and not negative.*-1",
    ),
    (
        "NaN among the weights",
        lambda: classify(sample_weight=[1, 1, NAN, 1]),
        ValueError,
        "sample_weight must be finite",
    ),
    (
        "infinite weight",
        lambda: classify(sample_weight=[1, 1, INF, 1]),
        ValueError,
        "sample_weight must be finite",
    ),
    (
        "all weights zero",
        lambda: classify(sample_weight=np.zeros(4)),
        ValueError,
        "sample_weight must have a positive sum",
    ),
    ("text for weights", lambda: classify(sample_weight=list("abcd")), ValueError, "sample_weight"),
    # parameters
    ("criterion", lambda: classify(criterion="ginni"), ValueError, "criterion must be .*'gini'"),
    ("criterion of the other kind", lambda: regress(criterion="gini"), ValueError, "criterion"),
    ("criterion None", lambda: classify(criterion=None), ValueError, "criterion must be"),
    ("max_depth 0", lambda: classify(max_depth=0), ValueError, "max_depth.*>= 1"),
    ("max_depth 2.5", lambda: classify(max_depth=2.5), TypeError, "max_depth must be.*int"),
    ("min_samples_split 1", lambda: classify(min_samples_split=1), ValueError, "_split.*>= 2"),
    ("min_samples_split 0.5", lambda: classify(min_samples_split=0.5), TypeError, "_split.*int"),
    ("min_samples_leaf 0", lambda: classify(min_samples_leaf=0), ValueError, "_leaf.*>= 1"),
    ("min_samples_leaf 0.1", lambda: classify(min_samples_leaf=0.1), TypeError, "_leaf.*int"),
    ("max_features 0", lambda: classify(max_features=0), ValueError, "max_features.*from 1 to 2"),
    ("max_features 3", lambda: classify(max_features=3), ValueError, "max_features.*from 1 to 2"),
    ("max_features 1.5", lambda: classify(max_features=1.5), ValueError, r"max_features.*\(0, 1\]"),
    ("max_features 0.0", lambda: classify(max_features=0.0), ValueError, r"max_features.*\(0, 1\]"),
    ("max_features cube", lambda: classify(max_features="cube"), ValueError, "features.*'sqrt'"),
    ("max_features list", lambda: classify(max_features=[1]), ValueError, "max_features must be"),
    (
        "negative min_impurity_decrease",
        lambda: classify(min_impurity_decrease=-1),
        ValueError,
        "min_impurity_decrease.*>= 0",
    ),
    (
        "min_impurity_decrease NaN",
        lambda: classify(min_impurity_decrease=NAN),
        ValueError,
        "min_impurity_decrease.*>= 0",
    ),
    ("negative ccp_alpha", lambda: classify(ccp_alpha=-1), ValueError, "ccp_alpha.*>= 0"),
    ("ccp_alpha NaN", lambda: classify(ccp_alpha=NAN), ValueError, "ccp_alpha.*>= 0"),
    ("ccp_alpha text", lambda: classify(ccp_alpha="a"), TypeError, "ccp_alpha must be"),
    (
        "categorical column out of range",
        lambda: classify(categorical_features=[5]),
        ValueError,
        r"categorical_features must be column numbers from 0 to 1.*\[5\]",
    ),
    (
        "negative categorical column",
        lambda: classify(categorical_features=[-1]),
        ValueError,
        "categorical_features must be column numbers from 0 to 1",
    ),
    (
        "unknown categorical column",
        lambda: classify(FRAME, categorical_features=["shape"]),
        ValueError,
        r"categorical_features names \['shape'\].*\['size', 'color'\]",
    ),
    (
        "names for the columns of an array",
        lambda: classify(categorical_features=["size"]),
        ValueError,
        "categorical_features.*X",
    ),
    (
        "mask of the wrong length",
        lambda: classify(categorical_features=[True]),
        ValueError,
        "categorical_features is a mask.*2 columns",
    ),
    (
        "one name instead of a list",
        lambda: classify(FRAME, categorical_features="color"),
        ValueError,
        "categorical_features must be.*list",
    ),
    (
        "one number instead of a list",
        lambda: classify(categorical_features=1),
        ValueError,
        "categorical_features must be.*list",
    ),
    ("random_state", lambda: classify(random_state="a"), ValueError, "random_state must"),
    ("unknown parameter", lambda: classify(max_leaves=3), TypeError, "max_leaves"),
    # prediction
    ("predict before fit", lambda: DecisionTreeClassifier().predict(X), NotFittedError, "fit"),
    ("apply before fit", lambda: DecisionTreeRegressor().apply(X), NotFittedError, "fit"),
    ("depth before fit", lambda: DecisionTreeClassifier().get_depth(), NotFittedError, "fit"),
    ("text before fit", lambda: DecisionTreeClassifier().export_text(), NotFittedError, "fit"),
    (
        "importances before fit",
        lambda: DecisionTreeClassifier().feature_importances_,
        NotFittedError,
        "fit",
    ),
    (
        "too many features",
        lambda: CLASSIFIER.predict([[1, 2, 3]]),
        ValueError,
        "X has 3 features.*expecting 2",
    ),
    (
        "one row as a list",
        lambda: CLASSIFIER.predict([1, 2]),
        ValueError,
        "X must .*, got 1.*reshape",
    ),
    ("NaN to predict", lambda: CLASSIFIER.predict([[NAN, 1]]), ValueError, "NaN .*column 0"),
    ("text to predict", lambda: CLASSIFIER.predict([["a", 1]]), ValueError, "X has text"),
    ("nothing to predict", lambda: CLASSIFIER.predict(np.empty((0, 2))), ValueError, "0 sample"),
    (
        "unseen category",
        lambda: MIXED.predict(FRAME.assign(color="green")),
        ValueError,
        r"'green' in column 'color'.*not seen in fit.*\['blue', 'red'\]",
    ),
    (
        "missing category to predict",
        lambda: MIXED.predict(FRAME.assign(color=None)),
        ValueError,
        "X contains NaN or None in column 'color'",
    ),
    (
        "columns in another order",
        lambda: MIXED.predict(FRAME[["color", "size"]]),
        ValueError,
        "feature names.*same order",
    ),
    (
        "other columns",
        lambda: MIXED.predict(FRAME.rename(columns={"size": "weight"})),
        ValueError,
        "feature names.*weight",
    ),
    ("column left out", lambda: MIXED.predict(COLOR), ValueError, "feature names.*size"),
    # bootstrap
    ("bootstrap of nothing", lambda: bootstrap(np.mean), ValueError, "at least one array"),
    ("bootstrap of no case", lambda: bootstrap(np.mean, []), ValueError, "at least one case"),
    (
        "bootstrap, lengths",
        lambda: bootstrap(np.dot, NUMBERS, [1, 2]),
        ValueError,
        r"samples: \[4, 2\]",
    ),
    (
        "one replicate",
        lambda: bootstrap(np.mean, NUMBERS, n_resamples=1),
        ValueError,
        "n_resamples.*>= 2",
    ),
    (
        "half a replicate",
        lambda: bootstrap(np.mean, NUMBERS, n_resamples=9.5),
        TypeError,
        "n_resamples must be",
    ),
    ("distinct cases of none", lambda: distinct_cases(0), ValueError, "n == 0.*>= 1"),
    ("distinct cases of a share", lambda: distinct_cases(2.5), TypeError, "n must be"),
    (
        "unknown estimate of the error",
        lambda: bootstrap_error(CLASSIFIER, X, Y, "cv"),
        ValueError,
        r"method must be one of.*'\.632\+'.*'cv'",
    ),
    (
        "error estimate, lengths",
        lambda: bootstrap_error_table(CLASSIFIER, X, [0, 1]),
        ValueError,
        r"samples: \[4, 2\]",
    ),
    (
        "error estimate without a model",
        lambda: bootstrap_error(CLASSIFIER, X, Y, n_resamples=0),
        ValueError,
        "n_resamples.*>= 1",
    ),
    # bagging and forests
    *(
        row
        for name, fit in (("bag", bag), ("forest", forest))
        for row in (
            (f"{name}, no members", lambda f=fit: f(0), ValueError, "n_estimators.*>= 1"),
            (f"{name}, members as text", lambda f=fit: f("a"), TypeError, "n_estimators must be"),
            (
                f"{name}, out of bag without a bag",
                lambda f=fit: f(bootstrap=False, oob_score=True),
                ValueError,
                "oob_score needs bootstrap=True",
            ),
            (
                f"{name}, size of no sample",
                lambda f=fit: f(bootstrap=False, max_samples=2),
                ValueError,
                "max_samples needs bootstrap=True",
            ),
            (
                f"{name}, too large a sample",
                lambda f=fit: f(max_samples=5),
                ValueError,
                "max_samples must be a whole number from 1 to 4.*5",
            ),
            (
                f"{name}, true sample",
                lambda f=fit: f(max_samples=True),
                ValueError,
                "max_samples must be.*True",
            ),
            (f"{name}, seed", lambda f=fit: f(random_state="a"), ValueError, "random_state must"),
            (f"{name}, sparse X", lambda f=fit: f(X=csr_array(X)), TypeError, "toarray"),
            (f"{name}, 1-d X", lambda f=fit: f(X=NUMBERS), ValueError, "reshape"),
            (f"{name}, lengths", lambda f=fit: f(y=[0, 1]), ValueError, r"samples: \[4, 2\]"),
            (
                f"{name}, negative weight",
                lambda f=fit: f(sample_weight=[-1, 1, 1, 1]),
                ValueError,
                "sample_weight must be finite and not negative",
            ),
            (
                f"{name}, fewer members than there are",
                lambda f=fit: f(5, warm_start=True).set_params(n_estimators=3).fit(X, Y),
                ValueError,
                "n_estimators must be at least 5.*warm_start.*got 3",
            ),
            (
                f"{name}, path without judgment",
                lambda f=fit: f().oob_error_path(),
                AttributeError,
                "oob_score=True",
            ),
            (
                f"{name}, too many features",
                lambda f=fit: f().predict([[1, 2, 3]]),
                ValueError,
                "X has 3 features.*expecting 2",
            ),
        )
    ),
    (
        "voting",
        lambda: bag(voting="loud"),
        ValueError,
        r"voting must be one of \['soft', 'hard'\].*'loud'",
    ),
    ("bag before fit", lambda: BaggingClassifier().predict(X), NotFittedError, "fit"),
    ("bag's samples", lambda: BaggingClassifier().estimators_samples_, NotFittedError, "fit"),
    ("bag's path", lambda: BaggingClassifier().oob_error_path(), NotFittedError, "fit"),
    ("forest before fit", lambda: RandomForestClassifier().predict(X), NotFittedError, "fit"),
    ("forest's trees", lambda: RandomForestClassifier().estimators_, NotFittedError, "fit"),
    ("forest's path", lambda: RandomForestClassifier().oob_error_path(), NotFittedError, "fit"),
    (
        "forest's importances",
        lambda: RandomForestClassifier().feature_importances_,
        NotFittedError,
        "fit",
    ),
    ("forest, criterion", lambda: forest(criterion="x"), ValueError, "criterion must be one of"),
    ("forest, NaN", lambda: forest(X=[[NAN, 1]] * 4), ValueError, "NaN .*column 0"),
    ("forest, text", lambda: forest(X=FRAME), ValueError, "X has text.*'color'"),
    ("forest, candidates", lambda: forest(max_features=3), ValueError, "max_features.*1 to 2"),
    (
        "proximity out of bag of other rows",
        lambda: forest().proximity(X[:3], oob_only=True),
        ValueError,
        "training data of 4 rows for oob_only=True, got 3",
    ),
    # gradient boosting
    *(
        (f"boosting, {name}={value!r}", lambda n=name, v=value: boost(**{n: v}), error, name)
        for name, values, error in (
            ("n_estimators", (0, -1), ValueError),
            ("n_estimators", (1.5, "many", None), TypeError),
            ("learning_rate", (-0.1, NAN, INF), ValueError),
            ("learning_rate", ("slow", None), TypeError),
            ("subsample", (0.0, 1.1, -1.0, NAN), ValueError),
            ("subsample", ("half",), TypeError),
            ("max_depth", (0,), ValueError),
            ("max_leaf_nodes", (1, 0), ValueError),
            ("max_leaf_nodes", (2.5,), TypeError),
            ("min_samples_split", (1,), ValueError),
            ("min_samples_leaf", (0,), ValueError),
            ("min_impurity_decrease", (-1.0, NAN), ValueError),
            ("max_features", (0, 3, "all"), ValueError),
            ("alpha", (0.0, 1.0, NAN), ValueError),
            ("validation_fraction", (0.0, 1.0), ValueError),
            ("n_iter_no_change", (0,), ValueError),
            ("tol", (-1e-9, NAN), ValueError),
            ("loss", ("log_loss", None, 3), ValueError),
            ("split_search", ("fast", None), ValueError),
            ("step", ("both",), ValueError),
            ("max_bins", (1, 256), ValueError),
            ("init", ("mean", GradientBoostingRegressor, 3.0), (ValueError, TypeError)),
            ("categorical_features", (["q"],), ValueError),
        )
        for value in values
    ),
    (
        "boosting, loss of numbers for classes",
        lambda: boost(GradientBoostingClassifier, loss="huber"),
        ValueError,
        r"loss must be one of \['exponential', 'log_loss'\]",
    ),
    (
        "boosting, exponential loss of three classes",
        lambda: boost(GradientBoostingClassifier, y=[0, 1, 2, 2], loss="exponential"),
        ValueError,
        "loss='exponential' is for two classes, y has 3",
    ),
    (
        "boosting, a start without probabilities",
        lambda: boost(GradientBoostingClassifier, init=DecisionTreeRegressor()),
        ValueError,
        "init must be .* predict_proba",
    ),
    (
        "boosting, weights for a start that takes none",
        lambda: boost(init=KNeighborsRegressor(1), sample_weight=[1, 2, 1, 1]),
        ValueError,
        "sample_weight is given, but init=.*takes no weights",
    ),
    (
        "boosting, fewer rounds than there are",
        lambda: boost(warm_start=True).set_params(n_estimators=1).fit(X, Y),
        ValueError,
        "n_estimators must be at least the 2 rounds",
    ),
    (
        "boosting, a class that is only held out",
        lambda: boost(
            GradientBoostingClassifier,
            X=[[i] for i in range(6)],
            y=[0, 0, 0, 1, 1, 1],
            sample_weight=[1, 1, 1, 0, 1, 0],
            n_iter_no_change=1,
            validation_fraction=0.4,
            random_state=0,
        ),
        ValueError,
        "y has a class with no row left to train on",
    ),
    (
        "boosting, only weights of 0 held out",
        lambda: boost(
            sample_weight=[0, 0, 1, 0], n_iter_no_change=1, validation_fraction=0.5, random_state=0
        ),
        ValueError,
        "sample_weight leaves no case",
    ),
    ("boosting, y too short", lambda: boost(y=[0, 1]), ValueError, "inconsistent numbers"),
    ("boosting, weights", lambda: boost(sample_weight=[1, -2, 1, 1]), ValueError, "sample_weight"),
    ("boosting, NaN", lambda: boost(X=[[NAN, 1]] * 4), ValueError, "NaN .*column 0"),
    ("boosting, text", lambda: boost(X=FRAME), ValueError, "X has text.*'color'"),
    ("boosting, NaN among numbers", lambda: boost(y=[0, 1, NAN, 1]), ValueError, "y contains NaN"),
    (
        "boosting, predict another width",
        lambda: boost().predict([[1, 2, 3]]),
        ValueError,
        "expecting 2 features",
    ),
    (
        "boosting, not fitted",
        lambda: GradientBoostingRegressor().predict(X),
        NotFittedError,
        "not fitted",
    ),
    (
        "residual table, not fitted",
        lambda: residual_table(GradientBoostingRegressor(), X, Y),
        NotFittedError,
        "not fitted",
    ),
    (
        "residual table, an unknown class",
        lambda: residual_table(boost(GradientBoostingClassifier), X, [0, 1, 2, 1]),
        ValueError,
        "y has the class .*2.*not seen in fit",
    ),
    (
        "residual table, y too short",
        lambda: residual_table(boost(), X, [0, 1]),
        ValueError,
        "inconsistent numbers",
    ),
    (
        "interval table, text",
        lambda: interval_table(list("abc"), [1, 2, 3]),
        ValueError,
        "x must be a list of finite numbers",
    ),
    (
        "interval table, NaN",
        lambda: interval_table([1, 2], [1, NAN]),
        ValueError,
        "y must be a list of finite numbers",
    ),
    (
        "interval table, one value",
        lambda: interval_table([1, 1], [1, 2]),
        ValueError,
        "x must have at least two values",
    ),
    (
        "interval table, an end too few",
        lambda: interval_table([1, 2], [1, 2], [(1,)]),
        ValueError,
        r"intervals must hold pairs \(low, high\)",
    ),
    (
        "intervals, y too short",
        lambda: interval_candidates([1, 2, 3], [1, 2]),
        ValueError,
        "inconsistent numbers",
    ),
    # AdaBoost
    *(
        row
        for name, kind in (("ada", AdaBoostClassifier), ("ada.r2", AdaBoostRegressor))
        for row in (
            (f"{name} before fit", lambda k=kind: k().predict(X), NotFittedError, "fit"),
            (
                f"{name}, stages before fit",
                lambda k=kind: list(k().staged_predict(X)),
                NotFittedError,
                "fit",
            ),
            (
                f"{name}'s importances before fit",
                lambda k=kind: k().feature_importances_,
                NotFittedError,
                "fit",
            ),
            (
                f"{name}, no rounds",
                lambda k=kind: ada(k, n_estimators=0),
                ValueError,
                "n_estimators == 0, must be >= 1",
            ),
            (
                f"{name}, half a round",
                lambda k=kind: ada(k, n_estimators=1.5),
                TypeError,
                "n_estimators must be an instance of int",
            ),
            *(
                (
                    f"{name}, rate {rate}",
                    lambda k=kind, r=rate: ada(k, learning_rate=r),
                    ValueError,
                    f"learning_rate must be finite, got {rate}"
                    if not np.isfinite(rate)
                    else f"learning_rate == {rate}, must be > 0",
                )
                for rate in (0, -1, NAN, INF)
            ),
            (
                f"{name}, rate in words",
                lambda k=kind: ada(k, learning_rate="slow"),
                TypeError,
                "learning_rate must be an instance of float",
            ),
            (
                f"{name}, not an estimator",
                lambda k=kind: ada(k, estimator="stump"),
                ValueError,
                "estimator must have fit and predict, got 'stump'",
            ),
            (
                f"{name}, a class for an estimator",
                lambda k=kind: ada(k, estimator=DecisionTreeClassifier),
                ValueError,
                "estimator must have fit and predict",
            ),
            (
                f"{name}, X and y",
                lambda k=kind: ada(k, y=[0, 1]),
                ValueError,
                r"samples: \[4, 2\]",
            ),
            (
                f"{name}, weights",
                lambda k=kind: ada(k, sample_weight=[1, 2]),
                ValueError,
                "sample_weight must have one weight for each of the 4 rows",
            ),
            (
                f"{name}, negative weight",
                lambda k=kind: ada(k, sample_weight=[1, -2, 1, 1]),
                ValueError,
                "sample_weight must be finite and not negative",
            ),
            (
                f"{name}, no weight",
                lambda k=kind: ada(k, sample_weight=0),
                ValueError,
                "all weights are zero",
            ),
            (
                f"{name}, one-dimensional X",
                lambda k=kind: ada(k, X=[1, 2, 3, 4]),
                ValueError,
                "X must have two dimensions, got 1",
            ),
            (
                f"{name}, sparse X",
                lambda k=kind: ada(k, X=csr_array(np.eye(4))),
                TypeError,
                "X is sparse",
            ),
            (f"{name}, NaN", lambda k=kind: ada(k, X=[[NAN, 1]] * 4), ValueError, "NaN .*column 0"),
            (f"{name}, text", lambda k=kind: ada(k, X=FRAME), ValueError, "X has text.*'color'"),
            (
                f"{name}, missing target",
                lambda k=kind: ada(k, y=[0, 1, NAN, 1]),
                ValueError,
                "y contains NaN",
            ),
            (
                f"{name}, too many features",
                lambda k=kind: ada(k).predict([[1, 2, 3]]),
                ValueError,
                "X has 3 features.*expecting 2",
            ),
        )
    ),
    (
        "ada, a tree for numbers",
        lambda: ada(estimator=DecisionTreeRegressor()),
        ValueError,
        "estimator must be a classifier, got DecisionTreeRegressor",
    ),
    (
        "ada.r2, a tree for classes",
        lambda: ada(AdaBoostRegressor, estimator=DecisionTreeClassifier()),
        ValueError,
        "estimator must be a regressor, got DecisionTreeClassifier",
    ),
    (
        "ada, a learner without weights",
        lambda: ada(estimator=KNeighborsClassifier()),
        ValueError,
        "KNeighborsClassifier doesn't support sample_weight.*resample=True",
    ),
    (
        "ada, no better than chance",
        lambda: ada(X=np.ones((4, 1))),
        ValueError,
        "no better than chance in the first round: its weighted error is 0.5.*2 classes has 0.5",
    ),
    ("ada, resample", lambda: ada(resample="yes"), ValueError, "resample must be.*got 'yes'"),
    ("ada, fractions", lambda: ada(y=NUMBERS[:3] + [0.5]), ValueError, "Unknown label type"),
    (
        "ada.r2, loss",
        lambda: ada(AdaBoostRegressor, loss="cubic"),
        ValueError,
        r"loss must be one of \['linear', 'square', 'exponential'\], got 'cubic'",
    ),
    (
        "ada.r2, text for y",
        lambda: ada(AdaBoostRegressor, y=list("abcd")),
        ValueError,
        "y must hold numbers",
    ),
    (
        "boosting_table before fit",
        lambda: boosting_table(AdaBoostClassifier(), X, Y),
        NotFittedError,
        "fit",
    ),
    (
        "boosting_table for numbers",
        lambda: boosting_table(ada(AdaBoostRegressor), X, Y),
        TypeError,
        "model must be an AdaBoostClassifier, got AdaBoostRegressor",
    ),
    (
        "boosting_table, lengths",
        lambda: boosting_table(ada(), X, [0, 1]),
        ValueError,
        r"samples: \[4, 2\]",
    ),
    (
        "boosting_table, other data",
        lambda: boosting_table(ada(), X, [1, 1, 0, 0]),
        ValueError,
        "must be those that the model was fitted on",
    ),
    # split_table
    ("split_table, lengths", lambda: split_table(X, [0, 1]), ValueError, r"samples: \[4, 2\]"),
    ("split_table, criterion", lambda: split_table(X, Y, criterion="x"), ValueError, "'entropy'"),
    ("split_table, NaN", lambda: split_table([[NAN], [1]], [0, 1]), ValueError, "NaN .*column 0"),
    ("split_table, text", lambda: split_table(FRAME, Y), ValueError, "X has text.*'color'"),
    ("split_table, no rows", lambda: split_table(np.empty((0, 1)), []), ValueError, "0 sample"),
    ("split_table, 1-d X", lambda: split_table(NUMBERS, Y), ValueError, "X must .*, got 1"),
    (
        "split_table, weights",
        lambda: split_table(X, Y, sample_weight=[-1, 1, 1, 1]),
        ValueError,
        "sample_weight must be finite and not negative",
    ),
    (
        "split_table, leaf size",
        lambda: split_table(X, Y, min_samples_leaf=0),
        ValueError,
        "min_samples_leaf.*>= 1",
    ),
    (
        "split_table, numbers for classes",
        lambda: split_table(X, [0.1, 0.2, 0.3, 0.4]),
        ValueError,
        "discrete",
    ),
    (
        "split_table, text for numbers",
        lambda: split_table(X, list("abcd"), criterion="squared_error"),
        ValueError,
        "y must .*number",
    ),
    # impurities
    ("negative class sum", lambda: gini([-1, 2]), ValueError, "class_sums .*>= 0"),
    ("scalar class sum", lambda: gini(3), ValueError, "class_sums must be an array"),
    ("NaN class sum", lambda: entropy([NAN, 2]), ValueError, "class_sums .*finite"),
    ("infinite class sum", lambda: misclassification([INF, 2]), ValueError, "class_sums .*finite"),
    ("two target sums", lambda: squared_error([1, 2]), ValueError, r"target_sums.*\(2,\)"),
    ("table of one branch", lambda: information_gain([1, 2]), ValueError, "table.*two axes"),
    ("ratio of one branch", lambda: gain_ratio([1, 2]), ValueError, "table.*two axes"),
    ("sizes of one branch", lambda: split_information([1, 2]), ValueError, "table.*two axes"),
    ("gain, criterion", lambda: information_gain([[1, 2], [2, 1]], "x"), ValueError, "'entropy'"),
    ("impurity_table, lengths", lambda: impurity_table(FRAME, [0, 1]), ValueError, "X, y.*4, 2"),
    ("impurity_table, criterion", lambda: impurity_table(FRAME, Y, "x"), ValueError, "criterion"),
    ("impurity_table, NaN", lambda: impurity_table(COLOR.shift(), Y), ValueError, "X .*missing"),
    (
        "impurity_table, missing class",
        lambda: impurity_table(COLOR, [0, 1, None, 1]),
        ValueError,
        "y .*missing",
    ),
    ("impurity_table, no rows", lambda: impurity_table(COLOR[:0], []), ValueError, "row"),
    # pruning
    ("negative alpha", lambda: prune(TREE, -1), ValueError, "alpha must be a number >= 0.*-1"),
    ("alpha NaN", lambda: prune(TREE, NAN), ValueError, "alpha must be a number >= 0"),
    ("alpha text", lambda: prune(TREE, "a"), ValueError, "alpha must be a number >= 0"),
    ("unfitted to prune", lambda: prune(DecisionTreeClassifier(), 0.1), NotFittedError, "fit"),
    ("text to prune", lambda: prune("tree", 0.1), TypeError, "tree must be a treelab Tree"),
    (
        "scikit-learn's tree to prune",
        lambda: prune(TheirClassifier().fit(X, Y), 0.1),
        TypeError,
        "tree must be a treelab Tree",
    ),
    ("risk", lambda: cost_complexity_path(TREE, risk="x"), ValueError, "risk must be 'impurity'"),
    (
        "errors of a regression tree",
        lambda: pruning_table(REGRESSOR, risk="misclassification"),
        ValueError,
        "needs a classification tree.*risk='impurity'",
    ),
    ("rule", lambda: cross_validate(cv=2, rule="x"), ValueError, "rule must be 'min' or 'one_se'"),
    ("one fold", lambda: cross_validate(cv=1), ValueError, "cv must be .*from 2"),
    ("more folds than rows", lambda: cross_validate(cv=10), ValueError, "cv must be .*4 rows"),
    ("no estimator", lambda: cross_validate("x", cv=2), TypeError, "estimator"),
    ("lengths", lambda: cross_validate(y=[0, 1, 1], cv=2), ValueError, r"samples: \[4, 3\]"),
    (
        "unfitted, reduced error",
        lambda: reduced_error_pruning(DecisionTreeClassifier(), X, Y),
        NotFittedError,
        "fit",
    ),
    (
        "validation lengths",
        lambda: reduced_error_table(CLASSIFIER, X, [0, 1]),
        ValueError,
        "X_val and y_val.*4 rows",
    ),
    (
        "no validation rows",
        lambda: reduced_error_pruning(CLASSIFIER, np.empty((0, 2)), []),
        ValueError,
        "at least one",
    ),
    (
        "validation features",
        lambda: reduced_error_pruning(CLASSIFIER, [[1, 2, 3]], [0]),
        ValueError,
        "3 features.*expecting 2",
    ),
    (
        "validation NaN",
        lambda: reduced_error_pruning(REGRESSOR, X, [1, NAN, 2, 3]),
        ValueError,
        "y_val holds missing",
    ),
    (
        "validation weights",
        lambda: reduced_error_pruning(CLASSIFIER, X, Y, sample_weight=[1]),
        ValueError,
        "sample_weight must have one weight for each",
    ),
    ("level of the test", lambda: chi2_prepruning(TREE, alpha=0), ValueError, r"alpha.*\(0, 1\]"),
    ("level above one", lambda: chi2_table(TREE, alpha=2), ValueError, r"alpha.*\(0, 1\]"),
    ("test of numbers", lambda: chi2_prepruning(REGRESSOR), ValueError, "classification tree"),
    ("test of no tree", lambda: chi2_table(3), TypeError, "tree must be a treelab Tree"),
    # the tree itself
    ("unknown node", lambda: TREE.collapse([99]), ValueError, "node numbers from 0 to 2"),
    ("negative node", lambda: TREE.collapse([-1]), ValueError, "node numbers from 0 to 2"),
    ("change of a node", lambda: TREE.value.fill(0), ValueError, "read-only"),
    ("change of a tree", lambda: setattr(TREE, "value", 0), AttributeError, "value"),
    # ID3 and C4.5
    ("c45, no y", lambda: c45(y=None), ValueError, "requires y"),
    ("c45, no rows", lambda: c45(FRAME[:0], []), ValueError, "0 sample"),
    ("c45, no columns", lambda: c45(np.empty((4, 0))), ValueError, "0 feature"),
    ("c45, 1-d X", lambda: c45(NUMBERS), ValueError, "two dimensions, got 1.*reshape"),
    ("c45, sparse X", lambda: c45(csr_array(np.eye(4))), TypeError, "dense"),
    ("c45, complex X", lambda: c45(np.array(X) * 1j), ValueError, "Complex data"),
    ("c45, lengths", lambda: c45(y=[0, 1]), ValueError, r"samples: \[4, 2\]"),
    ("c45, missing class", lambda: c45(y=["a", None, "b", "a"]), ValueError, "y contains NaN or N"),
    (
        "c45, missing declared class",
        lambda: c45(y=pd.Series(["a", None, "b", "a"], dtype="category")),
        ValueError,
        "y contains NaN or None in 1",
    ),
    ("c45, numbers for classes", lambda: c45(y=[0.1, 0.2, 0.3, 0.4]), ValueError, "discrete"),
    ("c45, negative weight", lambda: c45(sample_weight=[1, 1, -1, 1]), ValueError, "not negative"),
    ("c45, no weight", lambda: c45(sample_weight=[0] * 4), ValueError, "positive sum"),
    (
        "c45, infinite number",
        lambda: c45([[1], [INF], [2], [3]]),
        ValueError,
        "infinity in column 0",
    ),
    (
        "c45, numbers and text",
        lambda: c45(one_column(1, "a", 2, 3)),
        ValueError,
        "X mixes number and text in column 'color'.*categorical",
    ),
    (
        "c45, truth and text",
        lambda: c45(one_column(True, "a", "b", "b")),
        ValueError,
        "X mixes text and truth in column 'color'",
    ),
    ("c45, lists in X", lambda: c45(one_column(1, [2], 3, 4)), TypeError, "column 'color'.*string"),
    (
        "c45, dates",
        lambda: c45(pd.DataFrame({"day": pd.date_range("2020", periods=4)})),
        ValueError,
        "X has dates in column 'day'",
    ),
    ("c45, criterion", lambda: c45(criterion="gini"), ValueError, "criterion must be .*'gain'"),
    ("c45, pruning", lambda: c45(pruning="cost"), ValueError, "pruning must be .*'error_based'"),
    ("c45, cut", lambda: c45(cut="left"), ValueError, "cut must be .*'midpoint'"),
    ("c45, handle_unknown", lambda: c45(handle_unknown="x"), ValueError, "handle_unknown must be"),
    ("c45, M 0", lambda: c45(min_samples_leaf=0), ValueError, "min_samples_leaf.*> 0"),
    ("c45, M NaN", lambda: c45(min_samples_leaf=NAN), ValueError, "min_samples_leaf must be"),
    ("c45, M text", lambda: c45(min_samples_leaf="2"), TypeError, "min_samples_leaf must be"),
    ("c45, CF 0", lambda: c45(confidence=0), ValueError, "confidence.*> 0"),
    ("c45, CF 0.6", lambda: c45(confidence=0.6), ValueError, "confidence.*<= 0.5"),
    ("c45, CF NaN", lambda: c45(confidence=NAN), ValueError, "confidence must be"),
    ("c45, one fold", lambda: c45(n_folds=1), ValueError, "n_folds.*>= 2"),
    (
        "c45, more folds than rows",
        lambda: c45(pruning="reduced_error", n_folds=9),
        ValueError,
        "n_folds must be .*at most n_samples = 4",
    ),
    (
        "c45, one name for a list",
        lambda: c45(categorical_features="color"),
        ValueError,
        "categorical_features must be.*list",
    ),
    ("c45, no such column", lambda: c45(categorical_features=["q"]), ValueError, r"names \['q'\]"),
    (
        "c45, unseen level",
        lambda: C45.predict(FRAME.assign(color="green")),
        ValueError,
        r"'green' in column 'color'.*not seen in fit.*\['blue', 'red'\].*handle_unknown",
    ),
    (
        "c45, text for a number",
        lambda: C45.predict(FRAME.assign(size="a")),
        ValueError,
        "text or categories in column 'size'.*numbers",
    ),
    (
        "c45, infinity to predict",
        lambda: C45.predict(FRAME.assign(size=INF)),
        ValueError,
        "infinity in column 'size'",
    ),
    (
        "c45, columns in another order",
        lambda: C45.predict(FRAME[["color", "size"]]),
        ValueError,
        "same order",
    ),
    ("c45, predict before fit", lambda: C45Classifier().predict(FRAME), NotFittedError, "fit"),
    ("c45, leaves before fit", lambda: C45Classifier().n_leaves_, NotFittedError, "fit"),
    ("c45, text before fit", lambda: ID3Classifier().export_text(), NotFittedError, "fit"),
    (
        "c45, unfitted, reduced error",
        lambda: reduced_error_pruning(C45Classifier(), FRAME, Y),
        NotFittedError,
        "fit",
    ),
    ("c45, few labels", lambda: reduced_error_pruning(C45, FRAME, [0]), ValueError, r"\[4, 1\]"),
    ("c45, no cases", lambda: reduced_error_pruning(C45, FRAME[:0], []), ValueError, "0 sample"),
    (
        "reduced error for a variance tree",
        lambda: reduced_error_pruning(variances(), FRAME, NUMBERS),
        TypeError,
        "estimator must be",
    ),
    ("c45, unknown node", lambda: C45.tree_.collapse([99]), ValueError, "numbers from 0 to 2"),
    ("c45, negative node", lambda: C45.tree_.collapse([-1]), ValueError, "numbers from 0 to 2"),
    ("change of a leaf", lambda: C45.tree_.nodes[1].sums.fill(0), ValueError, "read-only"),
    (
        "change of a question",
        lambda: setattr(C45.tree_.nodes[0], "gain", 1),
        AttributeError,
        "gain",
    ),
    ("change of the nodes", lambda: setattr(C45.tree_, "nodes", ()), AttributeError, "nodes"),
    (
        "id3, missing",
        lambda: id3(COLOR.shift()),
        ValueError,
        "NaN or None in column 'color'.*ID3Classifier",
    ),
    (
        "id3, missing to predict",
        lambda: ID3.predict(FRAME.assign(color=None)),
        ValueError,
        "NaN or None in column 'color'",
    ),
    ("id3, parameter", lambda: id3(missing="x"), ValueError, "missing must be one of.*'share'"),
    ("variance tree, missing", lambda: variances(COLOR.shift()), ValueError, "NaN or None in"),
    ("variance tree, text", lambda: variances(y=list("abcd")), ValueError, "y must .*number"),
    ("variance tree, NaN", lambda: variances(y=[1, 2, NAN, 4]), ValueError, "y contains NaN"),
    ("variance tree, ddof", lambda: variances(ddof=2), ValueError, r"ddof must be one of \[0, 1\]"),
    ("variance tree, size", lambda: variances(min_samples_split=1), ValueError, "_split.*>= 2"),
    (
        "gain_table, no such node",
        lambda: gain_table(FRAME, Y, estimator=C45, node=99),
        ValueError,
        "node must be a node number from 0 to 2, got 99",
    ),
    (
        "gain_table, negative node",
        lambda: gain_table(FRAME, Y, estimator=C45, node=-1),
        ValueError,
        "node must be a node number from 0 to 2",
    ),
    (
        "gain_table, node of no tree",
        lambda: gain_table(FRAME, Y, estimator=C45Classifier(), node=1),
        NotFittedError,
        "fit",
    ),
    (
        "gain_table, another estimator",
        lambda: gain_table(FRAME, Y, estimator=CLASSIFIER),
        ValueError,
        "estimator must be a C45Classifier or an ID3Classifier",
    ),
    (
        "gain_table, new class",
        lambda: gain_table(FRAME, [0, 0, 1, 2], estimator=C45),
        ValueError,
        "classes that were not seen",
    ),
    (
        "gain_table, lengths",
        lambda: gain_table(FRAME, [0, 1], estimator=C45),
        ValueError,
        r"samples: \[4, 2\]",
    ),
    ("variance_table, missing", lambda: variance_table(COLOR.shift(), NUMBERS), ValueError, "NaN"),
    ("variance_table, ddof", lambda: variance_table(FRAME, NUMBERS, ddof=3), ValueError, "ddof"),
    ("no weight to predict", lambda: predicted_errors(0, 0), ValueError, "weight must be above 0"),
    ("more errors than rows", lambda: predicted_errors(2, 3), ValueError, "errors must be from 0"),
    ("fewer errors than none", lambda: upper_limit(2, -1), ValueError, "errors must be from 0"),
    ("confidence above a half", lambda: upper_limit(2, 1, 0.7), ValueError, "confidence must be"),
    ("NaN to predict from", lambda: predicted_errors(NAN, 1), ValueError, "weight must be"),
    (
        "more folds than rows held out",
        lambda: held_out_rows(np.array([0, 1]), 3),
        ValueError,
        "n_folds must be .*at most n_samples = 2, got 3",
    ),
    ("one fold held out", lambda: held_out_rows(np.array([0, 1]), 1), ValueError, "at least 2"),
    # importance
    (
        "importance of another model",
        lambda: mean_decrease_impurity(KNeighborsClassifier(2).fit(X, Y)),
        TypeError,
        "model must be a fitted decision tree.*got KNeighborsClassifier",
    ),
    (
        "importance of a multiway tree",
        lambda: shap_values(C45, FRAME),
        TypeError,
        "model must be.*got C45Classifier",
    ),
    (
        "importance of bagged neighbors",
        lambda: mean_decrease_impurity(bag(estimator=KNeighborsClassifier(1))),
        TypeError,
        "decision trees, got a BaggingClassifier of KNeighborsClassifier",
    ),
    (
        "importance before fit",
        lambda: mean_decrease_impurity(RandomForestClassifier()),
        NotFittedError,
        "not fitted yet",
    ),
    (
        "importance for two targets",
        lambda: mean_decrease_impurity(TheirClassifier().fit(X, np.column_stack([Y, Y]))),
        ValueError,
        "2 targets",
    ),
    (
        "unknown normalize",
        lambda: mean_decrease_impurity(CLASSIFIER, normalize="max"),
        ValueError,
        "normalize must be .*'max'",
    ),
    (
        "squared improvement of entropy",
        lambda: squared_improvement(classify(criterion="entropy")),
        ValueError,
        "'squared_error' or 'gini', got 'entropy'",
    ),
    ("permute, lengths", lambda: permute(y=[0, 1]), ValueError, r"samples: \[4, 2\]"),
    ("permute, repeats", lambda: permute(n_repeats=0), ValueError, "n_repeats == 0"),
    ("permute, other columns", lambda: permute(X=[[1], [2], [3], [4]]), ValueError, "1 feature"),
    ("permute, unknown score", lambda: permute(scoring="luck"), ValueError, "scoring"),
    ("permute, no score", lambda: permute(scoring=[]), ValueError, "scoring must name"),
    ("permute, no group", lambda: permute(groups=[]), ValueError, "groups must hold"),
    ("permute, empty group", lambda: permute(groups=[[]]), ValueError, "without columns"),
    ("permute, lost column", lambda: permute(groups=[[2]]), ValueError, "column 2, but X has 2"),
    ("permute, lost name", lambda: permute(groups=[["a"]]), ValueError, "column 'a', but X has 2"),
    (
        "out of bag of boosting",
        lambda: oob_permutation_importance(boost(), X, Y),
        TypeError,
        "forest or bagging of trees, got GradientBoostingRegressor",
    ),
    (
        "out of bag without a bootstrap",
        lambda: permute_out_of_bag(bootstrap=False),
        ValueError,
        "bootstrap=False",
    ),
    (
        "out of bag of other data",
        lambda: permute_out_of_bag(X[:3], Y[:3]),
        ValueError,
        "data of training, with 4 rows; got 3",
    ),
    (
        "out of bag of other data for a bag",
        lambda: oob_permutation_importance(bag(20, random_state=0), [*X, [5, 6]], [*Y, 1]),
        ValueError,
        "data of training, with 4 rows; got 5",
    ),
    (
        "out of bag, other classes",
        lambda: permute_out_of_bag(y=[0, 1, 2, 3]),
        ValueError,
        r"y has the class 2, which was not seen in fit; known: \[0, 1\]",
    ),
    (
        "out of bag, lengths",
        lambda: permute_out_of_bag(X=[[1, 2]] * 4, y=Y[:3]),
        ValueError,
        "inconsistent",
    ),
    ("z of one tree", lambda: importance_z_scores([[1.0, 2]]), ValueError, "at least 2 trees"),
    ("z of a list", lambda: importance_z_scores([1.0, 2]), ValueError, r"n_features.*\(2,\)"),
    ("noising method", lambda: noise(method="loud"), ValueError, "method must be .*'loud'"),
    ("noising loss", lambda: noise(loss="hinge"), ValueError, "loss must be .*'hinge'"),
    ("noising scale", lambda: noise(method="noise", scale=-1.0), ValueError, "scale == -1"),
    ("noising repeats", lambda: noise(n_repeats=0), ValueError, "n_repeats == 0"),
    ("noising, other classes", lambda: noise(y=[0, 1, 2, 3]), ValueError, "class 2.*not seen"),
    (
        "noising, classes of numbers",
        lambda: noise(REGRESSOR, loss="misclassification"),
        ValueError,
        "needs classes",
    ),
    (
        "noising, exact votes of a forest",
        lambda: noise(forest(), loss="misclassification"),
        ValueError,
        "single tree: give n_repeats",
    ),
    (
        "noising, exact score",
        lambda: noise(boost(GradientBoostingClassifier)),
        ValueError,
        "give n_repeats",
    ),
    (
        "noising of a median",
        lambda: noise(ada(AdaBoostRegressor, y=NUMBERS)),
        TypeError,
        "AdaBoostRegressor takes a weighted median",
    ),
    (
        "Shapley values of a start that depends on the row",
        lambda: shap_values(boost(init=DecisionTreeRegressor()), X),
        ValueError,
        "init=None or 'zero'",
    ),
    ("Shapley values of NaN", lambda: shap_values(CLASSIFIER, [[NAN, 1]]), ValueError, "NaN"),
    (
        "Shapley values, unknown method",
        lambda: shap_values(CLASSIFIER, X, method="tree_path_dependent"),
        ValueError,
        "method must be 'path_dependent' or 'interventional', got 'tree_path_dependent'",
    ),
    (
        "Shapley values without a background",
        lambda: shap_values(CLASSIFIER, X, method="interventional"),
        ValueError,
        "background must be rows .*method='interventional'; got None",
    ),
    (
        "Shapley values with a background that nobody reads",
        lambda: shap_values(CLASSIFIER, X, background=X),
        ValueError,
        "background is not used by method='path_dependent'",
    ),
    *[
        (
            f"Shapley values, background {name}",
            lambda rows=rows: shap_values(CLASSIFIER, X, method="interventional", background=rows),
            ValueError,
            f"background does not suit the model: .*{message}",
        )
        for name, rows, message in (
            ("with NaN", [[NAN, 1]], "NaN"),
            ("of other columns", [[1]], "1 feature"),
            ("without rows", np.empty((0, 2)), "0 sample"),
        )
    ],
    ("drop the only column", lambda: drop([[1], [2], [3], [4]]), ValueError, "leave at least one"),
    ("drop all columns", lambda: drop(groups=[[0, 1]]), ValueError, "leave at least one"),
    ("drop, lengths", lambda: drop(y=[0, 1]), ValueError, r"samples: \[4, 2\]"),
    (
        "drop, held-out lengths",
        lambda: drop(held_out=(X, [0, 1])),
        ValueError,
        r"samples: \[4, 2\]",
    ),
    (
        "unknown measure",
        lambda: importance_table(CLASSIFIER, X, Y, measures=["luck"]),
        ValueError,
        r"measures must be among .*\['luck'\]",
    ),
    (
        "information, missing",
        lambda: mutual_information_decomposition(COLOR.shift(), Y),
        ValueError,
        "X contains missing",
    ),
    (
        "information, too many",
        lambda: mutual_information_decomposition(np.eye(16), np.arange(16)),
        ValueError,
        "16 features",
    ),
    (
        "information, base",
        lambda: totally_randomized_importance(X, Y, base=1),
        ValueError,
        "base must be a number above 1",
    ),
    (
        "information, no rows",
        lambda: totally_randomized_importance(np.empty((0, 2)), []),
        ValueError,
        "at least one row",
    ),
    (
        "information, lost column",
        lambda: conditional_mutual_information(X, Y, 0, [5]),
        ValueError,
        "no column 5",
    ),
    ("rank of NaN", lambda: rankings([1.0, NAN]), ValueError, "NaN, which has no rank"),
    (
        "rankings of other features",
        lambda: compare_rankings([0, 1], [0, 2]),
        ValueError,
        "the same features",
    ),
    (
        "rankings of repeated features",
        lambda: compare_rankings([0, 0], [0, 0]),
        ValueError,
        "each of them once",
    ),
    ("no top", lambda: compare_rankings([0, 1], [1, 0], top_k=0), ValueError, "top_k == 0"),
    ("stability of one run", lambda: ranking_stability([[1, 2]]), ValueError, "at least 2 runs"),
    # information
    ("gap in a variable", lambda: entropy_of(["a", None]), ValueError, "missing values.*missing='"),
    ("gap as a number", lambda: mutual_information([1, NAN], Y[:2]), ValueError, "missing values"),
    ("gap in text", lambda: symmetrical_uncertainty(Y[:2], ["a", NAN]), ValueError, "missing val"),
    ("gaps as a word", lambda: entropy_of(Y, missing="drop"), ValueError, "missing must be one of"),
    ("variables of unequal length", lambda: entropy_of(Y, Y[1:]), ValueError, r"\[4, 3\]"),
    ("variable of no rows", lambda: entropy_of([]), ValueError, "at least one row"),
    ("variable of a table", lambda: entropy_of(X), ValueError, "a must have one dimension, got 2"),
    ("b of a number", lambda: entropy_of(Y, 1), ValueError, "b must have one dimension, got 0"),
    (
        "gaps in a table of levels",
        lambda: Levels(np.array([[0, -1], [1, 0]])).uncertainties(0, [1]),
        ValueError,
        "missing='share'",
    ),
    # filters
    ("no measure", lambda: select(measure="gini"), ValueError, "measure must be one of.*'gini'"),
    ("filter, gap", lambda: select(FRAME.shift()), ValueError, "NaN or None in column 'size'.*mis"),
    (
        "filter, gap of a number",
        lambda: select(FRAME[["size"]].shift(), NUMBERS, "f"),
        ValueError,
        "NaN or None in column 'size'.*missing=",
    ),
    (
        "numbers have no levels to share",
        lambda: select(X, NUMBERS, "f", missing="share"),
        ValueError,
        "missing must be 'error' or 'pairs' with measure='f'.*'share'",
    ),
    (
        "nothing known",
        lambda: select([[1, NAN], [2, NAN]], measure="variance", missing="pairs"),
        ValueError,
        "no known value in column 'x1'",
    ),
    ("too few rows for F", lambda: select(X[:2], [1, 2], "f"), ValueError, "3 rows.*n_samples = 2"),
    ("too few rows for r", lambda: select(X[:1], [1], "pearson"), ValueError, "at least 2 rows"),
    ("filter, text", lambda: select(FRAME, NUMBERS, "f"), ValueError, "X has text .*'color'"),
    ("filter, infinity", lambda: select([[1, INF], *X[1:]]), ValueError, "infinity in column 1"),
    ("filter, sparse", lambda: select(csr_array(np.eye(4))), TypeError, "X.*dense.*toarray"),
    ("filter, no y", lambda: select(y=None), ValueError, "requires y"),
    ("filter, text for r", lambda: select(y=list("abcd"), measure="pearson"), ValueError, "y must"),
    (
        "filter, numbers for classes",
        lambda: select(y=[0.5, 1, 2, 3], task="classification"),
        ValueError,
        "task='classification' is for classification, but y is continuous",
    ),
    ("filter, one class", lambda: select(y=["a"] * 4), ValueError, "y has one class only, 'a'"),
    ("filter, one number", lambda: select(X, [2.0] * 4, "f"), ValueError, "y is 2 in all rows"),
    ("filter, y too short", lambda: select(y=Y[1:]), ValueError, r"samples: \[4, 3\]"),
    ("more features than there are", lambda: select(number=3), ValueError, "number is 3.*only 2"),
    ("no features", lambda: select(number=0), ValueError, "number == 0, must be >= 1"),
    ("fewer than none", lambda: select(number=-2), ValueError, "number == -2"),
    ("half a feature", lambda: select(number=1.5), TypeError, "number must be an instance of"),
    ("number True", lambda: select(number=True), TypeError, "number must be a number, got True"),
    ("no percent", lambda: select(percentage=0), ValueError, "percentage == 0, must be > 0"),
    ("101 percent", lambda: select(percentage=101), ValueError, "percentage == 101"),
    ("percentage NaN", lambda: select(percentage=NAN), ValueError, "percentage must be finite"),
    ("threshold NaN", lambda: select(threshold=NAN), ValueError, "threshold must be finite"),
    ("threshold text", lambda: select(threshold="a"), TypeError, "threshold must be an instance"),
    (
        "number and percentage",
        lambda: select(number=1, percentage=50),
        ValueError,
        "Give one of number, percentage and threshold, got .'number', 'percentage'",
    ),
    ("no such cuts", lambda: select(discretize="bins"), ValueError, "discretize must be one of"),
    ("no such gaps", lambda: filter_table(X, Y, missing=0), ValueError, "missing must be one of"),
    (
        "other columns than in fit",
        lambda: select(FRAME).transform(FRAME[["color"]]),
        ValueError,
        "feature names",
    ),
    ("filter before fit", lambda: FilterSelector().transform(X), NotFittedError, "not fitted"),
    ("steps before fit", lambda: CFSSelector().steps_table(), NotFittedError, "not fitted"),
    ("passes before fit", lambda: FCBFSelector().steps_table(), NotFittedError, "not fitted"),
    # CFS and FCBF
    ("no search", lambda: cfs(search="backward"), ValueError, "search must be one of"),
    ("no convention", lambda: cfs(convention="Weka"), ValueError, "convention must be one of"),
    ("no patience", lambda: cfs(max_stale=0), ValueError, "max_stale == 0, must be >= 1"),
    ("half of patience", lambda: cfs(max_stale=0.5), TypeError, "max_stale must be an instance"),
    (
        "local as a word",
        lambda: cfs(locally_predictive="no"),
        ValueError,
        "True or False, got 'no'",
    ),
    ("CFS, one class", lambda: cfs(y=[1] * 4), ValueError, "y has one class only, "),
    ("CFS, gap", lambda: cfs(COLOR.shift()), ValueError, "NaN or None in column 'color'"),
    (
        "all sets of too many features",
        lambda: cfs(np.eye(21), [0, 1, 2] * 7, search="exhaustive"),
        ValueError,
        "at most 20 features, got 21.*'best_first'",
    ),
    (
        "a table of too many sets",
        lambda: merit_table(np.eye(13), [0] * 6 + [1] * 7),
        ValueError,
        "12 features at most, got 13: name subsets",
    ),
    (
        "a set of unknown columns",
        lambda: merit_table(FRAME, Y, [["a"]]),
        ValueError,
        "no column 'a'",
    ),
    ("merit of a vector", lambda: merit([1, 2], [1, 2]), ValueError, r"redundancy \(k, k\)"),
    ("pairs of one class", lambda: uncertainty_table(X, [0] * 4), ValueError, "one class only"),
    ("FCBF, one class", lambda: fcbf(y=[1] * 4), ValueError, "y has one class only"),
    ("FCBF, negative", lambda: fcbf(threshold=-0.1), ValueError, "threshold == -0.1, must be >= 0"),
    ("FCBF, threshold 1", lambda: fcbf(threshold=1), ValueError, "threshold == 1, must be < 1"),
    ("FCBF, gap", lambda: fcbf([[1, NAN], *X[1:]]), ValueError, "NaN or None in column 1"),
]


@pytest.mark.filterwarnings("error")
@each("row", TABLE, ids=[name for name, *_ in TABLE])
def test_bad_input(row):
    _, call, error, message = row
    with pytest.raises(error, match=f"(?s){message}"):
        call()


def test_rows_of_the_table_differ():
    assert len({row[0] for row in TABLE}) == len(TABLE)


# --- odd, and allowed ----------------------------------------------------------------------


def test_one_row_is_a_leaf():
    assert classify([[1.0, 2]], ["a"]).predict([[9, 9]]).tolist() == ["a"]
    assert regress([[1.0, 2]], [3.0]).predict([[9, 9]]).tolist() == [3.0]
    assert len(split_table([[1.0, 2]], ["a"])) == 0


def test_constant_target_is_a_leaf():
    model = classify(y=[1, 1, 1, 1])
    assert model.get_n_leaves() == 1
    assert model.predict_proba([[0, 0]]).tolist() == [[1.0]]
    assert model.feature_importances_.tolist() == [0, 0]
    assert regress(y=[0.1] * 4).predict([[0, 0]]).tolist() == [0.1]
    assert regress(y=[0.1] * 4).tree_.impurity.tolist() == [0.0]
    table = split_table(X, [1, 1, 1, 1])
    assert (len(table), table["gain"].tolist()) == (6, [0] * 6)


def test_constant_features_are_a_leaf():
    model = classify(np.ones((4, 2)))
    assert model.get_n_leaves() == 1
    assert model.predict_proba([[1, 1]]).tolist() == [[0.5, 0.5]]
    assert len(split_table(np.ones((4, 2)), Y)) == 0


def test_one_number_is_the_weight_of_every_row():
    assert classify(sample_weight=2.0).tree_.weighted_n_node_samples[0] == 8


def test_booleans_and_whole_numbers_are_numbers():
    assert classify(np.array(X) > 2).get_n_leaves() == 2
    assert classify(np.array(X, dtype=np.int8)).get_n_leaves() == 2


def test_huge_and_tiny_numbers_are_split():
    for values in ([1e-300, 2e-300, 3e-300, 4e-300], [-1e308, -1e307, 1e307, 1e308]):
        column = np.array(values)[:, None]
        assert classify(column).predict(column).tolist() == Y
    neighbors = np.array([[1.0], [np.nextafter(1, 2)], [2.0], [3.0]])
    assert classify(neighbors, [0, 1, 1, 1]).predict(neighbors).tolist() == [0, 1, 1, 1]


def test_rows_of_the_caller_are_left_alone():
    frame, y = FRAME.copy(), pd.Series(Y)
    DecisionTreeClassifier(categorical_features=["color"]).fit(frame, y).predict(frame)
    pd.testing.assert_frame_equal(frame, FRAME)
    assert y.tolist() == Y
