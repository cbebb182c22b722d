// What all explorables share: figures that a reader moves, drawn from the JSON beside them. Of a kind,
// `build(stage, data)` makes pictures, sliders, buttons and values, once; `draw(stage, state, data)` fills
// them and returns the values for {name} in `data.says`, the sentence before a guess and after, and in
// `data.verdicts` on each guess. The file is one function; its body is not indented.

"use strict";
window.treelab = (() => {
const kinds = {};
// Numbers as the page writes them: to so many digits, or with so many decimals.
const round = (x, digits = 3) => String(Number(x.toPrecision(digits))).replace("-", "−");
const fixed = (x, decimals) => x.toFixed(decimals).replace(/^-(?=[0.]*$)/, "").replace("-", "−");

// A new element in `parent`, of SVG where it is.
function add(parent, tag, attributes = {}, text) {
	const space = tag === "svg" ? "http://www.w3.org/2000/svg" : parent.namespaceURI;
	const made = document.createElementNS(space, tag);
	for (const name in attributes) made.setAttribute(name, attributes[name]);
	if (text !== undefined) made.textContent = text;
	return parent.appendChild(made);
}

// About `n` round numbers.
function ticks(low, high, n) {
	const raw = (high - low) / n, unit = 10 ** Math.floor(Math.log10(raw));
	const step = [1, 2, 5, 10].map((m) => m * unit).find((s) => s >= raw);
	const found = [];
	for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; k++) found.push(k * step);
	return found;
}

// A picture, drawn anew for each state; `heights` at a desk and on a phone, at a desk in its `share`.
// What is drawn has a key, by which it is known in the next drawing: its kind and number, a text's words.
class Picture {
	constructor(parent, label, heights, share) {
		this.svg = add(parent, "svg", { role: "img", "aria-label": label, class: "tl-picture" });
		Object.assign(this, { heights, share, drawn: new Map() });
	}

	clear(width) {
		const [desk, phone = desk] = this.heights;
		this.wide = width > 560;
		this.width = this.wide ? this.share * width : width;
		this.height = this.wide ? desk : phone;
		this.past?.remove();
		Object.assign(this, { past: this.ink, was: this.drawn, drawn: new Map(), counts: {} });
		this.ink = add(this.svg, "g", { "aria-hidden": "true" });
		for (const side of ["width", "height"]) this.svg.setAttribute(side, this[side]);
	}

	// Draws in the picture or a group; `key` instead of its kind and number, and the `home` that it comes from.
	add(tag, attributes, words, { key, home, parent = this.ink } = {}) {
		const made = add(parent, tag, attributes, words), kind = words ?? `${tag} ${attributes.class?.split(" ")[0]}`;
		this.counts[kind] = (this.counts[kind] ?? 0) + 1;
		this.drawn.set(key ?? `${kind} ${this.counts[kind]}`, made);
		made.home = home;
		return made;
	}

	text(x, y, words, anchor = "start", more) {
		return this.add("text", { x, y, "text-anchor": anchor }, words, more);
	}

	// The sign of class k: circle, square, triangle, diamond; `r` is half its width.
	mark(k, x, y, r = 5, more = "", known) {
		const d = [
			`M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
			`M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
			`M${x} ${y - 1.2 * r}L${x + 1.2 * r} ${y + r}H${x - 1.2 * r}z`,
			`M${x} ${y - 1.3 * r}L${x + 1.3 * r} ${y}L${x} ${y + 1.3 * r}L${x - 1.3 * r} ${y}z`,
		][k % 4];
		this.add("path", { d, class: `tl-mark tl-class-${k} ${more}` }, undefined, known);
	}

	legend(k, x, y, name) {
		this.mark(k, x, y);
		this.text(x + 9, y + 4, name);
	}

	// Axes; the result draws in their numbers, and leads back from pixels.
	plane({
		x: [x0, x1], y: [y0, y1], left = 44, top = 26, right = this.width - 12, bottom = this.height - 42,
		xlabel, ylabel, xticks, yticks, xname = (t) => round(t, 6),
	}) {
		const px = (x) => left + ((x - x0) / (x1 - x0)) * (right - left);
		const py = (y) => bottom - ((y - y0) / (y1 - y0)) * (bottom - top);
		let d = `M${left} ${top}V${bottom}H${right}`;
		for (const t of xticks ?? ticks(x0, x1, (right - left) / 70)) {
			d += `M${px(t)} ${bottom}v5`;
			this.text(px(t), bottom + 18, xname(t), "middle");
		}
		for (const t of yticks ?? ticks(y0, y1, (bottom - top) / 45)) {
			d += `M${left} ${py(t)}h-5`;
			this.text(left - 8, py(t) + 4, round(t, 6), "end");
		}
		this.add("path", { d, class: "tl-axes" });
		if (xlabel) this.text((left + right) / 2, bottom + 36, xlabel, "middle");
		if (ylabel) this.text(2, top - 8, ylabel);
		const line = (points, name, known) => this.add("path", {
			fill: "none", d: "M" + points.map(([x, y]) => `${px(x)} ${py(y)}`).join("L"), class: `tl-${name}`,
		}, undefined, known);
		this.axes = {
			px, py, line,
			x: (p) => x0 + ((p - left) / (right - left)) * (x1 - x0),
			y: (p) => y0 + ((bottom - p) / (bottom - top)) * (y1 - y0),
			upright: (x, name) => line([[x, y0], [x, y1]], name),
			mark: (k, x, y, r, more) => this.mark(k, px(x), py(y), r, more),
			handle: (x, y) => this.add("circle", { cx: px(x), cy: py(y), r: 8, class: "tl-handle" }),
			area: ([[a, b], [c, d]], k, known) =>
				line([[a, c], [b, c], [b, d], [a, d], [a, c]], `area tl-class-${k}`, known),
		};
		return this.axes;
	}

	// Curves under one cursor: `lines` has the points of each by name; the rest is as in `plane`.
	curves({ lines, at, ...rest }) {
		const axes = this.plane(rest), named = Object.entries(lines);
		named.forEach(([, points], k) => axes.line(points, `curve tl-curve-${k}`));
		axes.upright(at, "cut");
		named.reduceRight((right, [name, points], k) => {
			const here = points.findLast(([x]) => x <= at), start = right - 6.8 * name.length;
			if (here) axes.mark(3, at, here[1], 5, "tl-here");
			this.add("path", { d: `M${start - 18} 10h14`, class: `tl-curve tl-curve-${k}` });
			this.text(start, 14, name);
			return start - 34;
		}, this.width - 12);
		return axes;
	}
}

// One figure: its state, controls, pictures and words.
class Stage {
	past = [];
	ranges = {};
	pictures = [];
	buttons = [];
	answers = [];
	outputs = {};
	frame = null; // of a process that is played

	constructor(figure) {
		this.figure = figure;
		this.data = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
		this.kind = kinds[figure.dataset.kind];
		this.rest = { guess: null, ...this.data.rest };
		this.state = this.rest;
		this.box = add(figure, "div", { class: "tl-stage" });
		this.tools = add(this.box, "div", { class: "tl-tools" });
		this.verdict = add(this.box, "p", { class: "tl-told" });
		this.drawings = add(this.box, "div", { class: "tl-drawings" });
		this.controls = add(this.box, "div", { class: "tl-hands", "data-lm-suppress-shortcuts": "true" });
		this.sentence = add(this.controls, "p", { class: "tl-sentence" });
		this.list = add(this.box, "dl", { class: "tl-values" });
		this.live = add(this.box, "p", { class: "tl-spoken", role: "status" });
		this.kind.build(this, this.data);
		if (this.kind.undo) this.button("Undo", () => this.past.at(-1), this.tools, true);
		this.button("Reset", () => this.rest, this.tools);
		figure.classList.add("tl-on");
		this.draw(true);
		if (this.kind.auto) this.open();
		new ResizeObserver(() => {
			if (this.width !== this.box.clientWidth) this.draw(true);
		}).observe(this.box);
	}

	// Plays by itself, once, when it is in view, where motion is wanted.
	open() {
		const seen = new IntersectionObserver(([{ isIntersecting }]) => {
			if (!isIntersecting) return;
			seen.disconnect();
			if (treelab.calm() || this.state !== this.rest) return;
			this.isSilent = true;
			this.start();
		}, { threshold: 0.6 });
		seen.observe(this.drawings);
	}

	same(changes) {
		return JSON.stringify({ ...this.state, ...changes }) === JSON.stringify(this.state);
	}

	// Go to the state with these changes, or `back` to one that was.
	set(changes, back) {
		if (this.same(changes)) return;
		if (back) this.past.pop();
		else this.past.push(this.state);
		this.state = { ...this.state, ...changes };
		this.draw();
	}

	// Moves the pictures from what was drawn before, little where changes follow each other as a hand moves.
	move(still) {
		const quick = performance.now() - this.drawnAt < 150, turn = (this.turn = {}), { pictures, figure } = this;
		const rest = () => turn === this.turn && delete figure.dataset.moving;
		this.drawnAt = performance.now();
		figure.dataset.moving = "";
		if (!still) return Promise.all(pictures.map((picture) => treelab.move(picture, quick))).then(rest);
		pictures.forEach(({ past }) => past?.remove());
		rest();
	}

	// A button that takes the steps of a process, until `step(state, k)` has no changes, or there is any input.
	play(step, wait = 900) {
		const button = add(this.tools, "button", { type: "button", class: "tl-button tl-play" }, "Play");
		const stop = () => {
			if (this.frame === null) return;
			clearInterval(this.playing);
			this.frame = null;
			delete this.figure.dataset.playing;
			button.textContent = "Play";
			this.draw();
			this.isSilent = false;
		};
		const next = () => {
			const changes = step(this.state, ++this.frame);
			if (!changes) return stop();
			if (!this.same(changes)) this.past.push(this.state);
			this.state = { ...this.state, ...changes };
			this.draw();
		};
		const start = () => {
			this.frame = -1;
			this.figure.dataset.playing = "";
			button.textContent = "Pause";
			this.playing = setInterval(next, wait);
			next();
		};
		button.addEventListener("click", () => (this.frame === null ? start() : stop()));
		for (const input of ["pointerdown", "keydown", "input", "click"])
			this.figure.addEventListener(input, ({ target }) => target !== button && stop(), true);
		this.start = start;
	}

	draw(still = false) {
		const { state, data } = this, told = state.guess !== null, silent = still || this.frame !== null || this.isSilent;
		this.width = this.box.clientWidth || 320;
		this.pictures.forEach((picture) => picture.clear(this.width));
		for (const [name, { input, text, max, before }] of Object.entries(this.ranges)) {
			input.max = told ? max : before;
			input.value = state[name];
			input.setAttribute("aria-valuetext", text(state[name]));
			input.nextElementSibling.textContent = text(state[name]);
		}
		for (const button of this.answers) {
			button.setAttribute("aria-pressed", told && this.answers.at(state.guess) === button);
			button.tabIndex = told ? -1 : 0;
		}
		for (const [button, press] of this.buttons) button.setAttribute("aria-disabled", this.same(press(state)));
		const values = this.kind.draw(this, { ...state, told }, data);
		const fill = (words = "") => words.replace(/{(\w+)}/g, (_, name) => values[name]);
		this.sentence.textContent = fill(data.says[values.says ?? Number(told)]);
		this.verdict.textContent = told ? fill(data.verdicts?.[values.verdict ?? state.guess]) : "";
		for (const { input, axis } of Object.values(this.ranges)) {
			const [left, right] = axis?.map(this.pictures.at(-1).axes.px) ?? [];
			if (axis) input.style.margin = `0 ${this.width - right - 8}px 0 ${left - 8}px`;
		}
		this.figure.dataset.state = JSON.stringify(state);
		this.move(still || treelab.calm());
		clearTimeout(this.speaking); // the words are spoken once, after the movement
		if (!silent) this.speaking = setTimeout(() => {
			this.live.textContent = `${this.verdict.textContent} ${this.sentence.textContent}`;
		}, 500);
	}

	// A slider; `before` is its maximum until there is a guess, `from` its value for a place in a picture,
	// `axis` the part of the last picture's axis under which it lies.
	range(name, { label, min = 0, max, before = max, step = 1, text = String, from = Number, change, axis }) {
		const row = add(this.controls, "label", { class: "tl-range" });
		add(row, "span", {}, label);
		const input = add(row, "input", { type: "range", min, max, step, "data-name": name, autocomplete: "off" });
		add(row, "output", { "aria-hidden": "true" });
		const set = (value) => this.set(change ? change(value) : { [name]: value });
		input.addEventListener("input", () => set(Number(input.value)));
		this.ranges[name] = { input, text, max, before, set, from, axis };
	}

	// A button whose `press(state)` returns what changes; it is disabled where that is nothing.
	button(label, press, parent = this.controls, back) {
		const button = add(parent, "button", { type: "button", class: "tl-button" }, label);
		button.addEventListener("click", () => this.set(press(this.state), back));
		this.buttons.push([button, press]);
		return button;
	}

	// A question to answer once: the state's `guess` is null, then the answer's number, -1 if skipped.
	ask(question, answers) {
		const box = add(this.box, "fieldset", { class: "tl-ask" });
		this.verdict.before(box);
		add(box, "legend", {}, question);
		this.answers = [...answers, "Skip"].map((words, k) =>
			this.button(words, ({ guess }) => ({ guess: guess ?? (k < answers.length ? k : -1) }), box));
	}

	// A picture; a pointer moves the sliders in `press`, a finger the handle.
	picture(heights, press, share = 1) {
		const label = [this.data.alt].flat()[this.pictures.length];
		const picture = new Picture(this.drawings, label, [heights].flat(), share);
		const { svg } = picture;
		this.pictures.push(picture);
		if (!press) return;
		const tell = (event) => {
			const { left, top } = svg.getBoundingClientRect(), { axes } = picture;
			const at = [axes.x(event.clientX - left), axes.y(event.clientY - top)];
			press.forEach((name, k) => {
				const { input, from, set } = this.ranges[name];
				input.value = from(at[k]); // kept to its steps
				set(Number(input.value));
			});
		};
		svg.classList.add("tl-press");
		svg.addEventListener("click", tell);
		const held = ({ target, pointerType }) => pointerType === "mouse" || target.matches(".tl-handle");
		svg.addEventListener("touchstart", (event) => held(event) && event.preventDefault());
		svg.addEventListener("pointerdown", (event) => {
			picture.held = held(event);
			svg.setPointerCapture(event.pointerId);
		});
		svg.addEventListener("pointermove", (event) =>
			picture.held && svg.hasPointerCapture(event.pointerId) && tell(event));
	}

	// Numbers in words, under these labels; `show` fills them.
	values(labels) {
		for (const name in labels) {
			const pair = add(this.list, "div");
			add(pair, "dt", {}, labels[name]);
			this.outputs[name] = add(pair, "dd", { "data-name": name });
		}
	}

	show(texts) {
		for (const name in texts) this.outputs[name].textContent = texts[name];
	}
}

// A figure with an error keeps its still pictures, and leaves the others alone.
function start(figure) {
	try {
		new Stage(figure);
	} catch {
		figure.querySelector(".tl-stage")?.remove();
		figure.classList.remove("tl-on");
	}
}

document.addEventListener("DOMContentLoaded", () => {
	document.querySelectorAll("figure.tl-explorable").forEach(start);
});

return { kind: (name, make) => { kinds[name] = make(window.treelab); }, add, round, fixed, start };
})();
