"""Make the printed book light: the same pages, pictures, tags and links in a third of the bytes.

Chromium writes equal pictures and letters once for each place, a tag without meaning around every
word of code, and every object by itself. Here equal ones become one, these tags give way to what
they hold (which is how a reader program takes them anyway), and objects are compressed together.
"""

import pikepdf
from pikepdf import Array, Dictionary, Name, ObjectStreamMode
from PIL import Image, ImageChops

BARE = {"/K", "/P", "/Pg", "/S", "/Type"}  # the entries of a tag that says nothing of its own
UNSEEN = 8  # of the 256 shades of a color: a change that nobody sees


def lighten(path):
    """Save the PDF of this path anew, smaller.

    Parameters
    ----------
    path : path-like
        A PDF as Chromium writes it.
    """
    pikepdf.settings.set_flate_compression_level(9)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        share_equals(pdf)
        use_palettes(pdf)
        drop_bare_tags(pdf)
        pdf.save(path, object_stream_mode=ObjectStreamMode.generate, recompress_flate=True)


def share_equals(pdf):
    """Of equal pictures, shapes of letters and what these say, all places use the first."""
    first, same = {}, {}
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Stream):
            entries = tuple((key, thing[key].unparse()) if isinstance(thing[key], pikepdf.Object)
                            else (key, thing[key]) for key in sorted(thing.keys()))  # fmt: skip
            same[thing.objgen] = first.setdefault((thing.read_raw_bytes(), entries), thing)
    for thing in pdf.objects:
        if isinstance(thing, (Dictionary, pikepdf.Stream)) and "/S" not in thing:  # not a tag
            shown = thing.get("/Resources", Dictionary()).get("/XObject", Dictionary())
            letters = thing.get("/CharProcs", Dictionary())
            for places, keys in (
                (shown, shown.keys()), (letters, letters.keys()), (thing, {"/ToUnicode"})
            ):  # fmt: skip
                for key in set(keys) & set(places.keys()):
                    if isinstance(places[key], pikepdf.Stream):
                        places[key] = same[places[key].objgen]


def use_palettes(pdf):
    """Pictures of hatched areas, which have few colors, say each point in one byte, not three."""
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Stream) and thing.get("/ColorSpace") == Name.DeviceRGB:
            picture = pikepdf.PdfImage(thing).as_pil_image()
            indexed = picture.quantize(256, dither=Image.Dither.NONE)
            off = ImageChops.difference(picture, indexed.convert("RGB")).getextrema()
            if max(most for _, most in off) <= UNSEEN:
                colors = bytes(indexed.getpalette())
                thing.ColorSpace = Array(
                    [Name.Indexed, Name.DeviceRGB, len(colors) // 3 - 1, pikepdf.String(colors)]
                )
                thing.write(indexed.tobytes())


def drop_bare_tags(pdf):
    """Put the kids of every tag NonStruct that says nothing of its own in its place."""
    root = pdf.Root.StructTreeRoot
    owners = {}  # of the kids of the tags that are dropped
    todo = kids(root)
    while todo:
        tag = todo.pop()
        if not isinstance(tag, Dictionary) or "/S" not in tag:
            continue
        inside = list(lifted(tag, tag, owners))
        if inside:
            tag.K = Array(inside)
            todo.extend(inside)
    numbers = root.ParentTree.Nums  # alternately a number and the tag, or tags, it stands for
    for k in range(1, len(numbers), 2):
        if isinstance(numbers[k], Array):
            for i, tag in enumerate(list(numbers[k])):
                if tag is not None and tag.objgen in owners:
                    numbers[k][i] = owners[tag.objgen]
        else:
            numbers[k] = owners.get(numbers[k].objgen, numbers[k])


def kids(tag):
    """The kids of a tag: other tags, or numbers of content on its page."""
    found = tag.get("/K", Array())
    return list(found) if isinstance(found, Array) else [found]


def lifted(tag, owner, owners):
    """What stands in a tag, directly or in bare tags, as kids of another tag, the owner."""
    for kid in kids(tag):
        if isinstance(kid, int):
            owner.Pg = owner.get("/Pg", tag.Pg)
            on_page = tag.Pg.objgen == owner.Pg.objgen
            yield kid if on_page else Dictionary(Type=Name.MCR, Pg=tag.Pg, MCID=kid)
        elif kid.get("/S") == Name.NonStruct and set(kid.keys()) <= BARE:
            owners[kid.objgen] = owner
            yield from lifted(kid, owner, owners)
        else:
            if "/S" in kid:
                kid.P = owner
            elif "/Pg" not in kid and "/Pg" in tag:  # content in a picture, or a link
                kid.Pg = tag.Pg
            yield kid
