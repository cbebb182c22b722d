"""Judges of the assignment "Who may come in", for teachers: students do not get this file."""

import math
from functools import cache

from checks_hw9 import bits, given, near, question_of_node, tested

from treelab.checkers import expect, own_number


def gain_of(books, column):
    """Information gain of a column of noughts and ones in rows that end with the class, in bits."""
    sides = [books[books[:, column] == value, -1] for value in (0, 1)]
    return bits(books[:, -1]) - sum(len(side) * bits(side) for side in sides) / len(books)


@cache
def library(number):
    """What hw9-1 asks about the books of a number, and what its hints say."""
    books = given(number)["books"].to_numpy()
    others, novels = (books[books[:, 0] == value] for value in (0, 1))
    return {
        "penalty": given(number)["penalty"],
        "sizes": [len(part) for part in (books, others, novels)],
        "late": [part[:, -1].sum() for part in (books, others, novels)],
        "bits": [bits(part[:, -1]) for part in (books, others, novels)],
        "root": gain_of(books, 0),
        "novels": [gain_of(novels, 1), gain_of(novels, 2)],
        "others": [gain_of(others, 2), gain_of(others, 1)],
        "thick": novels[:, 1].sum(),
    }


def judge_entered(got):
    told = library(own_number())
    penalty, root, (thick, reserved) = told["penalty"], told["root"], told["novels"]
    limits = thick / reserved, told["others"][0] / told["others"][1]
    (n, *sizes), (late, *of_sides), (before, *sides) = told["sizes"], told["late"], told["bits"]
    both = f"{sizes[0]} and {sizes[1]}"
    expect(
        not near(got[0], before - root),
        "that is what is left; the gain is what the question takes.",
    )
    expect(not near(got[0], before - sum(sides) / 2), f"weigh the two sides: {both} of {n} books.")
    expect(
        not near(got[0], root * math.log(2)),
        "that is with the natural logarithm; bits want base 2.",
    )
    expect(
        near(got[0], root),
        f"{late} of {n} are late; of {both} books, {of_sides[0]} and {of_sides[1]}.",
    )
    expect(
        not near(got[1], 1 / limits[0]), "a penalty is at most 1: the gain of thick comes on top."
    )
    expect(
        not near(got[1], thick) and not near(got[1], reserved),
        "that is a gain; with which penalty does that of reserved count as much as that of thick?",
    )
    expect(
        near(got[1], limits[0]),
        "among the novels thick is in: its gain over that of reserved, "
        f"{thick:.3f} over {reserved:.3f}.",
    )
    expect(
        got[2] != 3,
        f"with {penalty} thick asks among the novels, and leaves {told['thick']} books mixed.",
    )
    expect(got[2] not in (7, 9), "count the nodes that ask, not the leaves: leaves ask nothing.")
    expect(got[2] == 4, "the root, thick on both sides, and what is left of the novels.")
    expect(
        got[3] != sizes[1],
        f"that is where it enters with a large penalty; with {penalty} it is refused there.",
    )
    expect(
        got[3] == told["thick"], "below thick: how many thick novels are there, and are they mixed?"
    )
    expect(
        not near(got[4], limits[0]),
        "that is the other order; now reserved is in when the other books are asked.",
    )
    expect(
        near(got[4], limits[1]),
        f"among the other books reserved gains {told['others'][0]:.3f}, thick all {sides[0]:.3f}.",
    )


@cache
def asked_by(number, penalty, flaw=""):
    """Who asks in each of the seven nodes, with one flaw at most; str."""
    mine, used, found = given(number), "", ""
    for k, (gains, order) in enumerate(zip(mine["nodes"], mine["orders"])):
        if flaw == "anew" and k == 4:
            used = ""
        new = [j for j in (sorted(order) if flaw == "number" else order) if j not in used]
        new = new if flaw == "all" else new[:2]
        if flaw == "places":
            new = [j for j in order[:2] if j not in used]
        old = [j for j in (order[:2] if flaw == "few" else order) if j in used]
        tried = new + old if flaw == "tie" else old + new
        part = {"none": (1, 1), "turned": (penalty, 1)}.get(flaw, (1, penalty))
        worth = [gains["abcde".index(j)] * part[j not in used] for j in tried]
        best = next(j for j, w in zip(tried, worth) if w > max(worth) - 1e-9)
        found += best
        used += best if best not in used else ""
    return found


SLIPS = {
    "none": "that is a forest without a penalty: a new column counts half of its gain.",
    "turned": "it is the new columns that count half, not those that are in.",
    "anew": "the second tree begins with what the first one took in.",
    "all": "of the new columns only the first two of the order are tried.",
    "places": "two *new* ones are tried: those that are in take no place.",
    "number": "the first two new ones in the order that the node draws, not in the alphabet.",
    "few": "what is in is tried wherever it stands in the order.",
    "tie": "a tie: of equal worth, a column that is in wins.",
}


def judge_asked(got):
    number = own_number()
    right = asked_by(number, 0.5), asked_by(number, 1)
    expect(got != right[::-1], "the two penalties are exchanged.")
    for letters, want, penalty in zip(got, right, (0.5, 1)):
        for flaw, hint in SLIPS.items():
            expect(letters != asked_by(number, penalty, flaw) or letters == want, hint)
        for k, (letter, own) in enumerate(zip(letters, want), 1):
            expect(letter == own, f"penalty {penalty}: node {k} is the first one that differs.")


