"""The homework: checkers, hidden tests, what is derived from the sources, and one id everywhere.

The answers stand in ``homework_cases/hwN.py``, see ``checker_cases.py``. Cells run in a plain
namespace here; that they run in a notebook is nbval's work, and that they grade, `test_grading`'s.
"""

import ast
import contextlib
import functools
import importlib
import inspect
import io
import re
import shutil
import symtable
import sys

import checker_cases
import make_homework
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from cases import each
from grader import kernel
from make_homework import FOLDER, by_reading, graded_cells, mark, question_of

from treelab.exercises import checkers
from treelab.fast.selection import selection_stability

pytestmark = pytest.mark.timeout(3000)  # a busy machine is slow

NAMES = make_homework.assignments()
sys.path += [str(path) for path in sorted((FOLDER / "source").iterdir())]  # for the checkers
CASES = checker_cases.Cases("homework_cases")
JUDGES = {name: importlib.import_module(f"judges_{name}") for name in NAMES}
IN_FORM = "in form; whether it is right you learn when your work is graded"
CHECK = re.compile(r'^check\("([\w-]+)", (\w+)\)', re.M)
SOLUTION = re.compile(r"^[ \t]*### BEGIN SOLUTION\n(.*?)^[ \t]*### END SOLUTION", re.M | re.S)
HIDDEN = re.compile(r"^### BEGIN HIDDEN TESTS\n(.*?)^### END HIDDEN TESTS", re.M | re.S)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course folder with what is derived from the sources."""
    folder = tmp_path_factory.mktemp("course")
    shutil.copytree(FOLDER / "source", folder / "source", ignore=shutil.ignore_patterns("__*"))
    for name in NAMES:
        make_homework.make(name, folder)
    return folder


@functools.cache
def source(name):
    """The source notebook of an assignment."""
    return nbformat.read(FOLDER / "source" / name / f"{name}.ipynb", as_version=4)


def cells_that_test(name):
    """The test cells of an assignment."""
    return [c for c in graded_cells(source(name)) if not by_reading(c)]


def coded(name):
    """The questions with a visible check, and the name of what it looks at."""
    found = [CHECK.search(c.source) for c in cells_that_test(name)]
    return {match.group(1): match.group(2) for match in found if match}


@functools.cache
def compiled(text, name):
    """The code of a cell, without the lines that only a notebook understands."""
    return compile(re.sub(r"^[%!].*$", "", text, flags=re.M), name, "exec")


def run(cell, space):
    """Run a code cell; what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compiled(cell.source, mark(cell).get("grade_id", "cell")), space)
    plt.close("all")
    return printed.getvalue()


@functools.cache
def solved(name):
    """The namespace after all the cells of an assignment but tests and figures."""
    space = {"__name__": "homework"}
    for cell in source(name).cells:
        if cell.cell_type == "code" and not mark(cell).get("grade"):
            if "plt.show()" not in cell.source:
                run(cell, space)
    return space


def judges():
    """`check` and `verdict`, which judge an answer once, however many tests ask about it."""
    known = {}

    def verdict(question, answer):
        key = question, id(answer)
        if key not in known:  # the answer is kept, so that no other gets its id
            known[key] = answer, checkers.verdict(question, answer)
        return known[key][1]

    return {"check": lambda question, answer: print(f"{question}: {verdict(question, answer)[1]}"),
            "verdict": verdict}  # fmt: skip


def failures(question, answer, judging):
    """The tests of a question that an answer fails, hidden lines included."""
    name = question.rpartition("-")[0]
    space = {**solved(name), coded(name)[question]: answer, **judging}
    failed = []
    for cell in cells_that_test(name):
        if question_of(mark(cell)["grade_id"]) == question:
            try:
                run(cell, space)
            except Exception as error:
                failed.append(f"{mark(cell)['grade_id']}: {type(error).__name__}: {error}")
    return failed


def test_there_is_homework():
    assert NAMES
    assert set(CASES.names) == set(NAMES)
    modules = [CASES.module(name) for name in NAMES]
    assert {q for module in modules for q in (*module.CORRECT, *module.WRONG)} == {*CASES.questions}


