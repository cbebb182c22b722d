"""Small repairs to the stack that builds the book.

- sphinx-thebe writes its constants twice on every page, a script error, and the book has no
  live kernel to offer: its listeners are disconnected.
- sphinx-exercise registers visitors for the builder `singlehtml`; Sphinx then no longer looks at
  those registered for `html`, sphinx-proof's among them: they are copied over.
- docutils gives entries of the bibliography a role that ARIA 1.3 deprecates: it is replaced.
- A table wider than the page scrolls in a box that no key reaches: the box takes the focus
  and has a role (`reading.js` gives it its name, and takes both from boxes that need not scroll).
- Buttons that launch notebooks elsewhere need an address of the repository; the theme fails without
  one. A page whose notebook is derived, and so not in the repository, gets none either.
- The theme's arrows beside chapters with pages of their own have no name: they get one.
- viewcode takes one module per source file for its links back to the page of functions; names that
  are documented under another one get the link that leads to them.
- A term such as C4.5 gets an anchor with a dot before a digit, which the theme's script takes for
  a broken selector: the dots of anchors of terms become hyphens.
- The glossary, the index and the chapters are linked with each other by `term_index`.
- Figures are written into the page by `svg_figures`, to take its ink.
- Code, tables and the path through the pages are made easier to read by `reading`.
- Captions, asides and definitions are put beside the text by `margin`.
- The first page, icons, previews of links and the map of all pages are made by `door`.
- The cheat sheet and the table of the chapters' sizes are made by `chapters`.
- The page of all interactive figures is made by `play`.
- What a page is in print is said by `paper`.
- Drills are put into the chapters by `drill_pages`.
- The glossary, the ledger and other long pages are made to be explored by `explore_pages`.
- What comes out the same for many places is done once, by `once`.
- Formulas are set by `formulas`.
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

# Notebooks that programs write are not in the repository.
DERIVED = "notebooks/teaching/bug_museum"

# In the side bar: a page behind a chapter, with the chapter's title again; and a chapter with its
# arrow.
BEHIND = re.compile(
    r'(<li class="toctree-l2[^>]*><a [^>]*>)(Under the hood|Solutions)'
    r"(?:: [^<]*)?(?=</a>)"
)
TOGGLE = re.compile(
    r"(<a [^>]*>)([^<]*)(</a><details[^>]*><summary>(?:(?!</summary>).)*)</summary>", re.DOTALL
)


def silence_thebe(app, config):
    """Disconnect every listener of sphinx-thebe, and its style sheet."""
    for listeners in app.events.listeners.values():
        for listener in list(listeners):
            if listener.handler.__module__.startswith("sphinx_thebe"):
                listeners.remove(listener)
    sheets = app.registry.css_files
    sheets[:] = [sheet for sheet in sheets if sheet[0] != "sphinx-thebe.css"]


def share_html_visitors(app, config):
    """Give `singlehtml` the visitors of `html` that it does not have itself."""
    handlers = app.registry.translation_handlers
    for node, visitors in handlers.get("html", {}).items():
        if "singlehtml" in handlers:
            handlers["singlehtml"].setdefault(node, visitors)


def mend_for_readers(app, pagename, templatename, context, doctree):
    """A role that is not deprecated for entries of the bibliography; tables that take the focus."""
    if "body" in context:
        body = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')
        table = '<div class="pst-scrollable-table-container"'
        scrolls = 'tabindex="0" role="region" aria-label="Table"'
        steps = '<div class="tl-table" role='  # the tables of a stepper
        body = body.replace(f'{steps}"group"', f'{steps}"region"')
        context["body"] = body.replace(f"{table}>", f"{table} {scrolls}>")


def mend_links_back(app, pagename, templatename, context, doctree):
    """Let the pages of source code link to names as they are documented."""
    if not pagename.startswith("_modules/") or "body" not in context:
        return
    known = app.env.domaindata["py"]["objects"]
    here = pagename.removeprefix("_modules/").replace("/", ".")

    def mended(match):
        parts = match[1].split(".")
        tails = [".".join(parts[k:]) for k in range(len(parts))]
        if match[1] in known:
            return f'#{known[match[1]].node_id}"'
        for tail in tails:  # the longest name that this file, or its room, documents
            for full in known:
                if full.endswith(f".{tail}") and here.startswith(full.removesuffix(f".{tail}")):
                    return f'#{known[full].node_id}"'
        return match[0]

    context["body"] = re.sub(r'#(treelab\.[\w.]+)"', mended, context["body"])


class PlainTermAnchors(SphinxTransform):
    """Anchors of glossary terms without dots, before Sphinx notes them for the index."""

    default_priority = 840

    def apply(self, **kwargs):
        """Rename the anchors in the page and wherever the page has announced them."""
        for term in self.document.findall(nodes.term):
            term["ids"] = [plain(anchor) for anchor in term["ids"]]
            for index in term.findall(addnodes.index):
                index["entries"] = [
                    (kind, name, plain(anchor), *rest)
                    for kind, name, anchor, *rest in index["entries"]
                ]
        std = self.env.domaindata["std"]
        for announced in (std["objects"], std["terms"]):
            for key, (page, anchor) in announced.items():
                if page == self.env.docname:
                    announced[key] = (page, plain(anchor))


def plain(anchor):
    """The anchor of a term with hyphens for dots; any other one as it is."""
    return anchor.replace(".", "-") if anchor.startswith("term-") else anchor


def launch_from_an_address(app, config):
    """Offer no service for notebooks as long as the settings name no repository."""
    if not config.html_theme_options.get("repository_url"):
        config.html_theme_options.pop("launch_buttons", None)


def launch_what_is_there(app, pagename, templatename, context, doctree):
    """Take the launch buttons off a page whose notebook is not in the repository."""
    if pagename.startswith(DERIVED):
        context["header_buttons"] = [
            button
            for button in context["header_buttons"]
            if button.get("label") != "launch-buttons"
        ]


def calm_contents(app, pagename, templatename, context, doctree):
    """Contents of the book in the side bar, for the eye and for screen readers.

    Each arrow that unfolds a chapter is named after it, and the pages behind it do not repeat its
    title. Captions of parts are no headings.
    """
    toctree = context.get("generate_toctree_html")
    if toctree is None:
        return

    def calm(*args, **kwargs):
        html = str(toctree(*args, **kwargs)).replace('aria-level="2" ', "")
        html = html.replace('class="caption" role="heading"', 'class="caption"')
        html = BEHIND.sub(r"\1\2", html)
        return TOGGLE.sub(r'\1\2\3<span class="visually-hidden">Pages of \2</span></summary>', html)

    context["generate_toctree_html"] = calm


def setup(app):
    """Register the repairs with Sphinx."""
    app.setup_extension("once")
    app.setup_extension("formulas")
    app.setup_extension("term_index")
    app.setup_extension("explorables")
    app.setup_extension("svg_figures")
    app.setup_extension("reading")
    app.setup_extension("margin")
    app.setup_extension("pages")
    app.setup_extension("front")
    app.setup_extension("play")
    app.setup_extension("paper")
    app.setup_extension("door")
    app.setup_extension("search_texts")
    app.setup_extension("live_cells")
    app.setup_extension("chapters")
    app.setup_extension("drill_pages")
    app.setup_extension("explore_pages")
    app.add_transform(PlainTermAnchors)
    app.connect("config-inited", share_html_visitors, priority=900)
    app.connect("config-inited", silence_thebe, priority=900)
    app.connect("config-inited", launch_from_an_address)
    app.connect("html-page-context", mend_for_readers)
    app.connect("html-page-context", mend_links_back)
    app.connect("html-page-context", launch_what_is_there, priority=502)
    app.connect("html-page-context", calm_contents, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
