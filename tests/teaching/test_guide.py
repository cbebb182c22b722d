"""The instructor's guide: what it cites stands in the chapters, what it computes is right.

Every number on a chapter's page of the guide must stand in that chapter; only minutes, frames and
the numbers of chapters, rooms and questions are counted apart. What is written on the board (the
blocks of plain text) is computed again wherever it is arithmetic.
"""

import json
import math
import re
from decimal import Decimal
from functools import cache

import exam
import museum
import nbformat
import pytest
from cases import each
from places import ROOT

GUIDE = ROOT / "book" / "instructors_guide.md"
PAGES = sorted((ROOT / "book" / "guide").glob("[0-9]*.md"))
CHAPTERS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
PARTS = ["The hour", "On the board", "Ask", "Wrong answers", "Step through it", "Exercises"]
PARTS += ["When time is short"]
# Of each assignment, the first and the last chapter.
ASSIGNMENTS = dict(enumerate([(1, 3), (4, 5), (6, 8), (9, 10), (11, 12)], 1))
ASSIGNMENTS |= {n: (n + 7, n + 7) for n in range(6, 11)}
WHERE = ("paper", "lab", "lab, if quick", "home")

every_page = each("page", PAGES, ids=lambda page: page.stem)


@cache
def chapter_text(stem):
    """Cells, captions and plain outputs of a chapter."""
    cells = json.loads((ROOT / "notebooks" / f"{stem}.ipynb").read_text(encoding="utf-8"))["cells"]
    parts = []
    for cell in cells:
        parts.append("".join(cell["source"]))
        about = cell["metadata"].get("mystnb", {})
        parts += [about.get("figure", {}).get("caption", ""), about.get("image", {}).get("alt", "")]
        for output in cell.get("outputs", []):
            parts.append("".join(output.get("text", "")))
            parts.append("".join(output.get("data", {}).get("text/plain", "")))
    return "\n".join(parts)


@cache
def labels():
    """Labels of exercises and names of figures and tables of all chapters, with their chapter."""
    found = {}
    for path in CHAPTERS:
        text = chapter_text(path.stem)
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        for label in re.findall(r"\{exercise\}.*\n:label: ([\w-]+)", text):
            found[label] = path.stem
        for label in re.findall(r"^:name: (tab-[\w-]+)$", text, re.M):
            found[label] = path.stem
        for cell in cells:
            figure = cell["metadata"].get("mystnb", {}).get("figure", {})
            found[figure.get("name", "")] = path.stem
    return found


@cache
def steppers():
    """Title, chapter and captions of each stepper, by its name."""
    found = {}
    for path in CHAPTERS:
        cells = nbformat.read(path, as_version=4).cells
        for output in (o for cell in cells for o in cell.get("outputs", ())):
            data = output.get("data", {})
            name = re.search(r'class="tl-stepper" id="stepper-([\w-]+)"', data.get("text/html", ""))
            if name:
                head, *captions = data["text/plain"].split("\n")
                title, count = re.fullmatch(r"(.+), (\d+) steps", head).groups()
                assert len(captions) == int(count)
                found[name[1]] = (title, path.stem, [c.partition(". ")[2] for c in captions])
    return found


