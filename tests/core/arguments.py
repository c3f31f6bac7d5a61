"""Arguments of the compiled module that fit: arrays, and one small object of each kind."""

import numpy as np

from likewise import _core as c


def i8(*values):
    return np.array(values, np.int64)


def i4(*values):
    return np.array(values, np.int32)


def u2(*values):
    return np.array(values, np.uint16)


def u1(*values):
    return np.array(values, np.uint8)


def f8(*values):
    return np.array(values, np.float64)


def vocabulary_of(*texts):
    made = c.Vocabulary()
    tokens = made.tokenise(*c.pack(list(texts)))
    made.resolve_words(made.pending_words())
    return made, tokens


def grams_of(vocabulary, first=2, last=3):
    made = c.TermGrams(first, last, c.Padding.single, True)
    made.add(vocabulary)
    return made


ROWS = c.Rows(i8(0, 1), i4(0), f8(1))
TWO = c.Rows(i8(0, 1, 2), i4(0, 1), f8(1, 2))
DOT = c.DotScorer(ROWS, ROWS)
MEAN = c.Coefficient(c.CoefficientKind.mean, 1.0)
WORDS, TOKENS = vocabulary_of("alpha beta")
GRAMS = grams_of(WORDS)
TEXTS = c.SpectraTexts(GRAMS, i8(0, 2), i4(0, 1), f8())
COUNTED = c.SpectraTexts(GRAMS, i8(0, 2), i4(0, 1), f8(1, 2))
SPECTRA = c.SpectraScorer(GRAMS, TEXTS, TEXTS, MEAN)
FIELDS = c.FieldsScorer([DOT], [1.0], [i4(0)], [i4(0)], 1, 1)
BATCH = c.MineBatch(u1(97), i4(0, 1), i4(0, 0, 0, 0, 0, 0), u1(), i4(0, 6))
LISTS = (i4(0), i4(0), i8(0, 1), u2(0), u2(65535), f8(1), f8(1), f8(0, 0, 0))
NEAR_ROWS = (i8(0, 2, 4, 5), i4(0, 1, 0, 1, 2), f8(1, 2, 1), f8(2, 2, 1))
NEAR = c.NearLists(*NEAR_ROWS, f8(2, 2, 1), 0.5)
PHRASES = c.PhraseRows(i8(0, 2), i4(0, 1), i8(0, 1))
SEGMENT = c.DotSegment(*LISTS, 1)
GRAM_LISTS = (i4(0), i4(0), i8(0, 1), u2(0), u1(0), f8(1), f8(1), f8(1), i8(0, 1), i4(0), f8(), 2, i4())
HUGE = 10**9
