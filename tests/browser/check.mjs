// Opens every page of the built book in Chromium and writes what is wrong with each as JSON.
//
//   node check.mjs BOOK_FOLDER CHROMIUM REPORT.json [PAGES.json]
//
// The book is served from this machine and every other host is blocked. Each page is weighed, and laid
// out at 320 px, where WCAG asks that nothing scrolls sideways. PAGES.json has lists of pages. Those that
// are `whole`, or all without a file, are also laid out on a phone and at a desk, and there axe looks at them,
// with what stands beside the text; their steppers are moved by hand, and they are opened with scripts
// switched off if anything on them moves or unfolds. On a phone axe asks them only what a width changes, but
// for those that are `twice` looked at. Of the other pages axe looks at every sixth, in one of these views,
// turn about, and scripts are switched off on another sixth; their steppers are moved by the page itself,
// which need not be painted. Colors are judged light and dark. The pages that are `measured` tell their
// height in a wide window.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { addAxe, foreignFonts, launch, leave, note, PATIENCE, quiet, serve, windowOf } from "./host.mjs";

const [book, executablePath, report, named] = process.argv.slice(2);
const NARROW = { width: 320, height: 640 };
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };
const WIDE = { ...DESK, width: 1440 };
const FOLDS = ".tl-frame, .tl-controls, article :is(details, summary, .solution, .dropdown, .toggle)";
function pagesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".html") && !name.split(sep).includes("_static"))
    .filter((name) => !["_modules", "slides"].some((folder) => name.split(sep).includes(folder)))
    .map((name) => relative(folder, join(folder, name)).split(sep).join("/"))
    .sort();
}

// Opens a page of the book where the one before was, for a new tab takes its time; all that goes wrong
// is noted in `problems`.
async function open(page, origin, name, scripts, problems, size = DESK) {
  page.removeAllListeners();
  note(page, origin, scripts, problems);
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: "light" });
  await page.mouse.move(0, 0); // else a link of this page may lie under the pointer of the last one
  await page.goto(origin + name, { waitUntil: "load" });
  return page;
}

