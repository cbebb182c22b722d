"""The printed edition: every page of the book, its numbers and its links, nothing left folded.

The checks are made on three chapters, printed into a folder of their own, and with ``-m whole`` on
the whole book, as ``make pdf`` leaves it.
"""

import io
import re
import sys
from functools import cached_property

import nbformat
import pikepdf
import pytest
import yaml
from bs4 import BeautifulSoup
from built_book import assert_none
from places import ROOT

BUILD = ROOT / "_build"
PRINTED = ROOT / "book" / "_ext" / "printed"
CHAPTERS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))

sys.path[:0] = [str(PRINTED), str(PRINTED.parent)]

import lighten  # noqa: E402
import make_pdf  # noqa: E402
import pages  # noqa: E402
from browser_tools import tools  # noqa: E402

TOC = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
# Chapters with figures to move, steppers of pictures and of tables, and numbered formulas.
THREE = ("03_growing_a_tree", "05_id3_and_c45", "13_importance")
PART = {
    "book/preface",
    *(f"notebooks/{name}" for name in THREE),
    "notebooks/under_the_hood/03_growing_a_tree",
    *(f"notebooks/exercises/{name}_solutions" for name in THREE),
    "book/api",
    "book/api/tree",
}

pytestmark = pytest.mark.timeout(1800)  # a busy machine prints slowly


