"""The lists of Salton and Buckley as plainly as they can be written: every pair, one at a time."""

import math
import re
import unicodedata
from collections import Counter
from itertools import pairwise

import Stemmer


def words(text, stop):
    """Significant stems of a sentence with the number of the word each comes from."""
    stemmer = Stemmer.Stemmer("porter")
    tokens = []
    for number, match in enumerate(_runs(text)):
        tokens.append((number, match))
    chains = _chains(text)
    found = []
    for number, (start, end) in tokens:
        word = unicodedata.normalize("NFC", text[start:end]).casefold()
        chain = next((c for c in chains if c[0] <= start and end <= c[1]), None)
        if word in stop or (chain and text[chain[0] : chain[1]].casefold().replace("’", "'") in stop):
            continue
        found.append((number, stemmer.stemWord(word)))
    return found


def _runs(text):
    runs, start = [], None
    for i, letter in enumerate([*text, " "]):
        inside = unicodedata.category(letter)[0] in "LMN"
        if inside and start is None:
            start = i
        elif not inside and start is not None:
            runs.append((start, i))
            start = None
    return runs


def _chains(text):
    """Words with apostrophes between letters, as wholes."""
    return [m.span() for m in re.finditer(r"[^\W\d_]+(?:['’][^\W\d_]+)+", text)]


def pairs_of_words(sentence):
    """Adjacent pairs: position in the sentence, and the two stems."""
    both = enumerate(pairwise(sentence))
    return [(i, (a[1], b[1])) for i, (a, b) in both if b[0] == a[0] + 1]


def shared_phrases(a, b):
    """Phrases adjacent in both, a word serving only one, left to right."""

    def used(mine, other):
        known = {phrase for _, phrase in pairs_of_words(other)}
        result, free = set(), -1
        for at, phrase in pairs_of_words(mine):
            if at >= free and phrase in known:
                result.add(phrase)
                free = at + 2
        return result

    return used(a, b) & used(b, a)


def matches(a, b, phrases=False):
    terms = {stem for _, stem in a} & {stem for _, stem in b}
    return len(terms) + (len(shared_phrases(a, b)) if phrases else 0)


def tf(a, b):
    x, y = Counter(stem for _, stem in a), Counter(stem for _, stem in b)
    return sum(x[t] * y[t] for t in x)


def cosine(a, b, idf):
    x = {t: n * idf[t] for t, n in a.items()}
    y = {t: n * idf[t] for t, n in b.items()}
    dot = sum(x[t] * y[t] for t in x if t in y)
    norm = math.sqrt(sum(v * v for v in x.values())) * math.sqrt(sum(v * v for v in y.values()))
    return dot / norm if norm else 0.0


def idf_of(bags):
    seen = Counter(t for bag in bags for t in bag)
    return {t: math.log(len(bags) / n) for t, n in seen.items()}


def best(scored, n):
    """The n best of (left, right, score...) by score, then ids."""
    kept = [row for row in scored if row[2] > 0]
    return sorted(kept, key=lambda row: (*(-x for x in row[2:]), row[0], row[1]))[:n]


def auto(scored, n):
    """Those with the smallest number of matches that leaves at most n pairs."""
    k = 1
    while sum(row[2] >= k for row in scored) > n:
        k += 1
    return k, best([row for row in scored if row[2] >= k], len(scored))


