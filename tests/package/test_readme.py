"""The Python of the README runs, and prints what the README says."""

import contextlib
import io
import re

from places import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
PYTHON = [
    (text, *after)
    for (kind, text), after in zip(BLOCKS, [*BLOCKS[1:], ("", "")])
    if kind == "python"
]


def printed(code):
    """Run a block by itself, and return what it prints."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        exec(compile(code, "README.md", "exec"), {"__name__": "__main__"})
    return text.getvalue()


def test_the_first_block_grows_a_tree_with_the_plain_methods():
    code, kind, expected = PYTHON[0]
    assert "from treelab import cart" in code
    assert kind == "text"
    assert printed(code) == expected


def test_the_second_block_uses_an_estimator():
    code, *_ = PYTHON[1]
    lines = printed(code).splitlines()
    assert len(PYTHON) == 2
    assert len(lines) > 3
    assert all(line.lstrip("| ").startswith("--- ") for line in lines if line)
