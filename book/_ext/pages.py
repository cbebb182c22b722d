"""What every page carries: a description for search engines, light styles, images that load late.

- Each page gets ``<meta name="description">``: its title and first sentences, 50 to 160 characters.
  A page that says something better about itself does so in its front matter (``html_meta``).
- The fonts of a page are asked for before its style sheets are read, so that little moves when they
  come. A file that is opened without a server cannot do so: there a browser would call it a fault.
- A page is light or dark before it is seen; the theme's script would decide so when all is loaded.
- An image outside the first screen loads when it comes near, and its place is kept free.
- The theme's icon font, its translations and the maps of its scripts, which no page loads, go.
- Of the theme's style sheets stays what some page uses, and the script of tabs, which no page has,
  is not loaded.
- ``{names-of-pages}`` lists the names that the pages below this one document.
- ``{printed-edition}`` is the place of a link to the PDF; `make pdf` puts it in.
"""

import json
import re
import shutil
from html import escape, unescape
from pathlib import Path

import matplotlib.image
from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

SHORTEST, LONGEST = 50, 160  # characters of a description
SOURCE = "Source code of {}, a module of treelab: decision trees, forests and boosting in Python."
ABOUT = {
    "genindex": "The index of the book on decision trees, forests and boosting: every term and "
    "every function, with the places where it is explained.",
    "404": "There is no page at this address. The front page, the search and the index of the book "
    "lead to everything that there is.",
    "search": "Search the book on decision trees, random forests and boosting: its chapters, "
    "exercises, glossary and functions.",
}
SHEETS = (
    "styles/bootstrap.css",
    "styles/pydata-sphinx-theme.css",
    "sphinx-design.min.css",
    "mystnb.*.css",
)
KINDS = ("class", "function", "exception")
TABS = "design-tabs.js"
UNUSED = ("vendor/fontawesome", "locales", "scripts/*.map")
EARLY = (
    "if (location.protocol !== 'file:') for (const href of []) document.head.append(Object.assign("
    "document.createElement('link'), {rel: 'preload', as: 'font', type: 'font/woff2', "
    "crossOrigin: '', href}));"
)
LIGHT_OR_DARK = (
    "(({dataset}) => { if (dataset.theme === 'auto') dataset.theme = "
    "matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'; "
    "})(document.documentElement);"
)
PLACE = '<p class="tl-printed" hidden></p>'


def sentences(doctree):
    """The sentences of a page, one after the other; notes, lists and figures are left out."""
    for paragraph in doctree.findall(nodes.paragraph):
        inside = paragraph.parent
        if isinstance(inside, nodes.section) or inside is doctree:
            text = " ".join(paragraph.astext().split())
            found = re.split(r"(?<=[.?!])\s+(?=[A-Z0-9])", text)
            yield from (sentence for sentence in found if sentence[-1:] in ".?!")


def description(doctree, title):
    """A text of `SHORTEST` to `LONGEST` characters about a page; str."""
    text = f"{title}:"
    for sentence in sentences(doctree):
        if "\\" in sentence:  # a formula
            continue
        longer = f"{text} {sentence}"
        if len(longer) > LONGEST:
            if len(text) < SHORTEST:
                text = longer[: LONGEST - 2].rpartition(" ")[0].rstrip(",;:") + " …"
            break
        text = longer
    if len(text) < SHORTEST:
        text = f"{text.rstrip(':')}. A page of the book on decision trees, forests and boosting."
    return text


def describe(app, pagename, templatename, context, doctree):
    """Give the page its description, if it has none of its own."""
    if 'name="description"' in (context.get("metatags") or ""):
        return
    title = re.sub(r"<[^>]+>", "", context.get("title") or "")
    if pagename.startswith("_modules/"):
        text = SOURCE.format(pagename.removeprefix("_modules/").replace("/", "."))
    elif pagename in ABOUT:
        text = ABOUT[pagename]
    elif doctree is not None:
        text = description(doctree, unescape(title))
    else:
        return
    meta = f'<meta name="description" content="{escape(text)}" />'
    context["metatags"] = f"{context.get('metatags') or ''}\n    {meta}\n"


def load_fonts_early(app, pagename, templatename, context, doctree):
    """Let the page ask at once for the fonts of its text, headings, italics and formulas."""
    body = context.get("body", "")
    used = {
        "inter": True,
        "literata-bold": True,
        "inter-italic": "<em" in body,
        "stix-two-math": "<math" in body,
    }
    paths = [context["pathto"](f"_static/fonts/{name}.woff2", 1) for name in used if used[name]]
    script = EARLY.replace("[]", json.dumps(paths))
    context["metatags"] = f"{context.get('metatags') or ''}\n    <script>{script}</script>\n"


def load_late(app, pagename, templatename, context, doctree):
    """Let images of a page wait until they come near, in a place of their size."""
    if "body" not in context:
        return
    files = {name: source for source, (_, name) in app.env.images.items()}

    def late(match):
        tag, name = match[0], match[1].rpartition("/")[2]
        if "loading=" in tag or name not in files or name.endswith(".svg"):
            return tag
        height, width = matplotlib.image.imread(Path(app.srcdir) / files[name]).shape[:2]
        size = "" if " width=" in tag else f' width="{width}" height="{height}"'
        return f'<img loading="lazy"{size}{tag.removeprefix("<img")}'

    context["body"] = re.sub(r'<img\b[^>]*?\bsrc="([^":]+)"[^>]*>', late, context["body"])


