"""Facts of chapter 14: merits and passes by hand, its experiments, and its exercises."""

import math
from warnings import catch_warnings, simplefilter

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT
from scipy.special import entr
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression, LogisticRegression, lars_path
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from treelab.datasets import fetch_madelon, fetch_sonar, load_mushrooms
from treelab.fast import selection
from treelab.fast.information import (
    conditional_mutual_information,
    entropy_of,
    mutual_information,
    symmetrical_uncertainty,
)
from treelab.fast.selection import (
    CFSSelector,
    FCBFSelector,
    FilterSelector,
    SubsetSelector,
    merit_table,
    uncertainty_table,
)
from treelab.figures import filters as figures

X, Y = load_mushrooms(return_X_y=True)


@pytest.fixture(scope="module")
def sets():
    """The studies of the chapter on twenty splits and fifty bootstrap samples."""
    return pd.read_csv(ROOT / "notebooks" / "replications" / "chosen_columns.csv")


@pytest.fixture(scope="module")
def patients():
    return load_diabetes(return_X_y=True, as_frame=True)


def test_what_color_tells(page):
    counts = pd.crosstab(X["color"], Y)
    assert counts.loc[["green", "red"], ["eatable", "toxic"]].to_numpy().tolist() == [
        [3, 2],
        [2, 3],
    ]
    assert counts.loc["brown"].min() == 0
    toxic, eatable = sorted(Y.value_counts())
    before, five = entropy_of(Y), entropy_of(Y[X["color"] == "red"])
    page.says(f"the class has the entropy of {toxic} and {eatable}, $H = {before:.4f}$ bits.")
    page.says(f"five red and five green ones leave {five:.3f} bits each, which is")
    after = 10 / 14 * five
    page.says(rf"$\frac{{10}}{{14}} \cdot {five:.3f} = {after:.4f}$ for all.")
    told = mutual_information(X["color"], Y)
    page.says(f"So color tells ${before:.4f} - {after:.4f} = {told:.4f}$ bits.")


def test_many_levels_seem_to_tell_much(page):
    row, brown = range(14), X["color"] == "brown"
    page.says(
        f"the number of the row, of {entropy_of(row):.1f} bits, would come first, with "
        f"{symmetrical_uncertainty(row, Y):.3f}."
    )
    assert symmetrical_uncertainty(row, Y) > uncertainty_table(X, Y)["class"].max()
    assert mutual_information(brown, Y) < mutual_information(X["color"], Y)
    assert entropy_of(brown) < entropy_of(X["color"])
    page.says(
        f"tells less than color, {mutual_information(brown, Y):.3f} bits, but its entropy is "
        "lower, too, so that its symmetrical uncertainty is "
        f"{symmetrical_uncertainty(brown, Y):.3f}."
    )
    rng, told, uncertainty = np.random.default_rng(0), [], []
    for levels in (2, 7):
        lots = np.array([rng.permutation(np.arange(14) % levels) for _ in range(1000)])
        both = [bits(lots), bits((Y == "toxic").to_numpy()[None])]
        shared = sum(both) - bits(2 * lots + (Y == "toxic").to_numpy())
        told.append(shared.mean())
        uncertainty.append((2 * shared / sum(both)).mean())
    page.says(
        f"a mutual information of {told[0]:.2f} and {told[1]:.2f} bits with the class of the "
        f"mushrooms on average, and a symmetrical uncertainty of {uncertainty[0]:.2f} and "
        f"{uncertainty[1]:.2f}."
    )


def bits(columns):
    """Entropy of each row of codes from 0 to 13."""
    shares = (columns[:, :, None] == np.arange(14)).mean(axis=1)
    return entr(shares).sum(axis=1) / np.log(2)


