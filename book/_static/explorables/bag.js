// A bag of trees: its vote, the rows that its last tree has not seen, and the out-of-bag votes on the row next to a point.
// `said` has a sign for each row and tree: "-" if the row is in the tree's sample, otherwise the class that it votes for.

treelab.kind("bag", ({ fixed, point, votes }) => {
const percent = (part) => `${fixed(100 * part, 1)}%`;

function build(stage, data) {
	const { said, rows, open } = data;
	stage.ask(data.question, data.answers);
	stage.picture([270, 162], ["x", "y"], 0.5);
	point(stage, data);
	stage.picture([270, 104], null, 0.5);
	stage.range("trees", { label: data.label, min: 1, max: said.length, before: open });
	stage.sweep("trees");
	stage.values(data.labels);
	// Out-of-bag error and coverage after each tree; a tie is for the first class.
	const polls = rows.map(() => [0, 0]);
	data.path = said.map((signs) => {
		polls.forEach((poll, i) => poll[signs[i]]++);
		const judged = rows.map(([, , k], i) => [k, ...polls[i]]).filter(([, a, b]) => a + b);
		return [judged.filter(([k, a, b]) => (b > a ? 1 : 0) !== k).length / judged.length, judged.length / rows.length];
	});
}

function draw(stage, { trees, x, y, guess, told }, data) {
	const [plane, errors] = stage.pictures, { rows, said, path, open } = data, last = said[trees - 1];
	const { axes, across, up } = votes(plane, trees, data), here = [across(x + 0.5), up(y + 0.5)];
	const at = [data.x[0] + (x + 0.5) / 10, data.y[0] + (y + 0.5) / 10], away = ([a, b]) => Math.hypot(a - at[0], b - at[1]);
	const near = rows.reduce((best, row, i) => (away(row) < away(rows[best]) ? i : best), 0), [a, b, kind] = rows[near];
	axes.line([at, [a, b]], "residual", { key: "near" });
	rows.forEach(([a, b, k], i) => axes.mark(k, a, b, 4.5, last[i] === "-" ? "" : "tl-unseen"));
	plane.mark(3, ...here, 8, "tl-here tl-handle");
	const lines = { [data.curves[0]]: path.slice(0, told ? path.length : open).map(([e], i) => [i + 1, 100 * e]) };
	if (told) lines[data.curves[1]] = data.test.map((e, i) => [i + 1, 100 * e]);
	const right = errors.curves({
		lines, at: trees, x: [1, said.length], y: [0, 40], yticks: [0, 20, 40], left: 36, xticks: [1, 10, 20, 30, 40, 50], xlabel: errors.wide ? "trees" : "", ylabel: "error, %",
	});
	if (!told) right.wait(open);
	if (guess >= 0 && told) right.line(data.guesses[guess].map((v, i) => [i ? said.length : open, v]), "guess");

	const polls = said.slice(0, trees).map((signs) => signs[near]).filter((sign) => sign !== "-");
	const squares = polls.filter((sign) => sign === "1").length, circles = polls.length - squares;
	const out = rows.flatMap((row, i) => (last[i] === "-" ? [] : [Number(last[i]) !== row[2]]));
	const [error, coverage] = path[trees - 1], choice = squares > circles ? 1 : 0;
	const shown = {
		unseen: `${out.length} of ${rows.length}`, wrong: `${out.filter(Boolean).length} of ${out.length}`,
		coverage: percent(coverage), error: percent(error), test: told ? percent(data.test[trees - 1]) : "?",
	};
	stage.show({ ...shown, votes: `${circles} : ${squares}` });
	return {
		...shown, unseen: out.length, trees, circles, squares, out: polls.length, result: data.results[
			polls.length ? (choice === kind ? 0 : 1) + (squares === circles ? 3 : 0) : 2],
	};
}

return { build, draw };
});
