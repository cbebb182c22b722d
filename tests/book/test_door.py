"""The door of the book: the first page, icons, titles, previews of links, the map of all pages."""

import re
import sys
from collections import Counter
from functools import partial
from xml.etree import ElementTree

import pytest
from built_book import HTML, of_class, page, text_of
from PIL import Image
from places import ROOT
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import door  # noqa: E402

PAGES = [p.relative_to(HTML).as_posix() for p in HTML.rglob("*.html") if "_static" not in p.parts]
ADDRESS = "https://books.example/trees/"


def test_addresses_are_taken_from_above():
    moved = partial(door.addressed, folder="a/b/")
    assert moved('<a href="c.html#d">') == '<a href="a/b/c.html#d">'
    assert moved('<img src="../../_static/x.png">') == '<img src="_static/x.png">'
    assert moved('<form action="../search.html">') == '<form action="a/search.html">'
    for address in ('<a href="#c">', '<a href="https://x">', '<a href="/x">'):
        assert moved(address) == address
    assert moved('data-content_root="../"') == 'data-content_root="../"'
    assert moved('<html data-content_root="../../">') == '<html data-content_root="./">'


def test_the_first_page_is_the_front_page():
    first, front = page("index.html"), page("book/preface.html")
    assert not first.xpath("//meta[@http-equiv]")
    articles = (tree.find_class("bd-article")[0].text_content() for tree in (first, front))
    assert next(articles).split() == next(articles).split()
    (ways,) = of_class(first, "p", "tl-ways")
    assert ways.xpath(".//a/@href")[0] == "notebooks/01_reading_a_tree.html"
    assert first.xpath('//head/meta[@name="description"]/@content') == front.xpath(
        '//head/meta[@name="description"]/@content'
    )


def test_every_page_has_a_title_of_its_own():
    titles = Counter(
        re.search("<title>(.*?)</title>", text_of(name), re.S)[1].strip()
        for name in PAGES
        if name != "index.html"  # which is the front page
    )
    assert [title for title, n in titles.items() if n > 1] == []


def test_icons_are_there_in_every_format():
    assert Image.open(HTML / "favicon.ico").info["sizes"] == {(16, 16), (32, 32), (48, 48)}
    for name in ("index.html", "book/about.html", "genindex.html"):
        links = page(name).xpath("//head/link[@rel='icon' or @rel='apple-touch-icon']/@href")
        files = [(HTML / name).parent / link for link in links]
        assert [path.suffix for path in files] == [".png", ".svg"] or len(files) == 2
        assert all(path.is_file() for path in files)
    assert Image.open(HTML / "_static" / "icons" / "touch.png").size == (180, 180)


def test_without_an_address_nothing_is_announced():
    for name in ("index.html", "book/preface.html", "notebooks/04_pruning.html"):
        assert "og:" not in text_of(name)
        assert "canonical" not in text_of(name)
    assert not (HTML / "sitemap.xml").exists()


def test_every_chapter_has_a_picture():
    numbers = {path.name[:2] for path in ROOT.glob("notebooks/[0-9]*.ipynb")}
    pictures = sorted((ROOT / "book" / "_ext" / "door" / "pictures").glob("*.png"))
    assert {path.stem for path in pictures} == numbers | {"book"}
    for path in pictures:
        assert Image.open(path).size == (1200, 630)
        assert path.stat().st_size < 40_000
    assert door.picture_of("notebooks/under_the_hood/04_pruning") == "04.png"
    assert door.picture_of("book/guide/19_wind") == "19.png"
    assert door.picture_of("book/preface") == "book.png"


@pytest.fixture(scope="module")
def public(tmp_path_factory):
    """The pages of a tiny book that has an address."""
    source, out = (tmp_path_factory.mktemp(name) for name in ("source", "out"))
    (source / "book").mkdir()
    (source / "notebooks").mkdir()
    said = "It says that trees can be read & grown, and says it in a sentence of some length."
    text = f"# Front\n\n{said}\n\n```{{toctree}}\n../notebooks/04_pruning\n```\n"
    (source / "book" / "preface.md").write_text(text, encoding="utf-8")
    (source / "notebooks" / "04_pruning.md").write_text(
        f"# Pruning\n\nAnother page. {said}\n", encoding="utf-8"
    )
    settings = {
        "extensions": ["myst_parser", "sphinx_book_theme", "pages", "door"],
        "root_doc": "book/preface", "html_theme": "sphinx_book_theme", "html_baseurl": ADDRESS,
        "html_title": "trees", "templates_path": [str(ROOT / "book" / "_templates")],
        "html_static_path": [str(ROOT / "book" / "_static")], "html_favicon": None,
    }  # fmt: skip
    with docutils_namespace():
        Sphinx(source, None, out, out / ".trees", "html", settings, None, None).build()
    return out


def announced(path):
    """What a page tells of itself, by property."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"', text)
    assert len(found) == len(dict(found)) == 9
    (canonical,) = re.findall('<link rel="canonical" href="([^"]*)"', text)
    assert canonical == dict(found)["og:url"]
    return dict(found)


def test_with_an_address_links_have_previews(public):
    chapter = announced(public / "notebooks" / "04_pruning.html")
    assert chapter["og:url"] == f"{ADDRESS}notebooks/04_pruning.html"
    assert chapter["og:title"] == "Pruning"
    assert chapter["og:description"].startswith("Pruning: Another page. It says")
    assert "read &amp; grown" in chapter["og:description"]
    assert chapter["og:image"] == f"{ADDRESS}_static/previews/04.png"
    assert (public / "_static" / "previews" / "04.png").is_file()
    for name in ("index.html", "book/preface.html"):  # one page at one address
        assert announced(public / name)["og:url"] == ADDRESS
        assert announced(public / name)["og:image"].endswith("/book.png")


def test_with_an_address_there_is_a_map(public):
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    found = [e.text for e in ElementTree.parse(public / "sitemap.xml").iter(f"{space}loc")]
    assert found == [ADDRESS, f"{ADDRESS}notebooks/04_pruning.html"]


def test_lost_readers_find_the_way_from_any_address(public):
    text = (public / "404.html").read_text(encoding="utf-8")
    assert 'href="/trees/book/preface.html"' in text
    for link in re.findall(r'(?:href|src)="([^"#][^"]*)"', text):
        assert link.startswith(("/trees/", "https:", "data:")), link
    assert "canonical" not in text
    assert 'href="book/preface.html"' in text_of("404.html")  # without an address as it is
