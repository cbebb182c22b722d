// Does the drills of every chapter as readers do and writes what is wrong with each page as JSON.
//
//   node drills.mjs BOOK_FOLDER CHROMIUM REPORT.json ANSWERS.json
//
// The answers tell of each page {drill: {right: [[...], ...], wrong: [[what, hint], ...], typed: [[what,
// verdict], ...]}}: for each set of numbers what is right for each part, for the first set what is
// wrong, and for its first part what people type, with the beginning of the verdict.

import { readFileSync, writeFileSync } from "node:fs";
import { addAxe, launch, leave, lone, note, serve, windowOf } from "./host.mjs";

const [book, executablePath, report, answersFile] = process.argv.slice(2);
const asked = JSON.parse(readFileSync(answersFile, "utf8"));
const STILL = { reducedMotion: "reduce" }; // what scrolls cannot be pressed
const DESK = { viewport: { width: 1440, height: 900 }, colorScheme: "light", ...STILL };
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true, ...STILL };
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

let drillsAlone; // the page that is sent of most chapters, for the rest takes longest
const whole = await serve(book), bare = await serve(book, () => drillsAlone);
const browser = await launch(executablePath);
const plain = await (await windowOf(browser)).newPage();
await plain.goto(`${whole.origin}404.html`);
const tabs = [];
for (const settings of [DESK, PHONE]) tabs.push(await (await windowOf(browser, settings)).newPage());

async function opened(name, settings, problems) {
  drillsAlone = await lone(plain, whole.origin + name, ".tl-drill");
  const page = await (await windowOf(browser, settings)).newPage();
  return pageIn(page, bare, name, problems, settings.javaScriptEnabled !== false);
}

async function pageIn(page, { origin }, name, problems, scripts = true) {
  page.removeAllListeners();
  note(page, origin, scripts, problems);
  await page.goto(origin + name, { waitUntil: "domcontentloaded" });
  return page;
}

const boxOf = (page, drill) => page.locator(".tl-drill", { has: page.locator(`#drill-${drill}`) });

// Types answers, row for row, sends the form, and tells what the drill says; all at once, in the page. After
// each row it asks for new numbers, if they are `renewed`.
function answers(box, [rows, renewed]) {
  return rows.map((typed) => {
    const fields = [...box.querySelectorAll("input, select")];
    typed.forEach((text, i) => { fields[i].value = text; });
    box.querySelector("form").requestSubmit();
    const said = {
      fields: fields.length,
      verdicts: [...box.querySelectorAll(".tl-verdict")].map((e) => e.textContent),
      invalid: fields.map((e) => e.getAttribute("aria-invalid")),
      said: box.querySelector("[role=status]").textContent,
      score: box.querySelector("form > p:last-child > span").textContent,
      text: box.querySelector(".tl-numbers").textContent,
    };
    if (renewed) [...box.querySelectorAll("button")].find((e) => e.textContent === "New numbers").click();
    return said;
  });
}
const answer = async (box, typed) => (await box.evaluate(answers, [[typed], false]))[0];

