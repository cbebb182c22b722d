"""Checkers of the chapter "Growing a tree: CART" that also run in the page."""

import sys
from collections import Counter
from random import Random
from time import process_time

from plain_checks import all_close, as_list, close, column, is_number

from treelab import cart
from treelab.checkers import checker, expect
from treelab.impurity import squared_error

MOST_SUMS = 40  # for each row: far more than one walk needs, far fewer than a pass for each split
MOST_WALKS = 40  # in time: one walk over an array takes about ten, a pass for each split hundreds


class Counted(float):
    """A number that counts what is done with it and with all that comes of it."""

    done = 0


def _counting(name):
    """The method of floats of this name, counted."""
    method = getattr(float, name)

    def call(*numbers):
        Counted.done += 1
        found = method(*map(float, numbers))
        return found if found is NotImplemented else Counted(found)

    return call


for _name in ("add", "sub", "mul", "truediv", "pow"):
    for _form in (f"__{_name}__", f"__r{_name}__"):
        setattr(Counted, _form, _counting(_form))


class TooSlow(BaseException):
    """The time was used up; not an Exception, so that no answer's `except` catches it."""


def walk(y):
    """The gains of all splits in one walk, without looking at them."""
    n, total, left = len(y), sum(y), 0.0
    for n_left, target in enumerate(y[:-1], 1):
        left += target
        n_left * (n - n_left) / n**2 * (left / n_left - (total - left) / (n - n_left)) ** 2


def seconds_of(function, y, limit=float("inf")):
    """The processor time of a call; TooSlow where a function is called after the limit."""
    begin, before = process_time(), sys.getprofile()

    def on_event(frame, event, argument):
        if process_time() - begin > limit:
            raise TooSlow

    if limit < float("inf"):
        sys.setprofile(on_event)
    try:
        function(y)
    finally:
        sys.setprofile(before)
    return process_time() - begin


def is_slow_on_arrays(gains, n=200_000):
    """Whether many rows take longer than some walks: arrays do sums that nobody counts."""
    random = Random(1)
    y = [random.random() for _ in range(n)]
    limit = max(2, MOST_WALKS * seconds_of(walk, y))
    try:
        return seconds_of(gains, y, limit) > limit
    except TooSlow:
        return True


def counted(number, noun):
    """1 split, 2 splits."""
    return f"{number} {noun}{'s' * (number != 1)}"


def gains_of(y):
    """The gains as the plain tree computes them, in the order of the splits."""
    cases = cart.cases_of([[i] for i in range(len(y))], y)
    return [gain for gain, _, _ in cart.scored_splits(cases, 0, squared_error)]


@checker("growing-2")
def check_gains(gains):
    random = Random(0)
    cases = [[1.0, 4.0], [602.0, 750.0, 913.0, 1229.0, 1827.0], [3.0, 3.0, 3.0], [5.0, 1.0, 9.0]]
    cases.append([random.gauss(10, 3) for _ in range(30)])
    for y in cases:
        answer, want, n = as_list(gains(list(y))), gains_of(y), len(y)
        data = f"y = {[round(v, 1) for v in y[:6]]}"
        expect(
            answer is not None and all(map(is_number, answer)), "return a list with all the gains."
        )
        expect(
            len(answer) == n - 1,
            f"{n} rows have {counted(n - 1, 'split')}, and you return "
            f"{counted(len(answer), 'gain')}: {data}.",
        )
        whole = squared_error(y, [1] * n)
        if not all_close(answer, want):
            expect(
                not all_close(answer, [n * gain for gain in want]),
                f"these are reductions of a sum of squares; divide by the number of rows: {data}.",
            )
            expect(
                not all_close(answer, [whole - gain for gain in want]),
                f"this is what is left after each split, not the gain: {data}.",
            )
            expect(
                not all_close(answer, want[::-1]),
                f"the gains come in the order of the splits, the first one behind row 1: {data}.",
            )
            alike = [
                whole - (squared_error(y[:k], [1] * k) + squared_error(y[k:], [1] * (n - k))) / 2
                for k in range(1, n)
            ]
            expect(
                not all_close(answer, alike),
                f"weigh the squared error of each side by its number of rows: {data}.",
            )
            apart = [gain * n * n / (k * (n - k)) for k, gain in enumerate(want, 1)]
            expect(
                not all_close(answer, apart),
                "this is the squared distance between the means of the two sides; each side "
                f"counts by its number of rows: {data}.",
            )
        expect(
            all_close(answer, want),
            f"the gains are {[round(gain, 3) for gain in want[:6]]}, and not "
            f"{[round(gain, 3) for gain in answer[:6]]}: {data}.",
        )
    y = [Counted(random.gauss(10, 3)) for _ in range(300)]
    Counted.done = 0
    gains(y)
    expect(
        Counted.done <= MOST_SUMS * len(y),
        f"right, but with {Counted.done} sums and products for 300 rows: each split passes over "
        "all rows. Carry the sum of the left side from one split to the next.",
    )
    if column is not list:  # there is NumPy
        expect(
            not is_slow_on_arrays(gains),
            f"right, but 200,000 rows take as long as {MOST_WALKS} walks: each split passes over "
            "all rows, inside NumPy. Carry the sum of the left side from one split to the next.",
        )


