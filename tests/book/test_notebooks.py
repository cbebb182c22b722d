"""The notebooks as committed: outputs, figures, parts of a chapter, exercises.

That each output is what the code gives is nbval's work; here stands what nbval does not see.
"""

import re

import nbformat
import pytest
from places import ROOT

CHAPTERS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
EXERCISES = sorted((ROOT / "notebooks" / "exercises").glob("*_solutions.ipynb"))
HOMEWORK = sorted((ROOT / "notebooks" / "teaching" / "homework" / "source").glob("*/*.ipynb"))
ALL = CHAPTERS + EXERCISES + HOMEWORK
PARTS = [
    "By hand",
    "The algorithm",
    "In code",
    "On real data",
    "When it breaks",
    "Check your understanding",
    "Exercises",
    "Sources and corrections",
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


def read(path):
    """The notebook."""
    return nbformat.read(path, as_version=4)


def code_cells(path):
    """The code cells that hold code."""
    return [c for c in read(path).cells if c.cell_type == "code" and c.source.strip()]


def texts(output):
    """The text of an output in every form that a reader may see; pictures left out."""
    found = [output.get("text", "")]
    found += [v for k, v in output.get("data", {}).items() if not k.startswith("image/")]
    joined = "\n".join(v if isinstance(v, str) else str(v) for v in found)
    return re.sub(r"data:image/png;base64,[A-Za-z0-9+/=\n]+", "", joined)


def markdown(path):
    """All the text of a notebook."""
    return "\n\n".join(c.source for c in read(path).cells if c.cell_type == "markdown")


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
    headings = [h.strip() for h in re.findall(r"^## (.*)", text, re.M)]
    assert [h for h in headings if h in PARTS] == PARTS


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_chapter_has_a_stepper(path):
    outputs = [o for c in code_cells(path) for o in c.outputs]
    assert any("tl-stepper" in o.get("data", {}).get("text/html", "") for o in outputs)


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_every_exercise_has_one_solution(path):
    text = markdown(path)
    exercises = [label for _, label in EXERCISE.findall(text)]
    assert 6 <= len(exercises) <= 10
    chapters = {label.rpartition("-")[0] for label in exercises}
    assert exercises == [f"{c}-{k}" for c in chapters for k in range(1, len(exercises) + 1)]
    for title, label in EXERCISE.findall(text):
        assert re.search(r"★{1,3}$", title.strip()), f"{label}: one to three stars end the title"
    worked = SOLUTION.findall(text)
    solutions = path.parent / "exercises" / f"{path.stem}_solutions.ipynb"
    coded = [e for c in code_cells(solutions) for e in CHECK.findall(c.source)]
    assert sorted(worked + coded) == sorted(exercises)


def test_every_exercise_notebook_belongs_to_a_chapter():
    stems = {p.stem for p in CHAPTERS}
    assert {p.stem.removesuffix("_solutions") for p in EXERCISES} <= stems
