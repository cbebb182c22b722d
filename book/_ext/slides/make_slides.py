"""Cut the chapters of the built book into slides.

    python book/_ext/slides/make_slides.py _build/html

For each chapter, a deck is written to `slides/` of the built book. It is made from the page that
Sphinx has made of the notebook, so formulas, figures and references are those of the page. A deck
begins with the chapter's question and its goals. Each part of the chapter becomes a stack of
slides, and each section shows its main piece, which is a figure, a stepper, a definition, an
algorithm, a formula, a table or a few lines of code, below the sentence that leads to it. All of
the text is in the speaker's notes (key S). Questions come with their answers hidden until the next
key, and the exercises are a list. Everything that a deck needs lies beside it. Where a page of the
guide names sections of its chapter, the numbers of their slides are put in.
"""

import copy
import re
import shutil
import sys
from html import escape
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import sphinx_revealjs
from bs4 import BeautifulSoup, NavigableString

HERE = Path(__file__).resolve().parent
REVEAL = Path(sphinx_revealjs.__file__).parent / "_static" / "revealjs"
REVEAL_FILES = (
    "LICENSE",
    "dist/reveal.css",
    "dist/reveal.js",
    "plugin/notes/notes.js",
)
MOST_SLIDES = 34
MOST_CODE_LINES = 10
MOST_METHOD_LINES = 20  # of a method of the book, which a class reads line by line
MOST_CHARACTERS = 420  # of a text that stands whole on a slide
MOST_ROWS = 13
MOST_COLUMNS = 9
BLOCKS = ("definition", "algorithm", "theorem", "lemma", "corollary", "proposition", "property")
# What is kept first where a chapter has more to show than a deck has room.
RANK = {"block": 0, "stepper": 1, "figure": 2, "formula": 3, "table": 4, "code": 5, "text": 6}
POINTS = re.compile(r"\bnext cell\b")  # to what a slide may not have
SENTENCE_END = re.compile(r"[.?!:][\"”’)]?(?=\s+(?:[A-Z0-9“(]|$)|$)")

PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="light" data-mode="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: slides</title>
<meta name="description" content="Slides for a lesson on {title}, made from the chapter.">
<link rel="icon" href="../_static/favicon.svg">
<link rel="stylesheet" href="reveal/dist/reveal.css">
<link rel="stylesheet" href="../_static/pygments.css">
<link rel="stylesheet" href="../_static/fonts.css">
<link rel="stylesheet" href="../_static/figures.css">
<link rel="stylesheet" href="../_static/formulas.css">
<link rel="stylesheet" href="deck.css">
<noscript><link rel="stylesheet" href="plain.css"></noscript>
</head>
<body>
<main class="reveal">
<div class="slides">
{slides}
</div>
</main>
<script src="reveal/dist/reveal.js"></script>
<script src="reveal/plugin/notes/notes.js"></script>
{mathjax}<script src="deck.js"></script>
</body>
</html>
"""
# Where the book was built without Temml.
MATHJAX = '<script defer src="../_static/mathjax/tex-chtml.js"></script>\n'


def words(node):
    """Return the text of a node in one line, without the mark that links to a heading."""
    node = copy.copy(node)
    for link in node.select("a.headerlink"):
        link.decompose()
    return " ".join(node.get_text().split())


def inner(node):
    """Return the HTML inside a node."""
    return node.decode_contents().strip()


def title_of(section):
    """Return the number and the words of a section's heading as HTML."""
    heading = copy.copy(section.find(["h1", "h2", "h3"]))
    for link in heading.select("a.headerlink"):
        link.decompose()
    number = heading.select_one(".section-number")
    number = number.extract().get_text().strip().rstrip(".") if number else ""
    return number, inner(heading)


def first_sentence(paragraph):
    """Return the first sentence of a paragraph with its markup; formulas are never cut.

    >>> p = BeautifulSoup("<p>One <em>line</em>. Then C4.5 more.</p>", "html.parser").p
    >>> first_sentence(p)
    'One <em>line</em>.'
    """
    found = []
    for child in paragraph.children:
        if isinstance(child, NavigableString):
            text = str(child)
            end = SENTENCE_END.search(text)
            if end:
                found.append(escape(text[: end.end()], quote=False))
                return "".join(found).strip()
            found.append(escape(text, quote=False))
        else:
            found.append(str(child))
    return "".join(found).strip()


