// Opens every page of the built book in Chromium and writes what is wrong with each as JSON.
//
//   node check.mjs BOOK_FOLDER CHROMIUM REPORT.json
//
// The book is served from this machine and every other host is blocked. Each page is opened at the
// width of a phone and of a desk, light and dark, and once with scripts switched off.

import { createServer } from "node:http";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, normalize, relative, sep } from "node:path";
import { chromium } from "playwright-core";

const [book, executablePath, report] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];
const VIEWS = [
  { name: "phone, light", width: 390, height: 844, colorScheme: "light" },
  { name: "phone, dark", width: 390, height: 844, colorScheme: "dark" },
  { name: "desk, light", width: 1280, height: 900, colorScheme: "light" },
  { name: "desk, dark", width: 1280, height: 900, colorScheme: "dark" },
  { name: "no scripts", width: 1280, height: 900, colorScheme: "light", scripts: false },
];
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css",
  ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml", ".woff": "font/woff",
  ".woff2": "font/woff2", ".ipynb": "application/json" };

function serve(folder) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    try {
      const body = readFileSync(join(folder, path.endsWith(sep) ? path + "index.html" : path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

function pagesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".html") && !name.split(sep).includes("_static"))
    .filter((name) => !name.split(sep).includes("_modules"))
    .map((name) => relative(folder, join(folder, name)).split(sep).join("/"))
    .sort();
}

function contextOf(browser, { width, height, colorScheme, scripts = true }) {
  return browser.newContext({
    viewport: { width, height }, colorScheme, javaScriptEnabled: scripts, serviceWorkers: "block",
  });
}

// A page of the book, opened; all that goes wrong with it is noted in `problems`.
async function open(context, origin, name, scripts, problems) {
  const page = await context.newPage();
  page.on("request", (request) => {
    const local = [origin, "data:", "blob:"].some((start) => request.url().startsWith(start));
    if (!local) problems.push(`asks another host: ${request.url()}`);
  });
  page.on("console", (m) => m.type() === "error" && problems.push(`console: ${m.text()}`));
  page.on("pageerror", (error) => problems.push(`script error: ${error.message}`));
  page.on("response", (r) => r.status() >= 400 && problems.push(`${r.status()}: ${r.url()}`));
  page.on("requestfailed", (r) => {
    const unwanted = r.resourceType() === "script" && !scripts;
    if (!unwanted) problems.push(`request failed: ${r.url().slice(0, 200)}`);
  });
  await page.goto(origin + name, { waitUntil: "load" });
  await page.waitForURL((url) => !url.pathname.endsWith("/index.html"));
  return page;
}

async function withScripts(page, problems) {
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

  await page.evaluate(axe);
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
  problems.push(...violations.map((v) => `axe ${v}`));
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
  for (const folded of await page.locator("article details").all()) {
    const visible = await folded.evaluate((e) => {
      for (let p = e.parentElement; p; p = p.parentElement) if (p.tagName === "DETAILS") p.open = true;
      return e.querySelector("summary")?.getClientRects().length > 0;
    });
    if (visible && !(await folded.evaluate((e) => e.open))) await folded.locator("summary").first().click();
    if (!visible || !(await folded.evaluate((e) => e.open && e.offsetHeight > 0))) {
      problems.push(`a folded text does not open: ${(await folded.textContent()).trim().slice(0, 60)}`);
    }
  }
  for (const solution of await page.locator("article .solution, article .dropdown").all()) {
    const box = await solution.boundingBox();
    if (!box || box.height < 40) problems.push("a solution is not to be seen");
  }
}

const server = await serve(book);
const origin = `http://127.0.0.1:${server.address().port}/`;
const profile = mkdtempSync(join(tmpdir(), "treelab-browser-"));
const browser = await chromium.launch({ executablePath, args: [...FLAGS, `--disk-cache-dir=${profile}`] });
const pages = pagesOf(book);
const results = Object.fromEntries(pages.map((name) => [name, { problems: [], steppers: 0 }]));
for (const view of VIEWS) {
  const context = await contextOf(browser, view);
  for (const name of pages) {
    const problems = [];
    const scripts = view.scripts ?? true;
    const page = await open(context, origin, name, scripts, problems);
    await (scripts ? withScripts : withoutScripts)(page, problems);
    if (view === VIEWS[2]) results[name].steppers = await moveSteppers(page, problems);
    await page.close();
    results[name].problems.push(...new Set(problems.map((p) => `${view.name}: ${p}`)));
  }
  await context.close();
}
await browser.close();
server.close();
rmSync(profile, { recursive: true, force: true });
writeFileSync(report, JSON.stringify(results, null, 1));
