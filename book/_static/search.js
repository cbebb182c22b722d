// The search of the book: looks through window.searchTexts (see _ext/search_texts.py).
//
// Words are compared by their beginnings and without a plural's s, so "forest" finds "forests".
// A page must have all words that are asked for. Its score grows with where they stand (title,
// headings, text), whether they stand together, and how often; chapters come before other pages.
"use strict";

(() => {
  const KINDS = {
    chapter: ["Chapter", 1], start: ["Start", 0.5], glossary: ["Glossary", 0.5], more: ["More", 0.4],
    reference: ["Reference", 0.35], teaching: ["Teaching", 0.35], API: ["API", 0.3],
    guide: ["For lecturers", 0.12], museum: ["Bug museum", 0.15], solutions: ["Solutions", 0.1],
    "under the hood": ["Under the hood", 0.3],
  };
  const SECTIONS_SHOWN = 3;
  const AROUND = 90; // characters of a snippet on either side of what was found

  // The words of a text: small letters, no accents, no hyphens; C4.5 stays one word.
  function wordsOf(text) {
    const small = text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
    const words = small.match(/[\p{L}\p{N}]+(?:\.\p{N}+)*/gu) ?? [];
    return words.map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, "") : word));
  }

  // A text as its words in one line, each after a space: then a word begins where " word" stands.
  const lineOf = (text) => " " + wordsOf(text).join(" ");

  const isWhole = (query) => query.at(-1)?.length < 4; // of a short last word no longer ones

  function count(line, phrase, whole) {
    const end = whole ? "(?![^ ])" : "";
    const pattern = phrase.replace(/\./g, "\\.");
    return (line.match(new RegExp(" " + pattern + end, "g")) ?? []).length;
  }

  const prepared = window.searchTexts.map(([page, title, kind, topics, sections]) => ({
    page, title, kind, line: lineOf(title), topics: topics.split(", ").map(lineOf),
    sections: sections.map(([anchor, heading, text]) => (
      { anchor, heading, text, headingLine: lineOf(heading), textLine: lineOf(text) })),
  }));

  // How well each section answers, and the page as a whole; null if a word is missing.
  function rate(page, query) {
    const phrase = query.join(" ");
    const whole = isWhole(query);
    const all = page.line + page.topics.join("") + page.sections.map((s) => s.headingLine + s.textLine).join("");
    if (!query.every((word) => count(all, word, word.length < 4))) return null;
    const sections = page.sections.map((section) => {
      const inHeading = count(section.headingLine, phrase, whole);
      const inText = count(section.textLine, phrase, whole);
      const words = query.filter((word) => count(section.headingLine + section.textLine, word, word.length < 4));
      const exact = section.headingLine === " " + phrase;
      const score = 8 * inHeading + 6 * exact + 3 * Math.log2(1 + inText) + words.length / query.length;
      return { section, score, inText };
    });
    const found = sections.reduce((sum, s) => sum + s.inText, 0);
    const inTitle = count(page.line, phrase, whole);
    const inHeadings = sections.filter((s) => count(s.section.headingLine, phrase, whole)).length;
    const wordsInTitle = query.filter((word) => count(page.line, word, word.length < 4)).length;
    const score = 30 * inTitle + 10 * (wordsInTitle / query.length) + 8 * Math.min(2, inHeadings)
      + 20 * page.topics.includes(" " + phrase) + 6 * Math.log2(1 + found) + 1;
    const sorted = [...sections].sort((a, b) => b.score - a.score);
    const best = sorted.filter((s, k) => s.score > 0 || k === 0); // where only the title answers
    return { page, score: score * KINDS[page.kind][1], best: best.slice(0, SECTIONS_SHOWN) };
  }

  function search(text) {
    const query = wordsOf(text);
    if (!query.length) return { query, found: [] };
    const found = prepared.map((page) => rate(page, query)).filter((result) => result);
    return { query, found: found.sort((a, b) => b.score - a.score) };
  }

  // The part of a text around the first word that was asked for, with these words marked.
  function snippet(text, query) {
    const marks = [...text.matchAll(/[\p{L}\p{N}]+(?:\.\p{N}+)*/gu)].filter(([word]) =>
      query.some((asked) => (wordsOf(word)[0] ?? "").startsWith(asked) && (asked.length > 3 || wordsOf(word)[0] === asked)));
    const together = marks.find((mark, k) => query.length > 1 && marks[k + 1]?.index - mark.index - mark[0].length === 1);
    const middle = (together ?? marks[0])?.index ?? 0;
    let from = Math.max(0, middle - AROUND), to = Math.min(text.length, middle + AROUND);
    if (from) from = text.indexOf(" ", from) + 1;
    if (to < text.length) to = Math.max(text.lastIndexOf(" ", to), middle);
    const line = document.createElement("span");
    line.append(from ? "… " : "");
    let at = from;
    for (const mark of marks.filter((m) => m.index >= from && m.index + m[0].length <= to)) {
      line.append(text.slice(at, mark.index));
      line.appendChild(document.createElement("mark")).textContent = mark[0];
      at = mark.index + mark[0].length;
    }
    line.append(text.slice(at, to), to < text.length ? " …" : "");
    return line;
  }

  function show(text) {
    const { query, found } = search(text);
    const list = document.getElementById("search-results");
    list.replaceChildren();
    for (const { page, best } of found) {
      const item = list.appendChild(document.createElement("li"));
      const link = item.appendChild(document.createElement("a"));
      link.href = page.page + ".html";
      link.textContent = page.title;
      const kind = item.appendChild(document.createElement("small"));
      kind.textContent = KINDS[page.kind][0];
      for (const { section } of best) {
        const line = item.appendChild(document.createElement("p"));
        if (section.heading) {
          const inner = line.appendChild(document.createElement("a"));
          inner.href = `${page.page}.html#${section.anchor}`;
          inner.textContent = section.heading;
          if (section.text) line.append(": ");
        }
        line.append(snippet(section.text, query));
      }
    }
    const what = found.length === 1 ? "1 page" : `${found.length} pages`;
    document.getElementById("search-status").textContent = !query.length
      ? "Enter one or more words." : `${found.length ? what : "No page"} for “${text.trim()}”.`;
  }

  window.bookSearch = search;
  const asked = new URLSearchParams(location.search).get("q") ?? "";
  const fields = document.querySelectorAll("form.bd-search input[name=q]");
  for (const field of fields) field.value = asked;
  show(asked);
  const own = document.querySelector(".bd-search-container form.bd-search input[name=q]");
  own.focus();
  own.addEventListener("input", () => show(own.value));
})();