def kind_of(node):
    """Return what kind of piece a child of a section is, or None if it is for the notes alone."""
    classes = node.get("class", [])
    if node.name == "p":
        return "text"
    if node.name in ("ul", "ol", "blockquote", "dl"):
        return "list"
    if "proof" in classes:
        return "block" if set(BLOCKS) & set(classes) else "list"
    if "math" in classes:
        return "formula"
    if "pst-scrollable-table-container" in classes or node.name == "table":
        return "table"
    if "cell" in classes:
        return cell_kind(node)
    if any(c.startswith("highlight") for c in classes):
        return "code"
    return None


def cell_kind(cell):
    """Return the kind of piece that a cell is; its output is preferred to its code."""
    if cell.select_one("figure.tl-stepper"):
        return "stepper"
    if cell.select_one(".cell_output figure"):
        return "figure"
    tables = cell.select(".cell_output table")
    if tables:
        fits = all(fitting(table) for table in tables) and len(tables) < 3
        return "table" if fits else None
    if not cell.select_one(".cell_input"):
        return None
    if is_method(cell):
        printed = cell.select(".cell_output pre")[-1].get_text().strip()
        return "code" if printed.count("\n") < MOST_METHOD_LINES else None
    return "code" if len(lines_of(cell)) <= MOST_CODE_LINES else None


def is_method(cell):
    """Return whether a cell prints functions of the book."""
    return bool(re.search(r"^source\(", cell.select_one("pre").get_text(), re.M))


def fitting(table):
    """Return whether a table is small enough to be read from the last row of seats."""
    rows = table.find_all("tr")
    return (
        len(rows) <= MOST_ROWS and max(len(r.find_all(["th", "td"])) for r in rows) <= MOST_COLUMNS
    )


def lines_of(cell):
    """Return the lines of a cell's code and of its printed output that are not empty."""
    return [s for pre in cell.select("pre") for s in pre.get_text().splitlines() if s.strip()]


def shown(node, kind):
    """Return the HTML of the piece that a slide shows."""
    if kind in ("figure", "stepper"):
        return "".join(str(f) for f in node.select(".cell_output figure"))
    if kind == "table" and "cell" in node.get("class", []):
        return "".join(f'<div class="table">{table}</div>' for table in node.select("table"))
    if kind == "code" and "cell" in node.get("class", []):
        asked = "" if is_method(node) else ".cell_input .highlight, "
        parts = node.select(f"{asked}.cell_output .highlight")
        return "".join(
            f'<div class="{"printed" if part.find_parent(class_="cell_output") else "code"}">'
            f"{part}</div>"
            for part in parts
        )
    return str(node)


def is_empty_code(node):
    """Return whether a cell contains only imports and checks, and prints nothing."""
    if node.select_one(".cell_output"):
        return False
    lines = lines_of(node)
    return all(re.match(r"\s*(import|from|assert|use_style|[)\]}])", line) for line in lines)


class Piece:
    """A piece to show, with its kind, its HTML, its size, and the texts before and after it."""

    def __init__(self, kind, node, before):
        self.kind, self.before, self.after, self.last = kind, before, [], []
        self.html = shown(node, kind) if node else ""
        self.lines = size(node, kind) if node else 0


def size(node, kind):
    """Return approximately how many lines of a slide a piece takes."""
    if kind == "table":
        return 1.2 * len(node.find_all("tr"))
    if kind == "block":
        items = len(node.find_all(["p", "li"])) + 3 * len(node.find_all("div", class_="math"))
        return len(node.get_text()) / 90 + items
    return {"code": len(lines_of(node)), "formula": 3}.get(kind, 11)


