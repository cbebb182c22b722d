// Trees as pictures: nodes side by side, leaves evenly spread, yes to the left.
// A node has `words` (lines), and `j`, `cut`, `left` and `right`, or the class and box of a leaf.

// All leaves of a tree, and the way of a row down to one of them.
treelab.leaves = (t) => (t.left ? [...treelab.leaves(t.left), ...treelab.leaves(t.right)] : [t]);
treelab.path = (t, at) => [t, ...(t.left ? treelab.path(at[t.j] <= t.cut ? t.left : t.right, at) : [])];

// A tree in a part of a picture; `mode(node)` says how a node looks.
// A node is known by its way down, `L` or `R` at each, and comes out of the one above.
treelab.tree = (picture, root, { top, bottom, mode }) => {
	const { add, leaves } = treelab, links = add(picture.ink, "g"), nodes = add(picture.ink, "g");
	const depth = (t) => (t.left ? 1 + Math.max(depth(t.left), depth(t.right)) : 0);
	const across = picture.width / leaves(root).length, down = (bottom - top - 24) / Math.max(depth(root), 1);

	// Draws the node and all below it; returns where it stands, and what is drawn.
	function place(t, from, level, way) {
		const y = top + 12 + level * down, look = mode(t), gone = look.includes("faded");
		const key = `${gone ? "gone" : "node"} ${way}`;
		let x = (from + 0.5) * across;
		if (t.left) {
			const sides = [t.left, t.right].map((side, k) =>
				place(side, from + k * leaves(t.left).length, level + 1, way + "LR"[k]));
			x = (sides[0].x + sides[1].x) / 2;
			[t.left, t.right].forEach((below, k) => {
				const side = sides[k].x, more = mode(below), isGone = more.includes("faded");
				if (!isGone) sides[k].node.home = [x, y];
				picture.add("path", { d: `M${x} ${y}L${side} ${y + down}`, class: `tl-link ${more}` }, undefined,
					{ parent: links, key: `${isGone} link ${way}${k}`, home: isGone ? undefined : [x, y] });
				if (level) return;
				picture.text(x + 0.55 * (side - x) + (k ? 5 : -5), y + 0.55 * down, k ? "no" : "yes", k ? "start" : "end");
			});
		}
		const node = picture.add("g", { class: `tl-node ${t.left ? "" : `tl-leaf tl-leaf-${t.answer ?? 0}`} ${look}` },
			undefined, { parent: nodes, key });
		const width = Math.max(...t.words.map((line) => 7.2 * line.length)) + 14, height = 16 * t.words.length + 8;
		if (t.words.length) picture.add("rect", { x: x - width / 2, y: y - 12, width, height, rx: t.left && !t.ends ? 10 : 3 },
			undefined, { parent: node, key: `${key} box` });
		t.words.forEach((line, i) => picture.add("text", { x, y: y + 4 + 16 * i }, line, { parent: node, key: `${key} ${i}` }));
		return { x, node };
	}
	place(root, 0, 0, "");
};

// One picture of the plane in the boxes of a tree, with `rows` ([x, y, class]), and one of the tree.
treelab.boxes = ([ground, beside], root, { ranges: [x, y], rows, lit, ...labels }) => {
	const axes = ground.plane({ x, y, left: 34, top: 24, ...labels });
	for (const leaf of treelab.leaves(root)) axes.area(leaf.box, leaf.answer, { key: `box ${leaf.box}` });
	for (const [a, b, k] of rows) axes.mark(k, a, b, 3.5);
	treelab.tree(beside, root, { top: 24, bottom: beside.height - 24, mode: (t) => (lit.includes(t) ? "lit" : "") });
	return axes;
};
