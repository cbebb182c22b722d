// Asks the search of the built book what it finds, without a browser, and writes it as JSON.
//
//   node find_pages.mjs BOOK_FOLDER CHROMIUM REPORT.json QUERIES.json
//
// The scripts are those that a page loads. Of each query the pages are written, best first, what was
// mended, and what is suggested where there is none.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInThisContext } from "node:vm";

const [book, , report, queries] = process.argv.slice(2);
globalThis.window = globalThis;
for (const name of ["search/minisearch.js", "search/find.js", "search_texts.js"])
  runInThisContext(readFileSync(join(book, "_static", name), "utf8"), { filename: name });
const search = await globalThis.bookSearch.prepare(globalThis.searchTexts, globalThis.MiniSearch);
const answers = Object.fromEntries(JSON.parse(readFileSync(queries, "utf8")).map((query) => {
  const { found, changes, hasAll, meant } = search(query);
  return [query, { pages: found.map(({ about }) => about.page), changes, hasAll, meant }];
}));
writeFileSync(report, JSON.stringify(answers, null, 1));
