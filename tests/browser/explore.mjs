// Drives the explorables of one kind on one page of the built book, and tells what they show.
//
//   node explore.mjs CHROMIUM
//
// Each line that it is sent is JSON, [BOOK_FOLDER, PAGE, KIND, STEPS, WHERE], and a line of JSON is the
// answer. WHERE is "everywhere" if the page is looked at as a file and in print, too, and "steps" if nothing
// is asked but what the figure shows in its states. All kinds are driven in the tabs of one browser, for new ones
// take longer than a page. What goes wrong ends it, with a message.
//
// Steps are random, with a seed, until at least STEPS states have been seen: keys on the sliders, buttons
// pressed, clicks into the pictures; then a finger. The browser shows what each key and click does until
// some states have been seen; the events of the others are sent by the page itself, which need not be
// painted, and sliders are drawn to any place there. After each step the state, all numbers and the sentence are noted; `problems` are the faults
// that need no numbers.

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { addAxe, launch, leave, leaveOnly, lone, note, PATIENCE, serve, windowOf } from "./host.mjs";

const BY_HAND = { desk: 12, phone: 6 };
const HIGHEST = { desk: 640, phone: 700 }; // px: one screen
let SELECTOR, problems; // of the kind that is driven now

// The same numbers between 0 and 1 each time (mulberry32).
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// What the figure shows, and what a reader could do next.
function readBox(box) {
  const all = (selector) => [...box.querySelectorAll(selector)];
  const usable = (selector) => all(selector).filter((e) => e.matches(HANDS) && e.checkVisibility({ visibilityProperty: true }));
  const places = (selector) => usable(selector).map((e) => {
    const { x, y, width, height } = e.getBoundingClientRect();
    const group = e.closest(".tl-choice")?.dataset.choice;
    return { label: e.textContent, group, off: e.ariaDisabled === "true", x, y, width, height };
  });
  const texts = all("[data-name]:not(input)").map((e) => [e.dataset.name, e.textContent]);
  const sliders = all("input[type=range]").map(
    (e) => [e.dataset.name, [Number(e.value), e.getAttribute("aria-valuetext")]]);
  const choices = all(".tl-choice:not(.tl-views)").map((group) => {
    const names = [...group.querySelectorAll("button")], k = names.findIndex((e) => e.ariaPressed === "true");
    return [group.dataset.choice, [k, names[k].textContent]];
  });
  return {
    state: JSON.parse(box.dataset.state),
    sentence: box.querySelector(".tl-sentence").textContent,
    verdict: box.querySelector(".tl-told").textContent,
    values: Object.fromEntries(texts),
    sliders: Object.fromEntries([...sliders, ...choices]),
    pressed: all(".tl-stage [aria-pressed=true]:not(.tl-views *)").map((e) => e.textContent),
    pictures: all("svg.tl-picture").map((svg) => [...svg.querySelectorAll("text")].map((e) => e.textContent)),
    map: all("[data-kind=grid] .tl-drawings > :first-child :is(.tl-mark, text)").map((e) => { // where each lies
      const { x, y, width, height } = e.getBBox();
      return [e.textContent || e.getAttribute("class"), x + width / 2, y + height / 2];
    }),
    height: Math.round(box.offsetHeight),
    link: box.querySelector(".tl-share").href,
    targets: {
      slider: places(SELECTORS.slider), button: places(SELECTORS.button),
      choice: places(SELECTORS.choice), picture: places(SELECTORS.picture),
    },
  };
}

