"""Checkers of the assignment "Who may come in"."""

from functools import cache

import numpy as np
import pandas as pd
from scipy import stats

from treelab import RandomForestClassifier
from treelab.checkers import checker, expect, judged

# --- by hand: the numbers of a student, and what is in form ------------------------------

BOOKS = """
93138313 93027313 73238412 92217423 91216214 82207313 61318412 91208422 93107313 91116422
82326323 81107423 91415324 93237213 81206312 92128313 91305312 91615214 81515212 82106312
81216312 72116212 61215324 83136213 71115322 92118412 91406312 81417422 82015213 81115312
81316324 72128412 61108313 83337312 82226324 71315312 92228412 61117423 73126214 83226214
92427325 91518323 93117312 82116323 91108322 62015214 73028312 92016324
""".split()  # numbers of rows for `books_of`; with each the root asks about the novel
NODES = """
403 859 2700 3426 4333 4588 5597 5941 6413 7038 7199 7222 7237 7404
7800 7851 8206 10469 11073 11419 11615 12193 12498 12637 12715 13034 13428 14324
15252 16309 16399 16556 17079 17388 18222 18278 18279 18427 19498
""".split()  # seeds for `nodes_of`: every rule of the forest decides something


@cache
def given(number):
    """What part A shows; for number 0 that of the key.

    Parameters
    ----------
    number : int
        That of the student or the group, at least 0.

    Returns
    -------
    dict
        The tables and numbers of hw9-1 to hw9-4, by name.
    """
    if number == 0:
        return EXAMPLE
    rng = np.random.default_rng([9, number])
    books, penalty = books_of(rng, rng.choice(BOOKS))
    gains, orders = nodes_of(rng, rng.choice(NODES))
    importances, guided, base = guide_of(np.random.default_rng([9, number, 2 * (number in ANEW)]))
    folds = int(rng.choice([5, 10]))
    return {
        "books": books,
        "penalty": penalty,
        "nodes": gains,
        "orders": orders,
        "importance": dict(zip("abcde", importances.tolist())),
        "gain": dict(zip("abcde", guided.tolist())),
        "base": base,
        "methods": int(rng.integers(3, 9)),
        "sets": int(rng.integers(6, 17)),
        "mean": int(rng.integers(10, 26)) / 1000,
        "sd": int(rng.integers(25, 46)) / 1000,
        "folds": folds,
        "limit": LIMITS[folds],
    }


LIMITS = {5: 2.010, 10: 1.984}  # of Student's t at 0.05, with 49 and 99 degrees of freedom
MIXED = np.array([[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3], [3, 4, 1, 2, 0]])
# Numbers whose guide is drawn once more: in the first one two mistakes would look the same.
ANEW = {22, 48, 154, 201, 270, 324, 358, 360, 472, 630, 924}
EXAMPLE = {
    "books": pd.DataFrame(
        {
            "novel": [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1],
            "thick": [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1],
            "reserved": [0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1],
            "late": [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1],
        }
    ),
    "penalty": 0.4,
    "nodes": [
        [0.12, 0.20, 0.40, 0.00, 0.60],
        [0.24, 0.16, 0.00, 0.60, 0.10],
        [0.30, 0.16, 0.20, 0.00, 0.40],
        [0.80, 0.00, 0.16, 0.80, 0.50],
        [0.48, 0.12, 0.32, 0.60, 0.60],
        [0.00, 0.48, 0.16, 0.00, 0.12],
        [0.40, 0.00, 0.30, 0.40, 0.80],
    ],
    "orders": ["cdabe", "debca", "bdaec", "cdbea", "cbdea", "dcabe", "bcdae"],
    "importance": {"a": 0.40, "b": 0.25, "c": 0.20, "d": 0.10, "e": 0.05},
    "gain": {"a": 0.24, "b": 0.30, "c": 0.50, "d": 0.45, "e": 0.60},
    "base": 0.8,
    "methods": 5,
    "sets": 12,
    "mean": 0.015,
    "sd": 0.030,
    "folds": 10,
    "limit": 1.984,
}