def part(page, heading):
    """The lines under a heading of the second level."""
    text = page.read_text(encoding="utf-8")
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def rows(text):
    """The rows of the tables of a text, as lists of cells, without heads and rules."""
    lines = [line for line in text.split("\n") if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    heads = {i - 1 for i, row in enumerate(cells) if set("".join(row)) <= set("-:")}
    return [row for i, row in enumerate(cells) if i not in heads and i - 1 not in heads]


def numbers(text):
    """The numbers of a text, without signs and without the spaces between thousands."""
    text = re.sub(r"(?<=\d)(?: |\u202f|\\,)(?=\d{3}(?!\d))", "", text)
    return [Decimal(found) for found in re.findall(r"(?<![\w.])\d*\.?\d+(?!\w)", text)]


def cited(text):
    """A page without what is no number of the chapter: references, minutes, frames and places."""
    text = re.sub(r"\{\w+\}`[^`]*`|`[\w/]+\.html`|`[a-z]+(?:-[a-z0-9]+)+`", "", text)
    text = re.sub(r"^\| \d+ \|", "|", text, flags=re.M)  # minutes and frames come first in a row
    text = re.sub(rf"^\|  \| ({'|'.join(WHERE)}) \| \d+ \|", "|", text, flags=re.M)
    places = r"chapters?|rooms?|frames?|questions?"
    text = re.sub(rf"(?i:{places}) \d+(?:(?:,| and| to) \d+)*", "", text)
    return re.sub(r"\d+ minutes", "", text)


TRANSLATION = {"×": "*", "²": "**2", "³": "**3", "^": "**"}
TRANSLATION |= {"√": "sqrt", "log₂": "log2", "ln": "log"}
EXPRESSION = r"(?:(?:[\d.+\-×/()²³√^ ]|log₂|ln|e(?=\^))+)"


def value(text):
    """The value of an expression."""
    for sign, name in TRANSLATION.items():
        text = text.replace(sign, name)
    return eval(text, dict(vars(math)))


def column(text, which):
    """The first (0) or last (-1) column of a piece of a line."""
    return re.split(r"\s{2,}", text.strip())[which]


def equations(text):
    """Pairs of expressions beside an equals sign, with the sign: = or ≈."""
    found = []
    for line in text.split("\n"):
        pieces = re.split(r"([=≈])", line)
        for left, sign, right in zip(pieces[::2], pieces[1::2], pieces[2::2]):
            # Columns of the board are two or more spaces apart; words may stand beside a number.
            left = re.search(rf"(?:^|[A-Za-z:] )({EXPRESSION})$", column(left, -1))
            right = re.match(rf"({EXPRESSION})(?:$|[,;:]|(?<= )[A-Za-z])", column(right, 0))
            if left and right and left[1].strip() and right[1].strip():
                found.append((left[1].strip(), sign, right[1].strip()))
    return found


def board(page):
    """What is written on the board, and the arithmetic in the text beside it."""
    text = part(page, "On the board")
    blocks = re.findall(r"```text\n(.*?)```", text, re.S)
    return "\n".join([*blocks, *re.findall(r"(?<!`)`([^`\n]*=[^`\n]*)`(?!`)", text)])


def test_every_chapter_has_a_page():
    assert [page.stem for page in PAGES] == [chapter.stem for chapter in CHAPTERS]


@every_page
def test_page_has_all_parts_and_names_its_chapter(page):
    text = page.read_text(encoding="utf-8")
    title = re.search(r"^# (.*)", chapter_text(page.stem), re.M)[1]
    assert re.match(r"# Teaching: (.*)", text)[1] == title.partition(":")[0]
    assert re.findall(r"^## (.*)", text, re.M) == PARTS
    assert f"{{doc}}`/notebooks/{page.stem}`" in text
    assert f"`slides/{page.stem}.html`" in text
    assert f"room {int(page.stem[:2])} of the {{doc}}" in text


@every_page
def test_minutes_add_up_to_the_time_of_the_chapter(page):
    claimed = int(re.search(r"\*\*Time:?\*\*:? (\d+) minutes", chapter_text(page.stem))[1])
    assert sum(int(row[0]) for row in rows(part(page, "The hour"))) == claimed
    assert f"`, {claimed} minutes." in page.read_text(encoding="utf-8")


@every_page
def test_every_number_stands_in_the_chapter(page):
    there = set(numbers(chapter_text(page.stem)))
    here = numbers(cited(page.read_text(encoding="utf-8")))
    assert len(here) > 30
    assert [str(number) for number in here if number not in there] == []


@every_page
def test_the_arithmetic_on_the_board_is_right(page):
    found = equations(board(page))
    assert len(found) >= 5
    for left, sign, right in found:
        if sign == "≈":
            allowed = {"rel": 0.01}
        elif "." in right:  # half of the last place, or one if it was computed from rounded numbers
            allowed = {"abs": (1.01 if "." in left else 0.51) / 10 ** len(right.partition(".")[2])}
        else:  # a whole number or a fraction is exact
            allowed = {"abs": 1e-9}
        assert value(left) == pytest.approx(value(right), **allowed), f"{left} {sign} {right}"


def test_the_arithmetic_is_really_computed():
    assert equations("mean  (1 + 3) / 2 = 2   next") == [("(1 + 3) / 2", "=", "2")]
    assert equations("R(0) = 1 + 1 = 2 so stop") == [("1 + 1", "=", "2")]
    assert equations("A (1 + 3) / 2 ≈ 2") == [("(1 + 3) / 2", "≈", "2")]
    assert value("√(9) × 2² + ln(e^(1)) - log₂(8)") == pytest.approx(10)
    assert numbers("17 379 hours, 0.5 and -3, fig4 and 2.50 of 1,2") == [
        Decimal(n) for n in ("17379", "0.5", "3", "2.5", "1", "2")
    ]


@every_page
def test_references_name_exercises_and_figures_of_the_chapter(page):
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"\{(?:num)?ref\}`(?:[^`<]*<)?([\w-]+)>?`", text)
    assert len(named) >= 4
    assert {label: labels().get(label) for label in named} == dict.fromkeys(named, page.stem)


