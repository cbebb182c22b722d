"""The door of the book: its first page, icons, previews of links, a page for lost readers, a map.

- ``index.html`` is the front page itself, with its links as they are from there. The page of the
  same content in its folder stays, for old links.
- A page for addresses that lead nowhere, ``404.html``, which servers show by that name.
- With ``html_baseurl``, the public address of the book, each page says under which address it is
  found and what a preview of a link to it shows (Open Graph, and a card), and ``sitemap.xml`` lists
  all pages. The picture of a preview is that of the chapter, made by ``door/make_pictures.py``.
"""

import re
import shutil
from html import escape, unescape
from pathlib import Path
from urllib.parse import urljoin, urlsplit

HERE = Path(__file__).resolve().parent / "door"
LOST = "404"
CHAPTER = re.compile(r"(?:notebooks/(?:\w+/)?|book/guide/)(\d+)_")
RELATIVE = re.compile(r'(\b(?:href|src|action)=")(?![a-z]+:|/|#|")([^"]*")')


def addressed(text, folder):
    """The html of a page with the relative addresses that it has in a folder taken from above it.

    >>> addressed('<a href="a.html"><img src="../b.png"> <a href="#c"> <a href="x:y">', "book/")
    '<a href="book/a.html"><img src="b.png"> <a href="#c"> <a href="x:y">'
    """

    def moved(match):
        path = f"{folder}{match[2]}"
        while "/../" in f"/{path}":
            path = re.sub(r"(?:^|(?<=/))[^/]+/\.\./", "", path, count=1)
        return match[1] + path

    text = RELATIVE.sub(moved, text)
    up = "../" * folder.count("/")
    return text.replace(f'data-content_root="{up}"', 'data-content_root="./"')


def picture_of(pagename):
    """The name of the picture that a preview of a page shows."""
    chapter = CHAPTER.match(pagename)
    name = f"{chapter[1]}.png" if chapter else ""
    return name if name and (HERE / "pictures" / name).is_file() else "book.png"


def address_of(app, pagename):
    """Where a page is found on the network; the front page is the folder itself."""
    if pagename == app.config.root_doc:
        return app.config.html_baseurl
    return urljoin(app.config.html_baseurl, app.builder.get_target_uri(pagename))


def announce(app, pagename, templatename, context, doctree):
    """Icons for those who do not take the drawn one; with an address, what a preview shows."""
    icon = context["pathto"]("_static/icons/touch.png", 1)
    tags = [f'<link rel="apple-touch-icon" href="{icon}" />']
    said = re.search(r'<meta name="description" content="([^"]*)"', context.get("metatags") or "")
    if pagename == LOST:
        context["pageurl"] = None
    elif app.config.html_baseurl and said:
        context["pageurl"] = address_of(app, pagename)
        title = unescape(re.sub(r"<[^>]+>", "", context.get("title") or ""))
        picture = urljoin(app.config.html_baseurl, f"_static/previews/{picture_of(pagename)}")
        shown = {
            "og:title": title,
            "og:description": unescape(said[1]),
            "og:type": "website" if pagename == app.config.root_doc else "article",
            "og:site_name": app.config.html_title,
            "og:url": context["pageurl"],
            "og:image": picture,
            "og:image:width": "1200",
            "og:image:height": "630",
            "twitter:card": "summary_large_image",
        }
        for name, value in shown.items():
            kind = "name" if name.startswith("twitter") else "property"
            tags.append(f'<meta {kind}="{name}" content="{escape(value)}" />')
    context["metatags"] = (context.get("metatags") or "") + "".join(f"\n    {t}" for t in tags)


def add_lost(app):
    """The page for addresses that lead nowhere."""
    yield LOST, {"title": "Page not found"}, "lost.html"


def open_door(app, exception):
    """Write the first page, the pictures of previews and the map of all pages."""
    if exception is not None or app.builder.name != "html":
        return
    out, root = Path(app.outdir), app.config.root_doc
    front = (out / f"{root}.html").read_text(encoding="utf-8")
    folder = root[: root.rfind("/") + 1]
    (out / "index.html").write_text(addressed(front, folder), encoding="utf-8")
    shutil.copy(HERE / "favicon.ico", out)  # where browsers ask for it
    address = app.config.html_baseurl
    if not address:
        return
    lost = out / f"{LOST}.html"  # shown for an address in any folder
    text = lost.read_text(encoding="utf-8")
    place = urlsplit(address).path or "/"
    lost.write_text(RELATIVE.sub(rf"\g<1>{place}\g<2>", text), encoding="utf-8")
    shutil.copytree(HERE / "pictures", out / "_static" / "previews", dirs_exist_ok=True)
    pages = sorted({address_of(app, page) for page in app.env.found_docs})
    listed = "".join(f"<url><loc>{escape(page)}</loc></url>\n" for page in pages)
    start = '<?xml version="1.0" encoding="UTF-8"?>\n'
    start += '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    (out / "sitemap.xml").write_text(f"{start}{listed}</urlset>\n", encoding="utf-8")


def setup(app):
    """Register with Sphinx."""
    app.connect("html-collect-pages", add_lost)
    app.connect("html-page-context", announce, priority=860)  # when it is described
    app.connect("build-finished", open_door, priority=980)  # when the pages are finished
    return {"parallel_read_safe": True, "parallel_write_safe": True}
