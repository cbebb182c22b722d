// A feature that knows nothing, by the number of its categories: its gain and its gain ratio beside those of the best
// useful feature. `means[rows][cities]` and `first[rows][cities]` have both measures, `best[rows]` the useful feature's.

treelab.kind("cities", ({ fixed }) => {
const bits = (v) => fixed(v, 3);

function build(stage, { question, answers, cities, rows, open, labels, values, views }) {
	stage.ask(question, answers);
	stage.picture([200, 180], null, [0.5, 1]);
	stage.range("k", { label: labels[0], max: cities.length - 1, before: open, text: (k) => `${cities[k]} cities` });
	stage.picture([200, 180], null, [0.5, 1]);
	stage.range("n", { label: labels[1], max: rows.length - 1, text: (n) => `${rows[n]} rows` });
	stage.views(views);
	stage.sweep("k");
	stage.values(values);
}

function draw(stage, { k, n, told }, data) {
	const { cities, rows, means, first, best, open, tops, names, titles } = data;
	const seen = told ? cities.length : open + 1, here = means[n][k], count = first[n][k];
	stage.pictures.forEach((picture, j) => {
		const all = cities.slice(0, seen).map((c, i) => [c, means[n][i][j]]), flat = [0, cities.at(-1)].map((c) => [c, best[n][j]]);
		const axes = picture.curves({
			lines: { [names[0]]: all, [names[1]]: flat }, at: cities[k], x: [0, cities.at(-1) + 1], y: [0, tops[j]],
			top: 40, xticks: [0, 10, 20, 30, 40], xlabel: titles[0], ylabel: titles[1 + j],
		});
		if (!told) axes.wait(cities[open]);
	});
	stage.show({ gain: bits(here[0]), ratio: bits(here[1]), best: bits(best[n][0]), bestratio: bits(best[n][1]) });
	return {
		cities: cities[k], rows: rows[n], each: fixed(rows[n] / cities[k], 1).replace(".0", ""),
		gain: count[0], ratio: count[1],
	};
}

return { build, draw };
});
