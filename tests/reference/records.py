"""Slow, obvious twins of what decides on records: one pair, one record, one field at a time."""

import itertools
import math
from collections import Counter

import numpy as np


def sides(found):
    """Return the two records of each pair, as nodes: those of two tables are others, whatever their number."""
    other = 0 if found.self_join else 1
    return [((0, a), (other, b)) for a, b in zip(found.left.tolist(), found.right.tolist(), strict=True)]


def partners(found, likely):
    count = Counter(node for pair, yes in zip(sides(found), likely, strict=True) if yes for node in pair)
    pairs = sum(map(bool, likely))
    if not pairs:
        return 0.0
    if found.self_join:
        return 2 * pairs / len(count)
    return pairs / min(sum(side == which for side, _ in count) for which in (0, 1))


def closed(found, likely):
    near = {}
    for (a, b), yes in zip(sides(found), likely, strict=True):
        if yes:
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)
    closed = total = 0
    for record, mine in near.items():
        for one, two in itertools.combinations(sorted(mine), 2):
            if found.self_join:
                total += 1
                closed += one in near[two]
            else:
                for other in near[one] | near[two]:
                    if other != record:
                        total += 1
                        closed += other in near[one] and other in near[two]
    return closed / total if total else 0.0


def unlike(mine, row, limits):
    return bool(not mine.null[row] and not mine.equal[row] and mine.alike[row] < limits.unlike)


def tells_apart(mine, size, limits):
    shares = [share for share, null in zip(mine.share, mine.null, strict=True) if not null]
    return bool(shares) and float(np.median(shares)) * size <= limits.sharing


def siblings(found, likely, evidence, limits, fewest=5):
    nodes = sides(found)

    def count(rows):
        return Counter(node for row in rows for node in nodes[row])

    def less(seen, foreseen, variance):
        return seen < foreseen / 2 and foreseen - seen > limits.sibling_errors * math.sqrt(variance)

    rows = [row for row, yes in enumerate(likely) if yes]
    every = count(rows)
    for mine in evidence:
        there = [row for row in rows if not mine.null[row]]
        all_of, agree = count(there), count([row for row in there if mine.equal[row]])
        one = sum(agree[node] * (all_of[node] - 1) for node in agree)
        two = sum(math.comb(agree[node], 2) for node in agree)
        by_chance = one**2 / max(1, sum(n * (n - 1) for n in all_of.values())) / 2
        if less(two, by_chance, by_chance):
            return True
        alone = [float(mine.equal[row]) for row in there if all(every[node] == 1 for node in nodes[row])]
        others = [float(mine.equal[row]) for row in there if not all(every[node] == 1 for node in nodes[row])]
        if len(alone) < fewest or len(others) < fewest or not tells_apart(mine, min(found.lefts, found.rights), limits):
            continue
        spread = sum(np.var(part) / len(part) for part in (alone, others))
        if less(np.mean(others), np.mean(alone), spread):
            return True
    return False


def of_a_class(evidence, likely, limits, fewest=5):
    for mine in evidence:
        alike = [mine.alike[row] for row, yes in enumerate(likely) if yes and not mine.null[row]]
        if len(alike) >= fewest and np.mean(alike) < limits.unlike:
            return True
    return False


def differing_fields(evidence, kinds, chosen, limits):
    rows = [row for row, yes in enumerate(chosen) if yes]
    found = []
    for place, mine in enumerate(evidence):
        there = [row for row in rows if not mine.null[row]]
        apart = sum(unlike(mine, row, limits) for row in there)
        if there and 2 * len(there) >= len(rows) and any(mine.equal) and 2 * apart > len(there):
            found.append(place)
    if len(found) < 2 or not {kinds[place] for place in found} & {"name", "text"}:
        return []
    agree = [
        [not evidence[place].null[row] and not unlike(evidence[place], row, limits) for row in rows] for place in found
    ]
    together = sum(map(all, zip(*agree, strict=True))) / len(rows)
    by_chance = math.prod(sum(one) / len(rows) for one in agree)
    return found if together and together >= limits.together * by_chance else []


