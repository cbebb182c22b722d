// A cut that the reader moves along one feature; the gain of every place visited stays drawn.
//
// Data, all of it from `split_table`: `x` and `y` of the rows, in order of x, and `cuts`, each with
// `left` and `right` (`n`, `answer` in words, `impurity`, and `mean`), `gain`, `rank`. Where y are the
// numbers of `classes`, a side has `says`, the number of its majority, in place of a mean.

"use strict";
(() => {
  const { add, plane, mark, round, fixed } = treelab;
  const numberOf = (data, at) => data.x.filter((x) => x <= at).length - 1;
  const frame = (stage, top, height) => [56, top, stage.width - 12, height - 42];

  function build(stage, data) {
    const low = data.x[0], high = data.x.at(-1) - data.step, parts = {};
    const move = (at) => {
      const seen = new Set([...stage.state.seen, numberOf(data, at)]);
      stage.set({ at, seen: [...seen].sort((a, b) => a - b) });
    };
    const press = (px) => {
      const at = Math.round(parts.axes.x(px) / data.step) * data.step;
      move(Math.min(Math.max(at, low), high));
    };
    parts.rows = stage.picture(data.classes ? 140 : 240, data.alt[0], press);
    parts.gains = stage.picture(170, data.alt[1], press);
    stage.range("at", {
      label: "Cut at", min: low, max: high, step: data.step, change: move,
      text: (at) => `${round(at, 6)} ${data.unit}`,
    });
    stage.button("Show the best", () => {
      const { at, guess } = stage.state;
      stage.set({ at: data.best, guess: guess ?? at, seen: data.cuts.map((_, k) => k) });
    });
    for (const side of ["left", "right"]) {
      stage.value(`${side}_answer`, `${data.classes ? "majority" : "mean"} ${side}`);
      stage.value(`${side}_impurity`, `${data.impurity} ${side}`);
    }
    stage.value("gain", "gain");
    stage.value("rank", "rank");
    return parts;
  }

  // The rows, the cut, and on each side the answer with what is left over of every row.
  function drawRows(stage, { at, guess }, data, cut) {
    const svg = stage.parts.rows, box = frame(stage, data.classes ? 36 : 26, data.classes ? 140 : 240);
    const axes = plane(svg, {
      x: data.xrange, y: data.yrange, box, xlabel: data.xlabel,
      ...(data.classes ? { yticks: [] } : { ylabel: data.ylabel }),
    });
    stage.parts.axes = axes;
    for (const [side, from, to] of [["left", data.xrange[0], at], ["right", at, data.xrange[1]]]) {
      const { mean, says } = cut[side];
      if (data.classes) axes.area([[from, to], data.yrange], says);
      else {
        axes.line([[from, mean], [to, mean]], { class: "tl-answer" });
        data.x.forEach((x, i) => (x <= at) === (side === "left") &&
          axes.line([[x, mean], [x, data.y[i]]], { class: "tl-residual" }));
      }
    }
    data.classes?.forEach((name, k) => {
      const left = (k * stage.width) / data.classes.length + 8;
      mark(svg, k, left, 8);
      add(svg, "text", { x: left + 10, y: 12 }, name);
    });
    data.x.forEach((x, i) => mark(svg, data.classes ? data.y[i] : 0, axes.px(x),
      data.classes ? (box[1] + box[3]) / 2 : axes.py(data.y[i])));
    if (guess !== null) axes.line([[guess, data.yrange[0]], [guess, data.yrange[1]]], { class: "tl-guess" });
    axes.line([[at, data.yrange[0]], [at, data.yrange[1]]], { class: "tl-cut" });
    add(svg, "circle", { cx: axes.px(at), cy: box[1], r: 8, class: "tl-handle" });
  }

  // The gain over the place of the cut, wherever the reader has been: one height between two rows.
  function drawGains(stage, { at, seen }, data, cut) {
    const svg = stage.parts.gains, top = Math.max(...data.cuts.map((c) => c.gain));
    const axes = plane(svg, {
      x: data.xrange, y: [0, 1.1 * top], box: frame(stage, 26, 170), xlabel: data.xlabel, ylabel: "gain",
    });
    for (const k of seen) {
      const { gain } = data.cuts[k];
      axes.line([[data.x[k], gain], [data.x[k + 1], gain]], { class: "tl-curve" });
    }
    mark(svg, 3, axes.px(at), axes.py(cut.gain), 6, "tl-here");
  }

  function draw(stage, state, data) {
    const cut = data.cuts[numberOf(data, state.at)], told = state.guess !== null;
    drawRows(stage, state, data, cut);
    drawGains(stage, state, data, cut);
    const shown = { gain: fixed(cut.gain, data.decimals), rank: told ? `${cut.rank} of ${data.cuts.length}` : "?" };
    for (const side of ["left", "right"]) {
      shown[`${side}_answer`] = cut[side].answer;
      shown[`${side}_impurity`] = fixed(cut[side].impurity, data.decimals);
    }
    stage.show(shown);
    const where = `A cut at ${round(state.at, 6)} ${data.unit} leaves ${cut.left.n} ${data.rows} on the left and ` +
      `${cut.right.n} on the right; it gains ${shown.gain}.`;
    stage.say(!told ? `${where} Is there a better one? Move it, then let the best be shown.` :
      `${where} Your guess was ${round(state.guess, 6)} ${data.unit}; the best gain lies anywhere between ` +
      `${round(data.x[numberOf(data, data.best)], 6)} and ${round(data.x[numberOf(data, data.best) + 1], 6)}.`);
  }

  treelab.kind("cut", {
    rest: (data) => ({ at: data.rest, seen: [numberOf(data, data.rest)], guess: null }),
    build, draw,
  });
})();
