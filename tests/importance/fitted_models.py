"""Every kind of model that is made of trees, fitted by treelab and by scikit-learn."""

import numpy as np
import sklearn.ensemble as their_ensembles
import sklearn.tree as their_trees
from cases import each
from sklearn.datasets import make_friedman1

import treelab

X, NUMBERS = make_friedman1(240, 6, noise=1.0, random_state=0)
TWO = np.where(NUMBERS > 14, "high", "low")
THREE = np.array(["low", "mid", "high"])[np.digitize(NUMBERS, [12, 17])]


def estimators(module):
    """Every kind of model that is made of trees, with a target that suits it."""
    trees = their_trees if module is their_ensembles else treelab
    one, many = trees.DecisionTreeRegressor, trees.DecisionTreeClassifier
    yield "tree", one(max_depth=5, random_state=0), NUMBERS
    yield "class tree", many(criterion="entropy", random_state=0), THREE
    yield "forest", module.RandomForestRegressor(8, max_features=2, random_state=0), NUMBERS
    yield "class forest", module.RandomForestClassifier(8, random_state=0), THREE
    bag = module.BaggingRegressor
    yield "bagging", bag(one(max_depth=4), n_estimators=5, random_state=0), NUMBERS
    bag = module.BaggingClassifier
    yield "class bagging", bag(many(max_depth=4), n_estimators=5, random_state=0), THREE
    boost = module.GradientBoostingRegressor
    yield "boosting", boost(n_estimators=12, subsample=0.7, random_state=0), NUMBERS
    boost = module.GradientBoostingClassifier
    yield "boosting of two classes", boost(n_estimators=12, random_state=0), TWO
    yield "boosting of three classes", boost(n_estimators=6, init="zero", random_state=0), THREE
    ada = module.AdaBoostClassifier
    yield "AdaBoost of two classes", ada(n_estimators=8, random_state=0), TWO
    yield "AdaBoost of three classes", ada(many(max_depth=2), n_estimators=8), THREE
    yield "AdaBoost of numbers", module.AdaBoostRegressor(n_estimators=5, random_state=0), NUMBERS


WEIGHT = np.random.RandomState(0).randint(1, 4, len(X)).astype(float)
FITTED = {
    f"{name} of {'scikit-learn' if module is their_ensembles else 'treelab'}": model.fit(X, y)
    for module in (treelab, their_ensembles)
    for name, model, y in estimators(module)
}
FITTED["tree with weights"] = treelab.DecisionTreeClassifier().fit(X, THREE, sample_weight=WEIGHT)
FITTED["extra trees"] = their_ensembles.ExtraTreesRegressor(6, random_state=0).fit(X, NUMBERS)
every_model = each("model", FITTED.values(), ids=FITTED)


def output_of(model):
    """What the model says, in the units in which its trees add up."""
    if not hasattr(model, "classes_"):
        return model.predict(X)
    return model.decision_function(X) if "Boost" in type(model).__name__ else model.predict_proba(X)
