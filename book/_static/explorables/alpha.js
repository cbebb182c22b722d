// How far above the least error may a set be? A reader slides α: the set that an elimination keeps, its error
// on the rows that chose it and on new ones. Errors go by sizes, `limit`, `chosen` and `means` by α.

treelab.kind("alpha", ({ fixed, round }) => {
const percent = (x) => `${fixed(x, 1)}%`;

function build(stage, data) {
	const { alphas, draws } = data;
	stage.ask(data.question, data.answers);
	stage.picture([154, 140], null, 0.5);
	stage.picture([104, 100], null, 0);
	stage.range("draw", { label: data.drawn, max: draws.length - 1, text: (d) => `${d + 1} of ${draws.length}` });
	stage.picture([258, 240], ["k"], 0.5);
	stage.range("k", {
		label: "α standard deviations", max: alphas.length - 1, axis: [0, alphas.at(-1)], from: (x) => x / alphas[1],
		text: (k) => fixed(alphas[k], 2),
	});
	stage.views(["a draw", "all draws"]);
	stage.button("Show the best α", ({ guess }) => guess !== null && { k: data.best });
	stage.values(data.values);
}

// Of the curves, by name, those that the reader may see; `across` has their places on the axis.
const open = (curves, across, told) => Object.fromEntries(
	Object.entries(curves).slice(0, told ? 2 : 1).map(([name, ys]) => [name, ys.map((y, i) => [across[i], y])]));

// A mark for each draw at the size that it chooses, in pairs, one on the other.
function drawSizes(picture, frame, { sizes, draws, titles }, k, here) {
	const { px } = picture.plane({
		...frame, y: [0, 1], yticks: [], xticks: frame.places, xname: (i) => sizes[i], xlabel: titles[3], ylabel: titles[2],
	});
	const piles = sizes.map(() => 0);
	draws.forEach(({ chosen }, d) => {
		const n = piles[chosen[k]]++, x = px(chosen[k]) + (n % 2 ? 5 : -5), y = picture.height - 48 - 10 * (n >> 1);
		picture.mark(d === here ? 3 : 0, x, y, 4, d === here ? "tl-here" : "tl-empty");
	});
}

function draw(stage, { k, draw: d, told }, data) {
	const { alphas, sizes, draws, fresh, names, means, sets, noise, titles } = data;
	const { errors, sd, limit, chosen } = draws[d], [path, votes, average] = stage.pictures, at = Number(chosen[k]);
	const threshold = `${fixed(limit[k], 2)}%`;
	const sum = `${round(limit[0])} + ${fixed(alphas[k], 2)} × ${fixed(sd, 3)}`;
	const places = sizes.map((_, i) => i), frame = { places, x: [-0.6, sizes.length - 0.4] };
	const axes = path.curves({
		...frame, lines: open({ [names[0]]: errors, [names[1]]: fresh }, places, told), at,
		y: [0, data.tops[0]], xticks: [], bottom: path.height - 24, ylabel: titles[0],
	});
	axes.line(frame.x.map((x) => [x, limit[k]]), "guess");
	path.text(2, path.height - 4, `${titles[1]} ${sum} = ${threshold}`);
	drawSizes(votes, frame, data, k, d);
	average.curves({
		lines: open(means, alphas, told), at: alphas[k], x: [0, alphas.at(-1)], y: data.tops[1], xlabel: "α", ylabel: titles[4],
	}).handle(alphas[k], data.tops[1][1]);

	const [oldMean, newMean] = names.map((name) => percent(means[name][k])), gap = fresh[at] - errors[at];
	const shown = { limit: threshold, old: percent(errors[at]), new: percent(fresh[at]) };
	stage.show({
		...shown, noise: `${noise[at]} of ${sizes[at]}`, oldMean, ...(told ? { newMean } : { new: "?", newMean: "?" }),
	});
	return {
		...shown, draw: d + 1, alpha: fixed(alphas[k], 2), size: sizes[at], set: sets[at],
		gap: `${fixed(Math.abs(gap), 1)} points ${gap < 0 ? "less" : "more"}`,
		says: told && k === data.best ? 2 : Number(told),
	};
}

return { build, draw };
});
