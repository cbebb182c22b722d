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


@pytest.fixture
def build(tmp_path):
    """A function that builds one page of Markdown, and returns its article and what was said."""

    def built(text, **settings):
        source = tmp_path / "source"
        source.mkdir()
        (source / "index.md").write_text(text, encoding="utf-8")
        config = {
            "extensions": ["myst_parser", "formulas"],
            "myst_enable_extensions": ["amsmath", "dollarmath"],
            **settings,
        }
        said, warned = io.StringIO(), io.StringIO()
        out = tmp_path / "html"
        with docutils_namespace():
            app = Sphinx(source, None, out, tmp_path / "trees", "html", config, said, warned)
            app.build()
        page = lxml.html.parse(str(out / "index.html"), lxml.html.HTMLParser(encoding="utf-8"))
        (body,) = page.getroot().find_class("body")
        return body, page.getroot(), said.getvalue(), warned.getvalue(), out

    return built


def maths(body):
    """The MathML of a page, in order."""
    return list(body.iter("math"))


def test_a_formula_is_in_the_page_and_no_script_sets_it(build):
    body, page, _, warned, out = build("# T\n\nAs $x_1 \\le 3.2$ says:\n\n$$ \\frac{a}{b} $$\n")
    assert warned == ""
    inline, display = maths(body)
    assert inline.text_content() == "x1≤3.2"
    assert display.get("display") == "block"
    assert display.find(".//mfrac") is not None
    assert [src for src in page.xpath("//script/@src") if "mathjax" in src] == []
    assert not (out / "_static" / "mathjax").exists()
    assert not body.xpath("//*[@class='math']//@tabindex")


def test_a_numbered_formula_has_its_number_and_its_links(build):
    two = "```{math}\n:label: two\nc &= d \\\\ e &= f\n```"
    text = f"# T\n\n$$ a = b $$ (sum)\n\n{two}\n\nSee {{eq}}`sum`, {{eq}}`two`.\n"
    body, _, _, warned, _ = build(text)
    assert warned == ""
    assert [e.text_content().rstrip("¶") for e in body.find_class("eqno")] == ["(1)", "(2)"]
    assert [a.text_content() for a in body.xpath(".//p//a")] == ["(1)", "(2)"]
    assert len(maths(body)[1].findall(".//mtr")) == 2


def test_environments_of_latex_get_no_numbers_of_their_own(build):
    body, *_ = build("# T\n\n\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}\n")
    (formula,) = maths(body)
    assert len(formula.findall(".//mtr")) == 2
    assert "tml-eqn" not in lxml.html.tostring(formula, encoding="unicode")


def test_a_formula_that_cannot_be_read_is_a_warning_with_page_and_formula(build):
    *_, warned, _ = build("# T\n\nText.\n\nHere $1 < \\nothing$ stands.\n")
    assert re.search(r"index\.md:5: WARNING: the formula '1 < .*nothing' cannot be set", warned)
    assert "Unsupported function name" in warned


def test_signs_stay_with_their_formula(build):
    text = "# T\n\nThe price ($\\alpha$), the $k$-th of $n$. A pair “$a$” is far\u00a0from $b$\n"
    body, *_ = build(text)
    glued = [e.text_content() for e in body.find_class("tl-glue")]
    assert glued == ["(α),", "k-", "n.", "“a”"]
    said = "The price (α), the k-th of n. A pair “a” is far\u00a0from b"
    assert body.xpath("string(.//p)") == said


def test_a_long_formula_in_a_line_may_be_broken_after_signs_outside_brackets(build):
    long = r"$P(x > 3, y) = \frac{a + b}{c} + f(x, y) \cdot 1234567890123 - 12$"
    body, *_ = build(f"# T\n\nAs {long}, and $-1 = x$.\n")
    pieces = [m.text_content() for m in maths(body)]
    assert pieces == ["P(x>3,y)=", "a+bc+", "f(x,y)⋅1234567890123−", "12", "−1=x"]
    signs = [m.findall("mo")[-1].get("form") for m in maths(body)[:3]]
    assert signs == ["infix"] * 3  # at an end they would lose their space


def test_without_temml_mathjax_sets_formulas_and_the_build_says_so(build, monkeypatch, tmp_path):
    monkeypatch.setattr(formulas, "TEMML", tmp_path / "nothing.mjs")
    monkeypatch.delenv("CI", raising=False)
    body, page, said, warned, out = build("# T\n\nAs $x \\le 3$.\n")
    assert formulas.WITHOUT in said
    assert warned == ""
    assert maths(body) == []
    assert r"\(x \le 3\)" in body.text_content()
    (script,) = [a for a in page.xpath("//script/@src") if "mathjax" in a]
    assert (out / re.sub(r"\?.*", "", script)).is_file()
    assert sum(path.stat().st_size for path in (out / "_static").rglob("*") if path.is_file()) < 5e6


def test_with_ci_a_missing_temml_is_an_error(build, monkeypatch, tmp_path):
    monkeypatch.setattr(formulas, "TEMML", tmp_path / "nothing.mjs")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(ExtensionError, match="Temml"):
        build("# T\n")


def test_node_may_be_the_one_that_pip_brings(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert formulas.node_program() is None
    (tmp_path / "node").write_text("#!/bin/sh\n", encoding="utf-8")
    os.chmod(tmp_path / "node", 0o755)
    assert formulas.node_program() == str(tmp_path / "node")
