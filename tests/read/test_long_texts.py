"""Texts that stay in Arrow are those that Python would have."""

import sys

import numpy as np
import pyarrow as pa

from likewise.analyse import AnalyseOptions, Analyser
from likewise.analyse.term_counts import CountedRows
from likewise.read.long_texts import LongTexts, texts_at

TEXTS = [
    "The quick brown fox", None, "", " \u2003\x1f", "東京タワー and Tokyo", "naïve café", "naïve café", "don't l’été x",
    "ﬁne", "한국어 text", "a" * 40, "é", "x", "The quick brown fox", "Ünïcode at\u00a0both énds é", "ภาษาไทย abc",
    "\u0301mark", "AbstractSingletonProxyFactoryBean x1Y2 THE the",
    "abstractsingletonproxyfactorybean X1y2 The Sixteen16Letters",
]  # fmt: skip


def columns():
    """The same texts, cut and typed in several ways."""
    yield pa.chunked_array([TEXTS], pa.string())
    yield pa.chunked_array([TEXTS[:5], [], TEXTS[5:]], pa.large_string())
    yield pa.chunked_array([pa.array(["before", *TEXTS, "after"], pa.string())]).slice(1, len(TEXTS))


def test_distinct_texts_are_numbered_as_they_come():
    known: dict[str, int] = {}
    wanted = [known.setdefault(text, len(known)) if text and text.strip() else -1 for text in TEXTS]
    for column in columns():
        texts, numbers = LongTexts.distinct(column)
        assert numbers.tolist() == wanted
        assert list(texts) == [texts[place] for place in range(len(texts))] == list(known)
        assert list(texts[2:4]) == list(known)[2:4]
        some = np.array([5, 0, 5, 1])
        assert texts_at(column, some).to_pylist() == [TEXTS[place] for place in some]


def test_every_character_that_python_strips_is_blank():
    spaces = [chr(code) for code in range(sys.maxunicode) if not 0xD800 <= code < 0xE000 and chr(code).isspace()]
    column = pa.chunked_array([[*spaces, "".join(spaces), "".join(spaces) + "x", "\u200b"]])
    assert LongTexts.distinct(column)[1].tolist() == [-1] * (len(spaces) + 1) + [0, 1]


def test_words_found_by_bytes_are_those_found_by_characters():
    """Positions take the longer way over every character; a part of any size gives the same terms."""
    texts, _ = LongTexts.distinct(next(columns()))
    for unspaced in ("bigrams", "run"):
        slow, quick = (Analyser(AnalyseOptions(unspaced=unspaced)) for _ in range(2))
        wanted = slow.terms(list(texts), positions=True)
        found = quick.terms(list(texts))
        assert (found.indptr.tolist(), found.terms.tolist()) == (wanted.indptr.tolist(), wanted.terms.tolist())
        assert quick.vocabulary.terms() == slow.vocabulary.terms()
        parts = [place for _, starts, _, part in texts.parts(20) for place in range(part.start, part.stop)]
        assert parts == list(range(len(texts)))
        counted = Analyser(AnalyseOptions(unspaced=unspaced))
        rows, totals = CountedRows.of(texts, np.ones(len(texts), np.int64), counted, True)
        for mine, other in zip(rows.counts(), wanted.counts(), strict=True):
            assert mine.tolist() == other.tolist()
        assert totals.words == len(wanted.terms)
