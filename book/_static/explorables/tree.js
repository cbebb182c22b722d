// Trees as pictures: nodes side by side, leaves evenly spread, yes to the left.
// A node has `words` (lines), and `j`, `cut`, `left` and `right`, or the class and box of a leaf.

// All leaves of a tree, and the way of a row down to one of them.
treelab.leaves = (t) => (t.left ? [...treelab.leaves(t.left), ...treelab.leaves(t.right)] : [t]);
treelab.path = (t, at) => [t, ...(t.left ? treelab.path(at[t.j] <= t.cut ? t.left : t.right, at) : [])];

// A tree in a part of a picture; `mode(node)` says how a node looks.
treelab.tree = (picture, root, { top, bottom, mode }) => {
	const { add, leaves } = treelab, links = picture.add("g"), nodes = picture.add("g");
	const depth = (t) => (t.left ? 1 + Math.max(depth(t.left), depth(t.right)) : 0);
	const across = picture.width / leaves(root).length, down = (bottom - top - 24) / Math.max(depth(root), 1);

	// Draws the node and all below it; returns where it stands.
	function place(t, from, level) {
		const y = top + 12 + level * down;
		let x = (from + 0.5) * across;
		if (t.left) {
			const sides = [place(t.left, from, level + 1), place(t.right, from + leaves(t.left).length, level + 1)];
			x = (sides[0] + sides[1]) / 2;
			sides.forEach((side, k) => {
				add(links, "path", { d: `M${x} ${y}L${side} ${y + down}`, class: `tl-link ${mode(k ? t.right : t.left)}` });
				if (level) return;
				picture.text(x + 0.55 * (side - x) + (k ? 5 : -5), y + 0.55 * down, k ? "no" : "yes", k ? "start" : "end");
			});
		}
		const node = add(nodes, "g", { class: `tl-node ${t.left ? "" : `tl-leaf tl-leaf-${t.answer ?? 0}`} ${mode(t)}` });
		if (!t.words.length) return x;
		const width = Math.max(...t.words.map((line) => 7.2 * line.length)) + 14, height = 16 * t.words.length + 8;
		add(node, "rect", { x: x - width / 2, y: y - 12, width, height, rx: t.left && !t.ends ? 10 : 3 });
		t.words.forEach((line, i) => add(node, "text", { x, y: y + 4 + 16 * i }, line));
		return x;
	}
	place(root, 0, 0);
};

// One picture of the plane in the boxes of a tree, with `rows` ([x, y, class]), and one of the tree.
treelab.boxes = ([ground, beside], root, { ranges: [x, y], rows, lit, ...labels }) => {
	const axes = ground.plane({ x, y, left: 34, top: 24, ...labels });
	for (const leaf of treelab.leaves(root)) axes.area(leaf.box, leaf.answer);
	for (const [a, b, k] of rows) axes.mark(k, a, b, 3.5);
	treelab.tree(beside, root, { top: 24, bottom: beside.height - 24, mode: (t) => (lit.includes(t) ? "lit" : "") });
	return axes;
};
