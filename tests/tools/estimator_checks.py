"""scikit-learn's checks of an estimator, all in one test."""

import re
import warnings

import pytest
from sklearn.utils.estimator_checks import check_estimator


def in_one_line(estimator):
    """Return the representation of an estimator on one line, with the names of its functions."""
    return re.sub(r"<function (\w+) at 0x\w+>", r"\1", re.sub(r"\s+", " ", str(estimator)))


def first_of_each_class(estimators):
    """Return the first estimator of each class as it is, the others for `make test-all`."""
    seen, found = set(), []
    for estimator in estimators:
        is_first = type(estimator) not in seen
        seen.add(type(estimator))
        name = in_one_line(estimator)
        found.append(pytest.param(estimator, id=name, marks=() if is_first else pytest.mark.whole))
    return found


def assert_passes_checks(estimator, monkeypatch, exempt=()):
    """Assert that an estimator passes every check of scikit-learn but the exempt ones.

    No check may be skipped, and each name in `exempt` has to be that of a check that fails.
    """
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # without it one check is skipped
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "No features were selected")
        checks = check_estimator(
            estimator,
            on_skip=None,
            on_fail=None,
            expected_failed_checks=dict.fromkeys(exempt, "exempt"),
        )
    assert len(checks) > 40
    wrong = [
        f"{check['check_name']} {check['status']}: {check['exception']!r}"
        for check in checks
        if check["status"] in ("failed", "skipped")
    ]
    assert not wrong, "\n".join([f"{estimator}", *wrong])
    assert {check["check_name"] for check in checks if check["status"] == "xfail"} == set(exempt)
