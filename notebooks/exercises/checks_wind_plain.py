"""Checkers of the chapter "Wind over a grid"; all of them also run in the page."""

from math import ceil
from random import Random

from plain_checks import all_close, as_list, column, is_number

from treelab.checkers import checker, expect

# --- the power of a speed ----------------------------------------------------------------------


def power(v, a, b, c):
    """Share of the rated power at a speed: cut-in a, rated b, cut-out c."""
    if v < a or v > c:
        return 0.0
    return min(1.0, (v**3 - a**3) / (b**3 - a**3))


def beyond_rated(v, a, b, c):
    return 0.0 if v < a or v > c else (v**3 - a**3) / (b**3 - a**3)


def without_cut_out(v, a, b, c):
    return power(min(v, b), a, b, c)


def without_cut_in(v, a, b, c):
    return 0.0 if v > c else min(1.0, (v**3 - a**3) / (b**3 - a**3))


def off_at_cut_out(v, a, b, c):
    return 0.0 if v >= c else power(v, a, b, c)


def from_zero(v, a, b, c):
    return 0.0 if v < a or v > c else min(1.0, (v / b) ** 3)


def cube_of_difference(v, a, b, c):
    return 0.0 if v < a or v > c else min(1.0, ((v - a) / (b - a)) ** 3)


def straight(v, a, b, c):
    return 0.0 if v < a or v > c else min(1.0, (v - a) / (b - a))


def squared(v, a, b, c):
    return 0.0 if v < a or v > c else min(1.0, (v**2 - a**2) / (b**2 - a**2))


def errors(true, seen, curve, law=power):
    return [law(w, *curve) - law(v, *curve) for v, w in zip(true, seen)]


POWER = (
    (beyond_rated, "from the rated speed to the cut-out the power is 1: the cube stops there."),
    (without_cut_out, "above the cut-out the turbine turns out of the wind: its power is 0."),
    (without_cut_in, "below the cut-in the power is 0, not negative."),
    (off_at_cut_out, "at the cut-out itself the power is still 1; it is 0 above."),
    (from_zero, "the power begins with 0 at the cut-in: take the cube of a off, above and below."),
    (cube_of_difference, "the difference of two cubes, not the cube of a difference."),
    (straight, "between cut-in and rated speed the power goes with the cube of the speed."),
    (squared, "between cut-in and rated speed the power goes with the cube of the speed."),
)


@checker("wind-1")
def check_power_error(power_error):
    random, cases, found = Random(2), [], []
    for curve in ((3.5, 13.0, 25.0), (4.0, 12.0, 20.0), (3.0, 11.5, 25.0)):
        a, b, c = curve
        some = [0.0, a - 0.5, a, a + 1, (a + b) / 2, b - 0.5, b, b + 2, c, c + 0.5, c + 4]
        true = [random.choice(some) for _ in range(60)]
        cases.append((true, [random.choice(some) for _ in true], curve))
        cases.append(([], [], curve))
    for true, seen, curve in cases:
        one, other = column(true), column(seen)
        got = as_list(power_error(one, other, *curve))
        expect(
            got is not None and len(got) == len(true) and all(map(is_number, got)),
            "return a list with as many numbers as there are speeds.",
        )
        same = list(one) == true and list(other) == seen
        expect(same, "your function changed its arguments; work on copies.")
        found.append(got)

    def is_that(answers):
        return all(all_close(got, answer) for got, answer in zip(found, answers))

    right = [errors(*case) for case in cases]
    expect(
        not is_that([[-e for e in row] for row in right]),
        "the power at the speed seen, less that at the true one: yours is the other way round.",
    )
    expect(not is_that([[abs(e) for e in row] for row in right]), "keep the sign of the error.")
    alone = [[power(w, *curve) for w in seen] for _, seen, curve in cases]
    expect(not is_that(alone), "take the power at the true speed off.")
    shift = [[power(w - v, *curve) for v, w in zip(true, seen)] for true, seen, curve in cases]
    expect(not is_that(shift), "the difference of two powers is not the power of the difference.")
    for law, hint in POWER:
        expect(not is_that([errors(*case, law) for case in cases]), hint)
    for (true, seen, curve), row, got in zip(cases, right, found):
        for v, w, should, number in zip(true, seen, row, got):
            expect(
                all_close([number], [should]),
                f"with a, b, c = {curve}, a true speed of {v:g} and {w:g} seen the error is "
                f"{should:.4f}, not {number:.4f}.",
            )


