"""Figures inside the page, in its ink.

A notebook holds its figures as SVG with plain colors, made by `treelab.figures.svg`. In a file of
its own, behind an `img`, a picture knows nothing of the page. So each is written into it, and:

- the ground is taken away, and neutral colors become mixtures of the page's ink and paper, so
  that black on white turns with the theme; a pale tint becomes the same share of its color on the
  paper, and text in a color is mixed with ink, to be legible on either;
- text in plain black or white stays: it stands on a color;
- what refers to a name within the picture refers to one that no other picture has, nor page;
- a cloud of points, which is a PNG in the picture, is packed;
- a picture whose smallest type would be under 11 pixels on a phone scrolls in a box of its own.

Pictures in the frames of a stepper or of an explorable are treated in the same way.
"""

import re
from base64 import b64decode, b64encode
from io import BytesIO
from math import ceil
from pathlib import Path
from xml.etree import ElementTree
from zlib import crc32

import numpy as np
from docutils import nodes
from PIL import Image
from sphinx.transforms.post_transforms import SphinxPostTransform

SMALLEST, PHONE = 11, 344  # type in pixels, and the width that a phone has for a figure
INK, PAPER = 26, 255  # the neutral colors that treelab.drawing draws with
NAMED = {"#f1ede2": "var(--tl-leaf)", "#5c5c5c": "var(--tl-gray)", "#dddddd": "var(--tl-grid)"}
TINT = 0.5  # what has more white than this in it is a pale tint of something
MIDDLE = (98, 160)  # grays that stay, which are legible on any ground: a color scale has some
PALE = {"#e69f00": "amber", "#56b4e9": "sky"}  # lines on white: the style sheet darkens them
SVG = "{http://www.w3.org/2000/svg}"
PNG = "data:image/png;base64,"
PICTURE = re.compile(r'<svg\b[^>]*class="tl-figure".*?</svg>', re.DOTALL)


def on_page(color, text=False):
    """A plain color as a page writes it, for a shape or for a text.

    >>> on_page("#1a1a1a"), on_page("#ffffff"), on_page("#0072b2")
    ('var(--tl-ink)', 'var(--tl-paper)', '#0072b2')
    >>> on_page("#ffffff", text=True), on_page("#b2d4e7")
    ('#ffffff', 'color-mix(in srgb,#0070af 30%,var(--tl-paper))')
    """
    channels = [int(color[k : k + 2], 16) for k in (1, 3, 5)]
    if text and channels in ([0] * 3, [255] * 3):
        return color
    if color in NAMED:
        return NAMED[color]
    if color in PALE and not text:
        return f"var(--tl-{PALE[color]},{color})"
    white = min(channels)
    if white == max(channels) and not MIDDLE[0] < white < MIDDLE[1]:
        share = min(1, (PAPER - white) / (PAPER - INK))
        if share in (0, 1):
            return "var(--tl-ink)" if share else "var(--tl-paper)"
        return f"color-mix(in srgb,var(--tl-ink) {share:.0%},var(--tl-paper))"
    if text:
        return f"color-mix(in srgb,{color} 60%,var(--tl-ink))"
    if TINT < white / 255 < max(channels) / 255:
        full = "".join(f"{255 * (c - white) // (255 - white):02x}" for c in channels)
        return f"color-mix(in srgb,#{full} {1 - white / 255:.0%},var(--tl-paper))"
    return color


def smallest_type(root):
    """The size of the smallest type, in units of the picture; indices and powers left aside."""
    sizes = []
    for text in root.iter(f"{SVG}text"):
        found = [
            float(size)
            for piece in text.iter()
            for size in re.findall(r"font-size:([\d.]+)px", piece.get("style", ""))
        ]
        sizes += [max(found)] if found else []
    return min(sizes, default=SMALLEST)


