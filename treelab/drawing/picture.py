"""What a picture needs to know of a tree, whichever kind of tree it is.

A `Tree` asks questions with the answers yes and no; a `MultiwayTree` writes the feature in
the node and the answer on each branch. `sketch_of` turns both into one `Sketch`, so that all
trees of the book are laid out and inked by the same lines.

Vocabulary
----------
t : a node, its number
label : what stands on the branch that leads to a node: yes, no, sunny, <= 75
head : the first line of a box, its question or its answer
facts : the lines below it, those that `show` asks for
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treelab.c45.splits import SLACK, CutTest
from treelab.c45.tree import MultiwayTree
from treelab.drawing.regions import class_words, names_of
from treelab.impurity import entropy

__all__ = ["Sketch", "sketch_of"]


@dataclass(frozen=True)
class Sketch:
    """A tree as a picture shows it.

    Parameters
    ----------
    children : list of tuple of int
        Of each node, none for a leaf; nodes in preorder.
    labels : list of str
        Of the branch that leads to each node, "" for the root.
    questions, answers : list of str
        The head of each node as a split and as a leaf; a leaf has the question "".
    facts : list of dict
        Of each node, what it can say as a split, by the keys of `show`.
    leaf_facts : list of dict
        The same as a leaf.
    shares : ndarray of shape (n_nodes, n_classes) or None
        Class shares; None in a tree for numbers.
    values : ndarray of shape (n_nodes,) or None
        Predicted numbers; None in a tree for classes.
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

    @property
    def n_nodes(self):
        """Number of nodes, leaves included."""
        return len(self.children)

    @cached_property
    def is_leaf(self):
        """True for the leaves; shape (n_nodes,)."""
        return np.array([not kids for kids in self.children])

    @cached_property
    def parent(self):
        """Parent of each node, -1 for the root; shape (n_nodes,)."""
        parent = np.full(self.n_nodes, -1)
        for t, kids in enumerate(self.children):
            parent[list(kids)] = t
        return parent

    @cached_property
    def depth(self):
        """Number of questions between the root and each node; shape (n_nodes,)."""
        depth = np.zeros(self.n_nodes, dtype=int)
        for t in range(1, self.n_nodes):  # preorder: parents before children
            depth[t] = depth[self.parent[t]] + 1
        return depth

    @cached_property
    def n_leaves(self):
        """Number of leaves under each node; shape (n_nodes,)."""
        n_leaves = self.is_leaf.astype(int)
        for t in range(self.n_nodes - 1, 0, -1):  # children before parents
            n_leaves[self.parent[t]] += n_leaves[t]
        return n_leaves


def sketch_of(model, feature_names=None, class_names=None, categories=None, digits=4):
    """The `Sketch` of a tree or of a fitted estimator that holds one.

    Parameters
    ----------
    model : Tree, MultiwayTree or fitted estimator with a `tree_`
    feature_names, class_names, categories : default=None
        Given names go before those of the estimator.
    digits : int, default=4
        Significant digits of thresholds, weights and values.

    Returns
    -------
    Sketch

    Raises
    ------
    TypeError
        If `model` holds no tree.

    Examples
    --------
    >>> from treelab import ID3Classifier
    >>> model = ID3Classifier().fit([["a"], ["b"], ["c"]], ["no", "no", "yes"])
    >>> sketch = sketch_of(model, ["letter"])
    >>> sketch.questions[0], sketch.labels[1:], sketch.answers[1:]
    ('letter', ['a', 'b', 'c'], ['no', 'no', 'yes'])
    """
    tree = model if isinstance(model, MultiwayTree) else getattr(model, "tree_", None)
    if isinstance(tree, MultiwayTree):
        if feature_names is None:
            feature_names = getattr(model, "feature_names_in_", None)
        if class_names is None:
            class_names = getattr(model, "classes_", None)
        if categories is None:
            categories = getattr(model, "categories_", None)
        return _multiway(tree, feature_names, class_names, categories or {}, digits)
    tree, names = names_of(model, feature_names, class_names, categories)
    return _binary(tree, names, digits)


