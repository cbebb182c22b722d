"""The page of all interactive figures: none is missing, and each card leads to its figure."""

import re
from html import unescape

from browser_tools import HTML

PLAY = HTML / "book" / "play.html"
CARD = re.compile(
    r'<li><a href="([^"#]+)#([\w-]+)">(<svg.*?</svg>)<b>(.*?)</b>(?:<span>(.*?)</span>)?'
    r"<small>(.*?)</small></a></li>",
    re.S,
)


def cards():
    """Page, name, picture, title, question and place of each card."""
    text = PLAY.read_text(encoding="utf-8")
    found = CARD.findall(text)
    assert len(found) == text.count("<li><a", text.index('class="tl-gallery"'))
    return [
        ((PLAY.parent / page).resolve().relative_to(HTML).as_posix(), *map(unescape, rest))
        for page, *rest in found
    ]


def figures():
    """Page and name of every explorable in the built book, with its title."""
    found = {}
    for path in HTML.rglob("*.html"):
        page = path.relative_to(HTML)
        if not {"slides", "_static"} & set(page.parts):
            text = path.read_text(encoding="utf-8")
            start = r'<figure class="tl-explorable" id="([\w-]+)".*?<figcaption[^>]*>(.*?)<'
            for name, title in re.findall(start, text, re.S):
                found[page.as_posix(), name] = unescape(title)
    return {key: title for key, title in found.items() if key[0] != "index.html"}  # twice there


def test_there_is_a_card_for_every_figure():
    made = [(page, name) for page, name, *_ in cards()]
    assert len(made) == len(set(made)) > 16
    assert set(made) == set(figures())


def test_a_card_says_what_the_figure_asks_and_where_it_stands():
    titles = figures()
    for page, name, _, title, question, place in cards():
        assert title == titles[page, name]
        assert (question or title).endswith(("?", "…", ")"))
        chapter = re.search(r"notebooks/(\d+)_", page)
        heading = re.search(r"<h1>(.*?)<", (HTML / page).read_text(encoding="utf-8"))[1]
        words = f"Chapter {int(chapter[1])}: {unescape(heading)}" if chapter else "The front page"
        assert place == words


def test_pictures_are_of_this_page_alone():
    pictures = [picture for _, _, picture, *_ in cards()]
    names = re.findall(r'\bid="([\w-]+)"', "".join(pictures))
    assert len(names) == len(set(names))
    assert set(re.findall(r'(?:href="|url\()#([\w-]+)', "".join(pictures))) <= set(names)
    assert all('aria-hidden="true"' in picture.split(">")[0] for picture in pictures)


def test_the_front_page_and_the_side_bar_lead_to_it():
    front = (HTML / "book" / "preface.html").read_text(encoding="utf-8")
    ways = re.search(r'<p class="[^"]*tl-ways.*?</p>', front, re.S)[0]
    assert re.findall(r'href="([^"]+)"', ways)[1] == "play.html"
    assert re.search(
        r'<li class="toctree-l1"><a class="reference internal" href="play.html">', front
    )
