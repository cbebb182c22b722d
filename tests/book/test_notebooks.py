"""The notebooks as committed: outputs, figures, parts of a chapter, exercises.

That each output is what the code gives is nbval's work; here stands what nbval does not see.
"""

import ast
import contextlib
import re
import sys
from collections import Counter
from functools import cache

import nbformat
import pytest
from built_book import assert_none
from places import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import chapters  # noqa: E402

CHAPTERS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
UNDER_THE_HOOD = sorted((ROOT / "notebooks" / "under_the_hood").glob("*.ipynb"))
EXERCISES = sorted((ROOT / "notebooks" / "exercises").glob("*_solutions.ipynb"))
HOMEWORK = sorted((ROOT / "notebooks" / "teaching" / "homework" / "source").glob("*/*.ipynb"))
FRONT = ROOT / "book" / "preface.ipynb"
COMPARED = ROOT / "notebooks" / "comparing_ensembles.ipynb"
LINEAR = ROOT / "notebooks" / "linear_models.ipynb"
ALL = [*CHAPTERS, *UNDER_THE_HOOD, COMPARED, LINEAR, *EXERCISES, *HOMEWORK]
PARTS = [
    "By hand", "The algorithm", "In code", "On real data", "When it breaks", "In short",
    "Check your understanding", "Exercises",
]  # fmt: skip
RECIPE = "In scikit-learn"  # which a chapter that has been rewritten has before "In short"
# The chapters whose data are not, or not all, real: what they call "On real data".
SIMULATED = {
    "17_local_importance": "On simulated and real data",
    "19_wind": "On drawn farms",
}
MACHINE = {
    "a path of a machine": r"(?<![\w.])/(?:home|root|work|tmp|Users|usr|opt|var)/\w|\b[A-Z]:\\",
    "an address in memory": r"\b0x[0-9a-f]{6,}",
    "a timing": r"Wall time|CPU times|\bloops each\b|\d ?(?:ns|µs|us|ms|seconds?)\b",
}
EXERCISE = re.compile(r"^[`:]{3,}\{exercise\}(.*)\n:label: (\S+)", re.M)
SOLUTION = re.compile(r"^[`:]{3,}\{solution\} (\S+)", re.M)
CHECK = re.compile(r'^check\("([\w-]+)"', re.M)


@cache
def notebook(path):
    """Return a notebook."""
    return chapters.read(path)


@cache
def code_cells(path):
    """The code cells that hold code."""
    return [c for c in notebook(path).cells if c.cell_type == "code" and c.source.strip()]


def texts(output):
    """The text of an output in every form that a reader may see; pictures left out."""
    found = [output.get("text", "")]
    found += [v for k, v in output.get("data", {}).items() if not k.startswith("image/")]
    joined = "\n".join(v if isinstance(v, str) else str(v) for v in found)
    return re.sub(r"data:image/png;base64,[A-Za-z0-9+/=\n]+", "", joined)


@cache
def markdown(path):
    """All the text of a notebook."""
    return chapters.text_of(notebook(path))


def test_executed_from_top_to_bottom_without_a_complaint():
    def problems(path):
        cells = code_cells(path)
        if [c.execution_count for c in cells] != list(range(1, len(cells) + 1)):
            yield "not executed in order"
        for cell in cells:
            kinds = {o.output_type for o in cell.outputs}
            if "error" in kinds and "raises-exception" not in cell.metadata.get("tags", []):
                yield f"an error below\n{cell.source}"
            if "stderr" in {o.get("name") for o in cell.outputs}:
                yield f"stderr below\n{cell.source}"
            if "execution" in cell.metadata:
                yield f"the times of a run are not committed:\n{cell.source}"

    assert CHAPTERS
    assert EXERCISES
    assert HOMEWORK
    assert_none(problems, ALL)


def test_outputs_say_nothing_of_the_machine():
    def problems(path):
        for cell in code_cells(path):
            for text in map(texts, cell.outputs):
                for what, pattern in MACHINE.items():
                    if found := re.search(pattern, text):
                        yield f"{what}: {found.group()!r} below\n{cell.source}"

    assert_none(problems, ALL)


def test_figures_have_a_name_a_caption_and_alt_text():
    def problems(path):
        for cell in code_cells(path):
            shown = {kind for o in cell.outputs for kind in o.get("data", {})}
            if shown & {"image/png", "image/svg+xml"}:
                given = cell.metadata.get("mystnb", {})
                figure, image = given.get("figure", {}), given.get("image", {})
                values = figure.get("name"), figure.get("caption"), image.get("alt")
                if not all((value or "").strip() for value in values):
                    yield f"name, caption or alt is missing:\n{cell.source}"

    assert_none(problems, ALL)


def test_names_of_figures_and_steppers_are_unique():
    figures, steppers = [], []
    for path in ALL:
        for cell in code_cells(path):
            figures.append(cell.metadata.get("mystnb", {}).get("figure", {}).get("name"))
            html = "".join(o.get("data", {}).get("text/html", "") for o in cell.outputs)
            steppers += re.findall(r'id="(stepper-[\w-]+?)"', html)
    for names in (list(filter(None, figures)), steppers):
        assert len(names) == len(set(names))


