// Weighs the pages of the built book: what a browser fetches for each before mathematics.
//
//   node weigh.mjs BOOK_FOLDER CHROMIUM REPORT.json PAGE...
//
// The reader has not scrolled: images that load late are not in the sum. MathJax is left out.

import { writeFileSync } from "node:fs";
import { launch, serve } from "./host.mjs";

const [book, executablePath, report, ...names] = process.argv.slice(2);
const { origin, stop } = await serve(book);
const browser = await launch(executablePath);
const weights = {};
for (const name of names) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.route("**/mathjax/**", (route) => // it is no part of the weight, and takes longest
    route.fulfill({ contentType: "text/javascript", body: "" }));
  const page = await context.newPage();
  const fetched = [];
  page.on("response", (response) => fetched.push(response));
  await page.goto(origin + name, { waitUntil: "networkidle" });
  const files = {};
  for (const response of fetched) {
    const path = response.url().replace(origin, "").replace(/\?.*/, "");
    if (path.startsWith("data:") || path.includes("/mathjax/")) continue;
    files[path] = (await response.body().catch(() => "")).length;
  }
  // Places of images are kept free: nothing jumps when they come.
  const loose = await page.locator("article img:not([width]):not([style*=width])").evaluateAll(
    (all) => all.map((image) => image.getAttribute("src")).filter((src) => !src.startsWith("data:")));
  // An icon is drawn: it has a mask of its own. A download has none, and no empty place for it.
  const blank = await page.locator("i[class*=fa-], span[class*=fa-]").evaluateAll((all) => all.filter(
    (icon) => !getComputedStyle(icon, "::before").maskImage.startsWith("url(")).map((icon) => icon.className));
  blank.push(...await page.locator("a.reference.download").evaluateAll((all) => all.filter(
    (link) => getComputedStyle(link, "::before").content !== "none").map((link) => link.textContent)));
  weights[name] = {
    bytes: Object.values(files).reduce((sum, size) => sum + size, 0),
    requests: Object.keys(files).length, files, loose, blank,
  };
  await context.close();
}
await browser.close();
stop();
writeFileSync(report, JSON.stringify(weights, null, 1));
