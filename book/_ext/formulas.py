"""Formulas, set when the book is built: TeX becomes MathML, and no page needs a script for it.

Temml does it, which npm brings to `live/`, in one process of Node.js (`formulas.mjs`). A formula
that it cannot read is a warning with the page and the formula. Where there is no Node.js or no
Temml, the build says so and MathJax sets the formulas in the page, as Sphinx has it; with CI=true
that is an error.

A formula in a line of text stays together with the signs before and after it, such as a bracket or
a full stop: a browser may break the line on either side of it, whatever stands there.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

HERE = Path(__file__).resolve().parent
TEMML = HERE / "live" / "node_modules" / "temml" / "dist" / "temml.mjs"
# What a page can ask of MathJax: the component it starts with, the fonts, the extensions of TeX
# that are loaded on first use, the menu, and the explorer for screen readers in English.
MATHJAX_KEPT = (
    "tex-chtml.js",
    "output/chtml/*",
    "input/tex/*",
    "a11y/*",
    "ui/*",
    "sre/mathmaps/base.json",
    "sre/mathmaps/en.json",
)
WITHOUT = "There is no Node.js, or npm did not get Temml: MathJax sets the formulas in the page."
# What stays with a formula: a short piece up to the next space or hyphen, or signs alone.
BEFORE = re.compile(r"(?:(?<=[\s–—-])|^)[^\s–—-]{1,6}$|[^\w\s–—-]+$")
AFTER = re.compile(r"[^\s–—-]{0,6}(?=[\s–—-]|$)-?|[^\w\s–—-]+")

logger = logging.getLogger(__name__)


def node_program():
    """The path of Node.js: the machine's, or the one that pip has brought; None without."""
    places = os.pathsep.join((os.environ.get("PATH", ""), str(Path(sys.executable).parent)))
    return shutil.which("node", path=places)


class Setter:
    """The process that sets formulas, from the first one on; what is set is remembered."""

    def __init__(self):
        self.process, self.known = None, {}

    def set(self, tex, display):
        """What Temml makes of a formula: a dict with its `html`, or an `error`."""
        if (tex, display) not in self.known:
            if self.process is None:
                self.process = subprocess.Popen(
                    [node_program(), str(HERE / "formulas.mjs")],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    encoding="utf-8",
                )
            self.process.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
            self.process.stdin.flush()
            self.known[tex, display] = json.loads(self.process.stdout.readline())
        return self.known[tex, display]

    def end(self):
        """Let the process end."""
        if self.process is not None:
            self.process.communicate()
            self.process = None


SETTER = Setter()


def made(node, tex, display):
    """The MathML of a formula, and whether it may be wider than a phone."""
    answer = SETTER.set(tex, display)
    if "error" in answer:
        said = " ".join(answer["error"].split())
        logger.warning("the formula %r cannot be set: %s", tex, said, location=node)
        return escape(tex), False
    return answer["html"], answer["wide"]


def visit_math(translator, node):
    """A formula in a line of text."""
    html, wide = made(node, node.astext(), False)
    kind = "math tl-wide" if wide else "math"
    translator.body.append(f"{translator.starttag(node, 'span', '', CLASS=kind)}{html}</span>")
    raise nodes.SkipNode


def visit_math_block(translator, node):
    """A formula between lines, with its number if it has one."""
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    tex = node.astext()
    if not node["nowrap"]:
        if node["number"]:
            number = get_node_equation_number(translator, node)
            translator.body.append(f'<span class="eqno">({number})')
            translator.add_permalink_ref(node, _("Link to this equation"))
            translator.body.append("</span>")
        lines = [part for part in tex.split("\n\n") if part.strip()]
        if len(lines) > 1 or (r"\\" in tex and r"\begin" not in tex):
            tex = r"\begin{aligned}" + r"\\".join(lines) + r"\end{aligned}"
    # Numbers come from Sphinx.
    tex = re.sub(r"\\(begin|end)\{(equation|align|gather)\}", r"\\\1{\2*}", tex)
    translator.body.append(f"{made(node, tex, True)[0]}</div>\n")
    raise nodes.SkipNode


class Glue(SphinxPostTransform):
    """Keep a formula and what stands close to it on one line."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs):
        """Put each formula with its neighbors into an element that has no break."""
        for formula in list(self.document.findall(nodes.math)):
            parent, place = formula.parent, formula.parent.index(formula)
            together, start, end = [formula], place, place + 1
            last = parent[place - 1] if place else None
            if isinstance(last, nodes.Text) and (found := BEFORE.search(last)):
                together.insert(0, nodes.Text(found[0]))
                start -= 1
            following = parent[end] if end < len(parent) else None
            if isinstance(following, nodes.Text) and (found := AFTER.match(following)) and found[0]:
                together.append(nodes.Text(found[0]))
                end += 1
            if len(together) == 1:
                continue
            rest = []
            if start < place:
                rest.append(nodes.Text(last[: -len(together[0])]))
            rest.append(nodes.inline("", "", *together, classes=["tl-glue"]))
            if end > place + 1:
                rest.append(nodes.Text(following[len(together[-1]) :]))
            parent[start:end] = rest


def choose(app, config):
    """Let Sphinx ask these visitors for its formulas."""
    config.html_math_renderer = "temml"


def add_style(app, pagename, templatename, context, doctree):
    """Give a page with formulas their style."""
    if app.env.get_domain("math").has_equations(pagename):
        app.add_css_file("formulas.css", priority=815)


def finish(app, exception):
    """End the process."""
    SETTER.end()


def trim_mathjax(app, exception):
    """Remove from the built book the parts of MathJax (24 MB) that no page loads."""
    mathjax = Path(app.outdir) / "_static" / "mathjax"
    if exception is not None or not mathjax.is_dir():
        return
    kept = {path for pattern in MATHJAX_KEPT for path in mathjax.glob(pattern)}
    for path in sorted(mathjax.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif kept.isdisjoint({path, *path.parents}):
            path.unlink()


def setup(app):
    """Register Temml with Sphinx, or MathJax where Temml is missing."""
    app.add_post_transform(Glue)
    if TEMML.is_file() and node_program():
        app.add_html_math_renderer("temml", (visit_math, None), (visit_math_block, None))
        app.connect("config-inited", choose)
        app.connect("html-page-context", add_style)
        app.connect("build-finished", finish)
    elif os.environ.get("CI") == "true":
        raise ExtensionError(WITHOUT)
    else:
        logger.info(WITHOUT)
        app.setup_extension("sphinx-mathjax-offline")
        app.connect("build-finished", trim_mathjax, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
