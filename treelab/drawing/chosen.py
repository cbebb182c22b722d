"""Pictures of how features were chosen: Boruta's boxes, Genuer's two steps, LAFI's bins."""

import numpy as np
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator

from treelab.drawing.curves import draw_errors
from treelab.drawing.style import (
    ACCENT,
    COLORS,
    GRAY,
    HATCHES,
    HEIGHT,
    INK,
    MARKERS,
    STYLE,
    new_axes,
    top_legend,
)  # fmt: skip

__all__ = ["draw_boruta", "draw_genuer", "draw_local_importance"]

ROW = 0.27  # inches of a row of boxes, which its name needs
GAP = 0.94  # share of its column that the bins of a level take
LOOKS = {"confirmed": 2, "tentative": 1, "rejected": 3, "shadow": 4}  # number of color and hatch


def draw_boruta(boruta, *, most=20, log=False, ax=None):
    """Draw the importances of features and shadows over the runs as boxes, by state.

    A box has the middle half of the runs, with a line at their median; whiskers reach to the
    least and the largest. Of the shadows, the least, the mean and the largest of each run.

    Parameters
    ----------
    boruta : Boruta
        Fitted.
    most : int, default=20
        Draw so many features, those of the largest medians; 1 or more, else a ValueError.
    log : bool, default=False
        A logarithmic axis of the importances, except around 0: it begins at the power of ten
        below the median of the thresholds.
    ax : Axes, default=None

    Examples
    --------
    >>> from treelab import RandomForestClassifier
    >>> from treelab.fast.selection import Boruta
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> forest = RandomForestClassifier(10, max_depth=2)
    >>> boruta = Boruta(forest, random_state=0).fit(X, X[:, 1] > 0)
    >>> ax = draw_boruta(boruta)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['x1', 'shadow max', 'shadow mean', 'x0', 'shadow min']
    """
    if most < 1:
        raise ValueError(f"most must be 1 or more, got {most!r}.")
    history, rounds = boruta.importance_history_, boruta.rounds_table()
    columns = [column[~np.isnan(column)] for column in history.T]
    boxes = list(zip(boruta._feature_names(), columns, boruta.states_, strict=True))
    boxes = sorted(boxes, key=lambda box: -np.median(box[1]))[:most]
    for part in ("max", "mean", "min"):
        boxes.append((f"shadow {part}", rounds[f"shadow_{part}"].to_numpy(), "shadow"))
    boxes.sort(key=lambda box: -np.median(box[1]))
    names, values, states = zip(*boxes, strict=True)
    ax = new_axes(ax, height=max(HEIGHT, ROW * len(boxes) + 1.2))
    drawn = ax.boxplot(
        values, positions=range(len(boxes)), orientation="horizontal", whis=(0, 100), widths=0.6,
        patch_artist=True, manage_ticks=False, medianprops={"color": INK, "lw": 2},
    )  # fmt: skip
    for line in [*drawn["whiskers"], *drawn["caps"]]:
        line.set(color=INK, linewidth=1, linestyle="-")
    for box, state in zip(drawn["boxes"], states, strict=True):
        box.set(**_look(state))
    ax.set_yticks(range(len(boxes)), names)
    ax.invert_yaxis()
    ax.set(xlabel="importance")
    if log:
        bar = max(rounds["threshold"].median(), 1e-12)
        ax.set_xscale("symlog", linthresh=10 ** np.floor(np.log10(bar)))
    shown = [state for state in LOOKS if state in states]
    top_legend(ax, handles=[Patch(label=state, **_look(state)) for state in shown], ncols=2)
    return ax


def _look(state):
    """Fill, hatch and edge of a box."""
    k = LOOKS[state]
    return {"facecolor": COLORS[k], "hatch": HATCHES[k], "edgecolor": INK, "linewidth": 0.8}


