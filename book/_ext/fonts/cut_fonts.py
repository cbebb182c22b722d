"""Cut the fonts of the book to the characters that a book like this one needs.

    npm pack inter-ui@4.1.1 jetbrains-mono@1.0.6 @fontsource-variable/literata@5.3.0 \\
        @fontsource/stix-two-math@5.3.0
    pip install fonttools==4.68.0 brotli==1.2.1
    python book/_ext/fonts/cut_fonts.py FOLDER

FOLDER holds the packages, unpacked (``FOLDER/inter-ui`` and so on). Run by hand, once: the
files it writes into ``book/_static/fonts`` are part of the project, with their license beside
them, so that pages, slides and print look the same on every machine and need no network. None of
the fonts has a reserved name, so the cut files may keep theirs.

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
    "literata-bold": "@fontsource-variable/literata/files/literata-latin-wght-normal.woff2",
    "literata-italic": "@fontsource-variable/literata/files/literata-latin-wght-italic.woff2",
    "stix-two-math": "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2",
}
AXES = {"opsz": 14, "wght": (400, 700)}
# Titles on a page have one weight. Bold italic type is rare, and a browser makes it.
STILL = {"literata-bold": {"wght": 600}, "inter-italic": {"wght": 400}}
# Latin with accents, Greek, punctuation, super- and subscripts, arrows, mathematics, the plain
# lines of drawn tables, a few shapes, stars and check marks.
CHARACTERS = (
    "U+0020-007E,U+00A0-00FF,U+0104-0107,U+010C-010D,U+0118-011B,U+011E-011F,U+0130-0131,U+0141-0144,"
    "U+0147-0148,U+0150-0153,U+0158-015B,U+015E-0161,U+016E-0171,U+0178-017E,U+0391-03C9,U+03D1,"
    "U+03D5,U+03F5,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+202F,U+2030,U+2032-2033,U+2039-203A,"
    "U+2070-208E,U+20AC,U+2113,U+211D,U+2122,U+2190-2195,U+21A6,U+21D2,U+21D4,U+2200,U+2202-2203,"
    "U+2205-2209,U+220F,U+2211-2213,U+2217,U+221A,U+221D-221E,U+2227-222B,U+2248,U+2260-2261,"
    "U+2264-2265,U+2282-2283,U+22A4-22A5,U+22C5,U+2500,U+2502,U+250C,U+2510,U+2514,U+2518,U+251C,"
    "U+2524,U+252C,U+2534,U+253C,U+2588,U+25A0-25A1,U+25B2-25B3,U+25B6,U+25BC-25BD,U+25C0,"
    "U+25C6-25C7,U+25CB,U+25CF,U+2605-2606,U+2610-2612,U+2713-2718"
)
# Italic type says words: Latin letters, punctuation and a few signs. Bold code is ASCII.
WORDS = (
    "U+0020-007E,U+00A0-00FF,U+0152-0153,U+0160-0161,U+017D-017E,U+2010-2015,U+2018-201E,U+2020-2022,"
    "U+2026,U+202F,U+2030,U+2032-2033,U+20AC,U+2122,U+2190-2193,U+2212,U+2248,U+2260,U+2264-2265"
)
# ASCII, Greek, accents, operators, brackets and braces that grow, and the alphabets of mathematics:
# italic letters, script and blackboard capitals, bold digits.
SIGNS = (
    "U+0020-007E,U+00A0,U+00AC,U+00AF,U+00B1,U+00B7,U+00D7,U+00F7,U+02C6,U+02C7,U+02D8,U+02D9,"
    "U+02DC,U+0302-0304,U+0307-0308,U+0338,U+0391-03A9,U+03B1-03C9,U+03D1,U+03D5,U+03F5,"
    "U+2016,U+2026,U+2032-2034,U+203E,U+2061,U+2102,U+210B,U+210E,U+2110-2113,U+2115,U+211B,U+211D,"
    "U+2124,U+212C,U+2130-2133,U+2190-2193,U+21A6,U+21D2,U+21D4,U+2200,U+2202-2203,U+2205,U+2207-2209,"
    "U+220B,U+220F,U+2211-2213,U+2217-2218,U+221A,U+221D-221E,U+2227-222B,U+223C,U+2243,U+2248,"
    "U+2260-2261,U+2264-2265,U+226A-226B,U+2282-2283,U+2286-2287,U+2295,U+2297,U+22A4-22A5,U+22C5,"
    "U+22EF,U+2308-230B,U+23DE-23DF,U+25A1,U+27E8-27E9,U+27F6,U+1D434-1D467,U+1D49C-1D4B5,"
    "U+1D538-1D550,U+1D6E2-1D71B,U+1D7CE-1D7D8"
)
ONLY = {"inter-italic": WORDS, "jetbrains-mono-bold": "U+0020-007E", "stix-two-math": SIGNS}
FEATURES = ["kern", "tnum", "ccmp", "locl", "mark", "mkmk"]


def narrow_radicals(font):
    """Make tall radicals as narrow as the low one.

    Chromium keeps as much room for each root as the widest radical takes, and leaves what it does
    not need as a gap behind the root.
    """
    radical = font.getBestCmap()[ord("\N{SQUARE ROOT}")]
    variants = font["MATH"].table.MathVariants
    place = variants.VertGlyphCoverage.glyphs.index(radical)
    taller = variants.VertGlyphConstruction[place]
    names = {record.VariantGlyph for record in taller.MathGlyphVariantRecord}
    names |= {part.glyph for part in taller.GlyphAssembly.PartRecords}
    width = font["hmtx"][radical][0]
    for name in names - {radical}:
        advance, bearing = font["hmtx"][name]
        glyph = font["glyf"][name]
        glyph.coordinates.scale((width / advance, 1))
        glyph.coordinates.toInt()
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][name] = width, round(bearing * width / advance)


def cut(source, target):
    """Write the font in the file `source` to `target`, with no more than what is wanted of it."""
    font = TTFont(source)
    if "fvar" in font:
        known = {axis.axisTag for axis in font["fvar"].axes}
        wanted = AXES | STILL.get(target.stem, {})
        wanted = {axis: value for axis, value in wanted.items() if axis in known}
        font = instantiateVariableFont(font, wanted)
    if "MATH" in font:
        narrow_radicals(font)
    font.flavor = None
    whole = BytesIO()
    font.save(whole)
    font = TTFont(whole)
    features = [] if "MATH" in font else FEATURES
    options = subset.Options(layout_features=features, hinting=False, name_IDs=range(26))
    subsetter = subset.Subsetter(options)
    wanted = ONLY.get(target.stem, CHARACTERS)
    subsetter.populate(unicodes=subset.parse_unicodes(wanted))
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)


if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    for name, path in FONTS.items():
        cut(Path(sys.argv[1]) / path, TARGET / f"{name}.woff2")
        print(f"{name}: {(TARGET / name).with_suffix('.woff2').stat().st_size} bytes")