def pieces_of(nodes):
    """Return the pieces in a run of nodes, in order, with the texts around them."""
    pieces, before = [], []
    for node in nodes:
        kind = kind_of(node)
        if kind is None or (kind == "code" and is_empty_code(node)):
            continue
        if kind in ("text", "list"):
            if pieces and not before:
                pieces[-1].after.append(node)
            before.append(node)
            continue
        piece = Piece(kind, node, before)
        last = pieces[-1] if pieces else None
        if last and not before and kind == last.kind == "code" and last.lines + piece.lines < 13:
            last.html += piece.html
            last.lines += piece.lines
        else:
            pieces.append(piece)
        before = []
    if not pieces:
        pieces.append(Piece("text", None, before))
    else:
        pieces[-1].last = before
    return pieces


def notes(nodes):
    """Return the speaker's notes, which hold the texts in full; unset formulas stay in TeX."""
    html = "\n".join(str(node) for node in nodes)
    tree = BeautifulSoup(html, "html.parser")
    for formula in tree.select(".math:not(:has(math))"):
        formula.replace_with(re.sub(r"\\[()\[\]]", "$", formula.get_text()))
    for link in tree.select("a"):
        link.unwrap()
    return f'<aside class="notes">\n{tree}\n</aside>' if tree.get_text().strip() else ""


def slide(body, *, of, part="", heading="", level="h3", kind="text", spoken=()):
    """Return one slide: the part of the chapter, its heading, its piece and its notes.

    `of` has the ids of the sections that it is cut from.
    """
    above = f'<p class="part">{part}</p>\n' if part else ""
    head = f"<{level}>{heading}</{level}>\n" if heading else ""
    return (
        f'<section class="{kind}" data-of="{of}"><div class="slide">\n'
        f'<div class="head">{above}{head}</div>\n'
        f'<div class="body">{body}</div>\n</div>{notes(spoken)}</section>'
    )


def said(node, room):
    """Return a paragraph if there is room for it, and otherwise its first sentence."""
    if len(node.get_text()) < min(MOST_CHARACTERS, 80 * room):
        return inner(node)
    return first_sentence(node)


def body_of(piece):
    """Return the body of a slide: a piece, the text that leads to it, and what follows from it."""
    texts = [node for node in piece.before if node.name == "p"]
    if piece.kind == "text":
        room = 11 / max(1, min(len(texts), 5))
        parts = [f"<p>{said(n, room)}</p>" if n.name == "p" else str(n) for n in piece.before]
        leading = [promises(text) and "<p>" in after[:3] for text, after in pairwise([*parts, ""])]
        shown = [text for text, leads in zip(parts, leading, strict=True)
                 if not leads and not POINTS.search(text)]  # fmt: skip
        return without_promise("".join((shown or parts)[:5]))
    room = 12 - piece.lines
    above = below = ""
    if texts and piece.kind == "formula":
        above = f"<p>{inner(texts[-1])}</p>"
    elif texts and piece.kind not in ("block", "stepper"):
        above = f"<p>{said(texts[0] if len(texts) < 3 else texts[-1], room / 2)}</p>"
    following = piece.after[0] if piece.after else None
    if following and following.name == "p" and room > 1:
        onwards = words(following).endswith(":")  # to the next piece
        if piece.kind == "formula" or not onwards:
            text = first_sentence(following) if onwards else said(following, room / 2)
            below = f'<p class="after">{text}</p>' if is_whole(text) else ""
    return f'{above}\n<div class="show">{piece.html}</div>\n{below}'


def is_whole(text):
    """Return whether a text can end a slide: whole sentences, which refer to nothing left out."""
    text = BeautifulSoup(text, "html.parser").get_text().strip()
    is_open = text.startswith("(") and not text.endswith(")")
    return text.endswith((".", "?", "!", ")")) and not is_open and not POINTS.search(text)


def promises(body):
    """Return whether the body of a slide ends in a colon, with nothing after it."""
    return BeautifulSoup(body, "html.parser").get_text().rstrip().endswith(":")


def without_promise(body):
    """Return the body of a slide without a last paragraph that leads to the next slide."""
    while promises(body):
        last = body.rfind("<p")
        if last <= 0:
            return ""
        body = body[:last]
    return body


def sections_of(part):
    """Return the runs of nodes of a part: those before its first section, then each section."""
    preface = [n for n in part.find_all(recursive=False) if n.name not in ("section", "h1", "h2")]
    yield part, preface
    for section in part.find_all("section", recursive=False):
        yield section, [n for n in section.find_all(recursive=False) if n.name != "h3"]


