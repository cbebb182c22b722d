"""The arithmetic in the formulas of the chapters: both sides of each equals sign are computed."""

import math
import re
from decimal import Decimal

import nbformat
import pytest
from facts import TOPICS, chapter

NUMBER = r"\d*\.\d+|\d+"
# TeX to Python, again and again, as fractions stand in fractions.
REWRITTEN = [
    (r"\\left|\\right|\\,|\\;", ""),
    ("−", "-"),
    (r"\\[td]?frac(\d)(\d)", r"((\1)/(\2))"),
    (r"\\[td]?frac\s*(\d)\s*\{([^{}]*)\}", r"((\1)/(\2))"),
    (r"\\[td]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"((\1)/(\2))"),
    (r"\\sqrt\s*\{([^{}]*)\}", r"sqrt(\1)"),
    (r"\^\{([^{}]*)\}", r"**(\1)"),
    (r"\^(\d)", r"**\1"),
    (r"\\(?:cdot|times)\b", "*"),
    (rf"\\ln\s*({NUMBER}|\(\([^()]*\)/\([^()]*\)\))", r"log(\1)"),
    (r"\\ln\s*\(", "log("),
    (r"([\d)])\s*(?=log|sqrt|\()", r"\1*"),
    (r"\)\s*(?=\d)", ")*"),
]


def value(tex):
    """What an expression of numbers comes to; None for one that has anything else."""
    for _ in range(4):
        for old, new in REWRITTEN:
            tex = re.sub(old, new, tex)
    if not re.fullmatch(r"(?:[\d.\s+\-*/()]|log|sqrt)+", tex) or not re.search(r"\d", tex):
        return None
    try:
        return float(eval(tex.strip(), {"log": math.log, "sqrt": math.sqrt}))
    except (SyntaxError, TypeError, ValueError, ZeroDivisionError):
        return None


def rounding(tex):
    """How much an expression may change if its numbers of three decimals or more are rounded."""
    total = 0.0
    for found in re.finditer(r"\d*\.\d{3,}", tex):
        half = Decimal(5).scaleb(Decimal(found[0]).as_tuple().exponent - 1)
        moved = value(tex[: found.start()] + str(Decimal(found[0]) + half) + tex[found.end() :])
        total += abs(moved - value(tex)) if moved is not None else 0
    return total


def equations(text):
    """Left and right side, and the sign between them, where both are numbers."""
    for inline, block in re.findall(r"(?<!\$)\$([^$]+)\$(?!\$)|\$\$(.+?)\$\$", text, re.S):
        parts = re.split(r"(=|\\approx)", inline or block)
        for left, sign, right in zip(parts[::2], parts[1::2], parts[2::2]):
            right = re.split(r"(?<!\\)[,;:](?=\s|$)", right.strip())[0].rstrip(" .")
            right = right.replace(r"\,", "")
            if value(left) is not None and value(right) is not None:
                yield left.strip(), sign, right


def is_right(left, sign, right):
    """Whether both sides agree, as far as their decimals tell."""
    decimals = re.search(r"\.(\d+)$", right)
    unit = 0.5 * 10.0 ** -len(decimals[1]) if decimals else 0.5 * ("." in left)
    allowed = rounding(left) + (unit if re.fullmatch(rf"-?(?:{NUMBER})", right) else 0)
    if sign != "=":
        allowed = max(allowed, 0.01 * abs(value(right)))
    return abs(value(left) - value(right)) <= 1.001 * allowed + 1e-9


@pytest.mark.parametrize("topic", TOPICS)
def test_both_sides_of_an_equation_are_equal(topic):
    cells = nbformat.read(chapter(topic), as_version=4).cells
    found = list(equations("\n\n".join(c.source for c in cells if c.cell_type == "markdown")))
    assert len(found) >= 2
    assert [" ".join(equation) for equation in found if not is_right(*equation)] == []


def test_a_wrong_digit_is_noticed():
    text = r"$\tfrac12\ln\frac{0.8}{0.2}=0.6931$ and $2 \cdot 3^2 = 18$, $0.4/1.6=0.25$, $x=3$."
    found = list(equations(text))
    assert len(found) == 3
    assert all(is_right(*equation) for equation in found)
    for wrong in (
        text.replace("0.6931", "0.6941"),
        text.replace("18", "19"),
        text.replace("0.25", "0.26"),
    ):
        assert not all(is_right(*equation) for equation in equations(wrong))
