// Goes through every deck of slides in Chromium and writes what is wrong with each as JSON.
//
//   node slides.mjs BOOK_FOLDER CHROMIUM REPORT.json
//
// Every slide is reached with the space key alone, in a window of 1280 by 720; what stands on it is
// measured. The axe rules see the whole deck at once. The speaker's view opens with S.

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addAxe, foreignFonts, launch, leave, note, PATIENCE, serve } from "./host.mjs";

const [book, executablePath, report] = process.argv.slice(2);
const SIZE = { width: 1280, height: 720 };

// The slide that is shown: its place, and what does not fit or cannot be read on it.
function look() {
  const slide = document.querySelector("section.present:not(.stack) .slide, section.present.present > .slide");
  const body = slide.querySelector(".body");
  const place = [...document.querySelectorAll(".slide")].indexOf(slide);
  const wrong = [];
  const size = parseFloat(body.style.fontSize);
  if (body.scrollHeight > body.clientHeight) wrong.push(`${body.scrollHeight - body.clientHeight} px too tall`);
  if (body.scrollWidth > body.clientWidth) wrong.push(`${body.scrollWidth - body.clientWidth} px too wide`);
  if (!(size >= 18)) wrong.push(`text of ${size} px`);
  const frame = slide.getBoundingClientRect();
  const head = slide.querySelector(".head").getBoundingClientRect();
  const foot = body.getBoundingClientRect();
  if (frame.left < 0 || frame.right > innerWidth || frame.top < 0 || frame.bottom > innerHeight)
    wrong.push("the slide is larger than the window");
  if (head.bottom > foot.top || foot.bottom > frame.bottom) wrong.push("heading and body overlap");
  for (const image of body.querySelectorAll("img")) {
    if (image.offsetParent && image.getBoundingClientRect().width < 200) wrong.push("a tiny picture");
    if (!image.naturalWidth) wrong.push("a picture is missing");
  }
  for (const picture of body.querySelectorAll("svg.tl-figure")) {
    const box = picture.getBoundingClientRect();
    if (box.width && box.width < 200) wrong.push("a tiny picture");
  }
  return { place, wrong, stepper: Boolean(slide.querySelector(".tl-stepper")) };
}

// The arrow keys move the frames, not the slides, while the slider has the focus.
async function step(page, problems) {
  const stepper = page.locator("section.present:not(.stack) .tl-stepper").first();
  const range = stepper.locator("input[type=range]");
  const steps = Number(await range.getAttribute("max"));
  await range.focus();
  for (let i = 1; i <= steps; i++) {
    await page.keyboard.press("ArrowRight");
    const { wrong } = await page.evaluate(look);
    problems.push(...wrong.map((w) => `stepper, frame ${i + 1}: ${w}`));
  }
  const text = await stepper.locator("output").textContent();
  if (text !== `${steps + 1} of ${steps + 1}`) problems.push(`stepper stops at ${text}`);
  await range.blur();
}

async function walk(page, problems) {
  const slides = await page.locator(".slide").count();
  const keys = slides + await page.locator(".quiz .slide").count();
  const seen = new Set();
  for (let key = 0; key < keys; key++) {
    const { place, wrong, stepper } = await page.evaluate(look);
    if (!seen.has(place)) {
      problems.push(...wrong.map((w) => `slide ${place + 1}: ${w}`));
      if (stepper) await step(page, problems);
    }
    seen.add(place);
    await page.keyboard.press("Space");
  }
  if (seen.size !== slides) problems.push(`the space key reaches ${seen.size} of ${slides} slides`);
  return slides;
}

async function isAccessible(page, problems) {
  await addAxe(page);
  const violations = await page.evaluate(async () => {
    document.body.classList.add("all");
    for (const e of document.querySelectorAll("[aria-hidden=true].slide, section")) {
      e.removeAttribute("aria-hidden");
      e.removeAttribute("hidden");
    }
    const seen = new Set();
    for (const e of document.querySelectorAll("math, pre span")) {
      const kind = e.matches("pre *") ? e.className : e.tagName;
      if (seen.has(kind)) e.replaceWith(e.textContent || "x");
      seen.add(kind);
    }
    const result = await window.axe.run(document, {
      runOnly: { type: "tag", values: ["wcag2a", "wcag2aa"] },
      resultTypes: ["violations"],
    });
    return result.violations.map((v) => `axe ${v.id}: ${v.help}: ` + v.nodes.slice(0, 4)
      .map((n) => `${n.target.join(" ")} (${n.any.concat(n.all, n.none)[0]?.message ?? ""})`)
      .join("; "));
  });
  problems.push(...violations);
}

async function speakerView(page, problems) {
  const opened = page.waitForEvent("popup", { timeout: PATIENCE }).catch(() => null);
  await page.keyboard.press("s");
  const view = await opened;
  if (!view) return problems.push("the speaker's view does not open");
  const shown = await view.waitForFunction(
    () => document.querySelector(".speaker-controls-notes:not(.hidden) .value")?.textContent.trim(),
    null, { timeout: PATIENCE },
  ).catch(() => null);
  if (!shown) problems.push("the speaker's view shows no notes");
  await view.close();
}

// With scripts switched off the slides stand one below the other, answers included.
async function withoutScripts(browser, address, problems) {
  const context = await browser.newContext({ viewport: SIZE, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(address);
  const hidden = await page.evaluate(() => {
    const parts = [...document.querySelectorAll(".slide, .why")];
    const tops = [...document.querySelectorAll(".slide")].map((s) => s.getBoundingClientRect().top);
    return parts.filter((e) => e.offsetHeight < 15 || getComputedStyle(e).visibility !== "visible")
      .length + tops.filter((top, i) => i && top <= tops[i - 1]).length;
  });
  if (hidden) problems.push(`without scripts ${hidden} parts are not to be seen`);
  await context.close();
}

const { origin, stop } = await serve(book);
const browser = await launch(executablePath);
const decks = readdirSync(join(book, "slides")).filter((name) => name.endsWith(".html")).sort();
const results = {};
for (const name of decks) {
  const problems = [];
  const context = await browser.newContext({ viewport: SIZE, serviceWorkers: "block" });
  const page = await context.newPage();
  note(page, origin, true, problems);
  await page.goto(`${origin}slides/${name}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: PATIENCE });
  const unset = await page.locator(".slide .math:not(:has(math))").count();
  if (unset) problems.push(`${unset} formula(s) that are not set`);
  problems.push(...await foreignFonts(page));
  if (name === decks[0]) {
    await speakerView(page, problems);
    await withoutScripts(browser, `${origin}slides/${name}`, problems);
  }
  const slides = await walk(page, problems);
  await isAccessible(page, problems);
  await leave(page);
  results[name] = { slides, problems: [...new Set(problems)] };
  await context.close();
}
await browser.close();
stop();
writeFileSync(report, JSON.stringify(results, null, 1));