@pytest.mark.parametrize("most", [1, pytest.param(9, marks=pytest.mark.whole)], ids=["", "all"])
@pytest.mark.parametrize("question", CASES.questions)
def test_right_answers_pass_and_typical_mistakes_get_hints_and_lose_points(question, most):
    """The visible check and the hidden tests agree, and a hole is told from a mistake.

    The cells of the notebook, which call the check among others, test a right answer and a wrong
    one; in `make test-all` every answer.
    """
    right, wrong = CASES.right(question), CASES.wrong(question)
    written = CASES.is_function(question)
    assert len(right) >= (2 if written else 1)
    assert len(wrong) >= (4 if written else 3)
    with checker_cases.collected() as case:
        for k, (name, answer) in enumerate(right.items()):
            with case(name):
                judging = judges()
                assert judging["verdict"](question, answer) == (True, "passed")
                assert k >= most or failures(question, answer, judging) == []
        for k, (name, (answer, fragment)) in enumerate(wrong.items()):
            with case(name):
                judging = judges()
                passed, hint = judging["verdict"](question, answer)
                assert not passed
                assert fragment in hint
                assert k >= most or failures(question, answer, judging), "no test fails"
        for name, hole in CASES.holes(question).items():
            with case(name):
                assert checkers.verdict(question, hole) == (False, "not done yet")


@pytest.mark.parametrize("name", NAMES)
def test_grading_can_tell_a_test_that_was_tampered_with(name):
    """Every test fails where the right answer is spoilt, and no question takes just anything."""
    ids = [mark(c)["grade_id"] for c in cells_that_test(name)]
    with checker_cases.collected() as case:
        for question in coded(name):
            with case(question):
                spoilt = kernel.spoil(next(iter(CASES.right(question).values())))
                failed = [f.partition(":")[0] for f in failures(question, spoilt, judges())]
                assert failed == [grade_id for grade_id in ids if question_of(grade_id) == question]
                assert not checkers.verdict(question, object())[0]


# --- own numbers --------------------------------------------------------------------------


def by_hand(name, number):
    """(question, right answer, [(wrong answer, fragment of its hint), ...]) for a number.

    ``by_hand`` of the cases gets what ``given(number)`` returns, and finds the answers without the
    judges: ``{question: (right answer, [(wrong answer, fragment), ...]), ...}``.
    """
    found = CASES.module(name).by_hand(importlib.import_module(f"checks_{name}").given(number))
    assert set(found) == set(JUDGES[name].JUDGES)
    return [(question, *answers) for question, answers in found.items()]


def in_three_decimals(answer):
    """The answer with its floats rounded, as students write them."""
    if isinstance(answer, dict):
        return {key: in_three_decimals(part) for key, part in answer.items()}
    if isinstance(answer, list | tuple):
        return type(answer)(map(in_three_decimals, answer))
    rounds = isinstance(answer, float | np.ndarray)
    return np.round(answer, 3) if rounds else answer


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.whole)])
@pytest.mark.parametrize("name", NAMES)
def test_every_number_has_its_lesson(name, every, monkeypatch):
    """Right answers pass, rounded ones too, and each typical mistake gets its own hint.

    One number of six is tried, and of six mistakes one with each, in turn; all numbers and all
    mistakes in `make test-all`. The tables of neighbors differ, and nearly always their answers.
    """
    draw, answers = functools.cache(importlib.import_module(f"checks_{name}").given), {}
    for module in (f"checks_{name}", f"judges_{name}"):  # the tables of a number are drawn once
        monkeypatch.setattr(sys.modules[module], "given", draw)
    with checker_cases.collected() as case:
        for turn, number in enumerate(range(0, 300, every)):
            monkeypatch.setattr(checkers, "_NUMBER", number)
            for question, right, wrong in by_hand(name, number):
                answers.setdefault(question, []).append(repr(right))
                with case(f"{question} with number {number}"):
                    for answer in (right, in_three_decimals(right)):
                        assert checkers.verdict(question, answer) == (True, "passed"), answer
                    assert len(wrong) >= 3
                    for answer, fragment in wrong[turn % every :: every]:
                        passed, hint = checkers.verdict(question, answer)
                        assert not passed, answer
                        assert fragment in hint, answer
        for question, of_numbers in answers.items():
            with case(f"{question} with other numbers"):
                assert len(set(of_numbers[:30])) >= 5


