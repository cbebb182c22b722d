"""The calculations behind the page of errata: what a source says, and what is so.

Each entry of book/errata names the test that backs it; those on instability, the bootstrap,
bagging and forests are in `test_errata_forests.py`, those on boosting in `test_errata_boosting.py`,
those on importance in `test_errata_importance.py`, and those on feature selection, and whatever was
added with it, in `test_errata_selection.py`.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from ledger import pages_of_errata, slug
from sklearn.tree import DecisionTreeClassifier as TheirClassifier

from treelab import (
    C45Classifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    VarianceTreeRegressor,
)
from treelab.datasets import load_bike_rentals, load_mushrooms, load_vegetation
from treelab.fast.c45 import gain_table
from treelab.fast.growing import split_table
from treelab.fast.impurity import (
    entropy,
    gain_ratio,
    gini,
    impurity_table,
    information_gain,
    misclassification,
    split_impurity,
    split_information,
    squared_error,
)
from treelab.fast.pruning import cost_complexity_path, reduced_error_pruning

ERRATA = ["test_errata.py", "test_errata_forests.py", "test_errata_boosting.py"]
ERRATA += ["test_errata_importance.py", "test_errata_selection.py"]
PRUNING = ["../pruning/test_pruning.py", "../plain/test_plain_trees.py"]


def grow_xor(**parameters):
    """The four corners of a square, labeled by XOR, and a tree grown from them."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    y = X[:, 0] ^ X[:, 1]
    return DecisionTreeClassifier(**parameters).fit(X, y), X, y


# --- impurity ------------------------------------------------------------------------


def test_entropy_needs_its_minus_sign():
    p = np.array([0.5, 0.5])
    assert np.sum(p * np.log2(p)) == -1
    assert entropy(p) == 1


def test_entropy_is_least_where_order_is_greatest():
    assert entropy([8, 0]) == 0
    assert entropy([7, 1]) < entropy([6, 2]) < entropy([5, 3]) < entropy([4, 4]) == 1


def test_class_share_counts_the_class_not_the_region():
    """Region 1 of two, class 0 of three: the share needs the index of the class."""
    class_sums = np.array([[5, 3, 2], [1, 0, 9]])
    shares = class_sums / class_sums.sum(axis=1, keepdims=True)
    assert shares[1].tolist() == [0.1, 0.0, 0.9]
    assert shares.sum(axis=1).tolist() == [1, 1]
    assert gini(class_sums[1]) == pytest.approx(1 - 0.1**2 - 0.9**2)


@pytest.mark.parametrize("impurity", [gini, entropy])
def test_equal_shares_gain_nothing(impurity):
    criterion = impurity.__name__
    assert information_gain([[2, 2], [2, 2]], criterion=criterion) == 0
    assert information_gain([[3, 1], [1, 3]], criterion=criterion) > 0


def test_entropy_is_halved_to_meet_the_other_curves():
    at_half = [1, 1]
    assert gini(at_half) == misclassification(at_half) == entropy(at_half) / 2 == 0.5
    assert 2 * entropy(at_half) == 2


def test_split_information_is_no_purity():
    """It looks at the sizes of the branches alone, and rewards cutting off a single case."""
    assert split_information([[2, 0], [0, 2]]) == split_information([[1, 1], [1, 1]]) == 1
    one_case, halves = [[1, 0], [49, 50]], [[35, 15], [15, 35]]
    assert information_gain(one_case) == pytest.approx(0.0101, abs=5e-5)
    assert split_information(one_case) == pytest.approx(0.0808, abs=5e-5)
    assert gain_ratio(one_case) == pytest.approx(0.1247, abs=5e-5)
    assert gain_ratio(halves) == information_gain(halves) == pytest.approx(0.1187, abs=5e-5)
    assert information_gain(halves) > 10 * information_gain(one_case)


def test_average_gain_keeps_the_single_case_out():
    """The splits of the test above, as two columns of 100 rows of text."""
    y = np.repeat(["a", "b"], 50)
    single = np.where(np.arange(100) == 0, "this", "other")
    halves = np.where((np.arange(100) % 50 < 35) == (y == "a"), "left", "right")
    X = np.column_stack([single, halves]).astype(object)
    for rule, feature in ((False, 0), (True, 1)):
        model = C45Classifier(average_gain=rule, min_samples_leaf=1, pruning=None).fit(X, y)
        root = model.tree_.nodes[0]
        assert root.test.feature == feature
        assert root.ratio == pytest.approx([0.1247, 0.1187][feature], abs=5e-5)


