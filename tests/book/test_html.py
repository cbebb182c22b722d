"""The built book: every link leads somewhere, and nothing comes from another host."""

import re
from functools import cache
from urllib.parse import unquote, urlsplit

import lxml.html
from built_book import HTML, assert_none, of_class, pages_of_the_contents, parsed, text_of
from places import ROOT

PAGES = sorted(
    p.relative_to(HTML).as_posix() for p in HTML.rglob("*.html") if "_static" not in p.parts
)
DESCRIBED = [name for name in PAGES if name != "index.html"]
BODIES = [name for name in DESCRIBED if not name.startswith(("_modules", "slides"))]


class Page:
    """The anchors of a page, its links, the files loaded with it, and how it describes itself."""

    def __init__(self, text):
        tree = parsed(text)
        self.anchors = {"", "top", *tree.xpath("//@id | //@name")}
        self.links = tree.xpath("//a/@href")
        self.loaded = tree.xpath("//@src | //object/@data")
        for link in tree.iter("link"):
            kinds = set(link.get("rel", "").split())
            if not {"canonical", "alternate"} & kinds:
                is_page = {"next", "prev", "index", "search"} & kinds
                (self.links if is_page else self.loaded).append(link.get("href", ""))
        self.descriptions = tree.xpath('//head/meta[@name="description"]/@content')


@cache
def page(name):
    """A page of the built book."""
    return Page(text_of(name))


@cache
def file_at(folder, path):
    """Return the file that a path on a page of a folder means, and whether there is one."""
    found = (HTML / folder / unquote(path)).resolve()
    return found, found.is_file()


def target(name, href):
    """The file that a local address on a page means, whether it is there, and the anchor."""
    url = urlsplit(href)
    folder, _, own = name.rpartition("/")
    return *file_at(folder, url.path or own), unquote(url.fragment)


def test_the_book_is_built():
    assert (HTML / "index.html").is_file(), "build the book first: make book"


def test_links_lead_somewhere():
    def problems(name):
        for href in page(name).links + page(name).loaded:
            if urlsplit(href).scheme or href.startswith("//"):
                continue
            path, is_there, anchor = target(name, href)
            if not is_there:
                yield f"{href}: no such file"
            elif path.suffix == ".html" and path.is_relative_to(HTML):
                if anchor not in page(path.relative_to(HTML).as_posix()).anchors:
                    yield f"{href}: no such anchor"

    assert len(PAGES) > 200
    assert_none(problems, PAGES)


def test_nothing_comes_from_another_host():
    def problems(name):
        for address in page(name).loaded:
            url = urlsplit(address)
            if url.scheme not in ("", "data") or url.netloc:
                yield address

    assert_none(problems, PAGES)


def test_style_sheets_load_nothing_from_another_host():
    for path in HTML.rglob("*.css"):
        text = path.read_text(encoding="utf-8", errors="replace")
        found = re.search(r"""url\(["']?http|url\(//|@import ["']http""", text)
        assert not found, path.name


def test_every_notebook_of_the_book_is_in_its_table_of_contents():
    patterns = """
        notebooks/*.ipynb notebooks/exercises/*_solutions.ipynb notebooks/under_the_hood/*.ipynb
        book/*.md book/*.ipynb book/api/*.md book/guide/*.md
    """.split()
    wanted = {path for pattern in patterns for path in ROOT.glob(pattern)}
    wanted = {path.relative_to(ROOT).with_suffix("").as_posix() for path in wanted}
    assert wanted - {"book/speed_table"} <= set(pages_of_the_contents())


def test_a_page_describes_itself():
    def problems(name):
        said = page(name).descriptions
        if len(said) != 1 or not 50 <= len(said[0]) <= 160:
            yield said

    assert_none(problems, BODIES)
    assert len({page(name).descriptions[0] for name in BODIES}) == len(BODIES) > 60


def test_pictures_load_late_and_keep_their_place():
    def problems(name):
        for tag in re.findall(r'<img\b[^>]*\bsrc="[^":]*\.png"[^>]*>', text_of(name)):
            if 'loading="lazy"' not in tag or not re.search(r"\bwidth=|\bwidth:", tag):
                yield tag

    assert_none(problems, [name for name in BODIES if name.startswith("notebooks/")])


def test_the_front_page_leads_to_every_chapter_and_says_where_to_begin():
    front = parsed(text_of("book/preface.html"))
    (ways,) = of_class(front, "p", "tl-ways")
    assert ways.xpath(".//a/@href") == [
        "../notebooks/01_reading_a_tree.html",
        "play.html",
        "instructors_guide.html",
        "how_to_use.html",
    ]
    cards = [a for cards in of_class(front, "ul", "tl-cards") for a in cards.iter("a")]
    chapters = sorted(ROOT.glob("notebooks/[0-9]*.ipynb"))
    assert [card.get("href") for card in cards] == [f"../notebooks/{p.stem}.html" for p in chapters]
    for card in cards:
        (picture,) = card.iter("svg")
        assert len(picture.get("aria-label")) > 30
        assert len(lxml.html.tostring(picture, with_tail=False)) < 8000
        assert len(next(card.iter("span")).text_content()) > 30


def test_the_theme_brings_no_icon_font():
    assert [name for name in BODIES if "fontawesome" in text_of(name)] == []
    static = HTML / "_static"
    for name in ("vendor/fontawesome", "locales", "mathjax", "scripts/bootstrap.js.map"):
        assert not (static / name).exists()


def test_the_names_of_the_api_lead_to_their_entries():
    tree = parsed(text_of("book/api.html"))
    links = [h for names in of_class(tree, "p", "tl-names") for h in names.xpath(".//a/@href")]
    assert len(links) == len(set(links)) > 250
    entries = {
        f"{name.removeprefix('book/')}#{anchor}"
        for name in PAGES
        if name.startswith("book/api/")
        for anchor in re.findall(r'<dt class="sig sig-object py" id="([^"]+)"', text_of(name))
    }
    assert set(links) <= entries
