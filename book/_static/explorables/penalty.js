// Which columns do trees take in if the gain of a new one is multiplied by λ? A reader slides λ.
// A run has errors by trees, and entries, [column, tree, ...words].

treelab.kind("penalty", ({ fixed }) => {
function build(stage, data) {
	const { lambdas, trees, open } = data, max = lambdas.length - 1;
	stage.ask(data.question, data.answers);
	stage.picture([280, 258], ["trees"], 0.59);
	stage.range("trees", { label: data.grown, min: 1, max: trees, before: open, text: (t) => `${t} of ${trees}` });
	stage.picture([128, 116], null, 0.41);
	stage.picture([154, 142], ["k"], 0);
	stage.range("k", { label: data.label, max, axis: [0, max], text: (k) => lambdas[k] });
	stage.views(["features", "errors"]);
	stage.button(data.all, ({ guess }) => guess !== null && { trees });
	stage.sweep("trees");
	stage.values(data.values);
}

// A lane each; a ring: a smaller λ let it in.
function drawLanes(picture, { names, noise, heads, trees: all, titles }, found, k, trees) {
	const { wide } = picture, right = picture.width - (wide ? 270 : 134);
	const axes = picture.plane({
		x: [0.4, all + 0.6], y: [names.length, 0], left: 82, right, yticks: [], xticks: [1, all / 2, all], xlabel: titles[0],
	});
	const write = (words, y) => words.slice(0, wide ? 5 : 3).forEach((word, i) =>
		picture.text(right + 44 * (i + 1) + (i > 2) * 36, y, word, "end"));
	write(heads, 16);
	axes.upright(trees, "cut");
	names.forEach((name, j) => {
		const y = j + 0.5, kind = Number(j >= noise), line = axes.py(y) + 4;
		const entry = (some) => some.find((e) => e[0] === j), here = entry(found[k]);
		picture.text(74, line, name, "end");
		if (here) {
			axes.line([[here[1], y], [trees + 0.4, y]], `curve tl-curve-${kind}`);
			axes.mark(kind, here[1], y);
			write(here.slice(2), line);
		} else if (found.slice(0, k).some(entry)) picture.mark(0, right + 30, line - 4, 5, "tl-empty");
	});
}

function draw(stage, { k, trees, guess, told }, data) {
	const { lambdas, names, noise, runs, titles, tops } = data, [lanes, counts, errors] = stage.pictures;
	const found = runs.map(({ entries }) => entries.filter((e) => e[1] <= trees));
	const size = found.map((some) => some.length), made = found.map((some) => some.filter(([j]) => j >= noise).length);
	const curve = (ys) => ys.map((y, i) => [i, y]), wrong = runs.map((run) => run.errors[trees - 1]);
	const frame = { x: [-0.4, lambdas.length - 0.6], left: 30 }, own = data.guesses[guess];
	drawLanes(lanes, data, found, k, trees);
	const above = counts.curves({
		...frame, at: k, lines: { [titles[1]]: curve(size), [titles[2]]: curve(made) }, y: tops[0], yticks: tops[1],
		xticks: [], bottom: counts.height - 12, ylabel: own && titles[3],
	});
	if (own) above.area([[data.asked - 0.3, data.asked + 0.3], own], 1);
	const axes = errors.plane({
		...frame, y: tops[2], yticks: tops[3], ylabel: titles[4], xlabel: data.label,
		xticks: Object.keys(lambdas), xname: (i) => lambdas[i],
	});
	axes.line(frame.x.map((x) => [x, data.whole]), "residual");
	axes.line(curve(wrong), "curve tl-curve-0");
	axes.upright(k, "cut");
	axes.mark(3, k, wrong[k], 5, "tl-here");
	axes.handle(k, tops[4]);

	const [j, tree, gain, penalized, bar, rival, rows] = found[k].at(-1), all = names.length;
	const error = `${fixed(wrong[k], 1)}%`, shown = { size: `${size[k]} of ${all}`, noise: `${made[k]} of ${all - noise}`, error };
	stage.show(shown);
	return { ...shown, lambda: lambdas[k], trees, name: names[j], tree, gain, penalized, bar, rival, rows };
}

return { build, draw };
});
