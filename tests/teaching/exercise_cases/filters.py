"""Right and wrong answers to the exercises of the chapter "Filters and searches"."""

from math import sqrt

# --- filters-2 -------------------------------------------------------------------------


def forward_sums(relevance, pairs):
    chosen, total, under, best = [], 0.0, 0.0, 0.0
    left = list(range(len(relevance)))
    while left:
        merits = [
            (total + relevance[j]) / sqrt(under + 1 + 2 * sum(pairs[j][i] for i in chosen))
            for j in left
        ]
        if max(merits) <= best + 1e-12:
            break
        best = max(merits)
        j = left.pop(merits.index(best))
        total, under = total + relevance[j], under + 1 + 2 * sum(pairs[j][i] for i in chosen)
        chosen.append(j)
    return chosen


def _merit(some, relevance, pairs):
    k = len(some)
    mean = sum(relevance[j] for j in some) / k
    between = [pairs[i][j] for i in some for j in some if i < j]
    redundancy = sum(between) / len(between) if between else 0.0
    return k * mean / sqrt(k + k * (k - 1) * redundancy)


def forward_means(relevance, pairs):
    chosen = ()
    worth = 0.0
    while True:
        sets = [(*chosen, j) for j in range(len(relevance)) if j not in chosen]
        sets.sort(key=lambda some: -round(_merit(some, relevance, pairs), 10))
        if not sets or _merit(sets[0], relevance, pairs) < worth + 1e-9:
            return list(chosen)
        chosen, worth = sets[0], _merit(sets[0], relevance, pairs)


def _forward(relevance, pairs, merit, stop=True):
    chosen, best = [], 0.0
    while len(chosen) < len(relevance):
        left = [j for j in range(len(relevance)) if j not in chosen]
        j = max(left, key=lambda j: merit([*chosen, j]))
        if stop and merit([*chosen, j]) <= best + 1e-12:
            break
        best = merit([*chosen, j])
        chosen.append(j)
    return chosen


def forward_never_stops(relevance, pairs):
    return _forward(relevance, pairs, lambda some: _merit(some, relevance, pairs), stop=False)


def forward_by_relevance(relevance, pairs):
    chosen = []
    for j in sorted(range(len(relevance)), key=lambda j: -relevance[j]):
        if chosen and _merit([*chosen, j], relevance, pairs) <= _merit(chosen, relevance, pairs):
            break
        if relevance[j] > 0:
            chosen.append(j)
    return chosen


def forward_one_way(relevance, pairs):
    def merit(some):
        under = len(some) + sum(pairs[i][j] for i in some for j in some if i < j)
        return sum(relevance[j] for j in some) / sqrt(under)

    return _forward(relevance, pairs, merit)


def forward_diagonal(relevance, pairs):
    def merit(some):
        under = len(some) + sum(pairs[i][j] for i in some for j in some)
        return sum(relevance[j] for j in some) / sqrt(under)

    return _forward(relevance, pairs, merit)


def forward_in_columns(relevance, pairs):
    return sorted(forward_sums(relevance, pairs))


def forward_first_anyway(relevance, pairs):
    return forward_sums(relevance, pairs) or [0]


# --- filters-4 -------------------------------------------------------------------------


def honest_loops(choose, fit, X, y, folds):
    right = 0
    for fold in folds:
        train = [i for i in range(len(X)) if i not in fold]
        columns = choose([X[i] for i in train], [y[i] for i in train])
        predict = fit([[X[i][j] for j in columns] for i in train], [y[i] for i in train])
        for i in fold:
            right += predict([X[i][j] for j in columns]) == y[i]
    return right / len(X)


def honest_masks(choose, fit, X, y, folds):
    hits = []
    for fold in map(set, folds):
        rest = [(x, label) for i, (x, label) in enumerate(zip(X, y)) if i not in fold]
        rows, labels = [x for x, _ in rest], [label for _, label in rest]
        kept = sorted(choose(rows, labels))
        predict = fit([tuple(x[j] for j in kept) for x in rows], labels)
        hits += [predict(tuple(X[i][j] for j in kept)) == y[i] for i in sorted(fold)]
    return sum(hits) / len(hits)


def honest_chosen_before(choose, fit, X, y, folds):
    columns = choose(X, y)
    return honest_loops(lambda A, b: columns, fit, X, y, folds)


def honest_chosen_each_time_on_all(choose, fit, X, y, folds):
    return honest_loops(lambda A, b: choose(X, y), fit, X, y, folds)


def honest_fits_all(choose, fit, X, y, folds):
    right = 0
    for fold in folds:
        train = [i for i in range(len(X)) if i not in fold]
        columns = choose([X[i] for i in train], [y[i] for i in train])
        predict = fit([[row[j] for j in columns] for row in X], y)
        right += sum(predict([X[i][j] for j in columns]) == y[i] for i in fold)
    return right / len(X)


def honest_all_columns(choose, fit, X, y, folds):
    def keep(A, b):
        choose(A, b)
        return range(len(A[0]))

    return honest_loops(keep, fit, X, y, folds)


def honest_mean_of_folds(choose, fit, X, y, folds):
    shares = []
    for fold in folds:
        train = [i for i in range(len(X)) if i not in fold]
        columns = choose([X[i] for i in train], [y[i] for i in train])
        predict = fit([[X[i][j] for j in columns] for i in train], [y[i] for i in train])
        shares.append(sum(predict([X[i][j] for j in columns]) == y[i] for i in fold) / len(fold))
    return sum(shares) / len(shares)


def honest_turned_round(choose, fit, X, y, folds):
    def on_fold(A, b):
        held = [i for i, row in enumerate(X) if row not in A]
        return choose([X[i] for i in held], [y[i] for i in held])

    return honest_loops(on_fold, fit, X, y, folds)


def honest_errors(choose, fit, X, y, folds):
    return 1 - honest_loops(choose, fit, X, y, folds)


CORRECT = {
    "filters-2": [forward_sums, forward_means],
    "filters-4": [honest_loops, honest_masks],
}

WRONG = {
    "filters-2": [
        (forward_never_stops, "does not raise it"),
        (forward_by_relevance, "not the most relevant"),
        (forward_one_way, "each pair twice"),
        (forward_diagonal, "in the number of features already"),
        (forward_in_columns, "the order in which they came"),
        (forward_first_anyway, "the list is empty"),
    ],
    "filters-4": [
        (honest_chosen_before, "`choose` has seen all rows"),
        (honest_chosen_each_time_on_all, "`choose` has seen all rows"),
        (honest_fits_all, "all but the held-out ones"),
        (honest_all_columns, "the chosen columns only"),
        (honest_mean_of_folds, "mean over the folds"),
        (honest_turned_round, "you choose on the held-out rows"),
        (honest_errors, "the share of errors"),
    ],
}
