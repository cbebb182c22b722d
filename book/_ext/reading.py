"""What makes the pages easier to read, done when the book is built; the notebooks stay as they are.

- In a notebook that still has hidden cells, code that does not teach (imports, checks, drawing) is
  folded, and its line says what it is; the tag `show-input` keeps a cell open. `reading.js` has a
  switch for all of it. In a notebook without hidden cells nothing is folded.
- A figure whose code is one call into `treelab.figures` has a small link to its source.
- The marks of exercises (`### BEGIN SOLUTION`) and of linters (`# noqa`) are not shown.
- A table of pandas has one header row; the row of the best is marked; `<=` and `inf` become signs.
- Next leads from chapter to chapter; a page behind a chapter leads back to it.
- An exercise shows its number and its id, in the chapter and on the page of solutions.
"""

import ast
import re
from html import unescape

import nbformat
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

# Pages that stand behind a chapter, out of the path from one chapter to the next.
BEHIND = ("notebooks/exercises/", "notebooks/under_the_hood/")

SETTINGS = ("use_style", "pd.set_option", "np.set_printoptions")

# Columns that are True in the row that the table is about; or a cell says the word.
MARKS = ("best", "chosen", "weakest")


# Code


def plainly_folded(source, later=frozenset()):
    """What a cell holds if it is safe to fold it, otherwise None.

    Safe are imports, checks and helpers with an underscore, and pictures none of whose names is in
    `later`, the names that other cells use.
    """
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a magic of IPython, or an ellipsis to be filled in
        return None
    if not body:
        return None
    kind = kind_of(body)
    if kind in ("the figure", "the steps", "the figure to move"):
        fits = any(isinstance(n, ast.Attribute) and n.attr == "fit" for n in walk(body))
        return None if fits or bound(body) & later else kind
    return kind


def kind_of(body):
    """What the statements of a cell are for, or None."""
    if all(is_import(s) or is_call(s, *SETTINGS) for s in body):
        return "imports and set-up"
    if is_import(body[0]) and all(
        is_import(s) or is_call(s, *SETTINGS) or is_loading(s) for s in body
    ):
        return "imports and data"
    if all(isinstance(s, ast.Assert) for s in body):
        return "checks"
    if all(isinstance(s, ast.FunctionDef) and s.name.startswith("_") for s in body):
        return "helpers"
    last = body[-1]
    if is_call(last, "stepper"):
        return "the steps"
    if is_call(last, "explorable"):
        return "the figure to move"
    if is_call(last, "plt.show") or (
        isinstance(last, ast.Expr) and ast.unparse(last).startswith("draw_")
    ):
        return "the figure"
    return None


def is_import(statement):
    """Whether a statement imports something."""
    return isinstance(statement, ast.Import | ast.ImportFrom)


def is_loading(statement):
    """Whether a statement only gives a name to a data set."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Call) and ast.unparse(value.func).startswith(("load_", "fetch_"))


def is_call(statement, *names):
    """Whether a statement calls one of the functions and does nothing else."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Call) and ast.unparse(value.func) in names


def walk(body):
    """All nodes of some statements."""
    return (node for statement in body for node in ast.walk(statement))


