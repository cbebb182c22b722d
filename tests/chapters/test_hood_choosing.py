"""Facts of the page behind chapter 15: tests, levels, copies, and errors of procedures."""

import re

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT

from treelab.fast.selection.boruta import decisions


@pytest.fixture(scope="module")
def shadows():
    """The states of Boruta's runs on drawn tables, and what a coin would do."""
    return pd.read_csv(ROOT / "notebooks" / "replications" / "shadows.csv")


def verdicts(hits, runs, features, **settings):
    """1 for each confirmed feature, -1 for each rejected one."""
    return decisions(hits, runs, features, alpha=0.05, **settings)["verdict"].tolist()


def test_two_ways_to_pay_for_many_tests(page):
    assert verdicts([8, 7, 6, 4, 1, 0], 8, 6) == [1, 0, 0, 0, 0, -1]
    after_seven = [7, 6, 5, 3, 1, 0]
    assert not any(verdicts(after_seven, 7, 6))
    assert verdicts(after_seven, 7, 6, two_step=False) == [1, 0, 0, 0, 0, -1]
    level = decisions(after_seven, 7, 6, alpha=0.05, two_step=False)["level"]
    page.says(
        f"Bonferroni's 0.05/6 = {level:.4f} would have decided on the first and the last column "
        "one run earlier."
    )


def test_sixty_features(page):
    runs = next(r for r in range(1, 100) if 0.5**r <= 0.05 / 60)
    page.says(f"Among 60 columns its level asks for {in_words(runs)} runs without a miss.")
    found = verdicts([8, 7, 6, 4, 1, 0] + [0] * 54, 8, 60)
    assert found == [0] * 5 + [-1] * 55
    page.says(f"where {len(found) - 6} more columns lose the first eight runs, these are rejected")
    assert verdicts([9, 8, 7, 5, 2], 9, 60) == [1, 0, 0, 0, 0]
    page.says("these are rejected, and one run later a column without a miss is confirmed.")


def test_what_a_coin_reaches(page, shadows):
    coin = shadows[shadows["study"] == "coin"]["value"]
    two_steps, bonferroni = coin
    page.says(
        f"a coin among ten columns is confirmed with a chance of {two_steps:.3f} by the two steps "
        f"at 0.05, and {bonferroni:.3f} by Bonferroni at 0.01."
    )
    ten = (100 * (1 - (1 - coin) ** 10)).round().astype(int)
    page.says("Already with ten coins the looks add up, to {} and {}.".format(*ten))


def test_what_noise_reaches(page, shadows):
    noise = shadows[shadows["study"] == "noise"]
    found = noise["states"].str.count("C") > 0
    by_method = 100 * found.groupby(noise["method"]).mean()
    (both,) = set(by_method.filter(like="treelab"))
    page.says(f"Here it is {both:g} for both. On the first 50 tables")
    first = found[noise["set"] < 50].groupby(noise["method"]).sum()
    loop, ours = (first[f"{who}, two steps, 0.05"] for who in ("loop", "treelab"))
    page.says(
        f"On the first 50 tables the loop is fooled on {in_words(loop)}, treelab on "
        f"{in_words(ours)}."
    )


def test_sets_drawn_at_random(page):
    jaccard, nogueira = (page.table("chh008")["value"][name] for name in ("jaccard", "nogueira"))
    page.says(
        f"the mean Jaccard index, {jaccard:.2f}, looks like agreement; Nogueira's measure, "
        f"{nogueira:.2f}, says lot."
    )
    inside, lots = map(int, re.findall(r"\d+", page.output("hch60"))[1:])
    page.says(f"about as often as it should, in {100 * inside / lots:.0f} of 100.")


def test_the_error_of_the_whole_procedure(page):
    table = page.table("chh014")
    least, whole = (
        "{:.2f}, {:.2f} and {:.2f}".format(*table[name]) for name in ("least of the path", ".632+")
    )
    page.says(
        f"The path's least errors look like a find, {least}; the .632+ estimate of the whole "
        f"choice, {whole}, is nearer to the half."
    )
    assert (np.abs(table[".632+"] - 0.5) < np.abs(table["least of the path"] - 0.5)).all()


def test_a_threshold_that_nothing_misses(page):
    lines = re.findall(
        r"(mdi|oob) (\d+) pass, (\d+) real; bar (\S+) least mean (\S+)", page.output("hch67")
    )
    passed = {kind: [int(row[1]) for row in lines if row[0] == kind] for kind in ("mdi", "oob")}
    assert {row[2] for row in lines} == {"5"}
    (every,) = set(passed["mdi"])
    page.says(f"By impurity all {every} pass: the least mean is more than three times the bar")
    assert all(float(row[4]) > 3 * float(row[3]) for row in lines if row[0] == "mdi")
    page.says(
        f"Out of bag {in_words(min(passed['oob']))} to {in_words(max(passed['oob']))} pass, the "
        "five among them."
    )


def test_sizes_of_both_programs(page):
    theirs = re.search(r"RFECV \[(.*?)\]", page.output("hch61"))[1].split(", ")
    page.says(f"On its own it has only {in_words(len(theirs))} to choose from.")


def test_wrong_days_of_the_plain_elimination(page):
    errors = re.findall(r"0\.\d+", page.output("hch64"))
    wrong = [in_words(round(12 * float(error))) for error in errors]
    page.says(
        "sets of five, four, three and two columns were wrong on {}, {}, {} and {}".format(*wrong)
    )
