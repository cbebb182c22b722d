"""Source code in the pages of the book."""

import inspect

from IPython.core.formatters import DisplayFormatter

from treelab import cart, figures, impurity


def test_it_is_the_text_of_the_file():
    text = inspect.getsource(impurity)
    found = figures.source(impurity.gini, impurity.entropy)
    first, second = found.code.split("\n\n\n")
    assert first.startswith("def gini(y, w):\n    ")
    assert second.startswith("def entropy(y, w):\n    ")
    assert first + "\n\n\n" in text
    assert second + "\n\n\n" in text
    assert figures.source(impurity).code == text.strip()


def test_a_notebook_shows_it_in_color_and_a_terminal_as_text():
    found = figures.source(cart.leaf)
    shown, _ = DisplayFormatter().format(found)
    assert shown["text/plain"] == repr(found) == inspect.getsource(cart.leaf).strip()
    assert shown["text/markdown"] == f"```python\n{found.code}\n```"
    assert found.code.endswith("return tree")


def test_a_method_stands_at_the_margin():
    lines = figures.source(figures.Stepper._repr_html_).code.splitlines()
    assert lines[0].startswith("def _repr_html_(self")
    assert lines[1].startswith("    ")