def bound(body):
    """The names that some statements give a meaning to, those inside functions included."""
    names = {n.id for n in walk(body) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return names | {n.name for n in walk(body) if isinstance(n, ast.FunctionDef)}


def words(source):
    """All words of a piece of code that could be names."""
    return set(re.findall(r"[A-Za-z_]\w*", source))


def without_marks(source):
    """A piece of code without what is said to programs only."""
    source = re.sub(r"^[ \t]*### (BEGIN|END) SOLUTION[ \t]*\n?", "", source, flags=re.M)
    return re.sub(r"[ \t]*# noqa\b.*$", "", source, flags=re.M).rstrip("\n")


def cells_of_page(document):
    """The containers of the code cells of a page."""
    found = document.findall(nodes.container)
    return [node for node in found if node.get("nb_element") == "cell_code"]


class CalmCode(SphinxPostTransform):
    """Fold what does not teach, say what is folded, take marks away; before MyST-NB folds."""

    default_priority = 150
    formats = ("html",)

    def run(self, **kwargs):
        """Look at every cell of the page, with the cells after it in mind."""
        cells = cells_of_page(self.document)
        folds = any(cell.get("hide_mode") for cell in cells)
        later = set()
        for cell in reversed(cells):
            later |= self.calm(cell, later, folds)

    def calm(self, cell, later, folds):
        """Treat one cell of a page that folds code, or does not; the words of its code."""
        blocks = [
            block
            for part in cell.children
            if part.get("nb_element") == "cell_code_source"
            for block in part.findall(nodes.literal_block)
        ]
        if not blocks:
            return set()
        source = blocks[0].astext()
        for block in blocks:
            text = without_marks(block.astext())
            if text != block.astext():
                block.rawsource = text
                block.children = [nodes.Text(text)]
        open_ = {"tag_show-input", "tag_remove-input"} & set(cell["classes"])
        inside = plainly_folded(source, later)
        if folds and inside and not cell.get("hide_mode") and not open_:
            cell["hide_mode"] = "input"
            cell["classes"].append("tag_hide-input")
        if cell.get("hide_mode"):
            cell["prompt_show"] = cell["prompt_hide"] = prompt(cell, source, inside)
        return words(source)


class LinkSources(SphinxPostTransform):
    """Put a link to the source under each figure that is made by a call into `treelab.figures`."""

    default_priority = 160
    formats = ("html",)

    def run(self, **kwargs):
        """Look at the cells whose input is removed; the notebook has their code."""
        cells = [c for c in cells_of_page(self.document) if "tag_remove-input" in c["classes"]]
        if not cells:
            return
        sources = nbformat.read(self.env.doc2path(self.env.docname), as_version=4).cells
        imported = figure_modules("\n".join(c.source for c in sources if c.cell_type == "code"))
        for cell in cells:
            match = re.match(r"(\w+)\.(\w+)\(", sources[cell["cell_index"]].source)
            if match and match[1] in imported:
                page = f"_modules/treelab/figures/{imported[match[1]]}"
                uri = self.app.builder.get_relative_uri(self.env.docname, page)
                link = nodes.reference("", "source of the figure", refuri=f"{uri}#{match[2]}")
                cell += nodes.paragraph("", "", link, classes=["tl-source"])


def figure_modules(source):
    """The modules of `treelab.figures` that some code imports, by the names it gives them.

    >>> figure_modules("from treelab.figures import growing, impurity as pictures")
    {'growing': 'growing', 'pictures': 'impurity'}
    """
    nodes_ = ast.walk(ast.parse(re.sub(r"^[%!].*$", "", source, flags=re.M)))
    found = [n for n in nodes_ if isinstance(n, ast.ImportFrom) and n.module == "treelab.figures"]
    return {alias.asname or alias.name: alias.name for n in found for alias in n.names}


def prompt(cell, source, inside):
    """The line of a folded cell."""
    if cell["hide_mode"] == "output":
        return "Output"
    try:
        body = ast.parse(source).body
        inside = inside or kind_of(body)
        if inside is None and isinstance(body[-1], ast.Assert):
            inside = "checks"
        elif inside is None and is_import(body[0]):
            inside = "imports and set-up"
    except (SyntaxError, IndexError):
        inside = None
    if inside is None and any("dataframe" in r.astext() for r in cell.findall(nodes.raw)):
        inside = "the table"
    return f"Code: {inside}" if inside else "Code"


# Tables


def mend_tables(html):
    """The same HTML with tables of pandas as a reader wants them."""
    return re.sub(r"<table\b[^>]*\bdataframe\b.*?</table>", mend_table, html, flags=re.S)


def mend_table(match):
    """One table: a single header row, marked rows, signs."""
    table = match[0]
    head, body = re.search(r"<thead>.*?</thead>", table, re.S), table.find("<tbody>")
    if not head or body < 0:
        return table
    header = merged([cells_of(row) for row in rows_of(head[0])])
    top = "".join(f"    <tr>\n{''.join(map(th, row))}    </tr>\n" for row in header)
    names = [text for _, _, text in header[-1]]
    rows = table[body:]
    if len(header) == 1:
        marks = [k for k, name in enumerate(names) if name in MARKS]
        rows = re.sub(r"<tr>(.*?)</tr>", lambda m: marked(m, marks, names), rows, flags=re.S)
    table = f"{table[: head.start()]}<thead>\n{top}  </thead>\n  {rows}"
    return re.sub(r"(<t[hd]\b[^>]*>)([^<]*)(?=</t[hd]>)", in_signs, table)


def rows_of(html):
    """What stands in each row."""
    return re.findall(r"<tr\b[^>]*>(.*?)</tr>", html, re.S)


def cells_of(row):
    """Tag, attributes and content of each cell of a row."""
    return re.findall(r"<(t[hd])\b([^>]*)>(.*?)</t[hd]>", row, re.S)


def merged(header):
    """Header rows with the names of the index in the row above, where that one is empty."""
    if len(header) < 2:
        return header
    *above, row, last = header
    named = [k for k, (_, _, text) in enumerate(last) if text]
    k = max(named, default=0) + 1
    spans = any("span" in attributes for _, attributes, _ in row[:k] + last)
    if spans or len(last) != len(row) or any(text for _, _, text in row[:k]):
        return header
    return [*above, last[:k] + row[k:]]


def th(cell):
    """A cell of the header; one without words heads nothing."""
    _, attributes, text = cell
    tag = "th" if text else "td"
    return f"      <{tag}{attributes}>{text}</{tag}>\n"


def marked(match, marks, names):
    """A row of the body: the word instead of True, nothing instead of False, and the accent."""
    parts = re.split(r"(<t[hd]\b[^>]*>.*?</t[hd]>)", match[1], flags=re.S)
    cells = parts[1::2]
    missing = len(names) - len(cells)  # a row under a common label of the index has fewer cells
    for k in marks:
        if k >= missing:
            cell = cells[k - missing].replace(">True<", f">{names[k]}<")
            cells[k - missing] = cell.replace(">False<", "><")
    best = any(f">{mark}</td>" in cell for mark in MARKS for cell in cells)
    parts[1::2] = cells
    start = '<tr class="tl-best">' if best else "<tr>"
    return f"{start}{''.join(parts)}</tr>"


def in_signs(match):
    """The content of a cell with the signs of mathematics."""
    text = unescape(match[2]).strip()
    if text in ("inf", "-inf"):
        return match[1] + {"inf": "∞", "-inf": "−∞"}[text]
    text = match[2].replace("&lt;=", "≤").replace("&gt;=", "≥")
    return match[1] + re.sub(" ([≤≥]) ", "\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text)


class CalmTables(SphinxPostTransform):
    """Mend the tables in what the cells put out, steppers included."""

    default_priority = 150
    formats = ("html",)

    def run(self, **kwargs):
        """Rewrite every piece of HTML with a table of pandas in it."""
        for raw in self.document.findall(nodes.raw):
            html = raw.astext()
            if "html" in raw.get("format", "") and "dataframe" in html:
                raw.children = [nodes.Text(mend_tables(html))]


# Pages


def straighten(relations):
    """Sphinx's parents and neighbors, with pages behind a chapter out of its path."""

    def next_of(page, way):
        page = relations[page][way]
        while page and page.startswith(BEHIND):
            page = relations[page][way]
        return page

    straight = {}
    for page, (parent, _, _) in relations.items():
        if page.startswith(BEHIND):
            straight[page] = (parent, parent, None)
        else:
            straight[page] = (parent, next_of(page, 1), next_of(page, 2))
    return straight


def straight_path(app, env):
    """Let the builder ask for the straight path, wherever it needs to know what is next."""
    collect = env.collect_relations

    def collected():
        return {page: list(found) for page, found in straighten(collect()).items()}

    env.collect_relations = collected


def name_contents(app, env):
    """Give the contents of a page of solutions the numbers that its headings get."""
    for docname, contents in env.tocs.items():
        for reference in contents.findall(nodes.reference):
            named = with_number(env, docname, reference.astext())
            if named:
                reference.children = [nodes.Text(named[0])]


def name_exercises(app, doctree, docname):
    """Head the solutions with the number of the exercise, as the chapter has it, and its id."""
    for title in list(doctree.findall(nodes.title)):
        named = with_number(app.env, docname, title.astext())
        if named:
            title.children = [nodes.Text(f"{named[0]} ")]
            title += nodes.literal("", named[1], classes=["tl-id"])


def with_number(env, docname, heading):
    """The heading of a solution with the exercise's number, and the exercise's id; or None."""
    match = re.fullmatch(r"([a-z0-9-]+-\d+): (.*)", heading)
    if not docname.startswith("notebooks/exercises/") or not match:
        return None
    number = number_of(env, match[1])
    return f"Exercise {number}: {match[2]}" if number else match[2], match[1]


def number_of(env, label):
    """The number of an exercise, such as 3.2, or None."""
    for numbered in env.toc_fignumbers.values():
        number = numbered.get("exercise", {}).get(label)
        if number:
            return ".".join(map(str, number))
    return None


def mend_page(app, pagename, templatename, context, doctree):
    """The ids of exercises in their titles; names of folded code that are read aloud."""
    if "body" not in context:
        return
    body = context["body"].replace('<summary aria-label="Toggle hidden content">', "<summary>")
    start = r'<div class="exercise admonition" id="([\w-]+)">\s*<p class="admonition-title">'
    context["body"] = re.sub(
        f"({start}.*?)(</p>)", r'\1 <code class="tl-id">\2</code>\3', body, flags=re.S
    )


def setup(app):
    """Register with Sphinx."""
    app.add_css_file("reading.css", priority=810)
    app.add_js_file("reading.js", loading_method="defer")
    app.add_post_transform(CalmCode)
    app.add_post_transform(LinkSources)
    app.add_post_transform(CalmTables)
    app.connect("env-check-consistency", straight_path)
    app.connect("env-check-consistency", name_contents)
    app.connect("doctree-resolved", name_exercises)
    app.connect("html-page-context", mend_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
