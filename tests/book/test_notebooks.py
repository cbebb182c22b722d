"""The notebooks as committed: outputs, figures, parts of a chapter, exercises.

That each output is what the code gives is nbval's work; here stands what nbval does not see.
"""

import re
import sys
from collections import Counter

import nbformat
import pytest
from places import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import chapters  # noqa: E402

CHAPTERS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
UNDER_THE_HOOD = sorted((ROOT / "notebooks" / "under_the_hood").glob("*.ipynb"))
EXERCISES = sorted((ROOT / "notebooks" / "exercises").glob("*_solutions.ipynb"))
HOMEWORK = sorted((ROOT / "notebooks" / "teaching" / "homework" / "source").glob("*/*.ipynb"))
COMPARED = ROOT / "notebooks" / "comparing_ensembles.ipynb"
ALL = [*CHAPTERS, *UNDER_THE_HOOD, COMPARED, *EXERCISES, *HOMEWORK]
# Chapters in the form with a core and a page under the hood; the others have one page for all.
CORES = [path for path in CHAPTERS if (path.parent / "under_the_hood" / path.name).exists()]
PARTS = [
    "By hand",
    "The algorithm",
    "In code",
    "On real data",
    "When it breaks",
    "In short",
    "Check your understanding",
    "Exercises",
]
MACHINE = {
    "a path of a machine": r"(?<![\w.])/(?:home|root|work|tmp|Users|usr|opt|var)/\w|\b[A-Z]:\\",
    "an address in memory": r"\b0x[0-9a-f]{6,}",
    "a timing": r"Wall time|CPU times|\bloops each\b|\d ?(?:ns|µs|us|ms|seconds?)\b",
}
EXERCISE = re.compile(r"^[`:]{3,}\{exercise\}(.*)\n:label: (\S+)", re.M)
SOLUTION = re.compile(r"^[`:]{3,}\{solution\} (\S+)", re.M)
CHECK = re.compile(r'^check\("([\w-]+)"', re.M)


def name(path):
    """The file name, as the id of a test."""
    return path.name


def code_cells(path):
    """The code cells that hold code."""
    return [c for c in chapters.read(path).cells if c.cell_type == "code" and c.source.strip()]


def texts(output):
    """The text of an output in every form that a reader may see; pictures left out."""
    found = [output.get("text", "")]
    found += [v for k, v in output.get("data", {}).items() if not k.startswith("image/")]
    joined = "\n".join(v if isinstance(v, str) else str(v) for v in found)
    return re.sub(r"data:image/png;base64,[A-Za-z0-9+/=\n]+", "", joined)


def markdown(path):
    """All the text of a notebook."""
    return chapters.text_of(chapters.read(path))


def test_there_are_chapters_exercises_and_homework():
    assert CHAPTERS
    assert EXERCISES
    assert HOMEWORK


