// Drives the explorables of one kind on one page of the built book, and writes what they show.
//
//   node explore.mjs BOOK_FOLDER CHROMIUM PAGE KIND REPORT.json [STEPS]
//
// Steps are random, with a seed, until at least STEPS states have been seen (200 unless told): keys on
// the sliders, buttons pressed by pointer or key, clicks and taps into the pictures. After each step
// the state, all numbers and the sentence are noted; `problems` are the faults that need no numbers.

import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { axe, launch, note, serve } from "./host.mjs";

const [book, executablePath, name, kind, report, steps = "200"] = process.argv.slice(2);
const SELECTOR = `figure.tl-explorable[data-kind="${kind}"]`;
const KEYS = ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"];
const problems = [];

// The same numbers between 0 and 1 each time (mulberry32).
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const read = (figure) => figure.evaluate((box) => ({
  state: JSON.parse(box.dataset.state),
  sentence: box.querySelector(".tl-sentence").textContent,
  values: Object.fromEntries([...box.querySelectorAll("[data-name]:not(input)")].map((e) => [e.dataset.name, e.textContent])),
  sliders: Object.fromEntries([...box.querySelectorAll("input[type=range]")].map(
    (e) => [e.dataset.name, [Number(e.value), e.getAttribute("aria-valuetext")]])),
  height: Math.round(box.offsetHeight),
}));

// One step of a reader, chosen by chance.
async function step(page, figure, chance) {
  const pick = (list) => list[Math.floor(chance() * list.length)];
  const sliders = await figure.locator("input[type=range]:visible").all();
  const buttons = await figure.locator(".tl-stage button:visible:enabled").all();
  const pictures = await figure.locator("svg.tl-press").all();
  const what = pick([...sliders.map(() => "key"), ...sliders.map(() => "key"),
    ...pictures.map(() => "press"), ...(chance() < 0.4 && buttons.length ? ["button"] : [])]) ?? "button";
  if (what === "key") {
    await pick(sliders).focus();
    const key = pick(KEYS);
    await page.keyboard.press(key);
    return key;
  }
  if (what === "press") {
    const picture = pick(pictures), box = await picture.boundingBox();
    await picture.click({ position: { x: 4 + chance() * (box.width - 8), y: 4 + chance() * (box.height - 8) }, force: true });
    return "press";
  }
  const button = pick(buttons), label = await button.textContent();
  if (chance() < 0.5) await button.click();
  else {
    await button.focus();
    await page.keyboard.press(pick(["Enter", "Space"]));
  }
  return label;
}

// What holds for all explorables, whatever they show.
async function general(page, figure, label, rest) {
  const faults = await figure.evaluate((box) => {
    const found = [];
    const targets = [...box.querySelectorAll(".tl-stage :is(button, input)")].filter((e) => e.checkVisibility());
    for (const e of targets) {
      const { width, height } = e.getBoundingClientRect();
      if (Math.min(width, height) < 44) found.push(`a target of ${width} x ${height} px: ${e.textContent || e.dataset.name}`);
    }
    const inside = box.getBoundingClientRect();
    for (const text of box.querySelectorAll("svg.tl-picture text")) {
      const { left, right } = text.getBoundingClientRect(), size = parseFloat(getComputedStyle(text).fontSize);
      if (left < inside.left - 1 || right > inside.right + 1) found.push(`a text leaves the figure: ${text.textContent}`);
      if (size < 11) found.push(`type of ${size} px: ${text.textContent}`);
    }
    if (box.querySelector(".tl-still").checkVisibility()) found.push("the still pictures are shown beside the stage");
    if (document.scrollingElement.scrollWidth > document.documentElement.clientWidth) found.push("the page scrolls sideways");
    return found;
  });
  problems.push(...faults.map((fault) => `${label}: ${fault}`));
  const violations = await page.evaluate(async (selector) => {
    const result = await window.axe.run(selector, { runOnly: ["wcag2a", "wcag2aa", "wcag22aa"], resultTypes: ["violations"] });
    return result.violations.map((v) => `axe ${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join("; ")}`);
  }, SELECTOR);
  problems.push(...violations.map((v) => `${label}: ${v}`));
  const reset = figure.getByRole("button", { name: "Reset", exact: true });
  await reset.click();
  const again = await read(figure);
  if (JSON.stringify(again.state) !== JSON.stringify(rest.state)) problems.push(`${label}: Reset does not lead to the state at rest`);
  if (JSON.stringify(again.values) !== JSON.stringify(rest.values)) problems.push(`${label}: after Reset other numbers are shown`);
}

