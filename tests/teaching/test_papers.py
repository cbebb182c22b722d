"""Printed exams: what stands on the pages of the PDFs, and who gets which seed of a roster."""

import csv
import functools
import re
import shutil
import subprocess
import sys

import exam
import pikepdf
import pytest
import sheets
from browser_tools import tools
from cases import each
from places import ROOT
from questions import ABSOLUTE, QUESTIONS, RELATIVE, Question

pytestmark = pytest.mark.timeout(3000)  # a busy machine prints slowly

ROSTER = """Student,ID,SIS Login ID
    Points Possible,,
"Lovelace, Ada",101,ada
"Müller, Jörg",102,joerg
"<b>&amp; ""Co"" \\2",103,co
"""
NAMES = ["Lovelace, Ada", "Müller, Jörg", '<b>&amp; "Co" \\2']
SIX = ("reading", "growing", "pruning", "gain-ratio", "adaboost", "local-null")


def characters(font):
    """The width of the codes of a font, in bytes, and what each means."""
    text = font.ToUnicode.read_bytes().decode("latin1")
    width = len(re.search(r"begincodespacerange\s*<(\w+)>", text)[1]) // 2
    known = {}
    for block in re.findall(r"beginbfchar(.*?)endbfchar", text, re.DOTALL):
        for code, means in re.findall(r"<(\w+)>\s*<(\w+)>", block):
            known[int(code, 16)] = bytes.fromhex(means).decode("utf-16-be")
    for block in re.findall(r"beginbfrange(.*?)endbfrange", text, re.DOTALL):
        for first, last, means in re.findall(r"<(\w+)>\s*<(\w+)>\s*<(\w+)>", block):
            for k in range(int(first, 16), int(last, 16) + 1):
                known[k] = chr(int(means, 16) + k - int(first, 16))
    return width, known


def texts(path):
    """The text of every page of a PDF, without its spaces."""
    found = []
    with pikepdf.open(path) as pdf:
        for page in pdf.pages:
            fonts, written = {}, ""
            for operands, operator in pikepdf.parse_content_stream(page):
                if str(operator) == "Tf":
                    name = str(operands[0])
                    if name not in fonts:
                        fonts[name] = characters(page.Resources.Font[name])
                    width, known = fonts[name]
                elif str(operator) in ("Tj", "TJ"):
                    pieces = operands[0] if str(operator) == "TJ" else operands
                    for piece in pieces:
                        if isinstance(piece, pikepdf.String):
                            data = bytes(piece)
                            codes = [data[i : i + width] for i in range(0, len(data), width)]
                            written += "".join(known[int.from_bytes(code)] for code in codes)
            found.append("".join(written.split()))
    return found


def squeezed(text):
    """A text as `texts` gives it."""
    return "".join(text.split())