class Edition:
    """What is printed: some pages, or the whole book, each part of it made when it is asked for.

    Parameters
    ----------
    build : path
        The folder whose `html` is the built book.
    only : set of str or None
        The pages.
    bounds : dict
        How many there must be at least of some things, and `size`, the most bytes of the PDF.
    """

    def __init__(self, build, only, **bounds):
        self.build, self.only, self.bounds = build, only, bounds
        self.pages = [page for page, _, _ in make_pdf.pages_of(TOC, only)]
        self.chapters = [path for path in CHAPTERS if f"notebooks/{path.stem}" in self.pages]

    @cached_property
    def printed(self):
        """What is printed, as one page, without its pieces of code."""
        path = self.build / "pdf" / "treelab.html"
        if outdated(path):
            make_pdf.write(self.build, self.only)
        text = re.sub(r"<pre\b.*?</pre>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        return BeautifulSoup(text, "html.parser")

    @cached_property
    def built(self):
        """The pages of the built book, without what stands around the text."""
        texts = [(BUILD / "html" / f"{page}.html").read_text("utf-8") for page in self.pages]
        return [text[text.index("<article") : text.index("</article>")] for text in texts]

    @property
    def path(self):
        """The PDF."""
        return self.build / "pdf" / "treelab.pdf"

    @cached_property
    def pdf(self):
        """The PDF, printed unless `make pdf` has done it."""
        tools()
        assert self.printed
        if outdated(self.path):
            assert make_pdf.to_pdf(self.build) == 0
            if self.only is None:
                make_pdf.link(self.build)
        return Pdf(self.path)


def outdated(path):
    """Whether a file is missing, or older than the book or the program that makes it."""
    sources = [BUILD / "html" / "index.html", *PRINTED.glob("*.py"), *PRINTED.glob("*.css")]
    made = path.stat().st_mtime if path.is_file() else 0
    return made < max(source.stat().st_mtime for source in sources)


@pytest.fixture(scope="module")
def three_chapters(tmp_path_factory):
    """Three chapters and a page of functions, in a folder beside the built book."""
    build = tmp_path_factory.mktemp("three chapters")
    (build / "html").symlink_to(BUILD / "html")
    return Edition(
        build, PART, captions=20, equations=1, formulas=300, links=100, places=60, pictures=25,
        functions=2, solutions=8, sheets=60, size=4e6,
    )  # fmt: skip


@pytest.fixture(scope="module")
def whole_book():
    """The whole book, where `make pdf` has it."""
    return Edition(
        BUILD, None, captions=150, equations=1, formulas=1500, links=1001, places=301, pictures=81,
        functions=6, solutions=41, sheets=301, size=12e6,
    )  # fmt: skip


@pytest.fixture(
    scope="module",
    params=["three_chapters", pytest.param("whole_book", marks=pytest.mark.whole)],
)
def edition(request):
    """What is checked."""
    return request.getfixturevalue(request.param)


class Pdf:
    """Pages, named places and the outline of a PDF."""

    def __init__(self, path):
        self.bytes = path.stat().st_size
        plain = io.BytesIO()  # every object by itself
        with pikepdf.open(path) as pdf:
            pdf.save(plain, object_stream_mode=pikepdf.ObjectStreamMode.disable)
        self.text = text = plain.getvalue().decode("latin1")
        objects = re.findall(r"(?:^|\n)(\d+) 0 obj\s(.*?)endobj", text, re.DOTALL)
        self.objects = {number: body for number, body in objects}
        self.order = list(self._pages(re.search(r"/Pages (\d+) 0 R", text)[1]))
        places = re.findall(r"/([\w.#-]+)\s*\[\s*(\d+) 0 R /XYZ", text)
        self.places = {place: self.order.index(page) for place, page in places}

    def _pages(self, number):
        kids = re.search(r"/Kids\s*\[([^\]]*)\]", self.objects[number])
        if not kids:
            yield number
            return
        for kid in re.findall(r"(\d+) 0 R", kids[1]):
            yield from self._pages(kid)

    def titles(self):
        """The titles of the outline."""
        found = re.findall(r"/Title (?:<([0-9A-Fa-f]+)>|\(((?:\\.|[^\\()])*)\))", self.text)
        for coded, plain in found:
            if coded:
                data = bytes.fromhex(coded)
            else:
                data = re.sub(r"\\(.)", r"\1", plain).encode("latin1")
            wide = data.startswith(b"\xfe\xff")
            yield data[2:].decode("utf-16-be") if wide else data.decode("latin1")


def squeezed(text):
    """Letters and digits alone."""
    return re.sub(r"[\W_]+", "", text).lower()


def test_every_page_is_printed(edition):
    assert [d["id"] for d in edition.printed.select("div.chapter, div.solutions")] == [
        make_pdf.anchor(page) for page in edition.pages
    ]


def test_some_pages_are_all_that_is_printed(three_chapters):
    """Their parts have their names, no link leads to the others, and nothing is listed twice."""
    assert set(three_chapters.pages) == PART
    parts = ["One tree", "What the trees say", "Reference"]
    assert [h.get_text() for h in three_chapters.printed.select("h1.part")] == parts
    every = list(make_pdf.pages_of(TOC))
    assert [e[0] for e in every if e[0] in PART] == three_chapters.pages
    captions = [caption for _, caption, _ in every if caption]
    assert captions == [part["caption"] for part in TOC["parts"]]


def test_a_chapter_is_printed_with_its_headings(edition):
    def problems(path):
        text = "\n".join(
            c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "markdown"
        )
        chapter = edition.printed.find(id=make_pdf.anchor(f"notebooks/{path.stem}"))
        heads = chapter.find_all(["h2", "h3"])
        found = [squeezed(h.get_text()).lstrip("0123456789") for h in heads]
        wanted = [squeezed(h).lstrip("0123456789") for h in re.findall(r"^##? (.*)$", text, re.M)]
        if found != wanted:
            yield f"printed with {found}, not {wanted}"

    assert len(edition.chapters) >= 3
    assert_none(problems, edition.chapters)


def shown(text):
    """A page without what only its scripts show: the other numbers of a drill."""
    return re.sub(r"<template\b.*?</template>", "", text, flags=re.S)


def test_figures_formulas_and_numbers_are_all_there(edition):
    for mark, bound in (
        ("caption-number", "captions"),
        ("eqno", "equations"),
        ("math", "formulas"),
    ):
        wanted = sum(shown(text).count(f'class="{mark}') for text in edition.built)
        assert wanted >= edition.bounds[bound]
        assert len(edition.printed.select(f".{mark}")) == wanted
    captions = {c.get_text().strip() for c in edition.printed.select("figcaption .caption-number")}
    first = [f"Fig. {int(path.stem[:2])}.1" for path in edition.chapters]
    assert {*first, "Fig. 3.3"} <= captions
    assert {e.get_text() for e in edition.printed.select(".eqno")} >= {"(3.1)"}


def test_pictures_are_there(edition):
    for picture in edition.printed.select("svg.tl-figure"):
        referred = re.findall(r"(?:url\(|href=\")#([\w-]+)", str(picture))
        assert set(referred) <= {piece["id"] for piece in picture.find_all(id=True)}
    for picture in edition.printed.find_all("img"):
        if not picture["src"].startswith("data:"):
            assert (edition.build / "pdf" / picture["src"]).resolve().is_file()


def test_code_is_tagged_only_where_it_has_a_color():
    style = (BUILD / "html" / "_static" / "pygments.css").read_text(encoding="utf-8")
    rule = r'data-theme="light"\] \.highlight(?: \.(\w+))? {[^}]*\bcolor: (#\w+)'
    colors = {kind: color for kind, color in re.findall(rule, style)}
    text = colors.pop("")
    codes = []
    for kind, color in colors.items():
        piece = f'<span class="{kind}">x</span>'
        make_pdf.aside(codes, re.fullmatch("<pre>(.*)</pre>", f"<pre>{piece}</pre>"))
        assert codes[-1] == f'<pre class="short">{"x" if color == text else piece}'
    assert len(codes) > 50


def test_solutions_are_open(edition):
    solutions = edition.printed.select(".solution")
    labels = [
        label
        for path in edition.chapters
        for c in nbformat.read(path, as_version=4).cells
        for label in re.findall(r"\{solution\} (\S+)", c.source)
    ]
    assert len(solutions) == len(labels) >= edition.bounds["solutions"]
    assert not edition.printed.select(
        "details:not([open]), .dropdown, .toggle, [hidden], button, script[id]"
    )
    assert "Show code" not in edition.printed.get_text()
    assert "CART chooses 4." in edition.printed.get_text()


def test_questions_have_their_answers_at_the_end(edition):
    asked = edition.printed.select("ol.options")
    assert len(asked) == sum(text.count('class="tl-quiz"') for text in edition.built)
    explained = edition.printed.select(".explained")
    assert len(explained) == len(edition.chapters)
    for answers in explained:
        assert answers.find_next_sibling() is None
        right = [letter for letter in answers.select(".letter") if "✓" in letter.get_text()]
        assert len(right) == len(answers.select(".question"))
    options = sum(len(o.find_all("li", recursive=False)) for o in asked)
    assert len(edition.printed.select(".reasons > li")) == options


def test_a_stepper_says_every_step(edition):
    steppers = edition.printed.select("figure.tl-stepper")
    assert len(steppers) == sum(text.count('class="tl-stepper"') for text in edition.built)
    for stepper in steppers:
        steps = [int(s) for s in re.findall(r"Step (\d+) of", stepper.get_text())]
        assert sorted(steps) == list(range(1, len(steps) + 1))
        frames = stepper.select(".frame")
        assert min(2, len(steps)) <= len(frames) <= make_pdf.MOST_FRAMES
        assert all(frame.find(["img", "svg", "table"]) for frame in frames)


def test_names_are_unique_and_links_stay_inside(edition):
    names = [tag["id"] for tag in edition.printed.find_all(id=True)]
    inside = [a["href"][1:] for a in edition.printed.select("a[href^='#']")]
    assert len(inside) >= edition.bounds["links"]
    assert set(inside) <= set(names)
    outside = {a["href"].split(":")[0] for a in edition.printed.select("a[href]:not([href^='#'])")}
    assert outside <= {"http", "https", "mailto"}


def test_the_pdf_has_the_pages_in_order(edition):
    contents = [e["data-to"] for e in edition.printed.select("nav [data-to]")]
    assert set(contents) <= set(edition.pdf.places)
    at = [edition.pdf.places[entry] for entry in contents]
    assert at == sorted(at)
    assert edition.bounds["sheets"] <= len(edition.pdf.order) < 900
    assert at[-1] < len(edition.pdf.order)


def test_the_functions_of_the_package_are_set_small_on_all_their_pages(edition):
    style = (PRINTED / "print.css").read_text(encoding="utf-8")
    selector = 'body > div[id^="book-api"]'
    assert selector + " {" in style
    wanted = sum(page.startswith("book/api") for page in edition.pages)
    assert len(edition.printed.select(selector)) == wanted >= edition.bounds["functions"]


def test_links_of_the_pdf_arrive(edition):
    wanted = set(re.findall(r"/Dest /([\w.#-]+)", edition.pdf.text))
    assert len(wanted) >= edition.bounds["places"]
    assert wanted <= set(edition.pdf.places)


def test_the_outline_names_every_chapter(edition):
    outline = {squeezed(title) for title in edition.pdf.titles()}
    for heading in edition.printed.select("h1.part, .chapter h2"):
        assert squeezed(heading.get_text()) in outline


def test_the_pdf_holds_the_pictures(edition):
    different = {picture["src"] for picture in edition.printed.find_all("img")}
    drawn = edition.printed.select("svg.tl-figure")
    assert len(different) + len(drawn) >= edition.bounds["pictures"]
    assert edition.pdf.text.count("/Subtype /Image") >= len(different)


def test_the_pdf_is_light_enough_to_be_sent(edition):
    assert edition.pdf.bytes < edition.bounds["size"]


def test_nothing_is_too_wide_for_its_page(edition):
    scale = 0.965 * 300 / 96  # the pages are in 300 dots to the inch
    with pikepdf.open(edition.path) as book:
        for page in book.pages:
            assert b"\n%.6f 0 0 %.6f " % (scale, scale) in page.Contents.read_bytes()


def tagged(path):
    """What is tagged in a PDF, in order: the tags that mean something, page and number of it."""

    def walk(tag, around, page):
        page = tag.get("/Pg", page)
        if tag.get("/S") not in (None, "/NonStruct"):
            around = (*around, str(tag.S))
        for kid in lighten.kids(tag):
            if isinstance(kid, int):
                yield around, page.objgen, kid
            elif kid.get("/Type") == "/MCR":
                if "/Stm" not in kid:  # not the content of a picture, which has its own numbers
                    yield around, kid.get("/Pg", page).objgen, kid.MCID
            elif "/S" in kid:
                yield from walk(kid, around, page)

    with pikepdf.open(path) as pdf:
        index = {page.objgen: k for k, page in enumerate(pdf.pages)}
        root = pdf.Root.StructTreeRoot
        numbers = list(root.ParentTree.Nums)
        owners = dict(zip(numbers[::2], numbers[1::2]))
        found = []
        for around, page, number in walk(root, (), None):
            owner = owners[pdf.pages[index[page]].StructParents][number]
            while owner.S == "/NonStruct" and "/S" in owner.P:
                owner = owner.P
            assert not around or owner.S == around[-1]  # as the way back from the page says
            found.append((around, index[page], number))
        return found


@pytest.fixture
def heavy(tmp_path):
    """A PDF with twice the same picture, whose one paragraph has bare tags inside."""
    path = tmp_path / "heavy.pdf"
    with pikepdf.new() as pdf:
        for shade in (b"\0", b"\0", b"\1"):
            page = pdf.add_blank_page()
            entries = {"/Type": pikepdf.Name.XObject, "/Subtype": pikepdf.Name.Image}
            entries |= {"/Width": 100, "/Height": 10, "/BitsPerComponent": 8}
            entries["/ColorSpace"] = pikepdf.Name.DeviceGray
            picture = pdf.make_stream(shade * 1000, entries)
            letters = pikepdf.Dictionary(g0=pdf.make_stream(b"shape" + shade))
            font = pikepdf.Dictionary(
                Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type3, CharProcs=letters,
                ToUnicode=pdf.make_stream(b"says" + shade),
            )  # fmt: skip
            page.obj.Resources = pikepdf.Dictionary(
                XObject=pikepdf.Dictionary(X1=picture),
                Font=pikepdf.Dictionary(F1=pdf.make_indirect(font)),
            )

        def tag(kind, parent, **entries):
            entries = {"Type": pikepdf.Name.StructElem, "S": pikepdf.Name(kind), **entries}
            return pdf.make_indirect(pikepdf.Dictionary(**entries, P=parent))

        first, second = (page.obj for page in list(pdf.pages)[:2])
        root = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot))
        text = tag("/P", root)
        outer = tag("/NonStruct", text)
        told = tag("/NonStruct", outer, K=0, Pg=first, Alt="a word")
        content = pikepdf.Dictionary(Type=pikepdf.Name.MCR, MCID=1)  # on the page of its tag
        inner = tag("/NonStruct", outer, K=content, Pg=first)
        strong = tag("/Strong", outer)
        bold = tag("/NonStruct", strong, K=2, Pg=first)
        after = tag("/NonStruct", text, K=0, Pg=second)
        strong.K = bold
        outer.K = pikepdf.Array([told, inner, strong])
        last = tag("/NonStruct", text, K=3, Pg=first)
        text.K = pikepdf.Array([outer, after, last])
        root.K = pikepdf.Array([text])
        first.StructParents, second.StructParents = 0, 1
        parents = [0, pikepdf.Array([told, inner, bold, last]), 1, pikepdf.Array([after])]
        root.ParentTree = pikepdf.Dictionary(Nums=pikepdf.Array(parents))
        pdf.Root.StructTreeRoot = root
        pdf.save(path)
    return path