def test_a_chapter_has_its_parts_in_order():
    def problems(path):
        text = markdown(path)
        if len(re.findall(r"^# \S", text, re.M)) != 1:
            yield "not one title"
        real = "On real data"
        parts = [SIMULATED.get(path.stem, real) if part == real else part for part in PARTS]
        if re.search(f"^## {RECIPE}$", text, re.M):
            parts.insert(parts.index("In short"), RECIPE)
        headings = [h.strip() for h in re.findall(r"^## (.*)", text, re.M)]
        if headings != parts:
            yield f"has the parts {headings}"

    assert_none(problems, CHAPTERS)


def test_the_core_of_a_chapter_is_done_in_an_evening():
    def problems(path):
        for key, count in chapters.size(notebook(path)).items():
            if count > chapters.LIMITS[key]:
                yield f"{count} {key}"

    assert_none(problems, CHAPTERS)


def test_the_page_that_compares_is_short():
    count = chapters.size(notebook(COMPARED))
    assert count["words"] <= 1200
    assert count["lines"] <= 40


def from_figures(path):
    """The names that a notebook imports from `treelab.figures`."""
    nodes = (node for cell in code_cells(path) for node in ast.walk(ast.parse(cell.source)))
    nodes = (node for node in nodes if isinstance(node, ast.ImportFrom))
    names = (n.names for n in nodes if n.module.startswith("treelab.figures"))
    return {alias.asname or alias.name for aliases in names for alias in aliases}


def is_one_call(source, names):
    """Whether a cell is one call of `name(...)` or `name.function(...)`, and nothing else."""
    match ast.parse(source).body:
        case [ast.Expr(ast.Call(ast.Name(name) | ast.Attribute(ast.Name(name))))]:
            return name in names
    return False


def test_no_text_stands_alone_in_the_code():
    """A string that goes on in the next line without parentheses would lose its end."""

    def problems(path):
        for cell in code_cells(path):
            with contextlib.suppress(SyntaxError):  # a magic of IPython
                for node in ast.parse(cell.source).body:
                    value = node.value if isinstance(node, ast.Expr) else None
                    if isinstance(value, ast.Constant | ast.JoinedStr):
                        yield ast.unparse(node)

    assert_none(problems, ALL)


@pytest.mark.parametrize(
    "path",
    [*CHAPTERS, *UNDER_THE_HOOD, COMPARED, LINEAR],
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_nothing_is_hidden(path):
    names, cells = from_figures(path), code_cells(path)
    lines = [sum(bool(line.strip()) for line in cell.source.split("\n")) for cell in cells]
    for cell, n in zip(cells, lines, strict=True):
        tags = set(cell.metadata.get("tags", []))
        assert tags <= {"remove-input", "live"}, f"{tags} above\n{cell.source}"
        assert n <= 15, f"{n} lines:\n{cell.source}"
        if "remove-input" in tags:
            assert is_one_call(cell.source, names), f"more than a call of a figure:\n{cell.source}"
    assert sum(lines) <= (160 if path in UNDER_THE_HOOD else 120)
    first = cells[0]
    assert first.source.startswith(("import ", "from ")), "the first cell imports"
    assert lines[0] <= 8
    assert not first.metadata.get("tags")


def test_the_front_page_hides_the_call_of_its_figure_alone():
    """It has no code in view, and so no first cell of imports either."""
    (cell,) = code_cells(FRONT)
    assert cell.metadata["tags"] == ["remove-input"]
    *above, call = ast.parse(cell.source).body
    assert is_one_call(ast.unparse(call), from_figures(FRONT))
    for statement in above:
        assert isinstance(statement, ast.ImportFrom) or ast.unparse(statement) == "use_style()"


def test_what_one_call_of_a_figure_is():
    for source in ("growing.cut(table)", "cut(table)"):
        assert is_one_call(source, {"growing", "cut"})
    for more in ("stages.cut(t)", "growing.cut(t).show()", "cut(t)\nprint(1)", "a = cut(t)"):
        assert not is_one_call(more, {"growing", "cut"})


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
        code("source(f)\nhidden", ["remove-input"], output="def f():\n    return 1\n"),
        code("print(1)", output="1\n2\n"),
        nbformat.v4.new_markdown_cell("## Check your understanding\n\nnot counted"),
        code("not_counted"),
    ]
    assert chapters.size(book) == {"words": 7, "lines": 2 + 3 + 2 + 1}


def test_a_chapter_opens_with_what_to_bring_and_an_honest_time():
    time = r"^\*\*Time\*\*: \d+ minutes to read; about [\w½ ]+ hours? with all exercises\."

    def problems(path):
        text = markdown(path).partition("## By hand")[0]
        bring = chapters.boxes(text, "What you should bring")
        if len(bring) != 1:
            yield f"{len(bring)} boxes of what to bring"
        for _, content in bring:
            points = re.findall(r"^- .*(?:\n  .*)*", content, re.M)
            if not 1 <= len(points) <= 5:
                yield f"{len(points)} things to bring"
            if not all("](" in point or "{" in point for point in points):
                yield "a point without a link"
        if not re.search(time, text, re.M):
            yield "no time"
        for link in (f"(under_the_hood/{path.name})", "(../book/errata.md"):
            if link not in text:
                yield f"no link {link}"

    assert_none(problems, CHAPTERS)


