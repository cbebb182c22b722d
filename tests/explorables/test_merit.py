"""A set of features that a reader picks: every number against entropies of the plain functions."""

import re
from itertools import combinations

import pytest
from readers import number

from treelab.datasets import load_mushrooms
from treelab.impurity import entropy

PAGE, KIND = "notebooks/14_filters_and_searches.html", "merit"
STEPS = "160"  # enough to see all 16 sets
NAMES = ["color", "size", "spots", "brown"]
PUBLISHED = {  # of the three columns that the mushrooms come with
    "color": 0.1960126942482676,
    "size": 0.15650837515349558,
    "spots": 0.04998875940780444,
    "color size": 0.24728718691573134,
    "color spots": 0.17354494868997253,
    "size spots": 0.14601552414388624,
    "color size spots": 0.23079704045845187,
}


def uncertainty(a, b):
    """Symmetrical uncertainty of two columns: of the bits of both, those that they share."""
    once = [1] * len(a)
    alone = entropy(a, once) + entropy(b, once)
    return 2 * (alone - entropy(list(zip(a, b, strict=True)), once)) / alone


@pytest.fixture(scope="module")
def sums():
    """Mean relevance, mean redundancy, numerator, denominator and merit of all sets."""
    X, y = load_mushrooms(return_X_y=True)
    columns = {name: X[name].tolist() for name in X}
    columns["brown"] = [color == "brown" for color in columns["color"]]
    found = {frozenset(): (None, None, 0.0, 0.0, 0.0)}
    for k in range(1, 5):
        for some in combinations(NAMES, k):
            relevance = sum(uncertainty(columns[j], y.tolist()) for j in some) / k
            pairs = [uncertainty(columns[i], columns[j]) for i, j in combinations(some, 2)]
            redundancy = sum(pairs) / len(pairs) if pairs else None
            over, under = k * relevance, (k + k * (k - 1) * (redundancy or 0)) ** 0.5
            found[frozenset(some)] = (relevance, redundancy, over, under, over / under)
    return found


def members(state):
    return frozenset(name for j, name in enumerate(NAMES) if state["set"] >> j & 1)


def step(some, name):
    return "without" if name in some else "with"


def written(value):
    return "–" if value is None else f"{value:.3f}"


def test_merits_are_the_published_ones(sums):
    for names, merit in PUBLISHED.items():
        assert sums[frozenset(names.split())][-1] == pytest.approx(merit, abs=1e-12)


def test_every_number_is_that_of_the_plain_functions(explored, sums):
    merits = {some: row[-1] for some, row in sums.items()}
    for record in explored["records"]:
        some, told = members(record["state"]), record["state"]["guess"] is not None
        assert [name for name in record["pressed"] if name in NAMES] == [
            name for name in NAMES if name in some
        ]
        values, (bars, means, fraction) = record["values"], record["pictures"]
        relevance, redundancy, over, under, merit = map(written, sums[some])
        rank = f"{1 + sum(other > merits[some] for other in merits.values())} of 16"
        shown = [over, under, merit, rank] if told or len(some) < 2 else ["?"] * 4
        assert list(values.values()) == [relevance, redundancy, *shown]
        alone = [written(merits[frozenset([name])]) for name in NAMES]
        after = [written(merits[some ^ {name}]) if told else "?" for name in NAMES]
        steps = [step(some, name) for name in NAMES]
        rows = [text for name in zip(NAMES, alone, strict=True) for text in name]
        rows += [text for name in zip(steps, after, strict=True) for text in name]
        assert [text for text in bars if text in rows] == rows
        assert means[-4:] == ["mean relevance", relevance, "mean redundancy", redundancy]
        k = len(some)
        assert fraction[0] == f"{k} × {relevance}"
        assert fraction[1] == (f"√({k} + {k * k - k} × {redundancy})" if k > 1 else f"√{k}")
        result = f"{over} / {under} = {merit}" if k else "0: the set is empty"
        assert fraction[2] == f"= {result if told or k < 2 else '?'}"


def test_words_tell_the_best_step_and_what_lowers_the_merit(explored, sums):
    merits = {some: row[-1] for some, row in sums.items()}
    lowered = set()
    for record in explored["records"]:
        some, said, guess = members(record["state"]), record["sentence"], record["state"]["guess"]
        *first, last = [name for name in NAMES if name in some] or ["no feature"]
        named = f"{', '.join(first)} and {last}" if first else last
        assert said.startswith(named.capitalize())
        if guess is None:
            assert said.endswith("A guess, or Skip, shows every merit.")
            assert "Best step" not in said
            continue
        best = max(NAMES, key=lambda name: merits[some ^ {name}])
        if some == max(merits, key=merits.get):
            assert "No step raises the merit." in said
        else:
            assert f"Best step: {step(some, best)} {best}, {merits[some ^ {best}]:.3f}." in said
        lowers = some | {"color"}, some - {"color"}
        if merits[lowers[0]] < merits[lowers[1]]:
            lowered.add(some)
            other = f"{step(some, 'color')} color {merits[some ^ {'color'}]:.3f}"
            words = f"Color, of relevance 0.196, lowers it: {other}, for brown has told most."
            assert said.endswith(words)
        else:
            assert said.endswith("lower a merit? Find such a set.")
        for name in ("size", "brown"):  # no other relevant feature lowers the merit of any set
            assert merits[some | {name}] > merits[some - {name}]
        if guess == -1:
            assert record["verdict"] == ""
            continue
        own = merits[frozenset(["color", NAMES[guess + 1]])]
        assert record["verdict"].startswith("Yes" if NAMES[guess + 1] == "size" else "No")
        assert number(record["verdict"]) == pytest.approx(own, abs=0.00051)
        every = {float(x) for x in re.findall(r"0\.\d+", record["verdict"])}
        assert every == {round(merits[frozenset(["color", name])], 3) for name in NAMES[1:]}
    assert len(lowered) == 4


def test_buttons_do_what_they_say(explored, sums):
    best = max(sums, key=lambda some: sums[some][-1])
    shown, pressed = 0, set()
    for before, record in zip(explored["records"], explored["records"][1:], strict=False):
        old, new, did = members(before["state"]), members(record["state"]), record["did"]
        told = before["state"]["guess"] is not None
        if did == "Show the best":
            assert new == (best if told else old)
            shown += told
        elif did in NAMES:
            assert new == old ^ {did}
            pressed.add(did)
    assert shown > 3
    assert pressed == set(NAMES)
    states = [record["state"] for record in explored["records"]]
    assert {state["set"] for state in states if state["guess"] is not None} == set(range(16))
    assert len({state["set"] for state in states if state["guess"] is None}) > 3
