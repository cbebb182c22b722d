"""Exam papers: the same questions with other numbers for every seed, and keys from treelab.

``python exam.py --seed 7`` writes ``exam_7.pdf`` (for the students) and ``exam_7_key.pdf``, and
both as Markdown and HTML. With ``--questions growing adaboost`` the paper has only these. With
``--roster students.csv`` every student gets a paper with a seed of its own, with ``--groups 4``
every fourth the same one. ``--page`` writes the page of the book that shows every question once,
with the numbers of seed 0.

Vocabulary
----------
question : a function of a random generator in `questions.QUESTIONS`; it returns a `Question`
given, answer : the numbers that the text shows, and those that the key shows
variant : the seed of a paper, as it is printed
"""

import argparse
import csv
import io
import itertools
import sys
import zlib
from pathlib import Path

import numpy as np
from questions import ABSOLUTE, QUESTIONS, RELATIVE

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "book" / "exam_questions.md"
RULES = (
    "Paper, pencil and a calculator. Show your work. Round to three decimals at the end only. A "
    f"number counts as right within {ABSOLUTE:g} of the key, or within {100 * RELATIVE:g} percent "
    "of it where that is more.\n"
)


def ask(name, seed):
    """The question of this name with the numbers of a seed.

    Parameters
    ----------
    name : str
        A key of `questions.QUESTIONS`.
    seed : int

    Returns
    -------
    Question
        The same for the same name and seed, whatever else is asked.
    """
    return QUESTIONS[name](np.random.default_rng([seed, zlib.crc32(name.encode())]))


def paper(seed, names=None):
    """A paper and its key.

    Parameters
    ----------
    seed : int
    names : sequence of str, default=None
        Questions in their order; None takes all.

    Returns
    -------
    text, key : str
        Markdown.
    """
    asked = [ask(name, seed) for name in names or QUESTIONS]
    minutes = sum(question.minutes for question in asked)
    head = f"**{minutes} minutes, {minutes} points.** {RULES}"
    text, key = [f"# Exam, variant {seed}\n", head], [f"# Key to variant {seed}\n"]
    for k, question in enumerate(asked, 1):
        title = f"## {k}. {question.title} ({question.minutes} points)\n"
        text += [title, question.text]
        key += [title, question.key]
    return "\n".join(text), "\n".join(key)


def page():
    """The page of the book with every question, the numbers of seed 0 and folded keys."""
    chapters = {int(p.stem[:2]): p.stem for p in (ROOT / "notebooks").glob("[0-9]*.ipynb")}
    parts = [INTRODUCTION.format(n=len(QUESTIONS))]
    for name in QUESTIONS:
        question = ask(name, 0)
        parts.append(
            f"## {question.title}\n\n"
            f"`{name}`, {question.minutes} minutes, "
            f"{{doc}}`chapter {question.chapter} </notebooks/{chapters[question.chapter]}>`.\n\n"
            f"{question.text}\n"
            f":::{{admonition}} Key\n:class: dropdown\n\n{question.key.rstrip()}\n:::\n"
        )
    return "\n".join(parts)


INTRODUCTION = """# Exam questions

```{{index}} exam
```

Here are {n} questions for a written exam, each with the numbers of one seed. Every other seed gives
other numbers and another key:

```
make exam SEED=7
make exam SEED=7 QUESTIONS="growing pruning adaboost"
```

The first command writes `exam_7.pdf`, ready to print, and `exam_7_key.pdf` into the folder `exams`,
and both as Markdown and HTML; the second takes three of the questions. A question gets the same
numbers whatever else is on the paper. With a roster every student gets a paper, with a name on it
and other numbers than the neighbors in the roster have, or every group gets one:

```
make exam ROSTER=students.csv QUESTIONS="growing pruning adaboost"
make exam ROSTER=students.csv GROUPS=4 SEED=100
```

Then `exams/students_1` and `exams/students_100` hold the papers, the keys, all papers in one file,
and `seeds.csv`, which says who has which seed. The first seed is `SEED`.

The keys are not typed in: treelab computes them, with the functions that the chapters use. A test
recomputes them for 300 seeds of each question without treelab, and checks that each seed suits: the
answer is unique, the numbers show what the question is about, and whoever rounds to three decimals
on the way comes within what the head of the paper allows.

A minute is worth a point. All the numbers can be had with a calculator.
"""


def write(folder, papers, names, title):
    """Write papers and their keys, as Markdown, HTML and, where Chromium is there, PDF.

    Parameters
    ----------
    folder : Path
    papers : list of tuple
        For each paper the name of its file, its seed, and the name or the group that it shows.
    names : sequence of str
        Questions in their order.
    title : str
    """
    import sheets

    (folder / "html").mkdir(parents=True, exist_ok=True)
    sheets.write_style(folder / "html")
    files, keys = [], []
    for file, seed, name, group in papers:
        asked = {each: ask(each, seed) for each in names}
        text, key = paper(seed, names)
        pages = {file: (text, sheets.paper(asked, title, seed, RULES, name, group))}
        if (key_file := f"exam_{seed}_key") not in keys:
            pages[key_file] = key, sheets.key(asked, title, seed)
            keys.append(key_file)
        files.append(file)
        for each, (plain, html) in pages.items():
            (folder / f"{each}.md").write_text(plain, encoding="utf-8")
            (folder / "html" / f"{each}.html").write_text(html, encoding="utf-8")
    missing = sheets.to_pdf(folder, [*files, *keys])
    if missing:
        print(f"{missing}. The pages in {folder / 'html'} can be printed by any browser.")
    elif len(files) > 1:
        sheets.bind(folder, files, "papers.pdf")
        sheets.bind(folder, keys, "keys.pdf")
    print(f"written: {len(files)} paper(s) and {len(keys)} key(s) in {folder}")


