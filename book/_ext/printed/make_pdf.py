"""Put the pages of the built book together and print them.

    python book/_ext/printed/make_pdf.py _build

The pages of `_build/html` become one document, in the order of the table of contents: numbers
and references are those of the book, and links lead to places in the same document. What a page
does for its reader is done in print by other means: folded solutions are open; a stepper shows a
few of its frames and says what the others show; questions keep their answers for the end of the
section. Chromium prints, once to learn the page of every heading and once
with these numbers in the table of contents. Then the PDF is made light (lighten.py) and put beside
the pages, and those that have a place for a link to it get the link.
"""

import os
import re
import shutil
import subprocess
import sys
from functools import partial
from html import escape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml
from bs4 import BeautifulSoup
from lighten import lighten

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
BROWSER = ROOT / "tests" / "browser"
PLACE = re.compile(r'<p class="tl-printed"[^>]*>.*?</p>')  # of a link to the PDF
LEFT_OUT = ("genindex", "book/slides", "book/ledger", "book/play")  # links, and no pages
MOST_FRAMES = 4
SHORT = 24  # lines of code that stand on one page
PLAIN = re.compile(r'<span class="(?:n|nn|nx|p|pm|w)">(.*?)</span>')  # code in no color

PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="light" data-mode="light">
<head>
<meta charset="utf-8">
<title>{title}</title>
<link rel="icon" href="../html/_static/favicon.svg">
<link rel="stylesheet" href="../html/_static/pygments.css">
<link rel="stylesheet" href="../html/_static/fonts.css">
<link rel="stylesheet" href="../html/_static/figures.css">
<link rel="stylesheet" href="../html/_static/front.css">
<link rel="stylesheet" href="../html/_static/formulas.css">
<link rel="stylesheet" href="print.css">
{formulas}
</head>
<body class="book">
<header class="cover">
<p class="title">{short}</p>
<p class="subtitle">{long}</p>
<p class="author">{author}</p>
<p class="edition">The printed edition. Steppers show a few of their frames here, and the questions
have their answers at the end of their section; the rest is as on the pages.</p>
</header>
<nav class="contents" aria-label="Contents">
<h2>Contents</h2>
{contents}
</nav>
{pages}
</body>
</html>
"""
# The page says when it can be printed: at once, or after MathJax where it sets the formulas.
SET = '<script>document.documentElement.dataset.ready = "true";</script>'
MATHJAX = """<script>
window.MathJax = { // without MathML, which is not printed
  options: { processHtmlClass: "math", ignoreHtmlClass: "book", enableMenu: false,
    renderActions: { assistiveMml: [] } },
  startup: { pageReady: () => MathJax.startup.defaultPageReady().then(() => {
    document.documentElement.dataset.ready = "true";
  }) },
};
</script>
<script defer src="../html/_static/mathjax/tex-chtml.js"></script>"""


def pages_of(toc, only=None):
    """Yield the pages in their order: (file, caption of the part that begins with it, depth).

    Parameters
    ----------
    toc : dict
        The table of contents, as `_toc.yml` has it.
    only : collection of str, optional
        The pages that are printed; by default the whole book.
    """
    given = [(toc["root"], "", 0)]
    for part in toc["parts"]:
        for chapter in part["chapters"]:
            given.append((chapter["file"], part.get("caption", ""), 0))
            given += [(section["file"], "", 1) for section in chapter.get("sections", [])]
    begun = {""}
    for page, caption, depth in given:
        if not page.startswith(LEFT_OUT) and (only is None or page in only):
            yield page, "" if caption in begun else caption, depth
            begun.add(caption)


def anchor(page, name=""):
    """The name of a place of a page in the whole document."""
    return re.sub(r"[^\w-]", "-", page) + (f"--{name}" if name else "")


def resolved(address, page):
    """The path in the built book that an address on a page means."""
    parts = page.split("/")[:-1]
    for step in unquote(urlsplit(address).path).split("/"):
        if step == "..":
            parts.pop()
        elif step not in ("", "."):
            parts.append(step)
    return "/".join(parts)


def relink(tree, page, known):
    """Names of places that are unique in the document; links to them, and to pictures."""
    for tag in tree.find_all(id=True):
        if not tag.find_parent("svg"):  # a picture refers to the names in it, which no other has
            tag["id"] = anchor(page, tag["id"])
    for tag in tree.find_all("a", href=True):
        address = tag["href"]
        url = urlsplit(address)
        if url.scheme or url.netloc:
            continue
        target = resolved(address, page).removesuffix(".html") if url.path else page
        if target in known:
            tag["href"] = f"#{anchor(target, unquote(url.fragment))}"
        else:
            tag.unwrap()
    for tag in tree.find_all("img", src=True):
        tag.attrs.pop("loading", None)  # on paper all is in view
        if not urlsplit(tag["src"]).scheme:
            tag["src"] = f"../html/{resolved(tag['src'], page)}"


def take_away(tree):
    """What has no use on paper."""
    unused = "a.headerlink, script, style, button, .toctree-wrapper, .viewcode-link, .tl-controls"
    for tag in tree.select(f"{unused}, .tl-ways, .tl-printed, template"):
        tag.decompose()
    for tag in tree.select("table[border]"):
        del tag["border"]


def unfold(tree):
    """Open what is folded: solutions, dropdowns."""
    for tag in tree.select(".dropdown, .toggle"):
        tag["class"] = [c for c in tag["class"] if c not in ("dropdown", "toggle")]
    for tag in tree.find_all("details"):
        tag["open"] = ""


def letters(tree):
    """Questions with lettered answers; what is right, and why, at the end of the section."""
    for section in {id(q.parent): q.parent for q in tree.select(".tl-quiz")}.values():
        answers = BeautifulSoup('<div class="explained"><p><strong>Answers</strong></p></div>',
                                "html.parser").div  # fmt: skip
        for k, quiz in enumerate(section.find_all("div", class_="tl-quiz", recursive=False), 1):
            options, reasons = [], []
            for letter, detail in zip("abcdefgh", quiz.find_all("details")):
                options.append(f"<li>{detail.summary.decode_contents()}</li>")
                detail.summary.decompose()
                right = detail.get_text().strip().startswith("Yes")
                label = f"({letter})" + (" ✓" if right else "")
                reasons.append(f'<li><span class="letter">{label}</span>'
                               f"{detail.decode_contents()}</li>")  # fmt: skip
            listed = f'<ol class="options" type="a">{"".join(options)}</ol>'
            quiz.replace_with(BeautifulSoup(listed, "html.parser"))
            reasons = f'<p class="question">{k}.</p><ul class="reasons">{"".join(reasons)}</ul>'
            answers.append(BeautifulSoup(reasons, "html.parser"))
        section.append(answers)


def frames(tree):
    """Of a stepper the first frame, the last and some between; of the others what they show."""
    for figure in tree.select("figure.tl-stepper"):
        found = figure.select(".tl-frame")
        most = min(MOST_FRAMES, len(found))
        shown = {round(i * (len(found) - 1) / max(1, most - 1)) for i in range(most)}
        wide = figure.find("table") is not None
        printed, told = [], []
        for i, frame in enumerate(found):
            caption = frame.select_one(".tl-caption").extract()
            text = f"<b>Step {i + 1} of {len(found)}.</b> {caption.decode_contents()}"
            if i in shown:
                text = f'{frame.decode_contents()}<p class="caption">{text}</p>'
                printed.append(f'<div class="frame">{text}</div>')
            else:
                told.append(f"<li>{text}</li>")
        title = figure.select_one(".tl-title")
        new = f'<div class="title">{title.decode_contents()}</div>'
        new += f'<div class="frames{" wide" if wide else ""}">{"".join(printed)}</div>'
        if told:
            new += f'<ul class="told">{"".join(told)}</ul>'
        figure.clear()
        figure.append(BeautifulSoup(new, "html.parser"))


def lower(tree, by):
    """Headings one or two levels down: a part is the first level, a chapter the second."""
    for level in (4, 3, 2, 1):
        for tag in tree.find_all(f"h{level}"):
            tag.name = f"h{min(6, level + by)}"


def aside(codes, match):
    """Keep a piece of code, tagged only where it has a color of its own, and leave its place."""
    code = PLAIN.sub(r"\1", match[1])
    codes.append(f'<pre class="short">{code}' if code.count("\n") <= SHORT else f"<pre>{code}")
    return f'<pre data-code="{len(codes) - 1}"></pre>'


def page_of(html, page, depth, known):
    """One page of the book as a part of the document, and its entries of the contents."""
    text = (html / f"{page}.html").read_text(encoding="utf-8")
    text = text[text.index("<article") : text.index("</article>")]
    codes = []  # put aside, since code in color is most of a page
    text = re.sub(r"<pre>(.*?)</pre>", partial(aside, codes), text, flags=re.DOTALL)
    article = BeautifulSoup(text, "html.parser").article
    take_away(article)
    unfold(article)
    letters(article)
    frames(article)
    relink(article, page, known)
    entries = [(0, anchor(page), article.h1.decode_contents())]
    if not depth:
        for section in article.section.find_all("section", recursive=False):
            if section.h2:
                entries.append((1, section["id"], section.h2.decode_contents()))
    else:
        entries = [(1, *entries[0][1:])]
    lower(article, 1 + depth)
    kind = "solutions" if depth else "chapter"
    text = re.sub(r'<pre data-code="(\d+)">', lambda m: codes[int(m[1])], article.decode_contents())
    return f'<div class="{kind}" id="{anchor(page)}">{text}</div>', entries


def document(html, only=None):
    """Return the book, or only some pages of it, as one page."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    pages = list(pages_of(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8")), only))
    known = {page for page, _, _ in pages}
    contents, made = [], []
    for page, part, depth in pages:
        if part:
            made.append(f'<h1 class="part" id="{anchor(part)}">{escape(part)}</h1>')
            contents.append(f'<li class="part"><a href="#{anchor(part)}">{escape(part)}</a></li>')
        text, entries = page_of(html, page, depth, known)
        made.append(text)
        for level, name, title in entries:
            plain = re.sub(r"</?a\b[^>]*>", "", title)
            contents.append(
                f'<li class="level{level}"><a href="#{name}"><span class="name">{plain}</span>'
                f'<span class="leader"></span><span class="page" data-to="{name}"></span></a></li>'
            )
    short, _, long = config["title"].partition(": ")
    return PAGE.format(
        title=escape(config["title"]),
        formulas=MATHJAX if (html / "_static" / "mathjax").is_dir() else SET,
        short=escape(short),
        long=escape(long),
        author=escape(config["author"]),
        contents=f"<ul>{''.join(contents)}</ul>",
        pages="\n".join(made),
    )


