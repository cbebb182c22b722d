"use strict";
// The definition of a term while the pointer or the focus is on it: in the margin where there is one,
// else below the word. It can be pointed at and copied; Escape and leaving it close it. A press on
// the term leads to the glossary as ever.

(function () {
  const article = document.querySelector("article.bd-article");
  const said = document.getElementById("tl-definitions")?.content;
  if (!article || !said) return;
  const TERMS = 'a[href*="#term-"]';
  const card = document.createElement("div");
  Object.assign(card, { id: "tl-definition", className: "tl-definition", hidden: true });
  card.setAttribute("role", "tooltip");
  article.append(card);
  let term = null, timer = 0;

  function close() {
    clearTimeout(timer);
    term?.removeAttribute("aria-describedby");
    term = null;
    card.hidden = true;
  }

  function open(link) {
    const definition = said.getElementById(`says-${link.hash.slice(1)}`);
    close();
    if (!definition) return;
    term = link;
    term.setAttribute("aria-describedby", card.id);
    card.replaceChildren(...definition.cloneNode(true).childNodes);
    card.hidden = false;
    const page = article.getBoundingClientRect(), word = link.getClientRects()[0];
    const style = getComputedStyle(article), left = parseFloat(style.paddingLeft);
    const right = page.width - parseFloat(style.paddingRight);
    const beside = matchMedia("(min-width: 1200px)").matches;
    card.classList.toggle("tl-beside", beside);
    card.style.top = `${(beside ? word.top - 12 : word.bottom + 6) - page.top}px`;
    card.style.left = beside ? `${right}px` :
      `${Math.max(left, Math.min(word.left - page.left, right - card.offsetWidth))}px`;
  }

  function later(what, wait) {
    clearTimeout(timer);
    timer = setTimeout(what, wait);
  }

  article.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const link = event.target.closest(TERMS);
    if (link && link !== term) later(() => open(link), 120);
    else if (link || card.contains(event.target)) clearTimeout(timer);
    else if (term) later(close, 250);
    else clearTimeout(timer);
  });
  article.addEventListener("pointerleave", () => term && later(close, 250));
  article.addEventListener("focusin", (event) => {
    const link = event.target.closest(TERMS);
    if (link?.matches(":focus-visible")) open(link);
  });
  article.addEventListener("focusout", close);
  document.addEventListener("keydown", (event) => event.key === "Escape" && close());
})();
