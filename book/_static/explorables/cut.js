// A cut that the reader moves along one feature; the gain of every place visited stays drawn.
// Rows are in order of x; a side has a `mean`, or where y numbers `classes` its majority, `says`.

treelab.kind("cut", ({ fixed, round }) => {
const numberOf = (data, at) => data.x.filter((x) => x <= at).length - 1;

// The reader's `own` is the best cut that has been visited, or null.
function move({ seen, own }, data, at) {
	const k = numberOf(data, at), before = data.cuts[numberOf(data, own)];
	return { at, own: data.cuts[k].gain > (before?.gain ?? -1) ? at : own, seen: [...new Set([...seen, k])] };
}

function build(stage, data) {
	const { x, step, classes } = data;
	stage.picture(classes ? [140, 120] : [210, 180], ["at"]);
	stage.picture([130, 120], ["at"]);
	stage.range("at", {
		label: "Threshold", min: x[0], max: x.at(-1) - step, step, text: (at) => `${round(at, 6)} ${data.unit}`,
		axis: [x[0], x.at(-1) - step], change: (at) => move(stage.state, data, at),
	});
	stage.button("Show the best", ({ guess, own }) => (
		{ at: data.best, guess: guess ?? own ?? -1, seen: data.cuts.map((_, k) => k) }));
	stage.play((state, k) => k < x.length - 1 && move(state, data, (x[k] + x[k + 1]) / 2), 1000);
	stage.values(data.labels);
}

// The rows, the cut, and each side's answer with what is left of every row.
function drawRows(picture, { at, guess }, data, cut) {
	const { x, y, xrange, yrange, classes, xlabel, ylabel } = data;
	const look = classes ? { top: 36, yticks: [] } : { ylabel };
	const axes = picture.plane({ x: xrange, y: yrange, left: 56, xlabel, ...look });
	for (const [side, from, to] of [["left", xrange[0], at], ["right", at, xrange[1]]]) {
		const { mean, says } = cut[side];
		if (classes) axes.area([[from, to], yrange], says);
		else {
			axes.line([[from, mean], [to, mean]], "answer");
			x.forEach((v, i) => v > from && v <= to && axes.line([[v, mean], [v, y[i]]], "residual"));
		}
	}
	classes?.forEach((name, k) => picture.legend(k, (k * picture.width) / classes.length + 8, 8, name));
	x.forEach((v, i) => (classes ? axes.mark(y[i], v, 0.5) : axes.mark(0, v, y[i])));
	if (guess > 0) axes.upright(guess, "guess");
	axes.upright(at, "cut");
	axes.handle(at, yrange[1]);
}

// The gain wherever the reader has been: one height between two rows.
function drawGains(picture, { at, seen }, { x, xrange, xlabel, cuts }, cut) {
	const top = 1.1 * Math.max(...cuts.map((c) => c.gain));
	const axes = picture.plane({ x: xrange, y: [0, top], left: 56, xlabel, ylabel: "gain" });
	for (const k of seen) axes.line([x[k], x[k + 1]].map((v) => [v, cuts[k].gain]), "curve");
	axes.mark(3, at, cut.gain, 6, "tl-here");
}

function draw(stage, state, data) {
	const { at, guess, told } = state, { x, cuts, decimals } = data;
	const cut = cuts[numberOf(data, at)], gain = fixed(cut.gain, decimals), best = numberOf(data, data.best);
	const own = cuts[numberOf(data, guess)];
	drawRows(stage.pictures[0], state, data, cut);
	drawGains(stage.pictures[1], state, data, cut);
	stage.show({ gain, rank: told ? `${cut.rank} of ${cuts.length}` : "?" });
	for (const side of ["left", "right"]) {
		const { answer, impurity } = cut[side];
		stage.show({ [`${side}_answer`]: answer, [`${side}_impurity`]: fixed(impurity, decimals) });
	}
	return {
		gain, left: cut.left.n, right: cut.right.n, at: round(at, 6), guess: round(guess ?? at, 6),
		own: own && fixed(own.gain, decimals), says: told ? 1 + (own ? 1 : 0) + (own?.rank === 1 ? 1 : 0) : 0,
		low: round(x[best], 6), high: round(x[best + 1], 6),
	};
}

return { build, draw };
});
