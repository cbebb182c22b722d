"""Where the nodes of a picture stand.

Texts first, then the boxes that hold them, then the places of the boxes, all in inches.
*Down* sets subtrees side by side as close as their contours allow, the idea of Reingold and
Tilford (1981), here with boxes of different widths. *Right* gives each node a row of its own:
yes branch, node, no branch.

Vocabulary
----------
t : a node
ends : nodes where the picture stops, the leaves of what is drawn
box : width and height of a node's frame
contour : for each level of a subtree, where it begins and ends across, seen from its root
"""

import textwrap
from types import SimpleNamespace

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from treelab.style import WIDTH

__all__ = ["tree_layout"]

PAD, GAP, MARGIN = 0.09, 0.2, 0.12  # inside a box, between boxes, around the tree; inches
LEVEL_GAP, INDENT, BAR = 0.5, 0.62, 0.13  # between levels, a step to the right, share bar
LINE = 1.3  # height of a line of text, in font sizes


def tree_layout(tree, names, ends, show, collapsed, kind, digits, fontsize):
    """Texts, boxes and places of the nodes, for the tree whose leaves are `ends`."""
    series, collapsed = collapsed is not None, set(collapsed or ())
    order = _reachable(tree, ends)
    drawn = _reachable(tree, ends | np.isin(np.arange(tree.node_count), list(collapsed)))
    ends_drawn = {t for t in drawn if ends[t] or t in collapsed}
    n_classes = tree.value.shape[2]
    bar = not tree.is_classifier or 2 <= n_classes <= 8
    texts, boxes = {}, {}
    for t in order:
        sizes = []
        both = series and not ends[t]  # in a series, room for a node that is leaf and split
        for as_leaf in (True, False) if both else (bool(ends[t]),):
            lines = _words(tree, names, t, as_leaf, show, digits, wrap=kind == "down")
            hidden = ends[t] and not tree.is_leaf[t]  # stopped by max_depth
            if hidden:
                lines.append(f"+ {int(tree.subtree_sum(np.ones_like(tree.size))[t])} leaves")
            sizes.append(_box(lines, kind, fontsize, bar and as_leaf))
            if as_leaf == (t in ends_drawn):
                texts[t] = lines
        boxes[t] = np.max(sizes, axis=0)
    place = _places_down if kind == "down" else _places_right
    centers, width, height = place(tree, order, ends, boxes)
    legend = None
    if tree.is_classifier and bar:
        widths = [text_width(name, fontsize) + 0.65 for name in names.classes]
        columns = max(1, min(n_classes, int((max(width, WIDTH) - MARGIN) / max(widths))))
        rows = -(-n_classes // columns)
        legend = (columns, height)
        height += 0.1 + rows * fontsize * 1.6 / 72
        width = max(width, max(widths) + 2 * MARGIN)
    return SimpleNamespace(
        kind=kind, drawn=drawn, ends=ends_drawn, texts=texts, boxes=boxes, centers=centers,
        width=width, height=height, legend=legend, bar=bar,
    )  # fmt: skip


def _reachable(tree, ends):
    """The nodes on the ways from the root to `ends`, in preorder."""
    keep = np.ones(tree.node_count, dtype=bool)
    for t in range(1, tree.node_count):
        up = tree.parent[t]
        keep[t] = keep[up] and not ends[up]
    return [int(t) for t in np.flatnonzero(keep)]


def _words(tree, names, t, as_leaf, show, digits, wrap):
    """The lines of a node: its question or its answer, then what `show` asks for."""
    answer = (
        names.classes[int(tree.value[t, 0].argmax())]
        if tree.is_classifier
        else f"{tree.value[t, 0, 0]:.{digits}g}"
    )
    head = answer
    if not as_leaf:
        head = tree.test(t, names.features, names.categories, digits=digits)
        head = head.replace(" <= ", " ≤\N{NO-BREAK SPACE}")
    lines = textwrap.wrap(head, 16 if wrap else 44, break_long_words=False) or [""]
    lines = [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]
    facts = {
        "node": f"node {t}",
        "value": f"{'mostly ' if tree.is_classifier else 'value '}{answer}",
        "n": f"n = {tree.n_node_samples[t]}",
        "weight": f"weight = {tree.weighted_n_node_samples[t]:.{digits}g}",
        "impurity": f"{tree.criterion.replace('_', ' ')} = {tree.impurity[t]:.3g}",
    }
    chosen = [facts[key] for key in facts if key in show and not (as_leaf and key == "value")]
    return ["\n".join(lines), *chosen]


def text_width(text, fontsize, bold=False):
    """Width of the widest line, in inches."""
    font = FontProperties(family="DejaVu Sans", size=fontsize, weight="bold" if bold else None)
    return max(
        text_to_path.get_text_width_height_descent(line, font, ismath=False)[0]
        for line in text.split("\n")
    ) * 1.02 / 72  # fmt: skip  # drawn letters are a little wider than designed


def _box(lines, kind, fontsize, bar):
    """Width and height of the frame around a node's lines."""
    widths = [text_width(line, fontsize, bold=i == 0) for i, line in enumerate(lines)]
    heights = [(line.count("\n") + 1) * fontsize * LINE / 72 for line in lines]
    if kind == "down":  # lines one under the other, the bar at the bottom
        return max(*widths, 0.5 if bar else 0.0) + 2 * PAD, sum(heights) + 2 * PAD + bar * BAR
    return sum(widths) + PAD * (len(lines) + 1) + bar * (PAD + 0.6), max(heights) + PAD


def _places_down(tree, order, ends, boxes):
    """Centers, width and height with the root on top."""
    offset, contour = {0: 0.0}, {}
    for t in reversed(order):  # children before parents
        half = boxes[t][0] / 2
        contour[t] = [(-half, half)]
        if not ends[t]:
            left, right = int(tree.children_left[t]), int(tree.children_right[t])
            a, b = contour.pop(left), contour.pop(right)
            shift = max(x[1] - y[0] for x, y in zip(a, b, strict=False)) + GAP
            offset[left], offset[right] = -shift / 2, shift / 2
            for level in range(max(len(a), len(b))):
                spans = [(x[level], dx) for x, dx in ((a, -shift / 2), (b, shift / 2))
                         if level < len(x)]  # fmt: skip
                contour[t].append(
                    (min(s[0] + dx for s, dx in spans), max(s[1] + dx for s, dx in spans))
                )
    low, high = min(s[0] for s in contour[0]), max(s[1] for s in contour[0])
    tops, top = {}, MARGIN
    for level in range(len(contour[0])):
        tops[level] = top
        top += max(boxes[t][1] for t in order if tree.depth[t] == level) + LEVEL_GAP
    centers = {}
    for t in order:
        x = MARGIN - low if t == 0 else centers[int(tree.parent[t])][0] + offset[t]
        centers[t] = (x, tops[int(tree.depth[t])] + boxes[t][1] / 2)
    return centers, high - low + 2 * MARGIN, top - LEVEL_GAP + MARGIN


def _places_right(tree, order, ends, boxes):
    """Centers with one row for each node: yes branch, node, no branch."""
    rows, stack, t = [], [], 0
    while stack or t is not None:  # in-order walk
        if t is not None:
            stack.append(t)
            t = None if ends[t] else int(tree.children_left[t])
        else:
            t = stack.pop()
            rows.append(t)
            t = None if ends[t] else int(tree.children_right[t])
    centers, y = {}, MARGIN
    for t in rows:
        x = MARGIN + INDENT * tree.depth[t] + boxes[t][0] / 2
        centers[t] = (float(x), y + boxes[t][1] / 2)
        y += boxes[t][1] + 0.07
    width = max(centers[t][0] + boxes[t][0] / 2 for t in order) + MARGIN
    return centers, width, y - 0.07 + MARGIN