def variants(names, first):
    """Seeds from the first on, each with other numbers in every question than the one before.

    Parameters
    ----------
    names : sequence of str
    first : int

    Yields
    ------
    int
    """
    before = dict.fromkeys(names)
    for seed in itertools.count(first):
        texts = {name: ask(name, seed).text for name in names}
        if all(texts[name] != before[name] for name in names):
            yield seed
            before = texts


def students_of(path):
    """The students of a roster in its order: pairs of login and name.

    Raises
    ------
    ValueError
        If there is no such file, nobody is in it, or two students have the same login.
    """
    sys.path.append(str(ROOT / "notebooks" / "teaching" / "homework"))
    from grader.exchange import Roster

    if not path.is_file():
        raise ValueError(f"ROSTER must be a CSV file with a header; there is no {path}")
    roster = Roster(path)
    found = [(who, roster.students[who]) for who in roster.order if who]
    if not found:
        raise ValueError(f"nobody is in {path}: its header must have a login, an address or a name")
    return [(who, own["name"] or f"{own['first']} {own['last']}".strip() or who)
            for who, own in found]  # fmt: skip


def shared_out(students, groups, names, first):
    """Who gets which seed: rows of the table, and the papers to write.

    Parameters
    ----------
    students : list of (str, str)
    groups : int or None
        With a number of groups the students get them in turn; else each gets a paper.
    names : sequence of str
    first : int

    Returns
    -------
    rows : list of tuple
    papers : list of tuple
    """
    if groups is not None and not 2 <= groups <= len(students):
        raise ValueError(
            f"GROUPS must be 2 to {len(students)}, the number of students, not {groups}"
        )
    seeds = list(itertools.islice(variants(names, first), groups or len(students)))
    if groups:
        papers = [(f"exam_{seed}", seed, "", str(k)) for k, seed in enumerate(seeds, 1)]
        turns = itertools.cycle(papers)
        rows = [(*student, *next(turns)) for student in students]
        return [(who, name, group, seed, file) for who, name, file, seed, _, group in rows], papers
    papers = [
        (f"exam_{seed}_{who}", seed, name, "")
        for (who, name), seed in zip(students, seeds, strict=True)
    ]
    rows = [(*s, "", seed, file) for s, (file, seed, *_) in zip(students, papers, strict=True)]
    return rows, papers


def as_csv(rows):
    """The table who has which seed."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("login", "name", "group", "seed", "paper"))
    writer.writerows(rows)
    return text.getvalue()


def main():
    """Write what the command line asks for."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--questions", nargs="*", choices=list(QUESTIONS), default=None)
    reader.add_argument("--title", default="Exam")
    reader.add_argument("--roster", type=Path, help="a paper for each student of this CSV")
    reader.add_argument("--groups", type=int, help="or for each of so many groups of them")
    reader.add_argument("--out", type=Path, default=Path("exams"))
    reader.add_argument("--page", action="store_true", help="write the page of the book instead")
    asked = reader.parse_args()
    if asked.page:
        PAGE.write_text(page(), encoding="utf-8")
        return
    names = asked.questions or list(QUESTIONS)
    if len(set(names)) < len(names):
        reader.error("QUESTIONS must name each question once")
    if asked.seed < 0:
        reader.error(f"SEED must be a whole number, 0 or more, not {asked.seed}")
    if asked.roster is None:
        if asked.groups is not None:
            reader.error("GROUPS needs a ROSTER: the students that are shared out")
        write(asked.out, [(f"exam_{asked.seed}", asked.seed, "", "")], names, asked.title)
        return
    try:
        students = students_of(asked.roster)
        rows, papers = shared_out(students, asked.groups, names, asked.seed)
    except ValueError as error:
        reader.error(str(error))
    folder = asked.out / f"{asked.roster.stem}_{asked.seed}"
    path = folder / "seeds.csv"
    if path.is_file():
        with path.open(encoding="utf-8", newline="") as file:
            before = {row["login"]: row["paper"] for row in csv.DictReader(file)}
        moved = [row[0] for row in rows if before.get(row[0], row[-1]) != row[-1]]
        if moved:
            reader.error(
                f"{path} gives {moved[0]} another paper than now: choose another SEED or OUT"
            )
    write(folder, papers, names, asked.title)
    path.write_text(as_csv(rows), encoding="utf-8")
    print("who has which seed:", path)


if __name__ == "__main__":
    main()
