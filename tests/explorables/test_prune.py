"""The links that fall: each number against the tree pruned with the alpha that the slider shows."""

import functools
import re

import numpy as np
import pytest
from readers import number
from sklearn.model_selection import KFold

from treelab import DecisionTreeRegressor
from treelab.datasets import make_steps
from treelab.fast.pruning import prune

PAGE, KIND = "notebooks/04_pruning.html", "prune"
LETTERS = {0: "A", 1: "B", 2: "C", 5: "D", 8: "E", 9: "F", 12: "G"}


@pytest.fixture(scope="module")
def staircase():
    """The rows, the tree of eight leaves and those of the ten folds, with their test rows."""
    X, y = make_steps(60, noise=0.6, random_state=16)
    grow = DecisionTreeRegressor(max_depth=3)
    folds = KFold(10, shuffle=True, random_state=0).split(X)
    trained = [(DecisionTreeRegressor(max_depth=3).fit(X[a], y[a]), b) for a, b in folds]
    return X, y, grow.fit(X, y), trained


def risk(tree, t):
    """What node t costs as a leaf: its squared errors, shared among all rows."""
    return tree.impurity[t] * tree.n_node_samples[t] / tree.n_node_samples[0]


def below(tree, t):
    """Node t and all nodes under it."""
    if tree.is_leaf[t]:
        return [t]
    return [t, *below(tree, tree.children_left[t]), *below(tree, tree.children_right[t])]


def standing(tree, alpha):
    """Each link that stands at `alpha`, with what it saves, leaves more and their quotient: from
    all pruned subtrees, of which the cheapest (the smallest of equals) is kept."""

    def best(t):  # cost, leaves and inner nodes of the cheapest subtree under t
        leaf = (risk(tree, t) + alpha, 1, [])
        if tree.is_leaf[t]:
            return leaf
        a, b = best(tree.children_left[t]), best(tree.children_right[t])
        whole = (a[0] + b[0], a[1] + b[1], [t, *a[2], *b[2]])
        return leaf if leaf[0] <= whole[0] else whole

    inner, found = best(0)[2], {}
    for t in inner:
        under = [s for s in below(tree, t) if s in inner]
        ends = {c for s in under for c in (tree.children_left[s], tree.children_right[s])}
        saved = risk(tree, t) - sum(risk(tree, c) for c in ends - set(under))
        found[LETTERS[t]] = (saved, len(under), saved / len(under))
    return found


def cross_validated(staircase, low, high):
    """The error on the rows left out, pruned with the geometric mean of two steps."""
    X, y, _, trained = staircase
    beta = np.sqrt(low * high)
    misses = [prune(tree, beta).predict(X[b]) - y[b] for tree, b in trained]
    return np.mean(np.concatenate(misses) ** 2)


def check_boxes(record, links):
    """The boxes of the links that stand say saving, leaves, g; the line below has their letters."""
    tree, line, _ = record["pictures"]
    boxes = {text[0]: tree[i : i + 3] for i, text in enumerate(tree) if text[:1].isupper()}
    assert set(boxes) == set(links)
    told = record["state"]["guess"] is not None
    for letter, (saved, more, g) in links.items():
        _, quotient, result = boxes[letter]
        over, under = quotient.split("/")
        assert float(over) == pytest.approx(saved, rel=6e-4)
        assert int(under) == more
        if told:  # the reader's own division gives what is shown
            assert number(result) == pytest.approx(float(over) / int(under), rel=2e-3)
        assert result == "= ?" if not told else number(result) == pytest.approx(g, rel=6e-3)
    assert sorted(line[1:]) == (sorted(links) if told else [])


def check_verdict(record, links):
    """The guess at rest is judged by what each box saves for each leaf there."""
    guess, verdict = record["state"]["guess"], record["verdict"]
    if guess is None or guess < 0:
        assert verdict == ""
        return
    own, least = sorted(links)[guess], min(links, key=lambda letter: links[letter][2])
    assert verdict.startswith("Yes" if own == least else f"No, {least}")
    shown = [float(n) for n in re.findall(r"\d+\.?\d*", verdict)]
    of = dict.fromkeys([least, own])
    assert shown == pytest.approx([n for letter in of for n in links[letter]], rel=6e-3)


def test_every_number_is_that_of_the_pruned_tree(explored, staircase):
    X, y, eight, _ = staircase
    steps = [0, 0.0095954, 0.0210777, 0.0356983, 0.164815, 0.3218, 0.875, np.inf]
    stands = functools.cache(lambda alpha: standing(eight.tree_, alpha))
    held_out = functools.cache(lambda i: cross_validated(staircase, steps[i], steps[i + 1]))
    assert len({str(r["state"]) for r in explored["records"]}) > 40
    for record in explored["records"]:
        values, said = record["values"], record["sentence"]
        k, words = record["sliders"]["k"]
        alpha = float(words)
        pruned = prune(eight, alpha)
        leaves = pruned.get_n_leaves()
        training = np.mean((pruned.predict(X) - y) ** 2)
        assert number(values["leaves"]) == leaves
        assert f"At α = {words} the tree keeps {leaves} of 8 leaves" in said
        assert number(values["training"]) == pytest.approx(training, abs=6e-4)
        assert number(values["cost"]) == pytest.approx(training + alpha * leaves, abs=6e-4)
        error = held_out(int(np.searchsorted(steps, alpha, side="right")) - 1)
        assert number(values["cv"]) == pytest.approx(error, abs=6e-4)
        links = stands(alpha)
        check_boxes(record, links)
        check_verdict(record, stands(0.0251))
        if record["state"]["guess"] is None:
            assert "weakest" not in said
            continue
        if not links:
            assert "no link is left" in said
            continue
        weakest = min(links, key=lambda letter: links[letter][2])
        g = links[weakest][2]
        gone = sorted(set(links) - set(stands(g * 1.0001)) - {weakest})
        assert f"until at {float(f'{g:.3g}'):g} the weakest link, {weakest}, becomes a leaf" in said
        assert (f"takes {' and '.join(gone)} along" in said) == bool(gone)
