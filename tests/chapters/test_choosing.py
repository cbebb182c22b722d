"""Facts of chapter 14: the answers to its exercises."""

import numpy as np
import pandas as pd
import pytest
from facts import in_words
from places import ROOT

from treelab.fast.selection import selection_stability

BANDS = 60


@pytest.fixture(scope="module")
def table():
    """All rows of the study."""
    return pd.read_csv(ROOT / "notebooks" / "replications" / "forests_choose.csv")


def test_bands_for_somebody_who_pays(page, table):
    lots = table[table["study"] == "lots"].set_index("repetition")["value"]
    sonar = table[(table["study"] == "sets") & (table["set"] == "sonar")]
    wrong = sonar.pivot_table(index="repetition", columns="method", values="value")
    kept = sonar.groupby("method")["kept"].mean()
    boruta, rule, every = wrong["Boruta"], wrong["one standard error"], wrong["all columns"]
    page.says(
        f"On ten halves Boruta kept {kept['Boruta']:.1f} of the {BANDS} bands on average; a forest "
        f"on these was wrong in {boruta.mean():.3f} of the rows of the other half, with all bands "
        f"in {every.mean():.3f}, with as many bands that I drew by lot in {lots.mean():.3f}."
    )
    loss, gain = boruta - every, lots - boruta
    page.says(
        f"The loss against all bands is {loss.mean():.3f}, with a standard deviation of "
        f"{loss.std():.3f} over the splits; against the lot the gain is {gain.mean():.3f}, with "
        f"{gain.std():.3f}, in {in_words((gain > 0).sum())} splits of ten."
    )
    page.says(
        "An elimination by one standard error kept "
        f"{kept['one standard error']:.1f}, with {rule.mean():.3f}."
    )
    sets = {
        way: np.array([np.isin(np.arange(BANDS), list(map(int, each.split()))) for each in some])
        for way, some in sonar.dropna(subset="columns").groupby("method")["columns"]
    }
    stable = [
        selection_stability(sets[way]).value["nogueira"] for way in ("Boruta", "one standard error")
    ]
    page.says("Stability is {:.2f} and {:.2f}. V9 to V12".format(*stable))
    often = sets["Boruta"].sum(axis=0)
    assert np.flatnonzero(often == 10).tolist() == [8, 9, 10, 11]
    most = in_words(np.sort(often)[-5])
    page.says(f"V9 to V12 were kept by Boruta on all ten halves, no other band on more than {most}")