def test_a_light_pdf_says_the_same(heavy):
    before = tagged(heavy)
    lighten.lighten(heavy)
    assert tagged(heavy) == before
    places = [(0, 0), (0, 1), (0, 2), (1, 0), (0, 3)]
    assert [(page, number) for _, page, number in before] == places
    with pikepdf.open(heavy) as pdf:
        (text,) = pdf.Root.StructTreeRoot.K
        told, word, strong, after, last = text.K
        assert str(told.Alt) == "a word"
        assert (word.MCID, strong.S, strong.K[0], after) == (1, "/Strong", 2, 0)
        assert last.MCID == 3
        assert told.P.objgen == strong.P.objgen == text.objgen
        one, same, other = (page.obj.Resources.XObject.X1 for page in pdf.pages)
        assert one.objgen == same.objgen != other.objgen
        assert (one.read_bytes(), other.read_bytes()) == (b"\0" * 1000, b"\1" * 1000)
        fonts = [page.obj.Resources.Font.F1 for page in pdf.pages]
        for k, (equal, unlike) in enumerate([(b"shape\0", b"shape\1"), (b"says\0", b"says\1")]):
            one, same, other = (font.ToUnicode if k else font.CharProcs["/g0"] for font in fonts)
            assert one.objgen == same.objgen != other.objgen
            assert (one.read_bytes(), other.read_bytes()) == (equal, unlike)


