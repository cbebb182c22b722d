"""The built index and glossary: each term leads to its definition and to a chapter, and back."""

import re
from functools import cache

from built_book import assert_none, of_class, page, text_of
from places import ROOT

CHAPTER = re.compile(r"notebooks/(?:under_the_hood/)?\d\d_\w+\.html#use-\d\d-")
ENTRIES = (
    (ROOT / "book" / "glossary.md")
    .read_text(encoding="utf-8")
    .partition("```{glossary}\n:sorted:\n\n")[2]
    .partition("\n```")[0]
    .split("\n\n")
)
NAMES = [re.findall(r"^(\S.*)$", entry, re.M) for entry in ENTRIES]
TERMS = [name for names in NAMES for name in names]
SAME = {name: names for names in NAMES for name in names}  # an entry may have two names


@cache
def index():
    """The links of each entry of the index, by the name of the entry."""
    found = {}
    for table in page("genindex.html").find_class("genindextable"):
        for item in table.iter("li"):
            links = item.findall("a")
            if links:
                found.setdefault(links[0].text_content(), []).extend(links)
    return found


@cache
def glossary():
    """Of each term its anchor, and where the link at the end of its definition leads."""
    found, terms = {}, []
    parts = page("book/glossary.html").find_class("glossary")
    for part in (part for entries in parts for part in entries.iterchildren("dt", "dd")):
        if part.tag == "dt":
            terms.append((next(part.itertext()).replace("’", "'"), part.get("id")))
        else:
            ends = of_class(part, "p", "term-chapter")
            links = [href for end in ends for href in end.xpath(".//a/@href")]
            found |= {term: (anchor, links[0] if links else "") for term, anchor in terms}
            terms = []
    return found


def test_glossary_is_whole():
    assert len(TERMS) > 120
    assert sorted(glossary()) == sorted(TERMS)


def test_index_has_each_term_with_its_definition_and_a_chapter():
    def problems(term):
        main = [a.get("href") for a in index().get(term, ()) if a.find(".//strong") is not None]
        if main != [f"book/glossary.html#{glossary()[term][0]}"]:
            yield f"the index has its definition at {main}"
        links = [a.get("href") for name in SAME[term] for a in index().get(name, ())]
        if not any(map(CHAPTER.match, links)):
            yield "the index leads to no chapter"

    assert_none(problems, TERMS)


def test_each_term_stands_under_its_letter_and_each_letter_is_led_to():
    (nav,) = page("book/glossary.html").find_class("tl-letters")
    parts = of_class(page("book/glossary.html"), "section", "tl-initial")
    assert [a.get("href") for a in nav.iter("a")] == [f"#{part.get('id')}" for part in parts]
    assert [a.text for a in nav.iter("a")] == [part.find("h2").text for part in parts]
    assert len(parts) > 20
    for part in parts:
        firsts = part.xpath(".//dt[not(preceding-sibling::*[1][self::dt])]")
        for term in firsts:
            first = next(filter(str.isalnum, term.text_content())).upper()
            assert part.find("h2").text == ("0–9" if first.isdigit() else first)


def test_definitions_lead_to_a_place_in_a_chapter():
    def problems(term):
        link = glossary()[term][1].removeprefix("../")
        name, _, anchor = link.partition("#")
        if not CHAPTER.match(link) or text_of(name).count(f'id="{anchor}"') != 1:
            yield f"leads to {link!r}"

    assert_none(problems, TERMS)
