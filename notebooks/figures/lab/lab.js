// The book in JupyterLab: interactive figures move, captions stand under their figures, citations
// have authors and years, a drill leads to the exercise notebook, and a notebook that is not trusted
// shows its figures as pictures. Nothing of a notebook is changed, only what is on the screen.
// JupyterLab loads this file as it stands: it is an extension that needs no build.

"use strict";
(() => {
const here = document.currentScript.src;
const file = (name) => new URL(name + new URL(here).search, here).href;
let shared; // the modules that JupyterLab shares with its extensions

const loads = {};
const load = (name) => (loads[name] ??= new Promise((done, fail) => {
	const script = Object.assign(document.createElement("script"), { src: file(name), onload: done, onerror: fail });
	script.async = false; // in order
	document.head.append(script);
}));

function make(tag, name, ...content) {
	const made = document.createElement(tag);
	made.className = name;
	made.append(...content);
	return made;
}

// Interactive figures

async function start(figure) {
	if (figure.dataset.started) return;
	figure.dataset.started = "yes";
	await Promise.all(["core.js", "motion.js", "tree.js", "votes.js", `${figure.dataset.kind}.js`].map(load));
	window.treelab.start(figure);
}

// A picture that runs nothing, of an SVG or of the first frame of a figure in HTML.
function picture(data) {
	const joined = (text) => [text].flat().join("");
	const page = new DOMParser().parseFromString(joined(data["text/html"] ?? data["image/svg+xml"]), "text/html");
	const [drawn] = (page.querySelector(".tl-frame") ?? page).querySelectorAll("svg, img");
	if (!drawn) return null;
	const text = new XMLSerializer().serializeToString(drawn);
	const image = make("img", "tl-picture");
	image.src = drawn.src || `data:image/svg+xml,${encodeURIComponent(text)}`;
	image.alt = drawn.getAttribute("aria-label") ?? drawn.alt ?? "";
	return image;
}

const MOVES = "This figure moves in the built page, and here when its cell is run or the notebook is trusted.";

// What stands in for the figures of a cell that is not trusted, whose scripts and drawings are left out.
function stand(cell) {
	cell.outputArea.widgets.forEach((widget, k) => {
		const { data = {} } = cell.model.outputs.get(k)?.toJSON() ?? {};
		const moves = /^<figure class="tl-(explorable|stepper)"/.test([data["text/html"]].flat().join(""));
		if (widget.node.querySelector(".tl-stand") || !(moves || data["image/svg+xml"])) return;
		const drawn = picture(data);
		if (drawn) widget.node.classList.add("tl-stands");
		widget.node.append(make("div", "tl-stand", ...[drawn, moves && MOVES].filter(Boolean)));
	});
}

// Numbers: those of the book, where the chapter's comes first, as in the name of its file. A page under
// the hood goes on counting where its chapter ends; without the chapter, nothing on it has a number.

const chapterOf = ({ context }) => context.path.match(/^(?:.*\/)?0?(\d+)_[^/]*$/)?.[1];
const captioned = (all) => all.filter((figure) => figure?.caption);
const labelled = (sources) => sources.flatMap((source) => [...source.matchAll(/^\$\$ ?\(([\w-]+)\)/gm)].map(([, label]) => label));

const counts = new WeakMap(); // how many of each kind a panel's chapter has before it

async function countBefore(app, panel) {
	const [, folder, name] = panel.context.path.match(/^(.*)under_the_hood\/([^/]*)$/) ?? [], found = {};
	if (name) {
		const { content: { cells } } = await app.serviceManager.contents.get(folder + name);
		const sources = cells.filter((cell) => cell.cell_type === "markdown").map(({ source }) => [source].flat().join(""));
		for (const [, kind] of sources.join("\n\n").matchAll(/^[`:]{3,}\{(?:prf:)?(\w+)\}/gm)) {
			const title = kind[0].toUpperCase() + kind.slice(1);
			found[title] = (found[title] ?? 0) + 1;
		}
		found["Fig."] = captioned(cells.map(({ metadata }) => metadata.mystnb?.figure)).length;
		found.Equation = labelled(sources).length;
	}
	counts.set(panel, found);
}

function inBook(kind, place, panel) {
	const chapter = chapterOf(panel), before = counts.get(panel);
	return place && chapter && before ? `${chapter}.${(before[kind] ?? 0) + place}` : "";
}

function numbered(name, panel) {
	const place = captioned(panel.content.widgets.map(figureOf)).findIndex((figure) => figure.name === name) + 1;
	const number = inBook("Fig.", place, panel);
	return number && `Fig. ${number}`;
}

// JupyterLab counts from 1 in each notebook: "Table 1" is the "Table 4.1" of the book.
function renumber(link, panel) {
	const [, kind, place] = link.textContent.match(/^(\p{Lu}\p{L}+)\s(\d+):?$/u) ?? [], number = inBook(kind, Number(place), panel);
	if (number) count(link, number);
}

// It counts all equations, where the book counts those with a label.
function equation(link, panel) {
	const number = inBook("Equation", equations(panel).indexOf(link.hash.slice(1)) + 1, panel);
	link.classList.add("tl-here", "tl-counted");
	if (number) count(link, number);
	else link.hidden = true;
}

const equations = ({ content }) => labelled(content.widgets.map(({ model }) => model.sharedModel.getSource()));

function count(link, number) {
	const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) // React keeps its own nodes
		walker.currentNode.data = walker.currentNode.data.replace(/\d+/, number);
}

// Captions

const isNamed = (name, { content }) => content.widgets.some((cell) => figureOf(cell)?.name === name);
const figureOf = ({ model }) => model.getMetadata("mystnb")?.figure;

async function caption(cell, panel) {
	const { figure, image } = cell.model.getMetadata("mystnb") ?? {}, { rendermime } = panel.content;
	const drawn = cell.outputArea.node.querySelector("img"), place = cell.outputArea.node.parentElement;
	if (drawn && !drawn.alt && image?.alt) drawn.alt = image.alt;
	if (!figure?.caption || !place || cell.node.querySelector(".tl-caption-here")) return;
	const box = make("div", "tl-caption-here");
	const number = numbered(figure.name, panel);
	if (number) box.style.setProperty("--tl-number", `"${number}"`);
	place.after(box);
	const renderer = rendermime.createRenderer("text/markdown");
	await renderer.renderModel(rendermime.createModel({ data: { "text/markdown": figure.caption } }));
	box.append(renderer.node);
}

// Citations: author and year, from the book's own list of references

const ACCENTS = { '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", v: "\u030c", c: "\u0327" };
const plain = (text) => text.replace(/\\(["'`^~]|[vc](?=\{))\{?(\w)\}?/g, (_, accent, letter) => letter + ACCENTS[accent])
	.replace(/[{}\\]/g, "").replace(/~/g, " ").normalize("NFC").trim();

async function references() {
	const text = await (await fetch(file("references.bib"))).text(), found = {};
	for (const [, key, entry] of text.matchAll(/^@\w+\{([^,]+),(.*?)^\}/gms)) {
		const field = (name) => entry.match(RegExp(`^\\s*${name}\\s*=\\s*\\{(.*?)\\},?$`, "ms"))?.[1].replace(/\s+/g, " ") ?? "";
		const [first, second, third] = (field("author") || field("editor")).split(" and ")
			.map((name) => plain(name.startsWith("{") ? name : name.split(",")[0]));
		const who = third ? `${first} et al.` : second ? `${first} and ${second}` : first;
		found[key] = { who, year: field("year"), title: plain(field("title")) };
	}
	return found;
}

let known; // asked for once
async function cite(mark) {
	const key = mark.textContent, { who, year, title } = (await (known ??= references()))[key] ?? {};
	if (!who || mark.textContent !== key) return;
	const isInText = mark.closest(".cite-group")?.classList.contains("narrative");
	mark.lastChild.data = isInText ? `${who} (${year})` : `${who}, ${year}`; // React keeps its own node
	mark.title = title;
	mark.classList.add("tl-cited");
}

// References: a figure of this notebook has its number, and a section its title. What leads to
// another page is text, for JupyterLab has the pages one by one.

const KINDS = { alg: "an algorithm", def: "a definition", fig: "a figure", tab: "a table", thm: "a theorem" };

// The title of a section of this notebook, which a caption cannot see.
function titled(label, { content }) {
	const sources = content.widgets.map(({ model }) => model.sharedModel.getSource());
	const after = sources.find((source) => source.includes(`(${label})=`))?.split(`(${label})=`)[1];
	return after?.match(/^\n#+ (.*)/)?.[1].replaceAll("`", "");
}

function lost(mark, panel) {
	const label = mark.textContent, [kind] = label.split("-");
	mark.title = label;
	mark.lastChild.data = numbered(label, panel) || titled(label, panel) || `${KINDS[kind] ?? "a section"} of ${isNamed(label, panel) ? "this" : "another"} page`;
	mark.classList.add("tl-cited");
}

function isHere(link, { content }) {
	const label = decodeURIComponent(link.hash.slice(1));
	const marks = [`:label: ${label}\n`, `:name: ${label}\n`, `(${label})=`, `{#${label}`];
	return label && (isNamed(label, { content }) || content.widgets.some(({ model }) =>
		marks.some((mark) => `${model.sharedModel.getSource()}\n`.includes(mark))));
}

// Drills: a sentence where JupyterLab says that it does not know the directive

function drills(box, app, path) {
	if (box.nextElementSibling?.matches(".tl-drills")) return;
	const [, folder, name] = path.match(/^(.*?)([^/]*)$/);
	const link = make("a", "", "exercise notebook");
	link.href = "#";
	link.addEventListener("click", (event) => {
		event.preventDefault();
		event.stopPropagation();
		app.commands.execute("docmanager:open", { path: `${folder}exercises/${name}` });
	});
	box.after(make("p", "tl-drills", "The drills ask for a result, each time with fresh numbers. They stand in the ",
		"page of the book, and at the beginning of the ", link, " of this chapter."));
	box.hidden = true;
}

// All of it, whenever something has been drawn anew

function tidy(app, panel) {
	const { content, context } = panel;
	const all = (selector) => content.node.querySelectorAll(selector);
	all("figure.tl-explorable:has(> script)").forEach(start);
	for (const hand of all(":is(.tl-explorable, .tl-stepper) :is(button, input)"))
		hand.setAttribute("data-lm-suppress-shortcuts", "true"); // arrows move the slider, not to another cell
	for (const cell of content.widgets) {
		if (!cell.outputArea) continue;
		caption(cell, panel);
		if (!cell.model.trusted) stand(cell);
	}
	all("[title='Citation Not Found']").forEach(cite);
	all("[title='Cross Reference Not Found']").forEach((mark) => lost(mark, panel));
	for (const link of all("a.hover-link[href]:not(.tl-counted), [title='Link to this Equation']:not(.tl-counted)"))
		if (link.title || equations(panel).includes(link.hash.slice(1))) equation(link, panel);
	all("a.hover-link, a[title^='Link to this ']").forEach((link) => renumber(link, panel));
	for (const link of all("a.link[href*='/files/']"))
		if (/\/files\/[\w-]+\?/.test(link.href)) link.removeAttribute("href"); // a label, and no file
	for (const link of all("a.hover-link[href]:not(.tl-here)")) {
		if (isHere(link, panel)) link.classList.add("tl-here");
		else link.removeAttribute("href");
	}
	for (const code of all("aside code, .admonition code, details code"))
		if (code.textContent === "drill" && /^\s*drill\s*- Unknown Directive/.test(code.parentElement.textContent))
			drills(code.closest("aside, .admonition, details"), app, context.path);
}

function watch(app, panel) {
	let waits = true; // until it is known what stands before this page
	const soon = () => {
		if (waits) return;
		waits = true;
		setTimeout(() => {
			waits = false;
			if (!panel.isDisposed) tidy(app, panel);
		}, 50);
	};
	new MutationObserver(soon).observe(panel.content.node, { childList: true, subtree: true });
	panel.context.ready.then(() => keep(panel));
	countBefore(app, panel).catch(() => {}).then(() => { // a page without its chapter is read all the same
		waits = false;
		soon();
	});
}

// A notebook that is only looked at, or saved as it is, stays the same file: which Python runs it is
// JupyterLab's note, and no change that a reader has made.

const OWN = ["kernelspec", "language_info"];

function keep({ context, content: { model } }) {
	const text = () => {
		const { metadata, ...rest } = model.toJSON();
		return JSON.stringify([rest, { ...metadata, kernelspec: 0, language_info: 0 }]);
	};
	let before = text();
	const noted = OWN.map((name) => model.getMetadata(name));
	model.stateChanged.connect((_, { name, newValue }) => {
		if (name === "dirty" && newValue && text() === before) model.dirty = false;
	});
	context.saveState.connect((_, state) => {
		if (state === "started") OWN.forEach((name, k) => {
			const now = model.getMetadata(name);
			if (now && noted[k]?.name === now.name) model.setMetadata(name, noted[k]);
		});
		else before = text();
	});
}

const module = async (name) => (await Object.values(shared[name])[0].get())();

(window._JUPYTERLAB ??= {}).treelab = {
	init: (scope) => { shared = scope; },
	get: async () => {
		const { INotebookTracker } = await module("@jupyterlab/notebook");
		const activate = (app, tracker) => {
			for (const name of ["explorable.css", "lab.css"])
				document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: file(name) }));
			tracker.widgetAdded.connect((_, panel) => watch(app, panel));
			tracker.forEach((panel) => watch(app, panel));
		};
		return () => ({ __esModule: true, default: { id: "treelab:book", autoStart: true, requires: [INotebookTracker], activate } });
	},
};
})();