@pytest.mark.parametrize(
    ("colors", "most"), [(200, 0), (300, lighten.UNSEEN), (3000, 0)], ids=["few", "near", "many"]
)
def test_a_picture_of_few_colors_has_a_palette(tmp_path, colors, most):
    path = tmp_path / "picture.pdf"
    shades = [(k * 37 % 256, k * 11 % 256, k // 12) for k in range(colors)]
    if colors == 300:  # each next to another
        shades = [(k // 2, (k + 1) // 2, 9) for k in range(colors)]
    points = [value for k in range(60 * 50) for value in shades[k % colors]]
    with pikepdf.new() as pdf:
        entries = {"/Type": pikepdf.Name.XObject, "/Subtype": pikepdf.Name.Image}
        entries |= {"/Width": 60, "/Height": 50, "/BitsPerComponent": 8}
        entries["/ColorSpace"] = pikepdf.Name.DeviceRGB
        pdf.add_blank_page().obj.Resources = pikepdf.Dictionary(
            XObject=pikepdf.Dictionary(X1=pdf.make_stream(bytes(points), entries))
        )
        lighten.use_palettes(pdf)
        pdf.save(path)
    with pikepdf.open(path) as pdf:
        picture = pdf.pages[0].Resources.XObject.X1
        assert (picture.ColorSpace == pikepdf.Name.DeviceRGB) == (colors == 3000)
        seen = pikepdf.PdfImage(picture).as_pil_image().convert("RGB").tobytes()
    assert max(abs(a - b) for a, b in zip(seen, points, strict=True)) <= most


def test_the_pages_link_to_the_pdf_once_it_is_there(tmp_path):
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf" / "treelab.pdf").write_bytes(b"%" * 2_340_000)
    page = tmp_path / "html" / "book" / "page.html"
    page.parent.mkdir(parents=True)
    page.write_text(f"<p>before</p>{pages.PLACE}<p>after</p>", encoding="utf-8")
    (tmp_path / "html" / "other.html").write_text("<p>nothing</p>", encoding="utf-8")
    for _ in range(2):  # once more changes nothing
        make_pdf.link(tmp_path)
        link = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").select_one("p a")
        assert link.parent.get_text() == "The printed edition (PDF, 2.3 MB)"
        assert "hidden" not in link.parent.attrs
        assert (page.parent / link["href"]).resolve().stat().st_size == 2_340_000
        assert page.read_text(encoding="utf-8").startswith("<p>before</p><p")
    assert (tmp_path / "html" / "other.html").read_text(encoding="utf-8") == "<p>nothing</p>"


def test_two_pages_have_a_place_for_the_link():
    for page in ("book/preface", "book/how_to_use"):
        text = (BUILD / "html" / f"{page}.html").read_text(encoding="utf-8")
        assert len(make_pdf.PLACE.findall(text)) == 1, page


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match=r"Chromium .* and Node\.js"):
        make_pdf.tools()


def test_the_pdf_is_set_in_the_fonts_of_the_book(edition):
    fonts = set(re.findall(r"/FontName /[A-Z]{6}\+(\w+)", edition.pdf.text))
    brought = ("Inter", "Literata", "JetBrainsMono", "STIXTwoMath")
    assert {name for name in brought if any(font.startswith(name) for font in fonts)} == {*brought}
    assert [font for font in fonts if not font.startswith(brought)] == []
