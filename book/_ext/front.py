"""The front page: a card for each chapter, from `cards.CARDS`, and no list of its own sections.

``{chapter-cards}`` stands for a card of every numbered chapter in the table of contents, under the
captions of its parts. A chapter without a card is a warning, with which `make book` fails.
"""

import re
from html import escape

from cards import CARDS, svg
from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

CHAPTER = re.compile(r"notebooks/(\d+_\w+)$")
LOG = logging.getLogger(__name__)


class Cards(nodes.General, nodes.Element):
    """Where the cards will stand."""


class ChapterCards(SphinxDirective):
    """``{chapter-cards}``."""

    def run(self):
        """Leave a place; titles and numbers are known when all pages are read."""
        return [Cards()]


def parts(env):
    """The numbered chapters of the book by the captions of their parts."""
    root = env.get_doctree(env.config.root_doc)
    for toctree in root.findall(addnodes.toctree):
        pages = [page for _, page in toctree["entries"] if CHAPTER.match(page)]
        if pages:
            yield toctree.get("caption") or "", pages


def card(app, docname, page):
    """One card as HTML."""
    name = CHAPTER.match(page)[1]
    title = escape(app.env.titles[page].astext())
    link = app.builder.get_relative_uri(docname, page)
    made = CARDS.get(name)
    if made is None:
        LOG.warning("%s has no card for the front page: add one to cards.py", page)
        return f'<li><a href="{link}"><b>{title}</b></a></li>'
    chapter = int(name.partition("_")[0])
    return (
        f'<li><a href="{link}">{svg(made)}<b>{chapter}. {title}</b>'
        f"<span>{escape(made.outcome)}</span></a></li>"
    )


def put_cards(app, doctree, docname):
    """Write the cards where the page asks for them."""
    for place in list(doctree.findall(Cards)):
        html = ""
        for caption, pages in parts(app.env):
            cards = "".join(card(app, docname, page) for page in pages)
            head = f'<h3 class="tl-part">{escape(caption)}</h3>' if caption else ""
            html += f'{head}<ul class="tl-cards">{cards}</ul>'
        place.replace_self(nodes.raw("", html, format="html"))


def open_wide(app, pagename, templatename, context, doctree):
    """Give the front page the width of its list of sections, and a class for its style."""
    if pagename == app.config.root_doc:
        context["meta"] = dict(context.get("meta") or {})
        context["meta"]["html_theme.sidebar_secondary.remove"] = True


def setup(app):
    """Register with Sphinx."""
    app.add_directive("chapter-cards", ChapterCards)
    app.add_node(Cards)
    app.connect("doctree-resolved", put_cards)
    app.connect("html-page-context", open_wide, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
