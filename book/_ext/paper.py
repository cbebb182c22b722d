"""What a page of the book is when a reader prints it from the browser.

`paper.css` is for print alone: it takes away what has no use on paper, keeps titles with their
figures, and lets nothing be cut off at the edge. The cheat sheet has a style sheet of its own,
`sheet.css`, which sets it on two pages.
"""


def add_styles(app, pagename, templatename, context, doctree):
    """Give the cheat sheet its style; a place of its own, since `@page` holds for a whole page."""
    if 'class="tl-sheet' in context.get("body", ""):
        app.add_css_file("sheet.css", priority=830)


def setup(app):
    """Register with Sphinx."""
    app.add_css_file("paper.css", priority=820, media="print")
    app.connect("html-page-context", add_styles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