def run(folder, *arguments):
    """Call the program; it must succeed."""
    command = [sys.executable, exam.__file__, "--out", str(folder), *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


def main(folder, *arguments):
    """Do the same in this process, which has imported all it needs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["exam.py", "--out", str(folder), *arguments])
        exam.main()


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """A paper and its key, as `make exam` prints them."""
    tools()
    folder = tmp_path_factory.mktemp("exams")
    run(folder, "--seed", "7", "--title", "Trees & forests", "--questions", *SIX)
    return folder


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Papers for a roster."""
    tools()
    folder = tmp_path_factory.mktemp("shared")
    (folder / "class.csv").write_text(ROSTER, encoding="utf-8")
    main(folder, "--seed", "30", "--roster", str(folder / "class.csv"), "--questions", "hits")
    return folder / "class_30"


def check_markdown(folder, seed, names):
    """See that a paper and its key are also there as Markdown, with what belongs to each."""
    text, key = (
        (folder / f"exam_{seed}{end}.md").read_text(encoding="utf-8") for end in ("", "_key")
    )
    for k, name in enumerate(names, 1):
        question = exam.ask(name, seed)
        assert f"## {k}. {question.title} ({question.minutes} points)" in text
        assert question.text in text
        assert question.key in key
        assert question.key not in text


def test_a_printed_paper_has_a_head_questions_and_their_points(printed):
    check_markdown(printed, 7, SIX)
    pages = texts(printed / "exam_7.pdf")
    for k, page in enumerate(pages, 1):
        assert f"Variant7,page{k}of{len(pages)}" in page
    assert 4 <= len(pages) <= 8
    first, whole = pages[0], "".join(pages)
    asked = [exam.ask(name, 7) for name in SIX]
    total = sum(question.minutes for question in asked)
    assert f"{total}minutes,{total}points." in first
    assert (
        squeezed(f"within {ABSOLUTE:g} of the key, or within {100 * RELATIVE:g} percent") in first
    )
    assert "Trees&forests" in first
    assert "Name" in first
    assert f"Total{total}" in first
    for k, question in enumerate(asked, 1):
        title = squeezed(question.title)
        assert f"{k}{title}{question.minutes}" in first
        assert whole.count(f"{k}.{title}/{question.minutes}") == 1
    boxes = re.findall(
        r"\d\.(?:" + "|".join(squeezed(q.title) for q in asked) + r")/(\d+?)(?=\D)", whole
    )
    assert sum(map(int, boxes)) == total


def test_no_question_is_torn(printed):
    """The last part of each stands on the page of its heading."""
    pages = texts(printed / "exam_7.pdf")
    for k, name in enumerate(SIX, 1):
        question = exam.ask(name, 7)
        [here] = [page for page in pages if f"{k}.{squeezed(question.title)}/" in page]
        for text in sheets.parts(question.text)[1].values():
            assert squeezed(text.partition("$")[0].replace("`", "")) in here


def test_a_printed_key_has_every_answer(printed):
    whole = "".join(texts(printed / "exam_7_key.pdf"))
    assert "Keyto:Trees&forests" in whole
    for k, name in enumerate(SIX, 1):
        question = exam.ask(name, 7)
        assert f"{k}.{squeezed(question.title)}/{question.minutes}" in whole
        for number in re.findall(r"\d+\.\d{3}", question.key):
            assert number in whole


def test_the_sheets_are_a4_and_need_no_color(printed):
    with pikepdf.open(printed / "exam_7.pdf") as pdf:
        for page in pdf.pages:
            assert [float(x) for x in page.mediabox] == pytest.approx([0, 0, 595.3, 841.9], abs=1)
            for operands, operator in pikepdf.parse_content_stream(page):
                if str(operator) in ("rg", "RG"):
                    assert len({float(x) for x in operands}) == 1


def test_the_pages_that_remain_without_chromium(tmp_path, monkeypatch, capsys):
    """HTML that asks no other host, Markdown, and a sentence that says what is missing."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "")
    asked = ["shapley", "forest"]
    main(tmp_path, "--seed", "7", "--questions", *asked)
    told = capsys.readouterr().out
    assert "The papers cannot be printed without Chromium" in told
    assert str(tmp_path / "html") in told
    assert not list(tmp_path.glob("*.pdf"))
    page = (tmp_path / "html" / "exam_7.html").read_text(encoding="utf-8")
    check_markdown(tmp_path, 7, asked)
    assert all(exam.ask(name, 7).title in page for name in asked)
    for address in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert (tmp_path / "html" / address).is_file()


def test_each_student_of_a_roster_gets_a_paper(shared):
    with (shared / "seeds.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["login"] for row in rows] == ["ada", "joerg", "co"]
    assert [row["name"] for row in rows] == NAMES
    assert [row["group"] for row in rows] == [""] * 3
    seeds = [int(row["seed"]) for row in rows]
    assert seeds == sorted(set(seeds))
    assert seeds[0] == 30
    for row, seed in zip(rows, seeds):
        pages = texts(shared / f"{row['paper']}.pdf")
        assert row["paper"] == f"exam_{seed}_{row['login']}"
        assert f"Name{squeezed(row['name'])}" in pages[0]
        for page in pages:
            assert squeezed(row["name"]) in page.replace("Name" + squeezed(row["name"]), "")
            assert f"Variant{seed},page" in page
        counts = re.search(r"\|(?: *\d+ \|){4}", exam.ask("hits", seed).text)[0]
        assert re.sub(r"[ |]", "", counts) in "".join(pages)
        assert texts(shared / f"exam_{seed}_key.pdf")


def test_all_papers_in_one_file_begin_on_the_front_of_a_sheet(shared):
    pages = texts(shared / "papers.pdf")
    begins = [k for k, page in enumerate(pages) if "Total" in page]
    assert len(begins) == 3
    assert all(k % 2 == 0 for k in begins)
    assert len([page for page in texts(shared / "keys.pdf") if "Keyto" in page]) == 3


def test_groups_get_papers_in_turn(tmp_path):
    students = [(f"s{k}", f"S {k}") for k in range(7)]
    rows, papers = exam.shared_out(students, 3, ["hits", "adaboost"], 5)
    seeds = [paper[1] for paper in papers]
    assert len(set(seeds)) == 3
    assert [row[3] for row in rows] == [*seeds, *seeds, seeds[0]]
    assert [row[2] for row in rows] == [*"1231231"]
    assert [paper[0] for paper in papers] == [f"exam_{seed}" for seed in seeds]
    assert {row[4] for row in rows} == {paper[0] for paper in papers}


def test_neighbors_never_have_the_same_question(monkeypatch):
    """Two seeds of AdaBoost may have the same eight cases; such a seed is passed over."""
    monkeypatch.setattr(exam, "ask", functools.cache(exam.ask))
    names = ["adaboost", "wind-power"]
    students = [(str(k), str(k)) for k in range(150)]
    rows, _ = exam.shared_out(students, None, names, 1)
    seeds = [row[3] for row in rows]
    for one, other in zip(seeds, seeds[1:]):
        assert one < other
        for name in names:
            assert exam.ask(name, one).text != exam.ask(name, other).text
    assert seeds != list(range(1, 151))


def test_bad_input_is_refused(tmp_path, monkeypatch, capsys):
    texts = {"class": ROSTER, "empty": "Color,Size\nred,3\n", "twice": "username\nada\nada\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    refused = {
        "forest --roster none.csv": "there is no",
        "forest --roster empty.csv": "nobody is in",
        "forest --roster twice.csv": "two students called 'ada'",
        **{f"forest --roster class.csv --groups {n}":
           f"GROUPS must be 2 to 3, the number of students, not {n}" for n in (0, 1, 4)},
        "forest --groups 2": "GROUPS needs a ROSTER",
        "forest --seed -1": "SEED must be a whole number",
        "forest --seed seven": "invalid int value",
        "tree": "invalid choice: 'tree'",
        "forest forest": "each question once",
    }  # fmt: skip
    for arguments, said in refused.items():
        command = ["exam.py", "--out", "out", "--questions", *arguments.split()]
        monkeypatch.setattr(sys, "argv", command)
        with pytest.raises(SystemExit, match="2"):
            exam.main()
        assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_table_in_use_is_not_written_over(tmp_path, monkeypatch, capsys):
    """Who came first in the roster was given a paper; a newcomer must not shift it."""
    roster = tmp_path / "class.csv"
    roster.write_text("username\nada\nida\n", encoding="utf-8")
    monkeypatch.setattr(exam, "write", lambda *given: None)
    command = ["exam.py", "--questions", "forest", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", [*command, "--roster", str(roster)])
    (tmp_path / "class_1").mkdir()
    exam.main()
    table = (tmp_path / "class_1" / "seeds.csv").read_text(encoding="utf-8")
    roster.write_text("username\nbob\nada\nida\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        exam.main()
    assert "gives ada another paper than now" in capsys.readouterr().err
    assert (tmp_path / "class_1" / "seeds.csv").read_text(encoding="utf-8") == table
    roster.write_text("username\nada\nida\nbob\n", encoding="utf-8")
    exam.main()
    assert (tmp_path / "class_1" / "seeds.csv").read_text(encoding="utf-8").startswith(table)


@each("name", QUESTIONS)
def test_every_part_of_a_question_has_its_room(name):
    question = exam.ask(name, 1)
    before, told = sheets.parts(question.text)
    assert list(sheets.WORDS) == list(QUESTIONS)
    assert len(told) >= 3
    assert squeezed(before + "".join(told.values())) == squeezed(question.text)
    assert set(sheets.WORDS[name]) <= set(told)
    html = sheets.paper({name: question}, "Exam", 1, exam.RULES)
    lines = html.count('class="line"')
    assert html.count('class="room"') == len(told) - len(sheets.WORDS[name])
    assert lines >= 2 * len(sheets.WORDS[name])
    assert bool(lines) == bool(sheets.WORDS[name])
    assert "$" not in html.partition("<body")[2]


def test_letters_in_a_text_are_no_parts():
    text = "Before. (a) First, as in (c)? (b) Second, by (a). (c) Third (d)."
    before, told = sheets.parts(text)
    assert before == "Before."
    assert list(told.values()) == ["(a) First, as in (c)?", "(b) Second, by (a).", "(c) Third (d)."]


def test_a_table_on_a_page_has_its_borders(tmp_path):
    """Of what a page loads nothing is forgotten, and a formula is for MathJax."""
    sheets.write_style(tmp_path)
    style = tmp_path / "style"
    for name in re.findall(r'url\("([^"]+)"\)', (style / "fonts.css").read_text(encoding="utf-8")):
        assert (style / name).is_file()
    assert list((style / "mathjax" / "output").rglob("*.woff"))
    question = Question("T", 1, 3, "| $x$ |\n|---:|\n| 1 |\n\n(a) $a < b$?\n", "", {}, {})
    html = sheets.paper({"shapley": question}, "Exam", 1, "Rules.")
    assert r'<span class="math inline">\(a &lt; b\)</span>' in html
    assert "<td" in html
