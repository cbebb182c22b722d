// Opens every page of the built book in Chromium and writes what is wrong with each as JSON.
//
//   node check.mjs BOOK_FOLDER CHROMIUM REPORT.json
//
// The book is served from this machine and every other host is blocked. Each page is opened at the
// width of a phone and of a desk, light and dark, and once with scripts switched off.

import { readdirSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { axe, launch, note, serve } from "./host.mjs";

const [book, executablePath, report] = process.argv.slice(2);
const VIEWS = [
  { name: "phone", width: 390, height: 844, schemes: ["light", "dark"] },
  { name: "desk", width: 1280, height: 900, schemes: ["light", "dark"] },
  { name: "no scripts", width: 1280, height: 900, schemes: [] },
];
function pagesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".html") && !name.split(sep).includes("_static"))
    .filter((name) => !["_modules", "slides"].some((folder) => name.split(sep).includes(folder)))
    .map((name) => relative(folder, join(folder, name)).split(sep).join("/"))
    .sort();
}

// A page of the book, opened; all that goes wrong with it is noted in `problems`.
async function open(context, origin, name, scripts, problems) {
  const page = await context.newPage();
  note(page, origin, scripts, problems);
  await page.goto(origin + name, { waitUntil: "load" });
  await page.waitForURL((url) => !url.pathname.endsWith("/index.html"));
  return page;
}

async function isSound(page, problems) {
  await page.evaluate(async () => {
    await window.MathJax?.startup?.promise;
    await document.fonts.ready;
  });
  const wide = await page.evaluate(() => {
    const limit = document.documentElement.clientWidth;
    if (document.scrollingElement.scrollWidth <= limit) return null;
    const outside = [...document.querySelectorAll("main *")].filter((e) =>
      e.getBoundingClientRect().right > limit + 1).slice(0, 3);
    return outside.map((e) => e.tagName + "." + e.className).join(", ") || "the page";
  });
  if (wide) problems.push(`scrolls sideways: ${wide}`);
  const broken = await page.locator("mjx-merror").count();
  if (broken) problems.push(`${broken} formula(s) that MathJax cannot read`);
}

async function isAccessible(page, scheme, problems) {
  await page.emulateMedia({ colorScheme: scheme });
  await page.waitForFunction((s) => document.documentElement.dataset.theme === s, scheme);
  await page.addStyleTag({ content: "* { transition: none !important }" });
  const violations = await page.evaluate(async () => {
    // Of all pieces of code that are colored alike one is examined, and of all formulas one:
    // there are thousands, each kind looks the same, and the rules take their time.
    const seen = new Set();
    for (const e of document.querySelectorAll("mjx-container, pre span")) {
      const block = e.closest("div.highlight")?.parentElement.className ?? "";
      const kind = e.matches("pre *") ? `${block} ${e.className}` : e.tagName;
      if (seen.has(kind)) e.replaceWith(e.textContent || "x");
      seen.add(kind);
    }
    const result = await window.axe.run(document, {
      runOnly: { type: "tag", values: ["wcag2a", "wcag2aa"] },
      resultTypes: ["violations"],
    });
    return result.violations.map((v) => `${v.id}: ${v.help}: ` + v.nodes.slice(0, 4)
      .map((n) => `${n.target.join(" ")} (${n.any.concat(n.all, n.none)[0]?.message ?? ""})`)
      .join("; ") + (v.nodes.length > 4 ? `; and ${v.nodes.length - 4} more` : ""));
  });
  problems.push(...violations.map((v) => `${scheme}: axe ${v}`));
}

// From the first frame to the last and back, with the arrow keys alone.
async function moveSteppers(page, problems) {
  const steppers = await page.locator("figure.tl-stepper").all();
  for (const stepper of steppers) {
    const id = await stepper.getAttribute("id");
    const range = stepper.locator("input[type=range]");
    const frames = stepper.locator(".tl-frame");
    const n = await frames.count();
    const shown = async () => {
      const visible = [];
      for (let i = 0; i < n; i++) if (await frames.nth(i).isVisible()) visible.push(i);
      return visible.join();
    };
    if (!(await range.isVisible())) {
      problems.push(`${id}: the slider is hidden`);
      continue;
    }
    await range.focus();
    const keys = [...Array(n - 1).fill("ArrowRight"), ...Array(n - 1).fill("ArrowLeft")];
    let at = 0;
    if ((await shown()) !== "0") problems.push(`${id}: does not begin with its first frame alone`);
    for (const key of keys) {
      await page.keyboard.press(key);
      at += key === "ArrowRight" ? 1 : -1;
      const text = await stepper.locator("output").textContent();
      if ((await shown()) !== String(at) || text !== `${at + 1} of ${n}`) {
        problems.push(`${id}: after ${key} frame ${await shown()} is shown ("${text}"), not ${at}`);
        break;
      }
    }
  }
  return steppers.length;
}

// Every frame, picture and folded answer can be read.
async function withoutScripts(page, problems) {
  for (const frame of await page.locator(".tl-frame").all()) {
    const box = await frame.boundingBox();
    if (!box || box.height < 20) problems.push("a frame of a stepper is not to be seen");
  }
  for (const control of await page.locator(".tl-controls").all()) {
    if (await control.isVisible()) problems.push("a slider is shown that cannot move");
  }
  const unreadable = await page.evaluate(() => {
    for (const folded of document.querySelectorAll("article details")) folded.open = true;
    const texts = document.querySelectorAll(
      "article details, article summary, article .solution, article .dropdown, article .toggle");
    return [...texts].filter((e) => e.offsetHeight < 15).map((e) => e.textContent.trim().slice(0, 60));
  });
  problems.push(...unreadable.map((text) => `a folded text is not to be seen: ${text}`));
}

const { origin, stop } = await serve(book);
const browser = await launch(executablePath);
const pages = pagesOf(book);
const results = Object.fromEntries(pages.map((name) => [name, { problems: [], steppers: 0 }]));
for (const { name: view, width, height, schemes } of VIEWS) {
  const scripts = schemes.length > 0;
  const context = await browser.newContext({
    viewport: { width, height }, javaScriptEnabled: scripts, serviceWorkers: "block",
  });
  for (const name of pages) {
    const problems = [];
    const page = await open(context, origin, name, scripts, problems);
    if (scripts) {
      await page.addScriptTag({ content: axe });
      await isSound(page, problems);
      for (const scheme of schemes) await isAccessible(page, scheme, problems);
      if (view === "desk") results[name].steppers = await moveSteppers(page, problems);
    } else {
      await withoutScripts(page, problems);
    }
    await page.close();
    results[name].problems.push(...new Set(problems.map((p) => `${view}: ${p}`)));
  }
  await context.close();
}
await browser.close();
stop();
writeFileSync(report, JSON.stringify(results, null, 1));