def test_merits_by_hand(page):
    merits = merit_table(X, Y).set_index("subset").merit
    best, whole = merits[("color", "size")], merits[("color", "size", "spots")]
    told = uncertainty_table(X, Y)
    color, size, spots = told["class"]
    page.says(rf"- color alone: ${color:.4f} / \sqrt 1 = {color:.4f}$;")
    with_size = told.loc["color", "size"]
    page.says(rf"$\dfrac{{{color:.4f} + {size:.4f}}}{{\sqrt{{2 + 2 \cdot {with_size:.4f}}}}}$ $=")
    below = np.sqrt(2 + 2 * with_size)
    page.says(f"$= {color + size:.4f} / {below:.4f}$ $= {best:.4f}$; - all three:")
    with_spots = told.loc["color", "spots"]
    assert abs(told.loc["size", "spots"]) < 1e-12
    page.says(
        rf"$\dfrac{{{color + size:.4f} + {spots:.4f}}}"
        rf"{{\sqrt{{3 + 2 \cdot ({with_size:.4f} + {with_spots:.4f} + 0)}}}}$ $="
    )
    below = np.sqrt(3 + 2 * (with_size + with_spots))
    page.says(f"$= {color + size + spots:.4f} / {below:.4f}$ $= {whole:.4f}$.")
    assert best == merits.max()
    two, three = (color + size) / 2, (color + size + spots) / 3
    page.says(f"spots pull the mean from {two:.3f} down to {three:.3f}, and the step from")
    more = np.sqrt(3 / 2) - 1
    page.says(
        rf"must bring $\sqrt{{3/2}} - 1$, or {100 * more:.0f} percent, of the sum: "
        rf"{more * (color + size):.3f}. Spots bring {spots:.3f}."
    )


def test_what_the_set_knows(page):
    three, two = (X[names].astype(str).sum(axis=1) for names in (list(X), ["color", "size"]))
    assert np.isclose(mutual_information(three, Y), entropy_of(Y))
    assert mutual_information(two, Y) < entropy_of(Y) - 0.1
    page.says(
        "with color, size and spots each of the fourteen is determined, with color and size not."
    )


def test_two_passes(page):
    told = uncertainty_table(X, Y)
    page.says(
        f"Color tells {told.loc['color', 'size']:.4f} about size, size "
        f"{told.loc['size', 'class']:.4f} about the class: size stays."
    )
    counts = [len(s.fit(X, Y).get_feature_names_out()) for s in (FCBFSelector(), CFSSelector())]
    page.says("FCBF keeps all {} where CFS keeps {}.".format(*map(in_words, counts)))
    five = figures.five_features(X)
    pairs = pd.crosstab(five["gills"], five["color"])
    page.says(f"which have the color of the cap in {pairs.max().sum()} of 14, and the `stalk`,")
    stalks = pd.crosstab(five["stalk"], five["size"])
    assert stalks.loc["short", "large"] == 0
    page.says(
        f"long for large mushrooms and for {in_words(stalks.loc['long', 'small'])} small one."
    )
    fcbf = FCBFSelector().fit(five, Y)
    assert fcbf.get_feature_names_out().tolist() == ["color", "size", "spots"]
    steps = fcbf.steps_table()
    first, second = (steps[steps["pass"] == k] for k in (1, 2))
    assert first["feature"].tolist() == ["color", "size", "gills", "stalk", "spots"]
    assert "gills" not in second["feature"].tolist()
    page.says("What is out cannot remove: the gills never ask anybody.")
    assert second["removed"].sum() == 2
    shown = page.output("flt016")
    assert f"All comparisons of pass 2: {in_words(len(second))}, where all pairs" in shown