@each("name", NAMES)
def test_students_learn_only_whether_an_answer_by_hand_is_in_form(name, monkeypatch):
    monkeypatch.setitem(sys.modules, f"judges_{name}", None)  # an import fails
    for question, right, wrong in by_hand(name, 0):
        assert checkers.verdict(question, right) == (False, IN_FORM)
        hints = [(checkers.verdict(question, answer)[1], part) for answer, part in wrong]
        assert all(hint == IN_FORM or part in hint for hint, part in hints), question
        assert IN_FORM in [hint for hint, _ in hints], question


@each("name", NAMES)
def test_part_a_shows_the_tables_of_a_number(name):
    """Another number runs through, and changes what is printed or shown."""
    cells = source(name).cells
    end = next(i for i, c in enumerate(cells) if c.source.startswith("## Part B"))
    code = [c for c in cells[:end] if c.cell_type == "code" and not mark(c).get("grade")]
    assert [bool(re.search("^NUMBER = 0  #", c.source, re.M)) for c in code].count(True) == 1
    space = {"__name__": "homework"}
    for cell in code:
        own = re.sub("^NUMBER = 0 ", "NUMBER = 17 ", cell.source, flags=re.M)
        run(nbformat.from_dict({**cell, "source": own}), space)
    assert space["NUMBER"] == 17


def test_one_entry_turns_the_root_of_every_garden():
    """What hw1-8 asks for can be done: a single entry makes the root ask about the other column."""
    right_cut_gains = JUDGES["hw1"].HELPERS["hw1-6"]["cut_gains"]

    def root(table):
        y = (table["fate"] == "thrives").astype(int)
        w = table["pots"].astype(float)
        gains = [right_cut_gains(table[name].astype(float), y, w, 2)[1] for name in columns]
        return gains[1].max() > gains[0].max() + 1e-9

    columns = "hours", "water"
    for number in range(300):
        garden = importlib.import_module("checks_hw1").given(number)["garden"]
        entries = {"fate": ("wilts", "thrives"), "water": range(9)}
        entries |= dict.fromkeys(("pots", "hours"), range(1, 20))
        others = [(name, i, n) for name in entries for n in entries[name] for i in range(8)]
        tried = ({**garden, name: np.where(np.arange(8) == i, value, garden[name])}
                 for name, i, value in others)  # fmt: skip
        was = root(garden)
        assert any(root(table) != was for table in tried), number


def test_one_risk_makes_another_link_of_every_tree_the_weakest():
    """What hw2-9 asks for can be done."""
    links = JUDGES["hw2"].links
    for number in range(300):
        own = importlib.import_module("checks_hw2").given(number)
        left, right, R = (own[name].tolist() for name in ("left", "right", "risk"))
        inner = {t for t in range(9) if left[t] >= 0}

        def weakest(R, left=left, right=right, inner=inner):
            g = links(left, right, R, inner)
            return [t for t in g if g[t] <= min(g.values()) + 1e-9]

        first = weakest(R)
        tried = [[*R[:t], risk, *R[t + 1 :]] for t in range(9) for risk in np.arange(0, 60, 0.5)]
        found = map(weakest, tried)
        assert any(len(link) == 1 and link[0] not in first for link in found), number


# --- each error costs its own points ------------------------------------------------------


def bound(text):
    """The names that a piece of code binds where it stands, not inside its functions."""
    names = symtable.symtable(text, "cell", "exec").get_symbols()
    return {name.get_name() for name in names if name.is_assigned() or name.is_imported()}


def used(scope):
    """The names of the notebook that a piece of code, or a scope in it, may look up."""
    if isinstance(scope, str):
        scope = symtable.symtable(scope, "cell", "exec")
    own = {s.get_name() for s in scope.get_symbols() if s.is_referenced() and s.is_global()}
    return own.union(*map(used, scope.get_children()))