def lesson(part):
    """Return the possible slides of a part; steppers and the best of each section have rank -1."""
    number, name = title_of(part)
    for section, nodes in sections_of(part):
        pieces = pieces_of(nodes)
        if section is part and not any(RANK[p.kind] < RANK["code"] for p in pieces):
            if part.find("section", recursive=False) or not pieces[0].before:
                continue
        best = min(pieces, key=lambda p: (RANK[p.kind], -p.lines if p.kind == "code" else 0))
        waiting = []  # what is said of a piece that shows nothing is said of the next one
        for piece in pieces:
            body, spoken = body_of(piece), [*waiting, *piece.before, *piece.last]
            waiting = [] if body else spoken
            if not body:
                continue
            rank = -1 if piece is best or piece.kind == "stepper" else RANK[piece.kind]
            yield {
                "rank": rank,
                "of": " ".join(dict.fromkeys([part["id"], section["id"]])),
                "body": body,
                "spoken": spoken,
                "part": f"{number} {name}" if section is not part else number,
                "heading": title_of(section)[1],
                "level": "h3" if section is not part else "h2",
                "kind": piece.kind,
            }


def chosen(candidates, budget):
    """Return as many slides as there is room for; the texts of the others go into the notes."""
    order = sorted(range(len(candidates)), key=lambda i: (candidates[i]["rank"], i))
    kept = sorted(order[:budget])
    for i, candidate in enumerate(candidates):
        if i not in kept:
            before = max((k for k in kept if k < i), default=kept[0])
            candidates[before]["spoken"] = candidates[before]["spoken"] + candidate["spoken"]
    return [candidates[i] for i in kept]


def opening(chapter):
    """Return the first slides: the title with the question, the first picture, and the goals."""
    number, name = title_of(chapter)
    nodes = [n for n in chapter.find_all(recursive=False) if n.name not in ("section", "h1")]
    goals = next(
        i
        for i, n in enumerate(nodes)
        if n.name == "p" and words(n).startswith("After this chapter")
    )
    texts = [n for n in nodes[:goals] if n.name == "p"]
    question = f'<p class="question">{inner(texts[0])}</p>'
    above = f"Chapter {number}"
    about = {"of": "opening", "spoken": texts}
    slides = [slide(question, part=above, heading=name, level="h1", kind="opening", **about)]
    for piece in pieces_of(nodes[:goals]):
        if piece.kind in ("figure", "stepper"):
            body = f'<div class="show">{piece.html}</div>'
            slides.append(slide(body, part=name, heading="The question", level="h2",
                                kind=piece.kind, **about))  # fmt: skip
    rest = [n for n in nodes[goals + 1 :] if n.name in ("p", "ul")]
    slides.append(
        slide(
            "".join(str(n) for n in rest),
            of="opening",
            part=name,
            heading="After this chapter you can",
            level="h2",
            kind="goals",
            spoken=rest,
        )
    )
    return slides


def quiz(part):
    """Return one slide for each question; the next key shows which answer is right, and why."""
    number, name = title_of(part)
    slides, asked = [], []
    for node in part.find_all(recursive=False):
        if "tl-quiz" not in node.get("class", []):
            asked.append(node) if node.name not in ("h2", "h3") else None
            continue
        answers = []
        for answer in node.find_all("details"):
            answer = copy.copy(answer)
            given = inner(answer.summary)
            answer.summary.decompose()
            right = words(answer).startswith("Yes")
            answers.append(
                f'<li><span class="given">{given}</span>\n'
                f'<div class="fragment why {"right" if right else "wrong"}" '
                f'data-fragment-index="0">{inner(answer)}</div></li>'
            )
        question = "".join(str(n) for n in asked)
        options = '<ol class="answers" type="a">' + "".join(answers) + "</ol>"
        heading = f"Question {len(slides) + 1}"
        body = f'<div class="asked">{question}</div>{options}'
        of = f"{part['id']} question-{len(slides) + 1}"
        slides.append(slide(body, of=of, part=f"{number} {name}", heading=heading, kind="quiz"))
        asked = []
    return slides