def judge_guided(got):
    mine = given(own_number())
    base, importance, gain = mine["base"], mine["importance"], mine["gain"]
    largest, new = max(importance.values()), [*"bcde"]
    share = {name: importance[name] / largest for name in importance}

    def worth(gamma):
        """What each column counts."""
        penalties = {name: (1 - gamma) * base + gamma * share[name] for name in new}
        return {"a": gain["a"]} | {name: penalties[name] * gain[name] for name in new}

    of_d = importance["d"]
    for wrong, hint in (
        (base / 2 + of_d / 2, f"divide the importance by the largest one, {largest:.2f}."),
        (
            base / 2 + of_d / max(importance[name] for name in new) / 2,
            "the largest importance is that of a, which is in.",
        ),
        (base + share["d"] / 2, "the base has the part 1 - gamma."),
        (0.5 + share["d"] / 2, f"the base is {base}, not 1."),
    ):
        expect(not near(got[0], wrong), hint)
    expect(
        near(got[0], base / 2 + share["d"] / 2),
        f"half of {base}, and half of {of_d:.2f} over {largest:.2f}.",
    )
    of_e = base / 2 + share["e"] / 2
    expect(not near(got[1], of_e), "that is the penalty of e; multiply its gain by it.")
    expect(not near(got[1], base * gain["e"]), "that is without the guide, with gamma 0.")
    expect(
        near(got[1], of_e * gain["e"]), f"e: its penalty is {of_e:.4f}, its gain {gain['e']:.2f}."
    )
    half, none = worth(0.5), worth(0)
    first, second = max(half, key=half.get), max(none, key=none.get)
    easy = max(new, key=share.get)
    expect(got[2] != second, f"{second} gains most, but its penalty is the smallest.")
    expect(
        got[2] != easy or easy == first,
        f"{easy} has the largest penalty, but gains {gain[easy]:.2f} only.",
    )
    counts = ", ".join(f"{name} {value:.3f}" for name, value in half.items() if name != first)
    expect(got[2] == first, f"who counts more than each of these: {counts}?")
    expect(got[3] == second, f"with gamma 0 all new ones have {base}: who gains most?")
    falls = {name: gain[name] * (base - share[name]) for name in (first, second)}
    even = base * (gain[second] - gain[first]) / (falls[second] - falls[first])
    expect(
        not near(got[4], (base * gain[second] - gain["a"]) / falls[second]),
        f"that is where {second} counts the same as a; the question is about {second} and {first}.",
    )
    expect(not near(got[4], 1 - even), "that is the part of the base, 1 - gamma.")
    sides = [f"{gain[j]:.2f} ({base} - {base - share[j]:.3f} gamma)" for j in (second, first)]
    expect(near(got[4], even), f"both penalties change: {sides[0]} is to be {sides[1]}.")


def judge_tests(got):
    mine = given(own_number())
    methods, sets, mean, s, folds = (mine[k] for k in ("methods", "sets", "mean", "sd", "folds"))
    limit, every, k = mine["limit"], methods * sets, 10 * folds
    expect(not near(got[0], every * 0.025), "both sides count: wins and losses.")
    expect(not near(got[0], sets * 0.05), f"that is one method; there are {methods}.")
    expect(near(got[0], every * 0.05), f"{every} tests, each with a chance of 0.05.")
    expect(
        not near(got[1], sets * 0.05),
        "that is how many to expect; the chance of at least one is asked.",
    )
    expect(not near(got[1], 0.95**sets), "that is the chance of none.")
    expect(not near(got[1], 1 - 0.95**every), f"of one method: {sets} tests, not {every}.")
    expect(
        not near(got[1], sets * 0.05 * 0.95 ** (sets - 1)),
        "that is exactly one; two or more count, too.",
    )
    expect(near(got[1], 1 - 0.95**sets), f"one less the chance that none of {sets} is.")
    plain, corrected = mean / (s / math.sqrt(20)), mean / (s * math.sqrt(1 / 20 + 1))
    expect(
        not near(got[2:4], [corrected, plain]), "the two are exchanged: correcting makes t smaller."
    )
    expect(not near(got[2], mean / s), "that is the mean over s; divide s by the root of twenty.")
    expect(not near(got[2], mean / (s / math.sqrt(10))), "there are twenty differences, not ten.")
    expect(near(got[2], plain), f"{mean:.3f} over {s:.3f} / sqrt(20).")
    expect(
        not near(got[3], mean / (s * math.sqrt(1 / 20 + 0.5))),
        "the ratio is that of test to training rows: halves, so 1.",
    )
    expect(not near(got[3], mean / (s * math.sqrt(1 / 10 + 1))), "k is twenty, not ten.")
    expect(near(got[3], corrected), f"{mean:.3f} over {s:.3f} times the root of 1/20 + 1.")
    learn = folds - 1
    right = limit * s * math.sqrt(1 / k + 1 / learn)
    for wrong, hint in (
        (
            limit * s * math.sqrt(1 / k + 1),
            f"a fold judges one part of {folds}, and {learn} learn.",
        ),
        (limit * s / math.sqrt(k), "that is not corrected: the ratio is missing."),
        (
            limit * s * math.sqrt(1 / k + 1 / folds),
            f"one part judges, and *{learn}* learn: 1/{learn}.",
        ),
        (
            limit * s * math.sqrt(1 / 10 + 1 / learn),
            f"ten times {folds} folds are {k} differences.",
        ),
        (right / limit, "that is the standard error: multiply by the limit."),
        (right / limit * 2.093, f"the limit is {limit}, with more differences."),
    ):
        expect(not near(got[4], wrong, 2e-4), hint)
    expect(
        near(got[4], right, 6e-4), f"the limit times the corrected standard error, with 1/{learn}."
    )


JUDGES = {
    "hw9-1": judge_entered,
    "hw9-2": judge_asked,
    "hw9-3": judge_guided,
    "hw9-4": judge_tests,
}
HELPERS = {
    "hw9-6": {"best_question": question_of_node},
    "hw9-9": {"marks": tested},
}
