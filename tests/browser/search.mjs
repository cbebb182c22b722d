// Searches in the built book as a reader would and writes what is wrong as JSON.
//
//   node search.mjs BOOK_FOLDER CHROMIUM REPORT.json QUERY...
//
// The panel is opened by keys, by the button and by touch, from a server and from a folder, light and
// dark, wide and narrow; the page of the search answers each query.

import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { addAxe, launch, leave, note, serve, windowOf } from "./host.mjs";

const [book, executablePath, report, ...queries] = process.argv.slice(2);
const CHAPTER = "notebooks/04_pruning.html";
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const answers = { problems: [], page: {}, panel: [], file: [] };
const holds = (what, condition) => { if (!condition) answers.problems.push(what); };

// What is found: titles, addresses of all links, snippets.
const results = (list) => [...list.querySelectorAll(":scope > li:not(.tl-all)")].map((item) => ({
  page: item.querySelector("a").href.replace(/^.*\/(?=notebooks\/|book\/|genindex)/, "").replace(/\.html.*$/, ""),
  snippets: [...item.querySelectorAll(".tl-snippet")].map((line) => line.textContent),
  links: [...item.querySelectorAll("a")].map((a) => a.href.replace(/^.*\/(?=notebooks\/|book\/|genindex)/, "")),
}));

const isOpen = (page) => page.evaluate(() => document.querySelector("dialog.tl-search")?.open ?? false);
const focused = (page) => page.evaluate(() => document.activeElement.textContent || document.activeElement.tagName);

async function type(page, text) {
  await page.keyboard.type(text);
  await page.locator("dialog .tl-found > li").first().waitFor();
}

async function obeysAxe(page, name) {
  await addAxe(page);
  const violations = await page.evaluate(async () => {
    const { violations } = await window.axe.run("dialog.tl-search, .bd-search-container",
      { resultTypes: ["violations"], rules: { region: { enabled: false } } });
    return violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join("; ")}`);
  });
  answers.problems.push(...violations.map((v) => `${name}: axe ${v}`));
}

const { origin, stop } = await serve(book);
const browser = await launch(executablePath);

// By keys, at a desk.
const desk = await (await windowOf(browser, { viewport: { width: 1440, height: 900 }, colorScheme: "light" })).newPage();
note(desk, origin, true, answers.problems);
const asked = [];
desk.on("request", (request) => asked.push(request.url()));
await desk.goto(origin + CHAPTER);
holds("the texts are loaded before anybody searches", !asked.some((url) => /search_texts|minisearch/.test(url)));
await desk.keyboard.press("/");
holds("/ does not open the panel", await isOpen(desk));
await desk.keyboard.type("r");
await desk.waitForFunction(() => window.bookSearch && window.searchTexts);
holds("one letter finds something", (await desk.locator("dialog .tl-found > li").count()) === 0);
await type(desk, "andom forrest");
answers.panel = await desk.locator("dialog .tl-found").evaluate(results);
answers.told = await desk.locator("dialog .tl-status").textContent();
const shown = await desk.locator("dialog.tl-search").boundingBox();
holds("the panel is not in view", shown.y >= 0 && shown.y + shown.height <= 900);
await obeysAxe(desk, "desk");
const links = await desk.locator("dialog .tl-found a").allTextContents();
await desk.keyboard.press("ArrowDown");
holds("an arrow does not lead to the first link", (await focused(desk)) === links[0]);
await desk.keyboard.press("ArrowDown");
holds("an arrow does not lead to the second link", (await focused(desk)) === links[1]);
await desk.keyboard.press("ArrowUp");
await desk.keyboard.press("ArrowUp");
holds("the arrows do not lead back to the field", (await focused(desk)) === "INPUT");
await desk.keyboard.press("Escape");
holds("Escape does not close the panel", !(await isOpen(desk)));
await desk.locator(".search-button__button:visible").first().click();
holds("the button does not open the panel", await isOpen(desk));
holds("the theme's own field is open, too", (await desk.locator(".search-button__wrapper.show").count()) === 0);
await desk.locator("dialog input[type=search]").fill("");
await type(desk, "qqqqq");
answers.nothing = await desk.locator("dialog .tl-found").evaluate(results);
await desk.locator("dialog input[type=search]").fill("bostng");
await desk.locator("dialog .tl-meant a").first().waitFor();
answers.meant = await desk.locator("dialog .tl-meant").textContent();
await obeysAxe(desk, "a suggestion");
await desk.keyboard.press("ArrowDown");
await desk.keyboard.press("Enter");
await desk.locator("dialog .tl-found:not(:has(.tl-meant)) > li").first().waitFor();
holds("what was suggested closes the panel", await isOpen(desk));
answers.asked = await desk.locator("dialog input[type=search]").inputValue();
await desk.locator("dialog label", { hasText: "opens the search" }).click();
await desk.keyboard.press("Escape");
await desk.keyboard.press("/");
holds("/ opens the panel although it is not wanted", !(await isOpen(desk)));
await desk.keyboard.press("Control+k");
holds("Ctrl+K does not open the panel", await isOpen(desk));
await desk.locator("dialog input[type=search]").fill("");
await type(desk, "confusion matrix");
await desk.keyboard.press("Enter");
await desk.waitForURL(/06_measuring_a_model/);
await leave(desk);
await desk.context().close();

// By touch, on a phone in the dark.
const phone = await (await windowOf(browser, { ...PHONE, colorScheme: "dark" })).newPage();
note(phone, origin, true, answers.problems);
await phone.goto(origin + CHAPTER);
await phone.locator(".search-button__button:visible").first().tap();
holds("touch does not open the panel", await isOpen(phone));
await type(phone, "out of bag");
const box = await phone.locator("dialog.tl-search").boundingBox();
holds("the panel is wider than the phone", box.x >= 0 && box.x + box.width <= 390);
const heights = await phone.locator("dialog :is(.tl-close, input[type=search])").evaluateAll(
  (all) => all.map((e) => e.getBoundingClientRect().height));
holds(`what is touched is ${heights} px high`, heights.every((height) => height >= 44));
await obeysAxe(phone, "phone");
await phone.locator("dialog .tl-close").tap();
holds("the button does not close the panel", !(await isOpen(phone)));
await leave(phone);
await phone.context().close();

// The page of the search, and the panel of a page that was opened as a file.
const page = await (await windowOf(browser)).newPage();
note(page, origin, true, answers.problems);
for (const query of queries) {
  await page.goto(`${origin}search.html?q=${encodeURIComponent(query)}`);
  await page.locator("#search-results > li").first().waitFor();
  answers.page[query] = await page.locator("#search-results").evaluate(results);
  if (query === queries[0]) await obeysAxe(page, "page");
  await leave(page);
}
await page.context().close();
const folder = pathToFileURL(join(book, "/")).href;
const offline = await (await windowOf(browser)).newPage();
note(offline, folder, true, answers.problems);
await offline.goto(folder + CHAPTER);
await offline.keyboard.press("Control+k");
await type(offline, "random forrest");
answers.file = await offline.locator("dialog .tl-found").evaluate(results);
await leave(offline);
await browser.close();
stop();
writeFileSync(report, JSON.stringify(answers, null, 1));
