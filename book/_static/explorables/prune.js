// The links of a tree fall as the price of a leaf rises; links and errors hang on one cursor.
// A step's tree is best from `alpha` on; `links` has what a node saves, for how many leaves, and g.

treelab.kind("prune", ({ fixed, round, tree }) => {
const log = Math.log10;
const stepAt = (data, k) => data.steps.findLast((step) => step.alpha <= data.alphas[k]);

function build(stage, data) {
	const { x: [x0, x1], alphas } = data, max = alphas.length - 1;
	stage.ask(data.question, data.answers);
	stage.picture([284, 208], null, 0.58);
	stage.picture([50, 44], ["k"], 0.42);
	stage.picture([190, 118], ["k"], 0);
	stage.range("k", {
		label: "price of a leaf, α", max, text: (k) => round(alphas[k]), axis: data.x, from: (x) => ((x - x0) / (x1 - x0)) * max,
		change: (k) => ({ k, guess: stage.state.guess ?? -1 }),
	});
	stage.play(({ k }) => {
		const step = stepAt(data, k), next = alphas.findIndex((alpha, i) => i > k && stepAt(data, i) !== step);
		return next > 0 && { k: next, guess: stage.state.guess ?? -1 };
	}, 1400);
	stage.values(data.values);
}

function draw(stage, { k, guess, told }, data) {
	const { links, weakest, leaves, training, cv, then } = stepAt(data, k), alpha = data.alphas[k];
	const [whole, line, errors] = stage.pictures, { x } = data, at = log(alpha);
	const shown = (t, gone) => {
		const link = links[t.id], under = gone || !link, joint = whole.wide ? " / " : "/";
		const words = gone ? [] : !link ? [fixed(t.value, 1)] : [
			whole.wide ? `${t.letter}: ${t.test}` : t.letter,
			round(link[0], 4) + joint + link[1],
			`= ${told ? round(link[2]) : "?"}`,
		];
		return { ...t, gone, words, ends: !link, ...(t.left && { left: shown(t.left, under), right: shown(t.right, under) }) };
	};
	tree(whole, shown(data.tree), {
		top: 4, bottom: whole.height,
		mode: ({ id, gone }) => (gone ? "faded " : told && weakest.includes(id) ? "weakest " : "") +
			(data.letters[id] === data.answers[guess] ? "guessed" : ""),
	});

	const axes = line.plane({ x, y: [0, 1], xticks: [], yticks: [], top: 28, bottom: line.height });
	line.text(2, 22, data.falls);
	axes.upright(at, "cut");
	if (told) for (const id in links) line.text(axes.px(log(links[id][2])), line.height - 5, data.letters[id], "middle");
	errors.curves({
		lines: data.lines, at, x, y: [0, data.top], xticks: [-2, -1, 0], xname: (t) => 10 ** t,
		xlabel: "α, the price of a leaf", ylabel: "error",
	}).handle(at, data.top);

	const cost = fixed(training + alpha * leaves, 3);
	stage.show({ leaves, training: fixed(training, 3), cv: fixed(cv, 3), cost });
	return { leaves, then, alpha: round(alpha) };
}

return { build, draw };
});
