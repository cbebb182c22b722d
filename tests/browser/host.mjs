// What the browser's scripts share: the book served from this machine, Chromium with every other
// host blocked, and a note of all that goes wrong with a page.

import { createServer } from "node:http";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, normalize, sep } from "node:path";
import { chromium } from "playwright-core";

const AXE = "/axe.min.js"; // where the host has it
const AXE_FILE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];
export const PATIENCE = 300_000; // ms
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript",
  ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm", ".png": "image/png", ".ico": "image/x-icon",
  ".svg": "image/svg+xml", ".woff": "font/woff", ".woff2": "font/woff2", ".ipynb": "application/json" };

// In `top`, an element of a page, some elements are left, and what they stand in.
export function leaveOnly(top, selector) {
  const left = [...top.querySelectorAll(selector)];
  for (const one of left)
    for (let e = one; e !== top; e = e.parentElement)
      for (const other of [...e.parentElement.children])
        if (!left.some((l) => other.contains(l)) && !other.matches("script, .bd-sidebar-secondary")) other.remove(); // the theme looks for that one
}

// A page as it is sent, with such elements in the place of its text, and without the list of all pages; `page`
// is one from the same address.
export const lone = (page, address, selector) => page.evaluate(`(async () => {
  const text = await (await fetch(${JSON.stringify(address)})).text(), sent = new DOMParser().parseFromString(text, "text/html");
  (${leaveOnly})(sent.querySelector("article"), ${JSON.stringify(selector)});
  for (const list of sent.querySelectorAll(".bd-sidenav")) list.remove();
  return "<!DOCTYPE html>" + sent.documentElement.outerHTML;
})()`);

