"""Judges of the assignment "Choosing features": what students must not have."""

from collections import Counter
from functools import lru_cache
from itertools import combinations
from math import log, log2

import numpy as np
from checks_hw7 import given, near, told

from treelab.checkers import expect, own_number


def bits(levels):
    """Entropy of a list of levels."""
    return -sum(n / len(levels) * log2(n / len(levels)) for n in Counter(levels).values())


tables_of = lru_cache(4)(given)


class Flats:
    """Entropies and shared bits of the flats of a number."""

    def __init__(self, number):
        flats, self.heating, _, _ = tables_of(number)
        self.flats = flats
        columns = {name: flats[name].tolist() for name in flats} | {"number": flats.index.tolist()}
        self.bits = {name: bits(column) for name, column in columns.items()}
        self.shared = {
            (a, b): self.bits[a] + self.bits[b] - bits([*zip(columns[a], columns[b])])
            for a in columns
            for b in columns
        }
        asked = [
            ("district", "let"),
            ("balcony", "let"),
            ("number", "let"),
            ("district", "balcony"),
        ]
        self.pairs = asked
        self.right = np.array([self.told(*pair) for pair in asked])

    def told(self, a, b):
        """Symmetrical uncertainty of two columns, by name."""
        return 2 * self.shared[a, b] / (self.bits[a] + self.bits[b])


@lru_cache(4)
def flats_of(number):
    """What is to be known of the flats of a number."""
    return Flats(number)


def judge_uncertainties(got):
    own = flats_of(own_number())
    right, shared = own.right, np.array([own.shared[pair] for pair in own.pairs])
    if near(got, right):
        return
    y = own.flats["let"]
    expect(
        not near(got[:2], shared[:2]),
        "this is mutual information, in bits; take it twice, over the sum of both entropies.",
    )
    expect(
        not near(got[:2], right[:2] / 2),
        "half of what it should be: the mutual information stands twice in the numerator.",
    )
    expect(
        not near(got[:2], [shared[0] / 2, shared[1] / own.bits["balcony"]]),
        "that is the gain ratio, which divides by the feature's entropy only; here the entropy of "
        "the class counts, too.",
    )
    expect(
        not near(got[0], 2 * shared[0] / (1 + own.bits["let"])),
        "four districts of four flats have an entropy of 2 bits, not of 1.",
    )
    sure = [name for name, some in y.groupby(own.flats["district"], sort=False) if len({*some}) < 2]
    expect(near(got[0], right[0]), f"wrong for district: {' and '.join(sure)} leave no doubt.")
    n = int((own.flats["balcony"] == "y").sum())
    expect(
        not near(got[1], 2 * shared[1] / (1 + own.bits["let"])),
        f"a balcony is rare: {n} of 16 have less than 1 bit of entropy.",
    )
    let = int((y[own.flats["balcony"] == "n"] == "y").sum())
    expect(near(got[1], right[1]), f"wrong for balcony: without one, {let} of {16 - n} are let.")
    expect(
        not near(got[2], 1),
        "the number leaves no doubt, but pays for its own entropy: 16 levels are 4 bits.",
    )
    expect(near(got[2], right[2]), "wrong for number: each of its 16 levels has one flat.")
    expect(
        not near(got[3], 2 * shared[3] / (2 + own.bits["let"])),
        "district and balcony: the class has no part in it; divide by the entropies of these two.",
    )
    expect(
        near(got[3], right[3]),
        "wrong for district and balcony: how many of the balconies are in each district?",
    )


def judge_merits(got):
    own = flats_of(own_number())
    relevance = {name: own.told(name, "let") for name in ("district", "balcony", "number")}
    relevance["heating"] = own.heating["let"]

    def between(a, b):
        known = own.heating.get(b if a == "heating" else a)
        return known if "heating" in (a, b) else own.told(a, b)

    sets = [("balcony",), ("district", "balcony"), ("district", "balcony", "heating")]
    sets.append(("number", "balcony"))
    sums = [sum(relevance[name] for name in some) for some in sets]
    pairs = [sum(between(*pair) for pair in combinations(some, 2)) for some in sets]
    right = [s / np.sqrt(len(some) + 2 * p) for some, s, p in zip(sets, sums, pairs)]
    if near(got, right):
        return
    expect(near(got[0], right[0]), "one feature: the merit is its relevance, over the root of 1.")
    expect(
        not near(got[1], sums[1]),
        "this is the sum of the relevances; divide it by the root.",
    )
    expect(
        not near(got[1], right[1] / 2),
        "you took the mean of the relevances; in this form of the merit stands their sum.",
    )
    expect(
        not near(got[1], sums[1] / np.sqrt(2 + pairs[1])),
        "under the root each pair counts twice, once for each order.",
    )
    expect(
        not near(got[1], sums[1] / np.sqrt(2)),
        "what the two tell about each other is missing under the root.",
    )
    expect(not near(got[1], sums[1] / (2 + 2 * pairs[1])), "a root is missing: divide by the root.")
    expect(near(got[1], right[1]), "wrong for district and balcony.")
    expect(
        not near(got[2], sums[2] / np.sqrt(3 + 2 * pairs[1])),
        "three features have three pairs: heating repeats the other two as well.",
    )
    expect(near(got[2], right[2]), "wrong for the set with heating: a sum of three, three pairs.")
    expect(
        not near(got[3], sums[3] / np.sqrt(2)),
        f"the number tells something about the balcony: {own.bits['balcony']:.4f} bits, all that "
        "there are.",
    )
    expect(near(got[3], right[3]), "wrong for number and balcony: what do the two share?")


