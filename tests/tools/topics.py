"""The topic of each test, from the path of its file: `pytest -m growing` runs those of growing.

Topics are those of the chapters, in their order. A file of one topic, or a folder of such files,
stands in `TOPIC_OF`. The files in `GENERAL` hold for the whole; a test in them that is made for one
exercise, one exhibit or one notebook has the topic of that.
"""

import re
from pathlib import Path, PurePosixPath

TOPICS = (
    "reading", "impurity", "growing", "pruning", "c45", "metrics", "instability", "bootstrap",
    "bagging", "forests", "adaboost", "gradient_boosting", "importance", "filters", "choosing",
    "reluctant", "local", "bicycles", "wind",
)  # fmt: skip

TOPIC_OF = {
    "tree": "reading",
    "test_impurity.py": "impurity",
    "growing": "growing",
    "test_cart.py": "growing",
    "plain/test_plain_trees.py": "growing pruning c45",
    "pruning": "pruning",
    "c45": "c45",
    "test_bootstrap.py": "bootstrap",
    "bagging/test_bagging.py": "bagging",
    "bagging/test_out_of_bag.py": "bagging forests",
    "bagging/test_forest.py": "forests",
    "bagging/test_subspaces.py": "bagging forests",
    "plain/test_plain_ensembles.py": "bagging forests adaboost gradient_boosting",
    "boosting/test_adaboost.py": "adaboost",
    "boosting": "gradient_boosting",
    "importance": "importance",
    "information": "filters",
    "selection/test_boruta.py": "choosing",
    "selection/test_clustered.py": "local",
    "selection/test_elimination.py": "choosing",
    "selection/test_genuer.py": "choosing",
    "selection/test_level_trees.py": "reluctant",
    "selection/test_local.py": "local",
    "selection/test_local_regression.py": "local",
    "selection/test_regularized.py": "reluctant",
    "selection/test_sizes.py": "choosing",
    "selection/test_stability.py": "choosing",
    "selection/test_tasks.py": "choosing",
    "selection": "filters",
    "plain/test_plain_metrics.py": "metrics",
    "plain/test_plain_comparisons.py": "metrics",
    "plain/test_plain_stepwise.py": "filters",
    "plain/test_plain_boruta.py": "choosing",
    "plain/test_plain_max_dependency.py": "reluctant",
    "plain/test_plain_regularized.py": "reluctant",
    "plain/test_plain_local.py": "local",
    "test_newsvendor.py": "bicycles",
    "datasets/test_wind.py": "wind",
    "references/test_adaboost_references.py": "adaboost",
    "references/test_class_weights.py": "metrics",
    "chapters/test_errata_boosting.py": "adaboost gradient_boosting",
    "chapters/test_errata_forests.py": "instability bootstrap bagging forests",
    "chapters/test_errata_importance.py": "importance",
    "chapters/test_errata_selection.py": "filters choosing reluctant local",
    "references/test_gbm.py": "gradient_boosting",
    "references/test_randomforest.py": "forests",
    "references/test_release8.py": "c45",
    "references/test_sklearn.py": "growing",
    "references/test_weka.py": "c45",
    "chapters/test_replications_all_settings.py": "bicycles wind",
    "chapters/test_replications_answers.py": "adaboost reluctant wind",
    "chapters/test_replications_at_size.py": "choosing reluctant local",
    "chapters/test_replications_bicycles.py": "bicycles",
    "chapters/test_replications_boosting.py": "adaboost gradient_boosting",
    "chapters/test_replications_boosting_eliminates.py": "wind",
    "chapters/test_replications_bootstrap.py": "bootstrap bagging",
    "chapters/test_replications_choice.py": "choosing",
    "chapters/test_replications_criteria.py": "impurity growing",
    "chapters/test_replications_ensembles.py": "bagging forests adaboost gradient_boosting",
    "chapters/test_replications_forests.py": "forests",
    "chapters/test_replications_gaps.py": "local",
    "chapters/test_replications_imbalance.py": "metrics",
    "chapters/test_replications_importance.py": "importance",
    "chapters/test_replications_leaks.py": "local",
    "chapters/test_replications_local.py": "local",
    "chapters/test_replications_numbers.py": "filters",
    "chapters/test_replications_penalties.py": "reluctant",
    "chapters/test_replications_pruning.py": "pruning",
    "chapters/test_replications_reluctant.py": "reluctant",
    "chapters/test_replications_rivals.py": "local",
    "chapters/test_replications_selection.py": "filters",
    "chapters/test_replications_shadows.py": "choosing",
    "chapters/test_replications_wind.py": "wind",
    "chapters/test_replications_wines.py": "forests",
    "chapters/test_linear_models.py": "filters",
    "chapters/test_comparing.py": "bagging forests adaboost gradient_boosting",
    "explorables/test_alpha.py": "choosing",
    "explorables/test_asymmetry.py": "bicycles",
    "explorables/test_bag.py": "bagging",
    "explorables/test_boosting.py": "gradient_boosting",
    "explorables/test_bootstrap.py": "bootstrap",
    "explorables/test_cities.py": "c45",
    "explorables/test_cut.py": "growing",
    "explorables/test_cut_classes.py": "impurity",
    "explorables/test_forest.py": "forests",
    "explorables/test_grid.py": "wind",
    "explorables/test_grow.py": "growing",
    "explorables/test_hours.py": "reading",
    "explorables/test_importance.py": "importance",
    "explorables/test_merit.py": "filters",
    "explorables/test_penalty.py": "reluctant",
    "explorables/test_places.py": "local",
    "explorables/test_prune.py": "pruning",
    "explorables/test_samples.py": "instability",
    "explorables/test_stump.py": "adaboost",
    "explorables/test_threshold.py": "metrics",
}

