"""The built book: every link leads somewhere, and nothing comes from another host."""

from functools import cache
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
import yaml
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
        *ROOT.glob("notebooks/[0-9]*.ipynb"),
        *ROOT.glob("notebooks/exercises/*_solutions.ipynb"),
    ]
    wanted += [p for p in ROOT.glob("book/*.md") if p.name != "speed_table.md"]
    assert {p.relative_to(ROOT).with_suffix("").as_posix() for p in wanted} <= listed