def tools(what="The book"):
    """Chromium and Node.js with the package that drives it, or an end with what is missing."""
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    node = shutil.which("node")
    missing = []
    if not browser:
        missing.append("Chromium (apt-get install chromium, or set CHROMIUM to its path)")
    if not node:
        missing.append("Node.js (apt-get install nodejs npm)")
    if not (BROWSER / "node_modules" / "playwright-core").is_dir():
        missing.append("the packages of tests/browser/package.json (npm ci in tests/browser)")
    if missing:
        sys.exit(f"{what} cannot be printed without " + " and ".join(missing))
    return browser, node


def write(build, only=None):
    """Write the page that is printed, `pdf/treelab.html`, and its style.

    Parameters
    ----------
    build : path-like
        The folder whose `html` is the built book.
    only : collection of str, optional
        The pages that are printed; by default the whole book.
    """
    folder = Path(build).resolve() / "pdf"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(HERE / "print.css", folder / "print.css")
    (folder / "treelab.html").write_text(document(folder.parent / "html", only), encoding="utf-8")


def to_pdf(build):
    """Print that page as `pdf/treelab.pdf`, and make it light; 0 if all went well."""
    browser, node = tools()
    folder = Path(build).resolve() / "pdf"
    command = [node, str(BROWSER / "print.mjs"), str(folder.parent), "pdf/treelab.html", browser]
    failed = subprocess.run([*command, str(folder / "treelab.pdf")]).returncode
    if not failed:
        lighten(folder / "treelab.pdf")
    return failed


def link(build):
    """Put the PDF beside the pages of the book, and links to it where they have a place."""
    html, pdf = Path(build).resolve() / "html", Path(build).resolve() / "pdf" / "treelab.pdf"
    shutil.copy(pdf, html / pdf.name)
    size = f"{pdf.stat().st_size / 1e6:.1f} MB"
    for path in html.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        if PLACE.search(text):
            up = "../" * (len(path.relative_to(html).parts) - 1)
            line = f'<a href="{up}{pdf.name}">The printed edition</a> (PDF, {size})'
            new = path.with_suffix(".new")
            new.write_text(PLACE.sub(f'<p class="tl-printed">{line}</p>', text), encoding="utf-8")
            new.replace(path)


if __name__ == "__main__":
    tools()
    write(sys.argv[1])
    if to_pdf(sys.argv[1]):
        sys.exit(1)
    link(sys.argv[1])
