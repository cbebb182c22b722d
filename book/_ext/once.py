"""What Sphinx does anew for each place, and what comes out the same, is done once.

- A reference with a number reads the whole chapter that it leads to: each chapter is read once.
- The contents at the side are made for each page from copies of all headings of all pages, of which
  titles are left: here copies of the titles. Pages of source code in one folder, which are not in
  the contents, share theirs.
"""

import functools
import posixpath

from sphinx import addnodes


class Remembering:
    """Sphinx's environment for those who only look: a chapter is read from its file once."""

    def __init__(self, env):
        self.env = env
        self.get_doctree = functools.cache(env.get_doctree)

    def __getattr__(self, name):
        return getattr(self.env, name)


def remember_chapters(app, env):
    """Let references with numbers look into chapters that have been read already."""
    std, looks = env.get_domain("std"), Remembering(env)
    resolve = std._resolve_numref_xref
    std._resolve_numref_xref = lambda env, *rest: resolve(looks, *rest)


def titles(toc):
    """The title of a page without its other headings, but with the pages below it."""
    toc = toc.deepcopy()
    for entry in toc:
        if len(entry) > 1:
            below = list(entry.findall(addnodes.toctree))
            entry[1:] = [entry[1]] if below else []
            for inner in entry[1:]:
                inner[:] = below
    return toc


def share_contents(app, pagename, templatename, context, doctree):
    """Make the contents at the side from titles, and once for the pages that are not in them."""
    env, make = app.env, context["toctree"]
    if not hasattr(app, "tl_contents"):
        app.tl_contents = {name: titles(toc) for name, toc in env.tocs.items()}, {}
    short, made = app.tl_contents

    def contents(**options):
        key = (pagename if pagename in env.all_docs else posixpath.dirname(pagename) + "/",)
        key += tuple(sorted(options.items()))
        if key not in made:
            full = env.tocs
            env.tocs = short if options.get("titles_only") else full
            made[key] = make(**options)
            env.tocs = full
        return made[key]

    context["toctree"] = contents


def setup(app):
    """Register both with Sphinx."""
    app.connect("env-check-consistency", remember_chapters)
    app.connect("html-page-context", share_contents, priority=1)  # before the theme asks
    return {"parallel_read_safe": True, "parallel_write_safe": True}
