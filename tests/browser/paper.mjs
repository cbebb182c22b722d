// Prints pages of the built book as a reader would, from the browser, and tells what comes out.
//
//   node paper.mjs FOLDER CHROMIUM REPORT PAGE...
//
// The report has for each page and each paper (A4, Letter) what is wider than the box that it stands in;
// what is shown although it has no use on paper; boxes with nothing in them; what may be parted from what it
// belongs to; the titles; and for the first page the number of sheets.

import { writeFileSync } from "node:fs";
import { launch, note, serve } from "./host.mjs";

const PAPERS = { A4: 210, Letter: 215.9 }; // mm
const [folder, executablePath, file, ...pages] = process.argv.slice(2);
const { origin, stop } = await serve(folder);
const browser = await launch(executablePath);
const page = await (await browser.newContext({ serviceWorkers: "block" })).newPage();
const report = {}, problems = [];
page.setDefaultTimeout(300_000);
note(page, origin, true, problems);
await page.emulateMedia({ media: "print" });

// What of a page is wider than the box that it stands in, and what is there that has no use on paper.
function look() {
  const text = (e) => `${e.tagName.toLowerCase()}.${e.getAttribute("class")}: ${e.textContent.trim().replace(/\s+/g, " ").slice(0, 60)}`;
  const seen = (e) => e.checkVisibility() && e.getBoundingClientRect().width > 0;
  const wide = [];
  for (const card of document.querySelectorAll(".tl-sheet > .tl-card")) {
    for (const e of card.querySelectorAll("*")) {
      const { overflowX } = getComputedStyle(e);
      if (overflowX !== "visible" && e.scrollWidth > e.clientWidth + 1) wide.push(`cut: ${text(e)}`);
      // A card may begin in one column and end in the next: an element is in the part that it overlaps.
      for (const { left, right } of e.getClientRects())
        if (![...card.getClientRects()].some((c) => left >= c.left - 0.5 && right <= c.right + 0.5)) wide.push(text(e));
    }
  }
  const sheet = document.querySelector(".bd-article").getBoundingClientRect();
  for (const e of document.querySelectorAll(".bd-article :is(pre, table, svg, math, img, p)"))
    if (seen(e) && !e.closest("svg svg, .tl-spoken") && e.getBoundingClientRect().right > sheet.right + 1) wide.push(text(e));
  const useless = "#jb-print-docs-body, .bd-header-article, .bd-sidebar-primary, .bd-sidebar-secondary, .prev-next-area, .copybtn, " +
    "button, input, .tl-stage, .tl-controls, .headerlink, .bd-footer, .skip-link, #pst-skip-link";
  const shown = [...document.querySelectorAll(useless)].filter(seen).map(text);
  const empty = [...document.querySelectorAll(".bd-article :is(details, .admonition, .cell)")]
    .filter((e) => seen(e) && e.getBoundingClientRect().height > 4 && !e.innerText.trim() && !e.querySelector("svg, img, math")).map(text);
  // What begins something stays with it, and a still picture is not divided.
  const parted = [
    ...[...document.querySelectorAll(".bd-article :is(.tl-title, .tl-caption)")].filter((e) => getComputedStyle(e).breakAfter !== "avoid"),
    ...[...document.querySelectorAll(".tl-frame, .bd-article figure.align-default")].filter((e) => getComputedStyle(e).breakInside !== "avoid"),
  ].filter(seen).map(text);
  const titles = [...document.querySelectorAll("h1")].filter(seen).map((e) => e.innerText.trim());
  return { wide, shown, empty, parted, titles };
}

for (const name of pages) {
  report[name] = {};
  await page.goto(origin + name, { waitUntil: "load" });
  await page.evaluate(() => document.fonts.ready);
  const margin = await page.evaluate(() => { // mm, at each side of the paper
    const rules = [...document.styleSheets].flatMap((s) => [...s.cssRules]);
    const all = rules.flatMap((r) => (r instanceof CSSMediaRule && r.media.mediaText === "print" ? [...r.cssRules] : [r]));
    const sides = all.filter((r) => r instanceof CSSPageRule).map((r) => parseFloat(r.style.marginLeft));
    return sides.at(-1);
  });
  for (const [format, width] of Object.entries(PAPERS)) {
    await page.setViewportSize({ width: Math.floor(((width - 2 * margin) / 25.4) * 96), height: 1000 });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    report[name][format] = await page.evaluate(look);
    if (name !== pages[0]) continue;
    const pdf = await page.pdf({ format, preferCSSPageSize: true, printBackground: true, tagged: true });
    report[name][format].sheets = pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g).length;
  }
}
writeFileSync(file, JSON.stringify({ report, problems }));
await browser.close();
stop();
