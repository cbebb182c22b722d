"""Facts of chapter 5: gains and ratios, parts of a row, predicted errors, and real data."""

import numpy as np
import pandas as pd
import pytest
from facts import in_words

from treelab import C45Classifier, ID3Classifier, c45, datasets
from treelab.fast.c45 import gain_table, predicted_errors
from treelab.fast.impurity import entropy, gain_ratio, information_gain, split_information
from treelab.figures.c45 import first_choices

QUINLAN = C45Classifier(variant="release8")


def errors_of(*leaves, confidence=0.25):
    """The errors that the chapter's program predicts for leaves of N rows and E errors each."""
    return sum(predicted_errors(N, E, confidence, variant="release8") for N, E in leaves)


@pytest.fixture(scope="module")
def places():
    return datasets.load_vegetation(return_X_y=True)


@pytest.fixture(scope="module")
def golf():
    return datasets.load_golf("gap", return_X_y=True)


@pytest.fixture(scope="module")
def tree(golf):
    """The tree of the fourteen mornings."""
    return C45Classifier(variant="release8").fit(*golf)


@pytest.fixture(scope="module")
def letters():
    """Fourteen letters, of strangers or not, replied to or not."""
    counts = {"nyk": 6, "nnk": 2, "nns": 1, "ynk": 1, "yns": 4}
    words = {"n": "no", "y": "yes", "k": "keep", "s": "spam"}
    rows = [[words[c] for c in letter] for letter, n in counts.items() for _ in range(n)]
    table = pd.DataFrame(rows, columns=["stranger", "reply", "class"])
    return table[["stranger", "reply"]], table["class"]


def test_the_gain_of_the_elevation(page, places):
    X, y = places
    kinds = y.value_counts().loc[["chaparral", "conifer", "riparian"]].tolist()
    root = entropy(kinds)
    page.says(
        "The root contains {} places with chaparral, {} with conifers and {} with riparian".format(
            *map(in_words, kinds)
        )
        + f" vegetation, so its entropy is {root:.4f} bits."
    )
    levels = pd.crosstab(X["elevation"], y)
    sizes, bits = levels.sum(axis=1), levels.apply(entropy, axis=1)
    assert sizes[["low", "highest"]].tolist() == [1, 1]
    page.says(
        "The *medium* branch contains one place with chaparral and one with riparian vegetation, "
        "so its entropy is "
        f"{bits['medium']:g} bit."
    )
    assert levels.loc["medium", ["chaparral", "riparian"]].tolist() == [1, 1]
    assert levels.loc["high", "chaparral"] == 2
    page.says(
        "The *high* branch contains three places, two of which have chaparral, so its entropy is "
        f"{bits['high']:.4f} bits."
    )
    remainder = (sizes * bits).sum() / len(y)
    page.says(
        rf"$\frac27 \cdot 1 + \frac37 \cdot {bits['high']:.4f} = {remainder:.4f}$, so the gain is "
        f"${root:.4f} - {remainder:.4f}$, or {root - remainder:.3f} bits."
    )


def test_the_split_information_of_a_number(page, places):
    X, y = places
    numbered = X.assign(number=[f"no. {i}" for i in range(1, 8)])
    splits = gain_table(numbered, y, estimator=ID3Classifier()).set_index("feature")
    assert splits["gain_ratio"].round(3).tolist() == [0.311, 0.503, 0.476, 0.554]
    assert np.isclose(split_information([[1, 0]] * 7), np.log2(7))
    page.says(
        rf"is $\log_2 7 = {np.log2(7):.3f}$ bits for the seven branches of the number "
        f"and {splits['split_information']['elevation']:.3f} bits for the four branches of "
        "elevation."
    )
    ratio = splits["gain_ratio"]
    assert ratio["elevation"] < ratio["slope"] < ratio["number"] == ratio.max()
    page.says("By gain ratio, slope ranks above elevation, but the place number still ranks first.")
    page.says(
        f"For the seven places it is ${splits['gain']['number']:.3f}/{np.log2(7):.3f} = "
        f"{ratio['number']:.3f}$, which is still more than the ratio of the elevation."
    )
    verdicts = gain_table(numbered, y, estimator=QUINLAN).set_index("feature")["verdict"]
    assert verdicts["slope"] == verdicts["number"] == "fewer than two branches with enough weight"
    assert (X["slope"].value_counts() >= 2).to_dict() == {
        "steep": True,
        "moderate": False,
        "flat": False,
    }