def _binary(tree, names, digits):
    """The sketch of a `Tree`."""
    nodes = range(tree.node_count)
    inner = ~tree.is_leaf
    pairs = zip(tree.children_left, tree.children_right, inner, strict=True)
    children = [(int(a), int(b)) if split else () for a, b, split in pairs]
    labels, questions = [""] * tree.node_count, [""] * tree.node_count
    for t in np.flatnonzero(inner):
        labels[tree.children_left[t]], labels[tree.children_right[t]] = "yes", "no"
        question = tree.test(t, names.features, names.categories, digits=digits)
        questions[t] = question.replace(" <= ", " ≤\N{NO-BREAK SPACE}")
    values = tree.value[:, 0, :]
    answers = [_answer(values[t], tree.is_classifier, names.classes, digits) for t in nodes]
    facts = [
        {
            "node": f"node {t}",
            "value": _mostly(answers[t], tree.is_classifier),
            "n": f"n = {tree.n_node_samples[t]}",
            "weight": f"weight = {tree.weighted_n_node_samples[t]:.{digits}g}",
            "impurity": f"{tree.criterion.replace('_', ' ')} = {tree.impurity[t]:.3g}",
        }
        for t in nodes
    ]
    return Sketch(
        children, labels, questions, answers, facts, [_without_value(f) for f in facts],
        shares=values if tree.is_classifier else None,
        values=None if tree.is_classifier else values[:, 0],
        empty=np.zeros(tree.node_count, dtype=bool), classes=names.classes, multiway=False,
    )  # fmt: skip


def _multiway(tree, feature_names, class_names, categories, digits):
    """The sketch of a `MultiwayTree`.

    It knows weights and no numbers of rows: "n" and "weight" both say the weight, and in a
    leaf, after a stroke, how much of it is wrong, as `export_text` does.
    """
    nodes = range(tree.n_nodes)
    children = [() if tree.is_leaf[t] else tree.nodes[t].children for t in nodes]
    labels, questions = [""] * tree.n_nodes, [""] * tree.n_nodes
    for t in np.flatnonzero(~tree.is_leaf):
        test = tree.nodes[t].test
        j = test.feature
        questions[t] = f"x[{j}]" if feature_names is None else str(feature_names[j])
        for b, child in enumerate(children[t]):
            words = test.words(b, "", categories.get(j), digits)
            if isinstance(test, CutTest):
                labels[child] = words.strip().replace("<=", "≤").replace(" ", "\N{NO-BREAK SPACE}")
            else:
                labels[child] = words.removeprefix(" = ")
    sums, own = tree.answer_sums, tree.sums
    if tree.numeric:
        classes, shares, values = [], None, sums[:, 1] / sums[:, 0]
        spread = own[:, 2] / np.maximum(own[:, 0], 1) - (own[:, 1] / np.maximum(own[:, 0], 1)) ** 2
        impurity = [f"variance = {max(v, 0.0):.3g}" for v in spread]
    else:
        classes = class_words(class_names, own.shape[1])
        shares, values = sums / sums.sum(axis=1, keepdims=True), None
        impurity = [f"entropy = {float(entropy(s)):.3g}" for s in sums]
    if tree.numeric:
        answers = [_answer(values[t : t + 1], False, classes, digits) for t in nodes]
    else:
        answers = [classes[k] for k in tree.answer_class]
    empty = tree.weight <= SLACK
    facts, leaf_facts = [], []
    for t in nodes:
        weight = f"weight = {tree.weight[t]:.{digits}g}"
        both = {"n": weight, "weight": weight}
        fact = {"node": f"node {t}", "value": _mostly(answers[t], not tree.numeric), **both}
        facts.append({**fact, "impurity": impurity[t]})
        counts = "no rows: as its parent" if empty[t] else tree.counts(t, digits)
        leaf = {"node": fact["node"], "n": counts, "weight": counts, "impurity": impurity[t]}
        if empty[t]:
            del leaf["impurity"]
        leaf_facts.append(leaf)
    return Sketch(
        children, labels, questions, answers, facts, leaf_facts, shares, values, empty, classes,
        multiway=True,
    )  # fmt: skip


def _answer(value, is_classifier, classes, digits):
    """What a node predicts, in words."""
    return classes[int(value.argmax())] if is_classifier else f"{value[0]:.{digits}g}"


def _mostly(answer, is_classifier):
    """The prediction of a node that goes on asking."""
    return f"{'mostly ' if is_classifier else 'value '}{answer}"


def _without_value(facts):
    """A leaf's head is its value already."""
    return {key: fact for key, fact in facts.items() if key != "value"}
