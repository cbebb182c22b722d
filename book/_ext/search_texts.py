"""What the search looks through, `_static/search_texts.js`, and the scripts in `_static/search`.

- ``pages``: name, title, kind, topics, and sections of anchor, heading and text. Of a chapter the
  prose is in the list, without code and outputs; of other sections the first words.
- ``names``: what else the glossary calls a thing, in a second name or after "Also:".

The list is a script, so that the search works in a folder that is opened without a server. Words
are found by MiniSearch, which npm brings to `live/`; where it was not to be had, the book is built
with the search of Sphinx, and the build says so.
"""

import json
import re
import shutil
import unicodedata
from pathlib import Path

from cards import CARDS
from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging

MINISEARCH = Path(__file__).parent / "live/node_modules/minisearch/dist/umd/index.js"
CHAPTER = re.compile(r"notebooks/\d+_\w+$")
KINDS = (  # what a page is, by its name; the first that fits
    (CHAPTER, "chapter"),
    (re.compile(r"notebooks/exercises/"), "solutions"),
    (re.compile(r"notebooks/under_the_hood/"), "under the hood"),
    (re.compile(r"notebooks/teaching/"), "museum"),
    (re.compile(r"book/guide/"), "guide"),
    (re.compile(r"book/api"), "API"),
    (re.compile(r"book/(?:homework|exam_questions|slides|instructors_guide)$"), "teaching"),
    (re.compile(r"book/glossary$"), "glossary"),
    (re.compile(r"notebooks/"), "more"),
    (re.compile(r"book/(?:preface|about|how_to_use)$"), "start"),
    (re.compile(r"book/"), "reference"),
)
MOST, BEGINNING, NAME = 580, 110, 45  # characters of a section of a chapter, of others, of a name
NAMES_ALONE = {"book/api/figures", "book/api/inside"}  # what few look for
SHORT_PARTS = {"Exercises", "Check your understanding"}
SKIPPED = (nodes.literal_block, nodes.title, nodes.table, addnodes.desc)
UNUSED = ("searchindex.js", "_static/searchtools.js", "_static/language_data.js")
ALSO = re.compile(r"\b[Aa]lso(?: called|:) ([^.;]+)[.;]")
# What is asked for in words that a page does not have.
TOPICS = {
    "book/how_to_use": "download, PDF, print, install, set-up, Colab, Binder, run the notebooks",
    "book/ledger": "replication, reproducibility, verdict",
    "book/notation": "symbols, letters",
    "book/cheat_sheet": "formulas, summary",
    "notebooks/comparing_ensembles": "comparison, bagging or boosting, forest or boosting",
    "notebooks/06_measuring_a_model": "accuracy, evaluation, metrics",
    "notebooks/12_gradient_boosting": "XGBoost, LightGBM, CatBoost",
    "notebooks/13_importance": "interpretability, explain a prediction, explainability",
}

logger = logging.getLogger(__name__)


def is_ready():
    """Whether MiniSearch is there."""
    return MINISEARCH.is_file()


def kind(page):
    """What a page is; None for one that the search leaves out."""
    return next((name for pattern, name in KINDS if pattern.match(page)), None)


def prose(node):
    """The words of the paragraphs and captions directly in a section; str."""
    words = []

    def visit(part):
        for child in part.children:
            if isinstance(child, nodes.section):
                continue
            if isinstance(child, (nodes.paragraph, nodes.caption, nodes.term)):
                words.append(plain(child))
            elif isinstance(child, nodes.Element) and not isinstance(child, SKIPPED):
                if not {"cell_output", "tl-drill"} & set(child["classes"]):
                    visit(child)

    visit(node)
    return re.sub(r"\s+", " ", " ".join(words)).strip()


def plain(paragraph):
    """The text of a paragraph, in which short formulas are set in characters."""
    copy = paragraph.deepcopy()
    for formula in list(copy.findall(nodes.math)):
        formula.replace_self(nodes.Text(in_characters(formula.astext())))
    return copy.astext()


def in_characters(formula):
    """A formula in TeX without its commands; "…" where characters do not do.

    Examples
    --------
    >>> in_characters(r"\\alpha = 0.5"), in_characters("x_1^2"), in_characters(r"\\sum_i x_i")
    ('α = 0.5', 'x₁²', '…')
    """

    def named(match):
        try:
            kind = "CAPITAL" if match[1][0].isupper() else "SMALL"
            return unicodedata.lookup(f"GREEK {kind} LETTER {match[1].removeprefix('var')}")
        except KeyError:
            return {"le": "≤", "ge": "≥", "times": "×", "cdot": "·", "mid": "|"}.get(
                match[1], match[0]
            )

    def small(match):
        kind = {"_": "SUBSCRIPT", "^": "SUPERSCRIPT"}[match[1]]
        try:
            return unicodedata.lookup(f"{kind} {unicodedata.name(match[2])[6:]}")
        except KeyError:
            return match[0]

    text = re.sub(r"\\(?:mathrm|text|operatorname)\{([\w ]+)\}", r"\1", formula)
    text = re.sub(r"\\([,;! ])", " ", text.replace("{,}", ","))
    text = re.sub(r"\\([A-Za-z]+)", named, text)
    text = re.sub(r"([_^])\{?(\d)\}?", small, text)
    return "…" if re.search(r"[\\{}_^&$]", text) else " ".join(text.split())


