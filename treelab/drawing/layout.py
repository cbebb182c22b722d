"""Layout of the nodes of a picture.

Texts come first, then the boxes that hold them, then their positions, all in inches. *Down* sets
subtrees side by side as close as their contours allow, the idea of Reingold and Tilford (1981),
here with boxes of different widths and any number of branches. *Right* gives each node its own row.

Vocabulary: *ends* nodes at which the picture stops; *box* width and height of a frame; *route*
corners of the line that leads to a node, and the position of its label; *contour* left and right
end of a subtree at each depth, relative to its root.
"""

import textwrap
from types import SimpleNamespace

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from treelab.drawing.style import WIDTH

__all__ = ["tree_layout"]

PAD, GAP, MARGIN = 0.09, 0.2, 0.12  # inside a box, between boxes, around the tree; inches
DEPTH_GAP, INDENT, BAR = 0.5, 0.62, 0.13  # to the next depth, down or to the right; share bar
LINE, STEM = 1.3, 0.16  # height of a line of text, in font sizes; where a line leaves a box


def tree_layout(sketch, ends, show, collapsed, kind, fontsize):
    """Lay out texts, boxes, positions and routes, for the tree whose leaves are `ends`."""
    series, collapsed = collapsed is not None, set(collapsed or ())
    order = _reachable(sketch, ends)
    drawn = _reachable(sketch, ends | np.isin(np.arange(sketch.n_nodes), list(collapsed)))
    ends_drawn = {t for t in drawn if ends[t] or t in collapsed}
    n_classes = len(sketch.classes)
    bar = sketch.shares is None or 2 <= n_classes <= 8
    below = sketch.subtree_sum(np.ones(sketch.n_nodes, dtype=int))  # leaves under each node
    texts, boxes = {}, {}
    for t in order:
        sizes = []
        both = series and not ends[t]  # in a series, room for a node that is leaf and split
        for as_leaf in (True, False) if both else (bool(ends[t]),):
            lines = _words(sketch, t, as_leaf, show, wrap=kind == "down")
            if ends[t] and not sketch.is_leaf[t]:  # stopped by max_depth
                lines.append(f"+ {below[t]} leaves")
            sizes.append(_box(lines, kind, fontsize, bar and as_leaf and not sketch.empty[t]))
            if as_leaf == (t in ends_drawn):
                texts[t] = lines
        boxes[t] = np.max(sizes, axis=0)
    labels = {t: _wrap(sketch.labels[t], 12) if kind == "down" else sketch.labels[t] for t in order}
    place = _places_down if kind == "down" else _places_right
    centers, routes, width, height = place(sketch, order, ends, boxes, labels, fontsize)
    legend = None
    if sketch.shares is not None and bar:
        widths = [text_width(name, fontsize) + 0.65 for name in sketch.classes]
        columns = max(1, min(n_classes, int((max(width, WIDTH) - MARGIN) / max(widths))))
        rows = -(-n_classes // columns)
        legend = (columns, height)
        height += 0.1 + rows * fontsize * 1.6 / 72
        width = max(width, max(widths) + 2 * MARGIN)
    return SimpleNamespace(
        kind=kind, drawn=drawn, ends=ends_drawn, texts=texts, boxes=boxes, centers=centers,
        labels=labels, routes=routes, width=width, height=height, legend=legend, bar=bar,
    )  # fmt: skip


def _reachable(sketch, ends):
    """Return the nodes on the paths from the root to `ends`, in preorder."""
    return sketch.after_collapse(np.flatnonzero(ends))[0].tolist()


def _words(sketch, t, as_leaf, show, wrap):
    """Return the lines of a node: its split or its prediction, then those named in `show`."""
    head = sketch.answers[t] if as_leaf else sketch.questions[t]
    facts = (sketch.leaf_facts if as_leaf else sketch.facts)[t]
    chosen = dict.fromkeys(facts[key] for key in facts if key in show)
    if wrap and sketch.empty[t]:
        chosen = [_wrap(fact, 16) for fact in chosen]
    return [_wrap(head, 16 if wrap else 44), *chosen]


def _wrap(words, width):
    """Wrap text into lines of about `width` letters, without breaking words."""
    lines = textwrap.wrap(words, width, break_long_words=False) or [""]
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def text_width(text, fontsize, bold=False):
    """Return the width of the widest line, in inches."""
    font = FontProperties(family="DejaVu Sans", size=fontsize, weight="bold" if bold else None)
    return max(
        text_to_path.get_text_width_height_descent(line, font, ismath=False)[0]
        for line in text.split("\n")
    ) * 1.02 / 72  # fmt: skip  # drawn letters are a little wider than designed


def _box(lines, kind, fontsize, bar):
    """Return width and height of the frame around the lines of a node."""
    widths = [text_width(line, fontsize, bold=i == 0) for i, line in enumerate(lines)]
    heights = [_height(line, fontsize) for line in lines]
    if kind == "down":  # lines one under the other, the bar at the bottom
        return max(*widths, 0.5 if bar else 0.0) + 2 * PAD, sum(heights) + 2 * PAD + bar * BAR
    return sum(widths) + PAD * (len(lines) + 1) + bar * (PAD + 0.6), max(heights) + PAD


def _height(words, fontsize):
    """Return the height of a text, in inches."""
    return (words.count("\n") + 1) * fontsize * LINE / 72


def _places_down(sketch, order, ends, boxes, labels, fontsize):
    """Return centers, routes, width and height with the root on top."""
    room = {t: boxes[t][0] for t in order}  # what a node needs across
    above = {}  # what its label needs above it
    for t in order if sketch.multiway else ():
        room[t] = max(room[t], text_width(labels[t], fontsize))
        above[t] = _height(labels[t], fontsize) + 0.04
    offset, contour = {0: 0.0}, {}
    for t in reversed(order):  # children before parents
        contour[t] = [(-room[t] / 2, room[t] / 2)]
        if not ends[t]:
            kids = sketch.children[t]
            contours = [contour.pop(child) for child in kids]
            places = _side_by_side(contours)
            offset.update(zip(kids, places))
            contour[t] += _merged(contours, places)
    low, high = min(s[0] for s in contour[0]), max(s[1] for s in contour[0])
    tops, floors, top = {}, {}, MARGIN
    for depth in range(len(contour[0])):
        here = [t for t in order if sketch.depth[t] == depth]
        if depth:
            top += DEPTH_GAP + max(above.get(t, 0.0) for t in here)
        tops[depth] = top
        top += max(boxes[t][1] for t in here)
        floors[depth] = top
    centers, routes = {0: (MARGIN - low, MARGIN + boxes[0][1] / 2)}, {}
    for t in order[1:]:
        up, y = int(sketch.parent[t]), tops[int(sketch.depth[t])]
        ux, bottom = centers[up][0], centers[up][1] + boxes[up][1] / 2
        x = ux + offset[t]
        centers[t] = (x, y + boxes[t][1] / 2)
        if sketch.multiway:  # straight down past the neighbors, across, and down the label
            floor = floors[int(sketch.depth[up])]
            line = [ux, ux, x, x], [bottom, floor, y - above[t], y]
            routes[t] = (*line, (x, y - above[t] / 2))
        else:
            routes[t] = ([ux, x], [bottom, y], ((ux + x) / 2, (bottom + y) / 2))
    return centers, routes, high - low + 2 * MARGIN, top + MARGIN


def _side_by_side(contours):
    """Place the subtrees of a node, relative to its center.

    Packed from the left, each subtree is as far left as possible; packed from the right, as far
    right. Halfway between, a small one is in the middle of its free space.

    >>> leaf, wide = [(-0.5, 0.5)], [(-0.5, 0.5), (-2.0, 2.0)]
    >>> [round(float(x), 2) for x in _side_by_side([wide, leaf, wide])]
    [-2.1, 0.0, 2.1]
    """
    n = len(contours)

    def apart(i, j):
        """Return the smallest distance between subtree i and a later one j."""
        return max(a[1] - b[0] for a, b in zip(contours[i], contours[j])) + GAP

    left = np.zeros(n)
    for j in range(1, n):
        left[j] = max(left[i] + apart(i, j) for i in range(j))
    right = np.full(n, left[-1])
    for i in range(n - 2, -1, -1):
        right[i] = min(right[j] - apart(i, j) for j in range(i + 1, n))
    places = (left + right) / 2
    return places - (places[0] + places[-1]) / 2


def _merged(contours, places):
    """Return the contour around subtrees at `places`."""
    moved = [[(a + dx, b + dx) for a, b in c] for c, dx in zip(contours, places)]
    depths = [[c[k] for c in moved if k < len(c)] for k in range(max(map(len, moved)))]
    return [(min(a for a, _ in spans), max(b for _, b in spans)) for spans in depths]


def _places_right(sketch, order, ends, boxes, labels, fontsize):
    """Return centers, routes, width and height with one row for each node."""
    left = {0: MARGIN}
    for t in order:
        if not ends[t]:
            kids, step = sketch.children[t], INDENT
            if sketch.multiway:
                step = STEM + 0.3 + max(text_width(labels[child], fontsize) for child in kids)
            left.update({child: left[t] + step for child in kids})
    centers, y = {}, MARGIN
    for t in _rows(sketch, ends):
        centers[t] = (float(left[t] + boxes[t][0] / 2), y + boxes[t][1] / 2)
        y += boxes[t][1] + 0.07
    routes = {}
    for t in order[1:]:  # out of the parent's upper or lower side, then right
        up = int(sketch.parent[t])
        stem, cy = left[up] + STEM, centers[t][1]
        side = centers[up][1] + np.sign(cy - centers[up][1]) * boxes[up][1] / 2
        end = centers[t][0] - boxes[t][0] / 2
        routes[t] = ([stem, stem, end], [side, cy, cy], ((stem + end) / 2 + 0.01, cy))
    width = max(centers[t][0] + boxes[t][0] / 2 for t in order) + MARGIN
    return centers, routes, width, y - 0.07 + MARGIN


def _rows(sketch, ends):
    """List the nodes from top to bottom: half of the branches, the node, the others."""
    rows, stack = [], [(0, False)]
    while stack:
        t, done = stack.pop()
        if done or ends[t]:
            rows.append(t)
            continue
        kids = sketch.children[t]
        half = len(kids) // 2
        todo = [*((c, False) for c in kids[:half]), (t, True), *((c, False) for c in kids[half:])]
        stack += todo[::-1]
    return rows
