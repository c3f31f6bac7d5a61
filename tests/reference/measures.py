"""Slow and obvious twins of every measure, written from the formulas of the papers with sets and dicts alone."""

import math
import unicodedata
from collections import Counter

LEFT, RIGHT = object(), object()


def fold(word):
    """Case folded, then letters without their accents, where the mark is one that people leave out."""
    folded = ""
    for character in unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).casefold()):
        for part in unicodedata.normalize("NFKD", character):
            name = unicodedata.name(part)
            accent = name.startswith(("COMBINING", "HEBREW POINT", "ARABIC FATHA", "ARABIC KASRA", "ARABIC HAMZA"))
            if part == "ı":
                part = "i"
            if not accent or "KATAKANA" in name or character == "й":
                folded += part
    return unicodedata.normalize("NFC", folded) or word


def without_spaces(character):
    scripts = ("CJK UNIFIED", "HIRAGANA", "KATAKANA", "THAI CHARACTER", "HANGUL SYLLABLE")
    return unicodedata.category(character)[0] == "L" and unicodedata.name(character).startswith(scripts)


def pieces(run):
    """A run of letters, marks and numbers, cut: what has spaces whole, the rest in pairs, Chinese also one by one."""
    letters = []  # each with its marks
    for character in run:
        mark = unicodedata.category(character)[0] == "M"
        if letters and (mark if without_spaces(letters[-1][0]) else not without_spaces(character)):
            letters[-1] += character
        else:
            letters.append(character)
    for i, letter in enumerate(letters):
        if not without_spaces(letter[0]):
            yield letter
            continue
        before = i > 0 and without_spaces(letters[i - 1][0])
        after = i + 1 < len(letters) and without_spaces(letters[i + 1][0])
        if before:
            yield letters[i - 1] + letter
        if unicodedata.name(letter[0]).startswith("CJK") or not (before or after):
            yield letter


def terms(text, bigrams=False):
    """Folded maximal runs of letters, marks and numbers, in order; with bigrams, scripts without spaces are cut."""
    found, run = [], ""
    for character in text + " ":
        if unicodedata.category(character)[0] in "LMN":
            run += character
        elif run:
            found.extend(fold(piece) for piece in (pieces(run) if bigrams else [run]))
            run = ""
    return found


def idf(texts, bigrams=False):
    """Term -> ln(M / m), 1 seen for unknown terms."""
    seen = Counter(term for text in texts for term in set(terms(text, bigrams)))
    return lambda term: math.log(len(texts) / seen.get(term, 1))


def qidf(texts, q, padding):
    words = [term for text in texts for term in terms(text)]
    grams_of = {word: grams(word, q, padding) for word in set(words)}
    seen = Counter(gram for word in words for gram in grams_of[word])
    return lambda gram: math.log(max(len(words), 1) / seen.get(gram, 1))


def grams(term, q, padding):
    """The set of q-grams of a term."""
    marks = 0 if q <= 1 or padding == "none" else 1 if padding == "single" else q - 1
    letters = [LEFT] * marks + list(term) + [RIGHT] * marks
    if q == 0 or len(letters) < q:
        return {tuple(letters)}
    return {tuple(letters[i : i + q]) for i in range(len(letters) - q + 1)}


class Spectra:
    def __init__(self, q=(2, 4), padding="single", weights="c", coefficient="harmonic", texts=()):
        self.q, self.padding, self.coefficient = q, padding, coefficient
        self.parts = set() if weights == "none" else set(weights.split("."))
        self.idf = idf(texts) if self.parts & {"idf", "tfidf"} else None
        self.qidf = {n: qidf(texts, n, padding) for n in range(q[0], q[1] + 1)} if "qidf" in self.parts else None

    def cardinality(self, counts):
        """|A|' of a text given as term -> tf."""
        total = 0.0
        for q in range(self.q[0], self.q[1] + 1):
            of_term = {term: grams(term, q, self.padding) for term in counts}
            for gram in set().union(*of_term.values()) if of_term else ():
                having = [term for term in counts if gram in of_term[term]]
                total += sum(self.weight(term, counts[term], gram, q, len(of_term[term])) for term in having) / len(
                    having
                )
        return total

    def weight(self, term, tf, gram, q, size):
        weight = 1.0
        if "c" in self.parts:
            weight /= size
        if self.idf:
            weight *= self.idf(term)
        if "tfidf" in self.parts:
            weight *= tf
        if self.qidf:
            weight *= self.qidf[q](gram)
        return weight

    def score(self, left, right):
        a, b = Counter(terms(left)), Counter(terms(right))
        size_a, size_b, size_union = self.cardinality(a), self.cardinality(b), self.cardinality(a | b)
        return coefficient(self.coefficient, size_a + size_b - size_union, size_a, size_b, size_union)


