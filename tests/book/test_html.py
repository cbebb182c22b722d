"""The built book: every link leads somewhere, and nothing comes from another host."""

import re
from functools import cache
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from bs4 import BeautifulSoup
from places import ROOT

HTML = ROOT / "_build" / "html"
PAGES = sorted(
    p.relative_to(HTML).as_posix() for p in HTML.rglob("*.html") if "_static" not in p.parts
)


class Page(HTMLParser):
    """The anchors of a page, its links, and the files that a browser loads with it."""

    LOADED = {
        ("script", "src"),
        ("img", "src"),
        ("iframe", "src"),
        ("source", "src"),
        ("video", "src"),
        ("audio", "src"),
        ("object", "data"),
        ("embed", "src"),
    }

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded = {"", "top"}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Note what the tag names."""
        given = {k: v or "" for k, v in attrs}
        self.anchors.update(v for k, v in attrs if k in ("id", "name") and v)
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and not {"canonical", "alternate"} & set(given.get("rel", "").split()):
            is_page = {"next", "prev", "index", "search"} & set(given.get("rel", "").split())
            (self.links if is_page else self.loaded).append(given.get("href", ""))
        self.loaded += [given[a] for t, a in self.LOADED if t == tag and a in given]


@cache
def page(name):
    """A page of the built book."""
    return Page((HTML / name).read_text(encoding="utf-8"))


def target(name, href):
    """The file and the anchor that a local address on a page means."""
    url = urlsplit(href)
    path = (HTML / name).parent / unquote(url.path) if url.path else HTML / name
    return path.resolve(), unquote(url.fragment)


def test_the_book_is_built():
    assert (HTML / "index.html").is_file(), "build the book first: make book"


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    for href in page(name).links + page(name).loaded:
        if urlsplit(href).scheme or href.startswith("//"):
            continue
        path, anchor = target(name, href)
        assert path.is_file(), f"{href}: no such file"
        if path.suffix == ".html" and path.is_relative_to(HTML):
            anchors = page(path.relative_to(HTML).as_posix()).anchors
            assert anchor in anchors, f"{href}: no such anchor"


@pytest.mark.parametrize("name", PAGES)
def test_nothing_comes_from_another_host(name):
    for address in page(name).loaded:
        url = urlsplit(address)
        assert url.scheme in ("", "data"), address
        assert not url.netloc, address


def test_style_sheets_load_nothing_from_another_host():
    for path in HTML.rglob("*.css"):
        text = path.read_text(encoding="utf-8", errors="replace")
        for mark in (
            "url(http",
            "url('http",
            'url("http',
            "url(//",
            "@import 'http",
            '@import "http',
        ):
            assert mark not in text, path.name


def test_every_notebook_of_the_book_is_in_its_table_of_contents():
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")

    def files(node):
        if isinstance(node, dict):
            for key, value in node.items():
                if key in ("file", "root"):
                    yield value
                yield from files(value)
        elif isinstance(node, list):
            for item in node:
                yield from files(item)

    listed = set(files(yaml.safe_load(toc)))
    wanted = [
        *ROOT.glob("notebooks/*.ipynb"),
        *ROOT.glob("notebooks/exercises/*_solutions.ipynb"),
        *ROOT.glob("notebooks/under_the_hood/*.ipynb"),
    ]
    wanted += [p for p in ROOT.glob("book/*.md") if p.name != "speed_table.md"]
    wanted += [
        *ROOT.glob("book/*.ipynb"),
        *ROOT.glob("book/api/*.md"),
        *ROOT.glob("book/guide/*.md"),
    ]
    assert {p.relative_to(ROOT).with_suffix("").as_posix() for p in wanted} <= listed


DESCRIBED = [name for name in PAGES if name not in ("index.html", "prf-prf.html")]
BODIES = [name for name in DESCRIBED if not name.startswith(("_modules", "slides"))]


def description(name):
    """What a page says of itself for search engines."""
    text = (HTML / name).read_text(encoding="utf-8").partition("</head>")[0]
    tags = re.findall(r'<meta\b[^>]*\bname="description"[^>]*>', text)
    return [unescape(re.search(r'content="([^"]*)"', tag)[1]) for tag in tags]


@pytest.mark.parametrize("name", BODIES)
def test_a_page_describes_itself(name):
    said = description(name)
    assert len(said) == 1
    assert 50 <= len(said[0]) <= 160


def test_no_two_pages_have_one_description():
    said = [description(name)[0] for name in BODIES]
    assert len(said) == len(set(said)) > 60


@pytest.mark.parametrize("name", [name for name in BODIES if name.startswith("notebooks/")])
def test_pictures_load_late_and_keep_their_place(name):
    text = (HTML / name).read_text(encoding="utf-8")
    for tag in re.findall(r'<img\b[^>]*\bsrc="[^":]*\.png"[^>]*>', text):
        assert 'loading="lazy"' in tag
        assert re.search(r"\bwidth=|\bwidth:", tag), tag


def test_the_front_page_leads_to_every_chapter_and_says_where_to_begin():
    front = BeautifulSoup(
        (HTML / "book" / "preface.html").read_text(encoding="utf-8"), "html.parser"
    )
    ways = [link["href"] for link in front.select("p.tl-ways a")]
    assert ways == [
        "../notebooks/01_reading_a_tree.html",
        "instructors_guide.html",
        "how_to_use.html",
    ]
    cards = front.select("ul.tl-cards a")
    chapters = sorted(ROOT.glob("notebooks/[0-9]*.ipynb"))
    assert [card["href"] for card in cards] == [f"../notebooks/{p.stem}.html" for p in chapters]
    for card in cards:
        assert len(card.svg["aria-label"]) > 30
        assert len(str(card.svg)) < 8000
        assert len(card.select_one("span").get_text()) > 30


def test_the_theme_brings_no_icon_font():
    for name in BODIES:
        assert "fontawesome" not in (HTML / name).read_text(encoding="utf-8"), name


def test_the_names_of_the_api_lead_to_their_entries():
    page = BeautifulSoup((HTML / "book" / "api.html").read_text(encoding="utf-8"), "html.parser")
    links = [link["href"] for link in page.select("p.tl-names a")]
    assert len(links) == len(set(links)) > 250
    entries = {
        f"api/{path.name}#{anchor}"
        for path in (HTML / "book" / "api").glob("*.html")
        for anchor in re.findall(
            r'<dt class="sig sig-object py" id="([^"]+)"', path.read_text(encoding="utf-8")
        )
    }
    assert set(links) <= entries
