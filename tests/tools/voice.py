"""Measures of the prose of a page, and what changed in it between two versions.

``python tests/tools/voice.py`` prints the measures of all chapters, pages under the hood and guide
pages. ``python tests/tools/voice.py --since COMMIT PAGE ...`` lists the numbers, formulas,
references, terms, links and labels that a page has lost or gained since a commit. Whoever rewrites
a page reads this list, so that no claim changes unnoticed.
"""

import argparse
import re
import subprocess
from collections import Counter
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[2]
CONNECTIVES = re.compile(
    r"\b(because|since|therefore|thus|hence|however|although|though|whereas|while|so|then|finally|"
    r"for (?:example|instance)|(?:in|by) contrast|instead|otherwise|moreover|in addition|"
    r"furthermore|nevertheless|consequently|as a result|in other words|that is|unless|"
    r"even (?:if|though)|as long as|in fact|in particular|similarly|likewise|rather than|"
    r"after all|given that)\b",
    re.IGNORECASE,
)
# Blocks that hold no running text, or that stand outside the core.
BLOCKS = (
    "dropdown|solution|math|code|list-table|csv-table|table|figure|prf:algorithm|glossary|grid|"
    r"quiz|drill|admonition\} (?:In short|Formulas|Card)"
)
GOALS = {
    "words per sentence": (15, 22),
    "connectives": (20, None),
    "we": (10, None),
    "semicolons": (None, 4),
    "colons": (None, 15),
    "numerals": (None, 4.5),
}
KINDS = {
    "code": r"```\{code-cell\}.*?```",
    "formula": r"\$\$.+?\$\$|\$[^$\n]+(?:\n[^$\n]+)?\$",
    "reference": r"\{(?:ref|numref|doc|eq|cite[:\w]*|prf:ref|download)\}`[^`]+`",
    "term": r"\{term\}`[^`]+`",
    "link": r"\]\(([^)\s]+)\)",
    "label": r"^\(([\w-]+)\)=$|^:(?:label|name): *(\S+)$",
    "number": r"(?<![\w.])[-\u2212]?\d+(?:[.,\u202f\u00a0]\d+)*(?:[./:]\d+)?",
}


def source(path, commit=None):
    """Text of a page, at a commit if one is given; of a notebook its Markdown cells."""
    if commit:
        name = f"{commit}:{Path(path).resolve().relative_to(ROOT)}"
        raw = subprocess.run(
            ["git", "show", name], capture_output=True, encoding="utf-8", check=True, cwd=ROOT
        ).stdout
    else:
        raw = Path(path).read_text(encoding="utf-8")
    if Path(path).suffix != ".ipynb":
        return raw
    cells = nbformat.reads(raw, as_version=4).cells
    captions = [str(c.metadata.get("mystnb", "")) for c in cells if c.cell_type == "code"]
    return "\n\n".join([c.source for c in cells if c.cell_type == "markdown"] + captions)


def prose(text):
    """Paragraphs of a page: without code, tables, headings, formulas, options and solutions.

    A formula, a name in code and a reference within a sentence count as one word each.

    >>> prose("# Title\\n\\nWe take $x$ from `fit`.\\n\\n| a | b |\\n")
    'We take MATH from CODE.'
    >>> prose("The line `a\\n|= b` is no row of a table.")
    'The line CODE is no row of a table.'
    """
    text = re.split(r"^## Check your understanding", text, flags=re.M)[0]
    block = rf"^(:{{3,}}|`{{3,}})\{{(?:{BLOCKS})[^\n]*\n.*?^\1\s*$"
    text = re.sub(block, "", text, flags=re.M | re.S)
    text = re.sub(r"^(`{3,})[^\n]*\n.*?^\1[ \t]*$", "", text, flags=re.M | re.S)
    text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.S)
    text = re.sub(r"`[^`]*`", lambda code: code[0].replace("\n", " "), text)
    lines = [line.strip() for line in text.splitlines()]
    kept = (
        line for line in lines if not re.match(r"(\||#|:|- |\+--|\(\S+\)=|---|<|%|\*\*Time)", line)
    )
    text = re.sub(r"\{[\w:-]+\}`([^`<]*)(?:<[^`]*>)?`", r"\1", "\n".join(kept))
    text = re.sub(r"`[^`]*`", "CODE", re.sub(r"\$[^$]+\$", "MATH", text))
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    paragraphs = re.split(r"\n\s*\n|\n(?=(?:[-*]|\d+\.) )", text)
    paragraphs = (" ".join(re.sub(r"^(?:[-*]|\d+\.) ", "", p).split()) for p in paragraphs)
    return "\n".join(p for p in paragraphs if len(p.split()) > 3)


