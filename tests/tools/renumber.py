"""Make room for a new chapter: renumber the chapters that follow it.

    python tests/tools/renumber.py 6            # say what would change
    python tests/tools/renumber.py 6 --write    # rename the files and rewrite the text

Only a chapter's own files carry its number: `NN_name` in `notebooks`, `under_the_hood`, `exercises`
and `book/guide`, and the rooms of the museum. Everything else names the topic. What is rewritten:

- `NN_name`, wherever it stands, and the rooms `bug_museum_NN`;
- the number before such a name, as in `{doc}`6 <guide/06_name>`` and `| 6 | {doc}`, `[6. Title](`;
- numbers after the word chapter: "chapters 6 and 7", "chapters 8 to 11", "(chapter 12)".

A single "chapter 6" after a comma and those in "Its chapters" belong to another book ("Louppe
(2014), chapter 6"), and so do those in `book/ledger`, which reads the sources. They keep their
numbers. The topics in `tests/tools/topics.py` and `tests/chapters/facts.py`, the tables of
CONTRIBUTING, and the chapters of the assignments (`book/homework.md`, the guide) are moved by hand:
tests compare them with the chapters.
"""

import argparse
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEEP = ("CHANGELOG.md", "tests/tools/renumber.py", "tests/book/test_renumber.py")
SOURCES = "book/ledger/"  # files that speak of the chapters of others
SPACE = r"(?:[ \u00a0\u202f]|\\u00a0|\\u202f)"
MORE = rf"(?:(?:,|,?{SPACE}and|{SPACE}to|{SPACE}or){SPACE}\d+)*(?!\d|\.\d)"
PROSE = re.compile(
    rf"(?<!Its )\b((?:(?<!, )[Cc]hapter|[Cc]hapters){SPACE})(\d+{MORE})(?!{SPACE}and appendix)"
)
GIVEN = re.compile(  # exhibits, exam questions, and rooms in the guide
    r"(\broom=|\broom (?=\d+ of the \{doc\}`bug)|\bQuestion\(\s*\"[^\"]*\",\s+)(\d+)\b"
)


def chapters(root):
    """The names of the chapters, `NN_name`, in their order."""
    return sorted(path.stem for path in (root / "notebooks").glob("[0-9][0-9]_*.ipynb"))


def moved(number, at):
    """The new number of a chapter when one is inserted at `at`; str."""
    return str(int(number) + (int(number) >= at)).zfill(len(number))


def rewrite(text, names, at, prose=True):
    """Return the text with the numbers of all chapters from `at` on raised by one.

    With `prose=False` the numbers after the word chapter stay.
    """
    stem = "|".join(re.escape(name[2:]) for name in names)
    named = rf"(?:[\w./-]*/)?\d\d(?:{stem})\b"
    before = (
        rf"(\{{doc\}}`)(\d+)( <{named})",
        rf"(\[)(\d+)(\. [^\]\n]*\]\({named})",
        rf"(?m)^( {{4}})(\d+)(: \(\".*\"{named}\"\))",
        rf"(\| *)(\d+)( *\| *\{{doc\}}`/{named})",
    )
    for pattern in before:
        text = re.sub(pattern, lambda m: m[1] + moved(m[2], at) + m[3], text)
    text = re.sub(rf"(?<!\d)(\d\d)(?=(?:{stem})(?:_solutions)?\b)", lambda m: moved(m[1], at), text)
    text = re.sub(r"(?<=bug_museum_)\d\d(?!\d)", lambda m: moved(m[0], at), text)
    text = GIVEN.sub(lambda m: m[1] + moved(m[2], at), text)
    if not prose:
        return text
    return PROSE.sub(
        lambda m: m[1] + re.sub(r"(?<![\w\\])\d+", lambda n: moved(n[0], at), m[2]), text
    )


def new_path(path, names, at):
    """The path of a file after the insertion."""
    stem = "|".join(re.escape(name[2:]) for name in names)
    name = re.sub(rf"^(\d\d)(?={stem})", lambda m: moved(m[1], at), path.name)
    return path.with_name(re.sub(r"(?<=bug_museum_)\d\d", lambda m: moved(m[0], at), name))


def plan(root, files, at):
    """What changes: dict of path and new path, and dict of path and new text."""
    names = chapters(root)
    paths = {path: new_path(path, names, at) for path in files}
    texts = {}
    for path in files:
        name = path.relative_to(root).as_posix()
        if name in KEEP:
            continue
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        if (new := rewrite(text, names, at, not name.startswith(SOURCES))) != text:
            texts[path] = new
    return {old: new for old, new in paths.items() if old != new}, texts


def apply(paths, texts):
    """Write the new texts and rename the files, the last chapter first."""
    for path, text in texts.items():
        path.write_bytes(text.encode())
    for old in sorted(paths, reverse=True):
        old.rename(paths[old])


def main():
    """Read the command line and show or write the changes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("at", type=int, help="number of the new chapter")
    parser.add_argument("--write", action="store_true", help="change the files")
    options = parser.parse_args()
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, encoding="utf-8")
    files = [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    paths, texts = plan(ROOT, files, options.at)
    for path, text in texts.items():
        before, after = path.read_text(encoding="utf-8").splitlines(), text.splitlines()
        for old, new in zip(before, after, strict=True):
            if old != new:
                print(f"{path.relative_to(ROOT)}: {old.strip()[:150]}\n    -> {new.strip()[:150]}")
    for old, new in paths.items():
        print(f"{old.relative_to(ROOT)} -> {new.name}")
    if options.write:
        apply(paths, texts)


if __name__ == "__main__":
    main()
