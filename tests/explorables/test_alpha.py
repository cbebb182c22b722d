"""The error that chose a set: every number against eliminations, and the rule by hand."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from readers import number, presses, verdicts

from treelab import RandomForestClassifier
from treelab.datasets import fetch_bike_sharing
from treelab.fast.selection import ForestRFE

PAGE, KIND = "notebooks/15_forests_choose.html", "alpha"


@pytest.fixture(scope="module")
def study():
    """The eliminations of the ten draws and of the new rows, each judged by its own rows."""
    X, y = fetch_bike_sharing("hour", return_X_y=True)
    rng = np.random.default_rng(2)
    noise = pd.DataFrame(rng.normal(size=(len(X), 100))).add_prefix("noise ")
    X, y = X.join(noise), np.where(y > 200, "busy", "calm")
    order = rng.permutation(len(X))
    learn, judges = order[:200], [order[2700 + 50 * d :][:50] for d in range(10)]
    others = np.ones(len(X), dtype=bool)
    others[learn] = others[np.concatenate(judges)] = False

    def eliminate(rows, alpha=1.0):
        rfe = ForestRFE(
            RandomForestClassifier(30), "alpha_sd", alpha=alpha, importance="mdi", step=0.35,
            error="validation", random_state=0,
        )  # fmt: skip
        return rfe.fit(X.iloc[learn], y[learn], held_out=(X.iloc[rows], y[rows]))

    draws = [eliminate(rows) for rows in judges]
    old = [{row["n_features"]: row["error"] for row in rfe.rounds_} for rfe in draws]
    new = eliminate(np.flatnonzero(others))
    new = {row["n_features"]: row["error"] for row in new.rounds_}
    ranked = [step["feature"] for step in draws[0].steps_]
    return SimpleNamespace(eliminate=eliminate, judges=judges, old=old, new=new, ranked=ranked)


def chosen(errors, alpha):
    """Threshold, and smallest size of at most that error, from the formulas."""
    of = list(errors.values())
    mean = sum(of) / len(of)
    limit = min(of) + alpha * (sum((e - mean) ** 2 for e in of) / len(of)) ** 0.5
    return limit, min(size for size, e in errors.items() if e <= limit + 1e-12)


def mean_errors(study, k):
    """Mean error of the ten chosen sets, in percent, on their own rows and on new ones."""
    sizes = [chosen(errors, k / 20)[1] for errors in study.old]
    own = np.mean([errors[size] for errors, size in zip(study.old, sizes, strict=True)])
    return 100 * own, 100 * np.mean([study.new[size] for size in sizes])


def state_of(record):
    state = record["state"]
    return state["draw"], state["k"], state["guess"] is not None


def test_all_draws_have_one_ranking_and_few_rows(study):
    assert list(study.old[0]) == [112, 72, 47, 30, 19, 12, 8, 5, 3, 2]
    assert all(errors.keys() == study.new.keys() for errors in study.old)
    assert all(round(50 * e, 9) == round(50 * e) for errors in study.old for e in errors.values())
    assert len({row for rows in study.judges for row in rows}) == 500


def test_thresholds_and_sets_are_those_of_the_package(explored, study):
    seen = {state_of(record)[:2]: record for record in explored["records"]}
    some = sorted(seen)[:: len(seen) // 7]
    assert len({draw for draw, _ in some}) > 5
    for draw, k in some:
        rfe = study.eliminate(study.judges[draw], alpha=k / 20)
        record = seen[draw, k]
        assert number(record["values"]["limit"]) == pytest.approx(100 * rfe.limit_, abs=0.0051)
        kept = list(rfe.get_feature_names_out())
        assert f" {len(kept)} of 112 columns: " in record["sentence"]
        assert named(record["sentence"]) == len([name for name in kept if "noise" in name])


def named(sentence):
    """How many noise columns a sentence tells."""
    found = re.search(r"and (\d+) noise columns?\.", sentence)
    return int(found[1]) if found else 0


def test_every_number_is_that_of_the_eliminations(explored, study):
    assert len({str(record["state"]) for record in explored["records"]}) >= 200
    least = min(range(41), key=lambda k: mean_errors(study, k)[1])
    told_best, said = set(), ": up to {} will do. The smallest such set has {} of 112 columns: {}. "
    for record in explored["records"]:
        draw, k, told = state_of(record)
        alpha, values, sentence = k / 20, record["values"], record["sentence"]
        limit, size = chosen(study.old[draw], alpha)
        own, new = 100 * study.old[draw][size], 100 * study.new[size]
        means = mean_errors(study, k)
        assert record["sliders"] == {"k": [k, f"{alpha:.2f}"], "draw": [draw, f"{draw + 1} of 10"]}
        shown = [limit * 100, own, means[0], *([new, means[1]] if told else [])]
        keys = ["limit", "old", "oldMean", *(["new", "newMean"] if told else [])]
        for key, value in zip(keys, shown, strict=True):
            near = 0.0051 if key == "limit" else 0.051
            assert number(values[key]) == pytest.approx(value, abs=near)
        assert told or values["new"] == values["newMean"] == "?"

        names = study.ranked[:size]
        noise = sum(name.startswith("noise ") for name in names)
        assert values["noise"] == f"{noise} of {size}"
        real = [name for name in names if not name.startswith("noise ")]
        set_of = ", ".join(real) if size < 112 else "all 12 real columns"
        set_of += f" and {noise} noise column{'s' * (noise > 1)}" if noise else ""
        start = f"Draw {draw + 1}, α = {alpha:.2f}"
        told_best.add(told and k == least)
        if told and k == least:
            start += ": best on new rows, which nobody has yet. "
            assert sentence.startswith(start + f"It keeps {size} of 112 columns: {set_of}. ")
        else:
            assert sentence.startswith(start + said.format(values["limit"], size, set_of))
        if not told:
            assert sentence.endswith("A guess, or Skip, shows its error on new rows.")
            continue
        more = f"{abs(new - own):.1f} points {'more' if new >= own else 'less'}."
        own_words, new_words = f"{values['old']} of the 50 rows", f"{values['new']} of new ones"
        assert sentence.endswith(f"Wrong: {own_words}, {new_words}, {more}")
    assert told_best == {True, False}


def test_pictures_tell_the_sum_and_wait_for_the_answer(explored, study):
    for record in explored["records"]:
        draw, k, told = state_of(record)
        path, sizes, average = record["pictures"]
        errors = [100 * e for e in study.old[draw].values()]
        limit = record["values"]["limit"]
        least, sd = min(errors), np.std(errors)
        sums = re.fullmatch(r"dotted: least \+ α × sd = (.+) \+ (.+) × (.+) = (.+)", path[-1])
        assert [float(sums[i]) for i in (1, 2)] == [pytest.approx(least), k / 20]
        assert float(sums[3]) == pytest.approx(sd, abs=0.00051)
        assert sums[4] == limit
        for texts in (path, average):
            assert ("new rows" in texts) == told
            assert "50 rows" in texts
        assert sizes[:10] == [str(size) for size in reversed(study.old[0])]


def test_verdict_tells_both_means(explored, study):
    own, new = mean_errors(study, 0)
    assert own < new - 5
    for guess, verdict in verdicts(explored["records"]):
        assert verdict.startswith("Yes: " if guess == 0 else "No, too low: ")
        assert f"{own:.1f}% on average at α = 0, and {new:.1f}% on new rows" in verdict


def test_best_alpha_is_shown_after_a_guess_only(explored, study):
    least = min(range(41), key=lambda k: mean_errors(study, k)[1])
    moved = 0
    for before, record in presses(explored["records"], "Show the best α"):
        told = state_of(before)[2]
        assert state_of(record)[1] == (least if told else state_of(before)[1])
        moved += told
    assert moved > 2