def drop_tabs(app, pagename, templatename, context, doctree):
    """Do not load the script of tabs: no page of the book has them."""
    files = context.get("script_files")
    if files is not None and "sd-tab-set" not in context.get("body", ""):
        files[:] = [file for file in files if TABS not in str(getattr(file, "filename", file))]


# A style sheet in which every rule is wanted is ten times as large as what the pages need.


def rules(css):
    """The rules of a style sheet: pairs of what stands before the braces and what in them."""
    at, depth, start = 0, 0, 0
    for mark in re.finditer(r"\{|\}|;", css):
        if mark[0] == "{":
            if depth == 0:
                head, start = css[at : mark.start()], mark.end()
            depth += 1
        elif mark[0] == "}":
            depth -= 1
            if depth == 0:
                yield head.strip(), css[start : mark.start()]
                at = mark.end()
        elif depth == 0:  # @charset "utf-8";
            yield css[at : mark.end()].strip(), None
            at = mark.end()


def split_list(selectors):
    """The selectors of a list; commas in brackets do not part them."""
    return re.split(r",(?![^(\[]*[)\]])", selectors)


def used(css, names):
    """The rules of a style sheet that can match where only these classes and ids occur; str."""
    kept = []
    for head, body in rules(re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)):
        if body is None:
            kept.append(head)
        elif head.startswith(("@media", "@supports", "@layer", "@container")):
            inner = used(body, names)
            if inner:
                kept.append(f"{head}{{{inner}}}")
        elif head.startswith("@"):
            kept.append(f"{head}{{{body}}}")
        else:
            some = [one for one in split_list(head) if can_match(one, names)]
            if some:
                kept.append(f"{','.join(some)}{{{body}}}")
    return "\n".join(kept)


def can_match(selector, names):
    """Whether all classes and ids that a selector asks for occur."""
    plain = re.sub(r":(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)", "", selector)
    plain = re.sub(r"\[[^\]]*\]|\\.", "", plain)
    return all(name in names for name in re.findall(r"[.#]([A-Za-z_][\w-]*)", plain))


def trim_styles(app, exception):
    """Take from the style sheets of the theme what no page of the built book can use."""
    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    names = set()
    for page in Path(app.outdir).rglob("*.html"):
        for listed in re.findall(
            r'\b(?:class|id)=["\']([^"\']*)["\']', page.read_text(encoding="utf-8")
        ):
            names.update(listed.split())
    for script in [*static.glob("*.js"), *static.glob("scripts/*.js")]:
        names.update(re.findall(r"[A-Za-z_][\w-]*", script.read_text(encoding="utf-8")))
    for sheet in [path for pattern in SHEETS for path in static.glob(pattern)]:
        sheet.write_text(used(sheet.read_text(encoding="utf-8"), names), encoding="utf-8")
        sheet.with_name(sheet.name + ".map").unlink(missing_ok=True)


def drop_unused(app, exception):
    """Remove what the theme brings and no page loads."""
    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    for path in [path for pattern in UNUSED for path in static.glob(pattern)]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


class Names(nodes.General, nodes.Element):
    """Where the names of the pages below will stand."""


class NamesOfPages(SphinxDirective):
    """``{names-of-pages}``: what the pages in the same section of the contents document."""

    def run(self):
        """Leave a place; the names are known when all pages are read."""
        return [Names()]


def list_names(app, doctree, docname):
    """Put a list of each page's names where the page asks for it."""
    objects = app.env.domaindata["py"]["objects"]
    for place in list(doctree.findall(Names)):
        listed = []
        for page in app.env.toctree_includes.get(docname, ()):
            names = [
                (name, o)
                for name, o in objects.items()
                if o.docname == page and o.objtype in KINDS and not o.aliased
            ]
            if not names:
                continue
            title = app.env.titles[page].astext()
            head = nodes.paragraph(classes=["tl-names-head"])
            head += make_refnode(app.builder, docname, page, "", nodes.strong("", title))
            line = nodes.paragraph(classes=["tl-names"])
            rooms = {}
            for name, o in names:
                rooms.setdefault(name.rpartition(".")[0], []).append((name, o))
            for k, (room, inside) in enumerate(rooms.items()):
                if k:
                    line += nodes.raw("", "<br>", format="html")
                line += [nodes.literal("", room), nodes.Text(": ")]
                for j, (name, o) in enumerate(inside):
                    last = nodes.inline("", name.rpartition(".")[2])
                    line += make_refnode(app.builder, docname, o.docname, o.node_id, last, name)
                    if j < len(inside) - 1:
                        line += nodes.Text(", ")
            listed += [head, line]
        place.replace_self(listed)


class PrintedEdition(SphinxDirective):
    """``{printed-edition}``: the link to the PDF, once it is printed."""

    def run(self):
        """Leave a place that a reader does not see."""
        return [nodes.raw("", PLACE, format="html")]


def setup(app):
    """Register all of it with Sphinx."""
    app.add_directive("names-of-pages", NamesOfPages)
    app.add_directive("printed-edition", PrintedEdition)
    app.add_node(Names)
    app.add_js_file(None, body=LIGHT_OR_DARK, priority=10)
    app.connect("doctree-resolved", list_names)
    app.connect("html-page-context", describe, priority=800)
    app.connect("html-page-context", load_fonts_early, priority=810)
    app.connect("html-page-context", load_late, priority=850)
    app.connect("html-page-context", drop_tabs, priority=950)
    app.connect("build-finished", trim_styles, priority=950)
    app.connect("build-finished", drop_unused, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
