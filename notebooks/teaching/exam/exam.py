"""Exam papers: the same questions with other numbers for every seed, and keys from treelab.

``python exam.py --seed 7`` writes ``exam_7.md`` (for the students) and ``exam_7_key.md``. With
``--questions growing adaboost`` the paper has only these. ``--page`` writes the page of the book
that shows every question once, with the numbers of seed 0.

Vocabulary
----------
question : a function of a random generator in `questions.QUESTIONS`; it returns a `Question`
given, answer : the numbers that the text shows, and those that the key shows
"""

import argparse
import zlib
from pathlib import Path

import numpy as np
from questions import QUESTIONS

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "book" / "exam_questions.md"


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
    head = (
        f"**{minutes} minutes, {minutes} points.** Paper, pencil and a calculator. "
        "Show your work. Round to three decimals at the end only.\n"
    )
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

The first command writes `exam_7.md` and `exam_7_key.md` into `_build/exam`, the second takes three
of the questions. Two groups in one room can have two seeds, and a question gets the same numbers
whatever else is on the paper. The keys are not typed in: treelab computes them, with the functions
that the chapters use, and a test recomputes them for many seeds without treelab.

A minute is worth a point. All the numbers can be had with a calculator.
"""


def main():
    """Write what the command line asks for."""
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--questions", nargs="*", choices=list(QUESTIONS), default=None)
    reader.add_argument("--out", type=Path, default=Path("_build/exam"))
    reader.add_argument("--page", action="store_true", help="write the page of the book instead")
    asked = reader.parse_args()
    if asked.page:
        PAGE.write_text(page(), encoding="utf-8")
        return
    asked.out.mkdir(parents=True, exist_ok=True)
    for name, text in zip(("", "_key"), paper(asked.seed, asked.questions), strict=True):
        path = asked.out / f"exam_{asked.seed}{name}.md"
        path.write_text(text, encoding="utf-8")
        print("written:", path)


if __name__ == "__main__":
    main()
