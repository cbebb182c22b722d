// A flower that the reader moves over the plane of its petals; its way down the tree follows.
// A row is [x, y, class]; a leaf has `n` rows, and is `right` about so many.

treelab.kind("flower", ({ boxes, fixed, path }) => {
// The tree as it was when it had grown so many levels: what is below is not there yet.
function young(t, levels, rows, box) {
	if (!t.left) return t;
	if (levels) {
		const side = (k) => box.map((ends, j) => (j === t.j ? ends.with(1 - k, t.cut) : ends));
		return { ...t, left: young(t.left, levels - 1, rows, side(0)), right: young(t.right, levels - 1, rows, side(1)) };
	}
	const here = rows.filter((row) => box.every(([low, high], j) => row[j] > low && row[j] <= high));
	const counts = [0, 1, 2].map((k) => here.filter((row) => row[2] === k).length), most = Math.max(...counts);
	return { box, answer: counts.indexOf(most), words: [`${most} of ${here.length}`] };
}

function build(stage, { names, ranges, question }) {
	stage.ask(question, names);
	stage.picture([300, 196], ["x", "y"], 0.5);
	names.forEach((label, j) => stage.range("xy"[j], {
		label, min: ranges[j][0], max: ranges[j][1], step: 0.1, text: (v) => `${fixed(v, 1)} cm`,
	}));
	stage.picture([346, 150], null, 0.5);
	stage.play((_, k) => k < 4 && {}, 1400);
}

function draw(stage, { x, y, guess, told }, { rows, tree, names, ranges, classes }) {
	const at = [x, y], way = path(tree, at), leaf = way.at(-1), asked = way.slice(0, -1);
	const { frame } = stage, isYoung = frame !== null && frame < 3;
	const axes = boxes(stage.pictures, isYoung ? young(tree, frame, rows, ranges) : tree, {
		ranges, rows, xlabel: `${names[0]} (cm)`, ylabel: `${names[1]} (cm)`, lit: isYoung ? [] : way,
	});
	if (frame > 2) stage.pictures[0].text(axes.px(x) + 14, axes.py(y) - 10, "now you");
	// Each question on the way can be answered otherwise: the nearest cut first.
	const far = (t) => Math.abs(at[t.j] - t.cut), near = [...asked].sort((a, b) => far(a) - far(b));
	const moves = near.map((t, k) => {
		if (told) axes.line([at, at.map((v, j) => (j === t.j ? t.cut : v))], k ? "guess" : "cut");
		return `the ${names[t.j]} must ${at[t.j] > t.cut ? "shrink by" : "grow by more than"} ${fixed(far(t), 2)} cm`;
	});
	axes.handle(x, y);
	const tests = asked.map((t) =>
		`${names[t.j]} ${fixed(at[t.j], 1)} is ${at[t.j] <= t.cut ? "at most" : "more than"} ${t.cut}`);
	const right = near.some((t) => t.j === guess && far(t) < far(near[0]) + 1e-9);
	return {
		...leaf, tests: tests.join(", the "), answer: classes[leaf.answer], moves: moves.join(", or "),
		unasked: tests[1] ? "" : ` Nobody asks for the ${names[1]}.`, verdict: guess < 0 ? 2 : Number(right),
	};
}

return { build, draw, auto: true };
});
