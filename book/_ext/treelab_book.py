"""Small repairs to the stack that builds the book.

- sphinx-thebe writes its constants twice on every page, a script error, and the book has no
  live kernel to offer: its listeners are disconnected.
- sphinx-exercise registers visitors for the builder `singlehtml`; Sphinx then no longer looks at
  those registered for `html`, sphinx-proof's among them: they are copied over.
- sphinx-mathjax-offline copies all of MathJax (24 MB): what no page loads is removed.
- Wide tables and cell outputs scroll inside a region of their own; the region gets a tab stop so
  that a keyboard can scroll it.
"""

import re
import shutil
from pathlib import Path

# What a page can ask for: the component it starts with, the fonts, the extensions of TeX that
# are loaded on first use, and the menu with its accessibility explorer.
MATHJAX_KEPT = ("tex-chtml.js", "output", "input", "a11y", "sre", "ui")
MATHJAX_DROPPED = ("output/svg", "output/svg.js", "input/mml", "input/mml.js", "input/asciimath.js")
SCROLLING = re.compile(r'<div class="(cell_output docutils container|pst-scrollable-table-container)">')


def silence_thebe(app, config):
    """Disconnect every listener of sphinx-thebe."""
    for listeners in app.events.listeners.values():
        for listener in list(listeners):
            if listener.handler.__module__.startswith("sphinx_thebe"):
                listeners.remove(listener)


def share_html_visitors(app, config):
    """Give `singlehtml` the visitors of `html` that it does not have itself."""
    handlers = app.registry.translation_handlers
    for node, visitors in handlers.get("html", {}).items():
        if "singlehtml" in handlers:
            handlers["singlehtml"].setdefault(node, visitors)


def trim_mathjax(app, exception):
    """Remove from the built book the parts of MathJax that no page loads."""
    mathjax = Path(app.outdir) / "_static" / "mathjax"
    if exception is not None or not mathjax.is_dir():
        return
    unwanted = [p for p in mathjax.iterdir() if p.name not in MATHJAX_KEPT]
    unwanted += [mathjax / name for name in MATHJAX_DROPPED]
    for path in unwanted:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def setup(app):
    """Register the repairs with Sphinx."""
    app.connect("config-inited", share_html_visitors, priority=900)
    app.connect("config-inited", silence_thebe, priority=900)
    app.connect("build-finished", trim_mathjax, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
