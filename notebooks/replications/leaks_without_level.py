"""What leaks promise for the hours of the bicycles, on known columns without `level` (chapter 18).

Boosting of the mean as in the study `leaks` of `bicycles_end_to_end.py`, month by month from March
to December 2012: fitted on all rows before the month, judged on the month. `level`, the mean
rentals of a day over the last seven days, is left out of the columns known at midnight, because in
March it lies above everything learned in 48 percent of the hours and alone raises the error: what a
leak takes off beside it is partly the repair of this column.

Writes `leaks_without_level.csv`. Takes about two minutes. Columns: method, what boosting is given
beside these fifteen known columns; month; error, the mean absolute error in bicycles.
"""

from pathlib import Path

import bicycles_end_to_end as bicycles
import numpy as np
import pandas as pd

RESULT = Path(__file__).with_suffix(".csv")
BASE = [name for name in bicycles.KNOWN if name != "level"]
MORE = {
    "known": [],
    "level": ["level"],
    "registered": ["registered"],
    "casual": ["casual"],
    "casual and registered": ["casual", "registered"],
    "the day after": ["tomorrow"],
    "mean of all rows": ["mean of all"],
    "measured weather": bicycles.WEATHER,
    "number of the day": ["day", "yr"],
}


def error(method, month):
    """Mean absolute error in one month, of the hours that have a day after."""
    _, _, past, new = bicycles.parts_of(month)
    new = new[new["tomorrow"].notna()]
    predicted = bicycles.boosted(past, [*BASE, *MORE[method]])(new)
    return np.mean(np.abs(new["cnt"] - predicted))


def main():
    """All months with all columns."""
    rows = [
        {"method": method, "month": month, "error": round(error(method, month), 4)}
        for month in bicycles.MONTHS
        for method in MORE
    ]
    pd.DataFrame(rows).to_csv(RESULT, index=False)


if __name__ == "__main__":
    main()
