"""What the grader writes: two tables, and a feedback page for each submission."""

import csv
import html
import io
from dataclasses import dataclass, field

from make_homework import RUBRIC, by_reading, mark, number, question_of, title_of

from .submissions import same

PASSED, NOT_DONE, TO_READ = "passed", "not done", "to be read"
HAND, CHANGED = "by hand", "changed since"  # points from a person; the notebook is another one now
COLUMNS = ("student", "assignment", "question", "cell", "points", "max", "status", "message",
           "by", "submission")  # fmt: skip
SUMMARY = ("student", "assignment", "points", "max_tests", "reading", "max_reading", "status",
           "message")  # fmt: skip


@dataclass
class Row:
    """One graded cell of one submission; `points` is None until a person has read the answer."""

    question: str
    cell: str
    points: float | None
    most: float
    status: str
    message: str = ""
    by_reading: bool = False


@dataclass
class Result:
    """One graded submission."""

    student: str
    assignment: str
    status: str = "graded"
    message: str = ""
    submission: str = ""  # tells one version of the notebook from another
    rows: list = field(default_factory=list)
    outcomes: dict = field(default_factory=dict)  # grade id -> Outcome of the cell
    answers: object = None

    @property
    def points(self):
        """The points of the tests."""
        return sum(row.points or 0 for row in self.rows if not row.by_reading)

    @property
    def reading(self):
        """The points of what a person has read."""
        return sum(row.points or 0 for row in self.rows if row.by_reading)

    def most(self, by_reading):
        """The most points by reading (True) or by tests (False)."""
        return sum(row.most for row in self.rows if row.by_reading == by_reading)


def judge(assignment, answers, steps, outcomes):
    """The rows of a submission that has been run.

    Parameters
    ----------
    assignment : Assignment
    answers : Answers
    steps : list of Step
    outcomes : list of Outcome

    Returns
    -------
    rows : list of Row
    by_cell : dict of str to Outcome
        The outcome of each answer and test.
    """
    by_cell = {s.grade_id: o for s, o in zip(steps, outcomes) if s.grade_id}
    stubs = {mark(c)["grade_id"]: c.source for c in assignment.release.cells if mark(c)}
    rows = []
    for cell in assignment.graded:
        grade_id, most = mark(cell)["grade_id"], float(mark(cell)["points"])
        question = question_of(grade_id)
        if by_reading(cell):
            text = answers.cells.get(grade_id, "")
            empty = not text.strip() or same(text) == same(stubs[grade_id])
            points, status = (0.0, NOT_DONE) if empty else (None, TO_READ)
            row = Row(question, grade_id, points, most, status, by_reading=True)
        else:
            outcome = by_cell[grade_id]
            status, message = verdict_of(outcome)
            before = [by_cell[a] for a in by_cell if question_of(a) == question and a != grade_id]
            broken = [o for o in before if o.status in ("error", "time", "dead")]
            if outcome.error == "NameError" and broken:
                message += "; your cell had stopped before: " + verdict_of(broken[0])[1]
            row = Row(question, grade_id, most * (status == PASSED), most, status, message)
        rows.append(row)
    return rows, by_cell


def stopped(steps, outcomes):
    """What to say of the assignment's own cells that did not run through, tests aside.

    Parameters
    ----------
    steps : list of Step
    outcomes : list of Outcome

    Returns
    -------
    list of str
    """
    said = []
    for step, outcome in zip(steps, outcomes, strict=True):
        if step.kind == "given" and outcome.status in ("error", "time", "dead"):
            name = f"given cell {step.grade_id}" if step.grade_id else "a given cell"
            error = f"{outcome.error}: " if outcome.error else ""
            said.append(f"{name} stopped: {error}{outcome.message}".strip())
    return said


def verdict_of(outcome):
    """Status and message of a test, in the words of the tables."""
    if outcome.status == "ok":
        return PASSED, ""
    if outcome.status == "error":
        if outcome.error == "AssertionError":
            if outcome.message == "not done yet":
                return NOT_DONE, ""
            return "failed", outcome.message or "a test failed"
        return "error", f"{outcome.error}: {outcome.message}"
    words = {"time": "too long", "dead": "stopped", "not run": "not run", "tampered": "tampered"}
    return words[outcome.status], outcome.message


def table_rows(results):
    """The rows of ``grades.csv``."""
    for r in results:
        for row in r.rows:
            points = "" if row.points is None else number(row.points)
            by = "reading" if row.by_reading else "tests"
            yield (r.student, r.assignment, row.question, row.cell, points, number(row.most),
                   row.status, row.message, by, r.submission)  # fmt: skip


def lines(columns, rows):
    """A table as text; a field that a spreadsheet would take for a formula gets a quote before it.

    Parameters
    ----------
    columns : sequence of str
    rows : sequence of dict of str to str

    Returns
    -------
    str
    """
    file = io.StringIO(newline="")
    table = csv.writer(file)
    table.writerow(columns)
    for row in rows:
        texts = (" ".join(str(row.get(name) or "").split("\r")) for name in columns)
        table.writerow("'" + t if t[:1] in ("=", "+", "-", "@", "\t") else t for t in texts)
    return file.getvalue()