// What a key or a click does, without either: in the page, on one of its targets.
function send(box, { what, number, at, key }) {
  const target = [...box.querySelectorAll(SELECTORS[what])].filter((e) => e.matches(HANDS) && e.checkVisibility({ visibilityProperty: true }))[number];
  if (what === "button" || what === "choice") target.click();
  if (what === "picture" && at) {
    const [clientX, clientY] = at;
    const struck = document.elementFromPoint(clientX, clientY);
    if (target.contains(struck)) struck.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX, clientY }));
  } else if (what === "picture") target.scrollIntoView({ block: "center", behavior: "instant" });
  if (what === "slider") {
    const { min, max, valueAsNumber } = target, by = (max - min) / 10;
    const page = { PageUp: by, PageDown: -by, Home: -Infinity, End: Infinity }[key];
    if (typeof key === "number") target.value = Number(min) + key * (max - min);
    else if (page) target.value = Math.min(Math.max(valueAsNumber + page, min), max);
    else if (/Right|Up/.test(key)) target.stepUp();
    else target.stepDown();
    target.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

// The next step of a reader, chosen by chance among the targets of what was read last. A key on a slider may
// be a number: it is drawn to this part of its way, or as far as it goes.
function chosen(targets, chance, height, draws = 0) {
  const KEYS = ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"];
  const pick = (list) => list[Math.floor(chance() * list.length)];
  const { slider, button, choice, picture } = targets, named = [...new Set(choice.map((c) => c.group))];
  const hands = [...slider.map(() => "slider"), ...named.map(() => "choice")];
  const what = button.length && (chance() < 0.15 || hands.length + picture.length === 0) ? "button" :
    pick([...hands, ...hands, ...picture.map(() => "picture")]);
  const one = () => Math.floor(chance() * targets[what].length);
  let number = one();
  if (/^(Reset|Undo)/.test(targets[what][number].label) && chance() < 0.7) number = one(); // go far, mostly
  const { label, x, y, width, height: tall } = targets[what][number];
  const at = [x + (0.02 + 0.96 * chance()) * width, y + (0.02 + 0.96 * chance()) * tall];
  if (what === "picture") {
    const inView = at[1] > 0 && at[1] < height;
    return { what, number, at: inView && at, did: inView ? "press" : "scroll" };
  }
  const press = what !== "slider" && chance() < 0.5;
  const key = press ? "" : what !== "slider" ? pick(["Enter", "Space"]) : draws && chance() < draws ? 1.1 * chance() - 0.05 : pick(KEYS);
  return { what, number, label, press, key, did: what === "slider" ? `${key}` : label };
}

// Many steps, in the page, until `wanted` states have been seen; what was read after each, as JSON. Now and
// then all begins anew, for a question is answered once.
function walk(box, { seed, wanted, most, seen }) {
  const chance = random(seed), states = new Set(seen), steps = [], anew = Math.ceil(most / 5);
  let last = readBox(box);
  for (let k = 0; k < most && states.size < wanted; k++) {
    const reset = last.targets.button.findIndex((b) => b.label === "Reset");
    const step = k % anew === anew - 1 ? { what: "button", number: reset, did: "Reset" } :
      chosen(last.targets, chance, window.innerHeight, 0.6);
    send(box, step);
    last = readBox(box);
    states.add(JSON.stringify(last.state));
    steps.push({ did: step.did, ...last, targets: { button: last.targets.button } });
  }
  return JSON.stringify(steps);
}

const HANDS = ":enabled:not(.tl-play, .tl-all, .tl-views *), svg"; // these are the work of plays(), tall() and general()
const SELECTORS = {
  slider: ".tl-stage input[type=range]", button: ".tl-stage button:not(.tl-choice *)", choice: ".tl-choice button",
  picture: "svg.tl-press",
};
// The same steps from the rest, and what is drawn after each, when nothing moves any more; how much moved.
async function drawn(box, { seed, steps }) {
  const chance = random(seed), found = [], reset = [...box.querySelectorAll(".tl-tools button")];
  let moving = 0;
  reset.find((b) => b.textContent === "Reset").click();
  for (let k = 0; k < steps; k++) {
    const step = chosen(readBox(box).targets, chance, window.innerHeight);
    if (step.label !== "Undo") send(box, step); // what was before the first step is no matter
    const moves = document.getAnimations().filter((move) => move.effect.target.closest("svg.tl-picture"));
    moving += moves.length;
    moves.forEach((move) => move.finish());
    while ("moving" in box.dataset) await new Promise((done) => setTimeout(done));
    found.push([...box.querySelectorAll(".tl-told, .tl-sentence, .tl-values, svg.tl-picture")].map((e) => e.outerHTML).join("\n"));
  }
  return { found, moving };
}

const IN_PAGE = `const HANDS = ${JSON.stringify(HANDS)}, SELECTORS = ${JSON.stringify(SELECTORS)};
${[random, readBox, send, chosen, walk, drawn].map(String).join("\n")}`;
const read = (figure) => figure.evaluate((box) => window.readBox(box));

// One step, taken by pointer or key.
async function step(page, box, targets, chance) {
  const { what, number, at, press, key, did } = chosen(targets, chance, page.viewportSize().height);
  if (what === "picture" && at) await page.mouse.click(...at);
  else if (what === "picture") await (await box.$$("svg.tl-press"))[number].scrollIntoViewIfNeeded();
  if (what === "picture") return did;
  const target = await box.evaluateHandle((box, [selector, hands, index]) => {
    const found = [...box.querySelectorAll(selector)].filter((e) => e.matches(hands) && e.checkVisibility({ visibilityProperty: true }))[index];
    found.focus();
    return found;
  }, [SELECTORS[what], HANDS, number]);
  // Pressed by force: an answered question refuses.
  await (press ? target.click({ force: true }) : page.keyboard.press(key));
  return did;
}

// What axe says of the figures.
async function accessible(page, label) {
  const violations = await page.evaluate(async (selector) => {
    const runOnly = ["wcag2a", "wcag2aa", "wcag22aa"];
    const result = await window.axe.run(selector, { runOnly, resultTypes: ["violations"] });
    return result.violations.map(
      (v) => `axe ${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join("; ")}`);
  }, SELECTOR);
  problems.push(...violations.map((v) => `${label}: ${v}`));
}

// The words of a figure are spoken half a second after the last movement; here it is less.
const hurry = (page) => page.evaluate(() => {
  const patient = window.setTimeout;
  window.setTimeout = (f, ms, ...more) => patient(f, ms / 20, ...more);
});

// What a screen reader is told in the end, by a busy machine later.
async function listen(page, figure, expected) {
  const spoken = () => figure.locator("[role=status]").textContent();
  const end = Date.now() + PATIENCE / 10;
  while ((await spoken()).trim() !== expected && Date.now() < end) await page.waitForTimeout(10);
  return (await spoken()).trim();
}

// Motion ends in what is drawn at once where readers want none, and is off there.
async function moves(page, box, label) {
  const [still, moved] = [{}, {}];
  for (const [found, reducedMotion] of [[still, "reduce"], [moved, "no-preference"]]) {
    await page.emulateMedia({ reducedMotion });
    Object.assign(found, await box.evaluate((e, how) => window.drawn(e, how), { seed: 7, steps: 12 }));
  }
  await page.emulateMedia({ reducedMotion: "reduce" });
  if (still.moving) problems.push(`${label}: ${still.moving} movements where none is wanted`);
  if (!moved.moving) problems.push(`${label}: nothing moves`);
  const k = still.found.findIndex((drawing, i) => drawing !== moved.found[i]);
  if (k >= 0) problems.push(`${label}: after step ${k} motion ends in another drawing`);
}

// A process that is played comes to its end, and any input stops it. The clock goes faster meanwhile.
async function plays(page, figure, label) {
  const isPlaying = () => figure.evaluate((e) => "playing" in e.dataset);
  const play = figure.locator(".tl-play"), reset = figure.getByRole("button", { name: "Reset", exact: true });
  await reset.click({ force: true });
  await play.click();
  if (!(await isPlaying())) problems.push(`${label}: Play does not begin`);
  await page.keyboard.press("Shift");
  if (!(await isPlaying())) problems.push(`${label}: a key on Play itself stops it`);
  await reset.focus();
  await page.keyboard.press("Shift");
  if (await isPlaying()) problems.push(`${label}: a key does not stop what plays`);
  await page.evaluate(() => {
    window.patient = window.setInterval;
    window.setInterval = (f) => window.patient(f, 1);
  });
  await play.click();
  while (await isPlaying()) await page.waitForTimeout(10);
  await page.evaluate(() => (window.setInterval = window.patient));
  if ((await play.textContent()) !== "Play") problems.push(`${label}: what has been played cannot be played again`);
}

// The figure is not higher than a screen, at rest and after a guess; all its numbers can be shown on a phone.
async function tall(figure, isMobile, label) {
  const height = await figure.evaluate((e) => e.offsetHeight), most = HIGHEST[isMobile ? "phone" : "desk"];
  if (height > most) problems.push(`${label}: ${height} px high, more than ${most}`);
  const all = figure.locator(".tl-all:visible"), values = figure.locator(".tl-values");
  if (await all.count()) {
    await all.click();
    if (!(await values.isVisible())) problems.push(`${label}: More shows no values`);
    await all.click();
  }
}

// What holds for all explorables on the whole page, whatever they show.
async function general(page, figure, label) {
  const faults = await figure.evaluate((box) => {
    const found = [];
    for (const e of box.querySelectorAll(".tl-stage :is(button, input)")) {
      if (!e.checkVisibility()) continue;
      const { width, height } = e.getBoundingClientRect();
      if (Math.min(width, height) < 44)
        found.push(`a target of ${width} x ${height} px: ${e.textContent || e.dataset.name}`);
    }
    const inside = box.getBoundingClientRect();
    for (const e of box.querySelectorAll(".tl-stage *")) {
      const { left, right, width } = e.getBoundingClientRect();
      const scrolled = e.closest(".tl-choice > div"); // names in a row of their own
      if (scrolled && scrolled !== e && getComputedStyle(scrolled).overflowX === "auto") continue;
      if (width && !e.closest("svg, .tl-spoken") && (left < inside.left || right > inside.right))
        found.push(`leaves the figure: ${e.tagName} ${e.textContent || e.dataset.name}`);
    }
    const pictures = () => [...box.querySelectorAll("svg.tl-picture")].filter((e) => e.checkVisibility());
    const views = [...box.querySelectorAll(".tl-views button")].filter((e) => e.checkVisibility());
    const texts = views.flatMap((view) => {
      view.click();
      return pictures().flatMap((e) => [...e.querySelectorAll("text")].map((text) => [text, text.getBoundingClientRect()]));
    });
    views[0]?.click();
    if (!views.length) for (const text of box.querySelectorAll("svg.tl-picture text")) texts.push([text, text.getBoundingClientRect()]);
    for (const [text, { left, right }] of texts) {
      const size = parseFloat(getComputedStyle(text).fontSize);
      if (left < inside.left - 1 || right > inside.right + 1)
        found.push(`a text leaves the figure: ${text.textContent}`);
      if (size < 11) found.push(`type of ${size} px: ${text.textContent}`);
    }
    if (box.querySelector(".tl-still").checkVisibility())
      found.push("the still pictures are shown beside the stage");
    if (document.scrollingElement.scrollWidth > document.documentElement.clientWidth)
      found.push("the page scrolls sideways");
    return found;
  });
  problems.push(...faults.map((fault) => `${label}: ${fault}`));
}

// Reset leads back to the rest.
async function resets(page, figure, label, rest) {
  await figure.getByRole("button", { name: "Reset", exact: true }).click({ force: true });
  const again = await read(figure);
  if (!again.targets.button.find((b) => b.label === "Reset").off)
    problems.push(`${label}: at rest there is nothing to reset, and the button is not disabled`);
  for (const part of ["state", "values", "sentence", "verdict"])
    if (JSON.stringify(again[part]) !== JSON.stringify(rest[part]))
      problems.push(`${label}: after Reset the ${part} is not that at rest`);
  const told = `${rest.verdict} ${rest.sentence}`.trim(), spoken = await listen(page, figure, told);
  if (spoken !== told) problems.push(`${label}: after Reset a screen reader is told "${spoken}"`);
}

// A verdict is heard once: from the focus, which goes to it, and not again with what is said then and after
// the next movement, unless its words have changed.
async function hearsOnce(page, figure, label) {
  const answer = figure.locator(".tl-ask button").first();
  if (!(await answer.count())) return;
  await answer.focus();
  await page.keyboard.press("Enter");
  let { verdict: heard } = await read(figure);
  for (const key of ["", "ArrowLeft", "ArrowRight"]) {
    const slider = figure.locator("input[type=range]").first();
    if (key && !(await slider.count())) break;
    if (key) await slider.press(key);
    const { verdict, sentence } = await read(figure), told = `${verdict === heard ? "" : verdict} ${sentence}`.trim();
    const spoken = await listen(page, figure, told);
    heard = verdict;
    const focused = await page.evaluate(() => document.activeElement.textContent);
    if (!key && !focused.includes(verdict)) problems.push(`${label}: the focus is not on the verdict`);
    if (spoken !== told) problems.push(`${label}: after the guess a screen reader is told "${spoken}"`);
  }
}

// A link leads to the state in which it was copied; an address with another one says so, and the figure rests.
// One link is opened; for the other addresses the figure begins anew, which is what a page does when it is there.
async function linked(page, kept, rest, label) {
  const parts = ["state", "sentence", "verdict", "values", "sliders", "pressed"];
  const { origin, hash } = new URL(rest.link), figure = page.locator(hash), refused = figure.locator(".tl-refused");
  const seen = async () => [await read(figure), (await refused.count()) ? await refused.textContent() : ""];
  const open = async (address) => {
    await leave(page);
    await page.goto(address, { waitUntil: "load" });
    await page.evaluate(`{${IN_PAGE}\nObject.assign(window, { readBox })}`);
    return seen();
  };
  const begin = async (address) => {
    await page.evaluate(async ([id, address]) => {
      const text = async () => (await fetch(location.href)).text();
      window.asSent ??= new DOMParser().parseFromString(await text(), "text/html");
      const fresh = document.importNode(window.asSent.getElementById(id), true);
      history.replaceState(null, "", address);
      document.getElementById(id).replaceWith(fresh);
      window.treelab.start(fresh);
    }, [hash.slice(1), address]);
    return seen();
  };
  const differ = (a, b) => parts.filter((part) => JSON.stringify(a[part]) !== JSON.stringify(b[part]));
  for (const [k, record] of kept.entries()) {
    const { pathname, search } = new URL(record.link), address = origin + pathname + search + hash;
    const [found, refused] = await (k ? begin : open)(address);
    if (refused) problems.push(`${label}: ${address} is refused: ${refused}`);
    for (const part of differ(found, record)) problems.push(`${label}: ${address} has another ${part}`);
  }
  page.removeAllListeners("console"); // a drawing that is tried and refused complains there
  const wrong = (value) => Array.isArray(value) ? [[99, 7], { at: [99, 99], j: 7 }] : 1e9;
  const names = Object.keys(rest.state), asked = Object.fromEntries(names.map((name) => [name, wrong(rest.state[name])]));
  for (const values of [asked, { [names[0]]: "no", nothing: 1 }]) {
    const address = new URL(rest.link);
    address.search = new URLSearchParams(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
    const [found, refused] = await begin(address.href);
    for (const part of differ(found, rest)) problems.push(`${label}: with ${address.search} the ${part} is not that at rest`);
    for (const name in values)
      if (!refused.includes(`${name} = `)) problems.push(`${label}: nothing says that ${address.search} is refused`);
  }
}

// While a reader's steps are taken and axe looks, the rest of the page is gone: it takes longest.
const alone = (page) => page.evaluate(`(${leaveOnly})(document.body, ${JSON.stringify(SELECTOR)})`);

// Waits until what has happened is on the screen.
const painted = (page) => page.evaluate(() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(done))));

