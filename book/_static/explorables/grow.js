// A tree that the reader grows: its errors on its `rows` ([x, y, class]) and on those `held` out.
// `cart` has CART's, by the number of leaves.

treelab.kind("grow", ({ boxes, fixed, leaves, path, round }) => {
const find = (t, at) => path(t, at).at(-1);
const gini = ([a, b]) => (2 * a * b) / (a + b) ** 2;

// A leaf says the class that most of its rows have, and errs on the others.
function leaf(rows, held, box) {
	const count = (list) => [0, 1].map((k) => list.filter((row) => row[2] === k).length);
	const n = count(rows), answer = n[1] > n[0] ? 1 : 0, wrong = n[1 - answer];
	return { rows, held, box, n, answer, wrong, missed: count(held)[1 - answer], words: [`${wrong}/${rows.length}`] };
}

// The sides of a cut, and its gain in Gini impurity (null if one is empty).
function split({ rows, held, box, n }, j, cut) {
	const [left, right] = [true, false].map((yes) => {
		const part = (list) => list.filter((row) => (row[j] <= cut) === yes);
		const end = ([low, high]) => (yes ? [low, cut] : [cut, high]);
		return leaf(part(rows), part(held), box.map((side, k) => (k === j ? end(side) : side)));
	});
	const rest = [left, right].reduce((sum, t) => sum + (t.rows.length / rows.length) * gini(t.n), 0);
	return { j, cut, left, right, gain: left.rows.length && right.rows.length ? gini(n) - rest : null };
}

// The tree after these cuts: where the disk was, and the feature.
function grow({ rows, held, ranges, names }, cuts) {
	const root = leaf(rows, held, ranges);
	for (const { at, j } of cuts) {
		const t = find(root, at);
		Object.assign(t, split(t, j, at[j]), { words: [`${names[j]} ≤ ${round(at[j])}`] });
	}
	return root;
}

function build(stage, data) {
	const { names, ranges: [[min, max]], most } = data;
	stage.ask(data.question, ["Yes", "No"]);
	stage.picture([262, 194], ["x", "y"], 0.5);
	names.forEach((name, j) => stage.range("xy"[j], {
		label: `disk, ${name}`, min, max, step: 0.05, text: (v) => fixed(v, 2),
	}));
	stage.picture([262, 116], null, 0.5);
	const hands = stage.below();
	names.forEach((name, j) => stage.button(`Split ${name} here`, ({ x, y, cuts }) => {
		const at = [x, y], { gain } = split(find(grow(data, cuts), at), j, at[j]);
		return cuts.length + 1 < most && gain !== null && { cuts: [...cuts, { at, j }] };
	}, hands));
	stage.button("Undo split", ({ cuts }) => ({ cuts: cuts.slice(0, -1) }), hands);
	stage.values(data.labels);
}

function draw(stage, { x, y, cuts, told }, data) {
	const { names, ranges, rows, held, most } = data, root = grow(data, cuts), all = leaves(root);
	const here = find(root, [x, y]), cart = data.cart[cuts.length], shown = told && all.length >= data.goal;
	const axes = boxes(stage.pictures, root, {
		ranges, rows, xlabel: names[0], ylabel: names[1], lit: [here],
	});
	stage.pictures[1].text(2, 12, data.legend);
	if (shown) cart.lines.forEach((line) => axes.line(line, "guess"));
	axes.line(here.box[1].map((v) => [x, v]), "residual");
	axes.line(here.box[0].map((v) => [v, y]), "residual");
	axes.handle(x, y);
	const sum = (name) => all.reduce((total, t) => total + t[name], 0);
	const n = rows.length, m = held.length, own = sum("missed");
	stage.show({
		leaves: `${all.length} of ${most}`, own_train: `${sum("wrong")} of ${n}`, own_held: `${own} of ${m}`,
		cart_train: shown ? `${cart.train} of ${n}` : "?", cart_held: shown ? `${cart.held} of ${m}` : "?",
	});
	const gains = [x, y].map((at, j) => {
		const { gain } = split(here, j, at);
		return names[j] + (gain === null ? " leaves one side empty" : ` gains ${fixed(gain, 3)}`);
	});
	return {
		circles: here.n[0], squares: here.n[1], own, cart: cart.held, verdict: shown ? (own < cart.held ? 1 : 2) : 0,
		cut: all.length === most ? "No more leaves." : `A split there on ${gains.join(", on ")}.`,
	};
}

return { build, draw };
});
