"""The scripts and the style of the explorables, on the pages that have one."""

import re

SHARED = ("core.js", "motion.js", "tree.js", "link.js")
NEEDED = {"bag": "votes.js", "forest": "votes.js"}  # by kinds that share a picture


def add_scripts(app, pagename, templatename, context, doctree):
    """Ask for the shared scripts and one for each kind of explorable on the page."""
    kinds = re.findall(
        r'<figure class="tl-explorable"[^>]*data-kind="([a-z]+)"', context.get("body", "")
    )
    needed = sorted({NEEDED[kind] for kind in kinds if kind in NEEDED})
    own = sorted({f"{kind}.js" for kind in kinds})
    for script in [*SHARED, *needed, *own] if kinds else []:
        app.add_js_file(f"explorables/{script}", loading_method="defer")


def setup(app):
    """Look at every page."""
    app.connect("html-page-context", add_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
