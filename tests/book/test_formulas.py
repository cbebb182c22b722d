"""Formulas, which are set when the book is built."""

import io
import os
import re
import sys

import lxml.html
import pytest
from places import ROOT
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import docutils_namespace

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import formulas  # noqa: E402

TWO = "```{math}\n:label: two\nc &= d \\\\ e &= f\n```"
LONG = r"$P(x > 3, y) = \frac{a + b}{c} + f(x, y) \cdot 1234567890123 - 12$"
PAGES = {
    "index": "As $x_1 \\le 3.2$ says:\n\n$$ \\frac{a}{b} $$\n",
    "numbered": f"$$ a = b $$ (sum)\n\n{TWO}\n\nSee {{eq}}`sum`, {{eq}}`two`.\n",
    "aligned": "\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}\n",
    "wrong": "Text.\n\nHere $1 < \\nothing$ stands.\n",
    "glued": "The price ($\\alpha$), the $k$-th of $n$. A pair “$a$” is far\u00a0from $b$\n",
    "long": f"As {LONG}, and $-1 = x$.\n",
}


def build(folder, pages):
    """Build pages of Markdown; the folder of the pages, what was said, and the warnings."""
    (folder / "source").mkdir()
    for name, text in pages.items():
        orphan = "" if name == "index" else "---\norphan: true\n---\n\n"
        (folder / "source" / f"{name}.md").write_text(f"{orphan}# T\n\n{text}", encoding="utf-8")
    config = {
        "extensions": ["myst_parser", "formulas"],
        "myst_enable_extensions": ["amsmath", "dollarmath"],
    }
    said, warned, out = io.StringIO(), io.StringIO(), folder / "html"
    with docutils_namespace():
        Sphinx(folder / "source", None, out, folder, "html", config, said, warned).build()
    return out, said.getvalue(), warned.getvalue()


def page_at(path):
    return lxml.html.parse(str(path), lxml.html.HTMLParser(encoding="utf-8")).getroot()


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the built pages, and the warnings."""
    out, _, warned = build(tmp_path_factory.mktemp("formulas"), PAGES)
    return out, warned


@pytest.fixture
def body(built):
    """A function that returns the text of a page."""
    return lambda name: page_at(built[0] / f"{name}.html").find_class("body")[0]


def maths(body):
    """The MathML of a page, in order."""
    return list(body.iter("math"))


def test_a_formula_is_in_the_page_and_no_script_sets_it(built, body):
    out, _ = built
    inline, display = maths(body("index"))
    assert inline.text_content() == "x1≤3.2"
    assert display.get("display") == "block"
    assert display.find(".//mfrac") is not None
    assert [s for s in page_at(out / "index.html").xpath("//script/@src") if "mathjax" in s] == []
    assert not (out / "_static" / "mathjax").exists()
    assert not body("index").xpath("//*[@class='math']//@tabindex")


def test_a_numbered_formula_has_its_number_and_its_links(body):
    numbered = body("numbered")
    assert [e.text_content().rstrip("¶") for e in numbered.find_class("eqno")] == ["(1)", "(2)"]
    assert [a.text_content() for a in numbered.xpath(".//p//a")] == ["(1)", "(2)"]
    assert len(maths(numbered)[1].findall(".//mtr")) == 2


def test_environments_of_latex_get_no_numbers_of_their_own(body):
    (formula,) = maths(body("aligned"))
    assert len(formula.findall(".//mtr")) == 2
    assert "tml-eqn" not in lxml.html.tostring(formula, encoding="unicode")


def test_only_a_formula_that_cannot_be_read_is_a_warning_with_page_and_formula(built):
    _, warned = built
    said = r"wrong\.md:9: WARNING: the formula '1 < .*nothing' cannot be set"
    assert len(re.findall("WARNING", warned)) == len(re.findall(said, warned)) == 1
    assert "Unsupported function name" in warned


def test_signs_stay_with_their_formula(body):
    glued = [e.text_content() for e in body("glued").find_class("tl-glue")]
    assert glued == ["(α),", "k-", "n.", "“a”"]
    said = "The price (α), the k-th of n. A pair “a” is far\u00a0from b"
    assert body("glued").xpath("string(.//p)") == said


def test_a_long_formula_in_a_line_may_be_broken_after_signs_outside_brackets(body):
    pieces = maths(body("long"))
    words = ["P(x>3,y)=", "a+bc+", "f(x,y)⋅1234567890123−", "12", "−1=x"]
    assert [m.text_content() for m in pieces] == words
    signs = [m.findall("mo")[-1].get("form") for m in pieces[:3]]
    assert signs == ["infix"] * 3  # at an end they would lose their space


def test_without_temml_mathjax_sets_formulas_and_the_build_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(formulas, "TEMML", tmp_path / "nothing.mjs")
    monkeypatch.delenv("CI", raising=False)
    out, said, warned = build(tmp_path, {"index": "As $x \\le 3$.\n"})
    page = page_at(out / "index.html")
    assert formulas.WITHOUT in said
    assert warned == ""
    assert maths(page) == []
    assert r"\(x \le 3\)" in page.find_class("body")[0].text_content()
    (script,) = [a for a in page.xpath("//script/@src") if "mathjax" in a]
    assert (out / re.sub(r"\?.*", "", script)).is_file()
    assert sum(path.stat().st_size for path in (out / "_static").rglob("*") if path.is_file()) < 5e6


def test_with_ci_a_missing_temml_is_an_error(monkeypatch, tmp_path):
    monkeypatch.setattr(formulas, "TEMML", tmp_path / "nothing.mjs")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(ExtensionError, match="Temml"):
        build(tmp_path, {"index": ""})


def test_node_may_be_the_one_that_pip_brings(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert formulas.node_program() is None
    (tmp_path / "node").write_text("#!/bin/sh\n", encoding="utf-8")
    os.chmod(tmp_path / "node", 0o755)
    assert formulas.node_program() == str(tmp_path / "node")
