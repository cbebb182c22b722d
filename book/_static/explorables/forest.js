// A forest that grows and votes: add trees, move the point, see what the votes are worth.
// `votes` has a tree's pieces of the plane for class 1, bits in base64 from below; lists go by trees.

treelab.kind("forest", ({ fixed }) => {
function build(stage, data) {
	stage.ask(data.question, data.answers);
	stage.picture(320, ["x", "y"]);
	stage.picture(190);
	stage.range("trees", { label: "Trees", min: 1, max: 100, before: 10 });
	for (const [name, label] of [["x", "Point across"], ["y", "Point up"]]) {
		const [first] = data[name];
		stage.range(name, {
			label, max: data.pieces[name] - 1, from: (place) => 10 * (place - first) - 0.5,
			text: (k) => fixed(first + (k + 0.5) / 10, 2),
		});
	}
	stage.values(data.labels);
}

// The plane in the classes' colors, fainter where trees disagree; returns the votes at the point.
function drawGround(picture, { trees, x, y }, { pieces, rows, ...data }) {
	const axes = picture.plane({ x: data.x, y: data.y, left: 36, bottom: 296, ylabel: data.legend }), shades = {};
	const bits = data.votes.slice(0, trees).map(atob);
	const votes = (k) => bits.filter((b) => (b.charCodeAt(k >> 3) << (k % 8)) & 128).length;
	const across = (i) => axes.px(data.x[0] + i / 10), up = (j) => axes.py(data.y[0] + j / 10);
	for (let k = 0; k < pieces.x * pieces.y; k++) {
		const i = k % pieces.x, j = Math.floor(k / pieces.x);
		(shades[votes(k)] ??= []).push(`M${across(i)} ${up(j)}H${across(i + 1)}V${up(j + 1)}H${across(i)}z`);
	}
	for (const v in shades) {
		const lead = (2 * v) / trees - 1;
		picture.add("path", { d: shades[v].join(""), class: `tl-class-${lead > 0 ? 1 : 0}`,
			"fill-opacity": Math.abs(lead) / 2, "shape-rendering": "crispEdges" });
	}
	for (const [a, b, k] of rows) axes.mark(k, a, b, 4);
	picture.mark(3, across(x + 0.5), up(y + 0.5), 9, "tl-here tl-handle");
	return votes(y * pieces.x + x);
}

function draw(stage, state, data) {
	const { trees, guess, told } = state, [ground, errors] = stage.pictures;
	const shown = { votes: `${drawGround(ground, state, data)} of ${trees}` }, lines = {};
	for (const name in data.errors) shown[name] = `${fixed(data.errors[name][trees - 1], 1)}%`;
	for (const name in data.curves) {
		const error = data.errors[name].slice(0, told ? 100 : 10);
		if (told || name !== "free") lines[data.curves[name]] = error.map((value, i) => [i + 1, value]);
	}
	stage.show({
		...shown, correlation: trees > 1 ? fixed(data.correlation[trees - 1], 2) : "–", free: told ? shown.free : "?",
	});
	const axes = errors.curves({
		lines, at: trees, x: [1, 100], y: [0, 30], left: 36, xticks: [1, 10, 50, 100], xlabel: "trees", ylabel: "error, %",
	});
	if (guess >= 0 && told) {
		axes.line(data.guesses[guess], "guess");
		errors.text(errors.width - 12, 182, data.guessed, "end");
	}
	return shown;
}

return { build, draw };
});
