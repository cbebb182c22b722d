"""Right and wrong answers to the exercises of the chapter "Trees that are reluctant"."""

# --- reluctant-2 -----------------------------------------------------------------------------


def takes_loop(gains, used, penalties, order, m):
    """As the algorithm of the source has it: two passes, and strictly more."""
    best, most = -1, 0
    for j in order:
        if j in used and gains[j] > most:
            best, most = j, gains[j]
    tried = 0
    for j in order:
        if j not in used and tried < m:
            tried += 1
            if penalties[j] * gains[j] > most:
                best, most = j, penalties[j] * gains[j]
    return best


def takes_max(gains, used, penalties, order, m):
    new = [j for j in order if j not in used][:m]
    tried = [j for j in order if j in used or j in new]

    def key(j):
        is_in = j in used
        return gains[j] * (1 if is_in else penalties[j]), is_in, -order.index(j)

    best = max(tried, key=key, default=None)
    return best if best is not None and gains[best] > 0 else -1


def _takes(gains, used, penalties, order, m, flaw):
    used = {j for j in used if flaw != "empty"}
    walk = sorted(order) if flaw == "numbers" else order
    new = [j for j in walk if j not in used and (flaw != "gainful" or gains[j] > 0)]
    if flaw == "new by numbers":
        new.sort()
    new = new if flaw == "all" else new[:m]
    if flaw == "places":
        new = [j for j in order[:m] if j not in used]
    old = [j for j in walk if j in used and (flaw != "few" or j in order[:m])]
    tried = [j for j in order if j in old or j in new] if flaw == "as drawn" else old + new
    tried = new + old if flaw == "new first" else tried
    tried = sorted(old) + sorted(new) if flaw == "smallest" else tried
    best, most = 0 if flaw == "zero" else -1, 0
    for j in tried:
        part = 1 if j in used else penalties[j]
        part = {"both": penalties[j], "none": 1, "turned": penalties[j] if j in used else 1}.get(
            flaw, part
        )
        worth = gains[j] / part if flaw == "divide" else gains[j] * part
        if flaw == "formula 6" and j in used:
            worth = max(gains[i] for i in used)
        if worth > most or (flaw == "last" and worth == most > 0):
            best, most = j, worth
    if flaw == "worth":
        return most
    if flaw == "in place" and best >= 0:
        gains[best] *= penalties[best]
    return best


def takes_with(flaw):
    return lambda *case: _takes(*case, flaw)


def takes_old_if_any(gains, used, penalties, order, m):
    old = [j for j in order if j in used and gains[j] > 0]
    return max(old, key=lambda j: gains[j]) if old else takes_loop(gains, used, penalties, order, m)


def takes_drawn(gains, used, penalties, order, m):
    """One loop over the first m of the draw, whoever they are."""
    best, most = -1, 0
    for j in order[:m]:
        worth = gains[j] if j in used else penalties[j] * gains[j]
        if worth > most:
            best, most = j, worth
    return best


def takes_at_least(gains, used, penalties, order, m):
    best, most = -1, 0
    for j in [*(j for j in order if j in used), *[j for j in order if j not in used][:m]]:
        worth = gains[j] if j in used else penalties[j] * gains[j]
        if worth >= most:
            best, most = j, worth
    return best


def takes_stored(gains, used, penalties, order, m):
    best, most = -1, 0
    for j in list(used) + [j for j in order if j not in used][:m]:
        worth = gains[j] if j in used else penalties[j] * gains[j]
        if worth > most:
            best, most = j, worth
    return best


# --- reluctant-3 -----------------------------------------------------------------------------


def entries_asking(trees):
    found = {}

    def walk(t, b):
        if t.get("feature"):
            found.setdefault(t["feature"], (t["feature"], b, t["n"]))
            walk(t["left"], b)
            walk(t["right"], b)

    for b, tree in enumerate(trees):
        walk(tree, b)
    return list(found.values())


def entries_recursive(trees):
    found = {}

    def walk(t, b):
        if "feature" in t:
            found.setdefault(t["feature"], (t["feature"], b, t["n"]))
            walk(t["left"], b)
            walk(t["right"], b)

    for b, tree in enumerate(trees):
        walk(tree, b)
    return list(found.values())


def entries_stack(trees):
    seen, found = set(), []
    for b in range(len(trees)):
        waiting = [trees[b]]
        while waiting:
            t = waiting.pop()
            if t.get("feature") is None:
                continue
            if t["feature"] not in seen:
                seen.add(t["feature"])
                found.append([t["feature"], b, t["n"]])
            waiting += [t["right"], t["left"]]
    return found