@functools.cache
def uses(name):
    """What each name that the cells of an assignment bind is made from, by name."""
    found = {}
    for cell in source(name).cells:
        if cell.cell_type == "code" and not mark(cell).get("grade"):
            for node in ast.parse(re.sub(r"^[%!].*$", "", cell.source, flags=re.M)).body:
                for own in bound(ast.unparse(node)):
                    found.setdefault(own, set()).update(used(ast.unparse(node)))
    return found


def names_behind(name, question):
    """The names of the notebook that the tests of a question reach."""
    tests = [c for c in cells_that_test(name) if question_of(mark(c)["grade_id"]) == question]
    found = [n for c in tests for n in used(c.source)]
    for own in found:
        found += [n for n in uses(name).get(own, ()) if n not in found]
    return set(found)


def dependents():
    """(question, the others whose tests reach its answer), where there are such."""
    for name in NAMES:
        behind = {question: names_behind(name, question) for question in coded(name)}
        for question, own in coded(name).items():
            others = [q for q in behind if q != question and own in behind[q]]
            if others:
                yield pytest.param(question, others, id=question)


def stops(*args, **kwargs):
    """An answer that stops."""
    raise RuntimeError("this function does not work")


@pytest.mark.parametrize(("question", "others"), list(dependents()))
def test_an_error_costs_its_own_points(question, others):
    """Where one answer is wrong, the right ones that use it keep their points."""
    name, own = question.rpartition("-")[0], coded(question.rpartition("-")[0])[question]
    space = solved(name)
    tests = [c for c in cells_that_test(name) if question_of(mark(c)["grade_id"]) in others]
    kept, lost = dict(space), []
    wrong = [CASES.of(question).WRONG[question][0][0]]
    if CASES.is_function(question):
        wrong.append(stops)
    try:
        for answer in wrong:
            space |= judges()
            space[own] = answer  # the functions of the notebook look their names up in it
            for cell in tests:
                try:
                    run(cell, space)
                except Exception as error:
                    lost.append(f"{mark(cell)['grade_id']}, with {answer}: {error}")
            assert space[own] is answer  # the helpers are gone
    finally:
        space.clear()
        space.update(kept)
    assert lost == []


@each("name", NAMES)
def test_the_helpers_are_right(name):
    questions = {answer: question for question, answer in coded(name).items()}
    found = {}
    for helpers in JUDGES[name].HELPERS.values():
        for own, helper in helpers.items():
            assert found.setdefault(own, helper) is helper
    for own, helper in found.items():
        assert checkers.verdict(questions[own], helper) == (True, "passed"), own


# --- the assignments ----------------------------------------------------------------------


@each("name", NAMES)
def test_one_id_in_text_answer_test_checker_and_rubric(name, course):
    cells = source(name).cells
    graded = list(
        dict.fromkeys(question_of(mark(c)["grade_id"]) for c in graded_cells(source(name)))
    )
    assert graded == [f"{name}-{k}" for k in range(1, len(graded) + 1)]
    answers = [mark(c)["grade_id"] for c in cells if mark(c).get("solution")]
    assert set(graded) <= set(answers)
    text = (FOLDER / "source" / name / f"checks_{name}.py").read_text(encoding="utf-8")
    assert set(re.findall(r'^@checker\("([\w-]+)"', text, re.M)) == set(coded(name))
    assert set(coded(name)) == {q for q in CASES.questions if q.startswith(f"{name}-")}
    rubric = (course / "rubrics" / f"{name}.md").read_text(encoding="utf-8")
    text = "\n".join(c.source for c in cells if c.cell_type == "markdown")
    for question in graded:
        own = [
            c for c in graded_cells(source(name)) if question_of(mark(c)["grade_id"]) == question
        ]
        ids = [mark(c)["grade_id"] for c in own]
        manual = [question] if by_reading(own[0]) else None
        parts = [f"{question}-test-{part}" for part in "abc"[: len(ids)]]
        assert ids in (manual, [f"{question}-test"], parts)
        assert (question in coded(name)) == (manual is None)
        points = sum(mark(c)["points"] for c in own)
        said = re.search(rf"\b{question}\b[^\n]*?\((\d+) points?\b", text)
        assert said, f"{question}: the text names the points"
        assert int(said.group(1)) == points, question
        assert f"| {question} | `{ids[0]}` |" in rubric