def test_the_ratio_fails_and_the_average_gain_does_not(page):
    y = np.repeat(["a", "b"], 50)
    two_rows = np.where(np.arange(100) < 2, "these", "others")
    halves = np.where((np.arange(100) % 50 < 35) == (y == "a"), "left", "right")
    splits = gain_table(pd.DataFrame({"A": halves, "B": two_rows}), y, estimator=QUINLAN)
    assert splits["verdict"].tolist() == ["chosen", "below average gain"]
    (A, B), gains = splits["gain_ratio"], splits["gain"]
    assert B > A
    page.says("Split B has the larger gain ratio, because its small gain is divided by a small")
    page.says(f"The mean of the two gains is {gains.mean():.4f}, so split B is excluded.")
    page.says(
        f"a gain of {gains[1]:.4f} bits has the larger ratio, compared with a gain of "
        f"{gains[0]:.4f} bits."
    )
    shown = page.table("c17").loc[["A", "B"], ["gain", "ratio"]].to_numpy()
    assert np.allclose(shown, splits[["gain", "gain_ratio"]], atol=5e-5)


def test_a_number_pays_for_the_search(page, golf):
    humid = gain_table(*golf, estimator=QUINLAN).query("feature == 'humidity'")
    allowed = humid[~humid["verdict"].str.contains("on one side")]
    assert allowed["threshold"].between(70, 90).all()
    assert (humid["gain"] < humid["penalty"]).all()
    page.says(f"the {in_words(len(allowed))} thresholds that leave at least two mornings on each")
    penalty = np.log2(len(allowed)) / 14
    assert np.allclose(humid["penalty"], penalty)
    page.says(
        f"The best threshold has a gain of {allowed['gain'].max():.3f} bits, but the penalty is "
        rf"$\log_2({len(allowed)})/14 = {penalty:.3f}$ bits."
    )


def test_the_gain_of_an_outlook_with_a_gap(page, golf):
    mornings, play = golf
    known = [[2, 3], [3, 0], [3, 2]]
    sizes = mornings["outlook"].value_counts()[["sunny", "overcast", "rain"]].tolist()
    assert sizes == np.sum(known, axis=1).tolist()
    (gap,) = mornings.index[mornings["outlook"].isna()]
    page.says(f"known for {sum(sizes)} of the 14 mornings but missing for morning {gap}.")
    gain = information_gain(known)
    page.says(
        f"For these {sum(sizes)} mornings, a split on the outlook has a gain of {gain:.3f} bits."
    )
    page.says(
        "Of the {} mornings with a known outlook, {} are sunny, {} overcast and {} rainy.".format(
            sum(sizes), *map(in_words, sizes)
        )
    )
    root = gain_table(mornings, play, estimator=QUINLAN).set_index("feature").loc["outlook"]
    information = entropy([*sizes, 1])
    assert root["verdict"] == "chosen"
    assert np.isclose(root["gain"], 13 / 14 * gain, atol=1e-6)
    assert np.isclose(root["gain_ratio"], 13 / 14 * gain / information, atol=1e-6)
    shown = f"gain {13 / 14 * gain:.3f}, split information {information:.3f}"
    assert page.output("c25").startswith(shown)


