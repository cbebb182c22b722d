"""Figures of the chapter on growing a tree."""

__all__ = ["guess_sentences"]


def guess_sentences(start, unit):
    """The sentences of a split that the reader moves: before a guess, and after each kind of it."""
    ends = (
        "Is there a better one? Move it, then let the best be shown.",
        f"The best cut lies anywhere between {{low}} and {{high}} {unit}.",
        f"Your best, {{guess}} {unit}, gains {{own}}; "
        "the best of all lies anywhere between {low} and {high}.",
        f"You had found the best, {{guess}} {unit}; anywhere between {{low}} and {{high}} "
        "is as good.",
    )
    return [f"{start} {end}" for end in ends]
