"""Checkers of the chapter "Trees that are reluctant"; all of them also run in the page."""

from random import Random

from plain_checks import as_list, is_number

from treelab.checkers import checker, expect
from treelab.regularized import regularized_forest

# --- which column a node takes ---------------------------------------------------------------


def offers_of(gains, used, penalties, order, m):
    """What each column that is tried is worth, those that are in first; list of (worth, column)."""
    old = [j for j in order if j in used]
    new = [j for j in order if j not in used][:m]
    return [(gains[j], j) for j in old] + [(penalties[j] * gains[j], j) for j in new]


def first_of_most(offers):
    """The first column of the largest worth, or -1 where nothing is worth anything."""
    most = max((worth for worth, _ in offers), default=0)
    return next(j for worth, j in offers if worth == most) if most > 0 else -1


def right(gains, used, penalties, order, m):
    return first_of_most(offers_of(gains, used, penalties, order, m))


def all_penalized(gains, used, penalties, order, m):
    return first_of_most([(penalties[j] * g, j) for g, j in undone(gains, used, order, m)])


def undone(gains, used, order, m):
    return offers_of(gains, used, [1] * len(gains), order, m)


def none_penalized(gains, used, penalties, order, m):
    return first_of_most(undone(gains, used, order, m))


def old_penalized(gains, used, penalties, order, m):
    pairs = undone(gains, used, order, m)
    return first_of_most([(g * (penalties[j] if j in used else 1), j) for g, j in pairs])


def divided(gains, used, penalties, order, m):
    pairs = undone(gains, used, order, m)
    return first_of_most([(g if j in used else g / penalties[j], j) for g, j in pairs])


def by_index(gains, used, penalties, order, m):
    return right(gains, used, penalties, sorted(order), m)


def new_by_index(gains, used, penalties, order, m):
    new = [j for j in sorted(order) if j not in used][:m]
    return right(gains, used, penalties, [j for j in order if j in used] + new, m)


def all_new(gains, used, penalties, order, m):
    return right(gains, used, penalties, order, len(order))


def counts_old(gains, used, penalties, order, m):
    few = [j for j in order if j in used or j in order[:m]]
    return right(gains, used, penalties, few, m)


def few_at_all(gains, used, penalties, order, m):
    return right(gains, used, penalties, order[:m], m)


def few_as_drawn(gains, used, penalties, order, m):
    return as_drawn(gains, used, penalties, order[:m], m)


def few_old(gains, used, penalties, order, m):
    new = [j for j in order if j not in used][:m]
    return right(gains, used, penalties, [j for j in order if j in order[:m] or j in new], m)


def counts_gains(gains, used, penalties, order, m):
    return right(gains, used, penalties, [j for j in order if gains[j] > 0], m)


def as_drawn(gains, used, penalties, order, m):
    offers = sorted(offers_of(gains, used, penalties, order, m), key=lambda o: order.index(o[1]))
    return first_of_most(offers)


def last_of_most(gains, used, penalties, order, m):
    return first_of_most(offers_of(gains, used, penalties, order, m)[::-1])


def smallest_index(gains, used, penalties, order, m):
    offers = offers_of(gains, used, penalties, order, m)
    return first_of_most(sorted(offers, key=lambda o: (o[1] not in used, o[1])))


def old_as_stored(gains, used, penalties, order, m):
    stored = list(set(used))
    offers = offers_of(gains, used, penalties, order, m)
    return first_of_most(sorted(offers, key=lambda o: stored.index(o[1]) if o[1] in used else 99))


def last_of_any(gains, used, penalties, order, m):
    """Not less than the best so far, in place of more."""
    offers = offers_of(gains, used, penalties, order, m)
    most = max((worth for worth, _ in offers), default=0)
    return next((j for worth, j in offers[::-1] if worth == most), -1)


def new_first(gains, used, penalties, order, m):
    offers = offers_of(gains, used, penalties, order, m)
    return first_of_most(sorted(offers, key=lambda o: o[1] in used))


def old_if_any(gains, used, penalties, order, m):
    found = first_of_most([(gains[j], j) for j in order if j in used])
    return right(gains, used, penalties, order, m) if found < 0 else found


def same_for_all(gains, used, penalties, order, m):
    """What formula (6) says as it is printed: the most of those that are in, for each of them."""
    most = max((gains[j] for j in used), default=0)
    offers = offers_of(gains, used, penalties, order, m)
    return first_of_most([(most if j in used else worth, j) for worth, j in offers])


