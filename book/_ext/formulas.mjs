// Sets formulas: a line of JSON {tex, display} comes in, and a line {html, wide} or {error} goes out.
//
// A browser does not break a line within an element `math`. So a long formula in a line of text is set
// as several of them, each ending in a relation, sign or comma that stands in no brackets.

import { createInterface } from "node:readline";
import temml from "./live/node_modules/temml/dist/temml.mjs";

const LONG = 26; // characters of a formula that may have to be broken on a phone
const ENDS = new Set("=≠<>≤≥≈∝∈∉→←⟶⟵+−±∓,;");
const OPENS = new Set("([{|‖⌈⌊⟨"), CLOSES = new Set(")]}⌉⌋⟩");

const shown = (node) => node.children?.map(shown).join("") ?? node.text ?? "";

function pieces(math) {
  let nodes = math.children;
  while (nodes.length === 1 && [undefined, "mrow"].includes(nodes[0].type)) nodes = nodes[0].children;
  const found = [[]];
  let depth = 0;
  for (const [k, node] of nodes.entries()) {
    found.at(-1).push(node);
    if (node.type !== "mo") continue;
    const sign = shown(node), { form } = node.attributes ?? {};
    if (form === "prefix" && OPENS.has(sign)) depth += 1;
    else if (form === "postfix" && CLOSES.has(sign)) depth -= 1;
    const isUnary = form === "prefix" || k === 0;
    if (depth || isUnary || !ENDS.has(sign) || k === nodes.length - 1) continue;
    if (!",;".includes(sign)) node.setAttribute("form", "infix"); // and so keeps the space after it
    found.push([]);
  }
  return found.filter((piece) => piece.length);
}

function set({ tex, display }) {
  const math = temml.__renderToMathMLTree(tex, { displayMode: display, throwOnError: true, wrap: "none" });
  if (display || shown(math).length <= LONG) return { html: math.toMarkup(), wide: false };
  const found = pieces(math);
  return {
    html: found.map((piece) => `<math>${piece.map((node) => node.toMarkup()).join("")}</math>`).join(""),
    wide: found.some((piece) => piece.map(shown).join("").length > LONG),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = set(JSON.parse(line));
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
