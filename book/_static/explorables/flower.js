// A flower that the reader moves over the plane of its petals; its way down the tree follows.
//
// Data: `rows` (x, y, class); `tree`, whose nodes ask whether feature `j` is at most `cut`, and whose
// leaves have an `answer`, a `box` ([low, high] of each feature) and `n` rows, `right` ones among them.

"use strict";
(() => {
  const { add, plane, mark, fixed } = treelab;
  const leaves = (t) => (t.left ? [...leaves(t.left), ...leaves(t.right)] : [t]);
  const walk = (t, at) => [t, ...(t.left ? walk(at[t.j] <= t.cut ? t.left : t.right, at) : [])];

  // The shortest way from here into each box.
  const ways = (tree, at) => leaves(tree).map(({ answer, box }) => ({
    answer, by: box.map(([low, high], j) => Math.min(Math.max(at[j], low), high) - at[j]),
  })).sort((a, b) => Math.hypot(...a.by) - Math.hypot(...b.by));

  function build(stage, { names, ranges, alt }) {
    const parts = {}, tenth = (v) => Math.round(10 * v) / 10;
    stage.ask("To change the answer, which measurement needs the smaller change?", names);
    parts.svg = stage.picture((width) => (width > 560 ? 300 : 470), alt, (px, py) => {
      const [left, top, right, bottom] = parts.box;
      if (px < left || px > right || py < top || py > bottom) return;
      stage.set({ x: tenth(parts.axes.x(px)), y: tenth(parts.axes.y(py)) });
    });
    names.forEach((label, j) => stage.range("xy"[j], {
      label, min: ranges[j][0], max: ranges[j][1], step: 0.1, text: (v) => `${fixed(v, 1)} cm`,
    }));
    return parts;
  }

  function draw(stage, { x, y, guess }, { rows, tree, names, ranges, classes }) {
    const { svg } = stage.parts, at = [x, y], W = stage.width, wide = W > 560, path = walk(tree, at);
    const box = stage.parts.box = [34, 24, wide ? 0.5 * W : W - 8, 256];
    const axes = stage.parts.axes = plane(svg, {
      x: ranges[0], y: ranges[1], box, xlabel: `${names[0]} (cm)`, ylabel: `${names[1]} (cm)`,
    });
    for (const leaf of leaves(tree)) axes.area(leaf.box, leaf.answer);
    for (const [a, b, k] of rows) mark(svg, k, axes.px(a), axes.py(b), 3.5);
    const leaf = path.at(-1), way = ways(tree, at).find((w) => w.answer !== leaf.answer), j = way.by[0] ? 0 : 1;
    if (guess !== null) axes.line([at, at.map((v, k) => v + way.by[k])], { class: "tl-cut" });
    add(svg, "circle", { cx: axes.px(x), cy: axes.py(y), r: 9, class: "tl-handle" });
    treelab.tree(svg, tree, {
      box: wide ? [0.53 * W, 40, W, 250] : [0, 320, W, 456], mode: (t) => (path.includes(t) ? "lit" : ""),
    });
    const tests = path.slice(0, -1).map((t) =>
      `${names[t.j]} ${fixed(at[t.j], 1)} is ${at[t.j] <= t.cut ? "at most" : "more than"} ${t.cut}`);
    stage.say(`The ${tests.join(", the ")}: ${classes[leaf.answer]}, as are ${leaf.right} of ${leaf.n} flowers in this box.` +
      (tests[1] ? "" : ` Nobody asks for the ${names[1]}.`) + (guess === null ? "" :
        ` For ${classes[way.answer]}, change the ${names[j]} by ${fixed(Math.abs(way.by[j]), 2)} cm.`));
  }

  treelab.kind("flower", { rest: ({ rest: [x, y] }) => ({ x, y, guess: null }), build, draw });
})();
