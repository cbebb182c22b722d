"""The dissertation on local importance at the size of the source, as far as hours allow.

What would count as reproduced was written down before, in ``book/ledger/criteria.yml``. The data
and the fits are those of `local_importance.py`, and so are the seeds: replicate r has the seed r.

- selection: tables 2.3 and 2.4 with the factor 0.5 in equation 4, 50 replicates; tables 2.9 to
  2.14, replicates 10 to 49, in addition to the ten that stand in `local_importance.csv`.
- bins: figures 4.6, 4.8, 4.10 and 4.12. LAFI with three levels on 7 500 of 10 000 rows, with 50
  columns of noise (ten in the first simulation), forests of 100 trees of depth 10; five forests
  where the source has 20. What Genuer's selection chooses in each of the seven bins, which are
  numbered level by level from the lowest targets on.
- errors: the same replicates. Errors of forests of all columns and of those with a LAFI above 0.2.

Appends to `local_at_size.csv`, or to the file that is named behind the script, a job at a time, and
goes on where the file ends; a bin of selection is a job of its own. In processor time, 50
replicates of the first tables take half an hour, those of the real sets an hour, a replicate of
LAFI with ten columns of noise three minutes and one of the three others with 50 about 25. The
columns are those of `local_importance.csv`; the method of a bin is its number.
"""

import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parent))
import local_importance as settings

from treelab import RandomForestRegressor
from treelab.fast.selection import GenuerSelector, halved_bins, local_importance_table

RESULT = Path(__file__).with_suffix(".csv")
SINE = "sine, factor 0.5"
LAFI = [SINE + settings.FEW, "exponential", "products, noise 10", "products, noise 1"]
N_BINS = 7  # of three levels: 1, 2 and 4
N_FORESTS = 5


def bins(setting, replicate, place):
    """What Genuer's selection chooses in one bin of the training rows."""
    X, y, _ = settings.data(setting, replicate)
    train, _ = settings.parts(y, replicate)
    levels = halved_bins(y[train], 3)
    rows = train[[rows for level in levels for rows in level][place]]
    start = time.process_time()
    model = RandomForestRegressor(100, max_depth=10)
    selector = GenuerSelector(
        model, importance="mdi", n_forests=N_FORESTS, random_state=N_BINS * replicate + place
    )
    mask = selector.fit(X[rows], y[rows]).support_
    found = "".join(str(int(one)) for one in mask)
    yield {"method": str(place), "found": found, "seconds": time.process_time() - start}


def kept_columns(setting, replicate):
    """The columns with a LAFI above 0.2, from the bins in the file; array of bool."""
    table = pd.read_csv(RESULT, dtype={"found": str, "method": str})
    table = table[table["study"].eq("bins") & table["setting"].eq(setting)]
    table = table[table["replicate"].eq(replicate)].set_index("method")["found"]
    chosen = np.array([[c == "1" for c in table[str(place)]] for place in range(N_BINS)])
    found = local_importance_table(np.split(chosen, [1, 3]))
    return found["kept"].to_numpy()[np.argsort(found["feature"].str[1:].astype(int))]


def errors(setting, replicate):
    """Errors of a forest of all columns, and of one of the columns that LAFI keeps."""
    X, y, _ = settings.data(setting, replicate)
    train, test = settings.parts(y, replicate)
    kept = kept_columns(setting, replicate)
    for method, columns in (("all", np.full(X.shape[1], True)), ("kept", kept)):
        model = settings.forest(100, replicate).fit(X[train][:, columns], y[train])
        found = [
            settings.error(model.predict(X[rows][:, columns]), y[rows]) for rows in (train, test)
        ]
        yield {"method": method, "training": found[0], "test": found[1]}


def jobs():
    """All studies, settings, replicates and bins, in the order in which they are of use."""
    few = SINE + settings.FEW
    yield from ((settings.selection, few, r, {}) for r in range(50))
    yield from ((settings.selection, SINE, r, {}) for r in range(50))
    updated = [name + settings.UPDATED for name in settings.REAL[:3]]
    yield from local_importance(range(50), LAFI[:1])
    yield from real_sets([*updated, "white wine"])
    yield from local_importance([0], LAFI[1:])
    yield from real_sets(settings.REAL[1:3])
    yield from local_importance(range(1, 50), LAFI[1:])


def real_sets(names):
    """The replicates of real sets that `local_importance.py` does not have."""
    for replicate in range(10, 50):
        for name in names:
            yield settings.selection, name, replicate, {}


def local_importance(replicates, simulations):
    """The bins and errors of LAFI in some simulations."""
    for replicate in replicates:
        for setting in simulations:
            for place in range(N_BINS):
                yield bins, setting, replicate, {"place": place}
            yield errors, setting, replicate, {}


def done():
    """The jobs that stand in the file: study, setting, replicate, and the number of a bin."""
    if not RESULT.exists():
        return set()
    table = pd.read_csv(RESULT, dtype={"method": str})
    place = table["method"].where(table["study"] == "bins", "")
    return set(zip(table["study"], table["setting"], table["replicate"], place, strict=True))


def main():
    """Do what is not yet in the file."""
    before = done()
    for study, setting, replicate, options in jobs():
        if (study.__name__, setting, replicate, str(options.get("place", ""))) in before:
            continue
        table = settings.rows_of(study, setting, replicate, **options)
        table.to_csv(RESULT, mode="a", header=not RESULT.exists(), index=False)


if __name__ == "__main__":
    if sys.argv[1:]:
        RESULT = Path(sys.argv[1])
    main()
