"""Pictures of how features are chosen, from what the selectors keep of it."""

from treelab.drawing.curves import draw_errors
from treelab.drawing.style import INK

__all__ = ["draw_elimination"]


def draw_elimination(selector, *, log=True, ax=None):
    """Draw the error of each set of an elimination against its size, with the chosen one marked.

    The band is one standard error to both sides; the dotted line is the largest error that the
    rule allows.

    Parameters
    ----------
    selector : ForestRFE or StochasticRFE
        Fitted.
    log : bool, default=True
        A logarithmic axis of the sizes.
    ax : Axes, default=None

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treelab import RandomForestClassifier
    >>> from treelab.fast.selection import ForestRFE
    >>> rfe = ForestRFE(RandomForestClassifier(10), random_state=0)
    >>> ax = draw_elimination(rfe.fit(*load_iris(return_X_y=True)))
    >>> ax.lines[0].get_xdata().tolist()
    [4.0, 3.0, 2.0]
    """
    table = selector.rounds_table()
    name = "out of bag" if selector.error == "oob" else "validation"
    ax = draw_errors(
        table["n_features"], {name: table["error"]}, bands={name: table["se"]},
        chosen=table["n_features"][table["chosen"]].item(), xlabel="features", log=log, ax=ax,
    )  # fmt: skip
    ax.axhline(selector.limit_, color=INK, lw=1.5, ls=":", gid="limit")
    return ax
