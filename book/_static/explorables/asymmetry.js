// How many to order if one too few does not cost what one too many does? A reader slides the ratio, and picks an hour:
// the forecast's quantiles, the cost that they let expect of each order, and what orders cost on new hours.

treelab.kind("asymmetry", ({ fixed }) => {
function build(stage, data) {
	const { ratios, hours } = data;
	stage.ask(data.question, data.answers);
	stage.picture([130, 96], null, 0.5);
	stage.picture([132, 120], null, 0);
	stage.picture([218, 216], ["k"], 0.5);
	stage.choose("k", { label: data.ratio, options: ratios, open: data.open + 1, parent: stage.below() });
	stage.choose("hour", { label: data.pick, options: hours.map((h) => h.name) });
	stage.views(["one hour", "all hours"]);
	stage.values(data.values);
}

// The share of such hours for which so many are enough, by the forecast; all marks are told apart by their form.
function drawForecast(picture, { levels, titles, bikes }, { quantiles, mean, rented }, k) {
	const axes = picture.plane({
		x: bikes, y: [0, 100], yticks: [0, 25, 50, 75], bottom: picture.height - 24, ylabel: titles[0],
	});
	const at = levels[k], steps = quantiles.map((q, i) => [q, (100 * (i + 1)) / (quantiles.length + 1)]);
	axes.line(steps, "curve tl-curve-0");
	axes.line([[bikes[0], steps[at][1]], steps[at]], "cut");
	steps.forEach(([q, share], i) => axes.mark(0, q, share, 3));
	axes.mark(3, ...steps[at], 7, "tl-here");
	axes.mark(1, mean, 3);
	axes.mark(2, rented, 3);
	return steps[at];
}

function draw(stage, { k, hour, guess, told }, data) {
	const { titles, names, means, left, ratios, hours } = data, [forecast, costs, held] = stage.pictures;
	const here = hours[hour], [order, share] = drawForecast(forecast, data, here, k);
	names.slice(0, 2).forEach((name, i) => forecast.legend(i + 1, forecast.width - [170, 90][i], 12, name));
	costs.curves({
		x: data.bikes, y: [0, data.highest[k]], at: order, ylabel: titles[1], xlabel: titles[3],
		lines: { [titles[2]]: here.quantiles.map((q, i) => [q, here.costs[k][i]]) },
	});
	const seen = (ys) => ys.slice(0, told ? ys.length : data.open + 1).map((y, i) => [i, y]);
	const axes = held.curves({
		x: [-0.2, ratios.length - 0.8], y: data.tall, at: k, ylabel: titles[4], xlabel: data.label,
		lines: Object.fromEntries(Object.entries(means).map(([name, ys]) => [name, seen(ys)])),
		xticks: Object.keys(ratios), xname: (i) => ratios[i],
	});
	axes.handle(k, data.tall[1]);
	if (!told) axes.wait(data.open);
	const own = data.guesses[guess];
	if (own) axes.line([[0, own], [ratios.length - 1, own]], "guess");
	const gap = here.rented - order;
	const [mean, median, right] = Object.values(means).map((ys) => fixed(ys[k], 1));
	stage.show({ mean, median, right, left: `${fixed(left[k], 1)}%` });
	return {
		ratio: ratios[k], name: here.name, order, share: fixed(share, 0), rented: here.rented,
		gap: `${Math.abs(gap)} ${gap > 0 ? "missing" : "left over"}`, paid: here.paid[k], right, left: fixed(left[k], 0),
	};
}

return { build, draw };
});
