"""Pictures as SVG: small, sharp at any size, and the same bytes each time.

Matplotlib writes SVG for archives: with metadata, a name for every group, seven digits, and hatches
of thousands of curves. For a page, `svg` leaves the shapes, the texts as texts, and names for
what is referred to. The colors stay plain, so that any program shows the picture; the book's
extension `svg_figures` lets them follow the page.
"""

import io
import re
from xml.etree import ElementTree

import matplotlib as mpl
from matplotlib.path import Path

from treelab.drawing.style import DPI

__all__ = ["png", "svg"]

LARGEST = 150_000  # letters; what has more is better a PNG
SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
LETTERS = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C"}
INHERITED = re.compile(r"(fill|stroke)(-\w+)?:")


def svg(figure, prefix="f"):
    """A figure as SVG text, or None where that is longer than 150 000 letters.

    Parameters
    ----------
    figure : Figure
    prefix : str, default="f"
        Beginning of the ids in it, which must be unique on a page.

    Examples
    --------
    >>> from treelab.figures.errors import draw_errors
    >>> text = svg(draw_errors([1, 2], {"test": [0.2, 0.1]}).figure)
    >>> text[:26], text == svg(draw_errors([1, 2], {"test": [0.2, 0.1]}).figure)
    ('<svg class="tl-figure" xml', True)
    """
    root = ElementTree.fromstring(_saved(figure, "svg", {"Date": None}))
    hatches = set()  # contours have several
    for artist in figure.findobj():
        hatches |= {getattr(artist, "get_hatch", str)(), *(getattr(artist, "hatches", ()) or ())}
    for pattern in root.iter(f"{SVG}pattern"):
        _tile(pattern, {hatch for hatch in hatches if hatch})
    _name(root, prefix)
    _shorten(root)
    width, height = (float(number) for number in root.get("viewBox").split()[2:])
    look = {
        "class": "tl-figure", "xmlns": SVG[1:-1], "viewBox": root.get("viewBox"),
        "width": f"{width * 4 / 3:.0f}", "height": f"{height * 4 / 3:.0f}",
        "font-family": "DejaVu Sans, sans-serif", "stroke-linejoin": "round",
    }  # fmt: skip
    root.attrib.clear()
    root.attrib.update(look)
    text = ElementTree.tostring(root, encoding="unicode").replace(" />", "/>").strip()
    return text if len(text) <= LARGEST else None


def png(figure):
    """A figure as PNG, the same bytes each time, at its own size."""
    return _saved(figure, "png", {"Software": None})


def _saved(figure, kind, metadata):
    """What Matplotlib writes, whatever the settings."""
    buffer = io.BytesIO()
    settings = {"svg.fonttype": "none", "svg.hashsalt": "treelab", "savefig.bbox": None,
                "savefig.facecolor": "auto", "savefig.transparent": False}  # fmt: skip
    with mpl.rc_context(settings):
        figure.savefig(buffer, format=kind, dpi=DPI, metadata=metadata)
    return buffer.getvalue()


def _tile(pattern, hatches):
    """Make the pattern of a hatch of one repeated sign as small as its period."""
    path = pattern.find(f"{SVG}path")
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", path.get("d"))[:8]]
    for hatch in sorted(hatches):
        if len(set(hatch)) == 1 and _points(Path.hatch(hatch, 6), 72)[0][:8] == numbers:
            side = 24 / len(hatch)
            path.set("d", _points(Path.hatch(hatch[0] * 2, 1), side)[1])
            for piece, size in ((pattern, side), (pattern.find(f"{SVG}rect"), side + 1)):
                piece.attrib.update(width=f"{size:g}", height=f"{size:g}")


def _points(path, side):
    """The numbers of a path scaled to a square of this `side`, y downwards; the path as text."""
    numbers, words = [], []
    for points, code in path.iter_segments(simplify=False):
        if code == Path.CLOSEPOLY:
            words.append("z")
            continue
        here = [side * (1 - v if i % 2 else v) for i, v in enumerate(points.tolist())]
        here = [round(v, 6) + 0.0 for v in here]
        numbers += here
        words.append(f"{LETTERS[code]} {' '.join(f'{v:g}' for v in here)}")
    return numbers, " ".join(words)


def _name(root, prefix):
    """Number the ids that something refers to, and take the others away."""
    said = " ".join(value for piece in root.iter() for value in piece.attrib.values())
    names = {piece.get("id") for piece in root.iter()}
    used = dict.fromkeys(name for name in re.findall(r"#([\w-]+)", said) if name in names)
    short = {old: f"{prefix}-{k}" for k, old in enumerate(used)}
    for piece in root.iter():
        if (name := piece.attrib.pop("id", None)) in short:
            piece.set("id", short[name])
        for key, value in list(piece.attrib.items()):
            if "#" in value:
                value = re.sub(r"#([\w-]+)", lambda m: f"#{short.get(m[1], m[1])}", value)
                piece.set(key, value)
        if HREF in piece.attrib:
            piece.set("href", piece.attrib.pop(HREF))


def _shorten(piece):
    """Take away what a picture does not need: metadata, groups of nothing, digits, spaces."""
    kept = []
    for child in piece:
        _shorten(child)
        child.tag = child.tag.removeprefix(SVG)
        if child.tag in ("metadata", "style") or (child.tag in ("g", "defs") and not len(child)):
            continue
        kept += list(child) if child.tag == "g" and not child.attrib else [child]
    piece[:] = kept
    for child in kept:  # Matplotlib leaves black out; a text says it, an empty group does not
        style = child.get("style", "")
        if "font-size" in style and "fill:" not in style:
            child.set("style", f"{style};fill:#000000")
    styles = {child.get("style", "") for child in kept}
    if piece.tag == f"{SVG}g" and kept and len(styles) == 1 and {c.tag for c in kept} == {"use"}:
        (style,) = styles
        if style and all(INHERITED.match(part) for part in style.split(";")):
            piece.set("style", style)
            for child in kept:
                del child.attrib["style"]
    for key, value in list(piece.attrib.items()):
        if key == "style":
            piece.set(key, re.sub(r"; *font-family: *'DejaVu Sans'|(?<=[:;]) ", "", value))
        elif key == "transform":
            if re.fullmatch(r"rotate\(-?0 .*\)", value):
                del piece.attrib[key]
            else:
                piece.set(key, _rounded(value, 4))
        elif key in ("d", "x", "y", "points"):
            piece.set(key, _rounded(" ".join(value.split()), 2))
    if piece.tag == f"{SVG}svg":
        piece.tag = "svg"
    words = piece.tag in (f"{SVG}text", f"{SVG}tspan")
    piece.text = (piece.text or "").strip("\n ") if words else "\n" if kept else None
    piece.tail = None if piece.tag == f"{SVG}tspan" else "\n"


def _rounded(text, digits):
    """Numbers with as many digits after the point."""
    return re.sub(r"-?\d+\.\d+", lambda m: f"{round(float(m[0]), digits) + 0.0:g}", text)
