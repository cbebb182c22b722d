// AdaBoost by hand: stumps of the reader join the vote, and the weights of the rows follow.
//
// Data: `x` and `y` (1 or -1) of the rows; the `cuts` to try; `rest`, a state. Readers find states
// without end, so the script computes. A stump is [cut, flip]: it says `flip` above its cut.

"use strict";
(() => {
  const { add, plane, mark, round, fixed } = treelab;
  const said = ([cut, flip], x) => (x > cut ? flip : -flip);
  const days = (n) => `${n} day${n === 1 ? "" : "s"}`;
  const alphaOf = (e) => Math.log((1 - e || 1e-10) / (e || 1e-10)) / 2;

  // Weights and vote once `stumps` have joined; the error of any stump, and the best, on these weights.
  function boost({ x, y, cuts }, stumps) {
    let w = x.map(() => 1 / x.length);
    const wrong = (stump) => x.map((v, i) => said(stump, v) !== y[i]);
    const errorOf = (stump) => Number(wrong(stump).reduce((sum, off, i) => sum + off * w[i], 0).toFixed(9));
    const alphas = stumps.map((stump) => {
      const off = wrong(stump), e = errorOf(stump);
      w = w.map((v, i) => v / (2 * (off[i] ? e : 1 - e)));
      return alphaOf(e);
    });
    const vote = (v) => stumps.reduce((sum, stump, m) => sum + alphas[m] * said(stump, v), 0);
    const all = cuts.flatMap((cut) => [[cut, 1], [cut, -1]]);
    const best = all.reduce((a, b) => (errorOf(b) < errorOf(a) - 1e-9 ? b : a));
    return { w, vote, best, wrong, errorOf };
  }

  function build(stage, data) {
    const low = data.cuts[0], high = data.cuts.at(-1), parts = {}, own = null;
    const move = (cut) => stage.set({ cut, own });
    const hand = () => [stage.state.cut, stage.state.flip];
    stage.ask(data.question, data.answers);
    parts.days = stage.picture(180, data.alt[0], (px) =>
      move(Math.min(Math.max(Math.round(2 * parts.axes.x(px)) / 2, low), high)));
    parts.sum = stage.picture(180, data.alt[1]);
    stage.range("cut", {
      label: "Cut at", min: low, max: high, step: 0.5, text: (cut) => `${cut} °C`, change: move,
    });
    stage.button("Flip", () => stage.set({ flip: -stage.state.flip, own }));
    parts.join = stage.button("Let it join", () => parts.joins && stage.set({ stumps: [...stage.state.stumps, hand()], own }));
    stage.button("Show the best", () => {
      const [cut, flip] = boost(data, stage.state.stumps).best;
      stage.set({ cut, flip, own: hand() });
    });
    for (const [name, label] of Object.entries(data.labels)) stage.value(name, label);
    return parts;
  }

  function draw(stage, { cut, flip, stumps, own, guess }, data) {
    const { parts, width } = stage, { x, y } = data, { w, vote, wrong, errorOf } = boost(data, stumps);
    const e = errorOf([cut, flip]), off = wrong([cut, flip]).filter(Boolean).length, sums = x.map(vote);
    const top = 1.25 * Math.max(1, ...sums.map(Math.abs)), ends = [0, ...stumps.map(([c]) => c).sort((a, b) => a - b), 40];
    const frame = { x: [0, 40], box: [56, 26, width - 12, 138], xlabel: data.xlabel };
    // The days, as large as they weigh; what the stump says is shaded, so wrong days lie outside.
    const axes = parts.axes = plane(parts.days, { ...frame, y: [-1, 1], yticks: [], ylabel: data.ylabels[0] });
    for (const [from, to] of [[0, cut], [cut, 40]]) {
      const k = (said([cut, flip], to) + 1) / 2, width = axes.px(to) - axes.px(from);
      add(parts.days, "rect", { x: axes.px(from), y: axes.py(k), width, height: 56, class: `tl-class-${k}`, opacity: 0.25 });
    }
    ["low", "high"].forEach((word, k) => add(parts.days, "text", { x: 48, y: axes.py(k - 0.5) + 4, "text-anchor": "end" }, word));
    x.forEach((v, i) => mark(parts.days, (y[i] + 1) / 2, axes.px(v), axes.py(y[i] / 2), 22 * Math.sqrt(w[i])));
    if (own) axes.line([[own[0], -1], [own[0], 1]], { class: "tl-guess" });
    axes.line([[cut, -1], [cut, 1]], { class: "tl-cut" });
    add(parts.days, "circle", { cx: axes.px(cut), cy: 26, r: 8, class: "tl-handle" });
    // The vote of those that have joined, as stairs.
    const votes = plane(parts.sum, { ...frame, y: [-top, top], ylabel: data.ylabels[1] });
    votes.line([[0, 0], [40, 0]], { class: "tl-residual" });
    votes.line(ends.slice(1).flatMap((to, k) => [[ends[k], vote(to)], [to, vote(to)]]), { class: "tl-curve" });
    x.forEach((v, i) => mark(parts.sum, (y[i] + 1) / 2, votes.px(v), votes.py(sums[i])));

    const lost = sums.filter((sum, i) => sum * y[i] < 1e-9).length, heavy = w.indexOf(Math.max(...w));
    const verdict = e === 0 ? "none" : e > 0.5 ? "worse" : e === 0.5 ? "coin" : guess === null ? "ask" : "joins";
    parts.joins = verdict === "joins";
    parts.join.setAttribute("aria-disabled", !parts.joins);
    stage.show({
      error: fixed(e, 4), alpha: fixed(alphaOf(e), 4), heavy: `${x[heavy]} °C: ${fixed(w[heavy], 4)}`,
      wrong: e ? `× ${fixed(0.5 / e, 3)}` : "none", right: e < 1 ? `× ${fixed(0.5 / (1 - e), 3)}` : "none",
    });
    stage.say(`This stump gets ${days(off)} wrong, which weigh ${fixed(e, 3)}${data.verdicts[verdict]}` +
      (own ? ` No stump has less error; yours had ${fixed(errorOf(own), 3)}.` : "") +
      (stumps.length ? ` The vote of ${stumps.length} ${lost ? `gets ${days(lost)} wrong` : "has every day right"}.` : ""));
  }

  treelab.kind("stump", { rest: (data) => data.rest, build, draw, undo: true });
})();