def test_one_morning_goes_down_every_branch(page, tree):
    assert list(tree.classes_) == ["yes", "no"]
    weights = tree.tree_.weight
    high, overcast, windy = weights[[3, 4, 6]]
    wrong = tree.tree_.sums[3][0], tree.tree_.sums[6][0]
    page.says(
        "joins the three mornings with a humidity above 75. Their leaf has a weight of "
        f"{high:.2f} and predicts *no*."
    )
    page.says(f"played on morning 11, its fraction of {wrong[0]:.2f} is misclassified here.")
    page.says(f"mornings in the *overcast* leaf, which has a weight of {overcast:.2f}.")
    page.says(
        "morning 11 joins two windy mornings without golf in a leaf with a weight of "
        f"{windy:.2f}, of which {wrong[1]:.2f} is misclassified."
    )
    assert tree.tree_.sums[4][1] == 0
    page.caption("c29").says(
        f"shows its prediction and its weight, for example 3 + 5/13 = {high:.2f}."
    )


def test_what_the_stepper_says_of_growing(golf, tree):
    unsplit = C45Classifier(variant="release8", min_samples_leaf=14).fit(*golf)
    assert unsplit.n_leaves_ == 1  # the tree with which it begins
    assert tree.n_leaves_ == 5
    assert (tree.tree_.weight[[3, 6]] < 4).all()  # the leaves that are not pure are not split


def test_the_votes_on_a_new_morning(page, tree):
    weights, sums = tree.tree_.weight, tree.tree_.sums
    sunny, overcast, rain = weights[[1, 4, 5]]
    page.says(
        f"which is {sunny:.2f}/14 for *sunny*, {overcast:.2f}/14 for *overcast* and "
        f"{rain:.2f}/14 for *rain*."
    )
    high = sums[3][0] / weights[3]
    morning = {"outlook": None, "temperature": 70, "humidity": 80, "windy": "false"}
    share = (sunny * high + overcast + rain) / 14
    assert np.allclose(tree.predict_proba(pd.DataFrame([morning])), [share, 1 - share], atol=1e-6)
    page.says(
        rf"${sunny / 14:.3f} \times {high:.3f} + {overcast / 14:.3f} + {rain / 14:.3f} = "
        f"{share:.3f}$ (from unrounded values), so the tree predicts *play*."
    )


def test_a_morning_of_which_little_is_known(page, tree):
    nothing = {"outlook": None, "temperature": np.nan, "humidity": np.nan, "windy": None}
    rows = pd.DataFrame([nothing | {"windy": "true"}, nothing])
    windy, none = tree.predict_proba(rows)[:, 0]
    weights, sums = tree.tree_.weight, tree.tree_.sums
    sunny, rainy = sums[1][0] / weights[1], sums[6][0] / weights[6]
    shares = weights[[1, 4, 5]] / 14
    page.says(f"these {weights[1]:.3f} mornings $2 + 0.385$ played, a proportion of {sunny:.3f}.")
    page.says(f"the proportion of its leaf is $0.385/{weights[6]:.3f} = {rainy:.3f}$. Together")
    page.says(
        rf"${shares[0]:.3f} \times {sunny:.3f} + {shares[1]:.3f} \times 1 + {shares[2]:.3f} "
        rf"\times {rainy:.3f} = {windy:.3f}$, so the tree predicts *do not play*."
    )
    page.says(f"It is $9/14 = {none:.3f}$. A leaf of weight $W_v$ receives")


def test_limits_of_leaves(page):
    limits = {(N, E): errors_of((N, E)) / N for N, E in [(6, 0), (9, 0), (1, 0), (16, 1)]}
    six, nine, one, node = limits.values()
    assert np.allclose([six, nine, one], [1 - 0.25 ** (1 / N) for N in (6, 9, 1)])
    page.says(f"$U(CF, N, 0) = 1 - CF^{{1/N}}$, which is {six:.3f} for six rows.")
    f, z, N = 1.5 / 16, 0.6925, 16
    root = z * np.sqrt(f * (1 - f) / N + z**2 / (4 * N**2))
    assert np.isclose(node, (f + z**2 / (2 * N) + root) / (1 + z**2 / N))  # the page's equation
    assert np.isclose(node - f, z * np.sqrt(node * (1 - node) / N))
    (low, high), Z = (0.2, 0.4), c45.Z
    assert [CF for CF in Z if low <= CF <= high] == [low, high]
    assert np.isclose(z, Z[low] + (Z[high] - Z[low]) * (0.25 - low) / (high - low))
    page.says(f"interpolates $z$ in a short table, which gives $z={z}$ for $CF=0.25$. The table")
    assert np.allclose(page.table("c35")["U"], list(limits.values()), atol=5e-4)
    assert errors_of((16, 1)) < errors_of((16, 1), confidence=0.05)
    page.says("A smaller $CF$ raises every limit and usually leads to more pruning.")


