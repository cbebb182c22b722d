"""The pages for whoever runs a class: what they say of homework, images, links and checks."""

import ast
import json
import re
import shlex
import sys
import tomllib
from functools import cache
from pathlib import PurePosixPath
from types import SimpleNamespace

import nbformat
import numpy as np
import treelab_book
import yaml
from built_book import assert_none, pages_of_the_contents
from places import ROOT
from sphinx_book_theme.header_buttons import update_context_with_repository_info
from sphinx_book_theme.header_buttons.launch import add_launch_buttons

SOURCE = ROOT / "notebooks" / "teaching" / "homework" / "source"
ASSIGNMENTS = sorted((path.name for path in SOURCE.iterdir()), key=lambda name: int(name[2:]))
sys.path += [str(SOURCE / name) for name in ASSIGNMENTS]  # for the checkers
LINE = re.compile(r"^\| \*\*(Predict|Change|Spoil|Your run)\*\*(.*?) \| (.*) \|$", re.M)
CALL = re.compile(r"^ `(\w+\(.*\))`$")


@cache
def text(path):
    """A file of the project."""
    return (ROOT / path).read_text(encoding="utf-8")


# Language models: the questions of an oral check


@cache
def questions(name):
    """What is asked about an assignment, as triples: kind, question, good answer."""
    page = text("book/language_models.md")
    [section] = re.findall(rf"^### {name}: [^\n]*\n(.*?)(?=^##)", page, re.M | re.S)
    return LINE.findall(section)


@cache
def source(name):
    """The source notebook of an assignment."""
    return nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)


@cache
def functions(name):
    """The functions of an assignment's solutions, and what they import; no cell is run."""
    space = {}
    for cell in source(name).cells:
        if cell.cell_type == "code":
            wanted = (ast.FunctionDef, ast.Import, ast.ImportFrom)
            body = [node for node in ast.parse(cell.source).body if isinstance(node, wanted)]
            exec(compile(ast.Module(body, []), name, "exec"), space)
    return space


def plain(value):
    """Lists, dicts and numbers to three decimals, whatever an answer is made of."""
    if isinstance(value, dict):
        return {plain(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(one) for one in value]
    return round(float(value), 3)


def test_the_page_has_every_assignment_in_order():
    sections = re.findall(r"^### (hw\d+): ", text("book/language_models.md"), re.M)
    assert sections == ASSIGNMENTS


def test_an_assignment_has_its_oral_questions():
    def problems(name):
        kinds = [kind for kind, _, _ in questions(name)]
        if (kinds[0], kinds[-1], len(kinds)) != ("Predict", "Your run", 4):
            yield kinds
        if not {"Change", "Spoil"} & set(kinds):
            yield f"nothing to change and nothing to spoil in {kinds}"

    assert_none(problems, ASSIGNMENTS)


def test_a_predicted_call_returns_what_the_page_says():
    def problems(name):
        calls = [(CALL.match(asked), said) for kind, asked, said in questions(name)]
        calls = [(match[1], said) for match, said in calls if match]
        if not calls:
            yield "no call"
        for call, said in calls:
            answer = ast.literal_eval(re.match(r"`([^`]+)`", said)[1])
            found = plain(eval(call, functions(name)))
            if found != plain(answer):
                yield f"{call} returns {found}, not {answer}"

    assert_none(problems, ASSIGNMENTS)


def test_a_question_on_the_own_run_names_the_question_where_it_was_run():
    def problems(name):
        for kind, asked, _ in questions(name):
            for question in re.findall(rf"\b{name}-\d+\b", asked) if kind == "Your run" else ():
                own = "\n".join(c.source for c in source(name).cells if belongs(c, question))
                for word in re.findall(r'`"?(\w+)', asked):
                    if not re.search(rf"\b{word}\b", own):
                        yield f"{word} is not in {question}"

    assert_none(problems, ASSIGNMENTS)


def belongs(cell, question):
    """Whether a cell is the text, the answer or a test of a question."""
    return re.match(rf"{question}\b(?!\d)", cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def unknown(name, asked, said):
    """The names in a question and its answer that the assignment does not have."""
    words = set(re.findall(r"\w+", "\n".join(cell.source for cell in source(name).cells)))
    ids = {cell.metadata.get("nbgrader", {}).get("grade_id") for cell in source(name).cells}
    ids |= {grade_id.removesuffix("-text") for grade_id in ids if grade_id}
    code = re.findall(r"`([^`]+)`", "" if CALL.match(asked) else f"{asked} {said}")
    used = {word for piece in code for word in re.findall(r"[A-Za-z_]\w*", piece)}
    return used - words | set(re.findall(r"\bhw\d+-[\w-]*\w", f"{asked} {said}")) - ids


def test_what_the_questions_name_is_in_the_assignment():
    def problems(name):
        for _, asked, said in questions(name):
            yield from sorted(unknown(name, asked, said))

    assert_none(problems, ASSIGNMENTS)


def test_tests_give_the_larger_part_of_the_points():
    def problems(name):
        graded = [cell.metadata.get("nbgrader", {}) for cell in source(name).cells]
        graded = [cell for cell in graded if cell.get("grade")]
        points = sum(cell["points"] for cell in graded)
        tested = sum(cell["points"] for cell in graded if not cell["solution"])
        if not points / 2 < tested < points:
            yield f"{tested} of {points} points"

    assert_none(problems, ASSIGNMENTS)


# Images and services


def stages():
    """The stages of the Containerfile: name -> (base, list of instruction and its words)."""
    found = {}
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text("Containerfile"), flags=re.M))
    for line in filter(None, map(str.strip, lines.splitlines())):
        word, rest = line.split(None, 1)
        if word == "FROM":
            base, _, stage = rest.split()
            found[stage] = (base, [])
        else:
            found[stage][1].append((word, rest))
    return found