def judge_fcbf(got):
    table = tables_of(own_number())[2]
    relevance = table["class"]
    A, B, C, D, E, F = relevance.sort_values(ascending=False).index  # by what they tell

    def tells(one, other):
        return f"{table.loc[one, other]:.2f}"

    def about(one):
        return f"{relevance[one]:.2f}"

    expect(
        got[F] == "pass 1",
        f"{F} tells less about the class than the threshold: pass 1 drops it, whoever resembles "
        "it.",
    )
    expect(got[A] == "kept", f"{A} is the most relevant: nobody comes before it.")
    expect(
        got[B] != "kept",
        f"{A} tells {tells(A, B)} about {B}. Compare this with what {B}, not {A}, tells about the "
        "class.",
    )
    expect(got[B] == A, f"only {A} comes before {B}.")
    expect(got[C] != B, f"{B} is out when the turn of {C} comes, and removes nobody any more.")
    expect(
        got[C] == "kept",
        f"{A} tells {tells(A, C)} about {C}, and {C} tells {about(C)} about the class.",
    )
    expect(got[D] != "kept", f"at least as much is enough: {D} is out at equality.")
    expect(
        got[D] != C,
        f"{A} has its turn before {C}, and {D} does not survive it: {tells(A, D)} against "
        f"{about(D)}.",
    )
    expect(got[D] == A, f"who is the first to tell at least {about(D)} about {D}?")
    expect(got[E] != D, f"{D} is out when the turn of {E} comes, and removes nobody any more.")
    expect(got[E] != A, f"{A} tells {tells(A, E)} about {E}, less than {E} tells about the class.")
    expect(got[E] == C, f"{E} has relevance {about(E)}; which kept feature tells as much about it?")


def judge_stepwise(got):
    rss = tables_of(own_number())[3]

    def of(some):
        return rss["".join(sorted(some)) or "none"]

    def criterion(some, cost):
        return 20 * log(of(some) / 20) + cost * len(some)

    sets = [some for k in range(5) for some in combinations("abcd", k)]
    bic, aic = ("".join(min(sets, key=lambda s: criterion(s, c))) for c in (log(20), 2))
    forward, backward = [""], ["abcd"]
    for _ in range(4):
        wider = [forward[-1] + x for x in "abcd" if x not in forward[-1]]
        forward.append("".join(sorted(min(wider, key=of))))
        smaller = [backward[-1].replace(x, "") for x in backward[-1]]
        backward.append(min(smaller, key=of))
    stop = next(
        one for one, two in zip(forward, [*forward[1:], forward[-1]])
        if criterion(two, log(20)) >= criterion(one, log(20))
    )  # fmt: skip
    right = [forward[2], backward[2], bic, aic, stop]
    if got == right:
        return
    first = forward[1]
    late = "".join({*aic} - {*bic})
    saved = f"20 ln({of(bic)}/{of(aic)})", 20 * log(of(bic) / of(aic))
    expect(
        got[0] != bic,
        f"forward selection took `{first}` first, for the least error of one, and cannot give it "
        "back.",
    )
    expect(
        got[0] == right[0], f"forward: keep `{first}`, and add what then leaves the least error."
    )
    expect(
        got[1] != forward[2],
        f"backward begins with all four, and what is out stays out: `{first}` goes first.",
    )
    expect(
        got[1] == right[1], "backward: of four, then of three, drop what raises the error least."
    )
    expect(
        got[2] != "abcd",
        "the error always falls; BIC adds ln 20, about 3, for each coefficient.",
    )
    expect(
        got[2] != aic,
        f"BIC: {saved[0]} is {saved[1]:.2f}, less than the ln 20 that `{late}` has to pay.",
    )
    expect(got[2] == bic, "BIC: compare 20 ln(RSS/20) + ln(20) times the size for all sets.")
    expect(got[3] != bic, f"AIC: `{late}` lowers 20 ln(RSS/20) by {saved[1]:.2f} and pays 2.")
    expect(got[3] == aic, "AIC: compare 20 ln(RSS/20) + 2 times the size for all sets.")
    expect(
        got[4] not in (forward[3], "abcd", bic),
        "forward does not see what lies behind a step that does not pay: it has stopped before.",
    )
    step = of(stop), of(forward[2])
    expect(
        got[4] != forward[2],
        f"from {step[0]} to {step[1]} the step saves 20 ln({step[0]}/{step[1]}) = "
        f"{20 * log(step[0] / step[1]):.2f}, less than ln 20.",
    )
    expect(got[4] == stop, "forward with BIC: does the first step pay? Does the second?")


JUDGES = {
    "hw7-1": judge_uncertainties,
    "hw7-2": judge_merits,
    "hw7-3": judge_fcbf,
    "hw7-4": judge_stepwise,
}
HELPERS = {"hw7-6": {"uncertainty": told}}