def books_of(rng, counts):
    """Books in a new order, and a penalty.

    The digits of `counts`: other books, how many of them are thick, how many of those in time and
    of those late are reserved; novels, how many of them are thick, how many late; ten penalties.
    """
    n, thick, late_reserved, reserved, novels, thick_novels, late, penalty = map(int, counts)
    sides = []
    for novel, size, t, at_end, first in ((0, n, thick, reserved, late_reserved),
                                          (1, novels, thick_novels, late, 0)):  # fmt: skip
        side = np.zeros((size, 4), dtype=int)
        side[:, 0] = novel
        side[size - t :, 1] = 1
        side[size - at_end :, 2] = 1
        side[size - t - first : size - t, 2] = 1
        side[:, 3] = side[:, 2] if novel else 1 - side[:, 1]
        sides.append(rng.permutation(side))
    columns = ["novel", "thick", "reserved", "late"]
    return pd.DataFrame(np.vstack(sides), columns=columns), penalty / 10


@cache
def nodes_from(seed):
    """Gains of five columns in seven nodes, and orders of the columns by their numbers."""
    draw = np.random.default_rng([9, int(seed)])
    values = [0, 0.1, 0.12, 0.15, 0.16, 0.2, 0.24, 0.3, 0.32, 0.4, 0.48, 0.6, 0.8]
    return draw.choice(values, size=(7, 5)), [draw.permutation(5) for _ in range(7)]


def nodes_of(rng, seed):
    """Gains of five columns in seven nodes, and orders; the names of the columns are mixed."""
    gains, orders = nodes_from(seed)
    names = MIXED[rng.integers(len(MIXED))]  # the new number of each column
    mixed = np.empty_like(gains)
    mixed[:, names] = gains
    return mixed.tolist(), ["".join("abcde"[names[j]] for j in order) for order in orders]


def guide_of(rng):
    """Importances and gains of a, which is in, and of four new columns; and a base."""
    first, strong, weak = (int(rng.integers(*ends)) for ends in ((36, 45), (24, 29), (3, 6)))
    rest = 100 - first - strong - weak
    third = int(rng.integers(10, rest - 9))
    most = int(rng.integers(50, 71))
    second = round(most * rng.uniform(0.82, 0.9))
    low = [round(second * rng.uniform(0.4, 0.6)) for _ in range(2)]
    importances = np.array([first, strong, weak, third, rest - third]) / 100
    gains = np.array([round(second * rng.uniform(0.3, 0.48)), second, most, *low]) / 100
    order = np.array([0, *rng.permutation([1, 2, 3, 4])])
    bases = [b for b in (0.6, 0.7, 0.8, 0.9) if (abs(importances / first * 100 - b) > 0.02).all()]
    return importances[order], gains[order], float(rng.choice(bases))


def near(got, want, atol=0.0015):
    """Whether numbers agree to about three decimals."""
    return np.shape(got) == np.shape(want) and bool(np.all(abs(np.subtract(got, want)) <= atol))


def numbers_of(answer, n=5):
    """The answer as an array of n numbers."""
    got = np.asarray(answer, dtype=float)
    expect(got.shape == (n,), "give five numbers.")
    expect(np.isfinite(got).all(), "each of the five is a number; nan and inf are none.")
    return got


@checker("hw9-1")
def check_entered(answer):
    judged("hw9-1", numbers_of(answer))


@checker("hw9-2")
def check_asked(answer):
    got = tuple("".join(map(str, part)).strip().lower() for part in answer)
    expect([len(part) for part in got] == [7, 7], "give two strings of seven letters.")
    expect(set("".join(got)) <= set("abcde"), "the letters are those of the columns, a to e.")
    judged("hw9-2", got)


@checker("hw9-3")
def check_guided(answer):
    got = list(answer)
    expect(len(got) == 5, "give five things: two numbers, two columns, a number.")
    letters = [str(letter).strip().lower() for letter in got[2:4]]
    expect(set(letters) <= set("abcde"), "the third and the fourth are columns, a to e.")
    first, second, last = numbers_of([got[0], got[1], got[4]], 3)
    judged("hw9-3", (first, second, *letters, last))


