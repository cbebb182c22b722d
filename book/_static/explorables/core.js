// What all explorables share: figures that a reader moves, drawn from the JSON beside them. Of a kind,
// `build(stage, data)` makes pictures, sliders, buttons and values, once; `draw(stage, state, data)` fills
// them and returns the values for {name} in `data.says`, the sentence before a guess and after, and in
// `data.verdicts` on each guess.

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

// A picture, drawn anew for each state; its heights, and its `shares` of the width, at a desk and on a phone.
// What is drawn has a key, by which it is known in the next drawing: its kind and number, a text's words.
class Picture {
	constructor(parent, label, heights, shares) {
		this.svg = add(parent, "svg", { role: "img", class: "tl-picture" });
		Object.assign(this, { label, heights, shares, drawn: new Map() });
	}

	clear(width, wide) {
		const at = ([desk, phone = desk]) => (wide ? desk : phone);
		this.wide = wide;
		this.width = at(this.shares) * (width + 16) - 16; // the gap between two of them
		this.height = at(this.heights);
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
		return this.add("text", { x, y, "text-anchor": anchor, class: words === "?" ? "tl-unknown" : "" }, words, more);
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
		xlabel, ylabel, x: [x0, x1], y: [y0, y1], left = 44, top = 26, right = this.width - 12,
		bottom = this.height - (xlabel === "" ? 24 : 42), xticks, yticks, xname = (t) => round(t, 6),
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
			// What waits for a guess, from x on.
			wait: (from, words = "") => {
				line([[from, y0], [x1, y0], [x1, y1], [from, y1], [from, y0]], "wait");
				if (words) this.text((px(from) + right) / 2, (top + bottom) / 2 + 4, words, "middle");
			},
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
			return start - 32;
		}, this.width - 12);
		return axes;
	}
}

// One figure.
class Stage {
	past = [];
	ranges = {};
	pictures = [];
	cells = [];
	buttons = [];
	answers = [];
	outputs = {};
	frame = null; // of a process that is played
	held = NaN; // how often a hand that is held has moved the figure

	constructor(figure) {
		this.figure = figure;
		this.data = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
		this.kind = kinds[figure.dataset.kind];
		this.rest = { guess: null, ...this.data.rest };
		this.state = this.rest;
		figure.ariaLabel = figure.querySelector(".tl-title").textContent;
		this.box = add(figure, "div", { class: "tl-stage", "data-lm-suppress-shortcuts": "true" });
		this.question = add(this.box, "div", { class: "tl-question" });
		this.reply = add(this.question, "div", { class: "tl-reply", tabindex: -1 });
		this.own = add(this.reply, "span", { class: "tl-own" });
		this.verdict = add(this.reply, "p", { class: "tl-told" });
		this.drawings = add(this.box, "div", { class: "tl-drawings" });
		this.controls = add(this.box, "div", { class: "tl-hands" });
		this.sentence = add(this.box, "p", { class: "tl-sentence" });
		this.tools = add(this.controls, "div", { class: "tl-tools" });
		this.list = add(this.box, "dl", { class: "tl-values" });
		this.live = add(this.box, "p", { class: "tl-spoken", role: "status" });
		this.kind.build(this, this.data);
		if (this.kind.undo) this.button("Undo", () => this.past.at(-1), this.tools, true);
		this.button("Reset", () => this.rest, this.tools);
		const all = add(this.tools, "button", { type: "button", class: "tl-button tl-all", "aria-expanded": "false" }, "More");
		all.addEventListener("click", () => all.setAttribute("aria-expanded", this.list.classList.toggle("tl-open")));
		this.controls.append(this.tools);
		figure.classList.add("tl-on");
		figure.addEventListener("pointerdown", () => (this.held = 0), true);
		for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (this.held = NaN));
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

