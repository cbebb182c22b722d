"""What a picture needs to know of a tree, whichever kind of tree it is.

A `Tree` asks questions with the answers yes and no; a `MultiwayTree` writes the feature in
the node and the answer on each branch. `sketch_of` turns both into one `Sketch`, so that all
trees of the book are laid out and inked by the same lines.

Vocabulary
----------
label : what stands on the branch that leads to a node: yes, no, sunny, <= 75
head : the first line of a box, its question or its answer
facts : the lines below it, those that `show` asks for
"""

from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

import numpy as np

from treelab.c45.splits import SLACK, CutTest
from treelab.c45.tree import MultiwayTree
from treelab.impurity import entropy
from treelab.tree import Shape, Tree

__all__ = ["Sketch", "class_words", "names_of", "sketch_of"]

TIGHT = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class Sketch(Shape):
    """A tree as a picture shows it.

    Parameters
    ----------
    children : list of tuple of int
        Of each node, none for a leaf; nodes in preorder.
    labels : list of str
        Of the branch that leads to each node, "" for the root.
    questions, answers : list of str
        The head of each node as a split and as a leaf; a leaf has the question "".
    facts, leaf_facts : list of dict
        Of each node, what it can say as a split and as a leaf, by the keys of `show`.
    shares, values : ndarray of shape (n_nodes, n_classes), (n_nodes,)
        Class shares, or predicted numbers; None in a tree of the other kind.
    empty : ndarray of bool, shape (n_nodes,)
        Nodes that no training row reached.
    classes : list of str
    multiway : bool
        Whether the branches have labels of their own instead of yes and no.
    """

    children: list
    labels: list
    questions: list
    answers: list
    facts: list
    leaf_facts: list
    shares: np.ndarray | None
    values: np.ndarray | None
    empty: np.ndarray
    classes: list
    multiway: bool

    @cached_property
    def leaves_below(self):
        """Number of leaves under each node; shape (n_nodes,)."""
        return self.subtree_sum(np.ones(self.n_nodes, dtype=int))


def names_of(model, feature_names=None, class_names=None, categories=None, multiway=False):
    """The tree of a model, and the names of features, classes and levels.

    Parameters
    ----------
    model : Tree, MultiwayTree or fitted estimator with a `tree_`
    feature_names, class_names, categories : default=None
        Given names go before those of the estimator.
    multiway : bool, default=False
        Whether the tree may be a `MultiwayTree`.

    Returns
    -------
    tree : Tree or MultiwayTree
    names : SimpleNamespace
        With `features` (None for x[0], x[1], ...), `classes` (list of str, empty for
        regression) and `categories`.

    Raises
    ------
    TypeError
        If `model` holds no such tree.

    Examples
    --------
    >>> from treelab import DecisionTreeClassifier
    >>> tree, names = names_of(DecisionTreeClassifier().fit([[1], [2]], ["a", "b"]))
    >>> tree.n_leaves, names.classes
    (2, ['a', 'b'])
    """
    kinds = (Tree, MultiwayTree) if multiway else Tree
    tree = model if isinstance(model, kinds) else getattr(model, "tree_", None)
    if not isinstance(tree, kinds):
        raise TypeError(f"model must be a Tree or a fitted treelab tree, got {model!r}.")
    given = {"feature_names_in_": feature_names, "classes_": class_names, "categories_": categories}
    features, classes, categories = (
        getattr(model, name, None) if value is None else value for name, value in given.items()
    )
    n_classes = 0
    if tree.is_classifier:
        n_classes = (tree.value[0, 0] if isinstance(tree, Tree) else tree.sums[0]).size
    classes = class_words(classes, n_classes) if n_classes else []
    return tree, SimpleNamespace(features=features, classes=classes, categories=categories or {})


def class_words(class_names, n_classes):
    """Names of the classes as a picture writes them; numbers say that they are classes.

    >>> class_words(None, 2), class_words(["ash", 5], 2)
    (['class 0', 'class 1'], ['ash', 'class 5'])
    """
    if class_names is None:
        class_names = range(n_classes)
    if len(class_names) != n_classes:
        raise ValueError(f"the tree has {n_classes} classes, got {len(class_names)} class_names.")
    return [str(n) if isinstance(n, str) else f"class {n}" for n in class_names]


