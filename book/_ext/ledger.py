"""The ledger of replications: what the sources print, what comes out here, and a verdict.

``python ledger.py`` writes pages of the book from the entries in ``book/ledger``, a file for each
source: ``book/ledger.md``, which shows all entries as squares, and a page for each source beside
its file. They are not in git. An entry is written by hand; where it
says what comes out here, the numbers come from `ledger_numbers`. The rules for the verdicts, and
the criteria that were written before a run, stand in ``book/ledger/criteria.yml``.

Vocabulary
----------
entry : a table, a figure or a claim, or several that share their settings: `Entry`
verdict : one of `VERDICTS`
expression : Python with the names of `ledger_numbers`; in a text it stands in braces, and may
    have a format, ``{gold("002-mush-H"):.3f}``
"""

import html
import os
import re
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import ledger_numbers
import nbformat
import yaml

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "book" / "ledger"
PAGE = ROOT / "book" / "ledger.md"
ERRATA = ROOT / "book" / "errata"
SOURCES = ("notes", "slides", "thesis", "paper", "dissertation")
VERDICTS = {
    "reproduced": "It comes out: a number to the printed digits; a result of chance in its "
    "order or pattern, and then the entry says how often we drew.",
    "reproduced with a correction": "It comes out when a slip that the entry names is mended.",
    "reproduced in part": "Some of what the source states comes out, and the entry says what does "
    "not.",
    "not reproduced": "Run as printed, something else comes out; or an argument that no run could "
    "change is against it.",
    "not run as printed": "It was not run, or only in a smaller version in which it does not come "
    "out. What would come out at the size of the source stays open.",
    "data not public": "It needs data that nobody else can get.",
    "under-specified": "The source does not say enough for a run that could fail.",
}
LETTERS = dict(zip(VERDICTS, "RCPNODU", strict=True))  # on the squares
SELECTION = range(14, 18)  # the chapters that the errata call feature selection

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass
class Entry:
    """One line of the ledger.

    Parameters
    ----------
    id : str
        Unique within its source, small letters, digits and hyphens; part of the anchor.
    where : str
        The place in the source: table, figure, section, or the claim in a few words.
    printed, here : str
        What the source prints and what comes out here; texts with expressions.
    verdict : str
        One of `VERDICTS`.
    settings : str
        What was run: rows, columns, seeds, replicates.
    gold : list of str
        Patterns of items of gold.json that the entry covers.
    holds : str
        An expression that is true as long as the verdict is. Unless the criterion stands in
        `criteria`, it was chosen after the run, and the page says so.
    run : str
        An expression that says whether there is a result; where it is false the entry counts as
        not run as printed, shows `missing`, and has no links.
    missing : str
        Why it was not run.
    replicates : str
        An expression for the number of replicates that the verdict rests on.
    see : list of str
        Chapters ("04_pruning#when-it-breaks"), pages under the hood ("hood/04_pruning"), other
        pages ("errata#two-thirds"), scripts ("importance.py").
    tests : list of str
        Names of tests that compute it.
    """

    id: str
    where: str
    printed: str
    here: str
    verdict: str
    settings: str = ""
    gold: list = field(default_factory=list)
    holds: str = ""
    run: str = ""
    missing: str = ""
    replicates: str = ""
    see: list = field(default_factory=list)
    tests: list = field(default_factory=list)

    @property
    def was_run(self):
        """Whether there is a result."""
        return value(self.run) if self.run else not self.missing

    @property
    def final(self):
        """The verdict that counts: what was not run is not run as printed."""
        return self.verdict if self.was_run else "not run as printed"

    def covers(self, name):
        """Whether an item of gold.json belongs to the entry."""
        return any(fnmatch(name, pattern) for pattern in self.gold)


@dataclass
class Source:
    """A source and its entries; `title` is the heading, `text` stands below it."""

    name: str
    title: str
    text: str
    entries: list