def entries_queue(trees):
    found, waiting = {}, []
    for b, tree in enumerate(trees):
        waiting.append(tree)
        while waiting:
            t = waiting.pop(0)
            if "feature" in t:
                found.setdefault(t["feature"], (t["feature"], b, t["n"]))
                waiting += [t["left"], t["right"]]
    return list(found.values())


def _walked(t, order):
    if "left" not in t:
        return []
    parts = {"t": [t], "l": _walked(t["left"], order), "r": _walked(t["right"], order)}
    return [node for part in order for node in parts[part]]


def entries_walked(order):
    def entries(trees):
        found = {}
        for b, tree in enumerate(trees):
            for t in _walked(tree, order):
                found.setdefault(t["feature"], (t["feature"], b, t["n"]))
        return list(found.values())

    return entries


def entries_all(trees):
    return [(t["feature"], b, t["n"]) for b, tree in enumerate(trees) for t in _walked(tree, "tlr")]


def entries_anew(trees):
    return [(j, b, n) for b, tree in enumerate(trees) for j, _, n in entries_recursive([tree])]


def entries_last_tree(trees):
    return [(j, len(trees) - 1, n) for j, _, n in entries_recursive(trees[-1:])]


def entries_truthy(trees):
    return [entry for entry in entries_recursive(trees) if entry[0]]


def entries_sorted(trees):
    return sorted(entries_recursive(trees))


def entries_from_one(trees):
    return [(j, b + 1, n) for j, b, n in entries_recursive(trees)]


def entries_of_root(trees):
    return [(j, b, trees[b]["n"]) for j, b, _ in entries_recursive(trees)]


def entries_last(trees):
    last = {entry[0]: entry for entry in entries_all(trees)}
    return [last[j] for j, _, _ in entries_recursive(trees)]


def entries_names(trees):
    return [j for j, _, _ in entries_recursive(trees)]


def entries_off(trees):
    return [(j, b, n - 1) for j, b, n in entries_recursive(trees)]


CORRECT = {
    "reluctant-2": [takes_loop, takes_max],
    "reluctant-3": [entries_recursive, entries_stack],
}

WRONG = {
    "reluctant-2": [
        (takes_with("none"), "counts its penalty times its gain"),
        (takes_with("both"), "only new ones are penalized"),
        (takes_with("turned"), "not those that are in"),
        (takes_with("divide"), "multiply by the penalty"),
        (takes_with("formula 6"), "its own gain"),
        (takes_old_if_any, "larger than that of all in"),
        (takes_with("few"), "wherever they stand"),
        (takes_with("places"), "take no place"),
        (lambda gains, used, penalties, order, m: takes_loop(gains, used, penalties, order[:m], m),
         "beside the m new ones"),
        (takes_drawn, "beside the m new ones"),
        (takes_at_least, "only more than the best so far"),
        (takes_stored, "a set has no order"),
        (takes_with("numbers"), "not by their numbers"),
        (takes_with("new by numbers"), "not by their numbers"),
        (takes_with("all"), "only the first m"),
        (takes_with("gainful"), "has been tried, too"),
        (takes_with("new first"), "nothing enters for nothing"),
        (takes_with("as drawn"), "also where a new one stands before"),
        (takes_with("last"), "the first wins"),
        (takes_with("smallest"), "not the smallest number"),
        (takes_with("zero"), "the node is a leaf"),
        (takes_with("worth"), "return the number of one column"),
        (takes_with("in place"), "changed its arguments"),
        (takes_with("empty"), "the answer is"),
    ],
    "reluctant-3": [
        (entries_all, "that is every use"),
        (entries_anew, "do not begin anew"),
        (entries_last_tree, "earlier trees took in"),
        (entries_truthy, "column 0 is a column"),
        (entries_asking, "column 0 is a column"),
        (entries_queue, "not depth by depth"),
        (entries_walked("lrt"), "before the nodes below"),
        (entries_walked("trl"), "the left side is grown before"),
        (entries_sorted, "not by number"),
        (entries_from_one, "has the number 0"),
        (entries_of_root, "not those of its tree"),
        (entries_last, "the first one took it in"),
        (entries_names, "a list of triples"),
        (entries_off, "the entries are"),
    ],
}  # fmt: skip