@checker("growing-4")
def check_goes_left(goes_left):
    first, reverse, last = (0, 9.5, True), (2, 20, False), (1, 0, True)
    cases = [
        ([9.5, 1, 30], [first, reverse], False, True, "a value that equals the cut is at most it"),
        ([12, None, 30], [first, reverse], True, False, "the first value is known"),
        (
            [None, 5, 25],
            [first, last],
            True,
            False,
            "the first value is missing, so a surrogate decides",
        ),
        ([None, 1, 25], [first, reverse], False, True, "the surrogate is turned around"),
        ([None, 1, 20], [first, reverse], True, False, "the surrogate is turned around"),
        ([None, 0, None], [first, reverse, last], False, True, "0 is a value, not a missing one"),
        ([0, None, 7], [first, reverse], False, True, "0 is a value, not a missing one"),
        ([None, 5, 25], [first, last, reverse], True, False, "the surrogates come in their order"),
        (
            [None, 3, None],
            [first, reverse],
            True,
            True,
            "every value that the splits need is missing",
        ),
        (
            [None, 3, None],
            [first, reverse],
            False,
            False,
            "every value that the splits need is missing",
        ),
    ]
    for row, questions, larger_is_left, want, why in cases:
        given = f"row = {row}, questions = {questions}, larger_is_left = {larger_is_left}"
        answer = as_truth(goes_left(list(row), list(questions), larger_is_left))
        expect(answer is not None, "return True or False.")
        expect(answer == want, f"{why}, so this is {want}: {given}.")


def as_truth(answer):
    """True or False, from Python or from NumPy; None of anything else."""
    answer = answer.tolist() if hasattr(answer, "tolist") else answer
    return answer if isinstance(answer, bool) else None


def fewest(cases, depth):
    """The fewest errors of any tree on these cases."""
    here = len(cases) - max(Counter(label for _, label, _ in cases).values())
    if depth == 0 or here == 0:
        return here
    found = [here]
    for j in range(len(cases[0][0])):
        for cut in cart.candidate_splits([x[j] for x, _, _ in cases]):
            sides = cart.divide(cases, j, cut)
            found.append(sum(fewest(side, depth - 1) for side in sides))
    return min(found)


def greedy_errors(X, y, depth):
    """The errors of CART's tree."""
    tree = cart.grow(X, y, max_depth=depth)
    return sum(cart.predict(tree, x) != label for x, label in zip(X, y))


@checker("growing-5")
def check_fewest_errors(fewest_errors):
    random = Random(1)
    square = [[0, 0], [0, 1], [1, 0], [1, 1]]
    bait = "0000 0000 0010 0111 0111 0101 1011 1011 1001 1100 1100 1110".split()
    bait = [[list(map(int, row[:3])) for row in bait], [int(row[3]) for row in bait]]
    band = [[v] for v in (1, 2, 3, 4, 5, 6)], list("abbaab")
    corners = [[1, 2], [3, 0], [3, 1], [0, 0], [2, 2], [1, 0], [2, 1], [1, 2]], list("bbaaabab")
    cases = [([[1], [2]], ["a", "b"], 1), (square, [0, 1, 1, 0], 1), (square, [0, 1, 1, 0], 2)]
    cases += [(*corners, 2), (*band, 2), (*bait, 2), (*band, 0), (*band, 3)]
    cases += [([[7], [7], [7]], list("aba"), 2)]
    for depth in (1, 2, 2, 3):
        X = [[random.randrange(4), random.randrange(3)] for _ in range(14)]
        cases.append((X, [random.choice("abc") for _ in X], depth))
    for X, y, depth in cases:
        data = f"X = {X[:6]}, y = {y[:6]}, {len(y)} rows, depth = {depth}"
        answer = as_list([fewest_errors([list(x) for x in X], list(y), depth)])[0]
        expect(is_number(answer), "return one number.")
        want = fewest(cart.cases_of(X, y), depth)
        if answer != want:
            expect(
                answer != len(y) - want,
                f"this is how many are right, and you should return the number of errors: {data}.",
            )
            expect(
                depth == 0 or answer != fewest(cart.cases_of(X, y), depth - 1),
                f"a tree may make {counted(depth, 'split')} below one another, and you stop one "
                f"earlier: {data}.",
            )
            expect(
                answer != greedy_errors(X, y, depth),
                f"{counted(answer, 'error')}: as many as the greedy tree makes; another first "
                f"split, even one that gains less, can make better ones possible: {data}.",
            )
            expect(
                answer > want,
                f"no tree makes fewer than {counted(want, 'error')}; do more than "
                f"{counted(depth, 'split')} lie below one another? {data}.",
            )
        expect(
            answer == want,
            f"there is a tree with {counted(want, 'error')}, and you found {answer}; may the two "
            f"sides make different splits, and did you try every threshold? {data}.",
        )


