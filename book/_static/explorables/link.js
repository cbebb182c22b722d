// The state of a figure in the address: page.html?x=4.9&guess=1#explorable-name. The figure that the address
// names begins in it, or says what it cannot use; its link leads to its own.

(() => {
const { add, kind } = treelab, text = JSON.stringify;
const sign = (v) => v === 1 || v === -1, within = (v, [low, high]) => v >= low && v <= high;
// Without sliders.
const limits = {
	bootstrap: ({ n }, d) => within(n, [1, d.draws.length / 10]),
	cut: ({ own, guess }, { x }) => [own, guess].every((v) => v === null || v === -1 || within(v, [x[0], x.at(-1)])),
	grow: ({ cuts }, { ranges }) => cuts.every(({ at, j }) => ranges[j] && ranges.every((r, k) => within(at[k], r))),
	stump: ({ flip, stumps, own }, { cuts: c }) => sign(flip) && [...stumps, own ?? [c[0], 1]].every(
		([cut, f]) => sign(f) && within(cut, [c[0], c.at(-1)])),
	places: ({ shuffled }) => shuffled === 0 || shuffled === 1,
};

// Whether `value` may stand under `name` in a state with this guess.
function fits({ rest, ranges, answers }, name, value, guess) {
	const { input, max, before } = ranges[name] ?? {}, usual = rest[name];
	if (input) {
		const steps = (value - input.min) / input.step;
		return typeof value === "number" && within(value, [input.min, guess === null ? before : max]) &&
			Math.abs(steps - Math.round(steps)) < 1e-6;
	}
	if (name === "guess" && answers.length) return Number.isInteger(value) && within(value, [-1, answers.length - 2]);
	return usual === null || (value !== null && typeof value === typeof usual);
}

// Whether the state can be drawn, with all that belongs to it.
function draws(stage, state) {
	try {
		stage.state = state;
		stage.draw(true);
		return !/NaN|undefined|Infinity|>0\/0</.test(stage.box.outerHTML) &&
			(limits[stage.figure.dataset.kind]?.(state, stage.data) ?? true);
	} catch {
		return false;
	}
}

// Begin in the state of the address; the guess, which moves limits, comes first.
function begin(stage) {
	const asked = [...new URLSearchParams(location.search)].sort((a, b) => (b[0] === "guess") - (a[0] === "guess"));
	let state = stage.rest, refused = [];
	for (const pair of asked) {
		try {
			const [name, value] = [pair[0], JSON.parse(pair[1])];
			if (!Object.hasOwn(state, name) || !fits(stage, name, value, state.guess)) throw pair;
			state = { ...state, [name]: value };
		} catch {
			refused.push(pair);
		}
	}
	if (!draws(stage, state)) [stage.state, refused] = [stage.rest, asked];
	const list = refused.map((pair) => pair.join(" = ")).join(", ").slice(0, 300);
	if (list) stage.box.before(add(stage.figure, "p", { class: "tl-refused", role: "status" },
		`The address asks for ${list}. This figure has no such state, and shows its own instead.`));
}

// The link to what is drawn names what is not at rest.
function renew({ figure, rest, address }, state) {
	if (!address) return;
	const url = new URL(location), changed = Object.keys(rest).filter((name) => text(state[name]) !== text(rest[name]));
	url.search = new URLSearchParams(changed.map((name) => [name, text(state[name])]));
	url.hash = figure.id;
	address.href = url;
}

function share(stage) {
	const { figure } = stage;
	if (!figure.closest(".bd-article")) return; // a notebook has no address
	const link = stage.address = add(stage.tools, "a", { class: "tl-button tl-share" }, "Copy link");
	link.addEventListener("click", async (event) => {
		event.preventDefault();
		try {
			await navigator.clipboard.writeText(link.href);
			stage.live.textContent = link.textContent = "Link copied";
			setTimeout(() => (link.textContent = "Copy link"), 2000);
		} catch {
			location = link.href; // the browser's own bar has it
		}
	});
	if (location.hash !== `#${figure.id}`) return;
	addEventListener("load", () => figure.scrollIntoView()); // all above has its height now
	if (location.search) begin(stage);
}

treelab.kind = (name, make) => kind(name, (shared) => {
	const { build, draw, ...more } = make(shared);
	return {
		...more,
		build: (stage, data) => (build(stage, data), share(stage)),
		draw: (stage, state, data) => (renew(stage, state), draw(stage, state, data)),
	};
});
})();
