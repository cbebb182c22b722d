"""What stands beside the text on a wide screen: captions, small asides, and definitions.

- A figure that stands in a section gets the theme's class `margin-caption`, and what the reader
  should bring the class `margin`: the style sheet puts them beside the text where there is room.
- What holds an interactive figure gets the class `popout`, for it is wider than the text.
- Code and printed text with long lines get the theme's class `full-width`: they may reach into it.
- The definitions of the terms that a page links to are put into it, in a `template` that is neither
  shown nor read aloud; `margin.js` shows one when the pointer or the focus is on its term.
"""

import re

from docutils import nodes
from reading import is_source, keep_together
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from term_index import GLOSSARY

LONG = 68  # characters of code that the column of the text has room for
EXPLORABLE = '<figure class="tl-explorable'
START = '<template id="tl-definitions">'


def stands_in_a_section(node):
    """Whether nothing but cells is around a node in its section."""
    node = node.parent
    while isinstance(node, nodes.container):
        node = node.parent
    return isinstance(node, (nodes.section, nodes.document))


class IntoTheMargin(SphinxPostTransform):
    """Mark what stands in the margin, and what reaches into it."""

    default_priority = 170
    formats = ("html",)

    def run(self, **kwargs):
        """Look at the figures, the asides and the code of the page."""
        for figure in self.document.findall(nodes.figure):
            if figure.next_node(nodes.caption) is not None and stands_in_a_section(figure):
                figure["classes"].append("margin-caption")
        for aside in self.document.findall(nodes.Admonition):
            if "tl-bring" in aside["classes"] and stands_in_a_section(aside):
                aside["classes"].append("margin")
        for raw in self.document.findall(nodes.raw):
            if EXPLORABLE in raw.astext():
                raw.parent["classes"].append("popout")
        for block in self.document.findall(nodes.literal_block):
            if max(map(len, block.astext().splitlines()), default=0) > LONG:
                place = block.parent if is_source(block.parent) else block
                if stands_in_a_section(place):
                    place["classes"].append("full-width")


def definitions(app):
    """For the anchor of each term its definition, without links, as a list of nodes; dict."""
    if not hasattr(app.env, "tl_definitions"):
        found = {}
        glossary = app.env.get_doctree(GLOSSARY) if GLOSSARY in app.env.all_docs else []
        for item in glossary and glossary.findall(nodes.definition_list_item):
            terms = list(item.findall(nodes.term))
            said = item.next_node(nodes.definition).next_node(nodes.paragraph)
            for term in terms:
                name = nodes.strong("", terms[0].astext())
                text = nodes.paragraph("", "", name, nodes.Text(": "), *without_links(said))
                keep_together(text)
                for anchor in term["ids"]:
                    found[anchor] = text
        app.env.tl_definitions = found
    return app.env.tl_definitions


def without_links(paragraph):
    """The children of a copy of a paragraph: terms are words, and "see there" is left out."""
    copy = paragraph.deepcopy()
    for index in list(copy.findall(addnodes.index)):
        index.parent.remove(index)
    for link in list(copy.findall(addnodes.pending_xref)):
        if link["reftype"] == "term":
            link.replace_self(nodes.Text(link.astext()))
            continue
        parent, at = link.parent, link.parent.index(link)
        after = parent[at + 1] if at + 1 < len(parent) else None
        if isinstance(after, nodes.Text) and after.startswith("."):
            parent[at + 1] = nodes.Text(after[1:])
            parent.remove(link)
        else:
            link.replace_self(nodes.Text(link.astext()))
    return copy.children


def put_definitions(app, doctree, docname):
    """End the page with the definitions of the terms that it links to."""
    if app.builder.format != "html" or docname == GLOSSARY:
        return
    uris = [link.get("refuri", "") for link in doctree.findall(nodes.reference)]
    used = {uri.partition("#")[2]: None for uri in uris if "#term-" in uri}
    known = definitions(app)
    found = [
        nodes.container("", known[anchor].deepcopy(), ids=[f"says-{anchor}"])
        for anchor in used
        if anchor in known
    ]
    if found:
        doctree += nodes.raw("", START, format="html")
        doctree += found
        doctree += nodes.raw("", "</template>", format="html")


def without_margin(app, pagename, templatename, context, doctree):
    """Take the marks back on a page without contents beside it, where the theme's script fails."""
    if "html_theme.sidebar_secondary.remove" in (context.get("meta") or {}):
        marked = r'(class="[^"]*?) (?:popout|margin-caption|full-width)\b'
        context["body"] = re.sub(marked, r"\1", context.get("body", ""))


def setup(app):
    """Register with Sphinx."""
    app.add_js_file("margin.js", loading_method="defer")
    app.add_post_transform(IntoTheMargin)
    app.connect("doctree-resolved", put_definitions, priority=900)
    app.connect("html-page-context", without_margin, priority=870)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
