// Explores the ledger, the glossary and the reference as a reader would and writes what is wrong as JSON.
//
//   node explore_pages.mjs BOOK_FOLDER CHROMIUM REPORT.json

import { writeFileSync } from "node:fs";
import { launch, leave, note, serve, windowOf } from "./host.mjs";

const [book, executablePath, report] = process.argv.slice(2);
const DESK = { viewport: { width: 1440, height: 900 } };
const problems = [];
const holds = (what, condition) => { if (!condition) problems.push(what); };

const { origin, stop } = await serve(book);
const browser = await launch(executablePath);
const page = await (await windowOf(browser, DESK)).newPage();
note(page, origin, true, problems);

// The ledger: what a filter leaves, the names of a few, arrow keys.
await page.goto(origin + "book/ledger.html");
const ledger = page.locator(".tl-ledger");
const shown = () => ledger.locator("li").evaluateAll((all) => all.filter((e) => e.checkVisibility()).length);
const told = () => ledger.locator(".tl-told").textContent();
const all = await ledger.locator("li").count();
holds(`not all entries are shown: ${await shown()} of ${all}`, (await shown()) === all);
const colors = await ledger.locator(".tl-square").evaluateAll(
  (squares) => squares.map((e) => `${e.textContent} ${e.className} ${getComputedStyle(e).backgroundColor}`));
const kinds = new Set(colors);
holds("two verdicts have one letter", new Set([...kinds].map((kind) => kind[0])).size === kinds.size);
for (const [label, attribute] of [["Source", "source"], ["Verdict", "verdict"], ["Chapter", "chapters"]]) {
  const select = ledger.getByLabel(label);
  for (const value of await select.locator("option").evaluateAll((e) => e.map((o) => o.value).filter(Boolean))) {
    await select.selectOption(value);
    const wanted = await ledger.locator("li").evaluateAll((items, [key, value]) => items.filter((item) => (
      item.closest(`[data-${key}]`).dataset[key].split(" ").includes(value))).length, [attribute, value]);
    holds(`${label} ${value}: ${await shown()}, not ${wanted}`, wanted > 0 && (await shown()) === wanted);
    holds(`${label} ${value}: ${await told()}`, (await told()) === `${wanted} of ${all} entries`);
  }
  await select.selectOption("");
}
await ledger.getByLabel("Source").selectOption("paper");
await ledger.getByLabel("Verdict").selectOption("reproduced");
holds("a few entries have no names", await ledger.locator("li:not([hidden]) .tl-name").first().isVisible());
await ledger.getByLabel("Source").selectOption("");
await ledger.getByLabel("Verdict").selectOption("");
const first = ledger.locator("section:first-of-type li a");
await first.first().focus();
await page.keyboard.press("ArrowRight");
holds("an arrow does not lead to the next square", await first.nth(1).evaluate((e) => e === document.activeElement));
const pointed = await ledger.locator(".tl-pointed").textContent();
holds("a square does not say its name", pointed === await first.nth(1).locator(".tl-name").textContent());
await page.keyboard.press("Tab");
holds("the Tab key does not leave the row", await page.evaluate(
  () => document.activeElement.closest("section")?.dataset.source === "slides"));
await first.first().click();
await page.waitForURL(/ledger\/notes\.html#ledger-notes-/);
holds("a square leads nowhere", await page.evaluate(() => Boolean(document.getElementById(location.hash.slice(1)))));
await leave(page);

// The glossary: letters, and a field.
await page.goto(origin + "book/glossary.html");
const terms = page.locator(".tl-initial dt");
const count = await terms.count();
await page.getByLabel("Filter the terms").fill("quinlan");
const left = await terms.evaluateAll((all) => all.filter((e) => e.checkVisibility()).map((e) => e.textContent));
holds(`the filter leaves ${left}`, left.length > 1 && left.length < 20 && left.some((name) => name.startsWith("C4.5")));
await page.getByLabel("Filter the terms").fill("");
holds("an empty filter hides terms", (await terms.evaluateAll((all) => all.filter((e) => e.checkVisibility()).length)) === count);
await page.locator(".tl-letters a", { hasText: "P" }).click();
await page.waitForFunction(() => { // the page glides there
  const { top } = document.getElementById("letter-p").getBoundingClientRect();
  return top >= 0 && top < 300;
});
await leave(page);

// A link to what is folded away unfolds it.
await page.goto(`${origin}book/api/methods.html`);
const inside = await page.locator("details.tl-more dt[id]").nth(2).getAttribute("id");
holds("the API is unfolded from the start", (await page.locator("details.tl-more[open]").count()) === 0);
await page.goto(`${origin}book/api/methods.html#${inside}`);
holds(`the address of ${inside} does not unfold it`, await page.evaluate(
  (id) => document.getElementById(id).checkVisibility() && document.getElementById(id).offsetHeight > 0, inside));
await leave(page);

// Without scripts every entry and every term is there.
const plain = await (await windowOf(browser, { ...DESK, javaScriptEnabled: false })).newPage();
note(plain, origin, false, problems);
await plain.goto(origin + "book/ledger.html");
holds("squares need scripts", (await plain.locator(".tl-ledger li a").count()) === all);
holds("a filter stands without scripts", (await plain.locator(".tl-filters").count()) === 0);
await browser.close();
stop();
writeFileSync(report, JSON.stringify(problems));
