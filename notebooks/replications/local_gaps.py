"""What `local_importance.py` leaves out of the dissertation on local importance, cheaper.

- lafi: figures 4.8, 4.10 and 4.12. As there for the sine: 4 000 rows and five forests of 50 trees,
  ten columns of noise where the source has 50. What LAFI chooses in each bin of three levels, and
  the errors of forests of all columns and of the kept ones.
- ozone: figure 4.15. Ranks of the twelve features in a forest of 100 trees on three quarters of the
  203 days with nothing missing; the source does not say which rows.

Replicate r has the seed r: three of lafi, 50 of ozone. Writes `local_gaps.csv`, with the columns of
`local_importance.csv`, in about five minutes.
"""

import sys
from pathlib import Path

import pandas as pd

sys.path.insert(0, str(Path(__file__).parent))
import local_importance as settings

RESULT = Path(__file__).with_suffix(".csv")
SIMULATIONS = [f"{name}, 10 columns" for name in settings.SIMULATIONS if "sine" not in name]


def ozone(setting, replicate):
    """Ranks of all features of the ozone days in one forest."""
    X, y, n_true = settings.data(setting, replicate)
    train, _ = settings.parts(y, replicate)
    model = settings.forest(100, replicate).fit(X[train], y[train])
    yield {"method": "forest", "found": settings.ranks(model.feature_importances_, n_true)}


def jobs():
    """All studies, settings and replicates."""
    for replicate in range(3):
        for setting in SIMULATIONS:
            yield settings.lafi, setting, replicate
    for replicate in range(50):
        yield ozone, "ozone", replicate


if __name__ == "__main__":
    table = pd.concat([settings.rows_of(*job) for job in jobs()])
    table.to_csv(RESULT, index=False)