def members_of(evidence, kinds, chosen, size, kin, limits):
    every = range(len(chosen))
    rows = [row for row in every if chosen[row]]
    apart = differing_fields(evidence, kinds, chosen, limits)
    if apart:
        return [2 * sum(unlike(evidence[place], row, limits) for place in apart) >= len(apart) for row in every]
    for place, kind in enumerate(kinds):
        if kind != "name":
            continue
        mine = evidence[place]
        others = [one for other, one in enumerate(evidence) if other != place]
        lone = [unlike(mine, row, limits) and not any(one.equal[row] for one in others) for row in every]
        if others and sum(lone[row] for row in rows) >= limits.neighbours * max(1, len(rows)):
            return lone
        there = [row for row in rows if not mine.null[row]]
        differ = sum(unlike(mine, row, limits) for row in there)
        telling = size is not None and tells_apart(mine, size, limits)
        if telling and 2 * len(there) >= len(rows) and 2 * differ > len(there):
            return [unlike(mine, row, limits) for row in every]
    telling = [mine for mine in evidence if size is not None and tells_apart(mine, size, limits)]
    if len(telling) < 2:
        return None

    def far_apart(row):
        there = [mine for mine in telling if not mine.null[row]]
        return len(there) > 1 and all(not mine.equal[row] and mine.alike[row] < limits.half_alike for mine in there)

    far = [far_apart(row) for row in every]
    least = max(1, 0 if kin else limits.siblings * len(rows))
    return far if sum(far[row] for row in rows) >= least else None


def by_chance(found, codes, others, evidence, limits, unseen=0.5, least=1e-4):
    """How probable it is of each pair that is equal in all fields that it is so by chance."""
    fields = range(len(evidence))
    pairs = list(zip(found.left.tolist(), found.right.tolist(), strict=True))
    missing = [[codes[f][a] < 0 and others[f][b] < 0 for a, b in pairs] for f in fields]
    apart = [[f for f in fields if not evidence[f].equal[row] and not missing[f][row]] for row in range(len(pairs))]
    equal = [row for row in range(len(pairs)) if not apart[row] and sum(not evidence[f].null[row] for f in fields) >= 2]
    result = [1.0] * len(pairs)
    if not equal:
        return result
    gone = {pairs[row][1] for row in equal} if found.self_join else set()
    records = [record for record in range(found.lefts) if record not in gone]
    every = list(itertools.combinations(records, 2))

    def same(f, a, b):
        return codes[f][a] == codes[f][b]

    before = limits.literal_before * len(records)
    share = []
    for f in fields:
        alone = (sum(same(f, a, b) for a, b in every) + unseen) / max(1, len(every))
        together = [
            (sum(same(f, a, b) and same(g, a, b) for a, b in every) + before * alone)
            / (sum(same(g, a, b) for a, b in every) + before)
            for g in fields
            if g != f
        ]
        share.append(min(1.0, max([alone, *together])))
    foreseen = min((sum(one == [f] for one in apart) + unseen) * share[f] / max(1e-9, 1 - share[f]) for f in fields)

    def others(row, shares, itself, smaller, larger):
        rest = [
            1.0 if missing[f][row] else max(mine - (itself - unseen) / smaller, unseen / smaller)
            for f, mine in zip(fields, shares, strict=True)
        ]
        own = larger * math.prod(max(mine, usual) for mine, usual in zip(rest, share, strict=True))
        return own * min(1.0, *(mine / max(mine, usual) for mine, usual in zip(rest, share, strict=True)))

    kinds = {tuple(int(codes[f][record]) for f in fields) for record in range(found.lefts)}
    for row in equal:
        shares = [evidence[f].share[row] for f in fields]
        own = others(row, shares, 2 if found.self_join else 1, *sorted((found.lefts, found.rights)))
        if found.self_join:
            mine = [codes[f][pairs[row][0]] for f in fields]
            shares = [sum(kind[f] == mine[f] for kind in kinds) / len(kinds) for f in fields]
            own = min(own, others(row, shares, 1, len(kinds), len(kinds)))
        result[row] = min(1.0, max(least, own, foreseen / len(equal)))
    return result


def expected(probability, wish, there, many):
    """What is given: (threshold, matches, precision, recall, F1), trying each probability as the threshold.

    ``wish`` is a precision, ("least", probability) or ``None``.
    """
    matches = max(1e-9, there, sum(probability))
    none = (2.0, matches, 1.0, 0.0, 0.0)
    if not len(probability) or (max(probability) < 0.5 and not many):
        return none

    def figures(threshold):
        given = [one for one in probability if one >= threshold]
        hits = sum(given)
        return (threshold, matches, hits / len(given), hits / matches, 2 * hits / (len(given) + matches))

    tried = [figures(one) for one in sorted(set(probability), reverse=True)]
    best = max(tried, key=lambda one: (one[4], one[0]))
    if isinstance(wish, tuple):
        good = [one for one in tried if one[0] >= wish[1]]
        return (wish[1], *good[-1][1:]) if good else none
    if wish is not None:
        good = [one for one in tried if one[2] >= wish]
        return max(best, good[-1], key=lambda one: one[0]) if good else none
    return none if best[2] < 0.5 and not many else best


