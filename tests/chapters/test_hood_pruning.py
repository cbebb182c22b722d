"""Facts of the page behind chapter 4: pruned subtrees, votes, and what chance does."""

import re

import numpy as np
import pytest
from facts import Page, in_words

from treelab import DecisionTreeClassifier, DecisionTreeRegressor
from treelab.datasets import load_postoperative
from treelab.fast.pruning import reduced_error_pruning
from treelab.figures import pruning as figures
from treelab.figures.chi_squared import chi2_prepruning


def test_the_seven_pruned_subtrees_of_the_bakery(page):
    cakes = [7, 3, 7, 7, 7, 11, 7, 7, 7, 7]
    tree = DecisionTreeRegressor().fit(np.arange(1, 11).reshape(-1, 1), cakes).tree_
    risk = tree.impurity * tree.weighted_n_node_samples / 10
    cost = {}
    for inner in page.run("u03")["subtrees"](tree):
        leaves = {c for t in inner for c in (tree.children_left[t], tree.children_right[t])} - inner
        cost[inner] = sum(risk[t] for t in leaves or {0}) + 0.75 * (len(inner) + 1)
    page.says(f"It has {in_words(len(cost))} pruned subtrees, which are the root alone and 2 ways")
    least, second, *_ = sorted(cost.values())
    assert min(cost, key=cost.get) == {0, 1}  # node 1 is kept, node 4 pruned
    assert second > 3.69
    Page.of("pruning").says(
        rf"this tree is the cheapest at $\alpha=0.75$, with a cost of $1.4+3\cdot0.75={least:.2f}$"
    )


def test_what_a_standard_error_does_not_know(page):
    output = page.output("p28")
    (scatter,) = re.findall(r"its standard deviation (\S+)", output)
    se, low, high = re.search(r"\(se\) +(\S+), from (\S+) to (\S+)", output).groups()
    within = re.search(r"error: (\d+) of 100 sets", output)[1]
    page.says(f"its standard deviation from set to set is {scatter}, whereas `se` says {se} on")
    page.says(f"with nine tenths of its values between {low} and {high}.")
    page.says(f"within two `se` of the cross-validated error in {within} of 100 sets, not in 95.")
    Page.of("pruning").says(
        f"of the cross-validated error in only {within} of 100 data sets, rather than in 95."
    )


def test_votes_of_six_patients(page):
    patients = load_postoperative()
    hospital, _ = figures.tree_of_the_hospital(patients)
    codes = patients.iloc[:, :3].apply(lambda column: column.cat.codes).to_numpy()
    decision = (patients["decision"] == "icu").to_numpy().astype(int)
    smaller = reduced_error_pruning(hospital, codes, decision)
    before, after = (
        int((tree.predict(codes).argmax(axis=1) != decision).sum()) for tree in (hospital, smaller)
    )
    assert after == 0
    page.says(
        f"on the six patients from {in_words(before)} to none. The order of the visits matters."
    )


def test_the_chi_squared_test_is_blind_to_xor(page):
    corners = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 25)
    whole = DecisionTreeClassifier().fit(corners, corners[:, 0] ^ corners[:, 1])
    assert chi2_prepruning(whole).get_n_leaves() == 1
    page.says("it is blind to what lies below a split, and of XOR it leaves only the root.")


def test_the_chi_squared_test_on_noise(page):
    significant, grown, kept, _, _, _, root = map(
        float, re.findall(r"[\d.]+(?=[\s\]])", page.output("u24") + " ")
    )
    page.says(
        f"Almost always, namely in {200 * significant:.0f} of 200 sets. The first split is the"
    )
    page.says(f"Of {grown:.0f} leaves it keeps {kept:.0f} on average, where one would be right.")
    page.says(f"and then only the root is left in {100 * root:.0f} of 100 sets.")


@pytest.mark.parametrize("cell", ["u30", "u31"])
def test_no_column_of_the_comparison_is_lost(page, cell):
    columns = ["leaves", "error", "difference", "se", "naive", "better of 50"]
    assert page.table(cell).columns.tolist() == columns