TAKES = (
    (none_penalized, "a new column counts its penalty times its gain."),
    (all_penalized, "a column that is in pays no more: only new ones are penalized."),
    (old_penalized, "it is the new ones that are penalized, not those that are in."),
    (divided, "multiply by the penalty; dividing makes a new column worth more."),
    (same_for_all, "each column that is in counts its own gain, not the best gain of them all."),
    (old_if_any, "a new column wins where its penalized gain is larger than that of all in."),
    (few_at_all, "those that are in are tried beside the m new ones, and take no place of theirs."),
    (
        few_as_drawn,
        "those that are in are tried beside the m new ones, and take no place of theirs.",
    ),
    (few_old, "those that are in are all tried, wherever they stand in `order`."),
    (counts_old, "count the new ones only: those that are in take no place of the m."),
    (by_index, "the new ones that are tried are the first m in `order`, not by their numbers."),
    (new_by_index, "the new ones that are tried are the first m in `order`, not by their numbers."),
    (all_new, "of the new columns only the first m in `order` are tried."),
    (
        counts_gains,
        "a new column that gains nothing has been tried, too: it takes one of m places.",
    ),
    (new_first, "of equal worth, one that is in wins: nothing enters for nothing."),
    (as_drawn, "of equal worth, one that is in wins, also where a new one stands before it."),
    (last_of_most, "of equal worth among those that are in, or among the new, the first wins."),
    (last_of_any, "only more than the best so far counts, and that begins at 0."),
    (old_as_stored, "of equals that are in the first in `order` wins; a set has no order."),
    (smallest_index, "of equals of a kind the first in `order` wins, not the smallest number."),
)


def nodes(seed=0):
    """Nodes with gains and penalties whose products are exact, so that ties are ties."""
    random, found = Random(seed), []
    for k in range(360):
        d = random.choice([1, 4, 6, 9])
        order = random.sample(range(d), d)
        used = set(random.sample(range(d), random.randint(0, d)))
        some = [range(65), (0, 16, 32), (0, 0, 0, 8)][k % 3]  # few different numbers make ties
        gains = [random.choice(some) / 64 for _ in range(d)]
        penalties = [random.choice([0.25, 0.5, 0.75, 1.0]) for _ in range(d)]
        if k % 2:
            penalties = [penalties[0]] * d
        found.append((gains, used, penalties, order, random.randint(1, d)))
    return found


@checker("reluctant-2")
def check_takes(takes):
    cases, found = nodes(), []
    for gains, used, penalties, order, m in cases:
        some = [list(gains), set(used), list(penalties), list(order)]
        got = takes(*some, m)
        got = got.item() if hasattr(got, "item") else got
        hint = "return the number of one column, or -1."
        expect(is_number(got) and got == int(got), hint)
        same = some == [gains, used, penalties, order]
        expect(same, "your function changed its arguments; work on copies.")
        found.append(int(got))
    should = [right(*case) for case in cases]
    wrong = [k for k, j in enumerate(should) if found[k] != j]
    at_leaves = wrong and all(should[k] < 0 for k in wrong)
    expect(not at_leaves, "where nothing that is tried gains, the node is a leaf: return -1.")
    for other, hint in TAKES:
        expect(found != [other(*case) for case in cases], hint)
    for k in wrong[:1]:
        gains, used, penalties, order, m = cases[k]
        expect(
            False,
            f"with gains {gains}, {used or 'nothing'} in, penalties {penalties}, the order {order} "
            f"and m = {m} the answer is {should[k]}, not {found[k]}.",
        )


# --- who entered -----------------------------------------------------------------------------


def preorder(tree):
    """The nodes that ask, each before those below it, the left side before the right one."""
    if "left" not in tree:
        return []
    return [tree, *preorder(tree["left"]), *preorder(tree["right"])]


def by_depth(tree):
    """The nodes that ask, depth by depth."""
    found = [tree] if "left" in tree else []
    for t in found:
        found += [t[side] for side in ("left", "right") if "left" in t[side]]
    return found


def postorder(tree):
    if "left" not in tree:
        return []
    return [*postorder(tree["left"]), *postorder(tree["right"]), tree]


def right_first(tree):
    if "left" not in tree:
        return []
    return [tree, *right_first(tree["right"]), *right_first(tree["left"])]


