"""A stand-in for a tagger in other languages: words of closed classes, told by their frequency.

Articles, prepositions, pronouns, conjunctions and auxiliary verbs are the most frequent words of any running text. A
sentence has some of them; a list of names, a row of a table, a line of a program or of another language has not.
"""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
# So many of the most frequent words are taken for closed-class ones, if they are that share of all words.
_WORDS, _SHARE = 120, 0.0005
# What a sentence has of them at least: so many, and of its tokens so much.
_FEWEST, _LEAST = 2, 0.15


def closed_class(words: list[str], counts: Array) -> Array:
    """Say which words are of a closed class, given how often each occurs: lower-case, letters only, frequent.

    >>> closed_class(["der", "Haus", "1990", "Zug", "und"], np.array([9, 9, 9, 1, 5])).tolist()
    [True, False, False, False, True]
    """
    plain = np.array([word.isalpha() and word[:1].islower() for word in words], bool)
    frequent = np.zeros(len(words), bool)
    frequent[np.argsort(-np.where(plain, counts, 0), kind="stable")[:_WORDS]] = True
    found: Array = plain & frequent & (counts >= max(2, _SHARE * counts.sum()))
    return found


def sentences_of_words(closed: Array, ids: Array, offsets: Array) -> Array:
    """Say which sentences have enough words of a closed class.

    >>> closed = np.array([True, True, False, False])
    >>> sentences_of_words(closed, np.array([0, 2, 1, 3, 2, 3, 2]), np.array([0, 4, 7])).tolist()
    [True, False]
    """
    lengths = np.diff(offsets)
    total = np.concatenate([[0], np.cumsum(closed[ids])])
    having = total[offsets[1:]] - total[offsets[:-1]]
    enough: Array = (having >= _FEWEST) & (having >= _LEAST * lengths)
    return enough


def keep_sentences(kept: dict[str, Any], enough: Array) -> dict[str, Any]:
    """Return the analysed sentences less those that are not ``enough``."""
    lengths = np.diff(kept["sentence_offsets"])
    tokens = np.repeat(enough, lengths)
    offsets = np.concatenate([[0], np.cumsum(lengths[enough])]).astype(kept["sentence_offsets"].dtype)
    return {
        **kept,
        "ids": kept["ids"][tokens],
        "sentences": kept["sentences"][enough],
        "sentence_offsets": offsets,
        "tags": kept["tags"][tokens] if len(kept["tags"]) else kept["tags"],
    }
