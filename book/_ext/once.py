"""What Sphinx does anew for each place, and what comes out the same, is done once.

- A reference with a number reads the whole chapter that it leads to: each chapter is read once.
- The contents at the side are made for each page: pages of source code in one folder, which the
  contents do not have, share theirs.
"""

import functools
import posixpath


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


def share_contents(app, pagename, templatename, context, doctree, *, made={}):  # noqa: B006
    """Give a page that is not in the contents those of another one in its folder."""
    if pagename in app.env.all_docs:
        return
    make, folder = context["toctree"], posixpath.dirname(pagename)

    def shared(**options):
        key = folder, *sorted(options.items())
        if key not in made:
            made[key] = make(**options)
        return made[key]

    context["toctree"] = shared


def setup(app):
    """Register both with Sphinx."""
    app.connect("env-check-consistency", remember_chapters)
    app.connect("html-page-context", share_contents, priority=1)  # before the theme asks
    return {"parallel_read_safe": True, "parallel_write_safe": True}
