"""A figure in steps.

A stepper shows an algorithm frame by frame: figures or tables, drawn beforehand, with captions. In
a browser a slider moves through them, with the mouse or with the arrow keys. Where scripts do not
run, all frames stand one under the other. Nothing is loaded: the pictures are inside the page.
"""

import base64
import re
from html import escape

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from treelab.figures.svg import png, svg

__all__ = ["Stepper", "stepper"]

# All frames lie on one another, so that the tallest of them sets the height and nothing jumps;
# their captions share a row below the controls. In print and without scripts they stand one by one.
STYLE = """
.tl-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5em; }
.tl-controls[hidden] { display: none; }
.tl-controls button { min-width: 5.5em; min-height: 44px; font: inherit; cursor: pointer; }
.tl-controls button[aria-disabled=true] { opacity: 0.75; cursor: default; }
.tl-controls input { flex: 1 1 12em; min-width: 0; height: 44px; margin: 0; }
.tl-controls output { min-width: 4.5em; }
.tl-frames > li { min-width: 0; }
.tl-stepper .tl-frames > li > p.tl-caption { margin: 0.75em 0; }
@media screen {
  .tl-on > .tl-frames { display: grid; grid-template-columns: minmax(0, 1fr);
    grid-template-rows: auto auto; }
  .tl-on > .tl-frames > li { grid-area: 1 / 1 / 3 / 2; display: grid; list-style: none;
    grid-template-columns: minmax(0, 1fr); grid-template-rows: subgrid; visibility: hidden; }
  .tl-on > .tl-frames > li.tl-now { visibility: visible; }
}
@media print { .tl-controls { display: none; } .tl-frames > li { break-inside: avoid; } }
"""

# The script runs once for its own figure. It shows the controls, which the page keeps hidden for
# readers without scripts, and from then on one frame at a time. Who asks for less motion gets no
# button that plays.
SCRIPT = """
(function () {
  "use strict";
  const box = document.getElementById("%s");
  const range = box.querySelector("input");
  const output = box.querySelector("output");
  const [back, play, on] = box.querySelectorAll("button");
  const frames = Array.from(box.querySelectorAll(".tl-frame"));
  const last = frames.length - 1;
  let timer = null;
  function show() {
    const step = Number(range.value);
    frames.forEach((frame, i) => { frame.classList.toggle("tl-now", i === step); });
    output.textContent = (step + 1) + " of " + frames.length;
    const caption = frames[step].querySelector(".tl-caption").textContent;
    range.setAttribute("aria-valuetext", output.textContent + ": " + caption);
    back.setAttribute("aria-disabled", step === 0);
    on.setAttribute("aria-disabled", step === last);
  }
  function go(step) {
    range.value = step;
    show();
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  }
  function tick() {
    go(Number(range.value) + 1);
    if (!box.isConnected || Number(range.value) === last) stop();
  }
  back.addEventListener("click", () => { stop(); go(Number(range.value) - 1); });
  on.addEventListener("click", () => { stop(); go(Number(range.value) + 1); });
  range.addEventListener("input", () => { stop(); show(); });
  play.addEventListener("click", () => {
    if (timer !== null) return stop();
    if (Number(range.value) === last) go(0);
    play.textContent = "Pause";
    timer = setInterval(tick, 2000);
  });
  play.hidden = last === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;
  box.classList.add("tl-on");
  box.querySelector(".tl-controls").hidden = false;
  show();
})();
"""


def stepper(frames, title, name):
    """Frames that a slider moves through; its plain form is the list of captions.

    No frame at all, an empty text or another name is a ValueError, other content a TypeError.

    Parameters
    ----------
    frames : sequence of (content, caption, alt)
        `content` is a matplotlib Figure (or one of its Axes), a DataFrame, a string of
        HTML, or a list of these, one under the other; `caption` says what to see in the
        frame; `alt` says the same to somebody who cannot see it. Figures are closed, so that
        a notebook does not show them twice.
    title : str
        What the frames show together.
    name : str
        Unique on its page: lower-case letters, digits and hyphens.

    Examples
    --------
    >>> table = pd.DataFrame({"cut": [1.5, 2.5], "gain": [0.1, 0.4]})
    >>> frames = [
    ...     (table[:1], "The first cut.", "Table: a cut at 1.5 gains 0.1."),
    ...     (table, "The second is better.", "Table: a cut at 2.5 gains 0.4."),
    ... ]
    >>> stepper(frames, title="Two cuts", name="two-cuts")
    Two cuts, 2 steps
      1. The first cut.
      2. The second is better.
    """
    return Stepper(frames, title, name)


