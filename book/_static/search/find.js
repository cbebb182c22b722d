// What the search of the book finds, by MiniSearch, among the texts of `search_texts.js`.
//
// A section is a document, and a page answers with its best sections. All words that are asked for
// should stand on the page; where no page has them all, pages with most of them answer. A word may
// be a beginning, and one that the book does not have may have a typing error. The names that the
// glossary gives to one thing are asked for in each other's place.
"use strict";

(() => {
  // What a page is called, and how much its answers count beside those of a chapter.
  const KINDS = {
    chapter: ["Chapter", 1], start: ["Start", 0.5], glossary: ["Glossary", 0.4], more: ["More", 0.5],
    reference: ["Reference", 0.4], teaching: ["Teaching", 0.4], API: ["API", 0.3],
    guide: ["For lecturers", 0.15], museum: ["Bug museum", 0.25], solutions: ["Solutions", 0.15],
    "under the hood": ["Under the hood", 0.35],
  };
  const FIELDS = { title: 6, topics: 6, heading: 3, text: 1 };
  const WORD = /[\p{L}\p{N}]+(?:\.\p{N}+)*/gu; // C4.5 is one word
  const UNASKED = new Set(("a an and are as at be between by can could do does for from handle handling has have how i if in into is it its me my of "
    + "on or should so than that the their them then there these this to vs versus was we were what when where which "
    + "who why will with you your").split(" "));
  const SECTIONS_SHOWN = 3;
  const SUGGESTIONS = 3;
  const FARTHEST = 0.4; // the share of a word's letters that may differ in one that is suggested
  const OTHER_NAME = 0.8; // how much an answer counts that has another name of what was asked for

  // A word as it is compared: small, no accents, no s of a plural; null for one that says nothing.
  function bare(word) {
    const small = word.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
    if (UNASKED.has(small)) return null;
    return small.length > 3 ? small.replace(/(?<![sui])s$/, "") : small;
  }

  const rawWords = (text) => text.normalize("NFKC").match(WORD) ?? [];
  const wordsOf = (text) => rawWords(text).map(bare).filter((word) => word !== null);
  const lineOf = (text) => ` ${wordsOf(text).join(" ")} `;

  // Pages of texts become what `search` looks through.
  async function prepare({ pages, names }, MiniSearch) {
    const index = new MiniSearch({
      fields: Object.keys(FIELDS), tokenize: rawWords, processTerm: bare,
      searchOptions: { tokenize: (text) => text.split(" "), processTerm: (word) => word },
    });
    const sections = pages.flatMap(([page, title, kind, topics, parts]) => {
      const about = { page, title, kind, titleLine: lineOf(title), topicLines: topics.split(", ").map(lineOf) };
      return parts.map(([anchor, heading, text], k) => (
        { about, anchor, heading, text, headingLine: lineOf(heading), title: k ? "" : title, topics: k ? "" : topics }));
    });
    await index.addAllAsync(sections.map((section, id) => ({ id, ...section })), { chunkSize: 100 });
    const sameNames = names.map((group) => group.map((name) => lineOf(name).trim()));

    const known = (word) => index.search(word, { prefix: true }).length > 0;

    // The word of the book that differs in `most` letters and stands in most sections.
    function near(word, most) {
      const counts = new Map();
      for (const { terms } of index.search(word, { fuzzy: most }))
        for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
    }

    // The word of the book in which two letters that stand together have changed places.
    function swapped(word) {
      const others = [...word].map((letter, k) => word.slice(0, k) + (word[k + 1] ?? "") + letter + word.slice(k + 2));
      return others.find((other) => index.search(other).length);
    }

    // The two words of the book that are written as one.
    function parted(word) {
      const cuts = [...word].map((_, k) => [word.slice(0, k), word.slice(k)]).slice(3, -2);
      return cuts.find((parts) => parts.every((part) => index.search(part).length))?.join(" ");
    }

    // The words with their typing errors mended, and what was mended.
    function mended(words) {
      const changes = [];
      const better = words.flatMap((word) => {
        if (word.length < 5 || known(word)) return word;
        const found = swapped(word) ?? near(word, 1) ?? parted(word) ?? (word.length > 7 ? near(word, 2) : undefined);
        if (found) changes.push([word, found]);
        return found?.split(" ") ?? word;
      });
      return { words: better, changes };
    }

    // What a reader may have meant who finds nothing: words of the book that are nearest to those asked for.
    const meant = (words) => {
      const long = words.filter((word) => word.length > 3).join(" ");
      const made = index.autoSuggest(long, { fuzzy: FARTHEST, maxFuzzy: 4, combineWith: "OR", boost: FIELDS });
      return made.slice(0, SUGGESTIONS).map(({ suggestion }) => suggestion);
    };

    // What is asked for in other words: one name in the place of another, two words written as one.
    function inOtherWords(words) {
      const line = ` ${words.join(" ")} `, found = new Set();
      for (let k = 1; k < words.length; k++) {
        const joined = words[k - 1] + words[k];
        if (index.search(joined).length) found.add([...words.slice(0, k - 1), joined, ...words.slice(k + 1)].join(" "));
      }
      for (const group of sameNames) for (const name of group) {
        if (!line.includes(` ${name} `)) continue;
        for (const other of group) {
          const isPart = ` ${other} `.includes(` ${name} `) || ` ${name} `.includes(` ${other} `);
          if (!isPart) found.add(line.replace(` ${name} `, ` ${other} `).trim());
        }
      }
      return [...found].map((other) => other.split(" "));
    }

    // Every page that has one of the words: how well it answers, how many it has, its best sections.
    function ask(words, share) {
      const phrase = ` ${words.join(" ")} `;
      const count = new Set(words).size;
      const found = new Map();
      const results = index.search(words.join(" "), {
        boost: FIELDS,
        prefix: (word, k, all) => word.length > 3 || k === all.length - 1,
        maxFuzzy: 0,
        weights: { prefix: 0.3, fuzzy: 0 },
      });
      for (const { id, score, terms, queryTerms } of results) {
        const section = sections[id], { about } = section;
        const exact = section.headingLine === phrase ? 2 : section.headingLine.includes(phrase) ? 1.5 : 1;
        const rated = { section, score: score * exact, terms };
        if (!found.has(about)) found.set(about, { about, words: new Set(), rated: [], terms: new Set() });
        const page = found.get(about);
        for (const word of queryTerms) page.words.add(word);
        for (const term of terms) page.terms.add(term);
        page.rated.push(rated);
      }
      return [...found.values()].map(({ about, words: has, rated, terms }) => {
        rated.sort((a, b) => b.score - a.score);
        const [best, ...others] = rated.map(({ score }) => score);
        const rest = others.slice(0, 8).reduce((sum, score) => sum + score, 0);
        const inTitle = about.titleLine === phrase ? 3 : about.titleLine.includes(phrase) ? 2 : 1;
        const isTopic = about.topicLines.includes(phrase) ? 2
          : about.topicLines.some((line) => /\S \S/.test(line) && phrase.includes(line)) ? 1.5 : 1;
        const score = (best + 0.25 * rest) * inTitle * isTopic * KINDS[about.kind][1] * share;
        return { about, score, has: has.size / count, terms, best: rated.slice(0, SECTIONS_SHOWN) };
      });
    }

    // What the book has on a text: pages, best first, with their best sections.
    return function search(text) {
      const asked = wordsOf(text);
      if (!asked.length) return { asked, found: [], changes: [], hasAll: true, meant: [] };
      const { words, changes } = mended(asked);
      const best = new Map();
      const questions = [[words, 1], ...inOtherWords(words).map((other) => [other, OTHER_NAME])];
      for (const [question, share] of questions) {
        for (const page of ask(question, share)) {
          const other = best.get(page.about);
          if (!other || page.has > other.has || (page.has === other.has && page.score > other.score))
            best.set(page.about, page);
        }
      }
      const most = Math.max(0, ...[...best.values()].map((page) => page.has));
      const found = [...best.values()].filter((page) => page.has === most).sort((a, b) => b.score - a.score);
      return { asked, found, changes, hasAll: most === 1 || !found.length, meant: found.length ? [] : meant(asked) };
    };
  }

  globalThis.bookSearch = { prepare, KINDS, bare, WORD };
})();
