"""Cut the fonts of the book to the characters that a book like this one needs.

    npm pack inter-ui@4.1.1 jetbrains-mono@1.0.6 @fontsource-variable/literata@5.3.0
    pip install fonttools==4.68.0 brotli==1.2.1
    python book/_ext/fonts/cut_fonts.py FOLDER

FOLDER holds the three packages, unpacked (``FOLDER/inter-ui`` and so on). Run by hand, once: the
files it writes into ``book/_static/fonts`` are part of the project, with their license beside
them, so that pages, slides and print look the same on every machine and need no network. None of
the three has a reserved name, so the cut files may keep theirs.

Ligatures are left out, for ``<=`` is two characters of a program and not one.
"""

import sys
from io import BytesIO
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

TARGET = Path(__file__).resolve().parent.parent.parent / "_static" / "fonts"
FONTS = {
    "inter": "inter-ui/variable/InterVariable.woff2",
    "inter-italic": "inter-ui/variable/InterVariable-Italic.woff2",
    "jetbrains-mono": "jetbrains-mono/fonts/webfonts/JetBrainsMono-Regular.woff2",
    "jetbrains-mono-bold": "jetbrains-mono/fonts/webfonts/JetBrainsMono-Bold.woff2",
    "literata": "@fontsource-variable/literata/files/literata-latin-wght-normal.woff2",
    "literata-italic": "@fontsource-variable/literata/files/literata-latin-wght-italic.woff2",
}
AXES = {"opsz": 14, "wght": (400, 700)}
# Latin with accents, Greek, punctuation, super- and subscripts, arrows, mathematics, the lines and
# blocks of drawn tables, stars and check marks.
CHARACTERS = (
    "U+0020-007E,U+00A0-017F,U+0391-03C9,U+03D1,U+03D5,U+03F5,U+2010-2015,U+2018-201E,U+2020-2022,"
    "U+2026,U+202F,U+2030,U+2032-2033,U+2039-203A,U+2070-209C,U+20AC,U+2113,U+211D,U+2122,"
    "U+2190-2195,U+21A6,U+21D0-21D4,U+2200-22A5,U+22C5,U+2500-257F,U+2588,U+2591-2593,U+25A0-25FF,"
    "U+2605-2606,U+2610-2612,U+2713-2718"
)
FEATURES = ["kern", "tnum", "ccmp", "locl", "mark", "mkmk"]


def cut(source, target):
    """Write the font in the file `source` to `target`, with no more than what is wanted of it."""
    font = TTFont(source)
    if "fvar" in font:
        known = {axis.axisTag for axis in font["fvar"].axes}
        wanted = {axis: value for axis, value in AXES.items() if axis in known}
        font = instantiateVariableFont(font, wanted)
    font.flavor = None
    whole = BytesIO()
    font.save(whole)
    font = TTFont(whole)
    options = subset.Options(layout_features=FEATURES, hinting=False, name_IDs=range(26))
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=subset.parse_unicodes(CHARACTERS))
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)


if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    for name, path in FONTS.items():
        cut(Path(sys.argv[1]) / path, TARGET / f"{name}.woff2")
        print(f"{name}: {(TARGET / name).with_suffix('.woff2').stat().st_size} bytes")