@checker("hw9-4")
def check_tests(answer):
    judged("hw9-4", numbers_of(answer))


# --- the question of a node --------------------------------------------------------------


def bits(y):
    """Entropy of the classes of some rows."""
    share = np.unique(y, return_counts=True)[1] / len(y)
    return -np.sum(share * np.log2(share))


def offers_of(X, y, columns):
    """(gain, column, cut) of every question of some columns."""
    codes = np.unique(y, return_inverse=True)[1]
    each = np.eye(codes.max() + 1)[codes]
    for j in columns:
        values = np.unique(X[:, j])
        cuts = (values[1:] + values[:-1]) / 2
        left = (X[:, j] <= cuts[:, None]) @ each
        right = each.sum(axis=0) - left
        gains = bits(y) - (total_bits(left) + total_bits(right)) / len(y)
        yield from ((float(gain), j, float(cut)) for gain, cut in zip(gains, cuts))


def total_bits(counts):
    """Entropy of rows of counts, times the number of cases."""
    safe, n = np.maximum(counts, 1), counts.sum(axis=1, keepdims=True)
    return (counts * (np.log2(n) - np.log2(safe))).sum(axis=1)


def question_of_node(X, y, used, new, penalties, part=None, offers=offers_of):
    """The right answer, or one with other parts or offers."""
    best, most = (-1, 0, 0), 0.0
    part = part or (lambda j: 1 if j in used else penalties[j])
    for gain, j, cut in offers(X, y, [*used, *new]):
        if gain > 1e-9 and part(j) * gain > most + 1e-9:
            best, most = (j, cut, gain), part(j) * gain
    return best