STYLE = """
:root { color-scheme: light dark; --edge: #8886; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-top: 1px solid var(--edge); padding-top: 1rem; font-size: 1.2rem; }
pre { background: var(--soft); border: 1px solid var(--edge); padding: .6rem; overflow-x: auto;
  white-space: pre-wrap; overflow-wrap: anywhere; font-size: 14px; }
table { border-collapse: collapse; }
td, th { border: 1px solid var(--edge); padding: .2rem .6rem; text-align: left; }
td.n { text-align: right; }
p.status { border-left: .3rem solid var(--edge); padding-left: .6rem; white-space: pre-wrap; }
img { max-width: 100%; background: #fff; }
"""
SIGNS = {PASSED: "✓", TO_READ: "…", HAND: "", CHANGED: ""}


def page(result, assignment):
    """The feedback on one submission as a self-contained HTML page.

    Everything that comes from the student is escaped.

    Parameters
    ----------
    result : Result
    assignment : Assignment

    Returns
    -------
    str
    """
    title = f"{assignment.name}: {title_of(assignment.source)}"
    tests = f"{number(result.points)} of {number(result.most(False))} points from tests"
    read = sum(row.most for row in result.rows if row.points is None)
    if read:
        tests += f"; up to {number(read)} more when your open answer has been read"
    elif result.most(True):
        tests += f"; {number(result.reading)} of {number(result.most(True))} by reading"
    parts = [f"<h1>{esc(title)}</h1>", f"<p><b>{esc(result.student)}</b>: {esc(tests)}.</p>"]
    if result.message:
        parts.append(f'<p class="status">{esc(result.message)}</p>')
    rows = "".join(
        f'<tr><td><a href="#{esc(r.question)}">{esc(r.question)}</a></td><td>{esc(r.cell)}</td>'
        f'<td class="n">{"" if r.points is None else number(r.points)} / {number(r.most)}</td>'
        f"<td>{SIGNS.get(r.status, '✗')} {esc(r.status)}</td></tr>"
        for r in result.rows
    )
    parts.append(
        "<table><tr><th>question</th><th>cell</th><th>points</th><th>result</th></tr>"
        f"{rows}</table>"
    )
    for question in dict.fromkeys(row.question for row in result.rows):
        parts += question_part(question, result, assignment)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">"
        f"<title>{esc(title)}: {esc(result.student)}</title><style>{STYLE}</style></head>\n<body>"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def question_part(question, result, assignment):
    """The pieces of the page about one question."""
    rows = [row for row in result.rows if row.question == question]
    most = number(sum(row.most for row in rows))
    yield f'<h2 id="{esc(question)}">{esc(question)} ({most} points)</h2>'
    for row in rows:
        points = f"{number(row.points)} of " if row.points is not None else "up to "
        line = f"{row.cell}: {row.status}, {points}{number(row.most)}"
        yield f'<p class="status">{esc(line + (". " + row.message if row.message else ""))}</p>'
    for cell in assignment.source.cells:
        grade_id = mark(cell).get("grade_id", "")
        if question_of(grade_id) != question or not mark(cell).get("solution"):
            continue
        text = result.answers.cells.get(grade_id) if result.answers else None
        yield "<p>Your answer:</p>" if text else "<p>There is no answer.</p>"
        if text:
            yield f"<pre>{esc(text)}</pre>"
        outcome = result.outcomes.get(grade_id)
        if outcome and outcome.status in ("error", "time", "dead"):
            yield f"<p>This cell stopped:</p><pre>{esc(verdict_of(outcome)[1])}</pre>"
        if outcome and outcome.text:
            shown = outcome.text[:2000] + ("\n..." if len(outcome.text) > 2000 else "")
            yield f"<p>It printed:</p><pre>{esc(shown)}</pre>"
        for image in outcome.images if outcome else ():
            yield f'<img alt="a figure drawn by this cell" src="data:image/png;base64,{image}">'
        if by_reading(cell) and RUBRIC in cell.source:
            rubric = cell.source.partition(RUBRIC)[2].strip()
            yield f"<p>What earns the points:</p>{pipe_table(rubric)}"


def pipe_table(text):
    """A Markdown table, the only form that a rubric has, as HTML; other lines as paragraphs."""
    rows, rest = [], []
    for line in text.splitlines():
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if not line.strip().startswith("|"):
            rest.append(line.strip())
        elif not all(set(c) <= set("-: ") for c in cells):
            tag = "td" if rows else "th"
            rows.append("".join(f"<{tag}>{esc(c)}</{tag}>" for c in cells))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return (f"<table>{body}</table>" if rows else "") + "".join(
        f"<p>{esc(line)}</p>" for line in rest if line
    )


def esc(text):
    """Text for HTML, without control characters."""
    kept = "".join(c for c in str(text) if c in "\n\t" or c.isprintable())
    return html.escape(kept)
