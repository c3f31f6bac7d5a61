"""Words of a query that no text has, read as the most similar ones that some text has."""

from collections.abc import Iterator
from dataclasses import replace

from likewise.analyse.words import has_no_spaces
from likewise.index.lists import DotFamily
from likewise.index.query import Clause, Part, Query
from likewise.index.snapshot import Snapshot
from likewise.index.spelling import may_be, most_slips, slips

# A query with more unknown words than this is no slip of the fingers; they are left as they are.
MOST_WORDS = 64
# So short a word has too many neighbours.
SHORTEST = 4

Corrections = tuple[tuple[str, str], ...]

_SENTENCE = 3  # words; fewer may all be acronyms
_ACRONYM = 6  # letters; longer words in capitals are no acronyms
_EVERYWHERE = 1 << 62  # texts that have a stop word
_ONLY_ITS_STEM = 3  # more unlikely than any word of the texts with as many slips
_STEMS = 8  # whose forms are looked at for the one that was meant


def forgiven(snapshot: Snapshot, text: str) -> tuple[str, Corrections]:
    """Return a text with what is read for words that the index does not have, and these words with what was read."""
    analyser = snapshot.measure.analyser
    if not isinstance(snapshot.family, DotFamily):
        return text, ()
    unknown = [
        (term, span)
        for term, span in analyser.terms([text], positions=True).spans(0)
        if not any(lists.list(term)[1] for lists in snapshot.lists) and not has_no_spaces(span.of(text))
    ]
    if len(unknown) > MOST_WORDS:
        return text, ()
    parts, at, corrections = [], 0, {}
    loud = _is_loud(text)
    for term, span in unknown:
        written = span.of(text)
        doubtful = may_be_wrong(written.lower() if loud else written)
        meant = _meant(snapshot, written.lower(), analyser.term(term)) if doubtful else None
        if meant is not None:
            corrections[written] = meant
            parts += [text[at : span.start], corrections[written]]
            at = span.end
    return "".join([*parts, text[at:]]), tuple(corrections.items())


def _meant(snapshot: Snapshot, written: str, term: str) -> str | None:
    """Return the word that was probably meant: the form of a word of the texts that is nearest to what was written.

    Stems alone do not tell it: as the slip may be in an ending, the word is compared as it is written, too. A stop word
    that was mistyped (thier) is read as what it is, and not as a rare word of the texts.
    """
    speller, near = snapshot.speller, list[tuple[int, int, int, str]]()
    for stem in dict.fromkeys((*speller.alike(term)[:_STEMS], *speller.alike(written)[:_STEMS])):
        for word in snapshot.forms(stem):
            if slips(written, word) <= most_slips(written) and may_be(written, word):
                near.append((slips(written, word), _unlikely(written, word), -speller.counts[stem], word))
    near += _swapped(snapshot, written)
    if near:
        return min(near)[-1]
    likeliest = speller.nearest(term)
    if likeliest is None:
        return None
    return min(snapshot.forms(likeliest), key=lambda word: (slips(written, word), word))


def _unlikely(written: str, word: str) -> int:
    """Say how unlikely slips are that lead from a word to what was written, of equally many.

    Two letters that changed places are the likeliest; then letters that were left out, or written twice; then others.

    >>> [_unlikely("sqlit", word) for word in ("sqilt", "sqlite", "split")]
    [0, 1, 2]
    """
    if sorted(word) == sorted(written):
        return 0
    return 1 if abs(len(word) - len(written)) == slips(written, word) else 2


def _swapped(snapshot: Snapshot, written: str) -> Iterator[tuple[int, int, int, str]]:
    """Yield what two neighbouring letters, put back, make of a word, in the order of :func:`_meant`.

    A word of which only the stem is in the texts (*premision* among *premises*) comes after all that they have.
    """
    analyser = snapshot.measure.analyser
    for at in range(len(written) - 1):
        word = f"{written[:at]}{written[at + 1]}{written[at]}{written[at + 2 :]}"
        if word == written or not may_be(written, word):
            continue
        terms = analyser.terms([word]).terms.tolist()
        if not terms:
            yield 1, 0, -_EVERYWHERE, word
        elif len(terms) == 1 and (count := snapshot.speller.counts.get(stem := analyser.term(terms[0]), 0)):
            yield 1, 0 if word in snapshot.forms(stem) else _ONLY_ITS_STEM, -count, word


def forgiven_query(snapshot: Snapshot, query: Query) -> tuple[Query, Corrections]:
    """Return a query with typing errors read away in the words that are looked for; phrases are taken as written."""
    corrections: dict[str, str] = {}

    def read(part: Part) -> Part:
        if part.phrase:
            return part
        text, found = forgiven(snapshot, part.text)
        corrections.update(found)
        return replace(part, text=text)

    def clause_of(clause: Clause) -> Clause:
        if clause.negated or clause.kind not in ("words", "group"):
            return clause
        return replace(clause, parts=tuple(tuple(read(part) for part in row) for row in clause.parts))

    return replace(query, clauses=tuple(clause_of(clause) for clause in query.clauses)), tuple(corrections.items())


def may_be_wrong(word: str) -> bool:
    """Say whether a word may be a slip of the fingers: short words, acronyms and what has digits are meant as written.

    >>> [word for word in ("operatoins", "vs", "PCOS", "mRNA", "pco2", "Amtrack", "REPOSITRY") if may_be_wrong(word)]
    ['operatoins', 'Amtrack', 'REPOSITRY']
    """
    capitals = 0 if word.isupper() and len(word) > _ACRONYM else sum(letter.isupper() for letter in word)
    return len(word) >= SHORTEST and capitals < 2 and not any(letter.isdigit() for letter in word)


def _is_loud(text: str) -> bool:
    """Whether a text is written in capitals, as old queries are: then they say nothing about a word.

    >>> [_is_loud(text) for text in ("DESIGN OF BNAD FILTERS", "REPOSITRY LAYUOT", "PCOS", "PCOS test results")]
    [True, True, False, False]
    """
    words = text.split()
    several = len(words) >= _SENTENCE or max(map(len, words), default=0) > _ACRONYM
    return several and sum(map(str.isupper, text)) > 4 * sum(map(str.islower, text))