# --- who leaves first --------------------------------------------------------------------------


def shares(groups, worth, some):
    """The importance of each column of a set."""
    return {j: worth[groups[j]] / sum(groups[i] == groups[j] for i in some) for j in some}


def left(groups, worth, k, anew, shares=shares, last=True):
    """The columns that are left, ascending."""
    some = list(range(len(groups)))
    found = shares(groups, worth, some)
    while len(some) > k:
        if anew:
            found = shares(groups, worth, some)
        some.remove(min(some, key=lambda j: (found[j], -j if last else j)))
    return some


def never_anew(groups, worth, k, anew):
    return left(groups, worth, k, False)


def always_anew(groups, worth, k, anew):
    return left(groups, worth, k, True)


def other_way(groups, worth, k, anew):
    return left(groups, worth, k, not anew)


def whole_worth(groups, worth, k, anew):
    return left(groups, worth, k, anew, lambda g, w, some: {j: w[g[j]] for j in some})


def times(groups, worth, k, anew):
    return left(groups, worth, k, anew, lambda g, w, some: {
        j: w[g[j]] * sum(g[i] == g[j] for i in some) for j in some})  # fmt: skip


def first_of_equals(groups, worth, k, anew):
    return left(groups, worth, k, anew, last=False)


def best_leave(groups, worth, k, anew):
    return left(groups, [-w for w in worth], k, anew)


def one_less(groups, worth, k, anew):
    return left(groups, worth, k - 1, anew)


def one_more(groups, worth, k, anew):
    return left(groups, worth, k + 1, anew)


def leavers(groups, worth, k, anew):
    stay = left(groups, worth, k, anew)
    return [j for j in range(len(groups)) if j not in stay]


def of_a_group(groups, worth, k, anew):
    """One column of each group at most."""
    return left([*groups], worth, k, anew, lambda g, w, some: {
        j: w[g[j]] if j == min(i for i in some if g[i] == g[j]) else 0 for j in some})  # fmt: skip


SURVIVORS = (
    (other_way, "`anew` is the other way round: true means that importances are shared anew."),
    (never_anew, "with `anew` the columns of a group that are left share its worth among them."),
    (always_anew, "without `anew` the importances of the first set rank to the end."),
    (whole_worth, "a group shares its worth: divide it by the columns of the group in the set."),
    (times, "divide by the columns of the group in the set: more copies, less for each."),
    (of_a_group, "the columns of a group are equally important, also the first one."),
    (first_of_equals, "of equally important columns the one with the larger number leaves first."),
    (best_leave, "the least important column leaves, not the most important one."),
    (leavers, "return the columns that are left, not those that have left."),
    (one_less, "stop as soon as k columns are left: yours are one too few."),
    (one_more, "go on until k columns are left: yours are one too many."),
)


def farms():
    """Of (groups, worth, k); worths are whole numbers, so that equal quotients are equal."""
    random = Random(4)
    found = [
        ([0, 0, 0, 0, 1], [8, 3], 1),
        ([0, 0, 0, 0, 1], [8, 3], 2),
        ([1, 0, 1, 2], [3, 2, 9], 4),
    ]
    for _ in range(60):
        d = random.randint(2, 14)
        n = random.randint(1, 5)
        groups = [random.randrange(n) for _ in range(d)]
        found.append((groups, [random.randint(1, 12) for _ in range(n)], random.randint(1, d - 1)))
    return found


@checker("wind-3")
def check_survivors(survivors):
    cases = [(*case, anew) for case in farms() for anew in (False, True)]
    found = []
    for groups, worth, k, anew in cases:
        some = [list(groups), list(worth)]
        got = as_list(survivors(*some, k, anew))
        hint = "return a list with the numbers of the columns that are left."
        expect(got is not None and all(map(is_number, got)), hint)
        expect(some == [groups, worth], "your function changed its arguments; work on copies.")
        found.append(got)
    should = [left(*case) for case in cases]
    if found != should:
        ascending = [sorted(got) for got in found] != should
        expect(ascending, "return the numbers in ascending order.")
    for other, hint in SURVIVORS:
        expect(found != [other(*case) for case in cases], hint)
    for (groups, worth, k, anew), right, got in zip(cases, should, found):
        expect(
            got == right,
            f"of the groups {groups} with the worths {worth}, k = {k} and anew = {anew} there "
            f"are left {right}, not {got}.",
        )


