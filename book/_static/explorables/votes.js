// The plane of votes, in pieces 0.1 wide; `votes` has a tree's for class 1, bits in base64 from below.

// Sliders for a point in it.
treelab.point = (stage, data) => {
	for (const [name, label] of [["x", "Point across"], ["y", "Point up"]]) {
		const [first] = data[name];
		stage.range(name, {
			label, max: data.pieces[name] - 1, from: (place) => 10 * (place - first) - 0.5,
			text: (k) => treelab.fixed(first + (k + 0.5) / 10, 2),
		});
	}
};

// Fainter where the trees disagree; `count` has the votes for class 1 in a piece.
treelab.votes = (picture, trees, { pieces, votes, x, y, legend }) => {
	const axes = picture.plane({ x, y, left: 36, bottom: picture.height - 22, ylabel: legend }), shades = {};
	const bits = votes.slice(0, trees).map(atob);
	const count = (k) => bits.filter((b) => (b.charCodeAt(k >> 3) << (k % 8)) & 128).length;
	const across = (i) => axes.px(x[0] + i / 10), up = (j) => axes.py(y[0] + j / 10);
	for (let k = 0; k < pieces.x * pieces.y; k++) {
		const i = k % pieces.x, j = Math.floor(k / pieces.x);
		(shades[count(k)] ??= []).push(`M${across(i)} ${up(j)}H${across(i + 1)}V${up(j + 1)}H${across(i)}z`);
	}
	const ground = picture.add("g", {}, undefined, { key: `ground ${trees}` });
	for (const v in shades) {
		const lead = (2 * v) / trees - 1;
		treelab.add(ground, "path", { d: shades[v].join(""), class: `tl-class-${lead > 0 ? 1 : 0}`,
			"fill-opacity": Math.abs(lead) / 2, "shape-rendering": "crispEdges" });
	}
	return { axes, count, across, up };
};
