"""The bug museum: faults of tree code, each a few changed lines of a short function, that run.

An exhibit has a function of its own, written as a student would, and the lines of it that a fault
changes. Inside ``with mutated(exhibit):`` the function has the fault for every caller; after the
block it is as before. So an exhibit proves itself: its *sign*, a small computation, is made
twice, with the right code and with the fault, and the two results differ visibly. They are also
the two panels of its picture. What is right is not for the museum to say: the exhibit names the
public object of treelab that does the same, and the tests compare the two.

The exhibits stand in ``exhibits_<part>.py`` beside this file, in a list ``EXHIBITS``.
"""

import functools
import importlib
import inspect
import sys
import textwrap
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from treelab.drawing.style import COLORS, HATCHES, INK, LINES, MARKERS, WIDTH, pale, style

__all__ = [
    "COLORS",
    "INK",
    "MARKERS",
    "Exhibit",
    "bars",
    "difference",
    "exhibits",
    "find",
    "lines",
    "mutated",
    "number_bars",
    "over_a_grid",
    "pale",
    "panels",
    "points",
    "public",
    "regions",
    "show",
    "steps",
    "with_fault",
]

FOLDER = Path(__file__).resolve().parent
SIZE, LEGEND = (WIDTH, 2.7), 0.35  # inches, inches for a legend
TITLES = ("correct", "with the fault")
VISIBLE = 0.02  # of the size of the right result


@dataclass(frozen=True)
class Exhibit:
    """One fault.

    Attributes
    ----------
    id : str
        ``m-<slug>``.
    title : str
        A heading of a few words, without a full stop.
    room : int
        Number of the chapter that it belongs to.
    origin : {"teaching code", "student"}
        Found in widely copied teaching code, or a mistake that students make.
    code : function
        A short function of the museum, without the fault.
    before, after : str
        What changes in the source of `code`. `before` occurs in it exactly once; a text of
        several lines has the indentation of the file.
    public : str
        What does the same in treelab, by a public name.
    agrees : callable
        ``agrees()`` returns two results that must be equal: one that rests on `code`, and
        treelab's own.
    story : str
        Two or three sentences of markdown: what was thought, what goes wrong.
    notice : str
        One or two sentences: how to see the fault without a reference to compare with.
    sign : callable
        ``sign()`` computes by `code` what shows the fault: a number, an array, or a dict of
        these. It is called with the right code and with the fault. Keys that begin with an
        underscore are for the picture only and are not compared.
    picture : callable
        ``picture(axes, right, wrong)`` draws the two results on two axes; see `panels`.
    caption, alt : str
        What to see in the picture, and the same for who cannot see it.
    caught_by : tuple of (str, callable, str)
        Exercises that ask for the function, each as (id, adapter, fragment): ``adapter()``
        returns the answer to the exercise, made by `code`; with the fault the checker rejects it
        with a hint that contains the fragment.
    """

    id: str
    title: str
    room: int
    origin: str
    code: Callable
    before: str
    after: str
    public: str
    agrees: Callable
    story: str
    notice: str
    sign: Callable
    picture: Callable
    caption: str
    alt: str
    caught_by: tuple = ()


@functools.cache
def exhibits():
    """All exhibits, in the order of their rooms; tuple of Exhibit.

    Raises
    ------
    ValueError
        If two exhibits have the same id.
    """
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    parts = [importlib.import_module(p.stem) for p in sorted(FOLDER.glob("exhibits_*.py"))]
    found = sorted((e for part in parts for e in part.EXHIBITS), key=lambda e: e.room)
    if len({e.id for e in found}) < len(found):
        raise ValueError("two exhibits have the same id.")
    return tuple(found)


def find(exhibit):
    """The exhibit with this id; an `Exhibit` is returned as it is."""
    if isinstance(exhibit, Exhibit):
        return exhibit
    found = [e for e in exhibits() if e.id == exhibit]
    if not found:
        raise KeyError(f"no exhibit has the id {exhibit!r}.")
    return found[0]


