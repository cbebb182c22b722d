"""Right and wrong answers to the assignment "Who may come in"."""

from functools import partial

import numpy as np
import pandas as pd
from checks_hw9 import (
    ASKED,
    error,
    halves,
    honest_is,
    report_differences,
    report_values,
)
from scipy import stats

# --- by hand -----------------------------------------------------------------------------


def but(right, k, value):
    """A right answer with one entry replaced."""
    return (*right[:k], value, *right[k + 1 :])


ENTERED = (0.196, 0.446, 4, 2, 0.072)
GUIDED = (0.525, 0.278, "c", "e", 0.314)
TESTS = (3, 0.460, 2.236, 0.488, 0.0207)

# --- hw9-5 -------------------------------------------------------------------------------


def question_loops(X, y, used, new, penalties, flaw=""):
    """Question by question, with one flaw at most."""
    y = list(y)
    if flaw == "in place":
        X[:, 0] = np.sort(X[:, 0])

    def entropy(some):
        shares = [some.count(k) / len(some) for k in set(some)]
        logarithm = np.log if flaw == "natural" else np.log2
        return -sum(p * logarithm(p) for p in shares)

    found = []
    columns = [*used, *new]
    columns = sorted(columns) if flaw == "number" else columns
    columns = [*new, *used] if flaw == "new first" else columns
    for place, j in enumerate(columns):
        values = sorted(set(X[:, j].tolist()))
        for a, b in zip(values, values[1:]):
            cut = a if flaw == "on values" else (a + b) / 2
            sides = [
                [k for k, v in zip(y, X[:, j]) if bool(v <= cut) is side] for side in (True, False)
            ]
            weights = [len(side) / len(y) for side in sides]
            weights = [0.5, 0.5] if flaw == "unweighted" else weights
            gain = entropy(y) - sum(w * entropy(side) for w, side in zip(weights, sides))
            part = 1 if j in used else penalties[j]
            part = {"none": 1, "all": penalties[j]}.get(flaw, part)
            if flaw == "turned":
                part = penalties[j] if j in used else 1
            if gain > 1e-9 or flaw == "no gain":
                found.append((part * gain, place, cut, j, gain))
    if not found:
        return (-1, 0, 0)
    most = max(offer[0] for offer in found)
    best = [offer for offer in found if offer[0] >= most - 1e-9]
    pick = {"last cut": lambda o: (o[1], -o[2]), "last column": lambda o: (-o[1], o[2])}
    worth, _, cut, j, gain = min(best, key=pick.get(flaw, lambda o: (o[1], o[2])))
    if flaw == "cut only":
        return j, cut
    return j, cut, worth if flaw == "worth" else gain


