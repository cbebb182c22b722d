"""The built book as the tests read it: each page is read and parsed once per process."""

import re
from functools import cache
from pathlib import Path

import lxml.html
from places import ROOT

HTML = ROOT / "_build" / "html"


@cache
def text_of(name):
    """Return a page of the built book, by its path from the first page."""
    return (HTML / name).read_text(encoding="utf-8")


def parsed(text):
    """Return the tree of a page."""
    parser = lxml.html.HTMLParser(encoding="utf-8")
    return lxml.html.document_fromstring(text.encode(), parser=parser)


@cache
def page(name):
    """Return the tree of a page of the built book."""
    return parsed(text_of(name))


def pages_of_the_contents():
    """Return the names of the pages in the table of contents, in order."""
    text = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    return re.findall(r"^[\s-]*(?:file|root): *(\S+)$", text, re.M)


def of_class(tree, tag, name):
    """Return the elements with a tag and a class, in order."""
    return [element for element in tree.find_class(name) if element.tag == tag]


def assert_none(problems, cases):
    """Check that no case has a problem; the message names every case that has one.

    Parameters
    ----------
    problems : callable
        Yields what is wrong with a case.
    cases : iterable
        Names, or paths of the repository.
    """
    found = []
    for case in cases:
        name = case.relative_to(ROOT).as_posix() if isinstance(case, Path) else case
        try:
            found += [f"{name}: {said}" for said in problems(case)]
        except Exception as error:
            error.add_note(f"{name} could not be checked")
            raise
    assert not found, "\n".join(found)