def test_the_gain_of_dots_is_that_of_spots():
    X, y = load_mushrooms(return_X_y=True)
    gains = impurity_table(X, y).groupby(level=0)["gain"].first().round(3)
    assert gains[gains == 0.048].index.tolist() == ["spots"]
    assert "dots" not in X


def test_numbers_that_were_cut_or_rounded_early():
    mushrooms = impurity_table(*load_mushrooms(return_X_y=True)).groupby(level=0).first()
    assert mushrooms.loc["color", "remainder"] == pytest.approx(0.6935, abs=5e-5)
    assert mushrooms.loc["size", "gain"] == pytest.approx(0.1518, abs=5e-5)
    assert mushrooms.loc["color", "gain_ratio"] == pytest.approx(0.1564, abs=5e-5)
    X, y = load_vegetation("level", return_X_y=True)
    vegetation = impurity_table(X, y).groupby(level=0).first()
    assert vegetation.loc["stream", "gain_ratio"] == pytest.approx(0.3105, abs=5e-5)
    gini_gains = impurity_table(X, y, criterion="gini").groupby(level=0).first()["gain"]
    assert gini_gains["elevation"] == pytest.approx(0.3197, abs=5e-5)


def test_squared_sums_are_not_means():
    y = np.array([1.0, 2.0, 6.0, 9.0])
    deviations = (y - y.mean()) ** 2
    sums = [len(y), y.sum(), (y**2).sum()]
    assert squared_error(sums) == pytest.approx(deviations.mean())
    assert deviations.sum() == pytest.approx(len(y) * squared_error(sums))


def test_numbers_in_place_of_shares_scale_the_gain():
    table = np.array([[3, 1], [1, 5]])
    n, sizes = table.sum(), table.sum(axis=1)
    by_numbers = n * gini(table.sum(axis=0)) - sizes @ gini(table)
    assert by_numbers == pytest.approx(n * information_gain(table, criterion="gini"))
    assert split_impurity(table, "gini") == pytest.approx(sizes @ gini(table) / n)


# --- growing -------------------------------------------------------------------------


def test_half_the_difference_is_no_threshold():
    table = split_table([[10.0], [12.0]], ["a", "b"])
    assert table["threshold"].tolist() == [11]
    assert not 10 <= (12 - 10) / 2 < 12


def test_c45_cuts_at_a_value_that_occurs():
    X, y = [[10.0], [12.0]], ["a", "b"]
    for cut, threshold in (("data", 10), ("midpoint", 11)):
        model = C45Classifier(cut=cut, min_samples_leaf=1, pruning=None).fit(X, y)
        assert model.tree_.nodes[0].test.threshold == threshold
        assert model.predict(X).tolist() == y


def test_strict_inequalities_lose_a_row():
    x, s = np.array([1.0, 2.0, 3.0]), 2.0
    assert np.sum(~((x < s) | (x > s))) == 1
    tree = DecisionTreeRegressor().fit(x[:, None], [0, 0, 1])
    assert tree.tree_.threshold[0] == 2.5
    assert tree.apply([[2.5]]).tolist() == [1]  # on the threshold: left


def test_no_first_step_of_xor_gains_anything():
    stopped, X, y = grow_xor(min_impurity_decrease=1e-6)
    assert stopped.get_n_leaves() == 1
    grown, _, _ = grow_xor()
    assert grown.get_depth() == 2
    assert grown.score(X, y) == 1


def test_sample_variance_chooses_another_split():
    y = np.array([2.0, 0, 4, 1, 1, 9])
    X = np.array([[0, 1, 0, 0, 0, 1], [0, 1, 1, 0, 1, 1]]).T

    def remainder(x, ddof):
        return sum(np.mean(x == v) * np.var(y[x == v], ddof=ddof) for v in (0, 1))

    assert [round(remainder(x, 0), 2) for x in X.T] == [7.75, 8.25]
    assert [round(remainder(x, 1), 2) for x in X.T] == [14.83, 11.06]
    best = split_table(X, y, criterion="squared_error").query("best")
    assert best["feature"].tolist() == ["x[0]"]
    with np.errstate(all="ignore"), pytest.warns(RuntimeWarning):
        assert np.isnan(np.var([5.0], ddof=1))


