"""The pages around the chapters: their numbers, and that they leave nothing out."""

import importlib
import pkgutil
import re
from functools import cache

import nbformat
import pytest
from places import ROOT

import treelab

BOOK = ROOT / "book"


@cache
def api():
    """The pages of the API in one text."""
    return "\n".join(p.read_text(encoding="utf-8") for p in sorted(BOOK.glob("api/*.md")))


MODULES = ["treelab"]
MODULES += [m.name for m in pkgutil.walk_packages(treelab.__path__, "treelab.")]
MODULES = [name for name in MODULES if not name.startswith("treelab.plain")]


@pytest.mark.parametrize("name", MODULES)
def test_api_page_has_every_public_name(name):
    named = set(re.findall(r"^\.\. auto(?:class|function|exception):: (\w+)", api(), re.M))
    names = getattr(importlib.import_module(name), "__all__", ())
    public = {n for n in names if not n.isupper()}  # constants have no docstring
    assert public - named <= {"make_moons", "make_friedman1"}  # scikit-learn's own


@pytest.mark.parametrize(
    "path", sorted((ROOT / "treelab" / "plain").glob("[a-z]*.py")), ids=lambda path: path.stem
)
def test_api_page_has_every_plain_function(path):
    head = f".. currentmodule:: treelab.plain.{path.stem}\n"
    section = api().partition(head)[2].partition("```")[0]
    functions = re.findall(r"^def (\w+)", path.read_text(encoding="utf-8"), re.M)
    assert re.findall(r"^\.\. autofunction:: (\w+)", section, re.M) == functions


def glossary():
    """The terms, each by its main name; a second name stands in the line before."""
    page = (BOOK / "glossary.md").read_text(encoding="utf-8")
    return re.findall(r"^([\w .+'-]+)\n  \S", page, re.M)


@cache
def texts(*patterns):
    """The words, and no code, of pages and notebooks, by the path from the root."""
    found = {}
    for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern)):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            cells = nbformat.reads(text, as_version=4).cells
            text = "\n\n".join(c.source for c in cells if c.cell_type == "markdown")
        found[path.relative_to(ROOT).as_posix()] = text
    return found


def linked(text):
    """The terms that a text links to, in lowercase."""
    uses = [" ".join(use.split()) for use in re.findall(r"\{term\}`([^`]+)`", text)]
    return {re.sub(r"^.*<(.*)>$", r"\1", use).lower() for use in uses}


def test_every_term_is_linked_from_a_chapter_or_from_under_its_hood():
    pages = texts("notebooks/[0-9]*.ipynb", "notebooks/under_the_hood/*.ipynb")
    used = set().union(*map(linked, pages.values()))
    used |= {"out of bag"} if "out-of-bag" in used else set()  # one entry with two names
    assert [term for term in glossary() if term.lower() not in used] == []


def test_every_link_to_a_term_has_an_entry():
    entries = {term.lower() for term in glossary()} | {"out-of-bag"}
    pages = texts("notebooks/**/[0-9]*.ipynb", "book/*.md", "book/guide/*.md")
    unknown = {name: linked(text) - entries for name, text in pages.items()}
    assert {name: terms for name, terms in unknown.items() if terms} == {}


def test_names_of_the_notation_are_in_the_code():
    """What the second column of the notation's tables calls a letter in the code, is there."""
    page = (BOOK / "notation.md").read_text(encoding="utf-8")
    columns = [row.split("|")[2] for row in re.findall(r"^\|.*\|$", page, re.M)]
    names = set(re.findall(r"`([^`]+)`", " ".join(columns)))
    words = {word for name in names for word in re.findall(r"[A-Za-z_]\w*", name)}
    code = " ".join(p.read_text(encoding="utf-8") for p in (ROOT / "treelab").rglob("*.py"))
    for path in sorted((ROOT / "notebooks").glob("**/[0-9]*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        code += " ".join(c.source for c in cells if c.cell_type == "code")
    assert len(words) > 80
    assert sorted(words - set(re.findall(r"[A-Za-z_]\w*", code))) == []


def test_glossary_is_in_order():
    terms = glossary()
    assert terms[0] == ".632 estimate"
    assert terms[-1] == "z-score"
    assert terms == sorted(terms, key=str.lower)
