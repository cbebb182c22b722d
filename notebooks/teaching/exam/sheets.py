"""Exam papers as pages to print: HTML with room for the answers, and PDF by Chromium.

A page needs no network: its fonts, and MathJax for the formulas, lie beside it. Chromium prints it
as the book is printed; where it is missing, the pages remain, and any browser opens them.
"""

import re
import shutil
import subprocess
import sys
from html import escape
from importlib.util import find_spec
from pathlib import Path

import pikepdf
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FONTS = ROOT / "book" / "_static"
sys.path.append(str(ROOT / "book" / "_ext" / "printed"))
import make_pdf  # noqa: E402

# The parts of a question that are answered in words: they get lines, the others room to compute.
WORDS = {
    "reading": "", "impurity": "c", "growing": "d", "pruning": "", "cross-validation": "d",
    "gain-ratio": "c", "gaps": "", "error-limit": "e", "confusion-matrix": "", "roc": "",
    "bias-variance": "c", "bootstrap": "d",
    "out-of-bag": "c", "forest": "d", "adaboost": "d", "gradient-boosting": "c",
    "importance": "cd", "shapley": "", "merit-of-sets": "", "no-worse": "", "hits": "",
    "reluctant-node": "d", "reluctant-guided": "d", "local-ranks": "d", "local-null": "e",
    "bicycles-order": "c", "wind-power": "",
}  # fmt: skip
PER_MINUTE = 8  # millimeters of room for each minute of a question
LINE = 9  # millimeters between lines
SHEET = 970  # pixels of the 259 millimeters of a sheet that a question may take

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}, variant {variant}</title>
<link rel="stylesheet" href="style/fonts.css">
<link rel="stylesheet" href="style/paper.css">
<style>
@page {{
  @bottom-left {{ content: {left} }}
  @bottom-right {{ content: {right} counter(page) " of " counter(pages) }}
}}
</style>
<script>
window.MathJax = {{
  options: {{ processHtmlClass: "math", ignoreHtmlClass: "paper", enableMenu: false,
    renderActions: {{ assistiveMml: [] }} }},
  startup: {{ pageReady: () => MathJax.startup.defaultPageReady().then(() => {{
    for (const question of document.querySelectorAll(".question")) {{ // no higher than a sheet
      const rooms = [...question.querySelectorAll(".room")];
      const less = Math.max(0, question.offsetHeight - {sheet}) / rooms.length;
      for (const room of rooms) room.style.height = `${{room.offsetHeight - less}}px`;
    }}
    document.documentElement.dataset.ready = "true";
  }}) }},
}};
</script>
<script defer src="style/mathjax/tex-chtml.js"></script>
</head>
<body class="paper">
{body}
</body>
</html>
"""


def markdown(text):
    """A piece of a question as HTML, its formulas for MathJax."""
    reader = MarkdownIt("commonmark").enable("table")
    reader.use(dollarmath_plugin, renderer=lambda tex, _: rf"\({escape(tex)}\)")
    return reader.render(text)


def parts(text):
    """What stands before the parts (a), (b), ... of a question, and the parts by their letters."""
    places, start = [], 0
    for letter in "abcdefgh":
        start = text.find(f"({letter}) ", start)
        if start < 0:
            break
        places.append(start)
    ends = [*places[1:], len(text)]
    told = {text[i + 1]: text[i:end].strip() for i, end in zip(places, ends, strict=True)}
    return text[: places[0]].strip(), told


def room(minutes, in_words):
    """Lines to write on, or an empty place to compute in, for so many minutes."""
    height = max(2 * LINE, PER_MINUTE * minutes)
    if in_words:
        return '<div class="line"></div>' * round(height / LINE)
    return f'<div class="room" style="height: {height:.0f}mm"></div>'


def css_text(text):
    """A text as a string of CSS."""
    return '"' + re.sub(r'["\\\n<]', lambda m: f"\\{ord(m[0]):x} ", text) + '"'


def page(title, variant, body, name=""):
    """A page to print, with its variant, name and page numbers at the foot."""
    return PAGE.format(
        title=escape(title),
        sheet=SHEET,
        variant=variant,
        body=body,
        left=css_text(name),
        right=css_text(f"Variant {variant}, page "),
    )


def paper(asked, title, variant, rules, name="", group=""):
    """An exam paper as HTML.

    Parameters
    ----------
    asked : dict of str to Question
        The questions by their names in `questions.QUESTIONS`, in order.
    title : str
    variant : int
    rules : str
        What is allowed, and how to round; Markdown.
    name : str, default=""
        Whose paper it is; without one there is a line to write on.
    group : str, default=""
        To which group the paper goes.

    Returns
    -------
    str
    """
    total = sum(question.minutes for question in asked.values())
    rows = "".join(
        f"<tr><td>{k}</td><td>{escape(q.title)}</td><td>{q.minutes}</td><td></td></tr>"
        for k, q in enumerate(asked.values(), 1)
    )
    who = f'<span class="name">{escape(name)}</span>' if name else '<span class="blank"></span>'
    variety = f"Variant {variant}" + (f", group {group}" if group else "")
    body = [
        f'<header><h1>{escape(title)}</h1><p class="variant">{variety}</p></header>',
        f'<p class="who">Name {who}</p>',
        f"<p><strong>{total} minutes, {total} points.</strong></p>{markdown(rules)}",
        '<table class="points"><thead><tr><th>Question</th><th></th><th>Points</th>'
        f"<th>Reached</th></tr></thead><tbody>{rows}</tbody><tfoot><tr><td></td><td>Total</td>"
        f"<td>{total}</td><td></td></tr></tfoot></table>",
    ]
    for k, (key, question) in enumerate(asked.items(), 1):
        before, told = parts(question.text)
        each = question.minutes / len(told)
        body.append(f'<section class="question">{heading(k, question)}{markdown(before)}')
        for letter, text in told.items():
            answer = room(each, letter in WORDS[key])
            body.append(f'<div class="part">{markdown(text)}{answer}</div>')
        body.append("</section>")
    return page(title, variant, "\n".join(body), name)


def heading(k, question):
    """The heading of a question, with a box for its points."""
    return (
        f"<h2><span>{k}. {escape(question.title)}</span>"
        f'<span class="box">/ {question.minutes}</span></h2>'
    )


def key(asked, title, variant):
    """The key to a paper as HTML."""
    body = [f'<header><h1>Key to: {escape(title)}</h1><p class="variant">Variant {variant}</p>'
            "</header>"]  # fmt: skip
    body += [
        f'<section class="question">{heading(k, question)}{markdown(question.key)}</section>'
        for k, question in enumerate(asked.values(), 1)
    ]
    return page(f"Key to: {title}", variant, "\n".join(body))


def write_style(folder):
    """Put beside the pages what they load: style sheets, fonts, and MathJax with its fonts."""
    style = folder / "style"
    style.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "paper.css", style)
    shutil.copy(FONTS / "fonts.css", style)
    shutil.copytree(FONTS / "fonts", style / "fonts", dirs_exist_ok=True)
    mathjax = Path(find_spec("sphinx-mathjax-offline").origin).parent / "static" / "mathjax"
    (style / "mathjax").mkdir(exist_ok=True)
    shutil.copy(mathjax / "tex-chtml.js", style / "mathjax")
    shutil.copytree(mathjax / "output", style / "mathjax" / "output", dirs_exist_ok=True)


def to_pdf(folder, names):
    """Print pages, ``folder/html/NAME.html``, as ``folder/NAME.pdf``.

    Returns
    -------
    str
        Why nothing was printed, where something is missing for it; else empty.
    """
    try:
        browser, node = make_pdf.tools("The papers")
    except SystemExit as missing:
        return str(missing)
    script = make_pdf.BROWSER / "papers.mjs"
    subprocess.run([node, str(script), str(folder), browser], input="\n".join(names),
                   encoding="utf-8", check=True)  # fmt: skip
    return ""


def bind(folder, names, file):
    """Put printed papers together, each beginning on the front of a sheet."""
    with pikepdf.new() as whole:
        for name in names:
            with pikepdf.open(folder / f"{name}.pdf") as pdf:
                whole.pages.extend(pdf.pages)
                if len(whole.pages) % 2:
                    whole.add_blank_page(page_size=tuple(pdf.pages[0].mediabox[2:]))
        whole.save(folder / file)
