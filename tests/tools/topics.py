"""The topic of each test, from the path of its file: `pytest -m growing` runs those of growing.

Topics are those of the chapters, in their order. Their files, and folders of such files, stand in
`FILES`. The files in `GENERAL` hold for the whole; a test in them that is made for one exercise,
one exhibit or one notebook has the topic of that.
"""

import re
from collections import defaultdict
from pathlib import Path, PurePosixPath

TOPICS = (
    "reading", "impurity", "growing", "pruning", "c45", "metrics", "instability", "bootstrap",
    "bagging", "forests", "adaboost", "gradient_boosting", "importance", "filters", "choosing",
    "reluctant", "local", "bicycles", "wind",
)  # fmt: skip

FILES = """
    reading: explorables/test_hours.py tree
    impurity: chapters/test_replications_criteria.py explorables/test_cut_classes.py
        test_impurity.py
    growing: chapters/test_replications_criteria.py explorables/test_cut.py explorables/test_grow.py
        growing plain/test_plain_trees.py references/test_sklearn.py test_cart.py
    pruning: chapters/test_replications_pruning.py explorables/test_prune.py
        plain/test_plain_trees.py pruning
    c45: c45 explorables/test_cities.py plain/test_plain_trees.py references/test_release8.py
        references/test_weka.py
    metrics: chapters/test_replications_imbalance.py explorables/test_threshold.py
        plain/test_plain_comparisons.py plain/test_plain_metrics.py references/test_class_weights.py
    instability: chapters/test_errata_forests.py explorables/test_samples.py
    bootstrap: chapters/test_errata_forests.py chapters/test_replications_bootstrap.py
        explorables/test_bootstrap.py test_bootstrap.py
    bagging: bagging/test_bagging.py bagging/test_out_of_bag.py bagging/test_subspaces.py
        chapters/test_comparing.py chapters/test_errata_forests.py
        chapters/test_replications_bootstrap.py chapters/test_replications_ensembles.py
        explorables/test_bag.py plain/test_plain_ensembles.py
    forests: bagging/test_forest.py bagging/test_out_of_bag.py bagging/test_subspaces.py
        chapters/test_comparing.py chapters/test_errata_forests.py
        chapters/test_replications_ensembles.py chapters/test_replications_forests.py
        chapters/test_replications_wines.py explorables/test_forest.py plain/test_plain_ensembles.py
        references/test_randomforest.py
    adaboost: boosting/test_adaboost.py chapters/test_comparing.py chapters/test_errata_boosting.py
        chapters/test_replications_answers.py chapters/test_replications_boosting.py
        chapters/test_replications_ensembles.py explorables/test_stump.py
        plain/test_plain_ensembles.py references/test_adaboost_references.py
    gradient_boosting: boosting chapters/test_comparing.py chapters/test_errata_boosting.py
        chapters/test_replications_boosting.py chapters/test_replications_ensembles.py
        explorables/test_boosting.py plain/test_plain_ensembles.py references/test_gbm.py
    importance: chapters/test_errata_importance.py chapters/test_replications_importance.py
        explorables/test_importance.py importance
    filters: chapters/test_errata_selection.py chapters/test_linear_models.py
        chapters/test_replications_numbers.py chapters/test_replications_selection.py
        explorables/test_merit.py information plain/test_plain_stepwise.py selection
    choosing: chapters/test_errata_selection.py chapters/test_replications_at_size.py
        chapters/test_replications_choice.py chapters/test_replications_shadows.py
        explorables/test_alpha.py plain/test_plain_boruta.py selection/test_boruta.py
        selection/test_elimination.py selection/test_genuer.py selection/test_sizes.py
        selection/test_stability.py selection/test_tasks.py
    reluctant: chapters/test_errata_selection.py chapters/test_replications_answers.py
        chapters/test_replications_at_size.py chapters/test_replications_penalties.py
        chapters/test_replications_reluctant.py explorables/test_penalty.py
        plain/test_plain_max_dependency.py plain/test_plain_regularized.py
        selection/test_level_trees.py selection/test_regularized.py
    local: chapters/test_errata_selection.py chapters/test_replications_at_size.py
        chapters/test_replications_gaps.py chapters/test_replications_leaks.py
        chapters/test_replications_local.py chapters/test_replications_rivals.py
        explorables/test_places.py plain/test_plain_local.py selection/test_clustered.py
        selection/test_local.py selection/test_local_regression.py
    bicycles: chapters/test_replications_all_settings.py chapters/test_replications_bicycles.py
        explorables/test_asymmetry.py test_newsvendor.py
    wind: chapters/test_replications_all_settings.py chapters/test_replications_answers.py
        chapters/test_replications_boosting_eliminates.py chapters/test_replications_wind.py
        datasets/test_wind.py explorables/test_grid.py
"""
TOPIC_OF = defaultdict(set)
for word in FILES.split():
    if word.endswith(":"):
        topic = word.removesuffix(":")
    else:
        TOPIC_OF[word].add(topic)

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
    found = set(TOPIC_OF.get(entry_of(path), ()))
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