def coefficient(name, common, a, b, union):
    if a <= 0 or b <= 0:
        return 0.0
    if name == "jaccard":
        return common / union
    if name == "coverage":
        return common / b
    exponents = {"harmonic": -1, "dice": 1, "cosine": 0, "quadratic": 2, "max": math.inf}
    p = {**exponents, "overlap": -math.inf, "containment": -math.inf}.get(name, name)
    if p == 0:
        return common / math.sqrt(a * b)
    if math.isinf(p):
        return common / (max(a, b) if p > 0 else min(a, b))
    return common / (0.5 * a**p + 0.5 * b**p) ** (1 / p)


def matches(left, right):
    return len(set(terms(left, True)) & set(terms(right, True)))


def common(left, right):
    return sum((Counter(terms(left, True)) & Counter(terms(right, True))).values())


def tf(left, right):
    a, b = Counter(terms(left, True)), Counter(terms(right, True))
    return sum(a[term] * b[term] for term in a)


def weigh(text, weights, texts, bigrams=False):
    counts = Counter(terms(text, bigrams))
    weighted = {}
    for term, count in counts.items():
        weighted[term] = (count if weights in ("tf", "tfidf") else 1) * (
            idf(texts, bigrams)(term) if "idf" in weights else 1
        )
    length = math.sqrt(sum(weight**2 for weight in weighted.values()))
    return {term: weight / length for term, weight in weighted.items()} if length else {}


def cosine(left, right, weights="tfidf", texts=()):
    a, b = weigh(left, weights, texts, True), weigh(right, weights, texts, True)
    return sum(a[term] * b[term] for term in a.keys() & b.keys())


def bm25(left, right, texts, k1=1.2, b=0.75):
    count = Counter(terms(right, True))
    mean = sum(len(terms(text, True)) for text in texts) / len(texts)
    seen = Counter(term for text in texts for term in set(terms(text, True)))
    total = 0.0
    for term in terms(left, True):
        m = seen.get(term, 1)
        weight = math.log(1 + (max(len(texts) - m, 0) + 0.5) / (m + 0.5))
        if count[term]:
            total += weight * count[term] / (count[term] + k1 * (1 - b + b * sum(count.values()) / mean))
    return total


def jaro(a, b):
    window = max(0, max(len(a), len(b)) // 2 - 1)
    used, pairs = set(), []
    for i, letter in enumerate(a):
        for j in range(max(0, i - window), min(len(b), i + window + 1)):
            if j not in used and b[j] == letter:
                used.add(j)
                pairs.append((i, j))
                break
    if not pairs:
        return 0.0
    m = len(pairs)
    from_b = [b[j] for j in sorted(used)]
    crossed = sum(a[i] != other for (i, _), other in zip(pairs, from_b, strict=True)) // 2
    return (m / len(a) + m / len(b) + (m - crossed) / m) / 3


def jaro_winkler(a, b):
    if a == b:
        return 1.0
    value, prefix = jaro(a, b), 0
    while prefix < min(4, len(a), len(b)) and a[prefix] == b[prefix]:
        prefix += 1
    return value + 0.1 * prefix * (1 - value)


def soft_tfidf(left, right, weights="tfidf", texts=(), cut=0.9, pairs="best"):
    a, b = weigh(left, weights, texts), weigh(right, weights, texts)
    total = 0.0
    for term, weight in a.items():
        near = [(jaro_winkler(term, other), b[other]) for other in b]
        near = [item for item in near if item[0] > cut]
        for alike, other in [max(near)] if near and pairs == "best" else near:
            total += weight * other * alike
    return total


def bigram_jaccard(a, b):
    x, y = grams(a, 2, "none"), grams(b, 2, "none")
    return len(x & y) / len(x | y)


def soft_cardinality(left, right, name="harmonic", cut=0.0, softness=2):
    def size(words):
        def alpha(a, b):
            value = bigram_jaccard(a, b)
            return value**softness if value >= cut and value > 0 else 0.0

        return sum(1 / sum(alpha(word, other) for other in words) for word in words)

    a, b = set(terms(left)), set(terms(right))
    size_a, size_b, size_union = size(a), size(b), size(a | b)
    return coefficient(name, size_a + size_b - size_union, size_a, size_b, size_union)
