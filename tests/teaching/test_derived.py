"""What programs derive from the sources is made when it is needed, and kept out of git."""

from fnmatch import fnmatch

import exam
import ledger
import make_exercises
import make_homework
import make_page
from cases import each
from places import ROOT

COURSE = make_homework.FOLDER
SOLUTIONS = sorted(make_exercises.FOLDER.glob("*_solutions.ipynb"))
DERIVED = [
    exam.PAGE,
    ledger.PAGE,
    *(ledger.FOLDER / f"{source}.md" for source in ledger.SOURCES),
    make_page.PAGE,
    make_page.PAGE.with_name(make_page.file_name(1)),
    make_page.PAGE.parent / make_page.PICTURES / "a.svg",
    *(path.with_name(path.name.replace("_solutions", "")) for path in SOLUTIONS),
    *(COURSE / kind / "hw1" / "hw1.ipynb" for kind in ("release", "keys", "rubrics")),
]
WRITTEN = [*SOLUTIONS, *COURSE.glob("source/*/*"), ROOT / "book" / "homework.md"]
WRITTEN += [*ledger.FOLDER.glob("*.yml"), *ledger.pages_of_errata()]


def ignored(path):
    """Whether the lines of .gitignore that begin with a slash, or with !/, name a path."""
    verdict, name = False, "/" + path.relative_to(ROOT).as_posix()
    for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines():
        pattern = line.removeprefix("!")
        if pattern.startswith("/") and fnmatch(name, pattern + "*" * pattern.endswith("/")):
            verdict = not line.startswith("!")
    return verdict


def name(path):
    """The path from the root, as the name of a case."""
    return path.relative_to(ROOT).as_posix()


@each("path", DERIVED, ids=name)
def test_what_is_derived_is_ignored(path):
    assert ignored(path)


@each("path", WRITTEN, ids=name)
def test_what_is_written_by_hand_is_not(path):
    assert not ignored(path)


def test_the_homework_is_made_in_the_folders_that_are_ignored(tmp_path):
    for file in ("hw1.ipynb", "checks_hw1.py"):
        target = tmp_path / "source" / "hw1" / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((COURSE / "source" / "hw1" / file).read_bytes())
    for path in make_homework.make("hw1", tmp_path):
        assert ignored(COURSE / path.relative_to(tmp_path) / "hw1")


def test_the_book_is_built_of_all_that_is_derived():
    """What the table of contents and the downloads of the book name is made by `make derived`."""
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    rule = next(line for line in lines if line.startswith("derived:"))
    made = ["exercises", "homework", "exam-page", "museum", "ledger"]
    assert rule.partition("##")[0].split()[1:] == made
    book = lines.index(next(line for line in lines if line.startswith("$(BOOK):")))
    recipe = lines[book : lines.index("", book)]
    made, built = (
        next(k for k, line in enumerate(recipe) if word in line)
        for word in ("$(MAKE) --no-print-directory derived", "jupyter-book build")
    )
    assert made < built


def test_no_derived_notebook_is_among_the_chapters():
    stems = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    pages = {path.stem.removesuffix("_solutions") for path in SOLUTIONS}
    assert stems == pages | {"comparing_ensembles", "linear_models"}
