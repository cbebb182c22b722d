// Runs every live cell and answers every live exercise of the built book, as a reader does, and writes
// as JSON what is wrong on each page, and what was run. The first exercise of a chapter gets no answer and a
// wrong one before the right one.
//
// Some chapters start Python themselves. Most of the time goes to that, and all have the same Python:
// the workers of the other chapters pass what they are told to one in a page that stays, which forgets
// between two chapters what has been defined and imported.
//
//   node live.mjs BOOK_FOLDER CHROMIUM REPORT.json ANSWERS.json OWN
//
// The answers are { id: { right, wrong, hint } }; OWN is "first", or "all" if every chapter starts Python.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { addAxe, launch, leave, lone, note, PATIENCE, serve, windowOf } from "./host.mjs";

const [book, executablePath, report, answersFile, starting] = process.argv.slice(2);
const answers = JSON.parse(readFileSync(answersFile, "utf8"));
const DESK = { width: 1280, height: 900 }, PHONE = { width: 390, height: 844 };
const names = readdirSync(join(book, "notebooks")).filter((name) => name.endsWith(".html"))
  .filter((name) => readFileSync(join(book, "notebooks", name), "utf8").includes('id="tl-live-data"'))
  .map((name) => `notebooks/${name}`).sort();
const isPython = (url) => url.includes("/pyodide/") || /live\/(files\.json|live_worker\.js)/.test(url);

// Presses a button and waits for the end of the run; what its block shows then.
async function press(block, byHand = true) {
  const go = block.locator("button.tl-live-go");
  await (byHand ? go.click() : go.evaluate((e) => e.click()));
  await finished(block);
  return (await block.locator(".tl-live-state").textContent()).trim();
}

async function finished(block) {
  await block.locator("button.tl-live-go:not([disabled])").waitFor({ timeout: 10 * PATIENCE });
}

async function type(block, text) {
  await block.locator("textarea").last().fill(text);
}

const text = async (locator) => (await locator.allTextContents()).join("").trim();

// Every cell says what the notebook has said; nothing of Python is asked for before.
async function runCells(cells, byHand, asked, problems) {
  const committed = [];
  for (const cell of cells) committed.push(await text(cell.locator(".cell_output pre")));
  if (asked.length) problems.push(`asked for Python before Run: ${asked[0]}`);
  for (const [i, cell] of cells.entries()) {
    const state = await press(cell, byHand);
    const shown = await text(cell.locator(".tl-live-text"));
    if (state !== "Done" || shown !== committed[i])
      problems.push(`cell ${i + 1}: ${state}: ${shown}, not ${committed[i]}`);
    const source = await cell.locator("textarea").last().inputValue();
    if (/^drawn_tree\b|, drawn_tree = /m.test(source)) {
      const label = await cell.locator("svg").getAttribute("aria-label").catch(() => "");
      const words = await cell.locator("details li").count();
      if (!/^The tree: .+(≤| in |\?)/.test(label) || words < 3)
        problems.push(`cell ${i + 1}: no tree: ${label}`);
    }
  }
}

// Of most exercises the right answer is enough: tests/book/test_live.py has the others judged without a browser.
async function answer(page, id, byHand, isWhole, problems) {
  const block = page.locator(`[id="${id}"] .tl-live-exercise`);
  const verdict = block.locator(".tl-live-verdict");
  const { right, wrong, hint } = answers[id];
  const all = [[null, "Not done yet"], [wrong, hint], [right, "✓ Passed."]];
  for (const [typed, wanted] of isWhole ? all : all.slice(-1)) {
    if (typed !== null) await type(block, typed);
    await press(block, byHand);
    const said = await text(verdict);
    const begins = wanted[0].toUpperCase() + wanted.slice(1); // as a hint does in the page
    if (!said.includes(wanted) && !said.includes(begins)) problems.push(`${id}: "${said.slice(0, 300)}", not "${wanted}"`);
  }
}

// What is typed stays over a reload, and what Reset takes away can be had back, also after one.
async function keep(page, block, problems) {
  const editor = block.locator("textarea").last();
  const press = (name) => block.getByRole("button", { name, exact: true }).last().click();
  const wants = async (wanted, when) => {
    const held = await editor.inputValue();
    if (held !== wanted) problems.push(`${when}: the editor holds ${held}`);
  };
  await press("Reset");
  const given = await editor.inputValue();
  await editor.fill("mine");
  await page.reload({ waitUntil: "domcontentloaded" });
  await wants("mine", "after a reload");
  await press("Reset");
  await page.reload({ waitUntil: "domcontentloaded" });
  await wants(given, "after Reset and a reload");
  await editor.fill("newer");
  await press("Undo reset");
  await wants("mine", "after Undo reset");
  const seen = new Set();
  for (let i = 0; i < 3; i++) {
    await press("Undo reset");
    seen.add(await editor.inputValue());
  }
  if (!seen.has("newer") || !seen.has("mine")) problems.push(`lost: only ${[...seen]} came back`);
}

