"""Slow, obvious twins of the two linkages: groups as sets, merged one by one."""


def components(size, pairs):
    groups = [{item} for item in range(size)]
    for left, right, _ in pairs:
        a = next(group for group in groups if left in group)
        b = next(group for group in groups if right in group)
        if a is not b:
            groups.remove(b)
            a |= b
    return {frozenset(group) for group in groups}


def complete(size, pairs):
    """Merge again and again the two groups whose worst pair is best, while all pairs across are there."""
    score = {frozenset(pair[:2]): pair[2] for pair in pairs}
    groups = [{item} for item in range(size)]

    def worst(a, b):
        values = [score.get(frozenset((x, y))) for x in a for y in b]
        return None if None in values else min(values)

    while True:
        options = [(worst(a, b), i, j) for i, a in enumerate(groups) for j, b in enumerate(groups) if i < j]
        options = [option for option in options if option[0] is not None]
        if not options:
            return {frozenset(group) for group in groups}
        _, i, j = max(options)
        groups[i] |= groups.pop(j)
