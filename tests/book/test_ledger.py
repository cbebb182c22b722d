"""The ledger of replications: complete, held to the committed results, and red when spoiled."""

import csv
import doctest
import re
from collections import defaultdict
from fnmatch import fnmatch
from functools import cache
from math import comb
from statistics import fmean, stdev

import ledger
import ledger_numbers
import nbformat
import pytest
import yaml
from built_book import assert_none
from places import ROOT

SOURCES = ledger.sources()
ENTRIES = [(source, entry) for source in SOURCES for entry in source.entries]
IDS = [f"{source.name}-{entry.id}" for source, entry in ENTRIES]
BY_ID = dict(zip(IDS, (entry for _, entry in ENTRIES), strict=True))
RUN = [name for name in IDS if BY_ID[name].was_run]


@cache
def covered(name):
    """The items of gold.json that belong to an entry."""
    return [item for item in ledger_numbers.items() if BY_ID[name].covers(item)]


@cache
def page():
    """The pages of the book in one text, that of all sources first."""
    return "\n".join([ledger.page(), *map(ledger.page_of, SOURCES)])


# Entries without a number, a table or an error of their own, which the tests below would not miss.
ALSO = """
    dissertation-figure-4-3 dissertation-table-2-3 dissertation-table-2-4 dissertation-table-2-5
    dissertation-table-2-7 dissertation-table-2-8 paper-table-2 paper-table-3-accuracies
    paper-table-3-c45 paper-table-3-forest thesis-rfe-errors thesis-srfe-errors
""".split()

# The numbered tables and figures that hold a result, by source.
TABLES = {
    "slides": ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    "thesis": [
        "2.4.1", "2.5.1", "4.1.1", "4.1.2", "4.2.1", "4.2.2", "4.2.3",
        *(f"4.3.{k}" for k in range(1, 44)), "B.1.1", "B.1.2", "B.2.1", "B.3.1", "B.3.2",
    ],
    "dissertation": [*(f"2.{k}" for k in range(1, 15)), "3.1", "4.1", "4.2"],
}  # fmt: skip
FIGURES = {
    "slides": ["1", "3", "5", "6", "7", "8", "9", "12"],
    "thesis": [
        "2.1.1", "3.2.1", "4.2.1", "4.2.2", "4.3.1", "4.3.2", "4.3.3", "4.3.4", "B.2.1", "B.2.2",
        "B.2.3", "B.3.1",
    ],
    "paper": ["1", "2", "3", "4"],
    "dissertation": [
        "1.2", "1.3", *(f"3.{k}" for k in range(1, 19)), *(f"4.{k}" for k in range(1, 16)),
    ],
}  # fmt: skip


# --- complete ----------------------------------------------------------------------------------


def test_every_number_of_the_sources_is_in_the_ledger():
    items = ledger_numbers.items()
    assert set(items) == {item for name in IDS for item in covered(name)}
    patterns = [(name, pattern) for name in IDS for pattern in BY_ID[name].gold]
    assert [p for p in patterns if not any(fnmatch(item, p[1]) for item in items)] == []


def test_what_shares_its_table_has_an_entry():
    assert set(ALSO) <= set(IDS)


def named(text, kind):
    """Numbers of the tables or figures that a place names, ranges worked out."""
    found = set()
    number = r"(?:[AB]\.)?\d+(?:\.\d+)*"
    lists = rf"{kind}s? ((?:{number})(?:(?:, | and | to )(?:{number}))*)"
    for part in re.findall(lists, text, re.I):
        tokens = re.findall(rf"{number}|to", part)
        for k, token in enumerate(tokens):
            if token == "to":
                head, _, first = tokens[k - 1].rpartition(".")
                last = int(tokens[k + 1].rpartition(".")[2])
                found |= {f"{head}.{n}".lstrip(".") for n in range(int(first), last + 1)}
            else:
                found.add(token)
    return found


def test_every_table_and_figure_with_a_result_has_an_entry():
    for kind, numbers in (("table", TABLES), ("figure", FIGURES)):
        for source in SOURCES:
            places = set().union(*(named(entry.where, kind) for entry in source.entries))
            missing = sorted(set(numbers.get(source.name, [])) - places)
            assert missing == [], f"{kind}s of {source.name}"


@cache
def errata():
    """The sections of the errata by their anchors, in one text each."""
    sections = {}
    for path in ledger.pages_of_errata():
        text = path.read_text(encoding="utf-8")
        for part in re.split(r"^#{2,3} ", text, flags=re.M)[1:]:
            title, _, body = part.partition("\n")
            sections[ledger.slug(title)] = body
    return sections


def test_every_error_of_the_five_sources_is_in_the_ledger():
    linked = {target.partition("#")[2] for entry in BY_ID.values() for target in entry.see}
    own = {
        anchor
        for anchor, body in errata().items()
        if re.match(r"(?:Lecture|Slides|Thesis|Paper|Dissertation)", body)
    }
    assert len(own) > 100
    assert own - linked == set()