// A finger drags each disk, and scrolls the page elsewhere in its picture.
async function touch(page, figure, label) {
  const cdp = await page.context().newCDPSession(page);
  const stateOf = () => figure.getAttribute("data-state");
  for (const picture of await figure.locator("svg.tl-press:has(.tl-handle)").all()) {
    if (!(await picture.isVisible())) await figure.locator(".tl-views button").last().click();
    for (const free of [true, false]) {
      await picture.evaluate((e) => e.scrollIntoView({ block: "center", behavior: "instant" }));
      await painted(page);
      const [handle, frame] = [await picture.locator(".tl-handle").boundingBox(), await picture.boundingBox()];
      const x = handle.x + handle.width / 2, y = handle.y + handle.height / 2, before = await stateOf();
      const far = y > frame.y + frame.height / 2 ? frame.y + 40 : frame.y + frame.height - 40;
      const at = free ? { x, y } : { x: frame.x + 60, y: far };
      const by = free ? { x: x > 195 ? -18 : 18, y: 4 } : { x: 0, y: -18 };
      const finger = (type, ...touchPoints) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints });
      await finger("touchStart", at);
      for (let k = 1; k <= 5; k++) {
        await finger("touchMove", { x: at.x + k * by.x, y: at.y + k * by.y });
        await painted(page); // a hand is slower than the screen
      }
      await finger("touchEnd");
      await painted(page);
      const now = await picture.locator(".tl-handle").boundingBox();
      if (!free && (await stateOf()) !== before) problems.push(`${label}: a finger that scrolls from ${at.x}, ${at.y} moves the figure`);
      if (free && Math.abs(now.x - handle.x - 5 * by.x) > 25) problems.push(`${label}: a finger does not drag the disk`);
    }
  }
  await cdp.detach();
}