def question_numpy(X, y, used, new, penalties):
    codes = np.unique(y, return_inverse=True)[1]
    onehot = np.eye(codes.max() + 1)[codes]

    def cost(sums):
        n = sums.sum(axis=-1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            return -np.nansum(sums * np.log2(sums / n), axis=-1) / len(y)

    best, most = (-1, 0.0, 0.0), 0.0
    for j in list(used) + list(new):
        values = np.unique(X[:, j])
        cuts = (values[1:] + values[:-1]) / 2
        if not len(cuts):
            continue
        low = (X[:, j][None] <= cuts[:, None]).astype(float) @ onehot
        gains = cost(onehot.sum(axis=0)) - cost(low) - cost(onehot.sum(axis=0) - low)
        k = int(np.argmax(gains >= gains.max() - 1e-9))
        part = 1.0 if j in used else penalties[j]
        if gains[k] > 1e-9 and part * gains[k] > most + 1e-9:
            best, most = (j, cuts[k], gains[k]), part * gains[k]
    return best


# --- hw9-6 -------------------------------------------------------------------------------


def forest_stack(X, y, samples, penalties, m, rng, flaw=""):
    """With a stack of nodes, and one flaw at most."""
    entered, entries, d = [], [], X.shape[1]
    if flaw == "own":
        rng = np.random.default_rng()
    if flaw == "in place":
        samples[0][:] = np.sort(samples[0])
    for b, sample in enumerate(samples):
        sample = np.unique(sample) if flaw == "unique" else np.array(sample)
        sample = np.arange(len(y)) if flaw == "no sample" else sample
        entered = [] if flaw == "anew" else entered
        per_tree = rng.permutation(d) if flaw == "tree" else None
        stack = [sample]
        while stack:
            rows = stack.pop(0 if flaw == "depth" else -1)
            if np.all(y[rows] == y[rows[0]]):
                if flaw == "draws":
                    rng.permutation(d)
                continue
            order = per_tree if flaw == "tree" else rng.permutation(d)
            order = np.arange(d) if flaw == "number" else order
            tries = order[:m] if flaw == "places" else [j for j in order if j not in entered][:m]
            tries = order if flaw == "all" else tries
            new = [int(j) for j in tries if j not in entered]
            old = [j for j in entered if j in order[:m]] if flaw == "few" else entered
            part = np.ones(d) if flaw == "none" else penalties
            j, cut, _ = question_numpy(X[rows], y[rows], list(old), new, part)
            if j < 0:
                continue
            if j not in entered:
                entered.append(j)
                n = len(set(rows.tolist())) if flaw == "different" else len(rows)
                entries.append((j, b + (flaw == "from one"), n))
            left = X[rows, j] <= cut
            stack += [rows[left], rows[~left]][:: 1 if flaw in ("right", "depth") else -1]
    if flaw == "columns":
        return entered
    return sorted(entries) if flaw == "sorted" else entries


def forest_recursive(X, y, samples, penalties, m, rng):
    found = {}

    def node(rows, b):
        if len(np.unique(y[rows])) > 1:
            new = [j for j in rng.permutation(X.shape[1]).tolist() if j not in found][:m]
            j, cut, gain = question_loops(X[rows], y[rows], list(found), new, penalties)
            if gain > 0:
                found.setdefault(j, (b, len(rows)))
                node(rows[X[rows, j] <= cut], b)
                node(rows[X[rows, j] > cut], b)

    for b in range(len(samples)):
        node(samples[b], b)
    return [(j, *place) for j, place in found.items()]


# --- hw9-7 -------------------------------------------------------------------------------


def marks_loops(differences, ratio, flaw=""):
    """Set by set, with one flaw at most."""
    if flaw == "in place":
        differences += 0.001
    if flaw == "zeros":
        differences = np.nan_to_num(differences)
    values, found = [], []
    for row in differences:
        known = row if flaw == "nan" else row[~np.isnan(row)]
        k = len(row) if flaw == "all" else len(known)
        if len(known) < 2:
            values.append(0.0 if flaw == "few" else np.nan)
            found.append(0)
            continue
        mean, s = known.mean(), known.std(ddof=0 if flaw == "ddof" else 1)
        ratio_used = {"no ratio": 0, "one": 1}.get(flaw, ratio)
        scale = np.sqrt(1 / k + ratio_used)
        scale = {"no root": scale**2, "s": 1, "squared": s * scale}.get(flaw, scale)
        if s < 1e-12 and flaw != "spread":
            t = 0.0 if abs(mean) < 1e-12 or flaw == "flat" else np.inf * np.sign(mean)
        else:
            with np.errstate(all="ignore"):
                t = mean / (s * scale)
        t = {"sign": -t, "abs": abs(t)}.get(flaw, t)
        share = 0.95 if flaw == "one side" else 0.975
        df = k if flaw == "df" else len(row) - 1 if flaw == "df of all" else k - 1
        limit = stats.norm.ppf(0.975) if flaw == "normal" else stats.t.ppf(share, df)
        mark = int(t > limit) - int(t < -limit)
        values.append(t)
        found.append(abs(mark) if flaw == "losses" else mark)
    if flaw == "marks only":
        return np.array(found)
    return np.array(values), np.array(found)


def marks_numpy(differences, ratio):
    k = np.sum(~np.isnan(differences), axis=1)
    safe = np.maximum(k, 1)
    mean = np.nansum(differences, axis=1) / safe
    s2 = np.nansum((differences - mean[:, None]) ** 2, axis=1) / np.maximum(k - 1, 1)
    flat, none = np.sqrt(s2) < 1e-12, abs(mean) <= 1e-12
    with np.errstate(divide="ignore", invalid="ignore"):
        t = mean / np.sqrt(s2 * (1 / safe + ratio))
        t = np.where(flat, np.where(none, 0, np.inf * np.where(none, 1, np.sign(mean))), t)
    t = np.where(k < 2, np.nan, t)
    p = 2 * stats.t.sf(abs(t), np.maximum(k - 1, 1))
    return t, np.where(p < 0.05, np.sign(t), 0)


# --- hw9-8 -------------------------------------------------------------------------------


def honest_by(chooses):
    """Somebody's function with other rows that choose."""
    return lambda choose, X, y, seeds: honest_is(choose, X, y, seeds, chooses)


def honest_loops(choose, X, y, seeds):
    found = np.zeros((len(seeds), 2))
    for i, seed in enumerate(seeds):
        for k, (learn, judge) in enumerate(halves(seed, len(X))):
            mask = choose(X[learn], y[learn])
            whole = error(X, y, np.full(X.shape[1], True), learn, judge)
            found[i, k] = whole - error(X, y, mask, learn, judge)
    return found


# --- hw9-9 -------------------------------------------------------------------------------

TOLD = np.array([[0.0115, 2.449, 0.364], [-0.0178, -2.433, -0.525]])
NAMES = ["difference", "replicates", "corrected"]


def report_with(values=TOLD):
    """The table of hw9-9, with other values."""
    return pd.DataFrame(values, index=["colleague", "honest"], columns=NAMES)


def report_but(k, values):
    """The table of hw9-9 with one column replaced."""
    report = report_with()
    report.iloc[:, k] = values
    return report


CORRECT = {
    "hw9-1": [ENTERED, [0.1959, 0.3219 / 0.7219, 4.0, 2.0, 0.0716]],
    "hw9-2": [ASKED, [list("cdcddbd"), "CDADDBE"]],
    "hw9-3": [GUIDED, [0.525, 0.2775, "C", "E", 8 / 25.5]],
    "hw9-4": [TESTS, [3.0, 1 - 0.95**12, 5**0.5, 0.48795, 0.0207]],
    "hw9-5": [question_loops, question_numpy],
    "hw9-6": [forest_stack, forest_recursive],
    "hw9-7": [marks_loops, marks_numpy],
    "hw9-8": [honest_by("learn"), honest_loops],
    "hw9-9": [report_with(), report_with().round(3).iloc[::-1, ::-1]],
}

WRONG = {
    "hw9-1": [
        (but(ENTERED, 0, 0.804), "that is what is left"),
        (but(ENTERED, 0, 0.2075), "7 and 5"),
        (but(ENTERED, 0, 0.136), "natural logarithm"),
        (but(ENTERED, 0, 0.5), "six of twelve"),
        (but(ENTERED, 1, 2.243), "at most 1"),
        (but(ENTERED, 1, 0.722), "that is a gain"),
        (but(ENTERED, 1, 0.4), "0.322 over 0.722"),
        (but(ENTERED, 2, 3), "leaves two books mixed"),
        (but(ENTERED, 2, 9), "not the leaves"),
        (but(ENTERED, 2, 5), "thick on both sides"),
        (but(ENTERED, 3, 5), "it is refused there"),
        (but(ENTERED, 3, 3), "how many thick novels"),
        (but(ENTERED, 4, 0.446), "the other order"),
        (but(ENTERED, 4, 0.5), "0.062"),
        (ENTERED[:4], "give five numbers"),
    ],
    "hw9-2": [
        (("cdaddbe", ASKED[1]), "without a penalty"),
        (("cdaedbe", ASKED[1]), "it is the new columns"),
        (("cdcdccc", ASKED[1]), "begins with what"),
        (("ededdbe", ASKED[1]), "only the first two"),
        (("cdcddcd", ASKED[1]), "take no place"),
        (("bbbaaba", ASKED[1]), "not in the alphabet"),
        (("cdadcbe", ASKED[1]), "wherever it stands"),
        (("cdcddbe", ASKED[1]), "that is in wins"),
        (("cdcdabd", ASKED[1]), "node 5 is the first"),
        ((ASKED[0], "cdadccd"), "begins with what"),
        ((ASKED[0], "cdadebe"), "that is in wins"),
        ((ASKED[0], "cdaddbd"), "penalty 1: node 7"),
        (ASKED[::-1], "are exchanged"),
        ((ASKED[0], "cda"), "two strings of seven"),
    ],
    "hw9-3": [
        (but(GUIDED, 0, 0.45), "by the largest one"),
        (but(GUIDED, 0, 0.6), "that of a, which is in"),
        (but(GUIDED, 0, 0.925), "the part 1 - gamma"),
        (but(GUIDED, 0, 0.625), "not 1"),
        (but(GUIDED, 0, 0.3), "half of 0.8"),
        (but(GUIDED, 1, 0.4625), "multiply its gain"),
        (but(GUIDED, 1, 0.48), "without the guide"),
        (but(GUIDED, 1, 0.3), "its penalty is 0.4625"),
        (but(GUIDED, 2, "e"), "the smallest"),
        (but(GUIDED, 2, "b"), "gains 0.30 only"),
        (but(GUIDED, 2, "a"), "who counts more"),
        (but(GUIDED, 3, "c"), "who gains most"),
        (but(GUIDED, 4, 0.593), "the same as a"),
        (but(GUIDED, 4, 0.686), "the part of the base"),
        (but(GUIDED, 4, 0.4), "both penalties change"),
        (GUIDED[:4], "give five things"),
    ],
    "hw9-4": [
        (but(TESTS, 0, 1.5), "both sides count"),
        (but(TESTS, 0, 0.6), "there are five"),
        (but(TESTS, 0, 5), "sixty tests"),
        (but(TESTS, 1, 0.6), "how many to expect"),
        (but(TESTS, 1, 0.540), "the chance of none"),
        (but(TESTS, 1, 0.954), "not sixty"),
        (but(TESTS, 1, 0.341), "exactly one"),
        (but(TESTS, 1, 0.05), "none of twelve"),
        ((*TESTS[:2], TESTS[3], TESTS[2], TESTS[4]), "makes t smaller"),
        (but(TESTS, 2, 0.5), "the root of twenty"),
        (but(TESTS, 2, 1.581), "not ten"),
        (but(TESTS, 2, 3), "0.015 over"),
        (but(TESTS, 3, 0.674), "halves, so 1"),
        (but(TESTS, 3, 0.4767), "k is twenty"),
        (but(TESTS, 3, 0.3), "1/20 + 1"),
        (but(TESTS, 4, 0.0598), "nine learn"),
        (but(TESTS, 4, 0.00595), "the ratio is missing"),
        (but(TESTS, 4, 0.01974), "*nine* learn"),
        (but(TESTS, 4, 0.02735), "a hundred differences"),
        (but(TESTS, 4, 0.01044), "multiply by the limit"),
        (but(TESTS, 4, 0.02185), "with more differences"),
        (but(TESTS, 4, 0.064), "with 1/9"),
        (TESTS[:4], "give five numbers"),
    ],
    "hw9-5": [
        (partial(question_loops, flaw="all"), "counts its whole gain"),
        (partial(question_loops, flaw="none"), "its penalty times its gain"),
        (partial(question_loops, flaw="turned"), "it is the new columns"),
        (partial(question_loops, flaw="worth"), "not what it counts"),
        (partial(question_loops, flaw="natural"), "in bits"),
        (partial(question_loops, flaw="unweighted"), "weigh the two sides"),
        (partial(question_loops, flaw="on values"), "lies halfway"),
        (partial(question_loops, flaw="number"), "not by number"),
        (partial(question_loops, flaw="last column"), "the first column counts"),
        (partial(question_loops, flaw="last cut"), "the smallest"),
        (partial(question_loops, flaw="new first"), "the answer is"),
        (partial(question_loops, flaw="no gain"), "return (-1, 0, 0)"),
        (partial(question_loops, flaw="in place"), "changed its arguments"),
        (partial(question_loops, flaw="cut only"), "three things"),
    ],
    "hw9-6": [
        (partial(forest_stack, flaw="anew"), "the *first* tree"),
        (partial(forest_stack, flaw="right"), "before the right one"),
        (partial(forest_stack, flaw="depth"), "not depth by depth"),
        (partial(forest_stack, flaw="unique"), "counts twice"),
        (partial(forest_stack, flaw="no sample"), "the rows of its sample"),
        (partial(forest_stack, flaw="draws"), "draws nothing"),
        (partial(forest_stack, flaw="number"), "the first m of a draw"),
        (partial(forest_stack, flaw="tree"), "not each tree"),
        (partial(forest_stack, flaw="all"), "only the first m"),
        (partial(forest_stack, flaw="places"), "take no place"),
        (partial(forest_stack, flaw="few"), "in every node"),
        (partial(forest_stack, flaw="different"), "with repetitions"),
        (partial(forest_stack, flaw="sorted"), "as they enter"),
        (partial(forest_stack, flaw="none"), "has the entries"),
        (partial(forest_stack, flaw="from one"), "has the entries"),
        (partial(forest_stack, flaw="own"), "has the entries"),
        (partial(forest_stack, flaw="in place"), "changed its arguments"),
        (partial(forest_stack, flaw="columns"), "a list of triples"),
    ],
    "hw9-7": [
        (partial(marks_loops, flaw="no ratio"), "the ratio is missing"),
        (partial(marks_loops, flaw="ddof"), "ddof=1"),
        (partial(marks_loops, flaw="s"), "multiply s"),
        (partial(marks_loops, flaw="no root"), "take the root"),
        (partial(marks_loops, flaw="one"), "it need not be 1"),
        (partial(marks_loops, flaw="squared"), "not its square"),
        (partial(marks_loops, flaw="sign"), "the sign is wrong"),
        (partial(marks_loops, flaw="abs"), "keeps its sign"),
        (partial(marks_loops, flaw="one side"), "two-sided"),
        (partial(marks_loops, flaw="normal"), "Student's"),
        (partial(marks_loops, flaw="df"), "not k"),
        (partial(marks_loops, flaw="losses"), "a loss is -1"),
        (partial(marks_loops, flaw="nan"), "leave it out"),
        (partial(marks_loops, flaw="zeros"), "no difference of 0"),
        (partial(marks_loops, flaw="all"), "the divisions there are"),
        (partial(marks_loops, flaw="df of all"), "of those there are"),
        (partial(marks_loops, flaw="few"), "fewer than two"),
        (partial(marks_loops, flaw="spread"), "t is 0, a tie"),
        (partial(marks_loops, flaw="flat"), "t is infinite"),
        (partial(marks_loops, flaw="in place"), "changed its arguments"),
        (partial(marks_loops, flaw="marks only"), "two arrays"),
    ],
    "hw9-8": [
        (honest_by("all"), "what the colleague's function returns"),
        (honest_by("judge"), "the rows that judge have chosen"),
        (honest_by("first"), "choose anew in each"),
        (lambda *case: -honest_loops(*case), "the sign is wrong"),
        (lambda *case: honest_loops(*case)[:, ::-1], "comes first in its row"),
        (lambda *case: honest_loops(*case).mean(axis=1), "two differences"),
        (lambda *case: honest_loops(*case) * 0, "in each of the two divisions"),
    ],
    "hw9-9": [
        (report_with(TOLD[::-1]), "the rows are exchanged"),
        (report_with(TOLD[:, [0, 2, 1]]), "t are exchanged"),
        (report_but(0, -TOLD[:, 0]), "the chosen less all"),
        (report_but(0, report_differences()[:, 0].mean(axis=1)), "that is one seed"),
        (report_but(0, [0.0115, 0.0115]), "honest: the mean"),
        (report_but(1, [1.664, -2.407]), "ten numbers, not twenty"),
        (report_but(1, TOLD[:, 1] * (10 / 9) ** 0.5), "divides by nine"),
        (report_but(1, [2.0, -2.0]), "over sqrt(10)"),
        (report_but(2, report_values(report_differences())[:, 1] / 11**0.5), "as one set"),
        (report_but(2, [1.664, -2.407]), "the ratio of halves"),
        (report_with().T, "no column `difference`"),
        (report_with().rename(index={"honest": "me"}), "no row `honest`"),
    ],
}  # fmt: skip
