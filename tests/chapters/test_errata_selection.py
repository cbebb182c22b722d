"""The calculations behind the page of errata: feature selection, and entries added with it.

Numbers printed in the sources' tables are quoted here as data. Each entry of book/errata names
the test that backs it; `test_errata.py` checks that.
"""

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from places import ROOT
from replicated import load_script
from scipy import stats
from sklearn.ensemble import RandomForestRegressor as TheirForest

from treelab import DecisionTreeClassifier, DecisionTreeRegressor, ID3Classifier
from treelab.datasets import load_mushrooms, make_friedman1
from treelab.fast.importance import conditional_mutual_information, mean_decrease_impurity
from treelab.fast.impurity import entropy
from treelab.fast.selection import (
    SubsetSelector,
    clustered_importance,
    combined_importance_table,
    ranks_by_cluster,
    response_bins,
)

ERRATA = ROOT / "book" / "errata" / "thesis.md"
bicycles = load_script("bicycles_end_to_end")


def split_into_all(orders):
    """Whether one cut in one of the orders can make every split of the points into two groups."""
    n = len(orders[0])
    groups = {frozenset(o[i:j]) for o in orders for k in range(n + 1) for i, j in [(0, k), (k, n)]}
    return len(groups) == 2**n


def test_a_stump_shatters_few_points():
    """Each feature puts m points in an order, and a stump takes the first or the last k of one."""
    three, four = [list(permutations(range(m))) for m in (3, 4)]
    assert any(split_into_all([three[0], o]) for o in three)  # two features
    assert not any(split_into_all([four[0], o]) for o in four)
    assert any(split_into_all([four[0], a, b]) for a in four for b in four)  # three features

    def enough(m, d):  # each of d orders gives two groups of the middle size
        return math.comb(m, m // 2) <= 2 * d

    found = {d: max(m for m in range(1, 20) if enough(m, d)) for d in (2, 3, 4, 100)}
    assert found == {2: 3, 3: 4, 4: 4, 100: 9}


def test_id3_has_a_branch_for_each_number():
    table = pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6]})
    assert ID3Classifier().fit(table, [0, 0, 0, 1, 1, 1]).get_n_leaves() == 6
    assert DecisionTreeClassifier().fit(table, [0, 0, 0, 1, 1, 1]).get_n_leaves() == 2


def test_a_limited_depth_does_not_fill_a_tree():
    y = 3.0 ** np.arange(30)
    tree = DecisionTreeRegressor(max_depth=6).fit(np.arange(30)[:, None], y)
    assert (tree.get_depth(), tree.get_n_leaves()) == (6, 7)