async function keys(page, block, problems) {
  const area = block.locator("textarea").last();
  await area.fill("if True:");
  await area.press("End");
  await area.press("Enter");
  await page.keyboard.type("x = 1");
  await area.press("Enter");
  if ((await area.inputValue()) !== "if True:\n    x = 1\n    ") problems.push("Enter does not indent");
  await area.press("Backspace");
  if ((await area.inputValue()) !== "if True:\n    x = 1\n") problems.push("Backspace takes no step back");
  await page.keyboard.type("print(x)");
  await area.press("Tab");
  const left = await area.evaluate((e) => document.activeElement !== e);
  if (!left) problems.push("Tab does not leave the editor");
  await area.focus();
  await area.press("Control+Enter");
  await finished(block);
  return text(block.locator(".tl-live-text"));
}

// A loop without end is stopped; then Python runs again, the earlier cells first.
async function stopLoop(block, problems) {
  await type(block, "while True:\n    pass");
  await block.locator("button.tl-live-go").click();
  await block.getByText("Running", { exact: true }).waitFor({ timeout: 10 * PATIENCE });
  await block.getByRole("button", { name: "Stop" }).click();
  await finished(block);
  const state = await text(block.locator(".tl-live-state"));
  if (!state.includes("variables are gone")) problems.push(`stopped, and it says: ${state}`);
  const old = await text(block.locator(".cell_output"));
  if (old) problems.push(`stopped, and the output of an earlier run stays: ${old}`);
  await type(block, "print(6 * 7)");
  await press(block);
}