def sections(doctree, page):
    """Anchor, heading and text of the sections of a page, and of the terms or names it defines."""
    whole = kind(page) == "chapter"

    def walk(section, short):
        heading = plain(section.next_node(nodes.title))
        short = short or heading in SHORT_PARTS
        text = prose(section)
        top = isinstance(section.parent, nodes.document)
        yield [
            "" if top else section["ids"][0],
            "" if top else heading,
            cut(text, BEGINNING if short else MOST),
        ]
        for inner in section.children:
            if isinstance(inner, nodes.section):
                yield from walk(inner, short)

    for section in doctree.children:
        if isinstance(section, nodes.section):
            yield from walk(section, not whole)
    for item in doctree.findall(nodes.definition_list_item):
        term = item.next_node(nodes.term)
        if term["ids"] and page == "book/glossary":
            names = ", ".join(each.astext() for each in item.findall(nodes.term))
            text = " ".join(plain(item.next_node(nodes.definition)).split())
            yield [term["ids"][0], names, cut(text, BEGINNING)]
    for described in doctree.findall(addnodes.desc):
        signature = described.next_node(addnodes.desc_signature)
        if signature["ids"] and described["objtype"] in ("function", "class"):
            content = described.next_node(addnodes.desc_content)
            first = content.next_node(nodes.paragraph)
            text = " ".join(first.astext().split()) if first is not None else ""
            name = signature["ids"][0].removeprefix("treelab.")
            yield [signature["ids"][0], name, "" if page in NAMES_ALONE else cut(text, NAME)]


def cut(text, most):
    """The text, or its beginning up to a word."""
    return text if len(text) <= most else text[:most].rpartition(" ")[0] + " …"


def names(doctree):
    """The names of each thing that the glossary gives more than one."""
    for item in doctree.findall(nodes.definition_list_item):
        called = [term.astext() for term in item.findall(nodes.term) if term["ids"]]
        for others in ALSO.findall(" ".join(item.next_node(nodes.definition).astext().split())):
            called += re.split(r",? (?:and|or) (?:in \S+ )?|, ", others)
        if len(called) > 1:
            yield called


def note(app, pagename, templatename, context, doctree):
    """Keep the texts of a page that is written."""
    context["own_search"] = is_ready()
    if doctree is None or kind(pagename) is None or app.builder.format != "html":
        return
    if not hasattr(app.builder, "search_texts"):
        app.builder.search_texts, app.builder.search_names = {}, []
    if pagename == "book/glossary":
        app.builder.search_names = list(names(doctree))
    card = CARDS.get(pagename.removeprefix("notebooks/"))
    topics = [card.topics if card else "", TOPICS.get(pagename, "")]
    app.builder.search_texts[pagename] = [
        pagename,
        plain(app.env.titles[pagename]),
        kind(pagename),
        ", ".join(filter(None, topics)),
        [s for s in sections(doctree, pagename) if s[1] or s[2]],
    ]


def listed(things):
    """A list of JavaScript with a thing in each line."""
    lines = (json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in things)
    return "[\n" + ",\n".join(lines) + "\n]"


def write(app, exception):
    """Write the texts and put MiniSearch beside them; drop what Sphinx's own search would need."""
    texts = getattr(app.builder, "search_texts", None)
    if exception is not None or not texts:
        return
    if not is_ready():
        logger.info("The book is built with the search of Sphinx: npm has not brought MiniSearch.")
        return
    out = Path(app.outdir)
    order = {page: k for k, page in enumerate(app.env.found_docs)}
    pages = sorted(texts.values(), key=lambda page: (page[2] != "chapter", page[0], order[page[0]]))
    script = f"pages: {listed(pages)}, names: {listed(app.builder.search_names)}"
    script = f'"use strict";\nwindow.searchTexts = {{{script}}};\n'
    (out / "_static" / "search_texts.js").write_text(script, encoding="utf-8")
    shutil.copyfile(MINISEARCH, out / "_static" / "search" / "minisearch.js")
    for name in UNUSED:
        (out / name).unlink(missing_ok=True)


def setup(app):
    """Register with Sphinx."""
    if is_ready():
        app.add_css_file("search/search.css")
        app.add_js_file("search/search.js", loading_method="defer")
    app.connect("html-page-context", note)
    app.connect("build-finished", write, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