@each("name", NAMES)
def test_an_assignment_has_its_points_and_a_third_of_them_by_reading(name):
    """40 points, 13 of them by reading: 5 on the student's own run, and 8 on an open question."""
    graded = graded_cells(source(name))
    opened = [c for c in graded if by_reading(c)]
    assert {c.cell_type for c in opened} == {"markdown"}
    assert sum(mark(c)["points"] for c in graded) == 40
    assert [mark(c)["points"] for c in opened] == [5, 8]
    assert all(isinstance(mark(c)["points"], int) and mark(c)["points"] >= 1 for c in graded)
    for cell in opened:
        rows = re.findall(r"^\| *(\d+) *\|", cell.source.partition("**Rubric**")[2], re.M)
        assert sum(map(int, rows)) == mark(cell)["points"]


@each("name", NAMES)
def test_the_table_of_parts_adds_up(name):
    """Minutes and points of the parts, and the points of the questions of each part."""
    cells, points = source(name).cells, {}
    for cell in cells:
        part = re.match(r"## Part (\w)\.", cell.source) if cell.cell_type == "markdown" else None
        if part:
            current = points.setdefault(part.group(1), [])
        if mark(cell).get("grade"):
            current.append(mark(cell)["points"])
    told = re.findall(r"^\| (\w) \|[^|]*\| (\d+) \| (\d+) \|$", cells[0].source, re.M)
    assert {part: int(k) for part, _, k in told} == {part: sum(k) for part, k in points.items()}
    assert 150 <= sum(int(minutes) for _, minutes, _ in told) <= 215


@each("name", NAMES)
def test_the_source_has_passed_its_own_tests(name):
    for cell in cells_that_test(name):
        printed = "".join(o.get("text", "") for o in cell.outputs)
        for question in CHECK.findall(cell.source):
            assert f"{question[0]}: passed\n" in printed
        assert HIDDEN.search(cell.source), f"{mark(cell)['grade_id']} has hidden tests"
        assert {o.output_type for o in cell.outputs} <= {"stream"}
    streams = {o.get("name") for c in source(name).cells for o in c.get("outputs", [])}
    assert "stderr" not in streams  # nbgrader takes it for a failure


@each("name", NAMES)
def test_hidden_tests_leave_the_names_of_the_student_alone(name):
    for cell in cells_that_test(name):
        for block in HIDDEN.findall(cell.source + "\n"):
            others = bound(block) - {"hidden_tests", "passed", "why"}
            assert others == set(), mark(cell)["grade_id"]


@each("name", NAMES)
def test_release_key_and_rubric_are_made_and_the_same_again(name, course):
    made = [course / "release" / name / file for file in (f"{name}.ipynb", f"checks_{name}.py")]
    made += [course / "keys" / f"{name}.ipynb", course / "rubrics" / f"{name}.md"]
    first = [path.read_bytes() for path in made]
    (course / "release" / name / "left_behind.py").write_text("", encoding="utf-8")
    make_homework.make(name, course)
    assert [path.read_bytes() for path in made] == first
    assert sorted((course / "release" / name).iterdir()) == sorted(made[:2])


def lines(text):
    """The lines of a text that are long enough to tell something; set."""
    return {line.strip() for line in text.splitlines() if len(line.strip()) > 15}


