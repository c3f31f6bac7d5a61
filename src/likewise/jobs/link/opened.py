"""What linking starts from: the book, its terms, where it is joined, and the options in its language."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from likewise.jobs.link.joins import Joins
from likewise.jobs.link.options import LinkOptions
from likewise.jobs.link.sentences import SentenceTerms
from likewise.languages import language_of_each
from likewise.results.units import Book


@dataclass(frozen=True, slots=True)
class Opened:
    """A text that was read, cut and analysed: here, or by an engine."""

    book: Book
    terms: SentenceTerms
    joins: Joins
    options: LinkOptions


def spoken_in(options: LinkOptions, texts: Iterable[str]) -> tuple[LinkOptions, tuple[str, ...]]:
    """Return the options with the language of most texts, and, if there are several, the code of that of each.

    Unless a language was named: then all texts are in it.

    >>> german = "Der Hund und die Katze sind nicht im Garten, aber sie kommen bald wieder zu uns in das Haus. " * 2
    >>> options, each = spoken_in(LinkOptions(), ["The dog and the cat are in the garden. " * 9, german])
    >>> options.language, each
    ('english', ('en', 'de'))
    """
    if options.language is not None:
        return options, ()
    most, each = language_of_each(texts)
    if most is None:
        return replace(options, language="english"), ()
    codes = tuple((one or most).code for one in each)
    return replace(options, language=most.name), codes if len(set(codes)) > 1 else ()
