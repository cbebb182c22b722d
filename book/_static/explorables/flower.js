// A flower that the reader moves over the plane of its petals; its way down the tree follows.
// A row is [x, y, class]; a leaf has `n` rows, and is `right` about so many.

"use strict";
treelab.kind("flower", ({ boxes, fixed, leaves, path }) => {
	// The shortest way from here into each box.
	const ways = (tree, at) => leaves(tree).map(({ answer, box }) => ({
		answer, by: box.map(([low, high], j) => Math.min(Math.max(at[j], low), high) - at[j]),
	})).sort((a, b) => Math.hypot(...a.by) - Math.hypot(...b.by));

	function build(stage, { names, ranges, question }) {
		stage.ask(question, names);
		stage.picture([302, 470], ["x", "y"]);
		names.forEach((label, j) => stage.range("xy"[j], {
			label, min: ranges[j][0], max: ranges[j][1], step: 0.1, text: (v) => `${fixed(v, 1)} cm`,
		}));
	}

	function draw(stage, { x, y, told }, { rows, tree, names, ranges, classes }) {
		const at = [x, y], way = path(tree, at), leaf = way.at(-1);
		const other = ways(tree, at).find((w) => w.answer !== leaf.answer), j = other.by[0] ? 0 : 1;
		const axes = boxes(stage.pictures[0], tree, {
			ranges, rows, xlabel: `${names[0]} (cm)`, ylabel: `${names[1]} (cm)`, lit: way,
		});
		if (told) axes.line([at, at.map((v, k) => v + other.by[k])], "cut");
		axes.handle(x, y);
		const tests = way.slice(0, -1).map((t) =>
			`${names[t.j]} ${fixed(at[t.j], 1)} is ${at[t.j] <= t.cut ? "at most" : "more than"} ${t.cut}`);
		return {
			...leaf, tests: tests.join(", the "), answer: classes[leaf.answer],
			unasked: tests[1] ? "" : ` Nobody asks for the ${names[1]}.`,
			other: classes[other.answer], name: names[j], by: fixed(Math.abs(other.by[j]), 2),
		};
	}

	return { build, draw };
});