def exercises(part):
    """Return a slide that lists the exercises by number and name; their texts are notes."""
    number, name = title_of(part)
    found = part.select("div.exercise")
    items = []
    for exercise in found:
        title = exercise.select_one(".admonition-title")
        label = words(title.select_one(".caption-number"))
        text = words(title.select_one(".caption-number").find_next_sibling("span"))
        address = f"{part['data-page']}#{exercise['data-anchor']}"
        items.append(f'<li><a href="{address}">{label}</a> {escape(text)}</li>')
    body = f'<ul class="exercises">{"".join(items)}</ul>'
    spoken = [n for e in found for n in e.find_all(recursive=False)]
    about = {"of": part["id"], "part": number, "heading": name, "level": "h2"}
    return [slide(body, **about, kind="exercises", spoken=spoken)]


def in_short(part):
    """Return a slide with the card of the chapter; the sentences before it are notes."""
    number, name = title_of(part)
    card = part.select_one(".tl-card").extract()
    card.select_one(".admonition-title").decompose()
    texts = part.find_all(["p", "ul", "ol"], recursive=False)
    about = {"of": part["id"], "part": number, "heading": name, "level": "h2"}
    return [slide(str(card), **about, kind="card", spoken=texts)]


def local(tree, page):
    """Let links and pictures of a deck lead to the files of the book, and remove anchors."""
    for tag in tree.find_all(id=True):
        if tag.find_parent("svg"):
            continue  # a picture refers to the names in it
        if not tag["id"].startswith("stepper-") and tag.name != "section":
            tag["data-anchor"] = tag["id"]
            del tag["id"]
    for part in tree.find_all("section", recursive=False):
        part["data-page"] = f"../{page}"
    for tag in tree.find_all(["a", "img"]):
        attribute = "href" if tag.name == "a" else "src"
        address = tag.get(attribute, "")
        if not address or urlsplit(address).scheme:
            continue
        tag[attribute] = f"../{page}{address}" if address.startswith("#") else moved(address, page)
        tag.attrs.pop("download", None)
        tag.attrs.pop("loading", None)  # a slide is there when it is shown


def moved(address, page):
    """Return an address that is relative to a page of the book, relative to the decks."""
    parts = [*page.split("/")[:-1]]
    for step in address.split("/"):
        if step == "..":
            parts.pop()
        elif step != ".":
            parts.append(step)
    return "../" + "/".join(parts)


def without_colors(match):
    """Return code that is too long for a slide as plain text, which is parsed much faster."""
    long = match[0].count("\n") > 2 * MOST_CODE_LINES
    return re.sub(r"</?span[^>]*>", "", match[0]) if long else match[0]


def still(explorable):
    """Keep only the first picture of an explorable and its caption, because a slide is static."""
    frames = explorable.select(".tl-frame")
    frame = next((frame for frame in frames if frame.select_one("svg, img")), frames[0])
    caption = frame.select_one(".tl-caption").extract()
    caption.name, caption.attrs = "figcaption", {}
    picture = frame.select_one("svg, img, table").extract()
    explorable.clear()
    explorable.attrs = {}
    explorable.extend([picture, caption])


def clean(tree):
    """Remove the elements that a slide does not need."""
    for explorable in tree.select("figure.tl-explorable"):
        still(explorable)
    unused = ".tl-curious, .tl-bring, a.headerlink, style[scoped], .toctree-wrapper, "
    for tag in tree.select(unused + "button:not(.tl-controls button)"):
        tag.decompose()
    for table in tree.find_all("table"):
        table.attrs.pop("border", None)
        for row in table.find_all(style=True):
            del row["style"]
    for content in tree.select(".admonition section"):
        content.name = "div"  # reveal.js would take it for a slide
    for cell in tree.find_all("th"):
        if not cell.get_text().strip():
            cell.name = "td"  # an empty cell heads nothing


# The parts of a chapter that are lists, and so have slides of their own making.
LISTS = {
    "in-short": in_short,
    "check-your-understanding": quiz,
    "exercises": exercises,
}