	// Moves the pictures from what was drawn before, little where a hand that is held moves them on.
	move(still) {
		const quick = this.held++ > 0, turn = (this.turn = {}), { pictures, figure } = this;
		const rest = () => turn === this.turn && delete figure.dataset.moving;
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

	// Plays a slider from its start to as far as it goes, in single steps at first.
	sweep(name) {
		const { min, most } = this.ranges[name], next = (v) => (v < 10 ? v + 1 : Math.ceil(1.3 * v));
		this.play(({ [name]: v }, k) => (k ? v < most() && { [name]: Math.min(next(v), most()) } : { [name]: min }), 700);
	}

	draw(still = false) {
		const { state, data } = this, told = state.guess !== null, silent = still || this.frame !== null || this.isSilent;
		this.width = this.box.clientWidth || 320;
		const wide = this.width > 560, isAnswering = this.answers.includes(document.activeElement);
		this.figure.classList.toggle("tl-narrow", !wide);
		this.question.classList.toggle("tl-told-now", told);
		this.pictures.forEach((picture) => picture.clear(this.width, wide));
		for (const name in this.ranges) this.ranges[name].show(state[name], told);
		this.own.textContent = told && this.answers.at(state.guess)?.textContent || "";
		for (const [button, press] of this.buttons) button.setAttribute("aria-disabled", this.same(press(state)));
		const values = this.kind.draw(this, { ...state, told }, data);
		const fill = (words = "") => words.replace(/{(\w+)}/g, (_, name) => values[name]);
		this.sentence.textContent = fill(data.says[values.says ?? Number(told)]);
		this.verdict.textContent = told ? fill(data.verdicts?.[values.verdict ?? state.guess]) : "";
		for (const { input, axis, picture } of Object.values(this.ranges)) {
			const [left, right] = axis?.map(picture.axes.px) ?? [];
			if (axis) Object.assign(input.style, { marginLeft: `${left - 10}px`, width: `${right - left + 20}px` });
		}
		this.pictures.forEach(({ svg, label }, k) =>
			(svg.ariaLabel = k ? label : `${label} ${this.sentence.textContent}`)); // once
		this.figure.dataset.state = JSON.stringify(state);
		this.move(still || treelab.calm());
		if (told && isAnswering) { // the answers are gone
			this.reply.focus({ preventScroll: true });
			this.heard = this.verdict.textContent;
		}
		clearTimeout(this.speaking); // the words are spoken once, after the movement
		if (!silent) this.speaking = setTimeout(() => {
			const told = this.verdict.textContent;
			this.live.textContent = `${told === this.heard ? "" : told} ${this.sentence.textContent}`;
			this.heard = told;
		}, 500);
	}

	// A slider, under the last picture; `before` is how far it goes until there is a guess, `from` its value
	// for a place in a picture, `axis` the part of the picture's axis under which it lies.
	range(name, { label, min = 0, max, before = max, step = 1, text = String, from = Number, change, axis, parent }) {
		const row = add(parent ?? this.cells.at(-1) ?? this.controls, "label", { class: `tl-range${axis ? " tl-axis" : ""}` });
		add(row, "span", {}, label);
		const input = add(row, "input", { type: "range", min, max, step, "data-name": name, autocomplete: "off" });
		const output = add(row, "output", { "aria-hidden": "true" });
		const most = () => (this.state.guess === null ? before : max);
		const part = (value) => (value - min) / (max - min);
		const put = (to) => {
			input.value = Math.min(to, most()); // kept to its steps
			const value = Number(input.value);
			this.set(change ? change(value) : { [name]: value });
		};
		const show = (value, told) => {
			input.value = value;
			output.textContent = text(value);
			input.setAttribute("aria-valuetext", text(value));
			input.style.setProperty("--at", part(value));
			input.style.setProperty("--open", told || before === max ? 2 : part(before));
		};
		input.addEventListener("input", () => put(Number(input.value)));
		this.ranges[name] = { input, put, show, from, axis, min, max, before, most, picture: this.pictures.at(-1) };
	}

	// Names, of which one is chosen; `open` are there before a guess.
	choose(name, { label, options, open = options.length, from = Number, parent = this.controls }) {
		const group = add(parent, "div", { class: "tl-choice", role: "group", "aria-label": label, "data-choice": name });
		add(group, "span", { "aria-hidden": "true" }, label);
		const row = add(group, "div"), may = (k) => k < (this.state.guess === null ? open : options.length);
		const buttons = options.map((words, k) => this.button(words, () => may(k) && { [name]: k }, row));
		const put = (to) => {
			const k = Math.min(Math.max(Math.round(to), 0), options.length - 1);
			this.set(may(k) ? { [name]: k } : { [name]: open - 1 });
		};
		const show = (value) => buttons.forEach((button, k) => button.setAttribute("aria-pressed", k === value));
		this.ranges[name] = { input: { min: 0, step: 1 }, max: options.length - 1, before: open - 1, put, show, from };
	}

	// On a phone one cell of pictures at a time, or the last ones, under these names.
	views(names) {
		const group = add(this.box, "div", { class: "tl-choice tl-views", role: "group", "aria-label": "picture" });
		const row = add(group, "div");
		this.drawings.before(group);
		const show = (at) => {
			buttons.forEach((button, k) => button.setAttribute("aria-pressed", k === at));
			this.cells.forEach((cell, k) => cell.classList.toggle("tl-behind", Math.min(k, names.length - 1) !== at));
		};
		const buttons = names.map((words) => add(row, "button", { type: "button", class: "tl-button" }, words));
		buttons.forEach((button, k) => button.addEventListener("click", () => show(k)));
		show(0);
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
		const box = add(this.question, "fieldset", { class: "tl-ask" });
		this.reply.before(box);
		add(box, "legend", {}, question);
		this.answers = [...answers, "Skip"].map((words, k) =>
			this.button(words, ({ guess }) => ({ guess: guess ?? (k < answers.length ? k : -1) }), box));
	}

	// A place for hands below the last picture.
	below() {
		return add(this.cells.at(-1), "div", { class: "tl-hands" });
	}

	// A picture in a cell of its own, or in the last one if it has no share of the width; a pointer moves
	// the sliders in `press`, a finger the handle.
	picture(heights, press, share = 1) {
		const label = [this.data.alt].flat()[this.pictures.length];
		if (share) {
			this.shares = [share, 1].flat().slice(0, 2);
			const style = this.shares.map((part, k) => `--${["desk", "phone"][k]}: ${part}`).join(";");
			this.cells.push(add(this.drawings, "div", { class: "tl-cell", style }));
		}
		const picture = new Picture(this.cells.at(-1), label, [heights].flat(), this.shares);
		const { svg } = picture;
		this.pictures.push(picture);
		if (!press) return;
		const tell = (event) => {
			const { left, top } = svg.getBoundingClientRect(), { axes } = picture;
			const at = [axes.x(event.clientX - left), axes.y(event.clientY - top)];
			press.forEach((name, k) => {
				const { from, put } = this.ranges[name];
				put(from(at[k]));
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
		for (const name in texts) {
			const waits = texts[name] === "?", pair = this.outputs[name].parentElement;
			this.outputs[name].textContent = texts[name];
			pair.classList.toggle("tl-waits", waits);
			pair.ariaHidden = waits; // no name without a number
		}
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