@each("name", NAMES)
def test_the_release_tells_no_solution_and_no_hidden_test(name, course):
    release = nbformat.read(course / "release" / name / f"{name}.ipynb", as_version=4)
    text = "\n".join(c.source for c in release.cells)
    assert "SOLUTION" not in text
    assert "HIDDEN" not in text
    assert not any(c.get("outputs") for c in release.cells)
    number = next(c for c in release.cells if re.search("^NUMBER = 0  #", c.source, re.M))
    assert number.metadata.get("editable", True)  # a student can type it
    code = [c.source for c in release.cells if c.cell_type == "code"]
    assert all(sum(bool(line.strip()) for line in text.split("\n")) <= 15 for text in code)
    assert len(re.findall("^(?:from|import) ", code[0], re.M)) <= 8
    secret, given = set(), set()
    for cell in source(name).cells:
        blocks = SOLUTION.findall(cell.source) + HIDDEN.findall(cell.source)
        if cell.cell_type == "markdown" and by_reading(cell) and mark(cell):
            blocks = [cell.source]
        shown = cell.source
        for block in blocks:
            shown = shown.replace(block, "")
        secret, given = secret | lines("\n".join(blocks)), given | lines(shown)
    assert secret
    secret |= lines(inspect.getsource(JUDGES[name]))
    assert not (secret - given) & lines(text)
    key = nbformat.read(course / "keys" / f"{name}.ipynb", as_version=4)
    assert not any("HIDDEN" in c.source for c in key.cells)
    assert any("BEGIN SOLUTION" in c.source and c.get("outputs") is not None for c in key.cells)


@pytest.mark.parametrize("name", NAMES)
def test_an_untouched_release_runs_through_and_gets_no_point(name, course):
    release = nbformat.read(course / "release" / name / f"{name}.ipynb", as_version=4)
    space, printed = {"__name__": "homework"}, ""
    for cell, own in zip(release.cells, source(name).cells, strict=True):
        if cell.cell_type == "code":
            printed += run(cell, space)
            if mark(own).get("grade"):
                with pytest.raises(Exception):  # noqa: B017, PT011  (whatever it is, no point)
                    run(own, space)
    for question in coded(name):
        assert f"{question}: not done yet\n" in printed


@each("name", NAMES)
def test_the_page_names_and_gives_out_every_assignment(name, course):
    page = (FOLDER.parents[2] / "book" / "homework.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| {name}: "))
    assert row.startswith(f"| {name}: {make_homework.title_of(source(name))} |")
    given = re.findall(r"<\.\./notebooks/teaching/homework/([^>]+)>", row)
    assert given == [f"release/{name}/{file}" for file in (f"{name}.ipynb", f"checks_{name}.py")]
    assert all((course / path).is_file() for path in given)


def test_the_rubric_page_and_what_it_wants():
    cell = nbformat.v4.new_markdown_cell("An answer without a rubric.")
    cell.metadata.nbgrader = {"grade": True, "solution": True, "grade_id": "hw0-1", "points": 2}
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# One"), cell])
    with pytest.raises(ValueError, match="hw0-1: the line"):
        make_homework.rubric_page("hw0", notebook)
    cell.source += "\n\n**Rubric**\n\n| points | what |\n|---|---|\n| 2 | all |"
    page = make_homework.rubric_page("hw0", notebook)
    assert "2 points: 0 from tests, 2 from reading" in page
    assert "> An answer without a rubric." in page
    with pytest.raises(ValueError, match="no title"):
        make_homework.title_of(nbformat.v4.new_notebook())
    assert question_of("hw1-12-test-a") == "hw1-12"
    assert question_of("imports") == "imports"


def printed(grade_id):
    """The lines that the cells print whose ids begin so."""
    cells = source(grade_id.partition("-")[0]).cells
    cells = [c for c in cells if mark(c).get("grade_id", "").startswith(grade_id)]
    return "".join(o["text"] for c in cells for o in c.outputs).splitlines()


def likeness(lists):
    """The stability of lists of features, and how many features are in all and in any of them."""
    stability = selection_stability(lists).loc["nogueira", "value"]
    return round(float(stability), 2), lists.all(axis=0).sum(), lists.any(axis=0).sum()


def test_the_answers_on_the_hives_say_what_their_runs_say():
    """The numbers of the model answer on the own run, those that no cell prints included."""
    space = solved("hw6")
    X, hand = space["table"], space["expectations"]
    assert (hand[1], hand[4]) == (14, 14)
    for known in ([True, False, False], [True, True, False]):
        assert round(space["tree_says"](np.where(known, 1, X)).mean(), 9) == 14.8
    assert np.allclose(np.subtract(space["explained"], space["shapley"]), [0.4, 0, -0.4])
    assert np.allclose(100 * space["found"] - 1, [10, 62, 1])


