"""Whether a wrong digit turns a test red: one digit is changed, the tests of its page run.

``python tests/tools/digits.py --seed 7`` draws ten digits of the prose and ten of computed numbers
(those that a cell prints, literals of cells, and literals of `notebooks/figures`), from all
chapters and the pages behind them. Each file is restored at once. A digit of the prose needs the
facts of its page alone; for a number that is computed the cells of the notebook run, too.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tokenize
from io import StringIO
from pathlib import Path

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[1] / "chapters")]
from facts import TOPICS, chapter, numbers, plain
from places import ROOT, TESTS

PAGES = [kind + topic for topic in TOPICS for kind in ("", "hood_")]
PYTEST = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]


def cells_of(page):
    """The cells of a page as JSON, with their texts in one piece each."""
    notebook = json.loads(chapter(page).read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


def prose(page):
    """Where the digits of the prose are: the place of the cell, and the place in its source."""
    for k, cell in enumerate(cells_of(page)["cells"]):
        if cell["cell_type"] == "markdown":
            text = plain(cell["source"])
            raw = [m.start() for m in re.finditer(r"\d", cell["source"])]
            order = {m.start(): n for n, m in enumerate(re.finditer(r"\d", text))}
            for at, number in numbers(text).items():
                first = order[at]
                yield from (
                    (page, k, raw[first + n]) for n in range(len(re.sub(r"\D", "", number)))
                )


def printed(page):
    """Where the digits of stored outputs are: cell, output, type, and place in the text."""
    for k, cell in enumerate(cells_of(page)["cells"]):
        for n, output in enumerate(cell.get("outputs", [])):
            for kind, text in output.get("data", {"text": output.get("text", "")}).items():
                if kind not in ("text", "text/html", "text/plain", "text/markdown"):
                    continue
                text = "".join(text)
                hidden = r"<(script|style).*?</\1>|<[^>]*>"
                shown = re.sub(hidden, lambda m: " " * len(m[0]), text, flags=re.S)
                yield from ((page, k, n, kind, m.start()) for m in re.finditer(r"\d", shown))


def literals(source):
    """Where the digits of the numbers of a program are."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for token in tokenize.generate_tokens(StringIO(source).readline):
        if token.type == tokenize.NUMBER:
            at = starts[token.start[0] - 1] + token.start[1]
            yield from (at + m.start() for m in re.finditer(r"\d", token.string))


def in_cells(page):
    """Where the digits of literals of code cells are."""
    for k, cell in enumerate(cells_of(page)["cells"]):
        if cell["cell_type"] == "code" and not cell["source"].startswith("%"):
            yield from ((page, k, at) for at in literals(cell["source"]))


def in_figures(page):
    """Where the digits of literals of the figures of a chapter are."""
    path = ROOT / "notebooks" / "figures" / f"{page}.py"
    if path.exists():
        yield from ((page, at) for at in literals(path.read_text(encoding="utf-8")))


def another(text, at, rng):
    """The text with another digit at a place, and what to say about it."""
    digit = rng.choice([d for d in "0123456789" if d != text[at]])
    before, after = text[max(0, at - 40) : at], text[at + 1 : at + 20]
    return text[:at] + digit + text[at + 1 :], plain(f"{before}[{text[at]}→{digit}]{after}")


def changed(kind, place, rng):
    """The file with a digit changed, its new text, and what to say about it."""
    page = place[0]
    if kind is in_figures:
        path = ROOT / "notebooks" / "figures" / f"{page}.py"
        return path, *another(path.read_text(encoding="utf-8"), place[1], rng)
    notebook = cells_of(page)
    cell = notebook["cells"][place[1]]
    if kind is printed:
        output = cell["outputs"][place[2]]
        data = output if place[3] == "text" else output["data"]
        data[place[3]], told = another("".join(data[place[3]]), place[4], rng)
    else:
        cell["source"], told = another(cell["source"], place[2], rng)
    return chapter(page), json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", told


def is_noticed(kind, page):
    """Whether the facts of a page fail, its arithmetic, or else its cells."""
    pages = [page, f"hood_{page}"] if kind is in_figures else [page]
    runs = [[TESTS / "chapters" / f"test_{page}.py"] for page in pages]
    runs += [[TESTS / "chapters" / "test_arithmetic.py", "-k", f"[{page}]"]]
    if kind is not prose:
        nbval = ["--nbval", "--nbval-sanitize-with", TESTS / "nbval_sanitize.cfg"]
        runs += [[*nbval, chapter(page)] for page in pages]
    codes = (subprocess.run([*PYTEST, *run], cwd=ROOT, capture_output=True) for run in runs)
    return any(done.returncode not in (0, 5) for done in codes)  # 5: no such test


def tried(kind, place, rng):
    """Change a digit, run the tests, restore the file; whether it was noticed, and what it was."""
    path, text, told = changed(kind, place, rng)
    original = path.read_bytes()
    try:
        path.write_text(text, encoding="utf-8")
        return is_noticed(kind, place[0]), f"{place[0]}: {told}"
    finally:
        path.write_bytes(original)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--only", choices=["prose", "computed"])
    options = parser.parse_args()
    rng = random.Random(options.seed)
    kinds = (prose, printed, in_cells, in_figures)
    places = {kind: [place for page in PAGES for place in kind(page)] for kind in kinds}
    drawn = [(prose, rng.choice(places[prose])) for _ in range(options.draws)]
    computed = [rng.choice(kinds[1:]) for _ in range(options.draws)]
    drawn += [(kind, rng.choice(places[kind])) for kind in computed]
    survivors = 0
    for kind, place in drawn:
        if options.only and (options.only == "prose") != (kind is prose):
            continue
        noticed, told = tried(kind, place, rng)
        survivors += not noticed
        print(f"{'red     ' if noticed else 'SURVIVES'} {kind.__name__:10} {told}", flush=True)
    return survivors > 0


if __name__ == "__main__":
    sys.exit(main())
