"""ID3 and C4.5 in their plainest form: cases are dictionaries, trees are nested dictionaries.

Nothing here comes from treelab. A case is ``{"x": {attribute: value or None}, "y": class,
"w": weight}``; `kinds` has the levels of each attribute, or None for a numeric one. Slow, and
meant to be.
"""

from math import log2

SLACK = 1e-6
RULES = {"M": 2, "criterion": "gain_ratio", "average": True, "mdl": True, "adaptive": True}
RULES |= {"cut": "data", "boundary": False}


def weight(cases):
    return sum(case["w"] for case in cases)


def class_weights(cases):
    found = {}
    for case in cases:
        found[case["y"]] = found.get(case["y"], 0) + case["w"]
    return found


def bits(amounts):
    """Entropy of some amounts in bits."""
    total = sum(amounts)
    return -sum(a / total * log2(a / total) for a in amounts if a > 0)


def entropy(cases):
    return bits(class_weights(cases).values()) if cases else 0.0


def is_pure(cases):
    return weight(cases) - max(class_weights(cases).values()) < SLACK


def groups(cases, attribute, levels, cut=None):
    """The cases on each branch, and those whose value is unknown."""
    known = [case for case in cases if case["x"][attribute] is not None]
    unknown = [case for case in cases if case["x"][attribute] is None]
    if levels is not None:
        branches = [[c for c in known if c["x"][attribute] == level] for level in levels]
    else:
        branches = [
            [c for c in known if c["x"][attribute] <= cut],
            [c for c in known if c["x"][attribute] > cut],
        ]
    return branches, unknown


def deal(cases, attribute, levels, cut=None):
    """The cases of each branch, an unknown one on every branch with a share of its weight."""
    branches, unknown = groups(cases, attribute, levels, cut)
    total = sum(weight(branch) for branch in branches)
    for branch in branches:
        share = weight(branch) / total
        if share > SLACK:
            branch += [case | {"w": case["w"] * share} for case in unknown]
    return branches


def gain(branches, total):
    """Entropy drop on the known cases, times their share of the weight."""
    known = [case for branch in branches for case in branch]
    after = sum(weight(branch) * entropy(branch) for branch in branches) / weight(known)
    return weight(known) / total * (entropy(known) - after)


def offer_of_levels(cases, attribute, levels, rules):
    branches, unknown = groups(cases, attribute, levels)
    if sum(weight(branch) >= rules["M"] - SLACK for branch in branches) < 2:
        return None
    won = gain(branches, weight(cases))
    return {"gain": won, "cost": bits([*map(weight, branches), weight(unknown)]), "cut": None}


def offer_of_cuts(cases, attribute, n_classes, everything, rules):
    """The best cut of a numeric attribute, with what it costs to have searched for it."""
    total = weight(cases)
    _, unknown = groups(cases, attribute, None, 0)
    known = [case for case in cases if case["x"][attribute] is not None]
    least = rules["M"]
    if rules["adaptive"] and 0.1 * weight(known) / n_classes > least:
        least = min(0.1 * weight(known) / n_classes, 25)
    values = sorted({case["x"][attribute] for case in known})
    cuts = []
    for low, high in zip(values[:-1], values[1:], strict=True):
        branches, _ = groups(cases, attribute, None, low)
        beside = {case["y"] for case in known if case["x"][attribute] in (low, high)}
        if rules["boundary"] and len(beside) == 1:
            continue
        if min(map(weight, branches)) >= least - SLACK:
            cuts.append((gain(branches, total), low, high, branches))
    best = None
    for cut in cuts:
        if cut[0] > (best[0] if best else 0) + SLACK:
            best = cut
    if best is None:
        return None
    won, low, high, branches = best
    won -= log2(len(cuts)) / total if rules["mdl"] else 0
    if won < SLACK:
        return None
    cut = (low + high) / 2
    if rules["cut"] == "data":
        cut = max(v for v in everything if v is not None and v <= cut)
    return {"gain": won, "cost": bits([*map(weight, branches), weight(unknown)]), "cut": cut}


def choose(offers, kinds, n_cases, rules):
    """The attribute that wins, or None."""
    if rules["criterion"] == "gain":
        bar, score = float("-inf"), {a: o["gain"] for a, o in offers.items()}
    else:
        many = {a for a, levels in kinds.items() if levels and len(levels) >= 0.3 * n_cases}
        counted = [o["gain"] for a, o in offers.items() if a not in many or many == set(kinds)]
        bar = sum(counted) / len(counted) - 1e-3 if counted else float("inf")
        bar = bar if rules["average"] else float("-inf")
        score = {a: o["gain"] / o["cost"] for a, o in offers.items()}
    best, level = None, 0
    for attribute in kinds:
        if attribute in offers and offers[attribute]["gain"] >= bar:
            if score[attribute] > level + SLACK:
                best, level = attribute, score[attribute]
    return best


def c45(cases, kinds, n_classes, whole=None, **rules):
    """A C4.5 tree without pruning."""
    rules, whole = RULES | rules, whole or cases
    tree = {"classes": class_weights(cases)}
    if not cases or weight(cases) < 2 * rules["M"] - SLACK or is_pure(cases):
        return tree
    offers = {}
    for attribute, levels in kinds.items():
        if levels is None:
            everything = [case["x"][attribute] for case in whole]
            offers[attribute] = offer_of_cuts(cases, attribute, n_classes, everything, rules)
        else:
            offers[attribute] = offer_of_levels(cases, attribute, levels, rules)
    offers = {attribute: offer for attribute, offer in offers.items() if offer}
    best = choose(offers, kinds, len(whole), rules)
    if best is None:
        return tree
    offer = offers[best]
    below = deal(cases, best, kinds[best], offer["cut"])
    children = [c45(branch, kinds, n_classes, whole, **rules) for branch in below]
    tree |= {"asks": best, "cut": offer["cut"], "gain": offer["gain"], "children": children}
    return tree | {"ratio": offer["gain"] / offer["cost"]}


def id3(cases, kinds, zero_gain=True):
    """An ID3 tree: an unknown value counts as every level, by the shares of the known ones."""
    tree = {"classes": class_weights(cases)}
    if not cases or is_pure(cases):
        return tree
    best, level = None, None
    for attribute, levels in kinds.items():
        branches, _ = groups(cases, attribute, levels)
        if sum(weight(branch) > SLACK for branch in branches) < 2:
            continue
        won = gain(deal(cases, attribute, levels), weight(cases))
        if best is None or won > level + 1e-10 * entropy(cases):
            best, level = attribute, won
    if best is None or (level < SLACK and not zero_gain):
        return tree
    below = deal(cases, best, kinds[best])
    children = [id3(branch, kinds, zero_gain) for branch in below]
    tree |= {"asks": best, "cut": None, "gain": level, "children": children}
    return tree | {"ratio": level / bits([weight(branch) for branch in below])}


def shares(tree, case, kinds, above=None):
    """Class shares that a case is answered with, from every leaf that it reaches."""
    classes = tree["classes"] or above
    if "asks" not in tree:
        total = sum(classes.values())
        return {k: v / total for k, v in classes.items()}
    attribute, value = tree["asks"], case[tree["asks"]]
    levels, children = kinds[attribute], tree["children"]
    if value is not None:
        b = int(value > tree["cut"]) if levels is None else levels.index(value)
        return shares(children[b], case, kinds, classes)
    sizes = [sum(child["classes"].values()) for child in children]
    found = {}
    for child, size in zip(children, sizes, strict=True):
        for k, v in shares(child, case, kinds, classes).items():
            found[k] = found.get(k, 0) + v * size / sum(sizes)
    return found
