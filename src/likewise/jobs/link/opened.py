"""What linking starts from: the book, its terms, where it is joined, and the options in its language."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from likewise.jobs.link.joins import Joins
from likewise.jobs.link.options import LinkOptions
from likewise.jobs.link.sentences import SentenceTerms
from likewise.languages import detect
from likewise.results.units import Book


@dataclass(frozen=True, slots=True)
class Opened:
    """A text that was read, cut and analysed: here, or by an engine."""

    book: Book
    terms: SentenceTerms
    joins: Joins
    options: LinkOptions


def spoken_in(options: LinkOptions, texts: Iterable[str]) -> LinkOptions:
    """Return the options with the language of the texts, unless one was named.

    >>> spoken_in(LinkOptions(), ["Der Hund und die Katze sind nicht im Garten, aber sie kommen."]).language
    'german'
    """
    if options.language is not None:
        return options
    found = detect(texts)
    return replace(options, language=found.name if found else "english")
