// Reads a chapter as a person would and writes what is wrong as JSON: the code, the questions, the
// steppers, on a desk in the light and on a phone in the dark.
//
//   node reading.mjs BOOK_FOLDER CHROMIUM REPORT.json PAGE '[[4, 1], ...]'
//
// The last argument tells of each question how many options it has, and which one is right, as
// [options, right].

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { addAxe, foreignFonts, launch, leave, note, serve, windowOf } from "./host.mjs";

const [book, executablePath, report, name, answers] = process.argv.slice(2);
const asked = JSON.parse(answers);
const VIEWS = {
  desk: { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true },
};

// Says what is wrong, once for each thing that is.
class Checks {
  problems = [];

  same(what, found, wanted) {
    const [a, b] = [found, wanted].map((value) => JSON.stringify(value));
    if (a !== b) this.problems.push(`${what}: ${a}, not ${b}`);
  }

  holds(what, condition) {
    if (!condition) this.problems.push(what);
  }
}

async function open(context, address, origin, problems) {
  const page = await context.newPage();
  note(page, origin, true, problems);
  await page.goto(address, { waitUntil: "load" });
  await page.evaluate(() => document.fonts.ready);
  return page;
}

async function large(locator) {
  const box = await locator.boundingBox();
  return box && box.width >= 44 && box.height >= 44;
}

// Lines, sizes and places: 66 to 75 characters of text in a line, code in one size, captions beside
// their figures, and a definition beside the term that the pointer or the focus is on.
async function looks(page, checks) {
  const isDesk = page.viewportSize().width >= 1200;
  const sizes = await page.locator("article pre:not(.tl-live-editor pre)").evaluateAll((all) =>
    [...new Set(all.filter((e) => e.checkVisibility()).map((e) => getComputedStyle(e).fontSize))]);
  checks.same("sizes of code", sizes, [isDesk ? "14px" : "13px"]);
  // What a line would hold if it were full: by the length of the text when it stands in one line.
  const lines = await page.locator("article section > p:not(:has(math))").evaluateAll((all) => {
    const boxes = () => all.map((p) => p.getBoundingClientRect());
    const style = (text) => { for (const p of all) p.style.cssText = text; };
    const now = boxes();
    style("white-space: nowrap; width: max-content");
    const whole = boxes();
    style("");
    return all.flatMap((p, i) => now[i].height > 70 ? [p.textContent.length * now[i].width / whole[i].width] : []);
  });
  const middle = lines.sort((a, b) => a - b)[Math.floor(lines.length / 2)];
  const [least, most] = isDesk ? [66, 75] : [35, 50];
  checks.holds(`${middle} characters in a line`, middle >= least && middle <= most);
  const apart = await page.locator("figure.margin-caption").evaluateAll((all) => all.map((e) => {
    const [drawn, said] = [e.firstElementChild, e.querySelector("figcaption")].map((x) => x.getBoundingClientRect());
    return [said.left >= drawn.right, said.top >= drawn.bottom - 1, said.right <= document.documentElement.clientWidth];
  }));
  const wanted = JSON.stringify([isDesk, !isDesk, true]);
  checks.holds(`captions: ${JSON.stringify(apart)}`, apart.length > 0 && apart.every((x) => JSON.stringify(x) === wanted));
  const card = page.locator("#tl-definition"), term = page.locator("article p > a:has(.std-term)").first();
  const open = () => card.isVisible();
  checks.holds("a definition is shown before anybody asks", !(await open()));
  if (isDesk) {
    await term.hover();
    await page.clock.runFor(200);
    checks.holds("no definition under the pointer", await open());
    const [text, word, box] = await Promise.all([page.locator("article section > p").first(), term, card].map((e) => e.boundingBox()));
    checks.holds("the definition is not beside its term", box.x > text.x + text.width && Math.abs(box.y - word.y) < 40);
    checks.same("described by", await term.getAttribute("aria-describedby"), "tl-definition");
    await page.mouse.move(0, 0);
    await page.clock.runFor(400);
    checks.holds("the definition stays", !(await open()));
  }
  await page.keyboard.press("Tab"); // what is focused next is focused by a key
  await term.focus();
  checks.holds("no definition at the focus", await open());
  checks.holds("an empty definition", (await card.textContent()).length > 30);
  await page.keyboard.press("Escape");
  checks.holds("Escape does not close the definition", !(await open()));
}

// No line of code is cut off on a desk.
async function codeFits(page, checks) {
  if (page.viewportSize().width < 1440) return;
  const cut = await page.locator(".cell_input pre").evaluateAll((blocks) => blocks
    .filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.textContent.slice(0, 60)));
  checks.same("code cut off", cut, []);
}

// What a question shows: of each option the verdict, and whether its reply is to be seen.
const shown = (quiz) => quiz.locator("> details").evaluateAll((options) => options.map((e) => [
  e.querySelector(".tl-verdict").textContent, e.querySelector("p").checkVisibility()]));