def test_what_many_voters_gain():
    for n in (11, 101, 1001):  # the slope of P(n, p) at p = 1/2
        slope = n * stats.binom.pmf((n - 1) // 2, n - 1, 0.5)
        rest = slope - math.sqrt(2 * n / math.pi)
        assert rest * math.sqrt(n) == pytest.approx(0.2, abs=0.002)
    right = [0.4 + 0.6 * stats.binom.sf((n - 1) // 2, n, 0.49) for n in (1, 101, 10001)]
    assert right == pytest.approx([0.694, 0.652, 0.414], abs=5e-4)


def test_a_forest_has_more_bias_and_correlated_trees():
    X_new, truth = make_friedman1(100, random_state=99)
    tree, forest, members = [], [], []
    for s in range(12):
        X, y = make_friedman1(100, random_state=s)
        tree.append(DecisionTreeRegressor().fit(X, y).predict(X_new))
        model = TheirForest(12, max_features=3, random_state=s).fit(X, y)
        forest.append(model.predict(X_new))
        members.append([member.predict(X_new) for member in model.estimators_])
    tree, forest, members = map(np.array, (tree, forest, members))

    def squared_bias(P):
        return np.mean((P.mean(axis=0) - truth) ** 2 - P.var(axis=0, ddof=1) / len(P))

    assert squared_bias(tree) < 5
    assert squared_bias(forest) > 8
    assert forest.var(axis=0).mean() > 1.2 * members.var(axis=0).mean() / 12


# --- linear models and filters --------------------------------------------------------


def test_deviations_add_up_to_nothing():
    x, y = np.array([1.0, 2, 4, 9]), np.array([2.0, 3, 3, 8])
    a, b = x - x.mean(), y - y.mean()
    assert [a.sum(), b.sum()] == pytest.approx([0, 0], abs=1e-12)
    assert a @ b / np.sqrt((a @ a) * (b @ b)) == pytest.approx(np.corrcoef(x, y)[0, 1])
    pooled = np.sqrt((a @ a + b @ b) / (4 + 4 - 2))
    assert pooled == pytest.approx(np.sqrt((np.var(x, ddof=1) + np.var(y, ddof=1)) / 2))


def test_degrees_of_freedom_of_the_f_test():
    """With 15 rows, one feature against four and an intercept; the page prints the exact share.

    F with the degrees of freedom of the thesis is the right F times a constant.
    """
    rng = np.random.default_rng(0)
    N, few, many = 15, 1, 4
    Z, y = rng.normal(size=(N, many)), rng.normal(size=(4000, N))

    def rss(p):
        A = np.column_stack([np.ones(N), Z[:, :p]])
        return np.sum((y - y @ A @ np.linalg.pinv(A)) ** 2, axis=1)

    def rejected(free):
        F = (rss(few) - rss(many)) / (many - few) / (rss(many) / free)
        return np.mean(F > stats.f.ppf(0.95, many - few, free))

    right, claimed, extra = N - many - 1, N - many + 1, many - few
    limit = stats.f.ppf(0.95, extra, claimed) * right / claimed
    exact = stats.f.sf(limit, extra, right)
    assert f"the test rejects {100 * exact:.2f} percent" in ERRATA.read_text(encoding="utf-8")
    assert rejected(right) == pytest.approx(0.05, abs=0.01)
    assert rejected(claimed) == pytest.approx(exact, abs=0.01)


def test_the_t_statistic_needs_the_unbiased_scale():
    N, P = 15, 4
    free = N - P - 1
    factor = math.sqrt(N / free)
    limit = stats.t.ppf(0.975, free)
    assert factor == pytest.approx(1.22, abs=0.005)
    assert 2 * stats.t.sf(limit / factor, free) == pytest.approx(0.099, abs=5e-4)


def test_the_first_component_is_the_loudest():
    rng = np.random.default_rng(0)
    group = np.repeat([0, 1], 100)
    X = np.column_stack([group, rng.normal(0, 10, size=200)])
    centered = X - X.mean(axis=0)
    direction = np.linalg.svd(centered, full_matrices=False)[2][0]
    assert abs(direction) == pytest.approx([0, 1], abs=0.01)
    assert abs(np.corrcoef(centered @ direction, group)[0, 1]) < 0.1
    assert DecisionTreeClassifier().fit(X, group).tree_.feature[0] == 0
    scaled = np.linalg.svd(centered / X.std(axis=0), full_matrices=False)[2]
    assert scaled**2 == pytest.approx(np.full((2, 2), 0.5))


def test_components_use_all_features_and_are_few():
    X = np.random.default_rng(0).normal(size=(5, 10))
    _, spread, loadings = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    assert np.count_nonzero(spread > 1e-9) == 4
    assert np.count_nonzero(loadings[:4]) == 4 * 10


def test_filters_see_one_feature_at_a_time():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    y = X[:, 0] ^ X[:, 1]
    assert [np.corrcoef(X[:, j], y)[0, 1] for j in (0, 1)] == pytest.approx([0, 0])
    alone = [conditional_mutual_information(X, y, j) for j in (0, 1)]
    assert alone == pytest.approx([0, 0], abs=1e-12)
    assert conditional_mutual_information(X, y, 1, [0]) == pytest.approx(1)


def test_a_p_value_threshold_of_forward_selection_is_no_level():
    found = {}
    for d in (10, 1):
        forward = SubsetSelector("forward", criterion="p_value", alpha=0.05)
        found[d] = 0
        for seed in range(300):
            rng = np.random.default_rng(seed)
            X, y = rng.normal(size=(100, 10)), rng.normal(size=100)
            found[d] += forward.fit(X[:, :d], y).n_features_ > 0
    assert found[10] == 107
    assert found[1] == pytest.approx(15, abs=3 * math.sqrt(300 * 0.05 * 0.95))
    expected = 300 * (1 - 0.95**10)
    assert found[10] == pytest.approx(expected, abs=3 * math.sqrt(expected * 0.95**10))


def test_stagewise_takes_many_steps():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(100, 2))
    A[:, 1] = 0.8 * A[:, 0] + 0.6 * A[:, 1]
    A -= A.mean(axis=0)
    residual, b = A @ [2, 1], np.zeros(2)
    size = (A**2).sum(axis=0)
    path = []
    for _ in range(50):
        j = np.argmax(np.abs(A.T @ residual) / np.sqrt(size))
        step = A[:, j] @ residual / size[j]
        b[j] += step
        residual -= step * A[:, j]
        path.append(b.copy())
    assert path[1] == pytest.approx([2.88, 0.30], abs=0.005)  # a refit would be done: 2 and 1
    assert path[-1] == pytest.approx([2, 1], abs=5e-4)


# --- elimination step by step ---------------------------------------------------------


def kept_sizes(P, share):
    """Sizes of the subsets of recursive elimination, exactly, down to two features."""
    share, sizes = Fraction(str(share)), []
    while (size := math.floor(share ** len(sizes) * P)) >= 2:
        sizes.append(size)
    return sizes


def test_many_steps_if_much_is_kept():
    steps = [math.ceil(math.log(1000) / -math.log(share)) for share in (0.1, 0.5, 0.8, 0.98)]
    assert steps == [3, 10, 31, 342]
    assert kept_sizes(1080, 0.8)[:4] == [1080, 864, 691, 552]  # as in the thesis's own tables


def test_the_cost_of_all_the_forests():
    half, fifth = kept_sizes(1080, 0.5), kept_sizes(1080, 0.8)
    assert [sum(s) / 1080 for s in (half, fifth)] == pytest.approx([1.995, 4.980], abs=5e-4)
    with_roots = [np.sum(np.sqrt(s)) / math.sqrt(1080) for s in (half, fifth)]
    assert with_roots == pytest.approx([3.30, 9.06], abs=0.005)
    assert [1 / (1 - math.sqrt(c)) for c in (0.5, 0.8)] == pytest.approx([3.41, 9.47], abs=0.005)


def test_how_many_models_subset_elimination_fits():
    def models(P, c, share):
        blocks, j = [], 0
        while (block := Fraction(str(share)) ** j * P / c) > 1:
            blocks.append(math.ceil(block))
            j += 1
        return sum(blocks)

    assert [models(1000, 20, share) for share in (0.5, 0.8)] == [101, 254]
    assert [math.ceil(math.log(1000) / -math.log(share)) for share in (0.5, 0.8)] == [10, 31]
    assert math.ceil(math.log(16000) / math.log(2)) == 14


def test_one_feature_more_by_rounding():
    def sizes(dropped):
        found = [1080]
        while True:
            full, rest = divmod(found[-1], 54)
            left = found[-1] - sum(int(dropped * block) for block in [54] * full + [rest])
            if left < 54:
                return found
            found.append(left)

    printed = [1080, 880, 717, 585, 477, 389, 317, 258, 210, 171, 140, 114, 93, 76, 62]
    assert 1 - 0.8 < 0.2
    assert sizes(1 - 0.8) == printed
    assert sizes(Fraction(1, 5)) == [
        1080, 880, 717, 584, 476, 388, 316, 257, 209, 170, 139, 113, 92, 75, 61
    ]  # fmt: skip
    assert 100 * 880 / 1080 == pytest.approx(81.5, abs=0.05)


def test_the_printed_inputs_are_those_of_casual_users():
    """Two of the five nearly tie, so that their order depends on the forest's random state."""
    orders = pd.read_csv(ROOT / "notebooks" / "replications" / "bicycles_ranked.csv")
    orders = orders.query("study == 'ranking'")
    first = orders["value"].str.split().str[:5]
    assert first.map(sorted).map(" ".join).eq("10 11 12 5 8").all()
    printed = first.map(" ".join).eq("5 8 11 10 12").groupby(orders["method"]).agg(["sum", "size"])
    assert printed.loc["treelab"].tolist() == [6, 15]
    assert printed.loc["scikit-learn"].tolist() == [5, 15]
    table = bicycles.whole_table()
    learn, *_ = bicycles.thirds(table, "random", 0)
    first = {}
    for target in ("cnt", "casual"):
        y = table[target].to_numpy(float)
        forest = bicycles.thesis_model("RFR", 0, n_estimators=50)
        forest.fit(table[bicycles.PUBLISHED].iloc[learn], y[learn])
        order = np.argsort(-mean_decrease_impurity(forest, normalize="tree"))
        first[target] = (order[:5] + 1).tolist()
    assert sorted(first["casual"]) == [5, 8, 10, 11, 12]
    assert first["cnt"][:2] == [5, 1]


def test_times_are_not_in_proportion_to_the_features():
    """Seconds with 3, with 5 and with all 13 features, from the thesis's two tables."""
    times = [(8.554, 9.741, 14.753), (3.326, 4.71, 10.845), (1.523, 2.124, 4.227)]
    times += [(0.118, 0.120, 0.220), (460.213, 554.458, 852.523), (228.272, 343.378, 773.453)]
    ratio = np.array([[three / every, five / every] for three, five, every in times])
    assert [ratio.min(), ratio.max()] == pytest.approx([0.295, 0.660], abs=5e-4)
    assert (ratio > [3 / 13, 5 / 13]).all()


def test_the_yardstick_is_the_path_itself():
    """The columns "Val" and "Perc std" of two tables of the thesis."""
    val = [6.601, 6.562, 6.550, 6.545, 6.589, 6.725, 6.930, 7.148, 7.595, 7.563]
    perc = [0.142, 0.043, 0.012, 0, 0.113, 0.456, 0.975, 1.527, 2.659, 2.576]
    subset, subset_perc = [6.601, 6.550, 6.502, 6.529, 6.604], [2.474, 1.210, 0, 0.685, 2.558]
    for errors, printed in [(val, perc), (subset, subset_perc)]:
        assert (errors - np.min(errors)) / np.std(errors) == pytest.approx(printed, abs=0.011)
    assert [np.std(val), np.std(subset)] == pytest.approx([0.395, 0.040], abs=5e-4)
    assert np.std(val[:5]) == pytest.approx(0.022, abs=5e-4)  # the same path, stopped at 67


def test_tables_that_cannot_both_be_right():
    """Printed values of the thesis's tables 4.3.5, 4.3.9, 4.3.36 and 4.3.42."""
    errors = {115: (2.739, 7.853, 6.612), 92: (2.825, 7.833, 6.547)}
    val = [6.586, 6.680, 6.613, 6.652, 6.551, 6.651, 6.663, 6.615, 6.689, 6.612, 6.547, 6.716]
    assert min(val) == errors[92][2] < errors[115][2]  # the least, so alpha = 0 takes 92
    means, with_all = [6.664, 6.638, 6.635, 6.647], 6.585
    assert min(means) > with_all  # yet all 32 parameter sets are said to lie below


def test_percent_and_percentile():
    shadows = [0.10, 0.20, 0.25, 0.30, 1.00]
    assert np.percentile(shadows, 75) == pytest.approx(0.30)
    assert 0.75 * max(shadows) == pytest.approx(0.75)
    assert stats.binom.sf(14, 20, 0.5) == pytest.approx(0.0207, abs=5e-5)  # 15 hits or more


def test_noise_is_confirmed_in_more_tables_than_the_level_says():
    table = pd.read_csv(ROOT / "notebooks" / "replications" / "shadows.csv")
    noise = table.query("study == 'noise' and method == 'treelab, Bonferroni, 0.01'")
    fooled = noise["states"].str.contains("C").sum()
    assert (len(noise), fooled) == (200, 31)
    assert stats.binom.sf(fooled - 1, 200, 0.01) < 1e-20  # 2 are expected


# --- regularized trees ----------------------------------------------------------------


def gain(x, y):
    """Information gain of a split on a feature that is 0 or 1, as is the class."""
    table = np.bincount(2 * x + y, minlength=4).reshape(2, 2)
    total = table.sum()
    left = sum(side.sum() / total * entropy(side) for side in table if side.any())
    return entropy(table.sum(axis=0)) - left


def grow(X, y, chosen, coefficient, rng=None):
    """A regularized random tree: add to `chosen` the features that it asks about.

    Without `rng`, new features are tried in the order of the columns, as printed.
    """
    M = X.shape[1]
    order = np.arange(M) if rng is None else rng.permutation(M)
    new = [int(m) for m in order if m not in chosen][: math.ceil(math.sqrt(M))]
    offers = [(gain(X[:, m], y), m) for m in chosen]
    offers += [(coefficient * gain(X[:, m], y), m) for m in new]
    best, m = max(offers, key=lambda offer: offer[0])
    if best > 1e-12:
        chosen += [] if m in chosen else [m]
        for value in np.unique(X[:, m]):
            side = X[:, m] == value
            grow(X[side], y[side], chosen, coefficient, rng)
    return chosen


@pytest.fixture(scope="module")
def coins():
    return np.random.default_rng(0).integers(2, size=(60, 16))


def test_the_last_feature_waits_for_its_turn(coins):
    y = coins[:, 15]
    printed = grow(coins, y, [], 0.5)
    assert (len(printed), printed[-1]) == (13, 15)
    drawn = [grow(coins, y, [], 0.5, np.random.default_rng(s)) for s in range(10)]
    assert np.mean([len(chosen) for chosen in drawn]) < 5
    assert all(15 in chosen for chosen in drawn)


def test_no_feature_enters_at_coefficient_zero(coins):
    y = coins[:, 15]
    assert grow(coins, y, [], 0, np.random.default_rng(0)) == []
    known = list(range(15))  # at 1, a node compares all of these, and up to four new ones
    grown = [grow(coins, y, known.copy(), 1, np.random.default_rng(s)) for s in range(5)]
    assert [chosen[15:] for chosen in grown] == [[15]] * 5  # and finds the best of all 16


def test_the_chosen_features_depend_on_the_seed(coins):
    noise = np.random.default_rng(1).integers(2, size=60)
    y = (coins[:, 0] + coins[:, 5] + coins[:, 9] + noise >= 2).astype(int)
    sets = {frozenset(grow(coins, y, [], 0.5, np.random.default_rng(s))) for s in range(6)}
    assert len(sets) == 6


def test_a_greedy_tree_misses_xor():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    assert grow(X, X[:, 0] ^ X[:, 1], [], 1, np.random.default_rng(0)) == []


def test_marks_that_chance_would_give():
    wins = {"RF": [(4, 6, 8), (3, 6, 9), (2, 14, 2), (0, 16, 2)]}
    wins["C4.5"] = [(1, 1, 16), (2, 0, 16), (5, 3, 10), (3, 3, 12)]
    assert sum(sum(row) for rows in wins.values() for row in rows) == 144
    without = 4 + 2  # C4.5 on HillValley, always 0.503, and all columns of waveform, twice
    assert [0.05 * 144, 0.05 * (144 - without)] == pytest.approx([7.2, 6.9])
    assert [0.05 * 72, 0.05 * (72 - without)] == pytest.approx([3.6, 3.3])
    marks = {name: sum(won + lost for won, lost, _ in rows) for name, rows in wins.items()}
    assert marks == {"RF": 51, "C4.5": 18}


def right_by_two_features(rng, n=100, anew=False):
    """How many more rows one feature gets right than the other: ten replicates, two folds.

    The rule of each is the nearest mean; both tell the classes equally well. Which of the two is
    the first is drawn once or, with `anew`, in each fold.
    """
    y = np.repeat([0, 1], n // 2)
    X = rng.normal(size=(n, 2)) + y[:, None]
    found = []
    for _ in range(10):
        halves = np.array_split(rng.permutation(n), 2)
        for train, test in (halves, halves[::-1]):
            low, high = (X[train][y[train] == k].mean(axis=0) for k in (0, 1))
            says = (X[test] > (low + high) / 2) == (high > low)
            first, second = (says == y[test][:, None]).mean(axis=0)
            found.append((first - second) * (rng.choice([-1, 1]) if anew else 1))
    return np.array(found)


@pytest.mark.parametrize(("anew", "expected"), [(False, [0.82, 0.02]), (True, [0.033, 0])])
def test_replicates_of_the_same_rows_mark_too_much(anew, expected):
    rng, marked = np.random.default_rng(0), []
    for _ in range(300):
        each = right_by_two_features(rng, anew=anew)
        paired = stats.ttest_1samp(each.reshape(10, 2).mean(axis=1), 0).pvalue
        t = each.mean() / math.sqrt((1 / 20 + 1) * each.var(ddof=1))
        marked.append([paired < 0.05, 2 * stats.t(19).sf(abs(t)) < 0.05])
    shares = np.mean(marked, axis=0)
    assert shares == pytest.approx(expected, abs=0.006)


def test_counts_run_out_of_rows():
    X, y = load_mushrooms(return_X_y=True)
    given_color = [conditional_mutual_information(X, y, f, ["color"]) for f in ("size", "spots")]
    assert given_color[0] == pytest.approx(given_color[1])  # a tie, already in the second step
    rng = np.random.default_rng(0)
    X, y = rng.integers(2, size=(40, 12)), rng.integers(2, size=40)
    chosen, left = [], entropy(np.bincount(y))
    while left > 1e-9:
        gains = {
            j: conditional_mutual_information(X, y, j, chosen) for j in range(12) if j not in chosen
        }
        best = max(gains, key=gains.get)
        chosen.append(best)
        left -= gains[best]
    assert len(chosen) == 7


# --- local selection ------------------------------------------------------------------


def masked(n, times, seed):
    """Rows of the dissertation's first example: e^|x1| + times * sin(x2), eight of noise."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.uniform(-5, 5, size=(n, 2)), rng.normal(size=(n, 8))])
    y = np.exp(np.abs(X[:, 0])) + times * np.sin(X[:, 1]) + rng.normal(size=n)
    return X, y


def importances(n, times, seed, n_trees, max_features=1 / 3):
    """scikit-learn's importances, with a third of the features at each node."""
    forest = TheirForest(n_trees, max_features=max_features, random_state=seed)
    return forest.fit(*masked(n, times, seed)).feature_importances_


def finds_both(importance):
    """Whether the two features that matter are the first two."""
    return set(np.argsort(importance)[-2:]) == {0, 1}


def test_the_masked_feature_is_seen():
    e = math.exp
    assert (e(10) - 1) / 10 - ((e(5) - 1) / 5) ** 2 == pytest.approx(1333.3, abs=0.05)
    assert 100 * (0.5 - math.sin(10) / 20) == pytest.approx(52.7, abs=0.05)
    found = [[finds_both(importances(1000, times, s, 20)) for s in range(5)] for times in (10, 1)]
    assert sum(found[0]) == 5
    assert sum(found[1]) <= 1


def test_where_the_sine_is_larger():
    x = np.linspace(-5, 5, 100001)
    visible = x[np.exp(np.abs(x)) < 10]
    assert [visible[0], visible[-1]] == pytest.approx([-math.log(10), math.log(10)], abs=2e-4)
    assert math.log(10) == pytest.approx(2.30, abs=0.005)


def test_candidates_mask_it():
    offered = [[finds_both(importances(1000, 1, s, 20, m)) for s in range(5)] for m in (1 / 3, 1.0)]
    assert sum(offered[0]) <= 1
    assert sum(offered[1]) == 5


def test_a_mean_of_forests_is_no_better_forest():
    each = np.array([importances(200, 8, s, 15) for s in range(12)])
    assert sum(finds_both(one) for one in each) <= 4
    assert finds_both(each.mean(axis=0))


def test_a_response_without_a_mean():
    """The term e^(z w q^2); of z alone its mean is e^(w^2 q^4 / 2), which has no mean over q."""
    w = np.arange(0.005, 10, 0.01)
    density = np.outer(stats.norm.pdf(w), stats.norm.pdf(w)) * 4 * 0.01**2  # of |w| and |q|
    spread = np.outer(w, w**2)  # given w and q, the exponent is normal
    for n, power in ((1000, 7.1), (10000, 13.5)):
        low, high = (
            (1 - (density * stats.norm.sf(limit * math.log(10) / spread)).sum()) ** n
            for limit in (power - 0.05, power + 0.05)
        )
        assert low < 0.5 < high  # that the largest of n terms is below ten to the limit
    reach = np.array([5.0, 10, 20])
    assert (np.diff(reach**4 / 2 - reach**2 / 2) > 0).all()  # against the normal density, w = 1


def test_what_is_left_to_explain():
    x, y, w, z, q = np.random.default_rng(0).normal(size=(5, 400000))
    explained = np.var(x * y + w * z * q)
    assert explained == pytest.approx(1 + 1, rel=0.02)
    assert explained / (explained + 10**2) == pytest.approx(0.0196, abs=5e-4)


def test_bins_of_the_answer_give_it_away():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1000, 3)), rng.normal(size=1000)
    old, new = np.arange(500), np.arange(500, 1000)
    group = np.searchsorted(np.quantile(y[old], [0.2, 0.4, 0.6, 0.8]), y)
    mean = np.array([y[old][group[old] == g].mean() for g in range(5)])
    sorter = DecisionTreeClassifier(max_depth=5).fit(X[old], group[old])
    errors = [np.mean((y[old] - mean[group[old]]) ** 2)]
    errors += [np.mean((y[new] - mean[sorter.predict(X[new])]) ** 2), y[new].var()]
    assert errors == pytest.approx([0.106, 1.53, 0.92], abs=0.005)


def test_a_scatter_is_no_threshold_for_a_mean():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 8))
    y = 3 * X[:, 0] + rng.normal(size=200)
    each = [
        TheirForest(15, max_features=1 / 3, random_state=s).fit(X, y).feature_importances_
        for s in range(10)
    ]
    mean, scatter = np.mean(each, axis=0), np.std(each, axis=0, ddof=1)
    assert mean[1:].min() > 3 * scatter[1:].max()