def sources(folder=FOLDER):
    """All sources with their entries.

    Raises
    ------
    ValueError
        Where a verdict is none of `VERDICTS`, or an id stands twice in a source.
    """
    found = []
    for name in SOURCES:
        data = yaml.load((folder / f"{name}.yml").read_text(encoding="utf-8"), LOADER)
        entries = [Entry(**entry) for entry in data["entries"]]
        ids = [entry.id for entry in entries]
        for entry in entries:
            if entry.verdict not in VERDICTS:
                allowed = ", ".join(VERDICTS)
                raise ValueError(
                    f"verdict of {name}/{entry.id} is {entry.verdict!r}, not one of: {allowed}."
                )
            if ids.count(entry.id) > 1 or not re.fullmatch(r"[a-z0-9-]+", entry.id):
                raise ValueError(f"id {entry.id!r} of {name} stands twice, or is no plain name.")
        found.append(Source(name, data["title"], data["text"], entries))
    return found


@cache
def criteria():
    """The rules for all verdicts, and what was written before a run, by source and id.

    Returns
    -------
    rules : str
    before : dict
        For each entry its ``run``, its ``criterion``, and ``done``, an expression that is true when
        the run is complete.
    """
    data = yaml.load((FOLDER / "criteria.yml").read_text(encoding="utf-8"), LOADER)
    return data["rules"], {each["id"]: each for each in data["runs"]}


def when_chosen(name):
    """Whether the criterion of an entry was written before the run that its verdict rests on."""
    planned = criteria()[1].get(name)
    if planned and value(planned["done"]):
        return "*criterion written before the run*"
    unfinished = ", a larger run is not complete" if planned else ""
    return f"*criterion chosen after the run{unfinished}*"


# --- texts with numbers ------------------------------------------------------------------------


def value(expression):
    """What an expression comes to.

    Examples
    --------
    >>> value('gold("002-mush-tree", "root")')
    'color'
    """
    return eval(expression, vars(ledger_numbers) | {"__builtins__": __builtins__})


def shown(result, form=""):
    """A value as text: lists with commas, numbers in the format or with up to six digits.

    Examples
    --------
    >>> shown([0.25, 3]), shown(0.9402859, ".3f"), shown(12345678.0, ",.0f")
    ('0.25, 3', '0.940', '12 345 678')
    """
    if isinstance(result, str):
        return result
    if isinstance(result, dict):
        return ", ".join(f"{key} {shown(each, form)}" for key, each in result.items())
    if hasattr(result, "__len__"):
        return ", ".join(shown(each, form) for each in result)
    if isinstance(result, bool):
        return "yes" if result else "no"
    text = format(result, form) if form else f"{result:.6g}"
    return text.replace(",", " ").replace("-", "−")


EXPRESSION = re.compile(r"\{(.+?)(?::([-+,.\w%]+))?\}")


def filled(text):
    """A text with its expressions worked out.

    Examples
    --------
    >>> filled('root {gold("002-mush-tree", "root")}, {gold("002-mush-H"):.3f} bits')
    'root color, 0.940 bits'
    """
    return EXPRESSION.sub(lambda match: shown(value(match[1]), match[2] or ""), text)


# --- links -------------------------------------------------------------------------------------


def slug(title):
    """The anchor of a heading, as MyST makes it.

    Examples
    --------
    >>> slug("The variance with n − 1, and why?")
    'the-variance-with-n--1-and-why'
    """
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")