# --- every entry -------------------------------------------------------------------------------


def test_an_entry_says_what_it_must():
    def problems(name):
        entry = BY_ID[name]
        wanted = {
            "where": entry.where,
            "printed": entry.printed,
            "verdict": entry.verdict in ledger.VERDICTS,
            "here": entry.here or not entry.was_run,
            "missing": entry.missing or entry.was_run,
        }
        yield from (f"{key} is not as it must be" for key, given in wanted.items() if not given)
        if entry.final not in ("data not public", "under-specified") and entry.was_run:
            if not (entry.see or entry.tests or entry.gold):
                yield "nothing to look at"

    assert_none(problems, IDS)


def test_the_verdicts_hold():
    def problems(name):
        entry = BY_ID[name]
        if entry.holds and not ledger.value(entry.holds):
            yield f"not true: {entry.holds}"
        scripts = [target for target in entry.see if target.endswith(".py")]
        if scripts and entry.verdict != "under-specified" and not entry.holds:
            yield "a verdict on a table of ours says what it rests on"

    assert_none(problems, RUN)


def test_the_verdicts_agree_with_what_is_printed():
    """What is printed wrong is no plain "reproduced"."""

    def problems(name):
        entry = BY_ID[name]
        status = {item: ledger_numbers.items()[item]["status"] for item in covered(name)}
        wrong = [item for item, of in status.items() if of in ("rounding", "doc_error")]
        if wrong and entry.final == "reproduced":
            yield wrong

    assert_none(problems, IDS)


@cache
def names_of_tests():
    """The names of all tests."""
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return {name for text in texts for name in re.findall(r"^def (test_\w+)", text, re.M)}


def test_links_and_tests_exist():
    def problems(name):
        entry = BY_ID[name]
        for target in entry.see:
            try:
                ledger.link(target)
            except ValueError as error:
                yield error
        yield from set(entry.tests) - names_of_tests()

    assert_none(problems, RUN)


def plain(text):
    """A text whose numbers have no gaps: 17 379 and 17_379 are 17379."""
    return re.sub(r"(?<=\d)[ \u202f_](?=\d{3}(?!\d))", "", text)


@cache
def text_of(target):
    """The words, code and outputs of what an entry links to; of the errata the section."""
    page, _, anchor = target.partition("#")
    if page == "errata":
        return plain(errata()[anchor])
    if target.endswith(".py"):
        path = ROOT / "notebooks" / "replications" / target
        return plain(path.read_text(encoding="utf-8"))
    path = ledger.path_of(page)
    if path.suffix != ".ipynb":
        return plain(path.read_text(encoding="utf-8"))
    cells = nbformat.read(path, as_version=4).cells
    outputs = (str(out) for cell in cells for out in cell.get("outputs", ()))
    return plain("\n".join([*(cell.source for cell in cells), *outputs]))


def typed(text):
    """Numbers above ten, or with a point, that are typed into a text; those of places are not."""
    places = r"(?:tables?|figures?|section|step|\band) [A-Z\d.]+\d"
    text = re.sub(places, "", plain(text), flags=re.I)
    found = re.findall(r"\d+\.\d+|\d{2,}", ledger.EXPRESSION.sub("", text))
    return {number for number in found if float(number) > 10 or "." in number}


def test_typed_numbers_stand_where_the_entry_points():
    """Numbers of ours come from tables; one that is typed stands in the errata or the chapter that
    is linked, is a bound that is checked, or belongs to the item of gold.json."""

    def problems(name):
        entry = BY_ID[name]
        items = [str(ledger_numbers.items()[item]) for item in covered(name)]
        said = plain(entry.printed + entry.settings)
        known = "\n".join([*map(text_of, entry.see), *items, entry.holds, said])
        yield from (number for number in typed(entry.here) if number not in known)

    assert_none(problems, RUN)


def test_a_verdict_on_replicates_says_how_many():
    def problems(name):
        entry = BY_ID[name]
        if not {"local_importance.py", "local_gaps.py"} & set(entry.see) or name in (
            "dissertation-times",  # processor time
            "dissertation-threshold",  # sets of noise, said under settings
        ):
            return
        if not ledger.value(entry.replicates) > 0:
            yield "no replicates"
        cell = ledger.cells(SOURCES[-1], entry)[-1]
        how_many = r"from (one replicate|\d+ replicates)\n"
        if not re.match(rf"\*\*{entry.verdict}\*\*, {how_many}", cell):
            yield cell

    assert_none(problems, RUN)


def test_texts_can_be_filled():
    def problems(name):
        entry = BY_ID[name]
        for text in (entry.printed, entry.here, entry.settings):
            filled = ledger.filled(text)
            if "{" in filled or "nan" in re.findall(r"\w+", filled):
                yield filled

    assert_none(problems, RUN)


