"use strict";
// What the pages remember for their reader, in this browser alone: the answers to the questions.
// Without a script, answers unfold one by one.

(function () {
  // The browser's memory; where it is shut (private windows, some settings) the page's own.
  const memory = {
    own: {},
    read(name) {
      try {
        return JSON.parse(localStorage.getItem(name)) ?? this.own[name] ?? null;
      } catch {
        return this.own[name] ?? null;
      }
    },
    write(name, value) {
      this.own[name] = value;
      try {
        localStorage.setItem(name, JSON.stringify(value));
      } catch {
        // It stays remembered until the page is left.
      }
    },
  };

  function make(tag, attributes, ...content) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...content);
    return element;
  }

  // The page's name, the same from a server and as a file: notebooks/03_growing_a_tree.html
  function pageName() {
    const root = document.documentElement.dataset.content_root ?? "./";
    const depth = root.split("../").length;
    return location.pathname.split("/").slice(-depth).join("/");
  }

  // A short name for a question that changes with its words, so that no answer outlives them.
  function fingerprint(text) {
    let hash = 5381;
    for (const character of text) hash = (hash * 33 + character.codePointAt(0)) % 4294967296;
    return hash.toString(36);
  }

  // The paragraph that asks: the nearest above with a number in bold.
  function askedBy(quiz) {
    for (let e = quiz.previousElementSibling; e; e = e.previousElementSibling) {
      if (e.matches(".tl-quiz, h2, h3")) return null;
      if (e.firstElementChild?.matches("strong") && /^\d+\./.test(e.textContent)) return e;
    }
    return null;
  }

  // A question: its options as cards. `chosen` holds the options tried, in this order.
  class Question {
    constructor(quiz, number, changed) {
      this.quiz = quiz;
      this.changed = changed;
      this.chosen = [];
      this.options = [...quiz.querySelectorAll(":scope > details")];
      this.key = fingerprint(quiz.textContent.replace(/\s+/g, " "));
      const asked = askedBy(quiz);
      quiz.setAttribute("role", "group");
      if (asked) {
        asked.id ||= `tl-question-${number}`;
        quiz.setAttribute("aria-labelledby", asked.id);
      } else {
        quiz.setAttribute("aria-label", `Question ${number}`);
      }
      this.right = this.options.map((option) => {
        const text = [...option.childNodes].filter((n) => n.nodeName !== "SUMMARY");
        return /^\s*Yes\b/.test(text.map((n) => n.textContent).join(""));
      });
      this.options.forEach((option, i) => this.prepare(option, i));
      quiz.classList.add("tl-cards");
    }

    prepare(option, i) {
      const summary = option.querySelector("summary");
      const answer = make("span", { class: "tl-answer" });
      answer.append(...summary.childNodes);
      summary.append(make("span", { class: "tl-letter" }, "ABCDEFGH"[i]), answer,
        make("span", { class: "tl-verdict" }));
      summary.addEventListener("click", () => {
        if (!option.open) this.choose(i);
      });
    }

    choose(i) {
      if (!this.chosen.includes(i)) this.chosen.push(i);
      this.show();
      this.changed(this, i);
    }

    restore(chosen) {
      const known = Array.isArray(chosen) && chosen.every((i) => i in this.options);
      this.chosen = known ? chosen : [];
      this.show();
    }

    show() {
      this.options.forEach((option, i) => {
        const tried = this.chosen.includes(i);
        option.classList.toggle("tl-right", tried && this.right[i]);
        option.classList.toggle("tl-wrong", tried && !this.right[i]);
        const verdict = this.right[i] ? "✓ Right" : "✗ Wrong";
        option.querySelector(".tl-verdict").textContent = tried ? verdict : "";
      });
    }

    get atFirst() {
      return this.chosen.length > 0 && this.right[this.chosen[0]];
    }
  }

  function addQuizzes(article) {
    const name = `treelab:quiz:${pageName()}`;
    const spoken = make("p", { class: "visually-hidden", role: "status" });
    const score = make("p", { class: "tl-score" });
    const forget = make("button", { type: "button", class: "tl-forget" }, "Forget my answers");
    const questions = [];

    function tell() {
      const answered = questions.filter((q) => q.chosen.length).length;
      const right = questions.filter((q) => q.atFirst).length;
      const rest = answered < questions.length ? `; ${questions.length - answered} to go` : "";
      score.textContent =
        `${right} of ${questions.length} questions answered right at the first try${rest}.`;
      forget.hidden = answered === 0;
    }

    function changed(question, i) {
      const answers = questions.filter((q) => q.chosen.length).map((q) => [q.key, q.chosen]);
      memory.write(name, Object.fromEntries(answers));
      tell();
      spoken.textContent = question.right[i] ? "Right." : "Wrong.";
      const reply = [...question.options[i].children].filter((e) => e.tagName !== "SUMMARY");
      spoken.textContent += " " + reply.map((e) => e.textContent.trim()).join(" ");
    }

    article.querySelectorAll(".tl-quiz").forEach((quiz, i) => {
      questions.push(new Question(quiz, i + 1, changed));
    });
    if (!questions.length) return;
    const remembered = memory.read(name) ?? {};
    for (const question of questions) question.restore(remembered[question.key]);
    forget.addEventListener("click", () => {
      memory.write(name, {});
      for (const question of questions) {
        question.restore([]);
        for (const option of question.options) option.open = false;
      }
      tell();
      spoken.textContent = "Your answers are forgotten.";
      questions[0].options[0].querySelector("summary").focus();
    });
    questions.at(-1).quiz.after(make("div", { class: "tl-progress" }, score, forget, spoken));
    tell();
  }

  // On a phone the contents of the book open at the page that one reads, whatever takes the focus.
  document.querySelector(".primary-toggle")?.addEventListener("click", () => setTimeout(() => {
    [...document.querySelectorAll(".bd-sidebar-primary .bd-links a.current, .bd-sidebar-primary li.current > a")]
      .at(-1)?.scrollIntoView({ block: "center" });
  }, 300));

  // The contents of a page that are longer than the window follow the reader.
  document.addEventListener("activate.bs.scrollspy", ({ relatedTarget: link }) => {
    const bar = link.closest(".bd-sidebar-secondary");
    if (bar) bar.scrollTop = link.offsetTop - bar.clientHeight / 2;
  });

  // What scrolls takes the focus, with a role and a name; what need not does not stop the Tab key.
  function nameWhatScrolls(article) {
    for (const box of article.querySelectorAll(".pst-scrollable-table-container, .tl-scroll, .output.text_html")) {
      const [tooWide, tooHigh] = [box.scrollWidth > box.clientWidth, box.scrollHeight > box.clientHeight];
      // The theme gives the focus to such an output, whichever way it scrolls.
      const scrolls = box.matches(".output") ? tooWide || tooHigh : tooWide && getComputedStyle(box).overflowX === "auto";
      const table = box.querySelector("table");
      const name = table?.querySelector(".caption-text")?.textContent ?? table?.getAttribute("aria-label");
      const wanted = { tabindex: "0", role: "region", "aria-label": name ?? (table ? "Table" : "A wide figure") };
      for (const [key, value] of Object.entries(wanted)) {
        if (!scrolls) box.removeAttribute(key);
        else if (box.getAttribute(key) !== value) box.setAttribute(key, value);
      }
    }
  }

  const article = document.querySelector("article.bd-article");
  if (article) {
    addQuizzes(article);
    const name = () => nameWhatScrolls(article);
    new ResizeObserver(name).observe(article);
    new MutationObserver(name).observe(article, { subtree: true, attributeFilter: ["tabindex"] }); // by the theme
  }
})();
