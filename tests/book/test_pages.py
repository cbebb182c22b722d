"""The pages around the chapters: their numbers, and that they leave nothing out."""

import importlib
import re
from functools import cache

import nbformat
from built_book import assert_none
from cases import modules
from places import METHODS, ROOT

BOOK = ROOT / "book"


@cache
def api():
    """The pages of the API in one text."""
    return "\n".join(p.read_text(encoding="utf-8") for p in sorted(BOOK.glob("api/*.md")))


MODULES = [name for name in modules() if name.removeprefix("treelab.") not in METHODS]


def test_api_page_has_every_public_name():
    named = set(re.findall(r"^\.\. auto(?:class|function|exception):: (\w+)", api(), re.M))
    named |= {"make_moons", "make_friedman1"}  # scikit-learn's own

    def problems(module):
        names = getattr(importlib.import_module(module), "__all__", ())
        public = {n for n in names if not n.isupper()}  # constants have no docstring
        yield from sorted(public - named)

    assert_none(problems, MODULES)


def test_api_page_has_every_plain_function():
    def problems(path):
        head = f".. currentmodule:: treelab.{path.stem}\n"
        section = api().partition(head)[2].partition("```")[0]
        functions = re.findall(r"^def (\w+)", path.read_text(encoding="utf-8"), re.M)
        listed = re.findall(r"^\.\. autofunction:: (\w+)", section, re.M)
        if listed != functions:
            yield f"the page has {listed}, the module {functions}"

    assert_none(problems, [ROOT / "treelab" / f"{name}.py" for name in sorted(METHODS)])


def glossary():
    """The names of each entry: the field's first, the book's own, if it has one, last."""
    page = (BOOK / "glossary.md").read_text(encoding="utf-8")
    entries = re.findall(r"^((?:\S.*\n)+)  \S", page.partition(":sorted:\n")[2], re.M)
    return [entry.splitlines() for entry in entries]


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
    assert [names for names in glossary() if not used & {name.lower() for name in names}] == []


def test_every_link_to_a_term_has_an_entry():
    entries = {name.lower() for names in glossary() for name in names}
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


GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi pi rho sigma "
    "tau phi varphi chi psi omega Gamma Delta Theta Lambda Sigma Phi Psi Omega ell Pr"
).split()
NO_LETTERS = r"\\(?:text|mathrm|operatorname|label|begin|end)\s*\{[^{}]*\}"
MARKS = r"\([^()]*\)|[_^](?:\{[^{}]*\}|\\\w+|\S)"  # arguments, subscripts, stars


def letters(formula):
    """The letters of a formula, calligraphic and Greek ones by their names."""
    found = set()
    pattern = r"\\(math(?:cal|bb))\s*\{?([A-Z])|\\([A-Za-z]+)|([A-Za-z]+)"
    for face, capital, command, run in re.findall(pattern, re.sub(NO_LETTERS, " ", formula)):
        found |= {f"\\{face} {capital}" if face else run or f"\\{command}" * (command in GREEK)}
    return found - {""}


def formulas(text):
    """The formulas of a text, those in a line and those between lines."""
    text = re.sub(r"(`+)[^`\n]+\1", " ", text)
    return [a or b for a, b in re.findall(r"\$\$(.+?)\$\$|(?<![\\$])\$([^$]+)\$", text, re.S)]


@cache
def notation():
    """The rows of the tables of symbols: what is defined, and what it means."""
    page = (BOOK / "notation.md").read_text(encoding="utf-8")
    rows = [row.split("|")[1:-1] for row in re.findall(r"^\|.*\|$", page, re.M)]
    return [(row[0], row[2]) for row in rows if len(row) == 3 and "$" in row[0]]


def twice_defined(rows):
    """The letters that come again without being explained by what they are already.

    A letter with marks, or in another setting, is the same thing if its meaning names the letter.
    """
    seen, bad = set(), []
    for symbols, meaning in rows:
        bare = set()
        for formula in formulas(symbols):
            bare |= letters(re.sub(MARKS, " ", re.sub(MARKS, " ", formula)))
        named = set().union(*map(letters, formulas(meaning)))
        bad += sorted(bare & seen - named)
        seen |= bare
    return bad


def test_a_letter_of_the_notation_has_one_meaning():
    rows = notation()
    assert len(rows) > 60
    assert twice_defined(rows) == []


def test_two_meanings_of_a_letter_are_found():
    rows = [("$M$", "training sets"), ("$\\mathcal M$, $m$", "models"), ("$M_b$", "$M$ of $b$")]
    assert twice_defined(rows) == []
    assert twice_defined([*rows, ("$\\hat M_1$", "cuts of node $t$")]) == ["M"]
    assert letters(r"\frac{CF}{\mathcal D} \eta \text{loo}") == {"CF", r"\mathcal D", r"\eta"}


LETTERS = texts("notebooks/*.ipynb", "notebooks/[eu]*/*.ipynb", "book/[cg]*.md", "book/guide/*")


def test_formulas_have_the_letters_of_the_notation():
    known = set().union(*(letters(f) for symbols, _ in notation() for f in formulas(symbols)))

    def problems(name):
        used = set().union(*map(letters, formulas(LETTERS[name])))
        products = {run for run in used if run.isalpha() and set(run) <= known}
        yield from sorted(used - known - products)

    assert len(LETTERS) > 50
    assert_none(problems, LETTERS)
