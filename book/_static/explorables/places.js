// What matters where y is low? A reader moves a window along the rows in order of y, or shuffles y.

treelab.kind("places", ({ fixed }) => {
function build(stage, data) {
	const { windows, step, width } = data, max = windows.length - 1, from = (x) => (x - width / 2) / step;
	stage.ask(data.question, data.answers);
	stage.picture([90, 62], ["place"]);
	const axis = [width / 2, 100 - width / 2];
	stage.range("place", { label: data.label, max, from, axis, text: (k) => windows[k].text });
	stage.picture([186, 130], null, 0.5);
	stage.picture([186, 94], ["place"], 0.5);
	stage.shuffle = stage.button(data.shuffle, ({ guess, shuffled }) => guess !== null && { shuffled: 1 - shuffled });
	stage.values(data.values);
}

// Shares in the window are full bars, on all rows hollow; dotted: chance.
function drawBars(picture, { names, noise, titles }, here, whole, line) {
	const { width } = picture, left = 58, n = names.length;
	const axes = picture.plane({
		x: [0, 1], y: [n, 0], left, right: width - 112, yticks: [], xticks: [0, 0.5, 1], top: 20, bottom: picture.height - 22,
	});
	picture.text(2, 14, titles[1]);
	[width - 58, width].forEach((x, i) => picture.text(x, 14, titles[2 + i], "end"));
	names.forEach((name, j) => {
		const y = axes.py(j + 0.5) + 4;
		const bar = (share, low, high, look) => axes.line([[0, low], [share, low], [share, high], [0, high], [0, low]], look);
		picture.text(left - 7, y, name, "end");
		if (here) bar(here[j], j + 0.1, j + 0.6, `class-${Number(j >= noise)}`);
		bar(whole[j], j + 0.64, j + 0.88, "empty");
		picture.text(width - 58, y, here ? fixed(here[j], 3) : "?", "end");
		picture.text(width, y, fixed(whole[j], 3), "end");
	});
	if (here) axes.upright(line, "guess");
}

function draw(stage, { place, shuffled, guess, told }, data) {
	const { windows, runs, wholes, chance, names, noise, step, width, titles, top } = data;
	const [strip, bars, curves] = stage.pictures, run = runs[shuffled], here = run[place], line = chance[place];
	const middle = (k) => step * k + width / 2, at = middle(place), all = (p) => ({ x: [0, 100], right: p.width - 16 });
	stage.shuffle.setAttribute("aria-pressed", Boolean(shuffled));
	const whole = strip.plane({ ...all(strip), y: top, yticks: data.ticks, bottom: strip.height - 8, xticks: [], ylabel: titles[0] });
	whole.line(data.sorted.map((y, i) => [(100 * i) / (data.sorted.length - 1), y]), "curve tl-curve-0");
	whole.area([[at - width / 2, at + width / 2], top], 3);
	whole.handle(at, top[1]);
	drawBars(bars, data, told && here, wholes[shuffled], line);

	const curve = (pick) => run.map((shares, k) => [middle(k), pick(shares)]), best = (some) => Math.max(...some);
	const axes = curves.curves({
		...all(curves), at, y: [0, 1], yticks: [0, 0.5, 1], xlabel: titles[5], ylabel: titles[4],
		lines: told && {
			x1: curve((s) => s[0]), x2: curve((s) => s[1]), [titles[6]]: curve((s) => best(s.slice(noise))),
		},
	});
	if (!told) axes.wait(0, "after your guess");
	if (told) axes.line(chance.map((c, k) => [middle(k), c]), "guess");
	if (data.thirds[guess]) axes.area([data.thirds[guess], [0, 1]], 1);

	const list = names.filter((_, j) => here[j] > line), most = best(here), { rows, y } = windows[place];
	const shown = { y, share: told ? fixed(here[1], 3) : "?", line: told ? fixed(line, 3) : "?" };
	stage.show(shown);
	return {
		...shown, rows, best: names[here.indexOf(most)], most: fixed(most, 3),
		above: list.join(", ") || "none", says: told ? 1 + shuffled : 0,
	};
}

return { build, draw };
});
