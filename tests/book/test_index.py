"""The built index and glossary: each term leads to its definition and to a chapter, and back."""

import re
from functools import cache

import pytest
from bs4 import BeautifulSoup
from places import ROOT

HTML = ROOT / "_build" / "html"
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
def text(name):
    """A page of the built book."""
    return (HTML / name).read_text(encoding="utf-8")


@cache
def index():
    """The links of each entry of the index, by the name of the entry."""
    found = {}
    page = BeautifulSoup(text("genindex.html"), "html.parser")
    for item in page.select("table.genindextable li"):
        links = item.find_all("a", recursive=False)
        if links:
            found.setdefault(links[0].get_text(), []).extend(links)
    return found


@cache
def glossary():
    """Of each term its anchor, and where the link at the end of its definition leads."""
    found, terms = {}, []
    page = BeautifulSoup(text("book/glossary.html"), "html.parser")
    for part in page.select("dl.glossary > dt, dl.glossary > dd"):
        if part.name == "dt":
            terms.append((part.find(string=True).replace("’", "'"), part["id"]))
        else:
            link = part.select_one("p.term-chapter a")
            found |= {term: (anchor, link and link["href"]) for term, anchor in terms}
            terms = []
    return found


def test_glossary_is_whole():
    assert len(TERMS) > 120
    assert sorted(glossary()) == sorted(TERMS)


@pytest.mark.parametrize("term", TERMS)
def test_index_has_the_term_with_its_definition_and_a_chapter(term):
    links = index()[term]
    main = [link["href"] for link in links if link.find("strong")]
    assert main == [f"book/glossary.html#{glossary()[term][0]}"]
    links = [link for name in SAME[term] for link in index()[name]]
    assert any(CHAPTER.match(link["href"]) for link in links)


@pytest.mark.parametrize("term", TERMS)
def test_definition_leads_to_a_place_in_a_chapter(term):
    link = glossary()[term][1].removeprefix("../")
    assert CHAPTER.match(link)
    page, _, anchor = link.partition("#")
    assert text(page).count(f'id="{anchor}"') == 1
