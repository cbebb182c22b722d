"""The page of all figures that a reader can move, each with its picture at rest.

``{all-explorables}`` stands for a card of every explorable in the book: its first still picture,
its title, the question that it asks, and the chapter with a link to the figure itself. The cards
are made from the outputs of the notebooks in the table of contents, so that none can be missing.
"""

import json
import re
from html import escape, unescape
from pathlib import Path

import nbformat
from docutils import nodes
from front import CHAPTER
from sphinx.util.docutils import SphinxDirective
from svg_figures import PICTURE, inlined

FIGURE = re.compile(r'<figure class="tl-explorable" id="([\w-]+)".*?</figure>\s*\Z', re.S)


class Explorables(nodes.General, nodes.Element):
    """Where the cards will stand."""


class AllExplorables(SphinxDirective):
    """``{all-explorables}``."""

    def run(self):
        """Leave a place; titles and numbers are known when all pages are read."""
        self.env.note_reread()
        return [Explorables()]


def explorables(path):
    """What the explorables of a notebook are: name, title, question, picture; list of dicts."""
    found = []
    for cell in nbformat.read(path, as_version=4).cells:
        for output in cell.get("outputs", []):
            figure = FIGURE.match(output.get("data", {}).get("text/html", ""))
            if figure:
                data = re.search(r'<script type="application/json">(.*?)</script>', figure[0])[1]
                title = re.search(r'<figcaption class="tl-title">(.*?)</figcaption>', figure[0])[1]
                found.append(
                    {
                        "name": figure[1],
                        "title": unescape(title),
                        "question": json.loads(data).get("question", ""),
                        "picture": PICTURE.search(figure[0])[0],
                    }
                )
    return found


def thumbnail(picture, prefix):
    """A picture as a decoration: the card says in words what it is of."""
    svg = re.search(r"<svg\b.*</svg>", inlined(picture, prefix), re.S)[0]  # without a box to scroll
    head, rest = svg.split(">", 1)
    head = re.sub(r' (?:style|role|aria-label|width|height)="[^"]*"', "", head)
    width, height = map(float, re.search(r'viewBox="0 0 (\S+) (\S+)"', head).groups())
    fits = "meet" if width > 1.5 * height else "slice"  # of a high one the upper part is shown
    return f'{head} aria-hidden="true" preserveAspectRatio="xMidYMin {fits}">{rest}'


def card(made, link, place, prefix):
    """One card as HTML."""
    question = made["question"]
    if question:  # or the first half of a sentence, which the answers end
        question = (
            f"<span>{escape(question)}{'' if question[-1] in '?.)' else chr(160) + '…'}</span>"
        )
    return (
        f'<li><a href="{link}#{made["name"]}">{thumbnail(made["picture"], prefix)}'
        f"<b>{escape(made['title'])}</b>{question}<small>{escape(place)}</small></a></li>"
    )


def put_cards(app, doctree, docname):
    """Write the cards where the page asks for them."""
    for place in list(doctree.findall(Explorables)):
        cards = []
        for page in pages(app.env):
            path = Path(app.env.doc2path(page))
            for made in explorables(path) if path.suffix == ".ipynb" else ():
                link = app.builder.get_relative_uri(docname, page)
                cards.append(card(made, link, name(app.env, page), f"play-{len(cards)}"))
        place.replace_self(
            nodes.raw("", f'<ul class="tl-gallery">{"".join(cards)}</ul>', format="html")
        )


def pages(env):
    """All pages in the order of the table of contents, the front page first."""
    root = env.config.root_doc
    yield root
    todo = list(env.toctree_includes.get(root, ()))
    while todo:
        page = todo.pop(0)
        yield page
        todo[:0] = env.toctree_includes.get(page, ())


def name(env, page):
    """What a card says of the page that has the figure."""
    title, chapter = env.titles[page].astext(), CHAPTER.match(page)
    if chapter:
        return f"Chapter {int(chapter[1].partition('_')[0])}: {title}"
    return "The front page" if page == env.config.root_doc else title


def add_style(app, pagename, templatename, context, doctree):
    """Only the page of the cards needs their style."""
    if 'class="tl-gallery"' in context.get("body", ""):
        app.add_css_file("play.css")


def setup(app):
    """Register with Sphinx."""
    app.add_directive("all-explorables", AllExplorables)
    app.add_node(Explorables)
    app.connect("doctree-resolved", put_cards)
    app.connect("html-page-context", add_style)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
