"""The index of terms: where each term of the glossary is used, and from there back to a chapter.

At the first {term} of each term on a page of a chapter, below its introduction if there is one,
stands an index entry under the name that the glossary has. And each definition in the glossary ends
with a link to that place in the first chapter that has one, or on a page under the hood where no
chapter has. Both are pages with a number, as in `notebooks/04_pruning`.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util.nodes import make_refnode

GLOSSARY = "book/glossary"
CHAPTER = re.compile(r"notebooks/(under_the_hood/)?(\d+)_\w+$")


def read_terms(app):
    """The terms of the glossary as they are written there, by their lowercase names."""
    page = Path(app.srcdir) / f"{GLOSSARY}.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    body = text.partition("```{glossary}\n")[2].partition("\n```")[0]
    app.env.glossary_names = {
        line.lower(): line for line in body.splitlines() if line and not line.startswith((" ", ":"))
    }
    if not hasattr(app.env, "term_uses"):
        app.env.term_uses = {}


class IndexTerms(SphinxTransform):
    """An index entry at the first use of each term in a section of a chapter."""

    default_priority = 845  # before Sphinx collects the entries

    def apply(self, **kwargs):
        """Put an anchor and an entry before each first use."""
        chapter = CHAPTER.match(self.env.docname)
        if chapter is None:
            return
        found = {}
        for use in self.document.findall(addnodes.pending_xref):
            if use["reftype"] == "term" and use["reftarget"].lower() in self.env.glossary_names:
                found.setdefault(use["reftarget"].lower(), []).append(use)
        title = self.document.next_node(nodes.title)
        edges = {title.astext(), "In short"}
        uses = self.env.term_uses[self.env.docname] = {}
        for term, places in found.items():
            inside = [use for use in places if heading(use).astext() not in edges]
            use = (inside or places)[0]  # not in the list of aims, if it can be helped
            slug = re.sub(r"[^a-z0-9]+", "-", term.replace("+", "-plus")).strip("-")
            anchor = f"use-{chapter[2]}-{slug}"
            name = self.env.glossary_names[term]
            entry = addnodes.index(entries=[("single", name, anchor, "", None)])
            before, after = use, 0
            if isinstance(use.parent, nodes.title):  # the contents repeat what is in a heading
                before, after = use.parent, 1
            place = before.parent.index(before) + after
            before.parent.insert(place, [entry, nodes.target("", "", ids=[anchor])])
            above = heading(use)
            uses[term] = (anchor, "" if above is title else above.astext())


def heading(node):
    """The heading under which a node stands; a definition or an algorithm has none of its own."""
    while not (isinstance(node, nodes.section) and isinstance(node[0], nodes.title)):
        node = node.parent
    return node[0]


def forget(app, env, docname):
    """Drop the uses on a page that is read again or gone."""
    env.term_uses.pop(docname, None)


def merge(app, env, docnames, other):
    """Take over the uses on the pages that another process has read."""
    env.term_uses.update({d: u for d, u in other.term_uses.items() if d in docnames})


def renew_glossary(app, env):
    """Write the glossary anew, because its links depend on the chapters."""
    return [GLOSSARY] if GLOSSARY in env.all_docs else []


def link_chapters(app, doctree, docname):
    """End each definition of the glossary with a link to the first chapter that uses the term."""
    for glossary in doctree.findall(addnodes.glossary):
        for item in glossary.findall(nodes.definition_list_item):
            terms = [t.astext().lower().replace("’", "'") for t in item.findall(nodes.term)]
            line = chapter_line(app, docname, terms)
            if line is not None:
                item.next_node(nodes.definition).append(line)


def chapter_line(app, docname, terms):
    """The paragraph "Chapter 4, Pruning" with its link, or nothing if no chapter has the terms."""
    for page in sorted(app.env.term_uses):
        for term in terms:
            if term in app.env.term_uses[page]:
                anchor, section = app.env.term_uses[page][term]
                title = app.env.titles[page].astext()
                behind, number = CHAPTER.match(page).groups()
                text = title if behind else f"Chapter {int(number)}, {title}"
                text += f": {section}" if section else ""
                link = make_refnode(app.builder, docname, page, anchor, nodes.Text(text))
                return nodes.paragraph("", "", link, classes=["term-chapter"])
    return None


def setup(app):
    """Register the index of terms with Sphinx."""
    app.add_transform(IndexTerms)
    app.connect("builder-inited", read_terms)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("env-updated", renew_glossary)
    app.connect("doctree-resolved", link_chapters)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True,
            "parallel_write_safe": True}  # fmt: skip
