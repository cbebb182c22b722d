// Makes every slide's text and pictures as large as the slide allows, and starts reveal.js. What does
// not fit at the last of these sizes fails the book's tests. Where the book was built without Temml,
// MathJax sets the formulas before that.
const SIZES = [30, 29, 28, 27, 26, 25, 24, 23, 22];
const HEIGHTS = [460, 420, 380, 340, 300, 260];
const SMALLEST = [21, 20, 19, 18];

// The frames of a stepper lie on one another: where the tallest fits, all do.
function fits(body) {
  return body.scrollHeight <= body.clientHeight && body.scrollWidth <= body.clientWidth;
}

function fit(slide) {
  const body = slide.querySelector(".body");
  const tries = HEIGHTS.flatMap((tall) => SIZES.map((size) => [tall, size]))
    .concat(SMALLEST.map((size) => [HEIGHTS.at(-1), size]));
  for (const [tall, size] of body.querySelector("img, svg.tl-figure") ? tries : tries.filter(([t]) => t === HEIGHTS.at(-1))) {
    body.style.setProperty("--tall", `${tall}px`);
    body.style.fontSize = `${size}px`;
    if (fits(body)) break;
  }
}

const deck = new Reveal({
  width: 1280, height: 720, margin: 0.02, center: false, hash: true, slideNumber: "c/t",
  transition: "none", backgroundTransition: "none", scrollActivationWidth: null,
  plugins: [RevealNotes],
});

async function start() {
  document.body.classList.add("all");
  // Of the fonts of the machine, which stand in until those of the book are there, some are missing.
  await Promise.allSettled([...document.fonts].map((font) => font.load()));
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  await window.MathJax?.typesetPromise();
  document.querySelectorAll(".slide").forEach(fit);
  document.body.classList.remove("all");
  await deck.initialize();
  document.documentElement.dataset.ready = "true";
}

if (document.querySelector('script[src*="/mathjax/"]')) window.MathJax = {
  options: { processHtmlClass: "math", ignoreHtmlClass: "reveal", enableMenu: false },
  startup: { typeset: false, ready() { MathJax.startup.defaultReady(); start(); } },
};
else start();
