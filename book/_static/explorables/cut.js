// A cut that the reader moves along one feature; the gain of every place visited stays drawn.
// The data's rows are in order of x; a side of a cut has a `mean`, or where y are the numbers of
// `classes` its majority, `says`.

"use strict";
treelab.kind("cut", ({ round, fixed }) => {
	const numberOf = (data, at) => data.x.filter((x) => x <= at).length - 1;

	function build(stage, data) {
		const { x, step, classes } = data;
		stage.picture(classes ? 140 : 240, ["at"]);
		stage.picture(170, ["at"]);
		stage.range("at", {
			label: "Cut at", min: x[0], max: x.at(-1) - step, step, text: (at) => `${round(at, 6)} ${data.unit}`,
			change: (at) => ({ at, seen: [...new Set([...stage.state.seen, numberOf(data, at)])] }),
		});
		stage.button("Show the best", ({ at, guess }) => (
			{ at: data.best, guess: guess ?? at, seen: data.cuts.map((_, k) => k) }));
		for (const side of ["left", "right"]) {
			stage.values({
				[`${side}_answer`]: `${classes ? "majority" : "mean"} ${side}`,
				[`${side}_impurity`]: `${data.impurity} ${side}`,
			});
		}
		stage.values({ gain: "gain", rank: "rank" });
	}

	// The rows, the cut, and on each side the answer with what is left over of every row.
	function drawRows(picture, { at, guess, told }, data, cut) {
		const { x, y, xrange, yrange, classes, xlabel, ylabel } = data, look = classes ? { top: 36, yticks: [] } : { ylabel };
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
		if (told) axes.upright(guess, "guess");
		axes.upright(at, "cut");
		axes.handle(at, yrange[1]);
	}

	// The gain over the place of the cut, wherever the reader has been: one height between two rows.
	function drawGains(picture, { at, seen }, { x, xrange, xlabel, cuts }, cut) {
		const top = 1.1 * Math.max(...cuts.map((c) => c.gain));
		const axes = picture.plane({ x: xrange, y: [0, top], left: 56, xlabel, ylabel: "gain" });
		for (const k of seen) axes.line([x[k], x[k + 1]].map((v) => [v, cuts[k].gain]), "curve");
		axes.mark(3, at, cut.gain, 6, "tl-here");
	}

	function draw(stage, state, data) {
		const { at, guess, told } = state, { x, unit, cuts, decimals } = data;
		const cut = cuts[numberOf(data, at)], gain = fixed(cut.gain, decimals), best = numberOf(data, data.best);
		drawRows(stage.pictures[0], state, data, cut);
		drawGains(stage.pictures[1], state, data, cut);
		stage.show({ gain, rank: told ? `${cut.rank} of ${cuts.length}` : "?" });
		for (const side of ["left", "right"]) {
			const { answer, impurity } = cut[side];
			stage.show({ [`${side}_answer`]: answer, [`${side}_impurity`]: fixed(impurity, decimals) });
		}
		return `A cut at ${round(at, 6)} ${unit} leaves ${cut.left.n} ${data.rows} on the left and ` +
			`${cut.right.n} on the right; it gains ${gain}. ` + (told ?
			`Your guess was ${round(guess, 6)} ${unit}; the best gain lies anywhere between ` +
			`${round(x[best], 6)} and ${round(x[best + 1], 6)}.` :
			"Is there a better one? Move it, then let the best be shown.");
	}

	return { rest: (data) => ({ at: data.rest, seen: [numberOf(data, data.rest)] }), build, draw };
});
