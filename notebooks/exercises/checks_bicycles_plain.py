"""Checkers of the chapter "Bicycles, end to end"; all of them also run in the page."""

from random import Random

from plain_checks import as_list, column, is_number

from treelab.checkers import checker, expect

# --- what is known at 18:00 --------------------------------------------------------------------


def places(t, end=18):
    """The hours whose counts are known for hour t, with the decision at `end` of the day before."""
    now = 24 * (t // 24 - 1) + end  # the first hour that is not over
    return [now - 1, t - 24 if t - 24 < now else t - 48, t - 168]


def at(counts, hours):
    """The counts of some hours; None before the record."""
    return [counts[i] if i >= 0 else None for i in hours]


def right(counts, t):
    return at(counts, places(t))


def from_behind(counts, t):
    return [counts[i] if i >= -len(counts) else None for i in places(t)]


def zeros(counts, t):
    return [counts[i] if i >= 0 else 0 for i in places(t)]


def without_first(counts, t):
    return [counts[i] if i > 0 else None for i in places(t)]


def hour_before(counts, t):
    return at(counts, [t - 1, *places(t)[1:]])


def last_of_today(counts, t):
    return at(counts, [t - t % 24 - 1, *places(t)[1:]])


def begins_at_six(counts, t):
    return at(counts, places(t, 19))


def last_begins(counts, t):
    return at(counts, [places(t)[0] + 1, *places(t)[1:]])


def one_hour_late(counts, t):
    return at(counts, places(t, 17))


def same_day(counts, t):
    return at(counts, [24 * (t // 24) + 17, *places(t)[1:]])


def last_of_list(counts, t):
    return at(counts, [len(counts) - 1, *places(t)[1:]])


def backwards(counts, t):
    """Back by 24 and by 168 places, whatever is known and whatever there is."""
    return [counts[i] for i in (places(t)[0], t - 24, t - 168)]


def day_before(counts, t):
    return at(counts, [places(t)[0], t - 24, t - 168])


def two_days(counts, t):
    return at(counts, [places(t)[0], t - 48, t - 168])


def six_known(counts, t):
    return at(counts, [places(t)[0], t - 24 if t % 24 <= 18 else t - 48, t - 168])


def five_unknown(counts, t):
    return at(counts, [places(t)[0], t - 24 if t % 24 < 17 else t - 48, t - 168])


def seven_hours(counts, t):
    return at(counts, [*places(t)[:2], t - 7])


def week_of_known(counts, t):
    return at(counts, [*places(t)[:2], places(t)[1] - 168])


def week_of_now(counts, t):
    return at(counts, [*places(t)[:2], places(t)[0] - 167])


def turned(counts, t):
    return right(counts, t)[::-1]


KNOWN = (
    (zeros, "what lies before the record is None; a count of 0 is something else."),
    (without_first, "hour 0 is in the record: what lies before it has a number below 0."),
    (from_behind, "a number below 0 counts from the end of the list, from hours that come later."),
    (hour_before, "at 18:00 the hour before an hour of tomorrow is not known, only today's."),
    (last_of_today, "the plan is made at 18:00: the hours from 18:00 on are not over."),
    (begins_at_six, "the hour that begins at 18:00 is not over at 18:00."),
    (last_begins, "the hour that begins at 18:00 is not over at 18:00."),
    (one_hour_late, "the hour that ends at 18:00 is known."),
    (same_day, "the plan is made today, for an hour of tomorrow; yours is made a day too late."),
    (last_of_list, "the list ends with hours that are not known yet: find the last that is over."),
    (backwards, "24 back is not known yet for the evening; t - 168 below 0 counts from the end."),
    (day_before, "for tomorrow evening the same time today is still to come: go back two days."),
    (two_days, "for tomorrow morning the same time is known from today."),
    (six_known, "the hour that begins today at 18:00 is not over at 18:00."),
    (five_unknown, "the hour from 17:00 to 18:00 is over at 18:00."),
    (seven_hours, "a week has 168 hours."),
    (week_of_known, "a week before hour t, not before the hour that is known."),
    (week_of_now, "the same time of day as hour t, a week before it."),
    (turned, "the order is: last hour, same time of day, a week before."),
)


@checker("bicycles-2")
def check_known(known):
    random = Random(3)
    counts = [1000 + i for i in random.sample(range(600), 14 * 24)]
    hours = [*range(24, 72), *range(7 * 24, 9 * 24), *range(12 * 24, 13 * 24)]
    found = []
    for t in hours:
        record = column(counts)
        got = as_list(known(record, t))
        expect(
            got is not None and len(got) == 3 and all(v is None or is_number(v) for v in got),
            "return a list of three: counts, or None for what lies before the record.",
        )
        expect(not any(v != v for v in got), "what lies before is None, not NaN.")
        expect(list(record) == counts, "your function changed the record.")
        found.append(got)
    for other, hint in KNOWN:
        expect(found != [other(counts, t) for t in hours], hint)
    for t, got in zip(hours, found):
        should = right(counts, t)
        expect(
            got == should,
            f"of hour {t} (day {t // 24}, {t % 24} o'clock) the hours known are "
            f"{[i if i >= 0 else None for i in places(t)]}, with the counts {should}, not {got}.",
        )


# --- origins -----------------------------------------------------------------------------------


def split(n, first, width, gap, longest):
    """Pairs of rows: those to fit on, those that judge."""
    return [(past(s, gap, longest), rows(s, s + width)) for s in starts(n, first, width)]


def rows(a, b):
    return list(range(a, b))


def starts(n, first, width):
    return range(first, n - width + 1, width)


def past(s, gap, longest):
    return rows(0 if longest is None else max(0, s - gap - longest), s - gap)


def unfull(n, first, width, gap, longest):
    return [(past(s, gap, longest), rows(s, min(n, s + width))) for s in range(first, n, width)]


def one_less(n, first, width, gap, longest):
    return [pair for pair in split(n, first, width, gap, longest) if pair[1][-1] < n - 1]


def every_row(n, first, width, gap, longest):
    return [(past(s, gap, longest), rows(s, s + width)) for s in range(first, n - width + 1)]


def with_gaps(n, first, width, gap, longest):
    return [(past(s, gap, longest), rows(s, s + width))
            for s in range(first, n - width + 1, width + gap)]  # fmt: skip


def no_gap(n, first, width, gap, longest):
    return split(n, first, width, 0, longest)


def gap_in_block(n, first, width, gap, longest):
    return [(past(s, 0, longest), rows(s + gap, s + width)) for s in starts(n, first, width)]


def gap_behind(n, first, width, gap, longest):
    return [(past(s, 0, longest), rows(s + gap, s + gap + width))
            for s in starts(n - gap, first, width)]  # fmt: skip


def gap_counts(n, first, width, gap, longest):
    """The last rows before the block, less the gap."""
    begin = [0 if longest is None else max(0, s - longest) for s in starts(n, first, width)]
    blocks = split(n, first, width, gap, None)
    return [(rows(b, judge[0] - gap), judge) for b, (_, judge) in zip(begin, blocks)]


def from_front(n, first, width, gap, longest):
    return [(past(s, gap, None)[:longest], rows(s, s + width)) for s in starts(n, first, width)]


def no_limit(n, first, width, gap, longest):
    return split(n, first, width, gap, None)


def first_only(n, first, width, gap, longest):
    return [(past(first, gap, longest), rows(s, s + width)) for s in starts(n, first, width)]


def future_too(n, first, width, gap, longest):
    return [([i for i in range(n) if not s - gap <= i < s + width], rows(s, s + width))
            for s in starts(n, first, width)]  # fmt: skip


def itself_too(n, first, width, gap, longest):
    return [(past(s + 1, gap, longest), rows(s, s + width)) for s in starts(n, first, width)]


def since_last(n, first, width, gap, longest):
    """Only what came after the block before."""
    return [(past(s, gap, longest if s == first else width), rows(s, s + width))
            for s in starts(n, first, width)]  # fmt: skip


def wrapped(n, first, width, gap, longest):
    return [(rows(s - gap - (longest or s - gap), s - gap), rows(s, s + width))
            for s in starts(n, first, width)]  # fmt: skip


def turned_pairs(n, first, width, gap, longest):
    return [(judge, fit) for fit, judge in split(n, first, width, gap, longest)]


ORIGINS = (
    (unfull, "a block that is not full is left out."),
    (one_less, "the last block may end with the last row: row n - 1."),
    (every_row, "each block begins where the one before it ends: no row judges twice."),
    (with_gaps, "blocks follow each other without a gap; the gap lies before each of them."),
    (no_gap, "the last `gap` rows before a block are not known yet when its model is fitted."),
    (gap_in_block, "the gap is taken from the rows to fit on; all rows of a block judge."),
    (gap_behind, "the first block begins at row `first`; the gap lies before it."),
    (gap_counts, "`longest` rows are fitted on: count them from the end of what is known."),
    (from_front, "the last `longest` of the known rows, not the first of the record."),
    (no_limit, "at most the last `longest` rows are fitted on."),
    (first_only, "the origin moves on: each model may use all that is known before its block."),
    (future_too, "rows after the block are the future: nothing may be fitted on them."),
    (itself_too, "row s judges: it is one row too far, also with a gap."),
    (since_last, "the rows before the block before are known, too."),
    (wrapped, "rows below 0 are none: where fewer are known than `longest`, take those."),
    (turned_pairs, "first the rows to fit on, then those that judge."),
)  # fmt: skip


def settings():
    """Of (n, first, width, gap, longest); the longest may be more than there is."""
    fixed = [(24, 10, 4, 0, None), (25, 10, 5, 2, None), (26, 10, 4, 3, 5), (20, 6, 3, 1, 50),
             (12, 11, 1, 4, 2), (9, 4, 6, 1, None), (30, 9, 7, 2, 8)]  # fmt: skip
    random = Random(1)
    for _ in range(40):
        gap = random.randint(0, 4)
        first = gap + random.randint(1, 12)
        longest = random.choice([None, random.randint(1, 20)])
        fixed.append((first + random.randint(0, 30), first, random.randint(1, 6), gap, longest))
    return fixed


@checker("bicycles-3")
def check_origins(origins):
    cases, found = settings(), []
    hint = "return a list of pairs: the rows to fit on, and the rows that judge, both as lists."
    for case in cases:
        got = as_list(origins(*case))
        expect(got is not None, hint)
        pairs = [as_list(pair) for pair in got]
        expect(all(pair is not None and len(pair) == 2 for pair in pairs), hint)
        lists = [tuple(list(p) if isinstance(p, range) else as_list(p) for p in q) for q in pairs]
        expect(all(part is not None for pair in lists for part in pair), hint)
        expect(all(is_number(i) for pair in lists for part in pair for i in part), hint)
        found.append(lists)
    order = "rows stand in the order of time: do not shuffle them."
    expect(all(list(part) == sorted(part) for got in found for q in got for part in q), order)
    for other, hint in ORIGINS:
        expect(found != [other(*case) for case in cases], hint)
    for case, got in zip(cases, found):
        should = split(*case)
        names = ", ".join(f"{name} = {value}" for name, value in zip(NAMES, case))
        expect(len(got) == len(should), f"with {names} there are {len(should)} pairs, not "
               f"{len(got)}.")  # fmt: skip
        for mine, yours in zip(should, got):
            expect(mine == yours, f"with {names} one pair is {mine}, not {yours}.")


NAMES = ("n", "first", "width", "gap", "longest")
