// A forest that grows and votes: add trees, move the point, see what the votes are worth.
// Lists go by trees.

treelab.kind("forest", ({ fixed, point, votes }) => {
function build(stage, data) {
	stage.ask(data.question, data.answers);
	stage.picture([300, 162], ["x", "y"], 0.5);
	point(stage, data);
	stage.picture([300, 104], null, 0.5);
	stage.range("trees", { label: "Trees", min: 1, max: 100, before: 10 });
	stage.sweep("trees");
	stage.values(data.labels);
}

// The ground, the rows and the point; returns the votes at the point.
function drawGround(picture, { trees, x, y }, data) {
	const { axes, count, across, up } = votes(picture, trees, data);
	for (const [a, b, k] of data.rows) axes.mark(k, a, b, 4);
	picture.mark(3, across(x + 0.5), up(y + 0.5), 9, "tl-here tl-handle");
	return count(y * data.pieces.x + x);
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
		lines, at: trees, x: [1, 100], y: [0, 30], yticks: [0, 15, 30], left: 36, xticks: [1, 10, 50, 100], xlabel: errors.wide ? "trees" : "", ylabel: "error, %",
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