@every_page
def test_frames_show_what_the_page_says(page):
    text = part(page, "Step through it")
    name = None
    used = set()
    for line in text.split("\n"):
        for title, name in re.findall(r"\*([^*]+)\*, `([\w-]+)`", line):
            used.add(name)
            assert steppers()[name][:2] == (title, page.stem)
        for row in rows(line + "\n"):
            if row[0].isdigit():
                caption = steppers()[name][2][int(row[0]) - 1]
                assert set(numbers(row[1])) <= set(numbers(caption)), row
    assert used == {name for name, (_, stem, _) in steppers().items() if stem == page.stem}
    assert len([row for row in rows(text) if row[0].isdigit()]) >= 2


@cache
def exhibits():
    """Title and room of each exhibit of the bug museum, by its id."""
    return {e.id: (e.title, e.room) for e in museum.exhibits()}


@every_page
def test_fault_for_the_lab_hangs_in_the_room_of_the_chapter(page):
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"\*([^*]+)\*\s+\(`(m-[\w-]+)`\)", text)
    assert named
    for title, name in named:
        assert exhibits()[name] == (title, int(page.stem[:2]))


WEEK = "week", "chapters", "pages", "steppers", "exercises", "out", "due"


def plan(heading):
    """Rows of a plan: chapters, steppers, the exercises named, and assignments out and due."""
    plans = []
    for row in rows(part(GUIDE, heading)):
        chapters = [int(n) for n in re.findall(r"\{doc\}`(\d+) <guide/", row[1])]
        pages = re.findall(r"<guide/([\w-]+)>", row[1])
        out, due = (re.findall(r"hw(\d+)", cell) for cell in row[-2:])
        steppers = re.findall(r"`([a-z0-9-]+)`", row[3])
        exercises = re.findall(r"\{ref\}`([\w-]+)`", " ".join(row))
        days = [*map(int, out)], [*map(int, due)]
        week = int(row[0]), chapters, pages, steppers, exercises, *days
        plans.append(dict(zip(WEEK, week, strict=True)))
    return plans


# How many chapters a week holds.
PLANS = {"Fourteen weeks, and seven more": 1, "Seven weeks, every day": 3}


@each("heading", list(PLANS))
def test_plan_is_complete_and_in_order(heading):
    weeks = plan(heading)
    assert max(len(w["chapters"]) for w in weeks) == PLANS[heading]
    assert [w["week"] for w in weeks] == list(range(1, len(weeks) + 1))
    assert [n for w in weeks for n in w["chapters"]] == list(range(1, len(CHAPTERS) + 1))
    assert [page for w in weeks for page in w["pages"]] == [page.stem for page in PAGES]
    taught, out = {}, {}
    for w in weeks:
        taught |= dict.fromkeys(w["chapters"], w["week"])
        for name in w["steppers"]:
            assert int(steppers()[name][1][:2]) in w["chapters"]
        for label in w["exercises"]:
            assert int(labels()[label][:2]) in w["chapters"]
        for n in w["out"]:
            assert taught[ASSIGNMENTS[n][1]] == w["week"]  # out when its last chapter was taught
            out[n] = w["week"]
        for n in w["due"]:
            assert out[n] < w["week"]
    assert [n for w in weeks for n in w["out"]] == list(ASSIGNMENTS)
    assert [n for w in weeks for n in w["due"]] == list(ASSIGNMENTS)