def test_half_of_the_slides_leaves_hold_one_day():
    X, y = load_bike_rentals(return_X_y=True)
    trees = [VarianceTreeRegressor(ddof=ddof).fit(X, y).tree_ for ddof in (1, 0)]
    leaves = trees[0].is_leaf
    assert sorted(trees[0].weight[leaves]) == [1] * 4 + [2] * 4
    seasons = list(X.columns).index("season")
    assert [tree.nodes[0].test.feature for tree in trees] == [seasons, seasons]
    assert trees[0].nodes[0].gain == pytest.approx(1_379_331 + 1 / 3)


def test_a_tie_inside_the_vegetation_tree():
    table = load_vegetation("feet").query("elevation < 4175")
    X, y = table.drop(columns="vegetation"), table["vegetation"]
    cuts = split_table(X, y, criterion="entropy", categorical_features=["stream", "slope"])
    tied = cuts[np.isclose(cuts["gain"], cuts["gain"].max(), rtol=1e-12)]
    assert tied["test"].tolist() == ["stream in {false}", "elevation <= 2250"]
    assert tied["gain"].iloc[0] == pytest.approx(0.419973, abs=5e-7)


def test_the_tie_is_there_in_the_gain_table_too():
    table = load_vegetation("feet").query("elevation < 4175")
    X, y = table.drop(columns="vegetation"), table["vegetation"]
    plain = C45Classifier(
        criterion="gain", min_samples_leaf=1, mdl_correction=False, average_gain=False,
        adaptive_min_leaf=False, cut="midpoint",
    )  # fmt: skip
    offers = gain_table(X, y, estimator=plain).set_index(["feature", "threshold"])["gain"]
    stream, cut = offers["stream"].iloc[0], offers["elevation", 2250]
    assert stream == pytest.approx(cut, rel=1e-12)
    assert cut == pytest.approx(0.419973, abs=5e-7)
    assert offers.max() == pytest.approx(cut, rel=1e-12)


def test_friedmans_improvement_is_the_drop_in_squared_error():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.normal(size=40)
    cuts = split_table(X, y, criterion="squared_error")
    assert len(cuts) == 3 * 39
    for cut in cuts.itertuples():
        left = X[:, int(cut.feature[2])] <= cut.threshold  # the feature is called x[j]
        n_l, n_r = left.sum(), (~left).sum()
        improvement = n_l * n_r / (n_l + n_r) * (y[left].mean() - y[~left].mean()) ** 2
        assert 40 * cut.gain == pytest.approx(improvement)


def test_a_tree_as_deep_as_its_rows():
    X, y = np.arange(24)[:, None], 3.0 ** np.arange(24)
    assert DecisionTreeRegressor().fit(X, y).get_depth() == 23
    assert np.log2(24) < 5


def test_classes_that_take_turns_cost_n_squared():
    """Rows looked at in the nodes that are split, with one feature."""
    n = 256
    x = np.arange(n)[:, None]
    even = DecisionTreeRegressor().fit(x, x[:, 0]).tree_
    turns = DecisionTreeClassifier().fit(x, x[:, 0] % 2).tree_
    even, turns = (int(t.n_node_samples[~t.is_leaf].sum()) for t in (even, turns))
    assert even == n * np.log2(n) == 2048
    assert turns == n * (n + 1) // 2 - 1 == 32_895


def test_equal_columns_are_drawn_by_lot_elsewhere():
    x = np.random.default_rng(0).normal(size=(50, 1))
    X, y = np.repeat(x, 3, axis=1), (x[:, 0] > 0).astype(int)
    theirs = {TheirClassifier(random_state=i).fit(X, y).tree_.feature[0] for i in range(10)}
    ours = {DecisionTreeClassifier(random_state=i).fit(X, y).tree_.feature[0] for i in range(10)}
    assert len(theirs) > 1
    assert ours == {0}


# --- pruning -------------------------------------------------------------------------


def test_where_a_link_falls_two_trees_cost_the_same():
    tree = DecisionTreeRegressor().fit([[1], [2], [3], [4]], [1.0, 2.0, 6.0, 8.0]).tree_
    # As leaves: the pair 1, 2 has a squared error of 0.5, the pair 6, 8 of 2, the root of 32.75.
    R = {"whole": 0.0, "left cut": 0.5, "right cut": 2.0, "both cut": 2.5, "root": 32.75}
    leaves = {"whole": 4, "left cut": 3, "right cut": 3, "both cut": 2, "root": 1}
    alphas = cost_complexity_path(tree).alphas[1:]
    assert 4 * alphas == pytest.approx([0.5, 2.0, 30.25])
    for alpha in 4 * alphas:
        costs = sorted(R[name] + alpha * leaves[name] for name in R)
        assert costs[0] == pytest.approx(costs[1])
        assert costs[2] > costs[1] + 0.1


