// A tree that the reader grows: the cuts are the reader's, the errors are counted, and CART's are beside.
//
// Data: `rows` and `held` (x, y, class 0 or 1) to grow on and to test on; `cart`, for each number of
// leaves its errors on both and the `lines` that its cuts draw in the plane; `first`, the cuts at rest.

"use strict";
(() => {
  const { add, plane, mark, round, fixed } = treelab;
  const find = (t, at) => (t.left ? find(at[t.j] <= t.cut ? t.left : t.right, at) : t);
  const leaves = (t) => (t.left ? [...leaves(t.left), ...leaves(t.right)] : [t]);
  const gini = ([a, b]) => (2 * a * b) / (a + b) ** 2;

  // A leaf says the class that most of its rows have, and errs on the others.
  function leaf(rows, held, box) {
    const count = (list) => [0, 1].map((k) => list.filter((row) => row[2] === k).length);
    const n = count(rows), answer = n[1] > n[0] ? 1 : 0, wrong = n[1 - answer];
    return { rows, held, box, n, answer, wrong, missed: count(held)[1 - answer], words: [`${wrong}/${rows.length}`] };
  }

  // The two sides of a cut, and what it gains in Gini impurity (nothing if a side is empty).
  function split({ rows, held, box, n }, j, cut) {
    const [left, right] = [true, false].map((yes) => {
      const part = (list) => list.filter((row) => (row[j] <= cut) === yes);
      const end = ([low, high]) => (yes ? [low, cut] : [cut, high]);
      return leaf(part(rows), part(held), box.map((side, k) => (k === j ? end(side) : side)));
    });
    const rest = [left, right].reduce((sum, t) => sum + (t.rows.length / rows.length) * gini(t.n), 0);
    return { j, cut, left, right, gain: left.rows.length && right.rows.length ? gini(n) - rest : null };
  }

  // The tree after these cuts; each is the place where the disk was, and the feature.
  function grow({ rows, held, ranges, names }, cuts) {
    const root = leaf(rows, held, ranges);
    for (const { at, j } of cuts) {
      const t = find(root, at);
      Object.assign(t, split(t, j, at[j]), { words: [`${names[j]} ≤ ${round(at[j])}`] });
    }
    return root;
  }

  function build(stage, data) {
    const parts = {}, { names, ranges: [range], most } = data, step = (v) => Math.round(20 * v) / 20;
    stage.ask("With four leaves, can you make fewer errors on the held-out rows than CART?", ["Yes", "No"]);
    parts.svg = stage.picture((width) => (width > 560 ? 330 : 560), data.alt, (px, py) => {
      const [left, top, right, bottom] = parts.box;
      if (px < left || px > right || py < top || py > bottom) return;
      stage.set({ x: step(parts.axes.x(px)), y: step(parts.axes.y(py)) });
    });
    names.forEach((name, j) => stage.range("xy"[j], {
      label: `disk, ${name}`, min: range[0], max: range[1], step: 0.05, text: (v) => fixed(v, 2),
    }));
    names.forEach((name, j) => stage.button(`Cut ${name} here`, () => {
      const { x, y, cuts } = stage.state, at = [x, y], root = grow(data, cuts);
      if (cuts.length + 1 < most && split(find(root, at), j, at[j]).gain !== null) stage.set({ cuts: [...cuts, { at, j }] });
    }));
    stage.button("Undo a cut", () => stage.set({ cuts: stage.state.cuts.slice(0, -1) }));
    stage.value("leaves", "leaves");
    for (const [who, words] of [["own", "your errors"], ["cart", "CART’s errors"]]) {
      stage.value(`${who}_train`, `${words}, training`);
      stage.value(`${who}_held`, `${words}, held out`);
    }
    return parts;
  }

  function draw(stage, { x, y, cuts, guess }, data) {
    const { svg } = stage.parts, { names, ranges, rows, held, most } = data, W = stage.width, wide = W > 560;
    const root = grow(data, cuts), here = find(root, [x, y]), all = leaves(root), cart = data.cart[cuts.length];
    const box = stage.parts.box = [34, 24, wide ? 0.5 * W : W - 8, 280];
    const axes = stage.parts.axes = plane(svg, { x: ranges[0], y: ranges[1], box, xlabel: names[0], ylabel: names[1] });
    for (const t of all) axes.area(t.box, t.answer);
    for (const [a, b, k] of rows) mark(svg, k, axes.px(a), axes.py(b), 4);
    if (guess !== null) for (const line of cart.lines) axes.line(line, { class: "tl-guess" });
    for (const j of [0, 1]) {
      axes.line(here.box[1 - j].map((v) => (j ? [v, y] : [x, v])), { class: "tl-residual" });
    }
    add(svg, "circle", { cx: axes.px(x), cy: axes.py(y), r: 8, class: "tl-handle" });
    treelab.tree(svg, root, {
      box: wide ? [0.53 * W, 24, W, 300] : [0, 340, W, 546], mode: (t) => (t === here ? "lit" : ""),
    });
    const sum = (name) => all.reduce((total, t) => total + t[name], 0), told = guess !== null;
    stage.show({
      leaves: `${all.length} of ${most}`,
      own_train: `${sum("wrong")} of ${rows.length}`, own_held: `${sum("missed")} of ${held.length}`,
      cart_train: told ? `${cart.train} of ${rows.length}` : "?", cart_held: told ? `${cart.held} of ${held.length}` : "?",
    });
    const gains = [x, y].map((at, j) => split(here, j, at).gain).map((gain, j) =>
      (gain === null ? `${names[j]} leaves one side empty` : `${names[j]} gains ${fixed(gain, 3)}`));
    stage.say(`In the disk’s box: circles ${here.n[0]}, squares ${here.n[1]}. ` + (all.length === most ?
      "No more leaves." : `A cut there in ${gains.join(", in ")}.`) + (told ? " CART’s cuts are dashed." : ""));
  }

  treelab.kind("grow", { rest: ({ rest: [x, y], first }) => ({ x, y, cuts: first, guess: null }), build, draw });
})();
