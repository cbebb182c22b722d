"""AdaBoost by hand: every number against the plain functions, for the reader's own stumps."""

import functools
import json
import re

import pytest
from browser_tools import HTML
from readers import number

from treelab import adaboost as plain
from treelab import cart
from treelab.datasets import load_bike_demand
from treelab.impurity import misclassification

PAGE, KIND = "notebooks/11_adaboost.html", "stump"
CASES = [(0.6, None), (0.5, 0), (0.4, None), (0.4, 0)]


def days():
    X, y = load_bike_demand("level", return_X_y=True)
    return X["temp"].tolist(), [1 if level == "High" else -1 for level in y]


def says(stump, x):
    cut, flip = stump
    return flip if x > cut else -flip


def after(stumps, x, y):
    """Weights of the cases and the scores of the vote, once these stumps have joined."""
    w, score = plain.normalized([1] * len(x)), [0] * len(x)
    for stump in stumps:
        wrong = [says(stump, v) != k for v, k in zip(x, y)]
        vote = plain.estimator_weight(sum(v for v, off in zip(w, wrong) if off))
        score = [s + vote / 2 * says(stump, v) for s, v in zip(score, x)]
        w = plain.reweight(w, wrong, vote)
    return w, score


def verdict(e, guess):
    """Words of the sentence that say whether a stump of this error may join."""
    if e == 0:
        return "its confidence would have no end"
    if e > 0.5 - 1e-9:
        return "worse than a coin" if e > 0.5 + 1e-9 else "a coin does as well"
    return "Answer the question first" if guess is None else "It may join"


def check(record, x, y):
    """Compare all numbers of a record."""
    state, values, sentence = record["state"], record["values"], record["sentence"]
    now, own = (state["cut"], state["flip"]), state["own"]
    w, score = after(state["stumps"], x, y)

    def error(stump):
        return sum(v for v, u, k in zip(w, x, y) if says(stump, u) != k)

    e, wrong = round(error(now), 9), sum(says(now, u) != k for u, k in zip(x, y))
    alpha = -plain.estimator_weight(0) / 2 if e == 1 else plain.estimator_weight(e) / 2
    assert record["sliders"]["cut"] == [now[0], f"{now[0]:g} °C"]
    assert number(values["error"]) == pytest.approx(e, abs=6e-5)
    assert number(values["alpha"]) == pytest.approx(alpha, abs=6e-5)
    for name, part in (("wrong", e), ("right", 1 - e)):
        if part:
            assert number(values[name]) == pytest.approx(1 / (2 * part), abs=6e-4)
        else:
            assert values[name] == "none"
    hot, heaviest = re.findall(r"[\d.]+", values["heavy"])
    assert float(heaviest) == pytest.approx(max(w), abs=6e-5)
    assert w[x.index(float(hot))] == pytest.approx(max(w))
    told = [wrong, e]
    found = re.match(
        r"Wrong days of this stump: (\d+) of 10, which weigh (\d\.\d+)", sentence
    ).groups()
    assert [float(f) for f in found] == pytest.approx(told, abs=6e-4)
    words = verdict(e, state["guess"])
    assert words in sentence
    coin = words == "a coin does as well"
    assert ("each stump that has just joined" in sentence) == (coin and bool(state["stumps"]))
    assert not re.search("Infinity|NaN|undefined", sentence + "".join(values.values()))
    if own:
        tree = cart.grow([[v] for v in x], y, w, max_depth=1, impurity=misclassification)
        least = sum(v for v, u, k in zip(w, x, y) if cart.predict(tree, [u]) != k)
        assert e == pytest.approx(least)
        yours = re.search(r"the one before had ([\d.]+)\.", sentence)[1]
        assert float(yours) == pytest.approx(error(own), abs=6e-4)
    if state["stumps"]:
        lost = sum(s * k < 1e-9 for s, k in zip(score, y))
        vote = f"Days that the vote of {len(state['stumps'])} gets wrong: {lost}."
        assert sentence.endswith(vote)
    else:
        assert "the vote of" not in sentence
    if state["stumps"] and now == tuple(state["stumps"][-1]):
        assert words == "a coin does as well"  # whatever joined last has error one half
    if state["guess"] in (None, -1) or not state["stumps"]:  # told once a stump has joined
        assert record["verdict"] == ""
    else:
        assert record["verdict"].startswith("Yes" if state["guess"] == 2 else "No, 0.5")
    return words, len(state["stumps"])


def test_every_number_is_that_of_the_plain_functions(explored):
    x, y = days()
    seen = [check(record, x, y) for record in explored["records"]]
    assert len({str(r["state"]) for r in explored["records"]}) > 100
    assert {words for words, _ in seen} == {verdict(*case) for case in CASES}


MANY = [[20.5, 1], [33.5, -1], [9.5, 1], [20.5, -1], [2, -1], [25, -1], [20.5, 1]]


@pytest.mark.parametrize("change", ["two hot days are high, too", "seven have joined"])
def test_other_days_and_longer_votes(change, tmp_path, explore):
    """On a copy of the page with other data: a stump without error, then a vote of many stumps."""
    x, y = days()
    page = (HTML / PAGE).read_text(encoding="utf-8")
    as_json = functools.partial(json.dumps, separators=(",", ":"))
    if change == "seven have joined":
        old, new = '"stumps":[],"own":null,"guess":null', f'"stumps":{MANY},"own":null,"guess":2'
    else:
        old, y = as_json(y), [*y[:-2], 1, 1]
        new = as_json(y)
    assert page.count(old) == 1
    (tmp_path / "_static").symlink_to(HTML / "_static")
    (tmp_path / PAGE).parent.mkdir()
    (tmp_path / PAGE).write_text(page.replace(old, new), encoding="utf-8")
    found = explore(PAGE, KIND, "60", "steps", book=tmp_path)
    assert found["problems"] == []
    words, joined = zip(*(check(record, x, y) for record in found["records"]), strict=True)
    assert max(joined) >= 7 or "its confidence would have no end" in words