def test_the_answer_on_pairs_of_the_flats_says_what_the_run_says():
    """The numbers of its model answer."""
    flats, told = solved("hw7")["flats"], solved("hw7")["uncertainty"]
    let, names = flats["let"].tolist(), ["balcony", "district", "heating"]
    alone = [told(flats[name].tolist(), let) for name in names]
    assert np.round(alone, 3).tolist() == [0.344, 0.333, 0.189]
    pair = [*zip(flats["district"], flats["heating"])]
    counts = np.unique(flats["district"] + flats["heating"], return_counts=True)[1]
    assert sorted(counts) == [1, 1, 2, 2, 2, 2, 3, 3]
    assert round(-np.sum(counts / 16 * np.log2(counts / 16)), 3) == 2.906
    assert round(told(pair, let), 3) == 0.384
    assert round(2 * 0.75 / 3.906, 3) == 0.384
    assert round(told([*zip(flats.index, flats["balcony"])], let), 3) == 0.4


def test_the_open_answer_on_choosing_features_says_what_the_data_say():
    """The numbers of its model answer that no cell prints."""
    space = solved("hw7")
    X, y, kept = space["X"], space["y"], space["ten_best"]
    rng = np.random.default_rng(0)
    orders = [rng.permutation(y) for _ in range(3)]
    luck = [space["colleague"](space["NUMBERS"], X, order) for order in orders]
    assert round(max(luck), 2) == 0.90 > space["report"].loc["illness", "colleague"]
    assert max(space["found"][0]) < 1, "a column was in all twenty lists"
    close = np.corrcoef(X[:, kept(X, y)].T) > 0.9
    families = {tuple(np.flatnonzero(row)) for row in close}
    assert sorted(map(len, families)) == [5, 5]


def test_the_answer_on_boruta_and_noise_says_what_the_run_says():
    """The numbers of its model answer: the largest correlation, and how many runs it wins."""
    confirmed = [[{*ast.literal_eval(some)} - {0} for some in re.findall(r"\[.*?\]", line)]
                 for line in printed("hw8-together")]  # fmt: skip
    assert [table for table, (few, _) in enumerate(confirmed) if few] == [6]
    assert [sorted(many) for _, many in confirmed] == [
        [], [3], [], [], [10, 11, 18], [16], [14], [7],
    ]  # fmt: skip
    found = {}
    for table, (_, many) in enumerate(confirmed):
        draw = np.random.default_rng(table)
        noisy = draw.normal(size=(40, 20))
        target = noisy[:, 0] + draw.normal(size=40)
        told = np.abs(np.corrcoef(noisy.T, target)[-1, :-1])
        found |= {(table, j): told[j] for j in many}
        if table == 1:
            bars = [np.abs(np.corrcoef(draw.permuted(noisy, axis=0).T, target))
                    [-1, :-1].max() for _ in range(300)]  # fmt: skip
            assert 0.75 < np.mean(told[3] > bars) < 0.95
    assert max(found, key=found.get) == (1, 3)
    assert round(found[1, 3], 3) == 0.415


def test_the_open_answer_on_more_than_luck_says_what_the_data_say():
    """The numbers of its model answer: those of its tables, and of what no cell prints."""
    space = solved("hw8")
    X, y, parts = space["X"], space["y"], space["parts"]
    assert space["report"].round(2).to_numpy().tolist() == [[0.25, 0.31, 0.30], [0.40, 0.50, 0.48]]
    least = min(space["colleague"](space["SIZES"], X, y, *parts(seed)[:2]) for seed in range(5))
    assert round(least, 2) == 0.17
    text = "\n".join(printed("hw8-together"))
    late = [
        set(ast.literal_eval(b)) - set(ast.literal_eval(a))
        for a, b in re.findall(r"runs (\[.*?\]), after 300 (\[.*?\])", text)
    ]
    assert len(late) == 8
    assert 0 not in set().union(*late)
    assert sorted(map(len, late)) == [0, 0, 0, 0, 1, 1, 1, 3]
    assert [*map(likeness, space["lists"].values())] == [(0.62, 5, 16), (0.24, 1, 23)]


