// Live cells: code of the page that a reader runs, changes and runs again, and exercises that are
// answered and checked in the page. Python comes with the built book (`live_worker.js`), is loaded
// when somebody first presses Run, and runs in a worker, which Stop ends.
//
// The page marks a live cell by the class tag_live; what is not in its text, the plain functions
// of a cell and the holes of exercises, stands as JSON in #tl-live-data.

"use strict";

(() => {
  const here = new URL(".", document.currentScript.src);
  const page = location.pathname.split("/").slice(-1)[0];
  const SERVE = "To run and change code in the page, open the book through a web server: run " +
    "make serve, or put the folder of the book on any server.";
  const GONE = "Stopped. Python starts anew at the next run: its variables are gone, your text is not.";

  // --- small tools

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  function button(textContent, className = "tl-live-button") {
    return make("button", { type: "button", className, textContent });
  }

  // What a reader has written, kept in the browser where that is allowed.
  const store = {
    get(key) {
      try {
        return JSON.parse(localStorage.getItem(`treelab-live:${page}:${key}`));
      } catch {
        return null;
      }
    },
    set(key, value) {
      try {
        if (value === null) localStorage.removeItem(`treelab-live:${page}:${key}`);
        else localStorage.setItem(`treelab-live:${page}:${key}`, JSON.stringify(value));
      } catch { /* a browser that keeps nothing */ }
    },
  };

  // --- Python

  let worker = null, next = 0;
  const waiting = new Map(); // id of a call -> { done, failed, started }
  const blocks = []; // functions and cells in the order of the page

  function ask(call, args, started) {
    if (!worker) {
      worker = new Worker(new URL("live_worker.js", here), { type: "module" });
      worker.onmessage = ({ data }) => {
        const call = waiting.get(data.id);
        if (!call) return;
        if (data.started) return call.started();
        waiting.delete(data.id);
        if ("said" in data) return call.done(data.said);
        call.failed(new Error(data.failed));
        end(data.failed); // Python itself is broken: the next run starts it anew
      };
      worker.onerror = () =>
        end("Python could not be loaded. Is the whole folder of the book on the server?");
    }
    return new Promise((done, failed) => {
      waiting.set(++next, { done, failed, started });
      worker.postMessage({ id: next, call, args });
    });
  }

  // Ends Python; every call that waits fails with these words.
  function end(words) {
    worker?.terminate();
    worker = null;
    for (const block of blocks) block.ran = null;
    for (const { failed } of waiting.values()) failed(new Error(words));
    waiting.clear();
  }

  // --- the editor

  const KINDS = [ // a class of the highlighter, and what belongs to it
    ["c1", /#.*/],
    ["s2", /[rbf]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)/],
    ["mi", /\b\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?\b/],
    ["k", /\b(?:and|as|assert|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield|True|False|None)\b/],
    ["n", /\w+/],
  ];
  const TOKENS = new RegExp(KINDS.map(([, pattern]) => `(${pattern.source})`).join("|"), "g");

  function highlight(code, text) {
    code.replaceChildren();
    let at = 0;
    for (const match of text.matchAll(TOKENS)) {
      const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)][0];
      code.append(text.slice(at, match.index), make("span", { className: kind, textContent: match[0] }));
      at = match.index + match[0].length;
    }
    code.append(text.slice(at), "\n");
  }

  // Enter keeps the indentation and Backspace takes back a step of it. Tab moves on, as elsewhere.
  function onKey(event, area, run) {
    const before = area.value.slice(0, area.selectionStart);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    if (event.key === "Enter" && (event.shiftKey || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      const indent = line.match(/^ */)[0] + (/:\s*(#.*)?$/.test(line) ? "    " : "");
      document.execCommand("insertText", false, "\n" + indent);
    } else if (event.key === "Backspace" && area.selectionStart === area.selectionEnd &&
        line.length && /^ *$/.test(line) && line.length % 4 === 0) {
      event.preventDefault();
      area.setSelectionRange(area.selectionStart - 4, area.selectionStart);
      document.execCommand("delete");
    }
  }

  // An editor with what a reader wrote last time. What Reset takes away can be had back.
  function editor(key, original, label, run) {
    const area = make("textarea", { className: "tl-live-code", spellcheck: false, autocapitalize: "off",
      autocomplete: "off", wrap: "off", rows: 1 });
    area.setAttribute("aria-label", label);
    area.setAttribute("aria-description", "Enter keeps the indentation, Control and Enter runs, Tab leaves.");
    const code = make("code");
    const shadow = make("pre", { className: "highlight", ariaHidden: "true" }, code);
    const reset = button("Reset"), undo = button("Undo reset");
    const element = make("div", { className: "tl-live-editor" },
      make("div", { className: "tl-live-sheet" }, shadow, area));
    element.tabIndex = -1;

    const kept = store.get(key);
    const before = kept?.before ?? []; // the texts that Reset has taken away
    area.value = kept && kept.text !== kept.original ? kept.text : original;

    function show() {
      highlight(code, area.value);
      reset.disabled = area.value === original;
      undo.hidden = !before.length;
      store.set(key, reset.disabled && undo.hidden ? null : { text: area.value, original, before });
    }
    reset.addEventListener("click", () => {
      before.push(area.value);
      area.value = original;
      show();
    });
    undo.addEventListener("click", () => { // what stands there goes under the others: nothing is lost
      if (area.value !== original) before.unshift(area.value);
      area.value = before.pop();
      show();
    });
    area.addEventListener("input", show);
    area.addEventListener("keydown", (event) => onKey(event, area, run));
    show();
    return { element, buttons: [reset, undo], text: () => area.value };
  }

  // --- what a run shows

  // A tree as SVG, the leaves side by side, with all of it in words.
  function picture(tree) {
    const SVG = "http://www.w3.org/2000/svg", WIDE = 8.2, ROW = 74;
    const draw = (tag, attributes, text) => {
      const element = document.createElementNS(SVG, tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      if (text !== undefined) element.textContent = text;
      return element;
    };
    const boxes = [], links = [];
    let depth = 0, right = 0;
    // Puts a subtree to the right of `left`; its root stands over the middle of its branches.
    function place(node, level, left, answer = "") {
      const first = boxes.length;
      const lines = node.asks ? [node.asks, node.says] : [node.says];
      const width = Math.max(answer.length, ...lines.map((line) => line.length)) * WIDE + 16;
      const below = [];
      let edge = left;
      for (const [word, branch] of node.branches) {
        const child = place(branch, level + 1, edge, word);
        below.push([word, child]);
        edge = child.edge + 14;
      }
      const box = { lines, width, y: level * ROW, isLeaf: !below.length };
      box.x = below.length ? (below[0][1].x + below.at(-1)[1].x) / 2 : left + width / 2;
      const outside = left - (box.x - width / 2);
      if (outside > 0) for (const other of [...boxes.slice(first), box]) other.x += outside;
      box.edge = Math.max(box.x + width / 2, ...below.map(([, child]) => child.edge + Math.max(outside, 0)));
      for (const [word, child] of below) links.push([box, child, word]);
      boxes.push(box);
      depth = Math.max(depth, level);
      right = Math.max(right, box.edge);
      return box;
    }
    const root = place(tree, 0, 2);
    const height = depth * ROW + 48;
    const svg = draw("svg", { viewBox: `0 0 ${right + 2} ${height}`, width: right + 2, height,
      role: "img", "aria-label": "The tree: " + sentence(tree) });
    for (const [from, to, word] of links) {
      svg.append(draw("line", { x1: from.x, y1: from.y + 42, x2: to.x, y2: to.y + 2 }));
      const x = from.x + 0.7 * (to.x - from.x), y = from.y + 46 + 0.7 * (to.y - from.y - 40);
      svg.append(draw("text", { x, y, class: "tl-live-word" }, word));
    }
    for (const { x, y, width, lines, isLeaf } of boxes) {
      svg.append(draw("rect", { x: x - width / 2, y: y + 2, width, height: 40, rx: isLeaf ? 2 : 14 }));
      lines.forEach((line, i) => svg.append(draw("text",
        { x, y: y + (lines.length === 1 ? 26 : 18 + 17 * i) }, line)));
    }
    const scroll = make("div", { className: "tl-live-picture", tabIndex: 0, role: "group",
      ariaLabel: "Picture of the tree" });
    scroll.append(svg);
    requestAnimationFrame(() => (scroll.scrollLeft = root.x - scroll.clientWidth / 2));
    return make("div", {}, scroll,
      make("details", {}, make("summary", { textContent: "The tree in words" }), outline(tree)));
  }

  function sentence(node) {
    if (!node.branches.length) return node.says;
    return `${node.asks} ` + node.branches.map(([word, child]) => `${word}: ${sentence(child)}`).join("; ");
  }

  function outline(node, word = "") {
    const words = [word, node.asks, node.says].filter(Boolean).join(": ");
    const list = make("ul", {}, make("li", {}, words));
    for (const [answer, child] of node.branches) list.firstChild.append(outline(child, answer));
    return list;
  }

  function report(output, said) {
    const code = (className, textContent) => make("pre", { className, textContent, tabIndex: 0 });
    output.replaceChildren();
    output.style.minHeight = "";
    if (said.text) output.append(code("tl-live-text", said.text));
    if (said.tree) output.append(picture(said.tree));
    if (said.error) output.append(code("tl-live-text tl-live-error", said.error));
    if (said.verdict) {
      const [passed, words] = said.verdict;
      output.append(make("p", { className: passed ? "tl-live-passed" : "tl-live-hint",
        textContent: passed ? "✓ Passed." : `✗ ${words[0].toUpperCase()}${words.slice(1)}` }));
    }
    if (!output.childNodes.length)
      output.append(make("p", { className: "tl-live-quiet", textContent: "It ran, and printed nothing." }));
  }

  // Buttons under an editor, and a line that says what is going on. Of all on the page one runs.
  let busy = false;
  function controls(name, buttons, output, act) {
    const go = button(name, "tl-live-button tl-live-go"), stop = button("Stop");
    stop.disabled = true;
    const state = make("span", { className: "tl-live-state", role: "status" });
    const bar = make("progress", { className: "tl-live-progress", ariaLabel: "Python works", hidden: true });
    async function run() {
      if (busy) return void (state.textContent = "Another cell runs: stop it first, or wait.");
      busy = true;
      go.disabled = true;
      stop.disabled = false;
      bar.hidden = false;
      state.textContent = worker ? "Running" : "Python is loading: 13 MB, once";
      output.style.minHeight = `${output.offsetHeight}px`; // what the last run showed goes, the page stays
      output.replaceChildren();
      try {
        const said = await act(() => (state.textContent = "Running"));
        report(output, said);
        state.textContent = said.error ? "Stopped by an error" : said.verdict ? "Checked" : "Done";
      } catch (error) {
        output.style.minHeight = "";
        state.textContent = error.message;
      }
      busy = false;
      go.disabled = false;
      stop.disabled = true;
      bar.hidden = true;
    }
    go.addEventListener("click", run);
    stop.addEventListener("click", () => { end(GONE); go.focus(); });
    return { bar: make("div", { className: "tl-live-bar" }, go, stop, ...buttons, bar, state), run };
  }

  // --- the three kinds of blocks

  function functions({ module, source }, number) {
    const name = `treelab.${module}`;
    const box = editor(`functions-${number}-${module}`, source, `Functions of ${name}`, () => {});
    blocks.push({ text: box.text, original: source, isFunctions: true, ran: null,
      run: (started) => ask("define", [module, box.text(), name], started) });
    return make("details", { className: "tl-live-functions" },
      make("summary", {}, "Change the plain functions: ", make("code", { textContent: module })),
      box.element, make("div", { className: "tl-live-bar" }, ...box.buttons));
  }

  function cell(element, number, data) {
    const original = element.querySelector(".cell_input pre").textContent.trimEnd();
    let output = element.querySelector(".cell_output");
    if (!output) element.append((output = make("div", { className: "cell_output docutils container" })));
    const block = { original, isFunctions: false, ran: null };
    const act = async (started) => {
      const upTo = blocks.indexOf(block);
      for (const earlier of blocks.slice(0, upTo)) {
        const fresh = earlier.isFunctions ? (earlier.ran ?? earlier.original) !== earlier.text()
          : earlier.ran === null;
        if (!fresh) continue;
        const text = earlier.text();
        const said = await earlier.run(started);
        if (said.error) return { ...said, text: `In a block above: ${said.text}` };
        earlier.ran = text;
        if (earlier.report) earlier.report(said);
      }
      const text = block.text();
      const said = await block.run(started);
      block.ran = text;
      return said;
    };
    let run = () => {};
    const box = editor(`cell-${number}`, original, `Code of live cell ${number}`, () => run());
    const { bar, run: pressed } = controls("Run", box.buttons, output, act);
    run = pressed;
    Object.assign(block, { text: box.text, report: (said) => report(output, said),
      run: (started) => ask("run", [box.text(), `cell ${number}`], started) });
    const sheets = (data ?? []).map((one) => functions(one, number));
    blocks.push(block);
    element.querySelector(".cell_input").replaceWith(...sheets, box.element, bar);
    element.classList.add("tl-live");
  }

  function exercise(id, { hole, name }) {
    const output = make("div", { className: "tl-live-verdict" });
    output.setAttribute("role", "status");
    let run = () => {};
    const box = editor(`exercise-${id}`, hole, `Your answer: ${name}`, () => run());
    const act = (started) => ask("check", [id, box.text(), name], started);
    const { bar, run: pressed } = controls("Check", box.buttons, output, act);
    run = pressed;
    const note = make("p", { className: "tl-live-quiet", textContent:
      "Or write it here, in plain Python: where the notebook has arrays, the page has lists." });
    document.getElementById(id)?.append(
      make("div", { className: "tl-live tl-live-exercise" }, note, box.element, bar, output));
  }

  // --- the page

  const given = JSON.parse(document.getElementById("tl-live-data").textContent);
  const cells = [...document.querySelectorAll("div.cell.tag_live")];
  if (location.protocol === "file:") {
    const places = [...cells, ...Object.keys(given.exercises).map((id) => document.getElementById(id))];
    for (const place of places) place?.append(make("p", { className: "tl-live-quiet tl-live-serve", textContent: SERVE }));
    return;
  }
  cells.forEach((element, i) => cell(element, i + 1, given.cells[i]));
  for (const [id, data] of Object.entries(given.exercises)) exercise(id, data);
})();
