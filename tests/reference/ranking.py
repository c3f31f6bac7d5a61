"""Slow, obvious twins of likewise.quality.ranking: lists and loops, nothing from likewise."""


def tie_points(scores, correct):
    """(pairs taken, correct ones among them) at the end of each group of equal scores, best first."""
    points = []
    for threshold in sorted(set(scores), reverse=True):
        taken = [mark for score, mark in zip(scores, correct, strict=True) if score >= threshold]
        points.append((len(taken), sum(taken)))
    return points


def interpolated(points, total):
    values = []
    for level in range(11):
        reached = [found / taken for taken, found in points if found * 10 >= level * total and found > 0]
        values.append(max(reached, default=0.0))
    return values


def iap(points, total):
    return sum(interpolated(points, total)) / 11


def best_f1(points, total):
    best = 0.0
    for taken, found in points:
        if found:
            precision, recall = found / taken, found / total
            best = max(best, 2 * precision * recall / (precision + recall))
    return best


def bcubed(found, gold):
    def one(labels, others):
        total = 0.0
        for i, label in enumerate(labels):
            mates = [j for j, other in enumerate(labels) if other == label]
            total += sum(others[i] == others[j] for j in mates) / len(mates)
        return total / len(labels)

    return one(found, gold), one(gold, found)


def pair_counts(found, gold):
    both = ours = theirs = 0
    for i in range(len(found)):
        for j in range(i):
            ours += found[i] == found[j]
            theirs += gold[i] == gold[j]
            both += found[i] == found[j] and gold[i] == gold[j]
    return both, ours, theirs