@pytest.mark.parametrize("path", ALL, ids=name)
def test_executed_from_top_to_bottom_without_a_complaint(path):
    cells = code_cells(path)
    assert [c.execution_count for c in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        kinds = {o.output_type for o in cell.outputs}
        assert "error" not in kinds or "raises-exception" in cell.metadata.get("tags", [])
        assert "stderr" not in {o.get("name") for o in cell.outputs}, cell.source
        assert "execution" not in cell.metadata, "the times of a run are not committed"


@pytest.mark.parametrize("path", ALL, ids=name)
def test_outputs_say_nothing_of_the_machine(path):
    for cell in code_cells(path):
        for output in cell.outputs:
            for what, pattern in MACHINE.items():
                found = re.search(pattern, texts(output))
                assert not found, f"{what}: {found.group()!r} below\n{cell.source}"


@pytest.mark.parametrize("path", ALL, ids=name)
def test_figures_have_a_name_a_caption_and_alt_text(path):
    for cell in code_cells(path):
        shown = {kind for o in cell.outputs for kind in o.get("data", {})}
        if shown & {"image/png", "image/svg+xml"}:
            given = cell.metadata.get("mystnb", {})
            figure, image = given.get("figure", {}), given.get("image", {})
            for value in (figure.get("name"), figure.get("caption"), image.get("alt")):
                assert (value or "").strip(), f"name, caption or alt is missing:\n{cell.source}"


def test_names_of_figures_and_steppers_are_unique():
    figures, steppers = [], []
    for path in ALL:
        for cell in code_cells(path):
            figures.append(cell.metadata.get("mystnb", {}).get("figure", {}).get("name"))
            html = "".join(o.get("data", {}).get("text/html", "") for o in cell.outputs)
            steppers += re.findall(r'id="(stepper-[\w-]+?)"', html)
    figures = [f for f in figures if f]
    assert len(figures) == len(set(figures))
    assert len(steppers) == len(set(steppers))


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_chapter_has_its_parts_in_order(path):
    text = markdown(path)
    assert len(re.findall(r"^# \S", text, re.M)) == 1
    parts = PARTS
    if path not in CORES:
        parts = [p for p in PARTS if p != "In short"] + ["Sources and corrections"]
    headings = [h.strip() for h in re.findall(r"^## (.*)", text, re.M)]
    assert [h for h in headings if path in CORES or h in parts] == parts


@pytest.mark.parametrize("path", CORES, ids=name)
def test_the_core_of_a_chapter_is_done_in_an_evening(path):
    for key, count in chapters.size(chapters.read(path)).items():
        assert count <= chapters.LIMITS[key], key


def test_the_page_that_compares_is_short():
    count = chapters.size(chapters.read(COMPARED))
    assert count["words"] <= 1200
    assert count["lines"] <= 40


def test_how_words_and_lines_in_view_are_counted():
    def code(source, tags=(), output=""):
        cell = nbformat.v4.new_code_cell(source, metadata={"tags": list(tags)})
        cell.outputs = [nbformat.v4.new_output("stream", text=output)] if output else []
        return cell

    book = nbformat.v4.new_notebook()
    book.cells = [
        nbformat.v4.new_markdown_cell("# A title\n\nOne *two* $x \\le 3$."),
        code("a = 1\n\nb = 2"),
        code("source(f)", output="def f():\n\n    return 1\n"),
        code("source(f)\nhidden", ["hide-input"], output="def f():\n    return 1\n"),
        code("print(1)", output="1\n2\n"),
        nbformat.v4.new_markdown_cell("## Check your understanding\n\nnot counted"),
        code("not_counted"),
    ]
    assert chapters.size(book) == {"words": 7, "lines": 2 + 3 + 2 + 1}


@pytest.mark.parametrize("path", CORES, ids=name)
def test_a_chapter_opens_with_what_to_bring_and_an_honest_time(path):
    text = markdown(path).partition("## By hand")[0]
    (bring,) = chapters.boxes(text, "What you should bring")
    points = re.findall(r"^- .*(?:\n  .*)*", bring[1], re.M)
    assert 1 <= len(points) <= 5
    assert all("](" in point or "{" in point for point in points), "a point without a link"
    assert re.search(
        r"^\*\*Time\*\*: \d+ minutes to read; about [\w½ ]+ hours? with all exercises\.", text, re.M
    )
    assert f"(under_the_hood/{path.name})" in text
    assert "(../book/errata.md" in text


@pytest.mark.parametrize("path", CORES, ids=name)
def test_boxes_are_short(path):
    text = markdown(path)
    curious = chapters.boxes(text, "For the curious: ")
    assert len(curious) <= 3
    assert [title for title, content in curious if chapters.words(content) > 150] == []
    (card,) = chapters.boxes(text.partition("## In short")[2], "Card: ")
    formulas = re.findall(r"\$[^$]+\$", card[1])
    assert chapters.words(re.sub(r"\$[^$]+\$", "x", card[1]).replace(":class: tl-card", "")) <= 95
    assert all(f"**{part}**" in card[1] for part in ("Formulas", "Settings", "Watch"))
    assert formulas


def test_every_chapter_has_its_page_under_the_hood():
    assert [p.name for p in UNDER_THE_HOOD] == [p.name for p in CORES]
    for path in UNDER_THE_HOOD:
        text = markdown(path)
        title = re.search(r"^# (.*)", text, re.M)[1]
        chapter = re.search(r"^# (.*)", markdown(path.parent.parent / path.name), re.M)[1]
        assert title == f"Under the hood: {chapter}"
        assert re.findall(r"^## (.*)", text, re.M)[-1] == "Sources"


def test_the_right_reply_stands_anywhere():
    places = Counter()
    for path in CORES:
        here = Counter()
        for quiz in re.findall(r'<div class="tl-quiz">(.*?)\n</div>', markdown(path), re.S):
            here[re.findall(r"</summary>\s*(\w+)", quiz).index("Yes")] += 1
        assert max(here.values()) < here.total(), f"{path.name}: always in the same place"
        places += here
    if CORES:
        assert max(places.values()) <= places.total() / 2
        assert len(places) >= 3


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_chapter_has_a_stepper(path):
    outputs = [o for c in code_cells(path) for o in c.outputs]
    assert any("tl-stepper" in o.get("data", {}).get("text/html", "") for o in outputs)


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_every_exercise_has_one_solution(path):
    text = markdown(path)
    exercises = [label for _, label in EXERCISE.findall(text)]
    assert 5 <= len(exercises) <= (7 if path in CORES else 10)
    chapters = {label.rpartition("-")[0] for label in exercises}
    assert exercises == [f"{c}-{k}" for c in chapters for k in range(1, len(exercises) + 1)]
    for title, label in EXERCISE.findall(text):
        assert re.search(r"★{1,3}$", title.strip()), f"{label}: one to three stars end the title"
    worked = SOLUTION.findall(text)
    solutions = path.parent / "exercises" / f"{path.stem}_solutions.ipynb"
    coded = [e for c in code_cells(solutions) for e in CHECK.findall(c.source)]
    assert sorted(worked + coded) == sorted(exercises)


@pytest.mark.parametrize("path", CORES, ids=name)
def test_an_exercise_has_a_hint_and_the_last_one_is_open(path):
    text = markdown(path).partition("## Exercises")[2]
    assert re.search(r"^### Drills\n+:::\{drill\} [\w-]+\n:::$", text, re.M)
    after = re.split(r"^[`:]{3,}\{exercise\}", text, flags=re.M)[1:]
    for part in after:
        label = re.search(r":label: (\S+)", part)[1]
        hint = re.search(r"^[`:]{3,}\{hint\}", part, re.M)
        assert hint, f"{label} has no hint"
        solution = SOLUTION.search(part)
        assert not solution or hint.start() < solution.start(), f"{label}: the hint comes first"
    opens = [part.strip().startswith("Open: ") for part in after]
    assert opens == [False] * (len(after) - 1) + [True]
    rubric = after[-1].partition("{solution}")[2]
    assert re.search(r"^\|.*points.*\|$", rubric, re.M | re.I), "the open task has no rubric"


def test_every_exercise_notebook_belongs_to_a_chapter():
    stems = {p.stem for p in CHAPTERS}
    assert {p.stem.removesuffix("_solutions") for p in EXERCISES} <= stems