def entered(trees, walk=preorder):
    """The first uses of the columns, in their order; list of (column, tree, rows)."""
    found = []
    for b, tree in enumerate(trees):
        for t in walk(tree):
            if t["feature"] not in {j for j, _, _ in found}:
                found.append((t["feature"], b, t["n"]))
    return found


def each_tree(trees):
    return [(j, b, n) for b, tree in enumerate(trees) for j, _, n in entered([tree])]


def every_use(trees):
    return [(t["feature"], b, t["n"]) for b, tree in enumerate(trees) for t in preorder(tree)]


def truthy(trees):
    return [entry for entry in entered(trees) if entry[0]]


def asking(tree):
    """The nodes that ask, as far as no question is about column 0."""
    if not tree.get("feature"):
        return []
    return [tree, *asking(tree["left"]), *asking(tree["right"])]


def last_tree(trees):
    return [(j, len(trees) - 1, n) for j, _, n in entered(trees[-1:])]


def from_one(trees):
    return [(j, b + 1, n) for j, b, n in entered(trees)]


def of_root(trees):
    return [(j, b, trees[b]["n"]) for j, b, _ in entered(trees)]


def last_use(trees):
    found = {j: (j, b, n) for j, b, n in every_use(trees)}
    return [found[j] for j, _, _ in entered(trees)]


ENTERED = (
    (every_use, "that is every use; a column enters with the first one."),
    (each_tree, "what is in stays in: do not begin anew with each tree."),
    (last_tree, "the columns that earlier trees took in are in the list, too."),
    (truthy, "column 0 is a column: ask whether the key is there, not whether the number is true."),
    (lambda trees: entered(trees, asking),
     "column 0 is a column: ask whether the key is there, not whether the number is true."),
    (lambda trees: entered(trees, by_depth),
     "not depth by depth: the left side is finished before the right one begins."),
    (lambda trees: entered(trees, postorder), "a node asks before the nodes below it do."),
    (lambda trees: entered(trees, right_first), "the left side is grown before the right one."),
    (lambda trees: sorted(entered(trees)), "in the order in which they entered, not by number."),
    (from_one, "the first tree has the number 0."),
    (of_root, "give the rows of the node that took the column in, not those of its tree."),
    (last_use, "that is the last use of each column; the first one took it in."),
)  # fmt: skip


def a_tree(random, n, d, depth=0):
    """A tree with any questions; only the keys that an answer may need."""
    tree = {"n": n}
    if n > 3 and depth < 5 and (depth < 2 or random.random() < 0.7):
        size = random.randint(1, n - 1)
        tree |= {"feature": random.randrange(d), "threshold": 0.5, "gain": 0.1}
        tree["left"] = a_tree(random, size, d, depth + 1)
        tree["right"] = a_tree(random, n - size, d, depth + 1)
    return tree


def forests():
    """Lists of trees: of any questions, and as they are grown."""
    random = Random(5)
    made = [[a_tree(random, 40, d) for _ in range(k)] for d, k in ((4, 1), (30, 1), (12, 4))]
    made += [[{"n": 5}], [{"n": 5}, *made[0]], [a_tree(random, 60, 40) for _ in range(3)]]
    X = [[random.randint(0, 9) for _ in range(6)] for _ in range(24)]
    y = [int(x[0] + x[3] > 9) for x in X]
    samples = [[random.randrange(24) for _ in X] for _ in range(6)]
    drawn = Random(2)
    grown, _ = regularized_forest(
        X, y, samples, lambda place: drawn.sample(range(6), 6), 3, [0.7] * 6
    )
    return [*made, grown]


@checker("reluctant-3")
def check_entered(entries):
    cases, found = forests(), []
    for trees in cases:
        got = as_list(entries(trees))
        hint = "return a list of triples: the column, the number of its tree, the rows of its node."
        expect(got is not None, hint)
        got = [as_list(entry) for entry in got]
        expect(all(e is not None and len(e) == 3 and all(map(is_number, e)) for e in got), hint)
        found.append([tuple(entry) for entry in got])
    for other, hint in ENTERED:
        expect(found != [other(trees) for trees in cases], hint)
    for trees, got in zip(cases, found):
        should = entered(trees)
        expect(got == should, f"of one list of {len(trees)} trees the entries are "
               + f"{should}, not {got}.")  # fmt: skip
