"""The words of the modules and pages that have been rewritten: `style.toml` lists what is gone."""

import ast
import re
import tomllib

import pytest
from cases import each
from places import ROOT, TESTS

STYLE = tomllib.loads((TESTS / "book" / "style.toml").read_text(encoding="utf-8"))
PATTERNS = {pattern["find"]: pattern for pattern in STYLE["pattern"]}
MODULES = {
    str(path.relative_to(ROOT)): path for glob in STYLE["modules"] for path in ROOT.glob(glob)
}
QUESTION = re.compile(r"(What|Who|How|Why|When|Where|Whose)\b")
NAMED = (ast.Module, ast.ClassDef, ast.FunctionDef)


def strings(path):
    """Docstrings, messages and other strings with a space; a single word may name a column."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, prose(node.value)


def prose(text):
    """Return a text on one line, without its examples and what stands in backticks."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith((">>>", "..."))]
    return re.sub(r"`[^`]*`", "", " ".join(" ".join(lines).split()))


def test_every_entry_finds_modules():
    for glob in STYLE["modules"]:
        assert list(ROOT.glob(glob)), f"{glob} finds no file"
    assert len(MODULES) > 55


@each("find", PATTERNS)
def test_patterns_find_their_examples_and_have_a_replacement(find):
    pattern = PATTERNS[find]
    assert pattern["instead"]
    assert pattern["examples"]
    for example in pattern["examples"]:
        assert re.search(find, example, re.IGNORECASE), example


@each("find", PATTERNS)
def test_exceptions_are_still_needed(find):
    for name in PATTERNS[find].get("exceptions", {}):
        texts = [text for _, text in strings(ROOT / name)]
        assert any(re.search(find, text, re.IGNORECASE) for text in texts), name


@pytest.mark.parametrize("name", sorted(MODULES))
def test_words_that_are_gone(name):
    wrong = [
        f"{name}:{line}: {found.group()!r}: {pattern['instead']}"
        for line, text in strings(MODULES[name])
        for find, pattern in PATTERNS.items()
        if name not in pattern.get("exceptions", {})
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
