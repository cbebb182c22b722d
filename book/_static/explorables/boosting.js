// Gradient boosting on one feature: rounds and learning rate, the fit, what is left, both errors.
// Each rate has its `trees` ([cuts, steps] each), errors by rounds, and its `best` round.

treelab.kind("boosting", ({ fixed, round }) => {
// The sum of the first trees' steps at x, not yet times the learning rate.
const sum = (trees, x) =>
	trees.reduce((total, [cuts, steps]) => total + steps[cuts.filter((cut) => x > cut).length], 0);

function build(stage, data) {
	const { x, rates, trees, rest } = data;
	stage.ask(data.question, data.answers);
	stage.picture([286, 160], ["point"], 0.55);
	stage.range("point", {
		label: "Point at x", max: x.length - 1, text: (i) => round(x[i]), from: (to) => x.findLastIndex((v) => v <= to),
	});
	stage.picture([286, 130], null, 0.45);
	stage.range("rounds", { label: "Rounds", max: trees[0].length, before: rest.rounds });
	stage.range("rate", { label: "Learning rate", max: rates.length - 1, text: (k) => `${rates[k]}` });
	stage.sweep("rounds");
	stage.values(data.labels);
}

function draw(stage, { rounds, rate, point, told }, data) {
	const [fit, errors] = stage.pictures, nu = data.rates[rate], best = data.best[rate];
	const trees = data.trees[rate].slice(0, rounds), score = (x) => data.start + nu * sum(trees, x);
	const axes = fit.plane({ x: [0, 10], y: data.yrange, xlabel: "x", ylabel: "y" });
	data.x.forEach((x, i) => axes.line([[x, data.y[i]], [x, score(x)]], "residual"));
	axes.line(Array.from({ length: 401 }, (_, i) => [i / 40, score(i / 40)]), "answer");
	data.x.forEach((x, i) => axes.mark(0, x, data.y[i], i === point ? 8 : 4, i === point ? "tl-here tl-handle" : ""));

	const end = told ? Infinity : rounds + 1; // what comes is not drawn before a guess
	const points = (values) => values[rate].slice(0, end).map((value, b) => [b, value]);
	const rest = errors.curves({
		lines: { training: points(data.train), "held out": points(data.test) },
		at: rounds, x: [0, data.trees[0].length], y: [0, data.top], xlabel: errors.wide ? "rounds" : "", ylabel: "error",
	});

	if (!told) rest.wait(data.rest.rounds);
	const x = data.x[point], y = data.y[point], place = rounds - best;
	stage.show({
		train: fixed(data.train[rate][rounds], 3), test: fixed(data.test[rate][rounds], 3),
		sum: `${fixed(data.start, 2)} + ${nu} × ${fixed(sum(trees, x), 2)} = ${fixed(score(x), 2)}`,
		target: fixed(y, 2), left: fixed(y - score(x), 2), best: told ? `round ${best}` : "?",
	});
	const where = place ? `${Math.abs(place)} ${place < 0 ? "before" : "past"} it` : "there";
	return { rounds, nu, best, where };
}

return { build, draw };
});
