// Features that a reader takes into a set: what they tell, what they repeat, and the merit of the set.
// Set i has feature j if bit j of i is 1; `sets` has the sums and words of each, null for a sum over nothing.

treelab.kind("merit", ({ fixed }) => {
function build(stage, data) {
	stage.ask(data.question, data.answers);
	stage.picture([150, 222]);
	stage.picture([146, 82], null, 0.5);
	stage.picture([146, 140], null, 0.5);
	stage.views(["features", "merit"]);
	stage.features = data.names.map((name, j) => stage.button(name, ({ set }) => ({ set: set ^ (1 << j) })));
	stage.button("Show the best", ({ guess }) => guess !== null && { set: data.best });
	stage.values(data.labels);
}

// Lying bars between 0 and `top`, a row [name, value, filled] for each; no value is told as `none`.
function bars(picture, title, rows, top, left, right, none, tall = 28) {
	const axes = picture.plane({
		x: [0, top], y: [rows.length, 0], xticks: [0, top / 2, top], yticks: [],
		left, right: right - 46, bottom: 26 + tall * rows.length,
	});
	picture.text(left - 44, 14, title);
	rows.forEach(([name, value, filled], j) => {
		const y = axes.py(j + 0.5) + 4, told = typeof value === "number", end = told ? value : 0;
		picture.text(left - 7, y, name, "end");
		axes.line([[0, j + 0.2], [end, j + 0.2], [end, j + 0.8], [0, j + 0.8]], filled ? "class-0" : "empty");
		picture.text(right - 38, y, told ? fixed(value, 3) : none);
	});
	return axes;
}

// The merit as a fraction, and where it lies among those of all sets.
function drawFraction(picture, { over, under, result, merit }, open, { sets, tops, titles }) {
	picture.text(70, 37, over, "middle");
	picture.add("path", { d: "M8 44h124", class: "tl-axes" });
	picture.text(70, 61, under, "middle");
	picture.text(140, 48, `= ${open ? result : "?"}`);
	const axes = picture.plane({
		x: [0, tops[0]], y: [0, 1], yticks: [], left: 12, top: 88, bottom: 106, xlabel: titles[2],
	});
	for (const other of sets) axes.mark(0, other.merit, 0.5, 4, "tl-empty");
	if (open) axes.mark(3, merit, 0.5, 7, "tl-here");
}

function draw(stage, { set, told }, data) {
	const { names, means, relevance, sets, tops, titles } = data, [each, both, fraction] = stage.pictures;
	const here = sets[set], open = told || here.size < 2, { width, height } = each;
	const tall = (height - 46) / names.length;
	const has = names.map((_, j) => Boolean(set & (1 << j)));
	stage.features.forEach((button, j) => button.setAttribute("aria-pressed", has[j]));
	bars(each, titles[0], names.map((name, j) => [name, relevance[j], has[j]]), tops[0], 48, width / 2, "", tall);
	const after = has.map((is, j) => [is ? "without" : "with", told && sets[set ^ (1 << j)].merit]);
	const axes = bars(each, titles[1], after, tops[0], width / 2 + 62, width, "?", tall);
	if (told) axes.upright(here.merit, "cut");
	bars(both, data.chosen, means.map((name) => [name, here[name], true]), tops[1], 118, both.width - 16, "–");
	drawFraction(fraction, here, open, data);
	stage.show({ ...here.shown, ...(!open && data.waits) });
	return here;
}

return { build, draw, undo: true };
});