@functools.cache
def sources(exhibit):
    """Source of the code, right and with the fault; two str.

    Raises
    ------
    ValueError
        If `before` does not occur exactly once.
    """
    right = inspect.getsource(exhibit.code)
    if right.count(exhibit.before) != 1:
        raise ValueError(
            f"{exhibit.id}: the lines of `before` occur {right.count(exhibit.before)} times in "
            f"{exhibit.code.__name__}, not once."
        )
    return right, right.replace(exhibit.before, exhibit.after)


@functools.cache
def faulty(exhibit):
    """The code with the fault; a function that nobody calls."""
    names = {}
    exec(compile(sources(exhibit)[1], f"<{exhibit.id}>", "exec"), exhibit.code.__globals__, names)
    return names[exhibit.code.__name__]


def public(name):
    """The object of treelab with a public name, such as ``treelab.fast.tree.Tree.path``."""
    module, _, rest = name.partition(".")
    found = importlib.import_module(module)
    for part in rest.split("."):
        if not hasattr(found, part):
            importlib.import_module(f"{found.__name__}.{part}")
        found = getattr(found, part)
    return found


@contextmanager
def mutated(exhibit):
    """Give the code of an exhibit its fault inside a ``with`` block.

    The function keeps its identity and gets other code, so that whoever has imported it has the
    fault, too.

    Parameters
    ----------
    exhibit : Exhibit or str
        An exhibit or its id.

    Yields
    ------
    None
    """
    exhibit = find(exhibit)
    function, other = exhibit.code, faulty(exhibit)
    parts = ("__code__", "__defaults__", "__kwdefaults__")
    kept = {name: getattr(function, name) for name in parts}
    try:
        for name in parts:
            setattr(function, name, getattr(other, name))
        yield
    finally:
        for name, part in kept.items():
            setattr(function, name, part)


def with_fault(exhibit, adapter):
    """The answer of an adapter, with the fault whenever it runs.

    The fault is present while the answer is made and, if it is a function, while it is called;
    the checker that calls it has the right code.

    Parameters
    ----------
    exhibit : Exhibit or str
    adapter : callable

    Returns
    -------
    object
    """
    with mutated(exhibit):
        answer = adapter()
    if not inspect.isfunction(answer):
        return answer

    @functools.wraps(answer)
    def call(*args, **kwargs):
        with mutated(exhibit):
            return answer(*args, **kwargs)

    return call


def results(exhibit):
    """What the sign computes with the right code, and with the fault."""
    exhibit = find(exhibit)
    right = exhibit.sign()
    with mutated(exhibit):
        wrong = exhibit.sign()
    return right, wrong


def difference(right, wrong):
    """How far two results are apart, as a share of the size of the right one.

    Parameters
    ----------
    right, wrong : float, array or dict
        Numbers, labels, or a dict of these, whose keys with an underscore do not count.

    Returns
    -------
    float
        The largest distance over the largest number of `right`; for labels the share that
        differs; infinite where the shapes differ or only one of two numbers is missing.
    """
    if isinstance(right, dict):
        keys = [key for key in right if not str(key).startswith("_")]
        return max(difference(right[key], wrong[key]) for key in keys)
    right, wrong = np.asarray(right), np.asarray(wrong)
    if right.shape != wrong.shape:
        return np.inf
    if right.dtype.kind not in "biuf" or wrong.dtype.kind not in "biuf":
        return float(np.mean(right != wrong))
    right, wrong = right.astype(float), wrong.astype(float)
    if not np.array_equal(np.isfinite(right), np.isfinite(wrong)):
        return np.inf
    known = np.isfinite(right)
    if not known.any():
        return 0.0
    largest = np.abs(right[known]).max()
    return float(np.abs(right - wrong)[known].max() / (largest if largest > 0 else 1.0))


def changed_lines(exhibit):
    """The lines that the fault changes, ``-`` as they are and ``+`` with the fault; str."""
    right, wrong = (text.splitlines() for text in sources(find(exhibit)))
    changed = []
    for kind, a, b, c, d in SequenceMatcher(None, right, wrong, autojunk=False).get_opcodes():
        if kind != "equal":
            changed += [("-", line) for line in right[a:b]] + [("+", line) for line in wrong[c:d]]
    texts = textwrap.dedent("\n".join(line or " " for _, line in changed)).split("\n")
    return "\n".join(f"{mark} {line}".rstrip() for (mark, _), line in zip(changed, texts))


