"""What stands at the end of a book: its subject index, and its glossary tied to the text."""

from functools import cached_property

from likewise.jobs.link.glossary import explained, tie
from likewise.jobs.link.grams import Words, words_of
from likewise.jobs.link.options import LinkOptions
from likewise.jobs.link.sentences import SentenceTerms
from likewise.jobs.link.subjects import Finder, find_subjects
from likewise.results.glossary import GlossaryEntry
from likewise.results.subjects import SubjectIndex
from likewise.results.units import Book


class FoundBackMatter:
    """Makes both on first use; a book with neither costs only a search for glossary entries."""

    def __init__(self, book: Book, terms: SentenceTerms, options: LinkOptions) -> None:
        self._book, self._terms, self._options = book, terms, options

    @cached_property
    def subjects(self) -> SubjectIndex:
        """The subject index of the book."""
        if self._options.index_terms == 0:
            return SubjectIndex(self._book, ())
        return find_subjects(self._book, self._words, self._finder, self.glossary, self._options)

    @cached_property
    def glossary(self) -> tuple[GlossaryEntry, ...]:
        """What the book's glossaries explain, and where that is used."""
        entries = dict(explained(self._book))
        return tie(self._book, entries, self._words, self._terms.analyser, self._finder) if entries else ()

    @cached_property
    def _words(self) -> Words:
        return words_of(self._book, self._terms)

    @cached_property
    def _finder(self) -> Finder:
        return Finder(self._book, self._words)
