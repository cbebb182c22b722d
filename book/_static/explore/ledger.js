// The ledger's squares: filters by source, verdict and chapter, the name of the square that one points
// at, and arrow keys, so that the Tab key passes a row of squares at once.
"use strict";

(() => {
  const box = document.querySelector(".tl-ledger");
  if (!box) return;
  const items = [...box.querySelectorAll("li")];
  const sections = [...box.querySelectorAll("section")];
  const nameOf = (item) => item.querySelector(".tl-name").textContent;
  const verdictOf = (item) => nameOf(item).split(": ").at(-1);

  function make(tag, attributes = {}, ...content) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...content);
    return element;
  }

  function choice(label, options) {
    const select = make("select", {}, make("option", { value: "" }, "all"),
      ...options.map(([value, text]) => make("option", { value }, text)));
    filters.append(make("label", {}, `${label} `, select));
    select.addEventListener("change", show);
    return select;
  }

  const filters = make("div", { class: "tl-filters", role: "group", "aria-label": "Filters" });
  const source = choice("Source", sections.map((s) => [s.dataset.source, s.getAttribute("aria-label")]));
  const verdicts = new Map(items.map((item) => [item.dataset.verdict, verdictOf(item)]));
  const verdict = choice("Verdict", [...verdicts]);
  const numbers = new Set(items.flatMap((item) => item.dataset.chapters.split(" ").filter(Boolean)));
  const chapter = choice("Chapter", [...numbers].sort((a, b) => a - b).map((n) => [n, n]));
  const names = make("input", { type: "checkbox" });
  names.addEventListener("change", show);
  filters.append(make("label", {}, names, " names"));
  const status = make("p", { class: "tl-told", role: "status" });
  const pointed = make("p", { class: "tl-pointed", "aria-hidden": "true" });
  box.prepend(filters, status);
  box.append(pointed);

  const isShown = (item) => (!source.value || item.closest("section").dataset.source === source.value)
    && (!verdict.value || item.dataset.verdict === verdict.value)
    && (!chapter.value || item.dataset.chapters.split(" ").includes(chapter.value));

  function show() {
    const isFiltered = source.value || verdict.value || chapter.value;
    for (const item of items) item.hidden = !isShown(item);
    for (const section of sections) {
      const links = [...section.querySelectorAll("li:not([hidden]) a")];
      section.hidden = !links.length;
      for (const link of section.querySelectorAll("li a")) link.tabIndex = link === links[0] ? 0 : -1;
    }
    const n = items.filter((item) => !item.hidden).length;
    status.textContent = `${n} of ${items.length} entries`;
    box.classList.toggle("tl-names", names.checked || (Boolean(isFiltered) && n <= 40));
  }

  // In a row of squares the arrows go from one to the next.
  box.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const link = event.target.closest("li a");
    if (!step || !link) return;
    event.preventDefault();
    const links = [...link.closest("ol").querySelectorAll("li:not([hidden]) a")];
    const next = links[links.indexOf(link) + step];
    if (!next) return;
    link.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  for (const kind of ["mouseover", "focusin"]) box.addEventListener(kind, (event) => {
    const item = event.target.closest("li");
    if (item) pointed.textContent = nameOf(item);
  });
  show();
})();