const score = (page) => page.locator(".tl-score").textContent();

function told(right, rest) {
  const start = `${right} of ${asked.length} questions answered right at the first try`;
  return rest ? `${start}; ${rest} to go.` : `${start}.`;
}

// Every other question is answered wrong first, then right; the others right at once.
async function questions(page, byKeys, checks) {
  const quizzes = page.locator(".tl-quiz");
  checks.same("questions", await quizzes.count(), asked.length);
  checks.same("score before", await score(page), told(0, asked.length));
  let right = 0;
  for (const [k, [options, correct]] of asked.entries()) {
    const quiz = quizzes.nth(k);
    const summaries = quiz.locator("summary");
    const letters = await quiz.locator(".tl-letter").allTextContents();
    checks.same(`letters of ${k + 1}`, letters.join(""), "ABCDEFGH".slice(0, options));
    const label = await quiz.evaluate(
      (e) => document.getElementById(e.getAttribute("aria-labelledby"))?.textContent ?? "");
    checks.holds(`question ${k + 1} is called "${label}"`, label.startsWith(`${k + 1}.`));
    const wanted = Array.from({ length: options }, () => ["", false]);
    const wrong = (correct + 1) % options;
    for (const i of k % 2 ? [wrong, correct] : [correct]) {
      checks.holds(`option ${k + 1}.${i} is small`, await large(summaries.nth(i)));
      if (byKeys) {
        await summaries.nth(i).focus();
        await page.keyboard.press("Enter");
      } else await summaries.nth(i).tap();
      wanted[i] = [i === correct ? "✓ Right" : "✗ Wrong", true];
      checks.same(`question ${k + 1}, option ${i}`, await shown(quiz), wanted);
      const spoken = await page.locator(".tl-progress [role=status]").textContent();
      const start = i === correct ? "Right. Yes" : "Wrong. No";
      checks.holds(`said after ${k + 1}.${i}: ${spoken}`, spoken.startsWith(start));
    }
    right += k % 2 ? 0 : 1;
    checks.same(`score after ${k + 1}`, await score(page), told(right, asked.length - k - 1));
  }
  const colors = await quizzes.nth(1).evaluate((e) => ["right", "wrong"].map(
    (kind) => getComputedStyle(e.querySelector(`.tl-${kind}`)).borderLeftColor));
  checks.holds("right and wrong have one color", colors[0] !== colors[1]);
  await page.reload({ waitUntil: "load" });
  checks.same("score after reading again", await score(page), told(right, 0));
  const first = await shown(quizzes.nth(0));
  checks.same("verdict after reading again", first[asked[0][1]][0], "✓ Right");
}

async function forgets(page, checks) {
  const button = page.getByRole("button", { name: "Forget my answers" });
  checks.holds("the button that forgets is small", await large(button));
  await button.click();
  checks.same("score when forgotten", await score(page), told(0, asked.length));
  checks.holds("nothing to forget, and still a button", !(await button.isVisible()));
  await page.reload({ waitUntil: "load" });
  checks.same("score when forgotten and read again", await score(page), told(0, asked.length));
}

// Buttons move, the slider follows, nothing jumps, Play stops at the end.
async function steppers(page, checks) {
  for (const stepper of await page.locator("figure.tl-stepper").all()) {
    const id = await stepper.getAttribute("id");
    const button = (word) => stepper.getByRole("button", { name: word, exact: true });
    const n = await stepper.locator(".tl-frame").count();
    const output = stepper.locator("output");
    const place = () => stepper.evaluate((e) => {
      const controls = e.querySelector(".tl-controls").getBoundingClientRect();
      const caption = e.querySelector(".tl-now .tl-caption").getBoundingClientRect();
      return [e.offsetHeight, Math.round(caption.top - controls.bottom)];
    });
    const [height, gap] = await place();
    checks.holds(`${id}: the caption is ${gap} px below the controls`, gap >= 0 && gap < 40);
    for (const word of ["Back", "Play", "Next"])
      checks.holds(`${id}: ${word} is small`, await large(button(word)));
    const range = await stepper.locator("input").boundingBox();
    const room = await stepper.locator(".tl-controls").boundingBox();
    checks.holds(`${id}: a slider of ${range.width} px`, range.height >= 44 && range.width > 0.35 * room.width);
    for (let i = 1; i <= n; i++) {
      checks.same(`${id}: step`, await output.textContent(), `${i} of ${n}`);
      checks.same(`${id}: height and place at step ${i}`, await place(), [height, gap]);
      await button("Next").click({ force: i === n }); // the last time it is off, and does nothing
    }
    checks.same(`${id}: after the last`, await output.textContent(), `${n} of ${n}`);
    checks.same(`${id}: Next at the end`, await button("Next").getAttribute("aria-disabled"), "true");
    await button("Back").click();
    checks.same(`${id}: one back`, await output.textContent(), `${n - 1} of ${n}`);
    await button("Next").click();
    await button("Play").click();
    checks.same(`${id}: playing starts anew`, await output.textContent(), `1 of ${n}`);
    await page.clock.runFor(2100);
    checks.same(`${id}: playing`, await output.textContent(), `2 of ${n}`);
    if (n > 2) {
      await button("Pause").click();
      await page.clock.runFor(5000);
      checks.same(`${id}: paused`, await output.textContent(), `2 of ${n}`);
      await button("Play").click();
    }
    await page.clock.runFor(2000 * n);
    checks.same(`${id}: played`, await output.textContent(), `${n} of ${n}`);
    checks.holds(`${id}: plays on after the end`, await button("Play").isVisible());
  }
}

