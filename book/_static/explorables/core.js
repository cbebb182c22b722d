// What all explorables share: figures that a reader moves, drawn from the JSON beside them.
//
// A kind says how it rests, which controls it has and how a state looks:
//
//   treelab.kind("cut", {
//     rest: (data) => state,          // where it begins, and where "Reset" leads
//     build: (stage, data) => parts,  // makes sliders, buttons, pictures and values, once
//     draw: (stage, state, data) => {},  // fills them, `stage.parts` among them
//     undo: true,                     // where a reader wants to take back a step
//   });
//
// A state is a small object that is never changed, only followed by another one, and all that the stage
// shows is a function of it: so undo and reset are older states. Without this script the pictures and tables that the page holds stay as they are.

"use strict";
window.treelab = (() => {
  const kinds = {};
  // Numbers as the page writes them: to so many digits, or with so many decimals.
  const round = (x, digits = 3) => String(Number(x.toPrecision(digits))).replace("-", "−");
  const fixed = (x, decimals) => x.toFixed(decimals).replace(/^-(?=[0.]*$)/, "").replace("-", "−");

  // A new element in `parent`; an SVG element where the parent is one.
  function add(parent, tag, attributes = {}, text) {
    const space = tag === "svg" ? "http://www.w3.org/2000/svg" : parent.namespaceURI;
    const made = document.createElementNS(space, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    return parent.appendChild(made);
  }

  // The stage of one figure: its state, its controls, its pictures and its words.
  class Stage {
    constructor(figure) {
      this.figure = figure;
      this.data = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
      this.kind = kinds[figure.dataset.kind];
      this.rest = this.kind.rest(this.data);
      this.state = { ...this.rest };
      this.past = [];
      this.inputs = [];
      this.pictures = [];
      this.outputs = {};
      this.box = document.createElement("div");
      this.box.className = "tl-stage";
      this.sentence = add(this.box, "p", { class: "tl-sentence" });
      this.drawings = add(this.box, "div", { class: "tl-drawings" });
      this.controls = add(this.box, "div", { class: "tl-hands", "data-lm-suppress-shortcuts": "true" });
      this.list = add(this.box, "dl", { class: "tl-values" });
      this.live = add(this.box, "p", { class: "tl-spoken", role: "status" });
      this.parts = this.kind.build(this, this.data);
      if (this.kind.undo) this.undoButton = this.button("Undo", () => this.undo());
      this.button("Reset", () => this.set(this.rest, true));
      figure.insertBefore(this.box, figure.querySelector(".tl-still"));
      figure.classList.add("tl-on");
      this.draw(true);
      new ResizeObserver(() => {
        if (this.width !== this.drawings.clientWidth) this.draw(true);
      }).observe(this.drawings);
    }

    // Go to the state with these changes; `whole` takes exactly these.
    set(changes, whole = false) {
      const next = whole ? { ...changes } : { ...this.state, ...changes };
      if (JSON.stringify(next) === JSON.stringify(this.state)) return;
      this.past.push(this.state);
      this.state = next;
      this.draw();
    }

    undo() {
      if (!this.past.length) return;
      this.state = this.past.pop();
      this.draw();
    }

    draw(silent = false) {
      this.width = this.drawings.clientWidth || 320;
      for (const { svg, height } of this.pictures) {
        const high = height.call ? height(this.width) : height;
        svg.replaceChildren();
        svg.setAttribute("viewBox", `0 0 ${this.width} ${high}`);
        svg.setAttribute("height", high);
      }
      for (const { input, name, text } of this.inputs) {
        input.value = this.state[name];
        input.setAttribute("aria-valuetext", text(Number(input.value), this.data));
        input.nextElementSibling.textContent = text(Number(input.value), this.data);
      }
      this.answers?.forEach(([button, guess]) => {
        button.setAttribute("aria-pressed", this.state.guess === guess);
        button.setAttribute("aria-disabled", this.state.guess !== null);
      });
      if (this.undoButton) this.undoButton.disabled = !this.past.length;
      this.kind.draw(this, this.state, this.data);
      this.figure.dataset.state = JSON.stringify(this.state);
      clearTimeout(this.speaking); // the words are spoken once, after the movement
      if (!silent) this.speaking = setTimeout(() => { this.live.textContent = this.sentence.textContent; }, 500);
    }

    // A native slider for a number of the state; `text` says its value with its unit, and `change`
    // hears of it where more than this number changes.
    range(name, { label, min, max, step = 1, text = String, change }) {
      const row = add(this.controls, "label", { class: "tl-range" });
      add(row, "span", {}, label);
      const input = add(row, "input", {
        type: "range", min, max, step, "data-name": name, autocomplete: "off",
      });
      add(row, "output", { "aria-hidden": "true" });
      const set = change ?? ((value) => this.set({ [name]: value }));
      input.addEventListener("input", () => set(Number(input.value)));
      this.inputs.push({ input, name, text });
      return input;
    }

    button(label, press) {
      const button = add(this.controls, "button", { type: "button", class: "tl-button" }, label);
      button.addEventListener("click", press);
      return button;
    }

    // A question with answers to choose from, or to skip: the state's `guess` is null, then the chosen
    // number, or -1. Once answered it stays in view, its button pressed, and takes no other answer.
    ask(question, answers) {
      const box = add(this.box, "fieldset", { class: "tl-ask" });
      this.box.insertBefore(box, this.drawings);
      add(box, "legend", {}, question);
      this.answers = [...answers, "Skip"].map((words, k) => {
        const button = add(box, "button", { type: "button", class: "tl-button" }, words);
        const guess = k < answers.length ? k : -1;
        button.addEventListener("click", () => this.state.guess === null && this.set({ guess }));
        return [button, guess];
      });
      return box;
    }

    // An empty picture, drawn anew for each state; `press(x, y)` hears of clicks, taps and dragging.
    // The height is a number, or a function of the width.
    picture(height, label, press) {
      const svg = add(this.drawings, "svg", { role: "img", "aria-label": label, class: "tl-picture" });
      const tell = (event) => {
        const box = svg.getBoundingClientRect();
        press(event.clientX - box.left, event.clientY - box.top);
      };
      if (press) {
        svg.classList.add("tl-press");
        svg.addEventListener("click", tell);
        svg.addEventListener("pointermove", (event) => {
          if (event.buttons === 1 && event.pointerType === "mouse") tell(event);
        });
      }
      this.pictures.push({ svg, height });
      return svg;
    }

    // A number in words, under its label: `show({name: text})` fills it.
    value(name, label) {
      const pair = add(this.list, "div");
      add(pair, "dt", {}, label);
      this.outputs[name] = add(pair, "dd", { "data-name": name });
    }

    show(texts) {
      for (const [name, text] of Object.entries(texts)) this.outputs[name].textContent = text;
    }

    say(words) {
      this.sentence.textContent = words;
    }
  }

  // About `n` round numbers from `low` to `high`.
  function ticks(low, high, n = 5) {
    const raw = (high - low) / n, unit = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((m) => m * unit).find((s) => s >= raw);
    const found = [];
    for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; k++) found.push(k * step);
    return found;
  }

  // Axes in a part of a picture, and the way from numbers to pixels and back.
  function plane(svg, { x: [x0, x1], y: [y0, y1], box: [left, top, right, bottom], xlabel, ylabel, xticks, yticks, xname }) {
    const px = (x) => left + ((x - x0) / (x1 - x0)) * (right - left);
    const py = (y) => bottom - ((y - y0) / (y1 - y0)) * (bottom - top);
    const axes = add(svg, "g", { class: "tl-axes" });
    add(axes, "path", { d: `M${left} ${top}V${bottom}H${right}` });
    for (const t of xticks ?? ticks(x0, x1, (right - left) / 70)) {
      add(axes, "path", { d: `M${px(t)} ${bottom}v5` });
      add(axes, "text", { x: px(t), y: bottom + 18, "text-anchor": "middle" }, xname ? xname(t) : round(t, 6));
    }
    for (const t of yticks ?? ticks(y0, y1, (bottom - top) / 45)) {
      add(axes, "path", { d: `M${left} ${py(t)}h-5` });
      add(axes, "text", { x: left - 8, y: py(t) + 4, "text-anchor": "end" }, round(t, 6));
    }
    if (xlabel) add(axes, "text", { x: (left + right) / 2, y: bottom + 36, "text-anchor": "middle" }, xlabel);
    if (ylabel) add(axes, "text", { x: 2, y: top - 8 }, ylabel);
    const within = (v, a, b) => Math.min(Math.max(v, Math.min(a, b)), Math.max(a, b));
    return {
      px, py,
      x: (p) => within(x0 + ((p - left) / (right - left)) * (x1 - x0), x0, x1),
      y: (p) => within(y0 + ((bottom - p) / (bottom - top)) * (y1 - y0), y0, y1),
      line: (points, attributes) => add(svg, "path", {
        fill: "none", d: "M" + points.map(([x, y]) => `${px(x)} ${py(y)}`).join("L"), ...attributes,
      }),
      area: ([[a, b], [c, d]], answer) => add(svg, "path", {
        d: `M${px(a)} ${py(c)}H${px(b)}V${py(d)}H${px(a)}z`, class: `tl-area tl-class-${answer}`,
      }),
    };
  }

  // Curves in one plane under one cursor, their names above. A line is { name, points }; with `stairs`
  // a value holds until the next point. All else is for `plane`, and what that returns is returned.
  function curves(svg, { lines, at, stairs, ...rest }) {
    const axes = plane(svg, rest), [, top, right] = rest.box;
    lines.forEach(({ points }, k) => {
      const held = points.flatMap(([x, y], i) => (i ? [[x, points[i - 1][1]], [x, y]] : [[x, y]]));
      axes.line(stairs ? held : points, { class: `tl-curve tl-curve-${k}` });
    });
    axes.line(rest.y.map((y) => [at, y]), { class: "tl-cut" });
    lines.reduceRight((from, { name, points }, k) => {
      const here = points.findLast(([x]) => x <= at), start = from - 6.8 * name.length;
      if (here) mark(svg, k, axes.px(at), axes.py(here[1]));
      mark(svg, k, start - 9, top - 12);
      add(svg, "text", { x: start, y: top - 8 }, name);
      return start - 28;
    }, right);
    return axes;
  }

  // The sign of class k: circle, square, triangle, diamond; `r` is half its width.
  function mark(parent, k, x, y, r = 5, more = "") {
    const shapes = [
      `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
      `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
      `M${x} ${y - 1.2 * r}L${x + 1.2 * r} ${y + r}H${x - 1.2 * r}z`,
      `M${x} ${y - 1.3 * r}L${x + 1.3 * r} ${y}L${x} ${y + 1.3 * r}L${x - 1.3 * r} ${y}z`,
    ];
    return add(parent, "path", { d: shapes[k % 4], class: `tl-mark tl-class-${k} ${more}` });
  }

  // Each figure by itself: what is wrong with one leaves its still pictures, and the others.
  document.addEventListener("DOMContentLoaded", () => {
    for (const figure of document.querySelectorAll("figure.tl-explorable")) {
      try {
        new Stage(figure);
      } catch (error) {
        figure.querySelector(".tl-stage")?.remove();
        figure.classList.remove("tl-on");
      }
    }
  });

  return { kind: (name, parts) => { kinds[name] = parts; }, add, plane, curves, mark, round, fixed, ticks };
})();