class Twin:
    """All lists of a small book given as paragraphs of sentences; ``active`` says which paragraphs take part."""

    def __init__(self, book, stop, active, n):
        self.paragraphs = [[words(sentence, stop) for sentence in paragraph] for paragraph in book]
        self.active = active
        self.n = n
        self.sentences = [(p, s) for p, paragraph in enumerate(self.paragraphs) for s in paragraph]
        self.bags = [Counter(stem for s in paragraph for _, stem in s) for paragraph in self.paragraphs]

    def _pairs(self, count, owner):
        for i in range(count):
            for j in range(i + 1, count):
                if self.active[owner(i)] and self.active[owner(j)]:
                    yield i, j

    def _paragraph_pairs(self):
        return self._pairs(len(self.paragraphs), lambda i: i)

    def _sentence_pairs(self):
        return self._pairs(len(self.sentences), lambda i: self.sentences[i][0])

    def list_21(self):
        idf = idf_of(self.bags)
        return best([(i, j, cosine(self.bags[i], self.bags[j], idf)) for i, j in self._paragraph_pairs()], self.n)

    def list_24(self):
        score = [
            (i, j, sum(self.bags[i][t] * self.bags[j][t] for t in self.bags[i])) for i, j in self._paragraph_pairs()
        ]
        return best(score, self.n)

    def _best_ten(self):
        idf = idf_of(self.bags)
        return [set(sorted(bag, key=lambda t: (-bag[t] * idf[t], t))[:10]) for bag in self.bags]

    def list_25(self):
        ten = self._best_ten()

        def bag(paragraph, kept):
            found = Counter()
            for sentence in paragraph:
                few = [(number, stem) for number, stem in sentence if kept is None or stem in kept]
                found.update(stem for _, stem in few)
                found.update(phrase for _, phrase in pairs_of_words(few))
            return found

        idf = idf_of([bag(paragraph, None) for paragraph in self.paragraphs])
        bags = [bag(paragraph, kept) for paragraph, kept in zip(self.paragraphs, ten, strict=True)]
        return best([(i, j, cosine(bags[i], bags[j], idf)) for i, j in self._paragraph_pairs()], self.n)

    def _matching(self, pairs, phrases=False, kept=None):
        found = []
        for i, j in pairs:
            (p, a), (q, b) = self.sentences[i], self.sentences[j]
            if kept is not None:
                a, b = [w for w in a if w[1] in kept[p]], [w for w in b if w[1] in kept[q]]
            found.append((i, j, matches(a, b, phrases), tf(a, b)))
        return found

    def list_3(self):
        return auto(self._matching(self._sentence_pairs()), self.n)

    def list_19(self):
        bags = [Counter(stem for _, stem in s) for _, s in self.sentences]
        idf = idf_of(bags)
        return best([(i, j, cosine(bags[i], bags[j], idf)) for i, j in self._sentence_pairs()], self.n)

    def list_17(self):
        return best(self._matching(self._sentence_pairs(), True, self._best_ten()), self.n)

    def _inside(self):
        wanted = {(i, j) for i, j, _ in self.list_21()}
        every = range(len(self.sentences))
        return [(i, j) for i in every for j in every if (self.sentences[i][0], self.sentences[j][0]) in wanted]

    def list_31(self):
        return auto(self._matching(self._inside(), True), self.n)

    def list_35(self):
        return auto(self._matching(self._inside()), self.n)

    def propose(self, rows):
        found = []
        for row in rows:
            pair = (self.sentences[row[0]][0], self.sentences[row[1]][0])
            if pair[0] != pair[1] and pair not in found:
                found.append(pair)
        return found


def choices(paragraphs, sections, titles, stop, nearest=50, crowd=10, own=12, higher=4):
    """What each passage chooses, best first, and how strong any pair is.

    ``paragraphs`` are lists of sentences, ``titles`` the path of each.
    """
    counts = [Counter(stem for s in p for _, stem in words(s, stop)) for p in paragraphs]
    size = len(counts)
    seen = Counter(t for c in counts for t in c)
    idf = {t: math.log(size / seen[t]) for t in seen}
    once = [Counter(set(c)) for c in counts]
    near = []
    for i in range(size):
        scored = [(cosine(counts[i], counts[j], idf), -j) for j in range(size) if j != i]
        near.append([(score, -j) for score, j in sorted(scored, reverse=True) if score > 0][:nearest])
    mean = [sum(score for score, _ in found[:crowd]) / crowd for found in near]
    whole = {}
    for i, number in enumerate(sections):
        if number not in whole:
            whole[number] = Counter()
            for path, times in ((titles[i][-1:], own), (titles[i][:-1], higher)):
                for _, stem in words(" ".join(path), stop):
                    whole[number][stem] += times
        whole[number].update(counts[i])
    for t in {t for c in whole.values() for t in c}:
        idf.setdefault(t, math.log(size))
    chosen = []
    for i in range(size):
        many = Counter(sections[j] for _, j in near[i])
        kinship = [
            (
                score
                + cosine(once[i], whole[sections[j]], idf)
                + 0.2 * math.log(1 + len(counts[i].keys() & counts[j].keys()))
                + 0.1 * math.log(many[sections[j]])
                - mean[j] / 2,
                -j,
            )
            for score, j in near[i]
            if sections[j] != sections[i]
        ]
        best = {}
        for _, j in sorted(kinship, reverse=True):
            best.setdefault(sections[-j], -j)
        chosen.append(list(best.values()))

    def strength(i, j):
        alike = cosine(counts[i], counts[j], idf)
        alike += cosine(once[i], whole[sections[j]], idf) + cosine(once[j], whole[sections[i]], idf)
        rare = sum(math.log(1 + size / seen[t]) / math.log(1 + size) for t in counts[i].keys() & counts[j].keys())
        family = 3 * (max(mean[i] - 0.45, 0) + max(mean[j] - 0.45, 0))
        return alike + 0.5 * math.log(1 + rare) - family

    return chosen, strength