const { origin, stop } = await serve(book);
const browser = await launch(executablePath);
const records = [];
for (const [width, height, colorScheme, isMobile] of [[1440, 900, "light", false], [390, 844, "dark", true]]) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, hasTouch: isMobile, isMobile,
    reducedMotion: isMobile ? "reduce" : "no-preference", serviceWorkers: "block" });
  const page = await context.newPage(), label = `${width} px, ${colorScheme}`, found = [];
  note(page, origin, true, found);
  await page.goto(origin + name, { waitUntil: "load" });
  await page.addScriptTag({ content: axe });
  const figures = await page.locator(SELECTOR).all();
  if (!figures.length) problems.push(`${label}: no explorable of this kind on the page`);
  for (const [number, figure] of figures.entries()) {
    const chance = random(7 + number), heights = new Set(), seen = new Set(), others = await Promise.all(
      figures.filter((f) => f !== figure).map((f) => f.getAttribute("data-state")));
    await figure.scrollIntoViewIfNeeded();
    const rest = await read(figure);
    records.push({ figure: number, did: "rest", ...rest });
    for (let k = 0; k < 2 * steps && seen.size < (isMobile ? steps / 5 : steps); k++) {
      const did = await step(page, figure, chance), record = await read(figure);
      seen.add(JSON.stringify(record.state));
      heights.add(record.height);
      records.push({ figure: number, did, ...record });
    }
    await page.waitForTimeout(600);
    const last = await read(figure), spoken = await figure.locator("[role=status]").textContent();
    if (spoken !== last.sentence && JSON.stringify(last.state) !== JSON.stringify(rest.state))
      problems.push(`${label}: says "${spoken}" to a screen reader, and shows "${last.sentence}"`);
    if (heights.size > 1) problems.push(`${label}: the height changes: ${[...heights].join(", ")} px`);
    const after = await Promise.all(figures.filter((f) => f !== figure).map((f) => f.getAttribute("data-state")));
    if (after.join() !== others.join()) problems.push(`${label}: another figure of the page has moved, too`);
    await general(page, figure, label, rest);
  }
  problems.push(...found.map((p) => `${label}: ${p}`));
  await context.close();
}

// Opened as a file; with broken data; without scripts; in print.
const context = await browser.newContext();
const local = await context.newPage(), fileFaults = [];
local.on("pageerror", (error) => fileFaults.push(error.message));
await local.goto(pathToFileURL(join(book, name)).href, { waitUntil: "load" });
if (!(await local.locator(`${SELECTOR}.tl-on`).count())) problems.push("file: the stage is not there");
await local.emulateMedia({ media: "print" });
const printed = local.locator(SELECTOR).first();
if (!(await printed.locator(".tl-still").isVisible())) problems.push("print: no still pictures");
if (await printed.locator(".tl-stage").isVisible()) problems.push("print: the stage is shown");
problems.push(...fileFaults.map((p) => `file: ${p}`));
const broken = await context.newPage();
await broken.route("**/*.html", async (route) => {
  const response = await route.fetch();
  const body = (await response.text()).replaceAll('<script type="application/json">{', '<script type="application/json">{{');
  await route.fulfill({ response, body });
});
await broken.goto(origin + name, { waitUntil: "load" });
if (!(await broken.locator(`${SELECTOR} .tl-still`).first().isVisible())) problems.push("broken data: no still pictures");
const silent = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
await silent.goto(origin + name, { waitUntil: "load" });
if (!(await silent.locator(`${SELECTOR} .tl-still`).first().isVisible())) problems.push("no scripts: no still pictures");
await browser.close();
stop();
writeFileSync(report, JSON.stringify({ records, problems: [...new Set(problems)] }));
