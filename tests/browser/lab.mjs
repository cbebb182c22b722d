// Opens a chapter in JupyterLab, once trusted and once not, and pages behind chapters, and writes what a
// class finds as JSON. One JupyterLab opens the pages behind chapters, for its start takes longest; it lets
// itself be told to (--expose-app-in-browser).
//
//   node lab.mjs ADDRESS CHROMIUM REPORT.json CHAPTER.ipynb UNTRUSTED.ipynb PAGE_BEHIND.ipynb=HOW_MANY_NUMBERS ...

import { writeFileSync } from "node:fs";
import { launch, windowOf } from "./host.mjs";

const [address, executablePath, report, chapter, untrusted, ...behind] = process.argv.slice(2);
const browser = await launch(executablePath);
const context = await windowOf(browser, { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
const found = { errors: [], elsewhere: [] };

const page = await context.newPage();
page.on("pageerror", (error) => found.errors.push(error.stack));
page.on("request", (request) => {
  const local = [address, address.replace("http", "ws"), "data:", "blob:"].some((start) => request.url().startsWith(start));
  if (!local) found.elsewhere.push(request.url());
});

// Opens a notebook, in a JupyterLab that has just started or in the place of the one before, and waits until
// its kernel is noted in it.
async function opened(name, inPlace = false) {
  if (!inPlace) await page.goto(`${address}lab/tree/${name}?reset`);
  else await page.evaluate(async (path) => {
    const { commands } = window.jupyterapp;
    await commands.execute("application:close-all");
    await commands.execute("docmanager:open", { path });
  }, name);
  await page.locator(".jp-Notebook .myst h1").first().waitFor();
  await page.locator(".jp-NotebookPanel .jp-Notebook-ExecutionIndicator[data-status=idle]").waitFor();
  await scrolled();
}

// JupyterLab draws a cell when it comes near the window. What is there then is told by `look`.
const scrolled = () => page.evaluate(async () => {
  const outer = document.querySelector(".jp-WindowedPanel-outer");
  for (let y = 0; y < outer.scrollHeight; y += 700) {
    outer.scrollTop = y;
    await new Promise((done) => setTimeout(done, 100));
  }
  outer.scrollTop = 0;
});
const isDirty = async () => (await page.locator(".jp-mod-dirty").count()) > 0;
const texts = (selector) => page.locator(selector).allTextContents();
const numbers = () => page.locator(".tl-caption-here p:first-of-type").evaluateAll((all) =>
  all.map((p) => getComputedStyle(p, "::before").content));
const counted = () =>
  texts(".myst a[title^='Link to this ']:not([title$=Section], [title$=Solution]):visible");

{
  await opened(chapter);
  await page.locator(".tl-drills").waitFor();
  await page.waitForFunction(() => !document.querySelector("[title='Citation Not Found']"));
  const figures = page.locator("figure.tl-explorable");
  found.explorables = await figures.count();
  found.moving = await page.locator("figure.tl-explorable.tl-on").count();
  const figure = figures.first();
  found.before = await figure.getAttribute("data-state");
  found.told = await figure.locator(".tl-told").textContent();
  await figure.locator(".tl-ask button").first().click();
  found.after = await figure.getAttribute("data-state");
  found.verdict = await figure.locator(".tl-told").textContent();
  const slider = figure.locator("input[type=range]").first();
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  found.moved = await figure.getAttribute("data-state");

  found.overlaps = await figure.locator(".tl-values div").evaluateAll((pairs) => pairs.filter((pair) =>
    pair.querySelector("dt").getBoundingClientRect().right > pair.querySelector("dd").getBoundingClientRect().left + 1).length);

  const stepper = page.locator("figure.tl-stepper").first();
  found.frames = await stepper.locator(".tl-frame:visible").count();
  await stepper.getByRole("button", { name: "Next" }).click();
  await stepper.locator("input").focus();
  await page.keyboard.press("ArrowRight");
  found.step = await stepper.locator("output").textContent();

  found.drawings = await page.locator(".jp-OutputArea-output[data-mime-type='image/svg+xml'] svg, .jp-OutputArea-output[data-mime-type='image/svg+xml'] img").count();
  found.captions = await texts(".tl-caption-here");
  found.numbers = await numbers();
  found.citations = await texts(".tl-cited");
  found.terms = await texts(".myst a.hover-link:not([href])");
  found.deadLinks = await texts(".myst a.hover-link[href='#']");
  found.unknown = await page.locator("details:visible", { hasText: "Unknown Directive" }).count();

  found.counted = await counted();
  found.named = await texts(".myst a.hover-link.tl-here");

  const quiz = page.locator(".myst details", { has: page.locator("summary") }).filter({ hasText: "No." }).first();
  const reply = quiz.locator("p").first();
  found.folded = !(await reply.isVisible());
  found.triangle = await quiz.locator("summary").evaluate((e) => getComputedStyle(e).listStyleType);
  await quiz.locator("summary").click();
  found.unfolded = await reply.isVisible();

  found.dirty = await isDirty();
  await page.locator(".jp-Notebook .myst h1").first().click();
  const saved = page.waitForResponse((r) => r.request().method() === "PUT" && r.url().includes(`contents/${chapter}`));
  await page.keyboard.press("Control+s");
  await saved;

  await page.locator(".tl-drills a").click();
  await page.locator(".lm-DockPanel-tabBar .lm-TabBar-tab").nth(1).waitFor();
  found.tabs = await texts(".lm-DockPanel-tabBar .lm-TabBar-tabLabel");
}
found.behind = {};
for (const [index, [name, count]] of behind.map((given) => given.split("=")).entries()) {
  await opened(name, index > 0);
  const all = async () => [...await numbers(), ...await counted()];
  // A busy machine draws late, and what is counted has JupyterLab's own number until it gets the book's, or none.
  const own = /^(?:\p{Lu}\p{L}+\s|\()\d+\)?:?$/u;
  const ready = (told) => told.filter((number) => !number.startsWith("(")).length >= count && !told.some((number) => own.test(number));
  let told = await all();
  for (let k = 0; k < 40 && !ready(told); k++) {
    await scrolled();
    told = await all();
  }
  found.behind[name] = told;
}
{
  await opened(untrusted);
  const cell = page.locator(".jp-CodeCell", { hasText: "explorable()" }).first();
  const stand = cell.locator(".tl-stand");
  await stand.locator("img").waitFor();
  found.stand = { text: await stand.textContent(), alt: await stand.locator("img").getAttribute("alt"),
    width: await stand.locator("img").evaluate((e) => e.naturalWidth) };
  const references = page.locator(".jp-MarkdownCell", { hasText: "Not signed" }).locator(".tl-cited");
  await references.nth(1).waitFor();
  found.references = await references.allTextContents();
  found.equations = await texts(".jp-MarkdownCell:has-text('Not signed') a:is(.tl-counted, .link):visible");
  found.links = await page.locator(".jp-MarkdownCell:has-text('Not signed') a.link[href]").count();
  found.section = await page.locator(".tl-caption-here .tl-cited").first().textContent();
  found.movingUntrusted = await page.locator("figure.tl-explorable.tl-on").count();
  for (const one of [page.locator(".jp-CodeCell").first(), cell]) { // what it imports, and the figure
    await one.locator(".cm-content").first().click();
    await page.keyboard.press("Shift+Enter");
  }
  await page.locator("figure.tl-explorable.tl-on .tl-ask").first().waitFor();
  found.ran = await page.locator("figure.tl-explorable.tl-on").count();
  found.dirtyAfterRun = await isDirty();
}
await browser.close();
writeFileSync(report, JSON.stringify(found, null, 1));