def test_a_subtree_against_a_leaf(page):
    expected = [errors_of((N, 0)) for N in (6, 9, 1)]
    page.says(
        "This subtree has ${:.3f} + {:.3f} + {:.3f}".format(*expected)
        + f" = {sum(expected):.2f}$ predicted errors. A single leaf would misclassify one row"
    )
    leaf = errors_of((16, 1))
    page.says(rf"$16 \times {leaf / 16:.3f} = {leaf:.2f}$ predicted errors, so the subtree")
    two = predicted_errors(1, 0), predicted_errors(2, 1, variant="release8")
    page.says(
        rf"$1 \times {two[0]:g} + 1 \times {two[0]:g} = {2 * two[0]:g}$. The node as a leaf, with "
        f"one of two rows misclassified, would have {two[1]:.2f} predicted errors, so here"
    )
    page.says(f"<summary>{2 * two[0]:g} errors.</summary> Yes, because $1")
    page.says(f"you know next to nothing, and $U(1, 0) = {two[0]:g}$.")


def test_a_branch_rises(page, letters):
    X, y = letters
    full = C45Classifier(variant="release8", pruning=None).fit(X, y)
    pruned = C45Classifier(variant="release8").fit(X, y)
    stranger, reply = gain_table(X, y, estimator=pruned)["gain_ratio"]
    page.says(f"whose gain ratio is {reply:.3f}, compared with {stranger:.3f} for *stranger*.")
    wrong = [round((1 - model.score(X, y)) * len(y)) for model in (full, pruned)]
    assert (full.n_leaves_, pruned.n_leaves_) == (3, 2)
    assert wrong == [2, 2]
    page.says("The tree makes two errors, but so does a single split on *stranger*.")
    assert full.tree_.nodes[0].test.feature == 1
    assert pruned.tree_.nodes[0].test.feature == 0


def test_what_the_reader_may_try_has_an_answer(page, monkeypatch):
    names = page.run("c52")
    plain, cases = names["plain_c45"], names["golf_cases"]
    categories = [names["skies"], None, names["winds"]]
    (x, y, w), before = cases[5], names["drawn_tree"]["branches"]
    assert x == ["rain", 70, "true"]
    one_more = [*cases[:5], ([None, *x[1:]], y, w), *cases[6:]]
    after = plain.grow(one_more, categories)["branches"]
    assert [sky for sky in after if "branches" in before[sky]] == ["sunny", "rain"]
    assert [sky for sky in after if "branches" in after[sky]] == ["sunny"]
    monkeypatch.setattr(plain, "minimum_weight", lambda *_: 3)
    sunny = plain.grow(cases, categories)["branches"]["sunny"]
    names = names["drawn_names"]
    first, second = names[before["rain"]["feature"]], names[sunny["feature"]]
    page.says(f"The split on *{first}* in the *rain* branch disappears. With a weight of 3, the")
    assert names[before["sunny"]["feature"]] == "humidity"
    page.says(f"With a weight of 3, the split on humidity becomes one on *{second}*.")


