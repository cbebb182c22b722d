// Prints a page of this machine as PDF, with the page numbers of its table of contents.
//
//   node print.mjs FOLDER PAGE CHROMIUM FILE.pdf
//
// The page says when it can be printed (data-ready on the html element). Its table of contents
// has elements [data-to=NAME]: the first printing tells on which page each NAME stands, and the
// second has these numbers. Every other host is blocked.

import { writeFileSync } from "node:fs";
import { foreignFonts, launch, note, serve } from "./host.mjs";

const [folder, name, executablePath, file] = process.argv.slice(2);
// Chromium prints all pages smaller where something is too wide for one; at this scale nothing is.
const OPTIONS = { printBackground: true, preferCSSPageSize: true, outline: true, tagged: true,
  scale: 0.965 };

// The page, counted from 1, of every name that a link of the document leads to.
function pagesOfNames(pdf) {
  const text = pdf.toString("latin1");
  const objects = new Map();
  for (const [, number, body] of text.matchAll(/(?:^|\n)(\d+) 0 obj\s([\s\S]*?)endobj/g))
    objects.set(number, body);
  const order = new Map();
  const visit = (number) => {
    const kids = /\/Kids\s*\[([^\]]*)\]/.exec(objects.get(number));
    if (!kids) return order.set(number, order.size + 1);
    for (const [, kid] of kids[1].matchAll(/(\d+) 0 R/g)) visit(kid);
  };
  visit(/\/Pages (\d+) 0 R/.exec(text)[1]);
  const pages = {};
  for (const [, key, page] of text.matchAll(/\/([\w.#-]+)\s*\[(\d+) 0 R \/XYZ/g))
    pages[key] = order.get(page);
  return pages;
}

const { origin, stop } = await serve(folder);
const browser = await launch(executablePath);
const context = await browser.newContext({ serviceWorkers: "block" });
const page = await context.newPage();
const problems = [];
note(page, origin, true, problems);
page.setDefaultTimeout(300000);
await page.goto(origin + name);
await page.waitForFunction(() => document.documentElement.dataset.ready);
await page.evaluate(() => Promise.allSettled([...document.fonts].map((font) => font.load())));
problems.push(...await foreignFonts(page));
// A layout that begins from the one before may end a page elsewhere: each printing has a new one.
const print = async (options) => {
  await page.evaluate(() => {
    document.body.style.display = "none";
    document.body.getBoundingClientRect();
    document.body.style.display = "";
  });
  return page.pdf({ ...OPTIONS, ...options });
};
// Nothing but the links of the contents is painted the first time, which takes half the time.
const sketch = await page.addStyleTag({ content:
  "* { visibility: hidden !important } nav.contents a { visibility: visible !important }" });
const pages = pagesOfNames(await print({ outline: false, tagged: false }));
await sketch.evaluate((style) => style.remove());
const unknown = await page.evaluate((known) => [...document.querySelectorAll("[data-to]")]
  .filter((e) => !(e.textContent = known[e.dataset.to] ?? "")).map((e) => e.dataset.to), pages);
problems.push(...unknown.map((to) => `the contents name a place that is not there: ${to}`));
const pdf = await print();
writeFileSync(file, pdf);
const last = pagesOfNames(pdf);
const moved = Object.keys(pages).filter((key) => pages[key] !== last[key]);
problems.push(...moved.map((key) => `has moved between the two printings: ${key}`));
await browser.close();
stop();
if (problems.length) {
  console.error([...new Set(problems)].join("\n"));
  process.exit(1);
}