def sketch_of(model, feature_names=None, class_names=None, categories=None, digits=4):
    """The `Sketch` of a tree or of a fitted estimator that holds one.

    Parameters
    ----------
    model, feature_names, class_names, categories
        As in `names_of`.
    digits : int, default=4
        Significant digits of thresholds, weights and values.

    Examples
    --------
    >>> from treelab import ID3Classifier
    >>> model = ID3Classifier().fit([["a"], ["b"], ["c"]], ["no", "no", "yes"])
    >>> sketch = sketch_of(model, ["letter"])
    >>> sketch.questions[0], sketch.labels[1:], sketch.answers[1:]
    ('letter', ['a', 'b', 'c'], ['no', 'no', 'yes'])
    """

    tree, names = names_of(model, feature_names, class_names, categories, multiway=True)
    if tree.is_classifier:
        answers = [names.classes[k] for k in tree.prediction]
    else:
        answers = [f"{value:.{digits}g}" for value in tree.prediction]
    word = "mostly" if tree.is_classifier else "value"
    said = [{"node": f"node {t}", "value": f"{word} {answer}"} for t, answer in enumerate(answers)]
    read = _binary if isinstance(tree, Tree) else _multiway
    own = read(tree, names, digits)
    facts = [a | b for a, b in zip(said, own.pop("facts"), strict=True)]
    leaf_facts = [a | b for a, b in zip(said, own.pop("leaf_facts"), strict=True)]
    for fact in leaf_facts:
        del fact["value"]  # a leaf's head is its value already
    values = None if tree.is_classifier else tree.prediction
    return Sketch(
        answers=answers, facts=facts, leaf_facts=leaf_facts, values=values,
        classes=names.classes, multiway=read is _multiway, **own,
    )  # fmt: skip


def _binary(tree, names, digits):
    """What is a `Tree`'s own of its sketch."""
    pairs = np.column_stack([tree.children_left, tree.children_right]).tolist()
    children = [() if leaf else tuple(pair) for pair, leaf in zip(pairs, tree.is_leaf, strict=True)]
    labels, questions = [""] * len(pairs), [""] * len(pairs)
    for t in np.flatnonzero(~tree.is_leaf):
        labels[tree.children_left[t]], labels[tree.children_right[t]] = "yes", "no"
        question = tree.test(t, names.features, names.categories, digits=digits)
        questions[t] = question.replace(" <= ", f" ≤{TIGHT}")
    facts = [
        {
            "n": f"n = {tree.n_node_samples[t]}",
            "weight": f"weight = {tree.weighted_n_node_samples[t]:.{digits}g}",
            "impurity": f"{tree.criterion.replace('_', ' ')} = {tree.impurity[t]:.3g}",
        }
        for t in range(tree.node_count)
    ]
    return {
        "children": children, "labels": labels, "questions": questions,
        "facts": facts, "leaf_facts": facts, "empty": np.zeros(len(pairs), dtype=bool),
        "shares": tree.value[:, 0] if tree.is_classifier else None,
    }  # fmt: skip


def _multiway(tree, names, digits):
    """What is a `MultiwayTree`'s own of its sketch.

    It knows weights and no numbers of rows: "n" and "weight" both say the weight, and in a
    leaf, after a stroke, how much of it is wrong, as `export_text` does.
    """
    labels, questions = [""] * tree.n_nodes, [""] * tree.n_nodes
    for t in np.flatnonzero(~tree.is_leaf):
        test = tree.nodes[t].test
        j = test.feature
        questions[t] = f"x[{j}]" if names.features is None else str(names.features[j])
        for b, child in enumerate(tree.children[t]):
            words = test.words(b, "", names.categories.get(j), digits)
            if isinstance(test, CutTest):
                labels[child] = words.strip().replace("<=", "≤").replace(" ", TIGHT)
            else:
                labels[child] = words.removeprefix(" = ")
    sums, shares = tree.answer_sums, None
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
        "children": tree.children, "labels": labels, "questions": questions,
        "facts": facts, "leaf_facts": leaf_facts, "empty": empty, "shares": shares,
    }  # fmt: skip