const browser = await launch(process.argv[2]), views = [], servers = new Map();
for (const [width, height, colorScheme, isMobile] of [[1440, 900, "light", false], [390, 844, "dark", true]]) {
  const context = await windowOf(browser, {
    viewport: { width, height }, colorScheme, hasTouch: isMobile, isMobile,
    reducedMotion: "reduce", // what moves is the work of moves()
  });
  views.push({ page: await context.newPage(), isMobile, label: `${width} px, ${colorScheme}` });
}
let sent; // the page that is sent, without the chapter around its figures: that is the work of check.mjs
const context = await windowOf(browser); // of what is no reader's view
const local = await context.newPage(), plain = await context.newPage();

async function drive(book, name, kind, steps, where) {
  SELECTOR = `figure.tl-explorable[data-kind="${kind}"]`;
  problems = [];
  const records = [];
  if (!servers.has(book)) servers.set(book, [await serve(book), await serve(book, () => sent)]);
  const [whole, { origin }] = servers.get(book);
  await plain.goto(`${whole.origin}_static/explorables/core.js`); // any text from there will do
  sent = await lone(plain, whole.origin + name, SELECTOR);
  for (const { page, isMobile, label } of views) {
    const found = [];
    page.removeAllListeners();
    note(page, origin, true, found);
    await page.goto(origin + name, { waitUntil: "load" });
    const figures = await page.locator(SELECTOR).all();
    if (!figures.length) problems.push(`${label}: no explorable of this kind on the page`);
    for (const figure of figures) await general(page, figure, label);
    await leave(page);
    await alone(page);
    await addAxe(page);
    await page.evaluate(`{${IN_PAGE}\nObject.assign(window, { walk, readBox, drawn })}`);
    await hurry(page);
    const links = [];
    for (const [number, figure] of figures.entries()) {
      const chance = random(42 + number), heights = new Set(), seen = new Set();
      const stateOfOthers = () => Promise.all(
        figures.filter((f) => f !== figure).map((f) => f.getAttribute("data-state")));
      const others = await stateOfOthers();
      const box = await figure.elementHandle(); // asked for once, it answers sooner
      await figure.scrollIntoViewIfNeeded();
      const rest = await read(box);
      records.push({ figure: number, did: "rest", ...rest });
      let last = rest;
      const add = (did, now) => {
        const moved = JSON.stringify(now.state) !== JSON.stringify(last.state);
        const pressed = last.targets.button.find((b) => b.label === did);
        if (pressed?.off && moved) problems.push(`${label}: "${did}" is disabled and works`);
        last = now;
        seen.add(JSON.stringify(last.state));
        heights.add(last.height);
        records.push({ figure: number, did, ...last, targets: undefined });
      };
      const wanted = isMobile ? steps / 5 : steps;
      const byHand = Math.min(wanted, BY_HAND[isMobile ? "phone" : "desk"]);
      let k = 0;
      for (; k < 2 * byHand && seen.size < byHand; k++)
        add(await step(page, box, last.targets, chance), await read(box));
      const more = { seed: 4200 + number + 7 * isMobile, wanted, most: 1.5 * wanted - k, seen: [...seen] };
      for (const { did, ...now } of JSON.parse(await box.evaluate((e, how) => window.walk(e, how), more))) add(did, now);
      if (JSON.stringify(last.state) !== JSON.stringify(rest.state)) {
        const told = `${last.verdict} ${last.sentence}`.trim(), spoken = await listen(page, figure, told);
        if (![told, last.sentence.trim()].includes(spoken)) // hearsOnce says when without the verdict
          problems.push(`${label}: says "${spoken}" to a screen reader, and shows "${last.sentence}"`);
      }
      if (heights.size > 1) problems.push(`${label}: the height changes: ${[...heights].join(", ")} px`);
      if ((await stateOfOthers()).join() !== others.join())
        problems.push(`${label}: another figure of the page has moved, too`);
      await tall(figure, isMobile, label);
      if (where === "steps") continue;
      if (!number) await accessible(page, label);
      if (!isMobile) await moves(page, box, label);
      if (!isMobile && (await figure.locator(".tl-play").count())) {
        await plays(page, figure, label);
        add("Play", await read(box));
      }
      await resets(page, figure, label, rest);
      if (!isMobile) await hearsOnce(page, figure, label);
      if (isMobile) {
        await touch(page, figure, label);
        const told = records.findLast((r) => r.figure === number && r.state.guess !== null) ?? last;
        const longest = records.reduce((a, b) => (b.figure === number && b.link.length > a.link.length ? b : a), last);
        links.push([[longest, last, told], rest]);
      }
    }
    for (const [kept, rest] of links) await linked(page, kept, rest, label);
    problems.push(...found.map((p) => `${label}: ${p}`));
  }

  if (where === "everywhere") await elsewhere(book, name, kind, whole.origin);
  return { records, problems: [...new Set(problems)] };
}

