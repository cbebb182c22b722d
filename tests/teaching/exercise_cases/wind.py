"""Right and wrong answers to the exercises of the chapter "Wind over a grid"."""

from fractions import Fraction

import numpy as np

# --- wind-1 ----------------------------------------------------------------------------------


def error_cases(true, seen, a, b, c):
    def power(v):
        if v < a:
            return 0
        if v < b:
            return (v**3 - a**3) / (b**3 - a**3)
        return 1 if v <= c else 0

    return [power(w) - power(v) for v, w in zip(true, seen)]


def error_arrays(true, seen, a, b, c):
    def power(v):
        cubic = (np.clip(v, a, b) ** 3 - a**3) / (b**3 - a**3)
        return np.where(np.asarray(v) > c, 0, cubic)

    return power(np.array(seen)) - power(np.array(true))


def _error(true, seen, a, b, c, flaw):
    def power(v):
        top = b if flaw != "beyond" else c
        if v > c and flaw != "storm":
            return 0
        if v == c and flaw == "edge":
            return 0
        if v < a and flaw != "negative":
            return 0
        v = min(v, top)
        if flaw == "zero":
            return v**3 / b**3
        if flaw == "difference":
            return (v - a) ** 3 / (b - a) ** 3
        if flaw == "straight":
            return (v - a) / (b - a)
        if flaw == "square":
            return (v * v - a * a) / (b * b - a * a)
        return (v**3 - a**3) / (b**3 - a**3)

    if flaw == "seen":
        return [power(w) for w in seen]
    if flaw == "shift":
        return [power(w - v) for v, w in zip(true, seen)]
    found = [power(w) - power(v) for v, w in zip(true, seen)]
    if flaw == "mean":
        return sum(found) / max(1, len(found))
    if flaw == "sorts":
        true.sort()
    return {"turned": [-e for e in found], "size": [abs(e) for e in found],
            "percent": [100 * e for e in found]}.get(flaw, found)  # fmt: skip


def error_with(flaw):
    return lambda *case: _error(*case, flaw)


# --- wind-3 ----------------------------------------------------------------------------------


def survivors_loop(groups, worth, k, anew):
    def importances(some):
        count = {}
        for j in some:
            count[groups[j]] = count.get(groups[j], 0) + 1
        return {j: worth[groups[j]] / count[groups[j]] for j in some}

    some = list(range(len(groups)))
    found = importances(some)
    while len(some) > k:
        if anew:
            found = importances(some)
        least = min(found[j] for j in some)
        some.remove(max(j for j in some if found[j] == least))
    return some


def survivors_ranked(groups, worth, k, anew):
    """Without `anew` one sort will do."""
    d = len(groups)
    if not anew:
        found = [Fraction(worth[g], groups.count(g)) for g in groups]
        return sorted(sorted(range(d), key=lambda j: (-found[j], j))[:k])
    some = set(range(d))
    for _ in range(d - k):
        sizes = {g: sum(groups[i] == g for i in some) for g in groups}
        some.discard(min(some, key=lambda j: (Fraction(worth[groups[j]], sizes[groups[j]]), -j)))
    return sorted(some)


def _survivors(groups, worth, k, anew, flaw):
    anew = {"never": False, "always": True, "turned": not anew}.get(flaw, anew)
    if flaw == "in place":
        worth.sort()
    some, gone = list(range(len(groups))), []

    def importances():
        count = {g: sum(groups[i] == g for i in some) for g in groups}
        found = {}
        for j in some:
            share = worth[groups[j]] / count[groups[j]]
            share = worth[groups[j]] if flaw == "whole" else share
            share = worth[groups[j]] * count[groups[j]] if flaw == "times" else share
            found[j] = share
        return found

    found = importances()
    k += {"few": -1, "many": 1}.get(flaw, 0)
    while len(some) > k:
        if anew:
            found = importances()
        j = min(some, key=lambda j: (found[j], j if flaw == "first" else -j))
        j = max(some, key=lambda j: (found[j], j)) if flaw == "best" else j
        if flaw == "group":
            both = [i for i in some if groups[i] == groups[j]]
            some = [i for i in some if i not in both]
            gone += both
            continue
        some.remove(j)
        gone.append(j)
    if flaw == "order":
        return some[::-1]
    return {"gone": sorted(gone), "set": len(some), "names": [str(j) for j in some]}.get(flaw, some)


def survivors_with(flaw):
    return lambda *case: _survivors(*case, flaw)


def survivors_first_of_group(groups, worth, k, anew):
    """The first column of a group takes all of its worth, as a forest never does."""
    some = list(range(len(groups)))

    def importance(j, some):
        return worth[groups[j]] if all(groups[i] != groups[j] for i in some if i < j) else 0

    found = {j: importance(j, some) for j in some}
    while len(some) > k:
        found = {j: importance(j, some) for j in some} if anew else found
        some.remove(min(some, key=lambda j: (found[j], -j)))
    return some


