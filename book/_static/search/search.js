// The search as one types: a panel on every page, and the page of the search (see find.js).
//
// Ctrl+K, "/" or the search field of a page open the panel. What it looks through is fetched when it
// opens for the first time, as scripts, so that a folder that is opened without a server has it.
"use strict";

(() => {
  const LEAST = 2; // letters before anything is looked for
  const PAGES_SHOWN = 8; // in the panel; the page of the search has them all
  const AROUND = 90; // characters of a snippet on either side of what was found
  const SLASH = "treelab:search:slash"; // where the browser keeps that "/" is not wanted

  const root = document.documentElement.dataset.content_root ?? "./";
  const scripts = ["minisearch.js", "find.js", "../search_texts.js"].map((name) => `${root}_static/search/${name}`);
  let ready = null; // a promise of the function that searches

  function load(src) {
    return new Promise((done, failed) => {
      const script = document.head.appendChild(document.createElement("script"));
      script.onload = done;
      script.onerror = () => failed(new Error(src));
      script.src = src;
    });
  }

  const start = () => ready ??= Promise.all(scripts.map(load))
    .then(() => globalThis.bookSearch.prepare(globalThis.searchTexts, globalThis.MiniSearch));

  function make(tag, attributes = {}, ...content) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...content);
    return element;
  }

  const addressOf = (page, anchor) => `${root}${page}.html${anchor ? "#" + anchor : ""}`;
  const pageOfAll = (text) => `${root}search.html?q=${encodeURIComponent(text)}`;

  // The part of a text around the first word that was found, with such words marked.
  function snippet(text, terms) {
    const { bare, WORD } = globalThis.bookSearch;
    const marks = [...text.matchAll(WORD)].filter(([word]) => terms.has(bare(word)));
    const together = marks.find((mark, k) => marks[k + 1]?.index - mark.index - mark[0].length === 1);
    const middle = (together ?? marks[0])?.index ?? 0;
    let from = Math.max(0, middle - AROUND), to = Math.min(text.length, middle + AROUND);
    if (from) from = text.indexOf(" ", from) + 1;
    if (to < text.length) to = Math.max(text.lastIndexOf(" ", to), middle);
    const line = make("span", { class: "tl-snippet" }, from ? "… " : "");
    let at = from;
    for (const mark of marks.filter((m) => m.index >= from && m.index + m[0].length <= to)) {
      line.append(text.slice(at, mark.index), make("mark", {}, mark[0]));
      at = mark.index + mark[0].length;
    }
    line.append(text.slice(at, to), to < text.length ? " …" : "");
    return line;
  }

  function itemOf({ about, best, terms }) {
    const kind = globalThis.bookSearch.KINDS[about.kind][0];
    const item = make("li", {}, make("p", {},
      make("a", { href: addressOf(about.page) }, about.title), " ", make("small", {}, kind)));
    for (const { section } of best) {
      const line = item.appendChild(make("p", { class: "tl-section" }));
      if (section.heading) line.append(make("a", { href: addressOf(about.page, section.anchor) }, section.heading));
      if (section.heading && section.text) line.append(": ");
      line.append(snippet(section.text, terms));
    }
    return item;
  }

  // What was found, in words; and where else to look if that is nothing.
  function told({ found, changes, hasAll }, text) {
    const n = found.length === 1 ? "1 page" : `${found.length} pages`;
    const instead = changes.map(([asked, other]) => `“${other}” for “${asked}”`).join(", ");
    if (!found.length) return `No page for “${text.trim()}”.`;
    const some = hasAll ? "" : "No page has all of these words; these have most. ";
    return `${some}${n}${instead ? `, with ${instead}` : ""}.`;
  }

  function elsewhere() {
    const link = (page, name) => make("a", { href: addressOf(page) }, name);
    return make("li", {}, make("p", {}, "Look in the ", link("book/glossary", "glossary"), ", in the ",
      link("genindex", "index"), " or in the ", link("book/preface", "list of chapters"), ", or try a single word."));
  }

  // Words of the book that are near to what was asked for, each with a press to ask for it.
  function suggested(meant, ask) {
    const line = make("p", {}, "Did you mean ");
    meant.forEach((words, k) => {
      const link = make("a", { href: pageOfAll(words) }, words);
      link.addEventListener("click", (event) => {
        event.preventDefault();
        event.stopPropagation(); // the panel stays open
        ask(words);
      });
      line.append(k ? " or " : "", link);
    });
    line.append("?");
    return make("li", { class: "tl-meant" }, line);
  }

  // A field whose answers are shown as one types, in a list, with a line that says how many there are.
  class Answers {
    constructor(field, status, list, most) {
      Object.assign(this, { field, status, list, most });
      field.addEventListener("input", () => this.show());
      field.addEventListener("keydown", (event) => this.move(event));
      list.addEventListener("keydown", (event) => this.move(event));
    }

    async show() {
      const text = this.field.value;
      this.status.textContent = ready ? this.status.textContent : "Opening the index …";
      const search = await start().catch(() => null);
      if (text !== this.field.value) return; // more was typed meanwhile
      this.list.replaceChildren();
      if (!search) this.status.textContent = "The files of the search are missing.";
      else if (text.trim().length < LEAST) this.status.textContent = "";
      else this.fill(search(text), text);
    }

    fill(answer, text) {
      const shown = answer.found.slice(0, this.most);
      this.list.replaceChildren(...(shown.length ? shown.map(itemOf) : [elsewhere()]));
      if (answer.meant.length) this.list.prepend(suggested(answer.meant, (words) => this.ask(words)));
      if (shown.length < answer.found.length) {
        const all = make("a", { href: pageOfAll(text) }, `All ${answer.found.length} pages`);
        this.list.append(make("li", { class: "tl-all" }, make("p", {}, all)));
      }
      this.status.textContent = answer.asked.length ? told(answer, text) : "Add a word that says more.";
    }

    ask(text) {
      this.field.value = text;
      this.field.focus();
      return this.show();
    }

    // The arrows go from link to link and back to the field; Enter in the field opens the first.
    move(event) {
      const links = [...this.list.querySelectorAll("a")];
      const at = links.indexOf(document.activeElement);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && links.length) {
        event.preventDefault();
        const next = links[Math.min(at + step, links.length - 1)] ?? this.field;
        next.focus();
      } else if (event.key === "Enter" && at < 0 && links.length) {
        event.preventDefault();
        links[0].click();
      } else if (at >= 0 && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
        this.field.focus(); // what is typed goes there
      }
    }
  }

  const remembered = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
  const remember = (name, value) => { try { localStorage.setItem(name, value); } catch { /* for this page alone */ } };
  let isSlashWanted = remembered(SLASH) !== "no";

  function panel() {
    const field = make("input", { type: "search", name: "q", "aria-label": "Search this book", autocomplete: "off",
      autocapitalize: "off", spellcheck: "false", placeholder: "Search this book", enterkeyhint: "search" });
    const close = make("button", { type: "button", class: "tl-close" }, "Close");
    const status = make("p", { role: "status", class: "tl-status" });
    const list = make("ul", { class: "tl-found" });
    const slash = make("input", { type: "checkbox" });
    slash.checked = isSlashWanted;
    slash.addEventListener("change", () => {
      isSlashWanted = slash.checked;
      remember(SLASH, isSlashWanted ? "yes" : "no");
    });
    const keys = make("p", { class: "tl-keys" }, make("span", {}, make("kbd", {}, "↑"), " ", make("kbd", {}, "↓"), " choose"),
      make("span", {}, make("kbd", {}, "Enter"), " open"), make("span", {}, make("kbd", {}, "Esc"), " close"),
      make("label", {}, slash, " ", make("kbd", {}, "/"), " opens the search"));
    const form = make("form", { role: "search", action: `${root}search.html` }, field, close);
    const dialog = make("dialog", { class: "tl-search", "aria-label": "Search" }, form, status, list, keys);
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("keydown", (event) => { // the field would take it to empty itself
      if (event.key !== "Escape") return;
      event.preventDefault();
      dialog.close();
    });
    // A press outside the panel, or on a link to a place of this page, closes it.
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || event.target.closest("a")) dialog.close();
    });
    const answers = new Answers(field, status, list, PAGES_SHOWN);
    document.body.append(dialog);
    return { dialog, field, answers };
  }

  let own = null; // the panel, once it was opened
  const onPage = document.getElementById("tl-search-field"); // of the page of the search

  function open() {
    if (onPage) {
      onPage.focus();
      onPage.select();
      return;
    }
    own ??= panel();
    if (!own.dialog.open) own.dialog.showModal();
    own.field.focus();
    own.field.select();
    start().catch(() => null);
  }

  const isWriting = (element) => element?.isContentEditable
    || element?.matches?.("input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea, select");

  // On the window and before the theme, whose own field has no answers.
  window.addEventListener("keydown", (event) => {
    const isK = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isK && !(isSlash && isSlashWanted && !isWriting(document.activeElement))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    open();
  }, true);
  window.addEventListener("click", (event) => {
    if (!event.target.closest?.(".search-button__button")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    open();
  }, true);

  if (onPage) {
    const answers = new Answers(onPage, document.getElementById("search-status"),
      document.getElementById("search-results"), Infinity);
    onPage.value = new URLSearchParams(location.search).get("q") ?? "";
    onPage.focus();
    answers.show();
  }
})();