def sentences(text):
    """Sentences of more than three words, of what `prose` returns.

    >>> sentences("We grow a tree. It has three leaves.")
    ['We grow a tree.', 'It has three leaves.']
    """
    found = []
    for paragraph in text.split("\n"):
        found += re.split(r"(?<=[.!?])[\"”*)_]*\s+(?=[A-Z“\"*(_])", paragraph)
    return [s for s in found if len(s.split()) > 3]


def measures(text):
    """Measures of the source of a page, by name.

    Words per sentence; connectives, first persons plural, semicolons and colons per 100 sentences;
    numerals per 100 words.
    """
    found = sentences(prose(text))
    whole = "\n".join(found)
    words, n = len(whole.split()), max(len(found), 1)
    return {
        "words": words,
        "words per sentence": words / n,
        "connectives": 100 * len(CONNECTIVES.findall(whole)) / n,
        "we": 100 * len(re.findall(r"\b(we|us|our|ours)\b", whole, re.IGNORECASE)) / n,
        "semicolons": 100 * whole.count(";") / n,
        "colons": 100 * len(re.findall(r":(?=\s+\S)", whole)) / n,
        "numerals": 100 * len(re.findall(KINDS["number"], whole)) / max(words, 1),
    }


def misses(text):
    """Measures that are outside of their goals, as a list of texts."""
    found = measures(text)
    return [
        f"{name}: {found[name]:.1f}, not {low or ''} to {high or ''}"
        for name, (low, high) in GOALS.items()
        if not (low or 0) <= found[name] <= (high or float("inf"))
    ]


def changes(before, after):
    """Items that a page has lost and gained, by kind, with their number if it is not one.

    >>> changes("We grow 5 trees.", "We grow 6 trees.")
    {'number': (['5'], ['6'])}
    """
    found = {}
    for kind, pattern in KINDS.items():
        old, new = (
            Counter(" ".join(m.group().split()) for m in re.finditer(pattern, text, re.M | re.S))
            for text in (before, after)
        )
        lost, gained = (
            [item + f" ×{n}" * (n > 1) for item, n in sorted(part.items())]
            for part in (old - new, new - old)
        )
        if lost or gained:
            found[kind] = lost, gained
    return found


def main():
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pages", nargs="*", type=Path)
    parser.add_argument("--since", metavar="COMMIT", help="list what a page lost and gained")
    given = parser.parse_args()
    pages = given.pages or [
        *sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")),
        *sorted((ROOT / "notebooks" / "under_the_hood").glob("[0-9]*.ipynb")),
        *sorted((ROOT / "book" / "guide").glob("[0-9]*.md")),
    ]
    for page in pages:
        if given.since:
            print(page)
            for kind, (lost, gained) in changes(source(page, given.since), source(page)).items():
                print(f"  {kind} lost: {'  '.join(lost)}\n  {kind} gained: {'  '.join(gained)}")
            continue
        found = measures(source(page))
        values = "  ".join(f"{name} {value:.1f}" for name, value in found.items())
        print(f"{page.parent.name}/{page.name[:28]:28} {values}")


if __name__ == "__main__":
    main()
