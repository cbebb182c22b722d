"""The tables of grades on disk: what a new run adds to them, and what it must not lose.

``grades.csv`` is where a person enters points, and it is read again before it is written: whatever
stands there and did not come from the grader stays. A table is replaced in one step, so that an
interrupted run leaves the one before it or the one after it, never half of one.
"""

import csv
import io
import math
import os
import shutil
from pathlib import Path

from make_homework import number

from .report import CHANGED, COLUMNS, HAND, PASSED, SUMMARY, TO_READ, lines, table_rows

KEY = ("student", "assignment", "cell")
ZERO = ("not done", "failed", "error", "too long", "stopped", "not run", "tampered")
BY_HAND = "by hand: "  # begins what the summary says about points that a person gave


class Unusable(Exception):
    """The table is not one that the grader can go on with, for the reason given."""


class Ledger:
    """The grades in a folder.

    Parameters
    ----------
    out : Path
        Where ``grades.csv`` and ``summary.csv`` are, or will be.

    Raises
    ------
    Unusable
        If a table is there and cannot be read.
    """

    def __init__(self, out):
        self.grades, self.summary = Path(out) / "grades.csv", Path(out) / "summary.csv"
        self.rows, self.states, self.entered = {}, {}, set()
        self.columns, self.summary_columns = list(COLUMNS), list(SUMMARY)
        self.seen, self.copied, self.remarks = signature(self.grades), False, []
        self._take()
        for row in table(self.summary, ("student", "assignment")):
            said = (row.get("message") or "").split("; ")
            row["message"] = "; ".join(text for text in said if not text.startswith(BY_HAND))
            self.states[row["student"], row["assignment"]] = row
            self.summary_columns += [name for name in row if name not in self.summary_columns]

    def _take(self):
        """Take from the table on disk all that this run has not graded, and points by hand."""
        found = {}
        for row in table(self.grades, KEY + ("points",)):
            key = tuple(row[name] for name in KEY)
            if key in found and by_hand(found[key]) and by_hand(row):
                raise Unusable(
                    f"{self.grades} has two lines with points by hand for {' '.join(key)}"
                )
            if key not in found or by_hand(row):
                found[key] = row
            self.columns += [name for name in row if name not in self.columns]
        for key, row in found.items():
            if key[:2] not in self.entered:
                self.rows[key] = row
            elif by_hand(row) and key in self.rows:
                self.rows[key].update(points=row["points"], status=HAND)

    def enter(self, result):
        """Enter a result; points that a person has given stay, and stand in `result` too.

        What could not be graded does not replace what could be graded before.

        Parameters
        ----------
        result : Result

        Returns
        -------
        bool
            Whether the result counts; False if the grades from before stand.
        """
        own = (result.student, result.assignment)
        before = {key: row for key, row in self.rows.items() if key[:2] == own}
        self.entered.add(own)
        state = self.states.setdefault(own, {})
        if result.status != "graded" and any(row.get("submission") for row in before.values()):
            state["message"] = f"the earlier grades stand: {result.message}"
            return False
        state.update(status=result.status, message=result.message)
        for row, texts in zip(result.rows, table_rows([result]), strict=True):
            key = (*own, row.cell)
            new = dict(zip(COLUMNS, texts, strict=True))
            old = before.pop(key, {})
            if old and by_hand(old):
                same = old.get("submission", result.submission) == result.submission
                row.status = HAND if same and old.get("status") != CHANGED else CHANGED
                row.points = value(old["points"])
                row.message = old.get("message") or ""
                new.update(points=old["points"], status=row.status, message=row.message)
            self.rows[key] = {**old, **new}
        for key, row in before.items():
            if by_hand(row):
                row["status"] = CHANGED  # a question that is no longer asked
            else:
                del self.rows[key]
        return True

    def save(self, notes=None):
        """Write both tables, each in one step.

        Parameters
        ----------
        notes : dict of str to list of str, default=None
            What lies among the submissions and is no student's.
        """
        if signature(self.grades) != self.seen:  # somebody has saved it meanwhile
            try:
                self._take()
            except Unusable as reason:
                keep_copies(self.grades)
                self.remarks.append(f"{reason} A copy is in {self.grades.parent / 'earlier'}.")
        if not self.copied:
            keep_copies(self.grades, self.summary)
            self.copied = True
        keys = sorted(self.rows, key=lambda key: key[:2])
        replace(self.grades, lines(self.columns, [self.rows[key] for key in keys]))
        self.seen = signature(self.grades)
        rows = [self._summary_row(*own) for own in dict.fromkeys(key[:2] for key in keys)]
        for name, odd in (notes or {}).items():
            row = {"student": name, "points": "0", "status": "not graded"}
            rows.append({**row, "message": "; ".join(odd)})
        replace(self.summary, lines(self.summary_columns, rows))

    def others(self):
        """The students and assignments that are in the table and not in this run."""
        return list(dict.fromkeys(k[:2] for k in self.rows if k[:2] not in self.entered))

    def _summary_row(self, student, assignment):
        """The line of a student and an assignment in ``summary.csv``."""
        rows = [row for key, row in self.rows.items() if key[:2] == (student, assignment)]
        read = [row for row in rows if row.get("by") == "reading" or row["status"] == TO_READ]
        tested = [row for row in rows if row not in read]
        state = self.states.get((student, assignment), {})
        unread = [row for row in read if value(row["points"]) is None]
        said = [state.get("message") or "", *(odd for row in rows for odd in oddities(row))]
        return {
            **state,
            "student": student,
            "assignment": assignment,
            "points": total(tested, "points"),
            "max_tests": total(tested, "max"),
            "reading": "" if unread else total(read, "points"),
            "max_reading": total(read, "max"),
            "status": state.get("status") or "graded",
            "message": "; ".join(dict.fromkeys(text for text in said if text)),
        }