def test_when_the_ratio_sees_through_a_number(page):
    weak, strong = [[35, 15], [15, 35]], [[45, 5], [5, 45]]
    gains = [information_gain(split) for split in (weak, strong)]
    assert np.isclose(gain_ratio(weak), gains[0])
    exponent = round(1 / gains[0], 3)
    page.says(f"35/15 and 15/35 of a hundred rows, so gain and gain ratio are {gains[0]:.4f}.")
    page.says(
        rf"$n > 2^{{{exponent}}} = {2**exponent:.1f}$. This is from "
        f"{int(2 ** (1 / gains[0])) + 1} rows on"
    )
    page.says(
        rf"$1 - H(0.9, 0.1) = {gains[1]:.3f}$ bits, and $2^{{1/{gains[1]:.3f}}} = "
        rf"{2 ** (1 / gains[1]):.2f}$, so it wins from {int(2 ** (1 / gains[1])) + 1} rows on."
    )


def test_the_horses(page):
    X, y = datasets.fetch_horse_colic(return_X_y=True)
    page.says(f"Surgery (unknown for {in_words(X['surgery'].isna().sum())} horses) was decided")
    X = X.drop(columns="surgery")
    assert X.shape == (368, 20)
    assert round(X.isna().to_numpy().mean(), 2) == 0.26
    page.says(
        f"For {len(X)} horses with colic, we predict whether the lesion that caused the colic"
    )
    page.says("A quarter of the values are missing. First we look for features")
    page.says(
        f'Predicting "surgical" for every horse is wrong for {100 * (y == "no").mean():.0f} of'
    )
    table = page.table("c60")
    more, se, better = (table[name] for name in ("more than C4.5", "standard error", "better in"))
    carts = ["CART, medians", "CART, NaN kept"]
    (wrong,) = set((100 * table.loc[carts, "error"]).round())
    page.says(
        f"C4.5 is wrong for {100 * table['error']['C4.5']:.0f} and CART for {wrong:.0f}, whether "
        "missing values are imputed or kept."
    )
    (difference,) = set(more[carts].round(2))
    assert (more[carts] > se[carts]).all()
    assert (more[carts] < 1.2 * se[carts]).all()
    assert (more < 2 * se + 1e-9).all()
    page.says(f"This difference of {difference} is little more than its standard error.")
    low, high = better[carts]
    page.says(
        f"CART has the lower error in {low} or {high} of 20 folds, and in some folds the errors"
    )
    leaves = table["leaves"].round().astype(int)
    page.says(f"it reduces the tree from {leaves['C4.5, not pruned']} leaves to {leaves['C4.5']}.")


def test_a_city_of_no_meaning(page):
    table = page.table("c63").reset_index()
    table.columns = ["rows", "model", "city first", "city anywhere", "error"]
    few, many = (table[table["rows"] == n].set_index("model") for n in (60, 200))
    full, pruned, honest = "C4.5, not pruned", "C4.5", "C4.5, no city"
    page.says(f"at the root in {few['city first']['ID3']} of the 20 tables of 60 rows, because by")
    assert (few.loc[[full, pruned], "city first"] == 0).all()
    page.says(f"small, {few['city anywhere'][full]} of its 20 unpruned trees split on the city.")
    assert few["city anywhere"][pruned] == many["city anywhere"][pruned] == 0
    page.says("the error of C4.5 is lower without the city.")
    assert all(t["error"][honest] < 0.85 * t["error"][pruned] for t in (few, many))


def test_a_p_value_chooses_without_bias(page):
    table = page.table("c64-noise")
    tables = table.sum().unique()
    assert tables.tolist() == [200]
    page.says(
        f"We shuffle the classes in {tables[0]} tables of 60 rows, so each of the "
        f"{in_words(len(table))} features should be chosen about {tables[0] // len(table)} times."
    )
    by_gain, by_ratio, _ = table.loc["city"]
    assert by_gain == tables[0]
    assert by_ratio > 0.95 * tables[0]
    page.says(
        "Without a useful feature, the gain and the gain ratio nearly always choose the city, "
        "whereas the p-values choose all features about equally often."
    )
    spread = np.sqrt(tables[0] * 0.25 * 0.75)
    assert (abs(table["p-value"] - tables[0] / 4) < 1.5 * spread).all()
    again = first_choices(40, 60)
    assert again.loc["city", "gain"] == 40
    assert again.loc["city", "p-value"] < 20
