// Where to put the threshold of a classifier? A reader moves it along the scores, and the cost of a miss: the confusion
// matrix follows, the point on the ROC curve, and the cost. `steps` go by tenths of the threshold, costs by the ratio.

treelab.kind("threshold", ({ add, fixed }) => {
const tenths = (at) => fixed(at / 10, 1);

function build(stage, { question, answers, labels, values }) {
	stage.ask(question, answers);
	stage.picture([154, 150], null, [0.42, 0.5]);
	stage.picture([154, 150], null, [0.58, 0.5]);
	stage.picture([110, 112], ["at"]);
	stage.range("at", { label: labels[0], min: 1, max: 10, axis: [0.1, 1], from: (x) => Math.round(10 * x), text: tenths });
	stage.range("ratio", { label: labels[1], min: 1, max: 9, parent: stage.controls });
	stage.button("Show the cheapest", ({ ratio, guess }, { cheapest } = stage.data) =>
		guess !== null && { at: cheapest[ratio - 1] });
	stage.values(values);
}

// True classes in rows, predicted ones in columns, the errors hollow.
function drawMatrix(picture, { matrix }, { classes, heads }) {
	const { width, height } = picture, left = 60, half = (width - left - 8) / 2, tall = (height - 60) / 2;
	picture.text(left + half, 14, heads, "middle");
	classes.forEach((name, i) => {
		picture.text(left + (i + 0.5) * half, 34, name, "middle");
		picture.text(left - 8, 48 + (i + 0.5) * tall, name, "end");
		classes.forEach((_, j) => {
			const x = left + j * half, y = 44 + i * tall, box = { x, y, width: half - 4, height: tall - 4 };
			picture.add("rect", { ...box, class: `tl-area ${i === j ? `tl-class-${i}` : "tl-empty"}` });
			picture.text(x + half / 2, y + tall / 2 + 4, `${["TN", "FP", "FN", "TP"][2 * i + j]} ${matrix[i][j]}`, "middle");
		});
	});
}

function draw(stage, { at, ratio, told }, data) {
	const { steps, days, curve, labels, axes: names, best } = data, [roc, table, strip] = stage.pictures;
	const step = steps[at - 1], [[, fp], [fn, tp]] = step.matrix, cost = (s) => s.cost[ratio - 1];
	const plane = roc.plane({ x: [0, 1], y: [0, 1], xlabel: names[0], ylabel: names[1] });
	plane.line([[0, 0], [1, 1]], "guess");
	plane.line(curve, "curve tl-curve-0");
	plane.mark(3, step.fpr, step.recall, 7, "tl-here");
	drawMatrix(table, step, data);

	const top = Math.max(...steps.map(cost)), ground = -0.25 * top;
	const axes = strip.plane({
		x: [0, 1.04], y: [2 * ground, 1.1 * top], xticks: [0, 0.2, 0.4, 0.6, 0.8, 1], yticks: told ? [0, top] : [],
		xlabel: labels[2], ylabel: told ? labels[3] : "",
	});
	axes.area([[at / 10 - 0.02, 1.04], [2 * ground, 0]], 1);
	days.forEach(([score, k], i) => axes.mark(k, score, ground * (score === days[i - 1]?.[0] ? 0.45 : 1.25), 6));
	if (told) {
		axes.line(steps.map((s, i) => [(i + 1) / 10, cost(s)]), "curve tl-curve-1");
		axes.mark(3, at / 10, cost(step), 6, "tl-here");
	}
	axes.upright(at / 10 - 0.02, "cut");
	axes.handle(at / 10 - 0.02, 1.1 * top);
	const share = (x) => (x === null ? "none" : fixed(x, 2));
	stage.show({
		precision: share(step.precision), recall: share(step.recall), fpr: share(step.fpr), cost: told ? cost(step) : "?",
	});
	return { t: tenths(at), n: step.n, tp, fp, fn, ratio, cost: cost(step), best: best[ratio - 1] };
}

return { build, draw };
});