def test_one_candidate_of_up_to_five():
    X, y = masked(400, 10, 0)

    def scores(candidates):
        return [
            TheirForest(30, max_features=candidates, oob_score=True, random_state=0)
            .fit(X[:, :k], y)
            .oob_score_
            for k in (2, 5, 6)
        ]

    two, five, six = scores(1 / 3)
    assert five < two - 0.1
    assert six > five + 0.05
    assert np.ptp(scores(1.0)) < 0.03


def test_a_rank_in_the_toy_example():
    """The four importances of cluster 4, in the dissertation's table 2.1."""
    names = np.array(["x1", "x2", "Noise 1", "Noise 2"])
    assert names[np.argsort([-0.30, -0.50, -0.03, -0.17])].tolist() == [
        "x2", "x1", "Noise 2", "Noise 1"
    ]  # fmt: skip
    toy = [[0.5, 0.3, 0.7, 0.3], [0.3, 0.4, 0.1, 0.5], [0.05, 0.2, 0.15, 0.03],
           [0.15, 0.1, 0.05, 0.17]]  # fmt: skip
    table, ranks = combined_importance_table(toy, names=names), ranks_by_cluster(toy)
    assert ranks[:, 3].tolist() == [2, 1, 4, 3]
    printed = np.column_stack([ranks[:, :3], [2, 1, 3, 4]])
    assert printed.max(axis=1).tolist() == table["worst_rank"].tolist() == [2, 3, 4, 4]
    order = table.sort_values("intersection")["feature"].tolist()
    assert order == ["x1", "x2", "Noise 2", "Noise 1"]


