// Asks the search of the built book and writes what it answers as JSON.
//
//   node search.mjs BOOK_FOLDER CHROMIUM REPORT.json QUERY...
//
// Each query is asked on a page served from this machine, through the search field of a chapter, and
// on the same page opened as a file.

import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { launch, leave, note, serve, windowOf, windowOfFiles } from "./host.mjs";

const [book, executablePath, report, ...queries] = process.argv.slice(2);

// The addresses, titles and snippets of what is found, in order.
function results() {
  return [...document.querySelectorAll("#search-results > li")].map((item) => ({
    page: item.querySelector("a").getAttribute("href").replace(/\.html$/, ""),
    title: item.querySelector("a").textContent,
    snippets: [...item.querySelectorAll("p")].map((p) => p.textContent),
    links: [...item.querySelectorAll("a")].map((a) => a.getAttribute("href")),
  }));
}

const { origin, stop } = await serve(book, { formulas: false });
const browser = await launch(executablePath);
const answers = { served: {}, file: {}, problems: [] };
const context = await windowOf(browser);
const page = await context.newPage();
note(page, origin, true, answers.problems);
for (const query of queries) {
  await page.goto(`${origin}search.html?q=${encodeURIComponent(query)}`);
  answers.served[query] = await page.evaluate(results);
  await leave(page);
}
await page.goto(`${origin}notebooks/01_reading_a_tree.html`);
await leave(page);
await page.keyboard.press("Control+k");
await page.keyboard.type(queries[0]);
await page.keyboard.press("Enter");
await page.waitForURL(/search\.html\?q=/);
await page.waitForSelector("#search-results > li");
answers.field = await page.evaluate(results);
const folder = pathToFileURL(join(book, "/")).href;
const offline = await (await windowOfFiles(browser)).newPage();
note(offline, folder, true, answers.problems);
for (const query of queries) {
  await offline.goto(`${folder}search.html?q=${encodeURIComponent(query)}`);
  answers.file[query] = await offline.evaluate(results);
  await leave(offline);
}
await leave(page);
await browser.close();
stop();
writeFileSync(report, JSON.stringify(answers, null, 1));