const problemsOf = {};
for (const [index, [name, drills]] of Object.entries(asked).entries()) {
  const problems = (problemsOf[name] = []);
  const same = (what, found, wanted) => {
    const [a, b] = [found, wanted].map((value) => JSON.stringify(value));
    if (a !== b) problems.push(`${what}: ${a}, not ${b}`);
  };
  if (index > 1) drillsAlone = await lone(plain, whole.origin + name, ".tl-drill");
  const page = await pageIn(tabs[index % 2], index < 2 ? whole : bare, name, problems);
  if (index < 2) await page.evaluate(() => { // the rest of the chapter only takes time
    const article = document.querySelector("article");
    article.replaceChildren(...article.querySelectorAll(".tl-drill"));
  });
  same("drills", await page.locator(".tl-drill").count(), Object.keys(drills).length);
  for (const [drill, { right, wrong, typed }] of Object.entries(drills)) {
    const box = await boxOf(page, drill).elementHandle(); // asked for once, it answers sooner
    const n = right[0].length;
    const said = (k) => `${k} of ${n} right.`;
    same(`${drill}: solution`, await box.$eval(".tl-key", (e) => e.open), false);
    same(`${drill}: empty`, (await answer(box, [])).verdicts, Array(n).fill("Empty"));
    const replies = await box.evaluate(answers, [typed.map(([text]) => [text]), false]);
    for (const [i, [text, verdict]] of typed.entries()) {
      const [first] = replies[i].verdicts;
      if (!first.startsWith(verdict)) problems.push(`${drill}: "${text}" is ${first}, not ${verdict}`);
    }
    const mistaken = await answer(box, wrong.map(([text]) => text));
    same(`${drill}: wrong`, mistaken.verdicts, wrong.map(([, hint]) => `✗ Wrong. ${hint}`));
    same(`${drill}: invalid`, mistaken.invalid, Array(n).fill("true"));
    same(`${drill}: all wrong`, mistaken.said, said(0));
    const texts = new Set();
    for (const [k, shown] of (await box.evaluate(answers, [right, true])).entries()) {
      same(`${drill} ${k}: right`, shown.verdicts, Array(n).fill("✓ Right"));
      same(`${drill} ${k}: fields`, shown.fields, n);
      same(`${drill} ${k}: said`, shown.said, said(n));
      same(`${drill} ${k}: score`, shown.score, `Solved: ${k + 1} of ${right.length}`);
      texts.add(shown.text);
    }
    same(`${drill}: different numbers`, texts.size, right.length);
    const small = await box.$$eval("input, select, button, summary", (all) => all
      .filter((e) => e.getBoundingClientRect().height < 44).map((e) => e.outerHTML.slice(0, 60)));
    same(`${drill}: small`, small, []);
    same(`${drill}: wide`, await box.evaluate((e) => e.scrollWidth > e.clientWidth), false);
  }
  if (index < 2) { // on a desk in the light, on a phone in the dark
    await addAxe(page);
    const violations = await page.evaluate(async (runOnly) => {
      const found = await window.axe.run({ include: [[".tl-drill"]] }, { runOnly });
      return found.violations.map((v) => `${v.id}: ${v.nodes[0].target}`);
    }, RULES);
    same("axe", violations, []);
  }
  await page.emulateMedia({ media: "print" });
  same("a form on paper", await page.locator(".tl-drill form:visible").count(), 0);
  await page.emulateMedia({ media: null });
  await leave(page);
}

// Once: by keys alone, with the memory kept, with the solution opened, without memory, without
// scripts, and with formulas in other numbers.
const [name, drills] = Object.entries(asked)[0];
const [drill, { right }] = Object.entries(drills)[0];
const elsewhere = (problemsOf.elsewhere = []);
const holds = (what, condition) => { if (!condition) elsewhere.push(what); };
{
  const page = await opened(name, DESK, elsewhere);
  const box = boxOf(page, drill);
  const score = () => box.locator("form > p:last-child > span").textContent();
  await box.locator("input, select").first().focus();
  for (const text of right[0]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter"); // on Check
  holds(`by keys: ${await score()}`, (await score()) === `Solved: 1 of ${right.length}`);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space"); // on New numbers
  const focused = await box.locator("input, select").first().evaluate((e) => e === document.activeElement);
  holds("new numbers do not lead to the first field", focused);
  await page.reload({ waitUntil: "load" }); // nothing moves any more
  holds("solved ones are forgotten", (await score()) === `Solved: 1 of ${right.length}`);
  await box.getByRole("button", { name: "New numbers" }).click();
  await box.locator("summary").click();
  await box.locator(".tl-key[open]").waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await answer(box, right[1]);
  holds("an opened solution counts", (await score()) === `Solved: 1 of ${right.length}`);
  await leave(page);
  await page.context().close();
}
{
  const page = await opened(name, DESK, []); // the theme complains
  await page.context().addInitScript(() => {
    Object.defineProperty(window, "localStorage", { get() { throw new Error("shut"); } });
  });
  await page.reload({ waitUntil: "domcontentloaded" });
  const { score } = await answer(boxOf(page, drill), right[0]);
  holds(`without memory: ${score}`, score === `Solved: 1 of ${right.length}`);
  await leave(page);
  await page.context().close();
}
{
  const page = await opened(name, { ...PHONE, javaScriptEnabled: false }, elsewhere);
  const box = boxOf(page, drill);
  holds("a form without scripts", (await box.locator("form").count()) === 0);
  holds("one set of numbers without scripts", (await box.locator("div.tl-numbers").count()) === 1);
  await box.locator("summary").click();
  holds("no solution without scripts", await box.locator(".tl-key p").first().isVisible());
  await leave(page);
  await page.context().close();
}
{
  const [formulas] = Object.entries(asked).find(([, drills]) => "shapley" in drills) ?? [];
  if (formulas) {
    const page = await opened(formulas, DESK, elsewhere);
    const box = boxOf(page, "shapley");
    await box.getByRole("button", { name: "New numbers" }).click();
    await box.locator("math").first().waitFor();
    await leave(page);
    await page.context().close();
  }
}
await browser.close();
for (const { stop } of [whole, bare]) stop();
writeFileSync(report, JSON.stringify(problemsOf, null, 1));
