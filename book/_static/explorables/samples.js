// Training set after training set: the tree of each, the mean of all so far, and the errors of both by depth. A set has
// its rows in the order of x, and in `levels` for each gap between two of them the depth of the split there, in base 36.

treelab.kind("samples", ({ fixed }) => {
const mean = (list) => list.reduce((sum, v) => sum + v, 0) / list.length;
const meanOf = (lists) => lists[0].map((_, i) => mean(lists.map((list) => list[i])));

// What the tree of a set predicts at the grid, if it is cut off at this depth.
function predict({ x, y, levels }, depth, grid) {
	const ends = [...levels].flatMap((sign, i) => (parseInt(sign, 36) <= depth ? [i + 1] : []));
	const values = [0, ...ends].map((from, k) => mean(y.slice(from, ends[k])));
	let k = 0;
	return grid.map((g) => {
		while (k < ends.length && g > (x[ends[k] - 1] + x[ends[k]]) / 2) k++;
		return values[k];
	});
}

function build(stage, data) {
	const { sets, depths, grid, truth, open } = data;
	stage.ask(data.question, data.answers);
	stage.picture([286, 190], null, [0.5, 1]);
	stage.range("n", { label: data.labels[0], min: 1, max: sets.length, before: open });
	stage.picture([286, 190], null, [0.5, 1]);
	stage.range("d", { label: data.labels[1], max: depths.length - 1, text: (d) => data.names[d] });
	stage.views(data.views);
	stage.sweep("n");
	stage.values(data.values);
	const error = (list) => mean(list.map((v, i) => (v - truth[i]) ** 2));
	data.trees = depths.map((depth) => sets.map((set) => predict(set, depth, grid)));
	data.errors = data.trees.map((trees) => trees.map(error));
	data.error = error;
}

function draw(stage, { n, d }, data) {
	const { sets, depths, grid, truth, trees, errors, error, legend, curves, titles } = data, { x, y } = sets[n - 1];
	const [plane, both] = stage.pictures, line = (list) => list.map((v, i) => [grid[i], v]);
	const axes = plane.plane({ x: [0, 1], y: [-0.5, 5.5], xlabel: "x", top: 40 }), { px, py } = axes;
	const dots = x.map((a, i) => `M${px(a) - 3} ${py(y[i])}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0`).join("");
	plane.add("path", { d: dots, class: "tl-mark tl-class-3" });
	for (let i = Math.max(0, n - 8); i < n - 1; i++) axes.line(line(trees[d][i]), "residual", { key: `tree ${i}` });
	axes.line(line(truth), "guess");
	axes.line(line(meanOf(trees[d].slice(0, n))), "answer", { key: "mean" });
	axes.line(line(trees[d][n - 1]), "curve tl-curve-0", { key: "now" });
	plane.text(2, 14, legend);

	const each = depths.map((_, k) => mean(errors[k].slice(0, n)));
	const together = depths.map((_, k) => error(meanOf(trees[k].slice(0, n))));
	const curve = (list) => list.map((v, k) => [k, v]);
	both.curves({
		lines: { [curves[0]]: curve(each), [curves[1]]: curve(together) }, at: d, x: [-0.3, depths.length - 0.7], y: [0, 0.6],
		top: 40, xticks: depths.map((_, k) => k), xname: (k) => data.short[k], xlabel: titles[0], ylabel: titles[1],
	});
	const shown = {
		own: fixed(errors[d][n - 1], 3), each: fixed(each[d], 3), together: fixed(together[d], 3),
		variance: fixed(each[d] - together[d], 3),
	};
	stage.show(shown);
	return { ...shown, sets: n === 1 ? data.one : `${n} ${data.many}`, name: data.names[d] };
}

return { build, draw };
});