def without_rivals(found, odds, relation):
    """Take the strongest pairs first; a record has as many partners as it may."""
    left, right, kept = set(), set(), [False] * len(odds)
    for row in sorted(range(len(odds)), key=lambda row: (-odds[row], row)):
        a, b = int(found.left[row]), int(found.right[row])
        if (relation.left_once and a in left) or (relation.right_once and b in right):
            continue
        left.add(a)
        right.add(b)
        kept[row] = True
    return kept


def given_copies(decision, chance, copies, wish, rivals="rivals", least=1e-4):
    """The decision with literal copies: probability, keep, odds, parts and the figures, the threshold last."""
    found, relation, rows = decision.found, decision.relation, range(len(chance))
    left = [True] * len(chance)
    if not found.self_join and relation != "m:m":
        left = without_rivals(found, [2 * copies[r] + chance[r] + decision.keep[r] for r in rows], relation)
    chosen = list(decision.keep)
    if isinstance(wish, float):
        at = expected([chance[r] if left[r] else 0.0 for r in rows], wish, 0, False)[0]
        chosen = [left[r] and chance[r] >= at for r in rows]
    keep = [bool(left[r] and (chosen[r] or copies[r])) for r in rows]
    probability = [
        chance[r] if keep[r] else 0.0 if copies[r] or (decision.keep[r] and not left[r]) else decision.probability[r]
        for r in rows
    ]

    def odds_of(value):
        return math.log(max(value, least) / max(1 - value, least))

    odds = [max(odds_of(probability[r]), decision.odds[r]) if copies[r] and keep[r] else decision.odds[r] for r in rows]
    own = [place for place, name in enumerate(decision.fields) if name != rivals]
    parts = decision.parts.copy()
    for r in rows:
        for place in own:
            parts[r, place] += (odds[r] - decision.odds[r]) / len(own)
    given = [probability[r] for r in rows if keep[r]]
    matches = max(sum(given), sum(probability))
    recall = math.nan if decision.learnt is None else sum(given) / matches
    f1 = 2 * sum(given) / (len(given) + matches)
    threshold = min(decision.calibration.threshold, *given)
    return probability, keep, odds, parts, (matches, sum(given) / len(given), recall, f1, threshold)


def correct(decision, correction, wish, judged, knots, sure=12.0):
    """The decision with corrected odds: odds, parts, probability, keep, as the prose of the module says it."""
    found, rows = decision.found, range(len(decision.odds))
    factors = [1.0] * decision.parts.shape[1] if correction is None else correction.factors
    odds, parts, chance, first = [], [], [], []
    for r in rows:
        old = float(decision.odds[r])
        mine = [float(part) * factor for part, factor in zip(decision.parts[r], factors, strict=True)]
        now = old
        if correction is not None:
            mine.append(sum(w * math.exp(-((old - k) ** 2) / 2) for w, k in zip(correction.bend, knots, strict=True)))
            now = decision.prior + sum(mine)
        before = float(decision.probability[r])
        was = before if before > 0 else 1 / (1 + math.exp(-old))
        near = min(max(was, 1e-12), 1 - 1e-12)
        new = was if now == old else 1 / (1 + (1 - near) / near * math.exp(-(now - old)))
        if len(set(factors)) > 1 and "rivals" in decision.fields:
            order = now - mine[decision.fields.index("rivals")] - mine[-1]
        else:
            order = old + (1e5 if before > 0 else 0)
        if judged is not None:
            mine.append(0.0 if judged[r] == 0 else judged[r] * sure - now)
            now += mine[-1]
            if judged[r]:
                new, order = 1 / (1 + math.exp(-now)), 1e6 * judged[r]
        odds.append(now)
        parts.append(mine)
        chance.append(new)
        first.append(order)
    alone = type(decision.relation)("m:m") if found.self_join else decision.relation
    left = without_rivals(found, first, alone)
    probability = [chance[r] if left[r] else 0.0 for r in rows]
    beaten = max(0.0, decision.calibration.matches - float(sum(decision.probability)))
    there = [probability[r] for r in rows if left[r]]
    reached = expected(there, wish, beaten + sum(there), False)
    keep = []
    for r in rows:
        mine = left[r] and probability[r] >= reached[0]
        if correction is None and decision.calibration.threshold <= 1 and decision.probability[r] > 0:
            mine = left[r] and bool(decision.keep[r])
        if judged is not None and judged[r]:
            mine = left[r] and judged[r] > 0
        keep.append(bool(mine))
    return odds, parts, probability, keep, reached