def minutes_of(week):
    """Minutes of a week: class, reading, exercises at home but the open ones, and assignments."""
    planned = {row[0]: int(row[3]) for row in rows(part(GUIDE, "Homework"))}
    total = sum(planned[f"hw{n}"] for n in week["out"])
    for stem in week["pages"]:
        page = ROOT / "book" / "guide" / f"{stem}.md"
        read = re.search(r"\*\*Time\*\*: (\d+) minutes", chapter_text(stem))[1]
        at_home = [row for row in rows(part(page, "Exercises")) if row[1] == "home"]
        total += 180 + int(read) + sum(int(r[2]) for r in at_home if not r[3].startswith("open"))
    return total


def test_a_week_asks_for_the_hours_that_the_guide_names():
    said = re.sub(r"\s+", " ", part(GUIDE, "What a week asks for"))
    long, short = (max(minutes_of(w) for w in plan(heading)) / 60 for heading in PLANS)
    assert f"long plan asks for up to about {long:.0f} hours" in said
    assert f"seven weeks for up to about {short:.0f}, to which" in said
    read = [int(re.search(r"\*\*Time\*\*: (\d+)", chapter_text(page.stem))[1]) for page in PAGES]
    assert f"takes {min(read)} to {max(read)} to read" in said


@every_page
def test_exercises_have_minutes_that_fit_where_they_are_done(page):
    table = rows(part(page, "Exercises"))
    named = [re.search(r"`([\w-]+)`", row[0])[1] for row in table]
    exercises = [label for label in labels() if re.search(r"-\d$", label)]
    assert named == [label for label in exercises if labels()[label] == page.stem]
    minutes = {where: sum(int(row[2]) for row in table if row[1] == where) for where in WHERE}
    assert sum(minutes.values()) == sum(int(row[2]) for row in table)
    assert minutes["paper"] == 15  # as in the lecture, and as in the lab
    assert minutes["lab"] <= 55
    assert all(len(row[3].split()) > 1 for row in table)
    read, hours = re.search(
        r"\*\*Time\*\*: (\d+) minutes to read; about (\S+) hours", chapter_text(page.stem)
    ).groups()
    hours = {"five": 5}.get(hours) or float(hours.replace("½", ".5"))
    assert abs(int(read) + sum(minutes.values()) - 60 * hours) <= 15


@every_page
def test_cuts_save_minutes_that_the_hour_has(page):
    saved = [int(n) for n in re.findall(r"saves? (\d+) minutes", part(page, "When time is short"))]
    assert len(saved) >= 2
    assert max(saved) <= max(int(row[0]) for row in rows(part(page, "The hour")))
    assert sum(saved) < 30


def test_minutes_of_a_lecture_and_a_lab():
    lines = rows(part(GUIDE, "A class hour"))
    assert [sum(int(row[0]) for row in half) for half in (lines[:4], lines[4:])] == [90, 90]


def test_assignments_are_those_of_the_plan():
    listed = {
        int(row[0][2:]): [int(n) for n in re.findall(r"\d+", row[2])]
        for row in rows(part(GUIDE, "Homework"))
    }
    assert listed == {n: sorted({first, last}) for n, (first, last) in ASSIGNMENTS.items()}


def test_papers_take_the_minutes_of_their_questions():
    minutes = {name: exam.ask(name, 0).minutes for name in exam.QUESTIONS}
    lines = rows(part(GUIDE, "Exams"))
    papers = [(re.findall(r"`([\w-]+)`", row[1]), int(row[2])) for row in lines]
    named = [(questions, total) for questions, total in papers if questions]
    assert len(named) == 2
    assert [sum(minutes[q] for q in questions) for questions, _ in named] == [n for _, n in named]
    assert [sum(n for _, n in half) for half in (papers[:2], papers[2:])] == [60, 120]
