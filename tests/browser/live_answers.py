"""A right and a wrong answer to each exercise that is checked in the page, as a reader types them.

Most are those of `tests/teaching/exercise_cases` that need no NumPy: `CASES` names their functions,
which are typed with what they need. The others are written here, for lists, with the standard
library alone, and `MISTAKES` says what to change in one to make it wrong, and a piece of the hint
that it must get then.
"""

import ast

import live_cells
from places import TESTS

CASES = {
    "reading-2": ("rentals_nested", "rentals_strict"),
    "reading-3": ("shares_by_count", "shares_as_counts"),
    "reading-5": ("box_by_tightening", "box_overwritten"),
    "impurity-2": ("answer_loop", "answer_in_total"),
    "growing-2": ("gains_walked", "gains_by_definition"),
    "growing-4": ("side_by_loop", "side_zero_is_missing"),
    "growing-5": ("fewest_by_recursion", "fewest_right"),
    "growing-7": ("tree_of_lists", "tree_as_a_dict"),
    "pruning-3": ("next_step_recursive", "next_step_one_leaf"),
    "c45-3": ("cuts_by_sets", "cuts_unsorted"),
    "c45-4": ("offer_by_counters", "offer_nan"),
    "c45-5": ("prune_recursive", "prune_by_training_errors"),
    "bootstrap-2": ("exact_counter", "exact_counts"),
    "bootstrap-7": ("difference_choices", "difference_sign"),
    "forests-2": ("quantile_sorted", "quantile_without_leeway"),
    "forests-7": ("stumps_plain", "stumps_of_all_features"),
    "importance-5": ("compare_pairs", "compare_over_k"),
    "importance-6": ("shapley_subsets", "shapley_one_order"),
    "filters-2": ("forward_sums", "forward_never_stops"),
    "filters-4": ("honest_loops", "honest_chosen_before"),
    "choosing-2": ("runs_by_sums", "runs_without_bonferroni"),
    "choosing-3": ("anew_lists", "anew_once"),
    "reluctant-2": ("takes_loop", "takes_old_if_any"),
    "reluctant-3": ("entries_recursive", "entries_all"),
    "local-2": ("order_by_sorting", "order_in_place"),
    "local-3": ("nearest_loops", "nearest_zero"),
    "bicycles-2": ("known_by_search", "known_backwards"),
    "bicycles-3": ("origins_loop", "origins_first_after_gap"),
    "wind-3": ("survivors_loop", "survivors_first_of_group"),
}


RIGHT = {
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
    "forests-3": """
def proximity(leaves):
    def together(row, other):
        return sum(a == b for a, b in zip(row, other)) / len(row)

    return [[together(row, other) for other in leaves] for row in leaves]
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
    "wind-1": """
def power_error(true, seen, a, b, c):
    def power(v):
        if v < a or v > c:
            return 0
        return (min(v, b) ** 3 - a**3) / (b**3 - a**3)

    return [power(w) - power(v) for v, w in zip(true, seen)]
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
    "impurity-3": ("cut = (a + b) / 2", "cut = a", "not on one of them"),
    "pruning-4": ("(variance / n) ** 0.5", "variance**0.5", "divided by the root"),
    "pruning-6": ("fold.setdefault(row, len(fold) % n_folds)", "row % n_folds", "differ by one"),
    "metrics-3": ('float("inf"), cost_fn * sum(y)', "0, 10**9", "costs less than infinity"),
    "metrics-4": (" - P * (P + 1) / 2", "", "also outranks positive rows"),
    "metrics-5": (" / len(means) ** 0.5", "", "standard deviation of the 3 means"),
    "instability-2": ("(a - mean)", "(a - level)", "not from the truth"),
    "instability-3": ("d - v / len(P)", "d - v", "take off 3, not 9"),
    "instability-7": ("range(r * k, r * k + k)", "range(k)", "new training sets"),
    "bootstrap-3": (" if i not in rows", "", "naive estimate"),
    "bagging-2": ("count.index(max(count))", "round(sum(case) / len(case))", "do not average"),
    "bagging-3": (" if i not in rows", "", "have not drawn"),
    "bagging-4": (" / 2 if", " if", "every tie as an error"),
    "bagging-6": (" if i not in rows", "", "have not drawn the row"),
    "forests-3": (" / len(row)", "", "a proportion of them"),
    "adaboost-2": ("0.5 * log", "log", "half of it"),
    "adaboost-4": ("if a < b", "if a <= b", "only between different values"),
    "gradient-boosting-2": ("max(held_out", "min(held_out", "than after round 2"),
    "gradient-boosting-4": ("sum(p[i] * (1 - p[i]) for i in rows)", "len(rows)", "mean pseudo"),
    "gradient-boosting-6": ("(len(own) + 1)", "len(own)", "one more"),
    "wind-1": ("min(v, b)", "v", "the cube stops there"),
    "wind-4": ("+ percent * rest // 100", "", "of it columns leave"),
}


def code_of(tree, name, given):
    """The source of a function with all that it needs, under the name given by the exercise."""
    defined = {}
    for node in tree.body:
        told = getattr(node, "names", None) or getattr(node, "targets", None) or [node]
        for one in told:
            names = (getattr(one, kind, None) for kind in ("asname", "name", "id"))
            defined[next(filter(None, names), None)] = node
    needed, asked = set(), [name]
    while asked:
        node = defined.get(asked.pop())
        if node and node not in needed:
            needed.add(node)
            asked += [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
    parts = [ast.unparse(node) for node in tree.body if node in needed]
    return "\n\n\n".join([*parts, f"{given} = {name}"])


def answers():
    """Of each exercise the right answer, a wrong one, and a piece of its hint."""
    found, exercises = {}, live_cells.plain_exercises()
    for exercise, (right, wrong) in CASES.items():
        topic = exercise.rpartition("-")[0].replace("-", "_")
        text = (TESTS / "teaching" / "exercise_cases" / f"{topic}.py").read_text(encoding="utf-8")
        tree, given = ast.parse(text), exercises[exercise]["name"]
        hints = [n.elts for n in ast.walk(tree) if isinstance(n, ast.Tuple) and len(n.elts) == 2]
        hint = next(h.value for f, h in hints if getattr(f, "id", None) == wrong)
        found[exercise] = (code_of(tree, right, given), code_of(tree, wrong, given), hint)
    for exercise, (old, new, hint) in MISTAKES.items():
        assert old in RIGHT[exercise]
        found[exercise] = (RIGHT[exercise], RIGHT[exercise].replace(old, new), hint)
    return found


ANSWERS = answers()