// What the page has fetched before its reader scrolls; images that have
// no place kept free for them; icons that are not drawn; figures that do not move; what has no name for
// those who do not see it, which axe would find, but on every page.
async function weigh(page, origin) {
  await page.evaluate(() => document.fonts.ready);
  await quiet(page);
  return page.evaluate((origin) => {
    const fetched = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
    const files = {};
    for (const { name, decodedBodySize } of fetched)
      if (name.startsWith(origin) && !name.includes("axe.min.js"))
        files[name.replace(origin, "").replace(/[?#].*/, "")] = decodedBodySize;
    const loose = [...document.querySelectorAll("article img:not([width]):not([style*=width])")]
      .map((image) => image.getAttribute("src")).filter((src) => !src.startsWith("data:"));
    // An icon is drawn: it has a mask of its own. A download has none, and no empty place for it.
    const before = (e, property) => getComputedStyle(e, "::before")[property];
    const icons = [...document.querySelectorAll("i[class*=fa-], span[class*=fa-]")];
    const downloads = [...document.querySelectorAll("a.reference.download")];
    const blank = [
      ...icons.filter((e) => !before(e, "maskImage").startsWith("url(")).map((e) => e.className),
      ...downloads.filter((e) => before(e, "content") !== "none").map((e) => e.textContent),
    ];
    const foot = document.querySelector(".bd-footer-content")?.getBoundingClientRect().bottom + scrollY;
    const page = document.documentElement.scrollHeight;
    if (page > innerHeight && page > foot + 50) blank.push(`nothing on the last ${page - foot} px`);
    const still = [...document.querySelectorAll("figure.tl-explorable:not(.tl-on)")].map((e) => e.id);
    const says = (e) => [e.textContent.trim(), e.title, e.ariaLabel, e.getAttribute("aria-labelledby"),
      e.querySelector("img")?.alt].some(Boolean);
    const named = [...document.querySelectorAll(":is(a[href], button, summary, h1, h2, h3, h4):not([aria-hidden=true])")];
    const fields = [...document.querySelectorAll("input:not([type=hidden]), select, textarea")];
    const nameless = [
      ...document.querySelectorAll("img:not([alt]), [role=img]:not([aria-label], [aria-labelledby], :has(> title))"),
      ...named.filter((e) => !says(e)), ...fields.filter((e) => !e.labels.length && !says(e)),
    ].map((e) => `no name: ${e.outerHTML.slice(0, 120)}`);
    return { files, loose, blank, still, nameless };
  }, origin);
}

async function isSound(page, problems) {
  await page.evaluate(() => document.fonts.ready);
  const wide = await page.evaluate(() => {
    const limit = document.documentElement.clientWidth;
    if (document.scrollingElement.scrollWidth <= limit) return null;
    const outside = [...document.querySelectorAll("main *")].filter((e) =>
      e.getBoundingClientRect().right > limit + 1).slice(0, 3);
    return outside.map((e) => e.tagName + "." + e.className).join(", ") || "the page";
  });
  if (wide) problems.push(`scrolls sideways: ${wide}`);
  const formulas = await page.locator("article .math").evaluateAll((all) => all.flatMap((e) => {
    if (!e.checkVisibility()) return [];
    const says = e.textContent.slice(0, 40);
    const parts = [...e.querySelectorAll(":scope > math")];
    if (!parts.length) return [`a formula that is not set: ${says}`];
    if (e.querySelector("[tabindex], a[href]:not(.headerlink)") || e.tabIndex >= 0)
      return [`a formula takes the focus: ${says}`];
    for (let box = e; box.tagName !== "ARTICLE"; box = box.parentElement) {
      const { display, overflowX } = getComputedStyle(box);
      if (["auto", "scroll"].includes(overflowX)) return [];
      if (display === "inline") continue;
      const edge = box.getBoundingClientRect().right + 1;
      return parts.some((part) => part.getBoundingClientRect().right > edge)
        ? [`a formula is wider than its column and does not scroll: ${says}`] : [];
    }
    return [];
  }));
  problems.push(...formulas.slice(0, 3));
}

// Of all pieces of code that are colored alike one is left, and of all formulas one: there are
// thousands, each kind looks the same, and axe takes its time over each. Shapes of pictures say nothing.
function thinOut() {
  const seen = new Set();
  for (const e of document.querySelectorAll("math, pre span, dt.sig span, dt.sig em")) {
    const block = e.closest("div.highlight")?.parentElement.className ?? "";
    const kind = e.matches("math") ? e.tagName : `${block} ${e.className}`;
    if (seen.has(kind)) e.replaceWith(e.matches("pre *, dt *") ? e.textContent : "x");
    seen.add(kind);
  }
  const shapes = "svg :is(path, use, line, rect, circle, polygon, polyline):not([role], [tabindex])";
  for (const e of document.querySelectorAll(shapes)) e.remove();
}

// What stands beside the text is the same on every page, but for the part of it that is unfolded.
function onlyTheText() {
  for (const e of document.querySelectorAll(".bd-sidebar-primary .bd-links__inner, .bd-sidebar-primary .bd-toc-item"))
    e.remove();
}

// Marks one element of each look that is not among those `judged`: text of one color, large or not,
// on one background, and links of one look in text of one look. All words of one look have the same
// contrast, on whatever page they stand. Returns the new looks.
function markLooks(judged) {
  const grounds = new Map([[null, ""]]);
  const groundOf = (e) => {
    if (!grounds.has(e)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(e);
      const covers = /^rgb\(/.test(backgroundColor) && backgroundImage === "none" && opacity === "1";
      const below = covers ? "" : groundOf(e.parentElement);
      grounds.set(e, [opacity, backgroundColor, backgroundImage, below].join());
    }
    return grounds.get(e);
  };
  const lookOf = (e) => {
    const { color, fontSize, fontWeight } = getComputedStyle(e), link = e.closest("a[href]");
    const size = parseFloat(fontSize), large = size >= 24 || fontWeight >= 700 && size >= 18.66;
    const look = [color, large, groundOf(e)];
    if (link) {
      const { textDecorationLine, borderBottom } = getComputedStyle(link);
      const around = getComputedStyle(link.parentElement);
      look.push(fontSize, fontWeight, textDecorationLine, borderBottom, lookOf(link.parentElement));
      look.push(around.fontSize, around.fontWeight);
    }
    return look.join();
  };
  const looks = new Map();
  for (const e of document.body.querySelectorAll("*")) {
    delete e.dataset.look;
    const says = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
    if (!says || !e.checkVisibility({ visibilityProperty: true })) continue;
    const look = lookOf(e);
    if (!looks.has(look)) looks.set(look, e);
  }
  const known = new Set(judged), found = [...looks].filter(([look]) => !known.has(look));
  for (const [, e] of found) e.dataset.look = "";
  return found.map(([look]) => look);
}

const judged = { light: new Set(), dark: new Set() };

const RULES = [["wcag2a", "wcag2aa", "experimental"], ["region", "empty-table-header"]];
const COLORS = ["color-contrast", "link-in-text-block"], WIDTHS = [...COLORS, "scrollable-region-focusable"];

// All rules in the light, or those that a width changes; in the dark the colors, for nothing else changes.
async function isAccessible(page, scheme, isAgain, problems) {
  await page.emulateMedia({ colorScheme: scheme });
  await page.waitForFunction((s) => document.documentElement.dataset.theme === s, scheme);
  const looks = await page.evaluate(markLooks, [...judged[scheme]]);
  if (scheme === "dark" && !looks.length) return;
  const violations = await page.evaluate(async ([runOnly, others]) => {
    window.axe.configure({ rules: [{ id: "color-contrast", selector: "[data-look]" }] });
    const rules = Object.fromEntries(others.map((id) => [id, { enabled: true }]));
    rules["hidden-content"] = { enabled: false }; // looks at every element, and never finds a violation
    const result = await window.axe.run(document, { runOnly, rules, resultTypes: ["violations"] });
    return result.violations.map((v) => `${v.id}: ${v.help}: ` + v.nodes.slice(0, 4)
      .map((n) => `${n.target.join(" ")} (${n.any.concat(n.all, n.none)[0]?.message ?? ""})`)
      .join("; ") + (v.nodes.length > 4 ? `; and ${v.nodes.length - 4} more` : ""));
  }, scheme === "dark" ? [COLORS, []] : isAgain ? [WIDTHS, []] : RULES);
  problems.push(...violations.map((v) => `${scheme}: axe ${v}`));
  if (!violations.length) for (const look of looks) judged[scheme].add(look);
}

// From the first frame to the last, by what the slider tells the page.
async function walkSteppers(page, problems) {
  const { n, wrong } = await page.evaluate(() => {
    const steppers = [...document.querySelectorAll("figure.tl-stepper")];
    const wrong = steppers.flatMap((stepper) => {
      const range = stepper.querySelector("input[type=range]");
      const frames = [...stepper.querySelectorAll(".tl-frame")];
      const shown = () => frames.flatMap(
        (e, i) => (e.checkVisibility({ visibilityProperty: true }) && e.offsetHeight ? [i] : [])).join();
      const begins = shown() === "0" ? [] : [`${stepper.id}: does not begin with its first frame alone`];
      return begins.concat(frames.flatMap((_, at) => {
        range.value = at + Number(range.min);
        range.dispatchEvent(new Event("input", { bubbles: true }));
        const told = stepper.querySelector("output").textContent;
        return shown() === String(at) && told === `${at + 1} of ${frames.length}` ? [] :
          [`${stepper.id}: at ${at} frame ${shown()} is shown ("${told}")`];
      }));
    });
    return { n: steppers.length, wrong };
  });
  problems.push(...wrong);
  return n;
}

// From the first frame to the last and back, with the arrow keys alone; and with the buttons.
async function moveSteppers(page, problems) {
  const steppers = await page.locator("figure.tl-stepper").all();
  for (const stepper of steppers) {
    const id = await stepper.getAttribute("id");
    const range = stepper.locator("input[type=range]");
    const frames = stepper.locator(".tl-frame");
    const n = await frames.count();
    const shown = () => frames.evaluateAll((all) => all.flatMap(
      (e, i) => (e.checkVisibility({ visibilityProperty: true }) && e.offsetHeight ? [i] : [])).join());
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
    for (const [word, frame] of n > 1 ? [["Next", "1"], ["Back", "0"]] : []) {
      await stepper.getByRole("button", { name: word, exact: true }).click();
      if ((await shown()) !== frame) problems.push(`${id}: ${word} leads to ${await shown()}`);
    }
  }
  return steppers.length;
}

// Every frame, picture and folded answer can be read.
async function withoutScripts(page, problems) {
  const [frames, controls] = await page.evaluate(() => [".tl-frame", ".tl-controls"].map(
    (all) => [...document.querySelectorAll(all)].map((e) => e.getBoundingClientRect().height)));
  if (frames.some((height) => height < 20)) problems.push("a frame of a stepper is not to be seen");
  if (controls.some((height) => height > 0)) problems.push("a slider is shown that cannot move");
  const unreadable = await page.evaluate(() => {
    for (const folded of document.querySelectorAll("article details")) folded.open = true;
    const texts = document.querySelectorAll(
      "article details, article summary, article .solution, article .dropdown, article .toggle");
    return [...texts].filter((e) => e.offsetHeight < 15).map((e) => e.textContent.trim().slice(0, 60));
  });
  problems.push(...unreadable.map((text) => `a folded text is not to be seen: ${text}`));
}

// Code that wraps on a phone scrolls on a desk: the theme lets what scrolls take the focus, a moment
// after the width has changed. Where it does not, axe will say so.
async function settles(page) {
  await page.evaluate(() => window.dispatchEvent(new Event("resize")));
  await page.waitForFunction(() => [...document.querySelectorAll("pre, .cell_output > .output")].every(
    (e) => !e.checkVisibility() ||
      (e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight) === (e.tabIndex === 0)),
  null, { timeout: PATIENCE / 10, polling: 100 }).catch(() => {});
}

// One load serves all widths, the first of which it has from the beginning; what is measured comes before
// what is thinned out for axe, which looks at the page in some `views`, the second time not at all of it.
async function withScripts(page, views, isWhole, isTwice, found) {
  await page.addStyleTag({ content: "* { transition: none !important }" });
  const first = isWhole ? found.desk : found.narrow;
  await isSound(page, first);
  first.push(...await foreignFonts(page));
  const steppers = await (isWhole ? moveSteppers : walkSteppers)(page, first);
  if (isWhole) {
    await page.setViewportSize(NARROW);
    await isSound(page, found.narrow);
    await page.setViewportSize(PHONE);
    await isSound(page, found.phone);
  }
  if (!views.length) return steppers;
  await addAxe(page);
  await page.evaluate(thinOut);
  if (!isWhole) await page.evaluate(onlyTheText);
  for (const view of views) {
    await page.setViewportSize(view === "phone" ? PHONE : DESK);
    await settles(page);
    const isAgain = view !== views[0] && !isTwice;
    for (const scheme of ["light", "dark"]) await isAccessible(page, scheme, isAgain, found[view]);
  }
  return steppers;
}

const { origin, stop } = await serve(book);
const browser = await launch(executablePath);
const settings = { viewport: DESK, reducedMotion: "reduce" }; // what scrolls cannot be pressed
const windows = {
  scripts: await windowOf(browser, settings),
  noScripts: await windowOf(browser, { viewport: DESK, javaScriptEnabled: false }),
};
const results = {};
const pages = pagesOf(book);
const lists = named ? JSON.parse(readFileSync(named, "utf8")) : { whole: pages, twice: pages, measured: [] };
const [whole, twice, measured] = ["whole", "twice", "measured"].map((list) => new Set(lists[list]));
const numbers = new Map(pages.filter((name) => !whole.has(name)).map((name, k) => [name, k]));

// While one page is waited for, the other one goes on.
async function lookAtSome() {
  const tabs = {};
  for (const kind of Object.keys(windows)) tabs[kind] = await windows[kind].newPage();
  for (let name = pages.shift(); name; name = pages.shift()) {
    const isWhole = whole.has(name), number = numbers.get(name), views = isWhole ? ["desk", "phone"] :
      number % 6 === 1 ? [number % 4 === 1 ? "phone" : "desk"] : [];
    const found = { opening: [], narrow: [], phone: [], desk: [], "no scripts": [] };
    const page = tabs.scripts;
    const seen = { steppers: 0, files: {}, loose: [], blank: [], still: [], nameless: [], folds: false, silent: false };
    try {
      await open(page, origin, name, true, found.opening, isWhole ? DESK : NARROW);
      Object.assign(seen, await weigh(page, origin));
      seen.folds = await page.locator(FOLDS).count() > 0;
      seen.silent = seen.folds && (isWhole || number % 6 === 4);
      if (measured.has(name)) {
        await page.setViewportSize(WIDE);
        seen.height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize(isWhole ? DESK : NARROW);
      }
      seen.steppers = await withScripts(page, views, isWhole, twice.has(name), found);
      await leave(page);
      if (seen.silent) {
        await open(tabs.noScripts, origin, name, false, found["no scripts"]);
        await withoutScripts(tabs.noScripts, found["no scripts"]);
        await leave(tabs.noScripts);
      }
    } catch (error) { // the next page is looked at all the same
      found.opening.push(`the check ends here: ${error.message.slice(0, 300)}`);
    }
    const problems = Object.entries(found).flatMap(
      ([view, list]) => [...new Set(list)].map((p) => `${view}: ${p}`));
    results[name] = { problems, views, ...seen };
  }
}

await Promise.all([lookAtSome(), lookAtSome()]);
await browser.close();
stop();
writeFileSync(report, JSON.stringify(results, null, 1));
