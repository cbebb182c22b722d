// Samples drawn from ten rows: what each repeats and misses, and how one statistic of them spreads.
// `draws` has ten digits for each sample; a statistic has a value `of` the rows, and `replicates`.

treelab.kind("bootstrap", ({ fixed }) => {
const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;

function build(stage, data) {
	const last = data.draws.length / 10;
	stage.ask(data.question, data.guesses);
	for (const more of [1, 100]) stage.button(`Draw ${more}`, ({ n }) => ({ n: Math.min(n + more, last) }));
	stage.button("Next statistic", ({ which }) => ({ which: (which + 1) % data.statistics.length }));
	stage.play(({ n }, k) => k < 8 ? { n: Math.min(n + 1, last) } : n < last && { n: Math.min(n + 20, last) }, 700);
	stage.values(data.values);
	[[120, 120], [156, 102], [156, 102]].forEach((heights, i) => stage.picture(heights, null, i ? 0.5 : 1));
}

// How often each whole number comes, as bars, with lines at `at` and `guess`.
function bars(picture, list, at, guess, frame) {
	const counts = {};
	for (const x of list.map(Math.round)) counts[x] = (counts[x] ?? 0) + 1;
	const most = Math.max(8, ...Object.values(counts));
	const axes = picture.plane({ y: [0, 1.25 * most], yticks: [0, most], ylabel: "samples", ...frame });
	const width = axes.px(1) - axes.px(0) - 2;
	for (const [x, count] of Object.entries(counts)) {
		const y = axes.py(count), height = axes.py(0) - y;
		picture.add("rect", { x: axes.px(x) - width / 2, y, width, height, class: "tl-class-0" }, undefined,
			{ key: `bar ${x}`, home: [axes.px(x), axes.py(0)] });
	}
	if (guess) axes.upright(guess, "guess");
	if (at) axes.upright(at, "cut");
}

function draw(stage, { n, which, guess, told }, data) {
	const [rows, values, misses] = stage.pictures, guessed = data.guesses[guess];
	const samples = data.draws.match(/.{10}/g).slice(0, n);
	const missed = samples.map((digits) => data.rows.filter((_, i) => !digits.includes(i)));
	const { name, of, replicates } = data.statistics[which], past = replicates.slice(0, n);
	rows.text(2, 12, data.legend);
	data.rows.forEach((row, i) => {
		const x = rows.width * (i + 0.5) / 10, times = samples.at(-1).split(i).length - 1;
		rows.text(x, 116, row, "middle");
		const known = (k) => ({ key: `${n} ${i} ${k}`, home: [x, 12] }); // a new sample comes from above
		for (let k = 0; k < times; k++) rows.mark(0, x, 92 - 17 * k, 7, "", known(k));
		if (!times) rows.mark(1, x, 92, 7, "tl-empty");
	});
	const lost = missed.map((list) => list.length), average = fixed(mean(lost), 2);
	bars(values, past, of, 0, { x: [0, data.top], xlabel: `${name}, ${data.unit}` });
	bars(misses, told ? lost : [], told && mean(lost), guessed, {
		x: [-0.5, 8.5], xticks: [0, 2, 4, 6, 8], xlabel: data.missed[told ? 1 : 0],
	});

	const center = mean(past), square = past.reduce((sum, x) => sum + (x - center) ** 2, 0) / (n - 1);
	const replicate = fixed(past.at(-1), 1), here = missed.at(-1);
	stage.show({
		replicate, of: fixed(of, 1), mean: fixed(center, 2), lost: told ? average : "?",
		error: n > 1 ? fixed(Math.sqrt(square), 2) : "–",
	});
	return {
		n, name, replicate, average, count: here.length, missed: here.join(", ") || "none", moral: n < 100 ? "" : data.moral,
	};
}

return { build, draw, undo: true };
});
