// Which cells of a map does a method choose? A reader slides the length of the correlation, and picks a method: the
// cells that it chooses from one quarter of the rows and from the next, and how many of them lie in the
// box of the farm and its eight neighbors.

treelab.kind("grid", ({ fixed }) => {
function build(stage, data) {
	const { lengths, methods } = data, max = lengths.length - 1;
	stage.ask(data.question, data.answers);
	stage.picture([290, 200], null, 0.56);
	stage.picture([244, 200], null, 0.44);
	stage.range("k", { label: data.label, max, before: data.open, text: (k) => `${lengths[k]} km` });
	stage.views(["map", "counts"]);
	stage.choose("method", { label: data.pick, options: methods });
	stage.values(data.values);
}

// The map: a mark's form says which quarter has chosen the cell, a dot that none has; the box is the farm and its eight neighbors.
function drawMap(picture, { grid: [nx, ny], farm: [fx, fy], names, titles }, [first, next]) {
	const axes = picture.plane({
		x: [-0.6, nx - 0.4], y: [-0.6, ny - 0.4], left: 26, right: picture.width - 8, xticks: [0, fx, nx - 1],
		yticks: [0, fy, ny - 1], xlabel: titles[0],
	});
	axes.area([[fx - 1.5, fx + 1.5], [fy - 1.5, fy + 1.5]], 3);
	let dots = "";
	for (let cell = 0; cell < nx * ny; cell++) {
		const [x, y] = [cell % nx, Math.floor(cell / nx)], again = next.includes(cell);
		if (first.includes(cell)) axes.mark(Number(again), x, y, 6);
		else if (again) axes.mark(2, x, y, 6);
		else dots += `M${axes.px(x) - 1} ${axes.py(y)}h2`;
	}
	picture.add("path", { d: dots, class: "tl-axes" });
	axes.mark(3, fx, fy, 11, "tl-empty");
	names.forEach((name, form) => picture.legend(form, 10 + (form * picture.width) / 4, 10, name));
}

function draw(stage, { k, method, guess, told }, data) {
	const { lengths, methods, runs, guesses, titles } = data, [map, counts] = stage.pictures;
	const here = runs[method][k], [near, next] = here.near;
	drawMap(map, data, here.cells);
	const seen = runs[method].slice(0, told ? lengths.length : data.open + 1);
	const curve = (q) => seen.map((run, i) => [i, run.near[q]]);
	const axes = counts.curves({
		x: [-0.3, lengths.length - 0.7], y: [0, 9.4], yticks: [0, 3, 6, 9], at: k, xlabel: titles[1], ylabel: titles[2],
		xticks: Object.keys(lengths), xname: (i) => lengths[i],
		lines: { [data.names[0]]: curve(0), [data.names[2]]: curve(1) },
	});
	if (!told) axes.wait(data.open);
	if (guesses[guess]) axes.line(guesses[guess], "guess");
	const shown = { near: `${near} of 9`, next: `${next} of 9`, both: `${here.both} of 9`, distance: `${here.distance} km` };
	stage.show(shown);
	return {
		...shown, length: lengths[k], method: methods[method], correlation: fixed(here.correlation, 2),
	};
}

return { build, draw };
});