class Stepper:
    """What `stepper` makes."""

    def __init__(self, frames, title, name):
        frames = list(frames)
        if not frames:
            raise ValueError("frames is empty; give at least one (content, caption, alt).")
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
            words = "lower-case letters, digits and single hyphens"
            raise ValueError(f"name must be {words}, got {name!r}.")
        if not str(title).strip():
            raise ValueError("title is empty; say what the frames show together.")
        for i, (_, caption, alt) in enumerate(frames):
            if not caption.strip() or not alt.strip():
                raise ValueError(f"frame {i} needs a caption and an alt text.")
        self.title, self.name = str(title), name
        self.captions = [" ".join(caption.split()) for _, caption, _ in frames]
        self._contents = [
            _content_html(content, alt, f"stepper-{name}-{i}")
            for i, (content, _, alt) in enumerate(frames)
        ]

    def __len__(self):
        return len(self.captions)

    def __repr__(self):
        lines = [f"{self.title}, {len(self)} steps"]
        lines += [f"  {i}. {caption}" for i, caption in enumerate(self.captions, 1)]
        return "\n".join(lines)

    def list_html(self):
        """The frames one under the other, as an ordered list in HTML."""
        items = "\n".join(
            f'<li class="tl-frame" value="{i}"><p class="tl-caption">{escape(caption)}</p>\n'
            f"<div>{content}</div></li>"
            for i, (content, caption) in enumerate(zip(self._contents, self.captions), 1)
        )
        style = "list-style-position:inside;padding-left:0"
        return f'<ol class="tl-frames" style="{style}">\n{items}\n</ol>'

    def _repr_html_(self):
        """The stepper as HTML that needs nothing but itself."""
        n, ident = len(self), f"stepper-{self.name}"
        buttons = [f'<button type="button">{word}</button>' for word in ("Back", "Play", "Next")]
        return (
            f'<figure class="tl-stepper" id="{ident}" style="margin:1em 0">\n'
            f"<style>{STYLE}</style>\n"
            f'<figcaption class="tl-title">{escape(self.title)}</figcaption>\n'
            '<div class="tl-controls" data-lm-suppress-shortcuts="true" hidden>'
            f'{"".join(buttons)} <label for="{ident}-range">Step</label> '
            f'<input type="range" id="{ident}-range" min="0" max="{n - 1}" value="0" step="1" '
            f'autocomplete="off" aria-label="{escape(self.title)}: step" '
            f'aria-valuetext="1 of {n}: {escape(self.captions[0])}"> '
            f'<output for="{ident}-range">1 of {n}</output></div>\n'
            f"{self.list_html()}\n<script>{SCRIPT % ident}</script>\n</figure>"
        )


def _content_html(content, alt, prefix):
    """One frame's picture or table, or several of them; ids begin with `prefix`."""
    if isinstance(content, list):
        parts = (_content_html(part, alt, f"{prefix}-{k}") for k, part in enumerate(content))
        return "\n".join(parts)
    content = content.get_figure(root=True) if isinstance(content, Axes) else content
    if isinstance(content, Figure):
        import matplotlib.pyplot as plt

        text, shown = svg(content, prefix), 'style="max-width:100%;height:auto"'
        if text is None:
            picture = base64.b64encode(png(content)).decode()
            text = f'<img src="data:image/png;base64,{picture}" alt="{escape(alt)}" {shown}>'
        plt.close(content)
        return text.replace("<svg ", f'<svg role="img" aria-label="{escape(alt)}" {shown} ', 1)
    if isinstance(content, pd.DataFrame):
        content = content.to_html(border=0, na_rep="")
    if not isinstance(content, str):
        raise TypeError(
            "a frame holds a matplotlib Figure or Axes, a DataFrame or a string of HTML, got "
            f"{type(content).__name__}."
        )
    return (  # a wide table scrolls by itself, with the keyboard too
        f'<div class="tl-table" role="group" tabindex="0" aria-label="{escape(alt)}" '
        f'style="overflow-x:auto">{content}</div>'
    )