# --- computed values are those of the tables ---------------------------------------------------


def of_table(name, **cells):
    """The rows of a committed table that have these cells, read without pandas."""
    path = ROOT / "notebooks" / "replications" / f"{name}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row.items() >= cells.items()]


def test_ranks_are_those_of_the_table():
    rows = of_table("local_importance", study="first", setting="sine, factor 1", method="mdi")
    n = sum(int(row["found"].split()[1]) <= 2 for row in rows)
    assert ledger_numbers.often("sine, factor 1", "mdi", 1, study="first") == n == 4
    assert f"factor 1: in {n} and" in ledger.filled(BY_ID["dissertation-figure-1-3"].here)


def test_errors_are_those_of_the_table():
    setting = "products, noise 10, updated"
    of = defaultdict(list)
    for r in of_table("local_importance", study="prediction", setting=setting):
        of[r["method"]].append(float(r["test"]))
    means = {method: fmean(values) for method, values in of.items()}
    assert len(means) == 4
    text = ledger_numbers.errors(setting)
    for method, mean in means.items():
        assert ledger_numbers.error(setting, method) == pytest.approx(mean)
        assert ledger_numbers.short(mean) in text


def test_marks_are_those_of_the_table():
    rows = of_table("reluctant_marks", judge="forest", method="FCBF", against="all")
    of = [row["mark"] for row in rows]
    assert ledger_numbers.counted(ledger_numbers.marks("forest", "FCBF")) == "/".join(
        str(of.count(mark)) for mark in "+-="
    )
    assert len(of) == 16


def test_importances_of_noise_are_those_of_the_table():
    """By hand: the mean over levels of the share of bins that chose, kept if above 0.2."""
    kept = []
    for r in of_table("local_importance", study="noise", setting="mdi"):
        bins = r["found"].split()
        levels = (bins[:1], bins[1:3], bins[3:])
        chosen = ([fmean(b[j] == "1" for b in level) for level in levels] for j in range(10))
        kept.append(sum(fmean(shares) > 0.2 for shares in chosen))
    assert ledger_numbers.kept_of_noise("mdi") == pytest.approx(sum(kept) / len(kept))


def test_differences_are_those_of_the_tables():
    blocks, ordinary = (
        [float(row["forest"]) for row in of_table("boosting_eliminates", model="forest", way=way)]
        for way in ("Boruta in blocks", "Boruta 100")
    )
    gaps = [a - b for a, b in zip(blocks, ordinary, strict=True)]
    half = 2.776 * stdev(gaps) / len(gaps) ** 0.5  # of Student's t with four degrees of freedom
    text = ledger_numbers.less_in_farms("Boruta in blocks", "Boruta 100", "forest")
    assert text.replace("−", "-") == f"{fmean(gaps):.2f} ± {half:.2f}"
    assert len(gaps) == 5
    here = {}
    for r in of_table("local_importance", study="prediction", setting="sine, factor 10"):
        here[r["method"], r["replicate"]] = r
    below = [
        float(here["LPSC", k]["own"]) < float(here["forest", k]["training"])
        for k in map(str, range(10))
    ]
    assert ledger_numbers.own_lower("sine, factor 10") == sum(below) == 10
    # Fisher's test of 0 of 10 and 23 of 50: all counts of the ten that are as rare or rarer
    each = [comb(23, k) * comb(37, 10 - k) / comb(60, 10) for k in range(11)]
    p = sum(share for share in each if share <= each[0])
    assert ledger_numbers.p_of_features("2.11", "average")[6] == pytest.approx(p)


# --- the page ----------------------------------------------------------------------------------


def test_counts_add_up():
    text = ledger.table_of_counts(SOURCES)
    table = [re.findall(r"(?<=\| )\d+(?= )", line) for line in text.splitlines()[2:]]
    table = [[int(n) for n in line] for line in table]
    assert len(table) == len(SOURCES) + 1
    for line in table:
        assert sum(line[:-1]) == line[-1]
    assert [sum(column) for column in zip(*table[:-1], strict=True)] == table[-1]
    assert table[-1][-1] == len(ENTRIES)
    for source, line in zip(SOURCES, table, strict=False):
        assert line[-1] == len(source.entries)


def test_what_was_not_run_counts_as_not_run_as_printed_and_says_why():
    idle = [name for name in IDS if name not in RUN]
    text = page()
    assert f"*not run as printed*, {len(idle)} were not run at all" in text
    assert text.count("**not run as printed**, not run") == len(idle)
    assert all(BY_ID[name].missing in text for name in idle)