def test_the_best_five_and_forward_selection(page, patients):
    D, progress = patients
    best, forward = (
        SubsetSelector(method, n_features=10).fit(D, progress) for method in ("best", "forward")
    )
    paths = best.path_table(), forward.path_table()
    four, five = (set(D.columns[paths[0].loc[k] != 0]) for k in (4, 5))
    forward_five = set(D.columns[paths[1].loc[5] != 0])
    assert five == {"sex", "bmi", "bp", "s3", "s5"}
    assert forward_five == {"sex", "bmi", "bp", "s1", "s5"}
    assert four - five == {"s1"}
    assert five - four == {"s3", "sex"}
    page.says("The best five are not the best four and one more: `s1` leaves, `s3` and `sex` come")
    same = np.isclose(best.steps_table()["rss"], forward.steps_table()["rss"])
    (other,) = np.flatnonzero(~same)
    page.says(f"Forward cannot take `s1` back, and has a larger error at {in_words(other)}; at all")
    s1, s2 = (paths[0].loc[6, name] for name in ("s1", "s2"))
    assert paths[0]["s1"].round().loc[4:6].tolist() == [-10, 0, -36]
    page.says(f"At six the coefficient of `s1` is suddenly {s1:.0f}, and `s2`, which has a")
    r = D["s1"].corr(D["s2"])
    page.says(f"`s2`, which has a correlation of {r:.2f} with it, stands against it with {s2:.0f}.")


def test_where_bic_stops(page, patients):
    stops = [SubsetSelector(m, criterion="bic").fit(*patients) for m in ("best", "forward")]
    counts = [in_words(selector.n_features_) for selector in stops]
    page.says("BIC stops them at {} and at {}. At six".format(*counts))


def test_stagewise_and_the_lasso(page, patients):
    D, progress = patients
    stagewise = SubsetSelector("stagewise", n_features=None, step=0.002).fit(D, progress)
    lasso = lars_path(StandardScaler().fit_transform(D), progress.to_numpy(float), method="lasso")
    paths = stagewise.path_table(), pd.DataFrame(lasso[2].T, columns=D.columns)
    sums = [path.abs().sum(axis=1) for path in paths]
    along = [
        np.column_stack([np.interp(np.arange(151), total, path[name]) for name in D])
        for path, total in zip(paths, sums)
    ]
    apart = np.abs(along[0] - along[1]).max(axis=1)
    assert apart[:91].max() < 0.2
    assert 2.5 < apart[91:].max() < 2.6
    page.says("The two below creep, up to a sum of 90 on nearly the same path;")
    ends = [total.iloc[-1] for total in sums]
    page.says(
        f"stagewise ends at {ends[0]:.0f}, where a step of its size helps no more, and the lasso "
        f"at {ends[1]:.0f}."
    )


def test_the_twenty_real_columns_of_madelon(page):
    madelon = fetch_madelon(return_X_y=True)[0].to_numpy()
    real = np.abs(np.corrcoef(madelon.T) - np.eye(500)).max(axis=0) > 0.2
    page.says(f"{in_words(real.sum()).capitalize()} columns are real. Five of them place the rows")
    page.says(f"The other {(~real).sum()} are noise. Each real one has a correlation above 0.2,")
    spread = madelon.std(axis=0)
    assert np.median(spread[real]) > 2 * np.median(spread[~real])


def test_does_choosing_help(page, sets):
    accuracy = sets[sets["study"] == "accuracy"]
    wide = accuracy.pivot(index="repetition", columns="method", values="value")
    mean, ten, n = wide.mean(), wide["filter, best 10"], len(wide)
    page.says(f"the neighbors are neighbors by noise: {mean['all columns']:.3f}. Ten columns of a")
    assert (ten > wide["all columns"]).all()
    page.says(f"simple filter make {ten.mean():.3f}, in each of the {n} splits more than all 500.")
    assert (wide["10 real, drawn"] > ten).all()
    drawn = mean["10 real, drawn"]
    noisy = (accuracy[accuracy["method"] == "filter, best 10"]["real"] < 10).sum()
    page.says(
        f"drawn blindly, make {drawn:.3f}, again in each split more; in {noisy} splits the "
        "filter's ten hold noise."
    )
    assert (wide["PCA, raw columns"] > ten).all()
    raw, scaled = mean["PCA, raw columns"], mean["PCA, scaled columns"]
    page.says(f"ten make {raw:.3f} of Madelon's raw columns, where the real ones mostly vary more,")
    page.says(f"mostly vary more, and {scaled:.3f} of the scaled ones.")
    gone = sets[sets["study"] == "passes"].groupby("method", sort=False)["value"].mean()
    stay = accuracy[accuracy["method"] == "FCBF"]["real"].mean()
    first, second, stay = np.round([*(gone[k] for k in sorted(gone.index)), stay], 1)  # 8.65: even
    assert first + second + stay == 20
    page.says(f"Of the twenty, {first} in the mean tell nothing *alone* and go in pass 1;")
    page.says(f"in pass 1; {second} resemble a better one at least as much as they tell about")
    page.says(f"and go in pass 2; {stay} stay where the class needs five.")


