"""Sketch of a tree: the texts and numbers of a picture, for binary and multiway trees.

A `Tree` has splits with the branches yes and no; a `MultiwayTree` has the feature in the node and
its category on each branch. `sketch_of` turns both into one `Sketch`, so that all trees of the book
are laid out and drawn by the same code.
"""

from dataclasses import dataclass

import numpy as np

from treelab.fast.c45.splits import SLACK
from treelab.fast.c45.tree import MultiwayTree
from treelab.fast.impurity import entropy
from treelab.fast.tree import Shape, Tree

__all__ = ["Sketch", "class_words", "sketch_of", "tree_of"]

TIGHT = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class Sketch(Shape):
    """Tree as a picture shows it; the lists and arrays have an entry for each node."""

    children: list  # of lists of int
    labels: list  # text on the branch that leads to the node: yes, no, sunny, ≤ 75
    questions: list  # the first line of its box as a split; "" for a leaf
    answers: list  # the first line of its box as a leaf
    facts: list  # of dict: the lines below that in a split, by the keys of `show`
    leaf_facts: list  # of dict: the same in a leaf
    shares: np.ndarray | None  # (n_nodes, n_classes), None in a regression
    empty: np.ndarray  # whether no training row reaches the node
    values: np.ndarray | None  # (n_nodes,), None in a classification
    classes: list  # their names
    multiway: bool  # whether the branches have labels of their own instead of yes and no


def tree_of(model, *kinds):
    """Return the tree of a model, which is of one of the `kinds` or has such a `tree_`."""
    tree = model if isinstance(model, kinds) else getattr(model, "tree_", None)
    if not isinstance(tree, kinds):
        raise TypeError(f"model must be a Tree or a fitted treelab tree, got {model!r}.")
    return tree


def class_words(class_names, n_classes):
    """Return the names of the classes for a picture; numbers are written as "class 1".

    >>> class_words(None, 2), class_words(["ash", 5], 2)
    (['class 0', 'class 1'], ['ash', 'class 5'])
    """
    if class_names is None:
        class_names = range(n_classes)
    if len(class_names) != n_classes:
        raise ValueError(f"the tree has {n_classes} classes, got {len(class_names)} class_names.")
    return [str(n) if isinstance(n, str) else f"class {n}" for n in class_names]


def sketch_of(model, feature_names=None, class_names=None, categories=None, digits=4):
    """Sketch a tree, or that of a fitted estimator; `Sketch`.

    >>> from treelab import ID3Classifier
    >>> model = ID3Classifier().fit([["a"], ["b"], ["c"]], ["no", "no", "yes"])
    >>> sketch = sketch_of(model, ["letter"])
    >>> sketch.questions[0], sketch.labels[1:], sketch.answers[1:]
    ('letter', ['a', 'b', 'c'], ['no', 'no', 'yes'])
    """
    tree = tree_of(model, Tree, MultiwayTree)
    given = {"feature_names_in_": feature_names, "classes_": class_names, "categories_": categories}
    features, classes, categories = (
        getattr(model, name, None) if value is None else value for name, value in given.items()
    )
    read = _binary if isinstance(tree, Tree) else _multiway
    own = read(tree, features, categories, digits)
    children = [[] for _ in own["labels"]]
    for t, up in enumerate(tree.parent[1:].tolist(), 1):
        children[up].append(t)
    if tree.is_classifier:
        classes, values = class_words(classes, own["shares"].shape[1]), None
        answers, word = [classes[k] for k in tree.prediction], "mostly"
    else:
        classes, values = [], tree.prediction
        answers, word = [f"{value:.{digits}g}" for value in values], "value"
    facts, leaf_facts = [], []
    for t, answer in enumerate(answers):  # a leaf's first line is its value already
        facts.append({"node": f"node {t}", "value": f"{word} {answer}", **own["facts"][t]})
        leaf_facts.append({"node": f"node {t}", **own["leaf_facts"][t]})
    own |= {"facts": facts, "leaf_facts": leaf_facts}
    return Sketch(
        children=children, answers=answers, values=values, classes=classes,
        multiway=read is _multiway, **own,
    )  # fmt: skip


def _binary(tree, features, categories, digits):
    """Return the entries of a sketch that only a `Tree` has."""
    labels, questions = [""] * tree.n_nodes, [""] * tree.n_nodes
    for t in np.flatnonzero(~tree.is_leaf):
        labels[tree.children_left[t]], labels[tree.children_right[t]] = "yes", "no"
        question = tree.test(t, features, categories, digits=digits)
        questions[t] = question.replace(" <= ", f" ≤{TIGHT}")
    facts = [
        {
            "n": f"n = {tree.n_node_samples[t]}",
            "weight": f"weight = {tree.weighted_n_node_samples[t]:.{digits}g}",
            "impurity": f"{tree.criterion.replace('_', ' ')} = {tree.impurity[t]:.3g}",
        }
        for t in range(tree.n_nodes)
    ]
    return {
        "labels": labels, "questions": questions, "facts": facts, "leaf_facts": facts,
        "empty": np.zeros(tree.n_nodes, dtype=bool),
        "shares": tree.value[:, 0] if tree.is_classifier else None,
    }  # fmt: skip


def _multiway(tree, features, categories, digits):
    """Return the entries of a sketch that only a `MultiwayTree` has.

    It has weights and no numbers of rows, so "n" and "weight" both show the weight, and in a leaf,
    after a slash, the misclassified part of it, as in `export_text`.
    """
    labels, questions = [""] * tree.n_nodes, [""] * tree.n_nodes
    nameless = [""] * (tree.feature.max() + 1)
    for t in range(1, tree.n_nodes):
        up = tree.parent[t]
        j = tree.feature[up]
        questions[up] = f"x[{j}]" if features is None else str(features[j])
        words = tree.answer(t, nameless, categories, digits)
        cut = not words.startswith(" = ")
        labels[t] = words.strip().replace("<=", "≤").replace(" ", TIGHT) if cut else words[3:]
    sums, shares = tree.predicted_sums, None
    if tree.numeric:
        n, total, squares = tree.sums.T
        n = np.maximum(n, 1)
        variance = np.maximum(squares / n - (total / n) ** 2, 0.0)
        impurity = [f"variance = {v:.3g}" for v in variance]
    else:
        shares = sums / sums.sum(axis=1, keepdims=True)
        impurity = [f"entropy = {bits:.3g}" for bits in entropy(sums)]
    empty = tree.weight <= SLACK
    facts, leaf_facts = [], []
    for t in range(tree.n_nodes):
        mixed = {"impurity": impurity[t]}
        weight = f"weight = {tree.weight[t]:.{digits}g}"
        facts.append({"n": weight, "weight": weight, **mixed})
        counts = "no rows: as its parent" if empty[t] else tree.counts(t, digits)
        leaf_facts.append({"n": counts, "weight": counts, **({} if empty[t] else mixed)})
    return {
        "labels": labels, "questions": questions, "facts": facts, "leaf_facts": leaf_facts,
        "empty": empty, "shares": shares,
    }  # fmt: skip
