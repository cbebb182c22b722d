"""What makes the pages easier to read, done when the book is built; the notebooks stay as they are.

- A figure whose code is one call into `treelab.figures` has a small link to its source.
- The marks of exercises (`### BEGIN SOLUTION`) and of linters (`# noqa`) are not shown.
- A table of pandas has one header row; the row of the best is marked; `<=` and `inf` become signs.
- The headings of the pages behind a chapter have no numbers, which its own sections have.
- Next leads from chapter to chapter; a page behind a chapter leads back to it.
- Columns of numbers stand at the right, heads of tables say what they head.
- An exercise shows its number and its id, in the chapter and on the page of solutions.
"""

import ast
import re
from html import escape, unescape

import nbformat
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

# Pages that stand behind a chapter, out of the path from one chapter to the next.
BEHIND = ("notebooks/exercises/", "notebooks/under_the_hood/", "notebooks/linear_models")

# Columns that are True in the row that the table is about; or a cell says the word.
MARKS = ("best", "chosen", "weakest")


# Code


def without_marks(source):
    """A piece of code without what is said to programs only."""
    source = re.sub(r"^[ \t]*### (BEGIN|END) SOLUTION[ \t]*\n?", "", source, flags=re.M)
    return re.sub(r"[ \t]*# (?:noqa|fmt: skip)\b.*$", "", source, flags=re.M).rstrip("\n")


def is_source(node):
    """Whether a node is the code of a cell."""
    return isinstance(node, nodes.Element) and node.get("nb_element") == "cell_code_source"


def cells_of_page(document):
    """The containers of the code cells of a page."""
    found = document.findall(nodes.container)
    return [node for node in found if node.get("nb_element") == "cell_code"]


