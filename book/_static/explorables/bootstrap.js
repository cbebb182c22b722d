// Samples drawn from ten rows: what each repeats and misses, and how one statistic of them spreads.
//
// Data: `rows`, the numbers to draw from; `draws`, the digits of all samples in one text; `statistics`, each
// with `name`, `of` the rows and `replicates`; `guesses` of how many rows samples miss; words.

"use strict";
(() => {
  const { add, fixed, mark, plane } = treelab;
  const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;

  function build(stage, data) {
    const samples = data.draws.match(/.{10}/g);
    const more = (n) => stage.set({ n: Math.min(stage.state.n + n, samples.length) });
    stage.ask(data.question, data.guesses);
    stage.button("Draw 1", () => more(1));
    stage.button("Draw 100", () => more(100));
    stage.button("Next statistic", () => stage.set({ which: (stage.state.which + 1) % data.statistics.length }));
    for (const [name, label] of Object.entries(data.values)) stage.value(name, label);
    const missed = samples.map((digits) => data.rows.filter((_, i) => !digits.includes(i)));
    return { samples, missed, pictures: [122, 162, 126].map((height, i) => stage.picture(height, data.alt[i])) };
  }

  // How often each whole number comes, as bars; a line at `at`, and a dashed one at `guess`.
  function bars(svg, list, at, guess, frame) {
    const counts = {};
    for (const x of list) counts[Math.round(x)] = (counts[Math.round(x)] ?? 0) + 1;
    const most = Math.max(8, ...Object.values(counts)), y = [0, 1.25 * most];
    const axes = plane(svg, { y, yticks: [0, most], ylabel: "samples", ...frame }), across = axes.px(1) - axes.px(0);
    for (const [x, count] of Object.entries(counts)) {
      const top = axes.py(count), height = axes.py(0) - top;
      add(svg, "rect", { x: axes.px(x) - across / 2 + 1, y: top, width: across - 2, height, class: "tl-class-0" });
    }
    if (guess) axes.line(y.map((v) => [guess, v]), { class: "tl-guess" });
    if (at) axes.line(y.map((v) => [at, v]), { class: "tl-cut" });
  }

  function draw(stage, { n, which, guess }, data) {
    const { samples, missed, pictures: [rows, values, misses] } = stage.parts, right = stage.width - 12;
    const { name, of, replicates } = data.statistics[which], past = replicates.slice(0, n), told = guess !== null;
    add(rows, "text", { x: 2, y: 12 }, data.legend);
    data.rows.forEach((row, i) => {
      const x = stage.width * (i + 0.5) / 10, times = samples[n - 1].split(i).length - 1;
      add(rows, "text", { x, y: 116, "text-anchor": "middle" }, row);
      for (let k = 0; k < times; k++) mark(rows, 0, x, 92 - 17 * k, 7);
      if (!times) mark(rows, 1, x, 92, 7, "tl-empty");
    });
    const lost = missed.slice(0, n).map((list) => list.length), guessed = data.guesses[guess];
    bars(values, past, of, 0, { x: [0, data.top], box: [44, 26, right, 120], xlabel: `${name}, ${data.unit}` });
    bars(misses, told ? lost : [], told && mean(lost), guessed, {
      x: [-0.5, 8.5], box: [44, 26, right, 84], xticks: [0, 2, 4, 6, 8], xlabel: data.missed,
    });

    const center = mean(past), square = past.reduce((sum, x) => sum + (x - center) ** 2, 0) / (n - 1);
    const replicate = fixed(replicates[n - 1], 1), here = missed[n - 1], average = fixed(mean(lost), 2);
    stage.show({
      replicate, of: fixed(of, 1), mean: fixed(center, 2), lost: told ? average : "?",
      error: n > 1 ? fixed(Math.sqrt(square), 2) : "–",
    });
    stage.say(`Sample ${n} misses ${here.length} of ten: ${here.join(", ") || "none"}. Its ${name} is ${replicate}. ` +
      (told ? `So far ${average} are missed on average, ${data.expected} are expected` +
        `${guessed ? `; you guessed ${guessed}` : ""}. ` : "") +
      (n < 100 ? "" : "More draws make the spread steadier, not narrower."));
  }

  treelab.kind("bootstrap", { rest: () => ({ n: 1, which: 0, guess: null }), build, draw, undo: true });
})();