def by_hand(row):
    """Whether the points of a line are a person's: not those that its status stands for."""
    points, status = row["points"].strip(), row.get("status")
    if not points or status == TO_READ:
        return bool(points)
    known = {PASSED: value(row.get("max") or ""), **dict.fromkeys(ZERO, 0.0)}
    return status not in known or value(points) != known[status]


def oddities(row):
    """What the summary says about a line with points by hand."""
    if not by_hand(row):
        return
    points, most = value(row["points"]), value(row.get("max") or "")
    if row["status"] == CHANGED:
        yield (
            f"{BY_HAND}{row['cell']} has {row['points']} points for another version of the notebook"
        )
    if points is None:
        yield f"{BY_HAND}{row['cell']} has {row['points']!r} for points"
    elif most is not None and not 0 <= points <= most:
        yield f"{BY_HAND}{row['cell']} has {row['points']} of {row['max']} points"


def value(text):
    """The number that a text is, also with a decimal comma; None if it is none."""
    try:
        found = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def total(rows, column):
    """The sum of a column, as it is written."""
    return number(sum(value(row.get(column) or "") or 0 for row in rows))


def table(path, needed):
    """The lines of a table as dictionaries, however a spreadsheet has saved it; none if not there.

    Raises
    ------
    Unusable
        If it cannot be read or has not the columns that are needed.
    """
    if not path.exists():
        return []
    advice = "Mend it or move it away; nothing was changed."
    try:
        text = path.read_text(encoding="utf-8-sig")
    except ValueError:
        raise Unusable(f"{path} is not saved as UTF-8. {advice}") from None
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restval=""))
    lost = [name for name in needed if name not in (rows[0] if rows else header)]
    if lost:
        raise Unusable(f"{path} has no column {lost[0]!r}. {advice}")
    if any(None in row for row in rows):
        raise Unusable(f"{path} has a line with more fields than columns. {advice}")
    return [{name: plain(text) for name, text in row.items()} for row in rows]


def plain(text):
    """A field without the quote that `lines` puts before what looks like a formula."""
    return text[1:] if text[:1] == "'" and text[1:2] in tuple("=+-@\t") else text


def signature(path):
    """What changes when a file is saved; None where there is none."""
    if not path.exists():
        return None
    found = path.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino


def keep_copies(*paths):
    """Copy what is there to ``earlier/``, under the next number."""
    there = [path for path in paths if path.exists()]
    if there:
        folder = there[0].parent / "earlier"
        folder.mkdir(exist_ok=True)
        count = 1 + max((int(p.name[:4]) for p in folder.glob("[0-9][0-9][0-9][0-9]-*")), default=0)
        for path in there:
            shutil.copy2(path, folder / f"{count:04d}-{path.name}")


def replace(path, text):
    """Write a file in one step: whoever looks sees the old one whole, or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    with open(part, "w", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
