"use strict";
// Drills: a form and verdicts. What was solved unaided is kept.

(function () {
  function make(tag, attributes, ...content) {
    const element = document.createElement(tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    element.append(...content);
    return element;
  }

  // "0.25", "0,25" and "1/4"; NaN for what is no number.
  function read(text) {
    const parts = text.replace(/,/g, ".").replace("\u2212", "-").split("/");
    if (parts.length > 2 || parts.some((part) => !part.trim())) return NaN;
    return parts[0] / (parts[1] ?? 1);
  }

  // Right or not, and a hint. `kind`: choices or a tolerance.
  function judge([, right, kind, mistakes], typed) {
    if (Array.isArray(kind)) return [typed === right, ""];
    const value = read(typed), off = (x) => Math.abs(value - x) - 1e-9;
    const size = kind > 1e-5 && Math.abs(value);
    return off(right) < kind ? [true, ""] : [false, !isFinite(value) ? "This is not a number."
      : value && off(right) < 0.005 && +value.toFixed(2) === value ? "Nearly: give three decimals."
      : mistakes.find(([x]) => off(x) < kind + size / 50)?.[1]
        ?? (off(right) < size / 50 ? "Nearly: round at the end." : "")];
  }

  function start(drill) {
    const name = drill.querySelector(".tl-drill-title").id, key = `treelab:${name}`;
    let at = 0, rows, seen, solved = [];
    try {
      solved = JSON.parse(localStorage.getItem(key)) ?? [];
    } catch {} // the browser remembers nothing

    const sets = [...drill.querySelectorAll(".tl-numbers")].map((e) => ({
      asked: JSON.parse(e.dataset.asked),
      box: e.content ? make("div", { class: "tl-numbers" }, e.content) : e,
    }));
    const fields = make("div", {}), said = make("p", { role: "status" });
    const other = make("button", { type: "button" }, "New numbers"), score = make("span", {});
    const bar = make("p", {}, make("button", {}, "Check"), other, score);
    const form = make("form", { "aria-labelledby": name, autocomplete: "off" }, fields, said, bar);

    function row(part, i) {
      const id = `${name}-${i}`, about = { id, "aria-describedby": id + "-said" };
      const input = Array.isArray(part[2])
        ? make("select", about, ...["", ...part[2]].map((word) => make("option", {}, word)))
        : make("input", about);
      const verdict = make("span", { class: "tl-verdict", id: id + "-said" });
      const box = make("div", {}, make("label", { for: id }, part[0]), input, verdict);
      return { part, input, verdict, box };
    }

    function show(k) {
      const set = sets[k];
      sets[at].box.replaceWith(set.box);
      at = k;
      const solution = set.box.querySelector(".tl-key");
      solution.open = seen = false;
      solution.ontoggle = () => { seen ||= solution.open; };
      solution.before(form);
      rows = set.asked.map(row);
      fields.replaceChildren(...rows.map(({ box }) => box));
      said.textContent = "";
      window.MathJax?.typesetPromise?.([set.box]);
    }

    const tell = () => { score.textContent = `Solved: ${solved.length} of ${sets.length}`; };

    form.addEventListener("submit", (event) => {
      event.preventDefault();
      let done = 0;
      for (const { part, input, verdict, box } of rows) {
        const empty = !input.value.trim(), [right, hint] = judge(part, input.value);
        box.className = empty ? "" : right ? "tl-right" : "tl-wrong";
        verdict.textContent = empty ? "Empty" : right ? "✓ Right" : `✗ Wrong. ${hint}`;
        input.setAttribute("aria-invalid", !empty && !right);
        done += right;
      }
      said.textContent = `${done} of ${rows.length} right.`;
      if (done < rows.length || seen || solved.includes(at)) return;
      solved.push(at);
      tell();
      try {
        localStorage.setItem(key, JSON.stringify(solved));
      } catch {}
    });
    other.addEventListener("click", () => {
      show((at + 1) % sets.length);
      rows[0].input.focus();
    });
    show(0);
    tell();
  }

  document.querySelectorAll(".tl-drill").forEach(start);
})();
