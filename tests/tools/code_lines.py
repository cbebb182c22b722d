"""Count lines of code: not blank, no comment, no docstring.

    python tests/tools/code_lines.py                   # each file of the package, and the sums
    python tests/tools/code_lines.py treelab/fast/c45  # those of a folder

The tests hold the rooms of treelab to some numbers of lines, by the same count.
"""

import ast
import io
import sys
import tokenize

from places import ROOT


def code_lines(text):
    """Return the number of lines that hold code: not blank, no comment, no docstring."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    documented = [
        n for n in ast.walk(ast.parse(text)) if isinstance(n, kinds) and ast.get_docstring(n)
    ]
    docstrings = {i for n in documented for i in range(n.body[0].lineno, n.body[0].end_lineno + 1)}
    silent = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    found = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (*silent, tokenize.ENDMARKER):
            found |= set(range(token.start[0], token.end[0] + 1))
    return len(found - docstrings)


def lines_below(*folders):
    """Return the lines of code of each module below some folders of the project, by path."""
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return {path.relative_to(ROOT): code_lines(path.read_text(encoding="utf-8")) for path in paths}


if __name__ == "__main__":
    for folder in sys.argv[1:] or ["treelab/fast", "treelab/drawing", "treelab/datasets"]:
        found = lines_below(folder)
        for path, n in found.items():
            print(f"{n:6} {path}")
        print(f"{sum(found.values()):6} {folder}")