@cache
def headings(path):
    """The headings of a page or notebook by their anchors."""
    if path.suffix == ".ipynb":
        cells = nbformat.read(path, as_version=4).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    else:
        text = path.read_text(encoding="utf-8")
    titles = re.findall(r"^#{1,4} (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {slug(title): title for title in titles}


def path_of(page):
    """The file of a chapter ("04_pruning"), of what is under its hood, or of another page."""
    folder, _, stem = page.rpartition("/")
    if not stem[:2].isdigit():
        return ROOT / "book" / f"{page}.md"
    return ROOT / "notebooks" / ("under_the_hood" if folder == "hood" else "") / f"{stem}.ipynb"


def pages_of_errata():
    """The page of all errata, and the pages of each source."""
    return [ERRATA.with_suffix(".md"), *(ERRATA / f"{source}.md" for source in SOURCES)]


def place(target):
    """The file that a target means, and the anchor in it; of the errata the page that has it.

    Raises
    ------
    ValueError
        Where there is no such page or heading.
    """
    page, _, anchor = target.partition("#")
    path = path_of(page)
    if page == "errata" and anchor:
        path = next((p for p in pages_of_errata() if anchor in headings(p)), path)
    if not path.is_file() or (anchor and anchor not in headings(path)):
        raise ValueError(f"there is no {path.relative_to(ROOT)} with the anchor {anchor!r}.")
    return path, anchor


def link(target):
    """A link of the page of a source, in MyST.

    Raises
    ------
    ValueError
        Where there is no such page, heading or script.
    """
    if target.endswith(".py"):
        if not (ledger_numbers.FOLDER / target).is_file():
            raise ValueError(f"there is no script notebooks/replications/{target}.")
        return f"{{download}}`{target} <../../notebooks/replications/{target}>`"
    path, anchor = place(target)
    folder, _, stem = target.partition("#")[0].rpartition("/")
    label = f"{folder or 'chapter'} {int(stem[:2])}" if stem[:2].isdigit() else stem
    title = f": {headings(path)[anchor]}" if anchor else ""
    relative = Path(os.path.relpath(path, FOLDER)).as_posix()
    return f"[{label}{title}]({relative}{'#' * bool(anchor)}{anchor})"


@cache
def titles_of_chapters():
    """The number of each chapter by its title."""
    found = {}
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        found[next(iter(headings(path).values()))] = int(path.name[:2])
    return found


def chapters(entry):
    """The numbers of the chapters that an entry points to, itself or by its errata; a set."""
    found = set()
    for target in entry.see:
        number = re.match(r"(?:hood/)?(\d\d)_", target)
        if number:
            found.add(int(number[1]))
        elif target.startswith("errata#"):
            path, anchor = place(target)
            text = path.read_text(encoding="utf-8").partition(f"### {headings(path)[anchor]}\n")[0]
            part = re.findall(r"^## (.*)$", text, re.M)[-1]
            if part == "Feature selection":
                found.update(SELECTION)
            found.update(n for title, n in titles_of_chapters().items() if title.startswith(part))
    return found


# --- the page ----------------------------------------------------------------------------------


def counts(entries):
    """How many entries have each verdict, in the order of `VERDICTS`."""
    return [sum(entry.final == verdict for entry in entries) for verdict in VERDICTS]


def table_of_counts(all_sources):
    """The table at the head of the page."""
    every = [entry for source in all_sources for entry in source.entries]
    rows = [[f"[{s.title}](ledger/{s.name}.md)", *counts(s.entries)] for s in all_sources]
    rows += [["**all**", *counts(every)]]
    lines = [["source", *VERDICTS, "all"], ["---", *["---:"] * (len(VERDICTS) + 1)]]
    lines += [[*row, sum(row[1:])] for row in rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def cells(source, entry):
    """The four cells of an entry."""
    where = f"[**{entry.where}**]{{#ledger-{source.name}-{entry.id}}}"
    where = f"[{LETTERS[entry.final]}]{{.tl-square .{slug(entry.final)}}} {where}"
    if entry.settings:
        where += f"\n\n{filled(entry.settings)}"
    here = filled(entry.here) if entry.was_run else entry.missing
    verdict = f"**{entry.final}**" + ("" if entry.was_run else ", not run")
    if entry.replicates and entry.was_run:
        n = value(entry.replicates)
        verdict += f", from {'one replicate' if n == 1 else f'{n} replicates'}"
    if not entry.was_run:
        return [where, filled(entry.printed), here, verdict]
    proofs = [link(target) for target in entry.see]
    if not any("errata" in target for target in entry.see):  # there they stand, too
        proofs += [f"`{test}`" for test in entry.tests]
    if entry.gold:
        proofs.append("`test_gold.py`")
    if entry.holds:
        verdict += f"\n\n{when_chosen(f'{source.name}-{entry.id}')}"
    return [where, filled(entry.printed), here, f"{verdict}\n\n{', '.join(proofs)}"]


def item(text, first):
    """A cell of a list table."""
    lines = text.strip().split("\n")
    indent = "\n".join([("* - " if first else "  - ") + lines[0]] + ["    " + x for x in lines[1:]])
    return re.sub(r"[ \t]+$", "", indent, flags=re.M)


def table_of_entries(source):
    """The table of a source."""
    rows = [["where, and what was run", "printed", "here", "verdict, and where to look"]]
    rows += [cells(source, entry) for entry in source.entries]
    body = "\n".join(item(cell, k == 0) for row in rows for k, cell in enumerate(row))
    return (
        f":::{{list-table}}\n:header-rows: 1\n:widths: 25 23 30 22\n:class: ledger\n\n{body}\n:::"
    )


HEAD = """\
---
myst:
  html_meta:
    description: "What the five sources of the book print and what comes out here: tables, figures
      and claims, each with a verdict and a link to what was run."
html_theme.sidebar_secondary.remove: true
---

# Ledger of replications

```{{index}} replication, ledger
```

This book rests on five documents, and the {{doc}}`errata` say what they get wrong. Here is every
table, figure and claim of theirs that can be run: what is printed, what comes out here, and a
verdict. That makes {total} entries. Each is a square, which leads to what was run:

{squares}

{table}

{verdicts}

Of what is *not run as printed*, {not_run} were not run at all. A replicate is one draw of a
simulation, or one split of real rows, and has its number for a seed; where we have few, the entry
says how few.

(ledger-rules)=
## Rules

{rules}
The following criteria were written before the runs:

{before}

The entries cover {n_gold} numbers, printed or derived from what is printed.
`tests/references/test_gold.py` computes them with treelab and compares them with a calculation
that shares nothing with it. Names in `code` are tests. All other numbers of ours are read, when
this page is made, from tables that scripts have written, and a test holds each verdict to them.
"""

HEAD_OF_SOURCE = """\
---
myst:
  html_meta:
    description: "{title}: {n} tables, figures and claims of this source, what it prints, what comes
      out here, and a verdict on each."
html_theme.sidebar_secondary.remove: true
---

(ledger-{name})=
# Ledger: {title}

{text}

What the verdicts mean, and how the other sources fare, is said in the {{doc}}`/book/ledger`.

"""


def square(source, entry):
    """An entry as a square with its name, in HTML: a link to the page of its source."""
    name = f"ledger-{source.name}-{entry.id}"
    kind, letter = slug(entry.final), LETTERS[entry.final]
    numbers = " ".join(map(str, sorted(chapters(entry))))
    return (
        f'<li data-verdict="{kind}" data-chapters="{numbers}">'
        f'<a id="{name}" href="ledger/{source.name}.html#{name}">'
        f'<span class="tl-square {kind}" aria-hidden="true">{letter}</span>'
        f'<span class="tl-name">{html.escape(entry.where)}'
        f'<span class="visually-hidden">: {entry.final}</span></span></a></li>'
    )


def squares(all_sources):
    """All entries as squares, source by source; a script gives them filters (`ledger.js`)."""
    parts = ['<div class="tl-ledger">']
    for source in all_sources:
        listed = "\n".join(square(source, entry) for entry in source.entries)
        parts.append(
            f'<section data-source="{source.name}" aria-label="{html.escape(source.title)}">\n'
            f'<p class="tl-of-source"><a href="ledger/{source.name}.html">'
            f"{html.escape(source.title)}</a></p>\n<ol>\n{listed}\n</ol>\n</section>"
        )
    return "```{raw} html\n" + "\n".join([*parts, "</div>"]) + "\n```"


def page():
    """The page of all sources."""
    found = sources()
    entries = [entry for source in found for entry in source.entries]
    names = [name for name in ledger_numbers.items() if any(e.covers(name) for e in entries)]
    return HEAD.format(
        total=len(entries),
        squares=squares(found),
        table=table_of_counts(found),
        verdicts="\n\n".join(
            f"[{LETTERS[name]}]{{.tl-square .{slug(name)}}} {name}\n: {text}"
            for name, text in VERDICTS.items()
        ),
        not_run=sum(not entry.was_run for entry in entries),
        n_gold=len(names),
        rules=criteria()[0],
        before="\n".join(
            f'- <a href="ledger/{key.partition("-")[0]}.html#ledger-{key}">{key}</a>: '
            f"{each['run']} {each['criterion']}"
            for key, each in criteria()[1].items()
        ),
    )


def page_of(source):
    """The page of a source."""
    head = HEAD_OF_SOURCE.format(
        title=source.title, n=len(source.entries), name=source.name, text=source.text.rstrip()
    )
    return f"{head}{table_of_entries(source)}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    for each in sources():
        (FOLDER / f"{each.name}.md").write_text(page_of(each), encoding="utf-8")
