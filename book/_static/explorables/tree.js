// Trees as pictures: nodes side by side, leaves evenly spread, yes to the left.
//
// A node has `words` (a list of lines), and where it asks a question `left` and `right`; `answer` is
// the number of a leaf's class. `mode(node)` says how a node looks: "", "lit" or "faded".

"use strict";
treelab.tree = (svg, root, { box: [left, top, right, bottom], mode = () => "", press }) => {
  const { add } = treelab;
  const leaves = (t) => (t.left ? leaves(t.left) + leaves(t.right) : 1);
  const depth = (t) => (t.left ? 1 + Math.max(depth(t.left), depth(t.right)) : 0);
  const across = (right - left) / leaves(root), down = (bottom - top - 24) / Math.max(depth(root), 1);
  const links = add(svg, "g"), nodes = add(svg, "g");

  // Draws the node and all below it; returns where it stands.
  function place(t, from, level) {
    const y = top + 12 + level * down;
    let x = left + (from + 0.5) * across;
    if (t.left) {
      const sides = [place(t.left, from, level + 1), place(t.right, from + leaves(t.left), level + 1)];
      x = (sides[0].x + sides[1].x) / 2;
      sides.forEach((side, k) => {
        add(links, "path", { d: `M${x} ${y}L${side.x} ${side.y}`, class: `tl-link ${mode([t.left, t.right][k])}` });
        const at = { x: x + 0.55 * (side.x - x) + (k ? 5 : -5), y: y + 0.55 * down, "text-anchor": k ? "start" : "end" };
        if (level === 0) add(links, "text", at, k ? "no" : "yes");
      });
    }
    const node = add(nodes, "g", { class: `tl-node ${t.left ? "" : `tl-leaf tl-leaf-${t.answer ?? 0}`} ${mode(t)}` });
    const width = Math.max(...t.words.map((line) => 7.2 * line.length)) + 14, height = 16 * t.words.length + 8;
    add(node, "rect", { x: x - width / 2, y: y - 12, width, height, rx: t.left ? 3 : 10 });
    t.words.forEach((line, i) => add(node, "text", { x, y: y + 4 + 16 * i, "text-anchor": "middle" }, line));
    if (press) node.addEventListener("click", () => press(t));
    return { x, y };
  }
  place(root, 0, 0);
};