def table_of(seed):
    """Arguments of best_question: few values and classes, so that there are ties."""
    rng = np.random.default_rng(seed)
    d, n = int(rng.integers(3, 7)), int(rng.integers(8, 40))
    X = rng.integers(0, 2 + 6 * (seed % 2), size=(n, d)) / 2
    X[:, -1] = X[:, 0]  # a copy
    y = rng.permutation((X[:, 0] + X[:, 1] > X[:, :2].mean() * 2) + rng.integers(0, 2, n))
    if seed % 3:
        y = (X[:, 0] > np.median(X[:, 0])).astype(int) + (rng.random(n) < 0.2)
    if seed % 5 == 0:  # two cuts of the first column gain the same
        X[:, 0] = np.arange(n) % 4
        y = np.isin(X[:, 0], (0, 3)).astype(int)
        X, y = X[: n // 4 * 4], y[: n // 4 * 4]
    order = rng.permutation(d).tolist()
    k = int(rng.integers(0, d))
    penalties = np.full(d, rng.choice([0.2, 0.5, 1.0])) if seed % 4 else rng.uniform(0.1, 1, d)
    return X, y, order[:k], order[k : k + 3], penalties


N_TABLES = 60


@cache
def right_questions():
    return [question_of_node(*table_of(seed)) for seed in range(N_TABLES)]


def same_question(got, want):
    return got[0] == want[0] and np.allclose(got[1:], want[1:], rtol=0, atol=1e-7)


def with_parts(part=None, offers=offers_of):
    """Answers to all tables with other parts, of (is in, penalty), or other offers."""
    answers = []
    for seed in range(N_TABLES):
        X, y, used, new, penalties = table_of(seed)

        def own(j, used=used, penalties=penalties):
            return part(j in used, penalties[j])

        answers.append(question_of_node(X, y, used, new, penalties, part and own, offers))
    return answers


def what_it_counts():
    """The right answers with the penalized gain in place of the gain."""
    answers = []
    for seed, (j, cut, gain) in enumerate(right_questions()):
        _, _, used, _, penalties = table_of(seed)
        part = 1 if j in used or j < 0 else penalties[j]
        answers.append((j, cut, part * gain))
    return answers


def per_side(X, y, columns):
    for _, j, cut in offers_of(X, y, columns):
        left = X[:, j] <= cut
        yield bits(y) - (bits(y[left]) + bits(y[~left])) / 2, j, cut


def on_values(X, y, columns):
    return ((gain, j, X[X[:, j] < cut, j].max()) for gain, j, cut in offers_of(X, y, columns))


def natural(X, y, columns):
    return ((gain * np.log(2), j, cut) for gain, j, cut in offers_of(X, y, columns))


def last_cut(X, y, columns):
    for j in columns:
        yield from list(offers_of(X, y, [j]))[::-1]


@cache
def question_slips():
    """Wrong answers to all tables, and their hints."""
    return [
        (with_parts(lambda is_in, p: p), "a column that is in counts its whole gain."),
        (with_parts(lambda is_in, p: 1), "a new column counts its penalty times its gain."),
        (
            with_parts(lambda is_in, p: p if is_in else 1),
            "it is the new columns that are penalized.",
        ),
        (what_it_counts(), "return the gain itself, not what it counts."),
        (with_parts(offers=natural), "the gain is in bits: take logarithms to base 2."),
        (with_parts(offers=per_side), "weigh the two sides by their numbers of rows."),
        (with_parts(offers=on_values), "a cut lies halfway between two values, not on one."),
        (
            with_parts(offers=lambda X, y, columns: offers_of(X, y, sorted(columns))),
            "of equals the columns in `used` come first, then those in `new`, each in their order, "
            "not by number.",
        ),
        (
            with_parts(offers=lambda X, y, columns: offers_of(X, y, columns[::-1])),
            "of equals the first column counts, not the last.",
        ),
        (
            with_parts(offers=last_cut),
            "of the cuts of a column that gain the same, the smallest.",
        ),
    ]


@checker("hw9-5", plain=True)
def check_question(best_question):
    found = []
    for seed in range(N_TABLES):
        case = table_of(seed)
        before = [np.copy(part) for part in case]
        got = best_question(*case)
        expect(
            all(np.array_equal(a, b) for a, b in zip(before, case)),
            "your function has changed its arguments; work on copies.",
        )
        expect(np.shape(got) == (3,), "return three things: the column, the cut, the gain.")
        found.append(tuple(map(float, got)))
    for answers, hint in question_slips():
        expect(not all(map(same_question, found, answers)), hint)
    wrong = [k for k, (got, right) in enumerate(zip(found, right_questions()))
             if not same_question(got, right)]  # fmt: skip
    only_leaves = wrong and all(right_questions()[k][0] < 0 for k in wrong)
    expect(not only_leaves, "if no question gains more than 1e-9, return (-1, 0, 0).")
    for k in wrong[:1]:
        X, y, used, new, penalties = table_of(k)
        expect(
            False,
            f"with {len(y)} rows, {used} in and {new} new, the answer is "
            f"{tuple(round(float(v), 4) for v in right_questions()[k])}, not "
            f"{tuple(round(v, 4) for v in found[k])}.",
        )
    X = np.array([[0, 0, 3], [0, 1, 3], [1, 0, 3], [1, 1, 3]])
    got = best_question(X, np.array([0, 1, 1, 0]), [0], [1, 2], np.ones(3))
    expect(
        tuple(map(float, got)) == (-1, 0, 0),
        "exactly one of two: no question gains anything, so return (-1, 0, 0).",
    )
    words = np.array(["late", "late", "in time"])
    got = best_question(np.array([[1.0], [2.0], [4.0]]), words, [], [0], np.array([0.5]))
    expect(same_question(got, (0, 3.0, bits(words))), "classes may be words.")


# --- the forest --------------------------------------------------------------------------


def forest_of(seed):
    """Arguments of forest_entries without the generator."""
    rng = np.random.default_rng(1000 + seed)
    d, n, k = int(rng.integers(5, 9)), int(rng.integers(14, 30)), int(rng.integers(1, 6))
    X = rng.normal(size=(n, d)).round(1)
    y = (X[:, 0] + X[:, 1] + 0.7 * rng.normal(size=n) > 0).astype(int)
    samples = [rng.integers(n, size=n) for _ in range(k)]
    return X, y, samples, np.full(d, rng.choice([0.3, 0.6, 1.0])), int(rng.integers(2, d))


def entries_of_forest(X, y, samples, penalties, m, rng, flaw=""):
    """The entries, with one flaw at most; list of triples."""
    used, entries, d = [], [], X.shape[1]

    def grow(rows, b, top):
        pure = len(set(y[rows].tolist())) == 1
        if pure and flaw != "draws":
            return []
        order = range(d) if flaw == "number" else (top if flaw == "tree" else rng.permutation(d))
        new = [int(j) for j in order if j not in used]
        new = new if flaw == "all" else new[:m]
        if flaw == "places":
            new = [int(j) for j in list(order)[:m] if j not in used]
        old = [j for j in used if j in list(order)[:m]] if flaw == "few" else used
        old = sorted(old) if flaw == "sorted" else old
        j, cut, _ = (-1, 0, 0) if pure else question_of_node(X[rows], y[rows], old, new, penalties)
        if j < 0:
            return []
        if j not in used:
            used.append(j)
            entries.append((j, b, len(rows)))
        left = X[rows, j] <= cut
        parts = [rows[left], rows[~left]]
        parts = parts[::-1] if flaw == "right" else parts
        if flaw == "depth":
            return parts
        for part in parts:
            grow(part, b, top)
        return []

    for b, rows in enumerate(samples):
        if flaw == "anew":
            used.clear()
        rows = np.unique(rows) if flaw == "unique" else np.asarray(rows)
        rows = np.arange(len(y)) if flaw == "no sample" else rows
        top = rng.permutation(d) if flaw == "tree" else None
        waiting = [rows]
        while waiting:
            waiting += grow(waiting.pop(0), b, top)
    return entries


FOREST_SLIPS = {
    "anew": "nothing is in before the *first* tree; those after it begin with what is in.",
    "right": "the left side is grown before the right one.",
    "depth": "a node's left side is finished before its right side begins: not depth by depth.",
    "unique": "a row that a sample has twice counts twice.",
    "no sample": "a tree is grown on the rows of its sample.",
    "draws": "a node of one class is a leaf, and draws nothing.",
    "number": "the new ones that are tried are the first m of a draw, `rng.permutation(d)`.",
    "tree": "each node draws anew, not each tree.",
    "all": "of the new columns only the first m of the draw are tried.",
    "places": "m *new* ones are tried: those that are in take no place.",
    "few": "what is in is tried in every node, wherever the draw has it.",
}


@cache
def forests(flaw=""):
    """The entries of the forests of the checker."""
    return [
        entries_of_forest(*forest_of(seed), np.random.default_rng(seed), flaw) for seed in range(30)
    ]


@checker("hw9-6", plain=True)
def check_forest(forest_entries):
    found = []
    for seed in range(30):
        case = forest_of(seed)
        before = [case[0].copy(), case[1].copy(), [rows.copy() for rows in case[2]]]
        got = forest_entries(*case, np.random.default_rng(seed))
        same = np.array_equal(case[0], before[0]) and np.array_equal(case[1], before[1])
        expect(
            same and all(np.array_equal(a, b) for a, b in zip(case[2], before[2])),
            "your function has changed its arguments; work on copies.",
        )
        expect(
            isinstance(got, (list, np.ndarray)) and all(np.shape(entry) == (3,) for entry in got),
            "return a list of triples: the column, its tree, the rows of its node.",
        )
        found.append([tuple(map(int, entry)) for entry in got])
    for flaw, hint in FOREST_SLIPS.items():
        expect(found != forests(flaw), hint)
    right = forests()
    expect(
        [sorted(entries) for entries in found] != [sorted(entries) for entries in right]
        or found == right,
        "the entries are right, their order is not: as they enter.",
    )
    named = [[entry[:2] for entry in entries] for entries in found]
    expect(
        named != [[entry[:2] for entry in entries] for entries in right] or found == right,
        "the third number is how many rows reach the node, with repetitions.",
    )
    for got, want in zip(found, right):
        expect(got == want, f"a forest has the entries {want}, not {got}.")


# --- the corrected test ------------------------------------------------------------------


def tested(differences, ratio):
    """The corrected t of each set, and the marks."""
    values = []
    for row in np.asarray(differences, dtype=float):
        known = row[~np.isnan(row)]
        k = len(known)
        if k < 2:
            values.append((np.nan, 0))
            continue
        mean, s = known.mean(), known.std(ddof=1)
        if s < 1e-12:
            t = np.sign(mean) * np.inf if abs(mean) > 1e-12 else 0.0
        else:
            t = mean / (s * np.sqrt(1 / k + ratio))
        values.append((t, int(np.sign(t)) * (abs(t) > stats.t.ppf(0.975, k - 1))))
    t, marks = zip(*values)
    return np.array(t), np.array(marks)


def some_sets(seed, n=40, k=10):
    rng = np.random.default_rng(seed)
    return 0.06 * rng.normal(size=(n, 1)) + 0.02 * rng.normal(size=(n, k))


def numbers_and_marks(found, n):
    expect(len(found) == 2, "return two arrays: t, and the marks.")
    t, found = (np.asarray(part, dtype=float) for part in found)
    expect(t.shape == found.shape == (n,), "one t and one mark for each set, in two arrays.")
    return t, found


@checker("hw9-7", plain=True)
def check_marks(marks):
    some = some_sets(0)
    before = some.copy()
    t, found = numbers_and_marks(marks(some, 0.5), 40)
    expect(np.array_equal(some, before), "your function has changed its arguments; work on copies.")
    mean, k = some.mean(axis=1), 10
    for wrong, hint in (
        (mean / (some.std(axis=1, ddof=1) / np.sqrt(k)), "the ratio is missing under the root."),
        (mean / (some.std(axis=1) * np.sqrt(1 / k + 0.5)), "divide the squares by k - 1: ddof=1."),
        (mean / some.std(axis=1, ddof=1), "multiply s by the root of 1/k + ratio."),
        (mean / (some.std(axis=1, ddof=1) * (1 / k + 0.5)), "take the root of 1/k + ratio."),
        (mean / (some.std(axis=1, ddof=1) * np.sqrt(1 / k + 1)), "use `ratio`; it need not be 1."),
        (mean / (some.std(axis=1, ddof=1) ** 2 * np.sqrt(1 / k + 0.5)), "s, not its square."),
        (-tested(some, 0.5)[0], "the sign is wrong: above 0 where the chosen columns do better."),
        (abs(tested(some, 0.5)[0]), "t keeps its sign: a loss is below 0."),
    ):
        expect(not np.allclose(t, wrong), hint)
    want = tested(some, 0.5)
    expect(np.allclose(t, want[0]), "t: the mean over s times the root of 1/k + ratio.")
    for limit, hint in (
        (stats.t.ppf(0.95, 9), "two-sided: 0.025 on each side, `stats.t.ppf(0.975, k - 1)`."),
        (1.959964, "that is the limit of the normal distribution; use Student's with k - 1."),
        (stats.t.ppf(0.975, 10), "k - 1 degrees of freedom, not k."),
    ):
        close = np.concatenate([want[0], [limit - 1e-3, limit + 1e-3, 2.2622 - 1e-3]])
        rows = np.outer(close, np.ones(10)) * np.sqrt(0.6) + np.tile([1, -1], 5) * np.sqrt(0.9)
        sets = numbers_and_marks(marks(rows, 0.5), len(close))[1]
        other = np.where(abs(close) > limit, np.sign(close), 0)
        expect(
            not np.array_equal(sets, other) or np.array_equal(other, tested(rows, 0.5)[1]),
            hint,
        )
    expect(not np.array_equal(found, abs(want[1])) or (want[1] >= 0).all(), "a loss is -1.")
    expect(np.array_equal(found, want[1]), "1 for a win, -1 for a loss, else 0.")
    for k in (3, 20):
        expect(
            np.array_equal(numbers_and_marks(marks(some_sets(k, 40, k), 1 / 9), 40)[1],
                           tested(some_sets(k, 40, k), 1 / 9)[1]),
            "the degrees of freedom follow the number of divisions.",
        )  # fmt: skip
    check_gaps(marks)


def check_gaps(marks):
    """Missing divisions, and sets without a spread."""
    rng = np.random.default_rng(1)
    some = some_sets(2, 30, 8)
    some[rng.random(some.shape) < 0.3] = np.nan
    want = tested(some, 1)
    t, found = numbers_and_marks(marks(some, 1), 30)
    expect(not np.isnan(t).any(), "nan is a missing division: leave it out of the mean and of s.")
    zeros = tested(np.nan_to_num(some), 1)[0]
    expect(not np.allclose(t, zeros), "a missing division is no difference of 0.")
    s, mean = np.nanstd(some, axis=1, ddof=1), np.nanmean(some, axis=1)
    expect(not np.allclose(t, mean / (s * np.sqrt(1 / 8 + 1))), "k counts the divisions there are.")
    expect(np.allclose(t, want[0]), "right without gaps, wrong with them.")
    expect(
        np.array_equal(found, want[1]), "with gaps: k - 1 degrees of freedom, of those there are."
    )
    gap = np.nan
    odd = np.array(
        [[gap, gap, gap], [gap, 0.2, gap], [0, 0, 0], [0.1, 0.1, 0.1], [-0.3, -0.3, gap]]
    )
    t, found = numbers_and_marks(marks(odd, 1), 5)
    expect(
        np.isnan(t[:2]).all() and not found[:2].any(),
        "fewer than two divisions: t is nan, the mark 0.",
    )
    expect(t[2] == 0 and found[2] == 0, "all differences 0: t is 0, a tie.")
    expect(
        t[3] == np.inf and t[4] == -np.inf,
        "no spread, but a difference: t is infinite, with the sign of the mean.",
    )
    expect(found[3:].tolist() == [1, -1], "an infinite t is a win or a loss.")


# --- somebody's code ---------------------------------------------------------------------

FOREST = RandomForestClassifier(50, random_state=0)


def halves(seed, n):
    """Two divisions of n rows, each to learn from and to judge."""
    order = np.random.default_rng(seed).permutation(n)
    return (order[: n // 2], order[n // 2 :]), (order[n // 2 :], order[: n // 2])


def error(X, y, mask, learn, judge):
    """Error on the rows that judge of a forest of some columns."""
    FOREST.fit(X[learn][:, mask], y[learn])
    return np.mean(FOREST.predict(X[judge][:, mask]) != y[judge])


def honest_is(choose, X, y, seeds, chooses="learn"):
    """Differences of accuracy, with columns that some rows have chosen; (n_seeds, 2)."""
    found, everything = [], np.ones(X.shape[1], dtype=bool)
    for seed in seeds:
        pairs = halves(seed, len(y))
        for learn, judge in pairs:
            rows = {"learn": learn, "judge": judge, "first": pairs[0][0]}
            rows = rows.get(chooses, np.arange(len(y)))
            mask = choose(X[rows], y[rows])
            found.append(error(X, y, everything, learn, judge) - error(X, y, mask, learn, judge))
    return np.reshape(found, (len(seeds), 2))


def strongest(X, y):
    """Mask of the three columns that tell two classes best; cheap, and changes with the rows."""
    told = abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)) / X.std(axis=0)
    return told >= np.sort(told)[-3]


def echo_table(seed, n=60, d=16):
    """Columns of which two tell a little, and classes."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), rng.permutation(np.arange(n) % 2)
    X[:, :2] += 0.5 * y[:, None]
    return X, y


@cache
def slips(seed):
    """Right differences on a table of `echo_table`, and wrong ones by their hint."""
    X, y = echo_table(seed)
    every = (strongest, X, y, (0, 1, 2))
    return honest_is(*every), {
        "this is what the colleague's function returns: all rows have chosen.": honest_is(
            *every, chooses="all"
        ),
        "the rows that judge have chosen.": honest_is(*every, chooses="judge"),
        "in the second division the first half judges, and it has chosen: choose anew in each of "
        "the two.": honest_is(*every, chooses="first"),
        "the sign is wrong: error with all columns less error with the chosen ones.": (
            -honest_is(*every)
        ),
    }


@checker("hw9-8")
def check_honest(honest):
    X, y = echo_table(1)
    before = X.copy(), y.copy()
    got = np.asarray(honest(strongest, X, y, (0, 1, 2)), dtype=float)
    expect(
        np.array_equal(X, before[0]) and np.array_equal(y, before[1]),
        "X or y has changed; leave them as they are.",
    )
    expect(got.shape == (3, 2), "return an array with a row for each seed and two differences.")
    want, wrong = slips(1)
    for hint, value in wrong.items():
        expect(not np.allclose(got, value), hint)
    expect(not np.allclose(got, want[:, ::-1]), "the first division comes first in its row.")
    expect(np.allclose(got, want), "choose on the rows that learn, in each of the two divisions.")


def told_by_both(seed, n=7):
    """Differences such as those of the colleague and of `honest`."""
    rng = np.random.default_rng(seed)
    return {who: mean + 0.03 * rng.normal(size=(n, 2)) + 0.02 * rng.normal(size=(n, 1))
            for who, mean in (("colleague", 0.02), ("honest", -0.03))}  # fmt: skip


NAMES = ["difference", "replicates", "corrected"]


def report_values(told):
    """The table of hw9-9."""
    table = []
    for differences in told.values():
        means = differences.mean(axis=1)
        paper = means.mean() / (means.std(ddof=1) / np.sqrt(len(means)))
        table.append([means.mean(), paper, tested(differences.reshape(1, -1), 1)[0][0]])
    return np.array(table)


@checker("hw9-9")
def check_compared(compared):
    told = told_by_both(0)
    before = {who: values.copy() for who, values in told.items()}
    report = compared(told)
    same = all(np.array_equal(told[who], before[who]) for who in before)
    expect(same, "your function has changed its arguments; work on copies.")
    for name in NAMES:
        expect(name in report.columns, f"there is no column `{name}`: name the columns as asked.")
    for name in told:
        expect(name in report.index, f"there is no row `{name}`: a row for each name in `told`.")
    report = report.loc[[*told], NAMES]
    expect(np.shape(report) == (2, 3), "each row and each column once.")
    got, want = report.to_numpy(float), report_values(told)
    told = np.array([*told.values()])
    n = told.shape[1]
    expect(not np.allclose(got, want[::-1]), "the rows are exchanged.")
    expect(not np.allclose(got[:, 1:], want[:, :0:-1]), "the two kinds of t are exchanged.")
    expect(not np.allclose(got[:, 0], -want[:, 0]), "the differences have their sign already.")
    one = told[:, 0].mean(axis=1)
    expect(not np.allclose(got[:, 0], one), "that is one seed; take all of them.")
    for k, name in enumerate(report.index):
        expect(np.isclose(got[k, 0], want[k, 0]), f"{name}: the mean of all its differences.")
    every = told.reshape(2, -1)
    expect(
        not np.allclose(got[:, 1], want[:, 0] / every.std(axis=1, ddof=1) * np.sqrt(2 * n)),
        "the paper's rule takes the means of the two halves of a seed: one number for each seed.",
    )
    expect(
        not np.allclose(got[:, 1], want[:, 1] * np.sqrt(n / (n - 1))),
        "the standard deviation of the means of n seeds divides by n - 1: ddof=1.",
    )
    expect(
        np.allclose(got[:, 1], want[:, 1]),
        "replicates: the means of the seeds, their s over the root of their number.",
    )
    of_means = told.mean(axis=2).std(axis=1, ddof=1) * np.sqrt(1 / n + 1)
    expect(
        not np.allclose(got[:, 2], want[:, 0] / of_means),
        "corrected: all differences as one set, two for each seed, not the means.",
    )
    expect(
        np.allclose(got[:, 2], want[:, 2]),
        "corrected: `marks` of one set with all differences, and the ratio of halves, 1.",
    )
    told = told_by_both(1, 4)
    expect(
        np.allclose(compared(told).loc[[*told], NAMES].to_numpy(float), report_values(told)),
        "there may be another number of seeds.",
    )
