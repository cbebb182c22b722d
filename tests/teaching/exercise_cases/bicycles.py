"""Right and wrong answers to the exercises of the chapter "Bicycles, end to end"."""

import random as dice

# --- bicycles-2 ------------------------------------------------------------------------------


def known_by_search(counts, t):
    """As one would look it up: of all hours over by 18:00 the last one, and the last alike."""
    over = range(24 * (t // 24) - 6)
    alike = [i for i in over if i % 24 == t % 24]
    week = t - 7 * 24
    found = [over[-1] if over else -1, alike[-1] if alike else -1, week]
    return [None if i < 0 else counts[i] for i in found]


def known_by_days(counts, t):
    day, hour = divmod(t, 24)
    today = day - 1

    def get(day, hour):
        return counts[24 * day + hour] if day >= 0 else None

    same = get(today, hour) if hour < 18 else get(today - 1, hour)
    return [get(today, 17), same, get(day - 7, hour)]


def _known(counts, t, flaw):
    day, hour = divmod(t, 24)
    now = 24 * (day - 1) + 18
    limit = {"six": 18, "five": 16}.get(flaw, 17)
    same = t - 24 if hour <= limit else t - 48
    same = {"one day": t - 24, "two days": t - 48}.get(flaw, same)
    last = {"before": t - 1, "today": 24 * day - 1, "open": now, "early": now - 2,
            "late": now + 23, "end": len(counts) - 1}.get(flaw, now - 1)  # fmt: skip
    week = {"hours": t - 7, "of known": same - 168, "now": now - 168}.get(flaw, t - 168)
    found = [last, same, week]
    found = found[::-1] if flaw == "turned" else found
    if flaw == "sum":
        return sum(counts[i] for i in found if i >= 0)
    if flaw == "numbers":
        return [i if i >= 0 else None for i in found]
    if flaw == "left out":
        return [counts[i] for i in found if i >= 0]
    if flaw == "behind":
        return [counts[i] for i in found]
    if flaw == "truthy":
        return [counts[i] if i > 0 else None for i in found]
    if flaw == "sorts":
        counts.sort()
    none = {"zero": 0, "nan": float("nan")}.get(flaw)
    return [counts[i] if i >= 0 else none for i in found]


def known_backwards(counts, t):
    """As one writes it first: so many places back."""
    return [counts[24 * (t // 24) - 7], counts[t - 24], counts[t - 168]]


def known_with(flaw):
    return lambda counts, t: _known(counts, t, flaw)


def known_at_six(counts, t):
    """The hour that begins at 18:00 is taken for over, everywhere."""
    now = 24 * (t // 24 - 1) + 19
    same = t - 24 if t - 24 < now else t - 48
    return [counts[i] if i >= 0 else None for i in (now - 1, same, t - 168)]


# --- bicycles-3 ------------------------------------------------------------------------------


def origins_loop(n, first, width, gap, longest):
    pairs, s = [], first
    while s + width <= n:
        end = s - gap
        begin = 0 if longest is None else max(0, end - longest)
        pairs.append((list(range(begin, end)), list(range(s, s + width))))
        s += width
    return pairs


def origins_slices(n, first, width, gap, longest):
    time = list(range(n))
    found = []
    for b in range((n - first) // width):
        s = first + b * width
        known = time[: s - gap]
        found.append([known if longest is None else known[-longest:], range(s, s + width)])
    return found


def _origins(n, first, width, gap, longest, flaw):
    found = []
    step = {"each": 1, "apart": width + gap}.get(flaw, width)
    top = {"part": n, "short": n - width}.get(flaw, n - width + 1)
    for s in range(first, top, step):
        fit = list(range(s - gap if flaw not in ("no gap", "block", "mixed") else s))
        judge = list(range(s, min(n, s + width)))
        if flaw == "once":
            fit = list(range(first - gap))
        if flaw == "block":
            judge = judge[gap:]
        if flaw == "incl":
            fit.append(len(fit))
        if flaw == "future":
            fit += range(s + width, n)
        if flaw == "front":
            fit = fit[:longest]
        elif flaw == "mixed":
            fit = fit if longest is None else fit[-longest:]
            fit = [i for i in fit if i < s - gap]
        elif longest is not None and flaw != "all":
            fit = fit[-longest:]
        if flaw == "shuffle":
            dice.Random(0).shuffle(fit)
        found.append((judge, fit) if flaw == "turned" else (fit, judge))
    if flaw == "flat":
        return [i for pair in found for i in pair[0]]
    return found[:-1] if flaw == "last" else found


def origins_with(flaw):
    return lambda *case: _origins(*case, flaw)


def origins_below(n, first, width, gap, longest):
    """A begin that may be below 0."""
    return [(list(range(s - gap - longest if longest else 0, s - gap)), list(range(s, s + width)))
            for s in range(first, n - width + 1, width)]  # fmt: skip


def origins_first_after_gap(n, first, width, gap, longest):
    return [([i - gap for i in fit] if gap == 0 else fit, judge) for fit, judge in (
        (pair[0], pair[1]) for pair in _shifted(n, first, width, gap, longest))]  # fmt: skip


def _shifted(n, first, width, gap, longest):
    found = []
    for s in range(first, n - gap - width + 1, width):
        known = list(range(s))
        known = known if longest is None else known[-longest:]
        found.append((known, list(range(s + gap, s + gap + width))))
    return found


def origins_of_folds(n, first, width, gap, longest):
    """Folds as of a cross-validation: everything else is fitted on."""
    return [([i for i in range(n) if i < s - gap or i >= s + width], list(range(s, s + width)))
            for s in range(first, n - width + 1, width)]  # fmt: skip


CORRECT = {
    "bicycles-2": [known_by_search, known_by_days],
    "bicycles-3": [origins_loop, origins_slices],
}

WRONG = {
    "bicycles-2": [
        (known_with("zero"), "is None"),
        (known_with("nan"), "None, not NaN"),
        (known_with("end"), "find the last that is over"),
        (known_backwards, "not known yet for the evening"),
        (known_with("truthy"), "hour 0 is in the record"),
        (known_with("behind"), "counts from the end of the list"),
        (known_with("before"), "the hour before an hour of tomorrow is not known"),
        (known_with("today"), "the plan is made at 18:00"),
        (known_with("open"), "not over at 18:00"),
        (known_at_six, "not over at 18:00"),
        (known_with("late"), "a day too late"),
        (known_with("one day"), "still to come"),
        (known_with("two days"), "is known from today"),
        (known_with("six"), "not over at 18:00"),
        (known_with("five"), "from 17:00 to 18:00 is over"),
        (known_with("hours"), "168 hours"),
        (known_with("of known"), "before hour t"),
        (known_with("now"), "a week"),
        (known_with("turned"), "the order is"),
        (known_with("sum"), "a list of three"),
        (known_with("left out"), "a list of three"),
        (known_with("sorts"), "changed the record"),
        (known_with("numbers"), "the hours known are"),
        (known_with("early"), "the hours known are"),
    ],
    "bicycles-3": [
        (origins_with("part"), "not full is left out"),
        (origins_with("short"), "may end with the last row"),
        (origins_with("each"), "no row judges twice"),
        (origins_with("apart"), "follow each other"),
        (origins_with("no gap"), "not known yet"),
        (origins_with("block"), "all rows of a block judge"),
        (origins_first_after_gap, "begins at row `first`"),
        (origins_with("mixed"), "count them from the end of what is known"),
        (origins_with("front"), "not the first of the record"),
        (origins_with("all"), "at most the last"),
        (origins_with("once"), "the origin moves on"),
        (origins_of_folds, "are the future"),
        (origins_with("incl"), "one row too far"),
        (origins_below, "rows below 0 are none"),
        (origins_with("turned"), "first the rows to fit on"),
        (origins_with("shuffle"), "do not shuffle"),
        (origins_with("flat"), "a list of pairs"),
        (origins_with("last"), "pairs, not"),
        (origins_with("future"), "one pair is"),
    ],
}  # fmt: skip