def gain_of(y, left):
    """The gain of a split in squared error; `left` says of each row whether it goes left."""
    sides = [[v for v, goes in zip(y, left) if goes == side] for side in (True, False)]
    n_left, n_right = map(len, sides)
    apart = sum(sides[0]) / n_left - sum(sides[1]) / n_right
    return n_left * n_right / len(y) ** 2 * apart**2


def compare_trees(answer, t, rows, max_depth, min_leaf, data):
    """Fail where a tree of tuples first differs from the tree t, grown on these rows (x, y)."""
    y = [target for _, target in rows]
    node = f"a node with the targets {[round(v, 3) for v in y[:8]]}"
    if not isinstance(answer, tuple | list):
        answer = as_list([answer])[0]
        expect(
            is_number(answer),
            "a leaf is a number, and a node that is split is a tuple (j, threshold, left, right).",
        )
        if "left" in t:
            expect(
                t["gain"] > 1e-9,
                f"{node} is a leaf of yours because no split gains anything; split it nevertheless,"
                f" since the splits below may gain a lot: {data}.",
            )
            expect(
                False,
                f"{node} is a leaf of yours, and a split at {t['threshold']} is possible: {data}.",
            )
        expect(
            close(answer, t["value"]),
            f"a leaf is the mean of its targets, {t['value']:.6g} and not {answer:.6g}: {data}.",
        )
        return
    expect(len(answer) == 4, "a node that is split is a tuple (j, threshold, left, right).")
    j, threshold, left, right = answer
    expect(
        j in range(len(rows[0][0])) and is_number(as_list([threshold])[0]),
        "j is the number of a feature, counted from 0, and the threshold is a number.",
    )
    expect(max_depth > 0, f"you make more splits below one another than max_depth allows: {data}.")
    expect(len(set(y)) > 1, f"all targets of {node} are equal, and you split it: {data}.")
    goes = [x[j] <= threshold for x, _ in rows]
    smaller = min(sum(goes), len(goes) - sum(goes))
    expect(smaller > 0, f"your split of {node} leaves one side empty: {data}.")
    expect(
        smaller >= min_leaf,
        f"your split of {node} leaves a side with fewer than min_leaf rows: {data}.",
    )
    # A split that is possible exists, so t is split as well.
    gain, best = gain_of(y, goes), t["gain"]
    expect(
        gain > best - 1e-9 * (1 + best),
        f"your split of {node} gains {gain:.6g}, and the best one gains {best:.6g}: {data}.",
    )
    same = [x[t["feature"]] <= t["threshold"] for x, _ in rows]
    if j == t["feature"] and goes == same:
        expect(
            close(threshold, t["threshold"]),
            f"the threshold is the midpoint of two neighboring values, {t['threshold']} and not "
            f"{threshold}: {data}.",
        )
    expect(
        j == t["feature"] and close(threshold, t["threshold"]),
        f"two splits of {node} tie; the first feature and the lowest threshold win, also where "
        f"rounding makes a later gain a little larger: {data}.",
    )
    for side, below, is_left in ((left, "left", True), (right, "right", False)):
        part = [row for row, goes_left in zip(rows, goes) if goes_left == is_left]
        compare_trees(side, t[below], part, max_depth - 1, min_leaf, data)


@checker("growing-7")
def check_grow_tree(grow_tree):
    random = Random(3)
    degrees = [[v] for v in (4, 5, 7, 12, 18, 23, 27, 28, 32, 35)]
    rentals = [602, 750, 913, 1229, 1827, 2246, 2127, 1714, 838, 625]
    square = [[0, 0], [0, 1], [1, 0], [1, 1]]
    line = [[1], [2], [3], [4]]
    cases = [
        (line, [1, 1, 5, 5], 0, 1),
        (line, [1, 1, 5, 5], 9, 1),
        (square, [0, 1, 1, 0], 2, 1),
        (degrees, rentals, 2, 1),
        (degrees, rentals, 9, 3),
        (line, [0, 1, 0, 1], 1, 1),
        ([[1, 1], [2, 2], [3, 3]], [4, 4, 7], 1, 1),
        ([[5, 2], [5, 2], [5, 2]], [1, 2, 3], 3, 1),
    ]
    for depth, min_leaf in ((1, 1), (3, 2), (9, 4)):
        X = [[random.randrange(6), random.randrange(4), random.random()] for _ in range(24)]
        cases.append((X, [x[0] + random.randrange(4) for x in X], depth, min_leaf))
    for X, y, max_depth, min_leaf in cases:
        data = f"X = {X[:4]}, y = {y[:4]}, {len(y)} rows, max_depth = {max_depth}, "
        data += f"min_leaf = {min_leaf}"
        want = cart.grow(X, y, impurity=squared_error, max_depth=max_depth, min_leaf=min_leaf)
        answer = grow_tree([list(x) for x in X], list(y), max_depth, min_leaf)
        compare_trees(answer, want, list(zip(X, y)), max_depth, min_leaf, data)
