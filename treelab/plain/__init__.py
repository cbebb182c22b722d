"""The methods of the book as one reads them: each in the plainest Python that does it.

The standard library alone, so that it runs wherever Python runs: rows are lists, trees are
dicts. It is slow, and meant to be: every cut of every node is looked at, every impurity is
computed from the cases themselves. The classes of treelab do the same fast, and tests hold
both to the same trees and the same numbers. The letters are those of the page on notation,
and each file opens with the words that it uses; its functions take them under these names,
those of `cart` in every file. A seed is that of the draws; limits are what else `cart.grow` takes.

In the order of the chapters: `impurity` (2), `cart` (3), `pruning` (4), `id3` and `c45` (5),
`bootstrap` (7), `bagging` (8, 9), `adaboost` (10), `losses` and `gradient_boosting` (11),
`importance` (12), `stepwise` (13), `selection` (13, 14), `elimination` and `shadows` (14),
`regularized` (15), `local` (16), `decisions` (17). Some methods, such
as best subsets and Shapley values, are in treelab only. What is drawn is handed over, so that both
can be given the same draws:

>>> from treelab.plain.bagging import draw_features, predict_value, random_forest
>>> from treelab.plain.bootstrap import draw_samples
>>> X, y = [[1, 5], [2, 3], [3, 4], [4, 1]], ["a", "a", "b", "b"]
>>> samples = draw_samples(len(y), 5, seed=0)
>>> trees = random_forest(X, y, samples, [draw_features(2, seed=b) for b in range(5)], 1)
>>> predict_value(trees, [1, 5])
{'a': 0.8, 'b': 0.2}
"""
