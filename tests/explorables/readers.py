"""How the tests read what an explorable shows."""

import re


def number(text):
    """The first number of a text, as a page writes it.

    >>> number("gain −0.5 per day")
    -0.5
    """
    return float(re.search(r"[−-]?\d+(?:\.\d+)?", text)[0].replace("−", "-"))


def check_guess(state, said, gains, x, unit):
    """The words of a cut's figure on the reader's own threshold, and on where the best lies.

    `gains` has the gain of the cut behind the first k of the sorted `x`. Returns what was found.
    """
    best, guess = max(gains, key=gains.get), state["guess"]
    low, high = (f"{x[k]:g}" for k in (best - 1, best))
    if guess is None:
        assert said.endswith(" Move it, then let the best one be shown.")
        return "asked"
    if guess == -1:  # shown before the reader has moved the cut
        assert said.endswith(f"The best threshold lies anywhere between {low} and {high}{unit}.")
        return "none"
    k = int((x <= guess).sum())
    if k == best:
        assert f"You had found the best threshold, {guess:g}{unit}. Anywhere between" in said
        assert said.endswith(f" between {low} and {high} is as good.")
        return "best"
    own = number(said.split("gains ")[1])
    digits = 0.00051 if gains[best] < 2 else 0.51
    assert abs(own - gains[k]) < digits
    assert f"Your best threshold, {guess:g}{unit}, gains " in said
    assert said.endswith(f"The best of all lies anywhere between {low} and {high}.")
    return "worse"


def verdicts(records):
    """Yield each guess with its verdict; before a guess, there is no verdict."""
    for record in records:
        guess, verdict = record["state"]["guess"], record["verdict"]
        if guess is None or guess < 0:
            assert verdict == ""
        else:
            yield guess, verdict


def presses(records, label):
    """Yield what was shown before and after each press of a button."""
    for before, record in zip(records, records[1:]):
        if record["did"] == label:
            yield before, record
