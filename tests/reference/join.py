"""The slow, obvious twin of the join engine: sorts all pairs of a matrix of scores."""


def all_pairs(matrix, self_join, symmetric, each_once):
    for left, row in enumerate(matrix):
        for right, score in enumerate(row):
            if score <= 0 or (self_join and left == right):
                continue
            if self_join and each_once:
                other = matrix[right][left]
                if symmetric and right < left:
                    continue
                if not symmetric and (other > score or (other == score and right < left)):
                    continue
            yield left, right, float(score)


def by_score(pair):
    left, right, score = pair
    return -score, left, right


def top(matrix, k, min_score=0.0, self_join=False):
    rows = {}
    for pair in all_pairs(matrix, self_join, True, False):
        if pair[2] >= min_score:
            rows.setdefault(pair[0], []).append(pair)
    return [pair for left in sorted(rows) for pair in sorted(rows[left], key=by_score)[:k]]


def above(matrix, min_score, self_join=False, symmetric=True):
    pairs = [pair for pair in all_pairs(matrix, self_join, symmetric, True) if pair[2] >= min_score]
    return sorted(pairs, key=lambda pair: (pair[0], -pair[2], pair[1]))


def best(matrix, n, min_score=0.0, self_join=False, symmetric=True):
    pairs = [pair for pair in all_pairs(matrix, self_join, symmetric, True) if pair[2] >= min_score]
    return sorted(pairs, key=by_score)[:n]
