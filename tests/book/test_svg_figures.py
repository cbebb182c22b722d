"""The figures in a page: in its ink, with names of their own, legible on a phone."""

import re
from base64 import b64decode, b64encode
from io import BytesIO
from xml.etree import ElementTree

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image
from places import ROOT
from svg_figures import PICTURE, PNG, inlined, on_page, packed

from treelab import DecisionTreeClassifier
from treelab.drawing import draw_tree
from treelab.drawing.style import ACCENT, GRAY, INK, PAPER, pale, style
from treelab.figures.svg import svg

HTML = ROOT / "_build" / "html"


@pytest.fixture(autouse=True)
def _agg():
    with mpl.rc_context({"backend": "Agg"}):
        yield
    plt.close("all")


def picture(width=5.4, **look):
    """A figure with a text in this look."""
    with style():
        figure = plt.figure(figsize=(width, 1))
        figure.text(0.1, 0.1, "words", **look)
    return svg(figure)


def address(image):
    """An image as a page has it."""
    file = BytesIO()
    image.save(file, "PNG")
    return PNG + b64encode(file.getvalue()).decode()


def pixels(address):
    """The colors of an image, pixel by pixel."""
    image = Image.open(BytesIO(b64decode(address.removeprefix(PNG))))
    return np.asarray(image.convert("RGBA")).tolist()


def test_a_cloud_of_points_is_packed_and_keeps_its_pixels():
    cloud = Image.new("RGBA", (90, 60), (0, 0, 0, 0))
    for k in range(900):
        cloud.putpixel((7 * k % 90, 11 * k % 60), (k % 3, 114, 178, 255 - k % 7))
    small = packed(address(cloud))
    assert pixels(small) == pixels(address(cloud))
    assert len(small) < len(address(cloud))
    rows, columns = np.indices((20, 20), dtype=np.uint8)
    many = Image.fromarray(np.dstack([rows, columns, rows * 0, rows * 0 + 255]))
    assert packed(address(many)) == address(many)


def test_neutral_colors_follow_the_page():
    assert (on_page(INK), on_page(PAPER)) == ("var(--tl-ink)", "var(--tl-paper)")
    assert (on_page(GRAY), on_page("#000000")) == ("var(--tl-gray)", "var(--tl-ink)")
    assert on_page("#b7b7b7") == "color-mix(in srgb,var(--tl-ink) 31%,var(--tl-paper))"
    for gray in ("#7b7b7b", "#8a8a8a"):  # as color scales have them
        assert on_page(gray) == gray
    assert on_page(ACCENT.lower()) == ACCENT.lower()


def luminance(color):
    """Relative luminance of a color, as WCAG defines it."""
    channels = np.array(mpl.colors.to_rgb(color))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


@pytest.mark.parametrize(("name", "color"), [("amber", "#e69f00"), ("sky", "#56b4e9")])
def test_pale_colors_are_as_dark_as_a_line_must_be(name, color):
    assert on_page(color) == f"var(--tl-{name},{color})"
    assert on_page(color, text=True) == f"color-mix(in srgb,{color} 60%,var(--tl-ink))"
    sheet = (ROOT / "book" / "_static" / "figures.css").read_text(encoding="utf-8")
    on_white, on_black = re.findall(f"--tl-{name}: (#[0-9a-f]{{6}})", sheet)
    for drawn, ground in ((on_white, "#ffffff"), (on_black, "#121212")):
        low, high = sorted(map(luminance, (drawn, ground)))
        assert (high + 0.05) / (low + 0.05) >= 3


def test_a_pale_tint_is_the_same_on_white():
    for strength in (0.1, 0.3, 0.45):
        tint = mpl.colors.to_hex(pale("#0072b2", strength))
        full, share = re.fullmatch(
            r"color-mix\(in srgb,(#\w{6}) (\d+)%,var\(--tl-paper\)\)", on_page(tint)
        ).groups()
        again = pale(full, int(share) / 100)
        assert again == pytest.approx(mpl.colors.to_rgb(tint), abs=0.02)


def test_text_on_a_color_keeps_its_black_or_white_and_text_in_a_color_is_mixed():
    for word in ("black", "white"):
        color = mpl.colors.to_hex(word)
        assert re.search(rf'fill:{color}"[^>]*>words', inlined(picture(color=word), "p"))
    assert 'fill:var(--tl-ink)"' in inlined(picture(color=INK), "p")
    mixed = f"fill:color-mix(in srgb,{ACCENT.lower()} 60%,var(--tl-ink))"
    assert mixed in inlined(picture(color=ACCENT), "p")


def test_the_ground_is_the_page():
    assert picture().count("<path") == 1
    assert "<path" not in inlined(picture(), "p")


def test_names_are_those_of_one_picture():
    model = DecisionTreeClassifier().fit([[1], [2], [3], [4]], ["a", "b", "c", "a"])
    text = svg(draw_tree(model).figure)
    one, two = (inlined(text, prefix) for prefix in ("p-1", "p-2"))
    for html, prefix in ((one, "p-1"), (two, "p-2")):
        ids = re.findall(r'\bid="([\w-]+)"', html)
        assert len(set(ids)) == len(ids) > 2
        assert all(re.fullmatch(rf"{prefix}-\d+", i) for i in ids)
        assert set(re.findall(r'(?:url\(|href=")#([\w-]+)', html)) == set(ids)
    assert one.replace("p-1-", "p-2-") == two


def test_what_it_shows_is_said():
    html = inlined(picture(), "p", 'A "tree" & <more>')
    root = ElementTree.fromstring(html)
    assert (root.get("role"), root.get("aria-label")) == ("img", 'A "tree" & <more>')


@pytest.mark.parametrize(
    ("width", "size", "least"), [(5.4, 12.5, None), (10.8, 12.5, 685), (5.4, 10, 428)]
)
def test_a_picture_too_wide_for_a_phone_scrolls(width, size, least):
    html = inlined(picture(width, fontsize=size), "p")
    if least is None:
        assert "min-width" not in html
        assert html.startswith("<svg")
    else:
        assert f'style="min-width:{least}px"' in html
        assert re.match(r'<div class="tl-scroll" [^>]*tabindex="0"><svg', html)


def test_names_of_pictures_are_unique_in_the_built_book():
    seen = set()
    for path in sorted((HTML / "notebooks").glob("*.html")):
        text = path.read_text(encoding="utf-8")
        for found in PICTURE.findall(text):
            ids = set(re.findall(r'\bid="([\w-]+)"', found))
            assert not ids & seen, path.name
            assert 'aria-label=""' not in found
            seen |= ids