def test_what_a_filter_cannot_see(page):
    names = {"np": np, "pd": pd, "selection": selection}
    found = page.run("flt041", FilterSelector=FilterSelector, CFSSelector=CFSSelector, **names)
    blind, xor, hint = (found[name] for name in ("blind", "xor", "hint"))
    assert found["selector"].get_feature_names_out().tolist() == ["hint"]
    page.says("The filter keeps the hint three times. CFS drops the copies.")
    right = 100 * (hint == xor).mean()
    page.says(f"drawn to be right in 70 percent of the rows, here in {right:.0f}, and there are")
    assert np.isclose(mutual_information(2 * blind["a"] + blind["b"], xor), entropy_of(xor))
    page.says("But `a` and `b`, which tell *everything* together, look like noise to both:")
    pair = blind[["a", "b"]]
    assert LinearRegression().fit(pair, xor).score(pair, xor) < 0.003
    page.says("A linear regression of the two cannot ($R^2$ below 0.003).")
    trees = [DecisionTreeClassifier(max_depth=d, random_state=0) for d in (1, 2, 3, 4)]
    scores = [tree.fit(blind, xor).score(blind, xor) for tree in trees]
    assert scores == [0.64, 0.64, 0.815, 1]
    page.says(f"and is right in all rows only at depth {in_words(1 + scores.index(1))} (")


def test_chosen_one_line_too_early(page):
    table = page.table("flt044")
    outside, inside = (100 * table.loc["mean", where] for where in ("outside", "inside"))
    page.says(f"Outside the folds: {outside:.0f} percent, out of nothing. Inside: {inside:.0f},")
    page.says(f"finds an accuracy of {outside:.0f} percent in pure noise.")
    assert table.loc["min", "outside"] >= 0.9
    noise, group = np.random.default_rng(0).normal(size=(50, 5000)), np.repeat([0, 1], 25)
    scaled = StandardScaler().fit_transform(noise)
    r = np.sort(np.abs(scaled.T @ StandardScaler().fit_transform(group[:, None])[:, 0] / 50))
    page.says(f"the twentieth best has a correlation of {r[-20]:.1f}. The luck is")
    assert round(np.median(r), 1) == 0.1


def test_ten_columns_and_ten_others(page, sets):
    table = figures.returns_table(sets).rename(str.lower)
    page.says(
        f"On Madelon {table.loc['madelon', 'mean']} of ten in the mean; on Arcene, with "
        f"{table.loc['arcene', 'rows']} rows, {table.loc['arcene', 'mean']}, and on "
        f"{table.loc['arcene', 'none of ten']} of the 50 samples none."
    )
    least = sets[sets["study"] == "family"].set_index("set").loc["arcene", "value"]
    bound = math.floor(100 * least) / 100  # "at least" is rounded down
    page.says(f"The ten of Arcene are one family, any two with $|r|$ of at least {bound};")
    page.says(f"on those {table.loc['arcene', 'none of ten']} samples other columns came first.")


def test_the_same_column_twice(page):
    hued = X.assign(hue=X["color"])
    two, three = merit_table(hued, Y, [["color", "hue"], ["color", "hue", "size"]]).merit
    page.says(rf"0.1960 / \sqrt{{2 + 2 \cdot 1}} = {two:.4f}$, the merit of one.")
    page.says(f"$= 0.5485 / 2.2504$ $= {three:.4f}$, a little less than the")
    kept = FCBFSelector().fit(hued, Y).get_feature_names_out()
    assert kept.tolist() == ["color", "size", "spots"]
    page.says("FCBF keeps one of them, {1} and {2}:".format(*kept))