def show(exhibit):
    """Print the changed lines of an exhibit and draw its picture.

    Parameters
    ----------
    exhibit : Exhibit or str
        An exhibit or its id.
    """
    exhibit = find(exhibit)
    print(f"in {exhibit.code.__name__}, which does the same as {exhibit.public}")
    print(changed_lines(exhibit))
    draw(exhibit)


def draw(exhibit):
    """The picture of an exhibit, right code on the left and the fault on the right; Figure.

    An exhibit whose fault nobody would see is a ValueError, and so no page is made of it.
    """
    exhibit = find(exhibit)
    right, wrong = results(exhibit)
    if difference(right, wrong) <= VISIBLE:
        raise ValueError(f"the picture of {exhibit.id} does not show its fault.")
    with style():
        figure, axes = plt.subplots(1, 2, figsize=SIZE, layout="none")
        exhibit.picture(axes, right, wrong)
        for ax, title in zip(axes, TITLES):
            ax.set_title(title)
        # Fixed margins: to measure the labels of a hundred figures takes longer than the rest.
        below = (0.55 + LEGEND * bool(figure.legends)) / figure.get_figheight()
        figure.subplots_adjust(left=0.17, right=0.965, top=0.89, bottom=below, wspace=0.32)
    return figure


# --- pictures: each helper returns a function (axes, right, wrong) --------------------------


def panels(draw_one, xlabel="", ylabel="", share="xy", legend=False):
    """Draw the right result and the wrong one in the same way, each on its axes.

    Parameters
    ----------
    draw_one : callable
        ``draw_one(ax, result)``.
    xlabel, ylabel : str
    share : {"xy", "x", "y", ""}, default="xy"
        The axes that get the same limits in both panels.
    legend : bool, default=False
        One legend of what is labeled in the left panel, below both.

    Returns
    -------
    callable
        ``picture(axes, right, wrong)``.
    """

    def picture(axes, right, wrong):
        for ax, result in zip(axes, (right, wrong)):
            draw_one(ax, result)
            ax.set_xlabel(xlabel)
        axes[0].set_ylabel(ylabel)
        if legend:
            handles, labels = axes[0].get_legend_handles_labels()
            figure = axes[0].figure
            figure.set_figheight(SIZE[1] + LEGEND)
            figure.legend(handles, labels, loc="lower center", ncols=len(labels))
        for name in share:
            limits = np.array([getattr(ax, f"get_{name}lim")() for ax in axes])
            turned = limits[0, 0] > limits[0, 1]
            limits.sort(axis=1)
            low, high = limits[:, 0].min(), limits[:, 1].max()
            for ax in axes:
                getattr(ax, f"set_{name}lim")((high, low) if turned else (low, high))

    return picture


def lines(x, names, xlabel="", ylabel="", share="xy", marker=""):
    """Curves over a common x.

    Parameters
    ----------
    x : str
        Key of the horizontal places in the result.
    names : dict of str to str
        Keys of the curves in the result, and how the legend calls them; "" for no name.
    xlabel, ylabel, share
        As in `panels`.
    marker : str, default=""

    Returns
    -------
    callable
    """

    def draw_one(ax, result):
        for k, (key, label) in enumerate(names.items()):
            ax.plot(
                result[x], result[key], color=COLORS[k], linestyle=LINES[k], marker=marker,
                label=label,
            )  # fmt: skip

    return panels(draw_one, xlabel, ylabel, share, legend=any(names.values()))


def steps(x, names, xlabel="", ylabel="", share="xy", rows=None):
    """Step functions (predictions of a regression tree), over the rows as points.

    Parameters
    ----------
    x, names, xlabel, ylabel, share
        As in `lines`.
    rows : (str, str), default=None
        Keys of the rows' x and y, drawn as gray points.

    Returns
    -------
    callable
    """

    def draw_one(ax, result):
        if rows is not None:
            ax.plot(result[rows[0]], result[rows[1]], "o", color="#8a8a8a", ms=4)
        for k, (key, label) in enumerate(names.items()):
            ax.step(
                result[x], result[key], where="mid", color=COLORS[k], linestyle=LINES[k],
                label=label,
            )  # fmt: skip

    return panels(draw_one, xlabel, ylabel, share, legend=any(names.values()))


