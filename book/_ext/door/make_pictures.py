"""Draw the pictures that a preview of a link shows, and the icons that are no drawings.

    python book/_ext/door/make_pictures.py

Run by hand when a chapter gets another title or card: what it writes is part of the project. Each
chapter has a picture of its own, with its title and that of its card on the front page; all other
pages share one. Chromium lays them out, and Pillow writes them with few colors.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

import nbformat
from PIL import Image

HERE = Path(__file__).resolve().parent
BOOK = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
from cards import CARDS, svg  # noqa: E402

WIDTH, HEIGHT = 1200, 630
COLORS = 64
TOUCH = 180  # pixels of the icon on a telephone's first screen
ICO = (16, 32, 48)
FRONT = "Decision trees, random forests and gradient boosting: by hand, in code, on real data"
STYLE = """
body { background: #f6f3ea; color: #1f2328; font-family: Inter; margin: 0 }
main { box-sizing: border-box; height: 630px; padding: 72px 80px; width: 1200px;
  position: relative }
header { align-items: center; display: flex; font: 600 44px Literata; gap: 20px }
header img { height: 64px }
h1 { font: 600 64px/1.15 Literata; letter-spacing: -0.01em; margin: 72px 0 24px; max-width: 540px }
p { color: #54595f; font-size: 30px; line-height: 1.4; margin: 0; max-width: 500px }
.tl-icon { background: #fff; border-radius: 16px; bottom: 96px; box-sizing: border-box;
  max-height: none; padding: 24px; position: absolute; right: 72px; width: 500px }
"""
PAGE = """<main><header><img src="{mark}" alt="">treelab</header>
<h1>{title}</h1><p>{text}</p>{picture}</main>"""


def chapters():
    """Number, title and card of each chapter."""
    for path in sorted((BOOK.parent / "notebooks").glob("[0-9]*.ipynb")):
        text = nbformat.read(path, as_version=4).cells[0].source
        title = re.search("^# (.*)", text, re.M)[1]
        yield path.name[:2], title, CARDS[path.stem]


def shot(browser, html, folder, name, width, height):
    """A page as a picture of so many pixels."""
    page, picture = folder / f"{name}.html", folder / f"{name}.png"
    page.write_text(html, encoding="utf-8")
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               "--default-background-color=00000000", "--allow-file-access-from-files")  # fmt: skip
    size, file = f"--window-size={width},{height}", f"--screenshot={picture}"
    command = [browser, *options, size, file, page.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return Image.open(picture).convert("RGBA")


def previews():
    """Names of the previews, and the page that shows one below the other."""
    sheets = (BOOK / "_static" / name for name in ("fonts.css", "front.css"))
    styles = "\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    styles = styles.replace('url("fonts/', f'url("{(BOOK / "_static" / "fonts").as_uri()}/')
    shown = [("book", "Trees, read and grown", FRONT, svg(next(chapters())[2]))]
    for number, title, card in chapters():
        shown.append((number, f"{int(number)}. {title}", card.outcome, svg(card)))
    mark = (BOOK / "_static" / "favicon.svg").as_uri()
    pages = [
        PAGE.format(mark=mark, title=escape(title), text=escape(text), picture=picture)
        for _, title, text, picture in shown
    ]
    head = f'<!DOCTYPE html><meta charset="utf-8"><style>{styles}{STYLE}</style>'
    return [name for name, *_ in shown], head + "".join(pages)


def main():
    """Write all pictures."""
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, names)))
    target = HERE / "pictures"
    target.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names, html = previews()
        sheet = shot(browser, html, folder, "all", WIDTH, HEIGHT * len(names)).convert("RGB")
        for k, name in enumerate(names):
            part = sheet.crop((0, k * HEIGHT, WIDTH, (k + 1) * HEIGHT))
            part = part.quantize(COLORS, dither=Image.Dither.NONE)
            part.save(target / f"{name}.png", optimize=True)
        mark = (BOOK / "_static" / "favicon.svg").read_text(encoding="utf-8")
        html = '<body style="margin:0;{style}"><div style="width:{size}px">{mark}</div>'
        ground = f"background:#f6f3ea;padding:{TOUCH // 9}px"
        touch = html.format(style=ground, size=TOUCH - 2 * (TOUCH // 9), mark=mark)
        icons = BOOK / "_static" / "icons"
        icons.mkdir(exist_ok=True)
        shot(browser, touch, folder, "touch", TOUCH, TOUCH).convert("RGB").save(
            icons / "touch.png", optimize=True
        )
        sizes = [
            shot(browser, html.format(style="", size=n, mark=mark), folder, f"mark{n}", n, n)
            for n in ICO
        ]
        sizes[-1].save(HERE / "favicon.ico", append_images=sizes[:-1], sizes=[(n, n) for n in ICO])


if __name__ == "__main__":
    main()