def deck(path, html):
    """Return the deck of one chapter as a page."""
    page = path.read_text(encoding="utf-8")
    page = page[page.index("<article") : page.index("</article>")]
    page = re.sub(r"<pre>.*?</pre>", without_colors, page, flags=re.DOTALL)
    chapter = BeautifulSoup(page, "html.parser").article.section
    clean(chapter)
    local(chapter, path.relative_to(html).as_posix())
    parts = {part["id"]: part for part in chapter.find_all("section", recursive=False)}
    stacks = {"opening": opening(chapter), **{name: [] for name in parts}}
    for name, make in LISTS.items():
        if name in parts:
            stacks[name] = make(parts[name])
    budget = MOST_SLIDES - sum(map(len, stacks.values()))
    candidates = [
        {**candidate, "stack": name}
        for name, part in parts.items()
        if name not in LISTS
        for candidate in lesson(part)
    ]
    for c in chosen(candidates, budget):
        stacks[c.pop("stack")].append(slide(**{k: c[k] for k in c if k != "rank"}))
    number, name = title_of(chapter)
    for slides in stacks.values():
        for made in slides:
            shown = BeautifulSoup(made, "html.parser").select_one(".body")
            if promises(str(shown)):
                end = shown.get_text().strip()[-60:]
                raise ValueError(f"a slide of {path.name} ends in a colon: ...{end!r}")
    text = "\n".join("<section>\n" + "\n".join(s) + "\n</section>" for s in stacks.values() if s)
    text = re.sub(r' data-anchor="[^"]*"', "", text)
    mathjax = MATHJAX if (html / "_static" / "mathjax").is_dir() else ""
    return PAGE.format(title=f"{number}. {name}", slides=text, mathjax=mathjax)


def numbered(named, deck, stem):
    """Return the numbers of the slides of some sections of a chapter, such as "3–5, 12".

    A section may be named by the first words of its id, if no other one begins with them. A part of
    the chapter that has no slides of its own has those of its sections.
    """
    slides = re.findall(r'^<section class="\w+" data-of="(.*?)">', deck, re.M)
    ids = set(" ".join(slides).split())
    runs = []
    for name in named.split():
        meant = {name} & ids or {found for found in ids if found.startswith(f"{name}-")}
        if len(meant) != 1:
            raise ValueError(f"the guide names {name}, which is {meant or 'no section'} of {stem}")
        own = [k for k, of in enumerate(slides, 1) if of.split()[-1] in meant]
        runs += own or [k for k, of in enumerate(slides, 1) if of.split()[0] in meant]
    runs = sorted(set(runs))
    ends = [k for k in runs if k + 1 not in runs]
    starts = [k for k in runs if k - 1 not in runs]
    return ", ".join(
        f"{start}–{end}" if start < end else f"{start}"
        for start, end in zip(starts, ends, strict=True)
    )


def number_guide(html, decks):
    """Put the numbers of slides into the pages of the guide that have the names of chapters."""
    for stem, deck in decks.items():
        page = html / "book" / "guide" / f"{stem}.html"
        text = page.read_text(encoding="utf-8")
        text = re.sub(
            r'(<span class="tl-slides" data-of="(.*?)">).*?(?=</span>)',
            lambda match, deck=deck, stem=stem: match[1] + numbered(match[2], deck, stem),
            text,
        )
        page.write_text(text, encoding="utf-8")


def main(html):
    """Write the decks and the files that they need into the built book."""
    html = Path(html).resolve()
    folder = html / "slides"
    shutil.rmtree(folder, ignore_errors=True)
    for name in REVEAL_FILES:
        target = folder / "reveal" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REVEAL / name, target)
    for name in ("deck.css", "deck.js", "plain.css"):
        shutil.copy(HERE / name, folder / name)
    chapters = sorted((html / "notebooks").glob("[0-9]*.html"))
    decks = {path.stem: deck(path, html) for path in chapters}
    for stem, text in decks.items():
        (folder / f"{stem}.html").write_text(text, encoding="utf-8")
    number_guide(html, decks)
    print(f"{len(chapters)} decks of slides in {folder}")


if __name__ == "__main__":
    main(*sys.argv[1:])
