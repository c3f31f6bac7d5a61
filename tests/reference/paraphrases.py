"""The slow, obvious twin of paraphrase mining, on sentences given as lists of (token, Penn tag)."""

import re
from collections import defaultdict
from itertools import combinations

WH = {"who", "when", "which", "where"}
DASHES = {"-", "--", "–", "—"}
MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December|"
    "Jan\\.|Feb\\.|Mar\\.|Apr\\.|Jun\\.|Jul\\.|Aug\\.|Sept\\.|Sep\\.|Oct\\.|Nov\\.|Dec\\."
)
DATES = [  # tokens joined by blanks; the longest that ends where it should is taken
    rf"(?:{MONTHS}) {{day}}(?: ,)? {{year}}",
    rf"{{day}} (?:{MONTHS})(?: ,)? {{year}}",
    rf"(?:{MONTHS})(?: ,)? {{year}}",
    rf"(?:{MONTHS}) {{day}}",
    rf"{{day}} (?:{MONTHS})",
    rf"(?:{MONTHS})",
    "{year}",
    r"\d{{4}}-\d\d-\d\d",
]
DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
YEAR = r"(?:1\d{3}|20\d\d|2100)s?"


def is_word(token):
    return any(letter.isalnum() for letter in token)


def is_number(token):
    return any(letter.isdigit() for letter in token) and not any(letter.isalpha() for letter in token)


def is_verb(tag):
    return tag.startswith("VB") or tag == "MD"


def check(sentence, least=5, most=30, tagged=True):
    """The first of the five checks that fails, or None."""
    words = [(token, tag) for token, tag in sentence if is_word(token)]
    if len(words) < least:
        return "fewer words"
    if len(words) > most:
        return "more words"
    if tagged and not any(tag.startswith("VB") and tag != "VBG" for _, tag in sentence):
        return "no verb"
    if tagged and not any(token[:1].islower() and not is_verb(tag) for token, tag in sentence):
        return "no lower case"
    if any(len(token) > 30 for token, _ in words):
        return "long word"
    if 2 * sum(is_number(token) for token, _ in words) >= len(words):
        return "numbers"
    return None


def entities(sentence):
    """Maximal runs of proper nouns as (start, end)."""
    runs, start = [], None
    for i, (_, tag) in enumerate([*sentence, ("", "")]):
        proper = tag in ("NNP", "NNPS")
        if proper and start is None:
            start = i
        if not proper and start is not None:
            runs.append((start, i))
            start = None
    return runs


def entity_attachment(sentence, start, end):
    before = [run for run in entities(sentence) if run[0] < start]
    after = [run for run in entities(sentence) if run[1] > end]
    if not before or not after or before[-1] == after[0]:
        return None
    return "\t".join(" ".join(token for token, _ in sentence[a:b]) for a, b in (before[-1], after[0]))


def date_before(tokens, end):
    """The longest date whose last token is end - 1, as (start, end)."""
    for length in range(min(5, end), 0, -1):
        text = " ".join(tokens[end - length : end])
        for pattern in DATES:
            if re.fullmatch(pattern.format(day=DAY, year=YEAR), text):
                return end - length, end
    return None


def clauses(sentence):
    """Relative clauses as ((start, end) of what they modify, place of the Wh word, end of the clause)."""
    tokens = [token for token, _ in sentence]
    limit = len(tokens)
    while limit and tokens[limit - 1] in (".", "!", "?"):
        limit -= 1
    found = []
    for wh in range(1, limit):
        if tokens[wh] not in WH:
            continue
        head = wh
        if tokens[head - 1] in DASHES | {",", "("}:
            head -= 1
        if head == 0:
            continue
        modified = date_before(tokens, head) or next((run for run in entities(sentence) if run[1] == head), None)
        # A straddling run cannot be: the token after the head is a mark or the Wh word.
        if modified is None:
            continue
        ends = [i for i in range(wh + 1, limit) if tokens[i] in DASHES | {",", ")", "."}] + [limit]
        end = next((e for e in ends if any(is_verb(tag) for _, tag in sentence[wh + 1 : e])), None)
        if end is None or any(tag in ("PRP", "PRP$") for _, tag in sentence[wh + 1 : end]):
            continue
        found.append((modified, wh, end))
    return found


def relative_attachment(sentence, start, end, variable):
    def text(a, b):
        return " ".join(token for token, _ in sentence[a:b])

    holding = [c for c in clauses(sentence) if c[1] < variable[0] and variable[1] <= c[2]]
    if not holding:
        return None
    (a, b), wh, stop = max(holding, key=lambda c: c[1])
    return "\t".join([text(a, b), text(wh, max(wh, min(start, stop))), text(min(end, stop), stop)])


def rows(sentences, anchors="ngram", context=3, shortest=1, longest=4):
    """All distinct rows (context, attached, candidate)."""
    made = set()
    for sentence in sentences:
        tokens = [token for token, _ in sentence]
        for length in range(2 * context + shortest, 2 * context + longest + 1):
            for start in range(len(tokens) - length + 1):
                end = start + length
                variable = (start + context, end - context)
                attached = ""
                if anchors == "entity":
                    attached = entity_attachment(sentence, start, end)
                elif anchors == "relative":
                    attached = relative_attachment(sentence, start, end, variable)
                if attached is None:
                    continue
                around = " ".join(tokens[start : variable[0]]) + "\t" + " ".join(tokens[variable[1] : end])
                made.add((around, attached, " ".join(tokens[slice(*variable)])))
    return made


def pairs(sentences, support=5, **shape):
    """{(phrase, paraphrase): (support, anchors)}, nothing pruned."""
    groups = defaultdict(set)
    for around, attached, candidate in rows(sentences, **shape):
        groups[around, attached].add(candidate)
    contexts, anchors = defaultdict(set), defaultdict(int)
    for (around, _), candidates in groups.items():
        for pair in combinations(sorted(candidates, key=str.encode), 2):
            contexts[pair].add(around)
            anchors[pair] += 1
    return {pair: (len(found), anchors[pair]) for pair, found in contexts.items() if len(found) >= support}