def test_after_color(page):
    after = [conditional_mutual_information(X, Y, name, ["color"]) for name in ("size", "spots")]
    assert round(after[0], 12) == round(after[1], 12)
    page.says(rf"\cdot 5/14 = {after[0]:.3f}$ bits: an exact tie.")
    red = X["color"] == "red"
    size, spots = (mutual_information(X[name][red], Y[red]) for name in ("size", "spots"))
    page.says(f"the two small ones eatable, so size brings {size:.3f} bits; spots")
    page.says(f"two of three plain ones) bring {spots:.3f}.")
    cells = pd.crosstab([X["color"], X["size"], X.spots], Y)
    assert cells.loc["red"].to_numpy().tolist() == [[1, 0], [1, 0], [0, 2], [0, 1]]
    page.says("| red | 1 eatable | 1 eatable | 2 toxic | 1 toxic |")
    assert cells.loc["green"].to_numpy().tolist() == [[2, 0], [0, 1], [1, 0], [0, 1]]
    page.says("| green | 2 eatable | 1 toxic | 1 eatable | 1 toxic |")


def test_ten_bands_for_somebody(page):
    bands, kind = fetch_sonar(return_X_y=True)
    kind, seen, scores = np.asarray(kind), np.zeros(60), []
    tied = 0  # splits in which fewer than ten bands have a score above 0
    for split in range(20):
        rng = np.random.default_rng(split)
        train, test = np.split(rng.permutation(208), 2)
        with catch_warnings(record=True) as warned:
            simplefilter("always")
            ten = FilterSelector(number=10).fit(bands.iloc[train], kind[train]).get_support()
        tied += len(warned)
        blindly = np.isin(np.arange(60), rng.permutation(60)[:10])
        seen += ten
        scaled = StandardScaler().fit_transform(bands.iloc[train])
        weights = np.abs(LogisticRegression(max_iter=1000).fit(scaled, kind[train]).coef_[0])
        own = weights >= np.sort(weights)[-10]
        for columns in (np.ones(60, dtype=bool), ten, own, blindly):
            vote = make_pipeline(StandardScaler(), KNeighborsClassifier(5))
            vote.fit(bands.iloc[train, columns], kind[train])
            scores.append(vote.score(bands.iloc[test, columns], kind[test]))
    scores = np.reshape(scores, (20, 4))
    every, ten, own, blindly = scores.mean(axis=0)
    page.says(f"ten of the 60 bands by symmetrical uncertainty have an accuracy of {ten:.3f} with")
    page.says(f"have {own:.3f}, all bands {every:.3f}, ten drawn blindly {blindly:.3f}.")
    lost = scores[:, 1:] - scores[:, :1]
    mean, sd = lost.mean(axis=0), lost.std(axis=0, ddof=1)
    page.says("are {:.3f}, {:.3f} (rounded from the exact ones) and {:.3f}, with".format(*mean))
    page.says("standard deviations of {:.3f}, {:.3f} and {:.3f}.".format(*sd))
    no_worse = (scores[:, 1] <= scores[:, 3]).sum()
    page.says(f"no worse than the filter's in {in_words(no_worse)} of the 20.")
    page.says(f"In {in_words(tied)} splits fewer than ten bands had a score above 0")
    often = pd.Series(seen, bands.columns).astype(int).sort_values(ascending=False)
    assert often.head(5).tolist() == [20, 20, 19, 17, 14]
    assert set(often.index[:2]) == {"V11", "V12"}
    page.says(
        f"V11 and V12 are in all 20 lists of the filter, V9 in {often['V9']}, V10 in "
        f"{often['V10']}; of the others none is in more than {often.iloc[4]}"
    )
