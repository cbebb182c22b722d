"""The program that makes room for a chapter, on a book of three."""

import renumber

PAGE = """\
{doc}`2 <guide/02_pruning>`, {doc}`/notebooks/02_pruning`, 03_forests_solutions
[3. Forests](03_forests.ipynb)
| 2 | {doc}`/notebooks/02_pruning` | slides of chapter 2 |
    2: ("Pruning", "02_pruning"),
room=3, bug_museum_02, hw2, 102_pruning, {ref}`pruning-2`, section 2, room=1
Question("Forests", 2, 8, text), room 2 of the {doc}`bug
Chapters 1 to 3 use chapter\u00a02. See chapter 2.5 of the manual, and chapters 2, 3 and 1.
Louppe (2014), chapter 3; Quinlan's book. Its chapters 2 and 3; chapter 3 and appendix B.
"""
MOVED = """\
{doc}`3 <guide/03_pruning>`, {doc}`/notebooks/03_pruning`, 04_forests_solutions
[4. Forests](04_forests.ipynb)
| 3 | {doc}`/notebooks/03_pruning` | slides of chapter 3 |
    3: ("Pruning", "03_pruning"),
room=4, bug_museum_03, hw2, 102_pruning, {ref}`pruning-2`, section 2, room=1
Question("Forests", 3, 8, text), room 3 of the {doc}`bug
Chapters 1 to 4 use chapter\u00a03. See chapter 2.5 of the manual, and chapters 3, 4 and 1.
Louppe (2014), chapter 3; Quinlan's book. Its chapters 2 and 3; chapter 3 and appendix B.
"""


def test_files_and_words_make_room_for_a_chapter(tmp_path):
    """What the chapters are called moves, and what only looks like it stays; other bytes too."""
    files = {
        "notebooks/01_reading.ipynb": PAGE,
        "notebooks/02_pruning.ipynb": "",
        "notebooks/03_forests.ipynb": "\r\n",
        "notebooks/exercises/03_forests_solutions.ipynb": "",
        "book/ledger/thesis.yml": "notebooks/03_forests: chapter 3",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    (tmp_path / "book/picture.png").write_bytes(b"\xff02_pruning")
    all_files = [path for path in tmp_path.rglob("*") if path.is_file()]
    renumber.apply(*renumber.plan(tmp_path, all_files, 2))
    found = {
        path.relative_to(tmp_path).as_posix(): path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file()
    }
    assert found == {
        "notebooks/01_reading.ipynb": MOVED.encode(),
        "notebooks/03_pruning.ipynb": b"",
        "notebooks/04_forests.ipynb": b"\r\n",
        "notebooks/exercises/04_forests_solutions.ipynb": b"",
        "book/ledger/thesis.yml": b"notebooks/04_forests: chapter 3",
        "book/picture.png": b"\xff02_pruning",
    }
