// Motion: what is drawn moves there from where it was drawn before under the same key, what is new fades
// in, or grows out of its `home`, and what has gone fades out, or folds into it. The drawing itself is the
// new one at once: it only has the look of the old one for a moment, and not where readers want no motion.

"use strict";
(() => {
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const LOOK = "d x y width height cx cy r opacity fill fillOpacity stroke strokeWidth".split(" ");
const DIRECT = ".tl-cut, .tl-handle, .tl-here, .tl-area"; // what a hand moves keeps up with it
const commands = (d) => d?.replace(/[^A-DF-Za-df-z]/g, "");

// How an element looks now, in the middle of a movement too; a text stands where it has been moved to.
function look(e) {
	const style = getComputedStyle(e), found = Object.fromEntries(LOOK.map((name) => [name, style[name]]));
	if (e.tagName !== "text") return found;
	const moved = new DOMMatrix(style.transform === "none" ? "" : style.transform);
	return { ...found, at: [Number(e.getAttribute("x")) + moved.e, Number(e.getAttribute("y")) + moved.f] };
}

// Keyframes without the right part of a picture, such a share of it, and with all of it.
const wipe = (share) => [share, 0].map((s) => ({ clipPath: `inset(-20px ${100 * s}% -20px -20px)` }));

// From the old look to that of the new element.
function between(old, made) {
	const [was, is] = [look(old), look(made)], from = { offset: 0 };
	for (const name of LOOK) if (was[name] !== is[name]) from[name] = was[name];
	if (is.at && `${was.at}` !== `${is.at}`) from.transform = `translate(${was.at.map((v, j) => `${v - is.at[j]}px`)})`;
	if (commands(was.d) !== commands(is.d)) {
		delete from.d;
		const part = old.getBBox().width / made.getBBox().width;
		if (made.matches(".tl-curve") && part < 1) return wipe(1 - part);
	}
	return [from];
}

// From nothing to all of it: out of its home, drawn from the left, or out of the dark.
function appear(e) {
	const transformOrigin = e.home?.map((v) => `${v}px`).join(" ");
	if (e.home) return [{ transformOrigin, transform: "scale(0)", opacity: 0 }, { transformOrigin, transform: "none" }];
	return e.matches(".tl-curve, .tl-area") ? wipe(1) : [{ opacity: 0, offset: 0 }];
}

treelab.calm = () => calm.matches;

// Moves a picture to its new drawing; `quick` while a hand moves it. The promise is kept when it stands still.
treelab.move = ({ was, drawn, past }, quick) => {
	const keyed = new Set([...was.values(), ...drawn.values()]), starts = [], gone = [];
	const free = (e) => e.tagName !== "text" && !keyed.has(e.parentNode);
	for (const [key, e] of drawn) {
		const old = was.get(key), follows = quick && e.matches(DIRECT);
		if (!old) free(e) && starts.push([e, appear(e)]);
		else if (!follows && (old.getAnimations().length || !old.isEqualNode(e))) starts.push([e, between(old, e)]);
	}
	for (const [key, e] of was) if (!drawn.has(key) && free(e) && (e.home || !quick)) gone.push(e);
	past.replaceChildren(...gone);
	const how = { duration: quick ? 150 : 400, easing: "cubic-bezier(0.3, 0, 0.2, 1)" };
	const moves = [
		...starts.filter(([, [from]]) => Object.keys(from).length > 1).map(([e, frames]) => e.animate(frames, how)),
		...gone.map((e) => e.animate(e.home ? appear(e).reverse() : [{ opacity: 0, offset: 1 }], { ...how, fill: "forwards" })),
	];
	return Promise.allSettled(moves.map((move) => move.finished)).then(() => past.remove());
};
})();