class CalmCode(SphinxPostTransform):
    """Take the marks away that are for programs only."""

    default_priority = 150
    formats = ("html",)

    def run(self, **kwargs):
        """Look at the code of every cell of the page."""
        for cell in cells_of_page(self.document):
            for part in cell.children:
                if is_source(part):
                    for block in part.findall(nodes.literal_block):
                        block.rawsource = without_marks(block.astext())
                        block.children = [nodes.Text(block.rawsource)]


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
    numbers = re.fullmatch(r"\(((?:\d+(?:, )?)*),?\)", text)
    if numbers:  # a tuple of nodes
        return match[1] + numbers[1]
    text = match[2].replace("&lt;=", "≤").replace("&gt;=", "≥")
    return match[1] + re.sub(" ([≤≥]) ", "\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text)


class CalmTables(SphinxPostTransform):
    """Mend the tables in what the cells put out, steppers included."""

    default_priority = 150
    formats = ("html",)

    def run(self, **kwargs):
        """Rewrite every piece of HTML with a table of pandas in it, and call it what makes it."""
        for raw in self.document.findall(nodes.raw):
            html = raw.astext()
            if "html" in raw.get("format", "") and "dataframe" in html:
                raw.children = [nodes.Text(mend_tables(html))]
        for cell in cells_of_page(self.document):
            if is_source(cell[0]):
                name = escape(f"Output of {cell[0].astext().splitlines()[-1].strip()}")
                for raw in cell.findall(nodes.raw):
                    html = raw.astext()
                    if "html" in raw.get("format", "") and "<figure" not in html:
                        named = html.replace("<table ", f'<table aria-label="{name}" ', 1)
                        raw.children = [nodes.Text(named)]


THOUSANDS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
UNTOUCHED = (nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.raw)


class Unbroken(SphinxPostTransform):
    """No line ends within a number such as 85 973."""

    default_priority = 180
    formats = ("html",)

    def run(self, **kwargs):
        """Look at the words of the page."""
        keep_together(self.document)


def keep_together(part):
    """Do so in a part of a page."""
    for text in list(part.findall(nodes.Text)):
        if text.parent is None or isinstance(text.parent, UNTOUCHED):
            continue
        mended = THOUSANDS.sub("\N{NO-BREAK SPACE}", text.astext())
        if mended != text.astext():
            text.parent.replace(text, nodes.Text(mended))


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


def uncount(app, env):
    """Take the numbers off the headings of the pages behind a chapter: its sections have them."""
    for page in env.tocs:
        if page.startswith(BEHIND):
            env.toc_secnumbers[page] = {}
            for entry in env.tocs[page].findall(nodes.reference):
                entry.attributes.pop("secnumber", None)


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
    """Titles of boxes without brackets, exercises with stars and their ids; heads of tables."""
    if "body" not in context:
        return
    body = re.sub(TITLE, mend_title, context["body"], flags=re.S)
    context["body"] = re.sub(r"<table\b.*?</table>", scoped, body, flags=re.S)


TITLE = (
    r'(<div class="(exercise|proof \w+) admonition" id="([\w-]+)">\s*<p class="admonition-title">)'
    r'(<span class="caption-number">[^<]*</span>) *\((.*?)\)(?=</p>)'
)


def mend_title(match):
    """The title of a definition, an algorithm, an exercise."""
    start, kind, name, number, title = match.groups()
    if kind != "exercise":
        return f"{start}{number} {title}"
    title = re.sub(" (★+)$", r' <span class="tl-stars">\1</span>', title)
    return f'{start}{number} <span>{title}</span> <code class="tl-id">{name}</code>'


def scoped(match):
    """A table whose heads say what they head, with numbers at the right; no head is empty.

    Where nothing heads the first column, its cells head their rows.
    """
    table = re.sub(r"<th\b([^>]*)>\s*(?:<p></p>)?\s*</th>", r"<td\1></td>", match[0])
    head, end, body = table.partition("</thead>")
    if not end:
        return table
    if re.search(r"<tr\b[^>]*>\s*<td\b[^>]*></td>\s*<th\b", head):
        body = re.sub(r"(<tr\b[^>]*>\s*)<td\b(.*?)</td>", r"\1<th\2</th>", body, flags=re.S)
    head = re.sub(r"<th(?![^>]*\bscope=)\b", '<th scope="col"', head)
    head = re.sub(r'<th\b([^>]*)>((?:<p>)?<span class="math".*?)</th>', told, head, flags=re.S)
    body = re.sub(r"<th(?![^>]*\bscope=)\b", '<th scope="row"', body)
    columns = len(cells_of(rows_of(head)[-1]))
    rows = [[in_words(text) for _, _, text in cells_of(row)] for row in rows_of(body)]
    if "colspan" in table or any(len(row) > columns for row in rows):
        return head + end + body
    # A row under a common label of the index has fewer cells.
    texts = [[row[k - columns] for row in rows if k - columns >= -len(row)] for k in range(columns)]
    numbers = [any(t) and all(map(NUMBER.fullmatch, t)) for t in texts]

    def aligned(row):
        cells = re.split(r"(?=<t[hd]\b)", row[0])
        missing = columns - (len(cells) - 1)
        for k, right in enumerate(numbers[missing:], 1):
            if right and " class=" in cells[k].partition(">")[0]:
                cells[k] = cells[k].replace(' class="', ' class="tl-number ', 1)
            elif right:
                cells[k] = re.sub("^<t[hd]", r'\g<0> class="tl-number"', cells[k])
        return "".join(cells)

    rows = re.compile(r"<tr\b.*?</tr>", re.DOTALL)
    *above, last = re.split(r"(?=<tr\b)", head)
    return "".join([*above, rows.sub(aligned, last), end, rows.sub(aligned, body)])


def told(match):
    """A head that is a formula, with its letters for who hears it."""
    attributes, formula = match.groups()
    name = f'<span class="visually-hidden">{escape(in_words(formula))}</span>'
    seen = formula.replace("<math>", '<math aria-hidden="true">')
    return f"<th{attributes}>{name}{seen}</th>"


NUMBER = re.compile(r"[-−+±≈<>≤≥]?[\d\s.,/%±−–∞]*")


def in_words(html):
    """The text of a piece of HTML, without spaces around it."""
    return unescape(re.sub(r"<[^>]+>", "", html)).strip()


def setup(app):
    """Register with Sphinx."""
    app.add_css_file("reading.css", priority=810)
    app.add_js_file("reading.js", loading_method="defer")
    app.add_post_transform(CalmCode)
    app.add_post_transform(LinkSources)
    app.add_post_transform(CalmTables)
    app.add_post_transform(Unbroken)
    app.connect("env-check-consistency", straight_path)
    app.connect("env-check-consistency", uncount)
    app.connect("env-check-consistency", name_contents)
    app.connect("doctree-resolved", name_exercises)
    app.connect("html-page-context", mend_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
