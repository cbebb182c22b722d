"""The words of the modules and pages that have been rewritten: `style.toml` lists what is gone."""

import ast
import doctest
import re
import tomllib

import nbformat
import pytest
import voice
from cases import each
from places import ROOT, TESTS

STYLE = tomllib.loads((TESTS / "book" / "style.toml").read_text(encoding="utf-8"))
PATTERNS = {pattern["find"]: pattern for pattern in STYLE["pattern"]}
MODULES = {
    str(path.relative_to(ROOT)): path for glob in STYLE["modules"] for path in ROOT.glob(glob)
}
PAGES = {str(path.relative_to(ROOT)): path for glob in STYLE["pages"] for path in ROOT.glob(glob)}
QUESTION = re.compile(r"(What|Who|How|Why|When|Where|Whose)\b")
NAMED = (ast.Module, ast.ClassDef, ast.FunctionDef)


def strings(path):
    """Docstrings, messages and other strings with a space; a single word may name a column."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, prose(node.value)


def paragraphs(path):
    """Text of a page: its Markdown, and the captions and alternative texts of its figures."""
    if path.suffix != ".ipynb":
        yield 1, prose(path.read_text(encoding="utf-8"))
        return
    for number, cell in enumerate(nbformat.read(path, as_version=4).cells):
        if cell.cell_type == "markdown":
            yield number, prose(cell.source)
        elif given := cell.metadata.get("mystnb"):
            yield number, prose(" ".join(str(v) for part in given.values() for v in part.values()))


def texts(name):
    """Texts of a module or page, each with its line or the number of its cell."""
    return strings(MODULES[name]) if name in MODULES else paragraphs(PAGES[name])


def prose(text):
    """Return a text on one line, without its examples and what stands in backticks."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith((">>>", "..."))]
    return re.sub(r"`[^`]*`", "", " ".join(" ".join(lines).split()))


def test_every_entry_finds_modules():
    for glob in STYLE["modules"] + STYLE["pages"]:
        assert list(ROOT.glob(glob)), f"{glob} finds no file"
    assert len(MODULES) > 55


@each("find", PATTERNS)
def test_patterns_find_their_examples_and_have_a_replacement(find):
    pattern = PATTERNS[find]
    assert pattern["instead"]
    assert pattern["examples"]
    for example in pattern["examples"]:
        assert re.search(find, example, re.IGNORECASE), example


@pytest.mark.parametrize("name", sorted(MODULES | PAGES))
def test_words_that_are_gone(name):
    wrong = [
        f"{name}:{line}: {found.group()!r}: {pattern['instead']}"
        for line, text in texts(name)
        for find, pattern in PATTERNS.items()
        for found in re.finditer(find, text, re.IGNORECASE)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_docstring_begins_with_a_verb_or_a_noun_phrase(name):
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    wrong = [
        f"{name}:{getattr(node, 'lineno', 1)}: {text.splitlines()[0]}"
        for node in ast.walk(tree)
        if isinstance(node, NAMED) and QUESTION.match(text := ast.get_docstring(node) or "")
    ]
    assert not wrong, "\n".join(wrong)


def test_examples_of_the_measures():
    tried = doctest.testmod(voice)
    assert tried.attempted >= 3
    assert not tried.failed


@pytest.mark.parametrize("name", sorted(name for name in PAGES if name.endswith(".ipynb")))
def test_the_prose_of_a_page_has_the_measures_of_the_field(name):
    found = voice.misses(voice.source(PAGES[name]))
    assert not found, "\n".join(found)
