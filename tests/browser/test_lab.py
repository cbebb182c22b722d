"""A chapter in JupyterLab, as a class sees it (see lab.mjs)."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest
from browser_tools import report_of, tools
from built_book import page
from nbformat.sign import NotebookNotary
from places import ROOT

NAME = "10_random_forests.ipynb"
UNTRUSTED = "10_untrusted.ipynb"
CHAPTER = ROOT / "notebooks" / NAME
# Pages that count on from their chapters; the last stands without its chapter.
BEHIND = ["02_impurity.ipynb", "13_importance.ipynb", "09_bagging.ipynb"]
INSTALL = ROOT / "notebooks" / "figures" / "lab" / "install.py"

UNSIGNED = r"""Not signed. {numref}`fig-forests-stumps` and {numref}`fig-elsewhere`, {eq}`eq-two`,
[another page](sec-elsewhere).

$$ 1 + 1 $$

$$
2 + 2
$$ (eq-one)

$$
3 + 3
$$ (eq-two)
"""


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """A folder with the chapter, trusted and not, and a JupyterLab of its own that serves it."""
    pytest.importorskip("jupyterlab_myst")
    tools()
    room = tmp_path_factory.mktemp("room")
    (room / "exercises").mkdir()
    (room / "under_the_hood").mkdir()
    for name in BEHIND:
        shutil.copy(CHAPTER.parent / "under_the_hood" / name, room / "under_the_hood" / name)
    for name in BEHIND[:-1]:
        shutil.copy(CHAPTER.parent / name, room / name)
    shutil.copy(CHAPTER, room / NAME)
    shutil.copy(CHAPTER, room / UNTRUSTED)
    nbformat.write(nbformat.v4.new_notebook(), room / "exercises" / NAME)
    return room


@pytest.fixture(scope="module")
def address(room, tmp_path_factory):
    """Where JupyterLab is."""
    own = tmp_path_factory.mktemp("own")
    subprocess.run([sys.executable, INSTALL, own], check=True)
    places = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    env = {**os.environ, "JUPYTER_NO_CONFIG": "1", "JUPYTER_PATH": str(own / "share" / "jupyter")}
    env |= {f"JUPYTER_{place}": str(own / place) for place in places}
    env |= {f"JUPYTERLAB_{place}_DIR": str(own / place) for place in ("SETTINGS", "WORKSPACES")}
    # A notebook that has the same cells is trusted too, and so the other one gets one more.
    other = nbformat.read(room / UNTRUSTED, as_version=4)
    other.cells.append(nbformat.v4.new_markdown_cell(UNSIGNED, id="unsigned"))
    drawn = next(c for c in other.cells if "figure" in c.metadata.get("mystnb", {}))
    drawn.metadata["mystnb"]["figure"]["caption"] += " See {ref}`sec-forests-scikit-learn`."
    nbformat.write(other, room / UNTRUSTED)
    (own / "DATA_DIR").mkdir()
    notary = NotebookNotary(data_dir=str(own / "DATA_DIR"))
    notary.sign(nbformat.read(room / NAME, as_version=4))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--no-browser", "--allow-root", "--IdentityProvider.token=", f"--port={port}"]
    options += ["--expose-app-in-browser"]
    options += ["--ServerApp.port_retries=0", "--LabApp.news_url=None", f"--notebook-dir={room}"]
    with (own / "log.txt").open("w", encoding="utf-8") as log:
        jupyter = [sys.executable, "-m", "jupyter", "lab"]
        server = subprocess.Popen([*jupyter, *options], env=env, stdout=log, stderr=log)
    try:
        _wait_for(f"http://127.0.0.1:{port}/api")
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait(60)


def _wait_for(address):
    """Return when somebody answers there."""
    for _ in range(600):
        try:
            return urllib.request.urlopen(address).close()
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(address)


@pytest.fixture(scope="module")
def found(address, tmp_path_factory):
    """What the browser found."""
    folder = tmp_path_factory.mktemp("lab")
    names = [f"under_the_hood/{name}" for name in BEHIND]
    behind = [f"{name}={len(numbers_of(name.removesuffix('.ipynb')))}" for name in names]
    return report_of("lab.mjs", folder, NAME, UNTRUSTED, *behind, book=address)


def cells(kind):
    """The chapter's cells of a kind."""
    return [c for c in nbformat.read(CHAPTER, as_version=4).cells if c.cell_type == kind]


