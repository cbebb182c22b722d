"""Pages to explore: the glossary by letters, the ledger's squares, long pages of the API.

- The glossary has a line of letters to jump to, and a part for each letter.
- The ledger and the glossary get the scripts of their filters, from `_static/explore`.
- On a page of the API the name of a thing and its first sentences are in view, and the rest
  unfolds; on the longest, `ROOMS`, each module unfolds as a whole.
- The page of all errata keeps the anchors of its entries, which have moved to pages of their own.
- The pictures on the museum's front page load when they come near.
"""

import re

from docutils import nodes
from sphinx import addnodes

SCRIPTS = {"book/ledger": "explore/ledger.js", "book/glossary": "explore/glossary.js"}
API = "book/api/"
ROOMS = ("book/api/inside", "book/api/figures", "book/api/methods")
DIGITS = "0–9"


def raw(text):
    """A piece of HTML."""
    return nodes.raw("", text, format="html")


def letter(item):
    """The letter under which a term stands."""
    first = next(filter(str.isalnum, item.next_node(nodes.term).astext()))
    return DIGITS if first.isdigit() else first.upper()


def by_letters(glossary):
    """The glossary as a line of letters and a part for each, one after the other."""
    (terms,) = glossary.children
    parts = {}
    for item in terms.children:
        parts.setdefault(letter(item), []).append(item)
    links = (f'<a href="#letter-{name.lower()[0]}">{name}</a>' for name in parts)
    field = '<input type="search" placeholder="Filter the terms" aria-label="Filter the terms" '
    field += 'autocomplete="off" disabled>'  # until its script is there
    yield raw(f'<nav class="tl-letters" aria-label="Letters">{field}{"".join(links)}</nav>')
    for name, items in parts.items():
        head = f'<section class="tl-initial" id="letter-{name.lower()[0]}"><h2>{name}</h2>'
        part = addnodes.glossary("", nodes.definition_list("", *items, classes=terms["classes"]))
        yield from (raw(head), part, raw("</section>"))


def fold_entry(described):
    """Fold what is described but for its name and its first paragraph, which unfolds the rest."""
    content = described.next_node(addnodes.desc_content)
    first = content.children[0] if content.children else None
    if len(content.children) > 1 and isinstance(first, nodes.paragraph):
        words = nodes.inline("", "", *first.children)
        rest = content.children[1:]
        head = [raw('<details class="tl-more"><summary>'), words, raw("</summary>")]
        content.children = []
        content += [*head, *rest, raw("</details>")]


def fold_room(section):
    """Fold what a module has, below its title and a line with the names."""
    things = [part for part in section.children if isinstance(part, addnodes.desc)]
    if things:
        names = ", ".join(thing.next_node(addnodes.desc_name).astext() for thing in things)
        at = section.index(things[0])
        rest = [part for part in section.children[at:] if not isinstance(part, nodes.section)]
        for part in rest:
            section.remove(part)
        head = raw(f'<details class="tl-more"><summary>{len(things)}: {names}</summary>')
        section[at:at] = [head, *rest, raw("</details>")]


def arrange(app, doctree, docname):
    """Change the glossary and the long pages of the API."""
    if app.builder.name != "html":  # on paper nothing unfolds
        return
    if docname == "book/glossary":
        for glossary in list(doctree.findall(addnodes.glossary)):
            glossary.replace_self(list(by_letters(glossary)))
    if docname in ROOMS:
        for section in list(doctree.findall(nodes.section)):
            fold_room(section)
    elif docname.startswith(API):
        for described in list(doctree.findall(addnodes.desc)):
            if not isinstance(described.parent, addnodes.desc_content):
                fold_entry(described)


def add_to_page(app, pagename, templatename, context, doctree):
    """The look and the scripts; the anchors of errata; images that load late."""
    if not re.match(r"notebooks/(?!teaching/)", pagename):  # no chapter has what is to explore
        app.add_css_file("explore/explore.css")
    if pagename in SCRIPTS:
        app.add_js_file(SCRIPTS[pagename], loading_method="defer")
    if pagename == "book/errata":
        context["body"] = re.sub(
            r'<li>(?=<p><a class="[^"]*" href="errata/\w+\.html#([\w-]+)")',
            r'<li id="\1">',
            context["body"],
        )
    if pagename == "notebooks/teaching/bug_museum":
        size = 'loading="lazy" width="480" height="240"'
        context["body"] = re.sub(r"<img(?=[^>]+\.svg)", f"<img {size}", context["body"])


def setup(app):
    """Register with Sphinx."""
    app.connect("doctree-resolved", arrange, priority=600)
    app.connect("html-page-context", add_to_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
