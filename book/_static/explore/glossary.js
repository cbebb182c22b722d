// The glossary's field: of all terms those stay whose names or definitions have the words.
"use strict";

(() => {
  const nav = document.querySelector(".tl-letters");
  if (!nav) return;
  const field = nav.querySelector("input");
  const status = document.createElement("p");
  field.disabled = false;
  status.setAttribute("role", "status");
  status.className = "visually-hidden";
  nav.after(status);

  // The names of a term and its definition, which are shown or hidden together.
  const entries = [];
  for (const definition of document.querySelectorAll(".tl-initial dd")) {
    const parts = [definition];
    for (let e = definition.previousElementSibling; e?.matches("dt"); e = e.previousElementSibling) parts.push(e);
    entries.push({ parts, text: parts.map((part) => part.textContent).join(" ").toLowerCase() });
  }
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const { parts, text } of entries) {
      const isShown = words.every((word) => text.includes(word));
      n += isShown;
      for (const part of parts) part.hidden = !isShown;
    }
    for (const letter of document.querySelectorAll(".tl-initial"))
      letter.hidden = !letter.querySelector("dd:not([hidden])");
    status.textContent = `${n} of ${entries.length} terms`;
  });
})();