# --- sizes -------------------------------------------------------------------------------------


def leave(s, percent):
    return percent * s // 100


def floats(s, percent):
    """What 1 - 0.8 makes of a fifth."""
    return int((1 - (1 - percent / 100)) * s)


def floats_kept(s, percent):
    return s - int((1 - percent / 100) * s)


def one_at_least(s, percent):
    """As if a small rest lost a column, too."""
    return max(min(1, s), leave(s, percent))


def tried(p, block, percent, leave=leave, rest=True, least=None, last=0):
    """The sizes that are tried."""
    found, size = [p], p
    while True:
        full, part = divmod(size, block)
        size -= full * leave(block, percent) + (leave(part, percent) if rest else 0)
        if size < (block if least is None else least):
            return found + [size] * last
        found.append(size)


def whole(p, block, percent):
    """As if all columns were one block."""
    found = [p]
    while found[-1] - leave(found[-1], percent) >= block:
        found.append(found[-1] - leave(found[-1], percent))
    return found


def of_first(p, block, percent):
    """Powers of the share that stays, of all."""
    found, k = [], 0
    while p * (100 - percent) ** k // 100**k >= block:
        found.append(p * (100 - percent) ** k // 100**k)
        k += 1
    return found


def keeps(p, block, percent):
    """The percent of each block stay."""
    return tried(p, block, 100 - percent)


SIZES = (
    (lambda *case: tried(*case, leave=floats),
     "a fifth is no number of the machine: 1 - 0.8 is less, and of 15 columns only 2 leave. "
     "Count in whole numbers."),
    (lambda *case: tried(*case, leave=floats_kept),
     "round down what leaves, not what stays, and count in whole numbers."),
    (lambda *case: tried(*case, leave=lambda s, percent: -(-percent * s // 100)),
     "what leaves is rounded down, not up."),
    (lambda *case: tried(*case, leave=lambda s, percent: round(percent * s / 100)),
     "what leaves is rounded down, not to the nearest number."),
    (whole, "each block rounds down for itself, not all columns together."),
    (of_first, "the share is taken of each block in each round, not of all p columns at once."),
    (lambda *case: tried(*case, rest=False), "the rest is a block, too: of it columns leave, too."),
    (lambda *case: tried(*case, leave=one_at_least),
     "the rest may lose none: what leaves it is rounded down, too."),
    (lambda *case: tried(*case, last=1),
     "the size below that of a block is not tried: it is not in the list."),
    (lambda p, block, percent: tried(p, block, percent, least=block + 1),
     "a size equal to that of a block is tried; only a smaller one is not."),
    (lambda *case: tried(*case)[1:], "the list begins with all p columns."),
    (keeps, "the percent leave; yours stay."),
)  # fmt: skip


@checker("wind-4")
def check_sizes(sizes):
    cases = [(1080, 54, 20), (1080, 54, 50), (100, 10, 30), (54, 54, 20), (60, 54, 10), (77, 7, 29)]
    cases += [(300, 15, 20), (40, 10, 50), (1000, 20, 80), (125, 25, 44)]
    random = Random(6)
    for _ in range(60):
        block = random.randint(2, 60)
        least = ceil(100 / block)
        percent = random.choice([p for p in (10, 20, 25, 29, 40, 50, 57, 80) if p >= least])
        cases.append((block + random.randint(0, 900), block, percent))
    found = []
    for case in cases:
        got = as_list(sizes(*case))
        hint = "return a list of whole numbers."
        expect(got is not None and all(is_number(s) and s == int(s) for s in got), hint)
        found.append([int(s) for s in got])
    for other, hint in SIZES:
        expect(found != [other(*case) for case in cases], hint)
    for case, got in zip(cases, found):
        should = tried(*case)
        expect(
            got == should,
            f"of {case[0]} columns in blocks of {case[1]}, of which {case[2]} percent leave, the "
            f"sizes are {should}, not {got}.",
        )