// What is not live is gone for now: axe takes its time over it, and looks at it elsewhere.
async function isAccessible(page, problems) {
  await page.evaluate(() => {
    for (const live of document.querySelectorAll(".tl-live"))
      for (let e = live; e !== document.body; e = e.parentElement)
        for (const other of [...e.parentElement.children])
          if (!other.matches("script, .tl-live, .bd-sidebar-secondary") && !other.querySelector(".tl-live")) other.remove();
  });
  await addAxe(page);
  await page.addStyleTag({ content: "* { transition: none !important }" });
  for (const viewport of [PHONE, DESK]) for (const scheme of ["light", "dark"]) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForFunction((s) => document.documentElement.dataset.theme === s, scheme);
    const found = await page.evaluate(async () => {
      const looked = await window.axe.run({ include: [[".tl-live"]] }, { runOnly: ["wcag2a", "wcag2aa"] });
      return looked.violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 200)}`);
    });
    problems.push(...found.map((words) => `${viewport.width} ${scheme}: ${words}`));
    const small = await page.evaluate(() => [...document.querySelectorAll(".tl-live button")]
      .filter((e) => e.offsetParent && (e.offsetHeight < 44 || e.offsetWidth < 44)).length);
    if (small) problems.push(`${viewport.width}: ${small} buttons are smaller than 44 px`);
    const wide = await page.evaluate(() =>
      document.scrollingElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) problems.push(`${viewport.width}: scrolls sideways by ${wide} px`);
  }
  await page.setViewportSize(DESK);
}

let liveAlone; // the page that is sent of a chapter that does not start Python, for the rest takes longest
const servers = { own: await serve(book), shared: await serve(book, () => liveAlone) };
const browser = await launch(executablePath);
const plain = await (await windowOf(browser)).newPage();
await plain.goto(`${servers.own.origin}404.html`);
const results = {};
const still = { reducedMotion: "reduce" }; // what scrolls cannot be pressed
const own = new Set(starting === "all" ? names : names.slice(0, 1));

// The Python of all other chapters, in a page without anything else.
const keeper = await (await windowOf(browser)).newPage();
await keeper.goto(`${servers.shared.origin}_static/live/live_worker.js`);
await keeper.evaluate(() => {
  const worker = new Worker(location.href, { type: "module" }), waiting = new Map();
  let next = 0;
  worker.onmessage = ({ data }) => {
    if (data.started) return;
    waiting.get(data.id)(data);
    waiting.delete(data.id);
  };
  window.ask = (call, args) => new Promise((done) => {
    waiting.set(++next, done);
    worker.postMessage({ id: next, call, args });
  });
});
const askKeeper = (call, args) => keeper.evaluate(([call, args]) => window.ask(call, args), [call, args]);
const FORGET = `
import random, sys, page_runner
for name in [n for n in sys.modules if n.startswith(("treelab", "plain_checks", "checks_"))]:
    del sys.modules[name]
random.seed()
(lambda space: (space.clear(), space.update(__name__="__main__")))(page_runner.space)
None
`;

async function forget() {
  const { failed, said } = await askKeeper("run", [FORGET, "between two chapters"]);
  if (failed || said.error) throw new Error(failed ?? said.error);
}

// The window of those chapters: workers pass on what they are told, and it is noted where they would have
// come from.
let asked;
const shared = await windowOf(browser, { viewport: DESK, ...still }), tab = await shared.newPage();
await shared.exposeFunction("askKeeper", (url, call, args) => {
  asked.push(url);
  return askKeeper(call, args);
});
await shared.addInitScript(() => {
  window.Worker = class {
    constructor(url) {
      this.url = String(url);
    }

    async postMessage({ id, call, args }) {
      const data = { ...await window.askKeeper(this.url, call, args), id };
      this.onmessage({ data: { id, started: true } });
      this.onmessage({ data });
    }

    terminate() {}
  };
});

for (const name of names) {
  const isOwn = own.has(name), { origin } = servers[isOwn ? "own" : "shared"], problems = [];
  asked = [];
  if (!isOwn) {
    await forget();
    liveAlone = await lone(plain, servers.own.origin + name, "div.tag_live, .exercise");
  }
  const page = isOwn ? await (await windowOf(browser, { viewport: DESK, ...still })).newPage() : tab;
  page.removeAllListeners();
  note(page, origin, true, problems);
  page.on("request", (request) => isPython(request.url()) && asked.push(request.url()));
  await page.goto(origin + name, { waitUntil: "domcontentloaded" });
  const cells = await page.locator("div.cell.tl-live").all();
  const { exercises } = JSON.parse(await page.locator("#tl-live-data").textContent());
  await runCells(cells, isOwn, asked, problems);
  for (const [k, id] of Object.keys(exercises).entries()) await answer(page, id, isOwn, isOwn || k === 0, problems);
  if (!asked.some((url) => url.startsWith(`${origin}_static/live/live_worker.js`)))
    problems.push("Python was never asked for");
  results[name] = { problems, cells: cells.length, exercises: Object.keys(exercises) };
  if (name === names[0] || cells.length && !results.inDepth) {
    const first = () => page.locator(".tl-live").first();
    await isAccessible(page, problems);
    if (cells.length) {
      results.inDepth = true;
      const said = await keys(page, first(), problems);
      if (said !== "1") problems.push(`Control and Enter: ${said}`);
      await stopLoop(first(), problems);
      const after = await text(first().locator(".tl-live-text"));
      if (after !== "42") problems.push(`after Stop a cell says ${after}`);
      await type(first(), "print(1)\n1 / 0");
      const state = await press(first());
      if (state !== "Stopped by an error") problems.push(`after an error: ${state}`);
      if (!/line 2[^]*ZeroDivisionError/.test(await text(first().locator(".tl-live-error"))))
        problems.push("an error is not shown with its line");
    }
    await keep(page, first(), problems);
  }
  await leave(page);
  if (isOwn) await page.context().close();
}
delete results.inDepth;

// As a file: the code stays, and a sentence says what to do.
const files = await windowOf(browser, { viewport: PHONE });
for (const name of starting === "all" ? names : names.slice(-1)) {
  const page = await files.newPage();
  const problems = results[name].problems;
  page.on("pageerror", (error) => problems.push(`as a file: ${error.message}`));
  await page.goto(pathToFileURL(join(book, ...name.split("/"))).href, { waitUntil: "domcontentloaded" });
  const told = await page.locator(".tl-live-serve:visible", { hasText: "make serve" }).count();
  const code = await page.locator("div.cell.tag_live .cell_input pre:visible").count();
  if (told !== results[name].cells + results[name].exercises.length || code !== results[name].cells)
    problems.push(`as a file: told ${told} times, ${code} cells to read`);
  await page.close();
}
await browser.close();
for (const { stop } of Object.values(servers)) stop();
writeFileSync(report, JSON.stringify(results, null, 1));