def test_boxes_are_short():
    def problems(path):
        text = markdown(path)
        curious = chapters.boxes(text, "For the curious: ")
        if len(curious) > 3:
            yield f"{len(curious)} boxes for the curious"
        yield from (title for title, content in curious if chapters.words(content) > 150)
        cards = chapters.boxes(text.partition("## In short")[2], "Card: ")
        if len(cards) != 1:
            yield f"{len(cards)} cards"
        for _, card in cards:
            bare = re.sub(r"\$[^$]+\$", "x", card).replace(":class: tl-card", "")
            if chapters.words(bare) > 95:
                yield f"a card of {chapters.words(bare)} words"
            if not all(f"**{part}**" in card for part in ("Formulas", "Settings", "Watch")):
                yield "a part of the card is missing"
            if not re.search(r"\$[^$]+\$", card):
                yield "a card without a formula"

    assert_none(problems, CHAPTERS)


def test_every_chapter_has_its_page_under_the_hood():
    def problems(path):
        text = markdown(path)
        title = re.search(r"^# (.*)", text, re.M)[1]
        chapter = re.search(r"^# (.*)", markdown(path.parent.parent / path.name), re.M)[1]
        if title != f"Under the hood: {chapter}":
            yield title
        if re.findall(r"^## (.*)", text, re.M)[-1] != "Sources":
            yield "does not end with its sources"

    assert [p.name for p in UNDER_THE_HOOD] == [p.name for p in CHAPTERS]
    assert_none(problems, UNDER_THE_HOOD)


def test_the_right_reply_stands_anywhere():
    places = Counter()
    for path in CHAPTERS:
        here = Counter()
        for quiz in re.findall(r'<div class="tl-quiz">(.*?)\n</div>', markdown(path), re.S):
            here[re.findall(r"</summary>\s*(\w+)", quiz).index("Yes")] += 1
        assert max(here.values()) < here.total(), f"{path.name}: always in the same place"
        places += here
    assert max(places.values()) <= places.total() / 2
    assert len(places) >= 3


def test_a_chapter_has_a_stepper():
    def problems(path):
        outputs = [o for c in code_cells(path) for o in c.outputs]
        if not any("tl-stepper" in o.get("data", {}).get("text/html", "") for o in outputs):
            yield "no stepper"

    assert_none(problems, CHAPTERS)


def test_every_exercise_has_one_solution():
    def problems(path):
        text = markdown(path)
        exercises = [label for _, label in EXERCISE.findall(text)]
        if not 5 <= len(exercises) <= 8:
            yield f"{len(exercises)} exercises"
        chapters = {label.rpartition("-")[0] for label in exercises}
        numbered = [f"{c}-{k}" for c in chapters for k in range(1, len(exercises) + 1)]
        if exercises != numbered:
            yield f"the labels are {exercises}"
        for title, label in EXERCISE.findall(text):
            if not re.search(r"★{1,3}$", title.strip()):
                yield f"{label}: one to three stars end the title"
        worked = SOLUTION.findall(text)
        solutions = path.parent / "exercises" / f"{path.stem}_solutions.ipynb"
        coded = [e for c in code_cells(solutions) for e in CHECK.findall(c.source)]
        if sorted(worked + coded) != sorted(exercises):
            yield f"the exercises are {exercises}, the solutions {worked + coded}"

    assert_none(problems, CHAPTERS)


def test_an_exercise_has_a_hint_and_the_last_one_is_open():
    def problems(path):
        text = markdown(path).partition("## Exercises")[2]
        if not re.search(r"^### Drills\n+:::\{drill\} [\w-]+\n:::$", text, re.M):
            yield "no drill"
        after = re.split(r"^[`:]{3,}\{exercise\}", text, flags=re.M)[1:]
        for part in after:
            label = re.search(r":label: (\S+)", part)[1]
            hint = re.search(r"^[`:]{3,}\{hint\}", part, re.M)
            solution = SOLUTION.search(part)
            if not hint:
                yield f"{label} has no hint"
            elif solution and hint.start() >= solution.start():
                yield f"{label}: the hint comes first"
        opens = [part.strip().startswith("Open: ") for part in after]
        if opens != [False] * (len(after) - 1) + [True]:
            yield f"open tasks: {opens}"
        rubric = after[-1].partition("{solution}")[2]
        if not re.search(r"^\|.*points.*\|$", rubric, re.M | re.I):
            yield "the open task has no rubric"

    assert_none(problems, CHAPTERS)


def test_every_exercise_notebook_belongs_to_a_chapter():
    stems = {p.stem for p in CHAPTERS}
    assert {p.stem.removesuffix("_solutions") for p in EXERCISES} <= stems
