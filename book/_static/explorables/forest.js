// A forest that grows and votes: add trees, move the point, see what the votes are worth.
// `votes` has a tree's pieces of the plane for class 1, bits in base64 from below; lists go by trees.

treelab.kind("forest", ({ add, fixed }) => {
function build(stage, data) {
	stage.ask(data.question, data.answers);
	stage.picture([300, 162], ["x", "y"], 0.5);
	for (const [name, label] of [["x", "Point across"], ["y", "Point up"]]) {
		const [first] = data[name];
		stage.range(name, {
			label, max: data.pieces[name] - 1, from: (place) => 10 * (place - first) - 0.5,
			text: (k) => fixed(first + (k + 0.5) / 10, 2),
		});
	}
	stage.picture([300, 94], null, 0.5);
	stage.range("trees", { label: "Trees", min: 1, max: 100, before: 10 });
	stage.sweep("trees");
	stage.values(data.labels);
}

// The plane in the classes' colors, fainter where trees disagree; returns the votes at the point.
function drawGround(picture, { trees, x, y }, { pieces, rows, ...data }) {
	const axes = picture.plane({ x: data.x, y: data.y, left: 36, bottom: picture.height - 22, ylabel: data.legend }), shades = {};
	const bits = data.votes.slice(0, trees).map(atob);
	const votes = (k) => bits.filter((b) => (b.charCodeAt(k >> 3) << (k % 8)) & 128).length;
	const across = (i) => axes.px(data.x[0] + i / 10), up = (j) => axes.py(data.y[0] + j / 10);
	for (let k = 0; k < pieces.x * pieces.y; k++) {
		const i = k % pieces.x, j = Math.floor(k / pieces.x);
		(shades[votes(k)] ??= []).push(`M${across(i)} ${up(j)}H${across(i + 1)}V${up(j + 1)}H${across(i)}z`);
	}
	const ground = picture.add("g", {}, undefined, { key: `ground ${trees}` }); // a new tree tints all of it
	for (const v in shades) {
		const lead = (2 * v) / trees - 1;
		add(ground, "path", { d: shades[v].join(""), class: `tl-class-${lead > 0 ? 1 : 0}`,
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
	if (!told) axes.wait(10);
	if (guess >= 0 && told) {
		axes.line(data.guesses[guess], "guess");
		errors.text(errors.width - 12, errors.height - 8, data.guessed, "end");
	}
	return shown;
}

return { build, draw };
});
