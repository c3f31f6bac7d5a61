"""The small book on which every list is compared with its twin."""

import pytest
from tests.jobs.link.books import STOP, topics
from tests.reference.linking import Twin

from likewise.jobs.link import PRESETS, LinkOptions
from likewise.jobs.link.book import make_book
from likewise.jobs.link.rankings import Rankings
from likewise.jobs.link.sentences import analyse
from likewise.jobs.link.vectors import BookVectors


@pytest.fixture(scope="module")
def small():
    """A small book, its lists, and the twin of them."""
    options = LinkOptions(min_terms=3, title_weight=1, least_matches=1, stop="smart")
    book = make_book(topics(), None, options)
    terms = analyse(book, options)
    lists = Rankings(BookVectors(terms), options, PRESETS, n=60)
    text = [[book.sentence(u, s) for s in range(len(unit.sentences))] for u, unit in enumerate(book.units)]
    return book, lists, Twin(text, STOP, terms.active.tolist(), 60)