// The folder under an address of this machine, until stop() is called; its pages are sent as `edit` returns them.
// What is no page is asked for once and compiled once, which takes as long as a page does.
export async function serve(folder, edit) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const file = join(folder, path.endsWith(sep) ? path + "index.html" : path);
    if (path === "/favicon.ico" && !existsSync(file)) return response.writeHead(204).end(); // a folder without an icon
    try {
      const body = readFileSync(request.url === AXE ? AXE_FILE : file);
      response.writeHead(200, {
        "content-type": TYPES[extname(file)] ?? "application/octet-stream",
        "cache-control": extname(file) === ".html" ? "no-cache" : "max-age=3600",
      });
      response.end(edit && extname(file) === ".html" ? edit(body.toString("utf8")) : body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { origin: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
}

// Brings the program that knows the rules of access into a page of this machine.
export const addAxe = (page) => page.addScriptTag({ url: AXE });

// Chromium with a cache of its own, which goes when it is closed.
export async function launch(executablePath) {
  const cache = mkdtempSync(join(tmpdir(), "treelab-browser-"));
  const browser = await chromium.launch({
    executablePath, args: [...FLAGS, `--disk-cache-dir=${cache}`], timeout: PATIENCE,
  });
  browser.on("disconnected", () => rmSync(cache, { recursive: true, force: true }));
  return browser;
}

// A window of its own, with nothing remembered, in which a busy machine has all the time that it needs.
export async function windowOf(browser, settings = {}) {
  const context = await browser.newContext({ serviceWorkers: "block", ...settings });
  context.setDefaultTimeout(PATIENCE);
  return context;
}

const underWay = new WeakMap(); // of each page the requests that have no answer yet

// Puts into `problems` whatever the page asks of other hosts, misses, or fails at. What is broken off
// because the page that asked for it is left is no failure: it is known by the navigation, or leave(),
// that came before.
export function note(page, origin, scripts, problems) {
  const open = new Set();
  const asked = { open, isLeft: false, problems };
  underWay.set(page, asked);
  page.on("request", (request) => {
    if (request.isNavigationRequest()) {
      open.clear();
      asked.isLeft = false;
    }
    open.add(request);
    const local = [origin, "data:", "blob:"].some((start) => request.url().startsWith(start));
    if (!local) problems.push(`asks another host: ${request.url()}`);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("console", (m) => m.type() === "error" && problems.push(`console: ${m.text()}`));
  page.on("pageerror", (error) => problems.push(`script error: ${error.message}`));
  page.on("response", (r) => r.status() >= 400 && problems.push(`${r.status()}: ${r.url()}`));
  page.on("requestfailed", (r) => {
    // The icon may be asked for while the next page is: a missing one has another error, or a 404.
    const isIcon = /\/favicon\.\w+$/.test(r.url());
    const isLeft = !open.delete(r) || asked.isLeft || isIcon;
    if (isLeft && r.failure()?.errorText === "net::ERR_ABORTED") return;
    const unwanted = r.resourceType() === "script" && !scripts;
    if (!unwanted) problems.push(`request failed (${r.failure()?.errorText}): ${r.url().slice(0, 200)}`);
  });
}

// Waits until the page has all that it has asked for; the icon of the tab comes last.
export async function quiet(page) {
  const { open, problems } = underWay.get(page);
  const end = Date.now() + PATIENCE;
  while (open.size && Date.now() < end) await new Promise((done) => setTimeout(done, 10));
  problems.push(...[...open].map((request) => `has no answer: ${request.url().slice(0, 200)}`));
  open.clear();
}

// Waits likewise; what is asked for after that may be broken off.
export async function leave(page) {
  await quiet(page);
  underWay.get(page).isLeft = true;
}

const ownLooks = new Map(); // of each look the characters that were found in the book's own fonts

// What of a page's text is set in fonts of the machine: of each look (family, weight, slant) a line
// with all its characters is set, and the browser tells from which fonts it took them. Those that were
// found in fonts of the book on an earlier page are there on this one, too.
export async function foreignFonts(page) {
  const [count, added] = await page.evaluate(async (known) => {
    const looks = new Map();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.data.replace(/\s/g, "");
      const parent = walker.currentNode.parentElement;
      if (!text || parent.closest("script, style, noscript")) continue;
      const { fontFamily, fontWeight, fontStyle } = getComputedStyle(parent);
      const look = `${fontStyle} ${fontWeight} 16px ${fontFamily}`;
      if (!looks.has(look)) looks.set(look, new Set());
      for (const character of text) looks.get(look).add(character);
    }
    const before = new Map(known), added = [];
    for (const [look, characters] of looks) {
      const left = [...characters].filter((c) => !before.get(look)?.includes(c)).join("");
      if (left) added.push([look, left]);
    }
    if (!added.length) return [looks.size, added];
    const box = document.createElement("div");
    box.id = "all-looks";
    for (const [look, characters] of added) {
      const line = box.appendChild(document.createElement("p"));
      line.style.font = look;
      line.textContent = characters;
    }
    document.body.append(box);
    box.getBoundingClientRect(); // asks for the fonts
    await document.fonts.ready;
    return [looks.size, added];
  }, [...ownLooks]);
  if (!count) return ["no text was looked at"];
  if (!added.length) return [];
  const client = await page.context().newCDPSession(page);
  await client.send("DOM.enable");
  await client.send("CSS.enable");
  const { root } = await client.send("DOM.getDocument", { depth: 0 });
  const { nodeIds } = await client.send("DOM.querySelectorAll",
    { nodeId: root.nodeId, selector: "#all-looks > p" });
  const foreign = [];
  for (const nodeId of nodeIds) {
    const { fonts } = await client.send("CSS.getPlatformFontsForNode", { nodeId });
    for (const { familyName, glyphCount } of fonts.filter((f) => !f.isCustomFont))
      foreign.push(`${glyphCount} characters in a font of the machine, ${familyName}`);
  }
  await client.detach();
  await page.evaluate(() => document.getElementById("all-looks").remove());
  if (!foreign.length)
    for (const [look, characters] of added) ownLooks.set(look, (ownLooks.get(look) ?? "") + characters);
  return foreign;
}