def bars(labels, ylabel="", key=None, digits=2, xlabel="", log=False):
    """One bar for each number, with the number on it.

    Parameters
    ----------
    labels : sequence of str
        Names under the bars.
    ylabel, xlabel : str
    key : str, default=None
        Key of the numbers in the result; None where the result is the numbers.
    digits : int, default=2
        Decimals of the numbers on the bars.
    log : bool, default=False

    Returns
    -------
    callable
    """

    def draw_one(ax, result):
        heights = np.atleast_1d(np.asarray(result if key is None else result[key], dtype=float))
        found = ax.bar(
            labels, np.nan_to_num(heights), color=pale(COLORS[0], 0.45), edgecolor=INK, width=0.6
        )
        number_bars(ax, found, [f"{h:.{digits}f}" for h in heights])
        ax.axhline(0, color=INK, lw=0.8)
        if log:
            ax.set_yscale("log")

    return panels(draw_one, xlabel, ylabel, "y")


def number_bars(ax, bars, numbers):
    """Write numbers on bars, upwards where they would not fit beside each other."""
    upwards = sum(map(len, numbers)) > 16
    ax.bar_label(bars, numbers, padding=2, rotation=90 * upwards)
    ax.margins(y=0.5 if upwards else 0.2)


def points(x, y, xlabel="", ylabel="", share="xy", line=None):
    """One point for each row.

    Parameters
    ----------
    x, y : str
        Keys of the coordinates in the result.
    xlabel, ylabel, share
        As in `panels`.
    line : {"diagonal", "zero"}, default=None
        A thin line to compare with.

    Returns
    -------
    callable
    """

    def draw_one(ax, result):
        ax.plot(result[x], result[y], "o", color=COLORS[0], ms=5, alpha=0.7)
        if line == "diagonal":
            ax.axline((0, 0), slope=1, color=INK, lw=0.8)
        if line == "zero":
            ax.axhline(0, color=INK, lw=0.8)

    return panels(draw_one, xlabel, ylabel, share)


def regions(xlabel="", ylabel=""):
    """The classes that a model predicts over two features, with the rows.

    The result holds ``x`` and ``y`` (the two axes of a grid), ``grid`` (class numbers, one row
    for each y), and the rows as ``_rows`` (n_rows, 2) and ``_classes`` (n_rows,).

    Parameters
    ----------
    xlabel, ylabel : str

    Returns
    -------
    callable
    """

    def draw_one(ax, result):
        ax.grid(False)
        x, y = squares(result["x"]), squares(result["y"])
        grid = result["grid"].repeat(2, axis=0).repeat(2, axis=1)
        for k in range(int(result["_classes"].max()) + 1):
            ax.contourf(
                x, y, (grid == k).astype(float), levels=(0.5, 1.5),
                colors=[pale(COLORS[k], 0.3)], hatches=[HATCHES[k]],
            )  # fmt: skip
            rows = result["_rows"][result["_classes"] == k]
            ax.plot(*rows.T, MARKERS[k], color=COLORS[k], mec=INK, mew=0.6, ms=5)

    return panels(draw_one, xlabel, ylabel)


def squares(places):
    """Sides of the squares around places of a grid, each twice: borders are then straight."""
    ends = [places[0], *(places[1:] + places[:-1]) / 2, places[-1]]
    return np.repeat(ends, 2)[1:-1]


def over_a_grid(model, rows, y, low, high, n=61):
    """The classes that a model predicts over two features, as `regions` draws them.

    Parameters
    ----------
    model : fitted classifier of the classes 0, 1, 2, ...
    rows : ndarray of shape (n_rows, 2)
    y : ndarray of int, shape (n_rows,)
    low, high : float
        Ends of both axes.
    n : int, default=61
        Places along each axis.

    Returns
    -------
    dict
    """
    places = np.linspace(low, high, n)
    grid = np.array(np.meshgrid(places, places)).reshape(2, -1).T
    predicted = model.predict(grid).reshape(n, n).astype(int)
    return {"x": places, "y": places, "grid": predicted, "_rows": rows, "_classes": y}