// On paper all frames are to be seen, the controls are not; who wants less motion has no Play.
async function paperAndMotion(page, checks) {
  await page.emulateMedia({ media: "print" });
  const frames = page.locator(".tl-stepper .tl-frame");
  const tops = await frames.evaluateAll((all) => all.map((e) =>
    getComputedStyle(e).visibility === "visible" ? e.getBoundingClientRect().top : NaN));
  checks.holds("frames are missing on paper", tops.length > 0 && tops.every((t, i) => t > (tops[i - 1] ?? -Infinity)));
  checks.holds("controls on paper", !(await page.locator(".tl-controls").first().isVisible()));
  await page.emulateMedia({ media: null, reducedMotion: "reduce" });
  await page.reload({ waitUntil: "load" });
  checks.holds("Play moves who asked for less motion",
    !(await page.getByRole("button", { name: "Play" }).first().isVisible()));
  await page.getByRole("button", { name: "Next", exact: true }).first().click();
  checks.holds("Next fails with less motion",
    (await page.locator(".tl-stepper output").first().textContent()).startsWith("2 of"));
  await page.emulateMedia({ reducedMotion: null });
}

async function isAccessible(page, checks) {
  await addAxe(page);
  const parts = [".tl-quiz", ".tl-progress", ".tl-stepper"];
  const violations = await page.evaluate(async (include) => {
    const result = await window.axe.run({ include }, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
      resultTypes: ["violations"],
    });
    return result.violations.map((v) => `axe ${v.id}: ${v.help}: ${v.nodes[0].target}`);
  }, parts.map((part) => [part]));
  checks.problems.push(...violations);
}

// A link under the pointer takes another color, which can be read, too.
async function underPointer(page, checks) {
  const atTheSide = page.viewportSize().width < 1440 ? [] : [".bd-links a", ".page-toc a"];
  for (const name of ["article p > a.reference", ".prev-next-area a", ...atTheSide]) {
    const link = page.locator(name).first();
    await link.hover();
    const low = await link.evaluate(async (e) => {
      const { violations } = await window.axe.run(e, { runOnly: ["color-contrast"] });
      return violations.flatMap((v) => v.nodes.map((n) => n.any[0].message));
    });
    checks.same(`under the pointer: ${name}`, low, []);
  }
  await page.mouse.move(0, 0);
}

// Where the browser remembers nothing the page works, and forgets.
async function withoutMemory(origin, checks) {
  const context = await windowOf(browser, VIEWS.desk);
  await context.addInitScript(() => {
    Object.defineProperty(window, "localStorage", { get() { throw new Error("shut"); } });
  });
  const page = await open(context, origin + name, origin, []);
  await page.locator(".tl-quiz summary").nth(asked[0][1]).click();
  checks.same("score without memory", await score(page), told(1, asked.length - 1));
  await context.close();
}

async function asFile(checks) {
  const context = await windowOf(browser, VIEWS.phone);
  const page = await context.newPage();
  page.on("pageerror", (error) => checks.problems.push(`as a file: ${error.message}`));
  await page.goto(pathToFileURL(resolve(book, name)).href, { waitUntil: "load" });
  await page.locator(".tl-quiz summary").nth(asked[0][1]).click();
  await page.reload({ waitUntil: "load" });
  checks.same("score as a file", await score(page), told(1, asked.length - 1));
  await context.close();
}

const { origin, stop } = await serve(book);
const browser = await launch(executablePath);
const results = {};
for (const [view, settings] of Object.entries(VIEWS)) {
  const checks = new Checks();
  const context = await windowOf(browser, settings);
  await context.clock.install();
  const page = await open(context, origin + name, origin, checks.problems);
  await codeFits(page, checks);
  await looks(page, checks);
  await questions(page, view === "desk", checks);
  await isAccessible(page, checks);
  await underPointer(page, checks);
  if (view === "phone") checks.problems.push(...await foreignFonts(page)); // replies and verdicts, too
  await forgets(page, checks);
  await steppers(page, checks);
  if (view === "desk") await paperAndMotion(page, checks);
  await leave(page);
  await context.close();
  results[view] = checks.problems;
}
const checks = new Checks();
await withoutMemory(origin, checks);
await asFile(checks);
results.elsewhere = checks.problems;
await browser.close();
stop();
writeFileSync(report, JSON.stringify(results, null, 1));
