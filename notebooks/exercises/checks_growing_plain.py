"""Checkers of the chapter "Growing a tree: CART" that also run in the page."""

from itertools import pairwise
from random import Random

from plain_checks import as_list, close, column, is_number

from treelab.checkers import checker, expect
from treelab.plain import cart
from treelab.plain.impurity import squared_error


def best_of(x, y, w):
    """The best threshold and its total gain."""
    gain, _, cut = cart.best_cut(cart.cases_of([[v] for v in x], y, w), squared_error)
    return cut, gain * sum(w)


@checker("growing-2")
def check_best_cut(best_cut):
    random = Random(0)
    cases = [
        ([10, 12], [0, 1], [1, 1]),
        ([4, 5, 7, 12, 18], [602, 750, 913, 1229, 1827], [1, 1, 1, 1, 1]),
        ([10, 1, 2, 5, 4], [9, 0, 0, 8, 1], [1, 1, 1, 1, 1]),
        ([1, 1, 2, 2], [0, 10, 9, 11], [1, 1, 1, 1]),
        ([1, 2, 3], [0, 4, 10], [1, 6, 1]),
        (
            [random.randrange(6) for _ in range(30)],
            [random.gauss(0, 1) for _ in range(30)],
            [random.uniform(0.2, 3) for _ in range(30)],
        ),
    ]
    for case in cases:
        x, y, w = (list(map(float, values)) for values in case)
        answer = as_list(best_cut(column(x), column(y), column(w)))
        expect(
            answer is not None and len(answer) == 2,
            "return two numbers, the threshold and the total gain.",
        )
        s, gain = answer
        expect(is_number(s) and is_number(gain), "threshold and gain must be numbers.")
        W, (best, want) = sum(w), best_of(x, y, w)
        data = ", ".join(f"{k} = {[round(v, 2) for v in c]}" for k, c in zip("xyw", (x, y, w)))
        plain = best_of(x, y, [1.0] * len(y))[1]
        expect(
            close(want, plain) or not close(gain, plain),
            f"this is the cut without the weights; they enter the means and the sizes: {data}.",
        )
        if not close(s, best):
            expect(
                not (close(s, want) and close(gain, best)),
                f"the threshold comes first, then the gain: {data}.",
            )
            expect(
                s not in x,
                f"the threshold lies halfway between two values, not on one of them: {data}.",
            )
            middles = cart.questions(x)
            halves = [(b - a) / 2 for a, b in pairwise(sorted(set(x)))]
            expect(
                len(x) > 2 or s not in halves,
                f"the threshold is (a + b) / 2, not (b - a) / 2: {data}.",
            )
            expect(
                any(close(s, middle) for middle in middles),
                f"{s} is not halfway between two neighbors in order; is x sorted? {data}.",
            )
        expect(close(s, best), f"the best cut is elsewhere, not at {s}: {data}.")
        if not close(gain, want):
            expect(
                not close(gain, want / W),
                f"you divided by the weight; the total gain is asked for: {data}.",
            )
            expect(
                not close(gain, squared_error(y, w) * W - want),
                f"this is the error that is left, not the drop: {data}.",
            )
        expect(close(gain, want), f"the total gain is {want:.6g}, not {gain:.6g}: {data}.")