# --- wind-4 ----------------------------------------------------------------------------------


def sizes_loop(p, block, percent):
    found = [p]
    while True:
        size = found[-1]
        for _ in range(found[-1] // block):
            size -= block * percent // 100
        size -= found[-1] % block * percent // 100
        if size < block:
            return found
        found.append(size)


def sizes_recursive(p, block, percent):
    share = Fraction(percent, 100)
    lost = p // block * int(share * block) + int(share * (p % block))
    return [p, *sizes_recursive(p - lost, block, percent)] if p - lost >= block else [p]


def _sizes(p, block, percent, flaw):
    def leave(s):
        if flaw == "float":
            return int((1 - (1 - percent / 100)) * s)
        if flaw == "one":
            return max(min(1, s), s * percent // 100)
        if flaw == "kept":
            return s - int((1 - percent / 100) * s)
        if flaw == "nearest":
            return round(percent * s / 100)
        if flaw == "up":
            return -int(-Fraction(percent * s, 100) // 1)
        return s * (100 - percent if flaw == "stay" else percent) // 100

    found, size, k = [p], p, 0
    while True:
        k += 1
        lost = size // block * leave(block)
        if flaw != "rest":
            lost += leave(size % block)
        size -= leave(size) if flaw == "whole" else lost
        size = p * (100 - percent) ** k // 100**k if flaw == "powers" else size
        if size < block + (flaw == "equal"):
            break
        found.append(size)
    if flaw == "shares":
        return [s / p for s in found]
    found = found + [size] if flaw == "below" else found
    found = [s + (s < p) for s in found] if flaw == "off" else found
    return {"begin": found[1:], "last": found[-1]}.get(flaw, found)


def sizes_with(flaw):
    return lambda *case: _sizes(*case, flaw)


CORRECT = {
    "wind-1": [error_cases, error_arrays],
    "wind-3": [survivors_loop, survivors_ranked],
    "wind-4": [sizes_loop, sizes_recursive],
}

WRONG = {
    "wind-1": [
        (error_with("beyond"), "the cube stops there"),
        (error_with("storm"), "turns out of the wind"),
        (error_with("edge"), "at the cut-out itself"),
        (error_with("negative"), "not negative"),
        (error_with("zero"), "take the cube of a off"),
        (error_with("difference"), "the difference of two cubes"),
        (error_with("straight"), "with the cube of the speed"),
        (error_with("square"), "with the cube of the speed"),
        (error_with("seen"), "at the true speed off"),
        (error_with("shift"), "not the power of the difference"),
        (error_with("turned"), "the other way round"),
        (error_with("size"), "keep the sign"),
        (error_with("mean"), "as many numbers"),
        (error_with("sorts"), "changed its arguments"),
        (error_with("percent"), "the error is"),
    ],
    "wind-3": [
        (survivors_with("never"), "that are left share its worth"),
        (survivors_with("always"), "rank to the end"),
        (survivors_with("turned"), "the other way round"),
        (survivors_with("whole"), "a group shares its worth"),
        (survivors_with("times"), "more copies, less for each"),
        (survivors_first_of_group, "also the first one"),
        (survivors_with("first"), "the one with the larger number"),
        (survivors_with("best"), "the least important column leaves"),
        (survivors_with("gone"), "not those that have left"),
        (survivors_with("few"), "one too few"),
        (survivors_with("many"), "one too many"),
        (survivors_with("order"), "in ascending order"),
        (survivors_with("set"), "return a list"),
        (survivors_with("names"), "return a list"),
        (survivors_with("in place"), "changed its arguments"),
        (survivors_with("group"), "there are left"),
    ],
    "wind-4": [
        (sizes_with("float"), "no number of the machine"),
        (sizes_with("kept"), "not what stays"),
        (sizes_with("nearest"), "not to the nearest"),
        (sizes_with("up"), "not up"),
        (sizes_with("whole"), "each block rounds down for itself"),
        (sizes_with("powers"), "of each block in each round"),
        (sizes_with("rest"), "the rest is a block, too"),
        (sizes_with("one"), "the rest may lose none"),
        (sizes_with("below"), "is not in the list"),
        (sizes_with("equal"), "a size equal to that of a block"),
        (sizes_with("begin"), "begins with all p"),
        (sizes_with("stay"), "yours stay"),
        (sizes_with("last"), "a list of whole numbers"),
        (sizes_with("shares"), "a list of whole numbers"),
        (sizes_with("off"), "the sizes are"),
    ],
}  # fmt: skip