def test_the_image_for_students_is_built_by_default_and_is_no_administrator():
    found = stages()
    assert list(found) == ["base", "develop", "class"]
    assert [base for base, _ in found.values()] == ["python:3.11-slim-bookworm", "base", "base"]
    for name in ("develop", "class"):
        assert [rest for word, rest in found[name][1] if word == "USER"] == ["student"]
    [command] = [json.loads(rest) for word, rest in found["class"][1] if word == "CMD"]
    assert command[:2] == ["jupyter", "lab"]
    assert not [part for part in command if re.search("token|password", part)]


def test_what_is_installed_for_students_has_the_versions_of_the_lock():
    runs = [rest for word, rest in stages()["class"][1] if word == "RUN"]
    installs = [part for run in runs for part in run.split("&&") if "pip install" in part]
    assert len(installs) == 2
    assert all("-c requirements.lock" in part for part in installs)
    assert re.search(r"^setuptools==", text("requirements.lock"), re.M)


def test_an_image_gets_what_the_build_needs_and_no_homework():
    lines = [line for line in text(".dockerignore").splitlines() if line and line[0] != "#"]
    assert lines[0] == "*"
    let_in = {line[1:] for line in lines if line[0] == "!"}
    assert let_in == {
        "pyproject.toml", "README.md", "LICENSE", "requirements.lock", "treelab", "notebooks",
        "book/references.bib", "book/_static/explorable.css", "book/_static/explorables",
    }  # fmt: skip
    assert all((ROOT / name).exists() for name in let_in)
    assert "notebooks/teaching/homework" in lines
    project = tomllib.loads(text("pyproject.toml"))
    assert project["project"]["readme"] in let_in
    for folder in project["tool"]["setuptools"]["package-dir"].values():
        assert folder.partition("/")[0] in let_in
        assert "homework" not in folder
    for patterns in project["tool"]["setuptools"]["data-files"].values():
        for pattern in patterns:
            assert any(PurePosixPath(pattern).is_relative_to(name) for name in let_in), pattern


def test_the_dev_container_names_what_is_there():
    settings = json.loads(text(".devcontainer/devcontainer.json"))
    build, folder = settings["build"], ROOT / ".devcontainer"
    assert (folder / build["dockerfile"]).resolve() == ROOT / "Containerfile"
    assert (folder / build["context"]).resolve() == ROOT
    assert build["target"] in stages()
    for word in shlex.split(settings["postCreateCommand"])[1:]:
        assert re.search(rf"^{word}:", text("Makefile"), re.M)
    # What the checks of CI install on a bare machine, the dev container has as well.
    wanted = set(re.findall(r"missing\+=\((\w+)\)", text(".ci/run")))
    installed = " ".join(rest for _, rest in stages()["develop"][1])
    assert wanted >= {"make", "chromium", "bubblewrap"}
    assert wanted <= set(installed.split())


def test_binder_pins_what_treelab_needs():
    assert text("binder/runtime.txt") == "python-3.11\n"
    script = text("binder/postBuild")
    assert (ROOT / "binder/postBuild").stat().st_mode & 0o111
    [pinned] = re.findall(r"\^\(([\w|-]+)\)==", script)
    project = tomllib.loads(text("pyproject.toml"))["project"]
    assert pinned.split("|") == [re.match(r"[\w-]+", need)[0] for need in project["dependencies"]]
    locked = set(re.findall(r"^([\w-]+)==", text("requirements.lock"), re.M))
    assert set(pinned.split("|")) <= locked
    for path in re.findall(r"notebooks/\S+\.py", script + text("Containerfile")):
        assert (ROOT / path).is_file()


# A notebook that is opened alone


def theme_options():
    """The settings of the theme, where Jupyter Book reads them: these override its own."""
    settings = yaml.safe_load(text("_config.yml"))
    assert not {"repository", "launch_buttons"} & set(settings)
    return settings["sphinx"]["config"]["html_theme_options"]


