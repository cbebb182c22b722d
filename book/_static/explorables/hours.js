// What a tree predicts for each hour of a day, by its depth, and the questions on the path of one hour.
// `predicted[depth - 1][day][hour]`, `means[day][hour]`; `paths[day][hour]` has [rule, rows, mean] from the root down.

treelab.kind("hours", ({ fixed }) => {
const whole = (v) => fixed(v, 0);

function build(stage, { question, answers, days, labels, open, deepest, values, names }) {
	stage.ask(question, answers);
	stage.picture([214, 178], ["hour"], [0.56, 1]);
	stage.range("hour", { label: labels[1], max: 23, axis: [0, 23], from: Math.round });
	stage.picture([214, 178], null, [0.44, 1]);
	stage.range("depth", { label: labels[0], min: 1, max: deepest, before: open });
	stage.views(names);
	stage.choose("day", { label: labels[2], options: days });
	stage.sweep("depth");
	stage.values(values);
}

// The nodes from the root down, each with its rule, its rows and its mean; the first `depth` splits are asked.
function drawPath(picture, path, mean, { top, deepest, axes: [, , rows, head] }) {
	const { width, height } = picture, left = 170, right = width - 46, down = (height - 36) / deepest;
	const px = (v) => left + (v / top) * (right - left), py = (k) => 30 + k * down, last = path.length - 1;
	picture.text(left - 12, 14, rows, "end");
	picture.text(width - 2, 14, head, "end");
	const line = (d, name) => picture.add("path", { d, fill: "none", class: `tl-${name}` });
	line(`M${px(mean)} 20V${height - 2}`, "curve tl-curve-1");
	line("M" + path.map(([, , v], k) => `${px(v)} ${py(k)}`).join("L"), "curve tl-curve-0");
	path.forEach(([rule, n, value], k) => {
		picture.text(2, py(k) + 4, rule);
		picture.text(left - 12, py(k) + 4, n, "end");
		picture.text(width - 2, py(k) + 4, whole(value), "end");
		picture.mark(k === last ? 3 : 0, px(value), py(k), k === last ? 6 : 4, k === last ? "tl-here" : "");
	});
}

function draw(stage, { depth, hour, day }, data) {
	const { predicted, means, paths, top, days, axes: [xlabel, ylabel] } = data, [plane, chain] = stage.pictures;
	const path = paths[day][hour].slice(0, depth + 1), mean = means[day][hour], [, n, value] = path.at(-1);
	const axes = plane.plane({ x: [-0.5, 23.5], y: [0, top], xlabel, ylabel, xticks: [0, 6, 12, 18, 23] });
	axes.line(means[day].map((v, h) => [h, v]), "curve tl-curve-1");
	means[day].forEach((v, h) => axes.mark(1, h, v, 3));
	axes.line(predicted[depth - 1][day].flatMap((v, h) => [[h - 0.5, v], [h + 0.5, v]]), "curve tl-curve-0");
	axes.upright(hour, "cut");
	axes.mark(3, hour, value, 6, "tl-here");
	axes.handle(hour, top);
	drawPath(chain, path, mean, data);
	stage.show({ predicted: fixed(value, 1), rows: n, mean: fixed(mean, 1), off: fixed(Math.abs(value - mean), 1) });
	return { depth, hour, n, day: days[day], predicted: whole(value), likely: whole(mean) };
}

return { build, draw };
});