// On the front page a tree grows by itself, says nothing, takes no focus, and is at rest in the end.
async function grows(address) {
  const page = await (await windowOf(browser, { reducedMotion: "no-preference", viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(address, { waitUntil: "load" });
  const figure = page.locator(SELECTOR).first(), drawings = () => figure.locator("svg.tl-picture").evaluateAll((all) => all.map((e) => e.outerHTML).join());
  await figure.scrollIntoViewIfNeeded();
  await page.locator(`${SELECTOR}[data-playing]`).waitFor();
  const early = await drawings();
  await page.locator(`${SELECTOR}:not([data-playing], [data-moving])`).waitFor();
  const told = await figure.locator("[role=status]").textContent(), focused = await page.evaluate(() => document.activeElement.tagName);
  if (told || focused !== "BODY") problems.push(`a tree that grows by itself says "${told}", and ${focused} has the focus`);
  const late = await drawings();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.reload({ waitUntil: "load" });
  if (await page.locator(`${SELECTOR}[data-playing]`).count()) problems.push("a tree grows by itself where no motion is wanted");
  if (early === late || late !== (await drawings())) problems.push("a tree that has grown by itself is not the one at rest");
  await page.context().close();
}

// Opened as a file; with broken data; without scripts; in print.
async function elsewhere(book, name, kind, origin) {
  const fileFaults = [];
  local.removeAllListeners();
  await local.emulateMedia({ media: null });
  local.on("pageerror", (error) => fileFaults.push(error.message));
  await local.goto(pathToFileURL(join(book, name)).href, { waitUntil: "load" });
  if (!(await local.locator(`${SELECTOR}.tl-on`).count())) problems.push("file: the stage is not there");
  await local.emulateMedia({ media: "print" });
  const printed = local.locator(SELECTOR).first();
  if (!(await printed.locator(".tl-still").isVisible())) problems.push("print: no still pictures");
  if (await printed.locator(".tl-stage").isVisible()) problems.push("print: the stage is shown");
  problems.push(...fileFaults.map((p) => `file: ${p}`));
  if (kind === "flower") await grows(origin + name);
  if (kind === "flower") { // these two are the work of core.js and of the style, not of one kind
    const broken = await context.newPage();
    await broken.route("**/*.html", async (route) => {
      const response = await route.fetch();
      const start = '<script type="application/json">{';
      const body = (await response.text()).replaceAll(start, start + "{");
      await route.fulfill({ response, body });
    });
    await broken.goto(origin + name, { waitUntil: "load" });
    if (!(await broken.locator(`${SELECTOR} .tl-still`).first().isVisible())) problems.push("broken data: no still pictures");
    const silent = await (await windowOf(browser, { javaScriptEnabled: false })).newPage();
    await silent.goto(origin + name, { waitUntil: "load" });
    if (!(await silent.locator(`${SELECTOR} .tl-still`).first().isVisible())) problems.push("no scripts: no still pictures");
  }
}

for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await drive(...JSON.parse(line))));
await browser.close();
for (const { stop } of [...servers.values()].flat()) stop();
