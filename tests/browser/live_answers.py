"""A right and a wrong answer to each exercise that is checked in the page, as a reader types them.

They are written for lists, with the standard library alone. `MISTAKES` says what to change in a
right answer to make it wrong, and a piece of the hint that it must get then.
"""

RIGHT = {
    "reading-2": """
def rentals(temp):
    if temp <= 9.5:
        return 676 if temp <= 6 else 913
    return 1828.6 if temp <= 30 else 731.5
""",
    "reading-3": """
from treelab.cart import leaf

def shares_of(tree, X, y, x):
    inside = [k for row, k in zip(X, y) if leaf(tree, row) is leaf(tree, x)]
    return [inside.count(k) / len(inside) for k in sorted(set(y))]
""",
    "reading-5": """
from math import inf

def box_of(path, names):
    box = {name: [-inf, inf] for name in names}
    for name, sign, s in path:
        ends = box[name]
        box[name] = [ends[0], min(ends[1], s)] if sign == "<=" else [max(ends[0], s), ends[1]]
    return box
""",
    "impurity-2": """
def cheapest_answer(S, cost):
    costs = [sum(s * row[a] for s, row in zip(S, cost)) / sum(S) for a in range(len(S))]
    return costs.index(min(costs)), min(costs)
""",
    "impurity-3": """
def best_threshold(x, y):
    def gini(side):
        return 1 - sum((side.count(k) / len(side)) ** 2 for k in set(side))

    best, record = None, -1.0
    values = sorted(set(x))
    for a, b in zip(values, values[1:]):
        cut = (a + b) / 2
        left = [k for v, k in zip(x, y) if v <= cut]
        right = [k for v, k in zip(x, y) if v > cut]
        after = (len(left) * gini(left) + len(right) * gini(right)) / len(y)
        if gini(list(y)) - after > record + 1e-12:
            best, record = cut, gini(list(y)) - after
    return best, record
""",
    "growing-2": """
def gains(y):
    n, total = len(y), sum(y)
    found, left = [], 0.0
    for k in range(1, n):
        left += y[k - 1]
        apart = left / k - (total - left) / (n - k)
        found.append(k * (n - k) / n**2 * apart**2)
    return found
""",
    "growing-4": """
def goes_left(row, questions, larger_is_left):
    for j, cut, low_goes_left in questions:
        if row[j] is not None:
            return (row[j] <= cut) == low_goes_left
    return larger_is_left
""",
    "growing-5": """
def fewest_errors(X, y, depth):
    fewest = len(y) - max(y.count(label) for label in y)
    if depth == 0:
        return fewest
    for j in range(len(X[0])):
        for cut in sorted({x[j] for x in X})[:-1]:
            errors = 0
            for side in (True, False):
                rows = [i for i, x in enumerate(X) if (x[j] <= cut) == side]
                errors += fewest_errors([X[i] for i in rows], [y[i] for i in rows], depth - 1)
            fewest = min(fewest, errors)
    return fewest
""",
    "growing-7": """
def grow_tree(X, y, max_depth, min_leaf):
    mean = sum(y) / len(y)
    if max_depth == 0 or len(set(y)) == 1:
        return mean
    best, split = -1.0, None
    for j in range(len(X[0])):
        values = sorted({x[j] for x in X})
        for a, b in zip(values, values[1:]):
            left = [target for x, target in zip(X, y) if x[j] <= a]
            k, n = len(left), len(y)
            if min(k, n - k) >= min_leaf:
                gain = k * (n - k) / n**2 * (sum(left) / k - (sum(y) - sum(left)) / (n - k)) ** 2
                if gain > best + 1e-9:
                    best, split = gain, (j, (a + b) / 2)
    if split is None:
        return mean
    j, threshold = split
    found = [j, threshold]
    for side in (True, False):
        rows = [i for i, x in enumerate(X) if (x[j] <= threshold) == side]
        below = [X[i] for i in rows], [y[i] for i in rows]
        found.append(grow_tree(*below, max_depth - 1, min_leaf))
    return tuple(found)
""",
    "pruning-3": """
def next_step(left, right, R):
    def leaves(t, falls=()):
        if left[t] == -1 or t in falls:
            return [t]
        return leaves(left[t], falls) + leaves(right[t], falls)

    inner = [t for t in range(len(left)) if left[t] != -1]
    g = {t: (R[t] - sum(R[s] for s in leaves(t))) / (len(leaves(t)) - 1) for t in inner}
    alpha = min(g.values())
    return alpha, len(leaves(0, [t for t in inner if g[t] <= alpha + 1e-9]))
""",
    "pruning-4": """
def one_se(losses, n_leaves):
    n = len(losses[0])
    error = [sum(row) / n for row in losses]
    best = min(range(len(losses)), key=lambda k: (error[k], n_leaves[k]))
    variance = sum((loss - error[best]) ** 2 for loss in losses[best]) / n
    line = error[best] + (variance / n) ** 0.5
    return min(leaves for leaves, e in zip(n_leaves, error) if e <= line)
""",
    "pruning-6": """
def folds_of_copies(rows, n_folds):
    fold = {}
    return [fold.setdefault(row, len(fold) % n_folds) for row in rows]
""",
    "c45-3": """
def candidate_thresholds(x, y):
    classes = {}
    for value, label in zip(x, y):
        classes.setdefault(value, set()).add(label)
    values = sorted(classes)
    return [(a + b) / 2 for a, b in zip(values, values[1:]) if len(classes[a] | classes[b]) > 1]
""",
    "c45-4": """
from math import log2

def offer_of(level, y, w):
    def bits(parts):
        return -sum(v / sum(parts) * log2(v / sum(parts)) for v in parts if v)

    inside, unknown = {}, 0
    for a, k, v in zip(level, y, w):
        if a is None:
            unknown += v
        else:
            part = inside.setdefault(a, {})
            part[k] = part.get(k, 0) + v
    size = {a: sum(part.values()) for a, part in inside.items()}
    known, W = sum(size.values()), sum(w)
    classes = [sum(part.get(k, 0) for part in inside.values()) for k in set(y)]
    after = sum(size[a] / known * bits(inside[a].values()) for a in size)
    gain = known / W * (bits(classes) - after)
    cost = bits([*size.values(), unknown])
    return gain, gain / cost if cost else 0, {a: v * W / known for a, v in size.items()}
""",
    "c45-5": """
from treelab.c45 import predicted_errors

def prune_by_errors(tree, confidence):
    def visit(t):
        N = sum(t["counts"])
        leaf = predicted_errors(N, N - max(t["counts"]), confidence) if N else 0
        below = [visit(child) for child in t["children"]]
        errors = sum(e for e, _ in below)
        return (leaf, 1) if not below or leaf <= errors else (errors, sum(n for _, n in below))

    return visit(tree)[1]
""",
    "metrics-3": """
def cheapest_threshold(y, scores, cost_fn, cost_fp):
    best, lowest = float("inf"), cost_fn * sum(y)
    for threshold in sorted(set(scores), reverse=True):
        rows = list(zip(y, scores))
        missed = sum(k == 1 and score < threshold for k, score in rows)
        false_alarms = sum(k == 0 and score >= threshold for k, score in rows)
        cost = cost_fn * missed + cost_fp * false_alarms
        if cost < lowest:
            best, lowest = threshold, cost
    return best, lowest
""",
    "metrics-4": """
def auc_by_ranks(y, scores):
    ranks = [
        sum(other < score for other in scores) + (scores.count(score) + 1) / 2
        for score in scores
    ]
    P = sum(y)
    rank_sum = sum(rank for k, rank in zip(y, ranks) if k)
    return (rank_sum - P * (P + 1) / 2) / (P * (len(y) - P))
""",
    "metrics-5": """
from statistics import fmean, stdev

def cost_of_choice(y, scores, fold, cost_fn, cost_fp):
    rows = list(zip(y, scores, fold))

    def cost(rows, threshold):
        return sum((cost_fn if k else cost_fp) * (k != (s >= threshold)) for k, s, _ in rows)

    means = []
    for name in sorted(set(fold)):
        train, test = ([row for row in rows if (row[2] == name) == own] for own in (False, True))
        levels = [float("inf"), *sorted({s for _, s, _ in train}, reverse=True)]
        means.append(cost(test, min(levels, key=lambda t: cost(train, t))) / len(test))
    return fmean(means), stdev(means) / len(means) ** 0.5
""",
    "instability-2": """
def three_parts(P, Y):
    noise = bias = variance = 0
    for said, targets in zip(zip(*P), zip(*Y)):
        mean, level = sum(said) / len(said), sum(targets) / len(targets)
        noise += sum((y - level) ** 2 for y in targets) / len(targets) / len(P[0])
        bias += (mean - level) ** 2 / len(P[0])
        variance += sum((a - mean) ** 2 for a in said) / len(said) / len(P[0])
    return noise, bias, variance
""",
    "instability-3": """
from statistics import fmean, variance

def corrected(P, truth):
    s2 = [variance(said) for said in zip(*P)]
    far = [(fmean(said) - f) ** 2 for said, f in zip(zip(*P), truth)]
    return fmean(d - v / len(P) for d, v in zip(far, s2)), fmean(s2)
""",
    "instability-7": """
from statistics import fmean, pvariance

def average_of(draw, fit, points, truth, k, M):
    averages = []
    for r in range(M):
        models = [fit(*draw(seed)) for seed in range(r * k, r * k + k)]
        averages.append([fmean(model(x) for model in models) for x in points])
    columns = list(zip(*averages))
    far = [(fmean(column) - f) ** 2 for column, f in zip(columns, truth)]
    return fmean(far), fmean(map(pvariance, columns))
""",
    "bootstrap-2": """
from itertools import product

def exact_bootstrap(statistic, data):
    chance = {}
    for sample in product(data, repeat=len(data)):
        value = statistic(list(sample))
        chance[value] = chance.get(value, 0) + 1 / len(data) ** len(data)
    return chance
""",
    "bootstrap-3": """
from statistics import fmean

def leave_one_out(samples, losses):
    judged = []
    for i in range(len(losses[0])):
        unseen = [loss[i] for rows, loss in zip(samples, losses) if i not in rows]
        if unseen:
            judged.append(fmean(unseen))
    return fmean(judged)
""",
    "bootstrap-7": """
from random import Random

def bootstrap_difference(statistic, a, b, B, seed):
    random = Random(seed)

    def draw(group, size):
        return random.choices(group, k=size)

    return [statistic(draw(b, len(b))) - statistic(draw(a, len(a))) for _ in range(B)]
""",
    "bagging-2": """
def majority(votes, n_classes):
    elected = []
    for case in zip(*votes):
        count = [case.count(k) for k in range(n_classes)]
        elected.append(count.index(max(count)))
    return elected
""",
    "bagging-3": """
def oob_error(samples, said, y):
    wrong = []
    for i, k in enumerate(y):
        heard = [votes[i] for rows, votes in zip(samples, said) if i not in rows]
        if heard:
            elected = min(set(heard), key=lambda c: (-heard.count(c), c))
            wrong.append(elected != k)
    return sum(wrong) / len(wrong), len(wrong) / len(y)
""",
    "bagging-4": """
from math import comb

def wrong_vote(alpha, B):
    chance = [comb(B, k) * alpha**k * (1 - alpha) ** (B - k) for k in range(B + 1)]
    tie = chance[B // 2] / 2 if B % 2 == 0 else 0
    return sum(chance[B // 2 + 1:]) + tie
""",
    "bagging-6": """
from statistics import fmean

def bag_any(fit, X, y, samples, features):
    def part(x, b):
        return [x[j] for j in features[b]]

    fitted = []
    for b, rows in enumerate(samples):
        fitted.append(fit([part(X[i], b) for i in rows], [y[i] for i in rows]))

    def mean_of(x, chosen):
        return fmean(fitted[b](part(x, b)) for b in chosen) if chosen else None

    unseen = [[b for b, rows in enumerate(samples) if i not in rows] for i in range(len(X))]
    oob = [mean_of(x, chosen) for x, chosen in zip(X, unseen)]
    return lambda x: mean_of(x, range(len(samples))), oob
""",
    "forests-2": """
def weighted_quantile(y, w, u):
    total = 0
    for target, weight in sorted(zip(y, w)):
        total += weight
        if total > u - 1e-9:
            return target
""",
    "forests-3": """
def proximity(leaves):
    def together(row, other):
        return sum(a == b for a, b in zip(row, other)) / len(row)

    return [[together(row, other) for other in leaves] for row in leaves]
""",
    "forests-7": """
def mean(values):
    return sum(values) / len(values)

def best_stump(X, y, rows, features):
    best = None
    for j in features:
        values = sorted({X[i][j] for i in rows})
        for low, high in zip(values, values[1:]):
            threshold = (low + high) / 2
            left = [y[i] for i in rows if X[i][j] <= threshold]
            right = [y[i] for i in rows if X[i][j] > threshold]
            risk = sum((v - mean(side)) ** 2 for side in (left, right) for v in side)
            if best is None or risk < best[0] - 1e-9:
                best = risk, lambda x, j=j, t=threshold, m=(mean(left), mean(right)): m[x[j] > t]
    return best[1] if best else lambda x: mean([y[i] for i in rows])

def stump_forest(X, y, samples, candidates):
    stumps = [best_stump(X, y, rows, features) for rows, features in zip(samples, candidates)]
    whole, out_of_bag = [], []
    for i, x in enumerate(X):
        votes = [stump(x) for stump in stumps]
        unseen = [v for v, rows in zip(votes, samples) if i not in rows]
        whole.append(mean(votes))
        out_of_bag.append(mean(unseen) if unseen else None)
    return whole, out_of_bag
""",
    "adaboost-2": """
from math import log

def boost(says, y, B):
    w, joined = [1 / len(y)] * len(y), []
    for _ in range(B):
        errors = [sum(v for v, a, c in zip(w, rule, y) if a != c) for rule in says]
        e = min(errors)
        if e > 0.5 - 1e-9:
            break
        k = [v <= e + 1e-12 for v in errors].index(True)
        joined.append((k, 0.5 * log((1 - e) / e)))
        w = [v / (2 * e if a != c else 2 * (1 - e)) for v, a, c in zip(w, says[k], y)]
    return joined, w
""",
    "adaboost-4": """
def least_error(x, y, w):
    rows = sorted(zip(x, y, w))
    total = sum(k * v for _, k, v in rows)
    best, left = abs(total), 0
    for (a, k, v), (b, _, _) in zip(rows, rows[1:]):
        left += k * v
        if a < b:
            best = max(best, abs(left) + abs(total - left))
    return (1 - best) / 2
""",
    "gradient-boosting-2": """
def stop_round(train, held_out, patience):
    done = len(held_out)
    for m in range(patience, len(held_out)):
        if held_out[m] >= max(held_out[m - patience:m]):
            done = m + 1
            break
    return done, held_out.index(min(held_out[:done])) + 1
""",
    "gradient-boosting-4": """
from math import exp

def one_round(x, y, F, cut, learning_rate):
    p = [1 / (1 + exp(-score)) for score in F]
    new = list(F)
    for left in (True, False):
        rows = [i for i in range(len(x)) if (x[i] <= cut) == left]
        step = sum(y[i] - p[i] for i in rows) / sum(p[i] * (1 - p[i]) for i in rows)
        for i in rows:
            new[i] = F[i] + learning_rate * step
    return new
""",
    "gradient-boosting-6": """
from math import ceil, inf

def group_margins(low, high, y, groups, share):
    lacks = {}
    for a, b, target, name in zip(low, high, y, groups):
        lacks.setdefault(name, []).append(max(a - target, target - b))
    ranks = {name: ceil(share * (len(own) + 1)) for name, own in lacks.items()}
    return {
        name: sorted(own)[ranks[name] - 1] if ranks[name] <= len(own) else inf
        for name, own in lacks.items()
    }
""",
    "importance-5": """
from itertools import combinations

def compare(first, second, k):
    pairs = list(combinations(first, 2))
    same = sum(second.index(a) < second.index(b) for a, b in pairs)
    top, other = set(first[:k]), set(second[:k])
    return (2 * same - len(pairs)) / len(pairs), len(top & other) / len(top | other)
""",
    "importance-6": """
from itertools import permutations

def shapley(worth, d):
    values, orders = [0] * d, list(permutations(range(d)))
    for order in orders:
        for i, j in enumerate(order):
            before = frozenset(order[:i])
            values[j] += (worth(before | {j}) - worth(before)) / len(orders)
    return values
""",
    "filters-2": """
from math import sqrt

def forward(relevance, pairs):
    chosen, best = [], 0.0
    left = set(range(len(relevance)))
    while left:
        merits = {}
        for j in sorted(left):
            some = [*chosen, j]
            twice = sum(pairs[a][b] for a in some for b in some if a != b)
            merits[j] = sum(relevance[i] for i in some) / sqrt(len(some) + twice)
        j = max(merits, key=merits.get)
        if merits[j] <= best + 1e-12:
            break
        best = merits[j]
        chosen.append(j)
        left.remove(j)
    return chosen
""",
    "filters-4": """
def honest_accuracy(choose, fit, X, y, folds):
    right = 0
    for fold in folds:
        train = [i for i in range(len(X)) if i not in fold]
        seen = train
        columns = choose([X[i] for i in seen], [y[i] for i in seen])
        predict = fit([[X[i][j] for j in columns] for i in train], [y[i] for i in train])
        right += sum(predict([X[i][j] for j in columns]) == y[i] for i in fold)
    return right / len(X)
""",
    "choosing-2": """
from math import comb

def runs_needed(d, alpha, misses):
    runs = max(1, misses)
    while sum(comb(runs, i) for i in range(misses + 1)) / 2**runs > alpha / d:
        runs += 1
    return runs
""",
    "choosing-3": """
from math import sqrt
from statistics import fmean, pstdev

def eliminate_anew(columns, importances, judge, u):
    some, path = list(columns), []
    while True:
        losses = judge(some)
        path.append((some, losses))
        if len(some) <= 2:
            break
        found = dict(zip(some, importances(some)))
        some = sorted(some, key=found.get, reverse=True)[: -max(1, round(len(some) / 5))]
    best = min(path, key=lambda pair: fmean(pair[1]))[1]
    limit = fmean(best) + u * pstdev(best) / sqrt(len(best))
    return [some for some, losses in path if fmean(losses) <= limit][-1]
""",
    "reluctant-2": """
def takes(gains, used, penalties, order, m):
    old = [j for j in order if j in used]
    new = [j for j in order if j not in used][:m]
    best, most = -1, 0
    for j in old + new:
        worth = gains[j] * (1 if j in used else penalties[j])
        if worth > most:
            best, most = j, worth
    return best
""",
    "reluctant-3": """
def entries(trees):
    found = []

    def walk(t, b):
        if "feature" not in t:
            return
        if t["feature"] not in [j for j, _, _ in found]:
            found.append((t["feature"], b, t["n"]))
        walk(t["left"], b)
        walk(t["right"], b)

    for b, tree in enumerate(trees):
        walk(tree, b)
    return found
""",
    "local-2": """
def intersection_order(found, sizes):
    d = len(found[0])
    worst = [0] * d
    for f in found:
        if any(f):
            for k, j in enumerate(sorted(range(d), key=lambda j: -f[j])):
                worst[j] = max(worst[j], k)
    total = [sum(n * f[j] for n, f in zip(sizes, found)) for j in range(d)]
    return sorted(range(d), key=lambda j: (worst[j], -total[j]))
""",
    "local-3": """
from math import dist
from statistics import fmean, pstdev


def nearest_answers(X, clusters, answers, new):
    scale = [(fmean(x), pstdev(x) or 1) for x in zip(*X)]

    def scaled(x):
        return [(v - mean) / sd for v, (mean, sd) in zip(x, scale)]

    centers = []
    for c in range(len(answers)):
        own = [scaled(x) for x, k in zip(X, clusters) if k == c]
        centers.append([fmean(column) for column in zip(*own)])
    found = []
    for x in new:
        apart = [dist(scaled(x), center) for center in centers]
        found.append(answers[apart.index(min(apart))])
    return found
""",
    "bicycles-2": """
def known(counts, t):
    now = 24 * (t // 24 - 1) + 18
    same = t - 24 if t - 24 < now else t - 48
    return [counts[i] if i >= 0 else None for i in (now - 1, same, t - 168)]
""",
    "bicycles-3": """
def origins(n, first, width, gap, longest):
    pairs = []
    for s in range(first, n - width + 1, width):
        known = list(range(s - gap))
        known = known if longest is None else known[-longest:]
        pairs.append((known, list(range(s, s + width))))
    return pairs
""",
    "wind-1": """
def power_error(true, seen, a, b, c):
    def power(v):
        if v < a or v > c:
            return 0
        return (min(v, b) ** 3 - a**3) / (b**3 - a**3)

    return [power(w) - power(v) for v, w in zip(true, seen)]
""",
    "wind-3": """
def survivors(groups, worth, k, anew):
    def importances(some):
        return {j: worth[groups[j]] / sum(groups[i] == groups[j] for i in some) for j in some}

    some = list(range(len(groups)))
    found = importances(some)
    while len(some) > k:
        if anew:
            found = importances(some)
        some.remove(min(some, key=lambda j: (found[j], -j)))
    return some
""",
    "wind-4": """
def sizes(p, block, percent):
    found = []
    while p >= block:
        found.append(p)
        full, rest = divmod(p, block)
        p -= full * (percent * block // 100) + percent * rest // 100
    return found
""",
}

