// Gradient boosting on one feature: rounds and learning rate, the fit, what is left, both errors.
//
// Data: `x`, `y`; `start`, the mean; `rates`; for each rate `trees` ([cuts, steps] each), the errors
// `train` and `test` after 0, 1, ... rounds, and `best`, the round of the smallest test error.

"use strict";
(() => {
  const { curves, plane, mark, fixed } = treelab;

  // The sum of the first trees' steps at x, not yet times the learning rate.
  const sum = (trees, x) =>
    trees.reduce((total, [cuts, steps]) => total + steps[cuts.filter((cut) => x > cut).length], 0);

  function build(stage, data) {
    stage.ask(data.question, data.answers);
    const nearest = (px, py) => {
      const { axes } = stage.parts;
      const far = data.x.map((x, i) => Math.hypot(axes.px(x) - px, axes.py(data.y[i]) - py));
      stage.set({ point: far.indexOf(Math.min(...far)) });
    };
    const parts = { fit: stage.picture(230, data.alt[0], nearest), errors: stage.picture(190, data.alt[1]) };
    stage.range("rounds", { label: "Rounds", min: 0, max: data.trees[0].length });
    stage.range("rate", {
      label: "Learning rate", min: 0, max: data.rates.length - 1, text: (k) => `${data.rates[k]}`,
    });
    stage.button("Next point", () => stage.set({ point: (stage.state.point + 1) % data.x.length }));
    for (const [name, label] of Object.entries(data.labels)) stage.value(name, label);
    return parts;
  }

  function draw(stage, { rounds, rate, point, guess }, data) {
    const { fit, errors } = stage.parts, nu = data.rates[rate], told = guess !== null;
    const trees = data.trees[rate].slice(0, rounds), score = (x) => data.start + nu * sum(trees, x);
    const box = (height) => [44, 26, stage.width - 12, height - 42];
    const axes = plane(fit, { x: [0, 10], y: data.yrange, box: box(230), xlabel: "x", ylabel: "y" });
    stage.parts.axes = axes;
    data.x.forEach((x, i) => axes.line([[x, data.y[i]], [x, score(x)]], { class: "tl-residual" }));
    axes.line(Array.from({ length: 401 }, (_, i) => [i / 40, score(i / 40)]), { class: "tl-answer" });
    data.x.forEach((x, i) => mark(fit, 0, axes.px(x), axes.py(data.y[i]), i === point ? 8 : 4, i === point ? "tl-here" : ""));

    const upto = told ? data.train[0].length : rounds + 1; // what comes is not drawn before a guess
    const points = (values) => values[rate].slice(0, upto).map((value, b) => [b, value]);
    curves(errors, {
      lines: [{ name: "training", points: points(data.train) }, { name: "held out", points: points(data.test) }],
      at: rounds, x: [0, data.trees[0].length], y: [0, data.top], box: box(190), xlabel: "rounds", ylabel: "error",
    });

    const x = data.x[point], y = data.y[point];
    stage.show({
      train: fixed(data.train[rate][rounds], 3), test: fixed(data.test[rate][rounds], 3),
      sum: `${fixed(data.start, 2)} + ${nu} × ${fixed(sum(trees, x), 2)} = ${fixed(score(x), 2)}`,
      target: fixed(y, 2), left: fixed(y - score(x), 2), best: told ? `round ${data.best[rate]}` : "?",
    });
    const place = rounds - data.best[rate];
    stage.say(`${rounds} rounds at rate ${nu}. ` + (!told ? "What will the held-out error do? Guess above, or skip." :
      `At this rate the held-out error is smallest after ${data.best[rate]}: ` +
      (place ? `you are ${Math.abs(place)} ${place < 0 ? "before" : "past"} it.` : "you are there.") +
      " The training error never rises."));
  }

  treelab.kind("boosting", {
    rest: (data) => ({ rounds: data.rest, rate: 0, point: data.point, guess: null }), build, draw,
  });
})();
