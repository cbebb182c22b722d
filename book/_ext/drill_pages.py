"""``{drill} impurity``: the drills of a chapter, in its page, with fresh numbers.

Each drill is shown with the numbers of twelve seeds, one set at a time: the first stands in the
page with its key folded, which is all there is in print and without scripts; the others lie in
``<template>``. What is asked comes along as data, and `drill.js` makes the form that asks.
"""

import json
import re
import sys
from html import escape
from pathlib import Path

from chapters import parsed
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

EXAM = Path(__file__).resolve().parents[2] / "notebooks" / "teaching" / "exam"
sys.path.append(str(EXAM))
import drills  # noqa: E402


def asked(name, seed):
    """What `drill.js` needs to know of each part of a drill, for an attribute in single quotes."""

    def short(value):
        return round(value, 9) if isinstance(value, float) else value

    told = [
        [part.name, short(part.right), part.choices or part.tolerance,
         [(short(wrong), hint) for wrong, hint in part.mistakes]]
        for part in drills.parts(name, seed)
    ]  # fmt: skip
    text = json.dumps(told, separators=(",", ":"), ensure_ascii=False)
    return escape(text, quote=False).replace("'", "&#39;")


def html(text):
    """A piece of HTML as it stands."""
    return nodes.raw("", text, format="html")


class Drills(SphinxDirective):
    """The drills of the chapter that the argument names by the beginning of its exercises' ids."""

    required_arguments = 1

    def run(self):
        """A container for each drill."""
        chapter = self.arguments[0]
        if chapter not in drills.DRILLS:
            known = ", ".join(drills.DRILLS)
            raise self.error(f"no chapter has the drills {chapter!r}; there are {known}.")
        for file in EXAM.glob("*.py"):
            self.env.note_dependency(str(file))
        return [self.made(name) for name in drills.DRILLS[chapter]]

    def made(self, name):
        """One drill with all its numbers."""
        box = nodes.container(classes=["tl-drill"])
        seeds = drills.seeds(name)
        first = drills.ask(name, seeds[0])
        title = f"Drill: {first.title}"
        box += html(
            f'<p class="tl-drill-title" id="drill-{name}"><strong>{escape(title)}</strong> '
            f"({first.minutes} minutes a set; numbers to three decimals or as fractions)</p>"
        )
        for seed in seeds:
            question = drills.ask(name, seed)
            tag = "div" if seed == seeds[0] else "template"
            box += html(f"<{tag} class='tl-numbers' data-asked='{asked(name, seed)}'>")
            box += parsed(self, question.text)
            box += html('<details class="tl-key"><summary>Solution</summary>')
            box += parsed(self, question.key)
            box += html(f"</details></{tag}>")
        return box


def lean(template):
    """A template without the marks that each cell of its tables carries; drill.css aligns them."""
    text = re.sub(r"<(t[dh]) [^>]*><p>(.*?)</p></t[dh]>", r"<\1>\2</\1>", template[0])
    return re.sub(r'<tr class="row-\w+">', "<tr>", text)


def add_script(app, pagename, templatename, context, doctree):
    """Give a page with drills the script, and make what it does not show at first light."""
    if 'class="tl-drill ' in context.get("body", ""):
        context["body"] = re.sub(r"<template.*?</template>", lean, context["body"], flags=re.S)
        app.add_css_file("drill.css", priority=820)
        app.add_js_file("drill.js", loading_method="defer")


def setup(app):
    """Register the directive."""
    app.add_directive("drill", Drills)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
