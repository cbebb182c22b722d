// A column and its twin: what four measures make of them, the more they are alike.
// All lists are over the correlations 0, 0.1 to 1.

treelab.kind("importance", ({ fixed }) => {
const NAMES = ["a", "twin", "b"];

function build(stage, data) {
	stage.ask(data.question, data.answers);
	stage.picture([190, 276]);
	stage.range("at", { label: "Correlation", max: 10, before: 5, text: (k) => fixed(k / 10, 1) });
	for (const { name } of data.measures) stage.values({ [`${name}a`]: `${name}, a`, [`${name}twin`]: `${name}, twin` });
}

// One measure as far as the reader may go.
function drawMeasure(stage, { at, guess, told }, data, i) {
	const { name, y, columns } = data.measures[i], [picture] = stage.pictures, { wide, height } = picture;
	const part = picture.width / (wide ? 4 : 2), row = wide ? 0 : i >> 1, tall = (height - 24) / (wide ? 1 : 2);
	const left = part * (wide ? i : i % 2) + 30, top = 46 + row * tall;
	const axes = picture.plane({
		x: [0, 10], y, left, top, right: left + part - 42, bottom: top + tall - 46, xticks: [0, 5, 10], xname: (k) => k / 10,
	});
	picture.text(left - 26, top - 8, name);
	axes.upright(at, "cut");
	if (!told) axes.wait(5);
	if (told && guess >= 0) axes.mark(1, 10, data.shares[guess] * columns[0].mean[0], 6, "tl-empty");
	columns.forEach(({ mean, sd }, k) => {
		const line = (sign) => mean.slice(0, told ? 11 : 6).map((m, j) => [j, m + sign * sd[j]]);
		axes.line([...line(1), ...line(-1).reverse()], `band tl-class-${k}`);
		axes.line(line(0), `curve tl-curve-${k}`);
		axes.mark(k, at, mean[at]);
		if (k < 2) stage.show({ [name + NAMES[k]]: `${fixed(mean[at], 2)} ± ${fixed(sd[at], 2)}` });
	});
}

function draw(stage, state, data) {
	const { at, guess, told } = state, [picture] = stage.pictures;
	NAMES.forEach((name, k) => picture.legend(k, 10 + 70 * k, 14, name));
	if (guess >= 0 && told) picture.text(186, 18, data.guessed);
	data.measures.forEach((_, i) => drawMeasure(stage, state, data, i));
	const errors = data.errors.map(([words, values]) => `${fixed(values[at], 2)} ${words}`);
	return { r: fixed(at / 10, 1), errors: errors.join(", ") };
}

return { build, draw };
});
