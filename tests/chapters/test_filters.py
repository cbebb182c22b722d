"""Facts of chapter 13: the answers to its exercises."""

from warnings import catch_warnings, simplefilter

import numpy as np
import pandas as pd
from facts import in_words
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from treelab.datasets import fetch_sonar, load_mushrooms
from treelab.fast.information import conditional_mutual_information, mutual_information
from treelab.fast.selection import FCBFSelector, FilterSelector, merit_table

X, Y = load_mushrooms(return_X_y=True)


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