def packed(address):
    """A PNG in an address with a palette, if it has few colors: the same pixels in fewer bytes."""
    pixels = np.asarray(Image.open(BytesIO(b64decode(address.removeprefix(PNG)))).convert("RGBA"))
    colors, places = np.unique(pixels.reshape(-1, 4), axis=0, return_inverse=True)
    if len(colors) > 256:
        return address
    image = Image.fromarray(places.reshape(pixels.shape[:2]).astype(np.uint8))
    image.putpalette(colors[:, :3].tobytes())
    file = BytesIO()
    image.save(file, "PNG", optimize=True, transparency=colors[:, 3].tobytes())
    return min(address, PNG + b64encode(file.getvalue()).decode(), key=len)


def inlined(picture, prefix, alt=None):
    """A picture, SVG text, as html for a page on which no other has this prefix."""
    root = ElementTree.fromstring(picture)
    width, height = root.get("viewBox").split()[2:]
    ground = root.find(f"{SVG}path")
    if ground is not None and re.fullmatch(
        rf"M 0 {height} L {width} {height} L {width} 0 L 0 0 z", ground.get("d")
    ):
        root.remove(ground)
    known = [piece.get("id") for piece in root.iter() if "id" in piece.attrib]
    names = {name: f"{prefix}-{k}" for k, name in enumerate(known)}
    for piece in root.iter():
        text = piece.tag in (f"{SVG}text", f"{SVG}tspan")
        style = piece.get("style", "")
        if (piece.get("fill") or "").startswith("#"):
            style = f"fill:{piece.attrib.pop('fill')};{style}"
        if style:
            colored = re.sub(r"#[0-9a-f]{6}\b", lambda m, text=text: on_page(m[0], text), style)
            piece.set("style", colored.strip(";"))
        for key, value in list(piece.attrib.items()):
            if key == "id":
                piece.set("id", names[value])
            elif key == "href" and value.startswith(PNG):
                piece.set(key, packed(value))
            elif key == "href" and value[1:] in names:
                piece.set("href", f"#{names[value[1:]]}")
            elif "url(#" in value:
                value = re.sub(r"url\(#([\w-]+)\)", lambda m: f"url(#{names[m[1]]})", value)
                piece.set(key, value)
    root.attrib.pop("font-family", None)
    root.set("role", "img")
    if alt is not None:
        root.set("aria-label", alt)
    least = ceil(float(width) * SMALLEST / smallest_type(root))
    root.attrib.pop("style", None)
    if least > PHONE:
        root.set("style", f"min-width:{least}px")
    for piece in root.iter():
        piece.tag = piece.tag.removeprefix(SVG)
    text = ElementTree.tostring(root, encoding="unicode").replace(" />", "/>").strip()
    if least > PHONE:
        label = 'role="region" aria-label="A wide figure" tabindex="0"'
        text = f'<div class="tl-scroll" {label}>{text}</div>'
    return text


class InlinePictures(SphinxPostTransform):
    """Write the pictures of a page into it."""

    default_priority = 400
    formats = ("html",)

    def run(self, **kwargs):
        """Pictures in the html that cells show, and those that they show."""
        here, count = f"s{crc32(self.env.docname.encode()):08x}", 0
        for raw in self.document.findall(nodes.raw):
            if raw.get("format") == "html":
                parts = re.split(f"({PICTURE.pattern})", raw.astext(), flags=re.DOTALL)
                for k in range(1, len(parts), 2):
                    count += 1
                    parts[k] = inlined(parts[k], f"{here}-{count}")
                if len(parts) > 1:
                    raw.children[:] = [nodes.Text("".join(parts))]
        for image in list(self.document.findall(nodes.image)):
            path = Path(self.env.srcdir, image["uri"])
            if path.suffix != ".svg" or not path.is_file():
                continue
            text = path.read_text(encoding="utf-8")
            if PICTURE.match(text):
                count += 1
                html = inlined(text, f"{here}-{count}", image.get("alt", ""))
                image.replace_self(nodes.raw("", html, format="html"))


def setup(app):
    """Register the transform with Sphinx."""
    app.add_post_transform(InlinePictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
