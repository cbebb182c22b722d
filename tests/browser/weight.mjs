// Weighs pages of the built book and watches whether anything on them moves while they load.
//
//   node weight.mjs BOOK_FOLDER CHROMIUM REPORT.json PAGES.json
//
// A page is opened at a desk and on a phone over a mobile network, where fonts come late. What it asks for
// is counted as a server would send it: compressed, but for what is compressed already. The report has for
// each page its files and their bytes, and for each width the layout shift (as Web Vitals count it) and the
// elements that moved.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { launch, leave, note, serve, windowOf } from "./host.mjs";

const [book, executablePath, report, named] = process.argv.slice(2);
const VIEWS = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};
const LATENCY = 60, SPEED = 1100; // ms, bytes per ms
const COMPRESSED = /\.(woff2?|png|jpe?g|zip)$/;

function watch() {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries())
      if (!shift.hadRecentInput) window.shifts.push([shift.value, shift.startTime, shift.sources.map(
        ({ node, previousRect: was, currentRect: now }) => `${node?.nodeName} ` +
          `${node?.className ?? node?.textContent?.slice(0, 40)} ${[was.x, was.y, was.width, was.height]} to ${[now.x, now.y, now.width, now.height]}`)]);
  }).observe({ type: "layout-shift", buffered: true });
}

// The largest sum of shifts within five seconds, with less than one between two of them.
function shiftOf(shifts) {
  let most = 0, sum = 0, first = -Infinity, last = -Infinity;
  for (const [value, at] of shifts) {
    if (at - last > 1000 || at - first > 5000) [sum, first] = [0, at];
    last = at;
    most = Math.max(most, sum += value);
  }
  return most;
}

const { origin, stop } = await serve(book);
const pathOf = (request) => request.url().replace(origin, "").replace(/[?#].*/, "");
const sizes = {};
function bytesOf(path) {
  const read = () => readFileSync(join(book, decodeURIComponent(path)));
  return sizes[path] ??= (COMPRESSED.test(path) ? read() : gzipSync(read(), { level: 9 })).length;
}

const browser = await launch(executablePath);
const results = {};
for (const name of JSON.parse(readFileSync(named, "utf8"))) {
  const problems = [], files = {}, moved = {};
  for (const [view, settings] of Object.entries(VIEWS)) {
    const context = await windowOf(browser, settings);
    await context.addInitScript(watch);
    const page = await context.newPage();
    await page.route("**/*", async (route) => {
      const wait = LATENCY + bytesOf(pathOf(route.request())) / SPEED;
      await new Promise((done) => setTimeout(done, wait));
      await route.continue();
    });
    note(page, origin, true, problems);
    page.on("requestfinished", (request) => {
      const path = pathOf(request);
      files[path] = bytesOf(path);
    });
    await page.goto(origin + name, { waitUntil: "load" });
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(500);
    const shifts = await page.evaluate(() => window.shifts);
    moved[view] = { shift: shiftOf(shifts), shifts };
    await leave(page);
    await context.close();
  }
  results[name] = { problems, files, moved };
}
await browser.close();
stop();
writeFileSync(report, JSON.stringify(results, null, 1));