def outputs(word):
    """How many outputs of the chapter have this in their HTML, or are of this type."""
    data = [o.get("data", {}) for cell in cells("code") for o in cell.outputs]
    return sum(word in d or word in d.get("text/html", "") for d in data)


def test_nothing_fails_and_no_other_host_is_asked(found):
    assert found["errors"] == []
    assert found["elsewhere"] == []


def test_trusted_figures_are_there_with_their_captions(found):
    assert found["drawings"] == outputs("image/svg+xml") > 0
    figures = [c.metadata.get("mystnb", {}).get("figure") for c in cells("code")]
    captions = [figure["caption"] for figure in figures if figure]
    assert [text.strip()[:30] for text in found["captions"]] == [text[:30] for text in captions]


def test_an_interactive_figure_answers_and_moves(found):
    assert found["explorables"] == found["moving"] == outputs('class="tl-explorable"') > 0
    assert found["told"] == ""
    assert found["verdict"]
    assert len({found["before"], found["after"], found["moved"]}) == 3


def test_the_values_of_an_interactive_figure_stand_below_their_names(found):
    assert found["overlaps"] == 0


def test_figures_have_the_numbers_of_the_book_where_they_stand_and_where_they_are_named(found):
    numbers = [f"Fig. 10.{n + 1}" for n in range(len(found["captions"]))]
    assert [number.strip('" ') for number in found["numbers"]] == numbers
    assert found["references"] == ["Fig. 10.2", "a figure of another page"]


def numbers_of(name):
    """The numbers of figures, tables, definitions, ... of a page of the built book."""
    (article,) = page(f"notebooks/{name}.html").iter("article")
    return [" ".join(e.text_content().split()) for e in article.find_class("caption-number")]


def test_pages_under_the_hood_count_on_where_their_chapters_end(found):
    kinds = set()
    for name in BEHIND[:-1]:
        path = f"under_the_hood/{name}"
        told = [" ".join(text.strip('":').split()) for text in found["behind"][path]]
        assert sorted(told) == sorted(numbers_of(path.removesuffix(".ipynb")))
        kinds |= {number.split()[0] for number in told}
    assert kinds == {"Fig.", "Table", "Definition", "Algorithm", "Theorem"}


def test_a_page_without_its_chapter_numbers_no_figure(found):
    assert set(found["behind"][f"under_the_hood/{BEHIND[-1]}"]) == {"none"}


def test_tables_definitions_and_exercises_have_the_numbers_of_the_book(found):
    numbers = [number for number in numbers_of(CHAPTER.stem) if not number.startswith("Fig.")]
    assert {number.split()[0] for number in numbers} >= {"Definition", "Table", "Exercise"}
    counted = [" ".join(text.removesuffix(":").split()) for text in found["counted"]]
    assert sorted(counted) == sorted(numbers)  # an equation has none, because nothing refers to it
    named = {" ".join(text.split()) for text in found["named"]}
    named = {text for text in named if re.fullmatch(r"(Definition|Exercise|Table) [\d.]+", text)}
    assert named
    assert named <= set(numbers)


def test_equations_with_a_label_have_a_number_and_what_leads_to_another_page_is_text(found):
    assert found["equations"] == ["(10.2)", "another page", "(10.1)", "(10.2)"]
    assert found["links"] == 0


def test_a_caption_names_a_section_of_its_notebook_by_the_title(found):
    assert found["section"] == "Choosing max_features by the out-of-bag score"


def test_a_stepper_steps(found):
    assert found["frames"] == 1
    assert found["step"].startswith("3 of ")


def test_a_quiz_is_folded_with_a_triangle(found):
    assert found["folded"]
    assert found["triangle"] == "disclosure-closed"
    assert found["unfolded"]


def test_a_drill_leads_to_the_exercise_notebook(found):
    assert found["unknown"] == 0
    assert found["tabs"] == [NAME, NAME]


def test_citations_have_authors_and_years_and_terms_are_text(found):
    assert "Breiman, 2001" in found["citations"]
    assert "random forest" in found["terms"]
    assert found["deadLinks"] == []


def test_what_is_not_trusted_has_one_picture_and_a_sentence_until_its_cell_is_run(found):
    assert found["stand"]["text"].startswith("This figure moves in the built page")
    assert found["stand"]["alt"]
    assert found["stand"]["width"] > 100
    assert (found["movingUntrusted"], found["ran"]) == (0, 1)


def test_opening_looking_and_saving_change_no_file(found, room):
    assert not found["dirty"]
    assert found["dirtyAfterRun"]
    assert (room / NAME).read_bytes() == CHAPTER.read_bytes()