def test_top_seven_holds_top_five():
    """How often each feature is in the top five and seven: intersection method, 50 runs."""
    five = {"x": 36, "y": 21, "w": 36, "z": 20, "q": 38}
    seven = {"x": 34, "y": 22, "w": 38, "z": 27, "q": 40}
    assert [name for name in five if seven[name] < five[name]] == ["x"]


def test_bins_of_a_score_cut_equals_apart():
    """Qualities 3 to 8, about as frequent as in a tenth of the white wines."""
    quality = np.repeat([3, 4, 5, 6, 7, 8], [2, 16, 146, 220, 88, 18])
    bins = [np.unique(part).tolist() for part in np.array_split(quality, 5)]
    assert bins == [[3, 4, 5], [5, 6], [6], [6, 7], [7, 8]]
    assert [np.unique(quality[rows]).tolist() for rows in response_bins(quality)] == bins
    together = response_bins(quality, ties="together")
    assert [np.unique(quality[rows]).tolist() for rows in together] == [[3, 4, 5], [6], [7, 8]]
    X = np.random.default_rng(0).normal(size=(100, 3))
    assert mean_decrease_impurity(DecisionTreeRegressor().fit(X, np.full(100, 6.0))).max() == 0
    X = np.random.default_rng(0).normal(size=(490, 3))
    found = clustered_importance(DecisionTreeRegressor(), X, quality, max_clusters=1)
    assert (found.ranks == 0).all(axis=0).tolist() == [False, False, True, False, False]


def test_counts_of_fifty_runs_have_errors():
    def z(first, second, n=50):
        p, q = first / n, second / n
        return (p - q) / math.sqrt(p * (1 - p) / n + q * (1 - q) / n)

    assert [z(18, 6), z(13, 9)] == pytest.approx([2.93, 0.97], abs=0.005)