GENERAL = (
    "book", "browser", "chapters/test_arithmetic.py", "chapters/test_facts.py",
    "chapters/test_preface.py",
    "datasets/test_datasets.py", "drawing",
    "explorables/test_flower.py", "explorables/test_play.py", "explorables/test_scripts.py",
    "package", "plain/test_pairs.py", "references/test_claims.py", "references/test_conformance.py",
    "chapters/test_errata.py", "references/test_gold.py", "teaching",
    "test_inputs.py",
)  # fmt: skip


def entry_of(path):
    """Return the entry of `TOPIC_OF` or `GENERAL` for a path below tests, the longest; or None."""
    path = PurePosixPath(path)
    own = (str(p) for p in (path, *path.parents))
    return next((p for p in own if p in TOPIC_OF or p in GENERAL), None)


def topics_of(path, values=()):
    """Return the topics of a test, a set: by its file, or else by the values that it is run with.

    Parameters
    ----------
    path : str or Path
        Its file, below tests.
    values : iterable
        Its parameters: the id of an exercise, an exhibit, the path or the name of a notebook.
    """
    path = PurePosixPath(path)
    found = set(TOPIC_OF.get(entry_of(path), "").split())
    if path.parent.name == "chapters":
        found |= {path.stem.removeprefix("test_").removeprefix("hood_")} & set(TOPICS)
    return found or set(filter(None, map(topic_of_value, values)))


def topic_of_value(value):
    """Return the topic of an exercise, an exhibit or a notebook; None for anything else."""
    if isinstance(room := getattr(value, "room", None), int):
        return TOPICS[room - 1]
    name = value.name if isinstance(value, Path) else value
    if not isinstance(name, str):
        return None
    if of_chapter := re.match(r"(\d\d)_[a-z]", name):
        return TOPICS[int(of_chapter[1]) - 1] if int(of_chapter[1]) <= len(TOPICS) else None
    exercise = re.fullmatch(r"([a-z][a-z0-9-]*)-\d+", name)
    topic = exercise and exercise[1].replace("-", "_")
    return topic if topic in TOPICS else None
