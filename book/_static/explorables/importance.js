// A column and its twin: what four measures make of them, the more they are alike.
//
// Data, for correlations 0, 0.1 to 1: `measures`, with `mean` and `sd` of each column, and `errors`.

"use strict";
(() => {
  const { add, plane, mark, fixed } = treelab, NAMES = ["a", "twin", "b"];

  function build(stage, data) {
    stage.ask(data.question, data.answers);
    stage.svg = stage.picture(366, data.alt);
    stage.slider = stage.range("at", { label: "Correlation", min: 0, max: 5, text: (k) => fixed(k / 10, 1) });
    for (const { name } of data.measures) {
      for (const column of NAMES.slice(0, 2)) stage.value(name + column, `${name}, ${column}`);
    }
  }

  // One measure as far as the reader may go: means, spread, the guess, the cursor.
  function drawMeasure(stage, { at, guess }, data, i) {
    const { name, y, columns } = data.measures[i], half = stage.width / 2;
    const left = half * (i % 2) + 30, top = 54 + (i > 1 ? 170 : 0);
    add(stage.svg, "text", { x: left - 26, y: top - 8 }, name);
    const axes = plane(stage.svg, { x: [0, 10], y, box: [left, top, left + half - 42, top + 110],
      xticks: [0, 5, 10], xname: (k) => k / 10 });
    const guessed = data.shares[guess] * columns[0].mean[0];
    if (guessed >= 0) axes.line([[0, guessed], [10, guessed]], { class: "tl-guess" });
    axes.line([[at, y[0]], [at, y[1]]], { class: "tl-cut" });
    columns.forEach(({ mean, sd }, k) => {
      const line = (sign) => mean.slice(0, 1 + Number(stage.slider.max)).map((m, j) => [j, m + sign * sd[j]]);
      axes.line([...line(1), ...line(-1).reverse()], { class: `tl-class-${k}`, "fill-opacity": 0.2 });
      axes.line(line(0), { class: `tl-curve tl-curve-${k}` });
      mark(stage.svg, k, axes.px(at), axes.py(mean[at]));
      if (k < 2) stage.show({ [name + NAMES[k]]: `${fixed(mean[at], 2)} ± ${fixed(sd[at], 2)}` });
    });
  }

  function draw(stage, state, data) {
    const told = state.guess !== null;
    stage.slider.max = told ? 10 : 5;
    stage.slider.value = state.at;
    NAMES.forEach((name, k) => {
      mark(stage.svg, k, 10 + 70 * k, 14);
      add(stage.svg, "text", { x: 20 + 70 * k, y: 18 }, name);
    });
    if (state.guess >= 0 && told) add(stage.svg, "text", { x: 190, y: 18 }, "dashed: your guess");
    data.measures.forEach((_, i) => drawMeasure(stage, state, data, i));
    const errors = data.errors.map(([words, values]) => `${fixed(values[state.at], 2)} ${words}`);
    stage.say(`At correlation ${fixed(state.at / 10, 1)} the squared error on new cases is ${errors.join(", ")}.` +
      (told ? " Which measure says that a can go, which that it matters?" : ""));
  }

  treelab.kind("importance", { rest: (data) => data.rest, build, draw });
})();
