// A forest that grows and votes: add trees, move the point, see what the votes are worth.
//
// Data: `rows`; `votes`, for each tree the pieces of the plane it gives to class 1, bits in base64, line
// by line from below; and lists of errors and correlations, one for each number of trees.

"use strict";
(() => {
  const { add, plane, curves, mark, fixed } = treelab, LEFT = 36, BOTTOM = 296;

  function build(stage, data) {
    const { pieces, x, y, alt } = data;
    const at = (name, value) => Math.min(Math.floor((value - data[name][0]) * 10), pieces[name] - 1);
    stage.bits = data.votes.map(atob);
    stage.ask(data.question, data.answers);
    stage.ground = stage.picture(320, alt[0],
      (px, py) => stage.set({ x: at("x", stage.axes.x(px)), y: at("y", stage.axes.y(py)) }));
    stage.errors = stage.picture(190, alt[1]);
    stage.slider = stage.range("trees", { label: "Trees", min: 1, max: 10 });
    const place = (label, [first]) => ({ label, min: 0, text: (k) => fixed(first + (k + 0.5) / 10, 2) });
    stage.range("x", { ...place("Point across", x), max: pieces.x - 1 });
    stage.range("y", { ...place("Point up", y), max: pieces.y - 1 });
    for (const name in data.labels) stage.value(name, data.labels[name]);
  }

  // The plane in the colors of the classes, paler where trees disagree; returns the votes at the point.
  function drawGround(stage, { trees, x, y }, { pieces, rows, ...data }) {
    const svg = stage.ground, box = [LEFT, 12, stage.width - 12, BOTTOM], shades = {};
    const axes = stage.axes = plane(svg, { x: data.x, y: data.y, box });
    const wide = (box[2] - LEFT) / pieces.x, high = (BOTTOM - 12) / pieces.y;
    const votes = (k) => stage.bits.slice(0, trees).filter((b) => (b.charCodeAt(k >> 3) << (k % 8)) & 128).length;
    for (let k = 0; k < pieces.x * pieces.y; k++) {
      const corner = `${LEFT + wide * (k % pieces.x)} ${BOTTOM - high * Math.floor(k / pieces.x)}`;
      (shades[votes(k)] ??= []).push(`M${corner}h${wide}v${-high}h${-wide}z`);
    }
    for (const v in shades) {
      const lead = (2 * v) / trees - 1;
      add(svg, "path", { d: shades[v].join(""), class: `tl-class-${lead > 0 ? 1 : 0}`,
        "fill-opacity": Math.abs(lead) / 2, "shape-rendering": "crispEdges" });
    }
    for (const [a, b, k] of rows) mark(svg, k, axes.px(a), axes.py(b), 4);
    mark(svg, 3, LEFT + wide * (x + 0.5), BOTTOM - high * (y + 0.5), 9, "tl-here");
    return votes(y * pieces.x + x);
  }

  function draw(stage, state, data) {
    const { trees, guess } = state, told = guess !== null, most = told ? 100 : 10;
    stage.slider.max = most;
    stage.slider.value = trees;
    const shown = { votes: `${drawGround(stage, state, data)} of ${trees}` };
    for (const name in data.errors) shown[name] = `${fixed(data.errors[name][trees - 1], 1)}%`;
    shown.correlation = trees > 1 ? fixed(data.correlation[trees - 1], 2) : "–";
    if (!told) shown.free = "?";
    stage.show(shown);
    const axes = curves(stage.errors, {
      lines: Object.entries(data.curves).slice(0, told ? 3 : 2).map(([key, name]) => (
        { name, points: data.errors[key].slice(0, most).map((error, i) => [i + 1, error]) })),
      at: trees, x: [1, 100], y: [0, 30], xticks: [1, 10, 50, 100], xlabel: "trees", ylabel: "error, %",
      box: [LEFT, 28, stage.width - 12, 146],
    });
    if (guess >= 0 && told) {
      axes.line(data.guesses[guess], { class: "tl-guess" });
      add(stage.errors, "text", { x: stage.width - 12, y: 182, "text-anchor": "end" }, "dashed: your guess");
    }
    stage.say(`At the point ${shown.votes} trees vote for squares. One tree errs on ${shown.tree} of new cases, ` +
      `all together on ${shown.forest}` + (told ? `, with independent mistakes on ${shown.free}. ` +
      "Where do the trees disagree? Move it there." : "."));
  }

  treelab.kind("forest", { rest: (data) => data.rest, build, draw });
})();