def test_the_page_shows_the_rules_and_when_a_criterion_was_chosen():
    rules, before = ledger.criteria()
    assert rules in page()
    assert set(before) <= set(IDS)
    entries = page().partition("(ledger-notes)=")[2]
    marked = re.findall(r"\*criterion (?:written before|chosen after) the run", entries)
    assert len(marked) == sum(bool(BY_ID[name].holds) for name in RUN)


def test_a_criterion_written_before_counts_when_its_run_is_complete(monkeypatch):
    name = "dissertation-figure-4-8"
    for done, words in (("True", "written before the run"), ("False", "is not complete")):
        planned = {name: ledger.criteria()[1][name] | {"done": done}}
        monkeypatch.setattr(ledger, "criteria", lambda planned=planned: ("", planned))
        assert words in ledger.when_chosen(name)
        monkeypatch.undo()


def test_not_reproduced_needs_as_many_replicates_as_the_source_has():
    """The simulations and real sets of the dissertation have 50."""

    def problems(name):
        entry = BY_ID[name]
        if entry.final == "not reproduced" and entry.replicates and not entry.tests:
            yield f"{ledger.value(entry.replicates)} replicates"

    assert_none(problems, RUN)


def test_the_page_has_every_entry_once():
    text = page()
    assert re.findall(r"\{#ledger-([\w-]+)\}", text) == IDS
    square = (
        r'<li data-verdict="([\w-]+)".*? id="ledger-([\w-]+)" href="(ledger/\w+\.html#[\w-]+)">'
    )
    leads = [f"ledger/{source.name}.html#ledger-" for source, _ in ENTRIES]
    verdicts = [ledger.slug(entry.final) for _, entry in ENTRIES]
    expected = [(v, name, to + name) for v, name, to in zip(verdicts, IDS, leads, strict=True)]
    assert re.findall(square, text) == expected


def test_an_entry_belongs_to_the_chapters_that_it_points_to():
    of = {name: ledger.chapters(BY_ID[name]) for name in IDS}
    assert of["notes-gain-ratio"] == {2, 5}
    assert of["thesis-boundary"] == {1}  # by its errata alone
    assert of["dissertation-threshold"] <= set(range(1, 20))
    assert set().union(*of.values()) <= set(range(1, 20))
    assert sum(not numbers for numbers in of.values()) < 20


def test_the_examples_of_the_program_run():
    assert doctest.testmod(ledger) == (0, 4)


# --- a spoiled entry is found ------------------------------------------------------------------


def spoiled(tmp_path, name, old, new):
    """The sources with one change in the file of a source."""
    for path in ledger.FOLDER.glob("*.yml"):
        text = path.read_text(encoding="utf-8")
        if path.stem == name:
            assert text.count(old) >= 1
            text = text.replace(old, new, 1)
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    return ledger.sources(tmp_path)


def test_an_unknown_verdict_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"notes/ten-points is 'nearly', not one of:"):
        spoiled(tmp_path, "notes", "verdict: reproduced", "verdict: nearly")


def test_an_id_that_stands_twice_is_refused(tmp_path):
    with pytest.raises(ValueError, match="'order' of notes stands twice"):
        spoiled(tmp_path, "notes", "- id: class-k", "- id: order")


def test_a_link_that_leads_nowhere_is_refused():
    for target in ("none.py", "04_pruning#none", "hood/99_none", "errata#none"):
        with pytest.raises(ValueError, match="there is no"):
            ledger.link(target)


def test_a_number_without_its_table_is_refused():
    with pytest.raises(NameError):
        ledger.filled("{nothing(1)}")
    with pytest.raises(KeyError):
        ledger.filled('{gold("004-none")}')


def test_a_spoiled_table_turns_a_verdict_over(monkeypatch):
    """If the forest had missed the second feature as printed, three verdicts would be wrong."""
    table = ledger_numbers.table("local_importance").copy()
    rows = (table["setting"] == "sine, factor 10") & (table["method"].isin(["forest", "mdi"]))
    table.loc[rows & table["study"].isin(["first", "selection"]), "found"] = "1 7"
    monkeypatch.setattr(ledger_numbers, "table", lambda name: table)
    monkeypatch.setattr(ledger_numbers, "by_setting", ledger_numbers.by_setting.__wrapped__)
    for name in ("figure-1-2", "figure-1-3", "table-2-4"):
        assert not ledger.value(BY_ID[f"dissertation-{name}"].holds)


def test_a_spoiled_count_is_seen(tmp_path):
    data = yaml.safe_load((ledger.FOLDER / "notes.yml").read_text(encoding="utf-8"))
    assert len(data["entries"]) == len(SOURCES[0].entries)
    found = spoiled(tmp_path, "notes", "verdict: not reproduced", "verdict: reproduced")
    before, after = (ledger.counts(source.entries) for source in (SOURCES[0], found[0]))
    assert [b - a for a, b in zip(before, after, strict=True)] == [1, 0, 0, -1, 0, 0, 0]
