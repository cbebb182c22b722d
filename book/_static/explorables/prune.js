// The links of a tree fall as the price of a leaf rises; links and errors hang on one cursor.
//
// Data: `tree`, whose nodes have `id`, `value` and, where they ask, `letter` and `test`; `alphas` of the
// slider; `steps` with `alpha`, `leaves`, `training`, `cv`, `weakest`, the sentence `then`, and `links`: for
// each id what it saves, for how many leaves more, and g, the one by the other.

"use strict";
(() => {
  const { add, curves, fixed, plane, round, tree } = treelab;
  const stepAt = (data, k) => data.steps.findLast((step) => step.alpha <= data.alphas[k]);
  const asking = (t) => (t.left ? [t, ...asking(t.left), ...asking(t.right)] : []);

  function build(stage, data) {
    const letters = {}, open = Object.keys(stepAt(data, data.rest).links);
    asking(data.tree).forEach((t) => { letters[t.id] = t.letter; });
    stage.ask("Leaves get dearer. Which box becomes a leaf next?", open.map((id) => letters[id]));
    stage.range("k", {
      label: "α", min: 0, max: data.alphas.length - 1, text: (k) => round(data.alphas[k]),
      change: (k) => stage.set({ k, guess: stage.state.guess ?? -1 }),
    });
    for (const [name, label] of Object.entries(data.values)) stage.value(name, label);
    return { letters, open, pictures: [268, 52, 184].map((height, i) => stage.picture(height, data.alt[i])) };
  }

  function draw(stage, { k, guess }, data) {
    const { letters, open, pictures: [whole, line, errors] } = stage.parts, told = guess !== null;
    const { links, ...step } = stepAt(data, k), alpha = data.alphas[k], wide = stage.width > 560;
    const shown = (t, gone) => {
      const link = links[t.id], under = gone || !link;
      const words = gone ? [""] : !link ? [fixed(t.value, 1)] : [
        wide ? `${t.letter}: ${t.test}` : t.letter,
        [round(link[0]), link[1]].join(wide ? " / " : "/"), `= ${told ? round(link[2]) : "?"}`];
      return { ...t, gone, words, ...(t.left && { left: shown(t.left, under), right: shown(t.right, under) }) };
    };
    tree(whole, shown(data.tree), {
      box: [0, 4, stage.width, 268],
      mode: ({ id, gone }) => `${gone ? "faded" : told && step.weakest.includes(id) ? "weakest" : ""} ` +
        `${String(id) === open[guess] ? "guessed" : ""}`,
    });

    const log = Math.log10, at = log(alpha), right = stage.width - 12;
    const x = [log(data.alphas[0]), log(data.alphas.at(-1))];
    const axes = plane(line, { x, y: [0, 1], xticks: [], yticks: [], box: [44, 8, right, 42] });
    add(line, "text", { x: 2, y: 20 }, "g");
    axes.line([[at, 0], [at, 1]], { class: "tl-cut" });
    if (told) Object.entries(links).sort((a, b) => a[1][2] - b[1][2]).forEach(([id, [, , g]], i) => add(line, "text", {
      x: axes.px(log(g)), y: 38 - 15 * (i % 2), "text-anchor": "middle",
    }, letters[id]));
    const points = (name) => [...data.steps, { ...data.steps.at(-1), alpha: 10 ** x[1] }].map(
      (s) => [Math.max(log(s.alpha), x[0]), s[name]]);
    curves(errors, {
      lines: [{ name: "training", points: points("training") }, { name: "cross-validated", points: points("cv") }],
      at, stairs: true, x, y: [0, data.top], box: [44, 26, right, 142], xticks: [-2, -1, 0], xname: (t) => 10 ** t,
      xlabel: "α, the price of a leaf", ylabel: "error",
    });

    const { leaves, training, cv } = step, cost = fixed(training + alpha * leaves, 3);
    stage.show({ leaves, training: fixed(training, 3), cv: fixed(cv, 3), cost });
    stage.say(`At α = ${round(alpha)} the tree keeps ${leaves} of ${data.steps[0].leaves} leaves` + (!told ?
      ". Each box says what its cuts take off the training error, over the leaves that they add." :
      `${step.then}. ${guess < 0 ? "" : `You guessed ${letters[open[guess]]}. `}${data.moral}`));
  }

  treelab.kind("prune", { rest: (data) => ({ k: data.rest, guess: null }), build, draw });
})();