def test_the_price_of_a_leaf_must_not_depend_on_the_number_of_rows():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 2)), rng.normal(size=60)
    once = DecisionTreeRegressor(max_depth=4).fit(X, y).tree_
    twice = DecisionTreeRegressor(max_depth=4).fit(np.tile(X, (2, 1)), np.tile(y, 2)).tree_
    a, b = (cost_complexity_path(tree).alphas for tree in (once, twice))
    assert b == pytest.approx(a)
    W = [tree.weighted_n_node_samples[0] for tree in (once, twice)]
    assert W[1] * b == pytest.approx(2 * W[0] * a)  # prices of the sum that is not divided


def test_a_relevant_feature_is_split_too_finely():
    rng = np.random.default_rng(0)
    x = rng.uniform(size=(4, 500, 1))  # a single feature, and it matters
    y = (x[..., 0] > 0.5) ^ (rng.uniform(size=(4, 500)) < 0.2)
    stump = DecisionTreeClassifier(max_depth=1).fit(x[0], y[0])
    full = DecisionTreeClassifier().fit(x[0], y[0])
    assert full.score(x[0], y[0]) == 1 > stump.score(x[0], y[0])
    for k in (1, 2, 3):
        assert full.score(x[k], y[k]) < stump.score(x[k], y[k]) - 0.05


def test_ties_must_prune():
    """Both halves answer like their parent: no rise in errors, so the split has to go."""
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    tree = DecisionTreeClassifier().fit(X, [0, 0, 0, 1])
    fresh, answers = [[0.0], [3.0]], [0, 0]
    assert reduced_error_pruning(tree, fresh, answers).get_n_leaves() == 1
    level = DecisionTreeClassifier().fit(X, [0, 1, 1, 1])
    assert reduced_error_pruning(level, [[3.0]], [1]).get_n_leaves() == 1  # 0 errors against 0


def test_the_least_of_many_errors_flatters():
    """Twenty rules that guess, tried on 100 cases: the best of them seems to know something."""
    wrong = np.random.default_rng(0).binomial(100, 0.5, size=(1000, 20)) / 100
    assert wrong.mean() == pytest.approx(0.5, abs=0.005)
    assert wrong.min(axis=1).mean() < 0.42


# --- the page ------------------------------------------------------------------------


def test_every_entry_names_its_check():
    page = "\n".join(path.read_text(encoding="utf-8") for path in pages_of_errata())
    named = set(re.findall(r"`(test_\w+)`", page))
    here, elsewhere = set(), set()
    for name in [*ERRATA, *PRUNING]:
        file = (Path(__file__).parent / name).read_text(encoding="utf-8")
        tests = elsewhere if name in PRUNING else here
        tests |= set(re.findall(r"^def (test_\w+)", file, re.M))
    assert named <= here | elsewhere
    own = {"test_every_entry_names_its_check"}
    assert here - named == own | {"test_the_page_of_all_errata_lists_each_entry_once"}
    entries = re.split(r"^### ", page, flags=re.M)[1:]
    assert all(re.search(r"`test_\w+`|\{cite:p\}", entry) for entry in entries)


def test_the_page_of_all_errata_lists_each_entry_once():
    main, *others = pages_of_errata()
    text = main.read_text(encoding="utf-8")
    entries = {}
    for path in [main, *others]:
        name = "" if path == main else f"errata/{path.name}"
        for title in re.findall(r"^### (.*)$", path.read_text(encoding="utf-8"), re.M):
            assert title not in entries
            entries[title] = f"{name}#{slug(title)}"
    listed = re.findall(r"^- \[(.*?)\]\((.*?#.*?)\): ", text, re.M)
    assert len(listed) == len(entries) > 100
    assert dict(listed) == entries
    counts = dict(re.findall(r"\((errata/\w+\.md)\): (\d+) entries$", text, re.M))
    assert {name: int(n) for name, n in counts.items()} == {
        f"errata/{path.name}": path.read_text(encoding="utf-8").count("\n### ") for path in others
    }
