// The links of a tree fall as the price of a leaf rises; links and errors hang on one cursor.
// A step's tree is best from `alpha` on; `links` has what a node saves, for how many leaves, and g.

"use strict";
treelab.kind("prune", ({ fixed, round, tree }) => {
	const log = Math.log10, letters = {};
	const stepAt = (data, k) => data.steps.findLast((step) => step.alpha <= data.alphas[k]);
	const open = (data) => Object.keys(stepAt(data, data.rest.k).links);

	function name(t) {
		if (t.left) letters[t.id] = t.letter, name(t.left), name(t.right);
	}

	function build(stage, data) {
		name(data.tree);
		stage.ask(data.question, open(data).map((id) => letters[id]));
		stage.range("k", {
			label: "α", max: data.alphas.length - 1, text: (k) => round(data.alphas[k]),
			change: (k) => ({ k, guess: stage.state.guess ?? -1 }),
		});
		stage.values(data.values);
		[268, 52, 184].forEach((height) => stage.picture(height));
	}

	function draw(stage, { k, guess, told }, data) {
		const { links, weakest, leaves, training, cv, then } = stepAt(data, k), alpha = data.alphas[k];
		const [whole, line, errors] = stage.pictures, guessed = open(data)[guess];
		const shown = (t, gone) => {
			const link = links[t.id], under = gone || !link, joint = whole.wide ? " / " : "/";
			const words = gone ? [""] : !link ? [fixed(t.value, 1)] : [
				whole.wide ? `${t.letter}: ${t.test}` : t.letter,
				round(link[0]) + joint + link[1],
				`= ${told ? round(link[2]) : "?"}`,
			];
			return { ...t, gone, words, ...(t.left && { left: shown(t.left, under), right: shown(t.right, under) }) };
		};
		tree(whole, shown(data.tree), {
			top: 4, bottom: 268,
			mode: ({ id, gone }) => (gone ? "faded " : told && weakest.includes(id) ? "weakest " : "") +
				(String(id) === guessed ? "guessed" : ""),
		});

		const at = log(alpha), x = [log(data.alphas[0]), log(data.alphas.at(-1))];
		const axes = line.plane({ x, y: [0, 1], xticks: [], yticks: [], top: 8, bottom: 42 });
		line.text(2, 20, "g");
		axes.upright(at, "cut");
		const byG = Object.entries(links).sort((a, b) => a[1][2] - b[1][2]);
		if (told) byG.forEach(([id, [, , g]], i) => line.text(axes.px(log(g)), 38 - 15 * (i % 2), letters[id], "middle"));
		const ends = (i) => [log(data.steps[i].alpha), i + 1 in data.steps ? log(data.steps[i + 1].alpha) : x[1]];
		const stairs = (error) => data.steps.flatMap((step, i) => ends(i).map((end) => [Math.max(end, x[0]), step[error]]));
		errors.curves({
			lines: { training: stairs("training"), "cross-validated": stairs("cv") },
			at, x, y: [0, data.top], xticks: [-2, -1, 0], xname: (t) => 10 ** t,
			xlabel: "α, the price of a leaf", ylabel: "error",
		});

		const cost = fixed(training + alpha * leaves, 3);
		stage.show({ leaves, training: fixed(training, 3), cv: fixed(cv, 3), cost });
		return {
			leaves, then, alpha: round(alpha), guessed: guessed ? `You guessed ${letters[guessed]}. ` : "",
		};
	}

	return { build, draw };
});
