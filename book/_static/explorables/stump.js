// AdaBoost by hand: the reader adds stumps, and the weights of the rows follow.
// A stump is [cut, flip]: it says `flip` (1 or -1) above its cut.

treelab.kind("stump", ({ fixed }) => {
const own = null;
const said = ([cut, flip], x) => (x > cut ? flip : -flip);
const alphaOf = (e) => Math.log((1 - e || 1e-10) / (e || 1e-10)) / 2;

// Weights and vote of the `stumps` that have joined, the best stump on them, the error of any.
function boost({ x, y, cuts }, stumps) {
	let w = x.map(() => 1 / x.length);
	const wrong = (stump) => x.map((v, i) => said(stump, v) !== y[i]);
	const lost = (stump) => wrong(stump).reduce((sum, off, i) => sum + off * w[i], 0);
	const errorOf = (stump) => Number(lost(stump).toFixed(9)); // so that a half is a half
	const alphas = stumps.map((stump) => {
		const off = wrong(stump), e = lost(stump);
		w = w.map((v, i) => v / (2 * (off[i] ? e : 1 - e)));
		return alphaOf(e);
	});
	const vote = (v) => stumps.reduce((sum, stump, m) => sum + alphas[m] * said(stump, v), 0);
	const all = cuts.flatMap((cut) => [[cut, 1], [cut, -1]]);
	const best = all.reduce((a, b) => (errorOf(b) < errorOf(a) - 1e-9 ? b : a));
	return { w, vote, best, wrong, errorOf };
}

function build(stage, data) {
	stage.ask(data.question, data.answers);
	stage.picture([200, 150], ["cut"], 0.5);
	stage.range("cut", {
		label: "Cut at", min: data.cuts[0], max: data.cuts.at(-1), step: 0.5, axis: [data.cuts[0], data.cuts.at(-1)],
		text: (cut) => `${cut} °C`, change: (cut) => ({ cut, own }),
	});
	stage.picture([200, 130], null, 0.5);
	const hands = stage.below();
	stage.button("Flip", ({ flip }) => ({ flip: -flip, own }), hands);
	stage.button("Let it join", ({ cut, flip, stumps, guess }) => {
		const e = boost(data, stumps).errorOf([cut, flip]);
		return e && e < 0.5 && guess !== null && { stumps: [...stumps, [cut, flip]], own };
	}, hands);
	stage.button("Show the best", (state) => {
		const [cut, flip] = boost(data, state.stumps).best;
		return { cut, flip, own: state.own ?? [state.cut, state.flip] };
	}, hands);
	stage.play((state, k) => {
		const { cut, flip, stumps, guess } = state, { best, errorOf } = boost(data, stumps), e = errorOf(best);
		if (k % 2) return guess !== null && e && e < 0.5 && stumps.length < 6 && { stumps: [...stumps, [cut, flip]], own };
		return { cut: best[0], flip: best[1], own };
	}, 1200);
	stage.values(data.labels);
}

// Days, as large as they weigh; predictions are shaded.
function drawDays(picture, { cut, flip, own }, { x, y, ylabels }, frame, w) {
	const axes = picture.plane({ ...frame, y: [-1, 1], yticks: [], ylabel: ylabels[0] });
	for (const [from, to] of [[0, cut], [cut, 40]]) {
		const says = said([cut, flip], to);
		axes.area([[from, to], [0, says]], (says + 1) / 2);
	}
	["low", "high"].forEach((word, k) => picture.text(48, axes.py(k - 0.5) + 4, word, "end"));
	x.forEach((v, i) => axes.mark((y[i] + 1) / 2, v, y[i] / 2, 22 * Math.sqrt(w[i])));
	if (own) axes.upright(own[0], "guess");
	axes.upright(cut, "cut");
	axes.handle(cut, 1);
}

// The vote so far, as stairs.
function drawVote(picture, { x, y, cuts, ylabels }, frame, vote) {
	const top = 1.25 * Math.max(1, ...x.map((v) => Math.abs(vote(v))));
	const axes = picture.plane({ ...frame, y: [-top, top], yticks: [-1, 0, 1], ylabel: ylabels[1] });
	const ends = [0, ...cuts, 40]; // all of them, so that the stairs move
	axes.line([[0, 0], [40, 0]], "residual");
	axes.line(ends.slice(1).flatMap((to, k) => [[ends[k], vote(to)], [to, vote(to)]]), "curve");
	x.forEach((v, i) => axes.mark((y[i] + 1) / 2, v, vote(v)));
}

function draw(stage, state, data) {
	const { cut, flip, stumps, own, told } = state, { x, y, xlabel } = data, frame = { x: [0, 40], left: 56, xlabel };
	const { w, vote, wrong, errorOf } = boost(data, stumps), e = errorOf([cut, flip]);
	drawDays(stage.pictures[0], state, data, frame, w);
	drawVote(stage.pictures[1], data, frame, vote);
	const off = wrong([cut, flip]).filter(Boolean).length, heavy = w.indexOf(Math.max(...w));
	const lost = x.filter((v, i) => vote(v) * y[i] < 1e-9).length;
	const judged = e === 0 ? "none" : e > 0.5 ? "worse" : e === 0.5 ? (stumps[0] ? "again" : "coin") : told ? "joins" : "ask";
	const times = (part) => (part ? `× ${fixed(0.5 / part, 3)}` : "none");
	stage.show({
		error: fixed(e, 4), alpha: fixed(alphaOf(e), 4), heavy: `${x[heavy]} °C: ${fixed(w[heavy], 4)}`,
		wrong: times(e), right: times(1 - e),
	});
	return {
		off, lost, n: stumps.length, weight: fixed(e, 3), judged: data.judged[judged], own: own && fixed(errorOf(own), 3),
		says: (own ? 1 : 0) + (stumps[0] ? 2 : 0), verdict: stumps[0] ? state.guess : -1,
	};
}

return { build, draw, undo: true };
});
