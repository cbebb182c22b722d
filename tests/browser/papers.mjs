// Prints exam papers as PDF: FOLDER/html/NAME.html as FOLDER/NAME.pdf for every NAME, a line each.
//
//   node papers.mjs FOLDER CHROMIUM < NAMES
//
// A page says when its formulas are set (data-ready on the html element). Nothing may be wider than
// the paper. Every other host is blocked.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch, leave, note, serve } from "./host.mjs";

const [folder, executablePath] = process.argv.slice(2);
const names = readFileSync(0, "utf8").split("\n").filter(Boolean);
const { origin, stop } = await serve(join(folder, "html"));
const browser = await launch(executablePath);
const context = await browser.newContext({ serviceWorkers: "block" });
const page = await context.newPage();
await page.emulateMedia({ media: "print" });
await page.setViewportSize({ width: 643, height: 980 }); // 170 mm, the width of the text
const problems = [];
note(page, origin, true, problems);
page.setDefaultTimeout(120000);
for (const name of names) {
  await page.goto(`${origin}${encodeURIComponent(name)}.html`);
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  await page.evaluate(() => Promise.allSettled([...document.fonts].map((font) => font.load())));
  const broken = await page.locator("mjx-merror").count();
  if (broken) problems.push(`${name}: ${broken} formula(s) that MathJax cannot read`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) problems.push(`${name}: ${wide} pixels wider than the paper`);
  const pdf = await page.pdf({ printBackground: true, preferCSSPageSize: true, tagged: true });
  writeFileSync(join(folder, `${name}.pdf`), pdf);
  await leave(page);
}
await browser.close();
stop();
if (problems.length) {
  console.error([...new Set(problems)].join("\n"));
  process.exit(1);
}