def test_the_open_answer_on_who_may_come_in_says_what_the_data_say():
    """The numbers of its model answer: those of its tables, and of what no cell prints."""
    space = solved("hw9")
    report = space["report"]
    assert report["difference"].round(3).tolist() == [0.012, -0.018]
    assert report["replicates"].round(2).tolist() == [2.45, -2.43]
    assert round(report.loc["colleague", "corrected"], 2) == 0.36
    changed = space["books"].copy()
    changed.loc[10, "thick"] = 0
    gain = JUDGES["hw9"].gain_of
    both = [(0, 0, 12), (1, 0, 7)]
    for table, entries, gains in ((space["books"], [*both, (2, 0, 2)], "0.322 0.093"),
                                  (changed, both, "0.722 0.027")):  # fmt: skip
        rows = table.to_numpy()
        case = rows[:, :3], rows[:, 3], [np.arange(12)], np.full(3, 0.4), 3
        assert space["forest_entries"](*case, np.random.default_rng(0)) == entries
        assert f"{gain(rows[7:], 1):.3f} {gain(rows, 1):.3f}" == gains
        assert f"{gain(rows[7:], 2):.3f} {gain(rows, 0):.3f}" == "0.722 0.196"
    told = space["of_both"]["honest"]
    s = told.std(ddof=1)
    limit = 2.093 * s * 1.05**0.5
    ends = (told.mean() - limit, told.mean() + limit)
    assert [round(float(v), 3) for v in (s, limit, *ends)] == [0.033, 0.071, -0.089, 0.053]
    assert space["choose"](space["X"], space["y"]).sum() == 18
    lines = [line.partition(": ")[2] for line in printed("hw9-together")]
    pairs = [re.findall(r"(\d+):(\d+)", line) for line in lines]
    noise = [int(n) for found in pairs for j, n in found if int(j) > 1]
    assert (len(noise), sum(map(len, pairs))) == (20, 32)
    assert (sum(n <= 23 for n in noise), noise.count(60)) == (12, 2)
    assert (round(space["real"], 1), round(space["shuffled"], 1)) == (13.4, 5.4)
    assert [*map(likeness, space["lists"].values())] == [(0.02, 0, 42), (0.04, 0, 48)]


def test_the_open_answer_on_here_and_not_there_says_what_the_data_say():
    """The numbers of its question and its model answer: those of its tables and lines."""
    space = solved("hw10")
    report = space["report"]
    assert report["error"].round(3).tolist() == [0.296, 0.673]
    assert report.loc["honest", ["difference", "corrected"]].round(3).tolist() == [0.145, 3.0]
    assert report.loc["colleague", "corrected"] < -2.262 < 2.262 < report.loc["honest", "corrected"]
    changed = np.array([1, 3, 5, 5, 11, 13, 17, 19, 21.0])
    bins = space["bins_of"](changed, 3)
    assert bins.tolist() == [0, 0, 1, 1, 1, 1, 2, 2, 2]
    squares = [(changed[bins == b] - changed[bins == b].mean()) ** 2 for b in range(3)]
    assert [part.tolist() for part in squares] == [[1, 1], [12.25, 12.25, 6.25, 20.25], [4, 0, 4]]
    assert round(float(np.concatenate(squares).mean()), 3) == 6.778
    told = space["of_both"]["honest"]
    assert told.mean(axis=0)[1:].round(3).tolist() == [0.528, 3.762]
    assert printed("hw10-looks") == [
        "[0.17 1.09 1.  ]",
        "right bins 0.82",
        "eleven above 0.2: 4 p <= 0.05: 2",
        "shuffled above 0.2: 0 p <= 0.05: 0",
        "temperature, LAFI 0.92",
        "quarters of the rentals: 0.37 0.37 -0.22 0.05",
        "   chosen: True True True False",
        "quarters of the temperature: 0.52 0.31 0.08 -0.15",
    ]
