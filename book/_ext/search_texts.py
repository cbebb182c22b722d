"""The texts that the search looks through, `_static/search_texts.js`, for the book's `search.js`.

A list of pages: name, title, kind, topics, and sections of anchor, heading and text. Of
a chapter the prose is in the list, without code and outputs; of other sections the first words.
The list is a script, so that the search works in a folder that is opened without a server.
"""

import json
import re
from pathlib import Path

from cards import CARDS
from docutils import nodes
from sphinx import addnodes

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
SHORT_PARTS = {"Exercises", "Check your understanding", "Sources and corrections"}
SKIPPED = (nodes.literal_block, nodes.title, nodes.table, addnodes.desc)
UNUSED = ("searchindex.js", "_static/searchtools.js", "_static/language_data.js")


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
    """The text of a paragraph; a formula in it loses its marks."""
    copy = paragraph.deepcopy()
    for formula in list(copy.findall(nodes.math)):
        text = re.sub(r"\\(?:mathrm|hat|bar|text|,|;|!)", "", formula.astext())
        formula.replace_self(nodes.Text(re.sub(r"[\\{}$]", "", text)))
    return copy.astext()


def sections(doctree, page):
    """Anchor, heading and text of the sections of a page, and of the terms or names it defines."""
    whole = kind(page) == "chapter"

    def walk(section, short):
        heading = section.next_node(nodes.title).astext()
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
            text = " ".join(item.next_node(nodes.definition).astext().split())
            yield [term["ids"][0], term.astext(), cut(text, BEGINNING)]
    for described in doctree.findall(addnodes.desc):
        signature = described.next_node(addnodes.desc_signature)
        if signature["ids"] and described["objtype"] in ("function", "class"):
            content = described.next_node(addnodes.desc_content)
            first = content.next_node(nodes.paragraph)
            text = " ".join(first.astext().split()) if first is not None else ""
            name = signature["ids"][0].removeprefix("treelab.")
            yield [signature["ids"][0], name, cut(text, NAME)]


def cut(text, most):
    """The text, or its beginning up to a word."""
    return text if len(text) <= most else text[:most].rpartition(" ")[0] + " …"


def note(app, pagename, templatename, context, doctree):
    """Keep the texts of a page that is written."""
    if doctree is None or kind(pagename) is None or app.builder.format != "html":
        return
    title = app.env.titles[pagename].astext()
    found = [s for s in sections(doctree, pagename) if s[1] or s[2]]
    app.builder.search_texts = getattr(app.builder, "search_texts", {})
    app.builder.search_texts[pagename] = [
        pagename,
        title,
        kind(pagename),
        getattr(CARDS.get(pagename.removeprefix("notebooks/")), "topics", ""),
        found,
    ]


def write(app, exception):
    """Write the list, and drop what Sphinx's own search would need."""
    texts = getattr(app.builder, "search_texts", None)
    if exception is not None or not texts:
        return
    out = Path(app.outdir)
    order = {page: k for k, page in enumerate(app.env.found_docs)}
    pages = sorted(texts.values(), key=lambda page: (page[2] != "chapter", page[0], order[page[0]]))
    listed = ",\n".join(
        json.dumps(page, ensure_ascii=False, separators=(",", ":")) for page in pages
    )
    script = f'"use strict";\nwindow.searchTexts = [\n{listed},\n];\n'
    (out / "_static" / "search_texts.js").write_text(script, encoding="utf-8")
    for name in UNUSED:
        (out / name).unlink(missing_ok=True)


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", note)
    app.connect("build-finished", write, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