MISTAKES = {
    "reading-2": ("<=", "<", "includes equal"),
    "reading-3": ("/ len(inside)", "/ len(y)", "not by all rows"),
    "reading-5": ("min(ends[1], s)", "s", "the tighter one"),
    "impurity-2": ("zip(S, cost)", "zip(S, zip(*cost))", "the other way round"),
    "impurity-3": ("cut = (a + b) / 2", "cut = a", "not on one of them"),
    "growing-2": ("/ n**2", "/ n", "divide by the number of rows"),
    "growing-4": (" is not None", "", "0 is a value"),
    "growing-5": ("depth == 0", "depth <= 1", "you stop one earlier"),
    "growing-7": ("best, split = -1.0", "best, split = 0.0", "because no split gains anything"),
    "pruning-3": ("(len(leaves(t)) - 1)", "len(leaves(t))", "still one leaf"),
    "pruning-4": ("(variance / n) ** 0.5", "variance**0.5", "divided by the root"),
    "pruning-6": ("fold.setdefault(row, len(fold) % n_folds)", "row % n_folds", "differ by one"),
    "c45-3": (" if len(classes[a] | classes[b]) > 1", "", "all the midpoints"),
    "c45-4": ("[*size.values(), unknown]", "list(size.values())", "one part more"),
    "c45-5": ("leaf <= errors", "leaf < errors", "a tie makes a leaf"),
    "metrics-3": ('float("inf"), cost_fn * sum(y)', "0, 10**9", "costs less than infinity"),
    "metrics-4": (" - P * (P + 1) / 2", "", "also outranks positive rows"),
    "metrics-5": (" / len(means) ** 0.5", "", "standard deviation of the 3 means"),
    "instability-2": ("(a - mean)", "(a - level)", "not from the truth"),
    "instability-3": ("d - v / len(P)", "d - v", "take off 3, not 9"),
    "instability-7": ("range(r * k, r * k + k)", "range(k)", "new training sets"),
    "bootstrap-2": (" / len(data) ** len(data)", "", "are counts"),
    "bootstrap-3": (" if i not in rows", "", "naive estimate"),
    "bootstrap-7": ("draw(b, len(b))", "draw(b, len(a))", "its own group"),
    "bagging-2": ("count.index(max(count))", "round(sum(case) / len(case))", "do not average"),
    "bagging-3": (" if i not in rows", "", "have not drawn"),
    "bagging-4": (" / 2 if", " if", "every tie as an error"),
    "bagging-6": (" if i not in rows", "", "have not drawn the row"),
    "forests-2": ("sorted(zip(y, w))", "zip(y, w)", "from the least"),
    "forests-3": (" / len(row)", "", "a proportion of them"),
    "forests-7": (" if i not in rows", "", "all stumps predict"),
    "adaboost-2": ("0.5 * log", "log", "half of it"),
    "adaboost-4": ("if a < b", "if a <= b", "only between different values"),
    "gradient-boosting-2": ("max(held_out", "min(held_out", "than after round 2"),
    "gradient-boosting-4": ("sum(p[i] * (1 - p[i]) for i in rows)", "len(rows)", "mean pseudo"),
    "gradient-boosting-6": ("(len(own) + 1)", "len(own)", "one more"),
    "importance-5": ("len(top | other)", "k", "in any of them"),
    "importance-6": (" / len(orders)", "", "divide by their number"),
    "filters-2": ("if a != b", "if a < b", "each pair twice"),
    "choosing-2": ("range(misses + 1)", "range(misses, misses + 1)", "exactly so many"),
    "choosing-3": (" / sqrt(len(best))", "", "the root of their number"),
    "reluctant-2": ("old + new", "new + old", "nothing enters for nothing"),
    "reluctant-3": ("[j for j, _, _ in found]", "[j for j, a, _ in found if a == b]", "begin anew"),
    "local-2": ("        if any(f):", "        if True:", "would send features back"),
    "local-3": ("pstdev(x) or 1) for x in zip(*X)", "1) for x in zip(*X)", "decides alone"),
    "bicycles-2": ("if t - 24 < now else t - 48", "", "still to come"),
    "bicycles-3": ("range(s - gap)", "range(s)", "not known yet"),
    "wind-1": ("min(v, b)", "v", "the cube stops there"),
    "wind-3": ("(found[j], -j)", "(found[j], j)", "the one with the larger number"),
    "wind-4": ("+ percent * rest // 100", "", "of it columns leave"),
    "filters-4": ("seen = train", "seen = range(len(X))", "has seen all rows"),
}


def wrong(exercise):
    """The right answer with its mistake, and a piece of the hint."""
    old, new, hint = MISTAKES[exercise]
    assert old in RIGHT[exercise]
    return RIGHT[exercise].replace(old, new), hint