def buttons(name, url):
    """The addresses that the page of a notebook offers, by the name of the service."""
    options = {**theme_options(), "repository_url": url}
    hub = {"jupyterhub_url": "https://hub.example"}
    options["launch_buttons"] = options["launch_buttons"] | hub
    env = SimpleNamespace(doc2path="{}.ipynb".format, metadata={name: {"kernelspec": {}}})
    builder = SimpleNamespace(theme_options=options)
    app = SimpleNamespace(config=Config({}, options), builder=builder, env=env)
    treelab_book.launch_from_an_address(app, app.config)
    update_context_with_repository_info(app)
    context = {**app.config.html_context, "pagename": name, "header_buttons": []}
    context |= {"sourcename": f"{name}.ipynb", "page_source_suffix": ".ipynb"}
    add_launch_buttons(app, name, "page.html", context, None)
    treelab_book.launch_what_is_there(app, name, "page.html", context, None)
    return {b["text"]: b["url"] for group in context["header_buttons"] for b in group["buttons"]}


class Config(dict):
    """As much of Sphinx's settings as the theme asks for."""

    def __init__(self, html_context, options):
        super().__init__(html_theme_options=options)
        self.html_context, self.html_theme_options = html_context, options


NOTEBOOKS = [
    name
    for name in pages_of_the_contents()
    if name.startswith(("notebooks/", "book/preface")) and "bug_museum" not in name
]


def test_without_an_address_there_are_no_buttons():
    assert theme_options()["repository_url"] == ""
    assert buttons(NOTEBOOKS[1], "") == {}


def test_a_derived_notebook_has_no_buttons():
    assert buttons("notebooks/teaching/bug_museum_01", "https://github.com/OWNER/treelab") == {}


def test_the_buttons_lead_to_notebooks_of_the_repository():
    starts = {"Binder": "lab/tree/", "JupyterHub": "lab/tree/treelab/", "Colab": "/blob/main/"}

    def problems(name):
        offered = buttons(name, "https://github.com/OWNER/treelab")
        if list(offered) != list(starts):
            yield f"offers {list(offered)}"
        for service, address in offered.items():
            path = re.split("[?&]branch=|&", address.partition(starts[service])[2])[0]
            if path != f"{name}.ipynb" or not (ROOT / path).is_file():
                yield f"{service} leads to {path!r}"

    assert len(NOTEBOOKS) > 50
    assert_none(problems, NOTEBOOKS)


def test_the_forms_of_links_are_those_of_the_buttons():
    page, name = text("book/where_classes_run.md"), "notebooks/04_pruning"
    binder, hub, _ = buttons(name, "https://github.com/OWNER/treelab").values()
    assert binder.partition("mybinder.org")[2].partition("?")[0] in page
    assert binder.partition("?")[2] in page
    hub_form = re.search(r"https://HUB\S+", page)[0]
    parts = [sorted(re.split("[?&]", form.partition("git-pull")[2])) for form in (hub_form, hub)]
    assert [p.partition("=")[0] for p in parts[0]] == [p.partition("=")[0] for p in parts[1]]
    assert {p for p in parts[0] if "repo" not in p} == {p for p in parts[1] if "repo" not in p}


READS = re.compile(r"""read_csv\(\s*["']([^"']+)["']""")


def test_a_notebook_reads_only_what_a_clone_has():
    def problems(name):
        path = ROOT / f"{name}.ipynb"
        code = "\n".join(c.source for c in nbformat.read(path, 4).cells if c.cell_type == "code")
        for table in READS.findall(code):
            if not (path.parent / table).is_file():
                yield f"there is no {table}"
            if path.parent.name == "exercises":  # downloaded alone
                yield f"reads {table}"

    assert_none(problems, NOTEBOOKS)


def test_the_first_cells_go_where_the_notebooks_are():
    page = text("book/where_classes_run.md")
    folders = re.findall(r"^%cd treelab/(\S+)$", page, re.M)
    folders += re.findall(r"last line\s+of the first cell ends in `([^`]+)`", page)
    assert folders == ["notebooks", "notebooks/under_the_hood"]
    assert all((ROOT / folder).is_dir() for folder in folders)


def test_the_memory_that_the_page_names_is_the_most_that_a_notebook_may_take():
    [most] = re.findall(r"goes above (\d+) MiB", text("book/where_classes_run.md"))
    assert f"MEMORY = {most} " in text("tests/tools/cell_report.py")
    [counted] = re.findall(r"Of the (\d+) notebooks", text("book/where_classes_run.md"))
    assert int(counted) == len(NOTEBOOKS) + len(ASSIGNMENTS)


# Accessibility


def test_the_checks_that_the_statement_names_are_there():
    page = text("book/accessibility.md")
    rows = re.findall(r"^\|.*\| `([^`]+)` \|$", page, re.M)
    assert len(rows) == 15
    for name in rows:
        path = ROOT / "tests" / name
        assert list(path.glob("test_*.py")) if path.suffix == "" else path.is_file(), name


def test_the_statement_says_what_the_browser_does():
    page, script = text("book/accessibility.md"), text("tests/browser/check.mjs")
    widths = sorted(map(int, re.findall(r"width: (\d+), height", script)))
    assert "320, 390 and 1 280 px wide" in page
    assert widths == [320, 390, 1280]
    assert '"wcag2a", "wcag2aa"' in script