def draw_genuer(genuer, *, ax=None):
    """Draw both steps of Genuer's selector, one above the other.

    Above: the spread of the importances by rank, the tree that smooths it, and its least value,
    the threshold for the means. Below: the out-of-bag score of the models with 1, 2, ... features,
    in a band of one standard deviation, and the number that is chosen.

    Parameters
    ----------
    genuer : GenuerSelector
        Fitted; without a refined step the lower axes stay empty.
    ax : pair of Axes, default=None
        They are returned, ndarray (2,).

    Examples
    --------
    >>> from treelab import RandomForestRegressor
    >>> from treelab.fast.selection import GenuerSelector
    >>> X = np.random.default_rng(0).normal(size=(60, 3))
    >>> forest = RandomForestRegressor(10, max_depth=3)
    >>> genuer = GenuerSelector(forest, n_forests=3, random_state=0).fit(X, X[:, 1])
    >>> [panel.get_ylabel() for panel in draw_genuer(genuer)]
    ['spread', 'score']
    """
    ax = np.asarray(new_axes(ax, 2, 1, height=6.2), dtype=object).ravel()
    if len(ax) != 2:
        raise ValueError(f"ax must be two axes, one for each step, got {len(ax)}.")
    crude, refined = genuer.steps_table(), genuer.rounds_table()
    rank = crude["rank"].to_numpy()
    ax[0].plot(rank, crude["sd"], ls="none", marker=MARKERS[0], color=COLORS[0], label="spread")
    ax[0].plot(rank, crude["smoothed"], color=COLORS[3], drawstyle="steps-mid", label="smoothed")
    ax[0].axhline(genuer.threshold_, color=ACCENT, ls="--", lw=1.5, label="threshold")
    ax[0].axvline((crude["mean"] >= crude["threshold"]).sum() + 0.5, color=GRAY, lw=1, ls=":")
    ax[0].set(xlabel="rank", ylabel="spread", ylim=(0, None))
    ax[0].xaxis.set_major_locator(MaxNLocator(integer=True))
    top_legend(ax[0], ncols=3)
    ax[1].set(xlabel="features", ylabel="score")
    if len(refined):
        chosen = refined["n_features"][refined["chosen"]].item()
        draw_errors(refined["n_features"], {"score": refined["score"]}, chosen=chosen,
                    bands={"score": refined["sd"]}, xlabel="features", ylabel="score",
                    ax=ax[1])  # fmt: skip
    return ax


def draw_local_importance(lafi, *, most=20, ax=None):
    """Draw which bins of which level chose each feature, the most important feature on top.

    A level is a column, its bins stand in it from the lowest targets to the highest; what is filled
    was chosen. A line is drawn below the features that are kept, and the importance stands on the
    right.

    Parameters
    ----------
    lafi : LocalImportanceSelector
        Fitted.
    most : int, default=20
        Draw so many features at most; 1 or more, else a ValueError.
    ax : Axes, default=None

    Examples
    --------
    >>> from treelab.fast.selection import FilterSelector, LocalImportanceSelector
    >>> X = np.random.default_rng(0).normal(size=(80, 2))
    >>> lafi = LocalImportanceSelector(FilterSelector("f", number=1)).fit(X, X[:, 1])
    >>> ax = draw_local_importance(lafi)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['x1', 'x0']
    """
    if most < 1:
        raise ValueError(f"most must be 1 or more, got {most!r}.")
    bins, steps = lafi.bins_table().iloc[:most], lafi.steps_table().iloc[:most]
    ax = new_axes(ax, height=max(HEIGHT, ROW * len(bins) + 1.2))
    levels = bins.columns.unique("level")
    for i, level in enumerate(levels):
        chosen = bins[level].to_numpy()
        width = GAP / chosen.shape[1]
        for (row, b), mark in np.ndenumerate(chosen):
            look = {"facecolor": COLORS[0] if mark else "none", "edgecolor": GRAY, "linewidth": 0.8}
            ax.add_patch(Rectangle((i + b * width, row - 0.4), width, 0.8, **look))
    for row, importance in enumerate(steps["importance"]):
        ax.text(
            len(levels) + 0.02, row, f"{importance:.2f}", va="center", color=INK,
            fontsize=STYLE["ytick.labelsize"],
        )  # fmt: skip
    if 0 < steps["kept"].sum() < len(steps):
        ax.axhline(steps["kept"].sum() - 0.5, color=ACCENT, ls="--", lw=1.5)
    ax.set(xlim=(-0.05, len(levels) + 0.4), ylim=(len(bins) - 0.5, -0.5), xlabel="level")
    ax.set_xticks(np.arange(len(levels)) + GAP / 2, levels)
    ax.set_yticks(range(len(bins)), bins.index)
    return ax
